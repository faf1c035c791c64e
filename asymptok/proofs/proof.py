"""The proof of a certificate in LaTeX: for each step the paragraph that says it, with its numbers."""

from __future__ import annotations

from fractions import Fraction

from sympy import Add, Expr, exp, latex

from asymptok.atlas.flat import is_flat
from asymptok.atlas.quadrant_form import quadrant_form
from asymptok.atlas.removable import lifted_zeros
from asymptok.atlas.rewriting import rewritten
from asymptok.atlas.rooted import without_roots
from asymptok.atlas.waves import InnerTerm
from asymptok.laws.exponential_sums import exponential_sum
from asymptok.laws.leading_exponentials import leading_part
from asymptok.proofs.claims import Law, ParityClaim
from asymptok.proofs.flat import flat_parts
from asymptok.proofs.frames_shown import derivative_latex, frame_latex
from asymptok.proofs.statement import EndClaim, Statement
from asymptok.proofs.writing import Numbers, fill, fraction, rows, tabular
from asymptok.show.formula import folded
from asymptok.symbols import u

__all__ = ["NAMES", "proof_latex"]

NAMES = ("even", "odd")


def proof_latex(certificate: Statement, numbers: Numbers) -> list[str]:
    """The paragraphs; where parities are treated apart, those of each after the lemma that both use."""
    if not certificate.apart:
        return _steps(certificate, (0, 1), numbers)
    sources = [certificate.source(parity) for parity in (0, 1)]
    # one lemma for both, with logarithms if one of them needs these
    found = [max((_contour(source) for source in sources if not _is_own(source)), key=len, default="")]
    for parity, source in enumerate(sources):
        _, *lines = _steps(source, (parity,), numbers)
        if _is_own(source) and any(r"\ast" in line for line in found):
            lines = [line.replace(r"\ast", r"\ast\ast") for line in lines]  # two formulas, two marks
        found += [_part(certificate, parity), *lines]
    return found


def _part(certificate: Statement, parity: int) -> str:
    part = certificate.parts[parity]
    if part is None:
        return fill("part_itself", name=NAMES[parity])
    formula = latex(part.kernel.expr)
    return fill("part", name=NAMES[parity], sign="+-"[parity], formula=formula)


def _is_own(certificate: Statement) -> bool:
    """Whether the proof does without the contour of the lemma."""
    return bool(certificate.derivatives or certificate.kinds & {Law.EXPONENTIAL, Law.FLAT})


def _steps(c: Statement, parities: tuple[int, ...], n: Numbers) -> list[str]:
    """The paragraphs for these parities, the lemma first."""
    laws = _laws(c, parities)
    if c.derivatives:
        return ["", *_series(c, n), *laws, fill("derivatives_small")]
    if Law.FLAT in c.kinds:
        return ["", _touching(c), *laws]
    if Law.EXPONENTIAL in c.kinds:
        return ["", _exponential(c), *laws]
    if is_flat(c.kernel.expr):
        return [_contour(c), _flat(c, n), *laws, fill("flat_small", last=max(c.small))]
    first = fill("small", last=max(c.small)) if c.small else ""
    return [
        _contour(c),
        _inside(c, n),
        _poles(c, n),
        _analytic(c, n),
        _lifted(c),
        _integrals(c, n),
        *laws,
        first,
    ]


def _contour(c: Statement) -> str:
    logs = any(term.log_power for term in c.terms)
    return fill("contour", d=c.d, logarithms=fill("logarithms") if logs else "")


# where the kernel is analytic, and its terms -------------------------------------------------------------


def _analytic(c: Statement, n: Numbers) -> str:
    if c.inner and all(Fraction(b.curve) == 0 for b in c.bounds):
        return fill("polynomial")
    if c.place is not None:
        return _outside(c, n)
    if not c.terms or c.ends is None:
        return fill(
            "analyticity",
            subject="R" if c.poles else r"\kappa",
            height=fraction(max((b.height for b in c.bounds), key=lambda h: Fraction(str(h)))),
            cut=", but for the arcs" if c.arcs else "",
            rooted=fill("rooted") if without_roots(c.kernel.expr) != c.kernel.expr else "",
            entire=fill("entire") if Law.ENTIRE in c.kinds else "",
        )
    return fill(
        "ends",
        subject="each $F$" if c.inner else r"$\kappa$",
        lines=fill("lines") if c.inner else "",
        height=fraction(c.bounds[0].height),
        discs="; ".join(_end(at, end) for at, end in zip((1, -1), c.ends, strict=True)),
        sectors="" if all(end.grid for end in c.ends) else fill("sectors"),
        terms=_terms(c, n, "1-u", "1+u"),
    )


def _end(at: int, end: EndClaim) -> str:
    """The discs along a slit, or the sector of a local model."""
    if end.grid == 0:
        radius = fraction(end.discs[0].radius)
        return rf"at $u = {at}$ the sector $0 < |t| \le {radius}$, $|\arg t| \le \pi$"
    discs = []
    for disc in end.discs:
        centre = "" if disc.centre == 0 else rf" - {fraction(disc.centre)}\, e^{{-i\pi/{end.grid}}}"
        discs.append(rf"$|\sigma{centre}| \le {fraction(disc.radius)}$")
    none = r"no slit, since $\kappa$ is analytic in $t$"
    return rf"at $u = {at}$, $t = \sigma^{{{end.grid}}}$: {', '.join(discs) or none}"


def _terms(c: Statement, n: Numbers, plus: str, minus: str) -> str:
    """The coefficients at both ends, one row for each power."""
    found = {(t.exponent, t.log_power, t.at): n.interval(t.low, t.high) for t in c.terms}
    powers = sorted({key[:2] for key in found}, key=lambda power: (float(power[0]), power[1]))
    body = [
        (
            f"${'' if e == 0 else f't^{{{folded(e)}}}'}{_log('t', j) or ('1' if e == 0 else '')}$",
            *(f"${found[e, j, at]}$" if (e, j, at) in found else "" for at in (1, -1)),
        )
        for e, j in powers
    ]
    return tabular("rll", ("", f"$t = {plus}$", f"$t = {minus}$"), body)


def _log(of: str, power: int) -> str:
    return "" if not power else rf" \log {of}" if power == 1 else rf" \log^{{{power}}} {of}"


def _outside(c: Statement, n: Numbers) -> str:
    if any(bound.beta is not None for bound in c.bounds):
        rest = fill("outside_contour")
    else:
        zero = all(Fraction(bound.curve) == 0 for bound in c.bounds)
        rest = fill("outside_sum" if zero else "outside_ellipses")
    return fill(
        "outside", b=latex(c.place), hypergeometric=fill("hypergeometric"), terms=_terms(c, n, "b-u", "b+u"), rest=rest
    )  # fmt: skip


def _lifted(c: Statement) -> str:
    points = lifted_zeros(rewritten(c.kernel.expr))
    return fill("lifted", points=", ".join(f"${latex(point)}$" for point in points)) if points else ""


def _integrals(c: Statement, n: Numbers) -> str:
    if all(Fraction(b.curve) == 0 for b in c.bounds):
        return ""
    table = _bounds(c, n)
    if c.place is not None:
        return fill("integrals_outside", table=table)
    if all(bound.beta is None for bound in c.bounds):
        return fill("integrals_curve", table=table)
    return fill("integrals", table=table, terms="$V$ and its terms" if c.inner else "its terms")


def _bounds(c: Statement, n: Numbers) -> str:
    body = [
        (
            "$-$" if b.beta is None else f"${folded(b.beta)}$",
            f"${b.height}$",
            *(f"${n.up(x)}$" for x in (b.plus, b.minus, b.curve)),
        )
        for b in c.bounds
    ]
    return tabular("ccccc", (r"$\beta$", "$h$", "$B_+$", "$B_-$", "$G$"), body)


# the law of a parity -------------------------------------------------------------------------------------


def _laws(c: Statement, parities: tuple[int, ...]) -> list[str]:
    """What follows for all k: what both parities have in common first, then the numbers of each."""
    claims = [(NAMES[i], (c.even, c.odd)[i]) for i in parities]
    kinds = {claim.law for _, claim in claims}
    found = []
    if Law.ALGEBRAIC in kinds and any(claim.bound is not None for _, claim in claims):
        logs = any(t.log_power for t in c.terms)
        digamma = any(t.log_power > 1 or (t.log_power and not t.exponent.is_Integer) for t in c.terms)
        summand, weights = fill("summand_logarithms" if logs else "summand"), fill("weights")
        found.append(fill("law", summand=summand, weights=weights if digamma else ""))
    if Law.GEOMETRIC in kinds:
        found.append(fill("geometric"))
    return found + [_law(c, name, claim) for name, claim in claims]


def _law(c: Statement, name: str, claim: ParityClaim) -> str:
    if claim.law is Law.ZERO:
        paragraph = "zero" if (claim.zero_from or 0) < 2 else "zero_polynomial"
        return fill(paragraph, name=name, sign="+-"[NAMES.index(name)], start=claim.zero_from)
    if claim.law is Law.EXPONENTIAL:
        return _exponential_law(c, name, claim)
    if claim.nu is None or claim.bound is None or claim.law not in (Law.ALGEBRAIC, Law.GEOMETRIC):
        return ""
    paragraph = "law_of_parity" if claim.law is Law.ALGEBRAIC else "geometric_of_parity"
    logs = claim.law is Law.ALGEBRAIC and claim.log_power and claim.lead is not None
    return fill(
        paragraph,
        name=name,
        nu=folded(claim.nu),
        beta=folded(c.bounds[claim.bound].beta or claim.nu),
        tail=claim.tail,
        lower="" if claim.nu <= 1 else fill("lower"),
        logarithms=fill("leading_logarithms", highest=claim.lead.logs, power=claim.log_power, tail=claim.tail)
        if logs and claim.lead is not None
        else "",
        between=_between(claim, "between"),
    )


def _between(claim: ParityClaim, paragraph: str) -> str:
    return "" if claim.tail == claim.k0 else fill(paragraph, start=claim.k0, tail=claim.tail)


# points inside, poles ------------------------------------------------------------------------------------


def _inside(c: Statement, n: Numbers) -> str:
    if not c.inner:
        return ""
    terms = " \\\\\n & {} + ".join(map(_inner_term, c.inner))
    logs = fill("rest_logarithms") if any(r.log_power for r in c.rests) else ""
    return fill(
        "inside",
        head=fill("inside_divided", terms=terms, rows=_rests(c, n), logarithms=logs),
        logarithms=fill("inside_logarithms") if any(t.log_power for t in c.inner) else "",
    )


def _inner_term(t: InnerTerm) -> str:
    """c (+-(u - p))_+^nu log^j |u - p|."""
    distance = latex(u - t.location)
    side = distance if t.side == 1 else latex(t.location - u)
    power = "" if t.exponent == 1 else rf"^{{{folded(t.exponent)}}}"
    plain = t.coefficient.is_Number and t.coefficient > 0
    coefficient = latex(t.coefficient) if plain else rf"\left({latex(t.coefficient)}\right) "
    coefficient = "" if t.coefficient == 1 else coefficient
    log = _log(rf"\left|{distance}\right|", t.log_power)
    return rf"{coefficient}\left({side}\right)_+{power}{log}"


def _rests(c: Statement, n: Numbers) -> str:
    """The numbers of what the expansions leave."""
    heads = ["$u_0$", r"$\nu$", "$N$", "$j$", "$K$", "$H$"]
    body = [
        [f"${x}$" for x in (
            latex(r.location), folded(r.nu), r.count, r.log_power, n.up(r.size), r.height
        )]
        for r in c.rests
    ]  # fmt: skip
    return tabular("c" * len(heads), heads, body)


def _poles(c: Statement, n: Numbers) -> str:
    if not c.poles:
        return ""
    log = r", \ \log"
    body = [
        rf"& z = {latex(p.location)}, \quad \nu = {folded(p.exponent)}{log * p.log_power}, \\ "
        rf"& \quad \operatorname{{Re}} c \in {_set(n, p.real)}, \ \operatorname{{Im}} c \in {_set(n, p.imaginary)}"
        for p in c.poles
    ]
    arcs = [
        rf"& z = {latex(a.location)}, \quad \beta = {folded(a.beta)}, \ K = {n.up(a.size)}, \ H = {a.height}"
        for a in c.arcs
    ]
    return fill(
        "poles",
        kind="Poles and branch points" if c.arcs else "Poles",
        rows=rows(body),
        arcs=fill("arcs", rows=rows(arcs)) if arcs else "",
        hypergeometric=fill("hypergeometric"),
    )


def _set(n: Numbers, ends: tuple[str, str]) -> str:
    text = n.interval(*ends)
    return text if text.startswith("[") else rf"\{{{text}\}}"


# kernels with proofs of their own ------------------------------------------------------------------------


def _series(c: Statement, n: Numbers) -> list[str]:
    """Power series with coefficients >= 0: derivatives at u = 1, and the coefficients by a strip."""
    table = tabular(
        "rl",
        ("$n$", r"$\kappa^{(n)}(1)$ is at most"),
        [(f"${order}$", f"${n.up(size)}$") for order, size in c.derivatives],
    )
    found = [fill("series"), fill("derivatives", d=c.d, table=table)]
    claim = c.coefficients
    if claim is None:
        return [*found, fill("derivatives_law")]
    hermite = fill("hermite", start=claim.start, tau=claim.tau, size=n.up(claim.size))
    return [*found, hermite, fill("stretched")]


def _exponential(c: Statement) -> str:
    """The derivatives at 0, and the series of the eigenvalues."""
    found = exponential_sum(c.kernel.expr)
    assert found is not None
    terms, left = [derivative_latex(t) for t in found.terms], r"\kappa^{(n)}(0) ="
    if len(terms) == 1:
        total = rf"\[ {left} {terms[0]} . \]"
    else:
        total = rf"\begin{{align*}} {left}{{}} & " + " \\\\\n& {} + ".join(terms) + r" . \end{align*}"
    polynomial = latex(Add(*(p * u**n for n, p in found.polynomial)))
    return fill(
        "exponential",
        d=c.d,
        total=total,
        low=fill("exponential_low", degree=found.degree, polynomial=polynomial) if found.polynomial else "",
        hypergeometric=fill("exponential_hypergeometric") if any(t.order is not None for t in found.terms) else "",
        squares=fill("exponential_squares") if any(t.square for t in found.terms) else "",
    )  # fmt: skip


def _exponential_law(c: Statement, name: str, claim: ParityClaim) -> str:
    """From the leading derivatives to all k of one parity."""
    found = exponential_sum(c.kernel.expr)
    part = None if found is None else leading_part(found, NAMES.index(name))
    if part is None:
        return ""
    alone = not part.others and not any(x != 0 for _, x in part.piece.weights)
    return fill(
        "exponential_of_parity",
        name=name,
        frame=frame_latex(part.lead),
        constant=latex(part.constant),
        rest=fill("exponential_alone" if alone else "exponential_rest", tail=claim.tail),
        steps=fill("exponential_square" if part.lead.square else "exponential_steps", tail=claim.tail),
        between=_between(claim, "exponential_between"),
    )


def _flat(c: Statement, n: Numbers) -> str:
    """A part that is flat at an end: where the contour goes, the terms, and the bounds."""
    form = quadrant_form(c.kernel.expr)
    assert form is not None
    exponentials: list[Expr] = [
        form.exact(coefficient) * (1 - u) ** p * (1 + u) ** q * exp(-a / (1 + u) - b / (1 - u))
        for (a, b), powers in form.exponentials_after(form.order).items()
        for (p, q), coefficient in powers.items()
    ]
    rest, height = form.exact(form.rest), fraction(c.bounds[0].height)
    alone = rest.is_polynomial(u)
    return fill(
        "flat",
        n=form.order,
        parts=" \\\\\n& {} + ".join(map(latex, exponentials)),
        others="" if alone else fill("flat_others", rest=latex(rest), height=height),
        left=r"\kappa" if alone else r"(\kappa - \kappa_0)",
        terms=_terms(c, n, "1-u", "1+u"),
        table=_bounds(c, n),
    )


def _touching(c: Statement) -> str:
    """The contour through the ends at which the kernel is flat, and what follows for all k."""
    found = flat_parts(c.kernel.expr)
    assert found is not None
    return fill("touching", d=c.d, a=folded(found.a), q=folded(2 * found.a))
