"""Points inside beside ends: the larger of k^(-d/2-nu) and k^(-d-2nu_1+1), by parity and by dimension."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

import pytest
from flint import arb, ctx, fmpq
from sympy import Eq, Expr, Max, N, Rational, S, latex, oo, pi, sqrt

from asymptok import Kernel, check, consequences, eigenvalues, table
from asymptok import k as degree
from asymptok.cli.expansions import law_data
from asymptok.errors import AsymptokError, Undecided
from asymptok.laws import decay
from asymptok.laws.oscillation import strongest
from asymptok.regularity import analyse
from asymptok.symbols import d as dim
from asymptok.verification import verify

#: Wendland's phi_(3,1) of the chord
W = "max(1-sqrt(2*(1-u)),0)**4*(4*sqrt(2*(1-u))+1)"
K7 = "kappa1(u) + abs(u-1/3)**7"


# independent integrals ----------------------------------------------------------------------------------------


def _nodes(low: arb, high: arb, n: int) -> list[tuple[arb, arb, arb]]:
    """Tanh-sinh on [low, high]: distances from both ends, without loss next to them, and weights."""
    found, h, width = [], arb("4.6") / n, high - low
    for i in range(-n, n + 1):
        x = i * h
        e = (-arb.pi() * abs(x.sinh())).exp()
        near, far = (width * e / (1 + e)).mid(), (width / (1 + e)).mid()
        weight = (h * arb.pi() * x.cosh() * e / (1 + e) ** 2 * width).mid()
        found.append((near, far, weight) if i < 0 else (far, near, weight))
    return found


def _legendre(theta: arb, sine: arb, u: arb, d: int, ks: tuple[int, ...]) -> list[arb]:
    if d == 2:
        return [(k * theta).cos() for k in ks]
    if d == 4:
        return [((k + 1) * theta).sin() / ((k + 1) * sine) for k in ks]
    before, here, found = arb(1), u.mid(), []
    for k in range(1, max(ks)):
        before, here = here, (((2 * k + d - 2) * u * here - k * before) / (k + d - 2)).mid()
        if k + 1 in ks:
            found.append(here)
    return found


@lru_cache(maxsize=1)
def _rule(point: Rational, d: int, ks: tuple[int, ...]) -> list[tuple[arb, arb, arb, list[arb]]]:
    """(1 - u, 1 + u, u - point, weights times P_k) at the nodes left and right of the point."""
    middle, rule = arb(fmpq(int(point.p), int(point.q))).acos(), []
    half = arb(fmpq(d, 2)).gamma() / (arb.pi().sqrt() * arb(fmpq(d - 1, 2)).gamma())
    for right in (True, False):
        low, high = (arb(0), middle) if right else (middle, arb.pi())
        for a, b, weight in _nodes(low, high, 1100):
            theta = (a if right else middle + a) if a < b else high - b
            t = 2 * (theta / 2).sin() ** 2
            s = 2 * (((arb.pi() - theta) if right else b) / 2).sin() ** 2
            x = 2 * ((theta + middle) / 2).sin() * (-(-b if right else a) / 2).sin()
            # next to pi the angle has lost its digits, and its sine has not
            values = _legendre(theta, (t * s).sqrt(), 1 - t if t < s else s - 1, d, ks)
            rule.append((t, s, x, [half * weight * (t * s).sqrt() ** (d - 2) * v for v in values]))
    return rule


def integrals(
    kappa: Callable[[arb, arb, arb], arb], point: Rational, d: int, ks: tuple[int, ...]
) -> dict[int, Any]:
    """mu_k of kappa(1 - u, 1 + u, u - point) by tanh-sinh in theta on both sides of the point."""
    bits, ctx.prec = ctx.prec, 170
    try:
        totals = [arb(0)] * len(ks)
        for t, s, x, row in _rule(point, d, ks):
            value = kappa(t, s, x)
            if value.is_finite():
                totals = [a + value * b for a, b in zip(totals, row, strict=True)]
        return {k: S(v.mid().str(25, radius=False)) for k, v in zip(ks, totals, strict=True)}
    finally:
        ctx.prec = bits


def power(x: arb, p: int, q: int) -> arb:
    return x ** arb(fmpq(p, q))


def plus(x: arb) -> arb:
    return x if x > 0 else arb(0)


#: kernel, function of 1-u, 1+u and x = u - point, point, exponents at the ends for even and odd k, exponent inside
TABLE: list[tuple[str, Callable[[arb, arb, arb], arb], Rational, Expr | None, Expr | None, Expr]] = [
    (W, lambda t, s, x: plus(1 - (2 * t).sqrt()) ** 4 * (4 * (2 * t).sqrt() + 1), Rational(1, 2),
     Rational(3, 2), Rational(3, 2), S(4)),
    ("sqrt(1-u) + abs(u+1/3)**5", lambda t, s, x: t.sqrt() + abs(x) ** 5, Rational(-1, 3),
     Rational(1, 2), Rational(1, 2), S(5)),
    ("(1-u**2)**(3/2) + 3*abs(u-1/3)**7", lambda t, s, x: power(t * s, 3, 2) + 3 * abs(x) ** 7, Rational(1, 3),
     Rational(3, 2), None, S(7)),
    ("(1-u)**(5/2)/3 + max(u-1/5, 0)**(9/2)", lambda t, s, x: power(t, 5, 2) / 3 + power(plus(x), 9, 2),
     Rational(1, 5), Rational(5, 2), Rational(5, 2), Rational(9, 2)),
    ("(1-u)**(3/4) + sign(u-1/3)/100", lambda t, s, x: power(t, 3, 4) + (1 if x > 0 else -1) * arb("0.01"),
     Rational(1, 3), Rational(3, 4), Rational(3, 4), S(0)),
    ("(1-u)**sqrt(2) + abs(u-1/3)**(10/3)", lambda t, s, x: t ** arb(2).sqrt() + power(abs(x), 10, 3),
     Rational(1, 3), sqrt(2), sqrt(2), Rational(10, 3)),
    ("(1-u)**2*log(1-u) + max(u-1/3, 0)**4", lambda t, s, x: t**2 * t.log() + plus(x) ** 4, Rational(1, 3),
     S(2), S(2), S(4)),
    ("(1-u)**(5/4) - (1+u)**(5/4) + (1-u)**(5/2) + abs(u-1/3)**5",
     lambda t, s, x: power(t, 5, 4) - power(s, 5, 4) + power(t, 5, 2) + abs(x) ** 5, Rational(1, 3),
     Rational(5, 2), Rational(5, 4), S(5)),
    ("exp(-(1-u)**(3/2)) + (u-1/4)**2*log(abs(u-1/4))/20",
     lambda t, s, x: (-power(t, 3, 2)).exp() + x**2 * abs(x).log() / 20, Rational(1, 4),
     Rational(3, 2), Rational(3, 2), S(2)),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("d", [2, 3, 4, 5, 10])
@pytest.mark.parametrize("row", TABLE, ids=lambda row: row[0])
def test_exact_laws_against_integrals(row: Any, d: int) -> None:
    """The leading terms of `series` are mu_k up to corrections of relative size 3 (nu + d/2)^2/k, and an end below."""
    text, kappa, point, even, odd, inner = row
    law, ks = decay(text), (400, 401, 402)
    numbers = integrals(kappa, point, d, ks)
    for k in ks:
        side, end = (law.odd, odd) if k % 2 else (law.even, even)
        inside, outside = -Rational(d, 2) - inner, -oo if end is None else 1 - d - 2 * end
        assert N(side.exponent(d) - max(inside, outside), 20) == 0
        assert (side.at(d).kind == "algebraic") == bool(outside > inside)
        assert (side.at(d).lead is not None) == bool(outside >= inside)
        size = N(side.constant(d), 20) * k ** N(side.exponent(d), 20)
        below = side.end if outside < inside else None
        rest = 2 * abs(N(below.constant(d) * k ** below.exponent(d), 20)) if below else 0
        allowed = 3 * (inner + S(d) / 2) ** 2 / k * abs(size) + rest
        assert abs(numbers[k] - N(law.series(k, d, 9), 30)) < allowed
        assert N(law.series(degree, d, 9).subs(degree, k) - law.series(k, d, 9), 30) == pytest.approx(0)


# the law as an object -----------------------------------------------------------------------------------------


def test_wendlands_kernel() -> None:
    law = decay(W)
    assert law.nu == Rational(3, 2)
    for side in (law.even, law.odd):
        assert side.exponent() == Max(-dim - 2, -dim / 2 - 4)
        assert [side.exponent(n) for n in (2, 3, 4, 5, 6)] == [-4, -5, -6, -Rational(13, 2), -7]
        assert [side.at(n).kind for n in (2, 3, 5)] == ["algebraic", "algebraic", "oscillatory"]
        assert side.constant(3) == 90 and side.constant(2) == 120 / pi
        assert side.constant(dim).subs(dim, 3) == 90
        assert [str(where) for where, _ in side.by_dimension] == ["d <= 3", "Eq(d, 4)", "d >= 5"]
        tie = side.extremes(4)
        assert tie is not None and tie.exact and N(tie.lower) > 0  # both, and the end is stronger
    assert N(law.series(degree, 3, 1).subs(degree, 1000)) * 10.0**15 == pytest.approx(90, rel=0.01)


def test_a_lead_beyond_the_first_order() -> None:
    law = decay(K7)
    assert law.even.exponent(3) == -5 and law.odd.exponent(3) == -Rational(17, 2)
    assert law.even.constant(3) == 3 / pi  # of kappa1 alone
    assert law.even.by_dimension[1][0] == Eq(dim, 10) and law.odd.end is None
    assert law.odd.attained(3).name == "TRUE"
    mu = eigenvalues(K7, 3, ks=[501], dps=15)[501]
    assert abs(law.evaluate(501, 3, dps=10) / mu - 1) < 1e-9  # the ends leave nothing for odd k


@pytest.mark.parametrize(
    ("text", "border"),
    [
        (
            "(1-u)**2*log(1-u) + max(u-1/3, 0)**4",
            2,
        ),  # level in dimension 2, where the end is at its strongest
        ("(1-u)**(3/2) + abs(u-1/3)**3", 2),
        ("(1-u)**(7/2) + abs(u-1/3)**7", 2),
        ("(1-u)**(7/2) + abs(u-1/3)**8*abs(u-1/3)", 6),
        ("sqrt(1-u)*(1+u)**(3/4) + abs(u-1/3)**15", 30),
    ],
)
def test_ties(text: str, border: int) -> None:
    for side in (decay(text).even, decay(text).odd):
        here = side.at(border)
        assert here.kind == "oscillatory" and here.lead is not None
        assert side.at(border + 1).lead is None
        assert border == 2 or side.at(border - 1).kind == "algebraic"


def test_a_logarithm_breaks_a_tie() -> None:
    side = decay("(1-u)**2*log(1-u)**2 + abs(u-1/3)**5").even
    assert [str(where) for where, _ in side.by_dimension] == ["d <= 4", "d >= 5"]
    assert side.at(4).kind == "algebraic" and side.at(4).log_power == 1


def test_an_end_that_is_weaker_in_every_dimension_is_proved_to_be() -> None:
    for text in ("(1-u)**(5/2) + abs(u-1/3)", "(1-u)**(9/2) + abs(u-1/3)**7", "exp(u) + abs(u-1/3)**9"):
        side = decay(text).even
        assert side.lead is None and side.end is None and len(side.by_dimension) == 1
    with pytest.raises(AsymptokError):  # what the end leaves beside a weak point is unknown
        decay("abs(u-1/3)**9 + (1-u)**2*cos(log(1-u))")
    with pytest.raises(Undecided, match="order=4"):
        decay(K7.replace("kappa1(u)", "(1-u)**(7/2)"), order=2)


def test_parameters_decide_or_leave_it_open() -> None:
    side = decay(Kernel("-(1-u)**(g/2) + abs(u-1/3)**3", parameters={"g": (0, 2)})).even
    g = next(iter(side.exponent(3).free_symbols))
    assert side.at(3).kind == "algebraic" and side.exponent(3) == -g - 2
    assert side.exponent(5) == Max(-Rational(11, 2), -g - 4)  # end and point change places at g = 3/2
    assert side.extremes(5) is None and side.constant(5) is None
    assert side.at(8).lead is None and side.exponent(8) == -7
    low = decay(Kernel("-(1-u)**(g/2) + abs(u-1/3)**3", parameters={"g": (0, Rational(3, 2))})).even
    assert low.at(5).kind == "algebraic"
    side = decay(Kernel("b*(1-u)**(3/2) + c*abs(u-1/3)**5", parameters={"b": (0, oo), "c": (0, oo)})).odd
    assert side.at(5).kind == "algebraic" and side.at(7).kind == "oscillatory"
    law = decay(Kernel("b*(1-u)**(3/2) + abs(u-1/3)**5", parameters={"b": (-1, 1)}))
    kinds = {str(condition): side.even.at(3).kind for condition, side in law.cases}
    assert kinds == {"b < 0": "algebraic", "Eq(b, 0)": "oscillatory", "b > 0": "algebraic"}


def test_the_strongest_point_for_all_values_of_a_parameter() -> None:
    kernel = Kernel("max(u-1/3, 0)**a + abs(u-1/5)**3", parameters={"a": (0, 1)})
    points = analyse(kernel).interior
    assert [p.location for p in strongest(points, kernel.parameters)] == [Rational(1, 3)]
    assert strongest(points) == ()


def test_flat_points_and_flat_ends() -> None:
    assert decay("exp(-1/abs(u)) + kappa1(u)").even.kind == "algebraic"
    side = decay("exp(-1/(1-u**2)) + abs(u-1/2)**3").even
    assert side.lead is None and side.exponent(3) == -Rational(9, 2)


def test_series_with_a_symbol_d_asks_for_its_value() -> None:
    with pytest.raises(Undecided, match="give their values"):
        decay(W).series(degree)
    assert decay("abs(u)").series(2 * degree + 1, 3) == 0
    assert decay("abs(u-1/3)").series(degree, dim, 1).has(dim)


# displays -----------------------------------------------------------------------------------------------------


def test_displays_name_the_dimensions() -> None:
    law = decay(W)
    for shown in (str(law), str(law.even)):
        assert "k^(-d - 2) for d <= 3" in shown and "mu_k = O(k^(-d/2 - 4)), oscillating for d >= 5" in shown
    assert "d \\le 3" in latex(law) and "mu_k ~ 90 k^(-5) (all k)" in str(law)
    assert "$d \\le 3$" in table([W]).to_markdown() and "k^{-5}" in table([W], d=3).to_markdown()
    assert [law_data(law.even, n)["kind"] for n in (3, 5)] == ["algebraic", "oscillatory"]
    assert (
        law_data(law.even, 3)["constant"] == "90"
        and law_data(law.even)["exponent"] == "Max(-d - 2, -d/2 - 4)"
    )


# what others make of it ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_negative_eigenvalues_need_a_point_that_leads() -> None:
    for d in (3, 4):
        assert check(W, d)["positive definite"].status != "refuted"
    assert check(W, 5)["positive definite"].status == "refuted"
    late = eigenvalues(W, 5, ks=list(range(2000, 2006)), dps=10)
    assert min(late[k] for k in late.ks) < 0
    assert consequences(W, 3).sobolev_order.value == Rational(5, 2)
    with pytest.raises(AsymptokError):
        consequences(W, 5)


@pytest.mark.slow
@pytest.mark.parametrize("d", [2, 3, 4, 5])
def test_right_laws_are_confirmed(d: int) -> None:
    assert verify(W, d, kmax=200, dps=15, referee=()).passed


@pytest.mark.slow
@pytest.mark.parametrize("d", [2, 3, 4, 5, 8])
def test_right_laws_are_confirmed_far_out(d: int) -> None:
    for text in (W, K7, "(1-u)**(5/4) + abs(u-1/3)**5", "(1-u)*log(1-u) + abs(u-1/3)**7"):
        found = verify(text, d, kmax=400, referee=())
        assert found.passed, found.explain()


def _times(side: Any, factor: Expr, lead: bool, waves: bool) -> Any:
    """The law with wrong constants."""
    if lead and side.lead is not None:
        side = replace(side, lead=replace(side.lead, coefficient=factor * side.lead.coefficient))
    if waves:
        moved = (replace(w, parts=tuple((factor * c, a) for c, a in w.parts)) for w in side.waves)
        side = replace(side, waves=tuple(moved))
    return side


WRONG: dict[str, tuple[Callable[[Any], Any], set[int]]] = {
    "no end": (lambda side: replace(side, lead=None), {2, 3, 4}),
    "no end, no amplitude": (lambda side: replace(side, lead=None, waves=()), {2, 3, 4}),
    "end too small": (lambda side: _times(side, Rational(1, 37), True, False), {2, 3, 4}),
    "end too large": (lambda side: _times(side, S(37), True, False), {2, 3, 4}),
    "waves too small": (lambda side: _times(side, Rational(1, 37), False, True), {4, 5}),
    "waves too large": (lambda side: _times(side, Rational(3, 2), False, True), {4, 5}),
    "no point": (lambda side: side.end, {4, 5}),
    "no point, end too small": (lambda side: _times(side.end, Rational(1, 37), True, False), {2, 3, 4, 5}),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", WRONG)
def test_wrong_laws_are_contradicted(name: str) -> None:
    law, (spoilt, dimensions) = decay(W), WRONG[name]
    wrong = replace(law, even=spoilt(law.even), odd=spoilt(law.odd))
    for d in (2, 3, 4, 5):
        found = verify(W, d, kmax=400, dps=15, prediction=wrong, referee=())
        assert (found.verdict == "refuted") == (d in dimensions), (d, found.explain())


def test_the_law_without_the_end_is_contradicted() -> None:
    """What decay() said once: an envelope 37 times below mu_400."""
    law = decay(W)
    wrong = replace(law, even=replace(law.even, lead=None), odd=replace(law.odd, lead=None))
    assert verify(W, 3, kmax=100, dps=15, prediction=wrong, referee=()).verdict == "refuted"
    other = verify("ntk(3)", 3, kmax=60, dps=15, prediction=decay("abs(u-1/3)"), referee=())
    assert other.verdict == "refuted"  # waves where there are none


# a whole nu loses a logarithm ----------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["", " + sqrt(1-u)/10**6"])
def test_points_that_are_as_strong_once_a_logarithm_is_lost(end: str) -> None:
    """log|u - 1/4| leaves k^-1 in dimension 2, as a jump does: the jump at -1/2 has the amplitude 2/pi."""
    law = decay("log(abs(u-1/4))/1000 + sign(u+1/2)" + end)
    assert law.even.constant(2) == Rational(1, 1000) + 2 / pi
    assert law.even.exponent(2) == -1 and law.even.at(2).log_power == 0
    alone = decay("log(abs(u-1/4))/1000")
    assert alone.even.constant(2) == Rational(1, 1000)
