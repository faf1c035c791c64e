"""Every certified interval contains what mpmath computes: thousands of triples (kernel, d, k), counted."""

from __future__ import annotations

import mpmath
import pytest
from mpmath import mpf
from reference_sums import arc_cosine_one, by_quadrature, gamma_exponential, matern, summed
from sympy import Rational, pi, sqrt
from thorough import some

from asymptok import Kernel, certify, eigenvalues, kernels

DEGREES = [*range(41), 55, 100, 101]
ORDERS = [
    Rational(1, 3),
    Rational(1, 2),
    Rational(1),
    Rational(5, 4),
    sqrt(2),
    Rational(3, 2),
    Rational(2),
    Rational(5, 2),
]
GAMMAS = [Rational(1, 2), Rational(1), sqrt(2), pi / 2, Rational(3, 2)]


def _matern(order):
    return kernels.matern(order), lambda d, ks: summed(matern(mpf(str(order.n(60)))), d, ks)


def _gamma(gamma):
    return kernels.gamma_exponential(gamma), lambda d, ks: summed(
        gamma_exponential(mpf(str(gamma.n(60)))), d, ks
    )


def _leaky(d, ks):
    linear = summed([(0, mpf(1) / 2, 0), (1, mpf(-1) / 2, 0)], d, ks)
    one = arc_cosine_one(d, ks)
    return {k: mpf(8) / 25 * one[k] + linear[k] for k in ks}


def _with_log(d, ks):
    log, one = summed([(1, 0, 1)], d, ks), arc_cosine_one(d, ks)
    return {k: log[k] + one[k] for k in ks}


CASES = {
    **{f"matern {order}": _matern(order) for order in ORDERS},
    **{f"gamma {gamma}": _gamma(gamma) for gamma in GAMMAS},
    "-log((1-u)/2)": (
        Kernel("-log((1-u)/2)"),
        lambda d, ks: summed([(0, mpmath.log(2), -1)], d, ks),
    ),
    "(1-u)^(-1/4)": (Kernel("(1-u)**(-1/4)"), lambda d, ks: summed([(mpf(-1) / 4, 1, 0)], d, ks)),
    "t log t + kappa_1": (Kernel("(1-u)*log(1-u) + kappa1(u)"), _with_log),
    "t^2 log t - pole": (
        Kernel("(1-u)**2*log(1-u) + 3*(1-u)**(-1/5) + (1-u)**(sqrt(2)/2)"),
        lambda d, ks: summed([(2, 0, 1), (mpf(-1) / 5, 3, 0), (mpmath.sqrt(2) / 2, 1, 0)], d, ks),
    ),
    "leaky ReLU": (Kernel("kappa1(u)*8/25 + u/2"), _leaky),
}


def contained(kernel, d, reference):
    found = certify(kernel, d).require()
    with mpmath.workdps(60):
        for k, value in reference.items():
            assert found.lower(k) <= value <= found.upper(k), (kernel, d, k)
    return len(reference)


@pytest.mark.parametrize("name", ["matern 1", "t^2 log t - pole"])
def test_some(name):
    kernel, reference = CASES[name]
    with mpmath.workdps(60):
        values = reference(4, DEGREES)
    assert contained(kernel, 4, values) == len(DEGREES)


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_all_dimensions(name):
    """18 kernels, nine dimensions, 44 degrees: 7128 triples, of which three dimensions in turn are the usual run."""
    kernel, reference = CASES[name]
    for d in some(range(2, 11), 3, name, CASES):
        with mpmath.workdps(60):
            values = reference(d, DEGREES)
        assert contained(kernel, d, values) == len(DEGREES)


#: mu_k on S^2, by Rodrigues' formula and by parts
AT_ONE = {
    "elliptic_k((1+u)/2)": lambda k: mpf(2) / (2 * k + 1) ** 2,
    "elliptic_e((1+u)/2)": lambda k: mpf(-4) / ((2 * k - 1) * (2 * k + 1) ** 2 * (2 * k + 3)),
    "polylog(2, (1+u)/2)": lambda k: mpf(1) / (k * (k + 1)) ** 2 if k else mpmath.pi**2 / 6 - 1,
}


@pytest.mark.parametrize("text", AT_ONE)
def test_branch_points_at_one(text):
    ks = [*range(30), 1000, 10**6]
    with mpmath.workdps(60):
        assert contained(Kernel(text), 3, {k: AT_ONE[text](k) for k in ks}) == len(ks)
        spectrum = eigenvalues(Kernel(text), 3, ks=(0, 7, 100))
        for k in spectrum.ks:
            assert spectrum.is_proved(k) and abs(spectrum[k] - AT_ONE[text](k)) <= spectrum.error(k)


QUADRATURES = {
    "kappa_0 twice": (Kernel("kappa0(kappa0(u))"), lambda t: _kappa0(_kappa0(1 - t))),
    "matern 1 times ntk 2": (
        kernels.matern(1) * kernels.ntk(2),
        lambda t: (
            _bessel(2 * mpmath.sqrt(t)) * (_kappa1(1 - t) + (1 - t) * _kappa0(1 - t)) if t else 2 * _bessel(t)
        ),
    ),
    "exp(t log t)": (Kernel("exp((1-u)*log(1-u))"), lambda t: t**t if t else mpf(1)),
    "root of irrational": (
        Kernel("sqrt(1 + (1-u)**(sqrt(2)/2))"),
        lambda t: mpmath.sqrt(1 + t ** (mpmath.sqrt(2) / 2)),
    ),
    "acos and log": (
        Kernel("acos(u)*log(1+u)*(1+u)"),
        lambda t: mpmath.acos(1 - t) * (mpmath.log(2 - t) * (2 - t) if t < 2 else 0),
    ),
}


def _kappa0(x):
    return 1 - mpmath.acos(min(x, mpf(1))) / mpmath.pi


def _kappa1(x):
    return x * _kappa0(x) + mpmath.sqrt(max(1 - x * x, mpf(0))) / mpmath.pi


def _bessel(x):
    return x * mpmath.besselk(1, x) if x else mpf(1)


@pytest.mark.slow
@pytest.mark.parametrize("name", QUADRATURES)
def test_by_quadrature(name):
    """mpmath.quad to about 15 digits, so that intervals narrower than that are only compared to it."""
    kernel, kappa = QUADRATURES[name]
    for d in some((2, 5), 1, name, QUADRATURES):
        found = certify(kernel, d).require()
        for k in (0, 1, 6, 11):
            with mpmath.workdps(25):
                value = by_quadrature(kappa, d, k)
                slack = mpf(10) ** -15 * abs(kappa(mpf(1)))
                assert found.lower(k) - slack <= value <= found.upper(k) + slack, (name, d, k)


@pytest.mark.parametrize("k", [2500, 10**6, 10**12])
@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("(1-u)**2*log(1-u) + (1-u)**(-1/5)", [("2", 0, 1), ("-1/5", 1, 0)]),
        ("(1-u)**(sqrt(2)/2)*log(1-u)**2 + sqrt(1-u)", None),
        ("exp(-(1-u)**(pi/4))*1", "gamma"),
    ],
)
def test_far_out(text, terms, k):
    """mu_k at huge k, proved, against gamma functions of mpmath."""
    found = eigenvalues(text, 3, ks=[k], dps=25, method="auto")
    assert found.rigorous
    with mpmath.workdps(60):

        def law(e, j=0):
            def one(x):
                outer = (
                    mpf(2) ** (x + 1)
                    * mpmath.gamma(mpf(3) / 2)
                    * mpmath.gamma(x + 1)
                    / mpmath.sqrt(mpmath.pi)
                )
                ratio = mpmath.loggamma(k - x) - mpmath.loggamma(k + x + 2)
                return outer * mpmath.rgamma(-x) * mpmath.exp(ratio)

            with mpmath.extradps(60 + 3 * len(str(k))):
                return one(mpf(e)) if j == 0 else mpmath.diff(one, mpf(e), j)

        if terms is None:
            value = law(mpmath.sqrt(2) / 2, 2) + law(mpf(1) / 2)
        elif terms == "gamma":
            value = sum((-1) ** j / mpmath.factorial(j) * law(mpmath.pi * j / 4) for j in range(1, 60))
        else:
            value = sum(
                c * law(mpmath.mpmathify(e)) + (b * law(mpmath.mpmathify(e), 1) if b else 0)
                for e, c, b in terms
            )
        assert abs(found[k] - value) <= found.error(k) + abs(value) * mpf(10) ** -45
