"""The figures of docs/learning.md and docs/high_dimension.md.

    python docs/make_learning.py

writes docs/static/staircase.svg and docs/static/lazy-training.svg; learning-curves.svg is made by
benchmarks/learning_curves.py, which also prints the table.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from asymptok import kernels, learning_curve, multiplicity
from asymptok.learning import lazy

COLOURS = ("#1f5fa8", "#c8590b", "#2e8b57", "#8e44ad")
D, DEGREES, RIDGE = 12, (1, 2, 3), 1e-6


def figure(width: float = 6.4, height: float = 4.4) -> Any:
    from matplotlib.figure import Figure

    made = Figure(figsize=(width, height), layout="constrained")
    axes = made.subplots()
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.set_xscale("log")
    return made, axes


def staircase() -> Any:
    """The error of each degree against n: learned when n passes the number of harmonics of that degree."""
    kernel, made, axes = kernels.ntk(3), *figure()
    sizes, measured = np.geomspace(3, 1e5, 80), [5, 12, 30, 70, 160, 400, 1000, 2000]
    for degree, colour in zip(DEGREES, COLOURS, strict=False):
        predicted = learning_curve(kernel, D, sizes, {degree: 1.0}, RIDGE)
        axes.plot(sizes, predicted.error, color=colour, label=f"degree {degree}")
        axes.axvline(multiplicity(degree, D), color=colour, linewidth=0.7, linestyle=":")
        seen = learning_curve(kernel, D, measured, {degree: 1.0}, RIDGE).measure(runs=6, seed=degree)
        axes.errorbar(*seen, fmt="o", color=colour, markersize=3.5, capsize=2)
    axes.set_xlabel("points $n$ (dotted: the number of harmonics of the degree)")
    axes.set_ylabel("squared error of a target of one degree")
    axes.set_ylim(0, 1.4)
    axes.set_title(f"NTK of depth 3 on $S^{{{D - 1}}}$", fontsize=11)
    axes.legend(frameon=False)
    return made


def lazy_figure() -> Any:
    made, axes = figure()
    points = np.random.default_rng(0).normal(size=(30, 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    result = lazy(points, points[:, 0] * points[:, 1] + points[:, 2], width=100, steps=400)
    axes.set_yscale("log")
    for name, label, colour in (
        ("movement", "weights moved", COLOURS[0]),
        ("distance", "distance to the linearised network", COLOURS[1]),
    ):
        values = getattr(result, name)
        slope = result.slope(name)
        axes.plot(result.alphas, values, "o-", color=colour, label=rf"{label}: slope {slope:.2f}")
    axes.set_xlabel(r"scale $\alpha$")
    axes.set_ylabel("norm of the difference of weights")
    axes.legend(frameon=False)
    return made


if __name__ == "__main__":
    static = Path(__file__).parent / "static"
    staircase().savefig(static / "staircase.svg", metadata={"Date": None})
    lazy_figure().savefig(static / "lazy-training.svg", metadata={"Date": None})
