"""What a page about a kernel is made of, each part computed once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from asymptok.errors import AsymptokError
from asymptok.expansion import Expansion, expand
from asymptok.kernels.kernel import Kernel
from asymptok.laws import Decay, decay
from asymptok.meaning.function_space import Consequences, consequences
from asymptok.proofs import Certificate, certify
from asymptok.spectrum import Spectrum, eigenvalues
from asymptok.theorems import ConditionReport, applicable_theorems, check
from asymptok.verification import Verification, verify

__all__ = ["DPS", "KMAX", "Study"]

T = TypeVar("T")

KMAX = 101
DPS = 20


@dataclass(frozen=True)
class Study:
    """A kernel in a dimension, and what the sections of its page ask for, each computed once."""

    kernel: Kernel
    d: int
    kmax: int = KMAX
    dps: int = DPS
    command: str = ""
    source: str = ""

    @property
    def title(self) -> str:
        return self.kernel.name or str(self.kernel)

    @property
    def numeric(self) -> bool:
        """Whether the kernel has no free parameters, so that its eigenvalues are numbers."""
        return not self.kernel.parameters

    def expansion(self, at: int) -> Expansion:
        return expand(self.kernel, at=at, order=3)

    @cached_property
    def law(self) -> Decay | AsymptokError:
        """The decay, or the reason why there is none."""
        return _or_reason(lambda: decay(self.kernel))

    @cached_property
    def verdict(self) -> ConditionReport:
        return check(self.kernel, self.d)

    @cached_property
    def theorems(self) -> tuple[ConditionReport, ...]:
        """Every known theorem that is proved to apply."""
        return applicable_theorems(self.kernel, self.d)

    @cached_property
    def certificate(self) -> Certificate | AsymptokError:
        """Bounds for every eigenvalue, or the reason why there are none."""
        return _or_reason(lambda: certify(self.kernel, self.d))

    @cached_property
    def meaning(self) -> Consequences | AsymptokError:
        return _or_reason(lambda: consequences(self.kernel, self.d))

    @cached_property
    def verification(self) -> Verification | AsymptokError:
        # without a kmax of one's own, verify also looks where a law sets in later
        kmax = None if self.kmax == KMAX else self.kmax
        return _or_reason(lambda: verify(self.kernel, self.d, kmax=kmax, dps=self.dps))

    @cached_property
    def spectrum(self) -> Spectrum | AsymptokError:
        return _or_reason(lambda: eigenvalues(self.kernel, self.d, kmax=self.kmax, dps=self.dps))


def _or_reason(compute: Callable[[], T]) -> T | AsymptokError:
    try:
        return compute()
    except AsymptokError as error:
        return error
