"""Asks `count` edits and writes each one's number to a file as it comes; a process of its own, made to be killed.

`python -m diffbench_assets_tests.pairs.photographs.asker URL JOURNAL COUNT OUTPUT`
"""

from __future__ import annotations

import asyncio
import os
import sys

import numpy as np

from diffbench_assets.models.journal import ImageJournal
from diffbench_assets.pairs.photographs.crops import encode
from diffbench_assets.pairs.photographs.editor import ImageEditor
from diffbench_assets_tests.pairs.photographs.helpers import endpoint

IMAGE = encode(np.full((20, 60, 3), 200, np.uint8))


def prompt(number: int) -> str:
    """What request `number` asks; the server counts by it."""
    return f"item=edit-{number} make it darker"


async def ask(url: str, journal: ImageJournal, count: int, out: int) -> None:
    async with ImageEditor(endpoint(url), journal) as editor:

        async def one(number: int) -> None:
            edit = await editor.edit(IMAGE, prompt(number))
            os.write(out, f"{number} {edit.outcome} {edit.cached}\n".encode())

        await asyncio.gather(*(one(number) for number in range(count)))


if __name__ == "__main__":
    url, folder, count, output = sys.argv[1:]
    with ImageJournal(folder) as journal:
        asyncio.run(ask(url, journal, int(count), os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND)))
