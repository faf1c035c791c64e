"""A change of form as data, before -> after, and the proof of each change by other means than the rule that made it.

A function is told from its inverse: asin y is the z in (-pi/2, pi/2) with sin z = y, and a root is the z >= 0 with
z^q = y^p. A choice is proved by a sign on the whole interval, everything else by the normal forms of `identical`; what
disappears on the way must have been defined, isolated points left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy
from flint import arb
from sympy import Abs, Add, Expr, Mul, Rational, S, hyper, oo

from asymptok import dag
from asymptok.constants import decide
from asymptok.errors import SYMPY_ERRORS, AsymptokError
from asymptok.functions import record_of
from asymptok.regularity.cells import CellTest, Parameters
from asymptok.regularity.choices import Signs
from asymptok.regularity.domains import NONZERO, POSITIVE, requirements
from asymptok.regularity.enclosure import Enclosure
from asymptok.regularity.identities import identical
from asymptok.regularity.ranges import CLOSED, OPEN, by_ranges
from asymptok.symbols import u
from asymptok.truth import Sign, Truth

#: bits of the cells, and the narrowest of them
_BITS = 192
_NARROWEST = Rational(1, 2**9)


@dataclass(frozen=True, slots=True)
class Step:
    """One identity on (-1, 1), isolated points left out."""

    before: Expr
    after: Expr

    def __str__(self) -> str:
        return f"{self.before} = {self.after}"


@dataclass(frozen=True, slots=True)
class Rewriting:
    """An expression with subexpressions replaced by the steps, from the inside outwards."""

    before: Expr
    after: Expr
    steps: tuple[Step, ...]


def follows(rewriting: Rewriting) -> bool:
    """Whether the steps, taken as given, lead from one expression to the other.

    >>> x = sympy.asin(sympy.sin(u/2))
    >>> follows(Rewriting(x + 1, u/2 + 1, (Step(x, u/2),))), follows(Rewriting(x + 1, u/2, (Step(x, u/2),)))
    (True, False)
    """
    known = {step.before: step.after for step in rewriting.steps}
    new: dict[Expr, Expr] = {}
    for node in dag.postorder(rewriting.before):
        if node in known:
            new[node] = known[node]
            continue
        args = [new[a] for a in node.args]
        same = all(a is b for a, b in zip(args, node.args, strict=True))
        rebuilt = node if same else node.func(*args)
        new[node] = known.get(rebuilt, rebuilt)
    return bool(new[rewriting.before] == rewriting.after)


def holds(step: Step, parameters: Parameters) -> bool:
    """Whether the identity is proved; False says only that it is not.

    >>> holds(Step(sympy.asin(sympy.sin(u/2)), u/2), {}), holds(Step(sympy.asin(sympy.sin(3*u)), 3*u), {})
    (True, False)
    """
    before, after = step.before, step.after
    if before == after:
        return True
    check = _Check(parameters)
    if check.inverse(before, after):
        return True
    if before.is_Pow and before.func is not sympy.exp and check.root(before, after):
        return True
    if before.func in (Abs, sympy.sign, sympy.Heaviside, sympy.Max, sympy.Min) and check.choice(
        before, after
    ):
        return True
    if (
        _is_entire_form(before, after)
        or _is_multiple_angle(before, after)
        or check.derivatives(before, after)
    ):
        return True
    return any(identical(a, b) for a, b in _forms(before, after)) and check.drops_nothing(before, after)


class _Check:
    def __init__(self, parameters: Parameters) -> None:
        self.parameters = parameters
        self.signs = Signs(parameters)

    def sign(self, x: Expr, closed: bool = False) -> Sign:
        """The sign on the whole interval: by cells that are halved where they must be, or by ranges with open ends."""
        found = Enclosure(CLOSED if closed else OPEN, self.parameters).range(x)
        if found.nonzero():
            return Sign.POSITIVE if found.positive() else Sign.NEGATIVE
        test, sign = CellTest(x, self.parameters), Sign.UNKNOWN
        waiting = [(Rational(-1), Rational(1))]
        while waiting:
            a, b = waiting.pop()
            value = test.value(x, a, b, _BITS)
            here = Sign.shown(value > 0, value < 0) if isinstance(value, arb) else Sign.UNKNOWN
            if not here.known:
                if b - a <= _NARROWEST:
                    return Sign.UNKNOWN
                waiting += [(a, (a + b) / 2), ((a + b) / 2, b)]
            elif sign.known and here is not sign:
                return Sign.UNKNOWN
            else:
                sign = here
        return sign

    def inverse(self, before: Expr, after: Expr) -> bool:
        """before = f(y) and after = z: f^-1(z) = y, with z real and in the range of f."""
        record = record_of(before.func)
        inverse = record.inverted(before, after) if record is not None and before.args else None
        if record is None or inverse is None:
            return False
        given, low, high = inverse
        y = record.argument(before)
        if not any(identical(given, form) for form in (y, _doubled(y))):
            return False
        if before.func is sympy.log:
            # log(e^x p) = x + log p for real x, whatever p is
            logs = [t for t in Add.make_args(after) if t.func is sympy.log]
            return self.signs.real(Add(*(t for t in Add.make_args(after) if t not in logs[:1])))
        return self._in_range(after, low, high)

    def _in_range(self, z: Expr, low: Expr, high: Expr) -> bool:
        return (
            self.signs.real(z)
            and (low is -oo or self.sign(z - low).positive)
            and (high is oo or self.sign(high - z).positive)
        )

    def root(self, before: Expr, after: Expr) -> bool:
        """before = y^(p/q) and after = z: z^q = y^p with z >= 0."""
        base, e = before.args
        if not e.is_Rational or e.is_Integer or e < 0:
            return False
        p, q = int(e.p), int(e.q)
        return identical(after**q, base**p) and all(self._not_negative(f) for f in Mul.make_args(after))

    def _not_negative(self, x: Expr) -> bool:
        base, n = x.as_base_exp()
        if x.func is Abs or base.func is Abs or (n.is_Integer and n % 2 == 0):
            return True
        if n.is_Rational and not n.is_Integer:
            return True  # real only where it is not negative
        return self.sign(x).positive

    def choice(self, before: Expr, after: Expr) -> bool:
        x = before.args[0]
        if before.func is Abs:
            signed = any(sympy.expand(after - s * x) == 0 and self.sign(x) is Sign.of(s) for s in (1, -1))
            return signed and self.signs.real(x)
        if before.func in (sympy.sign, sympy.Heaviside):
            value = {
                Sign.POSITIVE: S.One,
                Sign.NEGATIVE: S.NegativeOne if before.func is sympy.sign else S.Zero,
            }
            sign = self.sign(x, closed=True)
            return sign.nonzero and after == value[sign] and self.signs.defined(x)
        kept = set(after.args) if after.func is before.func else {after}
        wanted = Sign.POSITIVE if before.func is sympy.Max else Sign.NEGATIVE
        return kept <= set(before.args) and all(
            self.signs.defined(a) and any(self.sign(b - a) is wanted for b in kept)
            for a in before.args
            if a not in kept
        )

    def derivatives(self, before: Expr, after: Expr) -> bool:
        """Both analytic on (-1, 1) with the same derivative, and the same value at 0."""
        difference = before - after
        if not all(by_ranges(f, self.parameters, OPEN).holds for f in (before, after)):
            return False
        try:
            slope = dag.derivative(difference, u)
        except AsymptokError:
            return False
        try:
            value = dag.rebuild(difference, {u: S.Zero})
        except SYMPY_ERRORS:
            return False
        return identical(slope, S.Zero) and decide.is_zero(value, self.parameters) is Truth.TRUE

    def drops_nothing(self, before: Expr, after: Expr) -> bool:
        """Whether what disappears is defined on (-1, 1), isolated points left out."""
        left = set(dag.postorder(after))
        gone = [
            n for n in dag.postorder(before) if isinstance(n, Expr) and n.args and n.has(u) and n not in left
        ]
        for node in gone:
            if node.is_Add or node.is_Mul or node.func in (Abs, sympy.Max, sympy.Min):
                continue
            wanted = requirements(node)
            if wanted is None or not all(self._harmless(r.g, r.relation) for r in wanted):
                return False
        return True

    def _harmless(self, g: Expr, relation: str) -> bool:
        sign = self.sign(g)
        if sign.positive or (sign.negative and relation != POSITIVE):
            return True
        return relation == NONZERO and self._has_isolated_zeros(g)

    def _has_isolated_zeros(self, g: Expr) -> bool:
        """Analytic on (-1, 1) and not zero at some point of it."""
        if self.parameters or not by_ranges(g, {}, OPEN).holds:
            return False
        test = CellTest(g)
        values = (test.value(g, x, x, _BITS) for x in (Rational(3, 7), Rational(-5, 11), Rational(1, 9)))
        return any(isinstance(v, arb) and bool(v > 0 or v < 0) for v in values)


def _doubled(x: Expr) -> Expr:
    """2 sin(y) cos(y) as sin(2y)."""
    for factor in Mul.make_args(x):
        if factor.func is sympy.sin and sympy.cos(factor.args[0]) in Mul.make_args(x):
            y = factor.args[0]
            return x / factor / sympy.cos(y) * sympy.sin(2 * y) / 2
    return x


def _is_entire_form(before: Expr, after: Expr) -> bool:
    """cosh x = 0F1(; 1/2; x^2/4), I_n(x) = (x/2)^n/n! 0F1(; n+1; x^2/4), ...: the form that the record gives."""
    record = record_of(before.func)
    form = record.of_square(*before.args) if record is not None and before.args else None
    if form is None:
        return False
    known, found = (list(dict.fromkeys(x.atoms(hyper))) for x in (form, after))
    if len(known) != 1 or len(found) != 1 or (known[0].ap, known[0].bq) != (found[0].ap, found[0].bq):
        return False
    return identical(found[0].argument, known[0].argument) and identical(
        after, dag.rebuild(form, {known[0]: found[0]})
    )


def _is_multiple_angle(before: Expr, after: Expr) -> bool:
    """De Moivre: cos(n a) + i sin(n a) = (x + i s)^n with x = cos a, s = sqrt(1 - x^2); cosh likewise, for all x."""
    n, angle = before.args[0].as_coeff_Mul() if len(before.args) == 1 else (S.Zero, S.Zero)
    inner = {sympy.cos: sympy.acos, sympy.sin: sympy.acos, sympy.cosh: sympy.acosh}.get(before.func)
    if inner is None or angle.func is not inner or not n.is_Integer or n < 1:
        return False
    x, odd = angle.args[0], int(before.func is sympy.sin)
    terms = [
        sympy.binomial(n, j) * x ** (n - j) * (x**2 - 1) ** ((j - odd) // 2) for j in range(odd, n + 1, 2)
    ]
    return identical(after, Add(*terms) * (sympy.sqrt(1 - x**2) if odd else 1))


def _forms(before: Expr, after: Expr) -> list[tuple[Expr, Expr]]:
    """Both sides as they are, by moduli, and with Gamma functions and half angles reduced."""
    pairs = [(before, after), (_by_moduli(before), _by_moduli(after))]
    if before.has(sympy.gamma):
        pairs.append((sympy.expand_func(before), sympy.expand_func(after)))
    return pairs


def _by_moduli(expr: Expr) -> Expr:
    """Max(a, b) = (a + b + |a - b|)/2, Min(a, b) = (a + b - |a - b|)/2."""
    new: dict[Expr, Expr] = {}
    for node in dag.postorder(expr):
        args = [new[a] for a in node.args]
        if node.func in (sympy.Max, sympy.Min) and len(args) == 2:
            sign = 1 if node.func is sympy.Max else -1
            new[node] = (args[0] + args[1] + sign * Abs(args[0] - args[1])) / 2
        else:
            same = all(a is b for a, b in zip(args, node.args, strict=True))
            new[node] = node if same else node.func(*args)
    return new[expr]


def rewritten(kernel: Expr, chain: tuple[Rewriting, ...], last: Expr, parameters: Parameters) -> Truth:
    """Whether the chain leads from the kernel to the last form, each step proved; FALSE if it does not lead there."""
    current = kernel
    for link in chain:
        if link.before != current or not follows(link):
            return Truth.FALSE
        current = link.after
    if current != last:
        return Truth.FALSE
    return Truth.of(True if all(holds(s, parameters) for link in chain for s in link.steps) else None)
