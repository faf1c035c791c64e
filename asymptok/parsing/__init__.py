"""Text to a SymPy expression, by a whitelist; no part of the text is ever run."""

from asymptok.parsing.expression import parse
from asymptok.parsing.vocabulary import known_constants, known_functions

__all__ = ["known_constants", "known_functions", "parse"]
