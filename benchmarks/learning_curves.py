"""Learning curves: the spectral prediction against measured regression, as a table with error bars and a figure.

    python benchmarks/learning_curves.py [--scale 1] [--most 2000] [--table FILE] [--figure FILE] [--data]

Every cell draws its points anew in each run, from seeds that depend on the cell and the run alone; the mean over random
targets of the given powers is exact (LearningCurve.measure). `--scale` multiplies the number of runs.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from asymptok import kernels, learning_curve

RIDGES = (1e-6, 1e-3, 1.0)
#: runs for each number of points
RUNS = {30: 200, 100: 100, 300: 40, 1000: 16, 2000: 8}


def rough(d: int) -> dict[int, float]:
    """Power in more degrees than 2000 points resolve."""
    top = {3: 60, 5: 15, 10: 6}[d]
    return {k: 1.0 / (k + 1) ** 2 for k in range(top + 1)}


def smooth(d: int) -> dict[int, float]:
    """Two low degrees that the points resolve at once."""
    return {1: 0.5, 3: 0.5}


def cell(d: int, n: int, target: dict[int, float], ridge: float, runs: int) -> str:
    """predicted, measured +- standard error; bold where they differ by more than 3 standard errors and 10 %."""
    curve = learning_curve(kernels.laplace(), d, n, target, ridge)
    predicted = curve.error[0]
    mean, error = (float(column[0]) for column in curve.measure(runs)[1:])
    text = f"{predicted:.3g}, {mean:.3g} ± {error:.1g}"
    return text if abs(predicted - mean) <= 3 * error + 0.1 * mean else f"**{text}**"


def figure(scale: float, most: int) -> Any:
    """NTKs of depth 2, 3, 5 and the Laplace kernel side by side on S^2, a rough target, with measurements."""
    d, ridge = 3, 1e-3
    sizes = [n for n in (30, 100, 300, 1000) if n <= most]
    curves, seen = [], []
    for kernel in (kernels.ntk(2), kernels.ntk(3), kernels.ntk(5), kernels.laplace()):
        curves.append(learning_curve(kernel, d, np.geomspace(20, 1e5, 40), rough(d), ridge))
        seen.append(learning_curve(kernel, d, sizes, rough(d), ridge).measure(max(2, int(10 * scale))))
    return curves[0].plot(*curves[1:], measured=seen)


def data_sets() -> None:
    """predicted/measured for the NTK of depth 3 on data sets of scikit-learn, classes as columns of 0 and 1."""
    from sklearn import datasets
    from sklearn.preprocessing import StandardScaler

    print("| data | points | n | ridge 1e-3 | ridge 0.1 | ridge 1 |\n|---|---|---|---|---|---|")
    for name, standard in (
        ("digits", 0),
        ("diabetes", 0),
        ("breast_cancer", 0),
        ("breast_cancer", 1),
        ("wine", 1),
    ):
        X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
        X = StandardScaler().fit_transform(X) if standard else X
        y = (y - y.mean()) / y.std() if name == "diabetes" else np.eye(int(y.max()) + 1)[y.astype(int)]
        sizes = [30, 100, len(X) // 3, 2 * len(X) // 3]
        cells = []
        for ridge in (1e-3, 0.1, 1.0):
            curve = learning_curve(kernels.ntk(3), data=(X, y), n=sizes, ridge=ridge)
            cells.append(curve.error / curve.measure(runs=8)[1])
        for n, *row in zip(sizes, *cells, strict=True):
            label = name.replace("_", " ") + ", standardised" * standard
            print(f"| {label} | {len(X)} | {n} | {' | '.join(f'{x:.2f}' for x in row)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--most", type=int, default=2000)
    parser.add_argument("--table", type=Path)
    parser.add_argument("--figure", type=Path)
    parser.add_argument("--data", action="store_true", help="the data sets of scikit-learn instead")
    options = parser.parse_args()
    if options.data:
        data_sets()
        return
    if options.figure:
        figure(options.scale, options.most).savefig(options.figure, metadata={"Date": None})
    lines = ["| target | sphere | n | ridge 1e-6 | ridge 1e-3 | ridge 1 |", "|---|---|---|---|---|---|"]
    print("\n".join(lines))
    for d in (3, 5, 10):
        for name, target in (("rough", rough(d)), ("smooth", smooth(d))):
            for n, runs in RUNS.items():
                if n <= options.most:
                    found = [cell(d, n, target, r, max(2, int(runs * options.scale))) for r in RIDGES]
                    lines.append(f"| {name} | S^{d - 1} | {n} | {' | '.join(found)} |")
                    print(lines[-1], flush=True)
    if options.table:
        options.table.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
