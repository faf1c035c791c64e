"""Spaces compared by laws: against certificates at values of the parameters, and against algebra."""

from __future__ import annotations

import pytest
from sympy import Eq, Rational, Symbol, oo

from asymptok import Kernel, embeds, kernels, same_rkhs

L = Symbol("L", integer=True, positive=True)

#: first, second, whether the spaces are the same, whether the first lies in the second
PAIRS = [
    (kernels.ntk(L), kernels.laplace("c"), True, True),
    (kernels.ntk(L), kernels.ntk(Symbol("M", integer=True, positive=True)), True, True),
    (kernels.random_features(L), kernels.ntk(L), False, True),
    (kernels.laplace("c"), kernels.ntk(2), False, False),
    (kernels.ntk(2), kernels.laplace("c"), False, True),
    (kernels.gaussian("c"), kernels.laplace("b"), False, True),
    (kernels.laplace("b"), kernels.gaussian("c"), False, False),
    (kernels.gaussian("c"), kernels.gaussian("b"), None, None),
    (kernels.ntk(3), kernels.laplace(), True, True),
    (kernels.matern("1/3"), kernels.gamma_exponential("2/3"), True, True),
    (kernels.network(3, bias_variance="b"), kernels.matern("3/2"), True, True),
    (Kernel("abs(u)"), kernels.laplace(), None, None),
    (Kernel("kappa1(u) - u"), kernels.laplace(), None, None),
    (Kernel("1 + u"), Kernel("1 + 3*u"), True, True),
    (Kernel("1 + u"), Kernel("1 + u**3"), False, True),
    (Kernel("1 + u + a*u**3", parameters={"a": "[0, oo)"}), Kernel("1 + u"), None, None),
    (Kernel("1 + u + a*u**3", parameters={"a": (0, oo)}), Kernel("1 + u"), False, False),
]


@pytest.mark.parametrize(("first", "second", "same", "inside"), PAIRS, ids=range(len(PAIRS)))
def test_every_dimension_and_all_values(first: Kernel, second: Kernel, same: object, inside: object) -> None:
    found = same_rkhs(first, second)
    assert found.same is same, found.reason
    assert embeds(first, second).same is inside
    assert found.bounds is None
    assert same_rkhs(second, first).same is same


@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 2, 3, 4, 10])
def test_certificates_agree_at_values(number: int) -> None:
    first, second, same, inside = PAIRS[number]
    values = {"L": 4, "c": 2, "b": Rational(1, 3)}
    first, second = (k.subs({s: values[s.name] for s in k.parameters}) for k in (first, second))
    assert same_rkhs(first, second, 3).same is same
    assert embeds(first, second, 3).same is inside


def test_gamma_exponentials_are_nested() -> None:
    g, h = kernels.gamma_exponential("g"), kernels.gamma_exponential("h")
    found = embeds(h, g)
    assert found.same is None
    assert str(found.condition) == "g <= h"
    assert "g <= h" in str(found)
    (x,), (y,) = g.parameters, h.parameters
    assert same_rkhs(g, h).condition == Eq(x, y)
    assert embeds(Kernel(h, parameters={"h": (1, 2)}), Kernel(g, parameters={"g": (0, 1)})).same is True
    assert embeds(Kernel(g, parameters={"g": (0, 1)}), Kernel(h, parameters={"h": (1, 2)})).same is False
    for low, high in ((Rational(1, 2), Rational(3, 2)), (1, Rational(5, 4))):
        assert embeds(h.subs(h=high), g.subs(g=low), 3).same is True
        assert embeds(g.subs(g=low), h.subs(h=high), 3).same is False


def test_the_display_names_the_dimensions() -> None:
    assert "every d >= 3: the spaces are the same set of functions? yes" in str(
        same_rkhs(kernels.ntk(3), kernels.laplace())
    )
    assert "d = 5" in str(same_rkhs(kernels.ntk(L), kernels.laplace("c"), 5))
