"""What a file shows beside its claims, the name of the kernel and the discs at the ends, is not taken on trust."""

from __future__ import annotations

import json
from typing import Any

import pytest

from asymptok import Kernel, certify, kernels
from asymptok.checker.__main__ import verify
from asymptok.kernels.duals import dual
from asymptok.proofs.certificate import Certificate
from asymptok.proofs.files import digest


def _sealed(body: dict[str, Any]) -> dict[str, Any]:
    return body | {"digest": digest(body)}


def _body(kernel: Any, d: int = 3) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(certify(kernel, d).to_json())
    return found


@pytest.mark.slow
@pytest.mark.parametrize("key", ["name", "text"])
def test_the_kernel_shown_is_the_kernel_proved(key: str) -> None:
    body = _body("exp(-sqrt(1 - u))")
    body["comment"][key] = "exp(u)"
    found = Certificate.from_json(_sealed(body))
    for shown in (str(found), found.statement, found.theorem(), repr(found.kernel), found._repr_html_()):
        assert "exp(u)" not in shown and r"e^{u}" not in shown
    assert str(found).startswith("certificate of exp(-sqrt(1 - u)), d = 3")
    assert found.kernel.name is None and found.recheck().holds
    assert not any("exp(u)" in line for line in verify(json.dumps(_sealed(body))))


def test_a_label_of_the_user_is_not_the_name_in_a_file() -> None:
    """Whoever made the file may have called its kernel anything."""
    labelled = Kernel("exp(-sqrt(1 - u))", name="NTK, depth 3")
    assert "NTK" in str(certify(labelled, 3))
    assert "NTK" not in str(Certificate.from_json(certify(labelled, 3).to_json()))


def test_a_making_gives_its_name() -> None:
    """What was made as a network is made again, and has the name of what was made."""
    first = certify(dual("relu"), 3)
    body = json.loads(first.to_json())
    body["comment"]["name"] = "exp(u)"
    again = Certificate.from_json(_sealed(body))
    assert again.kernel.name == dual("relu").name and "exp(u)" not in str(again)


@pytest.mark.slow
@pytest.mark.parametrize(
    "kernel",
    [
        "exp(-sqrt(1 - u))",
        kernels.ntk(3),
        "(1-u)**(1/3)*(1+u)**(1/4)",
        "sqrt(1-u)*log(1-u)",
        "1/(3-u)",
        "abs(u-1/3)**3 + sqrt(1-u)",
        "exp(-1/(1-u)) + sqrt(1+u)",
    ],
)
def test_honest_files_are_confirmed(kernel: Any) -> None:
    found = certify(kernel, 3)
    if found.proved:
        assert Certificate.from_json(found.to_json()).recheck().failures == ()


@pytest.mark.slow
def test_the_discs_that_a_proof_prints_are_proved() -> None:
    body = _body("exp(-sqrt(1 - u))")
    body["comment"]["ends"]["+1"]["discs"][0]["radius"] = "4049/512"
    found = Certificate.from_json(_sealed(body))
    assert "4049" in found.theorem() or "7.9" in found.theorem()
    assert found.recheck().failures == ("the discs at the ends",)


@pytest.mark.slow
def test_discs_beside_a_proof_without_slits() -> None:
    with_discs = _body("exp(-sqrt(1 - u))")["comment"]["ends"]
    for kernel in ("1/(3 - u)", "exp(u)", "1/(2+u**2)"):
        body = _body(kernel)
        body["comment"]["ends"] = with_discs
        assert not Certificate.from_json(_sealed(body)).recheck().holds, kernel
