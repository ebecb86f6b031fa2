"""Reading and writing files so that nothing is half written and every failure is said in words."""

from __future__ import annotations

import gzip
import io
import os
import zlib
from pathlib import Path

from ..errors import BadFile, require
from .bounds import FILE
from .writing import as_path, require_writable, write_bytes, write_text

__all__ = [
    "Neighbors",
    "as_path",
    "existing",
    "file_path",
    "plain_suffix",
    "read_bytes",
    "read_text",
    "require_plain",
    "require_writable",
    "write_bytes",
    "write_text",
]

PACKED = ".gz"


def existing(path) -> Path:
    """The path of a file that can be read."""
    path = as_path(path)
    try:
        folder, file = path.is_dir(), path.is_file()
    except (OSError, ValueError) as error:  # a name that is too long, or that holds a null character
        raise BadFile(f"{str(path)[:200]!r}: not the name of a file: {error}") from None
    require(not folder, f"{path}: this is a folder, expected a file", BadFile)
    require(file, f"{path}: there is no such file; the working folder is {Path.cwd()}", BadFile)
    return path


def file_path(path: Path, who: object) -> Path:
    """The whole path of a file, there or not, that the file `who` names; names that no file can have are refused."""
    try:
        path.exists()
        return path.resolve()
    except (OSError, ValueError) as error:  # a name that is too long, or that holds a null character
        words = error.strerror if isinstance(error, OSError) else str(error)
        raise BadFile(f"{who}: {path.name[:60]!r} is not the name of a file: {words}; shorten it") from None


def plain_suffix(path) -> str:
    """How the name of a file ends, in small letters; of a compressed one how it ends before .gz."""
    path = Path(path)
    return (Path(path.stem) if path.suffix.lower() == PACKED else path).suffix.lower()


def require_plain(path: Path) -> Path:
    """The path of a file that is not compressed."""
    way = f"unpack it first: gunzip -k {path.name}"
    require(path.suffix.lower() != PACKED, f"{path}: such a file is not read compressed; {way}", BadFile)
    return path


def read_bytes(path, largest: int = FILE) -> bytes:
    """The content of a file of at most `largest` bytes, unpacked if its name ends with .gz."""
    path = existing(path)
    try:
        size = path.stat().st_size
        require(size <= largest, f"{path}: {size} bytes are more than condyle reads ({largest})", BadFile)
        with path.open("rb") as file:
            data = file.read(size + 1)
    except OSError as error:
        raise BadFile(f"{path}: cannot be read: {error.strerror}") from None
    require(len(data) <= size, f"{path}: the file grows while it is read", BadFile)
    return _unpacked(data, largest, path) if path.suffix.lower() == PACKED else data


def _unpacked(data: bytes, largest: int, path: Path) -> bytes:
    """What compressed bytes unpack to, if that is no more than `largest` bytes."""
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            plain = file.read(largest + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise BadFile(f"{path}: not a whole .gz file: {error}") from None
    require(len(plain) <= largest, f"{path}: it unpacks to more bytes than condyle reads ({largest})", BadFile)
    return plain


def read_text(path) -> str:
    """The text of a file, in UTF-8 with or without a mark of it."""
    try:
        return read_bytes(path).decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise BadFile(f"{path}: not a text file in UTF-8 (byte {error.start})") from None


class Neighbors:
    """Files that a file names: those in its folder or below, of bounded size together; no devices, no network."""

    def __init__(self, path: Path, largest: int) -> None:
        self.folder, self.left = Path(os.path.abspath(path)).parent, largest

    def get(self, name: str) -> bytes:
        """The content of a file."""
        path = Path(os.path.normpath(self.folder / name.strip().replace("\\", "/")))
        require(path.is_relative_to(self.folder), f"{name!r} is not in the folder of the file that names it", BadFile)
        data = read_bytes(path, self.left)
        self.left -= len(data)
        return data

    __getitem__ = get
