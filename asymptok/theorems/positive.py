"""Positive definiteness on S^(d-1): all mu_k >= 0 (Schoenberg); for all d: all Taylor coefficients at 0 are >= 0."""

from __future__ import annotations

import mpmath
from flint import arb
from sympy import Expr, Poly, Rational, S, factorial, gamma, oo, sqrt, sstr

from asymptok import dag
from asymptok.balls import ball, compile_ball, complex_ball
from asymptok.errors import AsymptokError, ExpansionError, Obstruction
from asymptok.expansion import puiseux
from asymptok.expansion.obstruction import is_complex_near
from asymptok.kernels.given_form import given_nodes
from asymptok.laws.derive import decay
from asymptok.laws.taylor_signs import Shapes, positive_series
from asymptok.patience import Portion
from asymptok.precision import flint_precision
from asymptok.proofs.given import given_signs
from asymptok.proofs.parities import certify
from asymptok.regularity import InteriorPoint
from asymptok.regularity.ranges import limit
from asymptok.spectrum.compute import eigenvalues
from asymptok.symbols import u
from asymptok.theorems.case import Case
from asymptok.theorems.enclosed import enclose_eigenvalue
from asymptok.theorems.theorem import Hypothesis, Verdict
from asymptok.truth import PROVED, REFUTED, SUPPORTED, UNKNOWN, Sign, Truth

#: eigenvalues looked at for a counterexample, the first few before the others, and digits of each
_FIRST, _KMAX = 5, 24
_DPS = 15
#: the share of the time for a question that a proof may take once numbers support it
_SHARE = 0.5
#: eigenvalues enclosed where there is no quadrature
_ENCLOSED = 9
#: orders of the Taylor series looked at, and the size of a coefficient that ends it
_TAYLOR, _LARGEST = (4, 8, 16), 500
#: dimensions looked at for a counterexample to positive definiteness in all of them
_DIMENSIONS = (2, 3, 5)
#: points j/_SAMPLES at which |kappa| is compared with kappa(1), and the bits for that
_SAMPLES, _BITS = 16, 128


def positive_definite(case: Case) -> Verdict:
    """All mu_k >= 0 in dimension d, or in every dimension (d = oo).

    Refuted only by a witness: a mu_k proved negative, integrals that do not exist, a value that is not real, or a
    value that no function with mu_k >= 0 can have.
    """
    if given_nodes(case.kernel.expr):
        return _by_formula(case)
    missing = _no_integrals(case)
    if missing is not None:
        return Verdict(REFUTED, missing)
    reason = positive_series(case.kernel)
    if reason is not None and _integrable(case):
        return Verdict(PROVED, f"in every dimension: {reason}")
    if case.singularities.polynomial:
        found = _polynomial(case)
        if found is not None:
            return found
    if case.d is oo:
        return _all_dimensions(case)
    assert case.d is not None  # the question is put only where a dimension is given
    return _one_dimension(case, int(case.d))


def _by_formula(case: Case) -> Verdict:
    """By the signs of eigenvalues that are given."""
    found = given_signs(case.kernel.expr, int(case.d)) if case.d is not None and case.d.is_Integer else None
    if found is None or found.positive is None:
        return Verdict(
            UNKNOWN, "the eigenvalues that are given do not decide it, or are those of another dimension"
        )
    if found.positive:
        return Verdict(PROVED, "the eigenvalues are given by a formula that is nowhere negative")
    return Verdict(REFUTED, f"mu_{found.offending} < 0 by the formula of the eigenvalues")


# ------------------------------------------------------------------------------- do the integrals exist?


def _no_integrals(case: Case) -> str | None:
    """A proof that kappa is no real function with finite integrals against (1-u^2)^((d-3)/2); None if there is none."""
    for point in case.singularities.interior:
        if not point.proved:
            continue
        if point.kind == "undefined/complex" and point.bounded is not Truth.TRUE and _not_real(case, point):
            return f"kappa is not real: {point}"
        if point.nu is not None and (point.nu + 1).is_nonpositive:
            return f"mu_k does not exist: {point}"
    for at in (1, -1):
        found = case.end(at)
        if not isinstance(found, ExpansionError) or not case.refutes(at):
            continue
        if found.kind is Obstruction.COMPLEX:
            return f"kappa is not real next to u = {at}: {found}"
        if found.kind is Obstruction.GROWS:
            return f"mu_k does not exist: {found}"
        lead = _first_exponent(case, at)
        if lead is not None and case.sign(lead + (_smallest(case) - 1) / 2).nonpositive:
            return f"mu_k does not exist for d = {_smallest(case)}: kappa is unbounded like t^({sstr(lead)}) at {at:+d}"
    return None


def _not_real(case: Case, point: InteriorPoint) -> bool:
    places = [x for x in (point.location, *point.enclosure) if x is not None]
    return any(
        is_complex_near(case.kernel.expr, x, side, case.kernel.parameters) for x in places for side in "+-"
    ) or any(_is_complex(case, x) for x in places)


def _is_complex(case: Case, x: Expr) -> bool:
    at = None if case.kernel.parameters else dag.value_at(case.kernel.expr, u, x)
    if at is None:
        return False
    try:
        value = complex_ball(at, prec=128)
    except AsymptokError:
        return False
    return bool(value.is_finite()) and not value.imag.contains(0)


def _smallest(case: Case) -> Expr:
    """The dimension with the weakest weight among those asked for."""
    return S(2) if case.d is oo else S(case.d)


def _first_exponent(case: Case, at: int) -> Expr | None:
    """The leading exponent of t at an end, which may be negative."""
    try:
        side = "-" if at == 1 else "+"
        first = puiseux(case.kernel.expr, u, at, side, 0, parameters=case.kernel.parameters).first()
        return None if first is None else first.exponent
    except AsymptokError:
        return None


def _integrable(case: Case) -> bool:
    """Whether a power series with coefficients >= 0 is proved integrable: |kappa(-u)| <= kappa(u), so u = 1 decides."""
    if not isinstance(case.end(1), AsymptokError):
        return True
    if Shapes(case.kernel.parameters).finite_at_one(case.kernel.expr):
        return True
    lead = _first_exponent(case, 1)
    return lead is not None and case.sign(lead + (_smallest(case) - 1) / 2).positive


def _bounded_at_one(case: Case) -> bool:
    return not isinstance(case.end(1), AsymptokError)


# ------------------------------------------------------------------------- values of positive definite functions


def _impossible_value(case: Case) -> str | None:
    """With all mu_k >= 0 kappa does not tend to -oo at 1; bounded there, it is continuous and |kappa(u)| <= kappa(1).

    docs/spectrum.md, Positive definite kernels.
    """
    top = limit(case.kernel.expr, S.One, "-", case.kernel.parameters)
    if top is -oo:
        return "kappa is unbounded at u = 1, where it tends to -oo, which mu_k >= 0 for all k excludes"
    if not _bounded_at_one(case):
        return None
    other = case.end(-1)
    if isinstance(other, ExpansionError) and other.kind is Obstruction.UNBOUNDED:
        return (
            f"kappa is bounded at u = 1 and unbounded at u = -1, which mu_k >= 0 for all k excludes: {other}"
        )
    for point in case.singularities.interior:
        if point.proved and (point.kind == "jump" or point.bounded is Truth.FALSE):
            return (
                f"kappa is bounded at u = 1 and not continuous, which mu_k >= 0 for all k excludes: {point}"
            )
    if top is None or case.kernel.parameters or case.singularities.smooth is not Truth.TRUE:
        return None
    upper = ball(top, prec=_BITS)
    kappa = compile_ball(case.kernel.expr, [u])
    with flint_precision(_BITS):
        for j in range(1 - _SAMPLES, _SAMPLES):
            value = kappa(arb(j) / _SAMPLES)
            if value.is_finite() and abs(value) > upper:
                place = sstr(Rational(j, _SAMPLES))
                return f"|kappa({place})| > kappa(1) = {sstr(top)[:80]}, which mu_k >= 0 for all k excludes"
    return None


# ------------------------------------------------------------------------------------------- all dimensions


def _all_dimensions(case: Case) -> Verdict:
    """A negative coefficient, a singular point inside, or one bad dimension refutes; the first terms only support."""
    found = _by_taylor(case)
    if found.status == REFUTED:
        return found
    if _bounded_at_one(case):
        for point in case.singularities.interior:
            if point.proved and point.kind in ("kink", "jump", "branch point"):
                return Verdict(
                    REFUTED,
                    f"a kernel positive definite in all dimensions is a power series with coefficients >= 0 and so "
                    f"analytic inside (-1, 1): {point}",
                )
    if not case.kernel.parameters:
        for d in _DIMENSIONS:
            single = _one_dimension(Case(case.kernel, S(d)), d)
            if single.status == REFUTED:
                return single
    if found.status == SUPPORTED and case.singularities.smooth is not Truth.TRUE:
        return Verdict(UNKNOWN, f"{found.evidence}; {_not_smooth(case)}")
    return found


def _by_taylor(case: Case) -> Verdict:
    found, order = None, 0
    for order in _TAYLOR:
        try:
            found = puiseux(case.kernel.expr, u, 0, "+", order, parameters=case.kernel.parameters)
        except AsymptokError as error:
            return Verdict(UNKNOWN, f"no Taylor series at 0: {error}")
        # coefficients of a function with large derivatives, such as Gamma, grow with the order
        if any(dag.tree_size(term.coefficient) > _LARGEST for term in found.terms):
            break
    assert found is not None
    open_signs = 0
    strange = found.first(lambda term: bool(term.log_power or term.exponent.is_integer is False))
    if strange is not None:
        return Verdict(
            REFUTED, f"kappa has the term u^({sstr(strange.exponent)}) at 0 and no Taylor series there"
        )
    for term in found.terms:
        sign = _coefficient_sign(case, term.coefficient)
        if sign.negative:
            return Verdict(
                REFUTED, f"the coefficient of u^{term.exponent} at 0 is {sstr(term.coefficient)[:120]} < 0"
            )
        open_signs += not sign.known
    if open_signs:
        return Verdict(
            UNKNOWN, f"the signs of {open_signs} of the first {order} Taylor coefficients are not known"
        )
    return Verdict(
        SUPPORTED, f"the Taylor coefficients at 0 are >= 0 up to u^{order}; the others were not looked at"
    )


def _coefficient_sign(case: Case, value: Expr) -> Sign:
    """By a ball where that is enough; the exact test is for small numbers and for parameters."""
    if not value.free_symbols:
        enclosed = ball(value, prec=_BITS)
        if enclosed.is_finite() and not enclosed.contains(0):
            return Sign.shown(enclosed > 0, enclosed < 0)
    return case.sign(value) if dag.tree_size(value) <= _LARGEST else Sign.UNKNOWN


# ----------------------------------------------------------------------------------- one dimension


def _polynomial(case: Case) -> Verdict | None:
    """Finitely many eigenvalues, each exact; in all dimensions: finitely many coefficients."""
    coefficients = Poly(case.kernel.expr, u).all_coeffs()[::-1]
    if case.d is oo:
        values, name = coefficients, "the coefficient of u^{k}"
    else:
        values = [monomial_sum(coefficients, k, S(case.d)) for k in range(len(coefficients))]
        name = "mu_{k}"
    signs = [case.sign(value) for value in values]
    for k, sign in enumerate(signs):
        if sign.negative:
            return Verdict(REFUTED, f"{name.format(k=k)} = {sstr(values[k])} < 0")
    if Sign.UNKNOWN in signs:
        return None
    shown = ", ".join(f"{name.format(k=k)} = {sstr(v)}" for k, v in enumerate(values[:6]))
    return Verdict(PROVED, f"finite rank, all >= 0: {shown}" + (", ..." if len(values) > 6 else ""))


def monomial_sum(coefficients: list[Expr], k: int, d: Expr) -> Expr:
    """mu_k of sum_p b_p u^p, exactly.

    >>> monomial_sum([S(0), S(0), S(1)], 0, S(3))
    1/3
    """
    total = S.Zero
    for p in range(k, len(coefficients), 2):
        weight = factorial(p) / factorial(p - k) * gamma(S(p - k + 1) / 2) / gamma((p + k + d) / 2)
        total += coefficients[p] * weight
    return gamma(d / 2) / (sqrt(S.Pi) * 2**k) * total


def _one_dimension(case: Case, d: int) -> Verdict:
    """The law, a value, or a single mu_k refutes, a certificate proves; numbers without a proof only support."""
    # enclosures of single mu_k are cheap for smooth kernels; next to a kink the certificate is faster than they are
    smooth = case.singularities.smooth is Truth.TRUE
    first, last = (_by_asymptotics, _by_certificate) if smooth else (_by_certificate, _by_asymptotics)
    early = None
    with Portion(_SHARE):
        early = first(case, d)
    if early is not None:
        return early
    found = _by_eigenvalues(case, d)
    if found.status == REFUTED:
        return found
    impossible = _impossible_value(case)
    if impossible is not None:
        return Verdict(REFUTED, impossible)
    with Portion(_SHARE):
        return last(case, d) or found
    return found


def _by_asymptotics(case: Case, d: int) -> Verdict | None:
    """A proved law refutes: a negative constant, or an oscillation that goes below zero, for infinitely many k."""
    try:
        law = decay(case.kernel)
        if law.assumes:
            return None
        for side in (law.even, law.odd):
            here = side.at(d)
            if here.kind == "algebraic" and here.lead is not None:
                constant = here.constant(d)
                if constant is not None and case.sign(constant).negative:
                    logs = f" (log k)^{here.log_power}" if here.log_power else ""
                    shown = f"({sstr(constant)[:120]}) k^(-d-2nu+1){logs}"
                    nu = sstr(here.lead.nu)
                    return Verdict(REFUTED, f"mu_k ~ {shown} < 0 for all large {side.parity} k, nu = {nu}")
            if here.kind == "oscillatory":
                extremes = here.extremes(d)
                # a wave alone has mean zero, so that it takes both signs; with an end beside it the minimum decides
                if extremes is None or (here.lead is not None and not extremes.exact):
                    continue
                if case.sign(extremes.lower).negative:
                    return Verdict(REFUTED, f"infinitely many mu_k, {side.parity} k, are negative: {here}")
    except AsymptokError:
        return None
    return None


def _by_certificate(case: Case, d: int) -> Verdict | None:
    """Every mu_k between proved numbers; None if a sign stays open."""
    try:
        found = certify(case.kernel, d)
    except AsymptokError:
        return None
    if found.positive_definite is None or (found.positive_definite and not found.proved):
        return None
    if found.positive_definite:
        starts = [law.k0 if law.k0 is not None else law.zero_from for law in (found.even, found.odd)]
        first = max(start for start in starts if start is not None)
        return Verdict(
            PROVED, f"mu_k for k < {first} one by one, and all others by one bound: certify(kernel, {d})"
        )
    return Verdict(REFUTED, f"mu_{found.offending} < 0 for d = {d}: certify(kernel, {d})")


def _by_eigenvalues(case: Case, d: int) -> Verdict:
    if case.kernel.parameters:
        names = ", ".join(str(s) for s in case.kernel.parameters)
        return Verdict(UNKNOWN, f"not decided by structure, and eigenvalues need numbers for {names}")
    if case.singularities.smooth is not Truth.TRUE:
        # quadrature is slow next to a kink; enclosures on small cells do not mind it
        return _by_enclosure(case, d, _not_smooth(case))
    try:
        # most kernels that are not positive definite show it at once
        for last in (_FIRST, _KMAX):
            spectrum = eigenvalues(case.kernel, d, kmax=last, dps=_DPS)
            for k in range(last + 1):
                value, error = spectrum[k], spectrum.error(k)
                if value + error < 0:
                    return _negative(case, d, k, value, error if spectrum.is_proved(k) else None)
    except AsymptokError as reason:
        return _by_enclosure(case, d, str(reason))
    shown = sum(
        bool(spectrum.is_proved(k) and spectrum[k] - spectrum.error(k) >= 0) for k in range(_KMAX + 1)
    )
    text = f"none of mu_0, ..., mu_{_KMAX} is negative beyond its error for d = {d}, {shown} of them are proved >= 0"
    return Verdict(SUPPORTED, f"{text}; the others were not looked at")


def _not_smooth(case: Case) -> str:
    refuted = case.singularities.smooth is Truth.FALSE
    return f"kappa is not {'' if refuted else 'known to be '}smooth inside"


def _negative(case: Case, d: int, k: int, value: object, error: object) -> Verdict:
    """A negative value refutes if its error is proved; an estimate has to be confirmed by an enclosure."""
    text = f"mu_{k} = {_decimal(value)} < 0 for d = {d}"
    if error is not None:
        return Verdict(REFUTED, f"{text}, error at most {_decimal(error)}")
    enclosed = enclose_eigenvalue(case.kernel.expr, d, k)
    if enclosed < 0:
        return Verdict(REFUTED, f"{text}, {_between(enclosed)}")
    return Verdict(UNKNOWN, f"{text}, by an estimate that was not confirmed in ball arithmetic")


def _by_enclosure(case: Case, d: int, reason: str) -> Verdict:
    for k in range(_ENCLOSED):
        enclosed = enclose_eigenvalue(case.kernel.expr, d, k)
        if enclosed < 0:
            return Verdict(REFUTED, f"mu_{k} < 0 for d = {d}, {_between(enclosed)}")
    return Verdict(UNKNOWN, f"none of mu_0 ... mu_{_ENCLOSED - 1} is proved to be negative; {reason}")


def _between(enclosed: arb) -> str:
    low, high = (x.str(6, radius=False) for x in (enclosed.lower(), enclosed.upper()))
    return f"between {low} and {high} by ball arithmetic"


def _decimal(value: object) -> str:
    return str(mpmath.nstr(value, 6))


POSITIVE_DEFINITE = Hypothesis(
    "positive definite",
    "kappa is positive definite on the sphere: mu_k >= 0 for all k",
    r"\mu_k \ge 0 \text{ for all } k",
    positive_definite,
)

__all__ = ["POSITIVE_DEFINITE", "enclose_eigenvalue", "monomial_sum", "positive_definite"]
