r"""Networks of step units whose depth is a symbol: kappa_0 iterated L - 1 times, and the constants of their expansions.

With D_l = 1 - kappa_0^(l-1)(1 - y), D_1 = y and D_(l+1) = (sqrt(2)/pi) D_l^(1/2) (1 + D_l/12 + O(D_l^2)). By induction

    D_L = c_L y^nu (1 + c_(L-1) y^(2 nu)/12 + O(y^(4 nu))),    nu = 2^(1-L),    c_L = (sqrt(2)/pi)^(2 - 2^(2-L)),

for L >= 2. At -1 the first layer is a series in sqrt(t) and those above are analytic at its value 0.
"""

from __future__ import annotations

from typing import Any

from flint import acb, arb, fmpq
from mpmath import mpc, mpf
from sympy import Expr, Integer, S, pi, sqrt, sstr
from sympy.printing.printer import Printer

from asymptok.errors import AsymptokError, ExpansionError
from asymptok.functions.arccosine import ArcCosine, arc_cosine_complex, arc_cosine_real
from asymptok.functions.arccosine_numeric import arccosine_value
from asymptok.functions.cuts import off_both_real_rays
from asymptok.functions.depth import numbers_of, whole_ball
from asymptok.functions.evaluated import EvaluatedFunction
from asymptok.functions.expanding import Context, Series, exact_constants, expands, finite_limit
from asymptok.functions.inverse import unit_interval
from asymptok.functions.record import Record, constantly
from asymptok.quantities import Element
from asymptok.slots import Slot
from asymptok.symbols import u
from asymptok.truth import Truth

__all__ = ["DeepStep", "StepCoefficient"]

_expand: Slot[..., Any] = Slot("expand")


def _value(depth: int, x: mpf | mpc) -> mpf | mpc:
    for _ in range(int(depth) - 1):
        x = arccosine_value(0, x)
    return x


class DeepStep(EvaluatedFunction):
    """kappa_0 iterated L - 1 times.

    >>> from sympy import Symbol
    >>> L, x = Symbol("L", integer=True, positive=True), Symbol("x", real=True)
    >>> DeepStep(3, x), DeepStep(L, 1), DeepStep(L, x)
    (kappa0(kappa0(x)), 1, step_L(x))
    """

    nargs = 2
    _imp_ = staticmethod(_value)

    @classmethod
    def eval(cls, depth: Expr, x: Expr) -> Expr | None:
        if isinstance(depth, Integer):
            if depth < 1:
                raise AsymptokError(f"the depth is an integer >= 1, not {depth}")
            for _ in range(int(depth) - 1):
                x = ArcCosine(0, x)
            return x
        return S.One if x is S.One else None

    def _eval_is_extended_real(self) -> bool | None:
        return True if self.args[1].is_extended_real else None

    def _sympystr(self, printer: Printer) -> str:
        depth, x = self.args
        return f"step_{printer._print(depth)}({printer._print(x)})"

    def _latex(self, printer: Printer, exp: str | None = None) -> str:
        depth, x = (printer._print(a) for a in self.args)
        power = "" if exp is None else f"^{{{exp}}}"
        return rf"\kappa_{{\mathrm{{step}}}}^{{({depth})}}\left({x}\right){power}"


class StepCoefficient(EvaluatedFunction):
    """The coefficient of t^(m/2) in kappa_0 iterated L - 1 times at -1 + t: a name for it until L is a number.

    >>> from sympy import Symbol
    >>> L = Symbol("L", integer=True, positive=True)
    >>> StepCoefficient(L, 1), StepCoefficient(3, 1)
    ([t^1/2]step_L(-1 + t), sqrt(2)/pi**2)
    """

    nargs = 2
    _imp_ = staticmethod(numbers_of(lambda *args: StepCoefficient(*args)))

    @classmethod
    def eval(cls, depth: Expr, m: Expr) -> Expr | None:
        if not isinstance(depth, Integer):
            return None
        found = _expand(DeepStep(depth, u), at=-1, order=m / 2).terms
        return sum((t.coefficient for t in found if t.exponent == m / 2), S.Zero)

    def _eval_is_extended_real(self) -> bool:
        return True

    def _eval_is_positive(self) -> bool | None:
        # the layers above multiply sqrt(2)/pi by their slopes
        return True if self.args[1] == 1 else None

    def _eval_is_finite(self) -> bool:
        return True

    def _sympystr(self, printer: Printer) -> str:
        depth, m = self.args
        return f"[t^{sstr(m / 2)}]step_{printer._print(depth)}(-1 + t)"

    def shown_latex(self, printer: Printer) -> str:
        depth, m = self.args
        return rf"[t^{{{m}/2}}]\,\kappa_{{\mathrm{{step}}}}^{{({printer._print(depth)})}}(-1+t)"


def _real(depth: arb, x: arb) -> arb:
    n = whole_ball(depth)
    if n is None or n < 1 or not (-1 <= x <= 1 or x.overlaps(arb(1))):
        return arb.nan()
    for _ in range(n - 1):
        x = arc_cosine_real(0, x)
    return x


def _complex(depth: acb, z: acb) -> acb:
    n = whole_ball(depth)
    if n is None or n < 1:
        return acb(arb.nan())
    for _ in range(n - 1):
        z = arc_cosine_complex(0, z)
    return z


def _regular(depth: acb, z: acb) -> bool:
    n = whole_ball(depth)
    if n is None or n < 1:
        return False
    for _ in range(n - 1):
        if not z.is_finite() or not off_both_real_rays(z):
            return False
        z = arc_cosine_complex(0, z)
    return True


@expands(DeepStep)
def _step(context: Context, node: Expr, depth: Series, x: Series) -> Series:
    dom = context.dom
    constants = exact_constants((depth,))
    if constants is None:
        raise ExpansionError("the depth of a network must not depend on the variable", node)
    L = dom.to_expr(constants[0])
    value = finite_limit(x, node, "the argument is unbounded")
    for end in (1, -1):
        if dom.is_zero(dom.add(value, dom.rational(-end))) is Truth.TRUE:
            y = (context.number(1) - x.scaled(dom.rational(end))).without_constant()
            return (_right if end == 1 else _left)(context, node, L, y)
    raise ExpansionError(f"{node}: a network of symbolic depth is expanded at 1 and at -1 only", node)


def _right(context: Context, node: Expr, L: Expr, y: Series) -> Series:
    """1 - c_L y^nu - c_L c_(L-1) y^(3 nu)/12 + O(y^(5 nu))."""
    dom = context.dom

    def constant(value: Expr) -> Element:
        return dom.constant(value.expand())

    def power(times: int) -> Series:
        return context.power(y, constant(times * 2 ** (1 - L)), node)

    def coefficient(depth: Expr) -> Expr:
        return (sqrt(2) / pi) ** (2 - 2 ** (2 - depth)).expand()

    lead = dom.constant(coefficient(L))
    second = dom.constant(coefficient(L) * coefficient(L - 1) / 12)
    known = context.number(1) - power(1).scaled(lead) - power(3).scaled(second)
    return known.beside(power(5))


def _left(context: Context, node: Expr, L: Expr, y: Series) -> Series:
    dom = context.dom

    def coefficient(m: int) -> Element:
        return dom.constant(StepCoefficient(L, Integer(m)) if m else DeepStep(L, S.NegativeOne))

    return context.compose(coefficient, context.power(y, fmpq(1, 2), node))


RECORDS = (
    Record(
        function=DeepStep,
        real=_real,
        complex=_complex,
        requirements=lambda node: unit_interval(node.args[1]),
        regular=_regular,
        upward=constantly(S.One),
    ),
)
