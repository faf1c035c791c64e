"""The laws of a certificate for all k derived anew from the terms and bounds that it claims."""

from __future__ import annotations

from flint import arb
from sympy import Rational

from asymptok.atlas.core import HIGHER
from asymptok.atlas.inside import Inside, inside
from asymptok.atlas.local import Unproved
from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.kernels.given_form import given_form
from asymptok.precision import flint_precision
from asymptok.proofs.claims import Claims, Law, ParityClaim
from asymptok.proofs.decimals import interval, number
from asymptok.proofs.entire import majorant
from asymptok.proofs.exponential import is_exponential_law
from asymptok.proofs.flat import is_flat_law
from asymptok.proofs.inner import bound_at, end_lead, obeys, tail_beside
from asymptok.proofs.smooth import smooth_high
from asymptok.proofs.statement import Statement
from asymptok.proofs.stretched import stretched_high
from asymptok.proofs.tails import exact_law, tail_at, zero_from

__all__ = ["MODEL_TERMS", "law_holds", "proved_points"]

#: of expansions at points inside that leave nothing
_ORDER = 9
#: terms of a model, more than a certificate takes unless it is asked to: its rest is a bound behind the last term
MODEL_TERMS = 12
_BITS = 192


def proved_points(statement: Statement) -> Inside:
    """What the points inside are, proved with another effort."""
    expr, order = statement.kernel.expr, max((r.count for r in statement.rests), default=_ORDER) - 1
    betas = tuple(bound.beta for bound in statement.bounds if bound.beta is not None)
    return inside(expr, order, MODEL_TERMS, HIGHER, (statement.bounds[0].height,), betas or None)


def law_holds(statement: Statement, parity: int, law: ParityClaim) -> bool:
    expr = statement.kernel.expr
    if law.law is Law.ZERO:
        start = zero_from(statement.kernel, parity)
        return start is not None and law.zero_from is not None and law.zero_from >= start
    if law.law is Law.GIVEN:
        form = given_form(expr)
        kind = (
            None
            if form is None or form.dimension != statement.d
            else exact_law(statement.kernel, parity).kind
        )
        return kind in ("geometric", "superpolynomial")
    if law.law in (Law.BOUNDED, Law.ENTIRE):
        entire = law.law is Law.BOUNDED or majorant(expr) is not None
        return entire and bool(statement.bounds) and all(bound.beta is None for bound in statement.bounds)
    if law.law is Law.EXPONENTIAL:
        return is_exponential_law(expr, law, parity, statement.d, _BITS)
    if law.law is Law.FLAT:
        return is_flat_law(expr, law, parity, statement.d, _BITS)
    if law.law is Law.STRETCHED:
        return _is_stretched(statement, parity, law)
    if law.law is Law.SMOOTH:
        return _is_smooth(statement, parity, law)
    if law.law is Law.UNKNOWN or law.nu is None or law.tail is None or law.k0 is None or law.bound is None:
        return False
    if law.log_power and (law.law is Law.GEOMETRIC or statement.poles):
        return False
    if law.law is Law.GEOMETRIC:
        least = min((t.exponent for t in statement.terms if (t.low, t.high) != ("0", "0")), default=None)
        if statement.place is None or law.nu != least or law.rate != -law.nu - Rational(statement.d, 2):
            return False
        return _holds_for_all(statement.claims, law, parity)
    if law.law is Law.OSCILLATING:
        return _oscillates(statement, parity, law)
    if statement.place is not None:
        return False
    try:
        exact = exact_law(statement.kernel, parity)
        exact = exact.at(statement.d) if statement.inner else exact
    except (AsymptokError, Unproved):
        return False
    if (
        exact is None
        or exact.nu != law.nu
        or exact.kind != "algebraic"
        or law.rate != 1 - statement.d - 2 * law.nu
    ):
        return False
    if exact.log_power != law.log_power:
        return False
    return (
        _ends_prevail(statement, law, parity)
        if statement.inner
        else _holds_for_all(statement.claims, law, parity)
    )


def _is_smooth(statement: Statement, parity: int, law: ParityClaim) -> bool:
    """0 <= mu_k <= b k^p from k0 on, by the derivative that p stands for."""
    if law.rate is None or law.k0 is None or law.high is None or law.low != "0" or law.log_power:
        return False
    n = (2 - statement.d - law.rate) / 2
    if n not in dict(statement.derivatives) or law.k0 <= n or law.k0 % 2 != parity:
        return False
    with flint_precision(_BITS):
        high = smooth_high(statement.derivatives, int(n), law.k0, statement.d)
        return bool(high <= number(law.high))


def _is_stretched(statement: Statement, parity: int, law: ParityClaim) -> bool:
    """0 <= mu_k <= b k^p exp(-(3/2) (2 tau k)^(2/3)) from k0 on, by the coefficients of the power series."""
    claim = statement.coefficients
    if claim is None or law.tau != claim.tau or law.k0 is None or law.high is None or law.low != "0":
        return False
    if law.rate != Rational(2, 3) - Rational(statement.d, 2) or law.k0 < max(claim.start, 1) or law.log_power:
        return False
    with flint_precision(_BITS):
        return law.k0 % 2 == parity and bool(stretched_high(claim, law.k0, statement.d) <= number(law.high))


def _ends_prevail(statement: Statement, law: ParityClaim, parity: int) -> bool:
    """The law of the ends beside points inside, from k0 = tail on."""
    assert law.lead is not None and law.k0 is not None and law.bound is not None
    if not _down_to(statement, law, parity):
        return False
    assert law.tail is not None
    with flint_precision(_BITS):
        tail = tail_beside(statement.points, statement.claims, law.tail, law.bound, law.lead)
        if tail is None or law.low is None or law.high is None:
            return False
        a, b = (tail.low, tail.high) if tail.positive else (-tail.high, -tail.low)
        return bool(number(law.low) <= a and b <= number(law.high))


def _oscillates(statement: Statement, parity: int, law: ParityClaim) -> bool:
    """|mu_k| <= b k^p from k0 on: the bound at k0 bounds all later degrees."""
    assert law.nu is not None and law.k0 is not None and law.bound is not None
    if statement.poles:
        return _is_bounded_by_poles(statement, parity, law)
    if not statement.inner or law.high is None:
        return False
    if law.rate is None or law.low is None or not _down_to(statement, law, parity):
        return False
    assert law.tail is not None
    with flint_precision(_BITS):
        try:
            same = law.nu == statement.points.nu
        except Unproved:
            return False
        end = end_lead(statement.kernel, parity, statement.d)
        s, q = -law.rate, law.log_power
        at = (law.tail, law.bound, s, q, end)
        size = bound_at(statement.points, statement.claims, *at)
        return same and size is not None and bool(number(law.low) <= -size and size <= number(law.high))


def _down_to(statement: Statement, law: ParityClaim, parity: int) -> bool:
    """The law beside points inside for k0 <= k < tail, by the list of the first eigenvalues."""
    if law.k0 is None or law.tail is None or law.bound is None or not 0 <= law.bound < len(statement.bounds):
        return False
    if not 1 <= law.k0 <= law.tail or law.k0 % 2 != parity or law.tail % 2 != parity:
        return False
    small = statement.small
    with flint_precision(_BITS):
        return all(k in small and obeys(law, k, interval(*small[k])) for k in range(law.k0, law.tail, 2))


def _is_bounded_by_poles(statement: Statement, parity: int, law: ParityClaim) -> bool:
    poles = statement.outer
    assert law.nu is not None and law.k0 is not None and law.bound is not None
    if law.nu != poles.nu or law.rate != -law.nu - Rational(statement.d, 2) or law.tail != law.k0:
        return False
    if law.low is None or law.high is None or law.k0 % 2 != parity or law.k0 < 1:
        return False
    if not 0 <= law.bound < len(statement.bounds):
        return False
    with flint_precision(_BITS):
        size = poles.bound_at(law.k0, statement.d, statement.bounds[law.bound])
        return size is not None and bool(number(law.low) <= -size and size <= number(law.high))


def _holds_for_all(claims: Claims, law: ParityClaim, parity: int) -> bool:
    """a <= mu_k k^-rate <= b for k0 <= k < tail one by one, and from the tail on by monotony."""
    assert law.low is not None and law.high is not None and law.rate is not None and law.lead is not None
    assert law.k0 is not None and law.tail is not None and law.bound is not None
    # a tail of the other parity speaks of other eigenvalues
    if not 0 <= law.bound < len(claims.bounds) or law.k0 < 1 or law.tail % 2 != parity:
        return False
    with flint_precision(_BITS):
        low, high = number(law.low), number(law.high)
        tail = tail_at(claims, law.tail, law.bound, law.lead)
        if tail is None:
            return False
        a, b = (tail.low, tail.high) if tail.positive else (-tail.high, -tail.low)
        if not (low <= a and b <= high):
            return False
        for k in range(law.k0, law.tail):
            if k % 2 == parity:
                try:
                    value = claims.enclosure(k, law.lead)
                except AsymptokError:
                    return False  # bounds that contradict each other
                if value is None:
                    return False
                scaled = claims.scaled(value, k) * arb(k) ** ball(-law.rate) / arb(k).log() ** law.log_power
                if not (low <= scaled.lower() and scaled.upper() <= high):
                    return False
    return True
