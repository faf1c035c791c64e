"""Laws by cases: where a range of the parameters holds several laws, it is cut at the values that part them.

A question that stays open names the function of the parameters on which it depends (`Undecided.boundary`). Its zeros in
closed form cut the range; on each part, and at each zero, the law is derived anew, so that nothing rests on the zeros
being all there are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import count, pairwise
from typing import Any

from sympy import And, Eq, Expr, Gt, Lt, Ne, S, Symbol, ceiling, expand_mul, floor, oo, true
from sympy.logic.boolalg import Boolean

from asymptok import dag
from asymptok.constants.decide import is_zero, sign
from asymptok.constants.normal_form import shortest
from asymptok.constants.roots import solutions, zeros
from asymptok.errors import Undecided
from asymptok.kernels.kernel import Kernel, as_kernel
from asymptok.laws.derive import decay as one_law
from asymptok.laws.results import Decay
from asymptok.laws.several import DecayByCases
from asymptok.parameters import Range
from asymptok.patience import long_question
from asymptok.truth import Sign, Truth

__all__ = ["critical_values", "decay"]

#: cuts one inside another
_MOST_CUTS = 6
Case = tuple[Boolean, Decay]
Way = tuple[type[Boolean], Expr, dict[Expr, Expr]]


@dataclass(frozen=True)
class _Part:
    """The kernel where the parameters are restricted; `back` writes what is said of it in the old parameters."""

    condition: Boolean
    kernel: Kernel
    back: dict[Expr, Expr]


@long_question
def decay(kernel: Kernel | Expr | str, order: object = None) -> Decay | DecayByCases:
    """mu_k ~ (c_1 +- c_-1) C(d, nu) k^(-d-2nu+1) for even and odd k, with what is true where that does not hold.

    `order` fixes how far the ends are expanded; by default as far as a term that does not cancel. Where the range of
    the parameters holds several laws the answer has them all, in `cases`, and `nu` is a Piecewise.

    >>> from asymptok import kernels
    >>> from sympy import symbols
    >>> gamma, c = symbols("gamma c", positive=True)
    >>> law = decay(kernels.gamma_exponential(gamma, c))
    >>> law.even.exponent()
    -d - gamma + 1
    >>> law.even.coefficient
    -c
    >>> decay("1/(5 - 4*u)").odd  # doctest: +NORMALIZE_WHITESPACE
    odd k   mu_k = O(r^(-k)) for every r < rho = 2; estimate: mu_k ~
    (3/4)^(d/2 - 2) gamma(d/2)/4 k^(1 - d/2) rho^-k (nearest singular points u = 5/4)
    >>> decay(Kernel("(1-u)**(3/2) + (1-u)**g", parameters={"g": (1, 2)})).nu
    Piecewise((g, g < 3/2), (3/2, True))
    """
    kernel = as_kernel(kernel)
    found = _laws(kernel, order, _MOST_CUTS)
    return found[0][1] if len(found) == 1 else DecayByCases(kernel, tuple(found))


@long_question
def critical_values(kernel: Kernel | Expr | str) -> tuple[Expr | Boolean, ...]:
    """The values of the parameters at which nu, a leading constant or the law of a parity changes, exact.

    Numbers for a kernel with one parameter, equations for one with several; empty if one law holds on all of the range.

    >>> from asymptok import kernels
    >>> g = Symbol("g", positive=True)
    >>> critical_values(kernels.gamma_exponential(g) * kernels.ntk(2))
    (1,)
    >>> critical_values(Kernel("exp(-sqrt(1-u)) + a*sqrt(1-u)", parameters={"a": (0, oo)}))
    (1,)
    """
    kernel = as_kernel(kernel)
    found: list[Expr | Boolean] = []
    for condition, _ in decay(kernel).cases:
        for relation in sorted(condition.atoms(Eq, Ne), key=str):
            edge = relation.rhs if len(kernel.parameters) == 1 else Eq(relation.lhs, relation.rhs)
            if edge not in found:
                found.append(edge)
    return tuple(found)


def _laws(kernel: Kernel, order: object, cuts: int) -> list[Case]:
    """The laws on the parts of the range; Undecided where no cut helps."""
    try:
        return [(true, one_law(kernel, order))]
    except Undecided as error:
        parts = _parts(kernel, error.boundary) if cuts else []
        if not parts:
            raise
    found: list[Case] = []
    for part in parts:
        for inner, law in _laws(part.kernel, order, cuts - 1):
            both = [part.condition, *And.make_args(_written_back(inner, part.back))]
            found.append((_tidy(both, kernel.parameters), _written_back(law, part.back)))
    return _joined(kernel, found)


def _joined(kernel: Kernel, cases: list[Case]) -> list[Case]:
    """One case for all that lies beside points, if the formula is the same there, and points that have another law."""
    points = [(where, law) for where, law in cases if where.has(Eq)]
    beside = [law for where, law in cases if not where.has(Eq)]
    if not beside or not all(_same(beside[0], law, {}) for law in beside[1:]):
        return cases
    first = beside[0]
    left = [(where, law) for where, law in points if not _is_absorbed(where, law, first)]
    surfaces: list[Boolean] = []
    for where, _ in left:
        equations = [relation for relation in And.make_args(where) if isinstance(relation, Eq)]
        if not any(equation in surfaces for equation in equations):
            surfaces.append(equations[0])
    return [(And(*[Ne(*surface.args) for surface in surfaces]), replace(first, kernel=kernel)), *left]


def _is_absorbed(where: Boolean, law: Decay, beside: Decay) -> bool:
    """Whether the law at a point is what the formula beside it gives there."""
    return isinstance(where, Eq) and _same(beside, law, {where.lhs: where.rhs})


def _tidy(relations: list[Boolean], parameters: dict[Symbol, Range]) -> Boolean:
    """Each relation solved for one parameter, less those that follow from an equation among them."""
    solved = [_solved(relation) for relation in relations]
    values = {r.lhs: r.rhs for r in solved if isinstance(r, Eq) and r.lhs not in dag.free_symbols(r.rhs)}
    kept: list[Boolean] = []
    for relation in solved:
        if isinstance(relation, Gt | Lt) and values:
            gap = dag.rebuild(relation.gts - relation.lts, values).expand()
            if sign(gap, parameters).positive:
                continue
            relation = _solved(Gt(gap, 0, evaluate=False))
        kept.append(relation)
    return And(*kept)


def _solved(relation: Boolean) -> Boolean:
    """A linear relation in the form parameter < rest, for the first parameter by name that it allows."""
    if not isinstance(relation, Eq | Ne | Gt | Lt):
        return relation
    if relation.lhs.is_Symbol and relation.free_symbols == {relation.lhs} and relation.rhs.is_number:
        return relation
    gap = (relation.lhs - relation.rhs).expand()
    for symbol in sorted(gap.free_symbols, key=lambda s: s.name):
        slope = gap.coeff(symbol)
        direction = sign(slope) if slope.is_number else Sign.UNKNOWN
        rest = gap - slope * symbol
        if direction.nonzero and symbol not in rest.free_symbols:
            turned = (
                {Gt: Lt, Lt: Gt}.get(relation.func, relation.func) if direction.negative else relation.func
            )
            return turned(symbol, (-rest / slope).expand())
    return relation


def _written_back(value: Any, back: dict[Expr, Expr]) -> Any:
    """The same over the old parameters: expressions, and whatever has them as parts."""
    if not back or isinstance(value, Kernel):
        return value
    if isinstance(value, Expr):
        return shortest(expand_mul(dag.rebuild(value, back)))
    if isinstance(value, Boolean):
        return value.xreplace(back)
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return type(value)(_written_back(item, back) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{f.name: _written_back(getattr(value, f.name), back) for f in fields(value)})
    return value


# cuts --------------------------------------------------------------------------------------------------------


def _parts(kernel: Kernel, boundary: object) -> list[_Part]:
    """The range of the kernel in parts on which the boundary has one sign or vanishes; empty if none are found."""
    parameters = kernel.parameters
    if not isinstance(boundary, Expr) or boundary.has(oo, -oo):
        return []
    symbols = sorted(dag.free_symbols(boundary) & parameters.keys(), key=lambda s: s.name)
    if len(symbols) == 1:
        (symbol,) = symbols
        found = zeros(boundary, symbol, parameters)
        return _cut(kernel, symbol, found) if found else []
    return _sides(kernel, boundary)


def _cut(kernel: Kernel, symbol: Symbol, at: list[Expr]) -> list[_Part]:
    """Open intervals, and the points between them."""
    low, high = kernel.parameters[symbol]
    inner = [point for point in at if point not in (low, high)]
    parts: list[_Part] = []
    for start, end in pairwise([low, *inner, high]):
        if start in at:
            parts.append(_Part(Eq(symbol, start), kernel.subs({symbol: start}), {}))
        if not _has_whole_numbers(symbol, start, end):
            continue
        bounds: list[Boolean] = [Gt(symbol, start)] if start in at else []
        bounds += [Lt(symbol, end)] if end in at else []
        narrowed = Kernel(kernel, parameters={symbol.name: (start, end)})
        (new,) = (s for s in narrowed.parameters if s.name == symbol.name)
        parts.append(_Part(And(*bounds), narrowed, {} if new == symbol else {new: symbol}))
    if high in at:
        parts.append(_Part(Eq(symbol, high), kernel.subs({symbol: high}), {}))
    return parts


def _has_whole_numbers(symbol: Symbol, low: Expr, high: Expr) -> bool:
    """Whether an open interval has values of the symbol."""
    if not symbol.is_integer or low.is_infinite or high.is_infinite:
        return True
    return bool(floor(low) + 1 <= ceiling(high) - 1)


def _sides(kernel: Kernel, boundary: Expr) -> list[_Part]:
    """Several parameters: one of them is r, r + s or r - s with s > 0, where r is a function of the others."""
    found: dict[Sign, _Part] = {}
    parameters = kernel.parameters
    step = _new_symbol(parameters)
    for symbol in sorted(dag.free_symbols(boundary) & parameters.keys(), key=lambda s: s.name):
        wider = {**{s: bounds for s, bounds in parameters.items() if s != symbol}, step: (S.Zero, oo)}
        for root in solutions(boundary, symbol, parameters)[:1]:
            for relation, value, back in _ways(symbol, root, step):
                side = sign(dag.rebuild(boundary, {symbol: value}).expand(), wider)
                if (
                    side.known
                    and side.zero is (relation is Eq)
                    and _allowed(value, parameters[symbol], wider)
                ):
                    part = _Part(relation(symbol, root), kernel.subs({symbol: value}), back)
                    found.setdefault(side, part)
    sides = (Sign.NEGATIVE, Sign.ZERO, Sign.POSITIVE)
    return [found[side] for side in sides] if len(found) == len(sides) else []


def _ways(symbol: Symbol, root: Expr, step: Symbol) -> list[Way]:
    """The values of a parameter at, above and below a root, by a number s > 0."""
    back: dict[Expr, Expr] = {step: symbol - root}
    return [(Eq, root, {}), (Gt, root + step, back), (Lt, root - step, {step: root - symbol})]


def _new_symbol(parameters: Iterable[Symbol]) -> Symbol:
    names = {symbol.name for symbol in parameters}
    return next(Symbol(f"s{i}", positive=True) for i in count() if f"s{i}" not in names)


def _allowed(value: Expr, bounds: Range, parameters: dict[Symbol, Range]) -> bool:
    """Whether a value that depends on other parameters lies in a range for all of theirs."""
    low, high = bounds
    return (low.is_infinite or sign(value - low, parameters).positive) and bool(
        high.is_infinite or sign(high - value, parameters).positive
    )


def _same(first: Decay, second: Decay, at: dict[Expr, Expr]) -> bool:
    """Whether two laws are one formula, that of the first taken at values of its parameters."""
    for one, other in ((first.even, second.even), (first.odd, second.odd)):
        if (
            one.kind != other.kind
            or one.kind not in ("algebraic", "zero")
            or one.zero_from != other.zero_from
        ):
            return False
        if one.lead is None or other.lead is None:
            continue
        pairs = ((one.lead.nu, other.lead.nu), (one.lead.coefficient, other.lead.coefficient))
        if one.lead.log_power != other.lead.log_power or any(
            is_zero(dag.rebuild(a, at) - b) is not Truth.TRUE for a, b in pairs
        ):
            return False
    return True
