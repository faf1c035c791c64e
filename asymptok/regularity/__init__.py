"""Singular points of a kernel: inside (-1, 1), and nearest to [-1, 1] in the complex plane."""

from asymptok.regularity.analysis import Singularities, analyse
from asymptok.regularity.bernstein import Ellipse
from asymptok.regularity.points import InteriorPoint

__all__ = ["Ellipse", "InteriorPoint", "Singularities", "analyse"]
