"""A kernel as a list of nodes that a file can hold, and back.

A node is a list: an operation, then indices of earlier nodes or numbers as text. No text is ever evaluated.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import sympy
from sympy import Expr, Rational

from asymptok import dag
from asymptok.checker.read import integer, rational
from asymptok.errors import AsymptokError
from asymptok.functions import RECORDS
from asymptok.functions.arccosine import ArcCosine
from asymptok.functions.hermite import HermiteDual, hermite_dual
from asymptok.functions.kinked import KinkedDual
from asymptok.functions.long_constant import Leaf, LongConstant
from asymptok.functions.zonal import ZonalSeries
from asymptok.kernels.from_spectrum import series_of
from asymptok.symbols import k, u, x

#: bits of the numbers in a file, and the largest argument of a function: towers of powers are never computed
_LONGEST, _LARGEST = 3000, 10**5
#: a node: [operation, index or text, ...]
Node = list[Any]

_NAMED: dict[Expr, str] = {
    sympy.pi: "pi",
    sympy.E: "e",
    sympy.EulerGamma: "euler_gamma",
    sympy.Catalan: "catalan",
    sympy.GoldenRatio: "golden_ratio",
}
_CONSTANTS = {name: value for value, name in _NAMED.items()}
_FUNCTIONS: dict[str, Any] = {
    cls.__name__: cls for cls in RECORDS if cls not in (sympy.Add, sympy.Mul, sympy.Pow, ArcCosine)
}


def to_nodes(expr: Expr) -> list[Node]:
    """The expression, arguments before what is built of them; the last node is the root.

    >>> to_nodes(sympy.sqrt(1 - u))[-1], from_nodes(to_nodes(sympy.sqrt(1 - u)))
    (['pow', 4, '1/2'], sqrt(1 - u))
    """
    nodes: list[Node] = []
    place: dict[Expr, int] = {}

    def add(key: Expr, node: Node) -> int:
        if key not in place:
            place[key] = len(nodes)
            nodes.append(node)
        return place[key]

    def visit(root: Expr) -> int:
        for node in dag.postorder(root):
            if isinstance(node, LongConstant):
                place[node] = visit(node.exact)  # a file holds the constant and not its name
            elif not isinstance(node, Leaf):
                add(node, _node(node, place))
        return place[root]

    del nodes[visit(expr) + 1 :]
    kept = _needed(nodes)
    index = {old: new for new, old in enumerate(kept)}
    return [
        [
            part if i == 0 or isinstance(part, str) else _moved(nodes[old], i, index)
            for i, part in enumerate(nodes[old])
        ]
        for old in kept
    ]


def _moved(node: Node, i: int, index: dict[int, int]) -> int:
    """The order of an arc-cosine function is a number, everything else an index."""
    return node[i] if node[0] == "kappa" and i == 1 else index[node[i]]


def _needed(nodes: list[Node]) -> list[int]:
    """Nodes that the root uses: rational exponents are written as text and not as nodes."""
    wanted = {len(nodes) - 1}
    for i in range(len(nodes) - 1, -1, -1):
        if i in wanted:
            start = 2 if nodes[i][0] == "kappa" else 1
            wanted.update(part for part in nodes[i][start:] if isinstance(part, int))
    return sorted(wanted)


def _node(node: Expr, place: dict[Expr, int]) -> Node:
    if node == u:
        return ["u"]
    if isinstance(node, Rational):
        return ["num", str(node)]
    if node in _NAMED:
        return [_NAMED[node]]
    if isinstance(node, sympy.Float):
        return ["num", str(Fraction(str(node)))]
    arguments = [place[a] for a in node.args]
    if isinstance(node, sympy.Add | sympy.Mul):
        return ["add" if isinstance(node, sympy.Add) else "mul", *arguments]
    if isinstance(node, sympy.Pow):
        if node.exp.is_Rational:
            return ["pow", arguments[0], str(node.exp)]
        return ["powc", *arguments]
    if isinstance(node, ArcCosine):
        return ["kappa", int(node.args[0]), arguments[1]]
    if isinstance(node, sympy.Tuple):
        return ["tuple", *arguments]
    if isinstance(node, KinkedDual) and not node.symbols:
        cells = [[None if high is None else to_nodes(high), _in_u(f)] for high, f in node.cells]
        return ["kinked", str(node.base_parity()), str(node.order), _text(cells), *arguments]
    if isinstance(node, HermiteDual) and not node.symbols:
        return ["hermite", str(node.parity), str(node.order), _text(_in_u(node.template)), *arguments]
    if isinstance(node, ZonalSeries):
        return ["series", str(node.dimension), _text(to_nodes(dag.rebuild(node.law, {k: u}))), *arguments]
    name = type(node).__name__
    if name in _FUNCTIONS and arguments:
        return [name, *arguments]
    raise AsymptokError(f"{node} cannot be written into a certificate")


def _in_u(f: Expr) -> list[Node]:
    """A function of x, by the nodes of the same function of u."""
    return to_nodes(dag.rebuild(f, {x: u}))


def _text(data: object) -> str:
    return json.dumps(data, separators=(",", ":"))


def from_nodes(nodes: Sequence[Sequence[int | str]]) -> Expr:
    """The expression of a list of nodes; AsymptokError for anything that is none.

    >>> from_nodes([["u"], ["num", "1/2"], ["mul", 0, 1], ["kappa", 1, 2]])
    kappa1(u/2)
    """
    built: list[Expr] = []
    try:
        for node in nodes:
            built.append(_bounded(_built(node, built)))
    except (TypeError, ValueError, IndexError, ZeroDivisionError, AttributeError, KeyError) as error:
        raise AsymptokError(f"node {len(built)} of the expression is damaged: {error}") from error
    if not built:
        raise AsymptokError("the expression is empty")
    return built[-1]


def _built(node: Sequence[Any], built: list[Expr]) -> Expr:
    operation, *rest = node
    if operation == "u":
        return u
    if operation == "num":
        return _rational(rest[0])
    if operation in _CONSTANTS:
        return _CONSTANTS[operation]
    if operation == "kappa":
        return ArcCosine(integer(rest[0], 0, 100), _argument(rest[1], built))
    if operation == "pow":
        return _power(_argument(rest[0], built), _rational(rest[1]))
    if operation == "hermite":
        return _hermite(*rest[:3])(_argument(rest[3], built))
    if operation == "series":
        law, d = dag.rebuild(from_nodes(json.loads(rest[1])), {u: k}), integer(int(rest[0]), 2, 10**6)
        return series_of(law, d)(_argument(rest[2], built))
    if operation == "kinked":  # what its cells must satisfy is seen where they are made
        raise ValueError("the mean of an activation with kinks, without its making")
    arguments = [_argument(i, built) for i in rest]
    if operation == "tuple":
        return sympy.Tuple(*arguments)
    if operation == "powc":
        return _power(*arguments)
    if operation == "add":
        return sympy.Add(*arguments)
    if operation == "mul":
        return sympy.Mul(*arguments)
    if any(isinstance(x, Rational) and abs(x) > _LARGEST for x in arguments):
        raise ValueError("so large a number")  # whose Gamma function would be written out
    return _FUNCTIONS[operation](*arguments)


def _bounded(x: Expr) -> Expr:
    if isinstance(x, Rational) and max(abs(x.p), x.q).bit_length() > _LONGEST:
        raise ValueError("so long a number")
    return x


def _power(base: Expr, exponent: Expr) -> Expr:
    """base^exponent, if that is not a number too long to be written down."""
    if isinstance(exponent, Rational):
        bits = max(abs(base.p), base.q).bit_length() if isinstance(base, Rational) else 1
        if abs(exponent) * bits > _LONGEST:
            raise ValueError("so large a power")
    return base**exponent


def _hermite(parity: str, order: str, nodes: str) -> type[HermiteDual]:
    """The mean of an activation; ValueError unless its template is seen to be as even or odd as the file says."""
    template = dag.rebuild(from_nodes(json.loads(nodes)), {u: x})
    p, n = int(parity), int(order)
    sign = -1 if (p + n) % 2 else 1
    if p not in (0, 1) or n < 0 or sympy.cancel(template.subs(x, -x) - sign * template) != 0:
        raise ValueError("an activation whose parity is not seen")
    return hermite_dual(template, (), p, n)


def _argument(i: int, built: list[Expr]) -> Expr:
    if isinstance(i, bool) or not isinstance(i, int) or not 0 <= i < len(built):
        raise ValueError(f"{i!r} is no earlier node")
    return built[i]


def _rational(text: object) -> Rational:
    x = rational(text)
    return Rational(x.numerator, x.denominator)
