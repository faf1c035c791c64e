"""Small changes of the rooms that prove, drawn at random and met by the tests that run the changed function.

    python benchmarks/mutants.py 200 --seed A --rooms laws,proofs --jobs 2

draws 200 mutants, the same number from each room (all rooms unless told otherwise), and prints which of them the
ordinary tests kill, and a diff of each that survives. What is known already is kept in mutants/ and not asked again:
stop it and start it with the same words. First every test is run once, to learn which functions it calls and how long
it takes; with --tests, those of these files only. A mutant is met by the tests that call the changed function, one case
of every test first, cheap ones first, until one fails or their seconds add up to --cap.
"""

from __future__ import annotations

import argparse
import ast
import copy
import difflib
import functools
import gc
import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
HERE = ROOT / "mutants"
ROOMS = "constants,functions,series,regularity,laws,spectrum,atlas,theorems,proofs,checker"
#: a mutant that runs this many times longer than its tests should has lost its way
_PATIENCE = 4

# what is changed -----------------------------------------------------------------------------------------------------

_OTHER: dict[type, type] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult,
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
_NAMES = {"upper": "lower", "lower": "upper", "max": "min", "min": "max", "all": "any", "any": "all"}
#: no decision reads a text, a type or what an error says
_PASSED_OVER = (ast.Raise, ast.JoinedStr, ast.Assert, ast.Import, ast.ImportFrom)


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """What an expression or a statement may become."""
    if isinstance(node, ast.BinOp | ast.BoolOp) and type(node.op) in _OTHER:
        yield _with(node, op=_OTHER[type(node.op)]())
        yield from (node.left, node.right) if isinstance(node, ast.BinOp) else node.values
    elif isinstance(node, ast.Compare):
        for i, op in enumerate(node.ops):
            yield _with(node, ops=[*node.ops[:i], _OTHER[type(op)](), *node.ops[i + 1 :]])
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        yield from map(ast.Constant, sorted({node.value + 1, node.value - 1, 2 * node.value} - {node.value}))
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
        name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
        if name in _NAMES:
            field = "id" if isinstance(node.func, ast.Name) else "attr"
            yield _with(node, func=_with(node.func, **{field: _NAMES[name]}))
        if name == "abs" and len(node.args) == 1:
            yield node.args[0]
    elif isinstance(node, ast.AugAssign | ast.Continue | ast.Break):
        yield ast.Pass()


def _with(node: Any, **fields: object) -> Any:
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def places(tree: ast.AST) -> Iterator[tuple[ast.AST, list[ast.AST]]]:
    """Expressions and statements with what they may become; texts, types and errors are left out."""
    for field, value in ast.iter_fields(tree):
        if field in ("annotation", "returns", "decorator_list") or isinstance(tree, _PASSED_OVER):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST):
                continue
            if hasattr(child, "lineno"):
                found = list(changes(child))
                if field == "test":  # of a decision: as if it were settled
                    found += [ast.Constant(True), ast.Constant(False)]
                yield child, found
            yield from places(child)


@functools.cache
def mutants(path: str) -> dict[str, tuple[str, int]]:
    """The changed texts of a file, and the lines that are changed, by the names of the mutants."""
    source = (ROOT / path).read_text(encoding="utf-8")
    lines = source.encode().splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    found: dict[str, tuple[str, int]] = {}
    for node, others in places(ast.parse(source)):
        begin, end = (
            starts[node.lineno - 1] + node.col_offset,
            starts[node.end_lineno - 1] + node.end_col_offset,
        )
        for i, other in enumerate(others):
            text = ast.unparse(other) if isinstance(other, ast.stmt) else f"({ast.unparse(other)})"
            new = source.encode()[:begin] + text.encode() + source.encode()[end:]
            name = f"{path}:{node.lineno}:{node.col_offset}:{type(node).__name__}:{i}"
            found[name] = (new.decode(), node.lineno)
    return found


def draw(number: int, seed: str, rooms: list[str]) -> list[str]:
    drawn: list[str] = []
    for i, room in enumerate(rooms):
        files = sorted((ROOT / "asymptok" / room).rglob("*.py"))
        if room == "spectrum":
            files = [file for file in files if file.parent.name != "contour"]
        names = [name for file in files for name in mutants(str(file.relative_to(ROOT)))]
        share = (number * (i + 1)) // len(rooms) - (number * i) // len(rooms)
        drawn += random.Random(f"{seed} {room}").sample(names, min(share, len(names)))
    return drawn


def function_around(path: str, line: int) -> range:
    """The lines of the outermost function around a line; all lines, if it is in none."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    bodies = [tree.body, *(node.body for node in tree.body if isinstance(node, ast.ClassDef))]
    for node in (node for body in bodies for node in body if isinstance(node, ast.FunctionDef)):
        first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        if first <= line <= (node.end_lineno or first):
            return range(first, (node.end_lineno or first) + 1)
    return range(10**6)


# inside of pytest: -p mutants ----------------------------------------------------------------------------------------


def pytest_collection_modifyitems(items: list[Any]) -> None:
    """Only the tests that are asked for, in that order."""
    wanted, known = os.environ.get("MUTANTS_WANTED"), os.environ.get("MUTANTS_REACH")
    if wanted:
        by_name = {item.nodeid: item for item in items}
        items[:] = [by_name[name] for name in json.loads(Path(wanted).read_text()) if name in by_name]
    elif known:
        done = {row["test"] for row in rows(Path(known))}
        items[:] = [item for item in items if item.nodeid not in done]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: Any) -> Iterator[None]:
    """What the test calls is written down; a cache would hide what it has asked before."""
    reach = os.environ.get("MUTANTS_REACH")
    if not reach:
        return (yield)
    if item.nodeid.partition("[")[0] != _RUNNING.get("function"):
        _RUNNING["function"] = item.nodeid.partition("[")[0]
        for cached in _caches():
            cached.cache_clear()
    called: dict[str, set[int]] = defaultdict(set)

    def trace(frame: Any, event: str, _: object) -> None:
        code = frame.f_code
        if code.co_filename.startswith(_OURS):
            called[code.co_filename].add(code.co_firstlineno)

    start = time.process_time()
    sys.settrace(trace)  # type: ignore[arg-type]
    try:
        return (yield)
    finally:
        sys.settrace(None)
        found = {os.path.relpath(file, ROOT): sorted(lines) for file, lines in called.items()}
        if item.nodeid not in _FAILED:
            append(Path(reach), {"test": item.nodeid, "seconds": time.process_time() - start, "calls": found})


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed:
        _FAILED.add(report.nodeid)


_RUNNING: dict[str, str] = {}
_FAILED: set[str] = set()
_OURS = str(ROOT / "asymptok")


@functools.cache
def _caches() -> list[Any]:
    kind = type(_caches)
    return [
        x for x in gc.get_objects() if isinstance(x, kind) and (x.__module__ or "").startswith("asymptok.")
    ]


# outside -------------------------------------------------------------------------------------------------------------


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def append(path: Path, row: dict[str, Any]) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")


def run_pytest(
    tree: Path, words: list[str], seconds: float | None = None, **environment: str
) -> tuple[int, str]:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "mutants",
        "-p",
        "no:cacheprovider",
        "-n",
        "0",
        "-q",
        *words,
    ]
    path = f"{tree}{os.pathsep}{ROOT / 'benchmarks'}"
    try:
        done = subprocess.run(
            command, cwd=tree, env={**os.environ, "PYTHONPATH": path, **environment}, timeout=seconds,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return -1, ""
    return done.returncode, done.stdout


def learn(tests: list[str], jobs: int) -> list[dict[str, Any]]:
    """Every test once, by as many processes as there are jobs; each has files of its own."""
    parts = [tests[i::jobs] for i in range(jobs)]
    with ThreadPoolExecutor(jobs) as pool:
        runs = [
            pool.submit(run_pytest, ROOT, part, MUTANTS_REACH=str(HERE / f"reach-{i}.jsonl"))
            for i, part in enumerate(parts)
        ]
    table = [row for i in range(jobs) for row in rows(HERE / f"reach-{i}.jsonl")]
    if not table:
        raise SystemExit("\n".join(run.result()[1] for run in runs))
    return table


def chosen(path: str, line: int, cap: float, table: list[dict[str, Any]]) -> list[str]:
    """The tests that call the function around the line: a case of every test first, the cheapest first."""
    around = function_around(path, line)
    found = sorted(
        (row["seconds"], row["test"]) for row in table if any(n in around for n in row["calls"].get(path, ()))
    )
    seen: dict[str, int] = defaultdict(int)
    ranked = []
    for seconds, name in found:
        ranked.append((seen[name.partition("[")[0]], seconds, name))
        seen[name.partition("[")[0]] += 1
    total, names = 0.0, []
    for _, seconds, name in sorted(ranked):
        if total + seconds <= cap:
            total, names = total + seconds, [*names, name]
    return names


def meet(name: str, cap: float, table: list[dict[str, Any]], trees: SimpleQueue[Path]) -> None:
    path = name.partition(":")[0]
    text, line = mutants(path)[name]
    tests = chosen(path, line, cap, table)
    if not tests:
        append(HERE / "results.jsonl", {"mutant": name, "result": "not reached"})
        return
    tree = trees.get()
    before = (tree / path).read_text(encoding="utf-8")
    wanted = tree / "wanted.json"
    wanted.write_text(json.dumps(tests))
    try:
        (tree / path).write_text(text, encoding="utf-8")
        # what is compiled is known by the second at which its text was written
        os.utime(tree / path, (hash(name) % 10**9,) * 2)
        words = ["-x", "--tb=no", *sorted({test.partition("::")[0] for test in tests})]
        code, output = run_pytest(tree, words, 60 + _PATIENCE * cap, MUTANTS_WANTED=str(wanted))
    finally:
        (tree / path).write_text(before, encoding="utf-8")
        os.utime(tree / path, (0, 0))
        trees.put(tree)
    by = next((x.split()[1] for x in output.splitlines() if x.startswith(("FAILED", "ERROR"))), "")
    result = "late" if code < 0 else "killed" if code else "survived"
    append(HERE / "results.jsonl", {"mutant": name, "result": result, "by": by, "tests": len(tests)})


def difference(name: str) -> str:
    path = name.partition(":")[0]
    old = (ROOT / path).read_text(encoding="utf-8").splitlines()
    return "\n".join(
        difflib.unified_diff(old, mutants(path)[name][0].splitlines(), path, path, "", "", 1, "")
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("number", type=int)
    parser.add_argument("--seed", default="A")
    parser.add_argument("--rooms", default=ROOMS)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--cap", type=float, default=60.0)
    parser.add_argument("--tests", nargs="*", help="files of tests (all of tests/)")
    given = parser.parse_args()
    HERE.mkdir(exist_ok=True)
    os.environ["PYTHONHASHSEED"] = "0"
    tests = given.tests or sorted(str(file.relative_to(ROOT)) for file in (ROOT / "tests").glob("test_*.py"))
    table = learn(tests, given.jobs)
    names = draw(given.number, given.seed, given.rooms.split(","))
    done = {row["mutant"] for row in rows(HERE / "results.jsonl")}
    trees: SimpleQueue[Path] = SimpleQueue()
    for i in range(given.jobs):
        tree = HERE / f"tree-{i}"
        shutil.rmtree(tree, ignore_errors=True)
        shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(".*", "mutants", "__pycache__"))
        trees.put(tree)
    with ThreadPoolExecutor(given.jobs) as pool:
        for name in names:
            if name not in done:
                pool.submit(meet, name, given.cap, table, trees)
    results = {row["mutant"]: row for row in rows(HERE / "results.jsonl")}
    for name in names:
        row = results[name]
        print(row["result"], name, row.get("by", ""))
        if row["result"] in ("survived", "not reached"):
            print(difference(name))
    counts = {key: sum(results[name]["result"] == key for name in names) for key in
              ("killed", "late", "survived", "not reached")}  # fmt: skip
    print(", ".join(f"{count} {key}" for key, count in counts.items()))


if __name__ == "__main__":
    main()
