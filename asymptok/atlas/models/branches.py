"""Models of functions at their branch points: inverse cosines, kappa_n, Bessel functions, and those with one at 1.

acos(1-y) = sqrt(2y) H(y),      H(y) = sum_m binom(2m, m)/(8^m (2m+1)) y^m.
"""

from __future__ import annotations

from math import comb, factorial
from typing import TYPE_CHECKING

import sympy
from flint import arb, fmpq, fmpq_poly
from sympy import Expr

from asymptok.atlas.local import Unproved
from asymptok.atlas.models.arithmetic import Model
from asymptok.atlas.models.at_one import connection
from asymptok.atlas.models.compositions import bessel_series, inside_one, inside_two
from asymptok.balls import ball
from asymptok.constants.exponents import RATIONAL
from asymptok.symbols import u

if TYPE_CHECKING:
    from asymptok.atlas.models.rules import Modeller


def limit_of(self: Modeller, inner: Expr) -> int:
    """1 or -1 if the argument of acos tends to it, 0 if it stays inside (-1, 1)."""
    value = self.known[inner].coefficient(RATIONAL, fmpq(0))
    if not self.known[inner].order >= 0:
        raise Unproved(f"acos of {inner}, which is unbounded")
    return 0 if -1 < value < 1 else (1 if value > 0 else -1)


def acos(self: Modeller, node: Expr) -> Model:
    inner = node.args[0]
    limit = limit_of(self, inner)
    if not limit:
        return self.regular(node)
    root, y = self.complement(inner, limit)
    rho, count = inside_two(y), y.depth
    coefficients = [arb(fmpq(comb(2 * m, m), 8**m * (2 * m + 1))) for m in range(count)]
    theta: Model = root * y.composed(coefficients, 1 / (1 - rho / 2), rho) * arb(2).sqrt()
    return theta if limit == 1 else theta.__rsub__(arb.pi())


def asin(self: Modeller, node: Expr) -> Model:
    if not limit_of(self, node.args[0]):
        return self.regular(node)
    return acos(self, node).__rsub__(arb.pi() / 2)


def arc_cosine(self: Modeller, node: Expr) -> Model:
    """kappa_n(1-y) = P(1-y) + sqrt(2) y^(n+1/2) Q(y)/pi and kappa_n(-1+y) = sqrt(2) y^(n+1/2) Q(y)/pi, Q rational."""
    n, inner = int(node.args[0]), node.args[1]
    limit = limit_of(self, inner)
    if not limit:
        return self.regular(node)
    root, y = self.complement(inner, limit)
    rho, count = inside_two(y), y.depth
    found, size = _rational_part(n, limit, count, rho)
    result: Model = root * y.composed(found, size, rho) * (arb(2).sqrt() / arb.pi())
    if n:
        result = result * y.power(n)
    if limit == 1:
        before, here = self.frame.constant(arb(1)), self.known[inner]
        sine, scale = 1 - here * here, arb(1)
        for m in range(1, n):
            before, here = here, (2 * m + 1) * self.known[inner] * here + m * m * (sine * before)
            scale = scale * (2 * m + 1)
        result = result + (before if n == 0 else here.scaled(1 / scale))
    return result


def _rational_part(n: int, limit: int, count: int, rho: arb) -> tuple[list[arb], arb]:
    """The coefficients of Q, and its maximum on |y| = rho, from the recursion of kappa_n; H and sqrt(1-y/2) are below
    1/(1-y/2) coefficient by coefficient."""
    length = count + n + 1
    angle = fmpq_poly([fmpq(comb(2 * m, m), 8**m * (2 * m + 1)) for m in range(length)])
    half, root = fmpq(1), []
    for m in range(length):
        root.append(half * fmpq(-1, 2) ** m)
        half = half * (fmpq(1, 2) - m) / (m + 1)
    x = fmpq_poly([limit, -limit])
    square = fmpq_poly([0, 2, -1])
    before = -limit * angle
    here = fmpq_poly(root) + x * before
    top = 1 / (1 - rho / 2)
    big, bigger = top, top * (2 + rho)
    scale = 1
    if n == 0:
        here, bigger = before, big
    for m in range(1, n):
        before, here = here, ((2 * m + 1) * x * here + m * m * square * before).truncate(length)
        big, bigger = bigger, (2 * m + 1) * (1 + rho) * bigger + m * m * (2 * rho + rho * rho) * big
        scale *= 2 * m + 1
    if any(here[i] != 0 for i in range(n)):
        raise AssertionError("kappa_n has lost its order at the end")
    return [arb(here[n + m]) / scale for m in range(count)], bigger / scale / rho**n


def second_kind(self: Modeller, node: Expr) -> Model:
    """K_nu and Y_nu, with y = +-z^2/4 and E_nu = sum_m y^m/(m! Gamma(nu+m+1)).

    K_nu = pi/(2 sin(pi nu)) ((z/2)^-nu E_-nu - (z/2)^nu E_nu),
    Y_nu = (cos(pi nu) (z/2)^nu E_nu - (z/2)^-nu E_-nu)/sin(pi nu); for whole orders
    K_n  = (-1)^n (z/2)^n (D/2 - log(z/2) E_n) + P/2 (z/2)^-n,
    Y_n  = (z/2)^n (2 log(z/2) E_n - D)/pi - P/pi (z/2)^-n,
    D = sum_m (psi(m+1) + psi(n+m+1)) y^m/(m! (n+m)!),  P = sum_(m<n) (n-m-1)!/m! (-y)^m.
    """
    order, inner = node.args
    if order.has(u):
        raise Unproved(f"{node}: the order depends on u")
    found = self.known[inner]
    if found.coefficient(RATIONAL, fmpq(0)) > 0:
        return self.regular(node)
    if isinstance(node, sympy.besselk):
        order = abs(order)
    half = found * arb(fmpq(1, 2))
    is_k = isinstance(node, sympy.besselk)
    y = half * half * (1 if is_k else -1)
    if not order.is_Integer:
        nu = ball(order)
        first = self.to_power(half, inner / 2, order) * bessel_series(y, nu)
        second = self.to_power(half, inner / 2, -order) * bessel_series(y, -nu)
        sine = (arb.pi() * nu).sin()
        if is_k:
            return (second - first).scaled(arb.pi() / (2 * sine))
        return (first.scaled((arb.pi() * nu).cos()) - second).scaled(1 / sine)
    n = abs(int(order))
    log = self.logarithm(found, inner) - arb(2).log()
    count = y.depth
    digamma = [
        (arb(m + 1).digamma() + arb(n + m + 1).digamma()) / (arb(m).fac() * arb(n + m).fac())
        for m in range(count)
    ]
    rho = arb.max(arb(count), 2 * y.size(fmpq(0)))
    # |psi(m+1) + psi(n+m+1)| <= 2 (m + n + 1), so that the sum of all coefficients times rho^m is below this
    size = 2 * (rho + n + 1) * rho.exp()
    total = log * bessel_series(y, arb(n)) * 2 - y.composed(digamma, size, rho)
    if n:
        total = total * half.power(n)
    # Y_(-n) = (-1)^n Y_n
    outer = arb(fmpq((-1) ** (n + 1), 2)) if is_k else arb(1 if order >= 0 else (-1) ** n) / arb.pi()
    total = total.scaled(outer)
    if n:
        pole = self.frame.constant(arb(0))
        for m in range(n - 1, -1, -1):
            value = arb(fmpq(factorial(n - m - 1) * (-1) ** m, factorial(m)))
            pole = pole * y + value
        below = arb(fmpq(1, 2)) if is_k else -outer
        total = total + (pole * self.to_power(half, inner / 2, sympy.Integer(-n))).scaled(below)
    return total


def at_one(self: Modeller, node: Expr) -> Model:
    """f(N), N -> 1, f with a branch point at 1: A(y) + B(y) y^sigma or A(y) + B(y) log y, y = 1 - N."""
    inner = node.args[-1]
    if any(a.has(u) for a in node.args[:-1]):
        raise Unproved(f"{node}: a parameter depends on u")
    found = self.model(inner)
    if not found.order >= 0:
        raise Unproved(f"{node} is a function of something unbounded")
    if found.coefficient(RATIONAL, fmpq(0)) < 1:
        return self.regular(node)
    y, _ = self.visible(1 - found, 1 - inner)
    if not y.order > 0:
        raise Unproved(f"{node} is not shown to be real next to the end")
    near = connection(node, y.depth)
    if near is None:
        return self.regular(node)
    rho = inside_one(y)
    first, second = near.sizes(rho)
    if near.exponent is None:
        outer = self.logarithm(y, 1 - inner)
    else:
        outer = self.to_power(y, 1 - inner, near.exponent)
    return y.composed(near.regular, first, rho) + y.composed(near.singular, second, rho) * outer


__all__ = ["acos", "arc_cosine", "asin", "at_one", "limit_of", "second_kind"]
