"""Every error a user can meet, each naming the input, the cause and the way out."""

from __future__ import annotations

from typing import Any


class AsymptokError(Exception):
    """Root of all errors raised on purpose by this package."""


class ParseError(AsymptokError):
    """Text that is not an expression of the accepted grammar; `position` is the 0-based offset."""

    def __init__(self, message: str, text: str = "", position: int | None = None) -> None:
        super().__init__(message)
        self.text = text
        self.position = position


class ExpansionError(AsymptokError):
    """The expression has no generalised power series at the point; `subexpression` is the part to blame."""

    def __init__(self, message: str, subexpression: Any = None) -> None:
        super().__init__(message)
        self.subexpression = subexpression


class Undecided(AsymptokError):
    """A zero, sign or order test could not be settled; `assumption` is a condition that would settle it."""

    def __init__(self, message: str, assumption: Any = None) -> None:
        super().__init__(message)
        self.assumption = assumption


class PrecisionError(AsymptokError):
    """The digits asked for cannot be had within the bound on effort."""
