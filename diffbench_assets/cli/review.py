"""People look at questions: `review questions` and `review agreement`."""

from __future__ import annotations

import getpass
from typing import Annotated

import typer

from diffbench_assets.cli.common import LakeOption, SuiteOption, app, open_lake
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
    from diffbench_assets.suites import suite_named

    opened, entry = open_lake(lake), suite_named(suite)
    if not opened.files(entry.table("questions")):
        raise UserError(f"{opened.root} has no questions of {suite}: run `diffbench build --suite {suite}` first")
    name = reviewer or getpass.getuser().lower()
    serve(opened, entry.name, name, port=port, open_browser=browser, pairs=entry.pairs)


@review_app.command("agreement")
def agreement(suite: SuiteOption = "lowlevel_mcq", lake: LakeOption = None) -> None:
    """Prints how far every two reviewers agree."""
    from diffbench_assets.review.agreement import agreement_text, read_reviews
    from diffbench_assets.suites import suite_named

    print(agreement_text(read_reviews(open_lake(lake), suite_named(suite).name)))
