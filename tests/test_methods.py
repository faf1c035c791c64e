"""The choice of a method for eigenvalues is data: the page shows it, the code follows it, the methods agree."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from asymptok import dual, eigenvalues, kernels
from asymptok.atlas.local import Unproved
from asymptok.precision import digits_to_bits
from asymptok.spectrum import integrate as module
from asymptok.spectrum.integrate import RUN, integrate
from asymptok.spectrum.methods import METHODS, NEAR, SERIES_FROM, Task, by_cost, cost_of, least_cost

PAGE = Path(__file__).parent.parent / "docs" / "choosing-a-method.md"
NAMES = tuple(RUN)


def task_of(kernel: object, d: int, ks: Sequence[int], dps: int = 30, known: bool = True) -> Task:
    return Task(kernel.expr, d, ks, digits_to_bits(dps), kernel.mean if known else None)  # type: ignore[attr-defined]


def test_the_page_shows_the_table() -> None:
    rows = [f"| {m.name} | {m.needs} | {m.seconds} | {m.proves} |" for m in METHODS]
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    start = lines.index("| method | needs | seconds | proves |") + 2
    assert lines[start : start + len(rows)] == rows and lines[start + len(rows)] == ""
    text = " ".join(lines)
    assert f"from {SERIES_FROM} on" in text and all(f"**{m.name}**" in text for m in METHODS)
    assert {m.name for m in METHODS} == {*RUN, "closed form", "contour"}


@pytest.mark.parametrize(
    ("make", "ks", "known", "first"),
    [
        (lambda: dual("relu6"), range(10), True, "quadrants"),
        (lambda: dual("relu6"), range(10), False, "quadrants"),
        (lambda: dual("relu6"), range(401), True, "disc"),
        (lambda: dual("hard_tanh"), range(1, 402, 2), True, "disc"),
        (lambda: kernels.ntk(3), range(401), True, "ellipse"),
        (lambda: dual("tanh"), range(1, 22, 2), True, "power series"),
        (lambda: kernels.laplace(), range(10), False, "ellipse"),
    ],
)  # fmt: skip
def test_the_cheapest(make: object, ks: range, known: bool, first: str) -> None:
    task = task_of(make(), 3, ks, known=known)  # type: ignore[operator]
    order = by_cost(task, *NAMES)
    assert order[0] == first
    assert [cost_of(name, task) for name in order] == sorted(cost_of(name, task) for name in order)
    assert least_cost(task) <= cost_of(first, task)


def test_what_proves_nothing_is_followed_by_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    def failing(name: str) -> object:
        def run(task: Task) -> None:
            tried.append(name)
            if len(tried) % 2:
                raise Unproved(name)

        return run

    monkeypatch.setattr(module, "RUN", {name: failing(name) for name in NAMES})
    kernel = dual("relu6")
    bits = digits_to_bits(30)
    with pytest.raises(Unproved):
        integrate(kernel.expr, 3, range(5), bits, kernel.mean)
    assert tried == by_cost(task_of(kernel, 3, range(5)), *NAMES) == ["quadrants", "disc"]


@pytest.mark.parametrize("d", [2, 3, 8])
def test_the_methods_agree(d: int) -> None:
    kernel = dual("relu6")
    task = task_of(kernel, d, range(6), 20)
    found = [RUN[name](task) for name in ("quadrants", "disc")]
    panels = RUN["panels"](task_of(kernel, d, range(6), 20, known=False))
    for k in range(6):
        first, second, third = (values[k].ball for values in (*found, panels))  # type: ignore[index]
        assert first.overlaps(second) and first.overlaps(third) and first.rel_accuracy_bits() > 60


def test_clipped_activations_to_high_degrees_are_values_on_the_disc(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(module, "RUN", {n: lambda t, n=n: (asked.append(n), RUN[n](t))[1] for n in NAMES})
    values = eigenvalues(kernels.network(2, "hard_tanh"), 3, kmax=120)
    assert asked == ["disc"] and values.rigorous and values[120] == 0 < values[119]


def test_long_ranges_are_read_off_the_contour() -> None:
    """From the degree where that pays on, and the values are those of quadrature."""
    kernel = kernels.ntk(3)
    found = eigenvalues(kernel, 3, ks=range(NEAR - 2, SERIES_FROM + 1, 6), dps=20)
    other = eigenvalues(kernel, 3, ks=[NEAR + 4, NEAR + 10], dps=20, method="quadrature")
    assert found.rigorous
    for k in other.ks:
        assert abs(found[k] - other[k]) <= found.error(k) + other.error(k)
