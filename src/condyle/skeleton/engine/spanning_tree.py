"""The graph of a skeleton: its spanning tree, and the core that is left when its branches are taken off."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

__all__ = ["Tree", "apart", "branches", "branching_first", "spanning_tree"]


class Tree(NamedTuple):
    """Breadth first from the roots; `order` is (joints, 3): joint, child, parent, leaves first."""

    roots: tuple[int, ...]  # bodies that float; several only where springs tie them together
    order: np.ndarray
    loops: np.ndarray


def spanning_tree(pairs: np.ndarray, bodies: int, usable: np.ndarray | None = None) -> Tree:
    """The tree of `bodies` and the world (index `bodies`), rooted at the world if any joint holds on to it.

    What joints do not reach from there has roots of its own. Joints that are not `usable` close loops.
    """
    neighbors: list[list[tuple[int, int]]] = [[] for _ in range(bodies + 1)]
    for j, (a, b) in enumerate(pairs.tolist()):
        if usable is None or usable[j]:
            neighbors[a].append((j, b))
            neighbors[b].append((j, a))
    order, reached, roots = [], set(), []
    for root in [bodies, *range(bodies)]:
        if root not in reached:
            roots += [root] if root < bodies else []
            reached.add(root)
            order += _outward(root, neighbors, reached)
    used = {j for j, _, _ in order}
    loops = [j for j in range(len(pairs)) if j not in used]
    steps = np.array(order[::-1], dtype=np.int64).reshape(-1, 3)
    return Tree(tuple(roots), steps, np.array(loops, dtype=np.int64))


def _outward(root: int, neighbors: list[list[tuple[int, int]]], reached: set[int]) -> list[tuple[int, int, int]]:
    """Joint, child and parent of everything that is reached from a root for the first time."""
    order, queue = [], deque([root])
    while queue:
        parent = queue.popleft()
        for j, child in neighbors[parent]:
            if child not in reached:
                reached.add(child)
                order.append((j, child, parent))
                queue.append(child)
    return order


def apart(pairs: np.ndarray, bodies: int) -> list[int]:
    """Bodies that these pairs (joints and springs) do not connect with the world, or with body 0 if none is there."""
    first = bodies if (pairs == bodies).any() else 0
    graph = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(bodies + 1, bodies + 1))
    _, part = connected_components(graph, directed=False)
    return np.flatnonzero(part[:bodies] != part[first]).tolist()


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
