"""Power laws: every mu_k against the leading term and against many terms of the asymptotic series.

The pass mark comes from the series itself: |mu_k/S_n - 1| may be as large as the first neglected terms of S_n (over two
units of the exponent, without their factor sin(pi nu), which may be small by accident), times four, and no larger.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf

import mpmath
from mpmath import mpf

from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.laws import Decay, Estimate, ParityDecay
from asymptok.laws.further import further
from asymptok.laws.numeric import ball_groups, term_balls
from asymptok.precision import digits_to_bits, flint_precision, mpmath_precision
from asymptok.progress import each
from asymptok.quantities import midpoint
from asymptok.spectrum import Spectrum, eigenvalues
from asymptok.verification.exponent import judge_exponent
from asymptok.verification.fits import short
from asymptok.verification.results import Check, Comparison, ParityVerdict

__all__ = ["compare", "judge_power_law"]

#: numbers of terms that are tried where the series does not reach all digits; the long ones only if need be
_TERMS, _MORE_TERMS = (1, 2, 4, 8), (16, 32)
_SHARP = 1e-6
#: `Estimate.error` is four times the size of the neglected terms; the pass mark is this many times the estimate
_MARGIN = 2
#: the sharpest pass mark must show a constant that is wrong by a hundredth
CONCLUSIVE = 0.005
#: order to which the ends are expanded for the exponents of the corrections
_ORDER = 4
#: a law that sets in later is looked for up to here, and asked up to this multiple of the largest degree
_FARTHEST, _REACH = 10**6, 16
#: at so many steps from there to twice as far
_LATER = 6
#: how many times the largest term of singular points elsewhere is allowed for
_ELSEWHERE = 4


def judge_power_law(
    prediction: Decay, law: ParityDecay, spectrum: Spectrum, ks: Sequence[int], beyond: bool
) -> tuple[ParityVerdict, list[Comparison]]:
    """The verdict on mu_k ~ constant(d) k^exponent(d) (log k)^j for the k of one parity.

    Where the law has not set in at these k, later degrees at which its series is sharp are asked (`beyond`) or named.
    """
    verdict, found = _judge(prediction, law, spectrum, ks)
    if not ks or verdict.passed or any(check.passed is False for check in verdict.checks):
        return verdict, found
    start = _onset(prediction, ks[-1], spectrum.d, spectrum.dps)
    if start is None:
        return verdict, found
    if not beyond or start > _REACH * ks[-1]:
        advice = f"the law sets in later: kmax = {2 * start} would do"
        checks = tuple(c if c.passed else replace(c, detail=f"{c.detail}; {advice}") for c in verdict.checks)
        return replace(verdict, checks=checks), found
    later = [start + 2 * (i * start // (2 * _LATER)) for i in range(_LATER + 1)]
    try:
        more = eigenvalues(spectrum.kernel, spectrum.d, ks=later, dps=spectrum.dps)
    except AsymptokError:
        return verdict, found
    second, rows = _judge(prediction, law, more, later)
    place = f"up to k = {ks[-1]} the law has not set in; at {_LATER + 1} degrees from k = {later[0]} to {later[-1]}, "
    checks = tuple(
        a if a.passed and b.passed else replace(b, detail=place + b.detail)
        for a, b in zip(verdict.checks, second.checks, strict=True)
    )
    return replace(second, checks=checks), found + rows


def _onset(prediction: Decay, after: int, d: int, dps: int) -> int | None:
    """A degree of the parity of `after`, beyond it, at which the series would show a constant wrong by a hundredth."""
    k = max(after, 8 + after % 2)
    while k < _FARTHEST:
        k = 2 * k - after % 2
        sharp = _many_terms(prediction, k, d, dps)
        if sharp is not None and sharp.value and _MARGIN * sharp.error <= CONCLUSIVE * abs(sharp.value):
            return k
    return None


def _judge(
    prediction: Decay, law: ParityDecay, spectrum: Spectrum, ks: Sequence[int]
) -> tuple[ParityVerdict, list[Comparison]]:
    found = [compare(prediction, law, spectrum, k) for k in each(ks)]
    judged = [c for c in found if c.inside is not None]
    checks = [_ratios(judged, law), _sharpness(judged, law)]
    fit, check = judge_exponent(prediction, law, spectrum, found)
    if check.passed is False and checks[0].passed is None and fades(judged):
        check = replace(check, passed=None)
    checks.append(check)
    value, error = (None, None) if fit is None else (fit.value, fit.change)
    return ParityVerdict(law.parity, law.kind, tuple(checks), value, error), found


# the ratios --------------------------------------------------------------------------------------------------


def compare(prediction: Decay, law: ParityDecay, spectrum: Spectrum, k: int) -> Comparison:
    """mu_k beside the leading term and the sum of many terms, each with its pass mark."""
    mu, error = spectrum[k], spectrum.error(k)
    many = _many_terms(prediction, k, spectrum.d, spectrum.dps)
    if many is None or many.value == 0:
        return Comparison(k, mu, error)
    one = _estimate(prediction, k, spectrum.d, 1, spectrum.dps)
    lead = _leading_term(law, k, spectrum.d, spectrum.dps)
    with mpmath_precision(digits_to_bits(spectrum.dps)):
        tolerance = (_MARGIN * many.error + error) / abs(many.value)
        comparison = Comparison(k, mu, error, many.value, tolerance, many.terms)
        if one is None or not lead:
            return comparison
        # the next terms by their sizes, or, where the series is a finite sum, by their values
        rest = _MARGIN * min(one.error, 2 * abs(many.value - one.value) + many.error) + error
        # the law speaks of the end alone: what singular points elsewhere add is no part of it
        away, largest = _elsewhere(prediction, k, spectrum.d, spectrum.dps)
        rest += _ELSEWHERE * largest
        first = one.value - away
        lower = _lower_logs(prediction, law, k, spectrum.d, spectrum.dps)
        group = lead + sum(lower)
        return replace(
            comparison,
            one_term=lead,
            one_tolerance=(rest + sum(map(abs, lower))) / abs(lead),
            group=group,
            group_tolerance=rest / abs(group) if group else mpmath.inf,
            gain=many.value / first if first else None,
        )


def _many_terms(prediction: Decay, k: int, d: int, dps: int) -> Estimate | None:
    """The series to all digits if it gets there, otherwise the best of a few lengths."""
    best = _estimate(prediction, k, d, None, dps)
    if best is not None:
        return best
    for terms in (*_TERMS, *_MORE_TERMS):
        if best is not None and terms in _MORE_TERMS and best.error < _SHARP * abs(best.value):
            break
        found = _estimate(prediction, k, d, terms, dps)
        if found is None or (best is not None and found.terms == best.terms):
            break
        if best is None or found.error < best.error:
            best = found
    return best


def _estimate(prediction: Decay, k: int, d: int, terms: int | None, dps: int) -> Estimate | None:
    try:
        return prediction.estimate(k, d, terms, dps)
    except AsymptokError:
        return None


def _leading_term(law: ParityDecay, k: int, d: int, dps: int) -> mpf | None:
    """The term that the law names, with its gamma ratio: a law that was tampered with speaks for itself here."""
    if law.lead is None:
        return None
    bits = digits_to_bits(dps) + 64 + 2 * k.bit_length()
    with flint_precision(bits):
        value = (
            ball(law.lead.coefficient)
            * term_balls(k, d, ball(law.lead.nu), law.lead.log_power)[law.lead.log_power]
        )
        return midpoint(value, digits_to_bits(dps))


def _elsewhere(prediction: Decay, k: int, d: int, dps: int) -> tuple[mpf, mpf]:
    """What the first terms of singular points away from the ends add to the series, and the largest size of one."""
    bits = digits_to_bits(dps) + 48 + 2 * k.bit_length()
    found = further(prediction.kernel, k, d, bits)
    with flint_precision(bits):
        value, _, _ = found.summed(-inf, 1)
    return midpoint(value, digits_to_bits(dps)), mpmath.exp(found.lead)


def _lower_logs(prediction: Decay, law: ParityDecay, k: int, d: int, dps: int) -> list[mpf]:
    """What has the exponent of the lead and fewer logarithms: smaller by powers of 1/log k only."""
    lead = law.lead
    if lead is None or lead.log_power == 0:
        return []
    bits = digits_to_bits(dps) + 64 + 2 * k.bit_length()
    found = []
    with flint_precision(bits):
        nu = ball(lead.nu)
        groups, _ = ball_groups(prediction.kernel, _ORDER, bits)
        for group in groups:
            if group.exponent.overlaps(nu):
                laws = term_balls(k, d, group.exponent, lead.log_power)
                for j, c in group.combined(law.sign).items():
                    if j < lead.log_power and (j or not group.whole):
                        found.append(midpoint(c * laws[j], digits_to_bits(dps)))
    return found


def _ratios(judged: Sequence[Comparison], law: ParityDecay) -> Check:
    name = f"{law.parity} k: ratios"
    if not judged:
        return Check(name, None, "no k up to kmax is large enough for the series to say anything")
    wrong = [c for c in judged if not c.inside]
    if not wrong:
        last = judged[-1]
        return Check(
            name,
            True,
            f"all {len(judged)} ratios mu_k/prediction lie within four times the size of the neglected terms; at "
            f"k = {last.k} {_words(last)}",
        )
    worst = wrong[-1]
    text = (
        f"{len(wrong)} of {len(judged)} ratios lie outside four times the size of the neglected terms; at "
        f"k = {worst.k} {_words(worst)}"
    )
    if fades(judged):
        text += "; but that dies out, as what singular points away from the ends leave does: raise kmax"
        return Check(name, None, text)
    return Check(name, False, text)


def fades(judged: Sequence[Comparison]) -> bool:
    """Whether the series with many terms becomes right faster than k^-4, while the law itself ends within its marks.

    The error of the series is an estimate: singular points away from the ends leave a geometric part that it may not
    know of. A wrong constant or exponent leaves a difference that does not die out like that.
    """
    ratios = [(c.k, abs(c.ratio - 1)) for c in judged if c.ratio is not None]
    if len(ratios) < 2:
        return False
    last = ratios[-1]
    if not all(_law_is_inside(c) for c in judged[-2:]):
        return False
    half = min(ratios[:-1], key=lambda pair: abs(pair[0] - last[0] / 2))
    return bool(last[1] < CONCLUSIVE and last[1] * (last[0] / half[0]) ** 4 <= half[1])


def _law_is_inside(c: Comparison) -> bool:
    if c.one_ratio is None or c.one_tolerance is None or c.one_tolerance >= 1:
        return True
    return bool(abs(c.one_ratio - 1) <= c.one_tolerance)


def _words(c: Comparison) -> str:
    parts = []
    if c.one_ratio is not None:
        parts.append(
            f"|ratio - 1| = {short(abs(c.one_ratio - 1))} with one term (allowed {short(c.one_tolerance)})"
        )
    if c.ratio is not None:
        parts.append(
            f"{short(abs(c.ratio - 1))} with {c.terms} term{'s' * (c.terms != 1)} (allowed {short(c.tolerance)})"
        )
    return ", ".join(parts)


def _sharpness(judged: Sequence[Comparison], law: ParityDecay) -> Check:
    name = f"{law.parity} k: sharp enough"
    marks = [c.tolerance for c in judged[-3:] if c.tolerance is not None]
    if not marks:
        return Check(name, None, "there is no pass mark")
    finest = max(marks)
    passed = True if finest <= CONCLUSIVE else None
    return Check(
        name,
        passed,
        f"the pass mark at the largest k is {short(finest)}: a constant wrong by 1 % would "
        + ("show" if passed else "not show; raise kmax"),
    )
