"""Formulas as presentation MathML, which browsers set without any script."""

from __future__ import annotations

import re
from html import escape, unescape
from xml.dom.minidom import Element, Text

from sympy import Expr, Integer, Rational, Symbol, polygamma
from sympy.printing.mathml import MathMLPresentationPrinter

from asymptok.functions import RECORDS
from asymptok.functions.hermite import HermiteDual
from asymptok.show.formula import BigO, Factor, Formula, Power, Word, folds, signed_terms
from asymptok.show.tex import tex_mathml

__all__ = ["folded_mathml", "math_lines", "to_mathml"]

_TIMES = "<mo>\u2062</mo>"  # the invisible product
#: an invisible product between a number and one that begins with a number: 3 times 2^g would read 32^g
_DIGITS_MEET = re.compile(rf"(?<=</mn>)((?:</mrow>)*){_TIMES}(?=(?:<(?:mrow|msup|msub)>)*<mn>)")
#: and one before the name of a function: x tanh(x), not xtanh(x)
_BEFORE_A_NAME = re.compile(rf"{_TIMES}(?=<mrow><mi>[a-z]{{2,}}</mi>)")
_OPERATORS = {"-": "\u2212", "neg": "\u2212", "~": "\u223c", "<=": "\u2264", ">=": "\u2265", "!=": "\u2260",
              "approx": "\u2248"}  # fmt: skip
_BRACKET = re.compile(r"<mo>([()\[\]/])</mo>")
_FENCE = re.compile(r'(<mo form="(?:prefix|postfix)" lspace="0" rspace="0">[()\[\]]</mo>)')
_NAMES = {f.__name__: record.symbol for f, record in RECORDS.items() if record.symbol}


class _Printer(MathMLPresentationPrinter):
    """SymPy's printer, taught the arc-cosine functions and a plainer look for exponents and minus signs."""

    def _element(self, tag: str, *children: Element, text: str | None = None) -> Element:
        node = self.dom.createElement(tag)
        if text is not None:
            node.appendChild(self.dom.createTextNode(text))
        for child in children:
            node.appendChild(child)
        return node

    def _applied(self, head: Element, *arguments: object) -> Element:
        inside = [self._element("mo", text="(")]
        for i, argument in enumerate(arguments):
            if i:
                inside.append(self._element("mo", text=","))
            inside.append(self._print(argument))
        inside.append(self._element("mo", text=")"))
        return self._element("mrow", head, self._element("mrow", *inside))

    def _indexed(self, name: str, index: object) -> Element:
        return self._element("msub", self._element("mi", text=name), self._print(index))

    def _print_ArcCosine(self, expr: Expr) -> Element:
        return self._applied(self._indexed("\u03ba", expr.args[0]), expr.args[1])

    def _print_Orthant(self, expr: Expr) -> Element:
        return self._applied(self._indexed("\u03a6", Integer(2)), *expr.args)

    def _mean(self, expr: HermiteDual) -> Element:
        phi, marks, z = expr.shown
        hat = self._element("mover", self._element("mi", text="\u03ba"), self._element("mo", text="^"))
        opening, closing = (self._element("mo", text=bracket) for bracket in "[]")
        head = self._element("mrow", hat, opening, self._print(phi), closing)
        if marks:
            shown = marks.replace("'", "\u2032")
            head = self._element("msup", head, self._element("mo", text=shown))
        return self._applied(head, z)

    def _of_depth(self, tangent: object, depth: object) -> Element:
        label = self._element("mi", text="NTK" if tangent == 1 else "RF")
        upper = (self._element("mo", text="("), self._print(depth), self._element("mo", text=")"))
        return self._element(
            "msubsup", self._element("mi", text="\u03ba"), label, self._element("mrow", *upper)
        )

    def _print_DeepReLU(self, expr: Expr) -> Element:
        return self._applied(self._of_depth(*expr.args[:2]), expr.args[2])

    def _print_SlopeProduct(self, expr: Expr) -> Element:
        j = Symbol("j")
        below = self._element("mrow", self._print(j), self._element("mo", text="="), self._print(Integer(2)))
        product = self._element(
            "munderover", self._element("mo", text="\u220f"), below, self._print(expr.args[0] - 1)
        )
        inner = self._applied(self._of_depth(0, j), Integer(-1))
        opening, closing = (self._element("mo", text=bracket) for bracket in "()")
        factor = self._element("mrow", self._indexed("\u03ba", Integer(0)), opening, inner, closing)
        return self._element("mrow", product, factor)

    def _print_EndCoefficient(self, expr: Expr) -> Element:
        tangent, depth, m = expr.args
        power = self._element("msup", self._print(Symbol("t")), self._folded(m / 2))
        opening, closing = (self._element("mo", text=bracket) for bracket in "[]")
        of = self._applied(self._of_depth(tangent, depth), Symbol("t") - 1)
        return self._element("mrow", opening, power, closing, of)

    def _print_Function(self, expr: Expr) -> Element:
        if isinstance(expr, HermiteDual):  # SymPy looks for no method of a base class of a function
            return self._mean(expr)
        name = _NAMES.get(expr.func.__name__)
        if isinstance(expr, polygamma) and expr.args[0] == 0:
            return self._applied(self._element("mi", text=name), expr.args[1])
        if name is not None and len(expr.args) == 2:
            return self._applied(self._indexed(name, expr.args[0]), expr.args[1])
        return super()._print_Function(expr)

    for _name in _NAMES:
        vars()[f"_print_{_name}"] = _print_Function

    def _print_EulerGamma(self, expr: Expr) -> Element:
        return self._indexed("\u03b3", Symbol("E"))

    def _print_Exp1(self, expr: Expr) -> Element:
        return self._element("mi", text="e")

    def _print_exp(self, expr: Expr) -> Element:
        return self._element("msup", self._element("mi", text="e"), self._folded(expr.args[0]))

    def _print_Pow(self, expr: Expr) -> Element:
        if not folds(expr) and (expr.exp.is_Rational or not expr.base.is_Atom):
            return super()._print_Pow(expr)
        base = self._print(expr.base)
        if not expr.base.is_Atom or (expr.base.is_Number and expr.base.is_negative):
            base = self._element("mrow", self._element("mo", text="("), base, self._element("mo", text=")"))
        return self._element("msup", base, self._folded(expr.exp))

    def _folded(self, exponent: Expr) -> Element:
        """Fractions in exponents stay on one line: 3/2, \u03b3/2."""
        if exponent.is_Add:
            row = []
            for i, (sign, term) in enumerate(signed_terms(exponent)):
                if i or sign == "-":
                    row.append(self._element("mo", text=sign))
                row.append(self._folded(term))
            return self._element("mrow", *row)
        number, rest = exponent.as_coeff_Mul(rational=True)
        if not (number.is_Rational and number.q != 1):
            return self._print(exponent)
        parts = []
        if number < 0:
            parts.append(self._element("mo", text="\u2212"))
        if abs(number.p) != 1 or rest == 1:
            parts.append(self._element("mn", text=str(abs(number.p))))
        if rest != 1:
            if parts and abs(number.p) != 1:
                parts.append(self._element("mo", text="\u2062"))
            inner = self._print(rest)
            if rest.is_Add:
                inner = self._element(
                    "mrow", self._element("mo", text="("), inner, self._element("mo", text=")")
                )
            parts.append(inner)
        parts += [self._element("mo", text="/"), self._element("mn", text=str(number.q))]
        return self._element("mrow", *parts)


def to_mathml(expr: Expr) -> str:
    """An expression as MathML without the surrounding element.

    >>> from sympy import Rational, pi
    >>> to_mathml(Rational(1, 2)/pi)
    '<mrow><mfrac><mn>1</mn><mrow><mn>2</mn><mo>\u2062</mo><mi>\u03c0</mi></mrow></mfrac></mrow>'
    """
    return _readable(_serialised(_Printer({"mul_symbol": "\u2062"})._print(expr)))


def folded_mathml(expr: Expr) -> str:
    """An expression with its leading fraction on one line: 3/2."""
    return _readable(_serialised(_Printer({"mul_symbol": "\u2062"})._folded(expr)))


def _readable(mathml: str) -> str:
    """A dot where two numbers meet, and room before the name of a function.

    >>> _readable("<mn>3</mn><mo>\u2062</mo><msup><mn>2</mn><mi>g</mi></msup>")
    '<mn>3</mn><mo>·</mo><msup><mn>2</mn><mi>g</mi></msup>'
    """
    apart = _BEFORE_A_NAME.sub(rf'{_TIMES}<mspace width="0.17em"/>', mathml)
    return _DIGITS_MEET.sub("\\1<mo>\u00b7</mo>", apart)


def _serialised(node: Element | Text) -> str:
    """The tree as text; SymPy leaves entities in its text nodes, characters are safer in a page."""
    if isinstance(node, Text):
        parent = node.parentNode
        data = unescape(node.data).replace("\u2061", "")
        return escape(
            data.replace("-", "\u2212")
            if isinstance(parent, Element) and parent.tagName in ("mo", "mn")
            else data
        )
    children = [child for child in node.childNodes if isinstance(child, Element | Text)]
    if node.tagName == "mo":
        return operator(_serialised(children[0])) if children else "<mo></mo>"
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in node.attributes.items())
    body = "".join(_serialised(child) for child in children)
    return f"<{node.tagName}{attributes}>{body}</{node.tagName}>"


def operator(sign: str) -> str:
    """An <mo> with its form and spacing written down, which browsers would guess from the neighbours."""
    if sign in "([":
        return f'<mo form="prefix" lspace="0" rspace="0">{sign}</mo>'
    if sign in ")]":
        return f'<mo form="postfix" lspace="0" rspace="0">{sign}</mo>'
    if sign == "/":
        return '<mo form="infix" lspace="0" rspace="0">/</mo>'
    return f"<mo>{sign}</mo>"


def math_lines(formula: Formula, display: bool = False) -> str:
    """The formula as one <math> element for each piece, so that a browser can break lines between them.

    >>> from sympy import Integer
    >>> from asymptok.show.formula import Piece
    >>> math_lines(Formula((Piece("", (Integer(1),)), Piece("-", (Integer(2),)))))
    '<math><mn>1</mn></math> <math><mo form="infix" lspace="0" rspace="0.35em">\u2212</mo><mn>2</mn></math>'
    """
    groups: list[list[str]] = []
    for piece in formula.pieces:
        sign = escape(_OPERATORS.get(piece.operator, piece.operator))
        unary = piece.operator == "neg" or (not groups and piece.operator == "-")
        space = "" if unary else ' lspace="0" rspace="0.35em"'
        mark = f'<mo form="{"prefix" if unary else "infix"}"{space}>{sign}</mo>' if sign else ""
        body = mark + _product(piece.factors)
        if groups and piece.operator == "neg":
            groups[-1].append(body)  # a relation and the sign after it stay together
        else:
            groups.append([body])
    style = ' displaystyle="true"' if display else ""
    return " ".join(f"<math{style}>{_fitted(''.join(group))}</math>" for group in groups)


def _fitted(mathml: str) -> str:
    """Brackets around something low keep their size: browsers set stretchy ones with room to grow."""
    opened: list[int] = []
    parts = _FENCE.split(mathml)
    for i in range(1, len(parts), 2):
        if 'form="prefix"' in parts[i]:
            opened.append(i)
        elif opened:
            start = opened.pop()
            if not any("<mfrac>" in part for part in parts[start:i]):
                for j in (start, i):
                    parts[j] = parts[j].replace("<mo ", '<mo stretchy="false" ')
    return "".join(parts)


def _product(factors: tuple[Factor, ...]) -> str:
    shown = []
    for factor in factors:
        if len(factors) > 1 and factor == 1:
            continue
        part = _factor(factor)
        if len(factors) > 1 and isinstance(factor, Expr) and factor.is_Add:
            part = f"<mrow>{operator('(')}{part}{operator(')')}</mrow>"
        shown.append(part)
        if isinstance(factor, Word):
            shown.append('<mspace width="0.17em"/>')
    return _readable(_TIMES.join(shown))


def _factor(factor: Factor) -> str:
    if isinstance(factor, Word):
        # the same care for brackets that were written by hand
        return _BRACKET.sub(lambda match: operator(match[1]), factor.mathml or tex_mathml(factor.latex))
    if isinstance(factor, BigO):
        return f"<mrow><mi>O</mi><mrow>{operator('(')}{_power(factor.power)}{operator(')')}</mrow></mrow>"
    if isinstance(factor, Power):
        return _power(factor)
    return to_mathml(factor)


def _power(power: Power) -> str:
    parts = []
    base = to_mathml(power.base)
    if power.exponent == 1:
        parts.append(base)
    elif power.exponent != 0:
        parts.append(f"<msup>{base}{folded_mathml(power.exponent)}</msup>")
    if power.log_power:
        log = "<mi>log</mi>"
        if power.log_power > 1:
            log = f"<msup>{log}<mn>{Rational(power.log_power)}</mn></msup>"
        parts.append(f"<mrow>{log}<mspace width='0.17em'/>{base}</mrow>")
    return f"<mrow>{_TIMES.join(parts)}</mrow>" if parts else "<mn>1</mn>"
