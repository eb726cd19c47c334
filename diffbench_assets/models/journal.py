"""The journal of finished calls: what makes kill -9 cheap.

Belongs here: one append-only file of JSON lines per model, keyed by request fingerprint. Does not belong here: errors
(they are asked again), and tables of the lake.

Each line starts with its fingerprint at a fixed offset, so opening reads no JSON: only where each line lies is kept in
memory, and an answer is read from the file when it is wanted. A line is handed to the operating system whole, in one
write, before its reply is passed on: a killed process loses nothing. `sync` adds what a power cut needs.
"""

from __future__ import annotations

import fcntl
import json
import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from diffbench_assets.models.replies import FINISHED, Answer

_START = b'{"request_sha256": "'
_KEY = slice(len(_START), len(_START) + 64)


class JournalError(RuntimeError):
    """The journal cannot be used; the message says why and what to do."""


class Journal:
    """Finished answers by request fingerprint. A context manager; one process at a time may hold a journal.

    Opening raises JournalError when the file cannot be opened, is held by another run, or is no journal.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise JournalError(f"{self.path}: cannot be opened ({error.strerror})") from None
        try:
            self._lock()
            self._where, self._size = self._scan()
        except BaseException:
            os.close(self._fd)
            raise
        self._synced = self._size

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self._where)

    def get(self, request_sha256: str) -> Answer | None:
        """The finished answer to this request, or None (also when its line is damaged: it is asked again)."""
        where = self._where.get(bytes.fromhex(request_sha256))
        if where is None:
            return None
        try:
            fields = json.loads(os.pread(self._fd, where[1], where[0]))
            del fields["request_sha256"]
            answer = Answer(**fields)
        except (ValueError, TypeError):
            return None
        return answer if answer.outcome in FINISHED else None

    def put(self, request_sha256: str, answer: Answer) -> None:
        """Append a finished answer; on return it survives the death of this process. Raises JournalError."""
        if answer.outcome not in FINISHED:
            raise ValueError(f"an answer with outcome {answer.outcome} is not finished and is never kept")
        line = json.dumps({"request_sha256": request_sha256, **answer.row()}).encode() + b"\n"
        try:
            written = os.write(self._fd, line)
            if written != len(line):
                raise OSError(None, "the disk took only half a line")
        except OSError as error:
            os.ftruncate(self._fd, self._size)
            raise JournalError(f"{self.path}: cannot be written ({error.strerror}); free space and run again") from None
        self._where[bytes.fromhex(request_sha256)] = (self._size, len(line))
        self._size += len(line)

    def sync(self) -> None:
        """Force what was written onto the disk, so that it survives a power cut; cheap when nothing is new."""
        if self._synced != self._size:
            size = self._size
            os.fdatasync(self._fd)
            self._synced = size

    def close(self) -> None:
        """Sync and release the journal."""
        try:
            self.sync()
        finally:
            os.close(self._fd)

    def _lock(self) -> None:
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise JournalError(
                f"{self.path}: another run is asking this model now; wait for it to end, or stop it, then run again"
            ) from None

    def _scan(self) -> tuple[dict[bytes, tuple[int, int]], int]:
        """Where each line lies, and where the last whole line ends. A torn last line is cut off."""
        where: dict[bytes, tuple[int, int]] = {}
        end = 0
        with open(self._fd, "rb", closefd=False, buffering=1 << 20) as lines:
            lines.seek(0)
            for line in lines:
                if not line.endswith(b"\n"):
                    break
                if end == 0 and not line.startswith(_START):
                    raise JournalError(f"{self.path}: is not a journal of replies; name another file")
                if line.startswith(_START) and line.endswith(b"}\n"):
                    with suppress(ValueError):
                        where[bytes.fromhex(line[_KEY].decode("ascii"))] = (end, len(line))
                end += len(line)
        os.ftruncate(self._fd, end)
        return where, end
