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
import zipfile
from importlib.util import find_spec
from pathlib import Path

from condyle.numeric.entries.shipped import SETS

ROOT = Path(__file__).resolve().parents[1]
INSIDE = "condyle/numeric/entries/libraries"
PLATFORM = "linux_x86_64"


def compiled(name: str, folder: Path, steps: list[str]) -> None:
    """Write the library of one instruction set."""
    environment = {**os.environ, "NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": "", "CONDYLE_KERNELS": "jit"}
    command = [sys.executable, str(ROOT / "packaging/compile_kernels.py"), name, str(folder), *steps]
    subprocess.run(command, env=environment, check=True)


def pure_wheel(folder: Path) -> Path:
    """The wheel without libraries."""
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    if find_spec("hatchling"):
        command.append("--no-build-isolation")  # what builds it is here: no network is needed
    subprocess.run(command, check=True)
    (found,) = folder.glob("condyle-*-py3-none-any.whl")
    return found


def with_libraries(wheel: Path, libraries: Path, out: Path) -> Path:
    """A copy of a wheel that holds libraries, under a name for this platform."""
    out.mkdir(parents=True, exist_ok=True)
    path = out / wheel.name.replace("-any.whl", f"-{PLATFORM}.whl")
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        record = next(name for name in old.namelist() if name.endswith(".dist-info/RECORD"))
        contents = {name: old.read(name) for name in old.namelist() if name != record}
        tags = record.replace("RECORD", "WHEEL")
        contents[tags] = (
            contents[tags]
            .replace(b"none-any", f"none-{PLATFORM}".encode())
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
    parser.add_argument("--sets", default=",".join(SETS), help="instruction sets, separated by commas")
    parser.add_argument("--out", default=str(ROOT / "dist"), type=Path)
    parser.add_argument("--steps", default="", help="groups of calls of `condyle warmup`, separated by commas")
    options = parser.parse_args()
    steps = [step for step in options.steps.split(",") if step]
    with tempfile.TemporaryDirectory() as work:
        libraries = Path(work, "libraries")
        for name in options.sets.split(","):
            compiled(name, libraries, steps)
        path = with_libraries(pure_wheel(Path(work)), libraries, options.out)
    print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
