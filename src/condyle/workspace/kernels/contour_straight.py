"""More points where the upper arm twists fast along a curve: close to a straight elbow a small step turns it far."""

from __future__ import annotations

import math

from ...numeric import kernel
from ...spatial.kernels.algebra import dot3, scale3, sub3
from .contour_curves import curve_point
from .elbow_surface import rigid

TURN = 0.98  # cosine of the largest turn of the bending direction between neighbours
FINEST = 2.0**-10  # of the step between two points of marching


@kernel
def bending_side(t, patch, x, y, g):
    """The unit vector, square to the upper arm, towards which the elbow bends for the goal g."""
    _, z, e, _, _ = rigid(t, patch, x, y)
    f = sub3(g, e)
    side = sub3(f, scale3(dot3(f, z), z))
    return scale3(1.0 / max(math.sqrt(dot3(side, side)), 1e-300), side)


@kernel
def add_between(t, goal, w, c, k, sides, n):
    """Points between k and k + 1 of curve c until neighbours turn little; returns the next free row of `fine`."""
    last, end = sides
    done, step = 0.0, 0.5
    while n < w.fine.shape[0] - 1:
        if done + step >= 1.0:
            if dot3(last, end) >= TURN or step <= FINEST:
                break
            step = 0.5 * step
            continue
        patch, x, y = curve_point(t, goal.g, goal.R, w, c, k + done + step)
        side = bending_side(t, patch, x, y, goal.g)
        if dot3(last, side) < TURN and step > FINEST:
            step = 0.5 * step
            continue
        w.fine[n, 0], w.fine[n, 1], w.fine_patches[n] = x, y, patch
        n, done, last, step = n + 1, done + step, side, 2.0 * step
    return n


@kernel
def follow_turns(t, goal, w, c, n):
    """Curve c with what is missing between its points, into `fine` from row n on."""
    first, last = w.starts[c], w.starts[c + 1]
    here = bending_side(t, w.patches[first], w.points[first, 0], w.points[first, 1], goal.g)
    for k in range(first, last):
        w.fine[n, 0], w.fine[n, 1], w.fine_patches[n] = w.points[k, 0], w.points[k, 1], w.patches[k]
        n += 1
        if k == last - 1 and w.closed[c] == 0:
            break
        b = k + 1 if k + 1 < last else first
        there = bending_side(t, w.patches[b], w.points[b, 0], w.points[b, 1], goal.g)
        room = w.fine.shape[0] - (w.points.shape[0] + 1) // 2
        if dot3(here, there) < TURN and b != k and n < room:
            n = add_between(t, goal, w, c, k - first + 0.0, (here, there), n)
        here = there
    return n


@kernel
def add_turns(t, goal, w, curves):
    """All curves with points where the arm twists fast."""
    n = 0
    for c in range(curves):
        w.fine_starts[c] = n
        n = follow_turns(t, goal, w, c, n)
    w.fine_starts[curves] = n
    if curves > 0 and n > w.starts[curves] and n <= w.points.shape[0]:
        for k in range(n):
            w.points[k, 0], w.points[k, 1], w.patches[k] = w.fine[k, 0], w.fine[k, 1], w.fine_patches[k]
        for c in range(curves + 1):
            w.starts[c] = w.fine_starts[c]
