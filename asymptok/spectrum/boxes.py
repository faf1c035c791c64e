"""Boxes along a Bernstein ellipse around [-1, 1] in the quadrature variable s, and the map s -> theta.

theta = (pi/2)(1 + psi(s)), psi(s) = int_0^s (1-x^2)^(p-1) dx / int_0^1 (1-x^2)^(p-1) dx, so that
theta ~ (1+s)^p at theta = 0 and pi - theta ~ (1-s)^p at theta = pi: powers theta^(j/p) become analytic in s.
For p = 1 psi(s) = s.

Kernels are real on the segment, hence symmetric under conjugation (Schwarz): the upper half of the ellipse is
enough. The boxes form a path: from the middle s = 0, where every branch is the principal one, straight up to
the top of the ellipse, and from there along the boundary to both of its real points.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import asinh, pi, sinh

from flint import acb, arb, fmpq, fmpq_poly

from asymptok.balls.functions import integer_power
from asymptok.quantities import B


@lru_cache(maxsize=32)
def substitution(p: int) -> tuple[fmpq_poly, fmpq]:
    """The polynomial q over Q with 1 + psi(s) = (1+s)^p q(s), and the constant psi'(0).

    >>> substitution(2) == (fmpq_poly([1, fmpq(-1, 2)]), fmpq(3, 2))
    True
    """
    density = fmpq_poly([1, 0, -1]) ** (p - 1)
    psi = density.integral()
    total = psi(1)
    return (1 + psi / total) // fmpq_poly([1, 1]) ** p, 1 / total


def angle(s: B, p: int) -> tuple[B, B]:
    """theta(s) and theta'(s), on real or complex balls; to full relative accuracy at both ends.

    >>> angle(arb(0), 3)[0].overlaps(arb.pi() / 2), angle(arb(1), 3)[0].overlaps(arb.pi())
    (True, True)
    """
    quarter = arb.pi() / 2
    if p == 1:
        return quarter * (1 + s), quarter + 0 * s
    cofactor, slope = substitution(p)
    derivative = quarter * integer_power((1 - s) * (1 + s), p - 1) * arb(slope)
    if s.real.mid() <= 0:
        return quarter * integer_power(1 + s, p) * _horner(cofactor, s), derivative
    return arb.pi() - quarter * integer_power(1 - s, p) * _horner(cofactor, -s), derivative


def _horner(polynomial: fmpq_poly, s: B) -> B:
    total = s * 0
    for j in range(polynomial.degree(), -1, -1):
        total = total * s + arb(polynomial[j])
    return total


@dataclass(frozen=True, slots=True)
class Path:
    """Boxes s_i with their images theta_i; `before[i]` is a box that shares a point with box i."""

    s: list[acb]
    theta: list[acb]
    derivative: list[acb]
    before: list[int]
    boundary: range
    right: int
    left: int


def path(height: fmpq, p: int, boxes: int) -> Path:
    """The path for the ellipse with semi-axes cosh(beta), sinh(beta), beta = `height`."""
    beta = arb(height)
    wide, high = beta.cosh(), beta.sinh()
    steps = max(4, boxes // 4)
    s = [acb(0)]
    before = [0]
    for j in range(steps):
        s.append(acb(0, high * _interval(j, j + 1, steps)))
        before.append(len(s) - 2)
    top = len(s) - 1
    fractions = _graded(float(beta), boxes // 2)
    corners = []
    for direction in (1, -1):
        previous = top
        for near, far in pairwise(fractions):
            # phi from pi/2 down to 0 (right), from pi/2 up to pi (left): the boxes differ by the sign of s
            sine, cosine = (arb.pi() / 2 * _interval(far, near, _PARTS)).sin_cos()
            s.append(acb(direction * wide * cosine, high * sine))
            before.append(previous)
            previous = len(s) - 1
        s.append(acb(direction * wide))
        before.append(previous)
        corners.append(len(s) - 1)
    images = [angle(x, p) for x in s]
    return Path(
        s=s,
        theta=[image[0] for image in images],
        derivative=[acb(image[1]) for image in images],
        before=before,
        boundary=range(top + 1, len(s)),
        right=corners[0],
        left=corners[1],
    )


_PARTS = 1 << 30


def _graded(beta: float, count: int) -> list[int]:
    """phi = beta sinh(x), x uniform, from pi/2 down to 0 in units of pi/2 * 2^-30.

    1 - s at phi is about (beta + i phi)^2/2: boxes may be wide only in proportion to |beta + i phi|. The grid
    needs no rigour, the boxes between its exact points do.
    """
    last = asinh(pi / (2 * beta))
    inner = (round(_PARTS * beta * sinh(last * j / count) / (pi / 2)) for j in range(count - 1, 0, -1))
    return [_PARTS, *inner, 0]


def _interval(low: int, high: int, parts: int) -> arb:
    """The ball around [low/parts, high/parts]."""
    return arb(fmpq(low + high, 2 * parts), fmpq(high - low, 2 * parts))
