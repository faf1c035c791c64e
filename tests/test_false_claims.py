"""Claims that were false once, each with the truth by an elementary argument: answered truly now, or refused.

Nothing here looks at the wording of an answer. A refusal is an AsymptokError, or UNKNOWN.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath as mp
import numpy as np
import pytest
import sympy
from deceptive_numbers import moments
from sympy import (
    Abs,
    Expr,
    Max,
    Piecewise,
    Rational,
    Symbol,
    cos,
    cosh,
    csch,
    erfc,
    exp,
    hyper,
    log,
    oo,
    pi,
    polylog,
    sign,
    sin,
    sinh,
    sqrt,
    tan,
    zeta,
)

from asymptok import (
    AsymptokError,
    Kernel,
    check,
    consequences,
    decay,
    eigenvalues,
    expand,
    kernels,
    puiseux,
    u,
    verify,
)
from asymptok.errors import Impossible, Obstruction, Undecided
from asymptok.laws.derive import decay as one_law
from asymptok.regularity import analyse
from asymptok.theorems import positive
from asymptok.truth import Truth

Claim = Callable[[], Any]


def answer(question: Claim) -> Any:
    """The answer, or None for a refusal; any other exception is a failure of the test."""
    try:
        return question()
    except AsymptokError:
        return None


def refusal(question: Claim) -> AsymptokError | None:
    try:
        question()
    except AsymptokError as error:
        return error
    return None


E1, E2 = exp(-1 / u**2), exp(-2 / u**2)
G = u - cos(u)
X = sqrt(u + 2) - Rational(3, 2)
ERF_LAYER = 2 / pi * sympy.asin(2 * u / 3)


# ------------------------------------------------------------------------------------- smoothness

#: why each is not smooth on (-1, 1): w is a point where it is infinite, jumps, has a kink, or is not real
NOT_SMOOTH: dict[str, Expr] = {
    "pole where (e^w - 1)/w = 42957/25000, w = 0.99999817": u / (exp(u) - 1 - Rational(42957, 25000) * u),
    "double poles where cos w = 9/10": u / (u * cos(u) ** 2 - Rational(9, 5) * u * cos(u) + Rational(81, 100) * u),
    "-1/u^2 + log(1 + E)": log(E1 + E2),
    "e^(1/u^2)/(1 + E)": 1 / (E1 + E2),
    "(e^(1/u^2) - e^(-3/u^2))/2": E1 * sinh(2 / u**2),
    "sign(u) (1 - E^2)/2": sign(u) * E1 * sinh(1 / u**2),
    "|u| (1 + E^2)/2": Abs(u) * E1 * cosh(1 / u**2),
    "|u|/(1 + E)": E1 * Abs(u) / (E1 + E2),
    "(-2)^u": sympy.Integer(-2) ** u,
    "(-1)^u": sympy.Integer(-1) ** u,
    "a negative base": (1 - sqrt(2)) ** u + sqrt(1 - u),
    "a divergent series": hyper([1, 1, 1], [2], u),
    "1F1(1; u; 1/2) has a pole at u = 0": hyper([1], [u], Rational(1, 2)),
    "1F1(1; -2; u) does not exist": hyper([1], [-2], u),
    "the Hurwitz zeta function is 1/u^2 + ...": zeta(2, u),
    "pole at 1 - 2^-20": 1 / (exp(u) - exp(1 - Rational(1, 2**20))),
    "a jump of the derivative of order 40": Piecewise((u, u < 0), (u + u**40, True)),
    "x^2 log|x| beside e^(-1/x^2), at x = sqrt(u+2) - 3/2 = 0": sqrt(X**2 * log(Abs(X) + exp(-1 / X**2)) / 10 + 2),
}  # fmt: skip


@pytest.mark.parametrize("expr", NOT_SMOOTH.values(), ids=NOT_SMOOTH.keys())
def test_what_is_not_smooth_is_not_called_smooth(expr: Expr) -> None:
    kernel = answer(lambda: Kernel(expr))
    if kernel is None:
        return
    found = answer(lambda: analyse(kernel))
    assert found is None or (found.smooth is not Truth.TRUE and found.analytic is not Truth.TRUE)
    report = answer(lambda: check(kernel))
    assert report is None or (report["smooth inside"].holds is not True and report.holds is not True)
    law = answer(lambda: decay(kernel))
    if law is not None:
        # none of these functions is even or odd up to a smooth function, but for |u| and sign(u)
        assert not {law.even.kind, law.odd.kind} <= {"geometric", "superpolynomial", "zero"}


#: why each is smooth on (-1, 1), and whether it is analytic on [-1, 1]
SMOOTH: dict[str, tuple[Any, bool]] = {
    "the constant 10": (Max(u**5 + u, Rational(1, 3) - u / 7, 10), True),
    "1 - 2x/3 + x^2/6, x = 2u": (hyper([-2, 1], [3], 2 * u), True),
    "a polynomial of 3u + 2": (hyper([-2, 1], [3], 3 * u + 2), True),
    "g/(1 - g), g = u - cos u < 1": (1 / (1 / G - 1), True),
    "g^2/(1 + g^2)": (1 / (1 + 1 / G**2), True),
    "flat where g = 0": (exp(-1 / G**2), False),
    "flat where |g| = 0": (exp(-1 / Abs(G)), False),
    "(u^2+4)/(u^2+5)": (1 / (1 + 1 / (u**2 + 4)), True),
    "sinc of cos u - u": (sin(cos(u) - u) / (cos(u) - u), True),
    "1 + u": ((1 - u**2) / (1 - u), True),
    "three layers of erf": (ERF_LAYER.subs(u, ERF_LAYER.subs(u, ERF_LAYER)), True),
    "a tangent without poles": (tan(u / 10 + 100), True),
}


@pytest.mark.parametrize(("expr", "analytic"), SMOOTH.values(), ids=SMOOTH.keys())
def test_what_is_smooth_is_not_called_singular(expr: Expr, analytic: bool) -> None:
    found = analyse(expr)
    assert found.smooth is not Truth.FALSE
    assert found.analytic is not (Truth.FALSE if analytic else Truth.TRUE)
    assert not any(point.proved for point in found.interior)
    assert check(expr)["smooth inside"].holds is not False
    law = answer(lambda: decay(expr))
    if law is not None:
        for side in (law.even, law.odd):
            assert side.kind not in ("oscillatory", "algebraic")
            if analytic:
                assert side.kind != "superpolynomial" or side.rho is oo
            else:
                assert side.kind != "geometric"


def _joukowski(z: Any) -> Any:
    w = mp.mpmathify(z) + mp.sqrt(mp.mpmathify(z) ** 2 - 1)
    return max(abs(w), 1 / abs(w))


@pytest.mark.parametrize(
    ("expr", "nearest"),
    [
        (1 / (1 + 1 / (u**2 + 4)), mp.mpc(0, mp.sqrt(5))),
        (1 / (1 + 1 / (u**2 + 1)), mp.mpc(0, mp.sqrt(2))),
        (tan(u / 10 + 100), 10 * (31.5 * mp.pi - 100)),
        (tan(u / 7 + 31), 7 * (9.5 * mp.pi - 31)),
    ],
    ids=str,
)
def test_rho_is_that_of_a_true_singular_point(expr: Expr, nearest: Any) -> None:
    """(u^2+4)/(u^2+5) is singular at +-i sqrt(5); tan where its argument is pi/2 + j pi, whichever j is nearest."""
    found = analyse(expr)
    if found.rho is None:
        return
    claimed, truth = mp.mpf(str(sympy.N(found.rho, 15))), _joukowski(nearest)
    if found.ellipse.attained:
        assert abs(claimed - truth) < 1e-9 * truth
    if found.ellipse.complete:
        assert claimed <= truth * (1 + mp.mpf(10) ** -9)


# ------------------------------------------------------------------------------------- refusals and names


def test_a_word_in_a_message_refutes_nothing() -> None:
    """Li_2(-1/t) = -pi^2/6 - (log t)^2/2 - Li_2(-t), so both forms are t^(1/2) plus t^2 times squares of logs."""
    t = 1 - u
    written = sqrt(t) + t**2 * polylog(2, -1 / t)
    inverted = sqrt(t) + t**2 * (-(pi**2) / 6 - log(t) ** 2 / 2 - polylog(2, -t))
    assert check(written).holds is not False
    assert check(inverted).holds is not False


def test_the_name_of_a_parameter_changes_no_verdict() -> None:
    """csch(v/t) is flat at t = 0 for v > 0, whatever v is called."""
    verdicts = []
    for name in ("v", "oscillates", "unbounded", "supported"):
        v = Symbol(name, positive=True)
        verdicts.append([c.status for c in check(sqrt(1 - u) + csch(v / (1 - u)))])
    assert all(verdict == verdicts[0] for verdict in verdicts)
    assert "refuted" not in verdicts[0]


def test_unbounded_is_not_indefinite() -> None:
    """(1-u)^(-1/4) = sum of (1/4)_n/n! u^n: all mu_k > 0."""
    assert check("(1-u)**(-1/4)", 3)["positive definite"].status != "refuted"


def test_all_dimensions_are_no_easier_than_three() -> None:
    """mu_4(|u|) < 0 for d = 3."""
    assert check("abs(u)", 3)["positive definite"].status == "refuted"
    assert check("abs(u)", oo)["positive definite"].status in ("refuted", "unknown")


# ------------------------------------------------------------------------------------- laws


def test_a_point_inside_and_an_end_of_the_same_size_add_up() -> None:
    """d = 2: mu_k = (-1)^(k/2+1)/(2 pi (k^2-1)) + sqrt(2)/(2 pi k^2) (1 + o(1)) for even k."""
    law = decay("abs(u)/4 + exp(-sqrt(1-u))").even
    constant = law.constant(2)
    assert law.exponent(2) == -2
    assert constant is None or sympy.N(constant - (sqrt(2) + 1) / (2 * pi)) > -1e-12
    for text in ("abs(u)/4 + exp(-sqrt(1-u))", "max(0, 1-2*acos(u)/pi)"):
        assert check(text, 2)["positive definite"].status != "refuted"


def test_exponent_and_constant_speak_of_the_same_term() -> None:
    """d = 3: the end gives sqrt(2)/4 k^-3, the point inside k^(-9/2)."""
    law = answer(lambda: decay("abs(u)**3/100 + exp(-sqrt(1-u))"))
    if law is not None:
        assert law.even.exponent(3) == -3
        assert law.even.constant(3) is None or law.even.constant(3) == sqrt(2) / 4


def test_the_decay_theorem_asks_for_no_positive_definiteness() -> None:
    """mu_0 < 0, and mu_k ~ sqrt(2)/4 k^-3 for d = 3 all the same."""
    report = check("exp(-sqrt(1-u)) - 1", 3)
    assert report.holds is True
    assert report["positive definite"].status == "refuted"


@pytest.mark.parametrize("text", ["exp(-sqrt(1-u)) - 1", "2*u**2 - 1", "-u"])
def test_no_rkhs_without_positive_definiteness(text: str) -> None:
    """mu_0 < 0 for the first two (d = 3), mu_1 < 0 for the third."""
    found = answer(lambda: consequences(text, 3))
    assert found is None


def test_no_constant_that_is_no_number() -> None:
    found = answer(lambda: consequences("exp(-1/(1-u))", 3))
    if found is not None:
        for _, entry in found:
            assert entry.value is None or not entry.value.has(sympy.nan, sympy.I, sympy.zoo)


def test_unequal_parities_have_no_single_smoothness() -> None:
    assert consequences(kernels.ntk(2) + kernels.random_features(3), 3).matern_smoothness.value is None


# ------------------------------------------------------------------------------------- numbers


def test_a_divergent_integral_is_no_eigenvalue() -> None:
    """t^(-3/2) is not integrable for d = 3."""
    assert answer(lambda: eigenvalues("(1-u)**(-3/2)*exp(-(1-u)**(1/3))", 3, kmax=2, dps=10)) is None


def _agrees(found: Any, k: int, truth: Any, slack: Any = 0) -> bool:
    """|mu - truth| <= error, with a factor 10 where the error is an estimate."""
    return bool(abs(found[k] - truth) <= found.error(k) * (1 if found.is_proved(k) else 10) + slack)


def test_a_high_power_in_a_high_dimension() -> None:
    found = answer(lambda: eigenvalues("(1-u)**(-90)*exp(-sqrt(1-u))", 200, ks=[0], dps=10))
    if found is not None:
        with mp.workdps(30):
            norm = mp.gamma(100) / (mp.sqrt(mp.pi) * mp.gamma(mp.mpf(199) / 2))
            integral = mp.quad(
                lambda t: t ** mp.mpf("8.5") * (2 - t) ** mp.mpf("98.5") * mp.exp(-mp.sqrt(t)),
                [0, 0.05, 0.1, 0.2, 0.4, 1, 2],
            )
            assert _agrees(found, 0, norm * integral, mp.mpf(10) ** -20 * norm * integral)


def test_removable_points_have_eigenvalues() -> None:
    """Simple integrals for d = 3: mu_0 is half the integral of kappa, mu_1 half that of u kappa."""
    plain = eigenvalues("(1-u**2)/(1-u)", 3, kmax=1, dps=12)
    with mp.workdps(30):
        assert _agrees(plain, 0, 1) and _agrees(plain, 1, mp.mpf(1) / 3, mp.mpf(10) ** -25)
        assert _agrees(eigenvalues("sin(u)/u", 3, ks=[0], dps=12), 0, mp.si(1), mp.mpf(10) ** -25)
        # the even part of (e^u - 1)/u is sinh(u)/u
        assert _agrees(eigenvalues("(exp(u)-1)/u", 3, ks=[0], dps=12), 0, mp.shi(1), mp.mpf(10) ** -25)


def test_narrow_features_are_seen_or_the_answer_refused() -> None:
    """d = 3: mu_0 is half the integral, in closed form."""
    with mp.workdps(30):
        cases = {
            "abs(u-9/10) + exp(-10**6*u**2)": (mp.mpf("1.81") + mp.sqrt(mp.pi) / 1000 * mp.erf(1000)) / 2,
            "1/((u-1/3)**2 + 1/10000)": 50 * (mp.atan(mp.mpf(200) / 3) + mp.atan(mp.mpf(400) / 3)),
            "sqrt(u**2 + 10**-8)": (mp.sqrt(1 + mp.mpf(10) ** -8) + mp.mpf(10) ** -8 * mp.asinh(mp.mpf(10) ** 4)) / 2,
            "exp(-10**8*(u-31/100)**2)": mp.sqrt(mp.pi) / mp.mpf(10) ** 4 / 2,
        }  # fmt: skip
        for text, truth in cases.items():
            found = answer(lambda text=text: eigenvalues(text, 3, ks=[0], dps=12))
            assert found is None or _agrees(found, 0, truth, mp.mpf(10) ** -25), text


@pytest.mark.slow
def test_a_tiny_kink_contradicts_no_law() -> None:
    for kmax in (60, 120, 200):
        found = answer(lambda kmax=kmax: verify("exp(-sqrt(1-u)) + abs(u)/10**12", 3, kmax=kmax))
        assert found is None or found.verdict != "refuted"


# ------------------------------------------------------------------------------------- exceptions


@pytest.mark.parametrize(
    "question",
    [
        lambda: decay("pi*(u**3-u)"),
        lambda: eigenvalues("sqrt(2)*(u**5-u)", 3, kmax=2),
        lambda: decay("exp(-1/u**2) + (1-u)**(1/2)").evaluate(40, 3, dps=10),
        lambda: check(Piecewise((u, u < 0), (u**2, True)), 3),
        lambda: decay(Piecewise((u, u < 0), (sin(u), True))),
        lambda: eigenvalues("exp(u)", 3, ks=5),
        lambda: eigenvalues("exp(u)", 3, kmax=2, dps=np.int64(12)),
        lambda: eigenvalues(hyper([1], [-2], u), 3, kmax=1, dps=10),
    ],
)
def test_only_our_own_exceptions(question: Claim) -> None:
    answer(question)


def test_hidden_zeros_among_coefficients() -> None:
    """pi (u^3 - u): mu_k = 0 from k = 4 on, mu_1 = pi (1/5 - 1/3) for d = 3."""
    law = decay("pi*(u**3-u)")
    assert law.even.kind == law.odd.kind == "zero"
    found = eigenvalues("pi*(u**3-u)", 3, kmax=4, dps=15)
    assert _agrees(found, 1, -2 * mp.pi / 15, 1e-15) and found[0] == found[2] == found[4] == 0


# ------------------------------------------------------------------------------------- changes of the code
#
# Nine changes of the code once passed all tests; each of the following inputs shows one of them.


def test_a_product_of_remainders_is_a_remainder() -> None:
    """e^(-1/x) erfc(1/x) + x is x plus something flat that is not 0."""
    x = Symbol("x", positive=True)
    found = puiseux(exp(-1 / x) * erfc(1 / x) + x, x)
    assert found.remainder


def test_a_coefficient_that_may_vanish_decides_nothing() -> None:
    """g pi - 3 = 0 at g = 3/pi, inside (1/2, 2)."""
    kernel = Kernel("(g*pi-3)*sqrt(1-u) + (1-u)**(3/2)", parameters={"g": (Rational(1, 2), 2)})
    assert answer(lambda: one_law(kernel)) is None
    (at_zero,) = (law for where, law in decay(kernel).cases if where.rhs == 3 / pi and where.rel_op == "==")
    assert at_zero.nu == Rational(3, 2)
    assert check(kernel).holds is not True


def test_an_exact_end_says_nothing_about_the_inside() -> None:
    """The ends are polynomials and kappa = u + u^40/2 + sign(u) u^40/2 is none: mu_51 is not 0."""
    expr = Piecewise((u, u < 0), (u + u**40, True))
    law = answer(lambda: decay(expr))
    if law is not None:
        assert law.odd.kind not in ("zero", "geometric", "superpolynomial")
    found = answer(lambda: eigenvalues(expr, 3, ks=[51], dps=10))
    if found is not None:
        with mp.workdps(40):
            # the integral of x^s P_n over (0, 1) is sqrt(pi) 2^(-s-1) Gamma(1+s)/(Gamma(1+(s-n)/2) Gamma((s+n+3)/2))
            bottom = mp.gamma(1 + mp.mpf(40 - 51) / 2) * mp.gamma(mp.mpf(40 + 51 + 3) / 2)
            truth = mp.sqrt(mp.pi) * mp.mpf(2) ** -42 * mp.factorial(40) / bottom
            assert truth != 0 and _agrees(found, 51, truth, abs(truth) * mp.mpf(10) ** -35)


def test_an_estimate_does_not_refute(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers that are not proved, all negative, are put in the place of the eigenvalues of a kernel left open."""
    text = "-(1-u)*log(1-u)*cos(5*u)/10 + u**2"
    truth = moments(lambda x: -(1 - x) * mp.log(1 - x) * mp.cos(5 * x) / 10 + x * x, 3, (1,))[1][0]
    assert truth < 0
    assert check(text, 3)["positive definite"].status in ("refuted", "unknown")
    honest = eigenvalues("exp(u)", 3, kmax=24, dps=15)

    class Estimates:
        rigorous = False
        ks = honest.ks

        def __getitem__(self, k: int) -> Any:
            return -honest[k]

        def __iter__(self) -> Any:
            return ((k, -honest[k]) for k in honest.ks)

        def error(self, k: int) -> Any:
            return mp.mpf(10) ** -20

        def is_proved(self, k: int) -> bool:
            return False

        def ball(self, k: int) -> Any:
            return -honest.ball(k)

    if hasattr(positive, "eigenvalues"):
        monkeypatch.setattr(positive, "eigenvalues", lambda *args, **options: Estimates())
    # positive definite, and not by a rule that looks at the form alone
    kernel = Kernel("exp(u) + (1 + u**2)*(2 - u)**(-1) - u**3/10")
    assert check(kernel, 3)["positive definite"].status != "refuted"


def test_a_base_of_open_sign_proves_nothing() -> None:
    """1/(a-u) has a pole inside for 0 < a < 1."""
    a = Symbol("a", positive=True)
    report = answer(lambda: check(1 / (a - u), 3))
    assert report is None or (report["positive definite"].holds is not True and report.holds is not True)


def test_singular_points_on_the_circle() -> None:
    """sqrt(1+u^2) is singular at +-i: its Taylor coefficients are as large as those of sqrt(1-u)."""
    assert check("sqrt(1+u**2) + sqrt(1-u)", theorem="Taylor coefficients").holds is not True


@pytest.mark.parametrize("j", [6, 12, 20, 30])
def test_cells_next_to_the_ends_are_proved_too(j: int) -> None:
    inside, outside = (1 / (exp(u) - exp(1 + s * Rational(1, 2**j))) for s in (-1, 1))
    assert analyse(inside).smooth is not Truth.TRUE
    assert analyse(outside).smooth is not Truth.FALSE


def test_a_factor_that_vanishes_removes_a_pole() -> None:
    """sin(g)/g is 1 where g = cos u - u = 0."""
    found = analyse(sin(cos(u) - u) / (cos(u) - u))
    assert found.smooth is not Truth.FALSE and not any(point.proved for point in found.interior)


@pytest.mark.parametrize(("scale", "shift"), [(10, 100), (7, 31), (3, 44), (20, -250)])
def test_all_periods_of_a_tangent_count(scale: int, shift: int) -> None:
    poles = [scale * (mp.pi / 2 + j * mp.pi - shift) for j in range(-120, 120)]
    found = analyse(tan(u / scale + shift))
    truth = min(map(_joukowski, poles))
    assert min(abs(z) for z in poles) > 1
    if found.ellipse.complete and found.rho is not None:
        assert mp.mpf(str(sympy.N(found.rho, 15))) <= truth * (1 + mp.mpf(10) ** -9)
    if found.ellipse.attained:
        assert abs(mp.mpf(str(sympy.N(found.rho, 15))) - truth) < 1e-9 * truth


@pytest.mark.parametrize("text", ["log(1 + c*u)", "asin(c*u)", "1/(2 - c*u)", "sqrt(2 + c*u)"])
def test_a_parameter_that_may_be_zero_leaves_open_whether_rho_is_attained(text: str) -> None:
    """At c = 0 each of them is constant, and so entire."""
    found = analyse(Kernel(text, parameters={"c": (-1, 1)}))
    assert found.entire is not Truth.FALSE and not found.ellipse.attained
    assert analyse(Kernel(text, parameters={"c": (Rational(1, 2), 1)})).entire is Truth.FALSE


@pytest.mark.parametrize(
    "text", ["c*sqrt(1-u)", "exp(-c*sqrt(1-u))", "(1-u)**(c+1)", "(1-u)**(c+1) + (1+u)**(1-c)"]
)
def test_an_end_that_parameters_leave_open_is_unknown_and_the_inside_is_proved(text: str) -> None:
    found = analyse(Kernel(text, parameters={"c": (-1, 1)}))
    assert found.smooth is Truth.TRUE and found.analytic is Truth.UNKNOWN


@pytest.mark.parametrize(
    ("text", "least"),
    [("1/(1-u)", 4), ("(1-u)**(-3/2)", 5), ("1/(1-u**2)", 4), ("gamma(u+1)", 4), ("1/sqrt(1-u)", 3)],
)
def test_a_law_ends_where_the_kernel_is_no_longer_integrable(text: str, least: int) -> None:
    """t^nu (1-u^2)^((d-3)/2) is integrable for d > 1 - 2 nu only; below, Gamma(nu + (d-1)/2) means nothing."""
    law = decay(text)
    for ask in (law.even.constant, law.even.exponent, law.even.at, lambda d: law.series(40, d, 1)):
        with pytest.raises(AsymptokError):
            ask(least - 1)
    for d in (least, least + 1):
        truth = eigenvalues(text, d, ks=[400], dps=10)[400]
        known = float(law.even.constant(d)) * 400.0 ** float(law.even.exponent(d))
        assert abs(float(truth) / known - 1) < 0.05
        found = law.estimate(400, d, 1, 10)
        assert abs(found.value - truth) <= found.error + abs(truth) * mp.mpf(10) ** -8


def test_the_sign_of_a_law_is_that_of_a_dimension_with_eigenvalues() -> None:
    """All mu_k of (1-u)^(-3/2) are positive for d = 5; at d = 3, where there are none, Gamma(-1/2) < 0."""
    with pytest.raises(AsymptokError) as refusal:
        consequences("(1-u)**(-3/2)", 5)
    assert refusal.value.kind is Obstruction.UNBOUNDED  # type: ignore[attr-defined]
    assert check("(1-u)**(-3/2)", 5)["positive definite"].holds is not False


@pytest.mark.parametrize("k", [20, 50])
def test_an_entire_part_is_no_part_of_the_series_and_counts(k: int) -> None:
    # cos(40u) leaves no term in any series, and is nearly all of mu_k for k < 60
    text = "(1-u)**(3/2) + cos(40*u)"
    value = answer(lambda: decay(text).evaluate(k, 3, dps=12))
    truth = moments(lambda x: (1 - x) ** 1.5 + mp.cos(40 * x), 3, [k], step=20)[k][0]
    assert value is None or abs(value - truth) < 1e-9 * abs(truth)


@pytest.mark.parametrize("text", ["sqrt(1-u) + 1/(u**2+1/100)", "(1-u)**(3/2) + cos(40*u)"])
def test_what_stands_beside_the_ends_contradicts_no_law(text: str) -> None:
    assert verify(text, 3, kmax=40, dps=15, referee=()).verdict != "refuted"


def test_a_series_that_becomes_right_fast_contradicts_no_law() -> None:
    # the zeros of the base in the complex plane have no formula: what they leave is beyond the estimate, and dies out
    text = "((1-u**2)**3 + 2 - exp(-sqrt(1-u)/3)/4 + u/7)**(3/2)"
    assert verify(text, 3, kmax=24, dps=12, referee=()).verdict != "refuted"


# ------------------------------------------------------------------------------------- a part is not the whole


@pytest.mark.slow
@pytest.mark.parametrize("text", ["abs(log(u-2))", "cos(sqrt(u-2))"])
def test_a_complex_part_makes_no_complex_kernel(text: str) -> None:
    """Each is real: a modulus, and an even function of an imaginary number."""
    for question in (lambda: expand(text), lambda: decay(text), lambda: eigenvalues(text, 3, ks=[0], dps=10)):
        error = refusal(question)
        assert not isinstance(error, Impossible)
        assert getattr(error, "kind", Obstruction.METHOD) is Obstruction.METHOD
    assert check(text).holds is not False
    for impossible in ("1 + sqrt(u-2)", "sin(log(u-2))"):
        with pytest.raises(Impossible):
            eigenvalues(impossible, 3, ks=[0], dps=10)


@pytest.mark.parametrize(
    "text",
    ["(1-u)**2*cos(log(1-u))", "(1-u)*sin(1/(1-u))", "(1-u)*besselj(0, 1/(1-u))", "1/(1 + exp(1/(1-u)))"],
)
def test_what_oscillates_beyond_the_leading_term_refutes_nothing(text: str) -> None:
    """sqrt(t) + o(sqrt(t)) whatever the other does; the first has all derivatives as well, and the theorem applies."""
    report = check(f"sqrt(1-u) + {text}")
    assert report["expansion at +1"].status != "refuted" and report.holds is not False
    assert check("sqrt(1-u) + sin(1/(1-u))")["expansion at +1"].status == "refuted"  # no limit


def test_max_of_what_is_not_real_is_refused() -> None:
    with pytest.raises(AsymptokError):
        Kernel("max(log(u), -3)").evaluate("-0.5")


@pytest.mark.slow
def test_a_branch_point_without_a_closed_form_is_integrable() -> None:
    """|u - cos u|^(-1/2) has a law of size k^(-d/2+1/2); its eigenvalues are refused, no bound being proved."""
    expr = Abs(G) ** Rational(-1, 2)
    with pytest.raises(AsymptokError, match="not shown to be integrable"):
        eigenvalues(expr, 3, ks=[0], dps=10)
    assert decay(expr).even.exponent(3) == -1
    assert "None" not in str(refusal(lambda: consequences(expr, 3)))


# parts of a kernel, and ranges of its parameters --------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["Max(0, u)**2*kappa1(19/20 + u/20)", "Max(0, u)**2*kappa1(kappa1(1/2 + u/3))"]
)
def test_both_parts_of_a_kernel_keep_what_stands_at_zero(text):
    """u_+^2 g(u) has the jump 2 g(0) in its odd part and 6 g'(0) in its even one: neither law is that of the end."""
    law = decay(text)
    assert law.odd.kind == law.even.kind == "oscillatory"
    assert (law.odd.exponent(3), law.even.exponent(3)) == (-Rational(7, 2), -Rational(9, 2))
    numbers = eigenvalues(text, 3, ks=[40, 41], dps=20)
    for k in (40, 41):
        assert abs(law.evaluate(k, 3, dps=6) / numbers[k] - 1) < 1e-5


@pytest.mark.parametrize(
    "text", ["kappa1(u) + (a-1)**2*abs(u)**a", "sqrt(1-u) + log(a)*abs(u - 1/3)", "sqrt(1-u) + (a-1)/u"]
)
def test_a_point_that_is_smooth_for_some_parameters_leaves_the_law_open(text):
    with pytest.raises(Undecided, match="the law depends on whether"):
        decay(Kernel(text, parameters={"a": (0, 2)}))


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("sqrt(1-u) + (a-1)*log(u-1)", "unknown"),  # the kernel of a = 1 is sqrt(1-u)
        ("(a**2-2)*sqrt(u-3)", "unknown"),
        ("(u-2)**a", "unknown"),  # real for whole a
        ("sqrt(1-u) + a*log(u-1)", "refuted"),
        ("(a+1)*sqrt(u-3) + (1-u)**a", "refuted"),
    ],
)
def test_what_is_complex_for_some_parameters_is_not_refuted_for_all(text, status):
    assert check(Kernel(text, parameters={"a": (0, 4)}))["expansion at +1"].status == status
