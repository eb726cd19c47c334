"""Visual themes: one drawn set of Tailwind classes that a whole page shares.

Belongs here: colours, radii, borders, weights and spacing by visual style. Does not belong here: page structure.
"""

from __future__ import annotations

from dataclasses import dataclass

from diffbench_assets.pages.dice import Dice

STYLES: tuple[str, ...] = ("minimal", "corporate", "vibrant", "editorial")

SHADES: dict[str, int] = {
    "blue": 600,
    "indigo": 600,
    "violet": 600,
    "purple": 600,
    "rose": 600,
    "red": 600,
    "fuchsia": 700,
    "pink": 700,
    "sky": 700,
    "cyan": 700,
    "teal": 700,
    "emerald": 700,
    "green": 700,
    "orange": 700,
    "amber": 800,
}
"""Hues used on a page, each with the lightest shade on which white text is readable."""

HUES: dict[str, tuple[str, ...]] = {
    "minimal": ("blue", "emerald", "indigo", "orange", "teal", "rose", "sky"),
    "corporate": ("blue", "sky", "teal", "indigo", "cyan", "emerald", "green"),
    "vibrant": ("violet", "fuchsia", "pink", "rose", "purple", "indigo", "orange", "emerald", "cyan"),
    "editorial": ("red", "amber", "emerald", "orange", "indigo", "rose", "teal"),
}
NEUTRALS: dict[str, tuple[str, ...]] = {
    "minimal": ("zinc", "neutral", "gray", "slate"),
    "corporate": ("slate", "gray", "zinc"),
    "vibrant": ("slate", "zinc", "gray"),
    "editorial": ("stone", "neutral", "zinc"),
}
DARK_SHARE: dict[str, float] = {"minimal": 0.12, "corporate": 0.1, "vibrant": 0.3, "editorial": 0.1}
RADII: dict[str, tuple[tuple[str, str], ...]] = {
    "minimal": (("rounded-md", "rounded-sm"), ("rounded-lg", "rounded-md"), ("rounded-xl", "rounded-lg")),
    "corporate": (("rounded-md", "rounded-sm"), ("rounded-lg", "rounded-md"), ("rounded-xl", "rounded-md")),
    "vibrant": (("rounded-2xl", "rounded-xl"), ("rounded-3xl", "rounded-full"), ("rounded-xl", "rounded-full")),
    "editorial": (("rounded-none", "rounded-none"), ("rounded-sm", "rounded-sm"), ("rounded-md", "rounded-full")),
}
"""Card and control radius, drawn together."""
HEADINGS: dict[str, tuple[str, ...]] = {
    "minimal": ("font-semibold tracking-tight", "font-medium tracking-tight", "font-medium"),
    "corporate": ("font-semibold", "font-bold", "font-semibold tracking-tight"),
    "vibrant": ("font-extrabold tracking-tight", "font-bold", "font-black tracking-tight"),
    "editorial": ("font-black tracking-tight", "font-bold tracking-tight", "font-light", "font-extrabold"),
}
KICKERS: dict[str, tuple[str, ...]] = {
    "minimal": ("text-sm font-medium", "text-xs font-medium"),
    "corporate": ("text-sm font-semibold", "text-xs font-semibold uppercase tracking-wide"),
    "vibrant": ("text-sm font-bold", "text-xs font-bold uppercase tracking-wider"),
    "editorial": ("text-xs font-bold uppercase tracking-widest", "text-xs font-semibold uppercase tracking-wider"),
}


@dataclass(frozen=True)
class Theme:
    """Classes named for their use, so that a template says what a thing is, not how it looks."""

    style: str
    dark: bool
    start: str
    end: str
    hue: str
    accent: str
    neutral: str
    page: str
    surface: str
    sunken: str
    line: str
    ink: str
    body: str
    muted: str
    brand_ink: str
    solid: str
    outline: str
    chip: str
    card: str
    radius: str
    control: str
    tile: str
    heading: str
    strong: str
    kicker: str
    nav: str
    nav_inked: bool
    nav_ink: str
    nav_line: str
    gap: str
    pad: str
    band: str
    width: str
    hues: tuple[str, ...]

    def soft(self, hue: str) -> str:
        """A tinted surface of one hue with readable text on it."""
        if self.dark:
            return f"bg-{hue}-950 text-{hue}-300"
        return f"bg-{hue}-100 text-{hue}-800"

    def gradient(self, hue: str, other: str, direction: str = "r") -> str:
        """A gradient on which white text is readable."""
        return f"bg-linear-to-{direction} from-{hue}-{SHADES[hue]} to-{other}-{SHADES[other]}"

    def scenery(self, hue: str, other: str, direction: str = "br") -> str:
        """A gradient behind a picture; carries no text."""
        if self.dark:
            return f"bg-linear-to-{direction} from-{hue}-800 to-{other}-600"
        return f"bg-linear-to-{direction} from-{hue}-200 to-{other}-400"

    def fill(self, hue: str) -> str:
        """A solid surface of one hue for white text."""
        return f"bg-{hue}-{SHADES[hue]}"


def draw_theme(style: str, right_to_left: bool, dice: Dice) -> Theme:
    """Draw one theme of a visual style; `right_to_left` swaps what left and right mean for placed things."""
    dark = dice.chance(DARK_SHARE[style])
    hue, accent, *others = dice.shuffled(HUES[style])
    gray = dice.one(NEUTRALS[style])
    radius, control = dice.one(RADII[style])
    heading = dice.one(HEADINGS[style])
    page, surface, sunken, line = _surfaces(style, dark, gray, hue, dice)
    monochrome = style in ("minimal", "editorial") and dice.chance(0.5)
    if monochrome:
        solid = f"bg-{gray}-100 text-{gray}-900" if dark else f"bg-{gray}-900 text-white"
    else:
        solid = f"bg-{hue}-{SHADES[hue]} text-white"
    border = "border-2" if style in ("vibrant", "editorial") and dice.chance(0.35) else "border"
    nav, nav_ink, nav_line = _nav(style, dark, gray, hue, surface, line, dice)
    weight = {"minimal": "font-medium", "corporate": "font-semibold"}.get(style, "font-bold")
    return Theme(
        style=style,
        dark=dark,
        start="right" if right_to_left else "left",
        end="left" if right_to_left else "right",
        hue=hue,
        accent=accent,
        neutral=gray,
        page=page,
        surface=surface,
        sunken=sunken,
        line=line,
        ink="text-white" if dark else f"text-{gray}-900",
        body=f"text-{gray}-300" if dark else f"text-{gray}-700",
        muted=f"text-{gray}-400" if dark else f"text-{gray}-500",
        brand_ink=f"text-{hue}-400" if dark else f"text-{hue}-{max(SHADES[hue], 700)}",
        solid=solid,
        outline=f"border border-{gray}-600 text-{gray}-100" if dark else f"border border-{gray}-300 text-{gray}-800",
        chip=f"bg-{gray}-800 text-{gray}-200" if dark else f"bg-{gray}-100 text-{gray}-700",
        card=f"{radius} {border} {line} {surface}",
        radius=radius,
        control=control,
        tile=dice.pick(control, "rounded-full") if control != "rounded-none" else control,
        heading=heading,
        strong=dice.pick(weight, "font-semibold"),
        kicker=dice.one(KICKERS[style]),
        nav=nav,
        nav_inked=not dark and nav != surface,
        nav_ink=nav_ink,
        nav_line=nav_line,
        gap=dice.pick("gap-4", "gap-5", "gap-6"),
        pad=dice.pick("p-4", "p-5", "p-6"),
        band=dice.pick("py-8", "py-10", "py-12"),
        width=dice.pick("max-w-7xl px-8", "max-w-6xl px-6", "max-w-7xl px-6"),
        hues=(hue, accent, *others[:3]),
    )


def _surfaces(style: str, dark: bool, gray: str, hue: str, dice: Dice) -> tuple[str, str, str, str]:
    """Page, card and sunken backgrounds, and the border colour."""
    if dark:
        return f"bg-{gray}-950", f"bg-{gray}-900", f"bg-{gray}-800", f"border-{gray}-700"
    if style == "minimal":
        page = dice.pick("bg-white", f"bg-{gray}-50")
        return page, "bg-white", f"bg-{gray}-100", f"border-{gray}-200"
    if style == "corporate":
        return (
            dice.pick(f"bg-{gray}-50", f"bg-{gray}-100", "bg-white"),
            "bg-white",
            f"bg-{gray}-100",
            f"border-{gray}-200",
        )
    if style == "vibrant":
        line = dice.pick(f"border-{hue}-200", f"border-{gray}-200")
        return dice.pick("bg-white", f"bg-{hue}-50"), "bg-white", f"bg-{hue}-50", line
    page = dice.pick("bg-stone-50", "bg-white", "bg-amber-50", "bg-orange-50")
    surface = dice.pick("bg-white", page)
    return page, surface, f"bg-{gray}-100", dice.pick(f"border-{gray}-900", f"border-{gray}-300")


def _nav(style: str, dark: bool, gray: str, hue: str, surface: str, line: str, dice: Dice) -> tuple[str, str, str]:
    """Bar background, its text colour and the border colour of things on it."""
    inked = {"minimal": 0.1, "corporate": 0.35, "vibrant": 0.4, "editorial": 0.2}[style]
    if dark:
        return surface, f"text-{gray}-200", line
    if not dice.chance(inked):
        return surface, f"text-{gray}-700", line
    if style == "vibrant":
        return f"bg-{hue}-900", f"text-{hue}-100", f"border-{hue}-700"
    if style == "corporate" and dice.chance(0.5):
        return f"bg-{hue}-900", f"text-{hue}-100", f"border-{hue}-700"
    return f"bg-{gray}-900", f"text-{gray}-200", f"border-{gray}-700"
