"""C3D files written byte by byte: points, analogue channels and force plates (floats, Intel order)."""

import struct

import numpy as np

BLOCK = 512


def _group(number, name):
    return struct.pack("<bb", len(name), -number) + name.encode() + struct.pack("<HB", 3, 0)


def _parameter(number, name, values):
    """Integers, floats or texts; arrays are stored with their first index running fastest."""
    if isinstance(values, (list, tuple)) and all(isinstance(x, str) for x in values):
        width = max(map(len, values), default=1)
        kind, shape, body = -1, (width, len(values)), "".join(x.ljust(width) for x in values).encode()
    else:
        array = np.asarray(values)
        whole = array.dtype.kind == "i"
        kind, shape = (2, array.shape) if whole else (4, array.shape)
        body = array.astype("<i2" if whole else "<f4").tobytes(order="F")
    data = struct.pack("<bB", kind, len(shape)) + bytes(shape) + body + b"\0"
    return struct.pack("<bb", len(name), number) + name.encode() + struct.pack("<H", 2 + len(data)) + data


def write_c3d(path, points, analog, *, rate=100.0, labels=None, units=None, plates=None, point_unit="mm"):
    """Points (T, markers, 3) in `point_unit`, analogue channels (channels, T · samples), and FORCE_PLATFORM."""
    frames, markers, _ = points.shape
    samples = analog.shape[1] // frames
    labels = labels or [f"M{k}" for k in range(markers)]
    groups = {
        "POINT": {
            "USED": np.int16(markers), "FRAMES": np.int16(frames), "SCALE": np.float32(-1.0), "RATE": np.float32(rate),
            "UNITS": [point_unit], "LABELS": labels, "DATA_START": np.int16(0),
        },
        "ANALOG": {
            "USED": np.int16(len(analog)), "RATE": np.float32(rate * samples), "GEN_SCALE": np.float32(1.0),
            "SCALE": np.ones(len(analog)), "OFFSET": np.zeros(len(analog), dtype="<i2"),
            "LABELS": [f"C{k}" for k in range(len(analog))], "UNITS": units or ["N"] * len(analog),
        },
        "FORCE_PLATFORM": plates or {"USED": np.int16(0)},
    }  # fmt: skip
    for _ in range(2):  # the place of the data is known after the first round
        body = b"".join(
            _group(n, name) + b"".join(_parameter(n, k, v) for k, v in content.items())
            for n, (name, content) in enumerate(groups.items(), 1)
        )
        blocks = -(-(len(body) + 6) // BLOCK)
        groups["POINT"]["DATA_START"] = np.int16(2 + blocks)
    parameters = (struct.pack("<BBBB", 1, 0x50, blocks, 84) + body).ljust(blocks * BLOCK, b"\0")
    header = struct.pack("<BBHHHHHfHHf", 2, 0x50, markers, len(analog) * samples, 1, frames, 0, -1.0, 2 + blocks,
                         samples, rate).ljust(BLOCK, b"\0")  # fmt: skip
    rows = np.concatenate([
        np.concatenate([points, np.zeros((frames, markers, 1))], axis=2).reshape(frames, -1),
        analog.reshape(len(analog), frames, samples).transpose(1, 2, 0).reshape(frames, -1),
    ], axis=1)  # fmt: skip
    path.write_bytes(header + parameters + rows.astype("<f4").tobytes())
    return path


def plate_group(kinds, corners, origins, channels, calibration=None):
    """FORCE_PLATFORM of plates with four corners (4, 3), an origin (3,) and channels (counted from 1) each."""
    width = max(len(c) for c in channels)
    rows = np.array([[*c, *[0] * (width - len(c))] for c in channels], dtype="<i2").T
    found = {
        "USED": np.int16(len(kinds)), "TYPE": np.array(kinds, dtype="<i2"), "ZERO": np.array([0, 0], dtype="<i2"),
        "CORNERS": np.stack([np.asarray(c, float).T for c in corners], axis=2),
        "ORIGIN": np.array(origins, dtype=float).T, "CHANNEL": rows,
    }  # fmt: skip
    return found | ({} if calibration is None else {"CAL_MATRIX": np.stack(calibration, axis=2)})
