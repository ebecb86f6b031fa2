"""A trajectory of goals followed continuously: the shortest path through all postures of all goals.

Every goal's curves are sampled; the path that breaks no limits where it can, stays comfortable and moves little is
found by dynamic programming over the whole trajectory, then each posture slides along its curve until none improves.
The result depends on the goals only.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ...errors import BadShape, OutOfReach, require
from ..posture import Posture
from .arm_inverse import elbow_curves

BROKEN = 1e4  # weight of squared limit excess [rad²]
SWEEPS = 4


def follow(arm, goals, *, orientations=None, motion: float = 20.0) -> Posture:
    """Postures (T,) for goals (T, 3), with hand rotations (T, 3, 3) if given; `motion` weighs squared angle changes."""
    goals = np.asarray(goals, float)
    require(
        goals.ndim == 2 and goals.shape[1] == 3, "a trajectory is one goal a row, (T, 3)", BadShape, shape=goals.shape
    )
    layers = [_Layer(arm, n, goal, None if orientations is None else orientations[n]) for n, goal in enumerate(goals)]
    path = _shortest(layers, motion)
    states = [layer.state(k) for layer, k in zip(layers, path, strict=True)]
    for _ in range(SWEEPS):
        for n, layer in enumerate(layers):
            beside = [states[m][1] for m in (n - 1, n + 1) if 0 <= m < len(states)]
            states[n] = layer.slid(states[n], beside, motion)
    return Posture(np.stack([state[2] for state in states]), tuple(arm.lengths), arm.extent)


class _Layer:
    """All sampled postures of one goal."""

    def __init__(self, arm, number, goal, orientation):
        self.curves, self.orientation = elbow_curves(arm, goal), orientation
        if not self.curves:
            near = arm.nearest_reachable(goal)
            raise OutOfReach(
                f"goal {number} of the trajectory is out of reach; the nearest reachable point is {near.point}"
            )
        found = [curve.postures(orientation=orientation) for curve in self.curves]
        self.where = [(c, float(k)) for c, curve in enumerate(self.curves) for k in range(len(curve))]
        self.rows = np.vstack([p.rows for p in found])
        both = [_measure(p) for p in found]
        self.cost, self.marks = np.concatenate([b[0] for b in both]), np.vstack([b[1] for b in both])

    def state(self, k: int):
        """(curve and parameter, marks, row) of sample k."""
        return self.where[k], self.marks[k], self.rows[k]

    def slid(self, state, beside, motion):
        """The best of a few places near `state` on its curve: steps of 1 down to 1/64 of a sample."""
        (c, k), *_ = state
        curve = self.curves[c]
        offsets = np.concatenate([[0.0], *[(s, -s) for s in 0.5 ** np.arange(0, 7)]])
        parameters = k + offsets
        if not curve.closed:
            parameters = np.clip(parameters, 0, len(curve) - 1)
        posture = curve.postures(parameters, self.orientation)
        cost, marks = _measure(posture)
        total = cost + motion * sum(((marks - other) ** 2).sum(axis=1) for other in beside)
        best = int(total.argmin())
        return (c, float(parameters[best])), marks[best], posture.rows[best]


def _measure(posture: Posture) -> tuple[np.ndarray, np.ndarray]:
    """Cost of a posture, and its marks: the rotations of upper arm and forearm, which have no wrap-around."""
    pose = posture.skeleton
    marks = np.concatenate([pose.upper_arm.reshape(-1, 9), pose.forearm.reshape(-1, 9)], axis=1) / np.sqrt(2)
    return BROKEN * posture.penalty + posture.comfort, marks


def _shortest(layers: list[_Layer], motion: float) -> list[int]:
    """The cheapest choice of one sample per layer."""
    total, back = layers[0].cost, []
    for before, after in pairwise(layers):
        apart = (
            (before.marks**2).sum(axis=1)[:, None] + (after.marks**2).sum(axis=1)[None]
        ) - 2 * before.marks @ after.marks.T
        through = total[:, None] + motion * apart
        back.append(through.argmin(axis=0))
        total = through.min(axis=0) + after.cost
    path = [int(total.argmin())]
    for choice in reversed(back):
        path.append(int(choice[path[-1]]))
    return path[::-1]
