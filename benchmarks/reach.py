"""Reach of an arm: `python -m benchmarks.reach` prints the table and stores it in benchmarks/results/reach.json.

Processor time of one thread, the best of a few runs; counts of box and triangle tests.
"""

import os

os.environ.setdefault("CONDYLE_THREADS", "1")  # figures are per core

import time
from dataclasses import replace

import numpy as np
from scipy.spatial.transform import Rotation

from condyle.workspace import fit_arm, synthetic_subject
from condyle.workspace.kernels.goal_solutions import TRACE, Goals, solve_goals
from condyle.workspace.kernels.posture_rows import BOXES, LEAVES, WIDTH
from condyle.workspace.solve.arm_forward import posture_at
from condyle.workspace.solve.arm_tables import make_scratch

from . import table
from .octree import Octree
from .table import Row

__all__ = ["counts", "goals", "main", "measure", "per_goal"]

MODES = {
    "all elbow curves": (TRACE, 500.0),
    "best posture, position": (0, 1000.0),
    "best posture, orientation": (1, 1000.0),
    "best posture, hand axis": (2, 1000.0),
}
KEY, STORE = "w", table.STORE.with_name("reach.json")
SURFACES = {
    "6 cubic patches": {},
    "7 cubic patches": {"extra": True},
    "6 quartic patches": {"degree": 4},
    "24 cubic patches": {"split": 1},
}


def goals(arm, count, seed=0):
    """Wrist goals and hand rotations of random feasible postures."""
    rng = np.random.default_rng(seed)
    places = rng.uniform(-0.85, 0.85, (4 * count, 2))
    places = places[arm.surface.complex.locate(places)[1].min(axis=1) > 0.02][:count]
    wrist = rng.uniform(-0.4, 0.4, (len(places), 3))
    made = posture_at(arm, places, rng.uniform(0.05, 0.95, len(places)), rng.uniform(0.3, 2.2, len(places)), wrist)
    return made.wrist, made.skeleton.hand


def best(run, units, repeats=5):
    """Microseconds of this thread per unit, the best of a few runs."""
    run()
    times = []
    for _ in range(repeats):
        start = time.thread_time()
        run()
        times.append((time.thread_time() - start) / units)
    return 1e6 * min(times)


def per_goal(arm, mode, points, hands):
    """Microseconds per goal in a batch on one thread, in compiled code."""
    rows, work = np.zeros((len(points), WIDTH)), make_scratch(arm.grid, len(arm.surface.complex.triangles))
    asked = Goals(points, arm.lengths.forearm, mode, np.ascontiguousarray(hands.reshape(-1, 9)), (0.0, 0.0, 1.0), 1, 0)
    return best(lambda: solve_goals(arm.tables, arm.grid, asked, work, rows, 0, len(points)), len(points))


def counts(arm, points):
    """Mean numbers of boxes and triangles that the tree looks at, and of all triangles."""
    rows = arm.solve(points, outside="nan").rows
    return np.nanmean(rows[:, BOXES]), np.nanmean(rows[:, LEAVES]), len(arm.grid.triangles)


def speed(arm):
    """Times of one goal: in a batch of feasible ones, with hands that the wrist cannot have, and by single calls."""
    points, hands = goals(arm, 1000)
    for name, (mode, target) in MODES.items():
        yield Row(KEY, f"{name}, per goal of a batch", per_goal(arm, mode, points, hands), "µs", target, at_most=True)
    wild = Rotation.random(len(points), random_state=1).as_matrix()
    yield Row(KEY, "best posture, any orientation", per_goal(arm, 1, points, wild), "µs", 1000.0, at_most=True,
              note="most hands cannot be turned so: the nearest is found")  # fmt: skip
    some = points[:100]
    one = best(lambda: [arm.solutions(g) for g in some], len(some))
    yield Row(KEY, "arm.solutions(goal), one call", one, "µs", 500.0, at_most=True, note="all nine angles everywhere")
    yield Row(KEY, "arm.solve(goal), one call", best(lambda: [arm.solve(g) for g in some], len(some)), "µs", 1000.0,
              at_most=True)  # fmt: skip


def batched(arm):
    """10,000 goals in one call, on one thread and on all, by the clock."""
    points, _ = goals(arm, 10_000)
    for threads in (1, os.cpu_count()):
        arm.solve(points[:100], outside="nan", threads=threads)
        start = time.perf_counter()
        arm.solve(points, outside="nan", threads=threads)
        took = time.perf_counter() - start
        yield Row(KEY, f"{len(points)} goals in one call, {threads} thread(s)", took, "s")


def followed(arm):
    """A path of 1,000 goals, by the clock."""
    ends = arm.forward(np.radians([40.0, 100.0]), np.radians([60.0, 20.0]), 0.5, flexion=[1.2, 0.9]).wrist
    share = np.linspace(0, 1, 1000)[:, None]
    path = (1 - share) * ends[0] + share * ends[1]
    arm.follow(path[::100])
    start = time.perf_counter()
    arm.follow(path)
    yield Row(KEY, "arm.follow, 1000 goals", time.perf_counter() - start, "s", 0.5, at_most=True)


def tests(arm):
    """Triangle tests per goal: the tree with the inside prune, the paper's octree, brute force."""
    points = goals(arm, 200)[0]
    boxes, leaves, every = counts(arm, points)
    octree = Octree(arm.grid.elbow[arm.grid.triangles])
    yield Row(KEY, f"triangles tested of {every}, tree of boxes", leaves, "", note=f"{boxes:.0f} boxes")
    for prune in (False, True):
        cells, found = np.mean([octree.looked_at(g, arm.lengths.forearm, prune) for g in points], axis=0)
        with_prune = ", inside prune" if prune else ""
        yield Row(KEY, f"triangles tested of {every}, octree{with_prune}", found, "", note=f"{cells:.0f} cells")
    yield Row(KEY, f"triangles tested of {every}, brute force", every, "")


def growth(samples, base):
    """Tests and time as the grid gets finer and the patches more."""
    for level in (3, 4, 5, 6):
        yield grown(f"level {level}", replace(base, level=level))
    for name, options in SURFACES.items():
        yield grown(name, fit_arm(samples, smoothing=1e-5, **options))


def grown(name, arm):
    points, hands = goals(arm, 200)
    boxes, leaves, every = counts(arm, points)
    note = f"{boxes:.0f} boxes and {leaves:.0f} of {every} triangles tested"
    return Row(KEY, f"all elbow curves, {name}", per_goal(arm, TRACE, points, hands), "µs", note=note)


def measure():
    """All rows."""
    samples = synthetic_subject("male")
    arm = fit_arm(samples)
    yield from speed(arm)
    yield from batched(arm)
    yield from followed(arm)
    yield from tests(arm)
    yield from growth(samples, arm)


def main():
    """Print and store."""
    about, rows = table.machine(), list(measure())
    table.show(rows, about)
    table.store(rows, about, STORE)


if __name__ == "__main__":
    main()
