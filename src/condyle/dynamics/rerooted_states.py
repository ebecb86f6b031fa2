"""States of a model told in the coordinates of the same bodies hung on the world by another one."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..errors import BadValue, require
from ..model import Model
from ..model.rerooting import is_quaternion
from ..model.validate_model import require_model
from ..spatial import SE3
from ..spatial.quaternions import conjugate, rotation_from_quaternion
from ..typing import ArrayLike
from .arguments import states
from .body_jacobians import body_jacobian
from .coordinate_differences import integrate
from .kinematics import body_accelerations, body_velocities, forward_kinematics

ROUNDS, CLOSE = 60, 1e-9  # of Gauss-Newton for the base; [m, rad, per s, per s²] of what its joint cannot do


class RerootedState(NamedTuple):
    """A state in other coordinates.

    Attributes
    ----------
    q : ndarray, shape (..., nq)
        Coordinates [rad, m].
    v : ndarray, shape (..., nv), or None
        Velocities, where they were given.
    a : ndarray, shape (..., nv), or None
        Accelerations, where they were given.
    """

    q: np.ndarray
    v: np.ndarray | None
    a: np.ndarray | None


def rerooted_state(
    model: Model, other: Model, q: ArrayLike, v: ArrayLike | None = None, a: ArrayLike | None = None
) -> RerootedState:
    """The same poses, velocities and accelerations of all bodies in the coordinates of a rerooted model, or back.

    Joints that both models have keep their coordinates. Those of a base come from where its body is.

    Parameters
    ----------
    model : Model
        Whose state is given.
    other : Model
        Made by `model.rerooted(…)`; or the model from which `model` was made so.
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    v : array_like, shape (..., nv), optional
        Velocities [rad/s, m/s].
    a : array_like, shape (..., nv), optional
        Accelerations [rad/s², m/s²]; they need v.

    Returns
    -------
    RerootedState
        (q, v, a) of `other`.

    Raises
    ------
    BadValue
        If the models do not have the same bodies and joints, or the joint of a base cannot bring its body there.

    Examples
    --------
    A leg that hangs at the hip, seen from its foot:

    >>> import condyle as cd
    >>> rod = cd.Inertia.point(1.0, (0, 0, -0.4))
    >>> b = cd.ModelBuilder().add_body("thigh", joint=cd.joints.free(), inertia=rod, joint_name="hip")
    >>> b = b.add_body("shank", "thigh", cd.joints.revolute("y"), rod, joint_name="knee")
    >>> leg = b.build()
    >>> other = leg.rerooted("shank")
    >>> state = cd.rerooted_state(leg, other, [1, 0, 0, 0, 0, 0, 0.8, 0.3], np.zeros(7))
    >>> other.names, float(state.q[-1])
    (('shank', 'thigh'), 0.3)
    """
    require_model(model)
    require(a is None or v is not None, "rerooted_state: accelerations need the velocities too")
    shared, bases = _joints(model, other)
    s = states(model, q, v=v, a=a)
    given: list[Any] = [s.arrays.get(name) for name in ("q", "v", "a")]
    out: list[Any] = [
        None if x is None else np.zeros((s.count, n))
        for x, n in zip(given, (other.nq, other.nv, other.nv), strict=True)
    ]
    out[0] = np.broadcast_to(other.neutral(), (s.count, other.nq)).copy()
    for old, new, inverted in shared:
        parts: Any = [None if x is None else x[:, where] for x, where in zip(given, _slices(model, old), strict=True)]
        parts = _inverted(parts[0], parts[1], parts[2]) if inverted else parts
        for x, part, where in zip(out, parts, _slices(other, new), strict=True):
            if x is not None:
                x[:, where] = part
    for base in sorted(bases):
        _settle(model, other, base, given, out)
    sizes = (other.nq, other.nv, other.nv)
    shaped: list[Any] = [None if x is None else s.shaped(x, n) for x, n in zip(out, sizes, strict=True)]
    return RerootedState(*shaped)


def _joints(model: Model, other: Model) -> tuple[list[tuple[int, int, bool]], list[int]]:
    """(body in the model, body in the other, whether its quaternion is inverted) of common joints; other bases."""
    require(
        set(model.names) == set(other.names), "rerooted_state: the two models do not have the same bodies", BadValue
    )
    named = lambda m, i: None if i < 0 else m.names[i]  # noqa: E731
    ends = {b.joint_name: (i, b.name, named(model, b.parent)) for i, b in enumerate(model.bodies)}
    shared, bases = [], []
    for new, body in enumerate(other.bodies):
        i, child, parent = ends.get(body.joint_name, (-1, None, None))
        edge = (body.name, named(other, body.parent))
        turned = edge == (parent, child)
        same = edge == (child, parent) and (parent is not None or body.joint is model.bodies[i].joint)
        if turned or same:
            shared.append((i, new, turned and is_quaternion(body.joint)))
        else:
            good = body.parent < 0
            require(good, f"rerooted_state: the joint {body.joint_name!r} is not the same in both models", BadValue)
            bases.append(new)
    return shared, bases


def _slices(model: Model, body: int) -> tuple[slice, slice, slice]:
    """Where a body's joint stands in q, v and a."""
    q, v = model.joint_starts[body]
    count = model.bodies[body].joint.nq - len(model.follower_numbers[body])
    at = slice(v, v + model.freedoms[body])
    return slice(q, q + count), at, at


def _inverted(q: np.ndarray, v: np.ndarray | None, a: np.ndarray | None):
    """q, v and a of the inverse of a ball or free joint: G⁻¹, −Ad_G v, −Ad_G a."""
    if q.shape[1] == 4:
        turn = rotation_from_quaternion(q)
        return conjugate(q), *(None if x is None else -(turn @ x[..., None])[..., 0] for x in (v, a))
    pose = SE3(q[:, :4], q[:, 4:])
    back, moved = pose.inverse(), pose.adjoint()
    return np.concatenate([back.wxyz, back.xyz], axis=1), *(
        None if x is None else -(moved @ x[..., None])[..., 0] for x in (v, a)
    )


def _settle(model: Model, other: Model, base: int, given: list, out: list) -> None:
    """Coordinates of a base of the other model, from where its body is in the model, how it moves and accelerates."""
    name, columns = other.names[base], _slices(other, base)[1]
    body = model.body_index(name)
    poses = forward_kinematics(model, given[0])[:, body]
    out[0][:] = _placed(other, base, poses, out[0])
    J = body_jacobian(other, out[0], base)[:, :, columns]
    if given[1] is None:
        return
    wanted = body_velocities(model, given[0], given[1])[:, body]
    out[1][:, columns] = _solved(J, wanted, other, base, "velocity")
    if given[2] is not None:
        wanted = body_accelerations(model, *given)[:, body]
        bias = body_accelerations(other, *out)[:, base]
        out[2][:, columns] = _solved(J, wanted - bias, other, base, "acceleration")


def _placed(other: Model, base: int, poses: SE3, q: np.ndarray) -> np.ndarray:
    """q (count, nq) with the body of a base at poses (count,)."""
    columns = _slices(other, base)[1]
    body = other.bodies[base]
    if is_quaternion(body.joint) and body.joint.nq == 7:
        there = body.placement.inverse() @ poses @ body.offset
        q = q.copy()
        q[:, _slices(other, base)[0]] = np.concatenate([there.wxyz, there.xyz], axis=1)
        return q
    for _ in range(ROUNDS):
        off = (forward_kinematics(other, q)[:, base].inverse() @ poses).log()
        move = np.zeros((len(q), other.nv))
        move[:, columns] = (np.linalg.pinv(body_jacobian(other, q, base)[:, :, columns]) @ off[..., None])[..., 0]
        q = integrate(other, q, move)
        if np.abs(move).max(initial=0.0) < 1e-14:
            break
    off = (forward_kinematics(other, q)[:, base].inverse() @ poses).log()
    _check_reached(np.abs(off).max(initial=0.0), other, base, "pose")
    return q


def _solved(J: np.ndarray, wanted: np.ndarray, other: Model, base: int, what: str) -> np.ndarray:
    x = (np.linalg.pinv(J) @ wanted[..., None])[..., 0]
    off = np.abs((J @ x[..., None])[..., 0] - wanted).max(initial=0.0)
    _check_reached(off / (1.0 + np.abs(wanted).max(initial=0.0)), other, base, what)
    return x


def _check_reached(off: float, other: Model, base: int, what: str) -> None:
    body = other.bodies[base]
    require(
        off < CLOSE,
        f"rerooted_state: the joint {body.joint_name!r} that holds {body.name!r} cannot give it this {what}; reroot "
        "with a joint that can, such as cd.joints.free(), or another placement",
        BadValue,
        off=float(off),
    )
