"""Which triangle is seen in each pixel."""

from __future__ import annotations

from ...numeric import entry, inlined


@inlined
def pixels_between(low, high, count):
    """The first pixel whose middle is not below `low`, and the one after the last whose middle is below `high`."""
    first = min(max(low + 0.5, 0.0), float(count))
    end = min(max(high + 0.5, 0.0), float(count))
    return int(first), int(end)


@inlined
def seen_in(corners, k, y, x):
    """Barycentric coordinates of the middle of a pixel in triangle k; not a number for one without area."""
    ax, ay = corners[k, 1, 0] - corners[k, 0, 0], corners[k, 1, 1] - corners[k, 0, 1]
    bx, by = corners[k, 2, 0] - corners[k, 0, 0], corners[k, 2, 1] - corners[k, 0, 1]
    px, py = x + 0.5 - corners[k, 0, 0], y + 0.5 - corners[k, 0, 1]
    area = ax * by - bx * ay
    return (px * by - bx * py) / area, (ax * py - px * ay) / area


@entry
def fill_triangles(corners, limit, near, owner, weights):
    """Keep the nearest triangle of each pixel that is farther away than `limit`.

    `corners` (n, 3, 3) are x, y [pixel] and a nearness that is linear on the screen and grows towards the eye;
    `near` (height, width), `owner` and the barycentric `weights` of corners 1 and 2 are changed where one is nearer.
    """
    height, width = near.shape
    for k in range(corners.shape[0]):
        y0, y1, y2 = corners[k, 0, 1], corners[k, 1, 1], corners[k, 2, 1]
        x0, x1, x2 = corners[k, 0, 0], corners[k, 1, 0], corners[k, 2, 0]
        one, other = (x1 - x0) * (y2 - y0), (x2 - x0) * (y1 - y0)
        if not (one < other or one > other):  # no area, or not a number
            continue
        top, bottom = pixels_between(min(y0, y1, y2), max(y0, y1, y2), height)
        left, right = pixels_between(min(x0, x1, x2), max(x0, x1, x2), width)
        for y in range(top, bottom):
            for x in range(left, right):
                b, c = seen_in(corners, k, y, x)
                if b >= 0.0 and c >= 0.0 and b + c <= 1.0:
                    nearness = (1.0 - b - c) * corners[k, 0, 2] + b * corners[k, 1, 2] + c * corners[k, 2, 2]
                    if near[y, x] < nearness < limit[y, x]:
                        near[y, x], owner[y, x] = nearness, k
                        weights[y, x, 0], weights[y, x, 1] = b, c
