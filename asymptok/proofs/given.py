"""A certificate for a kernel that is given by its eigenvalues: the formula itself, written in the terms of the others.

mu_k is the sum of the exact terms behind the formula and a rest, |rest| <= B T(beta, k) for all k > beta: for large k
by the formula followed to k = oo, for the others one by one. Neither a contour nor kappa(u) is needed.
"""

from __future__ import annotations

from flint import arb, fmpq
from sympy import Expr

from asymptok.atlas.factors import gamma_ratio, slit_factor
from asymptok.errors import AsymptokError
from asymptok.kernels.at_infinity import NotModelled
from asymptok.kernels.given import largest_beyond, law_ball, part_of_law, rest_beyond, sign_of_law
from asymptok.kernels.given_form import GivenForm, given_form
from asymptok.kernels.singular_part import SingularPart
from asymptok.laws.given import total
from asymptok.precision import flint_precision
from asymptok.series.truncated import ceil
from asymptok.spectrum.closed_forms import closed_form
from asymptok.spectrum.value import Values
from asymptok.truth import Sign

__all__ = ["GivenSigns", "given_bound", "given_parts", "given_signs", "given_value"]

#: powers of 1/k that are claimed behind the last of the leading ones
_POWERS = 6
#: where the formula is followed to k = oo from
_STARTS = (64, 128, 256, 512, 1024, 2048)
#: heights of curves, of which there are none: their share is 0
HEIGHT = fmpq(4)


def given_value(form: GivenForm, k: int, d: int) -> arb | None:
    """mu_k by the formula; None in another dimension or where a polynomial adds to it."""
    return law_ball(total(form, k % 2), k) if d == form.dimension and k > form.degree else None


def given_parts(form: GivenForm) -> tuple[dict[int, SingularPart], fmpq] | None:
    """The exact terms at each end, and beta, which lies behind them all; None where no powers of k are given."""
    d = form.dimension
    laws = {side: law for side in (1, -1) if (law := form.at(side)) != 0}
    leads = {side: part_of_law(law, d, 0) for side, law in laws.items()}
    powers = {side: 2 * part.terms[0][0] + d - 1 for side, part in leads.items() if part is not None}
    if not powers or len(powers) < len(laws):
        return None
    last = max(powers.values()) + _POWERS
    parts = {side: part_of_law(law, d, last - powers[side]) for side, law in laws.items()}
    beta = (last + fmpq(1, 60) - d + 1) / 2
    return {side: part for side, part in parts.items() if part is not None}, beta


def given_bound(expr: Expr, form: GivenForm, bits: int, later: int = 0) -> arb | None:
    """B with |mu_k - terms| <= B T(beta, k) for all k > beta; None where it is not seen.

    The formula is followed from a degree on that `later` puts off.
    """
    found = given_parts(form)
    if found is None:
        return None
    parts, beta = found
    d = form.dimension
    with flint_precision(bits):
        for start in _STARTS[later:]:
            try:
                far = _far(form, parts, beta, start)
            except NotModelled:
                continue
            if not far.is_finite() or start <= form.degree:
                continue
            first = int(beta.p // beta.q) + 1
            values = closed_form(expr, d, range(max(first, 0), start), bits)
            return None if values is None else arb.max(far, _near(parts, beta, d, values))
    return None


def _far(form: GivenForm, parts: dict[int, SingularPart], beta: fmpq, start: int) -> arb:
    """For k >= start: |rest| N^s is bounded, s = 2 beta + d - 1, and N^s Gamma(k-beta)/Gamma(k+beta+d-1) >= 1."""
    d, order = form.dimension, 2 * beta + form.dimension - 1
    n, size = arb(fmpq(2 * start + d - 2, 2)), arb(0)
    for side, part in parts.items():
        powers = order - fmpq(1, 60) - (2 * part.terms[0][0] + d - 1)
        beyond = rest_beyond(form.at(side), d, powers, start)
        assert beyond is not None
        _, left, g = beyond
        if fmpq(left.power, g) < order:
            raise NotModelled("the next power of k is too near")
        size += left.size() * n ** (arb(order) - arb(fmpq(left.power, g)))
    for law in {law for parity in (0, 1) for law in form.of_parity(parity)[1]}:
        size += largest_beyond(law, d, ceil(order), start)
    front = slit_factor(arb(beta), start, d) / gamma_ratio(arb(beta), start, d)
    return arb((size / front).upper())


def _near(parts: dict[int, SingularPart], beta: fmpq, d: int, values: Values) -> arb:
    """For the degrees below, one by one."""
    size = arb(0)
    for k, value in values.items():
        terms = sum(
            (part.eigenvalue(k, 400) * (side if k % 2 else 1) for side, part in parts.items()), arb(0)
        )
        size = arb.max(size, arb((abs(value.ball - terms) / slit_factor(arb(beta), k, d)).upper()))
    return size


class GivenSigns:
    """The signs of all mu_k, as far as they follow from the formula."""

    def __init__(self, expr: Expr, form: GivenForm) -> None:
        found = [sign_of_law(*form.of_parity(parity), form.dimension) for parity in (0, 1)]
        last = max([form.degree + 1, 2, *(start for _, start in found)])
        values = closed_form(expr, form.dimension, range(last), 64) or {}
        negative = [k for k, value in values.items() if value.ball < 0]
        for parity, (sign, start) in enumerate(found):
            first = max(start, form.degree + 1)
            negative += [first + (first - parity) % 2] if sign is Sign.NEGATIVE else []
        fine = all(value.ball >= 0 for value in values.values()) and len(values) == last
        known = all(sign in (Sign.POSITIVE, Sign.ZERO) for sign, _ in found)
        self.offending = min(negative, default=None)
        self.positive = False if negative else True if fine and known else None
        zero = any(sign is Sign.ZERO for sign, _ in found)
        self.strict = False if negative or zero else True if self.positive else None


def given_signs(expr: Expr, d: int) -> GivenSigns | None:
    """What the formula says in its dimension; None for other kernels, and in others."""
    form = given_form(expr)
    if form is None or form.dimension != d:
        return None
    try:
        return GivenSigns(expr, form)
    except AsymptokError:
        return None
