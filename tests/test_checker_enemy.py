"""Files with a digest that fits and what an enemy knows about the checker: branches, terms and numbers without end."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any

import mpmath as mp
import pytest

from asymptok import certify
from asymptok.checker.__main__ import main, verify
from asymptok.checker.algebra import full, nonnegative
from asymptok.checker.contour import Refuted
from asymptok.checker.exact import Unsupported
from asymptok.checker.kernel import Symbols, program
from asymptok.checker.read import BadInput, digest
from asymptok.proofs.certificate import Certificate


def signed(body: dict[str, Any]) -> str:
    return json.dumps({**body, "digest": digest(body)})


def certificate(text: str) -> dict[str, Any]:
    return dict(json.loads(certify(text, 3, terms=2).to_json()))


@pytest.fixture(scope="module")
def exponential() -> dict[str, Any]:
    return certificate("exp(u)")


def beside(body: dict[str, Any], nodes: list[list[Any]]) -> str:
    """The certificate of exp(u), for exp(u) + something; the operations count from the first that is added."""
    first = len(body["kernel"]["nodes"])
    moved = [[x + first if i and isinstance(x, int) else x for i, x in enumerate(node)] for node in nodes]
    moved.append(["add", first - 1, first + len(nodes) - 1])
    return signed({**body, "kernel": {"nodes": [*body["kernel"]["nodes"], *moved]}})


#: ((-2)^(1/2) (-3)^(3/4))^(1/2) - (-2)^(1/4) (-3)^(3/8), to the 16th power
ROOTS: list[list[Any]] = [
    ["num", "-2"],
    ["num", "-3"],
    ["pow", 0, "1/2"],
    ["pow", 1, "3/4"],
    ["mul", 2, 3],
    ["pow", 4, "1/2"],
    ["pow", 0, "1/4"],
    ["pow", 1, "3/8"],
    ["num", "-1"],
    ["mul", 6, 7, 8],
    ["add", 5, 9],
    ["pow", 10, "16"],
]
#: (Gamma(-1/2)^2)^(1/2) - Gamma(-1/2)
GAMMAS: list[list[Any]] = [
    ["num", "-1/2"],
    ["gamma", 0],
    ["pow", 1, "2"],
    ["pow", 2, "1/2"],
    ["num", "-1"],
    ["mul", 1, 4],
    ["add", 3, 5],
]


def test_roots_of_what_is_not_positive_are_no_products_of_roots(exponential: dict[str, Any]) -> None:
    x = mp.mpc(-2)
    roots = mp.sqrt(mp.sqrt(x) * mp.mpc(-3) ** 0.75) - x**0.25 * mp.mpc(-3) ** 0.375
    assert abs(roots**16) > 10**8 and mp.sqrt(mp.gamma(-0.5) ** 2) - mp.gamma(-0.5) > 7
    for nodes in (ROOTS, GAMMAS):
        with pytest.raises(Unsupported):
            verify(beside(exponential, nodes))


def test_numbers_that_grow_without_end(exponential: dict[str, Any]) -> None:
    squares: list[list[Any]] = [["num", "3"], *(["mul", i, i] for i in range(80))]
    powers: list[list[Any]] = [["num", "3/2"], *(["pow", i, "64"] for i in range(80))]
    for nodes in (squares, powers):
        with pytest.raises(Unsupported):
            verify(beside(exponential, nodes))
        odd = {**exponential["parities"]["odd"], "base": {"nodes": nodes}}
        with pytest.raises(Unsupported):
            verify(signed({**exponential, "parities": {**exponential["parities"], "odd": odd}}))


@pytest.mark.slow
def test_coefficients_beside_a_logarithm_outside() -> None:
    """log(2-u) = log t, t = 2-u, has no constant term; log(1-v) + log 2 has one, u = 2v."""
    body = certificate("log(2-u)")
    verify(signed(body))
    term = {"end": 1, "exponent": "0", "log": 0, "coefficient": ["6.9e-1", "7e-1"]}
    with pytest.raises((Unsupported, Refuted)):
        verify(signed({**body, "terms": [*body["terms"], term]}))


@pytest.mark.slow
def test_an_exponent_written_in_another_way() -> None:
    """sqrt(3 + 2 sqrt 2) = 1 + sqrt 2 has not the coefficient 0."""
    body = certificate("(1-u)**(1+sqrt(2))")
    verify(signed(body))
    root: list[list[Any]] = [["num", "2"], ["pow", 0, "1/2"], ["mul", 0, 1], ["num", "3"], ["add", 2, 3]]
    exponent = {"nodes": [*root, ["pow", 4, "1/2"]]}
    term = {"end": 1, "exponent": exponent, "log": 0, "coefficient": ["0", "0"]}
    with pytest.raises((Unsupported, Refuted)):
        verify(signed({**body, "terms": [*body["terms"], term]}))


def test_a_series_in_odd_powers_is_strictly_definite() -> None:
    """exp(u^3 + u^4) has infinitely many positive coefficients of each parity; u exp(u^4) has only odd ones."""
    nodes: list[list[Any]] = [["u"], ["pow", 0, "3"], ["pow", 0, "4"], ["add", 1, 2], ["exp", 3], ["exp", 2]]
    nodes += [["mul", 0, 5], ["num", "-2"], ["mul", 1, 7], ["num", "3"], ["add", 8, 9], ["pow", 10, "-1/2"]]
    strict = {4: True, 6: False, 11: True}  # 11 is (3 - 2u^3)^(-1/2)
    for last, expected in strict.items():
        value = Symbols().run(program(nodes[: last + 1]))
        assert nonnegative(value) and full(value) is expected


@pytest.mark.parametrize("key", ["comment", "format", "\udc00", "²"])
def test_any_character_may_be_refused(
    key: str, exponential: dict[str, Any], tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file.json"
    for body in ({**exponential, key: "\ud800"}, {**exponential, "dimension": key}):
        file.write_text(signed(body))
        status, printed = main([str(file)]), capsys.readouterr().out
        assert printed.isascii() and (status == 0) is (key == "comment" and body["comment"] == "\ud800")
    assert main([str(file), key]) == 2


def test_coefficients_with_more_digits_than_python_prints() -> None:
    """A wider interval is a weaker claim; nothing foreign is raised about it."""
    body = certificate("1/(2 - u)")
    body["terms"][0]["coefficient"][1] = "1e9999"
    assert not Certificate.from_json(json.loads(signed(body))).recheck().holds


CHANGES: list[Callable[[Fraction], Fraction]] = [
    lambda x: x / 2,
    lambda x: x * (1 - Fraction(1, 10**6)),
    lambda x: x * (1 + Fraction(1, 10**6)),
    lambda x: 2 * x,
    lambda x: -x,
    lambda x: Fraction(0),
    lambda x: x - 1,
    lambda x: x + 2,
]


def changed(value: Any) -> Iterator[Any]:
    """The value with one number changed, or one pair of bounds swapped."""
    if isinstance(value, dict):
        for low, high in (("a", "b"), ("lower", "upper")):
            if low in value:
                yield {**value, low: value[high], high: value[low]}
        yield from ({**value, key: other} for key, x in value.items() for other in changed(x))
    elif isinstance(value, list):
        yield from ([*value[:i], other, *value[i + 1 :]] for i, x in enumerate(value) for other in changed(x))
    elif isinstance(value, str) and value[-1:].isdigit():
        yield from {str(change(Fraction(value))) for change in CHANGES} - {value}
    elif isinstance(value, int) and not isinstance(value, bool):
        yield from {int(change(Fraction(value))) for change in CHANGES} - {value}


def real(text: str) -> mp.mpf:
    q = Fraction(text)
    return mp.mpf(q.numerator) / q.denominator


def test_what_is_accepted_is_true(exponential: dict[str, Any]) -> None:
    """All changes of the numbers that are claimed of exp(u) on S^2, against mu_k = sqrt(pi/2) I_(k+1/2)(1)."""
    with mp.workdps(60):
        mu = [mp.sqrt(mp.pi / 2) * mp.besseli(k + mp.mpf(1) / 2, 1) for k in range(41)]
        accepted = refused = 0
        small = ([*found, *exponential["small"][2:]] for found in changed(exponential["small"][:2]))
        others: dict[str, Iterable[Any]] = {"small": small, "dimension": changed(3)}
        others["parities"] = changed(exponential["parities"])
        for key, values in others.items():
            for other in values:
                body = {**exponential, key: other}
                try:
                    verify(signed(body))
                except (Refuted, Unsupported, BadInput):
                    refused += 1
                    continue
                accepted += 1
                assert key != "dimension"
                for item in body["small"]:
                    assert real(item["lower"]) <= mu[item["k"]] <= real(item["upper"])
                for parity, law in enumerate(body["parities"].values()):
                    first = law["k0"] + (law["k0"] - parity) % 2
                    for k in range(first, 41, 2):
                        frame = (real(law["base"]) / 2) ** k * mp.gamma(1.5) / mp.gamma(k + 1.5)
                        frame *= mp.ff(k, law["power"])
                        low, high = (real(law[x]) for x in ("a", "b"))
                        assert low * frame <= mu[k] <= high * frame
    assert accepted > 30 and refused > 60
