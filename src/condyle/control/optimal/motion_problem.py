"""What an optimal motion must do, as blocks of a program: dynamics, drives, contacts, keyframes, limits, ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_matrix

from ...dynamics.muscle_calls import TOGETHER, warn_once_of_idle_muscles
from ...errors import BadShape, BadValue, NotSupported, require
from ...model import Model
from ...simulation.corners.corner_simulation import require_without_corners
from ..animation_space import AnimationSpace, require_free
from ..carried.carried_program import Ground
from ..coordinates.coordinate import Coordinate
from ..motion_limits import Kept
from .collocation_mesh import SAME, Mesh, mesh_of
from .point_terms import Held, Linear, Place, Rate, Torques
from .sparse_program import Block, Program

INDEPENDENT = 1e-8  # a direction of held points below this share of the largest is one in which they cannot move


@dataclass(frozen=True, eq=False)
class Ends:
    """Where a motion starts and ends: q and v (n,), None where that is free."""

    q: tuple[np.ndarray, np.ndarray | None]
    v: tuple[np.ndarray | None, np.ndarray | None]


@dataclass(frozen=True, eq=False)
class Problem:
    """A motion to be found: model, ends, ground, keyframes and limits on a mesh.

    Attributes
    ----------
    model : Model
    ends : Ends
    ground : Ground
        Contacts, drives and their limits.
    keyframes : tuple of (Coordinate, float, ndarray)
    kept : tuple of Kept
    ranges : ndarray, shape (2, n)
        Least and largest coordinates.
    speeds : ndarray, shape (n,)
    weights : ndarray, shape (n,)
        Of squared torques.
    mesh : Mesh
    """

    model: Model
    ends: Ends
    ground: Ground
    keyframes: tuple[tuple[Coordinate, float, np.ndarray], ...]
    kept: tuple[Kept, ...]
    ranges: np.ndarray
    speeds: np.ndarray
    weights: np.ndarray
    mesh: Mesh

    @cached_property
    def edges(self) -> np.ndarray:
        """Forces of shares (3 points, sides of all points), over the weight: a share of 1 is about a body's weight."""
        out, at = np.zeros((3 * len(self.ground.owners), self.mesh.touching.shape[1])), 0
        for k, sides in enumerate(self.ground.pyramids):
            out[3 * k : 3 * k + 3, at : at + len(sides)] = self.ground.weight * sides.T
            at += len(sides)
        return out

    @cached_property
    def torques(self) -> Torques:
        """The dynamics of points."""
        return Torques(self.model, self.ground.space, self.edges)

    @cached_property
    def program(self) -> Program:
        """The whole, as a sparse nonlinear program."""
        blocks = [self._dynamics(), *self._middles(), *self._kept(), *self._keys(), *self._holds(), *self._last()]
        return Program(blocks, self.mesh.closing, *self._bounds())

    def _reading(self, points: Sequence[int] | np.ndarray, rows: int) -> csr_matrix:
        """The first numbers that points read: n are q, 2 n are (q, v), 3 n are (q, v, a)."""
        width = 3 * self.mesh.n + self.mesh.touching.shape[1]
        return csr_matrix(self.mesh.reading[(np.asarray(points)[:, None] * width + np.arange(rows)).ravel()])

    def _point_at(self, node: int) -> int:
        """A point at a node, the later one where there are two."""
        return int(self.mesh.corners[node, 0] if node < len(self.mesh.steps) else self.mesh.corners[-1, 2])

    def _dynamics(self) -> Block:
        m, free = self.mesh, self.ground.free
        most = np.where(free, 0.0, self.ground.efforts)
        high = np.tile(most, (m.points, 1))
        w = np.where(free, 0.0, self.weights) * m.weights[:, None]
        return Block(self.torques, m.reading, -high, high, w)

    def _middles(self) -> list[Block]:
        """Ranges and speeds in the middles of intervals; at nodes they bound the unknowns."""
        n, middles = self.mesh.n, self.mesh.corners[:, 1]
        limits = np.array([np.append(self.ranges[k], sign * self.speeds) for k, sign in ((0, -1.0), (1, 1.0))])
        if not np.isfinite(limits).any():
            return []
        low, high = (np.tile(x, (len(middles), 1)) for x in limits)
        return [Block(Linear(np.eye(2 * n)), self._reading(middles, 2 * n), low, high)]

    def _kept(self) -> list[Block]:
        out, n, points = [], self.mesh.n, np.arange(1, self.mesh.points)  # the first stands where the start says
        for x in self.kept:
            space = AnimationSpace(self.model, x.coordinate, powers="keep", redundant=True)
            low, high = (np.tile(end, (len(points), 1)) for end in (x.low, x.high))
            out.append(Block(Place(space), self._reading(points, n), low, high))
        return out

    def _keys(self) -> list[Block]:
        out = []
        for coordinate, t, x in self.keyframes:
            space = AnimationSpace(self.model, coordinate, powers="keep", redundant=True)
            at = [self._point_at(int(np.argmin(np.abs(self.mesh.nodes - t))))]
            out.append(Block(Place(space), self._reading(at, self.mesh.n), x[None], x[None]))
        return out

    def held_rows_at(self, t: float) -> np.ndarray:
        """Directions (rows of all points, r) in which contacts hold their points at a time."""
        rows = [self._held_rows(c) for c in self.ground.contacts if c.touches(t)]
        return np.concatenate([np.zeros((3 * len(self.ground.owners), 0)), *rows], axis=1)

    def _touching(self, contact) -> np.ndarray:
        """In which intervals (intervals,) a contact touches."""
        middles = 0.5 * (self.mesh.nodes[:-1] + self.mesh.nodes[1:])
        return np.array([contact.touches(t) for t in middles], dtype=bool)

    def _held_rows(self, contact) -> np.ndarray:
        """Independent directions U (rows of all points, r) in which the points of a contact could move."""
        space = self.ground.space
        assert space is not None
        mine = np.repeat([x is contact for x in self.ground.owners], 3)
        G = space.gradient(self.ends.q[0] if self.ends.q[1] is None else self.ends.q[1]) * mine[:, None]
        U, sizes, _ = np.linalg.svd(G)
        return U[:, : int(np.sum(sizes > INDEPENDENT * sizes[0]))]

    def _holds(self) -> list[Block]:
        out, m, n, space = [], self.mesh, self.mesh.n, self.ground.space
        for contact in self.ground.contacts:
            assert space is not None
            U, there = self._held_rows(contact), self._touching(contact)
            points = np.unique(m.corners[there])
            none = np.zeros((len(points), U.shape[1]))
            out.append(Block(Held(space, U), self._reading(points, 3 * n), none, none))
            for node in np.flatnonzero(there & ~np.concatenate([[True], there[:-1]])):
                out += self._landing(space, U, int(node), bool(there[node:].all()))
        return out

    def _landing(self, space: AnimationSpace, U: np.ndarray, node: int, last: bool) -> list[Block]:
        """Points come to rest at a node, and stand where they are at the end if they stay until then."""
        n, at, none = self.mesh.n, [self._point_at(node)], np.zeros((1, U.shape[1]))
        out, end = [Block(Rate(space, U), self._reading(at, 2 * n), none, none)], self.ends.q[1]
        if last and end is not None:
            x = (space.value(end) @ U)[None]
            out.append(Block(Place(space, U), self._reading(at, n), x, x))
        return out

    @cached_property
    def _free_at_end(self) -> np.ndarray:
        """Directions (n, k) in which what still touches at the end leaves the model free to move."""
        held = [c for c in self.ground.contacts if self._touching(c)[-1]]
        if not held or self.ground.space is None or self.ends.q[1] is None:
            return np.eye(self.mesh.n)
        G = self.ground.space.gradient(self.ends.q[1])
        rows = np.vstack([self._held_rows(c).T @ G for c in held])
        _, sizes, V = np.linalg.svd(rows)
        return V[int(np.sum(sizes > INDEPENDENT * sizes[0])) :].T

    def _last(self) -> list[Block]:
        """The end, where held points already decide a part of it."""
        Z, at, out = self._free_at_end, [self._point_at(len(self.mesh.steps))], []
        if Z.shape[1] == self.mesh.n:
            return out
        n = self.mesh.n
        for k, x in enumerate((self.ends.q[1], self.ends.v[1])):
            if x is not None:
                here = (x @ Z)[None]
                out.append(Block(Linear(Z), csr_matrix(self._reading(at, 2 * n)[k * n : (k + 1) * n]), here, here))
        return out

    def _bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Least and largest unknowns: ranges, speeds, shares that push, and the ends."""
        m, whole = self.mesh, self._free_at_end.shape[1] == self.mesh.n
        low, high = np.full(m.size, -np.inf), np.full(m.size, np.inf)
        for node in range(len(m.nodes)):
            low[m.q_at(node)], high[m.q_at(node)] = self.ranges
            low[m.v_at(node)], high[m.v_at(node)] = -self.speeds, self.speeds
        low[m.share_places[m.share_places >= 0]] = 0.0
        last = len(m.nodes) - 1
        given = [(m.q_at(0), self.ends.q[0]), (m.v_at(0), self.ends.v[0])]
        given += [(m.q_at(last), self.ends.q[1]), (m.v_at(last), self.ends.v[1])] if whole else []
        for at, x in given:
            if x is not None:
                low[at] = high[at] = x
        return low, high

    def reaching(self, t: float, q: np.ndarray) -> np.ndarray:
        """A posture near q that reaches the keyframes of a time, as far as forty damped steps go."""
        wanted = [(c, x) for c, at, x in self.keyframes if at == t]
        space = AnimationSpace(self.model, [c for c, _ in wanted], powers="keep", redundant=True)
        for _ in range(40):
            G, off = space.gradient(q), np.concatenate([x for _, x in wanted]) - space.value(q)
            step = G.T @ np.linalg.solve(G @ G.T + 1e-6 * np.eye(len(off)), off)
            q = np.clip(q + step * min(1.0, 0.5 / max(np.abs(step).max(), 1e-12)), *self.ranges)
        return q

    def guess(self, q: np.ndarray) -> np.ndarray:
        """First unknowns from coordinates at nodes (nodes, n): rates by differences, shares that carry the weight."""
        m = self.mesh
        z = np.zeros(m.size)
        v = np.gradient(q, m.nodes, axis=0)
        a = np.gradient(v, m.nodes, axis=0)
        for node in range(len(m.nodes)):
            z[m.q_at(node)], z[m.v_at(node)] = q[node], v[node]
        for p in range(m.points):
            z[m.a_at(p)] = a[min(m.interval_of[p], len(a) - 1)]
        there = m.share_places >= 0
        z[m.share_places[there]] = (1.0 / np.maximum(there.sum(axis=1), 1))[:, None].repeat(there.shape[1], 1)[there]
        return np.clip(z, *self._bounds())


def checked_model(model: Model) -> None:
    """Optimal motions are of trees with ordinary coordinates that nothing prescribes."""
    require_free(model, "optimize")
    require_without_corners(model, "optimize")
    warn_once_of_idle_muscles("optimize", model, TOGETHER)
    require(not model.constraints, "optimize takes models without constraints: fold couplings, or hold points by "
            "cd.control.contact", NotSupported)  # fmt: skip
    words = "optimize takes models without quaternions: write a ball or a free body as slides and hinges"
    require(model.nq == model.nv, words, NotSupported)


def checked_keys(keyframes: Sequence, duration: float) -> tuple[tuple[Coordinate, float, np.ndarray], ...]:
    """Keyframes as (coordinate, time, values)."""
    out = []
    for key in keyframes:
        good = isinstance(key, Sequence) and len(key) == 3 and isinstance(key[0], Coordinate)
        require(good, "a keyframe is (coordinate, time, value), the coordinate from cd.control.point, …", got=key)
        coordinate, t, x = key[0], float(key[1]), np.atleast_1d(np.asarray(key[2], dtype=float))
        require(coordinate.has_value, f"keyframe: {coordinate.name!r} has a rate but no value")
        inside = 0.0 < t <= duration * (1 + SAME)
        require(inside, f"keyframe of {coordinate.name!r}: its time must be after 0 and within {duration:g} s",
                BadValue, got=t)  # fmt: skip
        words = f"keyframe of {coordinate.name!r}: give {coordinate.size} finite numbers"
        require(x.shape == (coordinate.size,) and np.isfinite(x).all(), words, BadShape, got=key[2])
        out.append((coordinate, t, x))
    return tuple(out)


def mesh_for(model: Model, ground: Ground, keyframes: Sequence, duration: float, intervals: int) -> Mesh:
    """Nodes at keyframes and where contacts begin and end."""
    breaks = [t for _, t, _ in keyframes] + [t for c in ground.contacts for pair in c.during for t in pair]
    owners = [x for x, sides in zip(ground.owners, ground.pyramids, strict=True) for _ in sides]
    return mesh_of(duration, intervals, [t for t in breaks if np.isfinite(t)], model.nv, owners)
