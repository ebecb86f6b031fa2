"""Marker files C3D, read by ezc3d (the extra `mocap`) in a process of its own: a damaged file can crash it.

What a file claims to hold is compared with its size before, and the process has limits of memory and time.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from ..errors import BadFile, NotSupported, require
from .c3d_claims import check_claims
from .markers import Markers, markers_of, meters_per
from .safe_files import existing, read_bytes
from .table import Table, kept_apart

__all__ = ["read_c3d", "read_c3d_table"]

LONGEST = 30.0  # [s] for a small file
LONGEST_PER_BYTE = 2e-6  # [s] more for a large one
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # each thread takes memory before any work


def read_c3d(path) -> Markers:
    """Markers [m] of a C3D file; points that were not seen are NaN."""
    return markers_of(read_c3d_table(path))


def read_c3d_table(path, *, truncated: str = "error") -> Table:
    """A C3D file as a table in its own unit: the time, and a column of three numbers for each marker.

    A file that is cut off is refused, whatever `truncated` says: its measurements may begin anywhere in it.
    """
    require(find_spec("ezc3d"), "C3D files need the package ezc3d: pip install ezc3d", NotSupported)
    path = existing(path)
    check_claims(read_bytes(path), str(path))
    content = _content(path)
    unit, rate, names = str(content["unit"]).strip() or "mm", float(content["rate"]), tuple(content["labels"].tolist())
    points = np.moveaxis(content["points"][:3], (0, 1, 2), (2, 1, 0)).astype(float)
    good = 0 < rate < np.inf and len(names) == points.shape[1]
    require(good, f"{path}: a C3D file has a rate and a label for each point", BadFile, rate=rate, labels=len(names))
    meters_per(unit, path)
    points[np.all(points == 0.0, axis=-1)] = np.nan
    columns = kept_apart(("time", *names), str(path), "marker")
    values = np.column_stack([np.arange(len(points)) / rate, points.reshape(len(points), 3 * len(names))])
    about = {"Units": unit, "DataRate": f"{rate:g}"}
    return Table(columns, values, (1, *(3,) * len(names)), None, unit, about, str(path))


def _content(path: Path) -> dict[str, np.ndarray]:
    """What the other process found in the file."""
    longest = LONGEST + LONGEST_PER_BYTE * path.stat().st_size
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "content.npz"
        command = [sys.executable, "-m", f"{__package__}.c3d_process", str(path.resolve()), str(out)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=longest, env=os.environ | ONE_THREAD)
        except subprocess.TimeoutExpired:
            raise BadFile(f"{path}: not a C3D file that can be read within {longest:.0f} s") from None
        if done.returncode:
            said = done.stderr.strip().splitlines() or [f"its reader crashed (signal {-done.returncode})"]
            raise BadFile(f"{path}: not a C3D file: {said[-1]}")
        with np.load(out, allow_pickle=False) as stored:
            return dict(stored)
