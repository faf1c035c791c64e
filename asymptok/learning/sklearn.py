"""A kernel of this package as a kernel of scikit-learn's Gaussian processes (extra `sklearn`).

It also serves KernelRidge(kernel=...) and SVC(kernel=...), which call it with two matrices of points.
"""

from __future__ import annotations

from functools import lru_cache
from inspect import Parameter, Signature
from math import inf, isfinite
from typing import Any

import numpy as np
from sympy import Rational, Symbol

from asymptok import dag
from asymptok.errors import AsymptokError
from asymptok.kernels.gram import diagonal
from asymptok.kernels.kernel import Kernel, as_kernel

try:
    from sklearn.gaussian_process.kernels import Hyperparameter
    from sklearn.gaussian_process.kernels import Kernel as _Base
except ImportError:
    _Base, Hyperparameter = object, None

__all__ = ["ZonalKernel"]

#: where a parameter without bounds of its own is sought
_BOUNDS = (1e-5, 1e5)


class ZonalKernel(_Base):  # type: ignore[misc]
    """kappa(<x, y>) on the sphere; each parameter of the kernel is a hyperparameter with an exact gradient.

    Values and bounds are given by name, as in ZonalKernel(kernels.laplace("c"), c=2.0, c_bounds=(0.1, 10)); bounds
    "fixed" leave a parameter out of theta. Without a value it is 1, or the middle of its range. Points are put on the
    sphere; with normalize=False points keep their norms, as in Kernel.gram.
    """

    def __new__(cls, kernel: object, *_: object, **__: object) -> ZonalKernel:
        if Hyperparameter is None:
            raise AsymptokError("scikit-learn is not installed: run  pip install asymptok[sklearn]")
        names = tuple(symbol.name for symbol in as_kernel(kernel).parameters)
        return super().__new__(_class_for(names))

    def __init__(self, kernel: object, normalize: bool = True, **parameters: object) -> None:
        self.kernel = kernel
        self.normalize = normalize
        known = {symbol.name: bounds for symbol, bounds in as_kernel(kernel).parameters.items()}
        for name in parameters:
            if name.removesuffix("_bounds") not in known:
                raise AsymptokError(
                    f"{name} is not a parameter of {kernel}: there are {', '.join(known) or 'none'}"
                )
        for name, (low, high) in known.items():
            ends = (float(low), float(high))
            for key, default in ((name, _start(*ends)), (f"{name}_bounds", _search(*ends))):
                given = parameters.get(key)
                setattr(self, key, default if given is None else given)

    def __reduce__(self) -> Any:
        return _restored, (self.get_params(),)

    # ------------------------------------------------------------------ what scikit-learn asks

    @property
    def _names(self) -> tuple[str, ...]:
        return tuple(symbol.name for symbol in as_kernel(self.kernel).parameters)

    @property
    def hyperparameters(self) -> list[Any]:
        """One for each parameter, in alphabetical order; theta is the logarithm of those that are not fixed."""
        return [Hyperparameter(name, "numeric", getattr(self, f"{name}_bounds")) for name in self._names]

    def is_stationary(self) -> bool:
        """A function of the distance on the sphere; not invariant under translations of R^d."""
        return False

    def diag(self, X: object) -> Any:
        """kappa(x, x) for each row."""
        return diagonal(self._filled(), X, self.normalize)

    def __call__(self, X: object, Y: object = None, eval_gradient: bool = False) -> Any:
        """The matrix of X and Y; with `eval_gradient` also its derivatives in theta."""
        filled = self._filled()
        matrix = filled.gram(X, Y, normalize=self.normalize)
        if not eval_gradient:
            return matrix
        if Y is not None:
            raise AsymptokError("the gradient is that of the matrix of X with itself: leave Y out")
        slopes = np.empty((*matrix.shape, self.n_dims))
        for i, name in enumerate(p.name for p in self.hyperparameters if not p.fixed):
            slope = _with_values(_derivative(as_kernel(self.kernel), name), self._values())
            # theta is the logarithm of the parameter: d/dtheta = c d/dc
            slopes[..., i] = float(getattr(self, name)) * slope.gram(X, normalize=self.normalize)
        return matrix, slopes

    def __repr__(self) -> str:
        kernel = as_kernel(self.kernel)
        values = "".join(f", {name}={float(getattr(self, name)):.3g}" for name in self._names)
        return f"ZonalKernel({kernel.name or kernel}{values})"

    # ------------------------------------------------------------------ kernels with numbers

    def _values(self) -> tuple[tuple[str, float], ...]:
        found = []
        for name in self._names:
            value = getattr(self, name)
            try:
                found.append((name, float(value)))
            except (TypeError, ValueError, OverflowError):
                found.append((name, inf))
            if not isfinite(found[-1][1]):
                raise AsymptokError(f"the parameter {name} must be a finite number, not {value!r}")
        return tuple(found)

    def _filled(self) -> Kernel:
        return _with_values(as_kernel(self.kernel), self._values())


@lru_cache(maxsize=64)
def _class_for(names: tuple[str, ...]) -> type:
    """ZonalKernel with these parameters in the signature of its constructor, where scikit-learn looks for them."""

    def start(self: Any, *args: Any, **kwargs: Any) -> None:
        ZonalKernel.__init__(self, *args, **kwargs)

    for name in names:
        if hasattr(ZonalKernel, name) or name in ("kernel", "normalize"):
            raise AsymptokError(
                f"{name} means something else in a kernel of scikit-learn: rename that parameter"
            )
    own = [name for parameter in names for name in (parameter, f"{parameter}_bounds")]
    shown = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in ("self", "kernel")]
    shown += [Parameter("normalize", Parameter.POSITIONAL_OR_KEYWORD, default=True)]
    shown += [Parameter(name, Parameter.KEYWORD_ONLY, default=None) for name in own]
    start.__signature__ = Signature(shown)  # type: ignore[attr-defined]
    return type("ZonalKernel", (ZonalKernel,), {"__init__": start, "__module__": __name__})


def _restored(parameters: dict[str, Any]) -> ZonalKernel:
    return ZonalKernel(**parameters)


@lru_cache(maxsize=64)
def _derivative(kernel: Kernel, name: str) -> Kernel:
    symbol = next(s for s in kernel.parameters if s.name == name)
    try:
        slope = dag.derivative(kernel.expr, symbol)
    except AsymptokError as error:
        raise AsymptokError(
            f"{error}: without a gradient {name} stays fixed, {name}_bounds='fixed'"
        ) from error
    left = dag.free_symbols(slope)
    return Kernel(slope, parameters={s: ends for s, ends in kernel.parameters.items() if s in left})


@lru_cache(maxsize=256)
def _with_values(kernel: Kernel, values: tuple[tuple[str, float], ...]) -> Kernel:
    # a double stands for its binary value, and not for the decimal it prints
    kept: dict[str | Symbol, Rational] = {
        name: Rational(*value.as_integer_ratio())
        for name, value in values
        if name in {symbol.name for symbol in kernel.parameters}
    }
    return kernel.subs(kept) if kept else kernel


def _start(low: float, high: float) -> float:
    """1 if the range allows it, else the middle of its positive part, or of all of it."""
    if low < 1 < high:
        return 1.0
    low = max(low, 0.0) if high > 0 else low
    if isfinite(low) and isfinite(high):
        return (low + high) / 2
    return low + 1.0 if isfinite(low) else high - 1.0


def _search(low: float, high: float) -> str | tuple[float, float]:
    """The part of the open range where scikit-learn looks, by logarithms and so among positive numbers."""
    if high <= 0:
        return "fixed"
    inside = 1e-6 * min(high - low, 1.0)
    return (max(_BOUNDS[0], low + inside), min(_BOUNDS[1], high - inside))
