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


def signal(places: np.ndarray, size: int = PLACES) -> np.ndarray:
    """A smooth periodic signal, evaluated at any places of the circle: a few random waves, norm 1 on the grid."""
    coefficients = np.random.default_rng(0).standard_normal((2, 9))

    def waves(u: np.ndarray) -> np.ndarray:
        phase = 2 * np.pi * np.outer(u, np.arange(1, 10)) / size
        return np.cos(phase) @ coefficients[0] + np.sin(phase) @ coefficients[1]

    return waves(places) / np.linalg.norm(waves(np.arange(size)))


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
    """x(u - tau(u)) with tau(u) = g sin(2 pi 2u/N) N/(4 pi), |tau'| <= g, on grids of one to four times the places."""
    gradients = np.geomspace(1e-4, 0.3, 8)
    for make, n, finer, style, colour in (
        (ckn, 1, 1, "o-", BLUE),
        (ckn, 4, 1, "s-", BLUE),
        (conv_ntk, 1, 1, "o-", RED),
        (conv_ntk, 4, 1, "s-", RED),
        (conv_ntk, 4, 2, "s-", GOLD),
        (conv_ntk, 4, 4, "s-", GREEN),
    ):
        size = PLACES * finer
        places, frequency = np.arange(size), 4 * np.pi / size
        widths = [2.0 * finer] * n + [8.0 * finer]
        kernel = make(n, patch=2 * finer + 1, pooling=widths[1:], prefilter=widths[0], boundary="periodic")
        x = signal(places, size)
        moved = [signal(places - g / frequency * np.sin(frequency * places), size) for g in gradients]
        label = f"{'CKN' if make is ckn else 'NTK'}, n = {n}, {size} places"
        axes.plot(
            gradients, [kernel.distance(x, y) for y in moved], style, ms=3, lw=1, color=colour, label=label
        )
        if finer == 1:
            bound = [kernel.deformation_bound(g, g / frequency) for g in gradients]
            axes.plot(gradients, bound, style[0] + ":", ms=2, lw=1, color=colour)
    axes.set(xscale="log", yscale="log", xlabel="|∇τ|", ylabel="|Φ(x deformed) − Φ(x)|", ylim=(1e-7, 100))
    axes.legend(fontsize=7, frameon=False, ncols=2, loc="lower right")
    axes.set_title("Deformations; proved bounds dotted", fontsize=10)


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
