"""One eigenvalue as a method found it: a ball, whether the ball is a proof, and who computed it."""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb


@dataclass(frozen=True, slots=True)
class Value:
    """mu_k in `ball`; `proved` says whether that is a theorem or an estimate."""

    ball: arb
    proved: bool
    method: str

    @staticmethod
    def zero(method: str) -> Value:
        return Value(arb(0), True, method)


Values = dict[int, Value]
