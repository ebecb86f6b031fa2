"""What is asked of an arm: goals, and what its hand is to do there, checked."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...errors import BadShape, BadValue, NotFinite, require
from ...spatial.arrays import for_kernels, real_numbers
from ...spatial.so3 import axes_with_z
from ...spatial.validate_rotation import rotation_matrix
from ...typing import ArrayLike
from ..kernels.posture import AXIS, FREE, FULL, SPIN

FARTHEST = 1e9  # [m]: no goal of an arm
Z_AXIS = (0.0, 0.0, 1.0)  # of the hand


class Question(NamedTuple):
    """What is asked, apart from the goals: see `Arm.solve`."""

    orientation: ArrayLike | None = None
    hand_axis: ArrayLike | None = None
    about: ArrayLike | None = None
    keep: str = "position"
    outside: str = "raise"
    unmeasured: str = "flag"

    def check(self) -> None:
        """Refuse what no option has."""
        require_one_of("outside", self.outside, ("raise", "nearest", "nan"))
        require_one_of("unmeasured", self.unmeasured, ("flag", "refuse"))
        require_one_of("keep", self.keep, ("position", "orientation"))
        oriented = self.orientation is not None or self.hand_axis is not None
        require(self.keep == "position" or oriented, 'keep="orientation" needs an orientation or a hand_axis', BadValue)


def require_one_of(name: str, value: str, options: tuple[str, ...]) -> None:
    words = ", ".join(f'"{option}"' for option in options[:-1]) + f' or "{options[-1]}"'
    require(value in options, f"{name} is {words}", BadValue, **{name: value})


def read_goals(goal) -> np.ndarray:
    """Goals (..., 3) that an arm may have."""
    try:
        goal = real_numbers(goal, "a goal")
    except (BadShape, OverflowError, ValueError):
        raise BadShape(f"a goal is a point (..., 3) in metres; got {goal!r}") from None
    require(goal.ndim >= 1 and goal.shape[-1] == 3, "a goal is a point (..., 3) in metres", BadShape, shape=goal.shape)
    require(np.isfinite(goal).all(), "a goal must be finite", NotFinite)
    largest = float(np.abs(goal).max(initial=0.0))
    require(largest < FARTHEST, f"a goal of an arm is in metres, below {FARTHEST:g}", BadValue, largest=largest)
    return goal


def checked_radius(arm, radius) -> float:
    """A distance from elbow to goal [m]; the forearm if it is None."""
    radius = arm.lengths.forearm if radius is None else float(radius)
    require(
        np.isfinite(radius) and radius > 0,
        "the distance from elbow to goal must be positive",
        BadValue,
        distance=radius,
    )
    return radius


def asked_of_hand(orientation, hand_axis, about, shape) -> tuple[int, np.ndarray, tuple[float, float, float]]:
    """Mode, hand rotations (n, 9) and axis of the hand of what is asked of it."""
    require(orientation is None or hand_axis is None, "give either orientation or hand_axis, not both", BadValue)
    require(about is None or hand_axis is not None, "about is the axis of the hand that hand_axis directs", BadValue)
    count = int(np.prod(shape, dtype=int))
    if orientation is not None:
        turns = _for_goals(rotation_matrix(orientation, "orientation"), (*shape, 3, 3), "orientation")
        return FULL, for_kernels(turns.reshape(count, 9)), Z_AXIS
    if hand_axis is None:
        return FREE, np.tile(np.eye(3).ravel(), (count, 1)), Z_AXIS
    directions = _for_goals(np.asarray(hand_axis, float), (*shape, 3), "hand_axis")
    turns = axes_with_z(_unit(directions.reshape(count, 3), "hand_axis"))
    if about is None:
        return AXIS, for_kernels(turns.reshape(count, 9)), Z_AXIS
    axis = np.asarray(about, float)
    require(axis.shape == (3,), "about is one axis of the hand, (3,)", BadShape, shape=axis.shape)
    axis = _unit(axis[None], "about")
    turns = turns @ axes_with_z(axis)[0].T
    return SPIN, for_kernels(turns.reshape(count, 9)), (float(axis[0, 0]), float(axis[0, 1]), float(axis[0, 2]))


def _for_goals(x: np.ndarray, shape: tuple[int, ...], name: str) -> np.ndarray:
    """One for all goals, or one for each."""
    try:
        return np.broadcast_to(x, shape)
    except ValueError:
        words = f"give one {name} for all goals or one for each: shape {shape}"
        raise BadShape(f"{words}; got {x.shape}") from None


def _unit(direction: np.ndarray, name: str) -> np.ndarray:
    length = np.linalg.norm(direction, axis=1, keepdims=True)
    require((length > 1e-12).all() and np.isfinite(length).all(), f"{name} is a direction, not zero", BadValue)
    return direction / length
