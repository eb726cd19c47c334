"""Finished hosts on disk, one file each: what makes kill -9 and days in between cheap.

Belongs here: a site as an entry of a store, and the tables of many. Does not belong here: discovery, and how a file is
kept (`durable.py`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from diffbench_assets.corpus.sitemaps.discover import Site
from diffbench_assets.corpus.sitemaps.settings import DiscoverySettings
from diffbench_assets.durable import Folder
from diffbench_assets.seeds import digest


def spool_of(folder: Path, settings: DiscoverySettings | None = None) -> Folder:
    """The store of finished sites in `folder`; to fill it one names the settings, which must be the same each time."""
    return Folder(folder, ".json", settings.fingerprint() if settings else None)


def key_of(host: str) -> str:
    """What a host is kept under: a digest, because its text is not ours and file names are not made for it."""
    return digest("host", host)[:32]


def entry_of(site: Site) -> bytes:
    """A finished site as it is kept."""
    return json.dumps({"row": site.row, "urls": site.urls}, ensure_ascii=False).encode("utf-8", "replace")


def rows_of(spool: Path, hosts: Iterable[str]) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    """Rows of `sites` by host and of `site_urls` by host and address, of those `hosts` that are finished.

    An address that several hosts of one site name is a row of the host it lies on, else of the first one; `urls_kept`
    in `sites` counts it at each.
    """
    store = spool_of(spool)
    sites: list[dict[str, object]] = []
    urls: dict[str, dict[str, object]] = {}
    for host in sorted(set(hosts)):
        entry = store.get(key_of(host))
        if entry is None:
            continue
        kept = json.loads(entry)
        sites.append(kept["row"])
        for row in kept["urls"]:
            held = urls.setdefault(row["url_id"], row)
            if held is not row and f"//{host}/" in row["url"]:
                urls[row["url_id"]] = row
    return sites, sorted(urls.values(), key=lambda row: (str(row["host"]), str(row["url"])))
