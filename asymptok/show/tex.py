"""The MathML of what is written in LaTeX by hand: names with indices, brackets, fractions; no more than that."""

from __future__ import annotations

import re
import unicodedata
from html import escape

__all__ = ["tex_mathml"]

_TOKEN = re.compile(r"\\operatorname\{[A-Za-z]+\}|\\[A-Za-z]+|\\,|\d+(?:\.\d+)?|\S")
_SIGNS = {"-": "\u2212", r"\cdot": "\u00b7", r"\cdots": "\u22ef"}
#: what stands upright, with a space before its argument
_NAMED = ("exp", "log", "sin", "cos", "arccos", "lim", "limsup", "liminf", "max", "min", "sup", "inf")
_SPACE = '<mspace width="0.17em"/>'


def tex_mathml(latex: str) -> str:
    r"""The formula as one MathML element.

    >>> tex_mathml(r"\kappa_1(u)")
    '<mrow><msub><mi>κ</mi><mn>1</mn></msub><mrow><mo>(</mo><mi>u</mi><mo>)</mo></mrow></mrow>'
    >>> tex_mathml(r"k^{-N}")
    '<msup><mi>k</mi><mrow><mo form="prefix">−</mo><mi>N</mi></mrow></msup>'
    >>> tex_mathml(r"2.89\ldots")
    '<mrow><mn>2.89</mn><mn>…</mn></mrow>'
    >>> tex_mathml(r"\limsup x")
    '<mrow><mi>limsup</mi><mspace width="0.17em"/><mi>x</mi></mrow>'
    >>> tex_mathml(r"\operatorname{Im} z")
    '<mrow><mi>Im</mi><mspace width="0.17em"/><mi>z</mi></mrow>'
    """
    return _row(_TOKEN.findall(latex)[::-1], "")


def _row(left: list[str], end: str) -> str:
    """Everything up to the token `end`, which is taken as well; `left` is the rest of the tokens, the next one last."""
    out: list[str] = []
    while left and left[-1] != end:
        if left[-1] == "-" and not out:
            left.pop()
            out.append('<mo form="prefix">\u2212</mo>')
            continue
        base = _atom(left)
        scripts = {mark: _atom(left) for mark in "_^" if left and left[-1] == mark and left.pop()}
        tag = {"": "", "_": "msub", "^": "msup", "_^": "msubsup"}["".join(scripts)]
        out.append(f"<{tag}>{base}{''.join(scripts.values())}</{tag}>" if tag else base)
    if left:
        left.pop()
    return out[0] if len(out) == 1 else f"<mrow>{''.join(out)}</mrow>"


def _atom(left: list[str]) -> str:
    token = left.pop()
    if token == "{":
        return _row(left, "}")
    if token == "(":
        inside = _row(left, ")").removeprefix("<mrow>").removesuffix("</mrow>")
        return f"<mrow><mo>(</mo>{inside}<mo>)</mo></mrow>"
    if token == r"\frac":
        return f"<mfrac>{_atom(left)}{_atom(left)}</mfrac>"
    if token == r"\sqrt":
        return f"<msqrt>{_atom(left)}</msqrt>"
    if token == r"\,":
        return _SPACE
    if token == r"\infty":
        return "<mi>\u221e</mi>"
    if token == r"\ldots":
        return "<mn>\u2026</mn>"
    if token[1:] in _NAMED or token.startswith(r"\operatorname"):
        name = token.removeprefix(r"\operatorname").strip(r"\{}")
        return f"<mi>{name}</mi>" + ("" if left[-1:] == ["("] else _SPACE)
    if token[0].isdigit():
        return f"<mn>{token}</mn>"
    if token in _SIGNS or not (token.isalpha() or token[0] == "\\"):
        return f"<mo>{escape(_SIGNS.get(token, token))}</mo>"
    return f"<mi>{token if token.isalpha() else _greek(token[1:])}</mi>"


def _greek(name: str) -> str:
    return unicodedata.lookup(f"GREEK {'CAPITAL' if name[0].isupper() else 'SMALL'} LETTER {name.upper()}")
