"""Sums of c t^e (log t)^j with a proved bound of what is left out, and how they add, multiply and compose.

A model holds on the sector S_r = {0 < |t| <= r, |arg t| <= pi} of the surface of log t, r < 2: from the interval
(0, r] to both sides of the slit beyond the end. There
    f(t) = sum c t^e (log t)^j + rest,     |rest| <= B |t|^top.
A term that is dropped weighs at most |c| sup |t|^(e - top) |log t|^j, and |log t|^2 <= log^2 |t| + pi^2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from flint import arb, arb_poly, fmpq

from asymptok.atlas.local import Unproved
from asymptok.balls import ball
from asymptok.constants.exponents import RATIONAL, Form, exponent_to_expr, form_add, form_scale
from asymptok.quantities import by_squaring

#: (number of the irrational part of the exponent in its frame, power of log t)
Key = tuple[int, int]
#: exponent of the first coefficient times the grid, and the coefficients of t^(1/grid)
Block = tuple[int, arb_poly]
#: what a power of t must be left over for it to outweigh logarithms
_ROOM = fmpq(1, 8)
#: bits of rational lower bounds of exponents, and how far below them they may be
_EXPONENT_BITS = 12
_DEFICIT = fmpq(1, 2**_EXPONENT_BITS)
#: grids finer than this are not used, nor series with more terms
_FINEST, _DEEPEST = 2000, 1000


class Finer(Exception):
    """An exponent that is no multiple of 1/grid; `grid` would do."""

    def __init__(self, grid: int) -> None:
        super().__init__(grid)
        if grid > _FINEST:
            raise Unproved(f"exponents of t with the denominator {grid}")
        self.grid = grid


@dataclass(frozen=True)
class Frame:
    """The sector |t| <= radius < 2, exponents in Z/grid beside irrational ones, terms kept below t^top."""

    radius: fmpq
    top: fmpq
    grid: int
    _sizes: dict[tuple[fmpq, int], arb] = field(default_factory=dict, compare=False)
    #: irrational parts of exponents by number, with rational numbers just below them, and their sums
    forms: list[Form] = field(default_factory=lambda: [RATIONAL], compare=False)
    lows: list[fmpq] = field(default_factory=lambda: [fmpq(0)], compare=False)
    _numbers: dict[Form, int] = field(default_factory=lambda: {RATIONAL: 0}, compare=False)
    _sums: dict[tuple[int, int], int] = field(default_factory=dict, compare=False)

    def number(self, form: Form) -> int:
        found = self._numbers.get(form)
        if found is None:
            found = self._numbers[form] = len(self.forms)
            self.forms.append(form)
            self.lows.append(below(form))
        return found

    def added(self, a: int, b: int) -> int:
        """The number of the sum of two forms."""
        if not a or not b:
            return a or b
        found = self._sums.get((a, b))
        if found is None:
            found = self._sums[a, b] = self.number(form_add(self.forms[a], self.forms[b]))
        return found

    def largest(self, exponent: fmpq, j: int) -> arb:
        """sup |t|^e |log t|^j over the sector, exponent <= e <= exponent + _DEFICIT; exponent >= 0, > 0 if j > 0."""
        found = self._sizes.get((exponent, j))
        if found is None:
            found = self._sizes[exponent, j] = (_largest(arb(self.radius), exponent, j) * self.slack).upper()
        return found

    @cached_property
    def slack(self) -> arb:
        """sup |t|^e for 0 <= e <= _DEFICIT."""
        return arb.max(arb(1), arb(self.radius) ** arb(_DEFICIT)).upper()

    def constant(self, value: arb) -> Model:
        return self.monomial(value, RATIONAL, fmpq(0))

    def monomial(self, value: arb, form: Form, rest: fmpq, j: int = 0) -> Model:
        """value t^(form + rest) (log t)^j."""
        return Model(self, {(self.number(form), j): (self.index(rest), arb_poly([value]))}, self.top, arb(0))

    def index(self, exponent: fmpq) -> int:
        """A rational exponent in units of 1/grid."""
        scaled = exponent * self.grid
        if scaled.q != 1:
            raise Finer(self.grid * int(scaled.q))
        return int(scaled.p)


def _largest(r: arb, exponent: fmpq, j: int) -> arb:
    """The function of l = -log |t| has its maximum at the left end or at the larger zero of its derivative."""
    e, left = arb(exponent), -r.log()

    def at(point: arb) -> arb:
        return ((-e * point) + (point * point + arb.pi() ** 2).log() * fmpq(j, 2)).exp()

    here = at(left)
    if j == 0:
        return here.upper()
    root = arb(j) ** 2 - 4 * (e * arb.pi()) ** 2
    if root < 0:
        return here.upper()
    critical = (j + arb.max(root, arb(0)).sqrt()) / (2 * e)
    if critical < left:
        return here.upper()
    return arb.max(here.upper(), at(critical).upper())


@lru_cache(maxsize=1024)
def below(form: Form) -> fmpq:
    """A rational number just below an irrational exponent."""
    if not form:
        return fmpq(0)
    scaled = ball(exponent_to_expr(form, fmpq(0)), prec=128) * 2**_EXPONENT_BITS
    return fmpq(int(scaled.lower().floor().unique_fmpz()), 2**_EXPONENT_BITS)


@dataclass(frozen=True, slots=True)
class Model:
    """The terms in `blocks`, and |rest| <= `rest` |t|^top."""

    frame: Frame
    blocks: Mapping[Key, Block]
    top: fmpq
    rest: arb

    # reading ---------------------------------------------------------------------------------------------

    def terms(self) -> Iterator[tuple[Form, fmpq, int, arb]]:
        """(irrational part, rational part, log power, coefficient) of each term, in no order."""
        for (form, j), (start, poly) in self.blocks.items():
            for i, c in enumerate(poly.coeffs()):
                if not c.is_zero():
                    yield self.frame.forms[form], fmpq(start + i, self.frame.grid), j, c

    @property
    def order(self) -> fmpq:
        """A number v with |f| <= size(v) |t|^v."""
        lows = [
            self.frame.lows[form] + fmpq(start, self.frame.grid) - (_ROOM if j else 0)
            for (form, j), (start, poly) in self.blocks.items()
            if len(poly)
        ]
        return min([self.top, *lows])

    def size(self, order: fmpq, *, whole: bool = True) -> arb:
        """sup |f|/|t|^order over the sector, or that of the terms alone."""
        total = arb(0)
        for (form, j), (start, poly) in self.blocks.items():
            low = self.frame.lows[form] - order
            for i, c in enumerate(poly.coeffs()):
                if not c.is_zero():
                    total += abs(c) * self.frame.largest(low + fmpq(start + i, self.frame.grid), j)
        if whole and not self.rest.is_zero():
            total += self.rest * self.frame.largest(self.top - order, 0)
        return total.upper()

    def size_from(self, order: fmpq) -> arb:
        """sup |f - P|/|t|^order over the sector, P the terms below t^order; `order` is at most the top."""
        total = self.rest * self.frame.largest(self.top - order, 0)
        for form, rest, j, c in self.terms():
            over = below(form) + rest - order
            if over >= 0:
                total += abs(c) * (self.frame.largest(over, j) if over > 0 or not j else arb.pos_inf())
            elif not over + _DEFICIT < 0 and form:
                raise Unproved(f"an exponent too close to {order}")
        return total.upper()

    def coefficient(self, form: Form, rest: fmpq, j: int = 0) -> arb:
        start, poly = self.blocks.get((self.frame.number(form), j), (0, arb_poly()))
        i = rest * self.frame.grid - start
        return poly[int(i.p)] if i.q == 1 and 0 <= i < len(poly) else arb(0)

    def with_blocks(self, blocks: Mapping[Key, Block]) -> Model:
        """Other terms with the same rest."""
        return _cut(self.frame, blocks, self.top, self.rest)

    # arithmetic ------------------------------------------------------------------------------------------

    def __add__(self, other: Model | arb | int) -> Model:
        if not isinstance(other, Model):
            other = self.frame.constant(arb(other))
        blocks = dict(self.blocks)
        for key, block in other.blocks.items():
            blocks[key] = _sum(blocks[key], block) if key in blocks else block
        top = min(self.top, other.top)
        rest = arb(0)
        for part in (self, other):
            if not part.rest.is_zero():
                rest += part.rest * self.frame.largest(part.top - top, 0)
        return _cut(self.frame, blocks, top, rest)

    __radd__ = __add__

    def __neg__(self) -> Model:
        return self.scaled(arb(-1))

    def __sub__(self, other: Model | arb | int) -> Model:
        return self.__add__(-other)

    def __rsub__(self, other: Model | arb | int) -> Model:
        return self.scaled(arb(-1)).__add__(other)

    def scaled(self, factor: arb) -> Model:
        blocks = {key: (start, poly * factor) for key, (start, poly) in self.blocks.items()}
        return Model(self.frame, blocks, self.top, (self.rest * abs(factor)).upper())

    def shifted(self, form: Form, rest: fmpq, j: int = 0) -> Model:
        """Times t^(form + rest) (log t)^j; without the logarithm nothing is lost."""
        if j:
            return self * self.frame.monomial(arb(1), form, rest, j)
        step, number = self.frame.index(rest), self.frame.number(form)
        by = self.frame.lows[number] + rest
        blocks = {
            (self.frame.added(f, number), i): (start + step, poly)
            for (f, i), (start, poly) in self.blocks.items()
        }
        return Model(self.frame, blocks, self.top + by, (self.rest * self.frame.slack).upper())

    def __mul__(self, other: Model | arb | fmpq | int) -> Model:
        if not isinstance(other, Model):
            return self.scaled(arb(other))
        frame = self.frame
        mine, theirs = self.order, other.order
        reach = [frame.top]
        if not self.rest.is_zero():
            reach.append(self.top + theirs)
        if not other.rest.is_zero():
            reach.append(other.top + mine)
        top = min(reach)
        rest = arb(0)
        if not self.rest.is_zero():
            rest += self.rest * other.size(theirs) * frame.largest(self.top + theirs - top, 0)
        if not other.rest.is_zero():
            rest += other.rest * self.size(mine, whole=False) * frame.largest(other.top + mine - top, 0)
        blocks: dict[Key, Block] = {}
        for (f, i), (a, first) in self.blocks.items():
            for (g, j), (b, second) in other.blocks.items():
                key, block = (frame.added(f, g), i + j), (a + b, first * second)
                blocks[key] = _sum(blocks[key], block) if key in blocks else block
        return _cut(frame, blocks, top, rest)

    __rmul__ = __mul__

    def power(self, n: int) -> Model:
        """f^n, n >= 1."""
        return by_squaring(self, n)

    def composed(self, coefficients: Sequence[arb], size: arb, radius: arb) -> Model:
        """sum_m a_m f^m for f -> 0: a_m is given for the first m, and |a_m| <= size radius^-m for all others.

        Unproved unless |f| < radius on the sector; as many coefficients are needed as `depth` says.
        """
        order = self.order
        bound = self.size(order)
        ratio = bound * self.frame.largest(order, 0) / radius
        if not ratio < 1:
            raise Unproved("a function leaves the disc in which its series converges")
        count = self.depth
        result = self.frame.constant(coefficients[count - 1])
        for m in range(count - 2, -1, -1):
            result = result * self + self.frame.constant(coefficients[m])
        tail = size * (bound / radius) ** count / (1 - ratio)
        tail = tail * self.frame.largest(order * count - self.frame.top, 0)
        return result + Model(self.frame, {}, self.frame.top, tail.upper())

    @property
    def depth(self) -> int:
        """How many powers of f lie below the top."""
        order = self.order
        if not order > 0:
            raise Unproved("a function of something that does not tend to its value like a power of t")
        steps = self.frame.top / order
        count = -int(-steps.p // steps.q) + 1
        if count > _DEEPEST:
            raise Unproved(
                f"a series with {count} terms below t^{self.frame.top}: the exponents are too close"
            )
        return count


def scaled_exponent(form: Form, rest: fmpq, power: tuple[Form, fmpq]) -> tuple[Form, fmpq]:
    """(form + rest) times the exponent `power`, of which one is rational."""
    factor, number = power
    if not factor:
        return form_scale(form, number), rest * number
    if form:
        raise Unproved("an irrational power of an irrational power")
    return form_scale(factor, rest), rest * number


def _sum(first: Block, second: Block) -> Block:
    (a, p), (b, q) = first, second
    if a > b:
        (a, p), (b, q) = (b, q), (a, p)
    return a, p + (q if a == b else q.left_shift(b - a))


def _cut(frame: Frame, blocks: Mapping[Key, Block], top: fmpq, rest: arb) -> Model:
    """The model without the terms from t^top on, which are bounded; logarithms need room above it."""
    kept: dict[Key, Block] = {}
    for (form, j), (start, poly) in blocks.items():
        low = frame.lows[form]
        limit = (top + (_ROOM if j else 0) - low) * frame.grid - start
        stop = max(0, -int(-limit.p // limit.q))
        if stop < len(poly):
            for i in range(stop, len(poly)):
                c = poly[i]
                if not c.is_zero():
                    rest = rest + abs(c) * frame.largest(low + fmpq(start + i, frame.grid) - top, j)
            poly = poly.truncate(stop)
        first = next((i for i, c in enumerate(poly.coeffs()) if not c.is_zero()), None)
        if first is not None:
            kept[form, j] = (start + first, poly.right_shift(first) if first else poly)
    return Model(frame, kept, top, rest.upper())
