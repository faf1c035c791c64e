"""Files of kernels that were made as means of products: what is known of them from their making goes along."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from sympy import Rational, Symbol, sqrt

from asymptok import AsymptokError, Kernel, certify, dual, kernels
from asymptok.balls import ball
from asymptok.functions.long_constant import LongConstant
from asymptok.proofs.certificate import Certificate
from asymptok.proofs.expressions import from_nodes, to_nodes
from asymptok.proofs.files import digest
from asymptok.proofs.making import made_again, making_data
from asymptok.symbols import u

MADE = {
    "a dual": lambda: dual("max(x - 1, 0)*sigmoid(x)"),
    "an expression": lambda: dual(Symbol("x") * sqrt(2)),
    "a network": lambda: kernels.network(3, "elu", weight_variance=2, bias_variance="1/3", residual=1),
    "a tangent kernel": lambda: kernels.network(3, "gelu", tangent=True, trained={1, 3}),
    "sums, products, powers": lambda: 2 * dual("tanh") ** 2 + dual("relu") * dual("softplus") / 3,
    "a value": lambda: dual("tanh(a*x)", parameters={"a": (0, 3)}).subs(a=2),
    "values of a network": lambda: kernels.network(
        2, "elu", weight_variance=Symbol("w", positive=True), tangent=True
    ).subs(w=sqrt(2)),
}


@pytest.mark.parametrize("name", MADE)
def test_a_kernel_is_made_again_from_its_text(name: str) -> None:
    kernel = MADE[name]()
    data = making_data(kernel)
    assert data is not None
    again = made_again(json.loads(json.dumps(data)))
    assert again == kernel and again.mean is not None and kernel.mean is not None
    assert again.mean.diagonal == kernel.mean.diagonal and again.mean.parity == kernel.mean.parity


def test_what_was_not_made_as_a_mean_has_no_making() -> None:
    assert making_data(Kernel("exp(u)")) is None
    assert making_data(dual("relu") - dual("tanh")) is None
    assert making_data(dual("relu").compose("u/2")) is None


@pytest.fixture(scope="module")
def network_file() -> dict[str, Any]:
    return dict(json.loads(certify(dual("relu", variance=2) + 3, 3).to_json()))


@pytest.mark.slow
def test_a_file_of_a_network_is_proved_again_in_another_process() -> None:
    text = certify(dual("softplus") * dual("relu"), 3).to_json()
    program = (
        "import sys; from asymptok.proofs.certificate import Certificate as C; f = C.from_json(sys.stdin.read());"
        "print(f.kernel.mean_product, f.recheck().failures)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program],
        input=text,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == "True ()\n"


def _with(body: dict[str, Any], path: tuple[str | int, ...], value: object) -> dict[str, Any]:
    changed = json.loads(json.dumps(body))
    place = changed["kernel"]["making"]
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return changed | {"digest": digest(changed)}


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("of", 0, "given", "variance", "text"), "3", "is not the one that its making gives"),
        (("of", 0, "given", "activation", "text"), "Max(0, x, 2*x)", "is not the one that its making gives"),
        (("of", 1, "given", "value", "text"), "4", "is not the one that its making gives"),
        (("of", 0, "call"), "network", "is damaged"),
        (("call",), "__import__", "which is not known here"),
        (("of", 0, "given", "activation", "text"), "open('file')", "open"),
        (("of", 0, "given", "seed"), 7, "is damaged"),
        (("of",), [], "is damaged"),
    ],
)
def test_a_making_that_was_changed_is_refused(
    network_file: dict[str, Any], path: tuple[str | int, ...], value: object, said: str
) -> None:
    with pytest.raises(AsymptokError, match=said):
        Certificate.from_json(_with(network_file, path, value))


def test_a_file_without_its_making_is_a_formula_alone(network_file: dict[str, Any]) -> None:
    changed = json.loads(json.dumps(network_file))
    assert Certificate.from_json(changed).kernel.mean_product
    del changed["kernel"]["making"]
    assert not Certificate.from_json(changed | {"digest": digest(changed)}).kernel.mean_product


@pytest.mark.slow
def test_a_deep_network_is_written_with_its_constants() -> None:
    """Long variances have names in the expression; a file holds what they stand for."""
    kernel = kernels.network(5, "erf", weight_variance="3/2", bias_variance="1/4")
    again = from_nodes(to_nodes(kernel.expr))
    assert not again.has(LongConstant)
    for x in (-1, Rational(1, 3), 1):
        assert ball(again.subs(u, x), prec=160).overlaps(ball(kernel.expr.subs(u, x), prec=160))
    found = certify(kernel, 3)
    assert found.proved and Certificate.from_json(found.to_json()).recheck().holds
