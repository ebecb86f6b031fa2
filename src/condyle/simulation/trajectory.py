"""What a simulation gives back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NoReturn

import numpy as np

from ..dynamics import ElementForces, Energy, Momentum, element_forces, energy, forward_kinematics, momentum
from ..errors import BadShape, UnknownName, require, unknown_name
from ..model import Model
from ..model.model_batch import ModelBatch
from ..spatial import SE3
from .base_trajectory import BaseTrajectory
from .domain_exits import beyond_range
from .events import Impact, Outside, SlipChange, Stopped


@dataclass(frozen=True, repr=False)
class Trajectory(BaseTrajectory):
    """Recorded states of one run or of a batch; NaN after a member stopped.

    `beyond_range` are the coordinates that left the ranges set for them. What stopped is said first when a trajectory
    is printed.

    Attributes
    ----------
    model : Model
    t : ndarray, shape (T,)
        [s]
    q : ndarray, shape (..., T, nq)
        Coordinates [rad, m].
    v : ndarray, shape (..., T, nv)
        Velocities [rad/s, m/s].
    stopped : Stopped, None or ndarray of them
        Why a run ended before its time; an object array of shape (...) for a batch.
    outside : tuple of Outside
        Coordinates that left the domains of their joints.
    members : ModelBatch or None
        Models of the members, where they have parameters of their own; `model` is then what they were made from.
    impacts : tuple of Impact
        Corners of joints (`cd.joints.track`) that were passed, in time, with their impulses; of a batch member by
        member.
    slips : tuple of SlipChange
        When coordinates with dry friction (`simulate(…, friction=…)`) began to slide and to stick, in time; of a batch
        member by member.
    friction_work : ndarray, shape (..., T), or None
        What dry friction did along its coordinates since the start [J], never positive; integrated with the motion.
        What it took in impulses at corners is part of `Impact.lost`.
    """

    model: Model
    t: np.ndarray
    q: np.ndarray
    v: np.ndarray
    stopped: Stopped | np.ndarray | None = None  # pyright: ignore[reportIncompatibleVariableOverride]  # frozen: narrower
    outside: tuple[Outside, ...] = field(default=())
    members: ModelBatch | None = None
    impacts: tuple[Impact, ...] = field(default=(), kw_only=True)
    slips: tuple[SlipChange, ...] = field(default=(), kw_only=True)
    friction_work: np.ndarray | None = field(default=None, kw_only=True)

    @property
    def batch(self) -> tuple[int, ...]:
        """The batch shape; () for a single member."""
        return self.q.shape[:-2]

    @property
    def _mechanism(self) -> Model:
        """The model."""
        return self.model

    def __getitem__(self, coordinate: str) -> np.ndarray:
        """A coordinate over time (..., T), by name."""
        if not isinstance(coordinate, str):
            self._refuse(coordinate)
        return self.q[..., self.model.q_index(coordinate)]

    def _refuse(self, index: object) -> NoReturn:
        """Say what a trajectory is indexed by, and how to take one member of a batch."""
        wrong = unknown_name("coordinate", index, self.model.coordinates, "this trajectory")
        if not self.batch:
            raise wrong
        first = f"[{', '.join(['0'] * len(self.batch))}]"
        raise UnknownName(
            f"{wrong} For one member of the batch {self.batch} take its numbers, trajectory.q{first}, or make a "
            f"trajectory of them: cd.Trajectory(trajectory.model, trajectory.t, trajectory.q{first}, "
            f"trajectory.v{first})"
        )

    def member(self, *index: int) -> Trajectory:
        """One member of a batch by itself, with its own model if it has one.

        Parameters
        ----------
        *index : int
            Its place in the batch.

        Returns
        -------
        Trajectory

        Raises
        ------
        BadShape
            If there is no such member.
        """
        sizes = zip(index, self.batch, strict=False)
        good = len(index) == len(self.batch) and all(-n <= i < n for i, n in sizes)
        require(good, f"a member of the batch {self.batch} has {len(self.batch)} numbers", BadShape, got=index)
        place = tuple(i % n for i, n in zip(index, self.batch, strict=True))
        model = self.model
        if self.members is not None:
            model = self.members.model(int(np.ravel_multi_index(place, self.batch)) if place else 0)
        stopped = self.stopped[place] if isinstance(self.stopped, np.ndarray) else self.stopped
        mine = tuple(replace(x, member=()) for x in self.impacts if x.member == place)
        slips = tuple(replace(x, member=()) for x in self.slips if x.member == place)
        work = None if self.friction_work is None else self.friction_work[place]
        own = {"impacts": mine, "slips": slips, "friction_work": work}
        return Trajectory(model, self.t, self.q[place], self.v[place], stopped, **own)

    def _of_each(self, compute: Callable[[Trajectory], tuple]) -> list[np.ndarray]:
        """Arrays of every member by itself, stacked."""
        found = [compute(self.member(*index)) for index in np.ndindex(self.batch)]
        return [np.reshape(x, (*self.batch, *np.shape(x)[1:])) for x in zip(*found, strict=True)]

    def energy(self) -> Energy:
        """(kinetic, potential, total) over time [J]."""
        if self.members is not None:
            return Energy(*self._of_each(lambda one: one.energy()))
        q, v = self._filled()
        return Energy(*(np.where(self._good, x, np.nan) for x in energy(self.model.without_muscles(), q, v)))

    def element_forces(self) -> ElementForces:
        """What springs, dampers, limits, bushings and contacts do over time, by name; see `cd.element_forces`."""
        if self.members is not None:
            each = self._of_each(lambda one: one.element_forces().arrays)
            return ElementForces(tuple(f.name for f in self.model.forces), *each)
        return element_forces(self.model, *self._filled())

    def momentum(self) -> Momentum:
        """(linear, angular) over time."""
        if self.members is not None:
            return Momentum(*self._of_each(lambda one: one.momentum()))
        q, v = self._filled()
        return Momentum(*(np.where(self._good[..., None], x, np.nan) for x in momentum(self.model, q, v)))

    def poses(self) -> SE3:
        """Poses of all bodies over time, shape (..., T, nbodies); a stopped member stays where it was last."""
        if self.members is not None:
            return SE3.from_matrix(self._of_each(lambda one: (one.poses().as_matrix(),))[0])
        return forward_kinematics(self.model, self._filled()[0])

    @property
    def beyond_range(self) -> tuple[Outside, ...]:
        """Coordinates that left the ranges set for them (`ModelBuilder.set_range`), with time and value.

        Where a limit acts (`add_limit`), its spring yields: such a coordinate counts from a tenth of the range beyond.
        """
        return beyond_range(self.model, self.t, self.q.reshape(-1, *self.q.shape[-2:]))

    @property
    def _good(self) -> np.ndarray:
        return np.asarray(np.isfinite(self.q).all(axis=-1) & np.isfinite(self.v).all(axis=-1))

    def _filled(self) -> tuple[np.ndarray, np.ndarray]:
        """States with the NaN of stopped members replaced by their last good state."""
        good = self._good
        if good.all():
            return self.q, self.v
        last = np.maximum.accumulate(np.where(good, np.arange(good.shape[-1]), 0), axis=-1)[..., None]
        return np.take_along_axis(self.q, last, axis=-2), np.take_along_axis(self.v, last, axis=-2)
