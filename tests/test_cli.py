"""The command line: answers in every format, exit codes, one line for every mistake, no traceback."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import asymptok
from asymptok.cli import main
from asymptok.cli.arguments import build_parser

COMMANDS = [
    "expand",
    "decay",
    "eigenvalues",
    "check",
    "verify",
    "certify",
    "consequences",
    "sweep",
    "plot",
    "certify",
    "table",
    "report",
    "cite",
    "kernels",
]


class Run:
    """One run of the program inside this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *words: str) -> None:
        try:
            self.code = main(list(words))
        except SystemExit as end:  # --help and --version
            self.code = int(end.code or 0)
        self.out, self.err = capsys.readouterr()

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    return lambda *words: Run(capsys, *words)


# ---------------------------------------------------------------------------------- the way in


def test_alone_it_shows_the_way_in(run: Any) -> None:
    done = run()
    assert done.code == 0 and done.err == ""
    assert "asymptok report ntk --depth 3 --dim 3" in done.out


def test_version_and_help(run: Any) -> None:
    assert run("--version").out == f"asymptok {asymptok.__version__}\n"
    for command in COMMANDS:
        assert command in run("--help").out
        told = run(command, "--help")
        assert told.code == 0 and "examples" in told.out and f"asymptok {command}" in told.out


def test_the_parser_knows_the_commands_of_the_tests() -> None:
    assert {*COMMANDS, "completion"} == set(build_parser().commands)


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("asymptok rep", "report"),
        ("asymptok expand gam", "gamma_exponential"),
        ("asymptok table --stand", "--standalone"),
    ],
)
def test_bash_completes(run: Any, typed: str, expected: str) -> None:
    words = " ".join(f"'{word}'" for word in typed.split())
    last = len(typed.split()) - 1
    script = (
        f"{run('completion').out}\nCOMP_WORDS=({words}) COMP_CWORD={last}\n_asymptok; echo ${{COMPREPLY[@]}}"
    )
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == [expected]


def test_every_example_of_the_help_is_accepted(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import shlex

    monkeypatch.chdir(tmp_path)
    for command in COMMANDS:
        text = run(command, "--help").out
        examples = text[text.index("examples") :].splitlines()
        # what follows two blanks explains the example
        lines = [line.strip().split("  ")[0] for line in examples if line.startswith("  asymptok ")]
        assert lines
        for line in lines:
            words = shlex.split(line)[1:]
            if words == ["table", "--networks"]:
                continue  # a test of its own
            if words[0] == "report":
                if "--kmax" in words:
                    at = words.index("--kmax")
                    del words[at : at + 2]
                words += ["--kmax", "12"]  # a short page
            done = run(*words)
            assert done.code == (1 if "abs(u)" in line else 0), (line, done.err)


# ------------------------------------------------------------------------------------- answers


def test_expand(run: Any) -> None:
    done = run("expand", "ntk", "--depth", "3", "--order", "1")
    assert done.code == 0
    expected = "kappa(1 - t) = 3 - 3 sqrt(2)/pi t^(1/2) + (-3 + 10/(3 pi^2)) t + O(t^(3/2))"
    assert expected in " ".join(done.out.split())
    assert "kappa(-1 + t) = 1/pi" in done.out


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("ntk", "--depth", "2"), "-sqrt(2)/pi"),
        (("ntk(2)",), "-sqrt(2)/pi"),
        (("NTK(depth=2)",), "-sqrt(2)/pi"),
        (("u*kappa0(u) + kappa1(u)",), "-sqrt(2)/pi"),
        (("laplace",), "-1"),
        (("laplace", "--set", "c=1/2"), "-1/2"),
        (("laplace(c)",), "-c"),
        (("laplace", "--parameter", "c"), "-c"),
        (("gamma-exponential", "--parameter", "gamma=0..1", "--set", "c=sqrt(2)"), "-sqrt(2)"),
        (("exp(-a*sqrt(1-u))", "--parameter", "a=0.."), "-a"),
        (("exp(-a*sqrt(1-u))", "--set", "a=0.25"), "-1/4"),
        (("step_features", "--depth", "3", "--set", "relu_above=yes"), "-sqrt(2)/pi"),
        (("poisson(1/2)", "--dim", "3"), None),
    ],
)
def test_kernels_are_given_by_name_call_or_formula(
    run: Any, words: tuple[str, ...], expected: str | None
) -> None:
    done = run("expand", *words, "--at", "1", "--json", "--order", "1")
    assert done.code == 0, done.err
    (expansion,) = done.json["expansions"]
    assert expansion["at"] == 1
    assert expansion["coefficient"] == expected


def test_a_formula_with_a_leading_minus_goes_after_two_dashes(run: Any) -> None:
    assert "-1 + 3 t" in run("expand", "--at", "1", "--", "-u**3").out


def test_formats(run: Any, tmp_path: Path) -> None:
    words = ("expand", "laplace(c)", "--at", "1", "--order", "1")
    assert r"\kappa(1-t) = 1 - c\,t^{1/2}" in run(*words, "--format", "latex").out
    assert "$$" in run(*words, "--format", "markdown").out
    assert "<math" in run(*words, "--format", "html").out
    assert run(*words, "--format", "csv").out.splitlines()[0] == "at,exponent,log_power,coefficient,value"
    for name, sign in {
        "x.tex": r"\kappa",
        "x.md": "$$",
        "x.html": "<math",
        "x.csv": "at,",
        "x.json": "{",
    }.items():
        path = tmp_path / name
        assert run(*words, "--output", str(path)).out.strip() == str(path)
        assert sign in path.read_text(encoding="utf-8"), name


def test_decay(run: Any) -> None:
    done = run("decay", "ntk", "--depth", "3", "--dim", "3", "--json")
    assert done.json["nu"] == "1/2"
    assert done.json["even"]["constant"] == "7/(4*pi)" and done.json["odd"]["constant"] == "5/(4*pi)"
    assert done.json["even"]["exponent"] == "-3"
    assert "all k  mu_k ~ -c C(d, 1/2) k^(-d)" in run("decay", "laplace(c)").out
    assert "mu_k = 0 for odd k >= 3" in run("decay", "ntk(2)").out
    assert "mu_k = O(r^(-k)) for every r" in run("decay", "gaussian").out
    assert r"\mu_k \sim" in run("decay", "matern(1)", "--format", "latex").out
    assert run("decay", "ntk(3)", "--format", "csv").out.splitlines()[1].startswith("even,algebraic,-d,0,")


def test_eigenvalues(run: Any) -> None:
    done = run("eigenvalues", "ntk", "--depth", "2", "--dim", "3", "--kmax", "3", "--json")
    assert done.json["rigorous"] is True
    assert [row["mu"][:6] for row in done.json["rows"]] == ["0.5", "0.3333", "0.0781", "0.0"]
    sheet = run("eigenvalues", "ntk(2)", "--dim", "3", "--kmax", "3", "--format", "csv").out
    assert sheet.splitlines()[0] == "k,mu,error,multiplicity,method"
    assert "error bounds proved" in run("eigenvalues", "ntk(2)", "--dim", "3", "--kmax", "3").out


def test_check_is_a_yes_or_a_no(run: Any) -> None:
    yes = run("check", "ntk", "--depth", "3", "--json")
    assert yes.code == 0 and yes.json["holds"] is True
    no = run("check", "abs(u)")
    assert no.code == 1 and no.err == "" and "kink at u = 0" in no.out
    assert run("check", "gaussian", "--theorem", "smooth").code == 0
    assert run("check", "ntk(3)", "--format", "csv").out.startswith("status,condition,evidence")


def test_verify_is_a_yes_or_a_no(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    yes = run("verify", "ntk(3)", "--dim", "3", "--kmax", "24", "--json")
    assert yes.code == 0 and yes.json["passed"] is True
    assert len(yes.json["rows"]) == 25
    assert float(yes.json["fitted_exponent"]["even"]) == pytest.approx(-3, abs=1e-2)
    assert "agree with the predicted law" in run("verify", "laplace", "--dim", "3", "--kmax", "24").out
    assert (
        len(run("verify", "laplace", "--dim", "3", "--kmax", "24", "--format", "csv").out.splitlines()) == 26
    )

    from asymptok.laws import decay
    from asymptok.verification import verify

    wrong = decay(asymptok.kernels.ntk(3))
    monkeypatch.setattr(
        "asymptok.cli.judgement.confront",
        lambda kernel, d, **options: verify(kernel, d, prediction=wrong, **options),
    )
    no = run("verify", "ntk(2)", "--dim", "3", "--kmax", "24")
    assert no.code == 1 and no.err == "" and "do not follow the predicted law" in no.out


def test_table(run: Any, tmp_path: Path) -> None:
    done = run("table", "ntk", "laplace(c)", "--depth", "2,3", "--columns", "kernel,c_1", "--json")
    assert [row["c_1"] for row in done.json["rows"]] == ["-sqrt(2)/pi", "-3*sqrt(2)/pi", "-c"]
    path = tmp_path / "table.tex"
    assert run("table", "ntk(2)", "--columns", "nu", "--standalone", "--output", str(path)).code == 0
    assert path.read_text(encoding="utf-8").startswith(r"\documentclass")
    captioned = run(
        "table", "ntk(2)", "--columns", "nu", "--format", "latex", "--caption", "C", "--label", "t"
    ).out
    assert r"\caption{C}" in captioned and r"\label{t}" in captioned
    assert "random features, depth 5" in run("table", "--columns", "kernel").out


def test_report(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("report", "ntk", "--depth", "3", "--dim", "3", "--kmax", "8")
    assert (done.code, done.out) == (0, "ntk-depth3-dim3.html\n")
    page = Path("ntk-depth3-dim3.html").read_text(encoding="utf-8")
    assert "asymptok report ntk --depth 3 --dim 3 --kmax 8" in page and "kernels.ntk(depth=3)" in page
    there = tmp_path / "there.html"
    assert run("report", "laplace", "--dim", "3", "--kmax", "4", "--output", str(there), "--json").json[
        "path"
    ] == str(there)
    assert there.exists()


def test_kernels_lists_all_and_cite_prints_bibtex(run: Any) -> None:
    listed = [entry["name"] for entry in run("kernels", "--json").json]
    assert listed == asymptok.kernels.names()
    assert "gamma_exponential(gamma, c=1)" in run("kernels").out
    assert "@inproceedings{Jacot2018," in run("cite", "ntk(3)").out
    assert "Jacot2018" not in run("cite", "erf_network").out


# -------------------------------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ("foo", 2, "invalid choice: 'foo'"),
        ("expand", 2, "required: KERNEL"),
        ("expand ntk", 2, "ntk needs a value for depth: add --depth 3"),
        ("expand gamma_exponential", 2, "--set gamma=1/2, or --parameter gamma"),
        ("expand poisson(1/2)", 2, "add --dim 3"),
        ("expand arc_cosine", 2, "add --set order=2"),
        ("expand ntkk", 2, "there is no kernel 'ntkk': did you mean ntk?"),
        ("expand wobble", 2, "asymptok kernels lists them"),
        ("expand u^2", 2, "write **"),
        ("expand exp(-c*u)", 2, "--set c=1) or a range (--parameter c=0..)"),
        ("expand __import__('os')", 2, ""),
        ("expand laplace --depth 3", 2, "laplace has no parameter depth"),
        ("expand laplace --set d=3", 2, "laplace has no parameter d"),
        ("expand laplace --set c", 2, "--set takes NAME=VALUE"),
        ("expand laplace --set c=-1", 2, "(0, oo)"),
        ("expand laplace --set c=x", 2, "not a number"),
        ("expand laplace --set c=u", 2, "--parameter c keeps it symbolic"),
        ("expand laplace --set c=1 --parameter c", 2, "both a value (--set) and a range"),
        ("expand laplace --parameter c=5", 2, "LOW..HIGH"),
        ("expand laplace --parameter c=2..1", 2, "empty"),
        ("expand laplace(1,2)", 2, "takes 1 arguments"),
        ("expand laplace(z=2)", 2, "no parameter 'z'"),
        ("expand ntk --depth three", 2, "--depth takes an integer"),
        ("expand ntk --depth 2,3", 2, "takes one depth"),
        ("expand ntk --depth 0", 2, "the depth is an integer >= 1"),
        ("expand ntk --depth 3 --at 0", 2, "at 1 or at -1"),
        ("expand ntk --depth 3 --order x", 2, "--order takes a number"),
        ("expand ntk --depth 3 --format pdf", 2, "invalid choice: 'pdf'"),
        ("expand ntk --depth 3 --output /nowhere/x.txt", 2, "/nowhere/x.txt: No such file"),
        ("expand 1/(1-u)", 1, "unbounded at u = 1"),
        ("decay matern --parameter nu", 4, "give nu a range without integers"),
        ("eigenvalues ntk --depth 3", 2, "add --dim 3"),
        ("eigenvalues ntk --depth 3 --dim 1", 2, "integer >= 2"),
        ("eigenvalues ntk --depth 3 --dim x", 2, "'x' is not an integer"),
        ("eigenvalues laplace(c) --dim 3", 2, "still has the parameter c"),
        ("eigenvalues ntk(3) --dim 3 --kmax -1", 2, "integer >= 0"),
        ("check u --theorem riemann", 2, "there is no theorem 'riemann'"),
        ("table u --columns colour", 2, "no column 'colour'"),
        ("table --depth 3", 2, "name one, for example ntk"),
        ("table u --caption x", 2, "belong to --format latex"),
        ("report ntk --depth 3", 2, "add --dim 3"),
        ("report u --dim 3 --format latex", 2, "a report is an HTML page"),
        ("report u --dim 3 --output /nowhere/x.html", 2, "cannot write /nowhere/x.html"),
        ("kernels --format csv --nonsense", 2, "--nonsense"),
        ("decya u", 2, "did you mean decay?"),
        ("decay u --jsn", 2, "asymptok decay: unknown option --jsn: did you mean --json?"),
        ("decay u u", 2, "unknown argument u"),
        ("decay gelu", 2, "gelu is an activation: 'network(2, gelu)'"),
        ("decay gelu(u)", 2, "'network(2, gelu)'"),
        ("decay ReLU", 2, "'network(2, ReLU)'"),
        ("decay network(2,elu(beta=2))", 2, "unexpected keyword argument 'beta'"),
        ("decay laplace --order 0", 2, "the order is a positive number"),
        ("decay laplace --order 1/0", 2, "--order takes a number"),
        ("eigenvalues laplace --parameter c --dim 3", 2, "for example --set c=1"),
        ("eigenvalues u --dim 3 --json --format latex", 2, "exclude each other"),
        ("eigenvalues u --dim 3 --json --output x.csv", 2, "says csv"),
        ("eigenvalues 1/(1-u)**3 --dim 3", 1, "mu_k does not exist"),
        ("eigenvalues 1/u --dim 3", 1, "mu_k does not exist"),
        ("consequences abs(u) --dim 3", 1, "not positive definite"),
        ("decay sqrt(u)", 1, "no bounded real function"),
        ("verify u --dim 3 --referee x", 2, "--referee takes degrees"),
        ("verify u --dim 3 --referee -1", 2, "integer >= 0"),
        ("table u --columns constant_even", 2, "add --dim 3"),
        ("table u --format latex --fontsize tiny", 2, "choose from normalsize, small, footnotesize"),
        ("table u --format latex --environment figure", 2, "choose from table, table*, sidewaystable"),
        ("table u --group-by colour", 2, "no column 'colour'"),
        ("report u --dim 3 --output x.pdf", 2, "--output ends in .html"),
        ("table u --output x.docx", 2, "no format has the ending .docx"),
    ],
)
def test_a_mistake_is_one_line_on_standard_error(run: Any, words: str, code: int, message: str) -> None:
    # the words contain no blanks, so that the line can be split as it stands
    done = run(*words.split(" "))
    assert done.code == code
    assert done.out == ""
    assert done.err.count("\n") == 1 and done.err.startswith("asymptok")
    assert message in done.err


def test_a_defect_is_one_line_too(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*unused: Any, **also: Any) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("asymptok.cli.expansions.expand_kernel", broken)
    done = run("expand", "u")
    assert done.code == 3 and done.err.count("\n") == 1 and "ZeroDivisionError: oh" in done.err
    monkeypatch.setenv("ASYMPTOK_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        run("expand", "u")


def test_an_interrupt_is_quiet(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*unused: Any, **also: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("asymptok.cli.expansions.expand_kernel", interrupted)
    done = run("expand", "u")
    assert (done.code, done.out, done.err) == (130, "", "")


# ------------------------------------------------------------------------------ as a real process


def test_python_m_asymptok() -> None:
    command = [sys.executable, "-m", "asymptok", "expand", "u**2", "--at", "1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "1 - 2 t + t^2" in done.stdout


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = [
        sys.executable,
        "-m",
        "asymptok",
        "eigenvalues",
        "exp(u)",
        "--dim",
        "3",
        "--kmax",
        "600",
        "--dps",
        "20",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        told = process.stderr.read()
        assert process.wait(timeout=100) == 0
    assert told == ""


@pytest.mark.parametrize("activation", ["leaky_relu(x,1/10)", "leaky_relu(1/10)", "leaky_relu(slope=1/10)"])
def test_activations_with_parameters(run: Any, activation: str) -> None:
    """The diagonal is 1: kappa = (2a u + (1-a)^2 kappa_1)/(1 + a^2), a = 1/10."""
    done = run("expand", f"network(2, {activation})", "--at", "1", "--order", "1", "--json")
    assert done.code == 0
    assert '"20*u/101 + 81*kappa1(u)/101"' in done.out
