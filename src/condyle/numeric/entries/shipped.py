"""Machine code that the package carries: one library for each instruction set, and what is in it.

`make wheel` writes `libraries/NAME.so` and `libraries/NAME.json` beside this file (`build`). The best set that this
processor has is loaded, if the library is whole and the kernels' sources are those that it was made of; else none is,
and kernels are compiled as from a clone.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import sys
import warnings
from functools import lru_cache
from pathlib import Path

from ...errors import CondyleWarning
from . import code_source

PACKAGE = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).parent / "libraries"
FORMAT = 2
SETS = {  # best first: what /proc/cpuinfo must list; each needs those below it too
    "x86-64-v4": {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
    "x86-64-v3": {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"},
    "x86-64-v2": {"cx16", "lahf_lm", "popcnt", "sse4_1", "sse4_2", "ssse3"},
}
ARM, ARM_FLAGS = "aarch64", {"fp", "asimd"}  # 64-bit ARM has these


def supported(flags: set[str]) -> list[str]:
    """The instruction sets that a processor with these flags has, best first."""
    needed: set[str] = set()
    found = [ARM] if flags >= ARM_FLAGS else []
    for name in reversed(SETS):
        needed |= SETS[name]
        if needed <= flags:
            found.insert(0, name)
    return found


def processor_flags(path: Path = Path("/proc/cpuinfo")) -> set[str]:
    """The flags of this processor; none where there is no such list."""
    try:
        with path.open() as lines:
            named = (line.split(":", 1)[1] for line in lines if line.startswith(("flags", "Features")))
            return set(next(named, "").split())
    except OSError:
        return set()


class Library:
    """One library and its list of calls.

    Parameters
    ----------
    folder : Path
        Where both are.
    name : str
        The instruction set.

    Raises
    ------
    ValueError, OSError
        If the library is not whole, or made of other sources.
    """

    def __init__(self, folder: Path, name: str) -> None:
        said = json.loads((folder / f"{name}.json").read_bytes())
        if said.get("format") != FORMAT:
            raise ValueError(f"its format is {said.get('format')}, not {FORMAT}")
        path = folder / f"{name}.so"
        if _hash(path) != said["sha256"]:
            raise ValueError(f"{path.name} is not whole")
        changed = [file for file, digest in said["sources"].items() if _hash(PACKAGE / file) != digest]
        if changed:
            raise ValueError(f"{changed[0]} is not the file that it was made of")
        self.name, self.calls = name, said["calls"]
        self._code = ctypes.CDLL(str(path))

    def address(self, entry: str, kinds: str) -> int:
        """The address of the call of an entry for arguments of these types; 0 if there is none."""
        symbol = self.calls.get(f"{entry} {kinds}")
        return ctypes.cast(getattr(self._code, symbol), ctypes.c_void_p).value or 0 if symbol else 0


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@lru_cache(maxsize=1)
def shipped_library() -> Library | None:
    """The library for this processor, if the package carries one and CONDYLE_KERNELS does not say `jit`."""
    if code_source.SOURCE != "aot" or not FOLDER.is_dir() or sys.platform != "linux":
        return None
    for name in supported(processor_flags()):
        if (FOLDER / f"{name}.json").is_file():
            try:
                return Library(FOLDER, name)
            except (OSError, ValueError, KeyError, AttributeError) as trouble:
                words = f"the compiled kernels of this package are not used: {trouble}. They are compiled here instead"
                warnings.warn(words, CondyleWarning, stacklevel=2)
                return None
    return None


def shipped_address(entry: str, kinds: str) -> int:
    """The address of a call in the package's library; 0 if it has none."""
    library = shipped_library()
    return library.address(entry, kinds) if library else 0
