"""Functions whose principal branch is analytic off a few rays to infinity: the rays."""

from __future__ import annotations

from typing import Any

import sympy
from flint import acb

from asymptok.functions.cuts import DOWN, LEFT, RIGHT, UP

#: function -> rays (end, direction). A cut of finite length has no place here: what avoids it on the boundary of a
#: domain may meet it inside.
RAYS: dict[Any, tuple[tuple[Any, Any], ...]] = {
    sympy.atan: ((acb(0, 1), UP), (acb(0, -1), DOWN)),
    sympy.asinh: ((acb(0, 1), UP), (acb(0, -1), DOWN)),
    sympy.atanh: ((1, RIGHT), (-1, LEFT)),
    sympy.acosh: ((1, LEFT),),
    sympy.besselk: ((0, LEFT),),
    sympy.bessely: ((0, LEFT),),
    sympy.besseli: ((0, LEFT),),
    sympy.besselj: ((0, LEFT),),
    sympy.loggamma: ((0, LEFT),),
    sympy.polylog: ((1, RIGHT),),
    sympy.elliptic_k: ((1, RIGHT),),
}
