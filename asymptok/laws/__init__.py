"""From the expansions at the two ends to the law of the eigenvalues."""

from asymptok.laws.cases import critical_values, decay
from asymptok.laws.evaluate import Estimate
from asymptok.laws.exact_terms import asymptotic_constant, leading_constant, term_law
from asymptok.laws.results import Decay, ParityDecay
from asymptok.laws.several import DecayByCases

__all__ = [
    "Decay",
    "DecayByCases",
    "Estimate",
    "ParityDecay",
    "asymptotic_constant",
    "critical_values",
    "decay",
    "leading_constant",
    "term_law",
]
