"""What a run or a motion in a folder knows of its records: how many there are, when, and of how many members."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ...formats.record_chunks import Chunks
from ...formats.record_folder import RecordFolder, is_list_of, is_number, is_whole_number
from ..schedule import Plan

FINISHED = "finished.json"


class OnDisk:
    """The part of a trajectory on disk that reads the folder, of trees and of skeletons."""

    def _open(self, records: RecordFolder, rows: int) -> None:
        """Look at a folder whose records have so many numbers for each member."""
        self.folder, self._folder = records.path, records
        self._plan = read_plan(records)
        self._chunks = chunks_of(records, rows, self._plan)
        self.finished = (records.path / FINISHED).is_file()

    @property
    def batch(self) -> tuple[int, ...]:
        """The batch shape; () for a single member."""
        return self._chunks.batch

    @property
    def records(self) -> int:
        """How many records there are."""
        return sum(self._chunks.lengths)

    @cached_property
    def t(self) -> np.ndarray:
        """Times of the records (T,) [s]."""
        return self._plan.record_times(0, self.records)


def read_plan(records: RecordFolder) -> Plan:
    """The steps and records that a manifest tells of."""
    start, step = (records.value(name, is_number, "a number") for name in ("start", "step"))
    steps, every = (records.value(name, is_whole_number, "a whole number") for name in ("steps", "every"))
    records.value("every", lambda x: x > 0, "positive")
    return Plan(start, step, steps, every)


def chunks_of(records: RecordFolder, rows: int, plan: Plan) -> Chunks:
    """The chunks of a run whose records have so many numbers for each member."""
    batch = records.value("batch", is_list_of(is_whole_number), "a list of whole numbers")
    length = records.value("chunk", is_whole_number, "a whole number")
    return Chunks(records, rows, tuple(batch), length, plan.records)
