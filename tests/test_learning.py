"""Regression, gradient flow, learning curves, high dimension: against direct computation and measurement."""

from __future__ import annotations

import sys
from typing import Any

import mpmath
import numpy as np
import pytest
from sympy import Rational, exp

from asymptok import (
    AsymptokError,
    Kernel,
    consequences,
    d,
    eigenvalues,
    high_dimension,
    kernels,
    learnable_degree,
    learning_curve,
)
from asymptok.functions.zonal import zonal_polynomials
from asymptok.learning import KernelRegression
from asymptok.learning.curve import Modes, _far_modes
from asymptok.spectrum import multiplicity
from asymptok.truth import Truth

RNG = np.random.default_rng(11)


def sphere(n: int, dimension: int, rng: Any = RNG) -> Any:
    X = rng.normal(size=(n, dimension))
    return X / np.linalg.norm(X, axis=1)[:, None]


# regression ------------------------------------------------------------------------------------------------


def test_against_normal_equations() -> None:
    X, Z = sphere(25, 4), sphere(6, 4)
    y = RNG.normal(size=(25, 2))
    kernel, ridge = kernels.ntk(3), 0.3
    A = kernel.gram(X) + ridge * np.eye(25)
    cross = kernel.gram(Z, X)
    model = KernelRegression(kernel, ridge).fit(X, y)
    mean, deviation = model.predict(Z, return_std=True)
    assert np.allclose(mean, cross @ np.linalg.inv(A) @ y, rtol=1e-11)
    variance = 3 - np.diag(cross @ np.linalg.inv(A) @ cross.T)
    assert np.allclose(deviation**2, variance, rtol=1e-10)
    assert np.allclose(model.weights(Z) @ y, mean, rtol=1e-11)
    alpha = np.linalg.inv(A) @ y
    assert model.norm == pytest.approx(np.sqrt(np.trace(alpha.T @ kernel.gram(X) @ alpha)), rel=1e-10)


def test_without_scipy_and_in_single_precision(monkeypatch: pytest.MonkeyPatch) -> None:
    """NumPy's factor gives the same numbers; single precision stays, and is as exact as the condition allows."""
    X, y = sphere(40, 4), RNG.normal(size=40)
    model = KernelRegression(kernels.ntk(3), 0.5).fit(X, y)
    mean, deviation = model.predict(X[:5] + 0.1, return_std=True)
    single = KernelRegression(kernels.ntk(3), 0.5).fit(X.astype(np.float32), y)
    found = single.predict((X[:5] + 0.1).astype(np.float32), return_std=True)
    assert all(part.dtype == np.float32 for part in (*found, single.dual_coef_, single.flow(3.0).dual))
    assert np.allclose(found[0], mean, atol=1e-4) and np.allclose(found[1], deviation, atol=1e-4)
    monkeypatch.setitem(sys.modules, "scipy.linalg", None)
    alone = KernelRegression(kernels.ntk(3), 0.5).fit(X, y).predict(X[:5] + 0.1, return_std=True)
    assert np.allclose(alone, (mean, deviation), rtol=1e-12)


@pytest.mark.parametrize("ridge", [0, 0.1])
def test_leave_one_out_is_retraining(ridge: float) -> None:
    X, y = sphere(12, 3), RNG.normal(size=12)
    found = KernelRegression(kernels.laplace(), ridge).fit(X, y).leave_one_out()
    for i in range(12):
        rest = np.arange(12) != i
        alone = KernelRegression(kernels.laplace(), ridge).fit(X[rest], y[rest]).predict(X[i : i + 1])[0]
        assert found[i] == pytest.approx(alone, rel=1e-8, abs=1e-10)


def test_singular_matrix_gives_the_minimal_norm() -> None:
    """A kernel of rank 4 and 10 points with values from its space: the pseudo-inverse, found by least squares."""
    X = sphere(10, 3)
    y = 1 + X @ np.array([1.0, -2.0, 0.5])
    model = KernelRegression("1 + 2*u").fit(X, y)
    features = np.hstack([np.ones((10, 1)), np.sqrt(2) * X])
    weights = np.linalg.lstsq(features, y, rcond=None)[0]
    assert np.allclose(model.predict(X), y, atol=1e-10) and model.norm == pytest.approx(
        np.linalg.norm(weights), rel=1e-9
    )
    with pytest.raises(AsymptokError, match="singular"):
        model.leave_one_out()


def test_flow_is_gradient_descent() -> None:
    """Euler steps of df/dt = -(1/n) K(., X)(f - y) with a small step, and the limit."""
    X, Z = sphere(15, 3), sphere(4, 3)
    y = RNG.normal(size=15)
    kernel = kernels.ntk(2) + 1
    model = KernelRegression(kernel).fit(X, y)
    K, cross, dual, step = kernel.gram(X), kernel.gram(Z, X), np.zeros(15), 1e-3
    for _ in range(5000):
        dual -= step / 15 * (K @ dual - y)
    assert np.allclose(model.flow(5.0).predict(Z), cross @ dual, atol=2e-3)
    assert np.allclose(model.flow(2.5, rate=2).predict(Z), model.flow(5.0)(Z), rtol=1e-12)
    assert np.allclose(model.flow(float("inf")).predict(Z), model.predict(Z), rtol=1e-7, atol=1e-9)
    assert np.allclose(model.flow(0).predict(Z), 0)


def test_early_stopping_is_best_of_the_times() -> None:
    X, Z = sphere(60, 3), sphere(200, 3)
    y, truth = X[:, 0] + 0.8 * RNG.normal(size=60), Z[:, 0]
    model = KernelRegression(kernels.laplace()).fit(X, y)
    stopped = model.early_stopping(Z, truth)
    error = np.mean((stopped.predict(Z) - truth) ** 2)
    assert error < 0.5 * np.mean((model.predict(Z) - truth) ** 2)
    times = [0.1 * stopped.t, stopped.t, 10 * stopped.t]
    assert model.early_stopping(Z, truth, times).t == stopped.t


@pytest.mark.parametrize(
    "bad",
    [
        lambda: KernelRegression("u", ridge=-1).fit(np.eye(3), [1, 2, 3]),
        lambda: KernelRegression("u", ridge=float("nan")).fit(np.eye(3), [1, 2, 3]),
        lambda: KernelRegression("u").set_params(alpha=1),
        lambda: KernelRegression("u").predict(np.eye(3)),
        lambda: KernelRegression("u").fit(np.eye(3), [1, 2]),
        lambda: KernelRegression("u").fit(np.eye(3), [1, 2, np.nan]),
        lambda: KernelRegression("u").fit(np.zeros((0, 3)), []),
        lambda: KernelRegression("u").fit(np.eye(3), [1, 2, 3]).predict(np.eye(4)),
        lambda: KernelRegression("u").fit(np.eye(3), [1, 2, 3]).flow(-1),
        lambda: KernelRegression("u - 3*u**2").fit(np.eye(3), [1, 2, 3]),
        lambda: KernelRegression("u").fit(np.eye(3), [1, 2, 3]).early_stopping(np.eye(3), [1, 2, 3], ["x"]),
        lambda: learning_curve("exp(u)", 3, 10**6, {0: 1}),
        lambda: learning_curve("1+u", 3, 10, {"a": 1, 2: 1}),
        lambda: learning_curve("1+u", 3, 0, {0: 1}),
        lambda: learning_curve("1+u", n=2, data=np.eye(3)),
        lambda: learning_curve("1+u", n=3, data=(np.eye(3), [1, 2, 3])),
        lambda: learning_curve("1+u", 3, 2, data=(np.eye(3), [1, 2, 3])),
        lambda: learning_curve("u - 3*u**2", n=2, data=(np.eye(3), [1, 2, 3])),
        lambda: learning_curve("1+u", n=2),
        lambda: learning_curve("1+u", 3, [], {0: 1}),
        lambda: learning_curve("1+u", 3, 10, {}),
        lambda: learning_curve("1+u", 3, 10, {-1: 1}),
        lambda: learning_curve("1+u", 3, 10, {0: float("nan")}),
        lambda: learning_curve("1+u", 3, 10, {0: 1}, ridge=-1),
        lambda: learning_curve("1+u", 1, 10, {0: 1}),
        lambda: learning_curve("-u", 3, 10, {0: 1}),
        lambda: learning_curve(kernels.laplace("c"), 3, 10, {0: 1}),
        lambda: learning_curve(kernels.laplace(), 2, 10**12, {1: 1}),
        lambda: learnable_degree("u", 3, 0),
        lambda: high_dimension("abs(u)"),
        lambda: high_dimension("exp(u)").series(1, 0),
        lambda: high_dimension("exp(u)").series(-1, 1),
    ],
)
def test_bad_input(bad: Any) -> None:
    with pytest.raises(AsymptokError):
        bad()


# learning curves -------------------------------------------------------------------------------------------


def test_effective_ridge_solves_its_equation() -> None:
    kernel, n, ridge = kernels.laplace(), 200, 0.01
    curve = learning_curve(kernel, 3, n, {0: 1.0, 2: 0.5}, ridge=ridge)
    c = curve.effective_ridge[0]
    spectrum = eigenvalues(kernel, 3, kmax=1500, dps=15)
    mu, N = spectrum.to_numpy(), spectrum.multiplicities
    rest = float(spectrum.tail(1500))
    assert np.sum(N * mu / (mu + c)) + (ridge + rest) / c == pytest.approx(n, rel=2e-3)
    assert curve.learned[0, 1] == pytest.approx(mu[2] / (mu[2] + c), rel=1e-9)


@pytest.mark.parametrize(("dimension", "n"), [(2, 1e6), (3, 1e6)])
def test_a_million_points(dimension: int, n: float) -> None:
    """Without ridge, eigenvalues i^-a make n/(n - sum L^2) tend to a; for the Laplace kernel a = 1 + 1/(d-1)."""
    curve = learning_curve(kernels.laplace(), dimension, n, {1: 1.0}, noise=1.0)
    assert curve.error[0] == pytest.approx(1 / (dimension - 1), rel=2e-3)


def test_an_analytic_kernel_has_no_last_degree() -> None:
    """exp(u), without ridge: eigenvalues 10^-70 are resolved, and amplify the noise; mpmath solves the equation."""
    n = 2000
    with mpmath.workdps(120):
        mu = [mpmath.sqrt(mpmath.pi / 2) * mpmath.besseli(k + mpmath.mpf(1) / 2, 1) for k in range(90)]

        def learned(c: Any, power: int) -> Any:
            return mpmath.fsum((2 * k + 1) * (m / (m + c)) ** power for k, m in enumerate(mu))

        low, high = mpmath.mpf(-200), mpmath.mpf(0)
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if learned(10**middle, 1) > n else (low, middle)
        wanted = float(n / (n - learned(10**low, 2)) - 1)
        degree = max(k for k, m in enumerate(mu) if m > 10**low)
    assert learning_curve("exp(u)", 3, n, {1: 1}, noise=1).error[0] == pytest.approx(wanted, rel=1e-9)
    assert learnable_degree("exp(u)", 3, n) == degree == 44


def test_blocks_of_degrees_agree_with_single_ones() -> None:
    sizes, kernel = np.array([100.0, 300.0]), kernels.laplace()
    far, near = _far_modes(kernel, 2, 64), _far_modes(kernel, 2, 1024)
    assert far.mu.size < near.mu.size
    assert np.allclose(far.effective_ridge(sizes, 0.0), near.effective_ridge(sizes, 0.0), rtol=2e-4)


def test_least_squares_and_its_peak() -> None:
    curve = learning_curve("1 + u + u**2", 3, [20, 9, 5], {1: 1.0, 4: 2.0}, noise=0.5)
    # rank 9: the power in degree 4 is noise to it
    assert curve.error[0] == pytest.approx((2.0 + 0.5) * 20 / 11 - 0.5, rel=1e-12)
    assert np.isinf(curve.error[1]) and np.isfinite(curve.error[2])


def measured(
    kernel: Kernel, dimension: int, n: int, target: dict[int, float], ridge: float, runs: int
) -> Any:
    """Mean and standard error of the squared error over random points and random functions with these powers."""
    errors = []
    for run in range(runs):
        rng = np.random.default_rng((run, n, dimension))
        points = sphere(n + 500, dimension, rng)
        values = np.zeros(len(points))
        for degree, power in target.items():
            centres = sphere(64, dimension, rng)
            weights = rng.normal(size=64) * np.sqrt(power * multiplicity(degree, dimension) / 64)
            rows = zonal_polynomials(dimension, np.clip(points @ centres.T, -1, 1))
            for _ in range(degree):
                next(rows)
            values += next(rows) @ weights
        model = KernelRegression(kernel, ridge).fit(points[:n], values[:n])
        errors.append(np.mean((model.predict(points[n:]) - values[n:]) ** 2))
    return np.mean(errors), np.std(errors, ddof=1) / np.sqrt(runs)


def test_measuring_averages_over_targets_and_noise() -> None:
    """The exact mean over targets against targets drawn one by one, and least squares in a space of dimension 4."""
    curve = learning_curve(kernels.laplace(), 4, 40, {1: 0.3, 2: 0.7}, ridge=0.1)
    _, (mean,), (error,) = curve.measure(runs=30)
    direct, spread = measured(kernels.laplace(), 4, 40, curve.target, 0.1, 60)
    assert abs(mean - direct) <= 3 * np.hypot(error, spread) and error < spread
    _, (mean,), (error,) = learning_curve("1 + u", 3, 100, {0: 1, 1: 1}, noise=2).measure(runs=20)
    # rank 4: noise * 4/(n - 4) up to terms of order 1/n^2
    assert abs(mean - 8 / 96) <= 3 * error + 0.02 * mean


@pytest.mark.parametrize(
    ("dimension", "target", "ridge", "room"),
    [
        (10, {1: 0.5, 3: 0.5}, 1e-3, 0.02),
        (5, {k: 1.0 / (k + 1) ** 2 for k in range(15)}, 1.0, 0.02),
        (3, {k: 1.0 / (k + 1) ** 2 for k in range(40)}, 1e-3, 0.1),
        (3, {1: 0.5, 3: 0.5}, 1.0, 0.03),
    ],
)
def test_prediction_against_measurement(
    dimension: int, target: dict[int, float], ridge: float, room: float
) -> None:
    curve = learning_curve(kernels.laplace(), dimension, [60, 120], target, ridge)
    _, mean, error = curve.measure(runs=10)
    assert (np.abs(curve.error - mean) <= 3 * error + room * mean).all()


def test_where_the_prediction_is_too_low() -> None:
    """Few effective directions: little ridge, a smooth target, two dimensions. docs/learning.md says so."""
    for dimension, n, low, high in ((3, 300, 1.6, 2.2), (2, 100, 3, 9)):
        curve = learning_curve(kernels.laplace(), dimension, n, {1: 0.5, 3: 0.5}, 1e-3)
        assert low < curve.measure(runs=8)[1][0] / curve.error[0] < high


# learning curves of data sets ------------------------------------------------------------------------------


@pytest.mark.parametrize(("ridge", "noise"), [(0.0, 0.0), (0.05, 0.0), (0.2, 0.3)])
def test_random_rotations_of_the_eigenvectors(ridge: float, noise: float) -> None:
    """The theory is exact, up to 1/P, for P points whose eigenvectors are a random rotation."""
    P, runs, rng = 80, 50, np.random.default_rng(4)
    mu = 1.0 / np.arange(1, P + 1) ** 1.5
    power = 1.0 / np.arange(1, P + 1) ** 2
    modes = Modes(mu, np.ones(P), 0.0, False, P, True, P)
    for n in (10, 40, 70):
        size = np.array([float(n)])
        c = modes.effective_ridge(size, ridge)
        predicted = modes.error(size, c, np.array([np.sum((c / (mu + c)) ** 2 * power)]), noise)[0]
        found = np.empty(runs)
        for run in range(runs):
            q, triangle = np.linalg.qr(rng.normal(size=(P, P)))
            U = q * np.sign(np.diag(triangle))
            K = P * (U * mu) @ U.T
            y = np.sqrt(P) * U @ (np.sqrt(power) * rng.choice([-1.0, 1.0], P))
            w = np.linalg.solve(K[:n, :n] + ridge * np.eye(n), K[:n, n:]).T
            found[run] = np.mean((w @ y[:n] - y[n:]) ** 2) + noise * np.sum(w**2) / (P - n)
        assert abs(found.mean() - predicted) < 4 * found.std() / np.sqrt(runs) + 2 * predicted / P


def test_least_squares_in_a_data_set() -> None:
    """Rank 4: noise * 4/(n - 4), for every number of points, and the peak; two tasks add up."""
    X = sphere(30, 3)
    curve = learning_curve("1 + u", data=(X, np.zeros(30)), n=[10, 4, 20], noise=3)
    assert np.allclose(curve.error[[0, 2]], [2, 0.75], rtol=1e-12) and np.isinf(curve.error[1])
    y = np.stack([X[:, 0] ** 2, X[:, 1] * X[:, 2]], axis=1)
    both = learning_curve(kernels.laplace(), data=(X, y), n=[5, 20], ridge=0.1, noise=0.2).error
    each = [
        learning_curve(kernels.laplace(), data=(X, v), n=[5, 20], ridge=0.1, noise=0.2).error for v in y.T
    ]
    assert np.allclose(both, sum(each), rtol=1e-12)


def test_a_data_set_against_regressions() -> None:
    """Points of S^9, a smooth target: the prediction against splits; and most of the points left out one by one."""
    X = sphere(300, 10, np.random.default_rng(8))
    y = X[:, 0] + 3 * X[:, 1] * X[:, 2]
    curve = learning_curve(kernels.ntk(3), data=(X, y), n=[30, 100, 250, 299], ridge=0.1, noise=0.1)
    _, mean, error = curve.measure(runs=10)
    assert (np.abs(curve.error - mean)[:3] <= 4 * error[:3] + 0.03 * mean[:3]).all()
    alone = KernelRegression(kernels.ntk(3), 0.1).fit(X, y).leave_one_out()
    quiet = learning_curve(kernels.ntk(3), data=(X, y), n=299, ridge=0.1)
    assert quiet.error[0] == pytest.approx(np.mean((alone - y) ** 2), rel=0.05)
    assert "300 points in 10 columns" in str(curve) and "n = 250" in str(curve)


# high dimension --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kernel", [kernels.ntk(3), kernels.laplace(), kernels.arc_cosine(1), Kernel("exp(u) + u**5")]
)
@pytest.mark.parametrize("degree", [0, 1, 2])
def test_series_in_one_over_d(kernel: Kernel, degree: int) -> None:
    """The error of the series with three terms falls by 10^3 when d grows by 10."""
    series = high_dimension(kernel).series(degree, 3)
    errors = []
    for dimension in (100, 1000):
        exact = eigenvalues(kernel, dimension, ks=[degree])[degree]
        with mpmath.workdps(40):
            errors.append(abs(mpmath.mpf(str(series.subs(d, dimension).evalf(35))) / exact - 1))
    assert errors[0] < 1e-30 or 500 < errors[0] / errors[1] < 2000


def test_leading_term_and_vanishing() -> None:
    found = high_dimension("exp(u)")
    assert found.series(2, 1) == 1 / d**2 and found.series(0, 1) == 1
    assert found.derivative(5) == 1
    relu = high_dimension(kernels.arc_cosine(1))
    assert relu.series(3, 2) == 0 and relu.vanishes(3) is Truth.TRUE and relu.vanishes(2) is Truth.FALSE
    # u^4 has degrees 4, 2, 0: mu_2 starts a power of 1/d later, 4!/(2^1 1!)/d^3
    assert high_dimension("u**4").series(2, 1) == 12 / d**3 and high_dimension("u**4").series(6, 1) == 0
    assert high_dimension(exp(-Rational(1, 2)) * kernels.gaussian().expr).derivative(0) == exp(
        -Rational(3, 2)
    )


def test_learnable_degree() -> None:
    for dimension in (50, 100):
        wanted = [
            learnable_degree(kernels.laplace(), dimension, int(dimension**p)) for p in (0.5, 1.5, 2.5, 3.5)
        ]
        assert wanted == [0, 1, 2, 3]
    # odd degrees from 3 on are no part of the two-layer kernel
    assert learnable_degree(kernels.ntk(2), 20, 10**6) == 2


def test_plot() -> None:
    pytest.importorskip("matplotlib")
    curves = [
        learning_curve(kernel, 3, [10, 100, 1000], {1: 1}) for kernel in (kernels.ntk(2), kernels.laplace())
    ]
    figure = curves[0].plot(curves[1], measured=[None, ([10, 100], [0.5, 0.1], [0.1, 0.01])])
    labels = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert labels == [curve.kernel.name for curve in curves]


def test_source_condition_and_saturation() -> None:
    """H^r with s = d/2 for the NTK: n^(-2r/(2r+d-1)), and nothing more from r = 2s on."""
    for r, wanted in (
        (1, Rational(-1, 2)),
        (Rational(3, 2), Rational(-3, 5)),
        (3, Rational(-3, 4)),
        (7, Rational(-3, 4)),
    ):
        assert consequences(kernels.ntk(3), 3, target_smoothness=r).target_rate.value == wanted
    assert consequences(kernels.ntk(3), 3).target_rate is None
    # r = s is a target in the RKHS
    inside = consequences(kernels.ntk(3), 3, target_smoothness=Rational(3, 2))
    assert inside.target_rate.value == inside.krr_rate.value
    assert consequences(kernels.gaussian(), 3, target_smoothness=2).target_rate.value is None
    with pytest.raises(AsymptokError):
        consequences(kernels.ntk(3), 3, target_smoothness=0)
