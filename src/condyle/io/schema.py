"""What a condyle file may say. Units are SI and radians; `units = "SI"` says so."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal, Optional, Union

from pydantic import BaseModel, Field, create_model

from ..forces.kernels.declaration import COORDINATE, LINE, Law
from ..forces.registry import ALL
from .array_fields import Array, Number, Stored
from .joint_schema import AnyFunction, AnyJoint, Part, Pose

VERSION = 1
Point = Annotated[list[Number], Field(min_length=3, max_length=3)]
Six = Annotated[list[Number], Field(min_length=6, max_length=6)]


class InertiaEntry(Part):
    """Mass [kg], centre of mass [m], moment about it [kg m²]: 3 principal values, xx yy zz xy xz yz, or 3x3.

    With `keep`, moments are taken as written though no body has them (two sum to less than the third).
    """

    mass: Number
    com: Point = [0.0, 0.0, 0.0]
    moment: Array | None = None
    keep: bool = False


class ShapeEntry(Part):
    """What a body looks like, in its own frame [m]."""

    type: Literal["sphere", "box", "cylinder", "capsule", "bone", "ellipsoid", "mesh"]
    size: list[Number]
    pose: Pose | None = None
    color: Point | None = None
    path: str = ""


class BodyEntry(Part):
    """A body and the joint that carries it; without a parent it hangs on the world."""

    name: str
    parent: str | None = None
    joint_name: str | None = None
    joint: AnyJoint | None = None
    inertia: InertiaEntry
    placement: Pose | None = None
    offset: Pose | None = None
    shapes: list[ShapeEntry] = []


class BushingEntry(Part):
    """Springs and dampers of three turns and three shifts between frames of two bodies."""

    type: Literal["bushing"]
    body_a: str | None = None
    frame_a: Pose | None = None
    body_b: str | None = None
    frame_b: Pose | None = None
    stiffness: Six
    damping: Six = [0.0] * 6
    name: str | None = None


ON_COORDINATE: dict[str, Any] = {"coordinate": (str, ...)}
ON_LINE: dict[str, Any] = {"body_a": (str | None, None), "point_a": (Point, ...),
                           "body_b": (str | None, None), "point_b": (Point, ...)}  # fmt: skip


def _entry(word: str, laws: list[Law]) -> type[Part]:
    """What `loads` may say of a law; two laws of one word differ by the constants that one of them has alone."""
    line = laws[0].reading == LINE
    fields: dict[str, Any] = {"type": (Literal[word], ...), **(ON_LINE if line else ON_COORDINATE)}  # type: ignore[valid-type]
    for name, constant in {k: c for law in laws for k, c in law.constants.items()}.items():
        optional = constant.infinite or not all(name in law.constants for law in laws)
        default = ... if constant.default is None else constant.default
        fields[name] = (Optional[Number], None) if optional else (Number, default)  # noqa: UP045  # of an Annotated
    fields["name"] = (str | None, None)
    words = f"A {laws[0].words}; without a body it is tied to the world." if line else f"A {laws[0].words}."
    return create_model(f"{word.title().replace('_', '')}Entry", __base__=Part, __doc__=words, **fields)


WRITTEN: dict[str, list[Law]] = {}  # laws of `loads` by their word
for _law in ALL:
    if _law.file and _law.reading in (COORDINATE, LINE):
        WRITTEN.setdefault(_law.file, []).append(_law)
AnyLoad = Annotated[
    Union[(*(_entry(word, laws) for word, laws in WRITTEN.items()), BushingEntry)],  # made here
    Field(discriminator="type"),
]


class SurfaceEntry(Part):
    """What touches at a frame: everything below its x-y plane, or a sphere about its origin [m]."""

    type: Literal["half_space", "sphere"]
    radius: Number = 0.0


class ForceEntry(Part):
    """A force by its law, on a coordinate or between two bodies; without a body it is tied to the world."""

    law: str
    name: str | None = None
    coordinate: str | None = None
    body_a: str | None = None
    frame_a: Pose | None = None
    surface_a: SurfaceEntry | None = None
    body_b: str | None = None
    frame_b: Pose | None = None
    surface_b: SurfaceEntry | None = None
    share: Number = 0.5
    constants: dict[str, Number] = {}


class PointEntry(Part):
    """A point of one body stays on a point of another [m]; without a body it is the world's."""

    type: Literal["point"]
    body_a: str | None = None
    point_a: Point = [0.0, 0.0, 0.0]
    body_b: str | None = None
    point_b: Point = [0.0, 0.0, 0.0]


class DistanceEntry(Part):
    """A point of one body stays at the distance `length` from a point of another [m]."""

    type: Literal["distance"]
    body_a: str | None = None
    point_a: Point = [0.0, 0.0, 0.0]
    body_b: str | None = None
    point_b: Point = [0.0, 0.0, 0.0]
    length: Number


class LineEntry(Part):
    """A point of one body stays on the z axis of a frame of another."""

    type: Literal["line"]
    body_a: str | None = None
    point_a: Point = [0.0, 0.0, 0.0]
    body_b: str | None = None
    frame_b: Pose | None = None


class WeldEntry(Part):
    """A frame of one body stays on a frame of another."""

    type: Literal["weld"]
    body_a: str | None = None
    frame_a: Pose | None = None
    body_b: str | None = None
    frame_b: Pose | None = None


class CoupleEntry(Part):
    """coordinate = ratio · other + offset, or `function` of one or several others, or what `slide` moves by along x.

    With `fold`, the coordinate is no coordinate of the model but that function.
    """

    type: Literal["couple"]
    coordinate: str
    other: str | list[str]
    ratio: Number = 1.0
    offset: Number = 0.0
    function: AnyFunction | None = None
    slide: AnyJoint | None = None
    fold: bool = False


class RollEntry(Part):
    """A body rolls on its parent at the frame of `contact`, a joint with coordinates of the body's own."""

    type: Literal["roll"]
    body: str
    contact: AnyJoint
    tangents: list[int] = [0, 1]


AnyConstraint = Annotated[
    PointEntry | DistanceEntry | LineEntry | WeldEntry | CoupleEntry | RollEntry, Field(discriminator="type")
]


class RangeEntry(Part):
    """Without `low` or `high` there is no end on that side."""

    coordinate: str
    low: Number | None = None
    high: Number | None = None


class LimitsEntry(Part):
    """The largest velocity [rad/s or m/s] and effort [N m or N] of a coordinate and its Coulomb friction: data.

    The armature [kg m² or kg], inertia of what turns with the coordinate and is no body, acts.
    """

    coordinate: str
    velocity: Number | None = None
    effort: Number | None = None
    friction: Number | None = None
    armature: Number | None = None


class PrescribedEntry(Part):
    """A `value` at time 0 and its steady `rate`, samples (`times` [s], `values`), or a spline (`knots` …)."""

    coordinate: str
    value: Number | None = None
    rate: Number | None = None
    times: Array | None = None
    values: Array | None = None
    knots: Array | None = None
    coefficients: Array | None = None


class DefaultEntry(Part):
    """Where a coordinate is in the neutral posture [rad or m]."""

    coordinate: str
    value: Number


class MotionTypeEntry(Part):
    """How OpenSim calls the motion of a coordinate, which decides whether its columns can be in degrees."""

    coordinate: str
    type: Literal["rotational", "translational", "coupled"]


class MarkerEntry(Part):
    """A named point of a body [m]; without a body it is the world's."""

    name: str
    body: str | None = None
    at: Point
    fixed: bool = False


class WrapEntry(Part):
    """What paths wrap over, on a body or the world; `sizes` [m] as `add_wrap` of the builder takes them."""

    name: str
    shape: Literal["cylinder", "sphere", "ellipsoid", "torus"]
    body: str | None = None
    pose: Pose | None = None
    quadrant: str = "all"
    active: bool = True
    sizes: dict[str, Number | list[Number]]


class PathPointEntry(Part):
    """A point of a path [m]; with `coordinate` it counts from `low` to `high` only, with `way` it moves along that."""

    name: str = ""
    body: str | None = None
    at: Point = [0.0, 0.0, 0.0]
    coordinate: str | None = None
    low: Number | None = None
    high: Number | None = None
    way: AnyJoint | None = None
    frame: Pose | None = None


class PathWrapEntry(Part):
    """A wrap object, and the points (counted from 1; −1: all) between which the path may wrap over it."""

    wrap: str
    method: str = "hybrid"
    first: int = -1
    last: int = -1


class MuscleEntry(Part):
    """A muscle, ligament or spring along a path, or a mere path; `constants` of its law by name."""

    name: str
    law: str = "path"
    points: list[PathPointEntry]
    wraps: list[PathWrapEntry] = []
    constants: dict[str, Number | list[list[Number]]] = {}


class ModelFile(Part):
    """A model."""

    condyle: Literal[1]
    kind: Literal["model"]
    units: Literal["SI"] = "SI"
    gravity: Point = [0.0, 0.0, -9.81]
    bodies: list[BodyEntry] = Field(min_length=1)
    loads: list[AnyLoad] = []  # type: ignore[valid-type]
    forces: list[ForceEntry] = []
    ranges: list[RangeEntry] = []
    limits: list[LimitsEntry] = []
    defaults: list[DefaultEntry] = []
    motion_types: list[MotionTypeEntry] = []
    markers: list[MarkerEntry] = []
    wraps: list[WrapEntry] = []
    muscles: list[MuscleEntry] = []
    prescribed: list[PrescribedEntry] = []
    constraints: list[AnyConstraint] = []
    notes: list[str] = []
    arrays: Stored = {}


class JointFile(Part):
    """A joint by itself."""

    condyle: Literal[1]
    kind: Literal["joint"]
    units: Literal["SI"] = "SI"
    joint: AnyJoint
    arrays: Stored = {}


@cache
def all_keys(model: type[BaseModel]) -> list[str]:
    """Every key that the schema of a file knows."""
    schema = model.model_json_schema()
    tables = [schema, *schema.get("$defs", {}).values()]
    return sorted({key for table in tables for key in table.get("properties", {})})


def json_schema(kind: str = "model") -> dict[str, Any]:
    """The JSON schema of a file of a kind, "model", "joint" or "arm"; editors check TOML files with it.

    Parameters
    ----------
    kind : {"model", "joint", "arm"}

    Returns
    -------
    dict

    Raises
    ------
    UnknownName
        If there is no such kind.
    """
    from ..errors import unknown_name
    from .arm_file import ArmFile

    files = {"model": ModelFile, "joint": JointFile, "arm": ArmFile}
    if kind not in files:
        raise unknown_name("kind of file", kind, files, "condyle")
    return files[kind].model_json_schema()
