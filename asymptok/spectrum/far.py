"""mu_k far out, proved: the exact terms of both ends, with the bound of the contour around them.

Along k, k+2, k+4, ... the gamma ratios follow a two-term recurrence, so that long ranges cost a few multiplications for
each degree; they are computed afresh now and then, before rounding adds up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import factorial
from typing import TypeVar

from flint import arb, arb_poly, arb_series, fmpq
from sympy import Expr

from asymptok.atlas.core import Bound, Core, Effort, require_integrable
from asymptok.atlas.factors import curve_factor, slit_factor
from asymptok.atlas.flat import core_in
from asymptok.atlas.inside import inside
from asymptok.atlas.local import Unproved
from asymptok.atlas.waves import inner_sum, least_degree, rest_bound
from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.laws.derive import decay
from asymptok.laws.numeric import term_balls
from asymptok.precision import flint_length, flint_precision
from asymptok.progress import each
from asymptok.spectrum.value import Value, Values

#: numbers of exponents that are tried
_TERMS = (9, 16, 26)
#: heights below which the strip is put where |kappa| is large on its edge, and what is large
_BELOW, _LARGE = (fmpq(1), fmpq(1, 4)), arb(2) ** 60
#: orders of the expansions at points inside
_ORDERS = (8, 18, 32)
#: steps of the recurrence before the gamma functions are called again
_AFRESH = 2048
#: spare bits
_SPARE = 80


def far_eigenvalues(expr: Expr, d: int, ks: Sequence[int], bits: int) -> Values:
    """The degrees of `ks` at which the contour gives mu_k to `bits` bits, with that mu_k; possibly none.

    >>> from asymptok import kernels
    >>> found = far_eigenvalues(kernels.ntk(3).expr, 3, [10**6], 100)[10**6]
    >>> found.proved, found.ball.rel_accuracy_bits() >= 100
    (True, True)
    """
    result: Values = {}
    try:
        law = decay(expr)
        for parity, mine in each(((0, law.even), (1, law.odd))):
            degrees = sorted(k for k in ks if k % 2 == parity)
            if mine.kind == "oscillatory":
                result |= _beside_points(expr, d, degrees, bits)
            if mine.kind != "algebraic" or mine.lead is None:
                continue
            for core in _cores(expr, d, _effort(bits, max(degrees, default=0))):
                left = [k for k in degrees if k not in result]
                if not left:
                    break
                require_integrable(core, d)
                result |= _along(core, d, left, mine.lead.nu, bits)
    except (AsymptokError, Unproved):
        return result
    return result


def _cores(expr: Expr, d: int, effort: Effort) -> Iterator[Core]:
    """What is tried in turn: more terms, or a lower strip where the bounds are large."""
    below: fmpq | None = None
    heights = list(_BELOW)
    for terms in _TERMS:
        core = core_in(expr, d, terms, effort, below=below)
        yield core
        while heights and not all(b.plus + b.minus + b.curve < _LARGE for b in core.bounds):
            below = heights.pop(0)
            core = core_in(expr, d, terms, effort, below=below)
            yield core


def _beside_points(expr: Expr, d: int, ks: Sequence[int], bits: int) -> Values:
    """With singular points inside: their exact terms, the bound of what these leave, and the ends."""
    found: Values = {}
    for order, count in zip(_ORDERS, _TERMS, strict=True):
        left = [k for k in ks if k not in found]
        if not left:
            break
        parts = inside(expr, order, count, _effort(bits, left[-1]))
        require_integrable(parts.core, d)
        base = _ends(parts.core, d, left)
        with flint_precision(bits + _SPARE + 4 * left[-1].bit_length()):
            for k in each(left):
                if k < least_degree(parts.terms) or k not in base:
                    continue
                error = sum((rest_bound(rest, k, d) for rest in parts.rests), arb(0))
                value = inner_sum(parts.terms, k, d) + base[k] + arb(0, error.upper())
                if not value.contains(0) and value.rel_accuracy_bits() >= bits:
                    found[k] = Value(value, True, "contour")
    return found


def _ends(core: Core, d: int, ks: Sequence[int]) -> dict[int, arb]:
    """What both ends add to mu_k, with the bound of the contour that leaves the least."""
    found: dict[int, arb] = {}
    with flint_precision(core.effort.bits):
        for k in each(ks):
            for bound in core.bounds:
                total, error = arb(0), bound.curve * curve_factor(arb(bound.height), k, d)
                if bound.beta is not None:
                    beta = ball(bound.beta)
                    if not beta < k:
                        continue
                    error = error + (bound.plus + bound.minus) * slit_factor(beta, k, d)
                    for exponent, powers in _groups(core, bound, None, -1 if k % 2 else 1):
                        laws = term_balls(k, d, ball(exponent), max(powers))
                        total = sum((c * laws[j] for j, c in powers.items()), total)
                value = total + arb(0, error.upper())
                if k not in found or value.rad() < found[k].rad():
                    found[k] = value
    return found


def _effort(bits: int, top: int) -> Effort:
    """Precision in steps, so that neighbouring questions share their core."""
    needed = -(-(bits + _SPARE + 4 * top.bit_length()) // 64) * 64
    return Effort(bits=needed + 64, points=needed)


def _along(core: Core, d: int, ks: Sequence[int], nu: Expr, bits: int) -> Values:
    """The degrees at which a bound of the core is sharp enough."""
    if core.bounds[-1].beta is None:
        return {}
    found: Values = {}
    with flint_precision(core.effort.bits):
        for k, total, error in _sums(core, d, ks, nu, bits):
            value = total + arb(0, error.upper())
            if not value.contains(0) and value.rel_accuracy_bits() >= bits:
                found[k] = Value(value, True, "contour")
    return found


Q = TypeVar("Q", arb, arb_series)


@dataclass(slots=True)
class _Walk:
    """One bound at one degree: of each exponent the sum, or mu_k of t^(e+x) as a power series in x."""

    groups: list[tuple[Expr, dict[int, arb]]]
    exponents: list[arb]
    values: list[arb | arb_poly]
    beta: arb
    slit: arb
    curve: arb

    @property
    def total(self) -> arb:
        return _total(self.values, self.groups)

    @property
    def error(self) -> arb:
        return self.slit + self.curve

    def step(self, k: int, d: int) -> None:
        """From k to k + 2; the factor of the curve decreases in k: one value serves until the next fresh start."""
        self.values = [_stepped(v, k, d, e) for v, e in zip(self.values, self.exponents, strict=True)]
        self.slit = self.slit * _step(k, d, self.beta)


def _sums(core: Core, d: int, ks: Sequence[int], nu: Expr, bits: int) -> Iterator[tuple[int, arb, arb]]:
    """(k, the sum of the terms, the bound around it) for each k > beta, all of one parity, ascending."""
    top = core.bounds[-1].beta
    assert top is not None
    highest = ball(top)
    walk: _Walk | None = None
    here, age = -1, 0
    for k in each([k for k in ks if highest < k]):
        if walk is None or age >= _AFRESH or k - here > 64:
            here, age = k, 0
            walk = _afresh(core, d, k, nu, bits)
        while here < k:
            walk.step(here, d)
            here, age = here + 2, age + 1
        yield k, walk.total, walk.error


def _afresh(core: Core, d: int, k: int, nu: Expr, bits: int) -> _Walk:
    """The bound with the fewest terms that is sharp enough at k, and so at later degrees; otherwise the last one."""
    for bound in core.bounds:
        assert bound.beta is not None
        groups, beta = _groups(core, bound, nu, -1 if k % 2 else 1), ball(bound.beta)
        exponents = [ball(e) for e, _ in groups]
        values = [_start(k, d, e, *group) for e, group in zip(exponents, groups, strict=True)]
        slit = (bound.plus + bound.minus) * slit_factor(beta, k, d)
        curve = bound.curve * curve_factor(arb(bound.height), k, d)
        walk = _Walk(groups, exponents, values, beta, slit, curve)
        if walk.error < abs(walk.total) * arb(2) ** (-bits - 8):
            break
    return walk


def _groups(core: Core, bound: Bound, nu: Expr | None, sign: int) -> list[tuple[Expr, dict[int, arb]]]:
    """exponent -> {log power: c_1 + sign c_-1}, from nu up to beta: below nu everything cancels exactly."""
    sums: dict[Expr, dict[int, arb]] = {}
    for term in core.terms:
        if bound.beta is not None and (nu is None or nu <= term.exponent) and term.exponent < bound.beta:
            powers = sums.setdefault(term.exponent, {})
            c = term.coefficient if term.at == 1 else sign * term.coefficient
            powers[term.log_power] = powers.get(term.log_power, arb(0)) + c
    return list(sums.items())


def _start(k: int, d: int, nu: arb, exponent: Expr, powers: dict[int, arb]) -> arb | arb_poly:
    """What one exponent contributes, if that is a multiple of Gamma(k-e)/Gamma(k+e+d-1): without logarithms, and with
    the first power of one at a whole e. Otherwise mu_k of t^(e+x) up to the highest power of x that is needed.
    """
    highest = max(powers)
    laws = term_balls(k, d, nu, highest)
    if highest == 0 or (highest == 1 and exponent.is_Integer):
        return powers[highest] * laws[highest]
    return arb_poly([law / factorial(j) for j, law in enumerate(laws)])


def _total(values: list[arb | arb_poly], groups: list[tuple[Expr, dict[int, arb]]]) -> arb:
    total = arb(0)
    for value, (_, powers) in zip(values, groups, strict=True):
        if isinstance(value, arb):
            total += value
        else:
            total = sum((c * factorial(j) * value[j] for j, c in powers.items()), total)
    return total


def _stepped(value: arb | arb_poly, k: int, d: int, nu: arb) -> arb | arb_poly:
    """The jet at k + 2."""
    if isinstance(value, arb):
        return value * _step(k, d, nu)
    length = len(value)
    with flint_length(length):
        x = arb_series([nu, 1], prec=length)
        factor = _step(k, d, x)
        return (value * arb_poly([factor[j] for j in range(length)])).truncate(length)


def _step(k: int, d: int, nu: Q) -> Q:
    """Gamma(k+2-nu)/Gamma(k+2+nu+d-1) over Gamma(k-nu)/Gamma(k+nu+d-1)."""
    low, high = k - nu, k + nu + (d - 1)
    return (low * (low + 1)) / (high * (high + 1))
