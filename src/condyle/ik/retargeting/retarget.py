"""A motion on another skeleton: turns of bodies are carried over joint by joint, then feet are locked to the ground."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...dynamics import difference, forward_kinematics
from ...errors import BadShape, BadValue, CondyleWarning, require, warn
from ...joints import Joint
from ...model import Model
from ...simulation import Trajectory
from ...spatial import SE3, log_so3
from ...spatial.twists import pose_inverse
from ...typing import ArrayLike
from .foot_locking import Contact, contacts_of, locked, slides

STEPS, ENOUGH = 20, 1e-10  # of Gauss-Newton for one joint, and the step it ends with [rad, m]
SHIFTS = 1e-3  # what a metre counts beside a radian, for joints that turn and shift at once
SLIDE = 5e-3  # [m] of a foot that is locked, from which on it is told


@dataclass(frozen=True, eq=False)
class Retargeted:
    """A motion that was carried over.

    Attributes
    ----------
    trajectory : Trajectory
        Of the other model, at the times of the motion.
    scale : float
        By how much places were scaled.
    contacts : tuple of Contact
        When which foot stood, and where.
    slide : float
        The farthest that a standing foot is from where it is locked [m].
    """

    trajectory: Trajectory
    scale: float
    contacts: tuple[Contact, ...]
    slide: float


def retarget(
    motion: Trajectory,
    model: Model,
    *,
    bodies: Mapping[str, str] | None = None,
    feet: Sequence[str] = (),
    scale: float | None = None,
    rest: ArrayLike | None = None,
    model_rest: ArrayLike | None = None,
    slowest: float = 0.3,
    highest: float = 0.08,
) -> Retargeted:
    """Carry a motion over to another model: bodies turn as their counterparts do, and feet that stand do not slide.

    In the two postures `rest` and `model_rest` counterparts are held to be turned alike. The first body that has a
    counterpart goes where that goes, scaled. A foot stands while it is low and slow; then the joints between the first
    body and the foot are solved by inverse kinematics so that it stays.

    Parameters
    ----------
    motion : Trajectory
        One run of the other model.
    model : Model
        That is to move. Joints are moved by their own coordinates or quaternions.
    bodies : mapping of str to str, optional
        Bodies of the motion and their counterparts; by default those of one name.
    feet : sequence of str, optional
        Bodies of `model` that are locked while they stand; they need counterparts.
    scale : float, optional
        Of places; by default how much longer the ways from the first body to the feet (or to all ends) are.
    rest, model_rest : array_like, shape (nq,), optional
        Postures of the motion's model and of `model`; by default their neutral ones.
    slowest, highest : float, optional
        A foot stands below this speed [m/s] and this height over its lowest place [m], in the motion.

    Returns
    -------
    Retargeted
        The trajectory, contacts and how far feet slide.

    Raises
    ------
    UnknownName
        If a body does not exist.
    BadValue
        If no body has a counterpart, or a foot has none.
    BadShape
        If the motion is a batch.

    Examples
    --------
    >>> import numpy as np
    >>> import condyle as cd
    >>> q = np.linspace([0.0, -0.3, 0.0], [0.4, -0.9, 0.1], 50)
    >>> motion = cd.Trajectory(cd.gallery.leg(), np.linspace(0.0, 1.0, 50), q, 0 * q)
    >>> taller = cd.ik.retarget(motion, cd.gallery.leg(height=2.0))
    >>> bool(np.allclose(taller.trajectory.q, q, atol=1e-6))
    True
    """
    require(motion.batch == (), "retarget: one run, not a batch", BadShape, batch=motion.batch)
    pairs = _pairs(motion.model, model, bodies)
    ends = [_foot(model, foot, pairs) for foot in feet]
    source = motion.poses()
    own = model.neutral() if model_rest is None else np.asarray(model_rest, dtype=float)
    still = forward_kinematics(motion.model, motion.model.neutral() if rest is None else rest)
    mine = forward_kinematics(model, own)
    factor = _scale(still, mine, pairs, ends) if scale is None else float(scale)
    q = _turned(model, _goals(source, still, mine, pairs, factor), own, _shared(motion, model, len(motion.t)))
    contacts: tuple[Contact, ...] = ()
    if ends:
        partners = {b: a for a, b in pairs.items()}
        standing = [contacts_of(source[:, partners[foot]].xyz, motion.t, _up(motion.model), slowest, highest)
                    for foot in ends]  # fmt: skip
        root = next(iter(pairs.values()))
        q, contacts = locked(model, q, motion.t, root, ends, standing)
    run = Trajectory(model, motion.t, q, _rates(model, q, motion.t))
    slide = slides(run, contacts)
    if slide > SLIDE:
        warn(f"retarget: feet slide by up to {1e3 * slide:.0f} mm: legs do not reach where they stand", CondyleWarning)
    return Retargeted(run, factor, contacts, slide)


def _pairs(source: Model, model: Model, bodies: Mapping[str, str] | None) -> dict[int, int]:
    """Numbers of bodies and of their counterparts, in the order of the model."""
    named = {name: name for name in source.names if name in model.names} if bodies is None else bodies
    found = {source.body_index(a): model.body_index(b) for a, b in named.items()}
    require(found, "retarget: no body has a counterpart; name them in `bodies`", BadValue)
    return dict(sorted(found.items(), key=lambda pair: pair[1]))


def _foot(model: Model, foot: str, pairs: dict[int, int]) -> int:
    number = model.body_index(foot)
    require(number in pairs.values(), f"retarget: the foot '{foot}' has no counterpart; name it in `bodies`", BadValue)
    return number


def _up(model: Model) -> np.ndarray:
    size = np.linalg.norm(model.gravity)
    return -model.gravity / size if size > 0 else np.array([0.0, 0.0, 1.0])


def _scale(still: SE3, mine: SE3, pairs: dict[int, int], ends: Sequence[int]) -> float:
    """How much longer the ways from the first body to the feet, or to all counterparts, are."""
    (first, root), *others = pairs.items()
    some = [(a, b) for a, b in others if not ends or b in ends]
    lengths = [(np.linalg.norm(still[a].xyz - still[first].xyz), np.linalg.norm(mine[b].xyz - mine[root].xyz))
               for a, b in some]  # fmt: skip
    theirs, ours = np.sum(lengths, axis=0) if lengths else (0.0, 0.0)
    return float(ours / theirs) if theirs > 1e-9 and ours > 1e-9 else 1.0


def _goals(source: SE3, still: SE3, mine: SE3, pairs: dict[int, int], scale: float) -> dict[int, SE3]:
    """Where counterparts shall be: turned as in rest, and moved as the motion's body is, scaled."""
    goals = {}
    for a, b in pairs.items():
        turn = SE3(still[a].wxyz, np.zeros(3)).inverse() @ SE3(mine[b].wxyz, np.zeros(3))
        goals[b] = SE3(source[:, a].wxyz, scale * source[:, a].xyz) @ turn
    return goals


def _shared(motion: Trajectory, model: Model, count: int) -> np.ndarray:
    """Starts of the search: the motion's own values for coordinates of one name, else the neutral posture."""
    q = np.tile(model.neutral(), (count, 1))
    for name in set(model.coordinates) & set(motion.model.coordinates):
        q[:, model.q_index(name)] = motion[name]
    return q


def _turned(model: Model, goals: dict[int, SE3], rest: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Postures (T, nq) in which bodies, from the root outwards, are turned as their goals are."""
    poses: list[np.ndarray] = []
    at, root = 0, next(iter(goals))
    for i, body in enumerate(model.bodies):
        columns = slice(at, at + body.joint.nq)
        at = columns.stop
        base = (np.eye(4) if body.parent < 0 else poses[body.parent]) @ body.placement.as_matrix()
        offset = body.offset.as_matrix()
        if i in goals and body.joint.nq:
            wanted = pose_inverse(base) @ goals[i].as_matrix() @ offset
            if i != root:
                wanted[..., :3, 3] = body.joint.pose(rest[columns]).xyz
            q[:, columns] = _reached(body.joint, wanted, q[:, columns], 1.0 if i == root else SHIFTS)
        else:
            q[:, columns] = rest[columns]
        moved = body.joint.pose(q[:, columns]).as_matrix() if body.joint.nq else np.eye(4)
        poses.append(base @ moved @ pose_inverse(offset))
    return q


def _reached(joint: Joint, wanted: np.ndarray, q: np.ndarray, shifts: float) -> np.ndarray:
    """Coordinates (T, nq) of one joint nearest to poses (T, 4, 4), in which a metre counts as so many radians."""
    if any(w != (1, 1) for w in joint.widths):
        goal = SE3.from_matrix(wanted)
        return np.concatenate([goal.wxyz, goal.xyz], axis=-1)[:, : joint.nq]
    weights = np.repeat([1.0, shifts], 3)[:, None]
    for _ in range(STEPS):
        X, J = joint.pose(q).as_matrix(), joint.jacobian(q) * weights
        inverse = np.swapaxes(X[:, :3, :3], 1, 2)
        apart = inverse @ (wanted[:, :3, 3] - X[:, :3, 3])[..., None]
        error = weights * np.concatenate([log_so3(inverse @ wanted[:, :3, :3])[..., None], apart], axis=1)
        Jt = np.swapaxes(J, 1, 2)
        step = np.linalg.solve(Jt @ J + 1e-9 * np.eye(joint.nv), Jt @ error)[..., 0]
        q = q + step
        if np.abs(step).max() < ENOUGH:
            break
    return q


def _rates(model: Model, q: np.ndarray, t: np.ndarray) -> np.ndarray:
    """Velocities by central differences on the manifold; one-sided at the ends."""
    if len(t) < 2:
        return np.zeros((len(t), model.nv))
    before, after = np.maximum(np.arange(len(t)) - 1, 0), np.minimum(np.arange(len(t)) + 1, len(t) - 1)
    return difference(model, q[before], q[after]) / (t[after] - t[before])[:, None]
