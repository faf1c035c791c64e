"""Questions that mutation testing found to be asked by no test."""

from __future__ import annotations

import mpmath as mp
import pytest
import sympy
from flint import arb
from sympy import Abs, And, Not, Piecewise, Rational, S, Symbol, exp, pi, sqrt

from asymptok import Kernel, check, decay, eigenvalues, expand, kernels, u
from asymptok.atlas import rewriting
from asymptok.atlas.local import Unproved, behaviour
from asymptok.balls import ball
from asymptok.errors import ExpansionError, Obstruction, Undecided
from asymptok.functions import record_of
from asymptok.laws.oscillation import Wave, extremes
from asymptok.patience import Portion
from asymptok.regularity import analyse
from asymptok.regularity.choices import decided
from asymptok.spectrum.moments import normalisation
from asymptok.theorems.case import Case
from asymptok.theorems.catalogue import THEOREMS
from asymptok.theorems.enclosed import enclose_eigenvalue
from asymptok.theorems.judge import _condition
from asymptok.theorems.positive import _negative
from asymptok.theorems.slit_disc import _position
from asymptok.theorems.theorem import Hypothesis, Verdict
from asymptok.truth import Truth

# regularity --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["u + 1/(u**2 + 4)", "exp(u)/(u**2 + 4)", "cos(u) + 2/(u**2 + u + 5)"])
def test_a_complex_pole_beside_analytic_terms_is_attained(text: str) -> None:
    found = analyse(text)
    assert found.ellipse.attained and found.entire is Truth.FALSE


def test_a_flat_part_is_told_from_the_remainder_of_its_model() -> None:
    """At 1/4 from the point the flat part is 10^-7, and the model of exp(u) is known to 10^-16."""
    assert analyse(exp(-1 / u**2) + exp(u)).analytic is Truth.FALSE


def test_a_condition_is_read_in_its_direction() -> None:
    """exp(u) < 3 everywhere, and u^2 + u < 3."""
    assert analyse(Piecewise((u**2, exp(u) < 3), (Abs(u), True))).smooth is Truth.TRUE
    assert analyse(Piecewise((u**2, exp(u) <= 3), (Abs(u), True))).smooth is Truth.TRUE
    assert analyse(Piecewise((Abs(u), u**2 + u < 3), (u, True))).smooth is Truth.FALSE


def test_where_a_hyperbolic_cosine_takes_a_value() -> None:
    """cosh z = 0 at i pi/2, and cosh z = -1 at i pi."""
    for text, place in (("1/cosh(u)", pi / 2), ("1/(cosh(u) + 1)", pi)):
        found = analyse(text)
        assert found.rho is None or sympy.N(found.rho - place - sqrt(place**2 + 1), 30) < S(10) ** -25


def test_the_sign_of_something_with_a_flat_part() -> None:
    """|u + E| has a kink at 0, |u^2 + E| has none; E = exp(-1/u^2)."""
    flat = exp(-1 / u**2)
    assert analyse(Abs(u + flat)).smooth is Truth.FALSE
    assert analyse(Abs(u**2 + flat)).smooth is not Truth.FALSE


def test_an_end_is_looked_at_from_inside() -> None:
    """((1-u)^3)^(1/3) is 1 - u for u < 1, and no real power beyond."""
    c = Symbol("c", positive=True)
    found = analyse(Kernel(c * u + ((1 - u) ** 3) ** Rational(1, 3), parameters={c: (1, 2)}))
    assert found.smooth is Truth.TRUE and found.analytic is not Truth.FALSE


# series ------------------------------------------------------------------------------------------------------


def test_an_exponential_whose_sign_is_open_is_undecided() -> None:
    c = Symbol("c", real=True, nonzero=True)
    with pytest.raises(Undecided):
        expand(exp(c / (1 - u)))


def test_choices_next_to_an_end() -> None:
    away = Piecewise((sqrt(1 - u), Not(And(u > 0, u < Rational(1, 2)))), (u, True))
    assert expand(away).nu == Rational(1, 2)
    for condition in (u <= 0, u < 0):
        assert expand(Piecewise((u, condition), (sqrt(1 - u), True))).nu == Rational(1, 2)
        assert expand(Piecewise((u, condition), (sqrt(1 - u), True)), at=-1).nu is None


# laws --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("terms", [1, 2, 4])
@pytest.mark.parametrize("text", ["sqrt(1-u) + (1-u)**(3/2)*log(1-u)**3", "sqrt(1-u)*log(2-2*u)**2"])
def test_logarithms_enlarge_what_is_left_out(text: str, terms: int) -> None:
    law = decay(text)
    for k in (30, 101):
        found, truth = law.estimate(k, 3, terms, 15), eigenvalues(text, 3, ks=[k], dps=20)
        assert abs(found.value - truth[k]) <= found.error + truth.error(k)


def test_a_symbol_in_the_end_leaves_extremes_open() -> None:
    a = Symbol("a", positive=True)
    third = Wave(Rational(1, 2), S.One, 0, ((S.One, pi), (S.One, -pi)))
    assert not extremes([third], a, S(2), 0).exact
    assert extremes([third], S.One, S(2), 0).exact


# spectrum ----------------------------------------------------------------------------------------------------


def test_a_dilogarithm_has_a_logarithm_at_one() -> None:
    """Integrated over theta, where the logarithm is mild."""
    with pytest.raises(Unproved):
        behaviour(sympy.polylog(2, u), 1)
    found = eigenvalues("polylog(2, u)", 2, ks=[3], dps=15)
    truth = (
        mp.quad(lambda x: mp.re(mp.polylog(2, mp.cos(x))) * mp.cos(3 * x), mp.linspace(0, mp.pi, 9)) / mp.pi
    )
    assert abs(found[3] - truth) <= found.error(3) + mp.mpf(10) ** -10


# theorems ----------------------------------------------------------------------------------------------------


def test_a_status_is_always_one_of_the_four() -> None:
    for text in ("abs(u)", "abs(u - 1/3)", "sqrt(1-u)", "exp(u)", "Max(u, 1/3) + sqrt(1-u)", "exp(-1/(1-u))"):
        for theorem in ("decay", "smooth", "analytic", "Taylor coefficients"):
            for condition in check(text, theorem=theorem):
                assert condition.status in ("proved", "refuted", "supported", "unknown")
    assert check("abs(u)", theorem="analytic").holds is False


@pytest.mark.parametrize("k", [0, 3, 6])
@pytest.mark.parametrize("cells", [3, 8, 40])
def test_an_enclosure_on_few_cells_still_encloses(k: int, cells: int) -> None:
    """u^6 in d = 3: (1/2) int u^6 P_k."""
    truth = Rational(1, 2) * sympy.integrate(u**6 * sympy.legendre(k, u), (u, -1, 1))
    found = enclose_eigenvalue(u**6, 3, k, cells)
    assert found.contains(arb(int(truth.p)) / int(truth.q)) or not found.is_finite()


def test_an_unknown_singular_point_proves_no_slit_disc() -> None:
    """sin(3u) = u + 2/5 somewhere inside the disc; the solver does not list all complex solutions."""
    x = sympy.sin(3 * u) - u - Rational(2, 5) + 5
    assert check(sqrt(x) + sqrt(1 - u), theorem="Taylor coefficients").holds is not True
    assert check(1 / (sympy.cos(3 * u) + 2) + sqrt(1 - u), theorem="Taylor coefficients").holds is not True


@pytest.mark.parametrize("depth", [2, 3, 4])
def test_networks_of_every_depth_are_recognised(depth: int) -> None:
    families = {
        "deep NTK": kernels.ntk,
        "deep random features": kernels.random_features,
        "step network": kernels.step_features,
    }
    for theorem, family in families.items():
        assert check(family(depth), theorem=theorem).holds is True
        assert check(family(depth) + Kernel("u**2"), theorem=theorem).holds is False


@pytest.mark.parametrize("scale", [1, 3])
def test_a_gamma_exponential_kernel_is_recognised_by_its_base(scale: int) -> None:
    mine = exp(-2 * (scale * (1 - u)) ** Rational(1, 3))
    assert check(mine, theorem="gamma-exponential").holds is True
    assert check(exp(-2 * (scale * (2 - u)) ** Rational(1, 3)), theorem="gamma-exponential").holds is False


#: is kappa positive definite for d = 3, and in all dimensions? By the Taylor coefficients at 0 (Schoenberg), by a
#: Legendre coefficient that is negative, or by an integral: (1-u)^(-1/2) has mu_k for d = 3 and not for d = 2
POSITIVE = [
    ("exp(u)", "proved", "proved"),
    ("1/(2 - u)", "proved", "proved"),
    ("(1 - u)**(-1/4)", "proved", "proved"),
    ("(1 - u)**(-1/2) - 1", "proved", "refuted"),
    ("(1 - u)**(-1)", "refuted", "refuted"),
    ("(1 - u)**(-2)", "refuted", "refuted"),
    ("(1 + u)**(-2)", "refuted", "refuted"),
    ("cos(u)", "refuted", "refuted"),
    ("sqrt(u + 2)", "refuted", "refuted"),
    ("u**2 - u", "refuted", "refuted"),
    ("u**2 - 1/3", "proved", "refuted"),
    ("u**2 - 1/2", "refuted", "refuted"),
    ("hyper([1, 1/2], [3/2], u)", "proved", "proved"),
    ("hyper([1], [2], -u)", "refuted", "refuted"),
]


@pytest.mark.parametrize(("text", "three", "all_of_them"), POSITIVE, ids=[case[0] for case in POSITIVE])
def test_positive_definiteness(text: str, three: str, all_of_them: str) -> None:
    kernel = Kernel(text)
    for d, status in ((3, three), (sympy.oo, all_of_them)):
        report = check(kernel, d)
        assert (report.kernel, report.d) == (kernel, d)
        (question,) = report.questions
        assert question.status == status
        assert all(isinstance(c.evidence, str) and c.evidence for c in (*report, question))


def test_a_condition_that_fails_to_be_decided_is_unknown() -> None:
    def refuse(_: Case) -> Verdict:
        raise Undecided("nothing is known", u)

    found = _condition(
        Case(Kernel("exp(u)"), None), Hypothesis("name", "statement", "latex", refuse), Portion(1)
    )
    assert (found.status, found.evidence) == ("unknown", "nothing is known")


@pytest.mark.parametrize(
    ("z", "sign"),
    [
        (S(1), 0),
        (S(-1), 0),
        (sympy.I, 0),
        ((3 + 4 * sympy.I) / 5, 0),
        (S(2), 1),
        (S(1) / 2, -1),
        (1 + sympy.I, 1),
    ],
    ids=str,
)
def test_points_on_the_circle_are_told_from_those_outside(z: sympy.Expr, sign: int) -> None:
    assert _position(Case(Kernel("exp(u)"), None), z).number == sign


# closed forms ------------------------------------------------------------------------------------------------


def test_a_closed_form_that_cancels_gets_its_digits() -> None:
    """exp(-c sqrt(1-u)), c = 40: terms of size e^56, and mu_0 = (1 - (1 + x) e^-x)/c^2 with x = c sqrt 2 for d = 3."""
    found = eigenvalues("exp(-40*sqrt(1-u))", 3, ks=[0, 4], dps=25, method="closed_form")
    with mp.workdps(40):
        x = 40 * mp.sqrt(2)
        four = mp.quad(lambda s: s * mp.exp(-40 * s) * mp.legendre(4, 1 - s * s), [0, 0.2, 0.6, mp.sqrt(2)])
        for k, truth in ((0, (1 - (1 + x) * mp.exp(-x)) / 1600), (4, four)):
            assert found.rigorous and abs(found[k] - truth) <= found.error(k) + truth * mp.mpf(10) ** -30


def test_what_is_no_bounded_real_function_says_why() -> None:
    for text in ("(-2)**u", "1/u", "1/(u - 1/3) + sqrt(1 - u)"):
        with pytest.raises(ExpansionError) as refused:
            decay(text)
        assert refused.value.kind is Obstruction.UNDEFINED
    # a modulus is real where its argument is not
    assert decided(sympy.Abs(sympy.log(u)), {}) == sympy.Abs(sympy.log(u))
    assert decided(sympy.Abs(sympy.log(u + 1) - 1), {}) == 1 - sympy.log(u + 1)
    # not smooth, and bounded: nothing is said against it but that no law is known
    assert analyse("u**2*sin(1/u)").smooth is Truth.FALSE
    with pytest.raises(ExpansionError) as refused:
        decay("u**2*sin(1/u)")
    assert refused.value.kind is Obstruction.METHOD


# all theorems on all kernels ------------------------------------------------------------------------------------

_ALL = {"decay", "Taylor coefficients", "positive definite"}
#: kernel -> the theorems all of whose hypotheses hold, for d = 3
HOLDS: list[tuple[str, Kernel, set[str]]] = [
    ("ntk 2", kernels.ntk(2), {*_ALL, "two-layer NTK", "deep NTK"}),
    ("ntk 3", kernels.ntk(3), {*_ALL, "deep NTK"}),
    ("random features 3", kernels.random_features(3), {*_ALL, "deep random features"}),
    ("step 2", kernels.step_features(2), {*_ALL, "step network", "step layer under ReLU layers"}),
    ("step 3", kernels.step_features(3), {*_ALL, "step network"}),
    ("step under ReLU", kernels.step_features(3, relu_above=True), {*_ALL, "step layer under ReLU layers"}),
    ("Laplace", kernels.laplace(), {*_ALL, "gamma-exponential"}),
    ("Matern 1", kernels.matern(1), {"decay with logarithms", "positive definite"}),
    ("t log t", Kernel("(1-u)*log(1-u) + u"), {"decay with logarithms", "positive definite"}),
    ("a pole outside", Kernel("1/(2-u)"), {"smooth", "analytic", "positive definite"}),
    ("rho not known", Kernel("sqrt(2 + sin(u))"), {"smooth", "analytic"}),
    ("kink", Kernel("abs(u - 1/3)"), set()),
    ("a sum of two", Kernel("ntk(2) + random_features(3)"), _ALL),
    ("grows at 1", Kernel("exp(1/(1-u))"), set()),  # a power series with coefficients > 0, and no integrals
    ("t^3 log^2 t", Kernel("(1-u)**3*log(1-u)**2 + (1+u)**(1/2)"), {"decay", "Taylor coefficients"}),
]


@pytest.mark.parametrize(("kernel", "wanted"), [case[1:] for case in HOLDS], ids=[case[0] for case in HOLDS])
def test_every_theorem_on_every_kernel(kernel: Kernel, wanted: set[str]) -> None:
    reports = {name: check(kernel, 3, theorem=name) for name in THEOREMS}
    assert {name for name, report in reports.items() if report.holds is True} == wanted
    for name, report in reports.items():
        assert (report.kernel, report.theorem.name) == (kernel, name)
        for condition in (*report, *report.questions):
            assert condition.status in ("proved", "refuted", "supported", "unknown")
            assert isinstance(condition.evidence, str) and condition.evidence


def test_a_term_far_behind_is_found() -> None:
    report = check("(1-u)**(13/2) + exp(u)")
    assert report.holds is True and report.exponent is not None


# numbers -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("d", [2, 3, 4, 5, 8, 9])
def test_the_constant_kernel_has_one_eigenvalue(d: int) -> None:
    truth = mp.gamma(mp.mpf(d) / 2) / (mp.sqrt(mp.pi) * mp.gamma(mp.mpf(d - 1) / 2))
    assert mp.almosteq(mp.mpf(normalisation(d).str(20, radius=False)), truth)


def test_an_exact_value_is_rounded_within_its_error() -> None:
    """mu_1 of c u on the circle is c/2, c = 1 + 2^-120: a dyadic number with more bits than asked for."""
    found = eigenvalues(u * (1 + Rational(1, 2**120)), 2, ks=[1], dps=15)
    with mp.workprec(300):
        exact = (1 + mp.mpf(2) ** -120) / 2
        assert found.rigorous and abs(found[1] - exact) <= found.error(1)


def test_a_function_of_more_arguments_than_are_known_is_unknown() -> None:
    found = analyse(Kernel(sympy.dirichlet_eta(u + 2, 3)))
    assert found.smooth is Truth.UNKNOWN and ball(found.kernel.expr, {u: 0}).is_nan()


def test_the_logarithm_of_something_negative_says_what_it_is() -> None:
    with pytest.raises(ExpansionError) as refused:
        expand("log(u - 2)")
    assert refused.value.kind is Obstruction.COMPLEX


@pytest.mark.parametrize(
    "text", ["exp(u)", "sqrt(1-u)", "1/(2-u)", "u**3", "abs(u)", "cos(u)", "exp(-1/(1-u))"]
)
def test_a_law_knows_its_parity(text: str) -> None:
    found = decay(text)
    assert (found.even.parity, found.odd.parity) == ("even", "odd")


def test_an_estimate_refutes_nothing() -> None:
    """mu_0 of exp(u) is sinh(1) > 0, whatever an estimate says; that of -exp(u) is enclosed below 0."""
    assert _negative(Case(Kernel("exp(u)"), 3), 3, 0, mp.mpf(-1), None).status == "unknown"
    assert _negative(Case(Kernel("-exp(u)"), 3), 3, 0, mp.mpf(-1), None).status == "refuted"


def test_ranges_of_parameters_are_used() -> None:
    c = Symbol("c", positive=True)
    case = Case(Kernel(exp(c * u), parameters={c: (1, 2)}), None)
    assert case.is_zero(c - 3) is Truth.FALSE and case.sign(c - 3).negative
    assert case.is_zero(c - Rational(3, 2)) is Truth.UNKNOWN


# rewriting ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("function", rewriting._RULES, ids=lambda f: f.__name__)
def test_a_function_is_what_it_is_rewritten_as(function: type[sympy.Expr]) -> None:
    """At real points where the function is real."""
    orders = {sympy.besseli, sympy.besselj, sympy.besselk, sympy.Pow}
    for x in (Rational(3, 8), Rational(9, 8), Rational(-7, 4)):
        arguments = (Rational(2, 3), x) if function in orders else (x,)
        expected = function(*arguments).evalf(20)
        if expected.is_real and expected.is_finite:
            assert abs(rewriting._RULES[function](*arguments).evalf(20) - expected) < S(10) ** -15


@pytest.mark.parametrize(
    ("function", "orders"),
    [
        (sympy.besselj, (S.Zero,)), (sympy.besselj, (S(3),)), (sympy.besseli, (S(2),)), (sympy.cos, ()),
        (sympy.sin, ()), (sympy.cosh, ()), (sympy.sinh, ()), (sympy.exp, ()), (sympy.erf, ()), (sympy.erfc, ()),
    ],
)  # fmt: skip
def test_a_function_of_a_root_is_what_it_is_written_as(
    function: type[sympy.Expr], orders: tuple[sympy.Expr, ...]
) -> None:
    record = record_of(function)
    assert record is not None and record.of_square is not None
    for w in (Rational(3, 8), Rational(9, 4)):
        form = record.of_square(*orders, w)
        assert form is None or abs(sympy.N(form - function(*orders, w), 20)) < S(10) ** -15
