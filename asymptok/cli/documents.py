"""asymptok table, kernels, cite: documents made of results."""

from __future__ import annotations

import argparse
import inspect
import shlex
from collections.abc import Callable
from pathlib import PurePath

from asymptok import kernels as named
from asymptok.cli.answer import Answer, chosen_format, kernel_data
from asymptok.cli.expansions import order_of
from asymptok.cli.numbers import dimension
from asymptok.cli.subjects import one_kernel, python_source, several_kernels
from asymptok.errors import AsymptokError
from asymptok.kernels.kernel import Kernel
from asymptok.quantities import JSON
from asymptok.reporting.citations import cite as bibliography
from asymptok.reporting.entries import deep_equals_shallow
from asymptok.reporting.entries import table as make_table
from asymptok.reporting.model import Column, Table, plain_text
from asymptok.reporting.networks import network_table
from asymptok.reporting.page import report as write_report
from asymptok.show.blocks import Listing

__all__ = ["cite", "kernels", "report", "table"]


def table(options: argparse.Namespace) -> Answer:
    """The table of the kernels, or of those of the paper."""
    columns = None if options.columns is None else [key.strip() for key in options.columns.split(",")]
    chosen = several_kernels(options)
    shape = {
        "order": None if options.order is None else order_of(options.order),
        "transpose": options.transpose,
        "group_by": options.group_by,
        "digits": options.digits,
    }
    if options.networks:
        if chosen or columns is not None or options.dim is not None or any(shape.values()):
            raise AsymptokError(
                "--networks is a table of its own: give no kernels, columns or dimension with it"
            )
        made = network_table()
    else:
        chosen = chosen or deep_equals_shallow()
        made = make_table(chosen, columns=columns, d=options.dim, **shape)
    if options.standalone and options.format is None and not options.json:
        options.format = "latex"
    layout = {
        "caption": options.caption,
        "label": options.label,
        "standalone": options.standalone,
        "rotate": options.rotate,
        "environment": options.environment,
        "fontsize": options.fontsize,
        "width": options.width,
        "siunitx": options.siunitx,
    }
    if any(layout.values()) and chosen_format(options) != "latex":
        given = next(name for name, value in layout.items() if value)
        raise AsymptokError(f"--{given} and the like belong to --format latex")

    def data() -> dict[str, JSON]:
        keys = [column.key for column in made.columns]
        rows = [dict(zip(keys, (plain_text(c) for c in row), strict=True)) for row in made.rows]
        return {"columns": keys, "rows": rows, "kernels": [kernel_data(kernel) for kernel in chosen]}

    if chosen_format(options) == "latex":
        return Answer((Listing(made.to_latex(**layout)),), data, sheet=lambda: made, verbatim=True)
    return Answer((made,), data, sheet=lambda: made)


def report(options: argparse.Namespace) -> Answer:
    """Write the page and say where it is."""
    d = dimension(options)
    kernel = one_kernel(options)
    if options.format not in (None, "html"):
        raise AsymptokError(
            "a report is an HTML page: leave --format out (asymptok table and others make LaTeX)"
        )
    if options.output is not None and PurePath(options.output).suffix.lower() not in (".html", ".htm"):
        raise AsymptokError(f"a report is an HTML page: --output ends in .html, not {options.output!r}")
    if options.name is not None:
        kernel = kernel.named(options.name)
    command = shlex.join(["asymptok", *options.words])
    path = write_report(
        kernel,
        d,
        options.output,
        kmax=options.kmax,
        dps=options.dps,
        command=command,
        source=python_source(options),
    )
    return Answer(
        (Listing(str(path)),),
        lambda: {"kernel": kernel_data(kernel), "d": d, "path": str(path)},
        written=True,
        verbatim=True,
    )


def kernels(options: argparse.Namespace) -> Answer:
    """Every named kernel with its arguments and what it is."""
    rows, data = [], []
    for name in named.names():
        factory = getattr(named, name)
        about = (inspect.getdoc(factory) or "").splitlines()[0]
        arguments = _arguments(factory)
        rows.append([f"{name}({', '.join(arguments)})", about])
        data.append({"name": name, "arguments": arguments, "about": about})
    made = Table([Column("kernel", ("kernel",)), Column("about", ("what it is",))], rows)
    return Answer((made,), lambda: data, sheet=lambda: made)


def _arguments(factory: Callable[..., Kernel]) -> list[str]:
    empty = inspect.Parameter.empty
    parameters = inspect.signature(factory).parameters.values()
    return [p.name if p.default is empty else f"{p.name}={p.default}" for p in parameters]


def cite(options: argparse.Namespace) -> Answer:
    """BibTeX for the kernels, or for everything."""
    text = str(bibliography(*several_kernels(options)))
    return Answer((Listing(text),), lambda: {"bibtex": text}, verbatim=True)
