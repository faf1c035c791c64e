"""python -m asymptok.checker FILE: exit 0 if every claim of the certificate is verified, 1 if not, 2 for bad input."""

from __future__ import annotations

import sys
from fractions import Fraction

from .balls import ONE, Ball, Retry, number
from .claims import Law, enclosure
from .contour import Bound, Contour, Disc, Refuted
from .kernel import Kernel, Unsupported
from .parity import nonnegative, polynomial_degree
from .read import BadInput, Object, digest, fields, integer, items, load, rational
from .small import small_eigenvalues

__all__ = ["main", "verify"]

PARITIES = ("even", "odd")
ANALYTIC = Fraction(-1)  # beta of a bound without terms
Pair = tuple[Fraction, Fraction]


def _kernel(body: Object) -> Kernel:
    nodes = [items(node) for node in items(fields(body["kernel"], "nodes")["nodes"])]
    for i, node in enumerate(nodes):
        arguments = node[2:] if node[:1] == ["kappa"] else node[1:]
        if any(not isinstance(a, str) and not 0 <= integer(a, 0, i) < i for a in arguments):
            raise BadInput(f"node {i} is not built of earlier ones")
        if node[:1] in (["num"], ["pow"]):
            rational(node[-1])
    if not nodes:
        raise BadInput("there is no kernel")
    return Kernel(nodes)


def _contour(body: Object, kernel: Kernel, height: Fraction) -> Contour:
    ends = fields(body["ends"], "+1 -1")
    plus, minus = (
        _discs(fields(ends[name], "grid discs"), kernel, end) for end, name in enumerate(("+1", "-1"))
    )
    return Contour(kernel, height, (plus, minus))


def _discs(data: Object, kernel: Kernel, end: int) -> list[Disc]:
    q, low = integer(data["grid"], 1, 64), Fraction(0)
    out: list[Disc] = []
    if q % kernel.grid(end):
        raise Refuted(f"the kernel is no series in t^(1/{q}) at u = {1 - 2 * end}")
    for item in items(data["discs"]):
        numbers = fields(item, "centre radius covers")
        centre, radius, covers = (rational(numbers[key]) for key in ("centre", "radius", "covers"))
        if not (0 <= centre < 64 and Fraction(1, 1024) <= radius < 64 and low < covers < 64) or len(out) > 60:
            raise BadInput("the discs are out of order or out of range")
        out.append(Disc(kernel, end, q, (centre, radius), low, covers))
        low = covers
    return out


def _terms(body: Object, contour: Contour, top: Fraction) -> int:
    """Every listed coefficient encloses mine; returns how many exact zeros are claimed but only supported."""
    listed, open_zeros = set(), 0
    for item in items(body["terms"]):
        data = fields(item, "end exponent log coefficient")
        end = {1: 0, -1: 1}.get(integer(data["end"], -1, 1))
        exponent = rational(data["exponent"])
        if (
            end is None
            or integer(data["log"], 0, 9)
            or exponent.denominator == 1
            or (end, exponent) in listed
        ):
            raise Unsupported("a term with a logarithm, an integer exponent, or listed twice")
        listed.add((end, exponent))
        low, high = (rational(x) for x in items(data["coefficient"], 2))
        mine = contour.coefficient(end, exponent)
        inside = low <= mine.interval()[0] and mine.interval()[1] <= high
        if low == high == 0 and not inside and mine.mag() < ONE >> 100:
            open_zeros += 1
        elif not inside:
            raise Refuted(f"the coefficient of t^{exponent} at u = {1 - 2 * end}")
    missing = [(end, e) for end in (0, 1) for e in contour.exponents(end, top) if (end, e) not in listed]
    if missing:
        raise Refuted(f"a term t^{missing[0][1]} is not listed")
    return open_zeros


def _bounds(body: Object) -> list[Bound]:
    out = []
    for item in items(body["bounds"]):
        data = fields(item, "beta plus minus curve height")
        plus, minus, curve, height = (rational(data[key]) for key in ("plus", "minus", "curve", "height"))
        beta = ANALYTIC if data["beta"] is None else rational(data["beta"])
        if min(plus, minus, curve) < 0 or (beta <= 0 and (data["beta"] is not None or plus or minus)):
            raise Refuted("a bound that is negative, or one that lacks its beta")
        if not Fraction(1, 64) <= height <= 8:
            raise BadInput("the height of the strip is not between 1/64 and 8")
        out.append(Bound(beta, (plus, minus), curve, height))
    if not 1 <= len(out) <= 20:
        raise BadInput("one to twenty bounds are due")
    return out


def _parity(data: object, kernel: Kernel, laws: list[Law], d: int, parity: int) -> tuple[int, int]:
    """Verify the claim for one parity; returns the k from which it speaks and the sign of all later mu_k, 2 if open."""
    kind = data.get("kind") if isinstance(data, dict) else None
    if kind == "zero":
        start = integer(fields(data, "kind from")["from"], 0, 10**6)
        try:
            degree = polynomial_degree(kernel, parity)
        except ValueError as error:
            raise Refuted(f"{PARITIES[parity]} mu_k are not proved to be 0: {error}") from None
        if start <= degree:
            raise Refuted(f"{PARITIES[parity]} mu_k vanish above {degree} only")
        return start, 0
    if kind == "bounded":
        if integer(fields(data, "kind k0")["k0"], 0, 0) or all(law.bound.beta != ANALYTIC for law in laws):
            raise Refuted("there is no bound without terms")
        return 0, 2
    if kind != "algebraic":
        raise Unsupported(f"a parity of the kind {str(kind)[:40]!r}")
    claim = fields(data, "kind nu rate k0 tail bound a b")
    nu, a, b = (rational(claim[key]) for key in ("nu", "a", "b"))
    if rational(claim["rate"]) != 1 - d - 2 * nu:
        raise Refuted("the rate is not 1 - d - 2 nu")
    k0, tail = integer(claim["k0"], 1, 10**6), integer(claim["tail"], 1, 10**6)
    if not k0 <= tail <= k0 + 2000:
        raise Refuted("the tail does not begin soon after k0")
    laws[integer(claim["bound"], 0, len(laws) - 1)].verify_all(nu, tail, a, b)
    for k in range(k0 + (k0 - parity) % 2, tail, 2):
        low, high = enclosure(laws, k, number(k).log().scaled(1 - d - 2 * nu))
        if not a <= low <= high <= b:
            raise Refuted(f"a k^p <= mu_k <= b k^p is not confirmed at k = {k}")
    return k0, 1 if a > 0 else -1 if b < 0 else 2


def _small(
    body: Object, contour: Contour, laws: list[list[Law]], starts: list[tuple[int, int]]
) -> list[Pair]:
    claims: list[Pair] = []
    for k, item in enumerate(items(body["small"])):
        data = fields(item, "k lower upper")
        if integer(data["k"], 0, 10**6) != k:
            raise Refuted(f"the small degrees have a gap at {k}")
        claims.append((rational(data["lower"]), rational(data["upper"])))
    if any(k >= len(claims) for parity in (0, 1) for k in range(parity, starts[parity][0], 2)):
        raise Refuted("the small degrees do not reach up to k0")
    rest = []
    for k, (low, high) in enumerate(claims):
        start, sign = starts[k % 2]
        a, b = (Fraction(0),) * 2 if sign == 0 and k >= start else enclosure(laws[k % 2], k, Ball(0))
        if not low <= a <= b <= high:
            rest.append(k)
    if rest and rest[-1] > 120:
        raise Unsupported(f"so tight an enclosure of mu_{rest[-1]}")
    for k, mine in enumerate(small_eigenvalues(contour, laws[0][0].d, rest[-1]) if rest else []):
        a, b = mine.interval()
        if k in rest and not claims[k][0] <= a <= b <= claims[k][1]:
            raise Refuted(f"mu_{k} is about {float(a):.15g}, not proved to be where it is claimed to be")
    return claims


def _definiteness(body: Object, kernel: Kernel, small: list[Pair], starts: list[tuple[int, int]]) -> None:
    """positive_definite, strict and offending follow from the bounds for all k, or are null."""
    early = [small[k] for parity in (0, 1) for k in range(parity, starts[parity][0], 2)]
    signs = [sign for _, sign in starts]
    laws = all(low >= 0 for low, _ in early) and all(sign in (0, 1) for sign in signs)
    yes = laws or nonnegative(kernel)
    offending = body["offending"]
    if offending is not None:
        k = integer(offending, 0, 10**9)
        start, sign = starts[k % 2]
        if not (k < len(small) and small[k][1] < 0) and not (k >= start and sign == -1):
            raise Refuted(f"mu_{k} is not proved to be negative")
    for key, true, false in (
        ("positive_definite", yes, offending is not None),
        ("strict", laws and signs == [1, 1], offending is not None or 0 in signs),
    ):
        if body[key] is not None and not isinstance(body[key], bool):
            raise BadInput(f"{key} must be true, false or null")
        if (body[key] is True and not true) or (body[key] is False and not false):
            raise Refuted(f"{key} = {body[key]} does not follow")


def verify(text: str) -> list[str]:
    """What has been verified, line by line; raises on anything that has not."""
    body = load(text)
    if body["digest"] != digest(body):
        raise Refuted("the digest does not fit: the file has been changed")
    if body["reason"] != "":
        raise Refuted("the certificate itself says that it is not complete")
    if body["place"] is not None or body["inner"] != []:
        raise Unsupported("terms at points inside (-1, 1) or outside of [-1, 1]")
    d, bounds, kernel = integer(body["dimension"], 2, 1000), _bounds(body), _kernel(body)
    height = max(bound.height for bound in bounds)
    contour = _contour(body, kernel, height)
    out = [f"analytic in the strip |Im theta| < {float(height):g}, and at the ends as the discs say"]
    open_zeros = _terms(body, contour, max(bound.beta for bound in bounds))
    out.append(f"{len(items(body['terms']))} coefficients at the ends")
    contour.verify(bounds)
    out.append(f"{len(bounds)} bounds on the slits and on the curve")
    laws = [[Law(contour, bound, d, parity) for bound in bounds] for parity in (0, 1)]
    data = fields(body["parities"], "even odd")
    starts = [_parity(data[name], kernel, laws[parity], d, parity) for parity, name in enumerate(PARITIES)]
    for name, (start, sign) in zip(PARITIES, starts, strict=True):
        law = "a k^p <= mu_k <= b k^p" if body["terms"] else "|mu_k| <= G S A_k e^(-(k+1)h)"
        out.append(f"d = {d}, all {name} k >= {start}: {'mu_k = 0' if sign == 0 else law}")
    small = _small(body, contour, laws, starts)
    out.append(f"k = 0, ..., {len(small) - 1} one by one")
    _definiteness(body, kernel, small, starts)
    out.append(f"positive definite: {body['positive_definite']}, strictly: {body['strict']}")
    notes = ["not verified: the comment"]
    if open_zeros:
        text = f"not verified (and not used): that {open_zeros} coefficients below 10^-30 are exactly 0"
        notes.insert(0, text)
    return [f"verified: {line}" for line in out] + notes


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("usage: python -m asymptok.checker certificate.json", file=sys.stderr)
        return 2
    try:
        with open(arguments[0], encoding="utf-8") as file:
            text = file.read(10**7)
        lines = verify(text)
    except (BadInput, OSError, UnicodeDecodeError) as error:
        print(f"bad input: {error}", file=sys.stderr)
        return 2
    except (Refuted, Retry) as error:
        print(f"NOT VERIFIED: {error}")
        return 1
    except Unsupported as error:
        print(f"NOT VERIFIED: this program does not handle {error}")
        return 1
    except (ArithmeticError, LookupError, TypeError, ValueError, MemoryError, RecursionError) as error:
        print(f"NOT VERIFIED: the program failed on this file ({type(error).__name__})")
        return 1
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
