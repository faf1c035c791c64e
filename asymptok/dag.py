"""Walks over an expression that visit each distinct subexpression once, without recursion.

SymPy's own walks follow the printed tree: the tree of a deep network is far larger than the set of its
distinct subexpressions (exponentially so for compositions), and deeper than Python's stack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import comb
from typing import TypeVar

from sympy import Add, Derivative, Dummy, Expr, Integer, Mul, Piecewise, Pow, Rational, S, Symbol, exp, sstr

from asymptok.errors import SYMPY_ERRORS, ExpansionError
from asymptok.patience import tick
from asymptok.symbols import Known

#: nodes of an expression that is printed with its terms in order, and of one that is printed at all
_LARGEST_ORDERED, _LARGEST_SHOWN, _LONG_NUMBER = 200, 2000, 10**5
#: terms beyond which nobody counts
_MANY = 10**6

__all__ = [
    "brief",
    "derivative",
    "flatten",
    "free_symbols",
    "has_huge_powers",
    "has_long_numbers",
    "most_terms",
    "plain",
    "postorder",
    "rebuild",
    "tree_size",
    "unflatten",
    "varying",
]


def postorder(root: Expr) -> Iterator[Expr]:
    """Every distinct subexpression once, arguments before what is built of them.

    >>> from sympy.abc import x
    >>> list(postorder(x**2 + 1))
    [1, x, 2, x**2, x**2 + 1]
    """
    tick()
    done: set[Expr] = set()
    stack: list[tuple[Expr, bool]] = [(root, False)]
    while stack:
        node, ready = stack.pop()
        if node in done:
            continue
        if ready or not node.args:
            done.add(node)
            yield node
        else:
            stack.append((node, True))
            stack.extend((arg, False) for arg in reversed(node.args))


def free_symbols(root: Expr) -> set[Symbol]:
    """The symbols that occur in the expression."""
    return {node for node in postorder(root) if isinstance(node, Symbol)}


def varying(root: Expr, *symbols: Symbol) -> set[Expr]:
    """The subexpressions in which a symbol occurs; `has` looks for it through the printed tree, maybe astronomical.

    >>> from sympy.abc import x, y
    >>> varying(x**2 + y**2, x) == {x, x**2, x**2 + y**2}
    True
    """
    found: set[Expr] = set()
    for node in postorder(root):
        if node in symbols or any(arg in found for arg in node.args):
            found.add(node)
    return found


E = TypeVar("E", bound=Expr)


def rebuild(root: Expr, replacements: Mapping[E, Expr | int]) -> Expr:
    """The expression with whole subexpressions replaced, and what lies above them built (and evaluated) anew.

    >>> from sympy.abc import x
    >>> rebuild(x**2 + 1, {x: 3})
    10
    """
    new: dict[Expr, Expr] = {}
    known: dict[Expr, Expr | int] = dict(replacements.items())
    for node in postorder(root):
        other = known.get(node)
        if other is not None:
            new[node] = S(other)
            continue
        args = [new[arg] for arg in node.args]
        unchanged = all(a is b for a, b in zip(args, node.args, strict=True))
        new[node] = node if unchanged else node.func(*args)
    return new[root]


def plain(root: Expr) -> Expr:
    """The expression with the values of known constants in the place of their names."""
    while names := {s: s.value for s in free_symbols(root) if isinstance(s, Known)}:
        root = rebuild(root, names)
    return root


def value_at(root: Expr, x: Symbol, point: Expr) -> Expr | None:
    """The expression at x = point; None where it has no finite value there, or none that SymPy finds.

    >>> from sympy import Max, sin
    >>> from sympy.abc import x
    >>> value_at(sin(x)**2, x, S.Zero), value_at(Max(1, sin(x)/x), x, S.Zero)
    (0, None)
    """
    if any(node.is_Pow and node.exp.is_Rational and node.exp.q > _LONG_NUMBER for node in postorder(root)):
        return None  # SymPy would look for such a root among the factors of a number
    try:
        found = rebuild(root, {x: point})
    except SYMPY_ERRORS:  # a Max of something undefined
        return None
    return None if found.has(S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity) else found


def tree_size(root: Expr) -> int:
    """The number of nodes of the printed tree, counted on the distinct ones."""
    size: dict[Expr, int] = {}
    for node in postorder(root):
        size[node] = 1 + sum(size[arg] for arg in node.args)
    return size[root]


def most_terms(root: Expr) -> int:
    """A bound for the terms of numerator and denominator together, multiplied out: what polynomial algebra may carry.

    >>> from sympy.abc import x
    >>> most_terms((1 + x)**3), most_terms(1/(1 + 1/(x + 2)))
    (5, 5)
    """
    sizes: dict[Expr, tuple[int, int]] = {}
    for node in postorder(root):
        top, bottom = 1, 1
        if isinstance(node, Add):
            top = 0
            for above, below in (sizes[arg] for arg in node.args):
                top, bottom = top * below + above * bottom, bottom * below
        elif isinstance(node, Mul):
            for above, below in (sizes[arg] for arg in node.args):
                top, bottom = top * above, bottom * below
        elif isinstance(node, Pow) and isinstance(node.exp, Integer):
            n = abs(int(node.exp))
            # the number of products of n terms
            top, bottom = (
                comb(min(size, _MANY) + n - 1, n) if n < _MANY else _MANY for size in sizes[node.base]
            )
            top, bottom = (top, bottom) if node.exp > 0 else (bottom, top)
        sizes[node] = min(top, _MANY), min(bottom, _MANY)
    return sum(sizes[root])


def brief(root: object, length: int = 200) -> str:
    """The expression as text, cut where nobody would read on.

    SymPy brings the terms of a sum into an order by their numerical values, which takes minutes for large constants.

    >>> from sympy import Add
    >>> from sympy.abc import x
    >>> brief(1 + x, 20), brief(Add(*[x**n for n in range(999)]), 20)
    ('x + 1', 'an expression of 2994 nodes')
    """
    size = tree_size(root) if isinstance(root, Expr) else 1
    if size > _LARGEST_SHOWN:
        return f"an expression of {size} nodes"
    ordered = size <= _LARGEST_ORDERED and not (isinstance(root, Expr) and has_huge_powers(root))
    return str(sstr(root, order=None if ordered else "none"))[:length]


def has_long_numbers(root: Expr) -> bool:
    """Whether SymPy may not end with a power: it looks for the roots in r^(p/q)."""
    return any(max(abs(number.p), number.q) > _LONG_NUMBER for number in root.atoms(Rational))


def has_huge_powers(root: Expr) -> bool:
    """Whether SymPy may not end with an order of terms, which goes by numerical values: sin(exp(2^60)) has none.

    >>> has_huge_powers(exp(exp(2**60))), has_huge_powers(10**6 * exp(2))
    (True, False)
    """
    exponents = (node.exp for node in postorder(root) if isinstance(node, exp | Pow))
    return any(abs(number) > _LONG_NUMBER for exponent in exponents for number in exponent.atoms(Rational))


def derivative(root: Expr, x: Symbol) -> Expr:
    """d root/dx by the chain rule, node by node.

    >>> from sympy import exp
    >>> from sympy.abc import x
    >>> derivative(x * exp(x**2), x)
    2*x**2*exp(x**2) + exp(x**2)
    """
    slope: dict[Expr, Expr] = {x: S.One}
    for node in postorder(root):
        if node in slope:
            continue
        if isinstance(node, Piecewise):
            slope[node] = Piecewise(*((slope[value], condition) for value, condition in node.args))
            continue
        if any(not isinstance(arg, Expr) and arg.has(x) for arg in node.args):
            # conditions and tuples carry no slope of their own; what holds them asks SymPy
            slope[node] = _by_sympy(node, x) if isinstance(node, Expr) else S.Zero
            continue
        inner = [slope[arg] for arg in node.args]
        if all(value is S.Zero for value in inner):
            slope[node] = S.Zero
        elif isinstance(node, Add):
            slope[node] = Add(*inner)
        elif isinstance(node, Mul):
            slope[node] = Add(
                *(Mul(*_replaced(node.args, i, s)) for i, s in enumerate(inner) if s is not S.Zero)
            )
        elif isinstance(node, Pow) and inner[1] is S.Zero:
            slope[node] = node.exp * node.base ** (node.exp - 1) * inner[0]
        else:
            slope[node] = _outer(node, inner, x)
    return slope[root]


def _replaced(args: tuple[Expr, ...], index: int, value: Expr) -> list[Expr]:
    return [value if i == index else arg for i, arg in enumerate(args)]


def _outer(node: Expr, inner: list[Expr], x: Symbol) -> Expr:
    """The chain rule for a function of one varying argument; SymPy's own rule for anything stranger."""
    varying = [i for i, s in enumerate(inner) if s is not S.Zero]
    if len(varying) != 1 or not node.is_Function or node.is_Piecewise:
        return _by_sympy(node, x) if isinstance(node, Expr) else S.Zero
    i = varying[0]
    argument = Dummy("argument", real=node.args[i].is_real)
    # With a plain symbol in the place of the argument SymPy has nothing deep to search.
    partial = _by_sympy(node.func(*_replaced(node.args, i, argument)), argument)
    return partial.xreplace({argument: node.args[i]}) * inner[i]


def _by_sympy(node: Expr, x: Symbol) -> Expr:
    try:
        found = node.diff(x)
    except SYMPY_ERRORS as error:
        raise ExpansionError(f"SymPy finds no derivative of {type(node).__name__}", node) from error
    if found.has(Derivative):
        raise ExpansionError(f"SymPy finds no derivative of {type(node).__name__}", node)
    return found


def flatten(root: Expr) -> tuple[tuple[Expr | Callable[..., Expr], tuple[int, ...]], ...]:
    """The expression as a list of (leaf, ()) and (class, places of the arguments), for pickling."""
    place: dict[Expr, int] = {}
    program: list[tuple[Expr | Callable[..., Expr], tuple[int, ...]]] = []
    for node in postorder(root):
        place[node] = len(program)
        program.append((node.func, tuple(place[a] for a in node.args)) if node.args else (node, ()))
    return tuple(program)


def unflatten(program: tuple[tuple[Expr | Callable[..., Expr], tuple[int, ...]], ...]) -> Expr:
    """The inverse of flatten."""
    built: list[Expr] = []
    for head, places in program:
        built.append(head if isinstance(head, Expr) else head(*(built[p] for p in places)))
    return built[-1]
