"""The context in which the rules of functions run: a coefficient domain, a working order, the arithmetic of series."""

from __future__ import annotations

from collections.abc import Callable

from flint import fmpq
from sympy import Expr

from asymptok.constants.domain import Domain
from asymptok.constants.exponents import RATIONAL
from asymptok.errors import ExpansionError
from asymptok.functions.arccosine import ArcCosine
from asymptok.functions.expanding import Node, by_rule, exact_constants, rule_for
from asymptok.quantities import Element
from asymptok.series import elementary
from asymptok.series.truncated import Series

__all__ = ["Context"]


class Context:
    """What `functions.expanding.Context` promises to the rules."""

    def __init__(self, dom: Domain, top: fmpq) -> None:
        self.dom = dom
        self.top = top

    def number(self, value: Expr | fmpq | int) -> Series:
        """A SymPy constant or an int as a series."""
        dom = self.dom
        element = dom.rational(value) if isinstance(value, int | fmpq) else dom.constant(value)
        return Series.constant(dom, self.top, element)

    def expand(self, function: Callable[..., Expr], *args: Series, node: Node | None = None) -> Series:
        """function(args) by its rule; constants are evaluated exactly."""
        dom = self.dom
        values = exact_constants(args)
        if values is not None:
            return Series.constant(dom, self.top, dom.apply(function, *values))
        rule = rule_for(function)
        if rule is None:
            raise ExpansionError(
                f"no local expansion is known for the function {function}; see docs/adding-a-function.md",
                node if node is not None else function,
            )
        return by_rule(rule, self, node if node is not None else function, *args)

    def arc_cosine(self, n: int, a: Series, node: Node | None = None) -> Series:
        """kappa_n of a series; the walk remembers it, because kappa_1 needs kappa_0 of the same layer."""
        order = Series.constant(self.dom, self.top, self.dom.rational(n))
        return self.expand(ArcCosine, order, a, node=node)

    def power(self, a: Series, exponent: Element | fmpq, node: Node) -> Series:
        """a^p for a constant p: an element of the domain, or a rational number."""
        if isinstance(exponent, fmpq):
            return elementary.power(a, RATIONAL, exponent, node)
        return elementary.power(a, *self.dom.exponent(exponent), node)

    def reciprocal(self, a: Series, node: Node) -> Series:
        return elementary.reciprocal(a, node)

    def exponential(self, a: Series, node: Node) -> Series:
        return elementary.exponential(a, node)

    def logarithm(self, a: Series, node: Node) -> Series:
        return elementary.logarithm(a, node)

    def log1p(self, x: Series) -> Series:
        """log(1 + x) for x with limit zero."""
        return elementary.log1p(x)

    def compose(self, coefficient: Callable[[int], Element], x: Series, last: int | None = None) -> Series:
        """sum_n coefficient(n) x^n for x with limit zero; `last` ends a polynomial."""
        return elementary.compose(coefficient, x, last=last)

    def primitive(self, value: Element, derivative: Series, a: Series) -> Series:
        """f(a) from f(a_0) and f'(a)."""
        return elementary.primitive(value, derivative, a)

    def flat(self, a: Series) -> Series:
        """A function smaller than every power of t."""
        return elementary.flat(a)
