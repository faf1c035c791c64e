r"""mu_k of kernels made of Hermite duals: from Taylor coefficients at 0 that are known to be >= 0.

For kappa = sum b_p u^p,  mu_k = sum_p b_p m_k(p) with m_k(p) = mu_k(u^p) in [0, 1]. A part of the kernel whose
coefficients are all >= 0 is kept as a polynomial that lies below it, coefficient by coefficient; what that leaves out
adds up to the difference of their values at u = 1, and nothing else about it is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from time import thread_time

from flint import arb, arb_poly, arb_series
from sympy import Expr, S

from asymptok import dag
from asymptok.atlas.local import Unproved
from asymptok.balls import ball
from asymptok.errors import PrecisionError
from asymptok.functions.hermite import HermiteDual
from asymptok.patience import need, tick
from asymptok.precision import flint_length, flint_precision
from asymptok.progress import each
from asymptok.spectrum.value import Value, Values
from asymptok.symbols import u

__all__ = ["has_hermite_dual", "power_series_values"]

#: coefficients that are used at most, and rounds with more of them
_MOST, _ROUNDS = 6000, 8
#: how many times as long the next round may take
_LONGER = 4


def has_hermite_dual(expr: Expr) -> bool:
    return bool(_duals(expr))


def _duals(expr: Expr) -> list[HermiteDual]:
    """The functions of u that are defined by Hermite coefficients; second moments of others are constants."""
    return [node for node in dag.postorder(expr) if isinstance(node, HermiteDual) and node.has(u)]


def power_series_values(expr: Expr, d: int, ks: Sequence[int], bits: int) -> Values:
    """mu_k for k in `ks` to `bits` bits relative to each value."""
    # mu_k is about exp(-(3/2) (2 tau k)^(2/3)), and the tail has to be smaller still
    small = 1.5 * (2 * _width(expr) * max(ks)) ** (2 / 3) / log(2)
    work, length, before = bits + 32 + int(small), max(256, 4 * max(ks)), 0
    last, start = 0.0, thread_time()
    for _ in range(_ROUNDS):
        need(_LONGER * last, f"a power series with {length} coefficients")
        with flint_precision(work + 32), flint_length(length):
            found = _Series(length, work).of(expr)
            values = {k: _eigenvalue(found, d, k) for k in each(ks)}
        last, start = thread_time() - start, thread_time()
        short = max(bits - (0 if v.contains(0) else int(v.rel_accuracy_bits())) for v in values.values())
        if short <= 0:
            return {k: Value(v, True, "power series") for k, v in values.items()}
        if found.cut:
            length *= 2
        if (
            not found.cut or before <= short + bits // 8
        ):  # longer did not help: the coefficients themselves are short
            work += max(32, short if not found.cut else 0, bits // 2)
        before = short
        if length > _MOST:
            break
    raise PrecisionError(
        f"mu_k to {bits} bits needs more than {_MOST} Taylor coefficients of the kernel: ask for fewer digits, or "
        "for a smaller k"
    )


def _width(expr: Expr) -> float:
    """The width of the narrowest strip: how much work to begin with."""
    with flint_precision(64):
        return min(float(type(n).coefficients(*map(ball, n.args[:-1])).strip.width) for n in _duals(expr))


@dataclass(frozen=True, slots=True)
class _Part:
    """A polynomial below the function; `left`: the sum of what it leaves out of all coefficients, in absolute value.

    `up`: all coefficients are >= 0, and so is what is left out. `cut`: the polynomial was cut at the length.
    """

    series: arb_series
    left: arb
    up: bool
    cut: bool = False


class _Series:
    def __init__(self, length: int, bits: int) -> None:
        self.length, self.bits = length, bits

    def of(self, expr: Expr) -> _Part:
        done: dict[Expr, _Part] = {}
        for node in dag.postorder(expr):
            tick("power series")
            if node.has(u):
                done[node] = self._node(node, done)
        return done[expr]

    def _node(self, node: Expr, done: dict[Expr, _Part]) -> _Part:
        if node == u:
            return _Part(arb_series([0, 1]), arb(0), True)
        if node.is_Add or node.is_Mul:
            parts = [done[a] if a in done else self._constant(a) for a in node.args]
            return self._sum(node, parts) if node.is_Add else self._product(node, parts)
        if node.is_Pow and node.exp.is_Integer and node.exp > 0:
            return self._product(node, [done[node.base]] * int(node.exp))
        if isinstance(node, HermiteDual) and not any(a.has(u) for a in node.args[:-1]):
            return self._dual(node, done[node.args[-1]])
        raise Unproved(f"{type(node).__name__} beside a kernel that is defined by Hermite coefficients")

    def _constant(self, expr: Expr) -> _Part:
        value = ball(expr)
        if not value.is_finite():
            raise Unproved(f"{expr} is no finite number")
        return _Part(arb_series([value]), arb(0), bool(value >= 0))

    def _sum(self, node: Expr, parts: list[_Part]) -> _Part:
        series = sum((p.series for p in parts[1:]), parts[0].series)
        left = sum((p.left for p in parts), arb(0))
        return _Part(series, left, all(p.up for p in parts), any(p.cut for p in parts))

    def _product(self, node: Expr, parts: list[_Part]) -> _Part:
        constants = [p for p in parts if p.series.length() <= 1 and not p.left > 0]
        others = [p for p in parts if p not in constants]
        factor = arb(1)
        for p in constants:
            factor *= p.series[0] if p.series.length() else 0
        if len(others) == 1:
            only = others[0]
            return _Part(
                only.series * factor, only.left * abs(factor), only.up and bool(factor >= 0), only.cut
            )
        if not all(p.up for p in parts):
            raise Unproved("a product of series with coefficients of both signs")
        series = arb_series([factor])
        degree = 0
        for p in others:
            degree += p.series.length() - 1
            series = series * p.series
        return self._below(node, series, any(p.cut for p in others) or degree >= self.length)

    def _dual(self, node: HermiteDual, inner: _Part) -> _Part:
        if not inner.up:
            raise Unproved("a correlation with negative Taylor coefficients")
        given = [ball(a) for a in node.args[:-1]]
        found = type(node).squares(*given, bits=self.bits)
        if node.args[-1] == u:
            # its own coefficients, whatever the length
            spread = [c for square in found.values for c in (_least(square), 0)]
            with flint_length(len(spread) + 2):
                return self._below(node, arb_series([0, *spread] if found.parity else spread), False)
        value = _composed([_least(c) for c in found.values], inner.series * inner.series)
        value = value * inner.series if found.parity else value
        cut = inner.cut or found.degree * (inner.series.length() - 1) >= self.length
        return self._below(node, value, cut)

    def _below(self, node: Expr, series: arb_series, cut: bool) -> _Part:
        """What is left out, from the values at u = 1."""
        top = ball(dag.rebuild(node, {u: S.One}))  # a correlation is 1 there, and the value a second moment
        total = sum((series[j] for j in range(series.length())), arb(0))
        left = (top - total).upper()
        if not left.is_finite():
            raise Unproved(f"{node} has no finite value at u = 1")
        return _Part(series, arb.max(left, arb(0)), True, cut)


def _least(square: arb) -> arb:
    """A lower bound of a square: one that is known to be small only is left out."""
    return arb.max(square.lower(), arb(0))


def _composed(coefficients: list[arb], inner: arb_series) -> arb_series:
    """sum_m c_m inner^m: of a series without constant term, and in u^2 where there are no odd powers."""
    constant = inner[0]
    outer = arb_series(list(arb_poly(coefficients)(arb_poly([constant, 1]))))
    powers = [arb(0), *(inner[j] for j in range(1, inner.length()))]
    step = 1 if any(powers[1::2]) else 2
    value = outer(arb_series(powers[::step]))
    spread = [arb(0)] * (step * value.length())
    spread[::step] = [value[j] for j in range(value.length())]
    return arb_series(spread)


def _eigenvalue(part: _Part, d: int, k: int) -> arb:
    """sum_p b_p m_k(p), m_k(p+2)/m_k(p) = (p+1)(p+2)/((p-k+2)(p+k+d)), m_k(k) = prod_j (j+1)/(d+2j)."""
    weight = arb(1)
    for j in range(k):
        weight = weight * (j + 1) / (d + 2 * j)
    total, most = arb(0), weight
    length = part.series.length()
    p = k
    while p < length:
        total += part.series[p] * weight
        most = arb.max(most, weight)
        weight = weight * ((p + 1) * (p + 2)) / ((p - k + 2) * (p + k + d))
        p += 2
    # m_k rises up to p = (k^2 + (d-2)k + 2 - 2d)/(d-1) and falls from there
    if p * (d - 1) < k * k + (d - 2) * k:
        most = arb(1)
    rest = (part.left * arb.min(most, arb(1))).upper()
    return total + (rest / 2 + arb(0, rest / 2) if part.up else arb(0, rest))
