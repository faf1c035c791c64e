"""Laws that name no value for a single k: exact zeros, geometric and faster decay."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import mpmath
from mpmath import mpf
from sympy import Expr, oo

from asymptok.balls import ball
from asymptok.laws import ParityDecay
from asymptok.laws.stretched import Stretched
from asymptok.precision import digits_to_bits, flint_precision, mpmath_precision
from asymptok.quantities import midpoint
from asymptok.spectrum import Spectrum
from asymptok.verification.double import DoubleSpectrum
from asymptok.verification.fits import Basis, richardson, short
from asymptok.verification.results import Check, Comparison, ParityVerdict

__all__ = ["judge_analytic", "judge_zero"]

Judgement = tuple[ParityVerdict, list[Comparison]]
#: the extrapolated number may miss by this many times its last change
_MARGIN = 4
#: an answer that is not settled to this (relative) is no answer
_SETTLED = 0.01
#: k log(rho) below which the singular point looks as if it sat on [-1, 1], and mu_k like a power of k
_VISIBLE = 8
#: a rate that contradicts a law must be settled to this (relative)
_STEADY = 0.001


# exact zeros -------------------------------------------------------------------------------------------------


def judge_zero(law: ParityDecay, spectrum: Spectrum, double: DoubleSpectrum, ks: Sequence[int]) -> Judgement:
    """mu_k = 0 for k >= zero_from: exactly zero by the first method, and rounding noise to the second."""
    start = law.zero_from or 0
    late = [k for k in ks if k >= start]
    found = [Comparison(k, spectrum[k], spectrum.error(k), mpmath.mpf(0) if k >= start else None) for k in ks]
    name = f"{law.parity} k: zeros"
    if not late:
        text = f"the law speaks of k >= {start} only: raise kmax"
        return ParityVerdict(law.parity, law.kind, (Check(name, None, text),)), found
    # a proved zero is not shaken by a rule in double precision whose error is an estimate
    loud = [
        k
        for k in late
        if abs(spectrum[k]) > spectrum.error(k)
        or (abs(double.values[k]) > double.errors[k] and not spectrum.is_proved(k))
    ]
    vague = [k for k in late if spectrum[k] != 0]
    if loud:
        k = loud[0]
        text = f"mu_{k} should vanish and is {short(spectrum[k])} (double precision: {double.values[k]:.2g})"
        return ParityVerdict(law.parity, law.kind, (Check(name, False, text),)), found
    if vague:
        text = f"mu_{vague[0]} is no larger than its error {short(spectrum.error(vague[0]))}: no proof that it is zero"
        return ParityVerdict(law.parity, law.kind, (Check(name, None, text),)), found
    noise = max(float(double.errors[k]) for k in late)
    text = (
        f"mu_k = 0 exactly for {law.parity} k = {late[0]}..{late[-1]} ({law.note or 'proved'}); integrated in double "
        f"precision, without use of the symmetry, all are below {noise:.1e}, the error of that rule"
    )
    return ParityVerdict(law.parity, law.kind, (Check(name, True, text),)), found


# geometric and faster ----------------------------------------------------------------------------------------


def judge_analytic(law: ParityDecay, spectrum: Spectrum, ks: Sequence[int]) -> Judgement:
    """Kernels analytic or flat at the ends: the rate at which mu_k falls, not its value."""
    found = [Comparison(k, spectrum[k], spectrum.error(k)) for k in ks]
    usable = [k for k in ks if spectrum[k] and abs(spectrum[k]) > 4 * spectrum.error(k)]
    if len(usable) < 8:
        text = f"only {len(usable)} eigenvalues of this parity differ from zero: raise kmax"
        check = Check(f"{law.parity} k: rate", None, text)
    elif law.kind == "geometric":
        if law.rho is not None:
            found = _geometric_rows(law, spectrum, ks)
        check = _geometric(law, spectrum, usable)
    elif law.rho is oo:
        check = _faster_than_geometric(law, spectrum, usable)
    elif law.stretched is not None:
        check = _stretched(law, law.stretched, spectrum, usable)
    else:
        check = _faster_than_powers(law, spectrum, usable)
    return ParityVerdict(law.parity, law.kind, (check,)), found


def _geometric_rows(law: ParityDecay, spectrum: Spectrum, ks: Sequence[int]) -> list[Comparison]:
    """mu_k against mu_(k-2) rho^-2: the ratio tends to one, slowly, if a power of k stands in front."""
    assert law.rho is not None
    rho = _number(law.rho, spectrum.dps)
    rows = []
    with mpmath_precision(digits_to_bits(spectrum.dps)):
        for k in ks:
            before = spectrum[k - 2] if k >= 2 else None
            predicted = before / rho**2 if before else None
            rows.append(Comparison(k, spectrum[k], spectrum.error(k), predicted))
    return rows


def _number(expr: Expr, dps: int) -> mpf:
    bits = digits_to_bits(dps) + 32
    with flint_precision(bits):
        return midpoint(ball(expr), bits)


def _geometric(law: ParityDecay, spectrum: Spectrum, usable: Sequence[int]) -> Check:
    """log|mu_k| = -k log(rho) + a log N + b + c_1/N + ...: Richardson for the slope."""
    name = f"{law.parity} k: geometric rate"
    fit = _geometric_fit(spectrum, usable)
    if fit is None:
        return Check(name, None, "too few eigenvalues for an extrapolation: raise kmax")
    with mpmath_precision(digits_to_bits(spectrum.dps)):
        rate, slack = fit
        what = "the slope of log|mu_k|, extrapolated with a free power of k in front,"
        if slack > _SETTLED * max(abs(rate), mpmath.mpf("0.1")):
            return Check(name, None, f"{what} has not settled (it still moves by {short(slack)}): raise kmax")
        if law.rho is None:
            return Check(name, bool(rate > slack), f"{what} gives exp({short(rate, 8)}) > 1 as claimed")
        claimed = mpmath.log(_number(law.rho, spectrum.dps))
        slack += mpmath.eps
        text = (
            f"{what} gives mu_(k+2)/mu_k -> {short(mpmath.exp(-2 * rate), 8)}; predicted rho^-2 = "
            f"{short(mpmath.exp(-2 * claimed), 8)}; {_MARGIN} times the last change of the extrapolation is "
            f"{short(slack)} in log(rho)"
        )
        if rate > claimed + slack:
            return Check(name, None, text + "; the bound holds, but nothing attains it")
        if claimed * usable[-1] < _VISIBLE and rate < claimed - slack:
            return Check(name, None, text + "; up to this k rho^-k is hardly below one: raise kmax")
        if rate < claimed - slack and law.outside is None:
            # an essential singularity of order g puts exp(c k^(g/(g+1))) in front
            rates = [_geometric_fit(spectrum, usable, g) for g in (1, 2, 3)]
            if any(fit is None or fit[0] + fit[1] >= claimed for fit in rates):
                return Check(
                    name, None, text + "; beside an essential singularity it settles later: raise kmax"
                )
        return Check(name, bool(rate >= claimed - slack), text)


def _geometric_fit(spectrum: Spectrum, usable: Sequence[int], order: int = 0) -> tuple[mpf, mpf] | None:
    """log(rho) with its margin, extrapolated with a free power of k in front, and exp(c k^(g/(g+1))) for an order g."""
    with mpmath_precision(digits_to_bits(spectrum.dps)):
        points, values, factor = _smooth_logs(spectrum, usable)
        stretch: list[Basis] = [_stretch(mpmath.mpf(order - j) / (order + 1)) for j in range(order)]
        others = [*stretch, mpmath.log, *(_inverse_power(j) for j in range(1, 8))]
    if len(points) < 4:
        return None
    fit = richardson(points, values, lambda x: x, others, spectrum.dps)
    if fit is None:
        return None
    with mpmath_precision(digits_to_bits(spectrum.dps)):
        return -fit.value / factor, _MARGIN * fit.change / factor


def _smooth_logs(spectrum: Spectrum, usable: Sequence[int]) -> tuple[list[mpf], list[mpf], int]:
    """log|mu_k|, or, where signs change without rule, log|mu_k mu_(k+4) - mu_(k+2)^2|, which a pair of complex
    singular points leaves smooth and twice as steep."""
    shift = mpmath.mpf(spectrum.d - 2) / 2
    signs = [mpmath.sign(spectrum[k]) for k in usable]
    products = [a * b for a, b in pairwise(signs)]
    late = products[len(products) // 3 :]
    if len(set(late)) == 1:
        return [k + shift for k in usable], [mpmath.log(abs(spectrum[k])) for k in usable], 1
    points, values = [], []
    known = set(usable)
    for k in usable:
        if {k + 2, k + 4} <= known:
            h = spectrum[k] * spectrum[k + 4] - spectrum[k + 2] ** 2
            if h:
                points.append(k + 2 + shift)
                values.append(mpmath.log(abs(h)))
    return points, values, 2


def _stretch(power: mpf) -> Basis:
    return lambda x: x**power


def _inverse_power(j: int) -> Basis:
    return lambda x: x**-j


def _peaks(spectrum: Spectrum, usable: Sequence[int], start: float) -> list[tuple[int, mpf]]:
    """(k, log|mu_k|) at the largest |mu_k| of windows from start*x to x, for x = K/4, K/2 and K."""
    top = usable[-1]
    result = []
    for end in (top / 4, top / 2, top):
        window = [k for k in usable if start * end <= k <= end] or [min(usable, key=lambda k: abs(k - end))]
        best = max(window, key=lambda k: abs(spectrum[k]))
        result.append((best, mpmath.log(abs(spectrum[best]))))
    return result


def _faster_than_geometric(law: ParityDecay, spectrum: Spectrum, usable: Sequence[int]) -> Check:
    """The geometric rate of the upper half must exceed that of the quarter before it."""
    (k0, y0), (k1, y1), (k2, y2) = _peaks(spectrum, usable, 0.9)
    early, late = (y0 - y1) / (k1 - k0), (y1 - y2) / (k2 - k1)
    # a geometric sequence with a power of k up to k^(d+2) in front changes its rate by that much
    allowed = (spectrum.d + 2) * abs(
        mpmath.log(mpmath.mpf(k1) / k0) / (k1 - k0) - mpmath.log(mpmath.mpf(k2) / k1) / (k2 - k1)
    )
    text = (
        f"the factor mu_(k+2)/mu_k falls from {short(mpmath.exp(-2 * early))} on [{k0}, {k1}] to "
        f"{short(mpmath.exp(-2 * late))} on [{k1}, {k2}]: a geometric decay keeps it (up to a factor "
        f"{short(mpmath.exp(2 * allowed))} for powers of k in front), an entire kernel does not"
    )
    passed: bool | None = True if late - early > allowed else None
    if passed is None:
        # a sum of two entire functions may slow down for a while: only a rate that has settled speaks against the law
        fit = _geometric_fit(spectrum, usable)
        if fit is not None and fit[1] <= _STEADY * fit[0]:
            passed = False
            text += f"; extrapolated, the rate has settled at {short(mpmath.exp(-2 * fit[0]), 6)}"
    return Check(f"{law.parity} k: faster than geometric", passed, text)


def _stretched(law: ParityDecay, claim: Stretched, spectrum: Spectrum, usable: Sequence[int]) -> Check:
    """log mu_k = -c k^(2/3) + p log k + b + c_1 k^(-1/3) + ...: Richardson for c; where it has not settled, powers."""
    shift = mpmath.mpf(spectrum.d - 2) / 2
    with mpmath_precision(digits_to_bits(spectrum.dps)):
        points, values = [k + shift for k in usable], [mpmath.log(abs(spectrum[k])) for k in usable]
        others = [mpmath.log, *(_cube_root(j) for j in range(1, 8))]
    fit = richardson(points, values, _cube_root(-2), others, spectrum.dps)
    claimed = _number(claim.constant, spectrum.dps)
    if fit is None or _MARGIN * fit.change > _SETTLED * claimed:
        return _faster_than_powers(law, spectrum, usable)
    with mpmath_precision(digits_to_bits(spectrum.dps)):
        slack = _MARGIN * fit.change + mpmath.eps
        gap = abs(fit.value + claimed)
        passed = (
            True if gap <= slack else (False if slack <= _STEADY * claimed and gap > 10 * slack else None)
        )
        text = (
            f"the slope of log mu_k against k^(2/3), extrapolated with a free power of k in front, gives "
            f"{short(fit.value, 8)}; predicted {short(-claimed, 8)}; {_MARGIN} times the last change of the "
            f"extrapolation is {short(slack)}"
        )
    return Check(f"{law.parity} k: stretched exponential", passed, text)


def _cube_root(j: int) -> Basis:
    return lambda x: x ** (-mpmath.mpf(j) / 3)


def _faster_than_powers(law: ParityDecay, spectrum: Spectrum, usable: Sequence[int]) -> Check:
    """The log-log slope must steepen."""
    (k0, y0), (k1, y1), (k2, y2) = _peaks(spectrum, usable, 0.6)
    # N = k + (d-2)/2 is the variable in which powers are straight
    n0, n1, n2 = (k + mpmath.mpf(spectrum.d - 2) / 2 for k in (k0, k1, k2))
    early, late = (y0 - y1) / mpmath.log(n1 / n0), (y1 - y2) / mpmath.log(n2 / n1)
    # corrections of relative size 1/N bend the slope of a power by about this
    allowed = (1 + early) / n0
    passed: bool | None = True if late - early > allowed else None
    text = (
        f"the log-log slope goes from {short(-early)} on [{k0}, {k1}] to {short(-late)} on [{k1}, {k2}]; a power "
        f"law could change it by {short(allowed)}"
    )
    signs = {mpmath.sign(spectrum[k]) for k in usable[len(usable) // 2 :]}
    if passed is None and abs(late - early) <= allowed and k2 >= 64 and len(signs) == 1:
        # neither too early nor the peaks of an oscillation; evidence against the law if a power fits, and only then
        shift = mpmath.mpf(spectrum.d - 2) / 2
        with mpmath_precision(digits_to_bits(spectrum.dps)):
            points, values = [k + shift for k in usable], [mpmath.log(abs(spectrum[k])) for k in usable]
        fit = richardson(points, values, mpmath.log, [_inverse_power(j) for j in range(1, 8)], spectrum.dps)
        if fit is not None and _MARGIN * fit.change <= _STEADY * abs(fit.value):
            passed = False
            text += f"; extrapolated, the slope has settled at {short(fit.value, 6)}"
    return Check(f"{law.parity} k: faster than powers", passed, text)
