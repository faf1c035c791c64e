"""Polylogarithms: on [-1, 1] from two tables per order and precision, of powers of z and of powers of log z.

For 0 < z <= 1 and x = -log z < 2 pi, Li_s(z) = Gamma(1-s) x^(s-1) + sum_j zeta(s-j) (-x)^j/j!; for whole s = n the
singular term and the one at j = n-1 become (-x)^(n-1)/(n-1)! (H_(n-1) - log x). By the functional equation of zeta and
Gamma(j-s+1) <= j!, the terms from J >= s + 2 on add up to at most 4 (2 pi)^(s-1) r^J/(1-r), r = x/(2 pi). Next to 0
the power series, and Li_s(-y) = 2^(1-s) Li_s(y^2) - Li_s(y) for the rest.
"""

from __future__ import annotations

from collections.abc import Callable

import flint
import sympy
from flint import acb, arb, arb_poly, fmpq
from sympy import Expr, S, gamma, oo, polylog, zeta
from sympy.functions.combinatorial.numbers import stirling

from asymptok.errors import ExpansionError
from asymptok.functions.cuts import FROM_ONE, off_axis_from_one
from asymptok.functions.expanding import (
    Context,
    Series,
    decided_zero,
    exact_constant,
    expands,
    finite_limit,
    whole_value,
)
from asymptok.functions.mean_value import around_middle
from asymptok.functions.powers import hull
from asymptok.functions.record import (
    NONZERO,
    POSITIVE,
    Monotone,
    Pairs,
    Points,
    Record,
    constantly,
)
from asymptok.quantities import B, Element
from asymptok.symbols import u

__all__ = ["polylog_on_interval"]


#: |z| up to which the power series is summed, and bits that a term of it brings at least
_SMALL, _BITS_OF_POWER = 0.42, 1.25
#: bits that a power of x/(2 pi) brings at least, for z >= _SMALL^2
_BITS_OF_LOG = 1.85
_MAX_ORDER = 40
#: wider balls are left to Arb
_NARROW = 48

_tables: dict[tuple[str, str, int], tuple[arb_poly, arb_poly]] = {}


def polylog_on_interval(s: arb, z: arb) -> arb | None:
    """Li_s(z) for a narrow ball z in [-1, 1] and 0 < s < 40; None outside of that.

    >>> polylog_on_interval(arb(2), arb(1) / 2).overlaps(arb.pi() ** 2 / 12 - arb(2).log() ** 2 / 2)
    True
    """
    if not (0 < s < _MAX_ORDER and -1 <= z <= 1) or (z.rel_accuracy_bits() < _NARROW and not z.is_exact()):
        return None
    powers, zetas = _table(s)
    if abs(z) < _SMALL:
        n = powers.degree() + 1
        size = abs(z)
        return powers(z) + arb(0, (size**n / (1 - size)).abs_upper())
    if z < 0:
        value = arb(2) ** (1 - s) * _by_logarithm(s, z * z, zetas) - _by_logarithm(s, -z, zetas)
    else:
        value = _by_logarithm(s, z, zetas)
    return value if value.is_finite() else None


def _by_logarithm(s: arb, z: arb, zetas: arb_poly) -> arb:
    x = -z.log()
    if not x >= 0:
        x = x.union(arb(0)) if z <= 1 else arb.nan()
    ratio = x / (2 * arb.pi())
    count = zetas.degree() + 1
    tail = 4 * (2 * arb.pi()) ** (s - 1) * ratio**count / (1 - ratio)
    return zetas(x) + _singular(s, x) + arb(0, tail.abs_upper())


def _singular(s: arb, x: arb) -> arb:
    whole = s.unique_fmpz() if s.is_integer() else None
    if whole is None:
        return (1 - s).gamma() * x ** (s - 1)
    n = int(whole)
    if x == 0:
        return arb(0) if n > 1 else arb.nan()
    harmonic = sum((arb(1) / j for j in range(1, n)), arb(0))
    return (-x) ** (n - 1) / arb(n).gamma() * (harmonic - x.log())


def _table(s: arb) -> tuple[arb_poly, arb_poly]:
    """n^-s for the powers of z, and zeta(s-j) (-1)^j/j! for those of x, as polynomials."""
    bits = flint.ctx.prec
    key = (str(s.mid().man_exp()), str(s.rad().man_exp()), bits)
    found = _tables.get(key)
    if found is None:
        powers = arb_poly([0, *(arb(n) ** -s for n in range(1, int(bits / _BITS_OF_POWER) + 8))])
        whole = s.unique_fmpz() if s.is_integer() else None
        skipped = -1 if whole is None else int(whole) - 1
        factor, zetas = arb(1), []
        for j in range(int(bits / _BITS_OF_LOG) + _MAX_ORDER + 8):
            zetas.append(arb(0) if j == skipped else (s - j).zeta() * factor)
            factor = -factor / (j + 1)
        if len(_tables) > 16:
            _tables.clear()
        found = _tables[key] = powers, _filled(zetas)
    return found


def _filled(coefficients: list[arb]) -> arb_poly:
    """The polynomial; a last coefficient that is zero (zeta at -2, -4, ...) is left out with the one before it kept."""
    while coefficients[-1] == 0:
        coefficients.pop()
    return arb_poly(coefficients)


# --------------------------------------------------------------------------------------- polylog


def _is_rational(s: Expr) -> bool:
    """Li_s for s = 0, -1, -2, ... is a rational function with its pole at 1."""
    return bool(s.is_integer and s.is_nonpositive and not s.has(u))


def _exactly_rational(s: arb) -> bool:
    return bool(s.is_integer() and s <= 0)


def _polylog_slope(s: B, z: B) -> B:
    """Li_s' = Li_(s-1)/z; of modulus at most its value at |z| if that is below 1, all coefficients being positive."""
    size = arb(z.abs_upper())
    if size >= 1 or size == 0:
        return z.polylog(s - 1) / z if size >= 1 else z * 0 + 1
    bound = arb(0, (size.polylog((s.real if isinstance(s, acb) else s) - 1) / size).abs_upper())
    return bound if isinstance(z, arb) else acb(bound, bound)


def _polylog_direct(s: B, z: B) -> B:
    found = polylog_on_interval(s, z) if isinstance(s, arb) and isinstance(z, arb) else None
    return z.polylog(s) if found is None else found


def _polylog_real(s: arb, x: arb) -> arb:
    if x < 1 or (x > 1 and _exactly_rational(s)):
        return _sharp_polylog(s, x)
    # Li_s increases on (-oo, 1] and Li_s(1) = zeta(s) is finite for s > 1; beyond 1 it is complex.
    if not s > 1 or not x.upper() <= 1:
        return arb.nan()
    low = x.lower()
    return s.zeta() if low == 1 else hull(low.polylog(s), s.zeta())


def _polylog_complex(s: acb, z: acb) -> acb:
    if z == 1:
        return s.zeta() if s.real > 1 else acb(arb.nan())
    return _sharp_polylog(s, z)


def _polylog_requirements(node: Expr) -> Pairs:
    # entire in s off the cut, so that the order may vary
    s, x = node.args
    return [(1 - x, NONZERO if _is_rational(s) else POSITIVE)]


def _polylog_values(node: Expr) -> Points | None:
    s = node.args[0]
    if s.has(u):
        return None
    return (S.One,) if _is_rational(s) or s == 1 else (S.One, S.Zero)


def _polylog_elsewhere(node: Expr) -> Points:
    s = node.args[0]
    return () if _is_rational(s) or s == 1 else (S.Zero,)


def _polylog_regular(s: acb, z: acb) -> bool:
    if s.imag.is_zero() and _exactly_rational(s.real):
        return not z.contains(1)
    return bool(s.is_finite()) and off_axis_from_one(z)


_sharp_polylog = around_middle(_polylog_direct, _polylog_slope, regular=_polylog_regular)


def _polylog_monotone(node: Expr) -> Monotone | None:
    """Li_s' = Li_(s-1)/x > 0 on (-oo, 1) for s >= 1."""
    s: Expr = node.args[0]
    if s.has(u) or not (s.is_real and (s - 1).is_nonnegative):
        return None
    limit = oo if s == 1 else sympy.zeta(s)
    return Monotone(1, (-oo, S.One), (-oo, limit))


def _polylog_unevaluated(s: Expr, z: Expr) -> Expr:
    """Li_s(z) with SymPy's closed forms; SymPy itself asks first whether z equals 1, which may take any time."""
    if s in (0, -1):
        return z / (1 - z) ** (1 - s)
    if s == 1:
        return -sympy.log(1 - z)
    return sympy.polylog(s, z, evaluate=z.is_Rational)


_UNBOUNDED = "the argument is unbounded"


# polylogarithm ---------------------------------------------------------------------------------------------


@expands(polylog)
def _polylog(context: Context, node: Expr, order: Series, a: Series) -> Series:
    dom = context.dom
    s = exact_constant(order)
    if s is None:
        raise ExpansionError(f"{node}: the order of a polylogarithm must not depend on the variable", node)
    rational = dom.as_rational(s)
    if rational is not None and rational.q == 1:
        return _polylog_integer(context, node, int(rational.p), a)
    whole_value(context, s, node)  # an order that may be an integer stays undecided
    return _polylog_fractional(context, node, s, a)


def _polylog_integer(context: Context, node: Expr, s: int, a: Series) -> Series:
    dom = context.dom
    one_minus = context.number(1) - a
    if s <= 0:
        # Li_(-n)(z) = sum_k k! S(n+1, k+1) y^(k+1), y = z/(1-z)
        y = a * context.reciprocal(one_minus, node)
        total, factorial = context.number(0), 1
        current = y
        for k in range(-s + 1):
            factorial *= max(k, 1)
            total = total + current.scaled(dom.rational(factorial * int(stirling(1 - s, k + 1))))
            current = current * y
        return total
    if s == 1:
        return -context.logarithm(one_minus, node)
    # d Li_s(a) = Li_(s-1)(a)/a da, for every position of a
    value = finite_limit(a, node, _UNBOUNDED)
    lower = _polylog_integer(context, node, s - 1, a)
    return context.primitive(
        dom.apply(lambda x: polylog(s, x), value), lower * context.reciprocal(a, node), a
    )


def _polylog_fractional(context: Context, node: Expr, s: Element, a: Series) -> Series:
    dom = context.dom
    value = finite_limit(a, node, _UNBOUNDED)
    if decided_zero(context, value, node):
        minus = dom.neg(s)
        return context.compose(
            lambda n: dom.power(dom.rational(n), *dom.exponent(minus)) if n else dom.zero,
            a.without_constant(),
        )
    below = dom.sign(dom.add(dom.one, dom.neg(value)))
    if not below.known:
        raise dom.undecided(value, "whether {} is below 1", node)
    if below.negative:
        raise ExpansionError(f"{node} is complex: the argument exceeds 1", node)
    if below.zero:
        # Li_s(e^-w) = Gamma(1-s) w^(s-1) + sum_k zeta(s-k) (-w)^k/k!
        w = -context.logarithm(a, node)
        minus_one = dom.add(s, dom.rational(-1))
        singular = context.power(w, minus_one, node).scaled(dom.apply(gamma, dom.neg(minus_one)))
        return singular + context.compose(_exponential_type(context, lambda n: _zeta(context, s, n)), -w)
    # Li_s(z e^w) = sum_n Li_(s-n)(z) w^n/n!
    w = _log_ratio(context, a, value)

    def derivative(n: int) -> Element:
        return dom.apply(polylog, dom.add(s, dom.rational(-n)), value)

    return context.compose(_exponential_type(context, derivative), w)


def _log_ratio(context: Context, a: Series, value: Element) -> Series:
    """log(a/a_0), whose constant term is zero by construction."""
    return context.log1p(a.without_constant().scaled(a.dom.inverse(value)))


def _zeta(context: Context, s: Element, n: int) -> Element:
    return context.dom.apply(zeta, context.dom.add(s, context.dom.rational(-n)))


def _exponential_type(context: Context, derivative: Callable[[int], Element]) -> Callable[[int], Element]:
    inverse_factorials = [fmpq(1)]

    def coefficient(n: int) -> Element:
        while len(inverse_factorials) <= n:
            inverse_factorials.append(inverse_factorials[-1] / len(inverse_factorials))
        return context.dom.scale(derivative(n), inverse_factorials[n])

    return coefficient


RECORDS = (
    Record(
        function=sympy.polylog,
        real=_polylog_real,
        complex=_polylog_complex,
        requirements=_polylog_requirements,
        singular_values=_polylog_values,
        elsewhere=_polylog_elsewhere,
        regular=_polylog_regular,
        rays=constantly(FROM_ONE),
        monotone=_polylog_monotone,
        upward=lambda node: None if node.args[0].has(u) else S.One,
        names=("polylog",),
        make=_polylog_unevaluated,
        arity=2,
        ordered=True,
    ),
)
