"""What a proof says about kernels that are flat at an end, in LaTeX: the lemmas of `spectrum.contour.flat`."""

from __future__ import annotations

from sympy import Expr, exp, latex

from asymptok.proofs.flat import flat_parts
from asymptok.proofs.proof_text import bound_table, height_of, term_rows
from asymptok.proofs.statement import Statement
from asymptok.spectrum.quadrant_form import QuadrantForm, quadrant_form
from asymptok.symbols import u

__all__ = ["flat_small", "flat_text", "touching_text"]


def flat_text(certificate: Statement) -> str:
    """Where the contour goes, the terms at the ends, and the bounds around them."""
    form = quadrant_form(certificate.kernel.expr)
    assert form is not None
    n, height = form.order, height_of(certificate.bounds[0])
    parts = " \\\\\n & + ".join(latex(part) for part in _exponentials(form))
    rest, others = form.exact(form.rest), ""
    if not rest.is_polynomial(u):
        others = rf"""Let $\kappa_0 = {latex(rest)}$. It has no flat part: the functions under roots in it,
divided by
the powers of $s_0 = \sqrt2\sin\frac\theta2$ and $s_1 = \sqrt2\cos\frac\theta2$ with which they vanish at $u =
1$ and
$u = -1$, were evaluated in interval arithmetic on $\operatorname{{Im}}\theta = {height}$ and on circles in
$\sigma = t^{{1/q}}$ that cover the slits, and miss $(-\infty, 0]$; so they miss it inside, for the number of
solutions
of $U = w$ is the same for all $w \le 0$, and none for large $|w|$. Hence $(\ast)$ holds for $\kappa_0$ without
its terms
below $\beta$, and its terms, $B_\pm$ and $G$ are parts of those below. """
    left = r"(\kappa - \kappa_0)" if others else r"\kappa"
    return rf"""\emph{{A part that is flat at an end.}} {others}For $h, k \ge 0$ the probability $P(X > h, Y >
k)$ has,
in the correlation $u$, the derivative
$e^{{-A/(1+u)-B/(1-u)}}/(2\pi\sqrt{{1-u^2}})$, $A, B = (h \pm k)^2/4$, and
$\operatorname{{erf}}((a+bu)/\sqrt{{2(1-u^2)}})$ the derivative
$\sqrt{{2/\pi}}\,(b+au)(1-u^2)^{{-3/2}}e^{{b^2/2-A/(1+u)-B/(1-u)}}$, $A, B = (a \mp b)^2/4$. Hence, with $n = {n}$,
\begin{{align*}} f := {left}^{{(n)}} ={{}} & {parts} . \end{{align*}}
By Rodrigues' formula $\mu_k(\kappa) = \mu'_{{k-n}}(\kappa^{{(n)}})/D$ for $k \ge n$, where $\mu'$, $T'$, $A'$,
$S'$ belong to
the dimension $d' = d+2n$ and $D = d(d+2)\cdots(d+2n-2)$; and
\[ \frac{{T'(\beta-n, k-n)}}D = \frac{{\Gamma(\beta-n+1)}}{{\Gamma(\beta+1)}}\, T(\beta, k), \qquad
\frac{{A'_{{k-n}} S' e^{{-(k-n+1)h}}}}D \le (\cosh h)^n \frac{{(k-n)!}}{{k!}} A_k S e^{{-(k+1)h}}, \]
the latter since $|\binom lj| \le |\binom{{l-1}}j| + |\binom{{l-1}}{{j-1}}|$ in $S$. As $(k-n)!/k! \le
\Gamma(\beta-n+1)/\Gamma(\beta+1)$ for $k \ge \beta$, bounds for $f$ with
$\beta-n$ are bounds for $\kappa$ with $\beta$.

A summand of $f$ with $B = 0$ is $t^p$, $t = 1-u$, times a power series of radius $2$, whose coefficients come
from those
of $e^{{-A/(2-t)}}$ and $(2-t)^q$ and whose rest is bounded by Cauchy's estimate on $|t| = \frac74$, where
$|e^{{-A/(2-t)}}| \le 1$. There its contour has a slit as in $(\ast)$, and integrated $n$ times its terms are terms
of $\kappa$. At $u = -1$ it explodes beyond the interval, if $A > 0$: there the contour leaves the curve and
runs along
$u = -1 + x e^{{\pm i\pi/3}}$, where $|e^{{-A/(1+u)}}| = e^{{-A/(2x)}}$. With $z = 1+w$, $|w| = x$, $\arg w =
\frac{{2\pi}}3$
and $\zeta = z+\sqrt{{z^2-1}}$ one has $|\zeta|+|\zeta|^{{-1}} = |w|+|w+2| \ge 2+\frac x2$ and
$|\zeta-\zeta^{{-1}}| \le 2(|\zeta|-|\zeta|^{{-1}})$, hence $|q'_{{k-n}}(z)| \le 2^{{\max(0, d'-3)}}
q'_{{k-n}}(1+\frac x4)$: for
$d' \le 4$ by the power series in $\zeta^{{-2}}$, whose coefficients are positive, otherwise by Euler's
${{}}_2F_1(1-\lambda, k+1; k+1+\lambda; y) = (1-y)^{{2\lambda-1}} {{}}_2F_1(k+2\lambda, \lambda; k+1+\lambda;
y)$. So $|f| \le b\, x^{{\beta-n}}$
on both rays adds at most $2^{{\max(0, d'-3)}}\, 4^{{\beta-n+1}}\, b\, T'(\beta-n, k-n)$ to $\mu'_{{k-n}}$, a
part of $B_\pm$. The
same holds with $u$ and $-u$ exchanged where $B > 0$. The coefficients of the terms lie in the intervals
\begin{{align*}}
{term_rows(certificate)}
\end{{align*}}
(integer powers of $t$ leave nothing), and with the numbers of the table, in which $R_\beta$ is $\kappa$
without its terms
below $\beta$ and the integral $G$ is a sum over short pieces of $\operatorname{{Im}}\theta = h$, $(\ast)$ holds for
$f = R_\beta$, $k > \beta$.
{bound_table(certificate)}"""


def _exponentials(form: QuadrantForm) -> list[Expr]:
    """The summands of f."""
    return [
        form.exact(c) * (1 - u) ** p * (1 + u) ** q * exp(-a / (1 + u) - b / (1 - u))
        for (a, b), powers in form.exponentials_after(form.order).items()
        for (p, q), c in powers.items()
    ]


def flat_small(certificate: Statement) -> str:
    """How the first eigenvalues are found."""
    return rf"""\emph{{Small $k$.}} Let $w = rv$ be a standard normal vector in $\mathbb{{R}}^d$, $|v| = 1$.
The summands of
$\kappa$ are polynomials in $u$ times means $E[\varphi(\langle w, x\rangle)\psi(\langle w, y\rangle)]$,
$u = \langle x, y\rangle$, of steps and of their derivatives (for $P(X > h, Y > k)$ those at $h$ and $k$), and
such a mean
has $\mu_k = E_r[l_k(\varphi, r)\, l_k(\psi, r)]$ with the eigenvalues $l_k$ of $v \mapsto \varphi(r\langle v,
x\rangle)$, which are
elementary: for the step at $a = rt$ and $k \ge 1$ it is $\frac{{c_d}}{{d-1}}(1-t^2)^{{(d-1)/2}}P_{{k-1}}(t;
d+2)$. For
$k \le {max(certificate.small)}$ these integrals over $r$ were computed by Gauss--Legendre rules on intervals
around which the
integrands are analytic, with a proved error. The result is the table."""


def touching_text(certificate: Statement) -> str:
    """The contour through the ends at which the kernel is flat, and what follows for all k."""
    found = flat_parts(certificate.kernel.expr)
    assert found is not None
    a, q = latex(found.a, fold_short_frac=True), latex(2 * found.a, fold_short_frac=True)
    return rf"""\emph{{The kernel.}} $\kappa$ is a sum of terms $E(u) \exp(-c_+ (1-u)^{{-{a}}} - c_- (1+u)^{{-{a}}})$
    with
$c_\pm \ge 0$, $E$ entire and $|E(z)| \le M(|z|)$, $M$ increasing, read off the formula (times powers $\ge 0$ of $1
\mp u$
where $c_\pm > 0$).

\emph{{The contour.}} Let $d = {certificate.d}$ and $q_k(z) = c_d \int_{{-1}}^1 P_k(u) (1-u^2)^{{(d-3)/2}}
(z-u)^{{-1}} du$,
$c_d = \Gamma(\frac d2)/(\sqrt\pi\, \Gamma(\frac{{d-1}}2))$, so that $\mu_k = \frac1{{2\pi i}} \oint \kappa q_k\, dz$
around $[-1,1]$. With $z = \cos\theta$, $y = \operatorname{{Im}} \theta > 0$ and $x = e^{{2i\theta}}$ it is
$A_k e^{{i(k+1)\theta}}$, $A_k = 2\Gamma(\frac d2)\, k!/\Gamma(k+\frac d2)$, times $1/(1-x)$ for $d = 2$ and else
times a mean
of $(1-sx)^{{d/2-2}}$ over $0 \le s \le 1$. Since $|1-x| \le 2|1-sx|$, $|1-x| = 2|\sin\theta| e^{{-y}}$ and
$|\sin\theta| \le e^y$,
\[ |q_k \sin\theta| \le A_k Q e^{{-ky}}, \qquad Q = \tfrac12,\ 1,\ 2^{{(d-4)/2}} \quad \text{{for }} d = 2,\ 3,\ \ge
4 . \]
The contour runs through $u = 1$ if $c_+ > 0$, along the ray $\theta = s e^{{i\alpha}}$, $0 \le s \le \frac32$,
$\alpha = \min(\frac\pi6, \frac\pi{{2({q}+1)}})$, then along $y = h = \frac32 \sin\alpha$, likewise to $u = -1$ if
$c_- > 0$, and back symmetrically; inside of it $\kappa$ is analytic. As
$\arg \sin(X+iY) = \arctan(\tanh Y/\tan X) \le \arctan(Y/X)$, the number
$t = 1-u = 2 \sin^2\frac\theta2$ has $0 \le \arg t \le 2\alpha$ on it; on the ray $|t| \le s^2/2$, for
$\cosh 2Y - \cos 2X \le 2(X^2+Y^2)$ if $Y \le X/\sqrt3$, $X \le 1$. So the exponential with $c_+$ is at most
$\exp(-C s^{{-{q}}})$ on the ray, $C = c_+ \cos({q}\alpha)\, 2^{{{a}}}$, and at most $1$ elsewhere, and the same
holds for
$c_-$. For $\beta = {q}$ and all $s > 0$
\[ C s^{{-\beta}} + k s \sin\alpha \ge \big(1+\tfrac1\beta\big) (\beta C)^{{1/(\beta+1)}} (k
\sin\alpha)^{{\beta/(\beta+1)}} . \]
With the least of these, $c\, k^{{\beta/(\beta+1)}}$, and $|z| \le \cosh h$ on the contour
\[ |\mu_k| \le \frac{{A_k Q}}\pi \sum M(\cosh h) \big( \tfrac32 r\, e^{{-c k^{{\beta/(\beta+1)}}}} + \pi e^{{-kh}}
\big), \]
$r = 0, 1, 2$ the number of rays of a term. Here $A_k \le 2\Gamma(\frac d2)\, k^{{1-d/2}}$, and $e^{{c
k^{{\beta/(\beta+1)}} - kh}}$
decreases from the first $k$ of the theorem on. This gives its constants.

\emph{{Small $k$.}} The first eigenvalues were computed as integrals with a proved error; next to an end at which
$\kappa$
is flat it is at most its maximum there. The result is the table."""
