"""The spaces of two kernels compared by their laws: for all values of parameters, every depth and every dimension.

With Taylor coefficients b_n >= 0 at 0, mu_k > 0 unless b_n = 0 for all n >= k of its parity. So a parity whose law is a
power of k has no mu_k = 0, and one whose part is a polynomial of degree m has mu_k > 0 for k <= m only: the laws alone
say when mu_k/mu'_k is bounded. They give no constants.
"""

from __future__ import annotations

from dataclasses import dataclass

from sympy import And, Eq, Expr, Ge, Gt, Le, Lt, Poly, S, Symbol, false, true
from sympy.logic.boolalg import Boolean

from asymptok.constants import decide
from asymptok.constants.exponents import Ranges, exponent_from_expr
from asymptok.errors import AsymptokError
from asymptok.kernels.kernel import Kernel
from asymptok.laws.derive import decay
from asymptok.laws.parity import parity_part
from asymptok.laws.results import Decay, ParityDecay
from asymptok.laws.taylor_signs import positive_series
from asymptok.parameters import Range, common_range
from asymptok.proofs.compared import Question
from asymptok.symbols import u
from asymptok.truth import Sign

__all__ = ["ByLaws", "compare_laws"]


@dataclass(frozen=True)
class ByLaws:
    """The condition on the parameters under which the answer is yes, None where it is open; and the reason."""

    condition: Boolean | None
    reason: str

    @property
    def same(self) -> bool | None:
        return {true: True, false: False}.get(self.condition)


def compare_laws(first: Kernel, second: Kernel, question: Question) -> ByLaws:
    """Whether mu_k <= C mu'_k for all k (and the other way round), in every dimension d >= 3.

    >>> from asymptok import kernels
    >>> compare_laws(kernels.laplace("c"), kernels.laplace("b"), Question.SAME).condition
    True
    """
    laws: list[Decay] = []
    for name, kernel in (("first", first), ("second", second)):
        try:
            law = decay(kernel)
        except AsymptokError as error:
            return ByLaws(None, f"no single law of the {name} kernel is known: {error}")
        if law.assumes:
            return ByLaws(None, f"the law of the {name} kernel assumes {law.assumes[0]}")
        if positive_series(kernel) is None:
            return ByLaws(None, f"the {name} kernel is not shown to be positive definite in every dimension")
        leads = [side.lead for side in (law.even, law.odd) if side.kind == "algebraic"]
        if any(lead is None or not _sign(lead.nu, kernel.parameters).positive for lead in leads):
            return ByLaws(None, f"the {name} kernel is not shown to be bounded at u = 1, and to have an RKHS")
        laws.append(law)
    names = {s.name for k in (first, second) for s in k.parameters}
    ranges = {
        s: common_range(
            s.name, [b for k in (first, second) for x, b in k.parameters.items() if x.name == s.name]
        )
        for k in (first, second)
        for s in k.parameters
    }
    if len(ranges) > len(names):
        return ByLaws(None, "a parameter has other assumptions in the one kernel than in the other")
    one, other = laws
    sides = ((one.even, other.even), (one.odd, other.odd))
    parts = [_parity(mine, theirs, ranges, question) for mine, theirs in sides]
    for part in parts:
        if part.condition is false:
            return part
    for part in parts:
        if part.condition is None:
            return part
    reasons = {part.reason for part in parts}
    ground = "both have Taylor coefficients >= 0 at 0, and so no mu_k < 0"
    return ByLaws(And(*[p.condition for p in parts]), "; ".join([*sorted(reasons), ground]))


def _parity(
    first: ParityDecay, second: ParityDecay, ranges: dict[Symbol, Range], question: Question
) -> ByLaws:
    name, both = first.parity, question is Question.SAME
    kinds = (first.kind, second.kind)
    if set(kinds) - {"algebraic", "zero"}:
        return _beside_powers(first, second, question)
    if first.zero_from is not None and second.zero_from is not None:
        if not (_is_tight(first) and _is_tight(second)):
            return ByLaws(None, f"the degree of the {name} part depends on the parameters")
        contained = first.zero_from == second.zero_from if both else first.zero_from <= second.zero_from
        return ByLaws(
            S(contained),
            f"the {name} eigenvalues vanish from k = {first.zero_from} and {second.zero_from} on",
        )
    if second.zero_from is not None or (both and first.zero_from is not None):
        which, start = (
            ("second", second.zero_from) if second.zero_from is not None else ("first", first.zero_from)
        )
        return ByLaws(false, f"the {name} eigenvalues vanish from k = {start} on for the {which} kernel only")
    if first.zero_from is not None:
        return ByLaws(
            true, f"the {name} eigenvalues of the first kernel vanish from k = {first.zero_from} on"
        )
    assert first.lead is not None and second.lead is not None
    gap = (first.lead.nu - second.lead.nu).expand()
    logs = first.log_power - second.log_power
    level = logs == 0 if both else logs <= 0
    sign = _sign(gap, ranges)
    rates = f"the {name} eigenvalues decay like k^(-d-2nu+1) with nu = {first.lead.nu} and {second.lead.nu}"
    if sign.known:
        holds = level if sign.zero else not both and sign.positive
        return ByLaws(S(bool(holds)), rates)
    if both:
        return ByLaws(_solved(gap, Eq, Eq) if level else false, rates)
    return ByLaws(_solved(gap, Ge, Le) if level else _solved(gap, Gt, Lt), rates)


def _solved(gap: Expr, above: type[Boolean], below: type[Boolean]) -> Boolean:
    """gap >= 0, or the like, as a bound of the first parameter in it."""
    symbol = min(gap.free_symbols, key=lambda s: s.name)
    slope = gap.coeff(symbol)
    rest = gap - slope * symbol
    if not slope.is_Rational or symbol in rest.free_symbols:
        return above(gap, 0)
    return (above if slope > 0 else below)(symbol, -rest / slope)


def _is_tight(law: ParityDecay) -> bool:
    """Whether mu_k > 0 at the degree of the polynomial, for all values of the parameters."""
    kernel = law.kernel
    if kernel is None or not kernel.parameters:
        return True
    part = parity_part(kernel.expr, law.sign)
    if not part.is_polynomial(u):
        return False
    return part == 0 or decide.sign(Poly(part, u).LC(), kernel.parameters).nonzero


def _beside_powers(first: ParityDecay, second: ParityDecay, question: Question) -> ByLaws:
    """One of the two falls faster than every power of k, or both."""
    fast = [side.kind in ("geometric", "superpolynomial") for side in (first, second)]
    name = first.parity
    if all(fast) or "oscillatory" in (first.kind, second.kind) or "zero" in (first.kind, second.kind):
        return ByLaws(
            None, f"the laws of the {name} eigenvalues, {first.kind} and {second.kind}, do not settle it"
        )
    which = "first" if fast[0] else "second"
    reason = f"the {name} eigenvalues of the {which} kernel fall faster than any power"
    return ByLaws(S(fast[0] and question is Question.EMBEDS), reason)


def _sign(value: Expr, ranges: dict[Symbol, Range]) -> Sign:
    return Ranges(ranges).sign(*exponent_from_expr(value))
