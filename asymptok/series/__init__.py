"""Generalised power series with exact or enclosed coefficients, and the walk that builds them from expressions."""

from asymptok.constants.ball_domain import BallDomain
from asymptok.constants.exact import ExactDomain
from asymptok.constants.exponents import Ranges
from asymptok.series.truncated import Series
from asymptok.series.walk import expand_expression

__all__ = ["BallDomain", "ExactDomain", "Ranges", "Series", "expand_expression"]
