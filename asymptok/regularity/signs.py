"""Signs on a whole interval, for all values of the parameters."""

from __future__ import annotations

import sympy
from sympy import Expr, Mul, Rational, S

from asymptok.constants import decide
from asymptok.functions import record_of
from asymptok.regularity.boxes import Boxes, Parameters, sign_on
from asymptok.regularity.domains import NONZERO
from asymptok.regularity.enclosure import Enclosure
from asymptok.regularity.factoring import factored, reduced
from asymptok.regularity.intervals import CLOSED, OPEN, Interval, sign_of
from asymptok.regularity.ranges import monotone_range
from asymptok.symbols import u
from asymptok.truth import Sign, Truth

CHOICES = (sympy.Abs, sympy.sign, sympy.Heaviside, sympy.Max, sympy.Min, sympy.Piecewise)
#: cells on which a sign is looked for
_CELLS = 128


class Signs:
    """Signs on an interval, by ranges of several forms, by boxes, by monotonicity, by factors affine in u.

    >>> signs = Signs({})
    >>> signs.inside(u**2 - 2), signs.inside(sympy.exp(u) - u - 1)
    (NEGATIVE, UNKNOWN)
    """

    def __init__(self, parameters: Parameters, domain: Interval = CLOSED) -> None:
        self.parameters, self.domain = parameters, domain
        self.open = Interval(domain.lo, domain.hi, True, True)

    def inside(self, x: Expr) -> Sign:
        """The sign on the domain without its ends."""
        return self.of(x, self.open)

    def of(self, x: Expr, domain: Interval) -> Sign:
        """The sign on another interval."""
        if not isinstance(x, Expr):
            return Sign.UNKNOWN
        for shape in (None, factored, reduced):
            found = Enclosure(domain, self.parameters).range(x if shape is None else shape(x))
            if found.nonzero():
                return Sign.shown(found.positive(), found.negative())
        record = record_of(x.func)
        rule = record.monotone(x) if record is not None and len(x.args) == 1 else None
        if rule is not None and rule.sign == 1 and x.func(S.Zero) == 0:
            # sinh, tanh, atan, erf have the sign of their argument
            return self.of(x.args[0], domain)
        sign = self._with_parameters(x, domain) if self.parameters else _by_boxes(x, domain)
        sharper = None if sign.known else monotone_range(x, self.parameters, domain)
        return sign if sharper is None else Sign.shown(sharper.positive(), sharper.negative())

    def _with_parameters(self, x: Expr, domain: Interval) -> Sign:
        sign = self._of_product(factored(x), domain)
        ends = [
            end
            for end, left_out in ((domain.lo, domain.lo_open), (domain.hi, domain.hi_open))
            if not left_out
        ]
        if sign.known or not (ends or not x.is_polynomial(u)):
            return sign
        # u is one more parameter, in its open interval; ends that belong to the domain are asked for by themselves
        sign = sign_with_parameters(x, {**self.parameters, u: (domain.lo, domain.hi)}, enclose=False)
        alike = all(sign_with_parameters(x.subs(u, end), self.parameters) is sign for end in ends)
        return sign if alike else Sign.UNKNOWN

    def _of_product(self, x: Expr, domain: Interval) -> Sign:
        """By factors affine in u: between the ends they lie strictly between their values there."""
        total = Sign.POSITIVE
        for base, exponent in (factor.as_base_exp() for factor in Mul.make_args(x)):
            if not (base.is_polynomial(u) and sympy.degree(base, u) <= 1 and exponent.is_Integer):
                return Sign.UNKNOWN
            signs = {
                sign_with_parameters(base.subs(u, end), self.parameters) for end in (domain.lo, domain.hi)
            }
            if domain.lo_open and domain.hi_open and len(signs) == 2:
                signs -= {Sign.ZERO}
            (sign,) = signs if len(signs) == 1 else {Sign.UNKNOWN}
            if not sign.nonzero:
                return Sign.UNKNOWN
            total = total * sign if exponent % 2 else total
        return total

    def defined(self, x: Expr) -> bool:
        """Whether the expression is a real number on the whole domain but for its ends, smooth or not."""
        enclosure = Enclosure(self.open, self.parameters)
        enclosure.range(x)
        # a choice is defined where its arguments are
        return not enclosure.unknown and all(r.node.func in CHOICES for r in enclosure.failed)

    def real(self, x: Expr) -> bool:
        """Whether the expression is real wherever it is defined: what may fail is that it is not divided by zero."""
        enclosure = Enclosure(self.open, self.parameters)
        enclosure.range(x)
        return not enclosure.unknown and all(
            r.relation == NONZERO or r.node.func in CHOICES for r in enclosure.failed
        )

    def truth(self, condition: Expr) -> Truth:
        """Whether a condition holds on the domain."""
        return Enclosure(self.domain, self.parameters).truth(condition)


def _by_boxes(x: Expr, domain: Interval) -> Sign:
    """By balls on the closed domain, cut into equal cells; without a fixed end there are none."""
    low, high = domain.lo, domain.hi
    if not (isinstance(low, Rational) and isinstance(high, Rational)):
        return Sign.UNKNOWN
    boxes, step, sign = Boxes(x), (high - low) / _CELLS, Sign.UNKNOWN
    for j in range(_CELLS):
        here = Sign.of(sign_on(boxes, low + j * step, low + (j + 1) * step))
        if not here.nonzero or (sign.known and here is not sign):
            return Sign.UNKNOWN
        sign = here
    return sign


def sign_with_parameters(expr: Expr, parameters: Parameters, enclose: bool = True) -> Sign:
    """The sign of a constant with parameters, if it is the same for all their values."""
    if not expr.free_symbols:
        return sign_of(expr)
    for form in dict.fromkeys((expr, factored(expr))) if enclose else ():
        found = Enclosure(OPEN, parameters).range(form)
        if found.nonzero():
            return Sign.shown(found.positive(), found.negative())
    return decide.sign(expr, parameters)
