"""The journal of finished calls: what makes kill -9 cheap.

Belongs here: answers by request fingerprint, as they lie in a store. Does not belong here: errors (they are asked
again), tables of the lake, and how a store keeps its promises (`durable.py`).

An entry is a line of JSON, and after it the answer's image where it is one. What is damaged is asked again.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Self

from diffbench_assets.durable import Folder, Log, Store
from diffbench_assets.models.replies import FINISHED, Answer, heard


class Journal:
    """Finished answers of words by request fingerprint, in one file. A context manager, as its store is."""

    def __init__(self, path: str | Path) -> None:
        self._store: Store = Log(Path(path))

    def __enter__(self) -> Self:
        self._store.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._store.__exit__(*error)

    def get(self, request_sha256: str) -> Answer | None:
        """The finished answer to this request, or None."""
        head, _, image = (self._store.get(request_sha256) or b"").partition(b"\n")
        try:
            fields = json.loads(head)
            size = fields.pop("image_bytes", None)
            if (size or 0) != len(image):
                return None
            # Heard again: journals of earlier versions hold thoughts in their answers.
            answer = heard(Answer(**fields, image=None if size is None else image))
        except (ValueError, TypeError, AttributeError):
            return None
        return answer if answer.outcome in FINISHED else None

    def put(self, request_sha256: str, answer: Answer) -> None:
        """Keep a finished answer; on return it survives the death of this process. Raises StoreError."""
        if answer.outcome not in FINISHED:
            raise ValueError(f"an answer with outcome {answer.outcome} is not finished and is never kept")
        if (image := answer.image) is None:
            self._store.put(request_sha256, json.dumps(answer.row()).encode())
        else:
            head = json.dumps(answer.row() | {"image_bytes": len(image)}).encode()
            self._store.put(request_sha256, head + b"\n" + image)

    def sync(self) -> None:
        """Force what was written onto the disk, so that it survives a power cut."""
        self._store.sync()


class ImageJournal(Journal):
    """Finished answers that are images, in a folder with one file each."""

    def __init__(self, folder: str | Path) -> None:
        self._store = Folder(Path(folder), ".edit")
