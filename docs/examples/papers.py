"""Three short papers from what the package prints: one column of 5.5 inches, two of 3.25 inches, and amsart.

python docs/examples/papers.py [FOLDER] writes them and their figures, by default beside this script, and compiles them
where pdflatex is installed. Everything but the sentences in between is printed by the package.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from sympy import latex

from asymptok import Kernel, certify, check, decay, dual, expand, kernels, plot_decay, table

_PACKAGES = r"\usepackage{amsmath,amssymb,amsthm,array,booktabs,graphicx,siunitx}"
HEADS = {
    "one_column": r"\documentclass[10pt]{article}\usepackage[textwidth=5.5in,textheight=9in]{geometry}",
    "two_columns": r"\documentclass[10pt,twocolumn]{article}"
    r"\usepackage[textwidth=6.75in,textheight=9in,columnsep=.25in]{geometry}",
    "amsart": r"\documentclass{amsart}",
}
#: characters of a table in a line and across the page
_WIDTHS = {"one_column": (78, 78), "two_columns": (46, 97), "amsart": (71, 71)}


def one_column(figure: Callable[..., str]) -> list[str]:
    """Tangent kernels and the Laplace kernel."""
    tangent = kernels.ntk(3).named("NTK$_3$")
    rows = [kernels.random_features(3).named("RF$_3$"), kernels.ntk(2).named("NTK$_2$"), tangent]
    rows += [kernels.laplace().named("Laplace"), kernels.gaussian().named("Gauss")]
    found = certify(tangent, 3)
    return [
        title("The tangent kernel of three layers"),
        r"\section{Laws} Table~\ref{tab:laws} has the leading terms of the eigenvalues, and Figure~\ref{fig:decay} the"
        r" eigenvalues themselves. For the tangent kernel of three layers",
        display(decay(tangent)),
        "and its conditions are",
        latex(check(tangent, 3)),
        across(table(rows, d=[3, 10], digits=4), "one_column", "Leading terms.", "tab:laws"),
        figure(rows, d=3, figsize=(5.5, 2.3)),
        r"\section{A theorem for all degrees}",
        found.theorem("thm:ntk"),
        r"\appendix\section{Intervals}",
        found.intervals("thm:ntk", digits=6),
    ]


def two_columns(figure: Callable[..., str]) -> list[str]:
    """Activations: statements in the text, a proof and the intervals in the appendix."""
    rows = [dual(name).named(shown) for name, shown in (("relu", "ReLU"), ("selu", "SELU"), ("gelu", "GELU"))]
    rows += [dual("erf").named("erf"), kernels.network(3, "gelu", tangent=True).named("GELU NTK$_3$")]
    selu, gelu = (certify(kernel, 3) for kernel in (rows[1], rows[4]))
    return [
        title("Kernels of activations"),
        r"\section{Laws} Table~\ref{tab:laws} and Figure~\ref{fig:decay} compare activations. SELU has a kink, and"
        " its kernel",
        display(decay(rows[1])),
        across(table(rows, d=[3, 10], digits=4), "two_columns", "Leading terms.", "tab:laws"),
        figure(rows, d=3, columns=1, fonts="times"),
        r"\section{Theorems}",
        selu.theorem("thm:selu", proof=False),
        gelu.theorem("thm:gelu", digits=3, proof=False),
        r"\appendix\section{Proof of Theorem~\ref{thm:selu}}",
        selu.theorem("thm:selu").partition("\\end{theorem}")[2],
        r"\section{Intervals}",
        selu.intervals("thm:selu", digits=5),
        gelu.intervals("thm:gelu", digits=5),
    ]


def amsart(figure: Callable[..., str]) -> list[str]:
    """Singular points inside, outside, and none at all."""
    rows = [Kernel("abs(u - 1/3)**3 + sqrt(1 - u)"), Kernel("1/(2 - u)"), Kernel("exp(u)")]
    names = ("$k_1$", "$k_2$", "$k_3$")
    named = [kernel.named(name) for kernel, name in zip(rows, names, strict=True)]
    found = [certify(kernel, 4) for kernel in rows]
    return [
        title("Three kinds of singular points"),
        r"\section{Expansions} At $u = 1$ the kernels are, with $t = 1-u$,",
        r"\begin{gather*}"
        + r" \\ ".join(latex(expand(kernel, order=2)) for kernel in rows)
        + r". \end{gather*}",
        across(table(named, d=[3, 4], digits=4), "amsart", "Leading terms of $k_1, k_2, k_3$.", "tab:laws"),
        figure(named, d=4, figsize=(5, 2.2)),
        r"\section{Theorems}",
        *(one.theorem(f"thm:{i}") for i, one in enumerate(found, 1)),
        r"\appendix\section{Intervals}",
        *(one.intervals(f"thm:{i}", digits=5) for i, one in enumerate(found, 1)),
    ]


PAPERS = {"one_column": one_column, "two_columns": two_columns, "amsart": amsart}


def title(text: str) -> str:
    return rf"\title{{{text}}}\author{{}}\date{{}}\maketitle"


def display(result: Any) -> str:
    return rf"\[ {latex(result)}. \]"


def across(made: Any, paper: str, caption: str, label: str) -> str:
    """The table across the page, or in a column where there is one."""
    star = "table*" if paper == "two_columns" else "table"
    width = _WIDTHS[paper][1]
    return str(made.to_latex(caption=caption, label=label, environment=star, width=width, siunitx=True))


def paper(name: str, folder: Path) -> Path:
    """One paper with its figure, written to a folder."""

    def figure(some: Iterable[Kernel], **options: Any) -> str:
        drawn = plot_decay(list(some), kmax=60, **options)
        drawn.savefig(folder / f"{name}.decay.pdf", metadata={"CreationDate": None})
        return (
            rf"\begin{{figure}}\centering\includegraphics[width=\linewidth]{{{name}.decay.pdf}}"
            r"\caption{Eigenvalues and their leading terms; circles are even $k$, squares odd $k$.}"
            r"\label{fig:decay}\end{figure}"
        )

    head = [HEADS[name] + _PACKAGES, r"\newtheorem{theorem}{Theorem}\allowdisplaybreaks", r"\begin{document}"]
    path = folder / f"{name}.tex"
    path.write_text("\n\n".join([*head, *PAPERS[name](figure), r"\end{document}"]) + "\n", encoding="utf-8")
    return path


def compiled(path: Path) -> str:
    """What pdflatex says in its second pass."""
    words = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", path.name]
    for _ in range(2):
        done = subprocess.run(words, cwd=path.parent, capture_output=True, check=False)
    return done.stdout.decode(errors="replace")


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    target.mkdir(parents=True, exist_ok=True)
    for made in [paper(name, target) for name in PAPERS]:
        if shutil.which("pdflatex"):
            compiled(made)
        print(made)
