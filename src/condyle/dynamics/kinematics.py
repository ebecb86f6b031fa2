"""Where bodies are and how they move."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import BadShape, NotFinite, require
from ..model import Model
from ..model.validate_model import require_model
from ..numeric import over_duals, over_lanes
from ..spatial import SE3, adjoint
from ..spatial.arrays import finite_vector, floats, for_kernels
from ..spatial.se3 import packed_poses
from ..spatial.twists import pose_inverse, pose_matrix
from ..typing import ArrayLike, OnFailure
from .arguments import States, states
from .coordinate_differences import coordinate_rates
from .failure_messages import require_finite
from .native_calls.one_state import POSE, calls_of

STEP = 1e-30  # of dual numbers, so small that NumPy's complex arithmetic is theirs


@dataclass
class Motion:
    """Motion of the bodies' inertial frames C: arrays (count, nbodies, …), and columns (count, nv + guests, 6)."""

    R: np.ndarray
    p: np.ndarray
    twist: np.ndarray  # in C
    acceleration: np.ndarray  # in C; of the body frame, less gravity
    axes: np.ndarray  # in world axes at the origin of the body that the column moves
    moves: np.ndarray  # all of it by bodies (count, nbodies, 24), as kernels write it


def motion(model: Model, q: np.ndarray, v=None, a=None, single: bool = False, threads=None) -> Motion:
    """Run the outward pass on arrays (count, …); complex q or v, with steps next to nothing, give complex results."""
    from .kernels.body_motion import MOTION, motion_states

    kind = np.result_type(q, float if v is None else v)
    count, zero = len(q), np.zeros((len(q), model.nv), dtype=kind)
    v, a = (zero if x is None else for_kernels(x, kind) for x in (v, a))
    q = for_kernels(q, kind)
    moves = np.empty((count, MOTION * model.nbodies), dtype=kind)
    axes = np.empty((count, 6 * (model.nv + len(model.guests))), dtype=kind)
    given = q, v, a, moves, axes
    if np.iscomplexobj(q):
        over_duals(lambda z, i, j: motion_states(z, model.tables, given, i, j), count, threads)
    else:
        over_lanes(lambda z, i, j: motion_states(z, model.tables, given, i, j), count, single, threads)
    moves = moves.reshape(count, model.nbodies, MOTION)
    R = moves[..., :9].reshape(count, model.nbodies, 3, 3)
    axes = axes.reshape(count, axes.shape[1] // 6, 6)
    return Motion(R, moves[..., 9:12], moves[..., 12:18], moves[..., 18:], axes, moves)


def checked_motion(model: Model, s: States, on_failure: OnFailure = "raise", **others) -> Motion:
    """The motion of checked states; numbers that overflow raise, or with on_failure="nan" are NaN."""
    m = motion(model, s["q"], s.arrays.get("v"), s.arrays.get("a"), s.single, **others)
    wanted = {"q": m.p, "v": m.twist, "a": m.acceleration}
    results = [x for name, x in wanted.items() if name in s.arrays]
    require_finite(model, s, on_failure, "a position, velocity or acceleration of a body", *results)
    return m


def body_matrices(model: Model, m: Motion) -> np.ndarray:
    """X_WB of all bodies (count, nbodies, 4, 4)."""
    return pose_matrix(m.R, m.p) @ pose_inverse(model.inertial_frames)


def forward_kinematics(model: Model, q: ArrayLike, *, threads: int | None = None) -> SE3:
    """Poses X_WB of all bodies, an SE3 batch of shape (..., nbodies).

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.

    Returns
    -------
    SE3, batch shape (..., nbodies)
        Poses of the bodies in the world.

    Raises
    ------
    CondyleError
        If `model` is not a model, or the coordinates are not finite numbers of the right shape.

    Examples
    --------
    >>> import condyle as cd
    >>> bob, rod = cd.Inertia.point(2.0), cd.SE3.from_translation([0, 0, -1])
    >>> b = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob, offset=rod.inverse())
    >>> cd.forward_kinematics(b.build(), [np.pi / 2])[0].xyz.round(6) + 0.0
    array([-1.,  0.,  0.])
    """
    try:
        calls = model.one_state or calls_of(model)
    except AttributeError:
        require_model(model)
        raise
    poses = calls.new_poses(q)
    if poses is None and threads is None:
        poses = calls.few.poses(q)
    return _checked_poses(model, q, threads) if poses is None else poses


def _checked_poses(model: Model, q: ArrayLike, threads: int | None) -> SE3:
    """Poses of one state or a batch, whatever it is given as."""
    s = states(model, q)
    out = np.empty((s.count, model.nbodies, POSE))
    if s.single:
        calls_of(model).poses(s["q"][0], out[0])
    else:
        _poses(model, s["q"], out, threads)
    require_finite(model, s, "raise", "a position of a body", out)
    return packed_poses(s.shaped(out, model.nbodies, POSE))


def _poses(model: Model, q: np.ndarray, out: np.ndarray, threads: int | None) -> None:
    """Poses of a batch of checked states to out (count, nbodies, 7)."""
    from .kernels.body_poses import pose_states

    tables, frames = model.tables, model.body_frames
    over_lanes(lambda z, i, j: pose_states(z, tables, frames, i, j, q, out), len(q), False, threads)


def body_velocities(model: Model, q: ArrayLike, v: ArrayLike, *, threads: int | None = None) -> np.ndarray:
    """Body twists [ω; v] of all bodies, in body axes at the body origin, (..., nbodies, 6).

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    v : array_like, shape (..., nv)
        Velocities [rad/s, m/s]; batches broadcast with `q`.
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.

    Returns
    -------
    ndarray, shape (..., nbodies, 6)
        [ω; v] in rad/s and m/s.
    """
    s = states(model, q, v=v)
    m = checked_motion(model, s, threads=threads)
    return s.shaped(np.einsum("bij,sbj->sbi", adjoint(model.inertial_frames), m.twist), model.nbodies, 6)


def body_accelerations(
    model: Model, q: ArrayLike, v: ArrayLike, a: ArrayLike, *, threads: int | None = None
) -> np.ndarray:
    """Time derivatives of the body twists, in body axes at the body origin, (..., nbodies, 6); gravity is no part.

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    v : array_like, shape (..., nv)
        Velocities [rad/s, m/s]; batches broadcast with `q`.
    a : array_like, shape (..., nv)
        Accelerations [rad/s², m/s²].
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.

    Returns
    -------
    ndarray, shape (..., nbodies, 6)
        [ω̇; v̇] in rad/s² and m/s².
    """
    s = states(model, q, v=v, a=a)
    m = checked_motion(model.unloaded, s, threads=threads)
    return s.shaped(np.einsum("bij,sbj->sbi", adjoint(model.inertial_frames), m.acceleration), model.nbodies, 6)


def stepped(model: Model, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """q moved by an imaginary step along v."""
    return q + 1j * STEP * coordinate_rates(model, q, v)


def _vectors(x, name: str, s: States) -> np.ndarray:
    """Vectors (..., 3) for the states of s, as rows (count, 3)."""
    rows = floats(x, (3,), name)
    require(np.isfinite(rows).all(), f"{name} must be finite", NotFinite)
    try:
        return np.broadcast_to(rows, (*s.batch, 3)).reshape(s.count, 3)
    except ValueError:
        raise BadShape(f"{name} must have shape (3,) or {(*s.batch, 3)}, as q has; got {rows.shape}") from None


def world_force(
    model: Model,
    q: ArrayLike,
    body: str | int,
    force: ArrayLike,
    point: ArrayLike = (0.0, 0.0, 0.0),
    moment: ArrayLike = (0.0, 0.0, 0.0),
) -> np.ndarray:
    """Wrenches (..., nbodies, 6) of a world-axes `force` [N] at a point of a body (body axes) and a `moment` [N m].

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    body : str or int
        Name or number of the body.
    force : array_like, shape (..., 3)
        Force in world axes [N].
    point : array_like, shape (3,), optional
        A point in body axes [m]; the body origin if left out.
    moment : array_like, shape (..., 3), optional
        Moment in world axes [N m].

    Returns
    -------
    ndarray, shape (..., nbodies, 6)
        To be given as `wrenches`.

    Examples
    --------
    A push of 4 N along x on the bob of a hanging pendulum of 2 kg and 1 m:

    >>> import condyle as cd
    >>> bob = cd.Inertia.point(2.0, (0, 0, -1))
    >>> model = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()
    >>> push = cd.world_force(model, [0.0], "bob", (4, 0, 0), point=(0, 0, -1))
    >>> cd.forward_dynamics(model, [0.0], [0.0], wrenches=push).round(6)
    array([-2.])
    """
    s = states(model, q)
    i = model.body_index(body)
    R = body_matrices(model, checked_motion(model, s))[:, i, :3, :3]
    f, m = (np.einsum("sji,sj->si", R, _vectors(x, n, s)) for x, n in ((force, "force"), (moment, "moment")))
    out = np.zeros((s.count, model.nbodies, 6))
    out[:, i, 3:] = f
    out[:, i, :3] = m + np.cross(finite_vector(point, 3, "a point of a body [m]"), f)
    return s.shaped(out, model.nbodies, 6)
