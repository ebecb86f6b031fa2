"""Build a platform wheel that carries compiled kernels: `python make_wheel.py [--sets x86-64-v3,…] [--out dist]`.

An ordinary wheel is built, a library for each instruction set is added to it, and it is named for this platform. Its
Python code is the same; where a library does not fit, kernels are compiled as from a clone.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor, as_completed
from importlib.util import find_spec
from pathlib import Path

from condyle.cli.everyday_calls import STEPS
from condyle.numeric.entries.shipped import ARM, SETS

ROOT = Path(__file__).resolve().parents[1]
INSIDE = "condyle/numeric/entries/libraries"


def compiled(work: Path, groups: list[str], sets: list[str], processes: int) -> Path:
    """The folder of libraries: entries go through Numba once, and through LLVM for each instruction set."""
    lowered, objects, libraries = (work / name for name in ("lowered", "objects", "libraries"))
    lowered.mkdir()
    _at_once(processes, {group: ["lower", str(lowered), group] for group in groups}, work)
    shares = {
        f"machine code, share {i + 1} of {processes}": ["optimize", *map(str, (lowered, objects, i, processes)), *sets]
        for i in range(processes)
    }
    _at_once(processes, shares, work)
    from condyle.numeric.entries.build import link_library
    from condyle.numeric.entries.recorded_code import recorded

    for name in sets:
        path = link_library(libraries, name, objects / name, recorded(lowered))
        print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB, {len(recorded(lowered))} calls", flush=True)
    return libraries


def _at_once(processes: int, tasks: dict[str, list[str]], work: Path) -> None:
    """Run tasks of `compile_kernels.py` at the same time, with a line for each that has ended."""
    with ThreadPoolExecutor(processes) as pool:
        waiting = {pool.submit(_task, arguments, work): name for name, arguments in tasks.items()}
        for done, future in enumerate(as_completed(waiting), 1):
            print(f"{done} of {len(tasks)}: {waiting[future]} ({future.result():.0f} s)", flush=True)


def _task(arguments: list[str], work: Path) -> float:
    """Run one task in a process; how long it took [s]. Its calls need not be fast: nothing is optimised for them."""
    settings = {"CONDYLE_KERNELS": "jit", "CONDYLE_THREADS": "1", "CONDYLE_CACHE_DIR": str(work / "cache")}
    if arguments[0] == "lower":
        settings["NUMBA_OPT"] = "0"
    command, begin = [sys.executable, str(ROOT / "packaging/compile_kernels.py"), *arguments], time.perf_counter()
    subprocess.run(command, env={**os.environ, **settings}, check=True)
    return time.perf_counter() - begin


def pure_wheel(folder: Path) -> Path:
    """The wheel without libraries."""
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    if find_spec("hatchling"):
        command.append("--no-build-isolation")  # what builds it is here: no network is needed
    subprocess.run(command, check=True)
    (found,) = folder.glob("condyle-*-py3-none-any.whl")
    return found


def with_libraries(wheel: Path, libraries: Path, out: Path) -> Path:
    """A copy of a wheel that holds libraries, under a name for the platform that they are for."""
    platform = f"linux_{ARM if (libraries / f'{ARM}.so').is_file() else 'x86_64'}"
    out.mkdir(parents=True, exist_ok=True)
    path = out / wheel.name.replace("-any.whl", f"-{platform}.whl")
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        record = next(name for name in old.namelist() if name.endswith(".dist-info/RECORD"))
        contents = {name: old.read(name) for name in old.namelist() if name != record}
        tags = record.replace("RECORD", "WHEEL")
        contents[tags] = (
            contents[tags]
            .replace(b"none-any", f"none-{platform}".encode())
            .replace(b"Root-Is-Purelib: true", b"Root-Is-Purelib: false")
        )
        contents |= {f"{INSIDE}/{file.name}": file.read_bytes() for file in sorted(libraries.iterdir())}
        for name, data in contents.items():
            new.writestr(name, data)
        new.writestr(record, "".join(map(_recorded, contents, contents.values())) + f"{record},,\n")
    return path


def _recorded(name: str, data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def main() -> None:
    """Compile, build, add, and say how large it is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", default=",".join(SETS), help=f"instruction sets, separated by commas, or {ARM}")
    parser.add_argument("--out", default=str(ROOT / "dist"), type=Path)
    parser.add_argument("--steps", default="", help="groups of calls of `condyle warmup`, separated by commas")
    parser.add_argument("--processes", default=os.cpu_count() or 1, type=int, help="that compile at the same time")
    options = parser.parse_args()
    sets = options.sets.split(",")
    if ARM in sets and len(sets) > 1:
        parser.error(f"{ARM} is another platform: it needs a wheel of its own (--sets {ARM})")
    groups = [step for step in options.steps.split(",") if step] or list(STEPS)
    with tempfile.TemporaryDirectory() as work:
        libraries = compiled(Path(work), groups, sets, options.processes)
        path = with_libraries(pure_wheel(Path(work)), libraries, options.out)
    print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
