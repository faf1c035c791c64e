"""Bounds along a line from an end: |Im R| <= B x^beta on the slit beyond it, |R| <= B t^beta |log t|^J inside.

R is kappa minus its terms below t^beta. On the upper side of the slit t = x e^(-i pi), log t = log x - i pi. What is
left of the model, over x^beta, is a sum of x^a P(x^(1/q)) (log t)^j over the blocks, a >= 0; on pieces of a geometric
subdivision it is bounded in mean value form, next to 0 term by term.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from flint import acb, acb_poly, arb, fmpq
from sympy import Expr, Rational

from asymptok.atlas.local import Unproved
from asymptok.atlas.models.arithmetic import Frame, Model, below
from asymptok.atlas.models.rules import local_model
from asymptok.balls import ball
from asymptok.constants.exponents import Form, exponent_from_expr, exponent_to_expr, form_sub
from asymptok.precision import flint_precision

#: pieces of a line, and how much shorter each is than the one before
_PIECES, _SHRINK = 40, fmpq(7, 8)
_BOX_BITS = 80
#: exponents closer than this to the bottom of a logarithmic term do not carry a bound
_ROOM = Rational(1, 4)
#: terms beyond the exponents that are asked for
_BEYOND = (15, 40)


class EndExponent(NamedTuple):
    """An exponent with its coefficients by log power; `clean`: Im t^e (log t)^j is a multiple of x^e on the slit."""

    exponent: Expr
    coefficients: tuple[tuple[int, arb], ...]
    clean: bool


class Part(NamedTuple):
    """x^a P(y) (log t)^j, y = x^(1/grid); `exact` says that a = 0."""

    a: arb
    exact: bool
    lower: fmpq
    j: int
    poly: acb_poly
    slope: acb_poly


@dataclass(frozen=True)
class ModelLine:
    """A model, and the part 0 < x <= length of the slit (or of the interval, `inward`) that it answers for."""

    at: int
    length: fmpq
    model: Model
    inward: bool = False

    @property
    def grid(self) -> int:
        """No root of t will do."""
        return 0

    @cached_property
    def ordered(self) -> list[EndExponent]:
        """The exponents whose terms leave something in mu_k, ascending: all but 0, 1, 2, ... without logarithms."""
        found: dict[tuple[Form, fmpq], dict[int, arb]] = {}
        for form, rest, j, c in self.model.terms():
            if below(form) + rest < self.model.top:
                found.setdefault((form, rest), {})[j] = c
        result = []
        for (form, rest), powers in found.items():
            whole = not form and rest.q == 1
            if whole and rest >= 0:
                powers.pop(0, None)
            if powers:
                exponent = exponent_to_expr(form, rest)
                result.append(
                    EndExponent(exponent, tuple(sorted(powers.items())), max(powers) == (1 if whole else 0))
                )
        return sorted(result, key=lambda e: float(ball(e.exponent, prec=64).mid()))

    def coefficients(self, exponent: Expr) -> list[tuple[int, arb]]:
        """(j, c) with c t^exponent (log t)^j in kappa."""
        return next((list(e.coefficients) for e in self.ordered if e.exponent == exponent), [])

    def bound(self, beta: Expr, log_power: int = 0) -> arb:
        """B with |Im R| <= B x^beta for 0 < x <= length; inward |R| <= B x^beta |log x|^log_power."""
        return sum(self.shares(beta, log_power), arb(0)).upper()

    def shares(self, beta: Expr, log_power: int = 0) -> tuple[arb, arb]:
        """B as what the terms of the model contribute, and its rest."""
        parts = list(self._parts(beta))
        high = self.length
        with flint_precision(_BOX_BITS):
            best = arb(0)
            for _ in range(_PIECES):
                low = high * _SHRINK
                best = arb.max(best, self._on(parts, low, high, log_power))
                high = _rounded(low)
            best = arb.max(best, self._next_to_zero(parts, high, log_power))
            start = ball(beta)
            rest = self.model.rest * arb(self.length) ** (arb(self.model.top) - start)
            if not arb(self.model.top) >= start:
                raise Unproved("the model has fewer terms than the bound asks for")
            if log_power:
                rest = rest / abs(arb(self.length).log()) ** log_power
            return best, rest.upper()

    def _parts(self, beta: Expr) -> Iterator[Part]:
        q = self.model.frame.grid
        form, rest = exponent_from_expr(beta)
        for (number, j), (start, poly) in self.model.blocks.items():
            f = self.model.frame.forms[number]
            gap, shift = form_sub(f, form), -rest
            # the first index with an exponent from beta on
            if gap:
                value = ball(exponent_to_expr(gap, fmpq(0)), prec=192)
                ceiling = (-(value + arb(shift)) * q).ceil().unique_fmpz()
                if ceiling is None:
                    raise Unproved("exponents too close to each other for a bound")
                first = int(ceiling)
            else:
                scaled = -shift * q
                first = -int(-scaled.p // scaled.q)
            first = max(first, start)
            coefficients = poly.coeffs()[first - start :]
            if not coefficients:
                continue
            offset = shift + fmpq(first, q)
            a = arb(offset) if not gap else ball(exponent_to_expr(gap, offset))
            turned = [self._turned(f, fmpq(first + i, q), j, c) for i, c in enumerate(coefficients)]
            turned_poly = acb_poly(turned)
            yield Part(
                a, not gap and offset == 0, below(gap) + offset, j, turned_poly, turned_poly.derivative()
            )

    def _turned(self, form: Form, rest: fmpq, j: int, c: arb) -> acb:
        """c e^(-i pi e); a whole power without a logarithm is real on the slit, and no part of Im R."""
        if self.inward:
            return acb(c)
        if not form and rest.q == 1:
            return acb(0) if j == 0 else acb(c * (-1) ** int(rest.p % 2))
        value = arb(rest) if not form else ball(exponent_to_expr(form, rest))
        return c * acb(-value).exp_pi_i()

    def _size(self, z: acb) -> arb:
        return z.real if self.inward else z.imag

    def _log(self, x: arb) -> acb:
        return acb(x.log()) if self.inward else acb(x.log(), -arb.pi())

    def _on(self, parts: list[Part], low: fmpq, high: fmpq, log_power: int) -> arb:
        """|f| on one piece: |f(middle)| + half-width times |f'|."""
        q = self.model.frame.grid
        middle, half = arb((low + high) / 2), arb((high - low) / 2)
        x = arb(low).union(arb(high))
        y, y_middle = (z.root(q) if q > 1 else z for z in (x, middle))
        log, log_middle = self._log(x), self._log(middle)
        value = change = arb(0)
        for part in parts:
            power = (x**part.a if not part.exact else arb(1)) / x
            at_middle = part.poly(acb(y_middle)) * log_middle**part.j
            value += self._size(at_middle * (middle**part.a if not part.exact else 1))
            here = part.poly(acb(y))
            slope = (here * part.a + part.slope(acb(y)) * y / q) * log**part.j
            if part.j:
                slope += here * part.j * log ** (part.j - 1)
            change += self._size(slope * power)
        total = abs(value) + abs(change) * half
        if log_power:
            total = total / abs(arb(high).log()) ** log_power
        return total.upper()

    def _next_to_zero(self, parts: list[Part], high: fmpq, log_power: int) -> arb:
        """The sum of what each term is at most on (0, high]."""
        near = Frame(high, self.model.top, self.model.frame.grid)
        total = arb(0)
        logarithm = abs(arb(high).log())
        for part in parts:
            for i, c in enumerate(part.poly.coeffs()):
                if c.is_zero():
                    continue
                lower = part.lower + fmpq(i, near.grid)
                if part.exact and i == 0:
                    total += self._leading(c, part.j, log_power, logarithm)
                elif lower > 0:
                    size = abs(c) * near.largest(lower, part.j)
                    total += size / logarithm**log_power if log_power else size
                else:
                    raise Unproved("exponents too close to each other for a bound")
        return total

    def _leading(self, c: acb, j: int, log_power: int, logarithm: arb) -> arb:
        """|c| |log x|^(j - J), or on the slit the constant that t^e (log t)^j leaves."""
        if self.inward and j <= log_power:
            return abs(c) / logarithm ** (log_power - j)
        if not self.inward and (j == 0 or (j == 1 and c.imag.is_zero())):
            return abs(c.imag) if j == 0 else abs(c.real) * arb.pi()
        raise Unproved("a logarithm outweighs the power of the bound")


def _rounded(x: fmpq) -> fmpq:
    """x or a little more, with few digits: pieces may overlap."""
    scale = 1 << (24 + max(0, int(x.q).bit_length() - int(x.p).bit_length()))
    return fmpq(-int(-x.p * scale // x.q), scale)


def inward_line(expr: Expr, at: int, length: fmpq, top: fmpq) -> ModelLine:
    """The way inside up to t = length < 2; Unproved if the model does not reach so far."""
    return ModelLine(at, length, local_model(expr, at, length, top, real=True), inward=True)


def slit_line(expr: Expr, at: int, length: fmpq, top: fmpq) -> ModelLine:
    """The slit up to x = length < 2, with so many terms that the rest of the model counts little in bounds up to t^top.

    Unproved if the model does not reach so far.
    """
    for beyond in _BEYOND:
        line = ModelLine(at, length, local_model(expr, at, length, top + beyond))
        if line.model.rest.is_zero() or not any(ball(e.exponent) >= arb(top) for e in line.ordered):
            return line
        # a little below: a logarithm at t^top would outweigh it; and half way, for the rest of a long slit counts more
        highest, share = Rational(int(top.p), int(top.q)), 4 if beyond == _BEYOND[-1] else 32
        shares: list[tuple[arb, arb]] = []
        for beta in (highest - _ROOM, highest / 2 - _ROOM):
            with suppress(Unproved):  # there may be a logarithm at this very exponent
                shares.append(line.shares(beta))
        if all(rest < terms / share for terms, rest in shares):
            return line
    raise Unproved("the local model converges too slowly at the end of the slit")
