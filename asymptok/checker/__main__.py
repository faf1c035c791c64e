"""python -m asymptok.checker FILE: exit 0 if every claim of the certificate is verified, 1 if not, 2 for bad input."""

from __future__ import annotations

import sys
from fractions import Fraction

from .balls import HALF, ONE, Ball, Retry
from .contour import Bound, Contour, Refuted
from .ends import Key
from .exact import Number, Unsupported, ball, enclosed, multiplied, raised
from .exponentials import Exponentials
from .kernel import Program, Symbols, constant, program, written
from .laws import Law, Outer, enclosure
from .low_degrees import small_eigenvalues
from .read import FURTHER, BadInput, Object, digest, fields, integer, items, load, rational
from .symbols import full, is_entire, nonnegative, polynomial_degree

PARITIES = ("even", "odd")
ANALYTIC = Fraction(-1)  # beta of a bound without terms
NO_SLIT, LARGE = (Fraction(0), Fraction(0)), Fraction(10**30)
TINY = ONE >> 100  # what may be an exact zero
NOTE = "the comment and how the kernel was made, on which no claim rests: it is the one written above"
OPEN = 2  # the sign of later mu_k that is not known
Pair = tuple[Fraction, Fraction]


def _exponent(value: object) -> Number:
    """A rational number, or a program for an exact one."""
    return constant(program(*fields(value, "nodes"))) if isinstance(value, dict) else rational(value)


def _bounds(body: Object) -> list[Bound]:
    out = []
    for item in items(body["bounds"]):
        exponent, *rest = fields(item, "beta plus minus curve height")
        plus, minus, curve, height = map(rational, rest)
        beta = ANALYTIC if exponent is None else _exponent(exponent)
        if min(plus, minus, curve) < 0 or (exponent is None and (plus or minus)):
            raise Refuted("a bound that is negative, or one that lacks its beta")
        if not (Fraction(1, 64) <= height <= 64 and (exponent is None or -1 < beta < 40)):
            raise BadInput("a height outside of [1/64, 64], or a beta outside of (-1, 40)")
        out.append(Bound(beta, (plus, minus), curve, height))
    if not 1 <= len(out) <= 20:
        raise BadInput("one to twenty bounds are due")
    return out


def _sinh(x: Fraction) -> Ball:
    return (ball(x).exp() - ball(-x).exp()).scaled(HALF)


def _outside(nodes: Program, b: Number, bounds: list[Bound]) -> tuple[Contour, list[Bound]]:
    """The contour of kappa(bv) around -1 <= v <= 1, and the bounds that the laws may use.

    Without beta the kernel has to be a finite sum of powers of b-u or of b+u. Otherwise B_+- and G are b^-beta and b
    times those of the contour, whose curve of height g encloses the ellipse of height h if b sinh g >= sinh h.
    """
    if not b > 1:
        raise Refuted("a place that is not shown to lie beyond u = 1")
    if all(bound.beta == ANALYTIC and not bound.curve for bound in bounds):
        contour = Contour(nodes, [Bound(Fraction(4), NO_SLIT, LARGE, Fraction(1, 8))], b)
        if all(end.rest for end in contour.ends):
            raise Unsupported("terms at points outside of [-1, 1] that are not all of the kernel")
        return contour, [bound._replace(beta=LARGE) for bound in bounds]
    inner = []
    for bound in bounds:
        if bound.beta == ANALYTIC:
            raise Unsupported("an ellipse beyond singular points")
        scale = (ball(b).log() * ball(bound.beta)).exp()
        plus, minus = (max((ball(x) * scale).interval()[0], Fraction(0)) for x in bound.slit)
        height = Fraction(1, 64)
        while not (_sinh(height) * ball(b) - _sinh(bound.height)).interval()[0] >= 0:
            height += Fraction(1, 64)
        curve = (ball(bound.curve) * ball(b).inverse()).interval()[0]
        inner.append(Bound(bound.beta, (plus, minus), max(curve, Fraction(0)), height))
    return Contour(nodes, inner, b), bounds


def _terms(body: Object, contour: Contour) -> int:
    """Every listed coefficient encloses mine; returns how many exact zeros are claimed but only supported."""
    listed: set[tuple[int, Key]] = set()
    open_zeros = 0
    for item in items(body["terms"]):
        place, exponent, log, coefficient = fields(item, "end exponent log coefficient")
        end = {1: 0, -1: 1}.get(integer(place, -1, 1))
        key = _exponent(exponent), integer(log, 0, 9)
        if end is None or (end, key) in listed:
            raise Refuted("a term at no end, or listed twice")
        listed.add((end, key))
        low, high = map(rational, items(coefficient, 2))
        if key[0] >= contour.ends[end].order:
            raise Unsupported("a term so far from the leading one")
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


def _parity(data: object, nodes: Program, laws: list[Law], d: int, parity: int) -> tuple[int, int, str]:
    """Verify the claim for one parity; returns the k from which it speaks, the sign of all later mu_k, and words."""
    kind = data.get("kind") if isinstance(data, dict) else None
    if kind == "zero":
        start = integer(fields(data, "kind from")[1], 0, 10**6)
        degree = polynomial_degree(nodes, parity)
        if degree is None or start <= degree:
            raise Refuted(f"{PARITIES[parity]} mu_k are not proved to be 0 from k = {start} on")
        return start, 0, "mu_k = 0"
    if kind in ("bounded", "entire"):
        if kind == "entire" and not is_entire(nodes):
            raise Unsupported("an entire function that is not built of sums, products, powers and exp")
        if integer(fields(data, "kind k0")[1], 0, 0) or all(law.bound.beta != ANALYTIC for law in laws):
            raise Refuted("there is no bound without terms")
        every = " for every h > 0, G = M(cosh h) cosh(h), |kappa(z)| <= M(|z|)" if kind == "entire" else ""
        return 0, OPEN, f"|mu_k| <= G S A_k e^(-(k+1)h){every}"
    if kind != laws[0].kind:
        raise Unsupported(f"a parity of the kind {str(kind)[:40]!r}")
    if isinstance(data, dict) and "log_power" in data:
        raise Unsupported("a law with a power of log k")
    _, *claim = fields(data, "kind nu rate k0 tail bound a b")
    (nu, rate), (a, b) = map(_exponent, claim[:2]), map(rational, claim[5:])
    if rate != laws[0].rate(nu):
        raise Refuted("the rate is not 1 - d - 2 nu, or -nu - d/2 for points outside")
    k0, tail = (integer(x, 1, 10**6) for x in claim[2:4])
    if not k0 <= tail <= k0 + 2000:
        raise Refuted("the tail does not begin soon after k0")
    laws[integer(claim[4], 0, len(laws) - 1)].verify_all(nu, tail, a, b)
    for k in range(k0 + (k0 - parity) % 2, tail, 2):
        found = enclosure(laws, k, ball(k).log() * ball(rate) - laws[0].rho.log().scaled(k))
        if found is None or not a <= found[0] <= found[1] <= b:
            raise Refuted(f"a k^p <= mu_k <= b k^p is not confirmed at k = {k}")
    law = "k^p" if kind == "algebraic" else f"({float(laws[0].rho.interval()[0]):.12g}...)^-k k^p"
    words = f"a {law} <= mu_k <= b {law}, a = {claim[5]}, b = {claim[6]}, p = {rate}"
    return k0, 1 if a > 0 else -1 if b < 0 else OPEN, words


def _listed(body: Object) -> list[Pair]:
    """The intervals of mu_0, mu_1, ... without a gap."""
    claims: list[Pair] = []
    for k, item in enumerate(items(body["small"])):
        degree, low, high = fields(item, "k lower upper")
        if integer(degree, 0, 10**6) != k:
            raise Refuted(f"the small degrees have a gap at {k}")
        claims.append((rational(low), rational(high)))
    return claims


def _small(
    body: Object, contour: Contour, laws: list[list[Law]], starts: list[tuple[int, int]]
) -> list[Pair]:
    """Enclosures of mu_0, mu_1, ... without a gap up to where the claims about all later k begin."""
    claims = _listed(body)
    if any(k >= len(claims) for parity in (0, 1) for k in range(parity, starts[parity][0], 2)):
        raise Refuted("the small degrees do not reach up to k0")
    rest = []
    for k, (below, above) in enumerate(claims):
        start, sign = starts[k % 2]
        zero = sign == 0 and k >= start
        found = (Fraction(0), Fraction(0)) if zero else enclosure(laws[k % 2], k, Ball(0))
        if found is None or not below <= found[0] <= found[1] <= above:
            rest.append(k)
    if not rest:
        return claims
    if rest[-1] > 120:
        raise Unsupported(f"so tight an enclosure of mu_{rest[-1]}")
    width = max(int(min(claims[k][1] - claims[k][0] for k in rest) * ONE), ONE >> 100)
    mine = small_eigenvalues(contour, laws[0][0].d, rest[-1], width >> 20)
    for k in rest:
        a, b = mine[k].interval()
        if not claims[k][0] <= a <= b <= claims[k][1]:
            raise Refuted(f"mu_{k} is about {float(a):.15g}, not proved to be where it is claimed to be")
    return claims


def _definiteness(body: Object, nodes: Program, small: list[Pair], starts: list[tuple[int, int]]) -> None:
    """positive_definite, strict and offending follow from the bounds for all k, or are null."""
    early = [small[k] for parity in (0, 1) for k in range(parity, starts[parity][0], 2)]
    signs = [sign for _, sign in starts]
    offending = body["offending"]
    if offending is not None:
        k = integer(offending, 0, 10**9)
        start, sign = starts[k % 2]
        if not (k < len(small) and small[k][1] < 0) and not (k >= start and sign == -1):
            raise Refuted(f"mu_{k} is not proved to be negative")
    laws = all(low >= 0 for low, _ in early) and OPEN not in signs and -1 not in signs
    for key, follows, denied in (
        ("positive_definite", laws, offending is not None),
        ("strict", laws and signs == [1, 1], offending is not None or 0 in signs),
    ):
        claim = body[key]
        if claim not in (None, True, False) or (isinstance(claim, int) and not isinstance(claim, bool)):
            raise BadInput("true, false or null is due")
        if claim is True and not follows:
            follows = (full if key == "strict" else nonnegative)(Symbols().run(nodes))
        if claim is not None and not (follows if claim else denied):
            raise Refuted(f"{key} = {claim} does not follow")


def _by_exponentials(body: Object) -> list[str]:
    """The claims of an entire kernel that is a sum of exponentials."""
    if body["place"] is not None or body["terms"] or body["bounds"] or body["inner"]:
        raise Refuted("terms or bounds beside a sum of exponentials")
    nodes, d = program(fields(body["kernel"], "nodes", "making")[0]), integer(body["dimension"], 2, 1000)
    kernel, found = Exponentials(nodes, d), []
    for parity, data in enumerate(fields(body["parities"], " ".join(PARITIES))):
        zero = isinstance(data, dict) and data.get("kind") == "zero"
        found.append(_parity(data, nodes, [], d, parity) if zero else kernel.parity(data, parity))
    starts, small = [(start, sign) for start, sign, _ in found], _listed(body)
    if any(k >= len(small) for parity in (0, 1) for k in range(parity, starts[parity][0], 2)):
        raise Refuted("the small degrees do not reach up to k0")
    for k, (below, above) in enumerate(small):
        start, sign = starts[k % 2]
        a, b = (Fraction(0), Fraction(0)) if sign == 0 and k >= start else kernel.eigenvalue(k)
        if not below <= a <= b <= above:
            raise Refuted(f"mu_{k} is about {float(a):.15g}, not proved to be where it is claimed to be")
    _definiteness(body, nodes, small, starts)
    lines = [
        f"the kernel {written(nodes)} is a sum of {len(kernel.terms)} terms p u^e exp(cu + x)",
        *(f"d = {d}, all {name} k >= {k}: {w}" for name, (k, _, w) in zip(PARITIES, found, strict=True)),
        f"mu_k for k = 0, ..., {len(small) - 1} one by one",
        f"positive definite: {body['positive_definite']}, strictly: {body['strict']}",
    ]
    return [f"verified: {line}" for line in lines] + [f"not verified: {NOTE}"]


def verify(text: str) -> list[str]:
    """What has been verified, line by line; raises on anything that has not."""
    body = load(text)
    if body["digest"] != digest(body):
        raise Refuted("the digest does not fit: the file has been changed")
    if body["reason"] != "":
        raise Refuted("the certificate itself says that it is not complete")
    if "parts" in body:
        raise Unsupported("the even and the odd part of a kernel apart")
    if "derivatives" in body:
        raise Unsupported("bounds by derivatives at u = 1 of a power series with coefficients >= 0")
    for law in fields(body["parities"], " ".join(PARITIES)):
        if isinstance(law, dict) and law.get("kind") == "exponential":
            return _by_exponentials(body)
        if isinstance(law, dict) and law.get("kind") in ("stretched", "flat"):
            raise Unsupported(f"a parity of the kind {law['kind']!r}")
    if body["inner"] != [] or any(key in body for key in FURTHER.split()):
        raise Unsupported("terms at points inside (-1, 1) or at complex points")
    nodes = program(fields(body["kernel"], "nodes", "making")[0])
    d = integer(body["dimension"], 2, 1000)
    place = None if body["place"] is None else _exponent(body["place"])
    kind, bounds = Law if place is None else Outer, _bounds(body)
    if place is None:
        contour = inner = Contour(nodes, bounds)
    else:
        contour = inner = Contour(nodes, [Bound(ANALYTIC, NO_SLIT, LARGE, Fraction(1, 64))])
    if place is not None:
        contour, bounds = _outside(nodes, place, bounds)
    open_zeros = _terms(body, contour)
    laws = [[kind(contour, bound, d, parity) for bound in bounds] for parity in (0, 1)]
    parities = enumerate(fields(body["parities"], " ".join(PARITIES)))
    found = [_parity(data, nodes, laws[parity], d, parity) for parity, data in parities]
    starts = [(start, sign) for start, sign, _ in found]
    small = _small(body, inner, laws, starts)
    _definiteness(body, nodes, small, starts)
    b = contour.scale
    out = [
        f"the kernel {written(nodes)} is analytic in |Im theta| < {max(x.height for x in contour.bounds)},"
        f" u = {'' if b == 1 else b}cos(theta), but for slits beyond u = {b} and u = -{b}",
        f"{len(items(body['terms']))} coefficients of its expansions at u = {b} and u = -{b}",
        f"{len(bounds)} bounds of what is left on the slits and on the curve",
        *(
            f"d = {d}, all {name} k >= {k}: {words}"
            for name, (k, _, words) in zip(PARITIES, found, strict=True)
        ),
        f"mu_k for k = 0, ..., {len(small) - 1} one by one",
        f"positive definite: {body['positive_definite']}, strictly: {body['strict']}",
    ]
    notes = [NOTE]
    if open_zeros:
        notes.append(f"that {open_zeros} coefficients below 10^-30 are exactly 0 (no claim rests on it)")
    return [f"verified: {line}" for line in out] + [f"not verified: {line}" for line in notes]


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("usage: python -m asymptok.checker certificate.json", file=sys.stderr)
        return 2
    try:
        with open(arguments[0], encoding="utf-8") as file:
            lines = verify(file.read(10**7))
    except (BadInput, OSError, UnicodeDecodeError) as error:
        print(f"bad input: {error}", file=sys.stderr)
        return 2
    except (ArithmeticError, LookupError, TypeError, ValueError, MemoryError, RecursionError) as error:
        does_not = "this program does not handle " if isinstance(error, Unsupported) else ""
        known = isinstance(error, Unsupported | Refuted | Retry)
        print(
            f"NOT VERIFIED: {does_not}{error}" if known else f"NOT VERIFIED: failed ({type(error).__name__})"
        )
        return 1
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
