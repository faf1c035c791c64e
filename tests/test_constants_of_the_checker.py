"""Every bound of the program that checks certificates, against mpmath and exact fractions."""

# short functions of one letter, each used where it stands
# ruff: noqa: B023, E731
from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise
from math import factorial
from types import SimpleNamespace
from typing import Any

import mpmath as mp
import pytest
import sympy
from test_certificate_formulas import amplitude, moment
from test_constants_of_contours import series

from asymptok import Kernel
from asymptok.checker import contour, exact, laws, models
from asymptok.checker.__main__ import ANALYTIC, EVERYTHING, _definiteness, _inside, _small
from asymptok.checker.balls import EULER, ONE, PI, Ball, P, Retry, log_gamma, rational, up
from asymptok.checker.contour import Bound, Refuted
from asymptok.checker.exact import enclosed
from asymptok.checker.exponentials import Exponentials, Kind
from asymptok.checker.kernel import Branches, at_end, in_strip, program
from asymptok.checker.laws import Law
from asymptok.checker.models import End, Taylor
from asymptok.functions.arccosine import ArcCosine
from asymptok.proofs.expressions import to_nodes
from asymptok.symbols import u

TINY = mp.mpf(10) ** -30


@pytest.fixture(autouse=True)
def _digits() -> Iterator[None]:
    with mp.workdps(60):
        yield


def centre(z: Ball) -> Any:
    return mp.mpc(mp.mpf(z.x) / ONE, mp.mpf(z.y) / ONE)


def radius(z: Ball) -> Any:
    return mp.mpf(z.r) / ONE


def disc(z: Any, r: Any = 0) -> Ball:
    z = mp.mpmathify(z)
    return Ball(int(mp.floor(mp.re(z) * ONE)), int(mp.floor(mp.im(z) * ONE)), int(mp.ceil(mp.mpf(r) * ONE)))


def value(x: Ball) -> Any:
    """The real part; the ball is narrow."""
    assert x.r < ONE >> 80
    return mp.mpf(x.x) / ONE


def test_quotients_are_rounded_up() -> None:
    for a in (-7, -6, 0, 6, 7):
        assert up(a, 3) == -((-a) // 3) and up(a, 3) * 3 >= a > up(a, 3) * 3 - 3
    assert Ball(3, 4, 2).size() == 5 and Ball(3, 4, 2).mag() == 8 and Ball(2, 2).mag() >= 3
    assert Ball(3, 0, 2).interval() == (Fraction(1, ONE), Fraction(5, ONE))
    for q in (Fraction(1, 3), Fraction(-5, 7), Fraction(4)):
        n = rational(q)
        assert abs(Fraction(n.x, ONE) - q) <= Fraction(n.r, ONE) <= Fraction(1, ONE)


CENTRES = [mp.mpc("0.7", "-1.9"), mp.mpc("-3", "0.001"), mp.mpc("0.01", "0.02"), mp.mpc("40", "7")]


@pytest.mark.parametrize("r", ["0", "1e-20", "0.004"])
def test_the_radius_of_sums_products_and_inverses(r: str) -> None:
    """The largest distance on the circle is in the radius, and the radius is not much larger."""
    chance = random.Random(3)
    for first in CENTRES:
        for second in CENTRES:
            z, w = disc(first, r), disc(second, mp.mpf(r) / 3)
            turns = [mp.expj(chance.uniform(0, 7)) for _ in range(40)] + [mp.mpc(1), mp.mpc(-1)]
            for operation, found, most in (
                (lambda a, b: a + b, z + w, radius(z) + radius(w)),
                (lambda a, b: a - b, z - w, radius(z) + radius(w)),
                (
                    lambda a, b: a * b,
                    z * w,
                    abs(first) * radius(w) + abs(second) * radius(z) + 2 * radius(z) * radius(w),
                ),
            ):
                for a in turns:
                    x, y = centre(z) + radius(z) * a, centre(w) + radius(w) * a
                    assert abs(operation(x, y) - centre(found)) <= radius(found) * (1 + TINY)
                assert radius(found) <= most * (1 + TINY) + mp.mpf(8 + abs(first) + abs(second)) / ONE
        z = disc(first, r)
        if abs(first) > mp.mpf(r) * 1.01:
            inverse = z.inverse()
            worst = radius(z) / abs(centre(z)) / (abs(centre(z)) - radius(z))
            point = centre(z) * (1 - radius(z) / abs(centre(z)))
            assert abs(1 / point - centre(inverse)) <= radius(inverse) * (1 + TINY)
            assert worst <= radius(inverse) * (1 + TINY) + mp.mpf(2) / ONE
            assert radius(inverse) <= worst * (1 + mp.mpf(10) ** -20) + mp.mpf(4) / ONE
        for q in (Fraction(1, 3), Fraction(-7, 5), 3):
            scaled = z.scaled(q)
            truth = centre(z) * q.numerator / q.denominator
            assert (
                abs(truth - centre(scaled)) + radius(z) * abs(q.numerator) / q.denominator
                <= radius(scaled) * (1 + TINY) + 0
            )
            assert radius(scaled) <= radius(z) * abs(q.numerator) / q.denominator + mp.mpf(4) / ONE
    with pytest.raises(Retry):
        disc(mp.mpf("0.004"), "0.004").inverse()


@pytest.mark.parametrize("r", ["0", "1e-25", "0.01", "0.9"])
def test_the_radius_of_exponentials_and_logarithms(r: str) -> None:
    """|e^(z+h) - e^z| <= |e^z| (r + r^2), |log(z+h) - log z| <= q + q^2/(2(1-q)), q = r/|z|."""
    for first in (*CENTRES, mp.mpc(-9, 40), mp.mpc("1.5", 0)):
        z = disc(first, r)
        found, step = z.exp(), mp.mpf(r)
        size = abs(mp.exp(centre(z)))
        assert size * mp.expm1(radius(z)) <= radius(found) * (1 + TINY) + 0
        assert abs(mp.exp(centre(z)) - centre(found)) <= radius(found)
        assert radius(found) <= size * (step + step**2) * (1 + mp.mpf(10) ** -15) + mp.mpf(10) ** -60 * (
            1 + size
        )
        q = radius(z) / abs(centre(z))
        if q < 0.9 and (mp.re(first) > 0 or abs(mp.im(first)) > 1.01 * step):
            logs = z.log()
            assert -mp.log(1 - q) <= radius(logs) * (1 + TINY) + 0
            assert abs(mp.log(centre(z)) - centre(logs)) <= radius(logs)
            assert radius(logs) <= q + q**2 / (2 * (1 - q)) * (1 + mp.mpf(10) ** -15) + mp.mpf(10) ** -70


def test_which_discs_meet_the_cut() -> None:
    for z, r, fine in (
        (mp.mpc(-1, 1), "0.99", True),
        (mp.mpc(-1, 1), "1", False),
        (mp.mpc(1, 0), "0.99", True),
        (mp.mpc(1, 0), "1", False),
        (mp.mpc("0.6", "0.8"), "0.99", True),
        (mp.mpc("0.6", "0.8"), "1.01", False),
        (mp.mpc(-1, 0), "0", False),
    ):
        if fine:
            disc(z, r).off_cut()
        else:
            with pytest.raises(Retry):
                disc(z, r).off_cut()


def test_constants_and_the_gamma_function() -> None:
    with mp.workdps(90):
        for found, truth in ((PI, mp.pi), (EULER, mp.euler)):
            assert abs(centre(found) - truth) <= radius(found) < mp.mpf(2) ** -240
        for x in (
            Fraction(1, 2),
            Fraction(1, 7),
            Fraction(9, 4),
            Fraction(64),
            Fraction(129, 2),
            Fraction(500),
        ):
            found = log_gamma(rational(x))
            truth = mp.loggamma(mp.mpf(x.numerator) / x.denominator)
            assert abs(centre(found) - truth) <= radius(found) < mp.mpf(2) ** -180
        # at 64 the first term that is left out
        left = abs(models.Fraction(1)) and mp.bernoulli(80) / (80 * 79 * mp.mpf(64) ** 79)
        assert radius(log_gamma(Ball(64 * ONE))) >= abs(left)


# ------------------------------------------------------------------------------------------------------ models


def test_the_weight_of_powers_and_logarithms() -> None:
    """sup |t|^a |log t|^j for 0 < |t| <= r, |arg t| <= pi, by x^b (pi - log x) or its maximum."""
    for size in (Fraction(1, 4), Fraction(1, 1 << 12), Fraction(1, 100000)):
        x = mp.mpf(size.numerator) / size.denominator
        for a in (Fraction(1, 8), Fraction(1), Fraction(5, 2)):
            e = mp.mpf(a.numerator) / a.denominator
            assert 0 <= mp.mpf(models.weight(size, a)) / ONE / x**e - 1 < mp.mpf(10) ** -20
            for j in (1, 3):
                found = mp.mpf(models.weight(size, a, j)) / ONE
                truth = max(
                    (x * mp.mpf(i) / 400) ** e * abs(mp.mpc(mp.log(x * mp.mpf(i) / 400), mp.pi)) ** j
                    for i in range(1, 401)
                )
                b = e / j
                peak = max(x**b * (mp.pi - mp.log(x)), mp.exp(b * mp.pi - 1) / b)
                assert truth <= found and abs(found / peak**j - 1) < mp.mpf(10) ** -20
    with pytest.raises(contour.Unsupported):
        models.weight(Fraction(1, 4), Fraction(0), 1)
    with pytest.raises(contour.Unsupported):
        models.weight(Fraction(1, 4), Fraction(-1, 8))


def test_the_rest_of_products_of_models() -> None:
    """|f g - polynomial| <= rest f |g| + rest g |f| + what is dropped, and not much more."""
    unit = ONE >> 10
    f = Taylor([ONE, 2 * ONE, 0], [0, 0, ONE], unit)
    g = Taylor([0, ONE, 3 * ONE], [ONE, 0, 0], 5 * unit)
    found = f * g
    sizes = [mp.mpf(x.size) / ONE for x in (f, g)]
    assert 4 + mp.mpf(unit) / ONE <= sizes[0] <= 4 + mp.mpf(unit) / ONE + mp.mpf(10) ** -60
    # z^3 (2 * 3 + i) + z^4 3i is dropped: real parts 6, imaginary 1 and 3
    dropped = 6 + 1 + 3
    truth = sizes[1] * mp.mpf(f.rest) / ONE + sizes[0] * mp.mpf(g.rest) / ONE + dropped
    assert 0 <= mp.mpf(found.rest) / ONE - truth + mp.mpf(10) ** -60 < mp.mpf(10) ** -50
    tail = f.tail(3, Fraction(2, 7))
    assert 0 <= mp.mpf(tail.rest) / ONE / (sizes[0] ** 3 * 2 / 7) - 1 < mp.mpf(10) ** -50
    scaled = f.times(Ball(3 * ONE, 4 * ONE, unit))
    most = mp.mpf(f.rest) / ONE * (5 + mp.mpf(unit) / ONE) + sizes[0] * mp.mpf(unit) / ONE
    assert 0 <= mp.mpf(scaled.rest) / ONE - most + mp.mpf(10) ** -60 < mp.mpf(10) ** -50
    whole = f.integral()
    assert (
        abs(centre(whole) - mp.mpc(2, mp.mpf(2) / 3))
        <= radius(whole)
        <= 2 * mp.mpf(unit) / ONE * (1 + mp.mpf(10) ** -30)
    )
    assert radius(whole) >= 2 * mp.mpf(unit) / ONE
    at = f.at(Ball(0, ONE))
    assert abs(centre(at) - (1 + 2j - 1j)) <= radius(at) and radius(at) >= mp.mpf(unit) / ONE


def test_the_rest_of_models_at_an_end() -> None:
    """Terms that are dropped and rests, weighed at the radius; sums, products, powers of what vanishes."""
    r, cut = Fraction(1, 16), Fraction(2)
    weigh = lambda a: mp.mpf(r.numerator) ** a / mp.mpf(r.denominator) ** a
    f = End(
        r, cut, {(Fraction(1, 2), 0): Fraction(3), (Fraction(3, 2), 0): Fraction(5)}, ONE >> 5, Fraction(2)
    )
    g = End(r, cut, {(Fraction(1), 0): Fraction(-7)}, ONE >> 3, Fraction(7, 4))
    rests = mp.mpf(1) / 32, mp.mpf(1) / 8
    total = f + g
    assert total.order == Fraction(7, 4)
    assert 0 <= mp.mpf(total.rest) / ONE - (rests[0] * weigh(mp.mpf(1) / 4) + rests[1]) < mp.mpf(10) ** -30
    product = f * g
    # order: min(2 + 1, 7/4 + 1/2, cut) = 2; t^(5/2) 35 is dropped
    assert product.order == 2 and product.terms.keys() == {(Fraction(3, 2), 0)}
    norms = 3 + 5 * weigh(1) + rests[0] * weigh(mp.mpf(3) / 2), 7 + rests[1] * weigh(mp.mpf(3) / 4)
    truth = (
        35 * weigh(mp.mpf(1) / 2)
        + rests[0] * norms[1] * weigh(mp.mpf(1))
        + rests[1] * norms[0] * weigh(mp.mpf(1) / 4)
    )
    assert 0 <= mp.mpf(product.rest) / ONE - truth < mp.mpf(10) ** -30
    assert abs(mp.mpf(f.norm) / ONE - norms[0]) < mp.mpf(10) ** -30 and f.low == Fraction(1, 2)
    assert abs(mp.mpf(f.size) / ONE - norms[0] * weigh(mp.mpf(1) / 2)) < mp.mpf(10) ** -30
    assert f.depth() == 4 and g.depth() == 2
    tail = f.tail(5, Fraction(3))
    assert 0 <= mp.mpf(tail.rest) / ONE / (3 * norms[0] ** 5 * weigh(mp.mpf(1) / 2)) - 1 < mp.mpf(10) ** -30


def test_the_rest_of_a_power_series() -> None:
    """|a_m| |f|^m/(1 - growth |f|)."""
    f = Taylor([0, ONE >> 2, 0], [0, 0, 0])
    found = models.compose(f, lambda n: Fraction(1), lambda m: Fraction(1))
    size = mp.mpf(f.size) / ONE
    assert 0 <= mp.mpf(found.rest) / ONE / (size**3 / (1 - size)) - 1 < mp.mpf(10) ** -30
    assert found.x[:2] == [ONE, ONE >> 2] and abs(found.x[2] - (ONE >> 4)) <= 4
    for growth, fine in ((Fraction(39, 10), True), (Fraction(4), False)):
        if fine:
            models.compose(f, lambda n: Fraction(1), lambda m, q=growth: q)
        else:
            with pytest.raises(Retry):
                models.compose(f, lambda n: Fraction(1), lambda m, q=growth: q)


def test_integrals_next_to_an_end() -> None:
    """int_0^t s^e (log s)^j ds, and rest t^(order+1)/(order+1)."""
    t = Fraction(1, 9)
    for e, j in ((Fraction(-1, 2), 0), (Fraction(1, 3), 1), (Fraction(2), 3)):
        f = End(Fraction(1, 8), Fraction(6), {(e, j): Fraction(5)})
        power = mp.mpf(e.numerator) / e.denominator + 1
        # in y = s^(e+1)
        truth = 5 * mp.quad(
            lambda y: (mp.log(y) / power) ** j / power, [0, mp.mpf(10) ** -9, (mp.mpf(1) / 9) ** power]
        )
        assert abs(value(contour._end_integral(f, rational(t), t)) - truth) < mp.mpf(10) ** -12
    rest = End(Fraction(1, 8), Fraction(3, 2), {}, 7 * ONE, Fraction(3, 2))
    truth = 7 * (mp.mpf(1) / 9) ** mp.mpf("2.5") / mp.mpf("2.5")
    assert 0 <= mp.mpf(contour._rest(rest, t)) / ONE / truth - 1 < mp.mpf(10) ** -30
    found = contour._end_integral(rest, rational(t), t)
    assert abs(radius(found) / truth - 1) < mp.mpf(10) ** -20


def test_the_integral_of_a_size() -> None:
    f = Taylor([ONE, 2 * ONE], [0, 0])  # |1 + 2z|
    found = [mp.mpf(contour._integral(f, Fraction(1, 3), n)) / ONE for n in (4, 64, 1024)]
    truth = mp.mpf(5) / 2 / 3
    assert truth <= found[2] < found[1] < found[0] and found[2] < truth * 1.01
    for n, sum_of in zip((4, 64, 1024), found, strict=True):
        centres = [mp.mpf(2 * i + 1) / n - 1 for i in range(n)]
        most = mp.fsum(abs(1 + 2 * z) + mp.mpf(2) / n for z in centres) * 2 / n / 3
        assert 0 <= sum_of - most < mp.mpf(10) ** -40


def test_what_is_left_of_a_term_on_the_slit() -> None:
    x = mp.mpf("0.3")
    for e, j in ((Fraction(1, 2), 0), (Fraction(7, 3), 1), (Fraction(2), 2), (Fraction(-1, 2), 0)):
        power = mp.mpf(e.numerator) / e.denominator
        t = x * mp.expj(mp.pi)
        truth = mp.im(mp.expj(mp.pi * power) * (mp.log(x) + 1j * mp.pi) ** j)
        assert abs(value(contour.on_slit(e, j, disc(mp.log(x)))) - truth) < mp.mpf(10) ** -50 and mp.im(t) < 1


# -------------------------------------------------------------------------------------------------------- laws


def a_law(
    d: int,
    terms: dict[Any, Fraction],
    slit: tuple[int, int] = (0, 0),
    curve: int = 0,
    *,
    beta: Fraction = Fraction(7, 2),
    height: Fraction = Fraction(2),
    scale: Fraction = Fraction(1),
    parity: int = 0,
    other: dict[Any, Fraction] | None = None,
) -> Law:
    """The law of one parity from given terms at +1 and -1."""
    sides: list[dict[Any, Fraction]] = [terms, other or {}]
    stub = SimpleNamespace(
        scale=scale,
        ends=[SimpleNamespace(rest=1, terms=side) for side in sides],
        terms=lambda end, below: {key: c for key, c in sides[end].items() if key[0] < below},
    )
    bound = Bound(beta, (Fraction(slit[0]), Fraction(slit[1])), Fraction(curve), height)
    return Law(stub, bound, d, parity)  # type: ignore[arg-type]


HALF = Fraction(1, 2)


@pytest.mark.parametrize("d", [2, 3, 4, 5, 9, 20])
def test_the_curve_and_the_moments(d: int) -> None:
    for h in (Fraction(1, 8), Fraction(2)):
        law = a_law(d, {(HALF, 0): Fraction(1)}, curve=1, height=h)
        height = mp.mpf(h.numerator) / h.denominator
        with mp.workdps(30):
            truth = mp.log(amplitude(9, d) * series(d, height)) - 10 * height
        found = law._log_curve(9)
        assert (
            abs(mp.mpf(found.x) / ONE - truth) <= radius(found) + mp.mpf(10) ** -15
            and radius(found) < mp.mpf(10) ** -12
        )
    law = a_law(d, {(HALF, 0): Fraction(1)}, curve=1)
    for e in (HALF, Fraction(7, 3), Fraction(3)):
        truth = mp.log(moment(mp.mpf(e.numerator) / e.denominator, 9, d))
        assert abs(value(law._log_t(e, 9)) - truth) < mp.mpf(10) ** -40
        assert law._series(e, 9)[1] == 0


@pytest.mark.parametrize(
    ("b", "nu", "d"), [("5/4", "1/2", 3), ("2", "-1", 2), ("6/5", "-3/2", 6), ("3", "4", 5)]
)
def test_moments_and_spreads_outside(b: str, nu: str, d: int) -> None:
    place, e, k = Fraction(b), Fraction(nu), 12
    law = a_law(d, {(e, 0): Fraction(1)}, curve=1, beta=Fraction(9), scale=place, height=Fraction(3))
    z, power, half = (
        mp.mpf(place.numerator) / place.denominator,
        mp.mpf(e.numerator) / e.denominator,
        mp.mpf(d) / 2,
    )
    r = z - mp.sqrt(z * z - 1)
    x = -r * r / (1 - r * r)
    shape = lambda j: mp.hyp2f1(power + half, 1 - power - half, j + half, x)
    outer = mp.gamma(1 + power) / mp.pi if e >= 0 else mp.rgamma(-power)
    size = mp.gamma(half) * (2 * r) ** -power * (1 - r * r) ** (power + half - 1) * outer
    truth = size * r**k * mp.gamma(k - power) / mp.gamma(k + half) * shape(k)
    assert abs(value(law._log_t(e, k)) - mp.log(truth)) < mp.mpf(10) ** -20
    spread = mp.mpf(law._series(e, k)[1]) / ONE
    wanted = max(abs(shape(j) - 1) for j in (k, k + 1, 4 * k))
    assert wanted <= spread <= 2 * wanted + TINY
    # F_k to the digits it is said to have
    found = law._series(e, k)[0]
    assert abs(centre(found) - shape(k)) <= radius(found) + mp.mpf(10) ** -50


def extremes(value_at: Callable[[int], tuple[Any, Any]], k: int) -> tuple[Any, Any]:
    pairs = [value_at(j) for j in (*range(k, k + 60, 2), 500, 10**4, 10**6)]
    return min(low for low, _ in pairs), max(high for _, high in pairs)


def fraction(x: Any) -> Fraction:
    return Fraction(int(mp.floor(x * 2**80)), 2**80)


@pytest.mark.parametrize(("d", "parity"), [(2, 0), (3, 0), (3, 1), (6, 1)])
def test_a_law_for_all_later_degrees(d: int, parity: int) -> None:
    """a <= mu_m m^(nu+sigma) <= b: accepted at the extremes of what the bounds leave, refused a little inside."""
    k, lead, later = 40 + parity, HALF, Fraction(3, 2)
    law = a_law(
        d,
        {(lead, 0): Fraction(-3), (later, 0): Fraction(2)},
        (5, 2),
        4,
        parity=parity,
        other={(lead, 0): Fraction(-1)},
    )
    c = -3 - (1 - 2 * parity)

    # mu_k of c t^(1/2) is -c sin(pi/2) T, of c t^(3/2) it is c T
    rest = abs(2 * moment(mp.mpf(3) / 2, k, d)) + 7 * moment(mp.mpf(7) / 2, k, d)
    rest += 4 * amplitude(k, d) * series(d, mp.mpf(2)) * mp.exp(-2 * (k + 1))
    frame = lambda j: mp.exp(mp.loggamma(j - mp.mpf(1) / 2) - mp.loggamma(j + d - mp.mpf(1) / 2))
    growth = [mp.mpf(j) ** d * frame(j) for j in (*range(k, k + 60), 500, 10**4, 10**7)]
    constant = -c * moment(mp.mpf(1) / 2, k, d) / frame(k)
    a, b = (constant - rest / frame(k)) * min(growth), (constant + rest / frame(k)) * max(growth)
    assert a > 0
    law.verify_all(lead, k, fraction(a * 0.99999), fraction(b * 1.00001))
    for low, high in ((a * 1.00001, b * 1.1), (a * 0.9, b * 0.99999)):
        with pytest.raises(Refuted):
            law.verify_all(lead, k, fraction(low), fraction(high))
    for wrong in (later, Fraction(1, 4)):
        with pytest.raises(Refuted):
            law.verify_all(wrong, k, *EVERYTHING)
    # one degree: terms and error
    low_end, high_end = law.enclosure(k, Ball(0))
    middle, error = c * -1 * moment(mp.mpf(1) / 2, k, d), 7 * moment(mp.mpf(7) / 2, k, d)
    middle += 2 * moment(mp.mpf(3) / 2, k, d)
    error += 4 * amplitude(k, d) * series(d, mp.mpf(2)) * mp.exp(-2 * (k + 1))
    for found, truth in ((low_end, middle - error), (high_end, middle + error)):
        assert abs(mp.mpf(found.numerator) / found.denominator / truth - 1) < mp.mpf(10) ** -12


@pytest.mark.parametrize(("nu", "k"), [(Fraction(7, 2), 9), (Fraction(7, 2), 30), (Fraction(1, 4), 12)])
def test_a_law_whose_extreme_lies_further_out(nu: Fraction, k: int) -> None:
    """m^(nu+sigma) Gamma(m-nu)/Gamma(m+sigma) is monotone from nu sigma/(sigma-nu-1) on alone."""
    for d in (3, 5):
        law, e = a_law(d, {(nu, 0): Fraction(1)}, beta=Fraction(9, 2)), mp.mpf(nu.numerator) / nu.denominator
        sizes = [
            -mp.sin(mp.pi * e) * moment(e, j, d) * mp.mpf(j) ** (2 * e + d - 1)
            for j in (*range(k, k + 60), 10**7)
        ]
        a, b = min(sizes), max(sizes)
        law.verify_all(nu, k, fraction(a - abs(a) / 10**5), fraction(b + abs(b) / 10**5))
        for low, high in ((a + abs(a) / 10**5, b + 1), (a - 1, b - abs(b) / 10**5)):
            with pytest.raises(Refuted):
                law.verify_all(nu, k, fraction(low), fraction(high))


@pytest.mark.parametrize("nu", [Fraction(-1), HALF, Fraction(-5, 2)])
def test_a_law_for_all_later_degrees_outside(nu: Fraction) -> None:
    d, k, b = 3, 60, Fraction(5, 4)
    law = a_law(
        d,
        {(nu, 0): Fraction(1), (Fraction(3, 2), 0): Fraction(1, 2)},
        (1, 1),
        3,
        beta=Fraction(7, 2),
        scale=b,
        height=Fraction(3),
    )
    z, power, half = mp.mpf(5) / 4, mp.mpf(nu.numerator) / nu.denominator, mp.mpf(3) / 2
    r = z - mp.sqrt(z * z - 1)

    def size(e: Any, j: int) -> Any:
        """|mu_j((b-u)^e)| r^-j, or T_b of it where the sine is 1."""
        shape = mp.hyp2f1(e + half, 1 - e - half, j + half, -r * r / (1 - r * r))
        outer = mp.gamma(1 + e) / mp.pi if e >= 0 else mp.rgamma(-e)
        gammas = mp.exp(mp.loggamma(j - e) - mp.loggamma(j + half))
        return mp.gamma(half) * (2 * r) ** -e * (1 - r * r) ** (e + half - 1) * outer * gammas * shape

    # in units of t = 1 -+ u/b the terms are b^-e times those of b - u
    def sides(j: int) -> tuple[Any, Any]:
        first = size(power, j) * z**-power * (-mp.sin(mp.pi * power) if power > 0 else 1)
        beside = size(mp.mpf(3) / 2, j) * z ** mp.mpf("-1.5") / 2 + 2 * size(mp.mpf(7) / 2, j)
        if j < 2000:
            beside += 3 * amplitude(j, d) * series(d, mp.mpf(3)) * mp.exp(-3 * (j + 1)) * r**-j
        return tuple((first + s * beside) * mp.mpf(j) ** (power + half) for s in (-1, 1))  # type: ignore[return-value]

    a, low_high = extremes(sides, k)
    ends = sorted([a, low_high])
    # the spread of F_k is taken twice: a little room
    wide = abs(ends[1] - ends[0]) / 2 + abs(ends[1]) * 0.02
    law.verify_all(nu, k, fraction(ends[0] - wide), fraction(ends[1] + wide))
    for low, high in (
        (ends[0] + abs(ends[0]) * 0.001, ends[1] + wide),
        (ends[0] - wide, ends[1] - abs(ends[1]) * 0.001),
    ):
        with pytest.raises(Refuted):
            law.verify_all(nu, k, fraction(low), fraction(high))


def test_where_a_law_may_begin() -> None:
    """k > beta; the curve falls against the lead, (k+nu+d-1)/(k-nu) e^-h <= 1."""
    law = a_law(3, {(HALF, 0): Fraction(-1)}, (1, 1))
    with pytest.raises(Refuted):
        law.enclosure(3, Ball(0))
    assert law.enclosure(4, Ball(0))
    assert laws.enclosure([law], 3, Ball(0)) is None and laws.enclosure([law], 4, Ball(0)) is not None
    whole = a_law(3, {(HALF, 0): Fraction(-1)}, curve=1, beta=Fraction(4))
    with pytest.raises(Refuted):
        whole.enclosure(4, Ball(0))
    assert whole.enclosure(5, Ball(0))
    flat = a_law(3, {(HALF, 0): Fraction(-1)}, curve=1, height=Fraction(1, 8))
    begins = []
    for k in range(10, 60):
        try:
            flat.verify_all(HALF, k, *EVERYTHING)
            begins.append(k)
        except Refuted:
            continue
    truth = [k for k in range(10, 60) if mp.mpf(2 * k + 5) / (2 * k - 1) * mp.exp(-mp.mpf(1) / 8) <= 1]
    assert begins == truth
    # terms that are not integrable, and logarithms whose law is another one
    for d, terms in (
        (2, {(Fraction(-1, 2), 0): Fraction(1)}),
        (3, {(HALF, 1): Fraction(1)}),
        (3, {(Fraction(1), 2): Fraction(1)}),
    ):
        with pytest.raises(contour.Unsupported):
            a_law(d, terms)
    found = a_law(3, {(Fraction(1), 1): Fraction(5)})  # mu_k of t log t is pi T(1, k)
    middle = found.enclosure(9, Ball(0))[0]
    assert (
        abs(mp.mpf(middle.numerator) / middle.denominator / (5 * mp.pi * moment(mp.mpf(1), 9, 3)) - 1)
        < mp.mpf(10) ** -30
    )


# ------------------------------------------------------------------------------------------------ exponentials

KINDS = [
    Kind(False, Fraction(2), 0),
    Kind(False, Fraction(-3, 2), 3),
    Kind(True, Fraction(2), 0),
    Kind(True, Fraction(1, 3), 2),
]


def derivative(kind: Kind, n: int) -> Any:
    c = mp.mpf(kind.c.numerator) / kind.c.denominator
    m = n - kind.e
    if m < 0 or (kind.square and m % 2):
        return mp.mpf(0)
    if kind.square:
        return mp.factorial(n) * c ** (m // 2) / mp.factorial(m // 2)
    return mp.factorial(n) / mp.factorial(m) * c**m


@pytest.mark.parametrize("kind", KINDS)
def test_sums_of_derivatives(kind: Kind) -> None:
    for n in range(12):
        assert (
            abs(mp.mpf(kind.derivative(n).numerator) / kind.derivative(n).denominator - derivative(kind, n))
            < TINY
        )
    for d, k in ((2, 6), (3, 12), (7, 24)):
        k += kind.e % 2

        def summand(j: int, m: int, d: int = d) -> Any:
            return (
                derivative(kind, j + 2 * m)
                / derivative(kind, j)
                / (mp.mpf(4) ** m * mp.factorial(m) * mp.rf(j + mp.mpf(d) / 2, m))
            )

        truth = [mp.fsum(summand(j, m) for m in range(70)) for j in (k, k + 2, k + 4, k + 30, k + 400)]
        low, high = (mp.mpf(x.numerator) / x.denominator for x in kind.sums(d, k))
        assert low <= min(truth) * (1 + TINY) and max(truth) <= high * (1 + TINY)
        assert high <= 1.5 * max(truth) and low >= (0.6 * min(truth) if kind.square else 1)
        for m in (0, 3):
            steps = [abs(summand(k, i + 1) / summand(k, i)) for i in range(m, m + 9)]
            found = kind.quotient(d, k, m)
            assert max(steps) <= mp.mpf(found.numerator) / found.denominator * (1 + TINY)
            assert mp.mpf(found.numerator) / found.denominator <= steps[0] * (3 if kind.square else 1 + TINY)


@pytest.mark.parametrize("first", KINDS)
@pytest.mark.parametrize("second", KINDS)
def test_which_derivatives_outgrow_others(first: Kind, second: Kind) -> None:
    if (first.e - second.e) % 2:
        return
    for n in (5, 6, 12, 30):
        m = n + (n - first.e) % 2
        steps = [
            abs(
                derivative(second, j + 2)
                / derivative(second, j)
                * derivative(first, j)
                / derivative(first, j + 2)
            )
            for j in range(m, m + 60, 2)
        ]
        if first.outgrows(second, n):
            assert max(steps) <= 1 + TINY
    size = lambda x: (x.square, abs(x.c))
    if size(first) > size(second):
        assert first.outgrows(second, 400)


def test_eigenvalues_of_exponentials_and_their_rest() -> None:
    made = object.__new__(Exponentials)
    made.d, made.first = 3, 1
    made.terms = {
        (Kind(False, Fraction(2), 1), Fraction(0)): Fraction(5),
        (Kind(True, Fraction(1), 0), Fraction(-1)): Fraction(-2),
    }
    made.e = {Fraction(0): (Fraction(1), Fraction(1)), Fraction(-1): rational(-1).exp().real().interval()}
    kappa = lambda x: 5 * x * mp.exp(2 * x) - 2 * mp.exp(x * x - 1)
    found = made.eigenvalues({k: (Fraction(0), Fraction(0)) for k in (0, 1, 6)})
    for k, (low, high) in found.items():
        truth = mp.quad(lambda x: kappa(x) * mp.legendre(k, x), [-1, 0, 1]) / 2
        assert (
            mp.mpf(low.numerator) / low.denominator - mp.mpf(10) ** -42
            <= truth
            <= mp.mpf(high.numerator) / high.denominator + mp.mpf(10) ** -42
        )
        assert high - low <= abs(high) / 2**90


# ------------------------------------------------------------------------------------------- claims of a file


def test_the_contour_inside_the_one_that_is_claimed() -> None:
    """B b^beta, G/b, and the lowest curve of the grid with b sinh g >= sinh h."""
    b = Fraction(3, 2)
    found = _inside(b, Bound(Fraction(5, 2), (Fraction(3), Fraction(0)), Fraction(7), Fraction(1)))
    x = mp.mpf(3) / 2
    for mine, truth in ((found.slit[0], 3 * x ** mp.mpf("2.5")), (found.curve, 7 / x)):
        assert 0 <= 1 - mp.mpf(mine.numerator) / mine.denominator / truth < mp.mpf(10) ** -40
    assert found.slit[1] == 0
    g = mp.mpf(found.height.numerator) / found.height.denominator
    assert x * mp.sinh(g) >= mp.sinh(1) > x * mp.sinh(g - mp.mpf(1) / 64)
    with pytest.raises(contour.Unsupported):
        _inside(b, Bound(ANALYTIC, (Fraction(0), Fraction(0)), Fraction(1), Fraction(1)))


def test_what_definiteness_needs() -> None:
    plus, minus = (Fraction(1), Fraction(2)), (Fraction(-2), Fraction(-1))
    zero, doubt = (Fraction(0), Fraction(0)), (Fraction(-1), Fraction(1))
    claim = lambda start, ends: (start, ends, "")
    nodes: Any = []

    def fine(positive: Any, strict: Any, offending: Any, small: list[Any], claims: list[Any]) -> bool:
        body: Any = {"positive_definite": positive, "strict": strict, "offending": offending}
        try:
            _definiteness(body, nodes, small, claims)
        except (Refuted, LookupError, IndexError):
            return False
        return True

    laws_of = [claim(4, plus), claim(5, plus)]
    assert fine(True, True, None, [plus] * 6, laws_of)
    assert fine(True, True, None, [plus, plus, plus, zero, plus, plus], laws_of)
    for k in range(5):
        small = [plus] * 6
        small[k] = doubt
        # mu_4 is in the law of the even degrees, mu_3 is not in that of the odd ones
        assert fine(True, None, None, small, laws_of) is (k == 4)
    assert fine(True, None, None, [plus] * 6, [claim(4, plus), claim(5, zero)])
    assert not fine(True, True, None, [plus] * 6, [claim(4, plus), claim(5, zero)])
    assert fine(True, False, None, [plus] * 6, [claim(4, plus), claim(5, zero)])
    assert not fine(True, True, None, [plus] * 6, [claim(4, plus), claim(5, (Fraction(0), Fraction(2)))])
    assert not fine(True, None, None, [plus] * 6, [claim(4, plus), claim(5, doubt)])
    assert not fine(True, None, None, [plus] * 6, [claim(4, minus), claim(5, plus)])
    assert fine(False, False, 8, [plus] * 6, [claim(4, minus), claim(5, plus)])
    assert not fine(False, False, 7, [plus] * 6, [claim(4, minus), claim(5, plus)])
    assert not fine(False, False, 2, [plus] * 6, [claim(4, minus), claim(5, plus)])
    for pair, refuted in ((minus, True), (doubt, False), ((Fraction(-1), Fraction(0)), False)):
        assert fine(False, None, 1, [plus, pair, *[plus] * 4], laws_of) is refuted


def test_all_degrees_up_to_the_claims_are_listed() -> None:
    one = {"lower": "1", "upper": "1"}
    claims: Any = [(4, (Fraction(1), Fraction(1)), ""), (3, (Fraction(0), Fraction(0)), "")]
    known = {k: (Fraction(1), Fraction(1)) for k in range(3)}
    for count, fine in ((3, True), (2, False)):
        body: Any = {"small": [{"k": k, **one} for k in range(count)]}
        if fine:
            assert len(_small(body, None, claims, known)) == 3
        else:
            with pytest.raises(Refuted, match="do not reach"):
                _small(body, None, claims, known)
    body = {"small": [{"k": k, **one} for k in (0, 2)]}
    with pytest.raises(Refuted, match="gap"):
        _small(body, None, claims, known)
    # what is zero from k = 3 on is zero there
    body = {"small": [*({"k": k, **one} for k in range(3)), {"k": 3, "lower": "1", "upper": "1"}]}
    with pytest.raises(Refuted, match="mu_3"):
        _small(body, None, claims, known)
    assert P == 256


# --------------------------------------------------------------------------------------------------- programs


def nodes_of(text: str) -> Any:
    names = {f"kappa{n}": (lambda x, n=n: ArcCosine(n, x)) for n in range(4)} | {"u": u}
    return program(to_nodes(Kernel(sympy.sympify(text, locals=names)).expr))


def arc_cosine(n: int, z: Any) -> Any:
    """kappa_n by J_(m+1) = (2m+1) z J_m + m^2 (1-z^2) J_(m-1), J_n(1) = pi (2n-1)!!."""
    angle = mp.pi - mp.acos(z)
    first, second = angle, z * angle + mp.sqrt(1 - z) * mp.sqrt(1 + z)
    for m in range(1, n + 1):
        first, second = second, (2 * m + 1) * z * second + m**2 * (1 - z**2) * first
    return first / (mp.pi * mp.fac2(2 * n - 1))


#: a text, and the same by mpmath
PROGRAMS: list[tuple[str, Any]] = [
    ("sinh(u/2) - 3*cosh(u)", lambda z: mp.sinh(z / 2) - 3 * mp.cosh(z)),
    ("tan(u/2) + tanh(u)", lambda z: mp.tan(z / 2) + mp.tanh(z)),
    ("sin(3*u+1) + cos(u-2)", lambda z: mp.sin(3 * z + 1) + mp.cos(z - 2)),
    ("cos(sqrt(2-2*u)) + sin(2*pi*u/3)", lambda z: mp.cos(mp.sqrt(2 - 2 * z)) + mp.sin(2 * mp.pi * z / 3)),
    ("cos(pi*u) + 2*sin(pi*u)", lambda z: mp.cos(mp.pi * z) + 2 * mp.sin(mp.pi * z)),
    ("sin(pi*u/2)*cos(pi*u/2)**2", lambda z: mp.sin(mp.pi * z / 2) * mp.cos(mp.pi * z / 2) ** 2),
    ("besselj(2,u) + besseli(1,sqrt(3-u))", lambda z: mp.besselj(2, z) + mp.besseli(1, mp.sqrt(3 - z))),
    ("(2-2*u)*besselk(2,sqrt(2-2*u))", lambda z: (2 - 2 * z) * mp.besselk(2, mp.sqrt(2 - 2 * z))),
    (
        "(2-2*u)**(3/2)*besselk(3,sqrt(2-2*u))",
        lambda z: (2 - 2 * z) * mp.sqrt(2 - 2 * z) * mp.besselk(3, mp.sqrt(2 - 2 * z)),
    ),
    (
        "(2-2*u)**(1/6)*besselk(1/3,sqrt(2-2*u))",
        lambda z: mp.root(2 - 2 * z, 6) * mp.besselk(mp.mpf(1) / 3, mp.sqrt(2 - 2 * z)),
    ),
    ("asin(u/2) + acos(-u)", lambda z: mp.asin(z / 2) + mp.acos(-z)),
    (
        "kappa2(u) - 2*kappa3(u) + kappa0(-u)",
        lambda z: arc_cosine(2, z) - 2 * arc_cosine(3, z) + arc_cosine(0, -z),
    ),
    ("kappa2(kappa1(u))", lambda z: arc_cosine(2, arc_cosine(1, z))),
    ("log(3-u)*erf(u)", lambda z: mp.log(3 - z) * mp.erf(z)),
]


@pytest.mark.parametrize(("text", "truth"), PROGRAMS, ids=[text for text, _ in PROGRAMS])
def test_programs_have_the_values_of_their_kernels(text: str, truth: Any) -> None:
    """Taylor polynomials in the strip, and sums of powers at both ends, up to their rests."""
    nodes, branches = nodes_of(text), Branches()
    size = Fraction(1, 1 << 8)
    models_of = [at_end(branches, end, size, Fraction(6), 1).run(nodes) for end in (0, 1)]
    for theta in (mp.mpc("1.2", "0.4"), mp.mpc("2.5", "-0.3")):
        made = in_strip(branches, disc(theta), disc(mp.mpf(1) / 64), 24, 1).run(nodes)
        for z in (0, mp.mpf("0.5"), mp.mpc("-0.3", "0.7")):
            found, exactly = made.at(disc(z)), truth(mp.cos(theta + z / 64))
            assert abs(centre(found) - exactly) <= radius(found) + mp.mpf(10) ** -26
            assert radius(found) < mp.mpf(10) ** -20
    for end, model in enumerate(models_of):
        assert model.order >= 4
        for t in (mp.mpf(2) ** -8, mp.mpf(2) ** -10 * mp.expj(1), mp.mpf(2) ** -9 * mp.expj(-3)):
            total = mp.mpf(0)
            for (e, j), c in model.terms.items():
                total += centre(enclosed(c)) * t ** number_of(e) * mp.log(t) ** j
            # principal values are those of the sector at the end
            exactly = truth((1 - 2 * end) * (1 - t))
            room = mp.mpf(model.rest) / ONE * abs(t) ** number_of(model.order) + mp.mpf(10) ** -20
            assert abs(total - exactly) <= room


def number_of(x: Any) -> Any:
    x = Fraction(x)
    return mp.mpf(x.numerator) / x.denominator


def test_a_pole_at_an_end_is_refused() -> None:
    """For 1/(1-u) and log(1-u)/(1-u) there is no contour along the slit, in whatever dimension."""
    for text in ("1/(1-u)", "(1-u)**(-3/2)", "exp(u)/(1+u)"):
        with pytest.raises(contour.Unsupported):
            contour.Contour(
                nodes_of(text), [Bound(Fraction(5, 2), (Fraction(9), Fraction(9)), Fraction(9), HALF)]
            )


def test_pieces_cover_what_they_are_asked_to() -> None:
    """What fails is halved, and the halves lie where it was."""
    for a, b, pieces, width in ((Fraction(0), Fraction(1), 1, 9), (Fraction(-1, 3), Fraction(5), 4, 33)):
        done: list[tuple[Fraction, Fraction]] = []

        def test(middle: Fraction, half: Fraction, width: int = width) -> None:
            # the finer, the nearer to 1/5
            if half > (abs(middle - Fraction(1, 5)) + Fraction(1, 100)) / width:
                raise Retry("too wide")
            done.append((middle - half, middle + half))

        contour.cover(a, b, pieces, 12, test)
        done.sort()
        assert done[0][0] == a and done[-1][1] == b
        assert all(x[1] == y[0] for x, y in pairwise(done)) and len({y - x for x, y in done}) > 3
        with pytest.raises(Refuted):
            contour.cover(a, b, pieces, 2, test, "there")


def test_a_power_series_whose_quotients_fall_only_later() -> None:
    """1 + t + t^2 + t^3/1000 + t^4 + t^5/5 + ...: from the fourth term on alone a quotient bounds all later ones."""
    coefficient = lambda n: Fraction(1, 1000) if n == 3 else Fraction(24, factorial(max(n, 4)))
    t = End(Fraction(1, 4), Fraction(2), {(Fraction(1), 0): Fraction(1)})
    found = models.entire(t, coefficient, 4)
    x = mp.mpf(1) / 4
    left = mp.fsum(number_of(coefficient(n)) * x ** (n - 2) for n in range(2, 40))
    # the radius of a series around a point is at least twice the argument and 1
    assert found.order == 2 and left <= mp.mpf(found.rest) / ONE <= 300 * left
    assert {key: centre(enclosed(c)) for key, c in found.terms.items()}.keys() == {(0, 0), (1, 0)}


def test_where_a_law_outside_may_begin() -> None:
    """The curve falls against r^k as soon as e^-h < r: log 2 < h for b = 5/4."""
    for height, fine in ((Fraction(1), True), (Fraction(3, 4), True), (Fraction(2, 3), False)):
        law = a_law(
            3,
            {(Fraction(-1), 0): Fraction(1)},
            curve=1,
            beta=Fraction(0),
            scale=Fraction(5, 4),
            height=height,
        )
        if fine:
            law.verify_all(Fraction(-1), 400, *EVERYTHING)
        else:
            with pytest.raises(Refuted):
                law.verify_all(Fraction(-1), 400, *EVERYTHING)
    inside = a_law(3, {(HALF, 0): Fraction(-1)}, curve=1)
    assert inside.log_r.interval() == (0, 0)


def test_exact_powers() -> None:
    """Whole powers of negative products of pi and roots keep their sign, others of negative numbers have no form."""
    root = exact.power(Fraction(3), HALF)
    for c in (Fraction(-1, 2), Fraction(-1), Fraction(-7, 3), Fraction(5, 7)):
        for x in (exact.PI * c, root * c):
            number = (mp.pi if x == exact.PI * c else mp.sqrt(3)) * number_of(c)
            for q in (3, 2, 1, -1, -2, -3):
                found = exact.enclosed(exact.power(x, Fraction(q)))
                assert abs(centre(found) - number**q) <= radius(found) + TINY and radius(found) < TINY
