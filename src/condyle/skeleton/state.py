"""`State`: where the bodies are and how they move, one or many at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import BadShape, amount, require
from ..spatial.arrays import floats, require_finite
from ..spatial.quaternions import quaternion_from_rotation, rotation_from_quaternion
from ..spatial.validate_rotation import rotation_matrix
from ..typing import ArrayLike
from .engine.kernel_tables import STATE


@dataclass(frozen=True, eq=False, repr=False)
class State:
    """Bodies in world axes, but angular velocities in body axes, as in the article; batched by leading axes.

    Rotations do not tell how often a hinge has gone round: `turns` does, where a spring or a limit needs to know. The
    angle of a hinge is the one in (−π, π] that rotations tell, and 2π more for every turn.

    Attributes
    ----------
    positions : ndarray, shape (..., bodies, 3)
        Of centres of mass [m].
    rotations : ndarray, shape (..., bodies, 3, 3)
        Body to world.
    velocities : ndarray, shape (..., bodies, 3)
        [m/s]
    angular_velocities : ndarray, shape (..., bodies, 3)
        Body axes [rad/s].
    turns : ndarray, shape (..., joints) or (..., 0)
        Whole turns of hinges.
    """

    positions: np.ndarray  # (..., bodies, 3) [m], centres of mass
    rotations: np.ndarray  # (..., bodies, 3, 3), body to world
    velocities: np.ndarray  # (..., bodies, 3) [m/s]
    angular_velocities: np.ndarray  # (..., bodies, 3) [rad/s], body axes
    turns: np.ndarray = None  # type: ignore[assignment]  # (..., joints), whole turns of hinges; (..., 0): none

    def __post_init__(self) -> None:
        if self.turns is None:
            object.__setattr__(self, "turns", np.zeros((*self.shape, 0)))

    @property
    def shape(self) -> tuple[int, ...]:
        """The batch shape; () for a single state."""
        return self.positions.shape[:-2]

    def __repr__(self) -> str:
        return f"<State of {amount(self.positions.shape[-2], 'body', 'bodies')}, batch {self.shape}>"

    def __getitem__(self, index) -> State:
        """Some of a batch."""
        require(self.shape, "a single state cannot be indexed", BadShape)
        return State(*(part[index] for part in vars(self).values()))

    @classmethod
    def checked(
        cls,
        positions: ArrayLike,
        rotations: ArrayLike,
        velocities: ArrayLike,
        angular_velocities: ArrayLike,
        turns: ArrayLike | None = None,
    ) -> State:
        """From anything array-like: finite, broadcast to one batch shape, rotations orthonormal to 1e-6 made exact.

        Parameters
        ----------
        positions : array_like, shape (..., bodies, 3)
            [m]
        rotations : array_like, shape (..., bodies, 3, 3)
        velocities, angular_velocities : array_like, shape (..., bodies, 3)
            [m/s], [rad/s]
        turns : array_like, shape (..., joints), optional
            Whole numbers.

        Returns
        -------
        State

        Raises
        ------
        BadShape
            If the parts have shapes that do not go together.
        NotFinite, NotARotation, BadValue
            If a number is not finite, a matrix is not a rotation, or a turn is not whole.
        """
        p, v = floats(positions, (3,), "positions"), floats(velocities, (3,), "velocities")
        w, R = floats(angular_velocities, (3,), "angular velocities"), rotation_matrix(rotations, "rotations")
        n = np.zeros(0) if turns is None else np.asarray(turns, float)
        for array, name in ((p, "positions"), (v, "velocities"), (w, "angular velocities"), (n[..., None], "turns")):
            require_finite(array, 1, name)
        require((n == np.round(n)).all(), "turns must be whole numbers")
        try:
            batch = np.broadcast_shapes(p.shape[:-1], v.shape[:-1], w.shape[:-1], R.shape[:-2])
            n = np.array(np.broadcast_to(n, (*batch[:-1], n.shape[-1])))
        except ValueError:
            shapes = {"positions": p.shape, "rotations": R.shape, "velocities": v.shape, "angular": w.shape}
            shapes |= {"turns": n.shape} if n.size else {}
            raise BadShape(f"the parts of a state must have shapes that go together; got {shapes}") from None
        spread = [np.array(np.broadcast_to(a, (*batch, 3))) for a in (p, v, w)]
        return cls(spread[0], np.array(np.broadcast_to(R, (*batch, 3, 3))), spread[1], spread[2], n)


def as_numbers(state: State, *, turned: bool = True) -> np.ndarray:
    """(..., bodies, 13): position, quaternion (zero if it need not be `turned`), velocity, angular velocity."""
    q = quaternion_from_rotation(state.rotations) if turned else np.zeros((*state.positions.shape[:-1], 4))
    return np.concatenate([state.positions, q, state.velocities, state.angular_velocities], axis=-1)


def from_numbers(x: np.ndarray) -> State:
    """The state of (..., bodies, 13)."""
    require(x.shape[-1] == STATE, "a body's state is 13 numbers", BadShape, shape=x.shape)
    return State(x[..., :3], rotation_from_quaternion(x[..., 3:7]), x[..., 7:10], x[..., 10:])
