"""dual(activation): from phi to kappa(u) = E[phi(sqrt(v) X) phi(sqrt(v) Y)], corr(X, Y) = u, in closed form."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from inspect import signature

from sympy import Add, Dummy, Expr, I, Mul, S, Symbol, exp, oo, sqrt

from asymptok import dag
from asymptok.constants.decide import sign
from asymptok.constants.normal_form import fraction, gathered
from asymptok.errors import AsymptokError, ParseError, Undecided
from asymptok.functions.long_constant import LongConstant
from asymptok.kernels import activations
from asymptok.kernels.hermite_form import by_hermite, parity_part
from asymptok.kernels.homogeneous import at_one, homogeneous
from asymptok.kernels.kernel import Kernel
from asymptok.kernels.means import Mean, made
from asymptok.kernels.pieces import NoClosedForm, Piece, Term, folded, pieces, terms
from asymptok.kernels.quadrants import Indicator, Normal, moment, reduced
from asymptok.kernels.strips import normal_part
from asymptok.kernels.variances import GivenParameters
from asymptok.parameters import (
    Given,
    Range,
    check_inside,
    declared,
    exact_number,
    fitting,
    intersect,
    range_of_symbol,
    symbol_in,
)
from asymptok.parsing import known_functions, parse
from asymptok.symbols import u, x

__all__ = [
    "PAIR",
    "Activation",
    "as_activation",
    "closed_form",
    "dual",
    "dual_at",
    "pair_dual",
    "parity_of",
    "part_of",
    "second_moment",
]


#: the name of a variance, and the size of those that are given one
_VARIANCE, _LONG = Dummy("v", positive=True), 12
#: the variances at two points
PAIR = Symbol("v_1", positive=True), Symbol("v_2", positive=True)


@dataclass(frozen=True)
class Activation:
    """An activation: its expression in x, the ranges of its parameters, and a name for people."""

    expr: Expr
    parameters: tuple[tuple[Symbol, Range], ...] = ()
    name: str | None = None

    @property
    def ranges(self) -> dict[Symbol, Range]:
        return dict(self.parameters)

    def scaled(self, variance: Expr) -> Activation:
        """phi(sqrt(v) x)."""
        if variance == 1:
            return self
        expr = dag.rebuild(self.expr, {x: sqrt(variance) * x})
        return Activation(expr, _ranges(expr, self.ranges), self.name)


def as_activation(activation: object, parameters: Given | None = None) -> Activation:
    """A name, a text in x or an expression in x; named activations are functions in a text.

    >>> as_activation("relu").expr, as_activation("Max(x, 0)**2").expr
    (Max(0, x), Max(0, x)**2)
    >>> as_activation("relu(x - 1) + leaky_relu(x, 1/5)").expr
    Piecewise((x, x > 0), (x/5, True)) + Max(0, x - 1)

    Without x the numbers are the parameters:

    >>> as_activation("leaky_relu(1/5)").expr, as_activation("relu_power(n=3)").expr
    (Piecewise((x, x > 0), (x/5, True)), Max(0, x)**3)
    """
    if isinstance(activation, Activation):
        return activation
    name = None
    wanted = declared(parameters)
    if isinstance(activation, str) and (spelled := activations.spelled(activation)) is not None:
        name = spelled
        expr = activations.get(name)
    elif isinstance(activation, str):
        symbols = {
            key: given or (symbol_in(key, bounds) if isinstance(bounds, tuple) else Symbol(key, real=True))
            for key, (given, bounds) in wanted.items()
        }
        try:
            expr = parse(activation, {"x": x, **symbols}, _makers(), x.name)
        except ParseError:
            word = activation.strip()
            if not word.isidentifier() or len(word) == 1:
                raise
            expr = activations.get(word)  # which says what names there are
    elif isinstance(activation, Expr):
        expr = activation
    else:
        expr = exact_number(activation, "an activation")
    others = {s: x for s in expr.free_symbols if s.name == "x" and s != x}
    expr = expr.xreplace(others)
    if u in expr.free_symbols:
        raise AsymptokError("an activation is a function of x; u is the variable of its kernel")
    if (
        isinstance(activation, Expr)
        and (free := sorted(s.name for s in expr.free_symbols))
        and x not in expr.free_symbols
    ):
        raise AsymptokError(
            f"the activation {expr} has no x, only {', '.join(free)}: it is a function of activations.x"
        )
    if expr.has(I) and expr.as_real_imag()[1].expand() != 0:
        raise AsymptokError(f"the activation {expr} has complex values: E[phi(X) phi(Y)] would be no kernel")
    values: dict[Symbol, Expr] = {}
    ranges: dict[Symbol, Range] = {}
    for symbol in expr.free_symbols - {x}:
        bounds, declaration = range_of_symbol(symbol), wanted.get(symbol.name, (None, None))[1]
        if isinstance(declaration, Expr):
            check_inside(symbol.name, declaration, bounds)
            values[symbol] = declaration
            continue
        if declaration is not None:
            bounds = intersect(symbol.name, declaration, bounds)
        new = fitting(symbol, bounds)
        ranges[new] = bounds
        values |= {symbol: new} if new != symbol else {}
    if values:
        expr = dag.rebuild(expr, values)
    return Activation(expr, _ranges(expr, ranges), name or activations.named(expr))


@cache
def _makers() -> dict[str, Callable[..., Expr]]:
    """What a text may call beside the functions it knows: relu(x - 1), elu(x, 2), elu(2), or relu for relu(x)."""

    def maker(name: str) -> Callable[..., Expr]:
        made = getattr(activations, name)
        if isinstance(made, Expr):
            return lambda at=x: dag.rebuild(made, {x: at})

        def call(*given: Expr, **named: Expr) -> Expr:
            # elu(x, 2) is at x, elu(2) and elu(alpha=2) the function with that parameter, as it is called in tables
            at, rest = (given[0], given[1:]) if given and given[0].has(x) else (x, given)
            try:
                signature(made).bind(*rest, **named)
            except TypeError as error:
                raise AsymptokError(f"{name}: {error}") from None
            return dag.rebuild(made(*rest, **named), {x: at})

        return call

    def hermite(*given: Expr, **named: Expr) -> Expr:
        # hermite(3) is the activation, hermite(3, x) the polynomial that SymPy calls so
        if len(given) != 2:
            return maker("hermite")(*given, **named)
        return dag.rebuild(parse(f"hermite({given[0]}, x)", {"x": x}), {x: given[1]})

    taken = {name for names in known_functions() for name in names}
    found = {name: maker(name) for name in activations.names() if name not in taken}
    return {**found, "hermite": hermite}


def _ranges(expr: Expr, known: dict[Symbol, Range]) -> tuple[tuple[Symbol, Range], ...]:
    found = {
        s: known.get(s, range_of_symbol(s)) for s in sorted(expr.free_symbols - {x}, key=lambda s: s.name)
    }
    return tuple(found.items())


def dual(activation: object, variance: object = 1, parameters: Given | None = None) -> Kernel:
    """E[phi(sqrt(v) X) phi(sqrt(v) Y)] for standard normal X, Y with correlation u.

    phi is a name from `activations`, an expression in x or a text; v, a number or a name, is the variance of its input.

    >>> dual("relu").expr, dual("sin").expr, dual("erf").expr
    (kappa1(u)/2, -exp(-u - 1)/2 + exp(u - 1)/2, 2*asin(2*u/3)/pi)
    >>> dual("exp(x)", variance=2).expr
    exp(2*u + 2)

    Thresholds away from zero lead to probabilities of quadrants:

    >>> dual("Heaviside(x - 1)").expr
    Orthant(1, 1, u)
    """
    phi = as_activation(activation, parameters)
    given = GivenParameters(parameters, phi.ranges)
    v = given.take(variance, "the variance")
    given.check_used("the activation")
    phi = Activation(phi.expr, tuple(given.ranges.items()), phi.name)
    if v.is_positive is not True and (v.free_symbols or not sign(v).positive):
        raise AsymptokError(f"the variance of the input is a positive number, not {given.told(v)}")
    return dual_at(phi, v)


def dual_at(phi: Activation, v: Expr) -> Kernel:
    """The dual for a variance that is positive, as a mean of squares is, whether SymPy sees it or not."""
    expr, top = _at_variance(phi, v)
    given = {s: r for s, r in phi.scaled(v).parameters if s in expr.free_symbols}
    name = f"dual of {phi.name or phi.expr}" + ("" if v == 1 else f", variance {v}")
    return Kernel(
        expr,
        name=name,
        parameters=given,
        mean=Mean(top, parity_of(phi), making=made("dual", activation=phi, variance=v)),
    )


@lru_cache(maxsize=256)
def parity_of(phi: Activation) -> int:
    """1 for an even, -1 for an odd activation, 0 where neither is seen.

    >>> [parity_of(as_activation(name)) for name in ("hard_tanh", "abs", "relu")]
    [-1, 1, 0]
    """
    try:
        cells = folded(pieces(phi.expr, phi.ranges), phi.ranges)
    except Undecided:
        return 0
    for parity in (1, -1):
        if all(normal_part(right.expr - parity * left.expr) == 0 for right, left in cells):
            return parity
    return 0


def part_of(kernel: Kernel, parity: int) -> Kernel | None:
    """The dual of the even (0) or odd (1) part of phi, if the kernel is that of a phi that is neither.

    E[f(X) g(Y)] = 0 for f even and g odd, so that it has the Taylor coefficients of that parity.

    >>> part_of(dual("relu"), 1).expr, part_of(dual("abs"), 0)
    (u/4, None)
    """
    making = kernel.mean.making if kernel.mean else None
    if making is None or making.call != "dual":
        return None
    phi, v = making.given["activation"], making.given["variance"]
    assert isinstance(phi, Activation) and isinstance(v, Expr)
    if parity_of(phi):
        return None
    expr = parity_part(pieces(phi.expr, phi.ranges), phi.ranges, parity)
    return dual_at(Activation(expr, _ranges(expr, phi.ranges)), v)


def dual_expression(phi: Activation) -> Expr:
    """kappa in closed form, else by the Hermite coefficients of the even and the odd part of phi."""
    try:
        return closed_form(phi)
    except NoClosedForm as reason:
        found = homogeneous(pieces(phi.expr, phi.ranges), phi.ranges)
        if found is not None:
            return found

        def known(part: Expr) -> Expr:
            return closed_form(Activation(part, _ranges(part, phi.ranges)))

        return by_hermite(phi.expr, phi.ranges, phi.name or str(phi.expr), str(reason), known)


def second_moment(activation: object, variance: object = 1) -> Expr:
    """E[phi(sqrt(v) X)^2], the value of the dual kernel at u = 1.

    >>> second_moment("relu"), second_moment("hard_tanh")
    (1/2, -sqrt(2)*exp(-1/2)/sqrt(pi) + 1)
    """
    return _at_variance(as_activation(activation), exact_number(variance, "the variance"))[1]


@lru_cache(maxsize=256)
def _at_variance(phi: Activation, v: Expr) -> tuple[Expr, Expr]:
    """kappa and kappa(1); for a long or named variance, as deep layers have it, from the formulas for all variances."""
    if v != _VARIANCE and (isinstance(v, Dummy | LongConstant) or dag.tree_size(v) > _LONG):
        try:
            expr, top = _at_variance(phi, _VARIANCE)
            return dag.rebuild(expr, {_VARIANCE: v}), dag.rebuild(top, {_VARIANCE: v})
        except AsymptokError:
            pass  # what depends on its value: exp(c x^2) with 4 c v < 1
    scaled = phi.scaled(v)
    expr = dual_expression(scaled)
    return expr, fraction(_at_one(expr, scaled))


def _at_one(kernel: Expr, phi: Activation) -> Expr:
    value = at_one(dag.rebuild(kernel, {u: S.One}), phi.ranges)
    if not value.has(S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity):
        return value
    # 0 times infinity at the end: one-dimensional integrals instead
    total = S.Zero
    for cell in pieces(phi.expr, phi.ranges):
        sides = [(edge, sign) for edge, sign in ((cell.low, 1), (cell.high, -1)) if edge.is_finite]
        for term in terms((cell.expr**2).expand()):
            spread = 1 / (1 - 2 * term.square)
            law = Normal((term.rate * spread, S.Zero), spread, S.Zero, S.One)
            weight = term.coefficient * exp(term.rate**2 * spread / 2) * sqrt(spread)
            if len(sides) == 2:
                total += weight * (_half_line(term, law, cell.low) - _half_line(term, law, cell.high))
            elif sides:
                upper = _half_line(term, law, sides[0][0])
                total += weight * (upper if sides[0][1] > 0 else moment(term.power, 0, law, ()) - upper)
            else:
                total += weight * moment(term.power, 0, law, ())
    return _tidy(total)


def _half_line(term: Term, law: Normal, edge: Expr) -> Expr:
    return moment(term.power, 0, law, (Indicator(0, S.One, S.Zero, edge),))


@dataclass(frozen=True, slots=True)
class _Atom:
    """A term, on a half line {side (x - edge) > 0} or (side = 0) everywhere."""

    term: Term
    side: int = 0
    edge: Expr = S.Zero

    def indicator(self, variable: int) -> tuple[Indicator, ...]:
        if self.term.slope != 0:
            return (Indicator(variable, self.term.slope, S.One, -self.term.shift),)
        if self.side:
            return (Indicator(variable, S(self.side), S.Zero, self.side * self.edge),)
        return ()


@lru_cache(maxsize=256)
def closed_form(activation: Activation) -> Expr:
    """kappa as an expression in u; NoClosedForm if the activation is not of the kind that has one."""
    atoms = _atoms(pieces(activation.expr, activation.ranges))
    return _summed(
        (1 if i == j else 2, a, b) for i, a in enumerate(atoms) for j, b in enumerate(atoms[: i + 1])
    )


@lru_cache(maxsize=64)
def pair_dual(phi: Activation) -> Expr:
    """E[phi(sqrt(v_1) X) phi(sqrt(v_2) Y)] in u and PAIR = (v_1, v_2), for points of different norms.

    >>> pair_dual(as_activation("relu")).subs(dict(zip(PAIR, (2, 8))))
    2*kappa1(u)
    """
    if (same := homogeneous(pieces(phi.expr, phi.ranges), phi.ranges)) is not None:
        point = next(p for p in (S.One, S.NegativeOne) if dag.rebuild(phi.expr, {x: p}) != 0)
        power = dag.rebuild(phi.scaled(_VARIANCE).expr, {x: point}) / dag.rebuild(phi.expr, {x: point})
        return same * Mul(*(dag.rebuild(power, {_VARIANCE: v}) for v in PAIR))
    first, second = (_atoms(pieces(scaled.expr, phi.ranges)) for scaled in map(phi.scaled, PAIR))
    return _summed((1, a, b) for a in first for b in second)


def _summed(pairs: Iterable[tuple[int, _Atom, _Atom]]) -> Expr:
    total = Add(*(n * a.term.coefficient * b.term.coefficient * _expectation(a, b) for n, a, b in pairs))
    total = _tidy(total)
    return gathered(_tidy(total.as_real_imag()[0]) if total.has(I) else total, u)


def _tidy(total: Expr) -> Expr:
    """Multiplied out, each exponential with its exponent in lowest terms: exp(-1/2 - (1-u)/(2+2u)) = exp(-1/(1+u)).

    A denominator stays the product that it is, powers of one polynomial as one power.
    """
    bases: dict[Expr, Expr] = {}
    hidden: dict[Expr, Expr] = {}
    for node in dag.postorder(total):
        if node.is_Pow and node.base.is_Add and node.exp.is_Rational and node.exp.is_negative:
            content, base = node.base.as_content_primitive()
            if node.exp.is_Integer and base.subs(u, 0).is_negative:
                content, base = -content, -base
            hidden[node] = content**node.exp * bases.setdefault(base, Dummy()) ** node.exp
    total = dag.rebuild(total, hidden)
    summands = []
    for summand in Add.make_args(total.expand(power_exp=False)):
        factors, exponent = [], S.Zero
        for factor in Mul.make_args(summand):
            if isinstance(factor, exp):
                exponent += factor.args[0]
            else:
                factors.append(factor)
        summands.append((exponent, Mul(*factors)))
    shown: dict[Expr, Expr] = {name: base for base, name in bases.items()}
    return Add(*(exp(reduced(dag.rebuild(e, shown))) * dag.rebuild(f, shown) for e, f in summands))


def _atoms(cells: tuple[Piece, ...]) -> list[_Atom]:
    """Polynomials as jumps at the edges, so that |x| is 2 max(x, 0) - x; the other terms cell by cell."""
    atoms: dict[tuple[int, Expr, Expr, Expr, Expr, int, Expr], Expr] = {}

    def add(term: Term, side: int, edge: Expr, factor: int) -> None:
        if side and term.slope != 0:
            raise NoClosedForm("an error function on an interval has no closed form here")
        if side and term.rate.has(I):
            raise NoClosedForm("a sine or cosine on an interval has no closed form here")
        key = (term.power, term.square, term.rate, term.slope, term.shift, side, edge)
        atoms[key] = atoms.get(key, S.Zero) + factor * term.coefficient

    split = [_polynomial_apart(terms(cell.expr)) for cell in cells]
    for term in split[0][0]:
        add(term, 0, S.Zero, 1)
    for (before, _), (after, _), cell in zip(split, split[1:], cells[1:], strict=False):
        for term in after:
            add(term, 1, cell.low, 1)
        for term in before:
            add(term, 1, cell.low, -1)
    for (_, rest), cell in zip(split, cells, strict=True):
        for term in rest:
            if cell.low is -oo:
                add(term, 0 if cell.high is oo else -1, S.Zero if cell.high is oo else cell.high, 1)
                continue
            add(term, 1, cell.low, 1)
            if cell.high is not oo:
                add(term, 1, cell.high, -1)
    return [
        _Atom(Term(c, *key[:5]), key[5], key[6])
        for key, c in ((key, value.expand()) for key, value in atoms.items())
        if c != 0
    ]


def _polynomial_apart(found: tuple[Term, ...]) -> tuple[list[Term], list[Term]]:
    plain = [t for t in found if t.square == 0 and t.rate == 0 and t.slope == 0]
    return plain, [t for t in found if t not in plain]


def _expectation(a: _Atom, b: _Atom) -> Expr:
    """E[a(X) b(Y)]: the exponentials make it a Gaussian expectation with other means and covariances."""
    p, q = a.term, b.term
    determinant = (1 - 2 * p.square) * (1 - 2 * q.square) - 4 * p.square * q.square * u**2
    for t in (p, q):
        if (1 - 4 * t.square).is_positive is not True:
            raise NoClosedForm(
                f"exp({t.square} x^2) is not shown to be square integrable: 4*({t.square}) < 1 is needed"
            )
    xx = reduced((1 - 2 * q.square * (1 - u**2)) / determinant)
    yy = reduced((1 - 2 * p.square * (1 - u**2)) / determinant)
    xy = reduced(u / determinant)
    mean = (reduced(xx * p.rate + xy * q.rate), reduced(xy * p.rate + yy * q.rate))
    exponent = reduced((mean[0] * p.rate + mean[1] * q.rate) / 2)
    weight = exp(exponent.expand()) / sqrt(determinant.expand())
    law = Normal(mean, xx, xy, yy)
    return weight * moment(p.power, q.power, law, a.indicator(0) + b.indicator(1))
