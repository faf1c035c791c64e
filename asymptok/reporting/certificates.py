"""Certificates for people: what is proved for all k, and the first eigenvalues one by one."""

from __future__ import annotations

from asymptok.proofs import Certificate
from asymptok.proofs.decimals import plain
from asymptok.proofs.stated_laws import law_text
from asymptok.proofs.statement import Statement
from asymptok.reporting.model import Column, Content, Table, cell
from asymptok.show.blocks import Block, Paragraph
from asymptok.show.decimals import MU, decimal

__all__ = ["certificate_blocks", "law_sentence", "small_table"]


def certificate_blocks(certificate: Certificate) -> tuple[Block, ...]:
    """The laws, positive definiteness and the table of small k; the reason if nothing is proved."""
    if not certificate.proved:
        reason = certificate.reason or certificate.even.reason or certificate.odd.reason
        return (Paragraph((f"Not proved: {reason}.",)),)
    lines: list[Block] = [Paragraph((law_sentence(certificate, parity),)) for parity in (0, 1)]
    lines.append(Paragraph((_definite(certificate),)))
    if certificate.small:
        lines.append(small_table(certificate))
    return tuple(lines)


def law_sentence(certificate: Statement, parity: int) -> str:
    """One sentence about all even (0) or all odd (1) k."""
    start, law = law_text(certificate, parity)
    law, name = law.replace("<=", "\u2264"), ("even", "odd")[parity]
    if start is None:
        return f"Proved for all {name} k: {law}."
    bounds, comma, where = law.partition(", F(k)")
    return f"Proved: {bounds} for all {name} k \u2265 {start}{comma}{where}."


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
    heads = [Column("k", ("k",), "r"), Column("lower", (MU, " at least")), Column("upper", ("at most",))]
    rows: list[list[Content]] = [
        [str(k), *(cell(decimal(plain(end)), plain=end) for end in ends)]
        for k, ends in sorted(certificate.small.items())
    ]
    return Table(heads, rows)
