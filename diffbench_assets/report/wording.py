"""How numbers read: percentages, intervals, p-values, tokens, dollars.

Belongs here: number to text, the same in HTML, Markdown and LaTeX. Does not belong here: markup.
"""

from __future__ import annotations

import math

MISSING = "–"
"""What stands where a number is not defined."""

ACCESS = {"proprietary": "Proprietary", "open_weight": "Open weight"}


def percent(share: float | None, digits: int = 1) -> str:
    """0.4725 → 47.2 (the unit stands in the heading)."""
    return MISSING if share is None else f"{100 * share:.{digits}f}"


def span(low: float | None, high: float | None, digits: int = 1) -> str:
    """Ends of an interval of shares, in percent."""
    return MISSING if low is None or high is None else f"{100 * low:.{digits}f}–{100 * high:.{digits}f}"


def points(difference: float | None) -> str:
    """A difference of shares in percentage points, with its sign."""
    if difference is None:
        return MISSING
    shown = f"{100 * difference:+.1f}".replace("-", "−")
    return "0.0" if shown in ("+0.0", "−0.0") else shown


def points_span(low: float | None, high: float | None) -> str:
    return MISSING if low is None or high is None else f"{points(low)} to {points(high)}"


def decimal(value: float | None, digits: int = 2) -> str:
    return MISSING if value is None else f"{value:.{digits}f}".replace("-", "−")


def decimal_span(low: float | None, high: float | None, digits: int = 2) -> str:
    return MISSING if low is None or high is None else f"{decimal(low, digits)} to {decimal(high, digits)}"


def p_value(p: float | None) -> str:
    if p is None:
        return MISSING
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def dollars(value: float | None) -> str:
    """Cents for sums, four digits for the price of a few calls."""
    if value is None:
        return MISSING
    return f"${value:,.2f}" if value >= 1 or value == 0 else f"${value:.4f}"


def count(value: float | None) -> str:
    return MISSING if value is None else f"{round(value):,}"


def seconds(value: float | None) -> str:
    if value is None:
        return MISSING
    return f"{value:.2f} s" if value < 10 else f"{value:.0f} s"


def parameters(billions: float | None) -> str:
    """8 → 8B, 0.135 → 135M."""
    if billions is None or not math.isfinite(billions):
        return MISSING
    return f"{billions:g}B" if billions >= 1 else f"{1000 * billions:g}M"


def plural(n: int, one: str, many: str | None = None) -> str:
    """1, "pair" → 1 pair; 4400, "pair" → 4,400 pairs."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def sentence(name: str) -> str:
    """missed_change → Missed change."""
    words = name.replace("_", " ")
    return words[:1].upper() + words[1:]
