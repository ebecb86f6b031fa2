"""BVH motion capture: a tree of joints with offsets and channels, and one line of numbers per frame. Nothing is named
or scaled here: joints, parents, offsets (in the file's unit), channel names, values and the frame time, as written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..errors import BadFile, CondyleError, require, unknown_name
from .files import read_text

__all__ = ["Bvh", "read_bvh"]

AXES = {"X": 0, "Y": 1, "Z": 2}
CHANNELS = {axis + kind for axis in AXES for kind in ("position", "rotation")}


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
        return out

    def index(self, name: str) -> int:
        """The number of a joint."""
        if name not in self.names:
            raise unknown_name("joint", name, self.names, "this BVH file")
        return self.names.index(name)


def read_bvh(path: str | Path) -> Bvh:
    """Read a BVH file. End sites become joints named after their parent with "_end"."""
    words = read_text(path).split()
    require(words and words[0] == "HIERARCHY", f"{path}: a BVH file begins with HIERARCHY", BadFile)
    at = words.index("MOTION") if "MOTION" in words else len(words)
    try:
        names, parents, offsets, channels = _hierarchy(path, words[1:at])
        values, frame_time = _motion(path, words[at + 1 :], sum(map(len, channels)))
    except CondyleError:
        raise
    except (IndexError, ValueError) as error:  # a word missing, or a word where a number should be
        raise BadFile(f"{path}: a damaged BVH file: {error}") from None
    return Bvh(names, parents, offsets, channels, values, frame_time)


def _hierarchy(path, words: list[str]):
    """Joints in file order from the nested ROOT / JOINT / End Site blocks."""
    names, parents, offsets, channels, stack = [], [], [], [], []
    k = 0
    while k < len(words):
        word = words[k]
        if word in ("ROOT", "JOINT", "End"):
            names.append(words[k + 1] if word != "End" else f"{names[stack[-1]]}_end")
            parents.append(stack[-1] if stack else -1)
            offsets.append([0.0, 0.0, 0.0])
            channels.append([])
            k += 2
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
            count = int(words[k + 1])
            channels[stack[-1]] = words[k + 2 : k + 2 + count]
            k += 2 + count
        else:
            raise BadFile(f"{path}: unexpected word {word!r} in the hierarchy")
    require(not stack, f"{path}: {len(stack)} block(s) of the hierarchy are not closed", BadFile)
    wrong = {c for names in channels for c in names} - CHANNELS
    require(not wrong, f"{path}: a channel is Xposition … Zrotation", BadFile, got=sorted(wrong))
    return names, parents, np.array(offsets), channels


def _motion(path, words: list[str], width: int) -> tuple[np.ndarray, float]:
    """Frames: N, Frame Time: dt, then N lines of `width` numbers."""
    require(len(words) >= 5 and words[0] == "Frames:", f"{path}: MOTION needs Frames: and Frame Time:", BadFile)
    count, frame_time = int(words[1]), float(words[4])
    numbers = np.array(words[5:], dtype=float)
    expected = f"{path}: {count} frames of {width} channels need {count * width} numbers"
    require(len(numbers) == count * width, expected, BadFile, numbers=len(numbers))
    return numbers.reshape(count, width), frame_time


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
