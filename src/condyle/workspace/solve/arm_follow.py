"""A trajectory of goals followed continuously: the shortest path through postures of all goals.

Every goal's curves are sampled; the path that breaks no limits where it can, stays comfortable and moves little is
found by dynamic programming over the whole trajectory, then each posture slides along its curve until none improves.
The result depends on the goals only.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...errors import BadShape, BadValue, OutOfReach, require
from ...numeric import run_chunks
from ..kernels.follow_path import MARKS, sample_layer, shortest_path, slide
from ..kernels.goal_solutions import TRACE, Goals, postures_at, solve_goals
from ..kernels.posture_rows import CURVES, WIDTH
from ..posture import Posture, posture_of
from .arm_inverse import thread_scratch
from .questions import asked_of_hand, read_goals

SAMPLES = 48  # postures of a goal among which the path chooses
STEPS = np.repeat(0.06 * 0.5 ** np.arange(8), 2)  # along a curve, in units of the domain


class Layers(NamedTuple):
    """Sampled postures of every goal, SAMPLES at most: how many, places, patches, costs and marks."""

    counts: np.ndarray
    spots: np.ndarray
    patches: np.ndarray
    cost: np.ndarray
    marks: np.ndarray

    def chosen(self, path: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Places, patches, marks and costs of one sample of every goal."""
        rows = np.arange(len(path))
        places = np.ascontiguousarray(self.spots[rows, path])
        return places, self.patches[rows, path], self.marks[rows, path], self.cost[rows, path]


def follow(arm, goals, *, orientations=None, motion: float = 20.0) -> Posture:
    """Postures (T,) for goals (T, 3), with hand rotations (T, 3, 3) if given; `motion` weighs squared angle changes."""
    shape = np.shape(goals)
    require(len(shape) == 2 and shape[1] == 3, "a trajectory is one goal a row, (T, 3)", BadShape, shape=shape)
    flat = np.ascontiguousarray(read_goals(goals))
    require(np.isfinite(motion) and motion >= 0, "follow: motion must not be negative", BadValue, motion=motion)
    require(len(flat) > 0, "a trajectory has at least one goal", BadShape, shape=shape)
    asked = Goals(flat, arm.lengths.forearm, *asked_of_hand(orientations, None, None, (len(flat),)), 1, 0)
    layers = _sampled(arm, asked)
    path = np.zeros(len(flat), np.int64)
    back = np.zeros((len(flat), SAMPLES), np.int64)
    shortest_path(layers, float(motion), np.zeros((2, SAMPLES)), back, path)
    chosen = places, patches, _, _ = layers.chosen(path)
    slide(arm.tables, asked, float(motion), chosen, np.zeros(MARKS), STEPS)
    rows = np.zeros((len(flat), WIDTH))
    postures_at(arm.tables, patches, places, asked, False, rows)
    return posture_of(arm, rows)


def _sampled(arm, asked: Goals) -> Layers:
    count = len(asked.positions)
    layers = Layers(
        np.zeros(count, np.int64),
        np.zeros((count, SAMPLES, 2)),
        np.zeros((count, SAMPLES), np.int64),
        np.zeros((count, SAMPLES)),
        np.zeros((count, SAMPLES, MARKS)),
    )

    traced, rows = asked._replace(mode=TRACE), np.zeros((count, WIDTH))

    def part(start, stop):
        work = thread_scratch(arm)
        for n in range(start, stop):
            solve_goals(arm.tables, arm.grid, traced, work, rows, n, n + 1)
            points = work.starts[int(rows[n, CURVES])]
            sample_layer(arm.tables, asked, work.points[:points], work.patches[:points], layers, n)

    run_chunks(part, count, 1, None, grain=16)
    missing = np.flatnonzero(layers.counts == 0)
    if len(missing):
        near = arm.nearest_reachable(asked.positions[missing[0]])
        raise OutOfReach(
            f"goal {missing[0]} of the trajectory is out of reach; the nearest reachable point is {near.point}"
        )
    return layers
