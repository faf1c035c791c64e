"""Singular points inside: waves, fitted beside what the ends leave, against the law in the dimension at hand.

In a dimension where the points dominate, or are as large as the ends, the fitted amplitude of the waves is compared;
where the ends dominate, the fitted coefficient of their leading power.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import mpmath
import numpy as np
from sympy import Add, Expr, Integer

from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.laws import ParityDecay
from asymptok.laws.exact_terms import decay_exponent
from asymptok.laws.numeric import ball_groups
from asymptok.points import Array
from asymptok.regularity import InteriorPoint
from asymptok.spectrum import Spectrum
from asymptok.verification.results import Check, Comparison, ParityVerdict

__all__ = ["judge_oscillation"]

#: a fitted number may miss by this many times its last change
_MARGIN = 4
#: an answer that is not settled to this (relative) is no answer
_SETTLED = 0.01
#: relative, of a least-squares fit in double precision; and what is too small to speak against a law
_ROUNDING, _FINEST = 1e-9, 1e-5
#: order to which the ends are expanded, the bits of their coefficients, and the digits that tell exponents apart
_ORDER, _BITS, _PLACES = 4, 128, 12
_WHAT = {False: "envelope", True: "leading term of the ends"}
_LOG2 = 0.6931471805599453


def judge_oscillation(
    law: ParityDecay, points: Sequence[InteriorPoint], spectrum: Spectrum, ks: Sequence[int]
) -> tuple[ParityVerdict, list[Comparison]]:
    """mu_k N^(-p) is a sum of cosines of N theta_0 and of powers from the ends, N = k + (d-2)/2; p is the law's."""
    here, found = law.at(spectrum.d), _rows(law, spectrum, ks)
    name = f"{law.parity} k: {_WHAT[here.kind == 'algebraic']}"
    model = _model(law, points, spectrum)
    if model is None:
        check = Check(name, None, "the strength or the place of the singular points is not known exactly")
        return ParityVerdict(law.parity, law.kind, (check,)), found
    top = ks[-1] if ks else 0
    late, early = [k for k in ks if k > top / 2], [k for k in ks if top / 4 < k <= top / 2]
    fits = {
        ends: (_fit(model, spectrum, late, ends), _fit(model, spectrum, early, ends))
        for ends in (False, True)
    }
    predicted = _predicted(law, here, spectrum.d)
    checks: list[Check] = []
    first, second = fits[next(iter(predicted))]
    if first is None or second is None:
        check = Check(name, None, "too few k for a fit: raise kmax")
        return ParityVerdict(law.parity, law.kind, (check,)), found
    for ends, (upper, lower) in fits.items():
        what = f"{law.parity} k: {_WHAT[ends]}"
        if ends in predicted:
            checks.append(_constant_check(what, model, ends, predicted[ends], upper, top // 2))
        elif model.power(ends) > model.size - _ROUNDING and upper is not None and lower is not None:
            checks += _left_out(what, model.power(ends), upper, lower)
    checks.append(_exponent_check(law.parity, model.size, first, second, here.log_power))
    slope = float(np.log(abs(first.value / second.value))) / _LOG2
    bend = (first.slack + second.slack) / _LOG2
    return ParityVerdict(
        law.parity, law.kind, tuple(checks), mpmath.mpf(model.size + slope), mpmath.mpf(bend)
    ), found


@dataclass(frozen=True, slots=True)
class _Model:
    """What mu_k is fitted with: the law's power of k, waves of one power, and powers and logarithms of the ends."""

    size: float
    inner: float
    angles: tuple[float, ...]
    outer: tuple[tuple[float, int], ...]

    def power(self, ends: bool) -> float:
        return self.inner if not ends else self.outer[0][0] if self.outer else -np.inf


def _model(law: ParityDecay, points: Sequence[InteriorPoint], spectrum: Spectrum) -> _Model | None:
    """The points with the law's power of k, and all that the ends of the kernel leave."""
    kernel, d = spectrum.kernel, spectrum.d
    nu = points[0].nu
    if nu is None or any(p.location is None for p in points):
        return None
    angles = [float(ball(p.location, prec=64).acos().mid()) for p in points if p.location is not None]
    powers: set[tuple[float, int]] = set()
    try:
        for group in ball_groups(kernel, _ORDER, _BITS)[0]:
            seen = [
                j for j, c in group.combined(law.sign).items() if (j or not group.whole) and not c.contains(0)
            ]
            # a whole exponent swallows one logarithm
            highest = max(seen, default=-1) - (1 if group.whole and seen else 0)
            first = round(1 - d - 2 * group.size, _PLACES)
            powers |= {(first - 2 * i, j) for i in range(_ORDER) for j in range(highest + 1)}
    except AsymptokError:
        pass
    if not powers and law.lead is not None:
        powers = {(_number(decay_exponent(d, law.lead.nu)) - 2 * i, 0) for i in range(_ORDER)}
    outer = tuple(sorted(powers, reverse=True))
    return _Model(_number(law.exponent(d)), -d / 2 - _number(nu), tuple(angles), outer)


def _number(expr: Expr) -> float:
    return float(ball(expr, prec=64).mid())


def _predicted(law: ParityDecay, here: ParityDecay, d: int) -> dict[bool, float | None]:
    """What leads, waves (False) or an end (True), with the sum of amplitudes or the constant; None with logarithms."""
    found: dict[bool, float | None] = {}
    if here.kind == "oscillatory":
        total = Add(*[w.amplitude(Integer(d)) for w in law.waves]) if law.waves else None
        found[False] = None if total is None or here.log_power else _number(total)
    if here.lead is not None:
        value = (here.end or here).constant(d)
        found[True] = None if value is None or here.log_power else _number(value)
    return found


def _left_out(name: str, power: float, upper: _Fit, lower: _Fit) -> list[Check]:
    """A term that the law does not name, at least as large as those that it names: seen twice, beyond doubt."""
    if max(upper.doubt, lower.doubt) > _SETTLED or abs(upper.value / lower.value - 1) > _SETTLED:
        return []
    text = (
        f"the law names none as large, and the coefficient of N^({power:g}), N = k + (d-2)/2, comes out as "
        f"{upper.value:.8g}"
    )
    return [Check(name, False, text)]


def _rows(law: ParityDecay, spectrum: Spectrum, ks: Sequence[int]) -> list[Comparison]:
    """Each mu_k beside the bound of the law in this dimension."""
    here, d = law.at(spectrum.d), spectrum.d
    bound = None if law.nu is None else law.constant(d)
    rows = []
    for k in ks:
        predicted = None
        if bound is not None and k > (1 if here.log_power else 0):
            size = mpmath.mpf(k) ** _number(law.exponent(d)) * mpmath.log(k) ** here.log_power
            predicted = mpmath.mpf(_number(bound)) * size
            if here.kind == "oscillatory" and spectrum[k] < 0:
                # the sign is not predicted: the envelope takes that of mu_k, and the ratio is at most about one
                predicted = -predicted
        rows.append(Comparison(k, spectrum[k], spectrum.error(k), predicted))
    return rows


def _constant_check(
    name: str, model: _Model, ends: bool, constant: float | None, fit: _Fit | None, start: int
) -> Check:
    if fit is None:
        return Check(name, None, "nothing of this kind is found in the numbers")
    if constant is None:
        return Check(name, None, "no constant is predicted for this singularity")
    power = model.power(ends)
    text = (
        f"the coefficient of N^({power:g}), N = k + (d-2)/2, fitted with cosines of N theta_0 for k > {start}: "
        f"{fit.value:.8g}; predicted {constant:.8g}; {_MARGIN} times the last change of the fit is {fit.slack:.1e}, "
        "relative"
    )
    passed = _verdict(constant, fit)
    if abs(power - model.size) > _ROUNDING:
        passed = False if fit.doubt <= _SETTLED else None
        text += f", of N^({model.size:g})"
    if passed is None:
        text += f"; what the fit leaves unexplained, {fit.doubt:.1e}, forbids a verdict: raise kmax"
    return Check(name, passed, text)


def _exponent_check(parity: str, size: float, upper: _Fit, lower: _Fit, logs: int) -> Check:
    slope = float(np.log(abs(upper.value / lower.value))) / _LOG2
    bend = (upper.slack + lower.slack) / _LOG2
    text = f"between the two halves of the range the exponent comes out as {size + slope:.6g}, predicted {size:.6g}"
    steady = abs(slope) <= bend + _FINEST
    doubtful = not steady and max(upper.doubt, lower.doubt) > _SETTLED
    # a power of log k bends the slope by j/log k, which no fit here takes off
    passed = steady if bend < 0.1 and not doubtful and not logs else None
    return Check(f"{parity} k: exponent", passed, text)


@dataclass(frozen=True, slots=True)
class _Fit:
    """A fitted number; `slack` is what it still moves by, `doubt` that and what the fit leaves over (relative)."""

    value: float
    slack: float
    doubt: float


def _verdict(constant: float, fit: _Fit) -> bool | None:
    """A fit that has settled confirms; only one that also explains every mu_k contradicts."""
    distance, value = abs(fit.value - constant), abs(fit.value)
    if distance <= fit.slack * abs(constant) and fit.slack <= _SETTLED:
        return True
    doubt, size = fit.doubt * value, max(value, abs(constant))
    return distance <= doubt + _FINEST * size if doubt <= _SETTLED * size else None


def _fit(model: _Model, spectrum: Spectrum, ks: Sequence[int], ends: bool) -> _Fit | None:
    """The coefficient of the ends, or the sum of the amplitudes, from a least-squares fit with corrections in 1/N."""
    size, inner = model.size, model.inner
    degrees = np.array(ks, dtype=float)
    n = degrees + (spectrum.d - 2) / 2
    data = np.array([float(spectrum[k] * mpmath.mpf(x) ** (-size)) for k, x in zip(ks, n, strict=True)])
    waves = [_waves(degrees, n, angle) for angle in model.angles]
    answers, unexplained = [], []
    for orders in (1, 2, 3, 4):
        columns = [wave * n ** (inner - size - j) for j in range(orders) for pair in waves for wave in pair]
        place = len(columns)
        columns += [n ** (p - size) * np.log(n) ** j for p, j in model.outer[:orders]]
        if len(columns) > len(ks) or (ends and not model.outer):
            break
        matrix = np.stack(columns, axis=1)
        solution = np.linalg.lstsq(matrix, data, rcond=None)[0]
        answers.append(float(solution[place]) if ends else _total(solution, waves))
        # with as many columns as data everything is explained, and nothing is learnt from it
        free = len(ks) - len(columns)
        rest = float(np.linalg.norm(matrix @ solution - data))
        unexplained.append(rest / free**0.5 if free else np.inf)
    if len(answers) < 2:
        return None
    moves = [abs(b - a) for a, b in pairwise(answers)]
    best = min(range(len(moves)), key=lambda i: moves[i])
    value = answers[best + 1]
    if not abs(value) > 0:
        return None
    rounding = 1e-12 * max(abs(value), float(np.max(np.abs(data))))
    slack = _MARGIN * (moves[best] + _ROUNDING * abs(value)) / abs(value)
    return _Fit(value, slack, slack + _MARGIN * (unexplained[best + 1] + rounding) / abs(value))


def _total(solution: Array, waves: Sequence[Sequence[object]]) -> float:
    """The sum of the amplitudes of the leading waves."""
    place, total = 0, 0.0
    for pair in waves:
        total += float(np.linalg.norm(solution[place : place + len(pair)]))
        place += len(pair)
    return total


def _waves(k: Array, n: Array, angle: float) -> list[Array]:
    """cos and sin of N theta_0; at theta_0 = pi/2 both are multiples of one sign pattern for k of one parity."""
    if abs(angle - np.pi / 2) < 1e-12:
        return [(-1.0) ** (k // 2)]
    return [np.cos(n * angle), np.sin(n * angle)]
