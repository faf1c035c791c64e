"""Exponents r + sum r_i m_i with r, r_i rational and m_i parameters (or irrational constants), and their order.

A *form* is the symbolic part: a sorted tuple of pairs (m, r_i); the empty tuple is a rational exponent.
Forms are compared through the ranges of the parameters (docs/theory.md, "Order of exponents").
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from flint import fmpq
from sympy import Add, Expr, Integer, Mul, Rational, Symbol, oo, sstr

from asymptok import ways_out
from asymptok.balls import ball
from asymptok.errors import Undecided
from asymptok.parameters import zero_belongs
from asymptok.precision import flint_precision
from asymptok.symbols import Known
from asymptok.truth import Sign

Form = tuple[tuple[Expr, fmpq], ...]
End = Expr | fmpq | int
#: open ranges of symbols
Parameters = Mapping[Symbol, tuple[Expr, Expr]] | Mapping[Symbol, tuple[End, End]]
#: a lower and an upper bound; None stands for minus or plus infinity
Bounds = tuple["fmpq | None", "fmpq | None"]

RATIONAL: Form = ()
_BALL_BITS = 256


def to_fmpq(value: End) -> fmpq:
    """An int or a SymPy Rational as a flint rational."""
    if isinstance(value, fmpq):
        return value
    if isinstance(value, int):
        return fmpq(value)
    return fmpq(int(value.p), int(value.q))


def to_rational(value: fmpq | int) -> Rational:
    return Integer(value) if isinstance(value, int) else Rational(int(value.p), int(value.q))


def form_add(a: Form, b: Form) -> Form:
    if not a:
        return b
    if not b:
        return a
    sums = dict(a)
    for m, r in b:
        sums[m] = sums.get(m, fmpq(0)) + r
    return _form(sums)


def form_scale(a: Form, r: fmpq) -> Form:
    if not a or r == 1:
        return a
    return () if r == 0 else tuple((m, c * r) for m, c in a)


def form_sub(a: Form, b: Form) -> Form:
    return () if a == b else form_add(a, form_scale(b, fmpq(-1)))


def _form(sums: Mapping[Expr, fmpq]) -> Form:
    parts = [(m, r) for m, r in sums.items() if r != 0]
    # printing a long constant to find its place costs more than all the rest: one alone has none to find
    return tuple(sorted(parts, key=lambda pair: _place(pair[0])) if len(parts) > 1 else parts)


@lru_cache(maxsize=4096)
def _place(monomial: Expr) -> str:
    return str(sstr(monomial, order="none"))


def exponent_from_expr(expr: Expr) -> tuple[Form, fmpq]:
    """Split a real constant expression into its form and its rational part.

    >>> from sympy import symbols
    >>> gamma = symbols("gamma", positive=True)
    >>> form, rest = exponent_from_expr(gamma/2 - 3)
    >>> form, rest
    (((gamma, 1/2),), -3)
    """
    sums: dict[Expr, fmpq] = {}
    rest = fmpq(0)
    # Only the sum itself is multiplied out: what stands inside functions is left alone, however deep.
    flat = Add(*[term.expand(deep=False) for term in Add.make_args(expr)])
    for term in Add.make_args(flat):
        number, monomial = term.as_coeff_Mul(rational=True)
        if not number.is_Rational:
            number, monomial = Integer(1), term
        if monomial == 1:
            rest += to_fmpq(number)
        else:
            sums[monomial] = sums.get(monomial, fmpq(0)) + to_fmpq(number)
    return _form(sums), rest


def exponent_to_expr(form: Form, rest: fmpq) -> Expr:
    return Add(to_rational(rest), *[Mul(to_rational(r), m) for m, r in form])


class Ranges:
    """Intervals for the parameters, open but for ends at 0 that a symbol may be, and what follows for exponents.

    >>> from sympy import symbols
    >>> gamma = symbols("gamma", positive=True)
    >>> ranges = Ranges({gamma: (0, 2)})
    >>> ranges.sign(((gamma, fmpq(1, 2)),), fmpq(-1))
    NEGATIVE
    """

    def __init__(self, intervals: Parameters | None = None) -> None:
        self.intervals: dict[Symbol, Bounds] = {}
        self._exact: dict[tuple[Symbol, int], Expr] = {}
        for symbol, (lower, upper) in (intervals or {}).items():
            # an irrational end is moved outwards: what holds on more than the range holds on the range
            self.intervals[symbol] = (_end(lower, 0), _end(upper, 1))
            for side, end in enumerate((lower, upper)):
                if isinstance(end, Expr) and end.is_finite and not end.is_Rational:
                    self._exact[symbol, side] = end
        self._cache: dict[Form, Bounds] = {}

    def of(self, monomial: Expr) -> Bounds:
        """Bounds of a symbol, of a product of powers of symbols, or of an irrational constant."""
        if isinstance(monomial, Symbol):
            return self.intervals.get(monomial) or _assumed(monomial)
        if not monomial.free_symbols:
            return _constant_bounds(monomial)
        bounds: Bounds = (fmpq(1), fmpq(1))
        for factor in Mul.make_args(monomial):
            base, power = factor.as_base_exp()
            if not factor.free_symbols:
                bounds = _product(bounds, _constant_bounds(factor))
            elif base.is_Integer and base > 1 and power.free_symbols:
                bounds = _product(bounds, self._of_power(int(base), power))
            elif not base.is_Symbol or not (power.is_Integer and 0 < abs(power) <= 16):
                return (None, None)
            else:
                own = self.of(base) if power > 0 else _reciprocal(self.of(base))
                for _ in range(abs(int(power))):
                    bounds = _product(bounds, own)
        return bounds

    def _of_power(self, base: int, power: Expr) -> Bounds:
        """2^(-L) < 1/4 for L > 2."""
        low, high = self.bounds_of(power)
        floor, top = (
            None if end is None else int(end.p // end.q) for end in (low, None if high is None else -high)
        )
        return (
            fmpq(0) if floor is None else fmpq(base) ** floor,
            None if top is None else fmpq(base) ** -top,
        )

    def bounds(self, form: Form) -> Bounds:
        """Infimum and supremum of a form (over-estimated only where a parameter occurs in two monomials)."""
        found = self._cache.get(form)
        if found is None:
            low: fmpq | None = fmpq(0)
            high: fmpq | None = fmpq(0)
            for monomial, r in form:
                lower, upper = self.of(monomial)
                if r < 0:
                    lower, upper = upper, lower
                low = None if low is None or lower is None else low + r * lower
                high = None if high is None or upper is None else high + r * upper
            found = self._cache[form] = (low, high)
        return found

    def bounds_of(self, exponent: Expr) -> Bounds:
        """Infimum and supremum of an exponent, None where it has none.

        >>> from sympy import symbols
        >>> g = symbols("g", positive=True)
        >>> Ranges({g: (0, 2)}).bounds_of(1 - g/2)
        (0, 1)
        """
        form, rest = exponent_from_expr(exponent)
        low, high = self.bounds(form)
        return (None if low is None else low + rest), (None if high is None else high + rest)

    def sign(self, form: Form, rest: fmpq) -> Sign:
        """The sign of form + rest over the whole range; UNKNOWN where it is not the same everywhere."""
        if not form:
            return Sign.of(rest)
        low, high = self.bounds(form)
        # The intervals are open but for ends at 0, so that a bound of 0 is attained there only.
        if low is not None and (low + rest > 0 or (low + rest == 0 and self.are_open(form))):
            return Sign.POSITIVE
        if high is not None and (high + rest < 0 or (high + rest == 0 and self.are_open(form))):
            return Sign.NEGATIVE
        return self._beside_an_irrational_end(form, rest) if self._exact else Sign.UNKNOWN

    def end(self, symbol: Symbol, side: int) -> Expr | None:
        """The lower (0) or upper (1) end of the range of a symbol, an irrational one too; None at infinity.

        >>> from sympy import Symbol, oo, sqrt
        >>> p = Symbol("p")
        >>> Ranges({p: (sqrt(2), oo)}).end(p, 0), Ranges({p: (sqrt(2), oo)}).end(p, 1)
        (sqrt(2), None)
        """
        exact = self._exact.get((symbol, side))
        bound = self.of(symbol)[side]
        return exact if exact is not None or bound is None else to_rational(bound)

    def _beside_an_irrational_end(self, form: Form, rest: fmpq) -> Sign:
        """The sign of a linear exponent that vanishes at an irrational end of the range."""
        moving = [(m, r) for m, r in form if m.free_symbols]
        if len(moving) != 1:
            return Sign.UNKNOWN
        symbol, slope = moving[0]
        if not isinstance(symbol, Symbol):
            return Sign.UNKNOWN
        for side in (0, 1):
            end = self._exact.get((symbol, side))
            if end is not None and exponent_to_expr(form, rest).xreplace({symbol: end}).expand() == 0:
                return Sign.of(-slope if side else slope)
        return Sign.UNKNOWN

    def with_zero(self, symbol: Expr) -> bool:
        """Whether 0 is an end of the range of the symbol that belongs to it."""
        return isinstance(symbol, Symbol) and zero_belongs(symbol) and 0 in self.of(symbol)

    def are_open(self, form: Form) -> bool:
        """Whether no end belongs to the range of a parameter in the form."""
        return not any(self.with_zero(s) for m, _ in form for s in m.free_symbols)

    def no_integer(self, form: Form, rest: fmpq) -> bool:
        """Whether form + rest lies between two consecutive integers: an open interval does not attain them."""
        low, high = self.bounds(form)
        if low is None or high is None:
            return False
        low, high = low + rest, high + rest
        below = int(low.p // low.q)
        return below + 1 > high and below < low if not self.are_open(form) else below + 1 >= high

    def undecided_order(self, first: tuple[Form, fmpq], second: tuple[Form, fmpq]) -> Undecided:
        """The error for two exponents that cannot be ordered, with the bound that would settle it."""
        a, b = exponent_to_expr(*first), exponent_to_expr(*second)
        form, rest = form_sub(first[0], second[0]), first[1] - second[1]
        names = sorted({s.name for m, _ in form for s in m.free_symbols})
        said = f"cannot order the exponents {sstr(a)} and {sstr(b)}"
        hint, assumption = f"give {' and '.join(names)} ranges in which {sstr(a - b)} keeps one sign", None
        if not names:
            hint = "they are equal as far as the precision tells"
        elif len(form) == 1 and form[0][0].is_Symbol:
            symbol, slope = form[0]
            edge = to_rational(-rest / slope)
            low, high = self.of(symbol)
            ends = (-oo if low is None else to_rational(low)), (oo if high is None else to_rational(high))
            if edge in ends:  # an end that belongs to the range
                hint = f"give {ways_out.ranges(symbol, ends)}, and ask about {symbol} = {edge} apart"
                return Undecided(
                    f"{said}: {hint}", symbol > edge if edge == ends[0] else symbol < edge, boundary=a - b
                )
            hint = (
                f"give {symbol} < {edge} or {symbol} > {edge}, that is "
                f"{ways_out.ranges(symbol, (ends[0], edge), (edge, ends[1]))}"
            )
            assumption = symbol < edge
        return Undecided(f"{said}: {hint}", assumption, boundary=a - b)


def _end(value: End, side: int) -> fmpq | None:
    if value in (oo, -oo):
        return None
    if isinstance(value, Expr) and not value.is_Rational:
        return _constant_bounds(value)[side]
    return to_fmpq(value)


def between(low: fmpq | None, high: fmpq | None) -> fmpq:
    """A point of an interval, at which it is cut: the middle, 0, or one twice as far out on a half-line."""
    if low is None:
        return fmpq(0) if high is None or high > 0 else 2 * high - 1
    if high is None:
        return fmpq(0) if low < 0 else 2 * low + 1
    return (low + high) / 2


def _assumed(symbol: Symbol) -> Bounds:
    if isinstance(symbol, Known):
        return (
            None if symbol.low is None else fmpq(symbol.low),
            None if symbol.high is None else fmpq(symbol.high),
        )
    # Ranges are open: a positive integer may be 1, so that its lower end is 0.
    if symbol.is_nonnegative:
        return (fmpq(0), None)
    if symbol.is_nonpositive:
        return (None, fmpq(0))
    return (None, None)


def _constant_bounds(constant: Expr) -> Bounds:
    with flint_precision(_BALL_BITS):
        value = ball(constant)
        if not value.is_finite():
            return (None, None)
        return (value.lower().fmpq(), value.upper().fmpq())


def _reciprocal(a: Bounds) -> Bounds:
    """1/x for x of one sign; nothing is known where x may be zero."""
    low, high = a
    if low is not None and low >= 0:
        return (fmpq(0) if high is None else 1 / high, None if low == 0 else 1 / low)
    if high is not None and high <= 0:
        return (None if high == 0 else 1 / high, fmpq(0) if low is None else 1 / low)
    return (None, None)


def _product(a: Bounds, b: Bounds) -> Bounds:
    if None in a or None in b:
        # Only the sign survives an infinite end.
        if a[0] is not None and a[0] >= 0 and b[0] is not None and b[0] >= 0:
            return (a[0] * b[0], None)
        return (None, None)
    ends = [x * y for x in a for y in b if x is not None and y is not None]
    return (min(ends), max(ends))
