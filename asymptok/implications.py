"""What the decay of the eigenvalues means for functions, features and learning on S^(d-1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from html import escape
from typing import Any

from sympy import Expr, S, ceiling, factorial, latex, log, oo, sqrt, sstr, sympify

from asymptok import dag
from asymptok.asymptotics import Decay, ParityDecay, decay, leading_constant
from asymptok.asymptotics.terms import vanishes
from asymptok.balls import ball
from asymptok.errors import AsymptokError, Undecided
from asymptok.expansion import Term, expand
from asymptok.kernels.kernel import Kernel, as_kernel
from asymptok.series.exact import ExactDomain
from asymptok.series.exponents import Ranges, exponent_from_expr
from asymptok.symbols import d as dimension
from asymptok.symbols import u
from asymptok.truth import Truth

__all__ = ["Consequences", "Entry", "consequences"]


#: a symbolic nu is placed between two whole numbers up to this one
_LARGEST_NU = 64


@dataclass(frozen=True, slots=True)
class Entry:
    """One consequence: its exact value (None where there is none), what it says, and why it holds."""

    value: Expr | None
    statement: str
    reason: str


@dataclass(frozen=True)
class Consequences:
    """What the decay says, one entry for each question; iterating gives pairs (name, entry)."""

    kernel: Kernel
    d: Expr
    space: str
    sobolev_order: Entry
    matern_smoothness: Entry
    rkhs_smoothness: Entry
    holder_exponent: Entry
    holder_constant: Entry
    index_decay: Entry
    index_constant: Entry
    effective_dimension: Entry
    krr_rate: Entry
    lipschitz_approximation: Entry

    def __iter__(self) -> Iterator[tuple[str, Entry]]:
        for item in fields(self):
            value = getattr(self, item.name)
            if isinstance(value, Entry):
                yield item.name, value

    def __repr__(self) -> str:
        width = max(len(name) for name, _ in self)
        lines = [f"{self.kernel.name or self.kernel}, d = {self.d}: {self.space}"]
        for name, entry in self:
            shown = "-" if entry.value is None else sstr(entry.value)
            lines.append(f"{name.replace('_', ' ').ljust(width)}  {shown}   ({entry.statement})")
        return "\n".join(lines)

    __str__ = __repr__

    def _latex(self, printer: Any) -> str:
        rows = [
            rf"\text{{{name.replace('_', ' ')}}} & {latex(entry.value)}"
            for name, entry in self
            if entry.value is not None
        ]
        return r"\begin{array}{ll}" + r" \\ ".join(rows) + r"\end{array}"

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self._latex(None)}$"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{escape(name.replace('_', ' '))}</th>"
            f"<td>{'' if entry.value is None else '$' + latex(entry.value) + '$'}</td>"
            f"<td>{escape(entry.statement)}</td><td><small>{escape(entry.reason)}</small></td></tr>"
            for name, entry in self
        )
        caption = escape(f"{self.kernel.name or self.kernel}: {self.space}")
        return f"<table><caption>{caption}</caption>{rows}</table>"


def consequences(kernel: Kernel | Expr | str, d: Any = dimension) -> Consequences:
    """Sobolev order s = nu + (d-1)/2 of the RKHS, and what follows from it and from the expansion at u = 1.

    >>> from asymptok import kernels
    >>> found = consequences(kernels.ntk(3))
    >>> found.sobolev_order.value, found.holder_exponent.value, found.holder_constant.value
    (d/2, 1/2, sqrt(6)/sqrt(pi))
    >>> found.krr_rate.value
    -d/(2*d - 1)
    >>> consequences(kernels.random_features(3), 3).holder_exponent.value
    1
    """
    kernel = as_kernel(kernel)
    dim = _dimension(d)
    law = decay(kernel)
    for parity in (law.even, law.odd):
        _refuse_indefinite(parity, kernel)
    algebraic = [p for p in (law.even, law.odd) if p.kind == "algebraic"]
    feature = _feature_map(kernel, law)
    if not algebraic:
        return _without_powers(kernel, dim, law, feature)
    # The larger eigenvalues decide: the parity with the smaller nu.
    slow, fast = _ordered(algebraic, kernel)
    assert slow.lead is not None and fast.lead is not None
    s, needed = slow.lead.nu + (dim - 1) / 2, fast.lead.nu + (dim - 1) / 2
    space = _space(law, dim)
    up_to = f" up to the factor (log k)^{slow.log_power}" if slow.log_power else ""
    q = (dim - 1) / (2 * s)
    return Consequences(
        kernel,
        dim,
        space,
        Entry(
            s,
            space + up_to,
            "mu_k is of the order k^(-2s), and H^s has the norm sum k^(2s) |f_k|^2; degrees with mu_k = 0 are missing",
        ),
        Entry(
            slow.lead.nu,
            f"{_adjective(law)}functions of a Matern kernel of this smoothness{up_to}",
            "restricting H^(nu+d/2)(R^d) to the sphere costs half an order: H^(nu+(d-1)/2)(S^(d-1))",
        ),
        Entry(
            needed,
            f"{_article(law)}function with bounded derivatives up to this order, rounded up to "
            f"{sstr(ceiling(needed))}, lies in the RKHS",
            "H^m is contained in H^s for every m >= s",
        ),
        *feature,
        Entry(
            -1 / q,
            f"the n-th eigenvalue, with multiplicity, is of the order n^p{up_to}",
            "about 2 k^(d-1)/(d-1)! eigenvalues have degree <= k",
        ),
        _index_constant(law, dim, s),
        Entry(
            -q,
            f"the effective dimension at regularisation l is of the order l^p{up_to.replace('k', '(1/l)')}",
            "the sum of l_n/(l_n + l) with l_n ~ b n^(-1/q), q = -p < 1, is ~ (b/l)^q pi q/sin(pi q)",
        ),
        Entry(
            -2 * s / (2 * s + dim - 1),
            "minimax rate n^p of the squared L2 error of kernel ridge regression for targets in the RKHS",
            "eigenvalues n^(-b) with b = 2s/(d-1) give n^(-b/(b+1))",
        ),
        _lipschitz(needed, law),
    )


def _dimension(d: Any) -> Expr:
    value = sympify(d)
    if value.is_number and not (value.is_Integer and value >= 2):
        raise AsymptokError(f"the dimension d is an integer >= 2 or a symbol, not {d!r}")
    return value


# signs and cases -------------------------------------------------------------------------------------------


def _refuse_indefinite(law: ParityDecay, kernel: Kernel) -> None:
    """Negative eigenvalues: no RKHS."""
    if law.kind == "oscillatory":
        where = ", ".join(f"u = {p.location}" for p in law.interior)
        signs = (
            "take both signs, so it is not positive definite" if law.lead is None else "follow no single law"
        )
        raise AsymptokError(f"{kernel} is singular inside (-1, 1), at {where}: its eigenvalues {signs}")
    if law.kind == "algebraic" and _sign(law, kernel) == -1:
        raise AsymptokError(
            f"the eigenvalues of {kernel} are negative for all large {law.parity} k: it is not positive definite "
            "and has no RKHS"
        )


def _sign(law: ParityDecay, kernel: Kernel) -> int | None:
    """The sign of the constant, which is the same in every dimension; None if a parameter leaves it open."""
    assert law.lead is not None
    law_constant = leading_constant(3, law.lead.nu, law.lead.log_power)
    coefficient = law.lead.coefficient
    if not (coefficient.free_symbols or law_constant.free_symbols):
        value = ball(coefficient * law_constant, prec=192)
        return 1 if value > 0 else (-1 if value < 0 else None)
    try:
        domain = ExactDomain(Ranges(kernel.parameters))
        sign = domain.sign(domain.constant(coefficient))
    except AsymptokError:
        return None
    outer = _constant_sign(law.lead.nu, law.lead.log_power, kernel)
    return None if sign is None or outer is None else int(sign) * outer


def _constant_sign(nu: Expr, log_power: int, kernel: Kernel) -> int | None:
    """C(d, nu) has the sign of 1/Gamma(-nu), which is (-1)^(floor(nu)+1)."""
    if nu.is_Rational:
        return 1 if ball(leading_constant(3, nu, log_power), prec=64) > 0 else -1
    ranges = Ranges(kernel.parameters)
    form, rest = exponent_from_expr(nu)
    for whole in range(_LARGEST_NU):
        if ranges.sign(form, rest - whole) == 1 and ranges.sign(form, rest - whole - 1) == -1:
            return -1 if (whole + 1 + log_power) % 2 else 1
    return None


def _ordered(laws: list[ParityDecay], kernel: Kernel) -> tuple[ParityDecay, ParityDecay]:
    """The parity that decays more slowly, and the other."""
    if len(laws) == 1:
        return laws[0], laws[0]
    first, second = laws
    difference = first.exponent(dimension) - second.exponent(dimension)
    if vanishes(difference, kernel) is Truth.TRUE:
        return (first, second) if first.log_power >= second.log_power else (second, first)
    if difference.is_positive:
        return first, second
    if difference.is_negative:
        return second, first
    raise Undecided(
        f"cannot tell which parity decays more slowly: the sign of {sstr(difference)} is open", difference
    )


def _space(law: Decay, d: Expr) -> str:
    """The RKHS in words."""
    parts = []
    for parity in (law.even, law.odd):
        if parity.kind == "algebraic":
            assert parity.lead is not None
            parts.append(f"H^({sstr(parity.lead.nu + (d - 1) / 2)})")
        elif parity.zero_from is not None:
            parts.append(f"degrees below {parity.zero_from}" if parity.zero_from > 1 else "no function but 0")
        else:
            parts.append(f"functions smoother than any H^s ({parity.kind})")
    if parts[0] == parts[1]:
        return f"RKHS = {parts[0]}"
    return f"RKHS: {parts[0]} for even functions, {parts[1]} for odd ones"


def _adjective(law: Decay) -> str:
    """The parity that the statement is about, if it is one only."""
    if law.even.kind == law.odd.kind == "algebraic":
        return ""
    return "even " if law.even.kind == "algebraic" else "odd "


def _article(law: Decay) -> str:
    return f"an {_adjective(law)}" if _adjective(law) else "a "


# the feature map -------------------------------------------------------------------------------------------


def _feature_map(kernel: Kernel, law: Decay) -> tuple[Entry, Entry]:
    """|Phi(x)-Phi(y)|^2 = 2 kappa(1) - 2 kappa(1-t) with |x-y|^2 = 2t: the first term after the constant decides."""
    reason = "|Phi(x)-Phi(y)|^2 = 2 kappa(1) - 2 kappa(1-t), |x-y|^2 = 2t, and the expansion at u = 1"
    if law.nu is None:
        # smooth up to the end: the slope there is a derivative, whatever the parameters
        first: Term | None = Term(-dag.rebuild(dag.derivative(kernel.expr, u), {u: S.One}), S.One, 0)
    else:
        terms = expand(kernel, at=1, order=1).terms
        first = next((term for term in terms if term.exponent != 0 or term.log_power), None)
    if first is None or first.coefficient == 0:
        return Entry(S.One, "the feature map is Lipschitz", reason), Entry(
            S.Zero, "its constant vanishes to first order", reason
        )
    e, c = first.exponent, first.coefficient
    if first.log_power:
        return (
            Entry(
                e,
                f"Holder of every order below {sstr(e)}: |x-y|^{sstr(e)} up to a power of log |x-y|",
                reason,
            ),
            Entry(None, "no constant: the logarithm is unbounded", reason),
        )
    name = "Lipschitz" if e == 1 else f"Holder of order {sstr(e)}"
    constant = sqrt(-2 * c / 2**e)
    return (
        Entry(e, f"the feature map is {name}, and no better", reason),
        Entry(constant, f"|Phi(x)-Phi(y)| ~ constant |x-y|^({sstr(e)}) as y -> x", reason),
    )


# rates -----------------------------------------------------------------------------------------------------


def _index_constant(law: Decay, d: Expr, s: Expr) -> Entry:
    """docs/spectrum.md, eq. (14): count the k with a k^(-2s) > l for each parity."""
    q = (d - 1) / (2 * s)
    total: Expr = S.Zero
    for parity in (law.even, law.odd):
        if parity.kind != "algebraic" or parity.lead is None or parity.lead.nu + (d - 1) / 2 != s:
            continue
        if parity.log_power:
            return Entry(None, "no constant: the law has a logarithm", "the counting function is not a power")
        constant = parity.constant(d)
        assert constant is not None
        total += constant**q
    return Entry(
        (total / factorial(d - 1)) ** (1 / q),
        "the n-th eigenvalue is ~ constant n^p",
        "k^(d-1)/(d-1)! eigenvalues of each parity have degree <= k",
    )


def _lipschitz(s: Expr, law: Decay) -> Entry:
    reason = (
        "smoothing at scale r leaves an error of order eta r and a norm of order eta r^(1-s); the supremum norm costs "
        "a logarithm (Bietti & Mairal 2019 for two layers, where s = d/2)"
    )
    gap = s - 1
    if gap.is_number and gap <= 0:
        return Entry(
            S.Zero,
            f"{_adjective(law)}Lipschitz functions lie in the RKHS",
            "Lipschitz functions are in H^1, and s <= 1",
        )
    condition = "" if gap.is_positive else f" (where s > 1, that is {sstr(gap)} > 0)"
    return Entry(
        -1 / gap,
        f"an eta-Lipschitz {_adjective(law)}function is approximated by g of norm <= delta to eta (delta/eta)^p "
        f"log(delta/eta), up to a constant{condition}",
        reason,
    )


def _without_powers(kernel: Kernel, d: Expr, law: Decay, feature: tuple[Entry, Entry]) -> Consequences:
    """Zero, geometric, faster or oscillating: what remains true."""
    kinds = {law.even.kind, law.odd.kind}
    space = _space(law, d)
    finite = kinds == {"zero"}
    reason = "finite rank" if finite else "the eigenvalues are smaller than every power of k"
    none = Entry(None, "no power law", reason)
    index, effective = none, none
    rho = _rate(law)
    if rho is not None:
        per_degree = log(rho) * (factorial(d - 1) / 2) ** (1 / (d - 1))
        index = Entry(
            None,
            f"l_n = O(exp(-c n^(1/(d-1)))) for every c < {sstr(per_degree)}",
            "mu_k = O(r^-k) for r < rho, and k ~ (n (d-1)!/2)^(1/(d-1))",
        )
        effective = Entry(
            S.Zero,
            "grows like a power of log(1/l), at most d - 1",
            "eigenvalues above l have k = O(log(1/l))",
        )
    if finite:
        effective = Entry(S.Zero, "bounded by the rank", reason)
    members = "polynomials of bounded degree" if finite else "functions smoother than any H^s"
    logs = "" if finite else " up to powers of log n"
    return Consequences(
        kernel,
        d,
        space,
        Entry(oo, members, reason),
        Entry(oo, "like a Gaussian kernel, not like a Matern kernel", reason),
        Entry(oo, "no finite number of derivatives is enough", reason),
        *feature,
        index,
        none,
        effective,
        Entry(-S.One, f"n^-1{logs}", "the effective dimension grows more slowly than any power of 1/l"),
        Entry(
            None,
            "no rate in powers of delta",
            "a function of finite smoothness is far from spaces of this kind",
        ),
    )


def _rate(law: Decay) -> Expr | None:
    """rho of the slower parity."""
    rhos = [p.rho for p in (law.even, law.odd) if p.kind == "geometric"]
    if not rhos or any(r is None for r in rhos):
        return None
    return rhos[0] if len(rhos) == 1 or rhos[0] == rhos[1] else None
