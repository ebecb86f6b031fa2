"""Paths over the bodies of a model, what they wrap over, and the muscles, ligaments and springs that run along them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import BadValue, CondyleError, UnknownName, require, unknown_name
from ...joints import Joint
from ...joints.functions import Function, Sum
from ...spatial.frozen import Frozen
from ..names import NOWHERE
from .muscle_laws import check_law

if TYPE_CHECKING:
    from ..model import Model

SIZES = {
    "WrapCylinder": ("radius", "length"),
    "WrapSphere": ("radius",),
    "WrapEllipsoid": ("dimensions",),
    "WrapTorus": ("inner_radius", "outer_radius"),
}


@dataclass(frozen=True, eq=False)
class PathPoint(Frozen):
    """A point of a path [m], in the axes of its body (None: the world).

    A conditional point counts while `coordinate` is in `range`. A moving point is where `way` is, a joint of slides
    with one coordinate, at the value of `coordinate` held in `range`, in the axes of `frame` on the body. Points as an
    .osim file has them say instead `functions[k]` of `coordinates[k]` along each axis k.

    Attributes
    ----------
    name : str
    body : str or None
        That carries it; None is the world.
    location : ndarray, shape (3,)
        In body axes [m].
    coordinate : str or None
        What a conditional or moving point reads.
    range : tuple of two float, or None
        Of the coordinate [rad or m].
    functions, coordinates : tuple
        Of a moving point as an .osim file has it.
    frame : ndarray, shape (4, 4), or None
        In which a moving point moves.
    way : Joint or None
        Where a moving point is.
    """

    name: str
    body: str | None
    location: np.ndarray
    coordinate: str | None = None
    range: tuple[float, float] | None = None
    functions: tuple[Function | Sum | None, ...] = ()
    coordinates: tuple[str | None, ...] = ()
    frame: np.ndarray | None = None
    way: Joint | None = None

    def __post_init__(self) -> None:
        self._keep(location=self.location)


@dataclass(frozen=True)
class PathWrap:
    """A wrap object that a path may wrap over.

    Attributes
    ----------
    wrap_object : str
        Its name.
    method : str
        As an .osim file says it; paths take the shortest way whatever it is.
    range : tuple of two int
        First and last point between which it counts, counted from 1; −1: all.
    """

    wrap_object: str
    method: str = "hybrid"
    range: tuple[int, int] = (-1, -1)


@dataclass(frozen=True)
class Path:
    """Where a muscle, ligament or actuator runs.

    Attributes
    ----------
    points : tuple of PathPoint
    wraps : tuple of PathWrap
    """

    points: tuple[PathPoint, ...]
    wraps: tuple[PathWrap, ...] = ()


@dataclass(frozen=True, eq=False)
class WrapObject(Frozen):
    """A cylinder, sphere, ellipsoid or torus that paths wrap over.

    Attributes
    ----------
    name : str
    kind : str
        "WrapCylinder", "WrapSphere", "WrapEllipsoid" or "WrapTorus".
    body : str or None
        That carries it; None is the world.
    pose : ndarray, shape (4, 4)
        Of its frame in the body's.
    sizes : mapping
        By OpenSim's names [m]: `radius`, `length`, `dimensions`, `inner_radius`, `outer_radius`.
    quadrant : str
        The side on which paths may go round: "all", "x", "-x", …
    active : bool
        Whether paths wrap over it at all.
    """

    name: str
    kind: str
    body: str | None
    pose: np.ndarray
    sizes: Mapping[str, Any]
    quadrant: str = "all"
    active: bool = True

    def __post_init__(self) -> None:
        self._keep(pose=self.pose)


@dataclass(frozen=True, eq=False)
class Muscle(Frozen):
    """What runs along a path: a muscle, a ligament, a spring, or a mere path (law "path"), by name.

    Attributes
    ----------
    name : str
    path : Path
    law : str
        A name of `condyle.muscles.LAWS`, or "path" for no force.
    constants : mapping of str to float
        Of the law, by the names that `condyle.muscles.LAWS` has; those left out have its defaults.
    """

    name: str
    path: Path
    law: str = "path"
    constants: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._keep(constants=self.constants)

    def __repr__(self) -> str:
        return f"<Muscle {self.name!r}: {self.law}, {len(self.path.points)} points, {len(self.path.wraps)} wraps>"


def check_paths(model: Model) -> None:
    """Raise if a path names a body, a coordinate or a wrap object that the model does not have, or has no length."""
    wraps, names = [w.name for w in model.wraps], [m.name for m in model.muscles]
    for wrap in model.wraps:
        check_wrap(model, wrap)
        require(wraps.count(wrap.name) == 1, f"there are two wrap objects {wrap.name!r}; names must differ", BadValue)
    for muscle in model.muscles:
        check_muscle(model, muscle)
        require(names.count(muscle.name) == 1, f"there are two muscles {muscle.name!r}; names must differ", BadValue)


def check_muscle(model: Model, muscle: Muscle) -> None:
    """Raise if a muscle cannot be one of a model."""
    who, known = f"muscle {muscle.name!r}", {w.name for w in model.wraps}
    check_law(who, muscle.law, muscle.constants)
    require(len(muscle.path.points) >= 2, f"{who}: a path needs two points", BadValue, got=len(muscle.path.points))
    for k, point in enumerate(muscle.path.points):
        _check_point(model, point, f"{who}, point {point.name or k + 1!r}")
    used = [w.wrap_object for w in muscle.path.wraps]
    for name in used:
        if name not in known:
            raise UnknownName(f"{who}: {unknown_name('wrap object', name, known)}")
        require(used.count(name) == 1, f"{who}: it wraps twice over {name!r}; once is enough", BadValue)


def _numbers(x: Any) -> np.ndarray:
    """One or several numbers; NaN for what is none."""
    try:
        return np.atleast_1d(np.asarray(x, dtype=float))
    except (TypeError, ValueError):
        return np.array([np.nan])


def check_wrap(model: Model, wrap: WrapObject) -> None:
    """Raise if a wrap object cannot be one of a model."""
    who = f"wrap object {wrap.name!r}"
    if wrap.body is not None:
        _known_body(model, wrap.body, who)
    require(wrap.kind in SIZES, f"{who}: the kind must be one of {', '.join(SIZES)}", BadValue, got=wrap.kind)
    for name in SIZES[wrap.kind]:
        sizes = _numbers(wrap.sizes.get(name))
        good = np.isfinite(sizes).all() and (sizes > 0).all() and len(sizes) == (3 if name == "dimensions" else 1)
        require(good, f"{who}: its {name} must be positive and finite", BadValue, got=wrap.sizes.get(name))
    if wrap.kind == "WrapTorus":
        inner, outer = float(wrap.sizes["inner_radius"]), float(wrap.sizes["outer_radius"])
        require(
            inner < outer,
            f"{who}: the tube's radius must be below that of its circle",
            BadValue,
            inner=inner,
            outer=outer,
        )


def _check_point(model: Model, point: PathPoint, who: str) -> None:
    if point.body is not None:
        _known_body(model, point.body, who)
    require(np.isfinite(point.location).all(), f"{who}: its place must be finite", BadValue, got=point.location)
    if point.coordinate is not None:
        try:
            model.shown_name(point.coordinate)
        except CondyleError as error:
            raise type(error)(f"{who}: {error}") from None
        require(point.way is not None or point.range is not None, f"{who}: a conditional point needs a range", BadValue)
    if point.range is not None:
        require(point.coordinate is not None, f"{who}: a range needs a coordinate", BadValue)
        low, high = point.range
        require(low <= high, f"{who}: its range must rise", BadValue, got=point.range)
    if point.way is not None:
        good = len(point.way.coordinates) <= 1 and point.coordinate is not None
        require(good, f"{who}: a moving point reads one coordinate", BadValue, coordinates=point.way.coordinates)


def _known_body(model: Model, body: str, who: str) -> None:
    if body not in model.names:
        raise UnknownName(f"{who}: {unknown_name('body', body, model.names)}")


def coordinate_source(model: Model, name: str) -> tuple[int, int]:
    """What kernels read a coordinate from: its position in q, or −1 − the number of a follower; and its velocity."""
    from ..packing.folding_packing import roots

    place = model._names.places[model._names.find(name)]
    if place.q != NOWHERE:
        return place.q, place.v
    number = model.follower_numbers[place.body][place.coordinate]
    return -1 - number, roots(model)[number]
