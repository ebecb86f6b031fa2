"""Accelerations of a tree whose bodies are free and held together by their joints: maximal coordinates for every kind.

Each body has the six numbers of its twist rate V̇. A joint with columns S holds its child in the directions N across
them, Nᵀ (C V̇ − P V̇_parent − bias) = 0, with reactions N λ; all V̇ and λ are one linear system. Nothing of it is a
recursion, so it is the twin of forward dynamics for splines, surfaces and contacts, as skeletons are for hinges.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..dynamics.muscle_calls import idle_muscles
from ..errors import BadShape, NotSupported, require
from ..model import Body, Model
from ..model.validate_model import require_model
from ..spatial import ad, adjoint
from ..spatial.arrays import real_numbers
from ..spatial.twists import pose_inverse
from ..typing import ArrayLike


class HeldBodies(NamedTuple):
    """What `maximal_accelerations` finds.

    Attributes
    ----------
    acceleration : ndarray, shape (nv,)
        Of the coordinates' velocities [rad/s², m/s²].
    twist_rates : ndarray, shape (nbodies, 6)
        Rates of the bodies' twists [ω; v] in their own axes [rad/s², m/s²].
    reactions : ndarray, shape (nbodies, 6)
        What the joint of each body holds it with [N m, N], in the joint's moving frame: it does no work.
    """

    acceleration: np.ndarray
    twist_rates: np.ndarray
    reactions: np.ndarray


class Held(NamedTuple):
    """A joint at a state: C V = P V_parent + S v, what is across S, and the bias of its derivative."""

    C: np.ndarray
    P: np.ndarray
    S: np.ndarray
    N: np.ndarray
    bias: np.ndarray
    V: np.ndarray
    down: np.ndarray  # gravity in the body's axes


def maximal_accelerations(model: Model, q: ArrayLike, v: ArrayLike, tau: ArrayLike | None = None) -> HeldBodies:
    """Accelerations and joint reactions of one state, from free bodies held together by joints of any kind.

    The same numbers as `cd.forward_dynamics`, by one dense system of 12 · bodies − nv unknowns: a check of another
    make, and the reactions. It takes milliseconds, not microseconds.

    Parameters
    ----------
    model : Model
        A tree with gravity, without springs, muscles, other loads, constraints, prescribed motion and followers.
    q : array_like, shape (nq,)
        [rad, m]
    v : array_like, shape (nv,)
        [rad/s, m/s]
    tau : array_like, shape (nv,), optional
        Generalised forces [N m, N]; by default zero.

    Returns
    -------
    HeldBodies

    Raises
    ------
    NotSupported
        For models with loads, muscles, constraints, prescribed motion or followers.
    BadShape
        If q, v or tau do not fit the model.

    Examples
    --------
    A pendulum that is let go level, and what its hinge holds it with, a quarter of its weight:

    >>> import condyle as cd
    >>> rod = cd.Inertia.cylinder(2.0, 0.01, 1.0, axis=0, com=(0.5, 0, 0))
    >>> model = cd.ModelBuilder().add_body("rod", joint=cd.joints.revolute("y"), inertia=rod).build()
    >>> found = cd.skeleton.maximal_accelerations(model, [0.0], [0.0])
    >>> round(float(found.acceleration[0]), 2), round(float(found.reactions[0, 5]), 2)
    (14.71, 4.91)
    """
    require_model(model)
    given = [name for name in ("forces", "constraints", "prescribed", "followers") if getattr(model, name)]
    given += ["muscles"] if idle_muscles(model) else []
    given += ["armature"] if any(rating.armature for rating in model.ratings.values()) else []
    require(
        not given, f"maximal_accelerations: the model has {', '.join(given)}; take cd.forward_dynamics", NotSupported
    )
    q, v = (real_numbers(x, f"maximal_accelerations: {n}") for x, n in ((q, "q"), (v, "v")))
    tau = np.zeros(model.nv) if tau is None else real_numbers(tau, "maximal_accelerations: tau")
    shapes = q.shape, v.shape, tau.shape
    expected = f"maximal_accelerations: one state, q ({model.nq},), v and tau ({model.nv},)"
    require(shapes == ((model.nq,), (model.nv,), (model.nv,)), expected, BadShape, shapes=shapes)
    held = joints_at(model, q, v)
    return solved(model, held, v, tau)


def joints_at(model: Model, q: np.ndarray, v: np.ndarray) -> list[Held]:
    """All joints at a state, parents first."""
    out: list[Held] = []
    for body, (i, k) in zip(model.bodies, model.joint_starts, strict=True):
        joint, parent = body.joint, None if body.parent < 0 else out[body.parent]
        x, rate = q[i : i + joint.nq], v[k : k + joint.nv]
        G, S = joint.pose(x).as_matrix(), joint.jacobian(x)
        C, P = adjoint(body.offset.inverse().as_matrix()), adjoint(pose_inverse(body.placement @ G))
        arriving = P @ (np.zeros(6) if parent is None else parent.V)
        own = S @ rate
        bias = np.einsum("aij,i,j->a", joint.hessian(x), rate, rate) - ad(own) @ arriving
        N = np.linalg.qr(S, mode="complete")[0][:, joint.nv :] if joint.nv else np.eye(6)
        down = model.gravity if parent is None else parent.down
        down = (body.placement[:3, :3] @ G[:3, :3] @ body.offset[:3, :3].T).T @ down
        out.append(Held(C, P, S, N, bias, np.linalg.solve(C, arriving + own), down))
    return out


def pushed(body: Body, held: Held) -> np.ndarray:
    """The wrench on a body but for its joints: gravity and the gyroscopic term adᵀ J V."""
    J = body.inertia.spatial()
    return J @ np.concatenate([np.zeros(3), held.down]) + ad(held.V).T @ J @ held.V


def solved(model: Model, held: list[Held], v: np.ndarray, tau: np.ndarray) -> HeldBodies:
    """V̇ and λ of J V̇ − Σ (joints) = pushes, Nᵀ (C V̇ − P V̇_parent) = Nᵀ bias."""
    n, widths = model.nbodies, [h.N.shape[1] for h in held]
    rows = 6 * n + np.cumsum([0, *widths])
    A, right = np.zeros((rows[-1], rows[-1])), np.zeros(rows[-1])
    for k, (body, h) in enumerate(zip(model.bodies, held, strict=True)):
        own, across, start = slice(6 * k, 6 * k + 6), slice(rows[k], rows[k + 1]), model.joint_starts[k][1]
        drive = np.linalg.pinv(h.S).T @ tau[start : start + body.joint.nv]
        A[own, own] = body.inertia.spatial()
        right[own] += pushed(body, h) + h.C.T @ drive
        sides = [(own, h.C)] if body.parent < 0 else [(own, h.C), (slice(6 * body.parent, 6 * body.parent + 6), -h.P)]
        for there, map_ in sides:
            A[across, there] = h.N.T @ map_
            A[there, across] = -(h.N.T @ map_).T
        right[across] = h.N.T @ h.bias
        if body.parent >= 0:
            right[sides[1][0]] -= h.P.T @ drive
    x = np.linalg.solve(A, right)
    rates = x[: 6 * n].reshape(n, 6)
    reactions = np.array([h.N @ x[rows[k] : rows[k + 1]] for k, h in enumerate(held)])
    return HeldBodies(_velocity_rates(model, held, rates), rates, reactions)


def _velocity_rates(model: Model, held: list[Held], rates: np.ndarray) -> np.ndarray:
    """v̇ of S v̇ = C V̇ − P V̇_parent − bias."""
    out = np.zeros(model.nv)
    for k, (body, h) in enumerate(zip(model.bodies, held, strict=True)):
        before = rates[body.parent] if body.parent >= 0 else np.zeros(6)
        start = model.joint_starts[k][1]
        out[start : start + body.joint.nv] = np.linalg.pinv(h.S) @ (h.C @ rates[k] - h.P @ before - h.bias)
    return out
