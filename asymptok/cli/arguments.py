"""The options of every command. Nothing heavy is imported here: --help and mistakes answer at once."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from pkgutil import iter_modules
from typing import NoReturn

from asymptok.version import __version__

__all__ = ["WELCOME", "Rejected", "build_parser", "read_arguments"]

WELCOME = """asymptok: what the shape of a dot-product kernel on the sphere says about its eigenvalues

  asymptok report ntk --depth 3 --dim 3       one page with everything about a kernel
  asymptok expand ntk --depth 3               the expansions at u = 1 and u = -1, exact
  asymptok expand "exp(-sqrt(1 - u))"         any formula in u will do
  asymptok decay ntk --depth 3                how fast mu_k decays, with the exact constants
  asymptok check "abs(u)"                     which conditions of the theorem hold, and why
  asymptok verify ntk --depth 3 --dim 3       does the prediction agree with the numbers?
  asymptok certify ntk --depth 3 --dim 3      bounds for every eigenvalue, proved
  asymptok table --format latex               the kernels of a paper as a LaTeX table
  asymptok kernels                            the kernels that have a name

asymptok --help lists the commands, asymptok COMMAND --help explains one."""

_KERNEL_HELP = """
a KERNEL is
  a name                       ntk, laplace, gamma_exponential, ...  (asymptok kernels lists them)
  a name with its arguments    'ntk(3)'  'laplace(c=2)'  'gamma_exponential(gamma)' keeps gamma symbolic
  a formula in u               'exp(-sqrt(1 - u))'  '(pi - arccos(u))/pi'  'u*kappa0(u) + kappa1(u)'
  a network                    'network(2, tanh)' 'network(3, gelu, tangent=True)'; see asymptok table --networks
A formula that starts with a minus sign goes after two dashes: asymptok expand -- '-u**3'

parameters
  --set gamma=1/2              a value
  --parameter gamma=0..2       a symbol with its range; 0.. means (0, oo); gamma alone takes the kernel's own range

exit status: 0 yes, 1 a mathematical no, 2 bad input, 3 a defect of the program, 4 unknown, 130 interrupted"""


class Rejected(Exception):
    """Arguments that make no sense; `prog` is the command that was given them."""

    def __init__(self, prog: str, message: str) -> None:
        super().__init__(message)
        self.prog = prog


class _Parser(argparse.ArgumentParser):
    """argparse prints its usage and exits; one line and an exit code of ours are wanted."""

    #: the parsers of the commands, by name
    commands: Mapping[str, argparse.ArgumentParser]

    def error(self, message: str) -> NoReturn:
        raise Rejected(self.prog, f"{message} ({self.prog} --help explains)")

    def _check_value(self, action: argparse.Action, value: object) -> None:
        near = difflib.get_close_matches(str(value), list(action.choices or ()), n=1)
        if action.choices is not None and value not in action.choices and near:
            self.error(f"there is no {action.metavar or action.dest} {value!r}: did you mean {near[0]}?")
        super()._check_value(action, value)


def read_arguments(argv: Sequence[str]) -> argparse.Namespace:
    """The options; Rejected with one line for what makes no sense, and the likely word for one that is misspelt."""
    parser = build_parser()
    options, unknown = parser.parse_known_args(argv)
    if unknown:
        here = parser if options.command is None else parser.commands[options.command]
        flags = [flag for action in here._actions for flag in action.option_strings]
        near = difflib.get_close_matches(unknown[0].partition("=")[0], flags, n=1)
        what = "option" if unknown[0].startswith("-") else "argument"
        here.error(f"unknown {what} {unknown[0]}" + (f": did you mean {near[0]}?" if near else ""))
    given = [word.partition("=")[0] for word in takewhile(lambda word: word != "--", argv)]
    twice = [flag for flag in dict.fromkeys(given) if flag.startswith("--") and given.count(flag) > 1]
    for flag in twice:
        if flag not in ("--set", "--parameter"):
            parser.commands[options.command].error(f"{flag} is given twice")
    if getattr(options, "json", False) and getattr(options, "format", None) is not None:
        parser.commands[options.command].error("--json and --format exclude each other")
    return options


def build_parser() -> _Parser:
    """The parser with all commands."""
    parser = _Parser(
        prog="asymptok",
        description="Exact expansions, eigenvalue decay and verdicts for dot-product kernels on the sphere.",
        epilog=f"asymptok COMMAND --help explains a command and shows examples.\n{_KERNEL_HELP}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)
    parser.commands = commands.choices
    for add in (
        _expand,
        _decay,
        _eigenvalues,
        _check,
        _verify,
        _consequences,
        _sweep,
        _plot,
        _certify,
        _table,
        _report,
        _cite,
        _kernels,
        _completion,
    ):
        add(commands)
    return parser


class _Version(argparse.Action):
    """The version and nothing else."""

    def __call__(self, parser: object, *unused: object) -> NoReturn:
        print(f"asymptok {__version__}")
        raise SystemExit(0)


def _command(
    commands: argparse._SubParsersAction[_Parser],
    name: str,
    run: str,
    about: str,
    examples: str,
    kernel: str = "one",
) -> _Parser:
    parser = commands.add_parser(
        name,
        help=about,
        description=about[0].upper() + about[1:] + ".",
        epilog=f"examples\n{examples}\n\nasymptok --help says what a KERNEL is, and lists the exit statuses",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(run=f"asymptok.cli.{run}")
    if kernel:
        parser.add_argument(
            "kernel",
            metavar="KERNEL",
            nargs={"one": None, "many": "*"}[kernel],
            help="a name or a formula in u",
        )
        parser.add_argument(
            "--depth", metavar="L" if kernel == "one" else "L,L,...", help="layers of a network kernel"
        )
        parser.add_argument(
            "--dim", type=_whole, metavar="D", help="dimension d of R^d; the sphere is S^(d-1)"
        )
        parser.add_argument(
            "--set", action="append", default=[], metavar="NAME=VALUE", help="value of a parameter"
        )
        parser.add_argument(
            "--parameter", action="append", default=[], metavar="NAME[=LOW..HIGH]", help="symbolic parameter"
        )
        parser.add_argument("--verbose", action="store_true", help="every reason and number in full")
    formats = format_names()
    parser.add_argument("--format", choices=formats, metavar="FORMAT", help=", ".join(formats))
    parser.add_argument("--json", action="store_true", help="the answer for machines")
    parser.add_argument("--output", metavar="PATH", help="write to a file; its ending suggests the format")
    return parser


def format_names() -> tuple[str, ...]:
    """Each format is a file of show/formats and has its name; to import them would take a second."""
    folder = Path(__file__).parent.parent / "show" / "formats"
    return tuple(file.name for file in iter_modules([str(folder)]) if file.name != "format")


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not an integer") from None


def _end(text: str) -> int:
    if text not in ("1", "+1", "-1"):
        raise argparse.ArgumentTypeError(f"a kernel is expanded at 1 or at -1, not at {text}")
    return int(text)


def _expand(commands: argparse._SubParsersAction[_Parser]) -> None:
    examples = """  asymptok expand ntk --depth 3
  asymptok expand gamma_exponential --parameter gamma --at 1 --order 2
  asymptok expand "exp(-c*sqrt(1 - u))" --parameter c=0.. --format latex"""
    parser = _command(commands, "expand", "expansions:expand", "the expansions at u = 1 and u = -1", examples)
    parser.add_argument("--at", type=_end, metavar="END", help="1 or -1; both if not given")
    parser.add_argument("--order", default="4", metavar="N", help="every term up to t^N (4)")


def _decay(commands: argparse._SubParsersAction[_Parser]) -> None:
    examples = """  asymptok decay ntk --depth 3
  asymptok decay laplace --parameter c --dim 3
  asymptok decay "(1-u)*log(1-u) + kappa1(u)" --json"""
    parser = _command(
        commands, "decay", "expansions:decay", "the law of mu_k for even and for odd k", examples
    )
    parser.add_argument("--order", metavar="N", help="how far the ends are expanded (as far as needed)")


def _eigenvalues(commands: argparse._SubParsersAction[_Parser]) -> None:
    examples = """  asymptok eigenvalues ntk --depth 3 --dim 3 --kmax 20
  asymptok eigenvalues laplace --dim 10 --kmax 100 --dps 15 --output laplace.csv"""
    parser = _command(
        commands, "eigenvalues", "numbers:eigenvalues", "mu_k as numbers with error bounds", examples
    )
    parser.add_argument("--kmax", type=_whole, default=20, metavar="K", help="k = 0, ..., K (20)")
    parser.add_argument("--dps", type=_whole, default=30, metavar="N", help="decimal digits (30)")
    methods = ("auto", "closed_form", "quadrature", "asymptotic", "mpmath")
    parser.add_argument(
        "--method", choices=methods, default="auto", metavar="METHOD", help=", ".join(methods)
    )


def _check(commands: argparse._SubParsersAction[_Parser]) -> None:
    examples = """  asymptok check ntk --depth 3
  asymptok check laplace --dim 3                 with positive definiteness on the sphere of R^3
  asymptok check "abs(u)"                        refuted, exit status 1"""
    about = "the conditions of the decay theorem, proved or refuted, with the evidence"
    parser = _command(commands, "check", "judgement:check", about, examples, kernel="many")
    _file(parser)
    parser.add_argument("--theorem", metavar="NAME", help="another theorem; a wrong name lists them")


def _verify(commands: argparse._SubParsersAction[_Parser]) -> None:
    examples = """  asymptok verify ntk --depth 3 --dim 3
  asymptok verify laplace --dim 5 --kmax 60 --json"""
    about = "the predicted decay against the numbers"
    parser = _command(commands, "verify", "judgement:verify", about, examples, kernel="many")
    _file(parser)
    parser.add_argument(
        "--kmax",
        type=_whole,
        default=None,
        metavar="K",
        help="k = 0, ..., K (100, and beyond where a law sets in later)",
    )
    parser.add_argument(
        "--dps", type=_whole, default=30, metavar="N", help="decimal digits of the eigenvalues (30)"
    )
    parser.add_argument(
        "--referee",
        metavar="K,K,...",
        help="degrees at which mpmath is asked (a handful); none switches it off",
    )


def _file(parser: _Parser) -> None:
    parser.add_argument("--file", metavar="PATH", help="one kernel in each line; - reads standard input")


def _consequences(commands: argparse._SubParsersAction[_Parser]) -> None:
    examples = """  asymptok consequences ntk --depth 3 --dim 3
  asymptok consequences laplace --json"""
    about = "what the decay says about function spaces, the feature map and rates"
    _command(commands, "consequences", "judgement:consequences", about, examples)


def _sweep(commands: argparse._SubParsersAction[_Parser]) -> None:
    examples = """  asymptok sweep ntk laplace --depth 3 --dims 3,5,10 --kmax 50 --output sweep.csv"""
    about = "mu_k for several kernels in several dimensions"
    parser = _command(commands, "sweep", "grids:sweep", about, examples, kernel="many")
    parser.add_argument("--dims", metavar="D,D,...", help="the dimensions (or one with --dim)")
    parser.add_argument("--kmax", type=_whole, default=20, metavar="K", help="k = 0, ..., K (20)")
    parser.add_argument("--dps", type=_whole, default=30, metavar="N", help="decimal digits (30)")
    parser.add_argument("--cache", metavar="FILE", help="keep finished cells in this SQLite file")
    parser.add_argument("--shard", metavar="I/N", help="one part of N of the cells, I counted from 0")
    parser.add_argument("--time-limit", metavar="S", type=float, help="seconds of processor time for a cell")


def _plot(commands: argparse._SubParsersAction[_Parser]) -> None:
    examples = """  asymptok plot ntk --depth 3 --dim 3 --output ntk3.pdf"""
    parser = _command(
        commands, "plot", "grids:plot", "mu_k and the prediction as a picture (matplotlib)", examples
    )
    parser.add_argument("--kmax", type=_whole, default=100, metavar="K", help="k = 0, ..., K (100)")


def _certify(commands: argparse._SubParsersAction[_Parser]) -> None:
    examples = """  asymptok certify ntk --depth 3 --dim 3
  asymptok certify laplace --dim 5 --format latex --output appendix.tex     theorem and proof, for pdflatex
  asymptok certify ntk --depth 3 --dim 3 --json --output certificate.json
  python -m asymptok.checker certificate.json      verifies it, on its own"""
    about = "bounds for every eigenvalue, proved, with explicit constants"
    _command(commands, "certify", "proofs:certify", about, examples)


def _table(commands: argparse._SubParsersAction[_Parser]) -> None:
    examples = """  asymptok table                                  the kernels of "Deep Equals Shallow"
  asymptok table ntk rf 'laplace(c)' --depth 2,3,5 --format latex
  asymptok table ntk --depth 3 --dim 3 --columns kernel,nu,c_1 --format markdown
  asymptok table --networks                       every named activation: nu, rate, function space
  asymptok table --standalone --output table.tex   a document for pdflatex"""
    about = "what a paper prints about kernels, one row each"
    parser = _command(commands, "table", "documents:table", about, examples, kernel="many")
    parser.add_argument("--columns", metavar="KEY,KEY,...", help="which columns, in which order")
    parser.add_argument("--order", metavar="N", help="show the expansions up to t^N")
    parser.add_argument("--digits", type=_whole, metavar="N", help="constants as numbers with N digits")
    parser.add_argument("--transpose", action="store_true", help="a column for each kernel")
    parser.add_argument("--group-by", metavar="KEY", help="put rows together that agree in a column")
    parser.add_argument("--networks", action="store_true", help="a row for each activation of a network")
    parser.add_argument("--caption", help="caption (LaTeX)")
    parser.add_argument("--label", help="label (LaTeX)")
    parser.add_argument("--rotate", action="store_true", help="turn a wide LaTeX table by a quarter")
    parser.add_argument("--environment", metavar="NAME", help="table, table* or sidewaystable (LaTeX)")
    parser.add_argument("--fontsize", metavar="SIZE", help="normalsize, small or footnotesize (LaTeX)")
    parser.add_argument(
        "--width", type=_whole, metavar="N", help="characters in a line, 40 in a narrow column (LaTeX)"
    )
    parser.add_argument("--siunitx", action="store_true", help="align numbers at their points (LaTeX)")
    parser.add_argument("--standalone", action="store_true", help="a complete LaTeX document")


def _report(commands: argparse._SubParsersAction[_Parser]) -> None:
    examples = """  asymptok report ntk --depth 3 --dim 3            writes ntk-depth3-dim3.html
  asymptok report "exp(-sqrt(1 - u))" --dim 10 --kmax 200 --output laplace.html"""
    about = "one HTML page with everything about a kernel, readable offline"
    parser = _command(commands, "report", "documents:report", about, examples)
    parser.add_argument("--name", help="the title of the page (the name or the formula of the kernel)")
    parser.add_argument("--kmax", type=_whole, default=101, metavar="K", help="eigenvalues up to mu_K (101)")
    parser.add_argument(
        "--dps", type=_whole, default=20, metavar="N", help="decimal digits of the eigenvalues (20)"
    )


def _cite(commands: argparse._SubParsersAction[_Parser]) -> None:
    examples = """  asymptok cite ntk --depth 3 --output references.bib
  asymptok cite"""
    _command(
        commands, "cite", "documents:cite", "BibTeX for kernels, or for everything", examples, kernel="many"
    )


def _kernels(commands: argparse._SubParsersAction[_Parser]) -> None:
    examples = "  asymptok kernels\n  asymptok kernels --json"
    _command(commands, "kernels", "documents:kernels", "the kernels that have a name", examples, kernel="")


def _completion(commands: argparse._SubParsersAction[_Parser]) -> None:
    examples = """  asymptok completion > ~/.local/share/bash-completion/completions/asymptok
  asymptok completion zsh > ~/.zfunc/_asymptok
  asymptok completion fish > ~/.config/fish/completions/asymptok.fish"""
    parser = _command(
        commands,
        "completion",
        "completion:completion",
        "a script that completes words in bash, zsh or fish",
        examples,
        kernel="",
    )
    parser.add_argument(
        "shell", nargs="?", choices=("bash", "zsh", "fish"), default="bash", help="the shell (bash)"
    )
