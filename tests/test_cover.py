"""Covers of (-1, 1): each claim of regularity against the truth by construction, and each gap left open."""

from __future__ import annotations

import random
from typing import Any

import mpmath as mp
import pytest
import sympy
from flint import arb
from sympy import Abs, Rational, S, cos, cosh, exp, log, sin, sinh, sqrt

from asymptok import Kernel, u
from asymptok.expansion.obstruction import is_complex_near
from asymptok.regularity import analyse
from asymptok.regularity.boxes import Boxes
from asymptok.regularity.cover import Reason, _gaps, cover
from asymptok.regularity.equations import solve
from asymptok.regularity.flat import Grade, flat_part_is_there, grade_at
from asymptok.regularity.identities import simplified
from asymptok.truth import Truth

QUARTER = Rational(1, 4)

ANALYTIC_AT_ZERO = [
    sin(u) / u,
    (exp(u) - 1) / u,
    (1 - cos(u)) / u**2,
    u / log(1 + u),
    1 / (1 + 1 / u**2),
    log(sin(u) / u),
    1 / sin(u) - 1 / u,
    cos(Abs(u)),
    Abs(u) * sin(Abs(u)),
    sqrt(u**4 + u**6),
    sympy.Max(u**2, u**3),
]
SMOOTH_AT_ZERO = [
    exp(-1 / u**2),
    u + Abs(u) * exp(-1 / u**2),
    1 / (1 + exp(-1 / u**2)),
    log(Abs(u)) * exp(-1 / Abs(u)),
    sympy.Piecewise((exp(-1 / u), u > 0), (0, True)),
]
NOT_SHOWN_AT_ZERO = [
    Abs(u),
    1 / u,
    sqrt(u**2 + u**4),
    log(exp(-1 / u**2) + exp(-2 / u**2)),
    1 / (exp(-1 / u**2) + exp(-2 / u**2)),
    exp(-1 / u**2) * sinh(2 / u**2),
    sympy.sign(u) * exp(-1 / u**2) * sinh(1 / u**2),
    Abs(u) * exp(-1 / u**2) * sympy.cosh(1 / u**2),
    exp(-1 / u**2) * Abs(u) / (exp(-1 / u**2) + exp(-2 / u**2)),
    sympy.sign(u) ** 2,  # its value at 0 is not its limit
]


@pytest.mark.parametrize("expr", ANALYTIC_AT_ZERO, ids=str)
def test_removable_points_are_analytic(expr: sympy.Expr) -> None:
    found = cover(expr)
    assert found.smooth is Truth.TRUE and not any(p.reason is Reason.FLAT for p in found.pieces)


@pytest.mark.parametrize("expr", SMOOTH_AT_ZERO, ids=str)
def test_flat_parts_are_smooth(expr: sympy.Expr) -> None:
    found = cover(expr)
    assert found.smooth is Truth.TRUE and any(p.reason is Reason.FLAT for p in found.pieces)
    assert analyse(Kernel(expr)).analytic is not Truth.TRUE


@pytest.mark.parametrize("expr", NOT_SHOWN_AT_ZERO, ids=str)
def test_what_is_not_regular_is_not_shown(expr: sympy.Expr) -> None:
    assert cover(expr).smooth is not Truth.TRUE


@pytest.mark.parametrize(
    ("expr", "at", "analytic"),
    [
        (cos(sqrt(1 - u)), 1, True),
        (sin(sqrt(1 - u)) / sqrt(1 - u), 1, True),
        ((1 - u**2) / (1 - u), 1, True),
        (sqrt(1 - u), 1, False),
        ((1 - u) * log(1 - u), 1, False),
        ((1 - u) ** Rational(3, 2), 1, False),
    ],
    ids=str,
)
def test_ends(expr: sympy.Expr, at: int, analytic: bool) -> None:
    assert analyse(Kernel(expr)).analytic is Truth.of(analytic)


def test_flat_ends() -> None:
    """exp(-1/(1+u)) is C-infinity up to -1, and no analytic function continues it."""
    flat = exp(-1 / (1 + u))
    assert grade_at(flat, S(-1), {}, "+") is Grade.FLAT
    assert grade_at(flat + u, S(-1), {}, "+") is Grade.SMOOTH
    assert flat_part_is_there(flat * cos(u) + exp(u), S(-1), {}, "+")
    assert not flat_part_is_there(flat - flat + exp(u), S(-1), {}, "+")
    assert analyse(Kernel(flat + exp(u))).analytic is Truth.FALSE


def test_the_pieces_of_a_cover_are_needed_and_reach_from_end_to_end() -> None:
    found = cover(sin(u) / u + sqrt(1 - u) + Abs(u - QUARTER))
    assert len(found.pieces) > 3 and not _gaps(list(found.pieces), list(found.points))
    for i in range(len(found.pieces)):
        torn = [*found.pieces[:i], *found.pieces[i + 1 :]]
        assert _gaps(torn, list(found.points))
    assert _gaps(list(found.pieces), [])  # the kink is left out by both its neighbours


@pytest.mark.parametrize(
    "expr", [Abs(u) * u / (u - 2), log(2 + u) * sympy.Max(u, u**2), sqrt(u + 2) / (u**2 + 1)], ids=str
)
def test_boxes_hold_the_values(expr: sympy.Expr) -> None:
    """A value on every short interval that misses the choices and poles, and mpmath's values are inside."""
    rng = random.Random(8)
    f, boxes = sympy.lambdify(u, expr, "mpmath"), Boxes(expr)
    for _ in range(40):
        j = rng.randrange(-1000, 1000)
        low, high = Rational(j, 1024), Rational(j + 8, 1024)
        found = boxes.on(low, high)
        if low <= 0 <= high and expr.has(Abs, sympy.Max):
            assert found is None
            continue
        assert found is not None
        with mp.workdps(30):
            for share in (0, 3, 8):
                value = f(mp.mpf(j + share) / 1024)
                assert found.overlaps(arb(mp.nstr(value, 28)) + arb(0, 1e-25))


def test_a_pole_beside_a_removable_point() -> None:
    found = analyse("u/(exp(u)-1-Rational(42957,25000)*u)")
    assert found.smooth is Truth.FALSE and found.complete
    (point,) = found.interior
    with mp.workdps(30):
        root = mp.findroot(lambda x: mp.exp(x) - 1 - mp.mpf(42957) / 25000 * x, mp.mpf("0.999998"))
        assert point.kind == "pole" and float(point.enclosure[0]) <= float(root) <= float(point.enclosure[1])


def test_a_complex_value_is_looked_for_inside_only() -> None:
    near = Rational(-1048575, 1048576)
    assert not is_complex_near(sympy.acos(u), near, "-", {})
    assert is_complex_near(sqrt(u - near), near, "-", {})


def test_parameters_are_covered_by_roots_in_closed_form_only() -> None:
    c = sympy.Symbol("c", positive=True)
    assert analyse(sin(c * u) / (c * u)).smooth is Truth.TRUE
    assert analyse(1 / (u - c)).smooth is Truth.UNKNOWN
    assert analyse(Abs(u) * c).smooth is Truth.FALSE


def test_composition_takes_the_exact_zero() -> None:
    """1 - cos(h) at a simple zero of h starts with h^2, although no ball can know that."""
    h = cos(u) - u
    assert analyse((1 - cos(h)) / h**2).smooth is Truth.TRUE
    assert analyse((1 - cos(h)) / h**3).smooth is not Truth.TRUE


@pytest.mark.parametrize(
    "expr",
    [
        (u + Rational(5, 8)) ** 2 * sympy.sign(sympy.Max(u + Rational(5, 8), 0)) ** 2,
        (u + Rational(5, 8)) ** 8 * cos(sympy.sign(sympy.Max(u + Rational(5, 8), 0))),
        (u + Rational(5, 8)) ** 8 * sympy.sign(u + Rational(5, 8) + Abs(u + Rational(5, 8))) ** 2,
    ],
    ids=str,
)
def test_zero_on_one_side_is_no_change_of_sign(expr: sympy.Expr) -> None:
    found = analyse(expr)
    assert found.smooth is not Truth.TRUE and found.analytic is not Truth.TRUE


@pytest.mark.parametrize(
    "expr",
    [
        exp(-sympy.loggamma(u + 2)),  # 1/Gamma(u+2) is entire
        exp(2 * sympy.atanh(u / 4 - Rational(1, 2))),  # (u+2)/(6-u)
        exp(-2 * sympy.acoth(u + 3)),  # (u+2)/(u+4)
        exp(2 * sympy.Ci(u + 2) - 2),  # (u+2)^2 times an entire function
    ],
    ids=str,
)
def test_exp_of_a_logarithm_need_not_be_singular(expr: sympy.Expr) -> None:
    found = analyse(expr)
    assert not (found.ellipse.attained and found.rho == 2 + sqrt(3))


def test_the_value_at_an_end_counts() -> None:
    for text in ("where(u < 1, u, 7)", "sign(1 - u)"):
        assert analyse(text).analytic is not Truth.TRUE


def test_constants_with_parameters_must_be_real_for_all_values() -> None:
    c = sympy.Symbol("c", real=True)
    for expr, low, high in (
        (u * sqrt(c - 3), 2, 4),
        (u / (c - 3), 2, 4),
        (u * log(c), -1, 1),
        (sin(u) / c, -1, 1),
    ):
        found = analyse(Kernel(expr, parameters={c: (low, high)}))
        assert found.smooth is not Truth.TRUE, expr


def test_rho_with_parameters_is_not_its_reciprocal() -> None:
    c = sympy.Symbol("c", positive=True)
    rho = analyse(Kernel(1 / (2 - c * u), parameters={c: (0, 1)})).rho
    if rho is not None:
        with mp.workdps(20):
            truth = (2 + mp.sqrt(4 - mp.mpf(1) / 4)) * 2
            assert abs(mp.mpmathify(sympy.N(rho.subs(c, Rational(1, 2)), 20)) - truth) < mp.mpf(10) ** -15
    assert not analyse(Kernel((u + 3) ** c, parameters={c: (0, 2)})).ellipse.attained
    assert not analyse(Kernel(sympy.polylog(2, u / 2 - c), parameters={c: (2, 3)})).ellipse.attained


def test_an_exponent_with_a_parameter_is_ordered_by_its_range() -> None:
    c = sympy.Symbol("c", positive=True)
    found = analyse(Kernel(Abs(u) ** c + Abs(u) ** 3, parameters={c: (Rational(7, 2), Rational(15, 4))}))
    assert [p.nu for p in found.interior if p.proved] == [3]


def test_far_complex_values_do_not_locate_a_singular_point() -> None:
    found = analyse(u * sympy.zeta(u + 1) + sqrt(Rational(1, 8192) - u))
    assert all(p.location != 0 for p in found.interior if p.proved)


# ------------------------------------------------------------------- germs in a function that vanishes, and scales

g = cos(u) - u
E = exp(-1 / u**2)
MODULUS = exp(-1 / Abs(u))

#: the truth of each by construction
SMOOTH_OR_NOT: list[tuple[sympy.Expr, bool]] = [
    (sympy.tanh(1 / g), False),
    (g * sympy.erf(1 / g), False),
    (g * sympy.atan(1 / g**3), False),
    (exp(-1 / g**2) / g**5, True),
    (exp(-1 / g**2) + Abs(g) ** 5, False),
    (Abs(g) * g, False),
    (sin(Abs(g)) / Abs(g), True),
    ((exp(g) - 1 - g) / g**3, False),
    ((exp(g) - 1 - g - g**2 / 2) / g**3, True),
    (sympy.coth(g) - 1 / g, True),
    (sympy.coth(g) - 2 / g, False),
    ((u - exp(-u)) / (u * exp(u) - 1), True),
    (Abs(u - exp(-u)) / (u * exp(u) - 1), False),
    (Abs(u - exp(-u)) / Abs(u * exp(u) - 1), True),
    (exp(Abs(g)) + exp(-Abs(g)), True),
    (sympy.Piecewise((sin(u), u < 0), (u, True)), False),
    (sympy.Piecewise((exp(-1 / u) + u, u > 0), (0, True)), False),
    (sympy.gamma(u), False),
    (cos(2 * u) * sympy.tan(2 * u), True),
    (sympy.tan(2 * u), False),
    ((Abs(u) ** 2 - cos(u) ** 2) / (Abs(u) - cos(u)), False),
    (sympy.acos(cos(3 * u)), False),
    (sqrt(1 - sympy.cos(u) ** 2), False),
    (Abs(sinh(u)) ** Rational(5, 2), False),
    (Abs(sinh(u)) ** 4, True),
    (log(cosh(u)), True),
    (sqrt(sympy.sinc(u)), True),
]


@pytest.mark.parametrize(("expr", "smooth"), SMOOTH_OR_NOT, ids=str)
def test_the_truth_is_found(expr: sympy.Expr, smooth: bool) -> None:
    assert analyse(Kernel(expr)).smooth is Truth.of(smooth)


#: honest refusals: not smooth, or smooth for a reason that is not seen; never the wrong answer
OPEN_QUESTIONS: list[tuple[sympy.Expr, bool]] = [
    # e^(-h)/(e^(-h) + e^(-2h)) is 1/(1 + e^(-h)), and the like: quotients and logarithms of flat parts
    (E / (E + E**2), True),
    (Abs(u) * E / (E + E**2), False),
    (sympy.sign(u) * MODULUS / (MODULUS + MODULUS**2), False),
    (E / exp(-1 / u**2 - Abs(u)), False),
    (E / exp(-1 / u**2 - u), True),
    (u**2 * log(E + E**2), True),
    (u**2 * log(MODULUS + MODULUS**2), False),
    (log(E + E**2), False),
    (cos(u) * log(MODULUS * (2 + sin(u))), False),
    (log(exp(-1 / g**2) + exp(-2 / g**2)), False),
    (E * sin(1 / u), True),
    (Abs(u) * MODULUS * sympy.cosh(1 / u), False),
    (E * sympy.cosh(1 / Abs(u) ** 3), False),
    (1 / sympy.Piecewise((1 + exp(-1 / u), u > 0), (1, True)), True),
    # constant up to something flat, next to infinity
    (sympy.tanh(1 / g**2), True),
    (sympy.erf(1 / g) ** 2, True),
    (sympy.atan(1 / g**2), True),
    # sin^2 + cos^2 = 1 is not used
    (sympy.Piecewise((sin(u) ** 2, u < 0), (1 - cos(u) ** 2, True)), True),
    (sqrt(1 - cos(u) ** 2) / Abs(u), True),
    # Gamma at its poles
    (u * sympy.gamma(u), True),
    (1 / sympy.gamma(u), True),
    (E * sin(exp(1 / u**2)), False),
    (sympy.Piecewise((sin(u) ** 2, u < 0), (1 - cos(u) ** 2, u > 0), (5, True)), False),
    ((sympy.Max(0, u) ** 2 - sympy.Max(0, u) * sin(u)) / sympy.Max(0, u), False),
    (sympy.erf(1 / (Abs(u) + u)) + sympy.erfc(1 / (Abs(u) + u)), False),
    (sympy.Piecewise((sin(u), u <= 0), (u - u**3 / 6 + u**5 / 120, True)), False),
]


def test_equations_with_too_many_solutions_are_incomplete_and_bounded() -> None:
    found = solve(sin(sympy.tan(sin(sympy.tan(sin(u))))), Rational(1, 3))
    assert not found.complete and len(found.values) == 200
    # each of them is a solution
    with mp.workdps(30):
        for value in found.values[::40]:
            x = mp.mpmathify(sympy.N(value, 30))
            assert abs(mp.sin(mp.tan(mp.sin(mp.tan(mp.sin(x))))) - mp.mpf(1) / 3) < mp.mpf(10) ** -20


def test_a_choice_of_something_undefined_at_a_point_is_no_accident() -> None:
    # at u = 0 SymPy has no value of the minimum, and says so by an exception of its own
    m = sympy.Min(Rational(13, 6) - 1 / (9 - 3 * u), log(2 + 2 * sinh(u / 2) / (3 * u)))
    kernel = Kernel(sympy.Piecewise((m, u < 0), (sqrt(m**2 + 6 * m + 9) - 3, True)))
    assert analyse(kernel).smooth is not Truth.FALSE


@pytest.mark.parametrize(("expr", "smooth"), OPEN_QUESTIONS, ids=str)
def test_what_is_not_seen_is_not_claimed(expr: sympy.Expr, smooth: bool) -> None:
    assert analyse(Kernel(expr)).smooth in (Truth.UNKNOWN, Truth.of(smooth))


@pytest.mark.parametrize(
    ("expr", "plain"),
    [
        (sympy.asin(sin(u / 2)), u / 2),
        (sympy.asin(sin(2 * u)), sympy.asin(sin(2 * u))),  # 2u leaves the principal branch
        (sympy.acos(cos(u)), sympy.acos(cos(u))),
        (sympy.asinh(sinh(log(-1 - u**2))), sympy.asinh(sinh(log(-1 - u**2)))),  # its argument is not real
        (sqrt(u**2 + 4 * u + 4), u + 2),
        (sqrt(u**2 - 2 * u * cos(u) + cos(u) ** 2), Abs(u - cos(u))),
        (log(exp(u) * (2 + u)) - log(2 + u), u),
    ],
)
def test_identities(expr: sympy.Expr, plain: sympy.Expr) -> None:
    assert simplified(expr, {}) == plain


def test_a_kernel_with_a_parameter_is_covered_for_all_its_values() -> None:
    c = sympy.Symbol("c", positive=True)
    ranges = {c: (Rational(1, 2), S(2))}
    assert analyse(Kernel(c * sin(g) / g + exp(c * u), parameters=ranges)).smooth is Truth.TRUE
    assert analyse(Kernel(c * Abs(g) + exp(c * u), parameters=ranges)).smooth is Truth.FALSE
    assert analyse(Kernel((c - 1) * Abs(g) + exp(c * u), parameters=ranges)).smooth is Truth.UNKNOWN
    assert analyse(Kernel(sin(g) / (g + c - 1), parameters=ranges)).smooth is Truth.UNKNOWN


def _ramp(p: Rational) -> sympy.Expr:
    return sympy.Max(0, u - p)


@pytest.mark.parametrize(
    ("expr", "points"),
    [
        (_ramp(QUARTER) ** Rational(5, 3) + sqrt(1 + u), {QUARTER}),
        ((Abs(u - QUARTER) + u - QUARTER) ** Rational(5, 3), {QUARTER}),
        (log(1 + _ramp(-QUARTER) ** Rational(1, 3)) * Abs(u + S.Half), {-QUARTER}),
        (sqrt(1 - sympy.sign(u - QUARTER)) + u**2, {QUARTER}),
        (sqrt(_ramp(QUARTER)) * sqrt(_ramp(S.Half)), {S.Half}),
        (Abs(_ramp(QUARTER) ** Rational(5, 3) - S(1) / 1000), {QUARTER, QUARTER + S(10) ** Rational(-9, 5)}),
    ],
    ids=lambda value: "" if isinstance(value, set) else str(value),  # sets have no order
)
def test_fractional_powers_of_what_is_zero_on_a_cell(expr: sympy.Expr, points: set[sympy.Expr]) -> None:
    found = analyse(Kernel(expr))
    assert found.complete and {p.location for p in found.interior} == points


@pytest.mark.parametrize(
    "expr",
    [
        _ramp(QUARTER) * log(_ramp(QUARTER)),  # 0 log 0 on half of the interval
        1 / log(_ramp(QUARTER)),
        _ramp(QUARTER) ** Rational(5, 3) * sqrt(u),  # not real for u < 0
        sympy.Max(0, sympy.Max(0, u) ** Rational(1, 3) - 1) + _ramp(0) ** Rational(1, 3),
    ],
    ids=str,
)
def test_a_zero_does_not_hide_what_is_undefined_or_singular(expr: sympy.Expr) -> None:
    found = analyse(Kernel(expr))
    assert found.smooth is not Truth.TRUE
    assert not found.complete or {p.location for p in found.interior} == {S.Zero}


gamma = sympy.gamma
REWRITTEN: list[Any] = [
    sympy.asin(sin(u / 3)),
    sympy.acos(cos(u + 2)),
    sympy.atan(sympy.tan(u)),
    sympy.atanh(sympy.tanh(3 * u)),
    sympy.LambertW(u * exp(u)),
    log(exp(u) * (3 + u)),
    log(sqrt(u + 2)),
    sqrt(u**2 + 4 * u + 4),
    sqrt(u**2 - 4 * u + 4),
    sqrt(2 * u**2 - 2 * u + S.Half),
    ((u + 2) ** 3 * (3 + u)) ** Rational(1, 3),
]


@pytest.mark.parametrize("expr", REWRITTEN, ids=str)
def test_a_rewritten_function_has_the_same_values(expr: Any) -> None:
    after = simplified(S(expr), {})
    assert after != expr
    f, g = (sympy.lambdify(u, e, "mpmath") for e in (expr, after))
    for place in (-0.9, -0.31, 0.123, 0.5, 0.87):
        assert mp.almosteq(f(mp.mpf(place)), g(mp.mpf(place)), 1e-12)


KEPT: list[Any] = [
    sympy.asin(sin(2 * u)),
    sympy.acos(cos(u)),
    sympy.atan(sympy.tan(2 * u)),
    log(u**2),
    sympy.LambertW((u - 1) * exp(u - 1)),
    sin(u) ** 2 - cos(u) ** 2,
    sin(u) ** 2 + cos(2 * u) ** 2,
    cosh(u) ** 2 + sympy.sinh(u) ** 2,
    sympy.erf(u) - sympy.erfc(u),
    sympy.atan(u) + sympy.atan(1 / u),
    gamma(u + Rational(5, 2)) / gamma(u + 2),
    (1 + cos(u)) / sin(u),
]


@pytest.mark.parametrize("expr", KEPT, ids=str)
def test_what_is_no_identity_is_left_alone(expr: Any) -> None:
    assert simplified(S(expr), {}) == expr
