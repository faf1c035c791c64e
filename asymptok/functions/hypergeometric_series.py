"""pFq at zero, at regular points and (2F1) at one; the complete elliptic integrals."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flint import fmpq
from sympy import Expr, digamma, elliptic_e, elliptic_k, gamma, hyper, pi

from asymptok.errors import ExpansionError
from asymptok.functions.expanding import Context, Series, expands, finite_limit, no_pole, whole_value
from asymptok.quantities import Element
from asymptok.truth import Truth


def hypergeometric(
    context: Context, node: Expr, upper: Sequence[Element], lower: Sequence[Element], a: Series
) -> Series:
    """pFq(upper; lower; a), the parameters being elements of the domain."""
    dom = context.dom
    degree = _degree(context, upper)
    if degree is not None:
        return (
            context.compose(_ratios(context, upper, lower), a, last=degree)
            if _vanishes(context, a)
            else _polynomial(context, upper, lower, a, degree)
        )
    if not all(no_pole(context, x, node) for x in lower):
        raise ExpansionError(f"{node}: a lower parameter is zero or a negative integer", node)
    value = finite_limit(a, node, "the argument is unbounded")
    if len(upper) > len(lower) + 1:
        raise ExpansionError(f"{node}: the series diverges", node)
    if dom.is_zero(value) is Truth.TRUE:
        return context.compose(_ratios(context, upper, lower), a.without_constant())
    if len(upper) == len(lower) + 1:
        side = dom.sign(dom.add(dom.one, dom.neg(value)))
        if not side.known:
            raise dom.undecided(value, "whether {} is below 1", node)
        if side.negative:
            raise ExpansionError(f"{node} is complex: the argument exceeds 1", node)
        if side.zero:
            if len(upper) != 2:
                raise ExpansionError(f"{node}: only 2F1 is expanded at 1", node)
            near = (context.number(1) - a).without_constant()  # 0 by its sign, if not by its form
            return _at_one(context, node, upper[0], upper[1], lower[0], near)
    return context.compose(_taylor(context, upper, lower, value), a.without_constant())


def _vanishes(context: Context, a: Series) -> bool:
    value = a.limit()
    return value is not None and context.dom.is_zero(value) is Truth.TRUE


def _degree(context: Context, upper: Sequence[Element]) -> int | None:
    found = None
    for x in upper:
        r = context.dom.as_rational(x)
        if r is not None and r.q == 1 and r <= 0:
            found = int(-r.p) if found is None else min(found, int(-r.p))
    return found


def _ratios(context: Context, upper: Sequence[Element], lower: Sequence[Element]) -> Callable[[int], Element]:
    """prod (upper)_n / (prod (lower)_n n!)."""
    dom = context.dom
    known = [dom.one]

    def coefficient(n: int) -> Element:
        while len(known) <= n:
            m = len(known) - 1
            value = dom.scale(known[-1], fmpq(1, m + 1))
            for x in upper:
                value = dom.mul(value, dom.add(x, dom.rational(m)))
            for x in lower:
                value = dom.mul(value, dom.inverse(dom.add(x, dom.rational(m))))
            known.append(value)
        return known[n]

    return coefficient


def _polynomial(
    context: Context, upper: Sequence[Element], lower: Sequence[Element], a: Series, degree: int
) -> Series:
    coefficient = _ratios(context, upper, lower)
    total = a.scalar(coefficient(degree))
    for n in range(degree - 1, -1, -1):
        total = total * a + a.scalar(coefficient(n))
    return total


def _taylor(
    context: Context, upper: Sequence[Element], lower: Sequence[Element], z: Element
) -> Callable[[int], Element]:
    """c_n = prod (upper)_n / (prod (lower)_n n!) pFq(upper + n; lower + n; z)."""
    dom = context.dom
    ratio = _ratios(context, upper, lower)

    def coefficient(n: int) -> Element:
        shifted = [[dom.add(x, dom.rational(n)) for x in group] for group in (upper, lower)]
        p = len(upper)
        value = dom.apply(lambda *args: hyper(args[:p], args[p:-1], args[-1]), *shifted[0], *shifted[1], z)
        return dom.mul(ratio(n), value)

    return coefficient


def _at_one(context: Context, node: Expr, a: Element, b: Element, c: Element, w: Series) -> Series:
    """2F1(a, b; c; 1 - w) as w -> 0+: two power series if s = c-a-b is no integer, logarithms otherwise."""
    dom = context.dom
    s = dom.add(c, dom.neg(dom.add(a, b)))
    ca, cb = dom.add(c, dom.neg(a)), dom.add(c, dom.neg(b))
    whole = whole_value(context, s, node)
    if _degree(context, [ca, cb]) is not None or (whole is not None and whole < 0):
        # Euler: 2F1(a, b; c; z) = (1-z)^s 2F1(c-a, c-b; c; z)
        outer = context.power(w, s, node)
        return outer * hypergeometric(context, node, [ca, cb], [c], context.number(1) - w)
    if whole is not None:
        return _at_one_logarithmic(context, node, a, b, whole, w)
    for parameter in (a, b, ca, cb):
        # where 1/Gamma vanishes the function is another one: a polynomial, say; Undecided if that is open
        no_pole(context, parameter, node)
    gammas = {
        name: dom.apply(gamma, x) for name, x in {"c": c, "s": s, "a": a, "b": b, "ca": ca, "cb": cb}.items()
    }
    minus_s = dom.apply(gamma, dom.neg(s))
    first = dom.mul(dom.mul(gammas["c"], gammas["s"]), dom.inverse(dom.mul(gammas["ca"], gammas["cb"])))
    second = dom.mul(dom.mul(gammas["c"], minus_s), dom.inverse(dom.mul(gammas["a"], gammas["b"])))
    one_minus = dom.add(dom.one, dom.neg(s))
    one_plus = dom.add(dom.one, s)
    regular = context.compose(_ratios(context, [a, b], [one_minus]), w).scaled(first)
    singular = context.compose(_ratios(context, [ca, cb], [one_plus]), w).scaled(second)
    return regular + singular * context.power(w, s, node)


def _at_one_logarithmic(context: Context, node: Expr, a: Element, b: Element, m: int, w: Series) -> Series:
    """c = a + b + m, m = 0, 1, ...: a polynomial of degree m-1, and w^m times a series with log w and digammas."""
    dom = context.dom
    am, bm = dom.add(a, dom.rational(m)), dom.add(b, dom.rational(m))
    top = dom.apply(gamma, dom.add(dom.add(a, b), dom.rational(m)))
    scale = dom.mul(top, dom.inverse(dom.mul(dom.apply(gamma, a), dom.apply(gamma, b))))
    factorial = [fmpq(1)]

    def fact(n: int) -> fmpq:
        while len(factorial) <= n:
            factorial.append(factorial[-1] * len(factorial))
        return factorial[n]

    rising = _ratios(context, [am, bm], [dom.one])  # (a+m)_n (b+m)_n / (n!)^2

    def plain(n: int) -> Element:
        return dom.scale(rising(n), fact(n) / fact(n + m))

    def with_digammas(n: int) -> Element:
        shift = dom.rational(n)
        psi = [dom.apply(digamma, dom.add(am, shift)), dom.apply(digamma, dom.add(bm, shift))]
        psi += [
            dom.neg(dom.apply(digamma, dom.rational(n + 1))),
            dom.neg(dom.apply(digamma, dom.rational(n + m + 1))),
        ]
        total = dom.zero
        for value in psi:
            total = dom.add(total, value)
        return dom.mul(plain(n), total)

    bracket = context.compose(plain, w) * context.logarithm(w, node) + context.compose(with_digammas, w)
    result = (context.power(w, fmpq(m), node) * bracket).scaled(dom.scale(scale, fmpq(-((-1) ** m))))
    if m > 0:
        first = dom.scale(
            dom.mul(top, dom.inverse(dom.mul(dom.apply(gamma, am), dom.apply(gamma, bm)))), fact(m - 1)
        )
        finite = (
            context.compose(_ratios(context, [a, b], [dom.rational(1 - m)]), w, last=m - 1)
            if m > 1
            else context.number(1)
        )
        result = result + finite.scaled(first)
    return result


@expands(elliptic_k)
def _elliptic_k(context: Context, node: Expr, m: Series) -> Series:
    return _elliptic(context, node, m, fmpq(1, 2), 0)


@expands(elliptic_e)
def _elliptic_e(context: Context, node: Expr, m: Series, *more: Series) -> Series:
    if more:
        raise ExpansionError(f"{node}: only the complete elliptic integral is expanded", node)
    return _elliptic(context, node, m, fmpq(-1, 2), 1)


def _elliptic(context: Context, node: Expr, m: Series, first: fmpq, which: int) -> Series:
    """K = (pi/2) 2F1(1/2, 1/2; 1; m) and E = (pi/2) 2F1(-1/2, 1/2; 1; m); inside (0, 1) by their own equations."""
    dom = context.dom
    value = finite_limit(m, node, "the argument is unbounded")
    at_zero = dom.is_zero(value)
    at_one = dom.is_zero(dom.add(value, dom.rational(-1)))
    if at_zero is Truth.FALSE and at_one is Truth.FALSE:
        pair = _elliptic_taylor(context, value)
        return context.compose(lambda n: pair(n)[which], m.without_constant())
    upper = [dom.rational(first), dom.rational(fmpq(1, 2))]
    return hypergeometric(context, node, upper, [dom.one], m).scaled(dom.constant(pi / 2))


def _elliptic_taylor(context: Context, z: Element) -> Callable[[int], tuple[Element, Element]]:
    """Coefficients of K and E from 2m E' = E - K and 2m(1-m) K' = E - (1-m) K."""
    dom = context.dom
    known = [(dom.apply(elliptic_k, z), dom.apply(elliptic_e, z))]
    one_minus = dom.add(dom.one, dom.neg(z))
    product = dom.mul(z, one_minus)
    slope = dom.add(one_minus, dom.neg(z))

    def coefficients(n: int) -> tuple[Element, Element]:
        while len(known) <= n:
            i = len(known) - 1
            k, e = known[i]
            next_e = dom.add(dom.scale(e, fmpq(1 - 2 * i)), dom.neg(k))
            next_e = dom.scale(dom.mul(next_e, dom.inverse(z)), fmpq(1, 2 * (i + 1)))
            right = dom.add(e, dom.neg(dom.mul(one_minus, k)))
            right = dom.add(right, dom.scale(dom.mul(slope, k), fmpq(-2 * i)))
            if i:
                right = dom.add(right, dom.scale(known[i - 1][0], fmpq(1 + 2 * (i - 1))))
            next_k = dom.scale(dom.mul(right, dom.inverse(product)), fmpq(1, 2 * (i + 1)))
            known.append((next_k, next_e))
        return known[n]

    return coefficients
