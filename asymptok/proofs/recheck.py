"""Every claim of a certificate proved again, from the numbers that it holds and the kernel alone.

The analytic part is done anew at a higher precision, with other points and other boxes: the coefficients must lie in
the intervals that are claimed, the bounds below the claimed ones. The laws for all k are derived anew from the claimed
terms and bounds, and the first eigenvalues are computed anew with more digits.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, fmpq
from sympy import Expr, Rational

from asymptok.atlas.core import HIGHER, Core, core_at, kernel_program, require_integrable
from asymptok.atlas.curves import NotProved
from asymptok.atlas.flat import core_in, is_flat
from asymptok.atlas.inside import Inside
from asymptok.atlas.local import Unproved
from asymptok.atlas.poles import meromorphic
from asymptok.atlas.rewriting import rewritten
from asymptok.atlas.waves import InnerRest, least_degree
from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.kernels.given_form import GivenForm, given_form
from asymptok.kernels.kernel import Kernel
from asymptok.laws.taylor_signs import positive_series
from asymptok.precision import flint_precision
from asymptok.proofs.claims import BoundClaim
from asymptok.proofs.decimals import interval, number
from asymptok.proofs.exponential import exponential_value
from asymptok.proofs.given import given_bound, given_parts, given_signs
from asymptok.proofs.halves import part_of
from asymptok.proofs.outer import outside
from asymptok.proofs.rechecked_laws import MODEL_TERMS, law_holds, proved_points
from asymptok.proofs.signs import signs_of
from asymptok.proofs.smooth import derivatives_at_one
from asymptok.proofs.statement import Statement
from asymptok.proofs.stretched import found_bound
from asymptok.proofs.tails import zero_from
from asymptok.proofs.written_numbers import end_claim
from asymptok.spectrum.compute import eigenvalues

#: of bounds that a proof is asked for, where one for the claimed betas alone does not succeed
_COUNTS = range(8, 41)
#: digits of the first eigenvalues
_DPS = 24
_BITS = 192
#: of strips that are looked at
_WIDEST = 100


@dataclass(frozen=True, slots=True)
class Finding:
    """One claim, and whether it was proved again."""

    claim: str
    holds: bool


@dataclass(frozen=True, slots=True)
class Recheck:
    """All claims of a certificate; true if every one was proved again."""

    findings: tuple[Finding, ...]

    @property
    def holds(self) -> bool:
        return all(finding.holds for finding in self.findings)

    @property
    def failures(self) -> tuple[str, ...]:
        """The claims that were not proved again."""
        return tuple(finding.claim for finding in self.findings if not finding.holds)

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        failed = "".join(f"\nnot proved again: {claim}" for claim in self.failures)
        return (
            f"{len(self.findings) - len(self.failures)} of {len(self.findings)} claims proved again{failed}"
        )

    __repr__ = __str__


def rechecked(statement: Statement) -> Recheck:
    """All claims, one by one."""
    return Recheck(tuple(Finding(claim, bool(holds)) for claim, holds in _findings(statement)))


def _findings(statement: Statement) -> Iterator[tuple[str, bool]]:
    yield "the certificate is complete", statement.proved
    if statement.derivatives and positive_series(statement.kernel) is None:
        yield "a power series with coefficients >= 0", False  # nothing else follows without it
        return
    if statement.coefficients is not None and not statement.derivatives:
        yield "coefficients of a power series", False  # of a certificate that says nothing of one
    yield from _analysis(statement)
    for parity, law in enumerate((statement.even, statement.odd)):
        name, part = ("odd" if parity else "even"), statement.parts[parity]
        if part is None:
            yield f"the law of {name} k", law_holds(statement, parity, law)
            continue
        mine = part_of(statement.kernel, parity).expr == part.kernel.expr and part.d == statement.d
        same = mine and not part.apart and law == (part.odd if parity else part.even)
        yield f"the {name} part of the kernel", same
        if same:
            yield from ((f"the {name} part: {claim}", holds) for claim, holds in _findings(part))
    yield from _small(statement)
    signs = given_signs(statement.kernel.expr, statement.d) or signs_of(
        statement.kernel, [statement.even, statement.odd], statement.small, statement.parts
    )
    yield "positive definiteness", statement.positive_definite in (None, signs.positive)
    yield "strict positive definiteness", statement.strict in (None, signs.strict)
    yield "the offending degree", statement.offending in (None, signs.offending)


# the analytic part ---------------------------------------------------------------------------------------


def _analysis(statement: Statement) -> Iterator[tuple[str, bool]]:
    # what the proof of one kind does not use would be claimed without one
    points, poles = bool(statement.inner or statement.rests), bool(statement.poles or statement.arcs)
    kinds = [bool(statement.derivatives), statement.place is not None, points, poles]
    without_terms = kinds[0] or poles or not statement.bounds
    alone = sum(kinds) <= 1 and (bool(statement.bounds) != kinds[0] if any(kinds) else True)
    yield "nothing beside what is proved", alone and not (without_terms and statement.terms)
    if statement.ends is not None:
        # the discs at the ends are printed in the proof: those of a contour are proved with its numbers
        yield "no discs without slits", not (kinds[0] or statement.place is not None or without_terms)
    if statement.derivatives:
        yield from _derivatives(statement)
        return
    if not statement.bounds:
        return
    form = given_form(statement.kernel.expr)
    if form is not None:
        yield from _given(statement, form, alone and not any(kinds) and statement.ends is None)
        return
    if statement.place is not None:
        yield from _outside(statement)
        return
    if statement.poles:
        yield from _poles(statement)
        return
    expr = statement.kernel.expr
    if statement.inner:
        found = yield from _inside(statement)
        if found is not None:
            yield from _numbers(statement, found.core, statement.bounds)
        return
    for height in dict.fromkeys(bound.height for bound in statement.bounds):
        mine = [bound for bound in statement.bounds if bound.height == height]
        betas = [bound.beta for bound in mine if bound.beta is not None]
        try:
            if is_flat(expr):
                core = core_in(expr, statement.d, 8, HIGHER, tuple(betas), height)
            else:
                core = _core(expr, height, betas)
            require_integrable(core, statement.d)
        except (NotProved, Unproved, AsymptokError):
            yield f"kappa is analytic in the strip of height {height}", False
            return
        yield from _numbers(statement, core, mine)


def _given(statement: Statement, form: GivenForm, alone: bool) -> Iterator[tuple[str, bool]]:
    """The exact terms behind a formula, and what they leave, followed to k = oo from later on and with more bits."""
    found, bound = given_parts(form), given_bound(statement.kernel.expr, form, 2 * _BITS, later=1)
    mine = len(statement.bounds) == 1 and form.dimension == statement.d and alone
    if found is None or bound is None or not mine:
        yield "the formula of the eigenvalues", False
        return
    claimed = {(t.at, t.exponent, t.log_power): t for t in statement.terms}
    with flint_precision(2 * _BITS):
        for side, part in found[0].items():
            for nu, a in part.powers():
                claim = claimed.pop((side, Rational(int(nu.p), int(nu.q)), int(nu.q == 1)), None)
                holds = claim is not None and interval(claim.low, claim.high).contains(ball(a))
                yield f"the coefficient of t^({nu}) at {side:+d}", holds
        yield "no other terms", not claimed
        size = statement.bounds[0]
        same = size.beta == Rational(int(found[1].p), int(found[1].q)) and number(size.minus) >= 0
        yield "the bound of the rest", same and bool(bound <= number(size.plus)) and number(size.curve) >= 0


def _core(expr: Expr, height: fmpq, betas: list[Expr]) -> Core:
    """The proof for these betas; the last may lie behind all the terms of models that reach far for few bounds."""
    program = kernel_program(expr)
    try:
        return core_at(program, height, MODEL_TERMS, HIGHER, betas)
    except Unproved:
        for count in _COUNTS:
            with suppress(Unproved):
                core = core_at(program, height, count, HIGHER)
                if {*betas} <= {bound.beta for bound in core.bounds}:
                    return core
        raise


def _derivatives(statement: Statement) -> Iterator[tuple[str, bool]]:
    """The power series has coefficients >= 0, and the derivatives at u = 1 are not above what is claimed."""
    try:
        found = derivatives_at_one(statement.kernel)
    except (Unproved, AsymptokError):
        yield "derivatives at u = 1 of a power series with coefficients >= 0", False
        return
    with flint_precision(_BITS):
        for n, size in statement.derivatives:
            yield f"the derivative of order {n} at u = 1", 0 <= n < len(found) and found[n] <= number(size)
        claim = statement.coefficients
        if claim is not None:
            mine = found_bound(statement.kernel.expr, claim.tau) if 0 < claim.tau < _WIDEST else None
            holds = mine is not None and mine[0] <= number(claim.size) and mine[1] <= claim.start
            yield "the coefficients of the power series", bool(holds)


def _numbers(statement: Statement, core: Core, claims: Sequence[BoundClaim]) -> Iterator[tuple[str, bool]]:
    """The terms, and the bounds of what they leave, against those of another proof."""
    if statement.ends is not None:
        yield "the discs at the ends", statement.ends == (end_claim(core, 0), end_claim(core, 1))
    with flint_precision(_BITS):
        yield from _terms(statement, core, [bound.beta for bound in claims if bound.beta is not None])
        for bound in claims:
            found = next((b for b in core.bounds if (b.beta, b.height) == (bound.beta, bound.height)), None)
            yield (
                f"the bounds for beta = {bound.beta}",
                found is not None
                and found.plus <= number(bound.plus)
                and found.minus <= number(bound.minus)
                and found.curve <= number(bound.curve),
            )


def _inside(statement: Statement) -> Generator[tuple[str, bool], None, Inside | None]:
    """The exact terms inside, and the bounds of what they leave; returns the proof of them."""
    try:
        found = proved_points(statement)
        yield "the points inside", found.terms == statement.inner and len(found.rests) == len(statement.rests)
        for mine, claim in zip(found.rests, statement.rests, strict=False):
            same = mine.height == claim.height
            yield f"what is left at u = {claim.location}", same and _is_below(mine, claim.numbers())
    except (Unproved, AsymptokError):
        yield "the points inside", False
        return None
    return found


def _is_below(mine: InnerRest, claimed: InnerRest) -> bool:
    same = (mine.location, mine.nu, mine.count, mine.log_power) == (
        claimed.location,
        claimed.nu,
        claimed.count,
        claimed.log_power,
    )
    return same and bool(mine.size <= claimed.size)


def _poles(statement: Statement) -> Iterator[tuple[str, bool]]:
    """The principal parts, and the bounds of what they leave."""
    for bound in statement.bounds:
        try:
            found = meromorphic(statement.kernel.expr, (bound.height,), HIGHER)
        except (Unproved, AsymptokError):
            yield f"the poles in the ellipse of height {bound.height}", False
            return
        with flint_precision(_BITS):
            mine = {(p.location, p.exponent, p.log_power): p.coefficient for p in found.poles}
            same = len(mine) == len(statement.poles) and bound.beta is None
            for claim in statement.poles:
                other = mine.get((claim.location, claim.exponent, claim.log_power))
                same = same and other is not None and claim.numbers().coefficient.contains(other)
            yield f"the poles in the ellipse of height {bound.height}", same
            arcs = len(found.arcs) == len(statement.arcs) and all(
                (a.location, a.beta, a.height) == (b.location, b.beta, b.height) and a.size <= number(b.size)
                for a, b in zip(found.arcs, statement.arcs, strict=True)
            )
            yield "what is left on the arcs", arcs
            yield f"the bound for h = {bound.height}", bool(found.bounds[0][0] <= number(bound.curve))


def _outside(statement: Statement) -> Iterator[tuple[str, bool]]:
    """The terms at the points outside and the bounds around them."""
    # more terms than there are bounds: where the terms end, a bound holds the rest of all that were taken
    count = max(MODEL_TERMS, len(statement.bounds))
    found = outside(statement.kernel, count, HIGHER, fmpq(0))
    yield "the nearest singular points", found is not None and found.place == statement.place
    if found is None:
        return
    mine = {(t.at, t.exponent, t.log_power): t for t in found.terms}
    tops = [b.beta for b in statement.bounds if b.beta is not None]
    for term in statement.terms:
        other = mine.pop((term.at, term.exponent, term.log_power), None)
        yield (
            f"the coefficient of exponent {term.exponent} at {term.at:+d} b",
            other is not None
            and Fraction(term.low) <= Fraction(other.low)
            and Fraction(other.high) <= Fraction(term.high),
        )
    yield "no other terms", all(tops and all(e >= top for top in tops) for _, e, _ in mine)
    for bound in statement.bounds:
        same = [b for b in found.bounds if (b.beta, b.height) == (bound.beta, bound.height)]
        pairs = [(b.plus, bound.plus, b.minus, bound.minus, b.curve, bound.curve) for b in same]
        yield (
            f"the bounds for beta = {bound.beta}, h = {bound.height}",
            any(Fraction(a) <= Fraction(b) and Fraction(c) <= Fraction(e) and Fraction(f) <= Fraction(g)
                for a, b, c, e, f, g in pairs),
        )  # fmt: skip


def _terms(statement: Statement, core: Core, betas: list[Expr]) -> Iterator[tuple[str, bool]]:
    """Every term that a bound takes away is claimed, and every claimed interval holds the coefficient."""
    claimed = {(t.at, t.exponent, t.log_power): t for t in statement.terms}
    top = max((ball(beta) for beta in betas), key=lambda x: float(x.mid()), default=arb(0))
    for term in core.terms:
        claim = claimed.pop((term.at, term.exponent, term.log_power), None)
        if claim is not None or ball(term.exponent) < top:
            holds = claim is not None and interval(claim.low, claim.high).contains(term.coefficient)
            yield f"the coefficient of t^({term.exponent}) at {term.at:+d}", holds
    yield "no other terms", not claimed


# the first eigenvalues ---------------------------------------------------------------------------------------


def _eigenvalues(statement: Statement, degrees: list[int]) -> dict[int, arb]:
    """Proved balls; by the derivatives at 0 where no other method is at hand."""
    expr = statement.kernel.expr
    zero = {k: arb(0) for k in degrees if statement.small[k] == ("0", "0") and _vanishes(statement, k)}
    others = [k for k in degrees if k not in zero]
    if not others:
        return zero
    try:
        kernel = Kernel(rewritten(expr), mean=statement.kernel.mean)
        found = eigenvalues(kernel, statement.d, ks=others, dps=_DPS)
        return zero | {k: found.ball(k) for k in others if found.is_proved(k)}
    except AsymptokError:
        with flint_precision(_BITS):
            values = {k: exponential_value(expr, k, statement.d) for k in others}
        return zero | {k: value for k, value in values.items() if value is not None}


def _vanishes(statement: Statement, k: int) -> bool:
    start = zero_from(statement.kernel, k % 2)
    return start is not None and k >= start


def _small(statement: Statement) -> Iterator[tuple[str, bool]]:
    """The first eigenvalues, and that no degree is left out."""
    parts, small = statement.parts, statement.small
    of_parts = {k for k in small if (part := parts[k % 2]) is not None and part.small.get(k) == small[k]}
    degrees = sorted(small.keys() - of_parts)
    if degrees:
        found = _eigenvalues(statement, degrees)
        with flint_precision(_BITS):
            for k in degrees:
                yield f"mu_{k}", k in found and interval(*statement.small[k]).contains(found[k])
    if statement.derivatives:
        return  # these speak of every degree
    starts = [law.k0 if law.k0 is not None else law.zero_from for law in (statement.even, statement.odd)]
    alone = [(parity, start) for parity, start in enumerate(starts) if parts[parity] is None]
    needed = [k for parity, start in alone for k in range(parity, start or 0, 2)]
    yield "no degree is left out", all(k in statement.small or _is_enclosed(statement, k) for k in needed)


def _is_enclosed(statement: Statement, k: int) -> bool:
    """Whether the terms and bounds of a kernel with points inside speak of mu_k."""
    terms, bounds = statement.inner, statement.bounds
    return bool(terms) and k >= least_degree(terms) and any(b.beta is None or b.beta < k for b in bounds)
