"""Marker files C3D, read by ezc3d (the extra `mocap`)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..errors import BadFile, NotSupported
from .markers import Markers, metres_per

__all__ = ["read_c3d"]


def read_c3d(path) -> Markers:
    """Markers [m] of a C3D file; points that were not seen are NaN."""
    try:
        import ezc3d
    except ImportError:
        raise NotSupported("C3D files need the package ezc3d: install condyle[mocap].") from None
    if not Path(path).exists():
        raise BadFile(f"{path}: there is no such file.")
    try:
        content = ezc3d.c3d(str(path))
    except Exception as trouble:  # ezc3d raises plain RuntimeError and OSError with words of its own
        raise BadFile(f"{path}: not a C3D file: {trouble}") from None
    about = content["parameters"]["POINT"]
    unit = (about["UNITS"]["value"] or ["mm"])[0].strip() or "mm"
    points = np.moveaxis(content["data"]["points"][:3], (0, 1, 2), (2, 1, 0)) * metres_per(unit, path)
    points[np.all(points == 0.0, axis=-1)] = np.nan
    return Markers(tuple(about["LABELS"]["value"]), np.arange(len(points)) / float(about["RATE"]["value"][0]), points)
