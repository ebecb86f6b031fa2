"""Joints of one coordinate that OpenSim has no exact form of, as six SimmSplines, with how far these are off."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....errors import NotSupported, require
from ....joints import Joint, product
from ....joints.evaluate import pose_matrices
from ....joints.functions.simm_spline import simm_spline
from ....spatial.twists import pose_inverse
from .joint_axes import Axes
from .written_functions import Written, simm_element
from .xml_elements import angles

CLOSE = (1e-9, 1e-9)  # [m] and [rad]: no more points are taken
FEWEST, MOST = 33, 1025  # points of the splines
BETWEEN = 8  # places between two points at which errors are looked for
UPRIGHT = 1.4  # [rad] of the second angle: near a right angle its neighbours have no bound


@dataclass(frozen=True)
class Approximation:
    """How far a joint in a file is off, over a range of its coordinate.

    Attributes
    ----------
    joint : str
    coordinate : str
    range : tuple of two float
        Where it was looked at [rad or m]; beyond it the file goes on in another way.
    points : int
        Of each spline.
    millimeters, degrees : float
        The largest errors of the body's pose.
    millimeter_slope, degree_slope : float
        The largest errors of its rates, for a unit of the coordinate's rate.
    """

    joint: str
    coordinate: str
    range: tuple[float, float]
    points: int
    millimeters: float
    degrees: float
    millimeter_slope: float
    degree_slope: float

    def __str__(self) -> str:
        low, high = self.range
        return (
            f"joint {self.joint!r}: six splines of {self.points} points on {low:.6g} … {high:.6g} of "
            f"{self.coordinate!r}, within {self.millimeters:.1e} mm and {self.degrees:.1e}°, slopes within "
            f"{self.millimeter_slope:.1e} mm and {self.degree_slope:.1e}° per unit"
        )


def approximated(joint: Joint, name: str, coordinate: str, ends: tuple[float, float]) -> tuple[Axes, Approximation]:
    """Splines of the body's shift and angles from the middle of a range of the coordinate, and their errors."""
    low, high = _range(joint, ends, name)
    middle = pose_matrices(joint, np.array([0.5 * (low + high)]))
    count = FEWEST
    while True:
        x = np.linspace(low, high, count)
        y = _six(pose_inverse(middle) @ pose_matrices(joint, x[:, None]), name)
        found = _compared(joint, middle, x, y, name, coordinate)
        close = found.millimeters <= 1e3 * CLOSE[0] and found.degrees <= np.degrees(CLOSE[1])
        if close or 2 * count - 1 > MOST:
            break
        count = 2 * count - 1
    functions = [Written(simm_element(x, values), (0,)) for values in y.T]
    turns, shifts = (list(zip(np.eye(3), part, strict=True)) for part in (functions[:3], functions[3:]))
    return Axes(middle, turns, shifts, np.eye(4)), found


def _range(joint: Joint, ends: tuple[float, float], name: str) -> tuple[float, float]:
    """The range of the coordinate inside the domain of the joint."""
    low, high = max(ends[0], joint.domain[0][0]), min(ends[1], joint.domain[0][1])
    good = np.isfinite([low, high]).all() and low < high
    words = f"joint {name!r}: to be approximated, its coordinate needs a range; give one with set_range"
    require(good, words, NotSupported, low=low, high=high)
    return float(low), float(high)


def _six(poses: np.ndarray, name: str) -> np.ndarray:
    """Angles about x, y and z, then the shift, of poses (n, 4, 4)."""
    turned = angles(poses[:, :3, :3])
    good = np.abs(turned[:, 1]).max() < UPRIGHT
    words = f"joint {name!r} turns too far for OpenSim's angles: the second one comes near a right angle"
    require(good, words, NotSupported)
    return np.concatenate([np.unwrap(turned, axis=0), poses[:, :3, 3]], axis=1)


def _compared(
    joint: Joint, middle: np.ndarray, x: np.ndarray, y: np.ndarray, name: str, coordinate: str
) -> Approximation:
    """The splines against the joint, between all their points."""
    twists = np.concatenate([np.eye(6)[3:], np.eye(6)[:3]])
    splines = [simm_spline(x, values) for values in (*y.T[3:], *y.T[:3])]
    there = product(twists, splines, pose=middle)
    q = np.unique(np.linspace(x[0], x[-1], BETWEEN * (len(x) - 1) + 1))[:, None]
    gap = pose_inverse(pose_matrices(joint, q)) @ pose_matrices(there, q)
    rates = joint.jacobian(q)[..., 0] - there.jacobian(q)[..., 0]
    turn = 2.0 * np.arcsin(np.minimum(1.0, np.linalg.norm(gap[:, :3, :3] - np.eye(3), axis=(1, 2)) / np.sqrt(8.0)))
    return Approximation(
        name, coordinate, (float(x[0]), float(x[-1])), len(x),
        millimeters=1e3 * float(np.linalg.norm(gap[:, :3, 3], axis=1).max()),
        degrees=float(np.degrees(turn.max())),
        millimeter_slope=1e3 * float(np.linalg.norm(rates[:, 3:], axis=1).max()),
        degree_slope=float(np.degrees(np.linalg.norm(rates[:, :3], axis=1).max())),
    )  # fmt: skip
