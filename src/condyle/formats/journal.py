"""Descents of a fit kept in a folder as they are made, so that a fit that was cut off goes on where it was.

A fit is a fixed sequence of descents, each from where others ended: those that are in the folder are taken from there,
the one that was under way goes on from its last iterate, and all that follows is computed as if nothing had happened.
Other long steps of a fit, which have no iterates, are kept when they end.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

from ..errors import BadFile, DamagedRecords, require, warn
from ..typing import PathLike
from .record_folder import RecordFolder, digest, versions, writing

DESCENT, ITERATE = "descent-{:06d}.npz", "iterate-{:06d}.npz"
SECONDS = 5.0  # between iterates that are kept
ENDED = "ended"
Kept = dict[str, np.ndarray]


class Journal:
    """The descents of a fit in the order in which they are made; without a folder nothing is kept."""

    def __init__(self, folder: RecordFolder | None = None) -> None:
        self.folder, self.number, self.iterates, self.last = folder, 0, 0, 0.0
        if folder is not None:
            self.iterates = max(folder.numbered(ITERATE), default=-1) + 1

    def once(self, compute: Callable[[Kept | None], Mapping[str, Any]]) -> Kept:
        """How a descent ended, by name: from the folder, or computed from its last iterate if one is known."""
        known = self._begun()
        if known is not None and ENDED in known:
            found = {key: x for key, x in known.items() if key != ENDED}
        else:
            found = {key: np.asarray(x) for key, x in compute(known).items()}
        self._end(found)
        return found

    def _begun(self) -> Kept | None:
        """What is known of the descent that begins now: how it ended, its last iterate, or nothing."""
        self.last = time.monotonic()
        if self.folder is None:
            return None
        ended = self._read(DESCENT.format(self.number))
        if ended is not None:
            return {**ended, ENDED: np.array(True)}
        found = self._read(ITERATE.format(self.iterates - 1)) if self.iterates else None
        return found if found is not None and int(found["descent"]) == self.number else None

    def keep(self, **state: Any) -> None:
        """All that the descent under way depends on, every few seconds."""
        if self.folder is None or time.monotonic() - self.last < SECONDS:
            return
        self._write(ITERATE.format(self.iterates), {**state, "descent": self.number})
        self.iterates, self.last = self.iterates + 1, time.monotonic()

    def _end(self, found: Mapping[str, Any]) -> None:
        """How the descent ended; the next one follows."""
        if self.folder is not None and not (self.folder.path / DESCENT.format(self.number)).is_file():
            self._write(DESCENT.format(self.number), found)
        self.number += 1

    def _write(self, name: str, numbers: Mapping[str, Any]) -> None:
        assert self.folder is not None
        self.folder.add_arrays(name, {key: np.asarray(x) for key, x in numbers.items()})

    def _read(self, name: str) -> Kept | None:
        """What a file holds; None if there is none. One that is damaged is set aside, and computed again."""
        assert self.folder is not None
        if not (self.folder.path / name).is_file():
            return None
        try:
            return self.folder.read_arrays(name)
        except BadFile as error:
            warn(f"{error}: it is set aside, and the fit computes it again", DamagedRecords)
            self.folder.set_aside([name])
            return None


_current: ContextVar[Journal | None] = ContextVar("journal", default=None)


def journal() -> Journal:
    """That of the fit under way."""
    return _current.get() or Journal()


@contextmanager
def journal_in(record_to: PathLike | None, resume: bool, what: str, inputs: Mapping[str, Any]) -> Iterator[None]:
    """Keep the descents that are made here in a folder, if there is one; `inputs` are what a fit depends on."""
    require(not resume or record_to is not None, f"{what}: resume=True needs the folder to go on with (record_to=…)")
    if record_to is None:
        yield
        return
    told = {key: digest(*x) if isinstance(x, tuple) else digest(x) for key, x in inputs.items()}
    with writing(record_to, {"kind": "fit", "versions": versions(), "inputs": told, "what": what}, resume) as folder:
        token = _current.set(Journal(folder))
        try:
            yield
        finally:
            _current.reset(token)
