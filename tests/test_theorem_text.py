"""A certificate for people: LaTeX that compiles, the command, the section of the report."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from decimal import Decimal
from pathlib import Path

import pytest

from asymptok import AsymptokError, Kernel, certify, dual, kernels, report
from asymptok.checker.read import digest
from asymptok.cli import main

KERNELS = {
    "ntk3": (kernels.ntk(3), 3),
    "vanishing parity": (kernels.ntk(2), 4),
    "laplace": (kernels.laplace(), 2),
    "analytic": (kernels.gaussian(), 3),
    "deep": (kernels.ntk(5), 3),
    "logarithms": (Kernel("(1-u)*log(1-u)**2"), 3),
    "two ends and a kink": (Kernel("acos(u)*abs(u-1/5)"), 3),
    "flat": (dual("hard_tanh"), 3),
}


@pytest.mark.parametrize("name", KERNELS)
def test_the_theorem_has_its_numbers_and_is_balanced(name: str) -> None:
    kernel, d = KERNELS[name]
    found = certify(kernel, d)
    text = found.theorem()
    for environment in ("theorem", "proof", "itemize", "align*", "tabular", "equation", "center"):
        assert text.count(rf"\begin{{{environment}}}") == text.count(rf"\end{{{environment}}}")
    assert text.count("{") == text.count("}") and text.count("$") % 2 == 0
    assert found.statement in text
    for claim in (found.even, found.odd):
        for number in (claim.low, claim.high):
            assert number is None or _stands_in(text, number.lstrip("-"))
    for low, high in found.small.values():
        assert _stands_in(text, low) and _stands_in(text, high)
    for bound in found.bounds:
        assert _stands_in(text, bound.curve)


def _stands_in(text: str, number: str) -> bool:
    """0.25 for 2.5e-1, and 2.5 \\cdot 10^{-9} for 2.5e-9."""
    mantissa, _, exponent = number.partition("e")
    return f"{Decimal(number):f}" in text or rf"{mantissa} \cdot 10^{{{exponent}}}" in text


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
@pytest.mark.parametrize("name", KERNELS)
def test_the_theorem_compiles(name: str, tmp_path: Path) -> None:
    kernel, d = KERNELS[name]
    (tmp_path / "a.tex").write_text(certify(kernel, d).theorem(document=True), encoding="utf-8")
    words = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "a.tex"]
    for _ in range(2):
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stdout[-2000:]
    assert not re.search(r"Overfull|undefined", done.stdout)


def test_there_is_no_theorem_without_a_proof() -> None:
    found = certify("1/log(abs(u-1/5)/9)", 3)
    assert not found.proved
    with pytest.raises(AsymptokError, match="no theorem"):
        found.theorem()
    assert "Nothing is proved" in found.statement


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["certify", "laplace", "--dim", "3"]) == 0
    assert "for all odd k" in capsys.readouterr().out
    assert main(["certify", "laplace", "--dim", "3", "--json"]) == 0
    body = json.loads(capsys.readouterr().out)
    assert body["digest"] == digest(body) and body["dimension"] == 3
    assert main(["certify", "laplace", "--dim", "3", "--format", "latex"]) == 0
    assert capsys.readouterr().out.startswith(r"\documentclass")
    assert main(["certify", "1/log(abs(u-1/5)/9)", "--dim", "3"]) == 1
    assert "Not proved" in capsys.readouterr().out
    assert main(["certify", "1/log(abs(u-1/5)/9)", "--dim", "3", "--format", "latex"]) == 1
    capsys.readouterr()
    for words in (["laplace"], ["laplace", "--dim", "1"], ["laplace(", "--dim", "3"]):
        assert main(["certify", *words]) == 2
        captured = capsys.readouterr()
        assert captured.out == "" and len(captured.err.splitlines()) == 1


def test_a_parameter_without_a_value(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["certify", "laplace", "--parameter", "c", "--dim", "3"]) in (1, 2)
    assert len(capsys.readouterr().err.splitlines()) <= 1


def test_the_report_has_the_certificate(tmp_path: Path) -> None:
    page = report(kernels.laplace(), 3, tmp_path / "a.html", kmax=8).read_text(encoding="utf-8")
    assert (
        'id="certificate"' in page
        and "Proved: strictly positive definite" in page
        and "asymptok.checker" in page
    )


def test_the_proof_speaks_of_the_degrees_for_which_it_holds() -> None:
    """The odd part of e^u + kappa_1(u) is sinh(u) + u/2: its derivatives at 0 are 3/2, 1, 1, ..."""
    found = certify("exp(u) + kappa1(u)", 3, terms=2)
    start = found.odd.tail
    assert start >= 3 and rf"for all $n \ge {start}$ of this parity" in found.theorem()


@pytest.mark.parametrize("text", ["1/(u**2 + 4)", "exp(u**3)"])
def test_a_proof_without_slits_does_not_speak_of_them(text: str) -> None:
    """The curve is that of R, without the poles inside of it, and there is no beta."""
    integrals = certify(text, 3, terms=2).theorem().split(r"\emph{The integrals.}")[1]
    assert "slit" not in integrals and r"R_\beta" not in integrals
