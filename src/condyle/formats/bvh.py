"""BVH motion capture: a tree of joints with offsets and channels, and one line of numbers per frame.

Nothing is named or scaled here: joints, parents, offsets (in the file's unit), channel names, values and the frame
time, as written.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..errors import BadFile, CondyleError, require, unknown_name
from .tables.cut import check_policy, is_cut_number, say_cut
from .tables.numbers import as_count
from .tables.table import Table, kept_apart
from .text import read_measured_text

AXES = {"X": 0, "Y": 1, "Z": 2}
CHANNELS = {axis + kind for axis in AXES for kind in ("position", "rotation")}
SPELLED = {name.lower(): name for name in CHANNELS}
MOST_CHANNELS = 6  # of a joint
TITLES = ("ROOT", "JOINT", "END")
MOTION = re.compile(r"(?<=\})\s*MOTION(?!\S)", re.IGNORECASE)  # after a block: a joint may be called Motion
FRAMES = re.compile(r"\s*Frames\s*:\s*(\S+)\s+Frame\s+Time\s*:\s*(\S+)", re.IGNORECASE)
CHECKED = 50  # frames that show how the last number of a frame is written


@dataclass(frozen=True, eq=False)
class Bvh:
    """Joint names, parents (−1 for the root), offsets (J, 3), channels per joint, values (T, channels), frame time."""

    names: list[str]
    parents: list[int]
    offsets: np.ndarray
    channels: list[list[str]]
    values: np.ndarray
    frame_time: float

    def positions(self) -> np.ndarray:
        """Positions (T, J, 3) of all joints in the file's frame and unit: rotations multiply in channel order."""
        return self.poses()[0]

    def poses(self) -> tuple[np.ndarray, np.ndarray]:
        """Positions (T, J, 3) and rotations (T, J, 3, 3) of all joints in the file's frame and unit."""
        turns = np.zeros((len(self.values), len(self.names), 3, 3))
        out, column = np.zeros((len(self.values), len(self.names), 3)), 0
        for j, parent in enumerate(self.parents):
            values = self.values[:, column : column + len(self.channels[j])]
            column += len(self.channels[j])
            shift, turn = _local(self.channels[j], values, self.offsets[j])
            before = np.tile(np.eye(3), (len(values), 1, 1)) if parent < 0 else turns[:, parent]
            start = 0.0 if parent < 0 else out[:, parent]
            out[:, j] = start + np.einsum("tij,tj->ti", before, shift)
            turns[:, j] = before @ turn
        return out, turns

    def index(self, name: str) -> int:
        """The number of a joint."""
        if name not in self.names:
            raise unknown_name("joint", name, self.names, "this BVH file")
        return self.names.index(name)


def read_bvh(path: str | Path, *, truncated: str = "error") -> Bvh:
    """Read a BVH file. End sites become joints named after their parent with "_end"."""
    check_policy(truncated)
    text = read_measured_text(path)
    head, found, motion = _cut(text)
    words = head.replace("{", " { ").replace("}", " } ").split()
    require(words and words[0].upper() == "HIERARCHY", f"{path}: a BVH file begins with HIERARCHY", BadFile)
    try:
        names, parents, offsets, channels = _hierarchy(path, words[1:])
        width = sum(map(len, channels))
        require(width, f"{path}: no joint has a channel", BadFile)
        good = len(names) <= 4 * width + 100  # else few numbers would make many positions
        require(good, f"{path}: {len(names)} joints are too many for its {width} channels", BadFile)
        values, frame_time = _motion(path, motion if found else "", width, text[-1:] in "\r\n", truncated)
    except CondyleError:
        raise
    except (IndexError, ValueError) as error:  # a word missing, or a word where a number should be
        raise BadFile(f"{path}: a damaged BVH file: {error}") from None
    return Bvh(names, parents, offsets, channels, values, frame_time)


def _cut(text: str) -> tuple[str, bool, str]:
    """What is before the line or word MOTION, whether there is one, and what is after it."""
    found = MOTION.search(text)
    return (text, False, "") if found is None else (text[: found.start()], True, text[found.end() :])


def read_bvh_table(path: str | Path, *, truncated: str = "error") -> Table:
    """A BVH file as a table in its own unit and in degrees: the time, and a column for each channel of each joint."""
    bvh = read_bvh(path, truncated=truncated)
    channels = [f"{name}.{channel}" for name, own in zip(bvh.names, bvh.channels, strict=True) for channel in own]
    values = np.column_stack([bvh.frame_time * np.arange(len(bvh.values)), bvh.values])
    about = {"Frames": str(len(values)), "Frame Time": f"{bvh.frame_time!r}"}
    return Table(kept_apart(("time", *channels), str(path)), values, (), True, None, about, str(path))


def bvh_text(bvh: Bvh) -> str:
    """The text of a BVH file; a joint without channels at the end of a branch, named so, is an end site."""
    children: dict[int, list[int]] = {}
    for j, parent in enumerate(bvh.parents):
        children.setdefault(parent, []).append(j)
    lines, waiting = ["HIERARCHY"], [(j, 0) for j in reversed(children[-1])]
    while waiting:
        j, depth = waiting.pop()
        if j < 0:
            lines.append("\t" * depth + "}")
            continue
        lines += _opened(bvh, j, depth, j in children)
        waiting += [(-1, depth), *((c, depth + 1) for c in reversed(children.get(j, [])))]
    lines += ["MOTION", f"Frames: {len(bvh.values)}", f"Frame Time: {bvh.frame_time!r}"]
    lines += [" ".join(map(repr, row)) for row in (bvh.values + 0.0).tolist()]
    return "\n".join(lines) + "\n"


def _opened(bvh: Bvh, j: int, depth: int, carries: bool) -> list[str]:
    """The lines of a joint up to its children."""
    parent, channels = bvh.parents[j], bvh.channels[j]
    end = parent >= 0 and not carries and not channels and bvh.names[j] == f"{bvh.names[parent]}_end"
    title = "End Site" if end else f"{'JOINT' if parent >= 0 else 'ROOT'} {bvh.names[j]}"
    inner = ["OFFSET " + " ".join(map(repr, (bvh.offsets[j] + 0.0).tolist()))]
    inner += [] if end else [" ".join(["CHANNELS", str(len(channels)), *channels])]
    return ["\t" * depth + title, "\t" * depth + "{", *("\t" * (depth + 1) + line for line in inner)]


def _hierarchy(path, words: list[str]):
    """Joints in file order from the nested ROOT / JOINT / End Site blocks."""
    names, parents, offsets, channels, stack = [], [], [], [], []
    k = 0
    while k < len(words):
        word = words[k].upper()
        if word in TITLES:
            opened = words.index("{", k)  # names may have blanks
            name = " ".join(words[k + 1 : opened])
            require(name, f"{path}: a {words[k]} of the hierarchy has no name", BadFile)
            names.append(name if word != "END" else f"{names[stack[-1]]}_end")
            parents.append(stack[-1] if stack else -1)
            offsets.append([0.0, 0.0, 0.0])
            channels.append([])
            k = opened
        elif word == "{":
            stack.append(len(names) - 1)
            k += 1
        elif word == "}":
            require(stack, f"{path}: one }} too many", BadFile)
            stack.pop()
            k += 1
        elif word == "OFFSET":
            offsets[stack[-1]] = [float(x) for x in words[k + 1 : k + 4]]
            k += 4
        elif word == "CHANNELS":
            count = as_count(words[k + 1], "CHANNELS", str(path)) or 0
            require(count <= MOST_CHANNELS, f"{path}: CHANNELS must be at most {MOST_CHANNELS}", BadFile, got=count)
            channels[stack[-1]] = [SPELLED.get(word.lower(), word) for word in words[k + 2 : k + 2 + count]]
            k += 2 + count
        else:
            raise BadFile(f"{path}: unexpected word {words[k]!r} in the hierarchy")
    require(not stack, f"{path}: {len(stack)} block(s) of the hierarchy are not closed", BadFile)
    wrong = {c for names in channels for c in names} - CHANNELS
    require(not wrong, f"{path}: a channel is Xposition … Zrotation", BadFile, got=sorted(wrong))
    places = np.array(offsets).reshape(len(names), 3)
    require(np.isfinite(places).all(), f"{path}: an OFFSET is not finite", BadFile)
    return names, parents, places, channels


def _motion(path, text: str, width: int, ended: bool, truncated: str) -> tuple[np.ndarray, float]:
    """Frames: N, Frame Time: dt, then N lines of `width` numbers."""
    found = FRAMES.match(text)
    if found is None:
        raise BadFile(f"{path}: MOTION needs Frames: and Frame Time:")
    count, frame_time = as_count(found[1], "Frames", str(path)) or 0, float(found[2])
    fields = text[found.end() :].split()
    require(0 < frame_time < np.inf, f"{path}: the frame time must be positive", BadFile, got=frame_time)
    if not ended and fields and is_cut_number(fields[-1], fields[-1 - width :: -width][:CHECKED], path):
        fields = fields[:-1]
    if len(fields) != count * width:
        fields = _whole_frames(path, fields, count, width, truncated)
    numbers = np.array(fields, dtype=float)
    require(np.isfinite(numbers).all(), f"{path}: a frame holds a number that is not finite", BadFile)
    return numbers.reshape(-1, width), frame_time


def _whole_frames(path, fields: list[str], count: int, width: int, truncated: str) -> list[str]:
    """The fields of frames that are whole, of a file that has fewer than it says; more are refused."""
    expected = f"{count} frames of {width} channels need {count * width} numbers"
    require(len(fields) < count * width, f"{path}: {expected}", BadFile, numbers=len(fields))
    say_cut(path, f"{expected}; got numbers = {len(fields)}", truncated)
    return fields[: len(fields) // width * width]


def _local(channels: list[str], values: np.ndarray, offset: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Shift (T, 3) and rotation (T, 3, 3) of a joint; position channels replace the offset, angles are degrees."""
    shift = np.tile(offset, (len(values), 1))
    turn = np.tile(np.eye(3), (len(values), 1, 1))
    for name, value in zip(channels, values.T, strict=True):
        axis = AXES[name[0]]
        if name.endswith("position"):
            shift[:, axis] = value
        else:
            turn = turn @ _turn(axis, np.radians(value))
    return shift, turn


def _turn(axis: int, angle: np.ndarray) -> np.ndarray:
    out = np.zeros((len(angle), 3, 3))
    i, j = (axis + 1) % 3, (axis + 2) % 3
    out[:, axis, axis] = 1.0
    out[:, i, i] = out[:, j, j] = np.cos(angle)
    out[:, i, j], out[:, j, i] = -np.sin(angle), np.sin(angle)
    return out
