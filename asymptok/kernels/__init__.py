"""Kernels by name; each function returns a Kernel."""

from __future__ import annotations

import inspect
from typing import Any

from asymptok.errors import AsymptokError
from asymptok.kernels.architecture import network
from asymptok.kernels.construction import NAMED
from asymptok.kernels.networks import (
    arc_cosine,
    erf_network,
    first_layer_ntk,
    ntk,
    random_features,
    relu_network,
    step_features,
)
from asymptok.kernels.stationary import (
    cauchy,
    exponential,
    gamma_exponential,
    gaussian,
    laplace,
    matern,
    poisson,
    polynomial,
    rational_quadratic,
)

__all__ = [
    "arc_cosine",
    "cauchy",
    "erf_network",
    "exponential",
    "first_layer_ntk",
    "gamma_exponential",
    "gaussian",
    "get",
    "laplace",
    "matern",
    "names",
    "network",
    "ntk",
    "poisson",
    "polynomial",
    "random_features",
    "rational_quadratic",
    "relu_network",
    "step_features",
]


def names() -> list[str]:
    """The kernels there are, the formulas of networks first.

    >>> names()[:3]
    ['arc_cosine', 'random_features', 'ntk']
    """
    rooms = [arc_cosine.__module__, network.__module__, laplace.__module__]
    return sorted(NAMED, key=lambda name: rooms.index(NAMED[name].factory.__module__))


def get(name: str, **parameters: object) -> Any:
    """The kernel of that name.

    >>> get("ntk", depth=2)
    Kernel('u*kappa0(u) + kappa1(u)', name='NTK, depth 2')
    """
    if not isinstance(name, str) or name not in NAMED:
        raise AsymptokError(f"there is no kernel {name!r}; there are {', '.join(names())}")
    factory = NAMED[name].factory
    signature = inspect.signature(factory)
    try:
        signature.bind(**parameters)
    except TypeError as error:
        bare = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
        raise AsymptokError(f"{name}{inspect.Signature(bare)}: {error}") from None
    return factory(**parameters)
