"""What a proof says about singular points inside (-1, 1), and about poles off the interval, in LaTeX."""

from __future__ import annotations

from sympy import latex

from asymptok.precision import flint_precision
from asymptok.proofs.decimals import down, number, up
from asymptok.proofs.proof_text import number as latex_number
from asymptok.proofs.statement import Statement
from asymptok.spectrum.contour.inside import InnerTerm
from asymptok.spectrum.contour.removable import lifted_zeros
from asymptok.spectrum.contour.rewriting import rewritten

#: digits of the coefficients in the text, which has less room than the file
_DIGITS, _BITS = 8, 128


def inside_text(certificate: Statement) -> str:
    """Exact terms at points of (-1, 1)."""
    if not certificate.inner:
        return ""
    parts = " \\\\\n & + ".join(
        rf"\left({latex(t.coefficient)}\right) \left({'' if t.side == 1 else '-'}\left(u - "
        rf"{latex(t.location)}\right)\right)_+^{{{latex(t.exponent, fold_short_frac=True)}}}{_log(t)}"
        for t in certificate.inner
    )
    logs = _LOGS if any(t.log_power for t in certificate.inner) else ""
    if certificate.divided:
        head = rf"""Let $V$ be the sum
{{\allowdisplaybreaks
\begin{{align*}} V(u) ={{}} & {parts} . \end{{align*}}}}
{_on_lines(certificate)}"""
    else:
        head = rf"""{{\allowdisplaybreaks
\begin{{align*}} \kappa(u) ={{}} & {parts} {"+ X(u)" if certificate.rests else ""} + R(u), \end{{align*}}}}
where $R$ has no singular point in $(-1,1)$.
{_left_inside(certificate)}"""
    subject = "the rest of the contour" if certificate.divided else r"$R$ in the place of $\kappa$"
    return rf"""\emph{{Points inside.}}
{head}Let $u_0 = \cos\theta_0$, $N = k+\lambda$, $m = \nu+\lambda+\frac12$. By
Rodrigues' formula the eigenvalue of $(u-u_0)_+^\nu$ is a fractional integral of $(1-u^2)^{{N-1/2}}$, a
Ferrers function of
degree $N-\frac12$ and order $-m$: for $k > \nu > -1$
\[ \mu_k = \frac{{\Gamma(\frac d2) 2^\lambda \Gamma(\nu+1)}}{{\pi}} \sin(\theta_0)^{{\nu+\lambda}}
\frac{{\Gamma(k-\nu)}}{{\Gamma(k+\frac d2)}} \operatorname{{Re}} \left[ e^{{i(N\theta_0 - \frac\pi4 -
\frac{{m\pi}}2)}}\,
{{}}_2F_1(\tfrac12+m, \tfrac12-m; N+1; z) \right], \]
where $z = \tfrac12 - \tfrac i2 \cot\theta_0$. From the $J$-th term on,
$\frac12-m+J > 0$, the rest of this series is at most its $J$-th term times
$\delta^{{-1/2-m-J}}$,
$\delta = \min_{{0 \le s \le 1}} |1-sz|$; all terms but the first decrease in $k$, so that $|{{}}_2F_1 - 1|
\le \varepsilon$
for all $k \ge k_0$ with $\varepsilon$ computed at $k_0$. {logs}With $s = \nu+\frac d2$ and $M = k+\frac12(\frac
d2-\nu-1)$ the numbers
$M^s \Gamma(k-\nu)/\Gamma(k+\frac d2)$ and $(k/M)^s$ tend to $1$ monotonously. This bounds the first terms of
$\kappa$ for
all $k \ge k_0$ (for the $k$ of the theorem below that $k_0$, by the intervals listed).
What follows is about {subject}: its part of $\mu_k$, bounded by $(\ast)$
and by its terms at
the ends, falls at least as fast from $k_0$ on, and its value there is added. Where the law is that of an end,
$\mu_k \sim k^p$, the points inside add at most $B k^{{-s}}$ with $s > -p$, hence at most $B k_0^{{-s-p}} k^p$ from
$k_0$ on: this is taken from $a$ and added to $b$."""


def _log(term: InnerTerm) -> str:
    """The logarithm of a term at a point inside."""
    power = "" if term.log_power == 1 else rf"^{{{term.log_power}}}"
    return rf" \log{power} \left|u - {latex(term.location)}\right|" if term.log_power else ""


#: terms with logarithms, and how large they are
_LOGS = r"""The law of a term with $\log^j$ is the $j$-th
derivative of the law in $\nu$. With $\psi = N\theta_0 - \frac{\lambda\pi}2$ the phases of
$(\pm(u-u_0))_+^\nu$ are $\psi \mp \frac\pi2(\nu+1)$, so the terms $c_{\pm,j}$ of one point and one $\nu$ together
are at most $\frac{\Gamma(\frac d2)2^\lambda\Gamma(\nu+1)}\pi\sin(\theta_0)^{\nu+\lambda}
\frac{\Gamma(k-\nu)}{\Gamma(k+\frac d2)}$ times $\sum_j j!\,[x^j]$ of the product of three series with coefficients
$\ge 0$: the absolute values of those of $\sum_\pm c_{\pm,j} e^{\mp i\frac\pi2(\nu+1+x)}$ (the even ones vanish
where $\nu = n$ is whole and $c_{+,j} = (-1)^n c_{-,j}$), $\exp((\log k + A)x + \sum_{n\ge2} \ell_n x^n)$ with
$A = |\psi_0(\nu+1) + \log\sin\theta_0| + \max(0,-\nu)/k$ ($\psi_0$ the digamma function) and $\ell_n$ the absolute
values of the Taylor coefficients of $\log\Gamma$ at $\nu+1$ and at $k-\nu$ together, and Cauchy's estimate of ${}_2F_1$
on $|x| \le \frac14$. That is a polynomial in $\log k$, which decreases in $k$ once divided by its highest power. """


def _left_inside(certificate: Statement) -> str:
    """What the expansions at the points inside leave."""
    if not certificate.rests:
        return ""
    rows = _rows(certificate)
    return rf"""Here $X$ is the sum of functions $(\pm(u-u_0))_+^\nu\, (g(u) - P(u))$, where $g$ is analytic in the
ellipse $|\operatorname{{Im}}\theta| \le H$, or in the part of it from a little beyond $u_0$ to the end to which the
function runs, and $P$ is its Taylor polynomial of degree $N-1$ at $u_0$,
\begin{{align*}}
{rows}
\end{{align*}}
with $K = \max |g-P|/|u-u_0|^N$ on the boundary, hence inside, and
$G = \frac1\pi \int_0^\pi |u-u_0|^\nu |g-P| |\sin\theta|$ on $\operatorname{{Im}}\theta = H$. Since $c_d P_k w$ is the
jump of $q_k/(2\pi i)$ across $(-1,1)$, $\mu_k$ of such a function is an integral over the contour that goes up from
$u_0 = \cos\theta_0$ along $\operatorname{{Re}}\theta = \theta_0$, then along the ellipse, and back below. On its
first part {_SIZES}
Hence, with $\beta = \nu+N$,
\[ |\mu_k| \le {_LINE} + G S A_k e^{{-(k+1)H}} . \]
{_beside_roots(certificate)}{_beside_logs(certificate)}"""


#: what is on a vertical line, and the bound that follows
_SIZES = r"""$|u-u_0| = 2\sinh\frac y2 |\sin(\theta_0+\frac{iy}2)| \le E y$ with
$E = \frac2H \sinh\frac H2 (\sin^2\theta_0 +
\sinh^2\frac H2)^{1/2}$, and $|q_k| \le A_k Q e^{-(k+1)y}$, where $Q = 2^{\lambda-1}$ for $d \ge 4$ and otherwise
$\delta^{\lambda-1}$ with the distance $\delta$ of $1$ from the ray
through $e^{2i\theta_0}$ (the hypergeometric factor is a mean of
$(1-sx)^{\lambda-1}$, $0 \le s \le 1$)."""
_LINE = r"\frac K\pi A_k Q E^\beta (\sin^2\theta_0+\sinh^2 H)^{1/2} \frac{\Gamma(\beta+1)}{(k+1)^{\beta+1}}"


def _rows(certificate: Statement) -> str:
    """The numbers of what the expansions leave."""
    curve = "" if certificate.divided else r" & G &= {}, "
    return " \\\\\n".join(
        rf"u_0 &= {latex(r.location)}, & \nu &= {latex(r.nu, fold_short_frac=True)}, & N &= {r.count},"
        rf"{_logs_of(r.log_power)} & K &= {r.size},{curve.format(r.curve)} & H &= {r.height}"
        for r in certificate.rests
    )


def _logs_of(power: int) -> str:
    return rf" & j &= {power}," if power else ""


def _beside_roots(certificate: Statement) -> str:
    """Rows about functions of powers and logarithms of the distance to a point."""
    if not any(r.rough for r in certificate.rests):
        return ""
    return r"""A row with $\nu < -1$ is about a function $F$ on the side $x = \pm(u-u_0) > 0$ of $u_0$, and the sum $P$
of its terms above, those below $x^\beta$. On the sector $|x| \le r$, $|\arg x| \le \pi$ the series of the functions of
which $F$ is made, with bounds of what they leave, are added, multiplied and put into each other, as at an end: that
gives $|F-P| \le K|x|^\beta$ there. In the part of the ellipse on the side of $u_0$ where $x > 0$, but for $|x| \le r$,
$F$ is analytic with principal branches: boxes that cover it were evaluated in interval arithmetic and meet no branch
cut. On the rest of the line $\operatorname{Re}\theta = \theta_0$ the bound was evaluated on short pieces. $G$ is the
integral of $|F-P||\sin\theta|/\pi$ over the part of $\operatorname{Im}\theta = H$ on that side. The bound is the same.
"""


def _beside_logs(certificate: Statement) -> str:
    """What logarithms change in the bounds of what is left."""
    if not any(r.log_power for r in certificate.rests):
        return ""
    return r"""A row with $j$ is about $(\pm(u-u_0))^\nu \log^j(\pm(u-u_0))(g-P)$. There $|\log| \le |\log y| + L$
on the line, $L = \max(|\log E|, |\log\sin\theta_0|) + \pi$, since $y\sin\theta_0 \le |u-u_0| \le Ey$, and
$\Gamma(\beta+1)$ is replaced by $\sum_{i\le j} \binom ji (\log(k+1)+L)^{j-i} m_i$, $m_0 = \Gamma(\beta+1)$ and
$m_i = (2i/e)^i (\Gamma(\beta+\frac32)+\Gamma(\beta+\frac12))$, because $|\log v|^i \le (2i/e)^i(v^{1/2}+v^{-1/2})$; and
$|\log| \le |\log|u-u_0|| + \pi$ stands in $G$ as well.
"""


def _on_lines(certificate: Statement) -> str:
    """What the expansions leave where the contour is divided at the points."""
    return rf"""Between neighbouring points $u_0$ the kernel is one function $F$, analytic in the part of the strip
$|\operatorname{{Im}}\theta| < H$ between the lines $\operatorname{{Re}}\theta = \theta_0$, $u_0 = \cos\theta_0$,
and a little beyond these; at a point two neighbours differ by a sum of functions $(\pm(u-u_0))^\nu g(u)$, $g$ analytic
in a rectangle around the line. The terms of $V$ are those with the Taylor polynomials $P$ of $g$ of degree $N-1$
at $u_0$, and
\begin{{align*}}
{_rows(certificate)}
\end{{align*}}
with $K = \max|g-P|/|u-u_0|^N$ on the boundary of the rectangle, hence inside (where $g$ is a polynomial, $K = 0$).
Let $S$ be the sum of the terms below $\beta$ at both ends, each that of the function next to its end. Since
$c_d P_k w$ is the jump of $q_k/(2\pi i)$ across $(-1,1)$, $\mu_k(\kappa-S-V)$ is an integral of $F-S-V$ times $q_k$,
$F$ and $V$ as they are on each part, over the slits, the curve $\operatorname{{Im}}\theta = \pm H$ and both sides
of the lines. The first two are bounded by $(\ast)$. On the two sides of a line the integrands differ by
the functions $(\pm(u-u_0))^\nu(g-P)$, and there, $\theta = \theta_0+iy$, {_SIZES}
Hence, with $\beta' = \nu+N$ in the place of $\beta$, the lines add at most the sum over the rows of
\[ {_LINE} . \]
{_beside_logs(certificate)}"""


def lifted_text(certificate: Statement) -> str:
    """What becomes of denominators that vanish inside."""
    points = lifted_zeros(rewritten(certificate.kernel.expr))
    if not points:
        return ""
    where = ", ".join(f"${latex(point)}$" for point in points)
    return rf"""\emph{{Lifted poles.}} Denominators vanish at $u = p$ for $p$ = {where}, to exact orders $m$.
The function that was tested is the denominator divided by $(u-p)^m$, which therefore has no zeros, so that $\kappa$ is
meromorphic; its exact expansion at each $p$ has no negative power of $u-p$, and it is analytic there. In the discs of
$\sigma$ the other roots of $\sigma^q = 1 \mp p$ do not lie, or the factors that lift the pole are functions of $t$."""


def poles_text(certificate: Statement) -> str:
    """Terms at poles and branch points off the interval, and what they leave."""
    if not certificate.poles:
        return ""
    log = r", \ \log"
    rows = " \\\\\n".join(
        rf"z &= {latex(p.location)}, & \nu &= {latex(p.exponent, fold_short_frac=True)}{log * p.log_power}, &"
        rf" \operatorname{{Re}} c &\in {_shortened(p.real)}, & \operatorname{{Im}} c &\in {_shortened(p.imaginary)}"
        for p in certificate.poles
    )
    kind = "Poles and branch points" if certificate.arcs else "Poles"
    return rf"""\emph{{{kind} off the interval.}} $\kappa$ is a sum of analytic functions
times powers or logarithms of polynomials with roots $z$. Subtract from it the sum of the terms
$c\,(z-u)^\nu$, or $c\,(z-u)^\nu \log(z-u)$ where it says $\log$ (of $u-z$ in the place of $z-u$ where
$\operatorname{{Re}} z < 0$), and of their conjugates where $z$ is not real, with
{{\footnotesize\allowdisplaybreaks
\begin{{align*}}
{rows}
\end{{align*}}}}
and let $R$ be what is left. {_on_arcs(certificate)}With $z = \frac12(r+1/r)$, $|r| < 1$,
\[ |\mu_k((z-u)^\nu)| = \frac{{\Gamma(\frac d2)}}{{|\Gamma(-\nu)|}} |2r|^{{-\nu}} |1-r^2|^{{\nu+\frac d2-1}} |r|^k
\frac{{\Gamma(k-\nu)}}{{\Gamma(k+\frac d2)}} |F_k|, \quad
F_k = {{}}_2F_1(\nu+\tfrac d2, 1-\nu-\tfrac d2; k+\tfrac d2; \tfrac{{-r^2}}{{1-r^2}}), \]
(with $\nu!$ for $1/|\Gamma(-\nu)|$ beside a logarithm, $\nu = 0, 1, \dots$) for $k > \nu$,
and $|F_k - 1| \le \varepsilon$ for all $k \ge k_0$ with $\varepsilon$ computed at $k_0$: the terms of the series
decrease in $k$. With $s = \nu+\frac d2$ and $M = k+\frac12(\frac d2-\nu-1)$ the numbers
$M^s \Gamma(k-\nu)/\Gamma(k+\frac d2)$ and $(k/M)^s$ tend to $1$ monotonously; points
on larger ellipses, and $(\ast)$ for $R$, fall faster than
$\rho^{{-k}} k^p$ from $k_0$ on. The sum of these bounds at $k_0$ is the constant of the theorem."""


def _on_arcs(certificate: Statement) -> str:
    """What the terms at branch points leave on their arcs."""
    if not certificate.arcs:
        return ""
    rows = " \\\\\n".join(
        rf"z &= {latex(a.location)}, & \beta &= {latex(a.beta, fold_short_frac=True)},"
        rf" & K &= {a.size}, & H &= {a.height}"
        for a in certificate.arcs
    )
    return rf"""Let $\zeta = u + \sqrt{{u^2-1}}$. Cut along the arcs $\zeta = s/r$, $s \ge 1$, from each branch point
$z = \frac12(r+1/r)$ on, $\kappa$ and its terms are analytic in the ellipse $|\zeta| < e^H$, and on the two sides
of an arc the values of $R$ differ by at most $2K |z-u|^\beta$, where
\begin{{align*}}
{rows}
\end{{align*}}
($K$ contains $|\sin \pi\nu|$, or $\pi$ for a logarithm, and is the maximum of a function that is analytic in a
disc of the plane of $\theta$ around the arc, on its boundary.) On the arc $|z-u| \le (y-y_0)\cosh H$,
$y = \log|\zeta|$, $y_0 = \log\frac1{{|r|}}$, and $|q_k| \le S A_k e^{{-(k+1)y}}$ with $S$ taken at $y_0$. So the
contour along both sides of the arc adds to $(\ast)$ at most
\[ \frac K\pi S A_k (\cosh H)^{{\beta+1}} \frac{{\Gamma(\beta+1)}}{{(k+1)^{{\beta+1}}}} |r|^{{k+1}}, \]
twice that for $z$ and its conjugate together; beside $\rho^{{-k}} k^p$ it falls like $k^{{\nu-\beta}}$. """


def _shortened(interval: tuple[str, str]) -> str:
    """The interval with fewer digits, rounded outward."""
    if interval[0] == interval[1]:
        return rf"\{{{interval[0]}\}}"
    with flint_precision(_BITS):
        low, high = down(number(interval[0]), _DIGITS), up(number(interval[1]), _DIGITS)
    return f"[{latex_number(low)}, {latex_number(high)}]"
