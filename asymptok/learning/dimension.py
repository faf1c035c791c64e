"""Degrees in high dimension: mu_k for d -> oo, and which degrees n points can learn.

On a sphere of high dimension <x, y> concentrates at 0, and the Taylor coefficients of kappa there decide:

    mu_k ~ sum_j kappa^(k+2j)(0)/(2^j j!) / (d (d+2) ... (d+2(k+j)-2)),      d -> oo,

an expansion in falling powers of d for every bounded kernel that is smooth next to u = 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import sympy
from sympy import Expr, S, factorial

from asymptok.arguments import checked_degree, checked_dimension, whole_number
from asymptok.constants.exact import ExactDomain
from asymptok.constants.exponents import Ranges
from asymptok.errors import AsymptokError
from asymptok.expansion.taylor import taylor
from asymptok.kernels.kernel import Kernel, as_kernel
from asymptok.learning.curve import modes_for
from asymptok.spectrum.parity import vanishing
from asymptok.symbols import d
from asymptok.truth import Truth

__all__ = ["HighDimension", "high_dimension", "learnable_degree"]

#: derivatives at 0 that are tried before a degree without a leading term is given up
_FURTHEST = 40
#: a degree counts as learned when this fraction of each coefficient is recovered
_LEARNED = 0.5


@dataclass(frozen=True)
class HighDimension:
    """mu_k for d -> oo at fixed k."""

    kernel: Kernel

    def __repr__(self) -> str:
        return f"mu_k of {self.kernel.name or self.kernel} for d -> oo: .series(k, order) has the terms"

    def derivative(self, m: int) -> Expr:
        """kappa^(m)(0), exactly."""
        m = checked_degree(m)
        return taylor(self.kernel, m + 1)[m] * factorial(m)

    def vanishes(self, k: int) -> Truth:
        """Whether mu_k = 0 in every dimension: by symmetry, or because a polynomial has no such degree."""
        k = checked_degree(k)
        bound = vanishing(self.kernel.expr)[k % 2]
        if bound is not None and k > bound:
            return Truth.TRUE
        return Truth.FALSE if self._first(k) is not None else Truth.UNKNOWN

    def series(self, k: int, order: int = 1) -> Expr:
        """The first `order` terms of mu_k in powers of 1/d, from the first that is not zero on.

        >>> from asymptok import kernels
        >>> high_dimension(kernels.gaussian()).series(1, 2)
        exp(-1)/d + exp(-1)/(2*d**2)
        >>> high_dimension("kappa1(u)").series(3)
        0
        """
        k, order = checked_degree(k), whole_number(order, "number of terms")
        first = self._first(k)
        if first is None:
            if self.vanishes(k) is Truth.TRUE:
                return S.Zero
            raise AsymptokError(
                f"no derivative of {self.kernel} at 0 of order {k}, {k + 2}, ... up to {k + 2 * _FURTHEST} is known to "
                "be different from 0: there is no leading term"
            )
        # in x = 1/d the j-th term is x^(k+j)/((1+2x) (1+4x) ...), and only j < first + order reach the order
        total: list[Expr] = [S.Zero] * order
        for j in range(first, first + order):
            weight = self.derivative(k + 2 * j) / (2**j * factorial(j))
            for power, c in enumerate(_inverse_factorial(k + j, order - (j - first))):
                total[j - first + power] += weight * c
        return sympy.Add(*(c.expand() / d ** (k + first + i) for i, c in enumerate(total)))

    def factorial_series(self, k: int, terms: int = 1) -> Expr:
        """The same expansion over d (d+2) ... (d+2m-2) in place of d^m: shorter, and better at moderate d.

        >>> high_dimension("exp(u)").factorial_series(1, 2)
        1/d + 1/(2*d*(d + 2))
        """
        k = checked_degree(k)
        total = S.Zero
        for j in range(whole_number(terms, "number of terms")):
            rising = sympy.Mul(*(d + 2 * i for i in range(k + j)))
            total += self.derivative(k + 2 * j) / (2**j * factorial(j)) / rising
        return total

    def _first(self, k: int) -> int | None:
        """The first j with kappa^(k+2j)(0) != 0; Undecided if that is open for one before."""
        bound = vanishing(self.kernel.expr)[k % 2]
        if bound is not None and k > bound:
            return None
        for j in range(_FURTHEST):
            value = self.derivative(k + 2 * j)
            if value == 0:
                continue
            dom = ExactDomain(Ranges(self.kernel.parameters))
            element = dom.constant(value)
            verdict = dom.is_zero(element)
            if verdict is Truth.FALSE:
                return j
            if verdict is Truth.UNKNOWN:
                raise dom.undecided(
                    element, "whether {} is zero", f"the derivative of order {k + 2 * j} at 0"
                )
        return None


def high_dimension(kernel: Kernel | Expr | str) -> HighDimension:
    """What becomes of the eigenvalues for d -> oo; the kernel must be smooth next to u = 0."""
    found = HighDimension(as_kernel(kernel))
    found.derivative(0)
    return found


def _inverse_factorial(m: int, order: int) -> list[Expr]:
    """Coefficients of 1/((1+2x)(1+4x)...(1+2(m-1)x)) up to x^(order-1)."""
    coefficients: list[Expr] = [S.One, *[S.Zero] * (order - 1)]
    for i in range(1, m):
        for power in range(1, order):
            coefficients[power] -= 2 * i * coefficients[power - 1]
    return coefficients


def learnable_degree(kernel: Kernel | Expr | str, d: int, n: int) -> int:
    """The largest degree up to which n points on S^(d-1) teach every polynomial; -1 if not even constants.

    A degree is learned when L_k = mu_k/(mu_k + c) of `learning_curve` exceeds 1/2. For d -> oo that is the l with
    d^l << n << d^(l+1). A degree with mu_k = 0 is never learned, and ends the count.

    >>> from asymptok import kernels
    >>> [learnable_degree(kernels.laplace(), 100, n) for n in (30, 1000, 10**5)]
    [0, 1, 2]
    """
    kernel, d, points = as_kernel(kernel), checked_dimension(d), float(whole_number(n, "number of points"))
    modes = modes_for(kernel, d, points, 0.0, 0)
    c = float(modes.effective_ridge(np.array([points]), 0.0)[0])
    mu = modes.mu[: modes.top + 1]
    learned = (mu > 0) & (mu > _LEARNED * (mu + c))
    return int(np.argmin(learned)) - 1 if not learned.all() else len(learned) - 1
