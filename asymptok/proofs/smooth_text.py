"""What a proof says about power series with coefficients >= 0 that are smooth at u = 1, in LaTeX."""

from __future__ import annotations

from asymptok.proofs.proof_text import number
from asymptok.proofs.statement import Statement

__all__ = ["smooth_text", "stretched_text"]


def smooth_text(certificate: Statement) -> str:
    """The bound by the derivatives at u = 1, the law that follows, and the first eigenvalues."""
    rows = " \\\\\n".join(rf"${n}$ & ${number(size)}$" for n, size in certificate.derivatives)
    return rf"""\emph{{The power series.}} $\kappa = \sum_m a_m u^m$ with $a_m \ge 0$ for all $m$: $\kappa$ is
a sum of products
and compositions of such series, among them means $\hat\kappa[\varphi](u) = E[\varphi(X)\varphi(Y)]$ of
standard normal
$X$, $Y$ with correlation $u$, for which the $a_m$ are squares of Hermite coefficients. Its derivatives have
such coefficients too, and all their
eigenvalues are
non-negative.

\emph{{The bound.}} Let $d = {certificate.d}$, $d' = d+2n$, $D_n = d(d+2)\cdots(d+2n-2)$, and let $N(d, k)$ be the
number of independent spherical harmonics of degree $k$. By Rodrigues' formula $\mu_k(\kappa)$ is
$\mu_{{k-n}}(\kappa^{{(n)}})/D_n$, the latter in dimension $d'$, and the trace formula is
$\sum_j N(d', j)\, \mu_j(\kappa^{{(n)}}) = \kappa^{{(n)}}(1)$. All summands are non-negative, hence
\[ 0 \le \mu_k \le \frac{{\kappa^{{(n)}}(1)}}{{D_n N(d', k-n)}} \qquad (k \ge n). \]
From the exact expansion $\kappa(1-t) = c_0 + \dots + c_n t^n + o(t^n)$ one has $\kappa^{{(n)}}(1) = (-1)^n
n!\, c_n$, for the
$n$-th difference quotients at $1$ tend to that, and those of $u^m$ increase to its $n$-th derivative. In interval
arithmetic
\begin{{center}}
\begin{{tabular}}{{rl}}
$n$ & $\kappa^{{(n)}}(1)$ is at most \\\hline
{rows}
\end{{tabular}}
\end{{center}}
{_law(certificate)}
\emph{{Small $k$.}} The first eigenvalues were computed as integrals with a proved error, from $|\kappa(z)| \le
\kappa(1)$ for
$|z| \le 1$ or from the power series. The result is the table."""


def _law(certificate: Statement) -> str:
    """From the derivatives to all k, where the law rests on them."""
    if certificate.coefficients is not None:
        return ""
    return r"""
\emph{All $k$.} For $d' \ge 3$
\[ N(d', k-n) = \frac{2}{(d'-2)!} \Big(k+\frac{d-2}2\Big) \prod_{i=1}^{d+2n-3} (k-n+i), \]
and $k/(k+c) \le \max(1, k_0/(k_0+c))$ for $k \ge k_0 > n$. With the row $n$ for which the power of $k$ in the
theorem is
$2-d-2n$ this gives its constants.
"""


def stretched_text(certificate: Statement) -> str:
    """The Hermite coefficients by a strip, and the law that follows."""
    claim = certificate.coefficients
    if claim is None:
        return ""
    return rf"""\emph{{Hermite coefficients.}} Up to a polynomial of degree below ${claim.start}$, $\kappa$ is a sum
    of terms
$c\, u^p\, \hat\kappa[\varphi](u)$, $\hat\kappa[\varphi] = \sum a_n^2 u^n$, with $\varphi$ even or odd, real on the
real axis and, as interval arithmetic shows, analytic for $|\operatorname{{Im}} z| \le \tau$,
$\tau = {claim.tau}$. On $\operatorname{{Im}} z = \tau$ it is bounded by $K e^{{b|x|}} + \psi(x)$ with
$\int \psi\, dx \le J$. By Cauchy's formula for the generating function of the Hermite polynomials
\[ a_n = \frac{{\sqrt{{n!}}}}{{2\pi i}} \oint \Psi(w)\, w^{{-n-1}} dw, \qquad \Psi(w) = E[\varphi(X) e^{{Xw-w^2/2}}] =
\int \varphi(x)\, p(x-w)\, dx, \]
$p$ the normal density. Moving the path of $x$ to $\operatorname{{Im}} x = \pm\tau$ gives
$|\Psi(s+iy)| \le e^{{(|y|-\tau)^2/2}} E|\varphi(X+s+i\tau)|$, and
$E|\varphi(X+s+i\tau)| \le K e^{{b|s|}} E e^{{b|X|}} + J/\sqrt{{2\pi}}$. On $w = re^{{i\vartheta}}$, as
$1-|\sin\vartheta| \le \cos^2\vartheta$, one has $(r|\sin\vartheta|-\tau)^2 \le (r-\tau)^2 - 2\lambda\cos^2\vartheta$
with
$\lambda = r^2/2-\tau r$. The mean of $e^{{-m\cos^2\vartheta}}$ is at most $\frac12\sqrt{{\pi/m}}$, and
$e^{{br|\cos\vartheta|}} \le e^{{b^2r^2/(2\lambda)}} e^{{\lambda\cos^2\vartheta/2}}$. With $r = \sqrt n + \tau/2$ and
Stirling's formula, for $\sqrt n > \frac32\tau$,
\[ |a_n| \le W\, (2\pi n)^{{1/4}} e^{{1/(24n) + \tau^2/4 - \tau\sqrt n}} \lambda^{{-1/2}}, \qquad
W = \tfrac12\sqrt\pi\, \big(K + J/\sqrt{{2\pi}}\big), \]
where for $b > 0$ the number $K$ is multiplied with $\sqrt2\, e^{{b^2r^2/(2\lambda)}} E e^{{b|X|}}$; $n/\lambda$ and
$r^2/\lambda$ decrease in $n$. A factor $u^p$ shifts $n$, and $\sqrt{{n+p}} - \sqrt n \le p/(2\sqrt n)$. Altogether the
coefficients of $\kappa$ satisfy
\[ 0 \le b_n \le D\, n^{{-1/2}} e^{{-2\tau\sqrt n}} \quad (n \ge {claim.start}), \qquad D = {number(claim.size)} . \]

\emph{{All $k$.}} For $n = k+2m$ the eigenvalue of $u^n$ is $\Gamma(\frac d2)\, n!/(2^n m!\, \Gamma(k+m+\frac d2))$,
at most
$\Gamma(\frac d2)\, k^{{1-d/2}}$ times that for $d = 2$, which is
$2^{{-n}} \binom nm \le \sqrt{{2/(\pi n)}}\, e^{{-(k^2-1)/(2(n+1))}}$: a central binomial coefficient times quotients
$(a-x)/(a+x) \le e^{{-2x/a}}$ with $a = \frac{{n+1}}2$ and $x = \frac12, \frac32, \dots$ or $1, 2, \dots$ up to
$\frac{{k-1}}2$.
With $N = n+1$, $\sqrt N - \sqrt n \le 1/(2\sqrt n)$ and $f(s) = 2\tau s + k^2/(2s^2)$
\[ \mu_k \le \Gamma(\tfrac d2)\, k^{{1-d/2}} D \sqrt{{2/\pi}}\, (1+\tfrac1k)\, e^{{\tau/\sqrt k + 1/(2(k+1))}}
\sum_N N^{{-1}} e^{{-f(\sqrt N)}}, \]
$N > k$ of one parity. Let $A = \frac12 (2\tau k)^{{2/3}}$ and $s_* = (k^2/(2\tau))^{{1/3}}$. Then
$f(s_* e^t) = 3A + A g(t)$, $g = e^{{-2t}} + 2e^t - 3$, $g(0) = g'(0) = 0$ and
$g'' = 4e^{{-2t}} + 2e^t \ge 3 \cdot 4^{{1/3}}$. As $N^{{-1}} e^{{-f(\sqrt N)}}$ rises and then falls, the sum is at
most half its
integral, which is $e^{{-3A}} \int e^{{-Ag}} dt \le e^{{-3A}} \sqrt{{2\pi/(3 \cdot 4^{{1/3}} A)}}$, plus its maximum,
at most
$e^{{-3A}}/(k+1)$. All factors beside $k^{{2/3-d/2}} e^{{-3A}}$ decrease in $k$; their values at the first $k$ of the
theorem give
its constants."""
