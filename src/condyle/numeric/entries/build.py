"""Writes the library that `shipped` loads, from entries that were kept as they are before LLVM optimises them.

For each instruction set LLVM does with them what it does when Numba compiles for that set, and makes machine code of
each that can be loaded anywhere; a C compiler links the pieces. Kernels call little beside: allocation, and libm.
"""

# pyright: reportAttributeAccessIssue=false
# (numba is not typed)

from __future__ import annotations

import hashlib
import json
import platform
import shutil
import subprocess
import sys
from collections.abc import Collection
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from llvmlite import binding
from numba.core import config
from numba.core.codegen import JITCPUCodegen

from ..cache.sources import PACKAGE, kernel_sources
from .recorded_code import Recorded
from .shipped import ARM, FORMAT

ARM_TRIPLE = "aarch64-unknown-linux-gnu"
RUNTIME = """
#include <stdlib.h>
void *NRT_Allocate(size_t size) { return malloc(size); }
void NRT_Free(void *pointer) { free(pointer); }
void NRT_MemInfo_call_dtor(void *unused) { (void)unused; abort(); }
"""  # no array of an entry is owned by compiled code, so none is ever destroyed by it


def write_objects(folder: Path, name: str, entries: Collection[Recorded], parts: Collection[bytes] = ()) -> None:
    """Write the machine code of entries for one instruction set, a file for each."""
    folder.mkdir(parents=True, exist_ok=True)
    optimizer = Optimizer(name, parts)
    for entry in entries:
        (folder / f"{entry.symbol}.o").write_bytes(optimizer.object_code(entry))


class Optimizer:
    """LLVM, told to optimise for one instruction set as Numba does; it need not be one of this processor.

    Parameters
    ----------
    name : str
        The instruction set.
    parts : collection of bytes
        The code of functions that Numba optimises by themselves before entries call them.
    """

    def __init__(self, name: str, parts: Collection[bytes] = ()) -> None:
        binding.initialize_all_targets()
        binding.initialize_all_asmprinters()
        self._codegen: Any = JITCPUCodegen("wheel")
        triple, processor = (ARM_TRIPLE, "generic") if name == ARM else (binding.get_process_triple(), name)
        options = {"opt": int(config.OPT), "reloc": "pic", "codemodel": "default"}
        target = binding.Target.from_triple(triple)
        self.machine = target.create_target_machine(cpu=processor, features="", **options)
        self._codegen._tm, self._codegen._data_layout = self.machine, str(self.machine.target_data)
        self._parts = {name: code for code in parts for name in _defined(binding.parse_bitcode(code))}
        self._optimized: dict[bytes, Any] = {}

    def object_code(self, entry: Recorded) -> bytes:
        """Machine code of an entry, in which only its call is seen from outside."""
        lowered = self._parsed(entry.bitcode)
        library = self._library(lowered)
        library._optimize_functions(lowered)
        library._final_module = module = self._with_parts(lowered)
        library._optimize_final_module()
        _hide_all_but(module, entry.call)
        module.get_function(entry.call).name = entry.symbol
        return self.machine.emit_object(module)

    def _parsed(self, code: bytes) -> Any:
        """Code that was made on this machine, for the one that it is meant for: both lay out structures alike."""
        module = binding.parse_bitcode(code)
        module.triple, module.data_layout = self.machine.triple, self._codegen._data_layout
        return module

    def _library(self, module: Any) -> Any:
        library = self._codegen.create_library("wheel")
        library._final_module = module
        return library

    def _optimized_part(self, code: bytes) -> Any:
        """Functions of Numba's own, optimised once, which other code may call."""
        if code in self._optimized:
            return self._optimized[code].clone()
        module = self._optimized[code] = self._parsed(code)
        library = self._library(module)
        library._optimize_functions(module)
        library._optimize_final_module()
        for function in module.functions:
            if not function.is_declaration and function.linkage == binding.Linkage.external:
                function.linkage = "linkonce_odr"
        return module.clone()

    def _with_parts(self, lowered: Any) -> Any:
        """The code of an entry with Numba's own functions optimised by themselves: what is there first stays."""
        needed = dict.fromkeys(self._parts[name] for name in _defined(lowered) if name in self._parts)
        first, *others = [*map(self._optimized_part, needed), lowered]
        for module in others:
            first.link_in(module)
        return first


def _defined(module: Any) -> list[str]:
    return [function.name for function in module.functions if not function.is_declaration]


def _hide_all_but(module: Any, call: str) -> None:
    """Give all of a module's names to itself but one."""
    for thing in (*module.functions, *module.global_variables):
        if not thing.is_declaration:
            thing.linkage = "external" if thing.name == call else "internal"


def link_library(folder: Path, name: str, objects: Path, entries: Collection[Recorded]) -> Path:
    """Write `name`.so of the machine code of entries, and `name`.json, which says what is in it."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.so"
    _link(path, [objects / f"{entry.symbol}.o" for entry in entries], objects)
    calls = {entry.key: entry.symbol for entry in entries}
    sources = {p.relative_to(PACKAGE).as_posix(): _hash(p) for p in kernel_sources()}
    said = {"format": FORMAT, "sha256": _hash(path), "calls": calls, "sources": sources}
    path.with_suffix(".json").write_text(json.dumps(said, indent=0, sort_keys=True))
    return path


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _link(path: Path, objects: list[Path], work: Path) -> None:
    runtime = work / "runtime.c"
    runtime.write_text(RUNTIME)
    flags = ["-O2", "-fPIC", "-shared", "-s", "-fvisibility=hidden"]
    subprocess.run([*_linker(path.stem), *flags, "-o", path, runtime, *objects, "-lm"], check=True)


def _linker(name: str) -> list[str]:
    """The C compiler that links a library for an instruction set."""
    wanted = "aarch64-linux-gnu-gcc" if name == ARM and platform.machine() != ARM else "cc"
    if shutil.which(wanted):
        return [wanted]
    if wanted != "cc" and find_spec("ziglang"):
        return [sys.executable, "-m", "ziglang", "cc", "-target", "aarch64-linux-gnu.2.28"]
    raise OSError(f"there is no C compiler ({wanted}), which links the library")
