"""Paths, wrap objects and muscles of a builder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from ...errors import require_plain
from ...typing import ArrayLike
from ..muscle_paths.muscle_laws import check_law
from ..muscle_paths.path_points import point_of, wrap_object, wrap_of
from ..muscle_paths.paths import Muscle, Path
from .collected import Collected


class MuscleMethods(Collected):
    """The methods of a builder that add what pulls along a path."""

    def add_wrap(
        self,
        name: str,
        shape: str,
        body: str | None = None,
        pose: ArrayLike | None = None,
        *,
        quadrant: str = "all",
        **sizes: Any,
    ) -> Self:
        """Add an object on a body that paths can wrap over.

        Parameters
        ----------
        name : str
        shape : {"cylinder", "sphere", "ellipsoid", "torus"}
            A cylinder is about z; the circle of a torus is in the plane z = 0.
        body : str, optional
            That carries it; None is the world.
        pose : SE3 or array_like, shape (4, 4), optional
            Of its frame in the body; the identity by default.
        quadrant : str, optional
            The side on which paths may go round: "all", "x", "-x", "y", "-y", "z" or "-z".
        **sizes : float
            `radius` and `length` of a cylinder, `radius` of a sphere, `dimensions` (three radii) of an ellipsoid,
            `inner_radius` (of the tube) and `outer_radius` (of its circle) of a torus [m].

        Returns
        -------
        ModelBuilder

        Raises
        ------
        BadValue
            If the shape is not one of these or has other sizes. `build` refuses bodies that do not exist.
        """
        self._wraps.append(wrap_object(name, shape, body, pose, quadrant, sizes))
        return self

    def add_path(self, name: str, points: Sequence[Any], *, wraps: Sequence[Any] = ()) -> Self:
        """Add a path without a force: its length and moment arms are those of `condyle.muscles`.

        Parameters
        ----------
        name : str
        points : sequence
            At least two, each (body, place in body axes [m]) with None for the world, or what
            `condyle.muscles.conditional_point` and `moving_point` give.
        wraps : sequence, optional
            Names of wrap objects, or (name, (first, last)) where it counts between these points only, counted from 1.

        Returns
        -------
        ModelBuilder

        Raises
        ------
        BadValue
            If a point or a wrap is none of these. `build` refuses names that do not exist.
        """
        return self.add_muscle(name, points, "path", wraps=wraps)

    def add_muscle(
        self, name: str, points: Sequence[Any], law: str = "thelen", *, wraps: Sequence[Any] = (), **constants: float
    ) -> Self:
        """Add a muscle, or what else pulls along a path.

        Parameters
        ----------
        name : str
        points : sequence
            As for `add_path`.
        law : str, optional
            A name of `condyle.muscles.LAWS`: "thelen", "millard", "de_groote_fregly", "path_spring", …
        wraps : sequence, optional
            As for `add_path`.
        **constants : float
            Of the law, by OpenSim's names: `max_isometric_force` [N], `optimal_fiber_length` [m],
            `tendon_slack_length` [m], `pennation_angle_at_optimal` [rad], …

        Returns
        -------
        ModelBuilder

        Raises
        ------
        BadValue, UnknownName
            If a constant is not one of the law, or not a number that it can have.
        """
        owner = f"muscle {name!r}"
        check_law(owner, law, constants)
        path = Path(
            tuple(point_of(p, name, k + 1) for k, p in enumerate(points)), tuple(wrap_of(w, owner) for w in wraps)
        )
        require_plain(name, "muscle")
        self._muscles.append(Muscle(name, path, law, constants))
        return self
