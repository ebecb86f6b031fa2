"""What drives and loads bodies that joints of any kind hold: the model's own loads, motors, forces, a control."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from ...dynamics import inverse_dynamics
from ...errors import BadShape, BadValue, NotFinite, require, unknown_name
from ...model import Model
from ..state import State
from .joint_rows import Bodies, JointRows, Rows

LOADS = ("motors", "forces", "torques")


class HeldLoads:
    """Motors (B, nv), and forces and torques of bodies, of one time; a control's answer is held over a step."""

    def __init__(self, joints: JointRows, batch: tuple[int, ...], given: tuple) -> None:
        self.joints, self.model, self.batch, self.given = joints, joints.model, batch, given
        self.constant: tuple[np.ndarray, np.ndarray] | None = None  # loads that do not change
        self.bare = replace(self.model, forces=()) if self.model.forces else None
        self.held: tuple[np.ndarray, np.ndarray] | None = None
        start = self.at(0.0)
        self.constant = None if any(callable(x) for x in given) else start

    def at(self, t: float) -> tuple[np.ndarray, np.ndarray]:
        """Forces of coordinates (B, nv) and wrenches (B, n, 6), torque first, at a time."""
        if self.held is not None:
            return self.held
        if self.constant is not None:
            return self.constant
        return self._arranged([x(t) if callable(x) else x for x in self.given], f"at t = {t:g} s")

    def hold(self, control: Callable, t: float, state: State, ended: np.ndarray) -> None:
        """Ask a control, and hold what it adds to the loads of this time."""
        self.held = None
        answer = control(t, state)
        answer = {} if answer is None else answer
        expected = f"control must return a dictionary of {', '.join(LOADS)}, or None; at t = {t:g} s"
        require(isinstance(answer, Mapping), expected, BadValue, got=type(answer).__name__)
        for name in answer:
            if name not in LOADS:
                raise unknown_name("load", name, LOADS, "what a control returns")
        added = self._arranged([answer.get(name) for name in LOADS], f"from control at t = {t:g} s", ended)
        self.held = tuple(a + b for a, b in zip(self.at(t), added, strict=True))  # type: ignore[assignment]

    def _arranged(self, given: list, when: str, ended: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        n, model = self.joints.n, self.model
        tau = self._spread(
            _named(given[0], coordinate_slices(model), (model.nv,), "motors"), (model.nv,), "motors", when
        )
        bodies = {name: (i, i + 1) for i, name in enumerate(model.names)}
        parts = [self._spread(_named(x, bodies, (n, 3), what), (n, 3), what, when)
                 for x, what in ((given[2], "torques"), (given[1], "forces"))]  # fmt: skip
        wrench = np.concatenate(parts, axis=-1)
        good = np.asarray(np.isfinite(tau).all(axis=1) & np.isfinite(wrench).all(axis=(1, 2)))
        fine = good if ended is None else good | ended
        require(fine.all(), f"motors, forces and torques must be finite numbers, {when}", NotFinite)
        return np.where(good[:, None], tau, 0.0), np.where(good[:, None, None], wrench, 0.0)

    def _spread(self, x: np.ndarray, shape: tuple[int, ...], what: str, when: str) -> np.ndarray:
        """A row for every member."""
        expected = f"{what} must have shape (..., {', '.join(map(str, shape))}) of the batch {self.batch}, {when}"
        try:
            return np.broadcast_to(x, (*self.batch, *shape)).reshape(-1, *shape)
        except ValueError:
            raise BadShape(f"{expected}; got {x.shape}") from None

    def push(self, t: float, x: Bodies, q: np.ndarray, rows: Rows) -> np.ndarray:
        """Wrenches (B, 6n) of everything but the joints."""
        tau, wrench = self.at(t)
        f = wrench.copy()
        f[..., 3:] += self.joints.masses[:, None] * self.model.gravity
        if self.bare is not None:
            tau = tau + self._own(self.bare, q, rows.v)
        return f.reshape(len(q), -1) + (rows.along.swapaxes(1, 2) @ tau[..., None])[..., 0]

    def _own(self, bare: Model, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """What the model's forces do along its coordinates."""
        good = np.isfinite(q).all(axis=1) & np.isfinite(v).all(axis=1)  # a member that fails stays NaN
        none, out = np.zeros_like(v[good]), np.full_like(v, np.nan)
        needed, left = (inverse_dynamics(m, q[good], v[good], none, on_failure="nan") for m in (bare, self.model))
        out[good] = needed - left
        return out


def _named(x, places: Mapping[str, tuple[int, int]], shape: tuple[int, ...], what: str) -> np.ndarray:
    """An array (..., *shape) from one, or from {name: value}; None is zero."""
    if x is None:
        return np.zeros(shape)
    if not isinstance(x, Mapping):
        return np.asarray(x, float)
    out = np.zeros(shape)
    for name, value in x.items():
        if name not in places:
            raise unknown_name(what, name, places, "this model")
        start, stop = places[name]
        value = np.asarray(value, float)
        extra = 0 if len(shape) == 1 and stop - start == 1 else 1
        batch = value.shape[: value.ndim - extra]
        out = np.array(np.broadcast_to(out, np.broadcast_shapes(out.shape, (*batch, *shape))))
        axis = len(shape)
        index = (..., slice(start, stop), slice(None))[: 1 + axis]
        out[index] = value.reshape(*batch, stop - start, *shape[1:])
    return out


def coordinate_slices(model: Model) -> dict[str, tuple[int, int]]:
    """Where each coordinate stands in v."""
    starts = [model.place_of(name)[2] for name in model.coordinates]
    return {name: (a, b) for name, a, b in zip(model.coordinates, starts, [*starts[1:], model.nv], strict=True)}
