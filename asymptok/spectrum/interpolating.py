"""kappa on arrays of doubles by polynomials in theta = acos(u), built once from balls, with a proved error.

[0, pi] is cut into cells, and on each of them kappa(cos theta) is replaced by its Chebyshev interpolant. If f is
analytic with |f| <= M on the Bernstein ellipse rho of a cell, the interpolant of degree n errs by at most
4 M rho^-n/(rho - 1). There are two ways to the bound M.

Networks and other kernels that are analytic in theta beyond both ends: one ellipse around all of [0, pi]
(`quadrature.around_interval`), which contains a disc around every cell; the cells have equal width. Zeros of
kappa at the ends are taken out as powers of the distance, so that the relative error stays small next to them.

Kernels with a singularity at an end, such as Matern kernels: cells that shrink by halves towards both ends, down to
the smallest angle between doubles, each with its own ellipse (`charts`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import acosh, ceil, cosh, exp, log2, pi, sinh, sqrt

import numpy as np
from flint import arb, arb_poly, fmpq
from numpy.typing import NDArray
from sympy import Expr

from asymptok import dag
from asymptok.atlas.charts import Chart, boundary
from asymptok.atlas.local import Unproved, behaviour, substitution_power
from asymptok.atlas.pieces import idle_removed
from asymptok.atlas.program import Program, program
from asymptok.atlas.rewriting import rewritten
from asymptok.atlas.switches import Resolver, prepared
from asymptok.balls import compile_ball
from asymptok.errors import AsymptokError
from asymptok.kernels.kernel import Kernel
from asymptok.kernels.values import evaluate
from asymptok.points import Array
from asymptok.precision import flint_precision
from asymptok.quantities import BallFunction
from asymptok.spectrum.chebyshev import BITS, coefficients, polynomial
from asymptok.spectrum.quadrature import around_interval
from asymptok.symbols import u

__all__ = ["Interpolant", "interpolant"]

#: the error of an interpolant relative to the size of kappa on the cell, as a power of two
_GOAL = 54
#: cells of equal width that are tried, and the degree that is low enough
_CELLS = (16, 32, 64, 128, 256)
_LOW_DEGREE, _MOST_DEGREE = 12, 24
#: parts that each of them is cut into, until this degree is enough
_PARTS, _REFINED_DEGREE = (4, 8, 16, 32, 64), 5
#: values of the parameter of the ellipse
_BETAS = tuple(fmpq(j, 64) for j in (16, 32, 64))
#: halvings towards an end: acos of the double next to 1 is 2^-26
_LEVELS = 28
_SUBCELLS = (2, 4, 16, 64)
#: the parameter of the ellipse of a cell, about log 4
_BETA = fmpq(88, 64)
#: below this share of the largest value a zero inside is assumed, and the error is no longer relative
_SMALLEST = 2.0**-40


@dataclass(frozen=True)
class Interpolant:
    """A function of arrays of doubles in [-1, 1]; `error` bounds what the polynomials err, relative to kappa.

    The rounding of double arithmetic, a few units in the last place, comes on top.
    """

    function: Callable[[Array], Array]
    cells: int
    degree: int
    error: float

    def __call__(self, x: Array) -> Array:
        return self.function(x)


@lru_cache(maxsize=64)
def interpolant(expr: Expr, graded: bool = True) -> Interpolant | None:
    """The interpolant of a kernel without parameters; None if no proof is found, or if there is nothing to gain.

    On one ellipse it takes some hundred values to build, graded towards the ends some ten thousand.

    >>> from asymptok import kernels
    >>> found = interpolant(kernels.ntk(3).expr)
    >>> found.error < 2**-52, float(found(np.array([1.0]))[0])
    (True, 3.0)
    """
    try:
        expr = idle_removed(prepared(expr))
        if Resolver(expr).switching or u not in dag.free_symbols(expr):
            return None
        try:
            if substitution_power(expr) == 1:
                found = _on_one_ellipse(expr)
                if found is not None:
                    return found
        except Unproved:
            pass
        return _graded(expr) if graded else None
    except (Unproved, AsymptokError):
        return None


# ---------------------------------------------------------------------------------- one ellipse


def _on_one_ellipse(expr: Expr) -> Interpolant | None:
    """Cells of equal width; s = 2 theta/pi - 1 runs through [-1, 1], with the ellipse around it."""
    zeros = [int(2 * behaviour(expr, at)[expr].order) for at in (1, -1)]
    if min(zeros) < 0:
        return None
    bounds = _bounds(expr, sum(zeros))
    if not bounds:
        return None
    values = _values(expr, zeros)
    sizes = [abs(float(values(fmpq(j, 64)).mid())) for j in range(1, 64)]
    size = max(min(sizes), _SMALLEST * max(sizes))
    best: tuple[int, int] | None = None
    for cells in _CELLS:
        degree = _degree(cells, bounds, log2(size))
        if degree is not None and (best is None or degree < best[1]):
            best = (cells, degree)
        if best is not None and best[1] <= _LOW_DEGREE:
            break
    if best is None or best[1] > _MOST_DEGREE:
        return None
    cells, degree = best
    polynomials = [polynomial(values, fmpq(i, cells), fmpq(i + 1, cells), degree) for i in range(cells)]
    table = _refined(polynomials, size)
    cells, degree = table.shape[1], len(table) - 1
    return Interpolant(_equal_cells(table, cells, zeros), cells, degree, 1.5 * 2.0**-_GOAL + 2.0**-53)


def _refined(polynomials: Sequence[Sequence[arb]], size: float) -> Array:
    """The same polynomials on so many parts of each cell that a low degree is enough: fewer steps at each point.

    A polynomial in y = y_0 + z/parts, |z| <= 1/2, written in z loses |c_n| 2^-n with each term that is left out; all
    of them together stay below 2^-(_GOAL + 1) of the size. A column of the table for each part.
    """
    for parts in _PARTS:
        columns, needed = [], 0
        with flint_precision(BITS):
            for coefficients in polynomials:
                whole = arb_poly(coefficients)
                for j in range(parts):
                    moved = whole(arb_poly([fmpq(2 * j + 1 - parts, 2 * parts), fmpq(1, parts)]))
                    columns.append([float(c.mid()) for c in moved.coeffs()])
        column_of = np.zeros((max(map(len, columns)), len(columns)))
        for i, column in enumerate(columns):
            column_of[: len(column), i] = column
        left_out = np.cumsum((np.abs(column_of) * 2.0 ** -np.arange(len(column_of))[:, None])[::-1], axis=0)
        needed = len(column_of) - int(np.argmax(left_out.max(axis=1) > 2.0 ** -(_GOAL + 1) * size)) - 1
        if needed <= _REFINED_DEGREE:
            break
    return column_of[: max(needed, 1) + 1].copy()


def _bounds(expr: Expr, zeros: int) -> list[tuple[float, float]]:
    """(beta, log2 of a bound of |kappa| over the distances to its zeros) for the ellipses that are proved."""
    found = []
    for beta in _BETAS:
        around = around_interval(expr, 1, beta)
        if around is None:
            break
        b = float(int(beta.p)) / float(int(beta.q))
        # on the ellipse |1 + s| and |1 - s| are at least cosh(beta) - 1
        nearest = log2(pi / 2 * (cosh(b) - 1))
        found.append((b, float(np.max(around.kappa)) - zeros * nearest + 0.01))
    return found


def _degree(cells: int, bounds: Sequence[tuple[float, float]], log2_size: float) -> int | None:
    """The least degree with which every cell errs by less than 2^-_GOAL of the size, by the best ellipse for each."""
    worst = 0
    half = 1.0 / cells
    for i in range((cells + 1) // 2):
        # in s the cell is [-1 + 2 i/cells, -1 + 2 (i+1)/cells]; the other half is its mirror image
        centre = abs(-1 + (2 * i + 1) * half)
        best: int | None = None
        for beta, log2_bound in bounds:
            wide, high = cosh(beta), sinh(beta)
            # the distance of a point between the foci from the ellipse
            radius = high * sqrt(1 - centre**2) if centre * wide <= 1 else wide - centre
            ratio = radius / half * (1 - 1e-9)
            if ratio <= 1.2:
                continue
            rho = np.exp(acosh(ratio))
            # 4 M rho^-n/(rho - 1) <= 2^-goal size
            n = ceil((2 + log2_bound - log2(rho - 1) + _GOAL - log2_size + 0.01) / log2(rho))
            best = n if best is None else min(best, n)
        if best is None:
            return None
        worst = max(worst, best)
    return max(worst, 1)


def _values(expr: Expr, zeros: Sequence[int]) -> Callable[[fmpq], arb]:
    """x -> kappa(cos(pi x))/(theta^a (pi - theta)^b) on balls."""
    kappa = compile_ball(expr, [u])

    def value(x: fmpq) -> arb:
        with flint_precision(BITS):
            theta = arb.pi() * arb(x)
            below = theta ** zeros[0] * (arb.pi() - theta) ** zeros[1]
            found = kappa(theta.cos()) / below
            if not found.is_finite() or found.rad() > abs(found.mid()) * arb((1, -_GOAL - 12)) + arb(
                (1, -120)
            ):
                raise AsymptokError("a value of the kernel is not known to the digits of a double")
            return found

    return value


def _equal_cells(table: Array, cells: int, zeros: Sequence[int]) -> Callable[[Array], Array]:
    at_one, at_minus_one = zeros

    def run(x: Array) -> Array:
        value = _horner(table, *_split(np.arccos(x) * (cells / pi), cells))
        # acos(x) and acos(-x) are accurate next to the ends where they vanish
        for zero, order in ((x, at_one), (-x, at_minus_one)):
            if order:
                distance = np.arccos(zero)
                for _ in range(order):
                    value *= distance
        return value

    return run


def _split(z: Array, cells: int) -> tuple[NDArray[np.int64], Array]:
    """The cell and the place in it, from -1/2 to 1/2."""
    index = z.astype(np.intp)
    np.minimum(index, cells - 1, out=index)
    z -= index
    z -= 0.5
    return index, z


def _horner(table: Array, index: object, y: Array) -> Array:
    value = table[-1].take(index, mode="clip")
    part = np.empty_like(value)
    for row in table[-2::-1]:
        value *= y
        row.take(index, out=part, mode="clip")
        value += part
    return value


# ---------------------------------------------------------------------------- cells that shrink


@dataclass(frozen=True, slots=True)
class _Side:
    """u >= 0 or u < 0: cells [2^-j-1, 2^-j] of x = 2 acos(|u|)/pi, each in equal parts, and one [0, 2^-last]."""

    parts: list[int]
    rows: list[Array]
    degree: int


def _graded(expr: Expr) -> Interpolant | None:
    kappa, values = program(rewritten(expr), ends=False), compile_ball(expr, [u])
    sides = [_side(kappa, values, sign) for sign in (1, -1)]
    degree = max(side.degree for side in sides)
    table = np.array([row[: degree + 1] for side in sides for row in side.rows]).T.copy()
    levels = max(len(side.parts) for side in sides)
    # per side and level: where its cells begin, how many there are, and the scale and shift of x
    first, parts, shift, last = [], [], [], []
    begin = 0
    for side in sides:
        count = len(side.parts)
        last.append(count - 1)
        for level in range(levels):
            known = min(level, count - 1)
            first.append(begin + sum(side.parts[:known]))
            parts.append(side.parts[known])
            shift.append(0.0 if known == count - 1 else 1.0)
        begin += sum(side.parts)
    first_of, parts_of = np.array(first), np.array(parts, dtype=float)
    shift_of, last_of = np.array(shift), np.array(last)
    ends = [_end_value(expr, at) for at in (1, -1)]

    def run(x: Array) -> Array:
        left = (x < 0).astype(np.intp)
        w = np.minimum(np.arccos(np.abs(x)) * (2 / pi), 1 - 2.0**-53)
        _, exponent = np.frexp(w)
        level = np.minimum(-exponent, last_of.take(left))
        place = left * levels + level
        # [2^-j-1, 2^-j) becomes [0, 1) by 2^(j+1) x - 1, and [0, 2^-last) by 2^last x
        rise = shift_of.take(place)
        z = (np.ldexp(w, level + rise.astype(np.intp)) - rise) * parts_of.take(place)
        index = z.astype(np.intp)
        np.minimum(index, parts_of.take(place).astype(np.intp) - 1, out=index)
        z -= index
        z -= 0.5
        index += first_of.take(place)
        value = _horner(table, index, z)
        at_end = w == 0
        if at_end.any():
            value[at_end & (left == 0)], value[at_end & (left == 1)] = ends
        return value

    return Interpolant(run, table.shape[1], degree, 2.0**-_GOAL + 2.0**-52)


def _side(kappa: Program, values: BallFunction, sign: int) -> _Side:
    """The cells of one side, from the middle to the end; the last one reaches the end if kappa is analytic there."""
    parts: list[int] = []
    rows: list[Array] = []
    degree = 1
    for level in range(_LEVELS):
        try:
            row, needed = _graded_cell(kappa, values, sign, fmpq(0), fmpq(1, 2 ** (level + 1)))
            return _Side([*parts, 1], [*rows, row], max(degree, needed))
        except Unproved:
            pass
        count, found = _level(kappa, values, sign, level)
        parts.append(count)
        rows += [row for row, _ in found]
        degree = max(degree, *(needed for _, needed in found))
    # what is left is nearer to the end than any double but the end itself
    return _Side([*parts, 1], [*rows, np.zeros_like(rows[0])], degree)


def _level(
    kappa: Program, values: BallFunction, sign: int, level: int
) -> tuple[int, list[tuple[Array, int]]]:
    low = fmpq(1, 2 ** (level + 2))
    for count in _SUBCELLS:
        width = low / count
        try:
            cells = [(low + i * width, low + (i + 1) * width) for i in range(count)]
            # the widest change is at one of the two ends: a quick no
            for first, second in (cells[0], cells[-1]):
                _degree_of_cell(kappa, values, sign, first, second)
            return count, [_graded_cell(kappa, values, sign, *cell) for cell in cells]
        except Unproved:
            continue
    raise Unproved("the kernel varies too much on a cell")


def _degree_of_cell(kappa: Program, values: BallFunction, sign: int, low: fmpq, high: fmpq) -> int:
    """The degree that the proof asks for; Unproved if there is none below the limit."""
    with flint_precision(_precision(low, high)):
        size = abs(values(sign * (arb.pi() * arb((low + high) / 2)).cos()))
        around = boundary(kappa, Chart(low, high) if sign == 1 else Chart(1 - high, 1 - low), _BETA)
        if around is None or not size > 0:
            raise Unproved("no bound, or a zero in the middle of a cell")
        excess = float(np.max(around.kappa)) - float(size.lower().log() / arb(2).log())
    # 4 M rho^-n/(rho - 1) <= 2^-goal-1 size
    rho = exp(around.beta)
    degree = ceil((excess + log2(4 / (rho - 1)) + 0.01 + _GOAL + 1) / log2(rho))
    if degree > 2 * _MOST_DEGREE:
        raise Unproved("the kernel varies too much on a cell")
    return degree


def _precision(low: fmpq, high: fmpq) -> int:
    """u = 1 - theta^2/2 needs twice the bits of theta."""
    return 96 + 2 * int((high - low).q).bit_length()


def _graded_cell(kappa: Program, values: BallFunction, sign: int, low: fmpq, high: fmpq) -> tuple[Array, int]:
    """Coefficients on theta/pi in [low, high] (from the end that `sign` says), and how many of them matter."""
    degree = _degree_of_cell(kappa, values, sign, low, high)
    prec = _precision(low, high)

    def value(x: fmpq) -> arb:
        with flint_precision(prec):
            found = values(sign * (arb.pi() * arb(x)).cos())
            if not found.rel_accuracy_bits() >= _GOAL + 8:
                raise Unproved("a value of the kernel is not known to the digits of a double")
            return found

    row = coefficients(value, low, high, degree)
    # what is left out of the polynomial in y, |y| <= 1/2
    rest, needed = 0.0, degree
    limit = 2.0 ** -(_GOAL + 1) * abs(row[0])
    while needed > 1 and rest + abs(row[needed]) * 2.0**-needed <= limit:
        rest += abs(row[needed]) * 2.0**-needed
        needed -= 1
    if needed > _MOST_DEGREE:
        raise Unproved("the kernel varies too much on a cell")
    padded = np.zeros(2 * _MOST_DEGREE + 1)
    padded[: needed + 1] = row[: needed + 1]
    return padded, needed


def _end_value(expr: Expr, at: int) -> float:
    return float(evaluate(Kernel(expr), at, 20))
