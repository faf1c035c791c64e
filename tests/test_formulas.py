"""Every numbered formula of docs/spectrum.md and docs/theory.md against mpmath, not against the package."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import mpmath as mp
import numpy as np
import pytest

CASES = [(0, 3), (1, 2), (2, 3), (4, 5), (5, 2), (7, 8)]


@pytest.fixture(autouse=True)
def _digits() -> Any:
    with mp.workdps(30):
        yield


def close(a: Any, b: Any, digits: int = 20) -> bool:
    return bool(abs(a - b) <= mp.mpf(10) ** -digits * max(1, abs(b)))


def zonal(k: int, d: int, x: Any) -> Any:
    before, here = mp.mpf(1), mp.mpf(x)
    if k == 0:
        return before
    for j in range(1, k):
        before, here = here, ((2 * j + d - 2) * x * here - j * before) / (j + d - 2)
    return here


def front(d: int) -> Any:
    return mp.gamma(mp.mpf(d) / 2) / (mp.sqrt(mp.pi) * mp.gamma(mp.mpf(d - 1) / 2))


def eigenvalue(kappa: Any, k: int, d: int, cuts: Any = (0, mp.pi)) -> Any:
    """Eq. (1) with u = cos(theta)."""
    return front(d) * mp.quad(
        lambda x: kappa(mp.cos(x)) * zonal(k, d, mp.cos(x)) * mp.sin(x) ** (d - 2), list(cuts)
    )


def big_c(d: int, nu: Any) -> Any:
    return (
        mp.mpf(2) ** (nu + d - 2) * mp.gamma(mp.mpf(d) / 2) * mp.gamma(nu + mp.mpf(d - 1) / 2)
        * mp.rgamma(-nu) / mp.sqrt(mp.pi)
    )  # fmt: skip


def power(nu: Any, k: int, d: int) -> Any:
    """Eq. (4)."""
    return big_c(d, nu) * mp.gamma(k - nu) / mp.gamma(k + nu + d - 1)


# docs/spectrum.md --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("k", "d"), CASES)
def test_rodrigues(k: int, d: int) -> None:
    """(2), at a point."""
    half, x = mp.mpf(d - 1) / 2, mp.mpf(3) / 10
    side = mp.diff(lambda u: (1 - u**2) ** (k + half - 1), x, k)
    right = (-1) ** k * mp.gamma(half) / (2**k * mp.gamma(k + half)) * side
    assert close(zonal(k, d, x) * (1 - x**2) ** (half - 1), right, 12)


@pytest.mark.parametrize(("k", "d"), CASES)
@pytest.mark.parametrize("nu", ["0.5", "2.25", "-0.25"])
def test_one_power(k: int, d: int, nu: str) -> None:
    """(3) and (4), for nu > -(d-1)/2 also where it is negative."""
    e, half = mp.mpf(nu), mp.mpf(d - 1) / 2
    beta = mp.mpf(2) ** (e + k + d - 2) * mp.beta(e + half, k + half)
    third = mp.gamma(mp.mpf(d) / 2) * mp.rf(-e, k) / (mp.sqrt(mp.pi) * 2**k * mp.gamma(k + half)) * beta
    assert close(third, power(e, k, d))
    direct = eigenvalue(lambda u: (1 - u) ** e if u < 1 else mp.mpf(0), k, d, (0, mp.mpf(1) / 100, 1, mp.pi))
    assert close(direct, power(e, k, d), 6 if e < 0 else 12)


def test_the_operator() -> None:
    """(5a) and (5b): L P_k = k (k+d-2) P_k, and the boundary terms of the symmetry."""
    x = mp.mpf(2) / 7
    for k, d in CASES:
        first = mp.diff(lambda u, k=k, d=d: zonal(k, d, u), x)
        second = mp.diff(lambda u, k=k, d=d: zonal(k, d, u), x, 2)
        assert close(-(1 - x**2) * second + (d - 1) * x * first, k * (k + d - 2) * zonal(k, d, x), 10)
    # on (-1/2, 1/2), f = exp(u), g = u^2, d = 5
    d, low, high = 5, mp.mpf(-1) / 2, mp.mpf(1) / 2

    def lf(u: Any) -> Any:
        return (-(1 - u**2) + (d - 1) * u) * mp.exp(u)

    def lg(u: Any) -> Any:
        return -2 * (1 - u**2) + 2 * (d - 1) * u**2

    def bracket(u: Any) -> Any:
        return (1 - u**2) ** (mp.mpf(d - 1) / 2) * (mp.exp(u) * 2 * u - mp.exp(u) * u**2)

    left = mp.quad(
        lambda u: (lf(u) * u**2 - mp.exp(u) * lg(u)) * (1 - u**2) ** (mp.mpf(d - 3) / 2), [low, high]
    )
    assert close(left, bracket(high) - bracket(low))
    # in t = 1 - u the same operator on t^e: -t(2-t) e(e-1) t^(e-2) - (d-1)(1-t) e t^(e-1)
    e, t = mp.mpf(5) / 3, mp.mpf(1) / 3
    f = [mp.diff(lambda u: (1 - u) ** e, 1 - t, n) for n in (1, 2)]
    other = -t * (2 - t) * e * (e - 1) * t ** (e - 2) - (d - 1) * (1 - t) * e * t ** (e - 1)
    assert close(-(1 - (1 - t) ** 2) * f[1] + (d - 1) * (1 - t) * f[0], other, 10)


@pytest.mark.parametrize("d", [2, 3, 6])
def test_a_remainder_decays_as_theorem_two_says(d: int) -> None:
    """R = (1-u)^r, known exactly: k^(2m) mu_k is bounded for m < r + (d-1)/2, and 2m >= 2r + d - 3 is possible."""
    r = mp.mpf(7) / 4
    m = int(mp.ceil(r + mp.mpf(d - 1) / 2)) - 1
    assert 2 * m >= 2 * r + d - 3
    sizes = [abs(power(r, k, d)) * mp.mpf(k) ** (2 * m) for k in (10**2, 10**3, 10**4)]
    assert sizes[0] >= sizes[1] >= sizes[2]


@pytest.mark.parametrize(("nu", "j"), [("0.5", 1), ("0.5", 2), ("2.25", 3)])
def test_logarithms(nu: str, j: int) -> None:
    """(6): derivatives of the logarithm of (4), and the Bell polynomials."""
    k, d, e = 9, 4, mp.mpf(nu)

    def cumulant(m: int) -> Any:
        return (
            (mp.log(2) if m == 1 else 0) + mp.psi(m - 1, e + mp.mpf(d - 1) / 2) + (-1) ** (m - 1) * mp.psi(m - 1, -e)
            + (-1) ** m * mp.psi(m - 1, k - e) - mp.psi(m - 1, k + e + d - 1)
        )  # fmt: skip

    one, two, three = (cumulant(m) for m in (1, 2, 3))
    bell = {1: one, 2: one**2 + two, 3: one**3 + 3 * one * two + three}[j]
    with mp.workdps(60):
        wanted = mp.diff(lambda x: power(x, k, d), e, j)
    assert close(power(e, k, d) * bell, wanted, 12)


@pytest.mark.parametrize(("n", "j"), [(0, 1), (1, 1), (2, 2), (1, 3)])
def test_logarithms_at_whole_exponents(n: int, j: int) -> None:
    """(7) and (8)."""
    k, d = 8, 3

    def front_at(nu: Any) -> Any:
        return (
            mp.mpf(2) ** (nu + d - 2)
            * mp.gamma(mp.mpf(d) / 2)
            * mp.gamma(nu + mp.mpf(d - 1) / 2)
            / mp.sqrt(mp.pi)
        )

    def cumulant(m: int, k: int) -> Any:
        return (
            (mp.log(2) if m == 1 else 0) + mp.psi(m - 1, n + mp.mpf(d - 1) / 2) + mp.psi(m - 1, 1 + n)
            + (-1) ** m * mp.psi(m - 1, k - n) - mp.psi(m - 1, k + n + d - 1)
        )  # fmt: skip

    def law(k: int) -> Any:
        one, two = cumulant(1, k), cumulant(2, k)
        bell = [mp.mpf(1), one, one**2 + two]
        total = sum(
            mp.binomial(j, i) * (-1) ** ((i - 1) // 2) * mp.pi ** (i - 1) * bell[j - i]
            for i in range(1, j + 1, 2)
        )
        return (
            (-1) ** (n + 1)
            * mp.factorial(n)
            * front_at(n)
            * mp.gamma(k - n)
            / mp.gamma(k + n + d - 1)
            * total
        )

    with mp.workdps(80):
        wanted = mp.diff(lambda x: power(x, k, d), mp.mpf(n) + mp.mpf(10) ** -40, j)
    assert close(law(k), wanted, 10)
    # (8): the leading power of log k; its first correction is of relative size 1/log k
    far = 10**30
    leading = j * (-1) ** (n + 1) * mp.factorial(n) * front_at(n) * (-2 * mp.log(far)) ** (j - 1)
    leading *= mp.mpf(far) ** (-d - 2 * n + 1)
    assert abs(law(far) / leading - 1) < mp.mpf(4) * (j - 1) / mp.log(far) + mp.mpf(10) ** -20
    # (5c): the derivative of C(d, nu) at a whole nu
    assert close(mp.diff(lambda x: big_c(d, x), n), (-1) ** (n + 1) * mp.factorial(n) * front_at(n), 12)


def test_sizes_and_the_pole() -> None:
    """(9): T is (4) without sin(pi nu), and the smallest size of a pole at 1 + a is its geometric rate."""
    k, d, nu, a = 20, 5, mp.mpf("1.3"), mp.mpf("0.25")
    size = (
        mp.mpf(2) ** (nu + d - 2) * mp.gamma(mp.mpf(d) / 2) * mp.gamma(nu + mp.mpf(d - 1) / 2) * mp.gamma(1 + nu)
        / mp.pi ** mp.mpf(1.5) * mp.gamma(k - nu) / mp.gamma(k + nu + d - 1)
    )  # fmt: skip
    assert close(abs(power(nu, k, d)), size * abs(mp.sin(mp.pi * nu)))
    x = mp.sqrt(a / (a + 2))

    def exponent(x: Any) -> Any:
        return x * mp.log(2 / a) + 2 * x * mp.log(x) + (1 - x) * mp.log(1 - x) - (1 + x) * mp.log(1 + x)

    rho = 1 + a + mp.sqrt(a**2 + 2 * a)
    assert close(mp.diff(exponent, x), 0, 12) and close(exponent(x), -mp.log(rho))
    assert close(mp.log((1 - x) / (1 + x)), -mp.log(rho))


@pytest.mark.parametrize("angle", ["0", "0.8", "1.5", "2.2"])
def test_points_off_the_axis(angle: str) -> None:
    """(9a)."""
    delta = mp.mpf(10) ** -8
    z = 1 + delta * mp.expj(mp.mpf(angle))
    half_sum = (abs(z - 1) + abs(z + 1)) / 2
    rate = mp.log(half_sum + mp.sqrt(half_sum**2 - 1))
    assert abs(rate / mp.sqrt(delta * (1 + mp.cos(mp.mpf(angle)))) - 1) < 10 * delta


def doubles(kappa: Any, k: int, d: int, theta0: float) -> float:
    """mu_k in doubles, theta = theta_0 -+ s^2 on either side of a singular point (smooth there for whole 2 nu)."""
    x, weights = np.polynomial.legendre.leggauss(24)
    total = 0.0
    for side, length in ((-1.0, theta0), (1.0, np.pi - theta0)):
        edges = np.linspace(0, np.sqrt(length), k // 4 + 8)
        for low, high in pairwise(edges):
            s = (low + high) / 2 + x * (high - low) / 2
            theta = theta0 + side * s**2
            c = np.cos(theta)
            before, here = np.ones_like(c), c
            for j in range(1, k):
                before, here = here, ((2 * j + d - 2) * c * here - j * before) / (j + d - 2)
            value = kappa(theta, side) * here * np.sin(theta) ** (d - 2) * 2 * s
            total += float(weights @ value) * (high - low) / 2
    return total * float(front(d))


@pytest.mark.parametrize(
    ("nu", "d", "place"), [(1, 2, 0.3), (1, 3, 0.3), (0.5, 4, -0.2), (0, 3, 0.6), (1.5, 5, 0.1)]
)
def test_waves(nu: float, d: int, place: float) -> None:
    """(11a), with unequal coefficients on the two sides."""
    right, left, theta = 2.0, -1.0, float(np.arccos(place))

    def kappa(x: Any, side: float) -> Any:
        return (left if side > 0 else right) * np.abs(np.cos(x) - place) ** nu

    errors = []
    for k in (60, 480):
        value = doubles(kappa, k, d, theta)
        scale = 2 ** (d / 2 - 1) * float(mp.gamma(mp.mpf(d) / 2) / mp.pi * mp.gamma(nu + 1))
        scale *= np.sin(theta) ** (nu + (d - 2) / 2)
        phase = np.exp(1j * np.pi * (nu + 1) / 2)
        wave = np.exp(1j * ((k + (d - 2) / 2) * theta - (d - 2) * np.pi / 4))
        predicted = scale * (wave * (left * phase + right / phase)).real
        errors.append(abs(value * k ** (d / 2 + nu) - predicted) / (3 * scale))
    # O(1/k): an eighth, but for the phase of the correction
    assert errors[0] < 0.3 and errors[1] < 0.012


def test_flat_ends() -> None:
    """(13): log|mu_k| of exp(-1/t), d = 3, against the saddle point; a factor k^const is left."""

    def kappa(x: Any, side: float) -> Any:
        return np.exp(-1 / (1 - np.cos(x)))

    values, sizes = [], []
    for k in (18, 90):
        # the largest of three neighbours: the saddle points are a pair, and their sum oscillates
        values.append(max(np.log(abs(doubles(kappa, j, 3, np.pi / 2))) for j in (k - 2, k, k + 2)))
        theta = (2 * 2 / k) ** (1 / 3)
        sizes.append(-k * theta * 1.5 * np.sin(np.pi / 6))
    assert sizes[0] - sizes[1] > 14
    assert abs((values[1] - values[0]) - (sizes[1] - sizes[0])) < 2 * np.log(5)


@pytest.mark.parametrize("d", [2, 3, 5])
def test_poisson(d: int) -> None:
    """The kernel of (13a) has mu_k = r^k, and 1 - P_k(u) <= P_k'(1)(1-u)."""
    r = mp.mpf(2) / 5
    for k in (0, 1, 4):
        assert close(
            eigenvalue(lambda u: (1 - r**2) / (1 - 2 * r * u + r**2) ** (mp.mpf(d) / 2), k, d), r**k, 15
        )
    for k in (1, 2, 5, 8):
        slope = mp.mpf(k) * (k + d - 2) / (d - 1)
        for j in range(-10, 10):
            x = mp.mpf(j) / 10
            assert 1 - zonal(k, d, x) <= slope * (1 - x) + mp.mpf(10) ** -25


def test_sorted_eigenvalues() -> None:
    """(14) by counting: a k^(-2s) for even and b k^(-2s) for odd k, d = 4."""
    d, s, a, b = 4, 3.0, 2.0, 0.3
    values = []
    for k in range(1, 400):
        count = (2 * k + d - 2) * int(mp.binomial(k + d - 3, d - 2)) // k
        values.append(((a if k % 2 == 0 else b) * k ** (-2 * s), count))
    values.sort(reverse=True)
    q, place = (d - 1) / (2 * s), 0
    for value, count in values:
        place += count
        if place > 10**6:
            predicted = ((a**q + b**q) / (float(mp.factorial(d - 1)) * place)) ** (1 / q)
            assert abs(value / predicted - 1) < 0.1
            break


def test_arc_cosine_reflection() -> None:
    """(11) for n = 2: A_2 = 1 + 2 x^2."""

    def kappa(x: Any) -> Any:
        theta = mp.acos(x)
        return ((1 + 2 * x**2) * (mp.pi - theta) + 3 * x * mp.sin(theta)) / (3 * mp.pi)

    x = mp.mpf("0.37")
    assert close(kappa(-x), (1 + 2 * x**2) / 3 - kappa(x))
    assert close(kappa(mp.mpf(1)), 1)


# docs/theory.md ----------------------------------------------------------------------------------------------


def test_powers_of_series() -> None:
    """(6): n b_n = sum (pk - (n-k)) x_k b_(n-k)."""
    p, x = mp.mpf(-2) / 3, [mp.mpf(0), mp.mpf(1) / 2, mp.mpf(-3), mp.mpf(1) / 7]
    b = [mp.mpf(1)]
    for n in range(1, 6):
        b.append(sum((p * k - (n - k)) * x[k] * b[n - k] for k in range(1, min(n, 3) + 1)) / n)
    exact = mp.taylor(lambda s: (1 + sum(c * s**k for k, c in enumerate(x))) ** p, 0, 5)
    assert all(close(u, v, 12) for u, v in zip(b, exact, strict=True))


def test_integrals_of_terms() -> None:
    """(8)."""
    e, j, t = mp.mpf(1) / 3, 3, mp.mpf(1) / 5
    closed = t ** (e + 1) * sum(
        (-1) ** i * mp.factorial(j) / mp.factorial(j - i) * mp.log(t) ** (j - i) / (e + 1) ** (i + 1)
        for i in range(j + 1)
    )
    assert close(mp.quad(lambda s: s**e * mp.log(s) ** j, [0, t / 1000, t]), closed, 8)


def test_primitives() -> None:
    """(7) at a branch point: acos(1-t) = int_0^t ds/sqrt(s(2-s)), and the derivative of kappa_n."""
    t = mp.mpf(1) / 4
    assert close(mp.quad(lambda s: 1 / mp.sqrt(s * (2 - s)), [0, t]), mp.acos(1 - t), 12)

    def kappa2(x: Any) -> Any:
        return ((1 + 2 * x**2) * (mp.pi - mp.acos(x)) + 3 * x * mp.sqrt(1 - x**2)) / (3 * mp.pi)

    def kappa1(x: Any) -> Any:
        return (x * (mp.pi - mp.acos(x)) + mp.sqrt(1 - x**2)) / mp.pi

    x = mp.mpf("0.2")
    assert close(mp.diff(kappa2, x), mp.mpf(4) / 3 * kappa1(x), 10)
    assert close(mp.diff(lambda z: mp.polylog(3, z), x), mp.polylog(2, x) / x, 10)


def test_heights() -> None:
    """(4): log|alpha| >= -D h(alpha) for alpha = sqrt(2) + sqrt(3) - 22/7, through its conjugates."""
    alpha = mp.sqrt(2) + mp.sqrt(3) - mp.mpf(22) / 7
    conjugates = [s * mp.sqrt(2) + t * mp.sqrt(3) - mp.mpf(22) / 7 for s in (1, -1) for t in (1, -1)]
    # the product of the conjugates is a rational number with denominator dividing 7^4
    assert abs(mp.fprod(conjugates)) * 7**4 >= 1 - mp.mpf(10) ** -20
    # h(a + b) <= h(a) + h(b) + log 2, h(sqrt(n)) = log(n)/2, h(22/7) = log 22
    height = mp.log(2) / 2 + mp.log(3) / 2 + mp.log(22) + 2 * mp.log(2)
    assert mp.log(abs(alpha)) >= -4 * height


def test_cauchy() -> None:
    """(9): the n-th derivative of R(z) = z^r log(z) on discs of radius t sin(theta)/2."""
    r, theta, n = mp.mpf(5) / 2, mp.mpf("0.7"), 3
    for t in (mp.mpf(1) / 10, mp.mpf(1) / 1000):
        radius = t * mp.sin(theta) / 2
        circle = max(
            abs((t + radius * mp.expj(x)) ** r * mp.log(t + radius * mp.expj(x)))
            for x in mp.linspace(0, 2 * mp.pi, 60)
        )
        derivative = abs(mp.diff(lambda z: z**r * mp.log(z), t, n))
        assert derivative <= mp.factorial(n) / radius**n * circle * mp.mpf("1.01")
