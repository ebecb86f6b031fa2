"""Joints of an MJCF file: what they say, and the joints of condyle that move alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from .... import joints
from ....errors import BadFile, require
from ....formats.doubts import doubt
from ....formats.mjcf.attributes import Attributes
from ....joints import Joint
from ....model import ModelBuilder
from ....spatial.twists import pose_matrix
from .compiler_settings import Compiler
from .poses import unit

KINDS = ("hinge", "slide", "ball", "free")
SINGLE = ("hinge", "slide")
ZERO = (0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class MjcfJoint:
    """A joint in SI units and radians, in the frame of its body; `name` is that of its coordinate in condyle."""

    name: str
    kind: str
    axis: np.ndarray
    point: np.ndarray
    ref: float = 0.0
    rest: float = 0.0
    stiffness: float = 0.0
    damping: float = 0.0
    armature: float = 0.0
    friction: float = 0.0
    range: tuple[float, ...] | None = None
    effort: float | None = None
    notes: tuple[str, ...] = ()

    @property
    def single(self) -> bool:
        """Whether its coordinate is one number."""
        return self.kind in SINGLE


def read_joint(a: Attributes, name: str, outer: np.ndarray, compiler: Compiler) -> MjcfJoint:
    """A joint inside frames that stand at `outer` in the body."""
    kind = "free" if a.tag == "freejoint" else a.word("type", KINDS, "hinge")
    axis = unit(np.array(a.numbers("axis", 3, default=(0.0, 0.0, 1.0))))
    if axis is None:
        raise BadFile(f"{a.where}: the axis must not be zero")
    angle = compiler.angles.unit if kind in ("hinge", "ball") else 1.0
    notes: list[str] = []
    constants = {key: _law(a, key, notes) for key in ("stiffness", "damping")}
    if min(a.numbers("springdamper", 2, default=(0.0, 0.0))) > 0.0:
        constants = {"stiffness": 0.0, "damping": 0.0}
        notes.append("its springdamper, which MuJoCo turns into stiffness and damping by the inertia, does not act")
    for key in ("armature", "frictionloss"):
        require(a.number(key, 0.0) >= 0.0, f"{a.where}: {key} must not be negative", BadFile, got=a.text(key))
    point = outer @ np.array([*a.numbers("pos", 3, default=ZERO), 1.0])
    return MjcfJoint(
        name, kind, outer[:3, :3] @ axis, point[:3], a.number("ref", 0.0) * angle, a.number("springref", 0.0) * angle,
        **constants, armature=a.number("armature", 0.0), friction=a.number("frictionloss", 0.0),
        range=_range(a, compiler, angle), effort=_effort(a, compiler), notes=tuple(notes),
    )  # fmt: skip


def _law(a: Attributes, key: str, notes: list[str]) -> float:
    """The linear constant of a spring or damper; powers beyond it are told."""
    first, *others = a.numbers(key, 1, 8, default=(0.0,))
    if any(others):
        notes.append(f"the higher powers of its {key} do not act")
    if first < 0.0:
        notes.append(f"its {key} {first:g} is negative and left out")
    return max(first, 0.0)


def _range(a: Attributes, compiler: Compiler, angle: float) -> tuple[float, ...] | None:
    """The range, if it limits the joint."""
    ends = a.numbers("range", 2, default=(0.0, 0.0))
    limited = a.word("limited", ("true", "false", "auto"), "auto")
    acts = limited == "true" or (limited == "auto" and compiler.autolimits and ends[0] != ends[1])
    return tuple(x * angle for x in ends) if acts else None


def _effort(a: Attributes, compiler: Compiler) -> float | None:
    """The largest force of all actuators together, if it is bounded alike both ways or more."""
    low, high = a.numbers("actuatorfrcrange", 2, default=(0.0, 0.0))
    limited = a.word("actuatorfrclimited", ("true", "false", "auto"), "auto")
    acts = limited == "true" or (limited == "auto" and compiler.autolimits and low < high)
    return max(abs(low), abs(high)) if acts else None


def moving(found: Sequence[MjcfJoint]) -> Joint:
    """The joint of a body: its joints one after another."""
    if not found:
        return joints.weld()
    parts = [_part(j) for j in found]
    return parts[0] if len(parts) == 1 else joints.compose(*parts)


def _part(j: MjcfJoint) -> Joint:
    """One joint; its coordinate is MuJoCo's, which is `ref` where the body stands as the file has it."""
    if j.kind == "free":
        return joints.free(name=j.name)
    if j.kind == "ball":
        there = pose_matrix(np.eye(3), j.point)
        back = pose_matrix(np.eye(3), -j.point)
        ball = joints.ball(name=j.name)
        return joints.compose(joints.weld(there), ball, joints.weld(back)) if j.point.any() else ball
    make = joints.revolute(j.axis, j.point, name=j.name) if j.kind == "hinge" else joints.prismatic(j.axis, name=j.name)
    return joints.compose(joints.weld(make.pose([-j.ref])), make) if j.ref else make


def add_loads(builder: ModelBuilder, coordinate: str, j: MjcfJoint) -> Iterator[str]:
    """Springs, dampers, ranges and ratings of a coordinate; what does not act is told."""
    yield from (f"joint {j.name!r}: {words}" for words in j.notes)
    if j.damping:
        builder.add_damping(coordinate, j.damping)
    if not j.single:
        lost = {"stiffness": j.stiffness, "frictionloss": j.friction, "range": j.range}
        lost |= {"armature": j.armature} if j.kind == "free" else {}
        said = ", ".join(key for key, value in lost.items() if value)
        if said:
            yield f"joint {j.name!r} is a {j.kind} joint: its {said} does not act"
        return
    if j.stiffness:
        builder.add_stiffness(coordinate, j.stiffness, j.rest)
    if j.ref:
        builder.set_default(coordinate, j.ref)
    if j.friction or j.effort is not None:
        builder.set_limits(coordinate, effort=j.effort, friction=j.friction)
    if j.friction:
        yield f"joint {j.name!r}: its frictionloss {j.friction:g} is kept in model.limits and does not act"
    if j.range is not None and j.range[0] <= j.range[1]:
        builder.set_range(coordinate, *j.range)
    elif j.range is not None:
        words = f"joint {j.name!r}: its range {j.range[0]:g} … {j.range[1]:g} leaves it no room, so that it has none"
        doubt(words)
        yield words
