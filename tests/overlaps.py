"""Every pair of answers about one kernel that overlap, compared: law and certificate, definiteness, parities, spaces.

    found = Answers(Kernel("kappa1(u)"), 3); found.contradictions

Nothing here knows the truth: two answers that cannot both be true are a defect, whichever of them is false.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from time import process_time
from typing import Any

from mpmath import mpf, workdps
from patience import Hang, Patience
from sympy import oo

from asymptok import (
    AsymptokError,
    Kernel,
    certify,
    check,
    consequences,
    decay,
    eigenvalues,
    high_dimension,
    kernels,
    same_rkhs,
    verify,
)
from asymptok.balls import ball
from asymptok.errors import Impossible
from asymptok.laws.taylor_signs import positive_series

#: seconds of processor time that any one question may take
PATIENCE = 8
#: and those that check has for a certificate, with a margin for a busy machine
SHARE = 3
#: degrees at which the law is compared with the certificate, and those with proved eigenvalues
FAR, NEAR = (300, 301, 1001), (0, 1, 2, 3, 6, 9)


def _apart(value: mpf, error: mpf, bounds: tuple[mpf, mpf]) -> bool:
    with workdps(50):
        return bool(value + error < bounds[0] or value - error > bounds[1])


class Answers:
    """What the package says about a kernel without parameters in one dimension."""

    def __init__(self, kernel: Kernel, d: int) -> None:
        self.kernel, self.d = kernel, d
        self.crashes: list[str] = []
        self.late = False

    def _ask(self, name: str, question: Callable[[], Any]) -> Any:
        """The answer, the error where it is one of ours, None where it took too long."""
        try:
            with Patience(PATIENCE):
                return question()
        except AsymptokError as error:
            return error
        except Hang:
            return None
        except Exception as error:  # also a Contradiction
            self.crashes.append(f"{name} raises {type(error).__name__}: {error}")
            return None

    @cached_property
    def law(self) -> Any:
        return self._ask("decay", lambda: decay(self.kernel))

    @cached_property
    def certificate(self) -> Any:
        start = process_time()
        found = self._ask("certify", lambda: certify(self.kernel, self.d))
        self.late = process_time() - start > SHARE
        return found

    @cached_property
    def definite(self) -> Any:
        return self._ask("check", lambda: check(self.kernel, self.d)["positive definite"])

    @property
    def contradictions(self) -> list[str]:
        """One line for each pair of answers that cannot both be true, or of which one road does not know the other."""
        found: list[str] = []
        if not hasattr(self.certificate, "enclosure"):
            self._spaces(found)
            return [*self.crashes, *found]
        if hasattr(self.law, "even"):
            self._laws(found)
            self._numbers(found)
            verified = self._ask("verify", lambda: verify(self.kernel, self.d, kmax=30, dps=15, referee=()))
            if getattr(verified, "verdict", "") == "contradicted":
                found.append(f"verify contradicts the law: {verified}")
        self._eigenvalues(found)
        self._definiteness(found)
        self._spaces(found)
        self._series(found)
        return [*self.crashes, *found]

    def _laws(self, found: list[str]) -> None:
        """The degree from which a parity vanishes."""
        for side, claim in (
            (self.law.even, self.certificate.even),
            (self.law.odd, self.certificate.odd),
        ):
            if self.certificate.proved and side.zero_from != claim.zero_from:
                found.append(
                    f"{side.parity} k: zero from {side.zero_from} by decay, {claim.zero_from} by certify"
                )

    def _numbers(self, found: list[str]) -> None:
        """The series with its error beside the enclosures, at large k."""
        if self.law.assumes:
            return
        for k in FAR:
            value = self._ask("estimate", lambda k=k: self.law.estimate(k, self.d, dps=12))
            bounds = self._bounds(k)
            if value is None or isinstance(value, AsymptokError) or bounds is None:
                continue
            low, high = bounds
            if _apart(value.value, value.error, bounds):
                found.append(
                    f"mu_{k} = {value.value} +- {value.error} by decay, in [{low}, {high}] by certify"
                )

    def _bounds(self, k: int) -> tuple[mpf, mpf] | None:
        try:
            return self.certificate.lower(k), self.certificate.upper(k)
        except AsymptokError:
            return None

    def _eigenvalues(self, found: list[str]) -> None:
        spectrum = self._ask("eigenvalues", lambda: eigenvalues(self.kernel, self.d, ks=list(NEAR), dps=15))
        for k in NEAR if hasattr(spectrum, "is_proved") else ():
            bounds = self._bounds(k)
            if bounds is None or not spectrum.is_proved(k):
                continue
            value, error = spectrum[k], spectrum.error(k)
            if _apart(value, error, bounds):
                found.append(f"mu_{k} = {value} +- {error} by eigenvalues, in {bounds} by certify")

    def _definiteness(self, found: list[str]) -> None:
        if not hasattr(self.definite, "status"):
            return
        status, proved = self.definite.status, self.certificate.positive_definite
        if proved and not self.certificate.proved:
            return  # by its power series alone
        wanted = {True: ("proved",), False: ("refuted",), None: ("unknown", "supported", "refuted", "proved")}
        if status == "unknown" and self.late:
            return  # check had no time for the certificate, and says so
        if status not in wanted[proved]:
            found.append(
                f"positive definite: {status} by check ({self.definite.evidence}), {proved} by certify"
            )
        if status == "proved" and proved is None and self.certificate.proved:
            found.append(f"positive definite: proved by check ({self.definite.evidence}), open by certify")

    def _spaces(self, found: list[str]) -> None:
        """A kernel has a space if and only if it is positive definite, and its own space is the same as its own."""
        meaning = self._ask("consequences", lambda: consequences(self.kernel, self.d))
        definite = getattr(self.certificate, "positive_definite", None)
        if isinstance(meaning, Impossible) and definite:
            found.append(f"consequences: {meaning}; positive definite by certify")
        if hasattr(meaning, "space") and meaning.positive_definite.status == "proved" and definite is False:
            found.append(f"consequences: {meaning.space}; not positive definite by certify")
        nu = meaning.matern_smoothness.value if hasattr(meaning, "matern_smoothness") else None
        # a parity that vanishes or falls faster leaves the even or the odd functions of that space
        whole = hasattr(self.law, "even") and {"algebraic"} == {
            side.at(self.d).kind for side in (self.law.even, self.law.odd)
        }
        if nu is not None and nu.is_Rational and definite and whole:
            twin = self._ask("same_rkhs", lambda: same_rkhs(self.kernel, kernels.matern(nu), self.d))
            if getattr(twin, "same", None) is False:
                found.append(f"the space of Matern {nu} by consequences, not by same_rkhs: {twin.reason}")
        same = self._ask("same_rkhs", lambda: same_rkhs(self.kernel, self.kernel, self.d))
        if hasattr(same, "same") and (same.same is False or (same.same and definite is False)):
            found.append(f"same_rkhs with itself: {same.same}, {same.reason}")

    def _series(self, found: list[str]) -> None:
        """Taylor coefficients >= 0: no derivative at 0 is negative, and all dimensions are proved."""
        reason = positive_series(self.kernel)
        if reason is None:
            return
        series = self._ask("high_dimension", lambda: high_dimension(self.kernel))
        if hasattr(series, "derivative"):
            for m in range(5):
                value = self._ask("derivative", lambda m=m: series.derivative(m))
                if value is not None and not isinstance(value, AsymptokError) and ball(value) < 0:
                    found.append(f"kappa^({m})(0) = {value} < 0, but {reason}")
        everywhere = self._ask("check", lambda: check(self.kernel, oo)["positive definite"])
        if getattr(everywhere, "status", "") == "refuted":
            found.append(f"all dimensions: {everywhere.evidence}; but {reason}")
