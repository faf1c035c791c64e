"""mu_k of one singular term away from the ends, exactly and for every k: docs/spectrum.md, eqs. (12a) and (12b).

Inside, u_0 = cos(theta), 0 < theta < pi, lambda = (d-2)/2, N = k + lambda, mu = nu + lambda + 1/2:
    mu_k((u-u_0)_+^nu) = Gamma(d/2) 2^lambda/pi Gamma(nu+1) sin(theta)^(nu+lambda) Gamma(k-nu)/Gamma(N+1)
                         Re[ e^(i(N theta - pi/4 - mu pi/2)) 2F1(1/2+mu, 1/2-mu; N+1; 1/2 - i cot(theta)/2) ]
(by Rodrigues it is a fractional integral of (1-u^2)^(N-1/2), which is the Ferrers function of degree N - 1/2 and
order -mu.) Outside, z = (r + 1/r)/2 with |r| < 1, and (z-u)^nu = e^(nu C) (1+r^2-2ru)^nu with e^C = 1/(2r):
    mu_k((z-u)^nu) = e^(nu C) r^k Gamma(d/2) Gamma(k-nu)/(Gamma(-nu) Gamma(k+d/2)) (1-r^2)^(nu+d/2-1)
                     2F1(nu+d/2, 1-nu-d/2; k+d/2; r^2/(r^2-1)).
"""

from __future__ import annotations

from math import comb

import flint
from flint import acb, acb_poly, arb, arb_series, fmpq
from sympy import Expr

from asymptok.balls import ball
from asymptok.precision import flint_length, flint_precision

#: terms of 2F1 that are tried
_LONGEST = 2000
#: and of the bound that holds from some k on
_SPREAD = 40
ZERO, NONE = arb(0), fmpq(0)

__all__ = [
    "gauss",
    "inner_frame",
    "inner_log_term",
    "inner_term",
    "outer_frame",
    "outer_jet",
    "outer_size",
    "outer_slit",
    "outer_spread",
    "outer_term",
]


def inner_term(k: int, d: int, location: arb, nu: arb, side: int = 1) -> arb:
    """mu_k of (u-u_0)_+^nu (side 1) or (u_0-u)_+^nu (side -1), k > nu > -1.

    >>> mine = inner_term(4, 3, arb(0), arb(1))                        # u_+ on the sphere in R^3
    >>> mine.contains(arb(-1) / 96)
    True
    """
    if side == -1:
        value = inner_term(k, d, -location, nu)
        return -value if k % 2 else value
    half = arb(fmpq(1, 2))
    sine = ((1 - location) * (1 + location)).sqrt()
    theta, lam = arb.atan2(sine, location), arb(fmpq(d - 2, 2))
    n, order = k + lam, nu + lam + half
    z = acb(half, -location / (2 * sine))
    wave = acb(0, n * theta - arb.pi() * (order / 2 + arb(fmpq(1, 4)))).exp()
    wave = wave * gauss(half + order, half - order, n + 1, z)
    size = arb(fmpq(d, 2)).gamma() * arb(2) ** lam / arb.pi() * (nu + 1).gamma() * sine ** (nu + lam)
    return size * ((k - nu).lgamma() - (n + 1).lgamma()).exp() * wave.real


def inner_log_term(k: int, d: int, location: Expr, nu: Expr, j: int, side: int = 1) -> arb:
    """mu_k of (u-u_0)_+^nu (log(u-u_0))^j (side 1) or (u_0-u)_+^nu (log(u_0-u))^j (side -1), k > nu > -1.

    It is the j-th derivative of f(nu) = mu_k((u-u_0)_+^nu), here a central difference with a proved error: f is
    analytic for Re nu > -1, where |f| is at most the mean of (u-u_0)_+^(Re nu), and with |f| <= M for |x - nu| <= r
    sum_i (-1)^(j-i) C(j, i) f(nu + (i-j/2) h)/h^j is wrong by at most M (j/r)^j q/(1-q), q = j h/(2r).

    >>> from sympy import S
    >>> both = inner_log_term(2, 3, S.Zero, S.Zero, 1) + inner_log_term(2, 3, S.Zero, S.Zero, 1, -1)
    >>> both.contains(arb(1) / 3)                                      # log|u| on the sphere in R^3
    True
    """
    bits = flint.ctx.prec
    if j == 0:
        return inner_term(k, d, ball(location), ball(nu), side)
    place, e = side * ball(location), ball(nu)
    radius = arb.min(arb(fmpq(1, 2)), (e + 1) / 2).lower()
    most = _largest_mean(d, place, e - radius, e + radius)
    size = inner_frame(k, d, place, e)[0] * ((k - e).lgamma() - (k + arb(fmpq(d, 2))).lgamma()).exp()
    # f is small where k is large, and the error has to be small beside it
    step = bits + 32 + max(0, int(float((-size.log() / arb(2).log()).upper())))
    # where 2F1 is nearly degenerate more bits are lost
    for lost in (0, step, 4 * step):
        with flint_precision(bits + (j + 1) * step + 64 + lost):
            value = _difference(k, d, ball(location), ball(nu), j, side, step)
            q = j * arb(2) ** -step / (2 * radius)
            value = value + arb(0, (most * (j / radius) ** j * q / (1 - q)).upper())
        if value.rel_accuracy_bits() >= bits - 16:
            break
    return +value


def _difference(k: int, d: int, location: arb, nu: arb, j: int, side: int, step: int) -> arb:
    """sum_i (-1)^(j-i) C(j, i) f(nu + (i-j/2) h)/h^j, h = 2^-step."""
    h, total = arb(2) ** -step, arb(0)
    for i in range(j + 1):
        total = total + (-1) ** (j - i) * comb(j, i) * inner_term(
            k, d, location, nu + h * fmpq(2 * i - j, 2), side
        )
    return total / h**j


def _largest_mean(d: int, location: arb, low: arb, high: arb) -> arb:
    """A bound of the mean of (u-u_0)_+^e over the sphere for all low <= e <= high, -1 < low."""
    top = arb(2) ** arb.max(high, arb(0))
    if low >= 0:
        return top
    # halfway to the end: beyond it the power is small, before it the weight is
    reach, other = (1 - location) / 2, 1 + location
    weight = 1 / (reach * other).sqrt() if d == 2 else arb(1)
    sphere = (arb(fmpq(d, 2)).lgamma() - arb(fmpq(d - 1, 2)).lgamma()).exp() / arb.pi().sqrt()
    return top + reach**low + sphere * weight * reach ** (low + 1) / (low + 1)


def inner_frame(k: int, d: int, location: arb, nu: arb, radius: fmpq = NONE) -> tuple[arb, arb]:
    """(C, e): |mu_j((u-u_0)_+^nu)| <= C Gamma(j-nu)/Gamma(j+d/2) (1 + e) for all j >= k > nu; see `outer_spread`.

    With a radius |2F1 - 1| <= e for all complex exponents within it.
    """
    half, lam = arb(fmpq(1, 2)), arb(fmpq(d - 2, 2))
    sine = ((1 - location) * (1 + location)).sqrt()
    z, order = acb(half, -location / (2 * sine)), nu + lam + half
    size = arb(fmpq(d, 2)).gamma() * arb(2) ** lam / arb.pi() * (nu + 1).gamma() * sine ** (nu + lam)
    return size, _spread(half + order, half - order, k + lam + 1, z, arb(radius))


def outer_term(k: int, d: int, z: acb, nu: arb, log_power: int = 0) -> acb:
    """mu_k of (z-u)^nu (log(z-u))^j, principal branches, z off [-1, 1] and off the negative axis; k > nu.

    >>> outer_term(1, 3, acb(2), arb(-1)).overlaps(acb(arb(3).log() - 1))   # 1/(2-u): the Legendre function Q_1(2)
    True
    """
    whole = nu.unique_fmpz()
    if log_power > 1 or (log_power and (whole is None or whole < 0)):
        return outer_jet(k, d, z, nu, log_power)[log_power]
    value, half = _outer(k, d, z, nu), arb(fmpq(d, 2))
    value = value * ((k - nu).lgamma() - (k + half).lgamma()).exp()
    if log_power:  # 1/Gamma(-nu) vanishes at nu = n, and has the derivative (-1)^(n+1) n! there
        assert whole is not None
        n = int(whole)
        return value * arb(n + 1).gamma() * (-1) ** (n + 1)
    return value * (-nu).rgamma()


def outer_jet(k: int, d: int, z: acb, nu: arb, highest: int) -> list[acb]:
    """mu_k of (z-u)^nu (log(z-u))^j for j = 0 .. highest: the derivatives in nu of
        mu_k((z-u)^nu) = e^(nu C) r^k Gamma(d/2) Gamma(k-nu)/(Gamma(-nu) Gamma(k+d/2)) 2F1(k-nu, 1-nu-d/2; k+d/2; r^2)

    >>> outer_jet(1, 3, acb(2), arb(0), 1)[1].overlaps(outer_term(1, 3, acb(2), arb(0), 1))
    True
    """
    half, length = arb(fmpq(d, 2)), highest + 1
    r = 1 / (z + (z - 1).sqrt() * (z + 1).sqrt())
    branch = z.log() - (1 + r * r).log()
    with flint_length(length):
        gammas = arb_series([k - nu, -1], prec=length).lgamma() - (k + half).lgamma()
        ratio = gammas.exp() * arb_series([-nu, -1], prec=length).rgamma()
        factor = acb_poly([acb(ratio[i]) for i in range(length)])
    power = acb_poly([branch**i / arb(i + 1).gamma() for i in range(length)])
    found = (factor * power).truncate(length) * _gauss_jet(k - nu, 1 - nu - half, k + half, r * r, length)
    scale = (nu * branch).exp() * r**k * half.gamma()
    return [found[i] * scale * arb(i + 1).gamma() for i in range(length)]


def _gauss_jet(a: arb, b: arb, c: arb, z: acb, length: int) -> acb_poly:
    """2F1(a-x, b-x; c; z) up to x^(length-1) for |z| < 1, c > 0.

    For |x| <= e the quotient of two terms from the J-th on is at most |z| times the largest of 1 and
    (|a|+J+e)/(c+J), and of 1 and (|b|+J+e)/(J+1), both of which tend to 1 monotonously; by Cauchy a coefficient of
    what is left is at most its size for |x| <= e over e^i.
    """
    size, e = abs(z), arb(fmpq(1, 4))
    total, term, most = acb_poly([0]), acb_poly([1]), arb(1)
    for j in range(_LONGEST * 10):
        quotient = size * arb.max(arb(1), (abs(a) + j + e) / (c + j))
        quotient = quotient * arb.max(arb(1), (abs(b) + j + e) / (j + 1))
        if quotient < 1:
            rest = (most / (1 - quotient)).upper()
            if rest < abs(total[0]) * arb(2) ** -(flint.ctx.prec + 8 * length) or j == 10 * _LONGEST - 1:
                break
        total = total + term
        step = acb_poly([acb((a + j) * (b + j)), acb(-(a + b + 2 * j)), acb(1)])
        term = (term * step).truncate(length) * (z / ((c + j) * (j + 1)))
        most = most * (abs(a + j) + e) * (abs(b + j) + e) / ((c + j) * (j + 1)) * size
    else:
        rest = arb.pos_inf()
    errors = [arb(0, (rest / e**i).upper()) for i in range(length)]
    return total + acb_poly([acb(x, x) for x in errors])


def _outer(k: int, d: int, z: acb, nu: arb) -> acb:
    half = arb(fmpq(d, 2))
    r = 1 / (z + (z - 1).sqrt() * (z + 1).sqrt())
    branch = z.log() - (1 + r * r).log()
    rest = 1 - r * r
    series = gauss(nu + half, 1 - nu - half, k + half, -r * r / rest)
    return (nu * branch).exp() * r**k * half.gamma() * (rest.log() * (nu + half - 1)).exp() * series


def outer_frame(k: int, d: int, z: acb, nu: arb, log_power: int = 0) -> tuple[arb, arb]:
    """(C, e): |mu_j((z-u)^nu)| <= C |r|^j Gamma(j-nu)/Gamma(j+d/2) (1 + e) for all j >= k > nu, z off [-1, 1].

    With log_power = 1 the same for (z-u)^nu log(z-u), nu = 0, 1, 2, ...
    """
    half = arb(fmpq(d, 2))
    z = -z if z.real < 0 else z
    r = 1 / (z + (z - 1).sqrt() * (z + 1).sqrt())
    rest = 1 - r * r
    gamma = (nu + 1).gamma() if log_power else abs((-nu).rgamma())
    size = abs(2 * r) ** (-nu) * abs(rest) ** (nu + half - 1) * half.gamma() * gamma
    return size, _spread(nu + half, 1 - nu - half, k + half, -r * r / rest)


def outer_slit(k: int, d: int, z: arb, beta: arb) -> arb:
    """T_z(beta, k) = (1/pi) int_0^oo x^beta q_k(z+x) dx, real z > 1, -1 < beta < k: mu_k((z-u)^beta)/(-sin(pi beta)).

    >>> from asymptok.laws.point_terms import outer_term
    >>> outer_slit(5, 3, arb(2), arb(0.5)).overlaps(-outer_term(5, 3, acb(2), arb(0.5)).real)
    True
    """
    ratio = ((k - beta).lgamma() - (k + arb(fmpq(d, 2))).lgamma()).exp()
    return _outer(k, d, acb(z), beta).real * ratio * (1 + beta).gamma() / arb.pi()


def outer_spread(k: int, d: int, z: arb, nu: arb) -> arb:
    """A bound of |2F1 - 1| in the law of (z-u)^nu, real z > 1, for this and all larger k.

    The terms of 2F1(a, b; k + d/2; x) decrease in k, and so does the bound of the rest (`gauss`).
    """
    r = 1 / (z + ((z - 1) * (z + 1)).sqrt())
    half = arb(fmpq(d, 2))
    return _spread(nu + half, 1 - nu - half, k + half, acb(-r * r / (1 - r * r)))


def _spread(a: arb, b: arb, c: arb, z: acb, radius: arb = ZERO) -> arb:
    """A bound of |2F1(a+x, b-x; c; z) - 1|, |x| <= radius, that holds for all larger c: terms and rest decrease in c.

    The rest is a mean with complex weights, which are at most cosh(pi radius) times those of the real parts if these
    are at least 1/2, and |w^-x| <= e^(pi radius) |w|^(-Re x).
    """
    total, term, delta, size = arb(0), arb(1), _distance(z), abs(z)
    best, turn = arb.pos_inf(), (arb.pi() * radius).exp() * (arb.pi() * radius).cosh()
    least = radius + arb(fmpq(1, 2)) if radius > 0 else arb(0)
    for j in range(_SPREAD):
        if j and a + j > radius and b + j > least and c - b > least:
            found = (total + rest_of_gauss(abs(term) * turn, a + radius + j, delta)).upper()
            best = found if not best < found else best
        total = total + (abs(term) if j else 0)
        term = term * (abs(a + j) + radius) * (abs(b + j) + radius) / ((c + j) * (j + 1)) * size
    return best


def outer_size(k: int, d: int, z: acb, nu: arb) -> arb:
    """The size of the term without the factor 1/Gamma(-nu) = -Gamma(1+nu) sin(pi nu)/pi of its wave."""
    size = abs(_outer(k, d, z, nu)) * ((k - nu).lgamma() - (k + arb(fmpq(d, 2))).lgamma()).exp()
    return size * ((1 + nu).gamma() if nu > -1 else abs((-nu).rgamma()) + 1)


def gauss(a: arb, b: arb, c: arb, z: acb) -> acb:
    """2F1(a, b; c; z) for real a, b, c and z off [1, oo), also for large c.

    From the J-th term on, a + J >= 0, b + J > 0, c > b, the rest is at most that term times delta^(-a-J) with delta the
    distance of 1 from the segment [0, z]: it is z^J (a)_J (b)_J/((c)_J J!) times a mean of (1-sz)^(-a-J), 0 <= s <= 1.

    >>> gauss(arb(1), arb(1), arb(2), acb(-1)).overlaps(acb(arb(2).log()))
    True
    """
    z, best = acb(z), None
    size, total, term = abs(z), acb(0), acb(1)
    delta = _distance(z)
    for j in range(_LONGEST):
        if c > b and a + j > 0 and b + j > 0:
            rest = rest_of_gauss(abs(term), a + j, delta)
            if best is None or rest < best[1]:
                best = (total, rest)
            if not rest > abs(total) * arb(2) ** (-flint.ctx.prec):
                return total + acb(arb(0, rest), arb(0, rest))
            if j * size > 2 * abs(c):
                break
        total = total + term
        term = term * ((a + j) * (b + j) / ((c + j) * (j + 1))) * z
        if term.is_zero():
            return total
    closed = z.hypgeom_2f1(acb(a), acb(b), acb(c))
    if best is None:
        return closed
    radius = arb(0, best[1])
    series = best[0] + acb(radius, radius)
    return closed if closed.rel_accuracy_bits() > series.rel_accuracy_bits() else series


def rest_of_gauss(term: arb, power: arb, delta: arb) -> arb:
    """A bound of the terms of 2F1(a, b; c; z) from the J-th on, the J-th one being of that size; power = a + J > 0."""
    return (term * delta**-power).upper()


def _distance(z: acb) -> arb:
    """min |1 - sz| over 0 <= s <= 1, rounded down."""
    if z.real < 0 or z.is_zero():
        return arb(1)
    size = abs(z)
    # the foot of the perpendicular lies on the segment, or its end z is nearest; the smaller of both is a lower bound
    return arb.min(abs(z.imag) / size, abs(1 - z)).lower() if z.real < size**2 else abs(1 - z).lower()
