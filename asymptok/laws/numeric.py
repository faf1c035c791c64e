"""The terms of both ends as balls, and the eigenvalues of each: docs/spectrum.md, eqs. (4) to (7), in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from math import factorial, inf, lgamma, log, log1p, pi

from flint import arb, arb_series, fmpq

from asymptok.balls import ball
from asymptok.constants.exponents import Form, Ranges, exponent_to_expr
from asymptok.errors import ExpansionError, Undecided
from asymptok.expansion import Expansion, expand
from asymptok.kernels.kernel import Kernel
from asymptok.laws.terms import both_ends, whole
from asymptok.precision import flint_length, flint_precision
from asymptok.truth import Truth

__all__ = ["BallGroup", "ball_groups", "contribution", "log_size", "term_balls"]


@dataclass(frozen=True, slots=True)
class BallGroup:
    """All terms at one exponent, as balls: log power -> coefficient, at +1 and at -1."""

    exponent: arb
    size: float
    whole: bool
    plus: Mapping[int, arb]
    minus: Mapping[int, arb]
    #: sign -> log power -> logarithm of the coefficient that this parity sees; every degree asks for the same
    _logs: dict[int, dict[int, float]] = field(default_factory=dict, init=False, compare=False)

    def combined(self, sign: int) -> dict[int, arb]:
        powers = {*self.plus, *self.minus}
        zero = arb(0)
        return {j: self.plus.get(j, zero) + sign * self.minus.get(j, zero) for j in powers}

    def logs(self, sign: int) -> dict[int, float]:
        """log |coefficient| for each power of the logarithm, without those that cancel."""
        if sign not in self._logs:
            sizes = {j: _log_upper(c) for j, c in self.combined(sign).items()}
            self._logs[sign] = {j: size for j, size in sizes.items() if size > -inf}
        return self._logs[sign]


def ball_groups(kernel: Kernel, order: int, bits: int) -> tuple[tuple[BallGroup, ...], float]:
    """The terms of both ends with exponents up to the order, ascending, and the exponent from which terms may miss.

    They are good to at least `bits` bits: few different precisions, so that all degrees share them.
    """
    return _groups(kernel, order, -(-bits // 64) * 64)


@lru_cache(maxsize=64)
def _groups(kernel: Kernel, order: int, bits: int) -> tuple[tuple[BallGroup, ...], float]:
    ranges = Ranges(kernel.parameters)
    found: dict[tuple[Form, fmpq], tuple[dict[int, arb], dict[int, arb]]] = {}
    limit = inf
    with flint_precision(bits):
        for side, at in enumerate((1, -1)):
            terms, remainder = _ball_terms(kernel, at, order, bits)
            limit = min([limit, *remainder])
            for c, form, rest, j in terms:
                found.setdefault((form, rest), ({}, {}))[side][j] = c
        made = []
        for (form, rest), sides in found.items():
            exponent = ball(exponent_to_expr(form, rest)) if form else arb(rest)
            integer = whole(form, rest, ranges) is Truth.TRUE
            made.append(BallGroup(exponent, float(exponent.mid()), integer, *sides))
    complete = min(limit, order + 1e-9)
    kept = sorted((g for g in made if g.size <= complete), key=lambda g: g.size)
    return tuple(kept), (limit if limit < inf else inf)


def _ball_terms(
    kernel: Kernel, at: int, order: int, bits: int
) -> tuple[list[tuple[arb, Form, fmpq, int]], list[float]]:
    try:
        expansion: Expansion = expand(kernel, at=at, order=order, balls=True, bits=bits, unbounded=True)
    except (Undecided, ExpansionError):
        # A zero test that balls leave open: take the exact coefficients, and then their balls.
        expansion = both_ends(kernel, order)[0 if at == 1 else 1]
    series = expansion.series
    terms = [(series.dom.enclosure(c, bits), form, rest, j) for c, form, rest, j in series.terms()]
    remainder = [float(ball(exponent_to_expr(form, rest)).mid()) for form, rest, _ in series.rem]
    return terms, remainder


# one term ----------------------------------------------------------------------------------------------------


def term_balls(k: int, d: int, nu: arb, highest: int) -> list[arb]:
    """mu_k of (1-u)^nu (log(1-u))^j for j = 0 .. highest, as balls: eq. (4) differentiated in nu through jets.

    >>> term_balls(4, 3, arb(fmpq(1, 2)), 0)[0].contains(fmpq(-2, 693) * arb(2).sqrt())
    True
    """
    with flint_length(highest + 1):
        length = highest + 1

        def jet(start: arb, slope: int) -> arb_series:
            return arb_series([start, slope], prec=length)

        exponent = jet(nu + (d - 2), 1) * arb(2).log() + jet(nu + arb(fmpq(d - 1, 2)), 1).lgamma()
        exponent = exponent - jet(nu + (k + d - 1), 1).lgamma()
        if k - nu > 0:
            factor = (exponent + jet(k - nu, -1).lgamma()).exp() * jet(-nu, -1).rgamma()
        else:
            # Gamma(k - nu)/Gamma(-nu) as a product: no pole gets in the way
            factor = exponent.exp()
            for i in range(k):
                factor = factor * jet(i - nu, -1)
        scale = arb(fmpq(d, 2)).gamma() / arb.pi().sqrt()
        return [factor[j] * scale * factorial(j) for j in range(length)]


def contribution(group: BallGroup, sign: int, k: int, d: int) -> arb:
    """What one exponent adds to mu_k."""
    coefficients = group.combined(sign)
    laws = term_balls(k, d, group.exponent, max(coefficients))
    # For k > nu a whole power has no eigenvalue; the ball of its law would be a needless [+- tiny].
    skip = 0 if group.whole and k > group.size else -1
    return sum((c * laws[j] for j, c in coefficients.items() if j != skip), arb(0))


def log_size(group: BallGroup, sign: int, k: int, d: int) -> float:
    """The logarithm of the size of a term without its factor sin(pi nu): -oo where the coefficients cancel."""
    nu = group.size
    logarithm = log(2 * log(k + 2))
    largest = max((size + j * logarithm for j, size in group.logs(sign).items()), default=-inf)
    if largest == -inf:
        return -inf
    prefactor = lgamma(d / 2) - log(pi) / 2 + (nu + d - 2) * log(2)
    # 1/Gamma(-nu) = -Gamma(1+nu) sin(pi nu)/pi; below nu = 0 it has no zeros, and 1 + nu may be a pole
    outer = lgamma(1 + nu) - log(pi) if nu >= 0 else -lgamma(-nu)
    return largest + prefactor + lgamma(nu + (d - 1) / 2) + outer + _log_ratio(k, d, nu)


def _log_upper(c: arb) -> float:
    """log |c|, -oo for what is zero as far as balls can tell; through mantissa and exponent, since floats overflow."""
    bound = c.abs_upper()
    if not bound > 0 or (c.contains(0) and bound < arb(2) ** -40):
        return -inf
    man, e = map(int, bound.mid().man_exp())
    shift = max(0, man.bit_length() - 60)
    return log(man >> shift) + (shift + e) * log(2)


def _log_ratio(k: int, d: int, nu: float) -> float:
    """log Gamma(k-nu)/Gamma(k+nu+d-1); far out by its leading term, where the difference would lose all digits."""
    if k > 10**7:
        return -(2 * nu + d - 1) * (log(k) + log1p((d - 2) / (2 * k)))
    return lgamma(k - nu) - lgamma(k + nu + d - 1)
