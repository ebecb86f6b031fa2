"""More points where the upper arm twists fast along a curve: close to a straight elbow a small step turns it far."""

from __future__ import annotations

import math

from ...numeric import as_int64, kernel
from ...spatial.kernels.algebra import dot3, scale3, sub3
from .contour_curves import curve_point, curves_of
from .elbow_surface import rigid

TURN = 0.98  # cosine of the largest turn of the bending direction between neighbours
FINEST = 2.0**-10  # of the step between two points of marching
SPARE = 64  # rows: more than one halving of the step can add


@kernel
def bending_side(t, patch, x, y, g):
    """The unit vector, square to the upper arm, towards which the elbow bends for the goal g."""
    _, z, e, _, _ = rigid(t, patch, x, y)
    f = sub3(g, e)
    side = sub3(f, scale3(dot3(f, z), z))
    return scale3(1.0 / max(math.sqrt(dot3(side, side)), 1e-300), side)


@kernel
def follow_turns(t, g, R, w, c, n):
    """Curve c with what is missing between its points, from row n on; returns the next free row.

    The curve is read from rows farther up; points are added between its own as long as none of it is written over.
    """
    first, count = w.starts[c], w.starts[c + 1] - w.starts[c]
    intervals, curves = count if w.closed[c] else count - 1, curves_of(w)
    at, step, last = 0.0, 0.0, (0.0, 0.0, 0.0)
    while at + step <= intervals:
        patch, x, y = curve_point(t, g, R, curves, c, at + step)
        side = bending_side(t, patch, x, y, g)
        if step > FINEST and dot3(last, side) < TURN and n + count + SPARE < first:
            step = 0.5 * step
            continue
        at, last = at + step, side
        if at < intervals or not w.closed[c]:
            w.points[n, 0], w.points[n, 1], w.patches[n] = x, y, patch
            n += 1
        step = min(2.0 * step if step > 0.0 else 1.0, math.floor(at) + 1.0 - at)  # no point of the curve is missed
    return n


@kernel
def add_turns(t, g, R, w, curves):
    """All curves with points where the arm twists fast: moved to the end of the rows, then written from their start."""
    count, rows = w.starts[curves], w.points.shape[0]
    for k in range(count):
        a, b = count - 1 - k, rows - 1 - k
        w.points[b, 0], w.points[b, 1], w.patches[b] = w.points[a, 0], w.points[a, 1], w.patches[a]
    for c in range(curves + 1):
        w.starts[c] += rows - count
    n = as_int64(0)
    for c in range(curves):
        start = n
        n = follow_turns(t, g, R, w, c, n)
        w.starts[c] = start
    w.starts[curves] = n
