"""Kernels of activations in closed form, against Hermite sums and two-dimensional quadrature."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy
from sympy import Max, Piecewise, Rational, S, Symbol, erf, exp, factorial, pi, rf, sqrt

from asymptok import AsymptokError, activations, check, decay, dual, eigenvalues, expand, kernels, u
from asymptok.kernels.duals import as_activation, second_moment
from asymptok.kernels.pieces import NoClosedForm, pieces
from asymptok.symbols import x

#: every named activation with a closed form, with values for its parameters
CLOSED: dict[str, Any] = {
    "relu": activations.relu,
    "leaky_relu": activations.leaky_relu("1/5"),
    "prelu": activations.prelu("1/3"),
    "abs": activations.abs,
    "step": activations.step,
    "sign": activations.sign,
    "relu_power": activations.relu_power(3),
    "elu": activations.elu("3/2"),
    "selu": activations.selu,
    "celu": activations.celu("1/2"),
    "gelu": activations.gelu,
    "erf": activations.erf,
    "sin": activations.sin,
    "cos": activations.cos,
    "exp": activations.exp,
    "gaussian": activations.gaussian,
    "hard_tanh": activations.hard_tanh,
    "relu6": activations.relu6,
    "hermite": activations.hermite(3),
    "polynomial": activations.polynomial(1, -2, "1/2"),
}
#: shapes that nobody has named
OTHERS: dict[str, Any] = {
    "hat": Max(0, 1 - sympy.Abs(x)),
    "shifted kink": Max(0, x - Rational(1, 2)) - x**2 / 7,
    "three pieces": Piecewise((x**2, x < -1), (1 - x, x < 2), (exp(-x), True)),
    "bump": exp(-(x**2)) * x + erf(x / 3 + 1),
    "wave with drift": sympy.sin(2 * x + 1) * exp(x / 3) + x,
    "Gaussian on a half line": Piecewise((exp(-(x**2) / 3), x > 0), (x, True)),
}
NO_CLOSED_FORM = ("tanh", "sigmoid", "softplus", "silu", "mish")
POINTS = [Rational(j, 21) for j in range(-19, 21, 2)]


def _number(value: Any) -> float:
    return float(sympy.N(value, 20))


def by_quadrature(phi: Any, point: float) -> float:
    """E[phi(X) phi(Y)] by Gauss-Legendre on panels that end at the kinks of the integrand, in both variables."""
    cells = pieces(phi)
    cuts = [_number(c.high) for c in cells[:-1]]
    functions = [
        sympy.lambdify(x, c.expr, "numpy") if not c.expr.has(erf) else _with_erf(c.expr) for c in cells
    ]

    def value(z: Any) -> Any:
        found = np.broadcast_to(functions[0](z), z.shape).astype(float)
        for edge, f in zip(cuts, functions[1:], strict=True):
            found = np.where(z > edge, np.broadcast_to(f(z), z.shape), found)
        return found

    nodes, weights = np.polynomial.legendre.leggauss(20)

    def rule(kinks: list[float]) -> tuple[Any, Any]:
        ends = np.unique([*np.linspace(-11, 11, 12), *(c for c in kinks if -11 < c < 11)])
        half, middle = np.diff(ends) / 2, (ends[1:] + ends[:-1]) / 2
        points = (middle[:, None] + half[:, None] * nodes).ravel()
        return points, (half[:, None] * weights).ravel() * np.exp(-(points**2) / 2) / np.sqrt(2 * np.pi)

    sine = np.sqrt(1 - point * point)
    outer, outer_weights = rule(cuts)
    total = 0.0
    for a, weight, phi_a in zip(outer, outer_weights, value(outer), strict=True):
        inner, inner_weights = rule([(c - point * a) / sine for c in cuts])
        total += weight * phi_a * float(inner_weights @ value(point * a + sine * inner))
    return total


def _with_erf(expr: Any) -> Any:
    import math

    return sympy.lambdify(x, expr, [{"erf": np.vectorize(math.erf)}, "numpy"])


@cache
def hermite_squares(name: str, count: int) -> list[Any]:
    """a_n^2, a_n = E[phi(X) h_n(X)], by mpmath on the intervals of the activation."""
    phi = {**CLOSED, **OTHERS}[name]
    with mpmath.workdps(30):
        nodes, weights = zip(*_gauss(40), strict=True)
        squares = [mpmath.mpf(0)] * count
        sums = [mpmath.mpf(0)] * count
        for cell in pieces(phi):
            f = sympy.lambdify(x, cell.expr, "mpmath")
            low = max(-14, mpmath.mpf(str(sympy.N(cell.low, 30)))) if cell.low.is_finite else mpmath.mpf(-14)
            high = min(14, mpmath.mpf(str(sympy.N(cell.high, 30)))) if cell.high.is_finite else mpmath.mpf(14)
            panels = max(1, int((high - low) * 2))
            for j in range(panels):
                a, b = low + (high - low) * j / panels, low + (high - low) * (j + 1) / panels
                for s, w in zip(nodes, weights, strict=True):
                    z = (a + b) / 2 + (b - a) / 2 * s
                    v = f(z) * w * (b - a) / 2 * mpmath.exp(-z * z / 2) / mpmath.sqrt(2 * mpmath.pi)
                    before, here = mpmath.mpf(0), mpmath.mpf(1)
                    for n in range(count):
                        sums[n] += v * here
                        before, here = here, (z * here - mpmath.sqrt(n) * before) / mpmath.sqrt(n + 1)
        for n in range(count):
            squares[n] = sums[n] ** 2
    return squares


@cache
def _gauss(n: int) -> list[tuple[Any, Any]]:
    with mpmath.workdps(30):
        result = []
        for start in np.polynomial.legendre.leggauss(n)[0]:
            z = mpmath.findroot(lambda s: mpmath.legendre(n, s), mpmath.mpf(float(start)))
            slope = n * (z * mpmath.legendre(n, z) - mpmath.legendre(n - 1, z)) / (z * z - 1)
            result.append((z, 2 / ((1 - z * z) * slope**2)))
    return result


@pytest.mark.parametrize("name", [*CLOSED, *OTHERS])
def test_closed_forms_against_two_dimensional_quadrature(name: str) -> None:
    phi = {**CLOSED, **OTHERS}[name]
    kernel = dual(phi)
    for point in (POINTS[3], POINTS[-4]):
        expected = by_quadrature(phi, float(point))
        assert abs(float(kernel.evaluate(point)) - expected) < 2e-14 * max(1.0, abs(expected))


@pytest.mark.slow
@pytest.mark.parametrize("name", [*CLOSED, *OTHERS])
def test_closed_forms_against_quadrature_at_twenty_points(name: str) -> None:
    phi = {**CLOSED, **OTHERS}[name]
    kernel = dual(phi)
    size = max(1.0, abs(float(kernel.evaluate(1))))
    for point in POINTS:
        assert abs(float(kernel.evaluate(point)) - by_quadrature(phi, float(point))) < 3e-14 * size


@pytest.mark.slow
@pytest.mark.parametrize("name", ["elu", "hard_tanh", "gelu", "three pieces"])
def test_closed_forms_against_hermite_sums(name: str) -> None:
    squares = hermite_squares(name, 60)
    kernel = dual({**CLOSED, **OTHERS}[name])
    for point in (Rational(2, 5), Rational(-1, 2), Rational(1, 7)):
        with mpmath.workdps(30):
            expected = mpmath.fsum(
                c * mpmath.mpf(int(point.p)) ** n / mpmath.mpf(int(point.q)) ** n
                for n, c in enumerate(squares)
            )
            assert abs(kernel.evaluate(point, dps=25) - expected) < mpmath.mpf(10) ** -17


def test_known_closed_forms() -> None:
    a, b = Symbol("a", positive=True), Symbol("b", negative=True)
    assert dual("relu").expr == sympy.sympify(dual(x * sympy.Heaviside(x)).expr)
    assert dual("erf").expr == 2 * sympy.asin(2 * u / 3) / pi
    assert sympy.expand(dual(exp(b * x**2)).expr - 1 / sqrt((1 - 2 * b) ** 2 - 4 * b**2 * u**2)) == 0
    assert sympy.expand(dual("sin").expr - (exp(u - 1) - exp(-u - 1)) / 2) == 0
    assert [dual(activations.hermite(n)).expr for n in range(4)] == [1, u, u**2, u**3]
    leaky = dual(Piecewise((a * x, x > 0), (b * x, True))).expr
    assert sympy.expand(leaky - ((a - b) ** 2 * dual("relu").expr + a * b * u)) == 0


def test_the_variance_of_the_input() -> None:
    v = Symbol("v", positive=True)
    assert dual("relu", variance=3).expr == 3 * dual("relu").expr
    assert dual("erf", variance=v).subs(v=1).expr == dual("erf").expr
    for name in ("hard_tanh", "elu"):
        first = dual(name, variance="1/4").evaluate("0.3")
        second = dual(
            CLOSED["elu"].subs(x, x / 2) if name == "never" else activations.get(name).subs(x, x / 2)
        )
        assert abs(first - second.evaluate("0.3")) < 1e-14


@pytest.mark.parametrize(
    "name", ["relu", "abs", "step", "relu_power", "elu", "selu", "celu", "hard_tanh", "relu6"]
)
def test_nu_and_constants_agree_with_the_jumps(name: str) -> None:
    """THEORY: jumps J_a of the m-th derivative: nu = m + 1/2, c_1 and c_-1 from sums over the jumps."""
    phi = CLOSED[name]
    cells = pieces(phi)
    m = 0
    while True:
        jumps = {
            cell.low: sympy.expand(
                (sympy.diff(cell.expr, x, m) - sympy.diff(before.expr, x, m)).subs(x, cell.low)
            )
            for before, cell in pairwise(cells)
        }
        if any(j != 0 for j in jumps.values()):
            break
        m += 1
    n = m + 1
    scale = sqrt(pi) / (2 * pi * sqrt(2) * sympy.gamma(n + S.Half))
    right = (-1) ** n * scale * sum(j**2 * exp(-(a**2) / 2) for a, j in jumps.items())
    left = scale * sum(j * jumps.get(-a, 0) * exp(-(a**2) / 2) for a, j in jumps.items())
    plus, minus = expand(dual(phi), 1, n), expand(dual(phi), -1, n)
    assert plus.nu == n - S.Half
    assert abs(sympy.N(plus.coefficient - right, 40)) < 1e-35
    # a jump at a != 0 without a partner at -a leaves nothing but a flat term at -1
    found = next((t.coefficient for t in minus.terms if t.exponent == n - S.Half), S.Zero)
    assert abs(sympy.N(found - left, 40)) < 1e-35


@pytest.mark.parametrize(
    "name", ["elu", "hard_tanh", "relu6", "gelu", "three pieces", "Gaussian on a half line"]
)
@pytest.mark.parametrize("at", [1, -1])
def test_expansions_against_sixty_digits(name: str, at: int) -> None:
    kernel = dual({**CLOSED, **OTHERS}[name])
    found = expand(kernel, at, 3)
    with mpmath.workdps(70):
        for size in (8, 10):
            t = mpmath.mpf(10) ** -size
            point = mpmath.fsub(1, t, exact=True) if at == 1 else mpmath.fadd(-1, t, exact=True)
            error = abs(kernel.evaluate(point, dps=60) - found.evaluate(sympy.Rational(1, 10**size), dps=60))
            assert error < 1000 * t ** mpmath.mpf("3.5") + mpmath.mpf(10) ** -58


def test_symbolic_slopes_and_constants_go_through() -> None:
    a = Symbol("a", positive=True)
    slope = dual(activations.prelu(a), parameters={"a": (0, 1)})
    assert slope.parameters == {a: (0, 1)}
    assert decay(slope).nu == Rational(3, 2)
    kernel = dual(activations.elu(a), parameters={"a": (1, 2)})
    assert decay(kernel).nu == Rational(3, 2)
    c = expand(kernel, 1, 2).coefficient
    assert sympy.expand(c - sqrt(2) * (1 - a) ** 2 / (3 * pi)) == 0


def test_eigenvalues_of_a_dual_kernel_agree_with_mpmath() -> None:
    kernel = dual("gelu")
    found = eigenvalues(kernel, 3, ks=[0, 1, 2, 4], dps=20)
    expected = eigenvalues(kernel, 3, ks=[0, 1, 2, 4], dps=15, method="mpmath")
    for k in (0, 1, 2, 4):
        assert abs(found[k] - expected[k]) < 1e-14 * abs(expected[k])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["elu", "hard_tanh"])
def test_eigenvalues_with_quadrants_agree_with_legendre_moments(name: str) -> None:
    """mu_1 and mu_3 in d = 3 by mpmath, in the angle, where the integrand is smooth enough."""
    kernel = dual(CLOSED[name])
    found = eigenvalues(kernel, 3, ks=[1, 3], dps=10)
    for k in (1, 3):
        with mpmath.workdps(20):
            expected = mpmath.quad(
                lambda s, k=k: (
                    kernel.evaluate(mpmath.cos(s), dps=18)
                    * mpmath.legendre(k, mpmath.cos(s))
                    * mpmath.sin(s)
                    / 2
                ),
                [0, mpmath.pi / 2, mpmath.pi],
                maxdegree=6,
            )
        assert abs(found[k] - expected) < 1e-9 * abs(expected)


def test_arrays() -> None:
    points = np.linspace(-1, 1, 9)
    for name in ("hard_tanh", "elu", "relu6"):
        kernel = dual(CLOSED[name])
        exact = [float(kernel.evaluate(float(p))) for p in points]
        assert np.allclose(kernel(points), exact, rtol=0, atol=1e-14)


@pytest.mark.parametrize(
    "bad", ["exp(x**2/8)*tanh(x)", "1/(x**2 - 3)", "1/sinh(x)", "tanh(x)/x**2", "log(x**2)"]
)
def test_what_is_not_proved_square_integrable_is_refused(bad: str) -> None:
    with pytest.raises(NoClosedForm, match="closed form"):
        dual(bad)


@pytest.mark.parametrize(
    "bad", ["1/x", "x**0.5", "u*x", "y", None, "exp(x**2)", "Max(x, sin(x))", float("nan")]
)
def test_what_is_no_activation_is_refused(bad: Any) -> None:
    with pytest.raises(AsymptokError):
        dual(bad)


def test_a_variance_is_positive() -> None:
    for bad in (0, -1, "nan", Symbol("v", real=True)):
        with pytest.raises(AsymptokError):
            dual("relu", variance=bad)


def test_names() -> None:
    assert set(activations.names()) >= {*CLOSED, *NO_CLOSED_FORM}
    for name in activations.names():
        parameters = {"relu_power": {"n": 2}, "hermite": {"n": 2}, "polynomial": {"coefficients": [1, 2]}}
        assert activations.get(name, **parameters.get(name, {})).has(x)
    with pytest.raises(AsymptokError, match="there are"):
        activations.get("rellu")
    with pytest.raises(AsymptokError):
        activations.get("relu", slope=1)


@pytest.mark.parametrize(
    ("text", "power"),
    [
        ("leaky_relu(1/10)", Rational(101, 200)),
        ("leaky_relu(slope=1/10)", Rational(101, 200)),
        ("leaky_relu(x, 1/10)", Rational(101, 200)),
        ("prelu(1/4) - prelu(0.25)", S.Zero),
        ("relu_power(2)", Rational(3, 2)),
        ("relu_power(n=2)", Rational(3, 2)),
        ("polynomial(0, 1, 3)", S(28)),
        ("celu(alpha=2) - celu(2)", S.Zero),
        ("2*leaky_relu(1/2)(x)", None),
        ("leaky_relu(1/10, x)", None),
        ("leaky_relu(1/10, 2)", None),
        ("elu(slope=1)", None),
        ("elu(alpha=1, alpha=2)", None),
        ("relu_power()", None),
        ("relu(x=1)", None),
    ],
)
def test_parameters_of_activations_in_texts(text: str, power: sympy.Expr | None) -> None:
    """elu(2) is the function with that parameter, not its value at 2; E[phi(X)^2] by hand."""
    if power is None:
        with pytest.raises(AsymptokError):
            dual(text)
    else:
        assert dual(text).evaluate(1) == pytest.approx(float(power), rel=1e-14)


def test_a_function_of_another_variable_is_no_constant() -> None:
    with pytest.raises(AsymptokError, match="has no x, only t"):
        dual(Max(Symbol("t"), 0))
    with pytest.raises(AsymptokError, match="has no u, only x"):
        decay(exp(-sqrt(1 - Symbol("x"))))
    assert dual(Max(Symbol("x"), 0)).expr == dual("relu").expr


def test_names_as_papers_write_them() -> None:
    assert dual("ReLU").expr == dual("relu").expr and dual("Swish").expr == dual("silu").expr
    with pytest.raises(AsymptokError, match="did you mean relu"):
        dual("rellu")


@pytest.mark.parametrize(
    ("p", "left", "right"), [("1/2", 1, 1), ("5/2", 0, 1), ("1/3", -2, 3), ("3/4", 1, -1)]
)
def test_powers_that_are_not_whole(p: str, left: int, right: int) -> None:
    """E[phi(X) phi(Y)] = E[r^(2p)] times the mean of phi(cos t) phi(cos(t - theta)) over the circle."""
    e = Rational(p)
    found = dual(left * Max(-x, 0) ** e + right * Max(x, 0) ** e)
    assert decay(found).nu == e + Rational(1, 2)
    power, theta = mpmath.mpf(e.p) / e.q, mpmath.acos("0.3")

    def phi(y: mpmath.mpf) -> mpmath.mpf:
        return (right if y > 0 else left) * abs(y) ** power

    quarter = mpmath.pi / 2
    cuts = sorted([0, quarter, 3 * quarter, quarter + theta, 3 * quarter + theta, 4 * quarter])
    mean = mpmath.quad(lambda t: phi(mpmath.cos(t)) * phi(mpmath.cos(t - theta)), cuts) / (4 * quarter)
    value = mean * 2**power * mpmath.gamma(power + 1)
    assert abs(found.evaluate("0.3") - value) < mpmath.mpf(10) ** -12


def test_a_power_of_a_relu_with_a_name() -> None:
    """At -1 for all p > 0; where p is whole it is the arc-cosine kernel, c_-1 = sqrt(2)/(2 pi) (n!)^2/(3/2)_n."""
    p = Symbol("p", positive=True)
    kernel = dual(Max(x, 0) ** p)
    first = expand(kernel, at=-1, order=2).terms[0]
    assert first.exponent == p + Rational(1, 2)
    for n in (1, 2, 5):
        known = sqrt(2) / (2 * pi) * factorial(n) ** 2 / rf(Rational(3, 2), n)
        assert sympy.gammasimp(first.coefficient.subs(p, n) - known) == 0
    assert check(kernel)["smooth inside"].status == "proved"
    # p + 1/2 is no integer: all but the even or odd eigenvalues that vanish at p = 1
    report = check(dual("max(x, 0)**p", parameters={"p": ("1/2", "3/2")}))
    assert {report[name].status for name in ("expansion at +1", "expansion at -1", "same nu")} == {"proved"}


def test_what_is_no_kernel_is_refused() -> None:
    a, p = Symbol("a", positive=True), Symbol("p", positive=True)
    with pytest.raises(AsymptokError, match="complex values"):
        dual(sympy.I * x)
    assert dual(exp(sympy.I * x) + exp(-sympy.I * x)).expr.equals(4 * dual("cos").expr)
    # a pole on the line, a kink that is no power series, too much growth: for some values of the parameter, or for all
    for phi in (1 / (x - a), abs(x) ** p * exp(x), exp(a * x**2) * sympy.tanh(x), abs(x) ** Rational(-1, 2)):
        with pytest.raises(NoClosedForm):
            dual(phi)


def test_a_power_of_a_relu_between_two_bounds() -> None:
    """Where p - 1 > -1/2 by its range only; E[max(X, 0)^(2p)] = 2^(p-1) Gamma(p + 1/2)/sqrt(pi)."""
    kernel = kernels.network(2, "abs(x)**p", tangent=True, parameters={"p": ("3/4", "3/2")})
    assert decay(kernel).nu == Symbol("p", positive=True) - Rational(1, 2)
    moment = second_moment(as_activation("max(x, 0)**p", {"p": ("1/2", 2)}))
    for value in (Rational(3, 4), Rational(5, 3)):
        known = 2 ** (value - 1) * sympy.gamma(value + Rational(1, 2)) / sqrt(pi)
        assert abs((moment.subs(Symbol("p", positive=True), value) - known).n(30)) < 1e-28


@pytest.mark.parametrize(("power", "order"), [("5/2", 3), ("7/4", 2)])
def test_powers_in_a_layer_with_symbols(power: str, order: int) -> None:
    """The correlation is 1 at u = 1 as a sum of fractions only; numbers from an integral over the circle."""
    p, t = Rational(power), Symbol("t", positive=True)
    w, b = Symbol("w", positive=True), Symbol("b", positive=True)
    series = expand(kernels.network(2, Max(x, 0) ** p, weight_variance=w, bias_variance=b), at=1, order=order)
    far = Rational(1, 10**4)
    found = series.as_expr(t).subs({w: 2, b: Rational(1, 2), t: far}).n(30)
    with mpmath.workdps(30):
        theta, half = mpmath.acos((Rational(5, 2) - 2 * far) / Rational(5, 2)), mpmath.pi / 2
        mean = mpmath.quad(
            lambda y: (mpmath.cos(y) * mpmath.cos(y - theta)) ** mpmath.mpf(p), [theta - half, 0, half]
        )
        size = 2 ** mpmath.mpf(p) * mpmath.gamma(mpmath.mpf(p) + 1) / (4 * half)
        known = 0.5 + 2 * mpmath.mpf(2.5) ** mpmath.mpf(p) * size * mean
    assert abs(found - known) < 10 * float(far) ** (order + 0.25)


def test_each_part_of_an_activation_has_its_law() -> None:
    """x exp(-x^2)/2 has a multiple of u (9 - 4 u^2)^(-3/2), singular at 3/2; |x|^p/2 has a 2F1, known at 1."""
    law = decay(dual("Max(x, 0)*exp(-x**2)"))
    assert law.odd.kind == "geometric" and law.odd.rho == (3 + sqrt(5)) / 2
    p = Symbol("p", positive=True)
    even = decay(dual(Max(x, 0) ** p, parameters={"p": (0, S.Half)})).even
    for value in (Rational(1, 8), Rational(2, 5)):
        ends = sqrt(pi) * sympy.gamma(-value - S.Half) / sympy.gamma(-value / 2) ** 2 * 2 ** (value + S.Half)
        known = 2 * 2**value * sympy.gamma((value + 1) / 2) ** 2 / pi / 4 * ends
        assert abs((even.coefficient.subs(p, value) - known).n(30)) < 1e-25
