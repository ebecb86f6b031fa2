"""A force of a model: a law, where it acts, and its constants. Plain frozen data; builders check it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np

from ..errors import BadShape, BadValue, amount, require, unknown_name
from ..spatial.frozen import Frozen
from .kernels.declaration import COORDINATE, GAP, Constant, Law
from .registry import find_law


@dataclass(frozen=True)
class OnCoordinate:
    """The place of a force on a coordinate; followers come after all others.

    Attributes
    ----------
    q : int
        Index in q.
    v : int
        Index in v.
    """

    q: int
    v: int


@dataclass(frozen=True)
class Surface:
    """What touches at a frame: a half space below the frame's x-y plane, or a sphere about its origin.

    Attributes
    ----------
    kind : str
        "half_space" or "sphere".
    radius : float
        Of the sphere [m].
    """

    kind: str
    radius: float = 0.0

    def __post_init__(self) -> None:
        require(self.kind in ("half_space", "sphere"), "a surface is a half_space or a sphere", BadValue, got=self.kind)
        good = self.kind == "half_space" or (np.isfinite(self.radius) and self.radius > 0.0)
        require(good, "a sphere of contact has a radius above zero [m]", BadValue, got=self.radius)


@dataclass(frozen=True, eq=False)
class BetweenFrames(Frozen):
    """The place of a force between frames of two bodies (−1: the world).

    Attributes
    ----------
    a : int
        Number of the first body.
    frame_a : ndarray, shape (4, 4)
        In its frame.
    b : int
        Number of the second body.
    frame_b : ndarray, shape (4, 4)
        In its frame.
    surface_a, surface_b : Surface or None
        What touches, of a law of contact.
    share : float
        Where between the two surfaces the force acts: 0 on the surface of b, 1 on that of a.
    """

    a: int
    frame_a: np.ndarray
    b: int
    frame_b: np.ndarray
    surface_a: Surface | None = None
    surface_b: Surface | None = None
    share: float = 0.5

    def __post_init__(self) -> None:
        self._keep(**{name: np.asarray(getattr(self, name), dtype=float) for name in ("frame_a", "frame_b")})
        require(self.frame_a.shape == self.frame_b.shape == (4, 4), "frames are 4x4 arrays", BadShape,
                got=(self.frame_a.shape, self.frame_b.shape))  # fmt: skip

    @property
    def radius(self) -> float:
        """The relative radius of curvature of two surfaces: 1/r = 1/r_a + 1/r_b [m]."""
        radii = [s.radius for s in (self.surface_a, self.surface_b) if s is not None and s.kind == "sphere"]
        return 1.0 / sum(1.0 / r for r in radii) if radii else 0.0


Place = TypeVar("Place", bound=OnCoordinate | BetweenFrames, covariant=True)


@dataclass(frozen=True, eq=False)
class Element(Generic[Place]):
    """A force that lives in a model.

    Attributes
    ----------
    name : str
        By which messages, files and parameters call it.
    law : str
        Name of its law, of `condyle.forces.LAWS`.
    at : OnCoordinate or BetweenFrames
        Where it acts.
    constants : tuple of float
        Those of the law, in the order of its declaration.
    """

    name: str
    law: str
    at: Place
    constants: tuple[float, ...]

    def __post_init__(self) -> None:
        law, names = find_law(self.law), find_law(self.law).constants
        expected = f"force {self.name!r}: the law {self.law!r} has {amount(len(names), 'constant')}: {', '.join(names)}"
        require(len(self.constants) == len(names), expected, BadShape, got=self.constants)
        port = OnCoordinate if law.reading == COORDINATE else BetweenFrames
        require(isinstance(self.at, port), f"force {self.name!r}: the law {self.law!r} acts at a {port.__name__}",
                BadValue, got=self.at)  # fmt: skip
        touching = isinstance(self.at, BetweenFrames) and None not in (self.at.surface_a, self.at.surface_b)
        require(law.reading != GAP or touching, f"force {self.name!r}: a contact is between two surfaces", BadValue,
                got=self.at)  # fmt: skip
        object.__setattr__(self, "constants", tuple(float(x) for x in self.constants))

    @cached_property
    def declared(self) -> Law:
        """Its law."""
        return find_law(self.law)

    @property
    def named(self) -> dict[str, float]:
        """Constants by name."""
        return dict(zip(self.declared.constants, self.constants, strict=True))

    def changed(self, **constants: float) -> Element:
        """The same with other constants.

        Parameters
        ----------
        **constants : float
            By the names of the law.

        Returns
        -------
        Element
        """
        return replace(self, constants=tuple((self.named | constants).values()))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Element):
            return NotImplemented
        same = (self.law, self.constants) == (other.law, other.constants)
        return same and _place(self.at) == _place(other.at)

    def __hash__(self) -> int:
        return hash((self.law, self.constants, _place(self.at)))


def _place(at: Any) -> tuple:
    if isinstance(at, OnCoordinate):
        return at.q, at.v
    frames = at.frame_a.tobytes(), at.frame_b.tobytes()
    return at.a, at.b, *frames, at.surface_a, at.surface_b, at.share


def within(constant: Constant, values: np.ndarray) -> np.ndarray:
    """Which of several values a constant of a law may have."""
    finite = ~np.isnan(values) if constant.infinite else np.isfinite(values)
    return finite & (values >= constant.least) & ((values > constant.above) | (constant.above == -np.inf))


def checked_constant(law: Law, name: str, value: Any, title: str) -> float:
    """A constant as a number in its range; `title` is of the force, for messages."""
    constant = law.constants[name]
    what = f"{name} of {title}" if title else name
    good = isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
    finite = good and (not np.isnan(value) if constant.infinite else bool(np.isfinite(value)))
    kind = "number" if constant.infinite else "finite number"
    require(finite, f"{what} must be a {kind} [{constant.unit}]", BadValue, got=value)
    exceeds = value > constant.above or constant.above == -np.inf
    require(exceeds, f"{what} must be above {constant.above:g} [{constant.unit}]", BadValue, got=value)
    expected = "must not be negative" if constant.least == 0.0 else f"must be at least {constant.least:g}"
    require(value >= constant.least, f"{what} {expected} [{constant.unit}]", BadValue, got=value)
    return float(value)


def complete_constants(law: Law, given: Mapping[str, Any], title: str) -> dict[str, float]:
    """All constants of a law in order, checked, defaults filled in; `title` is of the force, for messages."""
    for name in given:
        if name not in law.constants:
            raise unknown_name("constant", name, law.constants, f"the law {law.name!r}")
    missing = [k for k, c in law.constants.items() if c.default is None and k not in given]
    units = ", ".join(f"{k} [{law.constants[k].unit}]" for k in missing)
    require(not missing, f"force {title}: the law {law.name!r} needs {units}", BadValue)
    return {k: checked_constant(law, k, given.get(k, c.default), title) for k, c in law.constants.items()}


def unused_name(title: str, names: dict[str, int]) -> str:
    """The title, with a number if another force has it; `names` are those that are taken, and notes it."""
    name = title
    while name in names:
        names[title] += 1
        name = f"{title}_{names[title]}"
    names[name] = 1
    return name


def renumber(
    forces: Iterable[Element[Any]], q: Mapping[int, int], v: Mapping[int, int], bodies: Mapping[int, int] | None = None
) -> tuple[Element, ...]:
    """Forces with new numbers of coordinates and bodies; those of coordinates that are gone are left out."""
    out = []
    for force in forces:
        at = force.at
        if isinstance(at, BetweenFrames):
            at = at if bodies is None else replace(at, a=bodies[at.a], b=bodies[at.b])
        elif at.v in v:
            at = OnCoordinate(q[at.q], v[at.v])
        else:
            continue
        out.append(replace(force, at=at))
    return tuple(out)
