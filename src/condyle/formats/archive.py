""".npz files: arrays read within bounds and without pickles."""

from __future__ import annotations

import math
import struct
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.lib import format as npy

from ..errors import BadFile, require
from .bounds import DIRECTORY, MEMBERS, UNPACKED
from .safe_files import write_bytes

Arrays = dict[str, np.ndarray]
HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
END = struct.Struct("<4s4H2LH")  # the last record of a zip: how many files, how long its table of contents is
LABEL = 1024  # [bytes] of an array that says what a file is


def read_arrays(path: Path, only: Sequence[str] | None = None, most: int = MEMBERS) -> Arrays:
    """At most `most` arrays of an .npz file, or those of `only` that it has, which must be short; no pickles."""
    try:
        with zipfile.ZipFile(_plain(path)) as archive:
            members = _members(archive, path, most)
            if only is None:
                _require_unpackable(members, path)
                return {name: _read(archive, info, path) for name, info in members.items()}
            few = {name: members[name] for name in only if name in members}
            for name, info in few.items():
                words = f"{path}: {name} unpacks to {info.file_size} bytes, more than the {LABEL} of a word"
                require(info.file_size <= LABEL, words, BadFile)
            return {name: _read(archive, info, path) for name, info in few.items()}
    except BadFile:
        raise
    except MemoryError:
        raise BadFile(f"{path}: its arrays are larger than the memory of this machine") from None
    except Exception as error:  # a damaged archive fails in many ways: zlib, struct, numpy's header parser …
        raise BadFile(f"{path}: not an .npz file that condyle can read: {error}") from None


def _plain(path: Path) -> Path:
    """The path, if its table of contents is of a reasonable length: zipfile reads it as a whole."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - 2**16 - END.size))
        tail = file.read()
    at = tail.rfind(b"PK\5\6")
    if at >= 0 and len(tail) >= at + END.size:
        length = END.unpack_from(tail, at)[5]
        words = f"{path}: a table of contents of {length} bytes is more than the {DIRECTORY} that condyle reads"
        require(length <= DIRECTORY, words, BadFile)
    return path


def _members(archive: zipfile.ZipFile, path: Path, most: int) -> dict[str, zipfile.ZipInfo]:
    """The files of an archive by the names of their arrays."""
    found = archive.infolist()
    require(len(found) <= most, f"{path}: {len(found)} arrays are more than the {most} that condyle reads", BadFile)
    named = {info.filename.removesuffix(".npy"): info for info in found}
    require(len(named) == len(found), f"{path}: two arrays have the same name", BadFile)
    return named


def _require_unpackable(members: dict[str, zipfile.ZipInfo], path: Path) -> None:
    """What is stored as it is cannot unpack to more than the file; what is compressed is bounded."""
    size = sum(info.file_size for info in members.values() if info.compress_type != zipfile.ZIP_STORED)
    words = f"{path}: {size} bytes unpacked are more than the {UNPACKED} that condyle reads"
    require(size <= UNPACKED, words, BadFile)
    stored = sum(info.file_size for info in members.values() if info.compress_type == zipfile.ZIP_STORED)
    require(stored <= path.stat().st_size, f"{path}: its arrays are said to be larger than the file", BadFile)


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: Path) -> np.ndarray:
    """One array, if its header says the size that it has."""
    with archive.open(info) as file:
        version = npy.read_magic(file)
        require(version in HEADERS, f"{path}: {info.filename}: unknown version of .npy", BadFile, version=version)
        shape, fortran, dtype = HEADERS[version](file)
        require(not dtype.hasobject, f"{path}: not an .npz file that condyle can read: {info.filename} holds Python "
                "objects, which need allow_pickle", BadFile)  # fmt: skip
        require(dtype.itemsize > 0, f"{path}: {info.filename} has elements of no size", BadFile, dtype=str(dtype))
        said, there = math.prod(shape) * dtype.itemsize, info.file_size - file.tell()
        require(said == there, f"{path}: {info.filename} is said to have {said} bytes and has {there}", BadFile)
        flat = np.frombuffer(bytearray(file.read(there)), dtype=dtype)
        return flat.reshape(shape, order="F" if fortran else "C")


def text_of(arrays: Arrays, key: str) -> str | None:
    """A text that is kept as an array of no dimension; None if there is none."""
    array = arrays.get(key)
    return str(array) if array is not None and array.shape == () and array.dtype.kind == "U" else None


def write_arrays(path: Path, arrays: Arrays) -> None:
    """An .npz file."""
    write_bytes(path, lambda file: np.savez(file, **arrays))  # type: ignore[arg-type]
