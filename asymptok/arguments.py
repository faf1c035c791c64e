"""Arguments as a user gives them: whole numbers, the dimension d, the degree k, digits, counts, files to be written."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from sympy import Expr, Integer

from asymptok.errors import AsymptokError

#: beyond it lies no sphere of anybody, and floating-point estimates of sizes overflow
_LARGEST_DIMENSION = 10**30
_MOST_DIGITS = 10**6


def whole_number(value: object, what: str, least: int = 1) -> int:
    """An int from an int, or from anything that equals one.

    >>> from fractions import Fraction
    >>> whole_number(Fraction(6, 2), "depth"), whole_number(2.0, "depth")
    (3, 2)
    """
    try:
        whole = int(value)  # type: ignore[call-overload]
        exact = not isinstance(value, bool | str | bytes) and bool(whole == value)
    except (TypeError, ValueError, OverflowError):
        whole, exact = 0, False
    if not exact or whole < least:
        raise AsymptokError(f"the {what} is an integer >= {least}, not {value!r}")
    return int(whole)


def checked_dimension(d: object) -> int:
    """d >= 2 of the sphere S^(d-1) in R^d."""
    found = whole_number(d, "dimension d", least=2)
    if found > _LARGEST_DIMENSION:
        raise AsymptokError(f"the dimension d is at most 10^30, not {found}")
    return found


def symbolic_dimension(d: object) -> Expr:
    """An integer >= 2, or an expression in symbols."""
    return d if isinstance(d, Expr) and d.free_symbols else Integer(checked_dimension(d))


def checked_degree(k: object) -> int:
    """k >= 0."""
    return whole_number(k, "degree k", least=0)


def symbolic_degree(k: object) -> Expr:
    """An integer >= 0, or an expression in symbols."""
    return k if isinstance(k, Expr) and k.free_symbols else Integer(checked_degree(k))


def checked_digits(dps: object) -> int:
    """A number of decimal digits."""
    found = whole_number(dps, "number of digits dps")
    if found > _MOST_DIGITS:
        raise AsymptokError(f"the number of digits dps is at most {_MOST_DIGITS}, not {found}")
    return found


__all__ = [
    "checked_degree",
    "checked_digits",
    "checked_dimension",
    "symbolic_degree",
    "symbolic_dimension",
    "whole_number",
]


def write_text(path: str | PathLike[str], text: str) -> Path:
    """The text in that file, with a line break at its end."""
    target = as_path(path)
    try:
        target.write_text(text if text.endswith("\n") else text + "\n", encoding="utf-8")
    except OSError as error:
        raise AsymptokError(f"cannot write {path}: {error.strerror or error}") from error
    return target


def read_text(path: str | PathLike[str], what: str = "the file") -> str:
    """The text in that file."""
    target = as_path(path)
    try:
        return target.read_text(encoding="utf-8")
    except OSError as error:
        raise AsymptokError(f"{what} {path} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise AsymptokError(f"{what} {path} cannot be read: it is no text in UTF-8") from error


def as_path(path: object) -> Path:
    """The path of a file, of a text that can be one."""
    if not isinstance(path, str | PathLike):
        raise AsymptokError(f"a file is named by a text or a path, not by {path!r}")
    found = Path(path)
    try:
        legal = b"\0" not in str(found).encode()
    except UnicodeEncodeError:
        legal = False
    if not legal:
        raise AsymptokError(f"no file can have the name {str(path)!r}")
    return found
