"""Prediction against numbers, as a verdict."""

from asymptok.verification.results import Check, Comparison, ParityVerdict, Row, Verification
from asymptok.verification.verify import verify

__all__ = ["Check", "Comparison", "ParityVerdict", "Row", "Verification", "verify"]
