"""The sections of the report, each a function from a Study to HTML; an empty text leaves a section out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import escape

import mpmath
from sympy import Expr, Symbol

from asymptok import dag
from asymptok.errors import AsymptokError
from asymptok.functions.hermite import HermiteDual
from asymptok.functions.orthant import Orthant
from asymptok.parameters import WithZero
from asymptok.precision import digits_to_bits, mpmath_precision
from asymptok.reporting import figures
from asymptok.reporting.certificates import certificate_blocks, law_sentence
from asymptok.reporting.citations import cite
from asymptok.reporting.columns import AT_END, KAPPA
from asymptok.reporting.expansions import definitions, expansion_formula
from asymptok.reporting.meaning import consequences_table
from asymptok.reporting.model import Column, Table, cell
from asymptok.reporting.study import Study
from asymptok.show.blocks import Badge, Block, Display, Facts, Line, Paragraph, Sheet
from asymptok.show.coefficients import digits
from asymptok.show.decimals import MU, number
from asymptok.show.formats.html import block_html, line_html
from asymptok.show.formula import Factor, Formula, Piece, Power, Word, expression, relation
from asymptok.show.law import law_facts, sides
from asymptok.show.prose import prose_html
from asymptok.show.ranges import parameter_ranges
from asymptok.show.theorem import report_blocks, verdict_line
from asymptok.show.verification import comparison_sheet, verification_blocks
from asymptok.spectrum import multiplicity

__all__ = ["SECTIONS", "Section", "heading"]

#: printed trees beyond which a kernel is not written as a text
_LARGEST = 20_000
#: terms of the asymptotic series that the table of numbers is compared with
_TERMS = 4
_PLOT = "Above: eigenvalues and the predicted laws. Below: how far the laws are off, with one term and with several."
_SHOWN = (*range(13), 20, 21, 30, 31, 50, 51, 70, 71, 100, 101, 200, 201, 500, 501, 1000, 1001)


@dataclass(frozen=True, slots=True)
class Section:
    key: str
    title: str
    html: Callable[[Study], str]


def heading(study: Study) -> str:
    """The name of the kernel, or its formula."""
    if study.kernel.name is None and _readable(study):
        return line_html((expression(study.kernel.expr),))
    return escape(study.title)


def _glance(study: Study) -> str:
    """The answers, before the reasons."""
    law, spectrum, meaning, found = study.law, study.spectrum, study.meaning, study.certificate
    rows: list[tuple[Line, Line]] = []
    rows += [(("decay",), (str(law),))] if isinstance(law, AsymptokError) else law_facts(law, study.d).rows
    if not isinstance(study.verdict, AsymptokError):
        rows.append((("theorem",), verdict_line(study.verdict)))
        rows += [((c.name,), (Badge(c.status),)) for c in study.verdict.questions]
    if not isinstance(meaning, AsymptokError):
        rows.append((("functions",), (meaning.space,)))
        if meaning.krr_rate.value is not None:
            rate = _single(Power(Symbol("n"), meaning.krr_rate.value))
            rows.append(
                (("learning rate",), (rate, ", squared error of kernel ridge regression from n samples"))
            )
    if study.numeric and not isinstance(found, AsymptokError) and found.proved:
        bounds = [law_sentence(found, parity) for parity in (0, 1)]
        rows += [
            ((f"bounds, {name} k",), (line,)) for name, line in zip(("even", "odd"), bounds, strict=True)
        ]
    if not isinstance(spectrum, AsymptokError):
        grade = "error bounds proved" if spectrum.rigorous else "some error bounds are estimates"
        numbers = f"k = 0, \u2026, {max(spectrum.ks)} to {spectrum.dps} digits, {grade}"
        rows.append((("eigenvalues",), (numbers,)))
        if not isinstance(study.verification, AsymptokError):
            rows.append((("law and numbers",), (Badge(study.verification.verdict),)))
    return block_html(Facts(tuple(rows))) + _plot(study)


def _plot(study: Study) -> str:
    spectrum, law = study.spectrum, study.law
    if isinstance(spectrum, AsymptokError):
        return ""
    if not figures.available():
        return (
            '<p class="note">The plots are missing: they are drawn by matplotlib, which '
            "<code>pip install 'asymptok[plot]'</code> adds.</p>"
        )
    if isinstance(law, AsymptokError):
        return ""
    predicted = any(side.at(study.d).kind == "algebraic" for _, side in sides(law))
    caption = _PLOT if predicted else "Eigenvalues, and what the law says about them."
    return _figure(figures.spectrum_svg(spectrum, law), caption)


def _single(factor: Factor) -> Formula:
    return Formula((Piece("", (factor,)),))


def _kernel(study: Study) -> str:
    kernel = study.kernel
    blocks: list[Block] = [Display(relation(KAPPA, "=", expression(kernel.expr)))] if _readable(study) else []
    blocks += [Paragraph(note) for note in parameter_ranges([kernel])]
    blocks += _meanings(kernel.expr) if _readable(study) else []
    html = _blocks(blocks)
    if not _readable(study):
        html += f"<p>{escape(study.title)}: the formula is too long to be read.</p>"
    if study.numeric and figures.available():
        html += _figure(figures.kernel_svg(kernel), "The kernel on [\u22121, 1].")
    return html


_HAT = "<mover><mi>\u03ba</mi><mo>^</mo></mover>"
_OF_F = "<mo>[</mo><mi>f</mi><mo>]</mo><mo>(</mo><mi>u</mi><mo>)</mo>"
#: functions that are not everybody's, and what they are
_MEANINGS: dict[type[Expr], Formula] = {
    HermiteDual: relation(
        Word("kappa^[f](u)", r"\hat\kappa[f](u)", f"<mrow>{_HAT}{_OF_F}</mrow>"),
        "=",
        _single(Word("E[f(X) f(Y)]", r"\operatorname{E}[f(X)\,f(Y)]")),
    ),
    Orthant: relation(
        Word("Phi_2(h, k, u)", r"\Phi_2(h, k, u)"), "=", _single(Word("P(X > h, Y > k)", "P(X > h, Y > k)"))
    ),
}


def _meanings(expr: Expr) -> list[Block]:
    normal = " for standard normal X and Y with correlation u."
    return [Paragraph(("Here ", formula, normal)) for node, formula in _MEANINGS.items() if expr.has(node)]


def _readable(study: Study) -> bool:
    return dag.tree_size(study.kernel.expr) <= 120


def _expansions(study: Study) -> str:
    blocks: list[Block] = []
    for at in (1, -1):
        expansion = study.expansion(at)
        if isinstance(expansion, AsymptokError):
            blocks.append(Paragraph((f"At u = {at}: {expansion}",)))
            continue
        blocks.append(Display(relation(AT_END[at], "=", expansion_formula(expansion))))
        blocks += [Paragraph(note) for note in definitions(expansion)]
    intro = "<p>As t \u2192 0+, exact in every coefficient:</p>"
    return intro + _blocks(blocks)


def _decay(study: Study) -> str:
    law = study.law
    if isinstance(law, AsymptokError):
        return f"<p>No decay law: {prose_html(str(law))}</p>"
    return _blocks([law_facts(law, verbose=True)])


def _numbers(study: Study) -> str:
    if isinstance(study.spectrum, AsymptokError):
        told = str(study.spectrum)
        return f"<p>{prose_html(told[:1].upper() + told[1:])}</p>"
    return _wide(_numbers_table(study))


def _numbers_table(study: Study) -> Table:
    """mu_k with its bound, the law, their ratio, and how far the series of a few terms is off."""
    spectrum, law = study.spectrum, study.law
    assert not isinstance(spectrum, AsymptokError)
    sides = [] if isinstance(law, AsymptokError) else [side.at(study.d) for side in (law.even, law.odd)]
    predicted = any(side.kind == "algebraic" for side in sides)
    heads = [Column("k", ("k",), "r"), Column("mu", (MU,)), Column("error", ("error bound",))]
    heads.append(Column("multiplicity", ("multiplicity",), "r"))
    if predicted:
        heads += [Column("law", ("law",)), Column("ratio", (MU, " / law"))]
        heads.append(Column("series", (f"series, {_TERMS} terms, off by",)))
    rows = []
    for k in (k for k in _SHOWN if k in spectrum):
        value, error = spectrum[k], spectrum.error(k)
        row = [str(k), cell(number(value, 12)), cell(number(error, 2)), str(multiplicity(k, spectrum.d))]
        rows.append([*row, *(_prediction(study, k) if predicted else ())])
    return Table(heads, rows)


def _prediction(study: Study, k: int) -> list[object]:
    law, spectrum = study.law, study.spectrum
    assert not isinstance(law, AsymptokError) and not isinstance(spectrum, AsymptokError)
    side = law.parity(k).at(study.d)
    if side.kind == "zero":
        exact = side.zero_from is not None and k >= side.zero_from
        return ["0" if exact else "", "", ""]
    constant = side.constant(study.d)
    if k < 1 or side.kind != "algebraic" or constant is None or (side.log_power and k < 2):
        return ["", "", ""]
    with mpmath_precision(digits_to_bits(study.dps + 10)):
        value, power = _mpf(constant, study.dps), _mpf(side.exponent(study.d), study.dps)
        leading = value * mpmath.mpf(k) ** power * mpmath.log(k) ** side.log_power
        ratio = spectrum[k] / leading
    try:
        series = law.evaluate(k, study.d, terms=_TERMS, dps=study.dps)
    except AsymptokError:
        return [cell(number(leading, 6)), cell(number(ratio, 6)), ""]
    with mpmath_precision(digits_to_bits(study.dps)):
        off = abs(series / spectrum[k] - 1) if spectrum[k] else mpmath.mpf(0)
    return [cell(number(leading, 6)), cell(number(ratio, 6)), cell(number(off, 2))]


def _mpf(value: Expr, dps: int) -> mpmath.mpf:
    return mpmath.mpf(digits(value, dps + 10).text.replace("...", ""))


def _agreement(study: Study) -> str:
    """Left out where there are no numbers to ask."""
    if isinstance(study.spectrum, AsymptokError) or isinstance(study.law, AsymptokError):
        return ""
    found = study.verification
    if isinstance(found, AsymptokError):
        return f"<p>{prose_html(str(found))}</p>"
    # the eigenvalues have a section of their own
    return _blocks(block for block in verification_blocks(found) if block != comparison_sheet(found))


def _conditions(study: Study) -> str:
    """The decay theorem condition by condition, then the other theorems that are proved to apply."""
    verdict = study.verdict
    if isinstance(verdict, AsymptokError):
        return f"<p>{prose_html(str(verdict))}</p>"
    others = [found.theorem for found in study.theorems if found.theorem.name != verdict.theorem.name]
    blocks = [*report_blocks(verdict), Paragraph((f"Source: {verdict.theorem.reference.where}.",))]
    if others:
        rows = (((o.title,), (f"{o.conclusion} ({o.reference.where})",)) for o in others)
        blocks += [Paragraph(("Other theorems that are proved to apply:",)), Facts(tuple(rows))]
    return _blocks(blocks)


def _certificate(study: Study) -> str:
    """Left out for a kernel with parameters: a certificate is about numbers."""
    found = study.certificate
    if not study.numeric:
        return ""
    if isinstance(found, AsymptokError):
        return f"<p>{prose_html(str(found))}</p>"
    html = _blocks(certificate_blocks(found))
    if not found.proved:
        return html
    return html + (
        f'\n<details class="note"><summary>The theorem and its proof, for a paper (LaTeX)</summary>'
        f"<pre>{escape(found.theorem())}</pre></details>\n"
        f'<details class="note"><summary>The certificate, for python -m asymptok.checker (JSON)</summary>'
        f"<pre>{escape(found.to_json())}</pre></details>"
    )


def _meaning(study: Study) -> str:
    found = study.meaning
    if isinstance(found, AsymptokError):
        return f"<p>{prose_html(str(found))}</p>"
    reasons = "".join(
        f"<li>{prose_html(entry.statement)}: {prose_html(entry.reason)}.</li>" for _, entry in found
    )
    return (
        f"<p>The reproducing kernel Hilbert space: {prose_html(found.space)}. Positive definite: "
        f"{found.positive_definite.status} ({prose_html(found.positive_definite.evidence)}).</p>\n"
        f"{_wide(consequences_table(found))}\n"
        f'<details class="note"><summary>Why</summary><ul>{reasons}</ul></details>'
    )


def _reproduce(study: Study) -> str:
    lines = []
    if study.command:
        lines.append(f"<p>On the command line:</p><pre>{escape(study.command)}</pre>")
    if python := _python(study):
        lines.append(f"<p>In Python:</p><pre>{escape(python)}</pre>")
    return "\n".join(lines)


def _python(study: Study) -> str:
    kernel = study.kernel
    ranges = {
        s.name: repr(bounds) if isinstance(bounds, WithZero) else (str(bounds[0]), str(bounds[1]))
        for s, bounds in kernel.parameters.items()
    }
    declared = f", parameters={ranges}" if ranges else ""
    built = study.source
    if not built and dag.tree_size(kernel.expr) > _LARGEST:
        return ""  # a network: text of that length neither ends in time nor helps anybody
    built = built or f"Kernel({str(kernel.expr)!r}{declared})"
    return f"""from asymptok import Kernel, decay, eigenvalues, expand, kernels, report

kernel = {built}
expand(kernel, at=1, order=3), expand(kernel, at=-1, order=3)
decay(kernel)
eigenvalues(kernel, d={study.d}, kmax={study.kmax}, dps={study.dps})
report(kernel, d={study.d}, path="report.html")"""


def _citations(study: Study) -> str:
    used: list[object] = [study.kernel]
    used += [
        result
        for result in (study.law, study.verdict, study.spectrum, study.meaning)
        if not isinstance(result, AsymptokError)
    ]
    found = cite(*used)
    items = "".join(f"<li>{escape(line)}</li>" for line in found.prose)
    return f'<ul>{items}</ul>\n<details class="note"><summary>BibTeX</summary><pre>{escape(str(found))}</pre></details>'


# ------------------------------------------------------------------------------------ pieces


def _blocks(blocks: Iterable[Block]) -> str:
    return "\n".join(_wide(block) if isinstance(block, Sheet) else block_html(block) for block in blocks)


def _wide(table: Sheet) -> str:
    """A table that scrolls on a narrow screen instead of widening the page."""
    return f'<div class="wide" tabindex="0">{block_html(table)}</div>'


def _figure(svg: str, caption: str) -> str:
    return f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>"


SECTIONS = (
    Section("glance", "At a glance", _glance),
    Section("kernel", "The kernel", _kernel),
    Section("expansions", "Expansions at the two ends", _expansions),
    Section("decay", "Decay of the eigenvalues", _decay),
    Section("numbers", "Eigenvalues and prediction", _numbers),
    Section("agreement", "Does the prediction hold?", _agreement),
    Section("conditions", "Conditions and evidence", _conditions),
    Section("certificate", "Bounds for every eigenvalue, proved", _certificate),
    Section("meaning", "What it means", _meaning),
    Section("reproduce", "How to reproduce this page", _reproduce),
    Section("citations", "References", _citations),
)
