"""Options of commands that open models: how a robot is held, its inertias, limits and packages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from ..io.inertias import WAYS

KEPT = "condyle.robots"  # where in click's context
MODELS = (".urdf", ".sdf", ".xml", ".mjcf", ".toml", ".osim")


def _keep(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    if value:
        context.meta.setdefault(KEPT, {})[parameter.name] = value


def robot_options(command: Callable) -> Callable:
    """Add the options to a command; what is given is found by `asked_of` when a file is opened."""
    options = (
        click.option("--base", type=click.Choice(["fixed", "free"]), help="How the root link of a URDF or SDF is held.",
                     expose_value=False, callback=_keep),
        click.option("--inertias", type=click.Choice(WAYS), expose_value=False, callback=_keep,
                     help="What to do with moments of inertia that no body has: refuse, or take the nearest."),
        click.option("--limits", type=click.Choice(["range", "stiff"]), expose_value=False, callback=_keep,
                     help="Whether springs act at the ends of ranges."),
        click.option("--packages", type=click.Path(), multiple=True, expose_value=False, callback=_keep,
                     help="Folder of or around the packages of a URDF; may be repeated."),
        click.option("--geometry", type=click.Path(), multiple=True, expose_value=False, callback=_keep,
                     help="Folder of the mesh files of an .osim model; may be repeated."),
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def asked_of(path: str) -> dict[str, Any]:
    """The options that were given, as `load` takes them, for a file that holds a model."""
    context = click.get_current_context(silent=True)
    suffix = Path(path).suffix.lower()
    given = {} if context is None or suffix not in MODELS else context.meta.get(KEPT, {})
    return {name: list(value) if isinstance(value, tuple) else value for name, value in given.items()}
