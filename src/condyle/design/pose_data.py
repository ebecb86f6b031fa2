"""Measured poses as a fit wants them: checked row by row, missing and partial ones marked."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import BadCoordinates, BadShape, BadValue, TooFewPoses, require, warn
from ..spatial import SE3, as_pose
from ..spatial.arrays import floats

SAME = 1e-9  # of their whole range: coordinates nearer than this are one coordinate


@dataclass(frozen=True)
class PoseData:
    """The usable poses: matrices (N, 4, 4), which parts were measured, weights, and their rows in the input."""

    poses: np.ndarray
    turned: np.ndarray  # (N,) the rotation was measured
    placed: np.ndarray  # (N,) the position was measured
    weights: np.ndarray
    rows: np.ndarray
    count: int  # rows of the input, missing ones included

    def __len__(self) -> int:
        return len(self.poses)

    @property
    def whole(self) -> bool:
        """Whether no pose is partial."""
        return bool(self.turned.all() and self.placed.all())

    def __getitem__(self, index) -> PoseData:
        w, rows = self.weights[index], self.rows[index]
        return PoseData(self.poses[index], self.turned[index], self.placed[index], w, rows, self.count)

    def spread(self, values: np.ndarray) -> np.ndarray:
        """Values of the usable poses put back on the rows of the input, NaN elsewhere."""
        full = np.full((self.count, *values.shape[1:]), np.nan)
        full[self.rows] = values
        return full


def pose_data(poses, weights=None, what: str = "fit") -> PoseData:
    """Check poses (N, 4, 4) or an SE3 batch. NaN in the rotation or the position means: not measured."""
    T = np.array(poses.as_matrix() if isinstance(poses, SE3) else floats(poses, (4, 4), f"{what}: poses"))
    require(T.ndim == 3, f"{what}: poses must have shape (N, 4, 4)", BadShape, shape=T.shape)
    require(not np.isinf(T).any(), f"{what}: a pose holds infinity", BadValue)
    turned = np.asarray(~np.isnan(T[:, :3, :3]).any(axis=(1, 2)))
    placed = np.asarray(~np.isnan(T[:, :3, 3]).any(axis=1))
    T[~turned, :3, :3], T[~placed, :3, 3] = np.eye(3), 0.0
    T[np.isnan(T[:, 3, 3])] = filled(T[np.isnan(T[:, 3, 3])])
    T = as_pose(T, f"{what}: pose in row ")
    w = pose_weights(weights, len(T), what)
    keep = np.flatnonzero((turned | placed) & (w > 0))
    return PoseData(T[keep], turned[keep], placed[keep], w[keep], keep, len(T))


def filled(T: np.ndarray) -> np.ndarray:
    """The bottom row of poses that are NaN throughout."""
    T = T.copy()
    T[:, 3] = (0.0, 0.0, 0.0, 1.0)
    return T


def pose_weights(weights, count: int, what: str) -> np.ndarray:
    """One weight for each pose, not negative."""
    w = np.ones(count) if weights is None else np.asarray(weights, float)
    require(w.shape == (count,), f"{what}: one weight for each of {count} poses", BadShape, shape=w.shape)
    bad = np.flatnonzero(~(w >= 0) | np.isinf(w))
    require(len(bad) == 0, f"{what}: weights must be finite and not negative", rows=bad[:5].tolist())
    return w


def require_enough(data: PoseData, least: int, what: str) -> None:
    """Too few usable poses is an error that counts the unusable ones."""
    if len(data) < least:
        missing = data.count - len(data)
        lost = f" ({missing} of {data.count} rows are missing or have no weight)" if missing else ""
        raise TooFewPoses(f"{what}: at least {least} poses are needed; got {len(data)}{lost}. Measure more.")


def require_motion(data: PoseData, what: str) -> None:
    """Poses that are all the same make no joint."""
    moving = np.ptp(data.poses, axis=0).max(initial=0.0) > 0.0
    require(moving, f"{what}: the poses do not move; a weld needs no fit", TooFewPoses)


def finite_coordinates(q, data: PoseData, what: str) -> np.ndarray:
    """Coordinates of the usable poses, in the order of the rows: finite, else BadCoordinates with the rows."""
    q = np.asarray(q, float)
    require(q.shape == (data.count,), f"{what}: one coordinate for each of {data.count} poses", BadShape, shape=q.shape)
    q = q[data.rows]
    bad = data.rows[~np.isfinite(q)]
    require(len(bad) == 0, f"{what}: a pose needs a finite coordinate", BadCoordinates, rows=bad[:5].tolist())
    varies = len(q) == 0 or np.ptp(q) > 0
    require(varies, f"{what}: the coordinate is the same for every pose", BadCoordinates, coordinate=q[:1].tolist())
    return q


def distinct_coordinates(q: np.ndarray) -> np.ndarray:
    """Sorted coordinates without those that repeat the one before."""
    step = SAME * (q[-1] - q[0])
    return q[np.concatenate([[True], np.diff(q) > step])]


def repeated_rows(q: np.ndarray, data: PoseData) -> np.ndarray:
    """The rows (2,) of the first two poses that share a coordinate, for sorted q; empty if there are none."""
    same = np.flatnonzero(np.diff(q) <= SAME * (q[-1] - q[0]))
    return np.sort(data.rows[same[0] : same[0] + 2]) if len(same) else same


def warn_if_degrees(angles: np.ndarray, name: str) -> None:
    """Angles that look like degrees but are called radians get a warning."""
    largest = float(np.nanmax(np.abs(angles), initial=0.0))
    if largest > 4.0 * np.pi:
        warn(
            f"{name}: the largest angle is {largest:.4g}, more than two turns in radians. Are these degrees? "
            "Say so (units='deg')."
        )


def warn_if_millimeters(data: PoseData, C: np.ndarray, what: str) -> None:
    """Positions that move by more than 3 m, and by 3 times the metric's length, get a warning (a knee glides by mm)."""
    p = data.poses[data.placed, :3, 3]
    way = float(np.ptp(p, axis=0).max()) if len(p) else 0.0
    if way > 3.0 * max(1.0, 1.0 / C[5, 5]):
        warn(
            f"{what}: the positions move by {way:.3g} m. Are these millimetres? Divide them by 1000 "
            "(--position-units mm)."
        )
