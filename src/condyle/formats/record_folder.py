"""A folder in which records grow: a manifest, then files that are whole when they appear and never change.

Every file has a checksum of what is in it and of the inputs that the manifest names, so that damage is seen, and so is
a file of another run. Folders of format 1, which had no checksums, are read with a warning.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import BadFile, CondyleError, DamagedRecords, require, warn
from ..typing import PathLike
from .archive import Arrays, read_arrays
from .bounds import DIRECTORY
from .file_locks import try_lock
from .safe_files import as_path, read_bytes
from .writing import write_bytes, write_text

VERSION, WITHOUT_CHECKSUMS = 2, 1
MANIFEST, LOCK, CHECKSUM = "manifest.json", "writer.lock", "checksum"
ASIDE, SUM = ".damaged", ".sum"
AGAIN = "resume=True computes it again"


class RecordFolder:
    """A folder with a manifest; files are added to it, each synced and renamed, and none is changed."""

    def __init__(self, path: Path, manifest: dict[str, Any]) -> None:
        self.path, self.manifest = path, manifest
        self.sealed = manifest.get("condyle") != WITHOUT_CHECKSUMS

    @cached_property
    def key(self) -> bytes:
        """What all checksums of the folder begin with: a hash of its inputs."""
        return digest(json.dumps(self.manifest.get("inputs", {}), sort_keys=True)).encode()

    def add_text(self, name: str, text: str) -> None:
        """A file of text."""
        write_text(self.path / name, text)

    def add_json(self, name: str, content: Mapping[str, Any]) -> None:
        """A file of JSON with its checksum."""
        self.add_text(name, json.dumps({**content, CHECKSUM: self._of_json(content)}) + "\n")

    def add_arrays(self, name: str, arrays: Mapping[str, np.ndarray]) -> None:
        """An .npz file with its checksum."""
        every = {**arrays, CHECKSUM: np.array(self._of_arrays(arrays))}
        write_bytes(self.path / name, lambda file: np.savez(file, allow_pickle=False, **every))  # type: ignore[arg-type]

    def seal(self, name: str) -> None:
        """Write the checksum of a file that another writer wrote into a file beside it."""
        self.add_text(name + SUM, digest(self.key, read_bytes(self.path / name)) + "\n")

    def require_whole(self, name: str) -> Path:
        """The path of a sealed file, if its bytes are those that were sealed."""
        path, beside = self.path / name, self.path / (name + SUM)
        if self.sealed or beside.is_file():
            said = read_bytes(beside).decode(errors="replace").strip() if beside.is_file() else "missing"
            _require_same(path, said, digest(self.key, read_bytes(path)))
        return path

    def is_whole(self, name: str) -> bool:
        """Whether a sealed file is there and as it was sealed."""
        return (self.path / name).exists() and self.damage(lambda: self.require_whole(name)) is None

    def read_arrays(self, name: str) -> Arrays:
        """The arrays of an .npz file, if they are those that were written."""
        path = self.path / name
        arrays = read_arrays(path, most=DIRECTORY)
        said = arrays.pop(CHECKSUM, None)
        if said is not None or self.sealed:
            _require_same(path, str(said), self._of_arrays(arrays))
        return arrays

    def read_json(self, name: str) -> dict[str, Any]:
        """The content of a file of JSON, if it is what was written."""
        path = self.path / name
        content = _json(path)
        said = content.pop(CHECKSUM, None)
        if said is not None or self.sealed:
            _require_same(path, said, self._of_json(content))
        return content

    def value(self, name: str, good: Callable[[Any], bool], expected: str) -> Any:
        """What the manifest says under a name, if it is such a thing."""
        found = self.manifest.get(name)
        words = f"{self.path / MANIFEST}: {name} must be {expected}; the folder is damaged"
        require(good(found), words, BadFile, got=found)
        return found

    def numbered(self, form: str) -> list[int]:
        """The numbers of files that are there, by a form like "chunk-{:06d}.npy"."""
        head, tail = form.split("{:06d}")
        names = (name.removeprefix(head).removesuffix(tail) for name in _names(self.path, head, tail))
        return sorted(int(number) for number in names if number.isascii() and number.isdecimal())

    def damage(self, read: Callable[[], Any]) -> str | None:
        """What is wrong with a file, in words, found by reading it; None if nothing is."""
        try:
            read()
        except CondyleError as error:
            return str(error)
        return None

    def set_aside(self, names: Iterable[str]) -> None:
        """Give damaged files other names, so that nothing takes them for records."""
        for name in (n for n in names if (self.path / n).exists()):
            try:
                os.replace(self.path / name, self.path / (name + ASIDE))
            except OSError as error:
                raise BadFile(f"{self.path / name}: cannot be set aside: {error.strerror}") from None

    def _of_arrays(self, arrays: Mapping[str, Any]) -> str:
        return digest(self.key, *(part for name in sorted(arrays) for part in (name, np.asarray(arrays[name]))))

    def _of_json(self, content: Mapping[str, Any]) -> str:
        return digest(self.key, json.dumps(content, sort_keys=True))


def _require_same(path: Path, said: Any, found: str) -> None:
    """Refuse a file whose checksum is not that of its content."""
    words = f"{path}: it is damaged, or of another run: its checksum is not that of its content; {AGAIN}"
    require(said == found, words, BadFile)


@contextlib.contextmanager
def naming(path: Path, what: str) -> Iterator[None]:
    """Whatever goes wrong with the content of a file as a BadFile that names it: damage fails in many ways."""
    try:
        yield
    except CondyleError as error:
        if str(path) in str(error):
            raise
        raise BadFile(f"{path}: {what}: {error}") from None
    except Exception as error:
        raise BadFile(f"{path}: {what}: {type(error).__name__}: {error}") from None


def is_whole_number(x: Any) -> bool:
    """A whole number from 0 on that counts something."""
    return isinstance(x, int) and not isinstance(x, bool) and 0 <= x < 2**53


def is_number(x: Any) -> bool:
    """A finite number."""
    return isinstance(x, int | float) and not isinstance(x, bool) and abs(x) < 1e300


def is_list_of(good: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Whether something is a list of such things."""
    return lambda x: isinstance(x, list) and all(map(good, x))


def _names(folder: Path, head: str, tail: str) -> list[str]:
    try:
        return [name for name in os.listdir(folder) if name.startswith(head) and name.endswith(tail)]
    except OSError as error:
        raise BadFile(f"{folder}: cannot be read: {error.strerror}") from None


def _json(path: Path) -> dict[str, Any]:
    """The content of a file of JSON that holds one object."""
    with naming(path, "not the JSON that condyle writes"):
        found = json.loads(read_bytes(path))
    require(isinstance(found, dict), f"{path}: not the JSON that condyle writes: expected an object", BadFile)
    return found


def read_folder(path: PathLike, *kinds: str) -> RecordFolder:
    """A folder of records that is there, of one of some kinds."""
    path = as_path(path)
    file = path / MANIFEST
    require(file.is_file(), f"{path}: no records of condyle: there is no {MANIFEST} in it", BadFile)
    manifest = _json(file)
    require({"condyle", "kind"} <= set(manifest), f"{file}: not a manifest of condyle's records", BadFile)
    _require_version(path, manifest)
    kind, wanted = manifest["kind"], " or ".join(map(repr, kinds))
    require(kind in kinds, f"{path}: its records are of another kind: expected {wanted}", BadFile, got=kind)
    if manifest["condyle"] == WITHOUT_CHECKSUMS and CHECKSUM not in manifest:
        warn(f"{path}: an older version of condyle wrote it, without checksums: damage in it may not be seen")
    else:
        _require_same(file, manifest.pop(CHECKSUM, None), _of_manifest(manifest))
    return RecordFolder(path, manifest)


def _of_manifest(manifest: Mapping[str, Any]) -> str:
    return digest(json.dumps(manifest, sort_keys=True))


def _require_version(path: Path, manifest: dict[str, Any]) -> None:
    """Refuse records that another version of condyle wrote in another format."""
    used, found = manifest.get("versions"), manifest["condyle"]
    made = used.get("condyle", "unknown") if isinstance(used, dict) else "unknown"
    words = f"{path}: its records have another format, of condyle {made}; this one reads and resumes format {VERSION}"
    way_out = "use the version that made them, or another folder"
    known = is_whole_number(found) and found in (VERSION, WITHOUT_CHECKSUMS)
    require(known, f"{words}: {way_out}", BadFile, format=found)


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
            yield _new(folder, manifest)


def _new(folder: Path, manifest: dict[str, Any]) -> RecordFolder:
    """The folder with a manifest; files of other inputs that are in it do not count, their checksums say so."""
    said = json.loads(json.dumps({"condyle": VERSION, **manifest}))
    write_text(folder / MANIFEST, json.dumps({**said, CHECKSUM: _of_manifest(said)}, indent=1) + "\n")
    return RecordFolder(folder, said)


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
            try_lock(handle)
        except BlockingIOError:
            raise BadFile(f"{folder}: another process is recording into it") from None
        except OSError:  # a file system without locks
            pass
        yield
    finally:
        os.close(handle)


def _begun(folder: Path, manifest: dict[str, Any]) -> RecordFolder:
    """The folder, if it was begun with the same inputs."""
    if _damaged_manifest(folder / MANIFEST):
        warn(f"{folder / MANIFEST}: it is damaged and is written again; what was recorded counts as far as its "
             "checksums are of the same inputs", DamagedRecords)  # fmt: skip
        return _new(folder, manifest)
    found = read_folder(folder, manifest["kind"])
    old, new = found.value("inputs", lambda x: isinstance(x, dict), "a table"), manifest["inputs"]
    other = sorted(key for key in {*old, *new} if old.get(key) != new.get(key))
    require(not other, f"{folder}: it was begun with another {' and another '.join(other)}; give the same to resume, "
            "or choose another folder", BadFile)  # fmt: skip
    before, now = found.value("versions", lambda x: isinstance(x, dict), "a table"), manifest["versions"]
    changed = [f"{key} {before.get(key)} → {now.get(key)}" for key in now if before.get(key) != now.get(key)]
    if changed:
        warn(f"{folder}: it was begun with other versions ({', '.join(changed)}); the rest may differ by round-off")
    return found


def _damaged_manifest(path: Path) -> bool:
    """Whether a manifest was one of condyle's with checksums, and is not whole: what cannot be its own stays."""
    data = read_bytes(path)
    try:
        found = _json(path)
    except BadFile:
        return b'"condyle"' in data and b'"kind"' in data
    if found.get("condyle") != VERSION or "kind" not in found:
        return False
    return found.pop(CHECKSUM, None) != _of_manifest(found)


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
