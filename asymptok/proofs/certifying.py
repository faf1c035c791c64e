"""A certificate of a kernel as a whole: the analytic core, claims, the first eigenvalues one by one, what follows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from flint import fmpq

from asymptok.atlas.branches import gaps_of
from asymptok.atlas.core import HUGE, Bound, Core, require_integrable
from asymptok.atlas.flat import core_in
from asymptok.atlas.inside import inside
from asymptok.atlas.local import Unproved
from asymptok.atlas.poles import meromorphic
from asymptok.atlas.rewriting import rewritten
from asymptok.errors import AsymptokError
from asymptok.expansion import expand
from asymptok.kernels.kernel import Kernel
from asymptok.laws.exponential_sums import exponential_sum
from asymptok.laws.taylor_signs import infinitely_many_of_each_parity, positive_series
from asymptok.precision import flint_precision
from asymptok.progress import share
from asymptok.proofs.certificate import Certificate
from asymptok.proofs.claims import BoundClaim, Claims, Law, Lead, ParityClaim
from asymptok.proofs.decimals import writable
from asymptok.proofs.entire import majorant
from asymptok.proofs.exponential import exponential_law, exponential_value
from asymptok.proofs.flat import flat_law
from asymptok.proofs.inner import Points, RestClaim, end_lead, law_with_points, lowered
from asymptok.proofs.outer import Outside, outside
from asymptok.proofs.poles import ArcClaim, PoleClaim, Poles, pole_bounds, pole_law
from asymptok.proofs.signs import Signs, covered, signs_of
from asymptok.proofs.smooth import derivatives_at_one, smooth_law, written
from asymptok.proofs.stretched import coefficient_claim, stretched_law
from asymptok.proofs.tails import exact_law, geometric_law, law_of, zero_from
from asymptok.proofs.written_numbers import SLACK, SMALL, bound_claims, decimals_of, end_claim, term_claims
from asymptok.spectrum.compute import eigenvalues

#: exponents used unless told otherwise
TERMS = 9
#: the order of the expansions at points inside, at least
_INSIDE = 8
#: a law outside that begins later is of no use: all eigenvalues below it would be listed
_LATEST = 2000
#: beside points inside, a law that begins later is not led up to by eigenvalues one by one
_FAR = 256
#: eigenvalues listed one by one at least
_LISTED = 8
#: degrees at which the sharpest bound is kept
_LOOKED_AT = (20, 21, 40, 41, 100, 101)


def certify_whole(kernel: Kernel, d: int, count: int, width: fmpq) -> Certificate:
    """The certificate by what is known of all of kappa, with `count` terms and enclosures of that relative width."""
    two_sided = _with_derivatives_at_zero(kernel, d, width)
    if two_sided is not None:
        return two_sided
    try:
        with share(0, 0.6):
            core = core_in(kernel.expr, d, count)
        require_integrable(core, d)
        core = replace(core, bounds=_of_use(core))
    except (Unproved, AsymptokError) as error:
        two_sided = _from_outside(kernel, d, outside(kernel, count), width)
        if two_sided is not None:
            return two_sided
        try:
            return _with_points_inside(kernel, d, count)
        except (Unproved, AsymptokError) as other:
            reason = str(other if _has_points_inside(kernel) else error)
        try:
            return _by_derivatives(kernel, d)
        except (Unproved, AsymptokError):
            flat = _flat_at_an_end(kernel, d)
            return _unproved(kernel, d, reason) if flat is None else flat
    if all(bound.beta is None for bound in core.bounds):
        two_sided = _from_outside(kernel, d, outside(kernel, count), width)
        if two_sided is not None:
            return two_sided
        try:
            return _with_poles(kernel, d)
        except (Unproved, AsymptokError):
            pass  # no poles, or not of the kind that is treated: the bounds on ellipses are there
    return _from_core(kernel, d, *_prevailing(kernel, d, core, count, width), width)


def _of_use(core: Core) -> tuple[Bound, ...]:
    """The bounds that are numbers to write down: exp(u^9) has e^(10^30) on a curve that is far out."""
    found = tuple(b for b in core.bounds if b.is_of_use)
    if not found:
        raise Unproved(f"all bounds exceed 2^{HUGE}")
    return found


# claims --------------------------------------------------------------------------------------------------


def _prevailing(kernel: Kernel, d: int, core: Core, count: int, goal: fmpq) -> tuple[Core, list[ParityClaim]]:
    """The core and its laws, or those of a lower strip if no term prevails: |kappa| may be large on a high edge."""
    laws = first = _laws(kernel, Claims(d, term_claims(core), bound_claims(core)), goal)
    other = core
    while any(law.law is Law.UNKNOWN and law.nu is not None for law in laws):
        try:
            other = core_in(kernel.expr, d, count, below=other.bounds[0].height / 2)
        except Unproved:
            return core, first
        other = replace(other, bounds=_of_use(other))
        laws = _laws(kernel, Claims(d, term_claims(other), bound_claims(other)), goal)
    return other, laws


def _from_core(kernel: Kernel, d: int, core: Core, laws: list[ParityClaim], goal: fmpq) -> Certificate:
    terms, bounds = term_claims(core), bound_claims(core)
    bounds = _useful(Claims(d, terms, bounds), laws)
    laws = _laws(kernel, Claims(d, terms, bounds), goal)
    with share(0.7, 1):
        small, reason = _first_eigenvalues(kernel, d, laws)
    reason = reason or next((law.reason for law in laws if law.law is Law.UNKNOWN), "")
    sign = signs_of(kernel, laws, small)
    return Certificate(
        kernel=kernel,
        d=d,
        terms=terms,
        bounds=bounds,
        ends=(end_claim(core, 0), end_claim(core, 1)),
        even=laws[0],
        odd=laws[1],
        small=small,
        positive_definite=sign.positive,
        strict=sign.strict,
        offending=sign.offending,
        reason=reason,
    )


def _with_derivatives_at_zero(kernel: Kernel, d: int, goal: fmpq) -> Certificate | None:
    """Two-sided where all derivatives at 0 are known and one term leads them in each parity; None otherwise."""
    laws = []
    for parity in (0, 1) if exponential_sum(kernel.expr) else ():
        start = zero_from(kernel, parity)
        zero = None if start is None else ParityClaim(Law.ZERO, zero_from=start)
        laws.append(zero or exponential_law(kernel.expr, parity, d, goal))
    if not any(law is not None and law.law is Law.EXPONENTIAL for law in laws):
        return None
    known = [law for law in laws if law is not None]
    last = max([_LISTED, *(law.k0 or law.zero_from or 0 for law in known)])
    with flint_precision(128):
        values = {k: exponential_value(kernel.expr, k, d) for k in range(last + 1)}
        small = {
            k: decimals_of(value) for k, value in values.items() if value is not None and writable(value)
        }
    if len(known) < 2 or len(small) <= last:
        return None
    zeros = [(k, known[k % 2].zero_from) for k in small]
    small |= {k: ("0", "0") for k, start in zeros if start is not None and k >= start}
    sign = signs_of(kernel, known, small)
    return Certificate(
        kernel=kernel, d=d, terms=(), bounds=(), ends=None, even=known[0], odd=known[1],
        small=small, positive_definite=sign.positive, strict=sign.strict, offending=sign.offending,
    )  # fmt: skip


def _from_outside(kernel: Kernel, d: int, found: Outside | None, goal: fmpq) -> Certificate | None:
    """Two-sided where the nearest singular points are real and their leading terms prevail; None otherwise."""
    if found is None:
        return None
    claims = Claims(d, found.terms, found.bounds, found.place)
    laws = _each_parity(kernel, lambda parity: geometric_law(claims, parity, found.nu, goal))
    if any(law.law is Law.BOUNDED or (law.k0 or 0) > _LATEST for law in laws):
        return None
    small, reason = _first_eigenvalues(kernel, d, laws)
    sign = signs_of(kernel, laws, small)
    return Certificate(
        kernel=kernel, d=d, terms=found.terms, bounds=found.bounds, ends=None, even=laws[0], odd=laws[1],
        small=small, positive_definite=sign.positive, strict=sign.strict, offending=sign.offending, reason=reason,
        place=found.place,
    )  # fmt: skip


def _with_points_inside(kernel: Kernel, d: int, count: int) -> Certificate:
    """Singular points inside: an upper bound |mu_k| <= b k^p, or the law of the ends, and enclosures of every mu_k."""
    order = max(_INSIDE, count - 1)
    found = inside(kernel.expr, order, count)
    core = found.core
    require_integrable(core, d)
    points = Points(found.terms, tuple(RestClaim.of(rest, SLACK) for rest in found.rests))
    terms, bounds = term_claims(core), bound_claims(core)
    claims = Claims(d, terms, bounds)
    laws = _each_parity(
        kernel, lambda parity: law_with_points(points, claims, parity, end_lead(kernel, parity, d))
    )
    if count > TERMS and any(law.law is Law.UNKNOWN for law in laws):
        return _with_points_inside(kernel, d, TERMS)  # more terms at a point leave more at small k
    # where the ends prevail late the terms themselves enclose mu_k long before
    near = [law if (law.k0 or 0) <= _FAR else replace(law, k0=_FAR // 4) for law in laws]
    small, reason = _first_eigenvalues(kernel, d, near)
    laws = [lowered(law, small) for law in laws]
    reason = reason or next((law.reason for law in laws if law.law is Law.UNKNOWN), "")
    sign = signs_of(kernel, laws, small)
    return Certificate(
        kernel=kernel, d=d, terms=terms, bounds=bounds, ends=(end_claim(core, 0), end_claim(core, 1)),
        even=laws[0], odd=laws[1],
        small=small, positive_definite=sign.positive, strict=sign.strict, offending=sign.offending, reason=reason,
        inner=points.terms, rests=points.rests,
    )  # fmt: skip


def _has_points_inside(kernel: Kernel) -> bool:
    """Whether the points inside are known: then it is they that stand in the way."""
    try:
        return bool(gaps_of(kernel.expr)[0])
    except (Unproved, AsymptokError):
        return False


def _with_poles(kernel: Kernel, d: int) -> Certificate:
    """Complex poles and branch points: an upper bound |mu_k| <= b rho^-k k^p, and every mu_k enclosed."""
    found = meromorphic(kernel.expr)
    arcs = tuple(ArcClaim.of(arc, SLACK) for arc in found.arcs)
    poles = Poles(tuple(PoleClaim.of(pole) for pole in found.poles), arcs)
    if all(pole.location.is_real for pole in poles.nearest):
        raise Unproved("the nearest singular points are real")
    bounds = pole_bounds(found, SLACK)
    claims = Claims(d, (), bounds)
    laws = _each_parity(kernel, lambda parity: pole_law(poles, claims, parity))
    # a bound by ellipses would be that of the kernel without its poles
    if not {law.law for law in laws} <= {Law.OSCILLATING, Law.ZERO}:
        raise Unproved("the poles do not prevail")
    small, reason = _first_eigenvalues(kernel, d, laws)
    sign = signs_of(kernel, laws, small)
    return Certificate(
        kernel=kernel, d=d, terms=(), bounds=bounds, ends=None, even=laws[0], odd=laws[1],
        small=small, positive_definite=sign.positive, strict=sign.strict, offending=sign.offending, reason=reason,
        poles=poles.claims, arcs=poles.arcs,
    )  # fmt: skip


def _by_derivatives(kernel: Kernel, d: int) -> Certificate:
    """A power series with coefficients >= 0, as of a network: 0 <= mu_k <= b k^p by its derivatives at u = 1."""
    derivatives = written(derivatives_at_one(kernel))
    laws = _each_parity(kernel, lambda parity: smooth_law(derivatives, parity, d))
    # the bound speaks of every k >= 0: eigenvalues one by one are welcome, and may be missing
    small, _ = _first_eigenvalues(kernel, d, laws)
    claim = coefficient_claim(kernel.expr)
    if claim is not None:
        laws = _each_parity(kernel, lambda parity: stretched_law(claim, parity, d))
    sign = Signs(laws, small, (True, True), infinitely_many_of_each_parity(kernel.expr, {}))
    return Certificate(
        kernel=kernel, d=d, terms=(), bounds=(), ends=None, even=laws[0], odd=laws[1],
        small=small, positive_definite=sign.positive, strict=sign.strict, offending=sign.offending,
        derivatives=derivatives, coefficients=claim,
    )  # fmt: skip


def _flat_at_an_end(kernel: Kernel, d: int) -> Certificate | None:
    """A contour through the ends, for kernels like exp(-1/(1-u)): |mu_k| <= b k^p exp(-c k^g); None for others."""
    found = [flat_law(kernel.expr, parity, d) for parity in (0, 1)]
    laws = [law for law in found if law is not None]
    if len(laws) < 2:
        return None
    known = _each_parity(kernel, lambda parity: laws[parity])
    small, reason = _first_eigenvalues(kernel, d, known)
    sign = signs_of(kernel, known, small)
    return Certificate(
        kernel=kernel, d=d, terms=(), bounds=(), ends=None, even=known[0], odd=known[1], small=small,
        positive_definite=sign.positive, strict=sign.strict, offending=sign.offending, reason=reason,
    )  # fmt: skip


def _each_parity(kernel: Kernel, law: Callable[[int], ParityClaim]) -> list[ParityClaim]:
    """The law of the even and of the odd degrees, one that vanishes told as such."""
    return [
        law(parity) if start is None else ParityClaim(Law.ZERO, zero_from=start)
        for parity, start in enumerate(zero_from(kernel, parity) for parity in (0, 1))
    ]


def _is_finite_at_one(kernel: Kernel) -> bool:
    """Whether kappa(1 - t) is shown to have a limit: a power series with coefficients >= 0 converges there then."""
    try:
        found = expand(kernel, at=1, order=1)
    except AsymptokError:
        return False
    return all(x.exponent > 0 or (x.exponent == 0 and not x.log_power) for x in (*found.ordered, *found.tail))


def _laws(kernel: Kernel, claims: Claims, goal: fmpq) -> list[ParityClaim]:
    return [_law(kernel, claims, parity, goal) for parity in (0, 1)]


def _useful(claims: Claims, laws: list[ParityClaim]) -> tuple[BoundClaim, ...]:
    """The bounds that are the best at some degree: few terms at small k, many at large ones."""
    kept = {len(claims.bounds) - 1}
    with flint_precision(128):
        for k in _LOOKED_AT:
            law = laws[k % 2]
            kept.add(claims.sharpest(k, law.lead))
        for law in laws:
            if law.k0 is not None:
                kept.add(claims.sharpest(law.k0, law.lead))
    return tuple(bound for i, bound in enumerate(claims.bounds) if i in kept)


def _law(kernel: Kernel, claims: Claims, parity: int, goal: fmpq) -> ParityClaim:
    """The law of one parity, with an exact leading exponent: what lies below it cancels exactly."""
    law, reason = None, ""
    if any(bound.beta is not None for bound in claims.bounds):
        try:
            law = exact_law(kernel, parity)
        except AsymptokError as error:
            reason = str(error)
    if law is not None and law.kind == "algebraic" and law.lead is not None:
        # a leading coefficient that is not zero: the parity does not vanish
        return law_of(claims, parity, Lead(law.lead.nu, law.lead.log_power), goal)
    start = zero_from(kernel, parity)
    if start is not None:
        return ParityClaim(Law.ZERO, zero_from=start)
    if all(bound.beta is None for bound in claims.bounds):
        return ParityClaim(Law.BOUNDED if majorant(kernel.expr) is None else Law.ENTIRE, k0=0)
    kind = reason if law is None else f"no leading power is known: the law is {law.kind}"
    return ParityClaim(Law.UNKNOWN, reason=kind)


def _first_eigenvalues(
    kernel: Kernel, d: int, laws: list[ParityClaim]
) -> tuple[dict[int, tuple[str, str]], str]:
    """All mu_k below the k0 of both parities, by quadrature or closed forms that are proved."""
    last = max([_LISTED, *(law.k0 for law in laws if law.k0 is not None)])
    last = max([last, *(law.zero_from for law in laws if law.zero_from is not None)])
    try:
        # what is known of a network by its making stays true of another form of it
        found = eigenvalues(Kernel(rewritten(kernel.expr), mean=kernel.mean), d, kmax=last, dps=SMALL)
    except AsymptokError as error:
        return {}, f"the first eigenvalues are not proved: {error}"
    small: dict[int, tuple[str, str]] = {}
    with flint_precision(128):
        for k in found.ks:
            ball, start = found.ball(k), laws[k % 2].zero_from
            if start is not None and k >= start:
                small[k] = ("0", "0")
            elif found.is_proved(k) and writable(ball):
                small[k] = decimals_of(ball)
    missing = [k for k, law in ((k, laws[k % 2]) for k in found.ks) if k not in small and not covered(k, law)]
    return small, (f"mu_{missing[0]} is not proved" if missing else "")


def _unproved(kernel: Kernel, d: int, reason: str) -> Certificate:
    """No bounds; positive definite where the power series proves it, as it does for sum a_n^2 u^n of an activation."""
    nothing = ParityClaim(Law.UNKNOWN, reason=reason)
    positive = True if positive_series(kernel) is not None and _is_finite_at_one(kernel) else None
    return Certificate(kernel, d, (), (), None, nothing, nothing, {}, positive, None, None, reason)


__all__ = ["TERMS", "certify_whole"]
