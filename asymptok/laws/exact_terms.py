"""The eigenvalues of one term t^nu (log t)^j, t = 1 - u, as exact formulas in k, d and nu.

Equation numbers refer to docs/spectrum.md.
"""

from __future__ import annotations

from collections.abc import Sequence

from sympy import (
    Add,
    Expr,
    Integer,
    Mul,
    S,
    binomial,
    factorial,
    log,
    pi,
    polygamma,
    sympify,
)

from asymptok.constants.sphere import gamma_above_zero, gamma_of, polygamma_of, regular_factor

__all__ = [
    "asymptotic_constant",
    "complete_bell",
    "decay_exponent",
    "leading_constant",
    "leading_log_power",
    "term_law",
]


def asymptotic_constant(d: Expr | int, nu: Expr | int) -> Expr:
    """C(d, nu) of eq. (4): the eigenvalues of (1-u)^nu are C(d, nu) Gamma(k-nu)/Gamma(k+nu+d-1), for every k.

    >>> from sympy import Rational
    >>> asymptotic_constant(3, Rational(1, 2))
    -sqrt(2)/4
    >>> asymptotic_constant(3, 2)
    0
    """
    d, nu = sympify(d), sympify(nu)
    if nu.is_Integer and nu >= 0:
        return S.Zero
    return Mul(regular_factor(d, nu), 1 / gamma_above_zero(-nu))


def term_law(k: Expr, d: object, nu: object, log_power: int = 0) -> Expr:
    """mu_k of (1-u)^nu (log(1-u))^j, the j-th derivative of eq. (4) in nu: eqs. (6) and (7).

    Whole nu needs k > nu, where a polynomial without a logarithm has no eigenvalue left.

    >>> from sympy import Rational
    >>> from sympy.abc import k
    >>> term_law(k, 3, Rational(1, 2))
    -sqrt(2)*gamma(k - 1/2)/(4*gamma(k + 5/2))
    >>> term_law(k, 3, 1, log_power=1)
    2*gamma(k - 1)/gamma(k + 3)
    """
    k, d, nu = sympify(k), sympify(d), sympify(nu)
    j = int(log_power)
    ratio = gamma_of(k - nu) / gamma_of(k + nu + d - 1)
    if nu.is_Integer and nu >= 0:
        # eq. (7): the zero of 1/Gamma(-nu) takes one derivative
        n = int(nu)
        slope = Mul(-((-1) ** n) * factorial(n), regular_factor(d, nu), ratio)
        cumulants = [_cumulant(m, k, d, nu) + polygamma(m - 1, nu + 1) for m in range(1, j)]
        derivatives = complete_bell(cumulants)
        return Mul(
            slope, Add(*[binomial(j, i) * _sine_derivative(i) * derivatives[j - i] for i in range(1, j + 1)])
        )
    cumulants = [_cumulant(m, k, d, nu) + (-1) ** (m - 1) * polygamma(m - 1, -nu) for m in range(1, j + 1)]
    return Mul(asymptotic_constant(d, nu), ratio, complete_bell(cumulants)[j])


def _cumulant(m: int, k: Expr, d: Expr, nu: Expr) -> Expr:
    """The m-th derivative in nu of log(2^nu Gamma(nu+(d-1)/2) Gamma(k-nu)/Gamma(k+nu+d-1)), eq. (6)."""
    return Add(
        log(2) if m == 1 else S.Zero,
        polygamma_of(m - 1, nu + (d - 1) / 2),
        (-1) ** m * polygamma_of(m - 1, k - nu),
        -polygamma_of(m - 1, k + nu + d - 1),
    )


def _sine_derivative(i: int) -> Expr:
    """The i-th derivative of sin(pi x)/pi at 0."""
    return S.Zero if i % 2 == 0 else (-1) ** ((i - 1) // 2) * pi ** (i - 1)


def complete_bell(cumulants: Sequence[Expr]) -> list[Expr]:
    """f^(m)(0)/f(0) for m = 0, 1, ... from the derivatives of log f: B_(m+1) = sum_i binom(m, i) B_(m-i) L_(i+1).

    >>> from sympy.abc import a, b
    >>> complete_bell([a, b])
    [1, a, a**2 + b]
    """
    values: list[Expr] = [S.One]
    for m in range(len(cumulants)):
        values.append(
            Add(*[Integer(binomial(m, i)) * values[m - i] * cumulants[i] for i in range(m + 1)]).expand()
        )
    return values


def leading_log_power(nu: Expr, log_power: int) -> int:
    """The power of log k in the eigenvalues of t^nu (log t)^j: j, or j - 1 for whole nu; -1 if they vanish."""
    nu = sympify(nu)
    return log_power - 1 if nu.is_Integer and nu >= 0 else log_power


def leading_constant(d: object, nu: Expr | int, log_power: int = 0) -> Expr:
    """The constant a of mu_k ~ a k^(-d-2nu+1) (log k)^i for t^nu (log t)^j, eq. (8).

    >>> from sympy import Rational
    >>> leading_constant(3, 1, 1), leading_constant(3, Rational(1, 2), 1)
    (2, sqrt(2)/2)
    """
    d, nu = sympify(d), sympify(nu)
    j = int(log_power)
    if nu.is_Integer and nu >= 0:
        if j == 0:
            return S.Zero
        n = int(nu)
        return j * Integer(-2) ** (j - 1) * (-1) ** (n + 1) * factorial(n) * regular_factor(d, nu)
    return Integer(-2) ** j * asymptotic_constant(d, nu)


def decay_exponent(d: object, nu: object) -> Expr:
    """-d - 2 nu + 1."""
    return 1 - sympify(d) - 2 * sympify(nu)
