"""The formulas of docs/theory.md, docs/spectrum.md and docs/conditions.md, each against mpmath.

Written from the pages, not from the code: nothing here calls what computes eigenvalues or laws.
"""

from __future__ import annotations

import ast
from functools import lru_cache
from pathlib import Path
from typing import Any

import mpmath as mp
import numpy as np
import pytest

ROOT = Path(__file__).parent.parent
DIMENSIONS = [2, 3, 5, 10]


@pytest.fixture(autouse=True)
def _digits() -> Any:
    with mp.workdps(30):
        yield


def legendre(k: int, d: int, u: Any) -> Any:
    """P_k(1) = 1, by the recurrence (j+d-1) P_(j+2) = (2j+d) u P_(j+1) - (j+1) P_j."""
    before, here = mp.mpf(1), u
    for j in range(k):
        before, here = here, ((2 * j + d) * u * here - (j + 1) * before) / (j + d - 1)
    return before


def sphere(d: Any) -> Any:
    return mp.gamma(mp.mpf(d) / 2) / (mp.sqrt(mp.pi) * mp.gamma(mp.mpf(d - 1) / 2))


def eigenvalue(of_t: Any, k: int, d: int, cuts: tuple[float, ...] = ()) -> Any:
    """(1) in the angle; the kernel is given as a function of t = 1 - u = 2 sin(theta/2)^2, exact next to t = 0."""

    def integrand(theta: Any) -> Any:
        t = 2 * mp.sin(theta / 2) ** 2
        return of_t(t) * legendre(k, d, 1 - t) * mp.sin(theta) ** (d - 2)

    return sphere(d) * mp.quad(integrand, [0, *cuts, mp.pi])


def close(x: Any, y: Any, digits: float = 15) -> bool:
    return bool(abs(x - y) <= mp.mpf(10) ** -digits * (abs(y) + mp.mpf(10) ** -5))


def constant(d: Any, nu: Any) -> Any:
    """C(d, nu) of (4)."""
    half = (mp.mpf(d) - 1) / 2
    top = mp.power(2, nu + d - 2) * mp.gamma(mp.mpf(d) / 2) * mp.gamma(nu + half)
    return top * mp.rgamma(-nu) / mp.sqrt(mp.pi)


def power_law(k: int, d: int, nu: Any) -> Any:
    """mu_k of (1-u)^nu, (4)."""
    return constant(d, nu) * mp.gamma(k - nu) / mp.gamma(k + nu + d - 1)


# ------------------------------------------------------------------------------------- spectrum.md: powers


@pytest.mark.parametrize("d", DIMENSIONS)
def test_rodrigues_and_one_power(d: int) -> None:
    # (2) at one point, k = 3
    x, k = mp.mpf("0.3"), 3
    factor = (-1) ** k * mp.gamma(mp.mpf(d - 1) / 2) / (2**k * mp.gamma(k + mp.mpf(d - 1) / 2))
    slope = mp.diff(lambda v: (1 - v * v) ** (k + mp.mpf(d - 3) / 2), x, k)
    assert close(legendre(k, d, x) * (1 - x * x) ** (mp.mpf(d - 3) / 2), factor * slope, 10)
    # (4), with a negative exponent where it is integrable
    for nu in (mp.mpf(1) / 2, mp.mpf(4) / 3, -mp.mpf(1) / 5):
        assert close(power_law(4, d, nu), eigenvalue(lambda t, nu=nu: t**nu, 4, d), 12)


def test_the_integral_that_decides_on_the_factor_of_two() -> None:
    assert close(eigenvalue(mp.sqrt, 1, 3), -2 * mp.sqrt(2) / 15)
    assert close(constant(3, mp.mpf(1) / 2), -mp.sqrt(2) / 4)
    assert close(mp.gamma(0.5) / mp.gamma(3.5), mp.mpf(8) / 15)


def test_the_operator_of_the_proof() -> None:
    # (5a) in u and in t, L P_k = k(k+d-2) P_k, and (5b) for f = exp, g = P_2
    d, k, x = 5, 4, mp.mpf("0.37")
    p = lambda v: legendre(k, d, v)  # noqa: E731
    in_u = -(1 - x * x) * mp.diff(p, x, 2) + (d - 1) * x * mp.diff(p, x)
    q, t = (lambda s: p(1 - s)), 1 - x
    in_t = -t * (2 - t) * mp.diff(q, t, 2) - (d - 1) * (1 - t) * mp.diff(q, t)
    assert close(in_u, k * (k + d - 2) * p(x), 10) and close(in_t, in_u, 10)
    g = lambda v: (d * v * v - 1) / mp.mpf(d - 1)  # noqa: E731
    slope = lambda v: 2 * d * v / mp.mpf(d - 1)  # noqa: E731
    weight = lambda v: (1 - v * v) ** (mp.mpf(d - 3) / 2)  # noqa: E731
    image = lambda v: mp.exp(v) * (-(1 - v * v) + (d - 1) * v)  # noqa: E731
    a, b = -mp.mpf(1) / 2, mp.mpf(1) / 3  # any interval: the bracket is at its ends
    left = mp.quad(lambda v: (image(v) * g(v) - mp.exp(v) * 2 * d * g(v)) * weight(v), [a, b])
    bracket = lambda v: (1 - v * v) ** (mp.mpf(d - 1) / 2) * mp.exp(v) * (slope(v) - g(v))  # noqa: E731
    assert close(left, bracket(b) - bracket(a), 12)


# ------------------------------------------------------------------------------------- spectrum.md: logarithms


@pytest.mark.parametrize("d", [2, 3, 7])
def test_logarithms(d: int) -> None:
    k, half = 5, mp.mpf(d - 1) / 2
    nu = mp.mpf(1) / 3
    psi = mp.polygamma

    def ell(m: int, at: Any, reflected: Any) -> Any:  # (6)
        value = psi(m - 1, at + half) + reflected(m)
        value += (-1) ** m * psi(m - 1, k - at) - psi(m - 1, k + at + d - 1)
        return value + (mp.log(2) if m == 1 else 0)

    plain = lambda m: (-1) ** (m - 1) * psi(m - 1, -nu)  # noqa: E731
    first, second = ell(1, nu, plain), ell(2, nu, plain)
    base = power_law(k, d, nu)
    assert close(base * first, eigenvalue(lambda t: t**nu * mp.log(t), k, d), 11)
    assert close(base * (first**2 + second), eigenvalue(lambda t: t**nu * mp.log(t) ** 2, k, d), 11)
    # (7) for n = 2, j = 1 and j = 2
    n = 2
    size = mp.power(2, n + d - 2) * mp.gamma(mp.mpf(d) / 2) * mp.gamma(n + half) / mp.sqrt(mp.pi)
    whole = (-1) ** (n + 1) * mp.factorial(n) * size * mp.gamma(k - n) / mp.gamma(k + n + d - 1)
    assert close(whole, eigenvalue(lambda t: t**n * mp.log(t), k, d), 11)
    tilde = ell(1, mp.mpf(n), lambda m: psi(m - 1, 1 + n))
    assert close(whole * 2 * tilde, eigenvalue(lambda t: t**n * mp.log(t) ** 2, k, d), 11)


@pytest.mark.parametrize("d", [2, 5])
def test_a_cube_of_the_logarithm_at_a_whole_exponent(d: int) -> None:
    # (7) for n = 1, j = 3: 3 B_2 - pi^2, B_2 = l_1^2 + l_2
    k, n, half = 4, 1, mp.mpf(d - 1) / 2
    ell = [
        mp.psi(m - 1, n + half) + mp.psi(m - 1, 1 + n) + (-1) ** m * mp.psi(m - 1, k - n) - mp.psi(m - 1, k + n + d - 1)
        for m in (1, 2)
    ]  # fmt: skip
    ell[0] += mp.log(2)
    size = mp.power(2, n + d - 2) * mp.gamma(mp.mpf(d) / 2) * mp.gamma(n + half) / mp.sqrt(mp.pi)
    whole = (-1) ** (n + 1) * mp.factorial(n) * size * mp.gamma(k - n) / mp.gamma(k + n + d - 1)
    found = whole * (3 * (ell[0] ** 2 + ell[1]) - mp.pi**2)
    assert close(found, eigenvalue(lambda t: t**n * mp.log(t) ** 3, k, d), 11)


def test_the_series_of_theorem_2() -> None:
    # (5) for e^u sqrt(1-u) = e sum (-1)^i t^(i+1/2)/i!, d = 3: what three terms leave is the size of the fourth
    ratios = []
    for k in (12, 24):
        terms = [mp.e * (-1) ** i / mp.factorial(i) * power_law(k, 3, i + mp.mpf(1) / 2) for i in range(4)]
        truth = eigenvalue(lambda t: mp.exp(1 - t) * mp.sqrt(t), k, 3, (0.5, 1.2, 1.9))
        ratios.append((truth - sum(terms[:3])) / terms[3])
    assert abs(ratios[0] - 1) < 0.3 and abs(ratios[1] - 1) < abs(ratios[0] - 1) / 3


def test_the_quotient_of_gamma_functions() -> None:
    # against k^(-d-2nu+1) it errs by 1/k, against (k + (d-2)/2)^(-d-2nu+1) by 1/k^2
    d, nu = 5, mp.mpf(1) / 3
    for shift, order in ((mp.mpf(0), 1), (mp.mpf(d - 2) / 2, 2)):
        errors = [
            mp.gamma(k - nu) / mp.gamma(k + nu + d - 1) * (k + shift) ** (d + 2 * nu - 1) - 1
            for k in (10**4, 2 * 10**4)
        ]
        assert abs(errors[0] / errors[1] - 2**order) < 0.01
    # (9): T(nu) is (4) without |sin pi nu|
    k, size = 9, mp.gamma(mp.mpf(d) / 2) * mp.gamma(nu + mp.mpf(d - 1) / 2) * mp.gamma(1 + nu)
    size *= mp.power(2, nu + d - 2) / mp.pi ** mp.mpf("1.5") * mp.gamma(k - nu) / mp.gamma(k + nu + d - 1)
    assert close(abs(power_law(k, d, nu)), size * abs(mp.sin(mp.pi * nu)))
    # (8) for an exponent that is not whole: l_1/(-2 log k) tends to 1
    k = mp.mpf(10) ** 400
    first = mp.log(2) + mp.psi(0, nu + 2) + mp.psi(0, -nu) - mp.psi(0, k - nu) - mp.psi(0, k + nu + d - 1)
    assert abs(first / (-2 * mp.log(k)) - 1) < 0.01


def test_the_leading_order_of_logarithms() -> None:
    # (8) and (5c): relative errors like 1/log k for j = 2, none but 1/k^2 for j = 1 at a whole exponent
    d, n, k = 3, 1, 10**6
    slope = mp.diff(lambda nu: constant(d, nu), n)  # the derivative of C that (5c) names
    size = mp.power(2, n + d - 2) * mp.gamma(mp.mpf(d) / 2) * mp.gamma(n + mp.mpf(d - 1) / 2) / mp.sqrt(mp.pi)
    assert close(slope, (-1) ** (n + 1) * mp.factorial(n) * size, 8)
    exact = slope * mp.gamma(k - n) / mp.gamma(k + n + d - 1)
    assert abs(exact / (slope * mp.mpf(k) ** (-d - 2 * n + 1)) - 1) < 5 / mp.mpf(k)


# ------------------------------------------------------------------------------------- spectrum.md: estimates


def test_the_smallest_size_is_the_geometric_rate() -> None:
    for a in (mp.mpf(1) / 10, mp.mpf(1), mp.mpf(5)):
        x = mp.sqrt(a / (a + 2))
        size = lambda y, a=a: (  # noqa: E731
            y * mp.log(2 / a) + 2 * y * mp.log(y) + (1 - y) * mp.log(1 - y) - (1 + y) * mp.log(1 + y)
        )
        rho = 1 + a + mp.sqrt(a * a + 2 * a)
        assert close(size(x), -mp.log(rho)) and close(size(x), mp.log((1 - x) / (1 + x)))
        assert abs(mp.diff(size, x)) < mp.mpf(10) ** -12
    # (9a)
    for phi in (0, 1, 2):
        delta = mp.mpf(10) ** -6
        z = 1 + delta * mp.expj(phi)
        rho = abs(z + mp.sqrt(z * z - 1))
        assert abs(mp.log(rho) / mp.sqrt(delta * (1 + mp.cos(phi))) - 1) < 1e-5


def test_arc_cosine_functions_reflect() -> None:
    # (11) for n = 2: J_2 = (pi - theta)(1 + 2 cos^2) + 3 sin cos, and n^2/(2n-1) of theory.md
    def kappa(n: int, x: Any) -> Any:
        theta = mp.acos(x)
        whole = [mp.mpf(1), x, 1 + 2 * x * x][n]
        rest = [mp.mpf(0), mp.mpf(1), 3 * x][n]
        return (whole * (mp.pi - theta) + rest * mp.sin(theta)) / (mp.pi * [1, 1, 3][n])

    x = mp.mpf("0.4321")
    for n, whole in enumerate((mp.mpf(1), x, 1 + 2 * x * x)):
        assert close(kappa(n, -x), (-1) ** n * (whole / [1, 1, 3][n] - kappa(n, x)))
    for n in (1, 2):
        assert close(
            mp.diff(lambda v, n=n: kappa(n, v), x), mp.mpf(n * n) / (2 * n - 1) * kappa(n - 1, x), 12
        )


# ------------------------------------------------------------------------------------- spectrum.md: points inside


@lru_cache(maxsize=1)
def _gauss() -> Any:
    return np.polynomial.legendre.leggauss(160)


def _in_doubles(of_theta: Any, k: int, d: int, low: float, high: float) -> float:
    """(1) over an interval of angles by Gauss points in y, theta = high - (high-low) y^2: fit for roots at `high`."""
    nodes, weights = _gauss()
    y = (nodes + 1) / 2
    theta = high - (high - low) * y * y
    before, here = np.ones_like(theta), np.cos(theta)
    for j in range(k):
        before, here = here, ((2 * j + d) * np.cos(theta) * here - (j + 1) * before) / (j + d - 1)
    values = of_theta(theta) * before * np.sin(theta) ** (d - 2) * 2 * (high - low) * y
    return float(sphere(d)) * float(np.sum(values * weights) / 2)


@pytest.mark.parametrize("d", [2, 3, 6])
@pytest.mark.parametrize("side", [1, -1])
def test_a_point_inside_leaves_a_wave(d: int, side: int) -> None:
    # (11a) for sqrt(u - u0) at u > u0, or sqrt(u0 - u) at u < u0: the relative error is O(1/k)
    theta, nu, lam = 1.0, 0.5, (d - 2) / 2
    for k in (80, 83, 86, 89):
        if side == 1:
            value = _in_doubles(lambda x: np.sqrt(np.cos(x) - np.cos(theta)), k, d, 0.0, theta)
        else:
            # mirrored: u -> -u
            value = (-1) ** k * _in_doubles(
                lambda x: np.sqrt(np.cos(x) + np.cos(theta)), k, d, 0.0, np.pi - theta
            )
        b = np.exp(-side * 1j * np.pi * (nu + 1) / 2)
        psi = (k + lam) * theta - lam * np.pi / 2
        size = 2**lam * mp.gamma(mp.mpf(d) / 2) / mp.pi * mp.gamma(nu + 1) * mp.sin(theta) ** (nu + lam)
        assert abs(value * mp.mpf(k) ** (mp.mpf(d) / 2 + nu) / size - (np.exp(1j * psi) * b).real) < 10 / k


def test_the_integral_behind_the_waves() -> None:
    # int_0^oo x^nu e^(iNx) dx on the ray x = i y, along which it converges
    nu, size = mp.mpf(1) / 3, mp.mpf(7)
    ray = 1j * mp.quad(lambda y: (1j * y) ** nu * mp.exp(-size * y), [0, 1, 10])
    assert close(ray, mp.gamma(nu + 1) * size ** (-nu - 1) * mp.expjpi((nu + 1) / 2), 10)


def test_the_tie_of_a_kink_and_an_end() -> None:
    # k^2 mu_k of |u|/4 + exp(-sqrt(1-u)) on the circle tends to (sqrt 2 +- 1)/(2 pi) for even k
    found = []
    for k in (60, 62):
        with mp.workdps(15):
            end = (
                2
                / mp.pi
                * mp.quad(
                    lambda x, k=k: mp.exp(-mp.sqrt(2) * mp.sin(x)) * mp.cos(2 * k * x),
                    mp.linspace(0, mp.pi / 2, k // 6),
                )
            )
            kink = 2 * (-1) ** (k // 2 + 1) / (mp.pi * (k * k - 1)) / 4
        found.append((end + kink) * k * k)
    limits = [(mp.sqrt(2) - 1) / (2 * mp.pi), (mp.sqrt(2) + 1) / (2 * mp.pi)]
    assert all(abs(a - b) < 0.02 for a, b in zip(sorted(found), limits, strict=True))


def test_flat_ends() -> None:
    # (13) for exp(-1/(1-u)), d = 3: the logarithm of mu_k, up to powers of k
    a, c = 1, 1
    b = 2 * a
    quotients = []
    for k in (60, 61, 62, 63):
        value = _in_doubles(lambda x: np.exp(-0.5 / np.sin(x / 2) ** 2), k, 3, 0.0, np.pi)
        star = (b * c * 2**a / k) ** (1 / (b + 1))
        quotients.append(np.log(abs(value)) / (-k * star * (1 + 1 / b) * np.sin(np.pi / (2 * (b + 1)))))
    assert 1 < min(quotients) < 1.4


# ------------------------------------------------------------------------------------- spectrum.md: learning


def test_the_index_of_an_eigenvalue_and_the_feature_map() -> None:
    # (14): count eigenvalues a k^(-2s) (even) and b k^(-2s) (odd) above a level
    d, s, a, b = 4, mp.mpf(2), mp.mpf(3), mp.mpf(1)
    q = (d - 1) / (2 * s)
    level = mp.mpf(10) ** -9
    multiplicity = lambda k: (2 * k + d - 2) * mp.binomial(k + d - 3, d - 2) / k if k else 1  # noqa: E731
    tops = [int((x / level) ** (1 / (2 * s))) for x in (a, b)]
    count = sum(multiplicity(k) for k in range(0, tops[0] + 1, 2)) + sum(
        multiplicity(k) for k in range(1, tops[1] + 1, 2)
    )
    assert abs(((a**q + b**q) / (mp.factorial(d - 1) * count)) ** (1 / q) / level - 1) < 0.05
    # the two-layer tangent kernel: the local limit and the supremum of |Phi(x) - Phi(y)| / |x - y|^(1/2)
    kappa = lambda u: (2 * u * (mp.pi - mp.acos(u)) + mp.sqrt(1 - u * u)) / mp.pi  # noqa: E731
    quotient = lambda t: mp.sqrt((2 * kappa(mp.mpf(1)) - 2 * kappa(1 - t)) / mp.sqrt(2 * t))  # noqa: E731
    assert abs(quotient(mp.mpf(10) ** -12) - mp.sqrt(2 / mp.pi)) < 1e-5
    assert abs(max(quotient(mp.mpf(j) / 200) for j in range(1, 401)) - 1.551) < 1e-3


def test_rates_with_a_power_of_the_logarithm() -> None:
    # mu_k = k^(-2s) (log k)^j, q = (d-1)/(2s): so far out that log log k is nothing beside log k
    d, s, j = 4, mp.mpf(2), 2
    q = (d - 1) / (2 * s)
    size = lambda x: -2 * s * x + j * mp.log(x)  # noqa: E731 - log mu_k at x = log k

    def effective_dimension(level: Any) -> Any:
        """sum of N mu/(mu + lambda), as a function of log lambda: an integral over log k around where mu = lambda."""
        edge = mp.findroot(lambda x: size(x) - level, -level / (2 * s))
        terms = (edge + mp.mpf(i) / 4 for i in range(-80, 81))
        return mp.fsum(mp.exp((d - 1) * x) / (1 + mp.exp(level - size(x))) for x in terms)

    def regression(n: Any) -> Any:
        """lambda + N(lambda)/n where the two are level."""
        start = -n / (1 + q)
        return mp.findroot(lambda x: x - mp.log(effective_dimension(x)) + n, (start, start + 20), tol=1e-8)

    # each quotient by what the page says of it is the same at two places: the logarithm doubles in between
    places = (mp.mpf(1000), mp.mpf(2000))
    dimensions = [effective_dimension(-x) / (mp.exp(q * x) * x ** (j * q)) for x in places]
    indices = [mp.exp(size(x) + (d - 1) * x / q) / ((d - 1) * x) ** j for x in places]
    rates = [mp.exp(regression(n) + n / (1 + q)) / n ** (j * q / (1 + q)) for n in places]
    for found in (dimensions, indices, rates):
        assert abs(found[0] / found[1] - 1) < 0.03


@pytest.mark.parametrize(("order", "b"), [(1, lambda n: mp.rf(1, n)), (2, lambda n: mp.rf(1, n // 2))])
def test_an_entire_kernel_of_finite_order(order: int, b: Any) -> None:
    # e^u and e^(u^2), d = 3, by their power series: mu_k k^(k/q) tends to 0 for q above the order, not for q below it
    def eigenvalue_of_series(k: int) -> Any:
        terms = (
            mp.factorial(p)
            / mp.factorial(p - k)
            * mp.gamma(mp.mpf(p - k + 1) / 2)
            / mp.gamma(mp.mpf(p + k + 3) / 2)
            / b(p)
            for p in range(k, k + 400, 2)
        )
        return mp.gamma(1.5) / (mp.sqrt(mp.pi) * mp.mpf(2) ** k) * mp.fsum(terms)

    assert order == 2 or close(eigenvalue_of_series(2), eigenvalue(lambda t: mp.exp(1 - t), 2, 3), 12)
    values = {k: mp.log(eigenvalue_of_series(k)) for k in (200, 400)}
    for q, sign in ((1.3 * order, -1), (0.8 * order, 1)):
        first, second = (values[k] + k * mp.log(k) / q for k in (200, 400))
        assert sign * first > 0 and sign * (second - first) > 0


def test_the_poisson_kernel() -> None:
    # (13a): mu_k = r^k
    r = mp.mpf(1) / 3
    for d in (2, 3, 5):
        found = eigenvalue(lambda t, d=d: (1 - r * r) / ((1 - r) ** 2 + 2 * r * t) ** (mp.mpf(d) / 2), 3, d)
        assert close(found, r**3, 12)


# ------------------------------------------------------------------------------------- spectrum.md: all terms


@pytest.mark.parametrize("d", DIMENSIONS)
def test_the_beta_integral(d: int) -> None:
    # (3) before it is evaluated, and its value (4); whole exponents by (-n)_k
    nu, k, half = mp.mpf(4) / 3, 4, mp.mpf(d - 3) / 2
    factor = mp.gamma(mp.mpf(d) / 2) * mp.rf(-nu, k) / (mp.sqrt(mp.pi) * 2**k * mp.gamma(k + half + 1))
    beta = mp.power(2, nu + k + 2 * half + 1) * mp.beta(nu + half + 1, k + half + 1)
    assert close(factor * beta, power_law(k, d, nu))
    n = 5
    size = mp.power(2, n + d - 2) * mp.gamma(mp.mpf(d) / 2) * mp.gamma(n + half + 1) / mp.sqrt(mp.pi)
    assert close(size * mp.rf(-n, k) / mp.gamma(k + n + d - 1), eigenvalue(lambda t: t**n, k, d), 12)


@pytest.mark.parametrize("d", [2, 3, 4, 9])
def test_polynomials_away_from_the_ends_are_waves(d: int) -> None:
    lam, theta, k = mp.mpf(d - 2) / 2, mp.mpf(1), 400
    factor = 2 ** (1 - lam) * mp.gamma(2 * lam) / mp.gamma(lam) if lam else mp.mpf(1)
    wave = mp.cos((k + lam) * theta - lam * mp.pi / 2)
    assert (
        abs(legendre(k, d, mp.cos(theta)) * (k * mp.sin(theta)) ** lam / factor - wave)
        < 2 * mp.mpf(d) ** 2 / k
    )


@pytest.mark.parametrize("d", [2, 3, 6])
def test_one_power_inside_exactly(d: int) -> None:
    # (12a), and its mirror image
    theta, nu, k = mp.mpf(1), mp.mpf(1) / 2, 4
    lam = mp.mpf(d - 2) / 2
    size, m = k + lam, nu + lam + mp.mpf(1) / 2
    factor = mp.gamma(mp.mpf(d) / 2) * 2**lam * mp.gamma(nu + 1) / mp.pi * mp.sin(theta) ** (nu + lam)
    wave = mp.expj(size * theta - mp.pi / 4 - m * mp.pi / 2)
    wave *= mp.hyp2f1(m + 0.5, 0.5 - m, size + 1, (1 - 1j * mp.cot(theta)) / 2)
    found = factor * mp.gamma(k - nu) / mp.gamma(size + 1) * mp.re(wave)

    def integrand(x: Any) -> Any:  # cos x - cos theta, without cancellation
        root = mp.sqrt(2 * mp.sin((theta + x) / 2) * mp.sin((theta - x) / 2))
        return root * legendre(k, d, mp.cos(x)) * mp.sin(x) ** (d - 2)

    assert close(found, sphere(d) * mp.quad(integrand, [0, theta]), 11)


@pytest.mark.parametrize("d", [2, 3, 5])
def test_one_power_outside_exactly(d: int) -> None:
    # (12b) at z = 5/4, r = 1/2; then a logarithm, and the leading order k^(-nu-d/2) r^k
    r, k, half = mp.mpf(1) / 2, 3, mp.mpf(d) / 2
    z = (r + 1 / r) / 2

    def law(k: int, nu: Any, gamma: Any) -> Any:
        first = (2 * r) ** -nu * r**k * mp.gamma(half) * mp.gamma(k - nu) * gamma / mp.gamma(k + half)
        shape = mp.hyp2f1(nu + half, 1 - nu - half, k + half, -r * r / (1 - r * r))
        return first * (1 - r * r) ** (nu + half - 1) * shape

    for nu in (-mp.mpf(1), mp.mpf(1) / 3):
        assert close(law(k, nu, mp.rgamma(-nu)), eigenvalue(lambda t, nu=nu: (z - 1 + t) ** nu, k, d), 12)
    n = 1
    logarithm = law(k, mp.mpf(n), (-1) ** (n + 1) * mp.factorial(n))
    assert close(logarithm, eigenvalue(lambda t: (z - 1 + t) ** n * mp.log(z - 1 + t), k, d), 12)
    far = [law(k, -mp.mpf(1), mp.mpf(1)) / (r**k * mp.mpf(k) ** (1 - half)) for k in (10**5, 10**6)]
    assert close(far[0], far[1], 3)


def test_a_logarithm_inside_with_equal_sides() -> None:
    # (11b): (u - u0) log|u - u0|, n = 1, j = 1, c_+ = 1, c_- = -1, and nothing with a lower power of the logarithm
    d, theta = 3, 1.0
    b = 1j * np.pi / 2 * (-np.exp(1j * np.pi) - np.exp(-1j * np.pi))
    size = 2**0.5 * mp.gamma(1.5) / mp.pi * mp.gamma(2) * mp.sin(theta) ** 1.5
    for k in (80, 83, 86, 89):
        right = _in_doubles(lambda x: _times_log(np.cos(x) - np.cos(theta)), k, d, 0.0, theta)
        left = (-1) ** k * _in_doubles(
            lambda x: -_times_log(np.cos(x) + np.cos(theta)), k, d, 0.0, np.pi - theta
        )
        psi = (k + 0.5) * theta - np.pi / 4
        assert abs((right + left) * mp.mpf(k) ** 2.5 / size - (np.exp(1j * psi) * b).real) < 10 / k


def _times_log(x: Any) -> Any:
    return x * np.log(x)


def test_an_entire_part_is_bounded_on_ellipses() -> None:
    # (9b) for cos 40u: |cos 40z| on the ellipse is at most cosh(40 sinh h)
    value = _in_doubles(lambda x: np.cos(40 * np.cos(x)), 60, 3, 0.0, np.pi)
    for h in (mp.mpf(1) / 2, mp.mpf(1), mp.mpf(3) / 2):
        assert abs(value) < 2 * mp.cosh(40 * mp.sinh(h)) * mp.exp(-60 * h)
    assert abs(value / mp.mpf("1.784e-8") - 1) < 0.2


# ------------------------------------------------------------------------------------- spectrum.md: definite kernels


def test_what_positive_eigenvalues_exclude() -> None:
    # sum N mu = kappa(1) for e^u; an infinity at -1 is no witness where kappa is not bounded at 1
    d = 4
    multiplicity = lambda k: (2 * k + d - 2) * mp.binomial(k + d - 3, d - 2) / k if k else 1  # noqa: E731
    total = sum(
        multiplicity(k) * _in_doubles(lambda x: np.exp(np.cos(x)), k, d, 0.0, np.pi) for k in range(14)
    )
    assert close(total, mp.e, 9)
    for k in (0, 2, 8):  # (1-u^2)^(-1/4) is sin^(-1/2) in the angle, symmetric about pi/2
        assert 2 * _in_doubles(lambda x: 1 / np.sqrt(np.sin(x)), k, 4, 0.0, np.pi / 2) > 0
    # 1 - P_k(u) <= P_k'(1) (1 - u), P_k'(1) = k(k+d-2)/(d-1)
    for k in (1, 3, 10):
        slope = mp.mpf(k * (k + d - 2)) / (d - 1)
        assert close(slope, mp.diff(lambda v, k=k: legendre(k, d, v), 1), 8)
        assert all(1 - legendre(k, d, 1 - t) <= slope * t + mp.mpf(10) ** -25 for t in mp.linspace(0, 2, 21))


# ------------------------------------------------------------------------------------- theory.md


def test_the_rules_of_series() -> None:
    # (5): a = 3 t^(1/2) (1 + x) with x = t^(1/3) log t, to the power -2/3 by the binomial series of x
    power = -mp.mpf(2) / 3
    for t in (mp.mpf(10) ** -9, mp.mpf(10) ** -12):
        x = mp.cbrt(t) * mp.log(t)
        binomial = sum(mp.binomial(power, n) * x**n for n in range(6))
        found = mp.mpf(3) ** power * t ** (power / 2) * binomial
        assert abs(found / (3 * mp.sqrt(t) * (1 + x)) ** power - 1) < abs(x) ** 6
    # (6): (1+x)^p with x = s + 2 s^2
    p, x = mp.mpf(1) / 3, {1: 1, 2: 2}
    b = [mp.mpf(1)]
    for n in range(1, 8):
        b.append(sum((p * j - (n - j)) * x.get(j, 0) * b[n - j] for j in range(1, n + 1)) / n)
    s = mp.mpf(1) / 100
    assert close(mp.polyval(b[::-1], s), (1 + s + 2 * s * s) ** p, 13)
    # (8)
    e, j, t = mp.mpf(1) / 2, 2, mp.mpf(1) / 7
    total = sum(
        (-1) ** i * mp.factorial(j) / mp.factorial(j - i) * mp.log(t) ** (j - i) / (e + 1) ** (i + 1)
        for i in range(j + 1)
    )
    assert close(t ** (e + 1) * total, mp.quad(lambda v: v**e * mp.log(v) ** j, [0, t]), 12)


def test_derivatives_that_the_rules_use() -> None:
    # Li_s' = Li_(s-1)/z, and z^nu K_nu(z) as a function of x = -z^2 has derivatives >= 0 (conditions.md)
    z, s = mp.mpf("0.4"), mp.mpf("2.5")
    assert close(mp.diff(lambda v: mp.polylog(s, v), z), mp.polylog(s - 1, z) / z, 12)
    matern = lambda x: (-x) ** (s / 2) * mp.besselk(s, mp.sqrt(-x))  # noqa: E731
    assert all(mp.diff(matern, -mp.mpf("0.7"), n) > 0 for n in range(5))


def test_heights_and_cauchy() -> None:
    # (4): 17 - 12 sqrt 2 has the minimal polynomial x^2 - 34 x + 1, of measure 17 + 12 sqrt 2: equality
    small, large = 17 - 12 * mp.sqrt(2), 17 + 12 * mp.sqrt(2)
    height = mp.log(large) / 2
    assert close(mp.log(small), -2 * height, 20)
    # the rules: it is the square of 3 - 2 sqrt 2, and h(3 - 2 sqrt 2) <= h(3) + h(2 sqrt 2) + log 2
    root = mp.log(3 + 2 * mp.sqrt(2)) / 2
    assert close(height, 2 * root)
    assert root <= mp.log(3) + 3 * mp.log(2) / 2 + mp.log(2)
    # (7) for arcsin at its branch point: a(t) = 1 - t, f' = 1/sqrt(1 - a^2)
    t = mp.mpf(1) / 7
    integral = mp.quad(lambda s: -1 / mp.sqrt(s * (2 - s)), [0, t])
    assert close(mp.asin(1 - t), mp.pi / 2 + integral, 12)
    # (9) for z^(5/2) log z in the sector |arg z| < 1
    n, radius = 3, t * mp.sin(1) / 2
    around = [
        abs(z ** mp.mpf("2.5") * mp.log(z))
        for z in (t + radius * mp.expj(j) for j in mp.linspace(0, 6.3, 64))
    ]
    slope = mp.diff(lambda z: z ** mp.mpf("2.5") * mp.log(z), t, n)
    assert abs(slope) <= mp.factorial(n) / radius**n * max(around) and radius < t


# ------------------------------------------------------------------------------------- conditions.md


def test_the_ellipse_through_a_point() -> None:
    # rho = a + sqrt(a^2 - 1), a = (|z-1| + |z+1|)/2, is |z + sqrt(z^2 - 1)|
    for z in (mp.mpc(0.3, 0.7), mp.mpc(1.4, 0), mp.mpc(0, 2), mp.mpc(-1.2, -0.1)):
        a = (abs(z - 1) + abs(z + 1)) / 2
        w = abs(z + mp.sqrt(z * z - 1))
        assert close(a + mp.sqrt(a * a - 1), max(w, 1 / w), 20)


def test_the_files_that_a_proof_trusts_are_named() -> None:
    """Whatever a reason of a cover or a witness imports in regularity/ is on the page, and every name there exists."""
    page = (ROOT / "docs" / "conditions.md").read_text()
    text = page[page.index("## What a proof trusts") :]
    room = ROOT / "asymptok" / "regularity"
    reached: set[str] = set()
    waiting = ["cover", "identities", "parametric"]
    while waiting:
        name = waiting.pop()
        if name in reached:
            continue
        reached.add(name)
        tree = ast.parse((room / f"{name}.py").read_text())
        modules = [n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.module]
        waiting += [m.split(".")[-1] for m in modules if m.startswith("asymptok.regularity.")]
    assert all(f"`{name}.py`" in text for name in reached), sorted(
        n for n in reached if f"`{n}.py`" not in text
    )
    named = {
        word.strip("`") for word in text.replace(",", " ").replace(";", " ").split() if word.startswith("`")
    }
    for name in (n.rstrip(".`)(") for n in named if n.rstrip("`.,").endswith((".py", "/"))):
        assert (room / name).exists() or (ROOT / "asymptok" / name).exists(), name
