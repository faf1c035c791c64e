"""Singular points inside and outside of [-1, 1]: their exact terms, the sums, the constants, against mpmath."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import mpmath as mp
import pytest
from flint import acb, arb, fmpq
from sympy import N, Rational, S, latex, sqrt

from asymptok import Kernel, certify, decay, eigenvalues, same_rkhs
from asymptok.errors import PrecisionError
from asymptok.laws.point_terms import gauss, inner_log_term, outer_term
from asymptok.laws.sheets import far_points
from asymptok.precision import flint_precision
from asymptok.truth import Truth


def eigenvalue(kappa: Callable[[Any], Any], k: int, d: int, cuts: Sequence[Any] = ()) -> Any:
    """mu_k by quadrature in the angle, cut at the singular points; the recurrence is written out here."""

    def polynomial(x: Any) -> Any:
        a, b = mp.mpf(1), x
        for j in range(1, k):
            a, b = b, ((2 * j + d - 2) * x * b - j * a) / (j + d - 2)
        return b

    def integrand(angle: Any) -> Any:
        x = mp.cos(angle)
        return kappa(x) * polynomial(x) * mp.sin(angle) ** (d - 2)

    scale = mp.gamma(mp.mpf(d) / 2) / (mp.sqrt(mp.pi) * mp.gamma(mp.mpf(d - 1) / 2))
    ends = sorted([mp.mpf(0), mp.pi, *(mp.acos(c) for c in cuts)])
    grid = [a + (b - a) * j / 2 for a, b in pairwise(ends) for j in (0, 1)]
    return scale * mp.quad(integrand, [*grid, mp.pi])


def middle(ball: Any) -> Any:
    return mp.mpf(ball.mid().str(40, radius=False))


@pytest.mark.parametrize(
    ("u0", "nu", "log_power", "side"),
    [
        ("1/3", "1", 0, 1),
        ("-1/5", "3/2", 0, -1),
        ("9/10", "1/3", 0, 1),
        ("1/5", "0", 1, -1),
        ("1/5", "1/2", 1, 1),
        ("-3/5", "1/3", 2, 1),
    ],
)
@pytest.mark.parametrize(("k", "d"), [(6, 5)])
def test_a_truncated_power_has_its_law(u0: str, nu: str, log_power: int, side: int, k: int, d: int) -> None:
    place, power = Rational(u0), Rational(nu)
    with mp.workdps(28), flint_precision(400):
        x, p = mp.mpf(place.p) / place.q, mp.mpf(power.p) / power.q
        wanted = eigenvalue(
            lambda u: (side * (u - x)) ** p * mp.log(side * (u - x)) ** log_power if side * (u - x) > 0 else mp.mpf(0),
            k, d, [x],
        )  # fmt: skip
        with flint_precision(120):
            found = inner_log_term(k, d, place, power, log_power, side)
        assert abs(middle(found) - wanted) < mp.mpf(10) ** -18 and found.rad() < arb("1e-20")


@pytest.mark.parametrize(
    ("z", "nu", "log_power"),
    [
        (2, "-1", 0),
        (1j, "-1", 0),
        (-0.5 + 1.5j, "1/2", 0),
        (3, "2", 1),
        (1.25, "-1", 1),
        (1.125, "0", 2),
        (1j, "5/3", 3),
    ],
)
def test_a_power_around_an_outer_point_has_its_law(z: complex, nu: str, log_power: int) -> None:
    power = Rational(nu)
    with mp.workdps(25), flint_precision(120):
        p = mp.mpf(power.p) / power.q
        for k, d in ((9, 2), (6, 5)):
            wanted = eigenvalue(lambda u: (mp.mpc(z) - u) ** p * mp.log(mp.mpc(z) - u) ** log_power, k, d)
            found = outer_term(k, d, acb(z.real, z.imag), arb(fmpq(int(power.p), int(power.q))), log_power)
            assert abs(mp.mpc(middle(found.real), middle(found.imag)) - wanted) < mp.mpf(10) ** -18


def test_the_hypergeometric_sum_holds_for_large_parameters() -> None:
    """2F1(a, b; b; z) = (1-z)^-a, and the recurrence in c, where flint itself gives up."""
    a, z = arb(2.25), acb(0.5, -3)
    with flint_precision(120):
        assert gauss(a, arb(-1.25), arb(-1.25) + 40, z).rel_accuracy_bits() > 80
        for c in (1001, 10**6):
            b = arb(-1.25)
            before, here, after = (gauss(a, b, arb(c + j), z) for j in (-1, 0, 1))
            # c(c-1)(z-1) F(c-1) + c(c-1-(2c-a-b-1)z) F(c) + (c-a)(c-b) z F(c+1) = 0
            total = arb(c) * (c - 1) * (z - 1) * before + c * (c - 1 - (2 * c - a - b - 1) * z) * here
            total = total + (c - a) * (c - b) * z * after
            assert here.rel_accuracy_bits() > 80 and total.overlaps(acb(0)) and abs(total) < 1e-15


def quick(cases: list[Any], *places: int) -> list[Any]:
    """All cases, those at other places among the slow tests."""
    return [c if i in places else pytest.param(*c, marks=pytest.mark.slow) for i, c in enumerate(cases)]


INSIDE = [
    ("abs(u-1/3)", lambda u: abs(u - mp.mpf(1) / 3), ["1/3"]),
    ("abs(u)**(3/2)", lambda u: abs(u) ** mp.mpf(1.5), [0]),
    ("sign(u-1/4)", lambda u: mp.sign(u - mp.mpf(1) / 4), ["1/4"]),
    ("log(abs(u-1/5))", lambda u: mp.log(abs(u - mp.mpf(1) / 5)), ["1/5"]),
    ("max(0,u-1/2)**2", lambda u: max(mp.mpf(0), u - mp.mpf(1) / 2) ** 2, ["1/2"]),
    ("abs(u-1/3) + 3*sqrt(abs(u+1/2))", lambda u: abs(u - mp.mpf(1) / 3) + 3 * mp.sqrt(abs(u + 0.5)), ["1/3", "-1/2"]),
    ("abs(u-1/3)*exp(u)", lambda u: abs(u - mp.mpf(1) / 3) * mp.exp(u), ["1/3"]),
    ("abs(u-1/3)/10 + exp(-sqrt(1-u))", lambda u: abs(u - mp.mpf(1) / 3) / 10 + mp.exp(-mp.sqrt(1 - u)), ["1/3"]),
    ("abs(u) + 1/(2-u)", lambda u: abs(u) + 1 / (2 - u), [0]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "kappa", "cuts"), quick(INSIDE, 0, 8))
def test_points_inside_are_summed(text: str, kappa: Any, cuts: list[Any]) -> None:
    law = decay(text)
    with mp.workdps(16):
        places = [mp.mpf(Rational(c).p) / Rational(c).q for c in cuts]
        for k, d in ((18, 3), (19, 2)):
            if law.parity(k).kind == "zero":
                continue
            found, wanted = law.estimate(k, d, dps=4), eigenvalue(kappa, k, d, places)
            assert abs(found.value - wanted) <= found.error + mp.mpf(10) ** -13
            assert found.error < abs(wanted) / 1000


def test_nested_functions_at_a_point_inside() -> None:
    """Their coefficients there are pages long, and are not written out."""
    text = "abs(u+1/3)*kappa1(kappa1(u))"
    found, proved = decay(text).estimate(60, 4, dps=4), eigenvalues(text, 4, ks=[60], dps=10)
    assert proved.rigorous
    assert abs(found.value - proved[60]) <= found.error < abs(proved[60]) / 1000


OUTSIDE = [
    ("1/(2-u)", lambda u: 1 / (2 - u)),
    ("1/(1+u**2)", lambda u: 1 / (1 + u * u)),
    ("sqrt(2-u)", lambda u: mp.sqrt(2 - u)),
    ("log(3-u)", lambda u: mp.log(3 - u)),
    ("2/pi*asin(2*u/3)", lambda u: 2 / mp.pi * mp.asin(2 * u / 3)),
    ("atan(2*u)", lambda u: mp.atan(2 * u)),
    ("1/(3-2*cos(u))", lambda u: 1 / (3 - 2 * mp.cos(u))),
    ("(3-2*u)**(-1/3)", lambda u: (3 - 2 * u) ** (-mp.mpf(1) / 3)),
    ("1/((2-u)*(2+u)**2)", lambda u: 1 / ((2 - u) * (2 + u) ** 2)),
    ("1/(1+25*u**2)", lambda u: 1 / (1 + 25 * u * u)),
    ("sqrt(u**2+2*u+5)", lambda u: mp.sqrt(u * u + 2 * u + 5)),
    ("tan(u)", mp.tan),
    # the pole at 2 cancels, the one of 2 + sqrt(2-u) is on the other sheet, that of 2 - sqrt(2-u) is not
    ("(4-u**2)/(2-u) + 1/(5-u)", lambda u: 2 + u + 1 / (5 - u)),
    ("1/(2+sqrt(2-u))", lambda u: 1 / (2 + mp.sqrt(2 - u))),
    ("1/(2-sqrt(2-u))", lambda u: 1 / (2 - mp.sqrt(2 - u))),
]


@pytest.mark.parametrize(("text", "kappa"), quick(OUTSIDE, 0, 1, 3, 12))
def test_points_outside_are_summed(text: str, kappa: Any) -> None:
    law = decay(text)
    with mp.workdps(20):
        for k, d in ((12, 3), (13, 2)):
            if law.parity(k).kind == "zero":
                continue
            try:
                found = law.estimate(k, d, dps=5)
            except PrecisionError:
                found = law.estimate(k, d, terms=4)
            wanted = eigenvalue(kappa, k, d)
            assert abs(found.value - wanted) <= found.error + mp.mpf(10) ** -17
            assert found.error < abs(wanted) / 10


@pytest.mark.slow
def test_a_point_just_outside_no_longer_limits_the_series() -> None:
    """kappa_1((9u+1)/10): singular at 1 and at -11/9."""

    def kappa(u: Any) -> Any:
        x = (9 * u + 1) / 10
        return (x * (mp.pi - mp.acos(x)) + mp.sqrt(1 - x * x)) / mp.pi

    law = decay("kappa1((9*u+1)/10)")
    with mp.workdps(30):
        found, wanted = law.estimate(40, 3, dps=15), eigenvalue(kappa, 40, 3)
        assert abs(found.value - wanted) <= found.error < abs(wanted) * mp.mpf(10) ** -15


@pytest.mark.parametrize(
    "text", ["1/(2-u)", "sqrt(2-u)", "log(3-u)", "1/(3+u)", "log(5-u)/(2-u)", "1/(5-4*u)**(3/2)"]
)
def test_the_constant_before_rho_to_the_minus_k(text: str) -> None:
    law = decay(text)
    with mp.workdps(30):
        for k, d in ((2000, 3), (2001, 4)):
            side = law.parity(k)
            lead = (
                mp.mpf(N(side.constant(d), 25))
                * mp.mpf(N(side.rho, 25)) ** -k
                * mp.mpf(k) ** N(side.beside(d))
            )
            assert abs(law.evaluate(k, d, dps=10) / lead - 1) < mp.mpf(4) / 1000


def test_complex_pairs_add_up_to_real_numbers() -> None:
    even = decay("1/(1+u**2)").even
    assert even.rho == 1 + sqrt(2) and even.beside(3) == Rational(-1, 2)
    value = decay("1/(1+u**2)").evaluate(2000, 3, dps=10)
    with mp.workdps(20):
        lead = mp.mpf(N(even.constant(3), 20)) * (1 + mp.sqrt(2)) ** -2000 / mp.sqrt(2000)
        assert abs(abs(value) / lead - 1) < mp.mpf(1) / 1000


@pytest.mark.parametrize("text", ["exp(1/(3-u))", "exp(1/(3-u)**2)/(u-7)**2"])
def test_what_cannot_be_followed_is_refused(text: str) -> None:
    """Essential singularities: no constant, and no digits that are not there."""
    law = decay(text)
    assert law.even.constant(3) is None
    with pytest.raises(PrecisionError, match="outside"):
        law.evaluate(30, 3, dps=10)


#: the kernel, the same for mpmath, and the power of log k beside rho^-k
OUTER = [
    ("log(11/10-u)**2", lambda u: mp.log(mp.mpf(11) / 10 - u) ** 2, 1),
    ("(13/10-u)**sqrt(2)", lambda u: (mp.mpf(13) / 10 - u) ** mp.sqrt(2), 0),
    ("log(2+u)*sqrt(2+u)*exp(u)", lambda u: mp.log(2 + u) * mp.sqrt(2 + u) * mp.exp(u), 1),
    ("log(u**2+u+1)**2/(u**2-u+1)", lambda u: mp.log(u**2 + u + 1) ** 2 / (u**2 - u + 1), 0),
    ("(u**2+1)**sqrt(3)*log(u**2+1)", lambda u: (u**2 + 1) ** mp.sqrt(3) * mp.log(u**2 + 1), 1),
]


@pytest.mark.parametrize(("text", "function", "logs"), OUTER)
def test_branch_points_outside_have_their_terms(text: str, function: Callable, logs: int) -> None:
    """Powers of logarithms, irrational exponents, products of both, at real points and at pairs of complex ones."""
    law = decay(text)
    assert law.even.log_power == logs and law.even.constant(4) is not None
    with mp.workdps(32):
        wanted = eigenvalue(function, 40, 4)
        assert abs(law.evaluate(40, 4, dps=5) / wanted - 1) < mp.mpf(10) ** -5


@pytest.mark.parametrize(
    "text", ["(13/10-u)**sqrt(2)", "log(3/2-u)**2-log(3/2+u)**2+log(3/2+u)", "log(2-u)**3/(2-u)"]
)
def test_the_law_of_a_branch_point_is_the_limit_of_its_series(text: str) -> None:
    """Terms of relative size 1/log k and 1/k vanish in the quotients at k = 10^3, 10^4, 10^5, as the law says."""
    side = decay(text).odd
    law, logs = decay(text), side.log_power
    gaps = []
    with mp.workdps(40):
        rho, power, constant = (mp.mpf(N(x, 400)) for x in (side.rho, side.beside(3), side.constant(3)))
        for k in (1001, 10001, 100001):
            with mp.workdps(200):
                lead = constant * rho ** (-k) * mp.mpf(k) ** power * mp.log(k) ** logs
                gaps.append(abs(law.evaluate(k, 3, dps=10) / lead - 1) * (mp.log(k) if logs else k))
    assert max(gaps) < 6 and abs(gaps[2] - gaps[1]) < gaps[1] / 2


def test_a_pole_that_cancels_is_no_point() -> None:
    points, _ = far_points(Kernel("(4-u**2)/(2-u) + 1/(5-u)").expr)
    assert [p.location for p in points] == [S(5)]


def test_an_entire_part_beside_a_pole_counts() -> None:
    """erf(u)/(2-u): the pole alone is wrong by a fifth at k = 11, and the claimed error knows it."""
    law = decay("erf(u)/(2-u)")
    with mp.workdps(20):
        found, wanted = law.estimate(11, 3, terms=1), eigenvalue(lambda u: mp.erf(u) / (2 - u), 11, 3)
        assert abs(wanted) / 10 < abs(found.value - wanted) <= found.error
    with pytest.raises(PrecisionError):
        law.evaluate(11, 3, dps=10)


@pytest.mark.parametrize("text", ["(1-u)**(3/2) + cos(40*u)", "abs(u)**3 + cos(40*u)"])
@pytest.mark.parametrize("k", [20, 44, 60])
def test_an_entire_part_beside_an_end_or_a_kink_counts(text: str, k: int) -> None:
    """mu_k of cos(40 u) in d = 3 is (-1)^(k/2) j_k(40), much more than the series of the end or the kink."""
    with mp.workdps(20):
        wave = (-1) ** (k // 2) * mp.sqrt(mp.pi / 80) * mp.besselj(k + mp.mpf(1) / 2, 40)
        other = decay(text.split(" + ")[0]).estimate(k, 3, terms=3)
        found = decay(text).estimate(k, 3, terms=3)
        assert abs(found.value - other.value - wave) <= found.error
    with pytest.raises(PrecisionError):
        decay(text).evaluate(k, 3, dps=5)


def test_a_far_pole_has_its_digits() -> None:
    """1/(100-u): log rho = 5.3, and no ellipse nearer than the pole limits the digits; mu_k = Q_k(100)."""
    found = decay("1/(100-u)").estimate(6, 3, dps=10)
    with mp.workdps(60):
        assert mp.almosteq(found.value, mp.legenq(6, 0, 100, type=3).real, 1e-10)


@pytest.mark.parametrize(
    "text", ["1/(5-4*u)", "1/(1+25*u**2)", "sqrt(u**2+2*u+5)", "1/(u**5-u+7)", "kappa1(u/2)"]
)
def test_what_was_followed_numerically_calls_itself_an_estimate(text: str) -> None:
    law = decay(text)
    for shown in (repr(law), latex(law), law._repr_html_()):
        assert ("estimate:" in shown) is (law.even.outside is not None) and "proved" not in shown
    assert law.even.attained(3) is Truth.UNKNOWN


def test_a_constant_of_another_sheet_is_not_given() -> None:
    """(6/5 - u) + 2 is 1/5 at u = 3, where the expression itself is 9/5 + 2."""
    law = decay("(2 + sqrt(u**2 - 12/5*u + 36/25))/(3-u)")
    assert law.even.constant(3) is None and "estimate" not in str(law)


def test_proofs_do_not_rest_on_what_was_followed_numerically(monkeypatch: pytest.MonkeyPatch) -> None:
    """With every followed coefficient wrong the certificate still encloses mu_k = Q_k(7/3)."""

    def lie(*args: Any, **options: Any) -> Any:
        points, rest = far_points(*args, **options)
        wrong = [tuple(replace(t, coefficient=-7 * t.coefficient) for t in p.terms) for p in points]
        return tuple(replace(p, terms=terms) for p, terms in zip(points, wrong, strict=True)), rest

    monkeypatch.setattr("asymptok.laws.geometric.far_points", lie)
    monkeypatch.setattr("asymptok.laws.further.far_points", lie)
    assert decay("1/(7/3-u)").even.constant(3) is None
    found = certify("1/(7/3-u)", d=3)
    with mp.workdps(30):
        assert found.proved and found.lower(10) <= mp.legenq(
            10, 0, mp.mpf(7) / 3, type=3
        ).real <= found.upper(10)
    assert same_rkhs("1/(7/3-u)", "2/(7/3-u)", 3).same is True


@pytest.mark.parametrize("text", ["sqrt(1 + 1/10**9 - u)", "log(1 + 1/10**12 + u)"])
def test_a_branch_point_next_to_an_end_has_its_ellipse(text: str) -> None:
    """At 1 + a the ellipse has rho = 1 + a + sqrt(a^2 + 2a), whether the sheets can be followed or not."""
    a = Rational(1, 10**9 if "sqrt" in text else 10**12)
    assert abs(N(decay(text).even.rho - 1 - a - sqrt(a**2 + 2 * a), 30)) < 1e-25
