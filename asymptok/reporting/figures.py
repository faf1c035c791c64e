"""Figures, and the same as inline SVG, drawn by matplotlib where it is installed."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np
from sympy import Expr

from asymptok.errors import AsymptokError
from asymptok.kernels.kernel import Kernel, as_kernel
from asymptok.laws import Decay
from asymptok.spectrum import Spectrum, eigenvalues
from asymptok.spectrum.plots import plot_spectrum, require_matplotlib
from asymptok.spectrum.plots_for_print import plot_spectra

__all__ = ["available", "kernel_svg", "plot_decay", "spectrum_svg"]

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
}


def available() -> bool:
    """Whether matplotlib (the extra asymptok[plot]) is there."""
    return find_spec("matplotlib") is not None


def plot_decay(
    kernel: Kernel | Expr | str | Sequence[Kernel | Expr | str],
    d: int,
    kmax: int = 200,
    dps: int = 30,
    *,
    figsize: tuple[float, float] | None = None,
    columns: int | None = None,
    fonts: str = "cm",
) -> Any:
    """The eigenvalues up to kmax with their predicted decay, as a matplotlib Figure.

    One kernel has a panel for the values and one for what the law leaves. Several kernels share one panel, made for
    print: `columns` says how many columns of a paper it spans (3.25 inches each), or `figsize` how large it is, and
    `fonts` ("cm", "times") matches the text. A file .pdf or .svg holds curves and text, no pixels.

    >>> from asymptok import kernels
    >>> figure = plot_decay([kernels.ntk(3).named("NTK$_3$"), kernels.laplace()], d=3, kmax=40, columns=1)
    >>> [text.get_text() for text in figure.legends[0].get_texts()]
    ['NTK$_3$, $k^{-3}$', 'Laplace kernel, c = 1, $k^{-3}$']
    """
    require_matplotlib()
    several = not isinstance(kernel, Kernel | Expr | str)
    chosen = [as_kernel(one) for one in (kernel if several else [kernel])]  # type: ignore[union-attr]
    if not chosen:
        raise AsymptokError("a picture needs at least one kernel")
    if isinstance(kmax, bool) or not isinstance(kmax, int) or kmax < 4:
        raise AsymptokError(f"a picture needs kmax to be an integer >= 4, not {kmax!r}")
    spectra = [eigenvalues(one, d, kmax=kmax, dps=dps) for one in chosen]
    if several or figsize is not None or columns is not None:
        return plot_spectra(spectra, figsize, columns, fonts)
    return plot_spectrum(spectra[0])


def kernel_svg(kernel: Kernel) -> str:
    """kappa(u) on [-1, 1]."""
    import matplotlib
    from matplotlib.figure import Figure

    grid = -np.cos(np.linspace(0, np.pi, 401))  # dense at the ends, where the kernel is not smooth
    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=(6.4, 2.6), layout="constrained")
        axes = figure.add_subplot()
        axes.axhline(0, color="#d9dee6", linewidth=0.8)
        axes.plot(grid, kernel(grid), color="#1f5fa8", linewidth=1.8)
        axes.set_xlabel(r"$u = \langle x, y\rangle$")
        axes.set_ylabel(r"$\kappa(u)$")
        axes.set_xlim(-1.02, 1.02)
    return _svg(figure, "the kernel")


def spectrum_svg(spectrum: Spectrum, law: Decay) -> str:
    """mu_k against k with the predicted laws."""
    return _svg(plot_spectrum(spectrum, law), "the eigenvalues")


def _svg(figure: object, title: str) -> str:
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    buffer = io.StringIO()
    with matplotlib.rc_context(_STYLE):
        # no date: the same input gives the same page
        FigureCanvasSVG(figure).print_svg(
            buffer, metadata={"Date": None, "Creator": None, "Format": None, "Type": None}
        )
    return _inlined(buffer.getvalue(), title)


def _inlined(document: str, title: str) -> str:
    """The <svg> element alone, its identifiers made unlike those of the other figures of a page."""
    svg = document[document.index("<svg") :].strip()
    prefix = re.sub(r"\W+", "-", title)
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{prefix}-\1"', svg)
    svg = re.sub(r'(href="#|url\(#)', rf"\1{prefix}-", svg)
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    return svg.replace("<svg ", f'<svg role="img" aria-label="{title}" ', 1)
