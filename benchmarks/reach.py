"""Reach of an arm: `python -m benchmarks.reach`. Processor time of one thread; counts of box and triangle tests."""

import time

import numpy as np

from condyle.workspace import fit_arm, synthetic_subject
from condyle.workspace.arm import Arm
from condyle.workspace.forward import posture_at
from condyle.workspace.kernel_rows import BOXES, LEAVES, WIDTH
from condyle.workspace.kernel_solve import TRACE, solve_goals
from condyle.workspace.scratch import make_scratch

__all__ = ["counts", "goals", "main", "per_goal"]

MODES = {
    "all elbow curves": TRACE,
    "best posture, position": 0,
    "best posture, orientation": 1,
    "best posture, axis": 2,
}


def goals(arm, count, seed=0):
    """Wrist goals and hand rotations of random feasible postures."""
    rng = np.random.default_rng(seed)
    places = rng.uniform(-0.85, 0.85, (4 * count, 2))
    places = places[arm.surface.complex.locate(places)[1].min(axis=1) > 0.02][:count]
    wrist = rng.uniform(-0.4, 0.4, (len(places), 3))
    made = posture_at(arm, places, rng.uniform(0.05, 0.95, len(places)), rng.uniform(0.3, 2.2, len(places)), wrist)
    return made.wrist, made.skeleton.hand


def per_goal(arm, count=2000, repeats=3):
    """Seconds of processor time per goal of every mode, the best of a few runs."""
    points, hands = goals(arm, count)
    rows, work = np.zeros((len(points), WIDTH)), make_scratch(arm.grid, len(arm.surface.complex.triangles))
    turns = hands.reshape(-1, 9).copy()

    def once(mode):
        start = time.thread_time()
        solve_goals(arm.tables, arm.grid, points, arm.lengths.forearm, mode, turns, work, rows, 0, len(points))
        return (time.thread_time() - start) / len(points)

    once(0)
    return {name: min(once(mode) for _ in range(repeats)) for name, mode in MODES.items()}, rows


def counts(arm, points):
    """Mean numbers of tests: boxes and triangles of the tree, triangles of brute force."""
    rows = arm.solve(points, outside="nan").rows
    return np.nanmean(rows[:, BOXES]), np.nanmean(rows[:, LEAVES]), len(arm.grid.triangles)


def main():
    """Print times and counts for several grids and surfaces."""
    samples = synthetic_subject("male")
    base = fit_arm(samples)
    for level in (3, 4, 5, 6):
        arm = Arm(base.surface, base.lengths, base.extent, base.limits, level=level)
        boxes, leaves, brute = counts(arm, goals(arm, 400)[0])
        print(f"level {level}: {boxes:.0f} boxes and {leaves:.0f} triangles looked at, of {brute}")
    for name, arm in {
        "cubic": base,
        "quartic": fit_arm(samples, degree=4),
        "24 cubics": fit_arm(samples, split=1),
    }.items():
        for what, seconds in per_goal(arm)[0].items():
            print(f"{name}, {what}: {1e6 * seconds:.0f} µs")


if __name__ == "__main__":
    main()
