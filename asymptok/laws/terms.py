"""The terms of a kernel at both ends, put side by side: kappa at 1-t and at -1+t, exponent by exponent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cmp_to_key, lru_cache
from typing import Any

from flint import fmpq
from sympy import Expr, Mul, S, gamma, sstr

from asymptok.balls import ball
from asymptok.constants.exact import ExactDomain
from asymptok.constants.exponents import Form, Ranges, exponent_from_expr, exponent_to_expr, form_sub
from asymptok.errors import AsymptokError, Undecided
from asymptok.expansion import Expansion, expand
from asymptok.kernels.kernel import Kernel
from asymptok.truth import Truth

#: bits of the ball that settles most zero tests
_BITS = 192


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
        return self.plus.get(log_power, S.Zero) + sign * self.minus.get(log_power, S.Zero)

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
    """The expansions at +1 and at -1."""
    return expand(kernel, at=1, order=order), expand(kernel, at=-1, order=order)


def whole(form: Form, rest: fmpq, ranges: Ranges) -> Truth:
    """Whether an exponent is an integer for all values of the parameters, for none, or neither is known.

    >>> from sympy import Symbol
    >>> g = Symbol("g", positive=True)
    >>> whole(((g, fmpq(1, 2)),), fmpq(0), Ranges({g: (0, 2)})), whole((), fmpq(3), Ranges())
    (FALSE, TRUE)
    """
    if not form:
        return Truth.of(rest.q == 1)
    exponent = exponent_to_expr(form, rest)
    if exponent.is_integer is not None:
        return Truth.of(exponent.is_integer)
    low, high = ranges.bounds(form)
    if low is not None and high is not None:
        floor = int((low + rest).p // (low + rest).q)
        if floor + 1 >= high + rest:
            return Truth.FALSE
    return Truth.UNKNOWN


def groups(kernel: Kernel, order: int) -> tuple[Group, ...]:
    """The non-polynomial terms of both ends up to t^order, ascending in the exponent."""
    plus, minus = both_ends(kernel, order)
    ranges = Ranges(kernel.parameters)
    found: dict[tuple[Form, fmpq], tuple[dict[int, Expr], dict[int, Expr]]] = {}
    for side, expansion in enumerate((plus, minus)):
        for term in expansion.terms:
            form, rest = exponent_from_expr(term.exponent)
            # Polynomial terms have no eigenvalue for large k: they take no part, and need not be ordered.
            if term.log_power or whole(form, rest, ranges) is not Truth.TRUE:
                found.setdefault((form, rest), ({}, {}))[side][term.log_power] = term.coefficient
    made = [
        Group(exponent_to_expr(form, rest), form, rest, whole(form, rest, ranges), *sides)
        for (form, rest), sides in found.items()
    ]
    return _ascending(made, ranges)


def _ascending(items: Iterable[Group], ranges: Ranges) -> tuple[Group, ...]:
    def compare(a: Group, b: Group) -> int:
        order = ranges.sign(form_sub(a.form, b.form), a.rest - b.rest)
        if order is None:
            raise ranges.undecided_order((a.form, a.rest), (b.form, b.rest))
        return order

    return tuple(sorted(items, key=cmp_to_key(compare)))


def find_lead(kernel: Kernel, order: int, sign: int) -> Lead | None:
    """The dominant non-polynomial term of kappa(u) + sign kappa(-u), None if there is none up to t^order."""
    for group in groups(kernel, order):
        for j in group.log_powers:
            if j == 0 and group.whole is Truth.TRUE:
                continue
            a = group.combined(sign, j)
            if not _nonzero(a, kernel, group):
                continue
            if group.whole is Truth.UNKNOWN:
                raise Undecided(
                    f"cannot decide whether the exponent {sstr(group.exponent)} is an integer, where t^n has no "
                    f"eigenvalues for large k: give the parameters of {kernel} a range without that case",
                    group.exponent,
                )
            return Lead(a, group.exponent, j)
    return None


def _nonzero(a: Expr, kernel: Kernel, group: Group) -> bool:
    test = vanishes(a, kernel)
    if test is Truth.UNKNOWN:
        raise Undecided(
            f"cannot decide whether the coefficient {sstr(a)[:200]} of t^({sstr(group.exponent)}) vanishes: "
            f"restrict the parameters of {kernel}",
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
    if not a.free_symbols:
        value: Any = ball(a, prec=_BITS)
        if value.is_finite() and not value.contains(0):
            return Truth.FALSE
    ranges = Ranges(kernel.parameters)
    if all(_never_zero(factor, ranges) for factor in Mul.make_args(a)):
        return Truth.FALSE
    try:
        domain = ExactDomain(ranges)
        return domain.is_zero(domain.constant(a))
    except AsymptokError:
        return Truth.UNKNOWN


def _never_zero(factor: Expr, ranges: Ranges) -> bool:
    """Whether a power has no zero in the range of the parameters; False may mean that this is not known."""
    base, power = factor.as_base_exp()
    if base.is_Number:
        return bool(base != 0)
    if isinstance(base, gamma):
        # Gamma has no zeros, and 1/Gamma has one only at 0, -1, -2, ...
        form, rest = exponent_from_expr(base.args[0])
        finite = ranges.sign(form, rest) == 1 or whole(form, rest, ranges) is Truth.FALSE
        return bool(power.is_positive) or finite
    if base.is_Symbol:
        return ranges.sign(((base, fmpq(1)),), fmpq(0)) is not None
    return False
