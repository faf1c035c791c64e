"""Convolutional kernels against feature maps written out position by position, finite networks and proved bounds."""

from __future__ import annotations

import importlib
from itertools import product
from typing import Any

import numpy as np
import pytest

from asymptok import AsymptokError, Kernel, features, kernels
from asymptok.convolutional import ckn, conv_ntk
from asymptok.learning.convolutional.bounds import deformation_bound
from asymptok.learning.convolutional.grid import gaussian_taps

# ------------------------------------------------------------------------- a second computation, with explicit vectors
#
# A signal is a dict from positions of Z^D to vectors. Maps phi_0, phi_1 are made explicit either by a formula (a
# polynomial kernel) or by factorising the matrix of the kernel on all the vectors that occur.

Signal = dict[tuple[int, ...], np.ndarray]


def as_signal(x: np.ndarray, D: int) -> Signal:
    x = x.reshape(*x.shape[:D], -1)
    return {place: x[place] for place in np.ndindex(*x.shape[:D])}


def patches(x: Signal, size: int, D: int) -> Signal:
    window = list(product(range(-(size // 2), size - size // 2), repeat=D))
    zero = np.zeros_like(next(iter(x.values())))
    centres = {tuple(np.subtract(u, v)) for u in x for v in window}
    return {
        u: np.concatenate([x.get(tuple(np.add(u, v)), zero) for v in window]) / np.sqrt(len(window))
        for u in centres
    }


def pool(x: Signal, taps: np.ndarray, stride: int, D: int) -> Signal:
    places = range(-(len(taps) // 2), len(taps) // 2 + 1)
    out: Signal = {}
    for v, vector in x.items():
        for w in product(places, repeat=D):
            u = np.add(v, w)
            if np.all(u % stride == 0):
                weight = np.prod([taps[i + len(taps) // 2] for i in w])
                place = tuple(u // stride)
                out[place] = out.get(place, 0) + weight * vector
    return out


def unit(x: np.ndarray) -> np.ndarray:
    size = np.linalg.norm(x)
    return x / size if size > 0 else x


def by_factors(kernel: Kernel, degree: int):
    """phi with <phi(x), phi(y)> = (|x| |y|)^degree kappa(cos) on given signals."""

    def maps(signals: list[Signal]) -> list[Signal]:
        vectors = np.array([v for x in signals for v in x.values()])
        sizes = np.linalg.norm(vectors, axis=1)
        units = np.array([unit(v) for v in vectors])
        matrix = kernel(np.clip(units @ units.T, -1, 1)) * np.outer(sizes, sizes) ** degree
        values, basis = np.linalg.eigh(matrix)
        rows = iter(basis * np.sqrt(np.maximum(values, 0)))
        return [{u: next(rows) for u in x} for x in signals]

    return maps


def quadratic(signals: list[Signal]) -> list[Signal]:
    """(u + u^2)/2."""

    def one(x: np.ndarray) -> np.ndarray:
        return np.concatenate([x, np.outer(x, unit(x)).ravel()]) / np.sqrt(2)

    return [{u: one(v) for u, v in x.items()} for x in signals]


def quadratic_derivative(signals: list[Signal]) -> list[Signal]:
    """(1 + 2u)/2."""
    return [
        {u: np.concatenate([[1.0], np.sqrt(2) * unit(v)]) / np.sqrt(2) for u, v in x.items()} for x in signals
    ]


def direct(signals, layers, phi1, phi0, D: int, tangent: bool) -> np.ndarray:
    """The definitions, read aloud; layers: (patch, taps, stride)."""
    x = signals
    y = None
    for patch, taps, stride in layers:
        x = [patches(z, patch, D) for z in x]
        y = x if y is None else [patches(z, patch, D) for z in y]
        one, zero = phi1(x), phi0(x)
        y = [
            {u: np.concatenate([np.outer(a[u], b[u]).ravel(), c[u]]) for u in c}
            for a, b, c in zip(zero, y, one, strict=True)
        ]
        x, y = ([pool(z, taps, stride, D) for z in group] for group in (one, y))
    last = y if tangent else x
    return np.array([[sum(a[u] @ b[u] for u in a.keys() & b.keys()) for b in last] for a in last])


RELU = (None, by_factors(kernels.arc_cosine(1), 1), by_factors(kernels.arc_cosine(0), 0), 1e-6)
QUADRATIC = ("(u + u**2)/2", quadratic, quadratic_derivative, 1e-12)
TAPS = (0.2, 0.5, 0.3)


@pytest.mark.parametrize("tangent", [False, True])
@pytest.mark.parametrize("case", [RELU, QUADRATIC], ids=["relu", "quadratic"])
@pytest.mark.parametrize(
    ("D", "shape", "layers"),
    [
        (1, (4,), [(3, TAPS, 1)]),
        (1, (3, 2), [(2, TAPS, 1), (3, TAPS, 1)]),
        (1, (5,), [(2, TAPS, 2), (2, (1.0,), 1)]),
        (2, (2, 2), [(2, TAPS, 1)]),
        (2, (2, 3, 2), [(2, (1.0,), 1), (1, TAPS, 2)]),
    ],
)
def test_against_explicit_features(D: int, shape: tuple[int, ...], layers, case, tangent: bool) -> None:
    mapping, phi1, phi0, tolerance = case
    rng = np.random.default_rng(len(layers) + D)
    X = rng.standard_normal((3, *shape))
    wanted = direct(
        [as_signal(x, D) for x in X], [(p, np.array(t), s) for p, t, s in layers], phi1, phi0, D, tangent
    )
    make = conv_ntk if tangent else ckn
    columns = {"patch": 0, "pooling": 1, "subsampling": 2}
    given = {name: [layer[i] for layer in layers] for name, i in columns.items()}
    kernel = make(len(layers), mapping=mapping, dim=D, **given)
    scale = np.abs(wanted).max()
    assert np.abs(kernel(X) - wanted).max() < tolerance * scale
    assert np.abs(kernel(X[:2], X[1:]) - wanted[:2, 1:]).max() < tolerance * scale
    assert np.abs(kernel.diagonal(X) - np.diag(wanted)).max() < tolerance * scale


@pytest.mark.parametrize("n", [1, 2, 4])
def test_one_place_is_the_fully_connected_network(n: int) -> None:
    rng = np.random.default_rng(n)
    X = rng.standard_normal((4, 1, 5))
    flat = X[:, 0]
    sizes = np.linalg.norm(flat, axis=1)
    cosines = np.clip(flat @ flat.T / np.outer(sizes, sizes), -1, 1)
    np.fill_diagonal(cosines, 1)
    for make, wanted in ((ckn, kernels.random_features(n + 1)), (conv_ntk, kernels.ntk(n + 1))):
        found = make(n, patch=1, pooling=0)(X)
        assert np.abs(found - np.outer(sizes, sizes) * wanted(cosines)).max() < 1e-7
        # on a circle of one place patches and pooling do nothing
        assert np.abs(make(n, patch=3, pooling=1.0, boundary="periodic")(X) - found).max() < 1e-7


def test_finite_convolutional_network() -> None:
    """The gradient of sqrt(2/m) <v, A max(W P x, 0)> at random weights, within three standard errors."""
    rng = np.random.default_rng(3)
    X = rng.standard_normal((2, 6))
    taps, m, repeats = np.array(TAPS), 200, 150
    patch = np.stack([np.roll(X, s, axis=1) for s in (1, 0, -1)], axis=2) / np.sqrt(3)
    A = sum(t * np.roll(np.eye(6), i - 1, axis=0) for i, t in enumerate(taps))
    found = []
    for _ in range(repeats):
        W, v = rng.standard_normal((m, 3)), rng.standard_normal((6, m))
        signals = patch @ W.T
        pooled = np.sqrt(2 / m) * np.einsum("uv,ivm->ium", A, np.maximum(signals, 0))
        back = np.sqrt(2 / m) * (A.T @ v) * (signals > 0)
        gradient = np.einsum("ium,iuc->imc", back, patch)
        rows = np.concatenate([pooled.reshape(2, -1), gradient.reshape(2, -1)], axis=1)
        found.append(rows @ rows.T)
    mean, error = np.mean(found, axis=0), np.std(found, axis=0) / np.sqrt(repeats)
    wanted = conv_ntk(1, patch=3, pooling=[TAPS], boundary="periodic")(X)
    assert np.abs((mean - wanted) / error).max() < 3
    assert (error / wanted).max() < 0.05


def test_zero_boundary_is_a_large_circle() -> None:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((2, 5))
    wide = np.pad(X, [(0, 0), (20, 30)])
    for make in (ckn, conv_ntk):
        small = make(2, patch=3, pooling=0.7, prefilter=0.5)(X)
        assert np.allclose(small, make(2, patch=3, pooling=0.7, prefilter=0.5, boundary="periodic")(wide))


def test_batches_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    X = np.random.default_rng(0).standard_normal((5, 6))
    kernel = conv_ntk(2, pooling=0.5)
    whole = kernel(X)
    monkeypatch.setattr("asymptok.learning.convolutional.kernel._BATCH", 1)
    assert np.allclose(whole, kernel(X), rtol=1e-13) and np.array_equal(whole, whole.T)
    assert np.allclose(kernel.diagonal(X), np.diag(whole))
    assert np.linalg.eigvalsh(whole).min() > 0


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_smoothness_bounds_hold(n: int) -> None:
    rng = np.random.default_rng(n)
    for _ in range(12):
        x = rng.standard_normal(8)
        y = x + rng.standard_normal(8) * 10 ** rng.uniform(-5, 0.5)
        distance, sizes = float(np.linalg.norm(x - y)), [float(np.linalg.norm(z)) for z in (x, y)]
        for make in (ckn, conv_ntk):
            kernel = make(n, patch=3, pooling=0.8)
            # rounding: an error e of a cosine becomes sqrt(e) in kappa_0
            assert kernel.distance(x, y) <= kernel.smoothness_bound(distance, *sizes) * (1 + 1e-6) + 1e-6


@pytest.mark.parametrize("n", [1, 2, 5, 9])
def test_square_root_term_is_sharp_up_to_a_constant(n: int) -> None:
    """One place: |Phi(x) - Phi(y)|^2 ~ n(n+1)/pi |x - y|, the coefficient of s in NTK_(n+1) doubled."""
    angle = 1e-5
    kernel = conv_ntk(n, patch=1, pooling=0)
    x, y = np.array([[1.0, 0.0]]), np.array([[np.cos(angle), np.sin(angle)]])
    assert kernel.distance(x, y) ** 2 / angle == pytest.approx(n * (n + 1) / np.pi, rel=2e-3)
    assert ckn(n, patch=1, pooling=0).distance(x, y) / angle == pytest.approx(1, rel=1e-3)


@pytest.mark.parametrize("make", [ckn, conv_ntk])
def test_translation_bound_holds(make) -> None:
    rng = np.random.default_rng(1)
    x = np.zeros(30)
    x[8:16] = rng.standard_normal(8)
    size = float(np.linalg.norm(x))
    for sigma in (1.0, 2.0):
        kernel = make(2, patch=3, pooling=[1.0, sigma])
        for shift in (1, 2, 5):
            assert kernel.distance(x, np.roll(x, shift)) <= kernel.translation_bound(shift, size)
        assert kernel.translation_bound(0) == 0
    wide = make(1, pooling=8.0).translation_bound(1)
    factor = np.sqrt(2) if make is conv_ntk else 1
    assert wide == pytest.approx(factor / (8 * np.sqrt(np.e)), rel=0.02)
    image = make(1, patch=2, pooling=1.0, dim=2)
    z = np.zeros((8, 8))
    z[2:4, 2:4] = rng.standard_normal((2, 2))
    moved = np.roll(z, (1, 2), axis=(0, 1))
    assert image.distance(z, moved) <= image.translation_bound((1, 2), float(np.linalg.norm(z)))


def test_gaussian_taps() -> None:
    taps = gaussian_taps(2.0)
    places = np.arange(len(taps)) - len(taps) // 2
    assert taps.sum() == pytest.approx(1) and taps @ places**2 == pytest.approx(4, rel=1e-3)
    assert list(gaussian_taps(0)) == [1.0]


@pytest.mark.needs("neural_tangents")
@pytest.mark.parametrize("dim", [1, 2])
@pytest.mark.parametrize("weights", [0, (1 / 3, 1 / 3, 1 / 3)])
@pytest.mark.parametrize("n", [1, 3])
def test_neural_tangents_agrees(dim: int, weights: Any, n: int) -> None:
    """Periodic padding, patches of three, without pooling and with the mean of three places, all kept at the end."""
    stax = pytest.importorskip("neural_tangents", exc_type=ImportError).stax  # it lags behind jax
    X = np.random.default_rng(0).standard_normal((3, 7, 2) if dim == 1 else (2, 4, 5, 2))
    blocks: list[Any] = []
    for layer in range(n):
        std = 1.0 if layer == 0 else np.sqrt(2)
        blocks += [
            stax.Conv(1, (3,) * dim, padding="CIRCULAR", W_std=std, parameterization="ntk"),
            stax.Relu(),
        ]
        blocks += [stax.AvgPool((3,) * dim, (1,) * dim, "CIRCULAR")] if weights else []
    _, _, function = stax.serial(*blocks, stax.Flatten(), stax.Dense(1, W_std=np.sqrt(2)))
    found = function(X, None, ("nngp", "ntk"))
    # inner products there are divided by the channels, and in the last layer by the places
    scale = X[0].size
    options: dict[str, Any] = {"pooling": [weights] * n, "boundary": "periodic", "dim": dim}
    assert np.allclose(scale * np.asarray(found.nngp), ckn(n, **options)(X), rtol=1e-4)
    assert np.allclose(scale * np.asarray(found.ntk), conv_ntk(n, **options)(X), rtol=1e-4)


@pytest.mark.parametrize(
    "call",
    [
        lambda: ckn(0),
        lambda: ckn(2, patch=[3]),
        lambda: ckn(1, patch=0),
        lambda: ckn(1, pooling=-1.0),
        lambda: ckn(1, pooling=[(0.5, 0.5)]),
        lambda: ckn(1, dim=3),
        lambda: ckn(1, boundary="mirror"),
        lambda: conv_ntk(1, mapping="kappa0(u)"),
        lambda: ckn(1, mapping="exp(q*u)"),
        lambda: ckn(1)([1.0, 2.0]),
        lambda: ckn(1)([[1.0, np.nan]]),
        lambda: ckn(1)(np.zeros((0, 4))),
        lambda: ckn(1)(np.ones((2, 4)), np.ones((2, 5))),
        lambda: ckn(1, subsampling=2, boundary="periodic")(np.ones((1, 5))),
        lambda: ckn(1, subsampling=2).translation_bound(1),
        lambda: ckn(1, mapping="u**2").smoothness_bound(1.0),
        lambda: ckn(1).smoothness_bound(-1.0),
        lambda: ckn(1).distance(np.ones(3), np.ones(4)),
        lambda: ckn(1, prefilter=-1.0),
        lambda: ckn(1).deformation_bound(0.1, 1.0),
        lambda: ckn(1, prefilter=1.0, pooling=[(0.5, 0.25, 0.25)]).deformation_bound(0.1, 1.0),
        lambda: ckn(1, prefilter=1.0).deformation_bound(1.0, 1.0),
        lambda: ckn(1, prefilter=0.5).deformation_bound(0.1, 1.0),
        lambda: ckn(1).translation_bound(1.5),
        lambda: ckn(1).translation_bound((1, 2)),
        lambda: ckn(1, prefilter=1.0, subsampling=2).deformation_bound(0.1, 1.0),
    ],
)
def test_bad_input_gets_our_own_errors(call) -> None:
    with pytest.raises(AsymptokError):
        call()


def test_rooms_are_reached_by_name() -> None:
    import asymptok

    assert asymptok.convolutional.ckn is ckn and asymptok.features is features
    for room in ("learning", "kernels", "checker"):
        assert getattr(asymptok, room).__name__ == f"asymptok.{room}"
    # parts of asymptok.learning: one module under two names, and so are the modules inside
    for part in ("convolutional", "features", "radial", "sklearn"):
        module = importlib.import_module(f"asymptok.{part}")
        assert module is getattr(asymptok, part) is importlib.import_module(f"asymptok.learning.{part}")
        assert module.__spec__ is not None and module.__spec__.name == module.__name__
    assert importlib.import_module("asymptok.features.maps").relu is features.relu
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("asymptok.features.nothing")


def wave(places: np.ndarray, size: int, waves: int, seed: int) -> np.ndarray:
    """A random periodic signal at any places of a circle."""
    rng = np.random.default_rng(seed)
    sizes, phases = rng.standard_normal(waves), rng.uniform(0, 2 * np.pi, waves)
    return np.cos(2 * np.pi * np.outer(places, 1 + np.arange(waves)) / size + phases) @ sizes


def deformation(size: int, gradient: float, waves: int, seed: int) -> tuple[np.ndarray, float]:
    """u - tau(u) at the places, with |tau'| = gradient, and |tau|; both maxima from a fine grid."""
    fine = np.linspace(0, size, 64 * size)
    scale = gradient / np.abs(np.gradient(wave(fine, size, waves, seed), fine)).max()
    tau = scale * wave(np.arange(size), size, waves, seed)
    return np.arange(size) - tau, scale * float(np.abs(wave(fine, size, waves, seed)).max())


@pytest.mark.parametrize("gradient", [0.02, 0.4])
@pytest.mark.parametrize("make", [ckn, conv_ntk])
def test_deformation_bound_holds(make, gradient: float) -> None:
    for n, waves, seed in ((1, 2, 0), (2, 6, 1), (4, 3, 2)):
        moved, displacement = deformation(64, gradient, waves, seed)
        x, y = (wave(places, 64, 4 * waves, seed + 9) for places in (np.arange(64), moved))
        kernel = make(n, patch=3, pooling=[2.0] * (n - 1) + [5.0], prefilter=1.5, boundary="periodic")
        norm = float(np.linalg.norm(x))
        found, bound = kernel.distance(x, y), kernel.deformation_bound(gradient, displacement, norm)
        assert bound / 300 < found < bound


@pytest.mark.parametrize(("gradient", "waves", "patch"), [(0.01, 1, 1), (0.1, 3, 5), (0.5, 2, 13)])
def test_constants_of_the_deformation_bound(gradient: float, waves: int, patch: int) -> None:
    """One layer: |P A_0 L - L P A_0| + |A_1 L - A_1|, the norms of operators on band-limited signals."""
    size, first, last = 96, 4.0, 6.0
    moved, displacement = deformation(size, gradient, waves, 3)
    frequencies = 2 * np.pi * np.fft.fftfreq(size)
    analysis = np.exp(-1j * np.outer(frequencies, np.arange(size))) / np.sqrt(size)

    def sampled(places: np.ndarray, sigma: float = 0.0) -> np.ndarray:
        """x -> (h x)(places), with a Gaussian h."""
        transfer = np.exp(1j * np.outer(places, frequencies) - (frequencies * sigma) ** 2 / 2) / np.sqrt(size)
        return transfer @ analysis

    low = analysis.conj().T[:, np.abs(frequencies) < np.pi / 2]
    deform, places = sampled(moved), np.arange(size)
    gaps = [
        sampled(places + c, first) @ deform - sampled(moved + c, first)
        for c in range(-(patch // 2), patch // 2 + 1)
    ]
    commutator = np.linalg.norm(np.vstack(gaps) @ low / np.sqrt(patch), 2)
    end = np.linalg.norm((sampled(places, last) @ deform - sampled(places, last)) @ low, 2)
    kernel = ckn(1, patch=patch, pooling=last, prefilter=first, boundary="periodic")
    bound = kernel.deformation_bound(gradient, displacement)
    assert 0.1 * bound < commutator + end < bound


def test_deformation_bound_is_linear_or_a_root_and_grows_with_depth() -> None:
    for make, power, depth in ((ckn, 1.0, 1.0), (conv_ntk, 0.5, 1.5)):
        bounds = [
            [deformation_bound(1, [3] * n, [2.0] * (n + 1), make is conv_ntk, g, 0.0) for g in (1e-9, 1e-8)]
            for n in (200, 400)
        ]
        assert np.log10(bounds[0][1] / bounds[0][0]) == pytest.approx(power, abs=0.01)
        assert np.log2(bounds[1][0] / bounds[0][0]) == pytest.approx(depth, abs=0.03)
        # without a gradient it is a translation, bounded by Fourier transforms as well
        still = make(3, pooling=9.0, prefilter=2.0)
        assert 1 < still.deformation_bound(0.0, 2.0) / still.translation_bound(2) < 1.4


def test_deformed_image() -> None:
    """A wave on a torus, deformed along one axis: D = 2."""
    u, v = np.meshgrid(np.arange(16), np.arange(16), indexing="ij")

    def image(tau: np.ndarray) -> np.ndarray:
        return np.cos(np.pi * (u - tau) / 4) * np.sin(np.pi * v / 8)

    x, y = image(np.zeros(16)), image(0.2 * 8 / np.pi * np.sin(np.pi * v / 8))
    kernel = conv_ntk(1, pooling=2.0, prefilter=1.0, boundary="periodic", dim=2)
    bound = kernel.deformation_bound(0.2, 0.2 * 8 / np.pi, float(np.linalg.norm(x)))
    assert bound / 100 < kernel.distance(x, y) < bound


def test_small_deformations_and_noise_show_the_two_powers() -> None:
    """Linear for the kernel network, a square root for the tangent kernel; a fit over two decades."""
    places = np.arange(32)
    x = wave(places, 32, 4, 0)
    noise = np.random.default_rng(1).standard_normal(32)
    sizes = np.array([1e-4, 1e-3, 1e-2])
    moved = [wave(places - size * 4 * np.sin(2 * np.pi * places / 32), 32, 4, 0) for size in sizes]
    noisy = [x + size * noise for size in sizes]
    for make, power in ((ckn, 1.0), (conv_ntk, 0.5)):
        kernel = make(2, pooling=[1.0, 3.0], boundary="periodic")
        for changed in (moved, noisy):
            distances = [kernel.distance(x, y) for y in changed]
            slope = np.polyfit(np.log(sizes), np.log(distances), 1)[0]
            assert slope == pytest.approx(power, abs=0.05)
