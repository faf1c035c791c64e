"""certify() for a kernel that is given by its eigenvalues, in the dimension in which they are."""

from __future__ import annotations

from flint import arb, fmpq
from sympy import Rational

from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.kernels.given_form import GivenForm, given_form, given_nodes
from asymptok.kernels.kernel import Kernel
from asymptok.laws.derive import decay
from asymptok.precision import flint_precision
from asymptok.proofs.certificate import Certificate
from asymptok.proofs.claims import BoundClaim, Claims, Law, Lead, ParityClaim, TermClaim
from asymptok.proofs.decimals import down, up, writable
from asymptok.proofs.given import HEIGHT, GivenSigns, given_bound, given_parts
from asymptok.proofs.tails import law_of
from asymptok.proofs.written_numbers import SLACK, SMALL, decimals_of
from asymptok.spectrum.compute import eigenvalues

__all__ = ["certify_given"]

#: digits of the coefficients and of the bound
_DIGITS, _FEW = 20, 6
_BITS = 256
#: eigenvalues listed at least
_LISTED = 8


def certify_given(kernel: Kernel, d: int, goal: fmpq) -> Certificate | None:
    """Laws, numbers and definiteness by the formula; None for kernels without given eigenvalues."""
    if not given_nodes(kernel.expr):
        return None
    form = given_form(kernel.expr)
    if form is None or form.dimension != d:
        where = "in a product or a composition" if form is None else f"in dimension {form.dimension}"
        reason = f"the eigenvalues are given {where}, and nothing is proved of those in dimension {d}"
        nothing = ParityClaim(Law.UNKNOWN, reason=reason)
        return Certificate(kernel, d, (), (), None, nothing, nothing, {}, None, None, None, reason)
    claims = _claims(kernel, form)
    laws = [_law(kernel, claims, parity, goal) for parity in (0, 1)]
    last = max([_LISTED, form.degree + 1, *(law.k0 or law.zero_from or 0 for law in laws)])
    found = eigenvalues(kernel, d, ks=range(last + 1), dps=SMALL)
    with flint_precision(128):
        small = {k: decimals_of(found.ball(k)) for k in found.ks if writable(found.ball(k))}
    sign = GivenSigns(kernel.expr, form)
    terms, bounds = (claims.terms, claims.bounds) if claims is not None else ((), ())
    reason = next((law.reason for law in laws if law.law is Law.UNKNOWN), "")
    return Certificate(
        kernel=kernel, d=d, terms=terms, bounds=bounds, ends=None, even=laws[0], odd=laws[1], small=small,
        positive_definite=sign.positive, strict=sign.strict, offending=sign.offending, reason=reason,
    )  # fmt: skip


def _claims(kernel: Kernel, form: GivenForm) -> Claims | None:
    """The terms behind the formula, and what they leave."""
    try:
        bound, parts = given_bound(kernel.expr, form, _BITS), given_parts(form)
    except AsymptokError:
        return None
    if bound is None or parts is None:
        return None
    terms = []
    with flint_precision(_BITS):
        for side, part in parts[0].items():
            for nu, a in part.powers():
                exponent, value = Rational(int(nu.p), int(nu.q)), ball(a)
                ends = down(value, _DIGITS), up(value, _DIGITS)
                terms.append(TermClaim(side, exponent, int(nu.q == 1), *ends))
        size = up(bound * (1 + arb(SLACK)), _FEW)
    beta = Rational(int(parts[1].p), int(parts[1].q))
    return Claims(form.dimension, tuple(terms), (BoundClaim(beta, size, "0", "0", HEIGHT),))


def _law(kernel: Kernel, claims: Claims | None, parity: int, goal: fmpq) -> ParityClaim:
    found = decay(kernel)
    law = found.odd if parity else found.even
    if law.kind == "zero":
        return ParityClaim(Law.ZERO, zero_from=law.zero_from)
    if law.kind == "algebraic" and law.lead is not None and claims is not None:
        return law_of(claims, parity, Lead(law.lead.nu, law.lead.log_power), goal)
    if law.kind in ("geometric", "superpolynomial"):
        return ParityClaim(Law.GIVEN)
    return ParityClaim(Law.UNKNOWN, reason="what the leading powers of k leave of the formula is not bounded")
