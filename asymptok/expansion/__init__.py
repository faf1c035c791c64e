"""The expansion of a kernel at an end of [-1, 1], and of any expression at any point."""

from __future__ import annotations

from asymptok.expansion.compute import expand, leading_exponent, puiseux
from asymptok.expansion.result import Expansion, Term

__all__ = ["Expansion", "Term", "expand", "leading_exponent", "puiseux"]
