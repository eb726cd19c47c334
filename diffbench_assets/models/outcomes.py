"""What may be scored at all, the same for every protocol.

Belongs here: the rule that only a completed answer with words in it can earn anything. Does not belong here: how an
answer is read or judged.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def unscored_reason(response: Mapping[str, Any]) -> str | None:
    """Why a row of `schemas.RESPONSES` may not be scored, or None when it may.

    A truncated, empty, refused or failed response earns nothing, not even credit for reporting no difference.
    """
    outcome = response["outcome"]
    if outcome != "completed":
        return f"response: {outcome}"
    return None if (response["text"] or "").strip() else "response: empty"
