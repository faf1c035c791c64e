"""Tables: the model, its five formats, the table of the paper, and LaTeX that a real pdflatex compiles."""

from __future__ import annotations

import csv
import dataclasses
import io
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from sympy import Expr, Integer, N, Rational, Symbol, exp, gamma, latex, pi, polygamma, sqrt, sympify

from asymptok import AsymptokError, Kernel, check, decay, eigenvalues, expand, kernels, t
from asymptok.cli.arguments import format_names
from asymptok.functions.arccosine import kappa0, kappa1
from asymptok.functions.depth import SlopeProduct
from asymptok.parsing import parse
from asymptok.reporting import Table, cite, table
from asymptok.reporting.columns import COLUMNS
from asymptok.reporting.entries import deep_equals_shallow
from asymptok.reporting.expansions import expansion_formula
from asymptok.reporting.model import FORMATS, Column
from asymptok.reporting.numbers import spectrum_table
from asymptok.show.coefficients import Names, constant, digits
from asymptok.show.formula import BigO, Formula, Piece, Power, Word, expression, folded, relation, to_latex
from asymptok.show.latex_prose import escape_latex
from asymptok.show.mathml import folded_mathml, math_lines, to_mathml

needs_pdflatex = pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")

HOSTILE = 'a & b % cc_1 $x$ #2 {y} ~ ^ \\z | <img> "q" \u2212 \u2014'


@pytest.fixture(scope="module")
def paper() -> Table:
    return table(deep_equals_shallow(), d=3)


def compiled(source: str, folder: Path) -> Path:
    (folder / "table.tex").write_text(source, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "table.tex"]
    run = subprocess.run(command, cwd=folder, capture_output=True, timeout=100, check=False)
    log = run.stdout.decode(errors="replace")
    assert run.returncode == 0, log[-3000:]
    assert "Overfull" not in log
    return folder / "table.pdf"


# ------------------------------------------------------------------------------------ the model


def test_a_table_is_immutable_and_checks_its_shape() -> None:
    made = Table([Column("k", ("k",))], [["0"], ["1"]])
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.caption = "other"  # type: ignore[misc]
    with pytest.raises(AsymptokError, match="2 cells does not fit a table of 1 columns"):
        Table([Column("k", ("k",))], [["0", "1"]])


def test_every_format_has_every_cell() -> None:
    made = Table(
        [Column("a", ("left",)), Column("b", ("right",), "r")], [["one", sqrt(2)]], caption="Two cells"
    )
    for format, parts in {
        "text": ["left", "right", "one", "sqrt(2)", "Two cells"],
        "latex": [r"\toprule", "one", r"\sqrt{2}", r"\caption{Two cells}"],
        "markdown": ["| left | right |", r"$\sqrt{2}$", "**Two cells**"],
        "html": ["<caption>Two cells</caption>", "<msqrt>", "<td"],
        "csv": ["a,b", "one,sqrt(2)"],
    }.items():
        for part in parts:
            assert part in made.render(format), format
    with pytest.raises(AsymptokError, match="unknown format 'pdf'"):
        made.render("pdf")
    assert made._repr_html_() == made.to_html()
    assert r"\begin{tabular}" in made._repr_latex_() and "caption" not in made._repr_latex_()


def test_formats_are_written_to_files(tmp_path: Path) -> None:
    made = table("exp(-sqrt(1 - u))", columns=["kernel", "nu"])
    for name in ("latex", "markdown", "html", "csv", "text"):
        path = tmp_path / name
        text = made.render(name, path)
        assert path.read_text(encoding="utf-8").rstrip("\n") == text.rstrip("\n")
    with pytest.raises(AsymptokError, match="cannot write"):
        made.to_csv(tmp_path / "missing" / "table.csv")


def test_prose_is_escaped_in_every_format() -> None:
    made = Table([Column("x", (HOSTILE,))], [[HOSTILE]])
    assert r"a \& b \% cc\_1 \$x\$ \#2 \{y\}" in made.to_latex()
    assert "&lt;img&gt;" in made.to_html() and "<img>" not in made.to_html()
    assert made.to_markdown().splitlines()[0].replace(r"\|", "").count("|") == 2
    assert next(csv.reader(io.StringIO(made.to_csv()[2:])))[0] == HOSTILE
    assert escape_latex("\u03bc \u2264 1") == r"$\mu$ $\le$ 1"


# ------------------------------------------------------------------------------------ formulas


def test_signs_and_relations_are_set_as_a_person_would() -> None:
    minus = relation(Word("x", "x", "<mi>x</mi>"), "=", expression(-sqrt(2) + t))
    assert minus.text() in ("x = t - sqrt(2)", "x = -sqrt(2) + t")
    negative = relation(Word("x", "x", "<mi>x</mi>"), "~", expression(-t))
    assert negative.text() == "x ~ -t"
    assert negative.latex() == r"x \sim -t"


def test_a_formula_breaks_only_in_front_of_operators() -> None:
    pieces = tuple(Piece("+" if i else "", (Integer(10) ** 8 + i, Power(t, Integer(i)))) for i in range(6))
    lines = Formula(pieces).lines(30, typeset=False)
    assert len(lines) > 1
    assert [piece for line in lines for piece in line.pieces] == list(pieces)
    assert all(line.text(continued=True).startswith("+ ") for line in lines[1:])


@pytest.mark.parametrize(
    ("value", "latex"),
    [
        (2 ** Rational(3, 4) / pi ** Rational(5, 2), r"\frac{2^{3/4}}{\pi^{5/2}}"),
        (exp(-(Symbol("c") ** (Symbol("gamma") / 2))), r"e^{- c^{\gamma/2}}"),
        (kappa0(1 / pi) ** 2, r"\kappa_{0}^{2}\!\left(\frac{1}{\pi}\right)"),
        (polygamma(0, t), r"\psi\!\left(t\right)"),
        (sqrt(t), r"\sqrt{t}"),
    ],
)
def test_latex_of_constants(value: object, latex: str) -> None:
    assert to_latex(value) == latex


@pytest.mark.parametrize(
    "value",
    [
        kappa1(kappa1(1 / pi)),
        gamma(t / 2) * 2 ** (t / 2),
        polygamma(0, t),
        polygamma(2, t),
        exp(-t) / 3,
        (t - 2) ** 3,
    ],
)
def test_mathml_is_well_formed_and_has_no_entities(value: object) -> None:
    text = to_mathml(sympify(value))
    ElementTree.fromstring(f"<math>{text}</math>")
    assert "&" not in text and "arccosine" not in text and "polygamma" not in text


@pytest.mark.parametrize(
    "value", [3 * 2 ** Rational(1, 3), 3 * 2**t / 4, 5 * 6 ** (t / 2) / pi, -7 * 2 ** (t / 2) / 3 * t]
)
def test_numbers_that_meet_are_kept_apart(value: Expr) -> None:
    # 3 times 2^t must not read 32^t, on a page or in a paper
    formula = Formula((Piece("", (value, Power(Integer(2), t))),))
    for mathml in (to_mathml(value), folded_mathml(value), math_lines(formula)):
        shown = "".join(ElementTree.fromstring(f"<m>{mathml}</m>").itertext()).replace("\u2062", "")
        assert re.search(r"[357]·[26]", shown)
    for shown in (to_latex(value), folded(value)):
        assert re.search(r"[357]\\cdot [26]", shown)


def test_mathml_of_an_expansion_breaks_between_terms() -> None:
    formula = expansion_formula(expand(kernels.ntk(3), order=2))
    html = math_lines(formula)
    assert html.count("<math") == len(formula.pieces)
    for part in html.split("</math> "):
        ElementTree.fromstring(part if part.endswith("</math>") else part + "</math>")


# ------------------------------------------------------------------------------ constants and names


def test_long_constants_get_names() -> None:
    names = Names()
    long = sqrt(2) * kappa0(1 / pi) * kappa0(kappa1(1 / pi)) / (2 * pi)
    assert str(constant(long, names)) == "sqrt(2)*s_2*s_3/(2*pi)"
    (note,) = names.note()
    shown_note = "".join(p if isinstance(p, str) else p.text() for p in note)
    assert shown_note == "where s_2 = kappa0(1/pi), b_3 = kappa1(1/pi), s_3 = kappa0(b_3)"
    deep = expand(kernels.ntk(40), at=-1, order=1).coefficient
    assert deep is not None
    assert str(constant(deep, Names())) == "-sqrt(2)*p_38/(2*pi)"
    assert "kappa(-1)" in table([kernels.ntk(40)], columns=["at_-1"]).to_text()


@pytest.mark.parametrize("value", [pi, -pi, 10**9 * pi, pi / 10**9, sqrt(2) * 300000, Rational(1, 3)])
def test_digits_are_cut_and_not_rounded(value: object) -> None:
    value = sympify(value)
    mantissa, _, power = digits(value, 6).text.partition("e")
    shown = Rational(mantissa.removesuffix("...")) * Integer(10) ** int(power or 0)
    assert abs(shown) <= abs(value)
    assert abs(value - shown) < abs(value) * Rational(1, 10**5)


def test_the_leading_part_of_an_expansion_ends_with_the_first_term_that_is_no_polynomial() -> None:
    assert expansion_formula(expand(kernels.ntk(2)), leading=True).text() == "2 - sqrt(2)/pi*t**(1/2) + O(t)"
    assert expansion_formula(expand("u**3"), leading=True).text() == "1 - 3*t + O(t**2)"
    matern = expansion_formula(expand(kernels.matern(1)), leading=True)
    assert matern.pieces[-2].factors == (Power(t, Integer(1), 1),)
    assert matern.pieces[-1].factors == (BigO(Power(t, Integer(1))),)


# ------------------------------------------------------------------------------------ table()


def test_columns_are_selected_in_the_order_given() -> None:
    made = table(kernels.laplace("c"), columns=["c_1", "nu"])
    assert [column.key for column in made.columns] == ["c_1", "nu"]
    assert made.to_csv() == "c_1,nu\n-c,1/2\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"kernels": []}, "at least one kernel"),
        ({"kernels": ["u"], "columns": ["colour"]}, "no column 'colour': choose from kernel"),
        ({"kernels": ["u"], "columns": []}, "no columns"),
        ({"kernels": ["u"], "columns": ["constant_even"]}, "needs the dimension"),
    ],
)
def test_bad_requests_say_what_to_do(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(AsymptokError, match=message):
        table(**arguments)  # type: ignore[arg-type]


def test_a_kernel_may_be_a_text_an_expression_or_a_kernel() -> None:
    from asymptok import u

    made = table(["exp(u)", u**2, Kernel("u", name="linear")], columns=["kernel", "nu"])
    assert [row[0].plain for row in made.rows] == ["exp(u)", "u**2", "linear"]
    assert [row[1].plain for row in made.rows] == ["", "", ""]


def test_the_table_of_the_paper(paper: Table) -> None:
    rows = {row["kernel"]: row for row in csv.DictReader(io.StringIO(paper.to_csv()))}
    assert len(rows) == 12
    assert rows["random features, depth 3"]["c_1"] == "4*sqrt(2)/(3*pi)"
    assert rows["random features, depth 3"]["c_-1"] == "sqrt(2)/(3*pi)"
    assert rows["NTK, depth 5"]["c_1"] == "-10*sqrt(2)/pi"
    assert rows["NTK, depth 2"]["even"] == "k**(-3)"
    assert rows["NTK, depth 2"]["odd"] == "0 for k >= 3"
    assert rows["NTK, depth 3"]["constant_even"] == "7/(4*pi)"
    assert rows["step features, depth 3"]["nu"] == "1/4; 1/2"
    assert rows["Laplace kernel, c"]["constant_odd"] == "sqrt(2)*c/4"
    assert rows["gamma-exponential kernel, gamma, c"]["nu"] == "gamma/2"
    assert rows["Gaussian kernel, c"]["even"] == "O(r**(-k)) for every r"
    assert set(rows["NTK, depth 5"]) == {key for key, entry in COLUMNS.items() if entry.usual}
    # exact for machines, named for people
    assert rows["NTK, depth 5"]["c_-1"] == "-sqrt(2)*kappa0(1/pi)*kappa0(kappa1(1/pi))/(2*pi)"
    assert r"s_{2} = \kappa_{0}\!\left(\frac{1}{\pi}\right)" in paper.to_latex()
    assert r"b_{3} = \kappa_1^{(3)}(-1)" in paper.to_latex()
    assert "0 < \\gamma < 2" in paper.to_latex()


def test_exact_values_in_csv_read_back(paper: Table) -> None:
    for row in csv.DictReader(io.StringIO(paper.to_csv())):
        if row["c_1"] and "gamma" not in row["kernel"]:
            assert str(parse(row["c_1"], ["c"])) == row["c_1"]


def test_html_is_well_formed(paper: Table) -> None:
    html = paper.to_html().replace("<br>", "<br/>")
    tree = ElementTree.fromstring(f"<div>{html}</div>")
    assert len(tree.findall("./table/tbody/tr")) == 12


@needs_pdflatex
def test_pdflatex_compiles_the_table_of_the_paper(paper: Table, tmp_path: Path) -> None:
    source = paper.to_latex(
        standalone=True, caption=r"Kernels of \emph{Deep Equals Shallow}", label="tab:kernels"
    )
    assert compiled(source, tmp_path).stat().st_size > 10_000


@needs_pdflatex
def test_pdflatex_compiles_the_float_in_an_article_with_every_special_character(tmp_path: Path) -> None:
    hostile = Kernel("exp(-sqrt(1 - u))", name=HOSTILE)
    made = table([hostile, kernels.matern(1), "abs(u)", "besselk(0, 1 - u/2)"])
    body = made.to_latex(caption="Odd ones", label="tab:odd")
    packages = body.splitlines()[0].removeprefix("% packages: ")
    document = f"\\documentclass{{article}}\n\\usepackage{{{packages.replace(' ', '')}}}\n\\begin{{document}}\n{body}\n"
    compiled(document + "See Table~\\ref{tab:odd}.\\end{document}", tmp_path)


# ------------------------------------------------------------------------------------ citations


def test_every_key_of_a_source_exists() -> None:
    from asymptok.kernels.construction import NAMED
    from asymptok.reporting.citations import _REFERENCES, _TOPICS

    for keys in (*(known.sources for known in NAMED.values()), *_TOPICS.values()):
        assert set(keys) <= set(_REFERENCES)


def test_the_sources_of_kernels_are_found_by_kernel_and_by_name() -> None:
    from asymptok.kernels.construction import NAMED

    arguments = {
        "arc_cosine": [1], "random_features": [2], "ntk": [2], "step_features": [2], "relu_network": [2],
        "network": [2],
        "gamma_exponential": ["g"], "matern": [1], "rational_quadratic": [1], "poisson": [Rational(1, 2), 3],
        "polynomial": [2],
    }  # fmt: skip
    for name in kernels.names():
        kernel = getattr(kernels, name)(*arguments.get(name, []))
        assert cite(kernel).keys == ("asymptok", *NAMED[name].sources) == cite(name).keys


def test_bibtex_is_balanced_and_without_duplicates() -> None:
    everything = cite()
    text = str(everything)
    assert text.count("{") == text.count("}")
    assert len(set(everything.keys)) == len(everything.keys) == text.count("@")
    assert "ChoSaul2009" in cite(Kernel("kappa1(u)")).keys
    with pytest.raises(AsymptokError, match="no sources are known for 'nothing'"):
        cite("nothing")


def test_a_constant_deeper_than_the_stack_is_told_by_digits() -> None:
    from asymptok.show.coefficients import exact_text

    value: object = 1 / pi
    for _ in range(150):
        value = kappa1(value)
    told = exact_text(sqrt(2) * kappa0(value) + 1)
    assert told.startswith("2.3881831795951627") and told.endswith("...")


def test_a_wide_table_is_split_and_nothing_is_shrunk() -> None:
    from asymptok.reporting.entries import deep_equals_shallow

    text = table(deep_equals_shallow()).to_latex(caption="Kernels", label="tab:all", environment="table*")
    assert text.count(r"\begin{table*}") == text.count(r"\end{table*}") >= 2
    assert "(continued)" in text and text.count(r"\label") == 1
    assert "resizebox" not in text and r"\footnotesize" in text and "scriptsize" not in text


def test_an_order_that_is_none_is_refused() -> None:
    with pytest.raises(AsymptokError, match="order of an expansion"):
        table(["exp(u)"], order="a")


def test_unbounded_kernels_have_their_expansions_and_laws() -> None:
    made = table(["-log((1-u)/2)", "(1-u)**(-1/4)"], columns=["at_1", "nu", "c_1", "even"]).to_csv()
    assert made.splitlines()[1:] == ["-log(t) + O(1),0,-1,k**(1 - d)", "t**(-1/4),-1/4,1,k**(3/2 - d)"]


def test_an_undecided_row_is_a_cell_and_no_exception() -> None:
    open_one = Kernel("exp(-(1-u)**a) + kappa0(u)", parameters={"a": (0, 1)})
    made = table([open_one, kernels.ntk(3)], columns=["kernel", "nu", "even"])
    assert "undecided" in str(made) and "k^(-d)" in str(made)


def test_headings_groups_and_transposition() -> None:
    rows = [kernels.ntk(2), kernels.random_features(2), kernels.ntk(3)]
    made = table(rows, columns=["kernel", "nu"], group_by="nu", headings={"nu": "smoothness"})
    lines = str(made).splitlines()
    assert "smoothness" in lines[0] and sum(line.startswith("nu = ") for line in lines) == 2
    turned = table(rows, columns=["kernel", "nu", "c_1"], transpose=True)
    assert len(turned.rows) == 2 and len(turned.columns) == 4


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
@pytest.mark.parametrize(
    ("options", "environment", "width"),
    [("", "table", None), ("twocolumn", "table*", None), ("twocolumn", "table", 40)],
)
def test_floats_fit_into_both_kinds_of_paper(
    tmp_path: Path, options: str, environment: str, width: int | None
) -> None:
    found = subprocess.run(["kpsewhich", "siunitx.sty"], capture_output=True, text=True)
    siunitx = found.stdout.strip() != ""
    tables = [
        table(deep_equals_shallow()),
        table([kernels.ntk(3), kernels.laplace()], columns=["kernel", "at_1"], order=3),
        spectrum_table(eigenvalues(kernels.ntk(3), 3, kmax=5, dps=12), digits=8),
    ]
    layout = {"environment": environment, "width": width, "siunitx": siunitx}
    floats = [made.to_latex(caption="A table.", **layout) for made in tables]
    head = rf"\documentclass[{options}]{{article}}\usepackage{{amsmath,array,booktabs{',siunitx' * siunitx}}}"
    lines = [head, r"\begin{document}", *floats, r"\end{document}"]
    (tmp_path / "paper.tex").write_text("\n".join(lines))
    command = ["pdflatex", "-interaction=nonstopmode", "paper.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Overfull" not in done.stdout
    if siunitx:
        assert "S[table-format=" in floats[2]


def test_a_group_is_named_in_formulas() -> None:
    made = table([kernels.ntk(2), kernels.random_features(2)], columns=["kernel", "c_1"], group_by="nu")
    assert r"$\nu$ = $1/2$" in made.to_latex() and "nu = 3/2" in made.to_text()


def test_every_format_is_offered_and_writes_tables() -> None:
    assert set(format_names()) == set(FORMATS) >= {"text", "latex", "markdown", "html", "csv"}
    sheet = Table([Column("k", ("k",)), Column("mu", ("mu",))], [["0", "1/2"], ["1", "1/3"]])
    for name in FORMATS:
        written = sheet.render(name)
        assert all(word in written for word in ("1/2", "1/3")), name
    with pytest.raises(AsymptokError, match="unknown format 'rtf': choose from"):
        sheet.render("rtf")


def test_the_row_for_every_depth_in_every_format() -> None:
    depth = Symbol("L", integer=True, positive=True)
    made = table([kernels.ntk(depth), kernels.random_features(depth)], d=3)
    text, html, values = str(made), made.to_html(), made.to_csv()
    for shown in ("NTK, every depth L", "random features, every depth L", "-sqrt(2)*L*(L - 1)/(2*pi)"):
        assert shown in values
    assert (
        "2*sqrt(2)*(L - 1)/(3*pi)" in values and "SlopeProduct(L) is the product of kappa0(RF_j(-1))" in text
    )
    for page in (made.to_latex(), made.to_markdown()):
        assert r"\frac{\sqrt{2} L \left(L - 1\right)}{2\pi}" in page
        assert r"\frac{2\sqrt{2} \left(L - 1\right)}{3\pi}" in page
    assert (
        "\u220f" in html and "<mi>NTK</mi>" in html and "slopeproduct" not in html and "deeprelu" not in html
    )
    for page in (text, html, made.to_latex(), made.to_markdown()):
        assert "undecided" not in page and "none" not in page
    # the constant of an even degree, C(3, 1/2) (c_1 + c_-1), at depth 4 by its network
    row = dict(zip((c.key for c in made.columns), made.rows[0], strict=True))
    constant = sympify(row["constant_even"].plain, locals={"L": depth, "SlopeProduct": SlopeProduct})
    law = decay(kernels.ntk(4)).even
    assert abs(N(constant.subs(depth, 4) - law.constant(3), 30)) < 1e-25


def test_a_compact_table_of_several_dimensions() -> None:
    """c_1 + c_-1 and c_1 - c_-1 times C(d, 1/2): 7/(4 pi) and 5/(4 pi) for the NTK of depth 3 at d = 3."""
    some = [kernels.ntk(3).named("NTK$_3$"), kernels.laplace(), kernels.gaussian(), "abs(u)"]
    made = table(some, d=[3, 10], digits=4)
    assert [c.key for c in made.columns] == [
        "kernel", "nu", "law_even_3", "law_odd_3", "law_even_10", "law_odd_10",
    ]  # fmt: skip
    text, page = str(made), made.to_latex(environment="table*", siunitx=True)
    assert (
        "0.5570 k^(-3)" in text
        and "0.3979 k^(-3)" in text
        and "rho: mu_k = O(r^(-k)) for every r < rho" in text
    )
    assert page.count(r"\begin{tabular}") == 1 and "NTK$_3$ &" in page and r"\num{5.229e4}\,k^{-10}" in page
    assert r"\multicolumn{2}{c}{$\mu_k$, $d = 3$}" in page and r"\cmidrule(lr){3-4}" in page
    assert r"\multicolumn{2}{c}{$\displaystyle 0.3536\,k^{-3}$}" in page  # equal for even and odd k
    row = dict(zip((c.key for c in made.columns), made.rows[0], strict=True))
    assert row["law_even_3"].plain == "7/(4*pi)*k**(-3)"


def test_equal_parities_are_one_column() -> None:
    made = table([kernels.laplace(), kernels.matern("3/2")], d=3, digits=3)
    assert [c.key for c in made.columns] == ["kernel", "nu", "law"] and "all k" in str(made)
    assert [c.key for c in table(kernels.laplace(), d=3).columns][-4:] == [
        "c_-1",
        "decay",
        "conditions",
        "constant",
    ]
    named = table(kernels.laplace(), columns=["even", "odd"])
    assert [c.key for c in named.columns] == ["even", "odd"]
    for bad in ({"d": []}, {"d": 3, "digits": 0}):
        with pytest.raises(AsymptokError, match=r"dimensions|digits"):
            table(kernels.laplace(), **bad)


def test_a_column_of_numbers_may_have_gaps() -> None:
    made = table([kernels.laplace(), kernels.gaussian()], columns=["kernel", "c_1"], digits=3)
    assert "S[table-format=-1.2]" in made.to_latex(siunitx=True) and "& {---}" in made.to_latex(siunitx=True)


@needs_pdflatex
@pytest.mark.slow
def test_verdicts_laws_and_tables_fit_a_column(tmp_path: Path) -> None:
    some = [
        kernels.ntk(3).named("NTK$_3$"),
        kernels.laplace().named("Laplace"),
        kernels.gaussian().named("Gauss"),
    ]
    parts = [
        latex(check(kernels.ntk(3), 3)),
        latex(check("abs(u)", 3)),
        rf"\[ {latex(decay(kernels.ntk(3)))} \]",
        rf"\[ {latex(decay(kernels.laplace()))} \]",
        table(some, d=3, digits=3).to_latex(caption="A table.", environment="table", width=46),
        table(some, d=[3, 10], digits=4).to_latex(
            caption="A table.", environment="table*", width=97, siunitx=True
        ),
    ]
    head = r"\documentclass[10pt,twocolumn]{article}\usepackage[textwidth=6.75in,columnsep=.25in]{geometry}"
    packages = r"\usepackage{amsmath,array,booktabs,siunitx}"
    compiled("\n\n".join([head, packages, r"\begin{document}", *parts, r"\end{document}"]), tmp_path)
