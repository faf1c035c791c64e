"""The figure of the README.

    python docs/make_decay_figure.py

writes docs/static/ntk3-decay.svg in a few seconds.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl

from asymptok import kernels, plot_decay


def draw(path: Path) -> None:
    # white behind it, so that the figure can be read on a dark page; no date, so that it comes out the same
    with mpl.rc_context({"svg.hashsalt": "asymptok", "savefig.facecolor": "white"}):
        plot_decay(kernels.ntk(3), d=3, kmax=100).savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    draw(Path(__file__).parent / "static" / "ntk3-decay.svg")
