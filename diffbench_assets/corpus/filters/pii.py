"""Personal data on a page: addresses, phones, cards, accounts, personal numbers, names beside street addresses.

Belongs here: counting them. What was found never leaves this module. Does not belong here: check digits
(`numbers.py`). Every rule prefers to miss over taking a price, a date, a version or a product code for a person.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Final
from urllib.parse import unquote

import phonenumbers
from phonenumbers import Leniency, PhoneNumberMatcher
from selectolax.lexbor import LexborHTMLParser

from diffbench_assets.corpus.filters import numbers
from diffbench_assets.corpus.filters.page import FilteredPage, Finding


def personal_data(page: FilteredPage) -> list[Finding]:
    """What personal data the page's text and its mail and phone links hold, as kinds with counts."""
    text = _plain(page.text)
    links = list(_links(page.tree))
    found = {
        "email": len(set(emails(" ".join([text, *(to for scheme, to in links if scheme == "mailto")])))),
        "phone": len(phones(text, page.language) | linked_phones((to for s, to in links if s == "tel"), page.language)),
        "card": numbers.cards(text),
        "iban": numbers.ibans(text),
        "personal_number": numbers.personal_numbers(text),
        "address": named_addresses(text),
    }
    return [Finding(kind, count) for kind, count in found.items() if count]


def _plain(text: str) -> str:
    """Full-width forms and the digits of other scripts as ASCII; invisible marks gone."""
    folded = unicodedata.normalize("NFKC", text)
    digits = {ord(c): str(unicodedata.decimal(c)) for c in set(folded) if c > "\x7f" and c.isdecimal()}
    marks = {ord(c): None for c in "\u200b\u200c\u200d\u200e\u200f\u2060\u00ad\ufeff"}
    return folded.translate(digits | marks | {0x2010: "-", 0x2011: "-", 0x2012: "-", 0x2013: "-"})


def _links(tree: LexborHTMLParser) -> Iterator[tuple[str, str]]:
    """(scheme, address) of every mail and phone link."""
    for node in tree.css("a[href],area[href]"):
        scheme, colon, rest = (node.attributes.get("href") or "").strip().partition(":")
        if colon and scheme.lower() in ("mailto", "tel"):
            yield scheme.lower(), _plain(unquote(rest.partition("?")[0]))


_EMAIL: Final = re.compile(
    r"(?<![\w.+/@-])([a-z0-9](?:[\w.+-]{0,62}[a-z0-9_])?)(?:@| ?[\[(](?:at|@)[\])] ?)"
    r"((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.| ?[\[(](?:dot|\.)[\])] ?)){1,6}[a-z]{2,24})(?![\w@-]|\.\w)",
    re.IGNORECASE,
)
_OBSCURED_DOT: Final = re.compile(r" ?[\[(](?:dot|\.)[\])] ?", re.IGNORECASE)
# RFC 2606 and 6761 reserve these, and templates use the others where an address will stand.
_NOBODYS_HOST: Final = re.compile(
    r"(?:.*\.)?(?:example|test|invalid|localhost|local|internal)"
    r"|(?:.*\.)?example\.(?:com|net|org|edu|co|io)|(?:your|my)?-?(?:email|mail|domain|company|site|website|name)\.\w+"
    r"|(?:your|my)-?\w*\.\w+|(?:domain|company|website|site|yourcompany|acme|test|sample|demo)\.(?:com|org|net|tld)"
)
_NOBODYS_NAME: Final = re.compile(r"(?:your|my)[._-]?(?:e?-?mail|name|address)|x{3,}|user(?:name)?|nobody|no-?reply")
_FILE_ENDINGS: Final = frozenset(
    ["png", "jpg", "jpeg", "gif", "webp", "svg", "avif", "css", "js", "json", "html", "htm", "php", "ico", "mp4", "pdf"]
)


def emails(text: str) -> Iterator[str]:
    """Mail addresses, in lower case, that could be somebody's: no reserved host, no placeholder, no file name."""
    for match in _EMAIL.finditer(text):
        name, host = match[1].lower(), _OBSCURED_DOT.sub(".", match[2]).lower()
        ending = host.rpartition(".")[2]
        if ending in _FILE_ENDINGS or _NOBODYS_HOST.fullmatch(host) or _NOBODYS_NAME.fullmatch(name):
            continue
        yield f"{name}@{host}"


_REGIONS: Final = {
    "en": ("US", "GB", "AU", "IN"), "de": ("DE", "AT", "CH"), "fr": ("FR", "BE", "CH"), "es": ("ES", "MX", "AR"),
    "pt": ("BR", "PT"), "it": ("IT",), "nl": ("NL", "BE"), "pl": ("PL",), "sv": ("SE",), "da": ("DK",), "nb": ("NO",),
    "no": ("NO",), "fi": ("FI",), "cs": ("CZ",), "hu": ("HU",), "ro": ("RO",), "el": ("GR",), "tr": ("TR",),
    "ru": ("RU",), "uk": ("UA",), "ja": ("JP",), "ko": ("KR",), "zh": ("CN", "TW"), "th": ("TH",), "vi": ("VN",),
    "id": ("ID",), "hi": ("IN",), "bn": ("BD", "IN"), "ar": ("EG", "SA", "AE"), "he": ("IL",), "fa": ("IR",),
}  # fmt: skip
"""Countries whose national way of writing phone numbers is tried on pages of a language."""

_PHONE_CUE: Final = re.compile(
    r"(?:\b(?:tel|phone|telephone|call|fax|mobile|cell|whatsapp|text us|dial|telefon|telefono|teléfono|telefone|"
    r"telefoon|téléphone|tél|rufen|appelez|llame|ligue|chiama|puhelin|puh|ring|celular|móvil|cellulare|handy|sms|"
    r"hotline)\b\.?|тел|телефон|звоните|電話|电话|致电|手机|전화|연락처|โทร|هاتف|اتصل|फ़ोन|फोन|טלפון|τηλ|☎|📞|✆)"
    r"[^\n\d]{0,25}$",
    re.IGNORECASE,
)
_CUE_REACH: Final = 45
_MOST_PHONES: Final = 500
"""Numbers looked at for each country: a page with more is a telephone book, and would take seconds."""
_INVENTED: Final = re.compile(
    r"\+1\d{3}555\d{4}|\+1555\d{7}|\+44(?:1632960|7700900|2079460|1134960|1144960|1154960|1164960|1174960|1184960"
    r"|1214960|1314960|1414960|1514960|1614960|1914980|8081570|9098790|3069990)\d{3}"
    r"|\+61(?:2|3|7|8)(?:5550|7010)\d{4}|\+61491570\d{3}|\+33(?:199|261|353|465|536|639)\d{6}"
    r"|\+\d{1,3}(?:(\d)\1{6,}|1234567\d*|0?123456\d*)"
)
"""Numbers kept free for films and examples: 555 in North America, Ofcom's, ACMA's and ARCEP's; runs of one digit."""


def phones(text: str, language: str | None) -> set[str]:
    """Phone numbers, as E.164: international ones, and national ones that follow a word for phone.

    National forms are told by the language's countries; alone they look too much like prices and codes.
    """
    if sum(map(str.isdigit, text)) < 7:
        return set()
    found: set[str] = set()
    taken: set[int] = set()
    regions: tuple[str | None, ...] = (None, *_regions(language))
    for region in regions:
        if region is not None and _PHONE_CUE_ANYWHERE.search(text) is None:
            break
        matcher = PhoneNumberMatcher(text, region, leniency=Leniency.VALID, max_tries=2000)
        for match in islice(matcher, _MOST_PHONES):
            before = text[max(0, match.start - _CUE_REACH) : match.start]
            national = not match.raw_string.startswith("+")
            if match.start in taken or (national and not _PHONE_CUE.search(before)):
                continue
            number = phonenumbers.format_number(match.number, phonenumbers.PhoneNumberFormat.E164)
            if not _INVENTED.fullmatch(number):
                found.add(number)
            taken.add(match.start)
    return found


_PHONE_CUE_ANYWHERE: Final = re.compile(_PHONE_CUE.pattern.removesuffix(r"[^\n\d]{0,25}$"), re.IGNORECASE)


def linked_phones(links: Iterable[str], language: str | None) -> set[str]:
    """The addresses of `tel:` links that are valid numbers of some country of the language, as E.164."""
    found: set[str] = set()
    for link in links:
        for region in _regions(language):
            try:
                number = phonenumbers.parse(link, region)
            except phonenumbers.NumberParseException:
                continue
            written = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
            if phonenumbers.is_valid_number(number) and not _INVENTED.fullmatch(written):
                found.add(written)
                break
    return found


def _regions(language: str | None) -> tuple[str, ...]:
    return _REGIONS.get((language or "en").split("-")[0].lower(), ("US",))


_CAPITALISED: Final = r"[A-ZÀ-ÖØ-ÞĀ-Ž][a-zß-öø-ÿā-ž'’-]+"
_STREET: Final = re.compile(
    rf"\b\d{{1,5}}[a-z]?,? (?:[NSEW]\.? )?(?:{_CAPITALISED} ){{1,3}}(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|"
    r"Boulevard|Blvd|Court|Ct|Terrace|Crescent|Close|Parkway|Pkwy|Highway|Hwy|Way|Place|Pl|Square|Sq)\b"
    rf"|\b{_CAPITALISED}(?:straße|strasse|str\.|weg|platz|allee|gasse|straat|laan|plein|gatan|vägen|gade|vej) "
    r"\d{1,4}\b|\b\d{1,4}(?: ?(?:bis|ter))?,? (?:rue|avenue|boulevard|bd|place|chemin|allée|impasse|quai) "
    rf"(?:\S+ ){{0,3}}{_CAPITALISED}"
    rf"|\b(?:[Cc]alle|[Aa]venida|[Aa]vda\.|[Pp]laza|[Rr]ua|[Vv]ia|[Vv]iale|[Pp]iazza|[Cc]orso|ul\.|[Uu]lica) "
    rf"(?:\w+ ){{0,3}}{_CAPITALISED},? (?:n[.ºo°]* ?)?\d{{1,4}}\b"
)  # fmt: skip
_TITLED: Final = re.compile(
    rf"\b(?:Mr|Mrs|Ms|Miss|Dr|Prof|Herrn?|Frau|Mme|Mlle|M|Sra?|Sig|Dott|Dhr|Mevr|Pan|Pani)\.? {_CAPITALISED}"
)
_NAME: Final = re.compile(
    rf"\b({_CAPITALISED}) (?:[A-Z]\. )?(?:(?:van|von|de|der|den|da|di|del|la|bin|al) ){{0,2}}{_CAPITALISED}"
)
_BESIDE_BEFORE: Final = 60
_BESIDE_AFTER: Final = 25
_END_OF_SENTENCE: Final = re.compile(r"[.!?] +(?=\S)(?<!\b[A-Z]\. )")


@cache
def _first_names() -> frozenset[str]:
    words = (Path(__file__).parent / "first_names.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(name for line in words if not line.startswith("#") for name in line.split())


def named_addresses(text: str) -> int:
    """Street addresses with a person's name just before or after them.

    A person's name is a title with a name, or a usual first name followed by another capitalised word. A business
    alone at its address is nobody's personal data.
    """
    return sum(_is_named(text, match.start(), match.end()) for match in _STREET.finditer(text))


def _is_named(text: str, start: int, end: int) -> bool:
    before = _END_OF_SENTENCE.split(text[max(0, start - _BESIDE_BEFORE) : start])[-1]
    after = text[end : end + _BESIDE_AFTER]
    return any(
        _TITLED.search(part) or any(match[1] in _first_names() for match in _NAME.finditer(part))
        for part in (before, after)
    )
