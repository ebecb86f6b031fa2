"""Parameters of all members of a batch as arrays, checked at once as `with_parameters` checks those of one model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...forces.element import within
from ...spatial import SE3
from ...spatial.inertia_checks import ROUND_OFF, SLACK
from ...spatial.second_moments import shortfall
from ...spatial.validate_rotation import rigid_matrix
from ..parameters import ALL, BODY_SHAPES, CONSTANT, POINTS, POSES, Parameter, named_entry, shape_of, value_of

if TYPE_CHECKING:
    from ..model import Model
    from ..model_batch import ModelBatch


class MemberValues:
    """Numbers of every member: `bodies[field]` (count, bodies, …), `gravity`, and of forces what was given.

    `forces[i, field]` (count, …) are numbers of force i, and `frames[i]` (count, m + 1, 4, 4) control frames of the
    joint of body i, where they vary; `touched` are pairs of a field and the number of a body or force that has it, for
    all that was given.
    """

    def __init__(self, members: ModelBatch) -> None:
        model, self.count = members.base, members.count
        self.model = model
        bodies = {f: value_of(model, Parameter(f"{ALL}.{f}", -1, f)) for f in BODY_SHAPES}
        self.bodies = {f: np.repeat(x[None], self.count, axis=0) for f, x in bodies.items()}
        self.forces: dict[tuple[int, str], np.ndarray] = {}
        self.gravity = np.repeat(model.gravity[None], self.count, axis=0)
        self.frames: dict[int, np.ndarray] = {}
        self.touched: set[tuple[str, int]] = set()
        for name, x in members.values.items():
            self._enter(model, name, x, members.batch)

    def _enter(self, model: Model, name: str, x: np.ndarray, batch: tuple[int, ...]) -> None:
        parameter, index = named_entry(model, name)
        shape = () if index is not None else shape_of(model, parameter)
        given = np.broadcast_to(x, (*batch, *shape)).reshape(self.count, *shape)
        if parameter.field == "frames":
            self.frames[parameter.number] = given
            return
        place = self._place(model, parameter)
        place[(slice(None), *(index or ()))] = given
        if parameter.field == "moment" and index is not None:  # it stays symmetric
            place[(slice(None), *index[:-2], index[-1], index[-2])] = given
        numbers = range(model.nbodies) if parameter.number < 0 else (parameter.number,)
        self.touched |= {(parameter.field, i) for i in numbers}

    def _place(self, model: Model, parameter: Parameter) -> np.ndarray:
        """Where the numbers of a parameter stand, members first."""
        _, number, field = parameter
        if field == "gravity":
            return self.gravity
        if field in POINTS or field.startswith(CONSTANT):
            if (number, field) not in self.forces:
                self.forces[number, field] = np.repeat(value_of(model, parameter)[None], self.count, axis=0)
            return self.forces[number, field]
        return self.bodies[field] if number < 0 else self.bodies[field][:, number]

    def settled(self) -> bool:
        """Make poses rigid and moments symmetric, as a body does; whether every member can be one without a word.

        Poses that are not rigid raise.
        """
        self._settle_poses()
        masses = all((self.bodies["mass"][:, i] >= 0.0).all() for f, i in self.touched if f == "mass")
        changed = ("mass", "com", "moment")
        forces = all(self._within(i, field, x) for (i, field), x in self.forces.items())
        moved = {i for f, i in self.touched if f in changed}
        return forces and masses and all(self._settle_moment(i) for i in moved)

    def _within(self, number: int, field: str, x: np.ndarray) -> bool:
        """Whether what was given of a force is what its law takes."""
        if field in POINTS:
            return True
        return bool(within(self.model.forces[number].declared.constants[field.removeprefix(CONSTANT)], x).all())

    def _settle_poses(self) -> None:
        for field, i in self.touched:
            if field in POSES:
                self.bodies[field][:, i] = SE3.from_matrix(self.bodies[field][:, i]).as_matrix()
        for i, given in self.frames.items():
            self.frames[i] = rigid_matrix(given, "frame")

    def _settle_moment(self, i: int) -> bool:
        m = self.bodies["moment"][:, i]
        gap = np.abs(m - m.swapaxes(-1, -2)).max(axis=(-2, -1))
        if (gap > SLACK * np.abs(m).max(axis=(-2, -1))).any():
            return False
        self.bodies["moment"][:, i] = 0.5 * (m + m.swapaxes(-1, -2))
        return bool((shortfall(self.bodies["moment"][:, i]) <= ROUND_OFF).all())
