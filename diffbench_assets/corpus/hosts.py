"""Host names: one spelling for each, and the registered domain that each belongs to.

Belongs here: what a single name means. Does not belong here: lists of them (`domains.py`), addresses of pages
(`sitemaps/urls.py`), or asking the network.
"""

from __future__ import annotations

import functools
import re
from typing import Final, Literal, NamedTuple

import idna
import tldextract

LONGEST_HOST: Final = 253
"""Characters of a host name, as DNS has it (RFC 1035, 3.1, without the root's dot)."""

Rejection = Literal["empty", "ip_address", "single_label", "invalid_name"]

_PLAIN: Final = re.compile(
    r"(?:https?://)?(?=[^/]{4,253}/?\Z)(?:www\.(?=[^.]+\.))?"
    r"((?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+(?=[^.]*[a-z])(?!0x)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)/?"
)
"""The usual spellings, which need no more work than losing scheme and www; the group is the host."""
_LABEL: Final = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_LAST_LABEL: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_NUMBER: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")
_SCHEME: Final = re.compile(r"\s*(?:[A-Za-z][A-Za-z0-9+.-]*:)?//")
_AFTER_HOST: Final = re.compile(r"[/?#\\]")
_PORT: Final = re.compile(r":[0-9]*\Z")


class Host(NamedTuple):
    """A host name, or why a text names none; one of the two is None."""

    name: str | None
    rejection: Rejection | None


def normalise_host(text: str) -> Host:
    """The one spelling of the host that a name or an address names.

    Lower case, IDNA 2008 after UTS 46 mapping (so `faß.de` stays itself), without scheme, credentials, port, path,
    trailing dot, and without one leading `www.` where two labels remain. Underscores stay: DNS and browsers know such
    names. Names that end in a number are IPv4 addresses to browsers (WHATWG URL) and are left out with the others.
    """
    plain = _PLAIN.fullmatch(text)
    if plain:
        return Host(plain[1], None)
    name = _AFTER_HOST.split(_SCHEME.sub("", text, count=1).strip(), maxsplit=1)[0].rpartition("@")[2]
    if name.startswith("["):
        return Host(None, "ip_address")
    name = _PORT.sub("", name)
    if name.count(":") > 1:
        return Host(None, "ip_address")
    name = name.lower() if name.isascii() else _to_ascii(name)
    name = name.removesuffix(".")
    labels = name.split(".")
    if not name:
        return Host(None, "empty" if not text.strip() else "invalid_name")
    if _NUMBER.fullmatch(labels[-1]):
        return Host(None, "ip_address")
    if len(name) > LONGEST_HOST or not all(map(_LABEL.fullmatch, labels)) or not _LAST_LABEL.fullmatch(labels[-1]):
        return Host(None, "invalid_name")
    if len(labels) == 1:
        return Host(None, "single_label")
    return Host(name.removeprefix("www.") if len(labels) > 2 else name, None)


def _to_ascii(name: str) -> str:
    """The name in ASCII; one that is no label where it has no such spelling, for example one with an emoji."""
    try:
        return idna.encode(name, uts46=True).decode("ascii")
    except (idna.IDNAError, UnicodeError):
        return "-"


@functools.cache
def _rules() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """(suffixes, parents of wildcards, exceptions) of the public suffix list that tldextract ships, in ASCII."""
    # No address and no cache: the snapshot in the package, whatever the machine. Private suffixes, such as those of
    # hosting firms, count: their customers are sites of their own.
    extract = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)
    exact, wild, exceptions = set(), set(), set()
    for rule in extract.tlds:
        if rule.startswith("!"):
            exceptions.add(_rule_to_ascii(rule[1:]))
        elif rule.startswith("*."):
            wild.add(_rule_to_ascii(rule[2:]))
        else:
            exact.add(_rule_to_ascii(rule))
    return frozenset(exact), frozenset(wild), frozenset(exceptions)


def _rule_to_ascii(rule: str) -> str:
    return rule if rule.isascii() else idna.encode(rule, uts46=True).decode("ascii")


def registered_domain(host: str) -> str:
    """Public suffix plus one label of a normalised host; the host itself where it is a public suffix.

    By the public suffix list's own algorithm, private suffixes included: the longest rule wins, exceptions win over
    all, and a last label that no rule names is a suffix. Three times as fast as asking tldextract for each host.
    """
    exact, wild, exceptions = _rules()
    before, rest = "", host
    while True:
        dot = rest.find(".")
        if rest in exceptions:
            return rest
        if dot < 0 or rest in exact or rest[dot + 1 :] in wild:
            return f"{before}.{rest}" if before else rest
        before, rest = rest[:dot], rest[dot + 1 :]
