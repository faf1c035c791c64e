"""Kernels of infinitely wide networks on the sphere."""

from __future__ import annotations

from typing import Any

from sympy import Expr, Mul, Rational, S, Symbol, asin, oo, pi

from asymptok.arguments import whole_number
from asymptok.functions.arccosine import ArcCosine, kappa0, kappa1
from asymptok.functions.depth import DeepReLU, is_depth, whole_depth
from asymptok.functions.steps import DeepStep
from asymptok.kernels.architecture import network
from asymptok.kernels.construction import named
from asymptok.kernels.kernel import Kernel
from asymptok.kernels.means import Mean
from asymptok.symbols import u

__all__ = [
    "arc_cosine",
    "erf_network",
    "first_layer_ntk",
    "ntk",
    "random_features",
    "relu_network",
    "step_features",
]

#: layers up to which the tangent kernel is written as its recursion reads
_HORNER = 4


@named("arc-cosine", "ChoSaul2009", "Bach2017")
def arc_cosine(order: object) -> Kernel:
    """kappa_n, the kernel of one hidden layer of units max(x, 0)^n, normalised to kappa_n(1) = 1.

    >>> arc_cosine(1)
    Kernel('kappa1(u)', name='arc-cosine kernel of order 1')
    """
    n = whole_number(order, "order", least=0)
    return Kernel(ArcCosine(n, u), name=f"arc-cosine kernel of order {n}")


@named("random features", "ChoSaul2009", "BiettiBach2021")
def random_features(depth: Any) -> Kernel:
    """RF_1 = u, RF_L = kappa_1(RF_(L-1)): a ReLU network of depth L whose last layer alone is trained.

    >>> random_features(3)
    Kernel('kappa1(kappa1(u))', name='random features, depth 3')
    """
    if is_depth(depth):
        return _every_depth(False, depth)
    L = whole_depth(depth)
    layer: Expr = u
    for _ in range(L - 1):
        layer = kappa1(layer)
    return Kernel(layer, name=f"random features, depth {L}", symbol=rf"\kappa_{{\mathrm{{RF}}}}^{{({L})}}")


@named("NTK", "Jacot2018", "BiettiMairal2019", "BiettiBach2021")
def ntk(depth: Any) -> Kernel:
    """NTK_1 = u, NTK_L = NTK_(L-1) kappa_0(RF_(L-1)) + RF_L: a ReLU network, all layers trained.

    >>> ntk(2)
    Kernel('u*kappa0(u) + kappa1(u)', name='NTK, depth 2')
    >>> ntk(2).evaluate(1)
    mpf('2.0')
    """
    if is_depth(depth):
        return _every_depth(True, depth)
    L = whole_depth(depth)
    factors: list[Expr] = []
    terms: list[Expr] = []
    layer: Expr = u
    for _ in range(L - 1):
        factors.append(kappa0(layer))
        layer = kappa1(layer)
        terms.append(layer)
    expr = _affine(factors, terms, u)
    return Kernel(expr, name=f"NTK, depth {L}", symbol=rf"\kappa_{{\mathrm{{NTK}}}}^{{({L})}}")


def _every_depth(tangent: bool, depth: Symbol) -> Kernel:
    """A depth L >= 3 as a symbol; at L = 2 one parity of the spectrum vanishes, so that it is a case of its own."""
    label = "NTK" if tangent else "RF"
    return Kernel(
        DeepReLU(int(tangent), depth, u),
        name=f"{'NTK' if tangent else 'random features'}, every depth {depth} >= 3",
        parameters={depth: (2, oo)},
        symbol=rf"\kappa_{{\mathrm{{{label}}}}}^{{({depth})}}",
        mean=Mean(depth if tangent else S.One),
    )


def _affine(factors: list[Expr], terms: list[Expr], start: Expr) -> Expr:
    """start -> start a_1 + b_1 -> (start a_1 + b_1) a_2 + b_2 -> ...

    A long recursion is cut in halves, upper(lower(start)) = (product of the upper a) lower(start) + upper(0),
    and the nesting grows with log(depth). SymPy's evalf visits the factors of a product twice and its diff
    recurses, so that a hundred nested products are out of their reach.
    """
    if len(factors) <= _HORNER:
        for a, b in zip(factors, terms, strict=True):
            start = start * a + b
        return start
    half = (len(factors) + 1) // 2
    lower = _affine(factors[:half], terms[:half], start)
    return Mul(*factors[half:]) * lower + _affine(factors[half:], terms[half:], S.Zero)


@named("ReLU", "ChoSaul2009", "Lee2018", "Jacot2018")
def relu_network(
    depth: object, weight_variance: object = 2, bias_variance: object = 0, tangent: bool = False
) -> Kernel:
    """S_1 = b + w u, S_(l+1) = b + (w/2) q_l kappa_1(S_l/q_l), q_l = S_l(1): a ReLU network with biases.

    w > 0 is the variance of the weights, b >= 0 that of the biases. With `tangent` the tangent kernel,
    T_1 = S_1, T_(l+1) = S_(l+1) + (w/2) T_l kappa_0(S_l/q_l). For w = 2, b = 0 these are twice
    random_features(L) and ntk(L).

    >>> relu_network(2, weight_variance=1, bias_variance=1).expr
    kappa1(u/2 + 1/2) + 1
    """
    L = whole_depth(depth)
    kernel = network(L, "relu", weight_variance, bias_variance, tangent)
    assert kernel.making is not None
    w, b = (kernel.making.given[key] for key in ("weight_variance", "bias_variance"))
    kind = "NTK" if tangent else "NNGP"
    name = f"ReLU {kind}, depth {L}, variances {w} (weights) and {b} (biases)"
    return kernel.named(name, rf"\kappa_{{\mathrm{{{kind}}}}}^{{({L})}}")


@named("step features", "ChoSaul2009", "BiettiBach2021")
def step_features(depth: Any, relu_above: bool = False) -> Kernel:
    """kappa_0 iterated L - 1 times, a network of step units; nu = 2^-(L-1) at u = 1.

    With `relu_above` only the first hidden layer has step units and the L - 2 layers above have ReLU ones:
    kappa_1 o ... o kappa_1 o kappa_0, and nu = 1/2 at every depth.

    >>> L = Symbol("L", integer=True, positive=True)
    >>> step_features(L)  # every depth L >= 3
    Kernel('step_L(u)', name='step features, every depth L >= 3', parameters={'L': (2, oo)})
    >>> step_features(3)
    Kernel('kappa0(kappa0(u))', name='step features, depth 3')
    >>> step_features(3, relu_above=True)
    Kernel('kappa1(kappa0(u))', name='step features under ReLU layers, depth 3')
    """
    if is_depth(depth) and not relu_above:
        return Kernel(
            DeepStep(depth, u),
            name=f"step features, every depth {depth} >= 3",
            parameters={depth: (2, oo)},
            symbol=rf"\kappa_{{\mathrm{{step}}}}^{{({depth})}}",
            mean=Mean(S.One),
        )
    L = whole_depth(depth, least=2 if relu_above else 1)
    layer = kappa0(u) if L > 1 else u
    for _ in range(L - 2):
        layer = kappa1(layer) if relu_above else kappa0(layer)
    name = "step features under ReLU layers" if relu_above else "step features"
    label = "step,ReLU" if relu_above else "step"
    return Kernel(layer, name=f"{name}, depth {L}", symbol=rf"\kappa_{{\mathrm{{{label}}}}}^{{({L})}}")


@named("erf network", "Williams1997")
def erf_network() -> Kernel:
    """(2/pi) asin(2u/3), one hidden layer of erf units.

    >>> erf_network()
    Kernel('2*asin(2*u/3)/pi', name='erf network')
    """
    return Kernel(2 * asin(Rational(2, 3) * u) / pi, name="erf network")


@named("first-layer NTK", "Jacot2018", "BiettiMairal2019")
def first_layer_ntk() -> Kernel:
    """u (pi - acos u)/(2 pi), the tangent kernel of a ReLU layer whose output weights stay fixed.

    >>> first_layer_ntk()
    Kernel('u*kappa0(u)/2', name='first-layer NTK')
    """
    return Kernel(u * kappa0(u) / 2, name="first-layer NTK")
