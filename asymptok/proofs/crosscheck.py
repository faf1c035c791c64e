"""A certificate beside the law of decay(kernel): two proofs about the same eigenvalues, which may not contradict.

Both say how large |mu_k| is for the k of one parity: limsup |mu_k| rho^k k^-p (log k)^-q is at most, or at least, a
number c. Such sizes are ordered by -log rho, then p, then q, then c; where one proof has a lower size above the upper
size of the other, one of them is false.
"""

from __future__ import annotations

from typing import NamedTuple

from flint import arb
from sympy import Expr, Integer, S, log, oo

from asymptok.balls import ball
from asymptok.constants import decide
from asymptok.errors import AsymptokError, Contradiction
from asymptok.laws import Decay, ParityDecay
from asymptok.patience import Portion
from asymptok.precision import flint_precision
from asymptok.proofs.claims import Law
from asymptok.proofs.decimals import number
from asymptok.proofs.stated_laws import law_text
from asymptok.proofs.statement import Statement
from asymptok.proofs.tails import known_decay
from asymptok.truth import Truth

__all__ = ["Size", "claimed", "require_agreement", "stated"]

_BITS = 192
#: the share of the time of a question that the law may take
_SHARE = 0.3
_TWO_SIDED = (Law.ALGEBRAIC, Law.GEOMETRIC)


class Size(NamedTuple):
    """c rho^-k k^power (log k)^logs, the first entry -log rho; infinite entries stand for all sizes of a kind."""

    rate: Expr
    power: Expr = S.Zero
    logs: Expr = S.Zero
    constant: arb | None = None

    def surely_above(self, other: Size) -> bool:
        """Whether it is proved to be the larger one."""
        for mine, theirs in zip(self[:3], other[:3], strict=True):
            gap = _order(mine, theirs)
            if gap is None or gap:
                return gap == 1
        return self.constant is not None and other.constant is not None and self.constant > other.constant


#: smaller than every power of k, than every rho^-k, and equal to zero
_NO_POWER, _ENTIRE, _ZERO = Size(S.Zero, -oo), Size(-oo, oo), Size(-oo, -oo)


def _order(a: Expr, b: Expr) -> int | None:
    """1, 0 or -1 as a is above, at or below b; None where that is not decided."""
    if oo in (abs(a), abs(b)):
        return 0 if a == b else 1 if a == oo or b == -oo else -1
    found = decide.sign(a - b)
    return found.number if found.known else None


def require_agreement(found: Statement) -> None:
    """Nothing where certificate and law agree, or one of them is silent; Contradiction otherwise."""
    law = None
    with Portion(_SHARE):
        law = _law(found)
    if law is None or law.assumes:
        return
    for parity, side in enumerate((law.even, law.odd)):
        here = side.at(found.d)
        with flint_precision(_BITS):
            mine, theirs = claimed(found, parity), stated(here, found.d)
            if _contradict(mine, theirs) or _other_sign(found, parity, here):
                text = f"certify: {side.parity} k: {law_text(found, parity)[1]}"
                raise Contradiction(f"{found.kernel}, d = {found.d}", text, f"decay: {here}")


def _law(found: Statement) -> Decay | None:
    try:
        law = known_decay(found.kernel, found.kernel.mean_product)
    except AsymptokError:
        return None
    return law if law.least_dimension <= found.d else None


def _contradict(mine: tuple[Size | None, Size | None], theirs: tuple[Size | None, Size | None]) -> bool:
    pairs = ((mine[0], theirs[1]), (theirs[0], mine[1]))
    return any(low is not None and high is not None and low.surely_above(high) for low, high in pairs)


def claimed(found: Statement, parity: int) -> tuple[Size | None, Size | None]:
    """What the certificate proves: a size that limsup |mu_k| has at least, and one that it has at most."""
    claim, rho = found.law(parity), found.source(parity).rho
    if claim.law is Law.ZERO:
        return None, _ZERO
    if claim.law in (Law.ENTIRE, Law.EXPONENTIAL):
        return (Size(-oo) if claim.law is Law.EXPONENTIAL else None), _ENTIRE
    if claim.rate is None or claim.high is None:
        return None, _NO_POWER if claim.law is Law.BOUNDED else None
    if claim.stretched:
        return None, _NO_POWER
    high = number(claim.high)
    low = -high if claim.low is None else number(claim.low)
    # the least and the greatest |x| for low <= x <= high
    inner, outer = arb.max(arb.max(low, -high), arb(0)), arb.max(abs(low), abs(high))
    frame = (-log(rho), claim.rate, Integer(claim.log_power))
    return (Size(*frame, inner) if claim.law in _TWO_SIDED else None), Size(*frame, outer)


def stated(here: ParityDecay, d: int) -> tuple[Size | None, Size | None]:
    """The same of the law in one dimension."""
    if here.kind == "zero":
        return None, _ZERO
    if here.kind == "superpolynomial":
        return None, _ENTIRE if here.rho is oo else _NO_POWER
    if here.kind == "geometric":
        return None, None if here.rho is None else Size(-log(here.rho), oo)
    constant = here.constant(d)
    if constant is None:
        return None, Size(S.Zero, here.exponent(d), oo)
    size = Size(S.Zero, here.exponent(d), Integer(here.log_power), abs(ball(constant, prec=_BITS)))
    return (size if here.attained(d) is Truth.TRUE and constant != 0 else None), size


def _other_sign(found: Statement, parity: int, here: ParityDecay) -> bool:
    """Whether mu_k ~ c k^p, and c lies outside of the interval [a, b] of the certificate beside the same power."""
    claim = found.law(parity)
    if claim.law is not Law.ALGEBRAIC or here.kind != "algebraic" or claim.low is None or claim.high is None:
        return False
    constant = here.constant(found.d)
    assert constant is not None  # an algebraic law has one
    c = ball(constant, prec=_BITS)
    return bool(c < number(claim.low)) or bool(c > number(claim.high))
