# What this package uses of SymPy's classes, for the type checker: SymPy's own annotations are partial.
# A name that is not described here is Any.
from typing import Any

from sympy.core.basic import Basic as Basic
from sympy.core.expr import Expr as Expr
from sympy.core.function import Function as Function
from sympy.core.numbers import Float as Float
from sympy.core.numbers import Integer as Integer
from sympy.core.numbers import Rational as Rational
from sympy.core.symbol import Dummy as Dummy
from sympy.core.symbol import Symbol as Symbol

class _Singletons:
    Zero: Integer
    One: Integer
    NegativeOne: Integer
    Half: Rational
    Infinity: Expr
    NegativeInfinity: Expr
    ComplexInfinity: Expr
    NaN: Expr
    ImaginaryUnit: Expr
    Pi: Expr
    Exp1: Expr
    EulerGamma: Expr
    true: Any
    false: Any
    Reals: Any
    def __call__(self, value: object) -> Expr: ...

S: _Singletons
pi: Expr
E: Expr
I: Expr
oo: Expr
zoo: Expr
nan: Expr
EulerGamma: Expr
Catalan: Expr

def sympify(a: object, *, strict: bool = ..., evaluate: bool | None = ..., rational: bool = ...) -> Expr: ...
def sqrt(arg: Expr | int) -> Expr: ...
def latex(expr: object, **settings: object) -> str: ...
def sstr(expr: object, **settings: object) -> str: ...
def srepr(expr: object, **settings: object) -> str: ...
def expand(e: Expr, **hints: object) -> Expr: ...
def expand_mul(expr: Expr, deep: bool = ...) -> Expr: ...
def factor(f: Expr, *gens: Expr, **args: object) -> Expr: ...
def cancel(f: Expr, *gens: Expr, **args: object) -> Expr: ...
def together(expr: Expr, deep: bool = ..., fraction: bool = ...) -> Expr: ...
def fraction(expr: Expr, exact: bool = ...) -> tuple[Expr, Expr]: ...
def diff(f: Expr, *symbols: Expr | int, **kwargs: object) -> Expr: ...
def __getattr__(name: str) -> Any: ...
