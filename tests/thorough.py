"""How much of a long run is done: ASYMPTOK_THOROUGH=1 in the environment asks for all of it."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from typing import Any

THOROUGH = bool(os.environ.get("ASYMPTOK_THOROUGH"))


def some(choices: Sequence[Any], count: int, name: str, names: Collection[str]) -> list[Any]:
    """`count` of the choices, in turn along the names: each name has some, each choice has many names."""
    if THOROUGH:
        return list(choices)
    start = list(names).index(name) * count
    return [choices[(start + j) % len(choices)] for j in range(count)]
