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


_ZSH = """#compdef asymptok
# asymptok completion zsh > a directory of $fpath, as _asymptok
_asymptok() {
    local -a choices
    if (( CURRENT == 2 )); then
        choices=(@COMMANDS@)
    elif [[ $words[CURRENT-1] == --output || $words[CURRENT-1] == --file ]]; then
        _files; return
    else
        case $words[2] in
@CASES@
        esac
    fi
    compadd -- $choices
}
_asymptok "$@"
"""


def completion(options: Any) -> Answer:
    """The script for one shell."""
    script = {"bash": _bash, "zsh": _zsh, "fish": _fish}[options.shell]()
    return Answer((Listing(script.rstrip("\n")),), lambda: {options.shell: script}, verbatim=True)


def _words() -> dict[str, tuple[list[str], list[str]]]:
    """For each command the names of kernels that it takes, and its options."""
    found = {}
    for name, parser in build_parser().commands.items():
        actions = parser._actions
        flags = sorted(flag for a in actions for flag in a.option_strings if flag.startswith("--"))
        takes_kernel = any(action.dest == "kernel" for action in actions)
        found[name] = (kernels.names() if takes_kernel else [], flags)
    return found


def _zsh() -> str:
    cases = "\n".join(
        f"            {name}) choices=({' '.join([*names, *flags])}) ;;"
        for name, (names, flags) in _words().items()
    )
    script = _ZSH.replace("local -a words\n", "local -a choices\n").replace(
        "words=(@COMMANDS@)", "choices=(@COMMANDS@)"
    )
    return script.replace("@COMMANDS@", " ".join([*_words(), "--help", "--version"])).replace(
        "@CASES@", cases
    )


def _fish() -> str:
    lines = ["# asymptok completion fish > ~/.config/fish/completions/asymptok.fish"]
    lines.append(f"complete -c asymptok -n __fish_use_subcommand -f -a '{' '.join(_words())}'")
    for name, (names, flags) in _words().items():
        seen = f"-n '__fish_seen_subcommand_from {name}'"
        if names:
            lines.append(f"complete -c asymptok {seen} -f -a '{' '.join(names)}'")
        lines += [f"complete -c asymptok {seen} -l {flag[2:]}" for flag in flags]
    return "\n".join(lines) + "\n"


def _bash() -> str:
    commands = _words()
    cases = [
        f'            *,{name}) words="{" ".join([*names, *flags])}" ;;'
        for name, (names, flags) in commands.items()
    ]
    script = _BASH.replace("@COMMANDS@", " ".join([*commands, "--help", "--version"])).replace(
        "@CASES@", "\n".join(cases)
    )
    return script
