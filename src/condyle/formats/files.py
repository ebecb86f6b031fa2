"""Reading and writing files so that nothing is half written and every failure is said in words."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from ..errors import BadFile, require

__all__ = ["existing", "read_text", "require_writable", "write_bytes", "write_text"]


def existing(path) -> Path:
    """The path of a file that can be read."""
    path = Path(path)
    if path.is_dir():
        raise BadFile(f"{path}: this is a folder, expected a file")
    require(path.is_file(), f"{path}: there is no such file; the working folder is {Path.cwd()}", BadFile)
    return path


def read_text(path) -> str:
    """The text of a file, in UTF-8 with or without a mark of it."""
    path = existing(path)
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadFile(f"{path}: not a text file in UTF-8 (byte {error.start})") from None
    except OSError as error:
        raise BadFile(f"{path}: cannot be read: {error.strerror}") from None


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
