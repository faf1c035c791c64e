"""The command line: asymptok expand, decay, eigenvalues, check, verify, table, report, kernels."""

from __future__ import annotations

from asymptok.cli.main import main

__all__ = ["main"]
