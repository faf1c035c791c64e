"""The theorems: the decay theorem of Bietti and Bach and its neighbours, each as data."""

from __future__ import annotations

import copyreg
from collections.abc import Callable

from sympy import Expr, Rational, sstr

from asymptok.errors import AsymptokError
from asymptok.kernels import networks
from asymptok.kernels.kernel import Kernel
from asymptok.laws.flatness import flat_at_both_ends, flat_terms
from asymptok.symbols import d
from asymptok.theorems.case import Case
from asymptok.theorems.conditions import (
    ADMISSIBLE,
    COEFFICIENTS,
    DERIVATIVES,
    EXPANSION_LEFT,
    EXPANSION_RIGHT,
    LOGARITHM,
    PARITIES,
    SAME_NU,
    SERIES_LEFT,
    SERIES_RIGHT,
    SMOOTH,
)
from asymptok.theorems.positive import POSITIVE_DEFINITE
from asymptok.theorems.recognise import gamma_exponential, network_depth, step_under_relu
from asymptok.theorems.references import (
    BERNSTEIN,
    BIETTI_BACH,
    BIETTI_MAIRAL,
    FLAJOLET_ODLYZKO,
    SCHOENBERG,
    WONG,
)
from asymptok.theorems.slit_disc import SLIT_DISC
from asymptok.theorems.theorem import Hypothesis, Reference, Theorem, Verdict
from asymptok.truth import PROVED, REFUTED, SUPPORTED, UNKNOWN, Truth


def _nu_rate(case: Case) -> Expr | None:
    try:
        lead = case.lead
    except AsymptokError:
        return None
    return None if lead is None else -d - 2 * lead[0] + 1


DECAY = Theorem(
    "decay",
    "Decay of the eigenvalues from the expansions at the ends (Theorem 1)",
    (SMOOTH, EXPANSION_RIGHT, EXPANSION_LEFT, SAME_NU, ADMISSIBLE, COEFFICIENTS, DERIVATIVES),
    "mu_k ~ (c_1 + (-1)^k c_-1) C(d, nu) k^(-d-2nu+1) for each parity whose constant is not zero, and "
    "mu_k = o(k^(-d-2nu+1)) for the others",
    r"\mu_k \sim \left(c_1 + (-1)^k c_{-1}\right) C(d,\nu)\, k^{-d-2\nu+1}",
    BIETTI_BACH,
    _nu_rate,
)

LOGARITHMIC = Theorem(
    "decay with logarithms",
    "Decay of the eigenvalues when the leading term carries a logarithm (docs/spectrum.md, Theorem 2)",
    (SMOOTH, SERIES_RIGHT, SERIES_LEFT, LOGARITHM, PARITIES, DERIVATIVES),
    "mu_k ~ (a_1 + (-1)^k a_-1) D k^(-d-2nu+1) (log k)^m for each parity whose factor a_1 +- a_-1 is not zero, with "
    "m = j and D = (-2)^j C(d, nu) for nu not whole, and m = j - 1 and D = j (-2)^(j-1) times the derivative of "
    "C(d, nu) in nu for whole nu; mu_k = o(k^(-d-2nu+1) (log k)^m) for the others",
    r"\mu_k \sim \left(a_1 + (-1)^k a_{-1}\right) D(d,\nu,j)\, k^{-d-2\nu+1} (\log k)^m",
    WONG,
    _nu_rate,
)

# ------------------------------------------------------------------------------------------- smooth kernels


def _smooth_up_to(at: int) -> Hypothesis:
    def decide(case: Case) -> Verdict:
        found = case.end(at)
        if case.singularities.analytic is Truth.TRUE:
            return Verdict(PROVED, "kappa is analytic on [-1, 1]")
        if flat_at_both_ends(case.kernel):
            flat = " but for flat terms such as exp(-1/t)" if flat_terms(case.kernel) else ""
            return Verdict(PROVED, f"analytic up to both ends{flat}")
        if isinstance(found, AsymptokError):
            return Verdict(REFUTED if case.refutes(at) else UNKNOWN, str(found))
        if found.nu is not None:
            return Verdict(REFUTED, f"the expansion at {at:+d} has the term t^({sstr(found.nu)})")
        return Verdict(
            SUPPORTED, f"no non-polynomial term up to t^{found.order}; the others were not looked at"
        )

    return Hypothesis(
        f"smooth at {at:+d}",
        f"kappa is C-infinity up to u = {at}",
        rf"\kappa \text{{ is }} C^\infty \text{{ up to }} u = {at}",
        decide,
    )


SMOOTH_CLAUSE = Theorem(
    "smooth",
    "Smooth kernels (second part of Theorem 1)",
    (SMOOTH, _smooth_up_to(1), _smooth_up_to(-1)),
    "mu_k = O(k^-N) for every N",
    r"\mu_k = O(k^{-N}) \text{ for every } N",
    BIETTI_BACH,
)


def _analytic(case: Case) -> Verdict:
    found = case.singularities
    if found.analytic is Truth.TRUE:
        rho = found.rho
        if rho is None:
            return Verdict(
                PROVED, "every function inside is analytic at its argument on [-1, 1]; rho is not known"
            )
        return Verdict(
            PROVED, f"rho = {sstr(rho)}" + (f", from u = {sstr(found.nearest[0])}" if found.nearest else "")
        )
    if found.analytic is Truth.FALSE:
        return Verdict(
            REFUTED, found.evidence if found.smooth is Truth.FALSE else "kappa is not analytic at an end"
        )
    return Verdict(UNKNOWN, "analyticity on [-1, 1] was not decided")


ANALYTIC = Theorem(
    "analytic",
    "Analytic kernels decay geometrically",
    (
        Hypothesis(
            "analytic",
            "kappa continues analytically to the ellipse with foci -1, 1 and sum of semi-axes rho > 1",
            r"\kappa \text{ analytic inside the Bernstein ellipse } E_\rho",
            _analytic,
        ),
    ),
    "mu_k = O(r^-k) for every r < rho",
    r"\mu_k = O(r^{-k}) \text{ for every } r < \rho",
    BERNSTEIN,
)

# ---------------------------------------------------------------------------------------- named families


def _member(
    name: str, statement: str, latex: str, family: Callable[[int], Kernel], only: int | None = None
) -> Hypothesis:
    def decide(case: Case) -> Verdict:
        found = network_depth(case, family)
        if found is None:
            return Verdict(
                REFUTED, f"the expression is not a positive multiple of {statement.split(' is ', 1)[-1]}"
            )
        depth, factor = found
        if only is not None and depth != only:
            return Verdict(REFUTED, f"the depth is {depth}, not {only}")
        return Verdict(
            PROVED, f"depth L = {depth}" + ("" if factor == 1 else f", with the factor {sstr(factor)}")
        )

    return Hypothesis(name, statement, latex, decide)


def _family(
    name: str,
    title: str,
    hypothesis: Hypothesis,
    conclusion: str,
    latex: str,
    reference: Reference,
    rate: Callable[[Case], Expr | None],
) -> Theorem:
    return Theorem(name, title, (hypothesis,), conclusion, latex, reference, rate)


def _fixed(exponent: Expr) -> Callable[[Case], Expr | None]:
    return lambda case: exponent


TWO_LAYER_RF = _family(
    "two-layer random features",
    "Two-layer ReLU random features",
    _member("kernel", "kappa is kappa_1", r"\kappa = \kappa_1", networks.random_features, only=2),
    "mu_k = O(k^(-d-2)), and mu_k = 0 for odd k >= 3",
    r"\mu_k = O(k^{-d-2}),\quad \mu_k = 0 \text{ for odd } k \ge 3",
    BIETTI_MAIRAL,
    _fixed(-d - 2),
)
TWO_LAYER_NTK = _family(
    "two-layer NTK",
    "Two-layer ReLU tangent kernel",
    _member(
        "kernel", "kappa is u kappa_0 + kappa_1", r"\kappa = u\,\kappa_0 + \kappa_1", networks.ntk, only=2
    ),
    "mu_k = O(k^-d), and mu_k = 0 for odd k >= 3",
    r"\mu_k = O(k^{-d}),\quad \mu_k = 0 \text{ for odd } k \ge 3",
    BIETTI_MAIRAL,
    _fixed(-d),
)
DEEP_RF = _family(
    "deep random features",
    "ReLU random features of every depth",
    _member(
        "kernel",
        "kappa is the random-feature kernel of depth L >= 2",
        r"\kappa = \kappa_{\mathrm{RF}}^{(L)},\; L \ge 2",
        networks.random_features,
    ),
    "mu_k ~ C(d, L) k^(-d-2), with different constants for even and odd k if L >= 3 (for L = 2 odd k >= 3 give 0)",
    r"\mu_k \sim C(d,L)\, k^{-d-2}",
    BIETTI_BACH,
    _fixed(-d - 2),
)
DEEP_NTK = _family(
    "deep NTK",
    "ReLU tangent kernels of every depth",
    _member(
        "kernel",
        "kappa is the tangent kernel of depth L >= 2",
        r"\kappa = \kappa_{\mathrm{NTK}}^{(L)},\; L \ge 2",
        networks.ntk,
    ),
    "mu_k ~ C(d, L) k^-d, with different constants for even and odd k if L >= 3 (for L = 2 odd k >= 3 give 0)",
    r"\mu_k \sim C(d,L)\, k^{-d}",
    BIETTI_BACH,
    _fixed(-d),
)
STEP = _family(
    "step network",
    "Networks of step units",
    _member(
        "kernel",
        "kappa is kappa_0 iterated L - 1 times, L >= 2",
        r"\kappa = \kappa_0 \circ \dots \circ \kappa_0",
        networks.step_features,
    ),
    "nu = 2^(1-L): mu_k ~ C(d, L) k^(-d-2^(2-L)+1), for even and odd k alike if L >= 3; for L = 2 for odd k only, and "
    "mu_k = 0 for even k >= 2",
    r"\mu_k \sim C(d,L)\, k^{-d-2^{2-L}+1}",
    BIETTI_BACH,
    lambda case: -d + 1 - 2 * Rational(1, 2 ** (_depth(case, networks.step_features) - 1)),
)
STEP_RELU = _family(
    "step layer under ReLU layers",
    "A layer of step units under layers of ReLU units",
    _member(
        "kernel",
        "kappa is kappa_1 o ... o kappa_1 o kappa_0 with L - 2 copies of kappa_1, L >= 2",
        r"\kappa = \kappa_1 \circ \dots \circ \kappa_1 \circ \kappa_0",
        step_under_relu,
    ),
    "nu = 1/2: mu_k ~ C(d, L) k^-d, as for the tangent kernel, with different constants for even and odd k if L >= 3; "
    "for L = 2 for odd k only, and mu_k = 0 for even k >= 2",
    r"\mu_k \sim C(d,L)\, k^{-d}",
    BIETTI_BACH,
    _fixed(-d),
)


def _depth(case: Case, family: Callable[[int], Kernel]) -> int:
    found = network_depth(case, family)
    return found[0] if found is not None else 2


def _is_gamma_exponential(case: Case) -> Verdict:
    found = gamma_exponential(case)
    if found is None:
        return Verdict(REFUTED, "the expression is not of the form a exp(-c (1-u)^(gamma/2)) with a, c > 0")
    a, c, power = found
    text = f"a = {sstr(a)}, c = {sstr(c)}, gamma = {sstr(power)}"
    inside = (case.sign(power), case.sign(2 - power))
    if all(sign.positive for sign in inside):
        return Verdict(PROVED, text)
    outside = any(sign.nonpositive for sign in inside)
    return Verdict(REFUTED if outside else UNKNOWN, f"{text}, which is not known to lie in (0, 2)")


def _gamma_rate(case: Case) -> Expr | None:
    found = gamma_exponential(case)
    return None if found is None else -d - found[2] + 1


GAMMA_EXPONENTIAL = _family(
    "gamma-exponential",
    "Laplace and gamma-exponential kernels",
    Hypothesis(
        "kernel",
        "kappa is a exp(-c (1-u)^(gamma/2)) with a, c > 0 and 0 < gamma < 2",
        r"\kappa = a\, e^{-c (1-u)^{\gamma/2}},\; 0 < \gamma < 2",
        _is_gamma_exponential,
    ),
    "mu_k ~ C(d, gamma, c) k^(-d-gamma+1), for even and odd k alike",
    r"\mu_k \sim C(d,\gamma,c)\, k^{-d-\gamma+1}",
    BIETTI_BACH,
    _gamma_rate,
)

# ------------------------------------------------------------------------------------------------ Taylor


def _taylor_rate(case: Case) -> Expr | None:
    try:
        lead = case.lead
    except AsymptokError:
        return None
    return None if lead is None else -1 - lead[0]


TAYLOR = Theorem(
    "Taylor coefficients",
    "Growth of the Taylor coefficients at 0",
    (SLIT_DISC, EXPANSION_RIGHT, EXPANSION_LEFT, ADMISSIBLE),
    "b_n ~ (c_1 + (-1)^n c_-1) n^(-nu-1)/Gamma(-nu) for each parity of n whose factor c_1 +- c_-1 is not zero, and "
    "b_n = o(n^(-nu-1)) for the others, where kappa = sum b_n u^n",
    r"b_n \sim \frac{c_1 + (-1)^n c_{-1}}{\Gamma(-\nu)}\, n^{-\nu-1}",
    FLAJOLET_ODLYZKO,
    _taylor_rate,
)

POSITIVE = Theorem(
    "positive definite",
    "Positive definite functions on spheres",
    (POSITIVE_DEFINITE,),
    "(x, y) -> kappa(<x, y>) is a positive definite kernel",
    r"\kappa(\langle x, y\rangle) \text{ is positive definite}",
    SCHOENBERG,
)

#: every theorem of this file, in its order
THEOREMS: dict[str, Theorem] = {
    theorem.name: theorem for theorem in list(globals().values()) if isinstance(theorem, Theorem)
}


def _named(name: str) -> Theorem:
    return THEOREMS[name]


# its decision procedures are functions made on the way: a copy is the entry itself
copyreg.pickle(Theorem, lambda theorem: (_named, (theorem.name,)))
