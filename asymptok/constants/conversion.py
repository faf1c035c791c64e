"""SymPy constants as polynomials in generators: sums, products, powers, exponentials, logarithms, and what is left."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from flint import fmpq
from sympy import (
    Abs,
    E,
    Expr,
    I,
    Integer,
    Max,
    Min,
    Mul,
    dirichlet_eta,
    exp,
    hyper,
    log,
    nan,
    oo,
    sign,
    zeta,
    zoo,
)

from asymptok import dag
from asymptok.constants.exponents import exponent_from_expr, to_fmpq, to_rational
from asymptok.constants.numbers import ONE, ZERO, Number, Terms, add_terms
from asymptok.errors import AsymptokError, ExpansionError
from asymptok.functions import record_of
from asymptok.functions.arccosine import ArcCosine
from asymptok.functions.long_constant import LongConstant

if TYPE_CHECKING:
    from asymptok.constants.exact import ExactDomain


#: bits of a rational factor of an exponent up to which exp(r m) is a power of exp(m)
_LONG_FACTOR = 64


def convert(dom: ExactDomain, expr: Expr) -> Number:
    """A real constant of SymPy, taken apart as far as the generators go."""
    if expr.is_Rational:
        return dom.rational(to_fmpq(expr))
    if expr.is_Float:
        raise ExpansionError(f"the decimal number {expr} is not exact: write it as a rational", expr)
    if expr in (oo, -oo, zoo, nan) or expr.has(I):
        raise ExpansionError(f"{dag.brief(expr)} is not a real number", expr)
    if expr.is_Add:
        total: Terms = {}
        for term in expr.args:
            total = add_terms(total, dom.constant(term).terms)
        return Number(total)
    if expr.is_Mul:
        product = ONE
        for factor in expr.args:
            product = dom.mul(product, dom.constant(factor))
        return product
    if expr.is_Pow and expr.base is not E:
        return dom.real_power(dom.constant(expr.base), *exponent_from_expr(expr.exp), expr)
    if expr is E or expr.func is exp or expr.is_Pow:
        return exponential(dom, Integer(1) if expr is E else expr.exp)
    if expr.func is hyper and expr.argument.is_zero:
        return ONE  # SymPy leaves it as it is
    if isinstance(expr, LongConstant):
        return dom.constant(expr.exact)
    if isinstance(expr, ArcCosine) and expr.args[1].is_Rational and expr.args[1].is_negative:
        # one generator for the values at c and at -c
        record = record_of(ArcCosine)
        other = None if record is None else record.reflected(expr)
        if other is not None:
            return dom.constant(other)
    special = _CONVERSIONS.get(expr.func)
    if special is not None:
        return special(dom, *[dom.constant(arg) for arg in expr.args])
    return dom.generator(dom.generators.atom(_with_normal_argument(dom, expr)))


def _with_normal_argument(dom: ExactDomain, expr: Expr) -> Expr:
    """A function of one fraction in parameters, over one denominator: equal values are then one generator."""
    if len(expr.args) != 1 or expr.args[0].is_Symbol or not dag.free_symbols(expr):
        return expr
    try:
        argument = dom.constant(expr.args[0])
    except AsymptokError:
        return expr
    return expr.func(dom.over_one_denominator(argument)) if dom.is_fraction(argument) else expr


def exponential(dom: ExactDomain, exponent: Expr) -> Number:
    """exp of a sum, as a product of powers of one generator for each monomial."""
    form, rest = exponent_from_expr(exponent)
    result = dom.generator(dom.generators.atom(exp(1), positive=True), rest) if rest != 0 else ONE
    for monomial, r in form:
        if monomial.func is log:
            result = dom.mul(result, dom.real_power(dom.constant(monomial.args[0]), (), r, exp(exponent)))
        elif (base := _base_of(monomial)) is not None:
            # exp(p log 3) = 3^p
            power = ((monomial / log(base), r),)
            result = dom.mul(result, dom.real_power(dom.constant(base), power, fmpq(0), exp(exponent)))
        else:
            # SymPy evaluates towers of exponentials numerically, at a cost that doubles with every storey
            tower = monomial.has(exp)
            if max(abs(r.p).bit_length(), r.q.bit_length()) > _LONG_FACTOR:
                # exp of 10^76 times a small number has a value, its factors exp(number) and power 10^76 have none
                monomial, r = to_rational(r) * monomial, fmpq(1)
            g = dom.generators.atom(exp(monomial, evaluate=not tower), positive=True)
            result = dom.mul(result, dom.generator(g, r))
    return result


def _base_of(monomial: Expr) -> Expr | None:
    """The number b for which exp(c log b) is written b^c: that of the only logarithm, or of one in log(b b_2) below."""
    logs = {f.args[0] for f in Mul.make_args(monomial) if f.func is log and not dag.free_symbols(f)}
    if len(logs) > 1:
        below = [f.base.args[0] for f in Mul.make_args(monomial) if f.is_Pow and f.base.func is log]
        logs = {b for b in logs if any(b in Mul.make_args(product) for product in below)}
    return logs.pop() if len(logs) == 1 else None


def _convert_log(dom: ExactDomain, a: Number) -> Number:
    s = dom.sign(a)
    if not s.known:
        raise dom.undecided(a, "the sign of {}", log(dom.to_expr(a)))
    if s.nonpositive:
        raise ExpansionError(f"the logarithm of {dag.brief(dom.to_expr(a))} is not a real number")
    result = ZERO
    for base, e in dom.factors(a):
        if base.func is exp:
            result = dom.add(result, dom.scale(dom.constant(base.args[0]), e))
        elif base.is_Pow and not base.exp.is_Rational:
            part = dom.mul(dom.constant(base.exp), dom.constant(log(base.base)))
            result = dom.add(result, dom.scale(part, e))
        else:
            result = dom.add(result, dom.scale(dom.generator(dom.generators.atom(log(base))), e))
    return result


def _convert_abs(dom: ExactDomain, a: Number) -> Number:
    s = dom.sign(a)
    if not s.known:
        return dom.generator(dom.generators.atom(Abs(dom.to_expr(a))))
    return a if s.nonnegative else dom.neg(a)


def _convert_sign(dom: ExactDomain, a: Number) -> Number:
    s = dom.sign(a)
    if not s.known:
        raise dom.undecided(a, "the sign of {}", sign(dom.to_expr(a)))
    return dom.rational(s.number)


def _extremum(largest: bool) -> Callable[..., Number]:
    def convert(dom: ExactDomain, *args: Number) -> Number:
        best = args[0]
        for a in args[1:]:
            s = dom.sign(dom.add(a, dom.neg(best)))
            if not s.known:
                blame = (Max if largest else Min)(*map(dom.to_expr, args))
                raise dom.undecided(dom.add(a, dom.neg(best)), "the sign of {}", blame)
            if s.positive is largest:
                best = a
        return best

    return convert


def _convert_eta(dom: ExactDomain, s: Number) -> Number:
    return dom.apply(lambda x: (1 - 2 ** (1 - x)) * zeta(x), s)


_CONVERSIONS: dict[object, Callable[..., Number]] = {
    dirichlet_eta: _convert_eta,
    log: _convert_log,
    Abs: _convert_abs,
    sign: _convert_sign,
    Max: _extremum(True),
    Min: _extremum(False),
}
