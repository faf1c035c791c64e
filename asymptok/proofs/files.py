"""A certificate as JSON: every number a decimal or a quotient written as text, rounded outward when it was made.

The claim is about the numbers as they stand in the file. `digest` is the SHA-256 of everything else, so that a damaged
file is seen at once; whether the file is true is another question, answered by `recheck` and by the checker.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from hashlib import sha256
from os import PathLike
from pathlib import Path
from typing import Any

from flint import fmpq
from sympy import Expr, Rational, S, sstr

from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.kernels.kernel import Kernel
from asymptok.laws.leading_exponentials import Frame
from asymptok.proofs.claims import BoundClaim, Law, ParityClaim, TermClaim
from asymptok.proofs.expressions import from_nodes, to_nodes
from asymptok.proofs.inner import RestClaim
from asymptok.proofs.making import made_again, making_data
from asymptok.proofs.poles import ArcClaim, PoleClaim
from asymptok.proofs.statement import DiscClaim, EndClaim, Statement
from asymptok.proofs.stretched import CoefficientClaim
from asymptok.spectrum.contour.inside import InnerTerm

FORMAT = "asymptok-certificate-2"
_ENDS = {1: "+1", -1: "-1"}
#: the highest power of a logarithm at a point inside that is read
_MOST_LOGS = 40


def to_data(certificate: Statement) -> dict[str, Any]:
    """The certificate as a dictionary of texts, integers and lists."""
    kernel = certificate.kernel
    making = making_data(kernel)
    body: dict[str, Any] = {
        "format": FORMAT,
        # for people and for the theorem in LaTeX: no claim rests on it, and it is not verified
        "comment": {"name": kernel.name, "text": sstr(kernel.expr), "ends": _ends(certificate)},
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
        "parities": {"even": _parity(certificate.even), "odd": _parity(certificate.odd)},
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
        try:
            Path(path).write_text(text + "\n", encoding="ascii")
        except OSError as error:
            raise AsymptokError(f"the certificate cannot be written to {path}: {error}") from error
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
        "curve": claim.curve,
        "height": str(claim.height),
        **_logs(claim.log_power),
    }


def _log_power(data: dict[str, Any]) -> int:
    power = data.get("log", 0)
    if isinstance(power, bool) or not isinstance(power, int) or not 0 <= power <= _MOST_LOGS:
        raise AsymptokError(f"not a certificate: {power!r} is no power of a logarithm")
    return power


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
    return {"kind": "unknown", "reason": claim.reason}


# reading -------------------------------------------------------------------------------------------------


def read(source: object) -> dict[str, Any]:
    """The dictionary in a path, a text or a dictionary; AsymptokError if it is no certificate or was damaged."""
    if isinstance(source, Path) or (isinstance(source, str) and not source.lstrip().startswith("{")):
        try:
            source = Path(source).read_text(encoding="utf-8")
        except OSError as error:
            raise AsymptokError(f"the certificate {source} cannot be read: {error}") from error
    if isinstance(source, str):
        try:
            source = json.loads(source)
        except json.JSONDecodeError as error:
            raise AsymptokError(f"not a certificate: {error}") from error
    if not isinstance(source, dict) or source.get("format") != FORMAT:
        raise AsymptokError(f"not a certificate of the format {FORMAT}")
    if source.get("digest") != digest(source):
        raise AsymptokError("the certificate was changed: its digest does not fit")
    return source


def parts(data: Mapping[str, object]) -> dict[str, Any]:
    """The fields of the statement that a dictionary describes; AsymptokError if one is missing or of the wrong kind."""
    try:
        return _parts(data)
    except (KeyError, TypeError, ValueError, ZeroDivisionError, AttributeError, IndexError) as error:
        raise AsymptokError(
            f"the certificate is damaged: {type(error).__name__} {error}; make it anew"
        ) from error


def _parts(data: Mapping[str, Any]) -> dict[str, Any]:
    terms = tuple(
        TermClaim(t["end"], _number(t["exponent"]), int(t["log"]), *_pair(t["coefficient"]))
        for t in data["terms"]
    )
    bounds = tuple(
        BoundClaim(
            _beta(b["beta"]),
            _decimal(b["plus"]),
            _decimal(b["minus"]),
            _decimal(b["curve"]),
            _fraction(b["height"]),
        )
        for b in data["bounds"]
    )
    parities = [_read_parity(data["parities"][name]) for name in ("even", "odd")]
    return {
        "kernel": Kernel(_read_kernel(data["kernel"]), name=data["comment"]["name"]),
        "d": int(data["dimension"]),
        "terms": terms,
        "bounds": bounds,
        "ends": _read_ends(data["comment"]["ends"]),
        "even": parities[0],
        "odd": parities[1],
        "small": _read_small(data["small"]),
        "positive_definite": data["positive_definite"],
        "strict": data["strict"],
        "offending": data["offending"],
        "reason": data["reason"],
        "place": None if data["place"] is None else _number(data["place"]),
        "inner": tuple(
            InnerTerm(
                _number(t["location"]),
                _number(t["exponent"]),
                int(t["side"]),
                _number(t["coefficient"]),
                _log_power(t),
            )
            for t in data["inner"]
        ),
        "rests": tuple(
            RestClaim(
                _number(r["location"]),
                _number(r["nu"]),
                int(r["count"]),
                _decimal(r["size"]),
                _decimal(r["curve"]),
                _fraction(r["height"]),
                _log_power(r),
            )
            for r in data.get("rests", ())
        ),
        "derivatives": tuple((int(n), _decimal(size)) for n, size in data.get("derivatives", ())),
        "coefficients": _coefficients(data["coefficients"]) if "coefficients" in data else None,
        "poles": tuple(
            PoleClaim(
                _point(*p["location"]),
                _number(p["exponent"]),
                int(p["log"]),
                _pair(p["real"]),
                _pair(p["imaginary"]),
            )
            for p in data.get("poles", ())
        ),
        "arcs": tuple(
            ArcClaim(_point(*a["location"]), _number(a["beta"]), _decimal(a["size"]), _fraction(a["height"]))
            for a in data.get("arcs", ())
        ),
    }


def _coefficients(data: Mapping[str, Any]) -> CoefficientClaim:
    return CoefficientClaim(_fraction(data["tau"]), _decimal(data["size"]), int(data["start"]))


def _read_kernel(data: Mapping[str, Any]) -> Kernel:
    """The kernel of the formula; what was made as a mean of products is made anew, and must have that formula."""
    if "making" not in data:
        return Kernel(from_nodes(data["nodes"]))
    kernel = made_again(data["making"])
    if to_nodes(kernel.expr) != data["nodes"] and kernel.expr != from_nodes(data["nodes"]):
        raise AsymptokError("the kernel of the certificate is not the one that its making gives")
    return kernel


def _point(real: str, imaginary: str) -> Expr:
    return _number(real) + S.ImaginaryUnit * _number(imaginary)


def _pair(texts: list[str]) -> tuple[str, str]:
    low, high = map(_decimal, texts)
    if Fraction(low) > Fraction(high):
        raise ValueError(f"no number lies between {low} and {high}")
    return low, high


def _beta(value: Any) -> Expr | None:
    """None, or a number above -1: x^beta is integrable at an end."""
    beta = None if value is None else _number(value)
    if beta is not None and not ball(beta) > -1:
        raise ValueError(f"beta = {beta} is not above -1")
    return beta


def _read_small(data: list[dict[str, Any]]) -> dict[int, tuple[str, str]]:
    small = {int(x["k"]): _pair([x["lower"], x["upper"]]) for x in data}
    if len(small) < len(data):
        raise ValueError("a degree occurs twice")
    return small


def _number(value: str) -> Expr:
    if isinstance(value, str):
        x = Fraction(value)
        return S(x.numerator) / x.denominator
    return from_nodes(value["nodes"])


def _decimal(text: str) -> str:
    """The text itself, if it is a number."""
    if not isinstance(text, str):
        raise ValueError(f"{text!r} is no number written as text")
    Fraction(text)
    return text


def _fraction(text: str) -> fmpq:
    x = Fraction(_decimal(text))
    return fmpq(x.numerator, x.denominator)


def _read_ends(data: Any) -> tuple[EndClaim, EndClaim] | None:
    if data is None:
        return None
    plus, minus = (
        EndClaim(
            int(end["grid"]),
            tuple(
                DiscClaim(*(_fraction(x[key]) for key in ("centre", "radius", "covers")))
                for x in end["discs"]
            ),
        )
        for end in (data["+1"], data["-1"])
    )
    return plus, minus


def _read_parity(data: Mapping[str, str]) -> ParityClaim:
    law = Law(data["kind"])
    if law is Law.ZERO:
        return ParityClaim(law, zero_from=int(data["from"]))
    if law is Law.FLAT:
        rate, k0, high = _number(data["rate"]), int(data["k0"]), _decimal(data["b"])
        stretch = _decimal(data["c"]), _number(data["gamma"])
        return ParityClaim(law, rate=rate, k0=k0, low=f"-{high}", high=high, stretch=stretch)
    if law in (Law.SMOOTH, Law.STRETCHED):
        tau = _fraction(data["tau"]) if law is Law.STRETCHED else None
        rate, k0, high = _number(data["rate"]), int(data["k0"]), _decimal(data["b"])
        return ParityClaim(law, rate=rate, k0=k0, low="0", high=high, tau=tau)
    if law is Law.EXPONENTIAL:
        order = None if data["order"] is None else _number(data["order"])
        frame = Frame(_number(data["base"]), int(data["power"]), order)
        k0, tail, ends = int(data["k0"]), int(data["tail"]), (_decimal(data["a"]), _decimal(data["b"]))
        return ParityClaim(law, k0=k0, tail=tail, low=ends[0], high=ends[1], frame=frame)
    if law in (Law.BOUNDED, Law.ENTIRE):
        return ParityClaim(law, k0=int(data["k0"]))
    if law is Law.UNKNOWN:
        return ParityClaim(law, reason=str(data["reason"]))
    return ParityClaim(
        law,
        _number(data["nu"]),
        _number(data["rate"]),
        int(data["k0"]),
        int(data["tail"]),
        int(data["bound"]),
        _decimal(data["a"]),
        _decimal(data["b"]),
        log_power=int(data.get("log_power", 0)),
    )
