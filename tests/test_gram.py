"""kernel.gram and kernel.lambdify: against mpmath at high precision, and where doubles alone would fail."""

from __future__ import annotations

import math
import pickle
import tracemalloc
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy

from asymptok import AsymptokError, Kernel, activations, dual, kernels
from asymptok.kernels.duals import as_activation
from asymptok.precision import mpmath_precision

RNG = np.random.default_rng(20261)
STEEP = [
    kernels.ntk(2),
    kernels.ntk(5),
    kernels.laplace(2),
    kernels.step_features(3),
    kernels.gamma_exponential("0.3"),
]
SMOOTH = [kernels.random_features(3), kernels.gaussian(), kernels.polynomial(3), kernels.arc_cosine(2)]


def _exact(kernel: Kernel, x: Any, y: Any) -> float:
    """kappa at the cosine of two vectors of doubles, with 60 digits."""
    with mpmath_precision(220):
        dot = mpmath.fsum(mpmath.mpf(float(a)) * mpmath.mpf(float(b)) for a, b in zip(x, y, strict=True))
        lengths = [mpmath.sqrt(mpmath.fsum(mpmath.mpf(float(a)) ** 2 for a in z)) for z in (x, y)]
        cosine = dot / (lengths[0] * lengths[1])
        return float(kernel.evaluate(min(mpmath.mpf(1), max(mpmath.mpf(-1), cosine)), dps=25))


@pytest.mark.parametrize("kernel", STEEP + SMOOTH, ids=lambda k: k.name)
def test_entries(kernel: Kernel) -> None:
    X, Y = RNG.normal(size=(5, 4)), RNG.normal(size=(7, 4))
    wanted = np.array([[_exact(kernel, x, y) for y in Y] for x in X])
    assert np.allclose(kernel.gram(X, Y), wanted, rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("kernel", STEEP, ids=lambda k: k.name)
@pytest.mark.parametrize("distance", [1e-2, 1e-4, 1e-7])
@pytest.mark.parametrize("sign", [1, -1])
def test_close_and_opposite_points_keep_their_digits(kernel: Kernel, distance: float, sign: int) -> None:
    """sqrt(1 - u) from u alone would have half its digits; rounding the points costs 1e-16/distance of the distance."""
    x = RNG.normal(size=3)
    x /= np.linalg.norm(x)
    y = sign * (x + distance * np.array([0.3, -0.7, 0.2]))
    y /= np.linalg.norm(y)
    change = abs(_exact(kernel, x, y) - float(kernel.evaluate(sign)))
    error = abs(kernel.gram(x[None], y[None])[0, 0] - _exact(kernel, x, y))
    assert error <= 4e-16 / distance * change + 2e-14 * max(1, float(kernel.evaluate(1)))


@pytest.mark.parametrize("kernel", STEEP + SMOOTH, ids=lambda k: k.name)
def test_symmetric_exact_diagonal_positive(kernel: Kernel) -> None:
    """With near and opposite copies of points: eigenvalues not below the rounding of the largest."""
    X = RNG.normal(size=(60, 3))
    X = np.vstack([X, X + 1e-9 * RNG.normal(size=X.shape), -X, X])
    G = kernel.gram(X)
    assert (G == G.T).all() and (np.diag(G) == float(kernel.evaluate(1))).all()
    spectrum = np.linalg.eigvalsh(G)
    assert spectrum[0] > -1e-15 * len(X) * spectrum[-1]


def test_blocks_and_single_precision() -> None:
    """More points than a block: the same numbers as row by row; float32 in, float32 out, correctly rounded."""
    X = RNG.normal(size=(401, 5))
    kernel = kernels.ntk(3)
    G = kernel.gram(X)
    assert np.allclose(G[380:400], kernel.gram(X[380:400], X), rtol=0, atol=1e-15 * 10)
    single = kernel.gram(X.astype(np.float32))
    assert single.dtype == np.float32
    double = kernel.gram(X.astype(np.float32).astype(float))
    assert double.dtype == np.float64 and np.array_equal(single, double.astype(np.float32))
    assert kernel.gram(X.astype(np.float32), X).dtype == np.float64


@pytest.mark.parametrize("panels", [1, 2, 16])
def test_panels(monkeypatch: pytest.MonkeyPatch, panels: int) -> None:
    """A panel may hold several blocks of rows, the last one incomplete."""
    X = RNG.normal(size=(650, 3))
    kernel = kernels.arc_cosine(1)
    unit = X / np.linalg.norm(X, axis=1, keepdims=True)
    wanted = kernel((unit @ unit.T).clip(-1, 1))
    monkeypatch.setattr("asymptok.kernels.gram._PANELS", panels)
    for found in (
        kernel.gram(X),
        kernel.gram(X, X),
        np.vstack([kernel.gram(X[:300], X), kernel.gram(X[300:], X)]),
    ):
        assert np.allclose(found, wanted, rtol=0, atol=3e-8)


def test_memory_beside_the_result_is_bounded() -> None:
    """Also where every point has copies, and t comes from the differences of the points."""
    X = np.repeat(RNG.normal(size=(60, 10)), 20, axis=0)
    kernel = kernels.laplace()
    kernel.gram(X[:10])
    tracemalloc.start()
    try:
        G = kernel.gram(X)
        assert tracemalloc.get_traced_memory()[1] - G.nbytes < 3e6 < G.nbytes
    finally:
        tracemalloc.stop()


def test_homogeneous() -> None:
    X = np.vstack([RNG.normal(size=(6, 3)) * 10.0 ** np.arange(-3, 3)[:, None], np.zeros((1, 3))])
    lengths = np.linalg.norm(X, axis=1)
    G = kernels.arc_cosine(1).gram(X, normalize=False)
    inner = kernels.arc_cosine(1).gram(X[:-1])
    assert np.allclose(G[:-1, :-1], lengths[:-1, None] * lengths[:-1] * inner, rtol=1e-14)
    assert (G[-1] == 0).all() and (G[:, -1] == 0).all()
    assert np.allclose(np.diag(G), lengths**2, rtol=1e-15)


def test_extreme_lengths() -> None:
    G = kernels.ntk(2).gram(np.array([[3e200, 4e200], [3e-200, 4e-200], [-3e300, -4e300]]))
    assert np.allclose(G, [[2, 2, 0], [2, 2, 0], [0, 0, 2]], atol=1e-15)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.zeros((0, 3)), "no rows"),
        (np.ones(3), "reshape"),
        (np.ones((2, 2, 2)), "shape"),
        (np.ones((4, 1)), "column"),
        (np.array([[1.0, 2.0], [np.nan, 1.0]]), "row 1"),
        (np.array([[1.0, np.inf]]), "row 0"),
        (np.array([[1.0, 0.0], [0.0, 0.0]]), "row 1"),
        ([["a", "b"]], "real numbers"),
        (np.ones((2, 2)) * 1j, "real numbers"),
        ([[1, 2], [3]], "real numbers"),
        ([[10**400, 1]], "real numbers"),
        (None, "matrix"),
    ],
)
def test_bad_data(X: Any, message: str) -> None:
    with pytest.raises(AsymptokError, match=message):
        kernels.ntk(2).gram(X)


def test_bad_second_argument() -> None:
    with pytest.raises(AsymptokError, match="columns"):
        kernels.ntk(2).gram(np.eye(3), np.eye(4))
    with pytest.raises(AsymptokError, match="subs"):
        kernels.laplace("c").gram(np.eye(3))


# lambdify --------------------------------------------------------------------------------------------------


BACKENDS = [pytest.param(name, marks=pytest.mark.needs(name)) for name in ("jax", "torch")]
DIFFERENTIABLE = [
    (kernels.random_features(3), 1.0, 0.0),
    (kernels.arc_cosine(3), 9 / 5, 0.0),
    (kernels.gaussian(2), 2.0, 2 * np.exp(-4)),
    (kernels.matern("3/2"), 3.0, None),
    (kernels.polynomial(3), 12.0, 0.0),
    (kernels.laplace(), 0.0, np.exp(-np.sqrt(2)) / (2 * np.sqrt(2))),
    (kernels.ntk(4), 0.0, 0.0),
    (kernels.gamma_exponential("0.7"), 0.0, None),
    (kernels.erf_network(), None, None),
    (Kernel("(1-u)*log(1-u) + Max(u, -u)"), None, None),
    (Kernel("Piecewise((u**2, u > 1/3), (acos(u), True))"), 2.0, 0.0),
]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("kernel", "top", "bottom"), DIFFERENTIABLE)
def test_traced_values_and_slopes(backend: str, kernel: Kernel, top: Any, bottom: Any) -> None:
    points = np.concatenate([np.linspace(-1, 1, 22), [1 - 1e-9, -1 + 1e-9]])
    values, slopes = _traced(backend, kernel, points)
    assert np.allclose(values, kernel(points), rtol=1e-11, atol=1e-11)
    assert np.isfinite(slopes).all()
    inner = slice(2, 20)
    assert np.allclose(slopes[inner], kernel.diff()(points[inner]), rtol=1e-9)
    for index, wanted in ((21, top), (0, bottom)):
        assert wanted is None or slopes[index] == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("kernel", [kernels.ntk(3), kernels.step_features(3), Kernel("sqrt(1-u**2)*cosh(u)")])
def test_traced_slopes_against_differences_of_proved_values(backend: str, kernel: Kernel) -> None:
    points = np.array([-1 + 1e-3, -0.6, 0.1, 0.8, 1 - 1e-3])
    slopes = _traced(backend, kernel, points)[1]
    with mpmath_precision(200):
        wanted = [
            float(mpmath.diff(lambda x: kernel.evaluate(x, 50), mpmath.mpf(x), h=1e-20)) for x in points
        ]
    assert np.allclose(slopes, wanted, rtol=1e-11)


def _traced(backend: str, kernel: Kernel, points: Any) -> tuple[Any, Any]:
    if backend == "jax":
        import jax

        with jax.enable_x64(True):
            f = kernel.lambdify("jax")
            return np.asarray(jax.jit(f)(points)), np.asarray(jax.jit(jax.vmap(jax.grad(f)))(points))
    import torch

    x = torch.tensor(points, dtype=torch.float64, requires_grad=True)
    y = kernel.lambdify("torch")(x)
    y.sum().backward()
    return y.detach().numpy(), x.grad.numpy()


@pytest.mark.slow
@pytest.mark.needs("jax")
def test_single_precision_deep_network_stays_finite() -> None:
    """Inner layers round to 1 or above it long before u = 1."""
    import jax

    f = kernels.ntk(10).lambdify("jax")
    x = np.float32(1) - np.logspace(-8, -1, 60).astype(np.float32)
    values, slopes = np.asarray(f(x)), np.asarray(jax.vmap(jax.grad(f))(x))
    assert values.dtype == np.float32 and np.isfinite(values).all() and np.isfinite(slopes).all()
    assert np.allclose(values, kernels.ntk(10)(x.astype(float)), rtol=2e-3)


def test_numpy_backend_and_refusals() -> None:
    assert np.array_equal(kernels.ntk(2).lambdify("numpy")(np.array([0.5])), kernels.ntk(2)(np.array([0.5])))
    with pytest.raises(AsymptokError, match="backend"):
        kernels.ntk(2).lambdify("fortran")
    with pytest.raises(AsymptokError, match="subs"):
        kernels.laplace("c").lambdify("numpy")


@pytest.mark.needs("jax")
def test_a_function_that_the_backend_lacks() -> None:
    with pytest.raises(AsymptokError, match="besselk"):
        kernels.matern(1).lambdify("jax")


def test_a_library_that_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "jax.py").write_text("raise ImportError")
    monkeypatch.setitem(__import__("sys").modules, "jax.numpy", None)
    with pytest.raises(AsymptokError, match="pip install jax"):
        kernels.ntk(2).lambdify("jax")


# points of any norms --------------------------------------------------------------------------------------


def _relu(xx: Any, xy: Any, yy: Any, same: bool) -> tuple[Any, Any]:
    size = np.sqrt(xx * yy)
    angle = 0.0 * xy if same else np.arccos(np.clip(xy / size, -1, 1))
    return size * (np.sin(angle) + (np.pi - angle) * np.cos(angle)) / (2 * np.pi), (1 - angle / np.pi) / 2


def _erf(xx: Any, xy: Any, yy: Any, same: bool) -> tuple[Any, Any]:
    scale = (1 + 2 * xx) * (1 + 2 * yy)
    return 2 / np.pi * np.arcsin(2 * xy / np.sqrt(scale)), 4 / np.pi / np.sqrt(scale - 4 * xy**2)


_UNITS = {"relu": _relu, "erf": _erf}


def _network(
    units: Any, depth: int, w: float, b: float, r: float, tangent: bool, X: Any, Y: Any = None
) -> Any:
    """The recursion of the layers in doubles; the diagonal of X alone without Y."""
    products = [np.sum(X * X, axis=1)] * 3
    if Y is not None:
        products = [np.sum(X * X, axis=1)[:, None], X @ Y.T, np.sum(Y * Y, axis=1)[None]]
    xx, xy, yy = (b + w * product for product in products)
    theta = xy
    for _ in range(depth - 1):
        mean, slope = units(xx, xy, yy, Y is None)
        block = b + w * mean
        theta = theta * (r**2 + w * slope) + block
        top, left = (r**2 * q + b + w * units(q, q, q, True)[0] for q in (xx, yy))
        xx, xy, yy = top, r**2 * xy + block, left
    return theta if tangent else xy


@pytest.mark.parametrize("name", _UNITS)
@pytest.mark.parametrize("depth", [2, 4, 10])
@pytest.mark.parametrize("residual", [0, "1/2"])
@pytest.mark.parametrize("tangent", [False, True])
def test_networks_with_biases_on_and_off_the_sphere(
    name: str, depth: int, residual: Any, tangent: bool
) -> None:
    kernel = kernels.network(depth, name, "3/2", "1/4", tangent=tangent, residual=residual)
    X = RNG.normal(size=(12, 5)) * RNG.uniform(0.2, 3, size=(12, 1))
    Y = RNG.normal(size=(9, 5))
    given = (_UNITS[name], depth, 1.5, 0.25, 0.5 if residual else 0.0, tangent)
    wanted = _network(*given, X, Y)
    scale = np.abs(wanted).max()
    assert np.allclose(kernel.gram(X, Y, normalize=False), wanted, rtol=1e-12, atol=1e-13 * scale)
    assert np.allclose(np.diag(kernel.gram(X, normalize=False)), _network(*given, X), rtol=1e-12)
    on_sphere = [points / np.linalg.norm(points, axis=1)[:, None] for points in (X, Y)]
    assert np.allclose(kernel.gram(X, Y), _network(*given, *on_sphere), rtol=1e-12, atol=1e-13)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gelu", "elu", "hard_tanh", "sin", "relu(x - 1)", "Max(x, 0)**(5/2)"])
def test_means_at_two_norms(name: str) -> None:
    """Against the integral by the trapezoidal rule, which has some six digits where there is a kink."""
    phi = activations_function(name)
    X = np.array([[0.3, 0.4], [1.0, -2.0], [3.0, 1.0]])
    found = dual(name).gram(X, normalize=False)
    z = np.linspace(-9, 9, 3001)
    weights = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi) * (z[1] - z[0])
    for i, x in enumerate(X):
        for j, y in enumerate(X[: i + 1]):
            p, q = np.linalg.norm(x), np.linalg.norm(y)
            rho = x @ y / (p * q)
            other = phi(q * (rho * z[:, None] + np.sqrt(max(0, 1 - rho**2)) * z[None]))
            wanted = (weights * phi(p * z)) @ other @ weights
            assert found[i, j] == pytest.approx(wanted, rel=1e-5, abs=1e-5)


def activations_function(name: str) -> Any:
    return sympy.lambdify(activations.x, as_activation(name).expr, ["numpy", {"erf": np.vectorize(math.erf)}])


def test_values_that_cancel_in_doubles() -> None:
    """exp(v/2) erfc(sqrt(v/2)) of large rows: E[elu(X) elu(Y)] at norms of 60, by the trapezoidal rule."""
    x, y = np.array([[60.0, 0.0]]), np.array([[0.0, 50.0]])
    half = 1 / np.sqrt(2 * np.pi)  # E max(X, 0)
    z = np.linspace(0, 12, 200_001)
    weight = np.exp(-(z**2) / 2) * half * (z[1] - z[0])  # what is halved at both ends is 0 there
    below, above = (float(np.sum(weight * np.expm1(-rate * z))) for rate in (60, 50))
    wanted = (60 * half + below) * (50 * half + above)
    assert dual("elu").gram(x, y, normalize=False)[0, 0] == pytest.approx(wanted, rel=1e-8)


@pytest.mark.parametrize(
    "kernel",
    [
        kernels.gaussian(),
        kernels.laplace(),
        Kernel("exp(u)"),
        Kernel("u**2 + u"),
        Kernel("kappa1(u/2 + 1/2) + 1"),
        kernels.network(3, "tanh", 1, 1),
    ],
    ids=str,
)
def test_kernels_that_are_known_on_the_sphere_alone(kernel: Kernel) -> None:
    with pytest.raises(AsymptokError, match="on the sphere"):
        kernel.gram(np.eye(3), normalize=False)


def test_trained_biases_off_the_sphere() -> None:
    """Depth 2 with biases beta b: T = (<x, y> + beta^2)(1/2 + 2 E[relu' relu']/2) + 2 E[relu relu] + beta^2."""
    X, Y = RNG.normal(size=(6, 3)), RNG.normal(size=(4, 3))
    mean, slope = _relu(np.sum(X * X, axis=1)[:, None], X @ Y.T, np.sum(Y * Y, axis=1)[None], False)
    kernel = kernels.network(2, "relu", weight_variance=1, tangent=True, trained_bias="1/3")
    wanted = (X @ Y.T + 1 / 3) * slope + mean + 1 / 3
    assert np.allclose(kernel.gram(X, Y, normalize=False), wanted, rtol=1e-12, atol=1e-13)


def test_degrees() -> None:
    """|x|^p |y|^p kappa(cos): p = 2 for kappa_2 and u^2, 0 for steps, which a row of zeros has not."""
    X = np.array([[3.0, 4.0], [0.0, 2.0], [0.0, 0.0]])
    lengths = np.linalg.norm(X, axis=1)
    cosine = np.array([[1, 0.8], [0.8, 1]])
    for kernel, degree in ((kernels.arc_cosine(2), 2), (Kernel("u**2"), 2), (kernels.step_features(3), 0)):
        G = kernel.gram(X, normalize=False)
        assert np.allclose(G[:2, :2], np.outer(lengths[:2], lengths[:2]) ** degree * kernel(cosine))
        assert (G[2] == 0).all()
    mixed = 3 * dual("erf") + 1
    assert np.allclose(mixed.gram(X, normalize=False), 3 * dual("erf").gram(X, normalize=False) + 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["relu", "erf", "gelu"])
def test_a_deep_network_with_biases_needs_no_expression(name: str) -> None:
    kernel = kernels.network(100, name, "3/2", "1/4", tangent=True)
    X = RNG.normal(size=(20, 4))
    G = kernel.gram(X)
    assert np.isfinite(G).all() and kernel(1.0) == pytest.approx(G[0, 0], rel=1e-10)


def test_an_expression_that_is_written_later_is_the_same() -> None:
    kernel = kernels.network(5, "erf", "3/2", "1/4", tangent=True)
    points = np.linspace(-1, 1, 9)
    values = kernel(points)
    twin = pickle.loads(pickle.dumps(kernel))
    assert np.allclose([float(twin.evaluate(point)) for point in points], values, rtol=1e-13)
    assert twin == kernel and pickle.loads(pickle.dumps(twin)) == kernel
    assert float(kernel.mean.diagonal) == pytest.approx(values[-1], rel=1e-13)


# parameters as arguments ----------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", ["numpy", *BACKENDS])
@pytest.mark.parametrize(
    "kernel",
    [
        kernels.laplace("c"),
        kernels.gamma_exponential("c"),
        kernels.rational_quadratic("c"),
        kernels.network(3, "relu", 1, "c", tangent=True),
    ],
    ids=str,
)
def test_parameters_are_arguments(backend: str, kernel: Kernel) -> None:
    f = pickle.loads(pickle.dumps(kernel.lambdify(backend, parameters=("c",))))
    points = np.concatenate([np.linspace(-1, 1, 11), [1 - 1e-9]])
    value, slope = _with_slope(backend, f, points, 0.75)
    assert np.allclose(value, kernel.subs(c="3/4")(points), rtol=1e-12)
    if slope is not None:
        step = 1e-5
        above, below = (kernel.subs(c=str(0.75 + s * step))(points) for s in (1, -1))
        assert np.allclose(slope, (above - below) / (2 * step), rtol=1e-6, atol=1e-8)


def _with_slope(backend: str, f: Any, points: Any, c: float) -> tuple[Any, Any]:
    if backend == "numpy":
        return f(points, c), None
    if backend == "jax":
        import jax

        with jax.enable_x64(True):
            return np.asarray(jax.jit(f)(points, c)), np.asarray(jax.jacfwd(f, argnums=1)(points, c))
    import torch

    x, parameter = torch.tensor(points, dtype=torch.float64), torch.tensor(c, dtype=torch.float64)
    slope = torch.autograd.functional.jacobian(lambda p: f(x, p), parameter)
    return f(x, parameter).numpy(), slope.numpy()


@pytest.mark.parametrize("backend", ["numpy", *BACKENDS])
@pytest.mark.parametrize("kernel", [kernels.ntk(3), kernels.laplace("c")], ids=str)
def test_gram_matrices_of_the_libraries(backend: str, kernel: Kernel) -> None:
    """Close and opposite rows keep their digits, as in `gram`; slopes are finite."""
    X = RNG.normal(size=(6, 4))
    X = np.vstack([X, X[0] * (1 + 1e-9), X[1] + 1e-8 * RNG.normal(size=4), -X[2] + 1e-7 * RNG.normal(size=4)])
    parameters = tuple(s.name for s in kernel.parameters)
    values = (1.5,) * len(parameters)
    f = kernel.lambdify(backend, parameters=parameters, points=True)
    wanted = kernel.subs(dict.fromkeys(parameters, "3/2")).gram(X)
    if backend == "jax":
        import jax

        with jax.enable_x64(True):
            found = np.asarray(f(X, X, *values))
            slope = np.asarray(jax.grad(lambda x: f(x, X, *values).sum())(X))
    elif backend == "torch":
        import torch

        points = torch.tensor(X, requires_grad=True)
        matrix = f(points, torch.tensor(X), *values)
        matrix.sum().backward()
        found, slope = matrix.detach().numpy(), points.grad.numpy()
    else:
        found, slope = f(X, X, *values), np.zeros(1)
    assert np.allclose(found, wanted, rtol=1e-13, atol=1e-13) and np.isfinite(slope).all()


def test_arguments_of_a_function_with_parameters() -> None:
    kernel = kernels.laplace("c")
    with pytest.raises(AsymptokError, match="no parameter z"):
        kernel.lambdify("numpy", parameters=("c", "z"))
    with pytest.raises(AsymptokError, match="parameters="):
        kernel.lambdify("numpy")
    f = kernel.lambdify("numpy", parameters="c")
    for arguments in ((0.5,), (0.5, 1, 2), (2.0, 1), (0.5, -1)):
        with pytest.raises(AsymptokError):
            f(*arguments)
