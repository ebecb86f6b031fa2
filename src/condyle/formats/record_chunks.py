"""The records of a run in .npy files, mapped into memory and not read, each row of numbers with a checksum."""

from __future__ import annotations

import hashlib
import io
import math
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import IO, Any

import numpy as np

from ..errors import BadFile, require
from .record_folder import AGAIN, RecordFolder, naming

CHUNK = "chunk-{:06d}.npy"
MARK, SIZE = b"condyle sums 1\n\0", 16  # what checksums begin with, behind the numbers; [bytes] of one


def write_chunk(file: IO[bytes], shape: tuple[int, ...], rows: Iterable[np.ndarray], key: bytes) -> None:
    """Records as one array (numbers, members, records), number by number, then a checksum of each and of all.

    Programs that read .npy files do not look behind the numbers.
    """
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": shape})
    file.write(header.getvalue())
    sums = []
    for row in rows:
        data = np.ascontiguousarray(row).tobytes()
        sums.append(_sum(key, data))
        file.write(data)
    file.write(MARK + b"".join(sums) + _sum(key, header.getvalue(), *sums))


def _sum(key: bytes, *parts: bytes | memoryview) -> bytes:
    found = hashlib.blake2b(key=key, digest_size=SIZE)
    for part in parts:
        found.update(part)
    return found.digest()


class MappedChunk:
    """Numbers (rows, members, records) of a file. A row is read, and compared with its checksum, when it is asked for.

    `checked` are the rows that were compared before.
    """

    dtype, ndim = np.dtype(np.float64), 3

    def __init__(self, path: Path, numbers: np.ndarray, sums: bytes | None, key: bytes, checked: set[int]) -> None:
        self.path, self.numbers, self.sums, self.key, self.checked = path, numbers, sums, key, checked
        self.shape: Any = numbers.shape

    def __getitem__(self, where: Any) -> np.ndarray:
        rows = where[0] if isinstance(where, tuple) else where
        for k in np.atleast_1d(np.arange(self.shape[0])[rows]).tolist():
            self._check(k)
        return np.asarray(self.numbers[where])

    def _check(self, row: int) -> None:
        if self.sums is None or row in self.checked:
            return
        said, found = self.sums[row * SIZE : (row + 1) * SIZE], _sum(self.key, self.numbers[row].tobytes())
        words = f"{self.path}: number {row} of its records is damaged: its checksum is another; {AGAIN}"
        require(said == found, words, BadFile)
        self.checked.add(row)


class Chunks:
    """Numbers (rows, members, records) of a run in its .npy files, mapped into memory and not read.

    The numbers of a row stand together in a file, so that reading one touches no page of the others. What follows a
    missing file is not of this run. A full file has `length` records, the first one more; there are `records` at most.
    """

    def __init__(self, folder: RecordFolder, rows: int, batch: tuple[int, ...], length: int, records: int) -> None:
        self.records_of, self.folder, self.rows, self.batch = folder, folder.path, rows, batch
        self.count, self.length, self.most = math.prod(batch), length, records
        self.numbers = [c for i, c in enumerate(folder.numbered(CHUNK)) if c == i]
        self._checked: dict[int, set[int]] = {}

    @cached_property
    def lengths(self) -> list[int]:
        """How many records each file has, by the plan of the run if it is damaged."""
        return [self._length(c) for c in self.numbers]

    def _length(self, chunk: int) -> int:
        try:
            return self.mapped(chunk).shape[2]
        except BadFile:
            first = 0 if chunk == 0 else 1 + chunk * self.length
            return max(0, min(1 + (chunk + 1) * self.length, self.most) - first)

    def mapped(self, chunk: int) -> MappedChunk:
        """Numbers (rows, members, records) of a file, not read yet."""
        path, expected, key = self.folder / CHUNK.format(chunk), (self.rows, self.count), self.records_of.key
        with naming(path, f"its records cannot be read ({AGAIN})"):
            found = np.load(path, mmap_mode="r", allow_pickle=False)
            good = found.ndim == 3 and found.shape[:2] == expected and found.dtype == np.dtype("<f8")
            require(good, f"{path}: expected float64 of shape {(*expected, '…')}", BadFile, shape=found.shape)
            sums = self._sums(path, found)
        return MappedChunk(path, found, sums, key, self._checked.setdefault(chunk, set()))

    def _sums(self, path: Path, found: np.ndarray) -> bytes | None:
        """The checksums of the rows behind the numbers of a file; None if an older version wrote none."""
        with path.open("rb") as file:
            version = np.lib.format.read_magic(file)
            require(version == (1, 0), f"{path}: unknown version of .npy", BadFile, version=version)
            _, fortran, _ = np.lib.format.read_array_header_1_0(file)
            start = file.tell()
            require(not fortran, f"{path}: its numbers are in another order", BadFile)
            file.seek(0)
            header = file.read(start)
            file.seek(start + found.nbytes)
            rest = file.read(len(MARK) + (self.rows + 1) * SIZE + 1)
        if not rest and not self.records_of.sealed:
            return None
        sums = rest[len(MARK) : -SIZE]
        whole = rest.startswith(MARK) and len(sums) == self.rows * SIZE
        seal = _sum(self.records_of.key, header, *(sums[k : k + SIZE] for k in range(0, len(sums), SIZE)))
        require(whole and rest[-SIZE:] == seal, f"{path}: it is damaged, or of another run; {AGAIN}", BadFile)
        return sums

    def require_whole(self, chunk: int) -> None:
        """Refuse a file of which any number is damaged."""
        found = self.mapped(chunk)
        for k in range(self.rows):
            found._check(k)

    def row(self, k: int) -> np.ndarray:
        """One row over all records (..., T)."""
        parts = [self.mapped(c)[k] for c in self.numbers]
        found = np.concatenate(parts, axis=-1) if parts else np.empty((self.count, 0))
        return found.reshape(*self.batch, -1)

    def part(self, start: int, stop: int, rows: slice = slice(None)) -> np.ndarray:
        """Some rows of the records start … stop, (..., T, rows)."""
        edges = np.cumsum([0, *self.lengths])
        wanted = [(c, a) for c, a, b in zip(self.numbers, edges, edges[1:], strict=False) if a < stop and start < b]
        parts = [self.mapped(c)[rows, :, max(0, start - a) : max(0, stop - a)] for c, a in wanted]
        size = len(range(self.rows)[rows])
        x = np.concatenate(parts, axis=2) if parts else np.empty((size, self.count, 0))
        return np.moveaxis(x, 0, -1).reshape(*self.batch, -1, size)
