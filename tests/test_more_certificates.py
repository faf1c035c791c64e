"""Certificates of kernels that take a detour: lifted poles, Gamma functions, N^M, Bessel functions, unbounded kernels.

References: the defining integral with mpmath alone, kernels written by hand (`reference_integrals`).
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import mpmath as mp
import pytest
import sympy
from reference_integrals import reference
from sympy import Rational, sqrt
from thorough import THOROUGH

from asymptok import Kernel, certify, kernels, u
from asymptok.checker.__main__ import verify
from asymptok.checker.exact import Unsupported
from asymptok.proofs.claims import Law

DEGREES = (0, 1, 2, 7, 12, 21, 30)


def root(u):
    return mp.sqrt(1 - u)


KERNELS = {
    "sin(u)/u*sqrt(1-u)": (lambda u: mp.sin(u) / u * root(u), -3),
    "sqrt(1-u)*(exp(3*u - 1) - 1)/(3*u - 1)": (lambda u: root(u) * mp.expm1(3 * u - 1) / (3 * u - 1), -3),
    "sqrt(1+u)*(1 - cos(u))/u**2": (lambda u: 2 * mp.sqrt(1 + u) * (mp.sin(u / 2) / u) ** 2, -3),
    # what lifts the pole does not on the other sheet of the root
    "sqrt(1-u)/(3*u - 1) - sqrt(2/3)/(3*u - 1)": (
        lambda u: -1 / (3 * (root(u) + mp.sqrt(mp.mpf(2) / 3))),
        -3,
    ),
    "(exp(-sqrt(1-u)) - exp(-1/2))/(4*u-3)": (
        lambda u: (mp.exp(-root(u)) - mp.exp(-0.5)) / (4 * u - 3),
        -3,
    ),
    "sin(pi*u)*log(1-u)/(1-u) + sqrt(1+u)": (
        lambda u: mp.sinpi(u) * mp.log(1 - u) / (1 - u) + mp.sqrt(1 + u),
        -2,
    ),
    "log(sin(u)/u)": (lambda u: mp.log(mp.sin(u) / u), None),
    "gamma(u + 2)": (lambda u: mp.gamma(u + 2), None),
    "gamma(3 - u)*sqrt(1-u)": (lambda u: mp.gamma(3 - u) * root(u), -3),
    "(1-u)**u": (lambda u: (1 - u) ** u, -6),
    "(1-u)**(2-u)": (lambda u: (1 - u) ** (2 - u), -6),
    "besselk(0, 1-u)": (lambda u: mp.besselk(0, 1 - u), -2),
    "besselj(1/3, 1-u)": (lambda u: mp.besselj(mp.mpf(1) / 3, 1 - u), None),
    "bessely(1, 1-u)*(1-u)": (lambda u: mp.bessely(1, 1 - u) * (1 - u), -6),
    # the second pair of poles is so near that a two-sided law would begin at k = 11242
    # its first eigenvalues down to 10^-60 take their time
    **({"tan(u)/u": (lambda u: mp.tan(u) / u, None)} if THOROUGH else {}),
    "(1-u)**(1/100)*exp(u)": (lambda u: (1 - u) ** (mp.mpf(1) / 100) * mp.exp(u), Rational(-101, 50)),
    "exp(u)/(u + 2)": (lambda u: mp.exp(u) / (u + 2), None),
}


def check(text, kappa, d, step):
    found = certify(text, d)
    assert found.proved
    values = reference(kappa, DEGREES, [d], mp.mpf(1) / step)
    for k in DEGREES:
        value, slack = values[k, d], mp.mpf("1e-17")
        assert found.lower(k) - slack <= value <= found.upper(k) + slack, (text, k)
    return found


@pytest.mark.parametrize("name", KERNELS)
def test_enclosures_contain_the_integral(name):
    kappa, rate = KERNELS[name]
    found = check(name, kappa, 3, 32)
    assert rate is None or (found.rate == rate and found.even.law is found.odd.law is Law.ALGEBRAIC)
    if rate is not None:
        # tight where the law speaks, so that a wrong term would show
        assert found.upper(30) - found.lower(30) < mp.mpf("1e-3") * abs(found.upper(30))


#: |kappa| grows so fast that only a low strip serves
STEEP = {
    "cos(20*u) + (1-u)**(3/2)": (lambda u: mp.cos(20 * u) + root(u) ** 3, -5),
    "exp(u**9)*sqrt(1-u)": (lambda u: mp.exp(u**9) * root(u), -3),
    "exp(2*cos(6*u)) + sqrt(1-u)": (lambda u: mp.exp(2 * mp.cos(6 * u)) + root(u), -3),
}


@pytest.mark.parametrize("name", STEEP)
def test_a_low_strip_serves_where_a_high_one_does_not(name):
    kappa, rate = STEEP[name]
    found = check(name, kappa, 3, 64)
    assert found.rate == rate and found.even.law is found.odd.law is Law.ALGEBRAIC
    assert found.recheck().holds


LOGARITHMS = {
    "sqrt(1-u)*log((1-u)/3)": (lambda u: root(u) * mp.log((1 - u) / 3), -3, 1),
    "log(1-u)**3 + log(1+u)": (lambda u: mp.log(1 - u) ** 3 + mp.log(1 + u), -2, 2),
    # odd k see a power of the logarithm that even k do not
    "sqrt(1-u)*log(1-u) - sqrt(1+u)*log(1+u) + sqrt(1-u)": (
        lambda u: root(u) * (mp.log(1 - u) + 1) - root(-u) * mp.log(1 + u),
        -3,
        1,
    ),
}


@pytest.mark.parametrize("name", LOGARITHMS)
def test_powers_of_log_k_lead(name):
    kappa, rate, q = LOGARITHMS[name]
    found = check(name, kappa, 3, 32)
    assert (found.rate, found.log_power, found.odd.log_power) == (rate, q, q)
    assert found.even.log_power == (0 if "sqrt(1+u)" in name else q)
    assert found.recheck()
    again = type(found).from_json(found.to_json())
    assert again == found
    with pytest.raises(Unsupported, match=r"log|unbounded"):
        verify(found.to_json())
    for k in (10**3, 10**6 + 1, 10**12):
        claim = found.parity(k)
        scale = mp.mpf(k) ** int(claim.rate) * mp.log(k) ** claim.log_power
        assert mp.mpf(claim.low) * scale <= found.lower(k) <= found.upper(k) <= mp.mpf(claim.high) * scale


@pytest.mark.parametrize(
    "change", [{"log_power": 0}, {"log_power": 2}, {"k0": 2}, {"high": "0.5"}, {"low": "0.41"}, {"tail": 4}]
)
def test_a_changed_law_with_logarithms_is_not_proved_again(change):
    found = certify("sqrt(1-u)*log(1-u)", 3)
    assert found.even.low.startswith("3.96") and found.even.high.startswith("7.64")
    assert not replace(found, even=replace(found.even, **change)).recheck()


@pytest.mark.parametrize(("text", "d", "rate"), [("1/(1-u)", 5, -2), ("exp(u)*(1-u)**(-5/2)", 10, -4)])
def test_unbounded_kernels_in_high_dimensions(text, d, rate):
    """t^nu is integrable on S^(d-1) for nu > -(d-1)/2, also beyond the exponents at which it is so on a slit."""
    kappas = {"1/(1-u)": lambda u: 1 / (1 - u), "exp(u)*(1-u)**(-5/2)": lambda u: mp.exp(u) * (1 - u) ** -2.5}
    assert check(text, kappas[text], d, 32).rate == rate


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1/u", "a pole inside, at u = 0"),
        ("1/u + 1/sin(u)", "a pole inside, at u = 0"),
        ("tan(2*u)", "u = -pi/4, pi/4"),
        ("exp(1/u)", "something with a pole inside"),
        ("1/(1-u)", "mu_k exists for exponents above -1 only"),
    ],
)
def test_what_has_no_eigenvalues_says_why(text, reason):
    found = certify(text, 3)
    assert not found.proved and reason in found.reason


@pytest.mark.slow
def test_a_fine_grid_of_exponents_ends_with_its_model():
    """Powers of t^(1/30) beside a model at the other end: bounds are asked for only as far as the coefficients go."""
    smooth = "3*exp(asinh(exp(u/2))/2)/2"
    text = f"(1-u)**(2/3) - u*exp(-sqrt(1-u)/2) - 4*(2-2*u)**(7/10)*besselk(7/5, sqrt(2-2*u)) + {smooth}"
    found = certify(text, 3)
    assert found.proved and found.recheck()

    def kappa(t):
        bessel = 4 * (2 * t) ** mp.mpf("7/10") * mp.besselk(mp.mpf("7/5"), mp.sqrt(2 * t))
        rest = 3 * mp.exp(mp.asinh(mp.exp((1 - t) / 2)) / 2) / 2
        return t ** mp.mpf("2/3") - (1 - t) * mp.exp(-mp.sqrt(t) / 2) - bessel + rest

    with mp.workdps(20):
        cuts = mp.linspace(0, mp.mpf(2) ** mp.mpf("1/6"), 5)
        for k in (3, 12, 25):
            exact = mp.quad(lambda s, k=k: kappa(s**6) * mp.legendre(k, 1 - s**6) * 3 * s**5, cuts)
            assert found.lower(k) <= exact <= found.upper(k)


def test_bounds_show_themselves_as_they_are_meant():
    """|u| oscillates: a bound of |mu_k|, not one of mu_k from below; decimals without a power of ten, in LaTeX too."""
    shown = str(certify("abs(u)", 3))
    assert "|mu_k| <= 0.99" in shown and "e-1" not in shown
    found = certify(kernels.laplace(), 3)
    assert r"\le \mu_k \le 0." in sympy.latex(found) and "10^{-1}" not in found.statement
    # the numbers shown are those of the certificate, rounded outward to four digits
    for name, claim in (("even k", found.even), ("odd k", found.odd)):
        line = next(line for line in str(found).splitlines() if line.startswith(name))
        low, high = (Decimal(text.split()[-1]) for text in (line.split(" k^")[0], line.rpartition(" k^")[0]))
        assert low <= Decimal(claim.low) < low + Decimal("0.0001")
        assert high - Decimal("0.0001") < Decimal(claim.high) <= high
    assert str(found.recheck()).endswith("claims proved again")


def test_a_pole_that_is_lifted_on_one_sheet_only():
    """(sqrt(1-u) - a)/(a^2 - 1 + u) = -1/(sqrt(1-u) + a): the same kernel, one with a pole for sqrt(1-u) = -a."""
    quotient, plain = (certify(text, 3) for text in ("(sqrt(1-u) - 1/2)/(u - 3/4)", "-1/(sqrt(1-u) + 1/2)"))
    assert quotient.proved and plain.proved
    for k in (*range(12), 40, 63, 1000):
        assert quotient.lower(k) <= plain.upper(k) and plain.lower(k) <= quotient.upper(k)


def test_a_kernel_that_is_singular_at_an_end_in_the_place_of_another_is_refused():
    """No bound of a singular end is claimed in a certificate of an entire kernel."""
    for text in ("abs(u-1/3)", "exp(3*u**3-3)"):
        found = certify(text, 3)
        other = Kernel(found.kernel.expr + sqrt(1 - u) / 10**6)
        assert found.recheck() and not replace(found, kernel=other).recheck()


@pytest.mark.parametrize("d", [500, 501])
def test_laws_in_hundreds_of_dimensions(d):
    """exp(-sqrt(1-u)) is the sum of (-1)^j/j! (1-u)^(j/2), term by term."""
    found = certify("exp(-sqrt(1-u))", d)
    a, b = found.constants

    def power(nu, k):
        gammas = mp.gammaprod(
            [d / mp.mpf(2), nu + (d - 1) / mp.mpf(2), k - nu], [mp.mpf(1) / 2, -nu, k + nu + d - 1]
        )
        return mp.mpf(2) ** (nu + d - 2) * gammas

    with mp.workdps(60):
        for k in (3, found.k0, found.k0 + 1, 400, 401, 20_000):
            true = sum((-1) ** j / mp.factorial(j) * power(mp.mpf(j) / 2, k) for j in range(80))
            assert found.lower(k) <= true <= found.upper(k)
            assert k < found.k0 or a <= true * mp.mpf(k) ** d <= b
