"""Small C3D files of our own, in the byte order of any of the three processors that the format knows."""

import struct

import numpy as np

INTEL, DEC, MIPS = 84, 85, 86
BLOCK = 512


def real(x, processor):
    """The four bytes of a number: IEEE, or DEC's, whose exponent is 2 more and whose halves are swapped."""
    if processor == DEC:
        data = struct.pack("<f", x * 4)
        return data[2:] + data[:2]
    return struct.pack(">f" if processor == MIPS else "<f", x)


def whole(x, processor):
    return struct.pack(">H" if processor == MIPS else "<H", x & 0xFFFF)


def words(*texts):
    width = max(map(len, texts), default=0)
    return -1, (width, len(texts)), "".join(t.ljust(width) for t in texts).encode()


def numbers(values, processor, kind=4):
    array = np.asarray(values)
    write = real if kind == 4 else whole
    flat = array.ravel(order="F").tolist()
    return kind, array.shape, b"".join(write(x, processor) for x in flat)


def records(groups, processor):
    """Groups and their parameters, each with the distance to the next."""
    out = b""
    for k, (group, parameters) in enumerate(groups.items(), 1):
        out += struct.pack("bb", len(group), -k) + group.encode() + whole(3, processor) + b"\0"
        for name, (kind, shape, data) in parameters.items():
            inside = struct.pack("bB", kind, len(shape)) + bytes(shape) + data + b"\0"
            out += struct.pack("bb", len(name), k) + name.encode() + whole(2 + len(inside), processor) + inside
    return out + b"\0\0"


def c3d(points, labels, unit="mm", processor=INTEL, rate=50.0, analog=None, more=None):
    """Points (frames, n, 3) and analogue channels (frames, channels), one sample a frame, in numbers of 4 bytes."""
    points = np.asarray(points, float)
    frames, count = points.shape[:2]
    channels = np.zeros((frames, 0)) if analog is None else np.asarray(analog, float)
    width, p = channels.shape[1], processor
    about = {
        "USED": numbers(np.array(count), p, 2), "SCALE": numbers(np.array(-1.0), p), "RATE": numbers(np.array(rate), p),
        "DATA_START": numbers(np.array(5), p, 2), "FRAMES": numbers(np.array(frames), p, 2), "UNITS": words(unit),
    }  # fmt: skip
    about |= {"LABELS": words(*labels)} if labels is not None else {}
    used = {
        "USED": numbers(np.array(width), p, 2), "RATE": numbers(np.array(rate), p),
        "GEN_SCALE": numbers(np.array(1.0), p), "SCALE": numbers(np.ones(width), p),
        "OFFSET": numbers(np.zeros(width, int), p, 2), "LABELS": words(*(f"ch{k}" for k in range(width))),
        "UNITS": words(*("N",) * width),
    }  # fmt: skip
    body = bytes([1, 0x50, 3, p]) + records({"POINT": about, "ANALOG": used, **(more or {})}, p)
    assert len(body) <= 3 * BLOCK
    head = bytes([2, 0x50]) + b"".join(whole(x, p) for x in (count, width, 1, frames, 0))
    head += real(-1.0, p) + whole(5, p) + whole(1 if width else 0, p) + real(rate, p)
    rows = b"".join(
        b"".join(b"".join(real(x, p) for x in (*point, 0.0)) for point in points[t])
        + b"".join(real(x, p) for x in channels[t])
        for t in range(frames)
    )
    return head.ljust(BLOCK, b"\0") + body.ljust(3 * BLOCK, b"\0") + rows.ljust(-(-len(rows) // BLOCK) * BLOCK, b"\0")
