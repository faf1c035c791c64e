"""A kernel at points of any norms: |x|^p |y|^p kappa(cos) if it is homogeneous, else by its layers, else refused.

u stands for <x, y> and has degree 1; kappa_n(c), the mean of max(x, 0)^n at covariances of degree p, has degree n p;
numbers have degree 0. A sum has a degree if all its terms share it.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import add, mul
from typing import TYPE_CHECKING, Any

from sympy import Expr, S

from asymptok import dag
from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.functions.arccosine import ArcCosine
from asymptok.kernels.layers import correlation, layers_of, mean_of_two
from asymptok.kernels.means import Making
from asymptok.kernels.pieces import NoClosedForm, pieces
from asymptok.symbols import u, x

if TYPE_CHECKING:
    from asymptok.kernels.kernel import Kernel

__all__ = ["TwoNorms", "two_norms"]

#: (<x, x>, <x, y>, <y, y>) -> the kernel at x and y
TwoNorms = Callable[[Any, Any, Any], Any]


def two_norms(kernel: Kernel) -> tuple[float, TwoNorms | None]:
    """The degree of a homogeneous kernel, or else the kernel as a function of inner products.

    >>> from asymptok import kernels
    >>> two_norms(kernels.ntk(3)), two_norms(kernels.arc_cosine(2))
    ((1.0, None), (2.0, None))
    >>> _, f = two_norms(kernels.network(2, "erf", weight_variance=1))
    >>> bool(abs(f(1.0, 0.5, 1.0) - kernels.network(2, "erf", weight_variance=1)(0.5)) < 1e-15)
    True
    """
    making = kernel.making
    is_network = making is not None and making.call == "network"
    degree = _degree_of_network(making) if making and is_network else _degree(kernel.expr)
    if degree is not None:
        return float(degree), None
    found = None if making is None else _of_making(making)
    if found is None:
        raise AsymptokError(
            f"{kernel.name or kernel} is known on the sphere alone: it is not homogeneous, |x|^p |y|^p kappa(cos), and "
            "no network with a closed form at two norms, nor made of such networks. Put the points on the sphere "
            "(normalize=True); for a function of the distance there is RadialKernel"
        )
    return 0.0, found


def _degree(expr: Expr) -> Expr | None:
    """The degree by the rules above; None without one."""
    degrees: dict[Expr, Expr] = {u: S.One}
    for node in dag.postorder(expr):
        if node == u:
            continue
        if not all(arg in degrees for arg in node.args):
            return None
        found = [degrees[arg] for arg in node.args]
        if not any(found):
            degrees[node] = S.Zero
        elif node.is_Add and len(set(found)) == 1:
            degrees[node] = found[0]
        elif node.is_Mul:
            degrees[node] = sum(found, S.Zero)
        elif node.is_Pow and node.exp.is_Integer and node.exp > 0:
            degrees[node] = node.exp * found[0]
        elif isinstance(node, ArcCosine):
            degrees[node] = node.args[0] * found[1]
        else:
            return None
    return degrees[expr]


def _degree_of_network(making: Making) -> Expr | None:
    """1 for units c_+ x and c_- x on the two sides of 0, without biases."""
    cells = pieces(making.given["activation"].expr)
    linear = all(x not in dag.free_symbols((cell.expr / x).cancel()) for cell in cells)
    at_zero = all(cell.low == 0 for cell in cells[1:])
    biases = making.given["bias_variance"], making.given.get("trained_bias", S.Zero)
    return S.One if linear and at_zero and biases == (0, 0) else None


def _of_making(making: Making) -> TwoNorms | None:
    parts = [found for part in making.of if (found := _of_making(part)) is not None]
    if len(parts) < len(making.of):
        return None
    if making.call == "network":
        layers = layers_of(making)
        return None if layers is None else layers.at
    if making.call == "dual":
        return _of_dual(making)
    if making.call == "number":
        value = making.given["value"]
        return None if value.free_symbols else lambda xx, xy, yy: float(ball(value).mid())
    if making.call in ("sum", "product"):
        operation = add if making.call == "sum" else mul
        return lambda *products: operation(parts[0](*products), parts[1](*products))
    if making.call == "power":
        return lambda *products: parts[0](*products) ** making.given["exponent"]
    return None


def _of_dual(making: Making) -> TwoNorms | None:
    phi, variance = making.given["activation"], making.given["variance"]
    if phi.parameters or variance.free_symbols:
        return None
    try:
        mean, v = mean_of_two(phi), float(ball(variance).mid())
    except NoClosedForm:
        return None
    return lambda xx, xy, yy: mean(v * xx, v * yy, correlation(xx, xy, yy))
