"""Motions as BVH files: `write_character`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...errors import BadValue, NotFinite, NotSupported, require
from ...formats.bvh import AXES, CHANNELS, Bvh, bvh_text
from ...formats.safe_files import as_path, require_writable, write_text
from ...model import Body
from ...simulation import Trajectory
from ...typing import PathLike
from .character import _meters

PLACES = ["Xposition", "Yposition", "Zposition"]
TURNS = ["Zrotation", "Xrotation", "Yrotation"]
STILL = 1e-9  # [m, rad]: what moves less stands still
EVEN = 1e-6  # relative: how much the steps of time may differ
DIGITS = 12  # of an offset [m]
NOT_SHOWN = -2  # instead of a parent
NUMBER = re.compile(r"_\d+$")
BLANK = re.compile(r"\s+")


class Track(NamedTuple):
    """Offset (3,) [m], channels, and values (T, channels) [m, degrees] of a joint."""

    offset: np.ndarray
    channels: list[str]
    values: np.ndarray


def write_character(motion: Trajectory, path: PathLike, *, unit: str | float = "m") -> Path:
    """Write a motion as a BVH file: joints named by bodies, the pose of each body in the one that carries it.

    What was read by `read_character` with the same unit comes out with the same channels and, to rounding, the same
    numbers. Other joints get three rotations (z, x, y), and three places where they move. Masses, forces and shapes
    are not in such files.

    Parameters
    ----------
    motion : Trajectory
        Of one member, in equal steps of time.
    path : str or Path
        The .bvh file.
    unit : str or float, optional
        Unit of length in the file: "m", "cm", "mm", "inch", or in metres.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    NotSupported
        If the motion is a batch, or its steps of time are not equal.
    NotFinite
        If it stopped: it has no numbers from there.
    """
    path, meters = require_writable(as_path(path)), _meters(unit)
    require(path.suffix.lower() == ".bvh", f"{path}: a character is saved as .bvh", BadValue)
    bvh = as_bvh(motion, path)
    scale = np.concatenate([[1.0 / meters if c.endswith("position") else 1.0 for c in own] for own in bvh.channels])
    write_text(path, bvh_text(Bvh(bvh.names, bvh.parents, bvh.offsets / meters, bvh.channels, bvh.values * scale,
                                  bvh.frame_time)))  # fmt: skip
    return path


def as_bvh(motion: Trajectory, path: Path) -> Bvh:
    """The hierarchy and frames of a motion, in metres and degrees."""
    require(motion.batch == (), f"{path}: a file holds one motion; save members one by one", NotSupported)
    require(np.isfinite(motion.q).all(), f"{path}: the motion stopped, and has no numbers from there", NotFinite)
    rotors = () if motion.model.mujoco is None else motion.model.mujoco.rotors
    bodies, parents = depth_first([NOT_SHOWN if b.name in rotors else b.parent for b in motion.model.bodies])
    poses = motion.poses().as_matrix()
    tracks = [_track(motion, i, poses) for i in bodies]
    names = [BLANK.sub("_", motion.model.bodies[i].name) for i in bodies]
    if parents.count(-1) > 1:
        names, parents = ["world", *names], [-1, *(p + 1 for p in parents)]
        tracks = [Track(np.zeros(3), [], np.zeros((len(motion.t), 0))), *tracks]
    values = np.concatenate([t.values for t in tracks], axis=1)
    require(values.shape[1], f"{path}: nothing moves in this model, so that there are no channels", NotSupported)
    return Bvh(names, parents, np.array([t.offset for t in tracks]), [t.channels for t in tracks], values,
               _step(motion.t, path))  # fmt: skip


def depth_first(parents: list[int]) -> tuple[list[int], list[int]]:
    """Bodies in the order of a nested file, and the places of their parents in it."""
    children: dict[int, list[int]] = {}
    for i, parent in enumerate(parents):
        children.setdefault(parent, []).append(i)
    order, waiting = [], list(reversed(children.get(-1, [])))
    while waiting:
        order.append(waiting.pop())
        waiting += reversed(children.get(order[-1], []))
    place = {i: k for k, i in enumerate(order)} | {-1: -1}
    return order, [place[parents[i]] for i in order]


def _step(t: np.ndarray, path: Path) -> float:
    steps = np.diff(t)
    if len(steps) == 0:
        return 1.0 / 60.0
    step = float(steps.mean())
    even = step > 0 and np.abs(steps - step).max() <= EVEN * step
    require(even, f"{path}: frames of a BVH file are equally far apart in time; record at equal steps", NotSupported)
    first = float(steps[0])
    return first if abs(first - step) <= EVEN * 1e-6 * step else step


def _track(motion: Trajectory, i: int, poses: np.ndarray) -> Track:
    """The channels of a body: its own if its joint has channels, else general ones."""
    body = motion.model.bodies[i]
    parent = np.eye(4) if body.parent < 0 else poses[:, body.parent]
    local = np.linalg.inv(parent) @ poses[:, i]
    own = _own_track(motion, body, i)
    if own is not None and np.abs(_poses(own) - local).max() <= STILL:
        return own
    from scipy.spatial.transform import Rotation  # slow to load, and seldom needed

    places = local[:, :3, 3]
    moves = np.ptp(places, axis=0).max() > STILL
    turned = np.abs(local[:, :3, :3] - np.eye(3)).max() > STILL
    offset = np.zeros(3) if moves else places[0].round(DIGITS)
    channels = (PLACES if moves else []) + (TURNS if turned else [])
    angles = np.degrees(np.unwrap(Rotation.from_matrix(local[:, :3, :3]).as_euler("ZXY"), axis=0))
    parts = [places] * bool(moves) + [angles] * bool(turned)
    return Track(offset, channels, np.concatenate(parts, axis=1) if parts else np.zeros((len(places), 0)))


def _own_track(motion: Trajectory, body: Body, i: int) -> Track | None:
    """The coordinates of a joint that are channels, as they are."""
    channels = [NUMBER.sub("", c) for c in body.joint.coordinates]
    if not channels or not set(channels) <= CHANNELS or motion.model.follower_numbers[i]:
        return None
    start = motion.model.joint_starts[i][0]
    q = motion.q[:, start : start + len(channels)]
    values = np.where([c.endswith("position") for c in channels], q, np.degrees(q))
    return Track(body.placement[:3, 3], channels, values)


def _poses(track: Track) -> np.ndarray:
    """Poses (T, 4, 4) that the channels of a joint make."""
    from scipy.spatial.transform import Rotation  # slow to load, and seldom needed

    T = np.tile(np.eye(4), (len(track.values), 1, 1))
    T[:, :3, 3] = track.offset
    turn = Rotation.identity(len(track.values))
    for channel, values in zip(track.channels, track.values.T, strict=True):
        axis = AXES[channel[0]]
        if channel.endswith("position"):
            T[:, axis, 3] = values
        else:
            turn = turn * Rotation.from_rotvec(np.outer(np.radians(values), np.eye(3)[axis]))
    T[:, :3, :3] = turn.as_matrix()
    return T
