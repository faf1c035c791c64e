"""The methods for mu_k as data: what each needs, what it costs, and what it proves.

The costs are seconds of processor time on one core, formulas fitted to the output of
`python benchmarks/eigenvalues.py --methods`. They decide about time only: whatever is tried proves its answer, or says
that it is an estimate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, log2

from sympy import Expr

from asymptok import dag
from asymptok.atlas.quadrant_form import QuadrantForm, quadrant_form
from asymptok.atlas.switches import Resolver
from asymptok.functions.orthant import Orthant
from asymptok.kernels.means import Mean
from asymptok.spectrum.closed_forms import is_cheap, recognise
from asymptok.spectrum.kinked import kinked_nodes
from asymptok.spectrum.power_series import has_hermite_dual

__all__ = ["METHODS", "NEAR", "SERIES_FROM", "Method", "Task", "by_cost", "cost_of", "least_cost"]

#: degrees from which a series in k is asked, alone or in a long range, and what is a long one
SERIES_FROM, NEAR, MANY = 2000, 200, 3000


@dataclass(frozen=True)
class Task:
    """The eigenvalues that are asked for: n of them up to the degree K, to so many bits."""

    expr: Expr
    d: int
    ks: Sequence[int]
    bits: int
    mean: Mean | None = None

    @cached_property
    def top(self) -> int:
        return max(self.ks)

    @property
    def count(self) -> int:
        return len(self.ks)

    @cached_property
    def work(self) -> float:
        """w: the bits asked for, and those that mu_K lies below 1."""
        smooth, kink = (self.top + 1) * log2(self.top + self.d + 2), (self.d + 1) * log2(self.top + 2)
        return self.bits + 24 + min(smooth, kink)

    @cached_property
    def price(self) -> float:
        """p: seconds for one value of kappa."""
        nodes = list(dag.postorder(self.expr))
        orthants = sum(isinstance(node, Orthant) for node in nodes)
        return 1e-5 * len(nodes) + 1e-4 * orthants + 5e-2 * self.by_series

    @cached_property
    def form(self) -> QuadrantForm | None:
        return None if self.switching or self.by_series else quadrant_form(self.expr)

    @cached_property
    def switching(self) -> bool:
        return bool(Resolver(self.expr).switching)

    @cached_property
    def by_series(self) -> bool:
        return bool(kinked_nodes(self.expr)) or has_hermite_dual(self.expr)


@dataclass(frozen=True, slots=True)
class Method:
    """One way to mu_k; `seconds` is the formula of `cost`, and `holds` tells whether what it needs is there."""

    name: str
    needs: str
    seconds: str
    proves: str
    holds: Callable[[Task], bool]
    cost: Callable[[Task], float]


def _ellipse(task: Task) -> float:
    return (task.work + task.top) * (task.price + 1.2e-7 * task.top)


def _disc(task: Task) -> float:
    nodes = task.work * (task.work + task.top) / (10 * (task.d + 1))
    sides = 1 if task.mean is not None and task.mean.parity else 2
    return nodes * (sides * task.price + 1.2e-7 * task.top)


def _pairs(task: Task) -> int:
    form = task.form
    return 0 if form is None else len(form.quadrants) + len(form.errors) + len(form.exponentials)


#: in the order of the page in the documentation
METHODS = (
    Method(
        "closed form",
        "a sum of cores with known mu_k (polynomials, arc-cosine kernels, powers, exponentials, multiquadrics), and at "
        f"most {MANY} degrees if one is {SERIES_FROM} or more",
        "10^-5 n",
        "every digit",
        lambda task: (
            (task.count <= MANY or task.top < SERIES_FROM)
            and recognise(task.expr) is not None
            and is_cheap(task.expr)
        ),
        lambda task: 1e-5 * task.count,
    ),
    Method(
        "contour",
        f"k >= {SERIES_FROM}, or k >= {NEAR} in a range up to {SERIES_FROM} or more where that pays",
        "0.3 + 10^-4 n",
        "every digit",
        lambda task: task.top >= SERIES_FROM,
        lambda task: 0.3 + 1e-4 * task.count,
    ),
    Method(
        "power series",
        "Hermite coefficients: smooth activations without a closed form, and those with kinks",
        "0.5 + 10^-9 (w + 4K)^3",
        "every digit",
        lambda task: task.by_series,
        lambda task: 0.5 + 1e-9 * (task.work + 4 * task.top) ** 3,
    ),
    Method(
        "ellipse",
        "kappa shown to be analytic inside an ellipse, but for the ends; no switch",
        "(w + K) (p + 1.2 10^-7 K)",
        "every digit",
        lambda task: not (task.by_series or task.switching or task.form),
        _ellipse,
    ),
    Method(
        "quadrants",
        "the kernel of a piecewise polynomial activation: q pairs of thresholds",
        "1.2 10^-5 q K (w + K)",
        "every digit",
        lambda task: task.form is not None,
        lambda task: 1.2e-5 * max(1, _pairs(task)) * (task.top + 1) * (task.work + task.top),
    ),
    Method(
        "disc",
        "a mean E[phi(X) phi(Y)], so that |kappa| <= kappa(1) on the unit disc; values of kappa, nothing else",
        "w (w + K)/(10 (d + 1)) (2p + 1.2 10^-7 K), with p for 2p if kappa is even or odd",
        "every digit",
        lambda task: task.mean is not None and not task.switching,
        _disc,
    ),
    Method(
        "panels",
        "nothing: kinks, jumps, poles next to the interval, narrow features",
        "20 times the ellipse",
        "every digit",
        lambda task: not task.by_series and (task.switching or task.mean is None),
        lambda task: 20 * _ellipse(task),
    ),
)


def by_cost(task: Task, *names: str) -> list[str]:
    """Those of the methods that apply, the cheapest first."""
    return sorted((n for n in names if cost_of(n, task) < inf), key=lambda name: cost_of(name, task))


def cost_of(name: str, task: Task) -> float:
    """Seconds of processor time, about; oo where the method does not apply."""
    method = next(method for method in METHODS if method.name == name)
    return method.cost(task) if method.holds(task) else inf


def least_cost(task: Task) -> float:
    """That of the cheapest method but the contour."""
    return min(cost_of(method.name, task) for method in METHODS if method.name != "contour")
