"""Files that appear whole or not at all, and stores of finished work that outlive a killed process.

Belongs here: write-then-rename, and entries kept under a key: who may write them, and that each is there once `put`
returns. Does not belong here: what an entry means.

A store has one of two layouts. `Log` is for thousands of small answers a second: one file, one write an entry, and the
disk is waited for now and then (`sync`). `Folder` is for entries that are large (an image, a page with its screenshot):
one file each, which is on the disk before `put` returns, so that nothing is copied or read to find another.
"""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Protocol, Self
from uuid import uuid4

from diffbench_assets.errors import UserError

_KEY: Final = re.compile(r"[0-9A-Za-z_-]{1,128}")
_WRITING: Final = ".writing-"
_START: Final = b'{"request_sha256": "'
"""How each line of a log begins; its key follows."""


class StoreError(UserError):
    """A store cannot be used; the message says why and what to do."""


@contextmanager
def writing(path: Path, *, synced: bool = False) -> Iterator[Path]:
    """A temporary name beside `path`, to be written in the block; it becomes `path` at the end, on an error nothing.

    `synced`: on leaving, the file survives a power cut too. A killed process leaves a `.writing-…` that nobody reads;
    the next writer in the folder removes it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    _sweep(path.parent)
    unfinished, claim = _claimed(path.parent)
    try:
        yield unfinished
        if synced:
            _sync(unfinished)
        os.replace(unfinished, path)
        if synced:
            _sync(path.parent)
    finally:
        unfinished.unlink(missing_ok=True)
        os.close(claim)


def _claimed(folder: Path) -> tuple[Path, int]:
    """A new temporary file, and the descriptor that holds it for as long as its process lives."""
    while True:
        unfinished = folder / f"{_WRITING}{uuid4().hex}"
        claim = os.open(unfinished, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        fcntl.flock(claim, fcntl.LOCK_EX)
        if unfinished.exists():
            return unfinished, claim
        os.close(claim)  # swept in between


def _sweep(folder: Path) -> None:
    """Removes what killed processes left unfinished."""
    for unfinished in folder.glob(f"{_WRITING}*"):
        with suppress(OSError):  # another writer's, or gone already
            claim = os.open(unfinished, os.O_RDWR | os.O_CLOEXEC)
            try:
                fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
                unfinished.unlink()
            finally:
                os.close(claim)


def write_bytes(path: Path, data: bytes, *, synced: bool = False) -> None:
    """Writes a file whole or not at all, as `writing` does."""
    with writing(path, synced=synced) as unfinished:
        unfinished.write_bytes(data)


def check_key(key: str, called: str = "key") -> str:
    """`key`, if it can name an entry. Raises ValueError."""
    if not _KEY.fullmatch(key):
        raise ValueError(f"{called} {key!r}: expected 1 to 128 letters, digits, '-' or '_'")
    return key


class Store(Protocol):
    """Finished work by key. Within `with` it is held: one process at a time.

    Entering raises StoreError when another process holds it or it cannot be used; `put` when it cannot be written.
    """

    def __enter__(self) -> Self: ...
    def __exit__(self, *error: object) -> None: ...

    def keys(self) -> set[str]:
        """Keys of all entries."""

    def get(self, key: str) -> bytes | None:
        """The entry as it was put, or None."""

    def put(self, key: str, data: bytes) -> None:
        """Keep an entry, in place of an earlier one; on return it survives the death of this process."""

    def sync(self) -> None:
        """Everything put before survives a power cut; cheap when nothing is new."""
        return None


class Log(Store):
    """A store in one append-only file, a line for each entry: a JSON object, begun with its key.

    Opening reads no JSON: only where each line lies is kept in memory. A line reaches the operating system whole, in
    one write. A torn last line, which a kill or a full disk leaves, is cut off; a damaged one costs itself only.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> Self:
        self._fd = _held(self.path, self.path)
        try:
            self._where, self._size = self._scan()
        except BaseException:
            os.close(self._fd)
            raise
        self._synced = self._size
        return self

    def __exit__(self, *error: object) -> None:
        try:
            self.sync()
        finally:
            os.close(self._fd)

    def keys(self) -> set[str]:
        return {key.decode() for key in self._where}

    def get(self, key: str) -> bytes | None:
        if (where := self._where.get(key.encode())) is None:
            return None
        line = os.pread(self._fd, where[1], where[0])
        return b"{" + line[len(_START) + len(key) + len(b'", ') : -1]

    def put(self, key: str, data: bytes) -> None:
        """`data` is a JSON object of at least one field, on one line."""
        if data[:2] != b'{"' or data[-1:] != b"}" or b"\n" in data:
            raise ValueError(f"{self.path}: an entry of a log is a JSON object on one line")
        line = _START + check_key(key).encode() + b'", ' + data[1:] + b"\n"
        try:
            if os.write(self._fd, line) != len(line):
                raise OSError(None, "the disk took only half a line")
        except OSError as error:
            os.ftruncate(self._fd, self._size)
            raise _unwritable(self.path, error) from None
        self._where[key.encode()] = (self._size, len(line))
        self._size += len(line)

    def sync(self) -> None:
        if self._synced != self._size:
            size = self._size
            os.fdatasync(self._fd)
            self._synced = size

    def _scan(self) -> tuple[dict[bytes, tuple[int, int]], int]:
        """Where each line lies, and where the last whole line ends."""
        where: dict[bytes, tuple[int, int]] = {}
        end = 0
        with open(self._fd, "rb", closefd=False, buffering=1 << 20) as lines:
            lines.seek(0)
            for line in lines:
                if not line.endswith(b"\n"):
                    break
                if end == 0 and not line.startswith(_START):
                    raise StoreError(f"{self.path}: is not a log of finished work; name another file")
                if line.startswith(_START) and line.endswith(b"}\n"):
                    key, separator, _ = line[len(_START) :].partition(b'", ')
                    if separator:
                        where[key] = (end, len(line))
                end += len(line)
        os.ftruncate(self._fd, end)
        return where, end


class Folder(Store):
    """A store of one file an entry: `<first two characters of key>/<key><suffix>`, which holds its bytes and no more.

    With `settings`, entries belong to these: the folder is not held under others. Reading needs no hold.
    """

    def __init__(self, folder: Path, suffix: str, settings: str | None = None) -> None:
        self.folder = folder
        self._suffix = suffix
        self._settings = settings

    def __enter__(self) -> Self:
        self._lock = _held(self.folder / ".lock", self.folder)
        try:
            for unfinished in self.folder.rglob(f"{_WRITING}*"):
                unfinished.unlink()
            if self._settings is not None:
                self._guard(self._settings, self.folder / "settings.json")
        except BaseException:
            os.close(self._lock)
            raise
        return self

    def __exit__(self, *error: object) -> None:
        os.close(self._lock)

    def keys(self) -> set[str]:
        return {path.stem for path in self.folder.glob(f"*/*{self._suffix}")}

    def get(self, key: str) -> bytes | None:
        try:
            return self._path(key).read_bytes()
        except FileNotFoundError:
            return None

    def put(self, key: str, data: bytes) -> None:
        path = self._path(check_key(key))
        try:
            if not path.parent.is_dir():
                path.parent.mkdir(exist_ok=True)
                _sync(self.folder)
            write_bytes(path, data, synced=True)
        except OSError as error:
            raise _unwritable(path, error) from None

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}{self._suffix}"

    def _guard(self, settings: str, file: Path) -> None:
        if not file.exists():
            write_bytes(file, settings.encode())
        elif (held := file.read_text()) != settings:
            raise StoreError(
                f"{self.folder}: its entries were made with other settings ({held}); "
                "name another folder, or delete this one to make them again"
            )


def _held(file: Path, named: Path) -> int:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise StoreError(f"{named}: cannot be opened ({error.strerror})") from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise StoreError(
            f"{named}: another run is using it now; wait for it to end, or stop it, then run again"
        ) from None
    return descriptor


def _unwritable(path: Path, error: OSError) -> StoreError:
    return StoreError(f"{path}: cannot be written ({error.strerror}); free space and run again")


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
