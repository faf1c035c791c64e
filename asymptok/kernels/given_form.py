"""Sums of kernels given by their eigenvalues, with numbers and polynomials in u: mu_k is known for every k."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flint import arb
from mpmath import mpf
from sympy import Add, Dummy, Expr, Poly, S, degree

from asymptok import dag
from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.functions.zonal import ZonalSeries, ZonalSum
from asymptok.kernels.given import is_fast, neglected
from asymptok.quantities import midpoint
from asymptok.symbols import u

if TYPE_CHECKING:
    from asymptok.kernels.kernel import Kernel

__all__ = ["GivenForm", "given_form", "given_nodes", "neglected_of"]


@dataclass(frozen=True, slots=True)
class GivenForm:
    """sum_i Z_i(x_i) + polynomial, x_i = u or -u; `parts` are the formulas of mu_k with +1 or -1 for x_i."""

    dimension: int
    parts: tuple[tuple[Expr, int], ...]
    polynomial: Expr

    @property
    def degree(self) -> int:
        """The degree up to which the polynomial adds to mu_k; -1 without one."""
        return -1 if self.polynomial == 0 else int(degree(self.polynomial, u))

    def at(self, side: int) -> Expr:
        """The powers of k that belong to the end `side`."""
        return Add(*(law for law, x in self.parts if x == side and not is_fast(law)))

    def of_parity(self, parity: int) -> tuple[Expr, tuple[Expr, ...]]:
        """mu_k of a parity beyond the polynomial: powers of k, and summands that fall faster."""
        terms = [law * (x if parity else 1) for law, x in self.parts]
        fast = Add(*(law for law in terms if is_fast(law)))
        slow = Add(*(law for law in terms if not is_fast(law)))
        return slow, () if fast == 0 else Add.make_args(fast)


def given_nodes(expr: Expr) -> list[ZonalSeries]:
    """The sums with given eigenvalues in an expression."""
    return [node for node in dag.postorder(expr) if isinstance(node, ZonalSeries)]


def neglected_of(kernel: Kernel) -> mpf:
    """A proved bound of what values at doubles leave out of sums with given eigenvalues; 0 for other kernels."""
    names = {node: Dummy("z", real=True) for node in given_nodes(kernel.expr)}
    form = dag.rebuild(kernel.expr, names)
    total = arb(0)
    for node, z in names.items():
        factor = form.diff(z)
        if not factor.is_number:
            raise AsymptokError(
                "what values at doubles leave out is bounded for sums and multiples of kernels that are given by their "
                "eigenvalues, not for their products and functions: evaluate() has proved errors"
            )
        total += abs(ball(factor)) * neglected(node)
    return midpoint(total.upper())


def given_form(expr: Expr) -> GivenForm | None:
    """The expression as such a sum; None if it is none, or not of one dimension."""
    if not given_nodes(expr):
        return None
    parts: list[tuple[Expr, int]] = []
    dimensions: set[int] = set()
    polynomial = S.Zero
    for term in Add.make_args(expr.expand(deep=False)):
        factor, rest = term.as_independent(u, as_Add=False)
        if isinstance(rest, ZonalSeries) and rest.args[0] in (u, -u) and factor.is_number:
            parts.append((factor * rest.law, 1 if rest.args[0] == u else -1))
            dimensions.add(rest.dimension)
        elif isinstance(rest, ZonalSum) and rest.args[-1] == u and factor.is_number:
            polynomial += factor * rest.polynomial()
        elif term.is_polynomial(u) and not term.free_symbols - {u}:
            polynomial += term
        else:
            return None
    polynomial = Poly(polynomial, u).as_expr() if polynomial != 0 else S.Zero
    return GivenForm(dimensions.pop(), tuple(parts), polynomial) if len(dimensions) == 1 else None
