"""mu_k by the cheapest of the methods that apply; summands apart if they differ in kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import process_time

import sympy
from flint import arb
from sympy import Expr

from asymptok.atlas.local import Doubt, Unproved
from asymptok.atlas.pieces import idle_removed
from asymptok.atlas.switches import Resolver, prepared
from asymptok.errors import AsymptokError, PrecisionError
from asymptok.kernels.means import Mean
from asymptok.precision import flint_precision
from asymptok.regularity.identities import simplified
from asymptok.spectrum.closed_forms import closed_form, is_cheap
from asymptok.spectrum.disc import disc_quadrature
from asymptok.spectrum.kinked import kinked_nodes, kinked_values, split_kinked
from asymptok.spectrum.methods import Task, by_cost
from asymptok.spectrum.panels import panel_quadrature
from asymptok.spectrum.parity import vanishing
from asymptok.spectrum.power_series import power_series_values
from asymptok.spectrum.quadrants import quadrant_values
from asymptok.spectrum.quadrature import quadrature
from asymptok.spectrum.value import Value, Values

#: mu_k of a part of the kernel to so many bits
Part = Callable[[int], Values]
#: seconds of processor time after which summands that cancel are left at their bound
_SECONDS = 1.5
#: bits that two summands may cancel before the kernel is integrated as a whole
_MOST_LOST = 600


def integrate(expr: Expr, d: int, ks: Sequence[int], bits: int, mean: Mean | None = None) -> Values:
    """mu_k for k in `ks` to `bits` bits relative to its size; more ways are open for a mean of products."""
    task = Task(expr, d, ks, bits, mean)
    if not task.by_series:
        # a detour such as cos(3 acos(x)) may be a polynomial
        plain = simplified(expr, {})
        known = _in_closed_form(plain, d, ks, bits) if plain != expr else None
        if known is not None:
            return known
        task = Task(idle_removed(prepared(plain)), d, ks, bits, mean)
        found = _split(task) if task.switching else None
        if found is not None:
            return found
    return _cheapest(task)


def _cheapest(task: Task) -> Values:
    """By the method that costs least of those that apply; where it proves nothing, by the next one."""
    reason = Unproved("no method applies to the kernel")
    for name in by_cost(task, *RUN):
        try:
            found = RUN[name](task)
        except Unproved as error:
            reason = error
            continue
        if found is not None:
            return found
    raise reason


def _power_series(task: Task) -> Values:
    series = _with_kinks if kinked_nodes(task.expr) else power_series_values
    return series(task.expr, task.d, task.ks, task.bits)


def _disc(task: Task) -> Values:
    assert task.mean is not None
    return disc_quadrature(task.expr, task.mean, task.d, task.ks, task.bits)


def _split(task: Task) -> Values | None:
    """The summands without a switch apart from those with one, if there are both."""
    if not task.expr.is_Add:
        return None
    switching = Resolver(task.expr).switching
    smooth = [a for a in task.expr.args if a not in switching]
    if not smooth:
        return None
    rest = [a for a in task.expr.args if a in switching]
    return _by_parts(sympy.Add(*smooth), sympy.Add(*rest), task.d, task.ks, task.bits)


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


def _quadrants(task: Task) -> Values | None:
    """The kernel of a piecewise polynomial activation; None if a summand is too singular by itself."""
    form = task.form
    assert form is not None

    def mine(wanted: int) -> Values:
        return quadrant_values(form, task.d, task.ks, wanted)

    def others(wanted: int) -> Values:
        return _one_part(form.rest, task.d, task.ks, wanted)

    return _added(mine, others, task.ks, task.bits)


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
    task = Task(expr, d, ks, bits)
    found = None if task.switching else _in_closed_form(expr, d, ks, bits)
    return _cheapest(task) if found is None else found


def _in_closed_form(expr: Expr, d: int, ks: Sequence[int], bits: int) -> Values | None:
    try:
        return closed_form(expr, d, ks, bits) if is_cheap(expr) else None
    except PrecisionError:
        return None  # heavy cancellation between the summands: integrate instead


#: the methods of this file; ellipse and panels know nothing of means
RUN: dict[str, Callable[[Task], Values | None]] = {
    "power series": _power_series,
    "ellipse": lambda task: quadrature(task.expr, task.d, task.ks, task.bits),
    "quadrants": _quadrants,
    "disc": _disc,
    "panels": lambda task: panel_quadrature(task.expr, task.d, task.ks, task.bits),
}
