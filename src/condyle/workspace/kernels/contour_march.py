"""Continuation along a curve of elbows where the chord between two of its points does not show the way.

A curve is walked with F < 0 on its left, so its direction at a place is the gradient turned by 90°, and the other side
of a thin loop, which Newton may fall on, shows the opposite direction.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ...numeric import inlined, kernel, seldom
from .elbow_surface import CLOSE, Place, gap, hop

ALONG = 0.8  # cosine between a chord and the curve at its ends and middle
STRAIGHT_ON = 0.95  # cosine of the turn in one step
AWAY = 0.25  # share of a step by which Newton may move its end
STEPS = 1000  # from one point to the next
SHORTEST = 1e-14  # step, in domain units


class Heading(NamedTuple):
    """A place of a curve and the unit vector along it there, F < 0 to the left."""

    place: Place
    x: float
    y: float


@kernel
def direction(place, Fx, Fy):
    """The direction of the curve at a place, from the slopes of F."""
    steep = max(math.hypot(Fx, Fy), 1e-300)
    return Heading(place, -Fy / steep, Fx / steep)


@kernel
def heading(t, place, sphere):
    """The direction of the curve at a place."""
    _, Fx, Fy = gap(t, place.patch, place.x, place.y, sphere.g, sphere.R)
    return direction(place, Fx, Fy)


@kernel
def corrected(t, patch, x, y, g, R):
    """The point of F = 0 near a domain point, by Newton along the gradient; hops between patches. Whether found."""
    F = 1.0
    for _ in range(20):
        patch, _ = hop(t, patch, x, y)
        F, Fx, Fy = gap(t, patch, x, y, g, R)
        square = Fx * Fx + Fy * Fy
        if abs(F) < CLOSE or square == 0.0:
            break
        x, y = x - F * Fx / square, y - F * Fy / square
    return patch, x, y, abs(F) < 100.0 * CLOSE


@kernel
def landed(t, patch, x, y, most, sphere):
    """The curve near a domain point, and whether it is there, no farther than `most`."""
    patch, px, py, found = corrected(t, patch, x, y, sphere.g, sphere.R)
    return heading(t, Place(patch, px, py), sphere), found and math.hypot(px - x, py - y) <= most


@inlined
def span(a, b):
    """From one place to another, and how far."""
    dx, dy = b.place.x - a.place.x, b.place.y - a.place.y
    return dx, dy, math.hypot(dx, dy)


@kernel
def plain(a, b):
    """Whether the curve hardly turns from a to b, judged by its ends."""
    dx, dy, long = span(a, b)
    return min(a.x * dx + a.y * dy, b.x * dx + b.y * dy) >= STRAIGHT_ON * long


@kernel
def shows(t, a, b, sphere):
    """Whether the chord from a to b shows the curve: it runs along it at both ends and in the middle."""
    dx, dy, long = span(a, b)
    if long == 0.0:
        return True
    if min(a.x * dx + a.y * dy, b.x * dx + b.y * dy) < ALONG * long:
        return False
    x, y = a.place.x + 0.5 * dx, a.place.y + 0.5 * dy
    c, found = landed(t, a.place.patch, x, y, AWAY * long, sphere)
    return found and c.x * dx + c.y * dy >= ALONG * long


@inlined
def write_place(w, n, place):
    """A place into row n; returns the next one."""
    w.points[n, 0], w.points[n, 1], w.patches[n] = place.x, place.y, place.patch
    return n + 1


@seldom
def march(t, m, sphere, w, n, a, b):
    """Points of the curve from a, written last, up to b, not written; the next free row, and whether it came to b.

    Nothing is added where the chord shows the way.
    """
    longest = 2.0 ** -(m.level + 2)
    step = min(0.25 * span(a, b)[2], longest)
    for k in range(STEPS):
        far = span(a, b)[2]
        if k == 0 or far <= 2.0 * step:
            if shows(t, a, b, sphere):
                return n, True
            if a.x * b.x + a.y * b.y > 0.0:
                step = min(step, 0.5 * far)
        c, good = landed(t, a.place.patch, a.place.x + step * a.x, a.place.y + step * a.y, AWAY * step, sphere)
        if good and a.x * c.x + a.y * c.y >= STRAIGHT_ON and n < w.points.shape[0] - 1:
            n, a, step = write_place(w, n, c.place), c, min(1.5 * step, longest)
        else:
            step = 0.5 * step
        if step < SHORTEST:
            break
    return n, False
