from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sympy.core.expr import Expr
from sympy.core.symbol import Symbol

class Basic:
    is_Add: bool
    is_Mul: bool
    is_Pow: bool
    is_Symbol: bool
    is_Number: bool
    is_Rational: bool
    is_Integer: bool
    is_Float: bool
    is_Function: bool
    is_Atom: bool
    is_number: bool
    is_zero: bool | None
    is_nonzero: bool | None
    is_real: bool | None
    is_extended_real: bool | None
    is_rational: bool | None
    is_irrational: bool | None
    is_integer: bool | None
    is_positive: bool | None
    is_negative: bool | None
    is_nonnegative: bool | None
    is_nonpositive: bool | None
    is_extended_positive: bool | None
    is_extended_negative: bool | None
    is_finite: bool | None
    is_infinite: bool | None
    is_odd: bool | None
    is_even: bool | None
    is_commutative: bool | None
    # of the nodes that are walked here; the pairs of a Piecewise and the relations are Any
    @property
    def args(self) -> tuple[Expr, ...]: ...
    @property
    def func(self) -> Callable[..., Expr]: ...
    @property
    def free_symbols(self) -> set[Symbol]: ...
    def atoms(self, *types: Any) -> set[Any]: ...
    def has(self, *patterns: Any) -> bool: ...
    def has_free(self, *patterns: Any) -> bool: ...
    def find(self, query: Any, group: bool = ...) -> set[Expr]: ...
    def subs(self, *args: Any, **kwargs: Any) -> Expr: ...
    def xreplace(self, rule: Mapping[Any, Any]) -> Expr: ...
    def replace(self, query: Any, value: Any, map: bool = ..., exact: bool | None = ...) -> Expr: ...
    def doit(self, **hints: object) -> Expr: ...
    def sort_key(self, order: str | None = ...) -> tuple[Any, ...]: ...
    def equals(self, other: object, failing_expression: bool = ...) -> bool | None: ...
    @property
    def assumptions0(self) -> dict[str, bool]: ...
    # a Tuple, or a branch of a Piecewise
    def __iter__(self) -> Iterator[Expr]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    # an attribute that is not described here
    def __getattr__(self, name: str) -> Any: ...
