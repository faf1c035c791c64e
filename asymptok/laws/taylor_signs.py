"""Power series at 0 with coefficients of one sign, read off the expression.

By Schoenberg's theorem kappa is positive definite on the spheres of all dimensions if and only if
kappa(u) = sum b_n u^n with b_n >= 0, convergent on [-1, 1]. Sums, products and compositions with functions of that
kind keep it, so most kernels prove themselves. A *shape* says that all coefficients but the constant one are
>= 0 (UP) or <= 0 (DOWN); 1 - (1-u)^(1/2) is UP, which is how the Laplace kernel enters.
"""

from __future__ import annotations

from collections.abc import Mapping

import sympy
from sympy import Expr, S, Symbol

from asymptok import dag
from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.expansion import puiseux
from asymptok.functions import SWITCHES, record_of
from asymptok.functions.arccosine import arc_cosine_form
from asymptok.functions.hermite import HermiteDual
from asymptok.kernels.kernel import Kernel
from asymptok.laws.exponential_sums import exponential_sum
from asymptok.laws.leading_exponentials import derivatives_nonnegative
from asymptok.regularity.enclosure import Enclosure
from asymptok.regularity.intervals import CLOSED
from asymptok.regularity.ranges import limit
from asymptok.regularity.signs import sign_with_parameters
from asymptok.symbols import u
from asymptok.truth import Sign

UP, DOWN, CONSTANT = 1, -1, 0

#: derivatives taken before giving up: the Matern kernel of smoothness p + 1/2 needs p of them
_MAX_DERIVATIVES = 6
_LARGEST = 400
#: of a polynomial beside a power series with coefficients >= 0
_LARGEST_DEGREE = 24

Parameters = Mapping[Symbol, tuple[Expr, Expr]]


def _finite(node: Expr) -> bool:
    """Finite wherever it is used, the ends of its domain included."""
    record = record_of(node.func)
    if record is None:
        return False
    rule = record.monotone(node)
    ends = rule is not None and all(limit.is_finite for limit in rule.limits)
    return ends or record.entire(node) or isinstance(node, HermiteDual)


class Shapes:
    """The shapes of the subexpressions of one kernel."""

    def __init__(self, parameters: Parameters) -> None:
        self.parameters = parameters
        self._known: dict[Expr, int | None] = {}
        self._ranges = Enclosure(CLOSED, parameters)

    def nonnegative(self, expr: Expr) -> bool:
        """Whether all Taylor coefficients at 0 are proved to be >= 0.

        >>> from asymptok.functions.arccosine import kappa1
        >>> shapes = Shapes({})
        >>> shapes.nonnegative(kappa1(u)*sympy.exp(-sympy.sqrt(1 - u))), shapes.nonnegative(kappa1(-u))
        (True, False)
        """
        shape = self.shape(expr)
        if shape == CONSTANT:
            return self.sign_at_zero(expr).nonnegative
        return shape == UP and self.sign_at_zero(expr).nonnegative

    def shape(self, expr: Expr) -> int | None:
        for node in dag.postorder(expr):
            if node not in self._known:
                self._known[node] = self._shape(node) if isinstance(node, Expr) else None
        return self._known[expr]

    # one node --------------------------------------------------------------------------------------------

    def _shape(self, node: Expr) -> int | None:
        if node == u:
            return UP
        if not node.args or not node.has(u):
            return CONSTANT if self._is_real(node) else None
        if node.is_Add or node.is_Mul:
            found = self._sum(node) if node.is_Add else self._product(node)
            return UP if found is None and _known_derivatives(node, 1) else found
        if node.is_Pow and node.func is not sympy.exp:
            return self._power(node)
        return self._function(node)

    def _is_real(self, constant: Expr) -> bool:
        """Whether a constant is proved to be a real number: exp(u + I) has complex coefficients."""
        if constant.is_real is not None:
            return bool(constant.is_real)
        if constant.free_symbols:
            return sign_with_parameters(constant, self.parameters).known
        try:
            return bool(ball(constant, prec=64).is_finite())
        except AsymptokError:
            return False

    def _sum(self, node: Expr) -> int | None:
        shapes = {self._known[a] for a in node.args} - {CONSTANT}
        return shapes.pop() if len(shapes) == 1 else None

    def _product(self, node: Expr) -> int | None:
        special = self._bessel(node)
        if special is not None:
            return special
        sign = 1
        varying = []
        for factor in node.args:
            if self._known[factor] == CONSTANT:
                found = sign_with_parameters(factor, self.parameters)
                if not found.known:
                    return None
                sign *= found.number
            else:
                varying.append(factor)
        if sign == 0:
            return CONSTANT
        if len(varying) == 1:
            shape = self._known[varying[0]]
            return None if shape is None else sign * shape
        # a product of series needs the constant coefficients as well
        for factor in varying:
            if self._known[factor] != UP or not self.sign_at_zero(factor).nonnegative:
                return None
        return sign * UP

    def _power(self, node: Expr) -> int | None:
        base, exponent = node.args
        shape = self._known[base]
        if exponent.has(u):
            if base.has(u) or shape != CONSTANT:
                return None
            # b^x = exp(x log b)
            sign = sign_with_parameters(sympy.log(base), self.parameters)
            inner = self._known[exponent]
            return UP if sign.known and inner is not None and sign.number * inner == UP else None
        if shape == UP and exponent.is_Integer and exponent > 0:
            return UP if self.sign_at_zero(base).nonnegative else None
        if shape != DOWN or not self._positive_inside(base):
            return None
        # (b - x)^e: all coefficients are >= 0 for e < 0, and <= 0 after the first for 0 < e < 1
        if sign_with_parameters(exponent, self.parameters).negative:
            return UP
        below_one = sign_with_parameters(1 - exponent, self.parameters).positive
        return DOWN if below_one and sign_with_parameters(exponent, self.parameters).positive else None

    def _function(self, node: Expr) -> int | None:
        f, x = node.func, node.args[-1]
        # of several arguments the last one may vary, the others are real constants
        if f is not sympy.hyper and any(self._known.get(a) != CONSTANT for a in node.args[:-1]):
            return None
        shape = self._known[x]
        if f is sympy.exp:
            return UP if shape == UP else None
        if f is sympy.log:
            return DOWN if shape == DOWN and self._positive_inside(x) else None
        record = record_of(f)
        if record is not None and shape == UP and self.sign_at_zero(x).nonnegative:
            for end, found in ((record.upward(node), UP), (record.downward(node), DOWN)):
                if end is not None and self.at_most(x, end):
                    return found
        if f is sympy.hyper:
            return self._hypergeometric(node)
        return None

    def _hypergeometric(self, node: Expr) -> int | None:
        x = node.argument
        positive = all(sign_with_parameters(p, self.parameters).positive for p in (*node.ap, *node.bq))
        if not positive or self._known[x] != UP or not self.sign_at_zero(x).nonnegative:
            return None
        if len(node.ap) == len(node.bq) + 1 and not self.at_most(x, S.One):
            return None
        return UP if len(node.ap) <= len(node.bq) + 1 else None

    def _bessel(self, node: Expr) -> int | None:
        """z^nu K_nu(z) with z = b sqrt(y) is a mixture of exp(-s y): UP if y = y0 - series with b_n >= 0.

        z^nu K_nu(z) = 2^(nu-1) int_0^oo s^(nu-1) exp(-s - z^2/(4s)) ds.
        """
        bessel = [f for f in node.args if f.func is sympy.besselk]
        if len(bessel) != 1 or bessel[0].args[0].has(u):
            return None
        order, z = bessel[0].args
        rest = sympy.Mul(*[f for f in node.args if f is not bessel[0]])
        constant, root = z.as_independent(u, as_Add=False)
        if (
            not (root.is_Pow and root.exp == S.Half)
            or not sign_with_parameters(constant, self.parameters).positive
        ):
            return None
        y = root.base
        quotient, power = rest.as_independent(u, as_Add=False)
        matches = power in (z**order, y ** (order / 2), root**order)
        if not matches and order.is_Integer and order % 2 == 0:
            matches = not sympy.cancel(power / y ** (order / 2)).has(u)
        if not matches or self._known.get(y) != DOWN or not self._positive_inside(y):
            return None
        sign = sign_with_parameters(quotient, self.parameters)
        return sign.number * UP if sign.known else None

    # values ----------------------------------------------------------------------------------------------

    def finite_at_one(self, expr: Expr) -> bool:
        """Whether a power series with coefficients >= 0 is seen to converge at u = 1; False may mean not seen."""
        self.shape(expr)
        finite: dict[object, bool] = {}
        for node in dag.postorder(expr):
            finite[node] = self._finite_at_one(node, finite)
        return finite[expr]

    def _finite_at_one(self, node: Expr, finite: dict[object, bool]) -> bool:
        if not node.has(u) or node == u:
            return True
        order = self._bessel_order(node) if node.is_Mul else None
        if order is not None:
            # z^nu K_nu(z) -> 2^(nu-1) Gamma(nu) as z -> 0
            return sign_with_parameters(order, self.parameters).positive
        if node.is_Pow and node.func is not sympy.exp:
            power = Sign.UNKNOWN if node.exp.has(u) else sign_with_parameters(node.exp, self.parameters)
            if power.negative:
                return self._end_sign(node.base).positive
            return power.known and finite[node.base]
        return (node.is_Add or node.is_Mul or _finite(node)) and all(finite[a] for a in node.args)

    def _bessel_order(self, node: Expr) -> Expr | None:
        if self._bessel(node) is None:
            return None
        return next(f.args[0] for f in node.args if f.func is sympy.besselk)

    def sign_at_zero(self, expr: Expr) -> Sign:
        value = dag.value_at(expr, u, S.Zero)
        try:
            return Sign.UNKNOWN if value is None else sign_with_parameters(value, self.parameters)
        except AsymptokError:
            return Sign.UNKNOWN

    def _positive_inside(self, base: Expr) -> bool:
        """base = b_0 - series with b_n >= 0: it decreases on [0, 1], so its value at 1 decides.

        A zero at 1 is allowed: the power series converges up to there if the kernel is bounded.
        """
        found = self._ranges.range(base)
        return found.nonnegative() or self._end_sign(base).nonnegative

    def at_most(self, x: Expr, bound: Expr) -> bool:
        if bound is sympy.oo:
            return True
        gap = self._ranges.range(bound - x)
        return gap.nonnegative() or self._end_sign(bound - x).nonnegative

    def _end_sign(self, expr: Expr) -> Sign:
        value = limit(expr, S.One, "-", self.parameters)
        return (
            Sign.UNKNOWN
            if value is None or value.is_infinite
            else sign_with_parameters(value, self.parameters)
        )


def positive_series(kernel: Kernel) -> str | None:
    """A reason why all Taylor coefficients of kappa at 0 are >= 0, or None: by its formula, or by how it was made.

    >>> positive_series(Kernel("exp(u) + 2*u**3")), positive_series(Kernel("exp(-u)"))
    ('sums of power series whose coefficients are known, and >= 0', None)
    """
    for form in dict.fromkeys((kernel.expr, arc_cosine_form(kernel.expr))):
        reason = taylor_coefficients_nonnegative(form, kernel.parameters)
        if reason is not None:
            return reason
    if kernel.mean_product:
        return "made of means E[phi(X) phi(Y)], power series with squares of Hermite coefficients"
    return None


def taylor_coefficients_nonnegative(expr: Expr, parameters: Parameters) -> str | None:
    """A reason why all Taylor coefficients at 0 are >= 0, or None.

    If the shape cannot be read off the expression, it may be read off a derivative: kappa(0), kappa'(0), ... >= 0 and
    the n-th derivative has non-negative coefficients.

    >>> s = sympy.sqrt(1 - u)
    >>> taylor_coefficients_nonnegative((1 + s)*sympy.exp(-s), {})
    'the derivative of order 1 is made of power series with coefficients >= 0, and so are the values at 0 below'
    """
    if any(node.func in SWITCHES for node in dag.postorder(expr)):
        return None  # |u| and its like have no power series at 0, whatever one of their branches has
    shapes = Shapes(parameters)
    if _known_derivatives(expr, 0):
        return "sums of power series whose coefficients are known, and >= 0"
    split = _beside_a_polynomial(expr, shapes)
    if split is not None:
        return split
    # In v = 1 - u the powers of the distance combine by themselves: v v^(-1/2) = v^(1/2).
    v = sympy.Dummy("v", positive=True)
    current = expr
    outer = dag.rebuild(expr, {u: 1 - v})
    for n in range(_MAX_DERIVATIVES + 1):
        if shapes.nonnegative(current):
            if n == 0:
                return "sums, products and compositions of power series with coefficients >= 0"
            return (
                f"the derivative of order {n} is made of power series with coefficients >= 0, "
                "and so are the values at 0 below"
            )
        if not shapes.sign_at_zero(current).nonnegative or dag.tree_size(current) > _LARGEST:
            return None
        try:
            outer = sympy.expand(-dag.derivative(outer, v))
            current = dag.rebuild(outer, {v: 1 - u})
        except AsymptokError:
            return None
    return None


def _known_derivatives(expr: Expr, first: int) -> bool:
    """Whether kappa is an exponential sum with kappa^(n)(0) >= 0 for all n >= first: sinh(u) = (e^u - e^-u)/2 is."""
    if dag.free_symbols(expr) != {u}:
        return False
    found = exponential_sum(expr)
    return found is not None and derivatives_nonnegative(found, first)


def infinitely_many_of_each_parity(expr: Expr, parameters: Parameters) -> bool:
    """Whether, all Taylor coefficients at 0 being >= 0, infinitely many even and odd ones are seen to be positive.

    exp(f) = sum f^n/n! has them if an odd power occurs in f; a product with other such series keeps them, and so does a
    sum with others and with a polynomial.

    >>> infinitely_many_of_each_parity(u**2*sympy.exp(u) + u, {}), infinitely_many_of_each_parity(sympy.cosh(u), {})
    (True, False)
    """
    shapes = Shapes(parameters)
    found = False
    for summand in sympy.Add.make_args(expr):
        if summand.is_polynomial(u):
            continue
        if not shapes.nonnegative(summand):
            return False
        factors = sympy.Mul.make_args(summand)
        exponentials = [f for f in factors if f.func is sympy.exp and _has_an_odd_power(f.args[0])]
        others = [f for f in factors if f.has(u) and f not in exponentials]
        found = found or (bool(exponentials) and all(shapes.nonnegative(f) for f in others))
    return found


def _has_an_odd_power(f: Expr) -> bool:
    """f with coefficients >= 0 beyond the constant one is greater at 1/2 than at -1/2."""
    try:
        return bool(ball(dag.rebuild(f, {u: S.Half}) - dag.rebuild(f, {u: -S.Half}), prec=64) > 0)
    except AsymptokError:
        return False


def _beside_a_polynomial(expr: Expr, shapes: Shapes) -> str | None:
    """kappa = p + r, r with coefficients >= 0 beyond the constant one: those up to the degree of p decide."""
    terms = sympy.Add.make_args(expr)
    low = sympy.Add(*(a for a in terms if a.is_polynomial(u)))
    rest = sympy.Add(*(a for a in terms if not a.is_polynomial(u)))
    degree = sympy.degree(low, u) if low.has(u) else 0
    if rest == 0 or not 1 <= degree <= _LARGEST_DEGREE or shapes.shape(rest) != UP:
        return None
    try:
        found = puiseux(expr, u, 0, "+", degree, parameters=dict(shapes.parameters)).terms
    except AsymptokError:
        return None
    if any(t.log_power or not t.exponent.is_Integer for t in found):
        return None
    if any(not sign_with_parameters(t.coefficient, shapes.parameters).nonnegative for t in found):
        return None
    return f"power series with coefficients >= 0 and a polynomial; together they are >= 0 up to u^{degree}, its degree"
