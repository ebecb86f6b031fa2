"""Finished steps of a trial: their numbers in a folder, so that a trial that was cut off does not repeat them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ...formats.record_folder import RecordFolder
from ...model import Model
from ..inverse_dynamics import Dynamics
from ..inverse_kinematics import Kinematics

FOLDER, STEP, INPUTS = "steps", "step-{:06d}.npz", "inputs"
Found = TypeVar("Found", Kinematics, Dynamics)


class FinishedSteps:
    """The steps of one trial in order. Those made from the same inputs are taken from the folder if asked to."""

    def __init__(self, folder: Path, resume: bool) -> None:
        self.records, self.resume, self.number = RecordFolder(folder / FOLDER, {}), resume, 0
        self.records.path.mkdir(exist_ok=True)

    def done(self, kind: type[Found], model: Model, mark: str, compute: Callable[[], Found]) -> Found:
        """What a step finds: from the folder, or computed and added to it."""
        name, self.number = STEP.format(self.number), self.number + 1
        found = _read(self.records, name, kind, model, mark) if self.resume else None
        if found is None:
            arrays = _arrays(compute())
            self.records.add_arrays(name, {**arrays, INPUTS: np.array(mark)})
            found = kind(model=model, **_fields(kind, arrays))  # the last bits of sums depend on how numbers lie
        return found


def _arrays(found: Kinematics | Dynamics) -> dict[str, np.ndarray]:
    """All numbers and words of a result but its model; those of a dictionary have its keys after a slash."""
    out: dict[str, np.ndarray] = {}
    for name, x in ((f.name, getattr(found, f.name)) for f in fields(found) if f.name != "model"):
        if isinstance(x, dict):
            out |= {f"{name}/{key}": np.array(value, order="C") for key, value in x.items()}
        elif x is not None:
            out[name] = np.array(x, dtype=str) if isinstance(x, tuple) else np.array(x, order="C")
    return out


def _read(records: RecordFolder, name: str, kind: type[Found], model: Model, mark: str) -> Found | None:
    """A result of the same inputs; None if there is none, or it cannot be read."""
    try:
        kept = records.read_arrays(name)
        return kind(model=model, **_fields(kind, kept)) if str(kept.pop(INPUTS)) == mark else None
    except (ValueError, KeyError, TypeError):
        return None


def _fields(kind: type, kept: dict[str, np.ndarray]) -> dict[str, Any]:
    """The arguments of a result."""
    out: dict[str, Any] = {}
    for f in fields(kind):
        inner = {key.partition("/")[2]: x for key, x in kept.items() if key.startswith(f"{f.name}/")}
        if inner or str(f.type).startswith("dict"):
            out[f.name] = inner
        elif f.name in kept:
            x = kept[f.name]
            out[f.name] = tuple(map(str, x)) if str(f.type).startswith("tuple") else x[()] if x.ndim == 0 else x
    return out
