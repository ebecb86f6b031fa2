"""A `Skeleton` as a `Model`: the same bodies in minimal coordinates."""

from __future__ import annotations

import numpy as np

from ...errors import BadValue, NotSupported, require
from ...joints import ball, free, revolute, weld
from ...model import Model, ModelBuilder, constraints
from ...model.validate_model import require_model
from ...spatial import Inertia
from ...spatial.quaternions import quaternion_from_rotation
from ...spatial.twists import pose_inverse, pose_matrix
from ..engine.joint_gaps import hinge_angles, sides
from ..engine.spanning_tree import Tree, branching_first
from ..skeleton import Skeleton
from ..state import State


def as_model(skeleton: Skeleton) -> Model:
    """The model of a skeleton; bodies sit at their centres of mass and keep their axes and names.

    A model is a tree: balls and welds that close loops become constraints, which a hinge, or a ball with friction,
    cannot. Springs, limits, constant torques and friction act as in the skeleton.

    Parameters
    ----------
    skeleton : Skeleton

    Returns
    -------
    Model
    """
    require_skeleton(skeleton)
    tree = tree_of(skeleton)
    builder, n = ModelBuilder(gravity=skeleton.gravity), len(skeleton.masses)
    inertias = [Inertia(m, np.zeros(3), I) for m, I in zip(skeleton.masses, skeleton.inertias, strict=True)]
    for root in tree.roots:
        builder.add_body(skeleton.body_names[root], None, free(), inertias[root])
    for j, child, parent in tree.order[::-1].tolist():
        mine = 0 if skeleton.pairs[j, 0] == child else 1
        joint = {0: ball, 2: lambda: revolute("z"), 3: weld}[int(skeleton.locked[j])]()
        builder.add_body(
            skeleton.body_names[child],
            skeleton.body_names[parent] if parent < n else None,
            joint,
            inertias[child],
            placement=_pose(skeleton, j, 1 - mine),
            offset=_pose(skeleton, j, mine),
            joint_name=skeleton.joint_names[j],
        )
        if skeleton.friction[j] and joint.nv:
            builder.add_damping(skeleton.joint_names[j], float(skeleton.friction[j]))
    _add_loads(builder, skeleton, tree)
    _add_loops(builder, skeleton, tree)
    return builder.build()


def require_skeleton(thing: object) -> None:
    """Refuse what was given in place of a skeleton."""
    hint = "; cd.skeleton.from_model gives one" if isinstance(thing, Model) else ""
    require(isinstance(thing, Skeleton), f"the skeleton must be a cd.skeleton.Skeleton{hint}", BadValue,
            got=type(thing).__name__)  # fmt: skip


def tree_of(skeleton: Skeleton) -> Tree:
    """A spanning tree that leaves out balls and welds where it can; what else it leaves out is refused."""
    wanted = (skeleton.locked == 2) | ((skeleton.friction > 0) & (skeleton.locked < 3))
    n = len(skeleton.masses)
    tree = branching_first(np.where(skeleton.pairs < 0, n, skeleton.pairs), n, wanted)
    stuck = [skeleton.joint_names[j] for j in tree.loops if wanted[j]]
    require(
        not stuck,
        f"a model is a tree; these joints close loops: {', '.join(stuck)}. Only balls and welds without friction can, "
        "as constraints",
        NotSupported,
    )
    return tree


def _named(skeleton: Skeleton, body: int) -> str | None:
    return None if body < 0 else skeleton.body_names[body]


def _add_loads(builder: ModelBuilder, skeleton: Skeleton, tree: Tree) -> None:
    """Springs, and what acts on the angles of hinges: −1 times that where the child is the second body."""
    for s in skeleton.springs:
        (a, b), (p, q) = (_named(skeleton, i) for i in s.bodies), s.points
        builder.add_spring(a, p, b, q, stiffness=s.stiffness, length=s.length, damping=s.damping)
    signs = {j: 1.0 if skeleton.pairs[j, 0] == child else -1.0 for j, child, _ in tree.order.tolist()}
    for j, low, high, stiffness, damping in skeleton.limits:
        name, ends = skeleton.joint_names[j], sorted((signs[j] * low, signs[j] * high))
        if low == high:
            builder.add_stiffness(name, stiffness, ends[0], damping)
        else:
            builder.add_limit(name, *ends, stiffness=stiffness, damping=damping)
    for j in np.flatnonzero(skeleton.constant_torques):
        builder.add_constant_force(skeleton.joint_names[j], signs[int(j)] * float(skeleton.constant_torques[j]))


def _add_loops(builder: ModelBuilder, skeleton: Skeleton, tree: Tree) -> None:
    """Balls and welds that the tree leaves out, as constraints."""
    for j in tree.loops:
        a, b = (_named(skeleton, int(i)) for i in skeleton.pairs[j])
        X, Y = _pose(skeleton, j, 0), _pose(skeleton, j, 1)
        point = constraints.point(a, X[:3, 3], b, Y[:3, 3])
        builder.add_constraint(constraints.weld(a, X, b, Y) if skeleton.locked[j] == 3 else point)


def _pose(skeleton: Skeleton, j: int, side: int) -> np.ndarray:
    return pose_matrix(skeleton.frames[j, side], skeleton.points[j, side])


def coordinates_of(model: Model, state: State, skeleton: Skeleton) -> tuple[np.ndarray, np.ndarray]:
    """(q, v) of the model that `as_model` made of a skeleton, in a state of it; hinges with their turns.

    Parameters
    ----------
    model : Model
    state : State
    skeleton : Skeleton

    Returns
    -------
    tuple of two ndarrays
        q and v.

    Raises
    ------
    BadValue
        If one of them is something else.
    """
    require_model(model)
    require_skeleton(skeleton)
    require(isinstance(state, State), "coordinates_of takes a cd.skeleton.State", BadValue, got=type(state).__name__)
    q, v = np.zeros((*state.shape, model.nq)), np.zeros((*state.shape, model.nv))
    X = pose_matrix(state.rotations, state.positions)
    angles = hinge_angles(skeleton, state, sides(skeleton, state))
    for body, (q0, v0) in zip(model.bodies, model.joint_starts, strict=True):
        i = skeleton.body(body.name)
        k = skeleton.body(model.bodies[body.parent].name) if body.parent >= 0 else None
        parent = X[..., k, :, :] if k is not None else np.eye(4)
        G = pose_inverse(parent @ body.placement.as_matrix()) @ X[..., i, :, :] @ body.offset
        rate = _relative_spin(state, i, k) @ body.offset[:3, :3]
        if body.joint.nv == 1:
            j = skeleton.joint(body.joint_name)
            q[..., q0], v[..., v0] = (1.0 if skeleton.pairs[j, 0] == i else -1.0) * angles[..., j], rate[..., 2]
        elif body.joint.nv:
            q[..., q0 : q0 + 4], v[..., v0 : v0 + 3] = quaternion_from_rotation(G[..., :3, :3]), rate
        if body.joint.nv == 6:
            q[..., q0 + 4 : q0 + 7] = G[..., :3, 3]
            back = np.swapaxes(state.rotations[..., i, :, :], -1, -2)
            v[..., v0 + 3 : v0 + 6] = (back @ state.velocities[..., i, :, None])[..., 0]
    return q, v


def _relative_spin(state: State, i: int, k: int | None) -> np.ndarray:
    """(..., 3): how body i turns against body k (None: the world), in the axes of i."""
    spin = state.angular_velocities[..., i, :]
    if k is None:
        return spin
    relative = np.swapaxes(state.rotations[..., i, :, :], -1, -2) @ state.rotations[..., k, :, :]
    return spin - (relative @ state.angular_velocities[..., k, :, None])[..., 0]
