"""Prose with formulas typed as on a keyboard, set for a page: mu_k, t**(1/2), sqrt(2), >= as one prints them."""

from __future__ import annotations

import re
from html import escape

__all__ = ["latex_prose_html", "prose_html", "prose_math"]

_TOKEN = re.compile(
    r'(?P<quoted>"[^"]*")'
    r"|(?P<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?(?:\.\.\.)?)"
    r"|(?P<initial>\b[A-Z]\.(?=\s))"
    r"|(?P<word>[^\W\d_]+\d*(?:'?_-?\w+)?)"
    r"|(?P<mark>\*\*|->|>=|<=|!=|\+-|\.\.\.|.)",
    re.DOTALL,
)
_GREEK = {
    "alpha": "\u03b1", "beta": "\u03b2", "gamma": "\u03b3", "delta": "\u03b4", "eta": "\u03b7", "theta": "\u03b8",
    "kappa": "\u03ba", "lambda": "\u03bb", "mu": "\u03bc", "nu": "\u03bd", "pi": "\u03c0", "rho": "\u03c1",
    "sigma": "\u03c3", "Gamma": "\u0393", "Phi": "\u03a6", "infinity": "\u221e", "oo": "\u221e",
}  # fmt: skip
_LETTERS = "|".join(name for name in _GREEK if name not in ("infinity", "oo"))
#: Greek letters inside a formula, also next to a number, as in 2nu
_NAME = re.compile(rf"(?<![A-Za-z])({_LETTERS})(?![A-Za-z])")
_INDEXED = re.compile(
    r'(?P<quoted>"[^"]*")'
    rf"|(?P<base>\b(?:{_LETTERS}|[A-Za-z])(?![A-Za-z0-9]))?(?P<index>_(?:-?\d+|[a-z])\b)?"
    r"(?:(?:\^|\*\*)(?P<power>\((?:[^()]|\([^()]*\))*\)|-?\w+))?"
)
_ROOT = re.compile(r"sqrt\(([^()]*)\)")
_MARKS = {"->": "\u2192", ">=": "\u2265", "<=": "\u2264", "!=": "\u2260", "+-": "\u00b1", "...": "\u2026"}
#: one-letter words of the language
_ARTICLES = ("a", "A", "I")
#: names as they are typed, and as they are written
_SPELLED = {"Holder": "H\u00f6lder", "Matern": "Mat\u00e9rn"}
_OPERATORS = ("*", "/", "+", "-", "^", "**", "=", "~", ")", "|", "<", ">", ">=", "<=", "!=", "(")


def prose_html(text: str) -> str:
    """Prose with the formulas in it made readable; what stands between quotation marks is left alone.

    >>> prose_html("mu_k >= 0 and t**(1/2)")
    '<i>\u03bc</i><sub><i>k</i></sub> \u2265 0 and <i>t</i><sup>1/2</sup>'
    >>> prose_html("the gamma-exponential kernel: c_-1 = -sqrt(2)/pi")
    'the gamma-exponential kernel: <i>c</i><sub>\u22121</sub> = \u2212\u221a2/\u03c0'
    >>> prose_html("(a proof by F. Bach takes 0.1 s)")
    '(a proof by F. Bach takes 0.1 s)'
    """
    tokens = [(match.lastgroup or "", match.group()) for match in _TOKEN.finditer(text)]
    return _run(tokens)


def prose_math(text: str) -> list[tuple[bool, str]]:
    """Prose in pieces: what bears an index or a power, in LaTeX and marked, and what stands between.

    >>> prose_math("k^(-3) <= mu_k, closed_form")
    [(True, 'k^{-3}'), (False, ' <= '), (True, '\\\\mu_{k}'), (False, ', closed_form')]
    """
    for typed, written in _SPELLED.items():
        text = text.replace(typed, written)
    pieces: list[tuple[bool, str]] = []
    last = 0
    for match in _INDEXED.finditer(text):
        base, index, power = (match[name] or "" for name in ("base", "index", "power"))
        if match["quoted"] or not (power or (base and index)):
            continue
        latex = _tex(base)
        latex += f"_{{{_tex(index[1:])}}}" if index else ""
        latex += f"^{{{_tex(power.removeprefix('(').removesuffix(')'))}}}" if power else ""
        if last and last == match.start():
            # two formulas side by side would begin a displayed one
            latex = f"{pieces.pop()[1]}{{}}{latex}"
        pieces += [(False, text[last : match.start()]), (True, latex)]
        last = match.end()
    return [piece for piece in (*pieces, (False, text[last:])) if piece[1]]


def _tex(formula: str) -> str:
    return _NAME.sub(r"\\\1", _ROOT.sub(r"\\sqrt{\1}", formula)).replace("*", " ")


def latex_prose_html(text: str) -> str:
    """Sentences in LaTeX with formulas between dollar signs and lists, for a notebook that sets the formulas.

    >>> latex_prose_html("Then\\n\\\\begin{itemize}\\n\\\\item $x < 1$;\\n\\\\end{itemize}")
    'Then\\n<ul>\\n<li>$x &lt; 1$;\\n</ul>'
    """
    html = escape(text, quote=False)
    for source, tag in ((r"\begin{itemize}", "<ul>"), (r"\item ", "<li>"), (r"\end{itemize}", "</ul>")):
        html = html.replace(source, tag)
    return html


def _run(tokens: list[tuple[str, str]]) -> str:
    out: list[str] = []
    i = 0
    while i < len(tokens):
        kind, token = tokens[i]
        if token in ("**", "^") and i + 1 < len(tokens):
            end, inside = _operand(tokens, i + 1)
            out.append(f"<sup>{_run(inside)}</sup>")
            i = end
            continue
        if token == "sqrt" and i + 1 < len(tokens) and tokens[i + 1][1] == "(":
            end, inside = _operand(tokens, i + 1)
            body = _run(inside)
            out.append(
                f"\u221a{body}"
                if len(inside) == 1
                else f"\u221a<span style='text-decoration:overline'>{body}</span>"
            )
            i = end
            continue
        if [part for _, part in tokens[i : i + 3]] == ["C", "-", "infinity"]:
            out.append("<i>C</i><sup>\u221e</sup>")
            i += 3
            continue
        if token == "s" and i > 1 and tokens[i - 2][0] == "number" and tokens[i - 1][1] == " ":
            out.append(token)  # seconds
            i += 1
            continue
        before = tokens[i - 1] if i else ("", "")
        after = tokens[i + 1] if i + 1 < len(tokens) else ("", "")
        out.append(_one(kind, token, before, after))
        i += 1
    return "".join(out)


def _operand(tokens: list[tuple[str, str]], start: int) -> tuple[int, list[tuple[str, str]]]:
    """Where what follows a power or a root ends, and its tokens without the brackets around them."""
    if tokens[start][1] != "(":
        length = 2 if tokens[start][1] == "-" and start + 1 < len(tokens) else 1
        return start + length, tokens[start : start + length]
    depth = 0
    for end in range(start, len(tokens)):
        depth += {"(": 1, ")": -1}.get(tokens[end][1], 0)
        if depth == 0:
            return end + 1, tokens[start + 1 : end]
    return start + 1, tokens[start : start + 1]


def _one(kind: str, token: str, before: tuple[str, str], after: tuple[str, str]) -> str:
    if kind == "word":
        return _word(token, before[1], after[1])
    if token == "-":
        return "-" if before[0] == "word" and _is_plain(after) else "\u2212"
    if token == "*":
        return "\u00b7" if before[0] == after[0] == "number" else "\u2009"
    if kind == "number" and token.endswith("..."):
        return token[:-3].replace("e-", "e\u2212") + "\u2026"
    return escape(_MARKS.get(token, token), quote=False)


def _is_plain(token: tuple[str, str]) -> bool:
    """A word of the language, which a hyphen may join to another."""
    return (
        token[0] == "word" and len(token[1]) > 1 and (token[1] not in _GREEK or token[1] in ("gamma", "beta"))
    )


def _word(token: str, before: str, after: str) -> str:
    head, _, index = token.partition("_")
    prime = "\u2032" if head.endswith("'") else ""
    head = head.rstrip("'")
    letters = head.rstrip("0123456789")
    if letters == "kappa" and head != letters:
        # kappa0 is kappa_0
        index, head = head[len(letters) :], letters
    if head in _GREEK and not (after == "-" and head in ("gamma", "beta") and not index):
        upright = head in ("pi", "Gamma", "Phi", "infinity", "oo")
        name = "\u0393" if head == "gamma" and after == "(" else _GREEK[head]
        shown = name if upright else f"<i>{name}</i>"
    elif (
        len(head) == 1
        and head.isascii()
        and before != "'"
        and (head not in _ARTICLES or index or before in _OPERATORS[:-1] or after in _OPERATORS)
    ):
        # SymPy's E and I, next to an operator
        constant = (
            not index and head in "EI" and after != "[" and (before in _OPERATORS or after in _OPERATORS)
        )
        shown = f"<i>{head.lower() if constant else head}</i>"
    elif index:
        return escape(token, quote=False)
    else:
        return escape(_SPELLED.get(head, head), quote=False)
    if not index:
        return shown
    below = index.replace("-", "\u2212") if index.lstrip("-").isdigit() else f"<i>{escape(index)}</i>"
    return f"{shown}{prime}<sub>{below}</sub>"
