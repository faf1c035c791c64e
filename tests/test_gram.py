"""kernel.gram and kernel.lambdify: against mpmath at high precision, and where doubles alone would fail."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest

from asymptok import AsymptokError, Kernel, kernels
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
