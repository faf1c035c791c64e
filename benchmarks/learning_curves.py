"""Learning curves: the spectral prediction against measured regression, as a table with error bars and a figure.

    python benchmarks/learning_curves.py [--runs 10] [--most 2000] [--table FILE] [--figure FILE]

Every cell draws its points and its target anew in each run, from seeds that depend on the cell and the run alone. A
target with power v_k in degree k is a random sum of zonal functions around 64 random centres for each degree.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from asymptok import Kernel, kernels, learning_curve, multiplicity
from asymptok.functions.zonal import zonal_polynomials
from asymptok.learning import KernelRegression

RIDGES = (1e-6, 1e-3, 1.0)
SIZES = (30, 100, 300, 1000, 2000)
DIMENSIONS = (3, 5, 10)
TEST = 500


def rough(d: int) -> dict[int, float]:
    """Power in more degrees than 2000 points resolve."""
    top = {3: 60, 5: 15, 10: 6}[d]
    return {k: 1.0 / (k + 1) ** 2 for k in range(top + 1)}


def smooth(d: int) -> dict[int, float]:
    """Two low degrees that the points resolve at once."""
    return {1: 0.5, 3: 0.5}


def sphere(n: int, d: int, rng: np.random.Generator) -> Any:
    points = rng.normal(size=(n, d))
    return points / np.linalg.norm(points, axis=1, keepdims=True)


def sample(points: Any, d: int, target: dict[int, float], rng: np.random.Generator) -> Any:
    """A random function with these powers, at the points."""
    values = np.zeros(len(points))
    inner = np.clip(points @ sphere(64, d, rng).T, -1, 1)
    for degree, polynomial in zip(range(max(target) + 1), zonal_polynomials(d, inner), strict=False):
        weights = rng.normal(size=64) * np.sqrt(target.get(degree, 0.0) * multiplicity(degree, d) / 64)
        values += polynomial @ weights
    return values


def measure(
    kernel: Kernel, d: int, n: int, target: dict[int, float], ridges: tuple[float, ...], runs: int
) -> tuple[Any, Any]:
    """Mean squared error on new points and its standard error over the runs, one for each ridge."""
    errors = []
    for run in range(runs):
        rng = np.random.default_rng([run, n, d, len(target)])
        points = sphere(n + TEST, d, rng)
        values = sample(points, d, target, rng)
        model = KernelRegression(kernel, ridges[0]).fit(points[:n], values[:n])
        cross = kernel.gram(points[n:], points[:n])
        row = []
        for ridge in ridges:
            dual = np.linalg.solve(model._matrix + ridge * np.eye(n), values[:n])
            row.append(np.mean((cross @ dual - values[n:]) ** 2))
        errors.append(row)
    return np.mean(errors, axis=0), np.std(errors, axis=0, ddof=1) / np.sqrt(runs)


def cells(kernel: Kernel, runs: int, most: int) -> Iterator[tuple[Any, ...]]:
    for d in DIMENSIONS:
        for name, target in (("rough", rough(d)), ("smooth", smooth(d))):
            for n in (n for n in SIZES if n <= most):
                mean, spread = measure(kernel, d, n, target, RIDGES, runs if n <= 300 else max(4, runs // 3))
                for ridge, m, e in zip(RIDGES, mean, spread, strict=True):
                    predicted = learning_curve(kernel, d, n, target, ridge).error[0]
                    good = abs(predicted - m) <= 3 * e + 0.1 * m
                    yield name, d, n, ridge, predicted, m, e, good


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=12)
    parser.add_argument("--most", type=int, default=2000)
    parser.add_argument("--table", type=Path)
    parser.add_argument("--figure", type=Path)
    options = parser.parse_args()
    lines = [
        "| target | sphere | n | ridge | predicted | measured | within |",
        "|---|---|---|---|---|---|---|",
    ]
    print("\n".join(lines))
    for name, d, n, ridge, predicted, mean, error, good in cells(
        kernels.laplace(), options.runs, options.most
    ):
        seen = f"{mean:.3g} ± {error:.1g} | {'yes' if good else 'no'}"
        lines.append(f"| {name} | S^{d - 1} | {n} | {ridge:g} | {predicted:.3g} | {seen} |")
        print(lines[-1], flush=True)
    if options.table:
        options.table.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if options.figure:
        figure(options.runs, min(options.most, 1000)).savefig(options.figure, metadata={"Date": None})


def figure(runs: int, most: int) -> Any:
    """NTKs of depth 2, 3, 5 and the Laplace kernel side by side on S^2, a rough target, with measurements."""
    d, ridge = 3, 1e-3
    sizes = [n for n in (30, 100, 300, 1000) if n <= most]
    curves, seen = [], []
    for kernel in (kernels.ntk(2), kernels.ntk(3), kernels.ntk(5), kernels.laplace()):
        curves.append(learning_curve(kernel, d, np.geomspace(20, 1e5, 40), rough(d), ridge))
        found = [measure(kernel, d, n, rough(d), (ridge,), max(4, runs // 2)) for n in sizes]
        seen.append((sizes, [m[0] for m, _ in found], [e[0] for _, e in found]))
    return curves[0].plot(*curves[1:], measured=seen)


if __name__ == "__main__":
    main()
