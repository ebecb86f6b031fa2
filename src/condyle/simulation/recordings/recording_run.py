"""A run whose records go to a folder while it runs: in memory there is one chunk, whatever the duration.

A chunk is appended when it is full: first the state at its end, from which the run can go on, then its records, whose
renaming makes the chunk count. Chunks begin at the same records whenever the run was interrupted, so that a resumed run
computes what an undisturbed one does, bit by bit; one that is damaged is computed again from the end of the one before.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

import numpy as np

from ...errors import DamagedRecords, warn
from ...formats.record_chunks import CHUNK, Chunks, write_chunk
from ...formats.record_folder import RecordFolder, naming
from ...formats.writing import write_bytes
from ..driver import Engine, Run
from ..schedule import Plan
from .on_disk import FINISHED, chunks_of

BYTES = 2**24  # of a chunk's records
SECONDS = 5.0  # of work in a chunk, as it is estimated before
STEP_SECONDS = 1e-6  # of one body in one step, and of a function of the user's in one
CALL_SECONDS = 1e-4
END = "chunk-{:06d}.end.npz"


def chunk_length(plan: Plan, count: int, bodies: float, numbers: int, called: bool) -> int:
    """How many records a chunk has: from the size of the run alone, so that every machine takes the same."""
    step = STEP_SECONDS * max(1, count) * max(1.0, bodies) + (CALL_SECONDS if called else 0.0)
    by_work = SECONDS / (step * plan.every)
    by_size = BYTES / (8.0 * max(1, count * numbers))
    return int(np.clip(min(by_work, by_size), 1, plan.records))


class RecordingEngine(Engine, Protocol):
    """An engine whose buffers hold one chunk of records, the first of them after `origin` steps."""

    origin: int
    parts: tuple[str, ...]  # the names of what `state` gives

    def kept(self) -> dict[str, np.ndarray]:
        """All that the coming steps depend on, except `status` and `ended`."""
        ...

    def go_on(self, kept: Mapping[str, np.ndarray]) -> None:
        """Be where an engine was that kept this."""
        ...

    def rows(self, first: int, stop: int) -> Iterable[np.ndarray]:
        """Records first … stop of the buffers, number by number: (members, records) each."""
        ...


class RecordingRun(Run):
    """Marches an engine whose buffers hold one chunk, and appends chunks to a folder."""

    engine: RecordingEngine

    def __init__(self, engine: RecordingEngine, plan: Plan, folder: RecordFolder) -> None:
        super().__init__(engine, plan)
        self.folder, self.chunk, self.number = folder, int(folder.manifest["chunk"]), 0
        self.interrupted = False
        self._restore()

    def _restore(self) -> None:
        """Go to the first chunk that is not there, or is damaged; damaged ones are set aside."""
        chunks = chunks_of(self.folder, self.folder.manifest["numbers"], self.plan)
        there = self.folder.numbered(CHUNK)
        damaged = {c: words for c in there if (words := self.folder.damage(lambda c=c: self._require_whole(chunks, c)))}
        if damaged:
            warn(f"{'; '.join(damaged.values())} (set aside and computed again)", DamagedRecords)
            self.folder.set_aside(name for c in damaged for name in self._names(c))
            (self.folder.path / FINISHED).unlink(missing_ok=True)  # who opens the run meanwhile sees that it goes on
        self.whole = {c for c in there if c not in damaged}
        if not self.folder.sealed:  # what follows a missing file may be of another run
            self.whole &= set(range(next(c for c in range(len(there) + 1) if c not in self.whole)))
        self._pass_whole()

    def _names(self, chunk: int) -> list[str]:
        """Files of a chunk."""
        return [form.format(chunk) for form in (END, CHUNK)]

    def _require_whole(self, chunks: Chunks, chunk: int) -> None:
        """Refuse a chunk of which any file is damaged."""
        self.folder.read_arrays(END.format(chunk))
        chunks.require_whole(chunk)

    def _pass_whole(self) -> None:
        """Go to the end of the chunks that are there and whole."""
        first = self.number
        while self.number in self.whole:
            self.number += 1
        if self.number == first:
            return
        name, e = END.format(self.number - 1), self.engine
        with naming(self.folder.path / name, "the run cannot go on from it"):
            end = self.folder.read_arrays(name)
            e.go_on(end)
            e.status[:], e.ended[:] = end["status"], end["ended"]
            self.base = e.origin = int(end["steps"])
            self._recall(json.loads(str(end["exits"])))

    def _next(self, base: int, pace, control, stop) -> int:
        return min(super()._next(base, pace, control, stop), self.engine.origin + self.chunk * self.plan.every - base)

    def _passed(self, done: int) -> int:
        self.base = done
        if done == self.engine.origin + self.chunk * self.plan.every or done == self.plan.steps:
            self._append((done - self.engine.origin) // self.plan.every, done)
            self._pass_whole()
        return self.base

    def _append(self, new: int, done: int) -> None:
        """Write the `new` records since the last chunk, and the state after `done` steps."""
        e, first = self.engine, 0 if self.number == 0 else 1
        self._blank()
        self._look(first, new)
        end = {**e.kept(), "status": e.status, "ended": e.ended, "steps": np.array(done)}
        self.folder.add_arrays(END.format(self.number), {**end, "exits": np.array(json.dumps(self._told()))})
        shape, rows = (self.folder.manifest["numbers"], len(e.status), new + 1 - first), e.rows(first, new + 1)
        key = self.folder.key
        write_bytes(self.folder.path / CHUNK.format(self.number), lambda file: write_chunk(file, shape, rows, key))
        self.number, e.origin = self.number + 1, done

    def _blank(self) -> None:
        """NaN after a member stopped."""
        e, every = self.engine, self.plan.every
        for i in np.flatnonzero(e.status[:, 0] > 0).tolist():
            good = max(0, int(e.ended[i, 0]) // every - e.origin // every + 1)
            for records in e.records(i):
                records[good:] = np.nan

    def _look(self, first: int, new: int) -> None:
        """Note what is to be said of the records first … new, before they are written."""

    def _told(self) -> dict[str, Any]:
        """What is to be said of all records so far."""
        return {}

    def _recall(self, told: dict[str, Any]) -> None:
        """Go on with what was to be said."""

    def interrupt(self) -> None:
        """Leave the chunk that is not full: the run goes on from the last one."""
        self.interrupted = True

    def trajectory(self) -> Any:
        """What is on disk, with the reasons of those that stopped if it is complete."""
        if not self.interrupted:
            self._finish()
        return self._opened()

    def _opened(self) -> Any:
        raise NotImplementedError

    def _finish(self) -> None:
        e, every = self.engine, self.plan.every
        last = int(e.ended.max(initial=0.0)) // every - e.origin // every
        if self.number == 0 or last > 0:  # all members stopped within a chunk
            self._append(max(0, last), e.origin + max(0, last) * every)
        told = []
        for i in np.flatnonzero(e.status[:, 0] > 0).tolist():
            stop, state = Run._stopped(self, i), (x.tolist() for x in e.state(i))
            if stop is not None:
                told.append(
                    {"member": i, "time": stop.time, "reason": stop.reason, **dict(zip(e.parts, state, strict=True))}
                )
        self.folder.add_json(FINISHED, {"stopped": told, **self._told()})
