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

from sympy import Expr, Rational, sstr

from asymptok.arguments import write_text
from asymptok.proofs.claims import Law, ParityClaim
from asymptok.proofs.expressions import to_nodes
from asymptok.proofs.inner import RestClaim
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
        "dimension": certificate.d,
        "place": None if certificate.place is None else _exponent(certificate.place),
        "inner": [
            {
                "location": _exponent(t.location),
                "exponent": _exponent(t.exponent),
                "side": t.side,
                "coefficient": _exponent(t.coefficient),
                **_logs(t.log_power),
            }
            for t in certificate.inner
        ],
        "terms": [
            {
                "end": t.at,
                "exponent": _exponent(t.exponent),
                "log": t.log_power,
                "coefficient": [t.low, t.high],
            }
            for t in certificate.terms
        ],
        "bounds": [
            {
                "beta": None if b.beta is None else _exponent(b.beta),
                "plus": b.plus,
                "minus": b.minus,
                "curve": b.curve,
                "height": str(b.height),
            }
            for b in certificate.bounds
        ],
        "parities": {
            name: {"kind": PART} if part is not None else _parity(claim)
            for name, claim, part in zip(
                PARITIES, (certificate.even, certificate.odd), certificate.parts, strict=True
            )
        },
        "small": [
            {"k": k, "lower": low, "upper": high} for k, (low, high) in sorted(certificate.small.items())
        ],
        "positive_definite": certificate.positive_definite,
        "strict": certificate.strict,
        "offending": certificate.offending,
        "reason": certificate.reason,
    }
    if certificate.derivatives:
        body["derivatives"] = [list(entry) for entry in certificate.derivatives]
    if certificate.coefficients is not None:
        known = certificate.coefficients
        body["coefficients"] = {"tau": str(known.tau), "size": known.size, "start": known.start}
    if certificate.apart:
        # each a certificate of its own
        parts = zip(PARITIES, certificate.parts, strict=True)
        body["parts"] = {name: to_data(part) for name, part in parts if part is not None}
    if certificate.rests:
        body["rests"] = [_rest(r) for r in certificate.rests]
    if certificate.poles:
        body["poles"] = [
            {
                "location": [_exponent(x) for x in p.location.as_real_imag()],
                "exponent": _exponent(p.exponent),
                "log": p.log_power,
                "real": list(p.real),
                "imaginary": list(p.imaginary),
            }
            for p in certificate.poles
        ]
    if certificate.arcs:
        body["arcs"] = [
            {
                "location": [_exponent(x) for x in a.location.as_real_imag()],
                "beta": _exponent(a.beta),
                "size": a.size,
                "height": str(a.height),
            }
            for a in certificate.arcs
        ]
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


def _exponent(value: Expr) -> Any:
    return str(value) if isinstance(value, Rational) else {"nodes": to_nodes(value)}


def _rest(claim: RestClaim) -> dict[str, Any]:
    return {
        "location": _exponent(claim.location),
        "nu": _exponent(claim.nu),
        "count": claim.count,
        "size": claim.size,
        "height": str(claim.height),
        **_logs(claim.log_power),
    }


def _logs(power: int) -> dict[str, int]:
    """The power of a logarithm at a point inside, where there is one."""
    return {"log": power} if power else {}


def _ends(certificate: Statement) -> Any:
    if certificate.ends is None:
        return None
    return {
        _ENDS[at]: {
            "grid": end.grid,
            "discs": [
                {"centre": str(x.centre), "radius": str(x.radius), "covers": str(x.covers)} for x in end.discs
            ],
        }
        for at, end in zip((1, -1), certificate.ends, strict=True)
    }


def _parity(claim: ParityClaim) -> dict[str, Any]:
    if claim.law is Law.ZERO:
        return {"kind": "zero", "from": claim.zero_from}
    if claim.law in (Law.ALGEBRAIC, Law.GEOMETRIC, Law.OSCILLATING):
        assert claim.nu is not None and claim.rate is not None
        return {
            "kind": claim.law.value,
            "nu": _exponent(claim.nu),
            "rate": _exponent(claim.rate),
            "k0": claim.k0,
            "tail": claim.tail,
            "bound": claim.bound,
            "a": claim.low,
            "b": claim.high,
            **({"log_power": claim.log_power} if claim.log_power else {}),
        }
    if claim.law is Law.EXPONENTIAL:
        assert claim.frame is not None
        frame = claim.frame
        return {
            "kind": claim.law.value,
            "base": _exponent(frame.base),
            "power": frame.power,
            "order": None if frame.order is None else _exponent(frame.order),
            **({"square": True} if frame.square else {}),
            "k0": claim.k0,
            "tail": claim.tail,
            "a": claim.low,
            "b": claim.high,
        }
    if claim.law is Law.FLAT:
        assert claim.rate is not None and claim.stretch is not None
        c, g = claim.stretch
        numbers = {
            "rate": _exponent(claim.rate),
            "k0": claim.k0,
            "b": claim.high,
            "c": c,
            "gamma": _exponent(g),
        }
        return {"kind": "flat", **numbers}
    if claim.law in (Law.SMOOTH, Law.STRETCHED):
        assert claim.rate is not None
        tau = {} if claim.tau is None else {"tau": str(claim.tau)}
        return {
            "kind": claim.law.value,
            "rate": _exponent(claim.rate),
            "k0": claim.k0,
            "b": claim.high,
            **tau,
        }
    if claim.law in (Law.BOUNDED, Law.ENTIRE):
        return {"kind": claim.law.value, "k0": claim.k0}
    if claim.law is Law.GIVEN:
        return {"kind": claim.law.value}
    return {"kind": "unknown", "reason": claim.reason}
