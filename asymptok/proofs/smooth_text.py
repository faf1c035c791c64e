"""What a proof says about power series with coefficients >= 0 that are smooth at u = 1, in LaTeX."""

from __future__ import annotations

from asymptok.proofs.proof_text import number
from asymptok.proofs.statement import Statement

__all__ = ["smooth_text"]


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

\emph{{All $k$.}} For $d' \ge 3$
\[ N(d', k-n) = \frac{{2}}{{(d'-2)!}} \Big(k+\frac{{d-2}}2\Big) \prod_{{i=1}}^{{d+2n-3}} (k-n+i), \]
and $k/(k+c) \le \max(1, k_0/(k_0+c))$ for $k \ge k_0 > n$. With the row $n$ for which the power of $k$ in the
theorem is
$2-d-2n$ this gives its constants.

\emph{{Small $k$.}} The first eigenvalues were computed as integrals with a proved error, from $|\kappa(z)| \le
\kappa(1)$ for
$|z| \le 1$ or from the power series. The result is the table."""
