"""What robots.txt allows (RFC 9309).

Belongs here: rules from the bytes and status of a robots.txt. Does not belong here: asking for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from protego import Protego

AGENT = "diffbench-assets"
"""The product token that groups of rules may name."""

MOST_BYTES = 500 * 1024
"""What of a robots.txt is read (RFC 9309, 2.5)."""


@dataclass(frozen=True)
class Robots:
    """The rules of one origin for this program."""

    state: Literal["obeyed", "none", "unreachable"]
    rules: Protego | None = None
    crawl_delay_s: float | None = None
    sitemaps: tuple[str, ...] = ()
    answered: bool = True
    """False when no server was met where the rules should lie."""
    error: str | None = None

    def allows(self, url: str) -> bool:
        """Whether `url` may be asked for."""
        if self.state == "unreachable":
            return False
        return self.rules is None or bool(self.rules.can_fetch(url, AGENT))


ALLOWS_ALL = Robots("none")


def unreachable(error: str, *, answered: bool) -> Robots:
    """Nothing is allowed while the rules cannot be read."""
    return Robots("unreachable", error=error, answered=answered)


def read_rules(body: bytes) -> Robots:
    """The rules in the first `MOST_BYTES` of a robots.txt, whose last line may be cut."""
    text = body[:MOST_BYTES]
    if len(body) > MOST_BYTES:
        text = text[: text.rfind(b"\n") + 1]
    rules = Protego.parse(text.decode("utf-8", "replace").lstrip("\ufeff"))
    delay = rules.crawl_delay(AGENT)
    if delay is not None and not 0 <= delay < float("inf"):
        delay = None
    return Robots("obeyed", rules, delay, tuple(dict.fromkeys(rules.sitemaps)))
