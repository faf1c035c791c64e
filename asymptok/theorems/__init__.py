"""Theorems as data, and the verdict on their hypotheses for a kernel."""

from asymptok.theorems.catalogue import DECAY, THEOREMS
from asymptok.theorems.judge import applicable_theorems, check
from asymptok.theorems.theorem import Condition, ConditionReport, Hypothesis, Reference, Theorem

__all__ = [
    "DECAY",
    "THEOREMS",
    "Condition",
    "ConditionReport",
    "Hypothesis",
    "Reference",
    "Theorem",
    "applicable_theorems",
    "check",
]
