"""Positive definiteness on S^(d-1): all mu_k >= 0 (Schoenberg); for all d: all Taylor coefficients at 0 are >= 0."""

from __future__ import annotations

from typing import Any

import mpmath
from flint import arb, fmpq
from sympy import Expr, Poly, S, factorial, gamma, oo, sqrt, sstr

from asymptok.asymptotics.laws import asymptotic_constant
from asymptok.ball_functions import integer_power
from asymptok.balls import compile_ball
from asymptok.errors import AsymptokError
from asymptok.expansion import puiseux
from asymptok.precision import flint_precision
from asymptok.spectrum.compute import eigenvalues
from asymptok.spectrum.moments import normalisation
from asymptok.spectrum.pieces import ends
from asymptok.spectrum.ranges import range_on
from asymptok.symbols import u
from asymptok.theorems.case import Case
from asymptok.theorems.monotone import taylor_coefficients_nonnegative
from asymptok.theorems.recognise import arc_cosine_form
from asymptok.theorems.theorem import PROVED, REFUTED, SUPPORTED, UNKNOWN, Hypothesis, Verdict
from asymptok.truth import Truth

#: eigenvalues looked at for a counterexample, and digits of each
_KMAX = 24
_DPS = 15
#: eigenvalues enclosed where there is no quadrature
_ENCLOSED = 9
#: Taylor coefficients looked at
_TAYLOR = 16


def positive_definite(case: Case) -> Verdict:
    """All mu_k >= 0 in dimension d, or in every dimension (d = oo)."""
    if case.singularities.smooth is Truth.FALSE and not _is_bounded(case):
        return Verdict(REFUTED, "kappa is not a bounded real function: " + case.singularities.evidence)
    for at in (1, -1):
        if case.refutes(at):
            return Verdict(REFUTED, f"kappa is not a bounded real function: {case.end(at)}")
    expr = case.kernel.expr
    forms = dict.fromkeys((expr, arc_cosine_form(expr)))
    reason = next(
        (r for f in forms if (r := taylor_coefficients_nonnegative(f, case.kernel.parameters))), None
    )
    if reason is not None:
        return Verdict(PROVED, f"in every dimension: {reason}")
    if case.singularities.polynomial:
        found = _polynomial(case)
        if found is not None:
            return found
    if case.d is oo:
        return _all_dimensions(case)
    return _by_asymptotics(case) or _by_eigenvalues(case)


def _is_bounded(case: Case) -> bool:
    """Whether no singular point inside rules out a bounded real function: sin(1/u) may stand."""
    return all(
        p.kind in ("kink", "jump", "unknown")
        or (p.nu is not None and p.nu.is_positive)
        or "oscillates" in p.reason
        for p in case.singularities.interior
    )


def _all_dimensions(case: Case) -> Verdict:
    """A negative coefficient refutes; without one the first few only support."""
    try:
        found = puiseux(case.kernel.expr, u, 0, "+", _TAYLOR, parameters=case.kernel.parameters)
    except AsymptokError as error:
        return Verdict(UNKNOWN, f"no Taylor series at 0: {error}")
    open_signs = 0
    for term in found.terms:
        if term.log_power or not term.exponent.is_Integer:
            return Verdict(
                REFUTED, f"kappa has the term u^({sstr(term.exponent)}) at 0 and no Taylor series there"
            )
        sign = case.sign(term.coefficient)
        if sign == -1:
            return Verdict(
                REFUTED, f"the coefficient of u^{term.exponent} at 0 is {sstr(term.coefficient)[:120]} < 0"
            )
        open_signs += sign is None
    if open_signs:
        return Verdict(
            UNKNOWN, f"the signs of {open_signs} of the first {_TAYLOR} Taylor coefficients are not known"
        )
    return Verdict(
        SUPPORTED, f"the Taylor coefficients at 0 are >= 0 up to u^{_TAYLOR}; the others were not looked at"
    )


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
        if sign == -1:
            return Verdict(REFUTED, f"{name.format(k=k)} = {sstr(values[k])} < 0")
    if None in signs:
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


def _by_asymptotics(case: Case) -> Verdict | None:
    """The theorem itself refutes: a negative constant makes mu_k < 0 for all large k of a parity."""
    if case.singularities.smooth is not Truth.TRUE:
        return None
    try:
        lead = case.lead
        if lead is None or lead[1] or case.is_integer(lead[0]) is not Truth.FALSE:
            return None
        plus, minus = case.coefficient(1), case.coefficient(-1)
    except AsymptokError:
        return None
    constant = asymptotic_constant(S(case.d), lead[0])
    for parity, total in (("even", plus + minus), ("odd", plus - minus)):
        if case.sign(total * constant) == -1:
            law = f"({sstr(total * constant)[:120]}) k^(-d-2nu+1)"
            return Verdict(REFUTED, f"mu_k ~ {law} < 0 for all large {parity} k, nu = {sstr(lead[0])}")
    return None


def _by_eigenvalues(case: Case) -> Verdict:
    if case.kernel.parameters:
        names = ", ".join(str(s) for s in case.kernel.parameters)
        return Verdict(UNKNOWN, f"not decided by structure, and eigenvalues need numbers for {names}")
    if case.singularities.smooth is not Truth.TRUE:
        # quadrature is slow next to a kink; enclosures on small cells do not mind it
        return _by_enclosure(case, "kappa is not known to be smooth inside")
    try:
        spectrum: Any = eigenvalues(case.kernel, int(case.d), kmax=_KMAX, dps=_DPS)
        for k in range(_KMAX + 1):
            value, error = spectrum[k], spectrum.error(k)
            if value + error < 0:
                return _negative(case, k, value, error if spectrum.rigorous else None)
    except AsymptokError as reason:
        return _by_enclosure(case, str(reason))
    return Verdict(SUPPORTED, f"mu_k >= 0 for k = 0..{_KMAX}, d = {case.d}; the others were not looked at")


def _negative(case: Case, k: int, value: Any, error: Any) -> Verdict:
    """A negative value refutes if its error is proved; an estimate has to be confirmed by an enclosure."""
    text = f"mu_{k} = {_decimal(value)} < 0 for d = {case.d}"
    if error is not None:
        return Verdict(REFUTED, f"{text}, error at most {_decimal(error)}")
    enclosed = enclose_eigenvalue(case.kernel.expr, int(case.d), k)
    if enclosed < 0:
        return Verdict(REFUTED, f"{text}, {_between(enclosed)}")
    return Verdict(UNKNOWN, f"{text}, by an estimate that was not confirmed in ball arithmetic")


def _by_enclosure(case: Case, reason: str) -> Verdict:
    for k in range(_ENCLOSED):
        enclosed = enclose_eigenvalue(case.kernel.expr, int(case.d), k)
        if enclosed < 0:
            return Verdict(REFUTED, f"mu_{k} < 0 for d = {case.d}, {_between(enclosed)}")
    return Verdict(UNKNOWN, f"none of mu_0 ... mu_{_ENCLOSED - 1} is proved to be negative; {reason}")


def _between(enclosed: Any) -> str:
    low, high = (x.str(6, radius=False) for x in (enclosed.lower(), enclosed.upper()))
    return f"between {low} and {high} by ball arithmetic"


def enclose_eigenvalue(expr: Expr, d: int, k: int, cells: int = 2048) -> Any:
    """A ball around mu_k = c_d int_0^pi kappa(cos x) P_k(cos x) sin^(d-2)(x) dx, from the ranges on small cells.

    >>> enclose_eigenvalue(u, 3, 1).overlaps(arb(1)/3)
    True

    On the cells at the ends a ball of u sticks out of [-1, 1] by a rounding; sqrt(1-u) is enclosed by exact ends there:

    >>> enclose_eigenvalue(sqrt(1 - u), 3, 0).overlaps(2*arb(2).sqrt()/3)
    True
    """
    with flint_precision(64):
        kappa = compile_ball(expr, [u])
        total = arb(0)
        width = arb.pi() / cells
        for j in range(cells):
            x = width * (arb(j).union(arb(j + 1)))
            middle = width * (2 * j + 1) / 2
            # |d/dx P_k(cos x)| <= k, since P_k(cos x) is a mean of cos(j x), j <= k, with weights >= 0
            gegenbauer = _gegenbauer(middle.cos(), d, k) + arb(0, (width * k / 2).upper())
            cosine = x.cos()
            value = kappa(arb.min(arb.max(cosine, arb(-1)), arb(1)))
            if not value.is_finite():
                found = range_on(expr, *ends(fmpq(j, cells), fmpq(j + 1, cells)))
                value = value if found is None else found[0].union(found[1])
            total += value * gegenbauer * integer_power(x.sin().nonnegative_part(), d - 2) * width
        return total * normalisation(d)


def _gegenbauer(x: Any, d: int, k: int) -> Any:
    before, here = arb(1), x
    if k == 0:
        return before
    for j in range(1, k):
        before, here = here, ((2 * j + d - 2) * x * here - j * before) / (j + d - 2)
    return here


def _decimal(value: Any) -> str:
    return str(mpmath.nstr(value, 6))


POSITIVE_DEFINITE = Hypothesis(
    "positive definite",
    "kappa is positive definite on the sphere: mu_k >= 0 for all k",
    r"\mu_k \ge 0 \text{ for all } k",
    positive_definite,
)
