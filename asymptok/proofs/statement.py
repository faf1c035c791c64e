"""A proved statement about every eigenvalue of a kernel on one sphere, with all numbers that its proof needs."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

import mpmath
from flint import arb, fmpq
from sympy import Expr, S, sqrt

from asymptok.arguments import checked_degree
from asymptok.atlas.waves import InnerTerm
from asymptok.balls import ball
from asymptok.errors import AsymptokError, Undecided
from asymptok.kernels.given_form import given_form
from asymptok.kernels.kernel import Kernel
from asymptok.precision import flint_precision
from asymptok.proofs.claims import BoundClaim, Claims, Law, ParityClaim, TermClaim
from asymptok.proofs.decimals import interval, mpf_down, mpf_up, number
from asymptok.proofs.ellipses import ellipse_law, rho_of_ellipse, widest
from asymptok.proofs.entire import entire_bound, entire_value
from asymptok.proofs.exponential import exponential_value
from asymptok.proofs.flat import flat_bound
from asymptok.proofs.given import given_value
from asymptok.proofs.inner import Points, RestClaim
from asymptok.proofs.poles import ArcClaim, PoleClaim, Poles
from asymptok.proofs.smooth import derivative_bound
from asymptok.proofs.stretched import CoefficientClaim, stretched_bound

_BITS = 160
#: bits of the numbers that are handed out
_OUT = 80


@dataclass(frozen=True, slots=True)
class DiscClaim:
    """kappa is analytic on |sigma - centre e^(-i pi/grid)| <= radius, which answers for the slit up to y = covers."""

    centre: fmpq
    radius: fmpq
    covers: fmpq


@dataclass(frozen=True, slots=True)
class EndClaim:
    """At this end kappa is a series in sigma = t^(1/grid); discs along the slit, none where it is a series in t.

    With grid 0 it has a local model, with irrational exponents or logarithms: one entry, the radius of its sector.
    """

    grid: int
    discs: tuple[DiscClaim, ...]


@dataclass(frozen=True)
class Statement:
    """What is claimed about mu_k(kappa) on S^(d-1) for every k >= 0, with the numbers that the proof needs."""

    kernel: Kernel
    d: int
    terms: tuple[TermClaim, ...]
    bounds: tuple[BoundClaim, ...]
    ends: tuple[EndClaim, EndClaim] | None
    even: ParityClaim
    odd: ParityClaim
    #: k -> (low, high), one by one
    small: dict[int, tuple[str, str]]
    positive_definite: bool | None
    strict: bool | None
    offending: int | None
    #: what stands in the way of a complete proof; empty if nothing does
    reason: str = ""
    #: the terms are powers of b -+ u at this b > 1; None for those of 1 -+ u
    place: Expr | None = None
    #: exact terms at points inside; terms and bounds are then those of the kernel without them
    inner: tuple[InnerTerm, ...] = ()
    #: what the expansions at these points leave
    rests: tuple[RestClaim, ...] = ()
    #: terms at poles and branch points off the interval; the bounds are those of the kernel without them
    poles: tuple[PoleClaim, ...] = ()
    #: what the terms at branch points among them leave
    arcs: tuple[ArcClaim, ...] = ()

    #: (n, a number that is not below kappa^(n)(1)) for a power series with coefficients >= 0
    derivatives: tuple[tuple[int, str], ...] = ()
    #: what is known of the coefficients of such a power series, of an activation that is analytic in a strip
    coefficients: CoefficientClaim | None = None
    #: certificates of the even and of the odd part of kappa, where they say more than one of kappa as a whole
    parts: tuple[Statement | None, Statement | None] = (None, None)
    #: what a file calls the kernel: not verified, written again and never shown
    label: str | None = field(default=None, compare=False, repr=False)

    # what it says ----------------------------------------------------------------------------------------

    @property
    def proved(self) -> bool:
        """Whether every mu_k, k >= 0, is enclosed: finitely many one by one, the others by a law for each parity."""
        open_parts = any(part is not None and not part.proved for part in self.parts)
        return not (self.reason or open_parts) and Law.UNKNOWN not in (self.even.law, self.odd.law)

    def parity(self, k: int) -> ParityClaim:
        """The law for all degrees of the parity of k."""
        return self.odd if checked_degree(k) % 2 else self.even

    def law(self, parity: int) -> ParityClaim:
        """What is proved for all even (0) or all odd (1) degrees; by ellipses alone, with the rho of one of them."""
        claim, ellipse = (self.even, self.odd)[parity], self.source(parity)._ellipse
        return claim if ellipse is None or claim.law is not Law.BOUNDED else ellipse_law(ellipse, self.d)

    def source(self, parity: int) -> Statement:
        """The certificate that the law of a parity is taken from: of a part of kappa, or this one."""
        part = self.parts[parity]
        return self if part is None else part

    @property
    def kinds(self) -> set[Law]:
        """The laws that follow from this certificate itself and not from one of a part."""
        return {
            claim.law for claim, part in zip((self.even, self.odd), self.parts, strict=True) if part is None
        }

    @property
    def apart(self) -> bool:
        """Whether the law of a parity is that of a part of kappa."""
        return self.parts != (None, None)

    def _leading(self) -> list[ParityClaim]:
        """The parities that decay most slowly."""
        laws = (self.law(0), self.law(1))
        framed = [(p, p.frame) for p in laws if p.frame is not None]
        if framed and all(p.frame is not None or p.law is Law.ZERO for p in laws):
            slowest = [f for _, f in framed if all(not f.order_against(g).negative for _, g in framed)]
            return [p for p, f in framed if slowest and f == slowest[0]]
        if self.apart:
            return [laws[parity] for parity in self._slowest_parts()]
        found = [p for p in laws if p.rate is not None and p.law is not Law.UNKNOWN]
        if not found:
            return []
        top = max((p.rate, p.log_power) for p in found if p.rate is not None)
        return [p for p in found if (p.rate, p.log_power) == top]

    def _slowest_parts(self) -> list[int]:
        """Parities with a law rho^-k k^p (log k)^q and the least rho; none where another may fall more slowly.

        Nothing falls more slowly than powers of k, and entire kernels faster than all rho^-k.
        """
        laws = {0: self.law(0), 1: self.law(1)}
        known = {i: self.source(i)._rho for i, p in laws.items() if p.rate is not None and not p.stretched}
        others = {p.law for i, p in laws.items() if i not in known}
        if S.One not in known.values() and not (known and others <= {Law.ZERO, Law.EXPONENTIAL, Law.ENTIRE}):
            return []
        with flint_precision(_BITS):
            least = min(known.values(), key=lambda x: float(ball(x).mid()))
        slow = {i: (laws[i].rate, laws[i].log_power) for i, rho in known.items() if rho == least}
        top = max(slow.values())
        return [i for i, order in slow.items() if order == top]

    @property
    def rate(self) -> Expr | None:
        """p of the parities that decay most slowly, where a k^p <= mu_k <= b k^p; None if no such law is proved.

        Beside it there may be (log k)^q, q = `log_power`; for analytic kernels a rho^-k k^p <= mu_k <= b rho^-k k^p
        with `rho`.
        """
        found = self._leading()
        return found[0].rate if found else None

    @property
    def log_power(self) -> int:
        """q in the law a k^p (log k)^q <= mu_k <= b k^p (log k)^q of the parities that decay most slowly."""
        found = self._leading()
        return found[0].log_power if found else 0

    @property
    def rho(self) -> Expr:
        """rho of the law a rho^-k k^p <= mu_k <= b rho^-k k^p of analytic kernels; 1 for powers of k.

        Where the nearest singular points are not known, e^h of an ellipse in which the kernel is analytic.
        """
        if not self.apart:
            return self._rho
        slowest = self._slowest_parts()
        return self.source(slowest[0])._rho if slowest else S.One

    @property
    def _rho(self) -> Expr:
        """rho of the terms of this certificate."""
        if self.poles:
            return self.outer.rho
        if self.place is not None:
            return self.place + sqrt(self.place**2 - 1)
        return S.One if self._ellipse is None else rho_of_ellipse(self._ellipse)

    @cached_property
    def _ellipse(self) -> BoundClaim | None:
        """The ellipse that the laws name, where nothing but ellipses is known."""
        alone = Law.BOUNDED in self.kinds and not (self.terms or self.poles or self.inner)
        return widest(self.bounds, self.d) if alone else None

    @property
    def k0(self) -> int | None:
        """The degree from which `constants` hold, for the parities with this rate."""
        return max((p.k0 for p in self._leading() if p.k0 is not None), default=None)

    @property
    def constants(self) -> tuple[mpmath.mpf, mpmath.mpf] | None:
        """(a, b) with a k^rate <= mu_k <= b k^rate for all k >= k0 of the parities with this rate.

        With a `log_power` q they stand beside k^rate (log k)^q, with `rho` beside rho^-k k^rate, for entire kernels
        with
        known derivatives at 0 (rate None) beside the F(k) of the display.
        """
        found = [p for p in self._leading() if p.low is not None and p.high is not None]
        if not found:
            return None
        with flint_precision(_BITS):
            low = [number(p.low) for p in found if p.low is not None]
            high = [number(p.high) for p in found if p.high is not None]
            a, b = low[0], high[0]
            for x, y in zip(low[1:], high[1:], strict=True):
                a, b = arb.min(a, x), arb.max(b, y)
            return mpf_down(a), mpf_up(b)

    @cached_property
    def claims(self) -> Claims:
        """Terms and bounds as a function of k."""
        return Claims(self.d, self.terms, self.bounds, self.place)

    def enclosure(self, k: int) -> arb:
        """A ball (flint.arb) around mu_k, all that the certificate knows; Undecided if it knows nothing."""
        k = checked_degree(k)
        law = self.parity(k)
        if law.zero_from is not None and k >= law.zero_from:
            return arb(0)
        with flint_precision(_BITS + 2 * k.bit_length()):
            known = [interval(*self.small[k])] if k in self.small else []
            part = self.parts[k % 2]
            if part is not None:
                known.append(part.enclosure(k))
            else:
                known += self._of_the_whole(k, law)
            if not known:
                raise Undecided(f"the certificate says nothing about mu_{k}: {self.reason or law.reason}")
            result = known[0]
            for other in known[1:]:
                result = result.intersection(other)
            return result

    def _of_the_whole(self, k: int, law: ParityClaim) -> list[arb]:
        """What is known of mu_k by kappa as a whole."""
        form = given_form(self.kernel.expr)
        known = [None if form is None else given_value(form, k, self.d), self._series(k, law)]
        if law.law is Law.ENTIRE:
            bound = entire_bound(self.kernel.expr, k, self.d)
            known += [None if bound is None else arb(0, bound), entire_value(self.kernel.expr, k, self.d)]
        if law.law is Law.FLAT:
            bound = flat_bound(self.kernel.expr, k, self.d)
            known.append(None if bound is None else arb(0, bound))
        if law.law is Law.EXPONENTIAL:
            known.append(exponential_value(self.kernel.expr, k, self.d))
        return [value for value in known if value is not None]

    def _series(self, k: int, law: ParityClaim) -> arb | None:
        """mu_k by terms and bounds; None if they do not speak of it."""
        if self.derivatives:
            most = derivative_bound(self.derivatives, k, self.d)
            other = None if self.coefficients is None else stretched_bound(self.coefficients, k, self.d)
            return arb(0).union(most if other is None else arb.min(most, other))
        if self.poles:
            rest, near = self.claims.enclosure(k, None), self.outer.enclosure(k, self.d)
            return None if rest is None or near is None else rest + near
        if not self.inner:
            return self.claims.enclosure(k, law.lead)
        inside = self.points.enclosure(k, self.d)
        # below the leading exponent of the ends everything cancels
        lead = law.lead if law.law is Law.ALGEBRAIC else None
        rest = None if inside is None else self.claims.enclosure(k, lead)
        return None if inside is None or rest is None else inside + rest

    @property
    def outer(self) -> Poles:
        """The claims about poles and branch points off the interval."""
        return Poles(self.poles, self.arcs)

    @property
    def points(self) -> Points:
        """The claims about points inside."""
        return Points(self.inner, self.rests)

    def lower(self, k: int) -> mpmath.mpf:
        """A proved lower bound of mu_k, for every k >= 0."""
        with flint_precision(_BITS):
            found = mpf_down(self.enclosure(k), _OUT)
            return max(found, mpmath.mpf(0)) if self.positive_definite else found

    def upper(self, k: int) -> mpmath.mpf:
        """A proved upper bound of mu_k, for every k >= 0."""
        with flint_precision(_BITS):
            return mpf_up(self.enclosure(k), _OUT)

    def require(self) -> Self:
        """The certificate itself if it is a complete proof; AsymptokError otherwise."""
        if not self.proved:
            raise AsymptokError(f"not proved: {self.reason or self.even.reason or self.odd.reason}")
        return self

    def __bool__(self) -> bool:
        raise TypeError("ask for .proved or .positive_definite by name")
