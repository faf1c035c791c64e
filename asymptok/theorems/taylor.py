"""The law of the Taylor coefficients at 0, from the singular terms at +-1 (Flajolet and Odlyzko).

(1-u)^nu = sum_n Gamma(n-nu)/(Gamma(-nu) n!) u^n, and (1-u)^nu (log(1-u))^j is its j-th derivative in nu; a kernel that
continues to a disc |u| < 1 + epsilon, cut beyond +-1, has no other terms of that size.
"""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr, Integer, S, factorial, oo, sstr

from asymptok.constants.sphere import gamma_above_zero
from asymptok.errors import ExpansionError, Undecided
from asymptok.kernels.kernel import Kernel, as_kernel
from asymptok.laws.derive import decay
from asymptok.laws.results import ParityDecay
from asymptok.show.preformatted import Preformatted
from asymptok.theorems.case import Case
from asymptok.theorems.slit_disc import SLIT_DISC
from asymptok.truth import PROVED, REFUTED

__all__ = ["TaylorLaw", "TaylorParity", "taylor_law"]


@dataclass(frozen=True, slots=True)
class TaylorParity:
    """b_n ~ constant n^exponent (log n)^log_power for the n of one parity.

    kind is "algebraic", "zero" (b_n = 0 for n >= zero_from) or "geometric" (faster than every power, exponent -oo).
    """

    parity: str
    kind: str
    exponent: Expr
    constant: Expr | None
    log_power: int = 0
    zero_from: int | None = None

    def __str__(self) -> str:
        head = f"{self.parity} n".ljust(8)
        if self.kind == "zero":
            return f"{head}b_n = 0 for {self.parity} n >= {self.zero_from}"
        if self.kind == "geometric":
            return f"{head}b_n = O(r^-n) for some r > 1"
        logs = "" if not self.log_power else " log(n)" + (f"^{self.log_power}" if self.log_power > 1 else "")
        return f"{head}b_n ~ {sstr(self.constant)} n^({sstr(self.exponent)}){logs}"

    __repr__ = __str__


@dataclass(frozen=True, repr=False)
class TaylorLaw(Preformatted):
    """The law of the b_n in kappa(u) = sum b_n u^n, for even and for odd n."""

    kernel: Kernel
    even: TaylorParity
    odd: TaylorParity
    evidence: str

    def __str__(self) -> str:
        name = self.kernel.name or str(self.kernel)
        return f"Taylor coefficients of {name} at 0\n{self.even}\n{self.odd}"

    __repr__ = __str__


def taylor_law(kernel: Kernel | Expr | str) -> TaylorLaw:
    """b_n ~ (c_1 + (-1)^n c_-1) n^(-nu-1)/Gamma(-nu): how kappa grows at +-1 is how its coefficients at 0 fall.

    >>> law = taylor_law("kappa1(u)")
    >>> law.even.exponent, law.even.constant, law.odd.kind, law.odd.zero_from
    (-5/2, sqrt(2)/pi**(3/2), 'zero', 3)
    """
    kernel = as_kernel(kernel)
    found = SLIT_DISC.decide(Case(kernel))
    if found.status == REFUTED:
        raise ExpansionError(
            f"the coefficients of {kernel} fall like no power of n: {found.evidence}", kernel.expr
        )
    if found.status != PROVED:
        raise Undecided(
            f"whether {kernel} continues to a disc |u| < 1 + epsilon, cut beyond +-1, is not decided: {found.evidence}"
        )
    law = decay(kernel)
    return TaylorLaw(kernel, _parity(law.even), _parity(law.odd), found.evidence)


def _parity(law: ParityDecay) -> TaylorParity:
    if law.kind == "zero":
        return TaylorParity(law.parity, "zero", -oo, S.Zero, zero_from=law.zero_from)
    if law.kind == "geometric" or (law.kind == "superpolynomial" and law.rho is oo):
        return TaylorParity(law.parity, "geometric", -oo, None)
    if law.kind != "algebraic" or law.lead is None:
        raise Undecided(f"no power at +-1 governs the {law.parity} Taylor coefficients: {law.note}")
    nu, j = law.lead.nu, law.lead.log_power
    factor = S.NegativeOne**j / gamma_above_zero(-nu)
    if nu.is_Integer and nu >= 0:
        # 1/Gamma(-nu) vanishes there: its derivative takes one logarithm
        m, j = Integer(nu), j - 1
        factor = (j + 1) * S.NegativeOne ** (m + 1 + j) * factorial(m)
    return TaylorParity(law.parity, "algebraic", -nu - 1, law.lead.coefficient * factor, j)
