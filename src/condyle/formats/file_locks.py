"""Locks on open files that end with the process, by what the system has: `fcntl`, or `msvcrt` on Windows."""

from __future__ import annotations

import sys

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

POSIX = fcntl is not None


def lock(handle: int) -> None:
    """Wait for the lock of a file and hold it; OSError on file systems without locks. Windows: nothing."""
    if fcntl is not None:
        fcntl.flock(handle, fcntl.LOCK_EX)


def try_lock(handle: int) -> None:
    """Hold the lock of a file; BlockingIOError if another process holds it, OSError where there are no locks."""
    if fcntl is not None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    elif sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError(*error.args) from None
