"""Two kernels on the same sphere: are their reproducing kernel Hilbert spaces the same set of functions?

For positive definite kernels on S^(d-1), f = sum f_(k,j) Y_(k,j) lies in the space of kappa iff sum |f_(k,j)|^2/mu_k is
finite (with f_(k,j) = 0 where mu_k = 0). Hence H is contained in H' iff mu_k <= C mu'_k for all k, the norms then
compare as |f|'^2 <= C |f|^2, and the spaces are equal iff a <= mu_k/mu'_k <= b wherever one of the two is not 0.
"""

from __future__ import annotations

from typing import Any

from flint import arb
from sympy import Expr, S, powsimp

from asymptok.arguments import checked_dimension
from asymptok.atlas.factors import curve_factor, gamma_ratio
from asymptok.balls import ball
from asymptok.constants.decide import sign
from asymptok.errors import Undecided
from asymptok.kernels.kernel import Kernel, as_kernel
from asymptok.laws.exponential_sums import exponential_sum
from asymptok.precision import flint_precision
from asymptok.proofs.by_laws import compare_laws
from asymptok.proofs.claims import Law, ParityClaim
from asymptok.proofs.compared import Comparison, Question
from asymptok.proofs.decimals import mpf_down, mpf_up, number
from asymptok.proofs.exponential import exponential_tail, ratio_of_tails, step_of
from asymptok.proofs.inner import tail_beside
from asymptok.proofs.parities import certify
from asymptok.proofs.signs import has_no_trace
from asymptok.proofs.statement import Statement
from asymptok.proofs.stretched import exponents
from asymptok.proofs.tails import Tail, tail_at
from asymptok.truth import Sign

_BITS = 192
#: degrees at which the tails of the two are compared, beyond the k0 of both
_JOINTS = (64, 96, 128, 192, 256, 512, 1024, 2048, 4096, 8192)


def same_rkhs(first: Kernel | str, second: Kernel | str, d: int | None = None) -> Comparison:
    """Whether the two kernels have the same space on S^(d-1), with proved bounds on mu_k/mu'_k for all k.

    Without d on the spheres of all dimensions d >= 3; so, and with parameters or a symbolic depth, the answer comes
    from the laws, for all values in the ranges and without bounds.

    >>> from asymptok import kernels
    >>> found = same_rkhs(kernels.ntk(2), kernels.laplace(), d=3)
    >>> found.same, found.reason
    (False, 'the odd eigenvalues vanish from k = 3 on for the first kernel only')
    >>> from sympy import Symbol
    >>> same_rkhs(kernels.ntk(Symbol("L", integer=True, positive=True)), kernels.laplace("c")).same  # L >= 3, c > 0
    True
    """
    return _compare(first, second, d, Question.SAME)


def embeds(first: Kernel | str, second: Kernel | str, d: int | None = None) -> Comparison:
    """Whether the space of the first kernel lies in that of the second: mu_k <= C mu'_k for all k.

    Without d on the spheres of all dimensions d >= 3, and with parameters, by the laws.

    >>> from asymptok import kernels
    >>> embeds(kernels.random_features(3), kernels.ntk(3), d=3).same
    True
    >>> embeds(kernels.ntk(3), kernels.random_features(3), d=3).same
    False
    >>> embeds(kernels.gamma_exponential("h"), kernels.gamma_exponential("g")).condition
    g <= h
    """
    return _compare(first, second, d, Question.EMBEDS)


def _compare(first: Kernel | str, second: Kernel | str, d: int | None, question: Question) -> Comparison:
    kernels = as_kernel(first), as_kernel(second)
    if d is None or any(kernel.parameters for kernel in kernels):
        dimension = None if d is None else checked_dimension(d)
        by_laws = compare_laws(*kernels, question)
        condition = None if by_laws.same is not None else by_laws.condition
        return Comparison(*kernels, dimension, question, by_laws.same, None, by_laws.reason, condition)
    pair = certify(kernels[0], d), certify(kernels[1], d)
    try:
        with flint_precision(_BITS):
            low, high = _Pair(*pair, question).bounds()
            bounds = (mpf_down(low), mpf_up(high))
    except _Answer as answer:
        return Comparison(*kernels, pair[0].d, question, answer.same, None, answer.reason)
    reason = "mu_k/mu'_k is bounded" + (" from both sides" if question is Question.SAME else "")
    return Comparison(*kernels, pair[0].d, question, True, bounds, reason)


class _Answer(Exception):
    """No, or not known: with the reason."""

    def __init__(self, same: bool | None, reason: str) -> None:
        super().__init__(reason)
        self.same, self.reason = same, reason


class _Pair:
    def __init__(self, first: Statement, second: Statement, question: Question) -> None:
        self.pair, self.question = (first, second), question
        self.both = question is Question.SAME

    def bounds(self) -> tuple[arb, arb]:
        """The least and the greatest ratio over all k, or an _Answer."""
        for name, certificate in zip(("first", "second"), self.pair, strict=True):
            if not certificate.proved:
                raise _Answer(None, f"the {name} kernel has no complete certificate: {certificate.reason}")
            if certificate.positive_definite is False:
                reason = f"the {name} kernel is not positive definite: mu_{certificate.offending} < 0"
                raise _Answer(None, reason)
            if certificate.positive_definite is None:
                raise _Answer(None, f"the {name} kernel is not shown to be positive definite")
            if has_no_trace(certificate):
                reason = "kappa(1), the sum of N(d, k) mu_k, is infinite"
                raise _Answer(None, f"the {name} kernel is unbounded at u = 1 and has no RKHS: {reason}")
        exprs = [certificate.kernel.expr for certificate in self.pair]
        multiple = powsimp(exprs[0] / exprs[1]) if exprs[1] else S.Zero
        if multiple.is_number and sign(multiple) is Sign.POSITIVE:
            return ball(multiple).lower(), ball(multiple).upper()
        found: list[tuple[arb, arb]] = []
        answers: list[_Answer] = []
        for parity in (0, 1):
            try:
                mine, other = (certificate.source(parity) for certificate in self.pair)
                found += _Pair(mine, other, self.question)._parity(parity)
            except _Answer as answer:
                answers.append(answer)
        # what one parity refutes is refuted, even if the other is open
        if answers:
            raise min(answers, key=lambda answer: answer.same is None)
        if not found:
            raise _Answer(None, "all eigenvalues vanish")
        a, b = found[0]
        for x, y in found[1:]:
            a, b = arb.min(a, x), arb.max(b, y)
        return a.lower(), b.upper()

    def _parity(self, parity: int) -> list[tuple[arb, arb]]:
        """Ratios of one parity: single degrees, and one pair for all the rest."""
        laws = [c.odd if parity else c.even for c in self.pair]
        name = "odd" if parity else "even"
        zero = [law.zero_from for law in laws]
        if zero[1] is not None and zero[0] is None:
            self._must_not_vanish(0, parity, zero[1])
            raise _Answer(
                False, f"the {name} eigenvalues vanish from k = {zero[1]} on for the second kernel only"
            )
        if zero[0] is not None and zero[1] is None and self.both:
            self._must_not_vanish(1, parity, zero[0])
            raise _Answer(
                False, f"the {name} eigenvalues vanish from k = {zero[0]} on for the first kernel only"
            )
        if zero[0] is not None:
            # beyond the zeros of the first there is nothing to compare
            rest = [(arb(0), arb(0))] if zero[1] is None else []
            return [*self._single(range(parity, max(zero[0], zero[1] or 0), 2)), *rest]
        kinds = (laws[0].law, laws[1].law)
        if Law.SMOOTH in kinds:
            raise _Answer(None, f"the {name} eigenvalues of a kernel are known from above alone")
        if Law.STRETCHED in kinds:
            return self._stretched(parity, name, laws)
        if Law.OSCILLATING in kinds:
            raise _Answer(None, f"singular points inside leave the sign of the {name} eigenvalues open")
        if Law.EXPONENTIAL in kinds:
            return self._exponential(parity, name, laws)
        if kinds == (Law.ALGEBRAIC, Law.ALGEBRAIC):
            return self._algebraic(parity, name)
        if Law.ALGEBRAIC not in kinds:
            return self._analytic(parity, name, laws)
        if kinds[1] is Law.ALGEBRAIC:
            if self.both:
                raise _Answer(False, f"the {name} eigenvalues of the first kernel fall faster than any power")
            return self._faster(parity)
        raise _Answer(False, f"the {name} eigenvalues of the second kernel fall faster than any power")

    def _analytic(self, parity: int, name: str, laws: list[ParityClaim]) -> list[tuple[arb, arb]]:
        """Two analytic kernels: the same rho and power of k, or one that falls faster."""
        rhos = [ball(c.rho) for c in self.pair]
        kinds = [law.law for law in laws]
        if kinds == [Law.GEOMETRIC, Law.GEOMETRIC]:
            places = [c.place for c in self.pair]
            if places[0] == places[1]:
                return self._same_ellipse(parity, name, laws)
            gap = rhos[0] - rhos[1]
            if gap < 0 or (self.both and gap > 0):
                raise _Answer(False, f"the {name} eigenvalues fall like r^k with different r: {self._rhos()}")
            if gap > 0:
                return self._below(parity, self.pair[0].bounds, laws[0])
        elif kinds[0] is Law.GEOMETRIC and self._wider(1, rhos[0]):
            raise _Answer(False, f"the {name} eigenvalues of the second kernel fall faster")
        elif kinds[1] is Law.GEOMETRIC and self._wider(0, rhos[1]):
            if self.both:
                raise _Answer(False, f"the {name} eigenvalues of the first kernel fall faster")
            return self._below(parity, self.pair[0].bounds, laws[0])
        raise _Answer(None, f"no lower bound of the {name} eigenvalues settles it: both kernels are analytic")

    def _stretched(self, parity: int, name: str, laws: list[ParityClaim]) -> list[tuple[arb, arb]]:
        """An upper bound k^p exp(-c k^(2/3)) against powers of k: b/a' k^(p-p') exp(-c k^(2/3)) (log k)^-q falls."""
        first, second = laws
        if first.law is Law.ALGEBRAIC:
            raise _Answer(False, f"the {name} eigenvalues of the second kernel fall faster than any power")
        if second.law is not Law.ALGEBRAIC or first.tau is None:
            raise _Answer(None, f"the {name} eigenvalues of a kernel are known from above alone")
        if self.both:
            raise _Answer(False, f"the {name} eigenvalues of the first kernel fall faster than any power")
        assert first.rate is not None and second.rate is not None and first.high and second.low
        assert first.k0 is not None and second.k0 is not None
        c, power = exponents(first.tau, self.pair[0].d)[0], ball(first.rate) - ball(second.rate)
        for joint in (step + parity for step in _JOINTS):
            stretch = c * arb(joint) ** (arb(2) / 3)
            if joint >= max(first.k0, second.k0) and 2 * stretch >= 3 * power and number(second.low) > 0:
                high = number(first.high) / number(second.low) * arb(joint) ** power * (-stretch).exp()
                high = high / arb(joint).log() ** second.log_power
                return [*self._single(range(parity, joint, 2)), (arb(0), high.upper())]
        raise _Answer(None, f"the {name} eigenvalues of the first kernel fall too slowly")

    def _exponential(self, parity: int, name: str, laws: list[ParityClaim]) -> list[tuple[arb, arb]]:
        """Entire kernels whose leading derivatives at 0 are known: against one another, and what falls more slowly."""
        frames = [law.frame for law in laws]
        if frames[0] is None:
            if laws[0].law in (Law.ALGEBRAIC, Law.GEOMETRIC):
                raise _Answer(False, f"the {name} eigenvalues of the second kernel fall faster")
            raise _Answer(None, f"the {name} eigenvalues of the first kernel are known from above alone")
        if frames[1] is None and laws[1].law not in (Law.ALGEBRAIC, Law.GEOMETRIC):
            raise _Answer(None, f"the {name} eigenvalues of the second kernel are known from above alone")
        order = Sign.NEGATIVE if frames[1] is None else frames[0].order_against(frames[1])
        if order is Sign.POSITIVE:
            raise _Answer(False, f"the {name} eigenvalues of the second kernel fall faster")
        if order is Sign.NEGATIVE and self.both:
            raise _Answer(False, f"the {name} eigenvalues of the first kernel fall faster")
        for joint in (step + parity for step in _JOINTS):
            found = self._entire_ratio(joint, laws[1])
            if found is not None:
                return [*self._single(range(parity, joint, 2)), found]
        raise _Answer(None, f"the leading terms of the {name} eigenvalues prevail too late")

    def _entire_ratio(self, joint: int, other: ParityClaim) -> tuple[arb, arb] | None:
        """mu_k/mu'_k for all k >= joint."""
        first, second = self.pair
        sums = [exponential_sum(c.kernel.expr) for c in self.pair]
        mine = None if sums[0] is None else exponential_tail(sums[0], joint, first.d)
        if mine is None:
            return None
        if other.frame is not None:
            tail = None if sums[1] is None else exponential_tail(sums[1], joint, first.d)
            return None if tail is None else ratio_of_tails(mine, tail)
        lead = self._tail(second, joint)
        if lead is None or not lead.positive or other.nu is None:
            return None
        # the steps of the lead, (k-nu)/(k+nu+d-1) or (k-nu)/(rho (k+d/2)), increase or are at least 1/rho
        nu, d = ball(other.nu), first.d
        if other.law is Law.ALGEBRAIC:
            frame, steps = (
                gamma_ratio(nu, joint, d),
                [(joint + i - nu) / (joint + i + nu + (d - 1)) for i in (0, 1)],
            )
        else:
            frame, half = _frame(second, nu, joint), arb(d) / 2
            steps = [
                arb.min(arb(1), (joint + i - nu) / (joint + i + half)) / ball(second.rho) for i in (0, 1)
            ]
        if not step_of(mine, d) <= steps[0] * steps[1]:
            return None
        top = mine.high * mine.part.scale(joint, d)
        return arb(0), (top / (lead.constant * frame * (1 - lead.rest))).upper()

    def _rhos(self) -> str:
        return " and ".join(f"1/({c.rho})" for c in self.pair)

    def _wider(self, which: int, rho: arb) -> bool:
        """Whether a bound of that kernel falls faster than rho^-k."""
        bounds = self.pair[which].bounds
        return self.pair[which].place is None and any(arb(b.height) > rho.log() for b in bounds)

    def _same_ellipse(self, parity: int, name: str, laws: list[ParityClaim]) -> list[tuple[arb, arb]]:
        """Both have rho^-k: the powers of k decide, and Gamma(k-nu)/Gamma(k-nu') decreases for nu > nu'."""
        nus = [law.nu for law in laws]
        assert nus[0] is not None and nus[1] is not None
        order = _order(nus[0], nus[1])
        if order is Sign.NEGATIVE or (self.both and order is Sign.POSITIVE):
            raise _Answer(False, f"beside the same rho^-k the {name} eigenvalues have different powers of k")
        joint, (first, second) = self._joint(parity)
        a, b = (ball(nu) for nu in nus if nu is not None)
        ratio = first.constant / second.constant * ((joint - a).lgamma() - (joint - b).lgamma()).exp()
        high = ratio * (1 + first.rest) / (1 - second.rest)
        low = ratio * (1 - first.rest) / (1 + second.rest) if order is Sign.ZERO else arb(0)
        return [*self._single(range(parity, joint, 2)), (low.lower(), high.upper())]

    def _below(self, parity: int, bounds: Any, law: ParityClaim) -> list[tuple[arb, arb]]:
        """What falls faster than the lead of the second kernel: the quotient at one degree bounds all later ones."""
        first, second = self.pair
        other = second.odd if parity else second.even
        assert other.nu is not None
        nu = ball(other.nu)
        for step in _JOINTS:
            joint = step + parity
            tail = self._tail(second, joint)
            if tail is None:
                continue
            low = tail.constant * _frame(second, nu, joint) * (1 - tail.rest)
            if law.law is Law.GEOMETRIC and law.nu is not None:
                mine, own = self._tail(first, joint), ball(law.nu)
                # r (k-nu)/(k-nu') <= 1, and so for all later k
                step_ratio = ball(second.rho / first.rho) * arb.max(arb(1), (joint - own) / (joint - nu))
                if mine is not None and step_ratio < 1:
                    high = mine.constant * _frame(first, own, joint) * (1 + mine.rest) / low
                    return [*self._single(range(parity, joint, 2)), (arb(0), high.upper())]
                continue
            for bound in bounds:
                height = arb(bound.height)
                # a quotient that grows towards 1 with k is no more than 1
                steps = ball(second.rho) * (-height).exp() * arb.max(arb(1), (joint + 1) / (joint - nu))
                if steps < 1:
                    top = number(bound.curve) * curve_factor(height, joint, first.d)
                    return [*self._single(range(parity, joint, 2)), (arb(0), (top / low).upper())]
        raise _Answer(None, "the geometric bound of the first kernel falls too slowly")

    def _must_not_vanish(self, which: int, parity: int, start: int) -> None:
        """Some mu_k, k >= start, of the parity is proved positive; otherwise nothing follows."""
        certificate = self.pair[which]
        law = certificate.odd if parity else certificate.even
        listed = [k for k in certificate.small if k >= start and k % 2 == parity]
        if law.law not in (Law.ALGEBRAIC, Law.GEOMETRIC, Law.EXPONENTIAL) and not any(
            certificate.enclosure(k) > 0 for k in listed
        ):
            raise _Answer(
                None, f"it is open whether mu_k vanishes for the {('first', 'second')[which]} kernel"
            )

    def _single(self, degrees: range) -> list[tuple[arb, arb]]:
        """mu_k/mu'_k one by one."""
        found = []
        for k in degrees:
            try:
                mine, other = (c.enclosure(k) for c in self.pair)
            except Undecided as error:
                raise _Answer(None, str(error)) from error
            if mine.is_zero():
                if other.is_zero():
                    continue
                if not self.both:
                    found.append((arb(0), arb(0)))
                    continue
                if other > 0:
                    raise _Answer(False, f"mu_{k} = 0 for the first kernel only")
            elif other.is_zero() and mine > 0:
                raise _Answer(False, f"mu_{k} = 0 for the second kernel only")
            if not other > 0 or (self.both and not mine > 0):
                raise _Answer(None, f"the sign of mu_{k} is open")
            ratio = mine / other
            low = arb.max(ratio.lower(), arb(0))
            found.append((low, ratio.upper()))
        return found

    def _algebraic(self, parity: int, name: str) -> list[tuple[arb, arb]]:
        laws = [c.odd if parity else c.even for c in self.pair]
        assert laws[0].rate is not None and laws[1].rate is not None and laws[0].nu is not None
        order, logs = _order(laws[0].rate, laws[1].rate), [law.log_power for law in laws]
        if order is Sign.ZERO and logs[0] == logs[1]:
            joint, tails = self._joint(parity)
            first, second = tails
            ratio = first.constant / second.constant
            low = ratio * (1 - first.rest) / (1 + second.rest)
            high = ratio * (1 + first.rest) / (1 - second.rest)
            return [*self._single(range(parity, joint, 2)), (low.lower(), high.upper())]
        rates = " and ".join(law.power for law in laws)
        if self.both or order is Sign.POSITIVE or (order is Sign.ZERO and logs[0] > logs[1]):
            raise _Answer(False, f"the {name} eigenvalues decay at different rates, {rates}")
        if any(logs):
            return self._beside_logarithms(parity, laws[0], laws[1])
        joint, (first, second) = self._joint(parity)
        # gamma ratios with the larger nu fall faster: their quotient decreases
        nus = [ball(law.nu) for law in laws if law.nu is not None]
        quotient = gamma_ratio(nus[0], joint, self.pair[0].d) / gamma_ratio(nus[1], joint, self.pair[0].d)
        high = first.constant / second.constant * quotient * (1 + first.rest) / (1 - second.rest)
        return [*self._single(range(parity, joint, 2)), (arb(0), high.upper())]

    def _beside_logarithms(
        self, parity: int, first: ParityClaim, second: ParityClaim
    ) -> list[tuple[arb, arb]]:
        """mu_k/mu'_k <= (b/a') k^-s (log k)^m, which decreases once log k >= m/s."""
        assert first.rate is not None and second.rate is not None and first.high and second.low
        assert first.k0 is not None and second.k0 is not None
        s, m = ball(second.rate) - ball(first.rate), first.log_power - second.log_power
        for joint in (step + parity for step in _JOINTS):
            log = arb(joint).log()
            if joint >= max(first.k0, second.k0) and (m <= 0 or log * s >= m):
                high = number(first.high) / number(second.low) * arb(joint) ** -s * log**m
                return [*self._single(range(parity, joint, 2)), (arb(0), high.upper())]
        raise _Answer(None, "the power of k prevails over that of log k too late")

    def _joint(self, parity: int) -> tuple[int, tuple[Tail, Tail]]:
        """A degree from which the tails of both kernels hold."""
        for step in _JOINTS:
            joint = step + parity
            tails = [self._tail(c, joint) for c in self.pair]
            if tails[0] is not None and tails[1] is not None:
                return joint, (tails[0], tails[1])
        raise _Answer(None, "the leading terms prevail too late")

    @staticmethod
    def _tail(certificate: Statement, joint: int) -> Tail | None:
        law = certificate.parity(joint)
        assert law.lead is not None
        best: Tail | None = None
        for index in range(len(certificate.bounds)):
            if certificate.inner:
                tail = tail_beside(certificate.points, certificate.claims, joint, index, law.lead)
            else:
                tail = tail_at(certificate.claims, joint, index, law.lead)
            if tail is not None and (best is None or tail.rest < best.rest):
                best = tail
        return best

    def _faster(self, parity: int) -> list[tuple[arb, arb]]:
        """G S A_k e^(-(k+1)h) over the lead of the second kernel decreases from some degree on."""
        first, second = self.pair
        law = second.odd if parity else second.even
        assert law.nu is not None
        nu, d = ball(law.nu), first.d
        for step in _JOINTS:
            joint = step + parity
            tail = self._tail(second, joint)
            if tail is None:
                continue
            mine = first.odd if parity else first.even
            if mine.law is Law.GEOMETRIC and mine.nu is not None:
                own, top_tail = ball(mine.nu), self._tail(first, joint)
                # the steps of both frames: once their quotient is below 1 it stays so
                growth = arb.max(arb(1), (joint - own) / (joint + arb(d) / 2))
                if (
                    top_tail is not None
                    and growth / ball(first.rho) * (joint + nu + (d - 1)) / (joint - nu) < 1
                ):
                    top = top_tail.constant * _frame(first, own, joint) * (1 + top_tail.rest)
                    low = tail.constant * gamma_ratio(nu, joint, d) * (1 - tail.rest)
                    return [*self._single(range(parity, joint, 2)), (arb(0), (top / low).upper())]
                continue
            for bound in first.bounds:
                height = arb(bound.height)
                if (joint + nu + (d - 1)) / (joint - nu) * (-height).exp() < 1:
                    top = number(bound.curve) * curve_factor(height, joint, d)
                    low = tail.constant * gamma_ratio(nu, joint, d) * (1 - tail.rest)
                    return [*self._single(range(parity, joint, 2)), (arb(0), (top / low).upper())]
        raise _Answer(None, "the geometric bound of the first kernel falls too slowly")


def _order(first: Expr, second: Expr) -> Sign:
    """The sign of the difference of two exponents, however they are written."""
    found = sign(first - second)
    if found is Sign.UNKNOWN:
        raise _Answer(None, f"it is open which of the exponents {first} and {second} is larger")
    return found


def _frame(certificate: Statement, nu: arb, k: int) -> arb:
    """rho^-k Gamma(k-nu)/Gamma(k+d/2)."""
    half = arb(certificate.d) / 2
    return ball(certificate.rho) ** (-k) * ((k - nu).lgamma() - (k + half).lgamma()).exp()


__all__ = ["Comparison", "Question", "embeds", "same_rkhs"]
