"""Reading and writing files so that nothing is half written and every failure is said in words."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from ..errors import BadFile, require

__all__ = ["as_path", "existing", "read_bytes", "read_text", "require_writable", "write_bytes", "write_text"]

LARGEST = 2**29  # [bytes] of a file that is read as a whole


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


def as_path(path) -> Path:
    """A path given as text or as a path object."""
    try:
        return Path(path)
    except TypeError:
        raise BadFile(f"a path is text or a pathlib.Path; got {path!r} ({type(path).__name__})") from None


def read_bytes(path, largest: int = LARGEST) -> bytes:
    """The content of a file of at most `largest` bytes."""
    path = existing(path)
    try:
        size = path.stat().st_size
        require(size <= largest, f"{path}: {size} bytes are more than condyle reads ({largest})", BadFile)
        with path.open("rb") as file:
            data = file.read(size + 1)
    except OSError as error:
        raise BadFile(f"{path}: cannot be read: {error.strerror}") from None
    require(len(data) <= size, f"{path}: the file grows while it is read", BadFile)
    return data


def read_text(path) -> str:
    """The text of a file, in UTF-8 with or without a mark of it."""
    try:
        return read_bytes(path).decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise BadFile(f"{path}: not a text file in UTF-8 (byte {error.start})") from None


def require_writable(path) -> Path:
    """The path, if a file can be made beside it: better said before long work than after."""
    path = Path(path)
    try:
        with tempfile.TemporaryFile(dir=path.parent):
            return path
    except OSError as error:
        raise BadFile(f"{path}: cannot be written: {error.strerror} (folder {path.parent})") from None


def write_text(path, text: str) -> None:
    """`write_bytes` of a text."""
    write_bytes(Path(path), lambda file: file.write(text.encode()))


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
