"""Runs of models in minimal coordinates that go to a folder: what it says of them, and what left its domain."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ...dynamics.arguments import States
from ...errors import NotInModel, NotSupported
from ...formats.record_folder import RecordFolder, digest, function_digest, versions
from ...model import Model
from ...model.model_batch import ModelBatch
from ...offers import offered
from ..domain_exits import beyond_range, outside
from ..events import Outside
from ..schedule import Plan
from ..tree_engine import Method, TreeEngine
from .recorded_run import PARAMETERS, RecordedRun, read_exit, written_exit
from .recording_run import RecordingRun, chunk_length

MODEL, NO_MODEL = "model.toml", "model-missing.txt"


def manifest(
    model: Model, s: States, plan: Plan, method: Method, control: Any, stop: Callable | None, members: ModelBatch | None
) -> dict[str, Any]:
    """What a folder says of its run."""
    forces = None if control is None or callable(control) else np.asarray(control, float)
    inputs = {
        "model": digest(*model.tables[:2], model.coordinates, sorted(model.prescribed)),
        "start": digest(s["q"], s["v"], str(s.batch)),
        "wrenches": digest(s.arrays.get("wrenches")),
        "control": function_digest(control) if callable(control) else digest(forces),
        "stop": function_digest(stop) if stop else "",
        "parameters": "" if members is None else digest(*(x for pair in members.values.items() for x in pair)),
        "schedule": digest(plan),
        "method": digest(method._replace(threads=None)),
    }
    numbers = model.nq + model.nv
    return {
        "kind": "run", "versions": versions(), "inputs": inputs, "batch": list(s.batch),
        "start": plan.start, "step": plan.step, "steps": plan.steps, "every": plan.every, "numbers": numbers,
        "integrator": method.integrator, "nq": model.nq, "nv": model.nv, "coordinates": list(model.coordinates),
        "chunk": chunk_length(plan, s.count, model.nbodies, numbers, callable(control)),
    }  # fmt: skip


def keep_model(model: Model, folder: RecordFolder, members: ModelBatch | None) -> None:
    """The model and the parameters of members beside their records, or why no file can hold it."""
    if members is not None and folder.damage(lambda: folder.read_arrays(PARAMETERS)):
        folder.add_arrays(PARAMETERS, members.values)
    if folder.is_whole(MODEL) or (folder.path / NO_MODEL).exists():
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NotInModel)
            offered("model")(model, folder.path / MODEL)
        folder.seal(MODEL)
    except NotSupported as error:
        folder.add_text(NO_MODEL, f"{error}\n")


class TreeRecordingRun(RecordingRun):
    """A recorded run of a model, with the coordinates that left their domains and ranges."""

    engine: TreeEngine  # pyright: ignore[reportIncompatibleVariableOverride]

    def __init__(self, engine: TreeEngine, plan: Plan, folder: RecordFolder) -> None:
        self.exits: dict[str, dict[str, Outside]] = {"outside": {}, "beyond_range": {}}
        super().__init__(engine, plan, folder)

    def _look(self, first: int, new: int) -> None:
        e = self.engine
        q = e.q_records[:, first : new + 1]
        times = self.plan.start + self.plan.step * (e.origin + self.plan.every * np.arange(first, new + 1))
        for kind, look in (("outside", outside), ("beyond_range", beyond_range)):
            for x in look(e.model, times, q):
                old = self.exits[kind].get(x.coordinate)
                self.exits[kind][x.coordinate] = x if old is None else _farther(old, x)

    def _told(self) -> dict[str, Any]:
        return {kind: [written_exit(x) for x in found.values()] for kind, found in self.exits.items()}

    def _recall(self, told: dict[str, Any]) -> None:
        self.exits = {kind: {x["coordinate"]: read_exit(x) for x in found} for kind, found in told.items()}

    def _opened(self) -> RecordedRun:
        return RecordedRun(self.engine.model, self.folder)


def _farther(old: Outside, new: Outside) -> Outside:
    """When it first left, and the farther of two places."""
    low, high = old.domain

    def beyond(x: float) -> float:
        return max(low - x, x - high)

    reached = max(old.reached, new.reached, key=beyond)
    return Outside(old.coordinate, old.time, reached, old.domain)
