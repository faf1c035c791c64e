"""Generalised hypergeometric functions pFq: at zero, at regular points and (2F1) at one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum

import sympy
from flint import acb, arb, fmpq
from sympy import Expr, Rational, S, digamma, gamma, hyper

from asymptok.errors import ExpansionError
from asymptok.functions.cuts import (
    off_axis_from_one,
)
from asymptok.functions.expanding import Context, Series, finite_limit, no_pole, whole_value
from asymptok.functions.mean_value import around_middle, meet
from asymptok.functions.record import (
    POSITIVE,
    Implementation,
    Pairs,
    Points,
    Record,
)
from asymptok.quantities import B, Element
from asymptok.symbols import u
from asymptok.truth import Truth

#: relative accuracy in bits of a ball that is called wide
_FEW = 4
_HALF = arb(fmpq(1, 2))

# --------------------------------------------------------------------------------------------- pFq


class Kind(Enum):
    """What the parameters make of sum over n of (a_1)_n ... (a_p)_n / ((b_1)_n ... (b_q)_n) z^n/n!."""

    POLYNOMIAL = "an upper parameter is 0, -1, -2, ..."
    ENTIRE = "p <= q"
    CUT = "p = q + 1: a branch point at 1"
    UNKNOWN = "divergent, undefined or with parameters that vary"


def kind(node: Expr) -> Kind:
    """The kind of a hypergeometric function with real parameters that do not depend on u.

    >>> from sympy import hyper
    >>> kind(hyper([-2, 1], [3], u)) is Kind.POLYNOMIAL, kind(hyper([1, 1, 1], [3], u)) is Kind.UNKNOWN
    (True, True)
    """
    upper, lower = node.ap, node.bq
    if any(a.has(u) or not a.is_real for a in (*upper, *lower)):
        return Kind.UNKNOWN
    # b = 0, -1, ... divides by zero; where an upper parameter stops the series before, conventions differ
    if not all(b.is_positive or b.is_integer is False for b in lower):
        return Kind.UNKNOWN
    if any(a.is_integer and a.is_nonpositive for a in upper):
        return Kind.POLYNOMIAL
    if len(upper) <= len(lower):
        return Kind.ENTIRE
    return Kind.CUT if len(upper) == len(lower) + 1 else Kind.UNKNOWN


def _hyper(a: Sequence[B], b: Sequence[B], z: B) -> B:
    return z.hypgeom_2f1(a[0], a[1], b[0]) if (len(a), len(b)) == (2, 1) else z.hypgeom(list(a), list(b))


def _hyper_requirements(node: Expr) -> Pairs | None:
    of = kind(node)
    if of is Kind.UNKNOWN:
        return None
    return [(1 - node.argument, POSITIVE)] if of is Kind.CUT else []


def _hyper_entire(node: Expr) -> bool:
    return kind(node) in (Kind.POLYNOMIAL, Kind.ENTIRE)


def _hyper_values(node: Expr) -> Points | None:
    of = kind(node)
    if of is Kind.UNKNOWN:
        return None
    return (S.One, S.Zero) if of is Kind.CUT else ()


def _hyper_elsewhere(node: Expr) -> Points:
    return (S.Zero,) if kind(node) is Kind.CUT else ()


def _hyper_growth(node: Expr) -> Rational | None:
    of = kind(node)
    if of is Kind.POLYNOMIAL:
        return S.Zero
    return Rational(1, len(node.bq) + 1 - len(node.ap)) if of is Kind.ENTIRE else None


def _hyper_regular(a: tuple[acb, ...], b: tuple[acb, ...], z: acb) -> bool:
    """As above; analytic in the parameters too as long as no lower one may be 0, -1, -2, ..."""
    if not all(x.is_finite() for x in (*a, *b)) or any(_may_be_pole(x) for x in b):
        return False
    if any(x.imag.is_zero() and x.real.is_integer() and x.real <= 0 for x in a) or len(a) <= len(b):
        return bool(z.is_finite())
    return len(a) == len(b) + 1 and off_axis_from_one(z)


def hyper_derivative(order: int) -> Implementation:
    """F' = prod(a)/prod(b) F(a+1; b+1), taken `order` times."""

    def derivative(a: tuple[B, ...], b: tuple[B, ...], z: B) -> B:
        factor = z * 0 + 1
        for j in range(order):
            for x in a:
                factor *= x + j
            for x in b:
                factor /= x + j
        return factor * _hyper([x + order for x in a], [x + order for x in b], z)

    return derivative


def _may_be_pole(x: acb) -> bool:
    return bool(x.imag.contains(0) and x.real.contains_integer() and not x.real > 0)


_near_hyper = around_middle(_hyper, hyper_derivative(1), hyper_derivative(2), regular=_hyper_regular)


def _sharp_hyper(a: Sequence[B], b: Sequence[B], z: B) -> B:
    """pFq; on wide balls at most its value at |z| where p <= q and all coefficients are positive.

    0F1(b; z), b > 1/2, is a mean of cosh(2 sqrt(z) cos phi), and so at most cosh(2 Re sqrt(z)); and so is 0F1(1/2; z).
    """
    value = _near_hyper(a, b, z)
    if not isinstance(z, acb) or value.rel_accuracy_bits() > _FEW or len(a) > len(b):
        return value
    upper: list[acb] = [acb(x) for x in a]
    lower: list[acb] = [acb(x) for x in b]
    if not all(x.imag.is_zero() and x.real > 0 for x in (*upper, *lower)):
        return value
    if not upper and len(lower) == 1 and lower[0].real >= _HALF:
        most = (2 * (abs(z) + z.real).upper()).sqrt().cosh()
    else:
        most = _hyper([x.real for x in upper], [x.real for x in lower], arb(abs(z).upper()))
    box = arb(0, most.upper())
    return meet(value, acb(box, box)) if box.is_finite() else value


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


RECORDS = (
    Record(
        function=sympy.hyper,
        real=_sharp_hyper,
        complex=_sharp_hyper,
        requirements=_hyper_requirements,
        entire=_hyper_entire,
        singular_values=_hyper_values,
        elsewhere=_hyper_elsewhere,
        regular=_hyper_regular,
        growth=_hyper_growth,
    ),
)
