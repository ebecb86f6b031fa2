"""Runs of skeletons that go to a folder: what it says of them, and the loads beside their records."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..formats.record_chunks import Chunks
from ..formats.record_folder import RecordFolder, digest, function_digest, versions
from ..offers import offered
from ..simulation.recordings.recording_run import RecordingRun, chunk_length
from ..simulation.schedule import Plan
from .engine.lane_blocks import packed, state_size
from .engine.sampled_loads import Loads
from .engine.skeleton_engine import SkeletonEngine
from .open_joints import DRIFTING, OpenJoint, merged, open_joints
from .recorded_motion import LOADS, SKELETON, RecordedMotion
from .state import State
from .trajectory import Trajectory

if TYPE_CHECKING:
    from .skeleton import Skeleton

WORK = 5.0  # of a body in a step, against one in minimal coordinates


def manifest(
    skeleton: Skeleton, state: State, plan: Plan, how: tuple[str, float], loads: Loads,
    called: tuple[Callable | None, Callable | None],
) -> dict[str, Any]:  # fmt: skip
    """What a folder says of its run; `how` are the integrator and the share of friction, `called` control and stop."""
    batch = np.broadcast_shapes(state.shape, loads.at(plan.start).shape[:-1])
    functions = [function_digest(f) for f in loads.given if callable(f)]
    control, stop = called
    inputs = {
        "skeleton": digest(*skeleton.plan, skeleton.body_names, skeleton.joint_names),
        "start": digest(packed(skeleton, state, batch)),
        "loads": digest(loads.at(plan.start), *functions),
        "control": function_digest(control) if control else "",
        "stop": function_digest(stop) if stop else "",
        "schedule": digest(plan),
        "method": digest(*how),
    }
    count, numbers = int(np.prod(batch, dtype=int)), state_size(skeleton)
    chunk = chunk_length(plan, count, WORK * len(skeleton.masses), numbers, control is not None or loads.varying)
    return {
        "kind": "skeleton run", "versions": versions(), "inputs": inputs, "batch": list(batch),
        "start": plan.start, "step": plan.step, "steps": plan.steps, "every": plan.every, "numbers": numbers,
        "integrator": how[0], "bodies": list(skeleton.body_names), "chunk": chunk,
    }  # fmt: skip


def keep_skeleton(skeleton: Skeleton, state: State, plan: Plan, loads: Loads, folder: RecordFolder) -> None:
    """The skeleton beside its records: a motion of one record, that of the start."""
    if folder.is_whole(SKELETON):
        return
    batch = tuple(folder.manifest["batch"])
    own = len(state.shape)
    parts = (np.broadcast_to(x, (*batch, *x.shape[own:])) for x in vars(state).values())
    first = State(*(np.expand_dims(x, len(batch)) for x in parts))
    start = Trajectory(skeleton, np.array([plan.start]), first, None, loads.at(plan.start)[..., None, :])
    offered("model")(start, folder.path / SKELETON)
    folder.seal(SKELETON)


class SkeletonRecordingRun(RecordingRun):
    """A recorded run of a skeleton, with the loads that were used beside its chunks, and the joints that came apart."""

    engine: SkeletonEngine  # pyright: ignore[reportIncompatibleVariableOverride]

    def __init__(self, engine: SkeletonEngine, plan: Plan, folder: RecordFolder) -> None:
        self.opened: list[OpenJoint] = []
        super().__init__(engine, plan, folder)

    def _names(self, chunk: int) -> list[str]:
        return [*super()._names(chunk), LOADS.format(chunk)]

    def _require_whole(self, chunks: Chunks, chunk: int) -> None:
        super()._require_whole(chunks, chunk)
        if (self.folder.path / LOADS.format(chunk)).exists():
            self.folder.read_arrays(LOADS.format(chunk))

    def _look(self, first: int, new: int) -> None:
        used = self.engine.take_loads()
        if used is not None:
            self.folder.add_arrays(LOADS.format(self.number), {"used": used})
        if self.folder.manifest["integrator"] in DRIFTING:
            e, base = self.engine, self.engine.origin // self.plan.every
            times = self.plan.record_times(base + first, base + new + 1)
            self.opened = merged(self.opened, open_joints(e.skeleton, times, e.recorded(first, new + 1)))

    def _told(self) -> dict[str, Any]:
        return {"open_joints": [x._asdict() for x in self.opened]}

    def _recall(self, told: dict[str, Any]) -> None:
        self.opened = [OpenJoint(**{**x, "member": tuple(x["member"])}) for x in told.get("open_joints", [])]

    def _opened(self) -> RecordedMotion:
        return RecordedMotion(self.engine.skeleton, self.folder)
