"""Powers, exponential, logarithm, composition and primitives of generalised series.

Everything here rests on one remark: a series with limit zero, put into a convergent (or asymptotic) expansion in
non-negative powers, gives a series again, with the remainder named below (docs/theory.md, "Composition").
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from flint import fmpq
from sympy import exp, log

from asymptok import dag
from asymptok.constants.domain import Domain, Vector
from asymptok.constants.exponents import RATIONAL, Form, form_add, form_scale
from asymptok.errors import ExpansionError, Obstruction
from asymptok.functions.expanding import Node
from asymptok.quantities import Element, by_squaring
from asymptok.series.truncated import NeedMoreTerms, OTerm, Series, antichain, ceil, floor
from asymptok.truth import Truth

if TYPE_CHECKING:
    from asymptok.series.truncated import Lead

#: no expansion is composed with more terms than this
MAX_TERMS = 1_000
#: whole powers up to this one are multiplied out, which asks nothing about the leading term
_MULTIPLIED_OUT = 64


def power(a: Series, form: Form, rest: fmpq, blame: Node) -> Series:
    """a^p for a constant real exponent p = form + rest:  c^p t^(ep) (1 + x)^p with a = c t^e (1 + x)."""
    dom = a.dom
    whole = not form and rest.q == 1
    if whole and 0 <= rest <= _MULTIPLIED_OUT:
        return _integer_power(a, int(rest.p))
    if a.is_empty and not a.rem:
        if dom.ranges.sign(form, rest).positive:
            return a
        raise ExpansionError(f"{_show(blame)} divides by zero", blame)
    lead = a.lead()
    if lead.log_power:
        if whole and rest > 0:
            return _integer_power(a, int(rest.p))
        raise ExpansionError(
            f"{_show(blame)} has no expansion in powers of t and log t: the base starts with a power of log t",
            blame,
        )
    if not whole:
        sign = dom.sign(lead.coefficient)
        if not sign.known:
            raise dom.undecided(lead.coefficient, "the sign of {}", blame)
        if sign.negative:
            raise ExpansionError(
                f"{_show(blame)} is complex: the base is negative next to the point",
                blame,
                Obstruction.COMPLEX,
            )
    outer = dom.power(lead.coefficient, form, rest)
    new_form, new_rest = _exponent_product(a, lead.form, lead.rest, form, rest)
    x = relative_part(lead)
    if x.is_plain:
        unit = _plain(x, lambda v, stop: dom.vector_power(v, form, rest, stop), _shift(a, new_form, new_rest))
    else:
        p = dom.from_exponent(form, rest)
        unit = compose(_binomials(dom, p), x, target=_shift(a, new_form, new_rest))
    return unit.scaled(outer).shifted(new_form, new_rest)


def reciprocal(a: Series, blame: Node) -> Series:
    return power(a, RATIONAL, fmpq(-1), blame)


def relative_part(lead: Lead) -> Series:
    """x in a = c t^e (1 + x)."""
    a = lead.series
    dom = a.dom
    scaled = a.scaled(dom.inverse(lead.coefficient)).shifted(form_scale(lead.form, fmpq(-1)), -lead.rest)
    # The constant term is 1 by construction, but an exact domain may not see it: c * (1/c).
    return scaled.without_constant()


def exponential(a: Series, blame: Node) -> Series:
    """exp(a): a constant and a multiple of log t give a power of t; what tends to zero is composed."""
    dom, ranges = a.dom, a.dom.ranges
    value, slope = dom.zero, dom.zero
    blocks = {}
    for (form, j), vector in a.blocks.items():
        kept = {}
        for i, c in vector.items():
            sign = ranges.sign(form, fmpq(i, a.q))
            if not sign.known:
                raise ranges.undecided_order((form, fmpq(i, a.q)), (RATIONAL, fmpq(0)))
            if sign.positive:
                kept[i] = c
            elif sign.zero and j == 0:
                value = c
            elif sign.zero and j == 1:
                slope = c
            elif dom.is_zero(c) is not Truth.TRUE:
                return _essential(a, blame)
        blocks[form, j] = kept
    _vanishing_remainder(a)
    x = a.like(a.q, blocks, a.rem)
    outer = dom.apply(exp, value)
    form, rest = dom.exponent(slope)
    if x.is_plain:
        result = _plain(x, dom.vector_exp, _shift(a, form, rest))
    else:
        result = compose(_inverse_factorials(dom), x, target=_shift(a, form, rest))
    return result.scaled(outer).shifted(form, rest)


def _essential(a: Series, blame: Node) -> Series:
    """exp of an unbounded series: flat if it tends to minus infinity like a power, an error otherwise."""
    lead = a.lead()
    sign = a.dom.sign(lead.coefficient)
    if not sign.known:
        raise a.dom.undecided(lead.coefficient, "the sign of {}", blame)
    # c t^e log^j with e < 0: log^j has the sign (-1)^j next to 0.
    goes_down = sign.negative == (lead.log_power % 2 == 0)
    power_like = a.dom.ranges.sign(lead.form, lead.rest).negative
    outgrows = power_like or lead.log_power >= 2
    if goes_down and outgrows:
        return flat(a)
    # what changes no faster than a logarithm gives a power that the caller could not read off
    kind = Obstruction.GROWS if outgrows and not goes_down else Obstruction.METHOD
    raise ExpansionError(f"{_show(blame)} grows faster than every power at the point", blame, kind)


def flat(a: Series) -> Series:
    """A function smaller than every power of t: nothing but a remainder above the working order."""
    return a.like(1, {}, [(RATIONAL, fmpq(floor(a.top) + 1), 0)])


def logarithm(a: Series, blame: Node) -> Series:
    """log a = log c + e log t + log(1 + x)  for a = c t^e (1 + x), c > 0."""
    dom = a.dom
    if a.is_empty and not a.rem:
        raise ExpansionError(f"{_show(blame)} is the logarithm of zero", blame)
    lead = a.lead()
    if lead.log_power:
        raise ExpansionError(f"{_show(blame)} has no expansion: it contains log(log t)", blame)
    sign = dom.sign(lead.coefficient)
    if not sign.known:
        raise dom.undecided(lead.coefficient, "the sign of {}", blame)
    if sign.negative:
        raise ExpansionError(
            f"{_show(blame)} is complex: the logarithm of a negative number", blame, Obstruction.COMPLEX
        )
    result = a.scalar(dom.apply(log, lead.coefficient))
    if lead.form or lead.rest != 0:
        slope = dom.from_exponent(lead.form, lead.rest)
        result = result + Series.monomial(dom, a.top, slope, RATIONAL, fmpq(0), 1)
    return result + log1p(relative_part(lead))


def log1p(x: Series) -> Series:
    """log(1 + x) for x with limit zero, by its derivative in the plain case."""
    dom = x.dom
    if x.is_empty:
        return x
    if x.is_plain:
        inverse = _plain(x, lambda v, stop: dom.vector_power(v, RATIONAL, fmpq(-1), stop), x.top)
        return (inverse * x.derivative()).integral()
    return compose(lambda n: dom.rational(fmpq((-1) ** (n + 1), n) if n else 0), x)


def primitive(value: Element, derivative: Series, a: Series) -> Series:
    """f(a) = f(a_0) + int_0^t f'(a(s)) a'(s) ds: one rule for regular and for branch points of f."""
    return (derivative * a.derivative()).integral() + a.scalar(value)


def compose(
    coefficient: Callable[[int], Element], x: Series, target: fmpq | None = None, last: int | None = None
) -> Series:
    """sum_n coefficient(n) x^n for x with limit zero; `last` ends a polynomial.

    Powers of x are added until x^n lies above the working order for all parameters. A valuation whose infimum
    is zero (t^gamma, 0 < gamma < 2) never gets there: then the terms that lie below the order for all parameters
    are kept, and the remainder names the first one that may not.
    """
    dom = x.dom
    limit = x.top if target is None else target
    total = x.scalar(coefficient(0))
    if x.is_empty and not x.rem:
        return total
    _vanishing_remainder(x)
    starts = antichain(dom.ranges, [*x.starts(), *x.rem])
    count = _terms_needed(x, starts, limit)
    if last is not None:
        count = min(count, last)
    current = x
    for n in range(1, count + 1):
        c = coefficient(n)
        if not dom.is_empty(c):
            total = total + current.scaled(c)
        if n < count:
            current = current * x
            if current.is_empty:
                # Nothing below the working order is left, but what was cut off is owed to the remainder.
                total = total + current
                break
    if last is None or count < last:
        rem: list[OTerm] = [(RATIONAL, fmpq(0), 0)]
        for _ in range(count + 1):
            rem = list(
                antichain(
                    dom.ranges, [(form_add(f, g), r + s, j + i) for f, r, j in rem for g, s, i in starts]
                )
            )
        total = total.like(total.q, total.blocks, [*total.rem, *rem])
    # What x does not know of itself, x^1 and all higher powers do not know either.
    return total.like(total.q, total.blocks, [*total.rem, *x.rem])


def _terms_needed(x: Series, starts: tuple[OTerm, ...], limit: fmpq) -> int:
    ranges = x.dom.ranges
    lows, highs = [], []
    for form, rest, _ in starts:
        sign = ranges.sign(form, rest)
        if not sign.known:
            raise ranges.undecided_order((form, rest), (RATIONAL, fmpq(0)))
        if sign.nonpositive:
            raise ExpansionError("a series that does not tend to zero was put into an expansion")
        low, high = ranges.bounds(form)
        lows.append(rest + low if low is not None else fmpq(0))
        highs.append(None if high is None else rest + high)
    low = min(lows)
    if low > 0:
        count = max(floor(limit / low), 0)
        if count > MAX_TERMS:
            raise ExpansionError(f"more than {MAX_TERMS} terms lie below the order: ask for a smaller one")
        return count
    finite = [h for h in highs if h is not None]
    return max(1, floor(limit / min(finite)) if finite else floor(limit))


def _plain(x: Series, operate: Callable[[Vector, int], Vector], target: fmpq) -> Series:
    """Run a recurrence on the single block of a plain series, up to its remainder or the order that is useful."""
    _vanishing_remainder(x)
    stop = floor(target * x.q) + 1
    rem = list(x.rem)
    if x.rem:
        stop = min(stop, ceil(x.rem[0][1] * x.q))
    vector = x.blocks.get((RATIONAL, 0), {})
    if not vector and not rem:
        return x.scalar(x.dom.one)
    stop = max(stop, 1)
    if vector and stop // min(vector) > MAX_TERMS:
        raise ExpansionError(f"more than {MAX_TERMS} terms lie below the order: ask for a smaller one")
    result = operate(vector, stop)
    return x.like(x.q, {(RATIONAL, 0): result}, [*rem, (RATIONAL, fmpq(stop, x.q), 0)])


def _shift(a: Series, form: Form, rest: fmpq) -> fmpq:
    """How far a factor must be known so that its product with t^(form+rest) reaches the working order."""
    low = a.dom.ranges.bounds(form)[0] if form else fmpq(0)
    return a.top - rest - (low if low is not None else fmpq(0))


def _vanishing_remainder(x: Series) -> None:
    for form, rest, _ in x.rem:
        if not x.dom.ranges.sign(form, rest).positive:
            raise NeedMoreTerms(1 - rest, "the remainder does not vanish")


def _integer_power(a: Series, n: int) -> Series:
    return by_squaring(a, n) if n else a.scalar(a.dom.one)


def _exponent_product(a: Series, f1: Form, r1: fmpq, f2: Form, r2: fmpq) -> tuple[Form, fmpq]:
    if not f1 and not f2:
        return RATIONAL, r1 * r2
    if not f2:
        return form_scale(f1, r2), r1 * r2
    if not f1:
        return form_scale(f2, r1), r1 * r2
    dom = a.dom
    return dom.exponent(dom.mul(dom.from_exponent(f1, r1), dom.from_exponent(f2, r2)))


def _binomials(dom: Domain, p: Element) -> Callable[[int], Element]:
    values = [dom.one]

    def coefficient(n: int) -> Element:
        while len(values) <= n:
            m = len(values)
            values.append(dom.scale(dom.mul(values[-1], dom.add(p, dom.rational(1 - m))), fmpq(1, m)))
        return values[n]

    return coefficient


def _inverse_factorials(dom: Domain) -> Callable[[int], Element]:
    values = [fmpq(1)]

    def coefficient(n: int) -> Element:
        while len(values) <= n:
            values.append(values[-1] / len(values))
        return dom.rational(values[n])

    return coefficient


def _show(expr: Node) -> str:
    return dag.brief(expr)
