"""Kernels of piecewise polynomial activations: eigenvalues and certificates, held against Price's theorem.

kappa^(n) = E[phi^(n)(X) phi^(n)(Y)] is elementary as soon as phi^(n) consists of point masses, and
mu_k(kappa; d) = mu_(k-n)(kappa^(n); d+2n)/(d (d+2) ... (d+2n-2)): none of it is how the package computes.
"""

from dataclasses import replace
from fractions import Fraction

import mpmath
import pytest

from asymptok import certify, dual, eigenvalues, kernels

#: activation, n, its point masses: E[...] = sum over pairs of J_a J_b p_2(a, b)
CASES = {
    "hard_tanh": (2, {-1: 1, 1: -1}),
    "relu6": (2, {0: 1, 6: -1}),
    "Heaviside(x - 1/2)": (1, {Fraction(1, 2): 1}),
    "Max(x - 1, 0)**2": (3, {1: 2}),
    "Min(Max(x, -2), 1/3)": (2, {-2: 1, Fraction(1, 3): -1}),
}


def by_price(name: str, d: int, k: int) -> mpmath.mpf:
    n, masses = CASES[name]
    points = [(mpmath.mpf(a.numerator) / a.denominator, j) for a, j in masses.items()]

    m = d + 2 * n

    def integrand(theta: mpmath.mpf) -> mpmath.mpf:
        """The derivative of order n times P_(k-n) sin^(m-2), m = d + 2n."""
        above, below = 2 * mpmath.cos(theta / 2) ** 2, 2 * mpmath.sin(theta / 2) ** 2
        total, c = mpmath.mpf(0), mpmath.cos(theta)
        for a, i in points:
            for b, j in points:
                total += i * j * mpmath.exp(-((a + b) ** 2 / above + (a - b) ** 2 / below) / 4)
        before, value = mpmath.mpf(0), mpmath.mpf(1)
        for i in range(k - n):
            before, value = value, ((2 * i + m - 2) * c * value - i * before) / (i + m - 2)
        return total * value * mpmath.sin(theta) ** (m - 3) / (2 * mpmath.pi)

    factor = mpmath.gamma(mpmath.mpf(m) / 2) / (mpmath.sqrt(mpmath.pi) * mpmath.gamma(mpmath.mpf(m - 1) / 2))
    cuts = mpmath.linspace(0, mpmath.pi, 7)
    value = factor * mpmath.quad(integrand, cuts, method="gauss-legendre", maxdegree=4)
    for i in range(n):
        value /= d + 2 * i
    return value


@pytest.mark.parametrize("name", CASES)
def test_eigenvalues_against_price(name: str) -> None:
    for d, k in ((2, 5), (3, 4), (6, 3)):
        found = eigenvalues(dual(name), d, ks=[k], dps=18)
        assert found.rigorous
        if found[k] == 0:  # a parity that is not there
            continue
        with mpmath.workdps(16):
            # what the rule of mpmath reaches beside exp(-1/(16 t))
            assert abs(found[k] - by_price(name, d, k)) < mpmath.mpf(10) ** -13


def test_the_first_degrees() -> None:
    """k = 0 and 1 are below the order of the derivative: by parts from kappa' alone."""
    d, a = 3, mpmath.mpf(1) / 2
    found = eigenvalues(dual("Heaviside(x - 1/2)"), d, kmax=1, dps=18)
    with mpmath.workdps(22):

        def part(theta: mpmath.mpf) -> mpmath.mpf:
            """(1+u)/2 kappa'(u) sin(theta)."""
            above = 2 * mpmath.cos(theta / 2) ** 2
            return above / 2 * mpmath.exp(-(a**2) / above) / (2 * mpmath.pi)

        cuts = mpmath.linspace(0, mpmath.pi, 7)
        mean = mpmath.erfc(a / mpmath.sqrt(2)) / 2 - mpmath.quad(part, cuts, method="gauss-legendre")
        assert abs(found[0] - mean) < mpmath.mpf(10) ** -14


def test_a_tangent_kernel() -> None:
    """mu_k(u f) = ((k+d-2) mu_(k+1)(f) + k mu_(k-1)(f))/(2k+d-2), mu_j(kappa'; d) = (d-2) mu_(j+1)(kappa; d-2)."""
    d, k = 4, 3
    found = eigenvalues(kernels.network(2, "hard_tanh", tangent=True), d, ks=[k], dps=15)
    with mpmath.workdps(16):
        weight = 1 / dual("hard_tanh").evaluate(1, 25)
        low, high = ((d - 2) * by_price("hard_tanh", d - 2, j + 1) for j in (k - 1, k + 1))
        slope = ((k + d - 2) * high + k * low) / (2 * k + d - 2)
        value = weight * (by_price("hard_tanh", d, k) + slope)
        assert found.rigorous and abs(found[k] - value) < mpmath.mpf(10) ** -13


@pytest.mark.parametrize(("name", "d"), [("hard_tanh", 3), ("relu6", 2)])
def test_certificates_contain_what_price_says(name: str, d: int) -> None:
    found = certify(dual(name), d)
    assert found.proved and found.positive_definite
    for k in (found.odd.k0 + 2, 75):
        with mpmath.workdps(20):
            value = by_price(name, d, k)
            room = value * mpmath.mpf(10) ** -8  # the reference's
            assert found.lower(k) - room <= value <= found.upper(k) + room <= value * mpmath.mpf("1.2")
            assert mpmath.mpf(found.odd.low) <= value * k ** (-found.odd.rate) <= mpmath.mpf(found.odd.high)


def test_a_forged_bound_is_not_proved_again() -> None:
    found = certify(dual("Heaviside(x - 1/2)"), 3, terms=3)
    assert found.recheck()
    first = found.bounds[0]
    for forged in (replace(first, minus="1e-3"), replace(first, plus="0"), replace(first, curve="1e-9")):
        assert not replace(found, bounds=(forged, *found.bounds[1:])).recheck()


def test_certificate_of_an_exponential_that_ends_at_a_kink() -> None:
    """ELU: no flat part, the quadrant is entire in the angle."""
    found = certify(dual("selu"), 3)
    assert found.proved and found.strict
    numbers = eigenvalues(dual("selu"), 3, ks=[44, 45], dps=16)
    for k in numbers.ks:
        assert found.lower(k) <= numbers[k] <= found.upper(k) <= numbers[k] * mpmath.mpf("1.01")
