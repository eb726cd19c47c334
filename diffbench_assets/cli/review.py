"""People look at questions: `review questions` and `review agreement`."""

from __future__ import annotations

import getpass
from typing import Annotated, Any

import typer

from diffbench_assets.cli.common import LakeOption, app, built_suites, open_lake

SuiteOption = Annotated[
    str | None, typer.Option("--suite", help="Name of a suite; the first one that has something to review by default.")
]

review_app = typer.Typer(no_args_is_help=True, help="A local page to accept, rewrite or discard options.")
app.add_typer(review_app, name="review")


@review_app.command("questions")
def questions(
    suite: SuiteOption = None,
    reviewer: Annotated[str, typer.Option(help="Your name in the reviews (default: the login name).")] = "",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port of the page; 0 takes a free one.")] = 0,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
    lake: LakeOption = None,
) -> None:
    """Serves the review page on this machine until Ctrl-C. The next build honours what is decided."""
    from diffbench_assets.review.server import serve

    opened = open_lake(lake)
    entry = _reviewed(opened, suite)
    name = reviewer or getpass.getuser().lower()
    shown = entry.protocol.to_review(opened, entry)
    serve(opened, entry.name, shown, name, entry.pairs, port=port, open_browser=browser)


@review_app.command("agreement")
def agreement(suite: SuiteOption = None, lake: LakeOption = None) -> None:
    """Prints how far every two reviewers agree."""
    from diffbench_assets.review.agreement import agreement_text, read_reviews

    opened = open_lake(lake)
    print(agreement_text(read_reviews(opened, _reviewed(opened, suite).name)))


def _reviewed(lake: Any, suite: str | None) -> Any:
    """The suite that is named, or the first that is built and has something to review."""
    from diffbench_assets.schemas import REVIEWS

    built = built_suites(lake, [suite] if suite else None)
    return next((entry for entry in built if REVIEWS in entry.protocol.tables), built[0])
