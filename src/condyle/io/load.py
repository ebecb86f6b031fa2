"""`load`: a model, a joint, an arm or a motion from a file."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import BadFile, BadValue, require, shown, unknown_name
from ..formats.archive import Arrays, read_arrays, text_of
from ..formats.doubts import files_read
from ..formats.safe_files import existing, plain_suffix, require_plain
from ..formats.urdf import XACRO
from ..joints import Joint
from ..model import Model
from ..simulation import stiff_limits
from ..typing import PathLike
from .arm_file import ArmFile, built_arm
from .array_fields import Found, put_back, stored_arrays
from .characters.character import GLTF, read_character
from .included import Included, beside
from .joint_build import built_joint
from .model_build import built_model
from .motions.skeleton_file import built_motion
from .motions.torque_file import built_torques
from .motions.trajectory_file import built_trajectory
from .opensim.osim_model import load_osim
from .problems import Problems
from .robots.mjcf.mjcf_model import load_mjcf
from .robots.sdf_model import load_sdf
from .robots.urdf_model import load_urdf
from .schema import VERSION, JointFile, ModelFile
from .tables.trajectory_table import SUFFIXES, load_table
from .toml_text import parse_toml, read_toml

FILES = {"model": ModelFile, "joint": JointFile, "arm": ArmFile}
COUPLERS = ("fold", "constraint")
ROBOTS = (".urdf", ".sdf", ".xml", ".mjcf")
ARCHIVES = ("trajectory", "skeleton motion", "torques")
CHARACTERS = (".bvh", *GLTF)
MOTIONS = f"{', '.join(SUFFIXES)}, {', '.join(CHARACTERS)} (motion)"
READ = f".toml (models, joints, arms), .npz (motion, torques), {MOTIONS}, .urdf, .sdf, .xml (MuJoCo) and .osim"


def load(
    path: str | os.PathLike[str],
    *,
    model: Model | None = None,
    base: str | None = None,
    inertias: str | None = None,
    limits: str | None = None,
    packages: Sequence[PathLike] | Mapping[str, PathLike] | None = None,
    geometry: PathLike | Sequence[PathLike] | None = None,
    couplers: str | None = None,
    radians: Sequence[str] | None = None,
    truncated: str | None = None,
    strict: bool = False,
    unit: str | None = None,
) -> Any:
    """Load an object from a file.

    Parameters
    ----------
    path : str or Path
        A .toml file of a model, joint or arm; a .urdf or .sdf file of a robot; an .xml file of MuJoCo (MJCF); an .osim
        file of OpenSim; an .npz file of a trajectory, of a skeleton's motion or of torques; a .csv, .sto or .mot table
        of a trajectory; a .bvh, .glb or .gltf file of a character in metres (`cd.read_character` has more options).
    model : Model, optional
        The model of a trajectory that does not hold its own: tables, and models that no file can hold. Its coordinates
        must be those that the file names.
    base : {"fixed", "free"}, optional
        How the root link is held by the world: "fixed" is the default of URDF, "free" that of SDF, where links that
        no joint carries float.
    inertias : {"check", "repair", "keep"}, optional
        For models: what to do with a moment of inertia that no body has. Where rounding explains it (1 % of its largest
        moment, or half a unit of the last digit), or where in a robot it does not matter (1 % of the least moment of
        the rigid body that fixed joints make of the link and others), the nearest that a body has is taken, with a
        warning that tells the change; see `cd.Inertia.nearest`. Others are refused ("check", the default) or treated
        alike ("repair"). "keep" takes moments as they are, with a warning for each body; it is the default of .osim,
        .urdf and .sdf files, as other programs compute with them. All three leave bodies alone that are right.
    limits : {"range", "stiff"}, optional
        For models: "stiff" lets springs act at the ends of the ranges, as `cd.stiff_limits` does. With "range", the
        default, ranges are for sliders and inverse kinematics, and a simulation warns when one is left.
    packages : mapping, folder or sequence of folders, optional
        For URDF: where the packages of package:// addresses are, by name, or folders of packages or around them. The
        folders above the file and those of ROS_PACKAGE_PATH are looked at anyway. For MJCF: folders in which included
        files and meshes may be, besides the folder of the file.
    geometry : folder or sequence of folders, optional
        For .osim files: where their mesh files are. The folder of the file, those above it and their folders Geometry
        are looked at anyway.
    couplers : {"fold", "constraint"}, optional
        For .osim files and robots: a coordinate that follows another (OpenSim's couplers, `mimic` of URDF and SDF,
        joint equalities of MJCF) is no coordinate of the model but a function of its driver ("fold", the default), or a
        coordinate with a constraint.
    radians : sequence of str, optional
        For tables in degrees: the coordinates whose columns are in radians all the same, by default those that OpenSim
        calls coupled.
    truncated : {"error", "warn"}, optional
        For tables: "warn" reads what is whole of one that was cut off. (`cd.read_table` opens a table without a model.)
    strict : bool, optional
        Refuse what is doubtful and would be taken with a warning: moments of inertia that no body has, coordinates of
        one name in two joints, macros that were not expanded, a row less than a header says.
    unit : {"m", "cm", "mm", "inch"}, optional
        For .bvh files: the unit of their lengths, metres by default.

    Returns
    -------
    Model, Joint, Arm, Trajectory, condyle.skeleton.Trajectory or TorqueFunctions
        What the file holds.

    Raises
    ------
    BadFile
        If the file cannot be read or is beyond a bound; all errors of a file come at once, each with its place.

    Examples
    --------
    >>> import condyle as cd
    >>> _ = cd.save(cd.joints.revolute("z"), "hinge.toml")
    >>> cd.load("hinge.toml").coordinates
    ('angle',)
    """
    path = existing(path)
    suffix = plain_suffix(path)
    if suffix not in SUFFIXES:
        require_plain(path)
    _check_tables(path, suffix, radians, truncated)
    require(unit is None or suffix == ".bvh", f"{path}: `unit` is for .bvh files", got=unit)
    _check_models(path, suffix, base=base, packages=packages, geometry=geometry, couplers=couplers)
    require(suffix != ".xacro", f"{path}: {XACRO}", BadFile)
    require(model is None or isinstance(model, Model), f"{path}: `model` must be a Model", got=model)
    held = _limited(limits)
    with files_read(strict=strict, truncated=truncated):
        if suffix in ROBOTS:
            found = _robot(path, suffix, base, inertias, packages, couplers)
            return held(found.unfolded() if couplers == "constraint" else found)
        if suffix == ".osim":
            return held(load_osim(path, inertias, _folders(geometry), couplers))
        return held(_of_condyle_or_motion(path, suffix, model, inertias, radians, unit))


def _of_condyle_or_motion(path: Path, suffix: str, model: Model | None, inertias: str | None, radians, unit) -> Any:
    """What a file of condyle's own holds, or one of a motion."""
    if suffix == ".npz":
        return _from_archive(path, model)
    if suffix in CHARACTERS:
        require(model is None, f"{path}: such a file holds its own model; leave `model` out", got=model)
        return read_character(path, **({} if unit is None else {"unit": unit}))
    if suffix in SUFFIXES:
        return load_table(path, model, radians=radians)
    require(suffix == ".toml", f"{path}: condyle does not load {path.suffix or 'a file without suffix'}; "
            f"it loads {READ}", BadFile)  # fmt: skip
    return _from_toml(read_toml(path), path, _side_files(path), Included(path, _joint_of), inertias=inertias)


def _check_tables(path: Path, suffix: str, radians: Sequence[str] | None, truncated: str | None) -> None:
    """Options of tables are for tables."""
    given = radians is not None or (truncated not in (None, "error") and suffix != ".bvh")
    require(suffix in SUFFIXES or not given, f"{path}: `radians` and `truncated` are for {', '.join(SUFFIXES)}",
            radians=radians)  # fmt: skip


def _check_models(path: Path, suffix: str, *, base, packages, geometry, couplers) -> None:
    """Options of models are for those files that can be read so."""
    robot = suffix in ROBOTS
    require(base is None or suffix in (".urdf", ".sdf"),
            f"{path}: `base` is for URDF and SDF files; other models say how they are held", base=base)  # fmt: skip
    require(packages is None or robot, f"{path}: `packages` is for robots (.urdf, .sdf, .xml)", packages=packages)
    require(geometry is None or suffix == ".osim", f"{path}: `geometry` is for .osim files", geometry=geometry)
    require(couplers is None or robot or suffix == ".osim", f"{path}: `couplers` is for .osim files and robots",
            couplers=couplers)  # fmt: skip
    require(couplers in (None, *COUPLERS), f"{path}: couplers must be 'fold' or 'constraint'", BadValue, got=couplers)


def _robot(path: Path, suffix: str, base: str | None, inertias: str | None, packages, couplers: str | None) -> Model:
    if suffix in (".xml", ".mjcf"):
        return load_mjcf(path, inertias, packages, couplers)
    return (load_urdf if suffix == ".urdf" else load_sdf)(path, base, inertias, packages)


def _folders(geometry) -> list[Path]:
    """Folders of mesh files that the caller names."""
    named = [] if geometry is None else [geometry] if isinstance(geometry, (str, os.PathLike)) else list(geometry)
    folders = [Path(folder).expanduser() for folder in named]
    for folder in folders:
        require(folder.is_dir(), "geometry: there is no such folder", got=str(folder))
    return folders


def _limited(limits: str | None) -> Callable[[Any], Any]:
    """What is done to a loaded model, by the name of it."""
    ways = {
        "range": lambda thing: thing,
        "stiff": lambda thing: stiff_limits(thing) if isinstance(thing, Model) else thing,
    }
    if limits is not None and limits not in ways:
        raise unknown_name("way with limits", limits, ways, "cd.load")
    return ways[limits or "range"]


def _from_archive(path: Path, model: Model | None) -> Any:
    """What an .npz file holds; its kind is looked at before the rest is read."""
    labels = read_arrays(path, only=("condyle", "kind"))
    kind, version = text_of(labels, "kind"), labels.get("condyle")
    if kind not in ARCHIVES:
        raise BadFile(f"{path}: not a file of condyle: expected an .npz with kind = {' or '.join(map(repr, ARCHIVES))}")
    number = version is not None and version.shape == () and version.dtype.kind in "iu"
    require(number, f"{path}: not a file of condyle: it has no version", BadFile)
    _require_version(int(version), str(path))  # type: ignore[arg-type]
    arrays = read_arrays(path)
    if kind == "torques":
        return built_torques(arrays, path)
    if kind == "skeleton motion":
        return built_motion(arrays, path)
    return built_trajectory(arrays, path, model, lambda text, kept: _inner_model(text, kept, path))


def _inner_model(text: str, arrays: Arrays, path: Path) -> Model:
    """The model that a trajectory holds."""
    name = f"{path}, its model"
    tree = parse_toml(text, name) | {"arrays": {}}
    return _from_toml(tree, path, lambda npz: arrays, Included(path, _joint_of), "model", name, arrays)


def _joint_of(path: Path, included: Included) -> Joint:
    """The joint of a file that another includes."""
    return _from_toml(read_toml(path), path, _side_files(path), included, "joint")


def _from_toml(
    tree: dict, path: Path, side_files: Callable[[str], Found], included: Included, expected: str | None = None,
    name: str = "", arrays: Found | None = None, inertias: str | None = None,
) -> Any:  # fmt: skip
    """What the tables of a file describe; it holds its own arrays unless they are given."""
    name = name or str(path)
    kind = _kind(tree, name, expected)
    stored = stored_arrays(tree.get("arrays")) if arrays is None else arrays
    tree = {key: x if key == "arrays" else put_back(x, stored, side_files) for key, x in tree.items()}
    problems = Problems(name, tree)
    entry = problems.validated(FILES[kind])
    if isinstance(entry, ModelFile):
        return replace(built_model(entry, problems, included, inertias), folder=path.parent)
    if isinstance(entry, ArmFile):
        return problems.built(lambda: built_arm(entry))
    return problems.built(lambda: built_joint(entry.joint, included), "joint")


def _kind(tree: dict, name: str, expected: str | None) -> str:
    """The kind of the file, of a version that this condyle knows."""
    version = tree.get("condyle")
    number = isinstance(version, int) and not isinstance(version, bool)
    require(number, f"{name}: not a condyle file: its first key must be `condyle = {VERSION}`", BadFile, got=version)
    _require_version(version, name)  # type: ignore[arg-type]
    kind = tree.get("kind")
    if not isinstance(kind, str) or kind not in FILES:
        raise BadFile(f"{name}: {unknown_name('kind', kind, FILES, 'condyle files')}")
    require(expected in (None, kind), f"{name}: expected a {expected}, this is a {kind}", BadFile)
    return str(kind)


def _require_version(version: int, name: str) -> None:
    newer = f"{name}: version {shown(version)} is newer than this condyle, which reads up to {VERSION}; upgrade it"
    require(version <= VERSION, newer, BadFile)
    require(version == VERSION, f"{name}: there is no version {shown(version)}; expected {VERSION}", BadFile)


def _side_files(path: Path) -> Callable[[str], Found]:
    """A reader of side files that answers with words instead of raising, so that validation can say where."""
    cache: dict[str, Found] = {}

    def read(name: str) -> Found:
        if name not in cache:
            try:
                cache[name] = read_arrays(existing(beside(path, name)))
            except BadFile as error:
                cache[name] = str(error)
        return cache[name]

    return read
