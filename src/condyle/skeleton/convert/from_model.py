"""A `Model` as a `Skeleton`: the same bodies in maximal coordinates."""

from __future__ import annotations

import numpy as np

from ...dynamics import body_velocities, forward_kinematics
from ...dynamics.muscle_calls import idle_muscles
from ...errors import NotSupported, require
from ...joints.segments import FREE
from ...model import Model
from ...model.kernels.layout import POINT, WELD
from ...model.resolved_constraints import Loop
from ...model.validate_model import require_model
from ...spatial.arrays import real_numbers
from ...typing import ArrayLike
from ..held.held_model import HeldModel
from ..skeleton import Skeleton
from ..state import State
from .model_joints import Joined, joined, turns_only
from .model_loads import loads_of, springs_of


def from_model(model: Model, q: ArrayLike | None = None, v: ArrayLike | None = None) -> Skeleton | HeldModel:
    """A model in maximal coordinates; it starts at (q, v).

    A model whose joints are single rotations, quaternions or welds becomes a `Skeleton`, in compiled code. Any other
    joint (splines, surfaces, contacts, screws, slides) makes it a `HeldModel`, whose steps are NumPy's.

    Joints keep their names and the child is the first body of each, so a motor's torque is the joint's own force.
    Springs between points, and stiffness, limits, damping and constant forces of hinges act as in the model; `point`
    and `weld` constraints become balls and welds that close loops. Refused, by name, are `couple` and
    `roll` (rows between coordinates, which a skeleton does not have), and prescribed coordinates: the skeleton's
    conservation laws are those of joints that do not depend on time. So are muscles, ligaments and springs along paths.
    A `HeldModel` takes no constraints.

    Parameters
    ----------
    model : Model
    q : array_like, shape (nq,), optional
        Where it starts.
    v : array_like, shape (nv,), optional
        How it moves at the start.

    Returns
    -------
    Skeleton or HeldModel

    Raises
    ------
    NotSupported
        A load or constraint that a skeleton does not have, by name.
    """
    require_model(model)
    if not _turns_only(model):
        start = model.neutral() if q is None else np.asarray(q, float)
        return HeldModel(model, state_of(model, start, np.zeros(model.nv) if v is None else v), start)
    require_translatable(model)
    joints, loops = _joints(model), _loops(model)
    every = [*joints.values(), *loops.values()]
    loads = loads_of(model)
    friction, limits, torques = loads.arranged(list(joints), len(every))
    return Skeleton(
        masses=np.array([b.inertia.mass for b in model.bodies], float),
        inertias=np.array([b.inertia.moment for b in model.bodies], float),
        pairs=np.array([joint.bodies for joint in every], int).reshape(-1, 2),
        points=np.array([joint.points for joint in every]).reshape(-1, 2, 3),
        frames=np.array([joint.frames for joint in every]).reshape(-1, 2, 3, 3),
        locked=np.array([joint.locked for joint in every], int),
        friction=friction,
        gravity=np.array(model.gravity, float),
        body_names=model.names,
        joint_names=(*(model.bodies[i].joint_name for i in joints), *loops),
        initial=state_of(model, model.neutral() if q is None else q, np.zeros(model.nv) if v is None else v),
        springs=springs_of(model),
        limits=limits,
        constant_torques=torques,
    )


def state_of(model: Model, q: ArrayLike, v: ArrayLike) -> State:
    """Where a model's bodies are and how they move at (q, v), at their centres of mass; hinges with their turns.

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    v : array_like, shape (..., nv)
        Velocities [rad/s, m/s]; batches broadcast with `q`.

    Returns
    -------
    State
    """
    require_model(model)
    q, v = real_numbers(q, "q"), real_numbers(v, "v")
    poses, twists = forward_kinematics(model, q), body_velocities(model, q, v)
    R, com = poses.as_rotation(), np.array([b.inertia.com for b in model.bodies])
    batch = np.broadcast_shapes(R.shape[:-3], twists.shape[:-2])
    R = np.broadcast_to(R, (*batch, *R.shape[-3:]))
    p = poses.xyz + (R @ com[..., None])[..., 0]
    w = twists[..., :3]
    velocity = (R @ (twists[..., 3:] + np.cross(w, com))[..., None])[..., 0]
    return State.checked(p, R, velocity, w, _turns(model, q, R) if _turns_only(model) else None)


def _turns_only(model: Model) -> bool:
    """Whether all joints are those of skeletons."""
    return all(turns_only(body) or _floats(model, i) for i, body in enumerate(model.bodies))


def _turns(model: Model, q: np.ndarray, R: np.ndarray) -> np.ndarray:
    """(..., joints): whole turns of the hinges, their angles less what rotations tell."""
    joints = _joints(model)
    out = np.zeros((*q.shape[:-1], len(joints) + len(model.constraints)))
    for j, (i, joint) in enumerate(joints.items()):
        if joint.locked == 2:
            frames = [F if k < 0 else R[..., k, :, :] @ F for k, F in zip(joint.bodies, joint.frames, strict=True)]
            x = frames[0][..., 0]
            sine, cosine = ((x * frames[1][..., k]).sum(axis=-1) for k in (1, 0))
            angle = joint.rate * q[..., model.joint_starts[i][0]]
            out[..., j] = np.round((angle - np.arctan2(sine, cosine)) / (2.0 * np.pi))
    return out


def require_translatable(model: Model) -> None:
    """Nothing that a skeleton does not have; what it has not is named."""
    model = model.unfolded()  # a follower is named as the coupling that it is
    names = {v: name for name, (_, _, v) in zip(model.coordinates, map(model.place_of, model.coordinates), strict=True)}
    given = [repr(names[v]) for v in sorted(model.prescribed)]
    require(
        not given,
        f"the motion of {', '.join(given)} is prescribed, and a skeleton's joints do not depend on time. Simulate the "
        "model itself with cd.simulate, or drive the joint by a motor: skeleton.simulate(motors=…, control=…)",
        NotSupported,
    )
    idle = idle_muscles(model)
    require(not idle, f"{idle} in a skeleton. Simulate the model itself with cd.simulate and excitations=, or convert "
            "model.without_muscles()", NotSupported)  # fmt: skip
    armed = [name for name, rating in model.ratings.items() if rating.armature]
    require(
        not armed, "a skeleton has no armature. Simulate the model itself with cd.simulate", NotSupported, got=armed
    )
    pairs = [repr(f.name) for f in model.pair_forces]
    words = "a skeleton has no bushings and contacts. Simulate the model itself with cd.simulate"
    require(not pairs, words, NotSupported, got=pairs)
    for constraint in model.constraints:
        require(
            isinstance(constraint, Loop) and constraint.kind in (POINT, WELD),
            f"the {constraint.label} has no counterpart in a skeleton, where only points and frames of bodies are held "
            "together (cd.constraints.point and weld). Simulate the model itself with cd.simulate",
            NotSupported,
        )


def _joints(model: Model) -> dict[int, Joined]:
    """By body, the joints that join something: not those of floating roots."""
    return {i: joined(model, i) for i in range(model.nbodies) if not _floats(model, i)}


def _floats(model: Model, i: int) -> bool:
    """Whether body i is a floating root."""
    body = model.bodies[i]
    return body.parent < 0 and [s.kind for s in body.joint.segments] == [FREE]


def _loops(model: Model) -> dict[str, Joined]:
    """Constraints as joints, by their labels; equal labels are numbered."""
    out: dict[str, Joined] = {}
    for c in model.constraints:
        same = sum(other.label == c.label for other in model.constraints)
        number = sum(name.startswith(c.label) for name in out) + 1
        centers = [np.zeros(3) if k < 0 else model.bodies[k].inertia.com for k in (c.a, c.b)]
        poses = list(zip((c.frame_a, c.frame_b), centers, strict=True))
        points, frames = np.array([T[:3, 3] - com for T, com in poses]), np.array([T[:3, :3] for T, _ in poses])
        out[c.label if same == 1 else f"{c.label} ({number})"] = Joined(
            (c.a, c.b), points, frames, 0 if c.kind == POINT else 3
        )
    return out
