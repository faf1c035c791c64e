"""Run a command, print its answer, turn every error into one line and an exit code."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any

from asymptok.cli.arguments import WELCOME, Rejected, build_parser
from asymptok.errors import AsymptokError, ExpansionError, ParseError

__all__ = ["main"]

YES, NO, BAD_INPUT, DEFECT, INTERRUPTED = 0, 1, 2, 3, 130


def main(argv: Sequence[str] | None = None) -> int:
    """The exit code: 0 yes, 1 a mathematical no, 2 bad input, 3 a defect of the program, 130 interrupted."""
    try:
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
        parser = build_parser()
        options = parser.parse_args(argv)
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
        return _complain(command, str(error), NO)
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
    print(f"{command}: {' '.join(message.split())}", file=sys.stderr)
    return code


def _print(answer: Any, options: Any) -> None:
    text = answer.text(options)
    path = getattr(options, "output", None)
    if path is None or answer.written:
        print(text)
        return
    with open(path, "w", encoding="utf-8") as file:
        file.write(text if text.endswith("\n") else text + "\n")
    print(path)
