"""The claims of a certificate and their fields in a file: how each is written, and how strictly it is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from flint import fmpq
from sympy import Expr, Rational, S

from asymptok.atlas.waves import InnerTerm
from asymptok.balls import ball
from asymptok.checker.read import integer, rational
from asymptok.laws.leading_exponentials import Frame
from asymptok.proofs.claims import BoundClaim, Law, ParityClaim, TermClaim
from asymptok.proofs.expressions import from_nodes, to_nodes
from asymptok.proofs.inner import RestClaim
from asymptok.proofs.poles import ArcClaim, PoleClaim
from asymptok.proofs.statement import DiscClaim
from asymptok.proofs.stretched import CoefficientClaim

__all__ = [
    "DECIMAL",
    "LISTS",
    "PAIR",
    "STATEMENT",
    "WHOLE",
    "law_data",
    "read_fields",
    "read_law",
    "record",
    "write_fields",
    "written",
]

#: the highest power of a logarithm at a point inside that is read
_MOST_LOGS = 40
_LARGEST = 10**12
C = TypeVar("C")


class Form(NamedTuple):
    """How a value is written, and read or refused."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


class Field(NamedTuple):
    """A key in the file and an attribute of the claim, or several; what has its default is left out."""

    key: str
    attribute: str
    form: Form
    default: Any = ...


# forms of values -----------------------------------------------------------------------------------------


def _same(value: Any) -> Any:
    return value


def _write_number(value: Expr) -> Any:
    return str(value) if isinstance(value, Rational) else {"nodes": to_nodes(value)}


def _number(value: Any) -> Expr:
    if isinstance(value, str):
        x = rational(value)
        return S(x.numerator) / x.denominator
    return from_nodes(value["nodes"])


def _decimal(text: str) -> str:
    """The text itself, if it is a number."""
    rational(text)
    return text


def _pair(texts: list[str]) -> tuple[str, str]:
    low, high = map(_decimal, texts)
    if Fraction(low) > Fraction(high):
        raise ValueError(f"no number lies between {low} and {high}")
    return low, high


def _fraction(text: str) -> fmpq:
    x = Fraction(_decimal(text))
    return fmpq(x.numerator, x.denominator)


def _height(text: str) -> fmpq:
    """Of an ellipse: S in the bounds of its curve is a sum of e^(-2jh), h > 0."""
    x = _fraction(text)
    if not x > 0:
        raise ValueError("an ellipse whose height is not positive")
    return x


def _beta(value: Any) -> Expr:
    """A number above -1: x^beta is integrable at an end."""
    beta = _number(value)
    if not ball(beta) > -1:
        raise ValueError(f"beta = {beta} is not above -1")
    return beta


def _side(value: object) -> int:
    side = integer(value, -1, 1)
    if not side:
        raise ValueError("a side is 1 or -1")
    return side


def _of(kind: type) -> Callable[[Any], Any]:
    def checked(value: Any) -> Any:
        if not isinstance(value, kind):
            raise ValueError(f"expected {kind.__name__}, not {value!r}")
        return value

    return checked


def _optional(form: Form) -> Form:
    return Form(*((lambda x, f=f: None if x is None else f(x)) for f in form))


NUMBER, BETA = Form(_write_number, _number), Form(_write_number, _beta)
DECIMAL, PAIR = Form(_same, _decimal), Form(list, _pair)
FRACTION, HEIGHT = Form(str, _fraction), Form(str, _height)
POINT = Form(
    lambda z: [_write_number(x) for x in z.as_real_imag()],
    lambda xy: _number(xy[0]) + S.ImaginaryUnit * _number(xy[1]),
)
SIDE, WHOLE = Form(_same, _side), Form(_same, lambda x: integer(x, 0, _LARGEST))
LOGS = Form(_same, lambda x: integer(x, 0, _MOST_LOGS))
DIMENSION = Form(_same, lambda x: integer(x, 2, _LARGEST))
TRUTH, TEXT = Form(_same, _of(bool)), Form(_same, _of(str))

# the fields of claims ------------------------------------------------------------------------------------

_SIZE = Field("size", "size", DECIMAL)
_HEIGHT = Field("height", "height", HEIGHT)
_RECORDS: dict[type, tuple[Field, ...]] = {
    TermClaim: (
        Field("end", "at", SIDE),
        Field("exponent", "exponent", NUMBER),
        Field("log", "log_power", LOGS),
        Field("coefficient", "low high", PAIR),
    ),
    BoundClaim: (
        Field("beta", "beta", _optional(BETA)),
        Field("plus", "plus", DECIMAL),
        Field("minus", "minus", DECIMAL),
        Field("curve", "curve", DECIMAL),
        _HEIGHT,
    ),
    InnerTerm: (
        Field("location", "location", NUMBER),
        Field("exponent", "exponent", NUMBER),
        Field("side", "side", SIDE),
        Field("coefficient", "coefficient", NUMBER),
        Field("log", "log_power", LOGS, 0),
    ),
    RestClaim: (
        Field("location", "location", NUMBER),
        Field("nu", "nu", NUMBER),
        Field("count", "count", WHOLE),
        _SIZE,
        _HEIGHT,
        Field("log", "log_power", LOGS, 0),
    ),
    PoleClaim: (
        Field("location", "location", POINT),
        Field("exponent", "exponent", NUMBER),
        Field("log", "log_power", LOGS),
        Field("real", "real", PAIR),
        Field("imaginary", "imaginary", PAIR),
    ),
    ArcClaim: (Field("location", "location", POINT), Field("beta", "beta", NUMBER), _SIZE, _HEIGHT),
    CoefficientClaim: (Field("tau", "tau", FRACTION), _SIZE, Field("start", "start", WHOLE)),
    DiscClaim: tuple(Field(key, key, FRACTION) for key in ("centre", "radius", "covers")),
    Frame: (
        Field("base", "base", NUMBER),
        Field("power", "power", WHOLE),
        Field("order", "order", _optional(NUMBER)),
        Field("square", "square", TRUTH, False),
    ),
}
#: lists of claims in a certificate, and whether they are left out where they are empty
LISTS: dict[str, tuple[type, bool]] = {
    "inner": (InnerTerm, False),
    "terms": (TermClaim, False),
    "bounds": (BoundClaim, False),
    "rests": (RestClaim, True),
    "poles": (PoleClaim, True),
    "arcs": (ArcClaim, True),
}
STATEMENT = (
    Field("dimension", "d", DIMENSION),
    Field("place", "place", _optional(NUMBER)),
    Field("positive_definite", "positive_definite", _optional(TRUTH)),
    Field("strict", "strict", _optional(TRUTH)),
    Field("offending", "offending", _optional(WHOLE)),
    Field("reason", "reason", TEXT),
)

_RATE, _K0, _TAIL = Field("rate", "rate", NUMBER), Field("k0", "k0", WHOLE), Field("tail", "tail", WHOLE)
_LOW, _HIGH = Field("a", "low", DECIMAL), Field("b", "high", DECIMAL)
_BY_TERMS = (
    Field("nu", "nu", NUMBER),
    _RATE,
    _K0,
    _TAIL,
    Field("bound", "bound", WHOLE),
    _LOW,
    _HIGH,
    Field("log_power", "log_power", LOGS, 0),
)
_LAWS: dict[Law, tuple[Field, ...]] = {
    Law.ALGEBRAIC: _BY_TERMS,
    Law.GEOMETRIC: _BY_TERMS,
    Law.OSCILLATING: _BY_TERMS,
    Law.ZERO: (Field("from", "zero_from", WHOLE),),
    Law.EXPONENTIAL: (_K0, _TAIL, _LOW, _HIGH),
    Law.FLAT: (_RATE, _K0, _HIGH),
    Law.SMOOTH: (_RATE, _K0, _HIGH),
    Law.STRETCHED: (_RATE, _K0, _HIGH, Field("tau", "tau", FRACTION)),
    Law.BOUNDED: (_K0,),
    Law.ENTIRE: (_K0,),
    Law.GIVEN: (),
    Law.UNKNOWN: (Field("reason", "reason", Form(_same, str)),),
}
#: (c, g) of a law that is flat
_STRETCH = (Field("c", "", DECIMAL), Field("gamma", "", NUMBER))


def write_fields(claim: object, fields: tuple[Field, ...]) -> dict[str, Any]:
    """The fields as they stand in a file."""
    found = {}
    for key, attribute, form, default in fields:
        values = tuple(getattr(claim, name) for name in attribute.split())
        value = values[0] if len(values) == 1 else values
        if value != default:
            found[key] = form.write(value)
    return found


def read_fields(data: Mapping[str, Any], fields: tuple[Field, ...]) -> dict[str, Any]:
    """The attributes; an error if a field is missing or of the wrong kind."""
    found: dict[str, Any] = {}
    for key, attribute, form, default in fields:
        names = attribute.split()
        value = default if key not in data and default is not ... else form.read(data[key])
        found |= zip(names, value if len(names) > 1 else (value,), strict=True)
    return found


def written(claim: object) -> dict[str, Any]:
    """A claim."""
    return write_fields(claim, _RECORDS[type(claim)])


def record(kind: type[C], data: Mapping[str, Any]) -> C:
    """The claim of this kind in a file."""
    return kind(**read_fields(data, _RECORDS[kind]))


def law_data(claim: ParityClaim) -> dict[str, Any]:
    """The law of a parity."""
    found = {"kind": claim.law.value, **write_fields(claim, _LAWS[claim.law])}
    if claim.frame is not None:
        found |= written(claim.frame)
    if claim.stretch is not None:
        found |= {key: form.write(x) for (key, _, form, _), x in zip(_STRETCH, claim.stretch, strict=True)}
    return found


def read_law(data: Mapping[str, Any]) -> ParityClaim:
    law = Law(data["kind"])
    found = read_fields(data, _LAWS[law])
    if law is Law.EXPONENTIAL:
        found["frame"] = record(Frame, data)
    if law in (Law.SMOOTH, Law.STRETCHED):
        found["low"] = "0"
    if law is Law.FLAT:
        if rational(found["high"]) < 0:
            raise ValueError("a negative bound")
        c, g = (form.read(data[key]) for key, _, form, _ in _STRETCH)
        found |= {"low": f"-{found['high']}", "stretch": (c, g)}
    return ParityClaim(law, **found)
