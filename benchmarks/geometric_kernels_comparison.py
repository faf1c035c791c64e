"""Heat and Matern kernels of the sphere: Kernel.from_eigenvalues against GeometricKernels, if it is installed.

    python benchmarks/geometric_kernels_comparison.py [--levels 20]

GeometricKernels sums the same eigenfunctions up to a level and scales the kernel to 1 at x = y; both are done here too.
"""

from __future__ import annotations

import argparse
import sys

import numpy as np
from sympy import Rational, exp

from asymptok import Kernel, d, k


def ours(dimension: int, levels: int, nu: float, length: Rational) -> Kernel:
    """(2 nu/length^2 + k(k+d-2))^(-nu-(d-1)/2), for nu = oo exp(-length^2/2 k(k+d-2)); `levels` degrees."""
    laplacian = k * (k + d - 2)
    if nu == float("inf"):
        law = exp(-(length**2) / 2 * laplacian)
    else:
        order = Rational(nu)
        law = (2 * order / length**2 + laplacian) ** (-order - (d - 1) / 2)
    return Kernel.from_eigenvalues(law, dimension, degree=levels - 1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--levels", type=int, default=20)
    levels = parser.parse_args().levels
    try:
        from geometric_kernels.kernels import MaternGeometricKernel
        from geometric_kernels.spaces import Hypersphere
    except ImportError:
        raise SystemExit("GeometricKernels is not installed: pip install geometric_kernels") from None
    rng = np.random.default_rng(0)
    worst = 0.0
    for dimension in (3, 4, 6):
        points = rng.normal(size=(30, dimension))
        points /= np.linalg.norm(points, axis=1, keepdims=True)
        theirs = MaternGeometricKernel(Hypersphere(dim=dimension - 1), num=levels)
        for nu in (0.5, 1.5, 2.5, float("inf")):
            parameters = theirs.init_params()
            parameters["nu"], parameters["lengthscale"] = np.array([nu]), np.array([0.5])
            other = np.asarray(theirs.K(parameters, points))
            mine = ours(dimension, levels, nu, Rational(1, 2)).gram(points)
            difference = float(np.abs(mine / mine[0, 0] - other).max())
            worst = max(worst, difference)
            print(f"S^{dimension - 1}, nu = {nu}: largest difference {difference:.1e}")
    return 0 if worst < 1e-12 else 1


if __name__ == "__main__":
    sys.exit(main())
