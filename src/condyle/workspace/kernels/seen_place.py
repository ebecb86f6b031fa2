"""Where the elbow is seen from the clavicle in a given direction: Newton on the equal-area disc of directions."""

from __future__ import annotations

import math

from ...numeric import entry, inlined, kernel
from ...spatial.kernels.algebra import dot3
from .elbow_surface import hop, rigid

MOST = 30  # iterations
LONGEST = 0.1  # step in the domain
NEAR = 1e-8  # a step so short leaves an error of its square
MISSED = 1e-9  # on the disc: there is no such place


@inlined
def disc_slope(e, r, w, d):
    """The slope of (e₁, e₂)/√w, w = r (r + e₀), for r = |e| and the slope d of e."""
    change = dot3(e, d) / r * (2.0 * r + e[0]) + r * d[0]
    part, root = 0.5 * change / w, math.sqrt(w)
    return (d[1] - part * e[1]) / root, (d[2] - part * e[2]) / root


@kernel
def seen(t, patch, x, y):
    """Where on the disc the elbow at a place is seen, x lateral, and the slopes of that by x and y."""
    _, _, e, ex, ey = rigid(t, patch, x, y)
    e, ex, ey = (t.side * e[0], e[1], e[2]), (t.side * ex[0], ex[1], ex[2]), (t.side * ey[0], ey[1], ey[2])
    r = math.sqrt(dot3(e, e))
    w = max(r * (r + e[0]), 1e-300)
    root = math.sqrt(w)
    return (e[1] / root, e[2] / root), disc_slope(e, r, w, ex), disc_slope(e, r, w, ey)


@entry
def seen_places(t, wanted, places):
    """Start places (n, 2) become those that are seen at `wanted` (n, 2) on the disc; NaN where there is none."""
    for n in range(places.shape[0]):
        x, y, patch = places[n, 0], places[n, 1], 0
        for _ in range(MOST):
            patch, _ = hop(t, patch, x, y)
            here, by_x, by_y = seen(t, patch, x, y)
            u, v = here[0] - wanted[n, 0], here[1] - wanted[n, 1]
            bottom = by_x[0] * by_y[1] - by_y[0] * by_x[1]
            bottom = bottom if abs(bottom) >= 1e-12 else 1e-12
            dx, dy = (by_y[1] * u - by_y[0] * v) / bottom, (by_x[0] * v - by_x[1] * u) / bottom
            size = math.sqrt(dx * dx + dy * dy)
            part = min(1.0, LONGEST / max(size, 1e-300))
            x, y = x - part * dx, y - part * dy
            if size < NEAR:
                break
        patch, _ = hop(t, patch, x, y)
        here, _, _ = seen(t, patch, x, y)
        found = math.hypot(here[0] - wanted[n, 0], here[1] - wanted[n, 1]) <= MISSED
        places[n, 0], places[n, 1] = (x, y) if found else (math.nan, math.nan)
