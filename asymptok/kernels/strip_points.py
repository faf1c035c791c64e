"""The singular points of an activation that are nearest to the real axis, with their leading terms, found exactly.

phi is written with E = exp(c z), z, sin, cos and erf of it, and the branches log f and f^(1/q), f a polynomial in E or
in z that has no zero on the real axis. Singular are, at the most, the zeros of its denominator and those of the f. A
zero of the denominator that the numerator shares is none: (x^2 + pi^2)/(1 + e^-x) is analytic for |Im z| < 3 pi. At a
zero of f phi is singular, since neither log f nor f^(j/q) is a quotient of functions analytic there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import sympy
from sympy import Dummy, Expr, I, Poly, PolynomialError, Rational, S, Symbol, factorial, pi

from asymptok import dag
from asymptok.balls import ball, complex_ball
from asymptok.constants import decide
from asymptok.errors import AsymptokError
from asymptok.kernels.strips import Branch, rational_form
from asymptok.truth import Truth

__all__ = ["StripPoint", "nearest_points"]

_BITS = 160
#: entire functions that may stand beside exponentials
_TAME = (sympy.sin, sympy.cos, sympy.erf, sympy.erfc)
#: heights at which all candidates may turn out to be none
_MOST = 24


@dataclass(frozen=True, slots=True)
class StripPoint:
    """phi = C y^-order + smaller terms, y = i (z - place), times log(y) for a whole order <= 0; size = |C|^2.

    Neither is known where powers of logarithms or a pole times one lead.
    """

    place: Expr
    height: Expr
    order: Expr | None
    size: Expr | None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A zero of `factors` (of the denominator, or under a branch): E = e^(c z) there, and turns around E = 0 so far."""

    place: Expr
    height: Expr
    exponential: Expr | None
    factors: frozenset[Expr]
    turns: int = 0


@lru_cache(maxsize=64)
def nearest_points(expr: Expr) -> tuple[StripPoint, ...]:
    """All singular points of least height above the real axis; none for an entire function.

    >>> from asymptok.symbols import x
    >>> [(p.place, p.order, p.size) for p in nearest_points(sympy.tanh(x))]
    [(I*pi/2, 1, 1)]
    >>> [(p.place, p.order, p.size) for p in nearest_points(sympy.sqrt(x**2 + 4))]
    [(2*I, -1/2, 4)]
    """
    form = _Form(expr)
    candidates = form.candidates()
    for _ in range(_MOST):
        if not candidates:
            return ()
        least = _least(candidates)
        found = [point for c in least if (point := form.point(c)) is not None]
        if found:
            if found[0].height == 0:
                raise AsymptokError("the activation is singular on the real axis")
            return tuple(found)
        candidates = [c for c in candidates if c not in least]
        candidates += [form.turned(c) for c in least if c.exponential is not None]
    raise AsymptokError("the singular points of the activation are not found")


def _least(candidates: list[Candidate]) -> list[Candidate]:
    least = [candidates[0]]
    for other in candidates[1:]:
        sign = _sign(other.height - least[0].height)
        if sign == 0:
            least.append(other)
        elif sign < 0:
            least = [other]
    return least


class _Form:
    """phi = N/D: N a polynomial in E, z, sin, cos, erf and branches, D a product of polynomials in E or z."""

    def __init__(self, expr: Expr) -> None:
        found = rational_form(expr)
        self.E, self.z, self.unit, self.branches = found.E, found.z, found.unit, found.branches
        self.top, bottom = sympy.fraction(found.form)
        constant, factors = sympy.factor_list(bottom)
        self.factors: dict[Expr, int] = {f: m for f, m in factors if f != self.E and f.has(self.E, self.z)}
        # what has no zeros
        self.rest = constant * sympy.Mul(*[f**m for f, m in factors if f not in self.factors])
        self._require()

    def _require(self) -> None:
        """AsymptokError unless N and D are what the class says."""
        entire = {
            node: Dummy()
            for node in self.top.atoms(sympy.Function)
            if node.has(self.E, self.z) and _is_tame(node, self.z)
        }
        plain = dag.rebuild(self.top, entire)
        names = {self.E, self.z, *self.branches, *entire.values()}
        mixed = any(
            (f.has(self.E) and f.has(self.z)) or not f.is_polynomial(self.E, self.z) for f in self.factors
        )
        below = {*self.branches} & (
            self.rest.free_symbols | {s for f in self.factors for s in f.free_symbols}
        )
        if mixed or below or not plain.is_polynomial(*names):
            raise AsymptokError("the activation is no rational function of x, exponentials and logarithms")

    # points ----------------------------------------------------------------------------------------------

    def candidates(self) -> list[Candidate]:
        found: list[Candidate] = []
        bases = {b.base for name, b in self.branches.items() if self.top.has(name)}
        for factor in dict.fromkeys([*self.factors, *sorted(bases, key=sympy.default_sort_key)]):
            for new in self._zeros(factor):
                for i, old in enumerate(found):
                    if self._same(old, new):
                        found[i] = Candidate(old.place, old.height, old.exponential or new.exponential,
                                             old.factors | new.factors)  # fmt: skip
                        break
                else:
                    found.append(new)
        return found

    def _same(self, old: Candidate, new: Candidate) -> bool:
        return _sign(old.height - new.height) == 0 and _is_zero(old.place - new.place)

    def _zeros(self, factor: Expr) -> Iterator[Candidate]:
        """The zeros of a factor with Im z >= 0; of those in E the first of each sequence."""
        name = frozenset([factor])
        if factor.has(self.E):
            for root in _roots(factor, self.E):
                angle = sympy.arg(root)
                angle = angle + 2 * pi if _sign(angle) < 0 else angle
                place = (sympy.expand_log(sympy.log(sympy.Abs(root))) + I * angle) / self.unit
                yield Candidate(place, angle / self.unit, root, name)
        else:
            for root in _roots(factor, self.z):
                height = root.as_real_imag()[1]
                if _sign(height) >= 0:
                    yield Candidate(root, height, None, name)

    def turned(self, c: Candidate) -> Candidate:
        """The next zero of the same sequence; a polynomial in z has none there, unless it is listed."""
        if c.exponential is None or any(not f.has(self.E) for f in c.factors):
            raise AsymptokError("zeros of polynomials in x and in exponentials meet")
        step = 2 * pi / self.unit
        return Candidate(c.place + I * step, c.height + step, c.exponential, c.factors, c.turns + 1)

    def point(self, c: Candidate) -> StripPoint | None:
        """The leading singular term; None if phi is analytic there."""
        here = [name for name, b in self.branches.items() if b.base in c.factors and self.top.has(name)]
        if len(here) > 1:
            raise AsymptokError("several branches meet in a singular point of the activation")
        pole = sum(m for f, m in self.factors.items() if f in c.factors)
        if not here:
            found = self._leading(self.top, c)
            if found is None or found[0] >= pole:
                return None
            return StripPoint(c.place, c.height, S(pole - found[0]), self._size(found, c))
        name, branch = here[0], self.branches[here[0]]
        coefficients = self._coefficients(name, branch)
        if all(j == 0 for j in coefficients):
            raise AsymptokError("a branch that is none")
        if branch.root == 0 and max(coefficients) > 1:
            return StripPoint(c.place, c.height, None, None)
        terms: list[tuple[Expr, int, Expr | None]] = []
        slope = self._value(self._along(branch.base), c)
        for j, a in coefficients.items():
            found = self._leading(a, c)
            if found is None:
                raise AsymptokError("a coefficient of a branch is not understood")
            exponent, size = S(found[0] - pole), self._size(found, c)
            if branch.root == 0:
                terms.append((exponent, -j, size))
            else:
                power = Rational(j, branch.root)
                factor = _modulus(slope) ** power
                terms.append((exponent + power, 0, None if size is None else size * factor))
        singular = [t for t in terms if t[0] < 0 or t[1] or not t[0].is_Integer]
        exponent, log, size = min(singular, key=lambda t: (t[0], t[1]))
        if log and exponent < 0:
            return StripPoint(c.place, c.height, None, None)
        return StripPoint(c.place, c.height, -exponent, size)

    def _coefficients(self, name: Symbol, branch: Branch) -> dict[int, Expr]:
        """N as a polynomial in one branch; f^(j/q) with 0 <= j < q."""
        found: dict[int, Expr] = {}
        for (j,), a in Poly(self.top, name).terms():
            whole, rest = divmod(j, branch.root) if branch.root else (0, j)
            found[rest] = found.get(rest, S.Zero) + a * branch.base**whole
        return {j: a for j, a in found.items() if sympy.expand(a) != 0}

    def _leading(self, top: Expr, c: Candidate) -> tuple[int, Expr | None] | None:
        """(s, value): the first derivative that is not zero, with value/s! the coefficient of (z - place)^s.

        The value is None where branches are left whose sheet is not followed: it is not zero on any sheet then. None
        where all derivatives up to the order of the pole vanish.
        """
        others = [name for name in self.branches if top.has(name)]
        if others:
            if c.turns or any(_is_zero(value) for value in self._on_sheets(top, others, c)):
                raise AsymptokError("a branch at a singular point of the activation is not followed")
            return 0, None
        pole = sum(m for f, m in self.factors.items() if f in c.factors)
        # for a branch the order of a zero is asked for beyond the pole, too
        for s in range(pole + 1 + _MOST):
            value = self._value(top, c)
            if not _is_zero(value):
                return s, value / factorial(s)
            top = self._along(top)
        return None

    def _on_sheets(self, top: Expr, names: list[Symbol], c: Candidate) -> Iterator[Expr]:
        """The values of N on all sheets that a path from the real axis may have led to."""
        choices = []
        for name in names:
            branch = self.branches[name]
            base = self._value(branch.base, c)
            if _is_zero(base):
                raise AsymptokError("a branch vanishes at a singular point of the activation")
            if branch.root:
                units = [sympy.exp(2 * pi * I * j / branch.root) for j in range(branch.root)]
                choices.append([base ** Rational(1, branch.root) * w for w in units])
            else:
                most = int(Poly(branch.base, self.E if branch.base.has(self.E) else self.z).degree()) + 1
                choices.append([sympy.log(base) + 2 * pi * I * j for j in range(-most, most + 1)])
        for values in product(*choices):
            yield self._value(top.xreplace(dict(zip(names, values, strict=True))), c)

    def _size(self, found: tuple[int, Expr | None], c: Candidate) -> Expr | None:
        """|C|^2 of N/D."""
        if found[1] is None:
            return None
        bottom = self._value(self.rest, c)
        for f, m in self.factors.items():
            bottom *= self._value(self._along(f) if f in c.factors else f, c) ** m
        return sympy.cancel(_modulus(found[1]) / _modulus(bottom))

    def _along(self, part: Expr) -> Expr:
        """d/dz."""
        return sympy.diff(part, self.z) + self.unit * self.E * sympy.diff(part, self.E)

    def _value(self, part: Expr, c: Candidate) -> Expr:
        exponential = c.exponential if c.exponential is not None else sympy.exp(self.unit * c.place)
        return part.subs({self.E: exponential, self.z: c.place}, simultaneous=True)


def _is_tame(node: Expr, z: Symbol) -> bool:
    """Entire, and at most e^(c |z|) in every strip |Im z| <= y: else the height of the poles is not all that counts."""
    affine = len(node.args) == 1 and node.args[0].is_polynomial(z) and sympy.degree(node.args[0], z) <= 1
    return affine and isinstance(node, _TAME)


def _modulus(value: Expr) -> Expr:
    """|value|^2."""
    real, imaginary = sympy.expand(value, complex=True).as_real_imag()
    return sympy.expand(real**2 + imaginary**2)


def _is_zero(value: Expr) -> bool:
    """Whether a complex constant is zero; AsymptokError where that is not decided."""
    if not value.free_symbols:
        found = complex_ball(value, prec=_BITS)
        if found.is_finite() and not found.contains(0):
            return False
    parts = sympy.expand(value, complex=True).as_real_imag()
    known = [Truth.TRUE if sympy.expand(p) == 0 else decide.is_zero(p) for p in parts]
    if Truth.FALSE in known or any(p.is_nonzero for p in parts):
        return False
    if all(t is Truth.TRUE for t in known):
        return True
    raise AsymptokError("whether a point of the activation is singular is not decided")


def _sign(value: Expr) -> int:
    """The sign of a real constant; AsymptokError where it is not decided."""
    if not value.free_symbols:
        found = ball(value, prec=_BITS)
        if found > 0 or found < 0:
            return 1 if found > 0 else -1
        if value == 0 or decide.is_zero(value) is Truth.TRUE:
            return 0
    elif value.is_positive or value.is_negative or value.is_zero:
        return 1 if value.is_positive else (-1 if value.is_negative else 0)
    raise AsymptokError("which point of the activation is nearest to the real axis is not decided")


def _roots(factor: Expr, symbol: Symbol) -> Iterable[Expr]:
    y = Dummy("y")  # a positive symbol would hide the complex roots
    try:
        poly = Poly(factor.xreplace({symbol: y}), y)
    except PolynomialError:
        raise AsymptokError("the activation is no rational function of exponentials") from None
    if poly.free_symbols_in_domain:
        raise AsymptokError("the singular points of the activation depend on its parameters")
    found = sympy.roots(poly)
    if sum(found.values()) != poly.degree():
        raise AsymptokError("the singular points of the activation have no closed form")
    return list(found)
