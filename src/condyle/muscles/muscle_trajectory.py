"""What a simulation with muscles gives back."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from ..simulation.trajectory import Trajectory
from .muscle_forces import MuscleForces, forces


@dataclass(frozen=True, repr=False)
class MuscleTrajectory(Trajectory):
    """Recorded states of a model and its muscles, of one run or of a batch; NaN after a member stopped.

    Attributes
    ----------
    activation : ndarray, shape (..., T, muscles)
        Of muscles; 0 for what is none.
    fiber_length : ndarray, shape (..., T, muscles)
        [m]; that of a rigid tendon's muscle follows from the pose. 0 for what is no muscle.
    excitation : ndarray, shape (..., T, muscles)
        That led to each record; at the first record that of the first step.
    work : ndarray, shape (..., T, muscles)
        Of each path on the bodies since the start [J]: together the change of `energy().total`, if nothing else does
        work. Negative where a muscle was stretched.
    """

    activation: np.ndarray = field(default_factory=lambda: np.zeros(0))
    fiber_length: np.ndarray = field(default_factory=lambda: np.zeros(0))
    excitation: np.ndarray = field(default_factory=lambda: np.zeros(0))
    work: np.ndarray = field(default_factory=lambda: np.zeros(0))

    def member(self, *index: int) -> MuscleTrajectory:
        """One member of a batch by itself.

        Parameters
        ----------
        *index : int
            Its place in the batch.

        Returns
        -------
        MuscleTrajectory

        Raises
        ------
        BadShape
            If there is no such member.
        """
        one = super().member(*index)
        own = (x[tuple(index)] for x in (self.activation, self.fiber_length, self.excitation, self.work))
        return MuscleTrajectory(one.model, one.t, one.q, one.v, one.stopped, one.outside, None, *own)

    def forces(self) -> MuscleForces:
        """Forces of all muscles, ligaments and springs over time, (..., T, muscles).

        Returns
        -------
        MuscleForces
            Path actuators pull as their excitation says.
        """
        control = np.where(np.isnan(self.activation), 0.0, np.where(self._no_muscle, self.excitation, self.activation))
        fibers = np.where(self.fiber_length > 0, self.fiber_length, 1.0)  # NaN, and 0 of what has none, are not read
        q, v = self._filled()
        found = forces(self.model, q, v, control, fiber_length=fibers)
        good = self._good[..., None]
        return replace(found, **{k: np.where(good, x, np.nan) for k, x in vars(found).items() if k != "status"})

    @property
    def _no_muscle(self) -> np.ndarray:
        from .law_packing import is_muscle

        return np.array([not is_muscle(m) for m in self.model.muscles])
