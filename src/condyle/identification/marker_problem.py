"""Markers as a function of the motion and of what is unknown of the model: residuals and their exact Jacobian."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..dynamics import body_jacobian, forward_kinematics
from ..model import Model
from ..spatial import hat
from .unknowns import Block


@dataclass
class MarkerProblem:
    """Measured markers and what is unknown: numbers y of blocks, then of marker places, and q of every frame.

    Attributes
    ----------
    model : Model
        At the start.
    marker_names : tuple of str
    bodies, at : ndarray, shapes (m,) and (m, 3)
        The body of each marker, and its place there at the start [m].
    measured : ndarray, shape (F, m, 3)
        [m]; NaN where not seen.
    sigma : float
        Standard deviation of a measured number [m].
    blocks : list of Block
    free : ndarray, shape (3 m, k)
        How k numbers move marker places: what is not in its range is held.
    marker_prior : float or None
        Standard deviation of marker places about those of the start [m].
    """

    model: Model
    marker_names: tuple[str, ...]
    bodies: np.ndarray
    at: np.ndarray
    measured: np.ndarray
    sigma: float
    blocks: list[Block]
    free: np.ndarray
    marker_prior: float | None

    @cached_property
    def seen(self) -> np.ndarray:
        """Which markers are seen, (F, m)."""
        return np.asarray(np.isfinite(self.measured).all(axis=2))

    @cached_property
    def starts(self) -> np.ndarray:
        """Where the numbers of each block begin, those of markers last, and where they end."""
        return np.concatenate([[0], np.cumsum([*(b.size for b in self.blocks), self.free.shape[1]])]).astype(int)

    @property
    def size(self) -> int:
        """How many numbers are shared by all frames."""
        return int(self.starts[-1])

    def part(self, y: np.ndarray, k: int) -> np.ndarray:
        """The numbers of block k."""
        return y[self.starts[k] : self.starts[k + 1]]

    def model_at(self, y: np.ndarray) -> Model:
        """The model with its unknowns at y."""
        changes: dict[str, np.ndarray] = {}
        for k, block in enumerate(self.blocks):
            changes |= block.changes(self.part(y, k))
        return self.model.with_parameters(changes) if changes else self.model

    def places(self, y: np.ndarray) -> np.ndarray:
        """Marker places (m, 3) on their bodies."""
        return self.at + (self.free @ self.part(y, len(self.blocks))).reshape(-1, 3)

    def residuals(self, model: Model, q: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(computed − measured)/sigma (F, m, 3), 0 where not seen; poses of all bodies; points (F, m, 3)."""
        T = forward_kinematics(model, q).as_matrix()
        x = np.einsum("fmij,mj->fmi", T[:, self.bodies, :3, :3], self.places(y)) + T[:, self.bodies][..., :3, 3]
        return np.where(self.seen[..., None], (x - self.measured) / self.sigma, 0.0), T, x

    def by_motion(self, model: Model, q: np.ndarray, y: np.ndarray, T: np.ndarray) -> np.ndarray:
        """Derivatives of the residuals by steps of q, (F, m, 3, nv)."""
        out, m = np.zeros((*self.seen.shape, 3, model.nv)), self.places(y)
        for i in np.unique(self.bodies):
            J = body_jacobian(model, q, int(i))
            for k in np.flatnonzero(self.bodies == i):
                out[:, k] = T[:, i, :3, :3] @ (J[:, 3:] - hat(m[k]) @ J[:, :3])
        return out * (self.seen[..., None, None] / self.sigma)

    def by_shared(self, model: Model, q: np.ndarray, y: np.ndarray, T: np.ndarray, x: np.ndarray) -> np.ndarray:
        """Derivatives of the residuals by y, (F, m, 3, size)."""
        F, m = self.seen.shape
        out = np.zeros((F, m, 3, self.size))
        for k, block in enumerate(self.blocks):
            columns = slice(self.starts[k], self.starts[k + 1])
            for carried, twists in block.fields(model, T, q, self.part(y, k)):
                rows = np.flatnonzero(np.isin(self.bodies, list(carried)))
                turn = np.einsum("fmij,fjp->fmip", hat(x[:, rows]), twists[:, :3])
                out[:, rows, :, columns] += twists[:, None, 3:] - turn
        by_place = T[:, self.bodies, :3, :3]
        out[..., self.starts[-2] :] = np.einsum("fmij,mjp->fmip", by_place, self.free.reshape(m, 3, self.free.shape[1]))
        return out * (self.seen[..., None, None] / self.sigma)

    def prior_weights(self) -> np.ndarray:
        """1/σ² of every number of y: zero where nothing is known beforehand."""
        deviations = [*(b.prior for b in self.blocks), self.marker_prior]
        sizes = np.diff(self.starts)
        return np.concatenate(
            [np.full(n, 0.0 if s is None else s**-2.0) for n, s in zip(sizes, deviations, strict=True)]
        )
