"""Prediction against numbers, as a verdict."""

from asymptok.verification.compare import verify
from asymptok.verification.results import Check, Comparison, ParityVerdict, Row, Verification

__all__ = ["Check", "Comparison", "ParityVerdict", "Row", "Verification", "verify"]
