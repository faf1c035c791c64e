"""Learning curves side by side: the spectral prediction as lines, measurements as points with error bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from asymptok.spectrum.plots import dress, figure_class, require_matplotlib

if TYPE_CHECKING:
    from asymptok.learning.curve import LearningCurve

__all__ = ["plot_learning_curves"]

_COLOURS = ("#1f5fa8", "#c8590b", "#2e8b57", "#8e44ad", "#5b6472", "#b8860b")


def plot_learning_curves(curves: Sequence[LearningCurve], measured: Any = None) -> Any:
    """Both axes logarithmic; `measured` holds (n, error, standard error) for each curve, or None."""
    require_matplotlib()
    from matplotlib.ticker import LogFormatterMathtext, LogLocator

    figure = figure_class()(figsize=(6.4, 4.6), layout="constrained")
    axes = figure.subplots()
    axes.set_xscale("log")
    axes.set_yscale("log")
    points = [None] * len(curves) if measured is None else list(measured)
    for i, (curve, seen) in enumerate(zip(curves, points, strict=True)):
        colour = _COLOURS[i % len(_COLOURS)]
        label = curve.kernel.name or str(curve.kernel)
        axes.plot(curve.n, curve.error, color=colour, linewidth=1.5, label=label)
        if seen is not None:
            n, error, spread = seen
            axes.errorbar(n, error, spread, fmt="o", color=colour, markersize=3.5, capsize=2)
    axes.set_xlabel("points $n$")
    axes.set_ylabel("expected squared error")
    axes.legend(frameon=False, fontsize=9)
    axes.set_title(
        f"{curves[0].place}, ridge ${curves[0].ridge:g}$, noise ${curves[0].noise:g}$", fontsize=11
    )
    dress(axes, True)
    # n runs over many decades: one label for each
    axes.xaxis.set_major_locator(LogLocator(base=10))
    axes.xaxis.set_major_formatter(LogFormatterMathtext(base=10))
    return figure
