"""Every promise of every record of a function, attacked with numbers.

Values come from mpmath; analyticity is tested by means that records do not use: Chebyshev coefficients of real
samples, Cauchy's formula on circles, the growth of Taylor coefficients.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import pytest
import sympy
from flint import acb, acb_series, arb, arb_series, fmpq
from function_cases import CASES, OPAQUE, Case
from sympy import Rational as Q
from sympy import S

from asymptok.balls import ball, complex_ball, exact_point
from asymptok.functions import NONZERO, POSITIVE, RECORDS, Progression, Record, record_of
from asymptok.functions.cuts import off
from asymptok.parsing import parse
from asymptok.parsing.vocabulary import functions
from asymptok.precision import flint_precision
from asymptok.regularity.domains import requirements
from asymptok.symbols import u

BITS = 166
DIGITS = 50


def record(node: Any) -> Record:
    found = record_of(node.func)
    assert found is not None
    return found


def those(claim: Callable[[Record, Any], Any]) -> Any:
    """The test is run for the cases of which something is claimed."""
    return pytest.mark.parametrize("name", [n for n, c in CASES.items() if claim(record(c.node), c.node)])


names = those(lambda of, node: True)


def arguments(node: Any, z: Any) -> list[Any]:
    """The arguments of the node at u = z, as the implementations take them."""

    def value(part: Any) -> Any:
        if part == u:
            return z
        if isinstance(part, sympy.Tuple):
            return tuple(value(p) for p in part)
        return complex_ball(part) if isinstance(z, acb | acb_series) else ball(part)

    return [value(part) for part in node.args]


def at(node: Any, z: Any) -> Any:
    """The enclosure over the ball z, real or complex as z is."""
    of = record(node)
    return (of.complex if isinstance(z, acb) else of.real)(*arguments(node, z))


def regular(node: Any, z: Any) -> bool:
    return record(node).regular(*arguments(node, z))


def dice(name: str, test: str) -> random.Random:
    return random.Random(f"{test}: {name}")


def dyadic(rng: random.Random, low: int, high: int) -> Fraction:
    return Fraction(rng.randint(low * 128, high * 128), 128)


def attack(case: Case, rng: random.Random) -> Fraction:
    """A real point: at random, or next to one at which something may happen."""
    special = [Fraction(int(p.p), int(p.q)) for p in map(S, case.on_cut) if p.is_Rational]
    if special and rng.random() < 0.5:
        return rng.choice(special) + Fraction(rng.randint(-128, 128), 2 ** rng.randint(7, 14))
    return dyadic(rng, *case.real_range)


def real_ball(centre: Fraction, radius: Fraction = Fraction(0)) -> Any:
    return arb(fmpq(centre.numerator, centre.denominator), fmpq(radius.numerator, radius.denominator))


def complex_square(x: Fraction, y: Fraction, radius: Fraction = Fraction(0)) -> Any:
    return acb(real_ball(x, radius), real_ball(y, radius))


def holds(node: Any, x: Any) -> bool:
    """Whether the requirements of the node are proved over the real ball x."""
    wanted = record(node).requirements(node)
    if wanted is None:
        return False
    for g, relation in wanted:
        value = ball(g, {u: x})
        if not (value > 0 if relation == POSITIVE else value > 0 or value < 0):
            return False
    return True


def reference(node: Any, x: Fraction, y: Fraction = Fraction(0)) -> Any:
    """mpmath's value, None where it has none."""
    with mpmath.workdps(DIGITS + 20):
        point = mpmath.mpf(x.numerator) / x.denominator
        if y:
            point = mpmath.mpc(point, mpmath.mpf(y.numerator) / y.denominator)
        try:
            value = mpmath.mpmathify(sympy.lambdify(u, node, "mpmath")(point))
        except (ValueError, ZeroDivisionError, TypeError, NotImplementedError, NameError):
            return None
        return value if mpmath.isfinite(value) else None


def agrees(enclosure: Any, value: Any) -> bool:
    with mpmath.workdps(DIGITS + 20):
        size = int(mpmath.ceil(max(abs(value), 1)))
        slack = arb(0, arb((1, 4 - BITS)) * size)
        parts = [exact_point(mpmath.mpf(f(value))) + slack for f in (mpmath.re, mpmath.im)]
    return bool(acb(enclosure).overlaps(acb(*parts)))


# -------------------------------------------------------------------------------------- the table


def test_every_record_and_every_word_of_the_vocabulary_is_attacked() -> None:
    assert set(RECORDS) == {case.node.func for case in CASES.values()}
    calls = {
        "root": "root(u + 2, 3)",
        "Rational": "Rational(1, 3)*u",
        "kappa": "kappa(2, u)",
        "Orthant": "Orthant(1, 2, u)",
        "hyper": "hyper([1/2], [2], u)",
        "Piecewise": "Piecewise((u, u < 0), (1, True))",
        "where": "where(u < 0, u, 1)",
        "gegenbauer": "gegenbauer(3, 1/2, u)",
        "jacobi": "jacobi(3, 1/2, 1/3, u)",
        **{name: f"{name}(3, u)" for name in ("legendre", "chebyshevt", "chebyshevu", "hermite")},
    }
    for name, entry in functions().items():
        count = len(entry.kinds) - entry.optional
        text = calls.get(name) or f"{name}({', '.join(['1/3', 'u'][-count:])})"
        for node in sympy.preorder_traversal(parse(text)):
            if isinstance(node, sympy.Expr) and node.args and not isinstance(node, sympy.Piecewise):
                assert record_of(node.func) is not None, (name, node)


@pytest.mark.parametrize("name", OPAQUE)
def test_nothing_is_claimed_where_nothing_is_known(name: str) -> None:
    node = OPAQUE[name]
    of = record(node)
    assert of.requirements(node) is None
    assert requirements(node) is None
    assert not of.entire(node)
    assert of.singular_values(node) is None or name == "other branch of W"
    assert of.monotone(node) is None and of.growth(node) is None


def test_a_constant_requirement_that_fails_is_reported() -> None:
    for base in (S(-2), S(-1), 1 - sympy.sqrt(2), S.Zero):
        assert record_of(sympy.Pow).requirements(sympy.Pow(base, u, evaluate=False)) == [(base, POSITIVE)]
    assert record_of(sympy.zeta).requirements(sympy.zeta(u, Q(-1, 2), evaluate=False))[1] == (
        Q(-1, 2),
        POSITIVE,
    )


# ------------------------------------------------------------------------------------------ values


@names
def test_real_values(name: str) -> None:
    case, rng = CASES[name], dice(name, "real")
    answered = 0
    for _ in range(8):
        x = dyadic(rng, *case.real_range)
        with flint_precision(BITS):
            value, promised = at(case.node, real_ball(x)), holds(case.node, real_ball(x))
        if not value.is_finite():
            assert not promised or case.silent, (x, "real by its requirements, but without a value")
            continue
        expected = reference(case.node, x)
        if expected is None:
            continue
        answered += 1
        assert abs(mpmath.im(expected)) < mpmath.mpf(10) ** -DIGITS
        assert agrees(value, expected), (x, value, expected)
    assert answered or "elliptic" in name


@names
def test_complex_values(name: str) -> None:
    node, rng, plane = CASES[name].node, dice(name, "complex"), CASES[name].plane
    answered = 0
    for _ in range(8):
        x, y = dyadic(rng, *plane), dyadic(rng, *plane) + Fraction(1, 256)
        with flint_precision(BITS):
            value = at(node, complex_square(x, y))
        expected = reference(node, x, y) if value.is_finite() else None
        if expected is not None:
            answered += 1
            assert agrees(value, expected), (x, y, value, expected)
    assert answered >= 2 or node.func in NO_COMPLEX_VALUES


NO_COMPLEX_VALUES = {sympy.Heaviside, sympy.Max, sympy.Min, sympy.floor, sympy.ceiling, sympy.atan2}


@names
def test_a_wide_ball_contains_the_values_inside(name: str) -> None:
    node, rng = CASES[name].node, dice(name, "wide")
    for _ in range(30):
        radius = Fraction(1, 2 ** rng.randint(0, 6))
        x, y = dyadic(rng, -4, 4), rng.choice((Fraction(0), dyadic(rng, -3, 3)))
        for is_real in (True, False):
            wide = at(node, real_ball(x, radius) if is_real else complex_square(x, y, radius))
            if not wide.is_finite():
                continue
            for _ in range(4):
                dx, dy = (radius * rng.choice((-1, 0, 1, Fraction(rng.randint(-99, 99), 128))) for _ in "xy")
                with flint_precision(BITS):
                    inside = at(node, real_ball(x + dx) if is_real else complex_square(x + dx, y + dy))
                assert wide.overlaps(inside) or not inside.is_finite(), (x, y, radius, dx, dy)


@those(lambda of, node: of.series is not None)
def test_power_series_are_taylor_series(name: str) -> None:
    case, rng = CASES[name], dice(name, "series")
    found = 0
    with flint_precision(BITS):
        for is_real in (True, False):
            for _ in range(20):
                x, y = dyadic(rng, *case.real_range), dyadic(rng, -3, 3) * (not is_real)
                c = complex_square(x, y)
                if is_real and not holds(case.node, real_ball(x)):
                    continue
                if not regular(case.node, complex_square(x, y, Fraction(1, 16))):
                    continue
                kind = arb_series if is_real else acb_series
                given = kind([real_ball(x) if is_real else c, 1], prec=6)
                series = record(case.node).series(*arguments(case.node, given))
                expected = taylor(case.node, c, arb(fmpq(1, 32)), 6, 64)
                for n, value in enumerate(expected):
                    # aliasing leaves 2^-64 of the largest value around
                    slack = arb(0, 1e-9) * (1 + abs(value))
                    assert acb(series[n]).overlaps(value + acb(slack, slack)), (x, y, n)
                found += 1
    assert found >= 3


# ------------------------------------------------------------------------- requirements, on the real line


def chebyshev(node: Any, centre: Fraction, half: Fraction, count: int = 33) -> list[Any] | None:
    """The Chebyshev coefficients of the real function on [centre - half, centre + half]; None if it has no values."""
    with flint_precision(BITS):
        angles = [arb.pi() * (2 * j + 1) / (2 * count) for j in range(count)]
        values = [at(node, (real_ball(centre) + real_ball(half) * angle.cos()).mid()) for angle in angles]
        if not all(v.is_finite() for v in values):
            return None
        return [
            sum((v * (a * n).cos() for v, a in zip(values, angles, strict=True)), arb(0)) * 2 / count
            for n in range(count)
        ]


def looks_analytic(coefficients: list[Any]) -> bool:
    """Singular points two half-widths away leave 3.7^-n at most; a kink leaves n^-2."""
    size = max(abs(float(c.mid())) for c in coefficients)
    return all(abs(float(c.mid())) <= 1e-10 * size + 1e-40 for c in coefficients[-4:])


@those(lambda of, node: of.requirements(node) is not None)
def test_where_the_requirements_hold_the_function_is_real_analytic(name: str) -> None:
    case, rng = CASES[name], dice(name, "requirements")
    tried = 0
    for _ in range(60):
        x, half = attack(case, rng), Fraction(1, 2 ** rng.randint(1, 8))
        # one more half-width on either side, so that the coefficients must be small
        if not holds(case.node, real_ball(x, 2 * half)):
            continue
        # complex singular points at least as far: only atan, tanh and the like have some off the axis, at i
        half = min(half, Fraction(1, 4))
        found = chebyshev(case.node, x, half)
        if found is None:
            assert case.silent, (x, half)
            continue
        tried += 1
        assert looks_analytic(found), (x, half)
        if tried == 20:
            break
    assert tried >= 3


@those(lambda of, node: of.requirements(node))
def test_where_the_requirements_fail_the_function_is_not_analytic(name: str) -> None:
    case, rng = CASES[name], dice(name, "failure")
    if case.cautious:
        pytest.skip("analytic at further points, as the table says")
    points = [exact_point(p) for p in map(S, case.on_cut) if p.is_rational]
    for _ in range(30):
        x = real_ball(dyadic(rng, *case.real_range))
        points.append(x)
    for x in points:
        centre = Fraction(int((x * 128).mid().unique_fmpz() or 0), 128) if (x * 128).is_integer() else None
        if centre is None or holds(case.node, real_ball(centre)):
            continue
        found = chebyshev(case.node, centre, Fraction(1, 16))
        assert found is None or not looks_analytic(found), centre


def test_the_cautious_claims_are_those_that_are_said_to_be() -> None:
    # gamma between its poles: analytic, not claimed by inequalities, but regular as a complex function
    found = chebyshev(sympy.gamma(u), Fraction(-3, 2), Fraction(1, 16))
    assert found is not None and looks_analytic(found)
    assert regular(sympy.gamma(u), complex_square(Fraction(-3, 2), Fraction(0), Fraction(1, 4)))


# ------------------------------------------------------------------------------- singular values


def points_near(values: Any, c: Any) -> list[Any]:
    found: list[Any] = []
    for value in values:
        found += value.near(c, 1) if isinstance(value, Progression) else [value]
    return [complex_ball(v) for v in found]


def taylor(node: Any, c: Any, radius: Any, terms: int, count: int) -> list[Any]:
    """Coefficients at c by the trapezoidal rule on the circle, of a function or of an expression made of several."""
    roots = [(acb(0, 2 * arb.pi()) * j / count).exp() for j in range(count)]
    # exact points: a ball of rounding errors around a real number may meet a cut
    points = [(c + radius * w).mid() for w in roots]
    single = not any(a.args and a.has(u) for a in node.args)
    values = [at(node, z) if single else complex_ball(node, {u: z}) for z in points]
    out = []
    for n in range(terms):
        total = sum((v * roots[-n * j % count] for j, v in enumerate(values)), acb(0))
        out.append(total / count / radius**n)
    return out


def regular_on_the_way(node: Any, c: Any, s: Any) -> bool:
    """Whether boxes along the segment from c to just before s are regular."""
    steps = 40
    for j in range(steps - 1):
        low, high = c + (s - c) * j / steps, c + (s - c) * (j + 1) / steps
        if not regular(node, low.union(high)):
            return False
    return True


@those(lambda of, node: of.singular_values(node))
def test_taylor_series_converge_up_to_the_nearest_singular_value_and_no_further(name: str) -> None:
    case, rng = CASES[name], dice(name, "singular")
    of = record(case.node)
    values = of.singular_values(case.node)
    assert values
    seen = 0
    reached = 0
    for _ in range(60):
        x, y = dyadic(rng, *case.plane), dyadic(rng, *case.plane) + Fraction(1, 256)
        if rng.random() < 0.5:
            x, y = attack(case, rng) + dyadic(rng, -1, 1) / 2, dyadic(rng, -1, 1) / 2 + Fraction(1, 256)
        with flint_precision(BITS):
            c = complex_square(x, y)
            # W, K, E and the like are singular at some values only on other sheets
            hidden = points_near(of.elsewhere(case.node), c)
            nearest = min(points_near(values, c), key=lambda v: float(abs(v - c).mid()))
            R = abs(nearest - c).mid()
            if abs(nearest - c) < arb("0.1"):
                continue
            balls = ((j, c + acb(arb(0, R / 2**j), arb(0, R / 2**j))) for j in range(1, 6))
            halvings = next((j for j, z in balls if regular(case.node, z)), None)
            on_sheet = not any(nearest.overlaps(v) for v in hidden) and regular_on_the_way(
                case.node, c, nearest
            )
        if halvings is None or (seen >= 2 and not on_sheet):
            continue
        # coefficient 91 is as small as radius^91: that many bits cancel
        with flint_precision(100 + 91 * halvings):
            a = taylor(case.node, complex_square(x, y), R / 2**halvings, 92, 128)
            if not all(v.is_finite() for v in a):
                continue
            sizes = [abs(v) * R**n for n, v in enumerate(a)]
        early, late = (max(float(s.mid()) for s in sizes[i:j]) for i, j in ((30, 46), (75, 91)))
        # a singular point at 0.9 R would make a factor of 0.9^-45 = 114
        assert late < 60 * early, (c, nearest, early, late)
        seen += 1
        if on_sheet:
            # and none before 1.1 R a factor of 1.1^-45 = 1/73
            assert late > early / 60, (c, nearest, early, late)
            reached += 1
        if seen >= 3 and reached >= 2:
            break
    assert seen >= 2
    assert reached >= 1, "no claimed value was seen to be singular"


@pytest.mark.parametrize("name", ["polylog 2", "elliptic_k", "elliptic_e"])
def test_the_values_on_other_sheets_are_singular_there(name: str) -> None:
    """The jump across [1, oo) continues to the other sheet; its coefficients show 0 as the nearest singular point."""
    node = CASES[name].node
    (hidden,) = record(node).elsewhere(node)
    assert hidden == 0
    count = 41
    with flint_precision(400):
        above = acb(0, arb((1, -350)))
        angles = [arb.pi() * (2 * j + 1) / (2 * count) for j in range(count)]
        xs = [(arb(2) + angle.cos() * 4 / 5).mid() for angle in angles]
        jumps = [at(node, x + above) - at(node, x - above) for x in xs]
        c = [
            sum((v * (a * n).cos() for v, a in zip(jumps, angles, strict=True)), acb(0)) * 2 / count
            for n in range(count)
        ]
    rho = 2.5 + 5.25**0.5
    rates = [float(abs(c[n + 8]).mid() / abs(c[n]).mid()) ** (1 / 8) for n in (16, 20)]
    assert all(0.85 / rho < rate < 1.02 / rho for rate in rates), (rates, 1 / rho)


# ------------------------------------------------------------------------------------ regular balls


@names
def test_a_ball_that_meets_a_cut_or_a_pole_is_not_regular(name: str) -> None:
    case, rng = CASES[name], dice(name, "cut")
    for point in case.on_cut:
        for _ in range(12):
            radius = Fraction(1, 2 ** rng.randint(0, 20))
            shift = [radius * rng.choice((-1, 0, 1, Fraction(rng.randint(-99, 99), 100))) for _ in "xy"]
            # the point itself is a ball: enlarge by its radius
            z = complex_ball(S(point)) + complex_square(*shift, radius)
            assert not regular(case.node, z), (point, z)


@names
def test_a_regular_ball_obeys_cauchy_and_has_no_jump(name: str) -> None:
    node, rng = CASES[name].node, dice(name, "regular")
    count = 64
    with flint_precision(100):
        roots = [(acb(0, 2 * arb.pi()) * j / count).exp() for j in range(count)]
        tiny = arb((1, -80))
        found = 0
        for _ in range(60):
            if found == 20:
                break
            radius = Fraction(1, 2 ** rng.randint(0, 7))
            axis = rng.randrange(4)
            x, y = dyadic(rng, -3, 3), dyadic(rng, -3, 3)
            x, y = (x * (axis != 1), y * (axis != 2))
            if not regular(node, complex_square(x, y, radius)):
                continue
            c, r = complex_square(x, y), real_ball(radius)
            middle = at(node, c)
            values = [at(node, (c + r * w * 3 / 4).mid()) for w in roots]
            if not all(v.is_finite() for v in (middle, *values)):
                assert "F" in name, "regular, but without values"
                continue
            size = max(float(abs(v).mid()) for v in (middle, *values))
            mean = sum(values, acb(0)) / count
            # analytic on the ball, bounded by a multiple of `size` a little inside: (3/4)^64 = 1e-8
            assert abs(float(abs(mean - middle).mid())) < 1e-4 * size + 1e-25, (x, y, radius)
            found += 1
            for j in range(-4, 5):
                # across either axis, where all cuts lie, as long as the ball contains both points
                step = radius * Fraction(j, 4)
                if abs(y) < radius:
                    p = complex_square(x + step * Fraction(255, 256), Fraction(0))
                    assert small_jump(node, p, acb(0, tiny), size, r), (x, y, radius, p)
                if abs(x) < radius:
                    p = complex_square(Fraction(0), y + step * Fraction(255, 256))
                    assert small_jump(node, p, acb(tiny), size, r), (x, y, radius, p)
        always_false = (
            record(node).regular(*arguments(node, complex_square(Fraction(1, 2), Fraction(1, 2)))) is False
        )
        assert (
            found >= 5 or (always_false and record(node).continuation) or "incomplete" in name or "_f" in name
        )


@those(lambda of, node: of.rays(node) is not None)
def test_a_ball_off_the_rays_is_regular(name: str) -> None:
    node, rng = CASES[name].node, dice(name, "rays")
    rays = record(node).rays(node)
    found = 0
    for _ in range(60):
        z = complex_square(dyadic(rng, -4, 4), dyadic(rng, -4, 4), Fraction(1, rng.choice((2, 8, 64))))
        if off(z, rays):
            found += 1
            assert regular(node, z)
    assert found > 20
    # and the points on a ray are not off it: they are where the function jumps, or next to it
    for end, direction in rays:
        assert not off(acb(end()) + 2 / acb(direction), rays)


@those(lambda of, node: of.ratio is not None)
def test_a_quotient_of_entire_functions_is_the_function(name: str) -> None:
    node, rng = CASES[name].node, dice(name, "ratio")
    above, below = record(node).ratio
    for _ in range(5):
        z = complex_square(dyadic(rng, -4, 4), dyadic(rng, 1, 4))
        assert (above(z) / below(z)).overlaps(at(node, z))


def small_jump(node: Any, p: Any, step: Any, size: float, radius: Any) -> bool:
    difference = abs(at(node, p + step) - at(node, p - step))
    # |f'| is at most size over the distance to the edge of the ball, which is radius/256 or more
    bound = 2.0**-79 * 300 * 1000 * size / float(radius)
    return bool(not difference.is_finite() or float(difference.abs_lower()) < bound)


@names
def test_the_continuation_of_the_real_function(name: str) -> None:
    """F = f on the real points of its domain, and F obeys Cauchy."""
    case, rng = CASES[name], dice(name, "continuation")
    of, count = record(case.node), 64
    with flint_precision(100):
        roots = [(acb(0, 2 * arb.pi()) * j / count).exp() for j in range(count)]
        found = 0
        for _ in range(80):
            if found == 25:
                break
            radius, x = Fraction(1, 2 ** rng.randint(1, 7)), dyadic(rng, *case.real_range)
            y = rng.choice((Fraction(0), Fraction(0), radius / 2, -radius / 2))
            whole = of.analytic(*arguments(case.node, complex_square(x, y, radius)))
            if whole is None:
                continue
            found += 1
            # every small ball inside is answered as well, by values that lie in the large one
            c = complex_square(x, y)
            values = [
                of.analytic(*arguments(case.node, (c + real_ball(radius) * w * 3 / 4).mid())) for w in roots
            ]
            middle = of.analytic(*arguments(case.node, c))
            assert middle is not None and all(v is not None and whole.overlaps(v) for v in values)
            size = max(float(abs(v).mid()) for v in (middle, *values))
            mean = sum(values, acb(0)) / count
            assert abs(float(abs(mean - middle).mid())) < 1e-4 * size + 1e-25, (x, radius)
            # and on the real axis it is the real function
            on_axis = real_ball(x + radius * Fraction(rng.randint(-99, 99), 100))
            value = of.analytic(*arguments(case.node, acb(on_axis)))
            assert value is not None and acb(at(case.node, on_axis)).overlaps(value), (x, on_axis)
        assert found >= 5 or of.requirements(case.node) is None


@those(lambda of, node: of.requirements(node) is not None)
def test_where_the_requirements_hold_the_function_continues(name: str) -> None:
    case, rng = CASES[name], dice(name, "continues")
    of = record(case.node)
    found = 0
    for _ in range(40):
        x = attack(case, rng)
        if holds(case.node, real_ball(x, Fraction(1, 2**7))) and not case.silent:
            found += 1
            balls = (complex_square(x, Fraction(0), Fraction(1, 2**j)) for j in (8, 10, 12, 16))
            assert any(of.analytic(*arguments(case.node, z)) is not None for z in balls), x
    assert found >= 5 or case.silent


# -------------------------------------------------------------------- entire, monotone, growth, preimages


@those(lambda of, node: of.entire(node))
def test_entire_functions_are_their_taylor_series(name: str) -> None:
    node = CASES[name].node
    assert record(node).requirements(node) is not None and record(node).singular_values(node) == ()
    with flint_precision(1500):
        a = taylor(node, acb(0), arb(7), 260, 400)
        for angle in (0, 1, 2, 4):
            z = 5 * acb(0, angle).exp()
            total = sum((c * z**n for n, c in enumerate(a)), acb(0))
            assert float(abs(total - at(node, z)).mid()) < 1e-25 * max(1.0, float(abs(total).mid()))


@names
def test_what_is_not_entire_is_singular_somewhere(name: str) -> None:
    """No singular value is forgotten altogether: a function that is not entire has one, or they are not known."""
    node = CASES[name].node
    of = record(node)
    assert of.entire(node) or of.singular_values(node) != ()
    assert of.requirements(node) != [] or of.entire(node) or of.singular_values(node)


@those(lambda of, node: of.monotone(node))
def test_monotone_functions_are_ordered_and_tend_to_their_limits(name: str) -> None:
    node, rng = CASES[name].node, dice(name, "monotone")
    claim = record(node).monotone(node)
    assert claim is not None
    low, high = claim.domain
    with flint_precision(BITS):
        bounded = [max(low, S(-6)), min(high, S(6))]
        start, width = ball(bounded[0]), ball(bounded[1] - bounded[0])
        for _ in range(60):
            s, t = sorted(rng.sample(range(1, 1 << 20), 2))
            below, above = (at(node, (start + width * i / (1 << 20)).mid()) for i in (s, t))
            assert below < above if claim.sign > 0 else below > above, (s, t)
        for end, limit, inward in ((low, claim.limits[0], 1), (high, claim.limits[1], -1)):
            x = -inward * arb(10) ** 4 if end.is_infinite else (ball(end) + inward * arb(10) ** -30).mid()
            value = at(node, x)
            if limit.is_infinite:
                assert abs(value) > 3 and (value > 0) == (limit > 0)
            else:
                assert abs(value - ball(limit)) < arb("0.1")
                # and it stays on its side of the limit
                beyond = (value - ball(limit)) * claim.sign * inward
                assert beyond.is_zero() or beyond.contains(0) or beyond > 0


@those(lambda of, node: of.growth(node))
def test_the_order_of_growth(name: str) -> None:
    node = CASES[name].node
    order = record(node).growth(node)
    assert order is not None
    logs = []
    for r in (200, 800):
        with flint_precision(3000):
            points = [r * (acb(0, 2 * arb.pi()) * j / 12).exp() for j in range(12)]
            sizes = [abs(at(node, z)).log() for z in points]
            logs.append(max((b.log() for b in sizes if b > 0), key=lambda b: float(b.mid())))
    assert abs(float(((logs[1] - logs[0]) / arb(4).log()).mid()) - float(order)) < 0.1


@those(lambda of, node: len(node.args) == 1 and of.preimages(Q(1, 3)) is not None)
def test_preimages_are_all_there(name: str) -> None:
    node, rng = CASES[name].node, dice(name, "preimages")
    of = record(node)
    for _ in range(6):
        x, y = dyadic(rng, -5, 5), dyadic(rng, -5, 5) * (node.func is not sympy.Abs)
        s = sympy.lambdify(u, node, "mpmath")(mpmath.mpc(float(x), float(y)))
        found = of.preimages(sympy.sympify(s))
        assert found is not None
        distances = []
        for value in found:
            if isinstance(value, Progression):
                index = (sympy.Float(float(x)) + sympy.I * float(y) - value.first) / value.step
                index = complex(index.evalf())
                distances.append(abs(index - round(index.real)))
            else:
                distances.append(abs(complex(value.evalf()) - complex(float(x), float(y))))
        # inverse functions lose digits where the function is steep
        assert min(distances) < 1e-6, (x, y, distances)


def test_special_preimages() -> None:
    assert record_of(sympy.exp).preimages(S.Zero) == ()
    assert record_of(sympy.cot).preimages(S.Zero) == (Progression(sympy.pi / 2, sympy.pi),)
    assert record_of(sympy.tanh).preimages(S.One) == () and record_of(sympy.sec).preimages(S.Zero) == ()


# ------------------------------------------------------------- power series, other forms, the argument -x


@those(lambda of, node: of.upward(node) or of.downward(node))
def test_all_derivatives_have_one_sign(name: str) -> None:
    """By the values on circles that stay off the end and its mirror image."""
    node = CASES[name].node
    of = record(node)
    rises = of.upward(node) is not None
    end = of.upward(node) if rises else of.downward(node)
    with flint_precision(BITS):
        for place in (0, Q(1, 3), Q(4, 5)):
            radius = ball(1 if end is sympy.oo else (end - place) / 2)
            for c in taylor(node, acb(ball(place)), radius, 8, 120)[0 if rises else 1 :]:
                assert c.real * (1 if rises else -1) > -(arb(10) ** -15)


@those(lambda of, node: of.majorant(node))
def test_majorants_have_the_absolute_values_of_the_coefficients(name: str) -> None:
    node = CASES[name].node
    of = record(node)
    absolute = of.majorant(node)
    assert absolute is not None and of.entire(node)
    with flint_precision(BITS):
        sizes = [taylor(f, acb(0), arb(1), 12, 80) for f in (node, absolute(*of.parameters(node), u))]
        for c, most in zip(*sizes, strict=True):
            assert abs(abs(c) - most.real) < arb(10) ** -15


@those(lambda of, node: of.argument(node) == u and (of.of_square(*node.args) is not None or of.quotient))
def test_other_forms_have_the_same_values(name: str) -> None:
    node, rng = CASES[name].node, dice(name, "forms")
    of = record(node)
    forms = [of.of_square(*node.args), of.quotient(u) if of.quotient else None]
    if of.reciprocal is not None:
        forms.append(1 / of.reciprocal(u))
    for form in (f for f in forms if f is not None):
        for _ in range(5):
            x, y = dyadic(rng, -4, 4), dyadic(rng, -4, 4)
            value, other = reference(node, x, y), reference(form, x, y)
            assert value is None or abs(value - other) <= 1e-30 * max(1, abs(value)), form


@those(lambda of, node: of.argument(node) == u and (of.parity(node) or of.reflected(of.at(node, -u))))
def test_the_mirror_image(name: str) -> None:
    node, rng = CASES[name].node, dice(name, "mirror")
    of = record(node)
    found = of.mirrored(node)
    assert found is not None
    for _ in range(10):
        x = Fraction(rng.randint(-127, 127), 128)
        value, other = reference(node, x), reference(found, x)
        assert value is None or other is None or abs(value - other) < 1e-30


@those(lambda of, node: of.tail and of.argument(node) == u)
def test_how_a_function_tends_to_its_limit(name: str) -> None:
    node = CASES[name].node
    power, rate = record(node).tail
    with flint_precision(12000):
        limit = at(node, arb(60))
        sizes = [abs(at(node, arb(x)) - limit).log() for x in (10, 20)]
    assert abs((sizes[0] - sizes[1]) / (20**power - 10**power) - rate) < 0.1


@those(lambda of, node: len(node.args) == 1 and of.inverted(node, sympy.Symbol("z")))
def test_inverse_functions_are_undone_in_their_range(name: str) -> None:
    node, z = CASES[name].node, sympy.Symbol("z")
    x, low, high = record(node).inverted(node, z)
    low, high = max(low, -3), min(high, 3)
    for share in (Q(1, 7), Q(1, 2), Q(8, 9)):
        value = sympy.N(low + share * (high - low), 30)
        assert abs(sympy.N(node.subs(u, sympy.N(x.subs(z, value), 30)), 25) - value) < 1e-20


# ---------------------------------------------------------------------------------------- progressions


def test_the_poles_next_to_an_argument_are_found_far_from_the_first() -> None:
    (poles,) = record_of(sympy.tan).singular_values(sympy.tan(u / 10 + 100))
    near = poles.near(ball(u / 10 + 100, {u: arb(0, 1)}))
    assert near == (63 * sympy.pi / 2, 65 * sympy.pi / 2)
    assert poles.meets(acb(arb(99), 0)) is False and poles.meets(acb(arb("98.96", "0.01"), 0))
    (poles,) = record_of(sympy.gamma).singular_values(sympy.gamma(u))
    assert poles.near(acb(-7, 3)) == (-7 * S.One,) and poles.near(acb(5)) == (S.Zero,)
    assert poles.meets(acb(-7)) and not poles.meets(acb(7)) and not poles.meets(acb(-7, 1))
    assert poles.meets(acb(arb.nan(), 0))


def test_relations_are_words_of_the_record() -> None:
    for case in CASES.values():
        for _, relation in record(case.node).requirements(case.node) or ():
            assert relation in (POSITIVE, NONZERO)
