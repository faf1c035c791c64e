"""What is proved about the eigenvalues of one parity, as a line of text and in LaTeX."""

from __future__ import annotations

from fractions import Fraction

from sympy import Expr, latex

from asymptok.proofs.claims import Law, ParityClaim
from asymptok.proofs.decimals import decimal, plain
from asymptok.proofs.ellipses import widest
from asymptok.proofs.entire import entire_law, majorant
from asymptok.proofs.frames_shown import size_latex, size_text
from asymptok.proofs.statement import Statement
from asymptok.proofs.writing import Numbers, fraction
from asymptok.show.formula import folded

__all__ = ["law_latex", "law_text"]

#: digits of the constants in a text, rounded outward
_SHOWN = 4
_OF_THE_MODULUS = (Law.OSCILLATING, Law.FLAT, Law.BOUNDED)
_NOT_NEGATIVE = (Law.SMOOTH, Law.STRETCHED)


def law_text(whole: Statement, parity: int) -> tuple[int | None, str]:
    """The degree from which it holds (None for all) and the inequality."""
    claim, source = whole.law(parity), whole.source(parity)
    low = None if claim.low is None else plain(decimal(Fraction(claim.low), _SHOWN, up=False))
    high = None if claim.high is None else plain(decimal(Fraction(claim.high), _SHOWN, up=True))
    if claim.zero_from is not None:
        return claim.zero_from, "mu_k = 0"
    if claim.frame is not None:
        bounds = f"{low} F(k) <= mu_k <= {high} F(k)"
        return claim.k0, f"{bounds}, F(k) = {size_text(claim.frame)}"
    if claim.high is not None:
        power = claim.power if source.rho == 1 else f"({source.rho})^(-k) {claim.power}"
        if claim.law in _OF_THE_MODULUS:
            return claim.k0, f"|mu_k| <= {high} {power}"
        least = "0" if claim.law in _NOT_NEGATIVE else f"{low} {power}"
        return claim.k0, f"{least} <= mu_k <= {high} {power}"
    if claim.law is Law.ENTIRE:
        return None, entire_law(source.kernel.expr)
    if claim.law is Law.BOUNDED:
        heights = ", ".join(str(b.height) for b in source.bounds)
        return None, f"|mu_k| falls at least like exp(-(k+1)h), h = {heights}, with explicit factors"
    if claim.law is Law.GIVEN:
        return None, "mu_k as given, smaller than every power of k"
    return None, claim.law.value


def law_latex(whole: Statement, parity: int, numbers: Numbers, alone: bool = False) -> str:
    """One item of the theorem; with the rho of a part where that has one. `alone` if no proof follows."""
    source, name = whole.source(parity), ("even", "odd")[parity]
    claim = source.odd if parity else source.even
    degrees = rf"for all {name} $k \ge {claim.zero_from if claim.law is Law.ZERO else claim.k0}$"
    if claim.law is Law.ZERO:
        return rf"$\mu_k = 0$ {degrees}"
    if claim.law is Law.GIVEN:
        return rf"for all {name} $k$ the $\mu_k$ are those of the formula, smaller than every power of $k$"
    if claim.law in (Law.ENTIRE, Law.BOUNDED):
        return _by_ellipses(source, parity, name, numbers, alone)
    power = "F(k)" if claim.frame is not None else _power(claim, source.rho, numbers)
    high = rf"{numbers.up(claim.high)}\, {power}"
    if claim.law in _OF_THE_MODULUS:
        text = rf"$|\mu_k| \le {high}$ {degrees}"
    elif claim.law in _NOT_NEGATIVE:
        text = rf"$0 \le \mu_k \le {high}$ {degrees}"
    else:
        text = rf"${numbers.down(claim.low)}\, {power} \le \mu_k \le {high}$ {degrees}"
    if claim.frame is not None:
        text += rf", where $F(k) = {size_latex(claim.frame)}$, $d = {source.d}$"
    if claim.tau is not None:
        text += rf", $\tau = {claim.tau}$"
    return text + (rf", $\rho = {latex(source.rho)}$" if whole.apart and source.rho != 1 else "")


def _power(claim: ParityClaim, rho: Expr, numbers: Numbers) -> str:
    """rho^-k k^p (log k)^q, and what stands beside that."""
    assert claim.rate is not None
    text = ("" if rho == 1 else r"\rho^{-k} ") + rf"k^{{{folded(claim.rate)}}}"
    if claim.log_power:
        text += r" \log k" if claim.log_power == 1 else rf" (\log k)^{{{claim.log_power}}}"
    if claim.tau is not None:
        text += r"\, \exp\big({-\tfrac32} (2\tau k)^{2/3}\big)"
    if claim.stretch is not None:
        c, g = claim.stretch
        text += rf"\, \exp(-{numbers.down(c)}\, k^{{{folded(g)}}})"
    return text


def _by_ellipses(source: Statement, parity: int, name: str, numbers: Numbers, alone: bool) -> str:
    """Bounds of analytic kernels."""
    factors = r"$A_k$ and $S$ as in $(\ast)$"
    if alone:
        factors = (
            r"$A_k = 2\Gamma(\frac d2)\, k!/\Gamma(k+\frac d2)$, "
            rf"$S = \sum_j |(2-\frac d2)_j| e^{{-2jh}}/j!$, $d = {source.d}$"
        )
    if (source.odd if parity else source.even).law is Law.ENTIRE:
        return (
            rf"$|\mu_k| \le \min_{{h > 0}} M(\cosh h) \cosh h\, S A_k e^{{-(k+1)h}}$ for all {name} $k \ge 0$, "
            rf"$M(r) = {latex(majorant(source.kernel.expr))}$, {factors}; so $|\mu_k|$ falls faster than every "
            "geometric sequence"
        )
    ellipse = widest(source.bounds, source.d)
    if ellipse is None or source.poles:
        return rf"$\mu_k$ lies in the interval that $(\ast)$ gives, for all {name} $k$"
    law = source.law(parity)
    assert law.rate is not None
    rough = rf"$|\mu_k| \le {numbers.up(law.high)}\, \rho^{{-k}} k^{{{folded(law.rate)}}}$ for "
    if alone:
        return rf"{rough}all {name} $k \ge 1$"
    return (
        rf"$|\mu_k| \le {numbers.up(ellipse.curve)}\, S A_k e^{{-(k+1)h}}$, $h = {fraction(ellipse.height)}$, for all "
        rf"{name} $k \ge 0$, {factors}, and likewise with the other heights below; so {rough}$k \ge 1$, "
        r"since $A_k \le 2\Gamma(\frac d2)\, k^{1-d/2}$"
    )
