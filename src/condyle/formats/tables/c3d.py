"""Marker files C3D, read by ezc3d in a process of its own: a damaged file can crash it.

What a file claims to hold is compared with its size before, and the process has limits of memory and time.
"""

from __future__ import annotations

import math
import os
import struct
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from ...errors import BadFile, NotSupported, amount, require
from ..doubts import doubt
from ..safe_files import existing, read_bytes, require_plain
from .marker_frames import Markers, markers_of, meters_per, whole_unit
from .table import Table, kept_apart

NEEDS = (
    "C3D files need ezc3d, which comes with condyle where it has wheels (not for Linux on ARM); "
    "build it there, or bring it back, by pip install ezc3d"
)
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
    require(find_spec("ezc3d"), NEEDS, NotSupported)
    path = require_plain(existing(path))
    check_claims(read_bytes(path), str(path))
    content = _content(path)
    if content["points"].shape[1] == 0 and content["analog"].size:
        return _channels(content, path)
    unit, rate = str(content["unit"]).strip() or "mm", float(content["rate"])
    points = np.moveaxis(content["points"][:3], (0, 1, 2), (2, 1, 0)).astype(float)
    require(0 < rate < np.inf, f"{path}: a C3D file has a rate (POINT:RATE)", BadFile, rate=rate)
    names = _labels(content["labels"].tolist(), points.shape[1], "points", path)
    unit = whole_unit(unit, path)
    meters_per(unit, path)
    points[np.all(points == 0.0, axis=-1)] = np.nan
    columns = kept_apart(("time", *names), str(path), "marker")
    values = np.column_stack([np.arange(len(points)) / rate, points.reshape(len(points), 3 * len(names))])
    about = {"Units": unit, "DataRate": f"{rate:g}"}
    return Table(columns, values, (1, *(3,) * len(names)), None, unit, about, str(path))


def _labels(labels: list[str], count: int, what: str, path: Path) -> tuple[str, ...]:
    """A name for each point or channel: the format lets the last be without one, and has labels to spare."""
    if len(labels) == count:
        return tuple(labels)
    made = [f"{what.removesuffix('s')} {k + 1}" for k in range(len(labels), count)]
    called = f"the others are called {made[0]!r} and so on" if made else "the last are not used"
    doubt(f"{path}: {amount(len(labels), 'label')} of {amount(count, what.removesuffix('s'))}; {called}")
    return (*labels[:count], *made)


def _channels(content: dict[str, np.ndarray], path: Path) -> Table:
    """A file without points, such as of force plates alone, as a table of its analogue channels."""
    rate, values = content["analog_rate"].ravel(), content["analog"].T
    good = rate.size == 1 and 0 < rate[0] < np.inf
    require(good, f"{path}: analogue channels need a rate (ANALOG:RATE)", BadFile, rate=rate.tolist())
    names = _labels(content["analog_labels"].tolist(), values.shape[1], "channels", path)
    about = {"DataRate": f"{rate[0]:g}", "ChannelUnits": " ".join(content["analog_units"].tolist())}
    times = np.arange(len(values)) / rate[0]
    columns = kept_apart(("time", *names), str(path), "channel")
    return Table(columns, np.column_stack([times, values]), (1,) * len(columns), None, None, about, str(path))


@dataclass(frozen=True, eq=False)
class PlateChannels:
    """What a C3D file says of its force plates: analogue channels, and the parameters of FORCE_PLATFORM as arrays.

    Attributes
    ----------
    rate : float
        Samples in a second [1/s].
    values : ndarray, shape (channels, samples)
        Scaled.
    units : tuple of str
        Of the channels, as the file has them.
    meters : float
        Metres in the unit of length of the file.
    parameters : dict of str to ndarray
        By their names: USED, TYPE, CORNERS (3, 4, plates), ORIGIN (3, plates), CHANNEL, CAL_MATRIX.
    path : str
    """

    rate: float
    values: np.ndarray
    units: tuple[str, ...]
    meters: float
    parameters: dict[str, np.ndarray]
    path: str


def read_c3d_plates(path) -> PlateChannels:
    """Analogue channels and the parameters of force plates of a C3D file."""
    require(find_spec("ezc3d"), NEEDS, NotSupported)
    path = require_plain(existing(path))
    check_claims(read_bytes(path), str(path))
    content = _content(path)
    found = {name.removeprefix("plate_"): x for name, x in content.items() if name.startswith("plate_")}
    used = found.get("USED", np.zeros(1)).ravel()
    require(used.size and used[0] > 0, f"{path}: it has no force plates (FORCE_PLATFORM:USED)", BadFile)
    rate = content["analog_rate"].ravel()
    good = rate.size == 1 and 0 < rate[0] < np.inf and content["analog"].size
    require(good, f"{path}: force plates need analogue channels with a rate (ANALOG:RATE)", BadFile, rate=rate.tolist())
    unit = meters_per(whole_unit(str(content["unit"]).strip() or "mm", path), path)
    units = tuple(content["analog_units"].tolist())
    return PlateChannels(float(rate[0]), content["analog"], units, unit, found, str(path))


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


BLOCK = 512
MARK = 0x50
BYTE_ORDERS = {84: "<", 85: "<", 86: ">"}  # Intel, DEC, MIPS
SIZES = {-1: 1, 1: 1, 2: 2, 4: 4}  # [bytes] of the types: letters, bytes, integers, floats
MOST_DIMENSIONS = 7


def check_claims(data: bytes, path: str) -> None:
    """Refuse a file whose header or parameters speak of more than the file can hold."""
    require(len(data) >= 2 * BLOCK and data[1] == MARK, f"{path}: not a C3D file: it does not begin like one", BadFile)
    start = BLOCK * (data[0] - 1)
    inside = BLOCK <= start <= len(data) - BLOCK
    require(inside, f"{path}: not a C3D file: its parameters begin at byte {start} of {len(data)}", BadFile)
    processor = data[start + 3]
    require(processor in BYTE_ORDERS, f"{path}: not a C3D file: unknown kind of processor", BadFile, got=processor)
    order = BYTE_ORDERS[processor]
    _check_header(data, order, path)
    _check_parameters(data, start + 4, order, path)


def _check_header(data: bytes, order: str, path: str) -> None:
    """Frames of points (four numbers) and analog samples, of at least two bytes each, must fit behind their start."""
    points, analog, first, last = struct.unpack_from(f"{order}4H", data, 2)
    (block,) = struct.unpack_from(f"{order}H", data, 16)
    frames = max(last - first + 1, 0)  # the count of a long recording may have gone round
    claimed = 2 * frames * (4 * points + analog)
    there = len(data) - BLOCK * (block - 1)
    message = (
        f"{path}: not a whole C3D file: its header claims {frames} frames of {points} points, {claimed} bytes or more"
    )
    require(block >= 1 and claimed <= there, message, BadFile, bytes=max(there, 0))


def _check_parameters(data: bytes, at: int, order: str, path: str) -> None:
    """Each record: length of its name, group, name, distance to the next record, and the array of a parameter."""
    while at + 2 <= len(data):
        name_length, group = struct.unpack_from("bb", data, at)
        link = at + 2 + abs(name_length)
        if name_length == 0 or link + 2 > len(data):
            return
        (distance,) = struct.unpack_from(f"{order}H", data, link)
        if group > 0:
            _check_array(data, link + 2, data[at + 2 : link], path)
        if distance == 0:
            return
        at = link + distance


def _check_array(data: bytes, at: int, name: bytes, path: str) -> None:
    """The type, the number of dimensions, the dimensions; then the elements, which must be in the file."""
    said = f"{path}: not a C3D file: its parameter {name.decode('latin-1')!r}"
    require(at + 2 <= len(data), f"{said} lies beyond its end", BadFile)
    kind, dimensions = struct.unpack_from("bB", data, at)
    good = kind in SIZES and dimensions <= MOST_DIMENSIONS and at + 2 + dimensions <= len(data)
    require(good, f"{said} has an unknown type or too many dimensions", BadFile, got=(kind, dimensions))
    claimed = SIZES[kind] * math.prod(data[at + 2 : at + 2 + dimensions])
    there = len(data) - at - 2 - dimensions
    require(claimed <= there, f"{said} claims {claimed} bytes", BadFile, bytes=there)
