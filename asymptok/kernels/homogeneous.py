r"""E[phi(X) phi(Y)] for phi = c_+ x^p on x > 0 and c_- |x|^p on x < 0, p > -1/2 any real number.

    E[|X|^p |Y|^p]             = 2^p Gamma((p+1)/2)^2/pi 2F1(-p/2, -p/2; 1/2; u^2),
    E[X |X|^(p-1) Y |Y|^(p-1)] = 2^(p+1) Gamma(p/2+1)^2/pi u 2F1((1-p)/2, (1-p)/2; 3/2; u^2),
    E[max(X, 0)^p max(Y, 0)^p] = 2^(p-1) Gamma(p+1)^2/(sqrt(pi) Gamma(p+3/2)) z^(p+1/2) 2F1(1/2, 1/2; p+3/2; z)

with z = (1+u)/2, and nu = p + 1/2 by c - a - b of all of them: a kink of order p, whole or not. If phi is neither even
nor odd it is made of max(x, 0)^p and max(-x, 0)^p, whose mean has -u for u: the power of 1 + u at -1 is then seen.
"""

from __future__ import annotations

from collections.abc import Mapping

from sympy import Expr, Mul, Rational, S, Symbol, gamma, hyper, pi, sqrt

from asymptok import dag
from asymptok.constants.decide import sign
from asymptok.kernels.pieces import NoClosedForm, Piece
from asymptok.parameters import Range
from asymptok.symbols import u, x

__all__ = ["at_one", "homogeneous"]


def homogeneous(cells: tuple[Piece, ...], ranges: Mapping[Symbol, Range]) -> Expr | None:
    """The kernel, or None if phi is not of this kind; NoClosedForm if p > -1/2 is not shown.

    >>> from sympy import Abs
    >>> from asymptok.kernels.pieces import pieces
    >>> homogeneous(pieces(Abs(x) ** Rational(3, 2)), {}).subs(u, 1).n(8), (2**1.5 * gamma(2.0) / pi**0.5).n(8)
    (1.5957691, 1.5957691)
    """
    if len(cells) != 2 or cells[0].high != 0:
        return None
    found = [_power(cell.expr, side) for cell, side in zip(cells, (-1, 1), strict=True)]
    powers = {p for c, p in found if c != 0}
    if None in powers or len(powers) != 1:
        return None
    (p,) = powers
    if p is None or p.is_Integer:
        return None
    if not sign(p + Rational(1, 2), ranges).positive:
        raise NoClosedForm(f"|x|^({p}) is not shown to be square integrable: {p} > -1/2 is needed")
    left, right = found[0][0], found[1][0]
    if left == right:
        a = -p / 2
        return left**2 * 2**p * gamma((p + 1) / 2) ** 2 / pi * hyper((a, a), (S.Half,), u**2)
    if left == -right:
        a = (1 - p) / 2
        factor = left**2 * 2 ** (p + 1) * gamma(p / 2 + 1) ** 2 / pi
        return factor * u * hyper((a, a), (Rational(3, 2),), u**2)
    both, mixed = left**2 + right**2, 2 * left * right
    factor = 2 ** (p - 1) * gamma(p + 1) ** 2 / (sqrt(pi) * gamma(p + Rational(3, 2)))
    return factor * (both * _one_sided(p, u) + mixed * _one_sided(p, -u))


def at_one(value: Expr, ranges: Mapping[Symbol, Range]) -> Expr:
    """2F1(a, b; c; 1) = Gamma(c) Gamma(c-a-b)/(Gamma(c-a) Gamma(c-b)), where these kernels have it: c - a - b > 0.

    >>> at_one(hyper((S.Half, S.Half), (4,), 1), {})
    256/(75*pi)
    """
    sums: dict[Expr, Expr] = {}
    for node in dag.postorder(value):
        if isinstance(node, hyper) and node.argument == 1 and (len(node.ap), len(node.bq)) == (2, 1):
            (a, b), (c,) = node.ap, node.bq
            if sign(c - a - b, ranges).positive:
                sums[node] = gamma(c) * gamma(c - a - b) / (gamma(c - a) * gamma(c - b))
    return dag.rebuild(value, sums) if sums else value


def _one_sided(p: Expr, c: Expr) -> Expr:
    z = (1 + c) / 2
    return z ** (p + S.Half) * hyper((S.Half, S.Half), (p + Rational(3, 2),), z)


def _power(expr: Expr, side: int) -> tuple[Expr, Expr | None]:
    """(c, p) with expr = c |x|^p on that side of zero; p is None if it is none."""
    if expr == 0:
        return S.Zero, None
    coefficient, rest = expr.as_independent(x, as_Add=False)
    power: Expr = S.Zero
    for factor in Mul.make_args(rest):
        base, e = factor.as_base_exp()
        size, bare = base.as_independent(x, as_Add=False)
        if bare != x or e.has(x) or not ((size * side).is_positive or (e.is_Integer and size.is_real)):
            return S.One, None
        coefficient *= (size * side) ** e
        power += e
    return coefficient, power
