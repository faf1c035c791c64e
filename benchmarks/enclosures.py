"""Every certified interval against the defining integral, by mpmath alone: how many (kernel, d, k), and do all hold it.

    python benchmarks/enclosures.py [NAME ...]

mu_k = c_d int_0^pi kappa(u) P_k(u) sin(theta)^(d-2) dtheta, u = cos(theta), with the nodes of mpmath's tanh-sinh rule.
The kernels are textbook formulas in u, t = 1-u and s = 1+u; nothing of the package enters the reference. Two levels of
the rule say how exact it is: a triple is decisive if they differ by less than half the width of the interval.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath as mp
from mpmath.calculus.quadrature import TanhSinh

from asymptok import Certificate, Kernel, certify, eigenvalues, kernels

DIGITS = 60
LEVEL = 8  # of the rule; the one before is the estimate of the error
DEGREES = (*range(25), 40, 41, 60, 61)
DIMENSIONS = tuple(range(2, 11))
Function = Callable[[Any, Any, Any], Any]


def kappa_0(u: Any) -> Any:
    return 1 - mp.acos(u) / mp.pi


def kappa_1(u: Any) -> Any:
    return (u * (mp.pi - mp.acos(u)) + mp.sqrt((1 - u) * (1 + u))) / mp.pi


def network(depth: int, tangent: bool) -> Function:
    def kappa(u: Any, t: Any, s: Any) -> Any:
        layer = total = u
        for _ in range(depth - 1):
            layer, total = kappa_1(layer), total * kappa_0(layer) + kappa_1(layer)
        return total if tangent else layer

    return kappa


def matern(order: Any) -> Function:
    """2^(1-nu)/Gamma(nu) x^nu K_nu(x), x = 2 sqrt(nu t)."""

    def kappa(u: Any, t: Any, s: Any) -> Any:
        nu, x = mp.mpf(order()), 2 * mp.sqrt(order() * t)
        return (
            mp.mpf(1) if t < mp.mpf(10) ** -60 else 2 ** (1 - nu) / mp.gamma(nu) * x**nu * mp.besselk(nu, x)
        )

    return kappa


TEXTS = (
    "exp(-sqrt(1-u))",
    "exp(-3*sqrt(1-u))",
    "exp(-(1-u)**(3/4))",
    "exp(-(1-u)**(sqrt(2)/2))",
    "exp(-(1-u)**(1/3))",
    "exp(-2*(1-u)**(pi/4))",
    "(1+2*sqrt(1-u))*exp(-2*sqrt(1-u))",
    "sqrt(1-u) + sqrt(1+u)",
    "sqrt(1-u)*exp(u) - u**2",
    "(1-u)**(1/3)/(3+u)",
    "(1+u)**(5/2)*cos(u)",
    "(1-u)*log(1-u)",
    "(1-u)**2*log(1-u)*exp(u)",
    "-log((1-u)/2)",
    "(1-u)**(-1/4)",
    "sqrt(1-u)*log(1-u)",
    "(1-u)*log(1-u)**2",
    "log(1-u)*log(1+u)",
    "log(1+sqrt(1-u))",
    "1/(1+sqrt(1-u))",
    "1/(2+(1-u)**(3/2))",
    "sqrt(2-u)",
    "1/(5/4-u)",
    "(5/4-u)**(-3/2)",
    "log(3-u)",
    "exp(u)/(2-u)",
    "1/(u**2+4)",
    "sqrt(u**2+2)",
    "asin(2*u/3)",
    "exp(-(1-u))",
    "exp(3*u)",
    "cosh(u)",
    "sin(4*u)",
    "acos(u)**2",
    "acos(u)*exp(u)",
    "asin(u)**3",
    "acos(u)*sqrt(1-u**2)",
    "exp(-acos(u))",
    "exp(sqrt(1-u)*sqrt(1+u))",
    "(1-u)**(1/2)*(1+u)**(3/2)",
    "(1-u)**(1/4) + (1+u)**(1/2)",
    "u**5 - 3*u",
    "atan(sqrt(1-u))",
    "cos(sqrt(1-u))",
    "cos((1-u)**(3/2))",
    "sqrt(1-u)/(1+u/2)",
    "abs(u)",
    "abs(u-1/3)*exp(u)",
    "abs(u-1/2)**(3/2)",
    "abs(u-1/2) + abs(u+1/3)",
    "abs(u-4/5)*sqrt(1-u)",
    "abs(u-1/2)*acos(u)",
    "abs(u-1/2)*(1-u)**(1/3)*(1+u)**(1/4)",
)
MADE: dict[str, tuple[Callable[[], Kernel], Function]] = {
    **{f"NTK {n}": (lambda n=n: kernels.ntk(n), network(n, True)) for n in (2, 3, 4, 6, 10)},
    **{f"RF {n}": (lambda n=n: kernels.random_features(n), network(n, False)) for n in (2, 3, 4, 6, 10)},
    "step 3": (lambda: kernels.step_features(3), lambda u, t, s: kappa_0(kappa_0(u))),
    "Matern 1": (lambda: kernels.matern(1), matern(lambda: mp.mpf(1))),
    "Matern 5/4": (lambda: kernels.matern("5/4"), matern(lambda: mp.mpf(5) / 4)),
    "Matern 5/2": (lambda: kernels.matern("5/2"), matern(lambda: mp.mpf(5) / 2)),
    "ReLU with bias": (lambda: kernels.relu_network(2, 1, 1), lambda u, t, s: 1 + kappa_1((1 + u) / 2)),
    "leaky": (lambda: Kernel("81/200*kappa1(u) + u/10"), lambda u, t, s: kappa_1(u) * 81 / 200 + u / 10),
}


def spoken(text: str) -> Function:
    """The text with mpmath's functions, exact whole numbers, and t and s for 1-u and 1+u."""
    text = re.sub(r"\b1\+u(?![*/])", "s", re.sub(r"\b1-u(?![*/])", "t", text)).replace("abs", "fabs")
    code = compile(re.sub(r"(?<![\w.])(\d+)", r"mpf(\1)", text), text, "eval")
    return lambda u, t, s: eval(code, {**vars(mp), "u": u, "t": t, "s": s})


def kinks(text: str) -> tuple[Fraction, ...]:
    """The points inside at which the integral is cut."""
    return tuple(-Fraction(shift or 0) for shift in re.findall(r"abs\(u([+-]\d+/\d+)?\)", text))


class Rule:
    """Nodes in theta and, for every d and k, weights with sum of weight * kappa = mu_k, for two levels."""

    def __init__(self, cuts: tuple[Fraction, ...]) -> None:
        with mp.workdps(DIGITS):
            inner = sorted(mp.acos(mp.mpf(c.numerator) / c.denominator) for c in cuts)
            nodes = [
                (theta, weight, level)
                for a, b in pairwise([mp.mpf(0), *inner, mp.pi])
                for level in range(1, LEVEL + 1)
                for theta, weight in TanhSinh(mp.mp).get_nodes(a, b, level, mp.mp.prec)
            ]
            self.points = [(mp.cos(x), 2 * mp.sin(x / 2) ** 2, 2 * mp.cos(x / 2) ** 2) for x, _, _ in nodes]
            self.coarse = [level < LEVEL for _, _, level in nodes]
            weights, sines = [w / 2**LEVEL for _, w, _ in nodes], [mp.sin(x) for x, _, _ in nodes]
            self.rows: dict[tuple[int, int], list[Any]] = {}
            for d in DIMENSIONS:
                scale = mp.gamma(mp.mpf(d) / 2) / (mp.sqrt(mp.pi) * mp.gamma(mp.mpf(d - 1) / 2))
                before = [scale * w * sine ** (d - 2) for w, sine in zip(weights, sines, strict=True)]
                here = [f * u for f, (u, _, _) in zip(before, self.points, strict=True)]
                for k in range(max(DEGREES) + 1):
                    if k in DEGREES:
                        self.rows[d, k] = before
                    # (k+d-1) P_(k+2) = (2k+d) u P_(k+1) - (k+1) P_k
                    following = [
                        ((2 * k + d) * u * g - (k + 1) * f) / (k + d - 1)
                        for f, g, (u, _, _) in zip(before, here, self.points, strict=True)
                    ]
                    before, here = here, following

    def integrals(self, kappa: Function) -> dict[tuple[int, int], tuple[Any, Any]]:
        """{(d, k): (mu_k, how far the level before is from it)}."""
        with mp.workdps(DIGITS):
            values = [kappa(*point) for point in self.points]
            rough = [2 * v if coarse else mp.mpf(0) for v, coarse in zip(values, self.coarse, strict=True)]
            out = {}
            for key, row in self.rows.items():
                fine = mp.fdot(row, values)
                out[key] = fine, abs(fine - mp.fdot(row, rough)) + mp.mpf(10) ** (8 - DIGITS)
            return out


def judged(found: Certificate, values: dict[tuple[int, int], tuple[Any, Any]]) -> tuple[int, int, list[int]]:
    """How many degrees were asked, how many of them decisive, and those whose interval misses the integral."""
    decisive, missed = 0, []
    with mp.workdps(DIGITS):
        for k in DEGREES:
            value, error = values[found.d, k]
            low, high = found.lower(k), found.upper(k)
            decisive += error < (high - low) / 2 or (low == high == 0 and error < mp.mpf(10) ** -30)
            if not low - error <= value <= high + error:
                missed.append(k)
    return len(DEGREES), decisive, missed


def proved_numbers(kernel: Kernel, d: int, values: dict[tuple[int, int], tuple[Any, Any]]) -> list[int]:
    """The degrees at which `eigenvalues` is proved and wrong."""
    top = 24
    found = eigenvalues(kernel, d, kmax=top)
    with mp.workdps(DIGITS):
        return [
            k
            for k in range(top + 1)
            if found.is_proved(k)
            and abs(mp.mpf(str(found.ball(k).mid().str(60, radius=False))) - values[d, k][0])
            > mp.mpf(found.error(k)) + values[d, k][1]
        ]


def main() -> None:
    rules: dict[tuple[Fraction, ...], Rule] = {}
    subjects: dict[str, tuple[Callable[[], Kernel], Function, tuple[Fraction, ...]]] = {
        **{name: (build, kappa, ()) for name, (build, kappa) in MADE.items()},
        **{text: (lambda text=text: Kernel(text), spoken(text), kinks(text)) for text in TEXTS},
    }
    total = sure = wrong = 0
    for name, (build, kappa, cuts) in subjects.items():
        if len(sys.argv) > 1 and name not in sys.argv[1:]:
            continue
        start = time.process_time()
        if cuts not in rules:
            rules[cuts] = Rule(cuts)
        values, kernel, words = rules[cuts].integrals(kappa), build(), []
        for d in DIMENSIONS:
            found = certify(kernel, d)
            if not found.proved:
                words.append(f"d = {d} not proved: {found.reason}")
                continue
            count, decisive, missed = judged(found, values)
            total, sure, wrong = total + count, sure + decisive, wrong + len(missed)
            words += [f"d = {d}: MISSED at k = {missed}"] if missed else []
        if bad := proved_numbers(kernel, 4, values):
            wrong += len(bad)
            words.append(f"eigenvalues WRONG at d = 4, k = {bad}")
        print(f"{name}: {time.process_time() - start:.1f} s {'; '.join(words)}", flush=True)
    print(f"{total} triples, {sure} decisive, {wrong} wrong")


if __name__ == "__main__":
    main()
