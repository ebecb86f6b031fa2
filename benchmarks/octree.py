"""An octree of the small triangles of an elbow surface, as in the paper, to count what it looks at for a goal."""

import numpy as np

__all__ = ["Octree"]

CAPACITY, DEEPEST = 40, 5


class Octree:
    """Cells with the triangles (n, 3, 3) whose boxes overlap them, cut until few are left."""

    def __init__(self, triangles):
        self.low, self.high = triangles.min(axis=1), triangles.max(axis=1)
        middle = 0.5 * (self.low.min(axis=0) + self.high.max(axis=0))
        half = 0.5 * (self.high.max(axis=0) - self.low.min(axis=0)).max()
        self.root = self._cell(middle, half, np.arange(len(triangles)), 0)

    def _cell(self, middle, half, inside, depth):
        if len(inside) <= CAPACITY or depth == DEEPEST:
            return middle, half, inside, ()
        parts = []
        for corner in np.ndindex(2, 2, 2):
            m, h = middle + half * (np.array(corner) - 0.5), half / 2
            here = ((self.low[inside] <= m + h) & (self.high[inside] >= m - h)).all(axis=1)
            if here.any():
                parts.append(self._cell(m, h, inside[here], depth + 1))
        return middle, half, inside, tuple(parts)

    def looked_at(self, goal, radius, inside_prune=False):
        """(cells tested, triangles tested) for a sphere: a cell is entered if the sphere meets it [eq. 9]."""
        cells, found, waiting = 0, [], [self.root]
        while waiting:
            middle, half, inside, parts = waiting.pop()
            cells += 1
            off = np.abs(goal - middle)
            near, far = np.linalg.norm(np.maximum(off - half, 0)), np.linalg.norm(off + half)
            if near > radius or (inside_prune and far < radius):
                continue
            if parts:
                waiting += parts
            else:
                found.append(inside)
        return cells, len(np.unique(np.concatenate(found))) if found else 0
