"""Values and slopes of points of bodies and of the centre of mass, from the motion of all bodies."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...numeric import entry, kernel

MOVE = 24  # numbers per body of the motion: rotation by rows, position, …


class Wanted(NamedTuple):
    """Points: whose they are (−1: the centre of mass), where in its inertial frame, and the row of each component."""

    bodies: np.ndarray  # (points,)
    local: np.ndarray  # (points, 3)
    rows: np.ndarray  # (points, 3); −1 is not asked for


class Tree(NamedTuple):
    """Parents and masses of bodies, and the body that each velocity moves, with where its velocities begin."""

    parents: np.ndarray  # (bodies,)
    masses: np.ndarray  # (bodies,)
    starts: np.ndarray  # (bodies + 1,) of velocities


@kernel
def column(g, at, p, slopes, rows, v, share):
    """One velocity's share of a point's velocity: linear part and turn about its body's origin."""
    x, y, z = at[0] - p[0], at[1] - p[1], at[2] - p[2]
    if rows[0] >= 0:
        slopes[rows[0], v] = share * (g[3] + g[1] * z - g[2] * y)
    if rows[1] >= 0:
        slopes[rows[1], v] = share * (g[4] + g[2] * x - g[0] * z)
    if rows[2] >= 0:
        slopes[rows[2], v] = share * (g[5] + g[0] * y - g[1] * x)


@kernel
def point_rows(tree, body, x, rows, moves, axes, values, slopes):
    """A point x of a body's inertial frame: values, and slopes of the velocities between the world and the body."""
    m = moves[body]
    at = np.empty(3, moves.dtype)
    for i in range(3):
        at[i] = m[3 * i] * x[0] + m[3 * i + 1] * x[1] + m[3 * i + 2] * x[2] + m[9 + i]
        if rows[i] >= 0:
            values[rows[i]] = at[i]
    while body >= 0:
        for v in range(tree.starts[body], tree.starts[body + 1]):
            column(axes[v], at, moves[body, 9:12], slopes, rows, v, 1.0)
        body = tree.parents[body]


@kernel
def center_rows(tree, rows, moves, axes, values, slopes):
    """The centre of mass: each velocity moves the common centre of what its body carries, by its share of the mass."""
    n = len(tree.parents)
    mass, moment = tree.masses.copy(), np.empty((n, 3), moves.dtype)
    for b in range(n):
        for i in range(3):
            moment[b, i] = mass[b] * moves[b, 9 + i]
    for b in range(n - 1, -1, -1):
        parent = tree.parents[b]
        if parent >= 0:
            mass[parent] += mass[b]
            for i in range(3):
                moment[parent, i] += moment[b, i]
    total = tree.masses.sum()
    for i in range(3):
        if rows[i] >= 0:
            values[rows[i]] = 0.0
            for b in range(n):
                if tree.parents[b] < 0:
                    values[rows[i]] += moment[b, i] / total
    for b in range(n):
        if mass[b] > 0.0:
            for v in range(tree.starts[b], tree.starts[b + 1]):
                column(axes[v], moment[b] / mass[b], moves[b, 9:12], slopes, rows, v, mass[b] / total)


@entry
def place_rows(tree, wanted, motion, values, slopes):
    """Values (count, rows) and slopes (count, rows, nv + 1) of all points; `motion` is MOVES and AXES by states."""
    moves, axes = motion
    for s in range(len(moves)):
        for k in range(len(wanted.bodies)):
            if wanted.bodies[k] < 0:
                center_rows(tree, wanted.rows[k], moves[s], axes[s], values[s], slopes[s])
            else:
                point_rows(
                    tree, wanted.bodies[k], wanted.local[k], wanted.rows[k], moves[s], axes[s], values[s], slopes[s]
                )
