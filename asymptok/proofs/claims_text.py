"""What is proved about the eigenvalues of one parity, as text."""

from __future__ import annotations

from asymptok.proofs.claims import Law, ParityClaim
from asymptok.proofs.decimals import plain
from asymptok.proofs.entire import entire_law
from asymptok.proofs.exponential import size_text
from asymptok.proofs.statement import Statement

__all__ = ["first_degree", "law_text"]


def first_degree(claim: ParityClaim) -> int | None:
    """The degree from which on the law holds; None if that is 0 for lack of a law with constants."""
    if claim.law in (Law.UNKNOWN, Law.BOUNDED, Law.ENTIRE):
        return None
    return claim.zero_from if claim.law is Law.ZERO else claim.k0


def law_text(source: Statement, claim: ParityClaim) -> str:
    """The bounds, from first_degree on."""
    low, high = (None if end is None else plain(end) for end in (claim.low, claim.high))
    if claim.law is Law.UNKNOWN:
        return "unknown"
    if claim.law is Law.ZERO:
        return "mu_k = 0"
    if claim.law is Law.EXPONENTIAL and claim.frame is not None:
        return f"{low} F(k) <= mu_k <= {high} F(k), F(k) = {size_text(claim.frame)}"
    if claim.law is Law.ENTIRE:
        return entire_law(source.kernel.expr)
    if claim.rate is None:
        heights = ", ".join(str(bound.height) for bound in source.bounds)
        return f"|mu_k| falls at least like exp(-(k+1)h), h = {heights}, with explicit factors"
    power = claim.power if source.rho == 1 else f"({source.rho})^(-k) {claim.power}"
    if claim.law in (Law.ALGEBRAIC, Law.GEOMETRIC):
        return f"{low} {power} <= mu_k <= {high} {power}"
    if claim.law in (Law.SMOOTH, Law.STRETCHED):
        return f"0 <= mu_k <= {high} {power}"
    return f"|mu_k| <= {high} {power}"
