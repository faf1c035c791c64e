"""The walk over Python's syntax tree: every node is on the list below or the text is refused."""

from __future__ import annotations

import ast
import difflib
import keyword
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, NoReturn

from flint import arb
from sympy import Add, Basic, Expr, Mul, Piecewise, Rational, S, Symbol

from asymptok import ways_out
from asymptok.balls import ball as enclose
from asymptok.errors import AsymptokError, ParseError
from asymptok.parameters import CONSTANTS
from asymptok.parsing.limits import (
    FREE_GROWTH,
    MAX_BITS,
    MAX_GROWTH,
    PRECISION,
    Refused,
    Ruler,
    Value,
    check_choices,
    check_constant,
    check_size,
)
from asymptok.parsing.scanner import fail, scan
from asymptok.parsing.vocabulary import (
    MODULES,
    Built,
    Entry,
    compare,
    exact_ball,
    functions,
    number,
    power,
)
from asymptok.precision import flint_precision
from asymptok.symbols import u

_COMPARISONS: dict[type[ast.cmpop], str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_INFINITE = frozenset({"oo", "inf", "Inf", "infty", "Infinity", "zoo", "nan", "NaN"})


def parse(
    text: str,
    symbols: Mapping[str, Symbol] | Iterable[str] = (),
    makers: Mapping[str, Maker] | None = None,
    variable: str | None = None,
) -> Expr:
    """The SymPy expression that `text` writes, decimals exact; ParseError for all else, and nothing is run.

    Names are u, what `symbols` declares (names, or a dict from name to Symbol), and a few constants. A
    declared name wins over a constant or a function of the same name. Where the `variable` does not occur, one
    unknown name is taken for it.

    >>> parse("exp(-c*(1 - u)**0.5)", ["c"])
    exp(-c*sqrt(1 - u))
    >>> parse("np.arccos(u)/pi + 0.1")
    acos(u)/pi + 1/10
    >>> parse("u^2")
    Traceback (most recent call last):
    ...
    asymptok.errors.ParseError: '^' is not a power here: write ** (position 1)
      u^2
       ^
    """
    if not isinstance(text, str):
        raise ParseError(f"expected a text, got {type(text).__name__}")
    names = _declared(text, symbols)
    scan(text)
    body = text.lstrip(" \t")
    try:
        tree = ast.parse(body, mode="eval").body
    except SyntaxError as error:
        # the scanner leaves Python little to complain about: numbers such as 007
        fail(f"not an expression: {error.msg}", text, max(0, len(text) - len(body) + (error.offset or 1) - 1))
    except (RecursionError, MemoryError):
        fail("the expression is nested too deeply", text)
    with flint_precision(PRECISION):
        walk = _Walk(text, len(text) - len(body), names, makers or {})
        walk.slip = walk.without(variable, tree)
        return walk.value(tree).expr


def _declared(text: str, symbols: Mapping[str, Symbol] | Iterable[str]) -> dict[str, Symbol]:
    if isinstance(symbols, Mapping):
        names = dict(symbols)
    else:
        names = {name: u if name == "u" else Symbol(name, real=True) for name in symbols}
    for name in names:
        if not (name.isascii() and name.isidentifier()) or keyword.iskeyword(name):
            fail(f"the parameter {name!r} cannot be written in a text: use ASCII letters, as in lam", text)
    return {"u": u, **names}


#: makes the expression of a named function of u from its arguments
Maker = Callable[..., Expr]
#: names that are taken for functions of u, and are functions of a pre-activation
_ACTIVATIONS = frozenset(
    (
        "relu",
        "leaky_relu",
        "gelu",
        "elu",
        "selu",
        "silu",
        "swish",
        "softplus",
        "sigmoid",
        "mish",
        "celu",
        "step",
    )
)


class _Walk:
    def __init__(
        self, text: str, offset: int, names: Mapping[str, Symbol], makers: Mapping[str, Maker]
    ) -> None:
        self.makers = makers
        self.text = text
        self.offset = offset
        self.names = names
        self.ruler = Ruler()
        self.choices = 0
        self.growth = 0
        #: what to say of the unknown names of a text in which its variable does not occur
        self.slip: dict[str, str] = {}

    def without(self, variable: str | None, tree: ast.expr) -> dict[str, str]:
        """One of the unknown names stands for the variable, if that is nowhere else."""
        modules = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in modules}
        if variable is None or variable in used or used & self.makers.keys():
            return {}
        known = {*self.names, *CONSTANTS, *functions(), *_ACTIVATIONS, *_INFINITE, "I"}
        unknown = [name[:40] for name in sorted(used - known)]
        told = f"unknown {', '.join(unknown[:4])}; did you mean {variable}"
        told += "?" if len(unknown) == 1 else " for one of them?"
        return dict.fromkeys(used - known, told)

    # ---------------------------------------------------------------------------- errors and results

    def at(self, node: ast.AST) -> int:
        # the text is ASCII by now, so Python's byte offsets are positions
        return self.offset + int(getattr(node, "col_offset", 0))

    def fail(
        self,
        message: str,
        node: ast.AST,
        *,
        unknown_name: str | None = None,
        unknown_function: str | None = None,
    ) -> NoReturn:
        fail(
            message,
            self.text,
            self.at(node),
            unknown_name=unknown_name,
            unknown_function=unknown_function,
        )

    def build(self, node: ast.AST, function: Any, *args: Any) -> Value:
        with self.blame(node):
            return self.finish(*function(*args))

    @contextmanager
    def blame(self, node: ast.AST) -> Iterator[None]:
        """Whatever goes wrong inside is reported at `node`."""
        try:
            yield
        except Refused as reason:
            self.fail(str(reason), node)
        except ParseError:
            raise
        except AsymptokError as error:
            self.fail(str(error), node)
        except (RecursionError, MemoryError):
            self.fail("this part is too deep or too large to evaluate", node)
        except (ArithmeticError, ValueError, TypeError, NotImplementedError, AttributeError) as error:
            self.fail(f"SymPy cannot build this part: {type(error).__name__}: {error}", node)

    def finish(self, expr: Expr, ball: arb | None) -> Value:
        size = self.ruler.measure(expr)
        check_size(size)
        if not size.constant:
            return Value(expr, None, size)
        if isinstance(expr, Rational):
            ball = exact_ball(expr)
        elif ball is None:
            # the variables cancelled, as in u - u + pi
            ball = enclose(expr)
        check_constant(ball, "this constant")
        return Value(expr, ball, size)

    # ------------------------------------------------------------------------------------- the list

    def value(self, node: ast.expr) -> Value:
        match node:
            case ast.Constant():
                return self.build(node, self.literal, node)
            case ast.Name(id=name):
                return self.name(name, node)
            case ast.BinOp(op=ast.Add() | ast.Sub()):
                return self.sum(node)
            case ast.BinOp(op=ast.Mult() | ast.Div()):
                return self.product(node)
            case ast.BinOp(left=left, op=ast.Pow(), right=right):
                return self.build(node, power, self.value(left), self.value(right))
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self.value(operand)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self.build(node, _negative, self.value(operand))
            case ast.Attribute():
                return self.constant_of_module(node)
            case ast.Call():
                return self.call(node)
            case ast.Compare():
                self.fail("a comparison is only allowed as a condition of Piecewise or where", node)
            case ast.Tuple() | ast.List():
                self.fail("a list is only allowed in hyper and Piecewise", node)
        self.fail(f"{type(node).__name__} is not allowed in an expression", node)

    def literal(self, node: ast.Constant) -> Built:
        written = self.text[self.at(node) : self.offset + (node.end_col_offset or 0)]
        if isinstance(node.value, bool) or not isinstance(node.value, int | float):
            raise Refused(f"expected a number, found {written}")
        # from the characters: the float that Python made of them is already rounded
        exact = Fraction(written)
        return Rational(exact.numerator, exact.denominator), None

    def name(self, name: str, node: ast.expr) -> Value:
        if name in self.names:
            return self.build(node, lambda: (self.names[name], None))
        if name in CONSTANTS:
            return self.build(node, lambda: (CONSTANTS[name], None))
        if name in self.makers:
            return self.build(node, lambda: (self.makers[name](), None))
        if name in functions():
            self.fail(
                f"{name} is a function: write {name}(...), or declare a parameter of that name, "
                f"{ways_out.ranges(name, (0, 'oo'))}",
                node,
            )
        if name.lower() in _ACTIVATIONS:
            self.fail(f"{name} is an activation: dual({name.lower()!r}) is its kernel", node)
        if name == "I":
            self.fail(
                "imaginary numbers are not allowed: a kernel is real (a parameter may bear the name I)", node
            )
        if name in _INFINITE:
            self.fail(f"{name} has no place in an expression: values are finite", node)
        near = self.suggestion(name, [*self.names, *CONSTANTS, *self.makers])
        if name in self.slip and not near:
            self.fail(self.slip[name], node)
        self.fail(
            f"unknown name {name[:40]!r}: declare it as a parameter with its range, "
            f"{ways_out.ranges(name[:40], (0, 'oo'))}{near}",
            node,
            unknown_name=name,
        )

    def suggestion(self, name: str, known: Iterable[str]) -> str:
        close = difflib.get_close_matches(name[:40], list(known), n=1)
        return f"; did you mean {close[0]}?" if close else ""

    def sum(self, node: ast.expr) -> Value:
        # a long sum leans to the left: a loop keeps it from counting as nesting
        terms: list[Value] = []
        rest = node
        while isinstance(rest, ast.BinOp) and isinstance(rest.op, ast.Add | ast.Sub):
            term = self.value(rest.right)
            if isinstance(rest.op, ast.Sub):
                term = self.build(rest.right, _negative, term)
            terms.append(term)
            rest = rest.left
        terms.append(self.value(rest))
        return self.build(node, _sum, terms[::-1])

    def product(self, node: ast.expr) -> Value:
        factors: list[Value] = []
        rest = node
        while isinstance(rest, ast.BinOp) and isinstance(rest.op, ast.Mult | ast.Div):
            factor = self.value(rest.right)
            if isinstance(rest.op, ast.Div):
                factor = self.build(rest.right, power, factor, number(-1))
            factors.append(factor)
            rest = rest.left
        factors.append(self.value(rest))
        return self.build(node, _product, factors[::-1])

    # --------------------------------------------------------------------------------------- calls

    def call(self, node: ast.Call) -> Value:
        if isinstance(node.func, ast.Name) and node.func.id in self.makers and node.func.id not in self.names:
            return self.made(node.func.id, node)
        name, entry = self.function(node.func)
        if node.keywords:
            self.fail(f"{name} takes no named arguments", node)
        if not entry.accepts(len(node.args)):
            self.fail(f"{name} takes {entry.arity()}, {len(node.args)} given", node)
        readers = {
            "value": self.value,
            "list": self.list,
            "condition": self.condition,
            "branch": self.branch,
        }
        args = [readers[entry.kind(i)](a) for i, a in enumerate(node.args)]
        if entry.chooses:
            with self.blame(node):
                self.choices += len(args)
                check_choices(self.choices)
        result = self.build(node, entry.build, *args)
        values = [a for a in args if isinstance(a, Value)]
        if len(values) == len(args):
            given = sum(a.size.nodes for a in values)
            self.growth += max(0, result.size.nodes - given - FREE_GROWTH)
        if self.growth > MAX_GROWTH:
            self.fail(
                f"{name} repeats its argument when it is written out, and that has become too long", node
            )
        return result

    def made(self, name: str, node: ast.Call) -> Value:
        """A function of u that has a name and takes numbers or parameters: ntk(3), laplace(c=2)."""
        args = [self.argument(a) for a in node.args]
        named = {str(k.arg): self.argument(k.value) for k in node.keywords}
        if len(named) < len(node.keywords):
            self.fail(f"an argument of {name} is given twice", node)
        if u in {s for a in (*args, *named.values()) if isinstance(a, Expr) for s in a.free_symbols}:
            self.fail(
                f"{name} is a kernel, a function of u already: its arguments are numbers, {name}(2)", node
            )
        return self.build(node, lambda: (self.makers[name](*args, **named), None))

    def argument(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Constant) and isinstance(node.value, bool):
            return node.value
        return self.value(node).expr

    def function(self, node: ast.expr) -> tuple[str, Entry]:
        if isinstance(node, ast.Attribute):
            name = self.member(node)
        elif isinstance(node, ast.Name):
            name = node.id
            if name in self.names:
                self.fail(
                    f"{name} is a variable here, not a function: write {name}*(...) for a product", node
                )
        else:
            self.fail("expected a function name before '('", node)
        entry = functions().get(name)
        if entry is None:
            hint = self.suggestion(name, [*functions(), *self.makers])
            if name.lower() in _ACTIVATIONS:
                hint = f"; an activation becomes a kernel by dual({name.lower()!r})"
            known = "" if hint else "; known_functions() in asymptok.parsing lists the functions"
            known += f", {ways_out.all_kernels()} the kernels" if known and self.makers else ""
            self.fail(f"unknown function {name[:40]!r}{hint}{known}", node, unknown_function=name)
        return name, entry

    def member(self, node: ast.Attribute) -> str:
        owner = node.value
        if not (isinstance(owner, ast.Name) and owner.id in MODULES and owner.id not in self.names):
            self.fail("'.' is only allowed in names such as np.sqrt and math.pi", node)
        return node.attr

    def constant_of_module(self, node: ast.Attribute) -> Value:
        name = self.member(node)
        if name not in CONSTANTS:
            self.fail(f"unknown constant {name[:40]!r}: known are {', '.join(CONSTANTS)}", node)
        return self.build(node, lambda: (CONSTANTS[name], None))

    def list(self, node: ast.expr) -> list[Value]:
        if not isinstance(node, ast.List | ast.Tuple):
            self.fail("expected a list of parameters: hyper([a, b], [c], x)", node)
        return [self.value(e) for e in node.elts]

    def branch(self, node: ast.expr) -> tuple[Value, Basic]:
        if not isinstance(node, ast.Tuple) or len(node.elts) != 2:
            self.fail("expected (value, condition): Piecewise((u, u > 0), (0, True))", node)
        return self.value(node.elts[0]), self.condition(node.elts[1])

    def condition(self, node: ast.expr) -> Expr:
        if isinstance(node, ast.Constant) and node.value is True:
            return S.true
        if not isinstance(node, ast.Compare):
            self.fail("expected a comparison with < <= > >=, or True", node)
        if len(node.ops) > 2:
            self.fail("expected one comparison, or two as in 0 < u < 1", node)
        values = [self.value(side) for side in (node.left, *node.comparators)]
        if any(value.expr.has(Piecewise) for value in values):
            self.fail("a condition cannot depend on another Piecewise or where", node)
        result = S.true
        for op, left, right in zip(node.ops, values, values[1:], strict=False):
            symbol = _COMPARISONS.get(type(op))
            if symbol is None:
                self.fail("expected a comparison with < <= > >=", node)
            with self.blame(node):
                result = result & compare(symbol, left, right)
        return result


def _negative(x: Value) -> Built:
    return -x.expr, None if x.ball is None else -x.ball


def _sum(terms: list[Value]) -> Built:
    _check_bits(terms)
    balls = [t.ball for t in terms]
    return Add(*(t.expr for t in terms)), None if any(b is None for b in balls) else sum(balls[1:], balls[0])


def _product(factors: list[Value]) -> Built:
    _check_bits(factors)
    ball = None
    if all(f.ball is not None for f in factors):
        ball = factors[0].ball
        for factor in factors[1:]:
            ball = ball * factor.ball
    return Mul(*(f.expr for f in factors)), ball


def _check_bits(values: list[Value]) -> None:
    if sum(v.size.bits for v in values) > MAX_BITS:
        raise Refused(f"the numbers of the expression grow beyond {MAX_BITS} bits")
