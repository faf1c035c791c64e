"""Vector operations that need nothing of a domain but its ring operations: powers and exponentials by recurrence."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Generic

from flint import fmpq
from sympy import Expr

from asymptok.constants.domain import E, VectorOf
from asymptok.constants.exponents import Form, exponent_to_expr


class SparseVectors(ABC, Generic[E]):
    """Mixin over the ring operations of a domain. Vectors are sparse dicts without zero entries."""

    zero: E
    one: E

    @abstractmethod
    def rational(self, value: fmpq | int) -> E: ...
    @abstractmethod
    def constant(self, expr: Expr) -> E: ...
    @abstractmethod
    def add(self, a: E, b: E) -> E: ...
    @abstractmethod
    def mul(self, a: E, b: E) -> E: ...
    @abstractmethod
    def scale(self, a: E, r: fmpq) -> E: ...
    @abstractmethod
    def is_empty(self, a: E) -> bool:
        """Zero by its representation alone; the cheap test that keeps vectors sparse."""

    def vector_add(self, a: VectorOf[E], b: VectorOf[E]) -> VectorOf[E]:
        if len(a) < len(b):
            a, b = b, a
        result = dict(a)
        for i, y in b.items():
            x = result.get(i)
            if x is None:
                result[i] = y
            else:
                total = self.add(x, y)
                if self.is_empty(total):
                    del result[i]
                else:
                    result[i] = total
        return result

    def vector_scale(self, a: VectorOf[E], c: E) -> VectorOf[E]:
        result = {}
        for i, x in a.items():
            product = self.mul(x, c)
            if not self.is_empty(product):
                result[i] = product
        return result

    def convolve(self, a: VectorOf[E], b: VectorOf[E], n: int, weight: Callable[[int], fmpq]) -> E:
        """sum over i of weight(i) a_i b_(n-i)."""
        total = self.zero
        for i, x in a.items():
            y = b.get(n - i)
            if y is not None:
                w = weight(i)
                if w != 0:
                    total = self.add(total, self.scale(self.mul(x, y), w))
        return total

    def vector_power(self, a: VectorOf[E], form: Form, rest: fmpq, stop: int) -> VectorOf[E]:
        """b = (1+a)^p from (1+a) b' = p a' b:  n b_n = sum_k (p k - (n-k)) a_k b_(n-k)."""
        if form:
            return self._symbolic_power(a, form, rest, stop)
        result: VectorOf[E] = {0: self.one}
        for n in _indices(a, stop):
            total = self.convolve(a, result, n, lambda k, n=n: (rest * k - (n - k)) / n)  # type: ignore[misc]
            if not self.is_empty(total):
                result[n] = total
        return result

    def _symbolic_power(self, a: VectorOf[E], form: Form, rest: fmpq, stop: int) -> VectorOf[E]:
        """The same recurrence with a symbolic p: the two parts of its weight are summed apart."""
        p = self.constant(exponent_to_expr(form, rest))
        result: VectorOf[E] = {0: self.one}
        for n in _indices(a, stop):
            with_p = self.convolve(a, result, n, lambda k, n=n: fmpq(k, n))  # type: ignore[misc]
            without = self.convolve(a, result, n, lambda k, n=n: fmpq(k - n, n))  # type: ignore[misc]
            total = self.add(self.mul(p, with_p), without)
            if not self.is_empty(total):
                result[n] = total
        return result

    def vector_exp(self, a: VectorOf[E], stop: int) -> VectorOf[E]:
        """b = exp(a) from b' = a' b:  n b_n = sum_k k a_k b_(n-k)."""
        result: VectorOf[E] = {0: self.one}
        for n in _indices(a, stop):
            total = self.convolve(a, result, n, lambda k, n=n: fmpq(k, n))  # type: ignore[misc]
            if not self.is_empty(total):
                result[n] = total
        return result


def _indices(a: VectorOf[E], stop: int) -> list[int]:
    """The indices below `stop` that sums of the indices of a can reach: all others hold zeros."""
    steps = sorted(a)
    if not steps:
        return []
    if steps[0] == 1 or stop < 64:
        return list(range(steps[0], stop))
    reached = {0}
    frontier = [0]
    while frontier:
        base = frontier.pop()
        for s in steps:
            n = base + s
            if n >= stop:
                break
            if n not in reached:
                reached.add(n)
                frontier.append(n)
    return sorted(reached - {0})
