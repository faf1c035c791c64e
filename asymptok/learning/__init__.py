"""What a spectrum means for learning: regression, gradient flow, learning curves, high dimension."""

from __future__ import annotations

from asymptok.learning.curve import LearningCurve, learning_curve
from asymptok.learning.dimension import HighDimension, high_dimension, learnable_degree
from asymptok.learning.regression import Flow, KernelRegression

__all__ = [
    "Flow",
    "HighDimension",
    "KernelRegression",
    "LearningCurve",
    "high_dimension",
    "learnable_degree",
    "learning_curve",
]
