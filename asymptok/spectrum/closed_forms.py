"""mu_k from gamma, Bessel and hypergeometric functions, for sums of kernels that have such a form.

The expression is read as sum_i c_i u^(p_i) core_i(+-u). mu_k is linear, core(-u) has (-1)^k mu_k, and a factor
u is a three-term combination of neighbouring mu_k.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import sympy
from flint import arb
from sympy import Expr, Rational, S

from asymptok import dag, ways_out
from asymptok.balls import ball
from asymptok.errors import Impossible, PrecisionError
from asymptok.functions.arccosine import ArcCosine
from asymptok.functions.zonal import ZonalSeries, ZonalSum
from asymptok.kernels.given import law_ball
from asymptok.kernels.given_form import given_form
from asymptok.laws.given import total
from asymptok.precision import flint_precision
from asymptok.progress import each
from asymptok.spectrum.bessel_core import BesselSecondKind
from asymptok.spectrum.cores import (
    ArcCosineCore,
    Core,
    Exponential,
    GivenCore,
    Monomial,
    Multiquadric,
    NotIntegrable,
    Power,
    StretchedExponential,
    ZonalCore,
    integrable,
    times_u,
)
from asymptok.spectrum.value import Value, Values
from asymptok.symbols import u

#: larger expressions are not expanded in search of a closed form
_LARGEST = 300
_MAX_EXTRA_BITS = 40_000
#: bits after which an enclosure that is still infinite is given up
_MAX_INDEFINITE_BITS = 4_000
#: polynomials of a higher degree are not multiplied out
_HIGHEST_DEGREE = 3_000


@dataclass(frozen=True, slots=True)
class Summand:
    """coefficient * u^times * core(sign * u)."""

    coefficient: Expr
    times: int
    core: Core
    sign: int = 1


@lru_cache(maxsize=128)
def recognise(expr: Expr) -> tuple[Summand, ...] | None:
    """The expression as a sum of known cores; None if some part is not known.

    >>> recognise(u * ArcCosine(0, u))
    (Summand(coefficient=1, times=1, core=ArcCosineCore(order=0), sign=1),)
    >>> recognise(sympy.exp(sympy.sin(u))) is None
    True
    """
    if isinstance(expr, ZonalSum):
        whole = _term(expr)
        return None if whole is None else tuple(whole)
    if dag.tree_size(expr) > _LARGEST:
        return None
    if expr.is_polynomial(u) and _degree_bound(expr) <= _HIGHEST_DEGREE:
        return _polynomial(expr)
    summands: list[Summand] = []
    for term in _terms(expr):
        found = _term(term)
        if found is None:
            return None
        summands += found
    return tuple(summands)


def _terms(expr: Expr) -> list[Expr]:
    """The summands; a power of 1 - u before a Bessel function stays, for it is what makes that integrable."""
    found: list[Expr] = []
    for part in sympy.Add.make_args(expr):
        found += [part] if part.has(sympy.besselk) else sympy.Add.make_args(_spread(part))
    return found


def is_cheap(expr: Expr) -> bool:
    """Whether the closed form is quicker than quadrature: not for exp(-c (1-u)^g) with a large c.

    The series then has terms of size exp(c 2^g) that cancel.
    """
    return all(_terms_are_few(s.core) for s in recognise(expr) or ())


def _terms_are_few(core: Core) -> bool:
    if isinstance(core, StretchedExponential):
        return bool(abs(ball(core.rate)) * 2 ** ball(core.exponent) < 200)
    return not isinstance(core, BesselSecondKind) or bool(ball(core.rate) < 500)


def closed_form(expr: Expr, d: int, ks: Sequence[int], bits: int) -> Values | None:
    """mu_k to `bits` bits relative to its size, proved; None if the kernel has no known closed form."""
    given = _given(expr, d, ks, bits)
    if given is not None:
        return given
    summands = recognise(expr)
    if summands is None:
        return None
    try:
        return _settled(summands, d, ks, bits)
    except NotIntegrable as error:
        if len(summands) == 1:
            raise Impossible(f"{error}: mu_k does not exist") from None
        # the parts that are not integrable may cancel, as in 1/(1-u) - u/(1-u) = 1: that is for quadrature to see
        return None


def _given(expr: Expr, d: int, ks: Sequence[int], bits: int) -> Values | None:
    """Eigenvalues that are given, added up as formulas: what cancels in them cancels exactly."""
    form = given_form(expr)
    if form is None or form.dimension != d:
        return None
    low = [k for k in ks if k <= form.degree]
    found = _settled(_polynomial(form.polynomial), d, low, bits) if low else {}
    with flint_precision(bits + 32):
        for k in ks:
            value = law_ball(total(form, k % 2), k)
            found[k] = Value(found[k].ball + value if k in found else value, True, "closed_form")
    return {k: found[k] for k in ks}


def _settled(
    summands: tuple[Summand, ...],
    d: int,
    ks: Sequence[int],
    bits: int,
) -> Values:
    result: Values = {}
    left = list(ks)
    extra = 32
    while left:
        with flint_precision(bits + extra):
            values = _sum(summands, d, left)
        missing = 0
        for k, value in values.items():
            if not value.is_finite() and extra > _MAX_INDEFINITE_BITS:
                raise PrecisionError(
                    f"the closed form has no finite enclosure at k = {k}: use {ways_out.method('quadrature')}"
                )
            short = bits - int(value.rel_accuracy_bits()) if not value.contains(0) else bits
            if value.is_exact() or short <= 0:
                result[k] = Value(value, True, "closed_form")
            else:
                missing = max(missing, short)
        left = [k for k in left if k not in result]
        if extra > _MAX_EXTRA_BITS and left:
            raise PrecisionError(
                f"the closed form cancels to more than {extra} bits at k = {left[0]}; mu_k may be zero there: "
                f"use {ways_out.method('quadrature')}, or leave this k out of `ks`"
            )
        extra = extra + missing + 16 if missing < bits else 2 * extra + 64
    return {k: result[k] for k in ks}


def _sum(summands: tuple[Summand, ...], d: int, ks: Sequence[int]) -> dict[int, arb]:
    total = {k: arb(0) for k in ks}
    for summand in each(summands):
        # a factor u asks for both neighbours: widen the set once for each power
        levels = [set(ks)]
        for _ in range(summand.times):
            levels.append({j for k in levels[-1] for j in (k - 1, k + 1) if j >= 0})
        if isinstance(summand.core, BesselSecondKind):
            # K_nu grows like (1-u)^(-|nu|/2)
            integrable(summand.core.power - abs(summand.core.order) / 2, d)
        moments = summand.core.moments(d, sorted(levels.pop()))
        if summand.sign < 0:
            moments = {k: -value if k % 2 else value for k, value in moments.items()}
        while levels:
            moments = times_u(moments, d, levels.pop())
        coefficient = ball(summand.coefficient)
        for k in ks:
            if not moments[k].is_zero():
                total[k] += coefficient * moments[k]
    return total


# ------------------------------------------------------------------------------------------ reading


def _polynomial(expr: Expr) -> tuple[Summand, ...]:
    terms = sympy.Poly(expr, u).terms()
    return tuple(Summand(coefficient, 0, Monomial(int(n))) for (n,), coefficient in terms if coefficient != 0)


def _degree_bound(expr: Expr) -> int:
    """The degree of a polynomial in u, at most, without multiplying it out."""
    degree: dict[Expr, int] = {u: 1}
    for node in dag.postorder(expr):
        if node in degree:
            continue
        inner = [degree[a] for a in node.args]
        if node.is_Mul:
            degree[node] = sum(inner)
        elif node.is_Pow and inner[0]:
            degree[node] = inner[0] * int(node.exp)
        else:
            degree[node] = max(inner, default=0)
    return degree[expr]


def _spread(expr: Expr) -> Expr:
    """Products of sums multiplied out; acos, asin and sqrt(1-u^2) written with kappa_0 and kappa_1."""
    angle = sympy.pi * (1 - ArcCosine(0, u))
    sine = sympy.pi * (ArcCosine(1, u) - u * ArcCosine(0, u))
    replacements = {
        sympy.acos(u): angle,
        sympy.asin(u): sympy.pi / 2 - angle,
        sympy.sqrt(1 - u**2): sine,
        sympy.sqrt(1 - u) * sympy.sqrt(1 + u): sine,
    }
    return sympy.expand_mul(dag.rebuild(expr, replacements))


def _term(term: Expr) -> list[Summand] | None:
    coefficient, rest = term.as_independent(u, as_Add=False)
    times = 0
    core: tuple[Core, int] | None = None
    front: Expr = S.Zero  # exponent of a factor (1 - u) or (1 + u)
    front_sign = 0
    for factor in sympy.Mul.make_args(rest):
        base, exponent = factor.as_base_exp()
        if base == u and exponent.is_Integer and exponent > 0:
            times += int(exponent)
            continue
        if factor == S.One:
            continue
        end = _distance(base) if not exponent.has(u) and exponent.is_real else None
        if end is not None:
            scale, sign = end
            if front_sign not in (0, sign):
                return None
            coefficient, front, front_sign = coefficient * scale**exponent, front + exponent, sign
            continue
        if core is not None:
            return None
        found = _factor(factor)
        if found is None:
            return None
        scale, body, sign = found
        coefficient *= scale
        core = (body, sign)
    return _assemble(coefficient, times, core, front, front_sign)


def _assemble(
    coefficient: Expr, times: int, core: tuple[Core, int] | None, front: Expr, front_sign: int
) -> list[Summand] | None:
    if core is None:
        if front_sign == 0:
            return [Summand(coefficient, 0, Monomial(times))]
        return [Summand(coefficient, times, Power(front), front_sign)]
    body, sign = core
    if front_sign == 0:
        return [Summand(coefficient, times, body, sign)]
    if isinstance(body, StretchedExponential) and sign == front_sign:
        return [Summand(coefficient, times, StretchedExponential(front, body.rate, body.exponent), sign)]
    if isinstance(body, BesselSecondKind) and sign == front_sign:
        return [Summand(coefficient, times, BesselSecondKind(front, body.order, body.rate), sign)]
    return None


def _linear(expr: Expr) -> tuple[Expr, Expr] | None:
    """(a, b) with expr = a + b u, b != 0."""
    if not expr.is_polynomial(u) or sympy.degree(expr, u) != 1:
        return None
    b, a = sympy.Poly(expr, u).all_coeffs()
    return a, b


def _distance(expr: Expr) -> tuple[Expr, int] | None:
    """(c, 1) with expr = c (1 - u), or (c, -1) with expr = c (1 + u), c > 0."""
    found = _linear(expr)
    if found is None:
        return None
    a, b = found
    if not a.is_positive:
        return None
    if (a + b).is_zero:
        return a, 1
    return (a, -1) if (a - b).is_zero else None


def _factor(factor: Expr) -> tuple[Expr, Core, int] | None:
    """scale * core(sign u) for one factor that is no power of u, 1-u or 1+u."""
    if isinstance(factor, ArcCosine):
        n, x = int(factor.args[0]), factor.args[1]
        return (S.One, ArcCosineCore(n), 1 if x == u else -1) if x in (u, -u) else None
    if isinstance(factor, ZonalSum):
        x = factor.args[-1]
        body = ZonalCore(int(factor.args[0]), factor.coefficients)
        return (S.One, body, 1 if x == u else -1) if x in (u, -u) else None
    if isinstance(factor, ZonalSeries):
        x = factor.args[0]
        return (S.One, GivenCore(factor.dimension, factor.law), 1 if x == u else -1) if x in (u, -u) else None
    if isinstance(factor, sympy.besselk):
        return _second_kind(*factor.args)
    base, exponent = factor.as_base_exp()
    if isinstance(factor, sympy.exp):
        return _exponential(factor.args[0])
    if exponent.has(u) and not base.has(u) and base.is_positive:
        return _exponential(exponent * sympy.log(base))
    if exponent.is_real and not exponent.has(u):
        return _multiquadric(base, exponent)
    return None


def _exponential(argument: Expr) -> tuple[Rational, Core, int] | None:
    linear = _linear(argument)
    if linear is not None:
        a, b = linear
        if b.is_positive:
            return sympy.exp(a), Exponential(b), 1
        return (sympy.exp(a), Exponential(-b), -1) if b.is_negative else None
    constant, rest = argument.as_independent(u, as_Add=True)
    c, power = rest.as_independent(u, as_Add=False)
    base, exponent = power.as_base_exp()
    end = _distance(base)
    if end is None or not exponent.is_positive:
        return None
    scale, sign = end
    return sympy.exp(constant), StretchedExponential(S.Zero, -c * scale**exponent, exponent), sign


def _second_kind(order: Expr, argument: Expr) -> tuple[Expr, Core, int] | None:
    """K_nu(c sqrt(1 -+ u))."""
    c, power = argument.as_independent(u, as_Add=False)
    base, exponent = power.as_base_exp()
    end = _distance(base) if exponent == S.Half else None
    if end is None or order.has(u) or not order.is_number or not c.is_positive:
        return None
    scale, sign = end
    return S.One, BesselSecondKind(S.Zero, order, c * sympy.sqrt(scale)), sign


def _multiquadric(base: Expr, exponent: Expr) -> tuple[Expr, Core, int] | None:
    """(A + B u)^e with A > |B|: A + B u = s (1 + r^2 -+ 2 r u), r = (A - sqrt(A^2 - B^2))/|B|."""
    linear = _linear(base)
    if linear is None:
        return None
    a, b = linear
    if not (a.is_positive and (a - abs(b)).is_positive):
        return None
    size = abs(b)
    # r written without cancellation
    r = size / (a + sympy.sqrt(a**2 - b**2))
    return (size / (2 * r)) ** exponent, Multiquadric(r, -exponent), 1 if b.is_negative else -1
