"""verify(): right laws pass, and every kind of wrong law fails."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import mpmath
import numpy as np
import pytest
from kernel_table import CASES, Case
from sympy import Rational, oo, sqrt

from asymptok import AsymptokError, Kernel, kernels
from asymptok.laws import Decay, decay
from asymptok.laws.terms import Lead
from asymptok.spectrum import eigenvalues
from asymptok.verification import verify
from asymptok.verification.double import double_spectrum
from asymptok.verification.fits import correction_exponents, richardson, spread

NUMERIC = [case for case in CASES if not case.kernel.parameters]
# one or two of each family; the others are among the slow tests
SLOW = (
    "Matern", "ntk 4", "ntk 5", "ntk 6", "ntk 10", "step 4", "step 5", "step under", "random features 4",
    "random features 5", "random features 6", "arc-cosine 2", "arc-cosine 4", "arc-cosine 5", "residual",
)  # fmt: skip
FAST_CASES = [case for case in NUMERIC if not case.name.startswith(SLOW)]


# right laws --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", FAST_CASES, ids=str)
def test_the_law_of_every_kernel_of_the_table_passes(case: Case) -> None:
    found = verify(case.kernel, 3, kmax=64, dps=20)
    assert found.passed, found.explain()
    for parity, law in (("even", case.even), ("odd", case.odd)):
        fitted = found.fitted_exponent(parity)
        if law.kind == "algebraic":
            exact = 1 - 3 - 2 * law.nu
            assert abs(fitted - mpmath.mpf(exact.evalf(30))) < mpmath.mpf("1e-3")
        else:
            assert fitted is None


#: every kernel in one other dimension, every dimension with many kernels
_OTHER = (2, 4, 5, 10, 20)


@pytest.mark.slow
@pytest.mark.parametrize(("case", "d"), [(case, _OTHER[i % 5]) for i, case in enumerate(NUMERIC)], ids=str)
def test_the_laws_hold_in_other_dimensions(case: Case, d: int) -> None:
    found = verify(case.kernel, d, kmax=80)
    assert found.verdict != "refuted", found.explain()
    if d < 10 or not case.tags & {"flat", "analytic"}:
        assert found.passed, found.explain()


@pytest.mark.parametrize(
    "text", ["abs(u)", "abs(u - 1/3)", "abs(u) + (1-u)**(1/3)", "Max(u - 1/5, 0)", "sqrt(abs(u - 1/2))"]
)
def test_oscillations_stay_under_their_envelope(text: str) -> None:
    found = verify(text, 3, kmax=100, dps=15)
    assert found.passed, found.explain()


@pytest.mark.parametrize(
    "text", ["1/(1 + u**2) + 1/(5 - 4*u)", "1/(u**2 + u + 1)", "1/(2 + u**2)", "log(3 + u)"]
)
def test_geometric_rates_with_real_and_complex_singular_points(text: str) -> None:
    found = verify(text, 3, kmax=120, dps=20)
    assert {found.even.kind, found.odd.kind} <= {"geometric", "zero"}
    assert found.passed, found.explain()


@pytest.mark.parametrize("kmax", [60, 100, 200])
def test_a_law_that_sets_in_later_is_not_contradicted(kmax: int) -> None:
    # |u| rules in the end, at k of order 10^24
    found = verify("exp(-sqrt(1-u)) + abs(u)/10**12", 3, kmax=kmax, dps=20)
    assert found.verdict == "unknown", found.explain()


@pytest.mark.parametrize(
    "text",
    [
        "abs(u)/10**6 + 1/(u**2 + 1/100)",
        "sqrt(abs(u - 1/2))/10**5 + sqrt(1-u)",
        "abs(u)/10**9 + exp(30*u)",
        "exp(u) + exp(50*u)/10**60",
        "sqrt(1-u)/10**12 + 1/(1001/1000 - u)",
        "abs(u - 9/10) + exp(-10**6*u**2)",
        "abs(u) + 100*sqrt(1-u)",
        "abs(u) + abs(u - 1/50)",
        # essential singularities: mu_k rho^k grows like exp(c k^(1/2)), exp(c k^(2/3))
        "besseli(0, 3/(5 - 2*u))",
        "exp(3/(5 - 2*u))",
        "sqrt(1 - u**4) - besseli(0, 3/(5 - 2*u))",
        "exp(1/(5/2 - u)**2)",
        "exp(1/(2 - u)**3)",
    ],
)
def test_right_laws_are_never_contradicted(text: str) -> None:
    found = verify(text, 3, kmax=70, dps=20)
    assert found.verdict != "refuted", found.explain()


# wrong laws --------------------------------------------------------------------------------------------------

LAWS = [
    kernels.ntk(2),
    kernels.ntk(3),
    kernels.laplace(),
    kernels.matern(Rational(3, 2)),
    kernels.step_features(3),
]


def other_lead(law: Decay, **changes: Any) -> Decay:
    """The law with its leading terms tampered with, its series left alone."""
    sides = {}
    for name, side in (("even", law.even), ("odd", law.odd)):
        if side.lead is not None:
            lead = Lead(side.lead.coefficient, side.lead.nu, side.lead.log_power)
            sides[name] = replace(
                side, lead=replace(lead, **{k: f(getattr(lead, k)) for k, f in changes.items()})
            )
    return replace(law, **sides)


@pytest.mark.parametrize("kernel", LAWS, ids=str)
@pytest.mark.parametrize("factor", [Rational(101, 100), -1])
def test_a_wrong_constant_fails(kernel: Kernel, factor: Any) -> None:
    found = verify(kernel, 3, kmax=60, dps=20, prediction=decay(kernel * factor))
    assert found.verdict == "refuted"
    assert "outside" in found.explain()


@pytest.mark.parametrize("kernel", LAWS[:4], ids=str)
@pytest.mark.parametrize("step", [1, Rational(-1, 100)])
def test_a_wrong_exponent_fails(kernel: Kernel, step: Any) -> None:
    wrong = other_lead(decay(kernel), nu=lambda nu: nu + step)
    assert verify(kernel, 3, kmax=60, dps=20, prediction=wrong).verdict == "refuted"


@pytest.mark.parametrize("kernel", LAWS[:4], ids=str)
def test_a_leading_constant_wrong_by_a_hundredth_fails_even_if_the_series_is_right(kernel: Kernel) -> None:
    wrong = other_lead(decay(kernel), coefficient=lambda c: c * Rational(101, 100))
    assert verify(kernel, 3, kmax=100, dps=20, prediction=wrong).verdict == "refuted"


@pytest.mark.parametrize("kernel", [kernels.ntk(2), kernels.ntk(3), kernels.random_features(3)], ids=str)
def test_swapped_parities_fail(kernel: Kernel) -> None:
    law = decay(kernel)
    swapped = replace(law, even=replace(law.odd, parity="even"), odd=replace(law.even, parity="odd"))
    assert verify(kernel, 3, kmax=60, dps=20, prediction=swapped).verdict == "refuted"


def test_the_sign_of_the_minus_end_matters() -> None:
    # kappa(-u) has the odd eigenvalues of the other sign
    from asymptok import u

    mirrored = Kernel(kernels.ntk(3).expr.subs(u, -u))
    assert not verify(kernels.ntk(3), 3, kmax=60, dps=20, prediction=decay(mirrored)).passed


@pytest.mark.parametrize(
    ("kernel", "other"),
    [
        (kernels.gamma_exponential(Rational(13, 10)), kernels.gamma_exponential(Rational(12, 10))),
        (kernels.laplace(), kernels.gaussian()),
        (kernels.gaussian(), kernels.laplace()),
        (kernels.gaussian(), kernels.cauchy(4)),
        (kernels.cauchy(4), kernels.gaussian()),
        (kernels.cauchy(4), kernels.cauchy(5)),
        (kernels.cauchy(5), kernels.cauchy(4)),
        (kernels.cauchy(4), kernels.polynomial(3)),
        (kernels.polynomial(3), kernels.cauchy(4)),
        (kernels.ntk(3), kernels.ntk(2)),
        (kernels.arc_cosine(1), kernels.arc_cosine(0)),
        (Kernel("abs(u - 1/3)"), decay("abs(u - 1/4)").kernel),
        (Kernel("abs(u - 1/3)"), Kernel("101*abs(u - 1/3)/100")),
        (Kernel("abs(u)"), Kernel("abs(u)**3")),
        (Kernel("sqrt(1-u)*log(1-u)"), Kernel("sqrt(1-u)*log(1-u)*101/100")),
        (Kernel("sqrt(1-u)*log(1-u)"), Kernel("sqrt(1-u)")),
    ],
    ids=str,
)
def test_the_law_of_another_kernel_is_no_pass(kernel: Kernel, other: Kernel) -> None:
    assert not verify(kernel, 3, kmax=80, dps=20, prediction=decay(other)).passed


def test_a_wrong_amplitude_is_contradicted_once_the_fit_has_settled() -> None:
    found = verify("abs(u - 1/3)", 3, kmax=160, dps=20, prediction=decay("21*abs(u - 1/3)/20"))
    assert found.verdict == "refuted", found.explain()


def test_a_claimed_zero_that_is_none_is_named() -> None:
    found = verify(kernels.ntk(3), 3, kmax=20, dps=15, prediction=decay(kernels.ntk(2)))
    assert not found.odd.passed
    assert "mu_3 should vanish" in found.explain()


# the shape of the answer -------------------------------------------------------------------------------------


def test_rows_are_quadruples_with_full_precision() -> None:
    found = verify(kernels.ntk(3), 3, kmax=100, dps=40)
    assert [row.k for row in found.rows] == list(range(101))
    k, mu, predicted, ratio = found.rows[100]
    assert k == 100 and ratio != 1
    assert abs(ratio - 1) < mpmath.mpf("1e-36")
    assert abs(mu - eigenvalues(kernels.ntk(3), 3, ks=[100], dps=40)[100]) < mpmath.mpf("1e-45")
    assert abs(mu / predicted - 1) < 1e-14


def test_the_pass_mark_is_the_next_term_of_the_series() -> None:
    found = verify(kernels.ntk(2), 3, kmax=100)
    at = {c.k: c for c in found.comparisons}
    law = decay(kernels.ntk(2))
    for k in (20, 50, 100):
        one, two = (law.evaluate(k, 3, terms=n) for n in (1, 2))
        next_term = abs(two - one) / abs(one)
        assert next_term < at[k].one_tolerance < 8 * next_term
        assert abs(at[k].one_ratio - 1) < at[k].one_tolerance


def test_the_fit_beats_a_slope() -> None:
    found = verify(kernels.ntk(3), 3, kmax=100)
    spectrum = eigenvalues(kernels.ntk(3), 3, ks=[98, 100])
    slope = mpmath.log(spectrum[100] / spectrum[98]) / mpmath.log(mpmath.mpf(100) / 98)
    assert abs(slope + 3) > 1e-3
    assert abs(found.fitted_exponent("even") + 3) < 1e-8
    assert found.fitted_exponent(0) == found.fitted_exponent("even")
    assert found.parity("even").fitted_error < 1e-6


def test_open_questions_are_no_pass() -> None:
    for kernel, kmax in (
        (kernels.ntk(3), 2),
        (kernels.gaussian(), 6),
        (Kernel("abs(u)"), 5),
        (kernels.polynomial(5), 4),
    ):
        found = verify(kernel, 3, kmax=kmax, dps=15)
        assert found.verdict == "unknown" and not found.passed
        assert "some questions have no answer" in found.explain()


def test_it_speaks() -> None:
    found = verify(kernels.ntk(2), 3, kmax=30, dps=20)
    assert str(found).startswith("NTK, depth 2, d = 3, k = 0..30\n\n~ supported: ")
    assert repr(found) == str(found)
    text = found.explain()
    assert "four times the size of the first terms" in text and "mu_k = 0 exactly for odd k = 3..29" in text
    html = found._repr_html_()
    assert html.count("<table") == html.count("</table>") >= 3 and "NTK, depth 2" in html


@pytest.mark.parametrize("kmax", [0, -1, 2.5, True, "10"])
def test_bad_kmax(kmax: Any) -> None:
    with pytest.raises(AsymptokError, match="kmax"):
        verify(kernels.laplace(), 3, kmax=kmax)


def test_bad_questions() -> None:
    with pytest.raises(AsymptokError, match="dimension"):
        verify(kernels.laplace(), 1)
    with pytest.raises(AsymptokError, match="parity"):
        verify(kernels.laplace(), 3, kmax=8).fitted_exponent("both")
    with pytest.raises(AsymptokError, match="parameter"):
        verify(Kernel("exp(-c*(1-u))", parameters={"c": (0, oo)}), 3)


def test_mpmath_can_be_asked_too() -> None:
    found = verify(kernels.laplace(), 3, kmax=10, dps=12, referee=[2, 3])
    (check,) = [c for c in found.methods if c.name == "mpmath"]
    assert check.passed


# the tools ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("d", [2, 3, 10, 100])
@pytest.mark.parametrize(
    "kernel",
    [
        kernels.ntk(3),
        kernels.laplace(),
        kernels.step_features(4),
        Kernel("abs(u - 1/3)"),
        kernels.poisson(Rational(1, 2), 3),
    ],
    ids=str,
)
def test_the_double_rule_knows_its_error(kernel: Kernel, d: int) -> None:
    exact = eigenvalues(kernel, d, kmax=30, dps=20)
    found = double_spectrum(kernel, d, 30)
    for k in range(31):
        assert abs(found.values[k] - float(exact[k])) <= found.errors[k]
    assert np.max(found.errors) < 1e-9


def test_richardson_eliminates_what_it_is_told() -> None:
    xs = [mpmath.mpf(x) for x in range(10, 100, 2)]
    values = [-3 * mpmath.log(x) + 2 + 5 / x**2 - 7 / x**4 + 1 / x**6 for x in xs]
    powers = [lambda x, e=e: x**-e for e in (2, 4, 6, 8)]
    fit = richardson(xs, values, mpmath.log, powers, 15)
    assert fit is not None and abs(fit.value + 3) < 1e-11
    assert richardson(xs[:2], values[:2], mpmath.log, powers, 15) is None


def test_spread_gives_distinct_points() -> None:
    for count in range(2, 20):
        chosen = spread(range(10, 60, 2), count)
        assert len(set(chosen)) == count and chosen[-1] == 24


def test_correction_exponents_form_a_semigroup() -> None:
    assert correction_exponents([], 3) == [2.0, 4.0, 6.0]
    assert correction_exponents([1.0], 4) == [1.0, 2.0, 3.0, 4.0]
    assert correction_exponents([float(sqrt(2))], 3) == pytest.approx([2**0.5, 2.0, 2 * 2**0.5])


# extremes ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("d", [50, 100])
def test_high_dimensions(d: int) -> None:
    for kernel in (kernels.ntk(3), kernels.laplace(), kernels.arc_cosine(1)):
        found = verify(kernel, d, kmax=60, dps=20)
        assert found.verdict != "refuted", found.explain()


@pytest.mark.slow
def test_high_dimensions_pass_at_degrees_beyond_them() -> None:
    for kernel in (kernels.ntk(3), kernels.laplace(), kernels.arc_cosine(1)):
        assert verify(kernel, 100, kmax=400).passed


def test_a_tiny_and_a_huge_laplace_parameter() -> None:
    tiny = verify(kernels.laplace(Rational(1, 10**6)), 3, kmax=60, dps=20)
    assert tiny.passed, tiny.explain()
    huge = verify(kernels.laplace(1000), 3, kmax=60, dps=20)
    # k is far below c: the asymptotic regime has not begun, and that is said, not hidden
    assert huge.verdict == "unknown", huge.explain()


def test_the_circle() -> None:
    found = verify(kernels.ntk(3), 2, kmax=300, dps=20)
    assert found.passed, found.explain()


@pytest.mark.parametrize(
    ("d", "exponent"),
    [(3, -3.0), (5, -5.0), (6, -6.0), (8, -7.0)],
)
def test_an_end_against_a_kink_is_judged_in_its_dimension(d: int, exponent: float) -> None:
    """Even k: the end leaves k^-d, |u|^3 leaves k^(-d/2-3): the end wins below d = 6 and loses above."""
    found = verify("abs(u)**3/100 + exp(-sqrt(1-u))", d, kmax=80, referee=())
    assert found.passed
    assert abs(float(found.fitted_exponent("even")) - exponent) < 0.01
    if d == 3:
        # what the kink leaves is smaller by k^-1.5 there
        late = [row for row in found.rows if row.k % 2 == 0 and row.k > 40]
        assert late and all(row.ratio is not None and abs(row.ratio - 1) < 0.1 for row in late)


@pytest.mark.parametrize(
    "text",
    [
        # 24 terms below t^8, the last of them the smallest: it does not stand for what follows
        "exp(-10*sqrt(1-u)) + 10**-9*exp(-(1+u)**(1/3))",
        # rho^60 = 1.09 and 2.3: up to k = 60 both fall like powers of k
        "sqrt(1 - u + 10**-6)",
        "log(1 - u + 10**-4)",
    ],
)
def test_a_law_that_holds_is_not_contradicted(text: str) -> None:
    found = verify(text, 3, kmax=60, referee=())
    assert found.verdict != "refuted", found.explain()


def test_a_law_that_sets_in_beyond_a_hundred_is_asked_where_it_has() -> None:
    kernel = kernels.matern(Rational(3, 2), Rational(1, 100))
    found = verify(kernel, 3, dps=15, referee=())
    assert found.passed and found.kmax == 100, found.explain()
    assert found.rows[100].k == 100 and found.rows[-1].k > 200
    assert "degrees up to" in found.explain()
    # whoever asks up to a degree is answered up to that degree, and told which one would do
    short = verify(kernel, 3, kmax=20, dps=15, referee=())
    assert short.verdict == "unknown" and short.rows[-1].k == 20
    assert "would do" in short.explain()
    other = decay(kernels.matern(Rational(3, 2), Rational(1, 101)))
    wrong = verify(kernel, 3, dps=15, referee=(), prediction=other)
    assert wrong.verdict == "refuted", wrong.explain()


def test_a_kernel_that_is_infinite_at_an_end_warns_of_nothing() -> None:
    """asin(u)/sqrt(1-u^2), d = 3: u rounds to 1 at the outermost nodes; numpy's warnings are errors here."""
    assert verify("asin(u)/sqrt(1 - u**2)", 3, kmax=40, dps=15, referee=()).verdict != "refuted"
