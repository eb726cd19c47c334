"""Finished hosts on disk, one file each: what makes kill -9 and days in between cheap.

Belongs here: keeping and finding finished sites. Does not belong here: discovery, and tables of the lake.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType

from diffbench_assets import durable
from diffbench_assets.corpus.sitemaps.discover import Site
from diffbench_assets.corpus.sitemaps.settings import DiscoverySettings
from diffbench_assets.errors import UserError
from diffbench_assets.seeds import digest

_SETTINGS = "settings.json"
_LOCK = ".lock"


class SpoolError(UserError):
    """The spool cannot be used; the message says why and what to do."""


class Spool:
    """A folder of finished sites. A context manager while it is written; one process at a time may hold it.

    Opening raises SpoolError when another process holds it, or when it was filled under other settings.
    """

    def __init__(self, folder: Path, settings: DiscoverySettings) -> None:
        self.folder = folder
        self._settings = settings.fingerprint()

    def __enter__(self) -> Spool:
        self.folder.mkdir(parents=True, exist_ok=True)
        self._lock = os.open(self.folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            self._hold()
        except BaseException:
            os.close(self._lock)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        os.close(self._lock)

    def __contains__(self, host: str) -> bool:
        return _path(self.folder, host).exists()

    def put(self, host: str, site: Site) -> None:
        """Keeps a finished site; on return it survives the death of this process."""
        data = json.dumps({"row": site.row, "urls": site.urls}, ensure_ascii=False)
        durable.write_bytes(_path(self.folder, host), data.encode("utf-8", "replace"))

    def _hold(self) -> None:
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SpoolError(f"{self.folder}: another run is filling it now; wait for it to end, or stop it") from None
        settings = self.folder / _SETTINGS
        if not settings.exists():
            durable.write_bytes(settings, self._settings.encode())
        elif settings.read_text() != self._settings:
            raise SpoolError(
                f"{self.folder}: its hosts were read with other settings ({settings.read_text()}); "
                "name another folder, or delete this one to ask all hosts again"
            )


def rows_of(spool: Path, hosts: Iterable[str]) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    """Rows of `sites` by host and of `site_urls` by host and address, of those `hosts` that are finished.

    An address that several hosts of one site name is a row of the host it lies on, else of the first one; `urls_kept`
    in `sites` counts it at each.
    """
    sites: list[dict[str, object]] = []
    urls: dict[str, dict[str, object]] = {}
    for host in sorted(set(hosts)):
        path = _path(spool, host)
        if not path.exists():
            continue
        kept = json.loads(path.read_bytes())
        sites.append(kept["row"])
        for row in kept["urls"]:
            held = urls.setdefault(row["url_id"], row)
            if held is not row and f"//{host}/" in row["url"]:
                urls[row["url_id"]] = row
    return sites, sorted(urls.values(), key=lambda row: (str(row["host"]), str(row["url"])))


def _path(folder: Path, host: str) -> Path:
    # A digest, because a host's text is not ours and file names are not made for it.
    name = digest("host", host)[:32]
    return folder / name[:2] / f"{name}.json"
