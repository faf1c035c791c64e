"""Proofs with numbers: certificates for every eigenvalue, remainders with constants, comparison of two kernels."""

from asymptok.proofs.certificate import Certificate
from asymptok.proofs.comparison import Comparison, embeds, same_rkhs
from asymptok.proofs.parities import certify
from asymptok.proofs.remainder import RemainderBound

__all__ = ["Certificate", "Comparison", "RemainderBound", "certify", "embeds", "same_rkhs"]
