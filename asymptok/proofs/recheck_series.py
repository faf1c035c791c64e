"""Claims that rest on power series with coefficients >= 0, or on a contour through the ends, proved again."""

from __future__ import annotations

from collections.abc import Iterator

from sympy import Rational

from asymptok.errors import AsymptokError
from asymptok.precision import flint_precision
from asymptok.proofs.claims import ParityClaim
from asymptok.proofs.decimals import number
from asymptok.proofs.flat import flat_high, flat_parts
from asymptok.proofs.smooth import derivatives_at_one, smooth_high
from asymptok.proofs.statement import Statement
from asymptok.proofs.stretched import found_bound, stretched_high
from asymptok.spectrum.local import Unproved

__all__ = ["derivatives_again", "is_flat_law", "is_smooth_law", "is_stretched_law"]

_BITS = 192
#: of strips that are looked at
_WIDEST = 100


def derivatives_again(statement: Statement) -> Iterator[tuple[str, bool]]:
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


def is_smooth_law(statement: Statement, parity: int, law: ParityClaim) -> bool:
    """0 <= mu_k <= b k^p from k0 on, by the derivative that p stands for."""
    if law.rate is None or law.k0 is None or law.high is None or law.low != "0" or law.log_power:
        return False
    n = (2 - statement.d - law.rate) / 2
    if n not in dict(statement.derivatives) or law.k0 <= n or law.k0 % 2 != parity:
        return False
    with flint_precision(_BITS):
        high = smooth_high(statement.derivatives, int(n), law.k0, statement.d)
        return bool(high <= number(law.high))


def is_flat_law(statement: Statement, parity: int, law: ParityClaim) -> bool:
    """|mu_k| <= b k^p exp(-c k^g) from k0 on, by the contour through the ends."""
    found = flat_parts(statement.kernel.expr)
    if found is None or law.stretch is None or law.k0 is None or law.high is None or law.log_power:
        return False
    if law.stretch[1] != found.gamma or law.rate != 1 - Rational(statement.d, 2) or law.low != f"-{law.high}":
        return False
    with flint_precision(_BITS):
        c = number(law.stretch[0])
        high = flat_high(found, c, law.k0, statement.d) if c > 0 else None
        return law.k0 % 2 == parity and high is not None and bool(high <= number(law.high))


def is_stretched_law(statement: Statement, parity: int, law: ParityClaim) -> bool:
    """0 <= mu_k <= b k^p exp(-(3/2) (2 tau k)^(2/3)) from k0 on, by the coefficients of the power series."""
    claim = statement.coefficients
    if claim is None or law.tau != claim.tau or law.k0 is None or law.high is None or law.low != "0":
        return False
    if law.rate != Rational(2, 3) - Rational(statement.d, 2) or law.k0 < max(claim.start, 1) or law.log_power:
        return False
    with flint_precision(_BITS):
        return law.k0 % 2 == parity and bool(stretched_high(claim, law.k0, statement.d) <= number(law.high))
