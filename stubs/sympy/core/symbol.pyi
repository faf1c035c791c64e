from sympy.core.expr import Expr

class Symbol(Expr):
    name: str
    def __init__(self, name: str, **assumptions: bool | None) -> None: ...

class Dummy(Symbol):
    dummy_index: int
    def __init__(
        self, name: str | None = ..., dummy_index: int | None = ..., **assumptions: bool | None
    ) -> None: ...
