"""How a kernel was made, in a file: the calls of dual and network with their arguments, and sums, products and powers.

What is known of such a kernel is no property of its formula: that it is a mean of products, with Taylor coefficients
>= 0, follows from the making alone. A file is believed only so far as its making gives the formula beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sympy import Expr, Symbol, sstr

from asymptok.errors import AsymptokError
from asymptok.kernels.architecture import network
from asymptok.kernels.duals import Activation, dual
from asymptok.kernels.kernel import Kernel
from asymptok.kernels.means import Making
from asymptok.parsing import parse
from asymptok.symbols import x

_ASSUMED = ("positive", "negative", "real")
_DEPTH = 50  # of calls within calls


def making_data(kernel: Kernel) -> dict[str, Any] | None:
    """The making of a kernel as texts, numbers and lists, if it leads to the same kernel again."""
    making = kernel.mean.making if kernel.mean else None
    if making is None:
        return None
    try:
        data = _written(making)
        return data if made_again(data).expr == kernel.expr else None
    except AsymptokError:
        return None


def made_again(data: object) -> Kernel:
    """The kernel that a making in a file stands for; AsymptokError if it stands for none."""
    try:
        return _made(data, _DEPTH)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise AsymptokError(f"the making of the kernel is damaged: {type(error).__name__} {error}") from error


def _written(making: Making) -> dict[str, Any]:
    out: dict[str, Any] = {"call": making.call}
    if making.of:
        out["of"] = [_written(part) for part in making.of]
    if making.given:
        out["given"] = {name: _value(value) for name, value in making.given.items()}
    return out


def _value(value: object) -> object:
    if isinstance(value, Activation):
        value = value.expr
    if not isinstance(value, Expr):
        return value
    symbols = value.free_symbols - {x}
    kinds = {s.name: next(a for a in _ASSUMED if getattr(s, f"is_{a}")) for s in symbols if s.is_real}
    if len(kinds) != len(symbols):
        raise AsymptokError("a parameter that is not real")
    return {"text": sstr(value), **({"symbols": kinds} if kinds else {})}


def _made(data: Any, depth: int) -> Kernel:
    if not isinstance(data, dict) or not data.keys() <= {"call", "of", "given"} or not depth:
        raise ValueError("expected calls with `of` and `given`")
    calls: dict[str, Callable[..., Kernel]] = {
        "dual": dual,
        "network": network,
        "number": lambda value: Kernel(value),
        "sum": lambda a, b: a + b,
        "product": lambda a, b: a * b,
        "power": lambda a, exponent: a**exponent,
        "values": lambda a, /, **values: a.subs(**values),
    }
    if data["call"] not in calls:
        raise AsymptokError(f"the kernel was made by {data['call']!r}, which is not known here")
    given = {name: _read(value) for name, value in data.get("given", {}).items()}
    return calls[data["call"]](*(_made(part, depth - 1) for part in data.get("of", [])), **given)


def _read(value: object) -> object:
    if not isinstance(value, Mapping):
        return value
    symbols = {
        name: Symbol(name, **{kind: True})
        for name, kind in value.get("symbols", {}).items()
        if kind in _ASSUMED
    }
    return parse(value["text"], {"x": x, **symbols})
