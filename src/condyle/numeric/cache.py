"""Where compiled kernels are kept between runs.

Numba's own cache keys a function by its own file only: edit a callee in another file and the stale caller is
returned. Here the folder is named by a hash of every kernel source, so any edit starts afresh.
CONDYLE_CACHE_DIR moves the folder; an unwritable one falls back to a temporary folder.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import time
from functools import lru_cache
from pathlib import Path

from numba.core.caching import CompileResultCacheImpl, FunctionCache

PACKAGE = Path(__file__).resolve().parent.parent
STALE_SECONDS = 30 * 24 * 3600


def source_hash(package: Path = PACKAGE) -> str:
    """A hash of every module below `package` that defines kernels, or the things kernels call."""
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        text = path.read_bytes()
        if b"@kernel" in text or b"@entry" in text or path.parent.name == "numeric":
            digest.update(str(path.relative_to(package)).encode())
            digest.update(text)
    return digest.hexdigest()[:20]


@lru_cache(maxsize=1)
def cache_folder() -> Path:
    """The folder for this version of the kernels, made if need be."""
    wanted = os.environ.get("CONDYLE_CACHE_DIR")
    base = Path(wanted) if wanted else Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "condyle"
    try:
        folder = base / source_hash()
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        _forget_stale(base, folder)
        return folder
    except OSError:
        folder = Path(tempfile.gettempdir()) / f"condyle-{_user()}" / source_hash()
        folder.mkdir(parents=True, exist_ok=True)
        return folder


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")


def _forget_stale(base: Path, keep: Path) -> None:
    """Remove the folders of kernel versions unused for a month; touch the one in use."""
    os.utime(keep)
    for folder in base.iterdir():
        if len(folder.name) == 20 and folder.is_dir() and time.time() - folder.stat().st_mtime > STALE_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)


class _Locator:
    """Numba's idea of where a cached function lives, answered with our folder."""

    def __init__(self, py_func):
        self._name = f"{py_func.__module__}.{py_func.__qualname__}"

    def get_cache_path(self):
        return str(cache_folder())

    def ensure_cache_path(self):
        cache_folder().mkdir(parents=True, exist_ok=True)

    def get_source_stamp(self):
        return cache_folder().name

    def get_disambiguator(self):
        return hashlib.sha256(self._name.encode()).hexdigest()[:12]

    @classmethod
    def from_function(cls, py_func, py_file):
        return cls(py_func)


class _Impl(CompileResultCacheImpl):
    _locator_classes = [_Locator]  # noqa: RUF012  (numba's own name and form)


class KernelCache(FunctionCache):
    """Numba's function cache in condyle's folder."""

    _impl_class = _Impl
