"""F(k) and the derivatives at 0 of entire kernels, as text and in LaTeX."""

from __future__ import annotations

from sympy import Expr, Symbol, factorial, gamma, latex

from asymptok.laws.exponential_sums import Term
from asymptok.laws.leading_exponentials import Frame

__all__ = ["derivative_latex", "frame_latex", "size_latex", "size_text"]

_n = Symbol("n", integer=True)


def size_text(frame: Frame) -> str:
    """F(k) as text."""
    text = f"({frame.base}/2)^k Gamma(d/2)/Gamma(k+d/2)"
    if frame.power > 0:
        text += f" k!/(k-{frame.power})!"
    elif frame.power < 0:
        text += f" k!/(k+{-frame.power})!"
    if frame.order is not None:
        text += f" / Gamma(k+{frame.order - frame.power})"
    if frame.square:
        text += f" Gamma((k{1 - frame.power:+d})/2)" if frame.power != 1 else " Gamma(k/2)"
    return text


def size_latex(frame: Frame) -> str:
    """F(k)."""
    inner = frame_latex(frame, "k")
    return r"\frac{\Gamma(d/2)}{2^k\, \Gamma(k+d/2)}" + ("" if inner == "1" else rf"\, {inner}")


def frame_latex(frame: Frame, name: str = "n") -> str:
    """f(n) of a frame."""
    n, factors = Symbol(name, integer=True), []
    if frame.base != 1:
        factors.append(_power(frame.base, name))
    if frame.power:
        factors.append(rf"\frac{{{name}!}}{{{latex(factorial(n - frame.power))}}}")
    if frame.order is not None:
        factors.append(rf"\frac1{{{latex(gamma(n + frame.order - frame.power))}}}")
    if frame.square:
        factors.append(latex(gamma((n + 1 - frame.power) / 2)))
    return r"\, ".join(factors) or "1"


def derivative_latex(term: Term) -> str:
    """What one term adds to the n-th derivative at 0."""
    power = term.power
    factors: list[str] = [latex(term.coefficient)] if term.coefficient != 1 else []
    if power:
        factors.append(rf"(n)_{{{power}}}")
    exponent = latex(_n - power)
    if term.square:
        half = rf"\frac{{{exponent}}}2"
        factors += [rf"\left[{exponent}\right]", rf"\left({latex(term.base)}\right)^{{({exponent})/2}}"]
        factors.append(rf"\frac{{({exponent})!}}{{({half})!}}")
    elif term.base != 1:
        factors.append(_power(term.base, exponent))
    if term.order is not None:
        index: Expr = term.order + _n - power
        factors.append(
            rf"\frac{{\Gamma({latex(term.order)})}}{{\Gamma({latex(index)})}}\, "
            rf"{{}}_0F_1\left({latex(index)}; {latex(term.shift)}\right)"
        )
    text = r"\, ".join(factors) or "1"
    return rf"\left({text}\right)" if text.startswith("-") else text


def _power(base: Expr, exponent: str) -> str:
    text = latex(base)
    return (
        rf"{text}^{{{exponent}}}" if base.is_Integer and base > 0 else rf"\left({text}\right)^{{{exponent}}}"
    )
