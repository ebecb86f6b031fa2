"""Forward and inverse dynamics, mass matrix and bias, for one state or any batch of states."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

import numpy as np

from ..deprecation import renamed_arguments
from ..errors import PrescribedMismatch
from ..model import Model
from ..model.packing.member_tables import MemberTables, pack_members
from ..model.validate_model import require_model
from ..numeric import over_lanes
from ..typing import ArrayLike, OnFailure
from .arguments import States, prescribed_accelerations, states, wrench_rows
from .failure_messages import raise_status, require_finite
from .member_models import spread_over, with_each_model
from .muscle_calls import SHARES, acting, warn_once_of_idle_muscles
from .native_calls.one_state import calls_of


@cache
def _forward_states() -> Callable:
    from .kernels.forward import forward_states  # loads the compiler, so only when needed

    return forward_states


@cache
def _inverse_states() -> Callable:
    from .kernels.inverse import inverse_states

    return inverse_states


@cache
def _mass_matrices() -> Callable:
    from .kernels.mass_matrix import mass_matrices

    return mass_matrices


@renamed_arguments(errors="on_failure")
def forward_dynamics(
    model: Model,
    q: ArrayLike,
    v: ArrayLike,
    tau: ArrayLike | None = None,
    wrenches: ArrayLike | None = None,
    *,
    t: float = 0.0,
    a: ArrayLike | None = None,
    on_failure: OnFailure = "raise",
    threads: int | None = None,
    parameters: Mapping[str, ArrayLike] | None = None,
    activation: ArrayLike | None = None,
    fiber_length: ArrayLike | None = None,
) -> np.ndarray:
    """Accelerations (..., nv) under generalised forces `tau`, body `wrenches` and the model's own loads.

    `wrenches` (..., nbodies, 6) are [moment; force] in body axes at the body origin. Prescribed coordinates keep the
    acceleration of their motion at time `t` [s], or that in `a`. Constraints hold. A batch of states runs on SIMD lanes
    and threads. A state that fails raises an error, or with on_failure="nan" gives NaN.
    [LeeTerzopoulos2008, appendix A]

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    v : array_like, shape (..., nv)
        Velocities [rad/s, m/s]; batches broadcast with `q`.
    tau : array_like, shape (..., nv), optional
        Generalised forces [N m, N]; zero if left out.
    wrenches : array_like, shape (..., nbodies, 6), optional
        [moment; force] on each body [N m, N], in body axes at the body origin.
    t : float, optional
        Time [s] of the prescribed motion.
    a : array_like, shape (..., nv), optional
        Accelerations of prescribed coordinates, instead of those of their motion.
    on_failure : {"raise", "nan"}
        What becomes of a state that fails: an error that names it, or NaN.
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.
    parameters : mapping of str to array_like, optional
        Parameters by name that vary over the batch, (..., shape of the parameter), as `Model.with_parameters` has them;
        batches broadcast with `q`. Members run on SIMD lanes; with constraints, followers or bushings one by one.
    activation, fiber_length : array_like, shape (..., muscles), optional
        Of the model's muscles, as `condyle.muscles.forward_dynamics` takes them: without an activation they do not act.

    Returns
    -------
    ndarray, shape (..., nv)
        Accelerations [rad/s², m/s²].

    Raises
    ------
    RankLost
        A joint or the mass matrix loses rank, naming the body.
    InconsistentLoop
        A constraint is open by more than 1e-8.
    NotSupported
        `a` or `parameters` beside an activation.

    Warns
    -----
    IdleMuscles
        The model has muscles and no activation was given; once for each model.

    Examples
    --------
    A pendulum of 1 m falls from 30°:

    >>> import condyle as cd
    >>> bob = cd.Inertia.point(2.0, (0, 0, -1))
    >>> model = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()
    >>> cd.forward_dynamics(model, [np.pi / 6], [0.0]).round(6)  # −g/l sin q
    array([-4.905])
    >>> cd.forward_dynamics(model, [[0.0], [np.pi / 2]], [0.0]).round(6)  # a batch of two states
    array([[ 0.  ],
           [-9.81]])
    """
    if getattr(model, "muscles", True) or activation is not None or fiber_length is not None:
        told = {"activation": activation, "fiber_length": fiber_length}
        pulled = acting("forward_dynamics", model, told, a=a, parameters=parameters)
        if pulled is not None:
            other = {"tau": tau, "wrenches": wrenches, "t": t, "on_failure": on_failure, "threads": threads}
            return pulled(model, q, v, **told, **other)
    calls = model.one_state or calls_of(model)
    if wrenches is a is parameters is None and on_failure == "raise":
        one = calls.new_forward(q, v, calls.no_forces if tau is None else tau)
        if one is None and threads is None:
            one = calls.few.forward(q, v, tau)
        if one is not None:
            return one
    given, tables = {"v": v, "tau": tau, "wrenches": wrenches, "a": a}, None
    if parameters is not None:
        members, q = spread_over(model, parameters, q, **given)
        tables = pack_members(members) if members.batch else None
        if tables is None:
            return with_each_model(forward_dynamics, members, q, **given, t=t, on_failure=on_failure)
    if a is not None and not model.prescribed:
        raise PrescribedMismatch("forward_dynamics takes accelerations `a` only of prescribed coordinates: it has none")
    given["tau"] = np.zeros(model.nv) if tau is None else tau
    s = states(model, q, on_failure=on_failure, **given)
    return _accelerations(model, s, tables, t, on_failure, threads)


def _accelerations(
    model: Model, s: States, tables: MemberTables | None, t: float, on_failure: OnFailure, threads: int | None
) -> np.ndarray:
    """Accelerations of checked states, with the tables of members if they have some."""
    if model.constraints:
        from .constraints.constraint_forces import constrained_accelerations

        return constrained_accelerations(model, s, t, on_failure, threads, tables)
    out = prescribed_accelerations(model, s.count, t, s.arrays.get("a"))
    status = np.zeros((s.count, 1))
    if s.single and not model.prescribed and tables is None and "wrenches" not in s.arrays:
        _one_state(model, s, out, status)
    else:
        given = s["q"], s["v"], s["tau"], _wrench_rows(model, s, tables), out, status
        _run(_forward_states(), model, tables, given, s, threads)
    raise_status(model, status, s, on_failure, out)
    return s.shaped(out, model.nv)


def _one_state(model: Model, s: States, out: np.ndarray, status: np.ndarray) -> None:
    """Accelerations of one checked state without wrenches and prescribed coordinates."""
    status[0, 0] = calls_of(model).forward(s["q"][0], s["v"][0], s["tau"][0], out[0])


@renamed_arguments(errors="on_failure")
def inverse_dynamics(
    model: Model,
    q: ArrayLike,
    v: ArrayLike,
    a: ArrayLike,
    wrenches: ArrayLike | None = None,
    *,
    on_failure: OnFailure = "raise",
    threads: int | None = None,
    parameters: Mapping[str, ArrayLike] | None = None,
) -> np.ndarray:
    """Generalised forces that give accelerations `a`, on top of the model's loads.  [LeeTerzopoulos2008, eqs. 14-16]

    What muscles, ligaments and springs along paths pull is part of these forces: `cd.muscles.elastic_forces` has the
    share of ligaments and springs, `cd.muscles.static_optimization` that of muscles.

    Parameters
    ----------
    model : Model
    q, v, a : array_like, shapes (..., nq), (..., nv), (..., nv)
        Coordinates, velocities and accelerations; batches broadcast.
    wrenches : array_like, shape (..., nbodies, 6), optional
        [moment; force] on each body [N m, N], in body axes at the body origin.
    on_failure : {"raise", "nan"}
        What becomes of a state that fails: an error that names it, or NaN.
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.
    parameters : mapping of str to array_like, optional
        Parameters by name that vary over the batch, (..., shape of the parameter), as `Model.with_parameters` has them;
        batches broadcast with `q`. Members run on SIMD lanes; with constraints, followers or bushings one by one.

    Returns
    -------
    ndarray, shape (..., nv)
        Forces [N m, N]; for prescribed coordinates those that their motion needs.

    Raises
    ------
    NotFinite
        With on_failure="raise", naming the first such state and the largest number it was given.

    Warns
    -----
    IdleMuscles
        The model has muscles, ligaments or springs along paths; once for each model.

    Examples
    --------
    What holds a pendulum of 2 kg and 1 m at 30°:

    >>> import condyle as cd
    >>> bob = cd.Inertia.point(2.0, (0, 0, -1))
    >>> model = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()
    >>> cd.inverse_dynamics(model, [np.pi / 6], [0.0], [0.0]).round(6)  # m g l sin q
    array([9.81])
    """
    if getattr(model, "muscles", ()):
        warn_once_of_idle_muscles("inverse_dynamics", model, SHARES)
    tables = None
    if parameters is not None:
        members, q = spread_over(model, parameters, q, v=v, a=a, wrenches=wrenches)
        tables = pack_members(members) if members.batch else None
        if tables is None:
            given = {"v": v, "a": a, "wrenches": wrenches, "on_failure": on_failure}
            return with_each_model(inverse_dynamics, members, q, **given)
    elif wrenches is None and on_failure == "raise":
        try:
            calls = model.one_state or calls_of(model)
        except AttributeError:
            require_model(model)
            raise
        one = calls.new_inverse(q, v, a)
        if one is None and threads is None:
            one = calls.few.inverse(q, v, a)
        if one is not None:
            return one
    s = states(model, q, on_failure=on_failure, v=v, a=a, wrenches=wrenches)
    out = _inverse(model, s, threads, tables)
    require_finite(model, s, on_failure, "inverse_dynamics: a force", out)
    return s.shaped(out, model.nv)


def _inverse(model: Model, s: States, threads: int | None, tables: MemberTables | None = None) -> np.ndarray:
    """Forces (count, nv) of checked states."""
    out = np.zeros((s.count, model.nv))
    if s.single and tables is None and "wrenches" not in s.arrays:
        calls_of(model).inverse(s["q"][0], s["v"][0], s["a"][0], out[0])
        return out
    given = s["q"], s["v"], s["a"], _wrench_rows(model, s, tables), out
    _run(_inverse_states(), model, tables, given, s, threads)
    return out


def _wrench_rows(model: Model, s: States, tables: MemberTables | None) -> np.ndarray:
    return wrench_rows(model, s, frames=None if tables is None else tables.frames)


def _run(
    kernel: Callable, model: Model, tables: MemberTables | None, given: tuple, s: States, threads: int | None
) -> None:
    """Call an entry for all states: with the tables of the model, or with those of members."""
    if tables is None:
        pair = model.tables
        over_lanes(lambda z, start, stop: kernel(z, pair, given, start, stop), s.count, s.single, threads)
        return
    tables.blocks().each(lambda pair: lambda z, start, stop: kernel(z, pair, given, start, stop), threads)


@renamed_arguments(errors="on_failure")
def mass_matrix(
    model: Model, q: ArrayLike, *, on_failure: OnFailure = "raise", threads: int | None = None
) -> np.ndarray:
    """The mass matrix M(q), shape (..., nv, nv): column k is the force of a unit acceleration of coordinate k.

    From the composite inertias of what each joint carries; exactly symmetric. `on_failure` and `threads` are as in
    `inverse_dynamics`.

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    on_failure : {"raise", "nan"}
        What becomes of a state that fails: an error that names it, or NaN.
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.

    Returns
    -------
    ndarray, shape (..., nv, nv)
        Symmetric; [kg m², kg m, kg].

    Raises
    ------
    CondyleError
        If `model` is not a model, or the coordinates are not finite numbers of the right shape.

    Examples
    --------
    >>> import condyle as cd
    >>> bob = cd.Inertia.point(2.0, (0, 0, -1))
    >>> model = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()
    >>> cd.mass_matrix(model, [0.3]).round(6)  # m l²
    array([[2.]])
    """
    try:
        calls = model.one_state or calls_of(model)
    except AttributeError:
        require_model(model)
        raise
    if on_failure == "raise":
        one = calls.new_mass(q)
        if one is not None:
            return one
    s = states(model, q, on_failure=on_failure)
    M, tables = np.zeros((s.count, model.nv, model.nv)), model.tables
    if s.single:
        calls.mass(s["q"][0], M[0])
    else:
        kernel, given = _mass_matrices(), (s["q"], M)
        over_lanes(lambda z, start, stop: kernel(z, tables, given, start, stop), s.count, False, threads)
    require_finite(model, s, on_failure, "mass_matrix: an entry", M)
    return s.shaped(M, model.nv, model.nv)


@renamed_arguments(errors="on_failure")
def bias_forces(
    model: Model,
    q: ArrayLike,
    v: ArrayLike,
    wrenches: ArrayLike | None = None,
    *,
    on_failure: OnFailure = "raise",
    threads: int | None = None,
) -> np.ndarray:
    """What is left of inverse dynamics without acceleration: velocity terms, gravity and loads, (..., nv).

    `on_failure` and `threads` are as in `inverse_dynamics`.

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    v : array_like, shape (..., nv)
        Velocities [rad/s, m/s]; batches broadcast with `q`.
    wrenches : array_like, shape (..., nbodies, 6), optional
        [moment; force] on each body [N m, N], in body axes at the body origin.
    on_failure : {"raise", "nan"}
        What becomes of a state that fails: an error that names it, or NaN.
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.

    Returns
    -------
    ndarray, shape (..., nv)
        Forces [N m, N].

    Warns
    -----
    IdleMuscles
        The model has muscles, ligaments or springs along paths; once for each model.

    Examples
    --------
    >>> import condyle as cd
    >>> bob = cd.Inertia.point(2.0, (0, 0, -1))
    >>> model = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()
    >>> cd.bias_forces(model, [np.pi / 2], [3.0]).round(6)  # the weight alone: a single hinge has no Coriolis force
    array([19.62])
    """
    require_model(model)
    if model.muscles:
        warn_once_of_idle_muscles("bias_forces", model, SHARES)
        model = model.without_muscles()
    return inverse_dynamics(model, q, v, np.zeros(model.nv), wrenches, on_failure=on_failure, threads=threads)
