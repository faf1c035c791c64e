"""All solutions of x(u) = s in closed form, by undoing one function after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

import sympy
from sympy import Add, Basic, Expr, I, Mul, Poly, PolynomialError, S, pi

from asymptok import dag
from asymptok.symbols import u

#: polynomials up to this degree are solved
_MAX_DEGREE = 12
#: periods looked at on either side for an equation with infinitely many solutions
PERIODS = 5
_MAX_SOLUTIONS = 200
#: larger right-hand sides are kept out of polynomials where that is possible
_LARGEST = 12


@dataclass(frozen=True, slots=True)
class Solutions:
    """The solutions found; `complete` if there are no others, `periodic` if others differ by whole periods."""

    values: tuple[Expr, ...]
    complete: bool = True
    periodic: bool = False


NOTHING = Solutions((), complete=False)


@lru_cache(maxsize=1024)
def solve(x: Expr, s: Expr = S.Zero) -> Solutions:
    """Every complex u with x(u) = s on some branch of x, so that none on the principal branch is missed.

    >>> solve(u**2 + 1).values, solve(sympy.asin(2*u/3), pi/2).values
    ((-I, I), (3/2,))
    """
    if x == u:
        return Solutions((s,))
    if not x.has(u):
        return Solutions((), complete=sympy.sympify(x - s).is_zero is False)
    if dag.tree_size(s) > _LARGEST:
        # SymPy takes a tenth of a second to make such a constant a coefficient
        affine = _polynomial(x)
        if affine is not None and affine.degree() == 1:
            a, b = affine.all_coeffs()
            return Solutions(((s - b) / a,))
    as_polynomial = _polynomial(x - s)
    if as_polynomial is not None:
        return _roots(as_polynomial)
    if isinstance(x, Add):
        constant, rest = x.as_independent(u, as_Add=True)
        if constant != 0:
            return solve(rest, s - constant)
        return _rational(x - s)
    if isinstance(x, Mul):
        return _product(x, s)
    if x.is_Pow and x.func is not sympy.exp:
        return _power(x, s)
    inverse = _INVERSES.get(x.func)
    if inverse is None or len(x.args) != 1:
        return NOTHING
    values, periodic = inverse(s)
    return _union((solve(x.args[0], v) for v in values), periodic)


def _product(x: Expr, s: Expr) -> Solutions:
    constant, rest = x.as_independent(u, as_Add=False)
    if constant != 1:
        return solve(rest, s / constant)
    if s == 0:
        # a factor with a negative power vanishes nowhere
        return _union(solve(f) for f in x.args if not (f.is_Pow and f.exp.is_negative))
    return _rational(x - s)


def _rational(x: Expr) -> Solutions:
    """The zeros of the numerator, if it is a polynomial (some may be zeros of the denominator as well)."""
    if dag.has_long_numbers(x) and not x.is_rational_function(u):
        return NOTHING  # SymPy would look for roots of them
    try:
        numerator = sympy.fraction(sympy.together(x))[0]
    except (
        PolynomialError,
        TypeError,
        ValueError,
        RecursionError,
    ):  # SymPy's, of terms that it cannot bring together
        return NOTHING
    found = _polynomial(numerator)
    return NOTHING if found is None else _roots(found)


def _power(x: Expr, s: Expr) -> Solutions:
    base, exponent = x.args
    if base == S.Exp1:
        values, periodic = _exp_inverse(s)
        return _union((solve(exponent, v) for v in values), periodic)
    if not exponent.is_Rational:
        if s == 0 and exponent.is_positive:
            return solve(base)
        return Solutions(()) if s == 0 and exponent.is_negative else NOTHING
    if s == 0:
        return solve(base) if exponent > 0 else Solutions(())
    # base^(p/q) = s  =>  base^p = s^q  =>  base = s^(q/p) times a p-th root of unity
    p, q = int(abs(exponent.p)), int(exponent.q)
    if p > _MAX_DEGREE:
        return NOTHING
    root = (s if exponent > 0 else 1 / s) ** sympy.Rational(q, p)
    turns = [sympy.exp(2 * pi * I * j / p) for j in range(p)]
    return _union(
        solve(base, sympy.expand_complex(root * w) if w not in (1, -1) else root * w) for w in turns
    )


def _union(parts: Iterable[Solutions], periodic: bool = False) -> Solutions:
    """All of them together; with more than a bounded number the rest is not solved for, and may be anything."""
    values: dict[Expr, None] = {}
    complete = True
    for part in parts:
        values.update(dict.fromkeys(part.values))
        complete, periodic = complete and part.complete, periodic or part.periodic
        if len(values) > _MAX_SOLUTIONS:
            return Solutions(tuple(values)[:_MAX_SOLUTIONS], complete=False, periodic=True)
    return Solutions(tuple(values), complete, periodic)


def _polynomial(x: Expr) -> Basic | None:
    if not x.is_polynomial(u):
        return None
    try:
        found = Poly(x, u)
    except PolynomialError:
        return None
    return found if 0 <= found.degree() <= _MAX_DEGREE else None


def _roots(polynomial: Basic) -> Solutions:
    if polynomial.is_zero:
        return NOTHING
    if polynomial.degree() == 0:
        return Solutions(())
    if polynomial.degree() == 1:
        a, b = polynomial.all_coeffs()
        return Solutions((sympy.cancel(-b / a),))
    if all(c.is_Rational for c in polynomial.all_coeffs()):
        try:
            return Solutions(tuple(dict.fromkeys(polynomial.all_roots())))
        except (NotImplementedError, PolynomialError):
            return NOTHING
    if polynomial.degree() > 2 and _over_gaussian_rationals(polynomial):
        # times its conjugate the coefficients are rational; that adds the conjugate roots, which a real kernel has too
        conjugate = Poly([sympy.conjugate(c) for c in polynomial.all_coeffs()], u)
        if 2 * polynomial.degree() <= _MAX_DEGREE:
            return _roots(polynomial * conjugate)
    if polynomial.degree() == 2:
        a, b, c = polynomial.all_coeffs()
        root = sympy.sqrt(b**2 - 4 * a * c)
        return Solutions(tuple(dict.fromkeys(((-b - root) / (2 * a), (-b + root) / (2 * a)))))
    try:
        found = sympy.roots(polynomial)
    except (
        NotImplementedError,
        PolynomialError,
        ValueError,
    ):  # SymPy's, of coefficients that it cannot order
        return NOTHING
    return Solutions(tuple(found), complete=sum(found.values()) == polynomial.degree())


def _over_gaussian_rationals(polynomial: Basic) -> bool:
    return all(part.is_Rational for c in polynomial.all_coeffs() for part in c.as_real_imag())


def _exp_inverse(s: Expr) -> tuple[list[Expr], bool]:
    if s == 0:
        return [], False
    return [sympy.log(s) + 2 * pi * I * j for j in range(-PERIODS, PERIODS + 1)], True


def _two_families(first: Expr, second: Expr, period: Expr) -> tuple[list[Expr], bool]:
    return [
        v + period * j for j in range(-PERIODS, PERIODS + 1) for v in dict.fromkeys((first, second))
    ], True


def _one_family(first: Expr, period: Expr) -> tuple[list[Expr], bool]:
    return [first + period * j for j in range(-PERIODS, PERIODS + 1)], True


_INVERSES: dict[object, Callable[[Expr], tuple[list[Expr], bool]]] = {
    sympy.exp: _exp_inverse,
    sympy.log: lambda s: ([sympy.exp(s)], False),
    sympy.asin: lambda s: ([sympy.sin(s)], False),
    sympy.acos: lambda s: ([sympy.cos(s)], False),
    sympy.atan: lambda s: ([sympy.tan(s)], False),
    sympy.asinh: lambda s: ([sympy.sinh(s)], False),
    sympy.acosh: lambda s: ([sympy.cosh(s)], False),
    sympy.atanh: lambda s: ([sympy.tanh(s)], False),
    sympy.sin: lambda s: _two_families(sympy.asin(s), pi - sympy.asin(s), 2 * pi),
    sympy.cos: lambda s: _two_families(sympy.acos(s), -sympy.acos(s), 2 * pi),
    sympy.tan: lambda s: ([], False) if s in (I, -I) else _one_family(sympy.atan(s), pi),
    sympy.sinh: lambda s: _two_families(sympy.asinh(s), I * pi - sympy.asinh(s), 2 * I * pi),
    sympy.cosh: lambda s: _two_families(_acosh(s), -_acosh(s), 2 * I * pi),
    sympy.tanh: lambda s: ([], False) if s in (1, -1) else _one_family(sympy.atanh(s), I * pi),
    sympy.Abs: lambda s: ([s, -s], False),
}


def _acosh(s: Expr) -> Expr:
    return I * pi / 2 if s == 0 else sympy.acosh(s)
