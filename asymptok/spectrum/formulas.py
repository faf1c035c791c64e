"""mu_k as a formula in k and d, for the kernels that the closed forms know.

Each core has its own formula. A factor u in front is taken into it, never by the three-term recurrence alone, which
reads 0/0 at k = 0, d = 2: u (1-u)^nu and u (1+r^2-2ru)^(-a) are combinations of powers, u exp(cu) is a derivative in
c, and for kappa_n the denominators of the recurrence cancel.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy
from sympy import Expr, Integer, Mul, Piecewise, S, Symbol, binomial, factorial, gamma, rf

from asymptok import dag
from asymptok.constants.sphere import regular_factor
from asymptok.functions.zonal import ZonalSum
from asymptok.kernels.kernel import Kernel, as_kernel
from asymptok.spectrum import cores
from asymptok.spectrum.closed_forms import Summand, recognise
from asymptok.symbols import d, k, u

__all__ = ["eigenvalue_formula"]


def eigenvalue_formula(kernel: Kernel | Expr | str) -> Expr | None:
    """mu_k as a SymPy expression in k and d (and the parameters), or None where no closed form is known.

    Put k in before or together with d. A Piecewise says in which dimensions the kernel is integrable.

    >>> from asymptok import kernels
    >>> formula = eigenvalue_formula(kernels.ntk(2))
    >>> [formula.subs({k: n, d: 3}) for n in range(5)]
    [1/2, 1/3, 5/64, 0, 1/192]
    >>> eigenvalue_formula("exp(u)")
    2**(d/2 - 1)*besseli(d/2 + k - 1, 1)*gamma(d/2)
    """
    kernel = as_kernel(kernel)
    summands = _summands(kernel)
    if summands is None:
        return None
    # terms over a common transcendental factor are added as rational functions of k and d
    parts: dict[Expr, Expr] = {}
    for summand in summands:
        found = _FORMULAS.get(type(summand.core))
        pairs = None if found is None else found(summand.core, summand.times, summand.sign)
        if pairs is None:
            return None
        sign = S.NegativeOne ** (k if summand.sign < 0 else 0)
        for factor, rational in pairs:
            key = factor * sign
            parts[key] = parts.get(key, S.Zero) + summand.coefficient * rational
    return sympy.Add(*(_product(key, rational) for key, rational in parts.items()))


def _product(factor: Expr, rational: Expr) -> Expr:
    if isinstance(factor, Piecewise):
        return Piecewise(*((rational * value, condition) for value, condition in factor.args))
    return factor * (sympy.factor(rational) if rational.has(k) or rational.has(d) else rational)


class Series(sympy.Sum):  # type: ignore[misc]
    """A sum over j = 0, 1, ... whose terms in the end fall like 1/j!, evaluated term by term.

    SymPy's own way with sums of hypergeometric terms takes the ratio of two terms for a quotient of integers, and is
    wrong in the first digit where that holds sqrt(2).
    """

    def _eval_evalf(self, prec: int) -> Expr | None:
        term, (j, _, _) = self.args
        if self.free_symbols:
            return None
        digits = int(prec / 3.3) + 15
        while True:
            total = largest = S.Zero
            small = count = 0
            while small < _QUIET:
                value = term.subs(j, count).evalf(digits)
                total, largest, count = total + value, max(largest, abs(value)), count + 1
                small = small + 1 if largest and abs(value) < largest * sympy.Float(10) ** -digits else 0
            lost = int(sympy.log(largest / abs(total), 10).evalf(5)) + 1 if total else digits
            if int(prec / 3.3) + lost + 5 <= digits or digits > 20 * prec:
                return total._evalf(prec)
            digits += lost + 5


#: negligible terms in a row after which a series is taken to have ended
_QUIET = 12


# reading ---------------------------------------------------------------------------------------------------


def _summands(kernel: Kernel) -> tuple[Summand, ...] | None:
    expr = kernel.expr
    sums = {node: node.polynomial() for node in dag.postorder(expr) if isinstance(node, ZonalSum)}
    found = recognise(dag.rebuild(expr, sums))
    return _poisson(kernel) if found is None else found


def _poisson(kernel: Kernel) -> tuple[Summand, ...] | None:
    """c (1 + r^2 - 2 r u)^(-a) with a parameter r in (-1, 1): whether 1 + r^2 > 2|r| is the range of r, not a sign."""
    coefficient, power = kernel.expr.as_independent(u, as_Add=False)
    base, exponent = power.as_base_exp()
    if not base.is_polynomial(u) or exponent.has(u) or sympy.degree(base, u) != 1:
        return None
    slope, constant = sympy.Poly(base, u).all_coeffs()
    r = -slope / 2
    ranges = kernel.parameters.get(r)
    if ranges is None or not (ranges[0] >= -1 and ranges[1] <= 1) or (constant - 1 - r**2).expand() != 0:
        return None
    return (Summand(coefficient, 0, cores.Multiquadric(r, -exponent)),)


# the formulas ----------------------------------------------------------------------------------------------

#: pairs (transcendental factor, rational function of k and d), to be multiplied and added
Pairs = list[tuple[Expr, Expr]]


def _monomial(core: cores.Monomial, times: int, sign: int) -> Pairs:
    """u^n: Gamma(d/2) n!/(2^n Gamma(1+(n-k)/2) Gamma((n+k+d)/2)) for k = n mod 2; 1/Gamma is 0 for k > n."""
    n = core.degree + times
    even = (1 + (-1) ** n * S.NegativeOne**k) / 2
    factor = even * gamma(d / 2) / (gamma(1 + (n - k) / 2) * gamma((n + k + d) / 2))
    return [(factor, factorial(n) / Integer(2) ** n)]


def _signed_binomials(times: int, sign: int) -> list[tuple[int, Expr]]:
    """u^p = (+-1)^p (1 - w)^p with w = 1 -+ u: the coefficients of w^i."""
    return [(i, binomial(times, i) * (-1) ** i * sign**times) for i in range(times + 1)]


def _power_moment(nu: Expr) -> Expr:
    """(1-u)^nu, equation of section 3: the Pochhammer symbol serves every nu."""
    return regular_factor(d, nu) * rf(-nu, k) / gamma(k + nu + d - 1)


def _shifted(lowest: Expr, times: int, sign: int, moment: Callable[[int], Expr]) -> Pairs | None:
    """u^p times a kernel that is (1-u)^lowest at the end and has the moments `moment(i)` when multiplied by (1-u)^i.

    It is integrable for lowest > -(d-1)/2, and the sum has no meaning without; None if that is open for the parameters.
    """
    always = (2 * lowest + 1).is_positive
    if not always and not lowest.is_number:
        return None
    pairs = []
    for i, weight in _signed_binomials(times, sign):
        value = moment(i)
        pairs.append((value if always else Piecewise((value, d > 1 - 2 * lowest), (S.NaN, True)), weight))
    return pairs


def _power(core: cores.Power, times: int, sign: int) -> Pairs | None:
    return _shifted(core.exponent, times, sign, lambda i: _power_moment(core.exponent + i))


def _stretched(core: cores.StretchedExponential, times: int, sign: int) -> Pairs | None:
    """(1-u)^a exp(-c (1-u)^g): the series of the exponential, term by term; absolutely convergent."""
    j = Symbol("j", integer=True, nonnegative=True)
    front = (-core.rate) ** j / factorial(j)

    def moment(i: int) -> Expr:
        return Series(front * _power_moment(core.power + i + core.exponent * j), (j, 0, sympy.oo))

    return _shifted(core.power, times, sign, moment)


def _arc_cosine(core: cores.ArcCosineCore, times: int, sign: int) -> Pairs | None:
    """u^p kappa_n over [Gamma(1+(n+p-k)/2) Gamma((n+p+k+d)/2)]^-2, a rational function of k and d in front.

    mu_k(kappa_n) = 2^(n+1) Gamma(n+d/2)/(Gamma(d/2) (2n-1)!!) lambda_k^2 with
    lambda_k = Gamma(d/2) n!/(2^(n+1) Gamma(1+(n-k)/2) Gamma((n+k+d)/2)).
    """
    n, p = core.order, times
    # Gamma(n+d/2) = Gamma(d/2) (d/2)_n
    rising = Mul(*(d / 2 + i for i in range(n)))
    front = rising * factorial(n) ** 2 / (Integer(2) ** (n + 1) * sympy.factorial2(2 * n - 1))
    shared = 1 / (gamma(1 + (n + p - k) / 2) * gamma((n + p + k + d) / 2)) ** 2

    def over_shared(j: int) -> Expr:
        # Gamma(1+(n+p-k)/2)/Gamma(1+(n-k-j)/2) and Gamma((n+p+k+d)/2)/Gamma((n+k+j+d)/2) are polynomials
        up = Mul(*(1 + (n - k - j) / 2 + i for i in range((p + j) // 2)))
        down = Mul(*((n + k + j + d) / 2 + i for i in range((p - j) // 2)))
        return (up * down) ** 2

    level = {j: over_shared(j) for j in range(-p, p + 1, 2)}
    for step in range(p - 1, -1, -1):
        level = {j: _times_u(level[j - 1], level[j + 1], k + j) for j in range(-step, step + 1, 2)}
    rational = sympy.cancel(front * level[0])
    if sympy.fraction(rational)[1].has(k):
        return None  # a denominator that survives could vanish
    return [(gamma(d / 2) ** 2 * shared, rational)]


def _times_u(below: Expr, above: Expr, degree: Expr) -> Expr:
    """mu_k(u kappa) from mu_(k-1) and mu_(k+1)."""
    return sympy.cancel(((degree + d - 2) * above + degree * below) / (2 * degree + d - 2))


def _exponential(core: cores.Exponential, times: int, sign: int) -> Pairs:
    """u^p exp(cu) is the p-th derivative of exp(cu) in c."""
    c = Symbol("c", positive=True)
    value = gamma(d / 2) * (2 / c) ** (d / 2 - 1) * sympy.besseli(k + d / 2 - 1, c)
    for _ in range(times):
        value = value.diff(c)
    return [(value.subs(c, core.rate), Integer(sign) ** times)]


def _multiquadric(core: cores.Multiquadric, times: int, sign: int) -> Pairs:
    """u = (1 + r^2 - w)/(2r) with w = 1 + r^2 - 2ru turns u^p w^(-a) into powers of w."""
    r, a, p = core.radius, core.exponent, times
    scale = (sign / (2 * r)) ** p
    return [
        (_multiquadric_moment(r, a - i), scale * binomial(p, i) * (1 + r**2) ** (p - i) * (-1) ** i)
        for i in range(p + 1)
    ]


def _multiquadric_moment(r: Expr, a: Expr) -> Expr:
    poisson = r**k / (1 - r**2)  # where 2a = d, and 2F1(x, 1; x; r^2) = 1/(1 - r^2)
    if a == d / 2:
        return poisson
    general = r**k * rf(a, k) / rf(d / 2, k) * sympy.hyper((a + k, a - d / 2 + 1), (k + d / 2,), r**2)
    if (2 * a).is_Integer and 2 * a >= 2:
        return Piecewise((poisson, sympy.Eq(d, 2 * a)), (general, True))
    return general


def _given(core: cores.GivenCore, times: int, sign: int) -> Pairs | None:
    """The formula that was given, which holds in its dimension."""
    return None if times else [(Piecewise((core.law, sympy.Eq(d, core.dimension))), S.One)]


_FORMULAS: dict[object, Any] = {
    cores.GivenCore: _given,
    cores.Monomial: _monomial,
    cores.Power: _power,
    cores.StretchedExponential: _stretched,
    cores.ArcCosineCore: _arc_cosine,
    cores.Exponential: _exponential,
    cores.Multiquadric: _multiquadric,
}
