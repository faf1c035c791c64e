"""asymptok sweep and plot: many kernels in many dimensions, and one spectrum as a picture."""

from __future__ import annotations

import argparse
from pathlib import Path

from asymptok.cli.answer import Answer, kernel_data
from asymptok.cli.numbers import dimension
from asymptok.cli.subjects import one_kernel, several_kernels
from asymptok.errors import AsymptokError
from asymptok.quantities import JSON
from asymptok.reporting.figures import plot_decay
from asymptok.reporting.model import Column, Table
from asymptok.show.blocks import Listing
from asymptok.spectrum.grid import Row, Sweep
from asymptok.spectrum.grid import sweep as over_grid

__all__ = ["plot", "sweep"]

_PICTURES = (".png", ".pdf", ".svg")


def sweep(options: argparse.Namespace) -> Answer:
    """mu_k for every kernel in every dimension; a cell that fails makes the answer a no, or unknown."""
    kernels = several_kernels(options)
    if not kernels:
        raise AsymptokError("no kernel: name one or more, for example ntk laplace")
    try:
        dims = [int(part) for part in (options.dims or str(dimension(options))).split(",")]
    except ValueError:
        raise AsymptokError(f"--dims takes integers such as 3,5,10, not {options.dims!r}") from None
    found = over_grid(
        kernels,
        dims,
        options.kmax,
        dps=options.dps,
        cache=options.cache,
        shard=_shard(options.shard),
        time_limit=options.time_limit,
    )
    rows = [[str(value) for value in row] for row in found.rows]
    table = Table([Column(key, (key,)) for key in Row._fields], rows)
    failed = Listing("\n".join(f"failed: {f.kernel}, d = {f.d}: {f.reason}" for f in found.failures))
    blocks = (table, failed) if found.failures else (table,)

    def data() -> dict[str, JSON]:
        return {
            "rows": [row._asdict() for row in found.rows],
            "failures": [failure._asdict() for failure in found.failures],
        }

    return Answer(blocks, data, code=_code(found), sheet=lambda: table)


def _shard(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    try:
        i, n = (int(part) for part in text.split("/"))
    except ValueError:
        raise AsymptokError(f"--shard takes two numbers such as 0/8, not {text!r}") from None
    return i, n


def _code(found: Sweep) -> int:
    """A cell that has no answer is a no, one that needs more effort or another assumption an unknown."""
    if not found.failures:
        return 0
    return 4 if all(failure.undecided for failure in found.failures) else 1


def plot(options: argparse.Namespace) -> Answer:
    """A log-log picture of mu_k with the prediction, written to a file."""
    if options.format is not None or options.json:
        raise AsymptokError(
            "a plot is a picture: leave --format and --json out, --output ends in .png, .pdf or .svg"
        )
    d, kernel = dimension(options), one_kernel(options)
    path = Path(options.output or "spectrum.png")
    if path.suffix.lower() not in _PICTURES:
        raise AsymptokError(
            f"a picture has one of the endings {', '.join(_PICTURES)}, not {path.suffix or 'none'}"
        )
    figure = plot_decay(kernel, d, options.kmax)
    figure.savefig(path)
    return Answer(
        (Listing(str(path)),),
        lambda: {"kernel": kernel_data(kernel), "d": d, "path": str(path)},
        written=True,
        verbatim=True,
    )
