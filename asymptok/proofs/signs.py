"""From laws and first eigenvalues to positive definiteness on the sphere."""

from __future__ import annotations

from asymptok.constants.decide import sign
from asymptok.kernels.kernel import Kernel
from asymptok.laws.taylor_signs import infinitely_many_of_each_parity, positive_series
from asymptok.precision import flint_precision
from asymptok.proofs.claims import Law, ParityClaim
from asymptok.proofs.decimals import number
from asymptok.proofs.statement import Statement

__all__ = ["Signs", "covered", "has_no_trace", "signs_of"]


def covered(k: int, law: ParityClaim) -> bool:
    """Whether the law speaks of mu_k."""
    return (law.k0 is not None and k >= law.k0) or (law.zero_from is not None and k >= law.zero_from)


class Signs:
    """Positive definite: all mu_k >= 0 (Schoenberg). Strictly: all from some k on positive, which suffices for every d.

    `taylor`: for the even and the odd k, whether mu_k >= 0 is known whatever the laws say, as where all Taylor
    coefficients of kappa at 0 are >= 0; `endless`: infinitely many even and odd ones of these are positive besides, so
    that all mu_k are.
    """

    def __init__(
        self,
        laws: list[ParityClaim],
        small: dict[int, tuple[str, str]],
        taylor: tuple[bool, bool] = (False, False),
        endless: bool = False,
    ) -> None:
        with flint_precision(128):
            negative = [k for k, (_, high) in sorted(small.items()) if number(high) < 0]
            negative += [law.k0 for law in laws if law.k0 is not None and _is_negative(law)]
            known = [_is_positive(law, parity, small) for parity, law in enumerate(laws)]
            fine = [all(number(low) >= 0 for k, (low, _) in small.items() if k % 2 == p) for p in (0, 1)]
        self.offending = min(negative, default=None)
        self.positive: bool | None = None
        if self.offending is not None:
            self.positive = False
        elif all(taylor[p] or (known[p] and fine[p]) for p in (0, 1)):
            self.positive = True
        self.strict: bool | None = None
        if self.positive is False or any(law.law is Law.ZERO for law in laws):
            self.strict = False
        elif self.positive and (all(known) or (all(taylor) and endless)):
            self.strict = True


def _is_negative(law: ParityClaim) -> bool:
    two_sided = law.law in (Law.ALGEBRAIC, Law.GEOMETRIC, Law.EXPONENTIAL)
    return two_sided and law.high is not None and bool(number(law.high) < 0)


def _is_positive(law: ParityClaim, parity: int, small: dict[int, tuple[str, str]]) -> bool:
    """Whether all mu_k of the parity that the law speaks of are positive or zero, and all others are in the list."""
    start = law.k0 if law.k0 is not None else law.zero_from
    if start is None or not (law.law is Law.ZERO or (law.low is not None and number(law.low) > 0)):
        return False
    return all(k in small for k in range(parity, start, 2))


def signs_of(
    kernel: Kernel,
    laws: list[ParityClaim],
    small: dict[int, tuple[str, str]],
    parts: tuple[Statement | None, Statement | None] = (None, None),
) -> Signs:
    """What laws and first eigenvalues say; where they leave it open, the power series at 0 and the parts of kappa."""
    found = Signs(laws, small)
    if found.positive is None or found.strict is None:
        if positive_series(kernel) is not None:
            return Signs(laws, small, (True, True), infinitely_many_of_each_parity(kernel.expr, {}))
        even, odd = (part is not None and part.positive_definite is True for part in parts)
        found = Signs(laws, small, (even, odd))
    return found


def has_no_trace(certificate: Statement) -> bool:
    """sum N(d, k) mu_k diverges: mu_k >= a k^p with p >= 1 - d. Then kappa(1) is infinite, and there is no RKHS."""
    return any(
        law.law is Law.ALGEBRAIC and law.rate is not None and not sign(law.rate + certificate.d - 1).negative
        for law in (certificate.even, certificate.odd)
    )
