"""A search that is cut off says unknown, wherever the time ends, and is not remembered."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import pytest
from sympy import Rational

from asymptok import (
    AsymptokError,
    Undecided,
    analyse,
    check,
    consequences,
    decay,
    dual,
    eigenvalues,
    expand,
    patience,
    time_limit,
)
from asymptok.laws import derive
from asymptok.patience import OutOfTime, Portion, question, remembered, tick
from asymptok.truth import Truth

# each kernel with whether it is smooth inside; none of them is used by other tests, whose answers would be remembered
KERNELS = [
    ("sin(2*cos(u) - 3*u)/(2*cos(u) - 3*u) + sqrt(1 - u)/19", True),
    ("abs(u - 3/17) + exp(u/19)", False),
    ("1/(exp(u) - 13/10) + u/19", False),
    ("exp(-1/(u - 2/19)**2) + (1 - u)**(1/3)", True),
    ("abs(u - 3/19)*exp(-2/(u - 5/19)**2)", False),
    ("sqrt(u**2 + exp(-1/u**2)/19)", False),
    ("log((19 - u)*(1 - u)) - log(1 - u)", True),
]


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], object]:
    """steps(n): a clock on which a question has about n looks at it."""

    def limit(n: int) -> object:
        looks = count()
        clock = lambda: float(next(looks))  # noqa: E731
        monkeypatch.setattr(patience, "thread_time", clock)
        monkeypatch.setattr(patience, "monotonic", clock)
        return time_limit(n)

    return limit


@pytest.mark.parametrize(("kernel", "smooth"), KERNELS)
def test_wherever_the_time_ends_nothing_false_is_said(
    kernel: str, smooth: bool, steps: Callable[[int], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    cut = 0
    for n in (0, 5, 20, 60, 150, 400, 1000, 3000):
        with steps(n):  # type: ignore[attr-defined]
            found, report = analyse(kernel), check(kernel)
        assert found.smooth in (Truth.UNKNOWN, Truth.of(smooth)), n
        assert report["smooth inside"].status in ("unknown", "proved" if smooth else "refuted"), n
        cut += found.cut
        if found.complete and not found.cut:
            break
        # what no piece covers is listed
        assert found.smooth is not Truth.UNKNOWN or found.cover is None or found.cover.gaps or found.interior
    assert cut
    monkeypatch.undo()
    found = analyse(kernel)
    assert found.smooth is Truth.of(smooth) and not found.cut


def test_no_time_is_no_answer_and_later_there_is_one() -> None:
    kernel = "exp(-sqrt(1 - u)/29) + sin(5*u)/(29*u)"
    with time_limit(0):
        conditions = list(check(kernel, 3))
        assert {c.status for c in conditions} == {"unknown"}
        assert all("the time that a search may take" in c.evidence for c in conditions)
        for ask in (decay, lambda k: consequences(k, 3), lambda k: eigenvalues(k, 3, kmax=2)):
            with pytest.raises(
                Undecided, match=r"not finished within 0 s of processor time.*time_limit\(60\)"
            ):
                ask(kernel)
    assert check(kernel).holds
    assert decay(kernel).nu == decay("exp(-sqrt(1 - u))").nu


def test_the_seconds_are_set_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASYMPTOK_SECONDS", "0")
    with pytest.raises(Undecided):
        decay("exp(-sqrt(1 - u)/31)")
    with time_limit(float("inf")):
        assert decay("exp(-sqrt(1 - u)/31)").nu
    monkeypatch.setenv("ASYMPTOK_SECONDS", "soon")
    with pytest.raises(AsymptokError, match="'soon'"):
        decay("exp(-sqrt(1 - u)/31)")


@pytest.mark.parametrize("seconds", [-1, "ten", None, float("nan")])
def test_seconds_that_are_none(seconds: object) -> None:
    with pytest.raises(AsymptokError, match="the seconds that a question may take"), time_limit(seconds):  # type: ignore[arg-type]
        pass


def test_what_ends_a_search_passes_by_every_handler() -> None:
    assert not issubclass(OutOfTime, Exception)

    @question
    def asked() -> str:
        try:
            tick("deep down")
        except Exception:
            return "swallowed"
        return "in time"

    with time_limit(0), pytest.raises(Undecided, match=r"asked was not finished .*deep down"):
        asked()
    assert asked() == "in time"


def test_an_answer_after_a_cut_is_kept_for_one_question() -> None:
    calls = []

    @remembered(maxsize=8)
    def searched(x: int) -> str:
        calls.append(x)
        with Portion(0 if len(calls) == 1 else 1):
            tick()
            return "found"
        return "cut"

    @question
    def asked() -> list[str]:
        return [searched(7), searched(7)]

    assert asked() == ["cut", "cut"] and calls == [7]
    assert asked() == ["found", "found"] and calls == [7, 7]
    assert searched(7) == "found" and calls == [7, 7]


def test_a_question_in_a_question_has_no_more_time_than_that() -> None:
    @question
    def inner() -> None:
        tick("inside")

    @question
    def outer() -> str:
        try:
            inner()
        except Undecided:
            return "the inner question had a limit of its own"
        return "in time"

    with time_limit(0), pytest.raises(Undecided, match="outer was not finished"):
        outer()


def test_a_portion_goes_on_with_what_is_left_of_it(steps: Callable[[int], object]) -> None:
    with steps(40):  # type: ignore[attr-defined]
        time, rounds = Portion(1), 0
        while not time.cut:
            with time:
                tick()
            rounds += 1
    assert 1 < rounds < 40 and "not finished within the time" in str(time)


def test_an_expansion_that_is_cut_off_names_the_way_out() -> None:
    with (
        time_limit(0),
        pytest.raises(Undecided, match=r"expand was not finished within 0 s .*time_limit\(60\)"),
    ):
        expand("exp(-(1-u)**(5/7)/23)*acos(u/29)", order=2)
    assert len(expand("exp(-(1-u)**(5/7)/23)*acos(u/29)", order=2).terms) > 4


def test_an_expansion_has_the_time_of_the_question_that_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A question is not ended by the usual time of the computations inside."""
    monkeypatch.setattr(patience, "_LONG", 0.0)
    with pytest.raises(Undecided, match="expand was not finished"):
        expand("sqrt(1 - u)*cos(u/31)")
    asked = question(lambda: expand("sqrt(1 - u)*cos(u/31)"))
    assert asked().nu == Rational(1, 2)


def test_a_computation_has_more_time_for_more_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "thread_time", lambda: 0.0)
    monkeypatch.setattr(patience, "monotonic", lambda: 0.0)
    for times, seconds in ((0.5, 25), (1, 25), (4, 100)):
        with patience.computing("asked", times):
            patience.need(seconds)
            with pytest.raises(OutOfTime):
                patience.need(seconds + 1)


def test_what_cannot_be_stopped_is_not_begun() -> None:
    @question
    def asked() -> str:
        patience.need(11, "one long step")
        return "begun"

    with pytest.raises(Undecided, match="one long step"):
        asked()
    with time_limit(12):
        assert asked() == "begun"


def test_a_share_of_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(patience, "thread_time", lambda: now[0])
    monkeypatch.setattr(patience, "monotonic", lambda: now[0])
    with time_limit(40), patience.computing("asked", 1):
        now[0] = 20.0
        with Portion(0.5, of_rest=True) as part:
            now[0] = 29.0
            tick()
            now[0] = 31.0
            tick()
        assert part.cut


def test_strips_that_take_too_long_leave_the_rest_of_the_law(monkeypatch: pytest.MonkeyPatch) -> None:
    def forever(*_: object) -> None:
        while True:
            tick()

    kernel = dual("tanh(x) + tanh(x)**2")
    monkeypatch.setattr(derive, "stretched_law", forever)
    with time_limit(1):
        law = decay(kernel)
    assert [side.kind for side in (law.even, law.odd)] == ["superpolynomial", "superpolynomial"]
