"""Figures as inline SVG, drawn by matplotlib where it is installed."""

from __future__ import annotations

import io
import re
from importlib.util import find_spec
from typing import Any

import numpy as np

from asymptok.decay import Decay
from asymptok.kernels.kernel import Kernel
from asymptok.report.laws import constant_of
from asymptok.report.series import double
from asymptok.spectrum import Spectrum

__all__ = ["available", "kernel_svg", "spectrum_svg"]

#: even and odd k; told apart by colour, by marker and in print
_COLOURS = ("#1f5fa8", "#c8590b")
_MARKERS = ("o", "s")
_STYLE = {
    "svg.fonttype": "path",
    "svg.hashsalt": "asymptok",
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "mathtext.fontset": "dejavusans",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#5b6472",
    "axes.labelcolor": "#1c2330",
    "xtick.color": "#5b6472",
    "ytick.color": "#5b6472",
    "legend.frameon": False,
}


def available() -> bool:
    """Whether matplotlib (the extra asymptok[plot]) is there."""
    return find_spec("matplotlib") is not None


def kernel_svg(kernel: Kernel) -> str:
    """kappa(u) on [-1, 1]."""
    grid = -np.cos(np.linspace(0, np.pi, 401))  # dense at the ends, where the kernel is not smooth
    return _drawn(lambda axes: _draw_kernel(axes, grid, kernel(grid)), size=(6.4, 2.6), title="the kernel")


def _draw_kernel(axes: Any, grid: Any, values: Any) -> None:
    axes.axhline(0, color="#d9dee6", linewidth=0.8)
    axes.plot(grid, values, color=_COLOURS[0], linewidth=1.8)
    axes.set_xlabel(r"$u = \langle x, y\rangle$")
    axes.set_ylabel(r"$\kappa(u)$")
    axes.set_xlim(-1.02, 1.02)


def spectrum_svg(spectrum: Spectrum, law: Decay) -> str:
    """mu_k against k with the predicted laws; both axes logarithmic, only one if the decay is geometric or faster."""
    algebraic = any(side.kind in ("algebraic", "oscillatory") for side in (law.even, law.odd))
    return _drawn(
        lambda axes: _draw_spectrum(axes, spectrum, law, algebraic), size=(6.4, 3.9), title="the eigenvalues"
    )


def _draw_spectrum(axes: Any, spectrum: Spectrum, law: Decay, algebraic: bool) -> None:
    for side, colour, marker in zip((law.even, law.odd), _COLOURS, _MARKERS, strict=True):
        wanted = [k for k in spectrum.ks if k % 2 == (side.parity == "odd") and (k or not algebraic)]
        # values below the error bound are noise, and exact zeros have no logarithm
        ks = [k for k in wanted if spectrum[k] != 0 and abs(spectrum[k]) > spectrum.error(k)]
        values = [float(abs(spectrum[k])) for k in ks]
        if not ks:
            continue
        axes.plot(
            ks, values, marker, color=colour, markersize=3.2, label=f"{side.parity} k", linestyle="none"
        )
        constant = constant_of(side, spectrum.d) if side.kind == "algebraic" else None
        if constant is not None and not constant.free_symbols:
            x = np.array([k for k in ks if k >= 2], dtype=float)
            y = abs(double(constant)) * x ** float(side.exponent(spectrum.d)) * np.log(x) ** side.log_power
            axes.plot(x, y, color=colour, linewidth=1.1, alpha=0.75, label=f"law, {side.parity} k")
    axes.set_yscale("log")
    if algebraic:
        axes.set_xscale("log")
    axes.set_xlabel("$k$")
    axes.set_ylabel(r"$|\mu_k|$")
    axes.grid(True, which="major", color="#e6eaf0", linewidth=0.7)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="best")


def _drawn(draw: Any, size: tuple[float, float], title: str) -> str:
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=size, layout="constrained")
        canvas = FigureCanvasSVG(figure)
        draw(figure.add_subplot())
        buffer = io.StringIO()
        # no date: the same input gives the same page
        canvas.print_svg(buffer, metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    return _inlined(buffer.getvalue(), title)


def _inlined(document: str, title: str) -> str:
    """The <svg> element alone, its identifiers made unlike those of the other figures of a page."""
    svg = document[document.index("<svg") :].strip()
    prefix = re.sub(r"\W+", "-", title)
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{prefix}-\1"', svg)
    svg = re.sub(r'(href="#|url\(#)', rf"\1{prefix}-", svg)
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    return svg.replace("<svg ", f'<svg role="img" aria-label="{title}" ', 1)
