"""What algebra shows: Taylor coefficients >= 0, and whether kappa(u) -+ kappa(-u) is a polynomial.

The latter in u, theta = acos u, sqrt(1-u) and sqrt(1+u), exactly.
"""

from __future__ import annotations

from fractions import Fraction

from . import exact
from .kernel import Kernel

__all__ = ["nonnegative", "polynomial_degree"]

# {(i, j, a, b): c} is the sum of c u^i theta^j sqrt(1-u)^a sqrt(1+u)^b, a and b in {0, 1}, c exact
Polynomial = dict[tuple[int, int, int, int], exact.Exact]
LIMIT = 400


def _sum(f: Polynomial, g: Polynomial) -> Polynomial:
    out = dict(f)
    for key, c in g.items():
        out[key] = exact.plus(out.get(key, {}), c) or {}
    return {key: c for key, c in out.items() if c}


def _product(f: Polynomial, g: Polynomial) -> Polynomial:
    out: Polynomial = {}
    for (i, j, a, b), p in f.items():
        for (k, m, x, y), q in g.items():
            part: Polynomial = {(i + k, j + m, (a + x) % 2, (b + y) % 2): exact.times(p, q) or {}}
            for sign, squared in ((-1, a + x == 2), (1, b + y == 2)):  # sqrt(1 -+ u)^2 = 1 -+ u
                if squared:
                    shifted = {
                        (n + 1, *rest): exact.times(c, exact.constant(sign)) or {}
                        for (n, *rest), c in part.items()
                    }
                    part = _sum(part, shifted)  # type: ignore[arg-type]
            out = _sum(out, part)
    if len(out) > LIMIT:
        raise ValueError("too many terms")
    return out


def _read(kernel: Kernel) -> Polynomial:
    values: list[Polynomial | None] = []
    one: Polynomial = {(0, 0, 0, 0): exact.constant(1)}
    sides = {_key({(0, 0, 0, 0): exact.constant(1), (1, 0, 0, 0): exact.constant(s)}): s for s in (1, -1)}
    for node in kernel.nodes:
        args = [values[i] for i in node.args]
        value: Polynomial | None = None
        if node.op == "u":
            value = {(1, 0, 0, 0): exact.constant(1)}
        elif node.op in ("num", "pi"):
            value = {(0, 0, 0, 0): exact.constant(1, 1) if node.op == "pi" else exact.constant(node.value)}
        elif node.op == "acos" and kernel.nodes[node.args[2]].op == "u":
            value = {(0, 1, 0, 0): exact.constant(1)}
        elif None not in args and node.op in ("add", "mul"):
            value = args[0]
            for other in args[1:]:
                assert value is not None and other is not None
                value = _sum(value, other) if node.op == "add" else _product(value, other)
        elif node.op == "power" and args[0] is not None:
            value = _power(args[0], node.value, sides, one)
        values.append({k: c for k, c in value.items() if c} if value is not None else None)
    root = values[kernel.root]
    if root is None:
        raise ValueError("not a polynomial in u, acos u, sqrt(1-u), sqrt(1+u)")
    return root


def _key(f: Polynomial) -> str:
    return repr(sorted((k, sorted(c.items())) for k, c in f.items()))


def _power(f: Polynomial, q: Fraction, sides: dict[str, int], one: Polynomial) -> Polynomial | None:
    if q.denominator == 2 and q > 0 and _key(f) in sides:
        sign = sides[_key(f)]
        root: Polynomial = {(0, 0, int(sign < 0), int(sign > 0)): exact.constant(1)}
        return _power(root, Fraction(q.numerator), sides, one)
    if q.denominator == 1 and 0 <= q <= 40:
        out = one
        for _ in range(int(q)):
            out = _product(out, f)
        return out
    if set(f) == {(0, 0, 0, 0)}:
        c = exact.monomial(f[0, 0, 0, 0], q)
        return None if c is None else {(0, 0, 0, 0): c}
    return None


def _mirror(f: Polynomial) -> Polynomial:
    """f(-u): theta becomes pi - theta and the two roots change places."""
    out: Polynomial = {}
    for (i, j, a, b), c in f.items():
        part: Polynomial = {(i, 0, b, a): exact.times(c, exact.constant((-1) ** i)) or {}}
        for _ in range(j):
            part = _product(part, {(0, 0, 0, 0): exact.constant(1, 1), (0, 1, 0, 0): exact.constant(-1)})
        out = _sum(out, part)
    return out


def polynomial_degree(kernel: Kernel, parity: int) -> int:
    """The degree of the part of the given parity, if that is a polynomial (-1 if it vanishes)."""
    f = _read(kernel)
    sign = exact.constant(1 if parity == 0 else -1)
    part = _sum(f, {key: exact.times(c, sign) or {} for key, c in _mirror(f).items()})
    if any(key[1:] != (0, 0, 0) for key in part):
        raise ValueError("that part is no polynomial")
    return max((key[0] for key in part), default=-1)


def nonnegative(kernel: Kernel) -> bool:
    """Whether all Taylor coefficients at 0 are shown to be >= 0; then every mu_k is, in every dimension.

    signs[i]: +1 or -1 if all coefficients beyond the first of node i are >= 0 or <= 0, 2 for a constant; first[i]: the
    constant term, where it is rational.
    """
    signs: list[int] = []
    first: list[Fraction | None] = []
    for node in kernel.nodes:
        inner = [signs[i] for i in node.args]
        values = [first[i] for i in node.args]
        sign, value = 0, None
        if node.op == "u":
            sign, value = 1, Fraction(0)
        elif node.op == "num":
            sign, value = 2, node.value
        elif node.op == "add" and None not in values:
            kinds = set(inner) - {2}
            sign = 2 if not kinds else kinds.pop() if len(kinds) == 1 else 0
            value = sum((v for v in values if v is not None), Fraction(0))
        elif node.op == "mul" and None not in values:
            scale = Fraction(1)
            rest: list[tuple[int, Fraction]] = []
            for s, v in zip(inner, values, strict=True):
                scale, rest = (scale * (v or 0), rest) if s == 2 else (scale, [*rest, (s, v or Fraction(0))])
            value = scale
            for _, v in rest:
                value *= v
            one_sign = len(rest) == 1 or all(s == 1 and v >= 0 for s, v in rest)
            flip = 1 if scale >= 0 else -1
            sign = 2 if not rest else rest[0][0] * flip if one_sign else 0
        elif node.op == "exp" and inner[-1] == 1 and node is kernel.nodes[kernel.root]:
            return True  # e^c e^(the rest), c real
        elif node.op == "power" and values[0] is not None and inner[0] == 1 and values[0] >= 0:
            sign = 1 if node.value.denominator == 1 and node.value > 0 else 0
            value = values[0] ** int(node.value) if sign else None
        elif (
            node.op == "power"
            and values[0] is not None
            and inner[0] == -1
            and values[0] > 0
            and node.value < 0
        ):
            return node is kernel.nodes[kernel.root]  # (c - g)^-q, c > 0
        signs.append(sign)
        first.append(value)
    last = first[kernel.root]
    return signs[kernel.root] == 1 and last is not None and last >= 0
