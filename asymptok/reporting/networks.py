"""The table of activations: nu, the rate of mu_k, and the function space, for a network with one hidden layer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sympy import Rational, Symbol, sstr

from asymptok.kernels import activations, ntk, random_features
from asymptok.laws import Decay, ParityDecay
from asymptok.laws.activations import ActivationLaw, activation_law
from asymptok.laws.derive import decay
from asymptok.progress import each, task
from asymptok.reporting.model import Cell, Column, Content, Inline, Line, Table, cell
from asymptok.show.coefficients import inline
from asymptok.show.formula import Formula, Piece, Word, expression, folded
from asymptok.show.law import rate_line
from asymptok.symbols import d, k

__all__ = ["NAMED", "network_table"]

#: every named activation; those with parameters at the values shown
_SHOWN: dict[str, dict[str, Any]] = {
    "leaky_relu": {"slope": Rational(1, 100)},
    "prelu": {"slope": Rational(1, 4)},
    "relu_power": {"n": 2},
    "elu": {"alpha": 1},
    "celu": {"alpha": 2},
    "hermite": {"n": 3},
    "polynomial": {"coefficients": (1, 1, 1)},
}
NAMED = tuple((name, _SHOWN.get(name, {})) for name in activations.names())


def _word(text: str, latex: str) -> Formula:
    return Formula((Piece("", (Word(text, latex),)),))


_NU = _word("nu", r"\nu")
_COLUMNS = (
    Column("activation", ("activation",)),
    Column("nu", (_NU, " (features)")),
    Column("nu_tangent", (_NU, " (NTK)")),
    Column("even", ("even ", expression(k), " (features)")),
    Column("odd", ("odd ", expression(k), " (features)")),
    Column("space", ("RKHS (features)",)),
)


def network_table(named: Sequence[tuple[str, dict[str, Any]]] = NAMED) -> Table:
    """A row for each activation: what its network with one hidden layer has for kernels.

    >>> print(network_table([("selu", {}), ("tanh", {})]).to_csv().splitlines()[1])
    selu,3/2,1/2,k**(-d - 2),k**(-d - 4),"H^(d/2 + 1) (even), H^(d/2 + 2) (odd)"
    """
    rows = []
    with task("table"):
        for name, parameters in each(named):
            law = activation_law(activations.get(name, **parameters))
            shown = ", ".join(f"{key}={sstr(value)}" for key, value in parameters.items())
            rows.append(_row(f"{name}({shown})" if shown else name, law))
            if name == "relu":
                rows.append(_row("relu (every depth L > 2)", _every_depth()))
    notes = (
        (
            "one hidden layer unless a depth is named, diagonal 1; features: the last is trained, NTK: all are",
        ),
        (
            _word("H^s", "H^s"),
            ": the RKHS on ",
            _word("S^(d-1)", "S^{d-1}"),
            " has the norm of a Sobolev space of order ",
            _word("s", "s"),
            " on that parity",
        ),
    )
    return Table(_COLUMNS, rows, notes=notes)


def _every_depth() -> ActivationLaw:
    """ReLU networks whose depth is a symbol: the exponents do not depend on it."""
    L = Symbol("L", integer=True, positive=True)
    return ActivationLaw("relu", decay(random_features(L)), decay(ntk(L)))


def _row(label: str, law: ActivationLaw) -> tuple[Content, ...]:
    parities = (law.features.even, law.features.odd)
    return (
        label,
        _nu(law.features),
        "none" if law.tangent is None else _nu(law.tangent),
        *(Cell((rate_line(p),)) for p in parities),
        _space(parities),
    )


def _nu(law: Decay) -> Content:
    return "-" if law.nu is None else inline(law.nu)


def _space(parities: tuple[ParityDecay, ParityDecay]) -> Cell:
    """mu_k ~ k^-2s is the norm of H^s on the harmonics of that parity."""
    parts: list[tuple[Line, str]] = []
    for label, parity in zip(("even", "odd"), parities, strict=True):
        if parity.kind == "algebraic":
            s = (-parity.exponent(d) / 2).expand()
            parts.append(((_word(f"H^({sstr(s)})", f"H^{{{folded(s)}}}"),), label))
        elif parity.stretched is not None:
            tau = parity.stretched.tau
            smooth = _word("C-infinity", r"C^\infty")
            strip = _word(f"|Im z| < {sstr(tau)}", rf"|\operatorname{{Im}} z| < {folded(tau)}")
            parts.append(((smooth, ", strip ", strip), label))
        elif parity.kind != "zero":
            parts.append((("analytic functions",), label))
    if not parts:
        return cell("polynomials")
    if len(parts) == 2 and parts[0][0] == parts[1][0]:
        return Cell((parts[0][0],))
    shown: list[Inline] = []
    for space, label in parts:
        shown += [", " if shown else "", *space, f" ({label})"]
    return cell(*shown[1:])
