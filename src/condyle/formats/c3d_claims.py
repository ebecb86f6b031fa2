"""What a C3D file claims to hold, compared with its size: header and parameters of a damaged file can claim anything.

A file has blocks of 512 bytes: a header, the parameters (groups of named arrays), the measurements.
"""

from __future__ import annotations

import math
import struct

from ..errors import BadFile, require

__all__ = ["check_claims"]

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
