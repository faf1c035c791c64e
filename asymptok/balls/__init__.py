"""Enclosures of expressions in ball arithmetic."""

from __future__ import annotations

from asymptok.balls.evaluate import ball, compile_ball, complex_ball, exact_point, lower

__all__ = ["ball", "compile_ball", "complex_ball", "exact_point", "lower"]
