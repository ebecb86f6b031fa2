"""Compile the kernels of everyday calls for one instruction set into a library.

`python compile_kernels.py SET FOLDER [STEP …]`, run by `make_wheel.py`, which tells Numba the instruction set.
"""

import os
import sys
from pathlib import Path

from condyle.cli.commands.warmup import warmed
from condyle.cli.everyday_calls import STEPS
from condyle.numeric.entries.build import write_library


def main(name: str, folder: str, *steps: str) -> None:
    """Compile on all cores into the cache, then take all code from there."""
    assert os.environ["NUMBA_CPU_NAME"] == name and os.environ["CONDYLE_KERNELS"] == "jit"
    for step, trouble in warmed(steps=steps or tuple(STEPS)):
        print(f"{name}: {step} {trouble}", flush=True)
        if trouble:
            sys.exit(1)
    for step in steps or STEPS:
        STEPS[step]()
    path = write_library(Path(folder), name)
    print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main(*sys.argv[1:])
