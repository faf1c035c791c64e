"""verify(): the numbers by two methods, the law by one term and by many, and a verdict for each parity."""

from __future__ import annotations

from collections.abc import Iterable

import mpmath
from sympy import Expr

from asymptok.arguments import checked_degree, checked_digits
from asymptok.errors import AsymptokError
from asymptok.kernels.kernel import Kernel, as_kernel
from asymptok.laws import Decay, ParityDecay
from asymptok.laws.derive import decay
from asymptok.patience import computing
from asymptok.progress import each, share, task
from asymptok.regularity import InteriorPoint
from asymptok.spectrum import Spectrum, eigenvalues, usual_work
from asymptok.verification.algebraic import judge_power_law
from asymptok.verification.double import DoubleSpectrum, double_spectrum
from asymptok.verification.oscillating import judge_oscillation
from asymptok.verification.others import Judgement, judge_analytic, judge_zero
from asymptok.verification.referee import ask_mpmath
from asymptok.verification.results import Check, Verification

__all__ = ["verify"]

#: the largest degree where none is asked for
_KMAX = 100


def verify(
    kernel: Kernel | Expr | str,
    d: int,
    kmax: int | None = None,
    dps: int = 30,
    prediction: Decay | None = None,
    referee: Iterable[int] | None = None,
    progress: bool | None = None,
) -> Verification:
    """Whether mu_0, ..., mu_kmax follow the decay law: `passed`, `rows`, `fitted_exponent(parity)`, `explain()`.

    The law is decay(kernel); another one can be put to the test as `prediction`. Every mu_k comes from `eigenvalues`
    and again from a rule in double precision. kmax is 100 if it is not given; then a power law that has not set in
    there is also asked at a few later degrees where it has. mpmath's integral is the referee: it is asked at a handful
    of degrees that take about a second, or at those that `referee` lists; referee=() switches it off. `progress` is
    that of `eigenvalues`.

    The eigenvalues of the two-layer NTK do not follow the law of the three-layer one:

    >>> from asymptok import kernels
    >>> from asymptok.laws import decay
    >>> verify(kernels.ntk(2), d=3, kmax=24).passed
    True
    >>> verify(kernels.ntk(2), d=3, kmax=24, prediction=decay(kernels.ntk(3))).passed
    False
    """
    kernel = as_kernel(kernel)
    beyond = kmax is None
    kmax = _KMAX if kmax is None else kmax
    if isinstance(kmax, bool) or not isinstance(kmax, int) or kmax < 1:
        raise AsymptokError(f"kmax must be a positive integer, not {kmax!r}")
    dps = checked_digits(dps)
    if prediction is not None and not isinstance(prediction, Decay):
        raise AsymptokError(f"a prediction is a law as decay(kernel) gives it, not {prediction!r}")
    asked = None if referee is None else _degrees(referee)
    with computing("verify", usual_work(kmax, dps)), task("verify", progress):
        with share(0, 0.4):
            spectrum = eigenvalues(kernel, d, kmax=kmax, dps=dps)
        law = decay(kernel) if prediction is None else prediction
        double = double_spectrum(kernel, spectrum.d, kmax)
        with share(0.6, 0.8):
            (even, even_rows), (odd, odd_rows) = (
                _judge(law, side, spectrum, double, range(parity, kmax + 1, 2), beyond, prediction is None)
                for parity, side in each(tuple(enumerate((law.even, law.odd))))
            )
        with share(0.8, 1):
            third, digits, note = ask_mpmath(kernel, spectrum, asked)
    rows = tuple(sorted((*even_rows, *odd_rows), key=lambda c: c.k))
    methods = [_second_method(spectrum, double), *third]
    return Verification(kernel, spectrum.d, kmax, dps, law, rows, even, odd, tuple(methods), digits, note)


def _degrees(referee: object) -> list[int]:
    if isinstance(referee, str | bytes) or not isinstance(referee, Iterable):
        raise AsymptokError(
            f"referee lists the degrees at which mpmath is asked, such as [2, 3], not {referee!r}"
        )
    return sorted({checked_degree(k) for k in referee})


def _judge(
    law: Decay,
    side: ParityDecay,
    spectrum: Spectrum,
    double: DoubleSpectrum,
    degrees: range,
    beyond: bool,
    own: bool,
) -> Judgement:
    ks = list(degrees)
    points = side.interior
    if side.kind == "algebraic" and not own:
        # a law that names no points inside, for a kernel that may have some
        points = _points(spectrum.kernel, degrees.start)
    if points:
        return judge_oscillation(side, points, spectrum, ks)
    if side.kind == "algebraic":
        return judge_power_law(law, side, spectrum, ks, beyond)
    if side.kind == "zero":
        return judge_zero(side, spectrum, double, ks)
    return judge_analytic(side, spectrum, ks)


def _points(kernel: Kernel, parity: int) -> tuple[InteriorPoint, ...]:
    """The points inside that the kernel's own law names."""
    try:
        return decay(kernel).parity(parity).interior
    except AsymptokError:
        return ()


def _second_method(spectrum: Spectrum, double: DoubleSpectrum) -> Check:
    """The numbers against double precision, as far as that can see."""
    name = "two methods"
    own = ", ".join(dict.fromkeys(spectrum.method(k) for k in spectrum.ks))
    wrong, digits, seen = [], 0.0, 0
    for k, mu in spectrum:
        distance, allowed = abs(float(mu) - double.values[k]), double.errors[k] + float(spectrum.error(k))
        if not distance <= allowed:
            wrong.append(k)
        if abs(mu) > 10 * allowed:
            seen += 1
            digits = max(digits, float(mpmath.log10(abs(mu) / allowed)))
    if wrong:
        k = wrong[0]
        text = (
            f"mu_{k} = {mpmath.nstr(spectrum[k], 15)} ({spectrum.method(k)}) but {double.values[k]:.15g} in double "
            f"precision (error about {double.errors[k]:.1e}); {len(wrong)} of {len(spectrum)} differ"
        )
        if all(spectrum.is_proved(j) for j in wrong):
            # the error of the rule in doubles is an estimate, and a narrow feature deceives it
            return Check(
                name, None, text + "; the former are proved, so that the latter is further off than it says"
            )
        return Check(name, False, text)
    grade = "with proved error bounds" if spectrum.rigorous else "with estimated errors"
    text = (
        f"all mu_k from {own} ({spectrum.dps} digits, {grade}) agree with Gauss-Legendre panels in double precision, "
        f"which can tell {seen} of them from zero, to at most {digits:.0f} digits"
    )
    return Check(name, True if seen or spectrum.rigorous else None, text)
