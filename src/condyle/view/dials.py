"""What sliders move, with units: coordinates, turns of quaternions, places of free bodies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from ..model import Model
from ..model.motion_types import COUPLED, ROTATIONAL, TRANSLATIONAL, motion_type

DEGREES, METERS = "°", "m"
TITLES = {DEGREES: "angles [°]", METERS: "lengths [m]", "": "coordinates without a unit"}
UNITS = {ROTATIONAL: DEGREES, TRANSLATIONAL: METERS, COUPLED: ""}


def units_of(model: Model) -> dict[str, str]:
    """In what each coordinate that is a number of its own is shown: degrees, metres, or as it is (a spline's)."""
    places = zip(model.coordinates, model.coordinate_places, strict=True)
    plain = [(name, model.bodies[p.body].joint, p.coordinate) for name, p in places if p.widths == (1, 1)]
    return {name: UNITS[model.motion_types.get(name) or motion_type(joint, c)] for name, joint, c in plain}


@dataclass(frozen=True)
class Dial:
    """One number of a posture with a slider: how to read it, and how to write it.

    Attributes
    ----------
    name, unit : str
        The unit is that of what people are shown: degrees for an angle, empty where none is known.
    low, high : float
        Ends of the slider [rad, m].
    at, turn : int
        Where it stands in q; of a quaternion that begins there, which of its turns, else −1.
    read, write : callable
    """

    name: str
    unit: str
    low: float
    high: float
    at: int
    turn: int
    read: Callable[[np.ndarray], float]
    write: Callable[[np.ndarray, float], None]


def dials(model: Model, reach: float) -> list[Dial]:
    """Dials of all coordinates that can move; `reach` [m] is how far a free body is moved."""
    quaternions, units = {at for at, _, _ in model.quaternions}, units_of(model)
    out = []
    for name in model.coordinates:
        at = model.q_index(name)
        if at not in quaternions:
            low, high = shown_range(model, name)
            if low < high:  # a range of no width leaves nothing to turn
                out.append(_plain(name, units[name], at, low, high))
            continue
        out += [_angle(name, at, axis) for axis in range(3)]
        if at in model.free_quaternions:
            out += [_plain(f"{name} {'xyz'[k]} [m]", METERS, at + 4 + k, -reach, reach) for k in range(3)]
    return out


def shown_range(model: Model, name: str) -> tuple[float, float]:
    """The range of a slider: the coordinate's, cut at a half turn or metre each way where it has none."""
    low, high = (float(x) for x in model.range_of(name))
    low = low if np.isfinite(low) else (high - 2 * np.pi if np.isfinite(high) else -np.pi)
    return low, high if np.isfinite(high) else low + 2 * np.pi


def _plain(name: str, unit: str, at: int, low: float, high: float) -> Dial:
    return Dial(name, unit, low, high, at, -1, lambda q: float(q[at]), lambda q, x: q.__setitem__(at, x))


def _angle(name: str, at: int, axis: int) -> Dial:
    """A turn about x, then y, then z [rad]."""

    def read(q: np.ndarray) -> float:
        return float(Rotation.from_quat(q[at : at + 4], scalar_first=True).as_euler("XYZ")[axis])

    def write(q: np.ndarray, x: float) -> None:
        angles = Rotation.from_quat(q[at : at + 4], scalar_first=True).as_euler("XYZ")
        angles[axis] = x
        q[at : at + 4] = Rotation.from_euler("XYZ", angles).as_quat(scalar_first=True)

    high = 0.5 * np.pi - 1e-3 if axis == 1 else np.pi  # at a quarter turn about y the other two are one
    return Dial(f"{name} turn {'xyz'[axis]}", DEGREES, -high, high, at, axis, read, write)
