"""A leg from markers with 1 mm of noise over seeds: errors over the Cramér-Rao bound, intervals that cover, time.

Run `python -m benchmarks.identification` from the root, with tests/ on PYTHONPATH.
"""

from time import perf_counter

import numpy as np

import condyle as cd
from support.marked_leg import NOISE, UNKNOWN, measured, motion, path_errors, start_leg, true_leg

SEEDS = 20


def over_seeds(frames: int, seeds: int) -> None:
    """Print what is found with so many frames."""
    start = start_leg()
    q = motion(start, frames)
    true, y = true_leg(start, q)
    squares, bounds, inside, paths, evaluations = [], [], [], [], 0
    for seed in range(seeds):
        found = cd.identify(start, measured(true, q, seed), q, unknown=UNKNOWN, sigma=NOISE)
        part = found.of("shank.frames")
        off = found.values[part] - y[part]
        squares.append(off**2)
        bounds.append(found.deviations[part] ** 2)
        inside.append(np.abs(off) < np.diff(found.intervals[part])[:, 0] / 2)
        paths.append(path_errors(found.model, true))
        evaluations = found.evaluations
    ratio = np.sqrt(np.mean(squares) / np.mean(bounds))
    miss, turn = np.sqrt(np.mean(np.array(paths) ** 2, axis=(0, 2)))
    print(f"{frames} frames, {seeds} seeds: {ratio:.3f} of the bound, {100 * np.mean(inside):.1f} % covered,")
    print(f"  path {1e3 * miss:.3f} mm, {np.rad2deg(turn):.3f}°; {evaluations} evaluations of all frames")
    differences = evaluations // 2 * (len(found.values) + start.nv + 1)
    print(f"  (differences for as many steps: {differences})")


def time_of(frames: int) -> None:
    """Print how long one identification takes."""
    start = start_leg()
    q = motion(start, frames)
    true, _ = true_leg(start, q)
    points = measured(true, q, 0)
    began = perf_counter()
    found = cd.identify(start, points, q, unknown=UNKNOWN, sigma=NOISE)
    print(f"{frames} frames: {perf_counter() - began:.2f} s, {found.rounds} steps, {len(found.values)} shared unknowns")


if __name__ == "__main__":
    time_of(50)  # compiles
    time_of(2000)
    over_seeds(400, SEEDS)
