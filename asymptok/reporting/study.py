"""What a page about a kernel is made of, each part computed once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from asymptok import ways_out
from asymptok.errors import AsymptokError, Undecided
from asymptok.expansion import Expansion, expand
from asymptok.kernels.kernel import Kernel
from asymptok.laws import Decay
from asymptok.laws.derive import decay
from asymptok.meaning.function_space import Consequences, consequences
from asymptok.patience import Portion
from asymptok.proofs import Certificate, certify
from asymptok.spectrum import Spectrum, eigenvalues
from asymptok.theorems import ConditionReport, applicable_theorems, check
from asymptok.verification import Verification, verify

__all__ = ["DPS", "KMAX", "SECTION", "Study", "in_time"]

T = TypeVar("T")

KMAX = 101
DPS = 20
#: the share that one part, and one section, of the page may take of the time that is left for all of it
_PART, SECTION = 0.5, 0.9


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

    def expansion(self, at: int) -> Expansion | AsymptokError:
        return in_time(lambda: expand(self.kernel, at=at, order=3))

    @cached_property
    def law(self) -> Decay | AsymptokError:
        """The decay, or the reason why there is none."""
        return in_time(lambda: decay(self.kernel))

    @cached_property
    def verdict(self) -> ConditionReport | AsymptokError:
        return in_time(lambda: check(self.kernel, self.d))

    @cached_property
    def theorems(self) -> tuple[ConditionReport, ...]:
        """Every known theorem that is proved to apply, as far as the time allows."""
        found = in_time(lambda: applicable_theorems(self.kernel, self.d))
        return () if isinstance(found, AsymptokError) else found

    @cached_property
    def certificate(self) -> Certificate | AsymptokError:
        """Bounds for every eigenvalue, or the reason why there are none."""
        return in_time(lambda: certify(self.kernel, self.d))

    @cached_property
    def meaning(self) -> Consequences | AsymptokError:
        return in_time(lambda: consequences(self.kernel, self.d))

    @cached_property
    def verification(self) -> Verification | AsymptokError:
        # without a kmax of one's own, verify also looks where a law sets in later
        kmax = None if self.kmax == KMAX else self.kmax
        return in_time(lambda: verify(self.kernel, self.d, kmax=kmax, dps=self.dps))

    @cached_property
    def spectrum(self) -> Spectrum | AsymptokError:
        return in_time(lambda: eigenvalues(self.kernel, self.d, kmax=self.kmax, dps=self.dps))


def in_time(compute: Callable[[], T], share: float = _PART) -> T | AsymptokError:
    """The result, or the reason why there is none: that it did not end in its share of the time is one."""
    time = Portion(share, of_rest=True)
    with time:
        try:
            return compute()
        except AsymptokError as error:
            return error
    return Undecided(f"left out: {time}; {ways_out.more_time(120)} gives the page more")
