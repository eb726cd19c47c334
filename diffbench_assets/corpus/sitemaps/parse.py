"""Sitemaps, sitemap indexes, RSS, Atom and plain lists, read as a stream.

Belongs here: addresses and dates out of bytes. Does not belong here: judging addresses, and unpacking.

libxml2 parses (through lxml), forgiving as it must be, without a tree, network, DTD or external entity; its own guard
ends entity bombs. What else could fill memory has a limit here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from lxml import etree

Kind = Literal["urlset", "index", "feed", "text"]

_ROOTS: dict[str, Kind] = {"urlset": "urlset", "sitemapindex": "index", "rss": "feed", "feed": "feed", "rdf": "feed"}
_ITEMS: dict[Kind, tuple[str, ...]] = {"urlset": ("url",), "index": ("sitemap",), "feed": ("item", "entry")}
_URL_NAMES: dict[Kind, str] = {"urlset": "loc", "index": "loc", "feed": "link"}
_DATE_NAMES = frozenset({"lastmod", "pubdate", "updated", "date"})
_DEEPEST = 64
_LONGEST_TEXT = 4096
_LONGEST_SILENCE = 256 * 1024
"""Bytes without any element or text: a name, attribute or comment without end."""
_MOST_EVENTS = 4_000_000
"""Tags and pieces of text; the 50,000 addresses that the protocol allows make a tenth of it."""
_LONE_AMPERSAND = re.compile(rb"&(?!#?\w{1,31};)")
_LONGEST_ENTITY = 34
_SPACE = b" \t\r\n"


class NotASitemap(Exception):
    """The document is none of the kinds; `reason` is one word for the counts."""

    def __init__(self, reason: str = "not_a_sitemap") -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Entry:
    """One address as written, and when it changed as far as the document says."""

    url: str
    last_modified: str | None


class SitemapParser:
    """Takes the bytes of one document piece by piece; `kind` is known once its root element or first line is."""

    def __init__(self) -> None:
        self._start = b""
        self._tail = b""
        self._lines: _Lines | None = None
        self._target = _Target()
        self._xml: etree.XMLParser | None = None
        self._escapes = True
        self._silence = 0
        self._events = 0

    @property
    def kind(self) -> Kind | None:
        return "text" if self._lines else self._target.kind

    def feed(self, data: bytes) -> list[Entry]:
        """Entries that `data` completes. Raises NotASitemap."""
        if self._lines is None and self._xml is None:
            self._start += data
            if len(self._start.strip(_SPACE)) < 16:
                return []
            data = self._begin()
        return self._lines.feed(data) if self._lines else self._feed_xml(data)

    def close(self) -> list[Entry]:
        """Entries that the end completes. Raises NotASitemap when the document turned out to be none."""
        entries: list[Entry] = []
        if self._lines is None and self._xml is None:
            data = self._begin()
            entries = self._lines.feed(data) if self._lines else self._feed_xml(data)
        if self._lines:
            return entries + self._lines.feed(b"\n")
        entries += self._feed_xml(b"", last=True)
        if self._target.kind is None:
            raise NotASitemap
        return entries

    def _begin(self) -> bytes:
        """Decides between XML and lines by how the document starts."""
        data = self._start.removeprefix(b"\xef\xbb\xbf").lstrip(_SPACE)
        self._start = b""
        self._escapes = b"\0" not in data[:4]
        if self._escapes and not data.startswith(b"<"):
            if not re.match(rb"https?://", data, re.IGNORECASE):
                raise NotASitemap
            self._lines = _Lines()
        else:
            self._xml = etree.XMLParser(
                target=self._target,
                recover=True,
                resolve_entities=False,
                load_dtd=False,
                no_network=True,
                huge_tree=False,
            )
        return data

    def _feed_xml(self, data: bytes, last: bool = False) -> list[Entry]:
        assert self._xml is not None
        if self._escapes:  # Bare ampersands in addresses are the commonest fault; `_address` undoes what this overdoes.
            data = self._tail + data
            cut = len(data) if last else data.find(b"&", max(0, len(data) - _LONGEST_ENTITY))
            data, self._tail = (data, b"") if cut < 0 else (data[:cut], data[cut:])
            data = _LONE_AMPERSAND.sub(b"&amp;", data)
        try:
            self._xml.feed(data)
        except etree.XMLSyntaxError:
            raise NotASitemap("bad_xml") from None
        self._silence = 0 if self._target.events > self._events else self._silence + len(data)
        self._events = self._target.events
        if self._silence > _LONGEST_SILENCE:
            raise NotASitemap("bad_xml")
        if self._events > _MOST_EVENTS:
            raise NotASitemap("too_large")
        return self._target.take()


class _Target:
    """What libxml2 reports to."""

    def __init__(self) -> None:
        self.kind: Kind | None = None
        self.events = 0
        self._path: list[str] = []
        self._text: str | None = None
        self._url = ""
        self._date: str | None = None
        self._entries: list[Entry] = []

    def take(self) -> list[Entry]:
        entries, self._entries = self._entries, []
        return entries

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.events += 1
        name = _local(tag)
        if self.kind is None:
            if name not in _ROOTS:
                raise NotASitemap
            self.kind = _ROOTS[name]
        self._path.append(name)
        if len(self._path) > _DEEPEST:
            raise NotASitemap("bad_xml")
        items = _ITEMS[self.kind]
        if name in items:
            self._url, self._date = "", None
        elif len(self._path) > 1 and self._path[-2] in items:
            self._text = ""
            if name == "link" and attributes.get("rel", "alternate") == "alternate" and not self._url:
                self._url = attributes.get("href", "")

    def data(self, text: str) -> None:
        self.events += 1
        if self._text is not None and len(self._text) <= _LONGEST_TEXT:
            self._text += text[: _LONGEST_TEXT + 1]

    def end(self, tag: str) -> None:
        self.events += 1
        assert self.kind is not None
        name = self._path.pop() if self._path else ""
        if name in _ITEMS[self.kind]:
            if self._url:
                self._entries.append(Entry(_address(self._url), self._date))
            self._url = ""
        elif self._text is not None and self._path and self._path[-1] in _ITEMS[self.kind]:
            text = self._text.strip()
            if name == _URL_NAMES[self.kind] and text and not self._url:
                self._url = text
            elif name in _DATE_NAMES and text:
                self._date = text[:64]
            self._text = None

    def close(self) -> None:
        """lxml asks for it."""


class _Lines:
    """One address a line."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[Entry]:
        *lines, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > _LONGEST_SILENCE:
            raise NotASitemap("bad_text")
        return [Entry(line.strip().decode("utf-8", "replace")[:_LONGEST_TEXT], None) for line in lines if line.strip()]


def _local(tag: str) -> str:
    return tag.rpartition("}")[2].rpartition(":")[2].lower()


def _address(text: str) -> str:
    return text.replace("&amp;", "&")
