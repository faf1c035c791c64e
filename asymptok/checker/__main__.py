"""python -m asymptok.checker FILE [SECONDS]: exit 0 if every claim of the certificate is verified, 1 if not, 2 if there
is no such file. It gives up after 60 or so many seconds of processor time."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from fractions import Fraction
from math import inf
from time import process_time

from .algebra import full, is_entire, is_part, nonnegative, polynomial_degree
from .balls import HALF, ONE, Ball, Clock, OutOfTime, Retry
from .contour import Bound, Contour, Refuted, small_eigenvalues
from .exact import Number, Unsupported, ball, enclosed, multiplied, raised
from .exponentials import Exponentials
from .kernel import Program, Symbols, exact_number, program, written
from .laws import Law, enclosure
from .models import Key
from .read import (
    FURTHER,
    PARITIES,
    BadInput,
    Object,
    Pair,
    checked,
    digest,
    fields,
    integer,
    items,
    parsed,
    rational,
)

ANALYTIC = Fraction(-1)  # beta of a bound without terms
ZERO = Fraction(0), Fraction(0)
EVERYTHING = (-Fraction(10**30), Fraction(10**30))
TINY = ONE >> 100  # what may be an exact zero


def _bounds(body: Object) -> list[Bound]:
    out = []
    for item in items(body["bounds"]):
        exponent, *rest = fields(item, "beta plus minus curve height")
        plus, minus, curve, height = map(rational, rest)
        beta = ANALYTIC if exponent is None else exact_number(exponent)
        if min(plus, minus, curve) < 0 or (exponent is None and (plus or minus)):
            raise Refuted("a bound that is negative, or one that lacks its beta")
        if not (Fraction(1, 64) <= height <= 64 and (exponent is None or 0 <= beta < 40)):
            raise BadInput("a height outside of [1/64, 64], or a beta outside of [0, 40)")
        out.append(Bound(beta, (plus, minus), curve, height))
    if not 1 <= len(out) <= 20:
        raise BadInput("expected one to twenty bounds")
    return out


def _sinh(x: Fraction) -> Ball:
    return (ball(x).exp() - ball(-x).exp()).scaled(HALF)


def _inside(b: Number, bound: Bound) -> Bound:
    """The bound for kappa(bv) that implies this one for kappa(u): B_+- and G are b^-beta and b times those of the
    contour around -1 <= v <= 1, whose curve of height g encloses the ellipse of height h if b sinh g >= sinh h."""
    if bound.beta == ANALYTIC:
        raise Unsupported("an ellipse beyond singular points")
    scale = (ball(b).log() * ball(bound.beta)).exp()
    inner = [*((ball(x) * scale) for x in bound.slit), ball(bound.curve) * ball(b).inverse()]
    plus, minus, curve = (max(x.interval()[0], Fraction(0)) for x in inner)
    height = Fraction(1, 64)
    while not (_sinh(height) * ball(b) - _sinh(bound.height)).interval()[0] >= 0:
        height += Fraction(1, 64)
    return Bound(bound.beta, (plus, minus), curve, height)


class Analytic:
    """A kernel with its contour, and its laws for both parities in one dimension."""

    def __init__(self, body: Object, nodes: Program, d: int) -> None:
        self.nodes, self.d, bounds = nodes, d, _bounds(body)
        place, wide = body["place"], Bound(ANALYTIC, ZERO, EVERYTHING[1], Fraction(1, 64))
        b: Number = 1 if place is None else exact_number(place)
        if not (place is None or b > 1):
            raise Refuted("a place that is not shown to lie beyond u = 1")
        self.contour = self.inner = Contour(nodes, bounds if place is None else [wide])
        if place is not None and any(bound.beta != ANALYTIC or bound.curve for bound in bounds):
            self.contour = Contour(nodes, [_inside(b, bound) for bound in bounds], b)
        elif place is not None:  # then the kernel has to be a finite sum of powers of b-u or of b+u
            self.contour = Contour(nodes, [wide._replace(beta=Fraction(4), height=Fraction(1, 8))], b)
            if all(end.rest for end in self.contour.ends):
                raise Unsupported("terms at points outside of [-1, 1] that are not all of the kernel")
            bounds = [bound._replace(beta=EVERYTHING[1]) for bound in bounds]
        zeros = self._terms(body)
        self.laws = [[Law(self.contour, bound, d, parity) for bound in bounds] for parity in (0, 1)]
        height = max(bound.height for bound in self.contour.bounds)
        self.summary = [
            f"the kernel is analytic in |Im theta| < {height}, u = {'' if b == 1 else b}cos(theta),"
            f" but for slits beyond u = {b} and u = -{b}",
            f"{len(items(body['terms']))} coefficients of its expansions at u = {b} and u = -{b}"
            + (f" (not that {zeros} below 10^-30 are exactly 0, on which no claim rests)" if zeros else ""),
            f"{len(bounds)} bounds of what is left on the slits and on the curve",
        ]

    def _terms(self, body: Object) -> int:
        """Every listed coefficient encloses mine; returns how many exact zeros are claimed but only supported."""
        contour, listed, open_zeros = self.contour, set[tuple[int, Key]](), 0
        for item in items(body["terms"]):
            place, exponent, log, coefficient = fields(item, "end exponent log coefficient")
            end, key = (1 - integer(place, -1, 1)) // 2, (exact_number(exponent), integer(log, 0, 9))
            if place == 0 or (end, key) in listed:
                raise Refuted("a term at no end, or listed twice")
            listed.add((end, key))
            low, high = map(rational, items(coefficient, 2))
            if key[0] >= contour.ends[end].order:
                raise Unsupported("a term so far from the leading one")
            for e, j in contour.ends[end].terms:  # log t is another one for t = b -+ u
                if not (e < key[0] or e > key[0] or (e == key[0] and (contour.scale == 1 or j <= key[1]))):
                    raise Unsupported("terms that are not told apart")
            mine = contour.ends[end].terms.get(key, 0)
            if contour.scale != 1:  # of (b -+ u)^e
                mine = multiplied(mine, raised(contour.scale, -key[0]))
            a, b = enclosed(mine).interval()
            if low == high == 0 and mine != 0 and enclosed(mine).mag() < TINY:
                open_zeros += 1
            elif not (mine == low == high or low <= a <= b <= high):
                raise Refuted(f"the coefficient of t^({key[0]}) at u = {1 - 2 * end}")
        top = max(bound.beta for bound in contour.bounds)
        for end in (0, 1):
            for key, c in contour.terms(end, top).items():
                if (end, key) not in listed and enclosed(c).mag() >= TINY:
                    raise Refuted(f"a term t^({key[0]}) at u = {1 - 2 * end} is not listed")
        return open_zeros

    def parity(self, data: object, parity: int) -> tuple[int, Pair, str]:
        """Verify the claim for one parity: the k from which it speaks, bounds of all later mu_k up to a positive
        factor, and words."""
        laws, kind = self.laws[parity], data.get("kind") if isinstance(data, dict) else None
        if kind in ("bounded", "entire"):
            if kind == "entire" and not is_entire(Symbols().run(self.nodes)):
                raise Unsupported("an entire function that is not built of sums, products, powers and exp")
            if integer(fields(data, "kind k0")[1], 0, 0) or all(law.bound.beta != ANALYTIC for law in laws):
                raise Refuted("there is no bound without terms")
            every = (
                " for every h > 0, G = M(cosh h) cosh(h), |kappa(z)| <= M(|z|)" if kind == "entire" else ""
            )
            return 0, EVERYTHING, f"|mu_k| <= G S A_k e^(-(k+1)h){every}"
        if kind != laws[0].kind:
            raise Unsupported(f"a parity of the kind {str(kind)[:40]!r}")
        _, *claim = fields(data, "kind nu rate k0 tail bound a b")
        (nu, rate), (a, b) = map(exact_number, claim[:2]), map(rational, claim[5:])
        if rate != -nu - laws[0].sigma(nu):
            raise Refuted("the rate is not 1 - d - 2 nu, or -nu - d/2 for points outside")
        k0, tail = (integer(x, 1, 10**6) for x in claim[2:4])
        if not k0 <= tail <= k0 + 2000:
            raise Refuted("the tail does not begin soon after k0")
        laws[integer(claim[4], 0, len(laws) - 1)].verify_all(nu, tail, a, b)
        for k in range(k0 + (k0 - parity) % 2, tail, 2):
            found = enclosure(laws, k, laws[0].shift(nu, k))
            if found is None or not a <= found[0] <= found[1] <= b:
                raise Refuted(f"a k^p <= mu_k <= b k^p is not confirmed at k = {k}")
        rho = float(laws[0].log_r.scaled(-1).exp().interval()[0])
        law = "k^p" if kind == "algebraic" else f"({rho:.12g}...)^-k k^p"
        return k0, (a, b), f"a {law} <= mu_k <= b {law}, a = {claim[5]}, b = {claim[6]}, p = {rate}"

    def eigenvalues(self, claims: Mapping[int, Pair]) -> dict[int, Pair]:
        """Enclosures of mu_k, by the laws where these confirm the claim and by quadrature elsewhere."""
        laws = {k: enclosure(self.laws[k % 2], k, Ball(0)) for k in claims}
        out = {k: x for k, x in laws.items() if x and claims[k][0] <= x[0] <= x[1] <= claims[k][1]}
        rest = [k for k in claims if k not in out]
        if rest and rest[-1] > 120:
            raise Unsupported(f"so tight an enclosure of mu_{rest[-1]}")
        if rest:
            width = max(int(min(claims[k][1] - claims[k][0] for k in rest) * ONE), ONE >> 100)
            found = small_eigenvalues(self.inner, self.d, rest[-1], width >> 20)
            out.update((k, found[k].interval()) for k in rest)
        return out


NOTE = "not verified: the comment and how the kernel was made, on which no claim rests: it is the one written above"
Claim = tuple[int, Pair, str]  # k0, bounds of all mu_k, k >= k0, up to a positive factor, words


def _zero(data: object, nodes: Program, parity: int) -> Claim:
    start = integer(fields(data, "kind from")[1], 0, 10**6)
    degree = polynomial_degree(nodes, parity)
    if degree is None or start <= degree:
        raise Refuted(f"{PARITIES[parity]} mu_k are not proved to be 0 from k = {start} on")
    return start, ZERO, "mu_k = 0"


def _small(
    body: Object, kernel: Analytic | Exponentials | None, claims: list[Claim], known: dict[int, Pair]
) -> list[Pair]:
    """The intervals of mu_0, mu_1, ... without a gap up to where the claims about all later k begin, verified."""
    small: list[Pair] = []
    for k, item in enumerate(items(body["small"])):
        degree, low, high = fields(item, "k lower upper")
        if integer(degree, 0, 10**6) != k:
            raise Refuted(f"the small degrees have a gap at {k}")
        small.append((rational(low), rational(high)))
    if any(k >= len(small) for parity in (0, 1) for k in range(parity, claims[parity][0], 2)):
        raise Refuted("the small degrees do not reach up to k0")
    zeros = {
        k for k in range(len(small)) for start, ends, _ in [claims[k % 2]] if k >= start and not any(ends)
    }
    rest = {k: pair for k, pair in enumerate(small) if k not in zeros | known.keys()}
    if kernel is None and rest:
        raise Refuted(f"mu_{min(rest)} is not in the certificate of the part")
    found = dict.fromkeys(zeros, ZERO) | known | (kernel.eigenvalues(rest) if kernel else {})
    for k, (low, high) in enumerate(small):
        a, b = found[k]
        if not low <= a <= b <= high:
            raise Refuted(f"mu_{k} is about {float(a):.15g}, not proved to be where it is claimed to be")
    return small


def _definiteness(body: Object, nodes: Program, small: list[Pair], claims: list[Claim]) -> None:
    """positive_definite, strict and offending follow from the bounds for all k, or are null."""
    early = [small[k] for parity in (0, 1) for k in range(parity, claims[parity][0], 2)]
    later = [ends for _, ends, _ in claims]
    offending = body["offending"]
    if offending is not None:
        k = integer(offending, 0, 10**9)
        start, (_, high), _ = claims[k % 2]
        if not (k < len(small) and small[k][1] < 0) and not (k >= start and high < 0):
            raise Refuted(f"mu_{k} is not proved to be negative")
    positive = all(low >= 0 for low, _ in early) and all(
        low > 0 or not any((low, high)) for low, high in later
    )
    zero = not all(any(ends) for ends in later)
    for key, follows, denied in (
        ("positive_definite", positive, offending is not None),
        ("strict", positive and not zero, offending is not None or zero),
    ):
        claim = body[key]
        if not (claim is None or isinstance(claim, bool)):
            raise BadInput("expected true, false or null")
        if claim and not follows:
            follows = (full if key == "strict" else nonnegative)(Symbols().run(nodes))
        if claim is not None and not (follows if claim else denied):
            raise Refuted(f"{key} = {claim} does not follow")


def verify(text: str) -> list[str]:
    """What has been verified, line by line; raises on anything that has not."""
    return [*(f"verified: {line}" for line in _verified(checked(parsed(text)))[2]), NOTE]


def _verified(
    body: Object, whole: tuple[Program, int, int] | None = None
) -> tuple[list[Claim], list[Pair], list[str]]:
    """What has been verified of a kernel, or of its part of one parity in the same dimension."""
    if body["digest"] != digest(body):
        raise Refuted("the digest does not fit: the file has been changed")
    if body["reason"] != "":
        raise Refuted("the certificate itself says that it is not complete")
    parities = fields(body["parities"], " ".join(PARITIES))
    kinds = [law.get("kind") if isinstance(law, dict) else None for law in parities]
    halves = [name for name, kind in zip(PARITIES, kinds, strict=True) if kind == "part" and not whole]
    if further := [key for key in ["inner", *FURTHER.split()[halves != [] :]] if body.get(key, []) != []]:
        raise Unsupported(f"what a certificate says under {', '.join(further)}")
    nodes, d = program(fields(body["kernel"], "nodes", "making")[0]), integer(body["dimension"], 2, 1000)
    if whole and (d != whole[2] or not is_part(nodes, *whole[:2])):
        raise Refuted("a part that is not shown to be that of the kernel, in its dimension")
    kernel: Analytic | Exponentials | None = None
    if [body["place"], body["terms"], body["bounds"]] == [None, [], []]:
        kernel = Exponentials(nodes, d) if "exponential" in kinds else None
    elif "exponential" in kinds:
        raise Refuted("terms or bounds beside a sum of exponentials")
    else:
        kernel = Analytic(body, nodes, d)
    known: dict[int, Pair] = {}
    claims, lines = [], [f"the kernel is {written(nodes)}", *(kernel.summary if kernel else [])]
    for parity, (kind, data) in enumerate(zip(kinds, parities, strict=True)):
        if PARITIES[parity] in halves:
            fields(data, "kind")
            part = _verified(
                checked(fields(body.get("parts"), " ".join(halves))[halves.index(PARITIES[parity])]),
                (nodes, parity, d),
            )
            claims.append(part[0][parity])
            known |= {k: pair for k, pair in enumerate(part[1]) if k % 2 == parity}
            lines += [f"its {PARITIES[parity]} part: {line}" for line in part[2]]
        elif kind == "zero":
            claims.append(_zero(data, nodes, parity))
        elif kernel is None:
            raise Unsupported(f"a parity of the kind {str(kind)[:40]!r} without terms or bounds")
        else:
            claims.append(kernel.parity(data, parity))
    small = _small(body, kernel, claims, known)
    _definiteness(body, nodes, small, claims)
    lines += [
        *(f"d = {d}, all {PARITIES[i]} k >= {k}: {words}" for i, (k, _, words) in enumerate(claims)),
        f"mu_k for k = 0, ..., {len(small) - 1} one by one",
        f"positive definite: {body['positive_definite']}, strictly: {body['strict']}",
    ]
    return claims, small, lines


def main(arguments: list[str]) -> int:
    if not 1 <= len(arguments) <= 2 or not all(x.isdecimal() and len(x) < 9 for x in arguments[1:]):
        print("usage: python -m asymptok.checker certificate.json [seconds]", file=sys.stderr)
        return 2
    Clock.end = process_time() + int([*arguments, "60"][1])
    status, refusal = 1, "NOT VERIFIED: "
    try:
        with open(arguments[0], encoding="utf-8") as file:
            text = "\n".join(verify(file.read(10**7)))
        status = 0
    except OSError as error:
        print(f"bad input: {error}", file=sys.stderr)
        return 2
    except OutOfTime:
        text = refusal + "out of time; a number of seconds after the name of the file gives more"
    except (BadInput, Unsupported, Refuted, Retry) as error:
        text = refusal + "this program does not handle " * isinstance(error, Unsupported) + str(error)
    except (ArithmeticError, LookupError, TypeError, ValueError, MemoryError, RecursionError) as error:
        text = refusal + f"failed ({type(error).__name__})"
    finally:
        Clock.end = inf
    print(text.encode("ascii", "backslashreplace").decode())  # a file may hold any character
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
