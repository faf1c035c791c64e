"""One table: for each SymPy function, its enclosure over real balls and over complex balls.

To support a further function, add one line to `TABLE` (or to `SERIES` for power-series arguments). An
implementation takes the already evaluated arguments and returns a ball that contains every value the function
takes on them; outside the real domain it returns nan, never an exception.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, reduce
from operator import mul
from typing import Any

import sympy
from flint import acb, arb

Implementation = Callable[..., Any]


def _nan(*_: Any) -> Any:
    return arb.nan()


def hull(low: Any, high: Any) -> Any:
    """The smallest ball around both ends; nan as soon as one end is."""
    if not (low.is_finite() and high.is_finite()):
        return arb.nan()
    return low.union(high)


# ---------------------------------------------------------------------------------------------- powers


def integer_power(x: Any, n: int) -> Any:
    """x**n by repeated squaring.

    python-flint's own `arb ** int` goes through log as soon as the ball contains zero, and returns nan.
    """
    if n < 0:
        return integer_power(1 / x, -n)
    if n == 0:
        return x * 0 + 1
    result: Any = None
    square = x
    even = n % 2 == 0
    while n:
        if n & 1:
            result = square if result is None else result * square
        n >>= 1
        if n:
            square = square * square
    # an even power is never negative: halve the enclosure when the base straddles zero
    return result.nonnegative_part() if even and isinstance(x, arb) else result


def real_power(x: Any, exponent: Any) -> Any:
    """x**e = exp(e log x) for x >= 0 (monotone in x: a ball touching zero is the hull of its ends)."""
    if x > 0:
        return x**exponent
    if x < 0 or not exponent > 0:
        return _real_integer_case(x, exponent)
    low = x.lower()
    if low < 0:
        return arb.nan()
    top = x.upper()
    return hull(arb(0), top**exponent) if top > 0 else arb(0)


def _real_integer_case(x: Any, exponent: Any) -> Any:
    n = exponent.unique_fmpz() if exponent.is_exact() else None
    return arb.nan() if n is None else integer_power(x, int(n))


def complex_power(z: Any, exponent: Any) -> Any:
    """z**e, principal value; a ball around zero with e > 0 is enclosed by its modulus."""
    if z.contains(0) and exponent.imag.is_zero() and exponent.real > 0:
        radius = real_power(z.abs_upper(), exponent.real).abs_upper()
        disc = arb(0, radius)
        return acb(0) if z.is_zero() else acb(disc, disc)
    return z.pow(exponent)


def real_sqrt(x: Any) -> Any:
    if x > 0:
        return x.sqrt()
    low = x.lower()
    if not low >= 0:
        return arb.nan()
    return hull(arb(0), x.upper().sqrt())


# ---------------------------------------------------------------------------- arc-cosine kernels


def arc_cosine_closed(n: int, x: Any, theta: Any, sine: Any) -> Any:
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


def _arc_cosine_at(n: int, x: Any) -> Any:
    # atan2 keeps all digits next to x = 1, where acos(x) of a rounded x could not
    sine = ((1 - x) * (1 + x)).sqrt()
    return arc_cosine_closed(n, x, arb.atan2(sine, x), sine)


def arc_cosine_real(n: Any, x: Any) -> Any:
    """kappa_n(x) for x in [-1, 1]; what a ball has outside of [-1, 1] is cut off.

    The argument of an arc-cosine kernel is a correlation, so a ball around it that sticks out does so by
    rounding only: at kappa_1(kappa_1(1)) the answer is 1 and not nan. A ball certainly outside gives nan.

    >>> arc_cosine_real(1, arb(1, 2.0**-40)).overlaps(arb(1))
    True
    """
    n = int(n) if isinstance(n, int) else int(n.unique_fmpz())
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


def arc_cosine_complex(n: Any, z: Any) -> Any:
    """kappa_n(z) with principal acos and square root: cuts along (-oo, -1] and [1, oo)."""
    n = int(n) if isinstance(n, int) else int(n.real.unique_fmpz())
    return arc_cosine_closed(n, z, z.acos(), ((1 - z) * (1 + z)).sqrt())


def arc_cosine_series(n: Any, x: Any) -> Any:
    n = int(n) if isinstance(n, int) else int(n.unique_fmpz())
    return arc_cosine_closed(n, x, _acos_series(x), ((1 - x) * (1 + x)).sqrt())


# ------------------------------------------------------------------------------ functions with care


def _heaviside(x: Any, at_zero: Any = None) -> Any:
    middle = arb(1) / 2 if at_zero is None else at_zero
    if x > 0:
        return arb(1)
    if x < 0:
        return arb(0)
    return middle if x.is_zero() else hull(arb(0), arb(1)).union(middle)


def _acot_real(x: Any) -> Any:
    if x.is_zero():
        return arb.pi() / 2
    if x.contains(0):
        return hull(-arb.pi() / 2, arb.pi() / 2)
    return (1 / x).atan()


def _polylog_real(s: Any, x: Any) -> Any:
    if x < 1:
        return x.polylog(s)
    # Li_s increases on [0, 1] and Li_s(1) = zeta(s) is finite for s > 1; beyond 1 it is complex.
    if not s > 1 or not x.upper() <= 1:
        return arb.nan()
    low = x.lower()
    return s.zeta() if low == 1 else hull(low.polylog(s), s.zeta())


def _polylog_complex(s: Any, z: Any) -> Any:
    if z == 1:
        return s.zeta() if s.real > 1 else acb(arb.nan())
    return z.polylog(s)


def _on_real_axis(f: Implementation, allowed: Callable[..., bool]) -> Implementation:
    """A real function computed by its complex implementation, where `allowed` proves the value real."""

    def implementation(*args: Any) -> Any:
        return f(*(acb(a) for a in args)).real if allowed(*args) else arb.nan()

    return implementation


def _elliptic_e(*args: Any) -> Any:
    return args[0].elliptic_e() if len(args) == 1 else acb.elliptic_e_inc(args[0], args[1])


def _lambertw_real(x: Any, branch: Any = None) -> Any:
    n = 0 if branch is None else branch.unique_fmpz()
    return arb.nan() if n not in (0, -1) else x.lambertw(int(n))


def _lambertw_complex(z: Any, branch: Any = None) -> Any:
    return z.lambertw(0 if branch is None else int(branch.real.unique_fmpz()))


def _hyper(a: Any, b: Any, z: Any) -> Any:
    return z.hypgeom_2f1(a[0], a[1], b[0]) if (len(a), len(b)) == (2, 1) else z.hypgeom(list(a), list(b))


def _zeta(s: Any, a: Any = None) -> Any:
    return s.zeta() if a is None else s.zeta(a)


def _real_only(f: Implementation) -> Implementation:
    """Max, sign, ...: not analytic, so on complex balls only the real axis is answered."""

    def implementation(*args: Any) -> Any:
        if not all(a.imag.is_zero() for a in args):
            return acb(arb.nan())
        return acb(f(*(a.real for a in args)))

    return implementation


def _log(x: Any, base: Any = None) -> Any:
    return x.log() if base is None else x.log() / base.log()


def _acos_series(x: Any) -> Any:
    if hasattr(x, "acos"):
        return x.acos()
    # acb_series has no acos: integrate acos' = -1/sqrt(1 - x^2) from the constant term
    return x[0].acos() - (x.derivative() * ((1 - x) * (1 + x)).rsqrt()).integral()


def _asin_series(x: Any) -> Any:
    return arb.pi() / 2 - _acos_series(x)


def _same(f: Implementation) -> tuple[Implementation, Implementation]:
    return f, f


def _method(name: str) -> tuple[Implementation, Implementation]:
    return getattr(arb, name), getattr(acb, name)


def _both_axes(f: Implementation, allowed: Callable[..., bool]) -> tuple[Implementation, Implementation]:
    return _on_real_axis(f, allowed), f


def _ordered(f: Implementation) -> tuple[Implementation, Implementation]:
    return f, _real_only(f)


#: SymPy class -> (over arb, over acb). The arguments are in SymPy's order and convention.
TABLE: dict[Any, tuple[Implementation, Implementation]] = {
    sympy.exp: _method("exp"),
    sympy.log: _same(_log),
    sympy.sin: _method("sin"),
    sympy.cos: _method("cos"),
    sympy.tan: _method("tan"),
    sympy.cot: _method("cot"),
    sympy.sec: _method("sec"),
    sympy.csc: _method("csc"),
    sympy.sinc: _method("sinc"),
    sympy.asin: _method("asin"),
    sympy.acos: _method("acos"),
    sympy.atan: _method("atan"),
    sympy.acot: (_acot_real, lambda z: acb.pi() / 2 if z.is_zero() else (1 / z).atan()),
    sympy.asec: _same(lambda x: (1 / x).acos()),
    sympy.acsc: _same(lambda x: (1 / x).asin()),
    sympy.atan2: _ordered(lambda y, x: arb.atan2(y, x)),
    sympy.sinh: _method("sinh"),
    sympy.cosh: _method("cosh"),
    sympy.tanh: _method("tanh"),
    sympy.coth: _method("coth"),
    sympy.sech: _method("sech"),
    sympy.csch: _method("csch"),
    sympy.asinh: _method("asinh"),
    sympy.acosh: _method("acosh"),
    sympy.atanh: _method("atanh"),
    sympy.acoth: _same(lambda x: (1 / x).atanh()),
    sympy.asech: _same(lambda x: (1 / x).acosh()),
    sympy.acsch: _same(lambda x: (1 / x).asinh()),
    sympy.erf: _method("erf"),
    sympy.erfc: _method("erfc"),
    sympy.erfi: _method("erfi"),
    sympy.Ei: _method("ei"),
    sympy.Si: _method("si"),
    sympy.Ci: _method("ci"),
    sympy.Shi: _method("shi"),
    sympy.Chi: _method("chi"),
    sympy.gamma: _method("gamma"),
    sympy.loggamma: _method("lgamma"),
    sympy.factorial: _same(lambda x: (x + 1).gamma()),
    # polygamma(n, x) is real on the real axis for every integer n >= 0
    sympy.polygamma: _both_axes(lambda n, z: z.polygamma(n), lambda n, x: n.is_integer() and n >= 0),
    sympy.zeta: _same(_zeta),
    sympy.polylog: (_polylog_real, _polylog_complex),
    sympy.besselj: _same(lambda n, x: x.bessel_j(n)),
    sympy.bessely: _same(lambda n, x: x.bessel_y(n)),
    sympy.besseli: _same(lambda n, x: x.bessel_i(n)),
    sympy.besselk: _same(lambda n, x: x.bessel_k(n)),
    sympy.airyai: _method("airy_ai"),
    sympy.airybi: _method("airy_bi"),
    sympy.hyper: _same(_hyper),
    sympy.LambertW: (_lambertw_real, _lambertw_complex),
    # flint and SymPy agree: K and E are functions of the parameter m = k^2
    sympy.elliptic_k: _both_axes(lambda m: m.elliptic_k(), lambda m: m < 1),
    sympy.elliptic_e: _both_axes(_elliptic_e, lambda *a: len(a) == 1 and a[0] <= 1),
    sympy.elliptic_f: (_nan, lambda z, m: acb.elliptic_f(z, m)),
    sympy.Abs: (abs, lambda z: acb(abs(z))),
    sympy.sign: (arb.sgn, acb.sgn),
    sympy.Heaviside: _ordered(_heaviside),
    sympy.Min: _ordered(lambda *xs: reduce(arb.min, xs)),
    sympy.Max: _ordered(lambda *xs: reduce(arb.max, xs)),
    sympy.floor: _ordered(arb.floor),
    sympy.ceiling: _ordered(arb.ceil),
    sympy.Add: _same(lambda *xs: sum(xs[1:], xs[0])),
    sympy.Mul: _same(lambda *xs: reduce(mul, xs)),
}

#: SymPy class -> implementation on arb_series / acb_series arguments (at regular points).
SERIES: dict[Any, Implementation] = {
    **{
        getattr(sympy, name): (lambda x, method=name: getattr(x, method)())
        for name in ("exp", "sin", "cos", "tan", "atan", "erf", "erfc", "erfi", "gamma")
    },
    sympy.log: _log,
    sympy.acos: _acos_series,
    sympy.asin: _asin_series,
    sympy.loggamma: lambda x: x.lgamma(),
    sympy.sinh: lambda x: (x.exp() - (-x).exp()) / 2,
    sympy.cosh: lambda x: (x.exp() + (-x).exp()) / 2,
    sympy.tanh: lambda x: 1 - 2 / ((2 * x).exp() + 1),
    sympy.atanh: lambda x: ((1 + x) / (1 - x)).log() / 2,
    sympy.asinh: lambda x: (x + (x * x + 1).sqrt()).log(),
    sympy.Add: TABLE[sympy.Add][0],
    sympy.Mul: TABLE[sympy.Mul][0],
}

#: SymPy constant -> ball at the current precision.
CONSTANTS: dict[Any, Callable[[], Any]] = {
    sympy.pi: arb.pi,
    sympy.E: arb.const_e,
    sympy.EulerGamma: arb.const_euler,
    sympy.Catalan: arb.const_catalan,
    sympy.GoldenRatio: lambda: (1 + arb(5).sqrt()) / 2,
    sympy.oo: arb.pos_inf,
    -sympy.oo: arb.neg_inf,
    sympy.nan: arb.nan,
    sympy.zoo: arb.nan,
    sympy.I: lambda: acb(0, 1),
}


@cache
def arc_cosine_class() -> Any:
    # imported late: the kernels package may itself want balls
    from asymptok.kernels.arccosine import ArcCosine

    return ArcCosine


def implementations(cls: Any) -> tuple[Implementation, Implementation, Implementation | None] | None:
    """The three implementations (real, complex, power series) of a SymPy class, None if unsupported."""
    entry = TABLE.get(cls)
    if entry is not None:
        return (*entry, SERIES.get(cls))
    if cls is arc_cosine_class():
        return arc_cosine_real, arc_cosine_complex, arc_cosine_series
    return None
