"""The hypotheses of the decay theorem, each as a procedure that proves, refutes, or says what is missing."""

from __future__ import annotations

from sympy import Expr, S, ceiling, sstr

from asymptok import dag
from asymptok.constants.normal_form import shortest
from asymptok.errors import AsymptokError
from asymptok.expansion import Expansion, expand
from asymptok.laws.flatness import flat_at_both_ends
from asymptok.parameters import conditions
from asymptok.regularity.domains import short
from asymptok.show.expansion import expansion_text, leading_terms
from asymptok.show.naming import definitions, named, names_in
from asymptok.theorems.case import Case
from asymptok.theorems.theorem import Hypothesis, Verdict
from asymptok.truth import PROVED, REFUTED, UNKNOWN, Truth

#: characters of an expansion that evidence quotes, and of a coefficient before a name stands for it
_QUOTED, _LONGEST = 400, 150


def _told(expansion: Expansion) -> str:
    """The expansion up to its first term that is no polynomial."""
    return short(
        expansion_text(expansion, count=leading_terms(expansion), longest=_LONGEST),
        _QUOTED,
    )


def _smooth(case: Case) -> Verdict:
    found = case.singularities
    return Verdict(found.status, found.evidence)


def _expansion_at(at: int) -> Hypothesis:
    argument = "1 - t" if at == 1 else "-1 + t"

    def decide(case: Case) -> Verdict:
        found = case.end(at)
        if isinstance(found, AsymptokError):
            return Verdict(REFUTED if case.refutes(at) else UNKNOWN, str(found))
        if found.nu is None:
            # the coefficients of a long polynomial are long, and nobody reads them
            short_one = found if found.order <= 1 else expand(case.kernel, at, 1)
            return _polynomial_so_far(case, at, found, f"kappa({argument}) = {_told(short_one)}")
        text = _told(found)
        leading = _is_leading(case, found) if found.log_power else Truth.FALSE
        if leading is not Truth.FALSE:
            term = f"the first term that is no polynomial is t^({sstr(found.nu)}){log_text(found.log_power)}"
            if leading is Truth.UNKNOWN:
                return Verdict(UNKNOWN, f"kappa({argument}) = {text}: {term}, and nu is not decided")
            return Verdict(REFUTED, f"kappa({argument}) = {text}: {term}, which is no c t^nu")
        return Verdict(PROVED, f"kappa({argument}) = {text}")

    return Hypothesis(
        f"expansion at {at:+d}",
        f"kappa({argument}) = p(t) + c t^nu + o(t^nu) with a polynomial p",
        rf"\kappa({argument}) = p_{{{at}}}(t) + c_{{{at}}} t^\nu + o(t^\nu)",
        decide,
    )


def _polynomial_so_far(case: Case, at: int, found: Expansion, text: str) -> Verdict:
    """No term but powers t^n up to the order: c = 0 for every nu below it, and nothing is known of a nu beyond it."""
    so_far = f"{text}: polynomial up to t^{found.order}"
    try:
        lead = case.lead
        if lead is not None and case.order(lead[0], S(found.order)) > 0:
            return Verdict(UNKNOWN, f"{so_far}, and nu = {sstr(lead[0])} is larger")
    except AsymptokError:
        if not case.refutes(-at):  # an end without any nu leaves this one the choice of it
            return Verdict(UNKNOWN, f"{so_far}, and nu, which is that of the other end, is not decided")
    return Verdict(PROVED, f"{so_far}, so the coefficient of t^nu is 0")


def _is_leading(case: Case, found: Expansion) -> Truth:
    """Whether the leading term of an end is the leading term of both; unknown while the other end is."""
    try:
        lead = case.lead
    except AsymptokError:
        return Truth.UNKNOWN
    return Truth.of(lead is not None and found.nu is not None and case.order(found.nu, lead[0]) <= 0)


def log_text(power: int) -> str:
    """log t, (log t)^2, ..."""
    return "" if not power else (" log t" if power == 1 else f" (log t)^{power}")


def _same_nu(case: Case) -> Verdict:
    try:
        lead = case.lead
    except AsymptokError as error:
        return _without_expansion(case, error)
    if lead is None:
        return _no_singular_term(case)
    nu = lead[0]
    parts = []
    for at in (1, -1):
        found = case.end(at)
        assert isinstance(found, Expansion)  # an error would have been raised by case.lead
        if found.nu == nu:
            parts.append(f"t^({sstr(nu)}) at {at:+d}")
        else:
            shown = (
                "no non-polynomial term" if found.nu is None else f"t^({sstr(found.nu)}) = o(t^({sstr(nu)}))"
            )
            parts.append(f"{shown} at {at:+d}, so the coefficient of t^nu there is 0")
    return Verdict(PROVED, f"nu = {sstr(nu)}: " + "; ".join(parts))


def _without_expansion(case: Case, error: AsymptokError) -> Verdict:
    """What hangs on the two expansions falls with them."""
    for at in (1, -1):
        if case.refutes(at):
            return Verdict(REFUTED, f"there is no expansion at {at:+d}")
    return Verdict(UNKNOWN, str(error))


def _no_singular_term(case: Case) -> Verdict:
    if case.singularities.smooth is not Truth.TRUE and flat_at_both_ends(case.kernel):
        return Verdict(REFUTED, "kappa is smooth at both ends: there is no non-polynomial term")
    if case.singularities.analytic is Truth.TRUE:
        return Verdict(
            REFUTED,
            "kappa is analytic on [-1, 1]: there is no non-polynomial term, and the clause for smooth kernels applies",
        )
    if flat_at_both_ends(case.kernel):
        return Verdict(
            REFUTED,
            "kappa is C-infinity up to both ends: no non-polynomial term, and the clause for smooth kernels applies",
        )
    return Verdict(UNKNOWN, "no non-polynomial term was found up to the order of the expansions")


def _admissible(case: Case) -> Verdict:
    try:
        lead = case.lead
    except AsymptokError as error:
        return _without_expansion(case, error)
    if lead is None:
        return Verdict(_no_singular_term(case).status, "there is no nu")
    nu, log_power = lead
    if log_power:
        told = f"the leading non-polynomial term is t^({sstr(nu)}){log_text(log_power)}, not a pure power"
        return Verdict(REFUTED, told)
    whole = case.is_integer(nu)
    if whole is Truth.TRUE:
        return Verdict(REFUTED, f"nu = {sstr(nu)} is an integer")
    sign = case.sign(nu)
    if not sign.known or whole is Truth.UNKNOWN:
        return Verdict(
            UNKNOWN, f"nu = {sstr(nu)} may be an integer: give a range of the parameters without one"
        )
    if sign.nonpositive:
        return Verdict(REFUTED, f"nu = {sstr(nu)} is not positive")
    return Verdict(PROVED, f"nu = {sstr(nu)}" + _range_text(case, nu))


def _range_text(case: Case, nu: Expr) -> str:
    ranges = conditions({s: bounds for s, bounds in case.kernel.parameters.items() if nu.has(s)})
    return f" for {ranges}" if ranges else ""


def _coefficients(case: Case) -> Verdict:
    """Which of c_1 + c_-1 and c_1 - c_-1 vanish, and with that the parities whose rate the theorem gives."""
    try:
        if case.lead is None:
            return Verdict(_no_singular_term(case).status, "there is no nu and so there are no coefficients")
        plus, minus = case.coefficient(1), case.coefficient(-1)
    except AsymptokError as error:
        return _without_expansion(case, error)
    shown = [named(shortest(dag.plain(c))) for c in (plus, minus)]
    names = "".join(f", {line.text()}" for line in definitions(names_in(*shown)))
    parts = [f"c_1 = {short(shown[0])}, c_-1 = {short(shown[1])}{names}"]
    status = PROVED
    follows = _law_follows(case)
    for parity, total, text in (("even", plus + minus, "c_1 + c_-1"), ("odd", plus - minus, "c_1 - c_-1")):
        zero = case.is_zero(total)
        if zero is Truth.UNKNOWN:
            status = UNKNOWN
            parts.append(f"whether {text} = 0 is not decided")
        elif not follows:  # no law hangs on them unless the rest of the theorem is proved
            parts.append(f"{text} {'=' if zero is Truth.TRUE else '!='} 0")
        elif zero is Truth.FALSE:
            parts.append(f"{text} != 0: mu_k ~ ({text}) C(d, nu) k^(-d-2nu+1) for {parity} k")
        else:
            parts.append(f"{text} = 0: mu_k = o(k^(-d-2nu+1)) for {parity} k")
    return Verdict(status, "; ".join(parts))


def _law_follows(case: Case) -> bool:
    """Whether everything else that the theorem asks for is proved, so that its conclusion may be stated."""
    others = (SMOOTH, EXPANSION_RIGHT, EXPANSION_LEFT, SAME_NU, ADMISSIBLE, DERIVATIVES)
    return all(hypothesis.decide(case).status == PROVED for hypothesis in others)


def _derivatives(case: Case) -> Verdict:
    """Termwise differentiation: the expansion holds in a sector around t > 0, and Cauchy's estimate does the rest."""
    for at in (1, -1):
        found = case.end(at)
        if isinstance(found, AsymptokError):
            status = REFUTED if case.refutes(at) else UNKNOWN
            return Verdict(status, f"there is no expansion at {at:+d} to differentiate: {found}")
    return Verdict(
        PROVED,
        "next to each end kappa is built of functions analytic in a sector around t > 0, where the expansion holds "
        "uniformly; by Cauchy's estimate on discs of radius proportional to t every derivative has the expansion "
        "differentiated term by term (docs/conditions.md, Derivatives of all orders)",
    )


SMOOTH = Hypothesis(
    "smooth inside", "kappa is C-infinity on (-1, 1)", r"\kappa \in C^\infty((-1,1))", _smooth
)
EXPANSION_RIGHT = _expansion_at(1)
EXPANSION_LEFT = _expansion_at(-1)
SAME_NU = Hypothesis(
    "same nu",
    "the same exponent nu serves both ends (a coefficient may be 0)",
    r"\nu_{1} = \nu_{-1} = \nu",
    _same_nu,
)
ADMISSIBLE = Hypothesis(
    "nu not an integer",
    "nu > 0 is not an integer, and no logarithm comes with t^nu",
    r"0 < \nu \notin \mathbb{Z}",
    _admissible,
)
COEFFICIENTS = Hypothesis(
    "coefficients",
    "c_1 and c_-1 are known well enough to tell the parities apart",
    r"c_1 \ne -c_{-1} \text{ (even } k),\quad c_1 \ne c_{-1} \text{ (odd } k)",
    _coefficients,
)
DERIVATIVES = Hypothesis(
    "derivatives",
    "the derivatives of all orders have the expansions obtained by termwise differentiation",
    r"\kappa^{(j)}(\pm(1-t)) \text{ has the expansion differentiated termwise, } j \ge 1",
    _derivatives,
)

# the theorem for logarithms (docs/spectrum.md, Theorem 2) ---------------------------------------------------


def _series_at(at: int) -> Hypothesis:
    argument = "1 - t" if at == 1 else "-1 + t"

    def decide(case: Case) -> Verdict:
        found = case.end(at)
        if isinstance(found, AsymptokError):
            return Verdict(REFUTED if case.refutes(at) else UNKNOWN, str(found))
        lead = case.lead
        if lead is not None:
            if not lead[0].is_number:
                return Verdict(UNKNOWN, f"the order that nu = {sstr(lead[0])} asks for has no number")
            # every term up to the order is there, so that the remainder is O(t^r) with r > nu + 1
            found = expand(case.kernel, at, max(int(found.order), int(ceiling(lead[0])) + 1))
        return Verdict(PROVED, f"kappa({argument}) = {_told(found)}")

    return Hypothesis(
        f"series at {at:+d}",
        f"kappa({argument}) is a finite sum of terms t^e (log t)^j plus O(t^r), r > nu + 1 for the leading exponent nu",
        rf"\kappa({argument}) = \sum_i c_i t^{{e_i}} (\log t)^{{j_i}} + O(t^r)",
        decide,
    )


def _logarithm(case: Case) -> Verdict:
    try:
        lead = case.lead
    except AsymptokError as error:
        return _without_expansion(case, error)
    if lead is None:
        return Verdict(_no_singular_term(case).status, "there is no non-polynomial term")
    nu, log_power = lead
    term = f"t^({sstr(nu)}){log_text(log_power)}"
    if not log_power:
        return Verdict(REFUTED, f"the leading non-polynomial term is {term}, without a logarithm")
    if not case.sign(nu).positive:
        return Verdict(UNKNOWN, f"nu = {sstr(nu)} is not known to be positive")
    if case.is_integer(nu) is Truth.UNKNOWN:
        return Verdict(
            UNKNOWN, f"nu = {sstr(nu)} may be an integer: give a range of the parameters without one"
        )
    return Verdict(PROVED, f"the leading non-polynomial term is {term}")


def _parities(case: Case) -> Verdict:
    try:
        if case.lead is None:
            return Verdict(_no_singular_term(case).status, "there is no non-polynomial term")
        plus, minus = case.coefficient(1), case.coefficient(-1)
    except AsymptokError as error:
        return _without_expansion(case, error)
    parts = [f"a_1 = {short(shortest(dag.plain(plus)))}, a_-1 = {short(shortest(dag.plain(minus)))}"]
    status = PROVED
    for parity, total, text in (("even", plus + minus, "a_1 + a_-1"), ("odd", plus - minus, "a_1 - a_-1")):
        zero = case.is_zero(total)
        if zero is Truth.UNKNOWN:
            status = UNKNOWN
        sign = {Truth.TRUE: "= 0", Truth.FALSE: "!= 0", Truth.UNKNOWN: "may be 0"}[zero]
        parts.append(f"{text} {sign} ({parity} k)")
    return Verdict(status, "; ".join(parts))


SERIES_RIGHT = _series_at(1)
SERIES_LEFT = _series_at(-1)
LOGARITHM = Hypothesis(
    "logarithm",
    "the leading non-polynomial term over both ends is t^nu (log t)^j with j >= 1 and nu > 0, whole or not",
    r"t^\nu (\log t)^j,\; j \ge 1,\; \nu > 0",
    _logarithm,
)
PARITIES = Hypothesis(
    "coefficients",
    "its coefficients a_1 and a_-1 are known well enough to tell the parities apart",
    r"a_1 \ne -a_{-1} \text{ (even } k),\quad a_1 \ne a_{-1} \text{ (odd } k)",
    _parities,
)

__all__ = [
    "ADMISSIBLE",
    "COEFFICIENTS",
    "DERIVATIVES",
    "EXPANSION_LEFT",
    "EXPANSION_RIGHT",
    "LOGARITHM",
    "PARITIES",
    "SAME_NU",
    "SERIES_LEFT",
    "SERIES_RIGHT",
    "SMOOTH",
]
