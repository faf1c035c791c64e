"""Kinks, jumps, narrow features, removable and singular points: proved eigenvalues contain the truth."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import flint
import mpmath
import pytest
import sympy
from flint import acb, arb, fmpq
from sympy import Rational as Q
from thorough import some

from asymptok import Kernel, eigenvalues, u
from asymptok.atlas.charts import Chart, boundary
from asymptok.atlas.local import Doubt, Unproved
from asymptok.atlas.pieces import Pieces
from asymptok.atlas.program import program
from asymptok.atlas.ranges import is_bounded, range_on
from asymptok.atlas.rewriting import rewritten
from asymptok.atlas.switches import prepared
from asymptok.errors import AsymptokError, Impossible
from asymptok.spectrum import panels
from asymptok.spectrum.panels import features

# ------------------------------------------------------------ the truth, by two means of its own

Poly = list[Fraction]


def _times(a: Poly, b: Poly) -> Poly:
    out = [Fraction(0)] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            out[i + j] += x * y
    return out


def _gegenbauer(d: int, k: int) -> Poly:
    before, here = [Fraction(1)], [Fraction(0), Fraction(1)]
    if k == 0:
        return before
    for j in range(1, k):
        up = [Fraction(2 * j + d - 2, j + d - 2) * c for c in [Fraction(0), *here]]
        for i, c in enumerate(before):
            up[i] -= Fraction(j, j + d - 2) * c
        before, here = here, up
    return here


def _integral(p: Poly, low: Fraction, high: Fraction) -> Fraction:
    return sum((c * (high ** (i + 1) - low ** (i + 1)) / (i + 1) for i, c in enumerate(p)), start=Fraction(0))


def exact(pieces: Sequence[tuple[Fraction, Fraction, Poly]], d: int, k: int) -> Fraction:
    """mu_k of a piecewise polynomial in odd dimension: a rational number."""
    weight = [Fraction(1)]
    for _ in range((d - 3) // 2):
        weight = _times(weight, [Fraction(1), Fraction(0), Fraction(-1)])
    total = sum(
        (_integral(_times(_times(p, _gegenbauer(d, k)), weight), a, b) for a, b, p in pieces),
        start=Fraction(0),
    )
    return total / _integral(weight, Fraction(-1), Fraction(1))


def cut(expr: Any, breaks: Sequence[Any]) -> list[tuple[Fraction, Fraction, Poly]]:
    """A piecewise polynomial of degree at most 4 from exact values: Newton's interpolation between the breaks."""
    edges = [Fraction(-1), *sorted(Fraction(str(b)) for b in breaks), Fraction(1)]
    pieces = []
    for low, high in pairwise(edges):
        points = [low + (high - low) * Fraction(i + 1, 6) for i in range(5)]
        values = [expr.xreplace({u: Q(x.numerator, x.denominator)}) for x in points]
        table = [Fraction(int(v.p), int(v.q)) for v in values]
        for order in range(1, 5):
            for i in range(4, order - 1, -1):
                table[i] = (table[i] - table[i - 1]) / (points[i] - points[i - order])
        p: Poly = [table[4]]
        for i in range(3, -1, -1):
            p = _times(p, [-points[i], Fraction(1)])
            p[0] += table[i]
        pieces.append((low, high, p))
    return pieces


def by_mpmath(expr: Any, d: int, k: int, cuts: Sequence[Any], dps: int = 20) -> tuple[Any, Any]:
    """mu_k by tanh-sinh between cuts given by hand, and mpmath's estimate of the error."""
    f = sympy.lambdify(u, expr, "mpmath")
    with mpmath.workdps(dps + 10):
        constant = (
            mpmath.gamma(mpmath.mpf(d) / 2) / mpmath.sqrt(mpmath.pi) / mpmath.gamma(mpmath.mpf(d - 1) / 2)
        )

        def integrand(x: Any) -> Any:
            # next to the ends 1 - u is a hundredth power of ten, and kernels may divide by its square
            with mpmath.workdps(10 * dps + 20):
                c = mpmath.cos(x)
                before, here = mpmath.mpf(1), c
                for j in range(1, k):
                    before, here = here, ((2 * j + d - 2) * c * here - j * before) / (j + d - 2)
                value = f(c) * (here if k else 1) * mpmath.sin(x) ** (d - 2)
            return +mpmath.re(value)

        points = sorted([mpmath.mpf(0), mpmath.pi, *(mpmath.acos(mpmath.mpmathify(c)) for c in cuts)])
        value, error = mpmath.quad(integrand, points, error=True)
        return constant * value, constant * error


def holds(ball: Any, truth: Fraction) -> bool:
    with flint.ctx.workprec(20_000):
        return bool(ball.contains(fmpq(truth.numerator, truth.denominator)))


def check(text: str, d: int, ks: Sequence[int], cuts: Sequence[Any], proved: bool = True) -> None:
    found = eigenvalues(text, d, ks=ks, dps=20)
    assert found.rigorous is proved, text
    for k in ks:
        value, error = by_mpmath(Kernel(text).expr, d, k, cuts)
        with mpmath.workdps(50):
            allowed = error + found.error(k) + abs(value) * mpmath.mpf(10) ** -19 + mpmath.mpf(10) ** -30
            assert error < mpmath.mpf(10) ** -12, "the reference has not converged"
            assert abs(found[k] - value) <= allowed, (text, d, k)


# ---------------------------------------------------------------------------- piecewise polynomials

PIECEWISE = {
    "abs(u)": [0],
    "max(u, 1/3 - u/2)": ["2/9"],
    "abs(u - 1/7)**3": ["1/7"],
    "sign(u - 1/4)": ["1/4"],
    "Piecewise((u**2, u < 1/5), (1 - u, True))": ["1/5"],
    "where(u > -1/2, u**3, 7)": ["-1/2"],
    "abs(abs(u) - 1/2)": ["-1/2", 0, "1/2"],
    "abs(u**3 - u/4)": ["-1/2", 0, "1/2"],
    "max(u, -u, 1/2)": ["-1/2", "1/2"],
    "min(max(u, -1/3), 1/2)": ["-1/3", "1/2"],
    # close together, close to the ends, double roots
    "abs(u - 1/3)*abs(u - 1/3 - 1/10**6)": ["1/3", "1000003/3000000"],
    "abs(abs(u - 1/3) - 1/10**40)": [
        Fraction(1, 3) - Fraction(1, 10**40),
        "1/3",
        Fraction(1, 3) + Fraction(1, 10**40),
    ],
    "abs(u - 1 + 1/10**8)": [1 - Fraction(1, 10**8)],
    "abs(u + 1 - 1/10**30)": [-1 + Fraction(1, 10**30)],
    "abs((u - 1/3)**2*(u + 1/2))": ["-1/2"],
    "sqrt(u**2 - 2*u/3 + 1/9)": ["1/3"],
    "max(u**5 + u, 1/3 - u/7, 10)": [],
}


@pytest.mark.parametrize("text", PIECEWISE)
def test_piecewise_polynomials_are_proved_and_contain_the_exact_value(text: str) -> None:
    pieces = cut(Kernel(text).expr, PIECEWISE[text])
    for d in (3, 5, 21):
        found = eigenvalues(text, d, kmax=12, dps=15)
        assert found.rigorous, d
        for k in range(13):
            truth = exact(pieces, d, k)
            assert holds(found.ball(k), truth), (d, k)
            # digits relative to each value, unless it is too small to be told from zero
            assert found.error(k) <= max(abs(float(truth)) * 1e-15, 1e-200)


@pytest.mark.slow
def test_sums_of_random_kinks_contain_the_exact_value() -> None:
    random = Random(8)
    compared = 0
    for _ in range(40):
        terms, breaks = [], set()
        for _ in range(random.randint(1, 4)):
            at = Q(random.randint(-99, 99), random.choice([100, 101, 128]))
            breaks.add(at)
            shape = random.choice(
                [sympy.Abs(u - at), sympy.sign(u - at), sympy.Abs(u - at) ** 3, sympy.Max(u, at)]
            )
            terms.append(Q(random.randint(-9, 9), random.randint(1, 9)) * shape)
        expr = sympy.Add(*terms) + Q(random.randint(-3, 3), 7) * u**2
        if not expr.has(u):
            continue
        pieces = cut(expr, [Fraction(int(b.p), int(b.q)) for b in breaks])
        d = random.choice([3, 5, 7])
        ks = [0, 1, random.randint(2, 30)]
        found = eigenvalues(expr, d, ks=ks, dps=15)
        assert found.rigorous, expr
        for k in ks:
            truth = exact(pieces, d, k)
            assert holds(found.ball(k), truth), (expr, d, k)
            compared += 1
    assert compared > 100


# ----------------------------------------------------------------------------- the examples of the class

ROOT = "0.7390851332151606416553120876738734040134117589007574649656806357732846548835475945994"
FAST: list[tuple[str, list[Any], bool]] = [
    ("abs(u - cos(u))", [ROOT], True),
    ("sign(u - 1/4)*log(2 + u)", ["0.25"], True),
    ("abs(u - 9/10) + exp(-10**6*u**2)", ["-0.01", "-0.001", 0, "0.001", "0.01", "0.9"], True),
    ("1/((u - 1/3)**2 + 1/10000)", ["0.2", "0.3", "0.333333333333", "0.36", "0.5"], True),
    ("sqrt(u**2 + 10**-8)", ["-0.01", "-0.0001", 0, "0.0001", "0.01"], True),
    ("sin(u)/u", ["0.1"], True),
    ("(exp(u) - 1)/u", ["0.1"], True),
    ("(1 - cos(u))/u**2", ["0.1"], True),
    ("u/(exp(u) - 1)", ["0.1"], True),
    ("1/u - 1/sin(u)", ["0.1"], True),
    ("(exp(1-u) - 2 + u)/(1-u)**2", [], True),
    ("exp(-1/u**2)", [0], True),
    ("kappa1(abs(u))", [0], True),
    ("log(1-u)", [], True),
    ("sqrt(1-u)*log(1-u)", [], True),
]


@pytest.mark.parametrize(("text", "cuts", "proved"), FAST, ids=[case[0] for case in FAST])
def test_against_mpmath(text: str, cuts: list[Any], proved: bool) -> None:
    check(text, 3, [0, 5] if "u**2)" not in text else [0, 4], cuts, proved)


MORE: list[tuple[str, list[Any], bool]] = [
    ("sqrt(abs(u - 1/8))", ["0.125"], True),
    ("abs(u - 1/8)**(-1/3)", ["0.125"], True),
    ("log(abs(u - 1/8))", ["0.125"], True),
    ("abs(u)**sqrt(2)", [0], True),
    ("abs(u) + exp(-sqrt(1-u))", [0], True),
    ("exp(-abs(u - 1/5))*sqrt(1-u**2)", ["0.2"], True),
    ("tanh(100*u)", ["-0.1", "-0.02", 0, "0.02", "0.1"], True),
    ("atan(50*(u - 1/2))", ["0.3", "0.45", "0.5", "0.55", "0.7"], True),
    ("cbrt(u - 1/8)", ["0.125"], True),
    ("abs(u)*log(1-u)", [0], True),
    ("(1-u)**(1/3)*abs(u - 1/2)", ["0.5"], True),
    ("polylog(2, abs(u))", [0], True),
    ("asin(abs(u))", [0], True),
    ("besselj(0, 10*abs(u - 1/8))", ["0.125"], True),
    ("1/(1 + abs(u))", [0], True),
    ("where(u > 1/2, log(u), u)", ["0.5"], True),
    ("log(1 + u/2)/u", ["0.1"], True),
    ("(sin(u) - u)/u**3", ["0.1"], True),
    ("u/tan(u)", ["0.1"], True),
    ("acos(2*u**2 - 1)", [0], True),
    ("sin((1-u)**(sqrt(2)/2))", [], True),
    ("exp(-1/(1-u))", [], True),
]


@pytest.mark.slow
@pytest.mark.parametrize(("text", "cuts", "proved"), [*FAST, *MORE], ids=[c[0] for c in [*FAST, *MORE]])
def test_against_mpmath_in_other_dimensions(text: str, cuts: list[Any], proved: bool) -> None:
    for d in some((2, 3, 6, 20), 1, text, [case[0] for case in (*FAST, *MORE)]):
        check(text, d, [0, 1, 4, 9], cuts, proved)


def test_a_narrow_peak_is_quick_and_right() -> None:
    found = eigenvalues("exp(-10**8*(u-31/100)**2)", 3, ks=[0], dps=12)
    # (1/2) sqrt(pi)/10^4, up to exp(-10^7)
    with mpmath.workdps(30):
        assert abs(found[0] - mpmath.sqrt(mpmath.pi) / 20000) <= found.error(0) + mpmath.mpf(10) ** -30
    assert found.rigorous


@pytest.mark.parametrize("gap", [10, 20])
def test_poles_next_to_the_interval(gap: int) -> None:
    # (1/2) int du/((u-1/3)^2 + e^2) = (atan(2/(3e)) + atan(4/(3e)))/(2e)
    found = eigenvalues(f"1/((u - 1/3)**2 + 10**-{2 * gap})", 3, ks=[0], dps=20)
    with mpmath.workdps(60):
        e = mpmath.mpf(10) ** -gap
        truth = (mpmath.atan(2 / (3 * e)) + mpmath.atan(4 / (3 * e))) / (2 * e)
        assert found.rigorous and abs(found[0] - truth) <= found.error(0)


def test_the_referee_sees_narrow_features_too() -> None:
    for text in ("abs(u - 1/3)", "1/((u-1/3)**2 + 1/10000)"):
        proved = eigenvalues(text, 3, ks=[0, 3], dps=15)
        referee = eigenvalues(text, 3, ks=[0, 3], dps=15, method="mpmath")
        for k in (0, 3):
            assert abs(proved[k] - referee[k]) <= proved.error(k) + referee.error(k)
    assert features(sympy.exp(-(10**6) * u**2), 3, 40)


def test_high_dimensions_and_many_digits() -> None:
    for d in (101, 501):
        found = eigenvalues("abs(u - 1/4)", d, ks=[0, 1, 2], dps=20)
        pieces = cut(sympy.Abs(u - Q(1, 4)), ["1/4"])
        for k in (0, 1, 2):
            truth = exact(pieces, d, k)
            assert holds(found.ball(k), truth)
    found = eigenvalues("abs(u - 1/3)", 3, ks=[0, 7], dps=300)
    truth = exact(cut(sympy.Abs(u - Q(1, 3)), ["1/3"]), 3, 7)
    assert holds(found.ball(7), truth) and found.rigorous


# ----------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize("text", ["1/u", "1/(u-1/3)**2", "exp(1/(1-u))", "log(1-u)/(1-u)", "1/abs(u)"])
def test_divergent_integrals_are_refused(text: str) -> None:
    with pytest.raises(AsymptokError, match="integrable"):
        eigenvalues(text, 3, kmax=2, dps=15)


def test_a_zero_by_symmetry_needs_an_integral() -> None:
    # 1/u is odd, but mu_0 is no absolutely convergent integral
    with pytest.raises(AsymptokError, match="integrable"):
        eigenvalues("1/u", 3, ks=[0, 2])
    assert eigenvalues("abs(u)**(-1/2)", 3, ks=[1])[1] == 0


@pytest.mark.parametrize(
    "expr",
    [
        sympy.sqrt(u),
        (-2) ** u,
        sympy.log(u - 2),
        sympy.Piecewise((1, u < 0)),
        sympy.Abs(sympy.sin(2 * u) - 2 * sympy.sin(u) * sympy.cos(u)),
    ],
    ids=str,
)
def test_kernels_that_are_not_real_or_not_isolated_are_refused(expr: Any) -> None:
    with pytest.raises(AsymptokError):
        eigenvalues(expr, 3, kmax=2, dps=15)


# --------------------------------------------------------------------------------------- the parts


def box(x: str, r: str) -> Any:
    return acb(arb(x, r), arb(0, r))


def analytic(expr: Any) -> Any:
    return program(rewritten(expr), ends=False).on_box


@pytest.mark.parametrize(
    ("expr", "inside", "outside"),
    [
        (sympy.sqrt(u), box("1", "0.5"), box("0.3", "0.5")),
        (sympy.log(1 - u), box("0", "0.5"), box("0.9", "0.2")),
        (sympy.acos(u), box("0", "0.25"), box("0.9", "0.2")),
        (sympy.atan(3 * u), box("0", "0.2"), box("0", "0.5")),
        (1 / (u**2 + 1), box("0", "0.5"), box("0", "1.2")),
        (sympy.gamma(u), box("2", "0.2"), box("0.1", "0.2")),
        (sympy.LambertW(u), box("1", "0.15"), box("-0.4", "0.1")),
        (sympy.besselk(1, u), box("1", "0.5"), box("0.1", "0.2")),
        (sympy.polylog(2, u), box("0", "0.5"), box("0.9", "0.2")),
        (u ** sympy.sqrt(2), box("1", "0.5"), box("0.1", "0.2")),
        (sympy.acosh(u + 2), box("0", "0.5"), box("-0.9", "0.2")),
        (sympy.tan(u), box("0", "0.5"), box("1.5", "0.2")),
    ],
    ids=str,
)
def test_a_box_that_meets_a_cut_or_a_pole_is_refused(expr: Any, inside: Any, outside: Any) -> None:
    found = analytic(expr)(inside)
    for dx, dy in ((0, 0), (0.1, 0.1), (-0.1, 0.15), (0.05, -0.15)):
        point = complex(float(inside.real.mid()) + dx, dy)
        value = complex(expr.subs(u, sympy.sympify(point)).evalf(20))
        assert found.overlaps(acb(value) + acb(arb(0, 1e-12), arb(0, 1e-12)))
    with pytest.raises(Unproved):
        analytic(expr)(outside)


def test_removable_points_are_proved_and_poles_are_not() -> None:
    """On the ellipse of a chart around theta = pi/2, u = 0."""
    around = Chart(fmpq(15, 32), fmpq(17, 32))
    for expr in (
        sympy.sin(u) / u,
        (1 - sympy.cos(u)) / u**2,
        u * sympy.cot(u),
        1 / u - 1 / sympy.sin(u),
        sympy.exp(sympy.sin(u) / u),
    ):
        assert boundary(program(rewritten(expr), ends=False), around, fmpq(1)) is not None
    for expr in (
        sympy.cos(u) / u,
        sympy.exp(1 / u),
        sympy.exp(-1 / u**2),
        sympy.sin(u) / u**2,
        1 / u - 2 / sympy.sin(u),
        sympy.sin(u + Q(1, 10**9)) / u,
    ):
        kappa = program(rewritten(expr), ends=False)
        assert boundary(kappa, around, fmpq(1)) is None
        assert boundary(kappa, Chart(fmpq(1, 8), fmpq(1, 4)), fmpq(1, 2)) is not None


def test_functions_without_a_rule_say_so() -> None:
    with pytest.raises(Unproved) as refused:
        analytic(sympy.Abs(u))
    assert refused.value.kind is Doubt.RULE


def test_ranges_are_sharp_at_the_ends_of_a_domain() -> None:
    low, high = range_on(sympy.sqrt(1 - u) * sympy.sqrt(sympy.Abs(u)), arb(-1), arb(1)) or (None, None)
    assert low == 0 and high <= 1.5
    assert range_on(sympy.sqrt(u), arb(-1), arb(1)) is None
    assert range_on(sympy.log(1 - u), arb(-1), arb(1)) is None
    assert range_on(sympy.exp(-1 / u**2), arb(-1), arb(1)) is not None
    assert range_on(u * sympy.log(1 - u), arb(-1), arb(1)) is None
    assert (
        is_bounded(sympy.Piecewise((sympy.sqrt(u), u > 0), (0, True))) is False
    )  # on [-1/32, 0] nothing is known
    assert is_bounded(sympy.Max(u, 0) + sympy.sin(1 / u))


def test_pieces_are_cut_at_the_kinks_and_nowhere_else() -> None:
    pieces = Pieces(sympy.Abs(u - Q(1, 2)) + sympy.Abs(u - 3)).refine(60)
    assert [piece.expr for piece in pieces if piece.expr is not None] == [Q(5, 2), Q(7, 2) - 2 * u]
    cells = [piece for piece in pieces if piece.expr is None]
    # acos(1/2) = pi/3
    assert all(cell.high - cell.low <= fmpq(1, 2**59) for cell in cells)
    assert any(cell.low <= fmpq(1, 3) <= cell.high for cell in cells)
    assert prepared(sympy.sqrt(u**2 - u + Q(1, 4))) == sympy.Abs(2 * u - 1) / 2


def test_reciprocals_of_gamma_are_entire() -> None:
    found = eigenvalues("1/gamma(u) + u/gamma(2*u)**2", 3, ks=[0, 5], dps=15)
    for k in (0, 5):
        with mpmath.workdps(25):
            truth = mpmath.quad(
                lambda x, k=k: (mpmath.rgamma(x) + x * mpmath.rgamma(2 * x) ** 2) * mpmath.legendre(k, x) / 2,
                [-1, 0, 1],
            )
        assert found.is_proved(k) and abs(found[k] - truth) <= found.error(k) + mpmath.mpf(10) ** -20


@pytest.mark.parametrize(
    "text", ["1/(sin(u) - sin(2/5))**2", "exp(1/(log(u+2) - 2/3)**2)", "u/(exp(u) - 1 - 42957/25000*u)"]
)
def test_poles_inside_are_refused_by_what_is_proved_of_them(text: str) -> None:
    with pytest.raises(Impossible):
        eigenvalues(text, 3, ks=[0], dps=12)


def test_a_search_that_settles_nothing_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """With no time for panels in vain an essential singularity at 0 is left open at once."""
    text = "abs(u)**(1/2) + 1/(1 + exp(1/u))"
    monkeypatch.setattr(panels, "_IN_VAIN", 0)
    with pytest.raises(AsymptokError, match="not shown"):
        eigenvalues(text, 3, ks=[0], dps=12)
