"""Functions that have one file and nothing else: Struve H and L, Dawson's integral, the second real branch of W."""

from __future__ import annotations

from typing import Any

import mpmath
import pytest
import sympy
from sympy import Rational, S, latex, sqrt

from asymptok import Kernel, certify, check, decay, eigenvalues, expand, u
from asymptok.functions.dawson import Dawson
from asymptok.functions.struve import StruveH, StruveL

VALUES: dict[str, Any] = {
    "struveh(0, u)": lambda x: mpmath.struveh(0, x),
    "struvel(1, u)": lambda x: mpmath.struvel(1, x),
    "dawson(u)": lambda x: mpmath.quad(lambda t: mpmath.exp(t**2 - x**2), [0, x]),
}


@pytest.mark.slow
@pytest.mark.parametrize("text", VALUES)
def test_values_and_eigenvalues(text: str) -> None:
    kernel, f = Kernel(text), VALUES[text]
    assert abs(kernel.evaluate("1/3", dps=20) - f(mpmath.mpf(1) / 3)) < 1e-14
    found = eigenvalues(kernel, 3, kmax=3, dps=15)
    assert found.rigorous
    for k in range(4):
        known = mpmath.quad(lambda x, k=k: f(x) * mpmath.legendre(k, x), [-1, 0, 1]) / 2
        assert abs(found[k] - known) < 1e-12


def test_one_parity_is_zero_and_the_other_entire() -> None:
    law = decay("struveh(0, u)")
    assert (law.even.kind, law.odd.kind) == ("zero", "superpolynomial")
    law = decay("struvel(1, u)")
    assert (law.even.kind, law.odd.kind) == ("superpolynomial", "zero")


def test_an_even_function_of_a_root_is_entire() -> None:
    kernel = Kernel("struveh(1, sqrt(1 - u))")
    assert {c.name: str(c.status) for c in check(kernel)}["smooth at +1"] == "proved"
    terms = [(t.exponent, t.coefficient) for t in expand(kernel, at=1, order=2).terms]
    assert terms == [(1, 2 / (3 * sympy.pi)), (2, -2 / (45 * sympy.pi))]


def test_an_odd_function_of_a_root_has_half_powers() -> None:
    found = expand("dawson(sqrt(1 - u))", at=1, order=2)
    assert [(t.exponent, t.coefficient) for t in found.terms] == [(S.Half, 1), (3 * S.Half, -Rational(2, 3))]


@pytest.mark.slow
def test_certificates() -> None:
    rises = certify("struvel(0, u)", 3)
    assert rises.proved and rises.positive_definite and rises.odd.law.value == "entire"
    for text in ("struveh(0, u)", "dawson(u)"):
        certificate = certify(text, 3)
        assert certificate.proved and not certificate.positive_definite
        assert certificate.even.law.value == "zero" and certificate.upper(51) < 1e-40


@pytest.mark.slow
def test_a_file_is_checked_again() -> None:
    certificate = certify("struveh(1, sqrt(1 - u))", 3)
    again = type(certificate).from_json(certificate.to_json())
    assert again.recheck().holds


def test_the_second_branch_of_w() -> None:
    kernel = Kernel(sympy.LambertW((u - 3) / 15, -1))
    assert decay(kernel).even.kind == "geometric"
    found = eigenvalues(kernel, 3, kmax=2, dps=15)
    assert found.rigorous
    for k in range(3):
        known = mpmath.quad(
            lambda x, k=k: mpmath.lambertw((x - 3) / 15, -1).real * mpmath.legendre(k, x), [-1, 0, 1]
        )
        assert abs(found[k] - known / 2) < 1e-12
    slope = expand(kernel, at=1, order=1).terms[1].coefficient
    assert abs(slope.n(20) + mpmath.diff(lambda x: mpmath.lambertw((x - 3) / 15, -1).real, 1)) < 1e-10


def test_displays() -> None:
    assert latex(StruveH(0, u)) == r"\mathbf{H}_{0}\left(u\right)"
    assert latex(StruveL(2, u) ** 2) == r"\left(\mathbf{L}_{2}\left(u\right)\right)^{2}"
    assert str(Dawson(sqrt(u))) == "F(sqrt(u))"
