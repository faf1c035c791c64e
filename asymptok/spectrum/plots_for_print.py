"""Eigenvalues of several kernels in one figure of a paper: a column wide, in its fonts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from asymptok.errors import AsymptokError
from asymptok.laws import Decay, ParityDecay
from asymptok.laws.derive import decay
from asymptok.spectrum.plots import (
    Point,
    draw_law,
    draw_markers,
    dress,
    exponent_text,
    figure_class,
    require_matplotlib,
    side_points,
)

if TYPE_CHECKING:
    from asymptok.spectrum.spectrum import Spectrum

__all__ = ["plot_spectra"]

#: blue, orange, green, purple, red, grey: apart in print, and for the colour-blind
_COLOURS = ("#1f5fa8", "#c8590b", "#1a7f37", "#7b4fa0", "#b42318", "#57606a")
#: inches across one and two columns of a paper, and up
_SIZES = {1: (3.25, 2.4), 2: (6.75, 2.8)}
#: characters of a legend in an inch, and points of a parity
_CHARACTERS, _POINTS = 20, 24
_FONTS = {
    "cm": {"font.family": ["cmr10", "DejaVu Serif"], "mathtext.fontset": "cm"},
    "times": {"font.family": ["STIXGeneral", "DejaVu Serif"], "mathtext.fontset": "stix"},
}
_STYLE = {
    "font.size": 8,
    "axes.labelsize": 8,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "axes.linewidth": 0.6,
    "axes.unicode_minus": False,
    "axes.formatter.use_mathtext": True,
    "pdf.fonttype": 42,
    "svg.fonttype": "none",
}


def plot_spectra(
    spectra: Sequence[Spectrum],
    figsize: tuple[float, float] | None = None,
    columns: int | None = None,
    fonts: str = "cm",
) -> Any:
    """|mu_k| of each spectrum with its law, both axes logarithmic if one of the laws is a power of k.

    Circles are even k, squares odd k, hollow ones negative eigenvalues. The legend names the kernels and their powers.
    """
    require_matplotlib()
    from matplotlib import rc_context

    if columns is not None and columns not in _SIZES:
        raise AsymptokError(f"a figure spans 1 or 2 columns of a paper, not {columns!r}")
    if fonts not in _FONTS:
        raise AsymptokError(f"unknown fonts {fonts!r}: choose from {', '.join(_FONTS)}")
    laws = [_law(spectrum) for spectrum in spectra]
    kinds = {
        side.at(s.d).kind for s, law in zip(spectra, laws, strict=True) if law for side in (law.even, law.odd)
    }
    powers = not kinds or bool(kinds & {"algebraic", "oscillatory"})
    drawn = [_sides(spectrum, law, powers) for spectrum, law in zip(spectra, laws, strict=True)]
    # what falls faster than all powers does not press the others together
    least = [min(p.size for p in x.points) for sides in drawn for x in sides if x.power and x.points]
    floor = min(least) / 5 if powers and least else 0.0
    size = figsize or _SIZES[columns or 1]
    style = {**_STYLE, **_FONTS[fonts]}
    with rc_context(style):
        figure = figure_class()(figsize=size, layout="constrained")
        figure.style = style
        axes = figure.subplots()
        for i, (spectrum, law, sides) in enumerate(zip(spectra, laws, drawn, strict=True)):
            label, colour = _label(spectrum, law), _COLOURS[i % len(_COLOURS)]
            for side in sides:
                points = [p for p in side.points if p.size >= floor]
                draw_markers(axes, points, side.parity, colour, label)
                label = "_nolegend_" if points else label
                if side.law is not None:
                    draw_law(axes, side.law, points, spectrum.d, colour, unnamed=True)
        axes.set_yscale("log")
        if powers:
            axes.set_xscale("log")
        dress(axes, powers)
        axes.set_xlabel("degree $k$")
        axes.set_ylabel(r"$|\mu_k|$")
        longest = max(len(text) for text in axes.get_legend_handles_labels()[1])
        count = max(1, int(size[0] * _CHARACTERS / (longest + 6)))
        figure.legend(loc="outside upper center", ncols=count, frameon=False, fontsize=7, handletextpad=0.1)
    return figure


class _Side(NamedTuple):
    """What is drawn of one parity."""

    parity: str
    law: ParityDecay | None
    points: list[Point]

    @property
    def power(self) -> bool:
        """Whether it falls like a power of k."""
        return self.law is not None and self.law.kind in ("algebraic", "oscillatory")


def _sides(spectrum: Spectrum, law: Decay | None, powers: bool) -> list[_Side]:
    found = []
    for parity in ("even", "odd"):
        side = None if law is None else getattr(law, parity).at(spectrum.d)
        points = side_points(law, side, parity, spectrum, powers, _POINTS)
        found.append(_Side(parity, side, [p for p in points if p.visible]))
    return found


def _law(spectrum: Spectrum) -> Decay | None:
    try:
        return decay(spectrum.kernel)
    except AsymptokError:
        return None


def _label(spectrum: Spectrum, law: Decay | None) -> str:
    """The name of the kernel, with the power of k if both parities have one."""
    name = spectrum.kernel.name or str(spectrum.kernel.expr)
    name = name if len(name) <= 36 else name[:33] + "..."
    sides = [] if law is None else [side.at(spectrum.d) for side in (law.even, law.odd)]
    powers = {exponent_text(side, spectrum.d) for side in sides if side.kind in ("algebraic", "oscillatory")}
    return f"{name}, $k^{{{powers.pop()}}}$" if len(powers) == 1 else name
