r"""A certificate as LaTeX: the theorem with its numbers, a complete proof, and the list of the first eigenvalues.

With `digits` the numbers are rounded outward, so that the text claims no more than the file.
"""

from __future__ import annotations

from sympy import Expr, exp

from asymptok.errors import AsymptokError
from asymptok.kernels.given_form import given_nodes
from asymptok.laws.taylor_signs import positive_series
from asymptok.proofs.claims import Law
from asymptok.proofs.proof import NAMES, proof_latex
from asymptok.proofs.stated_kernel import ended, stated_kernel
from asymptok.proofs.stated_laws import law_latex
from asymptok.proofs.statement import Statement
from asymptok.proofs.writing import Numbers, tabular
from asymptok.show.formula import folded, to_latex

__all__ = ["intervals_latex", "statement_latex", "theorem_latex"]

_ROUNDED = "The numbers that follow are rounded outward; those of the certificate have more digits."
#: rows of one table
_ROWS = 30
#: laws that leave signs open
_UNSIGNED = (Law.BOUNDED, Law.ENTIRE, Law.SMOOTH, Law.STRETCHED)

_PREAMBLE = r"""\documentclass{article}
\usepackage[margin=2.5cm]{geometry}
\usepackage{amsmath,amssymb,amsthm}
\newtheorem{theorem}{Theorem}
\allowdisplaybreaks
\begin{document}

"""


def statement_latex(
    certificate: Statement, digits: int | None = None, label: str | None = None, alone: bool = False
) -> str:
    r"""What is proved, as one LaTeX paragraph.

    >>> from asymptok import certify, kernels
    >>> print(statement_latex(certify(kernels.laplace(), d=3)).splitlines()[0])
    Let $\kappa(u) = e^{- \sqrt{1 - u}}$, and let $\mu_k$, $k \ge 0$, be its eigenvalues on the sphere $S^{2}$.
    """
    kernel, meaning = stated_kernel(certificate.kernel)
    head = (
        rf"Let {ended(kernel, ',')} and let $\mu_k$, $k \ge 0$, be its eigenvalues on the sphere "
        rf"$S^{{{certificate.d - 1}}}$.{meaning}"
    )
    if not certificate.proved:
        return head + "\nNothing is proved for all $k$."
    if certificate.rho != 1 and not certificate.apart:
        head += rf" Put $\rho = {_rho(certificate.rho)}$."
    items = [law_latex(certificate, parity, Numbers(digits), alone) for parity in (0, 1)]
    if items[0].replace(" even ", " ") == items[1].replace(" odd ", " "):
        items = [items[0].replace(" even ", " ")]
    if certificate.small:
        last = max(certificate.small)
        degrees = rf"$0 \le k \le {last}$" if len(certificate.small) > last else "every $k$ that has one"
        where = "" if label is None else rf" of Table~\ref{{{label}:intervals}}"
        items.append(
            rf"for {degrees} the eigenvalue $\mu_k$ lies in its interval{where or ' in the list of intervals'}"
        )
    listed = ";\n".join(rf"\item {item}" for item in items)
    return f"{head}\nThen\n\\begin{{itemize}}\n{listed}.\n\\end{{itemize}}\n{_definite(certificate)}".rstrip()


def theorem_latex(
    certificate: Statement,
    label: str | None = None,
    digits: int | None = 4,
    proof: bool = True,
    document: bool = False,
) -> str:
    """The theorem, its proof unless `proof` is False; with `document` a file for pdflatex with the list at its end."""
    if not certificate.proved:
        raise AsymptokError(f"there is no theorem: {certificate.reason or 'a parity is left open'}")
    if digits is not None and (isinstance(digits, bool) or not isinstance(digits, int) or digits < 1):
        raise AsymptokError(f"digits is a number of digits or None, not {digits!r}")
    if proof and given_nodes(certificate.kernel.expr):
        raise AsymptokError(
            "the eigenvalues are given: the proof is their formula, and is not written out; give proof=False"
        )
    mark = "" if label is None else rf"\label{{{label}}}"
    # narrow columns: more room between words, instead of formulas that stand out
    parts = [
        f"\\begin{{theorem}}{mark}\\sloppy",
        statement_latex(certificate, digits, label, not proof),
        "\\end{theorem}",
    ]
    if proof:
        rounded = "" if digits is None else _ROUNDED
        steps = [rounded, *proof_latex(certificate, Numbers(digits))]
        parts += ["\\begin{proof}\\sloppy", *steps, "\\end{proof}"]
    if document:
        parts.append(intervals_latex(certificate, label, digits))
    body = "\n\n".join(part for part in parts if part)
    return _PREAMBLE + body + "\n\n\\end{document}\n" if document else body


def intervals_latex(certificate: Statement, label: str | None = None, digits: int | None = None) -> str:
    """The first eigenvalues one by one, for an appendix: tables of a few rows, since LaTeX breaks none of them."""
    numbers = Numbers(digits)
    body = [(f"${k}$", f"${numbers.interval(*ends)}$") for k, ends in sorted(certificate.small.items())]
    tables = [
        tabular("rl", ("$k$", r"$\mu_k$ lies in"), body[start : start + _ROWS])
        for start in range(0, len(body), _ROWS)
    ]
    if tables and label is not None:
        mark = rf"\refstepcounter{{table}}\label{{{label}:intervals}}"
        caption = rf"Table~\thetable. Proved intervals of the first eigenvalues of Theorem~\ref{{{label}}}."
        tables.insert(0, rf"{mark}\noindent {caption}")
    return "\n".join(tables)


def _rho(rho: Expr) -> str:
    return rf"e^{{{folded(rho.args[0])}}}" if isinstance(rho, exp) else to_latex(rho)


def _definite(certificate: Statement) -> str:
    sphere = f"$S^{{{certificate.d - 1}}}$"
    if certificate.positive_definite is False:
        return rf"In particular $\mu_{{{certificate.offending}}} < 0$: $\kappa$ is not positive definite on {sphere}."
    if not certificate.positive_definite:
        return ""
    claims = (certificate.even, certificate.odd)
    unsigned = [name for name, claim in zip(NAMES, claims, strict=True) if claim.law in _UNSIGNED]
    if not unsigned:
        strict = ", and strictly so, since all $\\mu_k$ from some $k$ on are positive"
        extra = strict if certificate.strict else ""
        return rf"In particular $\mu_k \ge 0$ for all $k$: $\kappa$ is positive definite on {sphere}{extra}."
    part = certificate.apart and positive_series(certificate.kernel) is None
    of = rf"the {' and the '.join(unsigned)} part of $\kappa$" if part else r"$\kappa$"
    return (
        rf"All Taylor coefficients at $0$ of {of} are non-negative, and products of positive definite kernels are "
        rf"positive definite: so $\mu_k \ge 0$ for all $k$, and $\kappa$ is positive definite on {sphere}."
    )
