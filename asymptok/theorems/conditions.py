"""The hypotheses of the decay theorem, each as a procedure that proves, refutes, or says what is missing."""

from __future__ import annotations

from sympy import Expr, sstr

from asymptok.asymptotics.flatness import flat_at_both_ends
from asymptok.errors import AsymptokError
from asymptok.expansion import Expansion
from asymptok.singularities.domains import short
from asymptok.theorems.case import Case
from asymptok.theorems.theorem import PROVED, REFUTED, UNKNOWN, Hypothesis, Verdict
from asymptok.truth import Truth


def _smooth(case: Case) -> Verdict:
    found = case.singularities
    return Verdict(found.status, found.evidence)


def _expansion_at(at: int) -> Hypothesis:
    argument = "1 - t" if at == 1 else "-1 + t"

    def decide(case: Case) -> Verdict:
        found = case.end(at)
        if isinstance(found, AsymptokError):
            return Verdict(REFUTED if case.refutes(at) else UNKNOWN, str(found))
        text = short(str(found), 300)
        if found.nu is None:
            return Verdict(
                PROVED, f"{text}: polynomial up to t^{found.order}, so the coefficient of t^nu is 0"
            )
        return Verdict(PROVED, f"kappa({argument}) = {text}")

    return Hypothesis(
        f"expansion at {at:+d}",
        f"kappa({argument}) = p(t) + c t^nu + o(t^nu) with a polynomial p",
        rf"\kappa({argument}) = p_{{{at}}}(t) + c_{{{at}}} t^\nu + o(t^\nu)",
        decide,
    )


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
        power = f" (log t)^{log_power}" if log_power > 1 else " log t"
        return Verdict(REFUTED, f"the leading non-polynomial term is t^({sstr(nu)}){power}, not a pure power")
    whole = case.is_integer(nu)
    if whole is Truth.TRUE:
        return Verdict(REFUTED, f"nu = {sstr(nu)} is an integer")
    sign = case.sign(nu)
    if sign is None or whole is Truth.UNKNOWN:
        return Verdict(
            UNKNOWN, f"nu = {sstr(nu)} may be an integer: give a range of the parameters without one"
        )
    if sign <= 0:
        return Verdict(REFUTED, f"nu = {sstr(nu)} is not positive")
    return Verdict(PROVED, f"nu = {sstr(nu)}" + _range_text(case, nu))


def _range_text(case: Case, nu: Expr) -> str:
    ranges = [f"{low} < {s} < {high}" for s, (low, high) in case.kernel.parameters.items() if nu.has(s)]
    return f" for {', '.join(ranges)}" if ranges else ""


def _coefficients(case: Case) -> Verdict:
    """Which of c_1 + c_-1 and c_1 - c_-1 vanish, and with that the parities whose rate the theorem gives."""
    try:
        if case.lead is None:
            return Verdict(_no_singular_term(case).status, "there is no nu and so there are no coefficients")
        plus, minus = case.coefficient(1), case.coefficient(-1)
    except AsymptokError as error:
        return _without_expansion(case, error)
    parts = [f"c_1 = {short(plus)}, c_-1 = {short(minus)}"]
    status = PROVED
    pure = not case.lead[1] and case.is_integer(case.lead[0]) is Truth.FALSE
    for parity, total, text in (("even", plus + minus, "c_1 + c_-1"), ("odd", plus - minus, "c_1 - c_-1")):
        zero = case.is_zero(total)
        if zero is Truth.UNKNOWN:
            status = UNKNOWN
            parts.append(f"whether {text} = 0 is not decided")
        elif not pure:  # no law hangs on them if nu is not admissible
            parts.append(f"{text} {'=' if zero is Truth.TRUE else '!='} 0")
        elif zero is Truth.FALSE:
            parts.append(f"{text} != 0: mu_k ~ ({text}) C(d, nu) k^(-d-2nu+1) for {parity} k")
        else:
            parts.append(f"{text} = 0: mu_k = o(k^(-d-2nu+1)) for {parity} k")
    return Verdict(status, "; ".join(parts))


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

__all__ = [
    "ADMISSIBLE",
    "COEFFICIENTS",
    "DERIVATIVES",
    "EXPANSION_LEFT",
    "EXPANSION_RIGHT",
    "SAME_NU",
    "SMOOTH",
]
