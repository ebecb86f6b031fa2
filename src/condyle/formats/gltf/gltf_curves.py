"""Curves of glTF animations at any time."""

from __future__ import annotations

import numpy as np

from ...errors import BadFile, require
from .gltf_scene import Curve

SMALL = 1e-8  # sines below this are not divided by: a chord is as good as an arc


def curve_values(curve: Curve, t: np.ndarray) -> np.ndarray:
    """The values (T, k) of a curve; before its first and after its last key it stays."""
    times, rotation = curve.times, curve.path == "rotation"
    t = np.clip(t, times[0], times[-1])
    if curve.way == "STEP":
        return curve.values[np.searchsorted(times, t, side="right") - 1]
    if len(times) == 1:
        return np.tile(curve.values[1 if curve.way == "CUBICSPLINE" else 0], (len(t), 1))
    k = np.clip(np.searchsorted(times, t, side="right") - 1, 0, len(times) - 2)
    step = (times[k + 1] - times[k])[:, None]
    u = (t - times[k])[:, None] / step
    if curve.way == "CUBICSPLINE":
        x = _hermite(curve.values.reshape(len(times), 3, -1), k, u, step)
        return _normalized(x) if rotation else x
    a, b = curve.values[k], curve.values[k + 1]
    return slerp(a, b, u) if rotation else (1.0 - u) * a + u * b


def _hermite(x: np.ndarray, k: np.ndarray, u: np.ndarray, step: np.ndarray) -> np.ndarray:
    """The cubic through two values with the tangents that the file has for them."""
    u2, u3 = u * u, u * u * u
    return (
        (2 * u3 - 3 * u2 + 1) * x[k, 1] + (u3 - 2 * u2 + u) * step * x[k, 2]
        + (3 * u2 - 2 * u3) * x[k + 1, 1] + (u3 - u2) * step * x[k + 1, 0]
    )  # fmt: skip


def slerp(a: np.ndarray, b: np.ndarray, u: np.ndarray) -> np.ndarray:
    """Between unit quaternions (T, 4), at u (T, 1) from 0 to 1, the shorter way round."""
    b = np.where(np.sum(a * b, axis=-1, keepdims=True) < 0.0, -b, b)
    angle = 2.0 * np.arctan2(np.linalg.norm(b - a, axis=-1), np.linalg.norm(b + a, axis=-1))[:, None]
    sine = np.sin(angle)
    arc = sine > SMALL
    divisor = np.where(arc, sine, 1.0)
    first, second = np.sin((1.0 - u) * angle) / divisor, np.sin(u * angle) / divisor
    x = np.where(arc, first, 1.0 - u) * a + np.where(arc, second, u) * b
    return _normalized(x)


def _normalized(x: np.ndarray) -> np.ndarray:
    norms = np.linalg.norm(x, axis=-1, keepdims=True)
    require(np.all(norms > SMALL), "a spline of rotations goes through zero, which is no rotation", BadFile)
    return x / norms
