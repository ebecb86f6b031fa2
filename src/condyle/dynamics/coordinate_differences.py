"""Going from q along velocities, and from one q to another.

Most coordinates are plain numbers. A `ball` turns by q ⊗ exp(ω/2), a `free` body moves by its pose times exp(twist).
"""

from __future__ import annotations

import numpy as np

from ..errors import BadShape, require
from ..model import Model
from ..spatial import SE3
from ..spatial.quaternions import conjugate, multiply, quaternion_exp, quaternion_log, rotation_from_quaternion
from ..typing import ArrayLike
from .arguments import states


def integrate(model: Model, q: ArrayLike, dv: ArrayLike) -> np.ndarray:
    """q moved by dv (velocity times time), (..., nq).

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    dv : array_like, shape (..., nv)
        Velocity times time.

    Returns
    -------
    ndarray, shape (..., nq)

    Raises
    ------
    BadShape
        If the shapes of q and dv do not go together or do not fit the model.

    Examples
    --------
    A quaternion does not add up: half a turn about z takes (1, 0, 0, 0) to (0, 0, 0, 1).

    >>> import condyle as cd
    >>> head = cd.Inertia.sphere(5.0, 0.1)
    >>> model = cd.ModelBuilder().add_body("head", joint=cd.joints.ball(), inertia=head).build()
    >>> cd.integrate(model, [1, 0, 0, 0], [0, 0, np.pi]).round(6) + 0.0
    array([0., 0., 0., 1.])
    """
    s = states(model, q, dv=dv)
    q, dv = s["q"], s["dv"]
    out = q.copy()
    plain_q, plain_v = model.plain_places
    out[:, plain_q] += dv[:, plain_v]
    for at, k, _ in model.quaternions:
        if at in model.free_quaternions:
            moved = SE3(q[:, at : at + 4], q[:, at + 4 : at + 7]) @ SE3.exp(dv[:, k : k + 6])
            out[:, at : at + 4], out[:, at + 4 : at + 7] = moved.wxyz, moved.xyz
        else:
            out[:, at : at + 4] = multiply(q[:, at : at + 4], quaternion_exp(dv[:, k : k + 3]))
    return s.shaped(out, model.nq)


def difference(model: Model, q0: ArrayLike, q1: ArrayLike) -> np.ndarray:
    """The dv that leads from q0 to q1: integrate(model, q0, difference(model, q0, q1)) is q1, (..., nv).

    Parameters
    ----------
    model : Model
    q0 : array_like, shape (..., nq)
        Where to start.
    q1 : array_like, shape (..., nq)
        Where to end.

    Returns
    -------
    ndarray, shape (..., nv)

    Raises
    ------
    BadShape
        If the batch shapes of q0 and q1 do not go together.

    Examples
    --------
    >>> import condyle as cd
    >>> head = cd.Inertia.sphere(5.0, 0.1)
    >>> model = cd.ModelBuilder().add_body("head", joint=cd.joints.ball(), inertia=head).build()
    >>> cd.difference(model, [1, 0, 0, 0], [np.sqrt(0.5), 0, 0, np.sqrt(0.5)]).round(6)
    array([0.      , 0.      , 1.570796])
    """
    a, b = states(model, q0), states(model, q1)
    try:
        batch = np.broadcast_shapes(a.batch, b.batch)
    except ValueError:
        raise BadShape(f"the batch shapes of q0 {a.batch} and q1 {b.batch} do not go together") from None
    x, y = (np.broadcast_to(s.shaped(s["q"], model.nq), (*batch, model.nq)) for s in (a, b))
    out = np.zeros((*batch, model.nv))
    plain_q, plain_v = model.plain_places
    out[..., plain_v] = y[..., plain_q] - x[..., plain_q]
    for at, k, _ in model.quaternions:
        if at in model.free_quaternions:
            between = _free(x, at).inverse() @ _free(y, at)
            out[..., k : k + 6] = between.log()
        else:
            out[..., k : k + 3] = quaternion_log(multiply(conjugate(x[..., at : at + 4]), y[..., at : at + 4]))
    return out


def _free(q: np.ndarray, at: int) -> SE3:
    return SE3(q[..., at : at + 4], q[..., at + 4 : at + 7])


def coordinate_rates(model: Model, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """q̇ = N(q) v: the velocities themselves, but for quaternions half the product with (0, ω)."""
    require(q.shape[-1] == model.nq and v.shape[-1] == model.nv, "q and v do not fit the model", BadShape)
    if not model.quaternions:
        return v if v.shape == q.shape else np.broadcast_to(v, np.broadcast_shapes(q.shape, v.shape))
    rates = np.zeros((*np.broadcast_shapes(q.shape[:-1], v.shape[:-1]), model.nq), dtype=np.result_type(q, v))
    plain_q, plain_v = model.plain_places
    rates[..., plain_q] = v[..., plain_v]
    for at, k, _ in model.quaternions:
        zero = np.zeros_like(v[..., k : k + 1])
        spin = np.concatenate([zero, v[..., k : k + 3]], axis=-1)
        rates[..., at : at + 4] = 0.5 * multiply(q[..., at : at + 4], spin)
        if at in model.free_quaternions:
            R = rotation_from_quaternion(q[..., at : at + 4])
            rates[..., at + 4 : at + 7] = (R @ v[..., k + 3 : k + 6, None])[..., 0]
    return rates
