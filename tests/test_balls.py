"""Balls contain what mpmath computes, for every function of the table, and never pretend to know more."""

from __future__ import annotations

from fractions import Fraction

import flint
import mpmath
import pytest
import sympy
from flint import acb, acb_series, arb, arb_series, fmpq
from sympy import Rational as Q
from sympy import S, Symbol

from asymptok.balls import ball, compile_ball, complex_ball, exact_point
from asymptok.errors import AsymptokError
from asymptok.functions import RECORDS, record_of
from asymptok.functions.arccosine import ArcCosine

x = Symbol("x")
BITS = 166  # 50 digits
DIGITS = 50

POINTS = [Q(-7, 2), Q(-1), Q(-1, 3), Q(0), Q(1, 7), Q(1, 2), Q(1), Q(3, 2), Q(9, 2)]
COMPLEX_POINTS = [*POINTS, Q(1, 2) + sympy.I / 3, -2 + sympy.I / 5, -Q(3, 2) - 2 * sympy.I]

ONE_ARGUMENT = [
    *(sympy.exp, sympy.log, sympy.sin, sympy.cos, sympy.tan, sympy.cot, sympy.sec, sympy.csc, sympy.sinc),
    *(sympy.asin, sympy.acos, sympy.atan, sympy.acot, sympy.asec, sympy.acsc),
    *(sympy.sinh, sympy.cosh, sympy.tanh, sympy.coth, sympy.sech, sympy.csch),
    *(sympy.asinh, sympy.acosh, sympy.atanh, sympy.acoth, sympy.asech, sympy.acsch),
    *(sympy.erf, sympy.erfc, sympy.erfi, sympy.Ei, sympy.Si, sympy.Shi),
    *(
        sympy.gamma,
        sympy.loggamma,
        sympy.factorial,
        sympy.zeta,
        sympy.dirichlet_eta,
        sympy.airyai,
        sympy.airybi,
    ),
    *(sympy.LambertW, sympy.elliptic_k, sympy.elliptic_e, sympy.Abs, sympy.sign, sympy.Heaviside),
    *(sympy.floor, sympy.ceiling, sympy.Ci, sympy.Chi),
]
EXPRESSIONS = {
    "power 3": x**3,
    "power -2": x**-2,
    "sqrt": sympy.sqrt(x),
    "1/sqrt": 1 / sympy.sqrt(x),
    "x**(5/2)": x ** Q(5, 2),
    "cube root": x ** Q(1, 3),
    "x**(-2/3)": x ** Q(-2, 3),
    "x**pi": x**sympy.pi,
    "2**x": 2**x,
    "digamma": sympy.polygamma(0, x),
    "polygamma 3": sympy.polygamma(3, x),
    "zeta(3, x)": sympy.zeta(3, x),
    "besselj": sympy.besselj(Q(1, 3), x),
    "bessely": sympy.bessely(2, x),
    "besseli": sympy.besseli(1, x),
    "besselk": sympy.besselk(Q(5, 2), x),
    "besselk 1": sympy.besselk(1, x),
    "dilogarithm": sympy.polylog(2, x),
    "polylog 5/2": sympy.polylog(Q(5, 2), x),
    "2F1": sympy.hyper([Q(1, 2), Q(1, 3)], [2], x),
    "1F1": sympy.hyper([Q(1, 2)], [Q(7, 3)], x),
    "0F1": sympy.hyper([], [Q(7, 3)], x),
    "3F2": sympy.hyper([1, Q(1, 2), Q(1, 3)], [2, 3], x / 10),
    "LambertW -1": sympy.LambertW(x / 20, -1),
    "min": sympy.Min(x, Q(1, 3), x**2),
    "max": sympy.Max(x, Q(1, 3), x**2),
    "piecewise": sympy.Piecewise((x**2, x < 0), (sympy.sqrt(x), x <= 1), (7, True)),
    "constants": x * (sympy.pi + sympy.E + sympy.EulerGamma + sympy.Catalan + sympy.GoldenRatio),
    "float": x + sympy.Float("0.1", 30),
    "kappa 0": ArcCosine(0, x),
    "kappa 1": ArcCosine(1, x),
    "kappa 4": ArcCosine(4, x),
}
CASES = {**{f.__name__: f(x, evaluate=False) for f in ONE_ARGUMENT}, **EXPRESSIONS}


def reference(expr: sympy.Expr, point: sympy.Expr) -> mpmath.mpc | None:
    """mpmath's number with 20 digits to spare, None at poles and where mpmath has no answer."""
    try:
        value = expr.subs(x, point)
    except (ValueError, TypeError):  # an order relation between complex numbers
        return None
    if value.has(S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity):
        return None
    with mpmath.workdps(DIGITS + 20):
        try:
            f = sympy.lambdify(x, expr, "mpmath")
            p = mpmath.mpmathify(complex(0)) + sympy.re(point).p / mpmath.mpf(sympy.re(point).q)
            p += 1j * sympy.im(point).p / mpmath.mpf(sympy.im(point).q)
            p = p if p.imag else p.real
            number = mpmath.mpmathify(f(p))
        except (ValueError, ZeroDivisionError, TypeError, NotImplementedError, NameError):
            try:
                number = mpmath.mpmathify(value.evalf(DIGITS + 20)._to_mpmath(250))
            except (AttributeError, ValueError):
                return None
        return None if not mpmath.isfinite(number) else number


def close(b: acb | arb, number: mpmath.mpf) -> bool:
    """The ball contains the number, to the 50 digits that the number surely has."""
    with mpmath.workdps(DIGITS + 20):
        size = max(abs(number), mpmath.mpf(1))
        tolerance = arb(0, arb((1, -BITS + 4)) * int(mpmath.ceil(size)))
        real = exact_point(mpmath.mpf(number.real)) + tolerance
        imaginary = exact_point(mpmath.mpf(mpmath.im(number))) + tolerance
    return bool(acb(b).overlaps(acb(real, imaginary)))


@pytest.mark.parametrize("name", CASES)
def test_real_value_is_enclosed(name: str) -> None:
    answered = 0
    for point in POINTS:
        b = ball(CASES[name], {x: point}, BITS)
        expected = reference(CASES[name], point)
        if not b.is_finite():
            continue
        answered += 1
        assert expected is not None, (name, point, b)
        assert abs(mpmath.im(expected)) < mpmath.mpf(10) ** -DIGITS, (name, point, expected)
        assert close(b, expected), (name, point, b, expected)
        assert b.rel_one_accuracy_bits() > BITS // 2
    assert answered >= 1


@pytest.mark.parametrize("name", CASES)
def test_complex_value_is_enclosed(name: str) -> None:
    answered = 0
    for point in COMPLEX_POINTS:
        b = complex_ball(CASES[name], {x: complex_point(point)}, BITS)
        expected = reference(CASES[name], point)
        if not b.is_finite() or expected is None:
            continue
        answered += 1
        assert close(b, expected), (name, point, b, expected)
    assert answered >= 1


def complex_point(point: sympy.Expr) -> acb:
    with flint.ctx.workprec(BITS):
        return acb(exact_point(sympy.re(point)), exact_point(sympy.im(point)))


@pytest.mark.parametrize("name", CASES)
def test_a_wide_ball_contains_the_values_inside(name: str) -> None:
    for point in (Q(1, 4), Q(-1, 4), Q(5, 4)):
        wide = ball(CASES[name], {x: exact_point(point) + arb(0, fmpq(1, 16))}, BITS)
        if wide.is_finite():
            for inside in (point - Q(1, 16), point, point + Q(1, 31)):
                value = ball(CASES[name], {x: inside}, 2 * BITS)
                assert wide.overlaps(value), (name, point, inside)


def test_every_table_entry_is_exercised() -> None:
    used = {type(node) for expr in CASES.values() for node in sympy.preorder_traversal(expr)}
    used |= {sympy.atan2, sympy.elliptic_f}  # tested below
    used |= {
        f for f in RECORDS if f.__module__.startswith("asymptok.")
    }  # tested with the kernels made of them
    assert set(RECORDS) <= used | {sympy.Add, sympy.Mul}


def test_two_argument_functions() -> None:
    assert ball(sympy.atan2(-10, -5), prec=BITS).overlaps(arb.atan2(arb(-10), arb(-5)))
    m = Q(1, 3)
    with mpmath.workdps(DIGITS + 20):
        first, second = mpmath.ellipf(1, mpmath.mpf(1) / 3), mpmath.ellipe(1, mpmath.mpf(1) / 3)
    assert close(complex_ball(sympy.elliptic_f(1, m), prec=BITS), first)
    assert close(complex_ball(sympy.elliptic_e(1, m), prec=BITS), second)


def test_elliptic_functions_take_the_parameter_not_the_modulus() -> None:
    # K(m) at m = 1/2 is Gamma(1/4)^2/(4 sqrt(pi)); with the modulus it would be another number
    closed = sympy.gamma(Q(1, 4)) ** 2 / (4 * sympy.sqrt(sympy.pi))
    assert ball(sympy.elliptic_k(Q(1, 2)), prec=BITS).overlaps(ball(closed, prec=BITS))
    assert not ball(sympy.elliptic_k(x), {x: Q(3, 2)}).is_finite()
    assert ball(sympy.elliptic_e(x), {x: 1}) == 1


def test_polylog_at_one_and_beyond() -> None:
    assert ball(sympy.polylog(2, x), {x: 1}, BITS).overlaps(ball(sympy.pi**2 / 6, prec=BITS))
    assert ball(sympy.polylog(2, x), {x: arb(fmpq(7, 8), fmpq(1, 8))}, BITS).contains(fmpq(16, 10))
    assert not ball(sympy.polylog(2, x), {x: 2}).is_finite()


def test_outside_the_real_domain_the_answer_is_nan() -> None:
    for expr in (sympy.sqrt(x), sympy.log(x), x ** Q(1, 3), sympy.acosh(x), sympy.I * x, ArcCosine(1, 2 * x)):
        assert not ball(expr, {x: -1}).is_finite(), expr
    assert not ball(1 / x, {x: 0}).is_finite()


def test_integer_powers_of_balls_around_zero_are_finite_and_non_negative() -> None:
    square = ball(x**2, {x: arb(0, 1)})
    assert square.is_finite() and square >= 0 and square.contains(1)
    assert not ball(x**-2, {x: arb(0, 1)}).is_finite()
    assert ball(x**3, {x: arb(0, 1)}).contains(-1)


def test_arc_cosine_at_the_ends_of_its_interval() -> None:
    for n in range(4):
        for point in (1, -1):
            stick_out = ball(ArcCosine(n, x), {x: arb(point, fmpq(1, 2**40))}, BITS)
            assert stick_out.contains(int(ArcCosine(n, point)))
            assert stick_out.rad() < 2.0**-18 if n == 0 else stick_out.rad() < 2.0**-38
    assert not ball(ArcCosine(1, x), {x: arb("1.1")}).is_finite()


def test_conditions_are_decided_by_balls_or_not_at_all() -> None:
    expr = sympy.Piecewise((0, x < 0), (1, True))
    assert ball(expr, {x: arb(1, fmpq(1, 2))}) == 1
    undecided = ball(expr, {x: arb(0, fmpq(1, 2))})
    assert undecided.contains(0) and undecided.contains(1)
    assert not complex_ball(expr, {x: acb(0, 1)}).is_finite()
    both = sympy.Piecewise((2, sympy.And(x > 0, x < 1)), (3, sympy.Or(sympy.Eq(x, 2), x > 5)), (4, True))
    assert [int(ball(both, {x: v}).unique_fmpz()) for v in (Q(1, 2), 2, 3, 6)] == [2, 3, 4, 3]
    assert not ball(sympy.Piecewise((1, x > 0)), {x: -1}).is_finite()


def test_a_shared_subexpression_is_evaluated_once_and_depth_is_no_obstacle() -> None:
    expr: sympy.Expr = x
    for _ in range(60):
        expr = sympy.sin(expr) + sympy.cos(expr)
    value = ball(expr, {x: Q(1, 2)}, BITS)  # 2^60 nodes as a tree
    assert value.is_finite()
    nested: sympy.Expr = x
    for _ in range(400):
        nested = ArcCosine(1, nested)
    assert ball(nested, {x: Q(-1, 2)}, BITS).overlaps(arb(1) - arb(0, fmpq(1, 10)))


def test_compiled_form_agrees_on_real_complex_and_series_arguments() -> None:
    y = Symbol("y")
    expr = sympy.exp(x * y) * sympy.acos(x) + ArcCosine(2, x) / sympy.sqrt(1 + y) + sympy.tanh(x) ** 3
    f = compile_ball(expr, [x, y])
    with flint.ctx.workprec(BITS):
        at = arb(fmpq(1, 3)), arb(fmpq(1, 5))
        real = f(*at)
        assert real.overlaps(ball(expr, {x: Q(1, 3), y: Q(1, 5)}))
        assert f(acb(at[0]), acb(at[1])).real.overlaps(real)
        derivative = ball(expr.diff(x), {x: Q(1, 3), y: Q(1, 5)})
        for kind in (arb_series, acb_series):
            series = f(kind([at[0], 1], prec=4), kind([at[1]], prec=4))
            assert acb(series[0]).overlaps(acb(real)) and acb(series[1]).overlaps(acb(derivative))
    with pytest.raises(AsymptokError, match="besselk"):
        compile_ball(sympy.besselk(1, x), [x])(arb_series([1, 1]))
    with pytest.raises(AsymptokError, match="2 arguments"):
        f(arb(1))


def test_constants_follow_the_precision() -> None:
    f = compile_ball(sympy.pi * x, [x])
    for bits in (60, 400, 100):
        with flint.ctx.workprec(bits):
            assert bits - 5 < f(arb(1)).rel_accuracy_bits() <= bits


def test_exact_points() -> None:
    for value in (
        3,
        Fraction(1, 3),
        Q(1, 3),
        fmpq(1, 3),
        "1/3",
        "0.25",
        "1e-40",
        mpmath.mpf("0.1"),
        0.1,
        sympy.pi,
    ):
        assert exact_point(value).is_finite()
    assert exact_point(mpmath.mpf(2) ** -500) == arb((1, -500))
    assert exact_point("pi").overlaps(arb.pi())
    for bad in (float("nan"), "x", "1/0", None, mpmath.inf, x):
        with pytest.raises(AsymptokError):
            exact_point(bad)


def test_what_is_not_supported_is_named() -> None:
    with pytest.raises(AsymptokError, match="mathieuc"):
        ball(sympy.mathieuc(1, 2, x), {x: 1})
    with pytest.raises(AsymptokError, match="symbol x"):
        ball(x + 1)
    with pytest.raises(AsymptokError, match="SymPy expression"):
        ball("__import__('os')")
    assert record_of(sympy.mathieuc) is None


def test_precision_is_restored_after_an_error() -> None:
    before = flint.ctx.prec
    with pytest.raises(AsymptokError):
        ball(sympy.mathieuc(1, 2, 3), prec=999)
    assert flint.ctx.prec == before
