r"""How wide TeX sets a line, about: points at 10 pt in Computer Modern, without running TeX."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["line_width", "longest_word"]

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[{}^_$]|.", re.DOTALL)
#: characters that are not about as wide as a digit, and commands
_WIDTHS = {
    **dict.fromkeys("iljtfI.,;:'!|()[]", 3.3),
    **dict.fromkeys("mwMW", 8.0),
    **dict.fromkeys("ABCDEFGHJKLNOPQRSTUVXYZ", 7.2),
    " ": 3.4,
    r"\quad": 10.0,
    r"\,": 1.7,
    r"\!": -1.7,
    r"\pi": 6.0,
    r"\kappa": 6.1,
    r"\gamma": 5.8,
    r"\cdot": 7.2,
    r"\ldots": 13.5,
    r"\infty": 10.0,
    # brackets around fractions are larger than others
    r"\left": 3.0,
    r"\right": 3.0,
    r"\displaystyle": 0.0,
    r"\text": 0.0,
    r"\mathrm": 0.0,
    r"\operatorname": 0.0,
}
#: signs with the space around them in a formula
_SIGNS = {
    "+": 12.2,
    "-": 12.2,
    "=": 13.4,
    "<": 13.4,
    ">": 13.4,
    r"\le": 13.4,
    r"\ge": 13.4,
    r"\approx": 13.4,
    r"\sim": 13.4,
}
_SCRIPT = 0.72
_DIGIT = 5.05


def line_width(text: str) -> float:
    r"""The width of a line of prose and formulas.

    >>> round(line_width("NTK, depth 3")), round(line_width(r"$\displaystyle - \frac{3\sqrt{2}}{\pi}$"))
    (60, 33)
    """
    return _Reader(_TOKEN.findall(text)).width()


def longest_word(text: str) -> float:
    """The part of a line of prose that cannot be broken; a formula in ASCII may be, after a star."""
    return max(map(line_width, text.replace("*", "* ").split()), default=0.0)


class _Reader:
    def __init__(self, tokens: list[str]) -> None:
        self._tokens: Iterator[str] = iter(tokens)
        self._math = False

    def width(self) -> float:
        """Up to the end of the group."""
        total = 0.0
        for token in self._tokens:
            if token == "}":
                break
            total += self._one(token)
        return total

    def _one(self, token: str) -> float:
        if token == "$":
            self._math = not self._math
            return 0.0
        if token == "{":
            return self.width()
        if token in "^_":
            return _SCRIPT * self._argument()
        if token in (r"\frac", r"\dfrac"):
            return max(self._argument(), self._argument()) + 2.4
        if token == r"\sqrt":
            return self._argument() + 8.4
        if self._math and token in _SIGNS:
            return _SIGNS[token]
        if self._math and token.isspace():
            return 0.0
        return _WIDTHS.get(token, 6.5 if token.startswith("\\") else _DIGIT)

    def _argument(self) -> float:
        token = next(self._tokens, "")
        while token.isspace():
            token = next(self._tokens, "")
        return self._one(token) if token else 0.0
