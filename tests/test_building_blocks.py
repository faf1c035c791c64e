"""Small parts that carry the proofs, each against a closed form: contained, and no wider than said."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
import sympy
from flint import arb, fmpq
from sympy import Rational, S, Symbol, oo, sqrt

from asymptok import expand
from asymptok.constants.exponents import RATIONAL
from asymptok.regularity.domains import requirements
from asymptok.regularity.intervals import REALS, Interval, from_ball, increasing
from asymptok.regularity.marks import Mark, find_marks
from asymptok.series import ExactDomain, Ranges
from asymptok.series.algebra import substituted
from asymptok.series.elementary import exponential, logarithm, power
from asymptok.series.truncated import NeedMoreTerms, NotIntegrable, Series, _first_sum, antichain
from asymptok.symbols import u

half = Rational(1, 2)

# series: (coefficient, exponent, power of the logarithm), and exponents of the remainder ---------------------

DOM = ExactDomain(Ranges())
Terms = dict[tuple[fmpq, int], Any]


def series(terms: dict[tuple[Any, int], int], rem: tuple[tuple[Any, int], ...] = (), top: int = 3) -> Series:
    blocks: dict[Any, Any] = {}
    for (e, j), c in terms.items():
        blocks.setdefault((RATIONAL, j), {})[int(fmpq(e) * 6)] = DOM.rational(c)
    return Series(DOM, fmpq(top), 6, blocks, [(RATIONAL, fmpq(e), j) for e, j in rem])


def said(x: Series) -> tuple[dict[tuple[fmpq, int], sympy.Expr], list[tuple[fmpq, int]]]:
    return {(e, j): DOM.to_expr(c) for c, _, e, j in x.terms()}, sorted((e, j) for _, e, j in x.rem)


A = {(0, 0): 2, (fmpq(1, 2), 0): -1, (1, 1): 3, (2, 0): 5}
B = {(fmpq(1, 3), 0): 1, (1, 0): 4, (fmpq(3, 2), 2): -2}


@pytest.mark.parametrize("cut", [(), (fmpq(1, 2),), (fmpq(3, 2),), (2,)])
@pytest.mark.parametrize("other", [(), (1,), (fmpq(7, 6),)])
def test_sums_and_products_know_where_they_end(cut: tuple[Any, ...], other: tuple[Any, ...]) -> None:
    """Multiplied out term by term: what lies below the first unknown term is known, and nothing else."""
    a = {key: c for key, c in A.items() if not cut or key[0] < cut[0]}
    b = {key: c for key, c in B.items() if not other or key[0] < other[0]}
    x, y = series(A, tuple((e, 0) for e in cut)), series(B, tuple((e, 0) for e in other))
    assert said(x)[0] == a and said(y)[0] == b
    edge = min([fmpq(e) for e in (*cut, *other)], default=fmpq(100))
    total: Terms = {}
    for key, c in [*a.items(), *b.items()]:
        if key[0] < edge:
            total[fmpq(key[0]), key[1]] = total.get((fmpq(key[0]), key[1]), 0) + c
    logs = max(key[1] for key in [(edge, 0), *a, *b] if key[0] == edge)  # t log t is larger than O(t)
    assert said(x + y) == (total, [(edge, logs)] if cut or other else [])
    assert said(x - x)[0] == {} and said(series({}) - (-x)) == said(x)
    # the lowest exponents are 0 and 1/3
    edges = [fmpq(e) + fmpq(1, 3) for e in cut] + [fmpq(e) for e in other]
    made: Terms = {}
    for ((e, i), c), ((f, j), v) in product(a.items(), b.items()):
        key = fmpq(e) + fmpq(f), i + j
        made[key] = made.get(key, 0) + c * v
    edge = min([*edges, fmpq(100)])
    known, rem = said(x * y)
    wanted = {key: c for key, c in made.items() if c and key[0] < edge and key[0] <= 3}
    assert known == wanted
    beyond = [key for key, c in made.items() if c and key[0] > 3]
    if edge < 100:
        assert [e for e, _ in rem] == [edge]
    else:
        assert rem and min(rem)[0] == min(key[0] for key in beyond)


def test_a_term_above_the_working_order_is_named() -> None:
    x = series({(0, 0): 1, (3, 0): 2, (fmpq(19, 6), 0): 3, (4, 1): 1})
    assert said(x) == ({(0, 0): 1, (3, 0): 2}, [(fmpq(19, 6), 0)])
    assert said(series({(0, 0): 1, (4, 1): 1})) == ({(0, 0): 1}, [(4, 1)])


def test_derivative_and_integral_undo_each_other() -> None:
    x = series({(fmpq(-1, 2), 0): 1, (fmpq(1, 3), 2): 4, (1, 1): 3}, ((fmpq(5, 2), 1),))
    assert said(x.integral().derivative()) == said(x)
    t = Symbol("t", positive=True)
    for e, j in ((fmpq(-1, 2), 1), (fmpq(1, 3), 3), (fmpq(2), 0), (fmpq(0), 2)):
        exponent = Rational(int(e.p), int(e.q))
        found, _ = said(series({(e, j): 1}, top=9).integral())
        written = sum(
            c * t ** Rational(int(f.p), int(f.q)) * sympy.log(t) ** i for (f, i), c in found.items()
        )
        assert sympy.expand(sympy.diff(written, t) - t**exponent * sympy.log(t) ** j) == 0
        found, _ = said(series({(e, j): 1}, top=9).derivative())
        written = sum(
            c * t ** Rational(int(f.p), int(f.q)) * sympy.log(t) ** i for (f, i), c in found.items()
        )
        assert sympy.expand(sympy.diff(t**exponent * sympy.log(t) ** j, t) - written) == 0
    y = series({(1, 2): 1, (1, 1): 5, (1, 0): 7})  # terms that meet
    assert said(y.derivative())[0] == {(0, 2): 1, (0, 1): 7, (0, 0): 12}
    assert said(y.integral().derivative()) == said(y)
    assert said(x.integral())[1] == [(fmpq(7, 2), 1)] and said(x.derivative())[1] == [(fmpq(3, 2), 1)]
    for e in (-1, fmpq(-3, 2)):
        with pytest.raises(NotIntegrable):
            series({(e, 0): 1}).integral()
        with pytest.raises(NeedMoreTerms):
            series({(0, 0): 1}, ((e, 0),)).integral()


def test_the_leading_term_and_the_limit() -> None:
    lead = series({(1, 0): 5, (1, 2): -3, (2, 3): 1}, ((2, 4),)).lead()
    assert (DOM.to_expr(lead.coefficient), lead.rest, lead.log_power) == (-3, 1, 2)
    for terms in ({}, {(2, 0): 1}):  # nothing known, or nothing that is known to dominate
        with pytest.raises(NeedMoreTerms) as need:
            series(terms, ((2, 0),)).lead()
        assert need.value.amount == 2 if not terms else need.value.amount >= 1
    assert DOM.to_expr(series(A).limit()) == 2 and DOM.to_expr(series(B).limit()) == 0
    assert series({(0, 1): 1}).limit() is None and series({(fmpq(-1, 6), 0): 1}).limit() is None
    for e in (0, -1):
        with pytest.raises(NeedMoreTerms) as need:
            series({}, ((e, 0),)).limit()
        assert need.value.amount == 1 - e
    assert said(series(A).without_constant())[0] == {(fmpq(e), j): c for (e, j), c in A.items() if e}


def test_a_series_put_into_another() -> None:
    """y log y and y (log y)^2 with y = 2 t + t^2: log y = log 2 + log t + t/2 + O(t^2)."""
    y, two = series({(1, 0): 2, (2, 0): 1}), sympy.log(2)
    known, _ = said(substituted(series({(1, 1): 1, (1, 0): 1}), y, fmpq(1), u))
    wanted = {(1, 1): 2, (1, 0): 2 * two + 2, (2, 1): 1, (2, 0): two + 2}
    assert all(sympy.expand(known[fmpq(e), j] - c) == 0 for (e, j), c in wanted.items())
    known, _ = said(substituted(series({(1, 2): 1}), y, fmpq(1), u))
    wanted = {(1, 2): 2, (1, 1): 4 * two, (1, 0): 2 * two**2}
    assert all(sympy.expand(known[fmpq(e), j] - c) == 0 for (e, j), c in wanted.items())


def test_irrational_exponents_are_ordered() -> None:
    for first, second, lead in (
        ("sqrt(2)", "1/2", half),
        ("sqrt(2)", "3/2", sqrt(2)),
        ("sqrt(3)", "sqrt(2)", sqrt(2)),
    ):
        for text in (f"(1-u)**({first}) + (1-u)**({second})", f"(1-u)**({second}) - (1-u)**({first})"):
            assert expand(f"exp(u)*({text})").nu == lead
            assert expand(f"((1-u)**({first}) + 3*(1-u)**({second}))**(1/3)").nu == lead / 3


def test_only_what_no_other_absorbs_is_left() -> None:
    ranges = DOM.ranges
    for exponents in product([(2, 0), (2, 1), (fmpq(3, 2), 0), (3, 5)], repeat=3):
        found = antichain(ranges, [(RATIONAL, fmpq(e), j) for e, j in exponents])
        assert [(e, j) for _, e, j in found] == [min(exponents, key=lambda x: (x[0], -x[1]))]


def test_the_first_sum_from_a_place_on() -> None:
    for a, b in product([{0: 1}, {0: 1, 3: 1}, {-2: 1, 1: 1, 7: 1}], repeat=2):
        for stop in range(-5, 16):
            sums = [i + j for i in a for j in b if i + j >= stop]
            assert _first_sum(a, b, stop) == min(sums, default=None)


def test_functions_of_series_against_sympy() -> None:
    """Of 2 + 3 t - t^2 + O(t^3), and of 1 + t log t + O(t^2), where only compositions help."""
    t = Symbol("t", positive=True)
    plain = 2 + 3 * t - t**2
    x = series({(0, 0): 2, (1, 0): 3, (2, 0): -1}, ((3, 0),), top=5)
    for found, truth in (
        (power(x, RATIONAL, fmpq(-3, 2), u), plain ** Rational(-3, 2)),
        (power(x, RATIONAL, fmpq(-1), u), 1 / plain),
        (power(x, RATIONAL, fmpq(3), u), plain**3),
        (exponential(x, u), sympy.exp(plain)),
        (logarithm(x, u), sympy.log(plain)),
    ):
        known, rem = said(found)
        wanted = sympy.series(truth, t, 0, 3).removeO()
        for n in range(3):
            assert sympy.simplify(known.get((fmpq(n), 0), 0) - wanted.coeff(t, n)) == 0
        assert rem == [(3, 0)] and max(known) < (3, 0)
    y = series({(0, 0): 1, (1, 1): 1}, ((2, 0),), top=5)
    for found in (power(y, RATIONAL, fmpq(-1), u), logarithm(y, u), exponential(y, u)):
        known, rem = said(found)
        assert len(known) in (1, 2) and abs(known[fmpq(1), 1]) in (1, sympy.E)
        assert [e for e, _ in rem] == [2] and rem[0][1] == 2  # (t log t)^2 is larger than O(t^2)
    scaled = power(series({(1, 0): 4, (2, 0): 4}, top=4), RATIONAL, fmpq(1, 2), u)  # 2 t^(1/2) (1+t)^(1/2)
    known, rem = said(scaled)
    assert [known[fmpq(2 * n + 1, 2), 0] for n in range(4)] == [2, 1, -Rational(1, 4), Rational(1, 8)]
    assert fmpq(4) < rem[0][0] <= fmpq(9, 2)  # no term in between


# intervals ---------------------------------------------------------------------------------------------------

ENDS = [(-2, -1), (-2, 0), (-1, 2), (0, 3), (1, sqrt(2)), (-oo, -1), (0, oo)]
INTERVALS = [
    Interval(S(a), S(b), left or a == -oo, right or b == oo)
    for a, b in ENDS
    for left, right in ((False, False), (True, False), (True, True))
]


def holds(x: Interval, value: Any) -> bool:
    low, high = sympy.sign(value - x.lo), sympy.sign(x.hi - value)
    return bool((low > 0 or (low == 0 and not x.lo_open)) and (high > 0 or (high == 0 and not x.hi_open)))


def inside(x: Interval) -> list[Any]:
    low, high = max(x.lo, S(-50)), min(x.hi, S(50))
    edge = [v for v, is_open in ((x.lo, x.lo_open), (x.hi, x.hi_open)) if not is_open]
    return [*edge, low + (high - low) / 1000, (low + high) / 2, high - (high - low) / 1000]


@pytest.mark.parametrize("x", INTERVALS, ids=str)
def test_an_interval_is_the_set_of_its_values(x: Interval) -> None:
    values = inside(x)
    assert x.positive() == all(v > 0 for v in values) and x.negative() == all(v < 0 for v in values)
    assert x.nonnegative() == all(v >= 0 for v in values) and x.nonzero() == (x.positive() or x.negative())
    for found, f in ((-x, lambda v: -v), (x**2, lambda v: v**2), (x**3, lambda v: v**3), (x.absolute(), abs)):
        assert all(holds(found, f(v)) for v in values)
        # no wider: an end that belongs to it is a value, one that does not is the limit of values
        ends = [f(v) for v in (x.lo, x.hi)] + ([S.Zero] if holds(x, 0) else [])
        assert found.lo in ends and found.hi in ends
        for end, is_open in ((found.lo, found.lo_open), (found.hi, found.hi_open)):
            attained = any(f(v) == end for v in (*values, *([S.Zero] if holds(x, 0) else [])))
            assert attained is not is_open
    if x.nonzero():
        found = x.inverse()
        assert all(holds(found, 1 / v) for v in values)
        pole = oo if x.positive() else -oo
        assert {found.lo, found.hi} == {pole if v == 0 else 1 / v for v in (x.lo, x.hi)}
    else:
        assert x.inverse() == REALS or x.lo == 0 or x.hi == 0
    assert x.is_bounded == (x.lo != -oo and x.hi != oo) and x.as_ball().is_finite() == x.is_bounded
    assert not x.is_point and Interval.point(S(3)).is_point


def test_sums_products_hulls_and_meets_of_intervals() -> None:
    for x, y in product(INTERVALS[::2], INTERVALS[1::3]):
        total, times, hull = x + y, x * y, x.hull(y)
        for v, w in product(inside(x), inside(y)):
            assert holds(total, v + w) and holds(times, v * w) and holds(hull, v) and holds(hull, w)
        assert (total.lo, total.hi) == (x.lo + y.lo, x.hi + y.hi)
        assert (total.lo_open, total.hi_open) == (x.lo_open or y.lo_open, x.hi_open or y.hi_open)
        corners = [S.Zero if 0 in (v, w) else v * w for v in (x.lo, x.hi) for w in (y.lo, y.hi)]
        assert (times.lo, times.hi) == (min(corners), max(corners))
        assert (hull.lo, hull.hi) == (min(x.lo, y.lo), max(x.hi, y.hi))
        common = [v for v in (*inside(x), *inside(y)) if holds(x, v) and holds(y, v)]
        if common:
            assert all(holds(x.meet(y), v) for v in common)
            assert (x.meet(y).lo, x.meet(y).hi) == (max(x.lo, y.lo), min(x.hi, y.hi))
    assert 1 - Interval(S(0), S(2), True) == Interval(S(-1), S(1), False, True)
    assert Interval(S(0), S(2)) - Interval(S(0), S(1)) == Interval(S(-1), S(2))
    assert from_ball(arb(3)) == Interval.point(S(3)) and from_ball(arb.nan()) == REALS
    wide = from_ball(arb(3, 1))
    assert 1.99 < wide.lo <= 2 and 4 <= wide.hi < 4.01
    found = increasing(sympy.log, Interval(S(-1), S.One), (S.Zero, oo), (-oo, oo))
    assert found == Interval(-oo, S.Zero, True, False)


# marks -------------------------------------------------------------------------------------------------------


def test_distances_between_marks() -> None:
    a, b = Mark(S(0), Rational(1, 4)), Mark(half, Rational(3, 4))
    assert a.distance(b) == b.distance(a) == Rational(1, 4)
    assert (
        a.distance(S.One) == Rational(3, 4) and b.distance(S.Zero) == half and a.distance(Rational(1, 8)) == 0
    )
    assert a.distance(Mark(Rational(1, 8), S.One)) == 0


def test_marks_are_the_zeros_of_conditions() -> None:
    for expr, points in (
        (1 / (u**2 - Rational(1, 4)), [-half, half]),
        (1 / (u**2 - 4), []),
        (sqrt(u - Rational(1, 3)), [Rational(1, 3)]),
        (1 / (u**3 - 2 * u**2 + u / 2), [S.Zero, 1 - sqrt(2) / 2]),
        (1 / (sympy.exp(u) - Rational(3, 2)), [sympy.log(Rational(3, 2))]),
        (1 / (sympy.cos(u) - u), [sympy.nsimplify(0)]),
    ):
        found = find_marks(requirements(expr) or ())
        assert len(found) == len(points)
        for mark, point in zip(found, points, strict=True):
            if expr.has(sympy.cos):
                assert mark.low < Rational(7390852, 10**7) < mark.high + Rational(1, 10**6) and mark.roots
            else:
                assert mark.low <= point <= mark.high and mark.high - mark.low < Rational(1, 2**100)
