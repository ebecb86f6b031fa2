"""Keeps the code of entries as it is before LLVM optimises it: the same for all instruction sets.

More than half of the work of compiling is Numba's own Python. A wheel needs it once, and LLVM's part for each
instruction set (`build`).
"""

# pyright: reportAttributeAccessIssue=false
# (numba is not typed)

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from numba.core.codegen import JITCodeLibrary

from ..cache.private_files import write_private
from ..call_wrapper import CALL
from .entry import Entry

ENTRY, PART = ".entry", ".library"  # what files are named


class Recorded(NamedTuple):
    """The code of one call: of an entry, for arguments of certain types."""

    key: str  # the entry's name and the types
    call: str  # the function in the code that Python calls
    path: Path  # a line that says both, then LLVM's bitcode

    @property
    def symbol(self) -> str:
        """What the call is named in a library."""
        return self.path.stem

    @property
    def bitcode(self) -> bytes:
        """The code."""
        return self.path.read_bytes().split(b"\n", 1)[1]


@contextmanager
def recording(folder: Path) -> Iterator[None]:
    """Keep what is compiled meanwhile; what was loaded from the cache was kept by the process that compiled it.

    Small functions of Numba's own are optimised by themselves before kernels call them: they are kept as parts.
    """
    usual, made = JITCodeLibrary._optimize_final_module, {}

    def kept_first(self: Any) -> None:
        made[self] = self._final_module.as_bitcode()
        usual(self)

    JITCodeLibrary._optimize_final_module = kept_first
    try:
        yield
    finally:
        JITCodeLibrary._optimize_final_module = usual
    for key, result in compiled_entries().items():
        code = made.pop(result.library, None)
        if code is not None:
            _write(folder, key, CALL + result.fndesc.llvm_func_name, code)
    for code in made.values():
        write_private(folder / f"{hashlib.sha256(code).hexdigest()[:24]}{PART}", code)


def recorded(folder: Path) -> list[Recorded]:
    """All that was kept in a folder."""
    found = []
    for path in sorted(folder.glob("*" + ENTRY)):
        with path.open("rb") as file:
            found.append(Recorded(**json.loads(file.readline()), path=path))
    return found


def recorded_parts(folder: Path) -> list[bytes]:
    """The code of functions of Numba's own that entries call."""
    return [path.read_bytes() for path in sorted(folder.glob("*" + PART))]


def compiled_entries() -> dict[str, Any]:
    """The code of every entry of the package that was compiled or loaded here, by its name and types."""
    found = {}
    for name, module in sorted(sys.modules.items()):
        if name.startswith("condyle."):
            for entry in vars(module).values():
                if isinstance(entry, Entry) and entry.py_func.__module__ == name:
                    found |= {f"{entry.name} {kinds}": result for kinds, result in entry.compiled.items()}
    return found


def _write(folder: Path, key: str, call: str, code: bytes) -> None:
    """Write one file, whole or not at all: two processes may compile the same."""
    symbol = "condyle_" + hashlib.sha256(key.encode()).hexdigest()[:24]
    write_private(folder / f"{symbol}{ENTRY}", json.dumps({"key": key, "call": call}).encode() + b"\n" + code)
