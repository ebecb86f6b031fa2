"""Frames along closed curves: tangent to a plane curve, or tangent to a sphere."""

from __future__ import annotations

import numpy as np

from ..spatial.twists import pose_matrix

# The xy plane stood up: x stays, y becomes the world's z.
UPRIGHT = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]])


def _around(points: np.ndarray) -> np.ndarray:
    """Central differences along a closed row of points."""
    return np.roll(points, -1, axis=0) - np.roll(points, 1, axis=0)


def plane_frames(points) -> np.ndarray:
    """Frames (n, 4, 4) at points (n, 2) of a closed plane curve: x along the curve, z out of the plane."""
    points = np.asarray(points, float)
    tangent = _around(points)
    c, s = (tangent / np.linalg.norm(tangent, axis=1, keepdims=True)).T
    frames = np.tile(np.eye(4), (len(points), 1, 1))
    frames[:, 0, 0], frames[:, 0, 1], frames[:, 1, 0], frames[:, 1, 1] = c, -s, s, c
    frames[:, :2, 3] = points
    return frames


def sphere_frames(directions, radius: float) -> np.ndarray:
    """Frames (n, 4, 4) on a sphere about the origin along a closed row of directions: z radial, x along the curve.

    Any two of them differ by a turn about the centre, so a spline through them never leaves the sphere.
    """
    z = np.asarray(directions, float)
    z = z / np.linalg.norm(z, axis=1, keepdims=True)
    x = _around(z)
    x -= (x * z).sum(axis=1, keepdims=True) * z
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    return pose_matrix(np.stack([x, np.cross(z, x), z], axis=-1), radius * z)


def evenly_spaced(points, count: int) -> np.ndarray:
    """`count` points at equal distances along the closed polygon through the points."""
    closed = np.concatenate([points, np.asarray(points)[:1]])
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(closed, axis=0), axis=1))])
    at = np.linspace(0.0, along[-1], count, endpoint=False)
    return np.stack([np.interp(at, along, column) for column in closed.T], axis=1)


def smoothed(points, width: float) -> np.ndarray:
    """A closed row of points under a Gaussian of `width` points: its corners become round."""
    points = np.asarray(points, float)
    k = np.fft.fftfreq(len(points)) * 2.0 * np.pi
    gain = np.exp(-0.5 * (k * width) ** 2)[:, None]
    return np.fft.ifft(np.fft.fft(points, axis=0) * gain, axis=0).real
