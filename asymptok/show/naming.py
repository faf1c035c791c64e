"""Names for the constants of deep networks, the same in every table, expansion and law.

kappa_1^(l)(-1), kappa_1 applied l times, is b_l: b_1 = 0 and b_2 = 1/pi are written out, b_3, b_4, ... are named; and
s_l = kappa_0(b_l), l >= 2. The index is the depth, so that a constant bears one name wherever it turns up. Long
products are p_l = s_2 s_3 ... s_l; of many names only the rule is told.
"""

from __future__ import annotations

from collections.abc import Iterable

from sympy import Expr, Integer, Mul, S, Symbol, factor, pi, sstr

from asymptok import dag
from asymptok.functions.arccosine import ArcCosine
from asymptok.functions.depth import is_depth
from asymptok.show.formula import Formula, Piece, Word

__all__ = ["definition", "definitions", "gathered", "in_factors", "in_order", "named", "names_in"]

#: a product s_2 ... s_l of fewer factors is written out
_LEAST_PRODUCT = 5
#: more names than this are defined by their rule
_MANY = 10

#: b_l where SymPy has put in the value
_VALUES: dict[Expr, int] = {S.Zero: 1, 1 / pi: 2}


class _Name(Symbol):
    """b_l, s_l or p_l; no parameter of a kernel is equal to it, whatever it is called."""

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
    return gathered(dag.rebuild(expr, names)) if names else expr


def gathered(expr: Expr) -> Expr:
    """p_l in place of long products s_2 ... s_l.

    >>> from sympy import prod
    >>> gathered(3*prod(_name("s", j) for j in range(2, 9)) + _name("s", 2))
    3*p_8 + s_2
    """
    shorter: dict[Expr, Expr] = {}
    for node in dag.postorder(expr):
        if not node.is_Mul:
            continue
        powers = {f.base if f.is_Pow else f: f.exp if f.is_Pow else S.One for f in node.args}
        last = 1
        while (e := powers.get(_name("s", last + 1))) is not None and e.is_Integer and e > 0:
            last += 1
        if last > _LEAST_PRODUCT:
            names = [_name("s", j) for j in range(2, last + 1)]
            common = min(powers[name] for name in names)
            rest = [base**e for base, e in powers.items() if base not in names]
            rest += [name ** (powers[name] - common) for name in names]
            shorter[node] = Mul(_name("p", last) ** common, *rest)
    return dag.rebuild(expr, shorter) if shorter else expr


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
        if name.name[0] == "p":
            found.update(_name("s", i) for i in range(2, name.index + 1))
        found.update(_name("b", i) for i in range(3, name.index + (name.name[0] != "b")))
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
    if name.name[0] == "p":
        return Formula((Piece("", (name,)), Piece("=", (_product_of_slopes(name.index),))))
    n, iterated = name.index, name.name[0] == "b"
    inner = 1 / pi if n - iterated == 2 else _name("b", n - iterated)
    value = ArcCosine(Integer(int(iterated)), inner)
    iterate = Word(sstr(value), rf"\kappa_1^{{({n})}}(-1)")
    return Formula((Piece("", (name,)), Piece("=", (iterate if iterated else value,))))


def definitions(names: Iterable[Symbol]) -> list[Formula]:
    """What the names stand for, one after the other; of many names the rule.

    >>> [line.text() for line in definitions(names_in(_name("s", 3)))]
    ['b_3 = kappa1(1/pi)', 's_3 = kappa0(b_3)']
    >>> [line.text() for line in definitions(names_in(_name("p", 40)))]
    ['b_2 = 1/pi', 'b_l = kappa1(b_(l-1))', 's_l = kappa0(b_l)', 'p_40 = s_2*...*s_40']
    """
    ordered = in_order(names)
    if len(ordered) <= _MANY:
        return [definition(name) for name in ordered]
    products = [definition(name) for name in ordered if name.name[0] == "p"]
    return [*(Formula((Piece("", (left,)), Piece("=", (right,)))) for left, right in _RULE), *products]


def _product_of_slopes(last: int) -> Word:
    return Word(f"s_2*...*s_{last}", rf"s_{{2}} \cdots s_{{{last}}}")


#: b_l and s_l for every l
_RULE = (
    (_name("b", 2), 1 / pi),
    (
        Word("b_l", "b_{l}"),
        Word("kappa1(b_(l-1))", r"\kappa_1(b_{l-1})"),
    ),
    (
        Word("s_l", "s_{l}"),
        Word("kappa0(b_l)", r"\kappa_0(b_{l})"),
    ),
)
