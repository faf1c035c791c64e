"""The file: strict JSON with the expected keys only, numbers as exact text, and a digest of all the rest."""

from __future__ import annotations

import hashlib
import json
import re
from fractions import Fraction

Object = dict[str, object]
Pair = tuple[Fraction, Fraction]
PARITIES = ("even", "odd")
_MOST_DIGITS = 4000
FORMAT = "asymptok-certificate-2"
KEYS = (
    "format comment kernel dimension place inner terms bounds parities small "
    "positive_definite strict offending reason digest"
)
FURTHER = "parts rests poles arcs derivatives coefficients"
_NUMBER = re.compile(r"-?\d{1,400}(/[1-9]\d{0,399}|(\.\d{1,400})?([eE][+-]?\d{1,4})?)", re.ASCII)


class BadInput(ValueError):
    """The file is no certificate."""


def _unique(pairs: list[tuple[str, object]]) -> Object:
    out = dict(pairs)
    if len(out) != len(pairs):
        raise BadInput("a key occurs twice")
    return out


def _no_float(text: str) -> object:
    raise BadInput(f"the number {text[:20]} is not written as text")


def parsed(text: str) -> object:
    """Strict JSON: no key twice, no float, not too deep."""
    try:
        return json.loads(
            text,
            object_pairs_hook=_unique,
            parse_int=_integer,
            parse_float=_no_float,
            parse_constant=_no_float,
        )
    except (json.JSONDecodeError, RecursionError) as error:
        raise BadInput(f"not JSON: {error}") from None


def _integer(text: str) -> int:
    if len(text) > _MOST_DIGITS:
        raise BadInput(f"an integer of more than {_MOST_DIGITS} digits")
    return int(text)


def checked(data: object) -> Object:
    """An object with the keys of a certificate."""
    fields(data, KEYS, FURTHER)
    if not isinstance(data, dict) or data["format"] != FORMAT:
        raise BadInput(f"the format is not {FORMAT}")
    return data


def digest(body: Object) -> str:
    rest = {key: value for key, value in body.items() if key != "digest"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def fields(value: object, keys: str, further: str = "") -> list[object]:
    """The values of a JSON object with exactly these keys, and perhaps further ones."""
    if not isinstance(value, dict):
        raise BadInput(f"expected an object with the keys {keys}")
    if odd := (set(value) - set(further.split())) ^ set(keys.split()):
        raise BadInput(f"missing or unknown keys: {', '.join(sorted(odd))[:200]}")
    return [value[key] for key in keys.split()]


def items(value: object, length: int | None = None) -> list[object]:
    if not isinstance(value, list) or len(value) > 2000 or length not in (None, len(value)):
        raise BadInput("expected a list of the right length")
    return value


def integer(value: object, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise BadInput(f"expected an integer from {low} to {high}, not {str(value)[:40]}")
    return value


def rational(value: object) -> Fraction:
    if not isinstance(value, str) or not _NUMBER.fullmatch(value):
        raise BadInput(f"expected a number written as text, not {str(value)[:40]}")
    return Fraction(value)
