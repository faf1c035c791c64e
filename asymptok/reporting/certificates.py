"""Certificates for people: what is proved for all k, and the first eigenvalues one by one."""

from __future__ import annotations

from asymptok.proofs import Certificate
from asymptok.proofs.claims import Law, ParityClaim
from asymptok.proofs.entire import entire_law
from asymptok.proofs.exponential import size_text
from asymptok.proofs.statement import Statement
from asymptok.reporting.blocks import Block, Paragraph
from asymptok.reporting.model import Column, Table

__all__ = ["certificate_blocks", "law_sentence", "small_table"]


def certificate_blocks(certificate: Certificate) -> tuple[Block, ...]:
    """The laws, positive definiteness and the table of small k; the reason if nothing is proved."""
    if not certificate.proved:
        reason = certificate.reason or certificate.even.reason or certificate.odd.reason
        return (Paragraph((f"Not proved: {reason}.",)),)
    lines: list[Block] = [
        Paragraph((law_sentence(certificate.source(parity), name, claim),))
        for parity, name, claim in ((0, "even", certificate.even), (1, "odd", certificate.odd))
    ]
    lines.append(Paragraph((_definite(certificate),)))
    if certificate.small:
        lines.append(small_table(certificate))
    return tuple(lines)


def law_sentence(certificate: Statement, name: str, claim: ParityClaim) -> str:
    """One sentence about all even or all odd k."""
    if claim.law is Law.ZERO:
        return f"Proved: mu_k = 0 for all {name} k \u2265 {claim.zero_from}."
    if claim.law in (Law.ALGEBRAIC, Law.GEOMETRIC):
        power = claim.power
        if claim.law is Law.GEOMETRIC:
            power = f"({certificate.rho})^(-k) {power}"
        bounds = f"{claim.low} {power} \u2264 mu_k \u2264 {claim.high} {power}"
        return f"Proved: {bounds} for all {name} k \u2265 {claim.k0}."
    if claim.law in (Law.SMOOTH, Law.STRETCHED):
        return f"Proved: 0 \u2264 mu_k \u2264 {claim.high} {claim.power} for all {name} k \u2265 {claim.k0}."
    if claim.law in (Law.OSCILLATING, Law.FLAT):
        rho = "" if certificate.rho == 1 else f"({certificate.rho})^(-k) "
        return f"Proved: |mu_k| \u2264 {claim.high} {rho}{claim.power} for all {name} k \u2265 {claim.k0}."
    if claim.frame is not None:
        bounds = f"{claim.low} F(k) \u2264 mu_k \u2264 {claim.high} F(k)"
        return f"Proved: {bounds} for all {name} k \u2265 {claim.k0}, F(k) = {size_text(claim.frame)}."
    if claim.law is Law.ENTIRE:
        return f"Proved for all {name} k: {entire_law(certificate.kernel.expr)}.".replace("<=", "\u2264")
    heights = ", ".join(str(b.height) for b in certificate.bounds)
    return f"Proved for all {name} k: |mu_k| falls at least like exp(-(k+1)h), h = {heights}, with explicit factors."


def _definite(certificate: Certificate) -> str:
    sphere = f"S^{certificate.d - 1}"
    if certificate.positive_definite:
        kind = "strictly positive definite" if certificate.strict else "positive definite"
        more = "" if certificate.strict is not False else ", not strictly"
        return f"Proved: {kind} on {sphere}{more}: mu_k \u2265 0 for all k."
    if certificate.positive_definite is False:
        return f"Proved: not positive definite on {sphere}: mu_{certificate.offending} < 0."
    return f"Whether the kernel is positive definite on {sphere} is left open by these bounds."


def small_table(certificate: Certificate) -> Table:
    """The eigenvalues that are enclosed one by one."""
    heads = [Column("k", ("k",), "r"), Column("lower", ("mu_k at least",)), Column("upper", ("at most",))]
    return Table(heads, [[str(k), low, high] for k, (low, high) in sorted(certificate.small.items())])
