"""What commands share: arguments, starting states, printing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import numpy as np

from ..errors import BadFile, BadShape, BadValue, require
from ..io import load
from ..joints import Joint
from ..model import Model
from ..simulation import Trajectory
from ..skeleton import Trajectory as SkeletonTrajectory
from .robots import asked_of
from .spoken_warnings import warnings_in_words

file_name = click.Path()  # for completion: what is there, or what is wrong with it, is said by who opens it
seed = click.option("--seed", default=0, show_default=True, type=click.IntRange(0), help="Seed of what is random.")
model_option = click.option("--model", type=file_name, help="Model file of a motion that does not hold its own.")
start = click.option(
    "--set", "start", multiple=True, metavar="COORDINATE=VALUE", help="Start value [rad or m]; may be repeated."
)


def opened(path: str, model: str | None = None) -> Any:
    """What a file holds, opened as the options say; `model` is the file of a trajectory's model. Warnings in words."""
    with warnings_in_words():
        return load(path, model=load_model(model) if model else None, **asked_of(path))


def load_model(path: str) -> Model:
    """The model of a file."""
    found = opened(path)
    require(isinstance(found, Model), _not_a_model(path, found), BadFile)
    return found


def _not_a_model(path: str, found: Any) -> str:
    """What is wrong with a file that holds something else, and for a joint, a skeleton or a run the way out."""
    words, name = f"{path}: a model is needed, this is a", Path(path).name
    if isinstance(found, Joint):
        return f'{words} joint; carry a body with it in a model file: joint = {{ type = "file", path = "{name}" }}'
    if isinstance(found, SkeletonTrajectory):
        return (
            f"{words} motion of a skeleton. Skeletons are simulated from Python: "
            f'cd.load("{name}").skeleton.simulate(duration=2, step=1e-3)'
        )
    if isinstance(found, Trajectory):
        return f'{words} trajectory. Save its model: cd.save(cd.load("{name}").model, "model.toml")'
    return f"{words} {type(found).__name__.lower()}"


def assignment(text: str) -> tuple[str, np.ndarray]:
    """NAME=NUMBERS."""
    name, found, values = text.partition("=")
    require(found and name.strip(), "write NAME=VALUE", BadValue, got=text)
    return name.strip(), vector(values, text)


def vector(text: str, what: str) -> np.ndarray:
    """Comma-separated numbers."""
    try:
        return np.array([float(x) for x in text.split(",")])
    except ValueError:
        raise BadValue(f"expected comma-separated numbers in {what!r}, got {text!r}") from None


def state(model: Model, settings: tuple[str, ...], velocities: tuple[str, ...] = ()) -> tuple[np.ndarray, np.ndarray]:
    """(q, v) from the neutral pose with some coordinates set."""
    q, v = model.neutral(), np.zeros(model.nv)
    for target, items, index, other in ((q, settings, model.q_index, 4), (v, velocities, model.v_index, 3)):
        for text in items:
            name, values = assignment(text)
            at = index(name)
            width = {True: other + 3, False: other}[model.q_index(name) in model.free_quaternions]
            count = width if model.q_index(name) in {a for a, _, _ in model.quaternions} else 1
            require(len(values) == count, f"{name!r} takes {count} number{'s' * (count > 1)}", BadShape, got=text)
            require(np.isfinite(values).all(), f"{name!r} takes finite numbers", BadValue, got=text)
            target[at : at + count] = values
    return q, v
