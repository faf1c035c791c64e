"""report(): everything about one kernel on one HTML page that needs neither network nor script."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

from asymptok.errors import AsymptokError
from asymptok.expansion import expand
from asymptok.kernels.kernel import Kernel, as_kernel
from asymptok.laws import Decay, decay
from asymptok.meaning.function_space import Consequences, consequences
from asymptok.proofs import Certificate, certify
from asymptok.reporting.style import STYLE
from asymptok.spectrum import Spectrum, eigenvalues
from asymptok.spectrum.spectrum import checked_dimension
from asymptok.theorems import ConditionReport, applicable_theorems, check
from asymptok.verification import Verification, verify
from asymptok.version import __version__

__all__ = ["Study", "default_name", "report"]

_KMAX = 101
_DPS = 20


@dataclass(frozen=True)
class Study:
    """A kernel in a dimension, and what the sections of its page ask for, each computed once."""

    kernel: Kernel
    d: int
    kmax: int = _KMAX
    dps: int = _DPS
    command: str = ""
    source: str = ""
    progress: bool = False

    @property
    def title(self) -> str:
        return self.kernel.name or str(self.kernel)

    @property
    def numeric(self) -> bool:
        """Whether the kernel has no free parameters, so that its eigenvalues are numbers."""
        return not self.kernel.parameters

    def expansion(self, at: int) -> Any:
        return expand(self.kernel, at=at, order=3)

    @cached_property
    def law(self) -> Decay | AsymptokError:
        """The decay, or the reason why there is none."""
        found: Decay | AsymptokError = _or_reason(lambda: decay(self.kernel))
        return found

    @cached_property
    def verdict(self) -> ConditionReport:
        return check(self.kernel, self.d)

    @cached_property
    def theorems(self) -> tuple[ConditionReport, ...]:
        """Every known theorem that is proved to apply."""
        return applicable_theorems(self.kernel, self.d)

    @cached_property
    def certificate(self) -> Certificate | AsymptokError:
        """Bounds for every eigenvalue, or the reason why there are none."""
        found: Certificate | AsymptokError = _or_reason(lambda: certify(self.kernel, self.d))
        return found

    @cached_property
    def meaning(self) -> Consequences | AsymptokError:
        found: Consequences | AsymptokError = _or_reason(lambda: consequences(self.kernel, self.d))
        return found

    @cached_property
    def verification(self) -> Verification | AsymptokError:
        found: Verification | AsymptokError = _or_reason(
            lambda: verify(self.kernel, self.d, kmax=self.kmax, dps=self.dps)
        )
        return found

    @cached_property
    def spectrum(self) -> Spectrum | AsymptokError:
        found: Spectrum | AsymptokError = _or_reason(
            lambda: eigenvalues(self.kernel, self.d, kmax=self.kmax, dps=self.dps, progress=self.progress)
        )
        return found


def _or_reason(compute: Callable[[], Any]) -> Any:
    try:
        return compute()
    except AsymptokError as error:
        return error


def report(
    kernel: Any,
    d: int,
    path: Any = None,
    *,
    kmax: int = _KMAX,
    dps: int = _DPS,
    command: str = "",
    source: str = "",
    progress: bool = False,
) -> Path:
    """Write one self-contained HTML page about the kernel on the sphere of R^d; the path that was written.

    Without `path` the file is named after the kernel, in the current directory. `command` and `source`
    (a Python expression for the kernel) are shown as the way to make the page again.

    >>> import tempfile
    >>> from asymptok import kernels
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = report(kernels.laplace(), 3, Path(folder) / "laplace.html", kmax=8)
    ...     page.name, "no network" in page.read_text(encoding="utf-8")
    ('laplace.html', True)
    """
    from asymptok.reporting.sections import SECTIONS

    study = Study(as_kernel(kernel), checked_dimension(d), kmax, dps, command, source, progress)
    target = Path(default_name(study.kernel, study.d) if path is None else path)
    parts = [(section.key, section.title, section.html(study)) for section in SECTIONS]
    shown = [(key, title, html) for key, title, html in parts if html]
    try:
        target.write_text(_document(study, shown), encoding="utf-8")
    except OSError as error:
        raise AsymptokError(f"cannot write {target}: {error.strerror or error}") from error
    return target


def default_name(kernel: Kernel, d: int) -> str:
    """A file name from the name of the kernel.

    >>> from asymptok import kernels
    >>> default_name(kernels.ntk(3), 3)
    'ntk-depth3-dim3.html'
    """
    text = (kernel.name or str(kernel)).lower()
    text = re.sub(r"\b([a-z]+)( = | )(?=\d)", r"\1", text)
    word = re.sub(r"[^a-z0-9.]+", "-", text).strip("-")[:60].rstrip("-.")
    return f"{word or 'kernel'}-dim{d}.html"


def _document(study: Study, sections: list[tuple[str, str, str]]) -> str:
    title = f"{study.title}, d = {study.d}"
    links = "\n".join(f'<a href="#{key}">{escape(name)}</a>' for key, name, _ in sections)
    body = "\n".join(
        f'<section id="{key}">\n<h2>{escape(name)}</h2>\n{html}\n</section>' for key, name, html in sections
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="asymptok {__version__}">
<title>{escape(title)}</title>
<style>
{STYLE}
</style>
</head>
<body>
<header>
<h1>{escape(study.title)}</h1>
<p class="sub">a dot-product kernel on the unit sphere of R<sup>{study.d}</sup> and the decay of its eigenvalues</p>
<nav aria-label="Sections">
{links}
</nav>
</header>
<main>
{body}
</main>
<footer>Written by asymptok {__version__}. The page is complete in itself: no network, no script.</footer>
</body>
</html>
"""
