"""What the decay of the eigenvalues means for functions, features and learning on S^(d-1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from html import escape

from sympy import Expr, Min, S, Symbol, ceiling, factorial, log, oo, sstr, sympify

from asymptok.arguments import symbolic_dimension
from asymptok.constants.sphere import gamma_of
from asymptok.errors import AsymptokError, Impossible
from asymptok.kernels.given_form import given_nodes
from asymptok.kernels.kernel import Kernel, as_kernel
from asymptok.laws import Decay
from asymptok.laws.derive import decay
from asymptok.laws.orders import Order, order_of, slower_first
from asymptok.meaning.feature_map import Entry, holder_entries
from asymptok.parameters import conditions, exact_number
from asymptok.patience import OutOfTime, Portion, question
from asymptok.show.formula import to_latex
from asymptok.show.kernel import kernel_label
from asymptok.show.naming import named
from asymptok.show.prose import prose_html
from asymptok.symbols import d as dimension
from asymptok.theorems import Condition, check
from asymptok.theorems.catalogue import POSITIVE
from asymptok.truth import PROVED, REFUTED

__all__ = ["Consequences", "Entry", "consequences"]

#: the share of the time for a question that positive definiteness may take
_SHARE = 0.5


@dataclass(frozen=True)
class Consequences:
    """What the decay says, one entry for each question; iterating gives pairs (name, entry).

    Everything rests on `positive_definite`, a condition with its status and evidence: where it is not proved, all that
    is said holds if the kernel is positive definite.
    """

    kernel: Kernel
    d: Expr
    space: str
    sobolev_order: Entry
    matern_smoothness: Entry
    rkhs_smoothness: Entry
    holder_exponent: Entry
    holder_constant: Entry
    holder_supremum: Entry
    index_decay: Entry
    index_constant: Entry
    effective_dimension: Entry
    krr_rate: Entry
    lipschitz_approximation: Entry
    positive_definite: Condition
    #: only where the smoothness of the target was given
    target_rate: Entry | None = None

    def __iter__(self) -> Iterator[tuple[str, Entry]]:
        for item in fields(self):
            value = getattr(self, item.name)
            if isinstance(value, Entry):
                yield item.name, value

    @property
    def _heading(self) -> str:
        where = f"d = {self.d}" if self.d.is_number else "every d"
        return f"{kernel_label(self.kernel)}, {where}: {self.space}"

    def __repr__(self) -> str:
        width = max(len(name) for name, _ in self)
        gate = self.positive_definite
        lines = [
            self._heading,
            f"positive definite: {gate.status} ({gate.evidence})",
        ]
        for name, entry in self:
            shown = "-" if entry.value is None else sstr(entry.value)
            lines.append(f"{name.replace('_', ' ').ljust(width)}  {shown}   ({entry.statement})")
        return "\n".join(lines)

    __str__ = __repr__

    def _latex(self, printer: object) -> str:
        rows = [
            rf"\text{{{name.replace('_', ' ')}}} & {to_latex(named(entry.value))}"
            for name, entry in self
            if entry.value is not None
        ]
        ranges = conditions(self.kernel.parameters, to_latex, r"\le", r"\ge")
        rows += [rf"\text{{for}} & {ranges}"] if ranges else []
        return r"\begin{array}{ll}" + r" \\ ".join(rows) + r"\end{array}"

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self._latex(None)}$"

    def _repr_html_(self) -> str:
        left = 'style="text-align:left"'
        rows = "".join(
            f"<tr><th {left}>{escape(_TITLES.get(name, name.replace('_', ' ')))}</th>"
            f"<td {left}>{'' if entry.value is None else '$' + to_latex(named(entry.value)) + '$'}</td>"
            f"<td {left}>{prose_html(entry.statement)}<br><small>{prose_html(entry.reason)}</small></td></tr>"
            for name, entry in self
        )
        gate = f"positive definite: {self.positive_definite.status}"
        caption = prose_html(f"{self._heading} ({gate})")
        return f"<table><caption {left}><strong>{caption}</strong></caption>{rows}</table>"


_TITLES = {
    "sobolev_order": "Sobolev order",
    "matern_smoothness": "Mat\u00e9rn smoothness",
    "rkhs_smoothness": "smoothness for the RKHS",
    "holder_exponent": "H\u00f6lder exponent",
    "holder_constant": "H\u00f6lder constant",
    "holder_supremum": "H\u00f6lder supremum",
    "krr_rate": "rate of ridge regression",
    "lipschitz_approximation": "approximation of Lipschitz functions",
}


@question
def consequences(
    kernel: Kernel | Expr | str, d: Symbol | int = dimension, target_smoothness: object = None
) -> Consequences:
    """Sobolev order s = nu + (d-1)/2 of the RKHS, and what follows from it and from the expansion at u = 1.

    `target_smoothness` is the order r > 0 of a Sobolev space H^r that holds the target of a regression: `target_rate`
    is then the rate of kernel ridge regression with the best ridge. It grows with r up to r = 2s, where ridge
    regression saturates.

    >>> from asymptok import kernels
    >>> found = consequences(kernels.ntk(3))
    >>> found.sobolev_order.value, found.holder_exponent.value, found.holder_constant.value
    (d/2, 1/2, sqrt(6)/sqrt(pi))
    >>> found.krr_rate.value
    -d/(2*d - 1)
    >>> consequences(kernels.random_features(3), 3).holder_exponent.value
    1
    >>> [consequences(kernels.laplace(), 3, target_smoothness=r).target_rate.value for r in (1, 3, 10)]
    [-1/2, -3/4, -3/4]
    """
    found = _consequences(kernel, d)
    if target_smoothness is None:
        return found
    return replace(
        found, target_rate=_target_rate(found, exact_number(target_smoothness, "target_smoothness"))
    )


def _target_rate(found: Consequences, r: Expr) -> Entry:
    """A source condition f = T^(r/(2s)) g: the bias at ridge l is l^(r/s) up to r = 2s, the variance N(l)/n."""
    if not r.is_positive:
        raise AsymptokError(f"the smoothness of a target is a positive number, not {r}")
    s, d = found.sobolev_order.value, found.d
    reason = "bias l^(r/s), at best l^2, against variance l^(-(d-1)/(2s))/n: the best ridge l balances them"
    if s is None or s is oo:
        return Entry(None, "no power law", "the eigenvalues are smaller than every power of k")
    if found.matern_smoothness.value is None:
        return Entry(None, "no single rate: even and odd degrees have different orders", reason)
    used = Min(r, 2 * s)
    saturated = (r - 2 * s).is_positive
    limit = f"; saturated: a target smoother than H^({sstr(2 * s)}) gains nothing" if saturated else ""
    return Entry(
        -2 * used / (2 * used + d - 1),
        f"rate n^p of the squared L2 error of kernel ridge regression for targets in H^({sstr(r)}){limit}",
        reason,
    )


def _consequences(kernel: Kernel | Expr | str, d: Symbol | int) -> Consequences:
    """What follows from the kernel alone."""
    kernel = as_kernel(kernel)
    dim = symbolic_dimension(d)
    law = decay(kernel)
    sides = [side for parity in (law.even, law.odd) if (side := order_of(parity, kernel, dim)) is not None]
    gate = _gate(kernel, dim)
    given = Entry(None, "not known", "the kernel is given by its eigenvalues, and has no expansion at u = 1")
    feature = (given,) * 3 if given_nodes(kernel.expr) else holder_entries(kernel, law)
    if not sides:
        return _without_powers(kernel, dim, law, feature, gate)
    # The larger eigenvalues decide: the parity with the smaller nu.
    slow, fast = slower_first(sides, kernel)
    s, needed = slow.nu + (dim - 1) / 2, fast.nu + (dim - 1) / 2
    space = _provided(gate, law) + _space(law, sides, dim)
    up_to = f" up to the factor {_log('k', slow.log_power)}" if slow.log_power else ""
    who, j = _adjective(sides), slow.log_power
    q = (dim - 1) / (2 * s)
    return Consequences(
        kernel,
        dim,
        space,
        Entry(
            s,
            space + up_to,
            "mu_k is of the order k^(-2s), and H^s has the norm sum max(k, 1)^(2s) |f_k|^2; degrees with mu_k = 0 are "
            "missing",
        ),
        _matern(sides, who, up_to),
        Entry(
            needed,
            f"{'an ' + who if who else 'a '}function with bounded derivatives up to this order, rounded up to "
            f"{sstr(ceiling(needed))}, lies in the RKHS",
            "H^m is contained in H^s for every m >= s; degrees with mu_k = 0 excepted",
        ),
        *feature,
        Entry(
            -1 / q,
            f"the n-th eigenvalue, with multiplicity, is of the order n^p, p this value{_times(_log('n', j))}",
            "about 2 k^(d-1)/(d-1)! eigenvalues have degree <= k",
        ),
        _index_constant(sides, dim, s),
        Entry(
            -q,
            f"the effective dimension at ridge l is of the order l^p, p this value{_times(_log('(1/l)', j * q))}",
            "the sum of l_n/(l_n + l) with l_n ~ b n^(-1/q), q = -p < 1, is ~ (b/l)^q pi q/sin(pi q)"
            + ("; a factor (log n)^j of l_n enters with the power q" if j else ""),
        ),
        Entry(
            -2 * s / (2 * s + dim - 1),
            f"minimax rate n^p, p this value,{_times(_log('n', j * q / (1 + q)))} of the squared L2 error of kernel "
            "ridge regression for targets in the RKHS",
            "eigenvalues n^(-b) with b = 2s/(d-1) give n^(-b/(b+1))"
            + ("; with logarithms l = N(l)/n is solved for l" if j else ""),
        ),
        _lipschitz(needed, who),
        gate,
    )


def _log(of: str, power: Expr | int) -> str:
    """(log n)^power, empty for 0."""
    power = sympify(power)
    if power == 0:
        return ""
    name = f"log{of}" if of.startswith("(") else f"log {of}"
    return f"({name})" if power == 1 else f"({name})^({sstr(power)})"


def _times(factor: str) -> str:
    return f" {factor}" if factor else ""


# the gate --------------------------------------------------------------------------------------------------


def _gate(kernel: Kernel, d: Expr) -> Condition:
    """Whether kappa is positive definite; a refutation ends it. For a symbol d all dimensions are meant."""
    report = None
    with Portion(_SHARE):
        report = check(kernel, d if d.is_number else oo, theorem=POSITIVE)
    if report is None:
        raise OutOfTime("whether it is positive definite")
    found = report["positive definite"]
    if found.status == REFUTED:
        where = f"on the sphere of R^{d}" if d.is_number else "in every dimension (give d for a single one)"
        raise Impossible(
            f"{kernel} is not positive definite {where}, and has no RKHS there: {found.evidence}"
        )
    return found


def _provided(gate: Condition, law: Decay) -> str:
    """What everything rests on and was not proved."""
    definite = "" if gate.status == PROVED else f"if positive definite ({gate.status}), "
    return definite + ("if smooth between its known singular points (not proved), " if law.assumes else "")


# spaces --------------------------------------------------------------------------------------------------


def _matern(sides: list[Order], who: str, up_to: str) -> Entry:
    """One smoothness, if both parities share it."""
    reason = "restricting H^(nu+d/2)(R^d) to the sphere costs half an order: H^(nu+(d-1)/2)(S^(d-1))"
    if len(sides) == 2 and (sides[0].nu, sides[0].log_power) != (sides[1].nu, sides[1].log_power):
        each = ", ".join(
            f"{sstr(side.nu)}{_times(_log('k', side.log_power))} for {side.parity} functions"
            for side in sides
        )
        return Entry(None, f"no single smoothness: {each}", reason)
    return Entry(sides[0].nu, f"{who}functions of a Matern kernel of this smoothness{up_to}", reason)


def _space(law: Decay, sides: list[Order], d: Expr) -> str:
    """The RKHS in words."""
    known = {side.parity: side for side in sides}
    parts = []
    for parity in (law.even, law.odd):
        if parity.parity in known:
            parts.append(f"H^({sstr(known[parity.parity].nu + (d - 1) / 2)})")
        elif parity.zero_from is not None:
            parts.append(f"degrees below {parity.zero_from}" if parity.zero_from > 1 else "no function but 0")
        else:
            parts.append(f"functions smoother than any H^s ({parity.kind})")
    if parts[0] == parts[1]:
        return f"RKHS = {parts[0]}"
    return f"RKHS: {parts[0]} for even functions, {parts[1]} for odd ones"


def _adjective(sides: list[Order]) -> str:
    """The parity that a statement is about, if it is one only."""
    return "" if len(sides) == 2 else f"{sides[0].parity} "


# rates -----------------------------------------------------------------------------------------------------


def _index_constant(sides: list[Order], d: Expr, s: Expr) -> Entry:
    """docs/spectrum.md, eq. (14): count the k with a k^(-2s) > l for each parity."""
    q = (d - 1) / (2 * s)
    total: Expr = S.Zero
    for side in sides:
        if side.nu + (d - 1) / 2 != s:
            continue
        if side.log_power:
            return Entry(None, "no constant: the law has a logarithm", "the counting function is not a power")
        if side.constant is None:
            return Entry(
                None, "no constant: the eigenvalues oscillate", "mu_k lies between two multiples of a power"
            )
        total += side.constant**q
    return Entry(
        (total / _factorial(d - 1)) ** (1 / q),
        "the n-th eigenvalue is ~ constant n^p",
        "k^(d-1)/(d-1)! eigenvalues of each parity have degree <= k",
    )


def _factorial(n: Expr) -> Expr:
    return gamma_of(n + 1) if n.is_number else factorial(n)


def _lipschitz(s: Expr, who: str) -> Entry:
    reason = (
        "smoothing at scale r leaves an error of order eta r and a norm of order eta r^(1-s); the supremum norm costs "
        "a logarithm (Bietti & Mairal 2019 for two layers, where s = d/2)"
    )
    gap = s - 1
    if gap.is_number and gap <= 0:
        return Entry(
            S.Zero,
            f"{who}Lipschitz functions lie in the RKHS",
            "Lipschitz functions are in H^1, and s <= 1; degrees with mu_k = 0 excepted",
        )
    condition = "" if gap.is_positive else f" (where s > 1, that is {sstr(gap)} > 0)"
    return Entry(
        -1 / gap,
        f"an {who}f with |f| <= eta that is eta-Lipschitz is approximated by g of norm <= delta to eta (delta/eta)^p "
        f"log(delta/eta), up to a constant{condition}",
        reason,
    )


def _without_powers(
    kernel: Kernel, d: Expr, law: Decay, feature: tuple[Entry, Entry, Entry], gate: Condition
) -> Consequences:
    """Zero, geometric or faster: what remains true."""
    kinds = {law.even.kind, law.odd.kind}
    space = _provided(gate, law) + _space(law, [], d)
    finite = kinds == {"zero"}
    reason = "finite rank" if finite else "the eigenvalues are smaller than every power of k"
    none = Entry(None, "no power law", reason)
    index, effective = none, none
    rho = _rate(law)
    if rho is not None:
        per_degree = log(rho) * (_factorial(d - 1) / 2) ** (1 / (d - 1))
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
    analytic = all(p.kind in ("zero", "geometric") or p.rho is oo for p in (law.even, law.odd))
    logs = " up to powers of log n" if analytic else " up to factors smaller than every power of n"
    logs = "" if finite else logs
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
        gate,
    )


def _rate(law: Decay) -> Expr | None:
    """rho of the slower parity."""
    rhos = [p.rho for p in (law.even, law.odd) if p.kind == "geometric"]
    if not rhos or any(r is None for r in rhos):
        return None
    return rhos[0] if len(rhos) == 1 or rhos[0] == rhos[1] else None
