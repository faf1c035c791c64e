"""How far random Fourier features are off anywhere on a bounded set (the argument of Rahimi and Recht, 2007)."""

from __future__ import annotations

from math import exp, log
from numbers import Real

from asymptok.arguments import whole_number
from asymptok.errors import AsymptokError

__all__ = ["failure_probability", "uniform_bound"]


def failure_probability(
    epsilon: float, m: int, d: int, second_moment: float, diameter: float, published: bool = False
) -> float:
    """A bound on P(sup |estimate - kernel| >= epsilon) over a set of the given diameter, for phi(0) = 1.

    s^2 = second_moment = E |w|^2. The error is a function f of x - y, and the differences fill a set of diameter at
    most 2 D. A net of (4D/rho)^d points meets |f| >= epsilon/2 with probability at most 2 exp(-m epsilon^2/8) each
    (Hoeffding). Between the points f changes by less than epsilon/2 unless its Lipschitz constant exceeds
    epsilon/(2 rho); that constant is at most the mean of |w_i| plus E |w|, with mean square at most 4 s^2, so by
    Markov the probability is at most (4 s rho/epsilon)^2. The best rho gives

        2^(1+2/(d+2)) (16 s D/epsilon)^(2d/(d+2)) exp(-m epsilon^2/(4 (d+2))).

    With `published`, 2^8 (s D/epsilon)^2 exp(-m epsilon^2/(4 (d+2))), as printed in their paper.
    """
    for value, what in ((epsilon, "error"), (second_moment, "second moment"), (diameter, "diameter")):
        if not isinstance(value, Real) or not 0 < float(value) < float("inf"):
            raise AsymptokError(f"the {what} is a finite positive number, not {value!r}")
    m, d = whole_number(m, "number of frequencies m"), whole_number(d, "dimension d")
    x, s = float(epsilon), float(second_moment) ** 0.5
    rate = -m * x**2 / (4 * (d + 2))
    if published:
        front = log(2.0**8) + 2 * log(s * diameter / x)
    else:
        front = (1 + 2 / (d + 2)) * log(2) + 2 * d / (d + 2) * log(16 * s * diameter / x)
    return exp(min(front + rate, 0.0))


def uniform_bound(
    m: int, d: int, second_moment: float, diameter: float, failure: float = 0.05, published: bool = False
) -> float:
    """The epsilon at which failure_probability comes down to `failure`; phi(0) = 1.

    >>> bound = uniform_bound(1000, 2, second_moment=2.0, diameter=4.0)
    >>> round(bound, 3)
    0.39
    """
    if not isinstance(failure, Real) or not 0 < float(failure) < 1:
        raise AsymptokError(f"the probability of failure lies between 0 and 1, not {failure!r}")
    low, high = 0.0, 1.0
    while failure_probability(high, m, d, second_moment, diameter, published) > failure:
        low, high = high, 2 * high
    for _ in range(80):
        middle = (low + high) / 2
        above = failure_probability(middle, m, d, second_moment, diameter, published) > failure
        low, high = (middle, high) if above else (low, middle)
    return high
