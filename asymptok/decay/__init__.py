"""From the expansions at the two ends to the law of the eigenvalues."""

from asymptok.decay.decay import decay
from asymptok.decay.evaluate import Estimate
from asymptok.decay.laws import asymptotic_constant, leading_constant, term_law
from asymptok.decay.results import Decay, ParityDecay

__all__ = ["Decay", "Estimate", "ParityDecay", "asymptotic_constant", "decay", "leading_constant", "term_law"]
