"""Every argument of a proof by itself: germs next to a point, equations, conditions, reasons against mu_k >= 0."""

from __future__ import annotations

from typing import Any

import pytest
import sympy
from flint import acb, arb, fmpq
from sympy import Rational, S, Symbol, oo, sqrt

from asymptok import Kernel
from asymptok.atlas.models.rules import _largest_on
from asymptok.atlas.orthants import AtAngle
from asymptok.functions.orthant_record import orthant_real
from asymptok.regularity import analyse
from asymptok.regularity.analysis import _singular_end
from asymptok.regularity.candidates import singular_points
from asymptok.regularity.enclosure import _extreme
from asymptok.regularity.equations import solve
from asymptok.regularity.intervals import Interval
from asymptok.symbols import u
from asymptok.theorems.case import Case
from asymptok.theorems.conditions import _parities
from asymptok.theorems.enclosed import _range_next_to, enclose_eigenvalue
from asymptok.theorems.positive import _all_dimensions, _by_asymptotics, _by_taylor, _impossible_value
from asymptok.truth import Truth

half = Rational(1, 2)

# equations ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expr", "values"),
    [
        (u * (u - half), {0, half}),
        (u * (sympy.exp(u) - 2) ** 2, {0, sympy.log(2)}),
        (u**2 / (u - 3), {0}),
        (3 * u * sympy.log(u + 1) / u**2, {0}),
        (sqrt(u) - 2, {4}),
        (2 * u**3 - 16, {2, -1 + sqrt(3) * sympy.I, -1 - sqrt(3) * sympy.I}),
        (5 - sympy.log(u), {sympy.exp(5)}),
        (u + 1 / u - Rational(5, 2), {2, half}),
    ],
    ids=lambda x: "" if isinstance(x, set) else str(x),  # sets have no order
)
def test_equations_are_solved(expr: Any, values: set[Any]) -> None:
    found = set(solve(expr).values)
    assert {sympy.N(v, 20) for v in found} >= {sympy.N(v, 20) for v in values}
    for v in found:  # zeros of the numerator, of which some may be zeros of the denominator
        assert abs(sympy.N(sympy.fraction(sympy.together(expr))[0].subs(u, v), 20)) < 1e-15


def test_what_is_not_solved_says_so() -> None:
    assert not solve(u ** sqrt(2), S(2)).complete and not solve(u + sympy.exp(u)).complete
    assert solve(u ** sqrt(2)).values == (0,) and solve(u ** -sqrt(2)).values == ()
    assert solve(u ** -sqrt(2)).complete and not solve(u ** -sqrt(2), S(2)).complete
    assert solve(sympy.sin(u)).periodic and not solve(sympy.log(u)).periodic
    for node, periodic in (
        (sympy.log(sympy.sin(u)), True),
        (sympy.log(u**2 - 4), False),
        (sympy.sqrt(u), False),
    ):
        found = singular_points(node)
        assert found is not None and found.complete and found.periodic is periodic


def test_the_larger_of_two_ranges() -> None:
    half_open, inner = Interval(S(0), S(2), True), Interval(S(0), S(2), True, True)
    for x, y, largest, smallest in (
        (half_open, Interval(S(-1), S(1)), half_open, Interval(S(-1), S(1))),
        (Interval(S(0), S(2)), inner, half_open, Interval(S(0), S(2), False, True)),
        (Interval(S(-2), S(-1)), inner, inner, Interval(S(-2), S(-1))),
    ):
        for a, b in ((x, y), (y, x)):
            assert _extreme([a, b], True) == largest and _extreme([a, b], False) == smallest


# kappa next to a point ---------------------------------------------------------------------------------------


def test_an_end_that_is_not_analytic_is_named() -> None:
    found = _singular_end(Kernel("exp(u) + (1+u)**(3/2)"), 3)
    assert found is not None and (found.location, found.kind, found.nu) == (
        -1,
        "branch point",
        Rational(3, 2),
    )
    assert found.proved and found.log_power == 0 and found.reason
    found = _singular_end(Kernel("(1-u)*log(1-u)"), 3)
    assert found is not None and (found.location, found.nu, found.log_power) == (1, 1, 1)
    found = _singular_end(Kernel("1/(1-u)"), 3)
    assert found is not None and (found.kind, found.proved, found.nu) == ("unbounded", True, None)
    assert _singular_end(Kernel("exp(u)"), 3) is None


c = Symbol("c", positive=True)


@pytest.mark.parametrize(
    ("expr", "smooth"),
    [
        (sympy.sin(c * u) / u, Truth.TRUE),
        ((sympy.exp(c * u) - 1) / u, Truth.TRUE),
        ((1 - sympy.cos(c * u)) / u**2, Truth.TRUE),
        (sympy.sin(c * (u - half)) / (u - half), Truth.TRUE),
        (sympy.Abs(sympy.sin(c * u)), Truth.FALSE),
        (sympy.Abs(u - half) * c, Truth.FALSE),
        (1 / (u - half) + c, Truth.FALSE),
        (sympy.Max(c * u, 0), Truth.FALSE),
        (sympy.Max(c * u, 4), Truth.TRUE),
        (sympy.Piecewise((u**2, u < c), (sympy.Abs(u), True)), Truth.TRUE),
        (sqrt(c + u), Truth.TRUE),
        (1 / (3 - c * u), Truth.TRUE),
        (1 / (1 - c * u), Truth.FALSE),
    ],
    ids=str,
)
def test_regularity_for_all_values_of_a_parameter(expr: Any, smooth: Truth) -> None:
    """1 < c < 2."""
    assert analyse(Kernel(expr, parameters={c: (1, 2)})).smooth is smooth


# positive definiteness: every argument by itself -------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "impossible"),
    [
        ("log(1-u)", True),  # -oo at 1
        ("log(1+u)", True),  # unbounded at -1 alone
        ("10 + log(1+u)", True),
        ("exp(-u)", True),  # larger elsewhere than at 1
        ("cos(u)", True),
        ("2 - u**2", True),
        ("sign(u) + 2", True),
        ("exp(u)", False),
        ("u**2", False),
        ("u**3", False),
        ("(1-u)**(-1/4)", False),
        ("-log(1-u)", False),
        ("u**2 - 1/4", False),  # |kappa| <= 3/4
    ],
)
def test_values_that_no_positive_definite_function_has(text: str, impossible: bool) -> None:
    assert (_impossible_value(Case(Kernel(text), S(3))) is not None) is impossible


@pytest.mark.parametrize(
    ("text", "taylor", "every"),
    [
        ("exp(u)", "supported", "supported"),
        ("1/(2-u)", "supported", "supported"),
        ("cos(u)", "refuted", "refuted"),
        ("exp(u) - u", "supported", "supported"),
        ("exp(u) - 2*u**7", "refuted", "refuted"),
        ("exp(u) - u**16/10**12", "refuted", "refuted"),
        ("sqrt(u+1) + abs(u)**3", "refuted", "refuted"),
        ("exp(u) + sqrt(1-u)/10", "refuted", "refuted"),
        ("abs(u)*u**2", "supported", "refuted"),  # |u|^3 is u^3 on the right of 0, and not analytic there
    ],
)
def test_taylor_coefficients_support_and_refute(text: str, taylor: str, every: str) -> None:
    case = Case(Kernel(text), oo)
    assert (_by_taylor(case).status, _all_dimensions(case).status) == (taylor, every)


def test_the_coefficients_of_both_ends_are_compared() -> None:
    for text, even, odd in (
        ("(1-u)*log(1-u)", "!=", "!="),
        ("(1-u)*log(1-u) + (1+u)*log(1+u)", "!=", "="),
        ("(1-u)*log(1-u) - (1+u)*log(1+u)", "=", "!="),
    ):
        found = _parities(Case(Kernel(text), None))
        assert found.status == "proved"
        assert f"a_1 + a_-1 {even} 0" in found.evidence and f"a_1 - a_-1 {odd} 0" in found.evidence


def test_the_largest_value_on_a_disc() -> None:
    for f, centre, rho, truth in (
        (acb.exp, 0, 1, 1),
        (acb.exp, -2, 3, 1),
        (lambda z: (2 - z).log() if z.real < 2 else None, 0, 1, 0.0941),  # log 3
        (lambda z: 1 / z if not z.contains(0) else None, 2, 1, 0),
    ):
        found = _largest_on(f, arb(centre), arb(rho))
        assert found is not None and truth - 1e-3 < found.log() < truth + 0.3
    assert _largest_on(lambda z: None if z.contains(0) else 1 / z, arb(1), arb(2)) is None


def test_an_orthant_at_an_angle() -> None:
    for a, b in ((1, -1), (2, 1), (1, 1), (-1, -2)):
        h, k = arb(a) + arb(b) / 2, arb(b) + arb(a) / 2
        found = AtAngle(S(a), S(b))(acb(arb.pi() / 3))
        assert found.real.overlaps(orthant_real(h, k, arb(1) / 2)) and found.real.rad() < 1e-9


def test_open_signs_are_counted() -> None:
    b = Symbol("b", real=True)
    found = _by_taylor(Case(Kernel(sympy.exp(b * u), parameters={b: (-1, 1)}), oo))
    assert found.status == "unknown" and "signs of" in found.evidence


@pytest.mark.parametrize(
    ("text", "d", "refuted"),
    [
        ("exp(-sqrt(1-u))", 3, False),
        ("-exp(-sqrt(1-u))", 3, True),
        ("exp(-sqrt(1-u)) + exp(-sqrt(1+u))", 3, False),
        ("exp(-sqrt(1-u)) - 2*exp(-sqrt(1+u))", 3, True),
        ("abs(u - 1/3)", 3, True),
        ("abs(u)", 3, True),
        ("abs(u)/4 + exp(-sqrt(1-u))", 2, False),  # the wave and the end are of one size, and the end wins
        ("3*abs(u) + exp(-sqrt(1-u))", 2, True),
        ("(1-u)*log(1-u)", 3, False),
        ("-(1-u)*log(1-u)", 3, True),
        ("exp(u)", 3, False),
    ],
)
def test_laws_that_refute(text: str, d: int, refuted: bool) -> None:
    found = _by_asymptotics(Case(Kernel(text), S(d)), d)
    assert (found is not None) is refuted and (found is None or found.status == "refuted")


def test_the_range_in_the_last_cell() -> None:
    edge = arb(7) / 8
    for expr, at, cell in ((sqrt(1 - u), 1, edge.union(arb(1))), (sqrt(1 + u), -1, (-edge).union(arb(-1)))):
        found = _range_next_to(expr, at, cell)
        assert found.contains(0) and found.contains(arb(fmpq(1, 8)).sqrt()) and found.rad() < 0.18
    assert not _range_next_to(1 / (1 - u), 1, edge.union(arb(1))).is_finite()
    # (1/2) int sqrt(1-u) P_k and (1/2) int |u| P_k
    ks = (0, 1, 2, 5)
    root = {k: -2 * arb(2).sqrt() / ((4 * k * k - 1) * (2 * k + 3)) for k in ks}
    modulus = dict(zip(ks, (fmpq(1, 2), fmpq(0), fmpq(1, 8), fmpq(0)), strict=True))
    for expr, truth, cells, slack in ((sqrt(1 - u), root, 64, 0.06), (sympy.Abs(u), modulus, 128, 0.04)):
        for k in ks:
            found = enclose_eigenvalue(expr, 3, k, cells)
            assert found.overlaps(arb(truth[k])) and found.rad() < slack * (1 + k)
    assert enclose_eigenvalue(u**2, 2, 2, 64).contains(arb(1) / 4)  # cos^2 = (1 + cos 2 theta)/2
    assert enclose_eigenvalue(u**2, 4, 0, 64).contains(arb(1) / 4)
