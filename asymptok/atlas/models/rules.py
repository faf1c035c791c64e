"""The local model of a kernel at an end, node by node.

At a regular point f(N) is the Taylor series of f at the limit of N, with Cauchy's bound |f_m| <= M rho^-m from a disc.
At a branch point N = c t^e (1 + w), c > 0 and w -> 0, and
    N^a = c^a t^(ae) (1+w)^a,       log N = log c + e log t + log(1+w);
other functions in `branches`.
The leading term of N is read off its model where the ball of its coefficient misses zero; otherwise the exact
expansion of N says which coefficients vanish.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache

import flint
import sympy
from flint import acb, arb, arb_poly, fmpq
from sympy import Expr, S

from asymptok import dag
from asymptok.atlas.local import Unproved
from asymptok.atlas.models.arithmetic import Finer, Frame, Model, scaled_exponent
from asymptok.atlas.models.branches import acos, arc_cosine, asin, at_one, second_kind
from asymptok.atlas.models.compositions import binomial, log_unit
from asymptok.atlas.models.flat import error_function, flat, orthant
from asymptok.balls import ball
from asymptok.constants.domain import opaque
from asymptok.constants.exact import ExactDomain
from asymptok.constants.exponents import (
    RATIONAL,
    Form,
    Ranges,
    exponent_from_expr,
    exponent_to_expr,
    form_sub,
)
from asymptok.errors import AsymptokError
from asymptok.functions import record_of
from asymptok.functions.arccosine import ArcCosine
from asymptok.functions.orthant import Orthant
from asymptok.precision import flint_precision
from asymptok.series.ends import expand_at_end
from asymptok.series.truncated import NeedMoreTerms
from asymptok.symbols import u

#: radii of discs, in units of what N varies by
_WIDER = tuple(fmpq(n, 8) for n in (64, 32, 20, 14, 11, 9))
#: boxes around a circle, and their bits
_BOXES, _BOX_BITS = 32, 64
#: orders up to which the exact expansion is asked for a leading term
_ORDERS = (2, 6, 14)


def local_model(expr: Expr, at: int, radius: fmpq, top: fmpq, *, real: bool = False) -> Model:
    """kappa(at (1 - t)) on the sector |t| <= radius, terms below t^top apart; Unproved if a rule is missing or fails.

    With `real` it holds for 0 < t <= radius alone, and may have parts that are flat at the end.

    >>> found = local_model(sympy.exp(-sympy.sqrt(1 - u)), 1, fmpq(1, 2), fmpq(3))
    >>> found.coefficient(RATIONAL, fmpq(3, 2)).contains(fmpq(-1, 6)), found.rest < 1
    (True, True)
    """
    grid = 1
    while True:
        try:
            modeller = Modeller(at, Frame(radius, top, grid), real=real)
            return modeller.bounded(modeller.model(expr), expr)
        except Finer as need:
            grid = need.grid
        except AsymptokError as error:
            raise Unproved(str(error)) from error


@lru_cache(maxsize=1024)
def exact_lead(expr: Expr, at: int) -> tuple[Form, fmpq, int]:
    """(form, rest, j) of the leading term c t^(form + rest) (log t)^j at an end, from the exact expansion."""
    for order in _ORDERS:
        try:
            lead = expand_at_end(opaque(ExactDomain(Ranges())), expr, u, at, fmpq(order)).lead()
            return lead.form, lead.rest, lead.log_power
        except NeedMoreTerms:
            continue
        except AsymptokError as error:
            raise Unproved(str(error)) from error
    raise Unproved(f"the leading term of {expr} is not found")


class Modeller:
    def __init__(self, at: int, frame: Frame, *, real: bool = False) -> None:
        self.at, self.frame, self.real = at, frame, real
        self.known: dict[Expr, Model] = {}

    def model(self, expr: Expr) -> Model:
        varying = dag.varying(expr, u)
        for node in dag.postorder(expr):
            if node not in self.known and isinstance(node, Expr):
                self.known[node] = self._node(node) if node in varying else self._constant(node)
        return self.known[expr]

    def _constant(self, node: Expr) -> Model:
        value = ball(node)
        if not value.is_finite():
            raise Unproved(f"the constant {node} has no real value")
        return self.frame.constant(value)

    def _node(self, node: Expr) -> Model:
        if node == u:
            one, t = self.frame.constant(arb(self.at)), self.frame.monomial(arb(-self.at), RATIONAL, fmpq(1))
            return one + t
        rule = _RULES.get(type(node))
        if rule is not None:
            return rule(self, node)
        return self.regular(node)

    # leading terms ---------------------------------------------------------------------------------------

    def lead(self, found: Model, expr: Expr) -> tuple[arb, Form, fmpq, Model]:
        """(c, form, rest, w) with `found` = c t^(form + rest) (1 + w), w -> 0; `expr` is what was modelled."""
        found, (form, rest) = self.visible(found, expr)
        c = found.coefficient(form, rest)
        scaled = found.shifted(tuple((m, -r) for m, r in form), -rest).scaled(1 / c)
        # the first term is exactly 1, whatever the ball of c
        w = _without(scaled, lambda f, r, j: (f, r, j) == (RATIONAL, fmpq(0), 0))
        if not w.order > 0:
            raise Unproved(f"{expr} has a logarithm in its leading term, or terms too close to it")
        return c, form, rest, w

    def visible(self, found: Model, expr: Expr) -> tuple[Model, tuple[Form, fmpq]]:
        terms = sorted(
            ((_value(f, r), f, r, j, c) for f, r, j, c in found.terms()), key=lambda x: float(x[0])
        )
        if terms and not terms[0][4].contains(0) and not terms[0][3]:
            first = terms[0]
            if first[0] < arb(found.top) and all(first[0] < other[0] for other in terms[1:]):
                return found, (first[1], first[2])
        form, rest, j = exact_lead(expr, self.at)
        if j:
            raise Unproved(f"{expr} has a logarithm in its leading term")
        start = _value(form, rest)

        def vanishes(f: Form, r: fmpq, i: int) -> bool:
            return bool(_value(form_sub(f, form), r - rest) < 0) or ((f, r) == (form, rest) and i > 0)

        for f, r, i, c in found.terms():
            if vanishes(f, r, i) and not c.contains(0):
                raise AssertionError(f"the leading term of {expr} contradicts its model")
        cleared = _without(found, vanishes)
        if not start < arb(cleared.top) or cleared.coefficient(form, rest).contains(0):
            raise Unproved(f"the leading term of {expr} is not seen")
        return cleared, (form, rest)

    def bounded(self, found: Model, expr: Expr) -> Model:
        """The model without terms of negative order that the exact expansion denies, as in sin(pi u)/(1-u)."""
        if any(_value(f, r) < 0 and c.contains(0) for f, r, _, c in found.terms()):
            with suppress(Unproved):
                form, rest, _ = exact_lead(expr, self.at)
                start = _value(form, rest)
                if any(_value(f, r) < start and not c.contains(0) for f, r, _, c in found.terms()):
                    raise AssertionError(f"the leading term of {expr} contradicts its model")
                return _without(found, lambda f, r, _: bool(_value(f, r) < start))
        return found

    def to_power(self, found: Model, expr: Expr, exponent: Expr) -> Model:
        """N^a, N > 0 next to the end unless a is whole."""
        c, form, rest, w = self.lead(found, expr)
        power = exponent_from_expr(exponent)
        if not exponent.is_Integer and not c > 0:
            raise Unproved(f"({expr})**({exponent}) is not real next to the end")
        a = ball(exponent)
        outer = c ** int(exponent) if exponent.is_Integer else c**a
        return binomial(w, a).scaled(outer).shifted(*scaled_exponent(form, rest, power))

    def logarithm(self, found: Model, expr: Expr) -> Model:
        """log N, N > 0 next to the end."""
        c, form, rest, w = self.lead(found, expr)
        if not c > 0:
            raise Unproved(f"log({expr}) is not real next to the end")
        result: Model = log_unit(w) + c.log()
        if form or rest != 0:
            result = result + self.frame.monomial(_value(form, rest), RATIONAL, fmpq(0), 1)
        return result

    def complement(self, inner: Expr, limit: int) -> tuple[Model, Model]:
        """(sqrt(y), y) for y = 1 - limit N, which tends to 0."""
        y = 1 - self.known[inner] * arb(limit)
        y, _ = self.visible(y, 1 - limit * inner)
        return self.to_power(y, 1 - limit * inner, S.Half), y

    # functions at regular points -------------------------------------------------------------------------

    def regular(self, node: Expr) -> Model:
        record = record_of(type(node))
        if record is None or not record.fixed_parameters(node):
            raise Unproved(f"{type(node).__name__} has no rule at the end of the interval")
        inner = (
            self.known[record.argument(node)]
            if not isinstance(node, sympy.hyper)
            else self.model(node.argument)
        )
        before = list(record.parameters(node))

        def f(z: acb) -> acb | None:
            if isinstance(node, sympy.hyper):
                groups = [[acb(ball(x)) for x in group] for group in node.args[:2]]
                return record.analytic(*groups, z)
            parameters = [acb(ball(p)) for p in before]
            at = record.index % len(node.args)
            return record.analytic(*parameters[:at], z, *parameters[at:])

        return self.taylor(f, inner, node)

    def taylor(self, f: Callable[[acb], acb | None], inner: Model, node: Expr) -> Model:
        """f(N), f analytic around the limit of N; f(ball) is an enclosure, or None where it is not known to be."""
        value = inner.coefficient(RATIONAL, fmpq(0))
        w = _without(inner, lambda form, r, j: (form, r, j) == (RATIONAL, fmpq(0), 0))
        if not w.order > 0:
            raise Unproved(f"{node} is a function of something unbounded")
        variation = w.size(fmpq(0))
        for share in _WIDER:
            rho = (variation * arb(share) + value.rad()).upper() + arb((1, -40))
            size = _largest_on(f, value, rho)
            if size is not None:
                return w.composed(_taylor_coefficients(f, value, rho, size, w.depth), size, rho)
        raise Unproved(f"{node} is not shown to be analytic next to its value at the end")


def _value(form: Form, rest: fmpq) -> arb:
    return arb(rest) if not form else ball(exponent_to_expr(form, rest), prec=128)


def _without(found: Model, unwanted: Callable[[Form, fmpq, int], bool]) -> Model:
    """The model without some of its terms."""
    blocks: dict[tuple[int, int], tuple[int, arb_poly]] = {}
    for (form, j), (start, poly) in found.blocks.items():
        kept = [
            arb(0) if unwanted(found.frame.forms[form], fmpq(start + i, found.frame.grid), j) else c
            for i, c in enumerate(poly.coeffs())
        ]
        blocks[form, j] = (start, arb_poly(kept))
    return found.with_blocks(blocks)


def _largest_on(f: Callable[[acb], acb | None], value: arb, rho: arb) -> arb | None:
    """max |f| on the disc of radius rho around the value, None if f is not shown to be analytic on it."""
    with flint_precision(_BOX_BITS):
        if f(acb(value + arb(0, rho), arb(0, rho))) is None:
            return None
        size = arb(0)
        for j in range(_BOXES):
            angle = arb(fmpq(2 * j + 1, _BOXES), fmpq(1, _BOXES))
            found = f(value + rho * acb(angle).exp_pi_i())
            if found is None:
                return None
            size = arb.max(size, found.abs_upper())
        return size.upper()


def _taylor_coefficients(
    f: Callable[[acb], acb | None], value: arb, rho: arb, size: arb, count: int
) -> list[arb]:
    """f_m for m < count, real, by the trapezoidal rule on |z - value| = rho/2 with its aliasing error."""
    points = -(-max(count, flint.ctx.prec) // 2) * 2
    radius = rho / 2
    values = []
    for j in range(points // 2 + 1):
        found = f(value + radius * acb(arb(fmpq(2 * j, points))).exp_pi_i())
        if found is None:
            raise Unproved("a function is not evaluated inside its disc")
        values.append(found)
    # f is real on the real axis
    values += [values[points - j].conjugate() for j in range(len(values), points)]
    sums = acb.dft(values)
    alias = size * arb(2) ** -points / (1 - arb(2) ** -points)
    return [sums[m].real / points / radius**m + arb(0, (alias / rho**m).upper()) for m in range(count)]


# rules ---------------------------------------------------------------------------------------------------


def _add(self: Modeller, node: Expr) -> Model:
    total = self.known[node.args[0]]
    for a in node.args[1:]:
        total = total + self.known[a]
    return total


def _mul(self: Modeller, node: Expr) -> Model:
    product = self.known[node.args[0]]
    for a in node.args[1:]:
        product = product * self.known[a]
    return product


def _exp(self: Modeller, inner: Model, node: Expr) -> Model:
    """e^(c + n log t + w) = e^c t^n e^w, w -> 0; n is the exponent of the exact leading term."""
    value = inner.coefficient(RATIONAL, fmpq(0))
    slope = inner.coefficient(RATIONAL, fmpq(0), 1)
    form, rest = RATIONAL, fmpq(0)
    if not slope.is_zero():
        form, rest, j = exact_lead(node, self.at)
        if j or not slope.overlaps(_value(form, rest)):
            raise Unproved(f"the leading power of {node} is not seen")
    w = _without(inner, lambda f, r, j: (f, r) == (RATIONAL, fmpq(0)) and j <= 1)
    if not w.order > 0:
        exponent = node.args[0] if isinstance(node, sympy.exp) else node.exp * sympy.log(node.base)
        return flat(self, inner.scaled(arb(-1)), -exponent)
    count = w.depth
    rho = arb.max(arb(count), 2 * w.size(fmpq(0)))
    coefficients = [1 / arb(m).fac() for m in range(count)]
    return w.composed(coefficients, rho.exp(), rho).scaled(value.exp()).shifted(form, rest)


def _pow(self: Modeller, node: Expr) -> Model:
    base, exponent = node.args
    if exponent.has(u):
        if base.has(u) or not (base.is_positive or base == S.Exp1):
            raise Unproved(f"{node}: base and exponent both depend on u")
        inner = self.known[exponent]
        return _exp(self, inner if base == S.Exp1 else inner * ball(sympy.log(base)), node)
    if exponent.is_Integer and exponent > 0:
        return self.known[base].power(int(exponent))
    return self.to_power(self.known[base], base, exponent)


def _log(self: Modeller, node: Expr) -> Model:
    if len(node.args) != 1:
        raise Unproved("a logarithm with a base")
    return self.logarithm(self.known[node.args[0]], node.args[0])


def _atanh(self: Modeller, node: Expr) -> Model:
    """(log(1+N) - log(1-N))/2."""
    inner = node.args[0]
    ends = [(self.logarithm(1 + self.known[inner] * arb(sign), 1 + sign * inner)) for sign in (1, -1)]
    return (ends[0] - ends[1]).scaled(arb(fmpq(1, 2)))


_RULES: dict[object, Callable[[Modeller, Expr], Model]] = {
    sympy.Add: _add,
    sympy.Mul: _mul,
    sympy.Pow: _pow,
    sympy.exp: lambda self, node: _exp(self, self.known[node.args[0]], node),
    sympy.log: _log,
    sympy.erf: error_function,
    sympy.erfc: error_function,
    Orthant: orthant,
    sympy.atanh: _atanh,
    sympy.acos: acos,
    sympy.asin: asin,
    ArcCosine: arc_cosine,
    **dict.fromkeys((sympy.bessely, sympy.besselk), second_kind),
    **dict.fromkeys((sympy.polylog, sympy.elliptic_k, sympy.elliptic_e, sympy.hyper), at_one),
}
