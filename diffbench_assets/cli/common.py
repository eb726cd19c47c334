"""What several commands share: the app, their common options, and finding what an option names.

Belongs here: options and look-ups. Does not belong here: commands.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Annotated, Any

import typer

from diffbench_assets import __version__
from diffbench_assets.bars import QUIET
from diffbench_assets.errors import UserError

if TYPE_CHECKING:
    from diffbench_assets.protocols.protocol import Suite

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    # Plain help: a table would cut the names of options on a narrow terminal.
    rich_markup_mode=None,
    help="`diffbench`: the assets of the graph, from a shell.",
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"diffbench-assets {__version__}")
        raise typer.Exit()


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Prints the version.", is_eager=True, callback=_print_version)
    ] = False,
) -> None: ...


_DETAILS: ContextVar[bool] = ContextVar("details", default=True)

STARTED_WITH: ContextVar[Mapping[str, Suite] | None] = ContextVar("suites", default=None)
"""The suites that the program was started with, by name; None stands for those of `suites.py`."""

LakeOption = Annotated[str | None, typer.Option(help="Folder or URL of the lake (default: DIFFBENCH_LAKE, or ./lake).")]
SuitesOption = Annotated[
    list[str] | None, typer.Option("--suite", help="Suite (repeatable); every suite that is built by default.")
]
CellsOption = Annotated[
    list[str] | None, typer.Option("--cells", help="Cell, operator, category or tier (repeatable); all by default.")
]
ModelsOption = Annotated[
    list[str] | None, typer.Option("--model", help="Model id (repeatable); all that are not retired by default.")
]


def _be_quiet(quiet: bool) -> bool:
    QUIET.set(quiet)
    return quiet


QuietOption = Annotated[bool, typer.Option("--quiet", help="Prints results and errors alone.", callback=_be_quiet)]
BudgetUsdOption = Annotated[float | None, typer.Option(help="Stop before this many dollars are spent.")]
BudgetCallsOption = Annotated[int | None, typer.Option(help="Stop after this many calls.")]


def say(line: str = "") -> None:
    """Prints what is no result, unless quiet was asked for."""
    if _DETAILS.get() and not QUIET.get():
        print(line, flush=True)


@contextmanager
def details(wanted: bool) -> Iterator[None]:
    """A part of a command that says what it does only where details are `wanted`; its bars stay."""
    token = _DETAILS.set(wanted)
    try:
        yield
    finally:
        _DETAILS.reset(token)


def open_lake(lake: str | None) -> Any:
    """The lake that the option names, for this process and whatever it starts."""
    from diffbench_assets.lake import Lake

    if lake:
        os.environ["DIFFBENCH_LAKE"] = lake
    return Lake(os.environ.get("DIFFBENCH_LAKE", "lake"))


def registry() -> Any:
    """models.yaml and judges.yaml."""
    from diffbench_assets.resources.models import RegistryResource, baselines_of, kinds_of

    suites = known_suites().values()
    resource = RegistryResource(baselines=baselines_of(suites), kinds=kinds_of(suites))
    with resource.process_config_and_initialize_cm() as ready:
        return ready


def spending(command: str, budget_usd: float | None, budget_calls: int | None, models: Iterable[Any]) -> Any:
    """What all runs of this command may spend together, asking `models`. Raises UserError for one without a price."""
    for model in models:
        if budget_usd is not None and not model.embedded and not model.usd_per_million_tokens:
            raise UserError(
                f"--budget-usd needs the price of {model.id}: give it usd_per_million_tokens in its registry, or say "
                "--budget-calls instead"
            )
    from diffbench_assets.resources.models import SpendingResource

    return SpendingResource(budget_usd=budget_usd, budget_calls=budget_calls, shared_as=f"{command} {os.getpid()}")


def chosen(named: list[str] | None, known: dict[str, Any], kind: str) -> list[str]:
    """The entries that are named, or all that are not retired. Raises UserError for an unknown one."""
    for name in named or []:
        if name not in known:
            raise UserError(f"unknown {kind} {name!r}; {kind}s.yaml has {', '.join(known)}")
    return list(named or [name for name, entry in known.items() if not entry.retired])


def known_suites() -> Mapping[str, Suite]:
    """The suites that there are, by name."""
    from diffbench_assets.suites import SUITES

    return STARTED_WITH.get() or SUITES


def suite_named(name: str) -> Suite:
    """Raises UserError, naming what exists, when there is no such suite."""
    suites = known_suites()
    if name not in suites:
        raise UserError(f"there is no suite {name!r}; suites are {', '.join(suites)}")
    return suites[name]


def built_suites(lake: Any, names: list[str] | None) -> list[Suite]:
    """The suites that are named, or all that have something to ask about. Raises UserError when there is none."""
    suites = [suite_named(name) for name in names or known_suites()]
    built = [suite for suite in suites if lake.files(suite.asked)]
    if not built:
        raise UserError(f"{lake.root} has no {' or '.join(s.name for s in suites)} yet: run `diffbench build` first")
    return built


def built_cells(lake: Any, suite: Suite, cells: list[str] | None) -> list[str]:
    """The chosen cells of a suite that are built. Raises UserError when there is none."""
    there = lake.cell_counts(suite.asked)
    found = [cell for cell in suite.select(cells or []) if cell in there]
    if not found:
        raise UserError(f"{lake.root} has no such cells of {suite.name}: run `diffbench build` first")
    return found
