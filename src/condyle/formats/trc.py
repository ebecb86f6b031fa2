"""Marker files TRC: five header lines, then frame, time and three coordinates for each marker, tab-separated."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..errors import BadFile
from .files import read_text, write_text
from .markers import Markers, metres_per

__all__ = ["read_trc", "write_trc"]


def read_trc(path) -> Markers:
    """Markers [m] of a TRC file; empty fields are missing."""
    lines = read_text(path).splitlines()
    if len(lines) < 6 or not lines[0].startswith("PathFileType"):
        raise BadFile(f"{path}: not a TRC file: the first of its five header lines must begin with 'PathFileType'.")
    about = dict(zip(lines[1].split("\t"), lines[2].split("\t"), strict=False))
    names = tuple(n.strip() for n in lines[3].split("\t")[2::3] if n.strip())
    rows = np.array([_numbers(line, names, k, path) for k, line in enumerate(lines[5:]) if line.strip()])
    scale = metres_per(about.get("Units", "mm").strip(), path)
    return Markers(names, rows[:, 1], scale * rows[:, 2:].reshape(len(rows), len(names), 3))


def _numbers(line: str, names, index: int, path) -> list[float]:
    width = 2 + 3 * len(names)
    fields = line.rstrip("\r\n").split("\t")[:width]
    fields += [""] * (width - len(fields))
    try:
        return [float(f) if f.strip() else np.nan for f in fields]
    except ValueError:
        raise BadFile(f"{path}: row {index} holds something that is not a number: {line[:60]!r}.") from None


def write_trc(markers: Markers, path, rate: float = 100.0) -> None:
    """In metres."""
    count, names = len(markers.times), markers.names
    head = [
        f"PathFileType\t4\t(X/Y/Z)\t{Path(path).name}",
        "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames",
        f"{rate:g}\t{rate:g}\t{count}\t{len(names)}\tm\t{rate:g}\t1\t{count}",
        "Frame#\tTime\t" + "\t\t\t".join(names),
        "\t\t" + "\t".join(f"{a}{k + 1}" for k in range(len(names)) for a in "XYZ"),
    ]
    rows = [
        f"{k + 1}\t{t!r}\t" + "\t".join("" if np.isnan(x) else repr(float(x)) for x in p.ravel())
        for k, (t, p) in enumerate(zip(markers.times.tolist(), markers.points, strict=True))
    ]
    write_text(path, "\n".join([*head, *rows]) + "\n")
