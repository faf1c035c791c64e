"""table(): what a paper prints about several kernels, one row each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby, pairwise
from typing import Any

from sympy import Expr

from asymptok import kernels as named
from asymptok import ways_out
from asymptok.errors import AsymptokError
from asymptok.expansion import expand
from asymptok.kernels.kernel import Kernel, as_kernel
from asymptok.laws import ParityDecay
from asymptok.progress import each, share, task
from asymptok.reporting.columns import COLUMNS, Subject, dimension, full, law_notes, notes_on, settled
from asymptok.reporting.model import Cell, Column, Line, Table, transposed
from asymptok.show.coefficients import Names
from asymptok.show.decimals import MU
from asymptok.show.ranges import parameter_ranges

__all__ = ["deep_equals_shallow", "table"]

#: far enough for the leading term of every kernel with nu <= 4
_ORDER = 4
#: the columns of a table with numbers
_COMPACT = ("kernel", "nu", "law_even", "law_odd")
#: columns that are one where even and odd k have the same in every row, and its key
_PAIRS = {
    ("even", "odd"): "decay",
    ("constant_even", "constant_odd"): "constant",
    ("law_even", "law_odd"): "law",
}


def table(
    kernels: Any,
    columns: Iterable[str] | None = None,
    d: int | Iterable[int] | None = None,
    digits: int | None = None,
    *,
    order: object = None,
    headings: Mapping[str, str] | None = None,
    transpose: bool = False,
    group_by: str | Callable[[Kernel], str] | None = None,
) -> Table:
    """One row for each kernel: expansions at both ends, nu, c_1, c_-1, decay laws, conditions.

    `columns` selects and orders them (COLUMNS lists the keys); with the dimension `d` the decay columns hold
    numbers instead of expressions in d, and their constants are added; several dimensions stand side by side. With
    `digits` constants are numbers, rounded; that, or a list of dimensions, gives a compact table of nu and the leading
    terms. Even and odd k share a column where they agree in every row, unless `columns` names two. `order` shows the
    expansions up to t^order instead of up to their leading terms. `headings` renames columns, `transpose` makes them
    rows, and `group_by`, a column or a function of a kernel, puts the rows together that agree in it. What is undecided
    is a cell that says so.

    >>> from asymptok import kernels
    >>> print(table([kernels.ntk(3), "exp(u - 1)"], columns=["kernel", "nu", "c_1"]))
    kernel        nu   c_1
    ------------  ---  -------------
    NTK, depth 3  1/2  -3 sqrt(2)/pi
    exp(u - 1)    —    —
    >>> print(table([kernels.laplace(), kernels.laplace(2)], d=[3, 10], digits=4))
    kernel                 nu   mu_k, d = 3, all k  mu_k, d = 10, all k
    ---------------------  ---  ------------------  -------------------
    Laplace kernel, c = 1  1/2  0.3536 k^(-3)       3.319e4 k^(-10)
    Laplace kernel, c = 2  1/2  0.7071 k^(-3)       6.638e4 k^(-10)
    """
    rows = (
        list(kernels) if isinstance(kernels, Iterable) and not isinstance(kernels, Expr | str) else [kernels]
    )
    if not rows:
        raise AsymptokError("a table needs at least one kernel")
    several = isinstance(d, Iterable) and not isinstance(d, Expr | str)
    dims: tuple[Any, ...] = tuple(d) if several else (d,)  # type: ignore[arg-type]
    if not dims:
        raise AsymptokError("no dimensions: give d a number or a list of numbers")
    if digits is not None and (isinstance(digits, bool) or not isinstance(digits, int) or digits < 1):
        raise AsymptokError(f"digits is a number of digits, not {digits!r}")
    compact = digits is not None or several
    if columns is None and compact and dims != (None,):
        columns, merged = _COMPACT, True
    else:
        merged = columns is None
    chosen = _chosen(columns, dims[0])
    names = Names()
    subjects = [
        [
            Subject(
                kernel,
                n,
                names,
                _ORDER if order is None else order,
                kernel.name or f"kernel {i}",
                digits,
                compact,
            )
            for n in dims
        ]
        for i, kernel in enumerate(map(as_kernel, rows), 1)
    ]
    if order is not None:
        expand("u", order=order)  # an order that is none is a mistake, and no word in every cell
    for key in headings or {}:
        if key not in COLUMNS:
            raise AsymptokError(f"there is no column {key!r} to rename: choose from {', '.join(COLUMNS)}")
    places = _places(chosen, len(dims))
    # with an order of its own the whole expansion is shown
    values = {key: full(key) if order is not None else COLUMNS[key].value for key in chosen}
    # The second pass knows all names, so that the first rows use them as well.
    with task("table"):
        for part in ((0.0, 0.9), (0.9, 1.0)):
            with share(*part):
                body = [[settled(values[key], own[i]) for key, i in places] for own in each(subjects)]
    heads = [_head(key, dims[i], several, compact, headings) for key, i in places]
    if merged:
        heads, body = _merged(heads, body)
    kernels_shown = [own[0].kernel for own in subjects]
    notes = (*names.note(), *notes_on(body, names), *parameter_ranges(kernels_shown))
    if any(key.startswith("law") for key in chosen):
        notes = (*law_notes(_laws(subjects)), *notes)
    if group_by is not None:
        body = _grouped(body, [_group(group_by, own[0]) for own in subjects])
    made = Table(heads, body, notes=notes)
    return transposed(made) if transpose else made


def _laws(subjects: Sequence[Sequence[Subject]]) -> list[ParityDecay]:
    """Those of all kernels in all dimensions."""
    found: list[ParityDecay] = []
    for subject in (s for own in subjects for s in own):
        with suppress(AsymptokError):
            found += [law.at(subject.d) for law in (subject.decay.even, subject.decay.odd)]
    return found


def _places(chosen: Sequence[str], count: int) -> list[tuple[str, int]]:
    """Keys with the index of a dimension: neighbouring columns that depend on it are repeated together."""
    found: list[tuple[str, int]] = []
    for by_d, keys in groupby(chosen, key=lambda key: COLUMNS[key].by_d):
        block = list(keys)
        found += [(key, i) for i in range(count if by_d else 1) for key in block]
    return found


def _head(
    key: str, d: int | None, several: bool, compact: bool, headings: Mapping[str, str] | None
) -> Column:
    entry = COLUMNS[key]
    heading = (headings[key],) if headings and key in headings else entry.heading
    if not (entry.by_d and several) and not key.startswith("law"):
        return Column(key, heading)
    if not key.startswith("law"):
        return Column(f"{key}_{d}", heading, group=(dimension(d),))
    return Column(f"{key}_{d}" if several else key, heading, group=(MU, ", ", dimension(d)))


def _merged(heads: list[Column], body: list[list[Cell]]) -> tuple[list[Column], list[list[Cell]]]:
    """One column for even and odd k where every row has the same in both."""
    kept = dict(enumerate(heads))
    for i, (even, odd) in enumerate(pairwise(heads)):
        for (first, second), key in _PAIRS.items():
            same = even.key.startswith(first) and odd.key == even.key.replace(first, second)
            if same and all(row[i] == row[i + 1] for row in body):
                words = (
                    part.replace("even", "all") if isinstance(part, str) else part for part in even.heading
                )
                kept[i] = replace(even, key=even.key.replace(first, key), heading=tuple(words))
                del kept[i + 1]
    return list(kept.values()), [[row[i] for i in kept] for row in body]


def _group(group_by: str | Callable[[Kernel], str], subject: Subject) -> Line:
    if callable(group_by):
        return (str(group_by(subject.kernel)),)
    if group_by not in COLUMNS:
        raise AsymptokError(f"there is no column {group_by!r} to group by: choose from {', '.join(COLUMNS)}")
    found = settled(COLUMNS[group_by].value, subject)
    value = [part for i, line in enumerate(found.lines) for part in (*(("; ",) if i else ()), *line)]
    return (*COLUMNS[group_by].heading, " = ", *value)


def _grouped(body: list[list[Cell]], groups: list[Line]) -> list[list[Cell]]:
    """The rows of each group under a row with its name, in the order of their first members."""
    rows: list[list[Cell]] = []
    for group in dict.fromkeys(groups):
        rows.append([Cell((group,)), *(Cell(((),), plain="") for _ in body[0][1:])])
        rows += [row for row, own in zip(body, groups, strict=True) if own == group]
    return rows


def _chosen(columns: Iterable[str] | None, d: int | None) -> Sequence[str]:
    if columns is None:
        return [key for key, entry in COLUMNS.items() if entry.usual and (d is not None or not entry.needs_d)]
    chosen = list(columns) if isinstance(columns, Iterable) and not isinstance(columns, str) else [columns]
    for key in chosen:
        if not isinstance(key, str) or key not in COLUMNS:
            raise AsymptokError(f"there is no column {key!r}: choose from {', '.join(COLUMNS)}")
        if COLUMNS[key].needs_d and d is None:
            raise AsymptokError(f"the column {key!r} needs the dimension: {ways_out.dimension()}")
    if not chosen:
        raise AsymptokError(f"no columns: choose from {', '.join(COLUMNS)}")
    return chosen


def deep_equals_shallow() -> list[Kernel]:
    """The kernels of "Deep Equals Shallow for ReLU Networks in Kernel Regimes", parameters symbolic.

    >>> len(deep_equals_shallow())
    12
    """
    return [
        *(named.random_features(depth) for depth in (2, 3, 5)),
        *(named.ntk(depth) for depth in (2, 3, 5)),
        *(named.step_features(depth) for depth in (2, 3)),
        named.step_features(3, relu_above=True),
        named.laplace("c"),
        named.gamma_exponential("gamma", "c"),
        named.gaussian("c"),
    ]
