r"""kappa(z) = E[phi(X) phi(Y)] = sum_n a_n^2 z^n, corr(X, Y) = z, for an activation without a closed form.

Each even or odd activation phi, a template in x and parameters, has a function of its own: `hermite_dual` makes the
class of SymPy functions of (parameters, z). kappa is analytic for |z| < 1 and C-infinity on [-1, 1]; by Price's theorem
its derivative belongs to phi'.
"""

from __future__ import annotations

import copyreg
import hashlib
import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from math import factorial
from typing import Any, TypeVar, cast

import flint
import mpmath
import numpy as np
from flint import acb, arb, fmpq
from mpmath import mpc, mpf
from sympy import Add, Expr, Rational, S, Symbol, degree, diff, sstr
from sympy.core.function import ArgumentIndexError, FunctionClass
from sympy.printing.printer import Printer

from asymptok.errors import ExpansionError
from asymptok.functions.evaluated import EvaluatedFunction
from asymptok.functions.expanding import Context, Series, exact_constants, expands, finite_limit
from asymptok.functions.hermite_numeric import PARAMETER_BITS, Coefficients, Squares
from asymptok.functions.inverse import unit_interval
from asymptok.functions.record import Record, constantly
from asymptok.points import Array
from asymptok.precision import flint_precision
from asymptok.quantities import Ball, Element, midpoint
from asymptok.symbols import x
from asymptok.truth import Truth

__all__ = ["HermiteDual", "HermiteFamily", "hermite_dual", "mpmath_value", "real_value", "without_low_powers"]


T = TypeVar("T")

#: the centres and radii of parameters
Key = tuple[object, ...]
#: at most so many sets of coefficients are kept for one activation, for parameters of various precisions
_KEPT = 16
#: bits beyond those of the argument to which a wide ball is answered
_SPARE = 32


def remembered(known: dict[Key, T], given: tuple[arb, ...], make: Callable[[tuple[arb, ...]], T]) -> T:
    """What is made of parameters, made once: one ball stands for all higher precisions."""
    with flint_precision(PARAMETER_BITS):
        given = tuple(+g if g.rel_accuracy_bits() > PARAMETER_BITS else g for g in given)
    key = tuple((g.mid().man_exp(), g.rad().man_exp()) for g in given)
    if key not in known:
        if len(known) >= _KEPT:
            known.clear()
        known[key] = make(given)
    return known[key]


class HermiteFamily(FunctionClass):
    """The classes of functions made by `hermite_dual`, one for each activation."""


class HermiteDual(EvaluatedFunction, metaclass=HermiteFamily):
    """What all kernels defined by Hermite coefficients have in common; see `hermite_dual`."""

    template: Expr
    symbols: tuple[Symbol, ...]
    #: of phi, the derivative of the template of this order
    parity: int
    order: int
    #: kappa is C-infinity up to the ends of [-1, 1]
    smooth_ends = True
    _coefficients: dict[Key, Coefficients]
    _made: tuple[object, ...]

    @classmethod
    def eval(cls, *args: Expr) -> Expr | None:
        *given, z = args
        if z is S.NaN:
            return S.NaN
        fixed = {s: v for s, v in zip(cls.symbols, given, strict=True) if isinstance(v, Rational)}
        if fixed:
            kept = {s: v for s, v in zip(cls.symbols, given, strict=True) if s not in fixed}
            return cls._with(fixed, tuple(kept))(*kept.values(), z)
        if z.is_zero and cls.parity:
            return S.Zero
        if z.could_extract_minus_sign():
            return (-1) ** cls.parity * cls(*given, -z)
        return None

    @classmethod
    def _with(cls, fixed: Mapping[Symbol, Expr], kept: tuple[Symbol, ...]) -> type[HermiteDual]:
        """The function that is left of the other parameters."""
        return hermite_dual(cls.template.subs(fixed), kept, cls.parity, cls.order)

    def fdiff(self, argindex: int = 1) -> Expr:
        """Price: d/dz E[phi(X) phi(Y)] = E[phi'(X) phi'(Y)]."""
        if argindex != len(self.args):
            raise ArgumentIndexError(self, argindex)
        return self.slope(1)(*self.args)

    @classmethod
    def slope(cls, order: int) -> type[HermiteDual]:
        """The function that belongs to the derivative of phi."""
        top = cls.order + order
        return hermite_dual(without_low_powers(cls.template, top), cls.symbols, (cls.parity + order) % 2, top)

    @classmethod
    def activation(cls, *given: Expr) -> Expr:
        """phi with the parameters put in."""
        phi = cls.template.subs(dict(zip(cls.symbols, given, strict=True)))
        return diff(phi, x, cls.order) if cls.order else phi

    @classmethod
    def coefficients(cls, *given: arb) -> Coefficients:
        """The Hermite coefficients for parameters that are balls."""

        def make(given: tuple[arb, ...]) -> Coefficients:
            base = None
            if cls.order:
                lower = hermite_dual(cls.template, cls.symbols, (cls.parity + cls.order) % 2)
                base = lower.coefficients(*given)
            values = dict(zip(cls.symbols, given, strict=True))
            return Coefficients(cls.template, x, cls.parity, values, base, cls.order)

        return remembered(cls._coefficients, given, make)

    @classmethod
    def exists(cls, *given: arb) -> bool:
        """Whether what the coefficients rest on is proved of the activation."""
        return cls.coefficients(*given).exists

    @classmethod
    def require(cls, *given: arb) -> None:
        """An error if it is not."""
        cls.coefficients(*given).require()

    @classmethod
    def squares(cls, *given: arb, bits: int | None = None) -> Squares:
        return cls.coefficients(*given).squares(flint.ctx.prec if bits is None else bits)

    @classmethod
    def at_point(cls, given: list[arb], z: arb) -> arb:
        """kappa at an exact number in [0, 1], at the precision in force."""
        if z == 1:
            return cls.coefficients(*given).moment(flint.ctx.prec)
        return cls.coefficients(*given).squares_at(flint.ctx.prec, z).at(z)

    @classmethod
    def at_complex(cls, given: list[arb], z: acb) -> acb:
        """kappa at a complex ball in the closed unit disc."""
        return cls.coefficients(*given).squares_at(flint.ctx.prec, z.abs_upper()).at_complex(z)

    @classmethod
    def doubles(cls, given: list[arb], z: Array) -> Array:
        """kappa on an array of doubles in [-1, 1], by Horner's rule."""

        with flint_precision(64):
            coefficients = [float(c.mid()) for c in cls.squares(*given, bits=64).values]
        y = z * z
        total = np.zeros_like(y)
        for c in reversed(coefficients):
            total = total * y + c
        return total * z if cls.parity else total

    def _eval_is_extended_real(self) -> bool | None:
        return True if all(a.is_extended_real for a in self.args) else None

    def _eval_is_finite(self) -> bool | None:
        return self._eval_is_extended_real()

    def _eval_is_nonnegative(self) -> bool | None:
        z = self.args[-1]
        return True if (z.is_nonnegative or not self.parity) and self._eval_is_extended_real() else None

    def _sympystr(self, printer: Printer) -> str:
        f = f"f^({self.order})" if self.order > 1 else "f" + "'" * self.order
        phi = self.template.subs(dict(zip(self.symbols, self.args[:-1], strict=True)))
        return f"E[{f}(X) {f}(Y); f = {sstr(phi)}, corr = {printer._print(self.args[-1])}]"

    @property
    def shown(self) -> tuple[Expr, str, Expr]:
        """kappa^[phi]^(n)(z) as phi, the marks of the derivative in z, and z."""
        phi = self.template.subs(dict(zip(self.symbols, self.args[:-1], strict=True)))
        marks = "'" * self.order if self.order <= 3 else f"({self.order})"
        return phi, marks, self.args[-1]

    def shown_latex(self, printer: Printer) -> str:
        phi, marks, z = self.shown
        power = f"^{{{marks}}}" if marks.endswith(")") else marks
        return rf"\hat\kappa\left[{printer._print(phi)}\right]{power}\left({printer._print(z)}\right)"


def without_low_powers(phi: Expr, order: int) -> Expr:
    """An activation with the same derivative of that order, up to its sign: kernels do not see the rest.

    >>> from sympy import tanh
    >>> without_low_powers(x/2 - tanh(x)/2, 2)
    tanh(x)/2
    """
    if order <= 0:
        return phi
    kept = [t for t in Add.make_args(phi) if not (t.is_polynomial(x) and degree(t, x) < order)]
    rest = Add(*kept)
    return -rest if rest.could_extract_minus_sign() else rest


#: the classes by the calls that make them
D = TypeVar("D", bound=HermiteDual)
_MADE: dict[tuple[object, ...], type[HermiteDual]] = {}


def hermite_dual(
    template: Expr, symbols: tuple[Symbol, ...], parity: int, order: int = 0
) -> type[HermiteDual]:
    """The class of the function (parameters, z) -> E[phi(X) phi(Y)], phi even (parity 0) or odd (parity 1).

    phi is the template, or its derivative of the given order.

    >>> from sympy import tanh
    >>> kappa = hermite_dual(tanh(x), (), 1)
    >>> kappa(-S.Half) == -kappa(S.Half), kappa(S.Half).n(12)
    (True, 0.186324413203)
    """
    fields = {"template": template, "symbols": symbols, "parity": parity, "order": order}
    return family_member(HermiteDual, (hermite_dual, template, symbols, parity, order), lambda: fields)


def family_member(base: type[D], made: tuple[object, ...], fields: Callable[[], dict[str, Any]]) -> type[D]:
    """The class below `base` that the call `made` stands for: one class for each call, so that values are equal."""
    found = _MADE.get(made)
    if found is None:
        own = fields()
        name = class_name(base.__name__, own["template"], own["symbols"], own["order"])
        own |= {
            "nargs": len(own["symbols"]) + 1,
            "_coefficients": {},
            "_made": made,
            "__module__": base.__module__,
        }
        found = _MADE[made] = cast(type[D], HermiteFamily(name, (base,), own))
        found._imp_ = staticmethod(mpmath_value(found))
    return cast(type[D], found)


def class_name(kind: str, template: Expr, symbols: tuple[Symbol, ...], order: int) -> str:
    """A name of its own that SymPy's printers can write into a program."""
    shown = f"{sstr(template)}; {', '.join(map(str, symbols))}; {order}"
    plain = re.sub(r"\W+", "_", shown)[:40]
    return f"{kind}_{plain}_{hashlib.sha256(shown.encode()).hexdigest()[:12]}"


def _reduce(cls: HermiteFamily) -> str | tuple[Callable[..., HermiteFamily], tuple[object, ...]]:
    if "_made" not in cls.__dict__:
        return cls.__name__  # by its name
    make, *args = vars(cls)["_made"]
    return make, tuple(args)


copyreg.pickle(HermiteFamily, _reduce)


def mpmath_value(cls: type[HermiteDual]) -> Callable[..., mpf | mpc | float | Array]:
    """The values for lambdify: mpmath numbers, or arrays of doubles and plain floats."""

    def value(*args: mpf | mpc | float | Array) -> mpf | mpc | float | Array:
        *given, z = args
        if any(isinstance(a, mpmath.mpf | mpmath.mpc) for a in args):
            prec = mpmath.mp.prec + 10
            with flint_precision(prec):
                balls = [_ball(a) for a in given]
                if isinstance(z, mpmath.mpc):
                    found = complex_value(cls, *balls, acb(_ball(z.real), _ball(z.imag)))
                    return mpmath.mpc(_mpf(found.real), _mpf(found.imag))
                return _mpf(real_value(cls, *balls, _ball(z)))
        doubles = numpy_value(cls, *(a for a in args if isinstance(a, float | int | np.ndarray)))
        return float(doubles) if all(isinstance(a, float | int) for a in args) else doubles

    return value


def _ball(a: object) -> arb:
    if isinstance(a, int | arb):
        return arb(a)
    sign, mantissa, exponent, _ = mpmath.mpf(a)._mpf_
    return arb((-int(mantissa) if sign else int(mantissa), int(exponent)))


def _mpf(found: arb) -> mpf:
    return midpoint(found, mpmath.mp.prec) if found.is_finite() else mpmath.mp.nan


# in balls ------------------------------------------------------------------------------------------------


def real_value(cls: type[HermiteDual], *args: arb) -> arb:
    """kappa on a real ball; what it has outside [-1, 1] is cut off, as rounding put it there."""
    *given, z = args
    if not all(a.is_finite() for a in args) or z > 1 or z < -1 or not cls.exists(*given):
        return arb.nan()
    low, high = arb.max(z.lower(), arb(-1)), arb.min(z.upper(), arb(1))
    # the ends of a wide ball need no more digits than its width calls for
    bits = flint.ctx.prec if low == high else min(flint.ctx.prec, _SPARE + max(0, int(z.rel_accuracy_bits())))
    with flint_precision(bits):
        far = abs(z).upper()
        if low < high and far < 1 and not cls.order and z.rel_accuracy_bits() > _SPARE:
            # kappa is convex on [0, 1]: |kappa'| <= (kappa(1) - kappa(|z|))/(1 - |z|) up to |z|
            middle = _odd(cls, given, z.mid()) if cls.parity else cls.at_point(given, abs(z.mid()))
            slope = (cls.at_point(given, arb(1)) - abs(middle)) / (1 - far)
            return middle + arb(0, (slope * z.rad()).upper())
        if cls.parity:
            ends = (_odd(cls, given, low), _odd(cls, given, high))
        else:
            # rises with |z|
            far = arb.max(abs(low), abs(high))
            near = arb(0) if low <= 0 <= high else arb.min(abs(low), abs(high))
            ends = (cls.at_point(given, near), cls.at_point(given, far))
        return ends[0] if low == high else ends[0].union(ends[1])


def _odd(cls: type[HermiteDual], given: list[arb], z: arb) -> arb:
    return cls.at_point(given, z) if z >= 0 else -cls.at_point(given, -z)


def complex_value(cls: type[HermiteDual], *args: Ball) -> acb:
    """kappa on a complex ball in the closed unit disc; nan elsewhere."""
    *given, z = args
    z = acb(z)
    balls = [g.real if isinstance(g, acb) else g for g in given]
    if not z.is_finite() or not all(b.is_finite() for b in balls) or not cls.exists(*balls):
        return acb(arb.nan())
    if z.imag.is_zero() and not abs(z) < 1:
        return acb(real_value(cls, *balls, z.real))
    if not z.abs_upper() <= 1:
        return acb(arb.nan())
    return cls.at_complex(balls, z)


def numpy_value(cls: type[HermiteDual], *args: float | Array) -> Array:
    """kappa on an array of doubles, to about 1e-15 relative to kappa(1); nan outside [-1, 1]."""
    *given, z = args
    with flint_precision(64):
        balls = [arb(float(g)) for g in given]
    z = np.asarray(z, dtype=float)
    inside = np.abs(z) <= 1 + 1e-14
    values = cls.doubles(balls, np.clip(np.where(inside, z, 0.0), -1, 1))
    return np.where(inside, values, np.nan)[()]


@cache
def hermite_record(cls: type[HermiteDual]) -> Record:
    """Analytic in the open unit disc; without kinks C-infinity up to the ends of [-1, 1]."""
    return Record(
        function=cls,
        real=partial(real_value, cls),
        complex=partial(complex_value, cls),
        requirements=lambda node: unit_interval(node.args[-1]),
        regular=lambda *args: bool(args[-1].abs_upper() < 1),
        numpy=partial(numpy_value, cls),
        smooth_ends=cls.smooth_ends,
        upward=constantly(S.One),
    )


@expands(HermiteDual)
def _hermite(context: Context, node: HermiteDual | type[HermiteDual], *args: Series) -> Series:
    """kappa^(j) belongs to the j-th derivative of phi: Taylor's series, at the ends as well as inside."""
    dom = context.dom
    given = exact_constants(args[:-1])
    if given is None:
        raise ExpansionError("the parameters of an activation must not depend on the variable", node)
    value = finite_limit(args[-1], node, "the correlation is unbounded")
    z = args[-1].without_constant()
    inside = dom.sign(dom.add(dom.one, value)) * dom.sign(dom.add(dom.one, dom.neg(value)))
    if not inside.known:
        raise dom.undecided(value, "whether {} lies in [-1, 1]", node)
    if inside.negative:
        raise ExpansionError(f"{node}: the correlation leaves [-1, 1]", node)
    cls = type(node) if isinstance(node, HermiteDual) else node
    # the exact ends, where kappa is a second moment
    if inside.zero:
        at_one = dom.is_zero(dom.add(value, dom.rational(-1))) is Truth.TRUE
        value = dom.rational(1 if at_one else -1)

    def coefficient(m: int) -> Element:
        return dom.scale(dom.apply(cls.slope(m), *given, value), fmpq(1, factorial(m)))

    return context.compose(coefficient, z)
