"""plot_decay: what a paper would print, without touching matplotlib's global state."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import pytest

from asymptok import AsymptokError, Kernel, kernels
from asymptok.reporting.figures import plot_decay
from asymptok.spectrum import eigenvalues
from asymptok.spectrum.plots import plot_spectrum

matplotlib = pytest.importorskip("matplotlib")


def labels(axes: Any) -> list[str]:
    return [text.get_text() for text in axes.get_legend().get_texts()]


def test_power_laws_are_log_log_with_parities_apart_and_a_residual_panel() -> None:
    figure = plot_decay(kernels.ntk(3), 3, 60)
    upper, lower = figure.axes
    assert upper.get_xscale() == upper.get_yscale() == lower.get_yscale() == "log"
    assert labels(upper)[:2] == ["even $k$", "odd $k$"]
    assert sum("leading term" in text for text in labels(upper)) == 2
    assert labels(lower) == [
        "one term, even $k$", "6 terms, even $k$", "one term, odd $k$", "6 terms, odd $k$",
    ]  # fmt: skip
    one, six = (lower.get_lines()[i].get_ydata()[-1] for i in (0, 1))
    assert 1e-4 < one < 1e-2 and six < 1e-12


def test_the_line_lies_on_the_points() -> None:
    upper = plot_decay(kernels.laplace(), 3, 60).axes[0]
    by_label = {line.get_label(): line for line in upper.get_lines()}
    points = by_label["even $k$"]
    (law,) = [line for label, line in by_label.items() if label.startswith("leading term, even")]
    assert law.get_ydata()[-1] == pytest.approx(points.get_ydata()[-1], rel=1e-3)


def test_the_line_is_the_leading_term_where_singular_points_elsewhere_count() -> None:
    """c_-1 = 0: even and odd k have one leading term, const Gamma(k - 1/2)/Gamma(k + 5/2), at small k too."""
    upper = plot_decay(kernels.relu_network(2, bias_variance="1/10", tangent=True), 3, 20).axes[0]
    laws = [line for line in upper.get_lines() if str(line.get_label()).startswith("leading term")]
    assert len(laws) == 2
    values = {k: y for line in laws for k, y in zip(line.get_xdata(), line.get_ydata(), strict=True)}
    for k in range(2, 20):
        ratio = math.gamma(k + 0.5) * math.gamma(k + 2.5) / (math.gamma(k + 3.5) * math.gamma(k - 0.5))
        assert values[k + 1] / values[k] == pytest.approx(ratio, rel=1e-9)


@pytest.mark.parametrize(("d", "words", "p"), [(3, "leading term", "-3"), (8, "envelope", "-7")])
def test_the_line_is_that_of_the_dimension(d: int, words: str, p: str) -> None:
    """|u|^3 leaves k^(-d/2-3) and the end k^-d: the stronger of the two is drawn."""
    upper = plot_decay("abs(u)**3/100 + exp(-sqrt(1-u))", d, 60).axes[0]
    lines = {line.get_label(): line for line in upper.get_lines()}
    (law,) = [line for label, line in lines.items() if label.startswith(f"{words}, even") and p in label]
    x, y = law.get_xdata(), law.get_ydata()
    assert y[-1] / y[0] == pytest.approx((x[-1] / x[0]) ** float(p), rel=1e-6)


def test_zero_eigenvalues_are_said_in_words() -> None:
    upper = plot_decay(kernels.ntk(2), 3, 40).axes[0]
    assert any(r"\mu_k = 0" in text.get_text() for text in upper.texts)
    assert not any("odd" in text for text in labels(plot_decay(kernels.ntk(2), 3, 40).axes[1]))


@pytest.mark.parametrize(
    ("kernel", "x", "panels"),
    [
        (kernels.gaussian(), "linear", 2),
        (kernels.rational_quadratic(1), "linear", 2),
        (Kernel("abs(u)"), "log", 2),
        (kernels.polynomial(3), "linear", 1),
        (Kernel("sqrt(1-u)*log(1-u)"), "log", 2),
        (Kernel("exp(-1/(1-u))"), "linear", 2),
        (kernels.erf_network(), "linear", 2),
    ],
    ids=str,
)
def test_every_kind_of_decay_has_its_picture(kernel: Kernel, x: str, panels: int, tmp_path: Any) -> None:
    figure = plot_decay(kernel, 3, 40)
    assert len(figure.axes) == panels and figure.axes[0].get_xscale() == x
    figure.savefig(tmp_path / "decay.png")
    assert (tmp_path / "decay.png").stat().st_size > 10_000


def test_eigenvalues_below_the_range_of_doubles_are_left_out() -> None:
    upper = plot_decay(kernels.gaussian(), 3, 200).axes[0]
    assert all(min(line.get_ydata()) >= 1e-300 for line in upper.get_lines())


def test_negative_eigenvalues_are_hollow() -> None:
    upper = plot_decay(Kernel("abs(u)"), 3, 40).axes[0]
    hollow = [line for line in upper.get_lines() if "< 0" in line.get_label()]
    assert len(hollow) == 1 and hollow[0].get_markerfacecolor() == "white"


def test_a_spectrum_draws_itself() -> None:
    assert len(eigenvalues(kernels.ntk(3), 3, kmax=30).plot().axes) == 2


def test_a_kernel_without_a_law_is_still_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(kernel: Any) -> Any:
        raise AsymptokError("no law")

    monkeypatch.setattr("asymptok.spectrum.plots.decay", refuse)
    figure = plot_spectrum(eigenvalues(kernels.ntk(3), 3, kmax=30))
    assert len(figure.axes) == 1 and labels(figure.axes[0]) == ["even $k$", "odd $k$"]


def test_no_global_state_is_touched() -> None:
    before = dict(matplotlib.rcParams)
    had_pyplot = "matplotlib.pyplot" in sys.modules
    plot_decay(kernels.laplace(), 3, 20)
    assert dict(matplotlib.rcParams) == before
    assert ("matplotlib.pyplot" in sys.modules) == had_pyplot


def test_notebooks_get_a_picture() -> None:
    assert plot_decay(kernels.laplace(), 3, 12)._repr_png_().startswith(b"\x89PNG")


def test_a_missing_matplotlib_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(AsymptokError, match=r"pip install asymptok\[plot\]"):
        plot_decay(kernels.laplace(), 3, 20)


@pytest.mark.parametrize("kmax", [3, -1, 2.0, True])
def test_bad_kmax(kmax: Any) -> None:
    with pytest.raises(AsymptokError, match="kmax"):
        plot_decay(kernels.laplace(), 3, kmax)


def test_several_kernels_share_a_figure_of_a_column(tmp_path: Path) -> None:
    """One colour for each kernel, its power in the legend; text and curves in the file, no pixels."""
    drawn = [kernels.ntk(3).named("NTK$_3$"), kernels.laplace(), kernels.gaussian()]
    figure = plot_decay(drawn, 3, 40, columns=1)
    assert tuple(figure.get_size_inches()) == (3.25, 2.4)
    texts = [text.get_text() for text in figure.legends[0].get_texts()]
    assert texts == ["NTK$_3$, $k^{-3}$", "Laplace kernel, c = 1, $k^{-3}$", "Gaussian kernel, c = 1"]
    (axes,) = figure.axes
    points = [line for line in axes.get_lines() if line.get_marker() in ("o", "s")]
    assert len({line.get_color() for line in points}) == 3
    # what falls faster than all powers of k does not press the others together
    least = min(min(line.get_ydata()) for line in points)
    assert least > 0.1 * min(
        min(line.get_ydata()) for line in points if line.get_color() != points[-1].get_color()
    )
    figure.savefig(tmp_path / "a.svg")
    page = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "<image" not in page and "cmr10" in page and matplotlib.rcParams["font.family"] == ["sans-serif"]


def test_a_figure_of_a_given_size() -> None:
    figure = plot_decay([kernels.gaussian(), "1/(3-u)"], 3, 20, figsize=(5.5, 2), fonts="times")
    assert tuple(figure.get_size_inches()) == (5.5, 2) and figure.axes[0].get_xscale() == "linear"
    for bad in ({"columns": 3}, {"columns": 1, "fonts": "runes"}):
        with pytest.raises(AsymptokError, match=r"columns|fonts"):
            plot_decay(kernels.laplace(), 3, 12, **bad)
    with pytest.raises(AsymptokError, match="at least one"):
        plot_decay([], 3, 12)
