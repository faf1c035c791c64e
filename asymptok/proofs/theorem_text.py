r"""A certificate as LaTeX: the theorem with its numbers, and a complete proof for the appendix of a paper.

What is printed are the decimals of the certificate, so that the text claims what the file claims.
"""

from __future__ import annotations

from sympy import latex

from asymptok import dag
from asymptok.errors import AsymptokError
from asymptok.functions.arccosine import ArcCosine
from asymptok.functions.orthant import Orthant
from asymptok.kernels.given_form import given_nodes
from asymptok.laws.taylor_signs import positive_series
from asymptok.proofs.claims import Law
from asymptok.proofs.ellipses import widest
from asymptok.proofs.entire import majorant
from asymptok.proofs.exponential_text import exponential_conclusion, exponential_text, size_latex
from asymptok.proofs.expressions import to_nodes
from asymptok.proofs.flat_text import flat_small, flat_text, touching_text
from asymptok.proofs.points_text import inside_text, lifted_text, poles_text
from asymptok.proofs.proof_text import (
    NAMES,
    bounds,
    claim_of,
    conclusion,
    height_of,
    lemma,
    local,
    number,
    small,
)
from asymptok.proofs.smooth_text import smooth_text, stretched_text
from asymptok.proofs.statement import Statement
from asymptok.spectrum.contour.flat import is_flat

__all__ = ["statement_latex", "theorem_latex"]

#: subexpressions beyond which a kernel is printed step by step
_LONGEST = 40
#: rows of one table
_ROWS = 30
#: laws that leave signs open
_UNSIGNED = (Law.BOUNDED, Law.ENTIRE, Law.SMOOTH, Law.STRETCHED)


def statement_latex(certificate: Statement) -> str:
    r"""What is proved, as one LaTeX paragraph.

    >>> from asymptok import certify, kernels
    >>> print(statement_latex(certify(kernels.laplace(), d=3)).splitlines()[0])
    Let $\kappa(u) = e^{- \sqrt{1 - u}}$, and let $\mu_k$, $k \ge 0$, be its eigenvalues on the sphere $S^{2}$.
    """
    head = (
        rf"Let ${_kappa(certificate)}$, and let $\mu_k$, $k \ge 0$, be its eigenvalues on the sphere "
        rf"$S^{{{certificate.d - 1}}}$.{_meaning(certificate)}"
    )
    if not certificate.proved:
        return head + "\nNothing is proved for all $k$."
    if certificate.rho != 1 and not certificate.apart:
        head += rf" Put $\rho = {latex(certificate.rho)}$."
    items = [_law(certificate, parity) for parity in (0, 1)]
    if certificate.small:
        last = max(certificate.small)
        degrees = rf"$0 \le k \le {last}$" if len(certificate.small) > last else "the $k$ of the table"
        items.append(rf"for {degrees} the eigenvalue $\mu_k$ lies in the interval of the table.")
    listed = "\n".join(rf"\item {item}" for item in items)
    return f"{head}\nThen\n\\begin{{itemize}}\n{listed}\n\\end{{itemize}}\n{_definite(certificate)}".rstrip()


def theorem_latex(certificate: Statement, *, document: bool = False) -> str:
    """Theorem and proof; with `document` a file for pdflatex, without it a piece of one (amsmath and amsthm)."""
    if not certificate.proved:
        raise AsymptokError(f"there is no theorem: {certificate.reason or 'a parity is left open'}")
    if given_nodes(certificate.kernel.expr):
        raise AsymptokError(
            "the eigenvalues are given: the proof is their formula, and is not written out; see .statement"
        )
    parts = [
        "\\begin{theorem}",
        statement_latex(certificate),
        "\\end{theorem}",
        _table(certificate),
        "\\begin{proof}",
        *_sections(certificate),
        "\\end{proof}",
    ]
    body = "\n\n".join(part for part in parts if part)
    return _PREAMBLE + body + "\n\n\\end{document}\n" if document else body


def _sections(certificate: Statement) -> list[str]:
    """The proof, or, where parities are treated apart, the lemma and a proof for each: two formulas have two marks."""
    if not certificate.apart:
        return _proof(certificate, (0, 1))
    sources = [certificate.source(parity) for parity in (0, 1)]
    contours = [source for source in sources if not _is_own(source)]
    # one lemma for both, with logarithms if one of them needs these
    found = [max((lemma(source) for source in contours), key=len, default="")]
    for parity, source in enumerate(sources):
        _, *lines = _proof(source, (parity,))
        if _is_own(source) and any(r"\ast" in line for line in found):
            lines = [line.replace(r"\ast", r"\ast\ast") for line in lines]
        found += [_part(certificate, parity), *lines]
    return found


def _part(certificate: Statement, parity: int) -> str:
    """What the proof of one parity is about."""
    name, part = NAMES[parity], certificate.parts[parity]
    if part is None:
        return rf"\textbf{{The {name} $k$.}} Here $\kappa$ is the kernel itself, and $k$ is {name}."
    sign = "-" if parity else "+"
    return rf"""\textbf{{The {name} $k$.}} $P_k$ is {name} for these, so that $\mu_k$ is the eigenvalue of the {name}
part of $\kappa$,
\[ \tfrac12\big(\kappa(u) {sign} \kappa(-u)\big) = {latex(part.kernel.expr)} . \]
In this part of the proof $\kappa$ stands for that function."""


def _is_own(certificate: Statement) -> bool:
    """Whether the proof does without the contour of the lemma."""
    return bool(certificate.derivatives or certificate.kinds & {Law.EXPONENTIAL, Law.FLAT})


def _proof(certificate: Statement, parities: tuple[int, ...]) -> list[str]:
    """The steps of the proof for these parities, the lemma first."""
    own = _is_own(certificate)
    if certificate.derivatives:
        analysis, first = [smooth_text(certificate), stretched_text(certificate)], ""
    elif Law.FLAT in certificate.kinds:
        analysis, first = [touching_text(certificate)], ""
    elif own:
        analysis, first = [exponential_text(certificate)], ""
    elif is_flat(certificate.kernel.expr):
        analysis, first = [flat_text(certificate)], flat_small(certificate)
    else:
        analysis = [
            inside_text(certificate),
            poles_text(certificate),
            local(certificate),
            lifted_text(certificate),
            bounds(certificate),
        ]
        first = small(certificate)
    return [
        "" if own else lemma(certificate),
        *analysis,
        *(conclusion(certificate, parity) for parity in parities),
        *(exponential_conclusion(certificate, parity) for parity in parities),
        first,
    ]


_PREAMBLE = r"""\documentclass{article}
\usepackage[margin=2.5cm]{geometry}
\usepackage{amsmath,amssymb,amsthm}
\newtheorem{theorem}{Theorem}
\allowdisplaybreaks
\begin{document}

"""


def _kappa(certificate: Statement) -> str:
    """The kernel in math mode; a long one step by step, each step a formula of its own so that lines can break."""
    expr = certificate.kernel.expr
    if dag.tree_size(expr) <= _LONGEST:
        return rf"\kappa(u) = {latex(expr)}"
    texts: list[str] = []
    steps: list[str] = []
    for op, *args in to_nodes(expr):
        numbers = args[:1] if op == "kappa" else []
        values = [texts[a] if isinstance(a, int) else str(a) for a in args[len(numbers) :]]
        text = _step(str(op), [*map(str, numbers), *values])
        if op not in ("u", "num", "pi"):
            steps.append(rf"v_{{{len(steps) + 1}}} = {text}")
            text = rf"v_{{{len(steps)}}}"
        texts.append(text)
    return rf"\kappa(u) = {texts[-1]}$, where ${'$, $'.join(steps)}"


def _step(op: str, values: list[str]) -> str:
    """One operation; what it is applied to has a name or is a number, so that only numbers need brackets."""
    if op == "u":
        return "u"
    if op == "num":
        return values[0] if values[0].isdigit() else f"({values[0]})"
    if op == "pi":
        return r"\pi"
    if op in ("add", "mul"):
        return (" + " if op == "add" else r" \cdot ").join(values)
    if op in ("pow", "powc"):
        return f"{values[0]}^{{{values[1]}}}"
    if op == "kappa":
        return rf"\kappa_{{{values[0]}}}({values[1]})"
    name = {"Orthant": r"\Phi_2", "exp": r"\exp", "log": r"\log", "acos": r"\arccos", "asin": r"\arcsin"}.get(
        op
    )
    return (name or rf"\operatorname{{{op.replace('_', ' ')}}}") + f"({', '.join(values)})"


def _meaning(certificate: Statement) -> str:
    """The definition of the arc-cosine functions and of Phi_2, where they occur."""
    nodes = {type(node) for node in dag.postorder(certificate.kernel.expr)}
    orthant = (
        "\n(Here $\\Phi_2(h, k; u) = P(X > h, Y > k)$ for standard normal $X$, $Y$ with correlation $u$.)"
        if Orthant in nodes
        else ""
    )
    if ArcCosine not in nodes:
        return orthant
    return orthant + (
        "\n(Here $\\kappa_n = J_n/J_n(0)$, "
        "$J_n(\\theta) = \\sin^{2n+1}\\theta\\, (d/du)^n ((\\pi-\\theta)/\\sin\\theta)$, "
        "$u = \\cos\\theta$, are the arc-cosine functions: $\\kappa_0(u) = 1 - \\arccos(u)/\\pi$, "
        "$\\kappa_1(u) = u \\kappa_0(u) + \\sqrt{1-u^2}/\\pi$.)"
    )


def _law(whole: Statement, parity: int) -> str:
    """The law of one parity, with the rho of its part where that has one."""
    source = whole.source(parity)
    text = _law_of(source, parity)
    return rf"{text[:-1]}, $\rho = {latex(source.rho)}$;" if whole.apart and source.rho != 1 else text


def _law_of(certificate: Statement, parity: int) -> str:
    claim, name = claim_of(certificate, parity), NAMES[parity]
    if claim.law is Law.ZERO:
        return rf"$\mu_k = 0$ for all {name} $k \ge {claim.zero_from}$;"
    if claim.law in (Law.ALGEBRAIC, Law.GEOMETRIC):
        power = rf"k^{{{latex(claim.rate, fold_short_frac=True)}}}"
        if claim.law is Law.GEOMETRIC:
            power = rf"\rho^{{-k}} {power}"
        if claim.log_power:
            power += r" \log k" if claim.log_power == 1 else rf" (\log k)^{{{claim.log_power}}}"
        return (
            rf"${number(claim.low)}\, {power} \le \mu_k \le {number(claim.high)}\, {power}$ "
            rf"for all {name} $k \ge {claim.k0}$;"
        )
    if claim.law is Law.GIVEN:
        return rf"for all {name} $k$ the $\mu_k$ are those of the formula, smaller than every power of $k$;"
    if claim.frame is not None:
        return (
            rf"${number(claim.low)}\, F(k) \le \mu_k \le {number(claim.high)}\, F(k)$ "
            rf"for all {name} $k \ge {claim.k0}$, where "
            rf"\[ F(k) = {size_latex(claim.frame)}, \qquad d = {certificate.d}; \]"
        )
    if claim.law in (Law.SMOOTH, Law.STRETCHED):
        stretch = "" if claim.tau is None else r"\, \exp\big({-\tfrac32} (2\tau k)^{2/3}\big)"
        strip = "" if claim.tau is None else rf", $\tau = {claim.tau}$"
        power = rf"k^{{{latex(claim.rate, fold_short_frac=True)}}}{stretch}"
        return rf"$0 \le \mu_k \le {number(claim.high)}\, {power}$ for all {name} $k \ge {claim.k0}${strip};"
    if claim.stretch is not None:
        rate, g = (latex(x, fold_short_frac=True) for x in (claim.rate, claim.stretch[1]))
        power = rf"k^{{{rate}}} \exp(-{number(claim.stretch[0])}\, k^{{{g}}})"
        return rf"$|\mu_k| \le {number(claim.high)}\, {power}$ for all {name} $k \ge {claim.k0}$;"
    if claim.law is Law.OSCILLATING:
        rho = "" if certificate.rho == 1 else r"\rho^{-k} "
        logs = rf" (\log k)^{{{claim.log_power}}}" if claim.log_power else ""
        return (
            rf"$|\mu_k| \le {number(claim.high)}\, {rho}k^{{{latex(claim.rate, fold_short_frac=True)}}}{logs}$ "
            rf"for all {name} $k \ge {claim.k0}$;"
        )
    if claim.law is Law.ENTIRE:
        return (
            rf"$\displaystyle |\mu_k| \le \min_{{h > 0}} M(\cosh h) \cosh h\, S A_k e^{{-(k+1)h}}$ for all {name} "
            rf"$k \ge 0$, $M(r) = {latex(majorant(certificate.kernel.expr))}$, "
            rf"$A_k$ and $S$ as in $(\ast)$; so $|\mu_k|$ falls faster than every geometric sequence;"
        )
    ellipse = widest(certificate.bounds, certificate.d)
    if ellipse is None or certificate.poles:
        return rf"$\mu_k$ lies in the interval that $(\ast)$ gives, for all {name} $k$;"
    law = certificate.law(parity)
    return (
        rf"$|\mu_k| \le {number(ellipse.curve)}\, S A_k e^{{-(k+1)h}}$, $h = {height_of(ellipse)}$, for all {name} "
        rf"$k \ge 0$, $A_k$ and $S$ as in $(\ast)$, and likewise with the other heights below; so "
        rf"$|\mu_k| \le {number(law.high)}\, \rho^{{-k}} k^{{{latex(law.rate, fold_short_frac=True)}}}$ for $k \ge 1$, "
        r"since $A_k \le 2\Gamma(\frac d2)\, k^{1-d/2}$;"
    )


def _definite(certificate: Statement) -> str:
    sphere = f"$S^{{{certificate.d - 1}}}$"
    if certificate.positive_definite:
        extra = (
            ", and strictly so, since all $\\mu_k$ from some $k$ on are positive"
            if certificate.strict
            else ""
        )
        unsigned = [i for i in (0, 1) if claim_of(certificate, i).law in _UNSIGNED]
        if unsigned and certificate.apart and positive_series(certificate.kernel) is None:
            names = " and the ".join(NAMES[i] for i in unsigned)
            return (
                rf"All Taylor coefficients at $0$ of the {names} part of $\kappa$ are non-negative, and products of "
                rf"positive definite kernels are positive definite: so $\mu_k \ge 0$ for all $k$, and $\kappa$ is "
                rf"positive definite on {sphere}."
            )
        if unsigned:
            return (
                r"All Taylor coefficients of $\kappa$ at $0$ are non-negative, and products of positive definite "
                r"kernels are positive definite: $\mu_k \ge 0$ for each $u^n$ and for $\kappa$, for all $k$, and it is "
                rf"positive definite on {sphere}."
            )
        return rf"In particular $\mu_k \ge 0$ for all $k$: $\kappa$ is positive definite on {sphere}{extra}."
    if certificate.positive_definite is False:
        return rf"In particular $\mu_{{{certificate.offending}}} < 0$: $\kappa$ is not positive definite on {sphere}."
    return ""


def _table(certificate: Statement) -> str:
    """The first eigenvalues, a table for so many of them: LaTeX breaks no table between pages."""
    rows = [
        rf"${k}$ & ${number(low)}$ & ${number(high)}$" for k, (low, high) in sorted(certificate.small.items())
    ]
    return "\n".join(
        "\\begin{center}\n\\begin{tabular}{rll}\n$k$ & $\\mu_k$ is at least & and at most \\\\\\hline\n"
        + " \\\\\n".join(rows[start : start + _ROWS])
        + "\n\\end{tabular}\n\\end{center}"
        for start in range(0, len(rows), _ROWS)
    )
