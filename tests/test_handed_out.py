"""Every constant that is handed out is a number: evalf, N, lambdify, comparisons, LaTeX, and a name if it is long."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mpmath
import pytest
import sympy
from kernel_table import CASES, Case
from sympy import Expr, Float, Function, I, Integer, Rational, S, Symbol, erf, lambdify, latex, pi, sqrt

from asymptok import AsymptokError, Kernel, activations, consequences, decay, expand, kernels, u
from asymptok.balls import ball
from asymptok.functions.arccosine import ArcCosine
from asymptok.functions.depth import EndCoefficient, SlopeProduct
from asymptok.functions.long_constant import LongConstant
from asymptok.functions.orthant import Orthant
from asymptok.functions.zonal import ZonalSum

#: characters that a person reads
_READABLE = 2000


def handed_out(kernel: Kernel) -> Iterator[Expr]:
    """Coefficients of both expansions, constants and exponents of both laws, what the decay means."""
    for at in (1, -1):
        try:
            found = expand(kernel, at=at, order=2)
        except AsymptokError:
            continue
        assert len(str(found)) < _READABLE
        yield from (value for term in found.terms for value in (term.coefficient, term.exponent))
    try:
        law = decay(kernel)
    except AsymptokError:
        return
    assert len(str(law)) < _READABLE
    for side in (law.even, law.odd):
        yield from (value for d in (2, 3, 5) if (value := side.constant(d)) is not None)
        yield from (value for value in (side.nu, side.rho, side.coefficient) if value is not None)
    try:
        entries = [entry.value for _, entry in consequences(kernel, 3)]
    except AsymptokError:
        return
    # an estimate is a decimal
    yield from (value for value in entries if isinstance(value, Expr) and not value.has(Float))


def is_a_number(c: Expr) -> None:
    if c.free_symbols or not c.is_finite:
        return
    value = c.evalf(20)
    assert isinstance(value, Float | Rational), c
    enclosure = ball(c, prec=256)
    gap = abs(ball(Rational(str(value)), prec=256) - enclosure)
    assert gap < abs(enclosure) * 10**-18 or gap < ball(Rational(1, 10**30))
    assert isinstance(c < 10**9, sympy.logic.boolalg.BooleanAtom)
    assert sympy.Eq(c, Rational(1, 3)) == (c == Rational(1, 3))
    assert latex(c) and latex(c**2)
    with mpmath.workdps(30):
        exact = lambdify([], c, "mpmath")()
        assert abs(exact - c.evalf(30)) <= abs(c.evalf(30)) * mpmath.mpf(10) ** -25
    # scipy has the error function, NumPy alone has not
    assert lambdify([], c, ["scipy", "numpy"])() == pytest.approx(float(value), rel=1e-11)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=str)
def test_constants_of_the_table(case: Case) -> None:
    for c in dict.fromkeys(handed_out(case.kernel)):
        is_a_number(c)


@pytest.mark.slow
@pytest.mark.parametrize("bias", [0, 1])
@pytest.mark.parametrize("tangent", [False, True])
@pytest.mark.parametrize("name", ["relu", "elu", "hard_tanh", "gelu", "erf", "softplus"])
def test_constants_of_networks(name: str, tangent: bool, bias: int) -> None:
    given: dict[str, Any] = {"weight_variance": 1, "bias_variance": 1} if bias else {}
    for c in dict.fromkeys(handed_out(kernels.network(2, activation=name, tangent=tangent, **given))):
        is_a_number(c)


def test_the_constants_of_a_deeper_network_have_names_and_values() -> None:
    """kappa(-1) is E[phi(X)^2] of the layer before, by mpmath's integrals."""
    kernel = kernels.network(3, activation="elu")
    found = expand(kernel, at=-1, order=1)
    first, second = found.terms
    assert isinstance(first.coefficient, LongConstant) and isinstance(second.coefficient, LongConstant)
    with mpmath.workdps(25):

        def phi(x: Any) -> Any:
            return x if x > 0 else mpmath.expm1(x)

        def mean(r: Any) -> Any:
            """E[phi(X) phi(Y)] = E[phi(X) E[phi(Y) | X]], the inner mean in closed form."""
            s = mpmath.sqrt(1 - r * r)

            def inner(x: Any) -> Any:
                m = r * x
                above = m * mpmath.ncdf(m / s) + s * mpmath.npdf(m / s)
                below = mpmath.exp(m + s * s / 2) * mpmath.ncdf(-(m + s * s) / s) - mpmath.ncdf(-m / s)
                return above + below

            return mpmath.quad(lambda x: phi(x) * inner(x) * mpmath.npdf(x), [-14, -5, 0, 5, 14])

        def one_sided(x: Any) -> Any:
            return phi(x) * phi(-x) * mpmath.npdf(x)

        size = mpmath.quad(lambda x: phi(x) ** 2 * mpmath.npdf(x), [-14, -5, 0, 5, 14])
        opposite = mpmath.quad(one_sided, [-14, -5, 0, 5, 14]) / size
        expected = mean(opposite) / size
        assert abs(first.coefficient.evalf(25) - expected) < mpmath.mpf(10) ** -18
    text = str(found)
    assert "kappa(-1) = -0.657049440786" in text and "(exact in .terms[1].coefficient)" in text
    assert len(text) < 400 and len(str(found.terms)) < 400
    assert first.coefficient.exact.has(Orthant)


def test_a_long_constant_is_a_number_for_sympy() -> None:
    c = LongConstant(sqrt(2) - pi)
    assert str(c) == "-1.72737909121669..." and str(2 * c) == "2*(-1.72737909121669...)"
    assert latex(c**2) == r"\left(-1.72737909121669\ldots\right)^{2}"
    assert c.exact == c.doit() == sqrt(2) - pi
    assert c.is_negative and c.is_nonzero and c.is_number and not c.free_symbols
    assert (c < -1) == S.true and (c + pi).evalf(30) == sqrt(2).evalf(30)
    assert str(LongConstant(pi / 10**20)) == "3.14159265358979...e-20"
    with mpmath.workdps(60):
        assert abs(lambdify([], c, "mpmath")() - (mpmath.sqrt(2) - mpmath.pi)) < mpmath.mpf(10) ** -55
    assert lambdify([u], c * u, "numpy")(2.0) == 2 * float(c)
    assert decay(Kernel(sqrt(1 - u) * c)).even.constant(3).evalf(15) == (
        decay(Kernel(sqrt(1 - u))).even.constant(3) * c
    ).evalf(15)


VALUES = [
    (Orthant(1, Rational(1, 3), Rational(1, 2)), None),
    (Orthant(1, sqrt(2), erf(Rational(1, 3))), None),
    (ArcCosine(0, Rational(1, 3)), lambda: (mpmath.pi - mpmath.acos(mpmath.mpf(1) / 3)) / mpmath.pi),
    (ArcCosine(0, S(2)), lambda: (mpmath.pi - mpmath.acos(2)) / mpmath.pi),
    (ArcCosine(0, I / 2), lambda: (mpmath.pi - mpmath.acos(0.5j)) / mpmath.pi),
    (ArcCosine(0, Rational(1, 10**40) - 1), lambda: mpmath.acos(1 - mpmath.mpf(10) ** -40) / mpmath.pi),
    (ZonalSum(3, 0, 0, 1, Rational(1, 3)), lambda: mpmath.legendre(2, mpmath.mpf(1) / 3)),
]


@pytest.mark.parametrize(("expr", "reference"), VALUES, ids=[str(expr) for expr, _ in VALUES])
def test_own_functions_evaluate(expr: Expr, reference: Any) -> None:
    with mpmath.workdps(60):
        h, k, r = (a.evalf(60) for a in expr.args) if isinstance(expr, Orthant) else (0, 0, 0)
        value = reference() if reference else bivariate_tail(*map(mpmath.mpf, (h, k, r)))
        value = sympy.sympify(value)
        assert abs((expr.evalf(40) - value).evalf(10)) < Rational(1, 10**38)
        compiled = sympy.sympify(lambdify([], expr, "mpmath")())
        assert abs((compiled - value).evalf(10)) < Rational(1, 10**38)
    assert complex(lambdify([], expr, "numpy")()) == pytest.approx(complex(value)) or expr.is_real is not True
    assert isinstance(expr, Function) and latex(expr**2)


def bivariate_tail(h: Any, k: Any, r: Any) -> Any:
    """P(X > h, Y > k) by conditioning on X."""
    s = mpmath.sqrt(1 - r * r)
    return mpmath.quad(lambda x: mpmath.npdf(x) * mpmath.ncdf((r * x - k) / s), [h, h + 2, h + 6, h + 20])


def test_the_constants_of_a_symbolic_depth_have_values_at_numbers() -> None:
    depth = Symbol("L", integer=True, positive=True)
    name = EndCoefficient(1, depth, Integer(3)) * SlopeProduct(depth)
    terms = {t.exponent: t.coefficient for t in expand(kernels.ntk(4), at=-1, order=2).terms}
    value = terms[Rational(3, 2)] * SlopeProduct(Integer(4))
    assert name.subs(depth, 4) == value
    assert lambdify([depth], name, "numpy")(4) == pytest.approx(float(value))
    with mpmath.workdps(40):
        assert abs(lambdify([depth], name, "mpmath")(4) - value.evalf(40)) < mpmath.mpf(10) ** -14
        exact = lambdify([depth], name, "mpmath")(mpmath.mpf(4))
        assert abs(exact - value.evalf(40)) < mpmath.mpf(10) ** -37


def test_no_activation_is_forgotten() -> None:
    """The names above are those of the package."""
    assert {"relu", "elu", "hard_tanh", "gelu", "erf", "softplus"} <= set(activations.names())
