"""The Gram matrix of the NTK: kernel.gram against hand-written NumPy and, if installed, neural-tangents.

    python benchmarks/learning.py [--points 2000] [--columns 20] [--repeat 3]

All contenders run in this process on the same points; the best of the repetitions counts. `difference` is the largest
one between the first two.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from asymptok import kernels


def by_hand(points: Any, depth: int) -> Any:
    """The recursion as one would write it down: acos, sqrt, no care at the ends."""
    unit = points / np.linalg.norm(points, axis=1, keepdims=True)
    layer = np.clip(unit @ unit.T, -1, 1)
    tangent = layer
    for _ in range(depth - 1):
        angle = np.arccos(layer)
        slope = 1 - angle / np.pi
        layer = np.clip(layer * slope + np.sqrt(1 - layer**2) / np.pi, -1, 1)
        tangent = tangent * slope + layer
    return tangent


def neural_tangents(depth: int) -> Callable[[Any], Any] | None:
    try:
        import jax
        from neural_tangents import stax
    except ImportError:
        return None
    jax.config.update("jax_enable_x64", True)
    layers = [part for _ in range(depth - 1) for part in (stax.Dense(1, W_std=2**0.5), stax.Relu())]
    _, _, function = stax.serial(*layers, stax.Dense(1, W_std=1.0))
    compiled = jax.jit(lambda x: function(x, x, "ntk"))

    def run(points: Any) -> Any:
        unit = points / np.linalg.norm(points, axis=1, keepdims=True) * np.sqrt(points.shape[1])
        return np.asarray(compiled(unit).block_until_ready())

    return run


def best(function: Callable[[], Any], repeat: int) -> tuple[float, Any]:
    times, value = [], None
    for _ in range(repeat):
        start = perf_counter()
        value = function()
        times.append(perf_counter() - start)
    return min(times), value


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=int, default=2000)
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    points = np.random.default_rng(0).normal(size=(options.points, options.columns))
    print(f"{options.points} points in {options.columns} dimensions, best of {options.repeat}, seconds")
    print("| depth | kernel.gram | by hand | difference | neural-tangents |")
    print("|---|---|---|---|---|")
    for depth in (2, 3, 5, 10):
        kernel = kernels.ntk(depth)
        kernel.gram(points[:50])  # the program is built once
        ours, matrix = best(lambda kernel=kernel: kernel.gram(points), options.repeat)
        hand, other = best(lambda depth=depth: by_hand(points, depth), options.repeat)
        rival = neural_tangents(depth)
        third = "not installed"
        if rival is not None:
            rival(points)
            third = f"{best(lambda rival=rival: rival(points), options.repeat)[0]:.2f}"
        print(
            f"| {depth} | {ours:.2f} | {hand:.2f} | {np.abs(matrix - other).max():.1e} | {third} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
