"""Public functions on models with constraints: accelerations, constraint forces, projection onto the constraints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...errors import BadValue, require
from ...joints.evaluate import pose_matrices
from ...model import Model
from ...model.kernels.layout import DISTANCE, LINE, WELD, Header
from ...model.packing.member_tables import MemberTables
from ...model.resolved_constraints import Coupling, Loop, Rolling, row_starts
from ...model.validate_model import require_model
from ...numeric import COMPILED, one_by_one, over_lanes
from ...typing import ArrayLike
from ..arguments import States, prescribed_accelerations, states, wrench_rows
from ..domain_ends import warn_of_extended_joints
from ..failure_messages import raise_status
from ..kinematics import body_matrices, motion
from ..muscle_calls import warn_of_idle_muscles


@dataclass(frozen=True, eq=False)
class ConstraintForce:
    """What one constraint does: `multipliers` (..., rows), each as `axes` says, and the wrenches that they are.

    `wrenches` (..., nbodies, 6) are [moment; force] in body axes at the body origins, as `forward_dynamics` takes them;
    those of a coupling are zero, because it acts on coordinates.
    """

    label: str
    axes: tuple[str, ...]
    multipliers: np.ndarray
    wrenches: np.ndarray


@dataclass(frozen=True, eq=False)
class ConstraintForces:
    """Forces of every constraint in the order of the model; `rank` independent rows of `rows`.

    Where `unique` is False, rows are redundant: other multipliers hold the constraints as well, these are the shortest.

    Attributes
    ----------
    forces : tuple of ConstraintForce
        One for each constraint.
    rank : ndarray of int, shape (...)
        Independent rows of each state.
    rows : int
        All rows.
    """

    forces: tuple[ConstraintForce, ...]
    rank: np.ndarray
    rows: int

    @property
    def unique(self) -> np.ndarray:
        """Whether no other forces would do the same."""
        return self.rank == self.rows


@dataclass
class Solved:
    """Accelerations (count, nv), multipliers (count, rows) and ranks (count,)."""

    accelerations: np.ndarray
    multipliers: np.ndarray
    ranks: np.ndarray


def _lanes(model: Model, forces: bool) -> Callable:
    """What computes states side by side: by groups of constraints if it may, and if multipliers are not asked for."""
    from .kernels.constrained_lanes import constrained_lanes
    from .kernels.grouped_lanes import grouped_lanes

    grouping = model.tables[0][Header._fields.index("grouping")]
    return grouped_lanes if grouping and not forces else constrained_lanes


def solved(
    model: Model, s: States, t: float, on_failure: str, threads, tables: MemberTables | None = None, forces: bool = True
) -> Solved:  # fmt: skip
    """Run all states, with the tables of members if they have some; multipliers and ranks are zero if not `forces`."""
    from .kernels.constrained_forward import constrained_states

    rows = sum(c.rows for c in model.constraints)
    a = prescribed_accelerations(model, s.count, t, s.arrays.get("a"))
    multipliers, ranks = np.zeros((s.count, rows)), np.zeros(s.count, dtype=np.int64)
    sizes, status = np.zeros(s.count), np.zeros((s.count, 1))
    wrenches = wrench_rows(model, s, frames=None if tables is None else tables.frames)
    given, found = (s["q"], s["v"], s["tau"], wrenches, a), (multipliers, ranks, sizes, status)
    if tables is None and not s.single and COMPILED:
        lanes = _lanes(model, forces)
        over_lanes(lambda z, i, j: lanes(z, model.tables, given, found, i, j), s.count, False, threads)
    elif tables is None:
        one_by_one(lambda z, i, j: constrained_states(z, model.tables, given, found, i, j), s.count, threads)
    else:
        alone = tables.blocks(together=False)
        alone.each(lambda pair: lambda z, i, j: constrained_states(z, pair, given, found, i, j), threads)
    raise_status(model, status, s, on_failure, a, multipliers, sizes=sizes)
    return Solved(a, multipliers, ranks)


def constrained_accelerations(
    model: Model, s: States, t: float, on_failure: str, threads, tables: MemberTables | None = None
) -> np.ndarray:  # fmt: skip
    """Accelerations of checked states of a model with constraints."""
    return s.shaped(solved(model, s, t, on_failure, threads, tables, forces=False).accelerations, model.nv)


def constraint_forces(
    model: Model,
    q: ArrayLike,
    v: ArrayLike,
    tau: ArrayLike | None = None,
    wrenches: ArrayLike | None = None,
    *,
    t: float = 0.0,
    a: ArrayLike | None = None,
    threads: int | None = None,
) -> ConstraintForces:
    """The forces that hold the constraints under `tau`, `wrenches` and the model's loads, as in `forward_dynamics`.

    A state with a gap over 1e-8 raises InconsistentLoop; `project` brings it onto the constraints.

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
        Time [s], for what depends on it.
    a : array_like, shape (..., nv), optional
        Accelerations of prescribed coordinates, instead of those of their motion.
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.

    Returns
    -------
    ConstraintForces
        Multipliers of every row, wrenches on bodies, and whether they are unique.

    Raises
    ------
    InconsistentLoop
        A constraint is open by more than 1e-8.

    Warns
    -----
    IdleMuscles
        The model has muscles, which do not act here.
    """
    require_model(model)
    warn_of_idle_muscles("constraint_forces", model, "give the generalized_force of condyle.muscles.forces as tau")
    require(model.constraints, "constraint_forces: this model has no constraints", BadValue)
    s = states(model, q, v=v, tau=np.zeros(model.nv) if tau is None else tau, wrenches=wrenches, a=a)
    found = solved(model, s, t, "raise", threads)
    forces = []
    for c, start in zip(model.constraints, row_starts(model), strict=True):
        x = found.multipliers[:, start : start + c.rows]
        W = s.shaped(reaction_wrenches(model, c, s["q"], x), model.nbodies, 6)
        forces.append(ConstraintForce(c.label, c.axes, s.shaped(x, c.rows), W))
    return ConstraintForces(tuple(forces), s.shaped(found.ranks)[()], found.multipliers.shape[1])


def project(
    model: Model, q: ArrayLike, v: ArrayLike | None = None, *, threads: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """(q, v) brought onto the constraints by changes that are shortest in the mass metric; rolling changes v only.

    Newton's method closes gaps to 1e-12. Prescribed coordinates stay as given, and so do their
    velocities: put their rates into v.

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    v : array_like, shape (..., nv), optional
        Velocities; zero if left out.
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.

    Returns
    -------
    tuple of ndarray, shape (..., nq) and (..., nv)
        The state on the constraints.

    Raises
    ------
    NotConverged
        The constraints cannot be closed from there.

    Warns
    -----
    OutsideDomainWarning
        The constraints are closed where a joint is extended beyond its domain, as outside="extend" has it.
    """
    require_model(model)
    from .kernels.projection import project_states

    s = states(model, q, v=np.zeros(model.nv) if v is None else v)
    q, v, status = s["q"].copy(), s["v"].copy(), np.zeros((s.count, 1))
    if model.constraints:
        given = q, v, status
        one_by_one(lambda z, i, j: project_states(z, model.tables, given, i, j), s.count, threads)
    raise_status(model, status, s, "raise")
    if model.constraints:
        warn_of_extended_joints(model, q, "project")
    return s.shaped(q, model.nq), s.shaped(v, model.nv)


def reaction_wrenches(model: Model, c: Loop | Coupling | Rolling, q: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Wrenches (count, nbodies, 6) in body axes at body origins, of multipliers x (count, rows) at q (count, nq)."""
    out = np.zeros((len(q), model.nbodies, 6))
    if isinstance(c, Coupling):
        return out
    poses = body_matrices(model, motion(model, q, single=True))
    acts, at, moment, force = loop_action(c, poses, x) if isinstance(c, Loop) else rolling_action(model, c, q, poses, x)
    for body, sign in zip(acts, (1.0, -1.0), strict=True):
        if body >= 0:
            out[:, body] = in_body(poses[:, body], at, sign * moment, sign * force)
    return out


def loop_action(c: Loop, poses: np.ndarray, x: np.ndarray):
    """On body a and back on body b, at the frame of a, in world axes."""
    A, B = (np.broadcast_to(T if i < 0 else poses[:, i] @ T, (len(x), 4, 4)) for i, T in _ends(c))
    at = A[:, :3, 3]
    moment = x[:, :3] if c.kind == WELD else np.zeros((len(x), 3))
    force = x[:, -3:]
    if c.kind == DISTANCE:
        away = at - B[:, :3, 3]
        force = x * away / np.linalg.norm(away, axis=1, keepdims=True)
    elif c.kind == LINE:
        force = np.einsum("sij,sj->si", B[:, :3, :2], x)
    return (c.a, c.b), at, moment, force


def _ends(c: Loop) -> tuple[tuple[int, np.ndarray], ...]:
    """Bodies and frames of a loop."""
    return (c.a, c.frame_a), (c.b, c.frame_b)


def rolling_action(model: Model, c: Rolling, q, poses: np.ndarray, x: np.ndarray):
    """On the body and back on its parent, at the contact, in world axes."""
    body, q0 = model.bodies[c.body], model.joint_starts[c.body][0]
    places = [q0 + at + i for (at, _), (n, _) in zip(c.offsets, c.contact.widths, strict=True) for i in range(n)]
    X = body.placement @ pose_matrices(c.contact, q[:, places])
    X = X if body.parent < 0 else poses[:, body.parent] @ X
    force = np.einsum("sij,sj->si", X[:, :3, list(c.tangents)], x)
    return (c.body, body.parent), X[:, :3, 3], np.zeros_like(force), force


def in_body(T: np.ndarray, at: np.ndarray, moment: np.ndarray, force: np.ndarray) -> np.ndarray:
    """A wrench of world axes at a world point, in body axes at the body's origin."""
    m = moment + np.cross(at - T[:, :3, 3], force)
    return np.concatenate([np.einsum("sji,sj->si", T[:, :3, :3], f) for f in (m, force)], axis=1)
