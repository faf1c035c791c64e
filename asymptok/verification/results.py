"""What `verify` answers: one comparison for each k, one verdict for each parity, and words for a person."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import mpmath
from mpmath import mpf

from asymptok.errors import AsymptokError, Undecided
from asymptok.kernels.kernel import Kernel
from asymptok.laws import Decay
from asymptok.precision import mpmath_precision
from asymptok.show.preformatted import Page
from asymptok.show.verification import explanation, verification_html, verification_text

__all__ = ["REFEREE_DIGITS", "Check", "Comparison", "ParityVerdict", "Row", "Verification"]


class Row(NamedTuple):
    """One line of the comparison; predicted and ratio are None where the law names no value for a single k."""

    k: int
    mu_k: object
    predicted: mpf | None
    ratio: mpf | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """mu_k against the law at one k.

    `tolerance` is the pass mark for |mu_k/predicted - 1|, None where the ratio is not judged on its own;
    `one_term` and `one_tolerance` are the same for the leading term alone, `group` and `group_tolerance` for all that
    has its exponent (lower powers of the logarithm); `gain` is the factor by which many terms differ from one.
    """

    k: int
    mu: mpf
    error: mpf
    predicted: mpf | None = None
    tolerance: mpf | None = None
    terms: int = 0
    one_term: mpf | None = None
    one_tolerance: mpf | None = None
    group: mpf | None = None
    group_tolerance: mpf | None = None
    gain: mpf | None = None

    @property
    def ratio(self) -> mpf | None:
        return _ratio(self.mu, self.predicted)

    @property
    def one_ratio(self) -> mpf | None:
        """mu_k over the leading term."""
        return _ratio(self.mu, self.one_term)

    @property
    def inside(self) -> bool | None:
        """Whether both ratios lie within their pass marks; None if neither has one below 1."""
        pairs = ((self.ratio, self.tolerance), (self.one_ratio, self.one_tolerance))
        judged = [abs(r - 1) <= tol for r, tol in pairs if r is not None and tol is not None and tol < 1]
        return all(judged) if judged else None

    @property
    def row(self) -> Row:
        return Row(self.k, self.mu, self.predicted, self.ratio)


def _ratio(mu: mpf, predicted: mpf | None) -> mpf | None:
    if predicted is None:
        return None
    if predicted == 0:
        return mpmath.mpf(1) if mu == 0 else mpmath.inf
    # all the bits that the two numbers carry, whatever mp.prec is when somebody looks
    bits = max(x.man_exp[0].bit_length() for x in (mu, predicted))
    with mpmath_precision(2 * bits + 32):
        return mu / predicted


@dataclass(frozen=True, slots=True)
class Check:
    """One question that was put to the numbers; `passed` is None where they could not answer it."""

    name: str
    passed: bool | None
    detail: str


class RefereeRow(NamedTuple):
    """One degree at which mpmath was asked: our value, its value, and whether they agree within their errors."""

    k: int
    mu: mpf
    mpmath: mpf
    agrees: bool
    proved: bool


#: decimal digits to which mpmath is asked
REFEREE_DIGITS = 30


@dataclass(frozen=True, slots=True)
class ParityVerdict:
    """All checks of one parity; `fitted` is the extrapolated exponent of k where the law is a power."""

    parity: str
    kind: str
    checks: tuple[Check, ...]
    fitted: mpf | None = None
    fitted_error: mpf | None = None

    @property
    def passed(self) -> bool:
        return bool(self.checks) and all(check.passed for check in self.checks)


@dataclass(frozen=True)
class Verification:
    """Prediction against numbers, for one kernel on one sphere.

    >>> from asymptok import kernels
    >>> from asymptok.verification import verify
    >>> found = verify(kernels.laplace(), d=3, kmax=40)
    >>> found.passed
    True
    >>> print(mpmath.nstr(found.fitted_exponent("even"), 6))
    -3.0
    """

    kernel: Kernel
    d: int
    kmax: int
    dps: int
    prediction: Decay = field(repr=False)
    comparisons: tuple[Comparison, ...] = field(repr=False)
    even: ParityVerdict
    odd: ParityVerdict
    methods: tuple[Check, ...]
    #: the digits of mpmath beside ours
    referee: tuple[RefereeRow, ...] = ()
    #: what mpmath was not asked, and why
    referee_note: str = ""

    @property
    def checks(self) -> tuple[Check, ...]:
        """Every question asked: of the methods, of the even k, of the odd k."""
        return (*self.methods, *self.even.checks, *self.odd.checks)

    @property
    def passed(self) -> bool:
        """Every question answered with yes; what could not be answered is no pass."""
        return all(check.passed for check in self.methods) and self.even.passed and self.odd.passed

    def __bool__(self) -> bool:
        raise AsymptokError("a verification has three answers: ask .passed or .verdict, or .require()")

    def require(self) -> Verification:
        """The verification itself if it passed; otherwise an error with the questions that were not answered by yes."""
        if self.passed:
            return self
        failed = "; ".join(f"{c.name}: {c.detail}" for c in self.checks if not c.passed)
        kind = Undecided if self.verdict == "unknown" else AsymptokError
        raise kind(f"the law of {self.kernel} is {self.verdict} by the numbers: {failed}")

    @property
    def verdict(self) -> str:
        """supported, refuted or unknown; numbers up to some k prove nothing about all k."""
        if self.passed:
            return "supported"
        return "refuted" if any(check.passed is False for check in self.checks) else "unknown"

    @property
    def rows(self) -> tuple[Row, ...]:
        """(k, mu_k, predicted, ratio) for every k up to kmax."""
        return tuple(comparison.row for comparison in self.comparisons)

    def parity(self, parity: str) -> ParityVerdict:
        """The verdict for "even" or "odd" (0 and 1 are understood)."""
        if isinstance(parity, str | int) and parity in ("even", 0):
            return self.even
        if isinstance(parity, str | int) and parity in ("odd", 1):
            return self.odd
        raise AsymptokError(f"a parity is 'even' or 'odd', not {parity!r}")

    def fitted_exponent(self, parity: str = "even") -> mpf | None:
        """p with |mu_k| ~ k^p, extrapolated from the numbers; None where no power is claimed or the k are too few."""
        return self.parity(parity).fitted

    def explain(self) -> str:
        """What was compared, with which pass marks, and why the verdict is what it is."""
        return explanation(self)

    def referee_table(self) -> list[tuple[str, str, str, str]]:
        """(k, mu_k, mpmath's mu_k, whether they agree) as text with all the digits that were asked for."""

        def digits(value: object) -> str:
            return str(mpmath.nstr(value, REFEREE_DIGITS))

        return [(str(r.k), digits(r.mu), digits(r.mpmath), "yes" if r.agrees else "NO") for r in self.referee]

    def __str__(self) -> str:
        return verification_text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return verification_html(self)

    def _repr_pretty_(self, printer: Page, cycle: bool) -> None:
        printer.text(str(self))
