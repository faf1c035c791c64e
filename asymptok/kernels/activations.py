"""Activations by name, each a SymPy expression in x (a function of its parameters where it has any).

>>> from asymptok import activations
>>> activations.relu, activations.leaky_relu("1/10")
(Max(0, x), Piecewise((x, x > 0), (x/10, True)))
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from difflib import get_close_matches

from sympy import (
    Abs,
    Expr,
    Heaviside,
    Max,
    Min,
    Piecewise,
    Rational,
    S,
    factorial,
    hermite_prob,
    log,
    oo,
    sqrt,
)
from sympy import cos as _cos
from sympy import erf as _erf
from sympy import exp as _exp
from sympy import sign as _sign
from sympy import sin as _sin
from sympy import tanh as _tanh

from asymptok.errors import AsymptokError
from asymptok.parameters import Range, exact_number, number_or_symbol
from asymptok.symbols import u, x

__all__ = [
    "abs",
    "celu",
    "cos",
    "elu",
    "erf",
    "exp",
    "gaussian",
    "gelu",
    "get",
    "hard_tanh",
    "hermite",
    "leaky_relu",
    "mish",
    "named",
    "names",
    "polynomial",
    "prelu",
    "relu",
    "relu6",
    "relu_power",
    "selu",
    "sigmoid",
    "sign",
    "silu",
    "sin",
    "softplus",
    "spelled",
    "step",
    "tanh",
    "x",
]

#: max(x, 0)
relu = Max(0, x)
#: |x|
abs = Abs(x)
#: 1 for x > 0, else 0
step = Heaviside(x)
#: 1 for x > 0, -1 for x < 0
sign = _sign(x)
#: x Phi(x), Phi the normal distribution function
gelu = x * (1 + _erf(x / sqrt(2))) / 2
#: x/(1 + exp(-x)), also called swish
silu = x / (1 + _exp(-x))
#: log(1 + exp(x))
softplus = log(1 + _exp(x))
#: x tanh(softplus(x))
mish = x * _tanh(softplus)
tanh = _tanh(x)
#: 1/(1 + exp(-x))
sigmoid = 1 / (1 + _exp(-x))
erf = _erf(x)
sin = _sin(x)
cos = _cos(x)
exp = _exp(x)
#: exp(-x^2/2)
gaussian = _exp(-(x**2) / 2)
#: x cut off at -1 and 1
hard_tanh = Max(-1, Min(x, 1))
#: max(x, 0) cut off at 6
relu6 = Min(Max(0, x), 6)
#: scale * elu(alpha), the constants being the decimals of its authors
selu = Rational("1.0507009873554804934193349852946") * Piecewise(
    (x, x > 0), (Rational("1.6732632423543772848170429916717") * (_exp(x) - 1), True)
)


def leaky_relu(slope: object = "1/100") -> Expr:
    """x for x > 0, slope * x otherwise; a name such as "a" is a slope a > 0.

    >>> leaky_relu("0.2"), leaky_relu("a")
    (Piecewise((x, x > 0), (x/5, True)), Piecewise((x, x > 0), (a*x, True)))
    """
    return Piecewise((x, x > 0), (_parameter(slope, "slope") * x, True))


def prelu(slope: object = None) -> Expr:
    """leaky_relu whose slope is a parameter, the symbol a > 0 unless another is given."""
    return leaky_relu("a" if slope is None else slope)


def relu_power(n: object) -> Expr:
    """max(x, 0)^n for n >= 0, the step function for n = 0; n is a number, a name or a positive symbol.

    >>> relu_power(2), relu_power("p")
    (Max(0, x)**2, Max(0, x)**p)
    """
    order = _parameter(n, "the power of a ReLU")
    if order.is_nonnegative is not True:
        raise AsymptokError(f"the power of a ReLU is a number >= 0, not {n!r}")
    return step if order == 0 else relu**order


def elu(alpha: object = 1) -> Expr:
    """x for x > 0, alpha (exp(x) - 1) otherwise.

    >>> elu()
    Piecewise((x, x > 0), (exp(x) - 1, True))
    """
    return Piecewise((x, x > 0), (_parameter(alpha, "alpha") * (_exp(x) - 1), True))


def celu(alpha: object = 1) -> Expr:
    """x for x > 0, alpha (exp(x/alpha) - 1) otherwise: its slope has no jump.

    >>> celu(2)
    Piecewise((x, x > 0), (2*exp(x/2) - 2, True))
    """
    a = _parameter(alpha, "alpha")
    if a.is_positive is not True:
        raise AsymptokError(f"the alpha of celu is a positive number, not {a}")
    return Piecewise((x, x > 0), (a * (_exp(x / a) - 1), True))


#: the highest Hermite polynomial that is written out
_HIGHEST = 400


def hermite(n: object) -> Expr:
    """h_n = He_n/sqrt(n!), the Hermite polynomial of unit norm: its kernel is u^n.

    >>> hermite(2)
    sqrt(2)*(x**2 - 1)/2
    """
    order = _whole(n, "the degree of a Hermite polynomial")
    if order > _HIGHEST:
        raise AsymptokError(f"the degree of a Hermite polynomial is at most {_HIGHEST}, not {order}")
    return hermite_prob(order, x) / sqrt(factorial(order))


def polynomial(*coefficients: object) -> Expr:
    """c_0 + c_1 x + c_2 x^2 + ..., the coefficients given lowest first, one by one or as one list.

    >>> polynomial(1, 0, 2)
    2*x**2 + 1
    """
    if len(coefficients) == 1 and isinstance(coefficients[0], list | tuple):
        coefficients = tuple(coefficients[0])
    if not coefficients:
        raise AsymptokError("a polynomial needs its coefficients, lowest first: polynomial(0, 1, 3)")
    return sum((_parameter(c, "a coefficient", (-oo, oo)) * x**j for j, c in enumerate(coefficients)), S.Zero)


_FUNCTIONS: dict[str, Callable[..., Expr]] = {
    f.__name__: f for f in (leaky_relu, prelu, relu_power, elu, celu, hermite, polynomial)
}
_EXPRESSIONS: dict[str, Expr] = {
    "relu": relu,
    "abs": abs,
    "step": step,
    "sign": sign,
    "selu": selu,
    "gelu": gelu,
    "silu": silu,
    "mish": mish,
    "softplus": softplus,
    "tanh": tanh,
    "sigmoid": sigmoid,
    "erf": erf,
    "sin": sin,
    "cos": cos,
    "exp": exp,
    "gaussian": gaussian,
    "hard_tanh": hard_tanh,
    "relu6": relu6,
}
_ORDER = (
    *("relu", "leaky_relu", "prelu", "abs", "step", "sign", "relu_power", "elu", "selu", "celu", "gelu"),
    *("silu", "mish", "softplus", "tanh", "sigmoid", "erf", "sin", "cos", "exp", "gaussian", "hard_tanh"),
    *("relu6", "hermite", "polynomial"),
)


def names() -> list[str]:
    """The activations there are.

    >>> names()[:4]
    ['relu', 'leaky_relu', 'prelu', 'abs']
    """
    return list(_ORDER)


def get(name: str, **parameters: object) -> Expr:
    """The activation of that name.

    >>> get("elu", alpha=2)
    Piecewise((x, x > 0), (2*exp(x) - 2, True))
    """
    if not isinstance(name, str):
        raise AsymptokError(f"the name of an activation is a text, not {name!r}")
    if name in _EXPRESSIONS:
        if parameters:
            raise AsymptokError(f"{name} has no parameters, {', '.join(parameters)} were given")
        return _EXPRESSIONS[name]
    factory = _FUNCTIONS.get(name)
    if factory is None:
        close = "".join(f"; did you mean {one}?" for one in get_close_matches(name, _ORDER, 1))
        raise AsymptokError(f"there is no activation {name!r}{close}; there are {', '.join(_ORDER)}")
    if name == "polynomial":
        return polynomial(parameters.pop("coefficients", ()), **parameters)
    try:
        inspect.signature(factory).bind(**parameters)
    except TypeError as error:
        raise AsymptokError(f"{name}: {error}") from None
    return factory(**parameters)


def spelled(text: str) -> str | None:
    """The name as it is written here, if the text is one: papers write ReLU, and swish for SiLU.

    >>> spelled("ReLU"), spelled("swish"), spelled("x**2")
    ('relu', 'silu', None)
    """
    name = text.strip().lower()
    name = "silu" if name == "swish" else name
    return name if name in _ORDER else None


def named(expr: Expr) -> str | None:
    """How the activation is called, if it is one of these.

    >>> named(Max(0, x)), named(leaky_relu("a")), named(elu(2)), named(celu("b")), named(relu_power(3)), named(x**3)
    ('relu', 'leaky_relu(a)', 'elu(2)', 'celu(b)', 'relu_power(3)', None)
    """
    for name, known in _EXPRESSIONS.items():
        if expr == known:
            return name
    if expr.is_Pow and expr.base == relu:
        return f"relu_power({expr.exp})"
    if isinstance(expr, Piecewise) and len(expr.args) == 2:
        left = expr.args[1].expr
        far = -left.subs(x, -oo)
        tried = [(leaky_relu, left.subs(x, 1)), (elu, left.subs(x, log(2)))]
        for make, parameter in [*tried, (celu, far)] if far.is_positive else tried:
            if make(parameter) == expr:
                return f"{make.__name__}({parameter})"
    return None


def _parameter(value: object, what: str, bounds: Range = (S.Zero, oo)) -> Expr:
    number = number_or_symbol(value, bounds, what)
    for taken in {x.name, u.name} & {s.name for s in number.free_symbols}:
        raise AsymptokError(f"the parameter {what} depends on {taken}")
    return number


def _whole(value: object, what: str) -> int:
    n = exact_number(value, what)
    if not (n.is_Integer and n >= 0):
        raise AsymptokError(f"{what} is a whole number >= 0, not {value!r}")
    return int(n)
