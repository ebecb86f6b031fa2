"""What marching from edge to edge does not draw: loops inside a leaf or over one edge, and the tips of thin curves.

Rays from a point of the other sign of F meet the curve in order.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ...numeric import kernel
from .elbow_surface import CLOSE, Place, Sphere, gap, hop

RAYS = 16
FAN = 7  # rays into a tip


class Rays(NamedTuple):
    """Directions of a fan: the first angle, the angle between two, and how many."""

    first: float
    step: float
    count: int  # pyright: ignore[reportIncompatibleMethodOverride]  # a field hides tuple.count


@kernel
def ray_root(t, m, start, dx, dy, F0, sphere):
    """The first crossing on a ray from a point where F = F0; False when the ray leaves the domain before."""
    (patch, x, y), (g, R) = start, sphere
    low, high, step = 0.0, 0.0, 2.0 ** -(m.level + 6)
    for _ in range(64):
        high += step
        step *= 1.1
        p, lowest = hop(t, patch, x + high * dx, y + high * dy)
        if lowest < 0.0:
            return x, y, patch, False
        if (gap(t, p, x + high * dx, y + high * dy, g, R)[0] < 0.0) != (F0 < 0.0):
            break
        low = high
    else:
        return x, y, patch, False
    k = low
    for _ in range(60):
        k = 0.5 * (low + high)
        p, _ = hop(t, patch, x + k * dx, y + k * dy)
        F = gap(t, p, x + k * dx, y + k * dy, g, R)[0]
        if abs(F) < CLOSE:
            break
        low, high = (k, high) if (F < 0.0) == (F0 < 0.0) else (low, k)
    return x + k * dx, y + k * dy, p, True


@kernel
def fan(t, m, start, rays, sphere, w, n):
    """Crossings on rays from a place; returns the next free row of points."""
    F0 = gap(t, start.patch, start.x, start.y, sphere.g, sphere.R)[0]
    for k in range(rays.count):
        angle = rays.first + k * rays.step
        px, py, p, found = ray_root(t, m, start, math.cos(angle), math.sin(angle), F0, sphere)
        if found and n < w.points.shape[0] - 1:
            w.points[n, 0], w.points[n, 1], w.patches[n] = px, py, p
            n += 1
    return n


@kernel
def draw_loop(t, m, center, sphere, w, n):
    """Crossings on rays all round an extremum; returns the next free row and whether no ray left the domain."""
    after = fan(t, m, center, Rays(0.0, 2.0 * math.pi / RAYS, RAYS), sphere, w, n)
    return after, after - n == RAYS


@kernel
def add_tip(t, m, sphere, w, e, x, y, n):
    """Points between the two crossings of edge e, the last written one and (x, y), inside the leaf of the tip."""
    leaf = w.tips[e]
    px, py = w.points[n - 1, 0], w.points[n - 1, 1]
    a, b, c = m.triangles[leaf, 0], m.triangles[leaf, 1], m.triangles[leaf, 2]
    inward_x = (m.at[a, 0] + m.at[b, 0] + m.at[c, 0]) / 3.0 - px
    inward_y = (m.at[a, 1] + m.at[b, 1] + m.at[c, 1]) / 3.0 - py
    side = 1.0 if (x - px) * inward_y - (y - py) * inward_x > 0.0 else -1.0
    start = math.atan2(py - y, px - x)  # from the middle towards the last point, then round into the leaf
    step = -side * math.pi / (FAN + 1)
    middle = Place(leaf // 4**m.level, 0.5 * (x + px), 0.5 * (y + py))
    return fan(t, m, middle, Rays(start + step, step, FAN), sphere, w, n)


@kernel
def add_loops(t, m, g, R, w, loops, curves):
    """Draw the loops inside leaves; returns the number of curves."""
    for k in range(loops):
        first = w.starts[curves]
        center = Place(w.center_patches[k], w.centers[k, 0], w.centers[k, 1])
        n, whole = draw_loop(t, m, center, Sphere(g, R), w, first)
        if n > first:
            w.closed[curves] = 1 if whole else 0
            curves += 1
            w.starts[curves] = n
    return curves
