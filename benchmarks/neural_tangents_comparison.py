"""kernels.network against the stax layers of neural-tangents, on the sphere and off it, in double precision.

    python benchmarks/neural_tangents_comparison.py

needs `neural-tangents` (and a jax that it can import: docs/networks.md); without it the script says so and stops.
For depth 2 and 3 (ReLU, erf and GELU: 10 as well), both kernels and two sets of variances the largest difference
between different points is printed for each shared activation: at unit vectors, and at points of other lengths, where a
kernel with biases is a function of two lengths and an angle.
"""

from __future__ import annotations

import importlib.util
import sys

import numpy as np
from sympy import Rational

from asymptok import activations, kernels

VARIANCES = ((Rational(2), Rational(0)), (Rational(3, 2), Rational(1, 4)))
DEPTHS = {"relu": (2, 3, 10), "erf": (2, 3, 10), "gelu": (2, 3, 10)}


def main() -> int:
    if importlib.util.find_spec("neural_tangents") is None:
        print("neural-tangents is not installed: pip install neural-tangents")
        return 0
    import jax

    jax.config.update("jax_enable_x64", True)
    from neural_tangents import stax

    shared = {
        "relu": (stax.Relu(), activations.relu),
        "leaky_relu": (stax.LeakyRelu(0.1), activations.leaky_relu("1/10")),
        "abs": (stax.Abs(), activations.abs),
        "erf": (stax.Erf(), activations.erf),
        "gelu": (stax.Gelu(), activations.gelu),
        "sin": (stax.Sin(), activations.sin),
        "cos": (stax.Cos(), activations.cos),
        "exp": (stax.Exp(), activations.exp),
        "gaussian": (stax.Gaussian(1, -0.5), activations.gaussian),
        "sign": (stax.Sign(), activations.sign),
    }
    # points on S^4: neural-tangents divides by the dimension, so that w_std^2 d is the variance here
    rng = np.random.default_rng(0)
    points = rng.standard_normal((12, 5))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    anywhere = points * rng.uniform(0.3, 1.0, (12, 1))
    # on the diagonal u = 1 - 1e-16 in doubles, where square roots leave 1e-8 of either side
    apart = ~np.eye(len(points), dtype=bool)
    worst_of_all, count = 0.0, 0
    for name, (layer, phi) in shared.items():
        worst = np.zeros(2)
        for w, b in VARIANCES:
            for depth in DEPTHS.get(name, (2, 3)):
                dense = [stax.Dense(1, W_std=float(w * 5) ** 0.5, b_std=float(b) ** 0.5)]
                for _ in range(depth - 1):
                    dense += [layer, stax.Dense(1, W_std=float(w) ** 0.5, b_std=float(b) ** 0.5)]
                _, _, kernel_fn = stax.serial(*dense)
                for kind in ("nngp",) if name == "sign" else ("nngp", "ntk"):
                    ours = kernels.network(depth, phi, w, b, tangent=kind == "ntk")
                    pairs = (
                        (kernel_fn(points, None, kind), ours(np.clip(points @ points.T, -1, 1))),
                        (kernel_fn(anywhere, None, kind), ours.gram(anywhere, normalize=False)),
                    )
                    found = [np.abs(np.asarray(a) - b)[apart].max() / np.max(np.abs(a)) for a, b in pairs]
                    worst = np.maximum(worst, found)
                    count += 1
        worst_of_all = max(worst_of_all, float(worst.max()))
        on, off = worst
        print(
            f"{name:12s} largest difference, relative to the largest entry: on the sphere {on:.1e}, off it {off:.1e}"
        )
    print(f"{count} kernels, worst {worst_of_all:.1e}")
    return 0 if worst_of_all < 1e-12 else 1


if __name__ == "__main__":
    sys.exit(main())
