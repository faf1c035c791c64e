"""Where a kernel fails to be smooth, inside (-1, 1) and in the complex plane around it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

import sympy
from sympy import Expr, Poly, PolynomialError, Rational, S, Symbol, oo

from asymptok import dag
from asymptok.balls import ball
from asymptok.errors import AsymptokError, ExpansionError, Obstruction
from asymptok.expansion import expand
from asymptok.kernels.kernel import Kernel, as_kernel
from asymptok.patience import Portion, cuts, remembered
from asymptok.regularity.bernstein import Ellipse, is_entire, largest_ellipse
from asymptok.regularity.boxes import Boxes, Parameters
from asymptok.regularity.choices import decided
from asymptok.regularity.cover import Cover, Reason, cover
from asymptok.regularity.domains import short
from asymptok.regularity.enclosure import Enclosure
from asymptok.regularity.flat import flat_part_is_there
from asymptok.regularity.identities import entire_form, simplified
from asymptok.regularity.intervals import CLOSED, OPEN, Interval, end_ball
from asymptok.regularity.local import is_analytic
from asymptok.regularity.parametric import ParametricProof, prove_with_parameters
from asymptok.regularity.points import InteriorPoint
from asymptok.regularity.ranges import by_ranges
from asymptok.show.preformatted import Prose
from asymptok.symbols import u
from asymptok.truth import Truth

#: rounds of rewriting
_STEPS = 3
#: shares of the time for a question: all that concerns (-1, 1), each step of it, and what is asked once that is settled
_INSIDE, _STEP, _AFTER = 0.8, 0.7, 0.2
#: how far from an end a box is tried, and case distinctions are looked at
_NEXT_TO = Rational(1, 64)


class Evidence(Enum):
    """How much is known about smoothness inside."""

    PROVED = "proved"
    REFUTED = "refuted"
    #: nothing speaks against it at sample points, and a function is not known well enough for a proof
    SUPPORTED = "supported"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Singularities(Prose):
    """What is known about the singular points of kappa.

    `smooth`: is kappa C-infinity on (-1, 1)?  `analytic`: is it analytic on [-1, 1]?  Both are three-valued; TRUE
    and FALSE are proved. `interior` lists the points found where it is not smooth; if `complete`, kappa is analytic
    everywhere else in (-1, 1). For an analytic kernel `rho` is the sum of the semi-axes of the largest ellipse with
    foci -1 and 1 to which kappa continues (oo if entire). `cover` holds the pieces of the proof, `form` the expression
    to which identities lead, and `end` a term at an end that no analytic function has.

    >>> s = analyse("asin(2*u/3)")
    >>> s.smooth, s.analytic, s.rho
    (TRUE, TRUE, sqrt(5)/2 + 3/2)
    >>> print(*analyse("abs(u - 1/3)").interior)
    kink at u = 1/3: the derivative of order 1 jumps, from -1 to 1
    """

    kernel: Kernel
    smooth: Truth
    evidence: str
    interior: tuple[InteriorPoint, ...]
    analytic: Truth
    degree: int | None
    entire: Truth
    ellipse: Ellipse
    grade: Evidence
    complete: bool = False
    cover: Cover | None = None
    form: Expr | None = None
    end: InteriorPoint | None = None
    #: whether a search was cut off: what is unknown may be known with more time
    cut: bool = False

    def __str__(self) -> str:
        rows = [
            ("smooth inside", f"{self.status}: {self.evidence}"),
            ("analytic", self.analytic.name.lower()),
        ]
        rows += [("not smooth", str(point)) for point in self.interior]
        if self.degree is not None:
            rows.append(("polynomial", f"of degree {self.degree}"))
        elif self.rho is not None:
            points = f", from {', '.join(map(str, self.nearest))}" if self.nearest else ""
            rows.append(("rho", f"{self.rho}{points}"))
        width = max(len(name) for name, _ in rows)
        lines = [f"singularities of {self.kernel}", *(f"{name:{width}s}  {text}" for name, text in rows)]
        return "\n".join(lines)

    @property
    def status(self) -> str:
        """proved, refuted, supported (nothing speaks against it at sample points) or unknown, on smoothness inside."""
        return self.grade.value

    @property
    def polynomial(self) -> bool:
        return self.degree is not None

    @property
    def rho(self) -> Expr | None:
        """Sum of semi-axes of the largest ellipse of analyticity; None if kappa is not analytic or rho is not known."""
        return self.ellipse.rho

    @property
    def nearest(self) -> tuple[Expr, ...]:
        """The complex singular points on that ellipse."""
        return self.ellipse.nearest


def analyse(kernel: Kernel | Expr | str) -> Singularities:
    """The singularities of a kernel inside (-1, 1) and nearest to [-1, 1] in the complex plane.

    >>> analyse("1/(1 + u**2)").rho
    1 + sqrt(2)
    """
    kernel = as_kernel(kernel)
    return _analyse(kernel, tuple(kernel.parameters.items()))


@remembered(maxsize=256)
def _analyse(kernel: Kernel, _ranges: tuple[tuple[Symbol, tuple[Expr, Expr]], ...]) -> Singularities:
    expr, found, ellipse, before = kernel.expr, None, Ellipse(None), cuts()
    # a network with parameters whose layers are known is smooth inside by what they are
    layered = bool(kernel.parameters and kernel.layers)
    with Portion(_INSIDE) as time:
        real = layered or _has_real_constants(kernel)
        degree = _degree(kernel) if real else None
        if degree is not None:
            return _everywhere(kernel, f"a polynomial of degree {degree}", "a polynomial", degree)
        if real and is_entire(expr):
            text = "made of entire functions of polynomials"
            return _everywhere(kernel, text, "entire functions of polynomials", None)
        if layered:
            return _by_power_series(kernel)
        # even functions of a square root, and choices that are made on the whole interval, written as what they are
        with Portion(_STEP):
            expr = _plain(kernel)
        found = _with_parameters(kernel, expr) if kernel.parameters else _by_cover(kernel, expr)
    if found is None:
        found = _nothing(kernel, f"not decided: {time}")
    if found.smooth is Truth.UNKNOWN and kernel.mean_product:
        found = _by_power_series(kernel)
    if found.analytic is Truth.TRUE:
        with Portion(_AFTER) as time:
            ellipse = _ellipse(expr, kernel)
        ellipse = Ellipse(None, reason=str(time)) if time.cut else ellipse
    entire = Truth.TRUE if ellipse.rho is oo else Truth.UNKNOWN
    if entire is Truth.UNKNOWN and (found.analytic is Truth.FALSE or ellipse.attained):
        entire = Truth.FALSE
    return replace(found, ellipse=ellipse, entire=entire, cut=cuts() > before, form=expr)


def _plain(kernel: Kernel) -> Expr:
    """The same function by identities: each step may show what the next one needs."""
    expr, parameters = kernel.expr, kernel.parameters
    for _ in range(_STEPS):
        before = expr
        expr = decided(entire_form(simplified(expr, parameters)), parameters)
        if expr == before:
            break
    return expr


def _ellipse(expr: Expr, kernel: Kernel) -> Ellipse:
    try:
        return largest_ellipse(expr, kernel.parameters)
    except AsymptokError as error:
        return Ellipse(None, reason=str(error))


def _everywhere(kernel: Kernel, evidence: str, reason: str, degree: int | None) -> Singularities:
    ellipse = Ellipse(oo, (), True, True, reason)
    return Singularities(
        kernel, Truth.TRUE, evidence, (), Truth.TRUE, degree, Truth.TRUE, ellipse, Evidence.PROVED, True
    )  # fmt: skip


def _nothing(kernel: Kernel, evidence: str) -> Singularities:
    return Singularities(
        kernel, Truth.UNKNOWN, evidence, (), Truth.UNKNOWN, None, Truth.UNKNOWN, Ellipse(None), Evidence.UNKNOWN
    )  # fmt: skip


def _by_power_series(kernel: Kernel) -> Singularities:
    """A power series with coefficients >= 0 that sum to kappa(1) converges in the unit disc, however it is written."""
    evidence = (
        "made of means E[phi(X) phi(Y)] by sums, products and compositions: a power series in u with coefficients >= 0 "
        "and the finite sum kappa(1), analytic for |u| < 1"
    )
    end, analytic = None, Truth.UNKNOWN
    with Portion(_AFTER):
        end = _singular_end(kernel, 2)
        if (
            end is None
            and kernel.mean
            and kernel.layers
            and all(_analytic_on_all(Kernel(f)) for f in kernel.mean.means)
        ):
            analytic, evidence = Truth.TRUE, f"{evidence}; each mean is analytic at the ends too"
        elif end is None:
            end = _singular_end(kernel, 6)
    analytic = analytic if end is None else Truth.FALSE
    return Singularities(
        kernel, Truth.TRUE, evidence, (), analytic, None, Truth.UNKNOWN, Ellipse(None), Evidence.PROVED, True, end=end
    )  # fmt: skip


def _analytic_on_all(kernel: Kernel) -> bool:
    return prove_with_parameters(kernel.expr, kernel.parameters, CLOSED).holds is Truth.TRUE


def _has_real_constants(kernel: Kernel) -> bool:
    """Whether the constants inside are proved to be real numbers: u + polylog(2, pi) is no real kernel."""
    ranges = Enclosure(OPEN, kernel.parameters)
    if kernel.parameters:
        # what holds for all values of the parameters: no condition that is free of u may stay open
        ranges.range(kernel.expr)
        if ranges.unknown or any(not r.g.has(u) for r in ranges.failed):
            return False
    return not any(
        not ranges.varies(node) and node.args and not end_ball(node).is_finite()
        for node in dag.postorder(kernel.expr)
        if isinstance(node, Expr)
    )


def _degree(kernel: Kernel) -> int | None:
    if not kernel.expr.is_polynomial(u):
        return None
    try:
        return max(int(Poly(kernel.expr, u).degree()), 0) if kernel.expr.has(u) else 0
    except PolynomialError:
        return None


# ------------------------------------------------------------------------------------------ with parameters


def _with_parameters(kernel: Kernel, expr: Expr) -> Singularities:
    inside = ParametricProof(Truth.UNKNOWN, (), (), ("the conditions one by one",))
    with Portion(_STEP):
        inside = prove_with_parameters(expr, kernel.parameters)
    if inside.holds is Truth.UNKNOWN:
        found = _by_cover(kernel, expr)
        if found.smooth is not Truth.UNKNOWN:
            return found
    grade = {Truth.TRUE: Evidence.PROVED, Truth.FALSE: Evidence.REFUTED}.get(inside.holds, Evidence.UNKNOWN)
    analytic, end = inside.holds, None
    if inside.holds is Truth.TRUE:
        evidence, analytic = "; ".join(inside.reasons), Truth.UNKNOWN
        with Portion(_AFTER):
            end = _singular_end(kernel, 2)
            if end is None and prove_with_parameters(expr, kernel.parameters, CLOSED).holds is Truth.TRUE:
                analytic = Truth.TRUE
            elif end is None:
                end = _singular_end(kernel, 6)
        analytic = analytic if end is None else Truth.FALSE
    elif inside.holds is Truth.FALSE:
        evidence = "; ".join(str(p) for p in inside.points if p.proved)
    else:
        evidence = "not decided: " + "; ".join([*map(str, inside.points), *inside.doubts][:5])
    return Singularities(
        kernel, inside.holds, evidence, inside.points, analytic, None, Truth.UNKNOWN, Ellipse(None), grade,
        inside.holds is Truth.TRUE or not inside.doubts, end=end,
    )  # fmt: skip


# ----------------------------------------------------------------------------------------------- by a cover


def _by_cover(kernel: Kernel, expr: Expr) -> Singularities:
    found = cover(expr, kernel.parameters)
    smooth = found.smooth
    if smooth is Truth.TRUE:
        evidence, grade = _proof_text(found, kernel.parameters), Evidence.PROVED
    elif smooth is Truth.FALSE:
        evidence, grade = "; ".join(str(p) for p in found.points if p.proved), Evidence.REFUTED
    else:
        evidence, grade = _open_text(kernel, found)
    result = Singularities(
        kernel, smooth, evidence, found.points, smooth, None, Truth.UNKNOWN, Ellipse(None), grade,
        found.complete, found,
    )  # fmt: skip
    if smooth is Truth.TRUE:
        with Portion(_AFTER):
            return _at_the_ends(result, found.expr)
        return replace(result, analytic=Truth.UNKNOWN)
    return result


def _proof_text(found: Cover, parameters: Parameters) -> str:
    """Why kappa is smooth, from a cover without gaps."""
    if len(found.pieces) == 1:
        lemmas = by_ranges(found.expr, parameters).lemmas
        return "; ".join(["every function inside is analytic at its argument on (-1, 1)", *lemmas])
    counted = [(reason, sum(p.reason is reason for p in found.pieces)) for reason in Reason]
    parts = [f"a cover of (-1, 1) by {len(found.pieces)} pieces"]
    parts += [f"{count} by {reason.value}" for reason, count in counted if count]
    for piece in found.pieces:
        if piece.reason in (Reason.POINT, Reason.FLAT):
            where = sympy.sstr(piece.low) if piece.low == piece.high else f"{sympy.N(piece.low, 6)}..."
            what = "removable" if piece.reason is Reason.POINT else "smooth with a flat part"
            parts.append(f"{what} at u = {where}")
    return "; ".join(parts)


def _open_text(kernel: Kernel, found: Cover) -> tuple[str, Evidence]:
    """What a cover has left open, and whether sample points speak for smoothness."""
    doubts = ["the time for the search was over"] if found.cut else []
    doubts += [str(p) for p in found.points]
    doubts += [f"nothing is shown between u = {sympy.N(a, 12)} and {sympy.N(b, 12)}" for a, b in found.gaps]
    doubts += [f"nothing is known about {short(node)}" for node in found.unknown]
    listed = "; ".join(doubts[:5])
    if found.unknown and not found.points and _finite_at_samples(kernel):
        return f"supported by 63 sample points only; not proved: {listed}", Evidence.SUPPORTED
    return f"not decided: {listed}", Evidence.UNKNOWN


def _finite_at_samples(kernel: Kernel) -> bool:
    try:
        return all(ball(kernel.expr, {u: Rational(j, 32)}, prec=64).is_finite() for j in range(-31, 32))
    except AsymptokError:
        return False


# --------------------------------------------------------------------------------------------- on [-1, 1]


def _at_the_ends(result: Singularities, expr: Expr) -> Singularities:
    """Analytic on the closed interval: refuted by a term at an end, or by a flat part that is not zero."""
    parameters, pieces = result.kernel.parameters, () if result.cover is None else result.cover.pieces
    # one term of an expansion is cheaper than a proof, and most kernels of interest have one
    end = _singular_end(result.kernel, 2)
    if end is not None:
        return replace(result, analytic=Truth.FALSE, end=end)
    flat = [p.low for p in pieces if p.reason is Reason.FLAT]
    if not flat and all(_continues(expr, at, parameters) for at in (1, -1)):
        return replace(result, analytic=Truth.TRUE)
    places = [(S.One, "-"), (S.NegativeOne, "+"), *((p, "+") for p in flat)]
    if any(flat_part_is_there(expr, point, parameters, side) for point, side in places):
        return replace(result, analytic=Truth.FALSE)
    end = _singular_end(result.kernel, 6)
    return replace(result, analytic=Truth.UNKNOWN if end is None else Truth.FALSE, end=end)


def _continues(expr: Expr, at: int, parameters: Parameters) -> bool:
    """Whether the expression agrees next to the end with a function that is analytic at the end."""
    low, high = sorted((Rational(at), at - at * _NEXT_TO))
    if Boxes(expr, parameters).on(low, high) is not None:
        return True
    form = decided(expr, parameters, Interval(low, high))
    return is_analytic(form, S(at), parameters, "-" if at == 1 else "+")


def _singular_end(kernel: Kernel, order: int) -> InteriorPoint | None:
    """A term up to the order that proves kappa not to be analytic at an end."""
    for at in (S.One, S.NegativeOne):
        try:
            found = expand(kernel, int(at), order)
            nu, logs = found.nu, found.log_power
        except ExpansionError as error:
            if error.kind is Obstruction.UNBOUNDED:
                return InteriorPoint(at, (at, at), "unbounded", None, None, None, True, str(error))
            continue
        except AsymptokError:
            continue
        if nu is not None:
            reason = f"t^({nu}) at the end"
            return InteriorPoint(at, (at, at), "branch point", nu, None, None, True, reason, logs)
    return None
