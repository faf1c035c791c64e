"""A radial kernel phi(|x - y|) on R^d: expansion at r = 0, spectral density and its tail, restriction to the sphere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import sympy
from numpy.typing import ArrayLike, NDArray
from sympy import Add, Expr, Integer, Rational, S, Symbol, gamma, pi, powsimp, sin, sqrt
from sympy.printing.printer import Printer

from asymptok import dag
from asymptok.arguments import whole_number
from asymptok.errors import AsymptokError, Undecided
from asymptok.expansion import Expansion, Term, expand, puiseux
from asymptok.kernels.kernel import Kernel
from asymptok.kernels.program import Program
from asymptok.kernels.values import require_no_parameters
from asymptok.learning.radial.components import Mixture, decompose
from asymptok.learning.radial.sector import is_analytic_in_square, is_tame
from asymptok.parameters import Given, Range, declared, exact_number, symbol_in
from asymptok.parsing import parse
from asymptok.points import Array, as_numbers, as_points, generator
from asymptok.symbols import r, u, w

__all__ = ["RadialKernel"]

#: entries of a Gram matrix computed at once: their arrays stay in the cache
_BLOCK = 2**15
#: orders of the expansion at r = 0 that are tried in turn for a term that is no even power
_ORDERS = (4, 10, 24)


@dataclass(frozen=True, init=False)
class RadialKernel:
    """K(x, y) = phi(|x - y|) on R^d, phi an expression (or a text) in r > 0.

    >>> laplace = RadialKernel("exp(-r)")
    >>> laplace.spectral_density(1), laplace.tail(1)
    (2/(w**2 + 1), 2/w**2)
    >>> laplace.on_sphere()
    Kernel('exp(-sqrt(2)*sqrt(1 - u))')
    """

    expr: Expr
    name: str | None
    parameters: dict[Symbol, Range] = field(hash=False)

    def __init__(self, expr: object, name: str | None = None, parameters: Given | None = None) -> None:
        if isinstance(expr, RadialKernel):
            name, parameters, expr = name or expr.name, parameters or expr.parameters, expr.expr
        if isinstance(expr, Kernel):
            raise AsymptokError(
                "a Kernel is a function of u = <x, y>; a radial kernel is written in r = |x - y|"
            )
        # Kernel reads the text, the numbers and the ranges of the parameters; its variable u stands for r here
        checked = Kernel(_in_u(expr, parameters), name=name, parameters=parameters)
        object.__setattr__(self, "expr", dag.rebuild(checked.expr, {u: r}))
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "parameters", checked.parameters)

    def __repr__(self) -> str:
        label = f", name={self.name!r}" if self.name else ""
        return f"RadialKernel('{self.expr}'{label})"

    def _latex(self, printer: Printer) -> str:
        return str(printer._print(self.expr))

    def subs(self, *args: object, **values: object) -> RadialKernel:
        """Values for parameters, as in Kernel.subs."""
        kernel = Kernel(dag.rebuild(self.expr, {r: u}), parameters=self.parameters).subs(*args, **values)
        return RadialKernel(dag.rebuild(kernel.expr, {u: r}), self.name, kernel.parameters)

    # ------------------------------------------------------------------ at r = 0

    def expand(self, order: object = 4) -> Expansion:
        """phi(t) for t -> 0+, with every term up to t^order."""
        return puiseux(self.expr, r, 0, "+", order, parameters=self.parameters)

    @cached_property
    def at_zero(self) -> Expr:
        """phi(0), the variance of the process; an error if phi is not finite there."""
        value: Expr = S.Zero
        for term in self.expand(0).terms:
            if term.exponent.is_negative or term.log_power:
                raise AsymptokError(f"{self} is not finite at r = 0")
            value = value + term.coefficient
        return value

    @cached_property
    def nu(self) -> Expr | None:
        """Half the exponent of the first term that is no even power: the smoothness, None for analytic kernels.

        The same number is nu of the restriction to the sphere, where r = sqrt(2t).

        >>> RadialKernel("exp(-r**(3/2))").nu
        3/4
        """
        for order in _ORDERS:
            found = expand(self.on_sphere(), at=1, order=Rational(order, 2)).nu
            if found is not None:
                return found
        self._require_analytic()
        return None

    def _singular_terms(self, count: int) -> list[Term]:
        """The first terms that are no even powers; empty if phi is known to be analytic in r^2."""
        found: list[Term] = []
        for order in _ORDERS:
            expansion = self.expand(order)
            found = [term for term in expansion.terms if not _is_even_power(term)]
            if len(found) >= count or not expansion.remainder:
                break
        if found:
            # the leading one must not be a zero that nobody recognised
            expansion.first(lambda term: not _is_even_power(term))
        elif expansion.remainder:
            self._require_analytic()
        return found[:count]

    def _require_analytic(self) -> None:
        if not is_analytic_in_square(self.expr):
            raise Undecided(
                f"{self} has no term but even powers up to r^{_ORDERS[-1]}, "
                "which does not show that it is analytic in r^2"
            )

    # ------------------------------------------------------------------ frequencies

    @cached_property
    def _mixture(self) -> Mixture | None:
        return decompose(self.expr)

    def spectral_density(self, d: object, probability: bool = False) -> Expr | None:
        """The Fourier transform int phi(|x|) exp(-i w x) dx over R^d at |w|, None if no closed form is known.

        With `probability` it is divided by (2 pi)^d phi(0) and integrates to 1 over R^d, as Bochner's theorem has it.
        Sums of exp(-a r^2), polynomials times exp(-a r), (1 + b r^2)^(-alpha) and r^nu K_nu(a r) are known.

        >>> RadialKernel("exp(-r**2/2)").spectral_density(1, probability=True)
        sqrt(2)*exp(-w**2/2)/(2*sqrt(pi))
        """
        dim = _dimension(d)
        if self._mixture is None:
            return None
        parts = [(weight, component.transform(dim)) for weight, component in self._mixture]
        known = [weight * part for weight, part in parts if part is not None]
        if len(known) < len(parts):
            return None
        total = Add(*known)
        if probability:
            total = total / ((2 * pi) ** dim * self.at_zero)
        # Matern kernels of several orders over one denominator
        total = sympy.factor(total) if len(parts) > 1 and total.is_rational_function(w) else total
        return sympy.factor_terms(powsimp(total))

    def tail(self, d: object, terms: int = 1) -> Expr:
        """The first terms of the Fourier transform as |w| -> oo: c r^p at r = 0 gives

        c 2^(p+d) pi^(d/2) Gamma((p+d)/2)/Gamma(-p/2) |w|^(-p-d),

        nothing for even p, and powers of log r give derivatives in p. Zero means faster than every power. An error
        where a singularity at some r > 0 or an oscillation at infinity is not excluded.

        >>> RadialKernel("r*besselk(1, r)").tail(2)
        4*pi/w**4
        """
        dim, count = _dimension(d), whole_number(terms, "number of terms")
        if self._mixture is None and not is_tame(self.expr):
            raise Undecided(
                f"the tail of {self} is not decided at r = 0 alone unless phi is analytic in a sector around r > 0 "
                "without exponential growth, and this is not seen from its formula",
                assumption="phi analytic in a sector around r > 0",
            )
        return Add(*(powsimp(_transform(term, dim)) for term in self._singular_terms(count)))

    def second_moment(self, d: object) -> Expr | None:
        """E |w|^2 under the probability density, -2 d c_2/phi(0) with c_2 that of r^2; None if it is infinite.

        >>> RadialKernel("exp(-r**2/2)").second_moment(3), RadialKernel("exp(-r)").second_moment(3)
        (3, None)
        """
        square: Expr = S.Zero
        for term in self.expand(2).terms:
            if term.exponent == 2 and term.log_power == 0:
                square = term.coefficient
            elif term.exponent != 0:
                return None
        moment = -2 * _dimension(d) * square
        if self.expr.has(r) and (self.at_zero.is_nonpositive or moment.is_nonpositive):
            raise AsymptokError(
                f"{self} is not positive definite: a spectral density has phi(0) > 0 and E |w|^2 > 0"
            )
        return moment / self.at_zero

    def sample(self, m: object, d: object, seed: object = None) -> NDArray[np.float64]:
        """m frequencies of R^d, exactly from the spectral density (as a probability), one a row.

        `seed` is a number or a numpy Generator.
        """
        count, dim = whole_number(m, "number of frequencies"), whole_number(d, "dimension d")
        rng = generator(seed)
        if self.parameters:
            raise AsymptokError(
                f"give values to {', '.join(s.name for s in self.parameters)} first: kernel.subs(...)"
            )
        if self._mixture is None:
            raise AsymptokError(
                f"no way to sample the spectral density of {self} is known; sums of exp(-a r^p) with 0 < p <= 2, of "
                "(1 + b r^2)^(-alpha) and of Matern kernels can be sampled"
            )
        weights = np.array([float(weight) for weight, _ in self._mixture])
        if weights.min() < -1e-12 * np.abs(weights).sum():
            raise AsymptokError(
                f"{self} is a difference of kernels with known spectral densities; only sums can be sampled"
            )
        weights = np.clip(weights, 0.0, None)
        counts = rng.multinomial(count, weights / weights.sum())
        scales = [c.scales(int(n), rng) for n, (_, c) in zip(counts, self._mixture, strict=True)]
        mixed = rng.permutation(np.concatenate(scales))
        return np.asarray(np.sqrt(mixed)[:, None] * rng.standard_normal((count, dim)))

    # ------------------------------------------------------------------ values

    @cached_property
    def _function(self) -> Callable[[Any], Any]:
        kernel = Kernel(dag.rebuild(self.expr, {r: u}), parameters=self.parameters)
        require_no_parameters(kernel)
        return Program(kernel.expr, (u,))

    def __call__(self, distances: ArrayLike) -> float | Array:
        """phi at an array of distances r >= 0."""
        values = as_numbers(distances, "distances")
        if (values < 0).any():
            raise AsymptokError(f"a distance is not negative, and {values.min()} was given")
        with np.errstate(all="ignore"):
            out = np.array(np.broadcast_to(self._function(values), values.shape), dtype=float)
        out[values == 0] = float(self.at_zero)
        # r^nu K_nu(r) underflows as infinity times zero far out
        out[np.isnan(out) & (values > 100)] = 0.0
        if not np.isfinite(out).all():
            raise AsymptokError(
                f"{self} could not be evaluated at r = {values[~np.isfinite(out)].ravel()[0]}"
            )
        return out if out.ndim else float(out)

    def gram(self, X: ArrayLike, Y: ArrayLike | None = None) -> NDArray[np.float64]:
        """phi(|x - y|) for the rows of X and Y."""
        first = as_points(X, least=1)
        second = first if Y is None else as_points(Y, "Y", first.shape[1], 1)
        out = np.empty((len(first), len(second)))
        step = max(1, _BLOCK // len(second))
        for start in range(0, len(first), step):
            rows, columns = slice(start, start + step), slice(start if Y is None else 0, None)
            # column by column, without the cancellation of |x|^2 + |y|^2 - 2 <x, y>
            pairs = zip(first[rows].T, second[columns].T, strict=True)
            out[rows, columns] = self(np.sqrt(sum(np.subtract.outer(a, b) ** 2 for a, b in pairs)))
            if Y is None:
                out[columns, rows] = out[rows, columns].T
        return out

    def on_sphere(self) -> Kernel:
        """kappa(u) = phi(sqrt(2 (1 - u))), the same kernel for points of the unit sphere; nu is the same.

        >>> RadialKernel("exp(-r**2/2)").on_sphere()
        Kernel('exp(u - 1)')
        """
        expr = dag.rebuild(self.expr, {r: sqrt(2) * sqrt(1 - u)})
        return Kernel(expr, name=self.name, parameters=self.parameters)


def _in_u(expr: object, parameters: Given | None) -> Expr | int:
    """The expression with u in the place of r; an expression in u itself is a mistake."""
    if isinstance(expr, str):
        names = {
            name: symbol
            or (symbol_in(name, bounds) if isinstance(bounds, tuple) else Symbol(name, real=True))
            for name, (symbol, bounds) in declared(parameters).items()
        }
        expr = parse(expr, {**names, "r": r}, variable=r.name)
    elif not isinstance(expr, Expr):
        return exact_number(expr, "a radial kernel")
    found = {s.name: s for s in dag.free_symbols(expr)}
    if "u" in found:
        raise AsymptokError(
            "a radial kernel is written in r = |x - y|, not in u; on_sphere() puts r = sqrt(2 (1 - u))"
        )
    if "w" in found:
        raise AsymptokError("w is the modulus of the frequency: give the parameter another name")
    # first the positive symbol, for which SymPy writes sqrt(r^2) as r
    return dag.rebuild(dag.rebuild(expr, {found["r"]: r}), {r: u}) if "r" in found else expr


def _dimension(d: object) -> Expr:
    """A whole number >= 1, or a symbol."""
    return d if isinstance(d, Expr) and not d.is_number else Integer(whole_number(d, "dimension d"))


def _is_even_power(term: Term) -> bool:
    """Symbolic exponents count as no even ones: the formula of the tail vanishes by itself where they are."""
    return term.log_power == 0 and term.exponent.is_Integer and term.exponent % 2 == 0


def _transform(term: Term, d: Expr) -> Expr:
    """The Fourier transform of c r^p (log r)^j away from w = 0."""
    if term.log_power == 0:
        p = term.exponent
        size = 2 ** (p + d) * pi ** (d / 2) * gamma((p + d) / 2) / gamma(-p / 2)
        return term.coefficient * size * w ** (-p - d)
    # 1/Gamma(-p/2) = -sin(pi p/2) Gamma(1 + p/2)/pi, which is differentiated at even p as well
    q = sympy.Dummy("p")
    size = -(2 ** (q + d)) * pi ** (d / 2 - 1) * sin(pi * q / 2) * gamma((q + d) / 2) * gamma(1 + q / 2)
    return term.coefficient * (size * w ** (-q - d)).diff(q, term.log_power).subs(q, term.exponent)
