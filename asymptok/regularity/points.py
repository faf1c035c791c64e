"""What kind of singularity, if any, an expression has at a point: the two one-sided expansions decide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import sympy
from sympy import Expr, S, Symbol

from asymptok import dag
from asymptok.balls import ball
from asymptok.constants import decide
from asymptok.constants.exponents import Ranges, exponent_from_expr
from asymptok.errors import AsymptokError, ExpansionError, Obstruction, Undecided
from asymptok.expansion import Expansion, Term, leading_exponent, puiseux
from asymptok.expansion.obstruction import proved_of_whole
from asymptok.regularity.boxes import Parameters
from asymptok.regularity.domains import Requirement, requirements
from asymptok.symbols import u
from asymptok.truth import Truth

_ORDER = 6
#: the order to which a zero is looked for
_FAR = 8
#: larger constants are shown by their digits
_LARGEST_SHOWN = 40


@dataclass(frozen=True, slots=True)
class InteriorPoint:
    """A point u0 of (-1, 1) where kappa is not smooth.

    `location` is exact, or None if only the enclosure (two rationals) is known. With x = |u - u0|, kappa behaves
    like a smooth function plus right * x^nu for u > u0 and left * x^nu for u < u0 (times log(x)^log_power).
    """

    location: Expr | None
    enclosure: tuple[Expr, Expr]
    kind: str
    nu: Expr | None
    left: Expr | None
    right: Expr | None
    proved: bool
    reason: str
    log_power: int = 0
    #: proved not to be real, or to exceed all powers, on a side
    wild: bool = False

    def __str__(self) -> str:
        return f"{self.kind} at {self.place}: {self.reason}"

    @property
    def place(self) -> str:
        """Where it is, in words."""
        if self.location is None:
            return f"u = {sympy.N((self.enclosure[0] + self.enclosure[1]) / 2, 15)}..."
        return f"u = {self.location}"

    @property
    def bounded(self) -> Truth:
        """Whether kappa stays bounded next to the point."""
        if self.kind in ("kink", "jump"):
            return Truth.TRUE
        if not self.proved or self.nu is None or self.nu.is_negative is None:
            return Truth.UNKNOWN
        return Truth.of(not self.nu.is_negative and not (self.nu == 0 and self.log_power))

    @property
    def undefined(self) -> bool:
        """Whether kappa is no integrable real function next to the point, given that it is what `kind` says."""
        pole = self.nu is not None and bool((self.nu + 1).is_nonpositive)
        return self.wild or self.kind == "undefined/complex" or pole


def classify(
    expr: Expr, point: Expr, parameters: Mapping[Symbol, tuple[Expr, Expr]], order: int = _ORDER
) -> InteriorPoint:
    """What the expansions from both sides show at an exact point: a singularity, or nothing that is proved.

    >>> print(classify(sympy.Abs(u) ** 3, S.Zero, {}))
    kink at u = 0: the derivative of order 3 jumps, from -6 to 6
    """
    sides: dict[str, Expansion | ExpansionError] = {}
    for direction in ("+", "-"):
        try:
            sides[direction] = puiseux(expr, u, point, direction, order, parameters=parameters)
        except ExpansionError as error:
            sides[direction] = error
        except AsymptokError as error:
            return _point(point, "unknown", proved=False, reason=str(error))
    right, left = sides["+"], sides["-"]
    try:
        if isinstance(right, ExpansionError) or isinstance(left, ExpansionError):
            return _one_sided(expr, point, left, right, parameters)
        return _compare(point, left, right, parameters, order)
    except Undecided as error:
        return _point(point, "unknown", proved=False, reason=str(error))


def _one_sided(
    expr: Expr,
    point: Expr,
    left: Expansion | ExpansionError,
    right: Expansion | ExpansionError,
    parameters: Mapping[Symbol, tuple[Expr, Expr]],
) -> InteriorPoint:
    """No expansion from at least one side: a refutation if that is proved to be a fact about the function."""
    good = next((found for found in (right, left) if isinstance(found, Expansion)), None)
    first = None if good is None else _first_singular(good, parameters)
    nu, logs = (None, 0) if first is None else (first.exponent, first.log_power)
    errors = {side: e for side, e in (("-", left), ("+", right)) if isinstance(e, ExpansionError)}
    facts = {
        side: proved_of_whole(error, expr, point, side, parameters, leading_exponent)
        for side, error in errors.items()
    }
    reason = str(next(iter(errors.values())))
    not_real = [side for side, fact in facts.items() if fact is Obstruction.COMPLEX]
    if not_real:
        where = {"+": "the right", "-": "the left"}
        reason = f"no real value to {' and '.join(where[side] for side in not_real)}: {reason}"
    fact = Obstruction.COMPLEX if not_real else next(iter(facts.values()))
    # what oscillates may well be bounded, as u^2 sin(1/u) is
    waves = fact in (Obstruction.OSCILLATES, Obstruction.IRREGULAR)
    other = "oscillation" if waves else "undefined/complex"
    kind = other if nu is None else "branch point"
    found = _point(point, kind, nu, proved=fact is not Obstruction.METHOD, reason=reason, log_power=logs)
    return replace(found, wild=fact in (Obstruction.COMPLEX, Obstruction.GROWS))


def _compare(
    point: Expr,
    left: Expansion,
    right: Expansion,
    parameters: Mapping[Symbol, tuple[Expr, Expr]],
    order: int,
) -> InteriorPoint:
    try:
        singular = [term for side in (right, left) if (term := _first_singular(side, parameters)) is not None]
        smooth_left, smooth_right = _integer_terms(left), _integer_terms(right)
        # a pole comes before every jump
        infinite = any(term.exponent.is_negative for term in singular)
        jump = None if infinite else _first_mismatch(smooth_left, smooth_right, parameters, order)
    except AsymptokError as error:
        return _point(point, "unknown", proved=False, reason=str(error))
    try:
        lowest = _lowest(singular, parameters)
        leads = lowest is not None and (jump is None or _order(lowest.exponent, S(jump), parameters) <= 0)
    except Undecided as error:
        return _point(point, "unknown", proved=False, reason=str(error))
    if lowest is not None and leads:
        return _branch(point, lowest, _coefficient(left, lowest), _coefficient(right, lowest))
    if jump is not None:
        return _kink(point, jump, smooth_left.get(jump, S.Zero), smooth_right.get(jump, S.Zero))
    reason = f"the expansions from both sides agree to order {order}, but analyticity is not proved"
    return _point(point, "unknown", proved=False, reason=reason)


def _branch(point: Expr, term: Term, left: Expr, right: Expr) -> InteriorPoint:
    nu = term.exponent
    if nu.is_negative or (nu == 0 and term.log_power > 0):
        kind = "pole" if nu.is_integer and not term.log_power else "branch point"
        reason = f"unbounded like |u - u0|^({nu})"
    else:
        kind, reason = "branch point", f"|u - u0|^({nu})"
    reason += " log|u - u0|" if term.log_power else ""
    return _point(point, kind, nu, left, right, True, reason, term.log_power)


def _kink(point: Expr, order: int, left: Expr, right: Expr) -> InteriorPoint:
    if order == 0:
        reason = f"the value jumps from {_shown(left)} to {_shown(right)}"
        return _point(point, "jump", S.Zero, left, right, True, reason)
    factor = sympy.factorial(order)
    slopes = _shown(left * factor * (-1) ** order), _shown(right * factor)
    reason = f"the derivative of order {order} jumps, from {slopes[0]} to {slopes[1]}"
    return _point(point, "kink", sympy.Integer(order), left, right, True, reason)


def _is_zero(value: Expr, parameters: Parameters, what: str = "whether a coefficient vanishes") -> bool:
    zero = Truth.TRUE if value == 0 else decide.is_zero(value, parameters)
    if zero is Truth.UNKNOWN:
        raise Undecided(what, value)
    return zero is Truth.TRUE


def _shown(value: Expr) -> str:
    """The number as written, or its digits where SymPy would take seconds to write it."""
    if dag.tree_size(value) <= _LARGEST_SHOWN or dag.free_symbols(value):
        return str(value)
    return str(ball(value, prec=128).str(12, radius=False)) + "..."


def _point(
    location: Expr, kind: str, nu: Expr | None = None, left: Expr | None = None, right: Expr | None = None,
    proved: bool = False, reason: str = "", log_power: int = 0,
) -> InteriorPoint:  # fmt: skip
    return InteriorPoint(location, (location, location), kind, nu, left, right, proved, reason, log_power)


def _first_singular(side: Expansion, parameters: Parameters) -> Term | None:
    """The first term that no function smooth at the point has; a negative power counts."""

    return side.first(lambda term: _is_singular(term, parameters))


def _is_singular(term: Term, parameters: Parameters) -> bool:
    if term.log_power:
        return True
    whole = decide.whole(term.exponent, parameters)
    if whole is Truth.UNKNOWN:
        raise Undecided(
            f"whether the exponent {term.exponent} is an integer depends on its value", term.exponent
        )
    return whole is Truth.FALSE or bool(term.exponent.is_negative)


def _integer_terms(side: Expansion) -> dict[int, Expr]:
    return {
        int(term.exponent): term.coefficient
        for term in side.terms
        if term.exponent.is_Integer and term.exponent >= 0 and not term.log_power
    }


def _first_mismatch(
    left: dict[int, Expr], right: dict[int, Expr], parameters: Parameters, order: int
) -> int | None:
    for j in range(order + 1):
        difference = right.get(j, S.Zero) - (-1) ** j * left.get(j, S.Zero)
        if not _is_zero(
            difference, parameters, f"whether the derivatives of order {j} from both sides agree"
        ):
            return j
    return None


def _coefficient(side: Expansion, like: Term) -> Expr:
    for term in side.terms:
        if term.exponent == like.exponent and term.log_power == like.log_power:
            return term.coefficient
    return S.Zero


def _lowest(terms: list[Term], parameters: Parameters) -> Term | None:
    """The term that dominates for all values of the parameters."""
    best: Term | None = None
    for term in terms:
        order = -1 if best is None else _order(term.exponent, best.exponent, parameters)
        if best is None or order < 0 or (order == 0 and term.log_power > best.log_power):
            best = term
    return best


def _order(a: Expr, b: Expr, parameters: Parameters) -> int:
    ranges = Ranges(dict(parameters))
    found = ranges.sign(*exponent_from_expr(a - b))
    if not found.known:
        raise ranges.undecided_order(exponent_from_expr(a), exponent_from_expr(b))
    return found.number


# ------------------------------------------------------------------------------------- analyticity


_ANALYTIC, _MEROMORPHIC, _OTHER = range(3)


def analytic_at(
    expr: Expr, point: Expr, parameters: Mapping[Symbol, tuple[Expr, Expr]], sides: str = "+-"
) -> bool:
    """Whether `expr` is proved analytic at the point, removable singularities included.

    With one side only ("-" at u = 1) the question is whether it agrees there with an analytic function.

    Sums, products and whole powers of meromorphic functions are meromorphic, and a meromorphic function without a
    negative power in its expansion is analytic. An even power |x|^(2m) of the distance is analytic as well.

    >>> analytic_at(sympy.sin(u)/u, S.Zero, {}), analytic_at(sympy.sin(u)/u**2, S.Zero, {})
    (True, False)
    """
    grade: dict[Expr, int] = {}
    for node in dag.postorder(expr):
        if not isinstance(node, Expr):
            grade[node] = _OTHER
            continue
        worst = max((grade[a] for a in node.args), default=_ANALYTIC)
        if node == u or not node.args or not node.has(u):
            grade[node] = _ANALYTIC
        elif worst == _OTHER:
            grade[node] = _OTHER
        elif node.is_Add or node.is_Mul or (node.is_Pow and node.exp.is_Integer):
            grade[node] = _algebraic(node, worst, point, parameters, sides)
        elif worst == _MEROMORPHIC:
            grade[node] = _OTHER
        else:
            grade[node] = _ANALYTIC if _function_is_analytic(node, point, parameters, sides) else _OTHER
    return grade[expr] == _ANALYTIC


def _algebraic(node: Expr, worst: int, point: Expr, parameters: Parameters, sides: str) -> int:
    if worst == _ANALYTIC and not (node.is_Pow and node.exp.is_negative):
        return _ANALYTIC
    exponent = leading_exponent(node, point, parameters, sides[0])
    return _MEROMORPHIC if exponent is None or exponent.is_negative is not False else _ANALYTIC


def _function_is_analytic(node: Expr, point: Expr, parameters: Parameters, sides: str) -> bool:
    wanted = requirements(node)
    if wanted is None:
        return False
    return all(
        _holds_at(r, point, parameters, sides) or _even_power(r, point, parameters, sides) for r in wanted
    )


def _holds_at(requirement: Requirement, point: Expr, parameters: Parameters, sides: str) -> bool:
    value = dag.value_at(requirement.g, u, point)
    if value is None:
        value = _limit(requirement.g, point, parameters, sides[0])
    if value is None:
        return False
    if requirement.relation == "> 0":
        return decide.sign(value, parameters).positive
    return decide.is_zero(value, parameters) is Truth.FALSE


def _limit(g: Expr, point: Expr, parameters: Parameters, side: str) -> Expr | None:
    """The value at a point where a singularity is removed; g is analytic there."""
    try:
        found = puiseux(g, u, point, side, 0, parameters=parameters)
    except AsymptokError:
        return None
    if any(term.exponent != 0 or term.log_power for term in found.terms):
        return None
    return sum((term.coefficient for term in found.terms), S.Zero)


def _even_power(requirement: Requirement, point: Expr, parameters: Parameters, sides: str) -> bool:
    """g^e with g of order m: |x|^(m e) times an analytic function, so m e must be even, or whole from one side."""
    node: Expr = requirement.node
    if not (node.is_Pow or node.func is sympy.Abs):
        return False
    found = [_lead(requirement.g, point, parameters, side) for side in sides]
    leads = [lead for lead in found if lead is not None]
    if len(leads) < len(sides):
        return False
    order = leads[0].exponent
    if not order.is_Integer or order <= 0:
        return False
    both = len(sides) == 2
    power = order * (node.exp if node.is_Pow else S.One)
    if not (power.is_Integer and power >= 0) or (both and (order % 2 or power % 2)):
        return False
    positive = all(decide.sign(lead.coefficient, parameters).positive for lead in leads)
    return node.func is sympy.Abs or positive


def _lead(g: Expr, point: Expr, parameters: Parameters, side: str) -> Term | None:
    """The leading term, looked for in two steps."""
    for order in (2, _FAR):
        try:
            first = puiseux(g, u, point, side, order, parameters=parameters).first()
        except AsymptokError:
            return None
        if first is not None:
            return first
    return None
