r"""Paragraphs of proofs with their slots filled, and decimals for print, rounded outward.

The paragraphs stand in `paragraphs.tex`: each under a line `%% name`, with slots `<name>`. Their displays are broken so
that they fit a column of 3.25 inches.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from importlib.resources import files

from flint import fmpq

from asymptok.errors import AsymptokError
from asymptok.proofs.decimals import decimal, plain

__all__ = ["Numbers", "fill", "fraction", "rows", "tabular"]

_SLOT = re.compile(r"<(\w+)>")


@cache
def _paragraphs() -> dict[str, str]:
    text = files("asymptok.proofs").joinpath("paragraphs.tex").read_text(encoding="utf-8")
    parts = re.split(r"^%% (\w+)\n", text, flags=re.MULTILINE)[1:]
    return {name: body.strip() for name, body in zip(parts[::2], parts[1::2], strict=True)}


def fill(paragraph: str, **slots: object) -> str:
    r"""A paragraph with its slots filled; `Name` is `name` with a capital letter.

    >>> print(fill("zero", name="odd", sign="-"))
    \emph{Odd $k$.} $\kappa(u) - \kappa(-u) = 0$.
    """
    texts = {key: str(value) for key, value in slots.items()}
    if "name" in texts:
        texts["Name"] = texts["name"].capitalize()
    lines = []
    for line in _paragraphs()[paragraph].split("\n"):
        filled = re.sub(" {2,}", " ", _SLOT.sub(lambda slot: texts[slot[1]], line)).strip(" ")
        if filled or not line:  # a line whose slots are empty is left out
            lines.append(filled)
    return "\n".join(lines).strip()


@dataclass(frozen=True, slots=True)
class Numbers:
    r"""Decimals with so many digits, rounded outward; all of them as they stand if `digits` is None.

    >>> Numbers(3).interval("1.23456e-7", "1.23457e-7"), Numbers(3).up("0.40876")
    ('[1.23, 1.24] \\cdot 10^{-7}', '0.409')
    """

    digits: int | None = None

    def down(self, text: str | None) -> str:
        return _latex(self._rounded(text, up=False))

    def up(self, text: str | None) -> str:
        return _latex(self._rounded(text, up=True))

    def interval(self, low: str, high: str) -> str:
        """[low, high], with one power of ten for both; a number that is known exactly alone."""
        a, b = self._rounded(low, up=False), self._rounded(high, up=True)
        if a == b:
            return _latex(a)
        largest = max(abs(Decimal(a)), abs(Decimal(b))).adjusted()
        if -3 <= largest <= 5:
            return f"[{plain(a)}, {plain(b)}]"
        a, b = (format(Decimal(x).scaleb(-largest), "f") for x in (a, b))
        return rf"[{a}, {b}] \cdot 10^{{{largest}}}"

    def _rounded(self, text: str | None, *, up: bool) -> str:
        if text is None:
            raise AsymptokError("the certificate lacks a number")
        return text if self.digits is None else decimal(Fraction(text), self.digits, up=up)


def _latex(text: str) -> str:
    """A decimal with its power of ten."""
    mantissa, _, exponent = plain(text).lower().partition("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if exponent and int(exponent) else mantissa


def fraction(x: fmpq) -> str:
    """A height or a radius."""
    return str(x.p) if x.q == 1 else rf"\tfrac{{{x.p}}}{{{x.q}}}"


def tabular(columns: str, heads: Iterable[str], body: Iterable[Iterable[str]]) -> str:
    """A table in the text of a proof, narrow enough for a column."""
    lines = " \\\\\n".join(" & ".join(row) for row in body)
    return (
        "\\begin{center}\\footnotesize\\setlength{\\tabcolsep}{4pt}\n"
        f"\\begin{{tabular}}{{{columns}}}\n{' & '.join(heads)} \\\\\\hline\n{lines}\n"
        "\\end{tabular}\n\\end{center}"
    )


def rows(lines: Iterable[str]) -> str:
    """Lines of a display, one below the other."""
    return (
        "{\\footnotesize\\allowdisplaybreaks\n\\begin{align*}\n" + " \\\\\n".join(lines) + "\n\\end{align*}}"
    )
