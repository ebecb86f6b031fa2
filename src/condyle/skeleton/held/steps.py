"""Steps of bodies that joints of any kind hold: RATTLE with a variational rigid body, Runge-Kutta with projection."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ...simulation.kernels.runge_kutta import PARTS, TOTAL, WEIGHTS
from ...spatial.arrays import cross
from ...spatial.so3 import exp_so3
from .joint_rows import Bodies, JointRows, Rows, hat, solved

CLOSED = 1e-13  # [m, rad] what is left of a gap when one more correction follows
ROUNDS = 60
Push = Callable[[float, Bodies, np.ndarray, Rows], np.ndarray]  # of time, bodies, q and rows: wrenches (B, 6n)
Thrown = tuple[tuple[Bodies, np.ndarray, np.ndarray], np.ndarray]  # (bodies, q, momentum), which members came there


class Moved(NamedTuple):
    """The end of a step, and which members came there."""

    x: Bodies
    q: np.ndarray
    good: np.ndarray


def accelerations(joints: JointRows, push: Push, t: float, x: Bodies, q: np.ndarray) -> tuple[np.ndarray, ...]:
    """u̇ (B, 6n), reactions λ (B, m) and which members have full rank."""
    rows, M = joints.at(x, q), joints.masses_at(x.R)
    f = push(t, x, q, rows) - gyroscopic(M, x.u)
    a, reactions = solved(M, rows.A, rows.A, f, rows.rate)
    return a, reactions, np.asarray(rows.rank.all(axis=1))


def gyroscopic(M: np.ndarray, u: np.ndarray) -> np.ndarray:
    """ω × I ω of every body, (B, 6n)."""
    momentum = (M @ u.reshape(len(u), -1, 1)).reshape(u.shape)
    out = np.zeros_like(u)
    out[..., :3] = cross(u[..., :3], momentum[..., :3])
    return out.reshape(len(u), -1)


def rk4_step(joints: JointRows, push: Push, t: float, h: float, x: Bodies, q: np.ndarray) -> Moved:
    """Runge-Kutta of order 4 in maximal coordinates; joints are closed at its end."""
    slopes, good, now, here = [], np.ones(len(q), bool), x, q
    for share in PARTS:
        if slopes:
            now = _along(x, share * h, slopes[-1])
            here = joints.settled(now, here)
        a, _, full = accelerations(joints, push, t + share * h, now, here)
        slopes.append((hat(now.u[..., :3]) @ now.R, now.u[..., 3:], a.reshape(now.u.shape)))
        good &= full & np.isfinite(a).all(axis=1)
    mean = [sum(w * s for w, s in zip(WEIGHTS, parts, strict=True)) / TOTAL for parts in zip(*slopes, strict=True)]
    end = _along(x, h, mean)
    end = Bodies(_orthonormal(end.R), end.p, end.u)
    return closed(joints, end, joints.settled(end, here), good)


def _along(x: Bodies, h: float, slope) -> Bodies:
    return Bodies(x.R + h * slope[0], x.p + h * slope[1], x.u + h * slope[2])


def _orthonormal(R: np.ndarray) -> np.ndarray:
    """Rotations that are almost so, made so."""
    for _ in range(4):
        R = 0.5 * R @ (3.0 * np.eye(3) - R.swapaxes(-1, -2) @ R)
    return R


def closed(joints: JointRows, x: Bodies, q: np.ndarray, good: np.ndarray) -> Moved:
    """The nearest state, in the metric of the masses, in which joints do not gape and are not torn apart."""
    gap = np.full(len(q), np.inf)
    for _ in range(ROUNDS):
        rows, M = joints.at(x, q, rates=False), joints.masses_at(x.R)
        last, gap = gap, _largest(rows)
        shift, _ = solved(M, rows.A, rows.A, np.zeros((len(q), 6 * joints.n)), -rows.gap)
        shift = np.where(np.isfinite(shift), shift, 0.0).reshape(x.u.shape)
        x = Bodies(exp_so3(shift[..., :3]) @ x.R, x.p + shift[..., 3:], x.u)
        behind = np.where(np.isfinite(rows.behind), rows.behind, 0.0) + _moved(rows, shift)
        q = joints.moved(q, behind)
        if (~(gap > CLOSED) | ~good).all() or (gap >= last).all():
            break
    return at_rest_across(joints, x, q, good & (_largest(joints.at(x, q, rates=False)) < 1e-9))


def _moved(rows: Rows, shift: np.ndarray) -> np.ndarray:
    return (rows.along @ shift.reshape(len(shift), -1, 1))[..., 0]


def _largest(rows: Rows) -> np.ndarray:
    """How far the joints of each member are from closed."""
    return np.maximum(*(np.abs(part).max(axis=1, initial=0.0) for part in (rows.gap, rows.behind)))


def at_rest_across(joints: JointRows, x: Bodies, q: np.ndarray, good: np.ndarray) -> Moved:
    """The velocities nearest to u that the joints allow."""
    rows, M = joints.at(x, q, rates=False), joints.masses_at(x.R)
    momentum = (M @ x.u.reshape(len(q), -1, 1))[..., 0]
    u, _ = solved(M, rows.A, rows.A, momentum, np.zeros_like(rows.gap))
    good = good & rows.rank.all(axis=1) & np.isfinite(u).all(axis=1)
    return Moved(Bodies(x.R, x.p, u.reshape(x.u.shape)), q, good)


def variational_step(joints: JointRows, push: Push, t: float, h: float, x: Bodies, q: np.ndarray) -> Moved:
    """RATTLE: impulses across the joints at the start close them at the end; momentum is that of the loads alone."""
    rows, M = joints.at(x, q), joints.masses_at(x.R)
    given = (M @ x.u.reshape(len(q), -1, 1))[..., 0] + 0.5 * h * push(t, x, q, rows)
    (end, here, momentum), good = _thrown(joints, rows, x, q, given, h)
    after, M = joints.at(end, here, rates=False), joints.masses_at(end.R)
    u, _ = solved(M, after.A, after.A, momentum, np.zeros_like(after.gap))
    guess = Bodies(end.R, end.p, u.reshape(x.u.shape))
    momentum = momentum + 0.5 * h * push(t + h, guess, here, joints.at(guess, here))
    u, _ = solved(M, after.A, after.A, momentum, np.zeros_like(after.gap))
    good = good & after.rank.all(axis=1) & np.isfinite(u).all(axis=1)
    return Moved(Bodies(end.R, end.p, u.reshape(x.u.shape)), here, good)


def _thrown(joints: JointRows, rows: Rows, x: Bodies, q: np.ndarray, given: np.ndarray, h: float) -> Thrown:
    """Where bodies with momentum `given` and impulses across the joints come, with what momentum, and who does."""
    y, end, momentum = x.u.copy(), x, given
    impulse, push = np.zeros_like(rows.gap), rows.A.swapaxes(1, 2)
    left: np.ndarray = np.full(len(q), np.inf)
    for _ in range(ROUNDS):
        now, end, has, slope = joints.thrown(Bodies(x.R, x.p, y), q, h)
        q, missing, before = now.next, momentum - has, left
        left = _left(now, missing, h)
        if not (left > CLOSED).any() or (not (left > 1e-9).any() and not (left < 0.5 * before).any()):
            break
        step, more = solved(joints.spread(slope), now.A, rows.A, missing, -now.gap / h)
        y, impulse = y + step.reshape(y.shape), impulse + more
        momentum = given + (push @ impulse[..., None])[..., 0]
    return (end, q, momentum), np.asarray(left < 1e-9)


def _left(now: Rows, missing: np.ndarray, h: float) -> np.ndarray:
    """How far each member is from closed joints and from its momentum."""
    return np.maximum(_largest(now), h * np.abs(missing).max(axis=1))


STEPS = {"variational": variational_step, "rk4": rk4_step}
