"""Compass search for the elbow place from which the wrist comes nearest to a goal."""

import math

from ...numeric import entry, inlined, kernel
from ...spatial.kernels.algebra import add3, cross, dot3, scale3, sub3
from .elbow_surface import hop, rigid, twist_limits, wrapped
from .measured_rim import outside
from .posture import turned, twist_excess

DIRECTIONS = 12  # multiples of 30°, the hexagon's edges among them


@inlined
def clamped_flexion(t, cosine, sine):
    """The flexion inside its limits that points best along cosine ẑ + sine x̂."""
    return min(max(math.atan2(sine, cosine), t.limits[0, 0]), t.limits[0, 1])


@kernel
def best_here(t, patch, x, y, g):
    """Squared distance of the nearest wrist with the elbow at this place, and its twist and flexion.

    The wrist runs over a part of a sphere; the best twist does not depend on the flexion, which follows from it.
    """
    _, z, e, _, _ = rigid(t, patch, x, y)
    x0, span = twist_limits(t, patch, x, y, z)
    d = sub3(g, e)
    along, a, b = dot3(d, z), dot3(d, x0), dot3(d, cross(z, x0))
    twist = wrapped(math.atan2(b, a))
    if twist_excess(twist, span) > 0.0:
        twist = span if twist - span < 2.0 * math.pi - twist else 0.0
    flexion = clamped_flexion(t, along, a * math.cos(twist) + b * math.sin(twist))
    reach = add3(scale3(math.cos(flexion), z), scale3(math.sin(flexion), turned(x0, z, twist)))
    off = sub3(d, scale3(t.lengths[2], reach))
    return dot3(off, off), twist, flexion


@entry
def nearest_place(t, vertices, g, trimmed, out):
    """Compass search from the best grid vertices; out is (x, y, twist, flexion, squared distance).

    With `trimmed` 1 only places that samples cover are searched.
    """
    g = (g[0], g[1], g[2])
    out[4] = math.inf
    for v in range(vertices.shape[0]):
        if trimmed == 1 and outside(t, vertices[v, 0], vertices[v, 1]) > 0.0:
            continue
        patch, _ = hop(t, 0, vertices[v, 0], vertices[v, 1])
        value, twist, flexion = best_here(t, patch, vertices[v, 0], vertices[v, 1], g)
        if value < out[4]:
            out[0], out[1], out[2], out[3], out[4] = vertices[v, 0], vertices[v, 1], twist, flexion, value
    step, patch = 0.1, 0
    while step > 1e-13:
        moved = False
        for k in range(DIRECTIONS):
            angle = 2.0 * math.pi * k / DIRECTIONS
            x, y = out[0] + step * math.cos(angle), out[1] + step * math.sin(angle)
            patch, lowest = hop(t, patch, x, y)
            if lowest < -1e-12 or (trimmed == 1 and outside(t, x, y) > 0.0):
                continue
            value, twist, flexion = best_here(t, patch, x, y, g)
            if value < out[4]:
                out[0], out[1], out[2], out[3], out[4] = x, y, twist, flexion, value
                moved = True
        step = step if moved else 0.5 * step
