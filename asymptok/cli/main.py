"""Run a command, print its answer, turn every error into one line and an exit code."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from asymptok.cli.arguments import WELCOME, Rejected, read_arguments
from asymptok.errors import (
    AsymptokError,
    ExpansionError,
    Impossible,
    Obstruction,
    ParseError,
    PrecisionError,
    Undecided,
)
from asymptok.ways_out import at_the_shell

if TYPE_CHECKING:
    from asymptok.cli.answer import Answer

__all__ = ["main"]

YES, NO, BAD_INPUT, DEFECT, UNKNOWN, INTERRUPTED = 0, 1, 2, 3, 4, 130


def main(argv: Sequence[str] | None = None) -> int:
    """The exit code: 0 yes, 1 a mathematical no, 2 bad input, 3 a defect of the program, 4 unknown, 130 interrupted."""
    try:
        with at_the_shell():
            code = _run(sys.argv[1:] if argv is None else argv)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # the reader (head, less) has gone; Python must not complain again when it flushes at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return YES
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(argv: Sequence[str]) -> int:
    command = "asymptok"
    try:
        options = read_arguments(argv)
        if options.command is None:
            print(WELCOME)
            return YES
        command = f"asymptok {options.command}"
        options.words = list(argv)
        module, function = options.run.split(":")
        answer = getattr(importlib.import_module(module), function)(options)
        _print(answer, options)
        return int(answer.code)
    except Rejected as error:
        return _complain(error.prog, str(error), BAD_INPUT)
    except ExpansionError as error:
        # a limit of the method is no statement about the kernel
        open_question = error.kind in (Obstruction.METHOD, Obstruction.IRREGULAR)
        return _complain(command, str(error), UNKNOWN if open_question else NO)
    except Impossible as error:
        return _complain(command, str(error), NO)
    except (Undecided, PrecisionError) as error:
        return _complain(command, str(error), UNKNOWN)
    except ParseError as error:
        # the lines below the first repeat the input with a caret
        return _complain(command, f"{str(error).splitlines()[0]} in {error.text!r}", BAD_INPUT)
    except AsymptokError as error:
        return _complain(command, str(error), BAD_INPUT)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        return _complain(
            command, f"{error.filename or ''}: {error.strerror or error}".lstrip(": "), BAD_INPUT
        )
    except Exception as error:
        if os.environ.get("ASYMPTOK_DEBUG"):
            raise
        told = f"{type(error).__name__}: {error}"[:300]
        return _complain(
            command, f"unexpected error, please report it (ASYMPTOK_DEBUG=1 shows where): {told}", DEFECT
        )


def _complain(command: str, message: str, code: int) -> int:
    _say(f"{command}: {' '.join(message.split())}", sys.stderr)
    return code


def _print(answer: Answer, options: argparse.Namespace) -> None:
    text = answer.text(options)
    path = getattr(options, "output", None)
    if path is None or answer.written:
        _say(text, sys.stdout)
        return
    with open(path, "w", encoding="utf-8") as file:
        file.write(text if text.endswith("\n") else text + "\n")
    _say(str(path), sys.stdout)


#: for terminals that know no more than ASCII
_PLAIN = str.maketrans(
    {
        "\u2713": "+", "\u2717": "x", "\u2212": "-", "\u2026": "...", "\u00b7": "*", "\u03ba": "kappa", "\u03bc": "mu",
        "\u03bd": "nu", "\u03c0": "pi", "\u221a": "sqrt", "\u2264": "<=", "\u2265": ">=", "\u2260": "!=", "\u2248": "~",
        "\u223c": "~", "\u00d7": "x", "\u2013": "-", "\u2014": "-", "\u2192": "->", "\u221e": "oo", "\u00e9": "e",
        "\u2500": "-", "\u2502": "|", "\u2550": "=",
    }
)  # fmt: skip


def _say(text: str, stream: TextIO) -> None:
    """Print, in other characters where the terminal has not got these."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.translate(_PLAIN).encode(encoding, "replace").decode(encoding)
    print(text, file=stream)
