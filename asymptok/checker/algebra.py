"""What algebra shows: whether kappa(u) -+ kappa(-u) is a polynomial, Taylor coefficients >= 0, what is entire.

kappa(-u) is found by running the same program at -u; asin is odd. The branches of the kernel are positive on (-1, 1)
wherever a power is not an integer, which the contour proves, so that N^a N^b = N^(a+b).
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from .exact import NUMBERS, ONE, Atom, Form, Number, Product, atom, ball, parts, whole
from .kernel import ENTIRE, Program, Symbols

U: Atom = ("u", 0)
FIRST: Product = frozenset({(U, 1)})
SECOND: Product = frozenset({(U, 2)})


def collected(f: Number) -> dict[Product, Number]:
    """The coefficients, which are numbers, of the products in u."""
    out: dict[Product, Number] = {}
    for product, q in parts(f):
        fixed = frozenset(one for one in product if is_number(one[0]))
        out[product - fixed] = out.get(product - fixed, 0) + Form({fixed: q}) * 1
    return {product: c for product, c in out.items() if c != 0}


@cache
def is_number(one: Atom) -> bool:
    return one[0] in NUMBERS and all(is_number(inner) for product, _ in parts(one[1]) for inner, _ in product)


def twice(program: Program, parity: int) -> Number:
    """Two times the part of the given parity."""
    return Symbols(1).run(program) + Symbols(-1).run(program) * (1 - 2 * parity)


def is_part(part: Program, program: Program, parity: int) -> bool:
    """Whether a kernel is the part of another one, with all functions taken as independent unknowns."""
    return twice(program, parity) == Symbols().run(part) * 2


def polynomial_degree(program: Program, parity: int) -> int | None:
    """The degree of the part of the given parity, if that is a polynomial (-1 if it vanishes)."""
    powers = [dict(product) for product in collected(twice(program, parity))]
    if any(name != "u" for product in powers for name, _ in product):
        return None
    return max((int(ball(product.get(U, 0)).interval()[0]) for product in powers), default=-1)


def nonnegative(f: Number) -> bool:
    """Whether all Taylor coefficients at 0 are shown to be >= 0; then every mu_k is, in every dimension."""
    return all(
        c > 0 and all(_atom_nonnegative(*one) for one in product) for product, c in collected(f).items()
    )


def _atom_nonnegative(one: Atom, e: Number) -> bool:
    name, base = one
    c = collected(base).get(ONE, 0)
    if name == "exp":  # e^c e^g
        return nonnegative(base - c)
    if name == "power":  # (c - g)^e
        return e < 0 and nonnegative(c - base) and at_zero(base) > 0
    if name == "asin":
        return whole(e) and e > 0 and nonnegative(base) and at_zero(base) < 1
    return name == "u"


def at_zero(f: Number) -> Number:
    """The number that f is at u = 0."""
    total: Number = Fraction(0)
    for product, q in parts(f):
        value: Number = q if U not in dict(product) else Fraction(0)
        for (name, base), e in product:
            if (name, base) != U:
                value = value * atom(name, at_zero(base), e)
        total = total + value
    return total


def full(f: Number) -> bool:
    """Whether, besides, mu_k > 0 for all large k: infinitely many even and odd coefficients are positive, because a
    product with exp(c u^n + ...) or (a - c u^n - ...)^-q, c > 0, n odd, is a summand."""
    return nonnegative(f) and any(
        ball(n).interval()[0] % 2 == 1
        for product in collected(f)
        for (name, base), _ in product
        if name in ("exp", "power")
        for monomial in collected(base)
        for (variable, _), n in monomial
        if variable == "u" and len(monomial) == 1
    )


def is_entire(f: Number) -> bool:
    """Whether u is met by sums, products, whole powers >= 0, exp, sin, ... alone."""
    return all(
        name == "u" or (name in ("exp", *ENTIRE) and is_entire(base))
        for product in collected(f)
        for (name, base), _ in product
    )
