"""From the two expansions to the law of mu_k, and what holds instead where there is no such law."""

from __future__ import annotations

from dataclasses import replace
from time import process_time

from flint import fmpq
from sympy import Expr, S, ceiling, oo, sstr

from asymptok import ways_out
from asymptok.balls import ball
from asymptok.constants import decide
from asymptok.constants.advice import zero_advice
from asymptok.constants.exponents import Ranges, exponent_from_expr
from asymptok.errors import AsymptokError, ExpansionError, Obstruction, Undecided
from asymptok.kernels.duals import part_of
from asymptok.kernels.kernel import Kernel, as_kernel
from asymptok.laws.flatness import flat_at_both_ends, flat_terms, growth_order, smooth_by_record
from asymptok.laws.geometric import geometric_lead
from asymptok.laws.given import given_decay
from asymptok.laws.oscillation import strongest, waves
from asymptok.laws.parity import first_of_parity, keeps_all, parity_part, polynomial_part_degree
from asymptok.laws.results import Balance, Decay, ParityDecay
from asymptok.laws.stretched import stretched_law
from asymptok.laws.terms import Group, Lead, find_lead, groups, undecided_integer, vanishes
from asymptok.parameters import exact_number
from asymptok.patience import Portion, question
from asymptok.regularity import InteriorPoint, Singularities, analyse
from asymptok.regularity.rho import rho_ball
from asymptok.symbols import u
from asymptok.truth import Truth

__all__ = ["decay"]

#: orders to which the ends are expanded in search of a term that survives
_ORDERS = (1, 4, 8, 16, 32, 64)
#: seconds of processor time after which no higher order is tried
_SECONDS = 0.5
#: a kernel that is integrable only on spheres beyond this dimension is refused
_LARGEST_DIMENSION = 64
_LARGEST_ORDER = 400
#: of the time for a question, for the strips of the activations of one parity
_STRIP = 0.3


@question
def decay(kernel: Kernel | Expr | str, order: object = None) -> Decay:
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
    >>> decay("1/(5 - 4*u)").odd  # doctest: +NORMALIZE_WHITESPACE
    odd k   mu_k = O(r^(-k)) for every r < rho = 2; estimate: mu_k ~ (3/4)^(d/2 - 2) gamma(d/2)/4 k^(1 - d/2) rho^-k
    (nearest singular points u = 5/4)
    """
    kernel = as_kernel(kernel)
    given = given_decay(kernel, decay)
    if given is not None:
        return given
    found = analyse(kernel)
    _refuse_undefined(found)
    _refuse_undecided(found)
    orders = _ORDERS if order is None else (_checked_order(order),)
    even, odd = (_of_parity(kernel, found, parity, orders) for parity in (0, 1))
    assumes = _assumptions(kernel, found, (even, odd))
    nu = _least_lead(kernel, (even, odd))
    if nu is None:
        nu = _nu(kernel, found, orders)
    least = _least_dimension(kernel, nu)
    even, odd = (replace(side, least_dimension=least, kernel=kernel) for side in (even, odd))
    return Decay(kernel, nu, even, odd, _evidence(found), assumes, least)


def _checked_order(order: object) -> int:
    """How far to expand, rounded up: a few more terms do no harm."""
    value = exact_number(order, "the order")
    if not (value.is_Rational and 0 < value <= _LARGEST_ORDER):
        raise AsymptokError(
            f"the order is a positive number up to {_LARGEST_ORDER}, such as 4 or 5/2, not {order!r}"
        )
    return int(ceiling(value))


def _least_dimension(kernel: Kernel, nu: Expr | None) -> int:
    """The first d in which t^nu is integrable on the sphere, nu > -(d-1)/2; every d >= 2 for a bounded kernel."""
    if nu is None or nu.is_nonnegative:
        return 2
    form, rest = exponent_from_expr(nu)
    ranges = Ranges(kernel.parameters)
    for d in range(2, _LARGEST_DIMENSION):
        if ranges.sign(form, rest + fmpq(d - 1, 2)).positive:
            return d
    raise ExpansionError(
        f"{kernel} is not known to be integrable on a sphere in fewer than {_LARGEST_DIMENSION} dimensions: it grows "
        f"like t^({sstr(nu)}) at an end",
        kernel.expr,
    )


def _refuse_undefined(found: Singularities) -> None:
    """A pole or a complex value inside: there is no kernel to speak of."""
    for point in found.interior:
        if point.kind == "oscillation":
            raise ExpansionError(f"no law is known for {found.kernel}: {point}", found.kernel.expr)
        if point.undefined:
            grade = "is" if point.proved else "is not known to be"
            raise ExpansionError(
                f"{found.kernel} {grade} {'no' if point.proved else 'a'} bounded real function on [-1, 1]: {point}",
                found.kernel.expr,
                Obstruction.UNDEFINED if point.proved else Obstruction.METHOD,
            )


def _refuse_undecided(found: Singularities) -> None:
    """A point that is smooth for some values of the parameters alone: the law of the ends is not that of the others."""
    if found.kernel.parameters:
        for point in found.interior:
            if point.kind == "unknown":
                raise Undecided(
                    f"the law depends on whether {found.kernel} is smooth at {point.place}, which is not decided: "
                    f"{point.reason}"
                )


def _evidence(found: Singularities) -> str:
    if found.smooth is Truth.UNKNOWN:
        return f"assumes {_SMOOTHNESS}: {found.evidence}"
    return found.evidence


_SMOOTHNESS = "that kappa is smooth on (-1, 1), which was not proved"


def _assumptions(
    kernel: Kernel, found: Singularities, laws: tuple[ParityDecay, ParityDecay]
) -> tuple[str, ...]:
    """What is taken for granted: smoothness, or that the points inside which were found are all there are."""
    if found.smooth is Truth.UNKNOWN:
        return (f"{_SMOOTHNESS}: {found.evidence}",)
    if found.smooth is Truth.FALSE and not found.complete:
        if all(law.kind == "zero" for law in laws):
            return ()  # algebra, whatever happens inside
        return ("that kappa has no other singular points inside (-1, 1), which was not proved",)
    return ()


def _least_lead(kernel: Kernel, laws: tuple[ParityDecay, ParityDecay]) -> Expr | None:
    """The leading exponent from the laws: what stands at an end is in c_1 + c_-1 or in c_1 - c_-1."""
    if any(law.kind == "oscillatory" for law in laws):
        return None
    exponents = [law.lead.nu for law in laws if law.lead is not None and law.kind == "algebraic"]
    if len(exponents) < 2:
        return exponents[0] if exponents else None
    first, second = exponents
    gap = Ranges(kernel.parameters).sign(*exponent_from_expr(first - second))
    return first if gap.negative or gap.zero else second if gap.positive else None


def _nu(kernel: Kernel, found: Singularities, orders: tuple[int, ...]) -> Expr | None:
    """The leading non-polynomial exponent over both ends."""
    if found.analytic is Truth.TRUE:
        return None
    if not found.interior and smooth_by_record(kernel) and flat_at_both_ends(kernel):
        return None
    start = process_time()
    for order in orders:
        for group in groups(kernel, order):
            if any(_is_there(kernel, group, j) for j in group.log_powers if j or group.whole is Truth.FALSE):
                return group.exponent
            if group.whole is Truth.UNKNOWN:
                raise undecided_integer(group, kernel)
        if flat_at_both_ends(kernel) or process_time() - start > _SECONDS:
            break
    return None


def _is_there(kernel: Kernel, group: Group, j: int) -> bool:
    """Whether t^nu (log t)^j has a coefficient that is not zero at one of the ends."""
    found = [vanishes(side.get(j, S.Zero), kernel) for side in (group.plus, group.minus)]
    if Truth.FALSE in found:
        return True
    if Truth.UNKNOWN in found:
        value = group.plus.get(j, group.minus.get(j, S.Zero))
        raise Undecided(
            f"cannot decide whether the coefficient of t^({sstr(group.exponent)}) vanishes",
            value,
            lambda: zero_advice(value, Ranges(kernel.parameters)),
            value,
        )
    return False


def _of_parity(kernel: Kernel, found: Singularities, parity: int, orders: tuple[int, ...]) -> ParityDecay:
    """The law of a parity; where the kernel of an activation does not show it, that of the part of the activation."""
    try:
        return _parity(kernel, found, parity, orders)
    except Undecided:
        part = part_of(kernel, parity)
        if part is None:
            raise
        try:
            return _parity(part, analyse(part), parity, orders)
        except AsymptokError:
            pass
        raise


def _parity(kernel: Kernel, found: Singularities, parity: int, orders: tuple[int, ...]) -> ParityDecay:
    name, sign = ("even", 1) if parity == 0 else ("odd", -1)
    if kernel.mean and kernel.mean.parity == -sign:
        return _zero(name, parity, -1)
    if _has_law_of_an_end(kernel, found):
        # The common case first: a term that survives at the first two orders settles it.
        for order in orders[:2]:
            lead = find_lead(kernel, order, sign)
            if lead is not None:
                return ParityDecay(name, "algebraic", lead)
    degree = polynomial_part_degree(_polynomial_form(kernel, found), sign)
    if degree is not None:
        return _zero(name, parity, degree)
    part = _part(kernel, sign)
    # both parts of a C-infinity function are; one may be where the other has an activation with kinks
    if found.smooth is Truth.TRUE and any(
        smooth_by_record(f) and flat_at_both_ends(f) for f in (kernel, part)
    ):
        # the part is twice that of kappa, and may have lost the form of a series with coefficients >= 0
        law = None
        with Portion(_STRIP):  # strips of layers with symbols are compared for a long time
            law = stretched_law(part.expr / 2, parity) or stretched_law(kernel.expr, parity)
        return ParityDecay(name, "superpolynomial", note="kappa is C-infinity on [-1, 1]", stretched=law)
    inside = _of_part(found, part, sign)
    if inside.analytic is Truth.TRUE:
        return _analytic(kernel, name, inside)
    if found.smooth is Truth.FALSE and inside.smooth is Truth.UNKNOWN:
        raise Undecided(
            f"{kernel} is singular inside (-1, 1), and whether the part of it that governs the {name} eigenvalues is, "
            f"is not decided: {inside.evidence}"
        )
    if inside.smooth is Truth.FALSE:
        return _oscillation(kernel, inside, name, orders)
    lead = _climb(kernel, inside, orders, sign)
    if lead is not None:
        return ParityDecay(name, "algebraic", lead)
    if inside.smooth is Truth.TRUE and flat_at_both_ends(part):
        flat = ", flat at an end like exp(-1/t)" if flat_terms(part) else ""
        return ParityDecay(name, "superpolynomial", note=f"kappa is C-infinity on [-1, 1]{flat}")
    raise Undecided(
        f"no non-polynomial term up to t^{orders[-1]} governs the {name} eigenvalues of {kernel}, and it is not proved "
        f"that there is none ({inside.evidence}): {ways_out.farther(2 * orders[-1])} looks farther, and "
        "eigenvalues() gives numbers"
    )


def _polynomial_form(kernel: Kernel, found: Singularities) -> Expr:
    """The polynomial to which proved identities lead, cos(3 acos u) = 4 u^3 - 3 u; kappa as it is if to none."""
    return found.form if found.form is not None and found.form.is_polynomial(u) else kernel.expr


def _has_law_of_an_end(kernel: Kernel, found: Singularities) -> bool:
    """Whether a term at an end is to be expected: derivatives of an activation cost more than the proof of none."""
    if found.analytic is Truth.TRUE or found.smooth is Truth.FALSE or found.interior:
        return False
    return not (smooth_by_record(kernel) and flat_at_both_ends(kernel))


def _of_part(found: Singularities, part: Kernel, sign: int) -> Singularities:
    """The singularities of kappa(u) + sign kappa(-u), from those of kappa where that says all.

    The part is analytic wherever kappa is analytic at u and at -u. So it continues at least as far, and farther only
    if something has cancelled; and at a singular point whose mirror image is none it is singular just as kappa is.
    """
    settled = found.smooth is Truth.UNKNOWN or found.analytic is Truth.TRUE
    settled = settled or (found.smooth is Truth.TRUE and flat_at_both_ends(found.kernel))
    if settled and keeps_all(found.kernel.expr, part.expr):
        return found
    points = _mirrored(found, sign) if found.smooth is Truth.FALSE else None
    if points is not None:
        return replace(found, kernel=part, interior=points)
    inside = analyse(part)
    # Where kappa is analytic both its parts are; a part may be harder to read than the whole.
    return found if found.analytic is Truth.TRUE and inside.rho is None else inside


def _mirrored(found: Singularities, sign: int) -> tuple[InteriorPoint, ...] | None:
    """The points of kappa and their mirror images, if all are proved and none is an image of one."""
    points, parameters = found.interior, found.kernel.parameters
    places = [p.location for p in points if p.proved and p.nu is not None and p.location is not None]
    if not points or len(places) < len(points):
        return None
    if not all(decide.is_zero(x + y, parameters) is Truth.FALSE for x in places for y in places):
        return None
    images = []
    for place, point in zip(places, points, strict=True):
        low, high = point.enclosure
        left, right = (None if c is None else sign * c for c in (point.right, point.left))
        images += [point, replace(point, location=-place, enclosure=(-high, -low), left=left, right=right)]
    return tuple(images)


def _oscillation(kernel: Kernel, inside: Singularities, name: str, orders: tuple[int, ...]) -> ParityDecay:
    """The law of singular points inside, all of them proved and of known strength; with the end where it can matter."""
    points = strongest(inside.interior, kernel.parameters)
    if not points:
        raise Undecided(
            f"{kernel} is singular inside (-1, 1), with a strength that is not known: {inside.evidence}"
        )
    assert points[0].nu is not None
    # In dimension 2 the end is at its strongest, and there t^nu leaves less than |u - u0|^nu_0 if 2 nu > nu_0.
    most = Ranges(kernel.parameters).bounds_of(points[0].nu)[1]
    lead = _climb(kernel, inside, orders, 1 if name == "even" else -1, None if most is None else most / 2)
    ranges = tuple(kernel.parameters.items())
    law = ParityDecay(
        name, "oscillatory", lead, interior=points, waves=waves(inside.kernel, points), ranges=ranges
    )
    return law.at(2) if law.balance(2) is Balance.INSIDE else law


def _part(kernel: Kernel, sign: int) -> Kernel:
    part = parity_part(kernel.expr, sign)
    ranges = {s: bounds for s, bounds in kernel.parameters.items() if part.has(s)}
    return Kernel(part, name=f"{'even' if sign == 1 else 'odd'} part of {kernel}", parameters=ranges)


def _zero(name: str, parity: int, degree: int) -> ParityDecay:
    start = first_of_parity(degree, parity)
    difference = "kappa(u) + kappa(-u)" if parity == 0 else "kappa(u) - kappa(-u)"
    size = "0" if degree < 0 else f"a polynomial of degree {degree}"
    return ParityDecay(name, "zero", zero_from=start, note=f"{difference} is {size}")


def _analytic(kernel: Kernel, name: str, inside: Singularities) -> ParityDecay:
    if inside.rho is oo:
        order = growth_order(inside.kernel.expr)
        note = "entire" if order is None else f"entire of order {order}: O(k^(-k/q)) for every q > {order}"
        return ParityDecay(name, "superpolynomial", rho=oo, note=note)
    where = ", ".join(sstr(z) for z in inside.nearest)
    note = f"nearest singular points u = {where}" if where else inside.ellipse.reason
    outside = geometric_lead(kernel, 1 if name == "even" else -1)
    if outside is not None and not _same_ellipse(outside.location, inside.rho):
        outside = None
    return ParityDecay(name, "geometric", rho=inside.rho, note=note, outside=outside)


def _same_ellipse(z: Expr, rho: Expr | None) -> bool:
    """Whether rho is that of z: what was followed numerically and what was proved agree."""
    return rho is not None and bool(rho_ball(z).overlaps(ball(rho, prec=128)))


def _climb(
    kernel: Kernel, inside: Singularities, orders: tuple[int, ...], sign: int, reach: fmpq | None = None
) -> Lead | None:
    """The lead, at the lowest order of the ladder that shows one; each rung costs several times the one before.

    Beside points inside None is a proof: the ends leave nothing, or nothing up to t^reach, where it would matter.
    """
    alone, start = inside.smooth is not Truth.FALSE, process_time()
    if reach is not None and len(orders) > 1:
        orders = (*(n for n in orders if n < reach), max(orders[0], int(-(-reach.p // reach.q))))
    for order in orders:
        lead = find_lead(kernel, order, sign)
        if lead is not None or flat_at_both_ends(inside.kernel) or (reach is not None and order >= reach):
            return lead
        if reach is None and process_time() - start > _SECONDS:
            break
    if alone:
        return None
    raise Undecided(
        f"{kernel} is singular inside (-1, 1), and whether terms at the ends matter beside that is not decided: they "
        f"have none up to t^{order}; {ways_out.farther(2 * order)} looks farther, and eigenvalues() gives numbers"
    )
