r"""The kernel of jumps alone: P = sum of J s_j(x - a), s_j(x) = sign(x) x^j/(2 j!); s_j' = s_(j-1), s_(-1) = delta.

T_ij(a, b) = E[s_i(X - a) s_j(Y - b)] and I_j(a) = E[s_j(X - a)] follow from Stein's lemma,

    i T_ij = T_(i-2)j + z T_(i-1)(j-1) - a T_(i-1)j,        j I_j = I_(j-2) - a I_(j-1),

from T_(-1)(-1), the density of (X, Y) at (a, b), from T_(-1)0, a probability given X = a, and from T_00, that of a
quadrant. The Hermite coefficients of s_j(x - a) are I_(j-n)(a)/sqrt(n!), with I_(-1-l) = p(a) He_l(a).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import arb, arb_poly

from asymptok.functions.orthant_record import orthant_real

__all__ = ["Jump", "jump_coefficients", "jump_kernel"]


@dataclass(frozen=True, slots=True)
class Jump:
    """The jumps of phi, phi', ..., phi^(M) at a >= 0; at -a that of phi^(j) is (-1)^(parity+j+1) times as large."""

    at: arb
    heights: tuple[arb, ...]


def jump_coefficients(jumps: tuple[Jump, ...], parity: int, top: int) -> list[arb]:
    """a_n(P) for n = parity, parity + 2, ... <= top."""
    sums = [arb(0)] * ((top - parity) // 2 + 1)
    for jump in jumps:
        a = jump.at
        order = len(jump.heights) - 1
        table = _means(a, order, top)  # I_m for m = order, ..., -1 - top
        share = 1 if a.is_zero() else 2
        for i in range(len(sums)):
            n = parity + 2 * i
            for j, height in enumerate(jump.heights):
                if not height.is_zero():
                    sums[i] += share * height * table[order - j + n]
    factorial, result = arb(1), []
    for i, value in enumerate(sums):
        n = parity + 2 * i
        if i:
            factorial = factorial * (n - 1) * n
        result.append(value / factorial.sqrt())
    return result


def _means(a: arb, order: int, top: int) -> list[arb]:
    """I_order, ..., I_0, I_(-1), ..., I_(-1-top)."""
    density = (-a * a / 2).exp() / (2 * arb.pi()).sqrt()
    rising = [density, (a / arb(2).sqrt()).erfc() / 2 - arb(1) / 2]  # I_(-1), I_0
    for j in range(1, order + 1):
        rising.append((rising[-2] - a * rising[-1]) / j)
    falling = [density]
    before = arb(0)
    for n in range(top):
        falling.append(a * falling[-1] - n * before)
        before = falling[-2]
    return [*reversed(rising[1:]), *falling]


def jump_kernel(jumps: tuple[Jump, ...], parity: int, z: arb) -> arb:
    """E[P(X) P(Y)] at an exact number 0 <= z < 1."""
    total = arb(0)
    jumps = tuple(jump for jump in jumps if not all(h.is_zero() for h in jump.heights))
    for i, first in enumerate(jumps):
        for second in jumps[: i + 1]:
            # (a, b) and (-a, -b) count the same, and so do (a, b) and (b, a)
            share = (1 if first.at.is_zero() else 2) * (1 if second is first else 2)
            total += share * _pair(first.at, first.heights, second.at, second.heights, z, 1)
            if not second.at.is_zero():
                mirrored = [h if (parity + j) % 2 else -h for j, h in enumerate(second.heights)]
                other = _pair(first.at, first.heights, -second.at, mirrored, z, -1)
                total += share * other
    return total


def _pair(a: arb, left: Sequence[arb], b: arb, right: Sequence[arb], z: arb, side: int) -> arb:
    """sum_ij left_i right_j T_ij(a, b); side = -1 says that b < 0 mirrors a kink."""
    size = max(len(left), len(right))
    root = (2 * arb.pi()).sqrt()
    below, above = 1 - z, 1 + z
    sine = (below * above).sqrt()
    same = bool((a - b).contains(0)) if side > 0 else False
    opposite = bool((a + b).contains(0)) if side < 0 else False
    if same:
        to_b = to_a = a * (below / above).sqrt()
        form = a * a / above
    elif opposite:
        to_b, to_a = -a * (above / below).sqrt(), a * (above / below).sqrt()
        form = a * a / below
    else:
        to_b, to_a = (b - z * a) / sine, (a - z * b) / sine
        form = ((a - b) ** 2 + 2 * a * b * below) / (2 * sine * sine)
    density = (-form).exp() / (2 * arb.pi() * sine)
    # row[j + 1] = T_(-1)j and column[i + 1] = T_i(-1)
    row = _edge(density, (-a * a / 2).exp() / root * _centred(to_b), z * a - b, sine * sine, size)
    column = _edge(density, (-b * b / 2).exp() / root * _centred(to_a), z * b - a, sine * sine, size)
    if a.is_zero() and b.is_zero():
        corner = z.asin() / (2 * arb.pi())
    else:
        corner = orthant_real(a, b, z) - _tail(a) / 2 - _tail(b) / 2 + arb(1) / 4
    # the rows sum_j T_ij y^j, one after the other: i T_i = T_(i-2) + (z y - a) T_(i-1) + z T_(i-1)(-1)
    first = [column[1], corner]
    for j in range(1, size):
        first.append((first[-2] + z * row[j] - b * first[-1]) / j)
    shift = arb_poly([-a, z])
    total, older, current = arb_poly([0]), arb_poly(row[1 : size + 1]), arb_poly(first[1:])
    for i in range(len(left)):
        if not left[i].is_zero():
            total += left[i] * current
        # powers beyond those of `right` are wrong, and not looked at
        after = older + shift * current + z * column[i + 1]
        older, current = current, after * (arb(1) / (i + 1))
    return sum((h * t for h, t in zip(right, total.coeffs(), strict=False)), arb(0))


def _edge(density: arb, first: arb, gap: arb, variance: arb, size: int) -> list[arb]:
    """T_(-1)(-1), T_(-1)0, T_(-1)1, ...: j T_(-1)j = (z a - b) T_(-1)(j-1) + (1 - z^2) T_(-1)(j-2)."""
    found = [density, first]
    for j in range(1, size + 1):
        found.append((gap * found[-1] + variance * found[-2]) / j)
    return found


def _tail(h: arb) -> arb:
    return (h / arb(2).sqrt()).erfc() / 2


def _centred(h: arb) -> arb:
    """Q(h) - 1/2."""
    return -(h / arb(2).sqrt()).erf() / 2
