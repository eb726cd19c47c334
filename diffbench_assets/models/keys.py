"""API keys: read from the environment when they are needed, and kept out of everything that is written.

Belongs here: the only code that ever touches a key. Nothing else in the package may read one.
"""

from __future__ import annotations

import os
import re

from diffbench_assets.errors import UserError
from diffbench_assets.models.registry import Endpoint

SHORTEST_SECRET = 8
"""Local servers are given words such as EMPTY or none; cutting those out of answers would spoil them."""

REMOVED = "[key removed]"
_LOOKS_LIKE_A_KEY = re.compile(rf"(?i)\bbearer\s+(?:{re.escape(REMOVED)}|\S+)|\bsk-[\w*.\-]{{4,}}")


class KeyProblem(UserError, ValueError):
    """The environment variable that should hold a key is missing or unusable; the message never shows its value."""


class Key:
    """A key that shows itself to nobody but the HTTP header."""

    __slots__ = ("_pattern", "_value")

    def __init__(self, value: str | None) -> None:
        self._value = value
        secret = value is not None and len(value) >= SHORTEST_SECRET
        self._pattern = re.compile(re.escape(value), re.IGNORECASE) if secret and value else None

    def __repr__(self) -> str:
        return "Key(unset)" if self._value is None else "Key(set)"

    def __reduce__(self) -> str:
        raise TypeError("keys are never pickled or copied to another process; read them from the environment there")

    def headers(self) -> dict[str, str]:
        """The Authorization header, or nothing without a key."""
        return {} if self._value is None else {"Authorization": f"Bearer {self._value}"}

    def scrub(self, text: str) -> str:
        """`text` without the key, whoever put it there."""
        return self._pattern.sub(REMOVED, text) if self._pattern else text

    def scrub_error(self, text: str) -> str:
        """As `scrub`, and without anything that looks like some other key, which only error texts can do without."""
        return _LOOKS_LIKE_A_KEY.sub(REMOVED, self.scrub(text))


def read_key(endpoint: Endpoint) -> Key:
    """The key of `endpoint` from its environment variable. Raises KeyProblem."""
    name = endpoint.api_key_env
    if name is None:
        return Key(None)
    value = os.environ.get(name, "").strip()
    if not value:
        raise KeyProblem(f"{endpoint.id}: the environment variable {name} is not set; put the endpoint's key in it")
    if not re.fullmatch(r"[\x21-\x7e]+", value):
        raise KeyProblem(f"{endpoint.id}: {name} holds spaces or characters that no key has; set it again")
    return Key(value)
