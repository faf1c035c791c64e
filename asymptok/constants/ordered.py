"""Values of functions as rational expressions in unknowns z > 0, by what is known of the order of such values.

asin(y) = asin(x) (1 - z)/(1 + z) for |y| < x, since asin is odd and rises; kappa(c) = kappa(1) (1 - z)/(1 + z) for
kappa(c) = E[phi(X) phi(Y)], phi not constant, and a correlation |c| < 1, by Cauchy and Schwarz. So b + w kappa(c) and
b + w kappa(1) are compared without a look at kappa. Whatever holds for all z > 0 holds for the values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

from sympy import Dummy, Expr, S, oo

from asymptok import dag
from asymptok.functions import record_of
from asymptok.functions.hermite import HermiteDual
from asymptok.functions.kinked import KinkedDual
from asymptok.symbols import x
from asymptok.truth import Sign

__all__ = ["is_moment", "rational_unknowns"]

#: where an activation is looked at
_POINTS = (S.Zero, S.One, S(2))

#: the sign of a constant, the same for all values of its parameters
Judge = Callable[[Expr], Sign]


def rational_unknowns(expr: Expr, sign: Judge) -> dict[Expr, Expr] | None:
    """Expressions in positive unknowns for all functions of parameters in the expression; None if one has none."""
    families: dict[tuple[object, ...], list[Expr]] = {}
    found: dict[Expr, Expr] = {}
    for node in _functions(expr):
        if node.is_Pow and node.exp.is_Rational and sign(node.base).positive:
            found[node] = Dummy(positive=True)
        elif _rises(node) is not None or (isinstance(node, HermiteDual) and _is_kernel(node)):
            families.setdefault((node.func, *node.args[:-1]), []).append(node)
        else:
            return None
    for members in families.values():
        largest = _largest(members, sign)
        if largest is None:
            return None
        top = Dummy(positive=True)
        for node in members:
            found[node] = top * (S.One if node is largest else _share(node, sign))
    return found


def is_moment(node: Expr) -> bool:
    """Whether it is E[phi(X)^2] of an activation that is zero for no value of its parameters."""
    if not isinstance(node, HermiteDual) or node.args[-1] is not S.One or not _is_kernel(node):
        return False
    if isinstance(node, KinkedDual):
        given = dict(zip(node.symbols, node.args[:-1], strict=True))
        return any(f.subs(given).subs(x, Dummy(positive=True)).is_nonzero for _, f in node.cells)
    phi = node.activation(*node.args[:-1])
    return any(phi.subs(x, point).is_nonzero for point in _POINTS)


def _rises(node: Expr) -> Expr | None:
    """The largest argument of an odd function that rises."""
    record = record_of(node.func)
    if record is None or len(node.args) != 1 or record.parity(node) != -1:
        return None
    rule = record.monotone(node)
    return rule.domain[1] if rule is not None and rule.sign > 0 else None


def _varies(node: HermiteDual) -> bool:
    """Whether the activation is constant for no value of its parameters: kappa(c) = kappa(1) would hold then."""
    if node.parity == 1:
        return True  # it is odd, and not zero
    if isinstance(node, KinkedDual):
        given = dict(zip(node.symbols, node.args[:-1], strict=True))
        slopes = [f.subs(given).diff(x).subs(x, Dummy(positive=True)) for _, f in node.cells]
        return any(slope.is_nonzero for slope in slopes)
    phi = node.activation(*node.args[:-1])
    here = phi.subs(x, S.Zero)
    slopes = [phi.diff(x, n).subs(x, S.Zero) for n in (1, 2)]
    return any(value.is_nonzero for value in (*slopes, *(phi.subs(x, p) - here for p in _POINTS[1:])))


def _is_kernel(node: HermiteDual) -> bool:
    """A mean of products, and not the derivative of one."""
    return not (isinstance(node, KinkedDual) and node.order)


def _functions(expr: Expr) -> Iterator[Expr]:
    """The outermost functions of parameters, each once."""
    stack, seen = [expr], set()
    while stack:
        node = stack.pop()
        if node in seen or node.is_Symbol or not dag.free_symbols(node):
            continue
        seen.add(node)
        if node.is_Add or node.is_Mul or (node.is_Pow and node.exp.is_Integer):
            stack.extend(node.args)
        else:
            yield node


def _largest(members: list[Expr], sign: Judge) -> Expr | None:
    """The node whose value is positive and larger than the absolute values of all others."""
    if isinstance(members[0], HermiteDual):
        top = next((node for node in members if is_moment(node) and _varies(cast(HermiteDual, node))), None)
        return (
            top
            if top and all(_within(node.args[-1], S.One, sign) for node in members if node is not top)
            else None
        )
    for node in members:
        argument, end = node.args[0], _rises(node)
        if (
            sign(argument).positive
            and end is not None
            and (end is oo or sign(end - argument).positive)
            and all(_within(other.args[0], argument, sign) for other in members if other is not node)
        ):
            return node
    return None


def _within(small: Expr, large: Expr, sign: Judge) -> bool:
    """Whether -large < small < large is proved."""
    return sign(large - small).positive and sign(large + small).positive


def _share(node: Expr, sign: Judge) -> Expr:
    """f(y)/f(x) for |y| < x, between -1 and 1; between 0 and 1 where y > 0."""
    z = Dummy(positive=True)
    here = sign(node.args[-1])
    if here.positive:
        return 1 / (1 + z)
    if here.negative and not (isinstance(node, HermiteDual) and not node.parity):
        return -1 / (1 + z)
    return (1 - z) / (1 + z)
