"""Writes the library that `shipped` loads, from all entries that were compiled in this process.

The optimised code of each entry is made position-independent machine code by LLVM, and the system's C compiler links
the pieces. Kernels call little beside: allocation, and libm.
"""

# pyright: reportAttributeAccessIssue=false
# (numba is not typed)

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from llvmlite import binding
from numba.core import config
from numba.core.registry import cpu_target

from ..cache.sources import PACKAGE, kernel_sources
from ..call_wrapper import CALL
from .entry import Entry
from .shipped import FORMAT

RUNTIME = """
#include <stdlib.h>
void *NRT_Allocate(size_t size) { return malloc(size); }
void NRT_Free(void *pointer) { free(pointer); }
void NRT_MemInfo_call_dtor(void *unused) { (void)unused; abort(); }
"""  # no array of an entry is owned by compiled code, so none is ever destroyed by it


def compiled_entries() -> dict[str, Any]:
    """The code of every entry of the package that was compiled or loaded here, by its name and types."""
    found = {}
    for name, module in sorted(sys.modules.items()):
        if name.startswith("condyle."):
            for entry in vars(module).values():
                if isinstance(entry, Entry) and entry.py_func.__module__ == name:
                    found |= {f"{entry.name} {kinds}": result for kinds, result in entry.compiled.items()}
    return found


def write_library(folder: Path, name: str) -> Path:
    """Write `name`.so and `name`.json; the instruction set is the one that Numba was told to compile for."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.so"
    calls = {}
    with tempfile.TemporaryDirectory() as work:
        objects = []
        for key, result in compiled_entries().items():
            symbol = "condyle_" + hashlib.sha256(key.encode()).hexdigest()[:24]
            objects.append(Path(work, f"{symbol}.o"))
            objects[-1].write_bytes(_object_code(result, symbol))
            calls[key] = symbol
        _link(path, objects, Path(work))
    sources = {p.relative_to(PACKAGE).as_posix(): _hash(p) for p in kernel_sources()}
    said = {"format": FORMAT, "sha256": _hash(path), "calls": calls, "sources": sources}
    path.with_suffix(".json").write_text(json.dumps(said, indent=0, sort_keys=True))
    return path


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _object_code(result: Any, symbol: str) -> bytes:
    """Machine code of one entry, in which only its call is seen from outside."""
    module = result.library._get_module_for_linking().clone()
    call = CALL + result.fndesc.llvm_func_name
    for function in module.functions:
        if not function.is_declaration and function.name != call:
            function.linkage = "internal"
    for variable in module.global_variables:
        if not variable.is_declaration:
            variable.linkage = "internal"
    function = module.get_function(call)
    function.linkage, function.name = "external", symbol
    return _machine().emit_object(module)


def _machine() -> Any:
    codegen: Any = cpu_target.target_context.codegen()
    return binding.Target.from_default_triple().create_target_machine(
        cpu=codegen._get_host_cpu_name(),
        features=codegen._tm_features,
        opt=int(config.OPT),
        reloc="pic",
        codemodel="default",
    )


def _link(path: Path, objects: list[Path], work: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        raise OSError("there is no C compiler (cc), which links the library")
    runtime = work / "runtime.c"
    runtime.write_text(RUNTIME)
    flags = ["-O2", "-fPIC", "-shared", "-s", "-fvisibility=hidden", "-Wl,--build-id=none"]
    subprocess.run([compiler, *flags, "-o", path, runtime, *objects, "-lm"], check=True)
