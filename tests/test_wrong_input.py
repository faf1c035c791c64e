"""Wrong input of every kind comes back as an error of our own, in one clear line: no address, no page of digits."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy

import asymptok
from asymptok import (
    AsymptokError,
    Certificate,
    Kernel,
    activations,
    certify,
    check,
    consequences,
    decay,
    dual,
    eigenvalues,
    expand,
    kernels,
    multiplicity,
    puiseux,
    same_rkhs,
    verify,
)
from asymptok.proofs.files import digest

NTK = kernels.ntk(2)

BAD: dict[str, Any] = {
    "None": None,
    "bytes": b"\xff\xfe",
    "a text": "nonsense",
    "empty": "",
    "a text with a null": "a\0b",
    "half a character": "\ud800",
    "5,000 digits": "9" * 5000,
    "negative": -1,
    "nan": float("nan"),
    "an mpf nan": mpmath.mpf("nan"),
    "infinite": float("inf"),
    "complex": 1j,
    "a list": [],
    "a dictionary": {},
    "a set": {1},
    "a function": len,
    "a lambda": lambda u: u,
    "a function for a kernel": kernels.ntk,
    "a class": Kernel,
    "a module": kernels,
    "an object": object(),
    "an array": np.array([1.0, 2.0]),
    "a matrix": sympy.eye(2),
    "a relation": sympy.Symbol("x") < 1,
    "zoo": sympy.zoo,
    "I": sympy.I,
    "a path": pathlib.Path("/nonexistent/x"),
}

#: a call with one argument open
CALLS: dict[str, Callable[[Any], object]] = {
    "Kernel": Kernel,
    "evaluate": lambda x: NTK.evaluate(x, 15),
    "evaluate to": lambda x: NTK.evaluate("1/2", x),
    "call": NTK,
    "gram": NTK.gram,
    "normalize": lambda x: NTK.gram(np.eye(3), normalize=x),
    "expand": lambda x: expand(x, order=1),
    "expand at": lambda x: expand(NTK, at=x, order=1),
    "expand order": lambda x: expand(NTK, order=x),
    "as_expr": lambda x: expand(NTK, order=1).as_expr(x),
    "as_series": lambda x: expand(NTK, order=1).as_series(x),
    "bound": lambda x: expand(NTK, order=1).bound(x),
    "puiseux variable": lambda x: puiseux("sqrt(x)", x),
    "puiseux direction": lambda x: puiseux("sqrt(x)", sympy.Symbol("x"), dir=x),
    "decay": decay,
    "series": lambda x: decay(NTK).series(x, 3),
    "constant": lambda x: decay(NTK).even.constant(x),
    "consequences": lambda x: consequences(NTK, x),
    "eigenvalues in": lambda x: eigenvalues(NTK, x, kmax=2),
    "eigenvalues up to": lambda x: eigenvalues(NTK, 3, kmax=x) if x is not None else Kernel(x),
    "eigenvalues at": lambda x: eigenvalues(NTK, 3, ks=x) if x is not None else Kernel(x),
    "eigenvalues by": lambda x: eigenvalues(NTK, 3, kmax=2, method=x),
    "multiplicity": lambda x: multiplicity(x, 3),
    "check": lambda x: check(x),
    "condition": lambda x: check(NTK)[x],
    "verify": lambda x: verify(NTK, x, kmax=9, referee=()),
    "prediction": lambda x: verify(NTK, 3, kmax=9, referee=(), prediction=x) if x is not None else Kernel(x),
    "certify": lambda x: certify(NTK, x),
    "read": Certificate.from_json,
    "same_rkhs": lambda x: same_rkhs(NTK, x, 3),
    "dual": dual,
    "variance": lambda x: dual("relu", variance=x),
    "activation": lambda x: kernels.network(2, activation=x),
    "depth": kernels.ntk,
    "named activation": activations.get,
    "named kernel": kernels.get,
}


@pytest.mark.parametrize("call", CALLS)
def test_wrong_input_is_refused_in_one_line(call: str) -> None:
    """Some of it is understood in places: -1 is a kernel, a text the name of a parameter."""
    for label, value in BAD.items():
        try:
            CALLS[call](value)
        except AsymptokError as error:
            text = str(error)
            assert text.strip() and " at 0x" not in text and len(text) < 800, (call, label, text)


@pytest.mark.parametrize(
    ("ask", "way_out"),
    [
        (lambda: decay(kernels.ntk), "call it, ntk(...)"),
        (lambda: expand(NTK, order=-1), "a number >= 0, not -1"),
        (lambda: kernels.network(10**30), "at most 10000"),
        (lambda: kernels.ntk(10**30), "at most 10000"),
        (lambda: dual("softmax"), "there are relu, leaky_relu"),
        (lambda: check(NTK)["positive definite"], "give d, for example d=3"),
        (lambda: verify(NTK, 3, prediction="k**-3"), "as decay(kernel) gives it"),
        (lambda: verify(NTK, 10**30, kmax=5), "d + kmax up to"),
        (lambda: Certificate.from_json(b"\xff\xfe{"), "no text in UTF-8"),
        (lambda: Certificate.from_json("a\0b"), "no file can have the name"),
        (lambda: Certificate.from_json('{"a": ' + "9" * 5000 + "}"), "more than 4000 digits"),
    ],
)
def test_the_way_out(ask: Callable[[], object], way_out: str) -> None:
    with pytest.raises(AsymptokError) as found:
        ask()
    assert way_out in str(found.value)


def test_files_that_are_no_certificates(tmp_path: pathlib.Path) -> None:
    good = certify("exp(-sqrt(1-u))", 3)
    path = tmp_path / "x.json"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(AsymptokError, match="UTF-8"):
        Certificate.from_json(path)
    for name in (3, None, b"x", "a\0b", "\ud800", []):
        if name is not None:
            with pytest.raises(AsymptokError):
                good.to_json(name)
    for key, lie in (("positive_definite", "no"), ("strict", 1), ("offending", "x"), ("reason", None)):
        data = json.loads(good.to_json())
        data[key] = lie
        del data["digest"]
        data["digest"] = digest(data)
        with pytest.raises(AsymptokError, match="damaged"):
            Certificate.from_json(data)


def test_errors_are_of_one_family() -> None:
    for name in ("ExpansionError", "Impossible", "ParseError", "PrecisionError", "Undecided"):
        assert issubclass(getattr(asymptok, name), AsymptokError)
