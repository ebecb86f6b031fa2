"""A character from a BVH or glTF file: `read_character` gives its motion, which holds its model."""

from __future__ import annotations

from numbers import Real

import numpy as np

from ...errors import BadFile, BadValue, CondyleError, require, unknown_name
from ...formats.bvh import read_bvh
from ...formats.doubts import policy_of
from ...formats.gltf.gltf_scene import Gltf, read_gltf
from ...formats.safe_files import existing
from ...formats.tables.marker_frames import UNITS
from ...simulation import Trajectory
from ...typing import PathLike
from .bvh_character import character, subtree
from .gltf_character import Asked, gltf_character

WAYS = ("euler", "ball")
GLTF = (".glb", ".gltf")


def read_character(
    path: PathLike,
    *,
    unit: str | float = "m",
    joints: str | None = None,
    mass: float | None = None,
    sex: str = "male",
    root: str | None = None,
    truncated: str | None = None,
    animation: str | int | None = None,
) -> Trajectory:
    """Read the motion of a character from a BVH or glTF file; `motion.model` is its skeleton.

    Bodies are named by joints, end sites of BVH by their joint and "_end"; the world is that of the file, whose y
    points up. Velocities are central differences of the frames. Of glTF the joints of skins are bodies and the neutral
    posture is that of the nodes at rest; `motion.model.notes` lists what was not read.

    Parameters
    ----------
    path : str or Path
        The .bvh, .glb or .gltf file.
    unit : str or float, optional
        Its unit of length: "m", "cm", "mm", "inch", or in metres. (That of glTF is the metre.)
    joints : {"euler", "ball"}, optional
        "euler", the default of BVH, has a coordinate for each channel, in the file's order, such as
        `LeftArm.Zrotation` [rad]. "ball" has quaternions where a joint has all three rotations, which have no
        singularity. Joints of glTF are always "ball", or free where their place changes.
    mass : float, optional
        Of the person [kg]: segments get de Leva's fractions of it by the names of their joints. By default bodies have
        no mass: poses, Jacobians and inverse kinematics need none.
    sex : {"male", "female"}, optional
        Which of de Leva's tables.
    root : str, optional
        Read this joint and what it carries only, as seen from the joint that carries it.
    truncated : {"error", "warn"}, optional
        "warn" reads what is whole of a BVH file that was cut off.
    animation : str or int, optional
        Which animation of a glTF file, by its name or number; by default the first. Without any there is one state, the
        nodes at rest.

    Returns
    -------
    Trajectory
        One state for each frame; of glTF one for each time that any curve has a key, and 60 a second between those of
        cubic splines.

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
    if joints not in (None, *WAYS):
        raise unknown_name("kind of joints", joints, WAYS, "characters")
    gltf = path.suffix.lower() in GLTF
    require(not gltf or joints != "euler", f"{path}: joints of glTF have quaternions; joints='ball'", BadValue)
    require(not gltf or truncated in (None, "error"), f"{path}: `truncated` is for BVH files", BadValue, got=truncated)
    require(gltf or animation is None, f"{path}: a BVH file has one motion; leave `animation` out", got=animation)
    file = read_gltf(path) if gltf else read_bvh(path, truncated=policy_of(truncated))
    try:
        if isinstance(file, Gltf):
            return gltf_character(file, Asked(meters, mass, sex, root, animation), path)
        return character(file if root is None else subtree(file, root), meters, joints == "ball", mass, sex, path)
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
