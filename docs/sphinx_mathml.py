"""Formulas as MathML, made while the pages are built: no JavaScript, no fonts from elsewhere, no network."""

from __future__ import annotations

import re
from html import escape
from typing import Any

from docutils import nodes
from docutils.utils.math import MathError, toplevel_code
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

_TAG = re.compile(r"\\tag\{([^{}]*)\}")
#: what authors write, in the dialect that docutils reads
_DIALECT = (
    (re.compile(r"\\begin\{equation\*?\}|\\end\{equation\*?\}"), ""),
    (re.compile(r"\\(begin|end)\{align\*?\}"), r"\\\1{aligned}"),
    (re.compile(r"\\(begin|end)\{gather\*?\}"), r"\\\1{gathered}"),
    (re.compile(r"\\\\\[[^\]]*\]"), r"\\\\"),
    (re.compile(r"\\dots\b"), r"\\ldots"),
    (re.compile(r"(\\[dt]?frac)\s*(\d)(\d)"), r"\1{\2}{\3}"),
    (re.compile(r"\\(big|Big|bigg|Bigg)(?=\s*([(\[|]|\\[{|]|\\l))"), r"\\\1l"),
    (re.compile(r"\\(big|Big|bigg|Bigg)(?![a-zA-Z])"), r"\\\1r"),
    (re.compile(r"(?<=[A-Za-z0-9})\]])('+)"), lambda primes: "^{" + r"\prime " * len(primes[1]) + "}"),
)
_TALL = re.compile(r"\\(?:[dt]?frac|binom|sum|prod|int|begin|sqrt|left)\b")
_INNERMOST = re.compile(
    r"\\left\s*(\(|\[|\||\\\{)((?:(?!\\left\b|\\right\b).)*)\\right\s*(\)|\]|\||\\\})", re.S
)
#: what docutils leaves to a style sheet, as attributes: the spacing of fences, slashes and named functions
_FINISH = (
    (re.compile(r"<mo>([⟨⟩])</mo>"), r'<mo stretchy="false">\1</mo>'),
    (re.compile(r"<mo([^>]*)>([(\[{⟨⌊⌈])</mo>"), r'<mo\1 form="prefix" lspace="0" rspace="0">\2</mo>'),
    (re.compile(r"<mo([^>]*)>([)\]}⟩⌋⌉])</mo>"), r'<mo\1 form="postfix" lspace="0" rspace="0">\2</mo>'),
    (re.compile(r"<mo([^>]*)>([|‖/])</mo>"), r'<mo\1 lspace="0" rspace="0">\2</mo>'),
    (re.compile(r'<mi class="capital-greek">'), '<mi mathvariant="normal">'),
    (re.compile(r'<mtable class="ams-align">'), '<mtable class="ams-align" displaystyle="true">'),
    (re.compile(r"(&ApplyFunction;</mo>\s*)(?!<mo|<mrow>\s*<mo)"), r'\1<mspace width="0.17em"/>'),
    (
        re.compile(
            r"(</m(?:i|n|sup|sub|subsup|frac|sqrt)>\s*)(<mi[^>]*>[a-z]{2,}</mi>\s*<mo>&ApplyFunction;)"
        ),
        r'\1<mspace width="0.17em"/>\2',
    ),
)


def _plain_fences(tex: str) -> str:
    r"""\\left( and \\right) only around what is taller than a line: stretched fences are set with wide gaps."""
    kept: list[str] = []

    def settle(match: re.Match[str]) -> str:
        if not _TALL.search(match[2]) and "\0" not in match[2]:
            return match[1] + match[2] + match[3]
        kept.append(match[0])
        return f"\0{len(kept) - 1}\0"

    before = None
    while before != tex:
        before, tex = tex, _INNERMOST.sub(settle, tex)
    while "\0" in tex:
        tex = re.sub("\0(\\d+)\0", lambda match: kept[int(match[1])], tex)
    return tex


def _mathml(tex: str, block: bool, node: nodes.Element) -> str:
    for pattern, replacement in _DIALECT:
        tex = pattern.sub(replacement, tex)
    tex = _plain_fences(tex.strip())
    if r"\\" in toplevel_code(tex):
        tex = rf"\begin{{aligned}}{tex}\end{{aligned}}"
    try:
        markup = str(tex2mathml(tex, as_block=block))
    except MathError as error:
        # an unreadable formula must not pass for a page: with -W this ends the build
        message = "formula that cannot be converted: %s in %s"
        logging.getLogger(__name__).warning(message, error, tex, location=node)
        return f"<code>{escape(tex)}</code>"
    for pattern, replacement in _FINISH:
        markup = pattern.sub(replacement, markup)
    return markup


def _inline(translator: Any, node: nodes.Element) -> None:
    translator.body.append(_mathml(node.astext(), False, node))
    raise nodes.SkipNode


def _display(translator: Any, node: nodes.Element) -> None:
    tex = node.astext()
    tag = _TAG.search(tex)
    number = tag[1] if tag else node["number"] and get_node_equation_number(translator, node)
    identifier = f' id="{node["ids"][0]}"' if node.get("ids") else f' id="eq-{number}"' if number else ""
    label = f'<span class="eqno">({number})</span>' if number else ""
    formula = _mathml(_TAG.sub("", tex), True, node)
    translator.body.append(f'<div class="math-display"{identifier}><div>{formula}</div>{label}</div>\n')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_html_math_renderer("mathml", (_inline, None), (_display, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
