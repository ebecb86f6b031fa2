"""A path of goals: sampled postures of each, the cheapest choice along the path, then every posture slid on its curve.

A posture's marks are the axes of upper arm and forearm, which have no wrap-around: squared distances between marks are
half the squared distances between both rotations.
"""

from __future__ import annotations

import math

from ...numeric import entry, inlined, kernel
from ...spatial.kernels.algebra import cross
from .contour_march import corrected
from .elbow_surface import gap, hop
from .goal_solutions import one_goal
from .posture import forearm_frame, judged, upper_arm

BROKEN = 1e4  # weight of squared limit excess [rad²]
MARKS = 15


@inlined
def write_vector(marks, k, a, scale):
    marks[k], marks[k + 1], marks[k + 2] = scale * a[0], scale * a[1], scale * a[2]


@kernel
def measure(t, patch, x, y, goal, marks):
    """The cost of a posture; its marks are written."""
    arm = upper_arm(t, patch, x, y, goal.g)
    first, second, comfort = judged(t, patch, x, y, arm, goal)
    frame, half = forearm_frame(arm.side, arm.z, arm.flexion), math.sqrt(0.5)
    write_vector(marks, 0, arm.side, half)
    write_vector(marks, 3, arm.z, half)
    write_vector(marks, 6, cross(arm.z, arm.side), 1.0)  # of both
    write_vector(marks, 9, (frame[0], frame[3], frame[6]), half)
    write_vector(marks, 12, (frame[2], frame[5], frame[8]), half)
    return BROKEN * (first + second) + comfort


@kernel
def apart(a, b):
    """Squared distance between marks."""
    total = 0.0
    for i in range(MARKS):
        d = a[i] - b[i]
        total += d * d
    return total


@entry
def sample_layer(t, goals, points, patches, layers, n):
    """Some postures of goal n, evenly taken from all points of its curves."""
    goal, total = one_goal(goals, n), points.shape[0]
    count = min(total, layers.cost.shape[1])
    for k in range(count):
        p = k * total // count
        layers.spots[n, k, 0], layers.spots[n, k, 1], layers.patches[n, k] = points[p, 0], points[p, 1], patches[p]
        layers.cost[n, k] = measure(t, patches[p], points[p, 0], points[p, 1], goal, layers.marks[n, k])
    layers.counts[n] = count


@entry
def shortest_path(layers, motion, total, back, path):
    """The cheapest choice of one sample of every layer: cost, plus `motion` times squared distances of marks."""
    last = layers.counts.shape[0] - 1
    for k in range(layers.counts[0]):
        total[0, k] = layers.cost[0, k]
    for n in range(1, last + 1):
        here, before = n & 1, (n - 1) & 1
        for k in range(layers.counts[n]):
            best, choice = math.inf, 0
            for j in range(layers.counts[n - 1]):
                through = total[before, j]
                if through < best:
                    through += motion * apart(layers.marks[n, k], layers.marks[n - 1, j])
                    if through < best:
                        best, choice = through, j
            total[here, k], back[n, k] = best + layers.cost[n, k], choice
    best, k = math.inf, 0
    for j in range(layers.counts[last]):
        if total[last & 1, j] < best:
            best, k = total[last & 1, j], j
    for n in range(last, -1, -1):
        path[n] = k
        k = back[n, k]


@kernel
def beside(marks, n, here):
    """Squared distances of marks `here` from those before and after n."""
    total = 0.0
    if n > 0:
        total += apart(here, marks[n - 1])
    if n + 1 < marks.shape[0]:
        total += apart(here, marks[n + 1])
    return total


@kernel
def moved_place(t, patch, x, y, goal, step):
    """The place a step along the curve of elbows, and whether it is one."""
    _, Fx, Fy = gap(t, patch, x, y, goal.g, goal.R)
    size = math.hypot(Fx, Fy)
    if size == 0.0:
        return patch, x, y, False
    px, py = x - step * Fy / size, y + step * Fx / size
    patch, px, py, found = corrected(t, patch, px, py, goal.g, goal.R)
    near = (px - x) ** 2 + (py - y) ** 2 <= 4.0 * step * step
    return patch, px, py, found and near and hop(t, patch, px, py)[1] >= -1e-12


@entry
def slide(t, goals, motion, path, scratch, steps):
    """Every posture in turn tries a step both ways along its curve, with ever smaller steps; every second one first.

    `path` is (places, patches, marks, cost) of every posture.
    """
    places, patches, marks, cost = path
    count = places.shape[0]
    half = (count + 1) // 2
    for s in range(steps.shape[0]):
        for k in range(count):
            n = 2 * k if k < half else 2 * (k - half) + 1
            goal = one_goal(goals, n)
            value = cost[n] + motion * beside(marks, n, marks[n])
            for way in range(2):
                step = steps[s] if way == 0 else -steps[s]
                patch, x, y, good = moved_place(t, patches[n], places[n, 0], places[n, 1], goal, step)
                if not good:
                    continue
                alone = measure(t, patch, x, y, goal, scratch)
                if alone + motion * beside(marks, n, scratch) < value:
                    patches[n], places[n, 0], places[n, 1], cost[n] = patch, x, y, alone
                    for i in range(MARKS):
                        marks[n, i] = scratch[i]
                    break
