"""Certificates of kernels with kinks and jumps inside: enclosures, a bound for all k, files, lies."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath as mp
import pytest
from sympy import N, Rational

from asymptok import Certificate, certify
from asymptok.proofs.claims import Law
from asymptok.proofs.files import digest


def eigenvalue(kappa: Any, k: int, d: int, cuts: list[str]) -> Any:
    def integrand(angle: Any) -> Any:
        x = mp.cos(angle)
        a, b = mp.mpf(1), x
        for j in range(1, k):
            a, b = b, ((2 * j + d - 2) * x * b - j * a) / (j + d - 2)
        return kappa(x) * b * mp.sin(angle) ** (d - 2)

    places = [mp.acos(mp.mpf(Rational(c).p) / Rational(c).q) for c in cuts]
    ends = sorted([mp.mpf(0), mp.pi, *places])
    grid = [a + (b - a) * j / 2 for a, b in pairwise(ends) for j in (0, 1)]
    scale = mp.gamma(mp.mpf(d) / 2) / (mp.sqrt(mp.pi) * mp.gamma(mp.mpf(d - 1) / 2))
    return scale * mp.quad(integrand, [*grid, mp.pi])


CASES = [
    ("abs(u-1/3)", lambda u: abs(u - mp.mpf(1) / 3), ["1/3"]),
    ("sign(u-1/4) + exp(u)", lambda u: mp.sign(u - mp.mpf(1) / 4) + mp.exp(u), ["1/4"]),
    (
        "max(0,u-1/2)**2 + exp(-sqrt(1-u))/50",
        lambda u: max(mp.mpf(0), u - 0.5) ** 2 + mp.exp(-mp.sqrt(1 - u)) / 50,
        ["1/2"],
    ),
    ("abs(u)**(3/2) + u*abs(u+1/2)", lambda u: abs(u) ** mp.mpf(1.5) + u * abs(u + 0.5), ["0", "-1/2"]),
]
SOME = [CASES[0], *(pytest.param(*case, marks=pytest.mark.slow) for case in CASES[1:])]


@pytest.mark.parametrize(("text", "kappa", "cuts"), SOME)
def test_kinks_inside(text: str, kappa: Any, cuts: list[str]) -> None:
    found = certify(text, 7)
    assert found.proved and found.even.law is Law.OSCILLATING and found.even.high is not None
    with mp.workdps(18):
        for k in (3, 12, 21, 26):
            value, law = eigenvalue(kappa, k, 7, cuts), found.parity(k)
            room = mp.mpf(10) ** -15
            assert found.lower(k) - room <= value <= found.upper(k) + room
            if law.k0 is not None and k >= law.k0:
                assert abs(value) <= mp.mpf(law.high) * mp.mpf(k) ** mp.mpf(N(law.rate, 20))
                assert found.upper(k) - found.lower(k) < mp.mpf(10) ** -5
    assert found.upper(10**9) - found.lower(10**9) < mp.mpf(10) ** -40
    other = Certificate.from_json(found.to_json())
    assert other.to_json() == found.to_json() and other.recheck().holds
    assert "Points inside" in found.theorem()


@pytest.mark.parametrize(
    "text", ["log(abs(u-1/5))", "abs(u-1/3)*exp(u)", "abs(u-1/3)*abs(u+1/2)", "abs(u)**3/100 + sqrt(1-u)"]
)
def test_what_is_not_covered_is_left_open(text: str) -> None:  # fmt: skip
    """Logarithms, infinite expansions, two points in one factor, an end that is stronger on the sphere in R^3."""
    found = certify(text, 3)
    assert not found.proved and found.reason


@pytest.mark.parametrize(
    "change",
    [
        lambda b: b["parities"]["odd"].update(b=str(Fraction(b["parities"]["odd"]["b"]) / 2)),
        lambda b: b["parities"]["odd"].update(nu="2", rate="-7/2"),
        lambda b: b["parities"]["odd"].update(k0=1, tail=1),
        lambda b: b["inner"][0].update(coefficient="3"),
        lambda b: b["inner"][0].update(location="1/4"),
        lambda b: b["inner"].pop(),
        lambda b: b["small"][3].update(lower="0.9", upper="1"),
        lambda b: b.update(positive_definite=True),
    ],
)
def test_lies_are_found(change: Any) -> None:
    body = json.loads(certify("abs(u-1/3)", 3).to_json())
    change(body)
    body["digest"] = digest(body)
    assert not Certificate.from_json(json.dumps(body)).recheck().holds
