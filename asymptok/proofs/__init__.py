"""Proofs with numbers: certificates for every eigenvalue, remainders with constants, comparison of two kernels."""

from asymptok.proofs.certificate import Certificate
from asymptok.proofs.certifying import certify

__all__ = ["Certificate", "certify"]
