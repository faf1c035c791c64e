"""The referee: mpmath's integrals at a handful of degrees, independent of everything else here."""

from __future__ import annotations

import time
from collections.abc import Sequence

import mpmath

from asymptok import ways_out
from asymptok.errors import AsymptokError
from asymptok.kernels.kernel import Kernel
from asymptok.precision import digits_to_bits, mpmath_precision
from asymptok.progress import each
from asymptok.spectrum import Spectrum, eigenvalues
from asymptok.spectrum.reference import mpmath_function
from asymptok.verification.results import REFEREE_DIGITS, Check, RefereeRow

__all__ = ["ask_mpmath"]

#: degrees of both parities, small and middle ones, the most telling first
_DEGREES = (2, 3, 0, 1, 6, 9, 14, 21)
_DIGITS = REFEREE_DIGITS
#: seconds for all of them, about; one degree of each parity is asked even if that takes longer
_BUDGET, _PATIENCE = 1.0, 3.0
#: eigenvalues below this cancel more digits than the first round has to spare
_SMALL = 2.0**-24
#: values of the kernel that the integrals take, about
_VALUES = 900
_NAME = "mpmath"
#: outside a domain, at a pole, of a series that does not settle, or of a function that mpmath does not have
_MPMATH_FAILS = (
    AsymptokError,
    ArithmeticError,
    ValueError,
    TypeError,
    NotImplementedError,
    mpmath.mp.NoConvergence,
)


def ask_mpmath(
    kernel: Kernel, spectrum: Spectrum, degrees: Sequence[int] | None
) -> tuple[list[Check], tuple[RefereeRow, ...], str]:
    """The verdict of the referee, its digits beside ours, and what it could not do.

    Without `degrees` it is asked at as many as the time allows; if that is none, there is no verdict, only the note.
    """
    dps = _DIGITS
    asked = degrees is not None
    if degrees is not None and not degrees:
        return [], (), ""
    wanted = list(degrees) if degrees is not None else [k for k in _DEGREES if k in spectrum]
    # what the first integral will take; the others find its values of the kernel
    price = first = 0.0 if asked else _seconds(kernel, dps) * _VALUES
    rows: list[RefereeRow] = []
    skipped: list[int] = []
    reason = ""
    start = time.process_time()
    for k in each(wanted):
        # an integral cannot be stopped on its way: what would take too long is not begun
        before = time.process_time() - start
        limit = _PATIENCE if k in _DEGREES[:2] else _BUDGET
        # a small eigenvalue takes a second round, with more digits and all values afresh
        again = 2 * first if k in spectrum and 0 < abs(spectrum[k]) < _SMALL else 0.0
        if not asked and before + price + again > limit:
            skipped.append(k)
            reason = (
                reason
                or f"an integral takes about {max(price + again, 0.1):.1f} s, and {ways_out.referee(k)} asks for it"
            )
            continue
        try:
            other = eigenvalues(kernel, spectrum.d, ks=[k], dps=dps, method="mpmath")
            known = k in spectrum and spectrum.dps >= dps
            own = spectrum if known else eigenvalues(kernel, spectrum.d, ks=[k], dps=dps)
        except AsymptokError as error:
            skipped.append(k)
            reason = str(error)
            continue
        agree = abs(own[k] - other[k]) <= own.error(k) + other.error(k)
        rows.append(RefereeRow(k, own[k], other[k], bool(agree), own.is_proved(k)))
        # the values of the kernel are known from now on
        spent = time.process_time() - start - before
        price, first = (price, first) if again else (spent / (1 if rows[1:] else 4), max(first, spent))
    note = f"mpmath was not asked at k = {_listed(sorted(skipped))}: {reason}" if skipped else ""
    checks = [_check(sorted(rows), note, dps)] if rows or asked else []
    return checks, tuple(sorted(rows)), note


def _check(rows: list[RefereeRow], note: str, dps: int) -> Check:
    left = f"; {note}" if note else ""
    if not rows:
        return Check(_NAME, None, f"the referee gave up{left}")
    wrong = [row for row in rows if not row.agrees]
    if wrong:
        row = wrong[0]
        text = (
            f"mu_{row.k} = {mpmath.nstr(row.mu, dps)}, but mpmath.quad gives {mpmath.nstr(row.mpmath, dps)}"
        )
        proved = all(row.proved for row in wrong)
        return Check(_NAME, None if proved else False, text + "; the former is proved" * proved + left)
    last = rows[-1]
    shown = f"mu_{last.k} = {mpmath.nstr(last.mu, dps)} and {mpmath.nstr(last.mpmath, dps)}"
    text = f"mpmath.quad gives the same {dps} digits at k = {_listed([row.k for row in rows])}: {shown}{left}"
    return Check(_NAME, True, text)


def _listed(ks: list[int]) -> str:
    return ", ".join(map(str, ks))


def _seconds(kernel: Kernel, dps: int) -> float:
    """How long mpmath takes for one value of the kernel at the precision of the integral."""
    try:
        function = mpmath_function(kernel.expr)
        with mpmath_precision(3 * digits_to_bits(dps)):
            function(mpmath.mpf("0.1"))  # constants are computed once
            start = time.process_time()
            for x in ("0.3", "-0.7", "0.9"):
                function(mpmath.mpf(x))
            return (time.process_time() - start) / 3
    except _MPMATH_FAILS:  # what mpmath cannot do is the referee's to say
        return 0.0
