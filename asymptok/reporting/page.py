"""report(): everything about one kernel on one HTML page that needs neither network nor script."""

from __future__ import annotations

import re
from html import escape
from os import PathLike
from pathlib import Path

from asymptok.arguments import checked_degree, checked_digits, checked_dimension, write_text
from asymptok.errors import AsymptokError
from asymptok.kernels.kernel import Kernel, as_kernel
from asymptok.patience import computing
from asymptok.progress import share, task
from asymptok.reporting.sections import SECTIONS, Section, heading
from asymptok.reporting.study import DPS, KMAX, SECTION, Study, in_time
from asymptok.reporting.style import STYLE
from asymptok.show.prose import prose_html
from asymptok.spectrum import usual_work
from asymptok.version import __version__

__all__ = ["default_name", "report"]


def report(
    kernel: object,
    d: int,
    path: str | PathLike[str] | None = None,
    *,
    kmax: int = KMAX,
    dps: int = DPS,
    command: str = "",
    source: str = "",
    progress: bool | None = None,
) -> Path:
    """Write one self-contained HTML page about the kernel on the sphere of R^d; the path that was written.

    Without `path` the file is named after the kernel, in the current directory. `command` and `source`
    (a Python expression for the kernel) are shown as the way to make the page again. `progress` as in `eigenvalues`.
    What is not finished within 25 s of processor time for the whole page is left out, and the page says so;
    `with time_limit(seconds):` gives it more.

    >>> import tempfile
    >>> from asymptok import kernels
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = report(kernels.laplace(), 3, Path(folder) / "laplace.html", kmax=8)
    ...     page.name, "no network" in page.read_text(encoding="utf-8")
    ('laplace.html', True)
    """
    kmax, dps = checked_degree(kmax), checked_digits(dps)
    study = Study(as_kernel(kernel), checked_dimension(d), kmax, dps, command, source)
    target = Path(default_name(study.kernel, study.d) if path is None else path)
    if not target.parent.is_dir():
        raise AsymptokError(f"cannot write {target}: there is no folder {target.parent}")  # before the work
    with computing("report", usual_work(kmax, dps)), task("report", progress):
        parts = []
        for i, section in enumerate(SECTIONS):
            with share(i / len(SECTIONS), (i + 1) / len(SECTIONS)):
                parts.append((section.key, section.title, _in_time(section, study)))
    shown = [(key, title, html) for key, title, html in parts if html]
    return write_text(target, _document(study, shown))


def _in_time(section: Section, study: Study) -> str:
    html = in_time(lambda: section.html(study), SECTION)
    return f"<p>{prose_html(str(html))}</p>" if isinstance(html, AsymptokError) else html


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
<h1>{heading(study)}</h1>
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
