"""Singular points of a kernel: inside (-1, 1), and nearest to [-1, 1] in the complex plane."""

from asymptok.singularities.analysis import Singularities, analyse
from asymptok.singularities.ellipse import Ellipse
from asymptok.singularities.points import InteriorPoint

__all__ = ["Ellipse", "InteriorPoint", "Singularities", "analyse"]
