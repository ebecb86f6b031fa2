"""Small closed curves that fit between the grid's vertices: found at an extremum of F, drawn by rays around it."""

from __future__ import annotations

import math

from ..numeric import inlined, kernel
from .kernel_curves import CLOSE, corner_gap
from .kernel_surface import gap, hop

RAYS = 16
STEP = 1e-5  # difference step for the Hessian, in domain units
SAME = 1e-6  # extrema nearer than this are one


@kernel
def extremum(t, patch, x, y, reach, g, R):
    """The stationary point of F near (x, y), by Newton with difference Hessians; gives up beyond `reach`."""
    cx, cy = x, y
    for _ in range(25):
        patch, _ = hop(t, patch, x, y)
        _, Fx, Fy = gap(t, patch, x, y, g, R)
        _, ax, ay = gap(t, patch, x + STEP, y, g, R)
        _, bx, by = gap(t, patch, x, y + STEP, g, R)
        xx, yy, xy = (ax - Fx) / STEP, (by - Fy) / STEP, 0.5 * ((ay - Fy) + (bx - Fx)) / STEP
        det = xx * yy - xy * xy
        if det <= 0.0:  # a saddle is no loop
            return patch, x, y, False
        dx, dy = (yy * Fx - xy * Fy) / det, (xx * Fy - xy * Fx) / det
        x, y = x - dx, y - dy
        if (x - cx) ** 2 + (y - cy) ** 2 > reach * reach:
            return patch, x, y, False
        if dx * dx + dy * dy < 1e-24:
            break
    patch, lowest = hop(t, patch, x, y)
    return patch, x, y, lowest >= 0.0


@kernel
def edge_extremum(t, m, patch, a, b, g, R):
    """The stationary point of F along a grid edge, by bisection of the slope; False when the ends slope one way."""
    ax, ay = m.at[a, 0], m.at[a, 1]
    dx, dy = m.at[b, 0] - ax, m.at[b, 1] - ay
    _, Fx, Fy = gap(t, patch, ax, ay, g, R)
    at_a = Fx * dx + Fy * dy
    _, Fx, Fy = gap(t, patch, ax + dx, ay + dy, g, R)
    if (at_a < 0.0) == (Fx * dx + Fy * dy < 0.0):
        return ax, ay, False
    low, high = 0.0, 1.0
    for _ in range(50):
        k = 0.5 * (low + high)
        _, Fx, Fy = gap(t, patch, ax + k * dx, ay + k * dy, g, R)
        low, high = (k, high) if (Fx * dx + Fy * dy < 0.0) == (at_a < 0.0) else (low, k)
    return ax + low * dx, ay + low * dy, True


@kernel
def ray_root(t, m, patch, x, y, dx, dy, F0, g, R):
    """The first crossing on a ray from a point where F = F0; False when the ray leaves the domain before."""
    low, high, step = 0.0, 0.0, 2.0 ** -(m.level + 3)
    for _ in range(64):
        high += step
        p, lowest = hop(t, patch, x + high * dx, y + high * dy)
        if lowest < 0.0:
            return x, y, patch, False
        if (gap(t, p, x + high * dx, y + high * dy, g, R)[0] < 0.0) != (F0 < 0.0):
            break
        low = high
    else:
        return x, y, patch, False
    for _ in range(60):
        k = 0.5 * (low + high)
        p, _ = hop(t, patch, x + k * dx, y + k * dy)
        F = gap(t, p, x + k * dx, y + k * dy, g, R)[0]
        if abs(F) < CLOSE:
            break
        low, high = (k, high) if (F < 0.0) == (F0 < 0.0) else (low, k)
    return x + k * dx, y + k * dy, p, True


@kernel
def draw_loop(t, m, patch, x, y, F0, g, R, points, patches, n):
    """Crossings on rays around an extremum, in order; returns the next free row and whether no ray left the domain."""
    start = 0
    for k in range(RAYS):  # begin after a gap, so that an open curve is one run
        angle = 2.0 * math.pi * k / RAYS
        if not ray_root(t, m, patch, x, y, math.cos(angle), math.sin(angle), F0, g, R)[3]:
            start = k + 1
    first = n
    for k in range(start, start + RAYS):
        angle = 2.0 * math.pi * (k % RAYS) / RAYS
        px, py, p, found = ray_root(t, m, patch, x, y, math.cos(angle), math.sin(angle), F0, g, R)
        if found:
            points[n, 0], points[n, 1], patches[n] = px, py, p
            n += 1
    return n, n - first == RAYS


@kernel
def encloses_vertex(t, m, patch, x, y, F0, g, R):
    """Whether the region of F0's sign around (x, y) holds a grid vertex: then marching has its curve already."""
    near = 4.0 * 4.0**-m.level
    for v in range(m.at.shape[0]):
        dx, dy = m.at[v, 0] - x, m.at[v, 1] - y
        square = dx * dx + dy * dy
        if square > near or (corner_gap(m, v, g, R) < 0.0) != (F0 < 0.0):
            continue
        length = math.sqrt(square)
        px, py, _, found = ray_root(t, m, patch, x, y, dx / length, dy / length, F0, g, R)
        if not found or (px - x) ** 2 + (py - y) ** 2 > square:
            return True
    return False


@inlined
def is_new(centres, count, x, y):
    """Whether no extremum was already drawn here."""
    for k in range(count):  # noqa: SIM110 (kernels have no generators)
        if (centres[k, 0] - x) ** 2 + (centres[k, 1] - y) ** 2 < SAME * SAME:
            return False
    return True


@kernel
def hidden_curves(t, m, g, R, unsure, hidden, centres, points, patches, starts, closed, curves):
    """Add the small curves of unsure leaves; returns the number of curves."""
    drawn = 0
    per_patch = 4**m.level
    for k in range(hidden):
        leaf = unsure[k]
        a, b, c = m.triangles[leaf, 0], m.triangles[leaf, 1], m.triangles[leaf, 2]
        side = gap(t, leaf // per_patch, m.at[a, 0], m.at[a, 1], g, R)[0] < 0.0
        x, y = (m.at[a, 0] + m.at[b, 0] + m.at[c, 0]) / 3.0, (m.at[a, 1] + m.at[b, 1] + m.at[c, 1]) / 3.0
        for j in range(4):
            if j == 0:
                p, px, py, good = extremum(t, leaf // per_patch, x, y, 2.0 ** (1 - m.level), g, R)
            else:
                u, v = (a, b) if j == 1 else ((b, c) if j == 2 else (c, a))
                px, py, good = edge_extremum(t, m, leaf // per_patch, u, v, g, R)
                p, outside = hop(t, leaf // per_patch, px, py)
                good = good and outside < 1e-9 and t.neighbours[p].min() < 0
            if not good or not is_new(centres, drawn, px, py):
                continue
            F = gap(t, p, px, py, g, R)[0]
            if (F < 0.0) == side or drawn == centres.shape[0] or starts[curves] + RAYS > points.shape[0]:
                continue
            centres[drawn, 0], centres[drawn, 1] = px, py
            drawn += 1
            if encloses_vertex(t, m, p, px, py, F, g, R):
                continue
            n, whole = draw_loop(t, m, p, px, py, F, g, R, points, patches, starts[curves])
            if n > starts[curves]:
                closed[curves] = 1 if whole else 0
                curves += 1
                starts[curves] = n
    return curves
