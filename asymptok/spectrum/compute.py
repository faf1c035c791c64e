"""eigenvalues(): choose the method, check the question, put the answers together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import sympy
from flint import arb
from sympy import Expr

from asymptok import dag, ways_out
from asymptok.arguments import checked_degree, checked_digits, checked_dimension
from asymptok.atlas.local import Unproved
from asymptok.atlas.ranges import is_bounded
from asymptok.balls import compile_ball
from asymptok.errors import AsymptokError, PrecisionError
from asymptok.functions.zonal import ZonalSeries, ZonalSum
from asymptok.kernels.kernel import as_kernel
from asymptok.kernels.means import Mean
from asymptok.patience import computing
from asymptok.precision import digits_to_bits
from asymptok.progress import share, task
from asymptok.spectrum.asymptotic import asymptotic, where_good
from asymptok.spectrum.closed_forms import closed_form, is_cheap, recognise
from asymptok.spectrum.far import far_eigenvalues
from asymptok.spectrum.integrate import integrate
from asymptok.spectrum.methods import NEAR, SERIES_FROM, Task, by_cost, cost_of, least_cost
from asymptok.spectrum.parity import vanishing
from asymptok.spectrum.reference import reference
from asymptok.spectrum.spectrum import Spectrum
from asymptok.spectrum.value import Value, Values
from asymptok.symbols import u

#: kernel, dimension, degrees, bits, and what is known of a kernel that is a mean of products
Method = Callable[[Expr, int, Sequence[int], int, Mean | None], Values]
#: larger quotients are not cancelled in search of a polynomial
_LARGEST_FRACTION = 200
#: formulas of networks that are searched for a parity which is a polynomial
_LONG = 1000
#: bits of an eigenvalue that is computed only to see that there is one
_FEW_BITS = 20
#: eigenvalues that fit into memory; a degree with which doubles still estimate sizes
_MOST_DEGREES, _LARGEST_DEGREE = 10**7, 10**40


def eigenvalues(
    kernel: object,
    d: int,
    kmax: int | None = None,
    ks: Iterable[int] | int | None = None,
    dps: int = 30,
    method: str = "auto",
    progress: bool | None = None,
) -> Spectrum:
    """mu_k for k = 0..kmax (or for `ks`) to `dps` digits relative to each value, with error bounds.

    The two-layer NTK on the sphere in R^3 has mu_0 = 1/2, mu_1 = 1/3, mu_2 = 5/64 and mu_3 = 0:

    >>> import mpmath
    >>> from asymptok import kernels
    >>> spectrum = eigenvalues(kernels.ntk(2), d=3, kmax=3)
    >>> spectrum[0], spectrum[2], spectrum[3], spectrum.rigorous
    (mpf('0.5'), mpf('0.078125'), mpf('0.0'), True)
    >>> print(mpmath.nstr(spectrum[1], 30))
    0.333333333333333333333333333333

    `method` is "auto" (closed form, else quadrature, and the asymptotic series where it is good enough),
    "closed_form", "quadrature", "asymptotic" or "mpmath" (slow and independent of the others). `progress` is
    shown on a terminal and in a notebook, after a second; False is never, True wherever standard error goes.
    After 25 s of processor time it ends with Undecided (more for more than 500 values, or for more than 50 digits),
    unless `with time_limit(seconds):` gives it more.
    """
    kernel = as_kernel(kernel)
    d = checked_dimension(d)
    degrees = _degrees(kmax, ks)
    dps, method = checked_digits(dps), checked_method(method)
    free = sorted(map(str, dag.free_symbols(kernel.expr) - {u}))
    if free:
        raise AsymptokError(
            f"eigenvalues are numbers, and the kernel still has the parameter{'s' * (len(free) > 1)} "
            f"{', '.join(free)}: give values, for example {ways_out.value(*free, example=1)}"
        )
    bits = digits_to_bits(dps)
    try:
        with computing("eigenvalues", usual_work(len(degrees), dps)), task("eigenvalues", progress):
            compile_ball(kernel.expr, [u])  # says which function is not known, before any work is done
            found = METHODS[method](_reduced(kernel.expr), d, degrees, bits, kernel.mean)
    except Unproved as reason:
        raise AsymptokError(f"the kernel cannot be treated by method {method!r}: {reason}") from reason
    return Spectrum(kernel, d, dps, {k: found[k] for k in degrees})


def usual_work(count: int, dps: int) -> float:
    """How many times the work of 500 values to 50 digits so many values to so many digits are, at least once."""
    return max(1, count / 500) * max(1, dps / 50)


def checked_method(method: object) -> str:
    """The name of a method."""
    if not isinstance(method, str) or method not in METHODS:
        raise AsymptokError(f"unknown method {method!r}: choose from {', '.join(METHODS)}")
    return method


def _reduced(expr: Expr) -> Expr:
    """The polynomial that a rational function is, if it is one: (1-u^2)/(1-u) = 1+u."""
    if expr.is_polynomial(u) or dag.tree_size(expr) > _LARGEST_FRACTION or not expr.is_rational_function(u):
        return expr
    try:
        reduced = sympy.cancel(expr)
    except sympy.PolynomialError:
        return expr
    return reduced if reduced.is_polynomial(u) else expr


def _written_out(expr: Expr) -> Expr:
    """Sums of Gegenbauer polynomials in powers of u: polynomials that the rules of quadrature know."""
    sums = {node: node.polynomial() for node in dag.postorder(expr) if isinstance(node, ZonalSum)}
    return dag.rebuild(expr, sums) if sums else expr


def _degrees(kmax: int | None, ks: Iterable[object] | object) -> list[int]:
    if (kmax is None) == (ks is None):
        raise AsymptokError("give either kmax (all degrees from 0 to kmax) or ks (a list of degrees)")
    if kmax is not None:
        if checked_degree(kmax) > _MOST_DEGREES:
            raise AsymptokError(
                f"kmax = {kmax} asks for too many eigenvalues: list the degrees wanted as ks=[...]"
            )
        return list(range(checked_degree(kmax) + 1))
    if isinstance(ks, str | bytes):
        raise AsymptokError(f"ks must be a list of degrees, not {ks!r}")
    try:
        wanted = list(ks)  # type: ignore[call-overload]
    except TypeError:
        wanted = [ks]  # one degree
    degrees = sorted({checked_degree(k) for k in wanted})
    if len(degrees) > _MOST_DEGREES or (degrees and degrees[-1] > _LARGEST_DEGREE):
        raise AsymptokError(f"eigenvalues() gives at most {_MOST_DEGREES} at a time, up to k = 10^40")
    if not degrees:
        raise AsymptokError("ks is empty: give at least one degree")
    return degrees


# -------------------------------------------------------------------------------------- the methods


def _without_zeros(method: Method) -> Method:
    """Eigenvalues proved zero by symmetry are not computed; a kernel that is not bounded must first be integrable."""

    def run(expr: Expr, d: int, ks: Sequence[int], bits: int, mean: Mean | None) -> Values:
        bound = _limits(expr, mean)
        zero = {k for k in ks if (limit := bound[k % 2]) is not None and k > limit}
        rest = [k for k in ks if k not in zero]
        found = method(expr, d, rest, bits, mean) if rest else {}
        if not zero or mean is not None or is_bounded(expr):
            return found | {k: Value.zero("symmetry") for k in zero}
        # 1/u is odd, and has no eigenvalues all the same: any mu_k that is computed shows that |kappa| is integrable
        seen = found or _quadrature(expr, d, [0], _FEW_BITS, mean)
        proved = any(value.proved for value in seen.values())
        return found | {k: Value(arb(0), proved, "symmetry") for k in zero}

    return run


def _limits(expr: Expr, mean: Mean | None) -> tuple[int | None, int | None]:
    """mu_k = 0 above these even and odd degrees; long formulas of networks have the parity that phi gives them."""
    if mean is None or (not mean.parity and dag.tree_size(expr) <= _LONG):
        return vanishing(expr)
    return (-1 if mean.parity == -1 else None), (-1 if mean.parity == 1 else None)


def _closed_form(expr: Expr, d: int, ks: Sequence[int], bits: int, _: Mean | None) -> Values:
    found = closed_form(expr, d, ks, bits)
    if found is None:
        raise AsymptokError(
            "no closed form is known for this kernel: use "
            f"{ways_out.method('auto')} or {ways_out.method('quadrature')} "
            "(known: polynomials, arc-cosine kernels, powers of 1-u and 1+u, exponentials, powers of a+bu, "
            "their sums and products with powers of u)"
        )
    return found


def _quadrature(expr: Expr, d: int, ks: Sequence[int], bits: int, mean: Mean | None) -> Values:
    """Gauss-Legendre on one ellipse; on panels where there are kinks, narrow features or singular points."""
    if any(isinstance(node, ZonalSeries) for node in dag.postorder(expr)):
        raise AsymptokError(
            "eigenvalues that are given stay known in sums and in products with numbers and powers of u, in their "
            "dimension; those of other expressions of such a kernel are not proved: use "
            f"{ways_out.method('mpmath')}, or cut the kernel with from_eigenvalues(..., degree=...)"
        )
    return integrate(_written_out(expr), d, ks, bits, mean)


def _auto(expr: Expr, d: int, ks: Sequence[int], bits: int, mean: Mean | None) -> Values:
    known = by_cost(Task(expr, d, ks, bits, mean), "closed form")
    return (_known(expr, d, ks, bits) if known else {}) or _numeric(expr, d, ks, bits, mean)


def _numeric(expr: Expr, d: int, ks: Sequence[int], bits: int, mean: Mean | None) -> Values:
    found: Values = {}
    rest = list(ks)
    if max(ks) >= SERIES_FROM:
        # the series takes what it can answer to the digits asked for, proved if the contour bounds what it leaves
        # out; quadrature does the rest
        start = NEAR if _by_contour(Task(expr, d, ks, bits, mean)) else SERIES_FROM
        far = [k for k in ks if k >= start]
        with share(0, 0.6):
            found = far_eigenvalues(expr, d, far, bits)
        left = [k for k in far if k not in found and k >= SERIES_FROM]
        found |= _known(expr, d, left, bits) or where_good(expr, d, left, bits)
        rest = [k for k in ks if k not in found]
    if rest:
        found = found | (_known(expr, d, rest, bits) or _quadrature(expr, d, rest, bits, mean))
    return found


def _by_contour(task: Task) -> bool:
    """Whether degrees from NEAR on cost less by the contour, with the others by quadrature, than all by quadrature."""
    near, far = ([k for k in task.ks if (k >= NEAR) == later] for later in (False, True))
    price = cost_of("contour", replace(task, ks=far))
    return price + (least_cost(replace(task, ks=near)) if near else 0) < least_cost(task)


def _known(expr: Expr, d: int, ks: Sequence[int], bits: int) -> Values:
    """All of these by a closed form, or none."""
    if ks and recognise(expr) is not None and is_cheap(expr):
        try:
            return closed_form(expr, d, ks, bits) or {}
        except PrecisionError:
            # heavy cancellation between the summands: integrate instead
            pass
    return {}


def _asymptotic(expr: Expr, d: int, ks: Sequence[int], bits: int, _: Mean | None) -> Values:
    return asymptotic(expr, d, ks, bits)


def _mpmath(expr: Expr, d: int, ks: Sequence[int], bits: int, _: Mean | None) -> Values:
    return reference(_written_out(expr), d, ks, bits)


METHODS: dict[str, Method] = {
    "auto": _without_zeros(_auto),
    "closed_form": _without_zeros(_closed_form),
    "quadrature": _without_zeros(_quadrature),
    "asymptotic": _without_zeros(_asymptotic),
    "mpmath": _mpmath,
}


__all__ = ["eigenvalues"]
