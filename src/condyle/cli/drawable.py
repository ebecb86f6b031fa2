"""What can be drawn of what a file holds."""

from __future__ import annotations

from typing import Any

import click
import numpy as np

from ..errors import BadFile
from ..formats.tables.marker_frames import Markers
from ..io.arm_file import is_arm
from ..io.motions.torque_file import is_torques
from ..joints import Joint
from ..model import Model, ModelBuilder
from ..simulation import Trajectory
from ..spatial import Inertia
from ..trial.measured_markers import read_markers
from .common import file_name, load_model


def drawable(thing: Any, path: str, model: str | None) -> Any:
    """What can be drawn of a thing: itself, a body that a joint carries, or the states that torques belong to."""
    if isinstance(thing, Joint):
        return ModelBuilder().add_body("body", joint=thing, inertia=Inertia.box(1.0, (0.1, 0.1, 0.1))).build()
    if not is_torques(thing):
        return thing
    if model is None:
        raise BadFile(f"{path}: torques do not hold their model; give it: --model MODEL")
    return _states_of(thing, load_model(model), path)


def _states_of(torques: Any, model: Model, path: str) -> Trajectory:
    """The motion that torques were made for."""
    q, v = (np.moveaxis(x, 0, -2) for x in (torques.q, torques.v))
    if (q.shape[-1], v.shape[-1]) != (model.nq, model.nv):
        raise BadFile(f"{path}: its states have {q.shape[-1]} coordinates and {v.shape[-1]} velocities, the model "
                      f"that was given {model.nq} and {model.nv}")  # fmt: skip
    return Trajectory(model, torques.t, q, v)


markers_option = click.option(
    "--markers", default=None, type=file_name, help="Measured markers (.trc, .c3d), shown beside those of the model."
)


def measured(path: str | None) -> Markers | None:
    """The markers of a file."""
    return None if path is None else read_markers(path)


def without_arm(thing: Any) -> Any:
    """An arm as the model of its skeleton, other things as they are."""
    return thing.as_model() if is_arm(thing) else thing
