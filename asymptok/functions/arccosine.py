r"""Arc-cosine functions kappa_n, the normalised Gaussian duals of max(x, 0)^n, as one SymPy function.

With x = cos(theta) and s = sin(theta),

    J_n = s^(2n+1) (d/dx)^n ((pi - theta)/s),     kappa_n(x) = J_n/J_n(theta=0),     J_n(0) = pi (2n-1)!!.

Differentiating that definition once gives J_(n+1) = (2n+1) x J_n + s^2 J_n', and J_n' = n^2 J_(n-1) turns it
into a three-term recurrence. Hence J_n = A_n(x) (pi - theta) + B_n(x) s, A_n and B_n integer polynomials with
positive coefficients.
"""

from __future__ import annotations

from functools import cache
from typing import TypeVar

from flint import acb, acb_series, arb, arb_series, fmpq
from sympy import (
    Add,
    Basic,
    Expr,
    Function,
    Integer,
    Mul,
    Rational,
    S,
    Symbol,
    acos,
    expand_mul,
    factorial2,
    pi,
    sqrt,
)
from sympy.printing.printer import Printer

from asymptok import dag
from asymptok.errors import AsymptokError
from asymptok.functions.arccosine_numeric import arccosine_numpy, arccosine_value, polynomials
from asymptok.functions.cuts import off_both_real_rays
from asymptok.functions.evaluated import EvaluatedFunction
from asymptok.functions.expanding import Context, Series, expands, finite_integer, finite_limit
from asymptok.functions.inverse import (
    COMPLEX,
    acos_series,
    complex_acos,
    inverse_cosine,
    settled,
    unit_interval,
)
from asymptok.functions.mean_value import meet
from asymptok.functions.powers import complex_sqrt, hull
from asymptok.functions.record import Monotone, Record, constantly
from asymptok.quantities import whole

__all__ = ["ArcCosine", "arc_cosine_form", "kappa0", "kappa1"]


#: printed trees larger than this are not written anew
_LARGEST_FORM = 1000


@cache
def _value_at_zero(n: int) -> Expr:
    """kappa_n(0): the parity of A_n and B_n leaves one of the two terms."""
    a, b = polynomials(n)
    return (a[0] * pi / 2 + b[0]) / (pi * factorial2(2 * n - 1))


class ArcCosine(EvaluatedFunction):
    r"""kappa_n(x) = J_n(acos x)/J_n(0), the arc-cosine function of order n, with kappa_n(1) = 1.

    >>> from sympy import Symbol, acos
    >>> x = Symbol("x")
    >>> ArcCosine(1, x).rewrite(acos)
    x*(pi - acos(x))/pi + sqrt(1 - x**2)/pi
    >>> ArcCosine(2, x).diff(x)
    4*kappa1(x)/3
    >>> ArcCosine(0, 0), ArcCosine(1, 0), ArcCosine(3, -1)
    (1/2, 1/pi, 0)

    Only 1, 0 and -1 evaluate by themselves, so that the constants of deep networks stay nested and short:

    >>> ArcCosine(0, ArcCosine(1, 0))
    kappa0(1/pi)
    """

    nargs = 2
    # lambdify finds the implementation here, for NumPy, math and mpmath alike
    _imp_ = staticmethod(arccosine_value)

    @classmethod
    def eval(cls, n: Expr, x: Expr) -> Expr | None:
        if not isinstance(n, Integer) or n < 0:
            if n.is_Number or n.is_Symbol:
                raise AsymptokError(f"the order of an arc-cosine function is a non-negative integer, not {n}")
            return None  # SymPy wraps arguments for its own purposes, as in polar_lift(0)
        if x is S.NaN:
            return S.NaN
        if x is S.One:
            return S.One
        if x is S.NegativeOne:
            return S.Zero
        if x is S.Zero:
            return _value_at_zero(int(n))
        if n is S.Zero and x in (S.Half, -S.Half):
            # the only other rational numbers whose arccosine is a rational multiple of pi
            return Rational(1, 2) + x / 3
        return None

    def fdiff(self, argindex: int = 2) -> Expr:
        """kappa_n' = n^2/(2n-1) kappa_(n-1), and kappa_0' = 1/(pi sqrt(1-x^2))."""
        n, x = self.args
        if argindex != 2:
            raise AsymptokError("an arc-cosine function has no derivative in its order")
        if n == 0:
            return 1 / (pi * sqrt(1 - x**2))
        return Rational(n**2, 2 * n - 1) * ArcCosine(n - 1, x)

    def diff(self, *symbols: Symbol | int | tuple[Symbol, int], **assumptions: object) -> Expr:
        """The derivative; along a chain of arc-cosine functions the chain rule runs as a loop.

        SymPy's recursion searches every level again for symbols, which is slow in deep networks.
        """
        if len(symbols) != 1 or not isinstance(symbols[0], Symbol) or assumptions:
            return super().diff(*symbols, **assumptions)
        return self._eval_derivative(symbols[0])

    def _eval_derivative(self, s: Expr) -> Expr:
        factors: list[Expr] = []
        x: Expr = self
        while isinstance(x, ArcCosine):
            factors.append(x.fdiff(2))
            x = x.args[1]
        inner = x.diff(s)
        return S.Zero if inner is S.Zero else Mul(*factors, inner)

    def __eq__(self, other: object) -> bool:
        # As compare: a loop along the chain, since SymPy's recursion runs out of stack.
        if self is other:
            return True
        if not isinstance(other, ArcCosine):
            return super().__eq__(other)  # which may be NotImplemented
        if hash(self) != hash(other):
            return False
        left: Expr = self
        right: Expr = other
        while isinstance(left, ArcCosine) and isinstance(right, ArcCosine):
            if left is right:
                return True
            if left.args[0] != right.args[0]:
                return False
            left, right = left.args[1], right.args[1]
        return bool(left == right)

    # Defining __eq__ alone would make the class unhashable.
    __hash__ = Function.__hash__

    def compare(self, other: Basic) -> int:
        # A canonical order by depth first: SymPy's descends through all levels for every pair it sorts.
        if self is other:
            return 0
        if not isinstance(other, ArcCosine):
            return int(super().compare(other))
        (x, levels), (y, others) = self._innermost(), other._innermost()
        if levels != others:
            return 1 if levels > others else -1
        if x is not y and (order := x.compare(y)):
            return int(order)
        left: Expr = self
        right: Expr = other
        while left is not right and isinstance(left, ArcCosine):
            if left.args[0] != right.args[0]:
                return 1 if left.args[0] > right.args[0] else -1
            left, right = left.args[1], right.args[1]
        return 0

    # ------------------------------------------------------------------ other forms

    def _eval_rewrite_as_acos(self, n: Expr, x: Expr, **_: object) -> Expr:
        a, b = polynomials(int(n))
        norm = pi * factorial2(2 * n - 1)
        first = Add(*(c * x**j for j, c in enumerate(a) if c))
        second = Add(*(c * x**j for j, c in enumerate(b) if c))
        return first * (pi - acos(x)) / norm + second * sqrt(1 - x**2) / norm

    def _eval_rewrite_as_sqrt(self, n: Expr, x: Expr, **hints: object) -> Expr:
        return self._eval_rewrite_as_acos(n, x, **hints)

    def _eval_rewrite_as_Pow(self, n: Expr, x: Expr, **hints: object) -> Expr:
        return self._eval_rewrite_as_acos(n, x, **hints)

    def _eval_expand_func(self, **hints: object) -> Expr:
        return self._eval_rewrite_as_acos(*self.args)

    def _eval_nseries(self, x: Expr, n: int, logx: Expr, cdir: object = 0) -> Expr:
        # x = 1 and x = -1 are branch points: the Taylor formula of Function would fail there.
        return self._eval_rewrite_as_acos(*self.args)._eval_nseries(x, n=n, logx=logx, cdir=cdir)

    def _eval_as_leading_term(self, x: Expr, logx: Expr | None = None, cdir: object = 0) -> Expr:
        return self._eval_rewrite_as_acos(*self.args).as_leading_term(x, logx=logx, cdir=cdir)

    # ------------------------------------------------------------------ assumptions

    def _innermost(self) -> tuple[Expr, int]:
        """The first argument that is no arc-cosine function, and the number of functions around it.

        A loop, not a recursion: constants of a depth-100 network are a hundred functions deep.
        """
        x, levels = self.args[1], 1
        while isinstance(x, ArcCosine):
            x, levels = x.args[1], levels + 1
        return x, levels

    def _in_range(self) -> bool | None:
        """True when the innermost argument is known to lie in [-1, 1]; every level then lies in [0, 1]."""
        x, _ = self._innermost()
        if x.is_extended_real is not True:
            return None
        return True if (1 - x).is_nonnegative and (1 + x).is_nonnegative else None

    def _eval_is_extended_real(self) -> bool | None:
        return self._in_range()

    def _eval_is_finite(self) -> bool | None:
        return True if self._innermost()[0].is_finite else None

    def _eval_is_complex(self) -> bool | None:
        return True if self._innermost()[0].is_complex else None

    def _eval_is_nonnegative(self) -> bool | None:
        return self._in_range()

    def _eval_is_positive(self) -> bool | None:
        # kappa_n vanishes on [-1, 1] only at -1, and a value of an inner level is at least 0.
        if self._in_range() is not True:
            return None
        x, levels = self._innermost()
        return True if levels > 1 or (1 + x).is_positive else None

    # ------------------------------------------------------------------ printing

    def _sympystr(self, printer: Printer) -> str:
        n, x = self.args
        if n <= 1:
            return f"kappa{n}({printer._print(x)})"
        return f"kappa({n}, {printer._print(x)})"

    def _latex(self, printer: Printer, exp: str | None = None) -> str:
        n, x = self.args
        power = "" if exp is None else f"^{{{exp}}}"
        return rf"\kappa_{{{n}}}{power}\left({printer._print(x)}\right)"


def kappa0(x: Expr) -> Expr:
    """kappa_0(x) = (pi - acos x)/pi, the dual of the step function."""
    return ArcCosine(0, x)


def kappa1(x: Expr) -> Expr:
    """kappa_1(x) = (x (pi - acos x) + sqrt(1 - x^2))/pi, the dual of the ReLU."""
    return ArcCosine(1, x)


# the same functions written with acos and roots ------------------------------------------------------------


def arc_cosine_form(expr: Expr) -> Expr:
    """acos(x) as pi (1 - kappa_0(x)) with the products multiplied out, and x kappa_0(x) + sqrt(1-x^2)/pi as kappa_1(x).

    >>> from sympy import Symbol
    >>> u = Symbol("u", real=True)
    >>> arc_cosine_form((u*(pi - acos(u)) + sqrt(1 - u**2))/pi)
    kappa1(u)
    """
    current = expr
    for _ in range(8):
        arguments = [
            node.args[0]
            for node in dag.postorder(current)
            if node.func is acos and not node.args[0].has(acos)
        ]
        if not arguments or dag.tree_size(current) > _LARGEST_FORM:
            break
        for x in dict.fromkeys(arguments):
            with_kappa = dag.rebuild(current, {acos(x): pi * (1 - ArcCosine(0, x))})
            current = _collect(with_kappa, x)
    return current


def _collect(expr: Expr, x: Expr) -> Expr:
    """sqrt(1 - x^2) = pi (kappa_1(x) - x kappa_0(x)) put in, and each sum multiplied out so that terms cancel."""
    root = sqrt(1 - x**2)
    replacements: dict[Expr, Expr] = {root: pi * (ArcCosine(1, x) - x * ArcCosine(0, x))}
    new: dict[Expr, Expr] = {}
    for node in dag.postorder(expr):
        if node in replacements:
            new[node] = replacements[node]
            continue
        args = [new[a] for a in node.args]
        changed = any(a is not b for a, b in zip(args, node.args, strict=True))
        rebuilt = node.func(*args) if changed else node
        new[node] = expand_mul(rebuilt) if changed and (node.is_Mul or node.is_Add) else rebuilt
    return new[expr]


Q = TypeVar("Q", arb, acb, arb_series, acb_series)
P = TypeVar("P", arb_series, acb_series)


def arc_cosine_closed(n: int, x: Q, theta: Q, sine: Q) -> Q:
    # J_1 = sin + (pi - theta) cos and J_{m+1} = (2m+1) cos J_m + m^2 sin^2 J_{m-1}; J_n(0) = (2n-1)!! pi.
    pi = arb.pi()
    before = pi - theta
    if n == 0:
        return before / pi
    here = sine + x * before
    double_factorial = 1
    for m in range(1, n):
        before, here = here, (2 * m + 1) * x * here + m * m * (sine * sine) * before
        double_factorial *= 2 * m + 1
    return here / (pi * double_factorial)


def _arc_cosine_at(n: int, x: arb) -> arb:
    # atan2 keeps all digits next to x = 1, where acos(x) of a rounded x could not
    sine = ((1 - x) * (1 + x)).sqrt()
    return arc_cosine_closed(n, x, arb.atan2(sine, x), sine)


def arc_cosine_real(n: arb | int, x: arb) -> arb:
    """kappa_n(x) for x in [-1, 1]; what a ball has outside of [-1, 1] is cut off.

    The argument of an arc-cosine kernel is a correlation, so a ball around it that sticks out does so by
    rounding only: at kappa_1(kappa_1(1)) the answer is 1 and not nan. A ball certainly outside gives nan.

    >>> arc_cosine_real(1, arb(1, 2.0**-40)).overlaps(arb(1))
    True
    """
    n = int(n) if isinstance(n, int) else whole(n)
    if not x.is_finite() or x > 1 or x < -1:
        return arb.nan()
    if n:
        middle = x.mid()
        if -1 <= middle <= 1:
            # mean value form, 0 <= kappa_n' <= n^2/(2n-1): the ball grows by no more than the function does,
            # whereas x, theta and sin carry errors that cancel and blow up with each layer of a network
            return _arc_cosine_at(n, middle) + arb(0, x.rad() * n * n / (2 * n - 1))
    elif -1 < x < 1:
        sine = ((1 - x) * (1 + x)).sqrt()
        if sine.is_finite():
            return 1 - arb.atan2(sine, x) / arb.pi()
    # kappa_n increases on [-1, 1]: next to an end the values at the ends of the ball are the enclosure
    low, high = arb.max(x.lower(), arb(-1)), arb.min(x.upper(), arb(1))
    return hull(_arc_cosine_at(n, low), _arc_cosine_at(n, high))


def _principal(n: int, z: acb) -> acb:
    return arc_cosine_closed(n, z, complex_acos(z), complex_sqrt(1 - z) * complex_sqrt(1 + z))


def arc_cosine_complex(n: acb | int, z: acb) -> acb:
    """kappa_n(z) with principal acos and square root: cuts along (-oo, -1] and [1, oo)."""
    n = int(n) if isinstance(n, int) else whole(n.real)
    direct = _principal(n, z)
    if n == 0 or z.is_exact() or not z.is_finite() or not off_both_real_rays(z):
        return direct
    # mean value form along kappa_n' = n^2/(2n-1) kappa_(n-1), as on the real line
    slope = arc_cosine_complex(n - 1, z) * n * n / (2 * n - 1)
    middle = z.mid()
    return meet(direct, _principal(n, middle) + slope * (z - middle))


def arc_cosine_series(n: arb | int, x: P) -> P:
    n = int(n) if isinstance(n, int) else whole(n)
    return arc_cosine_closed(n, x, acos_series(x), ((1 - x) * (1 + x)).sqrt())


@expands(ArcCosine)
def _arc_cosine(context: Context, node: Expr, order: Series, a: Series) -> Series:
    n = finite_integer(context, order)
    point = settled(context, finite_limit(a, node, COMPLEX))
    value = context.dom.apply(lambda x: ArcCosine(n, x), point)
    if n == 0:
        derivative = inverse_cosine(context, a, node).scaled(context.dom.constant(1 / pi))
    else:
        # kappa_n' = n^2/(2n-1) kappa_(n-1)
        lower = context.arc_cosine(n - 1, a, node)
        derivative = lower.scaled(context.dom.rational(fmpq(n * n, 2 * n - 1)))
    return context.primitive(value, derivative, a)


def _reflected(node: Expr) -> Expr:
    """J_n = A_n (pi - theta) + B_n sin(theta), and A_n has the parity of n, B_n that of n - 1 (eq. (11))."""
    n, x = int(node.args[0]), -node.args[1]
    whole = Add(*(c * x**j for j, c in enumerate(polynomials(n)[0]))) / factorial2(2 * n - 1)
    return (-1) ** n * (whole - ArcCosine(n, x))


RECORDS = (
    # kappa_n = polynomial + polynomial times acos or sqrt(1 - x^2), with (1 -+ x)^(n + 1/2) at both ends
    Record(
        function=ArcCosine,
        real=arc_cosine_real,
        complex=arc_cosine_complex,
        series=arc_cosine_series,
        requirements=lambda node: unit_interval(node.args[1]),
        singular_values=constantly((S.One, S.NegativeOne)),
        regular=lambda n, z: off_both_real_rays(z),
        monotone=constantly(Monotone(1, (S.NegativeOne, S.One), (S.Zero, S.One))),
        upward=constantly(S.One),
        reflected=_reflected,
        numpy=lambda n, x: arccosine_numpy(int(n), x),
    ),
)
