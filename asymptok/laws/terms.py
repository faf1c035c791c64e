"""The terms of a kernel at both ends, put side by side: kappa at 1-t and at -1+t, exponent by exponent."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from flint import arb, fmpq
from sympy import Add, Expr, Mul, S, gamma, pi, sin, sstr

from asymptok import dag
from asymptok.balls import ball
from asymptok.constants.advice import integer_advice, zero_advice
from asymptok.constants.exact import ExactDomain
from asymptok.constants.exponents import Form, Ranges, exponent_from_expr, exponent_to_expr, form_sub
from asymptok.constants.normal_form import shortest
from asymptok.constants.relations import exponentials_gathered
from asymptok.constants.sphere import with_gammas_above_zero
from asymptok.errors import AsymptokError, Undecided
from asymptok.expansion import Expansion, expand
from asymptok.functions.long_constant import readable
from asymptok.kernels.kernel import Kernel
from asymptok.quantities import Ball
from asymptok.series.truncated import OTerm
from asymptok.truth import Truth

#: bits of the ball that settles most zero tests
_BITS = 192
#: nodes of a constant that is put into normal form
_LARGEST = 20_000


@dataclass(frozen=True, slots=True)
class Group:
    """Everything at one exponent: t^exponent times sum_j plus[j] (log t)^j at +1, and the same with minus at -1."""

    exponent: Expr
    form: Form
    rest: fmpq
    whole: Truth
    plus: Mapping[int, Expr]
    minus: Mapping[int, Expr]

    def combined(self, sign: int, log_power: int) -> Expr:
        """c_1 + sign c_-1 for one power of the logarithm: what the eigenvalues of one parity see."""
        plus, minus = self.plus.get(log_power, S.Zero), sign * self.minus.get(log_power, S.Zero)
        # evaluated, SymPy would compare equal parts of the two along every path through them
        long = plus != 0 and minus != 0 and dag.tree_size(plus) + dag.tree_size(minus) > _LARGEST
        return Add(plus, minus, evaluate=False) if long else plus + minus

    @property
    def log_powers(self) -> list[int]:
        """Descending: the highest power of the logarithm dominates."""
        return sorted({*self.plus, *self.minus}, reverse=True)


@dataclass(frozen=True, slots=True)
class Lead:
    """The dominant term a t^nu (log t)^j of kappa(u) + sign kappa(-u) at u = 1."""

    coefficient: Expr
    nu: Expr
    log_power: int


@lru_cache(maxsize=64)
def both_ends(kernel: Kernel, order: int) -> tuple[Expansion, Expansion]:
    """The expansions at +1 and at -1; an integrable kernel may be unbounded there."""
    plus, minus = (expand(kernel, at=at, order=order, unbounded=True) for at in (1, -1))
    return plus, minus


def whole(form: Form, rest: fmpq, ranges: Ranges) -> Truth:
    """Whether an exponent is an integer >= 0 for all values of the parameters, for none, or neither is known.

    >>> from sympy import Symbol
    >>> g = Symbol("g", positive=True)
    >>> whole(((g, fmpq(1, 2)),), fmpq(0), Ranges({g: (0, 2)})), whole((), fmpq(3), Ranges())
    (FALSE, TRUE)
    """
    if not form:
        return Truth.of(bool(rest.q == 1 and rest >= 0))
    exponent = exponent_to_expr(form, rest)
    if exponent.is_integer is not None:
        return Truth.of(exponent.is_integer)
    return Truth.FALSE if ranges.no_integer(form, rest) else Truth.UNKNOWN


@dataclass(frozen=True, slots=True)
class Ends:
    """The non-polynomial terms of both ends up to an order, and the O-terms that may hide more of them."""

    groups: tuple[Group, ...]
    hidden: tuple[OTerm, ...]
    ranges: Ranges

    def ascending(self) -> Iterator[Group]:
        """The groups one after the other, as long as one of them lies below all that is left, hidden or not.

        Undecided is raised only if what cannot be ordered is asked for: what lies behind a lead needs no order.
        """
        left = list(self.groups)
        while left:
            least = [a for a in left if all(self._below(a, (b.form, b.rest)) for b in left if b is not a)]
            if not least:
                raise self._open(left)
            for hidden in self.hidden:
                if not self._below(least[0], hidden[:2]):
                    raise self.ranges.undecided_order((least[0].form, least[0].rest), hidden[:2])
            left.remove(least[0])
            yield least[0]

    def without(self, vanishing: Callable[[Group], bool]) -> Ends:
        """Less the groups that play no part; asked only where parameters leave the order open."""
        if not any(group.form for group in self.groups):
            return self
        return replace(self, groups=tuple(group for group in self.groups if not vanishing(group)))

    def _below(self, a: Group, b: tuple[Form, fmpq]) -> bool:
        return self.ranges.sign(form_sub(b[0], a.form), b[1] - a.rest).positive

    def _open(self, left: list[Group]) -> Undecided:
        lowest = [a for a in left if not any(self._below(b, (a.form, a.rest)) for b in left)]
        first, second = lowest[:2]
        return self.ranges.undecided_order((first.form, first.rest), (second.form, second.rest))


@lru_cache(maxsize=64)
def ends(kernel: Kernel, order: int) -> Ends:
    """The non-polynomial terms of both ends up to t^order.

    Polynomial terms have no eigenvalue for large k: they take no part, and need not be ordered.
    """
    ranges = Ranges(kernel.parameters)
    found: dict[tuple[Form, fmpq], tuple[dict[int, Expr], dict[int, Expr]]] = {}
    hidden: list[OTerm] = []
    for side, expansion in enumerate(both_ends(kernel, order)):
        for coefficient, form, rest, j in expansion.raw_terms:
            if j or whole(form, rest, ranges) is not Truth.TRUE:
                value = expansion.series.dom.to_expr(coefficient)
                found.setdefault((form, rest), ({}, {}))[side][j] = value
        hidden += [term for term in expansion.series.rem if term[0]]
    made = (
        Group(exponent_to_expr(form, rest), form, rest, whole(form, rest, ranges), *sides)
        for (form, rest), sides in found.items()
    )
    return Ends(tuple(made), tuple(hidden), ranges)


def groups(kernel: Kernel, order: int) -> Iterator[Group]:
    """The non-polynomial terms of both ends up to t^order, ascending in the exponent."""
    return ends(kernel, order).ascending()


def find_lead(kernel: Kernel, order: int, sign: int) -> Lead | None:
    """The dominant non-polynomial term of kappa(u) + sign kappa(-u), None if there is none up to t^order."""

    def vanishing(group: Group) -> bool:
        return all(vanishes(group.combined(sign, j), kernel) is Truth.TRUE for j in group.log_powers)

    for group in ends(kernel, order).without(vanishing).ascending():
        for j in group.log_powers:
            if j == 0 and group.whole is Truth.TRUE:
                continue
            a = group.combined(sign, j)
            if not _nonzero(a, kernel, group):
                continue
            if group.whole is Truth.UNKNOWN:
                raise undecided_integer(group, kernel)
            shown = exponentials_gathered(shortest(with_gammas_above_zero(dag.plain(a))))
            return Lead(readable(shown), group.exponent, j)
    return None


def undecided_integer(group: Group, kernel: Kernel) -> Undecided:
    """The error for an exponent that may be an integer, where t^n has no eigenvalues for large k."""
    return Undecided(
        f"cannot decide whether the exponent {sstr(group.exponent)} is an integer, where t^n has no eigenvalues for "
        "large k",
        group.exponent,
        lambda: integer_advice(group.form, group.rest, Ranges(kernel.parameters)),
        sin(pi * group.exponent),
    )


def _nonzero(a: Expr, kernel: Kernel, group: Group) -> bool:
    test = vanishes(a, kernel)
    if test is Truth.UNKNOWN:
        a = shortest(dag.plain(a))
        raise Undecided(
            f"cannot decide whether the coefficient {dag.brief(a)} of t^({sstr(group.exponent)}) vanishes",
            a,
            lambda: zero_advice(a, Ranges(kernel.parameters)),
            a,
        )
    return test is Truth.FALSE


def vanishes(a: Expr, kernel: Kernel) -> Truth:
    """Whether an exact constant is zero for all values of the parameters; a ball first, then the normal form.

    >>> from sympy import sqrt
    >>> vanishes(sqrt(6) - sqrt(2)*sqrt(3), Kernel("u")), vanishes(sqrt(6) - 2, Kernel("u"))
    (TRUE, FALSE)
    """
    if a == 0:
        return Truth.TRUE
    if not dag.free_symbols(a):
        value: Ball = sum((ball(part, prec=_BITS) for part in Add.make_args(a)), arb(0))
        if value.is_finite() and not value.contains(0):
            return Truth.FALSE
    if dag.tree_size(a) > _LARGEST:
        return Truth.UNKNOWN
    ranges = Ranges(kernel.parameters)
    if all(_never_zero(factor, ranges) for factor in Mul.make_args(a)):
        return Truth.FALSE
    try:
        domain = ExactDomain(ranges)
        found = domain.is_zero(domain.constant(a))
    except AsymptokError:
        found = Truth.UNKNOWN
    if found is Truth.UNKNOWN and not dag.free_symbols(a) and (one := exponentials_gathered(a)) != a:
        return vanishes(one, kernel)
    if found is Truth.UNKNOWN and (bare := dag.plain(a)) is not a:
        # what the names of constants hide may be one product
        return vanishes(shortest(bare), kernel)
    return found


def _never_zero(factor: Expr, ranges: Ranges) -> bool:
    """Whether a power has no zero in the range of the parameters; False may mean that this is not known."""
    base, power = factor.as_base_exp()
    if base.is_Number:
        return bool(base != 0)
    if power.is_finite and (base.is_positive or (power.is_negative and base.is_finite)):
        return True  # the reciprocal of a number is not zero, whatever its sign is
    if isinstance(base, gamma):
        # Gamma has no zeros, and 1/Gamma has one only at 0, -1, -2, ...
        form, rest = exponent_from_expr(base.args[0])
        finite = ranges.sign(form, rest).positive or whole(form, rest, ranges) is Truth.FALSE
        return bool(power.is_positive) or finite
    if base.is_Symbol:
        return ranges.sign(((base, fmpq(1)),), fmpq(0)).known
    return False
