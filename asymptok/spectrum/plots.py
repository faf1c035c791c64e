"""|mu_k| against k with its law, even and odd k apart, and below it how far the law is off.

matplotlib is optional. Figures are built from their own objects: no pyplot, no current figure, no changed rcParams.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from logging import getLogger
from math import ceil, floor, inf, log10, nan
from typing import TYPE_CHECKING, Any

import mpmath
import numpy as np
from mpmath import mpf
from sympy import latex, oo

from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.laws import Decay, ParityDecay
from asymptok.laws.derive import decay
from asymptok.precision import digits_to_bits, mpmath_precision

if TYPE_CHECKING:
    from asymptok.spectrum.spectrum import Spectrum

__all__ = [
    "Point",
    "draw_law",
    "draw_markers",
    "dress",
    "exponent_text",
    "figure_class",
    "plot_spectrum",
    "require_matplotlib",
    "side_points",
]

_COLOURS = {"even": "#1f5fa8", "odd": "#c8590b"}
_MARKERS = {"even": "o", "odd": "s"}
_INK, _GREY, _GRID = "#1c2330", "#5b6472", "#e3e8ef"
#: more points than this for one parity are thinned out
_POINTS = 60
#: doubles, and so the axes, end a little below this
_SMALLEST = mpmath.mpf("1e-300")
#: terms of the series in the second residual
_FEW = 6


def plot_spectrum(spectrum: Spectrum, prediction: Decay | None = None) -> Any:
    """The eigenvalues with their predicted decay, as a matplotlib Figure; without a law where none can be derived.

    Above: |mu_k| and the law, both axes logarithmic (only the vertical one for geometric or faster decay); negative
    eigenvalues are hollow. Below: |mu_k/prediction - 1| with one term and with six; for laws that name no values, how
    the step from k - 2 to k compares with rho^-2, or how far the eigenvalues fill their envelope.
    """
    require_matplotlib()
    if prediction is None:
        try:
            prediction = decay(spectrum.kernel)
        except AsymptokError:
            prediction = None
    sides = (
        [None, None]
        if prediction is None
        else [side.at(spectrum.d) for side in (prediction.even, prediction.odd)]
    )
    logarithmic = any(side is None or side.kind in ("algebraic", "oscillatory") for side in sides)
    points = {
        parity: side_points(prediction, side, parity, spectrum, logarithmic)
        for parity, side in zip(("even", "odd"), sides, strict=True)
    }
    residuals = any(p.first and p.visible for some in points.values() for p in some)
    figure = figure_class()(figsize=(6.4, 6.2 if residuals else 4.3), layout="constrained")
    if residuals:
        upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
        _draw_residuals(lower, sides, points, spectrum.dps)
    else:
        upper, lower = figure.subplots(), None
    _draw_values(upper, sides, points, spectrum.d, logarithmic)
    for axes in (upper, lower):
        if axes is not None:
            dress(axes, logarithmic)
    (lower or upper).set_xlabel("degree $k$")
    upper.set_title(_title(spectrum), fontsize=11, color=_INK)
    return figure


def require_matplotlib() -> None:
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        raise AsymptokError(
            "plots are drawn by matplotlib, which is not installed: run  pip install asymptok[plot]"
        ) from None


@lru_cache(maxsize=1)
def figure_class() -> Any:
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    class DecayFigure(Figure):
        """A Figure that notebooks show without pyplot, drawn in its own style whatever the global one is."""

        style: dict[str, Any] = {}  # noqa: RUF012

        def draw(self, renderer: Any) -> None:
            with rc_context(self.style):
                super().draw(renderer)

        def savefig(self, *args: Any, **kwargs: Any) -> None:
            # matplotlib's own fonts have dates before 1970, of which fontTools warns
            dates = getLogger("fontTools.ttLib.tables._h_e_a_d")
            before, dates.disabled = dates.disabled, True
            try:
                with rc_context(self.style):
                    super().savefig(*args, **kwargs)
            finally:
                dates.disabled = before

        def _repr_png_(self) -> bytes:
            buffer = BytesIO()
            self.savefig(buffer, format="png", dpi=110)
            return buffer.getvalue()

    return DecayFigure


def _title(spectrum: Spectrum) -> str:
    name = spectrum.kernel.name
    if not name:
        text = str(spectrum.kernel.expr)
        name = text if len(text) <= 48 else text[:45] + "..."
    return f"{name},  $d = {spectrum.d}$"


# what is drawn -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Point:
    """mu_k with the sum of one and of a few terms and the leading one, or whatever else the law names for this k."""

    k: int
    mu: Any
    error: Any
    first: Any = None
    few: Any = None
    lead: Any = None

    @property
    def size(self) -> float:
        return float(abs(self.mu))

    @property
    def visible(self) -> bool:
        return bool(abs(self.mu) > max(self.error, _SMALLEST))


def side_points(
    law: Decay | None,
    side: ParityDecay | None,
    parity: str,
    spectrum: Spectrum,
    logarithmic: bool,
    most: int = _POINTS,
) -> list[Point]:
    """The k that are shown, about `most`; k = 0 has no place on a logarithmic axis."""
    degrees = [k for k in spectrum.ks if k % 2 == (parity == "odd") and (k or not logarithmic)]
    return [_point(law, side, k, spectrum) for k in _thinned(degrees, logarithmic, most)]


def _point(law: Decay | None, side: ParityDecay | None, k: int, spectrum: Spectrum) -> Point:
    mu, error = spectrum[k], spectrum.error(k)
    if law is None or side is None:
        return Point(k, mu, error)
    if side.kind == "algebraic" and law.parity(k).kind == "algebraic":
        first, few = (_terms(law, k, spectrum, n) for n in (1, _FEW))
        return Point(k, mu, error, first, few, _leading(side, k, spectrum.d))
    if side.kind in ("algebraic", "oscillatory"):
        return Point(k, mu, error, _size(side, k, spectrum.d))
    if side.kind == "superpolynomial" and (value := _stretched(side, k, spectrum.d)) is not None:
        return Point(k, mu, error, value)
    before = spectrum[k - 2] if k >= 2 and k - 2 in spectrum else None
    if side.kind == "geometric" and side.rho is not None and before:
        return Point(k, mu, error, before / mpmath.mpf(_float(side.rho)) ** 2)
    return Point(k, mu, error, before if side.kind == "superpolynomial" and before else None)


def _terms(law: Decay, k: int, spectrum: Spectrum, terms: int) -> mpf | None:
    try:
        return law.estimate(k, spectrum.d, terms, spectrum.dps).value
    except AsymptokError:
        return None


def _thinned(ks: list[int], logarithmic: bool, most: int) -> list[int]:
    if len(ks) <= most:
        return ks
    first, last = max(ks[0], 1), ks[-1]
    wanted = np.geomspace(first, last, most) if logarithmic else np.linspace(first, last, most)
    degrees = np.array(ks)
    return [int(degrees[i]) for i in sorted({int(np.abs(degrees - x).argmin()) for x in wanted})]


def _size(side: ParityDecay, k: int, d: int) -> Any:
    """constant(d) k^exponent(d) (log k)^j: the envelope of an oscillation, or an end that dominates one."""
    constant = side.constant(d)
    if constant is None or k <= (1 if side.log_power else 0):
        return None
    size = mpmath.mpf(k) ** _float(side.exponent(d)) * mpmath.log(k) ** side.log_power
    return mpmath.mpf(_float(constant)) * size


def _stretched(side: ParityDecay, k: int, d: int) -> Any:
    """constant k^p exp(-(3/2) (2 tau k)^(2/3)), where that is known."""
    power, constant = side.beside(d), side.constant(d)
    if side.stretched is None or power is None or constant is None or not k:
        return None
    rate = mpmath.mpf(3) / 2 * (2 * mpmath.mpf(_float(side.stretched.tau)) * k) ** (mpmath.mpf(2) / 3)
    return mpmath.mpf(_float(constant)) * mpmath.mpf(k) ** _float(power) * mpmath.exp(-rate)


def _leading(side: ParityDecay, k: int, d: int) -> Any:
    """The first term of the series alone, without what singular points elsewhere add at small k."""
    size, nu = _size(side, k, d), side.nu
    if side.log_power or size is None or nu is None or k <= (n := mpmath.mpf(_float(nu))):
        return None
    return size * mpmath.mpf(k) ** (2 * n + d - 1) * mpmath.gammaprod([k - n], [k + n + d - 1])


def _float(value: Any) -> float:
    return inf if value is oo else float(ball(value, prec=64).mid())


def _draw_values(
    axes: Any, sides: Sequence[ParityDecay | None], points: dict[str, list[Point]], d: int, logarithmic: bool
) -> None:
    for parity, some in points.items():
        draw_markers(axes, some, parity)
    for side in sides:
        if side is not None:
            draw_law(axes, side, points[side.parity], d)
    axes.set_yscale("log")
    if logarithmic:
        axes.set_xscale("log")
    axes.set_ylabel(r"$|\mu_k|$")
    notes = [note for side in sides if side is not None and (note := law_note(side))]
    if notes:
        place = {"x": 0.98, "y": 0.97, "ha": "right", "va": "top"}
        if not logarithmic:
            place = {"x": 0.03, "y": 0.05, "ha": "left", "va": "bottom"}
        axes.text(s="\n".join(notes), transform=axes.transAxes, fontsize=9, color=_GREY, **place)
    if axes.get_legend_handles_labels()[0]:
        corner = "lower left" if logarithmic else "upper right"
        axes.legend(loc=corner, frameon=False, fontsize=9, labelcolor=_INK)


def law_note(side: ParityDecay) -> str:
    if side.kind == "zero":
        return rf"{side.parity} $k$: $\mu_k = 0$ for $k \geq {side.zero_from}$"
    if side.kind == "superpolynomial" and side.stretched is None:
        speed = "geometric sequence" if side.rho is oo else "power of $k$"
        return f"{side.parity} $k$: faster than every {speed}"
    return ""


def draw_markers(
    axes: Any, points: Sequence[Point], parity: str, colour: str = "", label: str | None = None
) -> None:
    """Values of one parity, hollow where they are negative; in the colour and with the label of the parity."""
    for negative in (False, True):
        some = [p for p in points if p.visible and (p.mu < 0) is negative]
        if not some:
            continue
        colour = colour or _COLOURS[parity]
        shown = f"{parity} $k$" + (r", $\mu_k < 0$" if negative else "") if label is None else label
        axes.plot(
            [p.k for p in some], [float(abs(p.mu)) for p in some], _MARKERS[parity], color=colour, zorder=3,
            markersize=3.4 if label is None else 2.2, markerfacecolor="white" if negative else colour,
            markeredgewidth=0.9 if label is None else 0.5, label=shown,
        )  # fmt: skip
        label = None if label is None else "_nolegend_"


def draw_law(
    axes: Any, side: ParityDecay, points: Sequence[Point], d: int, colour: str = "", unnamed: bool = False
) -> None:
    """The prediction as a line: the leading term, the envelope, or the geometric rate."""
    style = {
        "color": colour or _COLOURS[side.parity],
        "linewidth": 0.7 if unnamed else 1.2,
        "alpha": 0.85,
        "zorder": 2,
    }
    if side.kind == "algebraic":
        line = [(p.k, abs(p.lead or p.first)) for p in points if p.first]
        logs = {0: "", 1: r"\,\log k"}.get(side.log_power, rf"\,(\log k)^{{{side.log_power}}}")
        label = rf"leading term, {side.parity} $k$:  $\sim k^{{{exponent_text(side, d)}}}{logs}$"
    elif side.kind == "oscillatory":
        line = [(p.k, p.first) for p in points if p.first]
        label = rf"envelope, {side.parity} $k$:  $k^{{{exponent_text(side, d)}}}$"
    elif side.kind == "superpolynomial" and side.beside(d) is not None:
        line = [(p.k, p.first) for p in points if p.first]
        label = rf"law, {side.parity} $k$:  $\exp(-c\,k^{{2/3}})$"
    elif side.kind == "geometric" and side.rho is not None:
        seen = [p for p in points if p.visible]
        if not seen:
            return
        # a law without a constant: the line touches the later points from above
        rho = mpmath.mpf(_float(side.rho))
        height = max(abs(p.mu) * rho**p.k for p in seen[len(seen) // 2 :])
        line = [(p.k, height * rho ** (-p.k)) for p in seen]
        label = rf"slope of $\rho^{{-k}}$, {side.parity} $k$:  $\rho = {float(rho):.4g}$"
        style["linestyle"] = "--" if side.parity == "even" else ":"
    else:
        return
    line = [(k, y) for k, y in line if y > _SMALLEST]
    if line:
        shown = "_nolegend_" if unnamed else label
        axes.plot([k for k, _ in line], [float(y) for _, y in line], label=shown, **style)


def exponent_text(side: ParityDecay, d: int) -> str:
    value = side.exponent(d)
    text = str(latex(value))
    # matplotlib's mathtext sets a stacked fraction in an exponent too small to read
    if value.is_Rational:
        return str(value)
    return text if len(text) <= 16 else f"{_float(value):.4g}"


def _draw_residuals(
    axes: Any, sides: Sequence[ParityDecay | None], points: dict[str, list[Point]], dps: int
) -> None:
    """How far the law is off; for laws without values, how the step from k - 2 to k behaves."""
    kinds = set()
    for side in sides:
        some = [p for p in points[side.parity] if p.first and p.visible] if side is not None else []
        if side is None or not some:
            continue
        kinds.add("known" if side.kind == "superpolynomial" and side.stretched is not None else side.kind)
        marker, parity = _MARKERS[side.parity], f"{side.parity} $k$"
        look = {"color": _COLOURS[side.parity], "linewidth": 0.9, "markersize": 3.2}
        if side.kind == "algebraic":
            hollow = {**look, "markerfacecolor": "white"}
            _line(
                axes,
                [(p.k, _off(p.mu, p.first, dps)) for p in some],
                marker + "--",
                hollow,
                f"one term, {parity}",
            )
            few = [(p.k, _off(p.mu, p.few, dps)) for p in some if p.few]
            _line(axes, few, marker + "-", look, f"{_FEW} terms, {parity}")
        elif side.kind == "geometric":
            _line(axes, [(p.k, _off(p.mu, p.first, dps)) for p in some], marker + "-", look, parity)
        else:
            # a cosine seen at a few of its points: lines between them would mislead
            form = marker if side.kind == "oscillatory" else marker + "-"
            _line(axes, [(p.k, float(abs(p.mu / p.first))) for p in some], form, look, parity)
    axes.set_ylabel(_residual_label(kinds))
    if not axes.has_data():
        text = f"the law is exact: no difference in {dps} digits"
        axes.text(0.5, 0.5, text, transform=axes.transAxes, ha="center", color=_GREY, fontsize=9)
        axes.set_yticks([])
        return
    if "oscillatory" in kinds:
        axes.axhline(1, color=_GREY, linewidth=0.8)
        axes.set_ylim(0, 1.08 * max(1.0, axes.dataLim.y1))
    else:
        axes.set_yscale("log")
    axes.legend(loc="best", frameon=False, fontsize=9, labelcolor=_INK)


def _residual_label(kinds: set[str]) -> str:
    if "oscillatory" in kinds:
        return r"$|\mu_k|$ / envelope"
    if "algebraic" in kinds:
        return r"$|\mu_k/\mathrm{prediction} - 1|$"
    if "known" in kinds:
        return r"$|\mu_k|$ / law"
    return r"$|\rho^2 \mu_k/\mu_{k-2} - 1|$" if "geometric" in kinds else r"$|\mu_k/\mu_{k-2}|$"


def _off(mu: mpf, predicted: mpf, dps: int) -> float:
    """|mu/predicted - 1|, nothing (a gap) where that is below the digits of mu or beyond all use."""
    with mpmath_precision(digits_to_bits(dps) + 32):
        distance = float(abs(mu / predicted - 1))
    return distance if 10.0 ** (1 - dps) < distance < 10 else nan


def _line(axes: Any, points: list[tuple[int, float]], form: str, look: dict[str, Any], label: str) -> None:
    if any(y == y for _, y in points):
        axes.plot([k for k, _ in points], [y for _, y in points], form, label=label, **look)


def dress(axes: Any, logarithmic: bool) -> None:
    """Quiet frames and grids; labels at every decade or at a round number of decades."""
    from matplotlib.ticker import FixedLocator, LogFormatter, LogLocator, NullFormatter

    for name, spine in axes.spines.items():
        spine.set_visible(name in ("left", "bottom"))
        spine.set_color(_GREY)
    axes.tick_params(which="both", colors=_GREY)
    axes.xaxis.label.set_color(_INK)
    axes.yaxis.label.set_color(_INK)
    axes.grid(True, which="major", color=_GRID, linewidth=0.7)
    axes.set_axisbelow(True)
    if axes.get_yscale() == "log" and axes.has_data():
        # an error bar may reach below zero, where a logarithmic axis ends at the least positive value
        limits = axes.dataLim
        least = limits.y0 if limits.y0 > 0 else limits.minposy
        low, high = floor(log10(least)), ceil(log10(limits.y1))
        step = next((s for s in (1, 2, 5, 10, 20, 50, 100) if (high - low) / s <= 9), 200)
        ticks = [10.0**e for e in range(-(-low // step) * step, high + 1, step) if e > -308]
        if len(ticks) > 1:
            axes.yaxis.set_major_locator(FixedLocator(ticks))
            axes.yaxis.set_minor_locator(FixedLocator([]))
    if logarithmic:
        axes.xaxis.set_major_locator(LogLocator(base=10, subs=(1.0, 2.0, 5.0)))
        axes.xaxis.set_major_formatter(LogFormatter(labelOnlyBase=False, minor_thresholds=(inf, inf)))
        axes.xaxis.set_minor_formatter(NullFormatter())
