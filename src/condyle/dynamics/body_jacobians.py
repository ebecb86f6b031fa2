"""Jacobians of bodies and of their points: how they follow the velocities, and the rates of that along a motion."""

from __future__ import annotations

import numpy as np

from ..model import Model
from ..model.memo import once_per_model
from ..model.validate_model import require_model
from ..spatial.arrays import cross, finite_vector
from ..typing import ArrayLike
from .arguments import states
from .failure_messages import require_finite
from .kinematics import STEP, Motion, body_matrices, checked_motion, motion, stepped
from .native_calls.one_state import calls_of

Columns = np.ndarray | slice


def _ancestor_columns(model: Model, body: int) -> tuple[Columns, np.ndarray]:
    """Velocity indices of the joints between the world and a body, and the bodies they move."""
    known = _walked(model)
    if body not in known:
        known[body] = _walked_columns(model, body)
    return known[body]


@once_per_model
def _walked(model: Model) -> dict[int, tuple[Columns, np.ndarray]]:
    """The bodies whose way to the world was walked."""
    return {}


def _walked_columns(model: Model, body: int) -> tuple[Columns, np.ndarray]:
    """The same, in rising order; columns without a gap as a slice, which copies nothing."""
    columns: list[int] = []
    owners: list[int] = []
    while body >= 0:
        start, width = model.joint_starts[body][1], model.freedoms[body]
        columns = [*range(start, start + width), *columns]
        owners = [body] * width + owners
        body = model.bodies[body].parent
    dense = columns == list(range(len(columns)))
    return slice(0, len(columns)) if dense else np.array(columns, dtype=int), np.array(owners, dtype=int)


def world_jacobian(model: Model, m: Motion, body: int, at: np.ndarray) -> np.ndarray:
    """Columns [ω; v] in world axes, v that of the body's point at the world position `at` (count, 3)."""
    columns, owners = _ancestor_columns(model, body)
    J = np.zeros((len(at), 6, model.nv), dtype=at.dtype)
    g, arm = np.moveaxis(m.axes[:, columns], 2, 0), np.moveaxis(at[:, None, :] - m.p[:, owners], 2, 0)
    J[:, 0, columns], J[:, 1, columns], J[:, 2, columns] = g[0], g[1], g[2]
    J[:, 3, columns] = g[3] + (g[1] * arm[2] - g[2] * arm[1])
    J[:, 4, columns] = g[4] + (g[2] * arm[0] - g[0] * arm[2])
    J[:, 5, columns] = g[5] + (g[0] * arm[1] - g[1] * arm[0])
    for g, (guest, velocity) in enumerate(model.guests):
        if carries(model, guest, body):
            w, v = m.axes[:, model.nv + g, :3], m.axes[:, model.nv + g, 3:]
            J[:, :3, velocity] += w
            J[:, 3:, velocity] += v + cross(w, at - m.p[:, guest])
    return J


def carries(model: Model, carrier: int, body: int) -> bool:
    """Whether a body is another one or carries it."""
    while body > carrier:
        body = model.bodies[body].parent
    return body == carrier


def motion_jacobian(model: Model, m: Motion, body: int) -> np.ndarray:
    T = body_matrices(model, m)[:, body]
    J = world_jacobian(model, m, body, T[:, :3, 3])
    Rt = np.swapaxes(T[:, :3, :3], -1, -2)
    return np.concatenate([Rt @ J[:, :3], Rt @ J[:, 3:]], axis=1)


def motion_point_jacobian(model: Model, m: Motion, body: int, point: np.ndarray) -> np.ndarray:
    T = body_matrices(model, m)[:, body]
    return world_jacobian(model, m, body, T[:, :3, :3] @ point + T[:, :3, 3])[:, 3:]


def body_jacobian(model: Model, q: ArrayLike, body: str | int, *, threads: int | None = None) -> np.ndarray:
    """The Jacobian (..., 6, nv) of a body's twist, in body axes at its origin: V = J v.

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    body : str or int
        Name or number of the body.
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.

    Returns
    -------
    ndarray, shape (..., 6, nv)

    Raises
    ------
    CondyleError
        If `model` is not a model, the coordinates are not finite numbers of the right shape, or there is no such body.

    Examples
    --------
    >>> import condyle as cd
    >>> bob = cd.Inertia.point(2.0, (0, 0, -1))
    >>> model = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()
    >>> cd.body_jacobian(model, [0.3], "bob")[:, 0].round(6)
    array([0., 1., 0., 0., 0., 0.])
    """
    try:
        calls = model.one_state or calls_of(model)
    except AttributeError:
        require_model(model)
        raise
    index = body if type(body) is int and 0 <= body < calls.nbodies else model.body_index(body)
    J = calls.new_jacobian(q, index)
    if J is not None:
        return J
    s = states(model, q)
    if s.single:
        J = np.empty((6, model.nv))
        calls.jacobian(s["q"][0], index, J)
        require_finite(model, s, "raise", "an entry of the Jacobian", J[None])
        return J
    m = checked_motion(model, s, threads=threads)
    return s.shaped(motion_jacobian(model, m, index), 6, model.nv)


def point_jacobian(
    model: Model, q: ArrayLike, body: str | int, point: ArrayLike = (0.0, 0.0, 0.0), *, threads: int | None = None
) -> np.ndarray:
    """The Jacobian (..., 3, nv) of the velocity, in world axes, of a point given in body axes [m].

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    body : str or int
        Name or number of the body.
    point : array_like, shape (3,), optional
        A point in body axes [m]; the body origin if left out.
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.

    Returns
    -------
    ndarray, shape (..., 3, nv)
    """
    s = states(model, q)
    m = checked_motion(model, s, threads=threads)
    at = finite_vector(point, 3, "a point of a body [m]")
    return s.shaped(motion_point_jacobian(model, m, model.body_index(body), at), 3, model.nv)


def body_jacobian_rate(model: Model, q: ArrayLike, v: ArrayLike, body: str | int) -> np.ndarray:
    """d/dt of `body_jacobian` along v, (..., 6, nv), exact to round-off (dual numbers).

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    v : array_like, shape (..., nv)
        Velocities [rad/s, m/s]; batches broadcast with `q`.
    body : str or int
        Name or number of the body.

    Returns
    -------
    ndarray, shape (..., 6, nv)
    """
    s = states(model, q, v=v)
    m = motion(model, stepped(model, s["q"], s["v"]))
    with np.errstate(over="ignore", invalid="ignore"):  # squares of steps are nothing, or their real parts unused
        rate = np.imag(motion_jacobian(model, m, model.body_index(body))) / STEP
    require_finite(model, s, "raise", "body_jacobian_rate: an entry", rate)
    return s.shaped(rate, 6, model.nv)


def point_jacobian_rate(
    model: Model, q: ArrayLike, v: ArrayLike, body: str | int, point: ArrayLike = (0.0, 0.0, 0.0)
) -> np.ndarray:
    """d/dt of `point_jacobian` along v, (..., 3, nv), exact to round-off (dual numbers).

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    v : array_like, shape (..., nv)
        Velocities [rad/s, m/s]; batches broadcast with `q`.
    body : str or int
        Name or number of the body.
    point : array_like, shape (3,), optional
        A point in body axes [m]; the body origin if left out.

    Returns
    -------
    ndarray, shape (..., 3, nv)
    """
    s = states(model, q, v=v)
    m = motion(model, stepped(model, s["q"], s["v"]))
    at = finite_vector(point, 3, "a point of a body [m]")
    with np.errstate(over="ignore", invalid="ignore"):
        rate = np.imag(motion_point_jacobian(model, m, model.body_index(body), at)) / STEP
    require_finite(model, s, "raise", "point_jacobian_rate: an entry", rate)
    return s.shaped(rate, 3, model.nv)
