"""Every claim of a certificate proved again, from the numbers that it holds and the kernel alone.

The analytic part is done anew at a higher precision, with other points and other boxes: the coefficients must lie in
the intervals that are claimed, the bounds below the claimed ones. The laws for all k are derived anew from the claimed
terms and bounds, and the first eigenvalues are computed anew with more digits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flint import arb
from sympy import Expr

from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.laws import decay
from asymptok.precision import flint_precision
from asymptok.proofs.claims import Claims, Law, ParityClaim
from asymptok.proofs.decimals import interval, number
from asymptok.proofs.signs import Signs
from asymptok.proofs.statement import Statement
from asymptok.proofs.tails import tail_at
from asymptok.spectrum.compute import eigenvalues
from asymptok.spectrum.contour.core import HIGHER, Core, bounded_program, core_at
from asymptok.spectrum.contour.curves import NotProved
from asymptok.spectrum.contour.rewriting import rewritten
from asymptok.spectrum.local import Unproved
from asymptok.spectrum.parity import vanishing

#: digits of the first eigenvalues
_DPS = 24
_BITS = 192


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


def rechecked(statement: Statement) -> Recheck:
    """All claims, one by one."""
    return Recheck(tuple(Finding(claim, bool(holds)) for claim, holds in _findings(statement)))


def _findings(statement: Statement) -> Iterator[tuple[str, bool]]:
    yield "the certificate is complete", statement.proved
    yield from _analysis(statement)
    for parity, law in enumerate((statement.even, statement.odd)):
        name = "odd" if parity else "even"
        yield f"the law of {name} k", _law(statement, parity, law)
    yield from _small(statement)
    signs = Signs([statement.even, statement.odd], statement.small)
    yield "positive definiteness", statement.positive_definite in (None, signs.positive)
    yield "strict positive definiteness", statement.strict in (None, signs.strict)
    yield "the offending degree", statement.offending in (None, signs.offending)


# the analytic part ---------------------------------------------------------------------------------------


def _analysis(statement: Statement) -> Iterator[tuple[str, bool]]:
    if not statement.bounds:
        return
    for height in dict.fromkeys(bound.height for bound in statement.bounds):
        mine = [bound for bound in statement.bounds if bound.height == height]
        betas = [bound.beta for bound in mine if bound.beta is not None]
        try:
            kernel = bounded_program(statement.kernel.expr)
            core = core_at(kernel, height, 8, HIGHER, betas)
        except (NotProved, Unproved, AsymptokError):
            yield f"kappa is analytic in the strip of height {height}", False
            return
        with flint_precision(_BITS):
            yield from _terms(statement, core, betas)
            for bound in mine:
                found = next((b for b in core.bounds if b.beta == bound.beta), None)
                yield (
                    f"the bounds for beta = {bound.beta}",
                    found is not None
                    and found.plus <= number(bound.plus)
                    and found.minus <= number(bound.minus)
                    and found.curve <= number(bound.curve),
                )


def _terms(statement: Statement, core: Core, betas: list[Expr]) -> Iterator[tuple[str, bool]]:
    """Every term that a bound takes away is claimed, with an interval that holds its coefficient."""
    claimed = {(t.at, t.exponent, t.log_power): t for t in statement.terms}
    top = max((ball(beta) for beta in betas), key=lambda x: float(x.mid()), default=arb(0))
    for term in core.terms:
        if not ball(term.exponent) < top:
            continue
        claim = claimed.pop((term.at, term.exponent, term.log_power), None)
        holds = claim is not None and interval(claim.low, claim.high).contains(term.coefficient)
        yield f"the coefficient of t^({term.exponent}) at {term.at:+d}", holds
    yield "no other terms", all(not ball(exponent) < top for _, exponent, _ in claimed)


# what follows --------------------------------------------------------------------------------------------


def _law(statement: Statement, parity: int, law: ParityClaim) -> bool:
    expr = statement.kernel.expr
    if law.law is Law.ZERO:
        limit = vanishing(expr)[parity]
        return limit is not None and law.zero_from is not None and law.zero_from > limit
    if law.law is Law.BOUNDED:
        return bool(statement.bounds) and all(bound.beta is None for bound in statement.bounds)
    if law.law is Law.UNKNOWN or law.nu is None or law.tail is None or law.k0 is None or law.bound is None:
        return False
    try:
        exact = decay(statement.kernel).odd if parity else decay(statement.kernel).even
    except AsymptokError:
        return False
    if exact.nu != law.nu or exact.kind != "algebraic" or law.rate != 1 - statement.d - 2 * law.nu:
        return False
    return _holds_for_all(statement.claims, law, parity)


def _holds_for_all(claims: Claims, law: ParityClaim, parity: int) -> bool:
    """a <= mu_k k^-rate <= b for k0 <= k < tail one by one, and from the tail on by monotony."""
    assert law.low is not None and law.high is not None and law.rate is not None and law.nu is not None
    assert law.k0 is not None and law.tail is not None and law.bound is not None
    if not 0 <= law.bound < len(claims.bounds) or law.k0 < 1:
        return False
    with flint_precision(_BITS):
        low, high = number(law.low), number(law.high)
        tail = tail_at(claims, law.tail, law.bound, law.nu)
        if tail is None:
            return False
        a, b = (tail.low, tail.high) if tail.positive else (-tail.high, -tail.low)
        if not (low <= a and b <= high):
            return False
        for k in range(law.k0, law.tail):
            if k % 2 == parity:
                value = claims.enclosure(k, law.nu)
                if value is None:
                    return False
                scaled = value * arb(k) ** ball(-law.rate)
                if not (low <= scaled.lower() and scaled.upper() <= high):
                    return False
    return True


def _small(statement: Statement) -> Iterator[tuple[str, bool]]:
    """The first eigenvalues, and that no degree is left out."""
    if statement.small:
        degrees = sorted(statement.small)
        try:
            found = eigenvalues(rewritten(statement.kernel.expr), statement.d, ks=degrees, dps=_DPS)
        except AsymptokError:
            yield "the first eigenvalues", False
            return
        with flint_precision(_BITS):
            for k in degrees:
                claimed = interval(*statement.small[k])
                yield f"mu_{k}", found.is_proved(k) and claimed.contains(found.ball(k))
    starts = [law.k0 if law.k0 is not None else law.zero_from for law in (statement.even, statement.odd)]
    needed = [k for parity, start in enumerate(starts) for k in range(parity, start or 0, 2)]
    yield "no degree is left out", all(k in statement.small for k in needed)
