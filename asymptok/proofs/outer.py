"""Analytic kernels whose nearest singular points are real: terms at +-b, b > 1, and a bound around them.

kappa = E + R. E is a sum of exact powers c (b -+ u)^nu and of log(b -+ u); R is analytic on a larger ellipse, or
R(bv) has a contour of its own, with slits from v = +-1 on. In that case the contour, seen in the plane of u, gives
    |mu_k(R) - mu_k(terms)| <= (B_+ + B_-) b^(-beta) T_b(beta, k) + b G S A_k e^(-(k+1)h'),   h' = asinh(b sinh h),
    T_b(beta, k) = (1/pi) int_0^oo x^beta q_k(b+x) dx,
for the ellipse through i sinh h' with foci +-1 lies inside of b times the one of height h: they share the minor axis,
and 1 + b^2 sinh^2 h <= b^2 cosh^2 h.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy
from flint import arb, fmpq
from sympy import Add, Expr, S

from asymptok import dag
from asymptok.atlas.core import ELLIPSES, USUAL, Core, Effort, analytic_core
from asymptok.atlas.local import Unproved
from asymptok.atlas.poles import meromorphic
from asymptok.atlas.rewriting import rewritten
from asymptok.balls import ball
from asymptok.errors import AsymptokError
from asymptok.kernels.kernel import Kernel
from asymptok.precision import flint_precision
from asymptok.proofs.claims import BoundClaim, TermClaim
from asymptok.proofs.decimals import down, up
from asymptok.quantities import whole
from asymptok.regularity import analyse
from asymptok.regularity.rho import rho_ball
from asymptok.symbols import u
from asymptok.truth import Truth

#: digits of coefficients and of bounds, and the room that is left in bounds
_DIGITS, _FEW = 20, 6
_SLACK = fmpq(1, 12)
#: of a rest that is a constant
ZERO_BOUND = BoundClaim(None, "0", "0", "0", fmpq(8))
#: heights are rounded down to multiples of this
_GRAIN = 4096


@dataclass(frozen=True, slots=True)
class Outside:
    """The place b, the terms at +-b and the bounds; nothing here depends on the dimension."""

    place: Expr
    terms: tuple[TermClaim, ...]
    bounds: tuple[BoundClaim, ...]

    @property
    def nu(self) -> Expr:
        """The least exponent of a term that is there."""
        return min(t.exponent for t in self.terms if (t.low, t.high) != ("0", "0"))


def outside(kernel: Kernel, count: int, effort: Effort = USUAL, slack: fmpq = _SLACK) -> Outside | None:
    """The singular points nearest to [-1, 1], if they are real and shown to be singular; None otherwise."""
    found = analyse(kernel)
    if found.analytic is not Truth.TRUE or not found.nearest or not found.ellipse.attained:
        return None
    if not all(z.is_real for z in found.nearest):
        return None
    place = _absolute(found.nearest[0])
    expr = sympy.apart(kernel.expr, u) if kernel.expr.is_rational_function(u) else rewritten(kernel.expr)
    exact: list[TermClaim] = []
    rest: list[Expr] = []
    with flint_precision(effort.bits):
        for part in Add.make_args(expr):
            term = _exact_term(part, place)
            if term is None:
                rest.append(part)
            else:
                exact.append(term)
        try:
            by_powers = _with_rest(place, exact, Add(*rest), count, effort, slack)
        except Unproved:
            by_powers = None
        return by_powers or _by_poles(expr, place, effort, slack)


def _by_poles(expr: Expr, place: Expr, effort: Effort, slack: fmpq) -> Outside | None:
    """Poles at b and -b beside other factors, as in exp(u)/(b-u): their principal parts are the terms."""
    room = 1 + arb(slack)
    bounds: list[BoundClaim] = []
    terms: list[TermClaim] | None = None
    for height in ELLIPSES:
        try:
            found = meromorphic(expr, (height,), effort)
        except (Unproved, AsymptokError):
            continue
        if found.arcs or any(p.location not in (place, -place) for p in found.poles):
            break
        mine = [
            _claim(1 if p.location == place else -1, p.exponent, 0, p.coefficient.real) for p in found.poles
        ]
        if terms is None or len(mine) > len(terms):
            terms, bounds = mine, []
        bounds += [BoundClaim(None, "0", "0", up(g * room, _FEW), height) for g, _ in found.bounds]
    return None if terms is None else Outside(place, _sorted(terms), tuple(bounds))


def _absolute(z: Expr) -> Expr:
    return z if ball(z) > 0 else -z


def _exact_term(part: Expr, place: Expr) -> TermClaim | None:
    """c (a0 + a1 u)^nu, or c log(a0 + a1 u), that is singular at +-b; exact coefficients in b -+ u."""
    factor, node = part.as_independent(u, as_Add=False)
    power = node.is_Pow and node.func is not sympy.exp
    inner = (
        node.base if power else node.args[0] if isinstance(node, sympy.log) and len(node.args) == 1 else None
    )
    if inner is None or not inner.is_polynomial(u) or sympy.degree(inner, u) != 1:
        return None
    slope, offset = inner.coeff(u, 1), inner.coeff(u, 0)
    # inner = slope (u - z), z = +-b: -slope (b - u) or slope (b + u)
    at = 1 if ball(offset / slope) < 0 else -1
    base = -slope if at == 1 else slope
    if sympy.expand(offset - base * place) != 0:
        return None
    if not power:
        return _claim(at, S.Zero, 1, ball(factor)) if ball(base) > 0 else None
    whole = node.exp.is_Integer
    if not node.exp.is_Rational or (whole and node.exp >= 0) or (not whole and not ball(base) > 0):
        return None
    return _claim(at, node.exp, 0, ball(factor * base**node.exp))


def _claim(at: int, exponent: Expr, log_power: int, c: arb) -> TermClaim:
    return TermClaim(at, exponent, log_power, down(c, _DIGITS), up(c, _DIGITS))


def _with_rest(
    place: Expr, exact: list[TermClaim], rest: Expr, count: int, effort: Effort, slack: fmpq
) -> Outside | None:
    if not rest.has(u):
        return Outside(place, _sorted(exact), (ZERO_BOUND,))
    with flint_precision(effort.bits):
        wide = rho_ball(place).log()
    direct = _beyond(rest, count, effort, wide, slack)
    if exact and direct:
        return Outside(place, _sorted(exact), direct)
    core = analytic_core(dag.rebuild(rest, {u: place * u}), count, effort)
    # with other logarithms the eigenvalues of a term are derivatives whose error is not proved
    if any(
        t.log_power and not (t.log_power == 1 and t.exponent.is_Integer and t.exponent >= 0)
        for t in core.terms
    ):
        return None
    if all(b.beta is None for b in core.bounds):
        return None
    with flint_precision(effort.bits):
        b = ball(place)
        terms = [
            _claim(t.at, t.exponent, t.log_power, t.coefficient * b ** ball(-t.exponent)) for t in core.terms
        ]
        return Outside(place, _sorted([*_merged(exact, terms)]), tuple(_stretched(core, b, slack)))


def _merged(exact: list[TermClaim], terms: list[TermClaim]) -> list[TermClaim]:
    """Terms of the same kind must not occur twice: an exact one beside one of the rest is refused."""
    keys = [(t.at, t.exponent, t.log_power) for t in (*exact, *terms)]
    if len(set(keys)) < len(keys):
        raise Unproved("two terms of the same exponent")
    return [*exact, *terms]


def _sorted(terms: list[TermClaim]) -> tuple[TermClaim, ...]:
    return tuple(sorted(terms, key=lambda t: (float(t.exponent), -t.at)))


def _beyond(rest: Expr, count: int, effort: Effort, wide: arb, slack: fmpq) -> tuple[BoundClaim, ...]:
    """Bounds on ellipses beyond the place, where the rest is analytic there."""
    try:
        core = analytic_core(rest, count, effort)
    except Unproved:
        return ()
    room = 1 + arb(slack)
    return tuple(
        BoundClaim(None, "0", "0", up(bound.curve * room, _FEW), bound.height)
        for bound in core.bounds
        if bound.beta is None and arb(bound.height) > wide
    )


def _stretched(core: Core, b: arb, slack: fmpq) -> list[BoundClaim]:
    room, out = 1 + arb(slack), []
    for bound in core.bounds:
        assert bound.beta is not None
        scale = b ** ball(-bound.beta) * room
        height = (b * arb(bound.height).sinh()).asinh()
        rounded = fmpq(whole((height * _GRAIN).lower().floor()), _GRAIN)
        out.append(
            BoundClaim(
                bound.beta,
                up(bound.plus * scale, _FEW),
                up(bound.minus * scale, _FEW),
                up(bound.curve * b * room, _FEW),
                rounded,
            )
        )
    return out


__all__ = ["ZERO_BOUND", "Outside", "outside"]
