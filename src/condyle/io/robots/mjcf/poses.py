"""Poses as MJCF writes them: a place, and an orientation in one of five ways."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

from ....errors import BadFile, require
from ....formats.mjcf.attributes import Attributes
from ....spatial.twists import pose_matrix

WAYS = ("axisangle", "xyaxes", "zaxis", "euler", "quat")


class Angles:
    """What a file means by angles: degrees or radians, and the order of Euler's."""

    def __init__(self, degrees: bool = True, sequence: str = "xyz") -> None:
        self.unit = np.pi / 180.0 if degrees else 1.0
        self.sequence = sequence

    def rotation(self, attributes: Attributes) -> np.ndarray:
        """The orientation (3, 3) of an element."""
        way = next((w for w in WAYS if attributes.has(w)), None)
        if way is None:
            return np.eye(3)
        values = np.array(attributes.numbers(way, {"xyaxes": 6, "zaxis": 3, "euler": 3}.get(way, 4)))
        R = getattr(self, f"_{way}")(values)
        require(R is not None, f"{attributes.where}: {way} must not be zero or collinear", BadFile, got=values.tolist())
        return R

    def pose(self, attributes: Attributes) -> np.ndarray:
        """The pose (4, 4) of an element."""
        place = attributes.numbers("pos", 3, default=(0.0, 0.0, 0.0))
        return pose_matrix(self.rotation(attributes), np.array(place))

    def _quat(self, q: np.ndarray) -> np.ndarray | None:
        return quaternion_matrix(q)

    def _axisangle(self, a: np.ndarray) -> np.ndarray | None:
        axis = unit(a[:3])
        return None if axis is None else Rotation.from_rotvec(axis * a[3] * self.unit).as_matrix()

    def _euler(self, angles: np.ndarray) -> np.ndarray:
        """Small letters turn about axes that have turned before, capitals about fixed ones."""
        R = np.eye(3)
        for letter, angle in zip(self.sequence, angles * self.unit, strict=True):
            turn = Rotation.from_rotvec(angle * np.eye(3)["xyz".index(letter.lower())]).as_matrix()
            R = R @ turn if letter.islower() else turn @ R
        return R

    def _xyaxes(self, axes: np.ndarray) -> np.ndarray | None:
        x = unit(axes[:3])
        y = None if x is None else unit(axes[3:] - x * (x @ axes[3:]))
        return None if x is None or y is None else np.stack([x, y, np.cross(x, y)], axis=1)

    def _zaxis(self, z: np.ndarray) -> np.ndarray | None:
        return turned_z(z)


def quaternion_matrix(wxyz: np.ndarray) -> np.ndarray | None:
    """The rotation of a quaternion of any length; None if it is zero."""
    return Rotation.from_quat(wxyz[[1, 2, 3, 0]]).as_matrix() if np.linalg.norm(wxyz) > 0.0 else None


def unit(x: np.ndarray) -> np.ndarray | None:
    """The direction of a vector; None if it has none."""
    length = np.linalg.norm(x)
    return x / length if np.isfinite(length) and length > 1e-14 else None


def turned_z(vector: np.ndarray) -> np.ndarray | None:
    """The least rotation that takes z to a direction, or a half turn about x."""
    z = unit(vector)
    if z is None:
        return None
    across = np.cross((0.0, 0.0, 1.0), z)
    sine = float(np.linalg.norm(across))
    axis = across / sine if sine > 1e-14 else np.array([1.0, 0.0, 0.0])
    return Rotation.from_rotvec(axis * np.arctan2(sine, z[2])).as_matrix()
