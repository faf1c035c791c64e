"""What `decay` answers: one law for even k, one for odd k, and the series behind both."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property

import mpmath
from sympy import (
    Add,
    Eq,
    Expr,
    Ge,
    Gt,
    Le,
    Lt,
    Max,
    Piecewise,
    S,
    Symbol,
    ceiling,
    expand_mul,
    floor,
    oo,
    true,
)
from sympy.logic.boolalg import Boolean

from asymptok.arguments import checked_digits, symbolic_degree, symbolic_dimension, whole_number
from asymptok.constants.exponents import Ranges, exponent_from_expr
from asymptok.constants.normal_form import shortest
from asymptok.errors import AsymptokError, Impossible, PrecisionError
from asymptok.functions.long_constant import readable
from asymptok.kernels.kernel import Kernel
from asymptok.laws.evaluate import Estimate, estimate, require_numbers
from asymptok.laws.exact_terms import decay_exponent, leading_constant, leading_log_power
from asymptok.laws.few_terms import first_terms, terms_of_parity
from asymptok.laws.geometric import GeometricLead
from asymptok.laws.oscillation import Extremes, Wave, extremes
from asymptok.laws.parity import parity_part
from asymptok.laws.stretched import Stretched
from asymptok.laws.terms import Lead
from asymptok.regularity import InteriorPoint, analyse
from asymptok.show.law import decay_html, decay_latex, decay_text, parity_html, parity_latex, parity_text
from asymptok.show.preformatted import Page, Preformatted
from asymptok.slots import Slot
from asymptok.symbols import d as dimension
from asymptok.truth import Truth

_decay: Slot[..., Decay] = Slot("decay")


class Balance(Enum):
    """Which singularity decides the size of mu_k in a dimension."""

    INSIDE = "inside"
    END = "end"
    BOTH = "both"
    #: a symbol leaves it open
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class ParityDecay(Preformatted):
    """mu_k for all even, or all odd, k.

    kind is one of
        "algebraic"        mu_k ~ constant(d) k^exponent(d) (log k)^log_power
        "zero"             mu_k = 0 for every k >= zero_from of this parity
        "geometric"        mu_k = O(r^-k) for every r < rho; mu_k ~ constant(d) rho^-k k^beside(d) (log k)^log_power
                           where that is known (for complex points constant(d) is the limsup of |mu_k| over the rest);
                           O is what is proved, the constant an estimate: the sheet of kappa is followed numerically.
                           `certify` proves bounds
        "superpolynomial"  smaller than every power of k: entire kernels, flat ends such as exp(-1/t), and activations
                           that are analytic in a strip (`stretched` is their law, log mu_k ~ -c k^(2/3); where it is
                           known mu_k ~ constant(d) k^beside(d) exp(-c k^(2/3)))
        "oscillatory"      limsup |mu_k| k^-exponent(d) (log k)^-log_power <= constant(d): singular points inside

    With singular points inside, `lead` is the leading term at the ends if it can be as large in some dimension: the
    point leaves k^(-d/2-nu), the end k^(-d-2nu_1+1). Without it the points are proved to lead in every dimension.
    `at(d)` is the law in one dimension, `by_dimension` lists them all.
    """

    parity: str
    kind: str
    lead: Lead | None = None
    zero_from: int | None = None
    rho: Expr | None = None
    interior: tuple[InteriorPoint, ...] = ()
    note: str = ""
    #: what the points inside leave in mu_k; empty where it is not known exactly
    waves: tuple[Wave, ...] = ()
    #: log mu_k ~ -constant k^exponent, where that is known of a superpolynomial law
    stretched: Stretched | None = None
    #: the ranges of the parameters, which order the exponents at the ends and inside
    ranges: tuple[tuple[Symbol, tuple[Expr, Expr]], ...] = ()
    #: mu_k exists for d >= this; larger than 2 for a kernel that is unbounded at an end
    least_dimension: int = 2
    #: the leading term at the nearest points outside, for kind "geometric"; None where it is not known exactly
    outside: GeometricLead | None = None
    #: the kernel whose ends have the terms of the series
    kernel: Kernel | None = field(default=None, repr=False, compare=False)

    @property
    def sign(self) -> int:
        """(-1)^k."""
        return 1 if self.parity == "even" else -1

    @property
    def nu(self) -> Expr | None:
        """The exponent of the term that governs this parity, at an end or inside."""
        if self.kind == "oscillatory":
            return self.interior[0].nu
        return None if self.lead is None else self.lead.nu

    @property
    def coefficient(self) -> Expr | None:
        """c_1 + c_-1 (even) or c_1 - c_-1 (odd) at t^nu (log t)^j."""
        return None if self.lead is None or self.kind != "algebraic" else self.lead.coefficient

    @property
    def log_power(self) -> int:
        """The power of log k in the law; a whole nu swallows one logarithm. Inside and at the end, ask at(d)."""
        if self.kind == "oscillatory":
            return self.waves[0].log_power if self.waves else self.interior[0].log_power
        if self.kind == "geometric":
            return 0 if self.outside is None else self.outside.log_power
        if self.kind != "algebraic" or self.lead is None:
            return 0
        return leading_log_power(self.lead.nu, self.lead.log_power)

    def balance(self, d: object = dimension) -> Balance:
        """Point against end in dimension d: the larger power of k, and the larger power of log k in a tie."""
        d = require_dimension(d, self.least_dimension)
        if self.lead is None:
            return Balance.INSIDE
        gap = exponent_from_expr(_inner_exponent(self.nu, d) - decay_exponent(d, self.lead.nu))
        sign = Ranges(dict(self.ranges)).sign(*gap)
        if not sign.zero:
            return Balance.INSIDE if sign.positive else Balance.END if sign.negative else Balance.OPEN
        at_end = leading_log_power(self.lead.nu, self.lead.log_power)
        if at_end == self.log_power:
            return Balance.BOTH
        return Balance.END if at_end > self.log_power else Balance.INSIDE

    def at(self, d: object) -> ParityDecay:
        """The law in one dimension: algebraic where an end dominates, oscillatory without the end where it does not.

        >>> from asymptok.laws import decay
        >>> law = decay("abs(u)**3/100 + exp(-sqrt(1-u))").even
        >>> [law.at(n).kind for n in (3, 6, 7)], law.exponent(3), law.constant(3)
        (['algebraic', 'oscillatory', 'oscillatory'], -3, sqrt(2)/4)
        """
        d = require_dimension(d, self.least_dimension)
        if self.kind != "oscillatory" or self.lead is None:
            return self
        found = self.balance(d)
        if found is Balance.INSIDE:
            return replace(self, lead=None)
        return self._where_the_end_leads(f"in dimension {d}") if found is Balance.END else self

    @property
    def end(self) -> ParityDecay | None:
        """The law of the ends alone, where they may be as large as points inside in some dimension."""
        if self.kind != "oscillatory" or self.lead is None:
            return None
        return ParityDecay(self.parity, "algebraic", self.lead, least_dimension=self.least_dimension)

    def _where_the_end_leads(self, where: str) -> ParityDecay:
        assert self.end is not None
        return replace(self.end, note=f"the end dominates the singular point inside {where}")

    @property
    def by_dimension(self) -> tuple[tuple[Boolean, ParityDecay], ...]:
        """The laws and the dimensions in which they hold: the end below 2 (nu - 2 nu_1 + 1), the point inside above.

        >>> from asymptok.laws import decay
        >>> for where, law in decay("abs(u)**3/100 + exp(-sqrt(1-u))").even.by_dimension:
        ...     print(where, law.kind, law.exponent())
        d <= 5 algebraic -d
        Eq(d, 6) oscillatory Max(-d, -d/2 - 3)
        d >= 7 oscillatory -d/2 - 3
        """
        if self.kind != "oscillatory" or self.lead is None:
            return ((true, self),)
        assert self.nu is not None
        border = (2 * (self.nu - 2 * self.lead.nu + 1)).expand()
        d, inside = dimension, replace(self, lead=None)
        if not border.is_number:
            below, above = Lt(d, border), Gt(d, border)
            return (
                (below, self._where_the_end_leads(f"for {below}")),
                (Eq(d, border), self),
                (above, inside),
            )
        tie = self.balance(border) if border.is_Integer and border >= self.least_dimension else Balance.OPEN
        last = floor(border) if tie is Balance.END else ceiling(border) - 1
        first = ceiling(border) if tie is Balance.INSIDE else floor(border) + 1
        found: list[tuple[Boolean, ParityDecay]] = []
        if last >= self.least_dimension:
            where = Le(d, last) if last > self.least_dimension else Eq(d, last)
            found.append((where, self._where_the_end_leads(f"for d <= {last}")))
        if tie is Balance.BOTH:
            found.append((Eq(d, border), self))
        return (*found, (Ge(d, first), inside))

    def exponent(self, d: object = dimension) -> Expr:
        """p with mu_k ~ constant k^p (log k)^log_power; minus infinity where mu_k beats every power."""
        d = require_dimension(d, self.least_dimension)
        if self.kind == "algebraic":
            return decay_exponent(d, self.nu)
        if self.kind != "oscillatory":
            return -oo
        inner = _inner_exponent(self.nu, d)
        if self.lead is None:
            return inner
        outer = decay_exponent(d, self.lead.nu)
        found = self.balance(d)
        if found is Balance.END:
            return outer
        # the end is at its strongest in dimension 2: level there, it is weaker in all others
        return Max(inner, outer) if found is Balance.OPEN and self.balance(2) is not Balance.BOTH else inner

    def beside(self, d: object = dimension) -> Expr | None:
        """The power of k beside rho^-k for kind "geometric", or beside exp(-c k^(2/3)); None where it is not known.

        >>> from asymptok.laws import decay
        >>> law = decay("1/(5 - 4*u)").even
        >>> law.rho, law.beside(), law.constant(3)
        (2, 1 - d/2, sqrt(3)*sqrt(pi)/12)
        """
        d = require_dimension(d, self.least_dimension)
        if self.stretched is not None:
            return self.stretched.power(d)
        return None if self.outside is None else self.outside.exponent(d)

    def constant(self, d: object = dimension) -> Expr | None:
        """The exact constant of the law, 0 for "zero", None where no power fits.

        For an oscillation limsup |mu_k| k^-exponent(d), or a bound on it where `attained(d)` is not TRUE. For a symbol
        d, with an end that dominates in some dimensions only, a Piecewise in d.
        """
        d = require_dimension(d, self.least_dimension)
        if self.kind == "zero":
            return S.Zero
        if self.kind == "algebraic" and self.lead is not None:
            return _end_constant(self.lead, d)
        if self.kind == "geometric" and self.outside is not None:
            return self.outside.constant(d)
        if self.stretched is not None:
            return self.stretched.factor(d)
        if self.kind != "oscillatory":
            return None
        if self.balance(d) is Balance.OPEN:
            return self._by_dimension(d)
        here = self.at(d)
        if here.kind == "algebraic":
            return here.constant(d)
        found = here.extremes(d)
        return None if found is None else found.modulus

    def series(self, k: object, d: object = dimension, terms: int = 3) -> Expr:
        """The first terms of the asymptotic series of this parity, eq. (5), gamma ratios kept.

        >>> from asymptok import k
        >>> from asymptok.laws import decay
        >>> decay("kappa1(u)").even.series(k, 3, 1)
        3*gamma(k - 3/2)/(pi*gamma(k + 7/2))
        """
        if self.kernel is None:
            raise AsymptokError(
                "the law of one parity has a series if it is part of a law: decay(...).even.series"
            )
        k, d = symbolic_degree(k), require_dimension(d, self.least_dimension)
        return terms_of_parity(self.kernel, self, k, d, whole_number(terms, "number of terms"))

    def extremes(self, d: object) -> Extremes | None:
        """limsup and liminf of mu_k k^-exponent(d) over k of this parity, for an oscillation in dimension d."""
        d = require_dimension(d, self.least_dimension)
        here = self.at(d)
        if here.kind != "oscillatory" or not here.waves or here.balance(d) is Balance.OPEN:
            return None
        end = S.Zero if here.lead is None else _end_constant(here.lead, d)
        return extremes(here.waves, end, d, 0 if self.parity == "even" else 1)

    def attained(self, d: object) -> Truth:
        """Whether constant(d) is proved a limit (algebraic) or limsup (oscillatory); never so for "geometric"."""
        here = self.at(d)
        if here.kind in ("algebraic", "zero") or (
            here.stretched is not None and here.stretched.lead is not None
        ):
            return Truth.TRUE
        found = here.extremes(d)
        return Truth.TRUE if found is not None and found.exact else Truth.UNKNOWN

    def _by_dimension(self, d: Expr) -> Expr | None:
        """The constants of `by_dimension` as one Piecewise, where all have the same power of log k."""
        assert self.lead is not None and self.nu is not None
        cases = self.by_dimension
        at_end = leading_log_power(self.lead.nu, self.lead.log_power)
        if (
            d.is_number
            or not self.waves
            or (self.nu - 2 * self.lead.nu).free_symbols
            or at_end != self.log_power
        ):
            return None
        *lower, (_, inside) = cases
        pieces = [(law.constant(where.rhs if isinstance(where, Eq) else d), where) for where, law in lower]
        if any(value is None for value, _ in pieces):
            return None
        amplitudes = Add(*[w.amplitude(d) for w in inside.waves])
        return Piecewise(*((value, where.subs(dimension, d)) for value, where in pieces), (amplitudes, True))

    def __str__(self) -> str:
        return parity_text(self)

    __repr__ = __str__

    def _latex(self, printer: object) -> str:
        return parity_latex(self)

    def _repr_html_(self) -> str:
        return parity_html(self)


def require_dimension(d: object, least: int) -> Expr:
    """d, a number or a symbol; refused where the kernel is not integrable, so that there are no eigenvalues."""
    dim = symbolic_dimension(d)
    if dim.is_Integer and dim < least:
        raise Impossible(
            f"the kernel is not integrable on the sphere in R^{d}: it is unbounded at an end, and d is at least {least}"
        )
    return dim


def _inner_exponent(nu: Expr | None, d: Expr) -> Expr:
    assert nu is not None  # of a law that a singular point governs
    return -d / 2 - nu


def _end_constant(lead: Lead, d: Expr) -> Expr:
    value = lead.coefficient * leading_constant(d, lead.nu, lead.log_power)
    # for a number d the sum of the two ends is multiplied out: 3/pi + kappa0(1/pi)/(4*pi)
    return readable(shortest(expand_mul(value, deep=False))) if d.is_number else value


@dataclass(frozen=True)
class Decay:
    """The decay of the eigenvalues of a dot-product kernel on S^(d-1), every d >= 2.

    >>> from asymptok import kernels
    >>> from asymptok.laws import decay
    >>> law = decay(kernels.ntk(2))
    >>> law.nu, law.even.exponent(), law.odd.kind, law.odd.zero_from
    (1/2, -d, 'zero', 3)
    >>> law.even.constant(3)
    1/pi
    """

    kernel: Kernel
    nu: Expr | None
    even: ParityDecay
    odd: ParityDecay
    evidence: str = field(default="", repr=False)
    #: what the law takes for granted because it was not proved; empty if the law is proved
    assumes: tuple[str, ...] = field(default=(), repr=False)
    #: the law holds for d >= this; larger than 2 for a kernel that is unbounded at an end
    least_dimension: int = field(default=2, repr=False)

    @property
    def behind(self) -> Kernel:
        """The kernel whose expansions have the terms of the series."""
        return self.kernel

    @property
    def cases(self) -> tuple[tuple[Boolean, Decay], ...]:
        """One law on all of the range; see `DecayByCases` for several."""
        return ((true, self),)

    def subs(self, *args: object, **values: object) -> Decay:
        """The law at values, or on narrower ranges, of the parameters: derived anew for them.

        >>> from asymptok import decay, kernels
        >>> decay(kernels.gamma_exponential("g")).subs(g=1) == decay(kernels.laplace())
        True
        """
        found: Decay = _decay(self.kernel.subs(*args, **values))
        return found

    def parity(self, k: int) -> ParityDecay:
        """The law that holds for this k."""
        return self.even if int(k) % 2 == 0 else self.odd

    # the series ------------------------------------------------------------------------------------------

    def series(self, k: object, d: object = dimension, terms: int = 3) -> Expr:
        """The first terms of the asymptotic series, eq. (5), gamma ratios kept; one term is one exponent of t.

        With points inside the leading wave is the last term. For a symbol k the factor (-1)^k stays; for a number, or a
        symbol known to be even or odd, it is put in.

        >>> from asymptok import k, d
        >>> from asymptok.laws import decay
        >>> decay("sqrt(1 - u)").series(k, 3, 1)
        -sqrt(2)*gamma(k - 1/2)/(4*gamma(k + 5/2))
        """
        k, d = symbolic_degree(k), require_dimension(d, self.least_dimension)
        return first_terms(self.kernel, (self.even, self.odd), k, d, whole_number(terms, "number of terms"))

    # numbers ---------------------------------------------------------------------------------------------

    def evaluate(self, k: object, d: object, terms: int | None = None, dps: int = 30) -> mpmath.mpf:
        """mu_k from the series, to `dps` digits as far as its terms can tell; see `estimate` for the error.

        >>> from asymptok import kernels
        >>> from asymptok.laws import decay
        >>> print(decay(kernels.ntk(3)).evaluate(10**12, 3, dps=15))
        5.57042300820798e-37
        """
        return self.estimate(k, d, terms, dps).value

    def estimate(self, k: object, d: object, terms: int | None = None, dps: int = 30) -> Estimate:
        """The value of the series at k with an estimate of its error and the number of terms used.

        With terms=None as many terms as `dps` digits need; if no number of terms reaches them, PrecisionError says
        how many digits can be had at this k. With a number of terms, their sum, whatever digits it stands for.
        """
        degree, dim = require_numbers(self.kernel, k, d)
        require_dimension(dim, self.least_dimension)
        dps = checked_digits(dps)
        terms = None if terms is None else whole_number(terms, "number of terms")
        law = self.parity(degree)
        if law.kind == "zero":
            if law.zero_from is not None and degree >= law.zero_from:
                return Estimate(mpmath.mpf(0), mpmath.mpf(0), 0)
            raise PrecisionError(
                f"the eigenvalues of {self.kernel} vanish for {law.parity} k >= {law.zero_from}; mu_{degree} is one of "
                "the finitely many others: use eigenvalues()"
            )
        if law.kind == "superpolynomial":
            raise PrecisionError(
                f"for {law.parity} k the eigenvalues of {self.kernel} follow no series ({law.kind}): use eigenvalues()"
            )
        ends, kernel = law.kind != "geometric", self.kernel
        if not ends and analyse(kernel).analytic is not Truth.TRUE:
            # only this parity is analytic: the other one has what is singular on [-1, 1]
            kernel = Kernel(parity_part(kernel.expr, law.sign) / 2, name=kernel.name)
        if self.assumes:
            # a singular point that was not excluded leaves in mu_k what no term of the series shows
            if terms is None:
                raise PrecisionError(
                    f"the error of the series of {self.kernel} is not known, for its law assumes {self.assumes[0]}; "
                    "fix the number of terms, or use eigenvalues()"
                )
            found = estimate(kernel, law.sign, degree, dim, terms, dps, ends=ends)
            return replace(found, error=mpmath.inf)
        return estimate(kernel, law.sign, degree, dim, terms, dps, ends=ends)

    # display ---------------------------------------------------------------------------------------------

    @cached_property
    def _text(self) -> str:
        return decay_text(self)

    def __repr__(self) -> str:
        return self._text

    __str__ = __repr__

    def _sympystr(self, printer: object) -> str:
        return self._text

    def _latex(self, printer: object) -> str:
        return decay_latex(self)

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {decay_latex(self)}$"

    def _repr_html_(self) -> str:
        return decay_html(self)

    def _repr_pretty_(self, printer: Page, cycle: bool) -> None:
        printer.text(self._text)


__all__ = ["Balance", "Decay", "ParityDecay"]
