r"""Entire kernels whose derivatives at 0 are known exactly, and their eigenvalues from them.

kappa is a polynomial plus terms p u^e exp(c u), p u^e exp(c u^2), p u^e 0F1(b; c u + x), e an integer, b > 0: cosh,
sinh, sin, cos are sums of exponentials, and cosh(sqrt(y)), sin(sqrt(y))/sqrt(y), I_m(sqrt(y)) y^(-m/2), ... are 0F1
of y/4 or -y/4. With (n)_e = n!/(n-e)! the n-th derivatives at 0 are

    p (n)_e c^(n-e),            p (n)_e c^(n-e) 0F1(b+n-e; x) Gamma(b)/Gamma(b+n-e),
    p (n)_e c^j (2j)!/j! = p (n)_e (4c)^j Gamma(j+1/2)/sqrt(pi) for n - e = 2j, else 0,

and mu_k = Gamma(d/2)/(2^k Gamma(k+d/2)) sum_m kappa^(k+2m)(0)/(4^m m! (k+d/2) ... (k+d/2+m-1)).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import sympy
from flint import acb, arb, ctx, fmpq
from sympy import Dummy, Expr, Rational, S

from asymptok import dag
from asymptok.balls import ball, complex_ball
from asymptok.constants.decide import is_zero, sign
from asymptok.errors import AsymptokError
from asymptok.functions import record_of
from asymptok.symbols import u
from asymptok.truth import Truth

__all__ = ["ExponentialSum", "Term", "exponential_sum", "falling", "spread"]

#: larger expressions and powers are not multiplied out
_LARGEST, _HIGHEST = 400, 24
#: terms of the series of one eigenvalue at most
_LONGEST = 20000
_HALF = arb(fmpq(1, 2))


def _form(node: Expr) -> tuple[Expr, Expr, Expr, int] | None:
    """(a, b, c, s) where f(x) = a x^s 0F1(; b; c x^2); None for other functions."""
    record = record_of(node.func)
    x = Dummy()
    form = record.of_square(*node.args[:-1], x) if record is not None and node.args else None
    if form is None or len(found := form.atoms(sympy.hyper)) != 1:
        return None
    (inner,) = found
    if inner.ap or len(inner.bq) != 1:
        return None
    factor, power = (form / inner).as_coeff_exponent(x)
    return factor, inner.bq[0], inner.argument / x**2, int(power)


def _is_allowed(node: Expr) -> bool:
    return isinstance(node, sympy.Add | sympy.Mul | sympy.Pow | sympy.exp) or _form(node) is not None


def falling(n: int, e: int) -> arb:
    """n!/(n-e)! for n >= e.

    >>> falling(5, 2) == 20, falling(5, -1).contains(fmpq(1, 6))
    (True, True)
    """
    value = arb(1)
    for i in range(abs(e)):
        value = value * (n - i) if e > 0 else value / (n + 1 + i)
    return value


def spread(b: arb, x: arb) -> arb:
    """|0F1(b; x) - 1| is at most this, for b > 0: as b (b+1) ... (b+j-1) >= b^j."""
    return (abs(x) / b).exp() - 1


@dataclass(frozen=True, slots=True)
class Term:
    """p u^e exp(c u), or with an order p u^e 0F1(order; c u + shift), or, a square, p u^e exp(c u^2), c real."""

    coefficient: Expr
    base: Expr
    power: int
    order: Expr | None = None
    shift: Expr = S.Zero
    square: bool = False

    def derivative(self, n: int) -> acb:
        """The n-th derivative at 0."""
        m = n - self.power
        if m < 0 or (self.square and m % 2):
            return acb(0)
        if self.square:
            root = arb(m // 2) + _HALF
            return (
                complex_ball(self.coefficient)
                * falling(n, self.power)
                * (4 * ball(self.base)) ** (m // 2)
                * (root.gamma() / arb.pi().sqrt())
            )
        value = complex_ball(self.coefficient) * complex_ball(self.base) ** m * falling(n, self.power)
        if self.order is None:
            return value
        b = ball(self.order)
        return value * (b.lgamma() - (b + m).lgamma()).exp() * ball(self.shift).hypgeom_0f1(b + m)

    def size(self, n: int) -> arb:
        """A bound of its absolute value, n >= power."""
        m = n - self.power
        if self.square:
            size = abs(complex_ball(self.coefficient)) * falling(n, self.power)
            root = (arb(m) + 1) / 2
            return size * (4 * abs(ball(self.base))).sqrt() ** m * root.gamma() / arb.pi().sqrt()
        value = (
            abs(complex_ball(self.coefficient)) * abs(complex_ball(self.base)) ** m * falling(n, self.power)
        )
        if self.order is None:
            return value
        b = ball(self.order)
        return value * (b.lgamma() - (b + m).lgamma()).exp() * (1 + spread(b + m, ball(self.shift)))

    def quotient(self, k: int, m: int, half: arb) -> arb:
        """size(n+2)/size(n)/(4 (m+1) (k+half+m)), n = k + 2m, and all later ones in m, are at most this."""
        if not self.square:
            return self._step(k + 2 * m) / (4 * (m + 1) * (k + half + m))
        # a step of Gamma is (n-e+1)/2 <= k + half + m, for e >= 0 and half >= 1
        return abs(ball(self.base)) * _spread_of_powers(k + 2 * m, self.power) / (m + 1)

    def rest(self, k: int, m: int, half: arb) -> arb:
        """A bound of the summands of mu_k from the m-th on over the weight of that one; oo if they may grow."""
        # from here on each summand is at most half of the one before it
        return 2 * self.size(k + 2 * m) if self.quotient(k, m, half) < _HALF else arb.pos_inf()

    def _step(self, n: int) -> arb:
        """size(j+2) <= step(n) size(j) for all j >= n >= power."""
        e = self.power
        growth = abs(complex_ball(self.base)) ** 2
        growth = growth * _spread_of_powers(n, e)
        if self.order is not None:
            b = ball(self.order) + (n - e)
            growth = growth / (b * (b + 1))
        return growth


def _spread_of_powers(n: int, e: int) -> fmpq:
    """(j+2)_e/(j)_e is at most this for all j >= n >= e."""
    return fmpq((n + 1) * (n + 2), (n + 1 - e) * (n + 2 - e)) if e > 0 else fmpq(1)


@dataclass(frozen=True)
class ExponentialSum:
    """A polynomial and terms; the sum is entire, and real for real u."""

    polynomial: tuple[tuple[int, Expr], ...]
    terms: tuple[Term, ...]

    @property
    def degree(self) -> int:
        """The degree of the polynomial, -1 without one."""
        return max((n for n, _ in self.polynomial), default=-1)

    @cached_property
    def by_parity(self) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
        """Terms with the same derivatives of even and of odd orders: c and -c taken together, without what cancels."""
        even, odd = (self._merged(parity) for parity in (0, 1))
        return even, odd

    def _merged(self, parity: int) -> tuple[Term, ...]:
        found: dict[Term, Expr] = {}
        for t in self.terms:
            side = sign(t.base).number if t.base.is_real and sign(t.base).known and not t.square else 1
            odd = (parity - t.power) % 2
            if t.square and odd:
                continue
            key = replace(t, coefficient=S.One, base=side * t.base)
            found[key] = found.get(key, S.Zero) + (side if odd else 1) * t.coefficient
        kept = ((key, p) for key, p in found.items() if is_zero(p) is not Truth.TRUE)
        return tuple(replace(key, coefficient=p) for key, p in kept)

    def derivative(self, n: int) -> arb:
        """kappa^(n)(0)."""
        total: arb = sum((t.derivative(n) for t in self.by_parity[n % 2]), acb(0)).real
        for m, p in self.polynomial:
            if m == n:
                total = total + ball(p) * arb(n + 1).gamma()
        return total

    def eigenvalue(self, k: int, d: int) -> arb:
        """mu_k by its series with a proved rest, at the precision in force."""
        half, terms = arb(fmpq(d, 2)), self.by_parity[k % 2]
        scale = (half.lgamma() - (k + half).lgamma() - k * arb(2).log()).exp()
        total, weight = arb(0), arb(1)
        first = max([self.degree, *(t.power for t in terms)])
        small = arb((1, -ctx.prec))
        for m in range(_LONGEST):
            n = k + 2 * m
            value = self.derivative(n)
            total = total + weight * value
            weight = weight / (4 * (m + 1) * (k + half + m))
            if n + 2 <= first:
                continue
            rest = sum((weight * t.rest(k, m + 1, half) for t in terms), arb(0))
            largest = sum((t.size(max(k, t.power)) for t in terms), abs(total))
            if rest.upper() <= small * largest:
                return scale * (total + arb(0, rest.upper()))
        return arb.pos_inf() - arb.pos_inf()


# reading -------------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def exponential_sum(expr: Expr) -> ExponentialSum | None:
    """The kernel as such a sum; None if it is not seen to be one.

    >>> found = exponential_sum(2*sympy.sinh(u)/u + u**2)
    >>> found.polynomial, [(t.coefficient, t.base, t.power) for t in found.terms]
    (((2, 1),), [(-1, -1, -1), (1, 1, -1)])
    """
    if dag.tree_size(expr) > _LARGEST or dag.has_huge_powers(expr):
        return None
    for node in dag.postorder(expr):
        if node.is_Pow and node.exp.is_Integer and abs(node.exp) > _HIGHEST:
            return None
        if node.args and node.has(u) and not _is_allowed(node):
            return None  # before anything is multiplied out
    sums = {
        node: node.rewrite(sympy.exp)
        for node in expr.atoms(sympy.Function)
        if len(node.args) == 1 and node.has(u) and _form(node) and _linear(node.args[0]) is not None
    }
    found: dict[tuple[Expr, int, Expr | None, Expr, bool], Expr] = {}
    try:
        for summand in sympy.Add.make_args(sympy.expand(dag.rebuild(expr, sums))):
            term = _term(summand)
            if term is None:
                return None
            key = (term.base, term.power, term.order, term.shift, term.square)
            found[key] = found.get(key, S.Zero) + term.coefficient
    except AsymptokError:
        return None
    ordered = sorted(
        found.items(), key=lambda entry: sympy.default_sort_key(sympy.Tuple(*map(S, entry[0][:2])))
    )
    terms = tuple(Term(p, *key) for key, p in ordered if key[0] != 0 and p != 0)
    low = {key[1]: p for key, p in found.items() if key[0] == 0}
    if not terms or not _is_entire(low, terms):
        return None
    return ExponentialSum(tuple((n, p) for n, p in sorted(low.items()) if n >= 0 and p != 0), terms)


def _is_entire(low: dict[int, Expr], terms: tuple[Term, ...]) -> bool:
    """Whether the coefficients of all negative powers vanish."""
    for n in range(min([0, *low, *(t.power for t in terms)]), 0):
        total = low.get(n, S.Zero)
        for t in terms:
            if t.power <= n:
                if t.order is not None or t.square:
                    return False
                total += t.coefficient * t.base ** (n - t.power) / sympy.factorial(n - t.power)
        if is_zero(sympy.expand(total)) is not Truth.TRUE:
            return False
    return True


def _term(summand: Expr) -> Term | None:
    """One summand, multiplied out; a polynomial has the base 0."""
    coefficient, varying = summand.as_independent(u, as_Add=False)
    power, exponent = 0, S.Zero
    others: list[Expr] = []
    for factor in sympy.Mul.make_args(varying):
        if factor == 1:
            continue
        base, e = factor.as_base_exp()
        if isinstance(factor, sympy.exp):
            exponent += factor.args[0]
        elif base == u and e.is_Integer:
            power += int(e)
        else:
            others.append(factor)
    line = _linear(exponent)
    if line is None:
        # a linear term beside u^2 would be another function
        even = (
            _linear(dag.rebuild(exponent, {u: sympy.sqrt(u)})) if exponent.subs(u, -u) == exponent else None
        )
        if even is None or others or power < 0 or not all(x.is_real for x in even):
            return None
        return Term(coefficient * sympy.exp(even[1]), even[0], power, square=True)
    if not others:
        return Term(coefficient * sympy.exp(line[1]), line[0], power)
    return None if exponent.has(u) else _rooted(coefficient * sympy.exp(exponent), power, others)


def _linear(expr: Expr) -> tuple[Expr, Expr] | None:
    """(c, x) with expr = c u + x, real numbers or complex ones."""
    if not expr.has(u):
        return S.Zero, expr
    if not expr.is_polynomial(u) or sympy.degree(expr, u) > 1:
        return None
    slope = sympy.expand(expr).coeff(u, 1)
    return slope, sympy.expand(expr - slope * u)


def _rooted(coefficient: Expr, power: int, factors: list[Expr]) -> Term | None:
    """f(a sqrt(y)) and the power of y that makes it entire, y linear in u."""
    functions = [(f, form) for f in factors if f.is_Function and (form := _form(f)) is not None]
    if len(functions) != 1:
        return None
    f, (scale, order, side, s) = functions[0]
    a, root = f.args[-1].as_independent(u, as_Add=False)
    if not (root.is_Pow and root.exp == S.Half and a.is_real):
        return None
    line = _linear(root.base)
    rest = sympy.Mul(*(g for g in factors if g is not f))
    if line is None or not all(x.is_real for x in line):
        return None
    factor = scale * a**s
    beside = sympy.powdenest(rest * root.base ** (Rational(s) / 2))
    own = sympy.Mul(*(g for g in sympy.Mul.make_args(beside) if g.has(u)))
    if own.has(u):
        return None
    y = side * a**2
    return Term(coefficient * factor * beside, y * line[0], power, S(order), y * line[1])
