"""Relations between powers, between logarithms, between angles, and between sines and cosines of one argument.

b^(c/log b) = e^c. log a + log b = log ab, and atan a = arg(1 + ia), acos a = arg(a + i sqrt(1 - a^2)) add up to a whole
multiple of pi where the product of these complex numbers is real: a ball then says which multiple. sin x and cos x are
rational in the tangent of half the argument, which stands for itself: what vanishes for every tangent vanishes.
"""

from __future__ import annotations

from functools import cache
from math import comb, lcm
from typing import TYPE_CHECKING

from flint import arb, fmpq
from sympy import (
    Add,
    Dummy,
    Expr,
    Integer,
    Mul,
    Rational,
    Symbol,
    acos,
    atan,
    cos,
    exp,
    factorrat,
    log,
    pi,
    sin,
)

from asymptok import dag
from asymptok.constants.exponents import exponent_from_expr
from asymptok.constants.normal_form import fraction
from asymptok.constants.numbers import ONE, UNIT, Number, Terms
from asymptok.errors import AsymptokError
from asymptok.precision import flint_precision

if TYPE_CHECKING:
    from asymptok.constants.exact import ExactDomain

__all__ = ["by_half_angle", "exponentials_gathered", "linear_form_vanishes", "power_beside_a_logarithm"]

#: multiples of an angle or a logarithm up to which products are formed
_MAX_MULTIPLE = 24
_BITS = 256


def linear_form_vanishes(domain: ExactDomain, terms: Terms) -> bool:
    """Whether sums of rational multiples of logarithms, or of angles and pi, are shown to be zero, factor by factor.

    >>> from asymptok.constants.exact import ExactDomain
    >>> from asymptok.constants.exponents import Ranges
    >>> domain = ExactDomain(Ranges())
    >>> form = domain.constant(atan(Rational(1, 2)) + atan(Rational(1, 3)) - pi / 4)
    >>> linear_form_vanishes(domain, form.terms)
    True
    """
    groups: dict[tuple[bool, int], list[tuple[Expr, fmpq]]] = {}
    for m, c in terms.items():
        powers = dict(domain.monomials.keys[m])
        heads = [g for g in powers if domain.info(g).expr is not None and _kind(domain.info(g).expr)]
        if len(heads) > 1 or any(powers[g] != UNIT for g in heads):
            return False
        if heads:
            expr = domain.generators.expr(heads[0], domain)
            del powers[heads[0]]
        else:
            expr, g = pi, domain.generators.atom(pi)
            powers[g] = powers.get(g, 0) - UNIT
        rest, factor = domain.monomials.normal(powers)
        key = (expr.func is log, rest)
        groups.setdefault(key, []).append((expr, c if factor is None else c * factor))
    try:
        return all(
            (_logarithms if logarithmic else _angles)(domain, parts)
            for (logarithmic, _), parts in groups.items()
        )
    except AsymptokError:
        return False


def _kind(expr: Expr | None) -> bool:
    return expr is not None and expr.func in (log, atan, acos) and not expr.free_symbols


def _multiples(parts: list[tuple[Expr, fmpq]]) -> list[tuple[Expr, int]] | None:
    """The same relation with whole coefficients; None if they are too large."""
    scale = lcm(*[int(c.q) for _, c in parts])
    whole = [(expr, int((c * scale).p)) for expr, c in parts]
    return whole if sum(abs(n) for expr, n in whole if expr is not pi) <= _MAX_MULTIPLE else None


def _logarithms(domain: ExactDomain, parts: list[tuple[Expr, fmpq]]) -> bool:
    whole = _multiples(parts)
    if whole is None:
        return False
    above, below = ONE, ONE
    for expr, n in whole:
        base = domain.constant(expr.args[0])
        for _ in range(abs(n)):
            above, below = (domain.mul(above, base), below) if n > 0 else (above, domain.mul(below, base))
    return domain.sign(domain.add(above, domain.neg(below))).zero


def _angles(domain: ExactDomain, parts: list[tuple[Expr, fmpq]]) -> bool:
    whole = _multiples(parts)
    if whole is None or all(expr is pi for expr, _ in parts):
        return False
    real, imaginary = ONE, domain.zero
    for expr, n in whole:
        if expr is pi:
            continue
        x, y = _direction(domain, expr)
        y = y if n > 0 else domain.neg(y)
        for _ in range(abs(n)):
            real, imaginary = (
                domain.add(domain.mul(real, x), domain.neg(domain.mul(imaginary, y))),
                domain.add(domain.mul(real, y), domain.mul(imaginary, x)),
            )
    if not domain.sign(imaginary).zero:
        return False
    total = domain.constant(sum((n * expr for expr, n in whole), Integer(0)))
    with flint_precision(_BITS):
        # a multiple of pi below 1 is zero
        return bool(abs(domain.generators.ball_at(total.terms, _BITS)) < arb(1))


def _direction(domain: ExactDomain, expr: Expr) -> tuple[Number, Number]:
    """Real and imaginary part of a number with this angle."""
    a = domain.constant(expr.args[0])
    if expr.func is atan:
        return ONE, a
    square = domain.add(ONE, domain.neg(domain.mul(a, a)))
    return a, domain.real_power(square, (), fmpq(1, 2), expr)


@cache
def _half_tangent(argument: Expr) -> Symbol:
    return Dummy("tangent", real=True)


def by_half_angle(expr: Expr) -> Expr | None:
    """sin or cos of r m, r = p/q, as a rational function of tan(m/2q); a sum of arguments is taken apart.

    None for rational multiples of pi, which are algebraic.
    """
    form, rest = exponent_from_expr(expr.args[0])
    pieces = [*form, *([(Integer(1), rest)] if rest != 0 else [])]
    if not pieces or any(monomial is pi for monomial, _ in pieces):
        return None
    if len(pieces) > 1:
        # the sum of two angles: SymPy's expand_trig would write out the multiples, whatever their size
        (monomial, r), *_ = pieces
        a = monomial * Rational(int(r.p), int(r.q))
        b = expr.args[0] - a
        return sin(a) * cos(b) + cos(a) * sin(b) if expr.func is sin else cos(a) * cos(b) - sin(a) * sin(b)
    ((monomial, r),) = pieces
    p, q = abs(int(r.p)), int(r.q)
    if p > _MAX_MULTIPLE:
        return None
    tangent = _half_tangent(monomial * Rational(1, q))
    # (1 + i t)^(2p) = (1 + t^2)^p (cos + i sin): the even powers of t are the cosine, the odd ones the sine
    odd = int(expr.func is sin)
    part = Add(*((-1) ** (j // 2) * comb(2 * p, j) * tangent**j for j in range(odd, 2 * p + 1, 2)))
    return part * (-1 if odd and r < 0 else 1) / (1 + tangent**2) ** p


def power_beside_a_logarithm(power: Expr) -> Expr | None:
    """b^(c/log B) by the other factors of B = b^e b_2^(e_2) ..., of which b is the first, since B^(c/log B) = e^c.

    >>> power_beside_a_logarithm(3 ** (log(pi / 2) / log(3 * pi)))
    pi/(2*pi**(log(pi/2)/log(3*pi)))
    """
    for factor in Mul.make_args(power.exp):
        base, exponent = factor.as_base_exp()
        if base.func is not log or exponent != -1:
            continue
        powers = _factors(base.args[0])
        first = min(powers, key=str)
        if power.base == first:
            others = Mul(*[b ** (e * power.exp) for b, e in powers.items() if b != first])
            return (exp(power.exp / factor) / others) ** (1 / powers[first])
    return None


def exponentials_gathered(a: Expr) -> Expr:
    """Powers b^(c/log B) by one another, and products of exponentials as one, the exponent over one denominator.

    >>> exponentials_gathered(3 ** (log(2) / log(6)) * 2 ** (log(2) / log(6)))
    2
    """
    new: dict[Expr, Expr] = {}
    for node in dag.postorder(a):
        args = [new[arg] for arg in node.args]
        same = all(one is other for one, other in zip(args, node.args, strict=True))
        value = node if same else node.func(*args)
        if value.is_Pow:
            value = power_beside_a_logarithm(value) or value
        elif value.is_Mul and any(f.func is exp and f.has(log) for f in value.args):
            total = Add(*[f.args[0] for f in value.args if f.func is exp])
            value = Mul(exp(fraction(total)), *[f for f in value.args if f.func is not exp])
        new[node] = value
    return new[a]


def _factors(product: Expr) -> dict[Expr, Expr]:
    """A positive constant as powers of primes and of what is not rational."""
    found: dict[Expr, Expr] = {}
    for base, e in product.as_powers_dict().items():
        parts = factorrat(base) if base.is_Rational else {base: 1}
        for b, n in parts.items():
            prime = Integer(b) if isinstance(b, int) else b
            found[prime] = found.get(prime, Integer(0)) + n * e
    return {b: e for b, e in found.items() if e != 0 and b != 1}
