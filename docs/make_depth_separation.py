"""The figure of depth_separation.md.

    python docs/make_depth_separation.py

writes docs/static/depth-separation.svg in half a minute; every seed is fixed.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np

from asymptok import Kernel, eigenvalues, kernels

COLOURS = ("#1f5fa8", "#c8553d", "#3f8f5f", "#7a5195", "#b08900")
KERNELS = {"NTK, depth 2": kernels.ntk(2), "NTK, depth 5": kernels.ntk(5), "Laplace": kernels.laplace(1)}


def sawtooth(k: int, x: np.ndarray) -> np.ndarray:
    """Delta^k: multiplication by a power of two is exact, and only the place within a tooth matters."""
    place = x * 2.0 ** (k - 1) % 1.0
    return np.minimum(2 * place, 2 - 2 * place)


def error(kernel: Kernel, k: int, n: int, repeats: int = 3) -> float:
    """Mean squared error of kernel interpolation of Delta^k from n random places of the circle, over its variance."""
    found = []
    test = (np.arange(1024) + 0.5) / 1024
    for seed in range(repeats):
        places = np.random.default_rng(seed).uniform(size=n)
        gram = kernel(np.cos(2 * np.pi * (places[:, None] - places)))
        weights = np.linalg.solve(gram + 1e-9 * np.eye(n), sawtooth(k, places) - 0.5)
        predicted = kernel(np.cos(2 * np.pi * (test[:, None] - places))) @ weights
        found.append(np.mean((predicted + 0.5 - sawtooth(k, test)) ** 2))
    return float(np.mean(found) * 12)


def shapes(axes: plt.Axes) -> None:
    x = np.linspace(0, 1, 1025)
    for k, colour in zip((1, 2, 4), COLOURS, strict=False):
        axes.plot(x, sawtooth(k, x), color=colour, lw=1.2, label=f"k = {k}: {2**k} pieces")
    axes.set(xlabel="x", ylabel="Δᵏ(x)", ylim=(0, 1.35))
    axes.legend(fontsize=7, frameon=False, loc="upper right", ncols=3, handlelength=1.2, columnspacing=1.0)
    axes.set_title("2k deep units or 2ᵏ shallow ones", fontsize=10)


def spectrum(axes: plt.Axes) -> None:
    spectra = {name: eigenvalues(kernel, 2, kmax=128, dps=15).to_numpy() for name, kernel in KERNELS.items()}
    degrees = np.arange(2, 129, 2)
    for (name, values), colour in zip(spectra.items(), COLOURS, strict=False):
        axes.plot(degrees, values[degrees] / values[0], "-", color=colour, label=f"μₖ, {name}")
    for k, marker in ((2, "o"), (4, "s"), (6, "^")):
        powers = {j * 2 ** (k - 1): 8 / (np.pi * j) ** 4 for j in range(1, 128 // 2 ** (k - 1) + 1, 2)}
        axes.plot(
            list(powers), list(powers.values()), marker, color="k", ms=4, mfc="none", label=f"power of Δ^{k}"
        )
    axes.set(xscale="log", yscale="log", xlabel="degree on the circle", ylim=(1e-10, 3))
    axes.legend(fontsize=7, frameon=False, ncols=2, loc="lower left")
    axes.set_title("The sawtooth moves out, the kernels stay", fontsize=10)


def learning(axes: plt.Axes) -> None:
    sizes = np.array([4, 8, 16, 32, 64, 128, 256, 512])
    styles = {"NTK, depth 2": "-", "NTK, depth 5": "--", "Laplace": ":"}
    for k, colour in zip((2, 3, 4, 5, 6), COLOURS, strict=True):
        for name, kernel in KERNELS.items():
            found = [error(kernel, k, int(n)) for n in sizes]
            label = f"k = {k}" if styles[name] == "-" else None
            axes.plot(sizes / 2**k, found, styles[name], color=colour, lw=1.2, label=label)
    axes.axvline(1, color="grey", lw=0.8)
    axes.set(
        xscale="log", yscale="log", xlabel="samples / 2ᵏ", ylabel="squared error / variance", ylim=(1e-4, 10)
    )
    axes.legend(fontsize=7, frameon=False, loc="lower left")
    axes.set_title("No kernel learns before 2ᵏ samples", fontsize=10)


def draw(path: Path) -> None:
    with mpl.rc_context({"svg.hashsalt": "asymptok", "font.size": 9}):
        figure, panels = plt.subplots(1, 3, figsize=(12, 3.9), layout="constrained")
        for panel, axes in zip((shapes, spectrum, learning), panels, strict=True):
            panel(axes)
            axes.spines[["top", "right"]].set_visible(False)
        figure.savefig(path, metadata={"Date": None})
        plt.close(figure)


if __name__ == "__main__":
    draw(Path(__file__).parent / "static" / "depth-separation.svg")
