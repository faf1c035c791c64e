"""What `decay` answers: one law for even k, one for odd k, and the series behind both."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import mpmath
from sympy import Add, Expr, Integer, Max, Pow, S, oo, sympify

from asymptok.asymptotics.display import decay_html, decay_latex, decay_text, parity_text
from asymptok.asymptotics.evaluate import Estimate, estimate, require_numbers
from asymptok.asymptotics.laws import decay_exponent, leading_constant, leading_log_power, term_law
from asymptok.asymptotics.oscillation import amplitude
from asymptok.asymptotics.terms import Lead, groups
from asymptok.errors import AsymptokError, PrecisionError
from asymptok.kernels.kernel import Kernel
from asymptok.preformatted import Preformatted
from asymptok.singularities import InteriorPoint
from asymptok.symbols import d as dimension
from asymptok.truth import Truth

#: orders of the expansions that `series` tries until it has the terms asked for
_ORDERS = (4, 8, 16, 32, 64)


@dataclass(frozen=True, slots=True)
class ParityDecay(Preformatted):
    """mu_k for all even, or all odd, k.

    kind is one of
        "algebraic"        mu_k ~ constant(d) k^exponent(d) (log k)^log_power
        "zero"             mu_k = 0 for every k >= zero_from of this parity
        "geometric"        mu_k = O(r^-k) for every r < rho
        "superpolynomial"  smaller than every power of k: entire kernels, and flat ends such as exp(-1/t)
        "oscillatory"      limsup |mu_k| k^-exponent(d) = constant(d) or less: singular points inside (-1, 1)
    """

    parity: str
    kind: str
    lead: Lead | None = None
    zero_from: int | None = None
    rho: Expr | None = None
    interior: tuple[InteriorPoint, ...] = ()
    note: str = ""

    @property
    def sign(self) -> int:
        """(-1)^k."""
        return 1 if self.parity == "even" else -1

    @property
    def nu(self) -> Expr | None:
        """The exponent of the term that governs this parity, at an end or inside."""
        if self.kind == "oscillatory":
            return self.interior[0].nu
        return None if self.lead is None else self.lead.nu

    @property
    def coefficient(self) -> Expr | None:
        """c_1 + c_-1 (even) or c_1 - c_-1 (odd) at t^nu (log t)^j."""
        return None if self.lead is None or self.kind != "algebraic" else self.lead.coefficient

    @property
    def log_power(self) -> int:
        """The power of log k in the law; a whole nu swallows one logarithm."""
        if self.kind != "algebraic" or self.lead is None:
            return 0
        return leading_log_power(self.lead.nu, self.lead.log_power)

    def exponent(self, d: Any = dimension) -> Expr:
        """p with mu_k ~ constant k^p (log k)^log_power; minus infinity where mu_k beats every power."""
        if self.kind == "algebraic":
            return decay_exponent(d, self.nu)
        if self.kind != "oscillatory":
            return -oo
        size = -sympify(d) / 2 - self.nu
        # the ends may dominate in low dimensions if their singularity is the stronger one
        return size if self.lead is None else Max(size, decay_exponent(d, self.lead.nu))

    def constant(self, d: Any = dimension) -> Expr | None:
        """The exact constant of the law, the amplitude of an oscillation, 0 for "zero", None where no power fits."""
        if self.kind == "zero":
            return S.Zero
        if self.kind == "algebraic" and self.lead is not None:
            return self.lead.coefficient * leading_constant(d, self.lead.nu, self.lead.log_power)
        return amplitude(self.interior, d) if self.kind == "oscillatory" else None

    def __str__(self) -> str:
        return parity_text(self)

    __repr__ = __str__


@dataclass(frozen=True)
class Decay:
    """The decay of the eigenvalues of a dot-product kernel on S^(d-1), every d >= 2.

    >>> from asymptok import kernels
    >>> from asymptok.asymptotics import decay
    >>> law = decay(kernels.ntk(2))
    >>> law.nu, law.even.exponent(), law.odd.kind, law.odd.zero_from
    (1/2, -d, 'zero', 3)
    >>> law.even.constant(3)
    1/pi
    """

    kernel: Kernel
    nu: Expr | None
    even: ParityDecay
    odd: ParityDecay
    evidence: str = field(default="", repr=False)

    def parity(self, k: Any) -> ParityDecay:
        """The law that holds for this k."""
        return self.even if int(k) % 2 == 0 else self.odd

    # the series ------------------------------------------------------------------------------------------

    def series(self, k: Any, d: Any = dimension, terms: int = 3) -> Expr:
        """The first terms of the asymptotic series, eq. (5), gamma ratios kept; one term is one exponent of t.

        For a symbol k the factor (-1)^k stays; for a number, or a symbol known to be even or odd, it is put in.

        >>> from asymptok import k, d
        >>> from asymptok.asymptotics import decay
        >>> decay("sqrt(1 - u)").series(k, 3, 1)
        -sqrt(2)*gamma(k - 1/2)/(4*gamma(k + 5/2))
        """
        k, d = sympify(k), sympify(d)
        signs: Expr = Pow(Integer(-1), k)
        singled = self._singled(k)
        if singled is not None and singled.kind == "zero":
            return S.Zero
        total: list[Expr] = []
        for order in _ORDERS:
            total = []
            for group in groups(self.kernel, order):
                parts = [
                    (group.plus.get(j, S.Zero) + signs * group.minus.get(j, S.Zero))
                    * term_law(k, d, group.exponent, j)
                    for j in group.log_powers
                    if j or group.whole is not Truth.TRUE
                ]
                value = Add(*parts)
                if value != 0:
                    total.append(value)
            if len(total) >= terms:
                break
        return Add(*total[:terms])

    def _singled(self, k: Expr) -> ParityDecay | None:
        if k.is_even is None and k.is_odd is None:
            return None
        return self.even if k.is_even else self.odd

    # numbers ---------------------------------------------------------------------------------------------

    def evaluate(self, k: Any, d: Any, terms: int | None = None, dps: int = 30) -> mpmath.mpf:
        """mu_k from the series, to `dps` digits as far as its terms can tell; see `estimate` for the error.

        >>> from asymptok import kernels
        >>> from asymptok.asymptotics import decay
        >>> print(decay(kernels.ntk(3)).evaluate(10**12, 3, dps=15))
        5.57042300820798e-37
        """
        return self.estimate(k, d, terms, dps).value

    def estimate(self, k: Any, d: Any, terms: int | None = None, dps: int = 30) -> Estimate:
        """The value of the series at k with an estimate of its error and the number of terms used.

        With terms=None as many terms as `dps` digits need; if no number of terms reaches them, PrecisionError says
        how many digits can be had at this k. With a number of terms, their sum, whatever digits it stands for.
        """
        degree, dim = require_numbers(self.kernel, k, d)
        law = self.parity(degree)
        if law.kind == "zero":
            if law.zero_from is not None and degree >= law.zero_from:
                return Estimate(mpmath.mpf(0), mpmath.mpf(0), 0)
            raise PrecisionError(
                f"the eigenvalues of {self.kernel} vanish for {law.parity} k >= {law.zero_from}; mu_{degree} is one of "
                "the finitely many others: use eigenvalues()"
            )
        if law.kind != "algebraic":
            raise PrecisionError(
                f"for {law.parity} k the eigenvalues of {self.kernel} follow no series in powers of k ({law.kind}): "
                "use eigenvalues()"
            )
        if terms is not None and (not isinstance(terms, int) or terms < 1):
            raise AsymptokError(f"the number of terms is a positive integer, not {terms!r}")
        return estimate(self.kernel, law.sign, degree, dim, terms, dps)

    # display ---------------------------------------------------------------------------------------------

    @cached_property
    def _text(self) -> str:
        return decay_text(self)

    def __repr__(self) -> str:
        return self._text

    __str__ = __repr__

    def _sympystr(self, printer: Any) -> str:
        return self._text

    def _latex(self, printer: Any) -> str:
        return decay_latex(self)

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {decay_latex(self)}$"

    def _repr_html_(self) -> str:
        return decay_html(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(self._text)


__all__ = ["Decay", "ParityDecay"]
