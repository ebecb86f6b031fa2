"""The mesh of a motion: nodes, collocation points between them, and which unknowns each point reads.

A motion is made discrete by Hermite-Simpson collocation: in each interval the acceleration is a parabola through its
ends and its middle. Unknowns are q and v at nodes, a at points, and shares of contact forces at points that touch. At
a node where a contact begins or ends there are two points, one on each side, as accelerations jump there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

SAME = 1e-9  # share of the duration below which two times are one


@dataclass(frozen=True, eq=False)
class Mesh:
    """Nodes and points of a motion, and where the unknowns z = (q, v of nodes, a of points, shares) stand.

    Attributes
    ----------
    nodes : ndarray, shape (intervals + 1,)
        Times [s].
    corners : ndarray of int, shape (intervals, 3)
        The points at the start, the middle and the end of each interval.
    n : int
        Coordinates of the model.
    touching : ndarray of bool, shape (intervals, sides)
        Which shares of contact forces there are in each interval.
    """

    nodes: np.ndarray
    corners: np.ndarray
    n: int
    touching: np.ndarray

    @cached_property
    def steps(self) -> np.ndarray:
        """Lengths of the intervals [s]."""
        return np.diff(self.nodes)

    @cached_property
    def points(self) -> int:
        """How many points."""
        return int(self.corners.max()) + 1

    @cached_property
    def interval_of(self) -> np.ndarray:
        """An interval (points,) that each point belongs to, on its side of a contact's beginning or end."""
        found = np.zeros(self.points, dtype=int)
        found[self.corners] = np.arange(len(self.corners))[:, None]
        return found

    @cached_property
    def node_of(self) -> np.ndarray:
        """The node (points,) where a point is; −1 in the middle of an interval."""
        found = np.full(self.points, -1)
        found[self.corners[:, 0]] = np.arange(len(self.corners))
        found[self.corners[:, 2]] = np.arange(1, len(self.corners) + 1)
        return found

    @cached_property
    def times(self) -> np.ndarray:
        """Of the points [s]."""
        found = np.zeros(self.points)
        found[self.corners[:, 0]], found[self.corners[:, 2]] = self.nodes[:-1], self.nodes[1:]
        found[self.corners[:, 1]] = 0.5 * (self.nodes[:-1] + self.nodes[1:])
        return found

    @cached_property
    def weights(self) -> np.ndarray:
        """Of Simpson's rule (points,): ∫ f dt = Σ w f [s]."""
        found = np.zeros(self.points)
        for k, w in enumerate((1.0, 4.0, 1.0)):
            np.add.at(found, self.corners[:, k], w * self.steps / 6.0)
        return found

    @cached_property
    def share_places(self) -> np.ndarray:
        """Where the shares (points, sides) stand among the unknowns; −1 where there is none."""
        there = self.touching[self.interval_of]
        found = np.full(there.shape, -1)
        found[there] = self._first_share + np.arange(there.sum())
        return found

    @property
    def _first_share(self) -> int:
        return self.n * (2 * len(self.nodes) + self.points)

    @property
    def size(self) -> int:
        """How many unknowns."""
        return self._first_share + int(self.touching[self.interval_of].sum())

    def q_at(self, node: int) -> slice:
        """Where the coordinates of a node stand."""
        return slice(self._q(node), self._q(node + 1))

    def v_at(self, node: int) -> slice:
        """Where the velocities of a node stand."""
        return slice(self._v(node), self._v(node + 1))

    def a_at(self, point: int) -> slice:
        """Where the accelerations of a point stand."""
        return slice(self._a(point), self._a(point + 1))

    @cached_property
    def reading(self) -> csr_matrix:
        """x = R z, (points · (3 n + sides), size): q, v, a and shares of every point, middles by Hermite's formulas."""
        n, width = self.n, 3 * self.n + self.touching.shape[1]
        at, node, middles = width * np.arange(self.points), self.node_of, self.corners[:, 1]
        still, h = np.flatnonzero(node >= 0), self.steps / 8.0
        terms = [
            (at + 2 * n, self._a(np.arange(self.points)), 1.0),
            (at[still], self._q(node[still]), 1.0),
            (at[still] + n, self._v(node[still]), 1.0),
        ]
        for side, sign in ((0, 1.0), (1, -1.0)):
            end, point = np.arange(len(self.steps)) + side, self.corners[:, 2 * side]
            terms += [(at[middles], self._q(end), 0.5), (at[middles], self._v(end), sign * h)]
            terms += [(at[middles] + n, self._v(end), 0.5), (at[middles] + n, self._a(point), sign * h)]
        p, s = np.nonzero(self.share_places >= 0)
        shares = at[p] + 3 * n + s, self.share_places[p, s], np.ones(len(p))
        return _assembled(terms, n, (self.points * width, self.size), shares)

    @cached_property
    def closing(self) -> csr_matrix:
        """C z = 0, (2 n · intervals, size): Simpson's rule for q and v from node to node."""
        n, k, h = self.n, np.arange(len(self.steps)), self.steps
        q, v, (first, middle, last) = 2 * n * k, 2 * n * k + n, (self._a(p) for p in self.corners.T)
        terms = [(q, first, -(h**2) / 12.0), (q, last, h**2 / 12.0)]
        terms += [(v, place, -w * h / 6.0) for place, w in ((first, 1.0), (middle, 4.0), (last, 1.0))]
        for end, sign in ((k, -1.0), (k + 1, 1.0)):
            terms += [(q, self._q(end), sign), (v, self._v(end), sign), (q, self._v(end), -0.5 * h)]
        return _assembled(terms, n, (2 * n * len(h), self.size))

    def _q(self, node: Any) -> Any:
        """Where the coordinates of a node, or of several, begin among the unknowns."""
        return self.n * node

    def _v(self, node: Any) -> Any:
        return self.n * (len(self.nodes) + node)

    def _a(self, point: Any) -> Any:
        return self.n * (2 * len(self.nodes) + point)


def _assembled(terms, n: int, shape: tuple[int, int], more=((), (), ())) -> csr_matrix:
    """A sparse matrix of terms (first row, first column, factor), n times one below the other, and single numbers."""
    rows, columns, factors = zip(*(np.broadcast_arrays(*term) for term in terms), strict=True)
    shift = np.arange(n)
    i, j = ((np.concatenate(x)[:, None] + shift).ravel() for x in (rows, columns))
    numbers = np.repeat(np.concatenate(factors), n)
    i, j, numbers = (np.append(x, y) for x, y in zip((i, j, numbers), more, strict=True))
    return csr_matrix((numbers, (i.astype(int), j.astype(int))), shape=shape)


def mesh_of(duration: float, intervals: int, breaks: Sequence[float], n: int, owners: Sequence) -> Mesh:
    """About so many equal intervals, with nodes at the breaks; `owners` are the contacts of all shares."""
    ends = sorted({0.0, *(t for t in breaks if SAME * duration < t < (1 - SAME) * duration), duration})
    parts = [np.linspace(a, b, max(1, round(intervals * (b - a) / duration)) + 1) for a, b in pairwise(ends)]
    nodes = np.concatenate([[0.0], *(part[1:] for part in parts)])
    middles = 0.5 * (nodes[:-1] + nodes[1:])
    touching = np.array([[x.touches(t) for x in owners] for t in middles], dtype=bool).reshape(len(middles), -1)
    corners, last = np.zeros((len(middles), 3), dtype=int), -1
    for k in range(len(middles)):
        joined = k > 0 and np.array_equal(touching[k], touching[k - 1])
        corners[k] = np.arange(3) + (last if joined else last + 1)
        last = corners[k, 2]
    return Mesh(nodes, corners, n, touching)
