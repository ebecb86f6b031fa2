"""What the coordinates of a model are called.

Every coordinate has a *full name*, `joint.coordinate`, and up to two short ones: its own name, as the joint has it
(`knee_angle_r`), and the name of its joint if that has no other coordinate (`knee_r`). A short name can be used
wherever a single coordinate answers to it. One of the names is *shown* (`Model.coordinates`, tables, sliders):

- its own, if all coordinates of its joint were named by a person (not `angle`, `q`, … which constructors give by
  themselves) and nothing else in the model answers to these names;
- otherwise the joint's name if the joint has one coordinate, and the full name if it has several.

A shown name always means the coordinate that shows it; any other short name that two coordinates answer to is refused.
"""

from __future__ import annotations

from typing import NamedTuple

from ..errors import AmbiguousName, BadTree, require, unknown_name
from ..joints import Joint
from ..joints.validate_joint import is_default_name

NOWHERE = -1  # in q and in v: a coordinate that is a function of another


class Place(NamedTuple):
    """Where a coordinate stands: body, first number in q and in v; its number in the joint, how many numbers it has."""

    body: int
    q: int
    v: int
    coordinate: int
    widths: tuple[int, int]


class CoordinateNames:
    """The names of coordinates and where these stand; grows by a joint at a time, each in a time that does not grow."""

    def __init__(self) -> None:
        self.places: list[Place] = []
        self.nq, self.nv = 0, 0
        self._joints: list[tuple[str, Joint, int, bool]] = []  # of each coordinate: joint, its first, all named
        self._full: dict[str, int] = {}
        self._short: dict[str, list[int]] = {}

    def __len__(self) -> int:
        return len(self.places)

    def add(self, body: int, joint_name: str, joint: Joint, follow: frozenset[int] = frozenset()) -> None:
        """Append the coordinates of the joint that carries a body; those that `follow` others have no place."""
        first, single = len(self), len(joint.coordinates) == 1
        full = [f"{joint_name}.{own}" for own in joint.coordinates]
        clash = [name for name in full if name in self._short] + [joint_name] * (single and joint_name in self._full)
        require(not clash, f"joint {joint_name!r}: another coordinate has this name", BadTree, name=clash)
        named = not any(map(is_default_name, joint.coordinates))
        for own, name, widths in zip(joint.coordinates, full, joint.widths, strict=True):
            self._full[name] = number = len(self)
            for short in {own, joint_name} if single else {own}:
                self._short.setdefault(short, []).append(number)
            self._joints.append((joint_name, joint, first, named))
            if number - first in follow:
                self.places.append(Place(body, NOWHERE, NOWHERE, number - first, widths))
                continue
            self.places.append(Place(body, self.nq, self.nv, number - first, widths))
            self.nq, self.nv = self.nq + widths[0], self.nv + widths[1]

    def shown(self, number: int) -> str:
        """What a coordinate is called in print."""
        joint_name, joint, first, named = self._joints[number]
        if named and all(len(self._short[own]) == 1 for own in joint.coordinates):
            return joint.coordinates[number - first]
        return joint_name if len(joint.coordinates) == 1 else self.full(number)

    def full(self, number: int) -> str:
        """`joint.coordinate`."""
        joint_name, joint, first, _ = self._joints[number]
        return f"{joint_name}.{joint.coordinates[number - first]}"

    def forms(self, number: int) -> list[str]:
        """All names that mean this coordinate, the shown one first."""
        joint_name, joint, first, _ = self._joints[number]
        names = [self.shown(number), self.full(number), joint.coordinates[number - first], joint_name]
        return [name for name in dict.fromkeys(names) if self._meant(name) == [number]]

    def find(self, name: str) -> int:
        """The number of the coordinate that a name means, full, short or shown."""
        meant = self._meant(name)
        if len(meant) == 1:
            return meant[0]
        if not meant:
            raise unknown_name("coordinate", name, map(self.shown, range(len(self))))
        several = ", ".join(map(repr, map(self.full, meant[:6]))) + (" …" if len(meant) > 6 else "")
        raise AmbiguousName(
            f"{len(meant)} coordinates of this model are called {name!r}: say the joint too, one of {several}"
        )

    def _meant(self, name: str) -> list[int]:
        """The coordinates that a name may mean: one if it is clear."""
        if not isinstance(name, str):
            return []
        if name in self._full:
            return [self._full[name]]
        answering = self._short.get(name, [])
        return [n for n in answering if self.shown(n) == name] or answering if len(answering) > 1 else answering
