"""The Gram matrix of the NTK: kernel.gram against hand-written NumPy and, if installed, neural-tangents.

    python benchmarks/learning.py [--points 2000] [--columns 20] [--repeat 5]

All contenders run in this process on the same points, taking turns; the best of the repetitions counts. Times are those
of the processor (all threads together), which a busy machine changes less than the clock. `first` is the first call,
which builds the interpolant; neural-tangents compiles before. `difference` is the largest one between kernel.gram and
the recursion by hand, whose acos loses half its digits next to the diagonal.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from time import process_time
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


def best(contenders: list[Callable[[], Any]], repeat: int) -> list[tuple[float, Any]]:
    """The least processor time of each, and what it returns."""
    found: list[tuple[float, Any]] = [(float("inf"), None)] * len(contenders)
    for _ in range(repeat):
        for i, contender in enumerate(contenders):
            start = process_time()
            value = contender()
            found[i] = (min(found[i][0], process_time() - start), value)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=int, default=2000)
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    points = np.random.default_rng(0).normal(size=(options.points, options.columns))
    print(
        f"{options.points} points in {options.columns} dimensions, best of {options.repeat}, processor seconds"
    )
    print("| depth | kernel.gram | first | by hand | difference | neural-tangents |")
    print("|---|---|---|---|---|---|")
    for depth in (2, 3, 5, 10):
        kernel, rival = kernels.ntk(depth), neural_tangents(depth)
        contenders = [lambda kernel=kernel: kernel.gram(points), lambda depth=depth: by_hand(points, depth)]
        if rival is not None:
            rival(points)  # compiles
            contenders.append(lambda rival=rival: rival(points))
        first = best(contenders[:1], 1)[0][0]
        (ours, matrix), (hand, other), *rest = best(contenders, options.repeat)
        third = f"{rest[0][0]:.3f}" if rest else "not installed"
        difference = np.abs(matrix - other).max()
        print(f"| {depth} | {ours:.3f} | {first:.3f} | {hand:.3f} | {difference:.1e} | {third} |", flush=True)


if __name__ == "__main__":
    main()
