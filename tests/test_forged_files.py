"""Files that an enemy wrote, with a digest that fits: `recheck` refuses what no proof of that kind uses."""

from __future__ import annotations

import json
from typing import Any

import pytest

from asymptok import AsymptokError, certify, dual
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
}
FIELDS = ("place", "inner", "poles", "derivatives")


@pytest.fixture(scope="module")
def files() -> dict[str, dict[str, Any]]:
    return {name: json.loads(certify(build(), 3, terms=2).to_json()) for name, build in KINDS.items()}


def is_proved_again(body: dict[str, Any]) -> bool:
    try:
        return Certificate.from_json(body | {"digest": digest(body)}).recheck().holds
    except AsymptokError:
        return False


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
