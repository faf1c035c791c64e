"""One record per function: how it is enclosed, where it is real analytic, where it is singular, how it continues.

Nothing of this is written down anywhere else. A further function is one `Record` in a file of its family; every
field that is left out says "not known", which weakens an answer and never falsifies one. What a field promises is
said next to it, and tests/test_function_records.py checks every promise against numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np
from flint import acb
from numpy.typing import NDArray
from sympy import Dummy, Expr, S

from asymptok.functions.cuts import Ray, off
from asymptok.functions.progression import Progression
from asymptok.points import Array
from asymptok.symbols import u

#: on balls (arb or acb) or on power series of them
Implementation = Callable[..., Any]
#: F on closed complex balls, None where it is not shown analytic
Continuation = Callable[..., acb | None]
#: on arrays of doubles, or of complex ones
ArrayForm = Callable[..., Array | NDArray[np.complex128]]

T = TypeVar("T")

POSITIVE = "> 0"
NONZERO = "!= 0"

#: conditions g > 0 or g != 0, all of which have to hold
Pairs = list[tuple[Expr, str]]
#: single points and arithmetic progressions of points
Points = tuple["Expr | Progression", ...]


class Monotone(NamedTuple):
    """Strictly monotone on the open interval `domain`, the whole real domain; `limits` at its two ends."""

    sign: int
    domain: tuple[Expr, Expr]
    limits: tuple[Expr, Expr]


def unknown(*_: object) -> None:
    """The default of a field: nothing is claimed."""


def never(*_: object) -> bool:
    return False


def always(*_: object) -> bool:
    return True


def nothing(*_: object) -> tuple[()]:
    """No condition, no point."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What is known about one function f. `node` is a SymPy expression whose outermost function is f.

    >>> from sympy import besselk, log
    >>> from asymptok.functions import record_of
    >>> record_of(log).requirements(log(1 - u))
    [(1 - u, '> 0')]
    >>> record_of(besselk).singular_values(besselk(2, u))
    (0,)
    """

    function: Any

    #: balls around every value that f takes on the given balls; nan, never an exception, where there is none
    real: Implementation
    #: the principal values; a ball that meets a cut is answered by both sides of it
    complex: Implementation
    #: the same on power series at regular points
    series: Implementation | None = None

    #: conditions, of which all together suffice for f to be real and real analytic, all its arguments being real
    requirements: Callable[[Expr], Pairs | None] = unknown
    #: the real function extends to an entire function of its argument
    entire: Callable[[Expr], bool] = never
    #: a list that contains every finite singular point, on every sheet that continuation of f can reach
    singular_values: Callable[[Expr], Points | None] = unknown
    #: those of them that the principal branch may pass without being singular; some other branch is
    elsewhere: Callable[[Expr], Points] = nothing
    #: continuation around a singular value may lead to other values
    many_sheets: bool = True
    #: whether `complex` is one analytic function on an open set around the product of these closed balls
    regular: Callable[..., bool] = never
    #: rays to infinity off which the principal branch is one analytic function of the argument, for fixed parameters;
    #: a cut of finite length has no place here: what avoids it on the boundary of a domain may meet it inside
    rays: Callable[[Expr], tuple[Ray, ...] | None] = unknown
    #: two entire functions, on balls, whose quotient it is
    ratio: tuple[Implementation, Implementation] | None = None
    #: where the real function continues otherwise than by its principal values (see `analytic`)
    continuation: Continuation | None = None

    #: C-infinity up to the ends of the closed interval on whose interior the requirements hold
    smooth_ends: bool = False
    #: all derivatives are >= 0 on [0, end), and f is monotone up to this end
    upward: Callable[[Expr], Expr | None] = unknown
    #: all derivatives from the first on are <= 0 on [0, end)
    downward: Callable[[Expr], Expr | None] = unknown
    #: an entire function whose power series at 0 has the absolute values of the coefficients of that of f
    majorant: Callable[[Expr], Callable[..., Expr] | None] = unknown

    #: f(x) by powers of x and hypergeometric functions of x^2, entire if f is; of all arguments
    of_square: Callable[..., Expr | None] = unknown
    #: f by functions without poles on the real axis
    quotient: Callable[[Expr], Expr] | None = None
    #: the function 1/f
    reciprocal: Callable[..., Expr] | None = None
    #: f(x) by f(-x), where SymPy does not move a sign out of f by itself and f is neither even nor odd
    reflected: Callable[[Expr], Expr | None] = unknown
    #: chooses by the order of its arguments, as |x| does: it has kinks or jumps
    switch: bool = False

    #: strictly monotone in its argument, the parameters held fixed
    monotone: Callable[[Expr], Monotone | None] = unknown
    #: (p, m): f(x) tends to a constant, or to an algebraic function, with an error about exp(-m x^p) as x -> oo
    tail: tuple[int, int] | None = None
    #: the order of growth of an entire f
    growth: Callable[[Expr], Expr | None] = unknown
    #: all complex x with f(x) = s on some sheet, for f of one argument
    preimages: Callable[[Expr], Points | None] = unknown

    #: which argument is *the* argument; the others are parameters
    index: int = -1

    #: what texts call it; a function without a name is for SymPy expressions only
    names: tuple[str, ...] = ()
    #: the letter of a function with an order: K for K_nu(x)
    symbol: str = ""
    #: how many arguments it takes in a text, and whether the first is an order, whose size is limited there
    arity: int = 1
    ordered: bool = False
    #: the expression of a call in a text, where SymPy's own evaluation may not come to an end
    make: Callable[..., Expr] | None = None
    #: on arrays of doubles; without it mpmath is asked point by point
    numpy: ArrayForm | None = None

    def argument(self, node: Expr) -> Expr:
        return node.args[self.index]

    def parameters(self, node: Expr) -> tuple[Expr, ...]:
        at = self.index % len(node.args)
        return tuple(a for i, a in enumerate(node.args) if i != at)

    def fixed_parameters(self, node: Expr) -> bool:
        """Whether f is a function of its argument alone: no parameter depends on u."""
        return not any(a.has(u) for a in self.parameters(node))

    def parity(self, node: Expr) -> int | None:
        """1 if f is an even and -1 if it is an odd function of its argument, None where neither is known.

        >>> from sympy import acos, besselj, erf
        >>> from asymptok.functions import record_of
        >>> [record_of(f.func).parity(f) for f in (erf(u), besselj(2, u), acos(u))]
        [-1, 1, None]
        """
        x = Dummy(real=True)
        here, there = (self.at(node, y) for y in (x, -x))
        forms = [self.of_square(*f.args) if f.func is node.func else None for f in (here, there)]
        for f, g in ((here, there), forms):
            if f is not None and g is not None and g in (f, -f):
                return 1 if g == f else -1
        return None

    def at(self, node: Expr, x: Expr) -> Expr:
        """f with the same parameters at another argument."""
        args = list(node.args)
        args[self.index] = x
        return node.func(*args)

    def mirrored(self, node: Expr) -> Expr | None:
        """f(x) by f(-x); None if no rule is known."""
        found = self.reflected(node)
        parity = self.parity(node) if found is None else None
        return found if parity is None else parity * self.at(node, -self.argument(node))

    def inverted(self, node: Expr, z: Expr) -> tuple[Expr, Expr, Expr] | None:
        """(x, low, high): f(x) = z for this x if low < z < high, and for no other one; None unless f is an inverse.

        >>> from sympy import acos
        >>> from asymptok.functions import record_of
        >>> record_of(acos).inverted(acos(u), u)
        (cos(u), 0, pi)
        """
        rule, found = self.monotone(node), self.preimages(z)
        if rule is None or found is None or len(found) != 1 or isinstance(found[0], Progression):
            return None
        low, high = rule.limits if rule.sign > 0 else rule.limits[::-1]
        return found[0], low, high

    def analytic(self, *balls: object) -> acb | None:
        """A ball around the values of F on these closed complex balls, None unless F is analytic around them.

        To each f belongs one F on one open set, the same for all balls, with F = f at the real points of that set.
        Hence values obtained on the pieces of a cover fit together. For most functions F is the principal branch
        away from its cuts; |x| continues as z where Re z > 0 and as -z where Re z < 0.

        >>> from flint import acb, arb
        >>> from sympy import Abs, log
        >>> from asymptok.functions import record_of
        >>> record_of(Abs).analytic(acb(-2, 1)) == acb(2, -1)
        True
        >>> record_of(log).analytic(acb(-2, arb(0, 1))) is None
        True
        """
        if self.continuation is not None:
            value = self.continuation(*balls)
        else:
            value = self.complex(*balls) if self.regular(*balls) else None
        return value if value is not None and value.is_finite() else None


def of_argument(rule: Callable[[Expr], T]) -> Callable[[Expr], T | None]:
    """A field that depends on the only argument; None if there are several."""
    return lambda node: rule(node.args[0]) if len(node.args) == 1 else None


def constantly(value: T) -> Callable[..., T]:
    """A field that is the same for every argument."""
    return lambda *_: value


def cut_along(rays: tuple[Ray, ...]) -> dict[str, Any]:
    """The fields of a function of one argument whose only cuts are these."""
    return {"regular": lambda z: off(z, rays), "rays": constantly(rays)}


def entire_record(
    function: object,
    real: Implementation,
    complex_: Implementation,
    series: Implementation | None = None,
    *,
    order: object = None,
    **others: Any,
) -> Record:
    """The record of a function that is entire in all its arguments."""
    return Record(
        function=function,
        real=real,
        complex=complex_,
        series=series,
        requirements=lambda node: [],
        entire=always,
        singular_values=nothing,
        many_sheets=False,
        regular=always,
        rays=nothing,
        growth=constantly(None if order is None else S(order)),
        **others,
    )
