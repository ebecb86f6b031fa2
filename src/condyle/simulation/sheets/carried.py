"""What glides on a sheet: a rigid body, or a whole model that stands on the gliding frame as on its world.

With V the twist of the gliding frame and q the model's coordinates, M (V̇, q̈) + h = (w, 0), where M and h are those of
the model on a carrier that floats. Without q̈, w = J V̇ + p: the sheet feels a rigid body of articulated inertia J.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ...dynamics import energy, forward_kinematics, inverse_dynamics, mass_matrix
from ...errors import BadShape, BadValue, NotSupported, require
from ...forces import renumber
from ...joints import free
from ...model import Model, ModelBuilder
from ...spatial import SE3, Inertia, ad
from ...spatial.arrays import real_numbers
from ...spatial.twists import pose_matrix
from .gliding_frame import Glide

NOTHING = Inertia(0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


class Felt(NamedTuple):
    """w = J V̇ + p of the carrying frame, and q̈ = start + slope V̇."""

    J: np.ndarray
    p: np.ndarray
    start: np.ndarray
    slope: np.ndarray


class Carried:
    """A rigid body, a model, or nothing, on the frame that glides."""

    def __init__(self, body: Inertia | Model | None, gravity: np.ndarray) -> None:
        self.body, self.gravity = body, gravity
        self.model = floating(body, gravity) if isinstance(body, Model) else None
        self.n = body.nv if isinstance(body, Model) else 0
        self.J = body.spatial() if isinstance(body, Inertia) else np.zeros((6, 6))

    def start(self, q: Any, v: Any) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates and velocities of the model at the start, zero by default."""
        parts = [np.zeros(self.n) if x is None else real_numbers(x, "sheet: q and v of the model") for x in (q, v)]
        for x in parts:
            good = x.shape == (self.n,) and bool(np.isfinite(x).all())
            require(good, f"sheet: q and v of what is carried must be {self.n} finite numbers", BadShape, got=x.shape)
        return parts[0], parts[1]

    def whole(self, g: Glide, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The state of the floating model."""
        at = SE3.from_matrix(pose_matrix(g.R, g.c))
        return np.concatenate([at.wxyz, at.xyz, q]), np.concatenate([g.V, v])

    def felt(self, g: Glide, q: np.ndarray, v: np.ndarray) -> Felt:
        """What the sheet has to hold."""
        if self.model is None:
            down = np.concatenate([np.zeros(3), g.R.T @ self.gravity])
            return Felt(self.J, -self.J @ down - ad(g.V).T @ self.J @ g.V, np.zeros(0), np.zeros((0, 6)))
        Q, U = self.whole(g, q, v)
        M, h = mass_matrix(self.model, Q), inverse_dynamics(self.model, Q, U, np.zeros_like(U))
        found = -np.linalg.solve(M[6:, 6:], np.column_stack([h[6:], M[6:, :6]]))
        start, slope = found[:, 0], found[:, 1:]
        return Felt(M[:6, :6] + M[:6, 6:] @ slope, h[:6] + M[:6, 6:] @ start, start, slope)

    def energy(self, g: Glide, q: np.ndarray, v: np.ndarray) -> tuple[float, float]:
        """Kinetic, and potential of weight and springs."""
        if self.model is not None:
            found = energy(self.model, *self.whole(g, q, v))
            return float(found.kinetic), float(found.potential)
        if not isinstance(self.body, Inertia):
            return 0.0, 0.0
        center = g.c + g.R @ np.asarray(self.body.com)
        return 0.5 * float(g.V @ self.J @ g.V), -self.body.mass * float(center @ self.gravity)

    def momentum(self, g: Glide, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Linear momentum (3,)."""
        if self.model is not None:
            Q, U = self.whole(g, q, v)
            return g.R @ (mass_matrix(self.model, Q)[3:6] @ U)
        return g.R @ (self.J @ g.V)[3:]

    def body_poses(self, g: Glide, q: np.ndarray) -> np.ndarray:
        """(bodies, 4, 4)"""
        assert self.model is not None
        return forward_kinematics(self.model, self.whole(g, q, np.zeros(self.n))[0]).as_matrix()[1:]


def floating(model: Model, gravity: np.ndarray) -> Model:
    """The model with its world as a body of no mass that floats; what cannot be carried is named."""
    given = [x for x in ("constraints", "prescribed", "followers", "muscles") if getattr(model, x)]
    words = "sheet: a model that is carried cannot have"
    require(not given, f"{words} {', '.join(given)}", NotSupported)
    require(model.nq == model.nv, f"{words} ball or free joints; take universal and revolute ones", NotSupported)
    bent = [b.joint_name for b in model.bodies if b.joint.corners]
    require(not bent, f"{words} corners, which joint {bent[:1]} has", NotSupported)
    same = np.array_equal(model.gravity, gravity)
    words = "sheet: the model's gravity must be that of the sheet; give both the same (gravity=…)"
    require(same, words, BadValue, model=model.gravity, sheet=gravity)
    base = ModelBuilder(gravity=gravity).add_body("sheet frame", joint=free(), inertia=NOTHING).build().bodies[0]
    nothing: dict[str, Any] = {x: {} for x in ("ranges", "ratings", "defaults", "motion_types")}
    require(not any(r.armature for r in model.ratings.values()), "sheet: armature is not carried", NotSupported)
    return replace(
        model,
        bodies=(base, *(replace(b, parent=b.parent + 1) for b in model.bodies)),
        forces=renumber(model.forces, {k: k + 7 for k in range(model.nq)}, {k: k + 6 for k in range(model.nv)},
                        {k: k + 1 for k in range(-1, model.nbodies)}),
        markers=(),
        **nothing,
    )  # fmt: skip
