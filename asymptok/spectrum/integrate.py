"""Which quadrature: one ellipse around the whole interval, or panels; and summands apart if they differ in kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import process_time

import sympy
from flint import arb
from sympy import Expr

from asymptok.errors import AsymptokError, PrecisionError
from asymptok.kernels.means import Mean
from asymptok.precision import flint_precision
from asymptok.regularity.identities import simplified
from asymptok.spectrum.closed_forms import closed_form, is_cheap
from asymptok.spectrum.disc import disc_quadrature
from asymptok.spectrum.kinked import kinked_nodes, kinked_values, split_kinked
from asymptok.spectrum.local import Doubt, Unproved
from asymptok.spectrum.panels import panel_quadrature
from asymptok.spectrum.parity import vanishing
from asymptok.spectrum.pieces import Pieces
from asymptok.spectrum.power_series import has_hermite_dual, power_series_values
from asymptok.spectrum.quadrant_form import quadrant_form
from asymptok.spectrum.quadrants import quadrant_values
from asymptok.spectrum.quadrature import quadrature
from asymptok.spectrum.switches import Resolver, prepared
from asymptok.spectrum.value import Value, Values

#: mu_k of a part of the kernel to so many bits
Part = Callable[[int], Values]
#: bits to which [0, pi] is cut in search of a kernel whose switches are all idle
_IDLE = 10
#: seconds of processor time after which summands that cancel are left at their bound
_SECONDS = 1.5
#: degrees for each dimension up to which values on the disc are quicker than integrals over lengths
_FEW = 8
#: bits that two summands may cancel before the kernel is integrated as a whole
_MOST_LOST = 600


def integrate(expr: Expr, d: int, ks: Sequence[int], bits: int, mean: Mean | None = None) -> Values:
    """mu_k for k in `ks` to `bits` bits relative to its size; more ways are open for a mean of products."""
    if kinked_nodes(expr) or has_hermite_dual(expr):
        series = _with_kinks if kinked_nodes(expr) else power_series_values
        try:
            return series(expr, d, ks, bits)
        except Unproved:
            if mean is None:
                raise
            return disc_quadrature(expr, mean, d, ks, bits)
    # a detour such as Gamma(x + 1)/Gamma(x) has holes where the function has none, each with panels of its own
    plain = simplified(expr, {})
    known = _in_closed_form(plain, d, ks, bits) if plain != expr else None
    if known is not None:
        return known
    expr = idle_removed(prepared(plain))
    resolver = Resolver(expr)
    if not resolver.switching:
        return _by_quadrants(expr, d, ks, bits, mean) or _smooth(expr, d, ks, bits, mean)
    if expr.is_Add:
        smooth = [a for a in expr.args if a not in resolver.switching]
        if smooth:
            rest = [a for a in expr.args if a in resolver.switching]
            found = _by_parts(sympy.Add(*smooth), sympy.Add(*rest), d, ks, bits)
            if found is not None:
                return found
    return panel_quadrature(expr, d, ks, bits)


def _with_kinks(expr: Expr, d: int, ks: Sequence[int], bits: int) -> Values:
    """Functions of activations with kinks, and the rest, each degree from those that have it."""
    found, rest = split_kinked(expr)
    parities = {(node.parity + power) % 2 for node, poly in found.items() for (power,) in poly.monoms()}
    bound = vanishing(rest) if rest != 0 else (-1, -1)
    there = [k for k in ks if (limit := bound[k % 2]) is None or k <= limit]
    extra = 32 if any(k % 2 in parities for k in there) else 0
    wanted = [k for k in ks if k % 2 in parities]
    first = kinked_values(found, d, wanted, bits + extra) if wanted else {}
    others = integrate(rest, d, there, bits + extra) if there else {}
    result: Values = {}
    with flint_precision(bits + extra + 32):
        for k in ks:
            parts = [side[k] for side in (first, others) if k in side]
            value = sum((p.ball for p in parts), arb(0))
            proved = all(p.proved for p in parts)
            result[k] = Value(value, proved, "power series") if parts else Value.zero("symmetry")
    return result


def idle_removed(expr: Expr) -> Expr:
    """The expression without its switches, if all of them go one way on the whole interval: |u - 2| = 2 - u."""
    if not Resolver(expr).switching:
        return expr
    try:
        pieces = Pieces(expr).refine(_IDLE)
    except Unproved:
        return expr
    return pieces[0].expr if len(pieces) == 1 and pieces[0].expr is not None else expr


def _smooth(expr: Expr, d: int, ks: Sequence[int], bits: int, mean: Mean | None = None) -> Values:
    try:
        return quadrature(expr, d, ks, bits)
    except Unproved:
        if mean is not None:
            return disc_quadrature(expr, mean, d, ks, bits)
        return panel_quadrature(expr, d, ks, bits)


def _by_quadrants(expr: Expr, d: int, ks: Sequence[int], bits: int, mean: Mean | None) -> Values | None:
    """The kernel of a piecewise polynomial activation; None if it is none, or a summand is too singular by itself."""
    form = quadrant_form(expr)
    if form is None:
        return None
    if mean is not None and max(ks) <= _FEW * d:
        return disc_quadrature(expr, mean, d, ks, bits)
    whole = form

    def mine(wanted: int) -> Values:
        return quadrant_values(whole, d, ks, wanted)

    return _added(mine, lambda wanted: _one_part(whole.rest, d, ks, wanted), ks, bits)


def _by_parts(smooth: Expr, rest: Expr, d: int, ks: Sequence[int], bits: int) -> Values | None:
    """mu_k is linear: what has no kink is singular at the ends at most, and quicker by itself."""
    parts = [lambda wanted, part=part: _one_part(part, d, ks, wanted) for part in (smooth, rest)]
    return _added(parts[0], parts[1], ks, bits)


def _added(one: Part, other: Part, ks: Sequence[int], bits: int) -> Values | None:
    """The sum of two parts, each to more bits until the sum has enough; None if a part is not to be had."""
    extra = 16
    until = process_time() + _SECONDS
    while extra <= _MOST_LOST:
        try:
            first, second = one(bits + extra), other(bits + extra)
        except (AsymptokError, Unproved) as error:
            if isinstance(error, Unproved) and error.kind is Doubt.COSTLY:
                raise  # the whole would cost as much
            return None  # a summand alone may be too singular, or too small
        missing = 0
        result: Values = {}
        patient = process_time() < until
        with flint_precision(bits + extra + 32):
            for k in ks:
                ball = first[k].ball + second[k].ball
                accuracy = 0 if ball.contains(0) else int(ball.rel_accuracy_bits())
                if ball.contains(0) and not patient:
                    # the summands cancel to all their digits: a zero that nobody recognised, 0 +- a bound
                    ball = arb(0, ball.abs_upper())
                elif not ball.is_exact():
                    missing = max(missing, bits - accuracy)
                result[k] = Value(ball, first[k].proved and second[k].proved, "quadrature")
        if missing <= 0:
            return result
        extra += missing + 16
    return None


def _one_part(expr: Expr, d: int, ks: Sequence[int], bits: int) -> Values:
    """A summand; its zeros by symmetry are not integrated."""
    bound = vanishing(expr)
    zero = {k for k in ks if (limit := bound[k % 2]) is not None and k > limit}
    rest = [k for k in ks if k not in zero]
    found = _known_or_integrated(expr, d, rest, bits) if rest else {}
    return found | {k: Value.zero("symmetry") for k in zero}


def _known_or_integrated(expr: Expr, d: int, ks: Sequence[int], bits: int) -> Values:
    if Resolver(expr).switching:
        return panel_quadrature(expr, d, ks, bits)
    found = _in_closed_form(expr, d, ks, bits)
    return _smooth(expr, d, ks, bits) if found is None else found


def _in_closed_form(expr: Expr, d: int, ks: Sequence[int], bits: int) -> Values | None:
    try:
        return closed_form(expr, d, ks, bits) if is_cheap(expr) else None
    except PrecisionError:
        return None  # heavy cancellation between the summands: integrate instead
