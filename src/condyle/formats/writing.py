"""Writing files so that nothing is lost: the old file stays until the new one is whole and on the disk."""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import secrets
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from ..errors import BadFile, BadValue, require
from .file_locks import POSIX, lock, try_lock

BINARY = getattr(os, "O_BINARY", 0)  # Windows would change line ends
LEFT = 3600.0  # seconds after which a part without locks has lost its writer


def as_path(path: str | os.PathLike[str]) -> Path:
    """A path given as text or as a path object; anything else is refused."""
    try:
        found = Path(path)
    except TypeError:
        raise BadFile(f"a path is text or a pathlib.Path; got {path!r} ({type(path).__name__})") from None
    if found.parts[:1] == ("~",):  # of a shell, which it does not replace within quotes
        found = found.expanduser()
    require("\0" not in str(found), "a path cannot hold a null character", BadFile, got=str(found))
    try:
        os.fsencode(found)
    except UnicodeEncodeError:
        raise BadFile(f"{str(found)!a}: not the name of a file: it holds half a letter") from None
    return found


Old = os.stat_result | None  # what stands where a file is written, if anything does


def require_writable(path: str | os.PathLike[str]) -> Path:
    """Check that a file can be written, before the work whose result it takes.

    Parameters
    ----------
    path : str or Path
        The file. It may exist and may be a symbolic link; a device or a pipe is good too.

    Returns
    -------
    Path
        The same path.

    Raises
    ------
    BadFile
        For a folder, a read-only file, a block device or a socket, and where its folder is missing or read-only.
    """
    path = as_path(path)
    target, old = _target(path)
    if old is None or stat.S_ISREG(old.st_mode):
        with _in_words(path), tempfile.TemporaryFile(dir=target.parent):
            pass
    return path


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """`write_bytes` of a text in UTF-8."""
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        bad = error.object[error.start]
        raise BadValue(f"{path}: a text holds {bad!r}, which UTF-8 cannot hold; change that name") from None
    write_bytes(path, lambda file: file.write(data))


def write_bytes(path: str | os.PathLike[str], write: Callable[[IO[bytes]], Any]) -> None:
    """Write a file through a temporary one in its folder, synced to the disk and then renamed.

    A file that exists keeps its permissions, and stays as it was if anything fails. A symbolic link stays one: what it
    points at is replaced. A device or a pipe is written to as it is.

    Parameters
    ----------
    path : str or Path
        The file.
    write : callable
        Called once with a binary file to write to.

    Raises
    ------
    BadFile
        If the file cannot be written (see `require_writable`) or the disk is full.
    """
    path = as_path(path)
    target, old = _target(path)
    with _in_words(path):
        if old is None or stat.S_ISREG(old.st_mode):
            _replace(target, old, write)
        else:
            _pour(target, write)


def _target(path: Path) -> tuple[Path, Old]:
    """What is written to, links followed, and what is there now; refused if it is not to be written."""
    with _in_words(path):
        try:
            old = os.stat(path)
        except FileNotFoundError:
            return Path(os.path.realpath(path)), None
    mode = old.st_mode
    require(not stat.S_ISDIR(mode), f"{path}: cannot be written: this is a folder, expected a file", BadFile)
    plain = stat.S_ISREG(mode)
    require(plain or stat.S_ISCHR(mode) or stat.S_ISFIFO(mode), f"{path}: cannot be written: neither a file nor a pipe",
            BadFile)  # fmt: skip
    free = os.access(path, os.W_OK) and (not plain or mode & 0o222)
    require(free, f"{path}: cannot be written: it is read-only; make it writable or choose another name", BadFile)
    return (Path(os.path.realpath(path)) if plain else path), old


@contextlib.contextmanager
def _in_words(path: Path) -> Iterator[None]:
    """Errors of the file system as errors of condyle."""
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
        shown = str(path) if len(str(path)) < 200 else f"{str(path)[:100]}…{str(path)[-60:]}"
        raise BadFile(f"{shown}: cannot be written: {why} (folder {str(path.parent)[:200]})") from None


def _pour(target: Path, write: Callable[[IO[bytes]], Any]) -> None:
    """Write to a device or a pipe, which cannot be sought in."""
    content = io.BytesIO()
    write(content)
    with open(os.open(target, os.O_WRONLY | BINARY | getattr(os, "O_NOCTTY", 0)), "wb") as file:
        file.write(content.getbuffer())


def _replace(target: Path, old: Old, write: Callable[[IO[bytes]], Any]) -> None:
    """The part file is locked until it has been renamed: an unlocked one has lost its writer."""
    _sweep(target)
    part, handle = _part(target, old)
    try:
        with open(handle, "wb") as file:
            write(file)
            file.flush()
            _take_access(file.fileno(), old)
            os.fsync(file.fileno())
            if POSIX:
                os.replace(part, target)
        if not POSIX:  # Windows moves no file that is open
            os.replace(part, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise
    _sync_folder(target.parent)


def _part_name(target: Path, token: str) -> str:
    """Short whatever the name is, the same beginning for the same name."""
    return f".condyle-{hashlib.sha256(os.fsencode(target.name)).hexdigest()[:12]}-{token}.part"


def _part(target: Path, old: Old) -> tuple[Path, int]:
    """A new file beside the target, locked; one that replaces a file is nobody else's to read meanwhile."""
    mode = 0o666 if old is None else 0o600
    while True:
        part = target.parent / _part_name(target, secrets.token_hex(8))
        handle = os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL | BINARY, mode)
        with contextlib.suppress(OSError):  # file systems without locks: then nothing is swept either
            lock(handle)
        if os.fstat(handle).st_nlink > 0:  # else another process swept it before it was locked
            return part, handle
        os.close(handle)


def _sweep(target: Path) -> None:
    """Delete what writers of this file left when they were killed: parts that nobody has locked."""
    begin = _part_name(target, "")[: -len(".part")]
    with contextlib.suppress(OSError):
        for name in [x.name for x in os.scandir(target.parent) if x.name.startswith(begin)]:
            _delete_unlocked(target.parent / name)


def _delete_unlocked(part: Path) -> None:
    with contextlib.suppress(OSError):
        if not POSIX:
            if time.time() - part.stat().st_mtime > LEFT:
                part.unlink()
            return
        handle = os.open(part, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            try_lock(handle)
            os.unlink(part)
        finally:
            os.close(handle)


def _take_access(handle: int, old: Old) -> None:
    """Owner, where that is allowed, and permissions of the file that is replaced."""
    if old is None or not POSIX:
        return
    with contextlib.suppress(OSError):
        os.fchown(handle, old.st_uid, old.st_gid)
    os.fchmod(handle, stat.S_IMODE(old.st_mode))


def _sync_folder(folder: Path) -> None:
    """The new name on the disk too, where the file system can."""
    if not POSIX:
        return
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
