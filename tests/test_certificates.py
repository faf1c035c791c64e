"""Certificates against numbers that they were not made from, and against attempts to make them say something false."""

from __future__ import annotations

import json
from dataclasses import replace

import mpmath
import pytest
from flint import arb, fmpq
from sympy import Rational, sqrt

from asymptok import (
    AsymptokError,
    Certificate,
    Kernel,
    certify,
    dual,
    eigenvalues,
    embeds,
    kernels,
    same_rkhs,
)
from asymptok.atlas.core import analytic_core
from asymptok.atlas.factors import curve_factor, slit_factor
from asymptok.atlas.rewriting import rewritten
from asymptok.checker.__main__ import verify
from asymptok.checker.contour import Refuted
from asymptok.checker.exact import Unsupported
from asymptok.precision import flint_precision
from asymptok.proofs import files
from asymptok.proofs.claims import Law, ParityClaim
from asymptok.proofs.expressions import from_nodes

NETWORKS = {
    "ntk 2": kernels.ntk(2),
    "ntk 3": kernels.ntk(3),
    "rf 4": kernels.random_features(4),
    "laplace": kernels.laplace(2),
    "matern 3/2": kernels.matern(Rational(3, 2)),
    "gamma 3/2": kernels.gamma_exponential(Rational(3, 2)),
    "step 3": kernels.step_features(3),
    "relu with bias": kernels.relu_network(2, 1, 1),
    "leaky": kernels.arc_cosine(1) * 2 + Kernel("u/3"),
    "first layer": kernels.first_layer_ntk(),
}


def chebyshev(kernel: Kernel, k: int) -> mpmath.mpf:
    """mu_k in dimension 2 by mpmath's own quadrature of kappa(cos x) cos(kx)/pi."""
    with mpmath.workdps(25):
        nodes = mpmath.linspace(0, mpmath.pi, max(3, k))
        return (
            mpmath.quad(lambda x: kernel.evaluate(mpmath.cos(x), dps=25) * mpmath.cos(k * x), nodes)
            / mpmath.pi
        )


def legendre(kernel: Kernel, k: int) -> mpmath.mpf:
    """mu_k in dimension 3 by mpmath."""
    with mpmath.workdps(25):
        nodes = mpmath.linspace(0, mpmath.pi, max(3, k))

        def integrand(x: mpmath.mpf) -> mpmath.mpf:
            u = mpmath.cos(x)
            return kernel.evaluate(u, dps=25) * mpmath.legendre(k, u) * mpmath.sin(x)

        return mpmath.quad(integrand, nodes) / 2


@pytest.mark.parametrize("name", ["ntk 3", "laplace", "step 3", "gamma 3/2"])
@pytest.mark.parametrize(("d", "integral"), [(2, chebyshev), (3, legendre)])
def test_enclosures_contain_what_mpmath_integrates(name, d, integral):
    found = certify(NETWORKS[name], d)
    assert found.proved
    for k in (0, 1, 6, 11):
        value = integral(NETWORKS[name], k)
        # mpmath's rule is an estimate: good to ten digits of the largest eigenvalue here
        slack = mpmath.mpf("1e-12")
        assert found.lower(k) - slack <= value <= found.upper(k) + slack


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("d", [2, 3, 4, 7, 10])
def test_enclosures_contain_quadrature(name, d):
    """A second algorithm: Gauss-Legendre with proved errors, which knows nothing of the contour."""
    kernel = NETWORKS[name]
    found = certify(kernel, d)
    assert found.proved and found.positive_definite and found.k0 <= 17
    degrees = [0, 1, 2, 3, 7, 12, 13, 18, 25, 40, 41]
    values = eigenvalues(rewritten(kernel.expr), d, ks=degrees, dps=25)
    a, b = found.constants
    for k in degrees:
        with flint_precision(200):
            assert found.enclosure(k).overlaps(values.ball(k))
            law = found.parity(k)
            if law.law is Law.ALGEBRAIC and k >= law.k0 and law.rate == found.rate:
                power = mpmath.power(k, mpmath.mpf(found.rate.p) / found.rate.q)
                assert a * power <= values[k] <= b * power
    width = found.upper(40) - found.lower(40)
    assert width <= mpmath.mpf("1e-6") * found.upper(40)


def test_arc_cosine_in_closed_form():
    """mu_k of kappa_1 from gamma functions: 2^(n+1) Gamma(n+d/2)/Gamma(d/2) lambda_k^2, far out."""
    d, n = 4, 1
    found = certify(kernels.arc_cosine(1), d)
    with mpmath.workdps(40):
        for k in (2, 10, 100, 1000):
            half = mpmath.mpf(1) / 2
            lam = mpmath.gamma(d * half) * mpmath.gamma(n + 1) / 2 ** (n + 1)
            lam *= mpmath.rgamma(1 + (n - k) * half) * mpmath.rgamma((n + k + d) * half)
            mu = 2 ** (n + 1) * mpmath.gamma(n + d * half) / mpmath.gamma(d * half) * lam**2
            assert found.lower(k) <= mu <= found.upper(k)
    assert found.odd.law is Law.ZERO and found.lower(10**6 + 1) == found.upper(10**6 + 1) == 0


@pytest.mark.slow
def test_two_thousand_eigenvalues_in_closed_form():
    """Arc-cosine kernels of order 0 to 3, d = 2 ... 10, k = 0 ... 60, each against gamma functions in mpmath."""
    count = 0
    half = mpmath.mpf(1) / 2
    with mpmath.workdps(40):
        for n in range(4):
            for d in range(2, 11):
                found = certify(kernels.arc_cosine(n), d)
                assert found.proved
                for k in range(61):
                    lam = mpmath.gamma(d * half) * mpmath.gamma(n + 1) / 2 ** (n + 1)
                    lam *= mpmath.rgamma(1 + (n - k) * half) * mpmath.rgamma((n + k + d) * half)
                    mu = 2 ** (n + 1) * mpmath.gamma(n + d * half) / mpmath.gamma(d * half) * lam**2
                    mu /= mpmath.fac2(2 * n - 1)
                    assert found.lower(k) <= mu <= found.upper(k), (n, d, k)
                    count += 1
    assert count == 2196


def test_far_out_the_leading_constant_shows():
    found = certify(kernels.ntk(4), 3)
    for k in (10**6, 10**12):
        low, high = found.lower(k), found.upper(k)
        # c_1 + c_-1 of docs/theory.md times C(3, 1/2)
        with mpmath.workdps(30):
            c1, c2 = mpmath.mpf("-2.70094894847132"), mpmath.mpf("-0.135748624670539")
            predicted = -(c1 + c2) * mpmath.sqrt(2) / 4 * mpmath.mpf(k) ** -3
        assert abs(low / predicted - 1) < mpmath.mpf("1e-5") and high - low < mpmath.mpf("1e-15") * high


@pytest.mark.slow
@pytest.mark.parametrize("d", [2, 3, 10])
def test_bessel_functions_of_fractional_order(d):
    """Against mpmath, which knows K_nu by itself."""
    kernel = kernels.matern(Rational(5, 4))
    found = certify(kernel, d)
    assert found.proved and found.positive_definite and found.rate == 1 - d - Rational(5, 2)
    values = eigenvalues(kernel, d, ks=[0, 3, 12], dps=15, method="mpmath")
    for k in (0, 3, 12):
        slack = values.error(k) * 100
        assert found.lower(k) - slack <= values[k] <= found.upper(k) + slack


@pytest.mark.slow
def test_irrational_exponents():
    """Against the closed form sum_j (-c)^j/j! mu_k((1-u)^(g j)) in mpmath, d = 3."""
    g = mpmath.sqrt(2) / 2
    found = certify(kernels.gamma_exponential(sqrt(2)), 3)
    assert found.proved and found.positive_definite and found.rate == -2 - sqrt(2)
    with mpmath.workdps(40):
        g = mpmath.sqrt(2) / 2
        for k in (1, 8, 20, 40, 300):
            total = mpmath.mpf(0)
            for j in range(1, 60):
                nu = g * j
                term = (
                    2 ** (nu + 1)
                    * mpmath.gamma(mpmath.mpf(3) / 2)
                    * mpmath.gamma(nu + 1)
                    / mpmath.sqrt(mpmath.pi)
                )
                term *= mpmath.gammaprod([k - nu], [-nu, k + nu + 2])
                total += (-1) ** j * term / mpmath.factorial(j)
            assert found.lower(k) <= total <= found.upper(k)


def test_a_root_beside_irrational_exponents():
    found = certify(Kernel("sqrt(sqrt(1-u) + (1-u)**(sqrt(2)/2))"), 3)
    assert found.proved and found.positive_definite is False

    def mu(k):
        # t = x^8 makes the integrand smooth at 0
        return mpmath.quad(
            lambda x: (
                4 * x**9 * mpmath.sqrt(1 + x ** (4 * mpmath.sqrt(2) - 4)) * mpmath.legendre(k, 1 - x**8)
            ),
            mpmath.linspace(0, mpmath.mpf(2) ** 0.125, 9),
        )

    with mpmath.workdps(20):
        for k in (1, 6, 15):
            assert found.lower(k) <= mu(k) <= found.upper(k)


def test_irrational_exponents_at_one_end_only():
    found = certify(Kernel("(1-u)**(sqrt(3)/3) + sqrt(1+u)"), 3)

    def power(nu, k):
        front = 2 ** (nu + 1) * mpmath.gamma(1.5) * mpmath.gamma(nu + 1) / mpmath.sqrt(mpmath.pi)
        return front * mpmath.rgamma(-nu) * mpmath.gamma(k - nu) / mpmath.gamma(k + nu + 2)

    with mpmath.workdps(30):
        for k in (0, 1, 12, 13, 33, 200, 10**6):
            mu = power(1 / mpmath.sqrt(3), k) + (-1) ** k * power(mpmath.mpf(1) / 2, k)
            assert found.lower(k) <= mu <= found.upper(k)


# ------------------------------------------------------------------------------- what must not be certified


@pytest.mark.parametrize(
    "text",
    [
        "1/log(abs(u - 1/3)/9)",  # the inverse of a logarithm inside
        "1/(u - 3/10)",  # a pole on the interval
        "1/(1-u)",  # not integrable on S^2, nor is the next
        "(1-u)**(-5/4) + sqrt(1+u)",
        "log(1-u)/(1-u)",
        "log(-log((1-u)/3))",  # no series in powers of t and log t
    ],
)
def test_false_kernels_are_not_certified(text):
    found = certify(Kernel(text), 3)
    assert not found.proved and found.reason and found.positive_definite is not True


@pytest.mark.parametrize(
    ("text", "height"),
    [
        ("exp(-sqrt(1-u))/(101/100 - u)", 0.1415),  # a pole just outside: cosh h = 1.01
        ("sqrt(1-u)/((u-1/2)**2 + 1/100)", 0.1153),  # a pair of poles 0.1 away from the interval
        ("sqrt((1-u)*(u + 11/10))", 0.4436),  # a branch point just outside
    ],
)
def test_the_strip_stops_before_a_singularity(text, height):
    found = certify(Kernel(text), 3)
    assert all(float(int(b.height.p)) / int(b.height.q) < height for b in found.bounds)
    if found.proved:
        values = eigenvalues(Kernel(text), 3, ks=[9, 30, 61], dps=20)
        for k in (9, 30, 61):
            with flint_precision(160):
                assert found.enclosure(k).overlaps(values.ball(k))


def test_an_indefinite_kernel_names_its_degree():
    found = certify(Kernel("exp(-sqrt(1-u)) - u/2"), 3)
    assert found.positive_definite is False and found.offending == 1
    found = certify(Kernel("3 + u + sqrt(1-u)"), 3)
    assert found.positive_definite is False and found.upper(found.offending) < 0


def test_nothing_is_claimed_positive_without_the_first_eigenvalues(monkeypatch):
    """A law for large k alone says nothing about small ones."""
    from asymptok.proofs import certifying

    def refuse(*_args, **_options):
        raise AsymptokError("no quadrature today")

    monkeypatch.setattr(certifying, "eigenvalues", refuse)
    # the Laplace kernel alone is positive definite by its power series, whatever its eigenvalues
    found = certify("exp(-5*sqrt(1-u)) + cos(5*u)/1000", 3)
    assert not found.proved and found.positive_definite is None and found.strict is None


def test_bad_questions():
    with pytest.raises(AsymptokError, match="gamma"):
        certify(Kernel("exp(-(1-u)**(gamma/2))", parameters={"gamma": (0, 2)}), 3)
    for bad in ({"d": 1}, {"d": 3, "terms": 0}, {"d": 3, "goal": 2}, {"d": 3, "goal": "x"}):
        with pytest.raises(AsymptokError):
            certify(kernels.laplace(), **bad)
    with pytest.raises(TypeError):
        bool(certify(kernels.laplace(), 3))


# ------------------------------------------------------------------------------------------ the pieces


def test_the_factors_of_the_contour():
    """T(beta, k) and the bound of |q_k| against mpmath's integrals of the definition of q_k."""
    for d, k, beta in ((2, 3, Rational(3, 2)), (3, 4, Rational(1, 2)), (5, 3, Rational(5, 2))):
        with mpmath.workdps(20):
            c = mpmath.gamma(mpmath.mpf(d) / 2) / (
                mpmath.sqrt(mpmath.pi) * mpmath.gamma(mpmath.mpf(d - 1) / 2)
            )
            lam = mpmath.mpf(d - 2) / 2
            scale = 1 if d == 2 else mpmath.gegenbauer(k, lam, 1)

            def polynomial(u, lam=lam, k=k, d=d, scale=scale):
                return mpmath.chebyt(k, u) if d == 2 else mpmath.gegenbauer(k, lam, u) / scale

            def term(u, c=c, d=d, beta=beta, polynomial=polynomial):
                power = mpmath.mpf(d - 3) / 2
                return c * (1 - u) ** (float(beta) + power) * (1 + u) ** power * polynomial(u)

            # mu_k((1-u)^beta) = -sin(pi beta) T(beta, k)
            mu = mpmath.quad(term, [-1, 0, 1])
            T = slit_factor(arb(fmpq(int(beta.p), int(beta.q))), k, d)
            assert abs(mu + mpmath.sin(mpmath.pi * beta) * mpmath.mpf(T.mid().str(20, radius=False))) < 1e-6

            h = mpmath.mpf(1) / 2
            for x in (0.1, 1, 2.5):
                z = mpmath.cos(mpmath.mpc(x, h))
                q = mpmath.quad(
                    lambda s: c * polynomial(mpmath.cos(s)) * mpmath.sin(s) ** (d - 2) / (z - mpmath.cos(s)),  # noqa: B023
                    mpmath.linspace(0, mpmath.pi, 5),
                )
                assert abs(q) <= float(curve_factor(arb(fmpq(1, 2)), k, d).upper()) * (1 + 1e-9)


def test_coefficients_are_those_of_the_exact_expansion():
    from asymptok import expand
    from asymptok.balls import ball

    for kernel in (kernels.ntk(3), kernels.random_features(5), kernels.step_features(3)):
        core = analytic_core(kernel.expr, 6)
        for at in (1, -1):
            exact = {t.exponent: t.coefficient for t in expand(kernel, at=at, order=3).terms}
            mine = [t for t in core.terms if t.at == at and t.exponent <= 3]
            assert mine
            for term in mine:
                value = ball(exact.get(term.exponent, 0), prec=200)
                assert term.coefficient.overlaps(value)


# ------------------------------------------------------------------------------------------ files, mutations


@pytest.fixture(scope="module")
def certificate() -> Certificate:
    return certify(kernels.ntk(3), 3)


def test_round_trip(certificate, tmp_path):
    path = tmp_path / "ntk.json"
    text = certificate.to_json(path)
    again = Certificate.from_json(path)
    assert again.to_json() == text and again.lower(77) == certificate.lower(77)
    assert again.recheck().holds


def test_a_file_about_logarithms_is_read():
    found = certify("(1-u)**2*log(1-u)", 3)
    assert Certificate.from_json(found.to_json()).to_json() == found.to_json()


def test_a_damaged_file_is_refused(certificate):
    data = json.loads(certificate.to_json())
    data["small"][3]["lower"] = "0"
    with pytest.raises(AsymptokError, match="digest"):
        Certificate.from_json(data)
    del data["terms"]
    data["digest"] = files.digest(data)
    with pytest.raises(AsymptokError, match="damaged"):
        Certificate.from_json(data)
    twice = certificate.to_json()[:-2] + ', "dimension": 3}'
    for text in ("no json", '{"format": NaN}', '{"format": 1.5}', "{" * 10**5, twice):
        with pytest.raises(AsymptokError):
            Certificate.from_json(text)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("terms", 0, "log"), -2),
        (("terms", 0, "log"), 10**9),
        (("terms", 0, "end"), 0),
        (("terms", 0, "end"), 2),
        (("terms", 0, "exponent"), "1e99999999"),
        (("dimension",), 3.0),
        (("dimension",), 1),
        (("small", 0, "k"), "0"),
        (("small", 0, "lower"), "1e-99999999"),
        (("parities", "even", "k0"), True),
        (("parities", "even", "bound"), -1),
        (("bounds", 0, "height"), "nan"),
    ],
    ids=str,
)
def test_numbers_of_the_wrong_kind_are_refused(certificate, path, value):
    data = json.loads(certificate.to_json())
    *way, last = path
    place = data
    for key in way:
        place = place[key]
    place[last] = value
    data["digest"] = files.digest(data)
    with pytest.raises(AsymptokError, match="damaged"):
        Certificate.from_json(data)


@pytest.mark.parametrize(
    "nodes",
    [
        [["num", "9"], ["powc", 0, 0], ["powc", 1, 1], ["powc", 2, 2]],
        [["num", "9"], ["pow", 0, "1000000000"]],
        [["num", "1000000000"], ["gamma", 0]],
        [["num", "3"], *(["mul", i, i] for i in range(60))],
        [["u"], ["kappa", 10**5, 0]],
        [["num", "1e-4000"]],
    ],
    ids=lambda nodes: str(nodes[-1]),
)
def test_numbers_without_end_are_not_computed(nodes):
    with pytest.raises(AsymptokError, match="damaged"):
        from_nodes([*nodes, ["u"], ["mul", len(nodes) - 1, len(nodes)]])


def _scaled(text: str, factor: str) -> str:
    return str(mpmath.mpf(text) * mpmath.mpf(factor))


def _with_bound(certificate, index, **changes):
    bounds = list(certificate.bounds)
    bounds[index] = replace(bounds[index], **changes)
    return replace(certificate, bounds=tuple(bounds))


MUTATIONS = {
    "kernel": lambda c: replace(c, kernel=Kernel(c.kernel.expr * (1 + Rational(1, 10**6)))),
    "dropped term": lambda c: replace(c, terms=c.terms[1:]),
    "wrong sign": lambda c: replace(
        c, terms=(replace(c.terms[0], low=c.terms[0].high[1:], high=c.terms[0].low[1:]), *c.terms[1:])
    ),
    "halved B": lambda c: _with_bound(c, 0, plus=_scaled(c.bounds[0].plus, "0.5")),
    "halved G": lambda c: _with_bound(c, 0, curve=_scaled(c.bounds[0].curve, "0.5")),
    "shifted k0": lambda c: replace(c, even=replace(c.even, k0=c.even.k0 - 4, tail=c.even.tail - 4)),
    "larger a": lambda c: replace(c, even=replace(c.even, low=_scaled(c.even.low, "1.05"))),
    "smaller b": lambda c: replace(c, odd=replace(c.odd, high=_scaled(c.odd.high, "0.95"))),
    "wrong rate": lambda c: replace(c, even=replace(c.even, rate=c.even.rate - 1)),
    "a higher strip": lambda c: replace(c, bounds=tuple(replace(b, height=fmpq(29, 16)) for b in c.bounds)),
    "a small eigenvalue": lambda c: replace(c, small={**c.small, 2: (c.small[3][0], c.small[3][1])}),
    "a missing degree": lambda c: replace(c, small={k: v for k, v in c.small.items() if k != 4}),
    "other dimension": lambda c: replace(c, d=4),
    "a parity that vanishes": lambda c: replace(c, odd=replace(c.odd, law=Law.ZERO, zero_from=3)),
}


@pytest.mark.parametrize("name", MUTATIONS)
def test_mutations_are_caught(certificate, name):
    changed = MUTATIONS[name](certificate)
    found = changed.recheck()
    assert not found.holds and found.failures


@pytest.fixture(scope="module")
def with_logarithms():
    found = certify(Kernel("2*(1-u)**(1/2)*log(1-u)*(1-u)**(1/2) - exp(-(1-u)**(sqrt(2)/2))"), 3).require()
    assert found.terms[0].low.startswith("-") is False and found.recheck().holds
    return found


@pytest.mark.parametrize("name", ["kernel", "dropped term", "wrong sign", "halved B", "shifted k0"])
@pytest.mark.slow
def test_mutations_of_a_kernel_with_logarithms(with_logarithms, name):
    mutations = MUTATIONS | {
        "wrong sign": lambda c: replace(
            c,
            terms=(replace(c.terms[0], low="-" + c.terms[0].high, high="-" + c.terms[0].low), *c.terms[1:]),
        )
    }
    changed = mutations[name](with_logarithms).recheck()
    assert not changed.holds and changed.failures


def test_a_hyperbolic_arctangent_is_a_pair_of_logarithms():
    """atanh(u) = (log(1+u) - log(1-u))/2, d = 3: mu_k = 1/(k(k+1)) for odd k."""
    found = certify(Kernel("atanh(u)"), 3).require()
    with mpmath.workdps(40):
        for k in (1, 3, 9, 51, 1001):
            assert found.lower(k) <= mpmath.mpf(1) / (k * (k + 1)) <= found.upper(k)


# ------------------------------------------------------------------------------------------ two kernels


def test_deep_ntk_and_laplace_have_the_same_space():
    for d in (3, 4, 5):
        found = same_rkhs(kernels.ntk(3), kernels.laplace(), d)
        assert found.same is True
        a, b = found.bounds
        ratios = [
            x / y
            for x, y in zip(
                eigenvalues(kernels.ntk(3), d, kmax=30, dps=15).values,
                eigenvalues(kernels.laplace(), d, kmax=30, dps=15).values,
                strict=True,
            )
        ]
        assert a <= min(ratios) and max(ratios) <= b and b < 10 * a


def test_different_spaces():
    assert same_rkhs(kernels.ntk(3), kernels.random_features(3), 3).same is False
    assert same_rkhs(kernels.ntk(2), kernels.laplace(), 3).same is False
    assert same_rkhs(kernels.polynomial(3), kernels.polynomial(2), 3).same is False
    assert embeds(kernels.random_features(3), kernels.ntk(3), 4).same is True
    assert embeds(kernels.ntk(2), kernels.laplace(), 3).same is True
    assert embeds(kernels.laplace(), kernels.ntk(2), 3).same is False
    assert same_rkhs(kernels.gaussian(), kernels.laplace(), 3).same is False
    assert embeds(kernels.gaussian(), kernels.laplace(), 3).same is True
    assert same_rkhs("exp(u**2 + u)", "exp(2*u**2 + u)", 3).same is None
    # not positive definite: the question has no meaning
    assert same_rkhs(Kernel("3 + u + sqrt(1-u)"), kernels.laplace(), 3).same is None


def test_exponents_are_compared_however_they_are_written() -> None:
    """sqrt(3 + 2 sqrt 2) = 1 + sqrt 2: one kernel twice, and once more with a factor."""
    twice = [f"exp(-(1-u)**({text}/4))" for text in ("sqrt(3+2*sqrt(2))", "(1+sqrt(2))")]
    found = same_rkhs(*twice, d=3)
    assert found.same and found.bounds[0] <= 1 <= found.bounds[1]
    low, high = same_rkhs("exp(u)", "exp(-(1-u))", d=3).bounds
    with mpmath.workdps(30):
        assert low < mpmath.exp(1) < high


def test_one_parity_refutes_and_a_zero_bounds_from_below() -> None:
    answer = same_rkhs("cosh(u)", "exp(u)", d=3)  # the even eigenvalues alone would leave it open
    assert answer.same is False and "odd" in answer.reason
    for first, second in (("1+u", "exp(u)"), ("sqrt(2)-sqrt(1-u)+sqrt(2)-sqrt(1+u)", "exp(-sqrt(1-u))")):
        found = embeds(first, second, d=3)
        assert found.same and found.bounds[0] == 0 < found.bounds[1]


def test_a_power_series_proves_definiteness_where_there_are_no_bounds() -> None:
    found = certify(dual("tanh"), 3)
    assert found.proved and found.positive_definite is True and found.strict is False and not found.bounds
    # sum u^n and sum u^(2n) diverge at 1: coefficients >= 0 are not enough
    for text in ("1/(1 - u)", "1/(1 - u**2)", "exp(1/(1 - u))"):
        assert certify(text, 3).positive_definite is None


@pytest.mark.parametrize("d", [2, 3, 10])
def test_entire_kernels_have_one_bound_for_all_ellipses(d):
    """exp(cu) has mu_k = Gamma(d/2) (2/c)^(d/2-1) I_(k+d/2-1)(c)."""
    found = certify("exp(3*u - 3) + sin(3*u)", d)
    assert found.odd.law is Law.ENTIRE
    with mpmath.workdps(40):
        half, c = mpmath.mpf(d) / 2, mpmath.mpf(3)
        for k in (13, 41, 301, 5001):
            # sin(cu) = Im exp(icu), and i^k = i
            order = k + half - 1
            bessel = mpmath.besseli(order, c) * mpmath.exp(-3) + mpmath.besselj(order, c)
            value = mpmath.gamma(half) * (2 / c) ** (half - 1) * bessel
            assert found.lower(k) <= value <= found.upper(k) < 90 * mpmath.sqrt(k) * value
            assert k > 1000 or found.upper(k) < value * (1 + mpmath.mpf(10) ** -14)
    assert found.recheck() and Certificate.from_json(found.to_json()) == found
    assert d != 3 or any("for every h > 0" in line for line in verify(certify("exp(u**4)", 3).to_json()))


def test_an_analytic_kernel_is_not_taken_for_an_entire_one():
    found = certify("exp(u)/(u**2 + 4)", 3)
    lie = replace(found, even=ParityClaim(Law.ENTIRE, k0=0), odd=ParityClaim(Law.ENTIRE, k0=0), poles=())
    assert not lie.recheck()
    with pytest.raises((Refuted, Unsupported)):
        verify(lie.to_json())
