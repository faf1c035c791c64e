"""From the expansions at the two ends to the law of the eigenvalues."""

from asymptok.asymptotics.decay import decay
from asymptok.asymptotics.evaluate import Estimate
from asymptok.asymptotics.laws import asymptotic_constant, leading_constant, term_law
from asymptok.asymptotics.results import Decay, ParityDecay

__all__ = ["Decay", "Estimate", "ParityDecay", "asymptotic_constant", "decay", "leading_constant", "term_law"]
