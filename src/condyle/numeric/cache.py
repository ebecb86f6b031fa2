"""Where compiled kernels are kept between runs.

Numba's own cache keys a function by its own file only: edit a callee in another file and the stale caller is
returned. Here the folder is named by a hash of the code of all kernel sources, so any edit that can change a kernel
starts afresh, and no other does. (Numba's index inside the folder tells its version, Python's and the CPU apart.)
CONDYLE_CACHE_DIR moves the folder; an unwritable one falls back to a temporary folder.
"""

from __future__ import annotations

import ast
import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from numba.core.caching import CompileResultCacheImpl, FunctionCache

PACKAGE = Path(__file__).resolve().parent.parent
STALE_SECONDS = 30 * 24 * 3600
OURS = re.compile(r"kernels-[0-9a-f]{20}")


def kernel_sources(package: Path = PACKAGE) -> list[Path]:
    """The files that compiled code can depend on: every `kernels` folder and `numeric`; kernels import nothing else."""
    return sorted(p for p in package.rglob("*.py") if p.parent.name in ("kernels", "numeric"))


def source_hash(package: Path = PACKAGE) -> str:
    """A hash of what the kernel sources say; comments, docstrings and layout do not count."""
    digest = hashlib.sha256()
    for path in kernel_sources(package):
        digest.update(path.relative_to(package).as_posix().encode())
        digest.update(_code(path.read_bytes()).encode())
    return digest.hexdigest()[:20]


def _code(source: bytes) -> str:
    """The syntax tree of a module as text, without its docstrings."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node, clean=False):
            del node.body[0]
    return ast.dump(tree)


def _remembered_hash(base: Path) -> str:
    """`source_hash`, which takes a third of a second, kept in `base` under a hash of the files' bytes."""
    digest = hashlib.sha256(sys.version.encode())
    for path in kernel_sources():
        digest.update(path.relative_to(PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    note = base / f"sources-{digest.hexdigest()[:20]}"
    with suppress(OSError):
        kept = note.read_text(encoding="ascii")
        if OURS.fullmatch(f"kernels-{kept}"):
            return kept
    found = source_hash()
    with suppress(OSError):
        base.mkdir(parents=True, exist_ok=True)
        note.write_text(found, encoding="ascii")
    return found


@lru_cache(maxsize=1)
def cache_folder() -> Path:
    """The folder for this version of the kernels, made if need be."""
    base = _base()
    name = f"kernels-{_remembered_hash(base)}"
    try:
        folder = base / name
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except (OSError, RuntimeError):  # unwritable, or no home
        return _temporary(name)
    with suppress(OSError):
        _forget_stale(folder)
    return folder


def _base() -> Path:
    wanted = os.environ.get("CONDYLE_CACHE_DIR")
    return Path(wanted) if wanted else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "condyle"


def _temporary(name: str) -> Path:
    """A folder below the system's temporary one that nobody else can write to: what it holds is run."""
    user = str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    base = Path(tempfile.gettempdir()) / f"condyle-{user}"
    with suppress(FileExistsError):
        base.mkdir(mode=0o700)
    if not _private(base):
        base = Path(tempfile.mkdtemp(prefix="condyle-"))
    folder = base / name
    folder.mkdir(exist_ok=True)
    return folder


def _private(folder: Path) -> bool:
    if not hasattr(os, "getuid"):
        return True
    found = folder.lstat()
    return folder.is_dir() and not folder.is_symlink() and found.st_uid == os.getuid() and not found.st_mode & 0o022


def _forget_stale(keep: Path) -> None:
    """Remove the folders of kernel versions unused for a month; touch the one in use."""
    os.utime(keep)
    for folder in keep.parent.iterdir():
        if OURS.fullmatch(folder.name) and time.time() - folder.stat().st_mtime > STALE_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)


class _Locator:
    """Numba's idea of where a cached function lives, answered with our folder."""

    def __init__(self, py_func, py_file):
        self._name = f"{py_func.__module__}.{py_func.__qualname__}"
        self._file = Path(py_file).resolve()

    def get_cache_path(self):
        return str(cache_folder())

    def ensure_cache_path(self):
        cache_folder().mkdir(parents=True, exist_ok=True)

    def get_source_stamp(self):
        """What the folder is named by; for a kernel of somebody else's, the bytes of its file too."""
        own = b"" if PACKAGE in self._file.parents else self._file.read_bytes()
        return cache_folder().name + hashlib.sha256(own).hexdigest()

    def get_disambiguator(self):
        return hashlib.sha256(self._name.encode()).hexdigest()[:12]

    @classmethod
    def from_function(cls, py_func, py_file):
        return cls(py_func, py_file)


class _Impl(CompileResultCacheImpl):
    _locator_classes = [_Locator]  # noqa: RUF012  (numba's own name and form)


class KernelCache(FunctionCache):
    """Numba's function cache in condyle's folder.

    Two processes that keep a kernel for different types at the same time may give both the same file name; so what
    comes back is looked at, and compiled again if it is for other types.
    """

    _impl_class = _Impl

    def load_overload(self, sig, target_context):
        """The kernel that is kept for these types, or None."""
        found = super().load_overload(sig, target_context)
        return found if found is None or tuple(found.signature.args) == tuple(sig) else None
