"""`load`: a model, a joint, an arm or a trajectory from a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ..errors import BadFile, require, unknown_name
from ..formats.files import existing
from ..formats.urdf import XACRO
from ..joints import Joint
from ..model import Model
from ..simulation import stiff_limits
from .arm_file import ArmFile, built_arm
from .arrays import put_back
from .files import parse_toml, read_arrays, read_toml
from .joint_build import built_joint
from .model_build import built_model
from .problems import Problems
from .schema import VERSION, JointFile, ModelFile
from .skeleton_file import built_motion, holds_motion
from .table_file import SUFFIXES, load_table
from .torque_file import holds_torques, load_torques
from .trajectory_file import is_trajectory, load_trajectory
from .urdf import load_urdf

__all__ = ["load"]

FILES = {"model": ModelFile, "joint": JointFile, "arm": ArmFile}
READ = f".toml (models, joints, arms), .npz (motion, torques), {', '.join(SUFFIXES)} (motion) and .urdf"
NESTED = 8  # joints in files that refer to joints in files …


def load(
    path,
    *,
    model: Model | None = None,
    base: str | None = None,
    inertias: str | None = None,
    limits: str | None = None,
    packages=None,
    radians: Sequence[str] | None = None,
    truncated: str = "error",
) -> Any:
    """The model, joint or arm of a TOML file, the model of a URDF, the trajectory of an .npz, CSV, STO or MOT file,
    or the torques of an .npz.

    All errors of a file come at once, each with its place.

    Parameters
    ----------
    path : str or Path
    model : Model, optional
        For trajectories that do not hold their own: tables, and models that no file can hold.
    base : "fixed" or "free", optional
        For URDF: how the root link is held by the world; "fixed" by default.
    inertias : "check" or "repair", optional
        For models: what to do with a moment of inertia that no body has. Where rounding explains it (1 % of its largest
        moment, or half a unit of the last digit), or where in a robot it does not matter (1 % of the least moment of
        the rigid body that fixed joints make of the link and others), the nearest that a body has is taken, with a
        warning that tells the change; see `cd.Inertia.nearest`. Others are refused ("check", the default) or treated
        alike ("repair").
    limits : "range" or "stiff", optional
        For models: "stiff" lets springs act at the ends of the ranges, as `cd.stiff_limits` does. With "range", the
        default, ranges are for sliders and inverse kinematics, and a simulation warns when one is left.
    packages : mapping, folder or sequence of folders, optional
        For URDF: where the packages of package:// addresses are, by name, or folders of packages or around them. The
        folders above the file and those of ROS_PACKAGE_PATH are looked at anyway.

    radians : sequence of str, optional
        For tables in degrees: the coordinates whose columns are in radians all the same, by default those that OpenSim
        calls coupled.
    truncated : "error" or "warn"
        For tables: "warn" reads what is whole of one that was cut off.

    Returns
    -------
    Model, Joint, Arm, Trajectory or TorqueFunctions
        `cd.read_table` opens a table without a model.

    Raises
    ------
    BadFile
        If the file is not what its name says, or anything in it is wrong.
    """
    path = existing(path)
    table = path.suffix.lower() in SUFFIXES
    given = radians is not None or truncated != "error"
    require(table or not given, f"{path}: `radians` and `truncated` are for {', '.join(SUFFIXES)}", radians=radians)
    robot = path.suffix.lower() == ".urdf"
    require(base is None or robot, f"{path}: `base` is for URDF files; other models say how they are held", base=base)
    require(packages is None or robot, f"{path}: `packages` is for URDF files", packages=packages)
    require(path.suffix.lower() != ".xacro", f"{path}: {XACRO}", BadFile)
    held = _limited(limits)
    if is_trajectory(path) and holds_torques(path):
        return load_torques(path)
    if is_trajectory(path):
        arrays = read_arrays(path)
        if holds_motion(arrays):
            return built_motion(arrays, path)
        return load_trajectory(arrays, path, model, lambda text, arrays: _text_model(text, arrays, path))
    if robot:
        return held(load_urdf(path, base, inertias, packages))
    if table:
        return load_table(path, model, radians=radians, truncated=truncated)
    require(path.suffix.lower() == ".toml", f"{path}: condyle does not load {path.suffix or 'a file without suffix'}; "
            f"it loads {READ}", BadFile)  # fmt: skip
    return held(_loaded(read_toml(path), path, _side_files(path), NESTED, inertias=inertias))


def _limited(limits: str | None):
    """What is done to a loaded model, by the name of it."""
    ways = {
        "range": lambda thing: thing,
        "stiff": lambda thing: stiff_limits(thing) if isinstance(thing, Model) else thing,
    }
    if limits is not None and limits not in ways:
        raise unknown_name("way with limits", limits, ways, "cd.load")
    return ways[limits or "range"]


def _text_model(text: str, arrays, path: Path) -> Model:
    name = f"{path}, its model"
    return _loaded(parse_toml(text, name), path, lambda npz: arrays, NESTED, "model", name)


def _loaded(
    tree: dict, path: Path, side_files, depth: int, expected: str | None = None, name: str = "", inertias=None
) -> Any:
    name = name or str(path)
    kind = _kind(tree, name, expected)
    tree = put_back(tree, side_files)
    problems = Problems(name, tree)
    entry = _validated(FILES[kind], tree, problems)
    read_file = _joint_files(path, depth)
    if isinstance(entry, ModelFile):
        return replace(built_model(entry, problems, read_file, inertias), folder=path.parent)
    if isinstance(entry, ArmFile):
        with problems.at():
            return built_arm(entry)
    else:
        with problems.at("joint"):
            return built_joint(entry.joint, read_file)
    problems.check()
    return None


def _kind(tree: dict, name: str, expected: str | None) -> str:
    """The kind of the file, of a version that this condyle knows."""
    version = tree.get("condyle")
    number = isinstance(version, int) and not isinstance(version, bool)
    require(number, f"{name}: not a condyle file: its first key must be `condyle = {VERSION}`", BadFile, got=version)
    if version > VERSION:  # type: ignore[operator]
        raise BadFile(f"{name}: version {version} is newer than this condyle, which reads up to {VERSION}; upgrade it")
    require(version == VERSION, f"{name}: there is no version {version}; expected {VERSION}", BadFile)
    kind = tree.get("kind")
    if not isinstance(kind, str) or kind not in FILES:
        raise BadFile(f"{name}: {unknown_name('kind', kind, FILES, 'condyle files')}")
    require(expected in (None, kind), f"{name}: expected a {expected}, this is a {kind}", BadFile)
    return str(kind)


def _validated(schema, tree: dict, problems: Problems) -> Any:
    try:
        return schema.model_validate(tree)
    except ValidationError as error:
        problems.validation(error, schema)
    except RecursionError:
        problems.add((), "tables within tables without end")
    problems.check()
    return None


def _beside(path: Path, name: str) -> Path:
    """A file in the folder of `path`: files of condyle refer to no other place."""
    good = name and Path(name).name == name and name not in (".", "..") and "\0" not in name
    require(good, "a side file is named without a folder and stands beside its file", BadFile, name=name)
    return path.parent / name


def _side_files(path: Path):
    """A reader of side files that answers with words instead of raising, so that validation can say where."""
    cache: dict[str, Any] = {}

    def read(name: str) -> Any:
        if name not in cache:
            try:
                cache[name] = read_arrays(existing(_beside(path, name)))
            except BadFile as error:
                cache[name] = str(error)
        return cache[name]

    return read


def _joint_files(path: Path, depth: int):
    def read(name: str) -> Joint:
        require(depth > 0, "joints in files that refer to joints in files, without end", BadFile, path=name)
        other = existing(_beside(path, name))
        return _loaded(read_toml(other), other, _side_files(other), depth - 1, "joint")

    return read
