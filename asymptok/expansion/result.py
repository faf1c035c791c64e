"""A truncated generalised series with its remainder: what it says, its arithmetic, and how it is shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Protocol

import mpmath
from flint import fmpq
from sympy import Add, Expr, Min, Mul, Order, Pow, Rational, Symbol, log
from sympy.printing.pretty.pretty import PrettyPrinter
from sympy.printing.pretty.stringpict import prettyForm

from asymptok import dag
from asymptok.arguments import checked_digits
from asymptok.balls import ball, exact_point
from asymptok.constants import decide
from asymptok.constants.exponents import (
    RATIONAL,
    exponent_from_expr,
    exponent_to_expr,
    form_sub,
    to_fmpq,
)
from asymptok.constants.normal_form import shortest, written
from asymptok.errors import AsymptokError, PrecisionError, Undecided
from asymptok.expansion.ordering import RawTerm, ascending, dominant, is_polynomial
from asymptok.functions.long_constant import readable
from asymptok.kernels.kernel import Kernel
from asymptok.parameters import exact_number
from asymptok.precision import digits_to_bits, flint_precision
from asymptok.quantities import Element, midpoint
from asymptok.series.algebra import carried_over, rescaled, same
from asymptok.series.truncated import OTerm, Series, antichain
from asymptok.show.expansion import expansion_html, expansion_latex, expansion_pretty, expansion_text
from asymptok.show.preformatted import Page
from asymptok.slots import Slot
from asymptok.symbols import t as default_t
from asymptok.truth import Truth


class ProvedBound(Protocol):
    """|kappa - sum of terms| <= constant t^exponent |log t|^log_power for 0 < t <= radius; a function of t as well."""

    @property
    def constant(self) -> mpmath.mpf: ...
    @property
    def exponent(self) -> Expr: ...
    @property
    def log_power(self) -> int: ...
    @property
    def radius(self) -> Rational: ...
    def __call__(self, t: object) -> mpmath.mpf: ...


_remainder_bound: Slot[[Expansion, object], ProvedBound] = Slot("remainder_bound")
_expand: Slot[..., Expansion] = Slot("expand")


@dataclass(frozen=True, slots=True)
class Term:
    """One term c t^e (log t)^j; in the remainder the coefficient is 1 and stands for a bounded factor."""

    coefficient: Expr
    exponent: Expr
    log_power: int

    def as_expr(self, t: Expr) -> Expr:
        return Mul(self.coefficient, Pow(t, self.exponent), Pow(log(t), self.log_power))


@dataclass(frozen=True, eq=False)
class Expansion:
    """f(t) = sum of terms + remainder as t -> 0+, exact in every coefficient.

    >>> from asymptok import expand
    >>> e = expand("(pi - acos(u))/pi", at=1, order=2)
    >>> e
    1 - sqrt(2)/pi*t**(1/2) - sqrt(2)/(12*pi)*t**(3/2) + O(t**(5/2))
    >>> e.nu, e.coefficient
    (1/2, -sqrt(2)/pi)
    """

    series: Series = field(repr=False)
    order: Expr
    at: Expr | int | None = None
    subject: Kernel | Expr | None = None
    variable: Symbol = default_t

    @property
    def end(self) -> int:
        """The end of [-1, 1] at which a kernel was expanded, 1 or -1."""
        if self.at == 1 or self.at == -1:
            return int(self.at)
        raise AsymptokError(f"this is an expansion at {self.at}, not of a kernel at +1 or -1")

    def subs(self, *args: object, **values: object) -> Expansion:
        """The expansion of the kernel at values, or on narrower ranges, of its parameters.

        >>> from asymptok import expand, kernels
        >>> expand(kernels.gamma_exponential("g"), order=1).subs(g=1)
        1 - t**(1/2) + 1/2*t + O(t**(3/2))
        """
        if not isinstance(self.subject, Kernel):
            raise AsymptokError(
                "values are put into the expansion of a kernel: put them into the expression first"
            )
        return _expand(self.subject.subs(*args, **values), self.end, self.order)

    # what it says ----------------------------------------------------------------------------------------

    @cached_property
    def raw_terms(self) -> list[RawTerm]:
        """The non-zero terms up to the order, in no particular order, as the coefficient domain has them."""
        dom, ranges = self.series.dom, self.series.dom.ranges
        top = to_fmpq(self.order)
        return [
            (c, form, rest, j)
            for c, form, rest, j in self.series.terms()
            if not ranges.sign(form, rest - top).positive and not dom.is_proved_zero(c)
        ]

    @cached_property
    def in_order(self) -> tuple[list[RawTerm], list[RawTerm]]:
        """The terms that lie below all later ones whatever the parameters, ascending; and those that none leads.

        At one exponent the higher power of the logarithm comes first.
        """
        return ascending(self.series.dom.ranges, self.raw_terms)

    @property
    def _sorted(self) -> list[RawTerm]:
        """All terms ascending; Undecided where a parameter leaves their order open."""
        found, left = self.in_order
        if left:
            raise self._open_order()
        return found

    def _open_order(self) -> Undecided:
        """The error for the first two terms that cannot be ordered."""
        ranges, left = self.series.dom.ranges, self.in_order[1]
        for a, b in combinations(left, 2):
            if not ranges.sign(form_sub(a[1], b[1]), a[2] - b[2]).known:
                return ranges.undecided_order(a[1:3], b[1:3])
        return Undecided("the exponents of the expansion cannot be ordered")

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """Every term up to t^order, ascending, with exact SymPy coefficients and exponents.

        Undecided if parameters leave their order open: `ordered` has those that come first in any case.
        """
        return self._made(self._sorted)

    @property
    def pole(self) -> Term | None:
        """The first term if its exponent is negative; long coefficients of other terms are not written out."""
        first = self._sorted[:1]
        if not first or not exponent_to_expr(*first[0][1:3]).is_negative:
            return None
        return self._made(first)[0]

    @cached_property
    def ordered(self) -> tuple[Term, ...]:
        """The terms that lie below all the others for every value of the parameters; `terms` if that is all."""
        return self._made(self.in_order[0])

    def _made(self, kept: list[RawTerm]) -> tuple[Term, ...]:
        return tuple(Term(self._written(c), exponent_to_expr(form, rest), j) for c, form, rest, j in kept)

    def _written(self, coefficient: Element) -> Expr:
        found = written(self.series.dom, coefficient)
        return readable(found) if isinstance(self.subject, Kernel) else found

    def first(self, wanted: Callable[[Term], bool] = lambda term: True) -> Term | None:
        """The first of the terms wanted whose coefficient is not zero; Undecided if that is open for an earlier one.

        `terms` leaves out only what is proved to vanish: a coefficient there may be a zero that nobody recognised.
        """
        dom = self.series.dom
        kept, left = self.in_order
        for term, raw in zip(self.ordered, kept, strict=True):
            if wanted(term):
                if dom.is_zero(raw[0]) is Truth.FALSE:
                    return term
                raise dom.undecided(raw[0], "whether {} is zero", f"the coefficient of t^({term.exponent})")
        if any(wanted(term) for term in self._made(left)):
            raise self._open_order()
        return None

    def coefficient_of(self, exponent: Expr, log_power: int = 0) -> Expr:
        """The coefficient of t^exponent (log t)^log_power; 0 if there is no such term up to the order."""
        return readable(shortest(dag.plain(self.constant_of(exponent, log_power))))

    def constant_of(self, exponent: Expr, log_power: int = 0) -> Expr:
        """The same with names for its long constants, which tell the signs of those."""
        wanted = exponent_from_expr(exponent)
        for c, form, rest, j in self.raw_terms:
            if (form, rest) == wanted and j == log_power:
                return self.series.dom.to_expr(c)
        return Rational(0)

    @cached_property
    def remainder(self) -> tuple[Term, ...]:
        """The O-terms: one, or several that no range of the parameters orders; empty if the sum is exact."""
        return self._bounds(self._behind)

    @cached_property
    def tail(self) -> tuple[Term, ...]:
        """The O-terms behind `ordered`: the remainder, and what could not be ordered."""
        left = [(form, rest, j) for _, form, rest, j in self.in_order[1]]
        return self._bounds([*left, *self._behind]) if left else self.remainder

    @cached_property
    def _behind(self) -> list[OTerm]:
        dom, ranges = self.series.dom, self.series.dom.ranges
        top = to_fmpq(self.order)
        bound = list(self.series.rem)
        # Terms known beyond the order are not shown: the lowest of them is the remainder.
        for c, form, rest, j in self.series.terms():
            if ranges.sign(form, rest - top).positive and not dom.is_proved_zero(c):
                bound.append((form, rest, j))
        return bound

    def _bounds(self, bound: list[OTerm]) -> tuple[Term, ...]:
        """Those of the O-terms that no other absorbs."""
        shown = antichain(self.series.dom.ranges, bound)
        return tuple(Term(Rational(1), exponent_to_expr(form, rest), j) for form, rest, j in shown)

    @property
    def polynomial(self) -> Expr:
        """The terms with a whole exponent and no logarithm."""
        parts = [
            term
            for term, kept in zip(self.terms, self._sorted, strict=True)
            if is_polynomial(self.series, kept)
        ]
        return Add(*[term.as_expr(self.variable) for term in parts])

    @cached_property
    def _leading(self) -> RawTerm | None:
        """The dominant non-polynomial term; only the order of the others against it must be known.

        Coefficients are tested for zero only where a lead depends on it: they are long where the expansion is.
        """
        dom, ranges = self.series.dom, self.series.dom.ranges
        top = to_fmpq(self.order)
        left = [
            term
            for term in self.series.terms()
            if not ranges.sign(term[1], term[2] - top).positive
            and (term[1] or not is_polynomial(self.series, term))
        ]
        best = dominant(dom, left)
        while best is not None and dom.is_zero(best[0]) is Truth.TRUE:
            left.remove(best)
            best = dominant(dom, left)
        if best is not None and is_polynomial(self.series, best):
            # a symbolic exponent that is an integer: the first one after it that is not
            best = next((term for term in self._sorted if not is_polynomial(self.series, term)), None)
        known = (RATIONAL, to_fmpq(self.order)) if best is None else best[1:3]
        for form, rest, _ in self.series.rem:
            # what the remainder hides must lie above, or it might lead
            if not ranges.sign(form_sub(form, known[0]), rest - known[1]).positive:
                raise ranges.undecided_order((form, rest), known)
        if best is not None and dom.is_zero(best[0]) is not Truth.FALSE:
            where = f"the coefficient of t^({exponent_to_expr(*best[1:3])})"
            raise dom.undecided(best[0], "whether {} is zero", where)
        return best

    @property
    def nu(self) -> Expr | None:
        """The leading non-polynomial exponent, None if there is none up to the order."""
        return None if self._leading is None else exponent_to_expr(*self._leading[1:3])

    @property
    def log_power(self) -> int:
        """The highest power of log t at t^nu."""
        return 0 if self._leading is None else self._leading[3]

    @property
    def coefficient(self) -> Expr | None:
        """The coefficient of t^nu (log t)^log_power."""
        return None if self._leading is None else self._written(self._leading[0])

    # other forms -----------------------------------------------------------------------------------------

    def as_expr(self, t: Expr = default_t) -> Expr:
        """The sum without the remainder."""
        t = exact_number(t, "the variable of an expansion")
        return Add(*[term.as_expr(t) for term in self.terms])

    def as_series(self, t: Expr = default_t) -> Expr:
        """The sum with SymPy's O-term, left unevaluated."""
        if not isinstance(t, Symbol):
            raise AsymptokError(f"the variable of a series is a Symbol, not {t!r}")
        rest = [Order(term.as_expr(t), t) for term in self.remainder]
        return Add(*[term.as_expr(t) for term in self.terms], *rest, evaluate=not rest)

    def evaluate(self, t: object, dps: int = 15) -> mpmath.mpf:
        """The truncated sum at a number t > 0, to `dps` digits."""
        dps = checked_digits(dps)
        for bits in (digits_to_bits(dps) * 2**n for n in range(1, 8)):
            with flint_precision(bits):
                point = exact_point(t)
                if point < 0:
                    raise AsymptokError(f"an expansion is evaluated at t >= 0, not at t = {t}")
                total = ball(self.as_expr(), {default_t: point})
                if total.is_exact() or total.rel_accuracy_bits() >= digits_to_bits(dps):
                    return midpoint(total, digits_to_bits(dps))
        if (
            point.is_exact()
            and decide.is_zero(self.as_expr(exact_number(midpoint(point, bits)))) is Truth.TRUE
        ):
            return mpmath.mpf(0)
        raise PrecisionError(f"{dps} digits of the expansion at t = {t} were not reached")

    def bound(self, radius: object = None) -> ProvedBound:
        """A proved bound of what the terms leave out: |kappa - sum| <= B t^beta for 0 < t <= r.

        >>> from asymptok import expand, kernels
        >>> found = expand(kernels.laplace(), order=1).bound()
        >>> found.exponent, bool(found.constant < 0.2), bool(found("0.01") < 2e-4)
        (3/2, True, True)
        """
        return _remainder_bound(self, radius)

    # arithmetic ------------------------------------------------------------------------------------------

    def _with(self, series: Series, order: Expr) -> Expansion:
        return Expansion(series, order, self.at, None, self.variable)

    def _pair(self, other: object) -> tuple[Series, Series, Expr]:
        """Both series over one domain and cut alike, and the order up to which sums of them are known."""
        dom = self.series.dom
        if not isinstance(other, Expansion):
            value = dom.constant(
                exact_number(other, "an expansion is combined with an expansion or a number, which")
            )
            return self.series, self.series.scalar(value), self.order
        if self.at != other.at:
            raise AsymptokError(f"an expansion at {self.at} is not combined with one at {other.at}")
        top = min(self.series.top, other.series.top)
        first, second = (carried_over(x.series, dom, top) for x in (self, other))
        return first, second, Min(self.order, other.order)

    def __add__(self, other: object) -> Expansion:
        first, second, order = self._pair(other)
        return self._with(first + second, order)

    __radd__ = __add__

    def __neg__(self) -> Expansion:
        return self._with(-self.series, self.order)

    def __sub__(self, other: object) -> Expansion:
        first, second, order = self._pair(other)
        return self._with(first - second, order)

    def __rsub__(self, other: object) -> Expansion:
        return (-self).__add__(other)

    def __mul__(self, other: object) -> Expansion:
        """The product; negative exponents of one factor take as much from the order of the other."""
        first, second, order = self._pair(other)
        lowest = [min((rest for _, rest, _ in s.starts()), default=fmpq(0)) for s in (first, second)]
        shift = min(fmpq(0), *lowest)
        return self._with(first * second, order + Rational(int(shift.p), int(shift.q)))

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Expansion:
        """Divided by a number that is not zero."""
        value = exact_number(other, "an expansion is divided by a number, which")
        dom = self.series.dom
        if dom.is_zero(dom.constant(value)) is not Truth.FALSE:
            raise AsymptokError(f"an expansion is divided by a number that is not zero, not by {other}")
        return self * (1 / value)

    def __pow__(self, power: int) -> Expansion:
        """The product of `power` >= 1 factors."""
        if isinstance(power, bool) or not isinstance(power, int) or power < 1:
            raise AsymptokError(f"an expansion is raised to a positive whole power, not to {power!r}")
        result = self
        for _ in range(power - 1):
            result = result * self
        return result

    def diff(self) -> Expansion:
        """The derivative in t, term by term (docs/theory.md, "Termwise differentiation").

        >>> from asymptok import expand
        >>> expand("sqrt(1 - u)", order=1).diff()
        1/2*t**(-1/2)
        """
        return self._with(self.series.derivative(), self.order - 1)

    def rescale(self, factor: object) -> Expansion:
        """The expansion with t replaced by factor * t, factor > 0.

        >>> from asymptok import expand
        >>> expand("sqrt(1 - u)", order=1).rescale(4)
        2*t**(1/2)
        """
        value = exact_number(factor, "the factor")
        dom = self.series.dom
        if not dom.sign(dom.constant(value)).positive:
            raise AsymptokError(f"t is replaced by a positive multiple of t, not by {factor} t")
        return self._with(rescaled(self.series, value, log(value)), self.order)

    def __eq__(self, other: object) -> bool:
        """The same terms up to the same order with the same remainder; the subject does not count."""
        if not isinstance(other, Expansion):
            return NotImplemented
        if self is other:
            return True
        return bool(self.order == other.order and self.at == other.at and same(self.series, other.series))

    def __hash__(self) -> int:
        return hash((Expansion, self.order, self.at))

    # display ---------------------------------------------------------------------------------------------

    def to_text(self, digits: int | None = None) -> str:
        """The expansion as text; with `digits` the coefficients by so many decimals.

        >>> from asymptok import expand
        >>> expand("sqrt(1 + u)", order=1).to_text(digits=8)
        '1.4142135... - 0.35355339...*t + O(t**2)'
        """
        return expansion_text(self, digits)

    def to_latex(self, environment: str | None = None, width: int = 66, digits: int | None = None) -> str:
        """The sum in LaTeX; with an environment such as "align" or "multline" the equation, broken into lines.

        >>> from asymptok import expand
        >>> print(expand("kappa0(u)", order=1).to_latex("align*"))
        \\begin{align*}
        \\kappa(1-t) &= 1 - \\frac{\\sqrt{2}}{\\pi}\\,t^{1/2} + O(t^{3/2})
        \\end{align*}
        """
        return expansion_latex(self, environment, width, digits)

    def __repr__(self) -> str:
        return expansion_text(self)

    __str__ = __repr__

    def _sympystr(self, printer: object) -> str:
        return expansion_text(self)

    def _pretty(self, printer: PrettyPrinter) -> prettyForm:
        return expansion_pretty(self, printer)

    def _latex(self, printer: object) -> str:
        return expansion_latex(self)

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {expansion_latex(self)}$"

    def _repr_html_(self) -> str:
        return expansion_html(self)

    def _repr_pretty_(self, printer: Page, cycle: bool) -> None:
        printer.text(expansion_text(self))


__all__ = ["Expansion", "ProvedBound", "Term"]
