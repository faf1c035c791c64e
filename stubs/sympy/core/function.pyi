from typing import Any

from sympy.core.expr import Expr

class FunctionClass(type): ...

class Function(Expr, metaclass=FunctionClass):
    # a function of a number of arguments, which may make something simpler of them
    def __init__(self, *args: object, evaluate: bool = ...) -> None: ...

def __getattr__(name: str) -> Any: ...
