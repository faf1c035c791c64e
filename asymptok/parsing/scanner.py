"""The shape of a text, checked token by token before Python's parser sees it.

Python's grammar is far larger than ours, and its parser can be exhausted by nesting. What passes here is made
of numbers, names and arithmetic in an order that makes an expression, so errors can say what was expected.
"""

from __future__ import annotations

import keyword
import re
from typing import NoReturn

from asymptok.errors import ParseError
from asymptok.parsing.limits import MAX_DEPTH, MAX_DIGITS, MAX_LENGTH, MAX_TOKENS

_TOKEN = re.compile(
    r"(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<operator>\*\*|<=|>=|[-+*/<>])"
    r"|(?P<punctuation>[()\[\],.=])"
)
_NUMBER = re.compile(r"([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]+))?")
_BLANK = " \t"
_EXCERPT = 60

_HINTS = {
    "^": "'^' is not a power here: write **",
    "=": "'=' is not allowed: give one expression; a comparison in a condition is < <= > >=",
    "!": "'!' is not allowed: write gamma(n + 1) for a factorial",
    "%": "'%' is not allowed: only + - * / **",
    "@": "'@' is not allowed: only + - * / **",
    "|": "'|' is not allowed: write Abs(x) for an absolute value",
    "#": "comments are not allowed",
    "\\": "a backslash is not allowed: the text is not LaTeX",
    "\n": "expected one line, found a line break",
    "\r": "expected one line, found a line break",
    "'": "quotes are not allowed: write names and numbers as they are",
    '"': "quotes are not allowed: write names and numbers as they are",
    "{": "braces are not allowed: write ( )",
    "}": "braces are not allowed: write ( )",
    "\u2212": "this is a typographic minus sign: write -",
    "\u00d7": "this is a typographic product sign: write *",
    "\u00b7": "this is a typographic product sign: write *",
    "\u00b2": "this is a superscript: write **2",
    "\u03c0": "this is a Greek letter: write pi",
    "\u221e": "infinity has no place in an expression",
}


def fail(
    message: str,
    text: str,
    position: int | None = None,
    *,
    unknown_name: str | None = None,
    unknown_function: str | None = None,
) -> NoReturn:
    """Raise ParseError: the message, then the text with a caret under the place."""
    if position is None:
        raise ParseError(message, text)
    start = max(0, position - _EXCERPT // 2)
    piece = text[start : start + _EXCERPT]
    shown = "".join(c if " " <= c <= "~" else "?" for c in piece)
    raise ParseError(
        f"{message} (position {position})\n  {shown}\n  {' ' * (position - start)}^",
        text,
        position,
        unknown_name=unknown_name,
        unknown_function=unknown_function,
    )


def check_characters(text: str) -> None:
    if len(text) > MAX_LENGTH:
        fail(f"the text has {len(text)} characters: at most {MAX_LENGTH} are read", text, MAX_LENGTH)
    if not text.strip(_BLANK):
        fail("the text is empty: expected an expression in u, such as exp(-sqrt(1 - u))", text, 0)


def scan(text: str) -> None:
    """Check that `text` is a well-formed sequence of tokens; raise ParseError otherwise.

    >>> scan("exp(-c*(1 - u)**0.5)")
    >>> scan("2u")
    Traceback (most recent call last):
    ...
    asymptok.errors.ParseError: expected an operator after 2: write 2*u (position 1)
      2u
       ^
    """
    check_characters(text)
    _Scanner(text).run()


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        # each open bracket with its position and the nesting around it
        self.brackets: list[tuple[str, int, int]] = []
        self.previous = ""
        self.kind = ""
        self.before = ""
        # Brackets, `**` and signs nest; a binary operator or a comma returns to the level of the bracket.
        self.depth = 0

    def run(self) -> None:
        position = tokens = 0
        while position < len(self.text):
            if self.text[position] in _BLANK:
                position += 1
                continue
            match = _TOKEN.match(self.text, position)
            if match is None:
                self._bad_character(position)
            tokens += 1
            if tokens > MAX_TOKENS:
                fail(f"more than {MAX_TOKENS} numbers, names and operators", self.text, position)
            self._token(match[0], str(match.lastgroup), position)
            position = match.end()
        if self.brackets:
            opening, place, _ = self.brackets[-1]
            fail(f"'{opening}' is never closed", self.text, place)
        if not self._after_operand():
            fail(f"expected a number, a name or '(' after '{self.previous}'", self.text, len(self.text))

    def _bad_character(self, position: int) -> NoReturn:
        char = self.text[position]
        if char in _HINTS:
            fail(_HINTS[char], self.text, position)
        if char.isascii():
            fail(f"unexpected character {char!r}: {_EXPECTED}", self.text, position)
        fail(
            f"only ASCII is read, found U+{ord(char):04X}: spell the name out, as in gamma or lam",
            self.text,
            position,
        )

    def _after_operand(self) -> bool:
        return self.kind in ("number", "name") or self.previous in (")", "]")

    def _token(self, token: str, kind: str, position: int) -> None:
        handler = getattr(self, f"_{kind}")
        handler(token, position)
        self.before, self.previous, self.kind = self.previous, token, kind

    def _operand(self, token: str, position: int) -> None:
        if self._after_operand():
            product = f": write {self.previous}*{token}" if self.kind == "number" else ""
            fail(f"expected an operator after {self.previous}{product}", self.text, position)

    def _number(self, token: str, position: int) -> None:
        self._operand(token, position)
        if self.previous == ".":
            fail("expected a function name after '.'", self.text, position)
        match = _NUMBER.fullmatch(token)
        digits = len(match[1]) + len(match[2]) if match else 0
        if digits > MAX_DIGITS:
            fail(f"a number of {digits} digits: at most {MAX_DIGITS} are read", self.text, position)
        power = (match[3] or "").lstrip("+-").lstrip("0") if match else ""
        if len(power) > len(str(MAX_DIGITS)) or int(power or 0) > MAX_DIGITS:
            fail(f"the power of ten of a number is at most {MAX_DIGITS}", self.text, position)

    def _name(self, token: str, position: int) -> None:
        if self.kind == "number" and token in ("j", "J"):
            fail("imaginary numbers are not allowed: a kernel is real", self.text, position)
        self._operand(token, position)
        # None of Python's words has a meaning here, except True as the last condition of Piecewise.
        if keyword.iskeyword(token) and token != "True":
            fail(f"'{token}' is a word of Python and cannot be used here", self.text, position)

    def _operator(self, token: str, position: int) -> None:
        if self._after_operand():
            if token == "**":
                self._deeper(position)
            else:
                self._level()
        elif token in ("+", "-") and self.previous != ".":
            self._deeper(position)
        else:
            fail(f"expected a number, a name or '(' before '{token}'", self.text, position)

    def _deeper(self, position: int) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            fail(f"nested more than {MAX_DEPTH} deep", self.text, position)

    def _level(self) -> None:
        self.depth = self.brackets[-1][2] + 1 if self.brackets else 0

    def _punctuation(self, token: str, position: int) -> None:
        after = self._after_operand()
        if token in "([":
            if after and (self.kind != "name" or token == "["):
                what = "indexing is not allowed" if token == "[" else f"write {self.previous}*( for a product"
                fail(f"expected an operator after '{self.previous}': {what}", self.text, position)
            if self.previous == ".":
                fail("expected a function name after '.'", self.text, position)
            self.brackets.append((token, position, self.depth))
            self._deeper(position)
        elif token in ")]":
            if not self.brackets or self.brackets[-1][0] != {")": "(", "]": "["}[token]:
                fail(f"'{token}' without its opening bracket", self.text, position)
            # f() and [] are left to the checks on the number of arguments
            if not after and self.previous not in ("(", "["):
                fail(f"expected a number, a name or '(' before '{token}'", self.text, position)
            self.depth = self.brackets.pop()[2]
        elif token == ",":
            if not after:
                fail("expected a number, a name or '(' before ','", self.text, position)
            if not self.brackets:
                fail("expected one expression, found ','", self.text, position)
            self._level()
        elif token == "=":
            # the name of an argument, laplace(c=2)
            if self.kind != "name" or self.before not in ("(", ",") or self.brackets[-1][0] != "(":
                fail(_HINTS["="], self.text, position)
        elif self.kind != "name":
            fail("expected a number, a name or '(' before '.'", self.text, position)


_EXPECTED = "expected numbers, names, + - * / **, brackets and commas"
