"""Random features and finite networks against their kernels; every seed is fixed, every tolerance a standard error."""

from __future__ import annotations

import numpy as np
import pytest

from asymptok import AsymptokError, RadialKernel, features, kernels

X = np.array([[1.0, 0.0, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 2.0], [-0.6, -0.8, 0.1], [0.0, 0.0, 0.0]])


@pytest.mark.parametrize("order", [0, 1, 2, 3])
def test_arc_cosine_units(order: int) -> None:
    """The mean over copies is the kernel; the spread is the standard error from kappa of twice the order."""
    make = [features.arc_cosine(order, 400, 3, seed) for seed in range(200)]
    errors = np.array([phi.gram(X) - phi.limit(X) for phi in make])
    spread = make[0].standard_error(X)
    upper = np.triu_indices(len(X))
    mean_deviation = errors.mean(axis=0)[upper] / np.where(spread[upper] > 0, spread[upper] / np.sqrt(200), 1)
    assert np.abs(mean_deviation).max() < 3.5
    # the variance of a variance: heavy tails at high order, so a wide band there
    ratio = (errors.std(axis=0)[upper] / np.where(spread[upper] > 0, spread[upper], np.inf))[
        spread[upper] > 0
    ]
    assert np.abs(ratio - 1).max() < (0.2 if order < 2 else 0.5)
    assert np.all(errors[:, 4] == 0)


def test_points_of_a_line() -> None:
    phi = features.relu(50, 1, 0)
    assert np.allclose(phi.limit([[2.0], [-3.0], [0.0]]), [[4, 0, 0], [0, 9, 0], [0, 0, 0]])
    assert np.all(features.empirical_ntk(2, 50, 1, 0).gram([[0.0]]) == 0)


def test_relu_is_order_one_and_seeds_are_respected() -> None:
    assert np.array_equal(features.relu(20, 3, 5)(X), features.arc_cosine(1, 20, 3, 5)(X))
    assert not np.array_equal(features.relu(20, 3, 5)(X), features.relu(20, 3, 6)(X))
    phi = features.relu(7, 3, 1)
    assert phi(X).shape == (5, 7)
    assert phi(X)[2] == pytest.approx(np.sqrt(2 / 7) * np.maximum(phi.weights @ X[2], 0))
    assert phi.kernel == kernels.arc_cosine(1)
    assert np.allclose(phi.gram(X, X[:2]), phi(X) @ phi(X[:2]).T)


@pytest.mark.parametrize(
    "text", ["exp(-r**2/2)", "2*exp(-r)", "1/(1 + r**2)", "r*besselk(1, r)", "exp(-r**(1/2))"]
)
@pytest.mark.parametrize("orthogonal", [False, True])
def test_fourier_features(text: str, orthogonal: bool) -> None:
    kernel = RadialKernel(text)
    make = [features.fourier(kernel, 60, 3, seed, orthogonal) for seed in range(300)]
    limit = make[0].limit(X)
    errors = np.array([phi.gram(X) - limit for phi in make])
    assert np.abs(np.diagonal(errors, axis1=1, axis2=2)).max() < 1e-12
    upper = np.triu_indices(len(X), 1)
    spread = errors.std(axis=0)[upper]
    assert np.abs(errors.mean(axis=0)[upper] / (spread / np.sqrt(300))).max() < 3.5
    exact = features.fourier(kernel, 60, 3, 0).standard_error(X)[upper]
    if orthogonal:
        # the point of it: no more spread than independent frequencies have, up to the noise of its estimate
        assert np.all(spread < exact * 1.2)
    else:
        assert np.abs(spread / exact - 1).max() < 0.15


def test_orthogonal_units_help_the_gaussian_kernel() -> None:
    """Yu et al. (2016): the variance falls for small distances; here by more than a factor of two at r = 1, d = 8."""
    points = np.zeros((2, 8))
    points[1, 0] = 1.0
    spread = {}
    for orthogonal in (False, True):
        copies = [
            features.fourier("exp(-r**2/2)", 64, 8, seed, orthogonal).gram(points)[0, 1]
            for seed in range(400)
        ]
        spread[orthogonal] = np.var(copies)
    assert spread[True] < spread[False] / 1.5
    with pytest.raises(AsymptokError, match="replicate"):
        features.relu(10, 3, 0, orthogonal=True).standard_error(X)


def test_orthogonal_rows() -> None:
    weights = features.relu(7, 3, 0, orthogonal=True).weights
    gram = weights[:3] @ weights[:3].T
    assert np.abs(gram - np.diag(np.diag(gram))).max() < 1e-12
    weights = features.relu(3000, 3, 1, orthogonal=True).weights
    squares = np.sum(weights**2, axis=1)
    assert abs(squares.mean() - 3) < 3 * np.sqrt(6 / 3000)


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_gradient_is_the_gradient(depth: int) -> None:
    """The features against finite differences of the network function."""
    phi = features.empirical_ntk(depth, 6, 3, seed=depth)

    def value(parameters: np.ndarray, x: np.ndarray) -> float:
        position, signal = 0, x
        sizes = [layer.shape for layer in phi.layers]
        for n, k in sizes:
            weights = parameters[position : position + n * k].reshape(n, k)
            signal = np.sqrt(2 / n) * np.maximum(weights @ signal, 0)
            position += n * k
        return float(parameters[position:] @ signal)

    parameters = np.concatenate([*(layer.ravel() for layer in phi.layers), phi.output])
    gradient = phi(X[1:2])[0]
    # the features start with the output layer and go down
    parts = [phi.output.size, *(layer.size for layer in phi.layers[::-1])]
    blocks = np.split(gradient, np.cumsum(parts)[:-1])
    ordered = np.concatenate([*blocks[:0:-1], blocks[0]])
    step = 1e-6
    for i in range(0, len(parameters), 3):
        moved = parameters.copy()
        moved[i] += step
        slope = (value(moved, X[1]) - value(parameters, X[1])) / step
        assert slope == pytest.approx(ordered[i], abs=1e-5)
    assert np.allclose(phi(X) @ phi(X[:2]).T, phi.gram(X, X[:2]))


def test_two_layer_tangent_kernel_is_unbiased_with_exact_error_bars() -> None:
    found = features.replicate(lambda rng: features.empirical_ntk(2, 300, 3, rng), X[:4], repeats=300, seed=4)
    assert np.abs(found.deviation).max() < 3.5
    exact = features.empirical_ntk(2, 300, 3, 0).standard_error(X[:4])
    assert np.abs(found.standard_error * np.sqrt(300) / exact - 1).max() < 0.2
    assert exact[0, 0] == pytest.approx(np.sqrt(12 / 300))


@pytest.mark.parametrize("depth", [2, 3, 5])
def test_finite_networks_approach_their_kernels(depth: int) -> None:
    for make in (features.network, features.empirical_ntk):
        found = features.replicate(
            lambda rng, make=make: make(depth, 256, 3, rng), X[:4], repeats=60, seed=depth
        )
        # the bias of order 1/m is far below the spread over 60 copies
        assert np.abs(found.deviation).max() < 3.5
    assert np.allclose(
        features.empirical_ntk(depth, 4, 3, 0).limit(X)[:2, :2], kernels.ntk(depth)(X[:2] @ X[:2].T)
    )


@pytest.mark.parametrize(
    "make",
    [
        lambda m, rng: features.relu(m, 3, rng),
        lambda m, rng: features.fourier("exp(-r)", m, 3, rng),
        lambda m, rng: features.network(3, m, 3, rng),
        lambda m, rng: features.empirical_ntk(3, m, 3, rng),
    ],
)
def test_rate_is_one_over_root_m(make: object) -> None:
    found = features.convergence(make, X, m=[24, 96, 384], repeats=30, seed=7)
    assert abs(found.slope + 0.5) < 3 * found.slope_error + 0.02
    assert found.slope_error < 0.1
    assert np.all(found.supremum > found.rms)


def test_uniform_bound_holds_and_is_what_it_says() -> None:
    rng = np.random.default_rng(0)
    points = rng.uniform(-1, 1, (80, 2))
    diameter = 2 * np.sqrt(2)
    phi = features.fourier("exp(-r**2/2)", 2000, 2, seed=2)
    epsilon = phi.uniform_bound(diameter, failure=0.05)
    assert features.failure_probability(epsilon, 2000, 2, 2.0, diameter) == pytest.approx(0.05)
    printed = 2**8 * (np.sqrt(2) * diameter / 0.3) ** 2 * np.exp(-2000 * 0.3**2 / 16)
    found = features.failure_probability(0.3, 2000, 2, 2.0, diameter, published=True)
    assert found == pytest.approx(printed)
    suprema = [
        np.abs(phi.gram(points) - phi.limit(points)).max()
        for phi in (features.fourier("exp(-r**2/2)", 2000, 2, seed) for seed in range(20))
    ]
    assert max(suprema) < epsilon < 1
    assert features.fourier("3*exp(-r**2/2)", 2000, 2, 0).uniform_bound(diameter) == pytest.approx(
        3 * epsilon
    )
    with pytest.raises(AsymptokError, match="second moment"):
        features.fourier("exp(-r)", 50, 2, 0).uniform_bound(1.0)


@pytest.mark.parametrize(
    "call",
    [
        lambda: features.relu(0, 3),
        lambda: features.relu(10, 2.5),
        lambda: features.relu(10, 3, seed=-1),
        lambda: features.relu(10, 3, 0)(np.zeros((2, 4))),
        lambda: features.relu(10, 3, 0)([[1.0, np.nan, 0.0]]),
        lambda: features.relu(10, 3, 0)([]),
        lambda: features.relu(10, 3, 0)("points"),
        lambda: features.fourier("sin(r)/r", 10, 3, 0),
        lambda: features.fourier(kernels.laplace(), 10, 3, 0),
        lambda: features.empirical_ntk(0, 10, 3),
        lambda: features.empirical_ntk(2.5, 10, 3),
        lambda: features.empirical_ntk(3, 5, 3, 0).standard_error(X),
        lambda: features.convergence(lambda m, rng: features.relu(m, 3, rng), X, m=[10]),
        lambda: features.replicate(lambda rng: features.relu(5, 3, rng), X, repeats=1),
        lambda: features.uniform_bound(100, 2, 1.0, -1.0),
        lambda: features.uniform_bound(100, 2, 1.0, 1.0, failure=2),
        lambda: features.uniform_bound(0, 2, 1.0, 1.0),
        lambda: features.failure_probability(0.0, 10, 2, 1.0, 1.0),
    ],
)
def test_bad_input_gets_our_own_errors(call: object) -> None:
    with pytest.raises(AsymptokError):
        call()


def test_gradients_that_do_not_fit_are_refused() -> None:
    with pytest.raises(AsymptokError, match="gram"):
        features.empirical_ntk(3, 1500, 3, 0)(np.ones((150, 3)))


def test_exact_entries_do_not_deviate() -> None:
    """Plane waves are exact at x = y: what rounding leaves there is no bias, and elsewhere three errors hold."""
    X = np.random.default_rng(1).normal(size=(4, 3))
    found = features.replicate(lambda rng: features.fourier("exp(-r)", 100, 3, rng), X, repeats=60, seed=5)
    assert (np.diag(found.deviation) == 0).all() and np.abs(found.deviation).max() < 3


def test_error_bars_of_a_shallow_network_are_those_of_its_units() -> None:
    X = np.random.default_rng(1).normal(size=(4, 3))
    shallow = features.network(2, 50, 3, seed=0)
    assert np.array_equal(shallow.standard_error(X), features.relu(50, 3, seed=0).standard_error(X))
    with pytest.raises(AsymptokError, match="replicate"):
        features.network(3, 50, 3, seed=0).standard_error(X)
