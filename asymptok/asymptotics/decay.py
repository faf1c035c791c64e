"""From the two expansions to the law of mu_k, and what holds instead where there is no such law."""

from __future__ import annotations

from typing import Any

from sympy import Expr, oo, sstr

from asymptok.asymptotics.flatness import flat_at_both_ends, growth_order
from asymptok.asymptotics.oscillation import strongest
from asymptok.asymptotics.parity import first_of_parity, parity_part, polynomial_part_degree
from asymptok.asymptotics.results import Decay, ParityDecay
from asymptok.asymptotics.terms import Lead, find_lead, groups
from asymptok.errors import ExpansionError, Undecided
from asymptok.kernels.kernel import Kernel, as_kernel
from asymptok.singularities import Singularities, analyse
from asymptok.truth import Truth

__all__ = ["decay"]

#: orders to which the ends are expanded in search of a term that survives
_ORDERS = (4, 8, 16, 32, 64)


def decay(kernel: Kernel | Expr | str, order: Any = None) -> Decay:
    """mu_k ~ (c_1 +- c_-1) C(d, nu) k^(-d-2nu+1) for even and odd k, with what is true where that does not hold.

    `order` fixes how far the ends are expanded; by default as far as a term that does not cancel.

    >>> from asymptok import kernels
    >>> from sympy import symbols
    >>> gamma, c = symbols("gamma c", positive=True)
    >>> law = decay(kernels.gamma_exponential(gamma, c))
    >>> law.even.exponent()
    -d - gamma + 1
    >>> law.even.coefficient
    -c
    >>> decay("(2/pi)*asin(2*u/3)").odd
    odd k   geometric: mu_k = O(r^-k) for every r < rho = sqrt(5)/2 + 3/2
    """
    kernel = as_kernel(kernel)
    found = analyse(kernel)
    _refuse_undefined(found)
    orders = _ORDERS if order is None else (int(order),)
    even, odd = (_parity(kernel, found, parity, orders) for parity in (0, 1))
    return Decay(kernel, _nu(kernel, found, orders), even, odd, _evidence(found))


def _refuse_undefined(found: Singularities) -> None:
    """A pole or a complex value inside: there is no kernel to speak of."""
    for point in found.interior:
        undefined = point.kind == "undefined/complex" or (point.nu is not None and point.nu <= -1)
        one_sided = point.kind == "branch point" and point.left is None and point.right is None
        if undefined or (one_sided and point.proved):
            raise ExpansionError(
                f"{found.kernel} is no bounded real function on [-1, 1]: {point}", found.kernel.expr
            )


def _evidence(found: Singularities) -> str:
    if found.smooth is Truth.UNKNOWN:
        return "assumes that kappa is smooth on (-1, 1), which was not proved: " + found.evidence
    return found.evidence


def _nu(kernel: Kernel, found: Singularities, orders: tuple[int, ...]) -> Expr | None:
    """The leading non-polynomial exponent over both ends."""
    if found.analytic is Truth.TRUE:
        return None
    for order in orders:
        for group in groups(kernel, order):
            if any(j or group.whole is Truth.FALSE for j in group.log_powers):
                return group.exponent
            if group.whole is Truth.UNKNOWN:
                raise Undecided(f"cannot decide whether the exponent {sstr(group.exponent)} is an integer")
        if found.interior or flat_at_both_ends(kernel):
            break
    return None


def _parity(kernel: Kernel, found: Singularities, parity: int, orders: tuple[int, ...]) -> ParityDecay:
    name, sign = ("even", 1) if parity == 0 else ("odd", -1)
    if found.analytic is not Truth.TRUE and not found.interior:
        # The common case first: a term that survives at the first order settles it.
        lead = find_lead(kernel, orders[0], sign)
        if lead is not None:
            return ParityDecay(name, "algebraic", lead)
    degree = polynomial_part_degree(kernel.expr, sign)
    if degree is not None:
        return _zero(name, parity, degree)
    part = _part(kernel, sign)
    inside = analyse(part)
    if found.analytic is Truth.TRUE and inside.rho is None:
        # Where kappa is analytic both its parts are; a part may be harder to read than the whole.
        inside = found
    if inside.analytic is Truth.TRUE:
        return _analytic(name, inside)
    lead = _climb(kernel, inside, orders, sign)
    if inside.smooth is Truth.FALSE:
        points = strongest(inside.interior)
        if points and points[0].nu is not None:
            return ParityDecay(name, "oscillatory", _relevant(lead, points[0].nu), interior=points)
        raise Undecided(
            f"{kernel} is singular inside (-1, 1), with a strength that is not known: {inside.evidence}"
        )
    if lead is not None:
        return ParityDecay(name, "algebraic", lead)
    if inside.smooth is Truth.TRUE and flat_at_both_ends(part):
        note = "kappa is C-infinity on [-1, 1], flat at an end like exp(-1/t)"
        return ParityDecay(name, "superpolynomial", note=note)
    raise Undecided(
        f"no non-polynomial term up to t^{orders[-1]} governs the {name} eigenvalues of {kernel}, and it is not proved "
        f"that there is none ({inside.evidence}): give a higher order"
    )


def _part(kernel: Kernel, sign: int) -> Kernel:
    part = parity_part(kernel.expr, sign)
    ranges = {s: bounds for s, bounds in kernel.parameters.items() if part.has(s)}
    return Kernel(part, name=f"{'even' if sign == 1 else 'odd'} part of {kernel}", parameters=ranges)


def _zero(name: str, parity: int, degree: int) -> ParityDecay:
    start = first_of_parity(degree, parity)
    difference = "kappa(u) + kappa(-u)" if parity == 0 else "kappa(u) - kappa(-u)"
    size = "0" if degree < 0 else f"a polynomial of degree {degree}"
    return ParityDecay(name, "zero", zero_from=start, note=f"{difference} is {size}")


def _analytic(name: str, inside: Singularities) -> ParityDecay:
    if inside.rho is oo:
        order = growth_order(inside.kernel.expr)
        note = "entire" if order is None else f"entire of order {order}: O(k^(-k/q)) for every q > {order}"
        return ParityDecay(name, "superpolynomial", rho=oo, note=note)
    where = ", ".join(sstr(z) for z in inside.nearest)
    note = f"nearest singular points u = {where}" if where else inside.ellipse.reason
    return ParityDecay(name, "geometric", rho=inside.rho, note=note)


def _climb(kernel: Kernel, inside: Singularities, orders: tuple[int, ...], sign: int) -> Lead | None:
    """The lead, at the lowest order of the ladder that shows one."""
    for order in orders:
        lead = find_lead(kernel, order, sign)
        if lead is not None:
            return lead
        if inside.interior or flat_at_both_ends(inside.kernel):
            return None
    return None


def _relevant(lead: Lead | None, nu: Expr) -> Lead | None:
    """The end takes part unless the point inside dominates in all dimensions: nu <= 2 lead.nu, eq. (12)."""
    if lead is None or (nu - 2 * lead.nu).is_nonpositive:
        return None
    return lead
