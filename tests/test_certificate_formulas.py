"""The formulas of docs/certificates.md, each against mpmath; test_docs_formulas has those of (2) and (3).

Written from the page, not from the code: nothing here calls the package.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import mpmath as mp
import pytest
from test_docs_formulas import close, eigenvalue, legendre, sphere


@pytest.fixture(autouse=True)
def _digits() -> Iterator[None]:
    with mp.workdps(15):
        yield


def amplitude(k: int, d: int) -> Any:
    return 2 * mp.gamma(mp.mpf(d) / 2) * mp.factorial(k) / mp.gamma(k + mp.mpf(d) / 2)


def second_kind(k: int, d: int, z: Any, zeta: Any = None) -> Any:
    """q_k(z) by its hypergeometric series; |zeta| > 1."""
    zeta = z + mp.sqrt(z - 1) * mp.sqrt(z + 1) if zeta is None else zeta
    shape = mp.hyp2f1(2 - mp.mpf(d) / 2, k + 1, k + mp.mpf(d) / 2, zeta**-2)
    return amplitude(k, d) * zeta ** (-k - 1) * shape


def series_bound(d: int, h: Any) -> Any:
    """S = sum_j |(1-lambda)_j| e^(-2jh)/j!"""
    return sum(abs(mp.rf(2 - mp.mpf(d) / 2, j)) / mp.factorial(j) * mp.exp(-2 * j * h) for j in range(60))


def moment(nu: Any, k: int, d: int) -> Any:
    """T(nu, k)."""
    top = mp.power(2, nu + d - 2) * mp.gamma(mp.mpf(d) / 2) * mp.gamma(nu + mp.mpf(d - 1) / 2)
    ratio = mp.gamma(nu + 1) / mp.pi**1.5 * mp.gamma(k - nu) / mp.gamma(k + nu + d - 1)
    return top * ratio


@pytest.mark.parametrize("d", [2, 3, 5])
def test_functions_of_the_second_kind(d: int) -> None:
    k, h = 3, mp.mpf(1) / 2
    for z in (mp.cos(mp.mpc(1, h)), mp.cos(mp.mpc("2.5", -h)), mp.mpf(2)):
        defined = sphere(d) * mp.quad(
            lambda x, z=z: legendre(k, d, mp.cos(x)) * mp.sin(x) ** (d - 2) / (z - mp.cos(x)), [0, 1, mp.pi]
        )
        assert close(second_kind(k, d, z), defined, 9)
        assert close(second_kind(k, d, -z), (-1) ** (k + 1) * defined, 9)
        assert z == 2 or abs(defined) <= series_bound(d, h) * amplitude(k, d) * mp.exp(-(k + 1) * h)
    # the jump across the interval: q_k(u - i0) - q_k(u + i0) = 2 pi i c_d P_k w
    theta = mp.mpf("0.8")
    below, above = (second_kind(k, d, None, mp.expj(sign * theta)) for sign in (-1, 1))
    density = sphere(d) * legendre(k, d, mp.cos(theta)) * mp.sin(theta) ** (d - 3)
    assert close(below - above, 2j * mp.pi * density, 9)


def half_line(f: Any) -> Any:
    """int_0^oo f(x) dx, roots at 0 removed by x = y^2."""
    return mp.quad(lambda y: 2 * y * f(y * y), [mp.mpf(10) ** -10, 0.5, 1, 3, mp.inf])


@pytest.mark.parametrize("d", [2, 3, 5])
def test_moments_of_the_second_kind(d: int) -> None:
    # T(nu, k), and T_b at b = 5/4, r = 1/2
    k, r, half, nu = 3, mp.mpf(1) / 2, mp.mpf(d) / 2, mp.mpf(1) / 2
    for e in (nu, -nu / 2)[: d - 1]:
        found = half_line(lambda x, e=e: x**e * second_kind(k, d, 1 + x))
        assert close(found / mp.pi, moment(e, k, d), 6)
    found = half_line(lambda x: x**nu * second_kind(k, d, mp.mpf(5) / 4 + x))
    frame = (2 * r) ** -nu * (1 - r * r) ** (nu + half - 1) * r**k * mp.gamma(half) * mp.gamma(1 + nu) / mp.pi
    shape = mp.hyp2f1(nu + half, 1 - nu - half, k + half, -r * r / (1 - r * r))
    assert close(found / mp.pi, frame * mp.gamma(k - nu) / mp.gamma(k + half) * shape, 6)
    # -sin(pi nu) Gamma(nu+1) = pi/Gamma(-nu), also where it is a limit
    e = mp.mpf(-3) + mp.mpf(10) ** -9
    assert close(-mp.sin(mp.pi * nu) * mp.gamma(nu + 1), mp.pi * mp.rgamma(-nu), 12)
    assert close(-mp.sin(mp.pi * e) * mp.gamma(e + 1), mp.pi / mp.gamma(3), 5)


@pytest.mark.parametrize("d", [2, 3, 4])
def test_the_contour_is_an_identity(d: int) -> None:
    """(1) before absolute values: exp(-sqrt(1-u)) without its term -t^(1/2), on the slit and on the curve h = 1."""
    k, h = 4, mp.mpf(1)
    value = eigenvalue(lambda t: mp.exp(-mp.sqrt(t)), k, d)

    def on_slit(y: Any) -> Any:  # above it t = x e^(-i pi), x = y^2
        return mp.im(mp.expj(y) - 1j * y) * second_kind(k, d, 1 + y * y) * 2 * y

    def on_curve(x: Any) -> Any:  # 1 - u = 2 sin(theta/2)^2, and zeta = e^(-i theta)
        theta = mp.mpc(x, h)
        root = mp.sqrt(2) * mp.sin(theta / 2)
        return (mp.exp(-root) + root) * mp.sin(theta) * second_kind(k, d, None, mp.expj(-theta))

    slit = mp.quad(on_slit, [mp.mpf(10) ** -10, 0.3, mp.sqrt(mp.cosh(h) - 1)])
    curve = mp.im(mp.quad(on_curve, [0, 1, 2, mp.pi]))
    assert close(value - moment(mp.mpf(1) / 2, k, d), (slit + curve) / mp.pi, 9)


def test_one_degree_speaks_for_all_later_ones() -> None:
    for d, nu in ((2, mp.mpf(1) / 2), (3, mp.mpf(3) / 2), (7, mp.mpf(5) / 4)):
        # F(k) from k* on, and N^s Gamma(k-nu)/Gamma(k+nu+d-1) with s = 2 nu + d - 1, N = k + (d-2)/2, always
        start = 1 if d == 2 else int(nu * (nu + d - 1) / (d - 2)) + 1
        ratios = [mp.gamma(k - nu) / mp.gamma(k + nu + d - 1) for k in range(start + 2, start + 40)]
        for shift in (mp.mpf(0), mp.mpf(d - 2) / 2):
            f = [(k + shift) ** (2 * nu + d - 1) * x for k, x in enumerate(ratios, start + 2)]
            steps = {y > x for x, y in pairwise(f)}
            assert len(steps) == 1 and abs(f[-1] - 1) < abs(f[0] - 1)
        s, middle = 2 * nu + d - 1, mp.mpf(9) / 2
        slope = s / middle - mp.psi(0, middle + (1 + s) / 2) + mp.psi(0, middle + (1 - s) / 2)
        weigh = lambda x, s=s: (s - mp.sinh(s * x / 2) / mp.sinh(x / 2)) * mp.exp(-4.5 * x)  # noqa: E731
        integral = mp.quad(weigh, [0, 5, 20, 80])
        assert close(slope, integral, 9)
        # |log x|^m <= (m/(ea))^m (x^-a + x^a)
        for x in (mp.mpf(10) ** -9, mp.mpf("0.4"), mp.mpf(50)):
            assert abs(mp.log(x)) ** 3 <= (3 / (mp.e / 4)) ** 3 * (x**-0.25 + x**0.25)
    # log gamma_(nu+e)(k)/gamma_nu(k) = -x e + sum g_i e^i
    d, nu, k, e = 3, mp.mpf(1) / 2, 6, mp.mpf(1) / 50
    a, b = k - nu, k + nu + d - 1
    total = -(mp.psi(0, a) + mp.psi(0, b)) * e
    total += sum((mp.zeta(i, a) - (-1) ** i * mp.zeta(i, b)) / i * e**i for i in range(2, 14))
    assert close(total, mp.loggamma(a - e) - mp.loggamma(b + e) - mp.loggamma(a) + mp.loggamma(b), 11)


def test_coefficients_from_points_on_a_circle() -> None:
    # trapezoidal rule with P points on half the radius: the error is at most 2 M r^-j 2^-P
    radius, points = mp.mpf(2), 12
    at = [mp.expjpi(mp.mpf(2 * n) / points) for n in range(points)]
    for j in range(6):
        mean = sum(mp.exp(radius / 2 * w) * w**-j for w in at) / points / (radius / 2) ** j
        assert abs(mean - 1 / mp.factorial(j)) <= 2 * mp.exp(radius) * radius**-j * mp.mpf(2) ** -points


@pytest.mark.parametrize("d", [2, 3, 5])
def test_what_a_kink_leaves_behind(d: int) -> None:
    """(4) for (u-u0)_+^(1/2) (e^u - P) with the first two terms P, H = 1: true, and not silly."""
    theta, height, nu, k = mp.mpf(1), mp.mpf(1), mp.mpf(1) / 2, 8
    u0, lam, beta = mp.cos(theta), mp.mpf(d - 2) / 2, nu + 2
    rest = lambda u: mp.exp(u) - mp.exp(u0) * (1 + u - u0)  # noqa: E731
    quotient = lambda t: abs(rest(mp.cos(t)) / (mp.cos(t) - u0) ** 2)  # noqa: E731
    value = sphere(d) * mp.quad(
        lambda x: (mp.cos(x) - u0) ** nu * rest(mp.cos(x)) * legendre(k, d, mp.cos(x)) * mp.sin(x) ** (d - 2),
        [0, theta],
    )
    edges = [mp.mpc(x, height) for x in mp.linspace(0, theta, 9)]
    edges += [mp.mpc(theta, y) for y in mp.linspace(0.1, height, 9)]
    largest = max(map(quotient, edges))
    stretch = 2 / height * mp.sinh(height / 2) * mp.sqrt(mp.sin(theta) ** 2 + mp.sinh(height / 2) ** 2)
    for y in mp.linspace(0.01, height, 7):
        assert abs(mp.cos(mp.mpc(theta, y)) - u0) <= stretch * y * (1 + mp.eps * 9)
    distance = mp.sin(2 * theta) if mp.cos(2 * theta) > 0 else mp.mpf(1)
    bound = 2 ** (lam - 1) if d >= 4 else distance ** (lam - 1)
    for y in (mp.mpf(10) ** -3, height / 2, height):
        zeta = mp.exp(mp.mpc(y, -theta))
        assert abs(second_kind(k, d, None, zeta)) <= amplitude(k, d) * bound * mp.exp(-(k + 1) * y)
    first = largest / mp.pi * amplitude(k, d) * bound * stretch**beta
    first *= mp.sqrt(mp.sin(theta) ** 2 + mp.sinh(height) ** 2) * mp.gamma(beta + 1) / (k + 1) ** (beta + 1)

    def on_curve(x: Any) -> Any:
        t = mp.mpc(x, height)
        return abs((mp.cos(t) - u0) ** nu * rest(mp.cos(t)) * mp.sin(t))

    arc = mp.quad(on_curve, [0, theta]) / mp.pi
    second = arc * series_bound(d, height) * amplitude(k, d) * mp.exp(-(k + 1) * height)
    assert abs(value) <= first + second <= 300 * abs(value)


@pytest.mark.parametrize("d", [2, 3, 5])
def test_what_a_complex_branch_point_leaves_behind(d: int) -> None:
    """sqrt(z-u) e^u and its conjugate without their first two terms, cut along zeta = s/r: the bound of the arcs."""
    z, q, k, height = mp.mpc("0.3", 1), mp.mpf(1) / 2, 9, mp.mpf("1.6")
    inverse = z + mp.sqrt(z - 1) * mp.sqrt(z + 1)
    start, turn, lam_bound = mp.log(abs(inverse)), mp.arg(inverse), series_bound(d, mp.log(abs(inverse)))
    at = lambda y: mp.cosh(mp.mpc(y, turn))  # noqa: E731
    left = lambda u: abs(mp.exp(u) - mp.exp(z) * (1 + u - z))  # noqa: E731
    for y in mp.linspace(start + 0.01, height, 7):
        assert abs(z - at(y)) <= (y - start) * mp.cosh(height)
        here = abs(second_kind(k, d, None, mp.exp(mp.mpc(y, turn))))
        assert here <= lam_bound * amplitude(k, d) * mp.exp(-(k + 1) * y)

    def jump(y: Any) -> Any:
        q_k = second_kind(k, d, None, mp.exp(mp.mpc(y, turn)))
        return 2 * abs(z - at(y)) ** q * left(at(y)) * abs(q_k * mp.sinh(mp.mpc(y, turn)))

    integral = mp.quad(jump, [start, height]) / (2 * mp.pi)
    largest = max(left(at(y)) / abs(z - at(y)) ** 2 for y in mp.linspace(start + 0.01, height, 30))
    beta = q + 2
    bound = largest / mp.pi * lam_bound * amplitude(k, d) * mp.cosh(height) ** (beta + 1)
    assert integral <= bound * mp.gamma(beta + 1) / (k + 1) ** (beta + 1) * mp.exp(-(k + 1) * start)
