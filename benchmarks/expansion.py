"""Time of exact expansions, against SymPy's series and Maxima's taylor in the same run.

    python benchmarks/expansion.py [--order 4] [--limit 60] [--quick]

Every system gets the same kernels at the same end and order, inside a warm process; CPU seconds of the process that
does the work. SymPy runs in a child process that is ended after --limit seconds. Maxima is used if it is installed; it
gets u = 1 - s^2 with s -> 0+ (or u = -1 + s^2), which is what an expert would type, and `assume(s > 0)`.
"""

from __future__ import annotations

import argparse
import multiprocessing
import select
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import sympy
from sympy import Symbol, acos, exp, log, pi, sqrt

from asymptok import Kernel, expand, kernels
from asymptok.symbols import u


@dataclass(frozen=True)
class Case:
    name: str
    kernel: Kernel
    at: int
    maxima: str | None


def k0(x: str) -> str:
    return f"((%pi - acos({x}))/%pi)"


def k1(x: str) -> str:
    return f"(({x})*(%pi - acos({x})) + sqrt(1 - ({x})^2))/%pi"


def networks(depth: int, x: str) -> tuple[str, str]:
    """The random-feature and the tangent kernel in Maxima's syntax."""
    rf = ntk = x
    for _ in range(depth - 1):
        new = k1(rf)
        ntk = f"(({ntk})*{k0(rf)} + {new})"
        rf = f"({new})"
    return rf, ntk


def cases() -> list[Case]:
    c = Symbol("c", positive=True)
    result = []
    for at, x in ((1, "(1 - s^2)"), (-1, "(-1 + s^2)")):
        result += [
            Case("k0", kernels.arc_cosine(0), at, k0(x)),
            Case("k1", kernels.arc_cosine(1), at, k1(x)),
            Case("ntk(2)", kernels.ntk(2), at, networks(2, x)[1]),
            Case("rf(3)", kernels.random_features(3), at, networks(3, x)[0]),
            Case("ntk(3)", kernels.ntk(3), at, networks(3, x)[1]),
            Case("rf(5)", kernels.random_features(5), at, networks(5, x)[0]),
            Case("ntk(5)", kernels.ntk(5), at, networks(5, x)[1]),
            Case("ntk(10)", kernels.ntk(10), at, networks(10, x)[1]),
            Case("laplace", kernels.laplace(), at, f"exp(-sqrt(1 - {x}))"),
            Case("laplace, c", kernels.laplace(c), at, f"exp(-c*sqrt(1 - {x}))"),
            Case("k1(k0)", Kernel("kappa1(kappa0(u))"), at, k1(k0(x))),
            Case("k1(k1(k0))", Kernel("kappa1(kappa1(kappa0(u)))"), at, k1(f"({k1(k0(x))})")),
            Case("gaussian", kernels.gaussian(), at, f"exp({x} - 1)"),
            Case("(1-u)log(1-u)", Kernel((1 - u) * log(1 - u)), at, f"(1 - {x})*log(1 - {x})"),
            Case("asin", Kernel(2 / pi * (pi / 2 - acos(u))), at, f"2*asin({x})/%pi"),
            Case("erf network", kernels.erf_network(), at, f"2*asin(2*{x}/3)/%pi"),
            Case("sqrt(1-u^4)", Kernel(sqrt(1 - u**4)), at, f"sqrt(1 - {x}^4)"),
            Case("k1((9u+1)/10)", Kernel("kappa1((9*u+1)/10)"), at, k1(f"((9*{x} + 1)/10)")),
            Case("exp(-k1)", Kernel(exp(-kernels.arc_cosine(1).expr)), at, f"exp(-({k1(x)}))"),
        ]
    return result


def ours(case: Case, order: int, repeats: int = 5) -> float:
    def once() -> float:
        start = time.process_time()
        _ = expand(case.kernel, at=case.at, order=order).terms
        return time.process_time() - start

    once()  # warm: imports and caches, as for the others
    return statistics.median(once() for _ in range(repeats))


def _sympy_series(case: Case, order: int, out: multiprocessing.connection.Connection) -> None:
    t = Symbol("t", positive=True)
    expr = case.kernel.expr.rewrite(acos).subs(u, case.at * (1 - t))
    sympy.series(sqrt(1 + t), t, 0, 3)  # warm
    start = time.process_time()
    try:
        result = sympy.series(expr, t, 0, order + 1)
        out.send(time.process_time() - start if result.has(sympy.Order) else None)
    except Exception:  # whatever SymPy raises means that it has no answer
        out.send(None)


def theirs_sympy(case: Case, order: int, limit: float) -> float | None:
    """CPU seconds of sympy.series, or None if it raises or needs longer than the limit."""
    receive, send = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.Process(target=_sympy_series, args=(case, order, send))
    child.start()
    answer = receive.recv() if receive.poll(limit) else None
    child.terminate()
    child.join()
    return answer


class Maxima:
    """A warm Maxima process that answers one timing question after the other."""

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self._start()

    def _start(self) -> None:
        self.process = subprocess.Popen(
            ["maxima", "--very-quiet"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
        )
        self._ask("display2d: false$ assume(s > 0)$ assume(c > 0)$ taylor(sqrt(1 + s), s, 0, 3)$")

    def _ask(self, line: str) -> list[str] | None:
        """What Maxima prints for one line of input, or None if it does not come back in time."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write((line + '\nprint("done")$\n').encode())
        printed = b""
        end = time.monotonic() + self.limit
        while time.monotonic() < end:
            ready, _, _ = select.select([self.process.stdout], [], [], 0.05)
            if ready:
                printed += self.process.stdout.read(65536)
                lines = [text.strip() for text in printed.decode().splitlines()]
                if "done" in lines:
                    return lines
        return None

    def taylor(self, expression: str, order: int) -> float | None:
        """Seconds of run time for taylor(...) up to s^(2 order), or None without an answer."""
        once = self._time(expression, order, 1)
        if once is None or once > 0.5:
            return once
        # Maxima's clock ticks in hundredths of a second
        repeats = 50 if once < 0.05 else 5
        total = self._time(expression, order, repeats)
        return None if total is None else total / repeats

    def _time(self, expression: str, order: int, repeats: int) -> float | None:
        taylor = f"taylor({expression}, s, 0, {2 * order})"
        question = (
            f"block([t0: elapsed_run_time(), r], r: errcatch(for i thru {repeats} do {taylor}),"
            ' print("time", elapsed_run_time() - t0, length(r)))$'
        )
        answer = self._ask(question)
        if answer is None:
            self.process.kill()
            self._start()
            return None
        for line in answer:
            if line.startswith("time"):
                _, seconds, found = line.split()
                return float(seconds) if found == "1" else None
        return None


def table(order: int, limit: float, quick: bool) -> None:
    maxima = Maxima(limit) if shutil.which("maxima") else None
    if maxima is None:
        print("maxima is not installed: its column stays empty")
    print(f"\norder {order}; CPU milliseconds; '-': no answer within {limit:g} s")
    print(
        f"{'kernel':16s} {'end':>3s} {'asymptok':>10s} {'sympy':>10s} {'ratio':>8s} {'maxima':>10s} {'ratio':>8s}"
    )
    for case in cases()[: 12 if quick else None]:
        mine = ours(case, order)
        sympy_time = theirs_sympy(case, order, limit)
        maxima_time = maxima.taylor(case.maxima, order) if maxima and case.maxima else None
        print(
            f"{case.name:16s} {case.at:+3d} {1e3 * mine:10.2f} {_ms(sympy_time)} {_ratio(sympy_time, mine)}"
            f" {_ms(maxima_time)} {_ratio(maxima_time, mine)}",
            flush=True,
        )


def _ms(seconds: float | None) -> str:
    return f"{'-':>10s}" if seconds is None else f"{1e3 * seconds:10.2f}"


def _ratio(seconds: float | None, mine: float) -> str:
    return f"{'-':>8s}" if seconds is None else f"{seconds / mine:8.1f}"


def growth() -> None:
    """ntk(L) at both ends, exact and with balls."""
    print("\ngrowth with depth, order 4; CPU milliseconds of expand()")
    print(f"{'L':>4s} {'exact +1':>10s} {'exact -1':>10s} {'balls +1':>10s} {'balls -1':>10s}")
    for depth in (2, 3, 5, 10, 20, 50, 100):
        kernel = kernels.ntk(depth)
        row = []
        for balls in (False, True):
            for at in (1, -1):
                row.append(_median(partial(expand, kernel, at=at, balls=balls)))
        print(f"{depth:4d} " + " ".join(f"{1e3 * x:10.2f}" for x in row), flush=True)


def _median(action: Callable[[], object], repeats: int = 3) -> float:
    times = []
    for _ in range(repeats):
        start = time.process_time()
        action()
        times.append(time.process_time() - start)
    return statistics.median(times)


def imports() -> None:
    """Seconds to import sympy, and asymptok, each in a fresh interpreter."""
    print("\nimport, wall-clock seconds in a fresh interpreter, median of 5")
    for module in ("sympy", "asymptok"):
        times = []
        for _ in range(5):
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", f"import {module}"], check=True)
            times.append(time.perf_counter() - start)
        print(f"  {module:10s} {statistics.median(times):.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--order", type=int, action="append", help="order of the expansions (default: 4 and 20)"
    )
    parser.add_argument("--limit", type=float, default=60, help="seconds after which a system has no answer")
    parser.add_argument("--quick", action="store_true", help="the first kernels only")
    arguments = parser.parse_args()
    imports()
    growth()
    for order in arguments.order or [4, 20]:
        table(order, arguments.limit, arguments.quick)


if __name__ == "__main__":
    main()
