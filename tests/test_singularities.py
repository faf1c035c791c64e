"""Smoothness inside (-1, 1) is proved or refuted with the point; rho is the one of the nearest singular point."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
import sympy
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import E, I, Integer, Rational, S, Symbol, oo, pi, sqrt
from thorough import THOROUGH

from asymptok import AsymptokError, Kernel, kernels, u
from asymptok.balls import ball
from asymptok.functions.arccosine import ArcCosine
from asymptok.regularity import analyse
from asymptok.regularity.enclosure import Enclosure
from asymptok.regularity.equations import solve
from asymptok.regularity.flat import Grade, grade_at
from asymptok.regularity.intervals import CLOSED, OPEN, Interval, sign_of
from asymptok.regularity.points import analytic_at
from asymptok.regularity.ranges import by_ranges
from asymptok.regularity.rho import rho_ball, rho_of
from asymptok.theorems import applicable_theorems, check
from asymptok.truth import Truth

c = Symbol("c", positive=True)
gamma = Symbol("gamma", positive=True)
a = Symbol("a", real=True)

# text or kernel, [(location, kind, nu)]
SINGULAR: list[tuple[object, list[tuple[object, str, object]]]] = [
    ("abs(u)", [(0, "kink", 1)]),
    ("sqrt((u-1/3)**2)", [(Rational(1, 3), "kink", 1)]),
    ("max(u, 0)", [(0, "kink", 1)]),
    ("1/(u-1/2)", [(Rational(1, 2), "pole", -1)]),
    ("sqrt(u)", [(0, "branch point", Rational(1, 2))]),
    ("log(u)", [(0, "branch point", 0)]),
    ("abs(u)**3", [(0, "kink", 3)]),
    ("abs(u)**(1/2)", [(0, "branch point", Rational(1, 2))]),
    ("log(abs(u))", [(0, "branch point", 0)]),
    ("u**2*log(abs(u))", [(0, "branch point", 2)]),
    ("sign(u - 1/4)", [(Rational(1, 4), "jump", 0)]),
    ("where(u > 1/4, u, u**2)", [(Rational(1, 4), "jump", 0)]),
    ("where(u > 0, u**2, 0)", [(0, "kink", 2)]),
    ("max(u, u**2)", [(0, "kink", 1)]),
    ("min(u**2, 1/2)", [(-sqrt(2) / 2, "kink", 1), (sqrt(2) / 2, "kink", 1)]),
    ("tan(2*u)", [(-pi / 4, "pole", -1), (pi / 4, "pole", -1)]),
    ("acos(cos(u))", [(0, "kink", 1)]),
    ("asin(sin(3*u))", [(-pi / 6, "kink", 1), (pi / 6, "kink", 1)]),
    ("acos(1 - u**2)", [(0, "kink", 1)]),
    ("acos(2*u)", [(-S.Half, "branch point", S.Half), (S.Half, "branch point", S.Half)]),
    ("1/(u**2 - 1/4)**2", [(Rational(-1, 2), "pole", -2), (Rational(1, 2), "pole", -2)]),
    ("gamma(u)", [(0, "pole", -1)]),
    ("kappa1(u)/u", [(0, "pole", -1)]),
    ("exp(-abs(u - 1/5))", [(Rational(1, 5), "kink", 1)]),
    ("besselk(0, abs(u))", [(0, "branch point", 0)]),
    ("cbrt(u)", [(0, "branch point", Rational(1, 3))]),
    ("exp(1/u)", [(0, "undefined/complex", None)]),
    ("u*sin(1/u)", [(0, "oscillation", None)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), SINGULAR, ids=[str(row[0]) for row in SINGULAR])
def test_singular_points_are_found_where_they_are(
    text: str, expected: list[tuple[object, str, object]]
) -> None:
    found = analyse(text)
    assert found.smooth is Truth.FALSE
    assert found.status == "refuted"
    assert [(p.location, p.kind, p.nu) for p in found.interior] == [
        (S(x), kind, None if nu is None else S(nu)) for x, kind, nu in expected
    ]
    assert all(p.proved for p in found.interior)


@pytest.mark.parametrize(
    ("text", "kind", "where"),
    [
        ("1/(cos(u) - u)", "pole", "0.7390851332151606"),
        ("abs(exp(u) - 1 - u/2 - 1/4)", "kink", None),
        ("1/(kappa1(u) - 1/2)", "pole", "0.328674162908546"),
        ("abs(u**5 - u + 1/5)", "kink", None),
        ("1/(u**3 - u - 1/5)", "pole", None),
    ],
)
def test_points_without_a_closed_form_are_enclosed(text: str, kind: str, where: str | None) -> None:
    found = analyse(text)
    assert found.smooth is Truth.FALSE
    for point in found.interior:
        low, high = point.enclosure
        assert point.location is None and point.kind == kind and high - low < Rational(1, 2**40)
    if where is not None:
        low, high = found.interior[0].enclosure
        slack = Rational(1, 10**14)
        assert low - slack < Rational(where) < high + slack


SMOOTH: list[Kernel] = [
    *[kernels.ntk(L) for L in range(2, 11)],
    *[kernels.random_features(L) for L in range(2, 11)],
    *[kernels.step_features(L) for L in (2, 4, 6)],
    kernels.laplace(c),
    kernels.gamma_exponential(gamma, c),
    kernels.matern(Symbol("nu", positive=True), c),
    kernels.matern(1),
    kernels.matern(Rational(7, 2)),
    kernels.rational_quadratic(Symbol("alpha", positive=True), c),
    kernels.poisson(Symbol("r", real=True), 5),
    *map(
        Kernel,
        (
            "sqrt(u**3 - 3*u + 2)",
            "sqrt(1 - kappa1(u))",
            "sqrt(kappa1(u) - u)",
            "acos((u*(pi - acos(u)) + sqrt(1 - u**2))/pi)",
            "log(3 - u - kappa1(u))",
            "acos(1 - (1 - u)*exp(u - 1)*(1 + u)/3)",
            "sqrt(u*exp(u) + exp(-1))",
            "sqrt(u*exp(u) + 1)",
            "sin(u)/u",
            "(exp(u) - 1)/u",
            "sqrt(u**4*(1 + u**2))",
            "exp(-1/u**2)",
            "exp(-1/u**2)/u",
            "exp(-1/(1 - u))",
            "abs(u - 2)",
            "max(u, u - 3)",
            "polylog(2, u)",
            "elliptic_k(u)",
            "atanh(u)",
            "1/(1 - u**2)",
            "log(2 + u)**(1/3)",
            "(u + 2)**u",
        ),
    ),
]


@pytest.mark.parametrize("kernel", SMOOTH, ids=str)
def test_smoothness_inside_is_proved(kernel: Kernel) -> None:
    found = analyse(kernel)
    assert found.status == "proved" and found.smooth is Truth.TRUE and found.interior == ()


@pytest.mark.parametrize(
    "kernel",
    [
        Kernel(1 / (u - a)),  # smooth or not, depending on a
        Kernel(sympy.sqrt(u**2 + a**2)),  # a = 0 is not excluded
        Kernel(sympy.Abs(u) ** Symbol("p", positive=True)),  # p = 2 is not excluded
        Kernel(sympy.floor(2 * u)),  # no local expansion
        Kernel(sympy.sqrt(u - 2) / sympy.sqrt(u - 3)),  # real, though its parts are not
    ],
    ids=str,
)
def test_what_cannot_be_decided_is_neither_proved_nor_refuted(kernel: Kernel) -> None:
    found = analyse(kernel)
    assert found.smooth is Truth.UNKNOWN
    assert found.status in ("unknown", "supported")


def test_parameters_with_a_range_decide() -> None:
    assert analyse(Kernel(1 / (u - a), parameters={"a": (1, oo)})).smooth is Truth.TRUE
    inside = analyse(Kernel(1 / (u - a), parameters={"a": (0, 1)}))
    assert inside.smooth is Truth.FALSE and inside.interior[0].location == a
    power = analyse(Kernel(sympy.Abs(u) ** Symbol("p", positive=True), parameters={"p": (0, 1)}))
    assert power.smooth is Truth.FALSE and power.interior[0].nu == Symbol("p", positive=True)


# ------------------------------------------------------------------------------------- in the complex plane

r = Symbol("r", positive=True)
RHO: list[tuple[object, object]] = [
    ("asin(2*u/3)", (3 + sqrt(5)) / 2),
    (kernels.erf_network(), (3 + sqrt(5)) / 2),
    ("u/4 + (1/sqrt(4 - u**2) + u*asin(u/2))/(2*pi)", 2 + sqrt(3)),
    ("1/(1 + u**2)", 1 + sqrt(2)),
    ("log(2 - u)", 2 + sqrt(3)),
    ("atan(u)", 1 + sqrt(2)),
    ("tanh(3*u)", pi / 6 + sqrt(1 + pi**2 / 36)),
    ("1/(1 + exp(-u))", pi + sqrt(1 + pi**2)),
    ("1/(5/4 - u)", 2),
    ("sqrt(1 + u**2/2)", sqrt(2) + sqrt(3)),
    ("gamma(u + 2)", 2 + sqrt(3)),
    ("sqrt(u**3 - 3*u + 2)", 2 + sqrt(3)),
    ("abs(u - 2)", oo),
    ("sin(u)/u", oo),
    # the pole at 0 is removed, those at +-i pi are not
    ("u*coth(u)", pi + sqrt(1 + pi**2)),
    ("1/u - csch(u)", pi + sqrt(1 + pi**2)),
    ("u/tanh(u)", pi + sqrt(1 + pi**2)),
    ("u*cot(2*u)", pi / 2 + sqrt(pi**2 / 4 - 1)),
    ("cos(sqrt(1 - u))", oo),
    ("sin(sqrt(1 - u))/sqrt(1 - u)", oo),
    (kernels.gaussian(c), oo),
    (kernels.exponential(c), oo),
    (kernels.polynomial(3), oo),
    (kernels.poisson(Rational(1, 3), 4), 3),
    (kernels.rational_quadratic(2), 3 + 2 * sqrt(2)),
    (kernels.cauchy(3), Rational(4, 3) + sqrt(7) / 3),
]


@pytest.mark.parametrize(("kernel", "rho"), RHO, ids=[str(row[0]) for row in RHO])
def test_rho_of_the_nearest_singular_point(kernel: object, rho: sympy.Expr) -> None:
    found = analyse(kernel)  # type: ignore[arg-type]
    assert found.analytic is Truth.TRUE
    assert found.ellipse.complete and found.ellipse.attained
    difference = found.rho - S(rho) if rho is not oo else S(0 if found.rho is oo else 1)
    assert difference == 0 or sign_of(difference).zero
    assert found.entire is Truth.of(rho is oo)


def test_rho_with_parameters() -> None:
    poisson = analyse(kernels.poisson(Symbol("r", real=True), 3))
    assert poisson.rho == 1 / sympy.Abs(Symbol("r", real=True))
    cauchy = analyse(kernels.cauchy(c)).rho
    assert sympy.simplify(cauchy - (1 + c + sqrt(1 + 2 * c)) / c) == 0


def test_polynomials_have_a_degree() -> None:
    assert analyse("(u + 1)**5").degree == 5
    assert analyse("3").degree == 0
    assert not analyse("exp(u)").polynomial


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("kappa1(u)", Truth.FALSE),
        ("exp(-sqrt(1 - u))", Truth.FALSE),
        ("exp(-1/(1 - u))", Truth.FALSE),  # smooth up to the end, and yet not analytic there
        ("2 + 3*exp(-1/(1 - u))/(3 - u)", Truth.FALSE),
        ("elliptic_k(u)", Truth.FALSE),
        ("kappa(5, u)", Truth.FALSE),
        ("exp(u)", Truth.TRUE),
        ("kappa1(u/2)", Truth.TRUE),
        ("exp(-(1 - u)*sqrt(2 - u))", Truth.TRUE),
    ],
)
def test_analytic_on_the_closed_interval(text: str, verdict: Truth) -> None:
    assert analyse(text).analytic is verdict


def test_an_even_function_of_a_branch_point_is_not_taken_for_singular() -> None:
    # cosh(sqrt(2 - u)) is entire; the square root alone would give 2 + sqrt(3)
    assert analyse("cosh(sqrt(2 - u))").rho is oo
    # on another sheet only: 1/(2 + sqrt(2 - u)) has no pole at u = -2, where sqrt(2 - u) = 2
    found = analyse("1/(2 + sqrt(2 - u))")
    assert found.ellipse.complete and sign_of(found.rho - (2 + sqrt(3))).nonpositive


@settings(max_examples=15)
@given(st.lists(st.integers(-6, 6), min_size=2, max_size=5))
def test_rho_of_rational_functions_against_numerical_roots(coefficients: list[int]) -> None:
    denominator = sympy.Poly(coefficients, u)
    if denominator.degree() < 1:
        return
    square_free = denominator.quo(denominator.gcd(denominator.diff(u)))
    roots = [mpmath.mpmathify(z) for z in square_free.nroots(n=30)]
    if any(abs(mpmath.im(z)) < 1e-9 and abs(mpmath.re(z)) < 1 + 1e-9 for z in roots):
        return
    expected = min((abs(z - 1) + abs(z + 1)) / 2 for z in roots)
    expected += mpmath.sqrt(expected**2 - 1)
    found = analyse(1 / denominator.as_expr())
    assert found.analytic is Truth.TRUE
    assert found.ellipse.attained
    # both sides are good to 30 digits and are compared as doubles
    assert abs(float(rho_ball(found.nearest[0]).mid()) - float(expected)) < 2**-45 * float(expected)


# ------------------------------------------------------------------------------------------------ the parts


def _interval(ends: tuple[Fraction, Fraction], flags: tuple[bool, bool]) -> Interval:
    low, high = sorted(ends)
    if low == high:
        flags = (False, False)
    return Interval(
        Rational(low.numerator, low.denominator), Rational(high.numerator, high.denominator), *flags
    )


_intervals = st.builds(
    _interval,
    st.tuples(st.fractions(-3, 3, max_denominator=8), st.fractions(-3, 3, max_denominator=8)),
    st.tuples(st.booleans(), st.booleans()),
)


def _members(x: Interval) -> list[sympy.Expr]:
    inside = [x.lo + (x.hi - x.lo) * Rational(j, 7) for j in (0, 1, 4, 7)]
    return [v for v in inside if _contains(x, v)]


def _contains(x: Interval, value: sympy.Expr) -> bool:
    return bool(
        (x.lo < value or (x.lo == value and not x.lo_open))
        and (value < x.hi or (value == x.hi and not x.hi_open))
    )


@given(_intervals, _intervals, st.integers(1, 4))
def test_interval_operations_contain_every_result(x: Interval, y: Interval, n: int) -> None:
    for v in _members(x):
        assert _contains(-x, -v) and _contains(x.absolute(), abs(v)) and _contains(x**n, v**n)
        if x.nonzero():
            assert _contains(x.inverse(), 1 / v)
        for w in _members(y):
            assert _contains(x + y, v + w) and _contains(x - y, v - w) and _contains(x * y, v * w)
            assert _contains(x.hull(y), v) and _contains(x.hull(y), w)


_leaf = st.sampled_from([u, 1 - u, 1 + u, Integer(2), Rational(-1, 3), pi, u**2])


def _largest(x: sympy.Expr, y: sympy.Expr) -> sympy.Expr:
    try:
        return sympy.Max(x, y)
    except ValueError:  # SymPy compares real arguments only
        return x


def _is_kernel(expr: sympy.Expr) -> bool:
    try:
        Kernel(expr)
    except AsymptokError:
        return False
    return True


def _grow(children: st.SearchStrategy[sympy.Expr]) -> st.SearchStrategy[sympy.Expr]:
    functions = [
        sympy.exp, sympy.sin, sympy.cos, sympy.tanh, sympy.atan, sympy.asin, sympy.acos, sympy.log, sympy.sqrt,
        sympy.Abs, sympy.cosh, sympy.erf,
        lambda x: ArcCosine(0, x), lambda x: ArcCosine(1, x), lambda x: 1 / (2 + x**2),
    ]  # fmt: skip
    return st.one_of(
        st.builds(lambda f, x: f(x), st.sampled_from(functions), children),
        st.builds(lambda x, y: x + y, children, children),
        st.builds(lambda x, y: x * y, children, children),
        st.builds(_largest, children, children),
    )


@given(st.recursive(_leaf, _grow, max_leaves=5), st.integers(-99, 99))
def test_ranges_contain_the_values(expr: sympy.Expr, j: int) -> None:
    if not _is_kernel(expr):
        return
    found = Enclosure(OPEN, {}).range(expr)
    value = ball(expr, {u: Rational(j, 100)}, prec=96)
    if value.is_finite() and found.is_bounded:
        assert not value < found.as_ball() and not value > found.as_ball()


@given(st.recursive(_leaf, _grow, max_leaves=4))
def test_a_proof_of_smoothness_is_never_wrong_at_sample_points(expr: sympy.Expr) -> None:
    """Where analyticity is proved, every value in (-1, 1) is real and the derivative exists there."""
    if not by_ranges(expr, {}).holds:
        return
    for j in (-999, -700, -333, 0, 1, 250, 500, 998):
        assert ball(expr, {u: Rational(j, 1000)}, prec=128).is_finite()


@pytest.mark.slow
@settings(max_examples=300 if THOROUGH else 40)
@given(st.recursive(_leaf, _grow, max_leaves=6), st.sampled_from([None, 3, oo]))
def test_random_kernels_get_an_answer_without_a_traceback(expr: sympy.Expr, dimension: object) -> None:
    if not _is_kernel(expr):
        return
    kernel = Kernel(expr)
    found = analyse(kernel)
    report = check(kernel, d=dimension)
    assert report.holds in (True, False, None) and str(report) and report._repr_html_()
    assert report["smooth inside"].status == found.status
    if found.smooth is Truth.FALSE:
        assert any(point.proved for point in found.interior)


@pytest.mark.slow
@pytest.mark.parametrize("depth", [20, 40])
def test_depth_is_no_obstacle(depth: int) -> None:
    for kernel in (kernels.ntk(depth), kernels.random_features(depth)):
        assert check(kernel, d=3).holds is True
        assert {"decay", "Taylor coefficients"} < {
            report.theorem.name for report in applicable_theorems(kernel)
        }


def test_open_ends_make_the_difference() -> None:
    nested = ArcCosine(1, ArcCosine(1, u))
    assert not by_ranges(nested, {}, CLOSED).holds
    assert by_ranges(nested, {}, OPEN).holds
    assert repr(Enclosure(OPEN, {}).range(nested)) == "(1/pi, 1)"


def test_solutions_of_equations() -> None:
    assert set(solve(u**2 + 1).values) == {I, -I}
    assert solve(sympy.log(2 - u), S.Zero).values == (1,)
    assert not solve(sympy.erf(u), S.Half).complete
    assert solve(sympy.sqrt(2 - u), Integer(2)).values == (-2,)  # also the other branch counts
    assert -2 in solve(sympy.sqrt(2 - u), Integer(-2)).values


def test_local_analyticity() -> None:
    assert analytic_at((1 - sympy.cos(u)) / u**2, S.Zero, {})
    assert not analytic_at(sympy.exp(-1 / u**2), S.Zero, {})
    assert grade_at(sympy.exp(-1 / u**2), S.Zero, {}) is Grade.FLAT
    assert analytic_at(sympy.sqrt((1 - u) ** 2 * (2 + u)), S.One, {}, "-")


def test_rho_of_points() -> None:
    assert rho_of(Rational(5, 4), {}) == 2
    assert rho_of(3 * I / 4, {}) == 2
    assert rho_of(Rational(1, 2), {}) is None
    assert arb(1) < ball(rho_of(S(1) + I / 10, {}), prec=64)


def test_signs_of_constants() -> None:
    assert sign_of(sqrt(2) * sqrt(3) - sqrt(6)).zero
    assert sign_of(sqrt(3 + 2 * sqrt(2)) - 1 - sqrt(2)).zero
    assert sign_of(pi - Rational(314159265358979, 10**14)).positive
    assert sign_of(E**pi - pi**E).positive


def test_a_kink_at_a_double_root_without_a_closed_form_is_refuted() -> None:
    # |cos(u) - u|, written so that nothing changes its sign
    found = analyse("sqrt(cos(u)**2 - 2*u*cos(u) + u**2)")
    assert found.smooth is Truth.FALSE
    (point,) = found.interior
    low, high = point.enclosure
    assert abs(low - 0.7390851332151607) < 1e-12 and abs(high - low) < 1e-12
