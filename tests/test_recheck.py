"""What regularity claims, checked again by other means; and evidence that was tampered with, which must not stand."""

from __future__ import annotations

import dataclasses
from typing import Any

import mpmath as mp
import pytest
import sympy
from flint import arb
from sympy import Abs, Rational, S, cos, cosh, exp, log, sin, sqrt

from asymptok import Kernel, kernels
from asymptok.precision import flint_precision
from asymptok.regularity import analyse
from asymptok.regularity.cover import Piece, Reason, cover
from asymptok.regularity.identities import simplified
from asymptok.regularity.leading import Beside
from asymptok.regularity.model import NotShown
from asymptok.regularity.points import classify
from asymptok.regularity.recheck import recheck, witnessed
from asymptok.regularity.rewriting import Rewriting, Step, follows, holds, rewritten
from asymptok.regularity.roots import Root
from asymptok.symbols import u
from asymptok.truth import Truth

YES, NO, OPEN = Truth.TRUE, Truth.FALSE, Truth.UNKNOWN

#: kernels that are smooth or not, analytic or not, and whether the claims can be checked again
CLAIMS = [
    ("sin(u)/u + sqrt(1 - u)", YES, NO, YES, YES),
    ("max(u**5 + u, 1/3 - u/7, 10)", YES, YES, YES, YES),
    ("asin(sin(u/2))*(sin(u)**2 + cos(u)**2)", YES, YES, YES, YES),
    ("cos(sqrt(1 - u)) + sqrt(u**2 + 4*u + 4)", YES, YES, YES, YES),
    ("(u**2 - 1/4)/(u - 1/2)", YES, YES, YES, YES),
    ("gamma(u + 3)/gamma(u + 2)", YES, YES, YES, YES),
    ("cosh(3*acosh(u + 2)) + sin(4*acos(u/2))", YES, YES, YES, YES),
    ("exp(-1/u**2)", YES, NO, YES, OPEN),
    ("abs(u - 1/3)", NO, NO, YES, YES),
    ("abs(u)**(5/2)", NO, NO, YES, YES),
    ("max(0, u)**3 + exp(-sqrt(1 - u))", NO, NO, YES, YES),
    ("sign(u)", NO, NO, YES, YES),
    ("u*log(abs(u))", NO, NO, YES, YES),
    ("tan(2*u)", NO, NO, YES, YES),
    ("abs(u - cos(u))**3", NO, NO, YES, YES),
    ("1/(u - cos(u))", NO, NO, YES, YES),
    ("(-2)**u", NO, NO, YES, YES),
    ("exp(-1/u**2)*sinh(2/u**2)", NO, NO, YES, YES),
    ("gamma(u)", NO, NO, OPEN, OPEN),
]


@pytest.mark.parametrize(
    ("text", "smooth", "analytic", "first", "second"), CLAIMS, ids=[c[0] for c in CLAIMS]
)
def test_claims_are_checked_again(
    text: str, smooth: Truth, analytic: Truth, first: Truth, second: Truth
) -> None:
    found = analyse(text)
    assert (found.smooth, found.analytic) == (smooth, analytic)
    again = found.recheck()
    assert (again.smooth, again.analytic) == (first, second)


@pytest.mark.parametrize(
    "kernel", [kernels.ntk(3), kernels.random_features(4), kernels.erf_network()], ids=str
)
def test_networks_are_checked_again(kernel: Kernel) -> None:
    again = analyse(kernel).recheck()
    assert (again.smooth, again.analytic) == (YES, YES)


def test_what_is_not_claimed_is_not_confirmed() -> None:
    again = analyse("exp(-1/u**2)*sin(exp(1/u**2))").recheck()
    assert (again.smooth, again.analytic) == (OPEN, OPEN)


# ---------------------------------------------------------------------------------------------------- tampering


def changed(found: Any, **fields: Any) -> Any:
    return dataclasses.replace(found, **fields)


def test_a_cell_shifted_or_left_out_is_refused() -> None:
    found = analyse("sin(u)/u + sqrt(1 - u)")
    assert found.cover is not None and found.recheck().smooth is YES
    pieces = found.cover.pieces
    for i, piece in enumerate(pieces):
        rest = pieces[:i] + pieces[i + 1 :]
        shifted = changed(piece, low=piece.low + Rational(1, 64), high=piece.high + Rational(1, 64))
        for other in (rest, (*rest, shifted)):
            torn = changed(found, cover=changed(found.cover, pieces=other))
            assert torn.recheck().smooth is not YES


def test_a_cell_across_a_pole_is_refused() -> None:
    found = analyse("1/(u - 1/3)")
    assert found.cover is not None
    whole = (Piece(S(-1), S(1), False, False, Reason.CELL),)
    lie = changed(found, smooth=YES, interior=(), cover=changed(found.cover, pieces=whole, points=()))
    assert lie.recheck().smooth is not YES


WITNESSES: list[dict[str, Any]] = [
    {"location": Rational(1, 4), "enclosure": (Rational(1, 4), Rational(1, 4))},
    {"nu": Rational(3, 2)},
    {"nu": S(2)},
    {"kind": "branch point"},
    {"right": S(2)},
    {"left": S(5)},
    {"proved": False},
    {"location": S(2), "enclosure": (S(2), S(2))},
]


@pytest.mark.parametrize("fields", WITNESSES, ids=str)
def test_a_changed_witness_is_refused(fields: dict[str, Any]) -> None:
    found = cover(Abs(u - Rational(1, 3)) + exp(u))
    (point,) = found.points
    assert witnessed(found, point) is YES and recheck(found)
    other = changed(point, **fields)
    assert witnessed(found, other) is not YES
    assert not recheck(changed(found, points=(other,)))


@pytest.mark.parametrize(
    ("expr", "fields"),
    [
        (sqrt(Abs(u)), {"nu": Rational(1, 3)}),
        (1 / u**2, {"nu": S(-1)}),
        (u * log(Abs(u)), {"log_power": 2}),
        (sqrt(Abs(u)), {"right": S(3)}),
    ],
    ids=str,
)
def test_a_changed_power_is_contradicted(expr: sympy.Expr, fields: dict[str, Any]) -> None:
    found = cover(expr)
    (point,) = found.points
    assert witnessed(found, point) is YES
    assert witnessed(found, changed(point, **fields)) is NO


def test_a_witness_against_a_smooth_kernel_is_refused() -> None:
    kink = cover(Abs(u))
    for smooth in (u, u**2, sqrt(1 - u), sin(u) / u, exp(-1 / u**2), Abs(u) ** 2, Abs(u) * u**2 / Abs(u)):
        assert witnessed(changed(kink, expr=S(smooth)), kink.points[0]) is not YES


def test_a_logarithm_on_one_side_only_is_recorded() -> None:
    point = classify(log(u), S.Zero, {})
    assert point.proved and (point.nu, point.log_power) == (0, 1)
    assert witnessed(changed(cover(Abs(u)), expr=log(u)), point) is YES


def test_a_bracket_without_a_root_is_refused() -> None:
    found = cover(Abs(u - cos(u)))
    (point,) = found.points
    assert witnessed(found, point) is YES
    pieces = tuple(
        changed(p, point=Root(sin(u) - 2, p.point.low, p.point.high)) if isinstance(p.point, Root) else p
        for p in found.pieces
    )
    assert witnessed(changed(found, pieces=pieces), point) is not YES


def test_a_piece_that_takes_in_the_root_beside_it_is_refused() -> None:
    found = cover(Abs(u - cos(u)))
    assert recheck(found)
    beside = [
        i for i, p in enumerate(found.pieces) if isinstance(p.point, Root) and (p.low_open or p.high_open)
    ]
    assert len(beside) == 2
    for i in beside:
        closed = changed(found.pieces[i], low_open=False, high_open=False)
        assert not recheck(changed(found, pieces=(*found.pieces[:i], closed, *found.pieces[i + 1 :])))


def test_an_identity_swapped_for_another_is_refused() -> None:
    found = analyse("asin(sin(u/2)) + sqrt(1 - u)")
    assert found.rewriting and found.recheck().smooth is YES
    (link,) = found.rewriting
    half = Step(link.steps[0].before, u / 3)
    for chain in (
        (),
        (changed(link, steps=()),),
        (changed(link, steps=(half,)),),
        (changed(link, steps=(half,), after=u / 3 + sqrt(1 - u)),),
        (changed(link, before=u),),
    ):
        assert changed(found, rewriting=chain).recheck().smooth is not YES


def test_an_end_that_is_not_analytic_is_refused() -> None:
    found = analyse("1/(2 - u)")
    assert found.recheck().analytic is YES
    other = analyse("sqrt(1 - u)")
    lie = changed(other, analytic=YES, ends=analyse("cos(sqrt(1 - u))*sin(u)/u").ends)
    assert lie.recheck().analytic is not YES
    assert other.end is not None
    for fields in ({"nu": Rational(3, 2)}, {"location": S(-1)}, {"nu": Rational(1, 3)}):
        assert changed(other, end=changed(other.end, **fields)).recheck().analytic is not YES
    assert changed(found, analytic=NO, end=other.end).recheck().analytic is not YES


# --------------------------------------------------------------------------------------------------- identities

x = u / 2
IDENTITIES: list[tuple[Any, Any, bool]] = [
    (sympy.asin(sin(x)), x, True),
    (sympy.asin(sin(3 * u)), 3 * u, False),
    (sympy.acos(cos(x)), x, False),  # -u/2 where u < 0
    (sympy.acos(cos(x + 1)), x + 1, True),
    (sympy.atan(sympy.tan(x)), x, True),
    (sympy.asinh(sympy.sinh(5 * u)), 5 * u, True),
    (log(exp(u) * (2 + u)), u + log(2 + u), True),
    (log((2 + u) ** 3), 3 * log(2 + u), True),
    (log(u**2), 2 * log(u), False),
    (sympy.LambertW((u + 2) * exp(u + 2)), u + 2, True),
    (sympy.LambertW((u - 2) * exp(u - 2)), u - 2, False),
    (sqrt(u**2 + 4 * u + 4), u + 2, True),
    (sqrt(u**2 + 4 * u + 4), -u - 2, False),
    (sqrt(u**2 - u + Rational(1, 4)), Abs(u - Rational(1, 2)), True),
    (sqrt(u**2 - u + Rational(1, 4)), u - Rational(1, 2), False),
    (Abs(u - 2), 2 - u, True),
    (Abs(u - 2), u - 2, False),
    (Abs(u), u, False),
    (Abs(log(u)), -log(u), False),  # |log u| = sqrt(log(-u)^2 + pi^2) for u < 0
    (sympy.sign(u + 2), S(1), True),
    (sympy.sign(u + 1), S(1), False),  # 0 at u = -1
    (sympy.Max(u, 3), S(3), True),
    (sympy.Max(u, S(1) / 2), S(1) / 2, False),
    (sympy.Min(u, 3), u, True),
    (sympy.Min(u, 3), S(3), False),
    (cosh(sqrt(1 - u)), sympy.hyper([], [S(1) / 2], (1 - u) / 4), True),
    (cos(sqrt(1 - u)), sympy.hyper([], [S(1) / 2], (1 - u) / 4), False),
    (cos(5 * sympy.acos(u)), 16 * u**5 - 20 * u**3 + 5 * u, True),
    (cos(5 * sympy.acos(u)), 16 * u**5 - 20 * u**3 + 4 * u, False),
    (sin(3 * sympy.acos(u)), sqrt(1 - u**2) * (4 * u**2 - 1), True),
    (sin(3 * sympy.acos(u)), (4 * u**2 - 1), False),
    (sin(u) ** 2 + cos(u) ** 2, S(1), True),
    (sin(u) ** 2 - cos(u) ** 2, S(1), False),
    (log(u) - log(u) + sqrt(u) ** 2, u, True),  # SymPy cancels the logarithms and the root itself
    (sympy.erf(log(u)) + sympy.erfc(log(u)), S(1), False),  # not defined for u < 0
    ((u**2 - 1) / (u - 1), u + 1, True),
    ((u**2 - 2) / (u - 1), u + 1, False),
]


@pytest.mark.parametrize(("before", "after", "same"), IDENTITIES, ids=str)
def test_identities(before: Any, after: Any, same: bool) -> None:
    assert holds(Step(S(before), S(after)), {}) is same
    if same:  # and mpmath sees nothing against it
        f, g = (sympy.lambdify(u, e, "mpmath") for e in (before, after))
        for place in (mp.mpf(1) / 7, -mp.mpf(5) / 7, mp.mpf(10) / 11):
            assert mp.almosteq(f(place), g(place), 1e-12)


def test_steps_must_lead_where_they_say() -> None:
    step = Step(Abs(u - 2), 2 - u)
    link = Rewriting(exp(Abs(u - 2)), exp(2 - u), (step,))
    assert follows(link) and rewritten(link.before, (link,), link.after, {}) is YES
    assert rewritten(u, (link,), link.after, {}) is NO
    assert rewritten(link.before, (link,), u, {}) is NO
    false = Rewriting(Abs(u - 2), u - 2, (Step(Abs(u - 2), u - 2),))
    assert follows(false) and rewritten(false.before, (false,), false.after, {}) is OPEN


# -------------------------------------------------------------------------------------------------------- sizes

half = Rational(1, 2)
SIZES: list[tuple[Any, Any, int]] = [
    (cos(u) / sqrt(u), S(0), 1),
    (sin(u) / u**2, S(0), -1),
    (1 / (cos(u) - 1), S(0), -1),
    (1 / (cos(u) - cos(half)), half, -1),
    (sqrt(1 - u**2) * log(1 - u), S(1), -1),
    (log(1 - u) ** 2 + 3 / (1 - u), S(1), -1),
    (sympy.tan(u) - u, S(0), 1),
    (sympy.acos(u) ** 2, S(1), -1),
    (sympy.Max(u**2, u) - u, S(0), -1),
    (exp(-1 / u**2) + u, S(0), 1),
    (sympy.Piecewise((u**3, u > 0), (2, True)), S(0), 1),
]


@pytest.mark.parametrize(("expr", "point", "side"), SIZES, ids=str)
def test_sizes_enclose_the_values(expr: Any, point: Any, side: int) -> None:
    """x^a L^b theta with theta in its interval: at three distances, by mpmath."""
    with flint_precision(200):
        found = Beside(point, side, Rational(1, 2**10), {})[S(expr)]
    f = sympy.lambdify(u, expr, "mpmath")
    with mp.workdps(60):
        for power in (10, 17, 40):
            d = mp.mpf(2) ** -power
            theta = f(mp.mpf(sympy.N(point, 60)) + side * d) / (
                d ** mp.mpf(found.power) * mp.log(1 / d) ** int(found.logs)
            )
            low, high = (
                mp.mpf(sympy.Rational(int(x.fmpq().p), int(x.fmpq().q))) for x in (found.low, found.high)
            )
            assert low <= theta <= high


def test_a_size_that_grows_has_no_upper_end() -> None:
    with flint_precision(200):
        found = Beside(S.Zero, 1, Rational(1, 2**10), {})[exp(1 / u)]
    assert found.unbounded and not found.exact and found.high == arb("inf")


@pytest.mark.parametrize(
    "expr", [1 / (sin(1 / u)), log(u), sqrt(u - u**2 - u), Abs(sin(1 / u)), u**u], ids=str
)
def test_sizes_that_are_not_known(expr: Any) -> None:
    with flint_precision(200), pytest.raises(NotShown):
        Beside(S.Zero, -1, Rational(1, 2**10), {})[S(expr)]


# every rule that rewrites, against mpmath ------------------------------------------------------------------------

gamma = sympy.gamma
REWRITTEN: list[Any] = [
    sympy.asin(2 * sin(u / 3) * cos(u / 3)),
    sympy.acos(cos(u + 2)),
    sympy.atan(sympy.tan(u)),
    sympy.atanh(sympy.tanh(3 * u)),
    log(exp(u) * (3 + u)),
    log(sqrt(u + 2)),
    sympy.LambertW(u * exp(u)),
    3 * sin(u) ** 2 + 3 * cos(u) ** 2 + u,
    2 * cosh(u) ** 2 - 2 * sympy.sinh(u) ** 2 + u,
    cosh(u) + sympy.sinh(u),
    u * sympy.erf(u) + u * sympy.erfc(u),
    5 * sympy.asin(u / 2) + 5 * sympy.acos(u / 2) + u,
    sympy.atan(u + 3) + sympy.atan(1 / (u + 3)),
    sympy.atan(u - 3) + sympy.atan(1 / (u - 3)),
    gamma(u + 5) / gamma(u + 2),
    gamma(u + 2) / gamma(u + 5),
    gamma(u + 2) / gamma(u + 3),
    (1 - cos(u)) / sin(u),
    sqrt(u**2 + 4 * u + 4),
    sqrt(u**2 - 4 * u + 4),
    sqrt(2 * u**2 - 2 * u + half),
    ((u + 2) ** 3 * (3 + u)) ** Rational(1, 3),
]


@pytest.mark.parametrize("expr", REWRITTEN, ids=str)
def test_a_rewritten_function_has_the_same_values(expr: Any) -> None:
    trace: list[tuple[Any, Any]] = []
    after = simplified(S(expr), {}, trace)
    assert after != expr and trace
    f, g = (sympy.lambdify(u, e, "mpmath") for e in (expr, after))
    for place in (-0.9, -0.31, 0.123, 0.5, 0.87):
        assert mp.almosteq(f(mp.mpf(place)), g(mp.mpf(place)), 1e-12)
    # half angles and pairs of arctangents have no second proof
    checked = [pair for pair in trace if not any(e.has(sympy.atan, sympy.tan, gamma) for e in pair)]
    assert all(holds(Step(*pair), {}) for pair in checked)


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
