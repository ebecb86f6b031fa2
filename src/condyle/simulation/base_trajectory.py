"""What the trajectories of both engines have in common: times, what stopped, and how they print."""

from __future__ import annotations

import numpy as np

from ..errors import amount
from ..offers import offered
from .events import Stop, described_stops


class BaseTrajectory:
    """Records at times `t` (T,) of one member or of a batch; NaN after a member stopped.

    `stopped` is None if none did, the end of a single member, or for a batch an object array of ends and None.
    """

    t: np.ndarray
    stopped: Stop | np.ndarray | None

    @property
    def batch(self) -> tuple[int, ...]:
        """The batch shape; () for a single member."""
        raise NotImplementedError

    @property
    def _mechanism(self) -> object:
        """What moves: the model or the skeleton."""
        raise NotImplementedError

    def stops(self) -> list[Stop | None]:
        """The end of every member in order, None for those that went on.

        Returns
        -------
        list of Stop or None
        """
        if isinstance(self.stopped, np.ndarray):
            return list(self.stopped.flat)
        return [self.stopped] * int(np.prod(self.batch, dtype=int))

    def _repr_html_(self) -> str:
        """What a notebook shows: the player."""
        return offered("notebook")(self, None)

    def __repr__(self) -> str:
        batch = f"{'x'.join(map(str, self.batch))} members, " if self.batch else ""
        span = f"{self.t[0]:g} to {self.t[-1]:g} s" if len(self.t) else "no times"
        stopped = f"{described_stops(self.stopped)}; " if described_stops(self.stopped) else ""
        return f"<Trajectory: {stopped}{batch}{amount(len(self.t), 'record')}, {span}, {self._mechanism!r}>"
