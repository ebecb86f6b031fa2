"""The program of a body that stands on contacts: accelerations and contact forces together, for one state.

M a + h = τ + Jᵀf + Lᵀμ, with τ zero where nothing drives, f inside friction pyramids and L a of loops given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ...dynamics import bias_forces, mass_matrix
from ...errors import BadValue, require, unknown_name
from ...joints.segments import FREE
from ...model import Model
from ..animation_space import AnimationSpace
from ..coordinates.pose_jet import Posture
from ..coordinates.positions import point
from ..motion_limits import Rows
from ..motion_request import first_accelerations
from ..priority_program import Bounds, Level, by_levels
from .contacts import Contact

STAYS = 20.0  # [1/s] at which what touches comes to rest
MISSED = 1e-7  # [N over the weight] of what cannot be had on the ground
SLIPS = 1e-4  # [m/s²] of points that cannot rest; a foot that turns a little by round-off of steps asks for less
YIELDS = 1e-3  # share of what is asked of goals that says that they yield


class Carried(NamedTuple):
    """What one state answers: accelerations, torques, forces, what is missed, and who cannot be served."""

    a: np.ndarray  # (nv,)
    tau: np.ndarray  # (nv,)
    forces: np.ndarray  # (points, 3) of all contacts, zero where they do not touch
    residual: float  # largest force on what nothing drives
    conflicts: tuple[str, ...]
    limited: tuple[str, ...]


class Law(NamedTuple):
    """Dynamics of one state over the weight: S x = τ − h, x = (a, λ, μ), with the rows of contacts and loops."""

    S: np.ndarray
    h: np.ndarray
    touch: np.ndarray
    rest: np.ndarray
    L: np.ndarray
    closed: np.ndarray
    edges: np.ndarray  # (points, sides of all, 3) forces of the shares λ
    drag: np.ndarray  # (nv,) torques that slow what no goal moves


def undriven(model: Model, actuated: Sequence[str] | None) -> np.ndarray:
    """Velocities (nv,) that nothing drives: all but those named, by default those of free bodies."""
    free = np.zeros(model.nv, dtype=bool)
    if actuated is None:
        for body, (_, v), n in zip(model.bodies, model.joint_starts, model.freedoms, strict=True):
            free[v : v + n] = body.parent < 0 and any(s.kind == FREE for s in body.joint.segments)
        return free
    free[:] = True
    for name in actuated:
        if name not in model.name_forms:
            raise unknown_name("coordinate", name, list(model.coordinates), "actuated")
        place = model.coordinate_places[model.name_forms[name]]
        free[place.v : place.v + place.widths[1]] = False
    return free


def efforts_of(model: Model, torques: bool | float | Mapping[str, float] | None) -> np.ndarray:
    """The largest force (nv,) of every drive: by ratings (True), one for all, or by name."""
    out = np.full(model.nv, np.inf)
    if torques is None or torques is False:
        return out
    if isinstance(torques, (int, float)) and torques is not True:
        require(torques > 0, "torques must be positive", BadValue, torques=torques)
        return np.full(model.nv, float(torques))
    named = {name: x.effort for name, x in model.limits.items()} if torques is True else dict(torques)
    for name, value in named.items():
        if name not in model.name_forms:
            raise unknown_name("coordinate", name, list(model.coordinates), "torques")
        require(value >= 0, f"torques: the limit of {name!r} must not be negative", BadValue, got=value)
        out[model.v_index(name)] = value
    return out


class Ground:
    """Contacts, drives and their limits on a model."""

    def __init__(self, model: Model, contacts: Sequence[Contact], actuated, torques) -> None:
        require(isinstance(contacts, Sequence), "contacts are a list of cd.control.contact", got=contacts)
        for x in contacts:
            require(isinstance(x, Contact), "contacts come from cd.control.contact", got=type(x).__name__)
            model.body_index(x.body)
        self.model, self.contacts = model, tuple(contacts)
        self.free, self.efforts = undriven(model, actuated), efforts_of(model, torques)
        self.efforts[self.free] = np.inf
        self.weight = max(9.81 * sum(b.inertia.mass for b in model.bodies), 1e-9)
        named = [(x, k, at) for x in contacts for k, at in enumerate(x.points)]
        self.owners = [x for x, _, _ in named]
        points = [point(x.body, at, name=f"{x.name} {k}") for x, k, at in named]
        self.space = AnimationSpace(model, points, redundant=True) if points else None
        self.pyramids = [x.edges(model) for x in self.owners]

    def law(self, posture: Posture, v: np.ndarray, slows: float = 0.0) -> Law:
        """The dynamics of one state, over the weight; the posture is a step ahead along v (nv,).

        What no goal moves `slows` at this rate [1/s].
        """
        model, q, t = self.model, posture.real_q[0], float(posture.time[0])
        M, h = mass_matrix(model, q) / self.weight, bias_forces(model, q, v) / self.weight
        L, closed, _ = first_accelerations(posture, v[None])
        touching = np.array([x.touches(t) for x in self.owners], dtype=bool)
        J, bias = np.zeros((0, 3, model.nv)), np.zeros((0, 3))
        if self.space is not None:
            _, slope, _, bias = self.space.motion_at(posture, v[None])
            J, bias = slope[0, :, :-1].reshape(-1, 3, model.nv), bias.reshape(-1, 3)
        edges = self._edges(touching)
        F = np.einsum("pin,pki->nk", J, edges)
        touch = J[touching].reshape(-1, model.nv)
        rest = -bias[touching].reshape(-1) - STAYS * touch @ v
        return Law(np.hstack([M, -F, -L[0].T]), h, touch, rest, L[0], closed[0], edges, slows * (M @ v))

    def _edges(self, touching: np.ndarray) -> np.ndarray:
        """Forces over the weight (points, shares, 3) of shares that are not negative."""
        sides = [x.sides if now else 0 for x, now in zip(self.owners, touching, strict=True)]
        out = np.zeros((len(sides), sum(sides), 3))
        ends = np.cumsum([0, *sides])
        for k in np.flatnonzero(touching):
            out[k, ends[k] : ends[k + 1]] = self.pyramids[k]
        return out

    def answer(self, law: Law, tasks: Sequence[Level], rows: Rows | None, labels: Sequence[Sequence[str]]) -> Carried:
        """The program: dynamics of what nothing drives and loops, contacts at rest, tasks, least torque."""
        n, size = self.model.nv, law.S.shape[1]
        wide = lambda A: np.hstack([A, np.zeros((len(A), size - n))])  # noqa: E731
        anywhere = lambda a: np.concatenate([a, np.full(size - n, np.nan)])  # noqa: E731
        fixed = Level(np.vstack([law.S[self.free], wide(law.L)]), np.concatenate([-law.h[self.free], law.closed]))
        levels = [
            fixed,
            Level(wide(law.touch), law.rest),
            *(x._replace(A=wide(x.A), rest=anywhere(x.rest)) for x in tasks),
        ]
        levels.append(Level(law.S[~self.free], -(law.h + law.drag)[~self.free]))
        bounds, named = self._bounds(law, rows, wide)
        found = by_levels([x for x in levels if len(x.b)], bounds)
        x = found.x
        most = zip(levels[:2], (MISSED, SLIPS), strict=True)
        missed = [np.abs(level.A @ x - level.b).max(initial=0.0) > by for level, by in most]
        conflicts = [words for words, bad in zip((*self._grounds(law),), missed, strict=True) if bad]
        for level, names in zip(tasks[:1], labels, strict=False):  # later levels yield by what was said
            off = np.abs(level.A @ x[:n] - level.b) > YIELDS * (1.0 + np.abs(level.b).max(initial=0.0))
            conflicts += [name for name, bad in zip(names, np.atleast_1d(off), strict=True) if bad]
        conflicts += [f"limit of {name}" for name, by in zip(named, found.widened, strict=True) if by > 1e-9]
        limited = tuple(name for name, held in zip(named, found.held, strict=True) if held and name)
        tau = self.weight * (law.S @ x + law.h)
        residual = float(np.abs(tau[self.free]).max(initial=0.0))
        forces = self.weight * np.einsum("pki,k->pi", law.edges, x[n : n + law.edges.shape[1]])
        return Carried(x[:n], np.where(self.free, 0.0, tau), forces, residual, tuple(conflicts), limited)

    def _grounds(self, law: Law) -> tuple[str, str]:
        touching = sorted(
            {x.name for x, on in zip(self.owners, np.atleast_1d(law.edges.any(axis=(1, 2))), strict=True) if on}
        )
        return "what nothing drives", f"contacts at rest ({', '.join(touching)})"

    def _bounds(self, law: Law, rows: Rows | None, wide) -> tuple[Bounds, list[str]]:
        """Friction pyramids, torques and limits of the motion; unnamed rows are the pyramids'."""
        n, shares = self.model.nv, law.edges.shape[1]
        inside = np.eye(law.S.shape[1])[n : n + shares]
        parts = [Bounds(inside, np.zeros(shares), np.full(shares, np.inf))]
        strong = np.flatnonzero(np.isfinite(self.efforts))
        most = self.efforts[strong] / self.weight
        parts.append(Bounds(law.S[strong], -most - law.h[strong], most - law.h[strong]))
        named = [""] * shares + [f"torque {self.model.coordinates[_owner(self.model, int(k))]}" for k in strong]
        if rows is not None and len(rows.labels):
            parts.append(Bounds(wide(rows.C[0]), rows.low[0], rows.high[0]))
            named += list(rows.labels)
        return Bounds(*(np.concatenate(x) for x in zip(*parts, strict=True))), named


def _owner(model: Model, v: int) -> int:
    return max(k for k, p in enumerate(model.coordinate_places) if p.v <= v)
