"""`diffbench`: the same assets, from a shell.

Belongs here: commands that select partitions, run assets and print results, one module a concern. Does not belong here:
any logic of theirs.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextvars import copy_context
from typing import TYPE_CHECKING

from diffbench_assets.cli import build, crawl, evaluate, models, pairs, query, review
from diffbench_assets.cli.common import STARTED_WITH, app
from diffbench_assets.errors import UserError

if TYPE_CHECKING:
    from diffbench_assets.protocols.protocol import Suite

__all__ = ["app", "build", "crawl", "evaluate", "main", "models", "pairs", "query", "review"]


def main(arguments: Sequence[str] | None = None, suites: Mapping[str, Suite] | None = None) -> None:
    """Entry point: errors that the user can act on are one line, without a traceback.

    `arguments` are the shell's by default, and `suites` those of `suites.py`.
    """
    import duckdb

    context = copy_context()
    context.run(STARTED_WITH.set, suites)
    try:
        context.run(app, arguments)
    except (UserError, ValueError, duckdb.Error) as error:
        print(f"diffbench: {error}", file=sys.stderr)
        raise SystemExit(2) from None
