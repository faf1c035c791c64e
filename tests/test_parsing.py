"""Texts are read exactly, or refused with a place and a reason; nothing else ever happens."""

from __future__ import annotations

import builtins
import os
import string
import subprocess
from typing import Any

import pytest
import sympy
from hostile_strings import HOSTILE
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Abs, Integer, Max, Min, Piecewise, Rational, Symbol, pi, sqrt
from thorough import THOROUGH

from asymptok import Kernel, activations, dual
from asymptok.errors import ParseError
from asymptok.functions.arccosine import ArcCosine
from asymptok.parsing import known_constants, known_functions, parse
from asymptok.parsing.vocabulary import functions
from asymptok.symbols import u

c = Symbol("c", positive=True)
gamma = Symbol("gamma", positive=True)
DECLARED = {"u": u, "c": c, "gamma": gamma}

# text, expression
READ: list[tuple[str, Any]] = [
    ("u", u),
    ("  u\t", u),
    ("3", 3),
    ("0.1", Rational(1, 10)),
    (".5", Rational(1, 2)),
    ("5.", 5),
    ("1e-3", Rational(1, 1000)),
    ("2.5E+2", 250),
    ("0.1 + 0.2", Rational(3, 10)),
    ("12345678901234567890.000000000000000000001", 12345678901234567890 + Rational(1, 10**21)),
    ("-u", -u),
    ("+u", u),
    ("--u", u),
    ("-u**2", -(u**2)),
    ("2**-u", 2**-u),
    ("2**3**2", 512),
    ("u - 1 - 2", u - 3),
    ("6/2/3", 1),
    ("u/2*3", 3 * u / 2),
    ("1 - u*(2 + u)", 1 - u * (2 + u)),
    ("Rational(1, 3)", Rational(1, 3)),
    ("Rational(-2, 6)", Rational(-1, 3)),
    ("Rational(0.5)", Rational(1, 2)),
    ("pi + E + EulerGamma + Catalan", pi + sympy.E + sympy.EulerGamma + sympy.Catalan),
    ("e**u", sympy.exp(u)),
    ("np.e + math.pi", sympy.E + pi),
    ("exp(-c*(1-u)**(gamma/2))", sympy.exp(-c * (1 - u) ** (gamma / 2))),
    ("gamma*u", gamma * u),
    ("sqrt(1 - u)", sqrt(1 - u)),
    ("np.sqrt(1 - u)", sqrt(1 - u)),
    ("numpy.arccos(u)", sympy.acos(u)),
    ("sp.acos(u)", sympy.acos(u)),
    ("sympy.acos(u)", sympy.acos(u)),
    ("math.acos(u)", sympy.acos(u)),
    ("2**0.5", sqrt(2)),
    ("log(u + 2)", sympy.log(u + 2)),
    ("ln(2)", sympy.log(2)),
    ("log(8, 2)", 3),
    ("log2(u + 2)", sympy.log(u + 2) / sympy.log(2)),
    ("log10(100)", 2),
    ("log1p(u)", sympy.log(1 + u)),
    ("expm1(-u)", sympy.exp(-u) - 1),
    ("cbrt(8)", 2),
    ("cbrt(-8)", -2),
    ("cbrt(u)", sympy.sign(u) * Abs(u) ** Rational(1, 3)),
    ("cbrt(1 + u**2)", (1 + u**2) ** Rational(1, 3)),
    ("root(u + 1, 4)", (u + 1) ** Rational(1, 4)),
    ("square(u) + power(u, 3)", u**2 + u**3),
    ("sin(u)+cos(u)+tan(u)", sympy.sin(u) + sympy.cos(u) + sympy.tan(u)),
    ("sec(u)+csc(u)+cot(u)", sympy.sec(u) + sympy.csc(u) + sympy.cot(u)),
    ("asin(u) - arcsin(u)", 0),
    ("acos(u) - arccos(u)", 0),
    ("arctan(u)", sympy.atan(u)),
    ("sinh(u)*cosh(u)*tanh(u)", sympy.sinh(u) * sympy.cosh(u) * sympy.tanh(u)),
    ("arcsinh(u)", sympy.asinh(u)),
    ("arccosh(u + 3)", sympy.acosh(u + 3)),
    ("arctanh(u/2)", sympy.atanh(u / 2)),
    ("erf(u) + erfc(u/2)", sympy.erf(u) + sympy.erfc(u / 2)),
    ("besselk(1/2, sqrt(2 - u))", sympy.besselk(Rational(1, 2), sqrt(2 - u))),
    ("kv(1, u) + iv(1, u) + jv(1, u) + yv(1, u)", sum(f(1, u) for f in (
        sympy.besselk, sympy.besseli, sympy.besselj, sympy.bessely))),
    ("polylog(2, u)", sympy.polylog(2, u)),
    ("polylog(2, 1)", pi**2 / 6),
    ("hyper([1/2, 1/2], [1], u)", sympy.hyper([Rational(1, 2)] * 2, [1], u)),
    ("hyper((1, c), [2], u)", sympy.hyper([1, c], [2], u)),
    ("hyper([], [], u)", sympy.hyper([], [], u)),
    ("LambertW(u + 1)", sympy.LambertW(u + 1)),
    ("elliptic_k(u/2) + ellipk(u/2)", 2 * sympy.elliptic_k(u / 2)),
    ("ellipe(u)", sympy.elliptic_e(u)),
    ("Abs(u) + abs(u) + np.absolute(u)", 3 * Abs(u)),
    ("abs(pi - 4)", 4 - pi),
    ("sign(u) + sign(-pi)", sympy.sign(u) - 1),
    ("Max(u, 0) + maximum(0, u)", 2 * Max(u, 0)),
    ("Min(u, pi, 3)", Min(u, 3)),
    ("Max(pi, 3, 22/7)", Rational(22, 7)),
    ("Piecewise((u, u > 0), (0, True))", Piecewise((u, u > 0), (0, True))),
    ("Piecewise((1, u < 0), (2, u >= 0))", Piecewise((1, u < 0), (2, u >= 0))),
    ("Piecewise((u, 2 < 1), (5, True))", 5),
    ("where(u <= 0, -u, u**2)", Piecewise((-u, u <= 0), (u**2, True))),
    ("where(0 < u < 1, 1, 0)", Piecewise((1, (u > 0) & (u < 1)), (0, True))),
    ("where(pi > 3, u, 0)", u),
    ("kappa0(u) + kappa1(u)*u", ArcCosine(0, u) + ArcCosine(1, u) * u),
    ("kappa(3, kappa1(u))", ArcCosine(3, ArcCosine(1, u))),
    ("kappa1(0)", 1 / pi),
    ("u - u + pi", pi),
    ("0*u + exp(1)", sympy.E),
    ("gamma", gamma),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), READ)
def test_texts_are_read_exactly(text: str, expected: Any) -> None:
    assert parse(text, DECLARED) == sympy.sympify(expected)


def test_the_gamma_function_is_there_unless_a_parameter_has_its_name() -> None:
    assert parse("gamma(u + 3)") == sympy.gamma(u + 3)
    with pytest.raises(ParseError, match=r"gamma is a variable here.*gamma\*"):
        parse("gamma(u + 3)", DECLARED)


def test_names_alone_declare_real_symbols() -> None:
    assert parse("a*u", ["a"]) == Symbol("a", real=True) * u


def test_a_declared_name_wins_over_a_constant() -> None:
    e = Symbol("e", positive=True)
    assert parse("e*u", {"e": e}) == e * u


def test_every_function_is_known_under_all_its_names() -> None:
    assert {name for names in known_functions() for name in names} == set(functions())
    assert "pi" in known_constants()


def test_long_sums_and_deep_compositions_within_the_limits() -> None:
    assert parse("+".join(["u"] * 900)) == 900 * u
    assert parse("*".join(["u"] * 900)) == u**900
    deep = parse("kappa1(" * 90 + "u" + ")" * 90)
    assert str(deep).count("kappa1") == 90
    for function in ("sin", "exp", "sqrt(1+", "1/(2+", "2**", "log(3+", "atan", "-", "erf"):
        opening = function if "(" in function else function + "("
        levels = 30 if function == "2**" else 45
        assert parse(opening * levels + "u" + ")" * levels).free_symbols == {u}


@pytest.mark.parametrize(
    ("text", "position", "reason"),
    [
        ("u^2", 1, r"write \*\*"),
        ("2*u + 3u", 7, r"write 3\*u"),
        ("exp(-c*u)", 5, r'parameters=\{"c": \(0, oo\)\}'),
        ("1 + sine(u)", 4, "did you mean sin"),
        ("1 + foo(u)", 4, "lists the functions"),
        ("u + (1 - u", 4, "never closed"),
        ("u + 1)", 5, "without its opening"),
        ("u + ", 4, r"expected a number, a name or '\('"),
        ("sin(u, 2)", 0, "takes 1 argument, 2 given"),
        ("log(u, 2, 3)", 0, "takes 1 to 2 arguments"),
        ("1 + sin", 4, r"write sin\(\.\.\.\)"),
        ("u + 1/0", 6, "division by zero"),
        ("u + sqrt(-2)", 4, "complex"),
        ("u*9**9**9", 2, "too large"),
        ("u + \u03b3", 4, r"U\+03B3"),
        ("u + 1j", 5, "imaginary"),
        ("u + I", 4, "imaginary"),
        ("  u + v", 6, "unknown name"),
        ("lambda*u", 0, "word of Python"),
        ("(u < 1)", 1, "only allowed as a condition"),
    ],
)
def test_errors_say_where_and_what_to_do(text: str, position: int, reason: str) -> None:
    with pytest.raises(ParseError, match=reason) as caught:
        parse(text)
    assert caught.value.position == position
    assert caught.value.text == text
    # the caret stands under the place
    _, shown, caret = str(caught.value).split("\n")
    assert len(caret) - 1 == position + 2 and len(shown) == len(text) + 2


def test_what_is_not_a_text_or_a_name_is_refused() -> None:
    with pytest.raises(ParseError, match="expected a text"):
        parse(3)  # type: ignore[arg-type]
    for name in ("\u03b3", "lambda", "a b", "", "1a"):
        with pytest.raises(ParseError, match="cannot be written"):
            parse("u", [name])


# --------------------------------------------------------------------------------- hostile texts


@pytest.fixture
def canary(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Notes every use of what a text might try to reach."""
    seen: list[str] = []

    def trap(name: str) -> Any:
        return lambda *args, **kwargs: seen.append(name)

    for name in ("eval", "exec", "open", "input", "breakpoint"):
        monkeypatch.setattr(builtins, name, trap(name))
    monkeypatch.setattr(os, "system", trap("os.system"))
    monkeypatch.setattr(subprocess, "run", trap("subprocess.run"))
    sympify = sympy.sympify

    def watched(a: Any, *args: Any, **kwargs: Any) -> Any:
        # the library may convert expressions, never text
        if isinstance(a, str):
            seen.append("sympify")
        return sympify(a, *args, **kwargs)

    monkeypatch.setattr(sympy, "sympify", watched)
    monkeypatch.setattr("sympy.parsing.sympy_parser.parse_expr", trap("parse_expr"))
    return seen


def test_there_are_five_hundred_hostile_texts() -> None:
    assert len(set(HOSTILE)) == len(HOSTILE) >= 500


def test_hostile_texts_are_refused_and_run_nothing(canary: list[str]) -> None:
    parse("u")  # imports and caches are in place before the traps count
    canary.clear()
    wrong = []
    for text in HOSTILE:
        try:
            accepted = parse(text)
        except ParseError as error:
            position = error.position
            if not str(error) or error.text != text or not (position is None or 0 <= position <= len(text)):
                wrong.append((text[:80], f"bad report {error!r}"))
        else:
            wrong.append((text[:80], f"read as {str(accepted)[:80]}"))
    assert wrong == []
    assert canary == []


def answers(text: str) -> bool:
    """Whether the text is read; it must be a real finite expression in declared symbols, or a ParseError."""
    try:
        expr = parse(text, DECLARED)
    except ParseError as error:
        refusal = error
    else:
        return is_proper(expr)
    assert str(refusal)
    assert refusal.position is None or 0 <= refusal.position <= len(text)
    return False


def is_proper(expr: Any) -> bool:
    assert isinstance(expr, sympy.Expr)
    assert expr.free_symbols <= {u, c, gamma}
    assert not expr.has(sympy.I, sympy.zoo, sympy.nan, sympy.oo, -sympy.oo)
    assert str(expr)
    return True


TOKENS = [
    *functions(),
    *known_constants(),
    *[
        "u",
        "c",
        "gamma",
        "x",
        "np.",
        "math.",
        "True",
        "lambda",
        "if",
        "0",
        "1",
        "2",
        "0.5",
        "1e-3",
        "1e300",
        "10",
        "1000",
        "99999",
        "-1",
        "_",
        "'",
        "^",
        "=",
        ".",
    ],
    *[
        "+",
        "-",
        "*",
        "/",
        "**",
        "(",
        ")",
        "[",
        "]",
        ",",
        "<",
        ">=",
        "(u)",
        "(1-u)",
        "(u,1)",
        "(2)",
        "**2",
        "**(1/2)",
    ],
    " ",
]

texts = st.text(max_size=60)
ascii_texts = st.text(alphabet=string.printable, max_size=60)
token_soups = st.lists(st.sampled_from(TOKENS), max_size=25).map("".join)


@st.composite
def mutations(draw: st.DrawFn) -> str:
    """A good text with a few characters or tokens removed, doubled or put in."""
    text = draw(st.sampled_from([text for text, _ in READ]))
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(text)))
        width = draw(st.integers(0, 3))
        new = draw(st.one_of(st.sampled_from(TOKENS), st.characters(), st.just(text[place : place + 5])))
        text = text[:place] + new + text[place + width :]
    return text


def expressions() -> st.SearchStrategy[str]:
    """Well-formed texts, most of them with a value, some far too large."""
    leaves = st.sampled_from(
        ["u", "c", "gamma", "pi", "0", "1", "2", "0.3", "-1", "7/3", "1e-40", "10**9", "1e300"]
    )
    one = [name for name, entry in functions().items() if entry.kinds == ("value",) and not entry.many]
    two = [name for name, entry in functions().items() if entry.kinds == ("value", "value")]

    def extend(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        operators = st.sampled_from(["+", "-", "*", "/", "**"])
        return st.one_of(
            st.tuples(inner, operators, inner).map(lambda p: f"({p[0]}){p[1]}({p[2]})"),
            st.tuples(st.sampled_from(one), inner).map(lambda p: f"{p[0]}({p[1]})"),
            st.tuples(st.sampled_from(two), inner, inner).map(lambda p: f"{p[0]}({p[1]}, {p[2]})"),
            st.tuples(st.sampled_from(["Min", "Max"]), inner, inner).map(lambda p: f"{p[0]}({p[1]}, {p[2]})"),
            st.tuples(inner, inner, inner).map(lambda p: f"where({p[0]} < {p[1]}, {p[2]}, {p[0]})"),
        )

    return st.recursive(leaves, extend, max_leaves=8)


ANYTHING = st.one_of(texts, ascii_texts, token_soups, mutations(), expressions())


@given(ANYTHING)
@settings(max_examples=300)
def test_any_text_is_read_or_refused(text: str) -> None:
    answers(text)


@pytest.mark.slow
@given(ANYTHING)
@settings(max_examples=10_000 if THOROUGH else 1_500)
def test_any_of_many_texts_is_read_or_refused(text: str) -> None:
    answers(text)


@given(st.integers(-(10**40), 10**40), st.integers(0, 60))
def test_decimals_are_exact(digits: int, places: int) -> None:
    text = f"{digits}e-{places}"
    assert parse(text) == Rational(digits, 10**places)


@given(st.lists(st.tuples(st.sampled_from("+-*/"), st.integers(1, 99)), max_size=12), st.integers(1, 99))
def test_precedence_is_that_of_python(tail: list[tuple[str, int]], first: int) -> None:
    text = str(first) + "".join(f" {op} {n}" for op, n in tail)
    exact = str(f"Integer({first})") + "".join(f" {op} Integer({n})" for op, n in tail)
    assert parse(text) == eval(exact, {"Integer": Integer})


def test_a_polylogarithm_is_built_without_asking_whether_its_argument_is_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # SymPy's own evaluation asks z.equals(1), which simplifies z and may evaluate it with mpmath for minutes
    def asked(*_: Any, **__: Any) -> None:
        raise AssertionError("equals was called")

    monkeypatch.setattr(sympy.Expr, "equals", asked)
    expr = parse("polylog(2, besselk(9, u)/besselk(8, u) + 1/3)")
    assert expr.func is sympy.polylog and expr.has(sympy.besselk)
    assert parse("polylog(1, u/2)") == -sympy.log(1 - u / 2)


def test_a_constant_that_mpmath_cannot_evaluate_is_refused() -> None:
    for text in ("1 + erfc(1e200)", "u + erf(10**150)", "atan(2**400)"):
        with pytest.raises(ParseError):
            parse(text)
    assert parse("log(10**150)*u") == sympy.log(10**150) * u


@pytest.mark.parametrize(("text", "same"), [("laplace(c=2)", "laplace(2)"), ("u*ntk(depth=2)", "u*ntk(2)")])
def test_arguments_by_name(text: str, same: str) -> None:
    assert Kernel(text).expr == Kernel(same).expr


@pytest.mark.parametrize(
    "text",
    ["laplace(=2)", "laplace(c==2)", "laplace(c=1, c=2)", "laplace(c=2, 3)", "(c=2)", "c=2", "[c=2]", "exp(u=2)",
     "laplace((c)=2)", "laplace(c=)", "laplace(c=a=2)", "laplace(c=2=3)", "laplace(2=c)", "u=u"],
)  # fmt: skip
def test_no_other_equals_sign(text: str) -> None:
    with pytest.raises(ParseError):
        Kernel(text)


def test_zeta_of_a_number() -> None:
    assert Kernel("zeta(3)*u").expr == sympy.zeta(3) * u
    assert Kernel("zeta(2)").expr == sympy.pi**2 / 6
    assert abs(Kernel("zeta(3 - u)").evaluate("1/2") - sympy.zeta(Rational(5, 2)).evalf()) < 1e-14


def test_hermite_with_and_without_its_variable() -> None:
    assert dual("hermite(3)").expr == u**3
    assert dual("hermite(2, x)/sqrt(8)").expr == dual((4 * activations.x**2 - 2) / sympy.sqrt(8)).expr
