"""The certificate in a file: strict reading of what `files` writes, AsymptokError for everything else."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from os import PathLike
from typing import Any, TypeVar

from flint import fmpq
from sympy import Expr, S

from asymptok.arguments import read_text
from asymptok.balls import ball
from asymptok.checker.read import BadInput, integer, parsed, rational
from asymptok.errors import AsymptokError
from asymptok.kernels.kernel import Kernel
from asymptok.laws.leading_exponentials import Frame
from asymptok.proofs.claims import BoundClaim, Law, ParityClaim, TermClaim
from asymptok.proofs.expressions import from_nodes, to_nodes
from asymptok.proofs.files import FORMAT, PARITIES, PART, digest, to_data
from asymptok.proofs.halves import part_of
from asymptok.proofs.inner import RestClaim
from asymptok.proofs.making import made_again
from asymptok.proofs.poles import ArcClaim, PoleClaim
from asymptok.proofs.statement import DiscClaim, EndClaim, Statement
from asymptok.proofs.stretched import CoefficientClaim
from asymptok.spectrum.contour.waves import InnerTerm

__all__ = ["parts", "read"]

C = TypeVar("C", bound=Statement)
#: the highest power of a logarithm at a point inside that is read
_MOST_LOGS = 40
_LARGEST = 10**12


def read(source: object) -> dict[str, Any]:
    """The dictionary in a path, a text or a dictionary; AsymptokError if it is no certificate or was damaged."""
    if isinstance(source, bytes):
        try:
            source = source.decode("utf-8")
        except UnicodeDecodeError as error:
            raise AsymptokError("not a certificate: the bytes are no text in UTF-8") from error
    if isinstance(source, PathLike) or (isinstance(source, str) and not source.lstrip().startswith("{")):
        if not str(source).strip():
            raise AsymptokError("not a certificate: the text is empty")
        source = read_text(source, "the certificate")
    if isinstance(source, str):
        try:
            source = parsed(source)
        except BadInput as error:
            raise AsymptokError(f"not a certificate: {error}") from error
    if not isinstance(source, dict) or source.get("format") != FORMAT:
        raise AsymptokError(f"not a certificate of the format {FORMAT}")
    if source.get("digest") != digest(source):
        raise AsymptokError("the certificate was changed: its digest does not fit")
    return source


def parts(data: Mapping[str, object], make: type[C]) -> C:
    """The statement that a dictionary describes; AsymptokError if a field is missing, unknown or of the wrong kind."""
    try:
        found = _parts(data, make, None)
        if _keys(to_data(found)) != _keys(data):
            raise ValueError("fields that no certificate has, at least not where they are")
        return found
    except (KeyError, TypeError, ValueError, ZeroDivisionError, AttributeError, IndexError) as error:
        raise AsymptokError(
            f"the certificate is damaged: {type(error).__name__} {error}; make it anew"
        ) from error


def _keys(data: object) -> object:
    """The fields of all claims, without their values."""
    if isinstance(data, Mapping):
        return {key: _keys(x) for key, x in data.items() if key not in ("comment", "nodes", "making")}
    return [_keys(x) for x in data] if isinstance(data, list) else None


def _parts(data: Mapping[str, Any], make: type[C], kernel: Kernel | None) -> C:
    """The statement; about a part of a kernel, if one is given, which has to have the formula in the file."""
    halves: dict[str, C] = {}
    if kernel is None:
        kernel = _read_kernel(data["kernel"])
        for name, part in data.get("parts", {}).items():
            halves[name] = _parts(read(part), make, part_of(kernel, PARITIES.index(name)))
    elif not _has_formula(kernel, data["kernel"]["nodes"]) or "parts" in data:
        raise AsymptokError("a part of the certificate is not about that part of the kernel")
    terms = tuple(
        TermClaim(_side(t["end"]), _number(t["exponent"]), _log_power(t), *_pair(t["coefficient"]))
        for t in data["terms"]
    )
    bounds = tuple(
        BoundClaim(
            _beta(b["beta"]),
            _decimal(b["plus"]),
            _decimal(b["minus"]),
            _decimal(b["curve"]),
            _height(b["height"]),
        )
        for b in data["bounds"]
    )
    if any(b["beta"] is None and (rational(b["plus"]) or rational(b["minus"])) for b in data["bounds"]):
        raise ValueError("a bound on the slits without its beta")
    laws = [_law(data["parities"][name], i, halves.get(name)) for i, name in enumerate(PARITIES)]
    fields: dict[str, Any] = {
        # under a name only if its making gives it one: the name in the comment may be that of another kernel
        "kernel": kernel,
        "label": _label(data["comment"]["name"]),
        "d": integer(data["dimension"], 2, _LARGEST),
        "terms": terms,
        "bounds": bounds,
        "ends": _read_ends(data["comment"]["ends"]),
        "even": laws[0],
        "odd": laws[1],
        "small": _read_small(data["small"]),
        "positive_definite": _answer(data["positive_definite"]),
        "strict": _answer(data["strict"]),
        "offending": None if data["offending"] is None else _whole(data["offending"]),
        "reason": _text(data["reason"]),
        "place": None if data["place"] is None else _number(data["place"]),
        "inner": tuple(
            InnerTerm(
                _number(t["location"]),
                _number(t["exponent"]),
                _side(t["side"]),
                _number(t["coefficient"]),
                _log_power(t),
            )
            for t in data["inner"]
        ),
        "rests": tuple(
            RestClaim(
                _number(r["location"]),
                _number(r["nu"]),
                _whole(r["count"]),
                _decimal(r["size"]),
                _height(r["height"]),
                _log_power(r),
            )
            for r in data.get("rests", ())
        ),
        "derivatives": tuple((_whole(n), _decimal(size)) for n, size in data.get("derivatives", ())),
        "coefficients": _coefficients(data["coefficients"]) if "coefficients" in data else None,
        "poles": tuple(
            PoleClaim(
                _point(*p["location"]),
                _number(p["exponent"]),
                _log_power(p),
                _pair(p["real"]),
                _pair(p["imaginary"]),
            )
            for p in data.get("poles", ())
        ),
        "arcs": tuple(
            ArcClaim(_point(*a["location"]), _number(a["beta"]), _decimal(a["size"]), _height(a["height"]))
            for a in data.get("arcs", ())
        ),
        "parts": tuple(halves.get(name) for name in PARITIES),
    }
    return make(**fields)


def _label(name: object) -> str | None:
    if not isinstance(name, str | None):
        raise ValueError("a name is a text")
    return name


def _answer(value: object) -> bool | None:
    if value is not None and not isinstance(value, bool):
        raise ValueError(f"expected true, false or null, not {value!r}")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"expected a text, not {value!r}")
    return value


def _coefficients(data: Mapping[str, Any]) -> CoefficientClaim:
    return CoefficientClaim(_fraction(data["tau"]), _decimal(data["size"]), _whole(data["start"]))


def _read_kernel(data: Mapping[str, Any]) -> Kernel:
    """The kernel of the formula; what was made as a mean of products is made anew, and must have that formula."""
    if "making" not in data:
        return Kernel(from_nodes(data["nodes"]))
    kernel = made_again(data["making"])
    if not _has_formula(kernel, data["nodes"]):
        raise AsymptokError("the kernel of the certificate is not the one that its making gives")
    return kernel


def _has_formula(kernel: Kernel, nodes: list[Any]) -> bool:
    return to_nodes(kernel.expr) == nodes or kernel.expr == from_nodes(nodes)


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
    small = {_whole(x["k"]): _pair([x["lower"], x["upper"]]) for x in data}
    if len(small) < len(data):
        raise ValueError("a degree occurs twice")
    return small


def _log_power(data: dict[str, Any]) -> int:
    return integer(data.get("log", 0), 0, _MOST_LOGS)


def _whole(value: object) -> int:
    return integer(value, 0, _LARGEST)


def _side(value: object) -> int:
    side = integer(value, -1, 1)
    if not side:
        raise ValueError("a side is 1 or -1")
    return side


def _number(value: str) -> Expr:
    if isinstance(value, str):
        x = rational(value)
        return S(x.numerator) / x.denominator
    return from_nodes(value["nodes"])


def _decimal(text: str) -> str:
    """The text itself, if it is a number."""
    rational(text)
    return text


def _fraction(text: str) -> fmpq:
    x = Fraction(_decimal(text))
    return fmpq(x.numerator, x.denominator)


def _height(text: str) -> fmpq:
    """Of an ellipse: S in the bounds of its curve is a sum of e^(-2jh), h > 0."""
    x = _fraction(text)
    if not x > 0:
        raise ValueError("an ellipse whose height is not positive")
    return x


def _read_ends(data: Any) -> tuple[EndClaim, EndClaim] | None:
    if data is None:
        return None
    plus, minus = (
        EndClaim(
            integer(end["grid"], 0, 1000),
            tuple(
                DiscClaim(*(_fraction(x[key]) for key in ("centre", "radius", "covers")))
                for x in end["discs"]
            ),
        )
        for end in (data["+1"], data["-1"])
    )
    return plus, minus


def _law(data: Mapping[str, str], parity: int, part: Statement | None) -> ParityClaim:
    """The law of one parity, which is that of a part if there is one."""
    if (data["kind"] == PART) != (part is not None):
        raise ValueError("a law of a part without the part, or with another law")
    if part is None:
        return _read_parity(data)
    return part.odd if parity else part.even


def _read_parity(data: Mapping[str, str]) -> ParityClaim:
    law = Law(data["kind"])
    if law is Law.ZERO:
        return ParityClaim(law, zero_from=_whole(data["from"]))
    if law is Law.FLAT:
        rate, k0, high = _number(data["rate"]), _whole(data["k0"]), _decimal(data["b"])
        stretch = _decimal(data["c"]), _number(data["gamma"])
        if rational(high) < 0:
            raise ValueError("a negative bound")
        return ParityClaim(law, rate=rate, k0=k0, low=f"-{high}", high=high, stretch=stretch)
    if law in (Law.SMOOTH, Law.STRETCHED):
        tau = _fraction(data["tau"]) if law is Law.STRETCHED else None
        rate, k0, high = _number(data["rate"]), _whole(data["k0"]), _decimal(data["b"])
        return ParityClaim(law, rate=rate, k0=k0, low="0", high=high, tau=tau)
    if law is Law.EXPONENTIAL:
        order = None if data["order"] is None else _number(data["order"])
        square = data.get("square", False)
        if not isinstance(square, bool):
            raise ValueError(f"{square!r} is neither true nor false")
        frame = Frame(_number(data["base"]), _whole(data["power"]), order, square)
        k0, tail, ends = _whole(data["k0"]), _whole(data["tail"]), (_decimal(data["a"]), _decimal(data["b"]))
        return ParityClaim(law, k0=k0, tail=tail, low=ends[0], high=ends[1], frame=frame)
    if law in (Law.BOUNDED, Law.ENTIRE):
        return ParityClaim(law, k0=_whole(data["k0"]))
    if law is Law.GIVEN:
        return ParityClaim(law)
    if law is Law.UNKNOWN:
        return ParityClaim(law, reason=str(data["reason"]))
    return ParityClaim(
        law,
        _number(data["nu"]),
        _number(data["rate"]),
        _whole(data["k0"]),
        _whole(data["tail"]),
        _whole(data["bound"]),
        _decimal(data["a"]),
        _decimal(data["b"]),
        log_power=integer(data.get("log_power", 0), 0, _MOST_LOGS),
    )
