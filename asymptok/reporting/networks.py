"""The table of activations: nu, the rate of mu_k, and the function space, for a network with one hidden layer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sympy import Rational, Symbol, sstr

from asymptok.kernels import activations, ntk, random_features
from asymptok.laws import Decay, ParityDecay, decay
from asymptok.networks.laws_of_activations import ActivationLaw, activation_law
from asymptok.reporting.model import Column, Table
from asymptok.symbols import d

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

_COLUMNS = (
    Column("activation", ("activation",)),
    Column("nu", ("nu (features)",)),
    Column("nu_tangent", ("nu (NTK)",)),
    Column("even", ("even k (features)",)),
    Column("odd", ("odd k (features)",)),
    Column("space", ("RKHS (features)",)),
)


def network_table(named: Sequence[tuple[str, dict[str, Any]]] = NAMED) -> Table:
    """A row for each activation: what its network with one hidden layer has for kernels.

    >>> print(network_table([("selu", {}), ("tanh", {})]).to_csv().splitlines()[1])
    selu,3/2,1/2,k^(-d - 2),k^(-d - 4),"H^(d/2 + 1) (even), H^(d/2 + 2) (odd)"
    """
    rows = []
    for name, parameters in named:
        law = activation_law(activations.get(name, **parameters))
        shown = ", ".join(f"{key}={sstr(value)}" for key, value in parameters.items())
        rows.append(_row(f"{name}({shown})" if shown else name, law))
        if name == "relu":
            rows.append(_row("relu (every depth L > 2)", _every_depth()))
    notes = (
        (
            "one hidden layer unless a depth is named, diagonal 1; features: the last is trained, NTK: all are",
        ),
        ("H^s: the RKHS on S^(d-1) has the norm of a Sobolev space of order s on that parity",),
    )
    return Table(_COLUMNS, rows, notes=notes)


def _every_depth() -> ActivationLaw:
    """ReLU networks whose depth is a symbol: the exponents do not depend on it."""
    L = Symbol("L", integer=True, positive=True)
    return ActivationLaw("relu", decay(random_features(L)), decay(ntk(L)))


def _row(label: str, law: ActivationLaw) -> tuple[str, ...]:
    parities = (law.features.even, law.features.odd)
    return (
        label,
        _nu(law.features),
        "none" if law.tangent is None else _nu(law.tangent),
        *(_rate(p) for p in parities),
        _space(parities),
    )


def _nu(law: Decay) -> str:
    return "-" if law.nu is None else sstr(law.nu)


def _rate(parity: ParityDecay) -> str:
    if parity.kind == "algebraic":
        return f"k^({sstr(parity.exponent(d))})"
    if parity.kind == "zero":
        return f"0 from k = {parity.zero_from}"
    if parity.kind == "geometric" and parity.rho is not None:
        return f"({sstr(parity.rho)})^(-k)"
    if parity.stretched is not None:
        return f"exp({sstr(parity.stretched.log_rate)} (1+o(1)))"
    return {"geometric": "geometric", "superpolynomial": "faster than geometric"}.get(
        parity.kind, parity.kind
    )


def _space(parities: tuple[ParityDecay, ParityDecay]) -> str:
    """mu_k ~ k^-2s is the norm of H^s on the harmonics of that parity."""
    parts = []
    for label, parity in zip(("even", "odd"), parities, strict=True):
        if parity.kind == "algebraic":
            parts.append((f"H^({sstr((-parity.exponent(d) / 2).expand())})", label))
        elif parity.stretched is not None:
            parts.append((f"C-infinity, strip |Im z| < {sstr(parity.stretched.tau)}", label))
        elif parity.kind != "zero":
            parts.append(("analytic functions", label))
    if not parts:
        return "polynomials"
    if len(parts) == 2 and parts[0][0] == parts[1][0]:
        return parts[0][0]
    return ", ".join(f"{space} ({label})" for space, label in parts)
