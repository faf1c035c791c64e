"""How a kernel shows itself: the formula while it is short, the name of the kernel when it is not."""

from __future__ import annotations

from html import escape

from sympy import latex
from sympy.printing.latex import LatexPrinter
from sympy.printing.pretty.pretty import PrettyPrinter
from sympy.printing.pretty.stringpict import prettyForm
from sympy.printing.printer import Printer

from asymptok import dag
from asymptok.parameters import WithZero, conditions
from asymptok.show.subjects import Kernel

__all__ = [
    "kernel_equation",
    "kernel_html",
    "kernel_label",
    "kernel_latex",
    "kernel_pretty",
    "kernel_repr",
    "kernel_text",
]

#: nodes of the printed tree up to which a formula is worth reading
SHORT = 80
#: and up to which it is printed at all when there is no name to print instead
PRINTABLE = 3000


def _shown(kernel: Kernel) -> bool:
    """Whether the formula is printed: a short one always, a longer one only for want of a name."""
    size = dag.tree_size(kernel.expr)
    return size <= SHORT or (size <= PRINTABLE and kernel.name is None and kernel._symbol is None)


def kernel_text(kernel: Kernel) -> str:
    """The formula, or the name."""
    if _shown(kernel):
        return str(kernel.expr)
    return kernel.name or f"kernel of {sum(1 for _ in dag.postorder(kernel.expr))} distinct subexpressions"


def kernel_label(kernel: Kernel) -> str:
    """The name or the formula, with the ranges of the parameters where the name does not tell them."""
    label, ranges = kernel.name or kernel_text(kernel), conditions(kernel.parameters)
    return label if not ranges or label.endswith(ranges) else f"{label} with {ranges}"


def kernel_repr(kernel: Kernel) -> str:
    """Kernel('formula', name='...', parameters={...})."""
    parts = [repr(str(kernel.expr)) if _shown(kernel) else "..."]
    if kernel.name is not None:
        parts.append(f"name={kernel.name!r}")
    if kernel.parameters:
        ranges = ", ".join(
            f"'{s}': {repr(repr(bounds)) if isinstance(bounds, WithZero) else bounds}"
            for s, bounds in kernel.parameters.items()
        )
        parts.append(f"parameters={{{ranges}}}")
    return f"Kernel({', '.join(parts)})"


def kernel_latex(kernel: Kernel, printer: Printer | None = None) -> str:
    """The formula in LaTeX, or the symbol of the function."""
    if _shown(kernel):
        return str((printer or LatexPrinter())._print(kernel.expr))
    return f"{_head(kernel)}(u)"


def kernel_equation(kernel: Kernel) -> str:
    """kappa(u) = formula, with the ranges of the parameters."""
    left = (kernel._symbol or r"\kappa") + "(u)"
    if not _shown(kernel):
        return left if kernel._symbol else f"{_head(kernel)}(u)"
    ranges = conditions(kernel.parameters, latex, r"\le", r"\ge")
    return f"{left} = {latex(kernel.expr)}" + (rf",\quad {ranges}" if ranges else "")


def _head(kernel: Kernel) -> str:
    if kernel._symbol:
        return kernel._symbol
    return rf"\kappa_{{\text{{{kernel.name}}}}}" if kernel.name else r"\kappa"


def kernel_html(kernel: Kernel) -> str:
    """The name and the equation for a notebook, where MathJax sets the part between dollar signs."""
    title = f"<strong>{escape(kernel.name)}</strong>&ensp;" if kernel.name else ""
    return f"<div>{title}$\\displaystyle {escape(kernel_equation(kernel))}$</div>"


def kernel_pretty(kernel: Kernel, printer: PrettyPrinter) -> prettyForm:
    """Two-dimensional text."""
    return printer._print(kernel.expr) if _shown(kernel) else prettyForm(kernel_text(kernel))
