"""A character from a BVH file: `read_character` gives its motion, which holds its model."""

from __future__ import annotations

from dataclasses import replace
from numbers import Real
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

from ... import joints
from ...dynamics import difference
from ...errors import BadFile, BadValue, CondyleError, require, unknown_name
from ...formats.bvh import AXES, Bvh, read_bvh
from ...formats.safe_files import existing
from ...formats.tables.marker_frames import UNITS
from ...joints import Joint
from ...joints.functions import linear
from ...model import Model, ModelBuilder
from ...simulation import Trajectory
from ...spatial import SE3, Inertia
from ...typing import PathLike
from .de_leva import person_inertias

WAYS = ("euler", "ball")
UP = (0.0, 1.0, 0.0)  # of BVH files
GRAVITY = 9.81  # [m/s²]
FARTHEST = 1e9  # of lengths and angles in a file: beyond, poses have no digits left
SHORTEST = 1e-6  # [s] from frame to frame
FULL = 3  # channels of a whole rotation or a whole place


def read_character(
    path: PathLike,
    *,
    unit: str | float = "m",
    joints: str = "euler",
    mass: float | None = None,
    sex: str = "male",
    root: str | None = None,
    truncated: str = "error",
) -> Trajectory:
    """Read the motion of a character from a BVH file; `motion.model` is its skeleton.

    Bodies are named by joints, end sites by their joint and "_end"; the world is that of the file, whose y points up.
    Velocities are central differences of the frames.

    Parameters
    ----------
    path : str or Path
        The .bvh file.
    unit : str or float, optional
        Its unit of length: "m", "cm", "mm", "inch", or in metres.
    joints : {"euler", "ball"}, optional
        "euler" has a coordinate for each channel, in the file's order, such as `LeftArm.Zrotation` [rad]. "ball" has
        quaternions where a joint has all three rotations, which have no singularity.
    mass : float, optional
        Of the person [kg]: segments get de Leva's fractions of it by the names of their joints. By default bodies have
        no mass: poses, Jacobians and inverse kinematics need none.
    sex : {"male", "female"}, optional
        Which of de Leva's tables.
    root : str, optional
        Read this joint and what it carries only, as seen from the joint that carries it.
    truncated : {"error", "warn"}, optional
        "warn" reads what is whole of a file that was cut off.

    Returns
    -------
    Trajectory
        One state for each frame.

    Raises
    ------
    BadFile
        If the file cannot be read.
    BadValue
        If an argument is not one of these, or segments of a person are not found among the names.

    Examples
    --------
    >>> import condyle as cd
    >>> from pathlib import Path
    >>> text = "HIERARCHY ROOT arm { OFFSET 0 0 0 CHANNELS 1 Zrotation End Site { OFFSET 0 1 0 } }"
    >>> _ = Path("arm.bvh").write_text(text + " MOTION Frames: 2 Frame Time: 0.5 0 90 ")
    >>> motion = cd.read_character("arm.bvh")
    >>> motion.poses()[:, 1].xyz.round(6)  # of arm_end
    array([[ 0.,  1.,  0.],
           [-1.,  0.,  0.]])
    """
    path, meters = existing(path), _meters(unit)
    if joints not in WAYS:
        raise unknown_name("kind of joints", joints, WAYS, "characters")
    bvh = read_bvh(path, truncated=truncated)
    bvh = bvh if root is None else subtree(bvh, root)
    try:
        return character(bvh, meters, joints == "ball", mass, sex, path)
    except BadValue:
        raise
    except CondyleError as error:
        raise BadFile(f"{path}: {error}") from error


def _meters(unit: str | float) -> float:
    if isinstance(unit, (str, bool)) or not isinstance(unit, Real):
        if unit not in UNITS:
            raise unknown_name("unit", unit, UNITS, "the reader")
        return UNITS[str(unit)]
    require(0 < unit < np.inf, "unit: a length must be positive [m]", BadValue, got=unit)
    return float(unit)


def subtree(bvh: Bvh, root: str) -> Bvh:
    """A joint and what it carries; its own offset is kept."""
    first, kept = bvh.index(root), {bvh.index(root): 0}
    for j in range(first + 1, len(bvh.names)):
        if bvh.parents[j] in kept:
            kept[j] = len(kept)
    starts = np.cumsum([0, *map(len, bvh.channels)])
    columns = [c for j in kept for c in range(starts[j], starts[j + 1])]
    return Bvh(
        [bvh.names[j] for j in kept], [kept.get(bvh.parents[j], -1) for j in kept], bvh.offsets[list(kept)],
        [bvh.channels[j] for j in kept], bvh.values[:, columns], bvh.frame_time,
    )  # fmt: skip


def character(bvh: Bvh, meters: float, balls: bool, mass: float | None, sex: str, path: Path) -> Trajectory:
    """The model of a hierarchy and its motion."""
    near = all(np.abs(x).max(initial=0.0) <= FARTHEST for x in (bvh.offsets, bvh.values))
    require(near, f"offsets and channels must be below {FARTHEST:g} in size", BadFile)
    slow = SHORTEST <= bvh.frame_time <= FARTHEST
    require(
        slow, f"the frame time must be {SHORTEST:g} s or more, and below {FARTHEST:g} s", BadFile, got=bvh.frame_time
    )
    offsets = bvh.offsets * meters
    inertias = {} if mass is None else person_inertias(bvh, offsets, mass, sex)
    builder, names = ModelBuilder(tuple(-GRAVITY * x for x in UP)), body_names(bvh.names)
    for j, name in enumerate(names):
        placed = [AXES[c[0]] for c in bvh.channels[j] if c.endswith("position")]
        start = np.where(np.isin(range(3), placed), 0.0, offsets[j])
        parent = names[bvh.parents[j]] if bvh.parents[j] >= 0 else None
        joint = channel_joint(bvh.channels[j], balls, name)
        builder.add_body(name, parent, joint, inertias.get(j, Inertia.massless()), SE3.from_translation(start))
    model = replace(builder.build(), folder=path.parent)
    q = states(bvh, meters, balls)
    return Trajectory(model, bvh.frame_time * np.arange(len(q)), q, rates(model, q, bvh.frame_time))


def body_names(names: list[str]) -> list[str]:
    """Names without dots that differ from each other."""
    found: list[str] = []
    taken: set[str] = set()
    for name in names:
        plain, k = name.replace(".", "_") or "joint", 2
        new = plain
        while new in taken:
            new, k = f"{plain}_{k}", k + 1
        taken.add(new)
        found.append(new)
    return found


def channel_joint(channels: list[str], balls: bool, name: str) -> Joint:
    """Moves along the channels of places, then turns about those of rotations, in their order."""
    shifts = [(k, c) for k, c in enumerate(channels) if c.endswith("position")]
    turns = [(k, c) for k, c in enumerate(channels) if c.endswith("rotation")]
    once = len({c for _, c in shifts}) == len(shifts)
    require(once, f"joint {name!r}: a place has one channel for each axis", BadFile, got=channels)
    if not channels:
        return joints.weld()
    if balls and len(turns) == FULL:
        if len(shifts) == FULL:
            return joints.free()
        parts = [joints.prismatic(c[0].lower(), name=c) for _, c in shifts]
        return joints.compose(*parts, joints.ball()) if parts else joints.ball()
    twists = [_twist(c, 3) for _, c in shifts] + [_twist(c, 0) for _, c in turns]
    functions = [linear(k) for k, _ in (*shifts, *turns)]
    return joints.product(twists, functions, coordinates=body_names(channels), title="channels")


def _twist(channel: str, first: int) -> np.ndarray:
    return np.eye(6)[first + AXES[channel[0]]]


def states(bvh: Bvh, meters: float, balls: bool) -> np.ndarray:
    """q (T, nq) [m, rad] in the order of the channels; quaternions of one sign from frame to frame."""
    parts, column = [], 0
    for channels in bvh.channels:
        values = bvh.values[:, column : column + len(channels)]
        column += len(channels)
        metric = np.where([c.endswith("position") for c in channels], values * meters, np.radians(values))
        parts.append(_ball_state(channels, metric) if balls else metric)
    return np.concatenate([p.reshape(len(bvh.values), -1) for p in parts], axis=1)


def _ball_state(channels: list[str], values: np.ndarray) -> np.ndarray:
    """The numbers of a ball or free joint, if the channels make one."""
    turns = [k for k, c in enumerate(channels) if c.endswith("rotation")]
    shifts = [k for k, c in enumerate(channels) if c.endswith("position")]
    if len(turns) != FULL:
        return values
    turned = Rotation.identity(len(values))
    for k in turns:
        turned = turned * Rotation.from_rotvec(np.outer(values[:, k], np.eye(3)[AXES[channels[k][0]]]))
    wxyz = turned.as_quat()[:, [3, 0, 1, 2]]
    signs = np.sign(np.sum(wxyz[1:] * wxyz[:-1], axis=1))
    wxyz[1:] *= np.cumprod(np.where(signs < 0, -1.0, 1.0))[:, None]
    if len(shifts) == FULL:
        order = [shifts[[channels[k][0] for k in shifts].index(axis)] for axis in "XYZ"]
        return np.concatenate([wxyz, values[:, order]], axis=1)
    return np.concatenate([values[:, shifts], wxyz], axis=1)


def rates(model: Model, q: np.ndarray, step: float) -> np.ndarray:
    """v (T, nv): differences to the frames beside; an angle goes the shorter way round."""
    if len(q) < 2 or model.nv == 0:
        return np.zeros((len(q), model.nv))
    steps = difference(model, q[:-1], q[1:]) / step
    turns = [model.v_index(name) for name in model.coordinates if "rotation" in name.rpartition(".")[2]
             and model.place_of(name)[1] not in {at for at, _, _ in model.quaternions}]  # fmt: skip
    steps[:, turns] = (steps[:, turns] * step + np.pi) % (2 * np.pi) / step - np.pi / step
    return np.concatenate([steps[:1], 0.5 * (steps[1:] + steps[:-1]), steps[-1:]])
