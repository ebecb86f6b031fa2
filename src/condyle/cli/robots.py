"""Options of commands that open models: how a robot is held, its inertias, limits and packages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from ..formats.doubts import POLICIES, files_read
from ..formats.tables.marker_frames import UNITS
from ..io.inertias import WAYS

KEPT = "condyle.robots"  # where in click's context
MODELS = (".urdf", ".sdf", ".xml", ".mjcf", ".toml", ".osim")


def _keep(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    if value:
        context.meta.setdefault(KEPT, {})[parameter.name] = value


def _asked(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    """Files are read as asked until the command ends."""
    if value:
        context.with_resource(files_read(**{parameter.name: value}))  # type: ignore[arg-type]


strict_option = click.option("--strict", is_flag=True, expose_value=False, callback=_asked,
                             help="Refuse what is doubtful in files instead of a warning.")  # fmt: skip
truncated_option = click.option("--truncated", type=click.Choice(POLICIES), expose_value=False, callback=_asked,
                                help="Tables that are cut off: refuse (error), or read the rest (warn).")  # fmt: skip


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
        click.option("--unit", type=click.Choice(UNITS), expose_value=False, callback=_keep,
                     help="Length unit of a BVH file; metres by default."),
    )  # fmt: skip
    for option in reversed((*options, strict_option)):
        command = option(command)
    return command


def asked_of(path: str) -> dict[str, Any]:
    """The options that were given, as `load` takes them, for a file that holds a model."""
    context = click.get_current_context(silent=True)
    suffix = Path(path).suffix.lower()
    kept = {} if context is None else context.meta.get(KEPT, {})
    given = {name: x for name, x in kept.items() if (suffix == ".bvh" if name == "unit" else suffix in MODELS)}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in given.items()}
