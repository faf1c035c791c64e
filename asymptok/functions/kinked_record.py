r"""The expansion at u = +-1 of the kernel of an activation with kinks, from its jumps.

K_n(u) = E[phi^(n)(X) phi^(n)(Y)], phi differentiated cell by cell, has K_n' = K_(n+1) + B_n by Price's theorem: the
jumps J_n of phi^(n) at the kinks a give, with the density p of X and p_2 of (X, Y),

    B_n = sum_a 2 J_n p(a) E[phi^(n+1)(Y) | X = a] + sum_ab J_n(a) J_n(b) p_2(a, b).

Integrated from u = 1 on, tau = 1 - u, this is

    kappa = sum_n (-tau)^n/n! K_n(1) - sum_n (-1)^n int_0^tau (tau - s)^n/n! B_n(s) ds.

Given X = a, Y - a is normal with mean -a tau and variance 2 tau - tau^2: up to flat terms the conditional mean is a sum
over the derivatives of phi on both sides of a, times moments F_j of Y - a, and half differences s g_j/sqrt(pi) of its
moments on both sides, s = sqrt(tau). Terms with a != b are flat. All of it is exact to every order.
"""

from __future__ import annotations

from functools import lru_cache

from flint import fmpq
from sympy import Expr, Rational, S, binomial, exp, factorial, pi, sqrt

from asymptok.errors import ExpansionError
from asymptok.functions.expanding import Context, Series, exact_constants, expands, finite_limit
from asymptok.functions.kinked import KinkedDual, derivative
from asymptok.quantities import Element
from asymptok.symbols import x
from asymptok.truth import Truth

__all__ = ["end_coefficient"]


@expands(KinkedDual)
def _kinked(context: Context, node: KinkedDual | type[KinkedDual], *args: Series) -> Series:
    dom = context.dom
    given = exact_constants(args[:-1])
    if given is None:
        raise ExpansionError("the parameters of an activation must not depend on the variable", node)
    value = finite_limit(args[-1], node, "the correlation is unbounded")
    inside = dom.sign(dom.add(dom.one, dom.neg(dom.mul(value, value))))
    if not inside.known:
        raise dom.undecided(value, "whether {} lies in [-1, 1]", node)
    if inside.negative:
        raise ExpansionError(f"{node}: the correlation leaves [-1, 1]", node)
    cls = type(node) if isinstance(node, KinkedDual) else node
    if inside.positive:

        def taylor(m: int) -> Element:
            return dom.scale(dom.apply(cls.slope(m), *given, value), fmpq(1, int(factorial(m))))

        return context.compose(taylor, args[-1].without_constant())
    at_one = dom.is_zero(dom.add(value, dom.rational(-1))) is Truth.TRUE
    tau = context.number(1) + (-args[-1] if at_one else args[-1])
    sign = 1 if at_one else (-1) ** cls.parity

    def coefficient(m: int) -> Element:
        # kappa^(j) is (-d/dtau)^j kappa
        weight = S(sign * (-1) ** cls.order)
        for i in range(cls.order):
            weight *= Rational(m, 2) - i
        if weight == 0:
            return dom.zero
        return dom.apply(lambda *exact: weight * end_coefficient(cls, exact, m), *given)

    series = context.compose(coefficient, context.power(tau, fmpq(1, 2), node))
    return series * context.power(tau, fmpq(-cls.order), node) if cls.order else series


def end_coefficient(cls: type[KinkedDual], given: tuple[Expr, ...], m: int) -> Expr:
    """The coefficient of tau^(m/2) in kappa(1 - tau), for the kernel whose derivative cls may be."""
    total: Expr = S.Zero
    if m % 2 == 0:
        total += (-1) ** (m // 2) * cls.inner(m // 2, *given) / factorial(m // 2)
    for n in range((m + 1) // 2):
        q = Rational(m, 2) - n - 1  # >= -1/2
        weight: Expr = S.One
        for i in range(1, n + 2):
            weight *= q + i
        total -= (-1) ** n * _boundary(cls, given, n, q) / weight
    return total


def _boundary(cls: type[KinkedDual], given: tuple[Expr, ...], n: int, q: Expr) -> Expr:
    """The coefficient of tau^q in B_n."""
    total: Expr = S.Zero
    for index in range(len(cls.cells)):
        a = S.Zero if index == 0 else _put(cls, given, cls.cells[index - 1][0])
        jump = _sides(cls, given, index, n)[0]
        if jump == 0:
            continue
        share = (1 if index == 0 else 2) * exp(-(a**2) / 2) / sqrt(2 * pi)
        if q.is_Integer:
            i = int(q)
            full, _, _ = _moments(a, i, 2 * i + 1)
            inner = sum(
                (_sides(cls, given, index, n + 1 + j)[1] * f[i] / factorial(j) for j, f in enumerate(full)),
                S.Zero,
            )
            total += share * 2 * jump * inner
            continue
        i = int(q + Rational(1, 2))
        _, half, density = _moments(a, i, 2 * i)
        inner = S.Zero
        if i:
            inner = sum(
                (
                    _sides(cls, given, index, n + 1 + j)[0] * g[i - 1] / factorial(j)
                    for j, g in enumerate(half)
                ),
                S.Zero,
            )
        total += share * (2 * jump * inner + jump**2 * density[i]) / sqrt(pi)
    return total


def _put(cls: type[KinkedDual], given: tuple[Expr, ...], expr: Expr | None) -> Expr:
    assert expr is not None  # the last cell alone has no end
    return expr.subs(dict(zip(cls.symbols, given, strict=True))) if given else expr


@lru_cache(maxsize=1024)
def _taylor(f: Expr, a: Expr, order: int) -> Expr:
    """The derivative of that order at a."""
    return derivative(f, order).subs(x, a)


@lru_cache(maxsize=1024)
def _sides(cls: type[KinkedDual], given: tuple[Expr, ...], index: int, order: int) -> tuple[Expr, Expr]:
    """The jump of phi^(order) at the kink on the left of a cell, and the mean of its values on both sides."""
    right = _put(cls, given, cls.cells[index][1])
    if index == 0:
        value = _taylor(right, S.Zero, order)
        return (S.Zero, value) if (cls.base_parity() + order) % 2 == 0 else (2 * value, S.Zero)
    a = _put(cls, given, cls.cells[index - 1][0])
    left = _put(cls, given, cls.cells[index - 1][1])
    above, below = (_taylor(f, a, order) for f in (right, left))
    return (above - below).expand(), ((above + below) / 2).expand()


@lru_cache(maxsize=256)
def _moments(a: Expr, top: int, count: int) -> tuple[list[list[Expr]], list[list[Expr]], list[Expr]]:
    """F_j and g_j for j <= count, and p_2(a, a) s sqrt(pi)/p(a), as lists of coefficients of tau^0, ..., tau^top."""
    zero: Expr = S.Zero
    wide, drift = [zero, S(2), S(-1)], [zero, -a]
    root, inverse = (
        [binomial(Rational(e, 2), i) * Rational(-1, 2) ** i for i in range(top + 1)] for e in (1, -1)
    )
    # w = (a^2/2) tau/(1 - tau/2), the square of the mean over the variance
    w = [zero, *(a**2 / 2 * Rational(1, 2) ** i for i in range(top))]
    power: list[Expr] = [S.One]
    normal, odd = [zero] * (top + 1), [zero] * (top + 1)
    for i in range(top + 1):
        for j, c in enumerate(power[: top + 1]):
            term = c * Rational(-1, 2) ** i / factorial(i)
            normal[j] += term
            odd[j] += term / (2 * i + 1)
        power = _times(power, w, top)
    first = [-a / 2 * c for c in _times(odd, inverse, top)]
    full: list[list[Expr]] = [[S.One]]
    half = [first]
    step = _times(normal, root, top)
    for j in range(1, count + 1):
        for found, source in ((full, [zero]), (half, step)):
            value = _times(drift, found[-1], top)
            extra = [(j - 1) * c for c in _times(wide, found[-2], top)] if j > 1 else source
            found.append(_plus(value, extra, top))
    padded = (
        [[*f, *([S.Zero] * (top + 1 - len(f)))] for f in full],
        [[*g, *([S.Zero] * (top + 1 - len(g)))] for g in half],
    )
    return *padded, [c / 2 for c in _times(normal, inverse, top)]


def _times(f: list[Expr], g: list[Expr], top: int) -> list[Expr]:
    product: list[Expr] = [S.Zero] * (top + 1)
    for i, c in enumerate(f[: top + 1]):
        if c != 0:
            for j, e in enumerate(g[: top + 1 - i]):
                product[i + j] += c * e
    return [c.expand() for c in product]


def _plus(f: list[Expr], g: list[Expr], top: int) -> list[Expr]:
    return [(f[i] if i < len(f) else S.Zero) + (g[i] if i < len(g) else S.Zero) for i in range(top + 1)]
