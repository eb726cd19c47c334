"""Asks `count` calls and writes each reply's item to a file as it comes; a process of its own, made to be killed.

`python -m diffbench_assets_tests.models.asker URL JOURNAL COUNT OUTPUT`
"""

from __future__ import annotations

import os
import sys

from diffbench_assets.models.journal import Journal
from diffbench_assets.models.run import Run
from diffbench_assets_tests.models.helpers import endpoint, pair_call


def main(url: str, journal_path: str, count: str, output: str) -> None:
    out = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    with Journal(journal_path) as journal:
        calls = (pair_call(f"pair-{index}") for index in range(int(count)))
        for reply in Run(endpoint(url, concurrency=8), calls, journal):
            os.write(out, f"{reply.item_id} {reply.outcome} {reply.cached}\n".encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
