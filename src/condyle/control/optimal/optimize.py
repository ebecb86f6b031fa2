"""`optimize`: the motion of least torque that does what is asked, found as a whole."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from numbers import Real

import numpy as np

from ...dynamics import bias_forces, forward_dynamics, mass_matrix
from ...errors import BadShape, BadValue, CondyleWarning, NotFinite, require
from ...model import Model
from ...model.validate_model import require_model
from ...progress import Report, reporting
from ...simulation import Trajectory
from ...typing import ArrayLike, Progress
from ..carried.carried_program import Ground
from ..carried.contacts import Contact
from ..coordinates.coordinate import Coordinate
from ..motion_limits import Kept, ranges_of, speeds_of
from ..ode_steppers import METHODS
from .motion_problem import Ends, Problem, checked_keys, checked_model, mesh_for
from .nlp_solvers import solve
from .sparse_program import Optimality, optimality


@dataclass(frozen=True, eq=False)
class OptimalMotion:
    """A motion of least torque, at the points of its mesh.

    Attributes
    ----------
    model : Model
    t : ndarray, shape (points,)
        [s]. Where a contact begins or ends a time occurs twice, with what is before and after it.
    q, v, a : ndarray, shape (points, n)
        States and accelerations.
    tau : ndarray, shape (points, n)
        Of the drives; zero where nothing drives.
    forces : ndarray, shape (points, contact points, 3)
        Of all points of all contacts in order, on the body, in the world [N].
    cost : float
        ∫ Σ weight · τ² dt [N² m² s].
    optimality : Optimality
        How well the conditions of an optimum hold.
    converged : bool
    iterations : int
    message : str
        What the solver says.
    """

    model: Model
    t: np.ndarray
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    tau: np.ndarray
    forces: np.ndarray
    cost: float
    optimality: Optimality
    converged: bool
    iterations: int
    message: str
    _problem: Problem = field(repr=False)

    def __repr__(self) -> str:
        state = "" if self.converged else f", NOT CONVERGED ({self.message})"
        span = f"{self.t[-1]:g} s in {len(self._problem.mesh.steps)} intervals"
        return f"<OptimalMotion: {span}, cost {self.cost:.6g}, {self.iterations} iterations{state}>"

    @property
    def trajectory(self) -> Trajectory:
        """The states alone, each time once, to look at, export or save."""
        keep = np.concatenate([[True], np.diff(self.t) > 0])
        return Trajectory(self.model, self.t[keep], self.q[keep], self.v[keep])

    def torques_at(self, t: float) -> np.ndarray:
        """Torques of the drives at a time: the parabola through the points of its interval.

        Parameters
        ----------
        t : float
            [s]

        Returns
        -------
        ndarray, shape (n,)
        """
        m = self._problem.mesh
        k = int(np.clip(np.searchsorted(m.nodes, t, side="right") - 1, 0, len(m.steps) - 1))
        return self._in_interval(k, t)

    def _in_interval(self, k: int, t: float) -> np.ndarray:
        m = self._problem.mesh
        s = (t - m.nodes[k]) / m.steps[k]
        weights = (1 - s) * (1 - 2 * s), 4 * s * (1 - s), s * (2 * s - 1)
        return np.tensordot(weights, self.tau[m.corners[k]], 1)

    def replay(self, *, tolerance: float = 1e-9, integrator: str = "adaptive") -> Trajectory:
        """Simulate forward under the torques of the motion, from its start, without feedback.

        Contacts hold their points while they touch. How far this ends from the motion is the error of the mesh: it
        falls with the fourth power of the length of the intervals. Errors grow on the way where a motion is unstable.

        Parameters
        ----------
        tolerance : float, optional
            Error of each step.
        integrator : {"adaptive", "bulirsch-stoer", "rk4"}, optional

        Returns
        -------
        Trajectory
            At the nodes of the mesh.
        """
        n, m = self.model.nv, self._problem.mesh
        y = np.concatenate([self.q[:1], self.v[:1]], axis=1)
        states = [y]
        for k in range(len(m.steps)):  # interval by interval: torques and contacts jump at nodes only
            held, ends = self._problem.held_rows_at(0.5 * (m.nodes[k] + m.nodes[k + 1])), m.nodes[k : k + 2]
            rate = partial(self._rate, k, held)
            states += METHODS[integrator](rate, states[-1], ends, float(m.steps[k]), tolerance, lambda y, t: y)
        found = np.array(states)[:, 0]
        return Trajectory(self.model, m.nodes, found[:, :n], found[:, n:])

    def _rate(self, k: int, held: np.ndarray, t: float, y: np.ndarray) -> np.ndarray:
        """(q̇, v̇) in interval k, with the contacts' points held along these rows."""
        n, space = self.model.nv, self._problem.ground.space
        q, v, tau = y[:, :n], y[:, n:], self._in_interval(k, t)[None]
        if space is None or not held.shape[1]:
            return np.concatenate([v, forward_dynamics(self.model.without_muscles(), q, v, tau)], axis=1)
        G = held.T @ space.gradient(q)[0]
        left = np.block([[mass_matrix(self.model, q)[0], -G.T], [G, np.zeros((len(G), len(G)))]])
        rest = tau - bias_forces(self.model.without_muscles(), q, v)
        right = np.concatenate([rest[0], -held.T @ space.bias(q, v)[0]])
        return np.concatenate([v, np.linalg.solve(left, right)[None, :n]], axis=1)


def optimize(
    model: Model,
    start: ArrayLike,
    end: ArrayLike | None = None,
    *,
    duration: float,
    intervals: int = 25,
    start_velocity: ArrayLike | None = 0.0,
    end_velocity: ArrayLike | None = 0.0,
    keyframes: Sequence[tuple[Coordinate, float, ArrayLike]] = (),
    kept: Sequence[Kept] = (),
    contacts: Sequence[Contact] = (),
    actuated: Sequence[str] | None = None,
    torques: bool | float | Mapping[str, float] | None = None,
    speeds: bool | float | Mapping[str, float] | None = None,
    ranges: bool = True,
    weights: ArrayLike = 1.0,
    guess: Trajectory | ArrayLike | None = None,
    solver: str | None = None,
    tolerance: float = 1e-8,
    iterations: int = 500,
    progress: Progress = False,
) -> OptimalMotion:
    """The motion of least torque, ∫ Σ w τ² dt, from a start through keyframes to an end.

    The whole motion is one sparse nonlinear program: Hermite-Simpson collocation, with inverse dynamics and its exact
    derivatives at all points in one batch. It finds a motion that no small change makes better, near its first guess;
    another guess may lead to another.

    Parameters
    ----------
    model : Model
        A tree with ordinary coordinates (no quaternions, constraints or prescribed motion).
    start : array_like, shape (n,)
        Coordinates at the start [rad, m].
    end : array_like, shape (n,), optional
        Coordinates at the end; free if left out.
    duration : float
        [s]
    intervals : int, optional
        About how many. The error falls with the fourth power of their length.
    start_velocity, end_velocity : float or array_like, shape (n,), or None
        At rest by default; None is free.
    keyframes : sequence of (Coordinate, float, array_like), optional
        Coordinate, time [s] and value: where a point, an angle, the centre of mass is to be when.
    kept : sequence of Kept, optional
        From `cd.control.keep` and `support`: what stays within limits all the time.
    contacts : sequence of Contact, optional
        From `cd.control.contact`: points that stand still while they touch, with forces inside friction pyramids.
        They come to rest softly; there are no impacts.
    actuated : sequence of str, optional
        Coordinates that motors drive; all if left out.
    torques : bool, float or mapping of str to float, optional
        Largest torques [N m, N]: True for the model's ratings, one for all, or by coordinate.
    speeds : bool, float or mapping of str to float, optional
        Largest speeds [rad/s, m/s], in the same way.
    ranges : bool, optional
        Keep coordinates within the ranges of the model.
    weights : float or array_like, shape (n,), optional
        Of squared torques.
    guess : Trajectory or array_like, shape (nodes, n), optional
        A first motion; straight from start to end if left out.
    solver : {"ipopt", "trust-constr"}, optional
        IPOPT where CasADi is installed (the extra `optimal`), else SciPy's, which is slower.
    tolerance : float, optional
        Of the conditions of an optimum.
    iterations : int, optional
        At most.
    progress : bool or callable, optional
        True for a bar in a terminal, or a function of (stage, done, total).

    Returns
    -------
    OptimalMotion
        Check `converged`, `optimality`, and that `replay` ends where it should; then halve the intervals.

    Raises
    ------
    NotSupported
        The model has quaternions, constraints or joints with corners, or the solver is not installed.
    BadValue
        If a duration, weight or time is out of its range.
    BadShape, NotFinite
        If start, end or a keyframe does not fit the model.

    Warns
    -----
    CondyleWarning
        If the solver did not converge.
    IdleMuscles
        The model has muscles, ligaments or springs along paths; once for each model.

    Examples
    --------
    The least torque that turns a flywheel by one radian in one second is linear in time:

    >>> import condyle as cd
    >>> b = cd.ModelBuilder(gravity=(0, 0, 0))
    >>> wheel = b.add_body("wheel", joint=cd.joints.revolute("z"), inertia=cd.Inertia(1, moment=np.eye(3))).build()
    >>> found = cd.control.optimize(wheel, [0.0], [1.0], duration=1.0, intervals=2)
    >>> round(found.cost, 6)  # ∫ (6 − 12 t)² dt
    12.0
    """
    require_model(model)
    checked_model(model)
    _require_sizes(duration, intervals, tolerance)
    ground = Ground(model, contacts, list(model.coordinates) if actuated is None else actuated, torques)
    keys = checked_keys(keyframes, duration)
    for x in kept:
        require(isinstance(x, Kept), "kept: limits come from cd.control.keep or support", got=type(x).__name__)
    w = _state(model, weights, "weights")
    require(np.all(w >= 0), "optimize: weights must not be negative", BadValue, weights=weights)
    ends = Ends((_state(model, start, "start"), None if end is None else _state(model, end, "end")),
                tuple(None if x is None else _state(model, x, "velocity") for x in (start_velocity, end_velocity)))  # type: ignore[arg-type]  # fmt: skip
    mesh = mesh_for(model, ground, keys, duration, intervals)
    problem = Problem(model, ends, ground, keys, tuple(kept), _ranges(model, ranges, ends),
                      speeds_of(model, speeds), w, mesh)  # fmt: skip
    with reporting(progress) as report:
        return _solved(problem, problem.guess(_first(problem, guess)), solver, tolerance, iterations, report)


def _require_sizes(duration: float, intervals: int, tolerance: float) -> None:
    """A duration, a count and a tolerance that can be."""
    for name, x in (("duration", duration), ("tolerance", tolerance)):
        good = isinstance(x, Real) and bool(np.isfinite(float(x))) and float(x) > 0
        require(good, f"optimize: the {name} must be a positive number", BadValue, got=x)
    whole = isinstance(intervals, Real) and float(intervals).is_integer() and intervals >= 2
    require(whole, "optimize: give two intervals or more, a whole number", BadValue, intervals=intervals)


def _solved(
    problem: Problem, z: np.ndarray, solver: str | None, tolerance: float, most: int, report: Report
) -> OptimalMotion:
    program, mesh = problem.program, problem.mesh
    answer = solve(program, z, solver, tolerance, most, report)
    if not answer.converged:
        words = (
            f"optimize did not converge in {answer.iterations} iterations: {answer.words}; its motion is not optimal"
        )
        warnings.warn(words, CondyleWarning, stacklevel=3)
    x = (mesh.reading @ answer.z).reshape(mesh.points, -1)
    q, v, a, shares = problem.torques.split(x)
    tau = np.where(problem.ground.free, 0.0, problem.torques.value(x))
    forces = (shares @ problem.edges.T).reshape(mesh.points, -1, 3)
    good = optimality(program, answer.z, answer.rows, answer.bounds)
    found = program.cost(answer.z), good, answer.converged, answer.iterations, answer.words
    return OptimalMotion(problem.model, mesh.times, q, v, a, tau, forces, *found, problem)


def _numbers(x: ArrayLike, name: str) -> np.ndarray:
    found = np.asarray(x, dtype=float)
    require(np.isfinite(found).all(), f"optimize: {name} must be finite", NotFinite, got=x)
    return found


def _state(model: Model, x: ArrayLike, name: str) -> np.ndarray:
    found = _numbers(x, name)
    fits = found.shape == (model.nv,) or found.shape == ()
    require(fits, f"optimize: {name} must have shape ({model.nv},)", BadShape, got=found.shape)
    return np.array(np.broadcast_to(found, (model.nv,)))


def _ranges(model: Model, wanted: bool, ends: Ends) -> np.ndarray:
    """Least and largest coordinates (2, n); the ends must be inside."""
    out = np.array([np.full(model.nv, -np.inf), np.full(model.nv, np.inf)])
    for name, _, v, low, high in ranges_of(model) if wanted else ():
        out[:, v] = low, high
        for x, where in zip(ends.q, ("start", "end"), strict=True):
            inside = x is None or low <= x[v] <= high
            require(inside, f"optimize: the {where} has {name!r} outside of its range {low:g} … {high:g}; "
                    "ranges=False lets it", BadValue, got=None if x is None else x[v])  # fmt: skip
    return out


def _first(problem: Problem, guess) -> np.ndarray:
    """Coordinates at nodes (nodes, n) to begin with."""
    nodes = problem.mesh.nodes
    if guess is None:
        return _between_postures(problem)
    if isinstance(guess, Trajectory):
        return np.stack([np.interp(nodes, guess.t, x) for x in np.asarray(guess.q).T], axis=1)
    x = _numbers(guess, "guess")
    fits = x.ndim == 2 and x.shape[1] == problem.model.nv and len(x) >= 2
    require(fits, f"optimize: a guess is a trajectory or (moments, {problem.model.nv})", BadShape, got=x.shape)
    return np.stack([np.interp(nodes, np.linspace(0.0, nodes[-1], len(x)), column) for column in x.T], axis=1)


def _between_postures(problem: Problem) -> np.ndarray:
    """From rest to rest between the start, postures that reach the keyframes, and the end."""
    nodes, (start, end) = problem.mesh.nodes, problem.ends.q
    times, postures = [0.0], [start]
    for t in sorted({t for _, t, _ in problem.keyframes}):
        if end is None or t < nodes[-1]:
            times.append(t)
            postures.append(problem.reaching(t, postures[-1]))
    if end is not None or times[-1] < nodes[-1]:
        times.append(nodes[-1])
        postures.append(postures[-1] if end is None else end)
    k = np.clip(np.searchsorted(times, nodes, side="right") - 1, 0, len(times) - 2)
    s = ((nodes - np.take(times, k)) / (np.take(times, k + 1) - np.take(times, k)))[:, None]
    x = np.array(postures)
    return x[k] + (x[k + 1] - x[k]) * s**3 * (10 - 15 * s + 6 * s**2)
