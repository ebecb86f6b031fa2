"""What a motion kept and what it lost: momentum, energy, work, joint gaps, as numbers and as a figure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..simulation.events import described_stops
from ..typing import PathLike
from .energy_momentum import energy, momentum, power
from .engine.joint_gaps import residuals

if TYPE_CHECKING:
    from .trajectory import Trajectory


GRAVITY = "gravity"


@dataclass(frozen=True, eq=False)
class Report:
    """Histories of a motion: what its conservation laws say.

    Attributes
    ----------
    t : ndarray, shape (T,)
        [s]
    linear_momentum : ndarray, shape (..., T, 3)
        [N s]
    angular_momentum : ndarray, shape (..., T, 3)
        About the centre of mass [N m s].
    energy : ndarray, shape (..., T)
        Kinetic, and potential of gravity, springs and limits [J].
    work : ndarray, shape (..., T)
        What motors, friction, dampers and loads put in so far [J].
    gap : ndarray, shape (..., T)
        Of the worst joint [m].
    axis_error : ndarray, shape (..., T)
        Of the worst joint [rad].
    outside : tuple of str
        What changes momentum from outside.
    stopped : str
        What ended before its time and why; empty if nothing did.
    """

    t: np.ndarray
    linear_momentum: np.ndarray  # [N s]
    angular_momentum: np.ndarray  # [N m s], about the centre of mass
    energy: np.ndarray  # [J], kinetic, and potential of gravity, springs and limits
    work: np.ndarray  # [J]
    gap: np.ndarray  # [m], of the worst joint
    axis_error: np.ndarray  # [rad], of the worst joint
    outside: tuple[str, ...] = ()  # what changes momentum from outside, in words
    stopped: str = ""

    def drifts(self) -> dict[str, np.ndarray]:
        """The largest change of each quantity over the motion; energy less the work put in."""

        def most(x: np.ndarray) -> np.ndarray:
            return np.nanmax(np.abs(x), axis=-1)

        def change(m: np.ndarray) -> np.ndarray:
            return np.linalg.norm(m - m[..., :1, :], axis=-1)

        balance = self.energy - self.work
        return {
            "linear momentum [N s]": most(change(self.linear_momentum)),
            "angular momentum [N m s]": most(change(self.angular_momentum)),
            "energy less work [J]": most(balance - balance[..., :1]),
            "joint gap [m]": most(self.gap),
            "axis error [rad]": most(self.axis_error),
        }

    def __str__(self) -> str:
        rows = [f"{name:26} {np.max(value):.3e}" for name, value in self.drifts().items()]
        which = "linear momentum" if self.outside == (GRAVITY,) else "momentum"
        why = [f"{which} is changed by {' and '.join(self.outside)}"] if self.outside else []
        ended = [self.stopped] if self.stopped else []
        return "\n".join([f"largest changes over {self._last() - self.t[0]:g} s", *rows, *why, *ended])

    def _last(self) -> float:
        """The time of the last record that any member has [s]."""
        good = np.isfinite(self.energy).reshape(-1, len(self.t)).any(axis=0)
        return float(self.t[good].max(initial=self.t[0]))

    def figure(self, path: PathLike | None = None, *, title: str | None = None) -> Any:
        """The histories of one motion as a matplotlib figure; saved to `path` if given.

        Parameters
        ----------
        path : str or path, optional
            Where to save it.
        title : str, optional

        Returns
        -------
        matplotlib.figure.Figure
        """
        from .drawing import draw_report

        return draw_report(self, path, title)


def report(trajectory: Trajectory) -> Report:
    """The conservation report of a motion.

    Returns
    -------
    Report
    """
    skeleton, states, t = trajectory.skeleton, trajectory.states, trajectory.t
    P, L = momentum(skeleton, states)
    watts = np.sum(np.broadcast_arrays(*power(skeleton, states, trajectory.loads)), axis=0)
    put_in = np.concatenate(
        [np.zeros((*watts.shape[:-1], 1)), np.cumsum(0.5 * (watts[..., 1:] + watts[..., :-1]) * np.diff(t), axis=-1)],
        axis=-1,
    )
    r = residuals(skeleton, states)
    gap, axis = (x.max(axis=-1, initial=0.0) for x in (r.gap, r.axis))
    said = described_stops(trajectory.stopped)
    return Report(t, P, L, energy(skeleton, states).total, put_in, gap, axis, _outside(trajectory), said)


def _outside(trajectory: Trajectory) -> tuple[str, ...]:
    """What acts on the skeleton from outside."""
    s = trajectory.skeleton
    held = (s.pairs < 0).any() or any(-1 in spring.bodies for spring in s.springs)
    pushed = trajectory.loads[..., 3 * len(s.pairs) :].any()
    words = {GRAVITY: s.gravity.any(), "what holds it to the world": held, "external loads": pushed}
    return tuple(word for word, acts in words.items() if acts)
