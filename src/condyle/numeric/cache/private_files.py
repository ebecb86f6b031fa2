"""Folders and files that only this user (or root) can write to: what the cache holds is run."""

from __future__ import annotations

import os
import stat
import uuid
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

POSIX = hasattr(os, "getuid")  # elsewhere the user's own folders are private by default
LINKS = 40  # followed in one path


def make_private(folder: Path) -> None:
    """Make a folder, and those above it that are missing, for this user alone, whatever the umask."""
    for missing in [p for p in (*reversed(folder.parents), folder) if not p.exists()]:
        with suppress(FileExistsError):
            missing.mkdir(mode=0o700)
            missing.chmod(0o700)


def flaw_of(folder: Path) -> str | None:
    """Why others could change what a folder holds, or None.

    Every folder and link on the way must belong to this user or to root. Others must not be able to write to any of
    them, save to those where the sticky bit keeps them from renaming what is not theirs. The folder itself must be a
    real one, and no sticky bit makes up for its mode.
    """
    if not POSIX:
        return None
    for step in _steps(folder):
        found = step.lstat()
        if not _trusted_owner(found):
            return f"{step} belongs to user {found.st_uid}"
        if _others_write(found) and not found.st_mode & stat.S_ISVTX:
            return f"others can write to {step} (mode {stat.S_IMODE(found.st_mode):04o})"
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        return f"{folder} is not a folder"
    return f"others can write to {folder}" if _others_write(found) else None


def _steps(path: Path) -> Iterator[Path]:
    """Every folder and symbolic link that a path leads through, the path itself included."""
    path = Path(os.path.abspath(path))
    here, waiting, links = Path(path.anchor), list(path.parts[1:]), 0
    yield here
    while waiting:
        part = waiting.pop(0)
        here = here.parent if part == ".." else here / part
        yield here
        if here.is_symlink():
            links += 1
            if links > LINKS:
                raise OSError(f"{path}: too many links")
            target = Path(os.readlink(here))
            waiting = [*(p for p in target.parts if p != target.anchor), *waiting]
            here = Path(target.anchor) if target.is_absolute() else here.parent


def _trusted_owner(found: os.stat_result) -> bool:
    return found.st_uid in (0, os.getuid())


def _others_write(found: os.stat_result) -> bool:
    return not stat.S_ISLNK(found.st_mode) and bool(found.st_mode & 0o022)


def read_private(path: Path) -> bytes | None:
    """The bytes of a regular file that only this user can write to; None if there is no such file."""
    try:
        with open(path, "rb", opener=_no_link) as file:
            found = os.fstat(file.fileno())
            good = stat.S_ISREG(found.st_mode) and (not POSIX or (_trusted_owner(found) and not _others_write(found)))
            return file.read() if good else None
    except OSError:
        return None


def _no_link(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))


def write_private(path: Path, data: bytes) -> None:
    """Write a file for this user alone, whole or not at all."""
    part = path.with_name(f"{path.name}.{uuid.uuid4().hex[:16]}.part")
    try:
        with open(part, "xb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(data)
        os.replace(part, path)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise
