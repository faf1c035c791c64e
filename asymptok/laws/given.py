"""The law of a kernel that is given by its eigenvalues: it is that of the formula, exactly.

Behind mu_k ~ sum_j c_j N^(-p_j) stand powers and logarithms of 1 - u at u = 1 and a rest that is as smooth as one
likes; so the law in another dimension is that of these powers there. Formulas that fall faster than every power belong
to kernels that are C-infinity on [-1, 1], or analytic where they fall like rho^-k.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import inf

from flint import arb
from sympy import Dummy, Expr, Rational, S, exp, limit, oo

from asymptok import dag
from asymptok.arguments import checked_digits
from asymptok.balls import ball
from asymptok.errors import PrecisionError, Undecided
from asymptok.functions.zonal import ZonalSeries
from asymptok.kernels.given import fast_step, is_fast, law_ball, part_of_law
from asymptok.kernels.given_form import GivenForm, given_form, given_nodes
from asymptok.kernels.kernel import Kernel
from asymptok.laws.evaluate import Estimate, require_numbers
from asymptok.laws.parity import first_of_parity
from asymptok.laws.results import Decay, ParityDecay
from asymptok.laws.terms import Lead
from asymptok.precision import digits_to_bits, flint_precision
from asymptok.quantities import midpoint
from asymptok.symbols import d as dimension
from asymptok.symbols import k as degree
from asymptok.symbols import u

__all__ = ["GivenDecay", "given_decay", "total"]

#: powers of 1/k of the series behind a formula
_POWERS = 16
_EVIDENCE = "the eigenvalues are given: the law is that of the formula"


@dataclass(frozen=True)
class GivenDecay(Decay):
    """The law of eigenvalues that are given: the numbers are those of the formula."""

    form: GivenForm | None = field(default=None, repr=False)
    singular: Kernel | None = field(default=None, repr=False)

    @property
    def behind(self) -> Kernel:
        """The powers and logarithms of 1 - u and 1 + u behind the formula."""
        assert self.singular is not None
        return self.singular

    def series(self, k: object, d: object = dimension, terms: int = 3) -> Expr:
        """The first terms of the series behind the formula, as many as `terms` or as are taken."""
        return Decay(self.behind, self.nu, self.even, self.odd).series(k, d, terms)

    def estimate(self, k: object, d: object, terms: int | None = None, dps: int = 30) -> Estimate:
        """mu_k by the formula, or so many terms of the series behind it; in another dimension it is not known."""
        assert self.form is not None
        if terms is not None:
            return Decay(self.behind, self.nu, self.even, self.odd).estimate(k, d, terms, dps)
        n, dim = require_numbers(self.kernel, k, d)
        bits = digits_to_bits(checked_digits(dps))
        if dim != self.form.dimension or n <= self.form.degree:
            raise PrecisionError(
                f"the kernel is given by its eigenvalues in dimension {self.form.dimension}, beyond degree "
                f"{self.form.degree}: use eigenvalues()"
            )
        with flint_precision(bits + 32):
            value = law_ball(total(self.form, n % 2), n)
            return Estimate(
                midpoint(value, bits), midpoint((abs(value) * arb(2) ** -bits + value.rad()).upper()), 0
            )


def total(form: GivenForm, parity: int) -> Expr:
    """mu_k of a parity beyond the polynomial, as one formula."""
    slow, fast = form.of_parity(parity)
    return sum(fast, slow)


def given_decay(kernel: Kernel, law_of: Callable[[Kernel], Decay]) -> Decay | None:
    """The law of a kernel that has sums with given eigenvalues in it; None for others. `law_of` knows the others."""
    nodes = given_nodes(kernel.expr)
    if not nodes:
        return None
    form = given_form(kernel.expr)
    if form is None:
        return _beside(kernel, nodes, law_of)
    even, odd = (_parity(form, parity) for parity in (0, 1))
    found = [side.lead.nu for side in (even, odd) if side.lead is not None]
    nu = min(found, key=lambda x: float(ball(x).mid()), default=None)
    parts = [_singular(form.at(side), form.dimension, side * u) for side in (1, -1)]
    return GivenDecay(kernel, nu, even, odd, _EVIDENCE, form=form, singular=Kernel(sum(parts, S.Zero)))


def _singular(law: Expr, d: int, x: Expr) -> Expr:
    part = None if law == 0 else part_of_law(law, d, _POWERS)
    return S.Zero if part is None else part.expr.subs(u, x)


def _parity(form: GivenForm, parity: int) -> ParityDecay:
    name = ("even", "odd")[parity]
    slow, fast = form.of_parity(parity)
    if slow == 0 and not fast:
        start = first_of_parity(form.degree, parity)
        return ParityDecay(name, "zero", zero_from=start, note="given as 0")
    if slow != 0:
        part = part_of_law(slow, form.dimension, _POWERS)
        if part is None:
            raise Undecided(f"the leading power of the {name} eigenvalues {slow} is not seen")
        nu, a = part.powers()[0]
        exponent = Rational(int(nu.p), int(nu.q))
        return ParityDecay(name, "algebraic", Lead(a, exponent, int(nu.q == 1)), note="as given")
    found = [_rho(term) for term in fast]
    rhos = [rho for rho in found if rho is not None]
    if len(rhos) < len(found):
        return ParityDecay(name, "superpolynomial", note="as given")
    rho = min(rhos, key=lambda x: inf if x is oo else float(ball(x).mid()))
    if rho is oo:
        return ParityDecay(name, "superpolynomial", note="given: they fall faster than every r^k")
    return ParityDecay(name, "geometric", rho=rho, note="as given")


def _rho(term: Expr) -> Expr | None:
    """1/rho is the limit of the modulus of the ratio of two neighbours; None where it is 1, or not seen."""
    count, exponent = fast_step(term)
    if not exponent.is_rational_function(degree):
        return None
    slope = limit(exponent, degree, oo) if exponent.has(degree) else exponent
    if count < 0 or slope is -oo:
        return oo
    return exp(-slope) if count == 0 and slope.is_negative else None


def _beside(kernel: Kernel, nodes: list[ZonalSeries], law_of: Callable[[Kernel], Decay]) -> Decay:
    """Beside other kernels: what the powers of 1 - u behind the formulas leave of them is smoother than the lead."""
    names = {node: Dummy("z", real=True) for node in nodes}
    form = dag.rebuild(kernel.expr, names)
    slopes = [form.diff(z) for z in names.values()]
    plain = all(node.args[0] in (u, -u) for node in nodes)
    if not plain or any(s.free_symbols & {u, *names.values()} for s in slopes):
        raise Undecided(
            "the law of a product or a composition with a kernel that is given by its eigenvalues is not known: cut it "
            "with from_eigenvalues(..., degree=...)"
        )
    singular = {
        node: S.Zero if is_fast(node.law) else _singular(node.law, node.dimension, node.args[0])
        for node in nodes
    }
    ranges = kernel.parameters
    found = law_of(Kernel(dag.rebuild(kernel.expr, singular), parameters=ranges))
    if not all(_leads(side, node) for side in (found.even, found.odd) for node in nodes):
        raise Undecided(
            "the law is decided by what the powers behind the given eigenvalues leave, which is not known"
        )
    return replace(found, kernel=kernel)


def _leads(side: ParityDecay, node: ZonalSeries) -> bool:
    """Whether the law is one of powers of k, larger than what is left of a formula once its powers are taken off."""
    if side.kind not in ("algebraic", "oscillatory"):
        return False
    part = None if is_fast(node.law) else part_of_law(node.law, node.dimension, _POWERS)
    if part is None:
        return is_fast(node.law)
    last = 2 * part.terms[0][0] + node.dimension - 1 + _POWERS
    return bool((side.exponent(node.dimension) + Rational(int(last.p), int(last.q))).is_positive)
