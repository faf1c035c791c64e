"""From eigenvalues to the kernel: kappa(u) = sum_k mu_k N(d, k) P_k(u)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import sympy
from sympy import Expr, Integer, Mul, S, Symbol

from asymptok.arguments import checked_degree, checked_dimension
from asymptok.errors import AsymptokError
from asymptok.functions.zonal import ZonalSeries, ZonalSum, dimension_of_harmonics, zonal_series
from asymptok.kernels.given import is_fast, law_ball, require_sum
from asymptok.parameters import Given, declared, exact_number, symbol_in
from asymptok.parsing import parse
from asymptok.symbols import d as dimension
from asymptok.symbols import k, u

__all__ = ["expression_of", "series_of"]

#: so few degrees are written in powers of u: they do not cancel much
_SHORT = 8
#: the highest degree that a dict may name
_FURTHEST = 1000


def expression_of(
    mu: object, d: object, degree: int | None = None, parameters: Given | None = None
) -> tuple[Expr, str]:
    """The expression in u of the kernel, and a name for it; see Kernel.from_eigenvalues."""
    d = checked_dimension(d)
    degree = None if degree is None else checked_degree(degree)
    wanted = declared(parameters)
    if isinstance(mu, str):
        symbols = {
            name: symbol
            or (symbol_in(name, bounds) if isinstance(bounds, tuple) else Symbol(name, real=True))
            for name, (symbol, bounds) in wanted.items()
        }
        mu = parse(mu, {"k": k, "d": dimension, **symbols})
    if isinstance(mu, Expr):
        given = {s: wanted[s.name][1] for s in mu.free_symbols if s.name in wanted}
        mu = mu.subs({s: value for s, value in given.items() if isinstance(value, Expr)})
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
    other = sorted(map(str, law.free_symbols - {k}))
    if other and degree is None:
        raise AsymptokError(
            f"the sum of infinitely many {mu} is made for numbers: give values, parameters={{{other[0]!r}: 2}}, or the "
            "degree up to which it goes, degree=..."
        )
    name = f"eigenvalues {mu}, d = {d}"
    if degree is not None:
        values = [law.subs(k, j) for j in range(degree + 1)]
        for j in () if other else range(degree + 1):
            law_ball(law, j)
        return _sum(values, d), f"{name}, up to degree {degree}"
    law_ball(law, 0)
    ratio = _ratio(law)
    if ratio is not None and (1 - abs(ratio)).is_positive:
        front = law.subs(k, 0)
        poisson = (1 - ratio**2) / (1 - 2 * ratio * u + ratio**2) ** sympy.Rational(d, 2)
        return front * poisson, name
    return sum((series_of(part, d)(x) for part, x in _parts(law)), S.Zero), name


def _parts(law: Expr) -> list[tuple[Expr, Expr]]:
    """Formulas without (-1)^k: P_k(-u) = (-1)^k P_k(u), and what has that factor belongs to -u.

    What falls faster than powers of k stands for itself.
    """
    sign = Symbol("s")
    form = law.replace(lambda x: _alternates(x), lambda x: _with_sign(x, sign))
    even, odd = form.subs(sign, 1), form.subs(sign, -1)
    found = []
    for part, x in ((even + odd) / 2, u), ((even - odd) / 2, -u):
        terms = sympy.Add.make_args(sum(_terms(part), S.Zero))
        fast = [term for term in terms if is_fast(term)]
        slow = sum((term for term in terms if term not in fast), S.Zero)
        found += [(term, x) for term in [slow, *fast] if term != 0]
    return found


def _terms(law: Expr) -> list[Expr]:
    """The summands, sums of exponentials multiplied out."""
    if law.is_Add:
        return [term for part in law.args for term in _terms(part)]
    several = [factor for factor in Mul.make_args(law) if factor.is_Add and is_fast(factor)]
    if not several:
        return [law]
    return [term for part in several[0].args for term in _terms(law / several[0] * part)]


def _alternates(x: Expr) -> bool:
    """b^E(k) for a negative b and integers E(k) linear in k."""
    return bool(
        x.is_Pow and x.base.is_negative and x.exp.has(k) and x.exp.is_polynomial(k) and x.exp.is_integer
    ) and bool(sympy.degree(x.exp, k) == 1)


def _with_sign(x: Expr, sign: Symbol) -> Expr:
    slope, constant = sympy.Poly(x.exp, k).all_coeffs()
    return (-1) ** constant * (sign if slope % 2 else 1) * abs(x.base) ** x.exp


def series_of(law: Expr, d: int) -> type[ZonalSeries]:
    """The sum with these eigenvalues, if it is one that stands in a kernel as it is; AsymptokError otherwise."""
    if _parts(law) != [(law, u)]:
        raise AsymptokError(f"no kernel is given by the eigenvalues {law} alone")
    require_sum(law, d)
    return zonal_series(law, d)


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
