"""The graph of a skeleton: its spanning tree, and the core that is left when its branches are taken off."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

import numpy as np

__all__ = ["Tree", "branches", "branching_first", "spanning_tree"]


class Tree(NamedTuple):
    """Breadth first from the root; `order` is (joints, 3): joint, child, parent, leaves first."""

    root: int
    order: np.ndarray
    loops: np.ndarray
    unreached: list[int]


def spanning_tree(pairs: np.ndarray, bodies: int, usable: np.ndarray | None = None) -> Tree:
    """The tree of `bodies` and the world (index `bodies`), rooted at the world if any joint holds on to it.

    Joints that are not `usable` close loops.
    """
    root = bodies if (pairs == bodies).any() else 0
    neighbours: list[list[tuple[int, int]]] = [[] for _ in range(bodies + 1)]
    for j, (a, b) in enumerate(pairs.tolist()):
        if usable is not None and not usable[j]:
            continue
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


def branches(tree: Tree, pairs: np.ndarray, bodies: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Steps of the tree's order that take off bodies held by one joint alone; the bodies and the joints left over."""
    degree = np.bincount(pairs.reshape(-1), minlength=bodies + 1)
    taken, joints, hubs = [], np.ones(len(pairs), bool), np.arange(bodies + 1) < bodies
    for j, child, parent in tree.order.tolist():
        if degree[child] == 1:
            taken.append((j, child, parent))
            joints[j], hubs[child] = False, False
            degree[parent] -= 1
    return np.array(taken, dtype=np.int64).reshape(-1, 3), np.flatnonzero(hubs), np.flatnonzero(joints)


def branching_first(pairs: np.ndarray, bodies: int, wanted: np.ndarray) -> Tree:
    """A spanning tree with as many of the `wanted` joints as a tree can have."""
    part, kept = np.arange(bodies + 1), np.zeros(len(pairs), bool)
    for j in np.argsort(~wanted, kind="stable"):
        a, b = part[pairs[j]]
        kept[j] = a != b
        part[part == b] = a
    return spanning_tree(pairs, bodies, kept)
