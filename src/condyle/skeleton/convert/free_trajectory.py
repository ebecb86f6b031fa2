"""A skeleton's motion as a `Trajectory` of a model whose bodies all float: what views, exports and files take."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...joints import free
from ...model import Model, ModelBuilder
from ...simulation import Trajectory as ModelTrajectory
from ...simulation.events import Stop, Stopped, by_member
from ...spatial import Inertia
from ...spatial.quaternions import quaternion_from_rotation

if TYPE_CHECKING:
    from ..skeleton import Skeleton
    from ..state import State
    from ..trajectory import Trajectory


def as_free_bodies(skeleton: Skeleton) -> Model:
    """The bodies without their joints, each floating, its frame at its centre of mass."""
    builder = ModelBuilder(gravity=skeleton.gravity)
    for name, mass, moment in zip(skeleton.body_names, skeleton.masses, skeleton.inertias, strict=True):
        builder.add_body(name, None, free(), Inertia(mass, np.zeros(3), moment))
    return builder.build()


def as_trajectory(motion: Trajectory) -> ModelTrajectory:
    """The same motion of a model whose bodies float: for `cd.view`, and whatever else takes a trajectory.

    Returns
    -------
    Trajectory
        Of `cd.simulate`'s kind, with the ends of members that stopped.
    """
    model, (q, v) = as_free_bodies(motion.skeleton), _coordinates(motion.states)
    ends = zip(motion.stops(), q.reshape(-1, *q.shape[-2:]), v.reshape(-1, *v.shape[-2:]), strict=True)
    stopped = by_member([_stopped(*end) for end in ends], motion.batch)
    return ModelTrajectory(model, motion.t, q, v, stopped)


def _stopped(stop: Stop | None, q: np.ndarray, v: np.ndarray) -> Stopped | None:
    """The end of a member with records q (T, …) and v: in its last good state, or else in its last record."""
    if stop is None:
        return None
    state = getattr(stop, "state", None)
    if state is not None:
        return Stopped(stop.time, stop.reason, *_coordinates(state))
    last = max(int(np.isfinite(q).all(axis=-1).sum()) - 1, 0)
    return Stopped(stop.time, stop.reason, q[last], v[last])


def at_start(skeleton: Skeleton) -> ModelTrajectory:
    """The bodies where the skeleton starts, as a trajectory of one record."""
    q, v = _coordinates(skeleton.initial)
    return ModelTrajectory(as_free_bodies(skeleton), np.zeros(1), q[None], v[None])


def _coordinates(states: State) -> tuple[np.ndarray, np.ndarray]:
    """q (..., 7 · bodies): quaternion and place; v (..., 6 · bodies): twist in body axes."""
    q = np.concatenate([quaternion_from_rotation(states.rotations), states.positions], axis=-1)
    back = np.einsum("...ji,...j->...i", states.rotations, states.velocities)
    v = np.concatenate([states.angular_velocities, back], axis=-1)
    return q.reshape(*q.shape[:-2], -1), v.reshape(*v.shape[:-2], -1)
