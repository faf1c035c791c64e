"""Time and digits of mu_k of the three-layer NTK, d = 3, against mpmath, PARI, scipy and Gauss-Gegenbauer.

    python benchmarks/eigenvalues.py [--digits 50] [--kmax 200] [--quick] [--methods]

Everything is measured in this run, on this machine, in wall-clock seconds of a warm process; "cold" includes the first
search for an ellipse and the quadrature nodes. mpmath and PARI get one integral for each k. They are measured at a few
degrees spread over 0..kmax, at each with several settings, of which the fastest that gives the digits counts; the total
is the sum of the times interpolated between these degrees: the table says "extrapolated". PARI is asked through `gp` if
it is installed, scipy if it can be imported; what is missing is said. Digits are counted against our own values with
proved bounds, computed to 20 digits more.
"""

from __future__ import annotations

import argparse
import math
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import mpmath
import numpy as np

from asymptok import kernels
from asymptok.atlas.charts import boundary
from asymptok.precision import digits_to_bits, mpmath_precision
from asymptok.spectrum import eigenvalues
from asymptok.spectrum.closed_forms import closed_form
from asymptok.spectrum.far import far_eigenvalues
from asymptok.spectrum.integrate import RUN
from asymptok.spectrum.methods import Task, cost_of
from asymptok.spectrum.quadrature import best_ellipse, gauss_legendre

KERNEL = kernels.ntk(3)
D = 3


def timed(run: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    value = run()
    return time.perf_counter() - start, value


def line(name: str, seconds: float | None, remark: str = "") -> None:
    shown = "-" if seconds is None else (f"{seconds:.4g} s" if seconds >= 1 else f"{1000 * seconds:.3g} ms")
    print(f"  {name:<46}{shown:>12}  {remark}", flush=True)


def digits(value: Any, exact: Any) -> float:
    """Correct decimal digits, relative."""
    with mpmath_precision(2000):
        error = abs(mpmath.mpf(value) - exact)
        return math.inf if error == 0 else float(-mpmath.log10(error / abs(exact)))


def forget() -> None:
    """Empty the caches, as in a fresh process."""
    boundary.cache_clear()
    best_ellipse.cache_clear()
    gauss_legendre.cache_clear()


# ours --------------------------------------------------------------------------------------------------------


def ours(kmax: int, dps: int) -> tuple[float, float]:
    """(cold, warm) seconds for all mu_0 ... mu_kmax."""
    forget()
    cold, _ = timed(lambda: eigenvalues(KERNEL, D, kmax=kmax, dps=dps))
    repeats = 5 if cold < 1 else 1
    warm = min(timed(lambda: eigenvalues(KERNEL, D, kmax=kmax, dps=dps))[0] for _ in range(repeats))
    return cold, warm


def fresh(kmax: int, dps: int) -> float:
    """Seconds of the very first call."""
    script = (
        "import time; from asymptok import kernels; from asymptok.spectrum import eigenvalues; k = kernels.ntk(3); "
        f"s = time.perf_counter(); eigenvalues(k, {D}, kmax={kmax}, dps={dps}); print(time.perf_counter() - s)"
    )
    return float(
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    )


def spread_degrees(kmax: int, count: int) -> list[int]:
    return sorted({round(kmax * i / (count - 1)) for i in range(count)})


def extrapolated(degrees: Sequence[int], seconds: Sequence[float], kmax: int) -> float:
    """The time for all k from 0 to kmax if it is linear between the degrees measured."""
    return float(sum(np.interp(range(kmax + 1), degrees, seconds)))


# mpmath ------------------------------------------------------------------------------------------------------


def kappa0(x: Any) -> Any:
    return (mpmath.pi - mpmath.acos(x)) / mpmath.pi


def kappa1(x: Any) -> Any:
    return (x * (mpmath.pi - mpmath.acos(x)) + mpmath.sqrt(1 - x * x)) / mpmath.pi


def ntk3(x: Any) -> Any:
    features = kappa1(x)
    return (x * kappa0(x) + features) * kappa0(features) + kappa1(features)


def legendre(k: int, x: Any) -> Any:
    before, here = 1, x
    if k == 0:
        return mpmath.mpf(1)
    for j in range(1, k):
        before, here = here, ((2 * j + 1) * x * here - j * before) / (j + 1)
    return here


#: half-waves of P_k in one piece of the interval, and the rule of mpmath.quad
MPMATH_SETTINGS = ((8, "tanh-sinh"), (16, "gauss-legendre"), (64, "gauss-legendre"))


def mpmath_value(k: int, dps: int, waves: int, method: str) -> Any:
    """One mpmath.quad in theta; mu_k is about k^-3, and as many digits cancel."""
    guard = 4 + math.ceil(3 * math.log10(k + 1))
    with mpmath.workdps(dps + guard):

        def integrand(theta: Any) -> Any:
            x = mpmath.cos(theta)
            return mpmath.re(ntk3(x)) * legendre(k, x) * mpmath.sin(theta) / 2

        pieces = 1 + k // waves
        return mpmath.quad(integrand, mpmath.linspace(0, mpmath.pi, pieces + 1), method=method)


def best_mpmath(k: int, dps: int, exact: Any) -> tuple[float, float, str] | None:
    """(seconds, digits, setting) of the fastest setting that gives the digits."""
    found = []
    for waves, method in MPMATH_SETTINGS:
        mpmath_value(0, dps, waves, method)  # warm: mpmath keeps its nodes
        seconds, value = timed(lambda waves=waves, method=method: mpmath_value(k, dps, waves, method))
        right = digits(value, exact)
        if right >= dps - 1:
            found.append((seconds, right, method))
    return min(found) if found else None


# PARI --------------------------------------------------------------------------------------------------------

PARI = """
default(parisizemax, 2*10^9);
default(realprecision, {precision});
k0(x) = (Pi - acos(x))/Pi;
k1(x) = (x*(Pi - acos(x)) + sqrt(1 - x^2))/Pi;
ntk3(x) = {{ my(r = k1(x)); (x*k0(x) + r)*k0(r) + k1(r) }};
mu(k, m) = real(intnum(x = -1, 1, ntk3(x)*pollegendre(k, x), m))/2;
run(k, m) = {{ my(t = getwalltime(), v = mu(k, m)); print(k, " ", m, " ", getwalltime() - t, " ", v) }};
"""


def pari_values(degrees: Sequence[int], precision: int, m: int) -> list[tuple[int, float, str]]:
    """(k, seconds, value) for each degree from one gp process."""
    script = PARI.format(precision=precision) + "".join(f"run({k}, {m});\n" for k in (0, *degrees)) + "quit\n"
    done = subprocess.run(
        ["gp", "-q", "-f"], input=script, capture_output=True, text=True, timeout=1800, check=False
    )
    result = []
    for text in done.stdout.splitlines()[1:]:  # the first one warms gp up
        parts = text.split(" ", 3)
        if len(parts) == 4 and parts[0].isdigit():
            result.append((int(parts[0]), int(parts[2]) / 1000, parts[3].replace(" E", "e").replace(" ", "")))
    return result


def best_pari(degrees: Sequence[int], dps: int, exact: Any) -> dict[int, tuple[float, float, str] | None]:
    """The cheapest m (intnum doubles its nodes m times) and precision that give the digits, for each degree."""
    found: dict[int, tuple[float, float, str] | None] = dict.fromkeys(degrees)
    for m in range(6):
        for precision in (dps + 9, dps + 19):
            left = [k for k in degrees if found[k] is None]
            for k, seconds, value in pari_values(left, precision, m) if left else ():
                right = digits(value, exact[k])
                if right >= dps - 1:
                    found[k] = (seconds, right, f"m = {m}, {precision} digits")
    return found


# double precision --------------------------------------------------------------------------------------------


def gauss_gegenbauer(kmax: int, nodes: int) -> Any:
    """All mu_k by one Gauss rule for the weight (1-u^2)^((d-3)/2); for d = 3 that is Gauss-Legendre in u."""
    u, w = np.polynomial.legendre.leggauss(nodes)
    values = KERNEL(u) * w / 2
    result = np.empty(kmax + 1)
    before, here = np.zeros_like(u), np.ones_like(u)
    for k in range(kmax + 1):
        result[k] = values @ here
        before, here = here, ((2 * k + 1) * u * here - k * before) / (k + 1)
    return result


def scipy_value(quad: Any, k: int) -> tuple[float, float]:
    from scipy.special import eval_legendre

    def integrand(theta: float) -> float:
        x = math.cos(theta)
        return float(KERNEL(np.array([x]))[0] * eval_legendre(k, x) * math.sin(theta) / 2)

    return quad(integrand, 0, math.pi, limit=500)


# the tables --------------------------------------------------------------------------------------------------


def against_others(kmax: int, dps: int, quick: bool) -> None:
    cold, warm = ours(kmax, dps)
    print(f"\nall mu_k, k = 0..{kmax}, {dps} digits")
    line("asymptok, first call of a fresh process", fresh(kmax, dps), "after the imports")
    line("asymptok, cold (bounds proved)", cold, f"{kmax + 1} values")
    line("asymptok, warm", warm)
    exact = eigenvalues(KERNEL, D, kmax=kmax, dps=dps + 20)

    degrees = spread_degrees(min(kmax, 40 if quick else kmax), 3 if quick else 5)
    if degrees[-1] < kmax:
        print(
            f"  (--quick: the others are measured up to k = {degrees[-1]}; each later k counts like that one)"
        )
    results = {k: best_mpmath(k, dps, exact[k]) for k in degrees}
    report("mpmath.quad, one for each k (extrapolated)", results, kmax, cold, warm, dps)
    if shutil.which("gp") is None:
        print("  PARI: gp is not installed, skipped")
        return
    report(
        "PARI intnum, one for each k (extrapolated)", best_pari(degrees, dps, exact), kmax, cold, warm, dps
    )


def report(
    name: str,
    results: dict[int, tuple[float, float, str] | None],
    kmax: int,
    cold: float,
    warm: float,
    dps: int,
) -> None:
    """The total of a method from the degrees at which it was measured, and how it compares."""
    good = {k: found for k, found in results.items() if found is not None}
    for k in results.keys() - good.keys():
        print(f"  {name}: no setting gives {dps} digits at k = {k}")
    if not good:
        return
    total = extrapolated(list(good), [seconds for seconds, _, _ in good.values()], kmax)
    line(name, total, "; ".join(f"k={k}: {s:.2g} s ({how})" for k, (s, _, how) in good.items()))
    line(f"  / asymptok, at {min(r for _, r, _ in good.values()):.0f} digits or more", None,
         f"{total / cold:.0f} times our cold time, {total / warm:.0f} times our warm time")  # fmt: skip


def single_values() -> None:
    print("\none mu_k, 40 digits (asymptotic series; the error is an estimate)")
    for k in (10**6, 10**12):
        first, value = timed(lambda k=k: eigenvalues(KERNEL, D, ks=[k], dps=40))
        again, _ = timed(lambda k=k: eigenvalues(KERNEL, D, ks=[k], dps=40))
        line(
            f"k = 10^{round(math.log10(k))}",
            again,
            f"first call {1000 * first:.1f} ms; mu = {mpmath.nstr(value[k], 20)}",
        )


def growth(quick: bool) -> None:
    print("\ngrowth with kmax, 50 digits")
    previous = None
    for kmax in (100, 200, 500, 1000, 2000) if quick else (100, 200, 500, 1000, 2000, 5000, 10**4):
        forget()
        seconds, spectrum = timed(lambda kmax=kmax: eigenvalues(KERNEL, D, kmax=kmax, dps=50))
        proved = sum(spectrum.is_proved(k) for k in spectrum.ks)
        ratio = (
            ""
            if previous is None
            else f"; {seconds / previous[1]:.1f} times the time for {kmax / previous[0]:g} times the k"
        )
        line(f"kmax = {kmax}", seconds, f"{proved} of {len(spectrum)} proved{ratio}")
        previous = (kmax, seconds)
    print("\ngrowth with digits, kmax = 200")
    previous = None
    for dps in (15, 30, 50, 100, 200) if quick else (15, 30, 50, 100, 200, 500, 1000):
        forget()
        seconds, _ = timed(lambda dps=dps: eigenvalues(KERNEL, D, kmax=200, dps=dps))
        ratio = "" if previous is None else f"{seconds / previous:.1f} times the row above"
        line(f"{dps} digits", seconds, ratio)
        previous = seconds


def in_double(kmax: int) -> None:
    print(f"\ndouble precision, k = 0..{kmax}: digits that are right")
    exact = eigenvalues(KERNEL, D, kmax=kmax, dps=30)
    seconds, _ = timed(lambda: eigenvalues(KERNEL, D, kmax=kmax, dps=16))
    line("asymptok, 16 digits", seconds, "16 at every k, proved")
    degrees = [k for k in (2, 10, 40, 100, 200) if k <= kmax]
    for nodes in (256, 1024):
        seconds, values = timed(lambda nodes=nodes: gauss_gegenbauer(kmax, nodes))
        right = ", ".join(f"k={k}: {max(0.0, digits(values[k], exact[k])):.1f}" for k in degrees)
        line(f"Gauss-Gegenbauer, {nodes} nodes", seconds, right)
    try:
        from scipy.integrate import quad
    except ImportError:
        print("  scipy is not installed, skipped")
        return
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        taken, right = 0.0, []
        for k in degrees:
            seconds, (value, _) = timed(lambda k=k: scipy_value(quad, k))
            taken += seconds
            right.append(f"k={k}: {max(0.0, digits(value, exact[k])):.1f}")
    line("scipy.integrate.quad, these k only", taken, ", ".join(right))


def method_costs() -> None:
    """Measured beside predicted seconds of the methods that `auto` chooses from."""
    elu = kernels.network(3, "elu", tangent=True)
    clipped, tanh = kernels.network(2, "relu6"), kernels.network(2, "tanh")
    run = {**RUN, "contour": lambda task: far_eigenvalues(task.expr, task.d, task.ks, task.bits)}
    run["closed form"] = lambda task: closed_form(task.expr, task.d, task.ks, task.bits)
    cases = [
        ("closed form", kernels.arc_cosine(1), (range(0, 101, 2), range(0, 2001, 2))),
        ("contour", KERNEL, (range(2000, 2201), range(2000, 4001))),
        ("power series", tanh, (range(1, 22, 2), range(1, 102, 2))),
        ("ellipse", KERNEL, (range(21), range(101), range(1001))),
        ("quadrants", clipped, (range(21), range(101))),
        ("disc", clipped, (range(21), range(101), range(401))),
        ("disc", elu, (range(21), range(101))),
    ]
    print("  method        kernel                         K    n  digits   measured  predicted")
    for name, kernel, ranges in cases:
        for ks in ranges:
            for dps in (30,) if name == "power series" else (30, 100):
                task = Task(kernel.expr, D, ks, digits_to_bits(dps), kernel.mean)
                start = time.process_time()
                run[name](task)
                seconds = time.process_time() - start
                print(
                    f"  {name:<14}{kernel.name[:26]:<28}{ks[-1]:>5}{len(ks):>5}{dps:>8}{seconds:>9.2f} s"
                    f"{cost_of(name, task):>9.2f} s",
                    flush=True,
                )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--digits", type=int, default=50)
    parser.add_argument("--kmax", type=int, default=200)
    parser.add_argument(
        "--quick", action="store_true", help="fewer and smaller measurements of the slow ones"
    )
    parser.add_argument(
        "--methods", action="store_true", help="what each of our methods costs, and nothing else"
    )
    options = parser.parse_args(arguments)
    if options.methods:
        method_costs()
        return 0
    versions = f"Python {sys.version.split()[0]}, mpmath {mpmath.__version__}, numpy {np.__version__}"
    print(f"three-layer NTK, d = {D}; {versions}")
    eigenvalues(KERNEL, D, kmax=10)  # imports and compiled kernels
    against_others(options.kmax, options.digits, options.quick)
    single_values()
    growth(options.quick)
    in_double(options.kmax)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
