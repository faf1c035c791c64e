"""Names of mutants drawn at random, the same for the same seed: python benchmarks/mutants.py [number per room] [seed]

mutmut makes some 24,000 mutants of the rooms that prove; a run over all of them takes days. This draws the same
number from each room, from those that its directory mutants/ holds after a first run of mutmut. Mutants that change
nothing but a text are left out: no decision reads a message.
"""

from __future__ import annotations

import ast
import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

MUTANTS = Path("mutants/asymptok")


class _Blank(ast.NodeTransformer):
    """Without texts and without names of functions."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Constant("") if isinstance(node.value, str) else node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name = ""
        node.decorator_list = []
        self.generic_visit(node)
        return node


def shapes(path: Path) -> dict[str, str]:
    """Every function of a mutated module, its texts blanked."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return {node.name: "" for node in functions} | {
        name: ast.dump(_Blank().visit(node)) for name, node in [(node.name, node) for node in functions]
    }


def candidates(meta: Path) -> Iterator[str]:
    """The mutants of one module that change more than a text."""
    found = shapes(meta.with_suffix(""))
    for key in json.loads(meta.read_text(encoding="utf-8"))["exit_code_by_key"]:
        name = key.rpartition(".")[2]
        original = name.rpartition("__mutmut_")[0] + "__mutmut_orig"
        if name not in found or found[name] != found.get(original):
            yield key


def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    seed = sys.argv[2] if len(sys.argv) > 2 else "2026"
    rooms: dict[str, list[str]] = defaultdict(list)
    for meta in sorted(MUTANTS.rglob("*.py.meta")):
        rooms[meta.relative_to(MUTANTS).parts[0]] += candidates(meta)
    for room, names in sorted(rooms.items()):
        if names:
            drawn = random.Random(f"{seed} {room}").sample(sorted(names), min(number, len(names)))
            print("\n".join(sorted(drawn)))


if __name__ == "__main__":
    main()
