"""What robots.txt allows (RFC 9309).

Belongs here: rules from the bytes and status of a robots.txt. Does not belong here: asking for it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from protego import Protego

AGENT = "diffbench-assets"
"""The product token that groups of rules may name."""

_GROUP = re.compile(r"^(\s*user(?:-|\s+)?agent(?:\s*:\s*|\s+))(?=[^\s#])(\*(?=[\s#]|$)|[a-z_-]*).*", re.IGNORECASE)

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
    lines = text.decode("utf-8", "replace").lstrip("\ufeff").splitlines()
    rules = Protego.parse("\n".join(_GROUP.sub(_named, line) for line in lines))
    delay = rules.crawl_delay(AGENT)
    if delay is not None and not 0 <= delay < float("inf"):
        delay = None
    return Robots("obeyed", rules, delay, tuple(dict.fromkeys(rules.sitemaps)))


def _named(group: re.Match[str]) -> str:
    """A line that names a group, with nothing but a product token, which RFC 9309, 2.2.1 compares whole, whatever its
    case and the version after it. Protego would look for all that the line says anywhere in our token."""
    token = group[2].lower()
    return group[1] + (token if token in ("*", AGENT) else "somebody-else")
