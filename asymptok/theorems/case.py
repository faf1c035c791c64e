"""One kernel under examination: each analysis is made once and shared by all conditions."""

from __future__ import annotations

from functools import cached_property

from sympy import Expr, S

from asymptok.constants import decide
from asymptok.constants.exponents import Ranges, exponent_from_expr
from asymptok.errors import AsymptokError, ExpansionError, Obstruction, Undecided
from asymptok.expansion import Expansion, expand
from asymptok.kernels.kernel import Kernel
from asymptok.regularity import Singularities, analyse
from asymptok.regularity.signs import sign_with_parameters
from asymptok.truth import Sign, Truth

#: orders to which an end is expanded until a non-polynomial term turns up
_ORDERS = (2, 4, 8)


class Case:
    """A kernel, a dimension (None: any), and what is found out about it on the way."""

    def __init__(self, kernel: Kernel, d: Expr | None = None) -> None:
        self.kernel = kernel
        self.d = d
        self._ends: dict[int, Expansion | AsymptokError] = {}

    @cached_property
    def singularities(self) -> Singularities:
        return analyse(self.kernel)

    def end(self, at: int) -> Expansion | AsymptokError:
        """The expansion at +1 or -1, far enough to show the leading non-polynomial term, or the reason against it."""
        if at not in self._ends:
            self._ends[at] = self._expanded(at)
        return self._ends[at]

    def _expanded(self, at: int) -> Expansion | AsymptokError:
        found: Expansion | AsymptokError = AsymptokError("not expanded")
        for order in self._orders():
            try:
                found = expand(self.kernel, at, order)
                if found.nu is not None or self._beyond_the_lead(at, order):
                    return found
            except (ExpansionError, Undecided) as error:
                # a longer expansion may be undecided where a shorter one was not; what was found stays
                return found if isinstance(found, Expansion) else error
            except AsymptokError as error:
                return error
        return found

    def _beyond_the_lead(self, at: int, order: int) -> bool:
        """Whether +1 has its leading term below this order: what -1 may have further out is not of the theorem."""
        lead = self._ends.get(1)
        if at == 1 or not isinstance(lead, Expansion) or lead.nu is None or not lead.nu.is_Rational:
            return False
        return bool(lead.nu <= order)

    def _orders(self) -> tuple[int, ...]:
        if self.singularities.analytic is Truth.TRUE:
            return (1,)  # there is no such term: value and slope are all that evidence quotes
        # a kernel that is singular inside has no use for a term far out at an end
        return _ORDERS[:2] if self.singularities.smooth is Truth.FALSE else _ORDERS

    def refutes(self, at: int) -> bool:
        """Whether the lack of an expansion at an end is a fact about the kernel and not about the method."""
        found = self.end(at)
        # sqrt(t) + t^2 cos(log t) is irregular, and sqrt(t) + o(sqrt(t)) all the same
        return isinstance(found, ExpansionError) and found.kind not in (
            Obstruction.METHOD,
            Obstruction.IRREGULAR,
        )

    # the theorem's nu, c_1 and c_-1 ---------------------------------------------------------------------

    @cached_property
    def lead(self) -> tuple[Expr, int] | None:
        """The smallest leading exponent over both ends and its log power; None if neither end has one.

        At one exponent the higher power of the logarithm dominates. Raises Undecided if they cannot be ordered.
        """
        best: tuple[Expr, int] | None = None
        for at in (1, -1):
            found = self.end(at)
            if isinstance(found, AsymptokError):
                raise found
            if found.nu is None:
                continue
            candidate = (found.nu, found.log_power)
            if best is None:
                best = candidate
                continue
            order = self.order(candidate[0], best[0])
            if order < 0 or (order == 0 and candidate[1] > best[1]):
                best = candidate
        return best

    def order(self, a: Expr, b: Expr) -> int:
        ranges = Ranges(self.kernel.parameters)
        form, rest = exponent_from_expr(a - b)
        found = ranges.sign(form, rest)
        if not found.known:
            raise ranges.undecided_order(exponent_from_expr(a), exponent_from_expr(b))
        return found.number

    def coefficient(self, at: int) -> Expr:
        """c_1 or c_-1: the coefficient of t^nu at that end, 0 where the end is smoother; long constants have names."""
        lead = self.lead
        found = self.end(at)
        if isinstance(found, AsymptokError):
            raise found
        if lead is None or found.nu is None:
            return S.Zero
        return found.constant_of(*lead)

    # signs ------------------------------------------------------------------------------------------------

    def is_zero(self, value: Expr) -> Truth:
        return decide.is_zero(value, self.kernel.parameters)

    def sign(self, value: Expr) -> Sign:
        return sign_with_parameters(value, self.kernel.parameters)

    def is_integer(self, exponent: Expr) -> Truth:
        """Whether an exponent with parameters is a whole number: for all values, for none, or neither."""
        return decide.whole(exponent, self.kernel.parameters)
