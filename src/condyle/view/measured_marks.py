"""Measured markers beside those of a model: crosses where cameras saw them, and lines to where the model has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import BadValue, require
from ..formats.tables.marker_frames import Markers
from .geometry import typical_length

if TYPE_CHECKING:
    from ..model import Model

COLOR = (0.1, 0.35, 0.75)
SHARE = 0.08  # half a cross as a part of the typical distance between joints


def crosses(model: Model, seen: Markers, t: np.ndarray, poses: np.ndarray) -> np.ndarray:
    """Lines (T, k, 2, 3) at times t: three for each measured marker, and one from it to the model's of that name.

    A marker that was not seen shows nothing: its lines have no length.
    """
    good = len(seen.times) > 0 and seen.points.shape == (len(seen.times), len(seen.names), 3)
    require(good, "measured markers to draw have a place for each name at each time", BadValue)
    size = SHARE * typical_length(model)
    own = {m.name: m for m in model.markers}
    found = []
    for name, points in zip(seen.names, np.moveaxis(at_times(seen, t), 1, 0), strict=True):
        visible = np.isfinite(points).all(axis=1)
        if not visible.any():
            continue
        x, half = _held(points, visible), size * visible[:, None] * np.eye(3)[:, None, :]
        arms = np.stack([x - half, x + half], axis=2).swapaxes(0, 1)  # (T, 3, 2, 3)
        found.append(arms)
        if name in own:
            there = _model_place(model, own[name], poses)
            found.append(np.stack([x, np.where(visible[:, None], there, x)], axis=1)[:, None])
    require(found, "no measured marker is seen at a time of the motion", BadValue, from_=float(t[0]), to=float(t[-1]))
    return np.concatenate(found, axis=1)


def at_times(seen: Markers, t: np.ndarray) -> np.ndarray:
    """Markers (T, markers, 3) of the frames nearest to times; NaN where there is none within a frame's time."""
    step = float(np.median(np.diff(seen.times))) if len(seen.times) > 1 else np.inf
    nearest = np.abs(seen.times[None, :] - t[:, None]).argmin(axis=1)
    points = seen.points[nearest].copy()
    points[np.abs(seen.times[nearest] - t) > step] = np.nan
    return points


def _held(points: np.ndarray, visible: np.ndarray) -> np.ndarray:
    """Points (T, 3), where one was not seen the last that was, at first the first."""
    last = np.maximum.accumulate(np.where(visible, np.arange(len(points)), -1))
    return points[np.where(last < 0, np.argmax(visible), last)]


def _model_place(model: Model, marker, poses: np.ndarray) -> np.ndarray:
    if marker.body is None:
        return np.broadcast_to(marker.at, (len(poses), 3))
    X = poses[:, model.body_index(marker.body)]
    return X[:, :3, :3] @ marker.at + X[:, :3, 3]
