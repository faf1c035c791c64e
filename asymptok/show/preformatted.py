"""Results whose text is already laid out: the same in a notebook, word for word or with its formulas set."""

from __future__ import annotations

import re
from html import escape
from typing import Protocol

from asymptok.show.prose import prose_html


class Page(Protocol):
    """What IPython hands to an object that is to show itself."""

    def text(self, text: str, /) -> None: ...


class Preformatted:
    """Mixin: Jupyter shows str(self) in a fixed-width block, IPython shows it as it is."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"

    def _repr_pretty_(self, printer: Page, cycle: bool) -> None:
        printer.text(str(self))


class Prose(Preformatted):
    """Mixin: repr is str, and Jupyter sets the formulas in it."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        # columns of the text are kept apart
        lines = [re.split(" {2,}", line) for line in str(self).splitlines()]
        return "<br>".join("&emsp;".join(map(prose_html, parts)) for parts in lines)
