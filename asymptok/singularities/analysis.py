"""Where a kernel fails to be smooth, inside (-1, 1) and in the complex plane around it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy
from sympy import Expr, Poly, PolynomialError, Rational, S, oo

from asymptok import dag
from asymptok.balls import ball, complex_ball
from asymptok.errors import AsymptokError, ExpansionError
from asymptok.expansion import expand
from asymptok.kernels.kernel import Kernel, as_kernel
from asymptok.preformatted import Preformatted
from asymptok.singularities.chains import survives
from asymptok.singularities.domains import POSITIVE, short
from asymptok.singularities.ellipse import Ellipse, is_entire, largest_ellipse
from asymptok.singularities.enclosure import Enclosure
from asymptok.singularities.even import entire_form
from asymptok.singularities.interior import CLOSED, OPEN, Proof, prove_analytic
from asymptok.singularities.intervals import Interval, end_ball, sign_of
from asymptok.singularities.monotone import limit, slope_range
from asymptok.singularities.points import InteriorPoint, analytic_at, classify, leading_exponent
from asymptok.singularities.subdivision import Verdict
from asymptok.symbols import u
from asymptok.truth import Truth

#: what SymPy raises from deep inside on expressions that it cannot handle; none of it is an answer
SYMPY_ERRORS = (
    ArithmeticError,
    AttributeError,
    LookupError,
    NotImplementedError,
    PolynomialError,
    RecursionError,
    TypeError,
    ValueError,
)


@dataclass(frozen=True, slots=True)
class Singularities(Preformatted):
    """What is known about the singular points of kappa.

    `smooth`: is kappa C-infinity on (-1, 1)?  `analytic`: is it analytic on [-1, 1]?  Both are three-valued; TRUE and
    FALSE are proved. `interior` lists the points found where it is not smooth. For an analytic kernel `rho` is the sum
    of the semi-axes of the largest ellipse with foci -1 and 1 to which kappa continues (oo if entire).

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
        if self.smooth is Truth.UNKNOWN:
            return "supported" if self.evidence.startswith("supported") else "unknown"
        return "proved" if self.smooth is Truth.TRUE else "refuted"

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


@lru_cache(maxsize=256)
def _analyse(kernel: Kernel, _ranges: tuple[Any, ...]) -> Singularities:
    real = _has_real_constants(kernel)
    degree = _degree(kernel) if real else None
    if degree is not None:
        everywhere = Ellipse(oo, (), True, True, "a polynomial")
        return Singularities(
            kernel,
            Truth.TRUE,
            f"a polynomial of degree {degree}",
            (),
            Truth.TRUE,
            degree,
            Truth.TRUE,
            everywhere,
        )
    if real and is_entire(kernel.expr):
        everywhere = Ellipse(oo, (), True, True, "entire functions of polynomials")
        evidence = "made of entire functions of polynomials"
        return Singularities(kernel, Truth.TRUE, evidence, (), Truth.TRUE, None, Truth.TRUE, everywhere)
    try:
        smooth, evidence, points = _interior(kernel)
    except SYMPY_ERRORS as error:
        smooth, evidence, points = (
            Truth.UNKNOWN,
            f"not decided: SymPy failed with {type(error).__name__}: {error}",
            (),
        )
    analytic, ellipse = smooth, Ellipse(None)
    if smooth is Truth.TRUE:
        # the even functions of a square root hide nothing once they are written as what they are
        try:
            plain = _kernel_like(kernel, entire_form(kernel.expr))
            analytic = _analytic(plain)
            if analytic is Truth.TRUE:
                ellipse = largest_ellipse(plain.expr, kernel.parameters)
        except SYMPY_ERRORS:
            analytic = Truth.UNKNOWN if analytic is smooth else analytic
    entire = Truth.TRUE if ellipse.rho is oo else Truth.UNKNOWN
    if entire is Truth.UNKNOWN and (analytic is Truth.FALSE or ellipse.attained):
        entire = Truth.FALSE
    return Singularities(kernel, smooth, evidence, points, analytic, None, entire, ellipse)


def _has_real_constants(kernel: Kernel) -> bool:
    """Whether the constants inside are proved to be real numbers: u + polylog(2, pi) is no real kernel."""
    ranges = Enclosure(OPEN, kernel.parameters)
    return not any(
        not ranges.varies(node) and node.args and not end_ball(node).is_finite()
        for node in dag.postorder(kernel.expr)
        if isinstance(node, Expr)
    )


def _kernel_like(kernel: Kernel, expr: Expr) -> Kernel:
    return kernel if expr is kernel.expr else Kernel(expr, parameters=kernel.parameters)


def _degree(kernel: Kernel) -> int | None:
    if not kernel.expr.is_polynomial(u):
        return None
    try:
        return max(int(Poly(kernel.expr, u).degree()), 0) if kernel.expr.has(u) else 0
    except PolynomialError:
        return None


# --------------------------------------------------------------------------------------------- inside


def _interior(kernel: Kernel) -> tuple[Truth, str, tuple[InteriorPoint, ...]]:
    proof = prove_analytic(kernel.expr, kernel.parameters, OPEN)
    if proof.holds:
        return Truth.TRUE, _proof_text(proof), ()
    points: list[InteriorPoint] = []
    harmless = True
    for verdict in proof.verdicts:
        if verdict.holds is Truth.TRUE:
            continue
        found, settled = _points(kernel, verdict)
        points += [p for p in found if all(p.location is None or p.location != q.location for q in points)]
        harmless = harmless and settled
    points.sort(key=lambda p: float(sympy.N(p.enclosure[0])) if not p.enclosure[0].free_symbols else 0.0)
    refuting = [p for p in points if p.proved]
    if refuting:
        return Truth.FALSE, "; ".join(str(p) for p in refuting), tuple(points)
    if harmless and not points and not proof.unknown:
        return (
            Truth.TRUE,
            _proof_text(proof) + "; the remaining points are removable singularities or flat",
            (),
        )
    return Truth.UNKNOWN, _open_text(kernel, proof, points), tuple(points)


def _proof_text(proof: Proof) -> str:
    parts = ["every function inside is analytic at its argument on (-1, 1)"]
    parts += proof.lemmas
    parts += [f"{v.requirement}: {v.how}" for v in proof.verdicts if v.how and v.holds is Truth.TRUE]
    return "; ".join(parts)


def _open_text(kernel: Kernel, proof: Proof, points: list[InteriorPoint]) -> str:
    doubts = [str(p) for p in points]
    for v in proof.verdicts:
        if v.holds is Truth.UNKNOWN:
            near = ", ".join(str(sympy.N((a + b) / 2, 6)) for a, b in v.doubtful[:3])
            doubts.append(f"{v.requirement}" + (f" near u = {near}" if near else ""))
    doubts += [f"nothing is known about {short(node)}" for node in proof.unknown]
    listed = "; ".join(doubts[:5])
    doubtful = any(v.doubtful for v in proof.verdicts)
    if not points and not doubtful and not kernel.parameters and _finite_at_samples(kernel):
        return f"supported by 63 sample points only; not proved: {listed}"
    return f"not decided: {listed}"


def _finite_at_samples(kernel: Kernel) -> bool:
    try:
        return all(ball(kernel.expr, {u: Rational(j, 32)}, prec=64).is_finite() for j in range(-31, 32))
    except AsymptokError:
        return False


def _points(kernel: Kernel, verdict: Verdict) -> tuple[list[InteriorPoint], bool]:
    """The singular points behind one failed requirement, and whether all its roots turned out to be harmless."""
    found: list[InteriorPoint] = []
    for root in verdict.roots:
        point = classify(kernel.expr, root, kernel.parameters)
        if point is not None:
            found.append(point)
    for low, high in verdict.brackets:
        found.append(_unnamed_point(kernel, verdict, low, high))
    proved = any(p.proved for p in found)
    if not proved and verdict.violated:
        found += [
            p for cell in verdict.violated[:3] if (p := _complex_value(kernel, verdict, cell)) is not None
        ]
    fully_known = verdict.holds is Truth.FALSE and not verdict.violated
    return found, fully_known and not found


def _complex_value(kernel: Kernel, verdict: Verdict, cell: tuple[Expr, Expr]) -> InteriorPoint | None:
    """A sample point of a cell where the value is certainly not real."""
    middle = Rational((cell[0] + cell[1]) / 2) if all(x.is_Rational for x in cell) else None
    if middle is None or kernel.parameters:
        return None
    try:
        value = complex_ball(kernel.expr, {u: middle}, prec=128)
    except AsymptokError:
        return None
    if not value.is_finite() or value.imag.contains(0):
        return None
    reason = f"{short(verdict.requirement.node)} is complex there, since {short(verdict.requirement.g)} < 0"
    return InteriorPoint(middle, (cell[0], cell[1]), "undefined/complex", None, None, None, True, reason)


def _unnamed_point(kernel: Kernel, verdict: Verdict, low: Rational, high: Rational) -> InteriorPoint:
    """A root known by a change of sign only: what the function does there, if nothing can cancel it."""
    node: Any = verdict.requirement.node
    cell = Interval(low, high)
    kind, nu = "unknown", None
    if isinstance(node, Expr):
        if node.func is sympy.Abs or node.func in (sympy.Max, sympy.Min):
            kind, nu = "kink", S.One
        elif node.func in (sympy.sign, sympy.Heaviside, sympy.floor, sympy.ceiling):
            kind, nu = "jump", S.Zero
        elif node.is_Pow and node.exp.is_integer:
            kind, nu = "pole", node.exp
        elif node.is_Pow or verdict.requirement.relation == POSITIVE:
            kind, nu = "branch point", node.exp if node.is_Pow else None
    simple = slope_range(verdict.requirement.g, Enclosure(cell, {})) is not None

    def is_analytic(part: Expr) -> bool:
        inner = Enclosure(cell, {})
        inner.range(part)
        return not inner.failed and not inner.unknown

    proved = kind != "unknown" and simple and survives(
        kernel.expr, node, is_analytic, lambda part: Enclosure(cell, {}).range(part).nonzero()
    )  # fmt: skip
    centre = sympy.N((low + high) / 2, 15)
    reason = f"{short(verdict.requirement.g)} changes sign at u = {centre}..."
    return InteriorPoint(None, (low, high), kind, nu, None, None, proved, reason)


# --------------------------------------------------------------------------------------------- on [-1, 1]


def _analytic(kernel: Kernel) -> Truth:
    """Analytic on the closed interval: refuted by a term at an end that no analytic function has."""
    # one term of an expansion is cheaper than a proof, and most kernels of interest have one
    if any(_singular_end(kernel, at, 2) for at in (1, -1)):
        return Truth.FALSE
    proof = prove_analytic(kernel.expr, kernel.parameters, CLOSED)
    if proof.holds or _all_removable(kernel, proof):
        return Truth.TRUE
    if any(_singular_end(kernel, at, 6) or _flat(kernel, at) for at in (1, -1)):
        return Truth.FALSE
    return Truth.UNKNOWN


def _all_removable(kernel: Kernel, proof: Proof) -> bool:
    if proof.unknown:
        return False
    for verdict in proof.verdicts:
        if verdict.holds is Truth.TRUE:
            continue
        if verdict.holds is Truth.UNKNOWN or verdict.brackets or verdict.violated:
            return False
        for root in verdict.roots:
            sides = {S.One: "-", S.NegativeOne: "+"}.get(root, "+-")
            if not analytic_at(kernel.expr, root, kernel.parameters, sides):
                return False
    return True


def _singular_end(kernel: Kernel, at: int, order: int) -> bool:
    """Whether a term up to the order proves that kappa is not analytic at an end."""
    try:
        return expand(kernel, at, order).nu is not None
    except ExpansionError:
        return _unbounded(kernel, at)
    except AsymptokError:
        return False


def _unbounded(kernel: Kernel, at: int) -> bool:
    side = "-" if at == 1 else "+"
    return limit(kernel.expr, S(at), side, kernel.parameters) in (oo, -oo)


def _flat(kernel: Kernel, at: int) -> bool:
    """A part exp(h), h -> -oo, is smooth with all derivatives 0 and yet not analytic, and nothing cancels it."""
    side = "-" if at == 1 else "+"

    def is_analytic(part: Expr) -> bool:
        return analytic_at(part, S(at), kernel.parameters, side)

    def is_nonzero(part: Expr) -> bool:
        value = limit(part, S(at), side, kernel.parameters)
        return value is not None and sign_of(value) in (1, -1)

    for node in dag.postorder(kernel.expr):
        if node.func is not sympy.exp or not node.has(u):
            continue
        h = node.args[0]
        if limit(h, S(at), side, kernel.parameters) == -oo:
            # log t -> -oo as well, but exp(log t) is a power: h has to start with a negative power of t
            lead = leading_exponent(h, S(at), kernel.parameters, side)
            negative = lead is not None and lead.is_negative is True
            return negative and survives(kernel.expr, node, is_analytic, is_nonzero)
    return False
