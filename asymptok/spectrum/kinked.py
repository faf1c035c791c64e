r"""mu_k of kernels of activations with a kink at zero: the part of the jumps in closed form, the rest from its series.

kappa = kappa_P + sum_n e_n u^n, P = sum_j J_j sign(x) x^j/(2 j!) (`jump_part`). On the sphere sign(u) u^j/2 has
the coefficient lambda_(k,j) of the arc-cosine kernel of order j, for k + j odd, and with the length r of a standard
normal vector in R^d, E[r^m] = 2^(m/2) Gamma((m+d)/2)/Gamma(d/2),

    mu_k(kappa_P) = sum_ij J_i J_j/(i! j!) E[r^(i+j)] lambda_(k,i) lambda_(k,j).

mu_k(u^n) lies in [0, 1], so that what is left out of the series bounds what is left out of mu_k.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log2

import sympy
from flint import arb, fmpq
from sympy import Expr, Poly, PolynomialError

from asymptok import dag
from asymptok.atlas.local import Unproved
from asymptok.balls import ball
from asymptok.errors import PrecisionError
from asymptok.functions.kinked import KinkedDual
from asymptok.precision import flint_precision
from asymptok.spectrum.cores import times_u
from asymptok.spectrum.value import Value, Values
from asymptok.symbols import u

__all__ = ["kinked_nodes", "kinked_values", "split_kinked"]

#: log(2), rounded
_LOG_2 = 0.6931
_ROUNDS = 6


def kinked_nodes(expr: Expr) -> list[KinkedDual]:
    return [node for node in dag.postorder(expr) if isinstance(node, KinkedDual) and node.has(u)]


def split_kinked(expr: Expr) -> tuple[dict[KinkedDual, Poly], Expr]:
    """expr = sum of polynomials times functions with kinks, of u itself, and the rest."""
    nodes = kinked_nodes(expr)
    names = {node: sympy.Dummy() for node in nodes}
    if any(node.args[-1] != u or node.order for node in nodes):
        raise Unproved("an activation with kinks of something else than u: a deeper network")
    plain = dag.rebuild(expr, names).expand()
    found: dict[KinkedDual, Poly] = {}
    for node, name in names.items():
        factor = plain.coeff(name, 1)
        plain = (plain - factor * name).expand()
        try:
            found[node] = Poly(factor, u)
        except PolynomialError:
            raise Unproved("an activation with kinks times something else than a polynomial") from None
        if factor.has(*names.values()):
            raise Unproved("a product of kernels of activations with kinks")
    if plain.has(*names.values()):
        raise Unproved("a power of the kernel of an activation with kinks")
    return found, plain


def kinked_values(found: dict[KinkedDual, Poly], d: int, ks: Sequence[int], bits: int) -> Values:
    """mu_k of the sum of polynomials times functions with kinks, to `bits` bits relative to each value."""
    wide = max(poly.degree() for poly in found.values())
    degrees = list(range(max(0, min(ks) - wide), max(ks) + wide + 1))
    goal = bits + 12 + max(_smallness(node, d, max(ks)) for node in found)
    for _ in range(_ROUNDS):
        with flint_precision(goal + 64):
            total = {k: arb(0) for k in ks}
            reached = True
            for node, poly in found.items():
                moments, full = _moments(node, d, degrees, goal)
                reached = reached and full
                for (power,), c in poly.terms():
                    now, inner = moments, list(degrees)
                    for _ in range(power):
                        inner = [k for k in inner if (k == 0 or k - 1 in now) and k + 1 in now]
                        now = times_u(now, d, inner)
                    for k in ks:
                        total[k] += ball(c) * now[k]
        short = max(bits - (0 if v.contains(0) else int(v.rel_accuracy_bits())) for v in total.values())
        if short <= 0:
            return {k: Value(v, True, "power series") for k, v in total.items()}
        if not reached:
            break
        goal += short + 8
    raise PrecisionError(
        f"mu_k to {bits} bits needs more Hermite coefficients than are computed: ask for fewer digits "
        f"({max(1, int((bits - short) * 0.3))} can be had), or for smaller k"
    )


def _smallness(node: KinkedDual, d: int, k: int) -> int:
    """-log2 of k^(-d-2m), m the order of the first derivative that jumps: how small mu_k is, about."""
    source = type(node).pieces(*(ball(a) for a in node.args[:-1]))
    source.require()
    jumps = source.jumps(6)
    if jumps is None:
        raise Unproved("the jumps of a derivative of the activation are not known")
    heights = jumps[0].heights
    first = next((j for j, h in enumerate(heights) if not h.contains(0)), 6)
    return int((d + 2 * first) * log2(k + 2) / 2 if k < 4 else (d + 2 * first) * log2(k))


def _moments(node: KinkedDual, d: int, ks: Sequence[int], bits: int) -> tuple[dict[int, arb], bool]:
    """mu_k of one function; False if the precision asked for is beyond the work that is done."""
    cls = type(node)
    given = [ball(a) for a in node.args[:-1]]
    source = cls.pieces(*given)
    top, full = source.top_for(bits)
    poly, error, jumps, prec = source.parts(bits, top)
    if len(jumps) > 1:
        raise Unproved("a kink away from zero in an activation without a closed form")
    result: dict[int, arb] = {}
    with flint_precision(prec):
        terms = poly.coeffs()
        for k in ks:
            if k % 2 != cls.parity:
                result[k] = arb(0)
                continue
            value, weight = _series_moment(terms, cls.parity, d, k)
            # m_k(n) falls from n = (k^2 + (d-2) k)/(d-1) on
            most = arb.min(weight, arb(1)) if top * (d - 1) > k * k + (d - 2) * k else arb(1)
            result[k] = _jump_moment(jumps[0].heights, d, k) + value + arb(0, (error * most).upper())
    return result, full


def _jump_moment(heights: Sequence[arb], d: int, k: int) -> arb:
    half = arb(fmpq(d, 2)).gamma()
    weights = []
    for j, height in enumerate(heights):
        if (k + j) % 2 == 0:
            weights.append(arb(0))
            continue
        # J_j/j! times Gamma(d/2) j!/(2^(j+1) Gamma(1+(j-k)/2) Gamma((j+k+d)/2))
        gammas = arb(fmpq(2 + j - k, 2)).rgamma() * arb(fmpq(j + k + d, 2)).rgamma()
        weights.append(height * half * gammas / arb(2) ** (j + 1))
    radial = [arb(2) ** fmpq(m, 2) * arb(fmpq(m + d, 2)).gamma() / half for m in range(2 * len(heights))]
    total = arb(0)
    for i, a in enumerate(weights):
        if not a.is_zero():
            total += a * sum((b * radial[i + j] for j, b in enumerate(weights) if not b.is_zero()), arb(0))
    return total


def _series_moment(terms: Sequence[arb], parity: int, d: int, k: int) -> tuple[arb, arb]:
    """sum_n e_n m_k(n), and the next m_k(n), by m_k(n+2)/m_k(n) = (n+1)(n+2)/((n-k+2)(n+k+d))."""
    weight = arb(1)
    for j in range(k):
        weight = weight * (j + 1) / (d + 2 * j)
    total = arb(0)
    for n in range(k, parity + 2 * len(terms), 2):
        total += terms[(n - parity) // 2] * weight
        weight = weight * ((n + 1) * (n + 2)) / ((n - k + 2) * (n + k + d))
    return total, weight
