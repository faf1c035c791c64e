"""Every bound, threshold and first degree of the laws that certificates state, against mpmath and brute force.

Where a law speaks of all later degrees, the truth is the supremum over many of them: docs/constants-of-bounds.md.
"""

# short functions of one letter, each used where it stands
# ruff: noqa: B023, E731
from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import mpmath as mp
import numpy as np
import pytest
import sympy
from flint import acb, arb, fmpq
from outward import bounds, encloses, exact, high, low
from sympy import Rational, S, cos, cosh, exp, sin, sqrt
from test_certificate_formulas import amplitude, moment
from test_constants_of_contours import series
from test_docs_formulas import eigenvalue, legendre

from asymptok import Kernel, certify, dual, eigenvalues, embeds, kernels, same_rkhs
from asymptok.atlas import core
from asymptok.atlas.waves import InnerTerm, rest_bound
from asymptok.errors import Undecided
from asymptok.kernels.given_form import given_form
from asymptok.laws import inner_sizes, point_terms
from asymptok.precision import flint_precision
from asymptok.proofs import (
    certifying_given,
    comparison,
    decimals,
    ellipses,
    entire,
    exponential,
    flat,
    given,
    inner,
    logarithms,
    outer,
    poles,
    rechecked_laws,
    remainder,
    smooth,
    stretched,
    tails,
    written_numbers,
)
from asymptok.proofs.claims import BoundClaim, Claims, Law, Lead, ParityClaim, TermClaim
from asymptok.proofs.signs import Signs, covered
from asymptok.symbols import u
from asymptok.truth import Sign

TINY = mp.mpf(10) ** -18
_TWO = fmpq(2)


@pytest.fixture(autouse=True)
def _precision() -> Iterator[None]:
    with mp.workdps(30), flint_precision(160):
        yield


def number(x: Any) -> Any:
    return mp.mpf(int(sympy.sympify(x).p)) / int(sympy.sympify(x).q)


def inner_number(x: Any) -> Any:
    """An exact constant as a number."""
    return mp.mpmathify(sympy.N(x, 40))


def decimal(x: str) -> Any:
    return mp.mpf(Fraction(x).numerator) / Fraction(x).denominator


# --------------------------------------------------------------------------------------------------- decimals


def test_decimals_are_rounded_outward() -> None:
    chance = random.Random(5)
    values = [Fraction(chance.randint(-(10**k), 10**k), chance.randint(1, 10**6)) for k in range(1, 40, 3)]
    values += [
        Fraction(0),
        Fraction(1),
        Fraction(999999, 1000000),
        Fraction(10),
        Fraction(1, 1000),
        Fraction(-1),
    ]
    values += [Fraction(10**7 - 1, 10**3), Fraction(2) ** 80, Fraction(2) ** -80]
    for x in values:
        for digits in (1, 3, 7):
            above, below = (Fraction(decimals.decimal(x, digits, up=way)) for way in (True, False))
            assert below <= x <= above
            # neighbours with so many digits
            place = Fraction(10) ** (digits - 1)
            assert above - below <= abs(x) / place
            assert (above == x) == (below == x)
        with flint_precision(200):
            ball = arb(fmpq(x.numerator, x.denominator), fmpq(1, 10**9))
            assert Fraction(decimals.down(ball, 5)) < x < Fraction(decimals.up(ball, 5))
            for bits in (10, 53):
                down, up = decimals.mpf_down(ball, bits), decimals.mpf_up(ball, bits)
                assert down <= low(ball) and high(ball) <= up
                assert up - down <= high(ball) - low(ball) + 4 * mp.mpf(2) ** -bits * (abs(up) + abs(down))
            text = decimals.decimal(x, 30, up=True)
            assert exact(decimals.number(text).mid()) >= 0 or x <= 0
            assert decimals.number(text).contains(
                arb(fmpq(Fraction(text).numerator, Fraction(text).denominator))
            )
    joined = decimals.interval("-1/3", "2.5")
    assert joined.contains(arb(-1) / 3) and joined.contains(arb(fmpq(5, 2)))
    assert decimals.writable(arb(2) ** 60000) and not decimals.writable(arb(2) ** 70000)
    assert not decimals.writable(arb(0, arb(2) ** 70000))


def test_numbers_in_a_file_leave_room() -> None:
    terms = (core.EndTerm(1, S.Half, 0, arb(1) / 3), core.EndTerm(-1, S.Half, 1, arb(0, 1e-30)))
    made = core.Core(
        u, (None, None), terms, (core.Bound(S.One, arb(3), arb(0), arb(7) / 3, fmpq(1)),), core.USUAL
    )
    first, second = written_numbers.term_claims(made)
    assert Fraction(first.low) < Fraction(1, 3) < Fraction(first.high)
    assert Fraction(first.high) - Fraction(first.low) <= Fraction(1, 10**19)
    assert Fraction(second.low) <= -Fraction(1, 10**20) and Fraction(second.high) >= Fraction(1, 10**20)
    (bound,) = written_numbers.bound_claims(made)
    assert Fraction("3.25") <= Fraction(bound.plus) <= Fraction("3.25001") and bound.minus == "0"
    assert Fraction(bound.curve) >= Fraction(7, 3) * Fraction(13, 12)
    assert Fraction(bound.curve) <= Fraction(7, 3) * Fraction(13, 12) * (1 + Fraction(1, 10**5))
    for value in (Fraction(1, 3), Fraction(-2, 7)):
        a, b = map(Fraction, written_numbers.decimals_of(arb(fmpq(value.numerator, value.denominator))))
        room = abs(value) / 10**11
        assert a <= value - room and value + room <= b and b - a <= 3 * room
    a, b = map(Fraction, written_numbers.decimals_of(arb(0, arb(10) ** -70)))
    assert a <= -Fraction(1, 10**60) and b >= Fraction(1, 10**60)
    assert written_numbers.decimals_of(arb(0)) == ("0", "0")


# ------------------------------------------------------------------------------------- signs and first degrees


def law(k0: int | None = 6, kind: Law = Law.ALGEBRAIC, **kept: Any) -> ParityClaim:
    return ParityClaim(kind, k0=k0, **({"low": "1", "high": "2"} | kept))


def test_all_degrees_below_the_laws_are_needed() -> None:
    """Strictly positive definite: every single degree below k0 is listed, the law begins where it says."""
    laws = [law(6), law(7)]
    small = dict.fromkeys(range(7), ("1e-3", "2e-3"))
    whole = Signs(laws, {k: small[k] for k in range(6)})
    assert (whole.positive, whole.strict, whole.offending) == (True, True, None)
    for k in range(6):
        found = Signs(laws, {j: pair for j, pair in small.items() if j != k})
        assert (found.positive, found.strict) == (None, None), k
    # a zero is listed: positive definite; an interval around zero says nothing; a negative one refutes
    for pair, positive, strict in (
        (("0", "1e-9"), True, True),
        (("-1e-9", "1e-9"), None, None),
        (("-2e-9", "-1e-9"), False, False),
        (("-1e-9", "0"), None, None),
    ):
        found = Signs(laws, small | {4: pair})
        assert (found.positive, found.strict) == (positive, strict)
        assert found.offending == (4 if positive is False else None)
    # laws of zeros, of one side, and negative ones
    zero = ParityClaim(Law.ZERO, zero_from=3)
    assert (Signs([law(6), zero], {k: small[k] for k in (0, 1, 2, 4)}).positive) is True
    assert Signs([law(6), zero], small).strict is False
    assert Signs([law(6), zero], {k: small[k] for k in (0, 2, 4)}).positive is None
    for claim in (
        law(6, Law.SMOOTH, low="0"),
        law(6, Law.OSCILLATING, low="-2"),
        law(None, Law.BOUNDED, low=None),
    ):
        assert Signs([claim, law(7)], small).positive is None
        assert Signs([claim, law(7)], small, (True, False)).positive is True
        assert Signs([claim, law(7)], small, (True, False)).strict is None
        assert Signs([claim, law(7)], small, (False, True)).positive is None
    assert Signs([law(6, Law.SMOOTH, low="0")] * 2, small, (True, True)).strict is None
    assert Signs([law(6, Law.SMOOTH, low="0")] * 2, small, (True, True), True).strict is True
    minus = law(6, low="-2", high="-1")
    assert (Signs([minus, law(7)], small).positive, Signs([minus, law(7)], small).offending) == (False, 6)
    assert Signs([law(6, Law.OSCILLATING, low="-2", high="-1"), law(7)], small).positive is None
    assert Signs([law(6, low="-2", high="0"), law(7)], small).positive is None


def test_which_degrees_a_law_covers() -> None:
    assert [covered(k, law(4)) for k in (3, 4, 5)] == [False, True, True]
    zero = ParityClaim(Law.ZERO, zero_from=4)
    assert [covered(k, zero) for k in (3, 4)] == [False, True]
    assert not covered(10, ParityClaim(Law.UNKNOWN))


# ------------------------------------------------------------------------- power series with coefficients >= 0


def multiplicity(d: int, k: int) -> int:
    if d == 2:
        return 1 if k == 0 else 2
    value = Fraction(2 * k + d - 2, d - 2)
    for i in range(1, d - 2):
        value *= Fraction(k + i, i)
    return int(value)


@pytest.mark.parametrize("d", [2, 3, 4, 7])
@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_the_bound_by_a_derivative(d: int, n: int) -> None:
    """kappa^(n)(1)/(D_n N(d+2n, k-n)): attained by u^n at k = n, and b k^(2-d-2n) for all k >= k0 at once."""
    product = 1
    for i in range(n):
        product *= d + 2 * i
    truth = lambda k: Fraction(7, product * multiplicity(d + 2 * n, k - n))
    derivatives = ((n, "7"),)
    for k in (n, n + 1, n + 6):
        assert encloses(smooth.derivative_bound(derivatives, k, d), decimal(str(truth(k))))
        both = smooth.derivative_bound((*derivatives, (n + 1, "1e30"), (n + 2, "1e-30")), k, d)
        assert high(both) <= decimal(str(truth(k))) * (1 + TINY) and (k < n + 2 or high(both) < 1e-20)
    # mu_n(u^n) = n!/D_n
    factorial = int(mp.factorial(n))
    assert encloses(
        smooth.derivative_bound(((n, str(factorial)),), n, d), eigenvalue(lambda t: (1 - t) ** n, n, d), 12
    )
    for k0 in (n + 2, n + 3, 40):
        scaled = [
            mp.mpf(k) ** (d + 2 * n - 2) * decimal(str(truth(k))) for k in (*range(k0, k0 + 9), 10**3, 10**7)
        ]
        found = high(smooth.smooth_high(derivatives, n, k0, d))
        assert max(scaled) * (1 - TINY) <= found
        # factors k/(k+c) with c < 0 fall to 1, those with c > 0 rise to 1
        shifts = (
            [] if d + 2 * n == 2 else [Fraction(d - 2, 2), *(Fraction(c) for c in range(1 - n, n + d - 2))]
        )
        product_of = Fraction(1)
        for c in shifts:
            product_of *= max(Fraction(1), k0 / (k0 + c))
        limit = scaled[-1]
        assert abs(found / (limit * decimal(str(product_of))) - 1) < mp.mpf(10) ** -4
    for parity in (0, 1):
        claim = smooth.smooth_law(derivatives, parity, d)
        assert (
            claim.k0 is not None and claim.high is not None and claim.k0 % 2 == parity and claim.k0 >= n + 2
        )
        assert claim.k0 <= n + 3 and claim.rate == 2 - d - 2 * n and claim.low == "0"
        assert decimal(claim.high) >= high(smooth.smooth_high(derivatives, n, claim.k0, d))


def test_how_many_derivatives_there_are() -> None:
    for expr, count in (
        (2 - sqrt(1 - u), 1),
        (2 * u + (1 - u) ** Rational(3, 2), 2),
        (exp(u), 13),
        (u**3, 13),
    ):
        found = smooth.derivatives_at_one(Kernel(expr))
        assert len(found) == count
        value = sympy.lambdify(u, expr, "mpmath")
        for n, x in enumerate(found[:4]):
            truth = expr.diff(u, n).subs(u, 1)
            assert encloses(x, mp.mpmathify(sympy.N(truth, 30)), 15) and value is not None
    texts = smooth.written((arb(1) / 3, arb(2)))
    assert [n for n, _ in texts] == [0, 1] and Fraction(texts[0][1]) >= Fraction(1, 3) and texts[1][1] == "2"


def strip_sum(tau: Any, k: int, d: int, digits: int = 9) -> Any:
    """sum over n >= k of one parity of n^(-1/2) e^(-2 tau sqrt(n)) mu_k(u^n)."""
    half = mp.mpf(d) / 2
    weight = mp.gamma(half) * mp.factorial(k) / mp.gamma(k + half) / mp.mpf(2) ** k
    total, n = mp.mpf(0), k
    while True:
        term = weight * mp.exp(-2 * tau * mp.sqrt(n)) / mp.sqrt(n)
        total += term
        if n > 4 * k + 100 and term < total * mp.mpf(10) ** -digits:
            return total
        weight *= mp.mpf((n + 1) * (n + 2)) / ((n - k + 2) * (n + k + d))
        n += 2


@pytest.mark.parametrize("d", [2, 3, 8])
def test_the_law_of_a_strip(d: int) -> None:
    tau = fmpq(3, 2)
    claim = stretched.CoefficientClaim(tau, "2", 3)
    c, p = stretched.exponents(tau, d)
    assert encloses(c, mp.mpf(3) / 2 * mp.mpf(3) ** (mp.mpf(2) / 3)) and encloses(
        p, mp.mpf(2) / 3 - mp.mpf(d) / 2
    )
    assert stretched.stretched_bound(claim, 2, d) is None
    for k in (3, 4, 25):
        truth = 2 * strip_sum(mp.mpf(3) / 2, k, d)
        found = stretched.stretched_bound(claim, k, d)
        assert found is not None and truth * (1 - mp.mpf(10) ** -8) <= high(found) <= truth * (
            1 + mp.mpf(10) ** -6
        )
        for k0 in (3, k):
            if k0 <= k:
                b = high(stretched.stretched_high(claim, k0, d))
                frame = mp.mpf(k) ** exact(p.mid()) * mp.exp(-exact(c.mid()) * mp.mpf(k) ** (mp.mpf(2) / 3))
                assert truth <= b * frame
    # the sum is cut where its rest is small, and the rest is there
    with mp.workdps(45):
        truth = 2 * strip_sum(mp.mpf(3) / 2, 4, d, 35)
        found = stretched.stretched_bound(claim, 4, d)
        assert found is not None and truth <= high(found) <= truth * (1 + mp.mpf(10) ** -12)
    # the parts of b: the integral around the saddle point, the largest summand, and what falls to 1
    for k0 in (3, 60):
        k = mp.mpf(k0)
        spread = mp.sqrt(2 * mp.pi / (3 * mp.cbrt(4) * mp.mpf(3) ** (mp.mpf(2) / 3) / 2))
        total = (spread + mp.cbrt(k) / (k + 1)) * (1 + 1 / k) * mp.sqrt(2 / mp.pi)
        total *= mp.exp(mp.mpf(3) / 2 / mp.sqrt(k) + 1 / (2 * (k + 1))) * 2 * mp.gamma(mp.mpf(d) / 2)
        assert bounds(stretched.stretched_high(claim, k0, d), total)
    # far out b itself
    k = stretched._SUMMED + 1
    far = stretched.stretched_bound(claim, k, d)
    frame = mp.mpf(k) ** exact(p.mid()) * mp.exp(-exact(c.mid()) * mp.mpf(k) ** (mp.mpf(2) / 3))
    assert far is not None and bounds(far, high(stretched.stretched_high(claim, k, d)) * frame)
    for parity in (0, 1):
        said = stretched.stretched_law(claim, parity, d)
        assert said.k0 == 4 - parity and said.high is not None
        assert decimal(said.high) >= high(stretched.stretched_high(claim, said.k0, d))


def test_the_coefficients_of_an_activation() -> None:
    """b_n <= D n^(-1/2) e^(-2 tau sqrt(n)) for tanh by its Hermite coefficients, and with a power of u beside it."""
    kernel = dual("tanh")
    claim = stretched.coefficient_claim(kernel.expr)
    assert claim is not None and float(claim.tau.p) / float(claim.tau.q) < 1.5708
    tau = mp.mpf(int(claim.tau.p)) / int(claim.tau.q)
    # Hermite coefficients by the trapezoidal rule, with the functions He_n/sqrt(n!) by their recurrence
    x = np.linspace(-14, 14, 20001)
    before, now, largest = np.zeros_like(x), np.ones_like(x), 0.0
    density = np.exp(-x * x / 2) / np.sqrt(2 * np.pi) * (x[1] - x[0])
    coefficients = []
    for n in range(50):
        coefficients.append(float(np.sum(np.tanh(x) * now * density)) ** 2)
        before, now = now, (x * now - np.sqrt(n) * before) / np.sqrt(n + 1)
    kappa = eigenvalues(kernel, 2, ks=[claim.start | 1], dps=8).ball(claim.start | 1)  # at least 2^(1-n) b_n
    assert high(kappa) >= coefficients[claim.start | 1] * 2.0 ** -(claim.start | 1)
    for n in range(claim.start, 50):
        largest = max(largest, coefficients[n] * n**0.5 * float(mp.exp(2 * tau * mp.sqrt(n))))
    assert 0 < largest <= decimal(claim.size)
    one, shifted = (
        stretched.found_bound(kernel.expr, claim.tau),
        stretched.found_bound(3 * u**2 * kernel.expr, claim.tau),
    )
    assert one is not None and shifted is not None
    least = one[1]
    factor = 3 * mp.exp(2 * tau / mp.sqrt(least)) * mp.sqrt(1 + mp.mpf(2) / least)
    assert bounds(shifted[0], high(one[0]) * factor) and shifted[1] == least + 2
    turned = stretched.found_bound(-3 * u**2 * kernel.expr, claim.tau)
    assert turned is not None and bounds(turned[0], high(shifted[0]))
    beside = stretched.found_bound(kernel.expr + u**40, claim.tau)
    assert beside is not None and beside[1] >= 41


# -------------------------------------------------------------------------------------------------- flat ends


def test_the_law_of_a_flat_end() -> None:
    expr = exp(-2 / (1 - u)) * cos(u)
    found = flat.flat_parts(expr)
    assert found is not None and found.a == 1
    alpha = mp.pi / 6
    height = mp.mpf(3) / 2 * mp.sin(alpha)
    assert encloses(found.angle(), alpha) and encloses(found.height(), height)
    # C s^-2 + S s >= 3 (C/2)^(1/3)... with C = 2 cos(2 alpha) 2, S = sin(alpha) k
    c_ray, slope = 4 * mp.cos(2 * alpha), mp.sin(alpha)
    least = min(c_ray / s**2 + slope * s for s in (mp.mpf(i) / 1000 for i in range(1000, 9000)))
    assert abs(exact(found.rate().mid()) / least - 1) < mp.mpf(10) ** -6
    for part, size in found.sizes():
        assert part == 1 and bounds(arb(1) * size, mp.cosh(mp.cosh(height)))
    for d in (2, 3, 5):
        q = {2: mp.mpf(1) / 2, 3: mp.mpf(1)}.get(d, mp.mpf(2) ** (mp.mpf(d - 4) / 2))
        for k in (1, 8):
            bound = flat.flat_bound(expr, k, d)
            ray = mp.mpf(3) / 2 * mp.exp(-exact(found.rate().mid()) * mp.mpf(k) ** (mp.mpf(2) / 3))
            truth = (
                amplitude(k, d) * q / mp.pi * mp.cosh(mp.cosh(height)) * (ray + mp.pi * mp.exp(-k * height))
            )
            assert bound is not None and bounds(bound, truth)
            kappa = lambda t: mp.exp(-2 / t) * mp.cos(1 - t) if t else mp.mpf(0)
            assert d > 3 or abs(eigenvalue(kappa, k, d)) <= high(bound)
        # |q_k sin(theta)| <= A_k Q e^(-ky)
        for theta in (mp.mpc("0.01", "0.02"), mp.mpc(1, "0.3"), mp.mpc("1.5", 2)):
            from test_certificate_formulas import second_kind

            here = abs(second_kind(4, d, None, mp.expj(-theta)) * mp.sin(theta))
            assert here <= amplitude(4, d) * q * mp.exp(-4 * theta.imag) * (1 + TINY)
    assert flat.flat_bound(expr, 0, 3) is None


def test_a_flat_law_begins_where_it_may() -> None:
    """b k^(1-d/2) e^(-c k^g) for all k >= k0, by the bounds of single degrees; two flat ends, powers beside."""
    for expr, rays in (
        (exp(-2 / (1 - u)), 1),
        (exp(-1 / (1 - u) - 1 / (1 + u)), 2),
        (sqrt(1 - u) * exp(-3 / (1 - u)), 1),
    ):
        found = flat.flat_parts(expr)
        assert found is not None and [n for n, _ in found.sizes()] == [rays]
        for d in (2, 3):
            claim = flat.flat_law(expr, 0, d)
            assert (
                claim is not None
                and claim.stretch is not None
                and claim.k0 is not None
                and claim.high is not None
            )
            c, g, h = decimal(claim.stretch[0]), number(found.gamma), exact(found.height().mid())
            assert c <= high(found.rate()) and c >= exact(found.rate().mid()) * (1 - mp.mpf(10) ** -10)
            k0, p = claim.k0, 1 - mp.mpf(d) / 2
            assert (
                k0 % 2 == 0
                and k0 * h >= c * mp.mpf(k0) ** g
                and (k0 == 2 or (k0 - 2) * h < c * mp.mpf(k0 - 2) ** g)
            )
            scaled = [
                high(flat.flat_bound(expr, k, d)) * mp.mpf(k) ** -p * mp.exp(c * mp.mpf(k) ** g)  # type: ignore[arg-type]
                for k in (k0, k0 + 2, 4 * k0, 400 * k0)
            ]
            b = decimal(claim.high)
            assert max(scaled) <= b * (1 + TINY) and b <= 1.5 * max(scaled)
            single, (_, most) = flat.flat_bound(expr, k0, d), found.sizes()[0]
            falls = rays * 1.5 * mp.exp(-exact(found.rate().mid()) * mp.mpf(k0) ** g) + mp.pi * mp.exp(
                -k0 * h
            )
            ahead = amplitude(k0, d) * (mp.mpf(1) / 2 if d == 2 else 1) / mp.pi * exact(most.mid())
            assert single is not None and bounds(single, ahead * falls, 1 + 1e-9)
            rough = flat.flat_high(found, decimals.number(claim.stretch[0]), k0, d)
            assert rough is not None
            q = {2: mp.mpf(1) / 2, 3: mp.mpf(1)}[d]
            (_, size), far = found.sizes()[0], mp.pi * mp.exp(c * mp.mpf(k0) ** g - k0 * h)
            assert bounds(
                rough, 2 * mp.gamma(mp.mpf(d) / 2) * q / mp.pi * exact(size.mid()) * (rays * 1.5 + far)
            )
            assert flat.flat_high(found, found.rate() * 2, k0, d) is None
    part = flat.flat_parts(sqrt(1 - u) * exp(-3 / (1 - u)))
    assert part is not None and bounds(
        part.sizes()[0][1], (1 + mp.cosh(exact(part.height().mid()))) ** 0.5, 1 + 1e-12
    )
    # a rate that is too steep at k0: exp(c k^g - k h) has to decrease from there on
    wide = flat.flat_parts(exp(-900 / (1 - u)))
    assert wide is not None
    c = (wide.rate() * fmpq(999, 1000)).mid()
    truth = [
        exact(c) * mp.mpf(2) / 3 * mp.mpf(k) ** (-mp.mpf(1) / 3) <= exact(wide.height().mid())
        for k in (2, 4000)
    ]
    assert [flat.flat_high(wide, c, k, 3) is not None for k in (2, 4000)] == truth == [False, True]


# ---------------------------------------------------------------------------------------------- entire kernels


@pytest.mark.parametrize(
    "expr",
    [
        exp(2 * u - 3),
        sin(u) * u - exp(-u),
        cosh(u) ** 2 - 3,
        exp(1 - u**2),
        sympy.erf(u),
        cos((1 - u) ** Rational(3, 2)),
    ],
)
def test_the_majorant_of_an_entire_kernel(expr: Any) -> None:
    size = entire.majorant(expr)
    assert size is not None
    value, most = sympy.lambdify(u, expr, "mpmath"), sympy.lambdify(entire.radius, size, "mpmath")
    for r in (mp.mpf(1) / 2, mp.mpf(1), mp.mpf(2)):
        found = max(abs(value(r * mp.expj(mp.pi * i / 24))) for i in range(49))
        assert found <= most(r) * (1 + TINY)
        if expr == exp(2 * u - 3):
            assert abs(most(r) / found - 1) < TINY
    for k, d in ((9, 3),):
        truth = abs(eigenvalue(lambda t: value(1 - t), k, d))
        bound = entire.entire_bound(expr, k, d)
        assert bound is not None and truth <= high(bound)
        least = min(
            most(mp.cosh(h)) * mp.cosh(h) * amplitude(k, d) * series(d, h) * mp.exp(-(k + 1) * h)
            for h in (mp.mpf(i) / 4 for i in range(1, 16))
        )
        assert 0.8 * least <= high(bound) <= 1.02 * least
        found_value = entire.entire_value(expr, k, d)
        assert found_value is not None
        assert abs(abs(exact(found_value.mid())) - truth) < mp.mpf(10) ** -12
        assert found_value.rad() <= abs(found_value.mid()) * arb(2) ** -60 or truth < 1e-20


def test_the_rest_of_a_partial_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    """M(r) r^-N/(1 - r^-2) with r fixed: r = 2 and exp(u), so that the rest is known."""
    monkeypatch.setattr(entire, "_radius", lambda bound, n: arb(2))
    monkeypatch.setattr(entire, "_LENGTH", 70)
    found = entire.entire_value(exp(u), 3, 3)
    assert found is not None
    length = 2 * 3 + 64
    assert abs(exact(found.rad()) / (mp.exp(2) * mp.mpf(2) ** -length / mp.mpf("0.75")) - 1) < 1e-6


def test_ellipses_as_a_law() -> None:
    """b = 2 Gamma(d/2) G S/rho with A_k <= 2 Gamma(d/2) k^(1-d/2); attained for d = 2."""
    bound = BoundClaim(None, "0", "0", "3", fmpq(3, 4))
    for d in (2, 3, 5):
        claim = ellipses.ellipse_law(bound, d)
        assert claim.high is not None and claim.k0 == 1 and claim.rate == 1 - Rational(d, 2)
        b, h = decimal(claim.high), mp.mpf(3) / 4
        truth = 2 * mp.gamma(mp.mpf(d) / 2) * 3 * series(d, h) * mp.exp(-h)
        assert truth <= b <= truth * (1 + mp.mpf(10) ** -9)
        for k in (1, 2, 30, 10**5):
            here = 3 * series(d, h) * amplitude(k, d) * mp.exp(-h)
            assert here <= b * mp.mpf(k) ** (1 - mp.mpf(d) / 2)
    many = [
        BoundClaim(None, "0", "0", x, h) for x, h in (("1", fmpq(1)), ("1e60", fmpq(2)), ("1e20", fmpq(3, 2)))
    ]
    assert ellipses.widest(many, 3) == many[2]  # e^-101 against 10^60 e^-202 and 10^20 e^-151.5
    assert ellipses.widest([replace(many[0], beta=S.One)], 3) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    "expr", [exp(u), exp(2 * u) - exp(u) / 3, exp(u**2), cosh(sqrt(u + 2)), u**3 * exp(u)]
)
def test_the_law_of_an_entire_kernel(expr: Any) -> None:
    """low F(k) <= mu_k <= high F(k) from the tail on, and down to k0; the constants are near to the truth."""
    value = sympy.lambdify(u, expr, "mpmath")
    for parity in (0, 1):
        if expr == exp(u**2) and parity:
            continue
        claim = exponential.exponential_law(expr, parity, 3, fmpq(1, 20))
        assert (
            claim is not None and claim.tail is not None and claim.k0 is not None and claim.frame is not None
        )
        assert claim.k0 % 2 == parity and claim.low is not None and claim.high is not None
        tail = exponential.exponential_tail(exponential.exponential_sum(expr), claim.tail, 3)  # type: ignore[arg-type]
        assert tail is not None
        from test_constants_of_laws import lead

        ratios = {}
        with mp.workdps(90):
            for k in (claim.k0, claim.tail, claim.tail + 10):
                frame = mp.gamma(1.5) / mp.mpf(2) ** k / mp.gamma(k + mp.mpf(3) / 2) * lead(claim.frame, k)
                ratios[k] = eigenvalue(lambda t: value(1 - t), k, 3, (1.5,)) / frame
        for k, ratio in ratios.items():
            assert decimal(claim.low) <= ratio <= decimal(claim.high)
            assert k < claim.tail or low(tail.low) <= ratio <= high(tail.high)
        part, c = tail.part, abs(inner_number(tail.part.constant))
        rest = part.rest(claim.tail)
        assert rest is not None
        sizes = [c * (1 + sign * high(rest)) for sign in (-1, 1)]
        sums = [low(part.at_least(claim.tail, 3)), high(part.later(claim.tail, 3))]
        assert abs(low(tail.low) / (sizes[0] * sums[0]) - 1) < TINY
        assert abs(high(tail.high) / (sizes[1] * sums[1]) - 1) < TINY
        assert high(tail.high) <= 1.2 * ratios[claim.tail] and low(tail.low) >= 0.8 * ratios[claim.tail + 10]
        step = exponential.step_of(tail, 3)
        frames = [
            lead(claim.frame, k) / mp.mpf(2) ** k / mp.gamma(k + mp.mpf(3) / 2)
            for k in (claim.tail, claim.tail + 2)
        ]
        assert frames[1] / frames[0] <= high(step) * (1 + TINY) and high(step) <= 2 * frames[1] / frames[0]
        for worse in (
            replace(claim, low=decimals.up(decimals.number(claim.low) * fmpq(11, 10))),
            replace(claim, high=decimals.down(decimals.number(claim.high) * fmpq(9, 10))),
            replace(claim, tail=claim.tail + 1),
        ):
            assert not exponential.is_exponential_law(expr, worse, parity, 3, 192)
        assert exponential.is_exponential_law(expr, claim, parity, 3, 192)


# ------------------------------------------------------------------------------------ the terms of both ends


def claims_of(
    d: int,
    terms: dict[Any, str],
    betas: Any = "5",
    sizes: Any = ("0", "0", "0"),
    h: fmpq = _TWO,
    **kept: Any,
) -> Claims:
    """Claims with terms at +1 alone, (exponent, log power) -> coefficient."""
    made = tuple(TermClaim(1, sympy.sympify(e), j, c, c) for (e, j), c in terms.items())
    bound = BoundClaim(None if betas is None else sympy.sympify(betas), *sizes, h)
    return Claims(d, made, (bound,), **kept)


def law_at(k: int, d: int, nu: Any, j: int = 0) -> Any:
    """mu_k of t^nu (log t)^j."""

    def f(e: Any) -> Any:
        size = (
            mp.power(2, e + d - 2) * mp.gamma(mp.mpf(d) / 2) * mp.gamma(e + mp.mpf(d - 1) / 2) * mp.rgamma(-e)
        )
        return size / mp.sqrt(mp.pi) * mp.exp(mp.loggamma(k - e) - mp.loggamma(k + e + d - 1))

    if j == 0:
        return f(nu)
    with mp.workdps(60):
        return mp.diff(f, nu, j)


LATER = (0, 2, 4, 10, 50, 400, 10**5)


@pytest.mark.parametrize(("d", "nu"), [(2, "-1/4"), (2, "1/2"), (3, "1/2"), (3, "5/2"), (9, "1/3")])
@pytest.mark.parametrize("k", [12, 50])
def test_the_tail_of_a_term(d: int, nu: str, k: int) -> None:
    """low <= |mu_j| j^(2m) <= high for all j >= k: the extremes are the value at k and the limit."""
    e = number(nu)
    claims = claims_of(d, {(nu, 0): "-3"})
    tail = tails.tail_at(claims, k, 0, Lead(sympy.sympify(nu)))
    assert tail is not None and tail.positive is (law_at(k, d, e) < 0)
    scaled = [abs(3 * law_at(k + i, d, e)) * mp.mpf(k + i) ** (2 * e + d - 1) for i in LATER]
    assert low(tail.low) * (1 - TINY) <= min(scaled) and max(scaled) <= high(tail.high) * (1 + TINY)
    m, middle = e + mp.mpf(d - 1) / 2, k + mp.mpf(d - 2) / 2
    g = middle ** (2 * m) * mp.gamma(k - e) / mp.gamma(k + e + d - 1)
    constant = abs(3 * law_at(k, d, e)) / mp.gamma(k - e) * mp.gamma(k + e + d - 1)
    assert abs(low(tail.low) / (constant * (k / middle) ** (2 * m) * min(1, g)) - 1) < TINY
    assert abs(high(tail.high) / (constant * max(1, g)) - 1) < TINY
    assert encloses(tail.constant, constant) and tail.rest == 0 and tail.start == k


@pytest.mark.parametrize("d", [2, 3, 6])
def test_the_rest_of_a_tail(d: int) -> None:
    """delta = (later terms + (B_+ + B_-) T + G S A_k e^(-(k+1)h))/lead, and the law holds with signs against it."""
    k, h = 40, mp.mpf(1)
    claims = claims_of(d, {("1/2", 0): "1", ("3/2", 0): "2"}, "5/2", ("3", "4", "5"), fmpq(1))
    tail = tails.tail_at(claims, k, 0, Lead(S.Half))
    assert tail is not None
    lead = abs(law_at(k, d, mp.mpf(1) / 2))
    error = 7 * moment(mp.mpf("2.5"), k, d) + 5 * amplitude(k, d) * series(d, h) * mp.exp(-(k + 1) * h)
    later = abs(2 * law_at(k, d, mp.mpf("1.5")))
    assert encloses(tail.rest, (later + error) / lead, 9)
    assert encloses(tail.width, error / lead / (1 - later / lead), 9)
    for i in LATER:
        j = k + i
        size = mp.mpf(j) ** d * abs(law_at(j, d, mp.mpf(1) / 2))
        off = mp.mpf(j) ** d * (
            abs(2 * law_at(j, d, mp.mpf("1.5")))
            + 7 * moment(mp.mpf("2.5"), j, d)
            + 5 * amplitude(j, d) * series(d, h) * mp.exp(-(j + 1) * h)
        )
        assert low(tail.low) * (1 - TINY) <= size - off and size + off <= high(tail.high) * (1 + TINY)
    part = claims.part(k, 0, Lead(S.Half))
    assert part is not None and encloses(part.error, error, 9) and encloses(part.size_of_later, later, 15)
    assert encloses(part.lead, law_at(k, d, mp.mpf(1) / 2), 15) and encloses(
        part.later, 2 * law_at(k, d, mp.mpf("1.5")), 15
    )


def test_where_a_tail_may_begin() -> None:
    """k > beta; the curve falls against the lead, (k+nu+d-1)/(k-nu) e^-h < 1; the rest is at most half."""
    lead = Lead(S.Half)
    claims = claims_of(3, {("1/2", 0): "1"}, "4", ("0", "0", "1e-40"), fmpq(1, 8))
    begins = [k for k in range(1, 60) if tails.tail_at(claims, k, 0, lead) is not None]
    truth = [
        k for k in range(5, 60) if (k + mp.mpf("2.5")) / (k - mp.mpf("0.5")) * mp.exp(-mp.mpf(1) / 8) < 1
    ]
    assert begins == truth and truth[0] > 20
    for share, fine in (("0.49", True), ("0.51", False)):
        size = decimal(share) * abs(law_at(30, 3, mp.mpf(1) / 2)) / moment(mp.mpf(4), 30, 3)
        beside = claims_of(3, {("1/2", 0): "1"}, "4", (mp.nstr(size, 15), "0", "0"))
        assert (tails.tail_at(beside, 30, 0, lead) is not None) is fine
    assert [claims.part(k, 0, lead) is not None for k in (3, 4, 5)] == [False, False, True]
    assert [claims.enclosure(k, lead) is not None for k in (4, 5)] == [False, True]
    # what lies before the lead cancels exactly, what lies beyond beta is in the bound
    many = claims_of(3, {("1/2", 0): "1", ("3/2", 0): "1", ("5/2", 0): "1"}, "5/2")
    part = many.part(9, 0, Lead(Rational(3, 2)))
    assert part is not None and part.later == 0 and encloses(part.lead, law_at(9, 3, mp.mpf("1.5")), 15)


def test_the_law_of_a_parity_reaches_down() -> None:
    """From k0 on every degree lies between a and b, k0 of the parity; with the signs of both ends."""
    terms = (TermClaim(1, S.Half, 0, "-2", "-2"), TermClaim(-1, S.Half, 0, "-1", "-1"))
    claims = Claims(3, terms, (BoundClaim(Rational(7, 2), "1", "1", "2", fmpq(3, 2)),))
    for parity in (0, 1):
        found = tails.law_of(claims, parity, Lead(S.Half), fmpq(1, 20))
        assert (
            found.k0 is not None
            and found.tail is not None
            and found.low is not None
            and found.high is not None
        )
        assert found.k0 % 2 == parity and found.tail % 2 == parity and found.rate == -3
        for k in (*range(found.k0, found.k0 + 40, 2), 1000 + parity):
            middle = -(3 - 2 * parity) * law_at(k, 3, mp.mpf(1) / 2)
            error = 2 * moment(mp.mpf("3.5"), k, 3) + 2 * amplitude(k, 3) * series(3, mp.mpf("1.5")) * mp.exp(
                -(k + 1) * 1.5
            )
            assert decimal(found.low) <= (middle - error) * mp.mpf(k) ** 3
            assert (middle + error) * mp.mpf(k) ** 3 <= decimal(found.high)
        k = found.k0 - 2
        error = (
            2 * moment(mp.mpf("3.5"), k, 3)
            + 2 * amplitude(k, 3) * series(3, mp.mpf("1.5")) * mp.exp(-(k + 1) * 1.5)
            if k > 3.5
            else 1
        )
        assert k <= 3 or error > abs((3 - 2 * parity) * law_at(k, 3, mp.mpf(1) / 2)) / 20


@pytest.mark.parametrize(("nu", "logs"), [("1/2", 1), ("1/2", 2), ("1", 2), ("0", 1), ("0", 2)])
def test_the_range_of_leading_logarithms(nu: str, logs: int) -> None:
    """|lead of mu_j| in Q G(nu, j) (x_j/x_k)^q and (x_j/(x_k log j))^q in L for all j >= k."""
    e, d, k = number(nu), 3, 40
    coefficients = {(nu, j): str(c) for j, c in zip(range(logs + 1), ("5", "-2", "1"), strict=False)}
    claims = claims_of(d, coefficients)
    lead = Lead(sympy.sympify(nu), logs)
    found = logarithms.leading_range(claims, k, lead)
    assert found is not None
    q = lead.log_power
    x = lambda j: mp.psi(0, j - e) + mp.psi(0, j + e + d - 1)
    shares, ratios = [], []
    for i in LATER:
        j = k + i
        shift = mp.mpf(10) ** -25 if e == int(e) else 0
        value = mp.mpf(0)
        for (_, power), c in coefficients.items():
            if e == int(e):  # the derivatives of 1/Gamma(-nu), which vanishes there
                with mp.workdps(80):
                    value += decimal(c) * mp.diff(
                        lambda y, j=j: (
                            mp.power(2, y + d - 2)
                            * mp.gamma(1.5)
                            * mp.gamma(y + 1)
                            * mp.rgamma(-y)
                            / mp.sqrt(mp.pi)
                            * mp.exp(mp.loggamma(j - y) - mp.loggamma(j + y + d - 1))
                        ),
                        e,
                        power,
                    )
            else:
                value += decimal(c) * law_at(j, d, e + shift, power)
        ratio = mp.exp(mp.loggamma(j - e) - mp.loggamma(j + e + d - 1))
        shares.append(abs(value) / ratio / (x(j) / x(k)) ** q)
        ratios.append((x(j) / x(k) / mp.log(j)) ** q)
    size, logs_range = found
    assert all(
        low(size) * (1 - mp.mpf(10) ** -12) <= y <= high(size) * (1 + mp.mpf(10) ** -12) for y in shares
    )
    assert all(low(logs_range) * (1 - TINY) <= y <= high(logs_range) * (1 + TINY) for y in ratios)
    # no waste: at k itself, and at the limit
    assert high(size) <= 4 * max(shares) and low(size) >= 0.2 * min(shares)
    if q == logs == 1:  # a linear function of 1/x, on all of its interval
        assert high(size) <= 1.001 * max(shares) and low(size) >= 0.9 * min(shares)
    assert abs(high(logs_range) / max(ratios) - 1) < 0.03
    limit = (2 / x(k)) ** q
    assert low(logs_range) <= limit * (1 + TINY) and low(logs_range) >= 0.97 * min(limit, *ratios)


@pytest.mark.parametrize(("nu", "d", "top"), [("1/2", 3, 3), ("-1/4", 2, 3), ("1", 5, 3), ("1/2", 3, 10)])
def test_the_parts_of_that_range(nu: str, d: int, top: int) -> None:
    """D_n with E_i between 0 and its value at k, and x_j/log j by four functions that tend to 0."""
    e, k = number(nu), 6
    powers = {0: "5", 1: "-2", 2: "1", top: "7"}
    claims = claims_of(d, {(nu, j): c for j, c in powers.items()})
    lead = Lead(sympy.sympify(nu), top)
    q = lead.log_power
    found = logarithms._in_inverse(claims.leading(0, lead), lead, k, d)
    scale = mp.gamma(mp.mpf(d) / 2) / mp.sqrt(mp.pi)
    m = mp.taylor(
        lambda y: mp.power(2, y + d - 2) * mp.gamma(y + mp.mpf(d - 1) / 2) * mp.rgamma(-y) * scale, e, top
    )
    for j in (k, k + 2, 40 * k):
        a, b = j - e, j + e + d - 1
        x = mp.psi(0, a) + mp.psi(0, b)
        ratio = mp.taylor(
            lambda y: mp.exp(
                mp.loggamma(a - y) - mp.loggamma(a) - mp.loggamma(b + y) + mp.loggamma(b) + x * y
            ),
            0,
            top,
        )
        for n in range(q + 1):
            truth = mp.fsum(
                ratio[i] * mp.factorial(p) * decimal(c) * m[p - n - i]
                for i in range(top - n + 1)
                for p, c in powers.items()
                if p >= n + i and not (e == int(e) and p == n + i)
            )
            truth *= (-1) ** (q - n) / mp.factorial(n)
            assert low(found[q - n]) - mp.mpf(10) ** -9 <= truth <= high(found[q - n]) + mp.mpf(10) ** -9
            # one of the ends is attained at k, or both ends are the same
            wide = high(found[q - n]) - low(found[q - n])
            near = min(abs(truth - low(found[q - n])), abs(truth - high(found[q - n])))
            assert j > k or near <= 0.5 * wide + mp.mpf(10) ** -9
    simple = claims_of(d, {(nu, 1 + (e == int(e))): "1"})
    one = Lead(sympy.sympify(nu), 1 + (e == int(e)))
    for k in (2, 3, 6, 90):
        a, b, log = k - e, k + e + d - 1, mp.log(k)
        x = mp.psi(0, a) + mp.psi(0, b)
        ranges = logarithms.leading_range(simple, k, one) if x > 0 else None
        if ranges is not None:
            rooms = (mp.psi(0, a) - mp.log(a), mp.psi(0, b) - mp.log(b))
            parts = [mp.log(1 - e / k), mp.log(1 + (e + d - 1) / k), *rooms]
            least, most = (2 + mp.fsum(f(0, y) for y in parts) / log for f in (min, max))
            assert 0.85 * least <= low(ranges[1]) * x <= least * (1 + mp.mpf(10) ** -9)
            assert most * (1 - mp.mpf(10) ** -9) <= high(ranges[1]) * x <= 1.15 * most


@pytest.mark.parametrize(
    ("nu", "e"), [(None, "1/2"), ("1/2", "1"), ("1/2", "7/4"), ("1/2", "3/4"), (None, "-1/2"), (None, "-7/8")]
)
def test_the_size_of_a_term_with_logarithms(nu: Any, e: str) -> None:
    """A bound at k whose quotient with the lead, or with T(e - a), decreases: so it bounds all later terms."""
    d, k, value = 3, 30, number(e)
    claims = claims_of(d, {(e, 0): "3", (e, 1): "-5", (e, 2): "2"}, "9")
    lead = None if nu is None else Lead(sympy.sympify(nu))
    powers = tuple((j, (c, c)) for j, c in ((0, "3"), (1, "-5"), (2, "2")))
    found = claims._size(k, sympy.sympify(e), powers, lead)
    apart = value + 1 if lead is None else value - number(nu)
    a = min(apart / 2, mp.mpf(1) / 4)
    around = moment(value - a, k, d) + moment(value + a, k, d)
    weights = [
        sum(mp.binomial(j, m) * mp.pi ** (j - m) * ((m / (a * mp.e)) ** m if m else 1) for m in range(j + 1))
        for j in range(3)
    ]
    assert bounds(found, around * (3 * weights[0] + 5 * weights[1] + 2 * weights[2]))
    for i in LATER[:6]:
        j = k + i
        fall = (moment(value - a, j, d) + moment(value + a, j, d)) / around
        if value == int(value):
            continue
        truth = abs(3 * law_at(j, d, value) - 5 * law_at(j, d, value, 1) + 2 * law_at(j, d, value, 2))
        assert truth <= high(found) * fall
    if lead is not None:
        quotients = [(moment(value - a, j, d)) / moment(number(nu), j, d) for j in (30, 31, 90)]
        assert quotients == sorted(quotients, reverse=True)
    else:
        assert encloses(claims.slowest(sympy.sympify(e)), value - min((value + 1) / 2, mp.mpf(1) / 4))
        # a leading term with a logarithm may vanish at k: its bound does not
        size = claims.size_of_lead(k, Lead(sympy.sympify(e), 2))
        assert bounds(size, high(found))


def test_a_lead_without_logarithms_is_its_own_bound() -> None:
    claims = claims_of(3, {("1/2", 0): "3"}, "9")
    assert encloses(claims.slowest(S.Half), mp.mpf(1) / 2)
    assert encloses(claims.size_of_lead(20, Lead(S.Half)), abs(3 * law_at(20, 3, mp.mpf(1) / 2)), 15)


def test_sums_of_intervals_are_exact() -> None:
    terms = (TermClaim(1, S.Half, 0, "1", "2"), TermClaim(-1, S.Half, 0, "10", "30"))
    claims = Claims(3, terms, (BoundClaim(S(4), "0", "0", "0", fmpq(1)),))
    for parity, ends in ((0, (11, 32)), (1, (-29, -8))):
        found = claims.leading(parity, Lead(S.Half))[0]
        assert ends[0] - 1e-6 < low(found) <= ends[0] and ends[1] <= high(found) < ends[1] + 1e-6
    wide = claims.enclosure(12, Lead(S.Half))
    assert wide is not None
    scale = law_at(12, 3, mp.mpf(1) / 2)
    assert abs(low(wide) / (32 * scale) - 1) < 1e-6 and abs(high(wide) / (11 * scale) - 1) < 1e-6


# ----------------------------------------------------------------------------------------------- terms beyond


@pytest.mark.parametrize(("place", "nu", "d"), [("5/4", "-1", 3), ("2", "1/2", 2), ("11/10", "3/2", 5)])
def test_the_tail_of_a_term_outside(place: str, nu: str, d: int) -> None:
    """low <= |mu_j| rho^j j^(nu+d/2) <= high; the curve falls against r^j."""
    b, e, k = number(place), number(nu), 60
    rho, half = b + mp.sqrt(b * b - 1), mp.mpf(d) / 2
    height = fmpq(3)
    claims = claims_of(d, {(nu, 0): "2"}, None, ("0", "0", "1"), height, place=sympy.sympify(place))
    tail = tails.tail_at(claims, k, 0, Lead(sympy.sympify(nu)))
    assert tail is not None
    r = 1 / rho

    def scaled(j: int) -> Any:
        shape = mp.hyp2f1(e + half, 1 - e - half, j + half, -r * r / (1 - r * r))
        frame = (2 * r) ** -e * (1 - r * r) ** (e + half - 1) * mp.gamma(half) * abs(mp.rgamma(-e))
        gammas = mp.exp(mp.loggamma(j - e) - mp.loggamma(j + half))
        error = amplitude(j, d) * series(d, mp.mpf(3)) * mp.exp(-(j + 1) * 3) * rho**j
        value = 2 * frame * shape * gammas
        return [x * mp.mpf(j) ** (e + half) for x in (value - error, value + error)]

    values = [x for i in LATER[:6] for x in scaled(k + i)]
    assert low(tail.low) <= min(values) and max(values) <= high(tail.high)
    assert low(tail.low) >= 0.6 * min(values) and high(tail.high) <= 1.6 * max(values)
    # rho (k+1)/(k-nu) e^-h < 1
    near = fmpq(int(mp.ceil((mp.log(rho) + mp.mpf(1) / 20) * 4096)), 4096)
    beside = claims_of(d, {(nu, 0): "2"}, None, ("0", "0", "1e-60"), near, place=sympy.sympify(place))
    h = mp.mpf(int(near.p)) / int(near.q)
    for j in range(20, 120, 3):
        said = tails.tail_at(beside, j, 0, Lead(sympy.sympify(nu))) is not None
        assert not said or rho * (j + 1) / (j - e) * mp.exp(-h) < 1
    assert tails.tail_at(beside, 400, 0, Lead(sympy.sympify(nu))) is not None
    scaled_value = claims.scaled(arb(3), 7)
    assert encloses(scaled_value, 3 * rho**7)


@pytest.mark.parametrize(("place", "nu", "d"), [("5/4", "-1", 3), ("11/10", "1/2", 5)])
def test_the_rest_of_a_tail_outside(place: str, nu: str, d: int) -> None:
    """spread + (later terms + (B_+ + B_-) T_b + curve) (1 + e)/(1 - e)/frame, e the largest of the other spreads."""
    b, e, k = number(place), number(nu), 60
    rho, half, later, beta = b + mp.sqrt(b * b - 1), mp.mpf(d) / 2, number(nu) + 1, number(nu) + 2
    r, later = 1 / rho, later + mp.mpf(1) / 3
    terms = {(nu, 0): "2", (str(Rational(nu) + Rational(4, 3)), 0): "-3"}
    claims = claims_of(
        d, terms, str(Rational(nu) + 2), ("1/5", "1/7", "2"), fmpq(2), place=sympy.sympify(place)
    )
    tail = tails.tail_at(claims, k, 0, Lead(sympy.sympify(nu)))
    assert tail is not None

    def size(x: Any, j: int, slit: bool = False) -> Any:
        shape = mp.hyp2f1(x + half, 1 - x - half, j + half, -r * r / (1 - r * r))
        outer_factor = mp.gamma(1 + x) / mp.pi if slit else abs(mp.rgamma(-x))
        frame = (2 * r) ** -x * (1 - r * r) ** (x + half - 1) * mp.gamma(half) * outer_factor
        return frame * shape * mp.exp(mp.loggamma(j - x) - mp.loggamma(j + half))  # times rho^j

    spreads = [high(point_terms.outer_spread(k, d, arb(str(b)), arb(str(x)))) for x in (e, later, beta)]
    curve = 2 * amplitude(k, d) * series(d, mp.mpf(2)) * mp.exp(-mp.mpf(2) * (k + 1)) * rho**k
    other = 3 * size(later, k) + mp.mpf(12) / 35 * size(beta, k, True) + curve
    worst = max(spreads[1:])
    rest = spreads[0] + other * (1 + worst) / (1 - worst) / (2 * size(e, k) / (1 + spreads[0]))
    assert bounds(tail.rest, rest, 1 + 1e-9)
    for j in (k, k + 2, 3 * k, 50 * k):
        beside = 3 * size(later, j) + mp.mpf(12) / 35 * size(beta, j, True)
        for sign in (-1, 1):
            value = (2 * size(e, j) + sign * beside) * mp.mpf(j) ** (e + half)
            assert low(tail.low) <= value <= high(tail.high)
    s, middle = e + half, k + (half - e - 1) / 2
    gammas = middle**s * mp.exp(mp.loggamma(k - e) - mp.loggamma(k + half))
    bare = 2 * size(e, k) / (mp.exp(mp.loggamma(k - e) - mp.loggamma(k + half)))
    ends = [f(gammas, 1) * f((k / middle) ** s, 1) for f in (min, max)]
    assert abs(low(tail.low) / (bare / (1 + spreads[0]) * (1 - rest) * ends[0]) - 1) < 1e-9
    assert abs(high(tail.high) / (bare / (1 - spreads[0]) * (1 + rest) * ends[1]) - 1) < 1e-9


def test_a_contour_that_is_stretched() -> None:
    """B b^-beta, b G and h' = asinh(b sinh h) rounded down."""
    made = core.Core(
        u, (None, None), (), (core.Bound(Rational(5, 2), arb(3), arb(5), arb(7), fmpq(9, 8)),), core.USUAL
    )
    (bound,) = outer._stretched(made, arb(fmpq(5, 4)), fmpq(1, 12))
    b = mp.mpf(5) / 4
    for text, truth in (
        (bound.plus, 3 * b ** mp.mpf("-2.5")),
        (bound.minus, 5 * b ** mp.mpf("-2.5")),
        (bound.curve, 7 * b),
    ):
        assert truth * 13 / 12 <= decimal(text) <= truth * 13 / 12 * (1 + mp.mpf(10) ** -4)
    h = mp.asinh(b * mp.sinh(mp.mpf(9) / 8))
    assert h - mp.mpf(1) / 4000 <= mp.mpf(int(bound.height.p)) / int(bound.height.q) <= h


@pytest.mark.parametrize(
    ("expr", "terms"),
    [
        (3 / (2 - u), {(1, -1, 0): 3}),
        (3 / (4 - 2 * u) ** 2, {(1, -2, 0): Rational(3, 4)}),
        (sqrt(10 - 5 * u), {(1, S.Half, 0): sqrt(5)}),
        (-sympy.log(2 - u) + 1 / (2 + u), {(1, 0, 1): -1, (-1, -1, 0): 1}),
        (exp(u) / (2 - u), {(1, -1, 0): exp(2)}),
    ],
)
def test_terms_outside_are_those_of_the_kernel(expr: Any, terms: dict[Any, Any]) -> None:
    found = outer.outside(Kernel(expr), 4)
    assert found is not None and found.place == 2
    mine = {(t.at, number(t.exponent), t.log_power): (decimal(t.low), decimal(t.high)) for t in found.terms}
    for (at, e, j), c in terms.items():
        a, b = mine[at, number(e), j]
        c = mp.mpmathify(sympy.N(c, 40))
        assert a - TINY <= c <= b + TINY and b - a <= abs(c) * mp.mpf(10) ** -15
    for bound in found.bounds:
        assert decimal(bound.curve) > 0 or not expr.has(exp)


def test_the_bound_of_poles_and_arcs() -> None:
    """sup over j >= k of what terms, arcs and curve add to |mu_j| rho^j j^(nu+d/2), by brute force."""
    near = poles.PoleClaim(sympy.I, Rational(1, 2), 0, ("1", "1"), ("2", "2"))
    far = poles.PoleClaim(S(3), S.NegativeOne, 0, ("5", "5"), ("0", "0"))
    arc = poles.ArcClaim(sympy.I, Rational(5, 2), "7", fmpq(3, 2))
    made = poles.Poles((near, far), (arc,))
    bound = BoundClaim(None, "0", "0", "9", fmpq(3, 2))
    assert made.nearest == [near] and made.nu == Rational(1, 2)
    rho = 1 + mp.sqrt(2)
    for d in (2, 3, 6):
        half = mp.mpf(d) / 2

        def frame(z: Any, e: Any, half: Any = half) -> Any:
            r = 1 / (z + mp.sqrt(z - 1) * mp.sqrt(z + 1))
            return abs(2 * r) ** -e * abs(1 - r * r) ** (e + half - 1) * mp.gamma(half) * abs(
                mp.rgamma(-e)
            ), abs(r)

        def at(j: int, d: int = d, half: Any = half, frame: Any = frame) -> Any:
            total = mp.mpf(0)
            for z, e, c in ((mp.mpc(0, 1), mp.mpf("0.5"), 2 * mp.sqrt(5)), (mp.mpf(3), mp.mpf(-1), 5)):
                size, r = frame(z, e)
                total += c * size * (r * rho) ** j * mp.exp(mp.loggamma(j - e) - mp.loggamma(j + half))
            y = mp.log(rho)
            rest = 7 / mp.pi * 2 * series(d, y) * mp.cosh(1.5) ** mp.mpf("3.5") * mp.gamma("3.5")
            total += rest * amplitude(j, d) / rho / mp.mpf(j + 1) ** mp.mpf("3.5")
            total += (
                9 * series(d, mp.mpf(3) / 2) * amplitude(j, d) * mp.exp(-(j + 1) * mp.mpf(3) / 2) * rho**j
            )
            return total * mp.mpf(j) ** (mp.mpf(1) / 2 + half)

        k = 30
        truth = max(at(k + i) for i in (*range(12), 100, 1000))
        found = made.bound_at(k, d, bound)
        assert found is not None and truth <= high(found) <= 1.25 * truth
        # a far pole that outweighs all others at k, and falls
        vast = poles.Poles((near, replace(far, real=("5e12", "5e12"))))
        size, r_far = frame(mp.mpf(3), mp.mpf(-1))
        vast_found = vast.bound_at(k, d, bound)
        gammas = mp.exp(mp.loggamma(k + 1) - mp.loggamma(k + half))
        truth = 5e12 * size * (r_far * rho) ** k * gammas * mp.mpf(k) ** (mp.mpf(1) / 2 + half)
        assert vast_found is not None and truth <= high(vast_found) <= 1.5 * truth + high(found)
        # each part alone
        for alone in (poles.Poles((near,)), poles.Poles((near,), (replace(arc, size="0"),))):
            fewer = alone.bound_at(k, d, replace(bound, curve="0"))
            assert fewer is not None and high(fewer) < high(found)
    assert (
        made.enclosure(1, 3) is not None
        and poles.Poles((replace(near, exponent=S(4)),)).enclosure(4, 3) is None
    )
    assert poles.Poles((replace(near, exponent=S(4)),)).bound_at(4, 3, bound) is None
    # the curve has to fall against rho^-j, the far pole too
    assert made.bound_at(30, 3, replace(bound, height=fmpq(7, 8))) is None
    claim = poles.PoleClaim.of(poles.Pole(S(2), S.Half, 0, acb(arb(1) / 3, arb(1) / 7)))
    assert Fraction(claim.real[0]) < Fraction(1, 3) < Fraction(claim.real[1]) and claim.imaginary == (
        "0",
        "0",
    )
    written = poles.ArcClaim.of(poles.Arc(S(2), S.One, arb(1) / 3, fmpq(1)), fmpq(1, 12))
    assert (
        Fraction(1, 3) * Fraction(13, 12)
        <= Fraction(written.size)
        <= Fraction(1, 3) * Fraction(13, 12) * Fraction(10001, 10000)
    )


# ---------------------------------------------------------------------------------------------- points inside


@pytest.mark.parametrize("nu", ["-3/4", "0", "1/2", "3", "-1"])
def test_the_supremum_of_a_gamma_ratio(nu: str) -> None:
    e = number(nu)
    for d in (2, 3, 9):
        half = mp.mpf(d) / 2
        for k in (5, 40):
            value = lambda j, e=e, half=half: (
                mp.mpf(j) ** (e + half) * mp.exp(mp.loggamma(j - e) - mp.loggamma(j + half))
            )
            truth = max(value(k + i) for i in (*range(20), 1000, 10**7))
            found = inner.supremum(k, arb(fmpq(int(Rational(nu).p), int(Rational(nu).q))), arb(fmpq(d, 2)))
            assert truth * (1 - mp.mpf(10) ** -5) <= high(found) <= 1.6 * truth
            s, middle = e + half, k + (half - e - 1) / 2
            gammas = middle**s * mp.gamma(k - e) / mp.gamma(k + half)
            assert bounds(found, max(gammas, mp.mpf(1)) * max((k / middle) ** s, mp.mpf(1)))


def test_the_supremum_of_the_curve() -> None:
    for d, h, s in ((2, fmpq(1, 4), 2), (3, fmpq(1), 4), (7, fmpq(1, 2), 3)):
        height = mp.mpf(int(h.p)) / int(h.q)
        size = 5 * series(d, height)
        value = lambda j, d=d, y=height, s=s, size=size: (
            size * amplitude(j, d) * mp.exp(-(j + 1) * y) * mp.mpf(j) ** s
        )
        falls = []
        for k in range(2, 40):
            found = inner._curve(arb(5), arb(h), k, d, arb(s))
            if found is not None:
                falls.append(k)
                assert bounds(found, value(k), 1 + 1e-9) and value(k + 1) < value(k)
        first = next(k for k in range(2, 60) if all(value(j + 1) < value(j) for j in range(k, 80)))
        assert falls and first <= falls[0] <= first + 6
    assert inner._curve(arb(0), arb(1), 2, 3, arb(40)) == 0


def points(log_power: int = 0) -> inner.Points:
    third = Rational(1, 3)
    terms = (InnerTerm(third, S.One, 1, S(2)), InnerTerm(third, S(2), 1, S(3), log_power))
    return inner.Points(terms, (inner.RestClaim(third, S.One, 3, "11", fmpq(1, 2), log_power),))


@pytest.mark.parametrize("log_power", [0, 1])
@pytest.mark.parametrize("d", [2, 3, 6])
def test_what_points_inside_add_from_a_degree_on(d: int, log_power: int) -> None:
    """sup |mu_j| j^(nu+d/2) (log j)^-q over j >= k of terms and of the line, each by brute force."""
    made, k, half = points(log_power), 60, mp.mpf(d) / 2
    assert made.nu == 1 and made.log_power == 0

    def at(j: int) -> Any:
        total = mp.mpf(0)
        for (location, e), powers in made.groups.items():
            p = inner_sizes.inner_size(k, d, location, e, powers)
            assert p is not None
            size = sum(high(p[i]) * mp.log(j) ** i for i in range(len(p)))
            total += size * mp.exp(mp.loggamma(j - number(e)) - mp.loggamma(j + half))
        total += high(rest_bound(made.rests[0].numbers(), j, d))
        return total * mp.mpf(j) ** (1 + half)

    found = made.bound_at(k, d)
    assert found is not None
    truth = max(at(j) for j in (k, k + 1, k + 7, 3 * k, 20 * k, 10**4))
    assert truth * (1 - TINY) <= high(found) <= 1.12 * truth
    without = inner.Points(made.terms, ()).bound_at(k, d)
    assert without is not None
    bare = high(rest_bound(made.rests[0].numbers(), k, d)) * mp.mpf(k) ** (1 + half)
    assert bare * (1 - TINY) <= high(found) - high(without) <= 1.2 * bare
    claim = inner.RestClaim.of(made.rests[0].numbers(), fmpq(1, 12))
    assert Fraction(claim.size) >= Fraction(11 * 13, 12)
    assert made.enclosure(2, d) is None and made.enclosure(3, d) is not None


def test_powers_of_logarithms_fall_from_where_they_are_bounded() -> None:
    """j^(nu-beta) (log j)^p falls where p < (beta-nu) log j; terms with logarithms that lead later as well."""
    third = Rational(1, 3)
    rest = inner.RestClaim(third, Rational(-3, 4), 2, "11", fmpq(1, 2), 1)
    made = inner.Points((InnerTerm(third, S.One, 1, S(2)),), (rest,))
    assert [made.bound_at(k, 3) is not None for k in (40, 54, 55, 70)] == [False, False, True, True]
    terms = (InnerTerm(third, S.One, 1, S(2)), InnerTerm(third, Rational(6, 5), 1, S(2), 1))
    later = inner.Points(terms, ())
    assert [later.bound_at(k, 3) is not None for k in (140, 148, 149, 200)] == [False, False, True, True]


@pytest.mark.parametrize("d", [2, 3, 7])
def test_the_rest_at_the_ends_beside_points_inside(d: int) -> None:
    """sup j^s |mu_j(rest)| over j >= k: terms, slits and curve; None where a term falls more slowly."""
    k, order = 20, S(2 + d)
    claims = claims_of(d, {("3/2", 0): "4", ("5/2", 0): "-6"}, "7/2", ("1", "2", "3"), fmpq(1))
    for s, end in ((order - 2, Lead(Rational(3, 2))), (order, Lead(Rational(3, 2))), (order - 1, None)):
        found = inner._rest(claims, k, s, 0, end)
        assert found is not None
        value = lambda j, s=s: (
            mp.mpf(j) ** number(s)
            * (
                abs(4 * law_at(j, d, mp.mpf("1.5")))
                + abs(6 * law_at(j, d, mp.mpf("2.5")))
                + 3 * moment(mp.mpf("3.5"), j, d)
                + 3 * series(d, mp.mpf(1)) * amplitude(j, d) * mp.exp(-mp.mpf(j + 1))
            )
        )
        truth = max(value(k + i) for i in (0, 1, 5, 100, 10**5))
        assert truth * (1 - TINY) <= high(found) <= (1.2 if d < 4 else 4) * truth
    assert inner._rest(claims, k, order + Rational(1, 10), 0, Lead(Rational(3, 2))) is None
    assert inner._rest(claims, 3, S(3), 0, None) is None  # k > beta = 7/2


@pytest.mark.slow
def test_a_leading_logarithm_may_vanish_where_the_law_begins() -> None:
    """sqrt(1-u) (log(1-u) + 227/30) leaves nothing at k = 64 and much at k = 100: the bound is for both."""
    kernel = Kernel("1000*sqrt(1-u)*(log(1-u)+227/30) + abs(u-1/3)")
    found = certify(kernel, 3)
    for claim in (found.even, found.odd):
        assert claim.k0 is not None and claim.high is not None and claim.rate is not None
        for k in (64, 65, 100, 101, 256, 257, 1000, 1001, 10**4, 10**4 + 1):
            if k >= claim.k0 and k % 2 == claim.k0 % 2:
                lead = 1000 * (
                    law_at(k, 3, mp.mpf(1) / 2, 1) + mp.mpf(227) / 30 * law_at(k, 3, mp.mpf(1) / 2)
                )
                most = decimal(claim.high) * mp.mpf(k) ** number(claim.rate) * mp.log(k) ** claim.log_power
                assert abs(lead) <= most + 3 / mp.mpf(k) ** mp.mpf("2.5")
    with flint_precision(128):
        claims = claims_of(3, {("1/2", 1): "1000", ("1/2", 0): mp.nstr(mp.mpf(227000) / 30, 25)}, "5")
        size = inner._rest(claims, 64, Rational(5, 2), 0, Lead(S.Half, 1))
    truth = max(
        mp.mpf(k) ** mp.mpf("2.5")
        * 1000
        * abs(law_at(k, 3, mp.mpf(1) / 2, 1) + mp.mpf(227) / 30 * law_at(k, 3, mp.mpf(1) / 2))
        for k in (64, 100, 256, 1000)
    )
    assert size is not None and truth <= high(size)


def test_the_tail_of_ends_beside_points_inside() -> None:
    """low - extra and high + extra, extra = B k^(order-s) (log k)^gap."""
    claims, k = claims_of(3, {("-1/4", 0): "9000"}, "5"), 256
    made, end = points(), Lead(Rational(-1, 4))
    alone, beside = tails.tail_at(claims, k, 0, end), inner.tail_beside(made, claims, k, 0, end)
    size = made.bound_at(k, 3)
    assert alone is not None and beside is not None and size is not None
    extra = high(size) * mp.mpf(k) ** (mp.mpf("1.5") - mp.mpf("2.5"))
    assert (
        bounds(beside.high, high(alone.high) + extra, 1)
        and abs(low(beside.low) - low(alone.low) + extra) < TINY * extra * 100
    )
    assert high(beside.rest) >= extra / low(alone.low)
    weak = claims_of(3, {("-1/4", 0): "9"}, "5")
    assert inner.tail_beside(made, weak, 4, 0, end) is None
    slow = claims_of(3, {("3/4", 0): "90000"}, "5")
    assert inner.tail_beside(made, slow, k, 0, Lead(Rational(3, 4))) is None


def test_a_law_is_lowered_to_what_is_listed() -> None:
    claim = ParityClaim(Law.OSCILLATING, S.One, S(-2), 8, 8, 0, "-2", "3")
    small = {6: ("-0.05", "0.08"), 4: ("0.1", "0.18"), 2: ("0.1", "0.2")}
    assert inner.lowered(claim, small).k0 == 4 or inner.lowered(claim, small).k0 == 2
    for k, pair, fine in (
        (6, ("-0.06", "0"), False),
        (6, ("-0.05", "0.08"), True),
        (6, ("0", "0.084"), False),
    ):
        assert inner.obeys(claim, k, decimals.interval(*pair)) is fine
        assert (inner.lowered(claim, {k: pair}).k0 == 6) is fine
    assert inner.lowered(claim, {4: small[4]}).k0 == 8
    logs = replace(claim, log_power=1)
    assert inner.obeys(logs, 6, decimals.interval("-0.09", "0.14")) and not inner.obeys(
        logs, 6, decimals.interval("0", "0.15")
    )


# --------------------------------------------------------------------------------------- two kernels compared


def ratios(first: str, second: str, d: int, ks: list[int]) -> list[Any]:
    mine, other = (eigenvalues(Kernel(x), d, ks=ks, dps=20) for x in (first, second))
    return [exact(mine.ball(k).mid()) / exact(other.ball(k).mid()) for k in ks]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("exp(-sqrt(1-u))", "exp(-2*sqrt(1-u))", True),
        ("exp(-sqrt(1-u)) + exp(u)", "exp(-sqrt(1-u))", True),
        ("1/(2-u)", "1/(3/2-u)", False),
        ("1/(2-u)", "(2-u)**(-2)", False),
        ("(2-u)**(-2)", "(2-u)**(-2) + 1/(2-u)", True),
        ("exp(u)", "exp(2*u)", False),
        ("exp(u)", "1/(2-u)", False),
        ("exp(u)", "exp(-sqrt(1-u))", False),
        ("1/(2-u)", "exp(-sqrt(1-u))", False),
        ("exp(u/(3-u))", "exp(-sqrt(1-u))", False),
        ("exp(u)", "exp(u) + u**2*exp(u)/9", False),
    ],
)
def test_ratios_lie_between_the_bounds(first: str, second: str, same: bool) -> None:
    found = same_rkhs(first, second, 3) if same else embeds(first, second, 3)
    assert found.same is True and found.bounds is not None
    a, b = found.bounds
    values = ratios(first, second, 3, [0, 1, 2, 3, 7, 8, 20, 21, 60, 61, 70, 71])
    assert a <= min(values) * (1 + mp.mpf(10) ** -15) and max(values) * (1 - mp.mpf(10) ** -15) <= b
    assert b <= 1.6 * max(values) and (not same or a >= 0.6 * min(values))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first_text", "second_text"),
    [
        ("exp(-sqrt(1-u))", "exp(-2*sqrt(1-u))"),
        ("(2-u)**(-2)", "(2-u)**(-2) + 1/(2-u)"),
        ("1/(2-u)", "(2-u)**(-2)"),
    ],
)
def test_the_ratio_of_two_tails(first_text: str, second_text: str) -> None:
    """C (1 - e)/(C' (1 + e')) and C (1 + e)/(C' (1 - e')) from the degree on at which both tails begin."""
    pair = [certify(Kernel(text), 3) for text in (first_text, second_text)]
    nus = [number(c.even.nu) for c in pair]
    made = comparison._Pair(
        *pair, comparison.Question.SAME if nus[0] == nus[1] else comparison.Question.EMBEDS
    )
    with flint_precision(192):
        joint, (first, second) = made._joint(0)
        found = made._parity(0)
        assert len(found) == joint // 2 + 1
        least, most = found[-1]
    gammas = mp.gamma(joint - nus[0]) / mp.gamma(joint - nus[1])
    # the constants are narrow beside the rests, and balls outside
    ratios_of = [low(first.constant) / high(second.constant), high(first.constant) / low(second.constant)]
    for x, sign, ratio in ((least, -1, ratios_of[0]), (most, 1, ratios_of[1])):
        truth = ratio * gammas * (1 + sign * high(first.rest)) / (1 - sign * high(second.rest))
        if sign > 0 or nus[0] == nus[1]:
            assert abs(exact(x.mid()) / truth - 1) < mp.mpf(10) ** -5
        else:
            assert x == 0


@pytest.mark.slow
def test_a_stretched_exponential_against_a_power() -> None:
    """k^p exp(-c k^(2/3)) falls from where 2 c k^(2/3) >= 3 p."""
    for power, c in ((mp.mpf(2), mp.mpf("0.3")), (mp.mpf(7), mp.mpf(1))):
        start = next(k for k in range(2, 2000) if 2 * c * mp.mpf(k) ** (mp.mpf(2) / 3) >= 3 * power)
        value = lambda k, p=power, c=c: mp.mpf(k) ** p * mp.exp(-c * mp.mpf(k) ** (mp.mpf(2) / 3))
        assert value(start + 1) < value(start) and value(start - 1) < value(start) * (1 + mp.mpf(1) / start)
    found = embeds(dual("tanh"), kernels.laplace(), 3)
    assert found.same is not False
    if found.bounds is not None:
        values = eigenvalues(dual("tanh"), 3, ks=[1, 3, 5, 7], dps=12)
        other = eigenvalues(kernels.laplace(), 3, ks=[1, 3, 5, 7], dps=12)
        assert all(
            exact(values.ball(k).mid()) / exact(other.ball(k).mid()) <= found.bounds[1] for k in (1, 3, 5, 7)
        )


# ------------------------------------------------------------------------------- quotients of what two laws say


def statement(law: ParityClaim, tail: Any = None, **fields: Any) -> Any:
    known = {
        "d": 3,
        "kernel": Kernel("abs(u)"),
        "place": None,
        "rho": None,
        "bounds": (),
        "tail": tail,
        **fields,
    }
    return SimpleNamespace(even=law, odd=law, **known)


def tail_of(constant: str, rest: str) -> tails.Tail:
    zero = arb(0)
    return tails.Tail(64, 0, zero, zero, zero, True, arb(constant), arb(rest))


def pair_of(monkeypatch: pytest.MonkeyPatch, first: Any, second: Any, same: bool) -> Any:
    """The pair, where degrees one by one add nothing and the tails are those that are given."""
    monkeypatch.setattr(comparison._Pair, "_tail", staticmethod(lambda certificate, joint: certificate.tail))
    monkeypatch.setattr(comparison._Pair, "_single", lambda self, degrees: [])
    return comparison._Pair(first, second, comparison.Question.SAME if same else comparison.Question.EMBEDS)


def algebraic(rate: Any, logs: int = 0) -> ParityClaim:
    return ParityClaim(Law.ALGEBRAIC, (-2 - S(rate)) / 2, S(rate), 8, 8, 0, "0.25", "7", log_power=logs)


def geometric(nu: Any) -> ParityClaim:
    return ParityClaim(Law.GEOMETRIC, S(nu), -S(nu) - Rational(3, 2), 8, 8, 0, "0.25", "7")


def test_the_quotient_of_two_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    """C (1 -+ e)/(C' (1 +- e')), the least and the greatest of all quotients."""
    rests = (tail_of("3", "0.25"), tail_of("5", "0.125"))
    least, most = (mp.mpf(3) / 5 * x for x in (mp.mpf("0.75") / 1.125, mp.mpf("1.25") / 0.875))
    for law, place, rho in ((algebraic(-3), None, None), (geometric(-2), S(2), 2 + sqrt(3))):
        pair = (statement(law, tail, place=place, rho=rho) for tail in rests)
        ((low_end, high_end),) = pair_of(monkeypatch, *pair, True)._parity(0)
        assert abs(exact(low_end) / least - 1) < TINY and bounds(high_end, most)


def test_laws_of_different_rates_are_not_compared_by_their_constants(monkeypatch: pytest.MonkeyPatch) -> None:
    rests = (tail_of("3", "0.25"), tail_of("5", "0.125"))
    slow, fast = (statement(algebraic(rate), tail) for rate, tail in zip((-3, -4), rests, strict=True))
    for first, second, same in ((slow, fast, True), (fast, slow, True), (slow, fast, False)):
        with pytest.raises(comparison._Answer) as answer:
            pair_of(monkeypatch, first, second, same)._parity(0)
        assert answer.value.same is False
    (found,) = pair_of(monkeypatch, fast, slow, False)._parity(0)
    quotient = (
        mp.mpf(5) / 3 * law_ratio(64, mp.mpf(1)) / law_ratio(64, mp.mpf("0.5")) * mp.mpf("1.125") / 0.75
    )
    assert found[0] == 0 and bounds(found[1], quotient)


def law_ratio(k: int, nu: Any) -> Any:
    """Gamma(k-nu)/Gamma(k+nu+2)."""
    return mp.exp(mp.loggamma(k - nu) - mp.loggamma(k + nu + 2))


def frame_of(k: int, nu: Any, rho: Any) -> Any:
    """rho^-k Gamma(k-nu)/Gamma(k+3/2)."""
    return rho ** (-k) * mp.exp(mp.loggamma(k - nu) - mp.loggamma(k + mp.mpf(3) / 2))


def curve(k: int, h: Any) -> Any:
    return amplitude(k, 3) * series(3, h) * mp.exp(-(k + 1) * h)


def bounded_by(*heights: fmpq) -> Any:
    bounds_of = tuple(BoundClaim(None, "0", "0", "1", h) for h in heights)
    rho = exp(Rational(int(heights[-1].p), int(heights[-1].q)))
    return statement(ParityClaim(Law.BOUNDED, k0=0), bounds=bounds_of, rho=rho)


def test_a_bound_on_an_ellipse_against_a_geometric_law(monkeypatch: pytest.MonkeyPatch) -> None:
    """G S A_k e^(-(k+1)h) falls against rho^-k k^p where e^-h < 1/rho, and not because it does so at one degree."""
    rho = 2 + sqrt(3)  # log rho = 1.317
    other = statement(geometric(-20), tail_of("5", "0.125"), place=S(2), rho=rho)
    for heights, used in (((fmpq(3, 2),), "1.5"), ((fmpq(5, 4), fmpq(2)), "2")):
        (found,) = pair_of(monkeypatch, bounded_by(*heights), other, False)._parity(0)
        quotients = [
            curve(k, mp.mpf(used)) / (5 * frame_of(k, -20, inner_number(rho)) * mp.mpf("0.875"))
            for k in (64, 66, 68, 100, 1000)
        ]
        assert found[0] == 0 and bounds(found[1], max(quotients))
    narrow = bounded_by(fmpq(5, 4))
    for same in (True, False):
        for first, second in ((narrow, other), (other, narrow)):
            with pytest.raises(comparison._Answer) as answer:
                pair_of(monkeypatch, first, second, same)._parity(0)
            assert answer.value.same is None
    wide = bounded_by(fmpq(2))
    for pair in ((wide, other), (other, wide)):
        with pytest.raises(comparison._Answer) as answer:
            pair_of(monkeypatch, *pair, True)._parity(0)
        assert answer.value.same is False


def test_a_geometric_law_against_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """The quotient of what falls faster, by rho or by the power of k beside it, and its largest value."""
    rests = (tail_of("3", "0.25"), tail_of("5", "0.125"))
    share = mp.mpf(3) / 5 * mp.mpf("1.25") / mp.mpf("0.875")
    for nus, places in (((-1, -3), (S(3), S(2))), ((-30, -1), (S(3), S(2))), ((-1, -3), (S(2), S(2)))):
        rhos = [b + sqrt(b * b - 1) for b in places]
        pair = [
            statement(geometric(nu), tail, place=b, rho=rho)
            for nu, tail, b, rho in zip(nus, rests, places, rhos, strict=True)
        ]
        (found,) = pair_of(monkeypatch, *pair, False)._parity(0)
        frames = [
            [frame_of(k, nu, inner_number(rho)) for nu, rho in zip(nus, rhos, strict=True)]
            for k in (64, 66, 70, 100, 1000)
        ]
        assert found[0] == 0 and bounds(found[1], share * max(a / b for a, b in frames))
        with pytest.raises(comparison._Answer) as answer:
            pair_of(monkeypatch, *pair[::-1], False)._parity(0)
        assert answer.value.same is False


def test_what_falls_geometrically_against_a_power(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = statement(algebraic(-4), tail_of("5", "0.125"))
    rho = inner_number(2 + sqrt(3))
    outer = statement(geometric(-1), tail_of("3", "0.25"), place=S(2), rho=2 + sqrt(3))
    (found,) = pair_of(monkeypatch, outer, slow, False)._parity(0)
    truth = max(
        3 * frame_of(k, -1, rho) * mp.mpf("1.25") / (5 * law_ratio(k, 1) * mp.mpf("0.875"))
        for k in (64, 66, 90)
    )
    assert found[0] == 0 and bounds(found[1], truth)
    # at 64 the curve of height 1/32 still grows against k^-4
    (found,) = pair_of(monkeypatch, bounded_by(fmpq(1, 32)), slow, False)._parity(0)
    value = lambda k: curve(k, mp.mpf(1) / 32) / (5 * law_ratio(k, 1) * mp.mpf("0.875"))
    assert value(66) > value(64) and value(128) > value(130)
    # the first of the degrees from which it falls
    assert value(96) < value(98) and found[0] == 0 and bounds(found[1], value(128))


@pytest.mark.parametrize("power", [-2, 40])
def test_a_strip_against_a_power_with_logarithms(monkeypatch: pytest.MonkeyPatch, power: int) -> None:
    """b/a' k^p exp(-c k^(2/3)) (log k)^-q from where it falls, c = (3/2) (2 tau)^(2/3)."""
    strip = ParityClaim(Law.STRETCHED, rate=S(-4 + power), k0=20, high="7", tau=fmpq(3, 4))
    (found,) = pair_of(monkeypatch, statement(strip), statement(algebraic(-4, 2)), False)._parity(0)
    c = mp.mpf(3) / 2 * mp.mpf("1.5") ** (mp.mpf(2) / 3)

    def value(k: int) -> Any:
        return 28 * mp.mpf(k) ** power * mp.exp(-c * mp.mpf(k) ** (mp.mpf(2) / 3)) / mp.log(k) ** 2

    begins = [k for k in (64, 96, 128, 192, 256) if 2 * c * mp.mpf(k) ** (mp.mpf(2) / 3) >= 3 * power]
    truth = max(value(k) for k in range(begins[0], 4000, 2))
    assert found[0] == 0 and bounds(found[1], truth)
    late = replace(strip, k0=100)
    (found,) = pair_of(monkeypatch, statement(late), statement(algebraic(-4, 2)), False)._parity(0)
    assert bounds(found[1], max(value(k) for k in range(max(128, begins[0]), 4000, 2)))
    for first, second, same, answered in (
        (strip, algebraic(-4), True, False),
        (algebraic(-4), strip, False, False),
        (strip, replace(algebraic(-4), low="-1"), False, None),
        (strip, geometric(-1), False, None),
    ):
        with pytest.raises(comparison._Answer) as answer:
            pair_of(monkeypatch, statement(first), statement(second), same)._parity(0)
        assert answer.value.same is answered


@pytest.mark.parametrize(("s", "m"), [("1/2", 3), ("1/4", 3), ("1", 1), ("1/2", -2)])
def test_powers_with_logarithms_against_each_other(monkeypatch: pytest.MonkeyPatch, s: str, m: int) -> None:
    """(b/a') k^-s (log k)^m from where it falls: log k >= m/s."""
    first, second = (max(m, 0), max(-m, 0))
    pair = (algebraic(-4 - Rational(s), first), algebraic(-4, second))
    value = lambda k: 28 * mp.mpf(k) ** -number(s) * mp.log(k) ** m
    begins = next((k for k in (64, 96, 128, 192, 256, 512, 8192) if mp.log(k) * number(s) >= m), None)
    if begins is None:
        with pytest.raises(comparison._Answer) as answer:
            pair_of(monkeypatch, *map(statement, pair), False)._parity(0)
        assert answer.value.same is None
    else:
        (found,) = pair_of(monkeypatch, *map(statement, pair), False)._parity(0)
        truth = max(value(k) for k in (*range(begins, begins + 100, 2), 2 * begins, 10**7))
        assert found[0] == 0 and bounds(found[1], truth)
    with pytest.raises(comparison._Answer) as answer:
        pair_of(monkeypatch, *map(statement, pair[::-1]), False)._parity(0)
    assert answer.value.same is False


def test_an_entire_kernel_against_powers_and_ellipses(monkeypatch: pytest.MonkeyPatch) -> None:
    """mu_k of exp(u) over the lead of the other falls from where it is bounded on."""
    first = certify(Kernel("exp(u)"), 3)
    for other, frame in (
        (statement(algebraic(-4), tail_of("5", "0.125")), lambda k: law_ratio(k, 1)),
        (
            statement(geometric(-2), tail_of("5", "0.125"), place=S(2), rho=2 + sqrt(3)),
            lambda k: frame_of(k, -2, inner_number(2 + sqrt(3))),
        ),
    ):
        (found,) = pair_of(monkeypatch, first, other, False)._parity(0)
        # mu_k = sqrt(pi/2) I_(k+1/2)(1)
        truth = mp.sqrt(mp.pi / 2) * mp.besseli(mp.mpf(129) / 2, 1) / (5 * frame(64) * mp.mpf("0.875"))
        assert found[0] == 0 and bounds(found[1], truth, 1.05)


def test_norms_compare_by_square_roots() -> None:
    found = same_rkhs("exp(u)", "4*exp(u)", 3)
    assert found.bounds is not None and found.norm_bounds is not None
    assert abs(found.bounds[0] - 0.25) < TINY
    m, most = found.norm_bounds
    assert m <= 0.5 <= most and most - m < mp.mpf(10) ** -15
    assert replace(found, bounds=None, same=None).norm_bounds is None


# ----------------------------------------------------------------------------------- kernels that are given


@pytest.mark.parametrize(
    ("law", "d"),
    [("1/(k+1)**4", 3), ("1/(k**2+1)**2", 2), ("(1+(-1)**k/3)/(k+1)**6", 4), ("1/(k+1)**4+2**(-k)", 3)],
)
def test_what_terms_leave_of_a_given_law(law: str, d: int) -> None:
    """B is the supremum of |mu_k - terms|/T(beta, k) over all k > beta."""
    kernel = Kernel.from_eigenvalues(law, d)
    form = given_form(kernel.expr)
    assert form is not None
    parts, bound = given.given_parts(form), given.given_bound(kernel.expr, form, 200)
    assert parts is not None and bound is not None
    beta = mp.mpf(int(parts[1].p)) / int(parts[1].q)
    formula = sympy.lambdify(sympy.Symbol("k"), sympy.sympify(law), "mpmath")
    worst = mp.mpf(0)
    with mp.workdps(60):
        for k in (*range(int(beta) + 1, 80), 90, 120, 200, 301, 1000, 2047, 2048, 2049, 6000, 20001):
            rest = formula(mp.mpf(k))
            for side, part in parts[0].items():
                for nu, a in part.powers():
                    e = mp.mpf(int(nu.p)) / int(nu.q)
                    size = inner_number(a) * side**k
                    if e == int(e):  # t^n log t
                        size *= (
                            mp.power(2, e + d - 2) * mp.gamma(mp.mpf(d) / 2) * mp.gamma(e + mp.mpf(d - 1) / 2)
                        )
                        size *= (-1) ** int(e + 1) * mp.factorial(e) / mp.sqrt(mp.pi)
                        size *= mp.exp(mp.loggamma(k - e) - mp.loggamma(k + e + d - 1))
                    else:
                        size *= -mp.sin(mp.pi * e) * moment(e, k, d)
                    rest -= size
            worst = max(worst, abs(rest) / moment(beta, k, d))
    assert worst * (1 - TINY) <= high(bound) <= 1.1 * worst
    claims = certifying_given._claims(kernel, form)
    assert claims is not None and claims.bounds[0].beta is not None
    assert high(bound) <= decimal(claims.bounds[0].plus) <= 1.1 * high(bound)


def test_signs_of_given_eigenvalues(monkeypatch: pytest.MonkeyPatch) -> None:
    """All mu_k >= 0 needs every one of them: below the degree of a sign one by one, beyond it by that sign."""

    def signs(law: str) -> tuple[Any, Any, Any]:
        kernel = Kernel.from_eigenvalues(law, 3)
        found = given.given_signs(kernel.expr, 3)
        assert found is not None
        return found.positive, found.strict, found.offending

    assert signs("1/(k+1)**4") == (True, True, None)
    assert signs("(1+(-1)**k)/(k+1)**4") == (True, False, None)
    # 1 - 9/(k+1) is negative up to k = 7, 1/10 - 1/(k+1) up to 8, 1 - (k+1)/100 from 100 on
    assert signs("1/(k+1)**4-9/(k+1)**5") == (False, False, 0)
    assert signs("1/(k+1)**4-(k+1)/(100*(k+1)**4)")[0] is False
    assert (
        signs("3/(k+1)**4-1/((k+1)**3*1000)")[0] is None or signs("3/(k+1)**4-1/((k+1)**3*1000)")[2] >= 3000
    )
    monkeypatch.setattr(given, "sign_of_law", lambda *_: (Sign.UNKNOWN, 0))
    assert signs("1/(k+1)**4") == (None, None, None)
    monkeypatch.setattr(given, "sign_of_law", lambda *_: (Sign.NEGATIVE, 7))
    assert signs("1/(k+1)**4") == (False, False, 7)


# ------------------------------------------------------------------------------- what is said without a proof


@pytest.mark.parametrize(
    ("expr", "plain"),
    [
        (sqrt(1 - u) * (1 + u) ** Rational(1, 3) + u**2, True),
        (sympy.log(3 - 3 * u) ** 2 / (1 + u) + u, True),
        ((2 - 2 * u) ** sqrt(2), True),
        (sympy.Abs(u), False),
        (1 / (u - Rational(1, 3)), False),
        (sqrt(u), False),
        (sympy.log(u - 1), False),
        (exp(u), False),
        (sqrt(1 - u**2), False),
    ],
)
def test_which_kernels_are_analytic_at_first_sight(expr: Any, plain: bool) -> None:
    assert remainder._is_plain(expr) is plain


# ------------------------------------------------------------------------------------------- proved once more


@pytest.mark.slow
def test_the_law_of_the_other_parity_is_not_proved_again() -> None:
    """A tail of the wrong parity speaks of the other eigenvalues."""
    found = certify(kernels.ntk(3), 3)
    assert found.recheck().holds
    for forged in (
        replace(found, odd=found.even),
        replace(found, even=found.odd),
        replace(
            found, odd=replace(found.odd, tail=found.even.tail, low=found.even.low, high=found.even.high)
        ),
    ):
        assert not forged.recheck().holds


@pytest.mark.slow
def test_constants_that_are_a_little_too_good_are_not_proved_again() -> None:
    found = certify(Kernel("abs(u-1/3)*exp(u)"), 3)
    claim = found.even
    assert claim.high is not None and found.recheck().holds
    better = decimals.down(decimals.number(claim.high) * fmpq(99, 100))
    assert not replace(found, even=replace(claim, high=better, low=f"-{better}")).recheck().holds
    assert claim.tail is not None
    odd = found.odd
    assert odd.tail is not None and odd.tail in found.small
    for tail, fine in ((odd.tail, True), (odd.tail + 1, False)):
        other = replace(odd, k0=odd.tail, tail=tail, low="-1e9", high="1e9")
        assert rechecked_laws.law_holds(replace(found, odd=other), 1, other) is fine


def test_a_law_of_a_strip_is_proved_again_from_its_start_on() -> None:
    claim = stretched.CoefficientClaim(fmpq(3, 2), "2", 7)
    statement: Any = SimpleNamespace(coefficients=claim, d=3)
    said = stretched.stretched_law(claim, 1, 3)
    assert said.k0 == 7 and said.high is not None
    assert rechecked_laws._is_stretched(statement, 1, said)
    generous = replace(said, high="1e9")
    for k0, fine in ((5, False), (7, True), (9, True), (8, False)):
        assert rechecked_laws._is_stretched(statement, 1, replace(generous, k0=k0)) is fine
    better = decimals.down(decimals.number(said.high) * fmpq(999, 1000))
    assert not rechecked_laws._is_stretched(statement, 1, replace(said, high=better))


def test_nothing_is_said_below_the_first_degree() -> None:
    found = certify(kernels.laplace(), 3)
    bare = replace(found, small={})
    with pytest.raises(Undecided):
        bare.enclosure(0)
    k = 16
    scaled = exact(bare.enclosure(k).mid())
    with mp.workdps(20):
        truth = eigenvalue(lambda t: mp.exp(-mp.sqrt(t)), k, 3, (0.1, 0.5, 1.5))
    assert abs(scaled / truth - 1) < mp.mpf(10) ** -6 and legendre(0, 3, 1) == 1
