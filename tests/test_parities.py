"""Certificates of kernels whose even and odd eigenvalues have laws of two kinds, against closed forms and lies."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import mpmath as mp
import pytest

from asymptok import AsymptokError, Certificate, certify, embeds, kernels, same_rkhs
from asymptok.checker.__main__ import verify
from asymptok.checker.exact import Unsupported
from asymptok.proofs.claims import Law
from asymptok.proofs.files import digest


def exponential(k: int, d: int) -> mp.mpf:
    """mu_k(exp(u)) = Gamma(d/2) 2^(d/2-1) I_(k+d/2-1)(1)."""
    half = mp.mpf(d) / 2
    return mp.gamma(half) * 2 ** (half - 1) * mp.besseli(k + half - 1, 1)


def arc_cosine(k: int, d: int) -> mp.mpf:
    """mu_k(kappa_1), zero for odd k > 1 (Bach 2017)."""
    half = mp.mpf(d) / 2
    root = mp.gamma(half) / 4 * mp.rgamma((3 - mp.mpf(k)) / 2) * mp.rgamma((1 + k + mp.mpf(d)) / 2)
    return 2 * d * root**2


def kink(k: int, d: int) -> mp.mpf:
    """mu_k(|u|), zero for odd k: 2 Max(u, 0) - u."""
    half = mp.mpf(d) / 2
    return (
        mp.gamma(half) / 2 * mp.rgamma((3 - mp.mpf(k)) / 2) * mp.rgamma((1 + k + mp.mpf(d)) / 2)
        if k % 2 == 0
        else mp.mpf(0)
    )


#: text -> mu_k on S^(d-1), or None where no closed form is at hand
EXACT: dict[str, Callable[[int, int], mp.mpf | None]] = {
    "exp(u) + kappa1(u)": lambda k, d: exponential(k, d) + arc_cosine(k, d),
    "abs(u) + exp(u)": lambda k, d: exponential(k, d) + kink(k, d),
    "3/(5 - 4*u) + asin(u)": lambda k, d: mp.mpf(2) ** -k if d == 2 and k % 2 == 0 else None,
    "exp(u) + acos(u) + (1 + 10**-12)*acos(-u)": lambda k, d: exponential(k, d) if k % 2 == 0 and k else None,
    "exp(u) + acos(u) + acos(-u)": lambda k, d: exponential(k, d) if k else None,
}


@pytest.mark.parametrize("text", EXACT)
def test_each_parity_lies_between_its_bounds(text: str) -> None:
    for d in (2, 5):
        found = certify(text, d)
        assert found.proved
        with mp.workdps(60):
            for k in (*range(14), 40, 41, 150, 151):
                value = EXACT[text](k, d)
                if value is not None:
                    assert found.lower(k) <= value <= found.upper(k), (d, k)
    assert Certificate.from_json(found.to_json()) == found and found.recheck()
    assert "$k$.}" in found.theorem()


def test_the_slower_parity_leads() -> None:
    found = certify(kernels.ntk(2) + kernels.gaussian(), 3)
    assert (found.even.law, found.odd.law) == (Law.ALGEBRAIC, Law.EXPONENTIAL)
    assert (found.rate, found.rho, found.positive_definite, found.strict) == (-3, 1, True, True)
    found = certify("1/(4 - u**2) + u/(9 - u**2)", 3)
    assert found.even.law is found.odd.law is Law.GEOMETRIC and found.positive_definite and found.strict
    assert abs(float(found.rho) - 2 - 3**0.5) < 1e-14
    low, high = found.constants
    assert 0 < low <= found.lower(40) * float(found.rho) ** 40 * 40**0.5 <= high


def test_a_parity_that_is_finite_or_zero_keeps_its_zeros() -> None:
    assert certify("acos(u) + u**4", 3).even.zero_from == 6
    assert certify("abs(u) + u**3", 3).odd.zero_from == 5
    found = certify("acos(u) + (1 + 10**-12)*acos(-u)", 3)
    assert found.even.zero_from == 2 and found.odd.law is Law.ALGEBRAIC and 0 < found.lower(41) < 1e-15


def test_one_parity_alone_says_nothing() -> None:
    """The odd part of a kernel without integrals is 0, and still it has no eigenvalues."""
    for text in ("1/(1 - u**2)", "1/(1 - u**2) + exp(u)", "1/(1 - u**2)**2 + u/(2 - u**2)"):
        found = certify(text, 3)
        assert not found.proved and found.positive_definite is None and found.strict is None


def test_spaces_are_compared_parity_by_parity() -> None:
    first, second = kernels.ntk(2) + kernels.gaussian(), kernels.ntk(2) + kernels.gaussian(2)
    assert same_rkhs(first, second, 3).reason == "the odd eigenvalues of the first kernel fall faster"
    assert embeds(first, second, 3).same and embeds(first, kernels.laplace(), 3).same
    scaled = same_rkhs(first, 2 * kernels.ntk(2) + 3 * kernels.gaussian(), 3)
    low, high = scaled.bounds
    assert scaled.same and low < 1 / 3 and 1 / 2 < high < 0.51


def test_forged_parts_are_refused() -> None:
    found = certify("15/(25 - 16*u**2) + asin(u)", 2)
    whole = json.loads(found.to_json())

    def forged(change: Callable[[dict[str, object]], None]) -> dict[str, object]:
        data = json.loads(json.dumps(whole))
        change(data)
        for part in data["parts"].values():
            part["digest"] = digest(part)
        return data | {"digest": digest(data)}

    def exchanged(data: dict[str, object]) -> None:
        data["parts"] = {"even": data["parts"]["odd"], "odd": data["parts"]["even"]}

    def another(data: dict[str, object]) -> None:
        nodes = data["parts"]["even"]["kernel"]["nodes"]
        at = next(i for i, node in enumerate(nodes) if node[0] == "num" and node[1] not in ("1", "2", "-1"))
        nodes[at] = ["num", "17"]

    def nested(data: dict[str, object]) -> None:
        data["parts"]["even"]["parts"] = {}

    def missing(data: dict[str, object]) -> None:
        del data["parts"]["odd"]

    for change in (exchanged, another, nested, missing):
        with pytest.raises(AsymptokError):
            Certificate.from_json(forged(change))

    def smaller(data: dict[str, object]) -> None:
        law = data["parts"]["even"]["parities"]["even"]
        law["b"] = law["a"]

    assert not Certificate.from_json(forged(smaller)).recheck()
    other = certify("15/(25 - 16*u**2) + acos(u)", 2)
    assert not replace(found, parts=other.parts, even=other.even, odd=other.odd).recheck()
    with pytest.raises(Unsupported):
        verify(found.to_json())
