"""O-terms with constants: |kappa(+-(1-t)) - sum of terms| <= B t^beta |log t|^J for all 0 < t <= r, proved.

Where the kernel is a power series in sigma = t^(1/q), discs along 0 <= sigma <= r^(1/q), each proved by tests on its
circle, give its coefficients and a bound of the rest. With logarithms, irrational exponents or a pole at the end its
local model does. The remainder over t^beta is then bounded on short pieces. A kernel that changes its expression inside
(|u - 1/3|) is the expression next to the end up to the place where it does.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

import mpmath
import sympy
from flint import arb, fmpq
from sympy import Expr, Rational, S

from asymptok import dag
from asymptok.atlas.curves import NotProved
from asymptok.atlas.local import Unproved
from asymptok.atlas.models.lines import inward_line
from asymptok.atlas.pieces import Pieces, ends
from asymptok.atlas.program import Program, program
from asymptok.atlas.rewriting import rewritten
from asymptok.atlas.slits import Slit, cover
from asymptok.atlas.switches import prepared
from asymptok.balls import exact_point
from asymptok.constants.exact import ExactDomain
from asymptok.constants.exponents import to_fmpq
from asymptok.errors import AsymptokError
from asymptok.expansion import Expansion
from asymptok.kernels.kernel import Kernel
from asymptok.parameters import exact_number
from asymptok.precision import flint_precision
from asymptok.proofs.decimals import exact, mpf_up
from asymptok.quantities import whole
from asymptok.show.preformatted import Prose
from asymptok.symbols import u

_BITS = 256
#: points on a circle beside those that the exponent needs
_POINTS = 80
#: the radius unless told otherwise, and how much narrower the next attempt is
_RADIUS, _NARROWER = fmpq(1), fmpq(5, 8)
_ATTEMPTS = 8
#: radii of models: 1 (where log t occurs, less than 1), and so many times half of it
_BELOW_ONE, _HALVINGS = Rational(1, 2), (0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 72, 108, 160)
#: bits to which [0, pi] is cut in search of the expression next to an end
_CUTS = (16, 40, 80)
#: terms of a model beyond the bound: at first, and where its rest is too large
_BEYOND, _FLAT = (15, 45), (0, 1, 3, 6)


@dataclass(frozen=True, slots=True)
class RemainderBound(Prose):
    """|kappa - sum of terms| <= constant t^exponent |log t|^log_power for 0 < t <= radius, proved."""

    constant: mpmath.mpf
    exponent: Expr
    log_power: int
    radius: Rational

    def __str__(self) -> str:
        logs = "" if not self.log_power else f" |log t|^{self.log_power}"
        power = f"t^({self.exponent}){logs}"
        return f"|kappa - sum of terms| <= {mpmath.nstr(self.constant, 8)} {power} for 0 < t <= {self.radius}"

    __repr__ = __str__

    def __call__(self, t: object) -> mpmath.mpf:
        """The bound at a number t, rounded up; a float means the decimal that it prints."""
        with flint_precision(_BITS):
            value = exact_number(t, "t")
            point = exact_point(value)
            inside = value <= self.radius if value.is_Rational else point <= exact_point(self.radius)
            if not (point > 0 and inside):
                raise AsymptokError(f"the bound holds for 0 < t <= {self.radius}, not at t = {t}")
            if self.constant == 0:
                return mpmath.mpf(0)
            bound = exact_point(self.constant) * point ** exact_point(self.exponent)
            return mpf_up(bound * abs(point.log()) ** self.log_power if self.log_power else bound)


def remainder_bound(expansion: Expansion, radius: object = None) -> RemainderBound:
    """The bound for an expansion of a kernel at +1 or -1; AsymptokError, with the reason, where none is proved."""
    kernel = expansion.subject if isinstance(expansion, Expansion) else None
    if not isinstance(kernel, Kernel) or expansion.at not in (1, -1):
        raise AsymptokError("a remainder is bounded for the expansion of a kernel at +1 or -1")
    if kernel.parameters or not isinstance(expansion.series.dom, ExactDomain):
        raise AsymptokError("a bound needs a kernel without parameters and exact coefficients: give values")
    asked = None if radius is None else _radius(radius)
    if len(expansion.remainder) > 1:
        raise AsymptokError("the exponents of the remainder are not ordered")
    try:
        expr, reach = _next_to(kernel.expr, expansion.at)
    except Unproved as error:
        raise AsymptokError(f"no remainder of {kernel} is bounded: {error}") from error
    if asked is not None and asked > reach:
        raise AsymptokError(
            f"the kernel is not shown to be one analytic function up to t = {asked}: give a radius of at most {reach}"
        )
    if not expansion.remainder and _is_plain(expr):
        return RemainderBound(mpmath.mpf(0), expansion.order, 0, reach if asked is None else asked)
    found = _by_discs(expr, expansion, asked, reach) or _by_model(expr, expansion, asked, reach)
    if isinstance(found, str):
        where = "at the end" if asked is None else f"up to t = {asked}: give a smaller radius"
        raise AsymptokError(f"no remainder of {kernel} is bounded {where} ({found})")
    # without a remainder the terms are the kernel wherever it is shown to be analytic
    return found if expansion.remainder else replace(found, constant=mpmath.mpf(0))


def _next_to(expr: Expr, at: int) -> tuple[Expr, Rational]:
    """The kernel for 0 < t <= reach as an expression without switches, and that reach."""
    pieces = Pieces(prepared(rewritten(expr)))
    for bits in _CUTS:
        piece = pieces.refine(bits)[0 if at == 1 else -1]
        if piece.expr is not None:
            break
    else:
        raise Unproved("the kernel may change its expression next to the end")
    if piece.high - piece.low == 1:
        return piece.expr, Rational(2)
    with flint_precision(2 * _CUTS[-1]):
        low, high = ends(piece.low, piece.high)
        reach = exact((1 - low.upper() if at == 1 else 1 + high.lower()).lower())
    grain = 2 ** (8 + max(0, reach.denominator.bit_length() - reach.numerator.bit_length()))
    return piece.expr, Rational(reach.numerator * grain // reach.denominator, grain)


def _is_plain(expr: Expr) -> bool:
    """Whether it is analytic in (-1, 1) at first sight: powers and logarithms of c (1-u) and c (1+u), c > 0."""
    for node in dag.postorder(expr):
        if not node.has(u) or node == u or isinstance(node, sympy.Add | sympy.Mul):
            continue
        if not isinstance(node, sympy.Pow | sympy.log):
            return False
        if isinstance(node, sympy.Pow) and node.exp.is_Integer and node.exp > 0:
            continue
        if not any((node.args[0] / (1 + sign * u)).cancel().is_positive for sign in (1, -1)):
            return False
    return True


def _remainder(expansion: Expansion) -> tuple[Expr, int]:
    """The exponent and the power of the logarithm of what is left."""
    if not expansion.remainder:
        return expansion.order, 0
    return expansion.remainder[0].exponent, expansion.remainder[0].log_power


def _by_discs(
    expr: Expr, expansion: Expansion, asked: Rational | None, reach: Rational
) -> RemainderBound | None:
    """The bound for a kernel that is a series in a root of t."""
    beta, log_power = _remainder(expansion)
    try:
        kappa = program(expr)
    except Unproved:
        return None
    grid = kappa.grids[0 if expansion.at == 1 else 1]
    if not grid or not isinstance(beta, Rational) or log_power:
        return None
    line = _line(kappa, expansion.end, grid, asked, _POINTS + int(beta * grid), reach)
    if line is None:
        return None
    with flint_precision(_BITS):
        constant = mpf_up(line.bound(beta))
    found = asked if asked is not None else min(_power(line.length, grid), reach)
    return RemainderBound(constant, beta, 0, found)


def _by_model(
    expr: Expr, expansion: Expansion, asked: Rational | None, reach: Rational
) -> RemainderBound | str:
    """The bound by a local model, on as much of (0, 1] as it holds unless told otherwise; or what stands in the way."""
    beta, log_power = _remainder(expansion)
    if log_power and asked is not None and asked > _BELOW_ONE:
        # |log t| vanishes at t = 1, the remainder does not: half of the room to the last term takes its place
        last = max(
            (term.exponent for term in expansion.terms), default=beta - 1, key=lambda e: exact_point(e).mid()
        )
        beta, log_power = beta - sympy.Min((beta - last) / 2, Rational(1, 4)), 0
    radius = min(_BELOW_ONE if log_power else Rational(1), reach)
    attempts = (
        [(radius / 2**j, _BEYOND[0]) for j in _HALVINGS] if asked is None else [(asked, n) for n in _BEYOND]
    )
    found: RemainderBound | str = "no radius is small enough"
    with flint_precision(_BITS):
        top = fmpq(whole(exact_point(beta).upper().ceil()))
        for length, beyond in attempts:
            try:
                terms, rest = _shares(expr, expansion.end, length, top + beyond, beta, log_power)
            except Unproved as error:
                found = str(error) if isinstance(found, str) else found
                continue
            found = RemainderBound(mpf_up(terms + rest), beta, log_power, length)
            # on a shorter interval, or with more terms, the rest of the model would not count
            if rest < terms:
                break
            if terms.is_zero():
                # nothing but what is flat: the fewer powers it is held against, the better
                for fewer in _FLAT:
                    with suppress(Unproved):
                        shares = _shares(expr, expansion.end, length, top + fewer, beta, log_power)
                        return replace(found, constant=min(found.constant, mpf_up(sum(shares, arb(0)))))
                break
    return found


def _shares(expr: Expr, at: int, length: Rational, top: fmpq, beta: Expr, log_power: int) -> tuple[arb, arb]:
    return inward_line(expr, at, to_fmpq(length), top).shares(beta, log_power)


def _line(
    kappa: Program, at: int, grid: int, asked: Rational | None, points: int, reach: Rational
) -> Slit | None:
    """Discs along the radius that was asked for, or along the widest of a few."""
    length = min(_RADIUS, _root(reach, grid)) if asked is None else _root(asked, grid)
    with flint_precision(_BITS):
        for _ in range(1 if asked is not None else _ATTEMPTS):
            try:
                return cover(kappa, at, grid, length, points, inward=True)
            except NotProved:
                length = length * _NARROWER
    return None


def _radius(radius: object) -> Rational:
    value = exact_number(radius, "the radius")
    if not value.is_Rational:
        value = S(str(radius)) if isinstance(radius, str) else value
    if not (isinstance(value, Rational) and 0 < value < 2):
        raise AsymptokError(f"the radius is a rational number between 0 and 2, not {radius!r}")
    return value


def _root(radius: Rational, grid: int) -> fmpq:
    """A rational that is not below radius^(1/grid)."""
    y = exact((exact_point(radius).root(grid) if grid > 1 else exact_point(radius)).upper())
    return fmpq(y.numerator * 2**40 // y.denominator + 1, 2**40)


def _power(y: fmpq, grid: int) -> Rational:
    return Rational(int(y.p), int(y.q)) ** grid


__all__ = ["RemainderBound", "remainder_bound"]
