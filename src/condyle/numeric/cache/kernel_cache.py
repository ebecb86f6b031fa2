"""What Numba's dispatcher asks of a cache, answered from condyle's folder: one file for each kernel and types.

A file holds a checksum of its name and of what follows. A kernel whose file is wrong, empty, cut or not this user's is
compiled and written again; one that cannot be written is compiled at every start. Nothing here raises.
"""

from __future__ import annotations

import hashlib
import inspect
import pickle
import re
import sys
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
from .folder import cache_folder
from .private_files import make_private, read_private, write_private
from .sources import PACKAGE

VERSIONS = (sys.implementation.cache_tag, numba.__version__, llvmlite.__version__)


def keep(compiled: Any) -> Any:
    """Keep the machine code of a Numba function on disk, where there is a safe folder for it."""
    folder = cache_folder()
    with suppress(OSError):  # a function typed in at a prompt has no file, and is not kept
        if folder is not None:
            compiled._cache = KernelCache(compiled.py_func, folder)
    return compiled


class KernelCache:
    """The files of one function.

    Parameters
    ----------
    function : callable
        The function in Python.
    folder : Path
        A private folder, named by a hash of the kernel sources.
    """

    def __init__(self, function: Any, folder: Path) -> None:
        self.folder, self._function = folder, function
        self._name = f"{function.__module__}.{function.__qualname__}"
        self._stamp = (*VERSIONS, self._name, _own_source(function))

    @property
    def cache_path(self) -> str:
        """The folder, as Numba's statistics show it."""
        return str(self.folder)

    def load_overload(self, sig: tuple, target_context: Any) -> CompileResult | None:
        """The kernel that is kept for these types, or None."""
        try:
            target_context.refresh()
            path = self._path(sig, target_context.codegen())
            data = _checked(path)
            return None if data is None else CompileResult._rebuild(target_context, *pickle.loads(data))
        except Exception:  # it is compiled instead, and if the cause was another, the compiler says so
            return None

    def save_overload(self, sig: tuple, result: CompileResult) -> None:
        """Keep a kernel for these types."""
        if any(not x.can_cache for x in result.lifted) or result.library.has_dynamic_globals:
            return
        path, payload = self._path(sig, result.codegen), dumps(result._reduce())
        try:
            make_private(self.folder)
            write_private(path, _digest(path, payload) + payload)
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
        closed_over = dumps(tuple(cell.cell_contents for cell in self._function.__closure__ or ()))
        key = repr((self._stamp, sig, codegen.magic_tuple(), closed_over))
        plain = re.sub(r"[^\w.]", "", self._name)[-80:]
        return self.folder / f"{plain}-{hashlib.sha256(key.encode()).hexdigest()[:24]}.nbc"


def _own_source(function: Any) -> str:
    """A hash of what the name of the folder does not tell: the file of a kernel outside the package, and which code."""
    return hashlib.sha256(_foreign_source(inspect.getfile(function)) + function.__code__.co_code).hexdigest()


@lru_cache(maxsize=256)
def _foreign_source(name: str) -> bytes:
    """The bytes of a file outside the package."""
    file = Path(name).resolve()
    return b"" if PACKAGE in file.parents else file.read_bytes()


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
