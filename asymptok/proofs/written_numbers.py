"""The numbers of a proof as decimals that a certificate claims, rounded outward, with room for whoever checks them."""

from __future__ import annotations

from flint import arb, fmpq

from asymptok.atlas.core import Core
from asymptok.atlas.models.lines import ModelLine
from asymptok.precision import flint_precision
from asymptok.proofs.claims import BoundClaim, TermClaim
from asymptok.proofs.decimals import down, up
from asymptok.proofs.statement import DiscClaim, EndClaim

__all__ = ["SLACK", "SMALL", "bound_claims", "decimals_of", "end_claim", "term_claims"]

#: room in the bounds, so that a checker with wider boxes can confirm them
SLACK = fmpq(1, 12)
#: digits of coefficients, of bounds, and of the first eigenvalues
_DIGITS, _FEW, SMALL = 20, 6, 11
#: decimal places of an eigenvalue that may be zero
_TINY = 60


def term_claims(core: Core) -> tuple[TermClaim, ...]:
    with flint_precision(core.effort.bits):
        claims = []
        for t in core.terms:
            # around zero there are no leading digits to keep: room for a checker that computes with fewer bits
            c = t.coefficient + arb(0, arb(10) ** -_DIGITS) if t.coefficient.contains(0) else t.coefficient
            claims.append(TermClaim(t.at, t.exponent, t.log_power, down(c, _DIGITS), up(c, _DIGITS)))
        return tuple(claims)


def bound_claims(core: Core) -> tuple[BoundClaim, ...]:
    with flint_precision(core.effort.bits):
        room = 1 + arb(SLACK)
        return tuple(
            BoundClaim(
                b.beta, up(b.plus * room, _FEW), up(b.minus * room, _FEW), up(b.curve * room, _FEW), b.height
            )
            for b in core.bounds
        )


def end_claim(core: Core, side: int) -> EndClaim:
    slit = core.slits[side]
    if slit is None:
        return EndClaim(1, ())
    if isinstance(slit, ModelLine):
        return EndClaim(0, (DiscClaim(fmpq(0), slit.length, slit.length),))
    discs = (DiscClaim(s.germ.disc.centre, s.germ.disc.radius, s.high) for s in slit.stretches)
    return EndClaim(slit.grid, tuple(discs))


def decimals_of(ball: arb) -> tuple[str, str]:
    """An eigenvalue between decimals."""
    # room for a checker, which encloses and cannot prove equality; exact zeros stay exact
    ball = ball if ball.is_zero() else ball * (1 + arb(0, arb(10) ** -SMALL))
    # what is zero for a reason that nobody saw is enclosed by less digits the next time
    ball = ball + arb(0, arb(10) ** -_TINY) if ball.contains(0) and not ball.is_zero() else ball
    return down(ball, SMALL + 2), up(ball, SMALL + 2)
