"""Addresses of pages: one spelling for each, and which of them are worth a visit.

Belongs here: normalising and judging an address by its text. Does not belong here: asking for it.
"""

from __future__ import annotations

import functools
import re
from urllib.parse import unquote

import ada_url

from diffbench_assets.corpus.hosts import registered_domain
from diffbench_assets.seeds import digest

LONGEST_URL = 2048
"""Characters, as the sitemap protocol has it."""

_TRACKING = re.compile(
    r"utm_\w*|gclid|gclsrc|gbraid|wbraid|dclid|fbclid|msclkid|yclid|twclid|ttclid|igshid|li_fat_id|epik|srsltid|"
    r"mc_cid|mc_eid|mkt_tok|_ga|_gl|_hsenc|_hsmi|__hstc|__hssc|__hsfp|hsctatracking|oly_anon_id|oly_enc_id|vero_id|"
    r"wickedid|jsessionid|phpsessid|sessionid",
    re.IGNORECASE,
)
_SESSION_IN_PATH = re.compile(r";(?:jsessionid|phpsessid)=[^/;]*", re.IGNORECASE)
_NOT_A_PAGE = frozenset(
    suffix
    for suffixes in (
        "pdf ps eps doc docx docm dot dotx xls xlsx xlsm xlt ppt pptx pps ppsx odt ods odp rtf txt md csv tsv json",
        "jsonld xml xsl xslt xsd rss atom rdf kml kmz gpx ics vcf bib tex epub mobi azw3 djvu sql db log yaml yml",
        "jpg jpeg jpe jfif png gif webp avif svg svgz bmp ico tif tiff psd ai heic heif",
        "mp3 m4a ogg oga opus wav flac aac wma mid midi mp4 m4v mov avi mkv webm wmv flv mpg mpeg 3gp ogv m3u m3u8 swf",
        "zip gz tgz bz2 xz zst 7z rar tar jar war exe msi dmg pkg deb rpm apk ipa iso bin img torrent",
        "js mjs cjs css map woff woff2 ttf otf eot wasm",
    )
    for suffix in suffixes.split()
)
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_LONE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")


def normalise(url: str, base: str | None = None) -> str | None:
    """The one spelling of a page address, or None when it is no address of the web.

    As browsers spell it (WHATWG URL: lower case, IDNA, no default port, dot segments resolved), and without fragment,
    credentials, trailing dot of the host, tracking and session parameters and empty query; escapes in upper case, and
    only where they are needed. `base` makes relative addresses whole. Idempotent.
    """
    spelled = _spell(url.strip(), base)
    # What is taken out of a path may leave dot segments behind; no later pass adds anything.
    while spelled is not None and ";" in url and (again := _spell(spelled, None)) != spelled:
        spelled = again
    return spelled


def url_id(url: str) -> str:
    """Stable id of a normalised address: 32 hex digits."""
    return digest("url", url)[:32]


def host_of(url: str) -> str:
    """Host name of a normalised address, without its port; IPv6 addresses in brackets."""
    return _split(url.split("/", 3)[2])[0]


def origin_of(url: str) -> str:
    """Scheme, host and port of a normalised address: what one robots.txt governs."""
    return "/".join(url.split("/", 3)[:3])


@functools.lru_cache(maxsize=65536)
def site_of(host: str) -> str:
    """The registered domain of a host of a normalised address; an IP address is a site of its own."""
    return host if host.endswith("]") or host[-1:].isdigit() else registered_domain(host)


def is_page(url: str) -> bool:
    """Whether the path's suffix leaves room for a page of HTML."""
    name = url.split("?", 1)[0].split("/", 3)[3].rsplit("/", 1)[-1]
    return name.rpartition(".")[2].lower() not in _NOT_A_PAGE if "." in name else True


def _spell(url: str, base: str | None) -> str | None:
    try:
        href = ada_url.join_url(base, url) if base else ada_url.normalize_url(url)
    except ValueError:
        return None
    if not href.startswith(("http://", "https://")):
        return None
    scheme, _, authority, rest = href.partition("#")[0].split("/", 3)
    host, port = _split(authority.rpartition("@")[2])
    host = host.removesuffix(".")
    if "" in host.split("."):
        return None
    path, _, query = rest.partition("?")
    path = _SESSION_IN_PATH.sub("", _escaped(path))
    kept = [part for part in _escaped(query).split("&") if part and not _is_tracking(part)] if query else []
    return f"{scheme}//{host}{port}/{path}" + ("?" + "&".join(kept) if kept else "")


def _split(authority: str) -> tuple[str, str]:
    """Host, and port with its colon, of an authority as browsers spell it."""
    at = authority.find(":", authority.rfind("]") + 1)
    return (authority, "") if at < 0 else (authority[:at], authority[at:])


def _is_tracking(parameter: str) -> bool:
    return _TRACKING.fullmatch(unquote(parameter.partition("=")[0])) is not None


def _escaped(text: str) -> str:
    """Escapes in upper case, unreserved characters plain (RFC 3986, 6.2.2), a percent sign that escapes nothing escaped
    itself."""
    if "%" not in text:
        return text

    def one(escape: re.Match[str]) -> str:
        character = chr(int(escape[1], 16))
        return character if _UNRESERVED.fullmatch(character) else escape[0].upper()

    return _ESCAPE.sub(one, _LONE_PERCENT.sub("%25", text))
