"""Bounds by derivatives at u = 1: against Hermite coefficients computed by mpmath alone, and against lies."""

from __future__ import annotations

from dataclasses import replace

import mpmath as mp
import pytest

from asymptok import Certificate, certify, dual, embeds, kernels, same_rkhs
from asymptok.checker.__main__ import verify
from asymptok.checker.exact import Unsupported
from asymptok.proofs.claims import Law
from asymptok.proofs.flat import is_flat_law


def monomial(p: int, k: int, d: int) -> mp.mpf:
    """mu_k(u^p), zero unless p - k is even and >= 0."""
    if p < k or (p - k) % 2:
        return mp.mpf(0)
    front = mp.gamma(mp.mpf(d) / 2) / (mp.sqrt(mp.pi) * 2**k) * mp.factorial(p) / mp.factorial(p - k)
    return front * mp.gamma(mp.mpf(p - k + 1) / 2) / mp.gamma(mp.mpf(p + k + d) / 2)


@pytest.mark.parametrize("d", [2, 3, 7])
def test_cosh_of_something_as_a_series(d: int) -> None:
    """exp(x) has kappa = e^(1+u), but beside tanh it has no contour: a_n of exp are lower bounds of all."""
    found = certify(dual("tanh(x) + exp(x)"), d)
    assert found.even.law is found.odd.law is Law.STRETCHED
    for k in (0, 1, 5, 12, 20):
        # the mean of the even part of phi is at least that of cosh x: a_n = e/n! for even n
        low = sum(mp.e / mp.factorial(n) * monomial(n, k, d) for n in range(0, 60, 2))
        assert low <= found.upper(k)


@pytest.mark.parametrize("name", ["tanh", "softplus"])
def test_the_law_holds_where_eigenvalues_are_known(name: str) -> None:
    found = certify(dual(name), 3)
    claim = found.odd if name == "tanh" else found.even
    width = mp.pi / 2 if name == "tanh" else mp.pi
    tau = mp.mpf(int(claim.tau.p)) / int(claim.tau.q)
    assert found.proved and claim.law is Law.STRETCHED and 0.99 * width < tau < width
    with mp.workdps(16):
        phi = mp.tanh if name == "tanh" else (lambda x: mp.log1p(mp.exp(x)))
        squares = []
        for n in (claim.k0, claim.k0 + 4):
            density = lambda x, n=n: phi(x) * mp.hermite(n, x / mp.sqrt(2)) * mp.npdf(x)  # noqa: E731
            c = mp.quad(density, [-12, -6, 0, 6, 12]) * mp.mpf(2) ** (-mp.mpf(n) / 2)
            squares.append((n, c**2 / mp.factorial(n)))
        for k in (claim.k0, claim.k0 + 4):
            # a part of a series of numbers >= 0
            value = sum(a * monomial(n, k, 3) for n, a in squares)
            law = mp.mpf(k) ** (-mp.mpf(5) / 6) * mp.exp(-1.5 * (2 * tau * k) ** (mp.mpf(2) / 3))
            assert 0 < value <= mp.mpf(claim.high) * law and value <= found.upper(k)
    again = Certificate.from_json(found.to_json())
    assert again == found and again.recheck()
    with pytest.raises(Unsupported, match="derivatives"):
        verify(found.to_json())
    assert "The power series" in found.theorem()


def test_lies_are_not_proved_again() -> None:
    found = certify(dual("tanh"), 3)
    n, size = found.derivatives[3]
    known = found.coefficients
    halved = tuple((m, str(mp.mpf(s) / 2)) if m == n else (m, s) for m, s in found.derivatives)
    for lie in (
        {"derivatives": halved},
        {"odd": replace(found.odd, high=str(mp.mpf(found.odd.high) / 2))},
        {"odd": replace(found.odd, k0=5)},
        {"odd": replace(found.odd, rate=found.odd.rate - 2)},
        {"odd": replace(found.odd, tau=found.odd.tau * 2)},
        {"odd": replace(found.odd, tau=found.odd.tau * 2), "coefficients": replace(known, tau=known.tau * 2)},
        {"coefficients": replace(known, size=str(mp.mpf(known.size) / 2))},
        {"coefficients": replace(known, start=7), "odd": replace(found.odd, k0=7)},
        {"kernel": dual("tanh(x)*1000001/1000000")},
    ):
        assert not replace(found, **lie).recheck(), lie
    assert size == found.derivatives[3][1]


FLAT = {
    "exp(-1/(1-u))": lambda u: mp.exp(-1 / (1 - u)),
    "u*exp(-1/(1-u**2)) + u**3": lambda u: u * mp.exp(-1 / (1 - u**2)) + u**3,
    "exp(u - 1/sqrt(2-2*u))": lambda u: mp.exp(u - 1 / mp.sqrt(2 - 2 * u)),
}


@pytest.mark.parametrize("text", FLAT)
def test_flat_kernels_against_the_integral(text: str) -> None:
    found = certify(text, 4)
    assert found.proved and found.odd.law is Law.FLAT and found.even.law in (Law.FLAT, Law.ZERO)
    assert Certificate.from_json(found.to_json()) == found and found.recheck() and "ray" in found.theorem()
    with mp.workdps(25):
        for k in (1, 6, 20, 45):
            # d = 4: P_k = sin((k+1)theta)/((k+1) sin(theta)), weight (2/pi) sin(theta)^2
            f = lambda t, k=k: FLAT[text](mp.cos(t)) * mp.sin((k + 1) * t) * mp.sin(t)  # noqa: E731
            value = 2 / mp.pi / (k + 1) * mp.quad(f, mp.linspace(mp.mpf("1e-9"), mp.pi - mp.mpf("1e-9"), 12))
            room = mp.mpf("1e-18")
            assert found.lower(k) - room <= value <= found.upper(k) + room
            claim = found.parity(k)
            if claim.law is Law.FLAT and k >= claim.k0:
                c, g = mp.mpf(claim.stretch[0]), mp.mpf(claim.stretch[1].p) / claim.stretch[1].q
                law = mp.mpf(claim.high) * mp.exp(-c * mp.mpf(k) ** g) / k
                assert abs(value) <= law + room and law < 10**5 * abs(value)
    c, g = found.odd.stretch
    assert is_flat_law(found.kernel.expr, found.odd, 1, 4, 128)
    for lie in (
        replace(found.odd, high=str(mp.mpf(found.odd.high) / 2), low=f"-{mp.mpf(found.odd.high) / 2}"),
        replace(found.odd, stretch=(str(mp.mpf(c) * mp.mpf("1.000001")), g)),
        replace(found.odd, stretch=(c, g + 1)),
        replace(found.odd, k0=1),
        replace(found.odd, rate=found.odd.rate - 1),
    ):
        assert not is_flat_law(found.kernel.expr, lie, 1, 4, 128), lie
    with pytest.raises(Unsupported, match="flat"):
        verify(found.to_json())


def test_a_file_holds_how_a_network_was_made() -> None:
    found = certify(dual("max(x,0)**(5/2)"), 3)
    assert found.proved and found.rate == -5 and found.odd.law is Law.SMOOTH
    assert Certificate.from_json(found.to_json()).recheck()


def test_an_upper_bound_compares_with_powers_alone() -> None:
    for pair in ((dual("tanh"), kernels.laplace()), (kernels.laplace(), dual("softplus"))):
        assert same_rkhs(*pair, 3).same is False
    answer = embeds(dual("tanh"), kernels.laplace(), 3)
    assert answer.same is True and answer.bounds[0] == 0 < answer.bounds[1] < 3
    assert embeds(kernels.laplace(), dual("tanh"), 3).same is False
    assert embeds(dual("tanh"), kernels.gaussian(), 3).same is None
