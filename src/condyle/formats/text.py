"""Text of measured files as laboratories write it: several encodings, every kind of line end."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from ..errors import BadFile, warn
from .safe_files import read_bytes

MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
OLD = "cp1252"  # Western Windows, what is not UTF-8 in a laboratory


@dataclass(frozen=True)
class Lines:
    """The lines of a text without their ends; `ended` says whether the last one had an end of its own."""

    lines: list[str]
    ended: bool


def read_measured_text(path) -> str:
    """The text of a file of measurements: UTF-8, UTF-16 with its mark, or else Windows-1252, with a warning."""
    data = read_bytes(path)
    for mark, encoding in MARKS:
        if data.startswith(mark):
            return _decoded(data[len(mark) :], encoding, path)
    data = _without_padding(data, path)
    if b"\0" in data:
        raise BadFile(f"{path}: not a text file (byte {data.index(0)} is 0)")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        text = data.decode(OLD, errors="replace")
        message = f"{path}: not UTF-8 (byte {error.start}); read as Windows-1252, so names may have wrong letters"
        warn(message)
        return text


def _without_padding(data: bytes, path) -> bytes:
    """The bytes without zeros at their end, which programs leave that write whole blocks, or were stopped."""
    text = data.rstrip(b"\0")
    if text and len(text) < len(data):
        warn(f"{path}: {len(data) - len(text)} bytes at its end are 0 and left out; compare its end with the source")
    return text or data


def _decoded(data: bytes, encoding: str, path) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise BadFile(f"{path}: not a text file in {encoding.upper()} (byte {error.start}), as its mark says") from None


def split_lines(text: str) -> Lines:
    """Lines that end with a line feed, a carriage return or both; the mark that DOS puts at the end is left out."""
    lines = text.rstrip("\x1a").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines[-1] == "":
        return Lines(lines[:-1], True)
    return Lines(lines, False)
