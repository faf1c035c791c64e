"""The even and the odd part of a kernel: mu_k for even k is that of (kappa(u) + kappa(-u))/2, for odd k the other's.

P_k has the parity of k, so the other part leaves nothing in the integral. What is singular in kappa may have cancelled
in one of them: kappa1(u) + exp(u) has the odd part sinh(u) + u/2.
"""

from __future__ import annotations

from asymptok import dag
from asymptok.errors import AsymptokError
from asymptok.kernels.kernel import Kernel
from asymptok.kernels.means import Mean
from asymptok.laws.parity import keeps_all, parity_part, singular_nodes
from asymptok.proofs.tails import exact_law
from asymptok.spectrum.parity import vanishing
from asymptok.symbols import u

__all__ = ["are_of_two_kinds", "is_simpler", "part_of"]


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


def is_simpler(kernel: Kernel, parity: int, as_written: bool = False) -> bool:
    """Whether something that is singular in kappa, or a function in it, has cancelled in the part.

    `as_written`: or is not there as it was written, like acos(u) + acos(-u), which is a constant.
    """
    part = parity_part(kernel.expr, -1 if parity else 1)
    if as_written and not singular_nodes(kernel.expr) <= set(dag.postorder(part)):
        return True
    return not keeps_all(kernel.expr, part)


def are_of_two_kinds(kernel: Kernel) -> bool:
    """Whether each part has lost something of kappa, and their laws are known to be of two kinds, none of them zero."""
    if None not in vanishing(kernel.expr) or not (is_simpler(kernel, 0) and is_simpler(kernel, 1)):
        return False
    try:
        kinds = {exact_law(kernel, parity).kind for parity in (0, 1)}
    except AsymptokError:
        return False
    return len(kinds) == 2 and "zero" not in kinds
