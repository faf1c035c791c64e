"""The kinds of quantities that signatures speak of: enclosures, their power series, and opaque coefficients."""

from __future__ import annotations

from flint import acb, acb_series, arb, arb_series

__all__ = ["Ball", "BallSeries", "Element", "whole"]

#: an enclosure of a real or of a complex number
Ball = arb | acb
#: a truncated power series with such coefficients
BallSeries = arb_series | acb_series
#: a coefficient of a domain: callers hand it on and never look inside
Element = object


def whole(ball: arb) -> int:
    """The integer that the ball is, or the only one that it contains."""
    value = ball.unique_fmpz()
    if value is None:
        raise ValueError(f"{ball} does not contain exactly one integer")
    return int(value)
