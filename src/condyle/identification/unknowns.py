"""What is unknown of a model: blocks of numbers, zero at the start, and what each does to points of bodies.

A block says which model its numbers make, and how it moves points: by twists in world axes of everything that a body
carries, or by moving the points themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from scipy.linalg import null_space

from ..design.problem.curve_derivatives import Controls, places, pose_variation
from ..errors import NotSupported, require, unknown_name
from ..joints.controls import CurveControls
from ..model import Model
from ..spatial import adjoint, exp_se3, right_jacobian
from ..spatial.twists import pose_inverse
from ..splines import Basis, cumulative_pieces, greville, spline_knots

Field = tuple[frozenset[int], np.ndarray]  # bodies, and their world twists (F, 6, size) by the numbers of a block


class Pulled(NamedTuple):
    """Cotangents of measured forces: rows are velocity indices (k,), parameters by name (F, k, shape)."""

    model: Model
    rows: np.ndarray
    q: np.ndarray
    v: np.ndarray
    parameters: dict[str, np.ndarray]


class Block(Protocol):
    """Some unknowns: their name, how many, and the standard deviation of what is known of them beforehand."""

    name: str
    prior: float | None

    @property
    def size(self) -> int:
        """How many numbers."""
        ...

    def changes(self, y: np.ndarray) -> dict[str, np.ndarray]:
        """Parameters of the model at y."""
        ...

    def fields(self, model: Model, T: np.ndarray, q: np.ndarray, y: np.ndarray) -> list[Field]:
        """How bodies move with y, at their poses T (F, nbodies, 4, 4)."""
        ...

    @property
    def parameters(self) -> tuple[str, ...]:
        """Parameters of the model whose cotangents `slopes` reads."""
        ...

    def slopes(self, at: Pulled, y: np.ndarray) -> np.ndarray:
        """Derivatives of forces by y, (F, k, size)."""
        ...


def carried_by(model: Model, body: int) -> frozenset[int]:
    """The body and all that it carries."""
    found = {body}
    for i, b in enumerate(model.bodies):
        if b.parent in found:
            found.add(i)
    return frozenset(found)


def _world(T: np.ndarray, parent: int) -> np.ndarray:
    """Poses of a parent (F, 4, 4); −1 is the world."""
    return np.broadcast_to(np.eye(4), T[:, 0].shape) if parent < 0 else T[:, parent]


@dataclass
class Frames:
    """Control frames of a spline curve, which move across its path: along it a coordinate's meaning would change."""

    name: str
    body: int
    start: np.ndarray  # (n, 4, 4)
    across: np.ndarray  # (n, 6, 5)
    curve: CurveControls
    prior: float | None

    @property
    def size(self) -> int:
        """Five numbers for each frame."""
        return 5 * len(self.start)

    def _moves(self, y: np.ndarray) -> np.ndarray:
        return np.einsum("nij,nj->ni", self.across, y.reshape(-1, 5))

    def changes(self, y: np.ndarray) -> dict[str, np.ndarray]:
        return {self.name: self.start @ exp_se3(self._moves(y))}

    def fields(self, model: Model, T: np.ndarray, q: np.ndarray, y: np.ndarray) -> list[Field]:
        """The body of the joint and what it carries move as the pose on the curve does."""
        body, basis = model.bodies[self.body], self._basis()
        moves = self._moves(y)
        frames, by_y = self.start @ exp_se3(moves), right_jacobian(moves) @ self.across
        at = places(basis, np.clip(q[:, model.joint_starts[self.body][0]], basis.breaks[0], basis.breaks[-1]))
        _, M = pose_variation(Controls.of(frames), at)
        out, k = np.zeros((len(q), 6, self.size)), M.shape[-1] // 6
        rows = np.arange(len(q))[:, None, None]
        for l in range(k):
            part = M[..., 6 * l : 6 * l + 6] @ by_y[at.first + l]
            columns = 5 * (at.first + l)[:, None, None] + np.arange(5)
            out[rows, np.arange(6)[:, None], columns] += part
        X = T[:, self.body] @ np.asarray(body.offset)
        return [(carried_by(model, self.body), adjoint(X) @ out)]

    @property
    def parameters(self) -> tuple[str, ...]:
        """The control frames."""
        return (self.name,)

    def slopes(self, at: Pulled, y: np.ndarray) -> np.ndarray:
        """Through the twists on the right of the control frames."""
        by_y = right_jacobian(self._moves(y)) @ self.across
        found = np.einsum("fkni,nij->fknj", at.parameters[self.name], by_y)
        return found.reshape(*found.shape[:2], self.size)

    def _basis(self) -> Basis:
        return cumulative_pieces(full_knots(self.curve), self.curve.order)


def full_knots(curve: CurveControls) -> np.ndarray:
    """All knots of a spline curve."""
    return spline_knots(curve.knots, len(curve.frames), curve.order, curve.periodic)


@dataclass
class Placement:
    """Where a joint sits on its parent: a twist on the right of its placement."""

    name: str
    body: int
    start: np.ndarray
    prior: float | None
    size: int = 6

    def changes(self, y: np.ndarray) -> dict[str, np.ndarray]:
        """The placement."""
        return {self.name: self.start @ exp_se3(y)}

    def fields(self, model: Model, T: np.ndarray, q: np.ndarray, y: np.ndarray) -> list[Field]:
        """What the joint carries moves with it."""
        X = _world(T, model.bodies[self.body].parent) @ self.start @ exp_se3(y)
        return [(carried_by(model, self.body), adjoint(X) @ right_jacobian(y))]

    @property
    def parameters(self) -> tuple[str, ...]:
        """The placement."""
        return (self.name,)

    def slopes(self, at: Pulled, y: np.ndarray) -> np.ndarray:
        """Through the twist on the right of the placement."""
        return at.parameters[self.name] @ right_jacobian(y)


@dataclass
class Scale:
    """The size of a segment: the logarithm of how much farther the joints are that it carries."""

    name: str
    body: int
    children: dict[str, tuple[int, np.ndarray]]  # names of placements: carried bodies, and where they start
    prior: float | None
    size: int = 1

    def changes(self, y: np.ndarray) -> dict[str, np.ndarray]:
        """The placements of all joints that the segment carries."""
        k = np.array([1.0, 1.0, 1.0, np.exp(y[0])])
        return {name: np.where(np.arange(4)[:, None] < 3, X * k, X) for name, (_, X) in self.children.items()}

    def fields(self, model: Model, T: np.ndarray, q: np.ndarray, y: np.ndarray) -> list[Field]:
        """What each joint carries is shifted."""
        out = []
        for child, X in self.children.values():
            shift = T[:, self.body, :3, :3] @ X[:3, 3] * np.exp(y[0])
            out.append((carried_by(model, child), np.concatenate([np.zeros_like(shift), shift], axis=1)[:, :, None]))
        return out

    @property
    def parameters(self) -> tuple[str, ...]:
        """The placements of all joints that the segment carries."""
        return tuple(self.children)

    def slopes(self, at: Pulled, y: np.ndarray) -> np.ndarray:
        """Through the shifts of the placements."""
        shifts = {name: np.exp(y[0]) * X[:3, :3].T @ X[:3, 3] for name, (_, X) in self.children.items()}
        found = [at.parameters[name][..., 3:] @ x for name, x in shifts.items()]
        return np.sum(found, axis=0)[..., None]


def _curves(model: Model) -> dict[str, int]:
    """Names of control frames: the bodies whose joints are spline curves."""
    return {
        f"{b.joint_name}.frames": i for i, b in enumerate(model.bodies) if isinstance(b.joint.controls, CurveControls)
    }


def kinematic_names(model: Model) -> list[str]:
    """What can be unknown of where bodies are."""
    return [*_curves(model), *(f"{b.name}.{kind}" for b in model.bodies for kind in ("placement", "scale"))]


def _where(name: str) -> str:
    """What an unknown is looked for in; of inertias and loads markers alone say nothing."""
    forces = str(name).rpartition(".")[2] in (
        "mass",
        "com",
        "moment",
        "inertia",
        "stiffness",
        "damping",
        "rest",
        "length",
    )
    return "this model that markers show; with torques cd.identify_dynamics finds it" if forces else "this model"


def block_of(model: Model, name: str, prior: float | None) -> Block:
    """The unknown that a name means: "knee.frames", "shank.placement" or "thigh.scale"."""
    bodies, curves, known = {b.name: i for i, b in enumerate(model.bodies)}, _curves(model), kinematic_names(model)
    if name not in known:
        raise unknown_name("unknown", name, known, _where(name))
    if name in curves:
        return _frames(model, name, curves[name], prior)
    i, (body, _, kind) = bodies[name.rpartition(".")[0]], name.rpartition(".")
    if kind == "placement":
        return Placement(name, i, np.asarray(model.bodies[i].placement), prior)
    children = {
        f"{b.name}.placement": (j, np.asarray(b.placement)) for j, b in enumerate(model.bodies) if b.parent == i
    }
    require(bool(children), f"{name!r}: {body!r} carries no joint, so it has no length", NotSupported)
    return Scale(name, i, children, prior)


def _frames(model: Model, name: str, body: int, prior: float | None) -> Frames:
    joint = model.bodies[body].joint
    curve = joint.controls
    assert isinstance(curve, CurveControls)
    require(not curve.periodic, f"{name!r}: periodic curves cannot be identified yet", NotSupported)
    along = np.asarray(joint.jacobian(greville(full_knots(curve), curve.order)[:, None]))[..., 0]
    start = np.asarray(curve.frames)
    poses = np.asarray(joint.pose(greville(full_knots(curve), curve.order)[:, None]))
    seen = np.einsum("nij,nj->ni", adjoint(pose_inverse(start) @ poses), along)  # in the axes of the control frames
    return Frames(name, body, start, np.stack([null_space(x[None]) for x in seen]), curve, prior)
