"""The journal of finished edits: what makes kill -9 cheap when every answer is an image.

Belongs here: one folder per endpoint with one file per request fingerprint, holding what came back. Does not belong
here: failures (they are asked again), and what an answer is worth: that is read anew each time, for nothing.

A file is one line of JSON and then the image's bytes as they came. It appears whole, and is on the disk, before the
edit is passed on.
"""

from __future__ import annotations

import fcntl
import json
import os
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Literal

from diffbench_assets.models.journal import JournalError

Came = Literal["image", "refused", "no_image"]


@dataclass(frozen=True, slots=True)
class Kept:
    """What an endpoint answered for good: an image, a refusal, or an answer paid for whose image cannot be had."""

    came: Came
    image: bytes = b""
    reason: str | None = None
    attempts: int = 0


class EditJournal:
    """Finished answers by request fingerprint. A context manager; one process at a time may hold a journal.

    Raises JournalError when the folder cannot be used or is held by another run.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise JournalError(f"{self.folder}: cannot be opened ({error.strerror})") from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._lock)
            raise JournalError(
                f"{self.folder}: another run is asking for edits now; wait for it to end, or stop it, then run again"
            ) from None

    def __enter__(self) -> EditJournal:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Release the folder."""
        os.close(self._lock)

    def get(self, request_sha256: str) -> Kept | None:
        """What was answered to this request, or None (also when its file is damaged: it is asked again)."""
        try:
            head, _, image = self._path(request_sha256).read_bytes().partition(b"\n")
            fields = json.loads(head)
            if fields.pop("request_sha256") != request_sha256 or fields.pop("bytes") != len(image):
                return None
            return Kept(image=image, **fields)
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return None

    def put(self, request_sha256: str, kept: Kept) -> None:
        """Keep a finished answer; on return it survives the death of this process. Raises JournalError."""
        path = self._path(request_sha256)
        fields = {"came": kept.came, "reason": kept.reason, "attempts": kept.attempts}
        head = {"request_sha256": request_sha256, "bytes": len(kept.image), **fields}
        part = path.with_suffix(".part")
        try:
            path.parent.mkdir(exist_ok=True)
            with part.open("wb") as file:
                file.write(json.dumps(head).encode() + b"\n" + kept.image)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        except OSError as error:
            raise JournalError(f"{path}: cannot be written ({error.strerror}); free space and run again") from None

    def _path(self, request_sha256: str) -> Path:
        return self.folder / request_sha256[:2] / f"{request_sha256}.edit"
