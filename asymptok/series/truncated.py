"""Generalised power series: finite sums of c t^e (log t)^j plus an explicit remainder, as t -> 0+.

Terms are kept in blocks, one for each symbolic part of the exponent and each power of the logarithm; inside a
block the exponents lie on the lattice Z/q. The remainder is a set of terms O(t^e |log t|^j), none of which absorbs
another; an empty remainder means that the sum is exact.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import lcm

from flint import fmpq

from asymptok.constants.domain import Domain, Vector
from asymptok.constants.exponents import RATIONAL, Form, Ranges, form_add, form_sub
from asymptok.quantities import Element
from asymptok.truth import Truth

#: block key: symbolic part of the exponent, power of log t
Key = tuple[Form, int]
#: O(t^(form + rest) |log t|^j) as (form, rest, j)
OTerm = tuple[Form, fmpq, int]

_ZERO = fmpq(0)


@dataclass(frozen=True, slots=True)
class Lead:
    """The dominant term of a series, and the series without the leading zeros that hid it."""

    coefficient: Element
    form: Form
    rest: fmpq
    log_power: int
    series: Series


class NeedMoreTerms(Exception):
    """The known terms do not reach far enough; `amount` is how much the order should grow."""

    def __init__(self, amount: fmpq, reason: str = "") -> None:
        super().__init__(reason)
        self.amount = amount


class Series:
    """An immutable generalised series over a coefficient domain, truncated at the working order of its context."""

    __slots__ = ("blocks", "dom", "q", "rem", "top")

    def __init__(
        self, dom: Domain, top: fmpq, q: int, blocks: Mapping[Key, Vector], rem: Iterable[OTerm] = ()
    ) -> None:
        """Terms that lie above `top` for all parameters, or that the remainder absorbs, are dropped here."""
        self.dom = dom
        self.top = top
        self.q = q
        self.blocks, self.rem = _normal(dom.ranges, q, blocks, tuple(rem), top)

    # construction ----------------------------------------------------------------------------------------

    @staticmethod
    def constant(dom: Domain, top: fmpq, value: Element) -> Series:
        return Series.monomial(dom, top, value, RATIONAL, _ZERO)

    @staticmethod
    def monomial(
        dom: Domain, top: fmpq, value: Element, form: Form, rest: fmpq, log_power: int = 0
    ) -> Series:
        vector = {int(rest.p): value} if not dom.is_empty(value) else {}
        return Series(dom, top, int(rest.q), {(form, log_power): vector})

    def like(self, q: int, blocks: Mapping[Key, Vector], rem: Iterable[OTerm] = ()) -> Series:
        return Series(self.dom, self.top, q, blocks, rem)

    def scalar(self, value: Element) -> Series:
        """The constant series with this value, in the same context."""
        return Series.constant(self.dom, self.top, value)

    # reading ---------------------------------------------------------------------------------------------

    def terms(self) -> Iterator[tuple[Element, Form, fmpq, int]]:
        """(coefficient, form, rational part, log power), in no particular order."""
        for (form, j), vector in self.blocks.items():
            for i, c in vector.items():
                yield c, form, fmpq(i, self.q), j

    @property
    def is_empty(self) -> bool:
        """No known term (the value is then zero up to the remainder)."""
        return not self.blocks

    @property
    def is_plain(self) -> bool:
        """Rational exponents only and no logarithm: the common and fast case."""
        return all(key == (RATIONAL, 0) for key in self.blocks) and all(f == RATIONAL for f, _, _ in self.rem)

    def starts(self) -> list[tuple[Form, fmpq, int]]:
        """The lowest exponent of every block, whether or not its coefficient is zero in value."""
        return [(form, fmpq(min(vector), self.q), j) for (form, j), vector in self.blocks.items()]

    def lead(self) -> Lead:
        """The dominant term; its coefficient is proved non-zero and its exponent below all others.

        At equal exponents the highest power of the logarithm dominates. Raises NeedMoreTerms if only the
        remainder is known, Undecided if a zero test or a comparison of exponents cannot be settled.
        """
        pruned = self.without_leading_zeros()
        ranges = self.dom.ranges
        best: tuple[Form, fmpq, int] | None = None
        for start in pruned.starts():
            if best is None:
                best = start
                continue
            order = ranges.sign(form_sub(start[0], best[0]), start[1] - best[1])
            if not order.known:
                raise ranges.undecided_order(start[:2], best[:2])
            if order.negative or (order.zero and start[2] > best[2]):
                best = start
        if best is None:
            raise NeedMoreTerms(fmpq(2), "no term known")
        for form, rest, _ in pruned.rem:
            order = ranges.sign(form_sub(form, best[0]), rest - best[1])
            if not order.known:
                raise ranges.undecided_order((form, rest), best[:2])
            if order.nonpositive:
                raise NeedMoreTerms(best[1] - rest + 1, "the remainder dominates")
        form, rest, j = best
        return Lead(pruned.blocks[form, j][int(rest * self.q)], form, rest, j, pruned)

    def without_leading_zeros(self) -> Series:
        """Drop lowest terms whose coefficient is proved to be zero; UNKNOWN raises."""
        dom = self.dom
        blocks: dict[Key, Vector] = {}
        changed = False
        for key, vector in self.blocks.items():
            while vector:
                i = min(vector)
                test = dom.is_zero(vector[i])
                if test is Truth.FALSE:
                    break
                if test is Truth.UNKNOWN:
                    raise dom.undecided(vector[i], "whether {} is zero", "the leading coefficient")
                vector = {n: c for n, c in vector.items() if n != i}
                changed = True
            if vector:
                blocks[key] = vector
        return self.like(self.q, blocks, self.rem) if changed else self

    def limit(self) -> Element | None:
        """The value at t = 0, or None if the series is not bounded there; the remainder must vanish there."""
        ranges = self.dom.ranges
        value = self.dom.zero
        for c, form, rest, j in self.terms():
            sign = ranges.sign(form, rest)
            if sign.positive:
                continue
            if not sign.known:
                if self.dom.is_zero(c) is Truth.TRUE:
                    continue
                raise ranges.undecided_order((form, rest), (RATIONAL, _ZERO))
            if sign.zero and j == 0:
                value = c
            elif self.dom.is_zero(c) is not Truth.TRUE:
                return None
        for form, rest, _ in self.rem:
            sign = ranges.sign(form, rest)
            if not sign.known:
                raise ranges.undecided_order((form, rest), (RATIONAL, _ZERO))
            if sign.nonpositive:
                raise NeedMoreTerms(1 - rest, "the remainder does not vanish")
        return value

    def without_constant(self) -> Series:
        """The series minus its terms with exponent 0 (and no logarithm)."""
        plain = self.blocks.get((RATIONAL, 0), {})
        if 0 not in plain:
            return self
        blocks = dict(self.blocks)
        blocks[RATIONAL, 0] = {i: c for i, c in plain.items() if i != 0}
        return self.like(self.q, blocks, self.rem)

    def compacted(self) -> Series:
        """The same series with sprawling coefficients wrapped up (see ExactDomain.compact)."""
        compact = self.dom.compact
        return self.like(
            self.q, {k: {i: compact(c) for i, c in v.items()} for k, v in self.blocks.items()}, self.rem
        )

    # arithmetic ------------------------------------------------------------------------------------------

    def refined(self, q: int) -> Mapping[Key, Vector]:
        """The blocks on the finer lattice Z/q."""
        if q == self.q:
            return self.blocks
        m = q // self.q
        return {key: {i * m: c for i, c in vector.items()} for key, vector in self.blocks.items()}

    def __add__(self, other: Series) -> Series:
        q = lcm(self.q, other.q)
        blocks = dict(self.refined(q))
        for key, vector in other.refined(q).items():
            mine = blocks.get(key)
            blocks[key] = vector if mine is None else self.dom.vector_add(mine, vector)
        return self.like(q, blocks, self.rem + other.rem)

    def __neg__(self) -> Series:
        neg = self.dom.neg
        return self.like(
            self.q, {key: {i: neg(c) for i, c in v.items()} for key, v in self.blocks.items()}, self.rem
        )

    def __sub__(self, other: Series) -> Series:
        return self + (-other)

    def scaled(self, c: Element) -> Series:
        return self.like(
            self.q, {key: self.dom.vector_scale(v, c) for key, v in self.blocks.items()}, self.rem
        )

    def shifted(self, form: Form, rest: fmpq) -> Series:
        """The product with t^(form + rest)."""
        q = lcm(self.q, int(rest.q))
        step = int(rest * q)
        blocks = {
            (form_add(key[0], form), key[1]): {i + step: c for i, c in vector.items()}
            for key, vector in self.refined(q).items()
        }
        return self.like(q, blocks, [(form_add(f, form), r + rest, j) for f, r, j in self.rem])

    def __mul__(self, other: Series) -> Series:
        q = lcm(self.q, other.q)
        mine, theirs = self.refined(q), other.refined(q)
        rem = list(antichain(self.dom.ranges, _product_remainder(self, other)))
        beyond: list[OTerm] = []
        blocks: dict[Key, Vector] = {}
        for (f1, j1), v1 in mine.items():
            for (f2, j2), v2 in theirs.items():
                form = form_add(f1, f2)
                key = (form, j1 + j2)
                stop = _stop(self.dom.ranges, q, form, rem, self.top)
                product = self.dom.vector_mul(v1, v2, stop)
                # What is not multiplied out is owed to the remainder.
                first = None if stop is None else _first_sum(v1, v2, stop)
                if first is not None:
                    beyond.append((form, fmpq(first, q), j1 + j2))
                old = blocks.get(key)
                blocks[key] = product if old is None else self.dom.vector_add(old, product)
        return self.like(q, blocks, [*rem, *beyond])

    def beside(self, other: Series) -> Series:
        """The series + O(other)."""
        return self.like(self.q, self.blocks, [*self.rem, *other.starts(), *other.rem])

    def derivative(self) -> Series:
        """d/dt, termwise (docs/theory.md, "Termwise differentiation")."""
        dom = self.dom
        blocks: dict[Key, Vector] = {}
        for c, form, rest, j in self.terms():
            i = int(rest * self.q) - self.q
            e = dom.rational(rest) if not form else dom.from_exponent(form, rest)
            _put(dom, blocks, (form, j), i, dom.mul(c, e))
            if j:
                _put(dom, blocks, (form, j - 1), i, dom.scale(c, fmpq(j)))
        return self.like(self.q, blocks, [(f, r - 1, j) for f, r, j in self.rem])

    def integral(self) -> Series:
        """The integral from 0 to t; every exponent and the remainder must exceed -1."""
        dom, ranges = self.dom, self.dom.ranges
        blocks: dict[Key, Vector] = {}
        for form, rest, _ in self.rem:
            sign = ranges.sign(form, rest + 1)
            if not sign.known:
                raise ranges.undecided_order((form, rest), (RATIONAL, fmpq(-1)))
            if sign.nonpositive:
                raise NeedMoreTerms(-rest, "the remainder is not integrable")
        for c, form, rest, j in self.terms():
            sign = ranges.sign(form, rest + 1)
            if not sign.known:
                raise ranges.undecided_order((form, rest), (RATIONAL, fmpq(-1)))
            if sign.nonpositive:
                if dom.is_zero(c) is Truth.TRUE:
                    continue
                raise NotIntegrable
            i = int(rest * self.q) + self.q
            inverse = (
                dom.rational(1 / (rest + 1)) if not form else dom.inverse(dom.from_exponent(form, rest + 1))
            )
            # int t^e log^j = t^(e+1) [log^j/(e+1) - j log^(j-1)/(e+1)^2 + j(j-1) log^(j-2)/(e+1)^3 - ...]
            value = dom.mul(c, inverse)
            for power in range(j, -1, -1):
                _put(dom, blocks, (form, power), i, value)
                value = dom.scale(dom.mul(value, inverse), fmpq(-power))
        return self.like(self.q, blocks, [(f, r + 1, j) for f, r, j in self.rem])


class NotIntegrable(Exception):
    """A term t^e with e <= -1 under an integral from 0."""


def _put(dom: Domain, blocks: dict[Key, Vector], key: Key, i: int, c: Element) -> None:
    if dom.is_empty(c):
        return
    vector = blocks.setdefault(key, {})
    old = vector.get(i)
    total = c if old is None else dom.add(old, c)
    if dom.is_empty(total):
        vector.pop(i, None)
    else:
        vector[i] = total


def _first_sum(a: Vector, b: Vector, stop: int) -> int | None:
    """The smallest sum of an index of a and an index of b that is at least `stop`."""
    if max(a) + max(b) < stop:
        return None
    others = sorted(b)
    best: int | None = None
    for i in a:
        n = bisect_left(others, stop - i)
        if n < len(others):
            found = i + others[n]
            if found == stop:
                return stop
            best = found if best is None else min(best, found)
    return best


def _product_remainder(a: Series, b: Series) -> list[OTerm]:
    rem: list[OTerm] = []
    for x, y in ((a, b), (b, a)):
        for f, r, j in x.rem:
            rem += [(form_add(f, g), r + s, j + i) for g, s, i in [*y.starts(), *y.rem]]
    return rem


def _normal(
    ranges: Ranges, q: int, blocks: Mapping[Key, Vector], rem: tuple[OTerm, ...], top: fmpq
) -> tuple[dict[Key, Vector], tuple[OTerm, ...]]:
    """Drop what the remainder absorbs or what lies above `top`, and note in the remainder what was dropped."""
    rem = antichain(ranges, rem)
    kept: dict[Key, Vector] = {}
    dropped: list[OTerm] = []
    for key, vector in blocks.items():
        if not vector:
            continue
        form, j = key
        stop = _stop(ranges, q, form, rem, top)
        if stop is not None and max(vector) >= stop:
            dropped.append((form, fmpq(min(i for i in vector if i >= stop), q), j))
            vector = {i: c for i, c in vector.items() if i < stop}
            if not vector:
                continue
        kept[key] = vector
    return kept, (antichain(ranges, [*rem, *dropped]) if dropped else rem)


def _stop(ranges: Ranges, q: int, form: Form, rem: Iterable[OTerm], top: fmpq) -> int | None:
    """The first index of a block that is dropped: at or above a remainder, or above `top`, for all parameters."""
    low = ranges.bounds(form)[0] if form else _ZERO
    stop = None if low is None else floor((top - low) * q) + 1
    for f, r, _ in rem:
        low = ranges.bounds(form_sub(form, f))[0] if form != f else _ZERO
        if low is not None:
            index = ceil((r - low) * q)
            stop = index if stop is None else min(stop, index)
    return stop


def antichain(ranges: Ranges, rem: Sequence[OTerm]) -> tuple[OTerm, ...]:
    """The O-terms that no other absorbs."""
    kept: list[OTerm] = []
    for f, r, j in rem:
        absorbed = False
        for n, (g, s, i) in enumerate(kept):
            order = ranges.sign(form_sub(f, g), r - s)
            if not order.known:
                continue
            if order.positive or (order.zero and j <= i):
                absorbed = True
                break
            kept[n] = (f, r, j)
            absorbed = True
            break
        if not absorbed:
            kept.append((f, r, j))
    if len(kept) > 1 and len(kept) < len(rem):
        # A replaced entry may now absorb a later one.
        return antichain(ranges, kept)
    return tuple(kept)


def floor(x: fmpq) -> int:
    return int(x.p // x.q)


def ceil(x: fmpq) -> int:
    return -int((-x.p) // x.q)
