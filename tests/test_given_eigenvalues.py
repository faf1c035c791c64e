"""Eigenvalues that are given come back as given; what is neglected of the sum is bounded; nothing else is claimed."""

from __future__ import annotations

import contextlib
import json
import pickle
from fractions import Fraction
from math import comb, lgamma, log

import mpmath
import numpy as np
import pytest
import sympy
from forged import is_proved_again
from mpmath import mp
from sympy import Integer, Rational, oo

from asymptok import (
    AsymptokError,
    Kernel,
    certify,
    check,
    consequences,
    decay,
    eigenvalue_formula,
    eigenvalues,
    k,
    kernels,
    same_rkhs,
    u,
    verify,
)
from asymptok import d as dimension
from asymptok.functions.zonal import zonal_series
from asymptok.kernels.at_infinity import Infinity, harmonics_above
from asymptok.kernels.given import cut, rest_beyond, zonal_value
from asymptok.precision import flint_precision
from asymptok.proofs.certificate import Certificate
from asymptok.proofs.expressions import to_nodes
from asymptok.proofs.files import digest

DEGREES = (0, 1, 2, 3, 15, 16, 26, 27, 64, 1000, 10**6, 10**12)

#: formula, dimension, exponent and constants of even and odd mu_k (None: faster), whether all mu_k >= 0
LAWS = [
    ("1/(k+1)**20", 3, 20, (1, 1), True),
    ("1/(k+1)**14", 3, 14, (1, 1), True),
    ("(k*(k+1)+1)**(-8)", 3, 16, (1, 1), True),
    ("1/(k+1)**3", 3, 3, (1, 1), True),
    ("(3 + k*(k + d - 2))**(-5/2)", 4, 5, (1, 1), True),
    ("(2 + (-1)**k)/(k+1)**(7/2)", 2, "7/2", (3, 1), True),
    ("(1 + (-1)**k)/(k+1)**4", 3, 4, (2, 0), True),
    ("(-1)**k/(k+1)**4 + 2**(-k)", 3, 4, (1, -1), False),
    ("1/(k+1) - 1/(k+2)", 2, 2, (1, 1), True),
    ("(k-3)**2/(k+1)**7", 4, 5, (1, 1), True),
    ("(k-3)/(k+1)**6", 3, 5, (1, 1), False),
    ("-1/(k+1)**4", 3, 4, (-1, -1), False),
    ("sqrt(k+2)/(k**4+1)", 3, "7/2", (1, 1), True),
    ("pi*exp(-1/(k+1))/(k+1)**6", 5, 6, ("pi", "pi"), True),
    ("exp(-k*(k + d - 2)/5)", 3, None, None, True),
    ("2**(-k)/(k+1)", 3, None, None, True),
    ("(1 - (-1)**k)*exp(-k**2)", 3, None, None, True),
    ("1/gamma(k+1)", 4, None, None, True),
]


def law_of(text: str, d: int) -> sympy.Expr:
    return sympy.sympify(text, {"k": k, "d": dimension}).subs(dimension, d)


def number(d: int, n: int) -> int:
    return 1 if n == 0 else (2 * n + d - 2) * comb(n + d - 3, d - 2) // n


def summed(law: sympy.Expr, d: int, x: mpmath.mpf, last: int) -> mpmath.mpf:
    """The sum up to a degree, by the recurrence of the polynomials."""
    mu = sympy.lambdify(k, law, "mpmath")
    before, here = mp.mpf(0), mp.mpf(1)
    total = mp.mpf(0)
    for n in range(last + 1):
        total += mu(mp.mpf(n)) * number(d, n) * here
        following = x * here if n == 0 else ((2 * n + d - 2) * x * here - n * before) / (n + d - 2)
        before, here = here, following
    return total


@pytest.mark.slow
@pytest.mark.parametrize(("text", "d", "power", "constants", "positive"), LAWS)
def test_what_is_given_comes_back(
    text: str, d: int, power: object, constants: object, positive: bool
) -> None:
    kernel, law = Kernel.from_eigenvalues(text, d), law_of(text, d)
    degrees = tuple(n for n in DEGREES if n <= 1000 or not any(s in text for s in ("2**", "exp(-k", "gamma")))
    found = eigenvalues(kernel, d, ks=degrees, dps=40)
    assert found.rigorous
    formula = eigenvalue_formula(kernel)
    twice = eigenvalues(2 * kernel - Kernel("u**2/3"), d, ks=degrees[3:], dps=40)
    with mp.workdps(60):
        for n in degrees:
            exact = mpmath.mpmathify(law.subs(k, n).evalf(60))
            assert abs(found[n] - exact) <= found.error(n) <= abs(exact) * mp.mpf(10) ** -39
            assert sympy.N(formula.subs({k: n, dimension: d}) - law.subs(k, n), 20) == 0 or n > 10**3
            if n >= 3:
                assert abs(twice[n] - 2 * exact) <= abs(exact) * mp.mpf(10) ** -38
    assert (
        eigenvalues(kernel, d, ks=[8, 9], method="closed_form").method(8 if "1 + (-1)" in text else 9)
        == "closed_form"
    )


@pytest.mark.slow
@pytest.mark.parametrize(("text", "d", "power", "constants", "positive"), LAWS)
def test_the_law_and_the_signs_are_those_of_the_formula(
    text: str, d: int, power: object, constants: object, positive: bool
) -> None:
    kernel, law = Kernel.from_eigenvalues(text, d), law_of(text, d)
    found, proof = decay(kernel), certify(kernel, d)
    assert proof.positive_definite is positive and proof.proved
    assert proof.recheck().failures == ()
    assert check(kernel, d)["positive definite"].status == ("proved" if positive else "refuted")
    if not positive:
        assert law.subs(k, proof.offending).is_negative
    assert Certificate.from_json(proof.to_json()) == proof
    for n in (0, 5, 6, 40, 41, 1000):
        exact = mpmath.mpmathify(law.subs(k, n).evalf(40))
        assert proof.lower(n) <= exact <= proof.upper(n)
    for side, claim, index in ((found.even, proof.even, 0), (found.odd, proof.odd, 1)):
        if constants is None:
            assert side.kind in ("superpolynomial", "geometric", "zero")
            continue
        wanted = sympy.sympify(constants[index])
        if wanted == 0:
            assert side.kind == "zero" and claim.zero_from == side.zero_from
            continue
        assert side.kind == "algebraic" and side.exponent(d) == -sympy.sympify(power)
        assert sympy.N(side.constant(d) - wanted, 20) < 1e-15
        for n in (claim.k0, claim.k0 + 2, 10**4 + index):
            scaled = law.subs(k, n) * Integer(n) ** sympy.sympify(power)
            assert Rational(claim.low) <= scaled.evalf(30) <= Rational(claim.high)


@pytest.mark.slow
@pytest.mark.parametrize(("text", "d"), [(law[0], law[1]) for law in LAWS[::2]])
def test_values_against_the_sum(text: str, d: int) -> None:
    """The tail of the sum up to 400, by the integral of the law, is what may lie between the two."""
    kernel, law = Kernel.from_eigenvalues(text, d), law_of(text, d)
    mu = sympy.lambdify(k, law, "mpmath")
    with mp.workdps(30):
        tail = sum(abs(mu(mp.mpf(n))) * number(d, n) for n in range(401, 3000))
        tail += 3000 * abs(mu(mp.mpf(3000))) * number(d, 3000) * 4
        for x in ("1/3", "-1", "1", "-99/100"):
            point = Fraction(x)
            value = kernel.evaluate(point, dps=20)
            plain = summed(law, d, mp.mpf(point.numerator) / point.denominator, 400)
            assert abs(value - plain) <= tail + abs(value) * mp.mpf(10) ** -20
            assert kernel(float(point)) == pytest.approx(float(value), rel=1e-12, abs=1e-13)
    assert 0 <= kernel.neglected < 1e-14


@pytest.mark.slow
def test_values_known_in_closed_form() -> None:
    """Sums that are zeta values at the ends, and the whole function for 1/(k (k+1)) on S^2."""
    with mp.workdps(40):
        kernel = Kernel.from_eigenvalues("1/(k+1)**3", 3)
        assert abs(kernel.evaluate(1, dps=35) - (2 * mp.zeta(2) - mp.zeta(3))) < mp.mpf(10) ** -34
        kernel = Kernel.from_eigenvalues("1/(k+1)**5", 4)
        assert abs(kernel.evaluate(1, dps=35) - mp.zeta(3)) < mp.mpf(10) ** -34
        assert abs(kernel.evaluate(-1, dps=35) - mp.altzeta(3)) < mp.mpf(10) ** -34
        # d = 2: 1 + 2 sum cos(k x)/(k^2 + 1) = pi cosh(pi - x)/sinh(pi)
        kernel = Kernel.from_eigenvalues("1/(k**2 + 1)", 2)
        for x in (Rational(1), Rational(0), Rational(1, 2), Rational(-9, 10), Rational(-1)):
            exact = mp.pi * mp.cosh(mp.pi - mp.acos(mp.mpf(x.p) / x.q)) / mp.sinh(mp.pi)
            assert abs(kernel.evaluate(x, dps=30) - exact) < mp.mpf(10) ** -29


@pytest.mark.slow
def test_poisson_and_arc_cosine_eigenvalues() -> None:
    """What has a closed form as a function has the same values by its eigenvalues alone."""
    given = Kernel.from_eigenvalues("2**(-k)*(k+1)/(k+1)", 3)
    assert given(0.3) == pytest.approx(kernels.poisson("1/2", 3)(0.3), rel=1e-14)
    beside = Kernel.from_eigenvalues("2**(-k) + 1/(k+1)**9", 3)
    alone = Kernel.from_eigenvalues("1/(k+1)**9", 3)
    with mp.workdps(30):
        gap = beside.evaluate("1/3", dps=25) - alone.evaluate("1/3", dps=25)
        assert abs(gap - kernels.poisson("1/2", 3).evaluate("1/3", dps=25)) < mp.mpf(10) ** -23
    # (1-u)^(3/2) on S^2 has mu_k = C Gamma(k-3/2)/Gamma(k+7/2): at integers a product of half-integers
    product = sympy.Mul(*((2 * k + 2 * j - 3) / 2 for j in range(5)))
    shape = Kernel.from_eigenvalues(1 / product, 3)
    scale = eigenvalues("(1-u)**(3/2)", 3, ks=[0])[0] / eigenvalues(shape, 3, ks=[0])[0]
    for x in (-0.9, 0.1, 0.8):
        assert float(scale) * shape(x) == pytest.approx((1 - x) ** 1.5, abs=1e-12)


@pytest.mark.parametrize(
    ("mu", "message"),
    [
        ("k**-3", "k = 0"),
        ("1/(k-5)**4", "k = 5"),
        ("1/(k-100)**4", "k = 100"),
        ("sqrt(k-3)/(k+1)**6", "k = 0"),
        ("1/(k+1)**2", "finite only for a power below -2"),
        ("(-1)**k/(k+1)**2", "finite only"),
        ("(-1)**k", "finite only"),
        ("1 + 0*k", "finite only"),
        ("2**k", "how fast"),
        ("cos(k)/(k+1)**4", "how fast"),
        ("exp(k)/(k+1)", "how fast"),
        ("log(k+1)/(k+1)**5", "how fast"),
        ("(k+1)**(-pi)", "how fast"),
        ("I*exp(-k)", "finite real|how fast|not real|unknown|real"),
    ],
)
def test_formulas_without_a_kernel(mu: str, message: str) -> None:
    with pytest.raises(AsymptokError, match=message):
        Kernel.from_eigenvalues(mu, 3)


@pytest.mark.slow
def test_what_is_not_linear_does_not_pretend() -> None:
    kernel = Kernel.from_eigenvalues("1/(k+1)**6", 3)
    for other in (kernel * kernel, kernel.compose("u/2"), kernel * Kernel("exp(u)"), kernel**2):
        for question in (
            lambda other=other: eigenvalues(other, 3, kmax=2),
            lambda other=other: decay(other),
            lambda other=other: eigenvalues(other, 3, kmax=2, method="closed_form"),
        ):
            with pytest.raises(AsymptokError):
                question()
        assert certify(other, 3).positive_definite is None and not certify(other, 3).proved
    for question in (lambda: eigenvalues(kernel, 5, kmax=2), lambda: eigenvalues(kernel, 2, ks=[9])):
        with pytest.raises(AsymptokError, match="dimension d = 3"):
            question()
    assert (
        certify(kernel, 4).positive_definite is None
        and check(kernel, 4)["positive definite"].status == "unknown"
    )
    assert same_rkhs(kernel, kernel, 4).same is None
    two = kernel + Kernel.from_eigenvalues("1/(k+1)**6", 5)
    with pytest.raises(AsymptokError):
        eigenvalues(two, 3, kmax=2)


@pytest.mark.slow
def test_what_is_linear_keeps_them() -> None:
    kernel = Kernel.from_eigenvalues("1/(k+1)**6", 3)
    mixed = (
        kernel * 3
        + kernels.laplace()
        - Kernel.from_eigenvalues("exp(-k**2)", 3) / 7
        + kernel.compose("-u")
        + 5
    )
    found, laplace = (eigenvalues(x, 3, kmax=12, dps=25) for x in (mixed, kernels.laplace()))
    with mp.workdps(30):
        for n in range(13):
            exact = (
                (3 + (-1) ** n) * mp.mpf(n + 1) ** -6
                - mp.exp(-(mp.mpf(n) ** 2)) / 7
                + laplace[n]
                + 5 * (n == 0)
            )
            assert abs(found[n] - exact) < mp.mpf(10) ** -23
    assert decay(mixed).even.exponent(3) == -3
    assert eigenvalues(kernel - kernel, 3, kmax=3).values == (0,) * 4
    # u shifts degrees: mu_k(u kappa) = ((k+1) mu_(k+1) + k mu_(k-1))/(2k+1)
    shifted = eigenvalues(kernel * Kernel("u"), 3, kmax=6, dps=25)
    for n in range(1, 7):
        exact = (Rational(n + 1, (n + 2) ** 6) + Rational(n, n**6)) / (2 * n + 1)
        assert abs(shifted[n] - mpmath.mpf(exact.p) / exact.q) < 1e-14


@pytest.mark.slow
def test_same_spaces() -> None:
    kernel = Kernel.from_eigenvalues("1/(k+1)**3", 3)
    assert same_rkhs(kernel, kernels.laplace(), 3).same is True
    assert same_rkhs(kernel, Kernel.from_eigenvalues("(2+(-1)**k)/(k+5)**3", 3), 3).same is True
    assert same_rkhs(kernel, Kernel.from_eigenvalues("1/(k+1)**4", 3), 3).same is False
    assert same_rkhs(kernel, Kernel.from_eigenvalues("(1+(-1)**k)/(k+1)**3", 3), 3).same is False
    heat = Kernel.from_eigenvalues("exp(-k*(k+1))", 3)
    assert same_rkhs(heat, kernel, 3).same is False and same_rkhs(heat, 2 * heat, 3).same is True
    found = same_rkhs(kernel, Kernel.from_eigenvalues("7/(k+1)**3", 3), 3)
    low, high = found.bounds
    assert found.same is True and low <= mpmath.mpf(1) / 7 <= high


@pytest.mark.slow
def test_a_forged_formula_is_not_proved() -> None:
    body = json.loads(certify(Kernel.from_eigenvalues("1/(k+1)**4", 3), 3).to_json())
    for change in (
        lambda b: b["bounds"][0].update(plus="1e-9"),
        lambda b: b["terms"][0].update(coefficient=["1", "2"]),
        lambda b: b["small"][5].update(lower="1", upper="2"),
        lambda b: b["parities"]["even"].update(b="1e-3"),
        lambda b: b.update(positive_definite=False, offending=3),
        lambda b: b.update(dimension=4),
    ):
        forged = json.loads(json.dumps(body))
        change(forged)
        with contextlib.suppress(AsymptokError):
            assert not Certificate.from_json(forged | {"digest": digest(forged)}).recheck().holds


@pytest.mark.slow
def test_it_is_kept_as_an_object() -> None:
    kernel = Kernel.from_eigenvalues("1/(k+1)**4 + (-1)**k*exp(-k)", 3)
    again = pickle.loads(pickle.dumps(kernel))
    assert again == kernel and again(0.3) == kernel(0.3)
    points = np.linspace(-1, 1, 7)
    assert np.allclose(kernel(points), [float(kernel.evaluate(x)) for x in points], rtol=1e-12)
    X = np.eye(3)
    assert np.allclose(kernel.gram(X), kernel(X @ X.T), atol=1e-13)
    slope = kernel.diff().expr
    assert ("ZonalSeries" in str(slope) and "ZonalSeries" in sympy.latex(slope)) or r"\sum" in sympy.latex(
        slope
    )


# the bounds themselves -----------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("d", [2, 3, 6])
@pytest.mark.parametrize("text", ["1/(k+1)**7", "sqrt(k+2)/(k**7+3)", "exp(-1/(k+1))*(k+1)**(-13/2)"])
def test_the_rest_beyond_a_degree_is_bounded_and_no_more(text: str, d: int) -> None:
    """The bound of sum_(k >= start) N |rest| against the sum itself: not below it, and not far above."""
    law = law_of(text, d)
    with flint_precision(320):
        part, left, g = rest_beyond(law, d, 4, 64)
        bound = harmonics_above(left, d, 63, g)
    total = mp.mpf(0)
    with mp.workdps(60):
        for n in range(64, 1500):
            mine = mpmath.mpmathify(law.subs(k, n).evalf(60)) - mpmath.mpf(
                part.eigenvalue(n, 320).str(60, radius=False)
            )
            total += number(d, n) * abs(mine)
        assert total <= mpmath.mpf(bound.str(30, radius=False)) * (1 + mp.mpf(10) ** -20) <= 2 * total


@pytest.mark.parametrize("s", ["2", "3/2", "7/4", "-1/2", "11"])
def test_gamma_ratios_followed_to_infinity(s: str) -> None:
    """The model of Gamma(N+1/2-s)/Gamma(N+1/2+s) encloses it, with a rest that is of the size of the next term."""
    from flint import arb, fmpq

    x = Fraction(s)
    shift = fmpq(x.numerator, x.denominator)
    with flint_precision(300):
        infinity = Infinity(sympy.sqrt(k), 3, 60, 20)
        model = infinity.ratio(shift)
        for n in (60, 61, 500, 10**5):
            middle = arb(fmpq(2 * n + 1, 2))
            v = middle ** (-arb(1) / infinity.roots)
            value = sum((c * v**i for i, c in enumerate(model.c)), arb(0))
            error = arb(0, model.rest.upper()) * v ** len(model.c)
            exact = ((middle + fmpq(1, 2) - shift).lgamma() - (middle + fmpq(1, 2) + shift).lgamma()).exp()
            scaled = exact / v**model.power
            assert (value + error).contains(scaled)
            assert n < 500 or bool(model.rest * v ** len(model.c) < 1e-9)


@pytest.mark.slow
def test_wide_balls_hold_the_values() -> None:
    from flint import arb

    law = law_of("1/(k+1)**4", 3)
    kernel = Kernel.from_eigenvalues("1/(k+1)**4", 3)
    with flint_precision(80):
        for centre, radius in (("0.2", "0.1"), ("0.9", "0.1"), ("-0.95", "0.05"), ("0.999999", "0.000001")):
            box = zonal_value(law, 3, arb(centre, radius))
            for step in range(-4, 5):
                x = Fraction(centre) + Fraction(radius) * step / 5
                assert box.contains(arb(mpmath.mpf(kernel.evaluate(x, dps=18))))
        assert not zonal_value(law, 3, arb(2)).is_finite()


def test_a_cut_of_a_fast_formula_is_bounded() -> None:
    """2^-k/(k+1) on S^2: the trace beyond the last degree against the bound."""
    law = law_of("2**(-k)/(k+1)", 3)
    found = cut(law, 3, 40)
    with mp.workdps(40):
        rest = mp.nsum(lambda n: (2 * n + 1) * mp.mpf(2) ** -n / (n + 1), [len(found.c), mp.inf])
        bound = mpmath.mpf(found.neglected.str(20, radius=False))
        assert rest <= bound * (1 + mp.mpf(10) ** -15) <= 3 * rest
    assert u in Kernel.from_eigenvalues("2**(-k)/(k+1)", 3).expr.free_symbols


def test_degrees_of_which_no_number_is_written_down() -> None:
    kernel = Kernel.from_eigenvalues("(-1)**k/(k+1)**4 + 2**(-k)", 3)
    found = eigenvalues(kernel, 3, ks=[10**12, 10**12 + 1], dps=20)
    with mp.workdps(30):
        for n in found.ks:
            assert abs(found[n] * mp.mpf(n + 1) ** 4 - (-1) ** n) < mp.mpf(10) ** -19
    assert eigenvalues(Kernel.from_eigenvalues("2**(-k)/(k+1)", 3), 3, ks=[10**9])[10**9] > 0


@pytest.mark.slow
def test_laws_of_formulas_are_verified_and_mean_something() -> None:
    kernel = Kernel.from_eigenvalues("1/(k+1)**3", 3)
    assert verify(kernel, 3, kmax=30, referee=()).passed
    found = consequences(kernel, 3)
    assert found.sobolev_order.value == Rational(3, 2) and found.holder_exponent.value is None


@pytest.mark.parametrize(
    "law", [2**-k + 1 / (k + 1) ** 6, 2**k, sympy.gamma(k + 1), (1 + 2**-k) / (k + 1) ** 6]
)
def test_a_file_with_eigenvalues_that_no_kernel_is_given_by(law: sympy.Expr) -> None:
    body = json.loads(certify(Kernel.from_eigenvalues("2**(-k)/(k+1)", 3), 3).to_json())
    assert is_proved_again(body)
    assert not is_proved_again(body | {"kernel": {"nodes": to_nodes(zonal_series(law, 3)(u))}})


@pytest.mark.slow
@pytest.mark.parametrize("text", ["1/(k+50)**6", "1/(k+20)**9", "1/((k-101/2)*(k+1)**4)"])
def test_values_at_doubles_do_not_cancel(text: str) -> None:
    kernel = Kernel.from_eigenvalues(text, 4)
    places = np.array([-1.0, -0.7, 0.3, 1.0])
    exact = [float(kernel.evaluate(Rational(x), dps=16)) for x in places]
    assert kernel(places) == pytest.approx(exact, rel=1e-12)


def test_what_is_neglected_grows_with_the_factor() -> None:
    kernel = Kernel.from_eigenvalues("1/(k+1)**(5/2)", 3)
    assert (10**20 * kernel).neglected == pytest.approx(float(10**20 * kernel.neglected))
    with pytest.raises(AsymptokError, match="products"):
        _ = (kernel * kernel).neglected


@pytest.mark.parametrize(
    ("text", "kind", "rho"),
    [
        ("2**(-k)*gamma(k+1/2)/gamma(k+1)", "geometric", 2),
        ("3**(-k-1/(k+1))", "geometric", 3),
        ("2**(-k)/gamma(k+1)", "superpolynomial", None),
        ("exp(-k*(k+d-2)/5)", "superpolynomial", None),
    ],
)
def test_how_fast_formulas_fall(text: str, kind: str, rho: int | None) -> None:
    law = decay(Kernel.from_eigenvalues(text, 3)).even
    assert (law.kind, law.rho) == (kind, rho)


def test_parameters_of_a_formula() -> None:
    text = "(c + k*(k + d - 2))**(-5/2)"
    whole = Kernel.from_eigenvalues(text, 3, parameters={"c": 2})
    cut = Kernel.from_eigenvalues(text, 3, degree=4, parameters={"c": (0, oo)})
    assert [s.name for s in cut.parameters] == ["c"]
    for kernel in (whole, cut.subs(c=2)):
        found = eigenvalues(kernel, 3, kmax=3).to_numpy()
        assert np.allclose(found, [(2 + j * (j + 1)) ** -2.5 for j in range(4)], rtol=1e-14)
    with pytest.raises(AsymptokError, match="degree="):
        Kernel.from_eigenvalues(text, 3, parameters={"c": (0, oo)})


def test_logarithms_of_what_is_no_double() -> None:
    """exp(u - 1): Gamma(d/2) 2^(d/2-1) I_(k+d/2-1)(1), about (1/2)^k Gamma(d/2)/Gamma(k+d/2) before exp(-1)."""
    d, k = 3072, 150
    spectrum = eigenvalues(kernels.exponential(), d, ks=[0, k])
    wanted = lgamma(d / 2) - lgamma(k + d / 2) - k * log(2)
    assert spectrum.to_numpy()[1] == 0 and abs(spectrum.log()[1] - spectrum.log()[0] - wanted) < 1e-3
    count = lgamma(k + d - 2) - lgamma(d - 1) - lgamma(k + 1) + log(2 * k + d - 2)
    assert spectrum.log_multiplicities() == pytest.approx([0, count])
