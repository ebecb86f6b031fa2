"""Compile the kernels of everyday calls; run by `make_wheel.py`, several at once.

`python compile_kernels.py lower FOLDER GROUP` makes the calls of one group and keeps their code as it is before LLVM
optimises it; `python compile_kernels.py optimize FOLDER OBJECTS SHARE SHARES SET …` makes machine code of a share.
"""

import sys
from pathlib import Path


def lower(folder: str, group: str) -> None:
    """Keep the code of the entries that a group of calls needs."""
    from condyle.cli.everyday_calls import STEPS
    from condyle.numeric.entries.recorded_code import recording

    with recording(Path(folder)):
        STEPS[group]()


def optimize(folder: str, objects: str, share: str, shares: str, *sets: str) -> None:
    """Write machine code of every entry whose turn it is, the largest first, for each instruction set."""
    from condyle.numeric.entries.build import write_objects
    from condyle.numeric.entries.recorded_code import recorded, recorded_parts

    entries = sorted(recorded(Path(folder)), key=lambda entry: -entry.path.stat().st_size)
    for name in sets:
        write_objects(Path(objects, name), name, entries[int(share) :: int(shares)], recorded_parts(Path(folder)))


if __name__ == "__main__":
    {"lower": lower, "optimize": optimize}[sys.argv[1]](*sys.argv[2:])
