"""Radial kernels on R^d and their spectral densities."""

from __future__ import annotations

from asymptok.learning.radial.kernel import RadialKernel

__all__ = ["RadialKernel"]
