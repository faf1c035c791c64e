"""Remainders with constants: true at fifty points of each end, and not silly."""

from __future__ import annotations

import mpmath
import pytest
from sympy import Rational, pi, sqrt

from asymptok import AsymptokError, Kernel, dual, expand, kernels

KERNELS = {
    "ntk 2": kernels.ntk(2),
    "ntk 3": kernels.ntk(3),
    "ntk 6": kernels.ntk(6),
    "rf 3": kernels.random_features(3),
    "rf 5": kernels.random_features(5),
    "laplace": kernels.laplace(3),
    "matern 5/2": kernels.matern(Rational(5, 2)),
    "gamma 1/2": kernels.gamma_exponential(Rational(1, 2)),
    "step 3": kernels.step_features(3),
    "relu with bias": kernels.relu_network(3, 1, 1),
    "arc-cosine 2": kernels.arc_cosine(2),
    "gaussian": kernels.gaussian(),
    "cauchy": kernels.cauchy(),
    "product": Kernel("u*sqrt(1 - u**2)*exp(-(1+u)**(3/2))"),
}


HIDDEN = "sqrt(1-u + 10**(-40))*sqrt(1-u)"


def more():
    """Named kernels of all kinds, logarithms, irrational exponents, poles, nested ones, singular points nearby."""
    return {
        **{f"ntk {n}": kernels.ntk(n) for n in (4, 5, 8, 10)},
        **{f"rf {n}": kernels.random_features(n) for n in (2, 4, 10)},
        **{f"matern {nu}": kernels.matern(nu) for nu in ("1/3", "1/2", 1, "5/4", "3/2", 2, 3, "7/2")},
        "matern sqrt(2)": kernels.matern(sqrt(2)),
        "matern pi": kernels.matern(pi),
        "short matern 1": kernels.matern(1, "1/3"),
        **{f"gamma {g}": kernels.gamma_exponential(g) for g in (Rational(4, 3), sqrt(2), pi / 3)},
        "steep gamma sqrt(2)": kernels.gamma_exponential(sqrt(2), 5),
        "laplace 20": kernels.laplace(20),
        **{f"arc-cosine {n}": kernels.arc_cosine(n) for n in (0, 1, 3)},
        "step 4": kernels.step_features(4),
        "leaky relu": kernels.network(2, activation="leaky_relu"),
        "rational quadratic": kernels.rational_quadratic("1/2"),
        "poisson": kernels.poisson("1/2", 3),
        "exponential": kernels.exponential(),
        "erf": kernels.erf_network(),
        "first layer": kernels.first_layer_ntk(),
        "matern 1 times ntk 2": kernels.matern(1) * kernels.ntk(2),
        "matern 1 plus ntk 3": kernels.matern(1) + kernels.ntk(3),
        "gamma sqrt(2) times rf 3": kernels.gamma_exponential(sqrt(2)) * kernels.random_features(3),
        "two irrational units": kernels.gamma_exponential(sqrt(2)) * kernels.gamma_exponential(sqrt(3)),
        "kappa_0 of gamma sqrt(2)": kernels.arc_cosine(0).compose(kernels.gamma_exponential(sqrt(2))),
        **{
            text: Kernel(text)
            for text in (
                "-log((1-u)/2)",
                "(1-u)**(-1/4)*(1+u)**(-1/5) + kappa1(u)",
                "(1-u)*log(1-u) + kappa1(u)",
                "(1-u)**2*log(1-u)*(1+u)*log(1+u)",
                "exp((1-u)*log(1-u))",
                "(1-u)**(3/2)*log(1-u)*exp(u)",
                "sqrt(2 + (1-u)*log(1-u))",
                "acos(u)*log(1+u)*(1+u)",
                "u*atanh(u)*(1-u**2)",
                "exp(-acos(u)**(3/2))",
                "sqrt(1-u + 1/1000000)",
                "1/(1 + 1/100000 - u)",
                "log(1-u + 1/100000000)",
                "sqrt(1-u)*log(1-u + 1/100000000)",
                HIDDEN,
                "(1-u)*log(1-u)/(1 + 1/100000 - u)",
                "1000000*(u*log(1-u) - u*log((1-u)*(1 + 1/1000000))) + sqrt(1-u)",
                "10**9*exp(u/2)*((1-u)**(sqrt(2)/2) - 2*(1-u)**(sqrt(2)/2 + 1/64))",
            )
        },
    }


@pytest.mark.parametrize("at", [1, -1])
@pytest.mark.parametrize("name", KERNELS)
def test_true_and_sharp(name, at):
    check(KERNELS[name], at)


@pytest.mark.parametrize("at", [1, -1])
@pytest.mark.parametrize(
    "name",
    [
        "exp(-(1-u)**(sqrt(2)/2))",
        "(1-u)**(1/100)*exp(u)",
        "exp((1-u)*log(1-u))",
        "-log((1-u)/2)*exp(u)",
        "polylog(5/2, kappa1(u))",
        "elliptic_k(u**2)",
        "polylog(3, u)",
    ],
)
def test_logarithms_and_irrational_exponents(name, at):
    check(Kernel(name), at)


@pytest.mark.parametrize("at", [1, -1])
@pytest.mark.parametrize("name", ["hard_tanh", "relu6", "exp(-1/(1-u))", "erf(1/sqrt(1-u))*sqrt(1+u)"])
def test_what_is_flat_at_an_end(name, at):
    """exp(-1/t) is smaller than every power of t on the interval, whatever it is beyond."""
    check(Kernel(name) if "(" in name else dual(name), at)


@pytest.mark.parametrize("at", [1, -1])
@pytest.mark.parametrize(
    "name", ["Abs(u - 9/10)*sqrt(1-u)", "Abs(u - 1/3)*exp(u)", "Max(u - 1/5, u**2)", "log(Abs(u - 1/3))"]
)
def test_kinks_end_the_interval(name, at):
    """|u| = 1 - t holds up to t = 1 only, though its expansion at u = 1 has no remainder."""
    check(Kernel(name), at)
    with pytest.raises(AsymptokError, match="radius"):
        expand(Kernel(name), at=at, order=2).bound("199/100")


@pytest.mark.slow
def test_sixty_kernels_at_both_ends():
    others = more()
    assert len(KERNELS | others) >= 60
    for kernel in others.values():
        for at in (1, -1):
            # away from u = 1 it is a polynomial but for 10^-80: no bound sees that
            check(kernel, at, sharp=at == 1 or kernel is not others[HIDDEN])


def check(kernel, at, sharp=True):
    """True at fifty points down to 10^-30 of the radius, and, if `sharp`, within a factor 100 at one of them."""
    expansion = expand(kernel, at=at, order=2, unbounded=True)
    bound = expansion.bound()
    # the expansion is all of the kernel: what is left are the errors of two evaluations
    exact = mpmath.mpf(0) if bound.constant else mpmath.mpf(10) ** -120
    assert bound.constant > 0 or not expansion.remainder
    best = exact
    assert bound.log_power == 0 or bound.radius < 1
    with mpmath.workdps(180):
        radius = mpmath.mpf(bound.radius.p) / bound.radius.q
        # log(t/2) vanishes at t = 2, where no number of digits is enough
        radius = radius if bound.constant else radius * mpmath.mpf("0.9")
        for j in range(50):
            t = radius * mpmath.mpf(10) ** (-mpmath.mpf(j) * 30 / 49)
            truth = abs(kernel.evaluate(at * (1 - t), dps=150) - expansion.evaluate(t, dps=150))
            assert truth <= bound(t) + exact, (kernel, at, t)
            best = max(best, truth / bound(t)) if bound.constant else mpmath.mpf(1)
    assert best > mpmath.mpf(1) / 100 or not sharp, (kernel, at)


def test_the_radius_asked_for():
    expansion = expand(kernels.ntk(3), order=3)
    small, large = expansion.bound("1/100"), expansion.bound(radius=Rational(3, 2))
    assert small.radius == Rational(1, 100) and large.radius == Rational(3, 2)
    assert small.constant <= large.constant * (1 + mpmath.mpf("1e-10"))
    with pytest.raises(AsymptokError, match="0 < t"):
        small("0.5")
    for bad in (0, 2, -1, "x"):
        with pytest.raises(AsymptokError):
            expansion.bound(bad)


def test_logarithms_at_the_radius_asked_for():
    """|log t| vanishes at t = 1: beyond, a power of t with a smaller exponent bounds the remainder."""
    kernel = Kernel("exp((1-u)*log(1-u))")
    expansion = expand(kernel, order=1)
    near, far = expansion.bound("1/10"), expansion.bound("5/4")
    assert (near.exponent, near.log_power) == (2, 2) and (far.exponent, far.log_power) == (Rational(7, 4), 0)
    with mpmath.workdps(40):
        for t in ("1e-20", "0.003", "0.1", "1", "1.25"):
            truth = abs(kernel.evaluate(1 - mpmath.mpf(t), 40) - expansion.evaluate(mpmath.mpf(t), 40))
            assert truth <= far(t) and (mpmath.mpf(t) > 0.1 or truth <= near(t))


def test_no_claim_where_nothing_is_proved():
    with pytest.raises(AsymptokError):
        expand(Kernel("exp(-(1-u)**(g/2))", parameters={"g": (0, 2)}), order=1).bound()
    # a pole at u = -3/10 lies in the way, at t = 13/10
    expansion = expand(Kernel("sqrt(1-u)/(u + 3/10)"), order=1)
    assert expansion.bound().radius <= 1
    with pytest.raises(AsymptokError, match="smaller radius"):
        expansion.bound("7/5")
