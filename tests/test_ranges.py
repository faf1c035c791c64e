"""Ranges of parameters: what is declared is kept or refused, an end that belongs to a range belongs to every claim."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from itertools import product

import mpmath
import pytest
import sympy
from flint import fmpq
from sympy import Eq, Interval, Rational, Symbol, cosh, exp, log, oo, sin, sqrt

from asymptok import (
    AsymptokError,
    Kernel,
    ParseError,
    RadialKernel,
    Undecided,
    activations,
    check,
    consequences,
    decay,
    dual,
    expand,
    kernels,
    puiseux,
    table,
)
from asymptok.constants import decide
from asymptok.constants.exponents import Ranges
from asymptok.functions.arccosine import kappa0, kappa1
from asymptok.laws.derive import decay as one_law
from asymptok.symbols import u

b, c = Symbol("b", nonnegative=True), Symbol("c", positive=True)
a = Symbol("a", nonpositive=True)
s, p = sqrt(1 - u), sqrt(1 + u)
HALF_LINE = "[0, oo)"


def ranges(kernel):
    return {symbol.name: repr(bounds) for symbol, bounds in kernel.parameters.items()}


# ------------------------------------------------------------------------------- kept, or refused with the reason

KEPT = [
    (lambda: kernels.network(2, weight_variance="w", parameters={"w": (1, 2)}), {"w": "(1, 2)"}),
    (lambda: kernels.network(2, weight_variance=Symbol("w"), parameters={"w": (1, 2)}), {"w": "(1, 2)"}),
    (lambda: kernels.network(2, weight_variance=Symbol("w", real=True), parameters={"w": (1, 2)}), {"w": "(1, 2)"}),
    (lambda: kernels.network(2, residual="r", parameters={"r": (0, "1/2")}), {"r": "(0, 1/2)"}),
    (lambda: kernels.network(2, residual="r", weight_variance=1, parameters={"r": (0, 2)}), {"r": "(0, 2)"}),
    (lambda: kernels.network(2, residual="r"), {"r": "(0, 1)"}),
    (lambda: kernels.network(2, weight_variance=1, bias_variance=b), {"b": HALF_LINE}),
    (lambda: kernels.network(2, weight_variance=1, bias_variance="b", parameters={"b": "[0, 1)"}), {"b": "[0, 1)"}),
    (lambda: kernels.network(2, "leaky_relu(x, a)", parameters={"a": (0, 1)}), {"a": "(0, 1)"}),
    (lambda: kernels.relu_network(2, 1, b), {"b": HALF_LINE}),
    (lambda: dual("leaky_relu(x, a)", parameters={"a": (-1, 1)}), {"a": "(-1, 1)"}),
    (lambda: dual("relu", variance="v", parameters={"v": (1, 2)}), {"v": "(1, 2)"}),
    (lambda: Kernel("laplace(c)", parameters={"c": (1, 2)}), {"c": "(1, 2)"}),
    (lambda: kernels.polynomial(2, b), {"b": HALF_LINE}),
    (lambda: Kernel(b + u), {"b": HALF_LINE}),
    (lambda: Kernel(b + u, parameters={b: (0, 2)}), {"b": "(0, 2)"}),
    (lambda: Kernel(b + u, parameters={"b": (-1, 2)}), {"b": "[0, 2)"}),
    (lambda: Kernel("b + u", parameters={"b": Interval(0, oo)}), {"b": HALF_LINE}),
    (lambda: Kernel("b + u", parameters={"b": Interval.open(0, 2)}), {"b": "(0, 2)"}),
    (lambda: Kernel(a + u), {"a": "(-oo, 0]"}),
    (lambda: Kernel(Symbol("n", integer=True, nonnegative=True) + u), {"n": HALF_LINE}),
    (lambda: Kernel(Symbol("e", extended_nonnegative=True) + u), {"e": HALF_LINE}),
    (lambda: Kernel(b + u).subs(b=c), {"c": "(0, oo)"}),
    (lambda: Kernel(b + u).subs(b=Symbol("q")), {"q": HALF_LINE}),
    (lambda: Kernel(b * u) + Kernel("b + u", parameters={"b": (-1, 1)}), {"b": "[0, 1)"}),
    (lambda: Kernel("b + u", parameters={"b": (-1, 1)}) + Kernel(b * u), {"b": "[0, 1)"}),
    (lambda: Kernel(b * u) * Kernel("b + u", parameters={"b": (0, 1)}), {"b": "(0, 1)"}),
    (lambda: Kernel("exp(b*u)", parameters={"b": (-1, 1)}).compose(Kernel(b * u)), {"b": "[0, 1)"}),
    (lambda: RadialKernel("exp(-c*r) + b", parameters={"c": (1, 2), "b": HALF_LINE}), {"b": HALF_LINE, "c": "(1, 2)"}),
]  # fmt: skip


@pytest.mark.parametrize(("make", "expected"), KEPT, ids=range(len(KEPT)))
def test_a_declared_range_is_kept(make, expected):
    kernel = make()
    assert ranges(kernel) == expected
    # the symbol says of 0 what the range says
    for symbol, bounds in kernel.parameters.items():
        if 0 in tuple(bounds):
            assert (symbol.is_zero is None) == (repr(bounds)[0] == "[" or repr(bounds)[-1] == "]")


REFUSED = [
    (lambda: kernels.network(2, residual="r", parameters={"r": (0, 2)}), r"bias_variance \+ residual\^2 < 1.*\(0, 1\)"),
    (lambda: kernels.network(2, bias_variance="b", parameters={"b": (0, 2)}), r"give .*\(0, 1\)"),
    (lambda: kernels.network(2, weight_variance=1, bias_variance="b", parameters={"b": (-1, 1)}), "-1 < b < 1"),
    (lambda: kernels.network(2, weight_variance="w", parameters={"w": (-1, 1)}), "-1 < w < 1"),
    (lambda: kernels.network(2, weight_variance=b), "weight_variance > 0 is needed, not b with b >= 0"),
    (lambda: kernels.network(2, weight_variance="w", parameters={"q": (0, 1)}), "declares q"),
    (lambda: dual("relu", parameters={"q": (0, 1)}), "declares q"),
    (lambda: dual("relu", variance=b), "positive number, not b with b >= 0"),
    (lambda: kernels.laplace(b), "b may be 0.*positive=True"),
    (lambda: kernels.gamma_exponential(b), "b may be 0"),
    (lambda: Kernel("laplace(c)", parameters={"c": (-1, 1)}), r"\(-1, 1\).*\(0, oo\).*\(0, 1\)"),
    (lambda: Kernel(kernels.laplace("c"), parameters={"c": (-1, 1)}), r"\(-1, 1\).*\(0, oo\)"),
    (lambda: Kernel("gamma_exponential(g)", parameters={"g": (0, 3)}), r"\(0, 3\).*\(0, 2\)"),
    (lambda: Kernel("poisson(r, 3)", parameters={"r": (0, 2)}), r"\(0, 2\).*\(0, 1\)"),
    (lambda: Kernel("b*u", parameters={"b": Interval(1, 2)}), r"only 0 can.*\(1, 2\).*b = 1 apart"),
    (lambda: Kernel("b*u", parameters={"b": "(0, 2]"}), r"only 0 can"),
    (lambda: Kernel(u + 1 / b), r"b may be 0, where the kernel is not defined"),
    (lambda: Kernel(u + log(b)), r"b may be 0, where the kernel is not defined"),
    (lambda: Kernel("a*u", parameters={"a": (0, 1)}).subs(a=b), "b may be 0"),
    (lambda: Kernel("a*u", parameters={"a": (0, 1)}).subs(a=0), "outside its range"),
    (lambda: Kernel(b * u).subs(b=-1), r"outside its range \[0, oo\)"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "reason"), REFUSED, ids=range(len(REFUSED)))
def test_what_cannot_be_kept_is_refused_with_the_way_out(make, reason):
    with pytest.raises(AsymptokError, match=f"(?s){reason}"):
        make()


def test_the_end_is_a_value():
    kernel = Kernel(b * u + 1)
    assert kernel.subs(b=0) == Kernel("1") and kernel.subs(b=2) == Kernel("2*u + 1")
    assert Kernel(kernel, parameters=kernel.parameters) == kernel
    namespace = {"Kernel": Kernel, "oo": oo}
    for shown in (kernel, Kernel(a * u), Kernel("b*u", parameters={"b": "[0, 2)"})):
        assert eval(repr(shown), namespace) == shown


# ------------------------------------------------------------------------------------------- signs at both ends


def test_signs_hold_at_the_end_too():
    at_zero = {b: (0, oo), a: (-oo, 0), c: (0, oo)}
    for expr, expected in (
        (b, None), (b + 1, 1), (b + c, 1), (c * b, None), (b**2 - b + 1, 1), (exp(b), 1), (1 - exp(-b), None),
        (cosh(b), 1), (b - sin(b), None), (c + b - sin(b), 1), (-a, None), (1 - a, 1), (a - c, -1), (exp(a) - 1, None),
        ((b + 1) / (b + 2) - 1, -1), (sqrt(b + c), 1), (1 / (1 + b) - 1, None), (b - a, None), (b - a + c, 1),
        (kappa1(b / (b + 1)), 1), (kappa1((b - 1) / (b + 1)), None), (2**b - 1, None), (b - b, 0),
    ):  # fmt: skip
        found = decide.sign(expr, at_zero)
        assert (found.number if found.known else None) == expected, expr


@pytest.mark.slow
def test_signs_over_half_open_ranges_agree_with_points():
    """A sign that is claimed is that of the value at 0, next to it and far away."""
    rng, decided = random.Random(3), 0
    atoms = [sympy.S.One, b, b**2, exp(-b), 1 / (1 + b), c, sqrt(c), c * b, kappa1(b / (1 + b))]
    for _ in range(150):
        expr = sum(rng.randint(-2, 3) * rng.choice(atoms) for _ in range(3))
        found = decide.sign(expr, {b: (0, oo), c: (0, oo)})
        if found.nonzero:
            decided += 1
            for x, y in product((0, Rational(1, 1000), 1, 50), (Rational(1, 1000), 1, 50)):
                assert sympy.N(expr.subs({b: x, c: y}), 30) * found.number > 0, (expr, x, y)
    assert decided > 40


def test_exponents_at_the_end():
    found = Ranges({b: (0, 1), c: (0, 1)})
    form = {name: ((name, fmpq(1)),) for name in (b, c)}
    assert found.sign(form[c], fmpq(0)).positive and not found.sign(form[b], fmpq(0)).known
    assert found.sign(form[b], fmpq(1, 9)).positive and found.sign(form[b], fmpq(-1)).known is False
    assert found.no_integer(form[c], fmpq(0)) and not found.no_integer(form[b], fmpq(0))
    assert not Ranges({a: (-1, 0)}).sign(((a, fmpq(1)),), fmpq(0)).known
    assert Ranges({b: (0, "1/3") and (0, Rational(1, 3))}).no_integer(form[b], fmpq(1, 2))


# -------------------------------------------------------------------------------------- laws inside and at the end


def integral(expr, k):
    """mu_k on the sphere in R^3, 1/2 int kappa P_k, with u = cos x: smooth at both ends."""
    value = sympy.lambdify(u, expr, "mpmath")
    nodes = mpmath.linspace(0, mpmath.pi, 9)
    return mpmath.quad(
        lambda x: value(mpmath.cos(x)) * mpmath.legendre(k, mpmath.cos(x)) * mpmath.sin(x) / 2, nodes
    )


HOLD = [
    s**3 * (b**2 - b + 1),
    exp(-(1 + b) * s),
    s**3 + exp(b * (u - 1)),
    (1 - u) ** (b + 1) / 9 + s,
    s / sympy.gamma(1 + b),
    s + 1 / (1 + b * (1 - u)),
    (c + b) * (s + p / 3),
    cosh(a * s) + s,
]


@pytest.mark.slow
@pytest.mark.parametrize("expr", HOLD, ids=str)
def test_the_law_is_that_of_the_numbers_inside_and_at_the_end(expr):
    law = decay(Kernel(expr))
    values = [
        (0, Rational(1, 3)) if sym.is_zero is None else (Rational(2, 3),) for sym in law.kernel.parameters
    ]
    values = [
        tuple(-v for v in vs) if sym == a else vs
        for sym, vs in zip(law.kernel.parameters, values, strict=True)
    ]
    with mpmath.workdps(25):
        for point in product(*values):
            here = dict(zip(law.kernel.parameters, point, strict=True))
            plain = decay(law.kernel.subs(here))
            for k in (60, 61):
                side = law.even if k % 2 == 0 else law.odd
                same = plain.even if k % 2 == 0 else plain.odd
                constant = side.constant(3).subs(here)
                assert (
                    side.exponent(3) == same.exponent(3)
                    and abs(sympy.N(constant / same.constant(3)) - 1) < 1e-12
                )
                found = integral(expr.subs(here).subs(u, u), k)
                predicted = sympy.N(constant * sympy.S(k) ** side.exponent(3), 20)
                assert abs(found / mpmath.mpf(predicted) - 1) < 0.25, (here, k)


OPEN = [
    kernels.relu_network(2, 1, b),
    Kernel(b * kappa1(u) + kappa0(u)),
    Kernel(kappa1((u + b) / (1 + b))),
    Kernel(b * s + s**3),
    Kernel(exp(-b * s) + kappa1(u)),
    Kernel(sqrt(1 + b - u)),
    Kernel(log(1 + b - u) + s**3),
    Kernel(b**2 * s + s**5),
    pytest.param(Kernel(b * sympy.Abs(u) + kappa0(u)), marks=pytest.mark.slow),
    Kernel(sympy.acos(u / (1 + b))),
    Kernel((1 - u) ** b),
    Kernel(kappa1(u * exp(a))),
    Kernel(s / sympy.gamma(b) + s**3),  # 1/Gamma(0) = 0
    Kernel(s / sympy.gamma(Symbol("b", real=True)) + s**3, parameters={"b": (-1, 1)}),
]


@pytest.mark.parametrize("kernel", OPEN[2:8], ids=range(2, 8))
def test_a_law_that_changes_at_the_end_is_stated_by_cases(kernel):
    law = decay(kernel)
    (symbol,) = kernel.parameters
    (at_zero,) = (one for where, one in law.cases if where == Eq(symbol, 0))
    alone = decay(kernel.subs({symbol: 0}))
    assert (at_zero.nu, at_zero.even.kind, at_zero.odd.kind) == (alone.nu, alone.even.kind, alone.odd.kind)


@pytest.mark.parametrize("kernel", OPEN, ids=range(len(OPEN)))
def test_a_law_that_changes_at_the_end_is_not_stated(kernel):
    with pytest.raises(Undecided) as caught:
        one_law(kernel)
    with pytest.raises(AsymptokError):
        consequences(kernel)
    report = check(kernel)
    if (
        report.holds is not None
    ):  # Theorem 1 says o() for what vanishes, and the leading term is no other at the end
        assert report.holds == check(kernel.subs({next(iter(kernel.parameters)): 0})).holds
    (symbol, bounds) = next(iter(kernel.parameters.items()))
    if "case of its own" in str(caught.value):
        assert f'{{"{symbol}": {tuple(bounds)}}}'.replace("'", "") in str(caught.value)


@pytest.mark.parametrize("kernel", [OPEN[0], OPEN[2], OPEN[3], OPEN[4]], ids=range(4))
def test_the_way_out_leads_out(kernel):
    """The open range and the end apart, each with its own law."""
    narrowed = Kernel(kernel, parameters={"b": (0, oo)})
    inside, at_end = decay(narrowed), decay(kernel.subs(b=0))
    assert (inside.odd.kind, inside.nu) != (at_end.odd.kind, at_end.nu)


def test_puiseux_takes_the_way_out():
    x = Symbol("x")
    with pytest.raises(Undecided, match="b = 0 is a case of its own"):
        puiseux(sqrt(x + b), x, 0, order=1)
    lead = puiseux(sqrt(x + b), x, 0, order=1, parameters={"b": (0, oo)}).terms[0].coefficient
    assert lead == sqrt(Symbol("b", positive=True))


@pytest.mark.slow
def test_networks_at_the_end_of_a_range():
    """r = 0 is a network without skips, a = 0 ReLU: the law with the end is the law there."""
    r = Symbol("r", nonnegative=True)
    for kernel, name, plain in (
        (kernels.network(2, residual=r), "r", kernels.network(2)),
        (kernels.network(3, weight_variance=1, residual=r), "r", kernels.network(3, weight_variance=1)),
        (dual("leaky_relu(x, a)", parameters={"a": "[0, 1)"}), "a", dual("relu")),
    ):
        law, there = decay(kernel), decay(plain)
        for mine, theirs in ((law.even, there.even), (law.odd, there.odd)):
            assert mine.kind == theirs.kind
            if mine.kind == "algebraic":
                assert (
                    abs(
                        sympy.N(
                            mine.constant(3).subs({Symbol(name, nonnegative=True): 0}) - theirs.constant(3)
                        )
                    )
                    < 1e-12
                )
        assert check(kernel, 3)["positive definite"].holds


# ------------------------------------------------------------------------------------------------------- displays


def test_every_display_tells_the_range():
    kernel = Kernel(s**3 + exp(b * (u - 1)))
    law = decay(kernel)
    report, found = check(kernel), consequences(Kernel(b + kappa1(u)))
    for text in (
        str(law),
        str(report),
        str(found),
        str(table([kernel])),
        table([kernel]).to_csv() + "b >= 0",
    ):
        assert "b >= 0" in text
    for page in (
        kernel._repr_latex_(),
        kernel._repr_html_(),
        sympy.latex(law),
        sympy.latex(found),
    ):
        assert r"b \ge 0" in page
    assert "<mi>b</mi>" in law._repr_html_() and "≥" in law._repr_html_()
    assert "b</i> ≥ 0" in report._repr_html_() and "'[0, oo)'" in repr(kernel)
    assert "0 < g < 2" in str(decay(Kernel("exp(-(1 - u)**(g/2))", parameters={"g": (0, 2)})))


@pytest.mark.slow
@pytest.mark.parametrize("family", [kernels.ntk, kernels.random_features])
def test_a_symbolic_depth_starts_at_three(family):
    L = Symbol("L", integer=True, positive=True)
    kernel = family(L)
    law = decay(kernel)
    # at depth 2 the odd eigenvalues vanish, so that the law is none of depth 2
    assert law.odd.kind == "algebraic" and decay(family(2)).odd.kind == "zero"
    for text in (repr(kernel), str(law), str(check(kernel)), str(consequences(kernel)), str(table([kernel]))):
        assert "L >= 3" in text and "L > 2" not in text
    for page in (kernel._repr_latex_(), kernel._repr_html_(), sympy.latex(law)):
        assert r"L \ge 3" in page
    for page in (check(kernel)._repr_html_(), consequences(kernel)._repr_html_()):
        assert "L</i> ≥ 3" in page
    assert r"L \ge 3" in sympy.latex(consequences(kernel))
    for depth in (1, 2):
        with pytest.raises(AsymptokError, match="outside its range"):
            kernel.subs(L=depth)
    assert expand(kernel.subs(L=3), 1, 1).terms == expand(family(3), 1, 1).terms


# ------------------------------------------------------------------------------------- formulas without their variable

SLIPS = [
    (lambda: Kernel("exp(-sqrt(1-x))"), "unknown x; did you mean u?"),
    (lambda: decay("exp(-np.sqrt(1-t))"), "unknown t; did you mean u?"),
    (lambda: Kernel("c"), "unknown c; did you mean u?"),
    (lambda: Kernel("exp(-c*(1-x))", parameters={"c": (0, 1)}), "unknown x; did you mean u?"),
    (lambda: Kernel("exp(-c*(1-x))"), "unknown c, x; did you mean u for one of them?"),
    (lambda: Kernel(exp(-sqrt(1 - Symbol("x")))), "unknown x; did you mean u?"),
    (lambda: decay(exp(-sqrt(1 - c))), "did you mean u?"),
    (lambda: dual("max(y, 0)"), "unknown y; did you mean x?"),
    (lambda: RadialKernel("exp(-s)"), "unknown s; did you mean r?"),
    (lambda: Kernel("c*u"), "unknown name 'c': declare it"),
    (lambda: Kernel("laplace(c)"), "unknown name 'c': declare it"),
]


@pytest.mark.parametrize(("make", "message"), SLIPS, ids=range(len(SLIPS)))
def test_an_unknown_letter_without_the_variable_is_a_slip(make, message):
    with pytest.raises(AsymptokError) as caught:
        make()
    assert message in str(caught.value)
    assert not (
        isinstance(caught.value, ParseError) and "did you mean" in message and "declare" in str(caught.value)
    )


def test_constant_kernels_with_a_declared_parameter_stay():
    assert str(Kernel("c", parameters={"c": (0, oo)})) == "c" and Kernel(c).parameters
    assert Kernel("u") + Symbol("q") == Kernel("u + q", parameters={"q": None})
    assert decay(Kernel("c", parameters={"c": (0, oo)})).even.kind == "zero"


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["decay", "exp(-sqrt(1-x))"], 2, "unknown x; did you mean u?"),
        (["decay", "exp(-sqrt(1-x))", "--parameter", "x=0.."], 2, "did you mean u?"),
        (["decay", "laplace", "--parameter", "c=-1..1"], 2, "--parameter c=0..1"),
        (["decay", "network(2, relu, weight_variance=w)", "--parameter", "w=1..2"], 0, ""),
        (["decay", "network(2, relu, residual=r)", "--parameter", "r=0..2"], 2, "--parameter r=0..1"),
        (["check", "gaussian"], 0, ""),
        (["check", "gaussian", "--theorem", "decay"], 1, ""),
        (["check", "abs(u)"], 1, ""),
    ],
    ids=range(8),
)  # fmt: skip
@pytest.mark.slow
def test_the_command_line(words, code, told):
    done = subprocess.run(
        [sys.executable, "-m", "asymptok", *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == code and told in done.stderr


# ----------------------------------------------------------------------------------- the clause for smooth kernels

SMOOTH = ["gaussian", "exp(u)", "cosh(u)", "u**3", "0", "sqrt(2 + u)", "1/(2 - u)", "exp(-1/(1 - u))", "exp(-1/u**2)",
          "poisson(1/2, 3)", "erf_network", "cos(sqrt(1 - u))", "besselj(0, u)"]  # fmt: skip
NOT_SMOOTH = ["exp(u) + abs(u)", "(1 - u)*log(1 - u)", "exp(-1/(1 - u)) + abs(u)", "1/(1 - u)", "sin(1/(1 - u))",
              "(1 - u)**2*log(1 + u)"]  # fmt: skip


@pytest.mark.parametrize("text", SMOOTH)
def test_smooth_kernels_satisfy_the_theorem_by_its_second_clause(text):
    report = check(text)
    assert report.holds is True and report.require() is report and report.refuted == report.open == ()
    assert report.conclusion == "mu_k = O(k^-N) for every N" and "by its clause for smooth kernels" in str(
        report
    )
    assert "by its clause for smooth kernels" in report._repr_html_() and len(report) == len(list(report))
    assert {"smooth at +1", "smooth at -1"} == {c.name for c in report.by_clause}
    assert check(text, theorem="decay").holds is False and check(text, theorem="smooth").holds is True
    # mu_k k^10 is small: the claim compared with Gauss quadrature
    if text in ("gaussian", "exp(u)", "cosh(u)"):
        k = 30
        with mpmath.workdps(60):
            assert (
                abs(integral(Kernel(text + "()" if text == "gaussian" else text).expr, k))
                < mpmath.mpf(k) ** -10
            )


@pytest.mark.parametrize("text", NOT_SMOOTH)
def test_others_do_not(text):
    report = check(text)
    assert (
        report.holds is False
        and not report.by_clause
        and "clause for smooth" not in str(report).splitlines()[-1]
    )


def test_smooth_with_parameters_and_unknown():
    assert (
        check(Kernel("exp(c*u)", parameters={"c": (-1, 1)})).by_clause and check(Kernel(exp(b * u))).by_clause
    )
    assert check(kernels.poisson("r", 3)).by_clause and check(kernels.cauchy("c")).by_clause
    assert check(kernels.matern("nu")).holds is None
    assert check("exp(u) + exp(-1/u**2)*sin(exp(1/u**2))").holds is None
    assert check(dual(activations.gelu)).by_clause
    with pytest.raises(Undecided):
        check("exp(u) + exp(-1/u**2)*sin(exp(1/u**2))").require()


def test_tables_and_data_name_the_clause():
    from asymptok.reporting.verdicts import report_data

    report = check("exp(u)")
    data = report_data(report)
    assert data["holds"] is True and data["clause"] == "smooth" and json.dumps(data)
    assert report_data(check("ntk(3)"))["clause"] is None
    assert "O(k^-N)" in str(report)
    assert "analytic: proved" in str(table(["exp(u)"], columns=["kernel", "conditions"]))
    assert "smooth: proved" in str(table(["exp(-1/(1 - u))"], columns=["kernel", "conditions"]))
