"""Where the bodies and coordinates of a model stand in its lists, in q and in v, by name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import accumulate
from types import MappingProxyType

import numpy as np

from ..errors import UnknownName, require, unknown_name
from ..joints.segments import FACTORS, FREE, WIDTHS
from ..spatial.frozen import kept
from .body import Body
from .followers import Follower
from .names import NOWHERE, CoordinateNames, Place


class CoordinateLookup:
    """The part of a model that finds bodies and coordinates: by name, by number, by their kind."""

    bodies: tuple[Body, ...]
    followers: tuple[Follower, ...]

    @cached_property
    def joint_starts(self) -> tuple[tuple[int, int], ...]:
        """Where each body's joint begins in q and in v."""
        q = accumulate((b.joint.nq - len(self.follower_numbers[i]) for i, b in enumerate(self.bodies)), initial=0)
        v = accumulate(self.freedoms, initial=0)
        return tuple(zip(q, v, strict=True))[:-1]

    @cached_property
    def follower_numbers(self) -> tuple[Mapping[int, int], ...]:
        """Of each body: the coordinates of its joint that follow others → their numbers in `followers`."""
        found: list[dict[int, int]] = [{} for _ in self.bodies]
        for k, f in enumerate(self.followers):
            found[f.body][f.coordinate] = k
        return tuple(map(MappingProxyType, found))

    @cached_property
    def freedoms(self) -> tuple[int, ...]:
        """How many velocities each body's joint has of its own."""
        return tuple(b.joint.nv - len(self.follower_numbers[i]) for i, b in enumerate(self.bodies))

    @cached_property
    def nq(self) -> int:
        """How many numbers q has."""
        return sum(b.joint.nq for b in self.bodies) - len(self.followers)

    @cached_property
    def nv(self) -> int:
        """How many degrees of freedom: the length of v, a and τ."""
        return sum(b.joint.nv for b in self.bodies) - len(self.followers)

    @property
    def nbodies(self) -> int:
        """How many bodies; the world is not one."""
        return len(self.bodies)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the bodies."""
        return tuple(b.name for b in self.bodies)

    @cached_property
    def _names(self) -> CoordinateNames:
        names = CoordinateNames()
        for i, body in enumerate(self.bodies):
            names.add(i, body.joint_name, body.joint, frozenset(self.follower_numbers[i]))
        return names

    @cached_property
    def _numbers(self) -> tuple[int, ...]:
        """The numbers in `_names` of the coordinates that have a place in q."""
        return tuple(k for k, place in enumerate(self._names.places) if place.q != NOWHERE)

    @cached_property
    def coordinate_places(self) -> tuple[Place, ...]:
        """Where the coordinates stand, in the order of `coordinates`."""
        return tuple(self._names.places[k] for k in self._numbers)

    @cached_property
    def coordinates(self) -> tuple[str, ...]:
        """What the coordinates are called, in the order of q.

        A coordinate has its own name (`knee_angle_r`) where a person named the joint's coordinates and no other in the
        model is called so; else it is called by its joint if that has no other (`knee`), or `joint.coordinate`. Every
        method that takes a coordinate by name takes all three forms, as long as they mean one coordinate.
        """
        return tuple(map(self._names.shown, self._numbers))

    @cached_property
    def full_names(self) -> tuple[str, ...]:
        """`joint.coordinate` of every coordinate, in the order of `coordinates`."""
        return tuple(map(self._names.full, self._numbers))

    @cached_property
    def name_forms(self) -> Mapping[str, int]:
        """Every name that means one coordinate, shown, full or short, and the number of that in `coordinates`."""
        names = self._names
        return MappingProxyType({form: k for k, number in enumerate(self._numbers) for form in names.forms(number)})

    def shown_name(self, coordinate: str) -> str:
        """The name in `coordinates` of a coordinate, by any of its names.

        Parameters
        ----------
        coordinate : str

        Returns
        -------
        str

        Raises
        ------
        UnknownName
            If no coordinate has this name.
        AmbiguousName
            If several have.
        """
        return self._names.shown(self._names.find(coordinate))

    def body_index(self, name: str | int) -> int:
        """The number of a body, by name.

        Parameters
        ----------
        name : str or int
            A number is checked and returned.

        Returns
        -------
        int

        Raises
        ------
        UnknownName
            If no body has this name.
        BadValue
            If no body has this number.
        """
        if isinstance(name, (int, np.integer)):
            if not 0 <= name < self.nbodies:
                require(False, f"body number must be 0 to {self.nbodies - 1}", got=int(name))
            return int(name)
        place = self._body_places.get(name)
        if place is None:
            raise unknown_name("body", name, self.names)
        return place

    @cached_property
    def _body_places(self) -> dict[str, int]:
        return {b.name: i for i, b in enumerate(self.bodies)}

    def place_of(self, coordinate: str) -> tuple[int, int, int]:
        """(body, index in q, index in v) of a coordinate, by name.

        Parameters
        ----------
        coordinate : str

        Returns
        -------
        tuple of three int

        Raises
        ------
        UnknownName
            If no coordinate has this name.
        AmbiguousName
            If several have.
        """
        return self._place(coordinate)[:3]

    def _place(self, coordinate: str) -> Place:
        place = self._names.places[self._names.find(coordinate)]
        if place.q == NOWHERE:
            f = self.followers[self.follower_numbers[place.body][place.coordinate]]
            raise UnknownName(
                f"coordinate {f.name!r} is a function of {f.driver!r} in this model, so it has no place in q; use "
                f"{f.driver!r}, or model.unfolded(), in which it is a coordinate that a constraint holds"
            )
        return place

    def q_index(self, coordinate: str) -> int:
        """Where a coordinate stands in q (its first number).

        Parameters
        ----------
        coordinate : str

        Returns
        -------
        int

        Raises
        ------
        UnknownName
            If no coordinate has this name.
        """
        return self._place(coordinate).q

    def v_index(self, coordinate: str) -> int:
        """Where a coordinate stands in v, a and τ (its first number).

        Parameters
        ----------
        coordinate : str

        Returns
        -------
        int

        Raises
        ------
        UnknownName
            If no coordinate has this name.
        """
        return self._place(coordinate).v

    @cached_property
    def quaternions(self) -> tuple[tuple[int, int, str], ...]:
        """(index in q, index in v, joint name) of every quaternion."""
        wide = (p for p in self.coordinate_places if p.widths != WIDTHS[FACTORS])
        return tuple((p.q, p.v, self.bodies[p.body].joint_name) for p in wide)

    @cached_property
    def free_quaternions(self) -> frozenset[int]:
        """Where in q the quaternions begin that a position follows."""
        return frozenset(p.q for p in self.coordinate_places if p.widths == WIDTHS[FREE])

    @cached_property
    def plain_places(self) -> tuple[np.ndarray, np.ndarray]:
        """Positions in q and in v of the coordinates whose rate is their velocity: all but quaternions."""
        plain = [(p.q, p.v) for p in self.coordinate_places if p.widths == WIDTHS[FACTORS]]
        q, v = np.array(plain, dtype=int).reshape(-1, 2).T
        return kept((q, v))
