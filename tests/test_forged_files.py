"""Files that an enemy wrote, with a digest that fits: `recheck` refuses what no proof of that kind uses."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from forged import is_proved_again

from asymptok import AsymptokError, certify, dual
from asymptok.checker.__main__ import verify
from asymptok.checker.contour import Refuted
from asymptok.checker.read import BadInput
from asymptok.proofs.certificate import Certificate
from asymptok.proofs.files import digest

#: one certificate of each kind, and the fields that the others have
KINDS: dict[str, Any] = {
    "ends": lambda: "exp(-sqrt(1-u))",
    "outside": lambda: "1/(2 - u)",
    "poles": lambda: "1/(u**2 + 4)",
    "inside": lambda: "abs(u - 1/3)",
    "derivatives": lambda: dual("softplus"),
    "exponentials": lambda: "exp(u)",
    "flat": lambda: "exp(-1/(1-u))",
    "entire": lambda: "exp(u**3)",
}
FIELDS = ("place", "inner", "poles", "derivatives")


@pytest.fixture(scope="module")
def files() -> dict[str, dict[str, Any]]:
    return {name: json.loads(certify(build(), 3, terms=2).to_json()) for name, build in KINDS.items()}


@pytest.mark.parametrize("field", FIELDS)
def test_a_field_of_another_kind(files: dict[str, dict[str, Any]], field: str) -> None:
    given = next(body[field] for body in files.values() if body.get(field))
    for name, body in files.items():
        if not body.get(field):
            assert not is_proved_again(body | {field: given}), name


@pytest.mark.parametrize("name", ["poles", "derivatives", "exponentials", "inside"])
def test_terms_at_the_ends_of_another_kernel(files: dict[str, dict[str, Any]], name: str) -> None:
    assert not is_proved_again(files[name] | {"terms": files["ends"]["terms"]})


def test_numbers_between_which_there_are_none(files: dict[str, dict[str, Any]]) -> None:
    assert all(is_proved_again(body) for body in files.values())
    for name in ("ends", "exponentials"):
        small = [dict(entry) for entry in files[name]["small"]]
        small[3]["upper"] = "-1"
        assert not is_proved_again(files[name] | {"small": small})
        assert not is_proved_again(files[name] | {"small": [*files[name]["small"], files[name]["small"][-1]]})


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """All dictionaries of claims in a file, the outer ones first."""
    if isinstance(value, dict):
        yield value
    for x in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects(x)


@pytest.mark.parametrize("name", KINDS)
def test_unknown_fields(files: dict[str, dict[str, Any]], name: str) -> None:
    body = copy.deepcopy(files[name])
    body["comment"], body["kernel"] = None, {}
    for place in objects(body):
        place["more"] = 1
        whole = {key: files[name][key] for key in ("comment", "kernel")}
        forged = body | whole | {"kernel": whole["kernel"] | body["kernel"]}
        with pytest.raises(AsymptokError):
            Certificate.from_json(forged | {"digest": digest(forged)})
        del place["more"]


def test_a_bound_without_its_beta(files: dict[str, dict[str, Any]]) -> None:
    """R without terms is bounded on no slit: neither beside other bounds nor where the kernel is entire."""
    for name in ("ends", "outside", "entire"):
        (bound, *more), lost = files[name]["bounds"], {"beta": None, "plus": "1e-3"}
        for bounds in ([bound | lost, *more], [bound, *more, bound | lost]):
            assert not is_proved_again(files[name] | {"bounds": bounds}), name
            with pytest.raises((Refuted, BadInput)):
                verify(json.dumps((body := files[name] | {"bounds": bounds}) | {"digest": digest(body)}))


def test_a_negative_bound_of_a_flat_kernel(files: dict[str, dict[str, Any]]) -> None:
    body = copy.deepcopy(files["flat"])
    law = body["parities"]["odd"]
    law["b"] = f"-{law['b']}"
    assert law["kind"] == "flat" and not is_proved_again(body)


@pytest.mark.parametrize("height", ["0", "-1/64"])
def test_an_ellipse_without_height(files: dict[str, dict[str, Any]], height: str) -> None:
    """The factor S in the bound of a curve diverges there."""
    for name in ("entire", "poles"):
        body = copy.deepcopy(files[name])
        body["bounds"][0] |= {"height": height, "curve": "1000"}
        with pytest.raises(AsymptokError):
            Certificate.from_json(body | {"digest": digest(body)})


def test_coefficients_beside_a_certificate_that_does_not_use_them(files: dict[str, dict[str, Any]]) -> None:
    claim = {"coefficients": {"tau": "1/2", "size": "1e-300", "start": 3}}
    assert is_proved_again(files["ends"])
    assert not is_proved_again(files["ends"] | claim)
