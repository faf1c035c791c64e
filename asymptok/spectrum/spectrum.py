"""The numbers mu_k with their errors, as a table that prints itself."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import escape
from os import PathLike
from typing import Any

import mpmath
import numpy as np
from flint import arb
from mpmath import mpf
from numpy.typing import NDArray

from asymptok.arguments import checked_degree, checked_dimension, whole_number, write_text
from asymptok.errors import AsymptokError
from asymptok.functions.zonal import dimension_of_harmonics
from asymptok.kernels.kernel import Kernel
from asymptok.points import Array
from asymptok.precision import digits_to_bits, flint_precision, mpmath_precision
from asymptok.quantities import midpoint
from asymptok.spectrum.frames import data_frame_class
from asymptok.spectrum.harmonics import harmonic_features
from asymptok.spectrum.plots import plot_spectrum
from asymptok.spectrum.value import Value

_SHOWN = 12
#: degrees without proof that are named
_NAMED = 3


def multiplicity(k: int, d: int) -> int:
    """(2k+d-2)/k binom(k+d-3, d-2), the number of spherical harmonics of degree k on S^(d-1): the degree comes first.

    Swapped arguments give another number; the names k and d keep them apart.

    >>> [multiplicity(k=k, d=3) for k in range(5)], multiplicity(k=7, d=2), multiplicity(k=2, d=7)
    ([1, 3, 5, 7, 9], 2, 27)
    """
    return dimension_of_harmonics(checked_degree(k), checked_dimension(d))


@dataclass(frozen=True, slots=True)
class Spectrum:
    """mu_k of one kernel in one dimension; `spectrum[k]` is an mpf, `spectrum.error(k)` bounds its error.

    >>> from asymptok.spectrum import eigenvalues
    >>> spectrum = eigenvalues("(1 + u)/2", d=3, kmax=2)
    >>> spectrum[0], spectrum[2], spectrum.rigorous
    (mpf('0.5'), mpf('0.0'), True)
    """

    kernel: Kernel
    d: int
    dps: int
    entries: dict[int, Value] = field(repr=False)

    # ------------------------------------------------------------------------------------- numbers

    @property
    def ks(self) -> tuple[int, ...]:
        return tuple(self.entries)

    @property
    def values(self) -> tuple[mpf, ...]:
        """All mu_k in the order of `ks`."""
        return tuple(self[k] for k in self.entries)

    @property
    def rigorous(self) -> bool:
        """Whether every error bound is proved."""
        return all(value.proved for value in self.entries.values())

    def __getitem__(self, k: int) -> mpf:
        """mu_k as an mpf; a slice gives the tuple of those values."""
        if isinstance(k, slice):
            wanted = range(*k.indices(max(self.entries, default=-1) + 1))
            return tuple(self[j] for j in wanted)
        middle = self._entry(k).ball.mid()
        # an mpf carries its own bits: as many as the digits asked for, whatever mp.prec is now
        with mpmath_precision(digits_to_bits(self.dps)):
            return +midpoint(middle)

    def ball(self, k: int) -> arb:
        """The ball (flint.arb) around mu_k."""
        return self._entry(k).ball

    def error(self, k: int) -> mpf:
        """An upper bound on |spectrum[k] - mu_k|, rounding to an mpf included; see `is_proved`."""
        ball = self._entry(k).ball
        distance = abs(ball - arb(self[k])) if not ball.is_exact() or ball != arb(self[k]) else arb(0)
        return midpoint(distance.upper())

    def is_proved(self, k: int) -> bool:
        """Whether error(k) is a theorem (balls) and not an estimate."""
        return self._entry(k).proved

    def method(self, k: int) -> str:
        """The method that gave mu_k."""
        return self._entry(k).method

    def _entry(self, k: int) -> Value:
        k = checked_degree(k)
        if k not in self.entries:
            raise AsymptokError(f"mu_{k} was not computed: ask for it with kmax={k} or ks=[{k}]")
        return self.entries[k]

    def __iter__(self) -> Iterator[tuple[int, mpf]]:
        """Pairs (k, mu_k)."""
        return ((k, self[k]) for k in self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __contains__(self, k: object) -> bool:
        return k in self.entries

    # ------------------------------------------------------------------------------------- the operator

    @property
    def multiplicities(self) -> NDArray[np.object_]:
        """N(d, k) for each degree in `ks`, as an array of integers (of Python's own where 64 bits are too few)."""
        counts = [multiplicity(k, self.d) for k in self.entries]
        return np.array(counts, dtype=np.int64 if max(counts, default=0) < 2**62 else object)

    @property
    def trace(self) -> mpf:
        """sum_k N(d, k) mu_k over the degrees that were computed; over all degrees it would be kappa(1)."""
        with mpmath_precision(digits_to_bits(self.dps)):
            return +midpoint(self._partial(self.ks).mid())

    def tail(self, k: int) -> mpf:
        """kappa(1) - sum_{j <= k} N(d, j) mu_j, the trace of all degrees above k: a proved upper bound, and tight.

        Degrees 0..k must have been computed, with proofs. For the Poisson kernel, mu_k = r^k, with r = 1/2 and d = 2
        the tail is 2 sum_{j > k} r^j = 2^(1-k):

        >>> from asymptok import eigenvalues, kernels
        >>> print(mpmath.nstr(eigenvalues(kernels.poisson("1/2", 2), d=2, kmax=3).tail(2), 25))
        0.5
        """
        bits = digits_to_bits(self.dps)
        with flint_precision(bits + 64):
            above = midpoint(self.tail_ball(k).upper())
        return mpmath.mp.fadd(above, 0, prec=bits, rounding="c")

    def tail_ball(self, k: int) -> arb:
        """The same as a ball around it."""
        degrees = range(checked_degree(k) + 1)
        unproved = [j for j in degrees if not self._entry(j).proved]
        if unproved:
            raise AsymptokError(
                f"mu_{unproved[0]} has an estimated error only: a proved tail needs proved eigenvalues"
            )
        with flint_precision(digits_to_bits(self.dps) + 64):
            digits = self.dps + 15
            top = self.kernel.evaluate(1, digits)
            error = (abs(arb(top)) * arb(10) ** -digits).upper()
            return arb(top) + arb(0, error) - self._partial(degrees)

    def _partial(self, degrees: Iterable[int]) -> arb:
        with flint_precision(digits_to_bits(self.dps) + 64):
            return sum((multiplicity(k, self.d) * self._entry(k).ball for k in degrees), arb(0))

    def expanded(self, n: int) -> Array:
        """The n largest eigenvalues of the integral operator, each mu_k N(d, k) times, as doubles in falling order.

        >>> from asymptok import eigenvalues
        >>> eigenvalues("(1 + u)**2", d=3, kmax=4).expanded(5)
        array([1.33333333, 0.66666667, 0.66666667, 0.66666667, 0.13333333])
        """
        n = whole_number(n, "number of eigenvalues")
        if self.ks != tuple(range(len(self))):
            raise AsymptokError(
                "the largest eigenvalues are found among all degrees: compute them with kmax=..."
            )
        pairs = sorted(((float(mu), multiplicity(k, self.d)) for k, mu in self), reverse=True)
        result = np.repeat([mu for mu, _ in pairs], [min(count, n) for _, count in pairs])[:n]
        # a degree that was not computed could belong here as well: the last two of them stand at the border
        if len(result) < n or (result[-1] != 0 and result[-1] < max(float(mu) for mu in self.values[-2:])):
            raise AsymptokError(
                f"the first {n} eigenvalues reach beyond degree {len(self) - 1}: ask for a larger kmax"
            )
        return result

    def features(self, X: object) -> Array:
        """Phi with Phi Phi^T = sum_k mu_k N(d, k) P_k(<x, y>) over the degrees computed, N(d, k) columns for each.

        The rows of X are points of the sphere. An orthonormal basis of each degree comes from zonal functions around
        fixed points; degrees with mu_k = 0 have no columns.

        >>> from asymptok import eigenvalues
        >>> phi = eigenvalues("(1 + u)**2", d=3, kmax=2).features(np.eye(3))
        >>> phi.shape, bool(np.allclose(phi @ phi.T, 1 + 3 * np.eye(3)))
        ((3, 9), True)
        """
        return harmonic_features({k: float(mu) for k, mu in self}, self.d, X)

    # ------------------------------------------------------------------------------------- export

    def to_numpy(self) -> Array:
        """The values in double precision, in the order of `ks`; below 1e-308 they are 0, see log()."""
        return np.array([float(value) for value in self.values])

    def log(self) -> Array:
        """log |mu_k| as doubles, in the order of `ks`, of values that are no doubles too; -oo for mu_k = 0.

        >>> from asymptok import eigenvalues, kernels
        >>> spectrum = eigenvalues(kernels.exponential(), d=3072, ks=[100])
        >>> spectrum.to_numpy(), (spectrum.log() + spectrum.log_multiplicities()).round(6)
        (array([0.]), array([-365.30124]))
        """
        with mpmath_precision(digits_to_bits(self.dps)):
            return np.array([float(mpmath.log(abs(mu))) if mu else -np.inf for mu in self.values])

    def log_multiplicities(self) -> Array:
        """log N(d, k) as doubles, for counts beyond 1e308 too."""
        return np.array([math.log(multiplicity(k, self.d)) for k in self.entries])

    def rows(self) -> list[tuple[int, str, str, int, str, bool]]:
        """k, mu_k, error, multiplicity, method, proved."""
        table = []
        for k, value in self:
            error = self.error(k)
            table.append(
                (
                    k,
                    mpmath.nstr(value, self.dps) if value else "0",
                    mpmath.nstr(error, 3) if error else "0",
                    multiplicity(k, self.d),
                    self.method(k),
                    self.is_proved(k),
                )
            )
        return table

    def to_csv(self, path: str | PathLike[str] | None = None) -> str:
        """Comma-separated k, mu, error, multiplicity, method, proved; written to `path` if given."""
        buffer = io.StringIO()
        writer = csv.writer(buffer, lineterminator="\n")
        writer.writerow(("k", "mu", "error", "multiplicity", "method", "proved"))
        writer.writerows(self.rows())
        if path is not None:
            write_text(path, buffer.getvalue())
        return buffer.getvalue()

    def to_pandas(self) -> Any:
        """A pandas DataFrame with the columns of to_csv(), numbers as doubles (needs pandas)."""
        names = ("k", "mu", "error", "multiplicity", "method", "proved")
        rows = [(k, float(mu), float(error), *rest) for k, mu, error, *rest in self.rows()]
        return data_frame_class()(rows, columns=list(names))

    def plot(self) -> Any:
        """|mu_k| against k with the predicted decay, as a matplotlib Figure (needs asymptok[plot])."""
        return plot_spectrum(self)

    # ------------------------------------------------------------------------------------- display

    def __str__(self) -> str:
        rows = [(str(k), mu, error, method) for k, mu, error, _, method, _ in self._shown_rows()]
        table = [("k", "mu_k", "error", "method"), *rows]
        widths = [max(len(row[i]) for row in table) for i in range(4)]
        lines = [self._title()]
        lines += [
            "  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in table
        ]
        if len(self) > len(rows):
            lines.append(f"... {len(self) - len(rows)} more")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<{self._title()}>"

    def _title(self) -> str:
        name = getattr(self.kernel, "name", None) or str(getattr(self.kernel, "expr", self.kernel))
        grade = "proved" if self.rigorous else f"errors partly estimated ({self._estimated()})"
        count = f"k = {min(self.entries)}..{max(self.entries)}" if self.entries else "empty"
        return f"Spectrum of {name}, d = {self.d}, {count}, {self.dps} digits, {grade}"

    def _estimated(self) -> str:
        """Which degrees have no proof."""
        open_ = [k for k, value in self.entries.items() if not value.proved]
        listed = ", ".join(map(str, open_[:_NAMED]))
        return f"k = {listed}" if len(open_) <= _NAMED else f"k = {listed} and {len(open_) - _NAMED} more"

    def _shown_rows(self) -> list[tuple[int, str, str, int, str, bool]]:
        return Spectrum(self.kernel, self.d, self.dps, dict(list(self.entries.items())[:_SHOWN])).rows()

    def _repr_html_(self) -> str:
        head = (
            "<tr><th>k</th><th>&mu;<sub>k</sub></th><th>error</th><th>multiplicity</th><th>method</th></tr>"
        )
        body = "".join(
            f"<tr><td>{k}</td><td><code>{mu}</code></td><td>{error}</td><td>{n}</td>"
            f"<td>{escape(method)}{'' if proved else ' (estimate)'}</td></tr>"
            for k, mu, error, n, method, proved in self._shown_rows()
        )
        more = f"<p>{len(self) - _SHOWN} more</p>" if len(self) > _SHOWN else ""
        return (
            f"<p>{escape(self._title())}</p><table><thead>{head}</thead><tbody>{body}</tbody></table>{more}"
        )
