"""The figure of random_features.md.

    python docs/make_random_features.py

writes docs/static/random-features.svg. Takes about a minute; every seed is fixed.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from sympy import lambdify

from asymptok import RadialKernel, features
from asymptok.symbols import w

#: eight points of the unit sphere of R^3
POINTS = np.random.default_rng(0).standard_normal((8, 3))
POINTS /= np.linalg.norm(POINTS, axis=1)[:, None]

FEATURES = {
    "ReLU": lambda m, rng: features.relu(m, 3, rng),
    "Fourier, Gaussian": lambda m, rng: features.fourier("exp(-r**2/2)", m, 3, rng),
    "Fourier, Laplace": lambda m, rng: features.fourier("exp(-r)", m, 3, rng),
    "NTK of depth 2": lambda m, rng: features.empirical_ntk(2, m, 3, rng),
    "NTK of depth 4": lambda m, rng: features.empirical_ntk(4, m, 3, rng),
}
WIDTHS = (16, 32, 64, 128, 256, 512, 1024)
DENSITIES = {
    "exp(-r)": "Laplace",
    "(1 + sqrt(3)*r)*exp(-sqrt(3)*r)": "Matern 3/2",
    "exp(-r**2/2)": "Gaussian",
}
COLOURS = ("#1f5fa8", "#c8553d", "#3f8f5f", "#7a5195", "#b08900")


def rates(axes: plt.Axes) -> None:
    """Root mean square error of the Gram matrix; the dashed line is what the exact standard errors predict."""
    for (name, make), colour in zip(FEATURES.items(), COLOURS, strict=True):
        found = features.convergence(make, POINTS, WIDTHS, repeats=20, seed=1)
        axes.errorbar(WIDTHS, found.rms, 2 * found.rms_error, fmt="o", ms=3, color=colour, capsize=2)
        label = f"{name}: slope {found.slope:.3f} ± {found.slope_error:.3f}"
        if name.endswith("4"):
            line = found.rms[-1] * np.sqrt(WIDTHS[-1] / np.array(WIDTHS))
        else:
            exact = [make(m, np.random.default_rng(0)).standard_error(POINTS) for m in WIDTHS]
            line = [np.sqrt(np.mean(error**2)) for error in exact]
        axes.plot(WIDTHS, line, "--", lw=1, color=colour, label=label)
    axes.set(xscale="log", yscale="log", xlabel="units or frequencies m", ylabel="rms error of an entry")
    axes.set_ylim(5e-3, 9)
    axes.legend(fontsize=7, frameon=False, loc="upper right")
    axes.set_title("Errors fall like 1/√m", fontsize=10)


def suprema(axes: plt.Axes) -> None:
    """The largest error over pairs of 400 points of a square, beside the bounds for failure probability 5 %."""
    points = np.random.default_rng(3).uniform(-1, 1, (400, 2))
    diameter = 2 * np.sqrt(2)
    widths = (100, 300, 1000, 3000)
    measured = []
    for m in widths:
        copies = (features.fourier("exp(-r**2/2)", m, 2, seed) for seed in range(10))
        measured.append([np.abs(phi.gram(points) - phi.limit(points)).max() for phi in copies])
    axes.plot(widths, np.mean(measured, axis=1), "o", ms=4, color=COLOURS[0], label="measured, mean of 10")
    axes.vlines(widths, np.min(measured, axis=1), np.max(measured, axis=1), color=COLOURS[0], lw=1)
    one = [features.fourier("exp(-r**2/2)", m, 2, 0) for m in widths]
    axes.plot(
        widths, [phi.uniform_bound(diameter) for phi in one], "-", color=COLOURS[1], label="proved bound"
    )
    printed = [phi.uniform_bound(diameter, published=True) for phi in one]
    axes.plot(widths, printed, "--", color=COLOURS[1], label="as published")
    axes.set(xscale="log", yscale="log", xlabel="frequencies m", ylabel="largest error on the square")
    axes.legend(fontsize=7, frameon=False)
    axes.set_title("Uniform error, Gaussian kernel, d = 2", fontsize=10)


def densities(axes: plt.Axes) -> None:
    """Spectral densities on R^3 with the tails that the expansions at r = 0 give."""
    x = np.geomspace(0.1, 100, 300)
    for (text, name), colour in zip(DENSITIES.items(), COLOURS, strict=False):
        kernel = RadialKernel(text)
        values = lambdify(w, kernel.spectral_density(3), "numpy")(x)
        axes.plot(x, values, color=colour, label=name)
        if kernel.nu is not None:
            axes.plot(x[x > 1], lambdify(w, kernel.tail(3), "numpy")(x[x > 1]), ":", color=colour)
    axes.set(xscale="log", yscale="log", xlabel="|w|", ylabel="Fourier transform on R³", ylim=(1e-11, 1e3))
    axes.legend(fontsize=7, frameon=False)
    axes.set_title("Tails come from r = 0 (dotted)", fontsize=10)


def draw(path: Path) -> None:
    with mpl.rc_context({"svg.hashsalt": "asymptok", "font.size": 9}):
        figure, (left, middle, right) = plt.subplots(1, 3, figsize=(12, 3.9), layout="constrained")
        rates(left)
        suprema(middle)
        densities(right)
        for axes in (left, middle, right):
            axes.spines[["top", "right"]].set_visible(False)
        # no date: the same numbers give the same file
        figure.savefig(path, metadata={"Date": None})
        plt.close(figure)


if __name__ == "__main__":
    draw(Path(__file__).parent / "static" / "random-features.svg")
