"""The gallery and the table of kernels, written by the package itself.

    python docs/make_gallery.py

makes docs/_generated/, which the pages include; the documentation build calls it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from sympy import latex

from asymptok import Kernel, decay, expand, kernels, plot_decay, table
from asymptok.reporting.entries import deep_equals_shallow
from asymptok.reporting.networks import network_table
from asymptok.show.formats.markdown import block_markdown
from asymptok.show.law import law_facts

DIMENSION = 3
KMAX = 80


@dataclass(frozen=True, slots=True)
class Entry:
    """The Python that makes a kernel, and values for the parameters that it keeps, so that it can be drawn."""

    code: str
    values: dict[str, str] | None = None
    order: str = "2"

    @property
    def kernel(self) -> Kernel:
        # the line that the page shows is the line that is run
        made: Kernel = eval(self.code, {"kernels": kernels})
        return made


GALLERY: dict[str, list[Entry]] = {
    "Networks": [
        Entry("kernels.arc_cosine(0)"),
        Entry("kernels.arc_cosine(1)"),
        Entry("kernels.arc_cosine(2)", order="3"),
        Entry("kernels.random_features(3)"),
        Entry("kernels.first_layer_ntk()"),
        Entry("kernels.ntk(2)"),
        Entry("kernels.ntk(3)"),
        Entry('kernels.relu_network(2, bias_variance="1/10", tangent=True)', order="1"),
        Entry('kernels.network(2, "gelu")', order="3"),
        Entry("kernels.step_features(3)", order="1"),
        Entry("kernels.step_features(3, relu_above=True)", order="1"),
        Entry("kernels.erf_network()", order="3"),
    ],
    "Stationary kernels": [
        Entry('kernels.laplace("c")', {"c": "1"}),
        Entry('kernels.gamma_exponential("gamma", "c")', {"gamma": "1/2", "c": "1"}, order="1"),
        Entry('kernels.matern("3/2")'),
        Entry("kernels.matern(1)"),
        Entry('kernels.gaussian("c")', {"c": "1"}),
        Entry("kernels.rational_quadratic(1)"),
        Entry("kernels.cauchy(4)"),
    ],
    "Power series": [
        Entry('kernels.poisson("1/2", 3)'),
        Entry('kernels.exponential("c")', {"c": "1"}),
        Entry("kernels.polynomial(3)", order="3"),
    ],
}


def write(folder: Path) -> None:
    """gallery.md with its figures, table.html and activations.html, anew."""
    folder.mkdir(exist_ok=True)
    parts = []
    for heading, entries in GALLERY.items():
        parts.append(f"## {heading}")
        parts += [_section(entry, folder) for entry in entries]
    (folder / "gallery.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    columns = ["kernel", "at_1", "at_-1", "nu", "even", "odd"]
    tables = {"table": table(deep_equals_shallow(), columns=columns), "activations": network_table()}
    for name, made in tables.items():
        (folder / f"{name}.html").write_text(
            f'<div class="wide">\n{made.to_html()}\n</div>\n', encoding="utf-8"
        )


def _section(entry: Entry, folder: Path) -> str:
    kernel = entry.kernel
    law = decay(kernel)
    title = str(kernel.name or entry.code)
    lines = [
        f"### {title[0].upper()}{title[1:]}",
        f"```python\n{entry.code}\n```",
        _display(_formulas(kernel, entry.order)),
        block_markdown(law_facts(law)),
    ]
    drawn = kernel.subs(entry.values) if entry.values else kernel
    figure = f"{re.sub(r'[^a-z0-9]+', '-', entry.code.removeprefix('kernels.')).strip('-')}.svg"
    # no date: the same kernel gives the same file
    plot_decay(drawn, DIMENSION, kmax=KMAX).savefig(folder / figure, metadata={"Date": None})
    chosen = ", ".join(f"{name} = {value}" for name, value in (entry.values or {}).items())
    options = f":alt: eigenvalues of the {title} with their law\n:figclass: gallery-plot"
    caption = f"\n\nDrawn for {chosen}" if chosen else ""
    lines.append(f"```{{figure}} _generated/{figure}\n{options}{caption}\n```")
    return "\n\n".join(lines)


def _formulas(kernel: Kernel, order: str) -> str:
    rows = [
        (r"\kappa(u)", latex(kernel.expr)),
        (r"\kappa(1-t)", latex(expand(kernel, at=1, order=order))),
        (r"\kappa(-1+t)", latex(expand(kernel, at=-1, order=order))),
    ]
    lines = r" \\ ".join(f"{left} &= {right}" for left, right in rows)
    return rf"\begin{{aligned}} {lines} \end{{aligned}}"


def _display(tex: str) -> str:
    return f"$$\n{tex}\n$$"


if __name__ == "__main__":
    write(Path(__file__).parent / "_generated")
