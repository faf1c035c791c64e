"""From the expansions at the two ends to the law of the eigenvalues."""

from asymptok.laws.derive import decay
from asymptok.laws.evaluate import Estimate
from asymptok.laws.exact_terms import asymptotic_constant, leading_constant, term_law
from asymptok.laws.results import Decay, ParityDecay

__all__ = ["Decay", "Estimate", "ParityDecay", "asymptotic_constant", "decay", "leading_constant", "term_law"]
