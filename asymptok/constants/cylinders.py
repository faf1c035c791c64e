"""The sign of a polynomial in two unknowns on an open box, by its critical lines: cylindrical decomposition.

Let p(x, y) over Q be irreducible. Between two neighbouring real zeros x of its discriminant in y, of its leading
coefficient in y and of p(x, y_0) at the finite ends y_0, the number of zeros y of p(x, y) inside the range does not
change: they neither meet nor leave. If there are none above one rational x of each piece, and p has one sign there,
that sign holds on the whole box but for zeros on the critical lines. Such a zero is a minimum of |p|, where both
derivatives vanish: x is a zero of the discriminant in y and y one
of the discriminant in x, and balls exclude the pairs.
"""

from __future__ import annotations

from itertools import pairwise
from itertools import product as cartesian
from math import prod
from typing import Any

from flint import arb, fmpq, fmpz_poly
from sympy import Basic, Poly, Rational, Symbol, resultant

from asymptok.precision import flint_precision
from asymptok.truth import Sign

__all__ = ["sign_on_box"]

_MAX_DEGREE = 12
_BITS = 256
#: an end of a range; None is infinite
End = fmpq | None
_X, _Y = Symbol("x"), Symbol("y")


def sign_on_box(terms: dict[tuple[int, int], fmpq], x: tuple[End, End], y: tuple[End, End]) -> Sign:
    """The sign of the irreducible polynomial sum c x^i y^j if it has one in the open box.

    >>> inside = (fmpq(0), None)
    >>> circle = {(4, 0): fmpq(1), (3, 1): fmpq(-1), (1, 3): fmpq(-1), (0, 4): fmpq(1), (0, 0): fmpq(1)}
    >>> sign_on_box(circle, inside, inside), sign_on_box({(1, 0): fmpq(1), (0, 1): fmpq(-1)}, inside, inside)
    (POSITIVE, UNKNOWN)
    """
    if max(map(max, terms)) > _MAX_DEGREE or any(all(place[i] == 0 for place in terms) for i in (0, 1)):
        return Sign.UNKNOWN
    p = Poly({place: Rational(int(c.p), int(c.q)) for place, c in terms.items()}, _X, _Y)
    in_x = Poly(resultant(p.as_expr(), p.diff(_Y).as_expr(), _Y), _X)
    in_y = Poly(resultant(p.as_expr(), p.diff(_X).as_expr(), _X), _Y)
    leading = Poly(Poly(p.as_expr(), _Y).LC(), _X)
    sides = [Poly(p.as_expr().subs(_Y, _rational(end)), _X) for end in y if end is not None]
    lines = [in_x, leading, *sides]
    if any(q.is_zero for q in (*lines, in_y)):
        return Sign.UNKNOWN
    with flint_precision(_BITS):
        critical = _zeros(prod(lines[1:], start=lines[0]), x)
        if critical is None:
            return Sign.UNKNOWN
        signs = {_sign_above(p, point, y) for point in _between(critical, x)}
        first, second = _zeros(in_x, x), _zeros(in_y, y)
        if len(signs) != 1 or Sign.UNKNOWN in signs or first is None or second is None:
            return Sign.UNKNOWN
        for u, v in cartesian(first, second):
            value = sum((arb(c) * u ** int(i) * v ** int(j) for (i, j), c in terms.items()), arb(0))
            if value.contains(0):
                return Sign.UNKNOWN
    return signs.pop()


def _rational(x: fmpq) -> Rational:
    return Rational(int(x.p), int(x.q))


def _sign_above(p: Basic, point: fmpq, y: tuple[End, End]) -> Sign:
    """The sign of p(point, y) for all y in the open range; UNKNOWN if it has a zero there."""
    line = Poly(p.as_expr().subs(_X, _rational(point)), _Y)
    low, high = (None if end is None else _rational(end) for end in y)
    # the ends are counted too, and are not in the range
    zeros = line.count_roots(low, high) - sum(
        1 for end in (low, high) if end is not None and line.eval(end) == 0
    )
    if zeros:
        return Sign.UNKNOWN
    return Sign.of(line.eval(_rational(inner_point(*y))))


def inner_point(low: End, high: End) -> fmpq:
    """A rational number in the open interval."""
    if low is None:
        return fmpq(0) if high is None else high - 1
    return low + 1 if high is None else (low + high) / 2


def _zeros(polynomial: Basic, bounds: tuple[End, End]) -> list[arb] | None:
    """Balls around the real zeros that may lie in the open range, ascending; None if they cannot be told apart."""
    _, integral = polynomial.sqf_part().clear_denoms(convert=True)
    coefficients = [int(c) for c in reversed(integral.all_coeffs())]
    # pairs of a zero and its multiplicity, which the stub of flint does not say
    roots: Any = fmpz_poly(coefficients).complex_roots() if len(coefficients) > 1 else []
    found = []
    for zero, _ in roots:
        real = zero.real
        if not zero.imag.contains(0):
            continue
        touched = [end for end in bounds if end is not None and real.contains(arb(end))]
        if any(polynomial.eval(_rational(end)) != 0 for end in touched):
            return None
        outside = (bounds[0] is not None and real < arb(bounds[0])) or (
            bounds[1] is not None and real > arb(bounds[1])
        )
        # a zero that is an end does not cut the open range
        if not touched and not outside:
            found.append(real)
    found.sort(key=lambda ball: float(ball.mid()))
    return found if all(a < b for a, b in pairwise(found)) else None


def _between(zeros: list[arb], bounds: tuple[End, End]) -> list[fmpq]:
    """A rational point in each piece into which the zeros cut the open range."""
    edges: list[End] = [bounds[0]]
    for zero in zeros:
        edges += [zero.lower().fmpq(), zero.upper().fmpq()]
    edges.append(bounds[1])
    return [inner_point(low, high) for low, high in zip(edges[::2], edges[1::2], strict=True)]
