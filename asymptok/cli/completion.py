"""asymptok completion: what a shell needs to complete commands, options and kernel names."""

from __future__ import annotations

from typing import Any

from asymptok import kernels
from asymptok.cli.answer import Answer
from asymptok.cli.arguments import build_parser
from asymptok.reporting.blocks import Listing

__all__ = ["completion"]

_BASH = """# asymptok completion > ~/.local/share/bash-completion/completions/asymptok
_asymptok() {
    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} words
    COMPREPLY=()
    case $previous in
        --format) words="text latex markdown html csv" ;;
        --output) COMPREPLY=($(compgen -f -- "$word")); return ;;
    esac
    if [ -z "$words" ]; then
        case $COMP_CWORD,$command in
            1,*) words="@COMMANDS@" ;;
@CASES@
        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _asymptok asymptok
"""


def completion(options: Any) -> Answer:
    """The script for bash; zsh reads it after `autoload bashcompinit && bashcompinit`."""
    commands = build_parser().commands
    names = " ".join(kernels.names())
    cases = []
    for name, parser in commands.items():
        flags = sorted(
            flag for action in parser._actions for flag in action.option_strings if flag.startswith("--")
        )
        takes_kernel = any(action.dest == "kernel" for action in parser._actions)
        words = " ".join([*([names] if takes_kernel else []), *flags])
        cases.append(f'            *,{name}) words="{words}" ;;')
    script = _BASH.replace("@COMMANDS@", " ".join([*commands, "--help", "--version"])).replace(
        "@CASES@", "\n".join(cases)
    )
    return Answer((Listing(script.rstrip("\n")),), lambda: {"bash": script}, verbatim=True)
