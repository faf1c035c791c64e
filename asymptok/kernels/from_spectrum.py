"""From eigenvalues to the kernel: kappa(u) = sum_k mu_k N(d, k) P_k(u)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import accumulate

import sympy
from flint import arb
from sympy import Expr, Integer, S

from asymptok.arguments import checked_degree, checked_dimension
from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.functions.zonal import ZonalSum, dimension_of_harmonics
from asymptok.kernels.singular_part import BITS, SingularPart, singular_part
from asymptok.parameters import exact_number
from asymptok.parsing import parse
from asymptok.precision import flint_precision
from asymptok.quantities import exact_midpoint
from asymptok.symbols import d as dimension
from asymptok.symbols import k, u

__all__ = ["expression_of"]

#: so few degrees are written in powers of u: they do not cancel much
_SHORT = 8
#: degrees searched for the place where the rest of a series no longer matters
_FURTHEST = 1000
#: the same for what is left beside powers of 1 - u, which decides how long the polynomial is
_LONGEST_REST = 250
#: trace of the rest, relative to the whole, that doubles do not see
_NEGLIGIBLE = 2.0**-54
#: powers of 1/k that are taken off, as many as the rest bears
_POWERS = (16, 10, 6, 4)
#: trace of the rest, relative to the whole, that does not cancel much
_TOLERABLE = 50.0


def expression_of(mu: object, d: object, degree: int | None = None) -> tuple[Expr, str]:
    """The expression in u of the kernel, and a name for it; see Kernel.from_eigenvalues."""
    d = checked_dimension(d)
    degree = None if degree is None else checked_degree(degree)
    if isinstance(mu, str):
        mu = parse(mu, {"k": k, "d": dimension})
    if isinstance(mu, Expr):
        return _of_expression(mu, d, degree)
    if isinstance(mu, Mapping):
        # {degree: mu_k}, as targets are given; the other degrees are absent
        if not mu or any(
            not isinstance(j, int) or isinstance(j, bool) or not 0 <= j <= _FURTHEST for j in mu
        ):
            raise AsymptokError(f"eigenvalues by degree are a dict with degrees 0 to {_FURTHEST}, not {mu!r}")
        mu = [mu.get(j, 0) for j in range(max(mu) + 1)]
    if not isinstance(mu, Iterable) or getattr(mu, "shape", None) == ():
        raise AsymptokError(f"the eigenvalues are a sequence or an expression in k, not {mu!r}")
    values = [exact_number(value, f"mu_{i}") for i, value in enumerate(mu)]
    if not values:
        raise AsymptokError("the sequence of eigenvalues is empty: give at least mu_0")
    if any(value.free_symbols for value in values):
        raise AsymptokError("the eigenvalues of a sequence must be numbers; give an expression in k instead")
    values = values if degree is None else values[: degree + 1]
    return _sum(values, d), (f"{len(values)} eigenvalues, d = {d}")


def _of_expression(mu: Expr, d: int, degree: int | None) -> tuple[Expr, str]:
    law = mu.subs(dimension, d)
    other = law.free_symbols - {k}
    if other:
        raise AsymptokError(
            f"an expression in k and d is needed, and {mu} has {', '.join(map(str, other))} as well"
        )
    ratio = _ratio(law)
    if degree is None and ratio is not None and (1 - abs(ratio)).is_positive:
        front = law.subs(k, 0)
        poisson = (1 - ratio**2) / (1 - 2 * ratio * u + ratio**2) ** sympy.Rational(d, 2)
        return front * poisson, (f"eigenvalues {mu}, d = {d}")
    if degree is None:
        found = _behind_powers(law, d)
        if found is not None:
            return found, f"eigenvalues {mu}, d = {d}"
    last = _cut(law, d, lambda j: _ball(law, j))[0] if degree is None else int(degree)
    values = [law.subs(k, j) for j in range(last + 1)]
    for j in range(last + 1):
        _ball(law, j)
    return _sum(values, d), (f"eigenvalues {mu}, d = {d}, up to degree {last}")


def _behind_powers(law: Expr, d: int) -> Expr | None:
    """The kernel of eigenvalues that fall like a power: powers and logarithms of 1 - u, and a polynomial for the rest.

    More powers make the rest shorter and, where the law sets in late, larger: then they cancel in doubles.
    """
    best: tuple[float, Expr] | None = None
    for powers in _POWERS:
        part = singular_part(law, d, powers)
        if part is None:
            return None
        rest = _Rest(law, part)
        try:
            last, size = _cut(law, d, rest, _LONGEST_REST)
        except AsymptokError:
            continue
        if best is None or size < best[0]:
            # the radii of these balls, some 2^-200, are far below what the cut leaves out
            best = size, part.expr + _sum([exact_midpoint(rest(j)) for j in range(last + 1)], d)
        if size < _TOLERABLE:
            break
    return None if best is None else best[1]


class _Rest:
    """mu_k less what the powers of 1 - u have."""

    def __init__(self, law: Expr, part: SingularPart) -> None:
        self.law, self.part = law, part

    def __call__(self, degree: int) -> arb:
        with flint_precision(BITS):
            return _ball(self.law, degree) - self.part.eigenvalue(degree)


def _ball(law: Expr, degree: int) -> arb:
    value = law.subs(k, degree)
    found = ball(exact_number(value, f"mu_{degree}"), prec=BITS)
    if not found.is_finite():
        raise AsymptokError(f"mu_{degree} = {value} is not a finite real number")
    return found


def _sum(values: list[Expr], d: int) -> Expr:
    # trailing zeros change nothing, and a constant needs no polynomial
    while len(values) > 1 and values[-1] == 0:
        values = values[:-1]
    total = ZonalSum(Integer(d), *(value * dimension_of_harmonics(j, d) for j, value in enumerate(values)), u)
    return total.polynomial() if len(values) <= _SHORT else total


def _ratio(law: Expr) -> Expr | None:
    """r if the law is c r^k."""
    ratio = S.One
    for factor in sympy.Mul.make_args(law):
        if not factor.has(k):
            continue
        base, exponent = factor.as_base_exp()
        exponent = exponent.expand()
        slope = exponent.coeff(k, 1)
        if base.has(k) or (exponent - slope * k).expand().has(k):
            return None
        ratio *= base**slope
    return ratio if ratio.is_real else None


def _cut(law: Expr, d: int, left: Callable[[int], arb], furthest: int = _FURTHEST) -> tuple[int, float]:
    """The degree after which the trace of what is `left` no longer matters, as far as the terms show.

    With it the trace of what is left, relative to that of the law.
    """
    sizes: list[float] = []
    trace = 0.0
    for j in range(furthest + 1):
        count = dimension_of_harmonics(j, d)
        try:
            sizes.append(float(abs(left(j)).mid()) * count)
            trace += float(abs(_ball(law, j)).mid()) * count
        except OverflowError:
            sizes.append(0.0)
        # fifty degrees in a row so far below rounding that the sum of a power behind them is too
        if j > 60 and j * max(sizes[-50:]) <= _NEGLIGIBLE * trace:
            break
    else:
        raise AsymptokError(
            f"the eigenvalues {law} fall too slowly for a sum to the rounding of doubles: choose where to cut it with "
            "degree=..., and look at the trace of the rest"
        )
    rest = list(accumulate(reversed(sizes)))[::-1]
    if trace == 0:
        return 0, 0.0
    cut = next(j for j in range(len(rest)) if j + 1 == len(rest) or rest[j + 1] <= _NEGLIGIBLE * trace)
    return cut, rest[0] / trace
