"""python -m asymptok.checker FILE: exit 0 if every claim of the certificate is verified, 1 if not, 2 for bad input."""

from __future__ import annotations

import sys
from fractions import Fraction

from .balls import ONE, Ball, Retry
from .claims import Law
from .contour import Bound, Contour, Disc, Refuted
from .kernel import Kernel, Unsupported
from .parity import polynomial_degree
from .read import BadInput, Object, digest, fields, integer, items, load, rational
from .small import small_eigenvalues

__all__ = ["main", "verify"]

PARITIES = ("even", "odd")


def _kernel(body: Object) -> Kernel:
    data = fields(body["kernel"], "nodes root")
    nodes = [items(node) for node in items(data["nodes"])]
    for i, node in enumerate(nodes):
        if (
            not node
            or not isinstance(node[0], str)
            or any(
                isinstance(a, int) and a >= i
                for a in node[2:] + node[1:2]
                if node[0] != "kappa" or a is not node[1]
            )
        ):
            raise BadInput(f"node {i} is not built of earlier ones")
    return Kernel(nodes, integer(data["root"], 0, len(nodes) - 1))


def _contour(body: Object, kernel: Kernel) -> Contour:
    height = rational(fields(body["strip"], "height")["height"])
    if not Fraction(1, 16) <= height <= 8:
        raise BadInput("the height of the strip is not between 1/16 and 8")
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
        if not (0 <= centre < 64 and Fraction(1, 64) <= radius < 64 and low < covers < 64) or len(out) > 30:
            raise BadInput("the discs are out of order or out of range")
        out.append(Disc(kernel, end, q, (centre, radius), low, covers))
        low = covers
    if not out:
        raise BadInput("there are no discs")
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
        data = fields(item, "beta plus minus curve")
        bound = Bound(
            rational(data["beta"]), (rational(data["plus"]), rational(data["minus"])), rational(data["curve"])
        )
        if bound.beta <= 0 or min(*bound.slit, bound.curve) < 0:
            raise Refuted("a bound that is negative")
        out.append(bound)
    if not 1 <= len(out) <= 8:
        raise BadInput("one to eight bounds are due")
    return out


def _parity(data: object, contour: Contour, bounds: list[Bound], d: int, parity: int) -> tuple[int, int]:
    """Verify the claim for one parity; returns the k from which it speaks and the sign of all later mu_k."""
    kind = data.get("kind") if isinstance(data, dict) else None
    if kind == "zero":
        start = integer(fields(data, "kind from")["from"], 0, 10**6)
        try:
            degree = polynomial_degree(contour.kernel, parity)
        except ValueError as error:
            raise Refuted(f"{PARITIES[parity]} mu_k are not proved to be 0: {error}") from None
        if start <= degree:
            raise Refuted(f"{PARITIES[parity]} mu_k vanish above {degree} only")
        return start, 0
    if kind != "algebraic":
        raise Unsupported(f"a parity of the kind {str(kind)[:40]!r}")
    claim = fields(data, "kind nu rate k0 bound a b")
    nu, a, b = (rational(claim[key]) for key in ("nu", "a", "b"))
    if rational(claim["rate"]) != 1 - d - 2 * nu:
        raise Refuted("the rate is not 1 - d - 2 nu")
    k0 = integer(claim["k0"], 1, 10**6)
    bound = bounds[integer(claim["bound"], 0, len(bounds) - 1)]
    Law(contour, bound, d, parity).verify(nu, k0, a, b)
    return k0, 1 if a > 0 else -1 if b < 0 else 2


def _small(
    body: Object, contour: Contour, bounds: list[Bound], d: int, starts: list[tuple[int, int]]
) -> list[tuple[Fraction, Fraction]]:
    claims = []
    for k, item in enumerate(items(body["small"])):
        data = fields(item, "k lower upper")
        if integer(data["k"], 0, 10**6) != k:
            raise Refuted(f"the small degrees have a gap at {k}")
        claims.append((rational(data["lower"]), rational(data["upper"])))
    if any(len(claims) < start for start, _ in starts):
        raise Refuted("the small degrees do not reach up to k0")
    laws = [[Law(contour, bound, d, parity) for bound in bounds] for parity in (0, 1)]
    rest = []
    for k, (low, high) in enumerate(claims):
        start, sign = starts[k % 2]
        values = [law.enclosure(k, Ball(0)).interval() for law in laws[k % 2] if k > law.bound.beta]
        exact_zero = sign == 0 and k >= start and low <= 0 <= high
        if not exact_zero and not any(low <= a and b <= high for a, b in values):
            rest.append(k)
    if rest and rest[-1] > 120:
        raise Unsupported(f"so tight an enclosure of mu_{rest[-1]}")
    for k, mine in enumerate(small_eigenvalues(contour, d, rest[-1]) if rest else []):
        a, b = mine.interval()
        if k in rest and not claims[k][0] <= a <= b <= claims[k][1]:
            raise Refuted(
                f"mu_{k} is in [{float(a):.17g}, {float(b):.17g}], not proved to be where it is claimed"
            )
    return claims


def _definiteness(
    body: Object, d: int, small: list[tuple[Fraction, Fraction]], starts: list[tuple[int, int]]
) -> None:
    """positive_definite, strict and offending follow from the bounds for all k, or are null."""
    early = [small[k] for parity in (0, 1) for k in range(parity, starts[parity][0], 2)]
    signs = [sign for _, sign in starts]
    yes = all(low >= 0 for low, _ in early) and all(sign in (0, 1) for sign in signs)
    offending = body["offending"]
    if offending is not None:
        k = integer(offending, 0, 10**9)
        start, sign = starts[k % 2]
        if not (k < len(small) and small[k][1] < 0) and not (k >= start and sign == -1):
            raise Refuted(f"mu_{k} is not proved to be negative")
    for key, true, false in (
        ("positive_definite", yes, offending is not None),
        ("strict", yes and signs == [1, 1], offending is not None or 0 in signs),
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
    d = integer(body["dimension"], 2, 1000)
    kernel = _kernel(body)
    bounds = _bounds(body)
    contour = _contour(body, kernel)
    out = [f"analytic in the strip |Im theta| < {float(contour.height):g} and in the discs around both ends"]
    open_zeros = _terms(body, contour, max(bound.beta for bound in bounds))
    out.append(f"{len(items(body['terms']))} coefficients at the ends")
    contour.verify(bounds)
    out.append(f"{len(bounds)} bounds on the slits and on the curve")
    data = fields(body["parities"], "even odd")
    starts = [_parity(data[name], contour, bounds, d, parity) for parity, name in enumerate(PARITIES)]
    for name, (start, sign) in zip(PARITIES, starts, strict=True):
        out.append(f"{name} k >= {start}: {'mu_k = 0' if sign == 0 else 'a k^p <= mu_k <= b k^p'}, d = {d}")
    small = _small(body, contour, bounds, d, starts)
    out.append(f"k = 0 .. {len(small) - 1} one by one")
    _definiteness(body, d, small, starts)
    out.append(f"positive definite: {body['positive_definite']}, strictly: {body['strict']}")
    if open_zeros:
        out.append(f"not verified (and not used): that {open_zeros} coefficients below 10^-30 are exactly 0")
    out.append("not verified: the comment")
    return out


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
    print("\n".join(f"verified: {line}" if not line.startswith("not ") else line for line in lines))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
