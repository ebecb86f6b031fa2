"""ConstantCurvatureJoint: a flexible rod that bends in an arc of a circle."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .... import joints
from ....joints import Joint
from ....joints.functions import from_callable, linear

RIGHT = 0.5 * np.pi  # the rod is known up to this, either way
ORDER, TOLERANCE = 10, 1e-12  # of the pieces
NEAR = 1e-3  # [rad]: a rod so straight is computed by series


def bent_rod(length: float, neutral: np.ndarray) -> Joint:
    """A rod along y, of a length [m]; its end is turned by Rx Rz Ry of the coordinates plus the neutral angles [rad].

    With u = R e_y and θ the angle between u and y, the end is at length · (u_x k, sin θ / θ, u_z k), k = tan(θ/2) / θ:
    products of two coordinates that are stored as polynomial pieces to 1e-12 of the length, and go on straight beyond
    a right angle.
    """
    box = tuple((-RIGHT - n, RIGHT - n) for n in neutral[:2])
    parts = [from_callable(_along(axis, length, neutral), box, (0, 1), TOLERANCE, ORDER) for axis in range(3)]
    slides = [(0, 0, 0, *direction) for direction in np.eye(3)]
    turns = [(1, 0, 0, 0, 0, 0), (0, 0, 1, 0, 0, 0), (0, 1, 0, 0, 0, 0)]
    angles = [linear(k, offset=float(n)) for k, n in enumerate(neutral)]
    return joints.product([*slides, *turns], [*parts, *angles], title="constant curvature")


def _along(axis: int, length: float, neutral: np.ndarray) -> Callable:
    """Where the end is along an axis, as a function of the first two coordinates."""

    def place(x, z):
        a, b = x + neutral[0], z + neutral[1]
        u = -np.sin(b), np.cos(a) * np.cos(b), np.sin(a) * np.cos(b)
        angle = np.arctan2(np.hypot(u[0], u[2]), u[1])
        return length * (_sine_ratio(angle) if axis == 1 else u[axis] * _bend(angle))

    return place


def _sine_ratio(angle):
    """sin θ / θ."""
    return np.sinc(angle / np.pi)


def _bend(angle):
    """tan(θ/2) / θ."""
    far = np.maximum(angle, NEAR)
    return np.where(angle < NEAR, 0.5 + angle**2 / 24 + angle**4 / 240, np.tan(0.5 * far) / far)
