"""What becomes of a certificate's file that was changed, with a digest that fits."""

from __future__ import annotations

from typing import Any

from asymptok import AsymptokError, Certificate
from asymptok.proofs.files import digest


def is_proved_again(body: dict[str, Any]) -> bool:
    try:
        return Certificate.from_json(body | {"digest": digest(body)}).recheck().holds
    except AsymptokError:
        return False
