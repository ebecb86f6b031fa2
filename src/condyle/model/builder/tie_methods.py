"""What ties bodies and coordinates together in a builder: constraints and couplers."""

from __future__ import annotations

from typing import Self

from ...errors import require
from ...joints.functions import Function, Sum
from ..constraints import Constraint, couple
from .collected import Collected


class TieMethods(Collected):
    """The methods of a builder that close loops and couple coordinates."""

    def add_constraint(self, constraint: Constraint) -> Self:
        """Close a loop, couple coordinates or roll: a value of cd.constraints.

        Parameters
        ----------
        constraint : Constraint
            What `cd.constraints.point`, `weld`, `couple` or `roll` returns.

        Returns
        -------
        ModelBuilder

        Raises
        ------
        BadValue
            If it is anything else. Names of bodies and coordinates are checked by `build`.

        Examples
        --------
        Two wheels, of which the second turns twice as fast:

        >>> import condyle as cd
        >>> wheel = cd.Inertia.cylinder(1.0, 0.1, 0.02)
        >>> b = cd.ModelBuilder().add_body("small", joint=cd.joints.revolute("z"), inertia=wheel)
        >>> b = b.add_body("large", joint=cd.joints.revolute("z"), inertia=wheel)
        >>> model = b.add_constraint(cd.constraints.couple("large", "small", ratio=2.0)).build()
        >>> a = cd.forward_dynamics(model, [0.0, 0.0], [0.0, 0.0], tau=[0.025, 0.0])
        >>> a.round(6)
        array([1., 2.])
        """
        require(
            isinstance(constraint, Constraint),
            "add_constraint takes what cd.constraints.point, weld, couple or roll returns",
            got=type(constraint).__name__,
        )
        self._constraints.append(constraint)
        return self

    def add_coupler(
        self,
        coordinate: str,
        other: str,
        function: Function | Sum | float | None = None,
        ratio: float = 1.0,
        offset: float = 0.0,
    ) -> Self:
        """Make a coordinate a function of another one: it follows exactly, and is no coordinate of the model any more.

        The motion is that of `add_constraint(cd.constraints.couple(…))` without a constraint to hold, and without
        drift. The other coordinate may belong to the same joint or to any other, and may follow a third one. Loads
        on the coordinate act on. `Model.followers` has what follows what, `Model.unfolded` the model with constraints.

        Parameters
        ----------
        coordinate : str
            The coordinate that follows, by any of its names.
        other : str
            The one that it follows.
        function : Function, Sum or float, optional
            Of cd.functions, of one coordinate and without kinks; a number is a constant. Instead of `ratio` and
            `offset`.
        ratio : float
            Change of the coordinate for a unit change of the other.
        offset : float
            The coordinate [rad or m] where the other is 0.

        Returns
        -------
        ModelBuilder

        Raises
        ------
        BadValue, NotFinite
            As `cd.constraints.couple` does. `build` refuses coordinates that do not exist, that follow twice or in a
            circle, that are prescribed, or that other constraints use.

        Examples
        --------
        Two wheels, of which the second turns twice as fast:

        >>> import condyle as cd
        >>> wheel = cd.Inertia.cylinder(1.0, 0.1, 0.02)
        >>> b = cd.ModelBuilder().add_body("small", joint=cd.joints.revolute("z"), inertia=wheel)
        >>> b = b.add_body("large", joint=cd.joints.revolute("z"), inertia=wheel)
        >>> model = b.add_coupler("large", "small", ratio=2.0).build()
        >>> model.coordinates, cd.forward_dynamics(model, [0.0], [0.0], tau=[0.025]).round(6)
        (('small',), array([1.]))
        """
        self._folded.append(len(self._constraints))
        return self.add_constraint(couple(coordinate, other, function, ratio, offset))
