"""The folder of compiled kernels.

It is in CONDYLE_CACHE_DIR, else in the user's cache folder. A folder that others could change is not used, with a
warning; an unwritable one falls back to a temporary folder.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import tempfile
import time
import warnings
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from ...errors import CondyleWarning
from .private_files import flaw_of, make_private
from .sources import Hashes, remembered_hashes

STALE_SECONDS = 30 * 24 * 3600
FOLDER, NOTE = re.compile(r"kernels-[0-9a-f]{20}"), re.compile(r"sources-[0-9a-f]{20}")


class _Unsafe(Exception):
    """A folder that others could change."""


@lru_cache(maxsize=1)
def cache_folder() -> Path | None:
    """The folder for this version of the number types, made if need be; None where no folder is safe."""
    try:
        return _opened(cache_base())
    except _Unsafe as flaw:
        remedy = "Take that right away (chmod go-w, chown), or set CONDYLE_CACHE_DIR to a folder of your own"
        _warn(f"the kernel cache in {cache_base()} is not used: {flaw}, and what it holds would be run. {remedy}")
    except (OSError, RuntimeError):  # unwritable, or no home
        pass
    return _temporary()


def cache_base() -> Path:
    """Where the folders of all versions are, or would be."""
    wanted = os.environ.get("CONDYLE_CACHE_DIR")
    base = Path(wanted) if wanted else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "condyle"
    return base.absolute()  # the program may change its working folder


def _opened(base: Path) -> Path:
    """The folder of this version below a base, private and writable."""
    _make_safe(base)
    folder = base / f"kernels-{current_hashes(base).numeric}"
    _make_safe(folder)
    with tempfile.TemporaryFile(dir=folder):
        pass
    with suppress(OSError):
        _forget_stale(folder)
    return folder


@lru_cache(maxsize=4)
def current_hashes(base: Path) -> Hashes:
    """The hashes of this version's kernel sources, kept in the base of the cache."""
    return remembered_hashes(base)


def _make_safe(folder: Path) -> None:
    make_private(folder)
    flaw = flaw_of(folder)
    if flaw is not None:
        raise _Unsafe(flaw)


def _temporary() -> Path | None:
    """A folder below the system's temporary one: one for all runs of this user, else one for this process alone."""
    user = str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    with suppress(OSError, _Unsafe):
        return _opened(Path(tempfile.gettempdir()) / f"condyle-{user}")
    with suppress(OSError, _Unsafe):
        own = Path(tempfile.mkdtemp(prefix="condyle-"))
        atexit.register(shutil.rmtree, own, ignore_errors=True)
        return _opened(own)
    _warn("there is no safe folder for compiled kernels: every start compiles again. Set CONDYLE_CACHE_DIR")
    return None


def _warn(words: str) -> None:
    warnings.warn(words, CondyleWarning, stacklevel=2)


def _forget_stale(keep: Path) -> None:
    """Remove folders and notes unused for a month; touch the folder in use."""
    os.utime(keep)
    for path in keep.parent.iterdir():
        if time.time() - path.lstat().st_mtime < STALE_SECONDS:
            continue
        if FOLDER.fullmatch(path.name):
            shutil.rmtree(path, ignore_errors=True)
        elif NOTE.fullmatch(path.name):
            path.unlink(missing_ok=True)
