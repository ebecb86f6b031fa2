"""What Numba's dispatcher asks of a cache, answered from condyle's folder: one file for each kernel and types.

A file holds a checksum of its name and of what follows. A kernel whose file is wrong, empty, cut or not this user's is
compiled and written again; one that cannot be written is compiled at every start. Nothing here raises.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import pickle
import re
import sys
import time
import warnings
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from ...errors import CondyleWarning
from ..linked_code import EntryCompiler, rebuilt_inner
from .folder import STALE_SECONDS, cache_folder, current_hashes
from .private_files import make_private, read_private, write_private
from .sources import PACKAGE, Hashes
from .telling import LINE

VERSIONS = (sys.implementation.cache_tag, numba.__version__, llvmlite.__version__)


def keep(compiled: Any) -> Any:
    """Keep the machine code of a Numba function on disk, where there is a safe folder for it."""
    folder = cache_folder()
    with suppress(OSError):  # a function typed in at a prompt has no file, and is not kept
        if folder is not None:
            numba_calls_it = compiled._compiler.pipeline_class is EntryCompiler
            compiled._cache = KernelCache(compiled.py_func, folder, "called by Numba" if numba_calls_it else "")
    return compiled


class KernelCache:
    """The files of one function.

    Parameters
    ----------
    function : callable
        The function in Python.
    folder : Path
        A private folder below the base of the cache.
    how : str
        What else tells its code from other code of the same function: who calls it.
    """

    def __init__(self, function: Any, folder: Path, how: str = "") -> None:
        self.folder, self._function = folder, function
        self._name = f"{function.__module__}.{function.__qualname__}"
        self._hashes = current_hashes(folder.parent)
        self._stamp = (*VERSIONS, self._name + how, _sources_of(function, self._hashes))

    @property
    def cache_path(self) -> str:
        """The folder, as Numba's statistics show it."""
        return str(self.folder)

    def holds(self, sig: tuple, target_context: Any) -> bool:
        """Whether there is a file for these types, good or not; a function that is not kept is said to be compiled."""
        target_context.refresh()
        if self._path(sig, target_context.codegen()).is_file():
            return True
        LINE.missing(self._function, self._name)
        return False

    def load_overload(self, sig: tuple, target_context: Any) -> CompileResult | None:
        """The kernel that is kept for these types, or None."""
        try:
            target_context.refresh()
            path = self._path(sig, target_context.codegen())
            data = _checked(path)
            if data is not None:
                os.utime(path)  # in use: not stale
                kept = pickle.loads(data)
                inner = kept[0][1] == "bitcode"  # made for linking
                return rebuilt_inner(target_context, kept) if inner else CompileResult._rebuild(target_context, *kept)
        except Exception:  # it is compiled instead, and if the cause was another, the compiler says so
            pass
        LINE.missing(self._function, self._name)
        return None

    def save_overload(self, sig: tuple, result: CompileResult) -> None:
        """Keep a kernel for these types."""
        LINE.compiled(self._name)
        if any(not x.can_cache for x in result.lifted) or result.library.has_dynamic_globals:
            return
        path, payload = self._path(sig, result.codegen), dumps(result._reduce())
        try:
            make_private(self.folder)
            write_private(path, _digest(path, payload) + payload)
            _forget_stale(path)
        except OSError as error:
            _warn_once(self.folder, str(error.strerror))

    def enable(self) -> None:
        """Nothing to do: it is always in use."""

    def disable(self) -> None:
        """Nothing to do: it is always in use."""

    def flush(self) -> None:
        """Nothing to do: what is compiled again replaces what was kept."""

    def _path(self, sig: tuple, codegen: Any) -> Path:
        """The file for these types and this processor."""
        closed_over = dumps(_closed_over(self._function))
        sources = "".join(_reached_sources(self._function, self._hashes))
        key = repr((self._stamp, sig, codegen.magic_tuple(), closed_over)) + sources
        plain = re.sub(r"[^\w.]", "", self._name)[-80:]
        return self.folder / f"{plain}-{hashlib.sha256(key.encode()).hexdigest()[:24]}.nbc"


def _sources_of(function: Any, hashes: Hashes) -> str:
    """A hash of the kernel sources that a function's machine code depends on, and of which code in its file it is."""
    return hashlib.sha256(
        _file_hash(inspect.getfile(function), hashes).encode() + function.__code__.co_code
    ).hexdigest()


def _file_hash(name: str, hashes: Hashes) -> str:
    """The hash of a kernel file with its imports; a file elsewhere may call any kernel, so all of them count."""
    file = Path(name).resolve()
    if PACKAGE not in file.parents:
        return hashes.all + hashlib.sha256(file.read_bytes()).hexdigest()  # OSError: there is no file
    if file.parent.name == "numeric":
        return hashes.numeric
    return hashes.files.get(file.relative_to(PACKAGE).as_posix(), hashes.all)


def _reached_sources(function: Any, hashes: Hashes) -> list[str]:
    """What a kernel depends on that the imports of its file do not show.

    A pickle of a kernel names it and does not hold its code, so the sources of kernels that are closed over count by
    themselves, wherever they stand. Outside the package no imports are followed: there also the files of the kernels
    that a kernel names count, and the constants that it names.
    """
    found, seen, waiting = [], set(), [function]
    while waiting:
        here = waiting.pop()
        if here in seen:
            continue
        seen.add(here)
        waiting += _kernels_in(_closed_over(here))
        if PACKAGE in Path(inspect.getfile(here)).resolve().parents:
            found.append(_sources_of(here, hashes))
            continue
        found.append(_bytes_hash(inspect.getfile(here)) + here.__code__.co_code.hex())
        for name in here.__code__.co_names:
            value = here.__globals__.get(name)
            if inspect.ismodule(value):
                found.append(_bytes_hash(getattr(value, "__file__", None) or ""))
            elif kernels := _kernels_in((value,)):
                waiting += kernels
            elif value is not None and not callable(value):
                found.append(f"{name} = {value!r}")
    return found


def _closed_over(function: Any) -> tuple:
    """The values of a function's free variables."""
    return tuple(cell.cell_contents for cell in function.__closure__ or ())


def _kernels_in(values: tuple) -> list[Any]:
    """The Python functions of the kernels among some values, and in tuples among them."""
    kernels = [value.py_func for value in values if hasattr(value, "py_func")]
    return kernels + [each for value in values if isinstance(value, tuple) for each in _kernels_in(value)]


def _bytes_hash(name: str) -> str:
    """A hash of a file; empty if it cannot be read."""
    with suppress(OSError):
        return hashlib.sha256(Path(name).read_bytes()).hexdigest()
    return ""


def _forget_stale(path: Path) -> None:
    """Remove older versions of a kernel that were not used for a month."""
    name = path.name.rsplit("-", 1)[0]
    for old in path.parent.glob(f"{name}-*.nbc"):
        if time.time() - old.lstat().st_mtime > STALE_SECONDS:
            old.unlink(missing_ok=True)


def _digest(path: Path, payload: bytes) -> bytes:
    """SHA-256 of a file's name and contents, so that files that changed names do not pass either."""
    return hashlib.sha256(path.name.encode() + b"\0" + payload).digest()


def _checked(path: Path) -> bytes | None:
    """The contents of a file whose checksum is right."""
    data = read_private(path)
    if data is None:
        return None
    checksum, payload = data[:32], data[32:]
    return payload if checksum == _digest(path, payload) else None


@lru_cache(maxsize=8)
def _warn_once(folder: Path, why: str) -> None:
    words = f"compiled kernels cannot be kept in {folder} ({why}): every start compiles them again"
    warnings.warn(words, CondyleWarning, stacklevel=2)
