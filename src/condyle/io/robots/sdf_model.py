"""Models from SDF files: links that no joint carries float freely, as the format says, unless their model is static."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

from ... import joints
from ...errors import BadFile, BadInertia, CondyleError, CondyleWarning, require, unknown_name, warn
from ...formats.packages import Packages, package_folders
from ...formats.safe_files import read_bytes
from ...formats.sdf import MODEL, WORLD, Axis, Place, SdfFile, SdfJoint, SdfLink, SdfModel, parse_sdf
from ...joints import Joint
from ...model import Model, ModelBuilder
from ...spatial import Inertia
from ...spatial.twists import pose_inverse, pose_matrix
from ..inertias import WAY_OUT, checked_way, file_inertia
from .urdf_model import BASES, drawn_shape

COUNTS = {
    "revolute": 1,
    "continuous": 1,
    "prismatic": 1,
    "screw": 1,
    "universal": 2,
    "revolute2": 2,
    "ball": 0,
    "fixed": 0,
}


def load_sdf(path: Path, base: str | None = None, inertias: str | None = None, packages=None) -> Model:
    """The model of an SDF file; the options are those of `load`."""
    if base is not None and base not in BASES:
        raise unknown_name("base", base, BASES, "a robot")
    file, way, folders = (
        parse_sdf(read_bytes(path), str(path)),
        checked_way(inertias, "keep"),
        package_folders(packages),
    )
    try:
        return _built(file, base == "fixed", way, path.parent, folders)
    except CondyleError as error:
        raise BadFile(f"{path}: {error}") from error


def _built(file: SdfFile, held: bool, way: str, folder: Path, packages: Packages) -> Model:
    builder = ModelBuilder() if file.gravity is None else ModelBuilder(gravity=file.gravity)
    notes: list[str] = []
    for model in file.models:
        parts = Parts(model, f"{model.name}::" if len(file.models) > 1 else "")
        for name, joint in parts.outwards():
            _add(builder, parts, model.links[name], joint, held, (way, folder, packages))
        for joint in model.joints.values():
            notes += _laws(builder, parts, joint)
        _warn_undrawn(model)
        notes += [f"not read of model {model.name!r}: {_listed(model.ignored)}"] if model.ignored else []
    notes += [f"not read: {_listed(file.ignored)}"] if file.ignored else []
    return replace(builder.build(), folder=folder, notes=tuple(notes))


def _listed(ignored: dict[str, int]) -> str:
    return ", ".join(f"{count} <{tag}>" for tag, count in sorted(ignored.items()))


class Parts:
    """The frames of a model in the world, which link carries each, and the tree of links."""

    def __init__(self, model: SdfModel, prefix: str) -> None:
        self.model, self.prefix = model, prefix
        self.world = _matrix(model.place)
        self._found: dict[str, np.ndarray] = {MODEL: np.eye(4), "": np.eye(4)}

    def called(self, name: str) -> str:
        """The name in condyle's model, which has no dots."""
        return self.prefix.replace(".", "_") + name.replace(".", "_")

    def pose(self, name: str) -> np.ndarray:
        """Where a frame stands in the world when all coordinates are zero."""
        return np.eye(4) if name == WORLD else self.world @ self._in_model(name)

    def _in_model(self, name: str) -> np.ndarray:
        way, here = [], name
        while here not in self._found:
            self._check(here)
            require(
                here not in way, f"frames of model {self.model.name!r} stand in each other in a ring", BadFile, got=way
            )
            way.append(here)
            here = self.model.frames[here].base or MODEL
        for frame in reversed(way):
            place = self.model.frames[frame]
            self._found[frame] = self._found[place.base or MODEL] @ _matrix(place)
        return self._found[name]

    def _check(self, name: str) -> None:
        if name not in self.model.frames:
            raise BadFile(str(unknown_name("frame", name, self.model.frames, f"model {self.model.name!r}")))

    def carrier(self, name: str) -> str:
        """The link that carries a frame; the world carries itself."""
        passed: list[str] = []
        while name not in self.model.links and name != WORLD:
            require(name not in passed, f"frame {name!r} is attached to itself", BadFile)
            passed.append(name)
            if name in self.model.joints:
                name = self.model.joints[name].child
            elif name == MODEL:
                name = next(iter(self.model.links))
            else:
                self._check(name)
                name = self.model.attached[name]
        return name

    def outwards(self) -> Iterator[tuple[str, SdfJoint | None]]:
        """Each link with the joint that carries it, parents first."""
        carried: dict[str, SdfJoint] = {}
        children: dict[str, list[str]] = {}
        for joint in self.model.joints.values():
            child, parent = self.carrier(joint.child), self.carrier(joint.parent)
            loop = f"joint {joint.name!r} closes a loop: another one carries link {child!r}, too"
            require(child not in carried, f"{loop}; take it out and add a constraint", BadFile)
            require(child != WORLD, f"joint {joint.name!r}: the world cannot be a child", BadFile)
            carried[child] = joint
            children.setdefault(parent, []).append(child)
        waiting = [
            *(n for n in reversed(list(self.model.links)) if n not in carried),
            *reversed(children.get(WORLD, [])),
        ]
        reached = set()
        while waiting:
            name = waiting.pop()
            reached.add(name)
            yield name, carried.get(name)
            waiting += reversed(children.get(name, []))
        lost = [name for name in self.model.links if name not in reached]
        require(not lost, "links form a tree, but these carry each other in a ring", BadFile, links=lost)


def _matrix(place: Place) -> np.ndarray:
    if len(place.turn) == 4:
        length = float(np.linalg.norm(place.turn))
        require(length > 1e-9, "the quaternion of a pose must not be zero", BadFile, got=place.turn)
        turn = Rotation.from_quat(place.turn, scalar_first=True)
    else:
        turn = Rotation.from_euler("xyz", place.turn)
    return pose_matrix(turn.as_matrix(), np.array(place.xyz, dtype=float))


def _add(
    builder: ModelBuilder, parts: Parts, link: SdfLink, joint: SdfJoint | None, held: bool, options: tuple
) -> None:
    way, folder, packages = options
    shapes = [replace(drawn_shape(g, folder, packages), pose=_matrix(place)) for g, place in link.shapes]
    inertia, here = _inertia(link, way), parts.pose(link.name)
    name, still = parts.called(link.name), parts.model.static
    if still:
        builder.add_body(name, None, None, inertia, here, shapes=shapes)
    elif joint is None:
        builder.add_body(name, None, joints.weld() if held else joints.free(), inertia, here, shapes=shapes)
    else:
        parent, frame = parts.carrier(joint.parent), parts.pose(joint.name)
        placement, offset = pose_inverse(parts.pose(parent)) @ frame, pose_inverse(here) @ frame
        owner = None if parent == WORLD else parts.called(parent)
        builder.add_body(
            name, owner, _joint(parts, joint), inertia, placement, offset, parts.called(joint.name), shapes
        )


def _inertia(link: SdfLink, way: str) -> Inertia:
    who = f"link {link.name!r}"
    try:
        return file_inertia(link.mass, np.zeros(3), np.array(link.moment), who, way).moved(_matrix(link.inertial))
    except BadInertia as error:
        raise BadInertia(f"{who}: {error}; {WAY_OUT}") from error


def _joint(parts: Parts, joint: SdfJoint) -> Joint:
    who = f"joint {joint.name!r}"
    require(joint.kind in COUNTS, f"{who}: a type is one of {', '.join(COUNTS)}", BadFile, got=joint.kind)
    needed = COUNTS[joint.kind]
    require(len(joint.axes) >= needed, f"{who}: a {joint.kind} joint needs {needed} axes", BadFile, got=len(joint.axes))
    axes = [_direction(parts, joint, axis) for axis in joint.axes[:needed]]
    if joint.kind in ("fixed", "ball"):
        return joints.weld() if joint.kind == "fixed" else joints.ball()
    if joint.kind == "screw":
        require(joint.pitch, f"{who}: a screw needs <screw_thread_pitch> [m per turn]", BadFile)
        return joints.helical(axes[0], joint.pitch / (2.0 * np.pi))
    if joint.kind == "prismatic":
        return joints.prismatic(axes[0])
    if needed == 1:
        return joints.revolute(axes[0])
    return joints.compose(*(joints.revolute(axis, name=f"angle{k + 1}") for k, axis in enumerate(axes)))


def _direction(parts: Parts, joint: SdfJoint, axis: Axis) -> np.ndarray:
    """An axis in the frame of its joint."""
    frame = parts.pose(axis.base or joint.name)[:3, :3]
    found = parts.pose(joint.name)[:3, :3].T @ frame @ np.array(axis.xyz)
    require(np.linalg.norm(found) > 1e-12, f"joint {joint.name!r}: its axis must not be zero", BadFile)
    return found


def _laws(builder: ModelBuilder, parts: Parts, joint: SdfJoint) -> Iterator[str]:
    """Ranges, ratings, springs, dampers and what mimics of a joint; what does not act is told."""
    count = COUNTS.get(joint.kind, 0)
    if parts.model.static:
        return
    for k, axis in enumerate(joint.axes[:count]):
        name = parts.called(joint.name) + (f".angle{k + 1}" if count > 1 else "")
        if axis.damping > 0.0:
            builder.add_damping(name, axis.damping)
        if axis.stiffness > 0.0:
            builder.add_stiffness(name, axis.stiffness, axis.rest)
        low, high = (end if x is None else x for x, end in ((axis.lower, -np.inf), (axis.upper, np.inf)))
        if joint.kind != "continuous" and low <= high and (np.isfinite(low) or np.isfinite(high)):
            builder.set_range(name, low, high)
        bounds = [None if x is None or x < 0.0 else x for x in (axis.velocity, axis.effort)]
        builder.set_limits(name, velocity=bounds[0], effort=bounds[1], friction=max(axis.friction, 0.0))
        if axis.friction:
            told = f"its Coulomb friction {axis.friction:g} is kept in model.limits and does not act"
            yield f"joint {joint.name!r}: {told}"
        if axis.mimic is not None:
            leader, factor, offset, reference = axis.mimic
            known = leader in parts.model.joints
            require(known, f"joint {joint.name!r} mimics joint {leader!r}, which the model does not have", BadFile)
            builder.add_coupler(name, parts.called(leader), ratio=factor, offset=offset - factor * reference)


def _warn_undrawn(model: SdfModel) -> None:
    reasons = [reason for link in model.links.values() for reason in link.undrawn]
    if reasons:
        more = [f"… and {len(reasons) - 5} more"] if len(reasons) > 5 else []
        warn("not drawn:" + "".join(f"\n  {reason}" for reason in [*reasons[:5], *more]), CondyleWarning)
