"""Names for the constants of deep networks, the same in every table, expansion and law.

kappa_1^(l)(-1), kappa_1 applied l times, is b_l: b_1 = 0 and b_2 = 1/pi are written out, b_3, b_4, ... are named; and
s_l = kappa_0(b_l), l >= 2. The index is the depth, so that a constant bears one name wherever it turns up.
"""

from __future__ import annotations

from collections.abc import Iterable

from sympy import Expr, Integer, S, Symbol, factor, pi, sstr

from asymptok import dag
from asymptok.functions.arccosine import ArcCosine
from asymptok.functions.depth import is_depth
from asymptok.show.formula import Formula, Piece, Word

__all__ = ["definition", "in_factors", "in_order", "named", "names_in"]

#: b_l where SymPy has put in the value
_VALUES: dict[Expr, int] = {S.Zero: 1, 1 / pi: 2}


class _Name(Symbol):
    """b_l or s_l; no parameter of a kernel is equal to it, whatever it is called."""

    @property
    def index(self) -> int:
        return int(self.name[2:])


def named(expr: Expr) -> Expr:
    """The expression with b_l and s_l in place of the constants of deep networks.

    >>> named(ArcCosine(0, ArcCosine(1, 1/pi)) + ArcCosine(1, 1/pi)**2 + ArcCosine(0, Integer(1)/3))
    b_3**2 + s_3 + kappa0(1/3)
    """
    names: dict[Expr, Symbol] = {}
    depth: dict[Expr, int] = dict(_VALUES)
    for node in dag.postorder(expr):
        if not isinstance(node, ArcCosine) or node.args[1] not in depth:
            continue
        order, below = node.args[0], depth[node.args[1]]
        if order == 1:
            depth[node] = below + 1
            names[node] = _name("b", below + 1)
        elif order == 0:
            names[node] = _name("s", below)
    return dag.rebuild(expr, names) if names else expr


def in_factors(expr: Expr) -> Expr:
    """A polynomial in the depth of a network as a product; any other expression as it is.

    >>> L = Symbol("L", integer=True, positive=True)
    >>> in_factors(2*L/pi - 2/pi), in_factors(L + Symbol("c"))
    (2*(L - 1)/pi, L + c)
    """
    symbols = dag.free_symbols(expr)
    return factor(expr) if symbols and all(map(is_depth, symbols)) else expr


def _name(letter: str, index: int) -> _Name:
    return _Name(f"{letter}_{index}", positive=True)


def names_in(*exprs: Expr) -> list[Symbol]:
    """The names that occur, and those that their definitions need, in order of depth.

    >>> names_in(named(ArcCosine(0, ArcCosine(1, ArcCosine(1, 1/pi)))))
    [b_3, b_4, s_4]
    """
    found = {s for expr in exprs for s in dag.free_symbols(expr) if isinstance(s, _Name)}
    for name in list(found):
        found.update(_name("b", i) for i in range(3, name.index + (name.name[0] == "s")))
    return in_order(found)


def in_order(names: Iterable[Symbol]) -> list[Symbol]:
    """b_3, s_3, b_4, s_4, ..."""
    return sorted(names, key=lambda s: (s.index, s.name))


def definition(name: Symbol) -> Formula:
    """What a name stands for.

    >>> definition(_name("b", 4)).text(), definition(_name("s", 2)).text()
    ('b_4 = kappa1(b_3)', 's_2 = kappa0(1/pi)')
    >>> print(definition(_name("b", 4)).latex())
    b_{4} = \\kappa_1^{(4)}(-1)
    """
    n, iterated = name.index, name.name[0] == "b"
    inner = 1 / pi if n - iterated == 2 else _name("b", n - iterated)
    value = ArcCosine(Integer(int(iterated)), inner)
    kappa = "<msubsup><mi>\u03ba</mi><mn>1</mn><mrow><mo>(</mo><mn>{}</mn><mo>)</mo></mrow></msubsup>"
    at = "<mo>(</mo><mo form='prefix'>\u2212</mo><mn>1</mn><mo>)</mo>"
    iterate = Word(sstr(value), rf"\kappa_1^{{({n})}}(-1)", f"<mrow>{kappa.format(n)}{at}</mrow>")
    return Formula((Piece("", (name,)), Piece("=", (iterate if iterated else value,))))
