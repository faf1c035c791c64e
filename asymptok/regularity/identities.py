"""Equality of two expressions, proved by algebra, and identities that make an expression simpler.

`identical` compares normal forms: rational functions of whatever is no sum, product or whole power, with
sin^2 + cos^2 = 1, the laws of exponents, erf + erfc = 1 and asin + acos = pi/2. `simplified` replaces by identities
that hold at every point of [-1, 1] where the expression is defined; what an identity drops has to be defined on the
whole interval.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import lcm

import sympy
from sympy import Abs, Add, Dummy, Expr, Integer, Mul, PolynomialError, Pow, S, Symbol, pi

from asymptok import dag
from asymptok.regularity.choices import Signs
from asymptok.regularity.factoring import factored
from asymptok.regularity.monotone import Parameters
from asymptok.regularity.quotients import QUOTIENTS
from asymptok.regularity.ranges import OPEN
from asymptok.symbols import u
from asymptok.truth import Sign

#: nodes of the largest difference that is brought to a normal form, and its highest power
_LARGEST = 240
_HIGHEST = 24
#: larger expressions are left as they are
_LARGEST_SIMPLIFIED = 400

# --------------------------------------------------------------------------------------------- equality


def identical(a: Expr, b: Expr) -> bool:
    """Whether the two are proved to be the same function, wherever both are defined.

    >>> identical(sympy.sin(u)**2 + sympy.cos(u)**2, S.One), identical(sympy.exp(u), sympy.exp(-u))
    (True, False)
    """
    if a == b:
        return True
    difference = a - b
    if difference == 0:
        return True
    if dag.tree_size(difference) > _LARGEST:
        return False
    try:
        return _Normal().is_zero(difference)
    except PolynomialError:
        return False


class _Normal:
    """One unknown for each function, with the relations between them."""

    def __init__(self) -> None:
        self.unknowns: dict[Expr, Symbol] = {}
        self.squares: dict[Symbol, Expr] = {}
        self._exponents: dict[Expr, int] = {}

    def is_zero(self, expr: Expr) -> bool:
        plain = _elementary(expr)
        for node in dag.postorder(plain):
            if node.func is sympy.exp:
                for term in Add.make_args(sympy.expand_mul(node.args[0])):
                    c, m = term.as_coeff_Mul()
                    if c.is_Rational:
                        self._exponents[m] = lcm(self._exponents.get(m, 1), int(c.q))
        numerator = sympy.fraction(sympy.together(self._algebraic(plain)))[0]
        return bool(self._reduced(sympy.expand(numerator)) == 0)

    def _algebraic(self, expr: Expr) -> Expr:
        new: dict[Expr, Expr] = {}
        for node in dag.postorder(expr):
            if node.is_Rational or node.is_Symbol:
                new[node] = node
            elif node.is_Add or node.is_Mul:
                new[node] = node.func(*(new[a] for a in node.args))
            elif (
                node.is_Pow
                and node.func is not sympy.exp
                and node.exp.is_Integer
                and abs(node.exp) <= _HIGHEST
            ):
                new[node] = new[node.base] ** node.exp
            elif node.func is sympy.exp:
                new[node] = self._exponential(node)
            else:
                new[node] = self._unknown(node)
        found: Expr = new[expr]
        return found

    def _unknown(self, node: Expr) -> Symbol:
        if node not in self.unknowns:
            self.unknowns[node] = Dummy(node.func.__name__ if node.args else "constant")
            if node.func is sympy.sin:
                self.squares[self.unknowns[node]] = 1 - self._unknown(sympy.cos(node.args[0])) ** 2
        return self.unknowns[node]

    def _exponential(self, node: Expr) -> Expr:
        """exp(a + 3 b/2) as exp(a) exp(b/2)^3."""
        factors = []
        for term in Add.make_args(sympy.expand_mul(node.args[0])):
            c, m = term.as_coeff_Mul()
            if not c.is_Rational:
                c, m = S.One, term
            whole = self._exponents.get(m, 1)
            factors.append(self._unknown(Pow(S.Exp1, m / whole, evaluate=False)) ** (c * whole))
        return Mul(*factors)

    def _reduced(self, polynomial: Expr) -> Expr:
        for sine, square in self.squares.items():
            powers = sympy.collect(polynomial, sine, evaluate=False)
            if not any(_degree(key, sine) > 1 for key in powers):
                continue
            total = []
            for key, coefficient in powers.items():
                half, odd = divmod(_degree(key, sine), 2)
                total.append(coefficient * square**half * sine**odd)
            polynomial = sympy.expand(Add(*total))
        return polynomial


def _degree(key: Expr, x: Symbol) -> int:
    if key == x:
        return 1
    return int(key.exp) if key.is_Pow and key.base == x and key.exp.is_Integer and key.exp > 0 else 0


def _elementary(expr: Expr) -> Expr:
    """By exp, sin, cos, erf, asin and whatever has no such form."""
    new: dict[Expr, Expr] = {}
    for node in dag.postorder(expr):
        args = [new[a] for a in node.args]
        rule = _ELEMENTARY.get(node.func)
        if rule is not None and len(args) == 1:
            new[node] = rule(args[0])
        else:
            same = all(a is b for a, b in zip(args, node.args, strict=True))
            new[node] = node if same else node.func(*args)
    found: Expr = new[expr]
    return found


_ELEMENTARY: dict[object, Callable[[Expr], Expr]] = {
    **{f: rule for f, rule in QUOTIENTS.items() if f not in (sympy.coth, sympy.csch)},
    sympy.cosh: lambda x: (sympy.exp(x) + sympy.exp(-x)) / 2,
    sympy.sinh: lambda x: (sympy.exp(x) - sympy.exp(-x)) / 2,
    sympy.tanh: lambda x: (sympy.exp(2 * x) - 1) / (sympy.exp(2 * x) + 1),
    sympy.coth: lambda x: (sympy.exp(2 * x) + 1) / (sympy.exp(2 * x) - 1),
    sympy.erfc: lambda x: 1 - sympy.erf(x),
    sympy.acos: lambda x: pi / 2 - sympy.asin(x),
}


# ------------------------------------------------------------------------------------------- identities


def simplified(expr: Expr, parameters: Parameters, trace: list[tuple[Expr, Expr]] | None = None) -> Expr:
    """The same function on [-1, 1], up to holes at isolated points, written without detours.

    `trace` takes up every replacement, so that it can be checked again.

    >>> simplified(sympy.asin(sympy.sin(u/2))*(sympy.sin(u)**2 + sympy.cos(u)**2), {})
    u/2
    >>> simplified(sympy.sqrt(u**2 + 4*u + 4), {}), simplified(sympy.asin(sympy.sin(3*u)), {})
    (u + 2, asin(sin(3*u)))
    """
    if dag.tree_size(expr) > _LARGEST_SIMPLIFIED:
        return expr
    signs = Signs(parameters)
    new: dict[Expr, Expr] = {}
    for node in dag.postorder(expr):
        args = [new[a] for a in node.args]
        same = all(a is b for a, b in zip(args, node.args, strict=True))
        rebuilt = node if same else node.func(*args)
        new[node] = _simpler(rebuilt, signs) if isinstance(rebuilt, Expr) and rebuilt.args else rebuilt
        if trace is not None and new[node] != rebuilt:
            trace.append((rebuilt, new[node]))
    found: Expr = new[expr]
    return found


def _simpler(node: Expr, signs: Signs) -> Expr:
    if node.is_Add:
        return _sum(node, signs)
    if node.is_Mul:
        return _product(node)
    if node.is_Pow and node.func is not sympy.exp:
        return _root(node, signs)
    rule = _INVERSES.get(node.func)
    found = None if rule is None or len(node.args) != 1 or not node.has(u) else rule(node.args[0], signs)
    return node if found is None else found


def _undone(
    inner: Callable[..., Expr], low: Expr | None, high: Expr | None
) -> Callable[[Expr, Signs], Expr | None]:
    """f^-1(f(x)) = x for x in the range of the principal branch."""

    def rule(y: Expr, signs: Signs) -> Expr | None:
        if y.func is not inner:
            return None
        x: Expr = y.args[0]
        if not signs.real(x):
            return None
        for end, side in ((low, 1), (high, -1)):
            if end is not None and not signs.of(side * (x - end), OPEN).positive:
                return None
        return x

    return rule


def _logarithm(y: Expr, signs: Signs) -> Expr | None:
    """log(e^x p) = x + log p: a positive factor may be taken out; log(x^n) = n log x for x > 0."""
    base, n = y.as_base_exp()
    if base != y and n.is_Rational and base != S.Exp1:
        positive = signs.real(base) and signs.of(base, OPEN).positive
        return n * sympy.log(base) if positive else None
    factors = Mul.make_args(y)
    exponents = [f.args[0] for f in factors if f.func is sympy.exp]
    if not exponents or not all(x.is_real for x in exponents):
        return None
    rest = Mul(*(f for f in factors if f.func is not sympy.exp))
    return Add(*exponents, sympy.log(rest))


def _lambert(y: object, signs: Signs) -> Expr | None:
    """W(x e^x) = x for x > -1."""
    factors = Mul.make_args(y)
    exponents = [f.args[0] for f in factors if f.func is sympy.exp]
    if len(exponents) != 1:
        return None
    x: Expr = exponents[0]
    rest = Mul(*(f for f in factors if f.func is not sympy.exp))
    if sympy.expand_mul(rest - x) != 0 or not signs.real(x) or not signs.of(x + 1, OPEN).positive:
        return None
    return x


def _half_argument(y: Expr, signs: Signs) -> Expr | None:
    """asin(sin x), and asin(2 sin(x/2) cos(x/2))."""
    factors = Mul.make_args(y)
    sines = [f for f in factors if f.func is sympy.sin]
    if len(sines) == 1 and sympy.cos(sines[0].args[0]) in factors:
        x = sines[0].args[0]
        rest = Mul(*(f for f in factors if f not in (sines[0], sympy.cos(x))))
        y = rest / 2 * sympy.sin(2 * x)
    return _undone(sympy.sin, -pi / 2, pi / 2)(y, signs)


def _multiple_angle(
    outer: Callable[..., Expr], inner: Callable[..., Expr]
) -> Callable[[Expr, Signs], Expr | None]:
    """cos(n acos x) = T_n(x) = cosh(n acosh x), sin(n acos x) = sqrt(1 - x^2) U_(n-1)(x): for all complex x."""

    def rule(y: Expr, _: Signs) -> Expr | None:
        n, angle = y.as_coeff_Mul()
        if angle.func is not inner or not n.is_Integer or not 0 < n <= _HIGHEST:
            return None
        x: Expr = angle.args[0]
        if outer is sympy.sin:
            return sympy.sqrt(1 - x**2) * sympy.chebyshevu(n - 1, x)
        return sympy.chebyshevt(n, x)

    return rule


_INVERSES: dict[object, Callable[[Expr, Signs], Expr | None]] = {
    sympy.cos: _multiple_angle(sympy.cos, sympy.acos),
    sympy.sin: _multiple_angle(sympy.sin, sympy.acos),
    sympy.cosh: _multiple_angle(sympy.cosh, sympy.acosh),
    sympy.asin: _half_argument,
    sympy.acos: _undone(sympy.cos, S.Zero, pi),
    sympy.atan: _undone(sympy.tan, -pi / 2, pi / 2),
    sympy.asinh: _undone(sympy.sinh, None, None),
    sympy.atanh: _undone(sympy.tanh, None, None),
    sympy.log: _logarithm,
    sympy.LambertW: _lambert,
}


# ---------------------------------------------------------------------------- sums, products and powers


def _sum(node: Expr, signs: Signs) -> Expr:
    """c f(x) + c g(x) by a constant or one function, for the pairs (f, g) with such an identity."""
    terms = dict.fromkeys(node.args)
    for term in node.args:
        if term not in terms:
            continue
        for factor in Mul.make_args(term):
            found = _partner(term, factor, terms, signs)
            if found is not None:
                partner, value = found
                rest = Add(*(t for t in terms if t not in (term, partner)))
                shorter = rest + value
                return _sum(shorter, signs) if shorter.is_Add else shorter
    return node


def _partner(term: Expr, factor: Expr, terms: Iterable[Expr], signs: Signs) -> tuple[Expr, Expr] | None:
    """Another term whose sum with this one is simpler, and that sum."""
    base, exponent = factor.as_base_exp()
    if not base.args or not base.has(u):
        return None
    # SymPy would look for the sign of a quotient
    rest = Mul(*(f for f in Mul.make_args(term) if f is not factor))
    x = base.args[0]
    options: list[tuple[Expr, Expr, bool]] = []
    if exponent == 2 and base.func is sympy.sin:
        options = [(rest * sympy.cos(x) ** 2, rest, True)]
    elif exponent == 2 and base.func is sympy.cosh:
        options = [(-rest * sympy.sinh(x) ** 2, rest, True)]
    elif exponent == 1 and base.func is sympy.erf:
        options = [(rest * sympy.erfc(x), rest, True)]
    elif exponent == 1 and base.func is sympy.asin:
        # real on [-1, 1] only; beyond, the sum is pi/2 all the same
        options = [(rest * sympy.acos(x), rest * pi / 2, True)]
    elif exponent == 1 and base.func is sympy.cosh:
        options = [(rest * sympy.sinh(x), rest * sympy.exp(x), False)]
    elif exponent == 1 and base.func is sympy.atan:
        sign = signs.of(x, OPEN) if any(t.has(sympy.atan) and t != term for t in terms) else Sign.UNKNOWN
        options = [(rest * sympy.atan(1 / x), rest * sign.number * pi / 2, True)] if sign.known else []
    for partner, value, drops in options:
        if partner in terms and partner != term and (not drops or signs.defined(x)):
            return partner, value
    return None


def _product(node: Expr) -> Expr:
    """Gamma(x + n)/Gamma(x) as a polynomial, (1 - cos x)/sin x as tan(x/2)."""
    factors = list(node.args)
    for i, first in enumerate(factors):
        for j, second in enumerate(factors):
            value = None if i == j else _pair(first, second)
            if value is not None:
                rest = [f for k, f in enumerate(factors) if k not in (i, j)]
                return Mul(*rest, value)
    return node


def _pair(first: Expr, second: Expr) -> Expr | None:
    """first * second, first in the numerator and second in the denominator."""
    if not (second.is_Pow and second.exp == -1 and second.has(u)):
        return None
    below = second.base
    if first.func is sympy.gamma and below.func is sympy.gamma:
        x, n = below.args[0], sympy.expand_mul(first.args[0] - below.args[0])
        if n.is_Integer and abs(n) <= _HIGHEST:
            steps = [x + k for k in range(int(n))] if n > 0 else [1 / (x - k) for k in range(1, 1 - int(n))]
            return Mul(*steps)
    if below.func is sympy.sin and first == 1 - sympy.cos(below.args[0]):
        return sympy.tan(below.args[0] / 2)
    return None


def without_double_zeros(power: Expr) -> Expr:
    """(F^2 R)^e = |F|^(2e) R^e, e > 0, for F that is real on the whole interval; the power itself if none is seen.

    >>> without_double_zeros(sympy.sqrt(sympy.exp(2*u) - 2*sympy.exp(u) + 1))
    Abs(exp(u) - 1)
    """
    return _root(power, Signs({}))


def _root(node: Expr, signs: Signs) -> Expr:
    """(F^(2n) R)^e = |F|^(2n e) R^e, and (F^n)^e = F^(n e) for F > 0: a positive factor may be taken out."""
    base, exponent = node.args
    if not exponent.is_Rational or exponent.is_Integer or not base.has(u) or exponent < 0:
        return node
    outside, inside = [], []
    for factor in Mul.make_args(_as_square(base) or factored(base) if base.is_Add else base):
        inner, n = factor.as_base_exp()
        if n.is_Integer and n > 1 and inner.func is not sympy.exp and inner.has(u) and signs.real(inner):
            if n % 2 == 0:
                outside.append(_modulus(inner, signs) ** (n * exponent))
                continue
            if signs.of(inner, OPEN).positive:
                outside.append(inner ** (n * exponent))
                continue
        inside.append(factor)
    return Mul(*outside, Mul(*inside) ** exponent) if outside else node


def _as_square(x: Expr) -> Expr | None:
    """a (u + b)^2 for a polynomial of degree two without a discriminant, whatever its coefficients."""
    if not x.is_polynomial(u) or sympy.degree(x, u) != 2:
        return None
    a, b, c = sympy.Poly(x, u).all_coeffs()
    if sympy.expand(b**2 - 4 * a * c) != 0 or not a.is_positive:
        return None
    return Mul(a, Pow(u + sympy.expand(b / (2 * a)), 2))


def _modulus(x: Expr, signs: Signs) -> Expr:
    sign = signs.of(x, OPEN)
    return Integer(sign.number) * x if sign.known else Abs(x)
