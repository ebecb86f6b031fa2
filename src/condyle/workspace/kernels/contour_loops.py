"""Loops inside a leaf, which no edge shows: rays from the extremum of F meet them in order."""

from __future__ import annotations

import math

from ...numeric import kernel, seldom
from .contour_march import heading, march, write_place
from .elbow_surface import CLOSE, Place, Sphere, gap, hop

RAYS = 6


@kernel
def ray_root(t, m, start, dx, dy, F0, sphere):
    """The first crossing on a ray from a place where F = F0; False when the ray leaves the domain before."""
    (patch, x, y), (g, R) = start, sphere
    low, high, step = 0.0, 0.0, 2.0 ** -(m.level + 6)
    for _ in range(64):
        high += step
        step *= 1.1
        p, lowest = hop(t, patch, x + high * dx, y + high * dy)
        if lowest < 0.0:
            return start, False
        if (gap(t, p, x + high * dx, y + high * dy, g, R)[0] < 0.0) != (F0 < 0.0):
            break
        low = high
    else:
        return start, False
    k = low
    for _ in range(60):
        k = 0.5 * (low + high)
        p, _ = hop(t, patch, x + k * dx, y + k * dy)
        F = gap(t, p, x + k * dx, y + k * dy, g, R)[0]
        if abs(F) < CLOSE:
            break
        low, high = (k, high) if (F < 0.0) == (F0 < 0.0) else (low, k)
    return Place(p, x + k * dx, y + k * dy), True


@seldom
def draw_loop(t, m, center, sphere, w, n):
    """The loop round an extremum, F < 0 on its left; the next free row and whether it is whole."""
    F0, whole = gap(t, center.patch, center.x, center.y, sphere.g, sphere.R)[0], True
    turn = math.copysign(2.0 * math.pi / RAYS, -F0)
    here = heading(t, center, sphere)
    for k in range(RAYS + 1):
        place, found = ray_root(t, m, center, math.cos(k * turn), math.sin(k * turn), F0, sphere)
        there = heading(t, place, sphere)
        if k > 0 and found and whole:
            n, whole = march(t, m, sphere, w, n, here, there)
        if found and k < RAYS and n < w.points.shape[0] - 1:
            n = write_place(w, n, place)
        whole, here = whole and found, there
    return n, whole


@kernel
def add_loops(t, m, g, R, w, loops, curves):
    """Draw the loops inside leaves; returns the number of curves."""
    for k in range(loops):
        first = w.starts[curves]
        center = Place(w.center_patches[k], w.centers[k, 0], w.centers[k, 1])
        n, whole = draw_loop(t, m, center, Sphere(g, R), w, first)
        if n > first:
            w.closed[curves] = w.whole[curves] = 1 if whole else 0
            curves += 1
            w.starts[curves] = n
    return curves
