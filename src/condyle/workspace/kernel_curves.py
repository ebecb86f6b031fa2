"""All elbows at distance R from a goal, as curves in the domain: the tree of boxes, marching triangles, Newton.

A box entirely nearer or entirely farther than R holds no crossing. Every leaf left over with corners on both sides is
crossed once; crossings of shared edges are the curve's points, refined on the edge, and link into chains.
"""

from __future__ import annotations

import math

from ..numeric import inlined, kernel
from ..spatial.algebra import dot3
from .kernel_surface import gap, hop

CLOSE = 1e-15  # |e* − g|² − R² at which an elbow counts as found [m²]


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
    for p in range(t.neighbours.shape[0]):
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
        below = start + t.neighbours.shape[0] * 4**level
        for c in range(4):
            stack[top, 0], stack[top, 1], stack[top, 2] = level + 1, below, 4 * i + c
            top += 1
    return found, looked


@inlined
def corner_gap(m, vertex, g, R):
    """F at a grid vertex."""
    d = (m.elbow[vertex, 0] - g[0], m.elbow[vertex, 1] - g[1], m.elbow[vertex, 2] - g[2])
    return dot3(d, d) - R * R


@kernel
def edge_root(t, m, patch, a, b, g, R):
    """The crossing on the edge between grid vertices a and b: Newton kept inside a shrinking bracket."""
    ax, ay = m.at[a, 0], m.at[a, 1]
    dx, dy = m.at[b, 0] - ax, m.at[b, 1] - ay
    Fa, Fb = corner_gap(m, a, g, R), corner_gap(m, b, g, R)
    low, high = (0.0, 1.0) if Fa < 0.0 else (1.0, 0.0)  # F < 0 at low
    k = Fa / (Fa - Fb)
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
    return ax + k * dx, ay + k * dy


@kernel
def link_crossings(t, m, g, R, leaves, count, links, ends, crossing, unsure):
    """Join the two crossed edges of every crossed leaf.

    links[e] are the (at most two) crossed edges next to edge e, ends[e] = (vertex, vertex, patch, visited).
    Returns the number of crossed edges and of uncrossed leaves that might still hide a small loop.
    """
    edges = hidden = 0
    per_patch = 4**m.level
    for n in range(count):
        leaf = leaves[n]
        Fs = (
            corner_gap(m, m.triangles[leaf, 0], g, R),
            corner_gap(m, m.triangles[leaf, 1], g, R),
            corner_gap(m, m.triangles[leaf, 2], g, R),
        )
        first = second = -1
        for k in range(3):
            if (Fs[k] < 0.0) != (Fs[(k + 1) % 3] < 0.0):
                e = m.edges[leaf, k]
                if links[e, 0] < 0 and ends[e, 3] < 0:
                    ends[e, 0], ends[e, 1] = m.triangles[leaf, k], m.triangles[leaf, (k + 1) % 3]
                    ends[e, 2], ends[e, 3] = leaf // per_patch, 0
                    crossing[edges] = e
                    edges += 1
                first, second = (e, second) if first < 0 else (first, e)
        if first >= 0:
            links[first, 0 if links[first, 0] < 0 else 1] = second
            links[second, 0 if links[second, 0] < 0 else 1] = first
        elif may_hide(m, leaf, Fs, R):
            unsure[hidden] = leaf
            hidden += 1
    return edges, hidden


@inlined
def may_hide(m, leaf, Fs, R):
    """Whether F can change sign inside a leaf whose corners are on one side.

    Off the flat triangle F moves by at most 2(R + b)b + b² for a bulge b; on it F is convex, at most a third of the
    longest chord squared below the plane through the corners.
    """
    b = m.bulge[leaf]
    slack = 2.0 * (R + b + math.sqrt(m.size[leaf])) * b + b * b
    if Fs[0] < 0.0:
        return max(Fs[0], max(Fs[1], Fs[2])) + slack >= 0.0
    return min(Fs[0], min(Fs[1], Fs[2])) - slack - m.size[leaf] / 3.0 <= 0.0


@kernel
def walk(t, m, g, R, start, links, ends, points, patches, n):
    """Follow a chain from edge `start`, writing refined crossings from row n on; returns the next free row."""
    e, before = start, -1
    while e >= 0 and ends[e, 3] == 0:
        ends[e, 3] = 1
        patches[n] = ends[e, 2]
        points[n, 0], points[n, 1] = edge_root(t, m, ends[e, 2], ends[e, 0], ends[e, 1], g, R)
        n += 1
        following = links[e, 0] if links[e, 0] != before else links[e, 1]
        before, e = e, following
    return n


@kernel
def chains(t, m, g, R, links, ends, crossing, edges, points, patches, starts, closed):
    """Chains that end at the rim first, then closed ones. Returns the number of curves; starts has one more."""
    curves = n = 0
    starts[0] = 0
    for loop in range(2):
        for k in range(edges):
            e = crossing[k]
            if ends[e, 3] == 0 and (loop == 1 or links[e, 1] < 0):
                n = walk(t, m, g, R, e, links, ends, points, patches, n)
                closed[curves] = loop
                curves += 1
                starts[curves] = n
    for k in range(edges):  # leave the scratch as it was found
        e = crossing[k]
        links[e, 0], links[e, 1], ends[e, 3] = -1, -1, -1
    return curves


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
