"""Where a kernel fails to be smooth, inside (-1, 1) and in the complex plane around it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import sympy
from flint import arb, fmpq
from sympy import Expr, Poly, PolynomialError, Rational, S, Symbol, oo

from asymptok import dag
from asymptok.balls import ball
from asymptok.errors import AsymptokError, ExpansionError, Obstruction
from asymptok.expansion import expand
from asymptok.kernels.kernel import Kernel, as_kernel
from asymptok.patience import Portion, cuts, remembered
from asymptok.precision import flint_precision
from asymptok.regularity.bernstein import Ellipse, is_entire, largest_ellipse
from asymptok.regularity.cells import CellTest, Parameters
from asymptok.regularity.choices import decided, with_moduli
from asymptok.regularity.cover import Cover, Piece, Reason, cover, end_pieces
from asymptok.regularity.enclosure import Enclosure
from asymptok.regularity.even import entire_form, with_exponentials
from asymptok.regularity.evidence import Evidence, open_text, proof_text
from asymptok.regularity.factoring import dropped, reduced
from asymptok.regularity.identities import simplified
from asymptok.regularity.intervals import end_ball
from asymptok.regularity.model import NotShown
from asymptok.regularity.neighbourhood import Regular
from asymptok.regularity.parametric import ParametricProof, prove_with_parameters
from asymptok.regularity.points import InteriorPoint
from asymptok.regularity.ranges import CLOSED, OPEN
from asymptok.regularity.recheck import Rechecked, covers, recheck_claims
from asymptok.regularity.rewriting import Rewriting, Step
from asymptok.regularity.side import Side
from asymptok.show.preformatted import Prose
from asymptok.symbols import u
from asymptok.truth import Truth

#: rounds of rewriting
_STEPS = 3
#: shares of the time for a question: all that concerns (-1, 1), each step of it, and what is asked once that is settled
_INSIDE, _STEP, _AFTER = 0.8, 0.7, 0.2


@dataclass(frozen=True, slots=True)
class Singularities(Prose):
    """What is known about the singular points of kappa.

    `smooth`: is kappa C-infinity on (-1, 1)?  `analytic`: is it analytic on [-1, 1]?  Both are three-valued; TRUE
    and FALSE are proved. `interior` lists the points found where it is not smooth; if `complete`, kappa is analytic
    everywhere else in (-1, 1). For an analytic kernel `rho` is the sum of the semi-axes of the largest ellipse with
    foci -1 and 1 to which kappa continues (oo if entire). `cover` holds the pieces of the proof, `rewriting` the
    identities that led to the expression which it covers, `ends` the pieces that hold u = -1 and u = +1, and `end` a
    term at an end that no analytic function has: `recheck` goes through them again.

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
    rewriting: tuple[Rewriting, ...] = ()
    ends: tuple[Piece | None, Piece | None] = (None, None)
    end: InteriorPoint | None = None
    #: whether a search was cut off: what is unknown may be known with more time
    cut: bool = False

    def recheck(self) -> Rechecked:
        """Whether what is claimed about `smooth` and `analytic` stands, by means that the search did not use.

        >>> analyse("abs(u - 1/3) + sqrt(1 - u)").recheck().smooth
        TRUE
        """
        return recheck_claims(self)

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
        chain: Chain = ()
        with Portion(_STEP):
            expr, chain = _plain(kernel)
        found = _with_parameters(kernel, expr, chain) if kernel.parameters else _by_cover(kernel, expr, chain)
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
    return replace(found, ellipse=ellipse, entire=entire, cut=cuts() > before)


#: identities one after the other, each from the expression that the one before has left
Chain = tuple[Rewriting, ...]


def _plain(kernel: Kernel) -> tuple[Expr, Chain]:
    """The same function by identities: each step may show what the next one needs."""
    expr = kernel.expr
    chain: Chain = ()
    for _ in range(_STEPS):
        before = expr
        for rewrite in (_simplify, _without_roots, _with_moduli, _decide):
            trace: list[tuple[Expr, Expr]] = []
            after = rewrite(expr, kernel.parameters, trace)
            chain, expr = (*chain, *_link(expr, after, trace)), after
        if expr == before:
            break
    return expr, chain


def _link(before: Expr, after: Expr, trace: list[tuple[Expr, Expr]]) -> Chain:
    return () if before == after else (Rewriting(before, after, tuple(Step(*pair) for pair in trace)),)


def _simplify(expr: Expr, parameters: Parameters, trace: list[tuple[Expr, Expr]]) -> Expr:
    return simplified(expr, parameters, trace)


def _without_roots(expr: Expr, _: Parameters, trace: list[tuple[Expr, Expr]]) -> Expr:
    return entire_form(expr, trace)


def _with_moduli(expr: Expr, _: Parameters, trace: list[tuple[Expr, Expr]]) -> Expr:
    after = with_moduli(expr)
    trace.append((expr, after))
    return after


def _decide(expr: Expr, parameters: Parameters, trace: list[tuple[Expr, Expr]]) -> Expr:
    return decided(expr, parameters, trace)


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


def _with_parameters(kernel: Kernel, expr: Expr, chain: Chain) -> Singularities:
    inside = ParametricProof(Truth.UNKNOWN, (), (), ("the conditions one by one",))
    with Portion(_STEP):
        inside = prove_with_parameters(expr, kernel.parameters)
    if inside.holds is Truth.UNKNOWN:
        found = _by_cover(kernel, expr, chain)
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
        inside.holds is Truth.TRUE or not inside.doubts, rewriting=chain, end=end,
    )  # fmt: skip


# ----------------------------------------------------------------------------------------------- by a cover


def _by_cover(kernel: Kernel, expr: Expr, chain: Chain) -> Singularities:
    found = cover(expr, kernel.parameters)
    if found.smooth is Truth.UNKNOWN:
        with Portion(_STEP):
            for other in _other_forms(expr, kernel.parameters):
                again = cover(other, kernel.parameters)
                if again.smooth is not Truth.UNKNOWN:
                    chain = (*chain, *_link(expr, other, [(expr, other)]))
                    expr, found = other, again
                    break
    # the search may have factored the denominators
    chain = (*chain, *_link(expr, found.expr, [(expr, found.expr)]))
    smooth = found.smooth
    if smooth is Truth.TRUE and not covers(found):
        smooth = Truth.UNKNOWN  # the search is not trusted with its book-keeping
    if smooth is Truth.TRUE:
        evidence, grade = proof_text(expr, found), Evidence.PROVED
    elif smooth is Truth.FALSE:
        evidence, grade = "; ".join(str(p) for p in found.points if p.proved), Evidence.REFUTED
    else:
        evidence, grade = open_text(kernel, found)
    result = Singularities(
        kernel, smooth, evidence, found.points, smooth, None, Truth.UNKNOWN, Ellipse(None), grade,
        found.complete, found, chain,
    )  # fmt: skip
    if smooth is Truth.TRUE:
        with Portion(_AFTER):
            return _at_the_ends(result, expr, found)
        return replace(result, analytic=Truth.UNKNOWN)
    return result


def _other_forms(expr: Expr, parameters: Parameters) -> Iterator[Expr]:
    """The same function, up to isolated points, in forms that may show more."""
    # exp(-h) sinh(h) is (1 - exp(-2h))/2: what grows may be gone once all exponentials are multiplied out
    other = with_exponentials(expr)
    if other != expr:
        yield other
    # (f^2 - g^2)/(f - g) is f + g
    shorter = reduced(expr)
    if shorter != expr and all(_vanishes_at_points_only(g, parameters) for g in dropped(expr, shorter)):
        yield shorter


def _vanishes_at_points_only(g: Expr, parameters: Parameters) -> bool:
    """Whether g is real, and zero or undefined at isolated points only.

    It is analytic between finitely many points, and not identically zero between any two of them.
    """
    found = cover(g, parameters)
    if not found.complete or any(piece.regular is not Regular.ANALYTIC for piece in found.pieces):
        return False
    edges: list[Expr] = [
        S.NegativeOne,
        *(sum(p.enclosure, S.Zero) / 2 if p.location is None else p.location for p in found.points),
        S.One,
    ]
    test = CellTest(found.expr, parameters)
    for a, b in pairwise(edges):
        low, high = (Rational(str(sympy.N(x, 30))) for x in (a, b))
        places = (low + (high - low) * share for share in (Rational(3, 7), Rational(5, 11), Rational(1, 9)))
        if not any(_is_not_zero(test.value(found.expr, x, x)) for x in places):
            return False
    return True


def _is_not_zero(value: object) -> bool:
    return isinstance(value, arb) and bool(value > 0 or value < 0)


# --------------------------------------------------------------------------------------------- on [-1, 1]


def _at_the_ends(result: Singularities, expr: Expr, found: Cover) -> Singularities:
    """Analytic on the closed interval: refuted by a term at an end, or by a flat part that is not zero."""
    # one term of an expansion is cheaper than a proof, and most kernels of interest have one
    end = _singular_end(result.kernel, 2)
    if end is not None:
        return replace(result, analytic=Truth.FALSE, end=end)
    ends = end_pieces(found)
    regular = [None if piece is None else piece.regular for piece in ends]
    if found.analytic_inside and regular == [Regular.ANALYTIC, Regular.ANALYTIC]:
        return replace(result, analytic=Truth.TRUE, ends=ends)
    flat = [p.point for p in found.pieces if p.regular is Regular.SMOOTH and p.reason is Reason.GERM]
    places = [(p, 1) for p in flat] + [
        (S(at), -at) for at in (1, -1) if regular[(at + 1) // 2] is Regular.SMOOTH
    ]
    if any(isinstance(p, Expr) and _flat_part_is_there(expr, p, side) for p, side in places):
        return replace(result, analytic=Truth.FALSE)
    end = _singular_end(result.kernel, 6)
    return replace(result, analytic=Truth.UNKNOWN if end is None else Truth.FALSE, end=end)


def _flat_part_is_there(expr: Expr, point: Expr, side: int) -> bool:
    """Whether at some distance from the point the value is not that of the model, which would continue kappa."""
    if dag.free_symbols(expr) != {u}:
        return False
    for radius in (Rational(1, 4), Rational(1, 8), Rational(1, 32)):
        with flint_precision(256):
            r = arb(fmpq(int(radius.p), int(radius.q)))
            try:
                model = Side(point, side, r).without_pole(expr)
            except NotShown:
                continue
            known = (model.body(r) + arb(0, (model.tail * r**model.length).upper())) * r**model.order
            value = ball(expr, {u: point + side * radius}) if point.is_Rational else arb.nan()
        if value.is_finite() and not value.overlaps(known):
            return True
    return False


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
