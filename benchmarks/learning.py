"""The Gram matrix of the NTK: kernel.gram against hand-written NumPy and, if installed, neural-tangents.

    python benchmarks/learning.py [--points 2000] [--repeat 5]

All contenders run in this process on the same points, taking turns; the best of the repetitions counts, on the wall and
of the processor (all threads together), alone and beside another program that uses a processor. The first calls, in
which an interpolant is built or a program compiled, are not counted. `difference` is the largest one between
kernel.gram and the recursion by hand, whose acos loses half its digits next to the diagonal.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import product
from time import perf_counter, process_time
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


def best(contenders: list[Callable[[], Any]], repeat: int) -> list[tuple[float, float, Any]]:
    """The least wall and processor time of each, and what it returns."""
    found: list[tuple[float, float, Any]] = [(float("inf"), float("inf"), None)] * len(contenders)
    for _ in range(repeat):
        for i, contender in enumerate(contenders):
            wall, processor = perf_counter(), process_time()
            value = contender()
            wall, processor = perf_counter() - wall, process_time() - processor
            found[i] = (min(found[i][0], wall), min(found[i][1], processor), value)
    return found


@contextmanager
def beside(jobs: int) -> Iterator[None]:
    """So many other programs that use a processor each."""
    started = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(jobs)]
    try:
        yield
    finally:
        for job in started:
            job.kill()
            job.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=int, default=2000)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    print(f"{options.points} points, best of {options.repeat}: seconds on the wall / of the processor")
    print("| depth | columns | other jobs | kernel.gram | by hand | neural-tangents | difference |")
    print("|---|---|---|---|---|---|---|")
    for depth, columns, jobs in product((3, 10), (20, 64, 784), (0, 1)):
        points = np.random.default_rng(0).normal(size=(options.points, columns))
        kernel, rival = kernels.ntk(depth), neural_tangents(depth)
        contenders = [partial(kernel.gram, points), partial(by_hand, points, depth)]
        contenders += [] if rival is None else [partial(rival, points)]
        best(contenders, 1)  # builds the interpolant, compiles
        with beside(jobs):
            found = best(contenders, options.repeat)
        times = [f"{wall:.3f} / {processor:.3f}" for wall, processor, _ in found]
        times += ["not installed"] * (3 - len(times))
        difference = np.abs(found[0][2] - found[1][2]).max()
        print(f"| {depth} | {columns} | {jobs} | {' | '.join(times)} | {difference:.1e} |", flush=True)


if __name__ == "__main__":
    main()
