"""What an expression must be to be a kernel, and what a text, its parameters and substitutions say."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

from sympy import Expr, Float, I, Integer, S, Symbol, nan, oo, zoo
from sympy.core.function import AppliedUndef

from asymptok import dag, ways_out
from asymptok.errors import AsymptokError
from asymptok.functions.arccosine import ArcCosine
from asymptok.parameters import (
    Range,
    WithZero,
    assumed_in,
    check_inside,
    common_range,
    exact_number,
    fitting,
    intersect,
    kept,
    range_of_symbol,
    symbol_in,
)
from asymptok.parsing import parse
from asymptok.symbols import u

__all__ = [
    "NAMED",
    "checked",
    "from_text",
    "named",
    "over_common",
    "refuse_another_variable",
    "replaced",
    "substitutions",
    "with_parameters",
]

F = TypeVar("F", bound=Callable[..., object])


def from_text(
    text: str, wanted: Mapping[str, tuple[Symbol | None, object]], ranges: dict[Symbol, Range]
) -> Expr:
    names = {name: symbol or _declared_symbol(name, bounds) for name, (symbol, bounds) in wanted.items()}
    makers = {name: _maker(name, known.factory, ranges) for name, known in NAMED.items()}
    return parse(text, {"u": u, **names}, makers, u.name)


class Named(NamedTuple):
    """A function that makes kernels; how their names begin, and the keys of its sources."""

    factory: Callable[..., Any]
    label: str
    sources: tuple[str, ...]


#: the kernels that a text may call by their names
NAMED: dict[str, Named] = {}


def named(label: str, *sources: str) -> Callable[[F], F]:
    """Register a function of `asymptok.kernels`."""

    def register(factory: F) -> F:
        NAMED[factory.__name__] = Named(factory, label, sources)
        return factory

    return register


def _maker(name: str, factory: Callable[..., Any], ranges: dict[Symbol, Range]) -> Callable[..., Expr]:
    """The expression of a named kernel; the ranges that it asks of its parameters are collected."""

    def make(*args: object, **named: object) -> Expr:
        values = [int(a) if isinstance(a, Integer) else a for a in args]
        try:
            signature = inspect.signature(factory)
            bound = signature.bind(*values, **named)
        except TypeError:
            shown = ", ".join(p.name for p in signature.parameters.values())
            example = f"{name}(3)" if "depth" in signature.parameters else f"{name}(...)"
            raise AsymptokError(
                f"{name} is a kernel with the arguments ({shown}): write {example}, or kernels.{example} in Python"
            ) from None
        kernel = factory(
            *bound.args, **{k: int(v) if isinstance(v, Integer) else v for k, v in bound.kwargs.items()}
        )
        for symbol, bounds in kernel.parameters.items():
            ranges[symbol] = intersect(symbol.name, ranges.get(symbol, bounds), bounds)
        expr: Expr = kernel.expr
        return expr

    return make


def _declared_symbol(name: str, bounds: object) -> Symbol:
    return symbol_in(name, bounds) if isinstance(bounds, tuple) else Symbol(name, real=True)


def checked(expr: Expr) -> Expr:
    """The expression with decimals made exact, or an error that names what no real kernel can contain."""
    decimals: dict[Expr, Expr] = {}
    constant: dict[Expr, bool] = {}
    for node in dag.postorder(expr):
        if isinstance(node, Float):
            decimals[node] = exact_number(node)
        if node in (I, nan, zoo, oo, -oo):
            raise AsymptokError(f"a kernel is a finite real function of u: {node} cannot be part of it")
        if isinstance(node, AppliedUndef):
            raise AsymptokError(f"{node} is an undefined function; a kernel is made of known functions")
        constant[node] = not isinstance(node, Symbol) and all(constant[arg] for arg in node.args)
        # Arc-cosine constants of deep networks are real, and their assumptions are not for free.
        asked = constant[node] and node.args and isinstance(node, Expr) and not isinstance(node, ArcCosine)
        if asked and (node.is_Function or node.is_Pow) and node.is_extended_real is False:
            raise AsymptokError(f"a kernel is a real function of u: the constant {node} is not real")
    return dag.rebuild(expr, decimals) if decimals else expr


def refuse_another_variable(expr: Expr, wanted: Mapping[str, object]) -> None:
    """A formula without u, in a symbol of which nothing is said, was written in another variable."""
    free = dag.free_symbols(expr)
    unknown = sorted(s.name for s in free if s.is_real is None and s.name not in wanted)
    if unknown and all(s.name != u.name for s in free):
        raise AsymptokError(
            f"unknown {unknown[0]}; did you mean u? A kernel is a function of asymptok.u, and a parameter has a range, "
            f"{ways_out.ranges(unknown[0], (0, 'oo'))}"
        )


def with_parameters(
    expr: Expr, needed: dict[Symbol, Range], wanted: Mapping[str, tuple[Symbol | None, Range | Expr | None]]
) -> tuple[Expr, dict[Symbol, Range], dict[Symbol, Expr]]:
    """Give every free symbol but u its range; symbols without assumptions become real ones, as is told last.

    `needed` has the ranges that kernels inside ask for: there one that is declared is kept, or refused. Otherwise it
    narrows what the assumptions of the symbol say.
    """
    replacements: dict[Symbol, Expr] = {}
    symbols: dict[str, list[Symbol]] = {}
    for old in sorted(dag.free_symbols(expr), key=lambda s: (s.name, s.is_positive is not True)):
        if old.name == "u":
            if old != u:
                replacements[old] = u
            continue
        if old.is_commutative is False:
            raise AsymptokError(f"the symbol {old} does not commute and cannot be a parameter")
        symbols.setdefault(old.name, []).append(old)
    found: dict[Symbol, Range] = {}
    for name, olds in symbols.items():
        declaration = wanted.get(name, (None, None))[1]
        asked = [needed[old] for old in olds if old in needed]
        bounds = common_range(name, [*map(range_of_symbol, olds), *asked])
        if isinstance(declaration, Expr):
            check_inside(name, declaration, bounds)
            replacements |= dict.fromkeys(olds, declaration)
            continue
        if declaration is not None and asked:
            bounds = kept(name, declaration, bounds, "the kernel allows")
        elif declaration is not None:
            bounds = intersect(name, declaration, bounds)
        new = fitting(olds[0], bounds)
        replacements |= {old: new for old in olds if old != new}
        found[new] = bounds
    if unused := sorted(set(wanted) - {s.name for s in dag.free_symbols(expr)}):
        raise AsymptokError(f"parameters declares {', '.join(unused)}, which the expression does not contain")
    expr = checked(dag.rebuild(expr, replacements)) if replacements else expr
    for symbol, bounds in found.items():
        if isinstance(bounds, WithZero) and dag.rebuild(expr, {symbol: S.Zero}).has(nan, zoo, oo, -oo):
            way = ways_out.ranges(symbol, (bounds[0], bounds[1]))
            raise AsymptokError(f"{symbol} may be 0, where the kernel is not defined: give {way}")
    return expr, found, replacements


def over_common(
    mine: Mapping[Symbol, Range], expr: Expr, theirs: Mapping[Symbol, Range]
) -> tuple[Expr, dict[Symbol, Range], dict[Symbol, Symbol]]:
    """An expression over common parameters: one symbol for each name, in the common part of both ranges.

    Last come the symbols of the first expression that the common part replaces.
    """
    ranges = dict(mine)
    by_name = {symbol.name: symbol for symbol in ranges}
    replacements: dict[Symbol, Symbol] = {}
    own: dict[Symbol, Symbol] = {}
    for symbol, bounds in theirs.items():
        known = by_name.get(symbol.name, symbol)
        common = intersect(known.name, ranges.pop(known, bounds), bounds)
        new = next((s for s in (known, symbol) if fitting(s, common) == s), None) or fitting(known, common)
        ranges[new] = common
        replacements |= {symbol: new} if new != symbol else {}
        own |= {known: new} if new != known and known in mine else {}
    return (dag.rebuild(expr, replacements) if replacements else expr), ranges, own


def substitutions(args: tuple[Any, ...]) -> list[tuple[str, int]]:
    if not args:
        return []
    if len(args) == 2:
        return [(args[0], args[1])]
    if len(args) == 1 and isinstance(args[0], Mapping):
        return list(args[0].items())
    if len(args) == 1 and isinstance(args[0], list | tuple) and all(map(_is_pair, args[0])):
        return [(key, value) for key, value in args[0]]
    raise AsymptokError('subs takes a dict, a pair or keywords: kernel.subs({"c": 2}), kernel.subs(c=2)')


def _is_pair(value: object) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2


def replaced(
    parameters: Mapping[Symbol, Range], given: Mapping[str, object] | Mapping[Symbol | str, object]
) -> tuple[dict[Symbol, Expr], dict[str, Range]]:
    """What stands for parameters and for u, checked; and the ranges of the parameters after that, by name."""
    symbols = {symbol.name: symbol for symbol in parameters}
    ranges = {symbol.name: bounds for symbol, bounds in parameters.items()}
    replacements: dict[Symbol, Expr] = {}
    renamed: dict[str, Range] = {}
    for key, raw in given.items():
        name = key.name if isinstance(key, Symbol) else key
        value = exact_number(raw, f"the value of {name}")
        if name == "u":
            replacements[u] = _inner_expression(value)
            continue
        if name not in symbols:
            raise AsymptokError(
                f"{name} is not a parameter of this kernel (parameters: {', '.join(symbols) or 'none'})"
            )
        replacements[symbols[name]] = value
        bounds = ranges.pop(name)
        if isinstance(value, Symbol):
            bounds = assumed_in(value, bounds, name)
            renamed[value.name] = intersect(value.name, renamed.get(value.name, bounds), bounds)
        else:
            check_inside(name, value, bounds)
    for name, bounds in renamed.items():
        ranges[name] = intersect(name, ranges.get(name, bounds), bounds)
    return replacements, ranges


def _inner_expression(value: Expr) -> Expr:
    if value.is_number and not dag.free_symbols(value) and (abs(value) - 1).is_positive:
        raise AsymptokError(f"u = {value} is outside [-1, 1]")
    return S(value)
