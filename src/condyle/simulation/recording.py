"""A run whose records go to a folder while it runs: in memory there is one chunk, whatever the duration.

A chunk is appended when it is full: first the state at its end, from which the run can go on, then its records, whose
renaming makes the chunk count. Chunks begin at the same records whenever the run was interrupted, so that a resumed run
computes what an undisturbed one does, bit by bit.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from typing import IO, Any

import numpy as np

from ..dynamics.arguments import States
from ..errors import BadFile, NotInModel, NotSupported
from ..formats.record_folder import RecordFolder, digest, function_digest, versions
from ..formats.writing import write_bytes
from ..model import Model
from ..model.model_batch import ModelBatch
from .domain_exits import beyond_range, outside
from .driver import Run
from .events import Outside, Stopped
from .recorded_run import CHUNK, END, FINISHED, PARAMETERS, RecordedRun, read_exit, written_exit
from .schedule import Plan
from .tree_engine import Method, TreeEngine

BYTES = 2**24  # of a chunk's records
SECONDS = 5.0  # of work in a chunk, as it is estimated before
STEP_SECONDS = 1e-6  # of one body in one step, and of a function of the user's in one
CALL_SECONDS = 1e-4
MODEL, NO_MODEL = "model.toml", "model-missing.txt"


def chunk_length(model: Model, plan: Plan, count: int, called: bool) -> int:
    """How many records a chunk has: from the size of the run alone, so that every machine takes the same."""
    step = STEP_SECONDS * max(1, count) * max(1, model.nbodies) + (CALL_SECONDS if called else 0.0)
    by_work = SECONDS / (step * plan.every)
    by_size = BYTES / (8.0 * max(1, count * (model.nq + model.nv)))
    return int(np.clip(min(by_work, by_size), 1, plan.records))


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
    return {
        "kind": "run", "versions": versions(), "inputs": inputs, "batch": list(s.batch),
        "start": plan.start, "step": plan.step, "steps": plan.steps, "every": plan.every,
        "integrator": method.integrator, "nq": model.nq, "nv": model.nv, "coordinates": list(model.coordinates),
        "chunk": chunk_length(model, plan, s.count, callable(control)),
    }  # fmt: skip


def keep_model(model: Model, folder: RecordFolder, members: ModelBatch | None) -> None:
    """The model and the parameters of members beside their records, or why no file can hold it."""
    if members is not None and not (folder.path / PARAMETERS).exists():
        folder.add_arrays(PARAMETERS, members.values)
    if (folder.path / MODEL).exists() or (folder.path / NO_MODEL).exists():
        return
    import warnings

    save = import_module("condyle.io.save").save  # by name: files are a layer above, and only a folder needs them here
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NotInModel)
            save(model, folder.path / MODEL)
    except NotSupported as error:
        folder.add_text(NO_MODEL, f"{error}\n")


class RecordingRun(Run):
    """Marches an engine whose buffers hold one chunk, and appends chunks to a folder."""

    engine: TreeEngine

    def __init__(self, engine: TreeEngine, plan: Plan, folder: RecordFolder) -> None:
        super().__init__(engine, plan)
        self.folder, self.chunk, self.number = folder, int(folder.manifest["chunk"]), 0
        self.exits: dict[str, dict[str, Outside]] = {"outside": {}, "beyond_range": {}}
        self.interrupted = False
        self._restore()

    def _restore(self) -> None:
        """Go back to the end of the last chunk that is there."""
        there = self.folder.numbered(CHUNK)
        self.number = sum(1 for i, c in enumerate(there) if c == i)
        if self.number == 0:
            return
        path, e = self.folder.path / END.format(self.number - 1), self.engine
        try:
            with np.load(path, allow_pickle=False) as end:
                e.q[:], e.v[:], e.status[:], e.ended[:], e.clocks[:] = (
                    end[k] for k in ("q", "v", "status", "ended", "clocks")
                )
                self.base = e.origin = int(end["steps"])
                exits = json.loads(str(end["exits"]))
        except (OSError, ValueError, KeyError) as error:
            raise BadFile(f"{path}: the run cannot go on from it: {error}") from None
        self.exits = {kind: {x["coordinate"]: read_exit(x) for x in found} for kind, found in exits.items()}

    def _next(self, base: int, pace, control, stop) -> int:
        return min(super()._next(base, pace, control, stop), self.engine.origin + self.chunk * self.plan.every - base)

    def _passed(self, done: int) -> None:
        if done == self.engine.origin + self.chunk * self.plan.every or done == self.plan.steps:
            self._append((done - self.engine.origin) // self.plan.every, done)

    def _append(self, new: int, done: int) -> None:
        """Write the `new` records since the last chunk, and the state after `done` steps."""
        e, first = self.engine, 0 if self.number == 0 else 1
        self._blank()
        self._look_for_exits(first, new)
        end = {"q": e.q, "v": e.v, "status": e.status, "ended": e.ended, "clocks": e.clocks, "steps": np.array(done)}
        exits = {kind: [written_exit(x) for x in found.values()] for kind, found in self.exits.items()}
        self.folder.add_arrays(END.format(self.number), {**end, "exits": np.array(json.dumps(exits))})
        records = [x[:, first : new + 1] for x in (e.q_records, e.v_records)]
        write_bytes(self.folder.path / CHUNK.format(self.number), lambda file: _write(file, records))
        self.number, e.origin = self.number + 1, done

    def _blank(self) -> None:
        """NaN after a member stopped."""
        e, every = self.engine, self.plan.every
        for i in np.flatnonzero(e.status[:, 0] > 0).tolist():
            good = max(0, int(e.ended[i, 0]) // every - e.origin // every + 1)
            e.q_records[i, good:], e.v_records[i, good:] = np.nan, np.nan

    def _look_for_exits(self, first: int, new: int) -> None:
        e = self.engine
        q = e.q_records[:, first : new + 1]
        times = self.plan.start + self.plan.step * (e.origin + self.plan.every * np.arange(first, new + 1))
        for kind, look in (("outside", outside), ("beyond_range", beyond_range)):
            for x in look(e.model, times, q):
                old = self.exits[kind].get(x.coordinate)
                self.exits[kind][x.coordinate] = x if old is None else _farther(old, x)

    def interrupt(self) -> None:
        """Leave the chunk that is not full: the run goes on from the last one."""
        self.interrupted = True

    def trajectory(self) -> RecordedRun:
        """What is on disk, with the reasons of those that stopped if it is complete."""
        if not self.interrupted:
            self._finish()
        return RecordedRun(self.engine.model, self.folder)

    def _finish(self) -> None:
        e, every = self.engine, self.plan.every
        last = int(e.ended.max(initial=0.0)) // every - e.origin // every
        if self.number == 0 or last > 0:  # all members stopped within a chunk
            self._append(max(0, last), e.origin + max(0, last) * every)
        stops = [(i, Run._stopped(self, i)) for i in np.flatnonzero(e.status[:, 0] > 0).tolist()]
        told = [{"member": i, "time": s.time, "reason": s.reason, "q": s.q.tolist(), "v": s.v.tolist()}
                for i, s in stops if isinstance(s, Stopped)]  # fmt: skip
        exits = {kind: [written_exit(x) for x in found.values()] for kind, found in self.exits.items()}
        self.folder.add_text(FINISHED, json.dumps({"stopped": told, **exits}) + "\n")


def _write(file: IO[bytes], records: list[np.ndarray]) -> None:
    """Records (members, T, n) of coordinates and velocities as one array (n, members, T), number by number."""
    count, length = records[0].shape[:2]
    shape = (sum(x.shape[2] for x in records), count, length)
    np.lib.format.write_array_header_1_0(file, {"descr": "<f8", "fortran_order": False, "shape": shape})
    for x in records:
        for k in range(x.shape[2]):
            file.write(np.ascontiguousarray(x[:, :, k]).tobytes())


def _farther(old: Outside, new: Outside) -> Outside:
    """When it first left, and the farther of two places."""
    low, high = old.domain

    def beyond(x: float) -> float:
        return max(low - x, x - high)

    reached = max(old.reached, new.reached, key=beyond)
    return Outside(old.coordinate, old.time, reached, old.domain)
