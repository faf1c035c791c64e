"""What a local expansion of a function is written with: the table of rules, and the questions that they ask.

A rule receives the context, the SymPy node (for error messages) and the expanded arguments, and returns the
expansion of the function at them. To add a function, write one rule and decorate it:

    @expands(sinc)
    def _sinc(context, node, a):
        return context.expand(sin, a) * context.reciprocal(a, node)
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Protocol, Self, TypeAlias, TypeVar, cast

from flint import fmpq
from sympy import Expr, pi, sin, sstr

from asymptok.errors import ExpansionError, Obstruction, Undecided
from asymptok.quantities import Element
from asymptok.truth import Sign, Truth

Form = tuple[tuple[Expr, fmpq], ...]
E = TypeVar("E")
#: what a rule was asked for: an expression, or the function alone where another rule asks
Node: TypeAlias = "Expr | Callable[..., Expr]"


class Ranges(Protocol):
    """What is known of the parameters."""

    def sign(self, form: Form, rest: fmpq) -> Sign: ...
    def bounds(self, form: Form) -> tuple[fmpq | None, fmpq | None]: ...
    def no_integer(self, form: Form, rest: fmpq) -> bool: ...


class DomainOf(Protocol[E]):
    """Real constants with exact or enclosed arithmetic; elements are immutable and opaque to the callers."""

    @property
    def ranges(self) -> Ranges: ...
    @property
    def zero(self) -> E: ...
    @property
    def one(self) -> E: ...

    def rational(self, value: fmpq | int) -> E: ...
    def constant(self, expr: Expr) -> E: ...
    def to_expr(self, a: E) -> Expr: ...
    def apply(self, function: Callable[..., Expr], *args: E) -> E:
        """function(args), exactly, with whatever closed form SymPy knows for it."""
        ...

    def add(self, a: E, b: E) -> E: ...
    def neg(self, a: E) -> E: ...
    def mul(self, a: E, b: E) -> E: ...
    def scale(self, a: E, r: fmpq) -> E: ...
    def inverse(self, a: E) -> E: ...
    def power(self, a: E, form: Form, rest: fmpq) -> E:
        """a**(form + rest); a is known to be positive unless the exponent is an integer."""
        ...

    def exponent(self, a: E) -> tuple[Form, fmpq]:
        """The constant as an exponent of t."""
        ...

    def is_empty(self, a: E) -> bool:
        """Zero by its representation alone: a cheap test that may miss a zero."""
        ...

    def undecided(self, a: E, what: str, blame: object) -> Undecided:
        """The error for a test of `a` that could not be settled; `what` has a place for it: "the sign of {}"."""
        ...

    def as_rational(self, a: E) -> fmpq | None: ...
    def is_zero(self, a: E) -> Truth: ...
    def is_proved_zero(self, a: E) -> bool:
        """Zero for all values of the parameters, as far as cheap tests tell; False may mean that this is not known."""
        ...

    def sign(self, a: E) -> Sign: ...


#: the domain as rules see it
Domain: TypeAlias = DomainOf[Element]


class Lead(Protocol):
    """c t^(form + rest) (log t)^log_power."""

    @property
    def coefficient(self) -> Element: ...
    @property
    def form(self) -> Form: ...
    @property
    def rest(self) -> fmpq: ...
    @property
    def log_power(self) -> int: ...


class Series(Protocol):
    """A truncated expansion in t with its remainder: what rules use of it."""

    @property
    def dom(self) -> Domain: ...

    @property
    def blocks(self) -> Mapping[tuple[Form, int], Mapping[int, Element]]: ...
    @property
    def rem(self) -> tuple[tuple[Form, fmpq, int], ...]: ...
    @property
    def is_empty(self) -> bool: ...
    def limit(self) -> Element | None: ...
    def lead(self) -> Lead: ...
    def scalar(self, value: Element) -> Self: ...
    def scaled(self, c: Element) -> Self: ...
    def without_constant(self) -> Self: ...
    def beside(self, other: Self) -> Self: ...
    def __add__(self, other: Self) -> Self: ...
    def __sub__(self, other: Self) -> Self: ...
    def __mul__(self, other: Self) -> Self: ...
    def __neg__(self) -> Self: ...


S = TypeVar("S", bound=Series)


class ContextOf(Protocol[S]):
    """A coefficient domain, a working order, and the arithmetic of series beyond + and *."""

    @property
    def dom(self) -> Domain: ...

    def number(self, value: Expr | fmpq | int) -> S:
        """A SymPy constant or a rational number as a series."""
        ...

    def expand(self, function: Callable[..., Expr], *args: S, node: Node | None = None) -> S:
        """function(args) by its rule; constants are evaluated exactly."""
        ...

    def arc_cosine(self, n: int, a: S, node: Node | None = None) -> S:
        """kappa_n of a series."""
        ...

    def power(self, a: S, exponent: Element | fmpq, node: Node) -> S:
        """a^p for a constant p: an element of the domain, or a rational number."""
        ...

    def reciprocal(self, a: S, node: Node) -> S: ...
    def exponential(self, a: S, node: Node) -> S: ...
    def logarithm(self, a: S, node: Node) -> S: ...
    def log1p(self, x: S) -> S:
        """log(1 + x) for x with limit zero."""
        ...

    def compose(self, coefficient: Callable[[int], Element], x: S, last: int | None = None) -> S:
        """sum_n coefficient(n) x^n for x with limit zero; `last` ends a polynomial."""
        ...

    def primitive(self, value: Element, derivative: S, a: S) -> S:
        """f(a) = f(a_0) + int_0^t f'(a(s)) a'(s) ds, from f(a_0) and f'(a)."""
        ...

    def flat(self, a: S) -> S:
        """A function smaller than every power of t."""
        ...


#: the context as rules see it
Context: TypeAlias = ContextOf[Series]
Rule = Callable[..., Series]
R = TypeVar("R", bound=Rule)
_RULES: dict[Hashable, Rule] = {}


def expands(*functions: Callable[..., Expr]) -> Callable[[R], R]:
    """Register a rule for one or more SymPy functions."""

    def register(rule: R) -> R:
        for function in functions:
            _RULES[function] = rule
        return rule

    return register


def rule_for(function: Callable[..., Expr]) -> Rule | None:
    # a family of functions has one rule, that of its base
    return _RULES.get(function) or _RULES.get(getattr(function, "__base__", None))


def by_rule(rule: Rule, context: ContextOf[S], node: Node, *args: S | Sequence[Element]) -> S:
    """What the rule says over this kind of series: it makes all others from its context and its arguments."""
    return cast(S, rule(context, node, *args))


def known_functions() -> list[str]:
    """The names of all functions with a rule.

    >>> import asymptok.functions
    >>> "besselk" in known_functions()
    True
    """
    return sorted({getattr(f, "__name__", str(f)) for f in _RULES})


def exact_constant(a: Series) -> Element | None:
    """The value of a series that is one exact constant, or None."""
    if a.rem or any(key != ((), 0) for key in a.blocks):
        return None
    vector = a.blocks.get(((), 0), {})
    return a.dom.zero if not vector else (vector[0] if set(vector) == {0} else None)


def exact_constants(series: Iterable[Series]) -> list[Element] | None:
    """The values of series that are exact constants all of them, or None."""
    values = [exact_constant(a) for a in series]
    known = [value for value in values if value is not None]
    return known if len(known) == len(values) else None


def finite_limit(a: Series, node: Node, why: str, kind: Obstruction = Obstruction.METHOD) -> Element:
    """The value of the argument at the point; `why` and `kind` say what goes wrong if there is none."""
    value = a.limit()
    if value is None:
        if kind is Obstruction.GROWS and not grows_like_a_power(a):
            kind = Obstruction.METHOD  # sinh(log t) is a sum of two powers
        raise ExpansionError(f"{sstr(node)[:200]}: {why}", node, kind)
    return value


def grows_like_a_power(a: Series) -> bool:
    """Whether |a| exceeds a negative power of t next to the point."""
    lead = a.lead()
    return a.dom.ranges.sign(lead.form, lead.rest).negative


def finite_integer(context: Context, a: Series) -> int:
    """The value of a series that is an exact integer."""
    value = exact_constant(a)
    rational = None if value is None else context.dom.as_rational(value)
    if rational is None or rational.q != 1:
        raise ExpansionError("the order of a function must be an integer here")
    return int(rational.p)


def whole_value(context: Context, value: Element, node: Node) -> int | None:
    """The constant if it is an integer, None if it is certainly not one; Undecided otherwise."""
    dom = context.dom
    rational = dom.as_rational(value)
    if rational is not None:
        return int(rational.p) if rational.q == 1 else None
    form, rest = dom.exponent(value)
    expr = dom.to_expr(value)
    if dom.ranges.no_integer(form, rest):
        return None
    if expr.is_integer is False:
        return None
    raise Undecided(
        f"{sstr(node)[:200]}: cannot decide whether {sstr(expr)[:200]} is an integer, which changes the expansion:"
        f" give {sstr(expr)[:200]} a range without integers, or a value",
        expr,
        boundary=sin(pi * expr),
    )


def no_pole(context: Context, value: Element, node: Node) -> bool:
    """Is the constant certainly none of 0, -1, -2, ...? False if it is one of them; Undecided otherwise."""
    if context.dom.sign(value).positive:
        return True
    whole = whole_value(context, value, node)
    return whole is None or whole > 0


def decided_zero(context: Context, value: Element, node: Node) -> bool:
    """Is the constant zero? Undecided if that is open."""
    found = context.dom.is_zero(value)
    if found is Truth.UNKNOWN:
        raise context.dom.undecided(value, "whether {} is zero", node)
    return found is Truth.TRUE


def direction(a: Series, node: Node) -> int:
    """The sign of a series next to the point: that of its leading term."""
    if a.is_empty and not a.rem:
        return 0
    lead = a.lead()
    sign = a.dom.sign(lead.coefficient)
    if not sign.known:
        raise a.dom.undecided(lead.coefficient, "the sign of {}", node)
    return sign.number if lead.log_power % 2 == 0 else -sign.number
