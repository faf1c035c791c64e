"""Kernels sum_j C_j e^(c_j u) plus a polynomial: for every k above its degree

mu_k = F(k) sum_j C_j (c_j/B)^k s_j(k),   F(k) = Gamma(d/2) (B/2)^k/Gamma(k+d/2),
s_j(k) = sum_i (c_j/2)^(2i)/(i! (k+d/2) ... (k+d/2+i-1)),

by the eigenvalues of the powers of u; s_j(k) decreases to 1. With B = max |c_j| one k speaks for all later ones.
"""

from __future__ import annotations

from fractions import Fraction

from .balls import ONE, Ball, Retry
from .contour import Refuted
from .exact import ONE as EMPTY
from .exact import Number, Unsupported, ball, whole
from .kernel import Program, Symbols
from .symbols import U, collected


class Exponentials:
    def __init__(self, nodes: Program, base: Number, d: int) -> None:
        """c_j with C_j, and the degree of the polynomial."""
        self.base, self.d, self.degree = base, d, -1
        self.terms: dict[Number, Ball] = {}
        for product, constant in collected(Symbols().run(nodes)).items():
            exponent: Number = Fraction(0)
            for (name, inside), e in product:
                if name == "exp":
                    exponent = exponent + inside * e
                elif (name, inside) != U or not whole(e):
                    raise Unsupported("exponentials beside other functions")
            inner, n = collected(exponent), dict(product).get(U, 0)
            c, shift = inner.pop(frozenset({(U, 1)}), 0), inner.pop(EMPTY, 0)
            if inner or (n and c != 0):
                raise Unsupported("other functions than sums of exponentials e^(cu) and a polynomial")
            value = ball(constant) * ball(shift).exp()
            if c == 0:
                self.degree = max(self.degree, int(ball(n).interval()[0]))
            else:
                self.terms[c] = self.terms.get(c, Ball(0)) + value
        if not base > 0 or not all(abs_of(c) == base or abs_of(c) < base for c in self.terms):
            raise Refuted("the base is not shown to be the largest")

    def _part(self, c: Number, k: int) -> tuple[Ball, Ball]:
        """C_j (c_j/B)^k and s_j(k)."""
        size, sign = abs_of(c), 1 if c > 0 or k % 2 == 0 else -1
        power = (
            Ball(ONE) if size == self.base else ((ball(size).log() - ball(self.base).log()).scaled(k)).exp()
        )
        square, term, total, i = ball(size) * ball(size), Ball(ONE), Ball(0), 0
        while term.mag() > 1 << 20 or square.mag() > 2 * (i + 1) * ONE:
            total, i = total + term, i + 1
            term = (term * square).scaled(1 / (4 * i * (k + Fraction(self.d, 2) + i - 1)))
            if i > 1000:
                raise Retry("a large exponent")
        # from here on every term is less than half the one before
        return self.terms[c].scaled(sign) * power, total.widened(2 * term.mag())

    def value(self, k: int) -> tuple[Fraction, Fraction]:
        """mu_k/F(k)."""
        total = Ball(0)
        for c in self.terms:
            head, later = self._part(c, k)
            total = total + head * later
        return total.interval()

    def verify_all(self, k: int, a: Fraction, b: Fraction) -> None:
        """a F(m) <= mu_m <= b F(m) for all m >= k of its parity."""
        lead, rest, last = Ball(0), 0, Ball(ONE)
        for c in self.terms:
            head, later = self._part(c, k)
            if abs_of(c) == self.base:
                lead, last = lead + head, later
            else:
                rest += (head * later).mag()
        for s in (Ball(ONE), last):
            low, high = (lead * s).widened(rest).interval()
            if not a <= low <= high <= b:
                raise Refuted(f"a F(k) <= mu_k <= b F(k) is not confirmed for all k >= {k}")


def abs_of(c: Number) -> Number:
    return c if c > 0 else c * -1
