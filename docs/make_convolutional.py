"""The figure of convolutional.md.

    python docs/make_convolutional.py

writes docs/static/convolutional.svg. Takes about a minute; every seed is fixed.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np

from asymptok.convolutional import ckn, conv_ntk

PLACES = 64
BLUE, RED, GREEN, GOLD = "#1f5fa8", "#c8553d", "#3f8f5f", "#b08900"


def signal(places: np.ndarray, seed: int = 0) -> np.ndarray:
    """A smooth periodic signal, evaluated at any places of the circle: a few random waves, norm 1 on the grid."""
    rng = np.random.default_rng(seed)
    coefficients = rng.standard_normal((2, 9))
    phase = 2 * np.pi * np.outer(places, np.arange(1, 10)) / PLACES
    values = np.cos(phase) @ coefficients[0] + np.sin(phase) @ coefficients[1]
    grid = 2 * np.pi * np.outer(np.arange(PLACES), np.arange(1, 10)) / PLACES
    return values / np.linalg.norm(np.cos(grid) @ coefficients[0] + np.sin(grid) @ coefficients[1])


def deformed(size: float) -> np.ndarray:
    """x(u - tau(u)) with tau(u) = size sin(2 pi 2 u/N) N/(4 pi), so that |tau'| <= size."""
    places = np.arange(PLACES)
    frequency = 2 * np.pi * 2 / PLACES
    return signal(places - size / frequency * np.sin(frequency * places))


def smoothness(axes: plt.Axes) -> None:
    """|Phi(x) - Phi(y)| against |x - y|, and the proved bounds."""
    x = signal(np.arange(PLACES))
    direction = np.random.default_rng(1).standard_normal(PLACES)
    direction /= np.linalg.norm(direction)
    steps = np.geomspace(1e-4, 1, 9)
    for n, shade in ((1, 0.45), (3, 0.75), (6, 1.0)):
        for make, colour, name in ((ckn, BLUE, "CKN"), (conv_ntk, RED, "NTK")):
            kernel = make(n, pooling=1.0, boundary="periodic")
            found = [kernel.distance(x, x + step * direction) for step in steps]
            axes.plot(steps, found, "o-", ms=3, lw=1, color=colour, alpha=shade, label=f"{name}, n = {n}")
        bound = [kernel.smoothness_bound(step, 1.0, np.linalg.norm(x + step * direction)) for step in steps]
        axes.plot(steps, bound, ":", color=RED, alpha=shade)
    axes.plot(steps, steps, ":", color=BLUE)
    axes.set(xscale="log", yscale="log", xlabel="|x − y|", ylabel="|Φ(x) − Φ(y)|", ylim=(1e-5, 30))
    axes.legend(fontsize=7, frameon=False, ncols=2, loc="lower right")
    axes.set_title("Smoothness; proved bounds dotted", fontsize=10)


def translations(axes: plt.Axes) -> None:
    """Moves by c places, against c/sigma of the last pooling layer."""
    x = signal(np.arange(PLACES))
    for make, colour, name in ((ckn, BLUE, "CKN"), (conv_ntk, RED, "NTK")):
        for sigma, marker in ((2.0, "o"), (4.0, "s"), (8.0, "^")):
            kernel = make(2, pooling=[1.0, sigma], boundary="periodic")
            shifts = np.array([1, 2, 4, 8])
            found = [kernel.distance(x, np.roll(x, c)) for c in shifts]
            label = f"{name}, σ = {sigma:.0f}"
            axes.plot(shifts / sigma, found, marker, ms=4, color=colour, label=label, mfc="none")
        ratio = np.geomspace(0.1, 4, 20)
        wide = make(2, pooling=[1.0, 40.0]).translation_bound
        line = [wide(max(1, round(40 * value))) for value in ratio]
        axes.plot(ratio, line, ":", color=colour)
    axes.set(xscale="log", yscale="log", xlabel="shift / σ of the last layer", ylabel="|Φ(x moved) − Φ(x)|")
    axes.legend(fontsize=7, frameon=False, ncols=2, loc="lower right")
    axes.set_title("Translations, 2 layers; bounds dotted", fontsize=10)


def deformations(axes: plt.Axes) -> None:
    """Smooth deformations of size |tau'|, with strong final pooling; the bounds are those of smoothness."""
    x = signal(np.arange(PLACES))
    sizes = np.geomspace(1e-4, 0.3, 8)
    moved = [deformed(size) for size in sizes]
    change = [float(np.linalg.norm(x - y)) for y in moved]
    for n, shade in ((1, 0.45), (2, 0.75), (4, 1.0)):
        for make, colour, name, power in ((ckn, BLUE, "CKN", 1.0), (conv_ntk, RED, "NTK", 0.5)):
            kernel = make(n, pooling=[1.0] * (n - 1) + [8.0], boundary="periodic")
            found = [kernel.distance(x, y) for y in moved]
            # the constant in front of |tau'| or its root, at the smallest deformation
            law = f"{found[0] / sizes[0] ** power:.2f} |∇τ|" + ("" if power == 1 else "$^{1/2}$")
            axes.plot(
                sizes, found, "o-", ms=3, lw=1, color=colour, alpha=shade, label=f"{name}, n = {n}: {law}"
            )
        bound = [
            kernel.smoothness_bound(step, 1.0, float(np.linalg.norm(y)))
            for step, y in zip(change, moved, strict=True)
        ]
        axes.plot(sizes, bound, ":", color=RED, alpha=shade)
    axes.plot(sizes, change, ":", color=BLUE)
    axes.set(xscale="log", yscale="log", xlabel="|∇τ|", ylabel="|Φ(x deformed) − Φ(x)|", ylim=(3e-7, 20))
    axes.legend(fontsize=7, frameon=False, ncols=2, loc="lower right")
    axes.set_title("Deformations, last σ = 8; bounds dotted", fontsize=10)


def draw(path: Path) -> None:
    with mpl.rc_context({"svg.hashsalt": "asymptok", "font.size": 9}):
        figure, panels = plt.subplots(1, 3, figsize=(12, 3.9), layout="constrained")
        for panel, axes in zip((smoothness, translations, deformations), panels, strict=True):
            panel(axes)
            axes.spines[["top", "right"]].set_visible(False)
        figure.savefig(path, metadata={"Date": None})
        plt.close(figure)


if __name__ == "__main__":
    draw(Path(__file__).parent / "static" / "convolutional.svg")
