"""Expansions of kernels at both ends, against closed forms and against numbers."""

from __future__ import annotations

from decimal import Decimal

import mpmath
import numpy as np
import pytest
from numerics import reference, residual_agrees
from peer_cases import CASES, VALUES, Case, c, g
from sympy import Expr, Rational, Symbol, acos, exp, latex, log, oo, pi, sqrt, symbols

from asymptok import AsymptokError, ExpansionError, Kernel, Undecided, expand, kernels, puiseux
from asymptok.functions.arccosine import ArcCosine
from asymptok.symbols import t, u

ENDS = (1, -1)


def equal(a: Expr, b: Expr) -> bool:
    """Equal as constants, decided by the exact domain rather than by SymPy's form."""
    from asymptok.series import ExactDomain, Ranges
    from asymptok.truth import Truth

    dom = ExactDomain(Ranges({g: (0, 2)}))
    difference = dom.add(dom.constant(a), dom.neg(dom.constant(b)))
    return dom.is_zero(difference) is Truth.TRUE


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.parametrize("at", ENDS)
def test_leading_term(case: Case, at: int) -> None:
    expansion = expand(case.kernel, at=at, order=4)
    known = case.plus if at == 1 else case.minus
    if known is None:
        assert expansion.nu is None and expansion.coefficient is None
        return
    exponent, coefficient, log_power = known
    assert expansion.nu == exponent
    assert expansion.log_power == log_power
    assert equal(expansion.coefficient, coefficient + 0 * pi)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.parametrize("at", ENDS)
def test_every_term_against_mpmath(case: Case, at: int) -> None:
    expansion = expand(case.kernel, at=at, order=4)
    values = {s: v for s, v in VALUES.items() if s in case.kernel.expr.free_symbols}
    f = reference(case.kernel.expr.subs(values), u, at, -at)
    assert residual_agrees(expansion, f, values=values)


@pytest.mark.parametrize("at", ENDS)
def test_order_is_reached(at: int) -> None:
    """Every term up to and including t^order, for orders on and off the lattice."""
    for order in (0, 1, Rational(3, 2), 2, 7):
        expansion = expand(kernels.ntk(3), at=at, order=order)
        assert all(term.exponent <= order for term in expansion.terms)
        assert all(term.exponent > order for term in expansion.remainder)
        more = expand(kernels.ntk(3), at=at, order=order + 2)
        assert expansion.terms == tuple(term for term in more.terms if term.exponent <= order)


DEEP = {
    # depth: (RF at +1, RF at -1, NTK at +1, NTK at -1) as decimal numbers, from an independent computation
    2: ("0.300105438719035", "0.300105438719035", "-0.450158158078553", "-0.450158158078553"),
    3: ("0.600210877438071", "0.150052719359518", "-1.35047447423566", "-0.225079079039277"),
    4: ("0.900316316157106", "0.0904990831136926", "-2.70094894847132", "-0.135748624670539"),
    5: ("1.20042175487614", "0.0601246303677674", "-4.50158158078553", "-0.090186945551651"),
    6: ("1.50052719359518", "0.0424935173703249", "-6.7523723711783", "-0.0637402760554874"),
}


@pytest.mark.parametrize("depth", DEEP)
def test_deep_coefficients(depth: int) -> None:
    networks = (kernels.random_features(depth), kernels.ntk(depth))
    found = [expand(kernel, at=at, order=2).coefficient for kernel in networks for at in ENDS]
    for value, known in zip(found, DEEP[depth], strict=True):
        # the table has 15 digits, of which the last is rounded
        assert abs(mpmath.mpf(value.evalf(30)) / mpmath.mpf(known) - 1) < mpmath.mpf(10) ** -14


@pytest.mark.parametrize("depth", range(2, 11))
def test_chord_coefficients_are_polynomials_in_the_depth(depth: int) -> None:
    """In the chord s = sqrt(2t): RF has (L-1)/(3 pi) s^3, the NTK has -L(L-1)/(2 pi) s."""
    rf = expand(kernels.random_features(depth), order=2).coefficient
    tangent = expand(kernels.ntk(depth), order=1).coefficient
    assert equal(rf / 2 ** Rational(3, 2), (depth - 1) / (3 * pi))
    assert equal(tangent / sqrt(2), -Rational(depth * (depth - 1), 2) / pi)


def test_step_networks() -> None:
    sizes = {2: "0.45015816", 3: "0.30202833", 4: "0.24739389", 5: "0.22390284"}
    for depth, size in sizes.items():
        expansion = expand(kernels.step_features(depth), order=Rational(1, 2))
        assert expansion.nu == Rational(1, 2 ** (depth - 1))
        assert mpmath.nstr(abs(mpmath.mpf(expansion.coefficient.evalf(20))), 8) == size


@pytest.mark.parametrize("order", range(7))
def test_arc_cosine_kernels(order: int) -> None:
    """J_n/pi has nu = n + 1/2, c_1 = (-1)^(n+1) c_-1, c_-1 = (sqrt2/pi) (n!)^2/(3/2)_n."""
    from sympy import factorial, factorial2, rf

    known = sqrt(2) / pi * factorial(order) ** 2 / rf(Rational(3, 2), order) / factorial2(2 * order - 1)
    for at, sign in ((1, (-1) ** (order + 1)), (-1, 1)):
        expansion = expand(kernels.arc_cosine(order), at=at, order=order + 1)
        assert expansion.nu == order + Rational(1, 2)
        assert equal(expansion.coefficient, sign * known)


def test_symbolic_parameters_stay_symbolic() -> None:
    gamma = Symbol("gamma", positive=True)
    expansion = expand(kernels.gamma_exponential(gamma, c), order=4)
    assert [term.exponent for term in expansion.terms] == [0, gamma / 2, gamma, 3 * gamma / 2, 2 * gamma]
    assert [term.coefficient for term in expansion.terms] == [1, -c, c**2 / 2, -(c**3) / 6, c**4 / 24]
    assert [term.exponent for term in expansion.remainder] == [5 * gamma / 2]
    assert expand(kernels.gamma_exponential(gamma, c), at=-1).nu is None


def test_a_lower_bound_on_gamma_reaches_the_order() -> None:
    """For 1 < g < 2 the terms t^(m g/2) may lie below t^2 up to m = 3, and all of these are given."""
    expansion = expand(Kernel(exp(-((1 - u) ** (g / 2))), parameters={g: (1, 2)}), order=2)
    assert [term.exponent for term in expansion.terms] == [0, g / 2, g, 3 * g / 2]
    assert [term.exponent for term in expansion.remainder] == [2 * g]


def test_unordered_exponents_name_the_bound() -> None:
    gamma = Symbol("gamma", positive=True)
    kernel = Kernel(exp(-((1 - u) ** (gamma / 2))) + sqrt(1 - u), parameters={gamma: (0, 2)})
    with pytest.raises(Undecided, match="gamma < 1 or gamma > 1"):
        _ = expand(kernel).terms
    settled = Kernel(kernel.expr, parameters={gamma: (1, 2)})
    assert expand(settled, order=Rational(1, 2)).nu == Rational(1, 2)


def test_a_coefficient_that_may_vanish_is_kept_but_not_called_leading() -> None:
    expansion = expand(Kernel(exp(-c * sqrt(1 - u)) + sqrt(1 - u)), order=1)
    assert equal(expansion.terms[1].coefficient, 1 - c)
    with pytest.raises(Undecided, match="whether 1 - c is zero"):
        _ = expansion.nu


def test_cancellation_asks_for_more_terms() -> None:
    """sqrt(1-u) - sqrt(1-u)(3+u)/4 = t^(3/2)/4; divided by t^(3/2) everything known at first is used up."""
    difference = sqrt(1 - u) - sqrt(1 - u) * (3 + u) / 4
    assert expand(difference).as_expr(t) == t ** Rational(3, 2) / 4
    kernel = (kernels.random_features(2).expr - (1 - (1 - u))) / (1 - u) ** Rational(3, 2)
    expansion = expand(kernel, order=2)
    assert equal(expansion.terms[0].coefficient, 2 * sqrt(2) / (3 * pi))
    assert residual_agrees(expansion, reference(kernel))


def test_difference_of_equal_kernels_written_differently() -> None:
    """kappa_1 and its closed form differ by nothing; the zero tests find that, also under a second layer."""
    closed = (u * (pi - acos(u)) + sqrt(1 - u**2)) / pi
    for at in ENDS:
        assert expand(ArcCosine(1, u) - closed, at=at).terms == ()
        nested = ArcCosine(1, ArcCosine(1, u)) - ArcCosine(1, closed)
        assert expand(nested, at=at).terms == ()


REFUSED = {
    "pole": (1 / (1 - u), "unbounded"),
    "log at the end": (log(1 - u), "unbounded"),
    "oscillation": (ArcCosine(0, 0) + Kernel("sin(1/(1-u))").expr, "oscillates"),
    "essential": (exp(1 / (1 - u)), "faster than every power"),
    "complex root": (sqrt(u - 2), "complex"),
    "complex acos": (acos(2 - u), "complex"),
    "complex log": (log(u - 1), "complex"),
    "log of log": (log(-log((1 - u) / 4)), "log"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_name_the_part_and_the_reason(name: str) -> None:
    expr, reason = REFUSED[name]
    with pytest.raises(ExpansionError, match=reason) as caught:
        expand(expr)
    assert caught.value.subexpression is not None


def test_flat_terms_are_absorbed() -> None:
    assert expand(u + exp(-1 / (1 - u))).as_expr(t) == 1 - t
    assert expand(u + exp(-1 / (1 - u))).remainder[0].exponent > 4


def test_latex_reads_like_a_paper() -> None:
    expansion = expand(kernels.arc_cosine(1), order=2)
    assert latex(expansion) == r"1 - t + \frac{2\sqrt{2}}{3\pi}\,t^{3/2} + O(t^{5/2})"
    assert expansion._repr_latex_() == f"$\\displaystyle {latex(expansion)}$"
    assert latex(expansion) in expansion._repr_html_()


def test_pretty_printing_is_ascending_and_two_dimensional() -> None:
    from sympy import pretty

    lines = pretty(expand(kernels.arc_cosine(1), order=2), use_unicode=False, wrap_line=False).splitlines()
    assert any(line.startswith("1 - t + ") for line in lines) and len(lines) > 2


def test_text_can_be_typed_in_again() -> None:
    from asymptok.parsing import parse

    for case in CASES[:8]:
        expansion = expand(case.kernel, order=2)
        shown = str(expansion).split(" + O(")[0]
        assert equal(parse(shown, {"t": t}).subs(t, 2), expansion.as_expr(t).subs(t, 2))


def test_sprawling_constants_bear_names_and_are_kept_exactly() -> None:
    expansion = expand(kernels.ntk(20), at=-1, order=2)
    assert "a_2*t**(3/2)" in str(expansion)
    assert "a_2 = 0.199072661029... (exact in .terms[2].coefficient)" in str(expansion)
    assert expansion.terms[2].coefficient.exact.has(ArcCosine)
    assert "-0.022516356648..." in expand(kernels.ntk(10), at=-1, order=1).to_text(digits=11).replace(
        "- ", "-"
    )
    assert len(str(expansion)) < 3000


def test_evaluate_truncated_sum() -> None:
    value = expand(kernels.arc_cosine(1), order=2).evaluate("1e-10", dps=30)
    with mpmath.workdps(40):
        x = mpmath.mpf("1e-10")
        assert abs(value - (1 - x + 2 * mpmath.sqrt(2) / (3 * mpmath.pi) * x**1.5)) < mpmath.mpf(10) ** -29


@pytest.mark.parametrize("point", [0.001, np.float64(0.001), Rational(1, 1000), "1/1000", Decimal("0.001")])
def test_a_float_means_the_decimal_that_it_prints(point: object) -> None:
    expansion = expand(kernels.laplace(), order=1)
    assert expansion.evaluate(point, dps=30) == expansion.evaluate("0.001", dps=30)
    assert expansion.bound()(point) == expansion.bound()("0.001")
    with pytest.raises(AsymptokError, match="at t >= 0"):
        expansion.evaluate(-1)


def test_balls_enclose_the_exact_coefficients() -> None:
    for depth in (2, 3, 10, 100):
        for at in ENDS:
            exact = expand(kernels.ntk(depth), at=at)
            balls = expand(kernels.ntk(depth), at=at, balls=True)
            dom = exact.series.dom
            for (c1, f1, r1, j1), (c2, f2, r2, j2) in zip(exact._sorted, balls._sorted, strict=True):
                assert (f1, r1, j1) == (f2, r2, j2)
                assert dom.generators.ball_at(c1.terms, 256).overlaps(c2)


x = symbols("x")
ANYWHERE = [
    (sqrt(x**2 + x) - x, oo, "+"),
    (acos(x) / x, 1, "-"),
    (x**x, 0, "+"),
    (log(1 + x) / x, 0, "-"),
    (exp(-1 / x**2) + 1 / x, 0, "+"),
]


@pytest.mark.parametrize(("expr", "point", "direction"), ANYWHERE, ids=str)
def test_puiseux_in_any_variable(expr: Expr, point: Expr, direction: str) -> None:
    expansion = puiseux(expr, x, point, direction, order=4)
    if point == oo:
        f = reference(expr.subs(x, 1 / x), x, 0, 1)
    else:
        f = reference(expr, x, point, 1 if direction == "+" else -1)
    assert residual_agrees(expansion, f)
