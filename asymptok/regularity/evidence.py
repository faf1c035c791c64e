"""What is said about a cover of (-1, 1): the proof in a sentence, or what was left open."""

from __future__ import annotations

from enum import Enum

import sympy
from sympy import Expr, Rational

from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.kernels.kernel import Kernel
from asymptok.regularity.domains import short
from asymptok.regularity.neighbourhood import Regular
from asymptok.regularity.pieces import Cover, Reason
from asymptok.regularity.ranges import by_ranges
from asymptok.symbols import u

__all__ = ["Evidence", "open_text", "proof_text"]


class Evidence(Enum):
    """How much is known about smoothness inside."""

    PROVED = "proved"
    REFUTED = "refuted"
    #: nothing speaks against it at sample points, and a function is not known well enough for a proof
    SUPPORTED = "supported"
    UNKNOWN = "unknown"


def proof_text(expr: Expr, found: Cover) -> str:
    """Why kappa is smooth, from a cover without gaps."""
    if len(found.pieces) == 1:
        lemmas = by_ranges(expr, found.parameters).lemmas
        return "; ".join(["every function inside is analytic at its argument on (-1, 1)", *lemmas])
    counted = {reason: [p for p in found.pieces if p.reason is reason] for reason in Reason}
    parts = [f"a cover of (-1, 1) by {len(found.pieces)} pieces"]
    parts += [f"{len(pieces)} by {_NAMES[reason]}" for reason, pieces in counted.items() if pieces]
    for piece in counted[Reason.GERM]:
        what = "removable" if piece.regular is Regular.ANALYTIC else "smooth with a flat part"
        parts.append(f"{what} at u = {sympy.sstr(piece.point)}")
    return "; ".join(parts)


_NAMES = {
    Reason.RANGES: "ranges",
    Reason.CELL: "balls",
    Reason.GERM: "germs from both sides of a point",
    Reason.SIDE: "germs beside a point",
    Reason.END: "power series at an end",
}


def open_text(kernel: Kernel, found: Cover) -> tuple[str, Evidence]:
    """What a cover has left open, and whether sample points speak for smoothness."""
    doubts = ["the time for the search was over"] if found.cut else []
    doubts += [str(p) for p in found.points]
    doubts += [f"nothing is shown between u = {sympy.N(a, 12)} and {sympy.N(b, 12)}" for a, b in found.gaps]
    doubts += [f"nothing is known about {short(node)}" for node in found.unknown]
    listed = "; ".join(doubts[:5])
    if found.unknown and not found.points and _finite_at_samples(kernel):
        return f"supported by 63 sample points only; not proved: {listed}", Evidence.SUPPORTED
    return f"not decided: {listed}", Evidence.UNKNOWN


def _finite_at_samples(kernel: Kernel) -> bool:
    try:
        return all(ball(kernel.expr, {u: Rational(j, 32)}, prec=64).is_finite() for j in range(-31, 32))
    except AsymptokError:
        return False
