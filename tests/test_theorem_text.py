"""A certificate for people: LaTeX that compiles, the command, the section of the report."""

from __future__ import annotations

import json
import math
import re
import shutil
import subprocess
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from asymptok import AsymptokError, Kernel, certify, dual, kernels, report
from asymptok.checker.read import digest
from asymptok.cli import main
from asymptok.proofs.stated_kernel import stated_kernel

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
    text = found.theorem(digits=None)
    for environment in ("theorem", "proof", "itemize", "align*", "tabular", "equation", "center"):
        assert text.count(rf"\begin{{{environment}}}") == text.count(rf"\end{{{environment}}}")
    assert text.count("{") == text.count("}") and text.count("$") % 2 == 0
    assert found.statement in text
    for claim in (found.even, found.odd):
        for number in (claim.low, claim.high):
            assert number is None or _stands_in(text, number.lstrip("-"))
    for low, high in found.small.values():
        assert low in text or all(_has_digits(found.intervals(), end) for end in (low, high))
    for bound in found.bounds:
        assert _stands_in(text, bound.curve)


def _has_digits(text: str, number: str) -> bool:
    """The digits of a number, whatever power of ten it shares with another."""
    return "".join(map(str, Decimal(number).normalize().as_tuple().digits)) in text.replace(".", "")


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


@pytest.mark.parametrize("digits", [1, 2, 3, 6])
def test_fewer_digits_claim_less(digits: int) -> None:
    """Every pair of numbers in the statement and in the list encloses that of the certificate."""
    found = certify(kernels.laplace(), 3)
    item = r"\$(\S+)\\, k\^\{-3\} \\le \\mu_k \\le (\S+)\\, k"
    shown = re.findall(item, found.theorem(digits=digits, proof=False))
    assert len(shown) == 2
    for (low, high), claim in zip(shown, (found.even, found.odd), strict=True):
        assert Decimal(low) <= Decimal(str(claim.low)) <= Decimal(str(claim.high)) <= Decimal(high)
        assert Decimal(low) > Decimal("0.5") * Decimal(str(claim.low)) and len(low.strip("0.")) <= digits
    rows = re.findall(
        r"\$(\d+)\$ & \$\[(\S+), (\S+)\](?: \\cdot 10\^\{(-\d+)\})?\$", found.intervals(digits=digits)
    )
    assert len(rows) == len(found.small)
    for k, low, high, power in rows:
        scale = Decimal(10) ** int(power or 0)
        a, b = map(Decimal, found.small[int(k)])
        assert Decimal(low) * scale <= a <= b <= Decimal(high) * scale


def test_the_statement_alone() -> None:
    found = certify(kernels.ntk(3), 3)
    text = found.theorem("thm:ntk", proof=False)
    assert r"\label{thm:ntk}" in text and "proof" not in text and "tabular" not in text
    assert r"Table~\ref{thm:ntk:intervals}" in text and r"\label{thm:ntk:intervals}" in found.intervals(
        "thm:ntk"
    )
    assert r"\Theta_{l+1} &= \kappa_0(\Sigma_l)\, \Theta_l + \Sigma_{l+1}" in text
    with pytest.raises(AsymptokError, match="digits"):
        found.theorem(digits=0)


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", [{"trained": (1, 3)}, {"trained_bias": "1/3"}, {"trained_bias": 1, "trained": (2,)}]
)
def test_a_network_is_stated_by_its_recursion(options: dict[str, Any]) -> None:
    """The recursion that is printed, by Gauss-Hermite rules, gives the values of the kernel."""
    network = kernels.network(3, "gelu", tangent=True, residual="1/2", bias_variance="1/10", **options)
    text, ending = stated_kernel(network)[0], r"F_l \Theta_l + B_{l+1} + \frac{1}{3}"
    told = {
        "1/3": (r"\kappa = \Theta_{3}", ending, r"\Theta_1 = \Sigma_1 + \frac{1}{3}"),
        1: (r"\kappa = (B_{2} + 1) F_{2}",),
    }
    beta = options.get("trained_bias")
    for formula in (
        *told.get(beta, (r"\kappa = B_{1} F_{1} F_{2} + B_{3}",)),
        r"B_1(u) = \Sigma_1(u) = \frac{1}{10} + \frac{9}{10}\, u",
        r"B_{l+1} &= \frac{1}{10} + \frac{13}{20}\, \frac{E[\varphi(X_l)\varphi(Y_l)]}{E[\varphi(X_l)^2]}",
        r"\Sigma_{l+1} &= \frac{1}{4}\, \Sigma_l + B_{l+1}",
        r"F_l &= \frac{1}{4} + \frac{13}{20}\, \frac{E[\varphi'(X_l)\varphi'(Y_l)]}{E[\varphi(X_l)^2]}",
    ):
        assert formula in text
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    weights = weights / weights.sum()
    normal = np.vectorize(lambda x: math.erfc(-x / math.sqrt(2)) / 2)

    def phi(x: np.ndarray) -> np.ndarray:
        return x * normal(x)

    def slope(x: np.ndarray) -> np.ndarray:
        return normal(x) + x * np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)

    def mean(f: Callable[[np.ndarray], np.ndarray], c: float) -> float:
        y = c * nodes[:, None] + math.sqrt(1 - c * c) * nodes[None, :]
        return float(weights @ (f(nodes)[:, None] * f(y)) @ weights)

    size = float(weights @ phi(nodes) ** 2)
    for at in (-0.6, 0.3):
        layer, blocks, factors = 0.1 + 0.9 * at, [0.1 + 0.9 * at], []
        for _ in range(2):
            factors.append(0.25 + 0.65 * mean(slope, layer) / size)
            blocks.append(0.1 + 0.65 * mean(phi, layer) / size)
            layer = 0.25 * layer + blocks[-1]
        first, second, third = blocks
        value = {
            None: first * factors[0] * factors[1] + third,
            "1/3": ((first + 1 / 3) * factors[0] + second + 1 / 3) * factors[1] + third + 1 / 3,
            1: (second + 1) * factors[1],
        }[beta]
        assert abs(value - float(network.evaluate(at))) < 1e-12


@pytest.mark.slow
def test_selu_is_stated_by_its_activation() -> None:
    """Its constants are decimals; the formula of its kernel would fill pages."""
    text = certify(dual("selu"), 3).statement
    assert (
        r"E[\varphi(X)\varphi(Y)]" in text
        and r"\alpha_{1} = 1.05070098735548049" in text
        and len(text) < 1500
    )


WIDTHS = {
    "one column": r"\documentclass[10pt]{article}\usepackage[textwidth=5.5in]{geometry}",
    "two columns": r"\documentclass[10pt,twocolumn]{article}\usepackage[textwidth=6.75in,columnsep=.25in]{geometry}",
    "amsart": r"\documentclass{amsart}",
}


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
@pytest.mark.parametrize("width", WIDTHS)
def test_theorems_fit_the_columns_of_papers(width: str, tmp_path: Path) -> None:
    """No box stands out by more than a point, in the statement, the proof and the list."""
    some = [
        *KERNELS.values(),
        (dual("selu"), 3),
        (dual("softplus"), 3),
        (kernels.network(3, "gelu", tangent=True), 3),
        *(
            (text, 3)
            for text in ("1/(2-u)", "exp(u)*log(u**2+u+5)", "abs(u-1/3)**3 + sqrt(1-u)", "exp(-1/(1-u))")
        ),
        *((text, 3) for text in ("exp(u**2) + exp(u)", "cos(sqrt(2-u))", "exp(u) + kappa1(u)")),
    ]
    body = []
    for i, (kernel, d) in enumerate(some):
        found = certify(kernel, d)
        body += [found.theorem(f"t{i}"), found.intervals(f"t{i}", 6)]
    head = (
        WIDTHS[width] + r"\usepackage{amsmath,amssymb,amsthm}\newtheorem{theorem}{Theorem}\allowdisplaybreaks"
    )
    text = "\n\n".join([head, r"\begin{document}", *body, r"\end{document}"])
    (tmp_path / "a.tex").write_text(text, encoding="utf-8")
    words = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "a.tex"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert not [x for x in re.findall(r"Overfull \\hbox \(([\d.]+)pt", done.stdout) if float(x) > 1]
