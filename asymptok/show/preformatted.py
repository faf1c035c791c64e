"""Results whose text is already laid out: the same text in a notebook."""

from __future__ import annotations

from html import escape
from typing import Any


class Preformatted:
    """Mixin: Jupyter shows str(self) in a fixed-width block, IPython shows it as it is."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))
