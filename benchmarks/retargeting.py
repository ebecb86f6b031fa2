"""Frames a second and the slide of standing feet where a captured motion is carried over to another skeleton.

`python -m benchmarks.retargeting MOTION.bvh OTHER.bvh [unit]`: the first file's motion on the skeleton of the second,
with both feet locked, best of eight on one core. Files of the CMU database in metres: unit 0.0564444.
"""

from __future__ import annotations

import os
import sys
import time

os.environ.setdefault("CONDYLE_THREADS", "1")

import condyle as cd

FEET = ("LeftFoot", "RightFoot")


def main(motion_file: str, skeleton_file: str, unit: str = "0.0564444") -> None:
    """Print the rate and the slide."""
    motion, other = (cd.read_character(file, unit=float(unit)) for file in (motion_file, skeleton_file))
    found, best = cd.ik.retarget(motion, other.model, feet=FEET), float("inf")
    for _ in range(8):
        start = time.perf_counter()
        found = cd.ik.retarget(motion, other.model, feet=FEET)
        best = min(best, time.perf_counter() - start)
    frames = len(motion.t)
    print(f"{frames} frames, {other.model.nbodies} bodies: {frames / best:,.0f} frames a second")
    print(f"{len(found.contacts)} contacts, feet slide by at most {1e3 * found.slide:.3f} mm")


if __name__ == "__main__":
    main(*sys.argv[1:])
