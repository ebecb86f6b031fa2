"""A folder in which records grow: a manifest, then files that are whole when they appear and never change."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import math
import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import BadFile, require, warn
from ..typing import PathLike
from .safe_files import as_path, read_bytes
from .writing import write_bytes, write_text

VERSION = 1
MANIFEST, LOCK, CHUNK = "manifest.json", "writer.lock", "chunk-{:06d}.npy"


class RecordFolder:
    """A folder with a manifest; files are added to it, each synced and renamed, and none is changed."""

    def __init__(self, path: Path, manifest: dict[str, Any]) -> None:
        self.path, self.manifest = path, manifest

    def add_text(self, name: str, text: str) -> None:
        """A file of text."""
        write_text(self.path / name, text)

    def add_arrays(self, name: str, arrays: Mapping[str, np.ndarray]) -> None:
        """An .npz file."""
        write_bytes(self.path / name, lambda file: np.savez(file, allow_pickle=False, **arrays))  # type: ignore[arg-type]

    def numbered(self, form: str) -> list[int]:
        """The numbers of files that are there, by a form like "chunk-{:06d}.npy"."""
        head, tail = form.split("{:06d}")
        names = (name.removeprefix(head).removesuffix(tail) for name in _names(self.path, head, tail))
        return sorted(int(number) for number in names if number.isdecimal())


class Chunks:
    """Numbers (rows, members, records) of a run in its .npy files, mapped into memory and not read.

    The numbers of a row stand together in a file, so that reading one touches no page of the others. What follows a
    missing file is not of this run.
    """

    def __init__(self, folder: RecordFolder, rows: int, batch: tuple[int, ...]) -> None:
        self.folder, self.rows, self.batch = folder.path, rows, batch
        self.count = math.prod(batch)
        self.numbers = [c for i, c in enumerate(folder.numbered(CHUNK)) if c == i]

    @cached_property
    def lengths(self) -> list[int]:
        """How many records each file has."""
        return [self.mapped(c).shape[2] for c in self.numbers]

    def mapped(self, chunk: int) -> np.ndarray:
        """Numbers (rows, members, records) of a file, not read yet."""
        path, expected = self.folder / CHUNK.format(chunk), (self.rows, self.count)
        try:
            found = np.load(path, mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError, EOFError) as error:
            raise BadFile(f"{path}: its records cannot be read: {error}") from None
        good = found.ndim == 3 and found.shape[:2] == expected and found.dtype == np.float64
        require(good, f"{path}: expected float64 of shape {(*expected, '…')}", BadFile, shape=found.shape)
        return found

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


def _names(folder: Path, head: str, tail: str) -> list[str]:
    try:
        return [name for name in os.listdir(folder) if name.startswith(head) and name.endswith(tail)]
    except OSError as error:
        raise BadFile(f"{folder}: cannot be read: {error.strerror}") from None


def read_folder(path: PathLike, *kinds: str) -> RecordFolder:
    """A folder of records that is there, of one of some kinds."""
    path = as_path(path)
    file = path / MANIFEST
    require(file.is_file(), f"{path}: no records of condyle: there is no {MANIFEST} in it", BadFile)
    try:
        manifest = json.loads(read_bytes(file))
    except ValueError:
        manifest = None
    good = isinstance(manifest, dict) and {"condyle", "kind"} <= set(manifest)
    require(good, f"{file}: not a manifest of condyle's records", BadFile)
    _require_version(path, manifest)
    kind, wanted = manifest["kind"], " or ".join(map(repr, kinds))
    require(kind in kinds, f"{path}: its records are of another kind: expected {wanted}", BadFile, got=kind)
    return RecordFolder(path, manifest)


def _require_version(path: Path, manifest: dict[str, Any]) -> None:
    """Refuse records that another version of condyle wrote in another format."""
    used = manifest.get("versions")
    made = used.get("condyle", "unknown") if isinstance(used, dict) else "unknown"
    words = f"{path}: its records have another format, of condyle {made}; this one reads and resumes format {VERSION}"
    way_out = "use the version that made them, or another folder"
    require(manifest["condyle"] == VERSION, f"{words}: {way_out}", BadFile, format=manifest["condyle"])


@contextlib.contextmanager
def writing(path: PathLike, manifest: dict[str, Any], resume: bool) -> Iterator[RecordFolder]:
    """The folder to add records to, by this process alone: a new one, or with `resume` one that was begun alike."""
    folder = _made(as_path(path))
    with _alone(folder):
        if (folder / MANIFEST).exists():
            require(resume, f"{folder}: there are records in it already; resume=True goes on with them, or choose "
                    "another folder", BadFile)  # fmt: skip
            yield _begun(folder, manifest)
        else:
            write_text(folder / MANIFEST, json.dumps({"condyle": VERSION, **manifest}, indent=1) + "\n")
            yield RecordFolder(folder, {"condyle": VERSION, **manifest})


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise BadFile(f"{folder}: there is a file of that name; records go to a folder, name another") from None
    except OSError as error:
        raise BadFile(f"{folder}: cannot be made: {error.strerror}") from None
    return folder


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Hold the folder's lock, which ends with the process however it ends."""
    try:
        handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise BadFile(f"{folder}: cannot be written: {error.strerror}") from None
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadFile(f"{folder}: another process is recording into it") from None
        except OSError:  # a file system without locks
            pass
        yield
    finally:
        os.close(handle)


def _begun(folder: Path, manifest: dict[str, Any]) -> RecordFolder:
    """The folder, if it was begun with the same inputs."""
    found = read_folder(folder, manifest["kind"])
    old, new = found.manifest.get("inputs", {}), manifest["inputs"]
    other = sorted(key for key in {*old, *new} if old.get(key) != new.get(key))
    require(not other, f"{folder}: it was begun with another {' and another '.join(other)}; give the same to resume, "
            "or choose another folder", BadFile)  # fmt: skip
    before, now = found.manifest.get("versions", {}), manifest["versions"]
    changed = [f"{key} {before.get(key)} → {now.get(key)}" for key in now if before.get(key) != now.get(key)]
    if changed:
        warn(f"{folder}: it was begun with other versions ({', '.join(changed)}); the rest may differ by round-off")
    return found


def versions() -> dict[str, str]:
    """Of what computes: condyle, Python, numpy, scipy and numba."""
    import platform
    from importlib.metadata import version

    found = {name: version(name) for name in ("condyle", "numpy", "scipy", "numba")}
    return {**found, "python": platform.python_version(), "machine": platform.machine()}


def digest(*parts: Any) -> str:
    """A hash of arrays, bytes and texts."""
    found = hashlib.sha256()
    for part in parts:
        if isinstance(part, np.ndarray):
            found.update(f"{part.dtype}{part.shape}".encode())
            found.update(np.ascontiguousarray(part).data)
        else:
            found.update(part if isinstance(part, bytes) else str(part).encode())
        found.update(b"\0")
    return found.hexdigest()[:32]


def function_digest(f: Any) -> str:
    """A hash of a function's name and code; not of the values that it reads from elsewhere."""
    code = getattr(f, "__code__", None)
    inner = (
        b"" if code is None else code.co_code + repr([c for c in code.co_consts if not hasattr(c, "co_code")]).encode()
    )
    return digest(getattr(f, "__module__", ""), getattr(f, "__qualname__", type(f).__name__), inner)
