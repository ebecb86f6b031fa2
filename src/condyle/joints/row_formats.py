"""How a segment's poses and twists are written in the rows that kernels read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .kernels.layout import FACTOR_HEAD, FACTORS_AT, PLANE_FACTORS_AT, PLANE_HEAD

__all__ = ["PLANE", "SPACE", "RowForm", "split_twist"]


@dataclass(frozen=True)
class RowForm:
    """Where factors begin, how long their heads are, and the numbers of poses (rows, k) and twists (rows, m, head)."""

    factors_at: int
    head: int
    poses: Callable[[np.ndarray], np.ndarray]
    twists: Callable[[np.ndarray], np.ndarray]


def split_twist(twist: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Unit axis n, rate w, linear part v and 1/w of twists (..., 6); n = w = 1/w = 0 for a translation."""
    omega, v = twist[..., :3], twist[..., 3:]
    w = np.linalg.norm(omega, axis=-1)
    tiny = w < 1e-290
    iw = np.where(tiny, 0.0, 1.0 / np.where(tiny, 1.0, w))
    return omega * iw[..., None], np.where(tiny, 0.0, w), v, iw


def _space_poses(poses: np.ndarray) -> np.ndarray:
    return np.concatenate([poses[:, :3, :3].reshape(-1, 9), poses[:, :3, 3]], axis=1)


def _space_twists(twists: np.ndarray) -> np.ndarray:
    n, w, v, iw = split_twist(twists)
    return np.concatenate([n, w[..., None], v, iw[..., None]], axis=-1)


def _plane_poses(poses: np.ndarray) -> np.ndarray:
    return np.stack([poses[:, 0, 0], poses[:, 1, 0], poses[:, 0, 3], poses[:, 1, 3]], axis=1)


def _plane_twists(twists: np.ndarray) -> np.ndarray:
    n, w, v, iw = split_twist(twists)
    sign = n[..., 2]
    return np.stack([sign * w, v[..., 0], v[..., 1], sign * iw], axis=-1)


SPACE = RowForm(FACTORS_AT, FACTOR_HEAD, _space_poses, _space_twists)
PLANE = RowForm(PLANE_FACTORS_AT, PLANE_HEAD, _plane_poses, _plane_twists)
