"""What others say: our kernels against neural-tangents, scikit-learn and GeometricKernels, if they are installed.

    python benchmarks/others.py

Each comparison prints the largest difference; one whose package is missing says so. The exit status is 1 if any of them
differs by more than rounding.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import numpy as np
from sympy import Rational

from asymptok import kernels

#: differences of doubles that rounding explains, relative to the largest entry
ROUNDING = 1e-12


def main() -> int:
    failed = False
    for package, compare in (
        ("neural_tangents", lambda: script("neural_tangents_comparison.py")),
        ("sklearn", scikit_learn),
        ("geometric_kernels", lambda: script("geometric_kernels_comparison.py")),
    ):
        print(f"== {package}", flush=True)
        if importlib.util.find_spec(package) is None:
            print("not installed")
        else:
            failed = not compare() or failed
    return int(failed)


def script(name: str) -> bool:
    return subprocess.run([sys.executable, str(Path(__file__).with_name(name))]).returncode == 0


def scikit_learn() -> bool:
    """Stationary kernels of the chordal distance |x-y|^2 = 2(1-u), on S^3."""
    from sklearn.gaussian_process import kernels as theirs

    points = np.random.default_rng(0).normal(size=(40, 4))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    inner = np.clip(points @ points.T, -1, 1)
    apart = ~np.eye(len(points), dtype=bool)
    length = Rational(3, 4)
    pairs = {
        "RBF": (kernels.gaussian(1 / length**2), theirs.RBF(float(length))),
        "Matern 1/2": (kernels.matern(Rational(1, 2), length), theirs.Matern(float(length), nu=0.5)),
        "Matern 1": (kernels.matern(1, length), theirs.Matern(float(length), nu=1.0)),
        "Matern 3/2": (kernels.matern(Rational(3, 2), length), theirs.Matern(float(length), nu=1.5)),
        "Matern 7/3": (kernels.matern(Rational(7, 3), length), theirs.Matern(float(length), nu=7 / 3)),
        "rational quadratic": (
            kernels.rational_quadratic(2, length),
            theirs.RationalQuadratic(float(length), alpha=2.0),
        ),
    }
    worst = 0.0
    for name, (ours, other) in pairs.items():
        # on the diagonal u = 1 - 1e-16 in doubles, where a square root leaves 1e-8 of either side
        difference = float(np.max(np.abs(ours(inner) - other(points))[apart]))
        worst = max(worst, difference)
        print(f"{name:20s} largest difference {difference:.1e}")
    return worst < ROUNDING


if __name__ == "__main__":
    sys.exit(main())
