"""Formulas in prose are set, words of the language are left alone, and every result shows itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest
from sympy import latex, oo

from asymptok import (
    Kernel,
    applicable_theorems,
    certify,
    check,
    consequences,
    decay,
    expand,
    kernels,
    learning_curve,
    same_rkhs,
    verify,
)
from asymptok.regularity import analyse
from asymptok.show.prose import prose_html, prose_math


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("k^(-d-2nu+1)", "<i>k</i><sup>\u2212<i>d</i>\u22122<i>\u03bd</i>+1</sup>"),
        ("a gamma-exponential kernel", "a gamma-exponential kernel"),
        ("eta-Lipschitz", "<i>\u03b7</i>-Lipschitz"),
        ("Cauchy's estimate", "Cauchy's estimate"),
        ("mu_k/mu'_k", "<i>\u03bc</i><sub><i>k</i></sub>/<i>\u03bc</i>\u2032<sub><i>k</i></sub>"),
        ('parameters={"gamma": (0, 1)}', 'parameters={"gamma": (0, 1)}'),
        ("C-infinity", "<i>C</i><sup>\u221e</sup>"),
        ("the same exponent (a coefficient may be 0)", "the same exponent (a coefficient may be 0)"),
        ("H\u00f6lder, Holder", "H\u00f6lder, H\u00f6lder"),
        (
            "I. J. Schoenberg, SIAM J. Discrete Math., Duke Math. J. 9",
            "I. J. Schoenberg, SIAM J. Discrete Math., Duke Math. J. 9",
        ),
        ("about 0.1 s; 2*s", "about 0.1 s; 2\u2009<i>s</i>"),
        ("(a+1)(-a)", "(<i>a</i>+1)(\u2212<i>a</i>)"),
        ("8.0e-16 of 3*4", "8.0e-16 of 3\u00b74"),
        ("x < 1 & y", "<i>x</i> &lt; 1 &amp; <i>y</i>"),
        ("t**(", "<i>t</i><sup>(</sup>"),
    ],
)
def test_what_is_typed_is_set(text: str, html: str) -> None:
    assert prose_html(text) == html


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("RKHS = H^(3/2) on S^2", "RKHS = $H^{3/2}$ on $S^{2}$"),
        ("mu_k ~ k^(-d-2nu+1), (-1)^k c_-1", r"$\mu_{k}$ ~ $k^{-d-2\nu+1}$, (-1)$^{k}$ $c_{-1}$"),
        ("k^(-sqrt(2) - 1), x^(1/(d-1))", r"$k^{-\sqrt{2} - 1}$, $x^{1/(d-1)}$"),
        ("a^b^c", "$a^{b}{}^{c}$"),
        ('"k^2", closed_form, time_limit, k_max, x^, _', '"k^2", closed_form, time_limit, k_max, x^, _'),
        ("Holder, t**(1/2)", "H\u00f6lder, $t^{1/2}$"),
    ],
)
def test_powers_and_indices_are_formulas_in_latex(text: str, latex: str) -> None:
    assert "".join(f"${piece}$" if math else piece for math, piece in prose_math(text)) == latex


@pytest.mark.parametrize(
    "text", ["sqrt(1 - u**(2/(1+c)))^(-1/2) <= kappa0(kappa_1(u))", "((", "^", "**)", "a_-1'_b"]
)
def test_what_is_set_is_well_formed(text: str) -> None:
    ElementTree.fromstring(f"<p>{prose_html(text)}</p>")


MIXED = Kernel(
    "exp(-c*(1-u)**(gamma/2)) + a*kappa1(u)", parameters={"c": (0, oo), "gamma": (0, 2), "a": (0, oo)}
)
RESULTS: list[Callable[[], Any]] = [
    lambda: kernels.ntk(4),
    lambda: expand(kernels.ntk(6), at=-1),
    lambda: expand(MIXED),
    lambda: expand(kernels.gamma_exponential("gamma") * kernels.ntk(2)),
    lambda: expand(kernels.ntk(3), balls=True),
    lambda: decay(kernels.ntk(6)),
    lambda: decay("-log((1-u)/2)"),
    lambda: decay("abs(u) + exp(-sqrt(1-u))").even,
    lambda: check(MIXED),
    lambda: check("abs(u)", d=3)["smooth inside"],
    lambda: applicable_theorems(kernels.ntk(2)),
    lambda: consequences(kernels.gamma_exponential("gamma", "c"), 5),
    lambda: verify(kernels.laplace(), 3, kmax=12, referee=()),
    lambda: certify(kernels.laplace(), 3),
    lambda: expand(kernels.laplace(), order=1).bound(),
    lambda: same_rkhs(kernels.laplace(), kernels.laplace(2), 3),
    lambda: learning_curve(kernels.laplace(), 3, [10, 100], {1: 1.0}),
    lambda: analyse("u*coth(u)"),
]


@pytest.mark.parametrize("make", RESULTS)
def test_every_result_shows_itself(make: Callable[[], Any]) -> None:
    result = make()
    assert repr(result) and str(result)
    # apart from LaTeX, which the notebook sets, no formula is left as it was typed
    html = re.sub(r"\$\$.*?\$\$|\$.*?\$|<math.*?</math>", "", result._repr_html_(), flags=re.DOTALL)
    assert not any(typed in html for typed in ("**", "mu_k", "sqrt(", ">=", "kappa(")) or "<pre>" in html
    assert latex(result) is not None
