"""asymptok completion: what a shell needs to complete commands, options, their values and kernel names."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from asymptok import kernels
from asymptok.cli.answer import Answer
from asymptok.cli.arguments import build_parser
from asymptok.show.blocks import Listing

__all__ = ["completion"]

_BASH = """# asymptok completion > ~/.local/share/bash-completion/completions/asymptok
_asymptok() {
    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} words=
    COMPREPLY=()
    case $COMP_CWORD,$command,$previous in
        1,*) words="@COMMANDS@" ;;
@CASES@
    esac
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _asymptok asymptok
"""

_ZSH = """#compdef asymptok
# asymptok completion zsh > a directory of $fpath, as _asymptok
_asymptok() {
    local -a choices
    case $CURRENT,$words[2],$words[CURRENT-1] in
        2,*) choices=(@COMMANDS@) ;;
@CASES@
    esac
    compadd -- $choices
}
_asymptok "$@"
"""

#: options whose value is a path
_PATHS = ("output", "file", "cache")


@dataclass(frozen=True, slots=True)
class _Command:
    """The words that a command takes, and the values of its options: None for a path, () for what cannot be guessed."""

    words: list[str]
    flags: list[str]
    values: dict[str, tuple[str, ...] | None]


def completion(options: argparse.Namespace) -> Answer:
    """The script for one shell."""
    script = {"bash": _bash, "zsh": _zsh, "fish": _fish}[options.shell]()
    return Answer((Listing(script.rstrip("\n")),), lambda: {options.shell: script}, verbatim=True)


def _commands() -> dict[str, _Command]:
    found = {}
    for name, parser in build_parser().commands.items():
        words: list[str] = []
        flags: list[str] = []
        values: dict[str, tuple[str, ...] | None] = {}
        for action in parser._actions:
            long = [flag for flag in action.option_strings if flag.startswith("--")]
            flags += long
            if long and action.nargs != 0:
                choices = tuple(map(str, action.choices or ()))
                values |= dict.fromkeys(long, None if action.dest in _PATHS else choices)
            elif not long:
                words += kernels.names() if action.dest == "kernel" else list(map(str, action.choices or ()))
        found[name] = _Command(words, sorted(flags), values)
    return found


def _bash() -> str:
    # an empty list of words leaves the names of files to the shell
    return _filled(_BASH, 8, lambda words: f'words="{" ".join(words)}"', ":")


def _zsh() -> str:
    return _filled(_ZSH, 8, lambda words: f"choices=({' '.join(words)})", "_files; return")


def _filled(script: str, indent: int, assign: Callable[[Sequence[str]], str], files: str) -> str:
    """The script with a case for every option that takes a value, and one for the rest of each command."""
    commands = _commands()
    cases = []
    for name, command in commands.items():
        for flag, values in command.values.items():
            cases.append(f"*,{name},{flag}) {files if values is None else assign(values)} ;;")
        cases.append(f"*,{name},*) {assign([*command.words, *command.flags])} ;;")
    filled = "\n".join(" " * indent + case for case in cases)
    return script.replace("@COMMANDS@", " ".join([*commands, "--help", "--version"])).replace(
        "@CASES@", filled
    )


def _fish() -> str:
    commands = _commands()
    lines = [
        "# asymptok completion fish > ~/.config/fish/completions/asymptok.fish",
        f"complete -c asymptok -n __fish_use_subcommand -f -a '{' '.join(commands)}'",
    ]
    for name, command in commands.items():
        start = f"complete -c asymptok -n '__fish_seen_subcommand_from {name}'"
        lines.append(f"{start} -f" + (f" -a '{' '.join(command.words)}'" if command.words else ""))
        for flag in command.flags:
            values = command.values.get(flag, ())
            value = (
                ""
                if flag not in command.values
                else " -r -F"
                if values is None
                else f" -x -a '{' '.join(values)}'"
            )
            lines.append(f"{start} -l {flag[2:]}{value}")
    return "\n".join(lines) + "\n"
