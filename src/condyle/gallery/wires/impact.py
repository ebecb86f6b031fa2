"""Motion through a sharp corner of a wire: up to the corner, an impulse, and on along the other side.

A wire with a corner is two wires in a row, `compose(before, after)`: up to the corner the second stays at its start,
past it the first stays at its end, which both are 0. So one model holds the motion. In the time of an impact only the
impulse of the wire acts, which does no work on motions that the new side allows: with M the mass matrix and a the
coordinates that may move from now on, M_aa v₊ = M_a: v₋, for a point mass v₊ = v₋ cos θ. This is the plastic corner:
the energy ½ Δvᵀ M Δv is lost (Carnot).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from ...dynamics import body_jacobian, forward_kinematics, mass_matrix
from ...dynamics.arguments import states
from ...errors import BadShape, BadValue, require
from ...joints import Joint, compose
from ...model import Model
from ...model.prescribed import prescribed_motion
from ...simulation import Stopped, Trajectory, simulate
from ...simulation.schedule import make_plan

SIDES = ("before", "after")  # coordinates of a wire with a corner: the distance past it on each side
MOST = 200  # impacts in one motion


@dataclass(frozen=True, eq=False)
class Impact:
    """One passage of the corner.

    Parameters
    ----------
    time : float
        [s]
    q : ndarray, shape (nq,)
        The pose at the corner.
    arriving, leaving : ndarray, shape (nv,)
        Velocities just before and just after.
    lost : float
        Energy [J].
    """

    time: float
    q: np.ndarray
    arriving: np.ndarray
    leaving: np.ndarray
    lost: float


def corner_impulse(before: Model, q_before: ArrayLike, after: Model, q_after: ArrayLike, v: ArrayLike) -> np.ndarray:
    """Velocities just after a plastic corner between two models: M₊ v₊ = Σ over bodies of S₊ᵀ J S₋ v₋.

    Parameters
    ----------
    before, after : Model
        The same bodies in the same places, carried by the joints before and after the corner.
    q_before, q_after : array_like, shape (nq,)
        Coordinates of each at the corner.
    v : array_like, shape (nv,)
        Velocities of `before` just before.

    Returns
    -------
    ndarray, shape (nv,)
        Velocities of `after`.

    Raises
    ------
    BadShape
        If the models have different bodies.
    CondyleError
        If the bodies have different poses.
    """
    same = before.names == after.names
    require(same, "corner_impulse: the models must have the same bodies", BadShape, before=before.names)
    here, there = (forward_kinematics(m, q).as_matrix() for m, q in ((before, q_before), (after, q_after)))
    gap = float(np.abs(here - there).max())
    require(gap < 1e-8, "corner_impulse: the bodies must have the same poses before and after", gap=gap)
    kept = np.zeros(after.nv)
    for body in before.bodies:
        arriving = body_jacobian(before, q_before, body.name) @ np.asarray(v, float)
        kept += body_jacobian(after, q_after, body.name).T @ body.inertia.spatial() @ arriving
    return np.linalg.solve(mass_matrix(after, q_after), kept)


def struck(model: Model, q, v, still) -> np.ndarray:
    """Velocities after an impulse that stops the velocities `still` (indices) and leaves the others alone.

    The nearest of the allowed velocities in the metric of the mass matrix: M_aa v₊ = M_a: v₋.
    """
    M, v = mass_matrix(model, q), np.asarray(v, float)
    allowed = np.setdiff1d(np.arange(model.nv), still)
    out = np.zeros(model.nv)
    out[allowed] = np.linalg.solve(M[np.ix_(allowed, allowed)], M[allowed] @ v)
    return out


def bent_wire(before: Joint, after: Joint) -> Joint:
    """A wire with a corner where both coordinates are 0.

    `cd.joints.track` makes a wire with any number of corners and one coordinate, which `cd.simulate` passes by itself.

    Parameters
    ----------
    before : Joint
        Leads to the corner, with one coordinate.
    after : Joint
        Goes on from there, with one coordinate; the identity at 0.

    Returns
    -------
    Joint
        Of two coordinates, "before" and "after", one of which is 0.

    Raises
    ------
    BadShape
        If a side has more coordinates than one.
    BadValue
        If `after` does not start from the identity.
    """
    single = before.nv == after.nv == 1
    words = "bent_wire: both sides must have one coordinate (any number of corners: cd.joints.track and cd.simulate)"
    require(single, words, BadShape, before=before.nv, after=after.nv)
    gap = float(abs(after.pose([0.0]) - np.eye(4)).max())
    require(gap < 1e-12, "bent_wire: the wire after the corner must start from the identity at 0", BadValue, gap=gap)
    return compose(before, after, names=SIDES)


class _Sides:
    """The same bodies held on either side of the corner, in the same coordinates: 0 leads to it, 1 goes on."""

    def __init__(self, model: Model, joint: str) -> None:
        self.both, places = model, [model.place_of(f"{joint}.{side}")[1:] for side in SIDES]
        self.q, self.v = zip(*places, strict=True)  # where each side's coordinate stands in q and in v
        still = prescribed_motion(0.0)
        self.held = [replace(model, prescribed={**model.prescribed, k: still}) for k in self.v[::-1]]

    def past(self, side: int, q: np.ndarray) -> np.ndarray:
        """How far beyond the corner [m]: what leaves a side by it is positive."""
        return q[..., self.q[side]] * (-1.0 if side else 1.0)

    def leg(self, side: int, t: float, q, v, steps: int, step: float) -> Trajectory:
        """Move on one side until the corner is passed."""
        ends = {"stop": lambda t, q, v: self.past(side, q) > 0.0, "record": step}
        return simulate(self.held[side], q, v, duration=steps * step, step=step, t0=t, **ends)

    def advanced(self, side: int, t: float, q, v, h: float) -> tuple[np.ndarray, np.ndarray]:
        """One step of length h."""
        end = simulate(self.held[side], q, v, duration=h, step=h, t0=t)
        return end.q[-1], end.v[-1]


def through_corner(
    model: Model, joint: str, q: ArrayLike, v: ArrayLike | None = None, *, duration: float, step: float = 1e-3
) -> tuple[Trajectory, tuple[Impact, ...]]:
    """The motion of a model through the corner of a `bent_wire`, as often as it comes there, and its impacts.

    Impacts happen at times solved to rounding.

    Parameters
    ----------
    model : Model
    joint : str
        Name of the wire's joint.
    q : array_like, shape (nq,)
        The start, on one side: the other's coordinate is 0 (if both are, it goes where its velocity shows).
    v : array_like, shape (nv,), optional
        Zero if left out.
    duration : float
        [s]
    step : float, optional
        Of the integrator and between records [s].

    Returns
    -------
    tuple of Trajectory and tuple of Impact

    Raises
    ------
    BadShape
        If `q` is a batch.
    BadValue
        If the start is on neither side.
    """
    sides, impacts, stopped = _Sides(model, joint), [], None
    s = states(model, q, v=np.zeros(model.nv) if v is None else v)
    require(s.single, "through_corner moves one state, not a batch", BadShape, batch=s.batch)
    records, count = [(s["q"][0].copy(), s["v"][0].copy())], make_plan(0.0, duration, step, None).steps
    side, step = _start_side(sides, *records[0]), duration / count
    while len(records) <= count and stopped is None:
        done = len(records) - 1
        leg = sides.leg(side, done * step, *records[-1], count - done, step)
        last = _records_before(sides, side, leg)
        records += list(zip(leg.q[1 : last + 1], leg.v[1 : last + 1], strict=True))
        stopped = _failure(sides, side, leg, impacts)
        if len(records) <= count and stopped is None:
            side, *record = _crossed(sides, side, (len(records) - 1) * step, *records[-1], step, impacts)
            records.append((record[0], record[1]))
    blank = [np.full((count + 1 - len(records), n), np.nan) for n in (model.nq, model.nv)]
    qs, vs = (np.concatenate([x, rest]) for x, rest in zip(zip(*records, strict=True), blank, strict=True))
    return Trajectory(model, step * np.arange(count + 1), qs, vs, stopped), tuple(impacts)


def _start_side(sides: _Sides, q: np.ndarray, v: np.ndarray) -> int:
    """0 before the corner, 1 after it."""
    before, after = (float(q[k]) for k in sides.q)
    good = before * after == 0.0 and before <= 0.0 <= after
    words = "through_corner: the start must be on the wire, before ≤ 0 and after = 0, or before = 0 and after ≥ 0"
    require(good, words, BadValue, before=before, after=after)
    return int(after > 0.0 or (before == 0.0 and v[sides.v[1]] > 0.0))


def _records_before(sides: _Sides, side: int, leg: Trajectory) -> int:
    """The last record that has not passed the corner; NaN come after the stop."""
    passed = ~(sides.past(side, leg.q[1:]) <= 0.0)
    return int(np.argmax(passed)) if passed.any() else len(leg.t) - 1


def _failure(sides: _Sides, side: int, leg: Trajectory, impacts: list[Impact]) -> Stopped | None:
    """Why the motion cannot go on, if it cannot: the leg failed away from the corner, or impacts have no end."""
    if isinstance(leg.stopped, Stopped) and not sides.past(side, leg.stopped.q) > 0.0:
        return leg.stopped
    if len(impacts) < MOST:
        return None
    last, why = impacts[-1], f"{MOST} impacts, each sooner after the last: it comes to rest at the corner"
    return Stopped(last.time, why, last.q, last.leaving)


def _crossed(sides: _Sides, side: int, t: float, q, v, left: float, impacts: list[Impact]):
    """From a record to the next one, `left` [s] away, with the impacts between them; returns the side and the state."""
    while (h := _arrival(sides, side, t, q, v, left)) is not None:
        q, arriving = sides.advanced(side, t, q, v, h)
        t, left, q[sides.q[side]] = t + h, left - h, 0.0
        impacts.append(_impact(sides, side, t, q, arriving))
        v, side = impacts[-1].leaving, 1 - side
        if len(impacts) >= MOST:
            break
    return side, *sides.advanced(side, t, q, v, left)


def _arrival(sides: _Sides, side: int, t: float, q, v, left: float) -> float | None:
    """After how long the corner is met within `left` [s], by Newton's method to rounding; None if it is not."""
    h = left
    end, speed = sides.advanced(side, t, q, v, h)
    if sides.past(side, end) <= 0.0:
        return None
    for _ in range(60):
        change = float(end[sides.q[side]] / speed[sides.v[side]])
        h = min(max(h - change, 1e-3 * h), left)
        if abs(change) <= 1e-16 * max(1.0, t):
            break
        end, speed = sides.advanced(side, t, q, v, h)
    return h


def _impact(sides: _Sides, side: int, time: float, q: np.ndarray, v: np.ndarray) -> Impact:
    """The impulse of the corner on what arrives by one side: that side's coordinate stops, the other's may move."""
    leaving = struck(sides.both, q, v, [sides.v[side]])
    M, change = mass_matrix(sides.both, q), leaving - v
    return Impact(time, q.copy(), v, leaving, 0.5 * float(change @ M @ change))
