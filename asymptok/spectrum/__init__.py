"""mu_k as numbers: closed forms, quadrature with proved bounds, and an independent referee."""

from __future__ import annotations

from asymptok.spectrum.compute import eigenvalues, usual_work
from asymptok.spectrum.grid import Sweep, sweep
from asymptok.spectrum.spectrum import Spectrum, multiplicity

__all__ = ["Spectrum", "Sweep", "eigenvalues", "multiplicity", "sweep", "usual_work"]
