"""A slider for every coordinate; three angles for a quaternion, three lengths more for a free body."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.spatial.transform import Rotation

from ...model import Model

if TYPE_CHECKING:
    from .model_viewer import Viewer


@dataclass(frozen=True)
class Dial:
    """One number of a posture with a slider: how to read it, and how to write it."""

    name: str
    low: float
    high: float
    read: Callable[[np.ndarray], float]
    write: Callable[[np.ndarray, float], None]


def dials(model: Model, reach: float) -> list[Dial]:
    """Dials of all coordinates that can move; `reach` [m] is how far a free body is moved."""
    quaternions = {at for at, _, _ in model.quaternions}
    out = []
    for name in model.coordinates:
        at = model.q_index(name)
        if at not in quaternions:
            low, high = shown_range(model, name)
            out += [_plain(name, at, low, high)] if low < high else []  # a range of no width leaves nothing to turn
            continue
        out += [_angle(name, at, axis) for axis in range(3)]
        if at in model.free_quaternions:
            out += [_plain(f"{name} {'xyz'[k]} [m]", at + 4 + k, -reach, reach) for k in range(3)]
    return out


def shown_range(model: Model, name: str) -> tuple[float, float]:
    """The range of a slider: the coordinate's, cut at a half turn or metre each way where it has none."""
    low, high = (float(x) for x in model.range_of(name))
    low = low if np.isfinite(low) else (high - 2 * np.pi if np.isfinite(high) else -np.pi)
    return low, high if np.isfinite(high) else low + 2 * np.pi


def _plain(name: str, at: int, low: float, high: float) -> Dial:
    return Dial(name, low, high, lambda q: float(q[at]), lambda q, x: q.__setitem__(at, x))


def _angle(name: str, at: int, axis: int) -> Dial:
    """A turn about x, then y, then z [rad]."""

    def read(q: np.ndarray) -> float:
        return float(Rotation.from_quat(q[at : at + 4], scalar_first=True).as_euler("XYZ")[axis])

    def write(q: np.ndarray, x: float) -> None:
        angles = Rotation.from_quat(q[at : at + 4], scalar_first=True).as_euler("XYZ")
        angles[axis] = x
        q[at : at + 4] = Rotation.from_euler("XYZ", angles).as_quat(scalar_first=True)

    high = 0.5 * np.pi - 1e-3 if axis == 1 else np.pi  # at a quarter turn about y the other two are one
    return Dial(f"{name} turn {'xyz'[axis]}", -high, high, read, write)


class Sliders:
    """The folder "Coordinates"."""

    def __init__(self, viewer: Viewer, reach: float) -> None:
        self.viewer, self.dials, self.handles = viewer, dials(viewer.model, reach), {}
        self._quiet = False
        with viewer.server.gui.add_folder("Coordinates", expand_by_default=len(self.dials) <= 12):
            for dial in self.dials:
                self.handles[dial.name] = self._slider(dial)

    def _slider(self, dial: Dial) -> Any:
        value = float(np.clip(dial.read(self.viewer.q), dial.low, dial.high))
        gui = self.viewer.server.gui
        slider = gui.add_slider(dial.name, dial.low, dial.high, (dial.high - dial.low) / 1000, value)
        slider.on_update(lambda event: self._slid(dial))
        return slider

    def _slid(self, dial: Dial) -> None:
        """Show the posture after a slider was moved in the page."""
        if self._quiet:
            return
        with self.viewer.lock:
            self.viewer.pause()
            q = self.viewer.q.copy()
            dial.write(q, self.handles[dial.name].value)
            self.viewer.place(q)
            self.viewer.handle.follow()

    def follow(self) -> None:
        """Set the sliders to the posture of the viewer without calling `_slid`."""
        self._quiet = True
        for dial in self.dials:
            value = float(np.clip(dial.read(self.viewer.q), dial.low, dial.high))
            if self.handles[dial.name].value != value:
                self.handles[dial.name].value = value
        self._quiet = False
