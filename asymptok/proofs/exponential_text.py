"""What a proof says about entire kernels whose derivatives at 0 are known, in LaTeX."""

from __future__ import annotations

from sympy import Add, Expr, Symbol, factorial, gamma, latex

from asymptok.laws.exponential_sums import Term, exponential_sum
from asymptok.laws.leading_exponentials import Frame, leading_part
from asymptok.proofs.claims import Law, ParityClaim
from asymptok.proofs.statement import Statement

__all__ = ["exponential_conclusion", "exponential_text", "frame_latex", "size_latex"]

_n = Symbol("n", integer=True)


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


def size_latex(frame: Frame) -> str:
    """F(k)."""
    inner = frame_latex(frame, "k")
    return r"\frac{\Gamma(d/2)}{2^k\, \Gamma(k+d/2)}" + ("" if inner == "1" else rf"\, {inner}")


def exponential_text(certificate: Statement) -> str:
    """The derivatives at 0, the series of the eigenvalues, and the first of them."""
    found = exponential_sum(certificate.kernel.expr)
    assert found is not None
    total = " + ".join(_term(t) for t in found.terms)
    low = (
        rf"for $n > {found.degree}$, and for smaller $n$ with $n!\, p_n$ added for the terms $p_n u^n$ of "
        rf"${latex(Add(*(p * Symbol('u') ** n for n, p in found.polynomial)))}$."
        if found.polynomial
        else ""
    )
    squares = (
        r""" Here $[n]$ is $1$ for even $n$ and $0$ for odd $n$:
the summand of $u^e e^{cu^2}$ is $(n)_e\, c^j (2j)!/j!$ for $n-e = 2j$, and
$(2j)!/j! = 4^j \Gamma(j+\frac12)/\sqrt\pi$."""
        if any(t.square for t in found.terms)
        else ""
    )
    hypergeometric = (
        r""" Here ${}_0F_1(b; x) = \sum_j x^j/(j!\, b(b+1)\cdots(b+j-1))$, whose derivative in $x$ is
${}_0F_1(b+1; x)/b$, and $|{}_0F_1(b; x) - 1| \le e^{|x|/b} - 1$."""
        if any(t.order is not None for t in found.terms)
        else ""
    )
    return rf"""\emph{{The derivatives.}} $\kappa$ is entire, and with $(n)_e = n!/(n-e)!$
\[ \kappa^{{(n)}}(0) = {total}{"," if low else "."} \]{low}{hypergeometric}{squares}

\emph{{The series.}} Let $d = {certificate.d}$. The eigenvalue of $u^n$, $n = k+2m$, is
$\Gamma(\frac d2)\, n!/(2^n m!\, \Gamma(k+m+\frac d2))$, and $0$ for all other $n$. Hence
\begin{{equation}}\tag{{$\ast$}}
\mu_k = \frac{{\Gamma(d/2)}}{{2^k\, \Gamma(k+d/2)}} \sum_{{m \ge 0}}
\frac{{\kappa^{{(k+2m)}}(0)}}{{4^m\, m!\, (k+\frac d2)(k+\frac d2+1) \cdots (k+\frac d2+m-1)}} .
\end{{equation}}
This series was summed in interval arithmetic wherever a single $\mu_k$ is spoken of; from where its summands, in
absolute value and term by term, at least halve, the rest is at most the first summand that is left out, twice. So
the table was computed."""


def exponential_conclusion(certificate: Statement, parity: int) -> str:
    """From the leading derivatives to all k of one parity."""
    claim: ParityClaim = certificate.odd if parity else certificate.even
    found = exponential_sum(certificate.kernel.expr)
    part = None if found is None else leading_part(found, parity)
    if claim.law is not Law.EXPONENTIAL or part is None:
        return ""
    name, start = ("odd" if parity else "even"), claim.tail
    rest = (
        rf"for all $n \ge {start}$ of this parity, $r = 0$"
        if not part.others and not any(x != 0 for _, x in part.piece.weights)
        else rf"""where $|r_n| \le r < \frac12$ for all $n \ge {start}$ of this parity: the quotient of
every other term and of $f(n)$, in absolute value, decreases in steps of $2$ from $n = {start}$ on, for its steps are
products of factors that tend to their limits monotonously,
the bound of $|{{}}_0F_1 - 1|$ decreases where it occurs, and $r$ was computed at $n = {start}$"""
    )
    between = (
        ""
        if claim.tail == claim.k0
        else rf" For ${claim.k0} \le k < {start}$ the values of $(\ast)$ were compared one by one."
    )
    return rf"""\emph{{{name.capitalize()} $k$.}} With $f(n) = {frame_latex(part.lead)}$ and
$c = {latex(part.constant)}$ the derivatives are $c\, f(n)\, (1 + r_n)$, {rest}. All summands of $(\ast)$ have the
sign of $c$, {_sum_of_steps(part.lead, start)}.{between}"""


def _sum_of_steps(lead: Frame, start: int | None) -> str:
    """How the sum over m is bounded for all k."""
    total = r"$f(k+2m)/f(k)/(4^m m!\, (k+\frac d2) \cdots (k+\frac d2+m-1))$ over $m$"
    if lead.square:
        return rf"""and the quotient of two that follow each other in the sum of
{total} is $b^2/(8(m+1))$, $f(n) = b^n \cdots$, times factors of the powers of $n$, which decrease to $1$, and times
$(k+2m+1-q)/(k+\frac d2+m)$, $q$ the power, which tends to $1$ monotonously in $k$: so the sum is for all
$k \ge {start}$ between two numbers $s_0$ and $s$, computed at $k = {start}$.
Thus $|c| (1-r)\, s_0\, F(k) \le |\mu_k| \le |c| (1+r)\, s\, F(k)$"""
    return rf"""so that $|\mu_k|$ is at least its first summand. The quotients $f(n+2)/f(n)$ are at most a function that
decreases in $n$ (the product of their factors, with $1$ for those below $1$), so
the sum of {total} is for all $k \ge {start}$ at most a
number $s$, computed at $k = {start}$. Thus $|c| (1-r) F(k) \le |\mu_k| \le |c| (1+r)\, s\, F(k)$"""


def _term(term: Term) -> str:
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
