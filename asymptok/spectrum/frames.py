"""pandas, where it is installed."""

from __future__ import annotations

from typing import Any

from asymptok.errors import AsymptokError

__all__ = ["data_frame_class"]


def data_frame_class() -> Any:
    """pandas.DataFrame, or an error that says how to install it."""
    try:
        import pandas
    except ImportError:
        raise AsymptokError("to_pandas() needs pandas: pip install pandas, or use to_csv()") from None
    return pandas.DataFrame
