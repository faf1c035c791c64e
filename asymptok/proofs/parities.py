"""certify(kernel, d): a certificate of the kernel as a whole, and of one of its parts where that says more.

The eigenvalues of one parity see that part of kappa alone. Where singular points have cancelled in it, the law of the
parity is another one, and has the certificate of the part: geometric beside algebraic, entire beside kinks.
"""

from __future__ import annotations

from dataclasses import replace

from flint import fmpq
from sympy import Expr

from asymptok import dag, ways_out
from asymptok.arguments import checked_dimension
from asymptok.errors import AsymptokError, Undecided
from asymptok.kernels.kernel import Kernel, as_kernel
from asymptok.parameters import exact_number
from asymptok.patience import long_question, remembered
from asymptok.precision import flint_precision
from asymptok.progress import share, task
from asymptok.proofs.certificate import Certificate
from asymptok.proofs.certifying import TERMS, certify_whole
from asymptok.proofs.certifying_given import certify_given
from asymptok.proofs.claims import Law, ParityClaim
from asymptok.proofs.crosscheck import require_agreement
from asymptok.proofs.halves import are_of_two_kinds, is_simpler, part_of
from asymptok.proofs.signs import covered, signs_of
from asymptok.proofs.written_numbers import SMALL, decimals_of
from asymptok.spectrum.compute import eigenvalues
from asymptok.symbols import u

__all__ = ["certify"]

#: the relative half-width that decides on k0 unless told otherwise
_GOAL = fmpq(1, 20)
#: degrees among which a negative eigenvalue is looked for, and the bits of its enclosure
_SEARCHED, _BITS = 200, 128
#: laws that leave nothing to be wished for
_TWO_SIDED = (Law.ALGEBRAIC, Law.ZERO, Law.GEOMETRIC, Law.EXPONENTIAL)
#: the others, what is known to fall faster behind what is not
_ONE_SIDED = (Law.UNKNOWN, Law.OSCILLATING, Law.SMOOTH, Law.STRETCHED, Law.FLAT, Law.BOUNDED, Law.ENTIRE)


@long_question
def certify(
    kernel: Kernel | Expr | str,
    d: int,
    *,
    terms: int | None = None,
    goal: int | str | None = None,
    progress: bool | None = None,
) -> Certificate:
    """mu_k for every k >= 0 on S^(d-1), between proved numbers: the first few one by one, all others by one bound.

    `terms`: how many exponents of the expansions are used at most. `goal`: the relative half-width of the enclosures
    from k0 on. `progress` as in `eigenvalues`.

    >>> from asymptok import kernels
    >>> found = certify(kernels.laplace(), d=3)
    >>> found.even.k0, found.odd.rate, found.positive_definite, found.strict
    (6, -3, True, True)
    """
    kernel, d = as_kernel(kernel), checked_dimension(d)
    _require_values(kernel)
    count = TERMS if terms is None else _count(terms)
    width = _GOAL if goal is None else _width(goal)
    given = certify_given(kernel, d, width)
    if given is not None:
        return given
    with task("certify", progress):
        # kernels are equal whatever their names are, and a certificate shows the name
        return replace(_certified(kernel, kernel.mean_product, d, count, width), kernel=kernel)


@remembered(maxsize=64)
def _certified(kernel: Kernel, made: bool, d: int, count: int, width: fmpq) -> Certificate:
    """The certificate, made once for all who ask for it, and compared with the law of decay(kernel).

    Kernels are equal if their formulas are; `made` tells those of which more is known by their making.
    """
    found = _by_parts(kernel, d, count, width)
    require_agreement(found)
    return found if found.positive_definite is not None else _with_witness(found)


def _with_witness(found: Certificate) -> Certificate:
    """With the first negative eigenvalue in its list, where the enclosures for all k show one."""
    k = next((k for k in range(_SEARCHED) if _is_negative(found, k)), None)
    if k is None:
        return found
    spectrum = eigenvalues(found.kernel, found.d, ks=[k], dps=SMALL)
    if not spectrum.is_proved(k):
        return found
    with flint_precision(_BITS):
        small = found.small | {k: decimals_of(spectrum.ball(k))}
    return _judged(replace(found, small=small))


def _is_negative(found: Certificate, k: int) -> bool:
    try:
        return bool(found.enclosure(k) < 0)
    except Undecided:
        return False


def _judged(found: Certificate) -> Certificate:
    sign = signs_of(found.kernel, [found.even, found.odd], found.small, found.parts)
    return replace(found, positive_definite=sign.positive, strict=sign.strict, offending=sign.offending)


def _by_parts(kernel: Kernel, d: int, count: int, width: fmpq) -> Certificate:
    if are_of_two_kinds(kernel):
        with share(0, 0.5):
            even = certify_whole(part_of(kernel, 0), d, count, width)
        with share(0.5, 1):
            odd = certify_whole(part_of(kernel, 1), d, count, width)
        if even.proved and odd.proved:
            return _with_parts(_nothing(kernel, d), (even, odd))
    whole = certify_whole(kernel, d, count, width)
    first, second = (_better_part(whole, parity, count, width) for parity in (0, 1))
    if first is None and second is None:
        return whole
    found = _with_parts(whole if first is None or second is None else _nothing(kernel, d), (first, second))
    # one parity alone says nothing: the integrals of the other need not exist
    return found if found.proved else whole


def _require_values(kernel: Kernel) -> None:
    free = sorted(map(str, dag.free_symbols(kernel.expr) - {u}))
    if free:
        raise AsymptokError(
            f"a certificate speaks of one kernel, and this one still has the parameter{'s' * (len(free) > 1)} "
            f"{', '.join(free)}: give values, for example {ways_out.value(*free, example=1)}"
        )


def _count(terms: int) -> int:
    if isinstance(terms, bool) or not hasattr(terms, "__index__") or not 1 <= terms.__index__() <= 40:
        raise AsymptokError(f"the number of terms is an integer from 1 to 40, not {terms!r}")
    return int(terms.__index__())


def _width(goal: int | str) -> fmpq:
    value = exact_number(goal, "the goal")
    if not (value.is_Rational and 0 < value < 1):
        raise AsymptokError(
            f"the goal is a relative half-width between 0 and 1, such as '1/20', not {goal!r}"
        )
    return fmpq(int(value.p), int(value.q))


# parts ---------------------------------------------------------------------------------------------------


def _better_part(whole: Certificate, parity: int, count: int, width: fmpq) -> Certificate | None:
    """The certificate of a part of kappa whose law is better than that of the whole in its parity; None without one."""
    law = (whole.odd if parity else whole.even).law
    # where something has cancelled in one part, the laws of the other may have been missed with it
    either = law in (Law.UNKNOWN, Law.BOUNDED) and is_simpler(whole.kernel, 1 - parity)
    if law in _TWO_SIDED or not (is_simpler(whole.kernel, parity, law is Law.UNKNOWN) or either):
        return None
    part = certify_whole(part_of(whole.kernel, parity), whole.d, count, width)
    return part if part.proved and _grade(part, parity) > _grade(whole, parity) else None


def _grade(certificate: Certificate, parity: int) -> int:
    law = certificate.odd if parity else certificate.even
    if law.law in _TWO_SIDED:
        return len(_ONE_SIDED)
    # complex poles: |mu_k| <= b rho^-k k^p with the best rho, and every mu_k enclosed
    kind = Law.BOUNDED if law.law is Law.OSCILLATING and certificate.poles else law.law
    return _ONE_SIDED.index(kind)


def _nothing(kernel: Kernel, d: int) -> Certificate:
    """A certificate that claims nothing."""
    law = ParityClaim(Law.UNKNOWN)
    return Certificate(kernel, d, (), (), None, law, law, {}, None, None, None)


def _with_parts(whole: Certificate, parts: tuple[Certificate | None, Certificate | None]) -> Certificate:
    """The certificate with the laws of the parts where there are any."""
    laws = [
        law if part is None else (part.even, part.odd)[parity]
        for parity, (law, part) in enumerate(zip((whole.even, whole.odd), parts, strict=True))
    ]
    small = dict(whole.small)
    for parity, part in enumerate(parts):
        if part is not None:
            small |= {k: pair for k, pair in part.small.items() if k % 2 == parity}
    reason = next((law.reason for law in laws if law.law is Law.UNKNOWN), "")
    if whole.reason and not reason:
        # what was missing may have been a law, or an eigenvalue of the parity that has one
        start = max(law.k0 or law.zero_from or 0 for law in laws)
        missing = [
            k for k in range(start) if parts[k % 2] is None and k not in small and not covered(k, laws[k % 2])
        ]
        reason = f"mu_{missing[0]} is not proved" if missing else ""
    return _judged(replace(whole, even=laws[0], odd=laws[1], small=small, reason=reason, parts=parts))
