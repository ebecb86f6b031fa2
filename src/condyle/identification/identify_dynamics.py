"""`identify_dynamics`: inertias, springs, dampers and shapes of joints from a motion and what it takes to move."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from ..dynamics import inverse_dynamics_vjp
from ..dynamics.derivatives.inverse_derivatives import require_no_followers
from ..errors import BadValue, NotSupported, require, unknown_name, warn
from ..model import Model
from ..model.validate_model import require_model
from ..typing import Progress
from .band_solver import Determined, Settled, determined, solve_band
from .base_parameters import STANDARD, BaseParameter, combinations, regressor, standard_numbers, standard_slopes
from .dynamics_result import IdentifiedDynamics, Quantity
from .force_problem import ForceProblem, poses
from .identify import (
    LOSSES,
    held_words,
    marker_problem,
    number_names,
    open_words,
    refuse_repeated,
    require_meters,
    warn_unsettled,
)
from .inertial_unknowns import INERTIAL, PHYSICAL_INERTIAS, inertial_block
from .load_unknowns import SPRING_UNITS, CoordinateConstant, coordinate_block, load_names, spring_block
from .marker_problem import MarkerProblem
from .measured_motion import (
    MeasuredMotion,
    checked_coordinates,
    checked_times,
    ground_wrenches,
    measured_forces,
    positive,
    require_known_sigmas,
    sigma_of_kind,
)
from .motion_spline import Motion, TimeBasis, fitted_motion
from .unknowns import Block, block_of, kinematic_names

PHYSICAL = (*PHYSICAL_INERTIAS, CoordinateConstant)  # unknowns that have numbers in units of their own
MOST = 100  # steps
FRAMES = 4  # between knots of the motion
ALONE = 0.1  # of a number's variance: if open directions have more than this, it is not determined by itself
LARGE_MISFIT = 2.0  # standard deviations


def identify_dynamics(
    model: Model,
    measured: MeasuredMotion,
    *,
    unknown: Iterable[str],
    place_markers: bool = True,
    priors: Mapping[str, float] | None = None,
    spacing: float | None = None,
    loss: str = "squares",
    progress: Progress = False,
) -> IdentifiedDynamics:
    """Find inertias, springs, dampers and shapes of joints from a recorded motion and what it takes to move it.

    Forces of inverse dynamics are to be those that were measured, and markers or coordinates, if they were measured
    with noise, are to be where they were: one least-squares problem in the shared numbers and the splines of the
    motion, solved by Levenberg-Marquardt steps with exact derivatives. The motion is eliminated as a band, so that a
    step costs as much as the frames. The same matrix gives 95 % intervals. Inertias stay those of bodies whatever the
    numbers are: masses are logarithms, moments triangular factors of second moments.

    Parameters
    ----------
    model : Model
        The start, with inertias and loads that are guesses; markers of `measured` on its bodies.
    measured : MeasuredMotion
        Times, coordinates, torques, and markers and ground reactions where there are any, with standard deviations.
    unknown : iterable of str
        "shank.mass", "shank.com", "shank.moment", or "shank.inertia" for all three; "springs[0].stiffness", ".damping"
        and ".length" of a point spring; "knee.stiffness", "knee.rest" and "knee.damping" of a spring or damper on a
        coordinate; "knee.frames", "shank.placement" and "thigh.scale" as of `identify`.
    place_markers : bool, optional
        Whether marker places are unknown too, but for those of markers with `fixed`.
    priors : mapping of str to float, optional
        Standard deviations of what is known beforehand about the start, by name: shares of masses, moments,
        stiffnesses and dampings (0.1 is ten per cent), metres and radians of the others; of "markers" [m].
    spacing : float, optional
        Time between knots of the motion's splines [s]: short enough for the motion, longer than its noise; by default
        four frames.
    loss : {"squares", "huber"}, optional
        "huber" lets torques and markers that are more than two standard deviations off count less.
    progress : bool or callable, optional
        A function is called with (stage, done, total).

    Returns
    -------
    IdentifiedDynamics
        The model, the motion, values with covariance, physical numbers, base parameters, and what the data leave open.

    Raises
    ------
    UnknownName
        An unknown, a marker, a coordinate or a body that the model does not have.
    BadInertia
        An unknown inertia whose start is no solid body.
    NotSupported
        Constraints, followers, bushings, muscles.
    BadShape, BadValue, NotFinite
        Data that do not fit; fewer measured numbers than unknowns.

    Warns
    -----
    CondyleWarning
        With squares, residuals are more than twice their standard deviations, and intervals too narrow; or the
        steps did not converge.

    Examples
    --------
    The mass and the damper of a pendulum, from how it was swung and the torque that took:

    >>> import condyle as cd
    >>> def pendulum(mass, damping):
    ...     bob = cd.Inertia(mass, (0, 0, -0.4), (0.02, 0.02, 0.01))
    ...     b = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob)
    ...     return b.add_damping("bob", damping).build()
    >>> t = np.linspace(0.0, 3.0, 301)
    >>> swing, rate, bend = np.sin(2 * t), 2 * np.cos(2 * t), -4 * np.sin(2 * t)
    >>> torque = cd.inverse_dynamics(pendulum(3.0, 0.5), swing[:, None], rate[:, None], bend[:, None])
    >>> seen = cd.MeasuredMotion(t, swing[:, None], {"bob": torque[:, 0]}, sigma={"torques": 0.05})
    >>> found = cd.identify_dynamics(pendulum(2.0, 0.2), seen, unknown=["bob.mass", "bob.damping"])
    >>> round(found.quantity("bob.mass").value, 4), round(found.quantity("bob.damping").value, 4)
    (3.0, 0.5)
    """
    require_model(model)
    require(loss in LOSSES, f"loss must be one of {LOSSES}", BadValue, got=loss)
    problem, motion, times = _problem(model, measured, _expanded(model, unknown), place_markers, priors, spacing)
    found = solve_band(problem, motion, loss, MOST, progress if callable(progress) else None)
    warn_unsettled(found.converged, "identify_dynamics", MOST)
    answer = _result(problem, found, times)
    if loss == "squares":
        _warn_of_misfits(answer.misfit)
    return answer


def _expanded(model: Model, unknown: Iterable[str]) -> list[str]:
    """Names of unknowns, an inertia as its three parts; each once."""
    names: list[str] = []
    for name in [unknown] if isinstance(unknown, str) else list(unknown):
        body, _, field = str(name).rpartition(".")
        whole = field == "inertia" and body in model.names
        names += [f"{body}.{f}" for f in INERTIAL] if whole else [name]
    refuse_repeated(names)
    require(bool(names), "identify_dynamics needs unknowns", BadValue)
    return names


def _blocks(model: Model, names: list[str], priors: Mapping[str, float]) -> list[Block]:
    """What the names mean."""
    inertial = {f"{b.name}.{f}": (i, f) for i, b in enumerate(model.bodies) for f in INERTIAL}
    springs = {f"springs[{i}].{f}": (i, f) for i in range(len(model.springs)) for f in SPRING_UNITS}
    loads, moving = load_names(model), kinematic_names(model)
    known = [*inertial, *(f"{b}.inertia" for b in model.names), *springs, *loads, *moving]
    blocks: list[Block] = []
    for name in names:
        prior = priors.get(name)
        if name in inertial:
            blocks.append(inertial_block(model, *inertial[name], prior))
        elif name in springs:
            blocks.append(spring_block(model, *springs[name], prior))
        elif name in loads:
            blocks.append(coordinate_block(model, name, prior))
        elif name in moving:
            blocks.append(block_of(model, name, prior))
        else:
            raise unknown_name("unknown", name, known, "this model")
    return blocks


def _priors(model: Model, names: list[str], priors: Mapping[str, float] | None) -> dict[str, float]:
    """Standard deviations by the name of an unknown; those of an inertia stand for its parts."""
    out: dict[str, float] = {}
    for name, x in (priors or {}).items():
        body, _, field = name.rpartition(".")
        parts = [f"{body}.{f}" for f in INERTIAL] if field == "inertia" else [name]
        for part in parts:
            if part not in (*names, "markers"):
                raise unknown_name("unknown", name, [*names, "markers"], "priors of this identification")
            require(positive(x), f"the prior of {name!r} must be a positive number", BadValue, got=x)
            out[part] = float(x)
    return out


def _problem(
    model: Model, measured: MeasuredMotion, names: list[str], placed: bool, priors: Mapping[str, float] | None,
    spacing: float | None,
) -> tuple[ForceProblem, Motion, np.ndarray]:  # fmt: skip
    """What is minimised, checked, and the motion to start from."""
    require(not model.constraints, "identify_dynamics takes models without constraints", NotSupported)
    require_no_followers(model, "identify_dynamics")
    require(not model.muscles, "identify_dynamics takes models without muscles: model.without_muscles()", NotSupported)
    times = checked_times(measured.times)
    F = len(times)
    q = checked_coordinates(model, measured.q, F)
    require_known_sigmas(model, measured.sigma)
    forces, ground = measured_forces(model, measured, F), ground_wrenches(model, measured.ground, F)
    known = _priors(model, names, priors)
    blocks = _blocks(model, names, known)
    markers = _markers(model, measured, blocks, placed, known.get("markers"), F)
    noise = sigma_of_kind(measured, "coordinates")
    basis = TimeBasis.of(times, _spacing(spacing, times))
    free = bool(measured.markers) or noise is not None
    problem = ForceProblem(markers, forces, ground, None if noise is None else (q, noise), basis if free else None)
    unknowns = problem.size + (basis.count * model.nv if free else 0)
    words = "identify_dynamics: there are fewer measured numbers than unknowns; give more frames or a larger spacing"
    count = problem.measured_numbers()
    require(count > unknowns, words, BadValue, measured=count, unknowns=unknowns)
    require_meters(markers, q)
    return problem, fitted_motion(model, basis, q), times


def _spacing(spacing: float | None, times: np.ndarray) -> float:
    usual = FRAMES * float(times[-1] - times[0]) / (len(times) - 1)
    require(spacing is None or (np.isfinite(spacing) and spacing > 0), "spacing must be a positive time [s]", BadValue,
            got=spacing)  # fmt: skip
    return usual if spacing is None else float(spacing)


def _markers(
    model: Model, measured: MeasuredMotion, blocks: list[Block], placed: bool, prior: float | None, frames: int
) -> MarkerProblem:
    if not measured.markers:
        nothing = np.zeros((0, 3)), np.zeros((frames, 0, 3))
        return MarkerProblem(model, (), np.zeros(0, int), *nothing, 1.0, blocks, np.zeros((0, 0)), None)
    sigma = sigma_of_kind(measured, "markers")
    require(sigma is not None, "markers beside torques need sigma={'markers': …} [m]", BadValue)
    problem = marker_problem(model, measured.markers, blocks, placed, prior, sigma or 1.0)
    require(len(problem.measured) == frames, f"markers must have a row for each of the {frames} times", BadValue,
            got=len(problem.measured))  # fmt: skip
    return problem


def _result(problem: ForceProblem, found: Settled, times: np.ndarray) -> IdentifiedDynamics:
    known = determined(found.schur)
    model, motion, markers = problem.model_at(found.y), found.motion, problem.markers
    parts = {part.name: part.residuals for part in problem.residuals(motion, found.y)}
    T = poses(model, motion)
    torques = problem.torques(model, motion, T)
    moved = dict(zip(markers.marker_names, markers.places(found.y), strict=True))
    marked = tuple(replace(m, at=moved[m.name]) if m.name in moved else m for m in model.markers)
    names = number_names(markers)
    off = np.where(markers.seen[..., None], parts["markers"] * markers.sigma, np.nan)
    return IdentifiedDynamics(
        replace(model, markers=marked), motion.q, names, found.y, known.covariance,
        open_words(names, known.open_vectors), held_words(markers), markers.marker_names, off,
        markers.sigma, found.rounds, found.evaluations, found.converged,
        times, motion.v, motion.a, problem.forces.names, torques,
        np.where(problem.seen, torques - problem.forces.values, np.nan), _misfits(problem, parts),
        _quantities(markers, found.y, known), _base(problem, model, motion, found.y, known.covariance),
    )  # fmt: skip


def _misfits(problem: ForceProblem, parts: dict[str, np.ndarray]) -> dict[str, float]:
    """Root mean squares over standard deviations."""
    counts = {"markers": 3 * problem.markers.seen.sum(), "torques": problem.seen.sum()}
    out = {}
    for kind, r in parts.items():
        n = int(counts.get(kind, r.size))
        if n:
            out[kind] = float(np.sqrt(np.sum(r**2) / n))
    return out


def _warn_of_misfits(misfit: dict[str, float]) -> None:
    """Say where residuals are not those of the noise."""
    bad = {kind: round(x, 2) for kind, x in misfit.items() if x > LARGE_MISFIT}
    if bad:
        warn("identify_dynamics: residuals are larger than their standard deviations, and intervals too narrow; "
             f"units, names, spacing or what is unknown may be wrong: {bad} times sigma")  # fmt: skip


def _quantities(markers: MarkerProblem, y: np.ndarray, known: Determined) -> tuple[Quantity, ...]:
    """Physical numbers, with deviations by the chain rule."""
    out, sure, open_ = [], known.covariance, known.left_out
    for k, block in enumerate(markers.blocks):
        if not isinstance(block, PHYSICAL):
            continue
        here = slice(markers.starts[k], markers.starts[k + 1])
        names, values, J = block.physical(markers.part(y, k))
        spread, left = (np.einsum("ij,jk,ik->i", J, C[here, here], J) for C in (sure, open_))
        for name, value, s, o in zip(names, values, spread, left, strict=True):
            alone = bool(o < ALONE * s)
            out.append(Quantity(name, float(value), float(np.sqrt(s)) if alone else np.inf, alone))
    return tuple(out)


def _base(
    problem: ForceProblem, model: Model, motion: Motion, y: np.ndarray, covariance: np.ndarray
) -> tuple[BaseParameter, ...]:
    """Base parameters of the bodies whose whole inertia is unknown."""
    markers = problem.markers
    at = {b.name: k for k, b in enumerate(markers.blocks)}
    bodies = [i for i, b in enumerate(model.bodies) if all(f"{b.name}.{f}" in at for f in INERTIAL)]
    if not bodies:
        return ()
    names = [f"{model.bodies[i].name}.{f}" for i in bodies for f in INERTIAL]
    each = np.eye(model.nv)[problem.forces.rows][None]
    pulled = inverse_dynamics_vjp(model, *(x[:, None] for x in motion), cotangent=each, parameters=names)
    Y = regressor(model, bodies, pulled.parameters)[problem.seen.ravel()]
    rows, written = combinations(Y, [f"{model.bodies[i].name}.{s}" for i in bodies for s in STANDARD])
    slopes = []
    for i in bodies:
        parts = {}
        for f in INERTIAL:
            k = at[f"{model.bodies[i].name}.{f}"]
            block = markers.blocks[k]
            assert isinstance(block, PHYSICAL_INERTIAS)
            parts[f] = block.physical(markers.part(y, k))[2], np.arange(markers.starts[k], markers.starts[k + 1])
        slopes.append(standard_slopes(model, i, parts, len(y)))
    P = rows @ np.concatenate(slopes)
    values, spread = (
        rows @ standard_numbers(model, bodies),
        np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", P, covariance, P), 0)),
    )
    return tuple(BaseParameter(n, float(x), float(s)) for n, x, s in zip(written, values, spread, strict=True))
