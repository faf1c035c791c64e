"""The constants of deep networks bear one name everywhere, and what is shown can be put together again."""

from __future__ import annotations

import re

import pytest
from sympy import Rational, Symbol, latex, pi, sqrt

from asymptok import AsymptokError, Kernel, check, decay, expand, kernels, table
from asymptok.balls import ball
from asymptok.functions.arccosine import ArcCosine, kappa0, kappa1
from asymptok.parsing import parse
from asymptok.show.naming import named, names_in
from asymptok.symbols import t

NETWORKS = [kernels.ntk(4), kernels.ntk(6), kernels.random_features(5)]


@pytest.mark.parametrize("kernel", NETWORKS, ids=str)
def test_what_is_printed_is_exact_and_reads_back(kernel: Kernel) -> None:
    expansion = expand(kernel, at=-1, order=2)
    text, *definitions = re.split(r", (?=[bs]_\d+ = )", str(expansion))
    assert "..." not in text
    known: dict[str, object] = {}
    for line in definitions:
        name, _, value = line.partition(" = ")
        known[name] = parse(value, {n: Symbol(n) for n in known}).subs(
            {Symbol(n): v for n, v in known.items()}
        )
    body = text[: text.index(" + O(")]
    names = {n: Symbol(n) for n in known} | {"t": t}
    found = parse(body, names).subs({Symbol(n): v for n, v in known.items()})
    exact = expansion.as_expr(t)
    for point in (Rational(1, 4), Rational(3, 4)):
        assert abs(float((found - exact).subs(t, point).evalf(30))) < 1e-25


def test_a_name_means_the_same_in_expansions_laws_and_tables() -> None:
    kernel = kernels.ntk(5)
    expansion = expand(kernel, at=-1, order=2)
    for shown in (str(expansion), str(decay(kernel)), table([kernel]).to_markdown()):
        assert "s_2 = kappa0(1/pi)" in shown.replace("$", "") or r"s_{2} = \kappa_{0}" in shown
    # the depth is the index, whatever else is shown beside it
    assert "b_4" in str(expand(kernels.random_features(5), at=-1, order=1))
    assert [str(n) for n in names_in(named(kappa0(kappa1(1 / pi))))] == ["b_3", "s_3"]
    assert r"b_{4} = \kappa_1^{(4)}(-1)" in latex(expansion)


def test_the_table_and_the_expansion_are_the_same_latex() -> None:
    kernel = kernels.ntk(5)
    expansion = expand(kernel, at=-1, order=1)
    cell = table([kernel], columns=["at_-1"], order=1).rows[0][0].lines[0][0]
    assert latex(expansion).startswith(cell.latex() + r",\quad ")


def test_a_parameter_may_have_the_name_of_a_constant() -> None:
    b_3 = Symbol("b_3", positive=True)
    shown = named(b_3 * kappa1(1 / pi))
    assert len(shown.free_symbols) == 2 and len(names_in(shown)) == 1


@pytest.mark.parametrize("environment", ["align*", "multline", "aligned", "split"])
def test_long_formulas_are_broken(environment: str) -> None:
    expansion = expand(kernels.ntk(6), at=-1, order=2)
    source = expansion.to_latex(environment, width=80)
    assert source.startswith(rf"\begin{{{environment}}}") and r"\kappa(-1+t)" in source
    rows = source.split("\\\\\n")
    assert len(rows) > 4
    for row in rows:
        assert row.count("{") == row.count("}") and row.count(r"\left") == row.count(r"\right")
    with pytest.raises(AsymptokError, match="environment"):
        expansion.to_latex("equation!")


def test_decimals_on_request() -> None:
    expansion = expand(kernels.ntk(4), at=-1, order=1)
    assert expansion.to_text(digits=6) == "0.685708... - 0.135748...*t**(1/2) + O(t**(3/2))"
    assert isinstance(expansion.coefficient.args[-1], ArcCosine) or expansion.coefficient.has(ArcCosine)


def test_constants_of_laws_are_as_short_as_in_the_table() -> None:
    law = decay(kernels.ntk(4))
    assert law.even.constant(3) == 3 / pi + kappa0(1 / pi) / (4 * pi)
    cell = table([kernels.ntk(4)], columns=["constant_even"], d=3).rows[0][0]
    assert cell.plain == str(law.even.constant(3))


def test_laws_of_deep_networks_are_exact_and_short() -> None:
    law = decay(kernels.ntk(30))
    text = str(law)
    assert "-sqrt(2) p_28/(2 pi) - 435 sqrt(2)/pi" in text and "p_28 = s_2 ... s_28" in text
    assert "b_l = kappa1(b_(l-1)), s_l = kappa0(b_l)" in text and "0." not in text
    assert r"p_{28} = s_{2} \cdots s_{28}" in latex(law)
    slopes, b = Rational(1), 1 / pi
    for _ in range(27):
        slopes, b = slopes * kappa0(b), kappa1(b)
    expected = -sqrt(2) * slopes / (2 * pi) - 435 * sqrt(2) / pi
    assert law.even.lead is not None
    assert abs(ball(law.even.lead.coefficient - expected, prec=200)) < 1e-50


def test_what_is_too_long_for_a_cell_or_for_evidence_bears_a_name_and_no_digits() -> None:
    decimals = re.compile(r"\d\.\d{3}")
    product = kernels.ntk(7) * kernels.ntk(5)
    made = table([kernels.ntk(3), product], d=3, columns=["at_-1", "c_-1", "even"])
    for text in (str(made), made.to_latex(), made.to_html()):
        assert not decimals.search(text)
    assert "a_1 is the coefficient of t^(1/2) at -1 of kernel 2 (in full in the csv)" in str(made)
    for condition in check(kernels.ntk(10)):
        assert not decimals.search(condition.evidence)
