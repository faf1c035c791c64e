"""Random kernels: sums, products and compositions, nested three deep, with random rational powers.

A draw is kept if mpmath finds it finite and real in the interior and next to both ends; everything that the
expander then refuses counts against it. Run as a script for the long tally:

    python tests/random_kernels.py 2000 --seed 1
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback
from collections import Counter
from pathlib import Path

import mpmath
from sympy import (
    Abs,
    Expr,
    LambertW,
    Max,
    Rational,
    acos,
    asin,
    asinh,
    atan,
    besseli,
    besselk,
    cos,
    cosh,
    elliptic_e,
    elliptic_k,
    erf,
    erfc,
    exp,
    gamma,
    hyper,
    log,
    nan,
    oo,
    pi,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
    zoo,
)

sys.path.insert(0, str(Path(__file__).parent))

from numerics import reference, residual_agrees

from asymptok import AsymptokError, expand
from asymptok.functions.arccosine import ArcCosine
from asymptok.symbols import u

_POWERS = [
    Rational(p, q) for p, q in ((1, 2), (1, 3), (2, 3), (3, 2), (5, 2), (1, 4), (3, 4), (4, 3), (7, 5))
]
_NUMBERS = [
    Rational(p, q) for p, q in ((1, 1), (2, 1), (1, 2), (1, 3), (3, 2), (2, 5), (-1, 1), (-1, 2), (-2, 3))
]


def _leaf(rng: random.Random) -> Expr:
    p = rng.choice(_POWERS)
    c = abs(rng.choice(_NUMBERS))
    return rng.choice(
        [
            u,
            ArcCosine(0, u),
            ArcCosine(1, u),
            ArcCosine(2, u),
            (1 - u) ** p,
            (1 + u) ** p,
            (1 - u**2) ** p,
            exp(-c * sqrt(1 - u)),
            exp(-c * (1 - u) ** p),
            exp(c * u),
            (1 - u) * log(1 - u),
            (1 + u) ** p * log(1 + u),
            asin(2 * u / 3),
            acos(u) / pi,
            sqrt(1 - u**4),
            1 / (1 + c * (1 - u)),
            sqrt(2 - 2 * u) * besselk(1, sqrt(2 - 2 * u)),
            (2 - 2 * u) ** (p / 2) * besselk(p, sqrt(2 - 2 * u)),
            Abs(u + Rational(1, 3)),
            Max(u, -u),
        ]
    )


def _outer(rng: random.Random, x: Expr) -> Expr:
    """A function of a kernel; arguments are moved to where the function is real, and mpmath has the last word."""
    p = rng.choice(_POWERS)
    return rng.choice(
        [
            ArcCosine(0, x),
            ArcCosine(1, x),
            ArcCosine(1, ArcCosine(1, x)),
            exp(-x),
            exp(x / 2),
            (2 + x) ** p,
            (1 - x) ** p,
            x**2,
            x**p,
            1 / (3 + x),
            log(3 + x),
            sin(x),
            cos(x),
            tan(x / 3),
            sinh(x),
            cosh(x),
            tanh(x),
            atan(x),
            asin(x),
            acos(x),
            asinh(x),
            erf(x),
            erfc(x),
            gamma(2 + x / 2),
            besseli(0, x),
            besselk(0, 2 + x),
            elliptic_k(x / 2),
            elliptic_e(x),
            elliptic_k(x),
            LambertW(1 + x / 2),
            hyper([Rational(1, 2), Rational(1, 3)], [Rational(3, 2)], x),
            sqrt(1 + x**2),
            Abs(x),
        ]
    )


def draw(rng: random.Random, depth: int = 3) -> Expr:
    """One random expression, at most `depth` compositions deep."""
    if depth == 0 or rng.random() < 0.15:
        return _leaf(rng)
    kind = rng.random()
    if kind < 0.3:
        return rng.choice(_NUMBERS) * draw(rng, depth - 1) + rng.choice(_NUMBERS) * draw(rng, depth - 1)
    if kind < 0.5:
        return draw(rng, depth - 1) * draw(rng, depth - 1)
    return _outer(rng, draw(rng, depth - 1))


def is_kernel(expr: Expr) -> bool:
    """Finite and real by mpmath at points inside and close to both ends."""
    if not expr.has(u) or expr.has(nan, zoo, oo):
        return False
    try:
        f = reference(expr, u, 0, 1)
        with mpmath.workdps(60):
            small = [mpmath.mpf(10) ** -e for e in (1, 3, 6, 12, 20)]
            points = [0.31, -0.47, 0.11] + [s * (1 - x) for s in (1, -1) for x in small]
            values = [mpmath.mpmathify(f(mpmath.mpf(point))) for point in points]
            for value in values:
                if not mpmath.isfinite(value) or abs(mpmath.im(value)) > 0 or abs(value) > 10**6:
                    return False
            # a logarithm at an end moves by log(10^8) between the last two points
            if any(abs(values[i] - values[i - 1]) > 0.3 for i in (7, 12)):
                return False
    except (
        ValueError,
        ZeroDivisionError,
        KeyError,  # SymPy wrote it with a function that the reference does not know (re, arg)
        mpmath.mp.NoConvergence,
        OverflowError,
        TypeError,
        NotImplementedError,
    ):
        return False
    return True


def examine(expr: Expr, at: int, order: int = 3) -> str:
    """ "right", "wrong", "refused: ..." or "crashed: ..."; a reference that mpmath cannot give is "no reference"."""
    try:
        expansion = expand(expr, at=at, order=order)
        _ = expansion.terms
    except AsymptokError as error:
        return f"refused: {type(error).__name__}: {error}"
    except Exception as error:  # anything but our own errors is a defect, and must be counted
        return f"crashed: {type(error).__name__}: {error}\n{traceback.format_exc(limit=-4)}"
    try:
        return "right" if residual_agrees(expansion, reference(expr, u, at, -at), order) else "wrong"
    except (mpmath.mp.NoConvergence, ZeroDivisionError, ValueError) as error:
        return f"no reference: {error}"


def tally(count: int, seed: int, verbose: bool = False) -> tuple[Counter[str], list[str]]:
    """Examine `count` random kernels, one end each, and count the outcomes."""
    rng = random.Random(seed)
    outcomes: Counter[str] = Counter()
    details = []
    while sum(outcomes.values()) < count:
        expr = draw(rng)
        at = rng.choice((1, -1))
        if not is_kernel(expr):
            continue
        start = time.perf_counter()
        outcome = examine(expr, at)
        kind = outcome.split(":")[0]
        outcomes[kind] += 1
        if kind != "right":
            details.append(f"at {at}: {expr}: {outcome}")
        if verbose and (kind != "right" or time.perf_counter() - start > 5):
            seconds = time.perf_counter() - start
            print(f"[{sum(outcomes.values())}] {seconds:.1f}s at {at}: {expr}: {outcome}", flush=True)
    return outcomes, details


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=2000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    outcomes, _ = tally(arguments.count, arguments.seed, verbose=True)
    print(f"seed {arguments.seed}: {dict(outcomes)}")
    return 1 if outcomes["wrong"] or outcomes["crashed"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
