"""Certificates of analytic kernels: two-sided where the nearest singular points are real, and who contains whom."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import mpmath as mp
import pytest
from sympy import N, Rational, sqrt

from asymptok import Certificate, certify, embeds, kernels, same_rkhs
from asymptok.proofs.claims import Law
from asymptok.proofs.files import digest


def multiquadric(k: int, d: int, r: Any, a: Any) -> Any:
    """mu_k of (1 + r^2 - 2ru)^-a, the closed form, by mpmath."""
    half = mp.mpf(d) / 2
    return r**k * mp.rf(a, k) / mp.rf(half, k) * mp.hyp2f1(a + k, a - half + 1, k + half, r * r)


def quadrature(kappa: Any, k: int, d: int) -> Any:
    """mu_k by the trapezoidal rule in the angle, which is exact to rounding for an analytic even periodic integrand."""
    total, count = mp.mpf(0), 160
    for j in range(count + 1):
        angle = mp.pi * j / count
        x = mp.cos(angle)
        a, b = mp.mpf(1), x
        for i in range(1, k):
            a, b = b, ((2 * i + d - 2) * x * b - i * a) / (i + d - 2)
        value = kappa(x) * (b if k else 1) * mp.sin(angle) ** (d - 2)
        total += value / 2 if j in (0, count) else value
    return total * mp.pi / count * mp.gamma(mp.mpf(d) / 2) / (mp.sqrt(mp.pi) * mp.gamma(mp.mpf(d - 1) / 2))


def holds(found: Certificate, k: int, value: Any) -> None:
    law = found.parity(k)
    if law.zero_from is not None and k >= law.zero_from:
        assert abs(value) < mp.mpf(10) ** -50 and found.lower(k) == found.upper(k) == 0
        return
    assert found.lower(k) <= value <= found.upper(k), k
    if law.law is Law.GEOMETRIC and law.k0 is not None and k >= law.k0:
        scaled = value * mp.mpf(N(found.rho, 60)) ** k * mp.mpf(k) ** -mp.mpf(N(law.rate, 60))
        assert mp.mpf(law.low) <= scaled <= mp.mpf(law.high), k


@pytest.mark.parametrize(
    ("text", "r", "a"),
    [("1/(5-4*u)", "1/2", 1), ("(5-4*u)**(-3/2)", "1/2", "3/2"), ("sqrt(5-4*u)", "1/2", "-1/2")],
)
def test_powers_against_the_closed_form(text: str, r: str, a: Any) -> None:  # fmt: skip
    with mp.workdps(60):
        q, e = (mp.mpf(Rational(x).p) / Rational(x).q for x in (r, a))
        for d in (2, 3, 8):
            found = certify(text, d)
            assert found.proved and found.even.law is Law.GEOMETRIC and found.rho == 2
            for k in (0, 1, 2, 5, 30, 31, 400):
                holds(found, k, mp.mpf(4) ** -e * multiquadric(k, d, q, e))


CASES = {
    "erf": ("2/pi*asin(2*u/3)", lambda u: 2 / mp.pi * mp.asin(2 * u / 3)),
    "gelu": (
        "u/4+(1/sqrt(4-u**2)+u*asin(u/2))/(2*pi)",
        lambda u: u / 4 + (1 / mp.sqrt(4 - u * u) + u * mp.asin(u / 2)) / (2 * mp.pi),
    ),
    "log": ("log(3-u)", lambda u: mp.log(3 - u)),
    "pole and entire": ("1/(2-u) + exp(u)", lambda u: 1 / (2 - u) + mp.exp(u)),
    "both sides": ("1/((2-u)*(2+u)**2)", lambda u: 1 / ((2 - u) * (2 + u) ** 2)),
    "root times entire": ("sqrt(2-u)*exp(u)", lambda u: mp.sqrt(2 - u) * mp.exp(u)),
    "arc-cosine": ("kappa0((4*u-3)/8)", lambda u: 1 - mp.acos((4 * u - 3) / 8) / mp.pi),
}


@pytest.mark.parametrize(
    "name", [name if name == "log" else pytest.param(name, marks=pytest.mark.slow) for name in CASES]
)
def test_enclosures_and_laws(name: str) -> None:
    text, kappa = CASES[name]
    with mp.workdps(60):
        found = certify(text, 4)
        assert found.proved and Law.GEOMETRIC in (found.even.law, found.odd.law)
        for k in (0, 1, 2, 3, 9, 14, 15, 16, 24, 25):
            holds(found, k, quadrature(kappa, k, 4))


PAIRS = {
    "1/(u**2+4)": lambda u: 1 / (u * u + 4),
    "exp(u)/(u**2-u+2)": lambda u: mp.exp(u) / (u * u - u + 2),
    "u**3/(u**2+2*u+5)**2 + cos(u)": lambda u: u**3 / (u * u + 2 * u + 5) ** 2 + mp.cos(u),
    "1/(u**4+4) + 1/(9-u**2)": lambda u: 1 / (u**4 + 4) + 1 / (9 - u * u),
}


@pytest.mark.parametrize(
    "text", [text if len(text) < 12 else pytest.param(text, marks=pytest.mark.slow) for text in PAIRS]
)
def test_complex_pairs_of_poles(text: str) -> None:
    """Exact terms with a bound around them, |mu_k| <= b rho^-k k^p, and a degree at which mu_k is negative."""
    with mp.workdps(60):
        found = certify(text, 4)
        assert found.proved and Law.OSCILLATING in (found.even.law, found.odd.law)
        assert found.positive_definite is False and found.offending is not None
        assert quadrature(PAIRS[text], found.offending, 4) < 0
        for k in (0, 1, 2, 3, 9, 14, 15, 24, 25):
            value, law = quadrature(PAIRS[text], k, 4), found.parity(k)
            holds(found, k, value)
            if law.k0 is not None and k >= law.k0:
                assert found.upper(k) - found.lower(k) < abs(value) / 50
                scaled = abs(value) * mp.mpf(N(found.rho, 60)) ** k * mp.mpf(k) ** -mp.mpf(N(law.rate, 60))
                assert scaled <= mp.mpf(law.high)
        other = Certificate.from_json(found.to_json())
        assert other.to_json() == found.to_json() and other.recheck().holds
        assert "Poles" in found.theorem()


@pytest.mark.parametrize(
    "change",
    [
        lambda b: b["poles"][0].update(exponent="-2"),
        lambda b: b["poles"][0].update(real=["0.001", "0.002"]),
        lambda b: b["poles"][0].update(imaginary=["-0.25", "-0.2499"]),
        lambda b: b["poles"][0].update(location=["0", "3"]),
        lambda b: b.pop("poles"),
        lambda b: b["bounds"][0].update(curve=str(Fraction(b["bounds"][0]["curve"]) / 10**9)),
        lambda b: b["parities"]["even"].update(b=str(Fraction(b["parities"]["even"]["b"]) / 2)),
        lambda b: b["parities"]["even"].update(k0=2, tail=2),
        lambda b: b["parities"]["even"].update(rate="-3/2"),
    ],
)  # fmt: skip
def test_lies_about_poles_are_found(change: Any) -> None:
    body = json.loads(certify("1/(u**2+4)", 3).to_json())
    change(body)
    body["digest"] = digest(body)
    assert not Certificate.from_json(json.dumps(body)).recheck().holds


BRANCHES: dict[str, Any] = {
    "sqrt(u**2+2)": (lambda x: mp.sqrt(x * x + 2), -Rational(1, 2)),
    "exp(u)*log(u**2+u+5)": (lambda x: mp.exp(x) * mp.log(x * x + x + 5), 0),
    "atan(2*u)*cosh(u)": (lambda x: mp.atan(2 * x) * mp.cosh(x), 0),
    "(5-4*u)**(-1/2)*(u**2+1/4)**(1/3)": (
        lambda x: (5 - 4 * x) ** mp.mpf(-0.5) * mp.cbrt(x * x + mp.mpf(1) / 4),
        -Rational(1, 3),
    ),
}


@pytest.mark.parametrize(
    "text", [text if len(text) < 16 else pytest.param(text, marks=pytest.mark.slow) for text in BRANCHES]
)
def test_complex_branch_points(text: str) -> None:
    """Exact terms and a bound along arcs: tight enclosures, |mu_k| <= b rho^-k k^p, lies found."""
    function, slope = BRANCHES[text]
    with mp.workdps(70):
        found = certify(text, 4)
        assert found.proved and Law.OSCILLATING in (found.even.law, found.odd.law)
        assert found.rate == slope - 2
        for k in (0, 9, 24, 37):
            value, law = quadrature(function, k, 4), found.parity(k)
            holds(found, k, value)
            if law.law is Law.OSCILLATING and k > 30:
                assert found.upper(k) - found.lower(k) < abs(value) / 1000
                scaled = abs(value) * mp.mpf(N(found.rho, 60)) ** k * mp.mpf(k) ** -mp.mpf(N(law.rate, 60))
                assert scaled <= mp.mpf(law.high)
        assert Certificate.from_json(found.to_json()).recheck().holds and "branch points" in found.theorem()
        body = json.loads(found.to_json())
        body["arcs"][0]["size"] = str(Fraction(body["arcs"][0]["size"]) / 100)
        body["digest"] = digest(body)
        assert not Certificate.from_json(json.dumps(body)).recheck().holds


@pytest.mark.slow
def test_quotients_of_entire_functions() -> None:
    """tanh changes the sign of its odd eigenvalues; sec has Taylor coefficients >= 0 and is even."""
    odd, even = certify("tanh(u)", 4), certify("sec(u)", 4)
    assert odd.proved and odd.positive_definite is False and odd.even.law is Law.ZERO
    assert even.proved and even.positive_definite is True and even.strict is False and even.lower(40) > 0
    with mp.workdps(60):
        for k in (1, 3, 14, 15):
            holds(odd, k, quadrature(mp.tanh, k, 4))
            holds(even, k, quadrature(mp.sec, k, 4))


@pytest.mark.slow
def test_a_real_pole_beside_another_factor_is_two_sided() -> None:
    found = certify("exp(u)/(2-u)", 4)
    assert found.even.law is Law.GEOMETRIC and found.positive_definite is True and found.recheck().holds
    with mp.workdps(60):
        for k in (0, 1, 9, 14, 15, 24):
            holds(found, k, quadrature(lambda u: mp.exp(u) / (2 - u), k, 4))
    assert same_rkhs("exp(u)/(2-u)", "1/(2-u)", 3).same is True


def test_positive_definiteness_is_settled() -> None:
    for text in ("1/(2-u)", "exp(u)", "exp(-3*(1-u))"):
        assert certify(text, 3).positive_definite is True
    for text in ("sqrt(2-u)", "1/(1+u**2)"):
        assert certify(text, 3).positive_definite is False
    assert certify("1/(2-u)", 3).strict is True and certify("exp(u)", 3).strict is True
    assert certify(kernels.erf_network(), 3).strict is False  # all even ones vanish
    for kernel in (
        kernels.rational_quadratic(Rational(1, 2)),
        kernels.cauchy(),
        kernels.poisson(Rational(1, 2), 3),
    ):
        found = certify(kernel, 3)
        assert found.positive_definite is True and found.even.law is Law.GEOMETRIC


@pytest.mark.parametrize(
    "text", ["atan(2*u)", "1/(3-2*cos(u))", "1/(2-u) + (1+u)/(3-2*cos(u)**2)", "exp(1/(3-u))"]
)
def test_no_lower_bound_is_invented(text: str) -> None:
    """Complex points, or an essential singularity: an upper bound at most."""
    found = certify(text, 3)
    assert Law.GEOMETRIC not in (found.even.law, found.odd.law)


def test_cancelled_points_are_not_taken_for_the_lead() -> None:
    found = certify("(4-u**2)/(2-u) + 1/(5-u)", 3)
    assert found.rho == 5 + 2 * sqrt(6)


def test_spaces_of_analytic_kernels() -> None:
    assert same_rkhs("1/(2-u)", "1/(2-u) + exp(u)", 3).same is True
    assert same_rkhs("1/(2-u)", "1/(3-u)", 3).same is False
    assert embeds("1/(3-u)", "1/(2-u)", 3).same is True and embeds("1/(2-u)", "1/(3-u)", 3).same is False
    assert (
        embeds("1/(2-u)", "1/(2-u)**2", 3).same is True and embeds("1/(2-u)**2", "1/(2-u)", 3).same is False
    )
    assert embeds("exp(u)", "1/(2-u)", 3).same is True and embeds("1/(2-u)", "exp(u)", 3).same is False
    assert embeds("1/(2-u)", kernels.laplace(), 3).same is True
    assert same_rkhs("exp(u**2 + u)", "exp(2*u**2 + u)", 3).same is None
    a, b = same_rkhs("1/(2-u)", "1/(2-u) + exp(u)", 3).bounds or (0, 0)
    with mp.workdps(30):
        for k in (0, 1, 5, 30):
            ratio = quadrature(lambda u: 1 / (2 - u), k, 3) / quadrature(
                lambda u: 1 / (2 - u) + mp.exp(u), k, 3
            )
            assert a <= ratio * (1 + mp.mpf(10) ** -3) and ratio * (1 - mp.mpf(10) ** -3) <= b


def test_files_are_read_and_proved_again() -> None:
    for text in ("1/(2-u)", "2/pi*asin(2*u/3)", "1/(2-u) + exp(u)"):
        found = certify(text, 3)
        other = Certificate.from_json(found.to_json())
        assert other.to_json() == found.to_json() and other.recheck().holds


@pytest.fixture(scope="module")
def truth() -> str:
    return certify("2/pi*asin(2*u/3)", 3).to_json()


@pytest.mark.parametrize(
    "change",
    [
        lambda b: b["parities"]["odd"].update(a=str(Fraction(b["parities"]["odd"]["a"]) * 2)),
        lambda b: b["parities"]["odd"].update(nu="3/2"),
        lambda b: b["parities"]["odd"].update(k0=1, tail=8),
        lambda b: b.update(place="2"),
        lambda b: b["terms"].pop(0),
        lambda b: b["terms"][0].update(coefficient=["-0.74", "-0.73"]),
        lambda b: b["bounds"][0].update(plus="0.001"),
        lambda b: b["bounds"][0].update(curve="0.1"),
        lambda b: b["bounds"][0].update(height="4"),
        lambda b: b.update(strict=True),
    ],
)  # fmt: skip
def test_lies_about_points_outside_are_found(truth: str, change: Any) -> None:
    body = json.loads(truth)
    change(body)
    body["digest"] = digest(body)
    assert not Certificate.from_json(json.dumps(body)).recheck().holds


def test_the_theorem_names_rho() -> None:
    text = certify("1/(2-u)", 3).theorem()
    assert r"\rho = \sqrt{3} + 2" in text and "Points outside" in text
    assert "Taylor coefficients" in certify("exp(u**4)", 3).theorem()


def test_a_pole_at_an_end_is_not_forgotten() -> None:
    """1/(1+u) is real on its slit and leaves something in mu_k all the same: no enclosure without it."""
    half = {  # in the half angle, u = cos 2a
        "sqrt(1-u) + 1/(1+u)": lambda a: mp.sqrt(2) * mp.sin(a) + mp.sec(a) ** 2 / 2,
        "exp(-sqrt(1-u))/(1+u)": lambda a: mp.exp(-mp.sqrt(2) * mp.sin(a)) * mp.sec(a) ** 2 / 2,
    }
    for text, kappa in half.items():
        found = certify(text, 6)
        assert found.proved and mp.mpf(found.odd.high) < 0
        for k in (0, 7, 20):
            top = mp.gegenbauer(k, 2, 1)
            weighted = mp.quad(
                lambda a, k=k, kappa=kappa: (
                    kappa(a) * mp.gegenbauer(k, 2, mp.cos(2 * a)) * mp.sin(2 * a) ** 4
                ),
                mp.linspace(0, mp.pi / 2, 5),
            )
            holds(found, k, weighted * 16 / (3 * mp.pi) / top)
    # the same beyond the ends: a branch point at 2 and a pole at -2
    found = certify("1/(2-sqrt(2-u))", 4)
    with mp.workdps(60):
        for k in (0, 7, 20, 41):
            holds(found, k, quadrature(lambda x: 1 / (2 - mp.sqrt(2 - x)), k, 4))
