"""All elbows at distance R from a goal, as curves in the domain: the tree of boxes, marching triangles, Newton.

A box entirely nearer or entirely farther than R holds no crossing. On edges of the leaves left over F = |e* − g|² − R²
has one crossing where the ends differ in sign, and two where between equal signs an extremum is of the other sign (the
curve turns back inside the next leaf). Crossings are refined on their edge, linked leaf by leaf, and joined by
continuation where the chord between two of them does not show the way.
Crossing 2e of edge e is the one nearer to its first end; 2e + 1 exists only on edges crossed twice.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ...numeric import as_int64, inlined, kernel
from .contour_cell import BACK, BRANCHES, ONCE, ONWARD, TWICE, link_leaf
from .contour_march import corrected, direction, heading, march, plain, write_place
from .elbow_surface import CLOSE, Place, Sphere, gap


class Curves(NamedTuple):
    """The curves of a goal: points in order, their patches, where each curve starts, and whether it is closed.

    A part of the scratch, so that what reads many points is not handed all of it.
    """

    points: Any
    patches: Any
    starts: Any
    closed: Any


@inlined
def curves_of(w):
    """The curves in a scratch."""
    return Curves(w.points, w.patches, w.starts, w.closed)


@inlined
def box_side(boxes, node, g, R):
    """−1 when the box is inside the sphere, 1 when outside, 0 when it may be crossed."""
    near = far = 0.0
    for i in range(3):
        below, above = boxes[node, i] - g[i], g[i] - boxes[node, 3 + i]
        d = max(max(below, above), 0.0)
        near += d * d
        d = max(abs(below), abs(above))
        far += d * d
    if far < R * R:
        return -1
    return 1 if near > R * R else 0


@kernel
def candidates(t, m, g, R, stack, leaves):
    """Leaves that the sphere may cross; returns how many, and how many boxes were looked at."""
    top = found = looked = 0
    for p in range(t.neighbors.shape[0]):
        stack[top, 0], stack[top, 1], stack[top, 2] = 0, 0, p  # level, first node of the level, node
        top += 1
    while top > 0:
        top -= 1
        level, start, i = stack[top, 0], stack[top, 1], stack[top, 2]
        looked += 1
        if box_side(m.boxes, start + i, g, R) != 0:
            continue
        if level == m.level:
            leaves[found] = i
            found += 1
            continue
        below = start + t.neighbors.shape[0] * 4**level
        for c in range(4):
            stack[top, 0], stack[top, 1], stack[top, 2] = level + 1, below, 4 * i + c
            top += 1
    return found, looked


@kernel
def link_crossings(t, m, g, R, count, w):
    """Find and link the crossings of all candidate leaves; returns the number of crossed edges and of loops inside."""
    edges = loops = as_int64(0)  # a literal would give Numba a second specialisation
    for n in range(count):
        edges, loops = link_leaf(t, m, w.leaves[n], g, R, w, edges, loops)
    return edges, loops


@kernel
def edge_root(t, m, w, crossing, g, R):
    """A crossing on its edge, with the curve's direction: Newton kept inside a shrinking bracket."""
    e = crossing // 2
    a, b, patch = w.ends[e, 0], w.ends[e, 1], w.ends[e, 2]
    ax, ay = m.at[a, 0], m.at[a, 1]
    dx, dy = m.at[b, 0] - ax, m.at[b, 1] - ay
    start, stop = 0.0, 1.0
    if w.ends[e, 3] == TWICE:
        start, stop = (0.0, w.peaks[e]) if crossing == 2 * e else (w.peaks[e], 1.0)
    Fa = gap(t, patch, ax + start * dx, ay + start * dy, g, R)[0]
    Fb = gap(t, patch, ax + stop * dx, ay + stop * dy, g, R)[0]
    low, high = (start, stop) if Fa < Fb else (stop, start)  # F < 0 at low
    k = start + (stop - start) * Fa / (Fa - Fb) if Fa != Fb else start
    F, Fx, Fy = math.inf, 0.0, 0.0
    for _ in range(60):
        F, Fx, Fy = gap(t, patch, ax + k * dx, ay + k * dy, g, R)
        if abs(F) < CLOSE:
            break
        if F < 0.0:
            low = k
        else:
            high = k
        slope = Fx * dx + Fy * dy
        step = k - F / slope if slope != 0.0 else math.inf
        inside = min(low, high) < step < max(low, high)
        following = step if inside else 0.5 * (low + high)
        if following == k:
            break
        k = following
    place = Place(patch, ax + k * dx, ay + k * dy)
    return direction(place, Fx, Fy) if abs(F) < CLOSE else heading(t, place, Sphere(g, R))


@kernel
def walk(t, m, sphere, w, start, n):
    """Follow a chain from crossing `start`, writing points from row n on; the next free row, and whether all came."""
    c, whole = start, True
    here = edge_root(t, m, w, c, sphere.g, sphere.R)
    while n < w.points.shape[0] - 1:
        w.visited[c] = 1
        n, onward = write_place(w, n, here.place), w.links[c, ONWARD]
        if onward < 0:
            break
        there = edge_root(t, m, w, onward, sphere.g, sphere.R)
        alone = w.links[c, BRANCHES] == 1 and w.ends[c // 2, 3] == ONCE and w.ends[onward // 2, 3] == ONCE
        if not (alone and plain(here, there)):
            n, came = march(t, m, sphere, w, n, here, there)
            whole = whole and came
        if w.visited[onward] == 1:  # closed
            break
        c, here = onward, there
    return n, whole


@kernel
def chains(t, m, g, R, edges, w):
    """Chains that end at the rim first, then closed ones. Returns the number of curves; starts has one more."""
    curves = as_int64(0)
    w.starts[0] = 0
    for loop in range(2):
        for k in range(edges):
            e = w.crossing[k]
            for c in range(2 * e, 2 * e + w.ends[e, 3]):
                if w.visited[c] == 0 and (loop == 1 or w.links[c, BACK] < 0):
                    n, whole = walk(t, m, Sphere(g, R), w, c, w.starts[curves])
                    w.closed[curves], w.whole[curves] = loop, 1 if whole else 0
                    curves += 1
                    w.starts[curves] = n
    for k in range(edges):  # leave the scratch as it was found
        e = w.crossing[k]
        w.ends[e, 3] = 0
        for c in (2 * e, 2 * e + 1):
            w.links[c, ONWARD], w.links[c, BACK], w.visited[c] = -1, -1, 0
    return curves


@kernel
def curve_point(t, g, R, curves, c, k):
    """Curve c at real parameter k: linear between its points, then corrected. Closed curves wrap."""
    first, count = curves.starts[c], curves.starts[c + 1] - curves.starts[c]
    whole = math.floor(k)
    share = k - whole
    if curves.closed[c]:
        a, b = first + whole % count, first + (whole + 1) % count
    else:
        whole = min(max(whole, 0), count - 1)
        a, b = first + whole, first + min(whole + 1, count - 1)
    if share == 0.0 or a == b:
        return curves.patches[a], curves.points[a, 0], curves.points[a, 1]
    x = (1.0 - share) * curves.points[a, 0] + share * curves.points[b, 0]
    y = (1.0 - share) * curves.points[a, 1] + share * curves.points[b, 1]
    chord = (curves.points[a, 0] - curves.points[b, 0]) ** 2 + (curves.points[a, 1] - curves.points[b, 1]) ** 2
    patch, px, py, found = corrected(t, curves.patches[a], x, y, g, R)
    if found and (px - x) ** 2 + (py - y) ** 2 <= chord:
        return patch, px, py
    a = a if share < 0.5 else b  # near a tangency Newton may fail: the nearer point is on the curve
    return curves.patches[a], curves.points[a, 0], curves.points[a, 1]
