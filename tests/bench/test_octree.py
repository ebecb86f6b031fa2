"""The octree that the tree of boxes is compared with."""

import numpy as np
from benchmarks.octree import Octree


def test_no_crossed_triangle_is_left_out():
    """Oracle: brute force over the corners of random triangles on a sphere."""
    rng = np.random.default_rng(0)
    middle = rng.normal(size=(600, 1, 3))
    middle /= np.linalg.norm(middle, axis=-1, keepdims=True)
    triangles = middle + 0.05 * rng.normal(size=(600, 3, 3))
    tree = Octree(triangles)
    for goal in rng.uniform(-1.5, 1.5, (30, 3)):
        inside = np.linalg.norm(triangles - goal, axis=-1) < 0.8
        crossed = int((inside.any(axis=1) & ~inside.all(axis=1)).sum())
        _, plain = tree.looked_at(goal, 0.8)
        _, pruned = tree.looked_at(goal, 0.8, inside_prune=True)
        assert crossed <= pruned <= plain <= 600
