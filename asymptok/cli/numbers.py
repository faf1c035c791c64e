"""asymptok eigenvalues: numbers with error bounds."""

from __future__ import annotations

import argparse

import mpmath

from asymptok.cli.answer import Answer, kernel_data
from asymptok.cli.expansions import title
from asymptok.cli.subjects import one_kernel
from asymptok.errors import AsymptokError
from asymptok.quantities import JSON
from asymptok.reporting.numbers import spectrum_table
from asymptok.show.blocks import Paragraph
from asymptok.spectrum import eigenvalues as compute

__all__ = ["dimension", "eigenvalues"]


def dimension(options: argparse.Namespace) -> int:
    """--dim, which numbers cannot do without."""
    if options.dim is None:
        raise AsymptokError("the dimension is missing: add --dim 3 for the sphere in R^3")
    return int(options.dim)


def eigenvalues(options: argparse.Namespace) -> Answer:
    """mu_0, ..., mu_kmax."""
    d = dimension(options)
    kernel = one_kernel(options)
    spectrum = compute(kernel, d, kmax=options.kmax, dps=options.dps, method=options.method)
    grade = "error bounds proved" if spectrum.rigorous else "some error bounds are estimates"
    head = Paragraph((*title(kernel), f"; d = {d}; {grade}"))
    table = spectrum_table(spectrum)

    def data() -> dict[str, JSON]:
        rows = [
            {
                "k": k,
                "mu": mpmath.nstr(value, spectrum.dps),
                "error": mpmath.nstr(spectrum.error(k), 3),
                "multiplicity": n,
                "method": method,
                "proved": proved,
            }
            for (k, value), (_, _, _, n, method, proved) in zip(spectrum, spectrum.rows(), strict=True)
        ]
        return {
            "kernel": kernel_data(kernel),
            "d": d,
            "dps": spectrum.dps,
            "rigorous": spectrum.rigorous,
            "rows": rows,
        }

    return Answer((head, table), data, sheet=lambda: table)
