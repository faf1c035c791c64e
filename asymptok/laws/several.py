"""The answer of `decay` where the parameters decide which law holds: one law for each case."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr, Piecewise
from sympy.logic.boolalg import Boolean

from asymptok.kernels.kernel import Kernel
from asymptok.laws.results import Decay, ParityDecay
from asymptok.show.cases import cases_html, cases_latex, cases_text
from asymptok.show.preformatted import Preformatted
from asymptok.slots import Slot
from asymptok.symbols import d as dimension

__all__ = ["DecayByCases", "ParityByCases"]

_decay: Slot[..., Decay | DecayByCases] = Slot("decay")


@dataclass(frozen=True)
class ParityByCases:
    """The laws of one parity with the conditions under which they hold."""

    cases: tuple[tuple[Boolean, ParityDecay], ...]

    @property
    def kind(self) -> str:
        """That of all laws, or "by cases"."""
        kinds = {law.kind for _, law in self.cases}
        return kinds.pop() if len(kinds) == 1 else "by cases"

    @property
    def nu(self) -> Expr | None:
        return _piecewise([(law.nu, where) for where, law in self.cases])

    @property
    def coefficient(self) -> Expr | None:
        """c_1 + c_-1 (even) or c_1 - c_-1 (odd) in each case; None where one of them has none."""
        return _piecewise([(law.coefficient, where) for where, law in self.cases])

    def exponent(self, d: object = dimension) -> Expr:
        """The power of k in each case."""
        found = _piecewise([(law.exponent(d), where) for where, law in self.cases])
        assert found is not None
        return found

    def constant(self, d: object = dimension) -> Expr | None:
        """The constant in each case; None where one of them has none."""
        return _piecewise([(law.constant(d), where) for where, law in self.cases])

    def __str__(self) -> str:
        return "; ".join(f"{law} for {where}" for where, law in self.cases)

    __repr__ = __str__


@dataclass(frozen=True, repr=False)
class DecayByCases(Preformatted):
    """Several laws for one kernel: `cases` are pairs of a condition on the parameters and the Decay under it.

    >>> from asymptok import Kernel, decay
    >>> law = decay(Kernel("exp(-sqrt(1-u)) + a*sqrt(1-u)", parameters={"a": (0, 3)}))
    >>> law.even.exponent(), law.subs(a=1).nu, [where for where, _ in law.cases]
    (Piecewise((-d, Ne(a, 1)), (-d - 2, True)), 3/2, [Ne(a, 1), Eq(a, 1)])
    """

    kernel: Kernel
    cases: tuple[tuple[Boolean, Decay], ...]

    @property
    def nu(self) -> Expr | None:
        """The exponent of the theorem as a Piecewise; None where a case has none."""
        return _piecewise([(law.nu, where) for where, law in self.cases])

    @property
    def even(self) -> ParityByCases:
        return ParityByCases(tuple((where, law.even) for where, law in self.cases))

    @property
    def odd(self) -> ParityByCases:
        return ParityByCases(tuple((where, law.odd) for where, law in self.cases))

    def subs(self, *args: object, **values: object) -> Decay | DecayByCases:
        """The law at values, or on narrower ranges, of the parameters: derived anew for them."""
        found: Decay | DecayByCases = _decay(self.kernel.subs(*args, **values))
        return found

    def series(self, k: object, d: object = dimension, terms: int = 3) -> Expr:
        """The first terms of the asymptotic series in each case."""
        found = _piecewise([(law.series(k, d, terms), where) for where, law in self.cases])
        assert found is not None
        return found

    def __str__(self) -> str:
        return cases_text(self)

    __repr__ = __str__

    def _sympystr(self, printer: object) -> str:
        return cases_text(self)

    def _latex(self, printer: object) -> str:
        return cases_latex(self)

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {cases_latex(self)}$"

    def _repr_html_(self) -> str:
        return cases_html(self)


def _piecewise(pieces: list[tuple[Expr | None, Boolean]]) -> Expr | None:
    """The conditions cover the range, so that the last of them need not be asked."""
    known = [(value, where) for value, where in pieces if value is not None]
    if len(known) < len(pieces):
        return None
    return Piecewise(*known[:-1], (known[-1][0], True))
