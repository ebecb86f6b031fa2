"""`forward_dynamics`: accelerations of a model that its muscles pull."""

from __future__ import annotations

import numpy as np

from .. import dynamics
from ..dynamics.arguments import States, prescribed_accelerations, states, wrench_rows
from ..dynamics.failure_messages import raise_status
from ..errors import BadValue
from ..model import Model
from ..model.kernels.status import KINDS, NO_PATH
from ..model.validate_model import require_model
from ..numeric import over_lanes
from ..spatial.arrays import for_kernels
from ..typing import ArrayLike, OnFailure
from .driven_states import driven_rows, tables_of
from .muscle_forces import checked_activation, forces, given_fibers
from .path_packing import packed_paths


def forward_dynamics(
    model: Model,
    q: ArrayLike,
    v: ArrayLike,
    activation: ArrayLike,
    *,
    fiber_length: ArrayLike | None = None,
    tau: ArrayLike | None = None,
    wrenches: ArrayLike | None = None,
    t: float = 0.0,
    on_failure: OnFailure = "raise",
    threads: int | None = None,
) -> np.ndarray:
    """Accelerations of a model under its muscles, ligaments and springs, in one compiled pass.

    The same as `condyle.forward_dynamics` under the generalised force of `forces`, without moment arms in between.

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    v : array_like, shape (..., nv)
        Velocities [rad/s, m/s]; batches broadcast with `q`.
    activation : array_like, shape (..., muscles)
        From 0 to 1, or one number for all; the control of path actuators.
    fiber_length : array_like, shape (..., muscles), optional
        Of the muscles with elastic tendons [m]; left out, fibre and tendon pull alike at rest.
    tau : array_like, shape (..., nv), optional
        Generalised forces beside the muscles [N m, N].
    wrenches : array_like, shape (..., nbodies, 6), optional
        [moment; force] on each body [N m, N], in body axes at the body origin.
    t : float, optional
        Time [s] of the prescribed motion.
    on_failure : {"raise", "nan"}
        What becomes of a state that fails: an error that names it, or NaN.
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.

    Returns
    -------
    ndarray, shape (..., nv)
        Accelerations [rad/s², m/s²].

    Raises
    ------
    BadValue
        If the model has no muscles, an activation is not from 0 to 1, or a path has no length in a state.
    RankLost
        A joint or the mass matrix loses rank, naming the body.
    InconsistentLoop
        A constraint is open by more than 1e-8.

    Examples
    --------
    A muscle of 1000 N at its optimal length, half active, 0.24 m from the hinge of a rod:

    >>> import condyle as cd
    >>> b = cd.ModelBuilder(gravity=(0, 0, 0))
    >>> b = b.add_body("rod", joint=cd.joints.revolute("y"), inertia=cd.Inertia.point(1.0, (0, 0, 1.0)))
    >>> rigid = dict(ignore_tendon_compliance=1, tendon_slack_length=0.4)
    >>> b = b.add_muscle("flexor", [(None, (0.3, 0, 0)), ("rod", (0, 0, 0.4))], **rigid)
    >>> cd.muscles.forward_dynamics(b.build(), [0.0], [0.0], 0.5).round(9)
    array([120.])
    """
    require_model(model)
    packed_paths(model)  # a model without muscles gets its words here
    zero = np.zeros(model.nv)
    s = states(model, q, on_failure=on_failure, v=v, tau=zero if tau is None else tau, wrenches=wrenches)
    if model.constraints:
        pull = forces(
            model, q, v, activation, fiber_length=fiber_length, on_failure=on_failure, threads=threads
        )  # fmt: skip
        all_forces = pull.generalized_force + (zero if tau is None else np.asarray(tau))
        return dynamics.forward_dynamics(
            model.without_muscles(), q, v, all_forces, wrenches, t=t, on_failure=on_failure, threads=threads
        )  # fmt: skip
    a = checked_activation(model, s, activation)
    fibers = None if fiber_length is None else given_fibers(model, s, fiber_length)
    rates, status = driven_rates(model, s, wrench_rows(model, s), a, a, fibers, t, threads)
    out = rates[:, : model.nv].copy()
    _tell(model, status, s, on_failure, out)
    return s.shaped(out, model.nv)


def driven_rates(
    model: Model, s: States, W: np.ndarray, activation: np.ndarray, excitation: np.ndarray, fibers: np.ndarray | None,
    t: float, threads: int | None,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Rates (count, nv + 3 muscles) of checked states without constraints, and their status.

    Accelerations, then for all muscles rates of activations, fibre speeds by the optimal lengths, and powers.
    """
    from .kernels.muscle_steps import driven_states

    n = len(model.muscles)
    y = driven_rows(model, s["v"], activation, np.zeros((s.count, n)) if fibers is None else fibers)
    rates = np.concatenate([prescribed_accelerations(model, s.count, t, None), np.zeros((s.count, 3 * n))], axis=1)
    pairs, status = tables_of(model), np.zeros((s.count, 1))
    given = tuple(for_kernels(x) for x in (s["q"], y, excitation, s["tau"], W, rates)) + (status, np.empty((0, 3)))
    known = fibers is not None
    over_lanes(lambda z, i, j: driven_states(z, pairs, given, known, i, j), s.count, s.single, threads)
    return given[5], status


def _tell(model: Model, status: np.ndarray, s: States, on_failure: OnFailure, out: np.ndarray) -> None:
    """Raise an error for states that failed, or put NaN there."""
    lost = status[:, 0] % KINDS == NO_PATH
    if lost.any() and on_failure != "nan":
        i = int(np.argmax(lost))
        where = f"state {i} of {len(status)}" if s.batch else "this state"
        name = model.muscles[int(status[i, 0]) // KINDS].name
        raise BadValue(f"muscle {name!r}: in {where} fewer than two points of its path count, so it has no length")
    out[lost] = np.nan
    status[lost] = 0.0
    raise_status(model, status, s, on_failure, out)
