"""The registries: `models` and `models check`."""

from __future__ import annotations

from typing import Annotated

import typer

from diffbench_assets.cli.common import app, registry
from diffbench_assets.errors import UserError

models_app = typer.Typer(no_args_is_help=False, invoke_without_command=True, help="Lists the models of models.yaml.")
app.add_typer(models_app, name="models")


@models_app.callback()
def list_models(context: typer.Context) -> None:
    """Lists models and judges, with what the tables will say about them."""
    if context.invoked_subcommand:
        return
    entries_of = registry()
    for kind, entries in (("model", entries_of.models), ("judge", entries_of.judges)):
        for name, entry in entries.items():
            where = "embedded" if entry.embedded else entry.endpoint
            print(f"{kind:6} {name:28} {where:44}" + (" retired" if entry.retired else ""))


@models_app.command("check")
def check(name: Annotated[str, typer.Argument(help="Id of a model or a judge.")]) -> None:
    """Sends one real request and says what is wrong, if anything is."""
    from diffbench_assets.models.check import check_model

    known = registry()
    entry = known.models.get(name) or known.judges.get(name)
    if entry is None:
        raise UserError(f"{name!r} is neither in models.yaml nor in judges.yaml")
    diagnosis = check_model(entry, images=name in known.models)
    print(diagnosis.sentence)
    if not diagnosis.ok:
        raise typer.Exit(1)
