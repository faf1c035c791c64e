"""What a germ says: on one side of a point the function is exp(scale) (model + flat), or bounded by a power."""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb, arb_poly
from sympy import Expr

from asymptok.regularity.flat import Envelope
from asymptok.regularity.model import LENGTH, Model


@dataclass(frozen=True, slots=True)
class Germ:
    """exp(scale) (model + flat); where the model is missing, |f| <= exp(scale) bound[0] s^(-bound[1]).

    The scale is an expression that tends to plus or minus infinity like a power; None stands for 0. It is kept as an
    expression so that the scales of a quotient cancel exactly: e^(-h)/(e^(-h) + e^(-2h)) is 1/(1 + e^(-h)).
    """

    model: Model | None
    flat: Envelope | None = None
    bound: tuple[arb, int] | None = None
    scale: Expr | None = None

    def moderate(self) -> tuple[arb, int]:
        """(A, w) with |f| <= A s^(-w), the scale left out."""
        if self.model is None:
            assert self.bound is not None
            return self.bound
        rest = arb(0) if self.flat is None else self.flat.largest(self.model.radius, 0)
        weight = -self.model.order
        # the flat part is bounded; a factor s^(-w) with w >= 0 only enlarges its bound
        return (self.model.size() + rest).upper(), weight if rest.is_zero() else max(weight, 0)

    @property
    def vanishes(self) -> bool:
        """Whether nothing but a flat part is left."""
        return self.model is not None and self.model.is_zero


def constant(value: arb | int, radius: arb) -> Germ:
    return Germ(Model.constant(value, radius))


def nothing_but(flat: Envelope | None, radius: arb) -> Germ:
    """The germ of zero, with a flat part."""
    return Germ(Model(0, arb_poly([]), LENGTH, arb(0), radius), flat)
