"""The list of slow tests names tests that exist: one that was renamed would be run with the quick ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import SLOW


@pytest.mark.parametrize("entry", sorted({line.partition("[")[0] for line in SLOW}))
def test_a_listed_test_exists(entry: str) -> None:
    file, _, name = entry.rpartition("::")
    assert f"def {name}(" in Path(__file__).with_name(file).read_text(encoding="utf-8")
