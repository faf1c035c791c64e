"""The even and the odd part of a kernel: mu_k for even k is that of (kappa(u) + kappa(-u))/2, for odd k the other's.

P_k has the parity of k, so the other part leaves nothing in the integral. What is singular in kappa may have cancelled
in one of them: kappa1(u) + exp(u) has the odd part sinh(u) + u/2.
"""

from __future__ import annotations

from asymptok import dag
from asymptok.kernels.kernel import Kernel
from asymptok.kernels.means import Mean
from asymptok.laws.parity import keeps_all, parity_part
from asymptok.symbols import u

__all__ = ["is_simpler", "part_of"]


def part_of(kernel: Kernel, parity: int) -> Kernel:
    """The even (parity 0) or odd part of kappa, by algebra alone; a power series with coefficients >= 0 stays one.

    >>> from sympy import exp, sqrt
    >>> part_of(Kernel(sqrt(1 - u**2) + exp(u)), 1).expr
    exp(u)/2 - exp(-u)/2
    """
    sign = -1 if parity else 1
    mean = None
    if kernel.mean is not None:
        other = dag.rebuild(kernel.expr, {u: -1})
        mean = Mean((kernel.mean.diagonal + sign * other) / 2, sign)
    return Kernel(parity_part(kernel.expr, sign) / 2, mean=mean)


def is_simpler(kernel: Kernel, parity: int) -> bool:
    """Whether something that is singular in kappa, or a function in it, has cancelled in the part."""
    return not keeps_all(kernel.expr, parity_part(kernel.expr, -1 if parity else 1))
