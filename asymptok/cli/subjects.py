"""From the words of a command line to kernels."""

from __future__ import annotations

import argparse
import difflib
import inspect
import re
import sys
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from sympy import Expr

from asymptok import activations, dag, kernels
from asymptok.errors import AsymptokError, ParseError
from asymptok.kernels.kernel import Kernel
from asymptok.parameters import CONSTANTS
from asymptok.parsing import parse
from asymptok.symbols import u

__all__ = ["listed_kernels", "one_kernel", "python_source", "several_kernels"]

_ALIASES = {"rf": "random_features", "step": "step_features"}
_WORDS = {"true": True, "yes": True, "false": False, "no": False}
_CALL = re.compile(r"([A-Za-z][A-Za-z0-9_-]*)\s*\((.*)\)\s*", re.DOTALL)
#: a kernel argument that is left symbolic
_SYMBOLIC = object()


@dataclass(frozen=True, slots=True)
class Given:
    """The parameters from the options; `used` collects the names that some kernel took."""

    depths: tuple[int, ...]
    dim: int | None
    values: Mapping[str, object]
    ranges: Mapping[str, tuple[str, str] | None]
    used: set[str]
    known: set[str]

    @staticmethod
    def read(options: argparse.Namespace) -> Given:
        values = dict(_assignment(text, "--set") for text in options.set)
        ranges = dict(_range(text) for text in options.parameter)
        for name in values.keys() & ranges.keys():
            raise AsymptokError(
                f"{name} has both a value (--set) and a range (--parameter): give one of them"
            )
        return Given(_depths(options.depth), options.dim, values, ranges, set(), set())

    def check_used(self, subject: str) -> None:
        """An option that nothing took is a mistake, not a wish to ignore."""
        wanted = {*self.values, *self.ranges} | ({"depth"} if self.depths else set())
        for name in sorted(wanted - self.used):
            known = sorted(self.known)
            near = difflib.get_close_matches(name, known, n=1)
            hint = f": did you mean {near[0]}?" if near else (f"; it has {', '.join(known)}" if known else "")
            raise AsymptokError(f"{subject} has no parameter {name}{hint}")


def one_kernel(options: argparse.Namespace) -> Kernel:
    """The kernel of a command that takes exactly one."""
    given = Given.read(options)
    found = _kernels(options.kernel, given)
    given.check_used(options.kernel)
    if len(found) != 1:
        raise AsymptokError(
            f"{options.command} takes one depth, not {len(found)}: asymptok table takes several"
        )
    return found[0]


def listed_kernels(options: argparse.Namespace) -> list[tuple[str, Kernel]]:
    """The kernels of a command that judges each of them: the arguments, then the lines of --file ("-": standard input).

    Empty lines and lines that start with # are passed over.
    """
    given = Given.read(options)
    texts = [(text, "") for text in options.kernel]
    if options.file is not None:
        try:
            with (
                nullcontext(sys.stdin)
                if options.file == "-"
                else open(options.file, encoding="utf-8") as lines
            ):
                read = [line.strip() for line in lines]
        except UnicodeDecodeError:
            raise AsymptokError(f"{options.file} is not a text file") from None
        name = "standard input" if options.file == "-" else options.file
        texts += [(line, f"{name}, line {i}: ") for i, line in enumerate(read, 1) if line and line[0] != "#"]
    if not texts:
        raise AsymptokError(
            "no kernel: name one, for example ntk, or give --file with one kernel in each line"
        )
    found: list[tuple[str, Kernel]] = []
    for text, where in texts:
        try:
            found += [(text, kernel) for kernel in _kernels(text, given)]
        except AsymptokError as error:
            if not where:
                raise
            raise AsymptokError(f"{where}{str(error).splitlines()[0]}") from None
    given.check_used("none of these kernels" if len(texts) > 1 else texts[0][0])
    return found


def several_kernels(options: argparse.Namespace) -> list[Kernel]:
    """The kernels of a command that takes any number; each depth gives a row of its own."""
    given = Given.read(options)
    found = [kernel for text in options.kernel for kernel in _kernels(text, given)]
    if options.kernel:
        given.check_used("none of these kernels" if len(options.kernel) > 1 else options.kernel[0])
        if {*given.values, *given.ranges} - given.used:
            raise AsymptokError("parameters were given that no kernel has")
    elif given.values or given.ranges or given.depths:
        raise AsymptokError("--depth, --set and --parameter belong to a kernel: name one, for example ntk")
    return found


def python_source(options: argparse.Namespace) -> str:
    """Python for the kernel of the command line, where it is a named one without symbolic parameters; else ""."""
    given = Given.read(options)
    call = _as_call(options.kernel)
    name = _name(call[0] if call else options.kernel)
    if name is None or given.ranges:
        return ""
    accepted = inspect.signature(getattr(kernels, name)).parameters
    values = {
        **given.values,
        **_call_arguments(name, call[1] if call else "", list(accepted)),
    }
    if "depth" in accepted and given.depths:
        values.setdefault("depth", given.depths[0])
    if "d" in accepted and given.dim is not None:
        values.setdefault("d", given.dim)
    plain = (f"{key}={value}" if _is_plain(value) else f'{key}="{value}"' for key, value in values.items())
    return f"kernels.{name}({', '.join(plain)})"


def _is_plain(value: object) -> bool:
    return isinstance(value, bool | int) or getattr(value, "is_Integer", False)


def _kernels(text: str, given: Given) -> list[Kernel]:
    name = _name(text)
    if name is not None:
        return _named(name, "", given)
    call = _as_call(text)
    if call is not None and (name := _name(call[0])) is not None:
        return _named(name, call[1], given)
    return [_formula(text, given)]


def _as_call(text: str) -> tuple[str, str] | None:
    """Name and arguments of 'laplace(2)'; None for a formula such as 'laplace(2)*ntk(3)'."""
    found = _CALL.fullmatch(text.strip())
    if found is None:
        return None
    depth = 0
    for character in found[2]:
        depth += (character == "(") - (character == ")")
        if depth < 0:
            return None
    return found[1], found[2]


def _name(text: str) -> str | None:
    word = text.strip().lower().replace("-", "_")
    word = _ALIASES.get(word, word)
    return word if word in kernels.names() else None


# --------------------------------------------------------------------------------- named kernels


def _named(name: str, arguments: str, given: Given) -> list[Kernel]:
    """The kernel once for each depth, or once."""
    accepted = inspect.signature(getattr(kernels, name)).parameters
    given.known.update(accepted)
    values = _call_arguments(name, arguments, list(accepted))
    for key, value in given.values.items():
        if key in accepted:
            values.setdefault(key, value)
            given.used.add(key)
    for key in given.ranges:
        if key in accepted:
            values.setdefault(key, _SYMBOLIC)
            given.used.add(key)
    if "d" in accepted and given.dim is not None:
        values.setdefault("d", given.dim)
    depths: list[int | None] = [None]
    if "depth" in accepted and given.depths and "depth" not in values:
        given.used.add("depth")
        depths = list(given.depths)
    out = []
    for depth in depths:
        full = values if depth is None else {**values, "depth": depth}
        _refuse_missing(name, accepted, full, given)
        out.append(_restricted(_build(name, full), given))
    return out


def _build(name: str, values: Mapping[str, object]) -> Kernel:
    kernel = kernels.get(name, **{key: key if value is _SYMBOLIC else value for key, value in values.items()})
    assert isinstance(kernel, Kernel)
    return kernel


def _restricted(kernel: Kernel, given: Given) -> Kernel:
    """The ranges of --parameter lie in those that the kernel brings."""
    brought = [s.name for s in kernel.parameters]
    given.known.update(brought)
    given.used.update(given.ranges.keys() & brought)
    narrower = {name: given.ranges[name] for name in brought if given.ranges.get(name) is not None}
    return Kernel(kernel, parameters=narrower) if narrower else kernel


def _refuse_missing(
    name: str, accepted: Mapping[str, inspect.Parameter], values: Mapping[str, object], given: Given
) -> None:
    missing = [
        key for key, p in accepted.items() if p.default is inspect.Parameter.empty and key not in values
    ]
    if not missing:
        return
    key = missing[0]
    for other in sorted({*given.values, *given.ranges} - set(accepted)):
        if difflib.get_close_matches(other, missing, n=1):
            raise AsymptokError(f"{name} has no parameter {other}: did you mean {key}?")
    hints = {"depth": "--depth 3", "d": "--dim 3"}
    way = hints.get(key, f"--set {key}=1/2, or --parameter {key} to keep it symbolic")
    if key in ("order", "degree"):
        way = f"--set {key}=2"
    raise AsymptokError(f"{name} needs a value for {key}: add {way}")


#: outside of one pair of brackets, as in 'network(2, leaky_relu(x, 1/10))'
_OUTER_COMMA = re.compile(r",(?![^()]*\))")


def _call_arguments(name: str, text: str, accepted: list[str]) -> dict[str, object]:
    """The arguments of 'laplace(c=2)' or 'ntk(3)'."""
    values: dict[str, object] = {}
    for i, part in enumerate(filter(None, (part.strip() for part in _OUTER_COMMA.split(text)))):
        key, equals, value = part.partition("=")
        if not equals or "(" in key:
            if i >= len(accepted):
                raise AsymptokError(
                    f"{name} takes {len(accepted)} arguments ({', '.join(accepted)}), not more"
                )
            key, value = accepted[i], part
        key = key.strip()
        if key not in accepted:
            raise AsymptokError(f"{name} has no parameter {key!r}; it has {', '.join(accepted) or 'none'}")
        values[key] = value.strip() if _is_symbol(value.strip()) else _value(key, value)
    return values


def _is_symbol(text: str) -> bool:
    return text.isidentifier() and text.lower() not in _WORDS and text not in CONSTANTS


# ---------------------------------------------------------------------------------- formulas


def _formula(text: str, given: Given) -> Kernel:
    parameters: dict[str, object] = {}
    for name, value in given.values.items():
        if re.search(rf"\b{re.escape(name)}\b", text):
            parameters[name] = value
            given.used.add(name)
    for name, bounds in given.ranges.items():
        if re.search(rf"\b{re.escape(name)}\b", text):
            parameters[name] = bounds
            given.used.add(name)
    try:
        kernel = Kernel(text, parameters=parameters)
    except ParseError as error:
        raise _explained(text, error) from None
    if kernel.parameters and u not in dag.free_symbols(kernel.expr):
        names = ", ".join(symbol.name for symbol in kernel.parameters)
        raise AsymptokError(f"{text} has no u, only {names}: a kernel is a function of u; did you mean u?")
    return kernel


def _explained(text: str, error: ParseError) -> AsymptokError:
    """A lone word was meant as a name; an unknown name inside a formula is declared with an option."""
    word = text.strip()
    if word == "-" or Path(word).suffix == ".txt" or Path(word).is_file():
        return AsymptokError(f"{word!r} is no kernel: --file {word} reads one kernel from each line")
    if word.replace("-", "_").isidentifier():
        if activations.spelled(word) is not None:
            return AsymptokError(
                f"{word} is an activation: 'network(2, {word})' is its kernel, with 2 layers"
            )
        near = difflib.get_close_matches(word.lower().replace("-", "_"), kernels.names(), n=1)
        hint = f"did you mean {near[0]}?" if near else "asymptok kernels lists them"
        return AsymptokError(f"there is no kernel {word!r}: {hint}")
    function, name = error.unknown_function, error.unknown_name
    if function is not None and error.position == 0 and _name(function) is None:
        if activations.spelled(function) is not None:
            return AsymptokError(
                f"{function} is an activation: 'network(2, {function})' is its kernel, with 2 layers"
            )
        near = difflib.get_close_matches(function.lower(), kernels.names(), n=1)
        if near:
            return AsymptokError(f"there is no kernel {function!r}: did you mean {near[0]}?")
    if name is not None:
        return AsymptokError(
            f"{name!r} is not known in {text!r}: give it a value (--set {name}=1) or a range (--parameter {name}=0..)"
        )
    return ParseError(str(error).splitlines()[0], text, error.position)


# ------------------------------------------------------------------------------------ option values


def _assignment(text: str, option: str) -> tuple[str, Expr | bool | str]:
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not name.isidentifier() or not value:
        raise AsymptokError(f"{option} takes NAME=VALUE, for example {option} gamma=1/2, not {text!r}")
    return name, _value(name, value)


def _value(name: str, text: str) -> Expr | bool | str:
    """A boolean word or an exact number: 1/2, 0.1, sqrt(2)."""
    word = text.strip()
    if word.lower() in _WORDS:
        return _WORDS[word.lower()]
    if name == "activation":
        return word
    try:
        value = parse(word)
    except ParseError as error:
        if _is_symbol(word):
            raise AsymptokError(
                f"the value of {name} is not a number but a name, {word!r}; --parameter {name} keeps it symbolic"
            ) from None
        raise AsymptokError(f"the value of {name} is not a number: {str(error).splitlines()[0]}") from None
    if dag.free_symbols(value):
        raise AsymptokError(
            f"the value of {name} is a number, not {word!r}; --parameter {name} keeps it symbolic"
        )
    return value


def _range(text: str) -> tuple[str, tuple[str, str] | None]:
    name, equals, bounds = (part.strip() for part in text.partition("="))
    if not name.isidentifier():
        raise AsymptokError(f"--parameter takes NAME or NAME=LOW..HIGH, for example gamma=0..2, not {text!r}")
    if not equals:
        return name, None
    low, dots, high = (part.strip() for part in bounds.partition(".."))
    if not dots:
        raise AsymptokError(f"the range of {name} is LOW..HIGH, for example 0..2 or 0.., not {bounds!r}")
    return name, (low or "-oo", high or "oo")


def _depths(text: str | None) -> tuple[int, ...]:
    if text is None:
        return ()
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise AsymptokError(f"--depth takes an integer >= 1, not {text!r}") from None
