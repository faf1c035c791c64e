"""Generalised power series with exact or enclosed coefficients, and the walk that builds them from expressions."""

from asymptok.series.ball_domain import BallDomain
from asymptok.series.exact import ExactDomain
from asymptok.series.exponents import Ranges
from asymptok.series.series import Series
from asymptok.series.walk import expand_expression

__all__ = ["BallDomain", "ExactDomain", "Ranges", "Series", "expand_expression"]
