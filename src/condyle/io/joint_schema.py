"""How a joint is written in a file: by its constructor, as people do, or as its segments, exactly."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from .array_fields import Array, Number

Axis = Literal["x", "y", "z"] | list[Number]
Outside = Literal["extend", "error"]


class Part(BaseModel):
    """What all tables have in common: no unknown keys, no NaN, numbers are numbers."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, strict=True, arbitrary_types_allowed=True)


class Position(Part):
    """A pose as position [m] and unit quaternion (w, x, y, z)."""

    xyz: list[Number] = Field(default=[0.0, 0.0, 0.0], min_length=3, max_length=3)
    wxyz: list[Number] = Field(default=[1.0, 0.0, 0.0, 0.0], min_length=4, max_length=4)


Pose = Position | Array


class TermEntry(Part):
    """A scalar function of a segment, with its constants for each row."""

    function: Literal["polynomial", "sinusoid", "ellipse"]
    coordinates: list[int]
    constants: Array


class SegmentEntry(Part):
    """Consecutive factors that share a grid, or one quaternion."""

    kind: Literal["factors", "ball", "free"] = "factors"
    coordinates: list[int] = []
    breaks: list[Array] = []
    periodic: list[bool] = []
    poses: Array | None = None
    twists: Array | None = None
    terms: list[TermEntry] = []


class Weld(Part):
    type: Literal["weld"]
    pose: Pose | None = None


class Revolute(Part):
    type: Literal["revolute"]
    axis: Axis
    point: list[Number] | None = None
    name: str | None = None


class Prismatic(Part):
    type: Literal["prismatic"]
    axis: Axis
    name: str | None = None


class Helical(Part):
    type: Literal["helical"]
    axis: Axis
    pitch: Number
    point: list[Number] | None = None
    name: str | None = None


class Cylindrical(Part):
    type: Literal["cylindrical"]
    axis: Axis
    point: list[Number] | None = None
    names: list[str] | None = None


class Planar(Part):
    type: Literal["planar"]
    names: list[str] | None = None


class Universal(Part):
    type: Literal["universal"]
    first: Axis
    second: Axis
    point: list[Number] | None = None
    second_point: list[Number] | None = None
    names: list[str] | None = None


class Ball(Part):
    type: Literal["ball"]
    name: str | None = None


class Free(Part):
    type: Literal["free"]
    name: str | None = None


class Elliptic(Part):
    type: Literal["elliptic"]
    a: Number
    b: Number
    name: str | None = None


class SplineCurve(Part):
    type: Literal["spline_curve"]
    frames: list[Position] | Array
    knots: Array | None = None
    order: int = Field(default=4, le=16)
    periodic: bool = False
    outside: Outside = "extend"
    name: str | None = None


class BaseCurve(Part):
    """A joint of one coordinate that moves a surface, and the number of the surface's coordinate that it reads."""

    coordinate: int
    joint: AnyJoint


class SplineSurface(Part):
    type: Literal["spline_surface"]
    controls: Array
    knots: list[Array] | None = None
    order: int = Field(default=4, le=16)
    twists: Array | None = None
    periodic: bool | list[bool] = False
    pose: Pose | None = None
    outside: Outside = "extend"
    names: list[str] | None = None
    base: list[BaseCurve] = Field(default=[], max_length=8)


class Along(Part):
    """A frame along a curve: exactly one of `points`, `lonlat` (with `radius`) and `svg`."""

    type: Literal["along"]
    points: Array | None = None
    lonlat: Array | None = None
    radius: Number | None = None
    svg: str | None = Field(default=None, max_length=1_000_000)
    part: int = 0
    closed: bool | None = None
    rounding: Number = 0.0
    scale: Number = 1.0
    frame: Literal["rotation-minimizing", "frenet", "surface normal", "fixed"] | None = None
    up: list[Number] | None = None
    coordinate: Literal["length", "parameter"] = "length"
    crossings: Literal["refuse", "allow"] = "refuse"
    outside: Outside = "extend"
    name: str | None = None


class On(Part):
    """A frame on a surface: `heights` over `x` and `y`, or a B-spline: `knots`, `controls` (n, m) or (n, m, 3)."""

    type: Literal["on"]
    x: Array | None = None
    y: Array | None = None
    heights: Array | None = None
    knots: list[Array] | None = None
    controls: Array | None = None
    order: int = Field(default=6, ge=4, le=16)
    crossings: Literal["refuse", "allow"] = "refuse"
    outside: Outside = "extend"
    names: list[str] | None = None


class Track(Part):
    """Along a polygon, without turning; impulses at its corners."""

    type: Literal["track"]
    points: Array
    closed: bool = False
    outside: Outside = "extend"
    name: str | None = None


class Segments(Part):
    """The one form of every joint, exactly as it is kept; `design` is what a spline was made from."""

    type: Literal["segments"]
    coordinates: list[str] = []
    segments: list[SegmentEntry]
    outside: Outside = "extend"
    title: str = "joint"
    corners: list[list[Number]] = []
    design: SplineCurve | SplineSurface | None = Field(default=None, discriminator="type")


class ConstantFunction(Part):
    type: Literal["constant"]
    value: Number


class LinearFunction(Part):
    type: Literal["linear"]
    coordinate: int = 0
    scale: Number = 1.0
    offset: Number = 0.0


class PolynomialFunction(Part):
    type: Literal["polynomial"]
    coefficients: list[Number] = Field(max_length=64)
    coordinate: int = 0


class SinusoidFunction(Part):
    type: Literal["sinusoid"]
    amplitude: Number
    frequency: Number = 1.0
    phase: Number | Literal["sin", "cos"] = 0.0
    offset: Number = 0.0
    coordinate: int = 0


class EllipseFunction(Part):
    type: Literal["ellipse_angle"]
    a: Number
    b: Number
    coordinate: int = 0


class SplineFunction(Part):
    type: Literal["spline"]
    controls: Array
    knots: Array | None = None
    order: int = Field(default=4, le=16)
    coordinate: int = 0
    periodic: bool = False


AnyFunction = Annotated[
    ConstantFunction | LinearFunction | PolynomialFunction | SinusoidFunction | EllipseFunction | SplineFunction,
    Field(discriminator="type"),
]


class Product(Part):
    """G(q) = pose · Π exp(ĝ_k φ_k(q))."""

    type: Literal["product"]
    twists: Array
    functions: list[AnyFunction]
    coordinates: list[str] | None = None
    pose: Pose | None = None
    domain: dict[str, tuple[float, float]] | None = None
    outside: Outside = "extend"


class Compose(Part):
    """Joints one after another."""

    type: Literal["compose"]
    joints: list[AnyJoint] = Field(min_length=1, max_length=16)
    names: list[str] | None = None


class Contact(Part):
    """Two shapes that touch from outside."""

    type: Literal["contact"]
    parent: AnyJoint
    child: AnyJoint
    touching: Literal["point", "line", "tangent", "crossing"] | None = None
    names: list[str] | None = None


class Compliant(Part):
    """A joint that gives in the directions that it does not move in."""

    type: Literal["compliant"]
    joint: AnyJoint
    across: Array | None = None


class Inverse(Part):
    """The joint whose pose is the inverse of another's."""

    type: Literal["inverse"]
    joint: AnyJoint


class JointInFile(Part):
    """A joint kept in a file of its own, beside this one."""

    type: Literal["file"]
    path: str


AnyJoint = Annotated[
    Segments
    | Weld
    | Revolute
    | Prismatic
    | Helical
    | Cylindrical
    | Planar
    | Universal
    | Ball
    | Free
    | Elliptic
    | SplineCurve
    | SplineSurface
    | Along
    | Track
    | On
    | Contact
    | Compliant
    | Product
    | Compose
    | Inverse
    | JointInFile,
    Field(discriminator="type"),
]
BaseCurve.model_rebuild()
SplineSurface.model_rebuild()
Segments.model_rebuild()
Compose.model_rebuild()
Contact.model_rebuild()
Compliant.model_rebuild()
Inverse.model_rebuild()
