"""The sawtooth against compositions of the tent map, Fourier integrals and sums over ReLU units."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from asymptok import AsymptokError
from asymptok.depth import Sawtooth


def composed(x: Fraction, k: int) -> Fraction:
    for _ in range(k):
        x = min(2 * x, 2 - 2 * x)
    return x


@pytest.mark.parametrize("k", [1, 2, 3, 6])
def test_it_is_the_tent_map_composed(k: int) -> None:
    saw = Sawtooth(k)
    units = saw.shallow()
    assert len(units) == saw.shallow_units == 2**k
    for i in range(3 * 2**k + 1):
        x = Fraction(i, 3 * 2**k)
        assert saw(x) == composed(x, k) == sum(a * max(x - place, 0) for place, a in units)
    grid = np.linspace(0, 1, 101)
    assert np.allclose(saw(grid), [float(composed(Fraction(float(x)), k)) for x in grid])
    assert sum(saw(Fraction(2 * i + 1, 2 * saw.teeth)) == 1 for i in range(saw.teeth)) == saw.teeth


def test_one_unit_less_cannot_do_it() -> None:
    """k = 2, kinks at 1/4, 1/2, 3/4 with jumps -8, 8, -8: no choice of sides gives the first piece the slope 4."""
    jumps = [a for _, a in Sawtooth(2).shallow()[1:]]
    slopes = {-sum(a for a, side in zip(jumps, sides, strict=True) if side) for sides in np.ndindex(2, 2, 2)}
    assert 4 not in slopes and all(slope % 8 == 0 for slope in slopes)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_coefficients_are_fourier_integrals(k: int) -> None:
    saw = Sawtooth(k)
    for n in range(13):
        parts = [
            mpmath.quad(
                lambda x, n=n: saw([float(x)])[0] * mpmath.cos(2 * mpmath.pi * n * x),
                [i / 2**k, (i + 1) / 2**k],
            )
            for i in range(2**k)
        ]
        assert abs(sum(parts) * (1 if n == 0 else 2) - float(saw.coefficient(n))) < 1e-12
    assert saw.powers(2**k)[2 ** (k - 1)] == pytest.approx(float(saw.coefficient(2 ** (k - 1))) ** 2 / 2)


def test_powers_add_up_to_the_mean_square() -> None:
    for k in (1, 4):
        assert sum(Sawtooth(k).powers(4000).values()) == pytest.approx(1 / 3, abs=1e-6)
    assert set(Sawtooth(4).powers(60)) == {0, 8, 24, 40, 56}


def test_distance_bound_is_below_what_networks_reach() -> None:
    """The constant 1/2 is at distance 1/4; the shallow sum without its last units is 0 on part of the interval only."""
    for k in (3, 6, 9):
        saw = Sawtooth(k)
        assert saw.distance_bound(0) <= Fraction(1, 4)
        assert saw.distance_bound(2**k) == 0
        kept = saw.shallow()[: 2 ** (k - 3)]
        x = (np.arange(2**14) + 0.5) / 2**14
        f = sum(a * np.maximum(x - float(place), 0) for place, a in kept)
        assert float(saw.distance_bound(len(kept))) <= np.mean(np.abs(f - saw(x)))
    assert Sawtooth(500).distance_bound(10**6) > Fraction(1, 9)


@pytest.mark.parametrize(
    "call",
    [
        lambda: Sawtooth(0),
        lambda: Sawtooth(1.5),
        lambda: Sawtooth(2)(Fraction(3, 2)),
        lambda: Sawtooth(2)([0.5, np.nan]),
        lambda: Sawtooth(2)([-0.5]),
        lambda: Sawtooth(30).shallow(),
        lambda: Sawtooth(2).distance_bound(-1),
        lambda: Sawtooth(2).coefficient(-1),
    ],
)
def test_bad_input_gets_our_own_errors(call) -> None:
    with pytest.raises(AsymptokError):
        call()
