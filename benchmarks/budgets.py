"""Processor time of every question about networks that people use, and which of them exceed the budget.

    python benchmarks/budgets.py [--sample 20] [--seed 1] [--only elu,selu] [--questions verify,report] [--limit 30]

The networks are all named activations at the depths 2 to 5, with and without biases, skip connections and training,
and ReLU to depth 20. Each question is asked in a process of its own, from the making of the kernel on, imports not
counted; a process is stopped at twice the limit. A refusal that names its reason is an answer. The exit status is 1 if
a question exceeded the limit or failed with an error that is not the package's own.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import resource
import tempfile
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from time import process_time
from typing import Any

from asymptok import (
    AsymptokError,
    Kernel,
    activations,
    certify,
    check,
    consequences,
    decay,
    eigenvalues,
    expand,
    kernels,
    report,
    verify,
)

D = 3
#: activations that need a parameter
GIVEN = {"hermite": "hermite(x, 3)", "polynomial": "1 + x + x**2", "relu_power": "relu_power(x, 2)"}


def networks() -> dict[str, Callable[[], Kernel]]:
    found: dict[str, Callable[[], Kernel]] = {}
    for name in activations.names():
        for depth in (2, 3, 4, 5):
            for words in range(8):
                bias, skip, tangent = words & 1, "1/2" if words & 2 else 0, bool(words & 4)
                text = f"{name} {depth}{' bias' * bias}{' skip' * bool(skip)}{' NTK' * tangent}"
                options = {"bias_variance": bias, "residual": skip, "tangent": tangent}
                if bias or skip:
                    options["weight_variance"] = 1
                found[text] = partial(kernels.network, depth, GIVEN.get(name, name), **options)
    for depth in range(6, 21):
        found[f"relu {depth} NTK"] = partial(kernels.ntk, depth)
        found[f"relu {depth} bias NTK"] = partial(
            kernels.network, depth, weight_variance=1, bias_variance=1, tangent=True
        )
    return found


def _expand(kernel: Kernel) -> str:
    return ", ".join(f"nu {expand(kernel, at=at).nu}" for at in (1, -1))


def _eigenvalues(kernel: Kernel, kmax: int) -> str:
    spectrum = eigenvalues(kernel, D, kmax=kmax)
    return ("proved" if spectrum.rigorous else "estimates") + f", mu_{kmax} {float(spectrum[kmax]):.12g}"


def _report(kernel: Kernel) -> str:
    with tempfile.TemporaryDirectory() as folder:
        page = report(kernel, D, Path(folder) / "page.html").read_text(encoding="utf-8")
    return f"{len(page)} characters, {page.count('not finished within')} parts not finished"


def _consequences(kernel: Kernel) -> str:
    found = consequences(kernel, D)
    return f"{found.space}, {found.positive_definite.status}"


QUESTIONS: dict[str, Callable[[Kernel], object]] = {
    "expand": _expand,
    "decay": lambda kernel: f"{decay(kernel).even.kind}, {decay(kernel).odd.kind}",
    "check": lambda kernel: check(kernel, D).holds,
    "eigenvalues": partial(_eigenvalues, kmax=100),
    "eigenvalues 400": partial(_eigenvalues, kmax=400),
    "verify": lambda kernel: verify(kernel, D).verdict,
    "certify": lambda kernel: f"proved {certify(kernel, D).proved}",
    "consequences": _consequences,
    "report": _report,
}


def _answer(make: Callable[[], Kernel], question: str, limit: float, there: Connection) -> None:
    warnings.simplefilter("ignore")
    start = process_time()
    spent = resource.getrusage(resource.RUSAGE_SELF)
    most = int(spent.ru_utime + spent.ru_stime + 2 * limit)
    resource.setrlimit(resource.RLIMIT_CPU, (most, most))
    try:
        text = str(QUESTIONS[question](make()))
    except AsymptokError as error:
        text = f"{type(error).__name__}: {error}"
    except Exception as error:  # what must not happen is counted, and the run goes on
        text = f"FOREIGN {type(error).__name__}: {error}"
    there.send((process_time() - start, text))


def ask(make: Callable[[], Kernel], question: str, limit: float) -> tuple[float, str]:
    """Seconds and answer, from a process of its own."""
    here, there = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(target=_answer, args=(make, question, limit, there))
    child.start()
    there.close()
    try:
        seconds, text = here.recv()
    except EOFError:
        seconds, text = 2 * limit, "no answer"
    child.join()
    return seconds, text


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sample", type=int, default=20, help="networks drawn; 0 for all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="names of networks, or words in them")
    parser.add_argument("--questions", default=",".join(QUESTIONS))
    parser.add_argument("--limit", type=float, default=30)
    options: Any = parser.parse_args(arguments)
    words = [word for word in options.only.split(",") if word]
    matrix = networks()
    exact = [word for word in words if word in matrix]
    kept = exact or [name for name in matrix if not words or any(word in name for word in words)]
    names = sorted(kept)
    if 0 < options.sample < len(names):
        names = random.Random(options.seed).sample(names, options.sample)
    bad = []
    for name in names:
        for question in options.questions.split(","):
            seconds, text = ask(matrix[name], question, options.limit)
            line = f"{seconds:7.1f} s  {question:<16}{name:<32}{text[:110]}"
            print(line, flush=True)
            if seconds > options.limit or text.startswith("FOREIGN"):
                bad.append(line)
    print(
        f"\n{len(bad)} of {len(names) * len(options.questions.split(','))} exceed {options.limit:g} s or fail"
    )
    print("\n".join(bad))
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(main())
