"""What is known of a function stands in its record: lists of functions elsewhere may only become fewer."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import asymptok
from asymptok.functions import RECORDS

HOUSE = Path(asymptok.__file__).parent
NAMES = {f.__name__ for f in RECORDS} - {"Add", "Mul", "Pow"}
#: lists that are left: tables of algorithms (|x| by the sign of x), and facts that have not moved yet
LEFT = 57


def named(node: ast.expr | None) -> list[str]:
    """The functions that an expression names: sympy.sin, sin, "sin", and sin | cos."""
    if isinstance(node, ast.Name):
        return [node.id] if node.id in NAMES else []
    if isinstance(node, ast.Attribute):
        return [node.attr] if node.attr in NAMES else []
    if isinstance(node, ast.Constant):
        return [node.value] if node.value in NAMES else []
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return named(node.left) + named(node.right)
    return []


def lists(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Tables, tuples and unions that name three functions or more."""
    tree = ast.parse(path.read_text())
    inner = {id(n.left) for n in ast.walk(tree) if isinstance(n, ast.BinOp)}
    for node in ast.walk(tree):
        found: list[str] = []
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            found = [name for e in node.elts for name in named(e)]
        elif isinstance(node, ast.Dict):
            found = [name for e in node.keys for name in named(e)]
        elif isinstance(node, ast.BinOp) and id(node) not in inner:
            found = named(node)
        if len(set(found)) >= 3:
            yield node.lineno, found


def test_no_further_list_of_functions_stands_outside_of_their_records() -> None:
    found = [
        f"{path.relative_to(HOUSE)}:{line}: {', '.join(names)}"
        for path in sorted(HOUSE.rglob("*.py"))
        if path.relative_to(HOUSE).parts[0] not in ("functions", "checker")
        for line, names in lists(path)
    ]
    assert len(found) <= LEFT, "\n".join(found)
