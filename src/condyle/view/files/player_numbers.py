"""Numbers of a player's page: arrays as base64 text, places and curves as whole numbers between their ends."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

HIGHEST = 65535  # of two bytes


def floats(array: np.ndarray) -> str:
    """Four bytes each."""
    return text_of(np.ascontiguousarray(array, dtype="<f4"))


def text_of(array: np.ndarray) -> str:
    """The bytes of an array."""
    return base64.b64encode(array.tobytes()).decode()


def whole_numbers(points: np.ndarray) -> tuple[str, dict[str, Any]]:
    """Points (..., 3) as whole numbers from 0 to 65535 between the least and the greatest, and these."""
    flat = points.reshape(-1, 3)
    low, high = flat.min(axis=0), flat.max(axis=0)
    size = np.maximum(high - low, 1e-12)
    numbers = np.round(HIGHEST * (points - low) / size).astype("<u2")
    return text_of(numbers), {"low": low.tolist(), "size": size.tolist()}


def curve(values: np.ndarray) -> dict[str, Any]:
    """A curve (T,) in the same way; what is no number is where the curve was before."""
    known = np.isfinite(values)
    if not known.any():
        values, known = np.zeros(len(values)), np.ones(len(values), dtype=bool)
    held = values[np.maximum(np.maximum.accumulate(np.where(known, np.arange(len(values)), -1)), int(np.argmax(known)))]
    low, size = float(held.min()), float(np.ptp(held))
    numbers = np.round(HIGHEST * (held - low) / max(size, 1e-300)).astype("<u2")
    return {"v": text_of(numbers), "low": low, "size": size}


def turns(wxyz: np.ndarray) -> str:
    """Unit quaternions, each number in two bytes."""
    return text_of(np.round(32767.0 * wxyz).astype("<i2"))
