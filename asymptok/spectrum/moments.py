"""From values of kappa at nodes to all mu_0 ... mu_K at once, in ball arithmetic.

Two steps, both stable. The cosine moments A_m = sum_j v_j cos(m theta_j) come from one matrix product: with
m = a + B b, cos(m theta) = cos(a theta) cos(B b theta) - sin(a theta) sin(B b theta). Then

    P_k(cos theta) = sum_i c_i c_{k-i}/N_k cos((k - 2i) theta),  c_i = (lambda)_i/i!,  N_k = (2 lambda)_k/k!,

lambda = (d-2)/2, has non-negative weights of sum one, so no digit is lost. The three-term recurrence in balls
would lose 1.3 bits at each step instead, because a ball forgets that its errors cancel.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from operator import mul

import flint
from flint import arb, arb_mat, fmpq

from asymptok.precision import flint_precision
from asymptok.progress import each


def cosine_moments(theta: Sequence[arb], even: Sequence[arb], odd: Sequence[arb], kmax: int) -> list[arb]:
    """A_m = sum_j v_j cos(m theta_j) for m = 0, ..., kmax, with v = `even` for even m and `odd` for odd m.

    Nodes symmetric about pi/2 are folded by the caller: half of the nodes, with v(theta) + v(pi - theta) for
    even m and the difference for odd m. Without symmetry both sequences are the same.

    >>> A = cosine_moments([arb(0), arb.pi() / 2], [arb(1), arb(2)], [arb(1), arb(2)], 4)
    >>> [int(a.unique_fmpz()) for a in A]
    [3, 1, -1, 1, 3]
    """
    block = max(1, isqrt(kmax // 2 + 1))
    blocks = kmax // (2 * block) + 1
    # sin and cos of multiples come from a recurrence that costs 1.3 bits a step
    with flint_precision(flint.ctx.prec + (4 * max(block, blocks)) // 3 + 8):
        inner: list[list[arb]] = []
        outer_even: list[list[arb]] = []
        outer_odd: list[list[arb]] = []
        for angle, e, o in each(zip(theta, even, odd, strict=True), len(theta)):
            cosines, sines = _multiples(angle * 0, 2 * angle, block)
            inner += [cosines, sines]
            cosines, sines = _multiples(angle * 0, 2 * block * angle, blocks)
            outer_even += [[e * c for c in cosines], [-e * s for s in sines]]
            cosines, sines = _multiples(angle, 2 * block * angle, blocks)
            outer_odd += [[o * c for c in cosines], [-o * s for s in sines]]
    left = arb_mat(inner).transpose()  # block x 2n
    product_even, product_odd = left * arb_mat(outer_even), left * arb_mat(outer_odd)
    moments = []
    for m in range(kmax + 1):
        b, a = divmod(m // 2, block)
        moments.append((product_odd if m % 2 else product_even)[a, b])
    return moments


def _multiples(start: arb, step: arb, count: int) -> tuple[list[arb], list[arb]]:
    """cos and sin of start + j step, j < count, by x_{j+1} = 2 cos(step) x_j - x_{j-1}."""
    sine, cosine = start.sin_cos()
    cosines, sines = [cosine], [sine]
    if count > 1:
        sine, cosine = (start + step).sin_cos()
        cosines.append(cosine)
        sines.append(sine)
        twice = 2 * step.cos()
        for _ in range(count - 2):
            cosines.append(twice * cosines[-1] - cosines[-2])
            sines.append(twice * sines[-1] - sines[-2])
    return cosines, sines


def gegenbauer_moments(moments: Sequence[arb], d: int, ks: Sequence[int]) -> dict[int, arb]:
    """sum_j v_j P_k(cos theta_j) from the cosine moments A_m, for the dimension d >= 2.

    P_2 = (3 u^2 - 1)/2 = 1/4 + (3/4) cos(2 theta) for d = 3:

    >>> gegenbauer_moments([arb(1), arb(0), arb(0)], 3, [2])[2] == arb(1) / 4
    True
    """
    if d == 2:
        return {k: moments[k] for k in ks}
    top = max(ks, default=0)
    c = [arb(1)]
    norm = [arb(1)]
    for i in range(top):
        c.append(c[-1] * (2 * i + d - 2) / (2 * i + 2))
        norm.append(norm[-1] * (i + d - 2) / (i + 1))
    result = {}
    for k in each(ks):
        half = (k + 1) // 2  # pairs i, k - i with i < k - i count twice
        weights = map(mul, c[:half], c[k : k - half : -1])
        # moments[k], moments[k-2], ... down to index 1 or 2
        total = 2 * sum(
            map(mul, weights, moments[k : (k - 2 * half if k - 2 * half >= 0 else None) : -2]), arb(0)
        )
        if k % 2 == 0:
            total += c[k // 2] * c[k // 2] * moments[0]
        result[k] = total / norm[k]
    return result


def normalisation(d: int) -> arb:
    """Gamma(d/2)/(sqrt(pi) Gamma((d-1)/2)), so that the constant kernel 1 has mu_0 = 1.

    >>> normalisation(3) == arb(1) / 2
    True
    """
    if d % 2:
        # rational for odd d: (1/2) * (3/2)(5/2).../(1 * 2 * ...)
        value = fmpq(1, 2)
        for j in range(3, d, 2):
            value *= fmpq(j, j - 1)
        return arb(value)
    return arb(fmpq(d, 2)).gamma() / (arb.const_sqrt_pi() * arb(fmpq(d - 1, 2)).gamma())
