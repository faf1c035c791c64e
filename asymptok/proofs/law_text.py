"""What is proved about the eigenvalues of one parity, as a line of text."""

from __future__ import annotations

from asymptok.proofs.claims import Law
from asymptok.proofs.decimals import plain
from asymptok.proofs.entire import entire_law
from asymptok.proofs.exponential import size_text
from asymptok.proofs.statement import Statement

__all__ = ["law_text"]

_BOUNDS_OF_THE_MODULUS = (Law.OSCILLATING, Law.FLAT, Law.BOUNDED)


def law_text(whole: Statement, parity: int) -> tuple[int | None, str]:
    """The degree from which it holds (None for all) and the inequality."""
    claim, source = whole.law(parity), whole.source(parity)
    low, high = (None if end is None else plain(end) for end in (claim.low, claim.high))
    if claim.zero_from is not None:
        return claim.zero_from, "mu_k = 0"
    if claim.frame is not None:
        bounds = f"{low} F(k) <= mu_k <= {high} F(k)"
        return claim.k0, f"{bounds}, F(k) = {size_text(claim.frame)}"
    if claim.high is not None:
        power = claim.power if source.rho == 1 else f"({source.rho})^(-k) {claim.power}"
        if claim.law in _BOUNDS_OF_THE_MODULUS:
            return claim.k0, f"|mu_k| <= {high} {power}"
        least = "0" if claim.law in (Law.SMOOTH, Law.STRETCHED) else f"{low} {power}"
        return claim.k0, f"{least} <= mu_k <= {high} {power}"
    if claim.law is Law.ENTIRE:
        return None, entire_law(source.kernel.expr)
    if claim.law is Law.BOUNDED:
        heights = ", ".join(str(b.height) for b in source.bounds)
        return None, f"|mu_k| falls at least like exp(-(k+1)h), h = {heights}, with explicit factors"
    if claim.law is Law.GIVEN:
        return None, "mu_k as given, smaller than every power of k"
    return None, claim.law.value
