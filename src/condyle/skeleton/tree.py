"""The spanning tree of a skeleton's graph: in which order joints are eliminated, and which ones close loops."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

import numpy as np

__all__ = ["Tree", "spanning_tree"]


class Tree(NamedTuple):
    """Breadth first from the root; `order` is (joints, 3): joint, child, parent, leaves first."""

    root: int
    order: np.ndarray
    loops: np.ndarray
    unreached: list[int]


def spanning_tree(pairs: np.ndarray, bodies: int) -> Tree:
    """The tree of `bodies` and the world (index `bodies`), rooted at the world if any joint holds on to it."""
    root = bodies if (pairs == bodies).any() else 0
    neighbours: list[list[tuple[int, int]]] = [[] for _ in range(bodies + 1)]
    for j, (a, b) in enumerate(pairs.tolist()):
        neighbours[a].append((j, b))
        neighbours[b].append((j, a))
    order, reached, queue = [], {root}, deque([root])
    while queue:
        parent = queue.popleft()
        for j, child in neighbours[parent]:
            if child not in reached:
                reached.add(child)
                order.append((j, child, parent))
                queue.append(child)
    used = {j for j, _, _ in order}
    loops = [j for j in range(len(pairs)) if j not in used]
    unreached = [i for i in range(bodies) if i not in reached]
    steps = np.array(order[::-1], dtype=np.int64).reshape(-1, 3)
    return Tree(root, steps, np.array(loops, dtype=np.int64), unreached)
