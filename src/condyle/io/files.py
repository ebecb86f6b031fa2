"""TOML and .npz: text to dictionaries, archives to arrays."""

from __future__ import annotations

import tomllib
import zipfile
from pathlib import Path

import numpy as np

from ..errors import BadFile, require
from ..formats.files import read_text, write_bytes

__all__ = ["parse_toml", "read_arrays", "read_toml", "write_arrays"]

LARGEST = 2**31  # [bytes] of one side file, unpacked
DEEPEST = 100  # brackets within brackets


def read_toml(path: Path) -> dict:
    """A TOML file as a dictionary; syntax errors give line and column."""
    return parse_toml(read_text(path), str(path))


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


def write_arrays(path: Path, arrays: dict[str, np.ndarray]) -> None:
    """An .npz file."""
    write_bytes(path, lambda file: np.savez(file, **arrays))  # type: ignore[arg-type]
