"""Mutants of the rooms that prove, drawn at random and met by the tests that reach them.

    python benchmarks/mutants.py make                  mutmut writes its mutants into mutants/
    python benchmarks/mutants.py reach [tests ...]     which test calls what, and for how long: mutants/reach.jsonl
    python benchmarks/mutants.py run 25 811 [--cap 25] 25 of each room, drawn with seed 811: mutants/results.jsonl
    python benchmarks/mutants.py run NAME ...          these mutants

mutmut makes the mutants; some 24,000, of which those that change nothing but a text are left out: no decision reads a
message. Its own runner starts anew for each of them. Here one process imports everything and collects the tests, and
a fork of it meets each mutant with the tests that call the changed function: one case of every test first, cheap
ones first, until one fails or `cap` seconds of processor time are over.
"""

from __future__ import annotations

import ast
import functools
import gc
import importlib
import itertools
import json
import os
import random
import re
import resource
import signal
import sys
import textwrap
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from mutmut import __main__ as mutmut
from mutmut.mutation import trampoline

MUTANTS = Path(__file__).resolve().parents[1] / "mutants"
REACH, RESULTS = MUTANTS / "reach.jsonl", MUTANTS / "results.jsonl"


# what is drawn ---------------------------------------------------------------------------------------------------


class _Blank(ast.NodeTransformer):
    """Without texts and without names of functions."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Constant("") if isinstance(node.value, str) else node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name, node.decorator_list = "", []
        self.generic_visit(node)
        return node


@functools.cache
def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def shape(key: str) -> str:
    """The function of this name, its texts blanked; cut out first, for the files are long."""
    module, _, name = key.rpartition(".")
    source = text(MUTANTS / (module.replace(".", "/") + ".py"))
    found = re.search(rf"^( *)def {name}\(.*?(?=^\1(?:[@d]|mutants_)|\Z)", source, re.MULTILINE | re.DOTALL)
    assert found is not None
    return ast.dump(_Blank().visit(ast.parse(textwrap.dedent(found[0]))))


def changes_more_than_a_text(key: str) -> bool:
    return shape(key) != shape(key.rpartition("__mutmut_")[0] + "__mutmut_orig")


def draw(number: int, seed: str) -> list[str]:
    drawn: list[str] = []
    rooms: dict[str, list[str]] = defaultdict(list)
    for file in sorted(MUTANTS.rglob("*.py.meta")):
        rooms[file.relative_to(MUTANTS).parts[1]] += json.loads(file.read_text(encoding="utf-8"))[
            "exit_code_by_key"
        ]
    for room, names in rooms.items():
        random.Random(f"{seed} {room}").shuffle(names)
        drawn += itertools.islice(filter(changes_more_than_a_text, names), number)
    return drawn


# one process, many mutants -----------------------------------------------------------------------------------------

ACTIVE: dict[str, Any] = {}  # the function that is called in place of each
CALLED: set[str] = set()


def _wrap(mutants: dict[str, Any], is_classmethod: bool = False) -> Callable[[Any], Any]:
    """As mutmut's, but the choice is made once for each mutant and not at each call."""

    def decorate(function: Any) -> Any:
        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            if not name:
                name.append(
                    f"{function.__module__}.{mutants['_mutmut_orig'].__name__.removesuffix('__mutmut_orig')}"
                )
            CALLED.add(name[0])
            chosen = mutants.get(ACTIVE["mutant"]) if ACTIVE.get("function") == name[0] else None
            chosen = chosen or mutants["_mutmut_orig"]
            return (
                getattr(args[0], chosen.__name__)(*args[1:], **kwargs)
                if is_classmethod
                else chosen(*args, **kwargs)
            )

        name: list[str] = []
        return call

    return decorate


class Plugin:
    """Tests are collected once; `work` says what is done with them."""

    def __init__(self, work: Callable[[Plugin], None]) -> None:
        self.work = work
        self.failed = False
        self.items: dict[str, pytest.Item] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed |= report.failed

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        # the examples in the docstring of a function are those of its copies too
        self.items = {
            item.nodeid: item for item in session.items if not re.search(r"__mutmut_\d", item.nodeid)
        }
        for name in ("cli", "verification.referee"):  # what a fixture imports is not the test's
            importlib.import_module(f"asymptok.{name}")
        gc.freeze()
        self.work(self)
        return True

    def test(self, name: str) -> float:
        item, start = self.items[name], time.process_time()
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        return time.process_time() - start


def forked(jobs: Iterable[tuple[Callable[[], None], float, Callable[[], None]]]) -> None:
    """Each job in a fork of its own, as many at once as JOBS says; when its seconds are over, `late` is called."""
    running: dict[int, Callable[[], None]] = {}

    def wait() -> None:
        pid, status = os.wait()
        late = running.pop(pid)
        if os.WIFSIGNALED(status):
            late()

    for job, seconds, late in jobs:
        while len(running) >= int(os.environ.get("JOBS", "1")):
            wait()
        pid = os.fork()
        if not pid:
            resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time() + seconds) + 1,) * 2)
            signal.signal(signal.SIGXCPU, signal.SIG_DFL)
            job()
            os._exit(0)
        running[pid] = late
    while running:
        wait()


def append(path: Path, line: object) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def lines(path: Path) -> list[Any]:
    return (
        [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    )


def reach(plugin: Plugin) -> None:
    known = {name for name, _, _ in lines(REACH)}
    groups = defaultdict(list)
    for name in plugin.items:
        if name not in known:
            groups[name.partition("[")[0]].append(name)

    def job(names: list[str]) -> None:
        for name in names:
            CALLED.clear()
            plugin.failed = False
            seconds = plugin.test(name)
            append(REACH, (name, -1.0 if plugin.failed else round(seconds, 4), sorted(CALLED)))

    forked((functools.partial(job, names), 60.0, lambda: None) for names in groups.values())


def chosen(functions: set[str], cap: float, table: list[Any]) -> list[str]:
    """The tests that call one of them: a case of each test first, the cheapest first."""
    found = sorted(
        (seconds, name) for name, seconds, called in table if seconds >= 0 and functions & set(called)
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


def run(mutants: list[str], cap: float, plugin: Plugin) -> None:
    table = [row for row in lines(REACH) if row[0] in plugin.items]
    reached = {function for _, _, called in table for function in called}
    early = CALLED - reached  # called by nothing but an import

    def job(mutant: str, tests: list[str]) -> None:
        if mutant.rpartition("__mutmut_")[0] not in reached:
            os.execv(sys.executable, [sys.executable, __file__, "anew", mutant, *tests])
        activate(mutant)
        for test in tests:
            plugin.test(test)
            if plugin.failed:
                break
        append(
            RESULTS,
            (mutant, "killed" if plugin.failed else "survived", test if plugin.failed else len(tests)),
        )

    def jobs() -> Iterator[tuple[Callable[[], None], float, Callable[[], None]]]:
        for mutant in mutants:
            function = mutant.rpartition("__mutmut_")[0]
            # what is made by an import is met by the tests of its module, in a process of its own
            beside = {
                x for row in table for x in row[2] if x.rpartition(".")[0] == function.rpartition(".")[0]
            }
            tests = chosen(beside if function in early else {function}, cap, table)
            if tests:
                late = functools.partial(append, RESULTS, (mutant, "late", len(tests)))
                yield functools.partial(job, mutant, tests), 3 * cap + 60 * (function in early), late
            else:
                append(RESULTS, (mutant, "not reached", 0))

    forked(jobs())


def activate(mutant: str) -> None:
    ACTIVE.update(function=mutant.rpartition("__mutmut_")[0], mutant=mutant.rpartition(".")[2])
    os.environ["MUTANT_UNDER_TEST"] = mutant  # for programs that a test starts


def main(command: str, *words: str) -> None:
    if command == "make":
        trampoline.set_mutant_under_test("mutant_generation")
        MUTANTS.mkdir(exist_ok=True)
        mutmut.copy_src_dir()
        mutmut.copy_also_copy_files()
        mutmut.create_mutants(1)
        return
    cap = 25.0
    if "--cap" in words:
        at = words.index("--cap")
        cap, words = float(words[at + 1]), words[:at] + words[at + 2 :]
    os.chdir(MUTANTS)
    sys.path.insert(0, str(MUTANTS))
    os.environ.update(CI="1", PYTHONPATH=str(MUTANTS), MUTANT_UNDER_TEST="")
    trampoline.wrap_in_trampoline = _wrap
    arguments = ["-q", "-p", "no:cacheprovider", "-n", "0", "-m", ""]
    if command == "reach":
        pytest.main([*arguments, *words], plugins=[Plugin(reach)])
    elif command == "anew":
        activate(words[0])
        killed = pytest.main([*arguments, "-x", *words[1:]]) != 0
        append(RESULTS, (words[0], "killed" if killed else "survived", len(words) - 1))
    else:
        names = draw(int(words[0]), words[1]) if words[0].isdigit() else list(words)
        files = sorted({name.partition("::")[0] for name, _, _ in lines(REACH)})
        pytest.main([*arguments, *files], plugins=[Plugin(functools.partial(run, names, cap))])


if __name__ == "__main__":
    main(*sys.argv[1:])
