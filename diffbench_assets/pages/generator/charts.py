"""Inline SVG charts with drawn data.

Belongs here: area, line and ring charts and sparklines. Does not belong here: charts made of boxes (templates).
"""

from __future__ import annotations

from math import pi

from markupsafe import Markup

from diffbench_assets.pages.dice import Dice


def series(dice: Dice, count: int, low: int = 18, high: int = 92) -> list[int]:
    """A wandering series of `count` values between `low` and `high`."""
    value = dice.number(low, (low + high) // 2)
    values = []
    for _ in range(count):
        values.append(value)
        value = min(high, max(low, value + dice.number(-14, 18)))
    return values


def _points(values: list[int], width: int, height: int) -> list[tuple[int, int]]:
    step = width / (len(values) - 1)
    return [(round(place * step), round(height - value * height / 100)) for place, value in enumerate(values)]


def area(dice: Dice, hue: str, other: str, classes: str = "h-40 w-full") -> Markup:
    """An area chart over a grid, with a second series as a dashed line."""
    main, second = _points(series(dice, 12), 600, 160), _points(series(dice, 12), 600, 160)
    path = " ".join(f"{x},{y}" for x, y in main)
    rival = " ".join(f"{x},{y}" for x, y in second)
    grid = "".join(f'<path d="M0 {y}h600" class="stroke-{hue}-300 opacity-40"/>' for y in (20, 65, 110))
    return Markup(
        f'<svg class="{classes}" viewBox="0 0 600 160" preserveAspectRatio="none" aria-hidden="true">{grid}'
        f'<polygon class="fill-{hue}-500 opacity-15" points="0,160 {path} 600,160"/>'
        f'<polyline class="fill-none stroke-{hue}-500" stroke-width="3" points="{path}"/>'
        f'<polyline class="fill-none stroke-{other}-500" stroke-width="2" stroke-dasharray="6 5" points="{rival}"/>'
        "</svg>"
    )


def spark(dice: Dice, hue: str, classes: str = "h-8 w-24") -> Markup:
    """A sparkline."""
    points = " ".join(f"{x},{y + 2}" for x, y in _points(series(dice, 9, 10, 90), 96, 28))
    return Markup(
        f'<svg class="{classes}" viewBox="0 0 96 32" aria-hidden="true">'
        f'<polyline class="fill-none stroke-{hue}-500" stroke-width="2" points="{points}"/></svg>'
    )


def ring(shares: list[int], hues: list[str], classes: str = "size-36") -> Markup:
    """A ring of shares in per cent, one hue each."""
    around, start, parts = 2 * pi * 42, 0.0, []
    for share, hue in zip(shares, hues, strict=True):
        length = around * share / 100
        parts.append(
            f'<circle cx="60" cy="60" r="42" class="fill-none stroke-{hue}-500" stroke-width="16" '
            f'stroke-dasharray="{length - 2:.1f} {around - length + 2:.1f}" stroke-dashoffset="{-start:.1f}"/>'
        )
        start += length
    return Markup(f'<svg class="{classes} -rotate-90" viewBox="0 0 120 120" aria-hidden="true">{"".join(parts)}</svg>')
