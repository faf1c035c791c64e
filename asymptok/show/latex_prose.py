"""Prose for LaTeX: special characters escaped, what bears an index or a power in math mode."""

from __future__ import annotations

import re
from itertools import pairwise

from asymptok.show.prose import prose_math

__all__ = ["escape_latex", "formulas_latex", "prose_latex"]

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "''",
    "\u2212": "$-$",
    "\u00b1": r"$\pm$",
    "\u2248": r"$\approx$",
    "\u2264": r"$\le$",
    "\u2265": r"$\ge$",
    "\u223c": r"$\sim$",
    "\u03bc": r"$\mu$",
    "\u03bd": r"$\nu$",
    "\u03ba": r"$\kappa$",
    "\u03b3": r"$\gamma$",
    "\u2026": r"\ldots{}",
    "\u2014": "---",
    "\u2013": "--",
    "\u221e": r"$\infty$",
    "\u2713": "+",
    "\u2717": r"$\times$",
}


def escape_latex(text: str) -> str:
    r"""Prose whose special characters stand for themselves.

    >>> print(escape_latex("50% of a_1"))
    50\% of a\_1
    """
    return "".join(_ESCAPES.get(char, char) for char in text)


def prose_latex(text: str) -> str:
    r"""Prose as a person would type it.

    >>> print(prose_latex("50% of mu_k"))
    50\% of $\mu_{k}$
    """
    return "".join(f"${piece}$" if math else escape_latex(piece) for math, piece in prose_math(text))


_TOKEN = re.compile(
    r"(?P<word>[A-Za-z]+\d*(?:_-?\w+)?)|(?P<number>\d+(?:\.\d+)?)|(?P<space>\s+)"
    r"|(?P<mark>\*\*|<=|>=|!=|->|[-+*/^=<>~|(),])|(?P<other>.)",
    re.DOTALL,
)
_LETTERS = (
    "alpha",
    "beta",
    "gamma",
    "delta",
    "theta",
    "kappa",
    "lambda",
    "mu",
    "nu",
    "pi",
    "rho",
    "sigma",
    "Phi",
)
_NAMES = {name: rf"\{name}" for name in (*_LETTERS, "Gamma", "exp", "log", "sin", "cos", "sqrt")} | {
    "acos": r"\arccos",
    "asin": r"\arcsin",
    "oo": r"\infty",
    "E": "e",
}
_MARKS = {"*": r"\,", "<=": r"\le ", ">=": r"\ge ", "!=": r"\ne ", "->": r"\to ", "~": r"\sim "}
#: one-letter words, and marks that make no formula
_WORDS, _PUNCTUATION = ("a", "A", "I"), ("(", ")", ",", "-")
Token = tuple[str, str]


def formulas_latex(text: str) -> str:
    r"""Prose with all its typed formulas in math mode, for sentences that the package wrote.

    >>> print(formulas_latex("kappa(1 - t) = 1 - 3*sqrt(2)/pi*t**(1/2) + O(t), proved for t > 0"))
    $\kappa(1 - t) = 1 - 3\,\sqrt{2}/\pi\,t^{1/2} + O(t)$, proved for $t > 0$
    """
    out, run = "", list[Token]()
    for match in _TOKEN.finditer(text):
        token = (match.lastgroup or "", match.group())
        if _belongs(token):
            run.append(token)
        else:
            out += _set(run) + escape_latex(token[1])
            run = []
    return out + _set(run)


def _belongs(token: Token) -> bool:
    """Whether a token may stand in a formula."""
    kind, text = token
    head = re.sub(r"\d*(_.*)?$", "", text)
    return kind in ("number", "space", "mark") or (kind == "word" and (len(head) == 1 or head in _NAMES))


def _set(run: list[Token]) -> str:
    """Tokens between words: formulas apart from commas, brackets without a partner and blanks around them."""
    depth, start, parts = 0, 0, list[list[Token]]()
    for i, (_, text) in enumerate(run):
        depth += (text == "(") - (text == ")")
        if depth < 0 or (depth == 0 and text == ","):
            parts += [run[start:i], run[i : i + 1]]
            depth, start = 0, i + 1
    parts.append(run[start:])
    return "".join(map(_formula, parts))


def _formula(tokens: list[Token]) -> str:
    text = "".join(text for _, text in tokens)
    first = next((i for i, (_, x) in enumerate(tokens) if x == "("), len(tokens))
    if text.count("(") > text.count(")"):  # a bracket that words close
        return _formula(tokens[:first]) + "(" + _set(tokens[first + 1 :])
    inner = [x for kind, x in tokens if kind != "space"]
    plain = all(x in _PUNCTUATION or x in _WORDS or x.isdigit() for x in inner)
    negative = any(a == "-" and b.isdigit() for a, b in pairwise(inner))
    if (plain and not negative) or inner[0] in ("*", "/", "=") or inner[-1] in ("*", "/", "=", "-"):
        return escape_latex(text)
    left, right = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    shown = re.sub(r"(\\[A-Za-z]+) +(?=[^A-Za-z])", r"\1", _math(tokens, 0)[0].strip())
    return f"{left}${shown}${right}"


def _math(tokens: list[Token], i: int) -> tuple[str, int]:
    """LaTeX of the tokens up to a closing bracket, and where that is."""
    out = ""
    while i < len(tokens) and tokens[i][1] != ")":
        kind, text = tokens[i]
        if text in ("**", "^"):
            exponent, i = _one(tokens, i + 1)
            out += f"^{{{exponent}}}"
            continue
        if text == "sqrt" and i + 1 < len(tokens) and tokens[i + 1][1] == "(":
            inside, i = _one(tokens, i + 1)
            out += rf"\sqrt{{{inside}}}"
            continue
        if text == "(":
            inside, end = _math(tokens, i + 1)
            out, i = f"{out}({inside})", end + 1
            continue
        out += _word(text) if kind == "word" else _MARKS.get(text, text)
        i += 1
    return out, i


def _one(tokens: list[Token], i: int) -> tuple[str, int]:
    """What an exponent or a root covers: a bracket without its marks, or one token, perhaps with a sign."""
    if i < len(tokens) and tokens[i][1] == "(":
        inside, end = _math(tokens, i + 1)
        return inside, end + 1
    sign = 1 if i + 1 < len(tokens) and tokens[i][1] == "-" else 0
    return "".join(_word(text) for _, text in tokens[i : i + 1 + sign]), i + 1 + sign


def _word(text: str) -> str:
    head, _, index = text.partition("_")
    letters = head.rstrip("0123456789")
    index = index or (head[len(letters) :] if letters.isalpha() else "")
    name = _NAMES.get(letters, letters) if letters.isalpha() else head
    return name + (
        f"_{{{index}}}" if index else (" " if name.startswith("\\") and name[1:].isalpha() else "")
    )
