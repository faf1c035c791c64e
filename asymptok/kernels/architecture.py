"""kernels.network: from an architecture to its kernel, of the network (NNGP) or of its training (NTK).

With Sigma_1 = b + w u, q_l = Sigma_l(1) and the duals taken at variance q_l and correlation Sigma_l/q_l,

    Sigma_(l+1) = r^2 Sigma_l + B_(l+1),     B_(l+1) = b + w E[phi phi],
    T_(l+1)     = (r^2 + w E[phi' phi']) T_l + B_(l+1),     T_1 = B_1 = Sigma_1.

B_l is what the parameters of layer l contribute; it reaches the output through the factors of the layers above.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, partial
from itertools import pairwise
from math import prod
from typing import NamedTuple

from sympy import Add, Dummy, Expr, Mul, Piecewise, S, Symbol, diff, expand_mul, root

from asymptok import dag
from asymptok.arguments import whole_number
from asymptok.constants.decide import sign
from asymptok.constants.normal_form import divides_by_a_sum, fraction, gathered, shortest
from asymptok.errors import AsymptokError, Undecided
from asymptok.functions.depth import whole_depth
from asymptok.functions.hermite import HermiteDual
from asymptok.functions.long_constant import LongConstant
from asymptok.functions.orthant import Orthant
from asymptok.kernels.construction import named
from asymptok.kernels.duals import Activation, as_activation, dual_at, parity_of, second_moment
from asymptok.kernels.kernel import Kernel
from asymptok.kernels.means import Making, Mean, added, composed
from asymptok.kernels.pieces import folded, pieces
from asymptok.kernels.residual import two_matrix_blocks
from asymptok.kernels.variances import GivenParameters
from asymptok.parameters import Given, intersect, kept
from asymptok.symbols import Correlation, MeanProduct, known, u, x
from asymptok.truth import Sign

__all__ = ["derivative", "network"]

_DIAGONAL = "weight_variance=None keeps the diagonal at 1, which needs bias_variance + residual^2 < 1"
#: nodes of a variance that has no name yet
_LONG = 30
#: layers of a network that is written down when it is made
_AT_ONCE = 3
_VARIANCE, _COVARIANCE = Dummy("v", positive=True), Dummy("c", real=True)


@named("network of", "ChoSaul2009", "Lee2018", "Jacot2018")
def network(
    depth: object,
    activation: object = "relu",
    weight_variance: object = None,
    bias_variance: object = 0,
    tangent: bool = False,
    residual: object = 0,
    trained: str | Iterable[int] | Mapping[int, object] = "all",
    trained_bias: object = 0,
    block: int = 1,
    parameters: Given | None = None,
) -> Kernel:
    """The kernel of an infinitely wide network with `depth` layers of weights, of which depth - 1 have activations.

    weight_variance=None chooses the variance of each layer such that the diagonal stays 1 (b + r^2 < 1 is needed);
    residual is the weight r of a skip connection around each hidden layer. A name instead of a number, as in
    weight_variance="w", is a positive parameter. With tangent=True the tangent kernel, of all layers or of those named
    by `trained`: "all", "first", "last", a set of layers 1, ..., depth, or a dict with the weight of each part.
    `trained_bias` is beta^2 for biases beta b_l that start at 0 and are trained: each layer adds it to the tangent
    kernel. block=2 makes residual blocks of two matrices, x + r V relu(W x), `depth` of them (see kernels.residual).
    `parameters` has the ranges of all of them, those of the activation too.

    >>> network(3).expr, network(2, tangent=True).expr
    (kappa1(kappa1(u)), u*kappa0(u) + kappa1(u))
    >>> network(2, "erf", weight_variance=1, bias_variance=1, tangent=True, trained="last").expr
    2*asin(2*u/5 + 2/5)/pi + 1
    >>> network(2, "leaky_relu(x, a)", parameters={"a": (0, 1)}).expr
    (2*a*u + (a - 1)**2*kappa1(u))/(a**2 + 1)
    >>> network(2, tangent=True, trained_bias="s").expr
    s + (s + u)*kappa0(u) + kappa1(u)
    """
    L = whole_depth(depth)
    if not isinstance(tangent, bool):
        raise AsymptokError(f"tangent is True or False, not {tangent!r}")
    phi = as_activation(activation, parameters)
    given = GivenParameters(parameters, phi.ranges)
    r = given.take(residual, "residual")
    weight = None if weight_variance is None else given.take(weight_variance, "weight_variance")
    beta = given.take(trained_bias, "trained_bias")
    layers = _Layers(phi, weight, given.take(bias_variance, "bias_variance"), r**2, given, beta)
    weights = {n: given.take(c, f"the weight of layer {n}") for n, c in _weights(trained).items()}
    given.check_used("the network")
    chosen = _trained(trained, L, tangent)
    for what, value in (
        ("trained_bias", beta),
        *((f"the weight of layer {n}", c) for n, c in weights.items()),
    ):
        # with a negative one the Taylor coefficients are no squares
        if value.is_nonnegative is not True:
            raise AsymptokError(
                f"{what} is a number >= 0 or a parameter with such a range, not {given.told(value)}"
            )
    if beta != 0 and not tangent:
        raise AsymptokError("`trained_bias` speaks of the tangent kernel: give tangent=True")
    kind = "NTK" if tangent else "NNGP"
    if block != 1:
        _refuse_beside_blocks(block, layers, trained)
        expr, top = two_matrix_blocks(L, r**2, tangent)
        return Kernel(
            expr,
            name=f"residual network of {L} blocks x + {r} V relu(W x), {kind}",
            parameters={s: bounds for s, bounds in layers.ranges.items() if s in expr.free_symbols},
            symbol=rf"\kappa_{{\mathrm{{Res{kind}}}}}^{{({L})}}",
            mean=Mean(top),
        )
    given_to_it = {
        "depth": L,
        "activation": phi,
        "weight_variance": layers.weight,
        "bias_variance": layers.bias,
        "tangent": tangent,
        "residual": r,
        "trained": sorted(chosen) if tangent else "all",
        **({"trained_bias": beta} if beta != 0 else {}),
    }
    making = None if weights else Making("network", (), given_to_it)
    write = partial(_written, making, layers, L, tangent, chosen, weights)
    name = _name(kind, L, phi, _told(trained, chosen, weights), layers, r)
    symbol = rf"\kappa_{{\mathrm{{{kind}}}}}^{{({L})}}"
    if L > _AT_ONCE and making and not layers.ranges:
        # what is wrong with a layer shows in the first one above the data
        _recursion(layers, 2, tangent, {1, 2}, {})
        return Kernel.later(write, name, symbol)
    expr, mean = write()
    parameters = {s: bounds for s, bounds in layers.ranges.items() if s in expr.free_symbols}
    return Kernel(expr, name=name, parameters=parameters, symbol=symbol, mean=mean)


def _written(
    making: Making | None,
    layers: _Layers,
    depth: int,
    tangent: bool,
    chosen: set[int],
    weights: Mapping[int, Expr],
) -> tuple[Expr, Mean]:
    """The expression, and what is known of it as a mean of products and compositions of duals, with weights >= 0."""
    expr, diagonal = _recursion(layers, depth, tangent, chosen, weights)
    # a layer that is a sum of functions whose singular parts cancel, or has parameters, or whose correlation is 1 as a
    # sum of fractions only, is expanded by itself; what is said of means holds if phi is constant, or zero, for no
    # value of its parameters
    by_layers = depth > 1 and (
        any(isinstance(node, Orthant) for node in dag.postorder(expr))
        or (depth > 2 and (bool(layers.ranges) or divides_by_a_sum(expr)))
    )
    by_layers = by_layers and (not layers.phi.ranges or layers.shape.varies)
    layered = _by_layers(layers, depth, tangent, chosen, weights) if by_layers else ()
    return expr, Mean(diagonal, layers.parity(depth, chosen if tangent else None), making, *layered)


def _recursion(
    layers: _Layers, depth: int, tangent: bool, chosen: set[int], weights: Mapping[int, Expr]
) -> tuple[Expr, Expr]:
    """The kernel over u, and its value at u = 1."""
    layer, size, block = layers.first()
    blocks, factors, block_sizes, factor_sizes = [block], [], [size], []
    for _ in range(depth - 1):
        if tangent:
            factor, largest = layers.factor(layer, size)
            factors.append(factor)
            factor_sizes.append(largest)
        before = layers.skip * size
        layer, size, block = layers.next(layer, size)
        blocks.append(block)
        block_sizes.append(size - before)
    if not tangent:
        return layer, size
    blocks, block_sizes = ([b + layers.trained for b in found] for found in (blocks, block_sizes))
    return _collected(blocks, factors, chosen, weights), _collected(
        block_sizes, factor_sizes, chosen, weights
    )


def _by_layers(
    layers: _Layers, depth: int, tangent: bool, chosen: set[int], weights: Mapping[int, Expr]
) -> tuple[Expr, dict[Symbol, Expr]]:
    """The kernel over names for the correlations of the layers and for the means above each of them.

    What cancels in a mean does so for every variance, so that variances have names too.
    """
    names: dict[Symbol, Expr] = {}
    #: the variances by their names, each written with those below it
    exact: dict[Symbol, Expr] = {}

    signs = _one_signed(layers.phi, 2 + tangent)
    varies = (layers.shape.varies, layers.shape.bends, False)

    def mean(phi: Activation, order: int) -> Expr:
        """The mean of the products of phi, the derivative of that order, under a name."""
        found = MeanProduct.of(
            parity_of(phi), (signs[order], signs[order + 1]), (varies[order], varies[order + 1])
        )
        names[found] = dag.rebuild(dual_at(phi, variance).expr, {u: correlation})
        return found

    def normalised(number: int, layer: Expr, size: Expr) -> tuple[Expr, Expr]:
        if size.is_Rational or size.is_Symbol:
            variance = size
        elif size.free_symbols - names.keys():
            variance = known(size, 0, None)
        else:
            variance = Dummy("variance", positive=True)
            names[variance] = exact[variance] = _short(dag.rebuild(size, exact))
        correlation = gathered(layer, u, 1 / variance)
        if correlation == u:
            return u, variance
        symbol = Correlation.with_end(layers.end(number))
        names[symbol] = correlation
        return symbol, variance

    layer, size, block = layers.first()
    blocks, factors = [block], []
    for number in range(1, depth):
        correlation, variance = normalised(number, layer, size)
        second = second_moment(layers.phi, variance)
        if layers.weight is None and dag.free_symbols(second):
            second = known(
                second, 0, None
            )  # a mean of squares: what is divided by it needs no look at its value
        weight = layers.weighted(second)
        if tangent:
            factors.append(layers.skip + weight * mean(derivative(layers.phi), 1))
        block = layers.bias + weight * mean(layers.phi, 0)
        layer = layers.skip * variance * correlation + block
        size = layers.after(variance, second)
        blocks.append(block)
    blocks = [b + layers.trained for b in blocks]
    return (_collected(blocks, factors, chosen, weights) if tangent else layer), names


class _Layers:
    """One step of the recursion: the covariance, its value at u = 1, and what the parameters of the layer add."""

    def __init__(
        self,
        phi: Activation,
        weight: Expr | None,
        bias: Expr,
        skip: Expr,
        given: GivenParameters,
        trained: Expr,
    ) -> None:
        self.phi, self.weight, self.bias, self.skip, self.trained = phi, weight, bias, skip, trained
        self.ranges, self._is_declared = given.ranges, given.is_declared
        if weight is not None and weight.is_positive is not True:
            raise AsymptokError(f"weight_variance > 0 is needed, not {given.told(weight)}")
        if bias.is_nonnegative is not True:
            raise AsymptokError(f"bias_variance >= 0 is needed, not {given.told(bias)}")

    @cached_property
    def shape(self) -> _Shape:
        return _shape(self.phi)

    def first(self) -> tuple[Expr, Expr, Expr]:
        weight = self._weight(S.One, S.Zero)
        layer = self.bias + weight * u
        return layer, self._size(self.bias + weight), layer

    def next(self, layer: Expr, size: Expr) -> tuple[Expr, Expr, Expr]:
        second = second_moment(self.phi, size)
        weight = self.weighted(second)
        block = self.bias + gathered(_composed(self.phi, layer, size), u, weight)
        return self.skip * layer + block, self.after(size, second), block

    def after(self, size: Expr, second: Expr) -> Expr:
        """The variance of the next layer, from that of this one and the second moment of phi there."""
        return self._size(self.skip * size + self.bias + shortest(self.weighted(second) * second))

    def weighted(self, second: Expr) -> Expr:
        """The variance of the weights above a layer with this second moment."""
        return self._weight(second, self.skip)

    def factor(self, layer: Expr, size: Expr) -> tuple[Expr, Expr]:
        """r^2 + w E[phi'(sqrt(q) X) phi'(sqrt(q) Y)], by which a tangent kernel grows; and its value at u = 1."""
        weight = self.weighted(second_moment(self.phi, size))
        slope = dual_at(derivative(self.phi), size)
        assert slope.mean is not None
        factor = self.skip + gathered(_composed(derivative(self.phi), layer, size), u, weight)
        return factor, self.skip + weight * slope.mean.diagonal

    def end(self, number: int) -> int | None:
        """The correlation of a layer at u = -1: -1 or 1 if it is odd or even, 0 if it lies between, None if not known.

        It is a power series with coefficients >= 0 of sum 1, and lies between unless all even or all odd ones vanish;
        then so it does above, for every phi that is not constant.
        """
        found = self.parity(number, None)
        if self.bias.is_positive:
            between = self.shape.varies or number == 1
        else:  # an even phi turns -1 into 1, and the skip connection keeps -1
            between = number > 1 and (
                self.shape.neither or bool(self.skip.is_positive and parity_of(self.phi) == 1)
            )
        return found or (0 if between else None)

    def parity(self, depth: int, chosen: set[int] | None) -> int:
        """That of the kernel, or of the tangent kernel of the chosen layers, from that of phi; a bias is even."""
        phi = parity_of(self.phi)

        def with_constant(constant: Expr, parity: int) -> int:
            return parity if constant == 0 else added(1, parity)

        layer = with_constant(self.bias, -1)
        blocks, factors = [layer], []
        for _ in range(depth - 1):
            factors.append(with_constant(self.skip, composed(-phi, layer)))
            blocks.append(with_constant(self.bias, composed(phi, layer)))
            layer = blocks[-1] if self.skip == 0 else added(layer, blocks[-1])
        if chosen is None:
            return layer
        blocks = [with_constant(self.trained, block) for block in blocks]
        return added(*(prod([blocks[n - 1], *factors[n - 1 :]]) for n in chosen))

    def _size(self, value: Expr) -> Expr:
        if self.weight is None:
            return S.One
        return _short(value)

    def _weight(self, second: Expr, skip: Expr) -> Expr:
        if self.weight is not None:
            return self.weight
        left = 1 - self.bias - skip
        if left.is_positive is not True and not sign(left, self.ranges).positive and not self._narrowed(left):
            raise AsymptokError(f"{_DIAGONAL}, not {self.bias + skip}: give weight_variance")
        return fraction(left / second)

    def _narrowed(self, left: Expr) -> bool:
        """a - b > 0 for b < a, a^2 - r^2 > 0 for -a < r < a: with one symbol and a rational, its range."""
        symbols = sorted(left.free_symbols, key=lambda s: s.name)
        if len(symbols) != 1 or symbols[0].is_real is not True:
            return False
        (symbol,) = symbols
        for power in (1, 2):
            end = root(left + symbol**power, power)
            if end.is_Rational and end > 0:
                low, high = self.ranges[symbol]
                if high <= -end or low >= end:
                    return False
                if self._is_declared(symbol):
                    kept(symbol.name, self.ranges[symbol], (-end, end), f"{_DIAGONAL}, {symbol} in")
                self.ranges[symbol] = intersect(symbol.name, self.ranges[symbol], (-end, end))
                return True
        return False


def _short(value: Expr) -> Expr:
    """The number, or its name: SymPy would evaluate a long constant each time that it is looked at."""
    short = dag.tree_size(value) <= _LONG or dag.free_symbols(value)
    return value if short else LongConstant(value)


def _composed(phi: Activation, layer: Expr, size: Expr) -> Expr:
    """E[phi(X) phi(Y)] for the covariance `layer` and the variance `size`.

    The variance has a name while the correlation is put in, so that variance times correlation is the covariance.
    """
    correlation = gathered(layer, u, 1 / size)
    if not size.is_Rational:
        try:
            form = dual_at(phi, _VARIANCE).expr
        except AsymptokError:
            form = u  # what depends on the value of the variance: exp(c x^2) with 4 c v < 1
        if form.has(_VARIANCE) and not form.has(HermiteDual):
            form = dag.rebuild(expand_mul(form, deep=False), {u: _COVARIANCE / _VARIANCE})
            return dag.rebuild(
                form, {_COVARIANCE / _VARIANCE: correlation, _COVARIANCE: layer, _VARIANCE: size}
            )
    return dag.rebuild(dual_at(phi, size).expr, {u: correlation})


def _one_signed(phi: Activation, count: int) -> list[bool]:
    """Whether phi, phi', ... are proved to have one sign; False beyond a jump."""
    found = []
    for _ in range(count):
        try:
            signs = {
                sign(cell.expr, {**phi.ranges, x: (cell.low, cell.high)})
                for cell in pieces(phi.expr, phi.ranges)
            }
            found.append(len(signs - {Sign.ZERO}) == 1 and Sign.UNKNOWN not in signs)
            phi = derivative(phi)
        except AsymptokError:
            break
    return found + [False] * (count - len(found))


class _Shape(NamedTuple):
    """What is proved of phi: not constant, not affine, neither even nor odd. False says nothing."""

    varies: bool = False
    bends: bool = False
    neither: bool = False


def _shape(phi: Activation) -> _Shape:
    """By values at -(p + 1), p + 1 and p + 2, beyond all kinks up to p."""
    try:
        right, left = folded(pieces(phi.expr, phi.ranges), phi.ranges)[-1]
    except Undecided:
        return _Shape()
    place = right.low + 1
    here, next_one, mirrored = (
        f.subs(x, at) for f, at in ((right.expr, place), (right.expr, place + 1), (left.expr, place))
    )

    def nonzero(value: Expr) -> bool:
        return sign(value, phi.ranges).nonzero

    bends = nonzero(here - mirrored - 2 * place * (next_one - here))
    neither = nonzero(here - mirrored) and nonzero(here + mirrored)
    return _Shape(bends or nonzero(here - mirrored) or nonzero(here - next_one), bends, neither)


def derivative(activation: Activation) -> Activation:
    """phi', interval by interval; a jump of phi has no derivative, and is refused.

    >>> derivative(as_activation("relu")).expr
    Piecewise((0, x < 0), (1, True))
    """
    cells = pieces(activation.expr, activation.ranges)
    for before, cell in pairwise(cells):
        jump = (cell.expr - before.expr).subs(x, cell.low).expand()
        if jump != 0:
            raise AsymptokError(
                f"the activation {activation.name or activation.expr} jumps at x = {cell.low}: its derivative is no "
                "function, and there is no tangent kernel"
            )
    slopes = [diff(cell.expr, x) for cell in cells]
    branches = [(slope, x < cell.high) for slope, cell in zip(slopes[:-1], cells[:-1], strict=True)]
    expr = Piecewise(*branches, (slopes[-1], True)) if branches else slopes[-1]
    ranges = tuple((s, r) for s, r in activation.parameters if s in expr.free_symbols)
    return Activation(expr, ranges, None)


def _collected(
    blocks: list[Expr], factors: list[Expr], chosen: set[int], weights: Mapping[int, Expr]
) -> Expr:
    """sum over the chosen layers l of B_l, with its weight, times the factors of the layers above."""
    blocks = [weights.get(n, S.One) * block for n, block in enumerate(blocks, 1)]
    if len(chosen) == len(blocks):
        total = blocks[0]
        for factor, block in zip(factors, blocks[1:], strict=True):
            total = total * factor + block
        return total
    return Add(*(Mul(blocks[layer - 1], *factors[layer - 1 :]) for layer in sorted(chosen)))


def _told(trained: object, chosen: set[int], weights: Mapping[int, Expr]) -> str:
    if isinstance(trained, str):
        return trained
    return str([f"{n}: {weights[n]}" if n in weights else n for n in sorted(chosen)]).replace("'", "")


def _weights(trained: object) -> Mapping[int, object]:
    return trained if isinstance(trained, Mapping) else {}


def _refuse_beside_blocks(block: int, layers: _Layers, trained: object) -> None:
    plain = layers.phi.name == "relu" and layers.weight is None and layers.bias == 0 and layers.trained == 0
    if block != 2 or not plain or trained != "all" or layers.skip == 0:
        raise AsymptokError(
            "block is 1, or 2 for residual blocks of two matrices: these have ReLU units, a weight residual=... != 0, "
            "no biases, variances that are not given, and are trained as a whole"
        )


def _trained(trained: str | Iterable[int], depth: int, tangent: bool) -> set[int]:
    word = trained if isinstance(trained, str) else None
    if word == "all":
        return set(range(1, depth + 1))
    if not tangent:
        raise AsymptokError("`trained` speaks of the tangent kernel: give tangent=True")
    if word in ("first", "last"):
        return {1 if word == "first" else depth}
    try:
        chosen = {whole_number(layer, "layer") for layer in (() if word is not None else trained)}
    except TypeError:
        chosen = set()
    if not chosen:
        raise AsymptokError(f'trained is "all", "first", "last" or a set of layers, not {trained!r}')
    if max(chosen) > depth:
        raise AsymptokError(f"a network of depth {depth} has no layer {max(chosen)}")
    return chosen


def _name(kind: str, depth: int, phi: Activation, trained: str, layers: _Layers, skip: Expr) -> str:
    parts = [f"network of {phi.name or phi.expr} units, {kind}, depth {depth}"]
    if layers.weight is not None or layers.bias != 0:
        weight = "normalised" if layers.weight is None else layers.weight
        parts.append(f"variances {weight} (weights) and {layers.bias} (biases)")
    if skip != 0:
        parts.append(f"skip weight {skip}")
    if layers.trained != 0:
        parts.append(f"biases trained from 0, beta^2 = {layers.trained}")
    if trained != "all":
        parts.append(f"trained: {trained}")
    return ", ".join(parts)
