"""The command line: exit codes, several kernels, files, new commands, wrong input in one line."""

from __future__ import annotations

import json
import re

import pytest

from asymptok import AsymptokError, Kernel, Undecided, check, decay, kernels, verify
from asymptok.cli import main


def run(capsys, *argv):
    code = main(list(argv))
    out = capsys.readouterr()
    return code, out.out, out.err


WRONG = [
    (["foo"], "invalid choice"),
    (["decay", "ntk"], "--depth 3"),
    (["decay", "ntk", "--depth", "0"], "integer >= 1"),
    (["decay", "laplace", "--set", "gama=1"], "no parameter gama"),
    (["decay", "gamma_exponential", "--set", "gama=1"], "did you mean gamma"),
    (["decay", "laplace", "--set", "c=0"], "c = 0 does not"),
    (["decay", "exp(-c*u)"], "--parameter c=0.."),
    (["decay", "gelu(u)"], "activation"),
    (["decay", "laplac(2)"], "did you mean laplace"),
    (["decay", "u^2"], "write **"),
    (["decay", "abs(u"], "never closed"),
    (["expand", "ntk", "--depth", "3", "--at", "2"], "at 1 or at -1"),
    (["expand", "ntk", "--depth", "3", "--order", "x"], "--order takes"),
    (["eigenvalues", "ntk", "--depth", "3"], "--dim 3"),
    (["eigenvalues", "ntk", "--depth", "3", "--dim", "1"], ">= 2"),
    (["verify", "ntk", "--depth", "3", "--dim", "3", "--kmax", "0"], "positive integer"),
    (["table", "ntk", "--depth", "2", "--output", "x.xyz"], "ending .xyz"),
    (["check", "--file", "/nowhere/at/all"], "No such file"),
    (["check"], "no kernel"),
    (["sweep"], "no kernel"),
    (["sweep", "ntk", "--depth", "2", "--dims", "a"], "--dims takes"),
    (["plot", "ntk", "--depth", "2", "--dim", "3", "--output", "x.jpg"], ".png"),
    (["completion", "tcsh"], "invalid choice"),
]


@pytest.mark.parametrize(("argv", "told"), WRONG, ids=lambda x: " ".join(x) if isinstance(x, list) else None)
def test_wrong_input_is_one_line_and_code_2(capsys, argv, told):
    code, out, err = run(capsys, *argv)
    assert code == 2 and out == "" and told in err and err.count("\n") == 1


def test_exit_codes(capsys):
    assert run(capsys, "check", "ntk(3)")[0] == 0
    assert run(capsys, "check", "abs(u)")[0] == 1
    ranges = ("--parameter", "a=0..1", "--parameter", "b=0..1")
    code, _, err = run(capsys, "decay", "(1-u)**a + (1-u)**b", *ranges)
    assert code == 4 and "give a and b ranges" in err
    assert run(capsys, "decay", "1/u")[0] == 1


def test_several_kernels_and_a_file(capsys, tmp_path):
    listed = tmp_path / "kernels.txt"
    listed.write_text("# two kernels\nntk(3)\n\nabs(u)\n")
    code, out, _ = run(capsys, "check", "--file", str(listed), "--json")
    assert code == 1 and [entry["holds"] for entry in json.loads(out)] == [True, False]
    listed.write_text("ntk(3)\nfoo(\n")
    code, _, err = run(capsys, "check", "--file", str(listed))
    assert code == 2 and "line 2" in err


def test_new_commands(capsys):
    code, out, _ = run(capsys, "consequences", "ntk(3)", "--dim", "3", "--json")
    assert code == 0 and json.loads(out)["entries"]["sobolev_order"]["value"] == "3/2"
    assert run(capsys, "decay", "laplace(2)*ntk(3)", "--order", "2")[0] == 0
    for shell, word in (("zsh", "#compdef"), ("fish", "complete -c asymptok"), ("bash", "COMPREPLY")):
        assert word in run(capsys, "completion", shell)[1]


def test_named_kernels_in_formulas():
    assert Kernel("laplace(2)*ntk(3)") == kernels.laplace(2) * kernels.ntk(3)
    assert decay("ntk(3)").nu == decay(kernels.ntk(3)).nu
    stretched = Kernel("gamma_exponential(g)", parameters={"g": (0, 1)})
    assert [str(high) for _, high in stretched.parameters.values()] == ["1"]
    with pytest.raises(AsymptokError, match=re.escape('give parameters={"g": (0, 2)}')):
        Kernel("gamma_exponential(g)", parameters={"g": (0, 5)})
    with pytest.raises(AsymptokError, match=r"kernels\.ntk\(3\)"):
        decay("ntk")


def test_reports_are_no_truth_values():
    report = check("abs(u)")
    with pytest.raises(AsymptokError, match="holds"):
        bool(report)
    with pytest.raises(AsymptokError, match="smooth inside"):
        report.require()
    assert check("ntk(3)").require().holds
    with pytest.raises(AsymptokError, match="passed"):
        bool(verify("ntk(2)", 3, kmax=8))


def test_star_import_brings_no_single_letters():
    names = {}
    exec("from asymptok import *", names)
    assert not {"t", "k", "d", "u"} & set(names) and "Undecided" in names and Undecided is names["Undecided"]


def test_consequences_in_other_formats(capsys: pytest.CaptureFixture[str]) -> None:
    for form, begins in (("latex", r"\begin{"), ("csv", "name,value"), ("html", "<table")):
        assert main(["consequences", "laplace", "--dim", "3", "--format", form]) == 0
        assert begins in capsys.readouterr().out
