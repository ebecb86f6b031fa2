"""The states of a directed motion between its records, with the accelerations that belong to them."""

from __future__ import annotations

import numpy as np
from scipy.interpolate import CubicHermiteSpline

from ...dynamics.coordinate_differences import coordinate_rates
from ...model import Model
from ...simulation.control_at_stages import unit
from ...spatial.quaternions import conjugate, multiply, rotation_from_quaternion

SAME = 1e-9  # [s] within which a time is that of a record


class PlannedPath:
    """Between two records the cubic through their poses with their velocities.

    Poses, velocities and accelerations are derivatives of each other, so a controller that follows all three leaves no
    error behind; and an acceleration that jumps at a record, as where a contact begins, jumps there and nowhere else.
    """

    def __init__(self, model: Model, t: np.ndarray, q: np.ndarray, v: np.ndarray) -> None:
        self.model, self.t = model, t
        self._path = CubicHermiteSpline(t, q, coordinate_rates(model, q, v))

    def at(self, t: float, *, ending: bool = False) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """q (nq,), v and a (nv,) at a time; at a record those that begin there, or with `ending` that end there."""
        k = int(np.searchsorted(self.t, t - SAME if ending else t + SAME, side="right")) - 1
        k = min(max(k, 0), len(self.t) - 2)
        x = min(max(t, self.t[0]), self.t[-1]) - self.t[k]
        c = self._path.c[:, k]
        q = ((c[0] * x + c[1]) * x + c[2]) * x + c[3]
        rate, curvature = (3.0 * c[0] * x + 2.0 * c[1]) * x + c[2], 6.0 * c[0] * x + 2.0 * c[1]
        v, a = motion_along(self.model, q, rate, curvature)
        return unit(self.model, q[None])[0], v, a


def motion_along(model: Model, q: np.ndarray, rate: np.ndarray, curvature: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """v and v̇ (nv,) of poses q (nq,) with q̇ and q̈; the norms of quaternions, and how they change, are divided out."""
    v, a = np.zeros(model.nv), np.zeros(model.nv)
    plain_q, plain_v = model.plain_places
    v[plain_v], a[plain_v] = rate[plain_q], curvature[plain_q]
    for at, k, _ in model.quaternions:
        turn, spin = slice(at, at + 4), slice(k, k + 3)
        back = conjugate(q[turn]) / (q[turn] @ q[turn])
        first, second = multiply(back, rate[turn]), multiply(back, curvature[turn])
        v[spin], a[spin] = 2.0 * first[1:], 2.0 * second[1:] - 4.0 * first[0] * first[1:]
        if at in model.free_quaternions:
            shift, slide, R = slice(at + 4, at + 7), slice(k + 3, k + 6), rotation_from_quaternion(q[turn])
            v[slide] = rate[shift] @ R
            a[slide] = curvature[shift] @ R - np.cross(v[spin], v[slide])
    return v, a
