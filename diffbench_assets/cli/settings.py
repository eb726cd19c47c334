"""Options that suites declare: one for each setting of their pairs and protocols.

Belongs here: from declared settings to options, and from what was given back to settings. Does not belong here: any one
setting.
"""

from __future__ import annotations

from collections.abc import Mapping
from inspect import Parameter, Signature
from typing import Annotated, Any

import typer
from pydantic import ValidationError
from pydantic.fields import FieldInfo
from typer.core import TyperCommand
from typer.main import get_command

from diffbench_assets.cli.common import known_suites
from diffbench_assets.errors import UserError
from diffbench_assets.protocols.protocol import Suite

GIVEN = "diffbench.given"


class WithSettings(TyperCommand):
    """A command that takes the settings of all suites; `given_to` tells which ones were given."""

    def get_params(self, ctx: Any) -> list[Any]:
        fields: dict[str, dict[str, FieldInfo]] = {}
        for suite in known_suites().values():
            for kind in suite.settings.values():
                for name, field in kind.model_fields.items():
                    fields.setdefault(name, {})[suite.name] = field

        def taken() -> None: ...

        taken.__signature__ = Signature([_option(name, of) for name, of in fields.items()])  # type: ignore[attr-defined]
        options = typer.Typer(add_completion=False)
        options.command()(taken)
        return [*super().get_params(ctx), *get_command(options).params]


def _option(name: str, fields: Mapping[str, FieldInfo]) -> Parameter:
    first = next(iter(fields.values()))
    kind: Any = first.annotation if first.annotation in (bool, list[str]) else str
    takers = ", ".join(f"{suite} {field.default}".strip() if kind is str else suite for suite, field in fields.items())
    told = typer.Option(
        f"--{name.replace('_', '-')}", help=f"{first.description} ({takers})", callback=_keep, expose_value=False
    )
    return Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind | None, told])


def _keep(context: typer.Context, param: typer.CallbackParam, value: Any) -> None:
    if value:
        context.meta.setdefault(GIVEN, {})[param.name] = value


def given_to(suite: Suite, context: typer.Context) -> dict[str, dict[str, Any]]:
    """What was given of the suite's settings, by pairs or protocol. Raises UserError for what is wrong or not its."""
    given = context.meta.get(GIVEN, {})
    found = {}
    for owner, kind in suite.settings.items():
        own = {name: value for name, value in given.items() if name in kind.model_fields}
        try:
            found[owner] = kind(**own).model_dump(include=set(own))
        except ValidationError as error:
            wrong = error.errors()[0]
            raise UserError(f"--{str(wrong['loc'][0]).replace('_', '-')}: {wrong['msg']}") from None
    if other := given.keys() - {name for own in found.values() for name in own}:
        raise UserError(f"suite {suite.name} takes no --{min(other).replace('_', '-')}")
    return found


def of_demo(suite: Suite) -> dict[str, dict[str, Any]]:
    """The values of `diffbench demo`, by pairs or protocol."""
    extras = {
        owner: {name: field.json_schema_extra for name, field in kind.model_fields.items()}
        for owner, kind in suite.settings.items()
    }
    return {
        owner: {name: said["demo"] for name, said in of.items() if isinstance(said, dict) and said.get("demo")}
        for owner, of in extras.items()
    }
