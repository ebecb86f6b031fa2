"""Reading and writing files so that nothing is half written and every failure is said in words."""

from __future__ import annotations

import contextlib
import os
import tempfile
import tomllib
import zipfile
from pathlib import Path

import numpy as np

from ..errors import BadFile, require

__all__ = ["existing", "read_arrays", "read_toml", "write_arrays", "write_bytes"]

LARGEST = 2**31  # [bytes] of one side file, unpacked
DEEPEST = 100  # brackets within brackets


def existing(path) -> Path:
    """The path of a file that can be read."""
    path = Path(path)
    if path.is_dir():
        raise BadFile(f"{path}: this is a folder, expected a file")
    require(path.is_file(), f"{path}: there is no such file; the working folder is {Path.cwd()}", BadFile)
    return path


def read_toml(path: Path) -> dict:
    """A TOML file as a dictionary; syntax errors give line and column."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BadFile(f"{path}: not a text file in UTF-8 (byte {error.start}); expected TOML") from None
    except OSError as error:
        raise BadFile(f"{path}: cannot be read: {error.strerror}") from None
    return parse_toml(text, str(path))


def parse_toml(text: str, name: str) -> dict:
    """TOML text as a dictionary."""
    deepest = depth = 0
    for letter in text:
        depth += (letter in "[{") - (letter in "]}")
        deepest = max(deepest, depth)
    require(deepest <= DEEPEST, f"{name}: brackets within brackets {deepest} deep; a model needs few", BadFile)
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, ValueError, RecursionError) as error:
        raise BadFile(f"{name}: not valid TOML: {error}") from None


def read_arrays(path: Path) -> dict[str, np.ndarray]:
    """All arrays of an .npz file; objects (pickles) are refused."""
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(info.file_size for info in archive.infolist())
        require(size <= LARGEST, f"{path}: {size} bytes unpacked is more than condyle reads ({LARGEST})", BadFile)
        with np.load(path, allow_pickle=False) as stored:
            return {name: np.asarray(stored[name]) for name in stored.files}
    except BadFile:
        raise
    except Exception as error:  # a damaged archive fails in many ways: zlib, struct, numpy's header parser …
        raise BadFile(f"{path}: not an .npz file that condyle can read: {error}") from None


def write_bytes(path: Path, write) -> None:
    """Call write(file) on a temporary file beside `path`, then rename it: the old file stays until the new is whole."""
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    except OSError as error:
        raise BadFile(f"{path}: cannot be written: {error.strerror} (folder {path.parent})") from None
    try:
        with os.fdopen(handle, "wb") as file:
            write(file)
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        if isinstance(error, OSError):
            raise BadFile(f"{path}: cannot be written: {error.strerror}") from None
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_arrays(path: Path, arrays: dict[str, np.ndarray]) -> None:
    """An .npz file."""
    write_bytes(path, lambda file: np.savez(file, **arrays))  # type: ignore[arg-type]
