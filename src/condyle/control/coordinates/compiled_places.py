"""Points and the centre of mass of an animation space, all together in compiled code."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...dynamics.energy import principal_inertias
from ...errors import NotFinite
from ...model import Model
from .coordinate import Coordinate
from .pose_jet import Posture


class CompiledPlaces:
    """The coordinates of a space that are places; `numbers` are theirs."""

    def __init__(self, model: Model, coordinates: Sequence[Coordinate]) -> None:
        from ..kernels.place_rows import Tree, Wanted

        first = np.cumsum([0, *(c.size for c in coordinates)])
        found = {} if model.guests else {k: c.place for k, c in enumerate(coordinates) if c.place is not None}
        self.numbers, places = list(found), list(found.values())
        bodies = [-1 if p.body is None else model.body_index(p.body) for p in places]
        frames, rows = model.inertial_frames, np.full((len(places), 3), -1)
        for n, (k, p) in enumerate(zip(self.numbers, places, strict=True)):
            rows[n, list(p.axes)] = np.arange(first[k], first[k + 1])
        local = [(np.array(p.at) - frames[b, :3, 3]) @ frames[b, :3, :3] for b, p in zip(bodies, places, strict=True)]
        self.wanted = Wanted(np.array(bodies, dtype=np.int64), np.array(local).reshape(-1, 3), rows)
        starts = np.cumsum([0, *model.freedoms])
        masses = np.ascontiguousarray(principal_inertias(model)[0], dtype=float)
        self.tree = Tree(np.array([b.parent for b in model.bodies], dtype=np.int64), masses, starts)

    def fill(self, posture: Posture, values: np.ndarray, slopes: np.ndarray) -> None:
        """Write values (count, size) and slopes (count, size, nv + 1) of the rows that are places into zeros."""
        from ..kernels.place_rows import place_rows

        motion = posture.motion
        place_rows(self.tree, self.wanted, (motion.moves, motion.axes), values, slopes)
        if not (np.isfinite(values).all() and np.isfinite(slopes).all()):  # other rows are zero yet
            fine = np.isfinite(values).all(axis=1) & np.isfinite(slopes).all(axis=(1, 2))
            raise NotFinite(f"the place of a point or its gradient is not finite in state {int(np.argmin(fine))}")
