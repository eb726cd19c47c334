"""Settings from the environment, as Dagster's own kind of value: the launchpad shows which variable a run will read.

Belongs here: how a resource's field takes a variable. Does not belong here: any one setting.
"""

from __future__ import annotations

import os
from typing import Any

from dagster import EnvVar


def setting(variable: str, default: str | int) -> Any:
    """The environment variable where it is set, read by each run; else `default`, which the launchpad shows too.

    A resource used outside a run has to be initialised first, by `process_config_and_initialize_cm`: without its end an
    instance of Dagster's is left to the garbage collector, which closes its databases in the wrong order.
    """
    if not os.environ.get(variable):
        return default
    return EnvVar.int(variable) if isinstance(default, int) else EnvVar(variable)
