"""docs/constants-of-bounds.md names functions and tests that are there, and every test of a bound is in it."""

from __future__ import annotations

import ast
import re
from functools import cache, reduce
from importlib import import_module
from pathlib import Path

TESTS = Path(__file__).parent
PAGE = TESTS.parent / "docs" / "constants-of-bounds.md"


def rows() -> list[tuple[list[str], list[str]]]:
    """(functions, tests) of every row."""
    found = []
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\) \| ", line.strip("| "))]
        if line.startswith("| ") and cells[0] != "constant":
            assert len(cells) == 4, line
            found.append((re.findall(r"`([^`]+)`", cells[2]), re.findall(r"`([^`]+)`", cells[3])))
    return found


def is_there(function: str) -> bool:
    """module.function or module.Class.method."""
    parts, found = function.split("."), None
    for n in range(len(parts), 0, -1):
        try:
            found = import_module(".".join(["asymptok", *parts[:n]]))
        except ModuleNotFoundError:
            continue
        return all((found := getattr(found, name, None)) is not None for name in parts[n:])
    return False


@cache
def cases_of(name: str) -> frozenset[str]:
    tree = ast.parse((TESTS / f"{name}.py").read_text(encoding="utf-8"))
    return frozenset(
        node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    )


def test_what_the_table_names_is_there() -> None:
    assert len(rows()) > 80
    for functions, tests in rows():
        assert functions, tests
        assert tests, functions
        for function in functions:
            assert is_there(function), function
        for test in tests:
            file, _, case = test.partition("::")
            assert case in cases_of(file), test


def test_every_test_of_a_bound_is_in_the_table() -> None:
    listed = reduce(frozenset.union, (frozenset(tests) for _, tests in rows()), frozenset[str]())
    beside = {"test_which_bounds_are_of_use", "test_exponents_of_bounds_beside_flat_ends"}
    for path in sorted(TESTS.glob("test_constants_of_*.py")):
        name = path.stem
        missing = {case for case in cases_of(name) if f"{name}::{case}" not in listed} - beside
        assert not missing, missing
