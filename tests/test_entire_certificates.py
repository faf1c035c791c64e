"""Two-sided certificates of entire kernels, against Bessel functions and integrals by mpmath, and against lies."""

from __future__ import annotations

import json
from collections.abc import Callable

import mpmath
import mpmath as mp
import pytest
import sympy
from sympy import Integer, N, Rational

from asymptok import AsymptokError, Certificate, certify, dual, embeds, kernels, same_rkhs
from asymptok.checker.__main__ import verify
from asymptok.checker.contour import Refuted
from asymptok.checker.exact import Unsupported
from asymptok.checker.read import BadInput
from asymptok.kernels.kernel import Kernel
from asymptok.laws.taylor_signs import taylor_coefficients_nonnegative
from asymptok.proofs.claims import Law
from asymptok.proofs.files import digest
from asymptok.symbols import u


def exponential(c: mp.mpf, k: int, d: int) -> mp.mpf:
    """mu_k(exp(cu)) = Gamma(d/2) (2/c)^(d/2-1) I_(k+d/2-1)(c), for c > 0."""
    half = mp.mpf(d) / 2
    value = mp.gamma(half) * (2 / abs(c)) ** (half - 1) * mp.besseli(k + half - 1, abs(c))
    return value if c > 0 else (-1) ** k * value


SUMS = {
    "exp(3*u/2)": [(1, 1.5)],
    "exp(u) + exp(-u/2)": [(1, 1), (1, -0.5)],
    "sinh(4*u) + 2*exp(u)": [(0.5, 4), (-0.5, -4), (2, 1)],
    "exp(u)*sinh(u)**2": [(0.25, 3), (0.25, -1), (-0.5, 1)],
    "exp(2*u) - 3*exp(u)": [(1, 2), (-3, 1)],
}


@pytest.mark.parametrize("d", [2, 3, 6, 100])
@pytest.mark.parametrize("text", SUMS)
def test_exponential_sums_lie_between_the_bounds(text: str, d: int) -> None:
    found = certify(text, d)
    assert found.even.law is found.odd.law is Law.EXPONENTIAL
    with mp.workdps(60):
        for k in (0, 1, 2, 7, 12, 33, 200):
            value = mp.fsum(p * exponential(mp.mpf(c), k, d) for p, c in SUMS[text])
            low, high = found.lower(k), found.upper(k)
            assert low <= value <= high and high - low <= mp.mpf("1e-20") * abs(value)
            claim = found.parity(k)
            if claim.k0 <= k:
                frame, half = claim.frame, mp.mpf(d) / 2
                size = mp.mpf(str(frame.base)) ** k * mp.gamma(half) / mp.gamma(k + half) / mp.mpf(2) ** k
                assert mp.mpf(claim.low) * size <= value <= mp.mpf(claim.high) * size
    assert Certificate.from_json(found.to_json()) == found and found.recheck()
    assert f"verified: positive definite: {found.positive_definite}" in "\n".join(verify(found.to_json()))


def test_a_kernel_changed_by_a_millionth_is_refused_by_the_checker() -> None:
    data = json.loads(certify("exp(u) + exp(-u/2)", 3).to_json())
    at = data["kernel"]["nodes"].index(["num", "-1/2"])
    for value in ("-500001/1000000", "-499999/1000000", "1/2"):
        data["kernel"]["nodes"][at] = ["num", value]
        data["digest"] = digest(data)
        with pytest.raises(Refuted):
            verify(json.dumps(data))


@pytest.mark.parametrize(
    ("text", "f"),
    [
        ("cos(sqrt(1-u))", lambda u: mp.cos(mp.sqrt(1 - u))),
        ("u*cosh(sqrt(2-u)) + u**3", lambda u: u * mp.cosh(mp.sqrt(2 - u)) + u**3),
        ("besseli(1, sqrt(u+3/2))/sqrt(u+3/2)", lambda u: mp.besseli(1, mp.sqrt(u + 1.5)) / mp.sqrt(u + 1.5)),
        ("u*exp(2*u) + sin(u)", lambda u: u * mp.exp(2 * u) + mp.sin(u)),
        ("exp(exp(u))", lambda u: mp.exp(mp.exp(u))),
    ],
)
def test_other_entire_kernels_against_the_integral(text: str, f) -> None:
    found = certify(text, 4)
    assert found.proved
    with mp.workdps(40):
        for k in (0, 3, 10):
            # d = 4: P_k = sin((k+1)theta)/((k+1) sin(theta)), weight (2/pi) sin(theta)^2
            integrand = lambda t, k=k: f(mp.cos(t)) * mp.sin((k + 1) * t) * mp.sin(t)  # noqa: E731
            value = 2 / mp.pi / (k + 1) * mp.quad(integrand, [0, 1, 2, mp.pi])
            assert found.lower(k) - mp.mpf("1e-35") <= value <= found.upper(k) + mp.mpf("1e-35")
            assert found.upper(k) - found.lower(k) <= mp.mpf("1e-15") * abs(value)


def test_sine_and_cosine_are_positive_definite() -> None:
    for name, zero in (("sin", 0), ("cos", 1)):
        found = Certificate.from_json(certify(dual(name), 3).to_json())
        assert found.positive_definite is True and found.strict is False and found.recheck()
        assert found.parity(zero).zero_from is not None
        assert any("a F(k) <= mu_k <= b F(k)" in line for line in verify(found.to_json()))
    with pytest.raises(Unsupported):
        verify(certify("cos(sqrt(1-u))", 3).to_json())


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("(exp(u) - exp(-u))*exp(u**2)", True),
        ("cosh(u) - u**4/24", True),
        ("cosh(u) - u**4/23", False),
        ("exp(u) - 3*exp(u/2)", False),
        ("exp(2*u) + cos(u)", True),
        ("exp(u) + cos(2*u)", False),
        ("exp(sinh(u) + exp(u) - exp(-u))", True),
        ("exp(-u) + cosh(u)", False),
    ],
)
def test_signs_of_all_taylor_coefficients(text: str, holds: bool) -> None:
    assert (taylor_coefficients_nonnegative(Kernel(text).expr, {}) is not None) == holds


def test_gaussians_and_their_spaces() -> None:
    one, two = kernels.gaussian(1), kernels.gaussian(2)
    assert same_rkhs(one, two, 3).same is False and embeds(two, one, 3).same is False
    found = embeds(one, two, 3)
    with mp.workdps(30):
        top = max(exponential(mp.mpf(1), k, 3) / exponential(mp.mpf(2), k, 3) * mp.e for k in range(9))
        assert found.same and top <= found.bounds[1] < top * (1 + mp.mpf(10) ** -6)
    assert embeds(one, kernels.laplace(), 3).same and embeds(kernels.laplace(), one, 3).same is False
    assert embeds("u*exp(u)", "exp(u)", 3).same is False and embeds("exp(u)", "u*exp(u) + 1", 3).same is True
    low, high = same_rkhs("exp(u)", "exp(u) + exp(u/2)", 3).bounds
    assert 0.4 < low < high < 1.01


@pytest.mark.parametrize(
    ("key", "value"),
    [("a", "4.0e-1"), ("b", "3.6e-1"), ("base", "999999/1000000"), ("power", 1), ("power", -1), ("order", "1"),
     ("tail", 2), ("tail", 10**9)],
)  # fmt: skip
def test_lies_about_a_gaussian_are_not_proved_again(key: str, value: object) -> None:
    data = json.loads(certify(kernels.gaussian(), 3).to_json())
    data["parities"]["odd"][key] = value
    data["digest"] = digest(data)
    try:
        assert not Certificate.from_json(data).recheck()
    except AsymptokError:  # no number that a certificate may have
        assert value == -1
    with pytest.raises((Refuted, BadInput, Unsupported)):
        verify(json.dumps(data))


def test_the_theorem_of_a_gaussian() -> None:
    found = certify(kernels.gaussian(), 3)
    assert found.rate is None and found.k0 == 2 and 0.36 < found.constants[0] < found.constants[1] < 0.41
    assert certify("exp(u) - exp(-u) + exp(u/2)", 3).constants[0] > 1.9  # odd k: 2 (1/2)^k, even k: (1/4)^k
    text = certify(kernels.gaussian(), 3).theorem()
    assert r"F(k) = \frac{\Gamma(d/2)}{2^k\, \Gamma(k+d/2)}" in text and r"\kappa^{(n)}(0) = e^{-1}" in text


def mean_over_the_circle(f: Callable[[mp.mpf], mp.mpf], k: int, d: int, points: int = 160) -> mp.mpf:
    """mu_k for d = 2 and 4, where P_k is cos(k theta) and sin((k+1) theta)/((k+1) sin(theta)), by the trapezoidal rule.

    The integrand is an entire function of theta with the period 2 pi: the error is far below 10^-30.
    """
    total = mp.mpf(0)
    for j in range(points):
        x = 2 * mp.pi * (j + mp.mpf(1) / 2) / points
        weight = mp.cos(k * x) if d == 2 else 2 * mp.sin((k + 1) * x) * mp.sin(x) / (k + 1)
        total += f(mp.cos(x)) * weight
    return total / points


#: even functions of a root
ROOTED: dict[str, Callable[[mp.mpf], mp.mpf]] = {
    "cos((1-u)**(3/2))": lambda x: mp.cos((1 - x) ** mp.mpf(1.5)),
    "sin((1-u)**(3/2))/(1-u)**(3/2)": lambda x: mp.sinc((1 - x) ** mp.mpf(1.5)),
    "besselj(0, (1-u)**(3/2))": lambda x: mp.besselj(0, (1 - x) ** mp.mpf(1.5)),
    "cosh(sqrt(1-u**2)) + u*exp(u**4)": lambda x: mp.cosh(mp.sqrt(1 - x * x)) + x * mp.exp(x**4),
    "sqrt(1-u)*tanh(sqrt(1-u)/2) + exp(sqrt(1-u)/9) + exp(-sqrt(1-u)/9)": lambda x: (
        mp.sqrt(1 - x) * mp.tanh(mp.sqrt(1 - x) / 2) + 2 * mp.cosh(mp.sqrt(1 - x) / 9)
    ),
}


@pytest.mark.parametrize("text", ROOTED)
def test_even_functions_of_a_root_are_functions_without_it(text: str) -> None:
    for d in (2, 4):
        found = certify(text, d)
        assert found.proved and (found.even.law is found.odd.law is Law.ENTIRE or "tanh" in text)
        with mp.workdps(50):
            for k in (0, 1, 2, 3, 8, 9, 14, 21):
                value = mean_over_the_circle(ROOTED[text], k, d)
                error = mp.mpf("1e-30")
                assert found.lower(k) - error <= value <= found.upper(k) + error
    assert Certificate.from_json(found.to_json()).recheck()


def test_a_root_beside_its_even_functions_stays() -> None:
    assert certify("sqrt(1-u)*cos((1-u)**(3/2))", 3).rate == -3
    assert certify("cos(exp(sqrt(1-u)))", 3).even.law is Law.ALGEBRAIC


def square(c: mp.mpf, e: int, k: int, d: int) -> mp.mpf:
    """mu_k(u^e exp(cu^2)), the sum over j of c^j/j! mu_k(u^(2j+e))."""
    half, total = mp.mpf(d) / 2, mp.mpf(0)
    for j in range(400):
        n = 2 * j + e
        if n >= k and (n - k) % 2 == 0:
            m = (n - k) // 2
            power = (
                mp.gamma(half) * mp.factorial(n) / (mp.mpf(2) ** n * mp.factorial(m) * mp.gamma(k + m + half))
            )
            total += c**j / mp.factorial(j) * power
    return total


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("exp(u**2)", [(1, Integer(1), 0)]),
        ("u*exp(3*u**2) + exp(5*u)", [(1, Integer(3), 1)]),
        (
            "2*exp(u**2/2) - u**2*exp(u**2/3) + u**3*exp(2*u**2)",
            [(2, Rational(1, 2), 0), (-1, Rational(1, 3), 2), (1, Integer(2), 3)],
        ),
    ],
)
def test_exponentials_of_squares_are_two_sided(text: str, parts: list[tuple[int, Rational, int]]) -> None:
    for d in (2, 3, 9):
        found = certify(text, d)
        assert Law.EXPONENTIAL in (found.even.law, found.odd.law) and found.proved
        with mp.workdps(60):
            for k in (0, 1, 2, 5, 6, 13, 14, 41, 80):
                value = mp.fsum(p * square(mp.mpf(c.p) / c.q, e, k, d) for p, c, e in parts)
                value += exponential(mp.mpf(5), k, d) if "5*u" in text else 0
                close = mp.mpf("1e-15") * abs(value)
                assert found.lower(k) - close <= value <= found.upper(k) + close
                claim = found.parity(k)
                if claim.frame is not None and claim.k0 <= k:
                    frame, half = claim.frame, mp.mpf(d) / 2
                    size = (mp.mpf(N(frame.base, 60)) / 2) ** k * mp.gamma(half) / mp.gamma(k + half)
                    size *= mp.factorial(k) / mp.factorial(k - frame.power)
                    size *= mp.gamma((k + 1 - mp.mpf(frame.power)) / 2) if frame.square else 1
                    assert mp.mpf(claim.low) * size <= value <= mp.mpf(claim.high) * size
    assert Certificate.from_json(found.to_json()) == found and found.recheck()
    assert "F(k)" in found.theorem()


def test_spaces_of_exponentials_of_squares() -> None:
    assert same_rkhs("exp(u**2) + exp(u)", "2*exp(u**2) + exp(u)/3", 3).same
    assert (
        embeds("exp(u**2/2) + u", "exp(u**2) + u", 3).same and not embeds("exp(u**2)", "exp(u**2/2)", 3).same
    )
    assert (
        embeds("exp(7*u)", "exp(u**2) + u*exp(u**2)", 3).same and not embeds("exp(u**2)", "cosh(9*u)", 3).same
    )


@pytest.mark.parametrize("text", ["exp(u**2 + u)", "exp(u**2)*exp(u)", "exp(2*u**2 - 3*u + 1)/5 + sinh(u)"])
def test_a_linear_term_beside_a_square_is_another_function(text: str) -> None:
    """exp(u^2 + u) is not exp(2 u^2): such kernels have bounds on ellipses, which hold the integrals by mpmath."""
    found = certify(text, 3)
    kappa = sympy.lambdify(u, Kernel(text).expr, "mpmath")
    with mpmath.workdps(40):
        for k in (0, 3, 8, 9):
            value = mpmath.quad(lambda x, k=k: kappa(x) * mpmath.legendre(k, x) / 2, [-1, -0.5, 0, 0.5, 1])
            assert found.lower(k) - 1e-25 <= value <= found.upper(k) + 1e-25
