"""Forces of a builder: any law at the port that it acts on, and contacts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from ...errors import BadValue, require
from ...forces import BetweenFrames, Element, Law, OnCoordinate, find_law
from ...forces.element import complete_constants, unused_name
from ...forces.kernels.declaration import COORDINATE, GAP, LINE
from ...forces.registry import laws_on
from ...forces.surfaces import PlacedSurface, half_space, sphere
from ...spatial.arrays import finite_vector
from ...typing import ArrayLike
from ..constraints.constraint import one_pose
from .collected import Collected

PLACES = {
    COORDINATE: "the name of a coordinate",
    LINE: "(body_a, point_a, body_b, point_b)",
    GAP: "(body_a, surface_a, body_b, surface_b) with surfaces of cd.forces.sphere and cd.forces.half_space",
}


class ForceMethods(Collected):
    """The methods of a builder that add forces by their laws."""

    def add_force(self, law: str, at: Any, *, name: str | None = None, share: float = 0.5, **constants: float) -> Self:
        """Add a force by its law, one of `condyle.forces.LAWS`.

        Parameters
        ----------
        law : str
            Name of the law, such as "soft_limit", "spring" or "hertz".
        at : str or tuple
            Where it acts. Of a law on coordinates the name of one; of others (body_a, place_a, body_b, place_b) with
            None for the world: points of a spring [m], frames of a bushing, surfaces of a contact
            (`cd.forces.sphere`, `cd.forces.half_space`).
        name : str, optional
            Of the force, by which parameters and messages call it; by default the law with the place.
        share : float, optional
            Of a contact: where between the two surfaces its force acts, 0 on the second body's, 1 on the first one's.
        **constants : float
            Those of the law; `condyle.forces.LAWS[law].constants` has their units, ranges and defaults.

        Returns
        -------
        ModelBuilder

        Raises
        ------
        UnknownName
            If there is no such law, constant, body or coordinate.
        BadValue
            If a constant is missing or out of its range, or the place is not one of the law's.
        NotSupported
            If the coordinate is a quaternion.

        Examples
        --------
        >>> import condyle as cd
        >>> door = cd.Inertia.box(20.0, (0.8, 0.04, 2.0), com=(0.4, 0, 0))
        >>> b = cd.ModelBuilder().add_body("door", joint=cd.joints.revolute("z"), inertia=door)
        >>> model = b.add_force("coordinate_spring", "door", stiffness=30.0, damping=2.0).build()
        >>> model.forces[0].name
        'coordinate_spring@door'
        """
        declared = find_law(law)
        title = name if name is not None else f"{law}@{self._place_words(at)}"
        numbers = complete_constants(declared, constants, repr(title))
        if declared.reading == COORDINATE:
            require(isinstance(at, str), f"{title!r}: the law {law!r} acts at {PLACES[COORDINATE]}", BadValue, got=at)
            place = self._scalar_coordinate(at, declared.words)
            if declared.limit:
                low, high = self._checked_range(at, numbers["low"], numbers["high"], "limit")
                some = bool(np.isfinite([low, high]).any())
                require(some, f"limit of {at!r}: it has no range, so give low, high or both", low=low, high=high)
            return self._add(law, OnCoordinate(place.q, place.v), numbers, title)
        return self._add(law, self._frames(declared, at, title, share), numbers, title)

    def add_contact(
        self,
        body: str,
        *,
        sphere: tuple[ArrayLike, float],
        against: str | None = None,
        surface: PlacedSurface | None = None,
        law: str = "hertz",
        name: str | None = None,
        **constants: float,
    ) -> Self:
        """Let a sphere of a body touch the ground, or a surface of another body.

        Parameters
        ----------
        body : str
            That has the sphere.
        sphere : tuple of (array_like, float)
            Its centre in the body's frame [m], and its radius [m].
        against : str, optional
            The other body; by default the world.
        surface : PlacedSurface, optional
            What it touches there, of `cd.forces.half_space` or `cd.forces.sphere`; by default the ground, which is
            below the plane through the world's origin whose normal is opposite to gravity (without gravity, z).
        law : str, optional
            "hertz" (smooth, with energy and losses that balance), "hunt_crossley" or "smooth" (OpenSim's).
        name : str, optional
            Of the contact; by default the law with the bodies.
        **constants : float
            Those of the law.

        Returns
        -------
        ModelBuilder

        Raises
        ------
        UnknownName
            If a body has not been added, or the law has no such constant.
        BadValue
            If a constant is missing or out of its range, or both bodies are the same.

        Examples
        --------
        A ball of 1 kg that rests on the ground, where its weight and Hertz's force agree:

        >>> import condyle as cd
        >>> ball = cd.Inertia.sphere(1.0, 0.1)
        >>> b = cd.ModelBuilder().add_body("ball", joint=cd.joints.prismatic("z"), inertia=ball)
        >>> model = b.add_contact("ball", sphere=((0, 0, 0), 0.1), stiffness=1e5, dissipation=0.2).build()
        >>> bool(cd.forward_dynamics(model, [0.09], [0.0])[0] > 0)
        True
        """
        contacts = [known.name for known in laws_on(GAP)]
        require(find_law(law).reading == GAP, f"add_contact: {law!r} is no law of contact; take one of {contacts}",
                BadValue)  # fmt: skip
        if surface is None:
            up = -self._gravity if against is None and self._gravity.any() else np.array([0.0, 0.0, 1.0])
            surface = half_space((0.0, 0.0, 0.0), up)
        places = (against, surface, body, _sphere(sphere))
        return self.add_force(law, places, name=name, **constants)

    def _add(self, law: str, at: OnCoordinate | BetweenFrames, numbers: dict[str, float], title: str) -> Self:
        """Append an element; a default name that is taken gets a number."""
        taken = title in self._force_names and "@" not in title  # a default name gets a number
        require(not taken, f"there is already a force named {title!r}; names of forces must differ")
        name = unused_name(title, self._force_names)
        self._forces.append(Element(name, law, at, tuple(numbers.values())))
        return self

    def _place_words(self, at: Any) -> str:
        if isinstance(at, Sequence) and not isinstance(at, str) and len(at) == 4:
            return "-".join("world" if body is None else str(body) for body in (at[0], at[2]))
        return str(at)

    def _frames(self, law: Law, at: Any, title: str, share: float) -> BetweenFrames:
        """The place of a law between bodies."""
        words = PLACES.get(law.reading, "(body_a, frame_a, body_b, frame_b)")
        four = isinstance(at, Sequence) and not isinstance(at, str) and len(at) == 4
        require(four, f"{title!r}: the law {law.name!r} acts at {words}", BadValue, got=at)
        a, b = self._body(at[0]), self._body(at[2])
        require(a != b, f"a {law.words} needs two different bodies", BadValue, body_a=at[0], body_b=at[2])
        if law.reading == GAP:
            return self._gap(Touching(a, at[1]), Touching(b, at[3]), share, f"{title!r} acts at {words}")
        if law.reading == LINE:
            return BetweenFrames(a, _at_point(at[1], "point_a"), b, _at_point(at[3], "point_b"))
        return BetweenFrames(a, one_pose(at[1], "frame_a"), b, one_pose(at[3], "frame_b"))

    def _gap(self, first: Touching, second: Touching, share: float, words: str) -> BetweenFrames:
        """A gap whose second surface is a sphere; a half space comes first."""
        good = all(isinstance(x.placed, PlacedSurface) for x in (first, second))
        require(good, words, BadValue, got=(first.placed, second.placed))
        inside = isinstance(share, (int, float)) and 0.0 <= share <= 1.0
        require(inside, f"{words}; share is between 0 and 1", BadValue, got=share)
        if second.placed.surface.kind == "half_space":
            first, second, share = second, first, 1.0 - share
        flat = second.placed.surface.kind == "half_space"
        require(not flat, f"{words}; two half spaces never part, so one surface must be a sphere", BadValue)
        a, b = first.placed, second.placed
        return BetweenFrames(first.body, a.frame, second.body, b.frame, a.surface, b.surface, float(share))


class Touching(NamedTuple):
    """A body and its surface that touches."""

    body: int
    placed: Any


def _sphere(given: Any) -> PlacedSurface:
    good = isinstance(given, Sequence) and len(given) == 2
    require(good, "add_contact: sphere is (center, radius)", BadValue, got=given)
    return sphere(given[0], given[1])


def _at_point(point: ArrayLike, name: str) -> np.ndarray:
    """A frame at a point."""
    frame = np.eye(4)
    frame[:3, 3] = finite_vector(point, 3, name)
    return frame
