"""Feet that stand: when, where, and the postures of a leg that keep them there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...dynamics import body_jacobian, forward_kinematics, integrate
from ...model import Model
from ...simulation import Trajectory

Span = tuple[int, int]  # the first record, and the one after the last
STEPS, ENOUGH = 12, 2e-4  # of Gauss-Newton for a leg, and how near a foot comes to its place [m]
STIFF = 1e-3  # how much joints resist, as a part of what moves the foot
SHORTEST, BLEND = 0.08, 0.2  # [s] a stand lasts at least, and the way back from it


@dataclass(frozen=True, eq=False)
class Contact:
    """A foot that stands.

    Attributes
    ----------
    foot : str
        The body.
    start, stop : int
        Its first record, and the one after the last.
    place : ndarray, shape (3,)
        Where its origin is locked [m].
    """

    foot: str
    start: int
    stop: int
    place: np.ndarray


def contacts_of(xyz: np.ndarray, t: np.ndarray, up: np.ndarray, slowest: float, highest: float) -> list[Span]:
    """Runs of records [start, stop) in which a point (T, 3) is low and slow for long enough."""
    speed = np.linalg.norm(np.gradient(xyz, t, axis=0), axis=1) if len(t) > 1 else np.zeros(len(t))
    height = xyz @ up
    stands = (speed < slowest) & (height < height.min() + highest)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], stands, [False]]).astype(int)))
    runs = edges.reshape(-1, 2)
    return [(int(a), int(b)) for a, b in runs if t[b - 1] - t[a] >= SHORTEST]


def locked(
    model: Model, q: np.ndarray, t: np.ndarray, root: int, feet: Sequence[int], standing: Sequence[list[Span]]
) -> tuple[np.ndarray, tuple[Contact, ...]]:
    """Postures in which feet are where they stand, by the joints between `root` and them, and all contacts."""
    contacts: list[Contact] = []
    for foot, runs in zip(feet, standing, strict=True):
        xyz = forward_kinematics(model, q)[:, foot].xyz
        own = [Contact(model.names[foot], a, b, np.median(xyz[a:b], axis=0)) for a, b in runs]
        goal = xyz + _corrections(xyz, t, own)
        moved = np.flatnonzero(np.abs(goal - xyz).max(axis=1) > 0.0)
        q[moved] = _solved(model, q[moved], foot, _columns(model, root, foot), goal[moved])
        contacts += own
    return q, tuple(contacts)


def _corrections(xyz: np.ndarray, t: np.ndarray, contacts: Sequence[Contact]) -> np.ndarray:
    """How far a foot must move (T, 3): onto its place while it stands, fading before and after."""
    total, share = np.zeros_like(xyz), np.zeros(len(t))
    for c in contacts:
        rows = np.clip(np.arange(len(t)), c.start, c.stop - 1)
        away = np.maximum(t[c.start] - t, t - t[c.stop - 1]).clip(0.0) / BLEND
        weight = np.where(away < 1.0, (1.0 - np.minimum(away, 1.0)) ** 2 * (1.0 + 2.0 * np.minimum(away, 1.0)), 0.0)
        weight = np.where(_standing(len(t), contacts, c), 0.0, weight)
        total += weight[:, None] * (c.place - xyz[rows])
        share += weight
    return total / np.maximum(share, 1.0)[:, None]


def _standing(count: int, contacts: Sequence[Contact], but: Contact) -> np.ndarray:
    """In which records the foot stands in another contact."""
    found = np.zeros(count, dtype=bool)
    for c in contacts:
        found[c.start : c.stop] |= c is not but
    return found


def _columns(model: Model, root: int, foot: int) -> np.ndarray:
    """Velocities of the joints from the foot up to, and without, the root; all on the way where it is no ancestor."""
    starts = np.cumsum([0] + [b.joint.nv for b in model.bodies])
    found, body = [], foot
    while body >= 0 and body != root:
        found.append(np.arange(starts[body], starts[body + 1]))
        body = model.bodies[body].parent
    return np.concatenate(found[::-1]) if found else np.arange(0)


def _solved(model: Model, q: np.ndarray, foot: int, columns: np.ndarray, goal: np.ndarray) -> np.ndarray:
    """Postures (T, nq) whose foot is at places (T, 3), by damped least squares from the given ones."""
    live = np.arange(len(q))
    for _ in range(STEPS):
        poses = forward_kinematics(model, q[live])[:, foot]
        gap = goal[live] - poses.xyz
        far = np.linalg.norm(gap, axis=1) > ENOUGH
        live, gap, poses = live[far], gap[far], poses[far]
        if not len(live):
            break
        J = poses.as_matrix()[:, :3, :3] @ body_jacobian(model, q[live], model.names[foot])[:, 3:, columns]
        JJ = J @ np.swapaxes(J, 1, 2)
        soft = STIFF**2 * np.trace(JJ, axis1=1, axis2=2)[:, None, None] * np.eye(3)
        step = np.zeros((len(live), model.nv))
        step[:, columns] = (np.swapaxes(J, 1, 2) @ np.linalg.solve(JJ + soft, gap[..., None]))[..., 0]
        q[live] = integrate(model, q[live], step)
    return q


def slides(run: Trajectory, contacts: Sequence[Contact]) -> float:
    """The farthest that a standing foot is from its place [m]."""
    if not contacts:
        return 0.0
    xyz = run.poses().xyz
    away = [xyz[c.start : c.stop, run.model.body_index(c.foot)] - c.place for c in contacts]
    return float(max(np.linalg.norm(x, axis=1).max() for x in away))
