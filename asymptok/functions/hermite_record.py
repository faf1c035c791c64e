"""The record and the local expansion of the kernels that are defined by Hermite coefficients."""

from __future__ import annotations

from functools import cache, partial
from math import factorial

from flint import fmpq

from asymptok.errors import ExpansionError
from asymptok.functions.expanding import Context, Series, exact_constants, expands, finite_limit
from asymptok.functions.hermite import HermiteDual, complex_value, numpy_value, real_value
from asymptok.functions.inverse import unit_interval
from asymptok.functions.record import Record
from asymptok.quantities import Element
from asymptok.truth import Truth


@cache
def hermite_record(cls: type[HermiteDual]) -> Record:
    """Analytic in the open unit disc; without kinks C-infinity up to the ends of [-1, 1]."""
    return Record(
        function=cls,
        real=partial(real_value, cls),
        complex=partial(complex_value, cls),
        requirements=lambda node: unit_interval(node.args[-1]),
        regular=lambda *args: bool(args[-1].abs_upper() < 1),
        numpy=partial(numpy_value, cls),
        smooth_ends=cls.smooth_ends,
        upward=True,
    )


@expands(HermiteDual)
def _hermite(context: Context, node: HermiteDual | type[HermiteDual], *args: Series) -> Series:
    """kappa^(j) belongs to the j-th derivative of phi: Taylor's series, at the ends as well as inside."""
    dom = context.dom
    given = exact_constants(args[:-1])
    if given is None:
        raise ExpansionError("the parameters of an activation must not depend on the variable", node)
    value = finite_limit(args[-1], node, "the correlation is unbounded")
    z = args[-1].without_constant()
    inside = dom.sign(dom.add(dom.one, value)) * dom.sign(dom.add(dom.one, dom.neg(value)))
    if not inside.known:
        raise dom.undecided(value, "whether {} lies in [-1, 1]", node)
    if inside.negative:
        raise ExpansionError(f"{node}: the correlation leaves [-1, 1]", node)
    cls = type(node) if isinstance(node, HermiteDual) else node
    # the exact ends, where kappa is a second moment
    if inside.zero:
        at_one = dom.is_zero(dom.add(value, dom.rational(-1))) is Truth.TRUE
        value = dom.rational(1 if at_one else -1)

    def coefficient(m: int) -> Element:
        return dom.scale(dom.apply(cls.slope(m), *given, value), fmpq(1, factorial(m)))

    return context.compose(coefficient, z)
