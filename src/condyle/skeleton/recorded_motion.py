"""A motion of a skeleton that was recorded to a folder, or is being recorded: read from there as it is needed."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..errors import amount
from ..formats.archive import read_arrays
from ..formats.record_folder import RecordFolder, naming
from ..simulation.events import by_member, described_stops
from ..simulation.recordings.on_disk import FINISHED, OnDisk
from ..simulation.recordings.recorded_run import read_end
from ..simulation.schedule import require_memory
from .engine.kernel_tables import STATE
from .engine.lane_blocks import state_size, unpacked
from .state import State, from_numbers
from .trajectory import Stopped, Trajectory

if TYPE_CHECKING:
    from .skeleton import Skeleton

SKELETON, LOADS = "skeleton.npz", "loads-{:06d}.npz"  # the start with its loads; those used since a chunk began


class RecordedMotion(OnDisk, Trajectory):  # pyright: ignore[reportIncompatibleVariableOverride]  # t is read
    """A motion on disk: what is asked for is read when it is asked for.

    It shows the records that were there when it was opened; open it again to see those that came since.
    `motion.body("bob")` reads one body and nothing else; `motion.part(start, stop)` some records of all; `states`
    everything, if there is memory for it. Records end where all members have stopped.

    Attributes
    ----------
    skeleton : Skeleton
    folder : Path
    finished : bool
        Whether the run reached its end; `stopped` is known from then on.
    batch : tuple of int
        () for a single member.
    records : int
        How many there are.
    t : ndarray, shape (T,)
        [s]
    states : State
        Of batch shape (..., T).
    stopped : Stopped, None or ndarray of them
    loads : ndarray, shape (..., T or 1, numbers)
        The motors and external loads at those times, as the kernels read them.
    """

    def __init__(self, skeleton: Skeleton, records: RecordFolder) -> None:
        object.__setattr__(self, "skeleton", skeleton)
        self._open(records, state_size(skeleton))

    __setattr__ = object.__setattr__  # what was read is kept

    def body(self, name: str) -> State:
        """The states of one body over time; no other is read.

        Parameters
        ----------
        name : str

        Returns
        -------
        State
            Of batch shape (..., T), with one body.
        """
        i = self.skeleton.body(name)
        x = self._chunks.part(0, self.records, slice(STATE * i, STATE * (i + 1)))
        return from_numbers(x[..., None, :])

    def part(self, start: int = 0, stop: int | None = None) -> Trajectory:
        """Some records of all bodies, in memory.

        Parameters
        ----------
        start, stop : int, optional
            Records, counted as slices count.

        Returns
        -------
        Trajectory

        Raises
        ------
        BadValue
            If there is not enough memory for them.
        """
        start, stop, _ = slice(start, stop).indices(self.records)
        stop = max(start, stop)
        require_memory(self._chunks.count, stop - start, self._chunks.rows)
        states = unpacked(self.skeleton, self._chunks.part(start, stop))
        loads = self.loads if self.loads.shape[-2] == 1 else self.loads[..., start:stop, :]
        return Trajectory(self.skeleton, self._plan.record_times(start, stop), states, self.stopped, loads)

    @cached_property
    def states(self) -> State:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The states of all records."""
        return self.part().states

    @cached_property
    def loads(self) -> np.ndarray:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Those that were used, (..., T or 1, numbers); the last ones hold on."""
        rows = [x for k in self._chunks.numbers for x in self._loads_of(LOADS.format(k), "used")]
        if not rows:
            return self._loads_of(SKELETON, "loads")
        rows = [*rows, *[rows[-1]] * self.records][: self.records]
        return np.stack(np.broadcast_arrays(*rows), axis=-2)

    def _loads_of(self, name: str, key: str) -> np.ndarray:
        path = self.folder / name
        if not path.is_file():
            return np.empty((0, 0))
        with naming(path, "its loads cannot be read"):
            if name == SKELETON:
                return read_arrays(self._folder.require_whole(name))[key]
            return self._folder.read_arrays(name)[key]

    @cached_property
    def stopped(self) -> Stopped | np.ndarray | None:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Why a run ended before its time; an object array of shape (...) for a batch."""
        stops: list[Stopped | None] = [None] * self._chunks.count
        with naming(self.folder / FINISHED, "its stops cannot be read"):
            for s in read_end(self._folder).get("stopped", []):
                state = unpacked(self.skeleton, np.array(s["state"]))
                stops[s["member"]] = Stopped(s["time"], s["reason"], state)
        return by_member(stops, self.batch)

    def __repr__(self) -> str:
        batch = f"{'x'.join(map(str, self.batch))} members, " if self.batch else ""
        state = "finished" if self.finished else "not finished"
        stopped = f", {described_stops(self.stopped)}" if described_stops(self.stopped) else ""
        records = amount(self.records, "record")
        return f"<RecordedMotion in {self.folder}: {state}{stopped}, {batch}{records}, {self.skeleton!r}>"
