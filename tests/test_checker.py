"""The checker against Arb, against the prover's certificates, and against an enemy."""

from __future__ import annotations

import copy
import itertools
import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import flint
import mpmath as mp
import pytest
import sympy
from flint import acb, arb, fmpq

from asymptok import Kernel, certify, kernels
from asymptok.checker import models
from asymptok.checker.__main__ import main, verify
from asymptok.checker.algebra import full, nonnegative, polynomial_degree
from asymptok.checker.balls import HALF, ONE, PI, Ball, I, P, Retry, log_gamma, rational
from asymptok.checker.contour import Refuted
from asymptok.checker.exact import PI as EXACT_PI
from asymptok.checker.exact import Coefficient, Number, Unsupported, atom, ball, enclosed, exponential, power
from asymptok.checker.kernel import Branches, Symbols, at_end, in_strip, program, written
from asymptok.checker.models import End, Taylor
from asymptok.checker.read import BadInput, digest
from asymptok.proofs.expressions import to_nodes

REJECTIONS = (Refuted, Retry, Unsupported, BadInput)


@pytest.fixture(autouse=True)
def _bits() -> Iterator[None]:
    before, flint.ctx.prec = flint.ctx.prec, 400
    yield
    flint.ctx.prec = before


# ----------------------------------------------------------------------------------------- arithmetic


def as_acb(ball: Ball, dx: Fraction = Fraction(0), dy: Fraction = Fraction(0)) -> acb:
    x, y = Fraction(ball.x, ONE) + dx, Fraction(ball.y, ONE) + dy
    return acb(arb(fmpq(x.numerator, x.denominator)), arb(fmpq(y.numerator, y.denominator)))


def contains(ball: Ball, value: acb) -> bool:
    """|value - centre| <= radius, up to the 400 bits of the reference."""
    radius = arb(fmpq(ball.r, ONE))
    return bool(abs(value - as_acb(ball)) <= radius + arb(2) ** -380 * (1 + abs(value)))


def random_ball(rng: random.Random) -> tuple[Ball, acb]:
    """A disc of any width, and a point in it."""
    size = rng.choice([-40, -8, -2, 0, 1, 3])
    x, y = (rng.randrange(-ONE, ONE) for _ in range(2))
    x, y = (x << size, y << size) if size >= 0 else (x >> -size, y >> -size)
    if rng.random() < 0.3:
        y = 0
    r = rng.choice([0, 1, rng.randrange(1 << (P - 60)), rng.randrange(max((abs(x) + abs(y)) // 2, 1))])
    scale = Fraction(rng.randrange(-999, 1000), 1415)
    point = as_acb(Ball(x, y), scale * Fraction(r, ONE), scale * Fraction(r, ONE))
    return Ball(x, y, r), point


UNARY: dict[str, tuple[Callable[[Ball], Ball], Callable[[acb], acb]]] = {
    "exp": (Ball.exp, acb.exp),
    "log": (Ball.log, acb.log),
    "sqrt": (lambda b: b.power(HALF), acb.sqrt),
    "inverse": (Ball.inverse, lambda z: 1 / z),
    "cube": (lambda b: b.power(Fraction(3)), lambda z: z**3),
    "power": (lambda b: b.power(Fraction(-5, 3)), lambda z: (z.log() * acb(fmpq(-5, 3))).exp()),
    "half": (lambda b: b.power(Fraction(5, 2)), lambda z: z.sqrt() ** 5),
    "scaled": (lambda b: b.scaled(Fraction(-22, 7)), lambda z: z * fmpq(-22, 7)),
    "turned": (lambda b: b * I, lambda z: z * acb(0, 1)),
}


@pytest.mark.parametrize("name", UNARY)
def test_functions_contain_what_arb_says(name: str) -> None:
    ours, theirs = UNARY[name]
    rng, done = random.Random(name), 0
    while done < 500:
        ball, point = random_ball(rng)
        try:
            value = ours(ball)
        except Retry:
            continue  # a disc that meets a cut, or is too wide: refusing is always right
        assert contains(value, theirs(point)), (name, ball.x, ball.y, ball.r)
        done += 1


def test_sums_and_products_contain_what_arb_says() -> None:
    rng = random.Random(1)
    for _ in range(2000):
        (a, x), (b, y) = random_ball(rng), random_ball(rng)
        assert contains(a * b, x * y) and contains(a + b, x + y) and contains(a - b, x - y)


def test_precise_balls_stay_precise() -> None:
    """No function may answer with a ball that is true and useless."""
    rng = random.Random(2)
    for _ in range(200):
        ball = Ball(rng.randrange(ONE // 8, ONE), rng.randrange(-ONE, ONE))
        for value in (ball.exp(), ball.log(), ball.power(HALF), ball.inverse()):
            assert value.r < 1 << 12


def test_gamma() -> None:
    rng = random.Random(3)
    for _ in range(150):
        q = Fraction(rng.randrange(1, 4000), rng.choice([1, 2, 4, 16, 7]))
        assert contains(log_gamma(rational(q)), acb(arb(fmpq(q.numerator, q.denominator)).lgamma()))
    assert contains(PI, acb(arb.pi()))


ROOT2 = power(2, HALF)
MODELS: dict[str, tuple[Callable[[Any], Any], Callable[[acb], acb]]] = {
    "exp": (models.exp, acb.exp),
    "log": (models.log, acb.log),
    "root": (lambda f: models.power(f, HALF), acb.sqrt),
    "inverse": (lambda f: models.power(f, -1), lambda z: 1 / z),
    "large power": (lambda f: models.power(f, Fraction(7, 2)), lambda z: z.sqrt() ** 7),
    "irrational power": (lambda f: models.power(f, ROOT2), lambda z: (z.log() * arb(2).sqrt()).exp()),
}


@pytest.mark.parametrize("name", MODELS)
def test_models_enclose_values_over_a_disc(name: str) -> None:
    """f(z^2/5 + z/3 + c), at random points of the disc."""
    ours, theirs = MODELS[name]
    rng, done = random.Random(name + "model"), 0
    while done < 12:
        c = Ball(rng.randrange(-2 * ONE, 2 * ONE), rng.randrange(-ONE, ONE))
        zeros = [0] * rng.choice([0, 3, 9, 20])
        f = Taylor([c.x, ONE // 3, ONE // 5, *zeros], [c.y, 0, 0, *zeros], 2)
        try:
            value = ours(f)
        except Retry:
            continue
        for _ in range(4):
            x, y = (Fraction(rng.randrange(-700, 701), 1000) for _ in range(2))
            z = as_acb(Ball(0), x, y)
            w = as_acb(c) + z * z / 5 + z / 3
            assert contains(value.at(Ball(int(x * ONE), int(y * ONE), 2)), theirs(w)), (name, c.x, c.y)
        done += 1


def test_products_and_integrals_of_models() -> None:
    """Random polynomials, exactly: the product at a point, and int_-1^1 z^n = 2/(n+1)."""
    rng = random.Random(8)
    for n in (2, 3, 7, 30):
        x, y = ([rng.randrange(-(8**n) * ONE, 8**n * ONE) for _ in range(n)] for _ in range(2))
        f, g = Taylor(x, y, rng.randrange(9)), Taylor(y, x, rng.randrange(ONE))
        z = Ball(ONE // 3, -ONE // 2)
        exact = as_acb(f.at(z).widened(0)) * as_acb(g.at(z))
        slack = f.at(z).r * g.at(z).mag() + g.at(z).r * f.at(z).mag() >> P
        assert contains((f * g).at(z).widened(slack + 9), exact)
        assert contains((f + g).at(z), as_acb(f.at(z)) + as_acb(g.at(z)))
        total = sum((as_acb(Ball(x[i], y[i])) * 2 / (i + 1) for i in range(0, n, 2)), acb(0))
        assert contains(f.integral(), total)


@pytest.mark.parametrize("name", MODELS)
def test_models_at_an_end_enclose_values(name: str) -> None:
    """f(2 + t^e + t log t) or, without a logarithm inside, f(t^e (3 + t)), at points of the cut disc."""
    ours, theirs = MODELS[name]
    rng, done = random.Random(name + "end"), 0
    for case in range(8):
        e: Number = rng.choice([HALF, Fraction(1, 3), ROOT2 * HALF])
        radius = Fraction(1, rng.choice([1024, 4096]))
        inside: dict[tuple[Number, int], Coefficient] = {(e, 0): 3, (e + 1, 0): 1}
        if case % 2 or name == "exp":
            inside = {(0, 0): 2, (e, 0): 1, (1, 1): 1}
        try:
            value = ours(End(radius, Fraction(rng.choice([3, 5])), inside))
        except Retry:
            continue
        done += 1
        for _ in range(4):
            size, turn = Fraction(rng.randrange(1, 1000), 1000) * radius, rng.randrange(-999, 1000)
            log = acb(arb(fmpq(size.numerator, size.denominator)).log(), arb.pi() * fmpq(turn, 1000))
            t, root = log.exp(), (log * as_arb(e)).exp()
            w = 2 + root + t * log if case % 2 or name == "exp" else root * (3 + t)
            expected = theirs(w)
            if name not in ("exp", "inverse") and not case % 2:  # beyond the cut of N
                branch = (3 + t).log() + log * as_arb(e)
                expected = {
                    "log": branch,
                    "root": (branch / 2).exp(),
                    "large power": (branch * 7 / 2).exp(),
                }.get(name, (branch * arb(2).sqrt()).exp())
            total, slack = acb(0), arb(2) ** -150
            for (a, j), c in value.terms.items():
                total = total + as_acb(enclosed(c)) * (log * as_arb(a)).exp() * log**j
                slack = slack + arb(fmpq(enclosed(c).r, ONE)) * 40
            rest = arb(fmpq(value.rest, ONE)) * abs((log * as_arb(value.order)).exp())
            assert bool(abs(total - expected) <= rest + slack), (name, e, radius)
    assert done > 3


def as_arb(x: Number) -> arb:
    low, high = ball(x).interval()
    return arb(fmpq(low.numerator, low.denominator)).union(arb(fmpq(high.numerator, high.denominator)))


def test_kernel_values() -> None:
    """The deep NTK in the strip against the package's own evaluation at real points."""
    nodes, kernel, branches = program(NTK3), kernels.ntk(3), Branches()
    for end in (0, 1):
        at_end(branches, end, Fraction(1, 64), 6).run(nodes)
    for n in range(1, 12):
        theta = PI.scaled(Fraction(n, 12))
        value = in_strip(branches, theta, Ball(0), 2).run(nodes).at(Ball(0))
        u = (theta * I).exp().real()
        expected = kernel.evaluate(float(Fraction(u.x, ONE)), dps=20)
        assert abs(float(Fraction(value.x, ONE)) - float(expected)) < 1e-14
        assert value.r < 1 << 40 and abs(value.y) <= value.r


FUNCTIONS: dict[str, tuple[list[list[Any]], Callable[[acb], acb]]] = {
    "sin": ([["sin", 0]], acb.sin),
    "cos": ([["cos", 0]], acb.cos),
    "sinh": ([["sinh", 0]], acb.sinh),
    "cosh": ([["cosh", 0]], acb.cosh),
    "tan": ([["tan", 0]], acb.tan),
    "tanh": ([["tanh", 0]], acb.tanh),
    "erf": ([["erf", 0]], acb.erf),
    "I_3": ([["num", "3"], ["besseli", 1, 0]], lambda z: z.bessel_i(3)),
    "J_0": ([["num", "0"], ["besselj", 1, 0]], lambda z: z.bessel_j(0)),
    "K_0": ([["num", "0"], ["besselk", 1, 0]], lambda z: z.bessel_k(0)),
    "K_3": ([["num", "-3"], ["besselk", 1, 0]], lambda z: z.bessel_k(3)),
    "K_5/4": ([["num", "5/4"], ["besselk", 1, 0]], lambda z: z.bessel_k(acb(fmpq(5, 4)))),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_models(name: str) -> None:
    """f(2 - u) and, at the end, f(c sqrt(1-u)) and f(c (2-u)), against Arb."""
    tail, theirs = FUNCTIONS[name]
    rng = random.Random(name)
    for c, root in (("1", "1/2"),) if name == "tan" else itertools.product(("1", "5/3"), ("1", "1/2")):
        inside: list[list[Any]] = [["num", "-1"], ["u"], ["mul", 0, 1], ["num", "2" if root == "1" else "1"]]
        inside += [["add", 2, 3], ["pow", 4, root], ["num", c], ["mul", 5, 6]]
        shifted = [[x + 7 if i and isinstance(x, int) else x for i, x in enumerate(node)] for node in tail]
        nodes, branches, q = program([*inside, *shifted]), Branches(), fmpq(*Fraction(c).as_integer_ratio())
        model, _ = (at_end(branches, end, Fraction(1, 1024), 6).run(nodes) for end in (0, 1))
        for _ in range(4):
            size, turn = fmpq(rng.randrange(1, 1000), 1024000), rng.randrange(-999, 1000)
            log = acb(arb(size).log(), arb.pi() * fmpq(turn, 1000))
            z = (1 + log.exp() if root == "1" else (log / 2).exp()) * q
            assert near(model, log, theirs(z)), (name, c, root)
        for n in range(1, 8):
            centre, v = PI.scaled(Fraction(n, 8)) + I.scaled(Fraction(n, 8)), rng.randrange(-99, 100)
            value = in_strip(branches, centre, rational(Fraction(1, 256)), 12).run(nodes)
            u = (as_acb(centre) + fmpq(v, 25600)).cos()
            z = (2 - u if root == "1" else (1 - u).sqrt()) * q
            assert contains(value.at(rational(Fraction(v, 100))).widened(1 << 60), theirs(z)), (
                name,
                c,
                root,
                n,
            )
            assert value.rest < value.size or name == "erf"


def near(model: End, log: acb, expected: acb) -> bool:
    """Whether a model holds the value at t = exp(log)."""
    total, slack = acb(0), arb(2) ** -200
    for (a, j), c in model.terms.items():
        term = (log * as_arb(a)).exp() * log**j
        total = total + as_acb(enclosed(c)) * term
        slack = slack + arb(fmpq(enclosed(c).r, ONE)) * abs(term)
    rest = arb(fmpq(model.rest, ONE)) * abs((log * as_arb(model.order)).exp())
    return bool(abs(total - expected) <= rest + slack)


NTK3: list[list[Any]] = [
    ["u"],
    ["kappa", 0, 0],
    ["mul", 0, 1],
    ["kappa", 1, 0],
    ["add", 2, 3],
    ["kappa", 0, 3],
    ["mul", 4, 5],
    ["kappa", 1, 3],
    ["add", 6, 7],
]


def arc_cosine(n: int, u: acb) -> acb:
    """kappa_0, kappa_1 and kappa_2 as they are printed everywhere, in Arb."""
    root = (1 - u).sqrt() * (1 + u).sqrt()
    angle = arb.pi() - u.acos()
    value = (angle, u * angle + root, ((1 + 2 * u * u) * angle + 3 * u * root) / 3)[n]
    return value / arb.pi()


@pytest.mark.parametrize("order", [0, 1, 2])
def test_arc_cosine_functions(order: int) -> None:
    """kappa_n(u) and kappa_n(kappa_1(u)) at complex points next to both ends and in the strip."""
    nodes, branches, rng = (
        program([["u"], ["kappa", 1, 0], ["kappa", order, 1]]),
        Branches(),
        random.Random(order),
    )
    for end, last in ((0, 2), (1, 2), (0, 3), (1, 3), (0, 3)):
        model = at_end(branches if last == 3 else Branches(), end, Fraction(1, 64), 8).run(
            nodes if last == 3 else [["u"], ["kappa", order, 0]]
        )
        for _ in range(6):
            size, turn = Fraction(rng.randrange(1, 99), 6400), Fraction(rng.randrange(-99, 100), 100)
            log = acb(
                arb(fmpq(size.numerator, size.denominator)).log(),
                arb.pi() * fmpq(turn.numerator, turn.denominator),
            )
            u = (1 - log.exp()) * (1 - 2 * end)
            expected = arc_cosine(order, arc_cosine(1, u) if last == 3 else u)
            total = sum(
                (as_acb(enclosed(c)) * (log * as_arb(e)).exp() for (e, _), c in model.terms.items()), acb(0)
            )
            error = arb(fmpq(model.rest, ONE)) * abs((log * as_arb(model.order)).exp()) + arb(2) ** -150
            assert bool(abs(total - expected) <= error), (end, last)
    for _ in range(8):
        x, y = Fraction(rng.randrange(1, 62), 20), Fraction(rng.randrange(-20, 21), 20)
        place = in_strip(branches, rational(x) + I * rational(y), rational(Fraction(1, 50)), 12)
        shift = Fraction(rng.randrange(-99, 100), 100)
        theta = as_acb(Ball(0), x + shift / 50, y)
        expected = arc_cosine(order, arc_cosine(1, theta.cos()))
        assert contains(place.run(nodes).at(rational(shift)), expected)


def test_the_kernel_in_words() -> None:
    text = "((((u*kappa_0(u)) + kappa_1(u))*kappa_0(kappa_1(u))) + kappa_1(kappa_1(u)))"
    assert written(program(NTK3)) == text
    deep = [["u"], *(["exp", i] for i in range(20)), ["num", "-1/2"], ["powc", 20, 21], ["pow", 22, "-3"]]
    text = f"(({'exp(' * 8}v12{')' * 8}^(-1/2))^(-3)), v12 = {'exp(' * 12}u{')' * 12}"
    assert written(program(deep)) == text


# ------------------------------------------------------------------------------------ exact numbers


def test_exact_numbers() -> None:
    root = ROOT2
    assert root * root == 2 and (root + 1) * (root - 1) == 1 and power(6, HALF) == power(3, HALF) * root
    assert EXACT_PI * power(EXACT_PI, -1) == 1 and root - root == 0 and root != power(3, HALF)
    assert power(Fraction(9, 2), HALF) == root * Fraction(3, 2) and power(root, -3) == root * Fraction(1, 4)
    two = atom("log", Fraction(2))
    assert contains(ball(two * 3 + 1), acb(arb(2).log() * 3 + 1)) and exponential(two * HALF) == root
    assert not isinstance(power(two * two, HALF), Fraction) and isinstance(exponential(two + 1), Ball)
    assert power(root * -6, -1) == root * Fraction(-1, 12) and power(8 * root, HALF) == 2 * power(
        2, Fraction(3, 4)
    )
    assert power(Fraction(4, 27), Fraction(1, 3)) * power(2, Fraction(1, 3)) == Fraction(2, 3)
    assert root < Fraction(3, 2) < EXACT_PI and EXACT_PI > 3 and root * EXACT_PI > 4
    for x, q in ((Fraction(5, 12), Fraction(-7, 6)), (root * 6, Fraction(5, 3)), (EXACT_PI * root, -HALF)):
        assert contains(ball(power(x, q)), acb(as_arb(x) ** as_arb(q)))


def order(nodes: list[list[Any]], end: int) -> Number:
    """The exponent of the leading term in t."""
    return min(e for e, _ in at_end(Branches(), end, Fraction(1, 64), 6).run(program(nodes)).terms)


def test_orders_are_exact() -> None:
    """1 - kappa_1(u) = O(t), 1 - kappa_0(u) = O(sqrt t), and kappa_1(u) = O(t^(3/2)) at u = -1."""
    assert order([["u"], ["kappa", 1, 0], ["num", "-1"], ["add", 1, 2]], 0) == 1
    assert order([["u"], ["kappa", 1, 0], ["num", "-1"], ["add", 1, 2]], 1) == 0
    assert order([["u"], ["kappa", 0, 0], ["num", "-1"], ["add", 1, 2]], 0) == HALF
    assert order([["u"], ["kappa", 1, 0]], 1) == Fraction(3, 2)
    shift: list[list[Any]] = [["u"], ["num", "1"], ["add", 0, 1]]  # asin(1 + u) = O(t) at u = -1
    assert order([*shift, ["asin", 2]], 1) == 1 and order([*shift, ["asin", 2], ["pow", 3, "1/2"]], 1) == HALF


@pytest.mark.parametrize(("order", "parity", "degree"), [(0, 0, 0), (1, 1, 1), (2, 0, 2), (3, 1, 3)])
def test_parities_that_vanish(order: int, parity: int, degree: int) -> None:
    nodes = program([["u"], ["kappa", order, 0]])
    assert polynomial_degree(nodes, parity) == degree
    assert polynomial_degree(nodes, 1 - parity) is None


def test_parities_of_other_functions() -> None:
    """exp(-u^2) + exp(sqrt(1-u)) + exp(sqrt(1+u)) is even; without one of the last two it is neither."""
    nodes: list[list[Any]] = [["u"], ["num", "-1"], ["num", "1"], ["mul", 0, 1], ["mul", 0, 3], ["exp", 4]]
    nodes += [["add", 2, 3], ["pow", 6, "1/2"], ["exp", 7], ["add", 0, 2], ["pow", 9, "1/2"], ["exp", 10]]
    assert polynomial_degree(program([*nodes, ["add", 5, 8, 11]]), 1) == -1
    assert polynomial_degree(program([*nodes, ["add", 5, 8]]), 1) is None
    assert polynomial_degree(program([*nodes, ["add", 5, 8, 11]]), 0) is None


def test_taylor_coefficients() -> None:
    nodes: list[list[Any]] = [["u"], ["num", "2"], ["num", "-1"], ["mul", 0, 2], ["add", 1, 3]]
    positive = [["exp", 0], ["pow", 4, "-1/2"], ["mul", 0, 0, 1]]
    other = [["exp", 3], ["pow", 4, "1/2"], ["pow", 3, "-2"], ["acos", 0]]
    nodes += [["exp", 0], ["mul", 2, 5], ["num", "1/3"], ["add", 6, 7]]
    other += [["pow", 8, "-1"], ["pow", 8, "-2"]]  # 1/3 - exp(u) < 0 on all of [-1, 1]
    for node in positive:
        assert nonnegative(Symbols().run(program([*nodes, node])))
        assert full(Symbols().run(program([*nodes, node]))) is (node[0] != "mul")
    for node in other:
        assert not nonnegative(Symbols().run(program([*nodes, node])))


# ------------------------------------------------------------------------------------ certificates


@pytest.fixture(scope="module")
def long() -> dict[str, Any]:
    return dict(json.loads(certify(kernels.laplace(), 3).to_json()))


@pytest.fixture(scope="module")
def laplace() -> dict[str, Any]:
    return dict(json.loads(certify(kernels.laplace(), 3, terms=2).to_json()))


def signed(body: dict[str, Any]) -> str:
    """With a fresh digest, as an enemy would write it."""
    return json.dumps({**body, "digest": digest(body)})


def test_a_certificate_is_verified(laplace: dict[str, Any]) -> None:
    lines = verify(json.dumps(laplace))
    assert any("all odd k" in line for line in lines)


PROVED: dict[str, tuple[Callable[[], Any], int]] = {
    "ntk2": (lambda: kernels.ntk(2), 4),
    "ntk3": (lambda: kernels.ntk(3), 2),
    "step": (lambda: kernels.step_features(3), 3),
    "matern": (lambda: kernels.matern("3/2"), 3),
    "gauss": (lambda: kernels.gaussian(), 5),
    "irrational exponent": (lambda: "exp(-(1 - u)**(sqrt(2)/2))", 3),
    "logarithm": (lambda: "(1 - u)*log(1 - u)", 3),
    "polynomial": (lambda: "u**3 + 1", 3),
    "Bessel functions with logarithms": (lambda: kernels.matern(1), 3),
    "Bessel functions of other orders": (lambda: kernels.matern("5/4"), 4),
    "a sine": (lambda: "sin(sqrt(1-u))", 3),
    "a hyperbolic tangent": (lambda: "tanh(u)", 3),
    "an entire sine": (lambda: "sin(u)", 3),
    "exponentials": (lambda: "2*exp(3*u - 1) - exp(-u/2) + u**3", 4),
    "squares in the exponents": (lambda: "u*exp(2*u**2) + exp(u**2/3 - 1) + exp(u)", 3),
    "parities apart": (lambda: "exp(u) + kappa1(u)", 3),
    "two parts": (lambda: "exp(u**2) + asin(u)", 3),
    "a negative power outside, first degrees by quadrature": (lambda: "(2 - u)**(-5/2)", 3),
    "branch points outside": (lambda: kernels.erf_network(), 3),
    "a pole outside": (lambda: "1/(2 + u)", 5),
    "a pole beside a factor": (lambda: "exp(u)/(2 + u)", 2),
    "a power outside": (lambda: "(2 - u)**(-5/2)", 4),
    "a pole at a logarithm": (lambda: "1/(1/3 - exp(u))", 3),
    "the poles of a tangent": (lambda: "tan(u)", 3),
    "unbounded at an end": (lambda: "(1-u)**(-1/4)*exp(u)", 2),
    "a logarithm at both ends": (lambda: "-log(1-u**2)", 4),
    "a logarithm outside": (lambda: "(3 + u)*log(3 + u)", 3),
    "a tangent kernel of GELU units": (lambda: kernels.network(2, "gelu", tangent=True), 3),
    "three layers of GELU units": (lambda: kernels.network(3, "gelu"), 3),
}


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("asin(u/2)", True),
        ("asin((1+u)/3)", True),
        ("asin((1+u)/3)/asin(2/3)", True),
        ("asin(u/2 - 1/3)", False),
        ("asin(u/2)**2/(2 - asin((1+u)/3))", True),
        ("1/(1/4 - asin((1+u)/3))", False),  # 1/(c - g) with g(0) > c
        ("(3 - asin(u/2)**2)**(-1/2)/(pi + sqrt(3))", True),
        ("(3 + asin(u/2)**2)**(-1/2)", False),
        ("1/(1 - 3*exp(u))", False),
        ("exp(asin(u/3)) - 2*u", False),
    ],
)
def test_signs_of_taylor_coefficients(text: str, known: bool) -> None:
    """Whatever is said to have coefficients >= 0 has them, by mpmath's differences."""
    kernel = Kernel(text)
    found = nonnegative(Symbols().run(program(to_nodes(kernel.expr))))
    with mp.workdps(60):
        least = min(mp.taylor(sympy.lambdify(sympy.Symbol("u", real=True), kernel.expr, "mpmath"), 0, 8))
    assert found is known and (least >= -(mp.mpf(10) ** -20) or not found)


@pytest.mark.slow
@pytest.mark.parametrize("name", PROVED)
def test_certificates_of_the_prover(name: str) -> None:
    build, d = PROVED[name]
    certificate = certify(build(), d, terms=4)
    assert certificate.proved
    verify(certificate.to_json())


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(value, dict):
        for key in value:
            yield from leaves(value[key], (*path, key))
    elif isinstance(value, list) and value:
        for i, item in enumerate(value):
            yield from leaves(item, (*path, i))
    else:
        yield path, value


def put(body: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    out = copy.deepcopy(body)
    place: Any = out
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return out


def test_every_field_is_guarded(long: dict[str, Any]) -> None:
    """Whatever is changed in the file, it is refused."""
    count = 0
    for path, value in leaves(long):
        other = not value if isinstance(value, bool) else value + 1 if isinstance(value, int) else f"{value}1"
        with pytest.raises(REJECTIONS):
            verify(json.dumps(put(long, path, other)))
        count += 1
    assert count > 80


def test_every_key_is_needed(laplace: dict[str, Any]) -> None:
    for key in laplace:
        with pytest.raises(BadInput):
            verify(json.dumps({k: v for k, v in laplace.items() if k != key}))
    with pytest.raises(BadInput):
        verify(signed({**laplace, "more": 1}))


def scaled(text: str, q: str) -> str:
    return str(Fraction(text) * Fraction(q))


def _change(*path: Any, to: Callable[[Any], Any]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    def change(body: dict[str, Any]) -> dict[str, Any]:
        value: Any = body
        for key in path:
            value = value[key]
        return put(body, path, to(value))

    return change


LIES: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "dimension": _change("dimension", to=lambda d: d + 1),
    "nu": _change("parities", "even", "nu", to=lambda _: "3/2"),
    "rate": _change("parities", "odd", "rate", to=lambda _: "-2"),
    "a too large": _change("parities", "even", "a", to=lambda x: scaled(x, "2")),
    "b too small": _change("parities", "odd", "b", to=lambda x: scaled(x, "1/2")),
    "k0 below beta": _change("parities", "even", "k0", to=lambda _: 1),
    "tail before k0": _change("parities", "even", "tail", to=lambda _: 1),
    "a zero that is none": _change("parities", "odd", to=lambda _: {"kind": "zero", "from": 3}),
    "bounded": _change("parities", "odd", to=lambda _: {"kind": "bounded", "k0": 0}),
    "unknown kind": _change("parities", "odd", to=lambda _: {"kind": "unknown", "reason": ""}),
    "coefficient": _change("terms", 0, "coefficient", to=lambda c: [scaled(x, "1000001/1000000") for x in c]),
    "wrong sign": _change("terms", 0, "coefficient", to=lambda c: [scaled(x, "-1") for x in reversed(c)]),
    "dropped term": _change("terms", to=lambda terms: terms[1:]),
    "wrong end": _change("terms", 0, "end", to=lambda _: -1),
    "exponent": _change("terms", 0, "exponent", to=lambda _: "1/4"),
    "log": _change("terms", 0, "log", to=lambda _: 1),
    "halved slit bound": _change("bounds", 0, "plus", to=lambda x: scaled(x, "1/2")),
    "negative bound": _change("bounds", 0, "plus", to=lambda x: scaled(x, "-1")),
    "halved curve": _change("bounds", 0, "curve", to=lambda x: scaled(x, "1/2")),
    "beta": _change("bounds", 0, "beta", to=lambda _: "1/2"),
    "negative beta": _change("bounds", 0, "beta", to=lambda _: "-1/2"),
    "no beta": _change("bounds", 0, "beta", to=lambda _: None),
    "height": _change("bounds", 0, "height", to=lambda _: "4"),
    "mu_1": _change("small", 1, "upper", to=lambda x: scaled(x, "99/100")),
    "mu_2": _change("small", 2, "lower", to=lambda x: scaled(x, "100001/100000")),
    "gap": _change("small", to=lambda s: s[:3] + s[4:]),
    "too few": _change("small", to=lambda s: s[:3]),
    "renamed": _change("small", 3, "k", to=lambda _: 2),
    "not definite": _change("positive_definite", to=lambda _: False),
    "not strict": _change("strict", to=lambda _: False),
    "offending": _change("offending", to=lambda _: 3),
    "reason": _change("reason", to=lambda _: "open"),
    "k0 of the other parity": _change("parities", "odd", "k0", to=lambda k: k - 4),
    "all of it in another dimension": lambda body: put(
        put(put(body, ("dimension",), 5), ("parities", "even", "rate"), "-5"),
        ("parities", "odd", "rate"),
        "-5",
    ),
    "no bounds": _change("bounds", to=lambda _: []),
    "no terms": _change("terms", to=lambda _: []),
    "beta beyond the expansions": _change("bounds", 0, "beta", to=lambda _: "39"),
    "a slit bound of the other end": lambda body: put(
        put(body, ("bounds", 0, "minus"), body["bounds"][0]["plus"]), ("bounds", 0, "plus"), "0"
    ),
    "a sum turned": _change("kernel", "nodes", -1, to=lambda node: ["log", *node[1:]]),
    "one part in a million": _change("kernel", "nodes", 0, to=lambda _: ["num", "-1000001/1000000"]),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LIES)
def test_lies_with_a_good_digest(laplace: dict[str, Any], name: str) -> None:
    with pytest.raises(REJECTIONS):
        verify(signed(LIES[name](laplace)))


BASES: dict[str, tuple[Callable[[], Any], int]] = {
    "two layers": (lambda: kernels.ntk(2), 4),
    "polynomial": (lambda: "u**3 + 1", 3),
    "irrational": (lambda: "exp(-(1-u)**(sqrt(2)/2))", 3),
    "logarithm": (lambda: "(1-u)*log(1-u)", 3),
    "odd": (lambda: "exp(-sqrt(1-u)) - exp(-sqrt(1+u))", 3),
    "negative": (lambda: "sqrt(1-u)", 3),
    "entire": (lambda: "exp(u**2 + u)", 3),
    "Bessel": (lambda: kernels.matern(1), 3),
    "pole": (lambda: "1/(2 - u)", 3),
    "residue": (lambda: "exp(u)/(2 + u)", 3),
    "outside": (lambda: kernels.erf_network(), 3),
    "exponentials": (lambda: "exp(2*u) + exp(-u) + u**4", 3),
    "squares": (lambda: "exp(u**2)*(1 + u)", 3),
    "parts": (lambda: "exp(u**2) + asin(u)", 3),
}


def reordered(nodes: list[list[Any]], order: str) -> list[list[Any]]:
    """With K of another order."""
    i = next(i for i, node in enumerate(nodes) if node[0] == "besselk")
    fresh: list[list[Any]] = [["num", order]]
    moved = [[x + 1 if j and isinstance(x, int) else x for j, x in enumerate(node)] for node in nodes]
    return [*fresh, *moved[:i], ["besselk", 0, moved[i][2]], *moved[i + 1 :]]


Change = tuple[tuple[Any, ...], Any]
#: what is written instead; a function is applied to what was there
OTHER_LIES: dict[str, tuple[str, list[Change]]] = {
    "zero too early": ("two layers", [(("parities", "odd", "from"), 1)]),
    "the other parity zero": ("two layers", [(("parities", "even"), {"kind": "zero", "from": 2})]),
    "strict though half of it vanishes": ("two layers", [(("strict",), True)]),
    "zero called bounded": ("two layers", [(("parities", "odd"), {"kind": "bounded", "k0": 0})]),
    "the law of both": ("two layers", [(("parities",), lambda p: {"even": p["even"], "odd": p["even"]})]),
    "a negative one that is positive": (
        "two layers",
        [(("offending",), 1), (("positive_definite",), False), (("strict",), False)],
    ),
    "a zero that has a sign": (
        "two layers",
        [(("small", 3), {"k": 3, "lower": "1e-9", "upper": "1e-8"})],
    ),
    "no slit at -1": ("two layers", [(("bounds", 0, "minus"), "0")]),
    "no curve": ("two layers", [(("bounds", 0, "curve"), "0")]),
    "a term below beta not listed": ("two layers", [(("bounds", 0, "beta"), "7/2")]),
    "lower rank": ("polynomial", [(("parities", "odd", "from"), 3)]),
    "no rank": ("polynomial", [(("parities", "even", "from"), 0)]),
    "finite rank and strict": ("polynomial", [(("strict",), True)]),
    "a power more": (
        "polynomial",
        [(("kernel", "nodes"), lambda n: [*n, ["u"], ["pow", len(n), "5"], ["add", len(n) - 1, len(n) + 1]])],
    ),
    "nearly the exponent": (
        "irrational",
        [
            (("parities", "even", "nu"), "70710678118654752440/100000000000000000000"),
            (("parities", "even", "rate"), "-341421356237309504880/100000000000000000000"),
        ],
    ),
    "half an irrational slit": ("irrational", [(("bounds", 0, "plus"), lambda x: scaled(x, "1/2"))]),
    "another sign of the law": (
        "logarithm",
        [(("parities", "even", "a"), "-1e9"), (("parities", "even", "b"), "-1e-9")],
    ),
    "no logarithm": ("logarithm", [(("terms", 0, "log"), 0)]),
    "definite with a logarithm": ("logarithm", [(("positive_definite",), True), (("offending",), None)]),
    "parities exchanged": ("odd", [(("parities",), lambda p: {"even": p["odd"], "odd": p["even"]})]),
    "definite": ("negative", [(("positive_definite",), True), (("strict",), True), (("offending",), None)]),
    "another offender": ("negative", [(("offending",), 0)]),
    "another order": ("Bessel", [(("kernel", "nodes"), lambda n: reordered(n, "1000001/1000000"))]),
    "half a slit with logarithms": ("Bessel", [(("bounds", 0, "plus"), lambda x: scaled(x, "1/2"))]),
    "half a curve with logarithms": ("Bessel", [(("bounds", 0, "curve"), lambda x: scaled(x, "1/2"))]),
    "another pole": ("pole", [(("place",), "2000001/1000000")]),
    "a pole on the interval": ("pole", [(("place",), "1")]),
    "a kernel with another pole": (
        "pole",
        [
            (
                ("kernel", "nodes"),
                lambda n: [["num", "2000001/1000000"] if x == ["num", "2"] else x for x in n],
            )
        ],
    ),
    "more than the pole": (
        "pole",
        [(("kernel", "nodes"), lambda n: [*n, ["exp", 0], ["add", len(n) - 1, len(n)]])],
    ),
    "the pole on the other side": ("pole", [(("terms", 0, "end"), -1)]),
    "no pole": ("pole", [(("terms",), [])]),
    "half a pole": ("pole", [(("terms", 0, "coefficient"), ["1/2", "1/2"])]),
    "a pole of second order": ("pole", [(("terms", 0, "exponent"), "-2")]),
    "a rate outside": ("pole", [(("parities", "even", "rate"), "-1")]),
    "a law at the ends": ("pole", [(("parities", "even", "kind"), "algebraic")]),
    "no place": ("pole", [(("place",), None)]),
    "too small a constant": ("pole", [(("parities", "even", "b"), "4.9e-1")]),
    "too large a constant": ("pole", [(("parities", "odd", "a"), "3.7e-1")]),
    "no curve around a pole": ("residue", [(("bounds", 0, "curve"), "0")]),
    "a smaller curve around a pole": ("residue", [(("bounds", 0, "curve"), lambda x: scaled(x, "1/2"))]),
    "a larger ellipse around a pole": ("residue", [(("bounds", 0, "height"), lambda x: scaled(x, "11/10"))]),
    "another residue": (
        "residue",
        [(("terms", 0, "coefficient"), ["1.3533528e-1", "1.35335281e-1"])],
    ),
    "half a slit outside": ("outside", [(("bounds", 0, "plus"), lambda x: scaled(x, "1/2"))]),
    "half a curve outside": ("outside", [(("bounds", 0, "curve"), lambda x: scaled(x, "1/2"))]),
    "the even ones outside": ("outside", [(("parities",), lambda p: {"even": p["odd"], "odd": p["even"]})]),
    "half of it": ("exponentials", [(("parities", "even", "b"), lambda x: scaled(x, "1/2"))]),
    "more than it": ("exponentials", [(("parities", "even", "a"), lambda x: scaled(x, "1001/1000"))]),
    "another base": ("exponentials", [(("parities", "even", "base"), "2000001/1000000")]),
    "no kind at all": ("exponentials", [(("parities", "even", "kind"), "cos")]),
    "a smaller base": ("exponentials", [(("parities", "even", "base"), "1")]),
    "a power before it": ("exponentials", [(("parities", "even", "power"), 1)]),
    "a Gamma function below it": ("exponentials", [(("parities", "even", "order"), "1")]),
    "within the polynomial": ("exponentials", [(("parities", "even", "k0"), 4)]),
    "the other sign": (
        "exponentials",
        [(("parities", "odd", "a"), lambda x: scaled(x, "-2")), (("parities", "odd", "b"), "-1e-9")],
    ),
    "nearly another kernel": (
        "exponentials",
        [
            (
                ("kernel", "nodes"),
                lambda n: [["num", "2000001/1000000"] if x == ["num", "2"] else x for x in n],
            )
        ],
    ),
    "squares with too small a constant": (
        "squares",
        [(("parities", "even", "b"), lambda x: scaled(x, "99/100"))],
    ),
    "squares with too large a constant": (
        "squares",
        [(("parities", "odd", "a"), lambda x: scaled(x, "11/10"))],
    ),
    "no squares": ("squares", [(("parities", "even", "square"), False)]),
    "a negative base": (
        "squares",
        [
            (("parities", "odd", "base"), "-2"),
            (("parities", "odd", "a"), lambda x: scaled(x, "-2")),
            (("parities", "odd", "b"), "0"),
        ],
    ),
    "another factor before u^2": ("squares", [(("kernel", "nodes", 3, 2), "4")]),
    "the other part": ("parts", [(("parts",), lambda p: {"even": p["odd"], "odd": p["even"]})]),
    "a part in another dimension": ("parts", [(("parts", "odd", "dimension"), 4)]),
    "a part of another kernel": ("parts", [(("kernel", "nodes"), lambda n: [*n, ["mul", len(n) - 1, 0]])]),
    "half a part": ("parts", [(("parts", "even", "parities", "even", "b"), lambda x: scaled(x, "1/2"))]),
    "parts of parts": ("parts", [(("parts", "odd"), lambda part: {**part, "parts": {}})]),
    "an eigenvalue of a part": ("parts", [(("small", 3, "upper"), lambda x: scaled(x, "999/1000"))]),
    "a part that is not said to be one": ("parts", [(("parities", "odd", "kind"), "algebraic")]),
    "negative, with a power series c - g below": (
        "entire",
        [
            (("kernel", "nodes"), [["num", "1/3"], ["num", "-1"], ["u"], ["exp", 2], ["mul", 1, 3]]),
            (("kernel", "nodes"), lambda n: [*n, ["add", 0, 4], ["pow", 5, "-1"]]),
            (("bounds",), lambda bounds: [{**bounds[0], "height": "1/4", "curve": "1000"}]),
            (("small",), []),
            (("strict",), None),
        ],
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", OTHER_LIES)
def test_lies_about_other_kernels(name: str) -> None:
    base, changes = OTHER_LIES[name]
    build, d = BASES[base]
    body: dict[str, Any] = json.loads(certify(build(), d, terms=2).to_json())
    for path, value in changes:
        body = _change(*path, to=value if callable(value) else lambda _, value=value: value)(body)
    for part in body.get("parts", {}).values():
        part["digest"] = digest(part)
    with pytest.raises(REJECTIONS):
        verify(signed(body))


SHAPES: dict[str, list[list[Any]]] = {
    "not integrable": [["num", "-1"], ["u"], ["mul", 0, 1], ["num", "1"], ["add", 3, 2], ["pow", 4, "-1"]],
    "a kink inside": [["u"], ["num", "-1/2"], ["add", 0, 1], ["mul", 2, 2], ["pow", 3, "1/2"]],
    "a pole inside": [["u"], ["mul", 0, 0], ["num", "1/100"], ["add", 1, 2], ["pow", 3, "-1"]],
    "a pole on the interval": [["u"], ["num", "-1/3"], ["add", 0, 1], ["pow", 2, "-1"]],
    "a zero that winds": [["u"], ["mul", 0, 0], ["num", "1/10"], ["add", 1, 2], ["pow", 3, "1/2"]],
    "unbounded at the end": [
        ["num", "-1"],
        ["u"],
        ["mul", 0, 1],
        ["num", "1"],
        ["add", 3, 2],
        ["pow", 4, "-1/4"],
    ],
    "a logarithm at the end": [["num", "-1"], ["u"], ["mul", 0, 1], ["num", "1"], ["add", 3, 2], ["log", 4]],
    "an essential singularity": [["u"], ["num", "1"], ["add", 0, 1], ["pow", 2, "-1"], ["exp", 3]],
    "out of range": [["u"], ["num", "2"], ["mul", 0, 1], ["acos", 2]],
    "a huge power": [["u"], ["pow", 0, "1e300"]],
    "a power with a long exponent": [["u"], ["pow", 0, "-1e-4000"]],
    "no operation": [["u"], []],
    "numbers without end": [["num", "1e300"], *(["pow", i, "64"] for i in range(40)), ["u"], ["mul", 40, 41]],
    "squares without end": [["u"], *(["mul", i, i] for i in range(400))],
    "towers": [["u"], *(["exp", i] for i in range(400))],
    "roots of roots": [["num", "-1"], ["u"], ["mul", 0, 1], *(["pow", i, "1/2"] for i in range(2, 40))],
    "unknown function": [["u"], ["zeta", 0]],
    "no order": [["u"], ["besselk", 0]],
    "an order that is none": [["u"], ["besselk", 0, 0]],
    "a large order": [["u"], ["num", "1e6"], ["besselk", 1, 0]],
    "a function off its domain": [["u"], ["num", "0"], ["besselk", 1, 0]],
    "a pole of the tangent": [["u"], ["num", "2"], ["mul", 0, 1], ["tan", 2]],
    "Gamma of a variable": [["u"], ["gamma", 0]],
    "later node": [["exp", 1], ["u"]],
    "itself": [["exp", 0]],
    "negative index": [["u"], ["exp", -1]],
    "no nodes": [],
}


@pytest.mark.parametrize("name", SHAPES)
def test_other_kernels_under_a_true_certificate(laplace: dict[str, Any], name: str) -> None:
    with pytest.raises(REJECTIONS):
        verify(signed(put(laplace, ("kernel", "nodes"), SHAPES[name])))


@pytest.mark.parametrize(
    "text",
    [
        "nan",
        "inf",
        "-Infinity",
        "1e999999999",
        "1_0",
        " 1",
        "1/0",
        "0x10",
        "",
        "٣",
        "1" * 1000,
        1.5,
        True,
        None,
        [],
    ],
)
def test_numbers_that_are_none(laplace: dict[str, Any], text: Any) -> None:
    with pytest.raises(REJECTIONS):
        verify(signed(put(laplace, ("bounds", 0, "plus"), text)))


def test_documents_that_are_none(laplace: dict[str, Any]) -> None:
    twice = json.dumps(laplace)[:-1] + ', "dimension": 3}'
    for text in ("", "[]", "{", "null", "[" * 100_000, twice, '{"format": NaN}', '{"format": 1e400}'):
        with pytest.raises(BadInput):
            verify(text)


def test_the_command(tmp_path: Any, laplace: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps(laplace))
    bad.write_text(json.dumps(put(laplace, ("dimension",), 4)))
    assert main([str(good)]) == 0
    assert "verified: mu_k for k = 0" in capsys.readouterr().out
    assert main([str(bad)]) == 1
    assert capsys.readouterr().out.startswith("NOT VERIFIED")
    assert main([str(tmp_path / "none.json")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert main([]) == 2


def test_nothing_but_the_standard_library() -> None:
    code = (
        "import sys; before = set(sys.modules); import asymptok.checker.__main__\n"
        "new = {name.split('.')[0] for name in set(sys.modules) - before}\n"
        "print(sorted(n for n in new if n not in sys.stdlib_module_names))\n"
        "print(sorted(n for n in sys.modules if n.startswith('asymptok.') and '.checker' not in n))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert found.splitlines() == ["['asymptok']", "['asymptok.version']"]
