"""From laws and first eigenvalues to positive definiteness on the sphere."""

from __future__ import annotations

from asymptok.precision import flint_precision
from asymptok.proofs.claims import Law, ParityClaim
from asymptok.proofs.decimals import number


def covered(k: int, law: ParityClaim) -> bool:
    """Whether the law speaks of mu_k."""
    return (law.k0 is not None and k >= law.k0) or (law.zero_from is not None and k >= law.zero_from)


class Signs:
    """Positive definite: all mu_k >= 0 (Schoenberg). Strictly: all from some k on positive, which suffices for every d.

    `taylor`: all Taylor coefficients of kappa at 0 are >= 0, so that all mu_k are, whatever the laws say; `endless`:
    infinitely many even and odd ones are positive besides, so that all mu_k are.
    """

    def __init__(
        self,
        laws: list[ParityClaim],
        small: dict[int, tuple[str, str]],
        taylor: bool = False,
        endless: bool = False,
    ) -> None:
        with flint_precision(128):
            negative = [k for k, (_, high) in sorted(small.items()) if number(high) < 0]
            for law in laws:
                if (
                    law.law in (Law.ALGEBRAIC, Law.GEOMETRIC, Law.EXPONENTIAL)
                    and law.high is not None
                    and number(law.high) < 0
                ):
                    assert law.k0 is not None
                    negative.append(law.k0)
            self.offending = min(negative, default=None)
            known = all(law.law is Law.ZERO or (law.low is not None and number(law.low) > 0) for law in laws)
            # every degree that no law speaks of must be in the list
            starts = [law.k0 if law.k0 is not None else law.zero_from for law in laws]
            listed = all(
                start is not None and all(k in small for k in range(parity, start, 2))
                for parity, start in enumerate(starts)
            )
            fine = all(number(low) >= 0 for low, _ in small.values())
        self.positive: bool | None = None
        if self.offending is not None:
            self.positive = False
        elif (known and listed and fine) or taylor:
            self.positive = True
        self.strict: bool | None = None
        if self.positive is False or any(law.law is Law.ZERO for law in laws):
            self.strict = False
        elif self.positive and ((known and listed) or (taylor and endless)):
            self.strict = True
