"""Random features and networks of finite width, beside the kernels that they approach."""

from __future__ import annotations

from asymptok.learning.features.maps import (
    ArcCosineFeatures,
    FeatureMap,
    FourierFeatures,
    arc_cosine,
    fourier,
    relu,
)
from asymptok.learning.features.networks import NetworkFeatures, TangentFeatures, empirical_ntk, network
from asymptok.learning.features.rates import Convergence, Replicates, convergence, replicate
from asymptok.learning.features.uniform import failure_probability, uniform_bound

__all__ = [
    "ArcCosineFeatures",
    "Convergence",
    "FeatureMap",
    "FourierFeatures",
    "NetworkFeatures",
    "Replicates",
    "TangentFeatures",
    "arc_cosine",
    "convergence",
    "empirical_ntk",
    "failure_probability",
    "fourier",
    "network",
    "relu",
    "replicate",
    "uniform_bound",
]
