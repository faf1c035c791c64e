"""Networks of step units of every depth: against the kernels of single depths and against numbers."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from sympy import Rational, Symbol, oo

from asymptok import check, decay, expand, kernels, same_rkhs
from asymptok.constants.exponents import Ranges

L = Symbol("L", integer=True, positive=True)


@pytest.mark.parametrize("depth", [3, 4, 5])
def test_the_terms_at_one_are_those_of_each_depth(depth: int) -> None:
    every, single = expand(kernels.step_features(L), order=1), expand(kernels.step_features(depth), order=2)
    for n in range(3):
        mine, own = every.terms[n], single.terms[n]
        assert mine.exponent.subs(L, depth) == own.exponent
        assert abs((mine.coefficient.subs(L, depth) / own.coefficient).evalf(30) - 1) < 1e-28
    assert single.terms[3].exponent == 5 * Rational(1, 2 ** (depth - 1))


@pytest.mark.parametrize("depth", [3, 4, 5])
def test_the_law_is_that_of_each_depth(depth: int) -> None:
    law, own = decay(kernels.step_features(L)), decay(kernels.step_features(depth))
    assert law.nu.subs(L, depth) == own.nu == Rational(1, 2 ** (depth - 1))
    for mine, one in ((law.even, own.even), (law.odd, own.odd)):
        assert abs((mine.constant(3).subs(L, depth) / one.constant(3)).evalf(30) - 1) < 1e-28
    assert law.subs(L=depth) == own


def test_reference_values() -> None:
    """|c_1| for L = 3, 4, 5, computed elsewhere."""
    law = decay(kernels.step_features(L)).even
    values = [abs(float(law.coefficient.subs(L, n))) for n in (3, 4, 5)]
    assert values == pytest.approx([0.30202833, 0.24739389, 0.22390284], abs=1e-8)


def test_the_expansion_at_one_against_numbers() -> None:
    found = expand(kernels.step_features(L), order=1)
    with mpmath.workdps(60):
        for depth in (3, 5, 8):
            place = Fraction(1, 10 ** (12 * 2 ** (depth - 3)))
            t = mpmath.mpf(place.numerator) / place.denominator
            exact = kernels.step_features(depth).evaluate(1 - place, 60)
            total = sum(
                mpmath.mpf(x.coefficient.subs(L, depth).evalf(60))
                * t ** mpmath.mpf(x.exponent.subs(L, depth))
                for x in found.terms[:3]
            )
            rest = abs(exact - total) / t ** (5 * mpmath.mpf(2) ** (1 - depth))
            assert rest < 1


def test_what_is_known_of_every_depth() -> None:
    kernel = kernels.step_features(L)
    assert check(kernel).holds
    assert check(kernel, oo)["positive definite"].status == "proved"
    assert same_rkhs(kernel, kernels.laplace("c")).same is False
    assert same_rkhs(kernel.subs(L=4), kernels.gamma_exponential("1/4")).same is True
    assert expand(kernel, at=-1, order=1).subs(L=3) == expand(kernels.step_features(3), at=-1, order=1)


def test_powers_with_a_symbol_above_are_bounded() -> None:
    ranges = Ranges({L: (2, oo)})
    assert ranges.bounds_of(2 ** (1 - L)) == (0, Rational(1, 2))
    assert ranges.bounds_of(2**L) == (4, None)
    assert Ranges({L: (2, 5)}).bounds_of(3 * 2 ** (-L)) == (Rational(3, 32), Rational(3, 4))
