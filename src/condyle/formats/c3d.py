"""Marker files C3D, read by ezc3d (the extra `mocap`) in a process of its own: a damaged file can crash it."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from ..errors import BadFile, NotSupported, require
from .files import existing
from .markers import Markers, metres_per

__all__ = ["read_c3d"]

LONGEST = 300  # [s]


def read_c3d(path) -> Markers:
    """Markers [m] of a C3D file; points that were not seen are NaN."""
    require(find_spec("ezc3d"), "C3D files need the package ezc3d: pip install ezc3d", NotSupported)
    content = _content(existing(path))
    unit, rate, names = str(content["unit"]).strip() or "mm", float(content["rate"]), tuple(content["labels"].tolist())
    points = np.moveaxis(content["points"][:3], (0, 1, 2), (2, 1, 0)) * metres_per(unit, path)
    good = 0 < rate < np.inf and len(names) == points.shape[1]
    require(good, f"{path}: a C3D file has a rate and a label for each point", BadFile, rate=rate, labels=len(names))
    points[np.all(points == 0.0, axis=-1)] = np.nan
    return Markers(names, np.arange(len(points)) / rate, points)


def _content(path: Path) -> dict[str, np.ndarray]:
    """What the other process found in the file."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "content.npz"
        command = [sys.executable, "-m", f"{__package__}.c3d_process", str(path.resolve()), str(out)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST)
        except subprocess.TimeoutExpired:
            raise BadFile(f"{path}: not a C3D file that can be read within {LONGEST} s") from None
        if done.returncode:
            said = done.stderr.strip().splitlines() or [f"its reader crashed (signal {-done.returncode})"]
            raise BadFile(f"{path}: not a C3D file: {said[-1]}")
        with np.load(out, allow_pickle=False) as stored:
            return dict(stored)
