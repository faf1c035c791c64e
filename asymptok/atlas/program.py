"""A kernel as a straight-line program on samples, every branch fixed and every branch tested.

Where a function has a branch point, its argument N is written as (1-u)^p0 (1+u)^p1 U. The exponents are orders of
vanishing at the two ends, known from exact values there; U is tested to miss (-oo, 0], and the root or logarithm of U
is the principal one. Then
    N^e = (1-u)^(p0 e) (1+u)^(p1 e) U^e,     acos N = -2i log W,  W = (sqrt(1+N) + i sqrt(1-N))/sqrt(2),
the latter with W tested as well. A test that fails raises Straddles. What follows if all tests succeed on the boundary
of a domain is said in `curves`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import flint
import sympy
from flint import acb, arb
from sympy import Expr, S

from asymptok import dag
from asymptok.atlas.lifted import BESSEL, WITH_BRANCH_AT_ONE, bessel, lifted
from asymptok.atlas.local import Doubt, Local, Unproved, behaviour
from asymptok.atlas.models.rules import exact_lead
from asymptok.atlas.orthants import AtAngle, mixture
from asymptok.atlas.removable import poles_left, zeros_inside
from asymptok.atlas.samples import Exponent, PlainSample, Sample, Straddles
from asymptok.atlas.steps import (
    Angle,
    Step,
    angle,
    inverse_power,
    off_rays,
    on_boxes,
    principal_log,
    unit_power,
)
from asymptok.balls import ball
from asymptok.constants.exponents import exponent_to_expr
from asymptok.functions import record_of
from asymptok.functions.arccosine import ArcCosine
from asymptok.functions.orthant import Orthant
from asymptok.functions.powers import integer_power
from asymptok.functions.record import Implementation, Record, never
from asymptok.symbols import u

Orders = tuple[Expr, Expr]
_NO_ORDERS: Orders = (S.Zero, S.Zero)
#: bases of higher degree are not divided by their factors 1 - u and 1 + u
_MAX_DEGREE = 8


class Instruction(NamedTuple):
    """registers[output] = step(sample, *registers[inputs])."""

    step: Step
    inputs: tuple[int, ...]
    output: int


@dataclass(frozen=True, eq=False)
class Program:
    """kappa as instructions; `grids[0]`, `grids[1]`: kappa is a series in t^(1/grid) at +1 and -1.

    A grid 0 says that it is none: there are logarithms, irrational exponents or a pole, or they are not excluded.
    `hidden` has (end, p) where a pole at p is lifted on the sheet of the kernel and may be none on the others that
    belong to the same t, and (0, p) where it is not lifted.
    """

    expr: Expr
    constants: tuple[tuple[int, Expr], ...]
    instructions: tuple[Instruction, ...]
    size: int
    result: int
    grids: tuple[int, int]
    hidden: frozenset[tuple[int, Expr]] = frozenset()
    #: whether a function in it is known to be analytic on boxes alone, so that tests on a curve prove nothing
    boxes: bool = False

    def run(self, sample: Sample) -> acb:
        """kappa on the sample; Straddles if a test fails or a value is not finite.

        >>> from asymptok.atlas.samples import StripSample
        >>> program(ArcCosine(0, u)).run(StripSample.of(acb(1, 1))).overlaps(1 - acb(1, 1) / arb.pi())
        True
        """
        registers: list[acb | Angle | None] = [None] * self.size
        for place, constant in self._constants():
            registers[place] = constant
        for step, inputs, output in self.instructions:
            if len(inputs) == 2:  # the usual case, without a list
                value = step(sample, registers[inputs[0]], registers[inputs[1]])
            else:
                value = step(sample, *[registers[i] for i in inputs])
            if not value.is_finite():
                raise Straddles
            registers[output] = value
        result = registers[self.result]
        assert isinstance(result, acb)
        return result

    def on_box(self, box: acb) -> acb:
        """The range on a closed box of u on which every branch is the principal one; Unproved if that is not shown.

        >>> box = acb(arb(0, "0.5"), arb(0, "0.5"))
        >>> program(sympy.sqrt(1 - u), ends=False).on_box(box).contains(acb("0.75").sqrt())
        True
        """
        try:
            return self.run(PlainSample(u=box, thin=False))
        except Straddles:
            raise Unproved("the function is not shown to be analytic on a box") from None

    def _constants(self) -> tuple[tuple[int, acb], ...]:
        return _constant_balls(self.constants, flint.ctx.prec)


@lru_cache(maxsize=256)
def _constant_balls(constants: tuple[tuple[int, Expr], ...], prec: int) -> tuple[tuple[int, acb], ...]:
    """Balls around the constants, real and finite; `prec` is the current precision, named for the cache."""
    found = []
    for place, node in constants:
        value = ball(node)
        if not value.is_finite():
            raise Unproved(f"the constant {node} has no real value")
        found.append((place, acb(value)))
    return tuple(found)


@lru_cache(maxsize=64)
def program(expr: Expr, *, ends: bool = True) -> Program:
    """The program of a kernel; Unproved if a function in it has no rule here.

    Without `ends` it serves domains that reach no end: nothing is known of u = +1 and -1, nor asked.
    """
    return _Compiler(expr, ends).compile()


class _ByRules:
    """An end where every subexpression has a value and exponents known by rule."""

    def __init__(self, expr: Expr, at: int) -> None:
        self._known = behaviour(expr, at)
        here = self._known[expr]
        self.grid = 0 if here.value is None else here.grid

    def order(self, node: Expr) -> Expr:
        return self._known[node].order

    def one_sheet(self, node: Expr) -> bool:
        """Whether N is a function of t, and not of its roots alone."""
        return self._known[node].grid == 1

    def gap(self, node: Expr, sign: int) -> Expr:
        inner = self._known[node]
        if inner.value is None:
            raise Unproved(f"{node} is unbounded")
        return Local(1 - sign * inner.value, inner.rise, inner.grid).order


class _ByExpansion:
    """An end with logarithms, or with values hidden by cancellation: the exact expansions say what leads."""

    grid = 0

    def __init__(self, at: int) -> None:
        self._at = at

    def one_sheet(self, node: Expr) -> bool:
        return True  # there is a sector around the end, of one sheet

    def gap(self, node: Expr, sign: int) -> Expr:
        return self.order(1 - sign * node)

    def order(self, node: Expr) -> Expr:
        form, rest, j = exact_lead(node, self._at)
        if j:
            raise Unproved(f"{node} has a logarithm in its leading term")
        return exponent_to_expr(form, rest)


class _NoEnd:
    """An end that no domain reaches: principal values, off their cuts."""

    grid = 0

    def one_sheet(self, node: Expr) -> bool:
        return True

    def order(self, node: Expr) -> Expr:
        return S.Zero

    def gap(self, node: Expr, sign: int) -> Expr:
        return S.Zero


def _end(expr: Expr, at: int) -> _ByRules | _ByExpansion:
    try:
        return _ByRules(expr, at)
    except Unproved:
        return _ByExpansion(at)


def _exponents(orders: Orders) -> tuple[Exponent, Exponent]:
    return Exponent.of(orders[0]), Exponent.of(orders[1])


class _Compiler:
    def __init__(self, expr: Expr, ends: bool) -> None:
        self.expr = expr
        self.ends = (_end(expr, 1), _end(expr, -1)) if ends else (_NoEnd(), _NoEnd())
        self.place: dict[Expr, int] = {}
        self.constants: list[tuple[int, Expr]] = []
        self.instructions: list[Instruction] = []
        self.size = 0
        self.angles: dict[Expr, int] = {}
        #: nodes with poles inside (-1, 1), and where
        self.poles: dict[Expr, set[Expr]] = {}
        self.hidden: set[tuple[int, Expr]] = set()
        self.by_boxes, self.boxes = not ends, False

    def compile(self) -> Program:
        result = self.node(self.expr)
        if self.expr in self.poles:
            places = ", ".join(sorted(map(str, self.poles[self.expr])))
            message = (
                f"a pole inside, at u = {places}, of the kernel or of a branch continued beyond its part"
            )
            self.leave_open(self.poles[self.expr], message)
        grids = (self.ends[0].grid, self.ends[1].grid)
        # what is not needed, as Gamma below a fraction bar, is not computed: it may have poles
        needed, steps = {result}, []
        for instruction in reversed(self.instructions):
            if instruction.output in needed:
                needed.update(instruction.inputs)
                steps.append(instruction)
        constants, hidden = tuple(self.constants), frozenset(self.hidden)
        return Program(
            self.expr, constants, tuple(reversed(steps)), self.size, result, grids, hidden, self.boxes
        )

    def node(self, root: Expr) -> int:
        """The register of a subexpression; arguments first, without recursion."""
        for node in dag.postorder(root):
            if node not in self.place and isinstance(node, Expr):
                self.place[node] = self.constant(node) if not node.has(u) else self.lifted(node)
        return self.place[root]

    def lifted(self, node: Expr) -> int:
        """The register of a node; sums and products of functions with poles inside may have none."""
        points = {p for a in node.args for p in self.poles.get(a, ())}
        kept = isinstance(node, sympy.Add | sympy.Mul) or (
            node.is_Pow and node.exp.is_Integer and node.exp > 0
        )
        if points and not kept:
            self.leave_open(points, f"{node} is a function of something with a pole inside")
            points = set()
        register = self.lower(node)
        left = poles_left(node, points)
        if left:
            self.poles[node] = left
        if points - left:
            self.hide(node, points - left)
        return register

    def leave_open(self, points: set[Expr], message: str) -> None:
        """Points that no domain may contain, whichever sheet; a program of the whole interval has none."""
        if not self.by_boxes:
            raise Unproved(message)
        self.hidden |= {(0, p) for p in points}

    def hide(self, node: Expr, points: set[Expr]) -> None:
        """Note at which ends nothing is known of other sheets: with factors that have one sheet alone the pole goes."""
        for at, end in zip((1, -1), self.ends, strict=True):
            factors = [a for a in (node.args if node.is_Mul else (node,)) if end.one_sheet(a)]
            if len(factors) < len(sympy.Mul.make_args(node)) and (
                not factors or poles_left(sympy.Mul(*factors), points)
            ):
                self.hidden |= {(at, p) for p in points}

    def constant(self, node: Expr) -> int:
        self.constants.append((self.size, node))
        self.size += 1
        return self.size - 1

    def emit(self, step: Step, *inputs: int) -> int:
        self.instructions.append(Instruction(step, inputs, self.size))
        self.size += 1
        return self.size - 1

    # the rules -------------------------------------------------------------------------------------------

    def lower(self, node: Expr) -> int:
        if node == u:
            return self.emit(lambda sample: sample.u)
        if isinstance(node, sympy.Pow):
            return self.power(node)
        if isinstance(node, ArcCosine):
            n = int(node.args[0])
            return self.emit(lambda _, angle: angle.arc_cosine(n), self.angle(node.args[1]))
        if isinstance(node, sympy.acos):
            return self.emit(lambda _, angle: angle.theta, self.angle(node.args[0]))
        if isinstance(node, sympy.asin):
            return self.emit(lambda _, angle: arb.pi() / 2 - angle.theta, self.angle(node.args[0]))
        if isinstance(node, sympy.log) and len(node.args) == 1:
            return self.logarithm(node)
        if isinstance(node, Orthant):
            return self.orthant(node)
        return self.by_record(node)

    def by_record(self, node: Expr) -> int:
        """A function of which nothing is known but its record."""
        record = record_of(type(node))
        if record is None:
            raise Unproved(f"{type(node).__name__} has no rule of continuation")
        if isinstance(node, WITH_BRANCH_AT_ONE) and not record.entire(node):
            return self.around_one(node, record)
        if isinstance(node, BESSEL):
            return self.around_zero(node, record)
        if isinstance(node, sympy.hyper):
            return self.hypergeometric(node, record.complex, entire=record.entire(node))
        inputs = [self.place[a] for a in node.args if isinstance(a, Expr)]
        if isinstance(node, sympy.Add | sympy.Mul) or record.entire(node):
            f = record.complex
            return self.emit(lambda _, *values: f(*values), *inputs)
        rays = record.rays(node)
        if rays is not None and not any(a.has(u) for a in node.args[:-1]):
            return self.emit(off_rays(record.complex, rays), *inputs)
        known = record.regular is not never or record.continuation is not None
        if self.by_boxes and known and not record.switch:
            self.boxes = True
            return self.emit(on_boxes(record), *inputs)
        raise Unproved(f"{type(node).__name__} has no rule of continuation", Doubt.RULE)

    def hypergeometric(self, node: Expr, f: Implementation, *, entire: bool) -> int:
        """pFq with p <= q and fixed parameters."""
        upper, lower, z = node.args
        if not entire or upper.has(u) or lower.has(u):
            raise Unproved("hyper has no rule of continuation")

        def step(_: Sample, value: acb) -> acb:
            return f([acb(ball(a)) for a in upper], [acb(ball(b)) for b in lower], value)

        return self.emit(step, self.node(z))

    def around_one(self, node: Expr, record: Record) -> int:
        """f(N) with a branch point at N = 1: principal values, and where N tends to 1 those on the sheets beside."""
        inner = node.args[-1]
        if any(a.has(u) for a in node.args[:-1]):
            raise Unproved(f"{node}: a parameter depends on u")
        orders = self.gaps(inner, 1)
        if orders == _NO_ORDERS:
            return self.emit(lifted(node, record, None), self.node(inner))
        rest = self.unit(1 - inner, orders) if _is_small(inner) else self.complement(inner, 1, orders)
        return self.emit(lifted(node, record, orders), self.node(inner), rest)

    def around_zero(self, node: Expr, record: Record) -> int:
        """K_nu or Y_nu of N, entire functions of log N."""
        order, inner = node.args
        if order.has(u):
            raise Unproved(f"{node}: the order depends on u")
        orders = self.orders(inner)
        return self.emit(bessel(node, record, orders), self.node(inner), self.unit(inner, orders))

    def orthant(self, node: Expr) -> int:
        """An entire function of the angle, if its thresholds are of the kind that exponentials bring."""
        pair = mixture(node)
        if pair is None:
            return self.by_record(node)
        value = AtAngle(*pair)
        return self.emit(lambda _, angle: value(angle.theta), self.angle(node.args[2]))

    def orders(self, node: Expr) -> Orders:
        """The orders of vanishing of N at both ends."""
        return self.ends[0].order(node), self.ends[1].order(node)

    def gaps(self, node: Expr, sign: int) -> Orders:
        """Those of 1 - sign N."""
        return self.ends[0].gap(node, sign), self.ends[1].gap(node, sign)

    def unit(self, node: Expr, orders: Orders) -> int:
        """U = N/((1-u)^p0 (1+u)^p1), divided exactly where N is a polynomial."""
        quotient = _polynomial_quotient(node, orders)
        if quotient is not None:
            return self.node(quotient)
        if orders == _NO_ORDERS:
            return self.node(node)
        factor = _exponents(orders)
        return self.emit(lambda sample, value: sample.divided(value, factor), self.node(node))

    def power(self, node: Expr) -> int:
        base, exponent = node.args
        if exponent.has(u):
            if base.has(u) or not (base.is_positive or base == S.Exp1):
                raise Unproved(f"{node}: base and exponent both depend on u")
            log = self.constant(sympy.log(base)) if base != S.Exp1 else self.constant(S.One)
            return self.emit(lambda _, rate, value: (rate * value).exp(), log, self.place[exponent])
        if exponent.is_Integer and exponent > 0:
            n = int(exponent)
            return self.emit(lambda _, value: integer_power(value, n), self.place[base])
        if isinstance(base, sympy.gamma) and exponent.is_Integer:
            n = -int(exponent)
            return self.emit(lambda _, value: integer_power(value.rgamma(), n), self.place[base.args[0]])
        if exponent.is_Integer:
            zeros = zeros_inside(base)
            if zeros:
                return self.pole(node, zeros)
        orders = self.orders(base)
        powers = _exponents((orders[0] * exponent, orders[1] * exponent))
        step = inverse_power(int(exponent), _sign(base)) if exponent.is_Integer else unit_power(exponent)
        rest = self.emit(step, self.unit(base, orders))
        if orders == _NO_ORDERS:
            return rest
        return self.emit(lambda sample, value: sample.factor(powers) * value, rest)

    def pole(self, node: Expr, zeros: tuple[tuple[Expr, int], ...]) -> int:
        """N^-n for N with zeros inside: U = N/prod (u-p)^m, and U^-n prod (u-p)^(-mn)."""
        base, n = node.base, -int(node.exp)
        if self.orders(base) != _NO_ORDERS:
            raise Unproved(f"{base} vanishes inside and at an end")
        self.poles[node] = {p for p, _ in zeros}
        self.hidden |= {
            (at, p)
            for at, end in zip((1, -1), self.ends, strict=True)
            for p in self.poles[node]
            if not end.one_sheet(base)
        }

        def around(sample: Sample) -> acb:
            product = acb(1)
            for p, m in zeros:
                product = product * integer_power(1 / (sample.u - ball(p)), m)
            return product

        factor = self.emit(around)
        unit = self.emit(lambda _, value, outer: value * outer, self.node(base), factor)
        # u - p > 0 at u = 1
        inverse = self.emit(inverse_power(-n, _sign(base, S.One)), unit)
        return self.emit(lambda _, value, outer: value * integer_power(outer, n), inverse, factor)

    def logarithm(self, node: Expr) -> int:
        inner = node.args[0]
        orders = self.orders(inner)
        rest = self.emit(principal_log, self.unit(inner, orders))
        if orders == _NO_ORDERS:
            return rest
        p, q = (acb(ball(order)) if order != 0 else None for order in orders)

        def total(sample: Sample, value: acb) -> acb:
            value = value if p is None else value + p * sample.log(1)
            return value if q is None else value + q * sample.log(-1)

        return self.emit(total, rest)

    def angle(self, inner: Expr) -> int:
        """The register of acos(N) with all that kappa_n needs, one for each N."""
        if inner not in self.angles:
            below, above = self.gaps(inner, 1), self.gaps(inner, -1)
            self.angles[inner] = self.emit(
                angle([_exponents((p / 2, q / 2)) for p, q in (below, above)]),
                self.node(inner),
                self.unit(1 - inner, below) if _is_small(inner) else self.complement(inner, 1, below),
                self.unit(1 + inner, above) if _is_small(inner) else self.complement(inner, -1, above),
            )
        return self.angles[inner]

    def complement(self, inner: Expr, sign: int, orders: Orders) -> int:
        """(1 - sign N)/((1-u)^p0 (1+u)^p1)."""
        factor, plain = _exponents(orders), orders == _NO_ORDERS

        def step(sample: Sample, value: acb) -> acb:
            rest = 1 - value if sign == 1 else 1 + value
            return rest if plain else sample.divided(rest, factor)

        return self.emit(step, self.node(inner))


def _sign(node: Expr, at: Expr = S.Zero) -> int:
    """Which ray to try: the one that N misses at one point."""
    return -1 if ball(dag.rebuild(node, {u: at}), prec=64) < 0 else 1


def _is_small(node: Expr) -> bool:
    return bool(node.is_polynomial(u)) and sympy.degree(node, u) <= _MAX_DEGREE


def _polynomial_quotient(node: Expr, orders: Orders) -> Expr | None:
    """N/((1-u)^p0 (1+u)^p1) as a polynomial, if both are one; None otherwise."""
    if orders == _NO_ORDERS or not all(p.is_Integer and p >= 0 for p in orders) or not _is_small(node):
        return None
    divisor = (1 - u) ** orders[0] * (1 + u) ** orders[1]
    quotient, rest = sympy.div(sympy.Poly(node, u), sympy.Poly(divisor, u))
    return quotient.as_expr() if rest.is_zero else None


__all__ = ["Program", "program"]
