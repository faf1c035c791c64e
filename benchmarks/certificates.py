"""The table of certificates: k0, a, b, tightness at k = 40 and time, for d = 2, 3, 5, 10.

    python benchmarks/certificates.py [--quick] [--output docs/certificate-table.md]

k0: the enclosures have a relative half-width of at most 5 % for all k >= k0. a, b: a k^p <= mu_k <= b k^p for these k
of every parity with that rate p. Seconds are processor time for all four dimensions together, the analytic part counted
once. Heights, radii and terms are found by the program.
"""

from __future__ import annotations

import argparse
import time
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from pathlib import Path

import mpmath
from sympy import Expr, Rational, sqrt, sstr

from asymptok import Certificate, Kernel, certify, kernels
from asymptok.proofs.decimals import plain

DIMENSIONS = (2, 3, 5, 10)
HEAD = """\
$a\\,k^p \\le \\mu_k \\le b\\,k^p$ is proved for all $k \\ge k_0$ of every parity with the rate $p$; $a$ is rounded
down, $b$ up. From $k_0$ on the enclosures of the single $\\mu_k$ have a relative half-width of at most 5 %; the one at
$k = 40$ is in the last column but one. Seconds are processor time for all four dimensions. Made by
`python benchmarks/certificates.py`."""


def subjects(quick: bool) -> list[tuple[str, Kernel]]:
    """The kernels of the table."""
    depths = (2, 3, 5) if quick else range(2, 11)
    rows = [(f"NTK {depth}", kernels.ntk(depth)) for depth in depths]
    rows += [(f"RF {depth}", kernels.random_features(depth)) for depth in depths]
    rows += [
        ("Laplace", kernels.laplace()),
        ("gamma-exponential 3/2", kernels.gamma_exponential(Rational(3, 2))),
        ("gamma-exponential sqrt(2)", kernels.gamma_exponential(sqrt(2))),
    ]
    orders = (
        Rational(1, 2),
        Rational(1),
        Rational(5, 4),
        sqrt(2),
        Rational(3, 2),
        Rational(2),
        Rational(5, 2),
    )
    rows += [(f"Matern {order}", kernels.matern(order)) for order in orders]
    slope = Rational(1, 10)
    leaky = kernels.arc_cosine(1) * ((1 - slope) ** 2 / 2) + Kernel("u") * slope
    rows += [
        ("leaky ReLU, slope 1/10", leaky),
        ("ReLU with bias", kernels.relu_network(2, 1, 1)),
        ("kappa_0 iterated twice", kernels.step_features(3)),
        ("-log((1-u)/2)", Kernel("-log((1-u)/2)")),
        ("(1-u)^(-1/4)", Kernel("(1-u)**(-1/4)")),
        ("(1-u) log(1-u) + kappa_1", Kernel("(1-u)*log(1-u)") + kernels.arc_cosine(1)),
        ("Matern 1 times NTK 2", kernels.matern(1) * kernels.ntk(2)),
    ]
    return rows


def short(x: mpmath.mpf, rounding: str) -> str:
    """Three digits, rounded in the direction in which a bound stays true."""
    digits = Context(prec=3, rounding=rounding).create_decimal(Decimal(float(x)))
    return plain(f"{digits.normalize():e}").replace("e+", "e")


def exponent(rate: Expr | None) -> str:
    return "-" if rate is None else sstr(rate)


def half_width(found: Certificate, k: int) -> str:
    low, high = found.lower(k), found.upper(k)
    return short((high - low) / (high + low), ROUND_CEILING) if high + low else "0"


def row(name: str, kernel: Kernel) -> str:
    """One row of the table: a line for each dimension in each cell."""
    start = time.process_time()
    found = [certify(kernel, d) for d in DIMENSIONS]
    seconds = time.process_time() - start
    if not all(c.proved for c in found):
        return f"| {name} | not proved: {found[0].reason} | | | | | | {seconds:.1f} |"
    ends = [c.constants or (None, None) for c in found]
    cells = [
        [str(d) for d in DIMENSIONS],
        [str(c.k0) for c in found],
        [exponent(c.rate) for c in found],
        ["-" if a is None else short(a, ROUND_FLOOR) for a, _ in ends],
        ["-" if b is None else short(b, ROUND_CEILING) for _, b in ends],
        [half_width(c, 40) for c in found],
    ]
    return f"| {name} | {' | '.join('<br>'.join(lines) for lines in cells)} | {seconds:.1f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer depths")
    parser.add_argument("--output", type=Path, help="write the table to this file as well")
    options = parser.parse_args()
    lines = [
        "| kernel | d | k0 | p | a | b | half-width at 40 | seconds |",
        "|---|--:|--:|:--|:--|:--|:--|--:|",
    ]
    print("\n".join(lines), flush=True)
    for name, kernel in subjects(options.quick):
        lines.append(row(name, kernel))
        print(lines[-1], flush=True)
    if options.output is not None:
        title = "# Certificates in numbers\n\n*For readers who look for the constants of a known kernel.*"
        options.output.write_text(f"{title}\n\n{HEAD}\n\n" + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
