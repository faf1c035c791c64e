"""The local model of a kernel at an end, node by node.

At a regular point f(N) is the Taylor series of f at the limit of N, with Cauchy's bound |f_m| <= M rho^-m from a disc.
At a branch point N = c t^e (1 + w), c > 0 and w -> 0, and
    N^a = c^a t^(ae) (1+w)^a,       log N = log c + e log t + log(1+w),
    acos(1-y) = sqrt(2y) H(y),      H(y) = sum_m binom(2m, m)/(8^m (2m+1)) y^m,
    K_nu = pi/(2 sin(pi nu)) (I_-nu - I_nu), for whole orders with log z and digamma values.
The leading term of N is read off its model where the ball of its coefficient misses zero; otherwise the exact
expansion of N says which coefficients vanish.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import comb, factorial
from typing import Any

import flint
import sympy
from flint import acb, arb, arb_poly, fmpq, fmpq_poly
from sympy import Expr, S

from asymptok import dag
from asymptok.balls import ball
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
from asymptok.precision import flint_precision
from asymptok.quantities import Ball, whole
from asymptok.series.ends import expand_at_end
from asymptok.series.truncated import NeedMoreTerms
from asymptok.spectrum.local import Unproved
from asymptok.spectrum.models.arithmetic import Finer, Frame, Model, scaled_exponent
from asymptok.symbols import u

#: radii of discs, in units of what N varies by
_WIDER = tuple(fmpq(n, 8) for n in (64, 32, 20, 14, 11, 9))
#: boxes around a circle, and their bits
_BOXES, _BOX_BITS = 32, 64
#: orders up to which the exact expansion is asked for a leading term
_ORDERS = (2, 6, 14)


def local_model(expr: Expr, at: int, radius: fmpq, top: fmpq) -> Model:
    """kappa(at (1 - t)) on the sector |t| <= radius, terms below t^top apart; Unproved if a rule is missing or fails.

    >>> found = local_model(sympy.exp(-sympy.sqrt(1 - u)), 1, fmpq(1, 2), fmpq(3))
    >>> found.coefficient(RATIONAL, fmpq(3, 2)).contains(fmpq(-1, 6)), found.rest < 1
    (True, True)
    """
    grid = 1
    while True:
        try:
            return _Modeller(at, Frame(radius, top, grid)).model(expr)
        except Finer as need:
            grid = need.grid
        except AsymptokError as error:
            raise Unproved(str(error)) from error


@lru_cache(maxsize=1024)
def exact_lead(expr: Expr, at: int) -> tuple[Form, fmpq, int]:
    """(form, rest, j) of the leading term c t^(form + rest) (log t)^j at an end, from the exact expansion."""
    for order in _ORDERS:
        try:
            lead = expand_at_end(ExactDomain(Ranges()), expr, u, at, fmpq(order)).lead()
            return lead.form, lead.rest, lead.log_power
        except NeedMoreTerms:
            continue
        except AsymptokError as error:
            raise Unproved(str(error)) from error
    raise Unproved(f"the leading term of {expr} is not found")


class _Modeller:
    def __init__(self, at: int, frame: Frame) -> None:
        self.at, self.frame = at, frame
        self.known: dict[Any, Model] = {}

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
        return self._regular(node)

    # leading terms ---------------------------------------------------------------------------------------

    def lead(self, found: Model, expr: Expr) -> tuple[Any, Form, fmpq, Model]:
        """(c, form, rest, w) with `found` = c t^(form + rest) (1 + w), w -> 0; `expr` is what was modelled."""
        found, (form, rest) = self._visible(found, expr)
        c = found.coefficient(form, rest)
        scaled = found.shifted(tuple((m, -r) for m, r in form), -rest).scaled(1 / c)
        # the first term is exactly 1, whatever the ball of c
        w = _without(scaled, lambda f, r, j: (f, r, j) == (RATIONAL, fmpq(0), 0))
        if not w.order > 0:
            raise Unproved(f"{expr} has a logarithm in its leading term, or terms too close to it")
        return c, form, rest, w

    def _visible(self, found: Model, expr: Expr) -> tuple[Model, tuple[Form, fmpq]]:
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

    def to_power(self, found: Model, expr: Expr, exponent: Any) -> Model:
        """N^a, N > 0 next to the end unless a is whole."""
        c, form, rest, w = self.lead(found, expr)
        power = exponent_from_expr(exponent)
        if not exponent.is_Integer and not c > 0:
            raise Unproved(f"({expr})**({exponent}) is not real next to the end")
        a = ball(exponent)
        outer = c ** int(exponent) if exponent.is_Integer else c**a
        return _binomial(w, a).scaled(outer).shifted(*scaled_exponent(form, rest, power))

    def complement(self, inner: Any, limit: int) -> tuple[Model, Model]:
        """(sqrt(y), y) for y = 1 - limit N, which tends to 0."""
        y = 1 - self.known[inner] * arb(limit)
        y, _ = self._visible(y, 1 - limit * inner)
        return self.to_power(y, 1 - limit * inner, S.Half), y

    # functions at regular points -------------------------------------------------------------------------

    def _regular(self, node: Expr) -> Model:
        record = record_of(type(node))
        if record is None or not record.fixed_parameters(node):
            raise Unproved(f"{type(node).__name__} has no rule at the end of the interval")
        inner = (
            self.known[record.argument(node)]
            if not isinstance(node, sympy.hyper)
            else self.model(node.argument)
        )
        before = list(record.parameters(node))

        def f(z: object) -> Any:
            if isinstance(node, sympy.hyper):
                groups = [[acb(ball(x)) for x in group] for group in node.args[:2]]
                return record.analytic(*groups, z)
            parameters = [acb(ball(p)) for p in before]
            at = record.index % len(node.args)
            return record.analytic(*parameters[:at], z, *parameters[at:])

        return self.taylor(f, inner, node)

    def taylor(self, f: Callable[[Any], Any], inner: Model, node: Expr) -> Model:
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


def _value(form: Form, rest: fmpq) -> Any:
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


def _largest_on(f: Callable[[Any], Any], value: Any, rho: Any) -> arb | None:
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


def _taylor_coefficients(f: Callable[[Any], Any], value: Any, rho: Any, size: Any, count: int) -> list[Any]:
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


def _add(self: _Modeller, node: Expr) -> Model:
    total = self.known[node.args[0]]
    for a in node.args[1:]:
        total = total + self.known[a]
    return total


def _mul(self: _Modeller, node: Expr) -> Model:
    product = self.known[node.args[0]]
    for a in node.args[1:]:
        product = product * self.known[a]
    return product


def _exp(self: _Modeller, inner: Model, node: Expr) -> Model:
    value = inner.coefficient(RATIONAL, fmpq(0))
    w = _without(inner, lambda form, r, j: (form, r, j) == (RATIONAL, fmpq(0), 0))
    if not w.order > 0:
        raise Unproved(f"{node} is an exponential of something unbounded")
    count = w.depth
    rho = arb.max(arb(count), 2 * w.size(fmpq(0)))
    coefficients = [1 / arb(m).fac() for m in range(count)]
    return w.composed(coefficients, rho.exp(), rho).scaled(value.exp())


def _binomial(w: Model, exponent: Any) -> Model:
    """(1 + w)^a."""
    rho = _inside(w)
    coefficients = [arb(1)]
    for m in range(w.depth):
        coefficients.append(coefficients[-1] * (exponent - m) / (m + 1))
    size = arb.max((1 - rho) ** exponent, (1 + rho) ** exponent)
    return w.composed(coefficients, arb.max(size, arb(1)), rho)


def _inside(w: Model) -> Ball:
    """A radius below 1 and above |w|."""
    variation = w.size(fmpq(0))
    if not variation < 1:
        raise Unproved("a root or a logarithm of something that may vanish near the end")
    rho = 1 - 1 / arb(w.depth + 2)
    return (rho if variation < rho * rho else (1 + variation) / 2).mid()


def _log_unit(w: Model) -> Model:
    """log(1 + w)."""
    rho = _inside(w)
    coefficients = [arb(0), *(arb(fmpq((-1) ** (m + 1), m)) for m in range(1, w.depth + 1))]
    return w.composed(coefficients, -(1 - rho).log(), rho)


def _pow(self: _Modeller, node: Expr) -> Model:
    base, exponent = node.args
    if exponent.has(u):
        if base.has(u) or not (base.is_positive or base == S.Exp1):
            raise Unproved(f"{node}: base and exponent both depend on u")
        inner = self.known[exponent]
        return _exp(self, inner if base == S.Exp1 else inner * ball(sympy.log(base)), node)
    if exponent.is_Integer and exponent > 0:
        return self.known[base].power(int(exponent))
    return self.to_power(self.known[base], base, exponent)


def _log(self: _Modeller, node: Expr) -> Model:
    if len(node.args) != 1:
        raise Unproved("a logarithm with a base")
    return _log_of(self, self.known[node.args[0]], node.args[0])


def _log_of(self: _Modeller, found: Model, expr: Any) -> Model:
    c, form, rest, w = self.lead(found, expr)
    if not c > 0:
        raise Unproved(f"log({expr}) is not real next to the end")
    result: Model = _log_unit(w) + c.log()
    if form or rest != 0:
        result = result + self.frame.monomial(_value(form, rest), RATIONAL, fmpq(0), 1)
    return result


def _atanh(self: _Modeller, node: Any) -> Model:
    """(log(1+N) - log(1-N))/2."""
    inner = node.args[0]
    ends = [(_log_of(self, 1 + self.known[inner] * arb(sign), 1 + sign * inner)) for sign in (1, -1)]
    return (ends[0] - ends[1]).scaled(arb(fmpq(1, 2)))


def _limit(self: _Modeller, inner: object) -> int:
    """1 or -1 if the argument of acos tends to it, 0 if it stays inside (-1, 1)."""
    value = self.known[inner].coefficient(RATIONAL, fmpq(0))
    if not self.known[inner].order >= 0:
        raise Unproved(f"acos of {inner}, which is unbounded")
    return 0 if -1 < value < 1 else (1 if value > 0 else -1)


def _acos(self: _Modeller, node: Expr) -> Model:
    inner = node.args[0]
    limit = _limit(self, inner)
    if not limit:
        return self._regular(node)
    root, y = self.complement(inner, limit)
    rho, count = _below_two(y), y.depth
    coefficients = [arb(fmpq(comb(2 * m, m), 8**m * (2 * m + 1))) for m in range(count)]
    theta: Model = root * y.composed(coefficients, 1 / (1 - rho / 2), rho) * arb(2).sqrt()
    return theta if limit == 1 else theta.__rsub__(arb.pi())


def _asin(self: _Modeller, node: Expr) -> Model:
    if not _limit(self, node.args[0]):
        return self._regular(node)
    return _acos(self, node).__rsub__(arb.pi() / 2)


def _below_two(y: Model) -> Any:
    """A radius below 2 and above |y|."""
    variation = y.size(fmpq(0))
    if not variation < 2:
        raise Unproved("an arc-cosine beyond the radius of its series")
    rho = 2 - 2 / arb(y.depth + 2)
    return (rho if 2 * variation < rho * rho else (2 + variation) / 2).mid()


def _arc_cosine(self: _Modeller, node: Expr) -> Model:
    """kappa_n(1-y) = P(1-y) + sqrt(2) y^(n+1/2) Q(y)/pi and kappa_n(-1+y) = sqrt(2) y^(n+1/2) Q(y)/pi, Q rational."""
    n, inner = int(node.args[0]), node.args[1]
    limit = _limit(self, inner)
    if not limit:
        return self._regular(node)
    root, y = self.complement(inner, limit)
    rho, count = _below_two(y), y.depth
    found, size = _rational_part(n, limit, count, rho)
    result: Model = root * y.composed(found, size, rho) * (arb(2).sqrt() / arb.pi())
    if n:
        result = result * y.power(n)
    if limit == 1:
        before, here = self.frame.constant(arb(1)), self.known[inner]
        sine, scale = 1 - here * here, arb(1)
        for m in range(1, n):
            before, here = here, (2 * m + 1) * self.known[inner] * here + m * m * (sine * before)
            scale = scale * (2 * m + 1)
        result = result + (before if n == 0 else here.scaled(1 / scale))
    return result


def _rational_part(n: int, limit: int, count: int, rho: Any) -> tuple[list[Any], Any]:
    """The coefficients of Q, and its maximum on |y| = rho, from the recursion of kappa_n; H and sqrt(1-y/2) are below
    1/(1-y/2) coefficient by coefficient."""
    length = count + n + 1
    angle = fmpq_poly([fmpq(comb(2 * m, m), 8**m * (2 * m + 1)) for m in range(length)])
    half, root = fmpq(1), []
    for m in range(length):
        root.append(half * fmpq(-1, 2) ** m)
        half = half * (fmpq(1, 2) - m) / (m + 1)
    x = fmpq_poly([limit, -limit])
    square = fmpq_poly([0, 2, -1])
    before = -limit * angle
    here = fmpq_poly(root) + x * before
    top = 1 / (1 - rho / 2)
    big, bigger = top, top * (2 + rho)
    scale = 1
    if n == 0:
        here, bigger = before, big
    for m in range(1, n):
        before, here = here, ((2 * m + 1) * x * here + m * m * square * before).truncate(length)
        big, bigger = bigger, (2 * m + 1) * (1 + rho) * bigger + m * m * (2 * rho + rho * rho) * big
        scale *= 2 * m + 1
    if any(here[i] != 0 for i in range(n)):
        raise AssertionError("kappa_n has lost its order at the end")
    return [arb(here[n + m]) / scale for m in range(count)], bigger / scale / rho**n


def _besselk(self: _Modeller, node: Expr) -> Model:
    order, inner = node.args
    if order.has(u):
        raise Unproved(f"{node}: the order depends on u")
    found = self.known[inner]
    if found.coefficient(RATIONAL, fmpq(0)) > 0:
        return self._regular(node)
    z2 = found * found * arb(fmpq(1, 4))
    order = abs(order)
    if not order.is_Integer:
        first = self.to_power(found * arb(fmpq(1, 2)), inner / 2, order)
        second = self.to_power(found * arb(fmpq(1, 2)), inner / 2, -order)
        nu = ball(order)
        result = second * _entire(z2, -nu) - first * _entire(z2, nu)
        return result.scaled(arb.pi() / (2 * (arb.pi() * nu).sin()))
    n = int(order)
    log = _log_of(self, found, inner) - arb(2).log()
    total: Model = log * _entire(z2, arb(n)) * arb((-1) ** (n + 1))
    count = z2.depth
    digamma = [
        (arb(m + 1).digamma() + arb(n + m + 1).digamma()) / (arb(m).fac() * arb(n + m).fac())
        for m in range(count)
    ]
    rho = arb.max(arb(count), 2 * z2.size(fmpq(0)))
    # |psi(m+1) + psi(n+m+1)| <= 2 (m + n + 1), so that the sum of all coefficients times rho^m is below this
    size = 2 * (rho + n + 1) * rho.exp()
    total = total + z2.composed(digamma, size, rho) * arb(fmpq((-1) ** n, 2))
    if n:
        half = found * arb(fmpq(1, 2))
        total = total * half.power(n)
        pole = self.frame.constant(arb(0))
        for m in range(n - 1, -1, -1):
            value = arb(fmpq(factorial(n - m - 1) * (-1) ** m, factorial(m)))
            pole = pole * z2 + value if m < n - 1 else self.frame.constant(value)
        total = total + pole * self.to_power(half, inner / 2, sympy.Integer(-n)) * arb(fmpq(1, 2))
    return total


def _entire(z: Model, nu: Any) -> Model:
    """sum_m z^m/(m! Gamma(nu+m+1))."""
    count = z.depth
    rho = arb.max(arb(count), 2 * z.size(fmpq(0)))
    coefficients = [(nu + m + 1).rgamma() / arb(m).fac() for m in range(count)]
    # 1/|Gamma(nu+m+1)| is at most its largest value up to nu + m + 1 >= 2, for Gamma increases from there on
    last = max(0, 2 - whole(nu.lower().floor()))
    size = arb(0)
    for m in range(last + 1):
        size = arb.max(size, abs((nu + m + 1).rgamma()))
    return z.composed(coefficients, size.upper() * rho.exp(), rho)


_RULES: dict[object, Callable[[_Modeller, Any], Model]] = {
    sympy.Add: _add,
    sympy.Mul: _mul,
    sympy.Pow: _pow,
    sympy.exp: lambda self, node: _exp(self, self.known[node.args[0]], node),
    sympy.log: _log,
    sympy.atanh: _atanh,
    sympy.acos: _acos,
    sympy.asin: _asin,
    ArcCosine: _arc_cosine,
    sympy.besselk: _besselk,
}
