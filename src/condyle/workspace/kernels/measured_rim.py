"""How far a place of the domain is outside the part of it that samples cover, read from a raster."""

from __future__ import annotations

from ...numeric import kernel


@kernel
def outside(t, x, y):
    """Distance [m] of the elbow at (x, y) from the measured workspace, 0 inside: bilinear between signed distances."""
    side = t.rim.shape[0]
    u = min(max((x - t.rim_box[0]) * t.rim_box[2], 0.0), side - 1.0)
    v = min(max((y - t.rim_box[1]) * t.rim_box[2], 0.0), side - 1.0)
    i, j = min(int(u), side - 2), min(int(v), side - 2)
    a, b = u - i, v - j
    low = (1.0 - a) * t.rim[i, j] + a * t.rim[i + 1, j]
    high = (1.0 - a) * t.rim[i, j + 1] + a * t.rim[i + 1, j + 1]
    return max(0.0, (1.0 - b) * low + b * high)
