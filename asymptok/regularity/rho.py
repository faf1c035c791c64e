"""rho of a point, the sum of the semi-axes of the ellipse with foci -1 and 1 through it; the smallest of several."""

from __future__ import annotations

import sympy
from flint import acb, arb, fmpz_poly
from sympy import Abs, ComplexRootOf, Expr, Pow, S, Symbol, sqrt

from asymptok import dag
from asymptok.balls import ball, complex_ball
from asymptok.constants.normal_form import shortest
from asymptok.errors import AsymptokError
from asymptok.precision import flint_precision
from asymptok.regularity.boxes import Parameters
from asymptok.regularity.signs import sign_with_parameters
from asymptok.truth import Sign

#: points in more nodes than this keep their moduli as they are
_LARGEST = 60
#: bits in which points are compared
BITS = 128


def rho_of(z: Expr, parameters: Parameters) -> Expr | None:
    """(|z-1| + |z+1|)/2 + sqrt(that^2 - 1): the sum of the semi-axes of the ellipse through z; None inside [-1, 1].

    >>> rho_of(S(5)/4, {}), rho_of(3*sympy.I/4, {})
    (2, 2)
    """
    if z.free_symbols:
        found = _real_rho(shortest(z), parameters)
        return None if found is None else shortest(found)
    if _on_interval(z):
        return None
    if z.has(ComplexRootOf) or dag.tree_size(z) > _LARGEST or not all(map(_is_plain, z.as_real_imag())):
        # evaluated, SymPy would multiply out conjugate roots, and look for the real part of nested radicals; where
        # it has not found a part, as for log(2 - sqrt(-i)), it may ask for a minimal polynomial without end
        a = (Abs(z - 1, evaluate=False) + Abs(z + 1, evaluate=False)) / 2
        return a + Pow(a**2 - 1, S.Half, evaluate=False)
    a = (_modulus(z - 1) + _modulus(z + 1)) / 2
    return a + sqrt(sympy.expand(a**2 - 1))


def _is_plain(part: Expr) -> bool:
    return not part.has(sympy.I) and dag.tree_size(part) <= _LARGEST


def _on_interval(z: Expr) -> bool:
    value = number_ball(z)
    return bool(value.imag.contains(0)) and bool(abs(value.real) <= 1)


def number_ball(z: Expr) -> acb:
    """A ball around a complex constant, which may be a root of a polynomial with rational coefficients.

    >>> x = sympy.Symbol("x")
    >>> number_ball(sympy.rootof(x**3 - 2, 0)).overlaps(complex_ball(2**sympy.Rational(1, 3)))
    True
    """
    if not z.has(ComplexRootOf):
        return complex_ball(z, prec=BITS)
    values: dict[Symbol, acb] = {}
    replacements = {}
    for root in z.atoms(ComplexRootOf):
        name = sympy.Dummy("root")
        replacements[root], values[name] = name, _root_ball(root)
    return complex_ball(z.xreplace(replacements), values, prec=BITS)


def _root_ball(root: Expr) -> acb:
    """The isolating ball, among those of all roots, nearest to where SymPy has isolated this one."""
    _, integral = root.poly.clear_denoms(convert=True)
    # SymPy's evalf of a root takes a second; its isolating interval is there already
    centre = root._get_interval().center
    parts = centre if isinstance(centre, tuple) else (centre,)
    near = complex(*(int(x.numerator) / int(x.denominator) for x in parts))
    with flint_precision(BITS):
        polynomial = fmpz_poly([int(c) for c in integral.all_coeffs()[::-1]])
        roots: list[tuple[acb, int]] = polynomial.complex_roots()  # type: ignore[assignment]
        return min((z for z, _ in roots), key=lambda z: abs(complex(z.mid()) - near))


def rho_ball(z: Expr) -> arb:
    """rho of the ellipse through z as a ball."""
    with flint_precision(BITS):
        value = number_ball(z)
        a = (abs(value - 1) + abs(value + 1)) / 2
        return a + (a * a - 1).nonnegative_part().sqrt()


def _modulus(z: Expr) -> Expr:
    real, imaginary = z.as_real_imag()
    if imaginary == 0:
        value = ball(real, prec=BITS)
        return -real if value < 0 else real
    return sqrt(sympy.expand(real**2 + imaginary**2))


def _real_rho(z: Expr, parameters: Parameters) -> Expr | None:
    """|z| + sqrt(z^2 - 1) for real z with parameters, square roots taken factor by factor."""
    if z.is_real is False or z.as_real_imag()[1] != 0:
        return None
    root: Expr = S.One
    signs = Sign.POSITIVE
    square = sympy.factor(z**2 - 1)
    for factor in sympy.Mul.make_args(square):
        base, exponent = factor.as_base_exp()
        even = exponent.is_Integer and exponent % 2 == 0
        sign = Sign.POSITIVE if even else sign_with_parameters(base, parameters)
        if not sign.nonzero:
            return None
        signs *= sign
        root *= (
            _unsigned(base, parameters) ** (exponent / 2) if even else sqrt((sign.number * base) ** exponent)
        )
    if signs.negative:
        return None  # |z| < 1
    total = _unsigned(sympy.factor(z), parameters) + root
    return sympy.factor(total)


def _unsigned(x: Expr, parameters: Parameters) -> Expr:
    result = S.One
    for factor in sympy.Mul.make_args(x):
        base, exponent = factor.as_base_exp()
        sign = sign_with_parameters(base, parameters) if base.free_symbols else Sign.UNKNOWN
        if base.is_number:
            result *= Abs(factor)
        elif not sign.known:
            result *= Abs(base) ** exponent
        else:
            result *= (sign.number * base) ** exponent
    return result


#: the smallest rho, None if there is no candidate, and those that have it with their nodes
Ranked = tuple["Expr | None", "list[tuple[Expr, Expr]]"]


def smallest_rho(candidates: list[tuple[Expr, Expr]], parameters: Parameters) -> Ranked | None:
    """The smallest rho with all candidates that have it; None if they cannot be compared."""
    if any(z.free_symbols for z, _ in candidates):
        return _ranked_with_parameters(candidates, parameters)
    best: arb | None = None
    points: list[tuple[Expr, Expr]] = []
    try:
        for z, node in candidates:
            if _on_interval(z):
                continue
            value = rho_ball(z)
            # equal to 35 digits is taken as equal: either of the two is then the answer to that precision
            if best is None or value < best:
                best, points = value, [(z, node)]
            elif not value > best:
                points.append((z, node))
        return (rho_of(points[0][0], parameters) if points else None), points
    except AsymptokError:
        return None


def _ranked_with_parameters(candidates: list[tuple[Expr, Expr]], parameters: Parameters) -> Ranked | None:
    best: Expr | None = None
    points: list[tuple[Expr, Expr]] = []
    for z, node in candidates:
        rho = rho_of(z, parameters)
        if rho is None:
            return None
        if best is None:
            order = Sign.NEGATIVE
        else:
            order = Sign.ZERO if rho == best else sign_with_parameters(rho - best, parameters)
        if not order.known:
            return None
        if order.negative:
            best, points = rho, [(z, node)]
        elif order.zero:
            points.append((z, node))
    return best, points
