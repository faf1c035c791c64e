"""A certificate as JSON: every number a decimal or a quotient written as text, rounded outward when it was made.

The claim is about the numbers as they stand in the file. `digest` is the SHA-256 of everything else, so that a damaged
file is seen at once; whether the file is true is another question, answered by `recheck` and by the checker.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from os import PathLike
from typing import Any

from sympy import sstr

from asymptok.arguments import write_text
from asymptok.proofs.expressions import to_nodes
from asymptok.proofs.fields import LISTS, STATEMENT, law_data, write_fields, written
from asymptok.proofs.making import making_data
from asymptok.proofs.statement import Statement

FORMAT = "asymptok-certificate-2"
_ENDS = {1: "+1", -1: "-1"}
PARITIES = ("even", "odd")
#: the kind of a law that is the one of a part of the kernel
PART = "part"


def to_data(certificate: Statement) -> dict[str, Any]:
    """The certificate as a dictionary of texts, integers and lists."""
    kernel = certificate.kernel
    making = making_data(kernel)
    body: dict[str, Any] = {
        "format": FORMAT,
        # for people: no claim rests on it. Whoever reads the file back shows the kernel of the nodes, not this name,
        # and proves the discs at the ends again
        "comment": {
            "name": certificate.label or kernel.name,
            "text": sstr(kernel.expr),
            "ends": _ends(certificate),
        },
        "kernel": {"nodes": to_nodes(kernel.expr)} | ({"making": making} if making else {}),
        **write_fields(certificate, STATEMENT),
        "parities": {
            name: {"kind": PART} if part is not None else law_data(claim)
            for name, claim, part in zip(
                PARITIES, (certificate.even, certificate.odd), certificate.parts, strict=True
            )
        },
        "small": [
            {"k": k, "lower": low, "upper": high} for k, (low, high) in sorted(certificate.small.items())
        ],
    }
    for key, (_, hidden) in LISTS.items():
        claims = getattr(certificate, key)
        if claims or not hidden:
            body[key] = [written(claim) for claim in claims]
    if certificate.derivatives:
        body["derivatives"] = [list(entry) for entry in certificate.derivatives]
    if certificate.coefficients is not None:
        body["coefficients"] = written(certificate.coefficients)
    if certificate.apart:
        # each a certificate of its own
        parts = zip(PARITIES, certificate.parts, strict=True)
        body["parts"] = {name: to_data(part) for name, part in parts if part is not None}
    return body | {"digest": digest(body)}


def write(certificate: Statement, path: str | PathLike[str] | None = None) -> str:
    """The JSON text; written to `path` if given."""
    text = json.dumps(to_data(certificate), indent=1, ensure_ascii=True)
    if path is not None:
        write_text(path, text)
    return text


def digest(body: Mapping[str, object]) -> str:
    """SHA-256 of the canonical text of everything but the digest itself."""
    rest = {key: value for key, value in body.items() if key != "digest"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return sha256(text.encode("ascii")).hexdigest()


def _ends(certificate: Statement) -> Any:
    if certificate.ends is None:
        return None
    return {
        _ENDS[at]: {"grid": end.grid, "discs": [written(disc) for disc in end.discs]}
        for at, end in zip((1, -1), certificate.ends, strict=True)
    }
