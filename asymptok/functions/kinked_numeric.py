r"""Hermite coefficients and values of kappa = E[phi(X) phi(Y)] for an even or odd phi with kinks, with proved errors.

phi is given for x >= 0 by cells, each analytic around its closed interval. The coefficients a_n up to n = N come from
Gauss-Legendre rules on panels; f h_n p, p the normal density, is analytic in an ellipse around each, where

    |h_n(x+iy) p(x+iy)| <= 2 (n+1)^(1/4) e^(-x^2/4 + y^2/2 + |y| sqrt(n)) / sqrt(2 pi).

They fall like a power of n only. The jumps J of phi^(j) at a, j <= M, are taken over by P = sum J s_j(x - a),
s_j(x) = sign(x) x^j/(2 j!): the kernel of P is known (`jump_part`), psi = phi - P has M continuous derivatives, and

    sum_(n > N) a_n(psi)^2 <= (N-M)!/(N+1)! E[phi^(M+1)(X)^2],

where phi^(M+1) is differentiated cell by cell. With Cauchy and Schwarz what N terms leave out of kappa - kappa_P is at
most S (2 |phi| + S), S^2 the left-hand side and |phi|^2 = E[phi^2], on all of [-1, 1].
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from math import ceil, lgamma, log, sqrt

from flint import acb, arb, arb_poly, fmpq
from sympy import Expr, Symbol

from asymptok.errors import AsymptokError
from asymptok.functions.half_strip import Growth, constant, growth
from asymptok.functions.hermite_numeric import Squares
from asymptok.functions.jump_part import Jump, jump_coefficients, jump_kernel
from asymptok.functions.panels import (
    CRAMER,
    LOG_2,
    PROOF_BITS,
    RHO,
    Panel,
    ellipse,
    first_panel,
    gauss_error,
    gauss_rule,
    log_size,
    panel_moments,
)
from asymptok.functions.strips import Plan
from asymptok.patience import tick
from asymptok.precision import flint_precision
from asymptok.quantities import B

__all__ = ["KinkedCoefficients"]

#: N is one of these; the last is as much work as is done
_TIERS = (128, 256, 512, 1024, 1536, 2304, 3456, 5000, 7500, 11000)
#: orders of derivatives whose jumps are taken over
_MOST_JUMPS = 140
_STARTS = (16, 40)
#: bits of a second moment that are worked for at most
_MOST_BITS = 640


class KinkedCoefficients:
    """The coefficients of one activation: cells (upper end or None, expression), left to right from x = 0 on."""

    def __init__(
        self,
        cells: tuple[tuple[Expr | None, Expr], ...],
        x: Symbol,
        parity: int,
        values: Mapping[Symbol, arb],
    ) -> None:
        self.cells, self.x, self.parity, self.values = cells, x, parity, dict(values)
        self._moments: dict[int, arb] = {}
        self._known: dict[tuple[int, int], Squares] = {}
        self._raw: dict[tuple[int, int], list[arb]] = {}
        self._reduced: dict[tuple[int, int], tuple[arb_poly, arb, tuple[Jump, ...], int]] = {}

    @cached_property
    def _plans(self) -> list[Plan]:
        return [Plan(expr, self.x, self.values) for _, expr in self.cells]

    @cached_property
    def _far(self) -> tuple[int, arb, Growth] | None:
        """From where on, in which half width, and how phi grows."""
        with flint_precision(PROOF_BITS):
            for start in _STARTS:
                for width in (fmpq(1), fmpq(1, 2), fmpq(1, 8)):
                    found = growth(self.cells[-1][1], self.x, self.values, arb(start), arb(width))
                    last = self._ends[-2] if len(self.cells) > 1 else arb(0)
                    if found is not None and found.size.is_finite() and last + 1 < start:
                        return start, arb(width), found
        return None

    def _end(self, cell: int) -> arb:
        """Where a cell but the last one ends, at the precision in force."""
        high = self.cells[cell][0]
        assert high is not None
        return constant(high, self.values)

    @cached_property
    def _ends(self) -> list[arb]:
        return [*map(self._end, range(len(self.cells) - 1)), arb.pos_inf()]

    @cached_property
    def _panels(self) -> list[Panel] | None:
        """Up to where the growth is known; None if a cell is not shown analytic."""
        if self._far is None:
            return None
        with flint_precision(PROOF_BITS):
            return self._covered(arb(0), arb(self._far[0] + 1))

    def _covered(self, low: arb, stop: arb) -> list[Panel] | None:
        panels: list[Panel] = []
        cell = next(i for i, e in enumerate(self._ends) if not e <= low)
        while low < stop:
            end = self._ends[cell] if cell < len(self.cells) - 1 else stop
            while True:
                found = first_panel(self._plans[cell], cell, low, end)
                if found is None:
                    return None
                panels.append(found)
                low = found.high
                if not low < end:  # which is a ball where the kink is no rational number
                    break
            low = end
            cell = min(cell + 1, len(self.cells) - 1)
        return panels

    @property
    def exists(self) -> bool:
        """Whether phi is proved analytic on its cells, with exponential growth at most."""
        return self._panels is not None and self.jumps(1) is not None

    def require(self) -> None:
        if not self.exists:
            raise AsymptokError(
                "a piece of the activation is not proved analytic around its closed interval, with exponential growth "
                "at most: its Hermite coefficients are not had"
            )

    # what phi is made of ----------------------------------------------------------------------------------

    def jumps(self, order: int) -> tuple[Jump, ...] | None:
        """The jumps of phi, phi', ..., phi^(order) at the kinks a >= 0; those at -a follow from the parity."""
        found = []
        for i, plan in enumerate(self._plans):
            at = arb(0) if i == 0 else self._end(i - 1)
            right = plan.taylor(acb(at), order)
            left = [0] * (order + 1) if i == 0 else self._plans[i - 1].taylor(acb(at), order)
            if right is None or left is None:
                return None
            heights, factor = [], arb(1)
            for j in range(order + 1):
                factor = factor * max(j, 1)
                if i == 0:
                    heights.append(2 * right[j].real * factor if (self.parity + j) % 2 else arb(0))
                else:
                    heights.append((right[j] - left[j]).real * factor)
            found.append(Jump(at, tuple(heights)))
        return tuple(found)

    def log_derivative(self, order: int) -> arb:
        """log of a bound of E[phi^(order)(X)^2], by Cauchy's estimate."""
        assert self._panels is not None and self._far is not None
        start, width, far = self._far
        with flint_precision(PROOF_BITS):
            total, root = arb(0), arb(2).sqrt()
            for panel in self._panels:
                most = arb.pos_inf()
                for radius, bound in panel.discs:
                    most = arb.min(most, bound.log() - order * radius.log() if bound > 0 else -(arb(10) ** 6))
                chance = ((panel.high / root).erf() - (panel.low / root).erf()).upper()
                total += chance * (2 * most).exp()
            # from start + 1 on, discs of radius `width` <= 1 lie where the growth is known
            rate = arb.max(far.rate, arb(0))
            beyond = (far.size * (rate * width).exp() / width**order) ** 2
            total += beyond * (2 * rate**2).exp() * ((arb(start) - 2 * rate) / root).erfc()
            return total.log() + 2 * arb(order + 1).lgamma()

    # integrals --------------------------------------------------------------------------------------------

    def _nodes(
        self, reach: int, goal: Callable[[float], float], precision: Callable[[Panel], int]
    ) -> Iterator[tuple[Panel, arb, list[tuple[arb, arb, arb]]]]:
        """For each panel up to `reach` half its length and its nodes, (x, weight f(x), weight).

        Their number leaves rho^(-2m) < e^(-goal), the goal depending on the height of the ellipse.
        """
        assert self._panels is not None
        panels = [p for p in self._panels if not p.low >= reach]
        if panels[-1].high < reach:
            with flint_precision(PROOF_BITS):
                more = self._covered(panels[-1].high, arb(reach))
            if more is None:
                raise AsymptokError("the activation is not shown analytic far from zero")
            panels += more
        for panel in panels:
            with flint_precision(precision(panel)):
                low, high = (self._exact_edge(e, panel) for e in (panel.low, panel.high))
                half, middle = (high - low) / 2, (high + low) / 2
                plan = Plan(self.cells[panel.cell][1], self.x, self.values)
                count = ceil(goal(float(ellipse(half)[1].upper())) / (2 * log(RHO))) + 4
                nodes = []
                for node, weight in gauss_rule(count, precision(panel)):
                    tick("values of an activation")
                    x = middle + half * node
                    value = plan.at(acb(x))
                    nodes.append(
                        (x, half * weight * (arb.nan() if value is None else value.real), half * weight)
                    )
            yield panel, half, nodes

    def _exact_edge(self, edge: arb, panel: Panel) -> arb:
        """A kink at the precision in force; other edges are exact numbers, or differ from a kink by one."""
        if edge.is_exact():
            return edge
        before = self._end(panel.cell - 1) if panel.cell else arb(0)
        ends = [before]
        if panel.cell < len(self.cells) - 1:
            ends.append(self._end(panel.cell))
        for end in ends:
            steps = (edge - end) * 128
            whole = steps.unique_fmpz()
            if whole is not None:
                return end + arb(whole) / 128
        return edge

    def moment(self, bits: int) -> arb:
        """E[phi(X)^2], to about 2^-bits."""
        self.require()
        assert self._far is not None
        bits = min(bits, _MOST_BITS)
        size = min((s for s in self._moments if s >= bits), default=_rounded(bits))
        if size not in self._moments:
            start, _, far = self._far
            with flint_precision(size + 40):
                rate = arb.max(far.rate, arb(0))
                reach = (
                    max(float(start), sqrt(2 * (size * LOG_2 + 2 * log_size(far.size))))
                    + 2 * float(rate.upper())
                    + 2
                )
                goal = size * LOG_2 + 2 * log_size(far.size) + 6
                total, root, last = arb(0), (2 * arb.pi()).sqrt(), arb(0)
                for panel, half, nodes in self._nodes(ceil(reach), lambda _: goal, lambda _: size + 64):
                    for x, value, weight in nodes:
                        total += 2 * value * value / weight * (-x * x / 2).exp() / root
                    side, high = ellipse(half)
                    near = arb.max(panel.low - side, arb(0))
                    most = panel.most**2 * ((high**2 - near**2) / 2).exp() / root
                    total += arb(0, (2 * gauss_error(half, most, len(nodes))).upper())
                    last = panel.high
                total += arb(
                    0,
                    (far.size**2 * (2 * rate**2).exp() * ((last - 2 * rate) / arb(2).sqrt()).erfc()).upper(),
                )
                self._moments[size] = total
        return self._moments[size]

    def _coefficients(self, top: int, bits: int) -> list[arb]:
        """a_n for n = parity, parity + 2, ... <= top, to about 2^-bits."""
        key = (top, _rounded(bits))
        for (reached, size), known in self._raw.items():
            if reached >= top and size >= bits:
                return known[: (top - self.parity) // 2 + 1]
        self.require()
        assert self._far is not None
        bits = key[1]
        start, _, far = self._far
        rate = arb.max(far.rate, arb(0))
        reach = (
            max(float(start), 2 * sqrt(bits * LOG_2 + max(0.0, log_size(far.size))) + 1)
            + 2 * float(rate.upper())
            + 1
        )
        root = sqrt(top + 1.0)
        sums = [arb(0)] * ((top - self.parity) // 2 + 1)
        last = outside = arb(0)
        errors: list[tuple[arb, arb]] = []

        def precision(panel: Panel) -> int:
            here = float(panel.high.upper())
            turn = float((panel.high - panel.low).upper()) * root / 2
            return 64 * ceil((bits + 64 + (max(0.0, here * root - here * here / 2) + turn) / LOG_2) / 64)

        def goal(high: float) -> float:
            return bits * LOG_2 + high * root + high * high / 2 + 6

        for panel, half, nodes in self._nodes(ceil(reach), goal, precision):
            with flint_precision(precision(panel)):
                found, missed = panel_moments(nodes, panel.low, panel.high, top, bits)
                sums = [total + found[self.parity + 2 * i] for i, total in enumerate(sums)]
                outside += 2 * missed
            with flint_precision(PROOF_BITS):
                side, high = ellipse(half)
                near = arb.max(panel.low - side, arb(0))
                height = panel.most * (high**2 / 2 - near**2 / 4).exp() / (2 * arb.pi()).sqrt()
                errors.append((4 * gauss_error(half, height, len(nodes)), high))
            last = panel.high
        with flint_precision(PROOF_BITS):
            outside += (
                arb(CRAMER) * far.size * (rate**2).exp() * arb(2).sqrt() * ((last - 2 * rate) / 2).erfc()
            )
            heights: dict[float, tuple[arb, arb]] = {}
            for error, high in errors:
                most, top_height = heights.get(float(high.mid()), (arb(0), high))
                heights[float(high.mid())] = (most + error, arb.max(top_height, high))
        result = []
        factorial = arb(1)
        with flint_precision(bits + 64):
            for i, value in enumerate(sums):
                n = self.parity + 2 * i
                if i:
                    factorial = factorial * (n - 1) * n
                error = outside
                for share, high in heights.values():
                    error += share * arb(n + 1).root(4) * (high * arb(n).sqrt()).exp()
                result.append(2 * value * factorial.sqrt() + arb(0, error.upper()))
        self._raw[key] = result
        return result

    # kappa ------------------------------------------------------------------------------------------------

    def squares(self, bits: int, top: int) -> Squares:
        """a_n^2 up to n = top, and the sum of all others by Parseval's identity."""
        key = (_rounded(bits), top)
        if key not in self._known:
            moment = self.moment(bits + 32)
            with flint_precision(bits + 64):
                values = tuple(a * a for a in self._coefficients(top, bits))
                left = moment - sum(values, arb(0))
                self._known[key] = Squares(self.parity, values, arb.max(left.upper(), arb(0)), moment)
        return self._known[key]

    def left_out(self, top: int, bits: int | None = None) -> tuple[float, int]:
        """log of the bound of what N = top terms leave out of kappa - kappa_P, about, and the best M.

        With `bits` the least M that leaves out 2^-bits, if there is one: the fewer jumps, the fewer digits cancel.
        """
        best = (0.0, 0)
        for m, size in enumerate(self._sizes[: top // 3]):
            value = size + (lgamma(top - m + 1) - lgamma(top + 2)) / 2 + 1
            if m == 0 or value < best[0]:
                best = (value, m)
            if bits is not None and value < -bits * LOG_2:
                break
        return best

    @cached_property
    def _sizes(self) -> tuple[float, ...]:
        return tuple(float(bound.mid()) / 2 for bound in self._derivatives)

    @cached_property
    def _derivatives(self) -> tuple[arb, ...]:
        """log of bounds of E[phi^(m+1)(X)^2], m = 0, 1, ..."""
        return tuple(self.log_derivative(m + 1) for m in range(_MOST_JUMPS))

    def parts(self, bits: int, top: int) -> tuple[arb_poly, arb, tuple[Jump, ...], int]:
        """sum_(n <= top) (a_n^2 - a_n(P)^2) z^n as a polynomial in z^2, what the rest may add, the jumps and bits."""
        key = (_rounded(bits), top)
        if key not in self._reduced:
            bits = key[0]
            _, order = self.left_out(top, bits)
            jumps, prec = self._precise_jumps(order, bits)
            moment = self.moment(bits + 32)
            mine = self._coefficients(top, bits)
            with flint_precision(prec):
                other = jump_coefficients(jumps, self.parity, top)
                terms = [a * a - b * b for a, b in zip(mine, other, strict=True)]
            with flint_precision(PROOF_BITS):
                size = self._derivatives[order] + arb(top - order + 1).lgamma() - arb(top + 2).lgamma()
                s = (size / 2).exp()
                error = (s * (2 * moment.sqrt() + s)).upper()
            self._reduced[key] = (arb_poly(terms), error, jumps, prec)
        return self._reduced[key]

    def _precise_jumps(self, order: int, bits: int) -> tuple[tuple[Jump, ...], int]:
        """The jumps, at a precision that outlives the cancellation between kappa_P and its coefficients."""
        with flint_precision(PROOF_BITS):
            rough = self.jumps(order)
        assert rough is not None
        prec = bits + 96 + _cancelled(rough)
        with flint_precision(prec):
            jumps = self.jumps(order)
        assert jumps is not None
        return jumps, prec

    def top_for(self, bits: int) -> tuple[int, bool]:
        """N for which what is left out on [-1, 1] is below 2^-bits; False if there is none."""
        self.require()
        for top in _TIERS:
            if self.left_out(top, bits)[0] < -bits * LOG_2:
                return top, True
        return _TIERS[-1], False

    def at(self, z: arb, bits: int) -> arb:
        """kappa at an exact number in [0, 1], to about 2^-bits."""
        if z == 1:
            return self.moment(bits)
        goal = -bits * LOG_2
        slope = float(z.log().mid()) if z > 0 else -1e9
        for top in _TIERS:
            if slope * top < goal:
                return self.squares(bits, top).at(z)
            if slope * top + self.left_out(top, bits)[0] < goal or top == _TIERS[-1]:
                break
        poly, error, jumps, prec = self.parts(bits, top)
        with flint_precision(prec):
            value = jump_kernel(jumps, self.parity, z) + poly(z * z) * (z if self.parity else 1)
        return value + arb(0, (error * z ** (top + 1)).upper())

    def derivative(self, z: B, order: int, bits: int) -> B:
        """kappa^(order) at a real or complex ball with |z| < 1, from the series alone."""
        radius = abs(z).upper()
        goal = -bits * LOG_2
        slope = float(radius.log().mid()) if radius > 0 else -1e9
        top = next(
            (n for n in _TIERS if slope * (n - order) + order * log(n) < goal and n > 2 * order), _TIERS[-1]
        )
        found = self.squares(bits, top)
        n = found.degree + 2
        if not radius * (n + 1) < n + 1 - order:
            return z * arb.nan()
        coefficients = [arb(0)] * (found.degree + 1)
        for i, c in enumerate(found.values):
            coefficients[found.parity + 2 * i] = c
        poly = arb_poly(coefficients)
        for _ in range(order):
            poly = poly.derivative()
        falling = arb(1)
        for i in range(order):
            falling *= n - i
        rest = (found.tail * falling * radius ** (n - order)).upper()
        value = poly(z)
        if isinstance(value, acb):
            return value + acb(arb(0, rest), arb(0, rest))
        return value + arb(0, rest)


def _rounded(bits: int) -> int:
    return 32 * ceil(bits / 32)


def _cancelled(jumps: tuple[Jump, ...]) -> int:
    """Bits that kappa_P and its coefficients lose against each other, about."""
    size = 0.0
    for jump in jumps:
        for j, height in enumerate(jump.heights):
            # E[s_j(X)^2] is at most (2j)!/(2^j j! (j!)^2)
            value = log_size(abs(height) + arb((1, -200))) + lgamma(2 * j + 1) / 2 - 1.5 * lgamma(j + 1)
            size = max(size, value + float(abs(jump.at).upper()) * sqrt(j + 1.0))
    return int(2 * size / LOG_2) + 4 * len(jumps[0].heights)
