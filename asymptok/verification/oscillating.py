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
from sympy import Expr

from asymptok.balls import ball
from asymptok.laws import ParityDecay
from asymptok.laws.exact_terms import decay_exponent
from asymptok.laws.oscillation import amplitude
from asymptok.points import Array
from asymptok.spectrum import Spectrum
from asymptok.verification.results import Check, Comparison, ParityVerdict

__all__ = ["judge_oscillation"]

#: a fitted number may miss by this many times its last change
_MARGIN = 4
#: an answer that is not settled to this (relative) is no answer
_SETTLED = 0.01
_LOG2 = 0.6931471805599453


def judge_oscillation(
    law: ParityDecay, spectrum: Spectrum, ks: Sequence[int]
) -> tuple[ParityVerdict, list[Comparison]]:
    """mu_k N^(-p) is a sum of cosines of N theta_0 and of powers from the ends, N = k + (d-2)/2; p is the law's."""
    here = law.at(spectrum.d)
    found = _rows(law, spectrum, ks)
    ends = here.kind == "algebraic"
    name = f"{law.parity} k: {'leading term of the ends' if ends else 'envelope'}"
    if law.nu is None or any(p.location is None for p in law.interior):
        check = Check(name, None, "the strength or the place of the singular points is not known exactly")
        return ParityVerdict(law.parity, law.kind, (check,)), found
    size, constant = _number(law.exponent(spectrum.d)), _predicted(law, here, spectrum.d)
    top = ks[-1] if ks else 0
    upper = _fit(law, spectrum, [k for k in ks if k > top / 2], ends)
    lower = _fit(law, spectrum, [k for k in ks if top / 4 < k <= top / 2], ends)
    if upper is None or lower is None:
        check = Check(name, None, "too few k for a fit: raise kmax")
        return ParityVerdict(law.parity, law.kind, (check,)), found
    checks = [
        _constant_check(name, size, constant, upper, top // 2),
        _exponent_check(law.parity, size, upper, lower, here.log_power),
    ]
    slope = float(np.log(abs(upper.value / lower.value))) / _LOG2
    bend = (upper.slack + lower.slack) / _LOG2
    return ParityVerdict(
        law.parity, law.kind, tuple(checks), mpmath.mpf(size + slope), mpmath.mpf(bend)
    ), found


def _number(expr: Expr) -> float:
    return float(ball(expr, prec=64).mid())


def _predicted(law: ParityDecay, here: ParityDecay, d: int) -> float | None:
    """The amplitude of the waves, or the constant of the ends where these dominate; None with logarithms."""
    value = here.constant(d) if here.kind == "algebraic" else amplitude(law.interior, d)
    return None if value is None or here.log_power else _number(value)


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


def _constant_check(name: str, size: float, constant: float | None, fit: _Fit, start: int) -> Check:
    if constant is None:
        return Check(name, None, "no constant is predicted for this singularity")
    text = (
        f"the coefficient of N^({size:g}), N = k + (d-2)/2, fitted with cosines of N theta_0 for k > {start}: "
        f"{fit.value:.8g}; predicted {constant:.8g}; {_MARGIN} times the last change of the fit is {fit.slack:.1e}, "
        "relative"
    )
    passed = _verdict(abs(fit.value / constant - 1), fit)
    if passed is None:
        text += f"; what the fit leaves unexplained, {fit.doubt:.1e}, forbids a verdict: raise kmax"
    return Check(name, passed, text)


def _exponent_check(parity: str, size: float, upper: _Fit, lower: _Fit, logs: int) -> Check:
    slope = float(np.log(abs(upper.value / lower.value))) / _LOG2
    bend = (upper.slack + lower.slack) / _LOG2
    text = f"between the two halves of the range the exponent comes out as {size + slope:.6g}, predicted {size:.6g}"
    steady = abs(slope) <= bend
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


def _verdict(distance: float, fit: _Fit) -> bool | None:
    """A fit that has settled confirms; only one that also explains every mu_k contradicts."""
    if distance <= fit.slack and fit.slack <= _SETTLED:
        return True
    return distance <= fit.doubt if fit.doubt <= _SETTLED else None


def _fit(law: ParityDecay, spectrum: Spectrum, ks: Sequence[int], ends: bool) -> _Fit | None:
    """The coefficient of the ends, or the sum of the amplitudes, from a least-squares fit with corrections in 1/N."""
    d = spectrum.d
    assert law.nu is not None
    size, inner = _number(law.exponent(d)), -d / 2 - _number(law.nu)
    outer = None if law.lead is None else _number(decay_exponent(d, law.lead.nu))
    degrees = np.array(ks, dtype=float)
    n = degrees + (d - 2) / 2
    data = np.array([float(spectrum[k] * mpmath.mpf(x) ** (-size)) for k, x in zip(ks, n, strict=True)])
    angles = [float(ball(p.location, prec=64).acos().mid()) for p in law.interior if p.location is not None]
    waves = [_waves(degrees, n, angle) for angle in angles]
    answers, unexplained = [], []
    for orders in (1, 2, 3, 4):
        columns = [wave * n ** (inner - size - j) for j in range(orders) for pair in waves for wave in pair]
        place = len(columns)
        if outer is not None:
            columns += [n ** (outer - size - 2 * j) for j in range(orders)]
        if len(columns) > len(ks):
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
    slack = _MARGIN * (moves[best] + 1e-12 * abs(value)) / abs(value)
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
