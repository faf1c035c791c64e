"""ZonalKernel as a kernel of scikit-learn: the library's own checks, exact gradients, and three estimators."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from sympy import oo

pytest.importorskip("sklearn")

from sklearn.base import clone, is_regressor
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, WhiteKernel
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics import r2_score
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from asymptok import AsymptokError, Kernel, kernels
from asymptok.learning import KernelRegression
from asymptok.sklearn import ZonalKernel

X = np.random.default_rng(0).normal(size=(8, 3))
Y = np.random.default_rng(1).normal(size=(5, 3))
KERNELS = [
    ZonalKernel(kernels.ntk(3)),
    ZonalKernel(kernels.laplace("c"), c=0.7),
    ZonalKernel(Kernel("kappa1(u) + c*u", parameters={"c": (0, oo)}), c=2.5, normalize=False),
    ZonalKernel(kernels.gamma_exponential("gamma", "c"), gamma=0.8),
    ZonalKernel(kernels.rational_quadratic("a", "l"), a_bounds="fixed"),
    ZonalKernel(kernels.polynomial(3, "c"), c=0.5),
    ZonalKernel(kernels.poisson("r", 3)),
    ZonalKernel(Kernel("a*u**2 + b", parameters={"a": (0, 10), "b": (0, 5)})),
]
ids = [repr(kernel) for kernel in KERNELS]


OWN_CHECKS = (
    "kernel_gradient kernel_theta auto_vs_cross kernel_diag kernel_clone kernel_clone_after_set_params "
    "set_get_params repr_kernels kernel_input_type kernel_versus_pairwise"
)


@pytest.mark.parametrize("name", OWN_CHECKS.split())
@pytest.mark.parametrize("kernel", KERNELS, ids=ids)
def test_own_checks_of_the_library(kernel: Any, name: str) -> None:
    """What scikit-learn's test suite asks of its own kernels; none of those has a parameter that is fixed in theta."""
    checks = pytest.importorskip("sklearn.gaussian_process.tests.test_kernels")
    if name == "kernel_theta" and any(p.fixed for p in kernel.hyperparameters):
        pytest.skip("a fixed parameter")
    # a copy, because older releases leave changes behind in what they are given
    getattr(checks, f"test_{name}")(clone(kernel))


@pytest.mark.parametrize("kernel", KERNELS, ids=ids)
def test_pickling_and_copies(kernel: Any) -> None:
    for twin in (pickle.loads(pickle.dumps(kernel)), copy.deepcopy(kernel)):
        assert twin == kernel and type(twin) is type(kernel) and isinstance(twin, ZonalKernel)


@pytest.mark.parametrize("kernel", KERNELS, ids=ids)
def test_matrix_cross_matrix_and_diagonal(kernel: Any) -> None:
    K = kernel(X)
    assert np.allclose(K, kernel(X, X), atol=1e-14) and np.allclose(np.diag(K), kernel.diag(X), rtol=1e-15)
    assert np.allclose(kernel(X, Y), kernel(Y, X).T, atol=1e-15)


@pytest.mark.parametrize("kernel", KERNELS, ids=ids)
def test_gradient(kernel: Any) -> None:
    """Against central differences in theta, as scikit-learn checks its own kernels."""
    _, gradient = kernel(X, eval_gradient=True)
    assert gradient.shape == (8, 8, kernel.n_dims)
    for i in range(kernel.n_dims):
        step = np.zeros(kernel.n_dims)
        step[i] = 1e-5
        above, below = (kernel.clone_with_theta(kernel.theta + s * step)(X) for s in (1, -1))
        assert np.allclose(gradient[:, :, i], (above - below) / 2e-5, atol=1e-8)


@pytest.mark.parametrize("kernel", KERNELS, ids=ids)
def test_theta_matches_hyperparameters(kernel: Any) -> None:
    free = [p for p in kernel.hyperparameters if not p.fixed]
    assert np.allclose(kernel.theta, [np.log(getattr(kernel, p.name)) for p in free])
    assert kernel.bounds.shape == (len(free), 2) if free else kernel.n_dims == 0
    for i, p in enumerate(free):
        changed = kernel.clone_with_theta(kernel.theta + 0.1 * np.eye(len(free))[i])
        assert getattr(changed, p.name) == pytest.approx(getattr(kernel, p.name) * np.exp(0.1))
        assert getattr(kernel, p.name) != getattr(changed, p.name)


@pytest.mark.parametrize("kernel", KERNELS, ids=ids)
def test_clone_and_parameters(kernel: Any) -> None:
    twin = clone(kernel)
    assert twin == kernel and twin is not kernel and repr(twin) == repr(kernel)
    assert twin.get_params().keys() == kernel.get_params().keys()
    for name, value in kernel.get_params().items():
        assert twin.get_params()[name] is value or twin.get_params()[name] == value
    for p in kernel.hyperparameters:
        twin.set_params(**{p.name: 0.42, f"{p.name}_bounds": (0.1, 0.9)})
        assert getattr(twin, p.name) == 0.42 and clone(twin) == twin
        assert np.allclose(twin(X), clone(twin)(X))


@pytest.mark.parametrize("kernel", KERNELS[1:3], ids=ids[1:3])
def test_operators(kernel: Any) -> None:
    assert np.allclose((3.0 * kernel + WhiteKernel(0.1))(X), 3 * kernel(X) + 0.1 * np.eye(8))
    assert np.allclose((kernel * kernel)(X), kernel(X) ** 2) and np.allclose((kernel**2)(X), kernel(X) ** 2)


def test_gaussian_process_regression() -> None:
    """Prediction and deviation as KernelRegression has them; the optimiser finds a parameter near the true one."""
    y = np.sin(X[:, 0])
    gp = GaussianProcessRegressor(ZonalKernel(kernels.ntk(2)), alpha=0.01, optimizer=None).fit(X, y)
    mean, deviation = gp.predict(Y, return_std=True)
    own = KernelRegression(kernels.ntk(2), 0.01).fit(X, y).predict(Y, return_std=True)
    assert np.allclose(mean, own[0], atol=1e-10) and np.allclose(deviation, own[1], atol=1e-8)
    points = np.random.default_rng(5).normal(size=(120, 3))
    sample = np.linalg.cholesky(kernels.laplace(2).gram(points) + 1e-10 * np.eye(120))
    values = sample @ np.random.default_rng(6).normal(size=120)
    fitted = GaussianProcessRegressor(ConstantKernel() * ZonalKernel(kernels.laplace("c")), alpha=1e-8)
    with np.errstate(all="ignore"):
        found = fitted.fit(points, values).kernel_
    # c and the constant are confounded at short distance: the product c * constant is what the data fix
    assert found.k1.constant_value * found.k2.c == pytest.approx(2, rel=0.5)


def test_kernel_ridge_and_support_vectors() -> None:
    y = X[:, 0] * X[:, 1]
    ridge = KernelRidge(alpha=0.1, kernel=ZonalKernel(kernels.ntk(3))).fit(X, y).predict(Y)
    assert np.allclose(ridge, KernelRegression(kernels.ntk(3), 0.1).fit(X, y).predict(Y), atol=1e-10)
    precomputed = KernelRidge(alpha=0.1, kernel="precomputed").fit(kernels.ntk(3).gram(X), y)
    assert np.allclose(precomputed.predict(kernels.ntk(3).gram(Y, X)), ridge, atol=1e-10)
    labels = (X[:, 0] > 0).astype(int)
    machine = SVC(kernel=ZonalKernel(kernels.laplace("c"), c=2.0), C=1e3).fit(X, labels)
    assert (machine.predict(X) == labels).all()


@pytest.mark.parametrize("kernel", [kernels.ntk(3), kernels.ntk(3).gram])
def test_kernels_in_the_place_of_zonal_kernels(kernel: Any) -> None:
    with pytest.raises(AsymptokError, match=r"kernel=ZonalKernel\(K\)"):
        KernelRidge(kernel=kernel).fit(X, X[:, 0])


@pytest.mark.parametrize("columns", [None, 2])
def test_regression_is_an_estimator(columns: int | None) -> None:
    """clone, score, cross-validation, pipelines and a search, with the numbers of KernelRidge."""
    points = np.random.default_rng(2).normal(size=(60, 3))
    y = points[:, 0] * points[:, 1] if columns is None else points[:, :columns] ** 2
    model, other = (
        KernelRegression(kernels.ntk(3), 0.1),
        KernelRidge(alpha=0.1, kernel=ZonalKernel(kernels.ntk(3))),
    )
    assert clone(model).get_params() == model.get_params() and is_regressor(model)
    scores = [
        cross_val_score(make_pipeline(StandardScaler(), each), points, y, cv=3) for each in (model, other)
    ]
    assert np.allclose(*scores, rtol=1e-10)
    search = GridSearchCV(model, {"ridge": [1e-3, 1e3], "kernel": ["1 + u", kernels.laplace()]}, cv=3).fit(
        points, y
    )
    assert search.best_params_ == {"ridge": 1e-3, "kernel": kernels.laplace()}
    fitted = pickle.loads(pickle.dumps(search.best_estimator_))
    assert np.array_equal(fitted.predict(points), search.predict(points))
    weight = np.arange(1.0, 61.0)
    assert fitted.score(points, y, weight) == pytest.approx(
        r2_score(y, fitted.predict(points), sample_weight=weight)
    )
    assert fitted.score(points, 0 * y) == r2_score(0 * y, fitted.predict(points)) == 0


def test_bounds_that_nobody_gave() -> None:
    """All of (0, oo) is searched, and an open range but for its ends."""
    assert ZonalKernel(kernels.laplace("c")).c_bounds == (1e-5, 1e5)
    low, high = ZonalKernel(kernels.gamma_exponential("g")).g_bounds
    assert low == 1e-5 and 2 - 1e-5 < high < 2
    half = Kernel("exp(a*u)", parameters={"a": (3, 4)})
    low, high = ZonalKernel(half).a_bounds
    assert 3 < low < 3.00001 and 3.99999 < high < 4


def test_bad_input() -> None:
    for name in ("kernel", "normalize", "theta", "diag"):
        with pytest.raises(AsymptokError, match="rename"):
            ZonalKernel(Kernel(f"exp({name}*u)", parameters={name: (0, 1)}))
    with pytest.raises(AsymptokError, match="fixed"):
        ZonalKernel(kernels.matern("nu"))(X, eval_gradient=True)
    with pytest.raises(AsymptokError, match="not a parameter"):
        ZonalKernel(kernels.laplace("c"), q=1)
    with pytest.raises(AsymptokError, match="nan"):
        ZonalKernel(kernels.ntk(2))(np.full((2, 3), np.nan))
    with pytest.raises(AsymptokError, match="finite number"):
        ZonalKernel(kernels.laplace("c"), c="x")(X)
    with pytest.raises(AsymptokError, match="outside"):
        ZonalKernel(kernels.laplace("c"), c=-1.0)(X)
    with pytest.raises(AsymptokError, match="leave Y out"):
        ZonalKernel(kernels.ntk(2))(X, Y, eval_gradient=True)
