"""Walks over an expression that visit each distinct subexpression once, without recursion.

SymPy's own walks follow the printed tree: the tree of a deep network is far larger than the set of its
distinct subexpressions (exponentially so for compositions), and deeper than Python's stack.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import Add, Basic, Dummy, Expr, Mul, Piecewise, Pow, S, Symbol

__all__ = ["derivative", "flatten", "free_symbols", "postorder", "rebuild", "tree_size", "unflatten"]


def postorder(root: Basic) -> Iterator[Basic]:
    """Every distinct subexpression once, arguments before what is built of them.

    >>> from sympy.abc import x
    >>> list(postorder(x**2 + 1))
    [1, x, 2, x**2, x**2 + 1]
    """
    done: set[Basic] = set()
    stack: list[tuple[Basic, bool]] = [(root, False)]
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


def free_symbols(root: Basic) -> set[Symbol]:
    """The symbols that occur in the expression."""
    return {node for node in postorder(root) if isinstance(node, Symbol)}


def rebuild(root: Basic, replacements: Mapping[Any, Any]) -> Any:
    """The expression with whole subexpressions replaced, and what lies above them built (and evaluated) anew.

    >>> from sympy.abc import x
    >>> rebuild(x**2 + 1, {x: 3})
    10
    """
    new: dict[Basic, Any] = {}
    for node in postorder(root):
        if node in replacements:
            new[node] = S(replacements[node])
            continue
        args = [new[arg] for arg in node.args]
        unchanged = all(a is b for a, b in zip(args, node.args, strict=True))
        new[node] = node if unchanged else node.func(*args)
    return new[root]


def tree_size(root: Basic) -> int:
    """The number of nodes of the printed tree, counted on the distinct ones."""
    size: dict[Basic, int] = {}
    for node in postorder(root):
        size[node] = 1 + sum(size[arg] for arg in node.args)
    return size[root]


def derivative(root: Expr, x: Symbol) -> Expr:
    """d root/dx by the chain rule, node by node.

    >>> from sympy import exp
    >>> from sympy.abc import x
    >>> derivative(x * exp(x**2), x)
    2*x**2*exp(x**2) + exp(x**2)
    """
    slope: dict[Basic, Any] = {x: S.One}
    for node in postorder(root):
        if node in slope:
            continue
        if isinstance(node, Piecewise):
            slope[node] = Piecewise(*((slope[value], condition) for value, condition in node.args))
            continue
        if any(not isinstance(arg, Expr) and arg.has(x) for arg in node.args):
            # conditions and tuples carry no slope of their own; what holds them asks SymPy
            slope[node] = node.diff(x) if isinstance(node, Expr) else S.Zero
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


def _replaced(args: tuple[Any, ...], index: int, value: Any) -> list[Any]:
    return [value if i == index else arg for i, arg in enumerate(args)]


def _outer(node: Any, inner: list[Any], x: Symbol) -> Any:
    """The chain rule for a function of one varying argument; SymPy's own rule for anything stranger."""
    varying = [i for i, s in enumerate(inner) if s is not S.Zero]
    if len(varying) != 1 or not node.is_Function or node.is_Piecewise:
        return node.diff(x) if isinstance(node, Expr) else S.Zero
    i = varying[0]
    argument = Dummy("argument", real=node.args[i].is_real)
    # With a plain symbol in the place of the argument SymPy has nothing deep to search.
    partial = node.func(*_replaced(node.args, i, argument)).diff(argument)
    return partial.xreplace({argument: node.args[i]}) * inner[i]


def flatten(root: Basic) -> tuple[tuple[Any, tuple[int, ...]], ...]:
    """The expression as a list of (leaf, ()) and (class, places of the arguments), for pickling."""
    place: dict[Basic, int] = {}
    program: list[tuple[Any, tuple[int, ...]]] = []
    for node in postorder(root):
        place[node] = len(program)
        program.append((node.func, tuple(place[a] for a in node.args)) if node.args else (node, ()))
    return tuple(program)


def unflatten(program: tuple[tuple[Any, tuple[int, ...]], ...]) -> Any:
    """The inverse of flatten."""
    built: list[Any] = []
    for head, places in program:
        built.append(head(*(built[p] for p in places)) if places else head)
    return built[-1]
