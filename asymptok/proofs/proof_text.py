r"""The proof of a certificate as LaTeX, one paragraph for each step."""

from __future__ import annotations

from fractions import Fraction

from sympy import Expr, latex

from asymptok.errors import AsymptokError
from asymptok.proofs.claims import BoundClaim, Law, ParityClaim, TermClaim
from asymptok.proofs.decimals import plain
from asymptok.proofs.statement import EndClaim, Statement
from asymptok.spectrum.contour.rooted import without_roots

__all__ = [
    "NAMES",
    "bound_table",
    "bounds",
    "claim_of",
    "conclusion",
    "height_of",
    "lemma",
    "local",
    "number",
    "small",
    "term_rows",
]

NAMES = {0: "even", 1: "odd"}


def number(text: str | None) -> str:
    """A decimal with its power of ten."""
    if text is None:
        raise AsymptokError("the certificate lacks a number")
    mantissa, _, exponent = plain(text).lower().partition("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if exponent and int(exponent) else mantissa


def claim_of(certificate: Statement, parity: int) -> ParityClaim:
    return certificate.odd if parity else certificate.even


def height_of(bound: BoundClaim) -> str:
    """The height of a bound."""
    height = Fraction(str(bound.height))
    return (
        str(height) if height.denominator == 1 else rf"\tfrac{{{height.numerator}}}{{{height.denominator}}}"
    )


def lemma(certificate: Statement) -> str:
    d = certificate.d
    return rf"""\emph{{The contour.}} Let $d = {d}$, $\lambda = (d-2)/2$, $c_d =
\Gamma(d/2)/(\sqrt\pi\,\Gamma(\tfrac{{d-1}}2))$, and let $P_k$ be the
Gegenbauer polynomials with $P_k(1) = 1$, so that $\mu_k = c_d \int_{{-1}}^1 \kappa P_k (1-u^2)^{{(d-3)/2}}
du$. The function
$q_k(z) = c_d \int_{{-1}}^1 P_k(u) (1-u^2)^{{(d-3)/2}} (z-u)^{{-1}} du$ is analytic off $[-1,1]$ and, with
$\zeta = z + \sqrt{{z^2-1}}$,
\[ q_k(z) = A_k \zeta^{{-k-1}}\, {{}}_2F_1(1-\lambda, k+1; k+1+\lambda; \zeta^{{-2}}), \qquad A_k =
\frac{{2\Gamma(d/2)\, k!}}{{\Gamma(k+d/2)}}; \]
it is positive on $(1,\infty)$, $q_k(-z) = (-1)^{{k+1}} q_k(z)$, and $|q_k(z)| \le S A_k e^{{-(k+1)h}}$ where
$|\zeta| = e^h$, with
$S = \sum_j \frac{{|(1-\lambda)_j|}}{{j!}} e^{{-2jh}}$, because $(k+1)_j \le (k+1+\lambda)_j$. For $-\min(1,
\tfrac{{d-1}}2) < \nu < k$
\[ \frac1\pi \int_0^\infty x^\nu q_k(1+x)\, dx = T(\nu, k) =
\frac{{2^{{\nu+d-2}} \Gamma(\frac d2) \Gamma(\nu+\frac{{d-1}}2) \Gamma(\nu+1)}}{{\pi^{{3/2}}}} \cdot
\frac{{\Gamma(k-\nu)}}{{\Gamma(k+\nu+d-1)}} . \]
By Cauchy's formula $\mu_k(f) = \frac1{{2\pi i}} \oint f q_k\, dz$ around $[-1,1]$ for every $f$ that is
analytic near $[-1,1]$ except on
the slits $(1,\infty)$ and $(-\infty,-1)$ and at most a multiple of $|1 \mp z|^a$ near $\pm1$, $a > -\min(1,
\tfrac{{d-1}}2)$. Put $z = \cos\theta$. If $f(\cos\theta)$
is real for real $\theta$, analytic in
$(0,\pi)\times(-h,h)$ and continuous up to its boundary but for $z = \pm1$, the contour can be opened to the curve
$\operatorname{{Im}}\theta = \pm h$ and the two
sides of the slits, where the difference of the two values of $f$ is $2i \operatorname{{Im}} f$. Hence, if
$|\operatorname{{Im}} f(\pm(1+x)+i0)| \le B_\pm x^\beta$ for $0 < x \le \cosh h - 1$,
\begin{{equation}}\tag{{$\ast$}}
|\mu_k(f)| \le (B_+ + B_-)\, T(\beta, k) + G\, S A_k e^{{-(k+1)h}} \quad (k > \beta), \qquad
G = \frac1\pi \int_0^\pi |f(\cos\theta) \sin\theta|_{{\theta = x+ih}}\, dx .
\end{{equation}}
The same contour applied to $(1-u)^\nu$, $\nu \notin \mathbb{{Z}}$, gives $\mu_k((1-u)^\nu) = -\sin(\pi\nu)\,
T(\nu,k)$, and $(-1)^k$ times that for
$(1+u)^\nu$.{_logarithms(certificate)}"""


def _logarithms(certificate: Statement) -> str:
    if not any(term.log_power for term in certificate.terms):
        return ""
    return r""" Derivatives in $\nu$ give $\mu_k((1-u)^\nu \log^j(1-u)) = \partial_\nu^j [-\sin(\pi\nu)\, T(\nu, k)]$,
$k > \nu$, for all $\nu$; for integers $\nu \ge 0$ and $j = 1$ that is $-\pi (-1)^\nu T(\nu, k)$."""


def _outside(certificate: Statement) -> str:
    """Points outside: their terms, and the contour in the stretched variable."""
    b, rows = latex(certificate.place), []
    for at, label in ((1, "b-u"), (-1, "b+u")):
        rows += [
            rf"({label})^{{{latex(t.exponent, fold_short_frac=True)}}}"
            + (rf" \log({label})" if t.log_power else "")
            + rf" &:\quad [{number(t.low)},\, {number(t.high)}]"
            for t in certificate.terms
            if t.at == at
        ]
    table = " \\\\\n".join(rows)
    if all(bound.beta is None for bound in certificate.bounds):
        zero = all(Fraction(bound.curve) == 0 for bound in certificate.bounds)
        rest = (
            "Their sum is $\\kappa$ up to a constant."
            if zero
            else r"""The rest $R$ is analytic in the ellipses
$|\operatorname{Im}\theta| \le h$, $u = \cos\theta$, of the table below: its functions under roots, in
logarithms and in
denominators, evaluated in interval arithmetic on the boundary, miss a ray to infinity, and by the argument principle
they miss it inside. So $(\ast)$ holds for $f = R$ with $B_\pm = 0$ and the $G$ of the table."""
        ).replace("\\\\", "\\")
    else:
        rest = r"""Let $R$ be $\kappa$ without those of them with exponents below $\beta$. In the
variable $v = u/b$ the function $R(bv)$ has the contour of the proof of $(\ast)$, with slits from $v = \pm1$ on: the
functions under roots, in logarithms and in denominators of $\kappa(bv)$ were evaluated in interval arithmetic on the
curve $\operatorname{Im}\theta = h_0$, $v = \cos\theta$, and on circles that cover the slits, and miss a ray
to infinity.
Seen in the plane of $u$, the ellipse through $i \sinh h$, $\sinh h = b \sinh h_0$, with foci $\pm1$ lies
inside of the curve
(both have the minor axis $b \sinh h_0$, and $1 + b^2 \sinh^2 h_0 \le b^2 \cosh^2 h_0$). Hence
$|\mu_k(R)| \le (B_+ + B_-)\, T_b(\beta, k) + G\, S A_k e^{-(k+1)h}$ for $k > \beta$, with the numbers of the
table below,
in which $h$ is rounded down, and $T_b(\beta, k) = \frac1\pi \int_0^\infty x^\beta q_k(b+x)\, dx$."""
    return rf"""\emph{{Points outside.}} Let $b = {b}$ and $r = 1/\rho = b - \sqrt{{b^2-1}}$. For every $\nu < k$
\[ \mu_k((b-u)^\nu) = \frac{{\Gamma(\frac d2)}}{{\Gamma(-\nu)}} (2r)^{{-\nu}} (1-r^2)^{{\nu+\frac d2-1}} r^k
\frac{{\Gamma(k-\nu)}}{{\Gamma(k+\frac d2)}} F_k, \quad
F_k = {{}}_2F_1(\nu+\tfrac d2, 1-\nu-\tfrac d2; k+\tfrac d2; \tfrac{{-r^2}}{{1-r^2}}), \]
the eigenvalues of the inverse multiquadric $(1+r^2-2ru)^\nu$; $(b+u)^\nu$ has $(-1)^k$ times that, and a logarithm
is a derivative in $\nu$: for $(b-u)^n \log(b-u)$, $n = 0, 1, \dots$, $k > n$, the factor $1/\Gamma(-\nu)$
becomes $(-1)^{{n+1}} n!$. Likewise $T_b(\beta, k)$ has $\Gamma(1+\beta)/\pi$ in its place.
The kernel contains the terms
\begin{{align*}}
{table}
\end{{align*}}
{rest}"""


def local(certificate: Statement) -> str:
    if certificate.inner and all(Fraction(b.curve) == 0 for b in certificate.bounds):
        return "Here $R$ is a polynomial, of a degree below all $k$ of which these formulas speak."
    if certificate.place is not None:
        return _outside(certificate)
    if not certificate.terms or certificate.ends is None:
        highest = max(Fraction(str(bound.height)) for bound in certificate.bounds)
        subject = "R" if certificate.poles else r"\kappa"
        cut = ", but for the arcs" if certificate.arcs else ""
        return rf"""\emph{{Analyticity.}} ${subject}(\cos\theta)$ is analytic in $|\operatorname{{Im}}\theta| <
{highest}${cut}: every function under a
root, in a logarithm or in a denominator, on the boundary of this strip, misses the branch cut $(-\infty, 0]$
of that root or
logarithm (for a denominator: one ray), and by the argument principle it then misses it inside. So
$(\ast)$ holds for
$f = {subject}$ with $B_\pm = 0$, for all $k \ge 0$.{_rooted(certificate)}{_entire(certificate)}"""
    height = height_of(certificate.bounds[0])
    discs = "; ".join(_end(at, end) for at, end in zip((1, -1), certificate.ends, strict=True))
    subject, lines = r"$\kappa$", ""
    if certificate.divided:
        subject, lines = "each $F$", "\non vertical lines beyond the points inside"
    return rf"""\emph{{Analyticity and local expansions.}} With $s_0 = \sqrt2 \sin\frac\theta2$, $s_1 =
\sqrt2 \cos\frac\theta2$, so that $1-u = s_0^2$ and $1+u = s_1^2$,
each function $N$ under a root, in a logarithm or in a denominator of {subject}, where
$\arccos N = -2i \log((\sqrt{{1+N}} + i\sqrt{{1-N}})/\sqrt2)$, is $s_0^p s_1^r U$ with its orders $p$ and $r$ at
the ends, and $U$ on
the curve $\operatorname{{Im}}\theta = {height}$,{lines} and on the circles below was evaluated in interval
arithmetic and misses $(-\infty,0]$ (for a denominator: one ray). If a
function is analytic in a bounded domain, continuous up to the boundary, and its values on the boundary miss
a closed ray to infinity, its
values inside miss the ray: the number of solutions of $U = w$ is the same for all $w$ on the ray, and none
for large $w$. Thus roots, logarithms and quotients are analytic in the
rectangle $(0,\pi) \times (-h,h)$, $h = {height}$, and in the discs that cover the slits: {discs}.
{_models(certificate)}In
the discs $\kappa$ is a power series in $\sigma$, and
its coefficients follow from the trapezoidal rule on a circle of half the radius, with an aliasing error of
at most $2 M r^{{-j}} 2^{{-P}}$ for $P$ points,
$M = \max |\kappa|$ on the circle of radius $r$. The coefficients of the terms that are not real on the slits
lie in the
intervals
\begin{{align*}}
{term_rows(certificate)}
\end{{align*}}
(integer powers of $t$ are real on the slits and need not be known)."""


def term_rows(certificate: Statement) -> str:
    """The coefficients at both ends."""
    rows = []
    for at, label in ((1, "1-t"), (-1, "-1+t")):
        terms = [t for t in certificate.terms if t.at == at]
        if terms:
            rows.append(rf"\kappa({label}) &: \quad " + r" \\ & \qquad ".join(_term(t) for t in terms))
    return " \\\\\n".join(rows)


def _entire(certificate: Statement) -> str:
    if Law.ENTIRE not in certificate.kinds:
        return ""
    return r""" In fact $\kappa$ is entire, and $|\kappa(z)| \le M(r)$ for $|z| \le r$: in the formula of $\kappa$
numbers
are replaced by their absolute values, and sines, cosines and error functions by functions whose power series have the
absolute values of their coefficients; the real constant in an exponent stays. As $|\cos\theta|$ and $|\sin\theta|$ are
at most $\cosh h$ on $\operatorname{Im}\theta = h$, $G \le M(\cosh h) \cosh h$ for every $h > 0$."""


def _rooted(certificate: Statement) -> str:
    expr = certificate.kernel.expr
    if without_roots(expr) == expr:
        return ""
    return r""" Here roots that occur in even functions alone are gone: with $y = w^2$
\[ \cosh w = {}_0F_1(\tfrac12; \tfrac y4), \quad \sinh w = w\, {}_0F_1(\tfrac32; \tfrac y4), \quad
I_n(w) = \tfrac1{n!} (\tfrac w2)^n\, {}_0F_1(n+1; \tfrac y4), \quad
\operatorname{erf} w = \tfrac{2w}{\sqrt\pi}\, {}_1F_1(\tfrac12; \tfrac32; -y), \]
likewise $\cos w$, $\sin w$, $J_n(w)$ with $-y$ for $y$, and $e^w = \cosh w + \sinh w$; these hypergeometric
functions are entire, and their coefficients are positive."""


def _end(at: int, end: EndClaim) -> str:
    """The discs along a slit, or the sector of a local model."""
    if end.grid == 0:
        return (
            rf"at $u = {at}$ the sector $0 < |t| \le {number(str(end.discs[0].radius))}$, $|\arg t| \le \pi$"
        )
    discs = ", ".join(_disc(end.grid, x.centre, x.radius) for x in end.discs)
    return rf"at $u = {at}$, $t = \sigma^{{{end.grid}}}$: " + (
        discs or "no slit, since $\\kappa$ is analytic in $t$"
    )


def _models(certificate: Statement) -> str:
    if certificate.ends is None or all(end.grid for end in certificate.ends):
        return ""
    return r"""In a sector $\kappa$ is a finite sum of terms $c\, t^e (\log t)^j$ and a rest of at most $B
|t|^E$: each function in
it is replaced by its Taylor polynomial with Cauchy's estimate, and at a branch point, where its argument is
$c\, t^e (1+w)$ with
$c > 0$, $|w| < 1$ throughout the sector, by the series of that branch point; sums and products of what is left
out are bounded with
$|\log t|^2 \le \log^2 |t| + \pi^2$. On the arc $|t| = r$, up to which the ray principle covers the rectangle,
the values of all $U$
were tested as on the curve, and both continuations agree on the interval. """


def _term(term: TermClaim) -> str:
    power = latex(term.exponent, fold_short_frac=True)
    log = "" if not term.log_power else rf" (\log t)^{{{term.log_power}}}"
    if term.low == term.high:
        return rf"t^{{{power}}}{log}:\ {number(term.low)}"
    return rf"t^{{{power}}}{log}:\ [{number(term.low)},\, {number(term.high)}]"


def _disc(grid: int, centre: object, radius: object) -> str:
    at = r"|\sigma|" if str(centre) == "0" else rf"|\sigma - {number(str(centre))} e^{{-i\pi/{grid}}}|"
    return rf"${at} \le {number(str(radius))}$"


def bound_table(certificate: Statement) -> str:
    """beta, h, B_+, B_- and G."""
    rows = " \\\\\n".join(
        rf"${'-' if b.beta is None else latex(b.beta, fold_short_frac=True)}$ & ${Fraction(str(b.height))}$ & "
        rf"${number(b.plus)}$ & ${number(b.minus)}$ & ${number(b.curve)}$"
        for b in certificate.bounds
    )
    return rf"""\begin{{center}}
\begin{{tabular}}{{ccccc}}
$\beta$ & $h$ & $B_+$ & $B_-$ & $G$ \\\hline
{rows}
\end{{tabular}}
\end{{center}}"""


def bounds(certificate: Statement) -> str:
    if all(Fraction(b.curve) == 0 for b in certificate.bounds):
        return ""
    if certificate.place is not None:
        return "\\emph{The integrals.} On short pieces of curve and slits\n" + bound_table(certificate)
    if all(bound.beta is None for bound in certificate.bounds):
        return (
            "\\emph{The integrals.} $f$ was evaluated on short pieces of the curve. This gives\n"
            + bound_table(certificate)
        )
    terms = "$V$ and its terms" if certificate.divided else "its terms"
    return rf"""\emph{{The integrals.}} Let $R_\beta$ be $\kappa$ minus {terms} with exponents below
$\beta$ at both ends. On the slits $R_\beta$ is, in each disc, a
polynomial with the rest $M (|\sigma-c|/r)^n/(1-|\sigma-c|/r)$, in a sector the other terms with their rest,
and on the curve it is evaluated on short
pieces. This gives
{bound_table(certificate)}"""


def conclusion(certificate: Statement, parity: int) -> str:
    claim, name = claim_of(certificate, parity), NAMES[parity]
    if claim.law is Law.ZERO:
        sign = "+" if parity == 0 else "-"
        if claim.zero_from is not None and claim.zero_from < 2:
            return rf"\emph{{{name.capitalize()} $k$.}} $\kappa(u) {sign} \kappa(-u) = 0$."
        return (
            rf"\emph{{{name.capitalize()} $k$.}} $\kappa(u) {sign} \kappa(-u)$ is a polynomial of degree below "
            rf"${claim.zero_from}$, and $P_k$ is orthogonal to polynomials of lower degree."
        )
    if claim.law is Law.GEOMETRIC and claim.nu is not None:
        return _geometric(certificate, claim, name)
    if claim.law is not Law.ALGEBRAIC or claim.bound is None or claim.nu is None:
        return ""
    bound: BoundClaim = certificate.bounds[claim.bound]
    nu, beta = latex(claim.nu, fold_short_frac=True), latex(bound.beta, fold_short_frac=True)
    between = (
        ""
        if claim.tail == claim.k0
        else rf" For ${claim.k0} \le k < {claim.tail}$ the enclosures by all rows of the table are compared one by one."
    )
    logs = _leading_logarithms(claim)
    factor = r"the bounds of $|Q|/(\log k)^q$" if logs else "the leading coefficient"
    return rf"""\emph{{{name.capitalize()} $k$.}} Let $\gamma_\nu(k) = \Gamma(k-\nu)/\Gamma(k+\nu+d-1)$. By
$(\ast)$ with $\beta = {beta}$, $\mu_k$ is the
sum of {_summand(certificate)} over the terms with $\nu_j < \beta$, up to the
right-hand side; {_lower(claim.nu)}the leading {"ones have" if logs else "one has"} $\nu = {nu}$. {logs}
For $\nu' > \nu$ the quotient $\gamma_{{\nu'}}(k)/\gamma_\nu(k)$ decreases in $k$, since $\Gamma'/\Gamma$
increases, and $A_k e^{{-(k+1)h}}/\gamma_\nu(k)$ decreases as soon as
$e^{{-h}} (k+\nu+d-1) \le k-\nu$, which holds at $k = {claim.tail}$. {_weights(certificate)}So the sum of the
absolute values of
everything else, divided by the leading term, is for all
$k \ge {claim.tail}$ at most its value $\delta < 1$ at $k = {claim.tail}$. With $N = k + \lambda$ and $m =
\nu + \frac{{d-1}}2$ the product $N^{{2m}} \gamma_\nu(k)$
{_direction(certificate, claim.nu)} to $1$ and $(k/N)^{{2m}}$ increases to $1$; multiplying their extreme
values at $k = {claim.tail}$
with $1 \mp \delta$ and with {factor} gives
the constants of the theorem.{between}"""


def _leading_logarithms(claim: ParityClaim) -> str:
    """Where powers of log k lead: the factor beside the gamma ratio as a polynomial in digamma values."""
    if not claim.log_power:
        return ""
    highest = "" if claim.lead is None else str(claim.lead.logs)
    return rf"""They are
$c_j t^\nu (\log t)^j$ with $j \le {highest}$ (higher $j$ cancel exactly in this parity). Write
$-\sin(\pi\nu)\, T(\nu, k) = M(\nu) \gamma_\nu(k)$ and $x = \psi(k-\nu) + \psi(k+\nu+d-1)$,
$\psi = \Gamma'/\Gamma$. Then
\[ \log \frac{{\gamma_{{\nu+\varepsilon}}(k)}}{{\gamma_\nu(k)}} = -x\varepsilon + \sum_{{i \ge 2}} g_i \varepsilon^i,
\qquad g_i = \tfrac1i \sum_{{n \ge 0}} \big[ (k-\nu+n)^{{-i}} - (-1)^i (k+\nu+d-1+n)^{{-i}} \big], \]
where $g_i \ge 0$ decreases in $k$, since $k-\nu < k+\nu+d-1$, and so do the coefficients $E_i$ of
$\exp(\sum g_i \varepsilon^i)$.
As $\mu_k((1-u)^\nu \log^j(1-u)) = \partial_\nu^j [M(\nu) \gamma_\nu(k)]$, the sum of these terms is
$Q\, \gamma_\nu(k)$ with
\[ Q = \sum_{{n \le q}} \frac{{(-x)^n}}{{n!}} \sum_{{i \ge 0}} E_i \sum_{{j \ge n+i}} j!\, c_j\, m_{{j-n-i}},
\qquad M(\nu+\varepsilon) = \sum_i m_i \varepsilon^i, \quad q = {claim.log_power}. \]
Here $x > 0$ increases, $x/\log k = 2 + r/\log k$, and
$r = \log(1-\frac\nu k) + \log(1+\frac{{\nu+d-1}}k) + (\psi-\log)(k-\nu) + (\psi-\log)(k+\nu+d-1)$ is a sum of
functions that tend to $0$ monotonously. So
$Q/(-x)^q$ is a polynomial in $1/x$ whose coefficients, for all $k \ge {claim.tail}$, lie in intervals computed at
$k = {claim.tail}$; its values for $0 < 1/x \le 1/x_{{{claim.tail}}}$, enclosed in interval arithmetic,
do not meet $0$ and, with the values of $x/\log k$, bound $|Q|/(\log k)^q$;
everything else is divided by the least of them."""


def _geometric(certificate: Statement, claim: ParityClaim, name: str) -> str:
    nu = latex(claim.nu, fold_short_frac=True)
    between = (
        ""
        if claim.tail == claim.k0
        else rf" For ${claim.k0} \le k < {claim.tail}$ the enclosures by all rows of the table are compared one by one."
    )
    return rf"""\emph{{{name.capitalize()} $k$.}} The leading term has $\nu = {nu}$. In $F_k$ the argument is negative,
and from the $J$-th term on, $\nu+\frac d2+J > 0$, $1-\nu-\frac d2+J > 0$, the rest of the series is at most
its $J$-th term
(it is that term times a mean of $(1+sx)^{{-a}}$, $a > 0$, $x = r^2/(1-r^2)$, $0 \le s \le 1$). All terms but
the first decrease in
$k$: so $|F_k - 1| \le \varepsilon$ for all $k \ge {claim.tail}$ with $\varepsilon$ computed there, for each
term. The quotients
$\Gamma(k-\nu')/\Gamma(k-\nu)$, $\nu' > \nu$, decrease, and that of $A_k e^{{-(k+1)h}}$ and
$r^k \Gamma(k-\nu)/\Gamma(k+\frac d2)$ decreases as soon as $\rho e^{{-h}} (k+1) \le k-\nu$, which holds at
$k = {claim.tail}$. With
$s = \nu+\frac d2$ and $N = k + \frac12(\frac d2-\nu-1)$ both $N^s \Gamma(k-\nu)/\Gamma(k+\frac d2)$ and
$(k/N)^s$ tend to $1$
monotonously; their extreme values are those at $k = {claim.tail}$ and $1$. Together this gives the constants of the
theorem.{between}"""


def _summand(certificate: Statement) -> str:
    if any(term.log_power for term in certificate.terms):
        return r"the eigenvalues of $c_j t^{\nu_j} (\log t)^{l_j}$ at $+1$ and $(-1)^k$ times those at $-1$"
    return r"$-[c_j + (-1)^k c'_j] \sin(\pi\nu_j)\, T(\nu_j, k)$"


def _weights(certificate: Statement) -> str:
    """How terms with digamma values in them are bounded for all k."""
    if all(
        term.log_power == 0 or (term.log_power == 1 and term.exponent.is_Integer)
        for term in certificate.terms
    ):
        return ""
    return r"""Where $\log k$ occurs in a later term, $|\partial_\nu^l T(\nu', k)| \le (l/(ae))^l (T(\nu'-a, k)
+ T(\nu'+a, k))$,
$0 < a < \nu'-\nu$, by $|\log x|^l \le (l/(ae))^l (x^{-a} + x^a)$ under the integral. """


def _direction(certificate: Statement, nu: Expr) -> str:
    return "increases" if 2 * nu + certificate.d - 1 < 1 else "decreases"


def _lower(nu: Expr) -> str:
    return "" if nu <= 1 else r"terms of lower exponent cancel exactly in this parity, and "


def small(certificate: Statement) -> str:
    if not certificate.small:
        return ""
    return rf"""\emph{{Small $k$.}} For $k \le {max(certificate.small)}$ the integral $c_d \int_0^\pi
\kappa(\cos\theta) P_k(\cos\theta) \sin^{{d-2}}\theta\, d\theta$ was computed
by quadrature with a proved error: the integrand is analytic in ellipses around the pieces of $[0,\pi]$, in
which it is bounded by the maximum of $|\kappa|$ on the
boundary of the strip and by $|P_k(\cos\theta)| \le e^{{k |\operatorname{{Im}}\theta|}}$. The result is the
table."""
