"""People look at questions: `review questions` and `review agreement`."""

from __future__ import annotations

import getpass
from typing import Annotated

import typer

from diffbench_assets.cli.common import LakeOption, SuiteOption, app, open_lake, suite_named
from diffbench_assets.errors import UserError

review_app = typer.Typer(no_args_is_help=True, help="A local page to accept, rewrite or discard options.")
app.add_typer(review_app, name="review")


@review_app.command("questions")
def questions(
    suite: SuiteOption = "lowlevel_mcq",
    reviewer: Annotated[str, typer.Option(help="Your name in the reviews (default: the login name).")] = "",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port of the page; 0 takes a free one.")] = 0,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
    lake: LakeOption = None,
) -> None:
    """Serves the review page on this machine until Ctrl-C. The next build honours what is decided."""
    from diffbench_assets.review.server import serve

    opened, entry = open_lake(lake), suite_named(suite)
    if not opened.files(entry.asked):
        raise UserError(f"{opened.root} has no {entry.asked.name}: run `diffbench build --suite {suite}` first")
    name = reviewer or getpass.getuser().lower()
    shown = entry.protocol.to_review(opened, entry)
    serve(opened, entry.name, shown, name, entry.pairs, port=port, open_browser=browser)


@review_app.command("agreement")
def agreement(suite: SuiteOption = "lowlevel_mcq", lake: LakeOption = None) -> None:
    """Prints how far every two reviewers agree."""
    from diffbench_assets.review.agreement import agreement_text, read_reviews

    print(agreement_text(read_reviews(open_lake(lake), suite_named(suite).name)))
