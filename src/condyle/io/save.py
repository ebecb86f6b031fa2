"""`save`: a model, joint, arm, motion or torques to a file, so that loading gives the same object bit by bit."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import (
    Approximated,
    BadFile,
    BadValue,
    NotInModel,
    NotSupported,
    require,
    shown,
    unknown_name,
    warn,
)
from ..formats.safe_files import as_path, require_writable, write_text
from ..joints import Joint
from ..model import Model
from ..muscles.muscle_trajectory import MuscleTrajectory
from ..simulation import Trajectory
from .arm_file import described_arm, is_arm
from .array_fields import put_aside
from .characters.bvh_writing import write_character
from .model_describe import described_model, seen_from
from .motions.skeleton_file import is_motion, save_motion
from .motions.torque_file import is_torques, save_torques
from .motions.trajectory_file import save_trajectory
from .robots.writing.robot_document import FORMS as ROBOTS
from .robots.writing.robot_document import write_robot
from .schema import VERSION
from .segment_data import described
from .tables.trajectory_table import SUFFIXES, save_table
from .toml_text import toml_text

if TYPE_CHECKING:
    from ..control import TorqueFunctions
    from ..skeleton import Trajectory as SkeletonMotion
    from ..workspace import Arm


class Kind(NamedTuple):
    """How the objects of a kind are saved."""

    what: str
    suffixes: tuple[str, ...]  # condyle's own first, then those for other programs
    holds: Callable[[Any], bool]
    write: Callable[[Any, Path], None]


def save(
    thing: Model | Joint | Trajectory | SkeletonMotion | TorqueFunctions | Arm,
    path: str | os.PathLike[str],
    *,
    approximate: bool = True,
) -> Path:
    """Save an object in one file that `load` reads.

    The file is written beside, synced and renamed, so a failure leaves the old one. One that exists keeps its
    permissions; a read-only one is refused; where there is a symbolic link, what it points at is written.

    Parameters
    ----------
    thing : Model, Joint, Arm, Trajectory, condyle.skeleton.Trajectory or TorqueFunctions
        The object.
    path : str or Path
        A .toml file for a model, joint or arm; an .npz file for a motion or torques; for other programs a trajectory
        can be a .csv, .sto or .mot table or a .bvh file, and a model an .osim file of OpenSim, a .urdf file, or an .xml
        or .mjcf file of MuJoCo (as `cd.io.write_robot` writes it, with a certificate beside it).
    approximate : bool, optional
        For .osim, .urdf, .xml and .mjcf files: joints that the format cannot express exactly are written as ones near
        them, with a warning (`cd.errors.Approximated`) that says how far these are off in mm, degrees and slopes, and
        what the format does not have is left out, with a warning (`cd.errors.NotInModel`). False refuses both by name;
        pictures may be missing all the same.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    BadFile
        If the file cannot be written or its suffix is another's.
    NotSupported
        For what no file can hold, like a coordinate prescribed by a Python function; for other programs, joints that
        they cannot express, and with `approximate=False` whatever the file would lack.

    Examples
    --------
    >>> import condyle as cd
    >>> bob = cd.Inertia.point(2.0, (0, 0, -1))
    >>> model = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()
    >>> cd.save(model, "pendulum.toml").name
    'pendulum.toml'
    """
    path = as_path(path)
    kind = next((kind for kind in KINDS.values() if kind.holds(thing)), None)
    if kind is None:
        raise BadValue(f"save takes a model, a joint, an arm, a trajectory or torques; got {shown(thing)}")
    _require_suffix(path, kind)
    require(approximate or path.suffix in OTHERS, f"{path}: `approximate` is for {', '.join(OTHERS)} files", BadValue)
    if path.suffix == ".osim" and isinstance(thing, Model):
        _write_osim(thing, path, approximate)
    elif path.suffix in ROBOTS and isinstance(thing, Model):
        write_robot(thing, path, approximate=approximate)
    else:
        kind.write(thing, path)
    return path


def require_savable(kind: str, path: str | os.PathLike[str]) -> Path:
    """Check that an object of a kind can be saved as `path`, before the work that makes the object.

    Parameters
    ----------
    kind : {"model", "joint", "arm", "trajectory", "motion", "torques"}
        What will be saved; a motion is one of a skeleton.
    path : str or Path
        The file.

    Returns
    -------
    Path
        The same path.

    Raises
    ------
    BadFile
        If the suffix is another's or the file cannot be written.
    """
    if kind not in KINDS:
        raise unknown_name("kind", kind, KINDS, "condyle")
    path = as_path(path)
    _require_suffix(path, KINDS[kind])
    return require_writable(path)


def _require_suffix(path: Path, kind: Kind) -> None:
    own, *others = kind.suffixes
    more = f" (or {', '.join(others)} for other programs)" if others else ""
    words = f"{path}: {kind.what} is saved as {own}{more}; name the file {path.stem}{own}"
    require(path.suffix in kind.suffixes, words, BadFile)


def _write_trajectory(trajectory: Trajectory, path: Path) -> None:
    words = f"{path}: a file holds one model; save members one by one (trajectory.member(i)), or record to a folder"
    require(trajectory.members is None, words, NotSupported)
    if isinstance(trajectory, MuscleTrajectory) and path.suffix != ".npz":
        warn(f"{path}: activations, fibre lengths and work of muscles are not in it; an .npz file has them", NotInModel)
    if path.suffix == ".bvh":
        write_character(trajectory, path)
        return
    (save_trajectory if path.suffix == ".npz" else save_table)(trajectory, path)


def _write_model(model: Model, path: Path) -> None:
    if model.opensim is not None and (model.opensim.forces or model.opensim.wraps or model.opensim.contact_geometry):
        warn(f"{path}: muscles, contact and other data of model.opensim are not saved; keep the .osim file", NotInModel)
    if model.collisions:
        warn(f"{path}: collision shapes of model.collisions are not saved; keep the robot's file", NotInModel)
    if model.mujoco is not None:
        warn(f"{path}: tendons, actuators and keyframes of model.mujoco are not saved; keep the MJCF file", NotInModel)
    _write_tree(described_model(seen_from(model, path.parent)), path)


def _write_osim(model: Model, path: Path, approximate: bool) -> None:
    """For OpenSim; what its file does not say is told."""
    from .opensim.writing.osim_writer import osim_text

    text, report = osim_text(seen_from(model, path.parent), approximate)
    if not approximate:
        report.unwritten.require_none(path)
    write_text(path, text)
    if report.approximations:
        warn(f"{path}: {'; '.join(map(str, report.approximations))}", Approximated)
    report.unwritten.tell(path)


def _write_joint(joint: Joint, path: Path) -> None:
    _write_tree({"condyle": VERSION, "kind": "joint", "units": "SI", "joint": described(joint)}, path)


def _write_tree(data: dict[str, Any], path: Path) -> None:
    """A tree as TOML, its long arrays at the end of the same file."""
    write_text(path, toml_text(*put_aside(data), str(path)))


OTHERS = (".osim", *ROBOTS)  # models for other programs
MOTIONS = (".npz", *SUFFIXES, ".bvh")
KINDS = {
    "model": Kind("a model", (".toml", *OTHERS), lambda x: isinstance(x, Model), _write_model),
    "joint": Kind("a joint", (".toml",), lambda x: isinstance(x, Joint), _write_joint),
    "arm": Kind("an arm", (".toml",), is_arm, lambda arm, path: _write_tree(described_arm(arm), path)),
    "trajectory": Kind("a trajectory", MOTIONS, lambda x: isinstance(x, Trajectory), _write_trajectory),
    "motion": Kind("the motion of a skeleton", (".npz",), is_motion, save_motion),
    "torques": Kind("torques", (".npz",), is_torques, save_torques),
}  # fmt: skip
