"""A dot-product kernel kappa(u), u = <x, y> in [-1, 1], with its parameters and their ranges."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from operator import mul
from typing import Any

from mpmath import mpf
from sympy import Basic, Expr, S, Symbol
from sympy.printing.pretty.pretty import PrettyPrinter
from sympy.printing.pretty.stringpict import prettyForm
from sympy.printing.printer import Printer

from asymptok import dag
from asymptok.errors import AsymptokError
from asymptok.kernels.arrays import ArrayFunction, call
from asymptok.kernels.backends import ArrayKernel
from asymptok.kernels.construction import (
    checked,
    from_text,
    over_common,
    refuse_another_variable,
    replaced,
    substitutions,
    with_parameters,
)
from asymptok.kernels.from_spectrum import expression_of
from asymptok.kernels.given_form import neglected_of
from asymptok.kernels.gram import TWO_POINTS, gram
from asymptok.kernels.means import Making, Mean, Parity, added, made
from asymptok.kernels.values import evaluate
from asymptok.parameters import Given, Range, declared, exact_number, is_range
from asymptok.points import Array
from asymptok.show.kernel import (
    kernel_equation,
    kernel_html,
    kernel_latex,
    kernel_pretty,
    kernel_repr,
    kernel_text,
)
from asymptok.slots import Slot
from asymptok.symbols import u

__all__ = ["Kernel", "as_kernel"]

_taylor: Slot[..., tuple[Expr, ...]] = Slot("taylor")
_taylor_law: Slot[..., Any] = Slot("taylor_law")
#: a call whose first argument is the making of a kernel, and which writes its expression
Later = partial[tuple[Expr, Mean]]


class Kernel:
    """kappa: [-1, 1] -> R, written as a SymPy expression in u.

    `expr` is an expression, a text, a number or another kernel. Free symbols other than u are parameters;
    each has a range, from its assumptions or from `parameters`: (0, 2) without its ends, "[0, 2)" with 0. A number
    there fixes the value.

    >>> from sympy import oo
    >>> laplace = Kernel("exp(-c*sqrt(1 - u))", parameters={"c": (0, oo)})
    >>> laplace.parameters
    {c: (0, oo)}
    >>> laplace.subs(c=2) * 3
    Kernel('3*exp(-2*sqrt(1 - u))')
    >>> Kernel("(u + 3)/4").evaluate("-0.5")
    mpf('0.625')

    Two kernels are equal when their expressions and ranges are; the name is a label.
    """

    __slots__ = (
        "__weakref__",
        "_expr",
        "_function",
        "_later",
        "_mean",
        "_name",
        "_parameters",
        "_symbol",
    )

    # NumPy must leave `array * kernel` to us (and we refuse it) instead of building an object array.
    __array_ufunc__ = None

    _expr: Expr
    _name: str | None
    _parameters: dict[Symbol, Range]
    _symbol: str | None
    _function: ArrayFunction | None
    _mean: Mean | None
    _later: Later | None

    def __init__(
        self,
        expr: object,
        name: str | None = None,
        parameters: Given | None = None,
        *,
        symbol: str | None = None,
        mean: Mean | None = None,
    ) -> None:
        """`symbol` is the LaTeX of the function, printed in place of a long expression.

        `mean` says that it was made as a mean of products, and what is known of it for that reason.
        """
        if name is not None and not isinstance(name, str):
            raise AsymptokError(f"the name of a kernel is a text, not {name!r}")
        wanted = declared(parameters)
        ranges: dict[Symbol, Range] = {}
        if isinstance(expr, Kernel):
            name, symbol = name or expr.name, symbol or expr._symbol
            mean, ranges, expr = mean or expr.mean, dict(expr._parameters), expr.expr
        elif isinstance(expr, str):
            expr = from_text(expr, wanted, ranges)
        elif not isinstance(expr, Expr):
            expr = exact_number(expr, "a kernel")
        else:
            refuse_another_variable(expr, wanted)
        expr, found, others = with_parameters(checked(expr), ranges, wanted)
        self._set(expr, name, found, symbol, mean and mean.with_values(others))

    def _set(
        self,
        expr: Expr,
        name: str | None,
        parameters: dict[Symbol, Range],
        symbol: str | None,
        mean: Mean | None,
    ) -> None:
        for slot, value in (
            ("_expr", expr),
            ("_name", name),
            ("_parameters", dict(sorted(parameters.items(), key=lambda item: item[0].name))),
            ("_symbol", symbol),
            ("_function", None),
            ("_later", None),
            ("_mean", mean),
        ):
            object.__setattr__(self, slot, value)

    def __setattr__(self, key: str, value: object) -> None:
        raise AttributeError(f"a Kernel is immutable: {key} cannot be set")

    def __delattr__(self, key: str) -> None:
        raise AttributeError(f"a Kernel is immutable: {key} cannot be deleted")

    def __deepcopy__(self, memo: dict[int, object]) -> Kernel:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        if self._later:
            return Kernel.later, (self._later, self._name, self._symbol)
        parts = (self._name, self._parameters, self._symbol, self.mean)
        return _restore, (dag.flatten(self.expr), *parts)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Kernel):
            return NotImplemented
        return self is other or (self._parameters == other._parameters and bool(self.expr == other.expr))

    def __hash__(self) -> int:
        return hash((Kernel, self.expr))

    @staticmethod
    def from_eigenvalues(
        mu: object, d: int, degree: int | None = None, parameters: Given | None = None
    ) -> Kernel:
        """kappa = sum_k mu_k N(d, k) P_k, the kernel on S^(d-1) with these eigenvalues.

        `mu` is a sequence, a dict {degree: value}, or an expression (or a text) in k, and d, of all mu_k, or of those
        up to `degree`. In dimension d they come back as given; what the sum leaves out at doubles is below `neglected`.
        `parameters` gives values to other names, or, up to a degree, their ranges.

        >>> Kernel.from_eigenvalues("1/(k + 1)**5", 4).evaluate(1)  # zeta(3)
        mpf('1.2020569031595943')
        """
        expr, name = expression_of(mu, d, degree, parameters)
        left = {symbol.name for symbol in dag.free_symbols(expr)}
        kept = {key: bounds for key, bounds in (parameters or {}).items() if str(key) in left}
        return Kernel(expr, name=name, parameters=kept)

    # ------------------------------------------------------------------ parts

    @property
    def expr(self) -> Expr:
        """The expression in u."""
        return self._written()[0]

    @property
    def name(self) -> str | None:
        """A label for people."""
        return self._name

    @property
    def parameters(self) -> dict[Symbol, Range]:
        """Each parameter with its range (lower, upper): an open interval, or one with the end 0, shown as [0, oo)."""
        return dict(self._parameters)

    neglected = property(neglected_of)

    @property
    def mean_product(self) -> bool:
        """Whether the kernel was made as a mean E[phi(X) phi(Y)], or from such means by sums and products.

        Its Taylor coefficients at 0 are then >= 0, squares of Hermite coefficients, whatever the formula shows. False
        says nothing.
        """
        return self.mean is not None

    @property
    def mean(self) -> Mean | None:
        """What is known of a kernel that was made as such a mean."""
        return self._written()[1]

    @property
    def making(self) -> Making | None:
        """How such a kernel was made; a deep network is its making until somebody asks for its expression."""
        if self._later:
            making: Making = self._later.args[0]
            return making
        return self._mean.making if self._mean else None

    def _written(self) -> tuple[Expr, Mean | None]:
        if self._later:
            try:
                written = self._later()
            except RecursionError:
                raise AsymptokError(
                    f"{self._name} is too deep for an expression; its values at arrays and its Gram matrices do without"
                ) from None
            for slot, value in zip(("_expr", "_mean"), written, strict=True):
                object.__setattr__(self, slot, value)
            object.__setattr__(self, "_later", None)
        return self._expr, self._mean

    @staticmethod
    def later(write: Later, name: str, symbol: str) -> Kernel:
        """A kernel without parameters, known by its making, whose expression is written when somebody asks for it."""
        new = object.__new__(Kernel)
        new._set(S.Zero, name, {}, symbol, None)
        object.__setattr__(new, "_later", write)
        return new

    @property
    def layers(self) -> dict[Symbol, Expr]:
        """The layers of a network that is known by them: each as a function of u and of the layers before it."""
        return dict(self.mean.layers) if self.mean else {}

    @property
    def layered(self) -> Expr:
        """The expression in terms of u and of the layers."""
        return self.mean.layered if self.mean and self.mean.layered is not None else self.expr

    # ------------------------------------------------------------------ new kernels

    def named(self, name: str | None, symbol: str | None = None) -> Kernel:
        """The same function under another name; what stands between dollar signs is LaTeX and left alone in tables.

        >>> Kernel("exp(-sqrt(1 - u))").named("$k_0$").name
        '$k_0$'
        """
        new = object.__new__(Kernel)
        own = self._symbol if name == self._name else symbol
        new._set(self._expr, name, self._parameters, own, self._mean)
        object.__setattr__(new, "_later", self._later)
        return new

    def subs(self, *args: object, **values: object) -> Kernel:
        """Values or narrower ranges for parameters, by symbol or by name; for u, the composition with an expression.

        A value outside the range of its parameter is refused, and so is one not known to lie inside.

        >>> from sympy import oo
        >>> Kernel("exp(-c*(1 - u)**(g/2))", parameters={"c": (0, oo), "g": (0, 2)}).subs({"g": 1, "c": 3})
        Kernel('exp(-3*sqrt(1 - u))')
        """
        given: dict[Symbol | str, object] = {
            key: value.expr if isinstance(value, Kernel) else value
            for key, value in (dict(substitutions(args)) | values).items()
        }
        narrower = {key: given.pop(key) for key in list(given) if is_range(given[key])}
        if narrower:
            kernel = Kernel(self, parameters=narrower)
            return kernel.subs(given) if given else kernel
        replacements, ranges = replaced(self._parameters, given)
        mean = self.mean.with_values(replacements) if self.mean and u not in replacements else None
        expr = dag.rebuild(self.expr, replacements)
        left = {symbol.name for symbol in dag.free_symbols(expr)}
        return Kernel(expr, parameters={s: r for s, r in ranges.items() if s in left}, mean=mean)

    def compose(self, inner: object) -> Kernel:
        """kappa(inner(u)); it is up to the caller that inner maps [-1, 1] into [-1, 1].

        >>> Kernel("kappa1(u)").compose("(9*u + 1)/10")
        Kernel('kappa1(9*u/10 + 1/10)')
        """
        value = inner if isinstance(inner, Kernel) else Kernel(inner)
        second, ranges, own = over_common(self._parameters, value.expr, value._parameters)
        return _kernel(dag.rebuild(self.expr, {**own, u: second}), ranges)

    def diff(self, order: int = 1) -> Kernel:
        """The derivative in u of the given order.

        >>> Kernel("kappa(2, u)").diff()
        Kernel('4*kappa1(u)/3')
        """
        if isinstance(order, bool) or not isinstance(order, int) or order < 0:
            raise AsymptokError(f"the order of a derivative is a non-negative integer, not {order!r}")
        expr = self.expr
        for _ in range(order):
            expr = dag.derivative(expr, u)
        return _kernel(expr, self._parameters)

    def _combine(
        self, other: object, operation: Callable[[Expr, Expr], Expr], parity: Parity | None = None
    ) -> Kernel:
        """`parity` of the result, where two power series with coefficients >= 0 make one of the same kind."""
        if not isinstance(other, Kernel | Expr) and not hasattr(other, "__float__"):
            return NotImplemented
        if not isinstance(other, Kernel):
            free = dag.free_symbols(other) if isinstance(other, Expr) else ()
            other = Kernel(other, parameters={s: None for s in free if s.name != u.name})
        second, ranges, own = over_common(self._parameters, other.expr, other._parameters)
        # a number >= 0 is the simplest of these means; a function with values >= 0, such as |u|, is none
        number = second.is_nonnegative is True and u not in second.free_symbols
        theirs, mean = (Mean(second, 1, making=made("number", value=second)) if number else other.mean), None
        if parity and self.mean and theirs:
            top = over_common(self._parameters, theirs.diagonal, other._parameters)[0]
            mean = self.mean.with_values(own).combined(replace(theirs, diagonal=top), operation, parity)
        return _kernel(operation(dag.rebuild(self.expr, own), second), ranges, mean=mean)

    def __add__(self, other: object) -> Kernel:
        return self._combine(other, lambda a, b: a + b, added)

    def __radd__(self, other: object) -> Kernel:
        return self._combine(other, lambda a, b: b + a, added)

    def __sub__(self, other: object) -> Kernel:
        return self._combine(other, lambda a, b: a - b)

    def __rsub__(self, other: object) -> Kernel:
        return self._combine(other, lambda a, b: b - a)

    def __mul__(self, other: object) -> Kernel:
        return self._combine(other, lambda a, b: a * b, mul)

    def __rmul__(self, other: object) -> Kernel:
        return self._combine(other, lambda a, b: b * a, mul)

    def __truediv__(self, other: object) -> Kernel:
        if isinstance(other, Kernel) or (isinstance(other, Expr) and u in dag.free_symbols(other)):
            raise AsymptokError("kernels are divided by numbers and parameters only")
        divisor = exact_number(other, "a divisor")
        if divisor.is_zero is not False:
            raise AsymptokError(
                f"cannot divide a kernel by {divisor}: it is not known to be different from 0"
            )
        return self._combine(1 / divisor, lambda a, b: a * b, mul)

    def __pow__(self, exponent: object) -> Kernel:
        if isinstance(exponent, bool) or not isinstance(exponent, int) or exponent < 0:
            raise AsymptokError(f"a kernel is raised to non-negative integer powers only, not {exponent!r}")
        mean = self.mean and Mean(
            self.mean.diagonal**exponent,
            self.mean.parity**exponent,
            making=made("power", self.mean.making, exponent=exponent),
        )
        return _kernel(self.expr**exponent, self._parameters, mean=mean)

    def __neg__(self) -> Kernel:
        return _kernel(-self.expr, self._parameters)

    def __pos__(self) -> Kernel:
        return self

    # ------------------------------------------------------------------ numbers

    def evaluate(self, point: object, dps: int = 15) -> mpf:
        """kappa(point) as an mpmath number with a proved relative error below 10^-dps, right up to the ends.

        The point is an int, a Fraction, a SymPy number, an mpf, a decimal text or a float (its binary value).

        >>> from fractions import Fraction
        >>> import mpmath
        >>> mpmath.nstr(Kernel("kappa1(u)").evaluate(Fraction(1, 10**40) - 1), 15)
        '3.00105438719035e-61'

        A value that is proved to be below 10^-(1000 + 20 dps) in absolute value comes back as 0.
        """
        return evaluate(self, point, dps)

    def taylor(self, n: int) -> tuple[Expr, ...]:
        """b_0, ..., b_(n-1) of kappa(u) = sum b_j u^j, exact.

        >>> Kernel("exp(u)").taylor(4)
        (1, 1, 1/2, 1/6)
        """
        return _taylor(self, n)

    def taylor_law(self) -> Any:
        """The law of the b_n for n -> oo, for even and for odd n: `.even.exponent`, `.even.constant`.

        >>> Kernel("sqrt(1 - u)").taylor_law().even
        even n  b_n ~ -1/(2*sqrt(pi)) n^(-3/2)
        """
        return _taylor_law(self)

    def __call__(self, points: object, *second: object) -> Any:
        """kappa at doubles: an array for an array, a float for a number; evaluate() for proved digits.

        Points may lie up to 1e-12 outside [-1, 1], as computed inner products do; they count as the end.

        >>> Kernel("u**2 + 1")([0.0, 0.5])
        array([1.  , 1.25])
        """
        if second:
            raise AsymptokError(TWO_POINTS)
        return call(self, self._arrays(), points)

    def _arrays(self) -> ArrayFunction:
        function = self._function
        if function is None:
            function = ArrayFunction(self)
            object.__setattr__(self, "_function", function)
        return function

    def gram(self, X: object, Y: object = None, normalize: bool = True) -> Array:
        """The matrix kappa(<x_i, y_j>) of points in the rows of X and Y (of X and X without Y), put on the sphere.

        Without `normalize` points keep their norms: |x|^p |y|^p kappa(cos) for a kernel that is homogeneous, such as
        p = 1 for ReLU networks without biases; other networks by their recursion at the two norms; an error for kernels
        that are known on the sphere alone. The matrix of X alone is symmetric, its diagonal exact. Close points of the
        sphere keep their digits: 1 - <x, y> is taken from x - y. Data in single precision give a matrix in single
        precision, computed in double.

        >>> Kernel("u**2").gram([[1, 0], [3, 4]])
        array([[1.  , 0.36],
               [0.36, 1.  ]])
        """
        return gram(self, X, Y, normalize)

    def lambdify(
        self, backend: str = "numpy", parameters: tuple[str, ...] | str = (), points: bool = False
    ) -> Callable[..., Any]:
        """kappa as a function f(u, *parameters) of arrays of "numpy", "jax" or "torch", that can be differentiated.

        `parameters` names those that become arguments, in that order. With `points` the Gram matrix f(X, Y,
        *parameters) of rows, put on the sphere: next to u = 1 and -1 it takes 1 -+ u from their differences. The
        function pickles. Values and slopes are finite on all of [-1, 1], the ends included: there the slope is the
        one-sided one, or 0 where that is infinite, as for exp(-sqrt(1 - u)) at u = 1.

        >>> Kernel("u**3").lambdify("numpy")([0.5])
        array([0.125])
        >>> from sympy import oo
        >>> f = Kernel("exp(-c*(1 - u))", parameters={"c": (0, oo)}).lambdify(parameters=("c",))
        >>> f([1.0, 0.5, -1.0], 1)
        array([1.        , 0.60653066, 0.13533528])
        """
        names = (parameters,) if isinstance(parameters, str) else tuple(str(name) for name in parameters)
        if backend == "numpy" and not names and not self._parameters:
            return self.gram if points else self.__call__
        return ArrayKernel(self, backend, names, points)

    # ------------------------------------------------------------------ display

    def __str__(self) -> str:
        return kernel_text(self)

    def __repr__(self) -> str:
        return kernel_repr(self)

    def _latex(self, printer: Printer) -> str:
        return kernel_latex(self, printer)

    def _sympystr(self, printer: object) -> str:
        return str(self)

    def _pretty(self, printer: PrettyPrinter) -> prettyForm:
        return kernel_pretty(self, printer)

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {kernel_equation(self)}$"

    def _repr_html_(self) -> str:
        return kernel_html(self)

    def _sympy_(self) -> Basic:
        """What SymPy takes a kernel for: nothing that it can add or multiply, so that our own operators are asked."""
        return _NoExpression()


class _NoExpression(Basic):
    """A kernel inside a function of SymPy; the commonest is expand, where ours was meant."""

    def expand(self, **hints: object) -> Expr:
        raise AsymptokError(
            "SymPy's functions take expressions and no kernels: give them kernel.expr. After "
            "`from sympy import *` the name expand is SymPy's: write asymptok.expand(kernel)"
        )

    _eval_simplify = is_commutative = property(expand)


def as_kernel(value: object) -> Kernel:
    """A Kernel from a Kernel, an expression in u, a text or a number.

    >>> as_kernel(u**2)
    Kernel('u**2')
    """
    if isinstance(value, Expr) and (free := sorted(s.name for s in value.free_symbols)) and "u" not in free:
        raise AsymptokError(
            f"{value} has no u, only {', '.join(free)}: a kernel is written in asymptok.u; did you mean u?"
        )
    return value if isinstance(value, Kernel) else Kernel(value)


# ---------------------------------------------------------------------- construction


def _kernel(
    expr: Expr,
    parameters: Mapping[Symbol, Range],
    name: str | None = None,
    symbol: str | None = None,
    mean: Mean | None = None,
) -> Kernel:
    """A kernel from parts that have been checked; parameters that have dropped out are left behind."""
    expr = checked(expr)
    free = dag.free_symbols(expr)
    new = object.__new__(Kernel)
    new._set(expr, name, {s: r for s, r in parameters.items() if s in free}, symbol, mean)
    return new


def _restore(
    program: Any,
    name: str | None,
    parameters: dict[Symbol, Range],
    symbol: str | None,
    mean: Mean | None = None,
) -> Kernel:
    new = object.__new__(Kernel)
    new._set(dag.unflatten(program), name, parameters, symbol, mean)
    return new
