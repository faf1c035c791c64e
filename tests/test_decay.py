"""Decay laws against the table, closed forms and reference integrals."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import mpmath as mp
import numpy as np
import pytest
import reference_integrals as ref
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_table import CASES, Case, Law, tagged
from sympy import Integer, Rational, S, Symbol, gamma, latex, oo, pi, simplify, sqrt, symbols

from asymptok import (
    AsymptokError,
    ExpansionError,
    Kernel,
    PrecisionError,
    Undecided,
    check,
    eigenvalues,
    expand,
    kernels,
)
from asymptok.balls import ball
from asymptok.laws import asymptotic_constant, decay, derive, leading_constant, term_law
from asymptok.laws.evaluate import exact_end
from asymptok.laws.flatness import flat_at_both_ends
from asymptok.laws.numeric import term_balls
from asymptok.laws.parity import polynomial_part_degree
from asymptok.precision import flint_precision
from asymptok.show.law import parity_latex
from asymptok.symbols import d as dim
from asymptok.symbols import k as degree
from asymptok.symbols import u
from asymptok.truth import Truth


def ids(case: Any) -> str:
    return str(case)


def same(a: Any, b: Any) -> bool:
    """Equal as exact expressions, or as numbers to 60 digits where the two are written differently."""
    a, b = S(a), S(b)
    if a == b:
        return True
    if (a - b).free_symbols:
        return bool(simplify(a - b) == 0)
    with flint_precision(256):
        return bool(abs(ball(a - b)) < arb(10) ** -60)


# the table ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", [c for c in CASES if c.nu is not None], ids=ids)
def test_both_ends_have_the_tabled_coefficients(case: Case) -> None:
    law = decay(case.kernel)
    assert same(law.nu, case.nu)
    for at, wanted in ((1, case.plus), (-1, case.minus)):
        expansion = expand(case.kernel, at=at, order=8)
        found = [
            t.coefficient for t in expansion.terms if t.exponent == case.nu and t.log_power == case.log_power
        ]
        assert same(found[0] if found else 0, wanted)


@pytest.mark.parametrize("case", CASES, ids=ids)
@pytest.mark.parametrize("parity", ["even", "odd"])
def test_laws_of_the_table(case: Case, parity: str) -> None:
    found = getattr(decay(case.kernel), parity)
    wanted: Law = getattr(case, parity)
    assert found.kind == wanted.kind
    if wanted.kind == "algebraic":
        assert wanted.nu is not None
        assert same(found.exponent(dim), 1 - dim - 2 * wanted.nu)
        assert same(found.coefficient, wanted.coefficient)
        whole = bool(wanted.nu.is_Integer)
        assert found.log_power == wanted.log_power - (1 if whole else 0)
        for d in (2, 3, 10):
            assert same(
                found.constant(d), wanted.coefficient * leading_constant(d, wanted.nu, wanted.log_power)
            )
    elif wanted.kind == "zero":
        assert found.zero_from == wanted.zero_from
        assert found.constant(3) == 0 and found.exponent(3) == -oo
    elif wanted.kind == "geometric":
        assert same(found.rho, wanted.rho)


def test_constant_in_all_symbols() -> None:
    g, c = symbols("gamma c", positive=True)
    law = decay(kernels.gamma_exponential(g, c))
    assert law.even.exponent(dim) == -dim - g + 1
    by_hand = (
        -c
        * 2 ** (g / 2 + dim - 2)
        * gamma(dim / 2)
        * gamma(g / 2 + (dim - 1) / 2)
        / (sqrt(pi) * gamma(-g / 2))
    )
    assert law.even.constant(dim) == by_hand == law.odd.constant(dim)


# one term, exactly -------------------------------------------------------------------------------------------


def moment_sum(nu: Any, k: int, d: int) -> Any:
    """mu_k of (1-u)^nu from P_k in powers of (1-u)/2 and beta integrals: a finite sum, no asymptotics."""
    half = mp.mpf(d - 1) / 2
    scale = mp.gamma(mp.mpf(d) / 2) / (mp.sqrt(mp.pi) * mp.gamma(half))
    total = mp.mpf(0)
    for j in range(k + 1):
        weight = mp.rf(-k, j) * mp.rf(k + d - 2, j) / (mp.rf(half, j) * mp.factorial(j) * mp.mpf(2) ** j)
        total += weight * 2 ** (nu + j + d - 2) * mp.beta(nu + j + half, half)
    return scale * total


@given(
    nu=st.fractions(min_value=0, max_value=12, max_denominator=40), k=st.integers(0, 40), d=st.integers(2, 30)
)
@settings(max_examples=80)
def test_power_has_the_exact_eigenvalue_for_every_k(nu: Any, k: int, d: int) -> None:
    exponent = fmpq(nu.numerator, nu.denominator)
    with mp.workdps(80):
        wanted = moment_sum(mp.mpf(nu.numerator) / nu.denominator, k, d)
        with flint_precision(400):
            (found,) = term_balls(k, d, arb(exponent), 0)
            value = mp.mpf(found.mid().str(60, radius=False))
        # the sum cancels by at most about 2^(3k) with terms below 2^60
        assert abs(value - wanted) < mp.mpf(10) ** -35
    if nu.denominator > 1:
        exact = term_law(k, d, Rational(nu.numerator, nu.denominator))
        assert ball(exact, prec=400).overlaps(found)


@pytest.mark.parametrize("nu", [Rational(1, 2), Rational(7, 3), Integer(0), Integer(1), Integer(3)])
@pytest.mark.parametrize("j", [1, 2, 3])
@pytest.mark.parametrize(("k", "d"), [(5, 2), (8, 3), (11, 10)])
def test_logarithms_are_derivatives_in_the_exponent(nu: Any, j: int, k: int, d: int) -> None:
    with mp.workdps(90):
        point = mp.mpf(nu.p) / nu.q
        wanted = mp.diff(lambda x: moment_sum(x, k, d), point, j)
    with flint_precision(300):
        found = term_balls(k, d, arb(fmpq(int(nu.p), int(nu.q))), j)[j]
        exact = ball(term_law(k, d, nu, j))
    assert found.overlaps(exact)
    assert abs(mp.mpf(found.mid().str(40, radius=False)) - wanted) < abs(wanted) * mp.mpf(10) ** -14


def test_the_factor_two() -> None:
    """(1-u)^(1/2) in d = 3, k = 1 by hand: (1/2) int (1-u)^(1/2) u du = -2 sqrt(2)/15 (docs/spectrum.md)."""
    assert term_law(1, 3, Rational(1, 2)) == -2 * sqrt(2) / 15
    assert asymptotic_constant(3, Rational(1, 2)) == -sqrt(2) / 4


# reference integrals -----------------------------------------------------------------------------------------

HALF_INTEGER = {
    "ntk 2": (kernels.ntk(2), ref.ntk(2)),
    "ntk 3": (kernels.ntk(3), ref.ntk(3)),
    "random features 2": (kernels.random_features(2), ref.random_features(2)),
    "random features 3": (kernels.random_features(3), ref.random_features(3)),
    "Laplace": (kernels.laplace(), ref.laplace),
    "Matern 1": (kernels.matern(1), ref.matern_one),
}
OTHERS = {
    "ntk 5": (kernels.ntk(5), ref.ntk(5)),
    "gamma sqrt(2)": (kernels.gamma_exponential(sqrt(2)), ref.gamma_exponential(lambda: mp.sqrt(2))),
    "step 3": (kernels.step_features(3), ref.step_features(3)),
    "step 4": (kernels.step_features(4), ref.step_features(4)),
}
SLOW = {
    "ntk 10": (kernels.ntk(10), ref.ntk(10)),
    "random features 6": (kernels.random_features(6), ref.random_features(6)),
    "step 5": (kernels.step_features(5), ref.step_features(5)),
    "gamma 1/pi": (kernels.gamma_exponential(1 / pi), ref.gamma_exponential(lambda: 1 / mp.pi)),
    "Matern 1/2": (kernels.matern(Rational(1, 2)), lambda u: mp.exp(-mp.sqrt(2 * (1 - u)))),
}
DIMENSIONS = (2, 3, 5, 10)


def references(kappa: Any, ks: Any) -> dict[tuple[int, int], Any]:
    return ref.reference(kappa, ks, DIMENSIONS)


@pytest.mark.parametrize("name", HALF_INTEGER)
def test_twelve_terms_at_forty(name: str) -> None:
    kernel, kappa = HALF_INTEGER[name]
    law = decay(kernel)
    for (k, d), value in references(kappa, (40, 41)).items():
        if law.parity(k).kind == "zero":
            assert abs(value) < mp.mpf(10) ** -38
            continue
        found = law.estimate(k, d, terms=12, dps=40)
        assert found.terms == 12
        assert abs(found.value - value) < abs(value) * mp.mpf(10) ** -18
        assert abs(found.value - value) <= found.error


def check_claims(kernel: Kernel, kappa: Any, ks: tuple[int, ...]) -> None:
    """The error that is claimed covers the true one, for a fixed number of terms and for digits asked for."""
    law = decay(kernel)
    for (k, d), value in references(kappa, ks).items():
        for terms in (1, 3, 12):
            found = law.estimate(k, d, terms=terms, dps=40)
            assert abs(found.value - value) <= found.error, (k, d, terms)
        for dps in (25, 12, 6, 3):
            try:
                found = law.estimate(k, d, dps=dps)
            except PrecisionError:
                continue
            assert abs(found.value - value) <= found.error <= abs(value) * mp.mpf(10) ** -dps, (k, d, dps)


@pytest.mark.parametrize("name", OTHERS)
def test_claims_hold(name: str) -> None:
    check_claims(*OTHERS[name], (11, 16, 40, 41))


@pytest.mark.slow
@pytest.mark.parametrize("name", [*HALF_INTEGER, *SLOW])
def test_claims_hold_everywhere(name: str) -> None:
    kernel, kappa = {**HALF_INTEGER, **SLOW}[name]
    ks = tuple(k for k in (6, 9, 10, 15, 20, 25, 30, 40, 41, 50) if decay(kernel).parity(k).kind != "zero")
    check_claims(kernel, kappa, ks)


@pytest.mark.parametrize("n", range(5))
@pytest.mark.parametrize("d", [2, 3, 5])
def test_arc_cosine_closed_form(n: int, d: int) -> None:
    law = decay(kernels.arc_cosine(n))
    for k in (50, 51):
        with mp.workdps(40):
            lam = (
                mp.gamma(mp.mpf(d) / 2)
                * mp.gamma(n + 1)
                * mp.rgamma(1 + mp.mpf(n - k) / 2)
                / (2 ** (n + 1) * mp.gamma(mp.mpf(n + k + d) / 2))
            )
            exact = 2 ** (n + 1) * mp.gamma(n + mp.mpf(d) / 2) / mp.gamma(mp.mpf(d) / 2) * lam**2
            exact /= mp.fac2(2 * n - 1)
            found = law.evaluate(k, d, dps=22)
            assert abs(found - exact) <= abs(exact) * mp.mpf(10) ** -22


def test_two_layer_ntk_in_three_dimensions() -> None:
    """mu_10 = 0.000295956929524739583333...: the few digits that k = 10 allows are right."""
    law = decay(kernels.ntk(2))
    with pytest.raises(PrecisionError, match="leave about 5"):
        law.evaluate(10, 3, dps=12)
    found = law.estimate(10, 3, dps=5)
    assert abs(found.value - mp.mpf("0.000295956929524739583333")) < found.error
    assert found.digits >= 5


# exact zeros -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "even", "odd"),
    [
        ("acos(u)*(pi - acos(u))", None, -1),
        ("u*acos(-u) + cosh(u)", None, 1),
        ("max(u, 0)", None, 1),
        ("min(u, 1/2) + min(-u, 1/2)", None, -1),
        ("u**3/(4 - u**2) + u**2", 2, None),
        ("asin(u)**3 + u**4", 4, None),
        ("sqrt(1 - u)*sqrt(1 + u)", None, -1),
        ("sqrt(1 - u) + sqrt(1 + u) + u**5", None, 5),
        ("(1 + u**2)/(1 + u**2)*u + exp(u)*exp(-u)", 0, 1),
        ("exp(u)", None, None),
        ("acos(u)**2", None, None),
    ],
)
def test_parity_of_expressions(text: str, even: int | None, odd: int | None) -> None:
    expr = Kernel(text).expr
    assert polynomial_part_degree(expr, 1) == even
    assert polynomial_part_degree(expr, -1) == odd


ATOMS = [
    "u",
    "u**2",
    "acos(u)",
    "acos(-u)",
    "asin(u)",
    "sqrt(1-u**2)",
    "exp(u)",
    "exp(-u)",
    "cosh(u)",
    "abs(u)",
]


@given(
    parts=st.lists(st.sampled_from(ATOMS), min_size=1, max_size=4),
    joins=st.lists(st.sampled_from("+-*"), min_size=3, max_size=3),
)
@settings(max_examples=60)
def test_a_claimed_polynomial_is_one(parts: list[str], joins: list[str]) -> None:
    """The differences of order degree + 1 of kappa(u) + sign kappa(-u) vanish, by balls."""
    text = parts[0] + "".join(f"{j}({p})" for j, p in zip(joins, parts[1:], strict=False))
    expr = Kernel(text).expr
    for sign in (1, -1):
        top = polynomial_part_degree(expr, sign)
        if top is None:
            continue
        with flint_precision(200):
            values = []
            for i in range(top + 3):
                x = Rational(2 * i + 1, 2 * top + 8)
                values.append(ball(expr, {u: x}) + sign * ball(expr, {u: -x}))
            while len(values) > 2:
                values = [b - a for a, b in pairwise(values)]
        assert all(v.contains(0) for v in values)


# beyond the theorem ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "location", "nu"),
    [
        ("abs(u)", 0, 1),
        ("abs(u - 1/3)", Rational(1, 3), 1),
        ("sign(u)", 0, 0),
        ("abs(u)**(3/2)", 0, Rational(3, 2)),
    ],
)
def test_singular_points_inside(text: str, location: Any, nu: Any) -> None:
    law = decay(text)
    found = [p for p in (law.even, law.odd) if p.kind == "oscillatory"]
    assert found
    for parity in found:
        assert parity.interior[0].location == location
        assert parity.exponent(dim) == -dim / 2 - nu


@pytest.mark.parametrize("d", [2, 3, 5])
def test_amplitude_of_a_kink(d: int) -> None:
    """|u| has the closed form mu_k ~ +-constant k^(-d/2-1); the correction is O(1/k)."""
    law = decay("abs(u)")
    constant = mp.mpf(law.even.constant(d).evalf(20))
    errors = []
    for k in (60, 120):
        with mp.workdps(60):
            half = mp.mpf(d - 1) / 2
            scale = 2 * mp.gamma(mp.mpf(d) / 2) / (mp.sqrt(mp.pi) * mp.gamma(half))
            # P_k in powers of u, integrated against u (1-u^2)^((d-3)/2) over (0, 1)
            value = mp.mpf(0)
            for i in range(k // 2 + 1):
                value += _coefficient(k, i, d) * mp.beta(mp.mpf(k - 2 * i + 2) / 2, half) / 2
            value *= scale
        errors.append(abs(abs(value) * mp.mpf(k) ** (mp.mpf(d) / 2 + 1) / constant - 1))
    assert errors[0] < 0.2 and errors[1] < 0.6 * errors[0]


def _coefficient(k: int, i: int, d: int) -> Any:
    """The coefficient of u^(k-2i) in P_k, P_k(1) = 1."""
    a = mp.mpf(d) / 2 - 1
    common = (
        (-1) ** i
        * mp.mpf(2) ** (k - 2 * i)
        * mp.gamma(k - i + a)
        / (mp.factorial(i) * mp.factorial(k - 2 * i))
    )
    if d == 2:
        return common * mp.mpf(k) / 2
    return common / mp.gamma(a) * mp.factorial(k) / mp.rf(2 * a, k)


def test_an_end_that_may_dominate_a_kink() -> None:
    law = decay("sqrt(1-u) + abs(u - 1/4)**5")
    assert law.even.exponent(2) == -2 and law.even.exponent(20) == -15


@pytest.mark.parametrize(
    ("text", "reason"),
    [("1/(u - 1/2)", "pole"), ("sqrt(u)", "complex"), ("exp(1/(1-u))", "faster than every power")],
)
def test_no_kernel_at_all(text: str, reason: str) -> None:
    with pytest.raises(ExpansionError, match=reason):
        decay(text)


@pytest.mark.parametrize("other", [kernels.random_features(2), kernels.random_features(3)], ids=str)
def test_what_lies_behind_the_leading_terms_needs_no_order(other: Kernel) -> None:
    kernel = kernels.gamma_exponential("gamma", "c") * other
    gamma, c = sorted(kernel.parameters, key=lambda s: -len(s.name))
    law = decay(kernel)
    assert law.nu == gamma / 2 and law.even.coefficient == law.odd.coefficient == -c
    # 1 + gamma/2 and 3/2 come in either order
    assert expand(kernel).nu == gamma / 2 and check(kernel).holds


def test_undecided_names_the_assumption() -> None:
    a, b = Symbol("a", positive=True), Symbol("b", positive=True)
    with pytest.raises(Undecided, match="order the exponents"):
        decay(
            Kernel((1 - u) ** a + (1 - u) ** b, parameters={a: (0, Rational(1, 2)), b: (0, Rational(1, 2))})
        )


# numbers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", [c for c in tagged("theorem") if "step" not in c.tags], ids=ids)
def test_far_out_the_law_is_the_series(case: Case) -> None:
    law = decay(case.kernel)
    k = 10**12 + (0 if law.even.kind == "algebraic" else 1)
    parity = law.parity(k)
    leading = mp.mpf(parity.constant(3).evalf(30)) * mp.mpf(k) ** int(parity.exponent(3))
    value = law.evaluate(k, 3, dps=20)
    # gamma ratio against power, and the next half-integer exponent: both relative O(1/k)
    assert abs(value / leading - 1) < mp.mpf(10) ** -11


def test_a_finite_sum_of_powers_is_exact_for_every_k() -> None:
    law = decay("(1-u)**(5/2) + u**2")
    with mp.workdps(50):
        for k in range(5):
            # u^2 = 1 - 2t + t^2
            powers = [(1, 2.5), (1, 2), (-2, 1), (1, 0)]
            wanted = sum(weight * moment_sum(mp.mpf(nu), k, 4) for weight, nu in powers)
            found = law.estimate(k, 4, dps=30)
            assert abs(found.value - wanted) <= found.error + mp.mpf(10) ** -45


@pytest.mark.parametrize(
    ("text", "kappa"),
    [
        ("sqrt(1-u) + 1/(u**2 + 1/100)", lambda u: mp.sqrt(1 - u) + 1 / (u * u + mp.mpf(1) / 100)),
        ("sqrt(1-u) + 1/(5/4 - u)", lambda u: mp.sqrt(1 - u) + 1 / (mp.mpf(5) / 4 - u)),
        (
            "sqrt(1-u) + sqrt((1+u)**5*log(1+u)**2 + 1)",
            lambda u: mp.sqrt(1 - u) + mp.sqrt((1 + u) ** 5 * mp.log(1 + u) ** 2 + 1 if u > -1 else 1),
        ),
        ("sqrt(1-u) + exp(-1/(1+u))", lambda u: mp.sqrt(1 - u) + (mp.exp(-1 / (1 + u)) if u > -1 else 0)),
    ],
)
def test_what_no_power_shows_is_not_forgotten(text: str, kappa: Any) -> None:
    """Poles off the interval and flat ends leave nothing in the series; the claimed error knows about them."""
    law = decay(text)
    poles = "/(" in text and "exp" not in text
    for (k, d), value in ref.reference(kappa, (20, 40), (2, 5), ref.STEP / (4 if poles else 1)).items():
        found = law.estimate(k, d, terms=1)
        assert abs(found.value - value) <= found.error
        if poles:  # their terms are added
            assert abs(law.evaluate(k, d, dps=15) - value) <= abs(value) * mp.mpf(10) ** -14
        else:
            with pytest.raises(PrecisionError, match=r"away from the ends|smallest terms"):
                law.evaluate(k, d, dps=20)


def test_series_and_evaluate_agree() -> None:
    law = decay(kernels.ntk(3))
    for k in (30, 31):
        exact = ball(law.series(k, 5, 4), prec=200)
        found = law.evaluate(k, 5, terms=4, dps=40)
        with mp.workdps(50):
            assert abs(mp.mpf(exact.mid().str(45, radius=False)) - found) < abs(found) * mp.mpf(10) ** -39
    symbolic = law.series(degree, dim, 2)
    assert symbolic.has(gamma) and symbolic.free_symbols == {degree, dim}
    assert ball(symbolic.subs({degree: 30, dim: 5}), prec=200).overlaps(ball(law.series(30, 5, 2), prec=200))


def test_series_with_logarithms_and_parameters() -> None:
    c = Symbol("c", positive=True)
    law = decay(kernels.laplace(c))
    half = Rational(1, 2)
    assert law.series(degree, 3, 1) == -c * asymptotic_constant(3, half) * gamma(degree - half) / gamma(
        degree + 5 * half
    )
    with pytest.raises(AsymptokError, match="subs"):
        law.evaluate(10, 3)
    logs = decay(kernels.matern(1))
    assert same(logs.series(degree, 3, 1), term_law(degree, 3, 1, 1))


def test_zero_and_fast_laws_have_no_series_value() -> None:
    law = decay(kernels.ntk(2))
    assert law.evaluate(7, 3) == 0 and law.series(7, 3) == 0
    with pytest.raises(PrecisionError, match="finitely many"):
        law.evaluate(1, 3)
    with pytest.raises(PrecisionError, match="too small"):
        decay(kernels.erf_network()).evaluate(5, 3)
    with pytest.raises(PrecisionError, match="superpolynomial"):
        decay(kernels.gaussian()).evaluate(5, 3)


@pytest.mark.parametrize(
    ("k", "d", "terms"), [(-1, 3, None), (10, 1, None), (10, 3, 0), (1.5, 3, None), (10, "3.5", None)]
)
def test_bad_arguments(k: Any, d: Any, terms: Any) -> None:
    with pytest.raises(AsymptokError):
        decay(kernels.laplace()).evaluate(k, d, terms=terms)


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_every_law_can_be_shown(case: Case) -> None:
    law = decay(case.kernel)
    assert law.kernel.name is None or law.kernel.name in str(law)
    shown = latex(law)
    assert (r"k \text{ even}" in shown) == (parity_latex(law.even) != parity_latex(law.odd))
    assert (r"C(d, \nu) =" in shown) == ("C(d, " in shown)
    assert "<table" in law._repr_html_() and law._repr_latex_().startswith("$")


# a point inside against an end -------------------------------------------------------------------------------


def angular(kappa: Any, cuts: list[float], ks: Any, d: int) -> dict[int, float]:
    """mu_k by Gauss-Legendre in theta between the cuts, where kappa(cos theta) is analytic."""
    x, weights = np.polynomial.legendre.leggauss(24)
    panels = max(ks) // 12 + 8
    scale = float(mp.gamma(mp.mpf(d) / 2) / (mp.sqrt(mp.pi) * mp.gamma(mp.mpf(d - 1) / 2)))
    found = dict.fromkeys(ks, 0.0)
    edges = [np.linspace(low, high, panels + 1) for low, high in pairwise([0.0, *cuts, np.pi])]
    for low, high in (pair for side in edges for pair in pairwise(side)):
        theta = (low + high) / 2 + x * (high - low) / 2
        c = np.cos(theta)
        value = scale * weights * (high - low) / 2 * kappa(theta) * np.sin(theta) ** (d - 2)
        before, here = np.ones_like(c), c
        for j in range(1, max(ks) + 1):
            if j in found:
                found[j] += float(value @ here)
            before, here = here, ((2 * j + d - 2) * c * here - j * before) / (j + d - 2)
    return found


POINT_AND_END = [
    # |u|/4 + exp(-sqrt(1-u)): a tie in d = 2, limsup (sqrt(2) + 1)/(2 pi)
    ("abs(u)/4 + exp(-sqrt(1-u))", lambda x: abs(np.cos(x)) / 4 + np.exp(-np.sqrt(2) * np.sin(x / 2)), 2, 600),
    ("abs(u)/4 + exp(-sqrt(1-u))", lambda x: abs(np.cos(x)) / 4 + np.exp(-np.sqrt(2) * np.sin(x / 2)), 5, 600),
    # 5 |u|^3 + exp(-sqrt(1-u)): the end below d = 6, a tie there, the point above
    ("5*abs(u)**3 + exp(-sqrt(1-u))",
     lambda x: 5 * abs(np.cos(x)) ** 3 + np.exp(-np.sqrt(2) * np.sin(x / 2)), 3, 600),
    ("5*abs(u)**3 + exp(-sqrt(1-u))",
     lambda x: 5 * abs(np.cos(x)) ** 3 + np.exp(-np.sqrt(2) * np.sin(x / 2)), 6, 80),
    ("5*abs(u)**3 + exp(-sqrt(1-u))",
     lambda x: 5 * abs(np.cos(x)) ** 3 + np.exp(-np.sqrt(2) * np.sin(x / 2)), 9, 80),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "kappa", "d", "top"), POINT_AND_END, ids=[f"{row[0]}, {row[2]}" for row in POINT_AND_END]
)
def test_point_and_end_in_each_dimension(text: str, kappa: Any, d: int, top: int) -> None:
    """exponent(d) and constant(d) speak of the same term: mu_k N^-p tends to them, N = k + (d-2)/2, at its largest."""
    law = decay(text).even
    power, constant = float(law.exponent(d)), float(law.constant(d).evalf())
    errors = []
    for k in (top // 4, top):
        values = angular(kappa, [np.pi / 2], (k, k + 2), d)
        largest = max(abs(v) * (j + (d - 2) / 2) ** -power for j, v in values.items())
        errors.append(abs(largest / constant - 1))
    # what is left has at most half a power of k less: a quarter of the way halves it
    assert errors[1] < 0.62 * errors[0] + 1e-3 and errors[1] < 0.3, errors


def test_the_tie_by_its_closed_form() -> None:
    law = decay("abs(u)/4 + exp(-sqrt(1-u))").even
    assert same(law.constant(2), (sqrt(2) + 1) / (2 * pi)) and law.exponent(2) == -2
    found = law.extremes(2)
    assert found is not None and found.exact
    assert same(found.upper, (sqrt(2) + 1) / (2 * pi)) and same(found.lower, (sqrt(2) - 1) / (2 * pi))
    assert law.exponent(dim) == -dim / 2 - 1
    # max(0, 1 - 2 acos(u)/pi), d = 2: mu_k = (2/pi^2)(1 - cos(k pi/2))/k^2, by one integration by parts
    ramp = decay("max(0, 1 - 2*acos(u)/pi)").even.extremes(2)
    assert ramp is not None and same(ramp.upper, 4 / pi**2) and same(ramp.lower, 0)


def test_the_same_term_for_every_dimension() -> None:
    law = decay("abs(u)**3/100 + exp(-sqrt(1-u))").even
    assert [law.at(n).kind for n in (2, 5, 6, 7)] == ["algebraic", "algebraic", "oscillatory", "oscillatory"]
    assert law.exponent(3) == -3 and same(law.constant(3), sqrt(2) / 4)
    general = law.constant(dim)
    for n in range(2, 10):
        assert same(general.subs(dim, n), law.constant(n))
        assert same(law.exponent(dim).subs(dim, n), law.exponent(n))


@pytest.mark.parametrize("d", [2, 3, 4])
@pytest.mark.parametrize("parity", [0, 1])
def test_rational_angles_attain_less_than_the_amplitude(d: int, parity: int) -> None:
    """|u - 1/2|, theta_0 = pi/3: the phases of one parity repeat after three steps."""
    law = (decay("abs(u - 1/2)").even, decay("abs(u - 1/2)").odd)[parity]
    assert law.attained(d) is Truth.TRUE
    ks = [600 + parity, 602 + parity, 604 + parity]
    values = angular(lambda x: abs(np.cos(x) - 0.5), [np.pi / 3], ks, d)
    largest = max(abs(v) * (k + (d - 2) / 2) ** (d / 2 + 1) for k, v in values.items())
    assert abs(largest / float(law.constant(d).evalf()) - 1) < 0.01


def test_irrational_angles_attain_the_amplitude() -> None:
    law = decay("abs(u - 1/3)").even
    assert law.attained(2) is Truth.TRUE and same(law.constant(2), 4 * sqrt(2) / (3 * pi))
    # cos of a root of a cubic: theta_0/pi is not known to be irrational, and the amplitude is a bound only
    root = decay(Kernel("abs(u**3 + u - 1)")).even
    assert root.kind == "oscillatory" and root.attained(2) is Truth.UNKNOWN


def power_at_zero(nu: Any, k: int, d: int) -> Any:
    """mu_k of |u|^nu (even k) or sign(u) |u|^nu (odd k), by the moments of P_k."""
    front = mp.gamma(mp.mpf(d) / 2) / (mp.sqrt(mp.pi) * mp.mpf(2) ** k)
    ratio = mp.gamma(nu + 1) * mp.rgamma(nu - k + 1)
    return front * ratio * mp.gamma((nu - k + 1) / 2) / mp.gamma((nu + k + d) / 2)


@pytest.mark.parametrize(
    ("text", "nu", "parity", "logs"),
    [("abs(u)*log(abs(u))", 1, 0, 1), ("u*log(abs(u))", 1, 1, 0), ("sqrt(abs(u))*log(abs(u))", 0.5, 0, 1)],
)
@pytest.mark.parametrize("d", [2, 3, 5])
def test_logarithms_inside(text: str, nu: float, parity: int, logs: int, d: int) -> None:
    """The derivative of the closed form in nu; u^n log|u| leaves no logarithm of k."""
    law = (decay(text).even, decay(text).odd)[parity]
    assert law.kind == "oscillatory" and law.log_power == logs
    sizes = []
    for k in (10**3 + parity, 10**6 + parity):
        with mp.workdps(60):
            point, step = mp.mpf(nu), mp.mpf(10) ** -20
            value = (power_at_zero(point + step, k, d) - power_at_zero(point - step, k, d)) / (2 * step)
            sizes.append(abs(value) * mp.mpf(k) ** (mp.mpf(d) / 2 + point))
    constant = mp.mpf(law.constant(d).evalf(20))
    if logs == 0:
        assert abs(sizes[1] / constant - 1) < 1e-4
    else:
        # size = constant log k + const: the slope is the constant
        slope = (sizes[1] - sizes[0]) / (mp.log(10**6 + parity) - mp.log(10**3 + parity))
        assert abs(slope / constant - 1) < 1e-2


def test_a_logarithm_at_an_irrational_place() -> None:
    """log|cos x - cos y| = -log 2 - 2 sum cos(kx) cos(ky)/k: mu_k = -cos(k theta_0)/k in d = 2."""
    law = decay("log(abs(u - 1/3))")
    for side in (law.even, law.odd):
        assert side.exponent(2) == -1 and side.log_power == 0 and same(side.constant(2), 1)


@pytest.mark.parametrize(
    "text", ["exp(-1/abs(u - cos(u)))", "abs(u - cos(u)) + abs(u)**(1/2)*abs(u - cos(u))**(1/3)"]
)
def test_no_amplitude_is_claimed_for_a_point_without_a_name(text: str) -> None:
    try:
        law = decay(text)
    except AsymptokError:
        return
    assert all(side.constant(3) is None for side in (law.even, law.odd) if side.kind == "oscillatory")


def test_assumptions_are_data() -> None:
    assert decay(kernels.ntk(3)).assumes == () and decay("abs(u)").assumes == ()
    law = decay("exp(-sqrt(1-u)) + sqrt(cos(u)**2 - 2*u*cos(u) + u**2)")
    if law.assumes:  # smoothness was not settled
        assert "assumes" in str(law)
        with pytest.raises(PrecisionError, match="assumes"):
            law.evaluate(200, 3, dps=5)
        assert law.estimate(200, 3, terms=1).error == mp.inf


# what SymPy or flint used to raise ----------------------------------------------------------------------------


def test_hidden_zeros_have_no_degree() -> None:
    law = decay("pi*(u**3 - u)")
    assert law.even.zero_from == 0 and law.odd.zero_from == 5
    assert decay("sqrt(2)*(u**5 - u)").odd.zero_from == 7


def test_flat_points_inside_limit_the_digits() -> None:
    """exp(-1/u^2) leaves exp(-c k^(2/3)) in mu_k, which no term of the series shows."""
    law = decay("exp(-1/u**2) + (1-u)**(1/2)")
    with pytest.raises(PrecisionError):
        law.evaluate(40, 3, dps=10)
    with mp.workdps(30):
        true = mp.quad(
            lambda x: (mp.exp(-1 / x**2) if x else 0) * mp.legendre(40, x) / 2, mp.linspace(-1, 1, 33)
        ) + moment_sum(mp.mpf(1) / 2, 40, 3)
    found = law.estimate(40, 3, terms=1)
    assert abs(found.value - true) <= found.error


@pytest.mark.parametrize(
    ("text", "smooth"),
    [
        (
            "exp(-1/(1-u))*sinh(1/(1-u))",
            False,
        ),  # (1 - exp(-2/t))/2 after all, but growth times flat proves nothing
        ("exp(-1/(1-u))*sinh(2/(1-u))", False),
        ("log(exp(-1/(1-u)) + exp(-2/(1-u)))", False),
        ("1/(exp(-1/(1-u)) + exp(-2/(1-u)))", False),
        ("exp(-1/(1-u))*(1-u)**(-5/2)*log(1-u)", True),
        ("cos(exp(-1/(1-u))) + u", True),
        ("sqrt(1 + 2**(-1/(1-u)))", True),
        ("sqrt(2**(-1/(1-u)) + 1 - u)", False),
    ],
)
def test_flat_parts(text: str, smooth: bool) -> None:
    assert flat_at_both_ends(Kernel(text)) is smooth


def test_layers_of_erf_are_not_flat() -> None:
    inner = kernels.erf_network()
    law = decay(inner.compose(inner).compose(inner))
    assert law.even.kind == "zero" and "flat" not in str(law)
    assert "flat" in str(decay("exp(-1/(1-u)) + u"))


def test_an_exact_end_is_an_identity() -> None:
    """Near u = 1 the second kernel is sqrt(1-u), and on (-1, 1) it is smooth: yet it is another function."""
    assert exact_end(Kernel("(1-u)**(5/2) + u**14")) == 1
    assert exact_end(Kernel("where(u > 0, u**40, 0)")) is None
    assert exact_end(Kernel("where(u > 0, sqrt(1-u), sqrt(1-u) + exp(-1/u**2))")) is None
    assert exact_end(Kernel("sqrt(1-u) + (sqrt(u**2)/u - 1)*exp(-1/u**2)")) is None


def test_branches_are_laws_like_the_functions_they_spell_out():
    law, other = decay("Piecewise((u, u > 0), (0, True))"), decay("Max(u, 0)")
    assert law.evaluate(40, 3) == other.evaluate(40, 3) == eigenvalues("Max(u, 0)", 3, ks=[40])[40]
    pieces = "Piecewise((exp(u), u < -1/3), (cos(u), u < 1/2), (u, True))"
    assert abs(decay(pieces).evaluate(41, 4) - eigenvalues(pieces, 4, ks=[41])[41]) < 1e-28


@pytest.mark.parametrize(
    ("text", "even", "odd"),
    [("cos(5*acos(u))", 0, 7), ("cosh(3*acosh(u + 2))", 4, 5), ("LambertW(u*exp(u))**2", 4, 1)],
)
def test_a_polynomial_in_disguise_has_finitely_many_eigenvalues(text: str, even: int, odd: int) -> None:
    """T_5(u), T_3(u + 2), u^2: degrees 5, 3 and 2."""
    law = decay(text)
    assert (law.even.kind, law.even.zero_from) == ("zero", even)
    assert (law.odd.kind, law.odd.zero_from) == ("zero", odd)


@pytest.mark.parametrize("kernel", [kernels.random_features(2), kernels.matern(Rational(3, 2))], ids=str)
def test_the_exponent_does_not_depend_on_the_time_it_takes(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search that is cut short leaves no law with a power of k and without its nu."""
    monkeypatch.setattr(derive, "_SECONDS", 0)
    assert decay(kernel).nu == Rational(3, 2)


def test_a_power_that_ends_inside_has_a_series() -> None:
    """Next to -1 the kernel is 0, and analytic, although x^(3/2) is not analytic at 0."""
    kernel = "max(u - 1/6, 0)**(3/2)"
    value = decay(kernel).evaluate(60, 3, dps=10)
    assert abs(value - eigenvalues(kernel, 3, ks=[60], dps=15)[60]) <= abs(value) * mp.mpf(10) ** -10
