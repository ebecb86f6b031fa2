"""A recorded motion of bodies that joints of any kind hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...dynamics import Energy, Momentum
from ...simulation import BaseTrajectory, Stop
from ...simulation import Trajectory as ModelTrajectory
from ...simulation.events import Stopped as ModelStopped
from ...simulation.events import by_member
from ..energy_momentum import kinetic_energy
from ..state import State

if TYPE_CHECKING:
    from .held_model import HeldModel


@dataclass(frozen=True, eq=False, repr=False)
class HeldMotion(BaseTrajectory):
    """Recorded states of a `HeldModel`, with the coordinates they are at; NaN after a member stopped.

    Attributes
    ----------
    held : HeldModel
    t : ndarray, shape (T,)
        [s]
    states : State
        Of batch shape (..., T).
    q : ndarray, shape (..., T, nq)
        Coordinates of the model [rad, m].
    v : ndarray, shape (..., T, nv)
        Their velocities [rad/s, m/s].
    stopped : Stopped, None or ndarray of them
        Why a run ended before its time; an object array of shape (...) for a batch.
    """

    held: HeldModel
    t: np.ndarray
    states: State
    q: np.ndarray
    v: np.ndarray
    stopped: Stop | np.ndarray | None

    @property
    def batch(self) -> tuple[int, ...]:
        """The batch shape; () for a single member."""
        return self.states.shape[:-1]

    @property
    def _mechanism(self) -> HeldModel:
        """What moves."""
        return self.held

    def energy(self) -> Energy:
        """(kinetic, potential, total) over time [J]; kinetic that of the bodies."""
        potential = self.as_trajectory().energy().potential
        kinetic = kinetic_energy(self.held.masses, self.held.inertias, self.states)
        return Energy(kinetic, potential, kinetic + potential)

    def momentum(self) -> Momentum:
        """(linear, angular about the centre of mass) over time, of the bodies."""
        return self.held.momentum(self.states)

    def gaps(self) -> np.ndarray:
        """How far each joint is from closed, (..., T, joints) [m, rad]."""
        return self.held.gaps(self.states, self.q)

    def as_trajectory(self) -> ModelTrajectory:
        """The same motion in the model's coordinates: for `cd.view`, files and whatever else takes a trajectory.

        Returns
        -------
        Trajectory
            Of `cd.simulate`'s kind, with the ends of members that stopped.
        """
        q, v = (x.reshape(-1, *x.shape[-2:]) for x in (self.q, self.v))
        ends = [None if s is None else _in_coordinates(s, q[i], v[i]) for i, s in enumerate(self.stops())]
        return ModelTrajectory(self.held.model, self.t, self.q, self.v, by_member(ends, self.batch))


def _in_coordinates(stop: Stop, q: np.ndarray, v: np.ndarray) -> ModelStopped:
    """The end of a member with records q (T, nq), v (T, nv)."""
    last = max(int(np.isfinite(q).all(axis=-1).sum()) - 1, 0)
    return ModelStopped(stop.time, stop.reason, q[last], v[last])
