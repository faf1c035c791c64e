"""The numbers with a name, as balls at the current precision."""

from __future__ import annotations

from collections.abc import Callable

import sympy
from flint import acb, arb

from asymptok.quantities import Ball

#: SymPy constant -> ball at the current precision.
CONSTANTS: dict[object, Callable[[], Ball]] = {
    sympy.pi: arb.pi,
    sympy.E: arb.const_e,
    sympy.EulerGamma: arb.const_euler,
    sympy.Catalan: arb.const_catalan,
    sympy.GoldenRatio: lambda: (1 + arb(5).sqrt()) / 2,
    sympy.oo: arb.pos_inf,
    -sympy.oo: arb.neg_inf,
    sympy.nan: arb.nan,
    sympy.zoo: arb.nan,
    sympy.I: lambda: acb(0, 1),
}
