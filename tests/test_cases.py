"""Laws by cases: each against the law of the kernel at values of its parameters; critical values against algebra."""

from __future__ import annotations

import pickle

import mpmath
import pytest
import sympy
from sympy import (
    Eq,
    Gt,
    Lt,
    Piecewise,
    Rational,
    S,
    Symbol,
    diff,
    lambdify,
    latex,
    limit,
    log,
    oo,
    pi,
    sqrt,
    symbols,
)

from asymptok import (
    AsymptokError,
    Kernel,
    Undecided,
    critical_values,
    d,
    decay,
    eigenvalues,
    expand,
    k,
    kernels,
)
from asymptok.laws.several import DecayByCases

P = Symbol("p", positive=True)

#: a kernel, its critical values, and values on all sides of them
CASES = [
    (Kernel("(1-u)**(3/2)+(1-u)**g", parameters={"g": (1, 2)}), [Rational(3, 2)], ["5/4", "3/2", "7/4"]),
    (kernels.gamma_exponential("g") * kernels.ntk(2), [S.One], ["1/2", "1", "3/2"]),
    (Kernel("kappa1(u) + a*kappa0(u)", parameters={"a": (-oo, oo)}), [S.Zero], ["-2", "0", "1/3"]),
    (Kernel("(kappa1(u) + 1/10)**q", parameters={"q": (0, oo)}), [S.One], ["1/2", "1", "5/2"]),
    (Kernel("(u - a)*exp(-sqrt(1-u))", parameters={"a": (0, 2)}), [S.One], ["1/3", "1", "3/2"]),
    (Kernel("exp(-sqrt(1-u)) + a*sqrt(1-u)", parameters={"a": (0, 3)}), [S.One], ["1/2", "1", "2"]),
    (Kernel("exp(-b*sqrt(1-u))", parameters={"b": "[0, oo)"}), [S.Zero], ["0", "1/7", "3"]),
    (Kernel("(1-u)**g", parameters={"g": (0, 3)}), [S.One, S(2)], ["1/2", "1", "3/2", "2", "5/2"]),
    (
        Kernel("log((3-u)/2)*sqrt(1-u) + b*(1-u)**(3/2)", parameters={"b": (-3, 0)}),
        [Rational(-1, 2)],
        ["-1", "-1/2", "-1/4"],
    ),
    (
        Kernel("exp(-sqrt(1-u)) - b*ntk(3)", parameters={"b": (0, oo)}),
        [sqrt(2) * pi / 7, sqrt(2) * pi / 5],
        ["1/10", "sqrt(2)*pi/7", "3/4", "sqrt(2)*pi/5", "2"],
    ),
    (
        Kernel((kernels.ntk(3).expr / 3) ** P),
        [log(pi / 2) / log(3 * pi)],
        ["1/10", "log(pi/2)/log(3*pi)", "2"],
    ),
]
SLOW = [pytest.param(*case, marks=pytest.mark.slow) for case in CASES[9:]]


def law_at(law: DecayByCases, value: S) -> object:
    """The case in which a value of the only parameter lies."""
    (name,) = law.kernel.parameters
    chosen = [one for where, one in law.cases if where.subs(name, value) == True]  # noqa: E712
    assert len(chosen) == 1
    return chosen[0]


@pytest.mark.parametrize(("kernel", "critical", "values"), [*CASES[:9], *SLOW], ids=str)
def test_each_case_is_the_law_at_its_values(kernel: Kernel, critical: list[S], values: list[str]) -> None:
    law = decay(kernel)
    (name,) = kernel.parameters
    assert sorted(critical_values(kernel), key=lambda x: float(x)) == critical
    for text in values:
        value = Kernel(text).expr
        here, alone = law_at(law, value), decay(kernel.subs({name: value}))
        for mine, own in ((here.even, alone.even), (here.odd, alone.odd)):
            assert (mine.kind, mine.zero_from) == (own.kind, own.zero_from)
            if own.kind == "algebraic":
                assert mine.exponent(3).subs(name, value) == own.exponent(3)
                ratio = (mine.constant(3).subs(name, value) / own.constant(3)).evalf(30)
                assert abs(ratio - 1) < 1e-25


@pytest.mark.slow
@pytest.mark.parametrize(("kernel", "critical", "values"), CASES[:6], ids=str)
def test_the_law_at_a_critical_value_predicts_the_eigenvalues(kernel, critical, values) -> None:
    (name,) = kernel.parameters
    special = kernel.subs({name: critical[0]})
    law, degrees = decay(special), (40, 41)
    numbers = eigenvalues(special, 3, ks=degrees, method="mpmath", dps=15)
    for degree in degrees:
        if law.parity(degree).kind == "zero":
            assert abs(numbers[degree]) < mpmath.mpf(10) ** -15
        else:
            size = law.parity(degree).constant(3) * S(degree) ** law.parity(degree).exponent(3)
            assert abs(numbers[degree] / size.evalf(20) - 1) < 0.3


def test_nu_is_a_piecewise_of_the_parameter() -> None:
    g = next(iter(CASES[0][0].parameters))
    law = decay(CASES[0][0])
    assert law.nu == Piecewise((g, g < Rational(3, 2)), (Rational(3, 2), True))
    assert [law.nu.subs(g, x) for x in (Rational(5, 4), Rational(7, 4))] == [Rational(5, 4), Rational(3, 2)]
    assert law.even.kind == "algebraic"
    assert law.subs(g=(1, Rational(3, 2))).nu == g


@pytest.mark.slow
def test_two_parameters_whose_terms_cancel_on_lines() -> None:
    a, b = symbols("a b", positive=True)
    kernel = a * kernels.laplace() - b * kernels.ntk(3)
    law = decay(kernel)
    # c_1 = -a + 3 sqrt(2) b/pi, c_-1 = -b * (-(sqrt(2)/pi) kappa_0(0)), THEORY's table for depth 3
    assert set(critical_values(kernel)) == {
        Eq(a, 5 * sqrt(2) * b / (2 * pi)),
        Eq(a, 7 * sqrt(2) * b / (2 * pi)),
    }
    for point in ({a: 1, b: 2}, {a: 3, b: 1}, {a: 5 * sqrt(2) / (2 * pi), b: 1}, {a: 7 * sqrt(2), b: 2 * pi}):
        (here,) = (one for where, one in law.cases if where.subs(point) == True)  # noqa: E712
        alone = decay(kernel.subs({str(s): x for s, x in point.items()}))
        for mine, own in ((here.even, alone.even), (here.odd, alone.odd)):
            assert mine.exponent() == own.exponent()
            assert abs((mine.constant(3).subs(point) / own.constant(3)).evalf(30) - 1) < 1e-25


def test_what_has_no_zero_in_closed_form_stays_open() -> None:
    kernel = Kernel("(exp(b) + b - 3)*sqrt(1-u) + (1-u)**(3/2)", parameters={"b": (0, 2)})
    with pytest.raises(Undecided):
        decay(kernel)


def test_an_unbounded_range_of_integers_stays_open() -> None:
    with pytest.raises(Undecided, match="integer"):
        decay(Kernel("(1-u)**g", parameters={"g": (0, oo)}))


def test_laws_by_cases_are_shown_compared_and_kept() -> None:
    law = decay(CASES[0][0])
    assert r"\begin{cases}" in latex(law)
    assert "g < 3/2" in str(law)
    assert "<table" in law._repr_html_()
    assert law == decay(CASES[0][0])
    assert law != decay(CASES[1][0])
    assert pickle.loads(pickle.dumps(law)) == law


@pytest.mark.slow
def test_results_are_values_for_sympy() -> None:
    law = decay(kernels.laplace("c"))
    c = next(iter(law.kernel.parameters))
    series = law.even.series(k, 3, 1)
    # mu_k k^3 -> c sqrt(2)/4
    assert limit(series.subs(c, 1) * k**3, k, oo) == law.even.constant(3).subs(c, 1) == sqrt(2) / 4
    assert diff(series, c) * c == series
    assert abs(lambdify((k, c), series, "mpmath")(10, 2) / law.subs(c=2).evaluate(10, 3, terms=1) - 1) < 1e-14
    assert law.subs(c=2) == decay(kernels.laplace(2)) != law
    assert law.even.exponent().subs(d, 4) == -4
    expansion = expand(kernels.laplace("c"), order=2)
    assert expansion.subs(c=3) == expand(kernels.laplace(3), order=2)


def test_a_parity_has_its_own_series() -> None:
    law = decay(kernels.ntk(2))
    assert law.odd.series(k) == 0
    value = law.even.series(k, 3, 4).subs(k, 40).evalf(20)
    assert abs(value / law.evaluate(40, 3, terms=4) - 1) < 1e-14


def test_conditions_are_those_of_the_range() -> None:
    kernel = CASES[0][0]
    g = next(iter(kernel.parameters))
    conditions = [where for where, _ in decay(kernel).cases]
    assert conditions == [Lt(g, Rational(3, 2)), Eq(g, Rational(3, 2)), Gt(g, Rational(3, 2))]


def test_each_expand_names_the_other() -> None:
    x = Symbol("x")
    with pytest.raises(AsymptokError, match=r"asymptok\.expand"):
        sympy.expand(kernels.ntk(2))
    with pytest.raises(AsymptokError, match=r"sympy\.expand"):
        expand((x + 1) ** 2)
    assert Symbol("c", positive=True) * kernels.ntk(2) == kernels.ntk(2) * Symbol("c", positive=True)
