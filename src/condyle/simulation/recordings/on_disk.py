"""What a run or a motion in a folder knows of its records: how many there are, when, and of how many members."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ...formats.record_folder import Chunks, RecordFolder
from ..schedule import Plan

FINISHED = "finished.json"


class OnDisk:
    """The part of a trajectory on disk that reads the folder, of trees and of skeletons."""

    def _open(self, records: RecordFolder, rows: int) -> None:
        """Look at a folder whose records have so many numbers for each member."""
        m = records.manifest
        self.folder = records.path
        self._plan = Plan(m["start"], m["step"], m["steps"], m["every"])
        self._chunks = Chunks(records, rows, tuple(m["batch"]))
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
