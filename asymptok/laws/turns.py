"""What turns around a singular point z say about kappa there.

kappa = sum s^a (log s)^j g_(a,j)(u), s = z - u, over finitely many a, no two of which differ by an integer, with
single-valued g. One turn multiplies s^a by e^(2 pi i a) and adds 2 pi i to log s, so that as many turns as there are
pairs (a, j) give all g by linear equations, and one turn more tests them. Which a there may be, the expression tells:
fractions with small denominators, and sums of the irrational exponents of its powers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import comb

import flint
from flint import acb, acb_mat, arb, fmpq
from sympy import Add, Expr, Rational, S, floor

from asymptok import dag
from asymptok.balls import ball
from asymptok.symbols import u

__all__ = ["Model", "fits", "models", "parts"]

#: the a of a point, each with one more than the highest power of its logarithm
Model = tuple[tuple[Expr, int], ...]

#: denominators of fractions, powers of the logarithm, numbers of irrational exponents in a sum
_TURNS, _LOGS, _SUMS = (1, 2, 3, 4, 6), 5, (1, 2, 3, 6, 12, 28)
#: turns at most
_MOST = 30


@lru_cache(maxsize=64)
def models(expr: Expr) -> tuple[Model, ...]:
    """What kappa may be like at a point, simple things first.

    >>> from sympy import sqrt
    >>> models(sqrt(2 - u))[:3]
    (((0, 1),), ((0, 1), (1/2, 1)), ((0, 2),))
    """
    powers = {_reduced(x.exp) for x in dag.postorder(expr) if x.is_Pow and x.base.has(u) and x.exp.is_real}
    irrational = sorted((e for e in powers if not e.is_Rational), key=float)
    found: dict[Model, None] = {}
    for shifts in _sums(irrational):
        for q, logs in product(_TURNS, range(1, _LOGS + 1)):
            classes = {_reduced(shift + Rational(i, q)) for shift in shifts for i in range(q)}
            found[tuple((a, logs) for a in sorted(classes, key=float))] = None
    kept = [m for m in found if sum(logs for _, logs in m) <= _MOST]
    return tuple(sorted(kept, key=lambda m: (sum(logs for _, logs in m), m[0][1])))


def _reduced(e: Expr) -> Expr:
    return e - floor(e)


def _sums(exponents: Sequence[Expr]) -> Iterator[list[Expr]]:
    """Each exponent alone, and all sums of a few of them with 0 among them."""
    yield [S.Zero]
    if exponents:
        yield from ([e] for e in exponents)
        for most in _SUMS:
            if comb(most + len(exponents), most) <= _MOST:
                counts = (c for c in product(range(most + 1), repeat=len(exponents)) if sum(c) <= most)
                yield [Add(*(n * e for n, e in zip(c, exponents, strict=True))) for c in counts]


def parts(model: Model, values: Sequence[acb], circle: int, log: acb) -> dict[tuple[Expr, int], list[acb]]:
    """The g_(a,j) on the circle; `values` go around as often as the model has pairs, and log s = `log` at the first."""
    pairs = [(a, i) for a, logs in model for i in range(logs)]
    inverse = _inverse(model, flint.ctx.prec)
    unit, found = 2 * arb.pi() * acb(0, 1), {pair: [acb(0)] * circle for pair in pairs}
    for n in range(circle):
        here = log + unit * fmpq(n, circle)
        rhs = acb_mat(len(pairs), 1, [values[t * circle + n] for t in range(len(pairs))])
        # s^a (log s + 2 pi i t)^j at the turn t: the coefficients of t^i, from the highest power down
        by_turn = dict(zip(pairs, (inverse * rhs).entries(), strict=True))
        for a, logs in model:
            power = (-ball(a) * here).exp()
            for i in reversed(range(logs)):
                above = [comb(j, i) * here ** (j - i) * found[a, j][n] for j in range(i + 1, logs)]
                found[a, i][n] = by_turn[a, i] * power / unit**i - sum(above, acb(0))
    return found


def fits(model: Model, values: Sequence[acb], circle: int) -> acb:
    """What the model foretells for the value after the last turn."""
    size = sum(logs for _, logs in model)
    rhs = acb_mat(size, 1, [values[t * circle] for t in range(size)])
    solution = (_inverse(model, flint.ctx.prec) * rhs).entries()
    return sum((c * x for c, x in zip(_row(model, size), solution, strict=True)), acb(0))


def _row(model: Model, t: int) -> list[acb]:
    turns = [(acb(2 * t * ball(a)).exp_pi_i(), logs) for a, logs in model]
    return [turn * acb(t) ** i if i else turn for turn, logs in turns for i in range(logs)]


@lru_cache(maxsize=64)
def _inverse(model: Model, prec: int) -> acb_mat:
    """`prec` is the current precision, named for the cache."""
    size = sum(logs for _, logs in model)
    return acb_mat([_row(model, t) for t in range(size)]).inv()
