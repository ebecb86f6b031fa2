"""`identify`: what is unknown of a model, together with the motion, from raw markers in one least-squares solve."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
from scipy.linalg import null_space

from ..dynamics.derivatives.inverse_derivatives import require_no_followers
from ..errors import BadShape, BadValue, NotSupported, require, unknown_name, warn
from ..model import Marker, Model
from ..model.validate_model import require_model
from ..spatial import hat
from ..spatial.arrays import real_numbers
from ..typing import ArrayLike, Progress
from .arrow_solver import Solution, null_and_range, solve_arrow
from .marker_problem import MarkerProblem
from .measured_motion import positive
from .result import Identified
from .unknowns import Block, Frames, Placement, Scale, block_of

LOSSES = ("squares", "huber")
LARGE_MISFIT = 3.0  # standard deviations
TOO_LARGE = 30.0  # times the size of the model
LARGE = 0.1  # of a direction's square, from which on an unknown is named in it


def identify(
    model: Model,
    markers: Mapping[str, ArrayLike],
    q: ArrayLike,
    *,
    unknown: Iterable[str],
    place_markers: bool = True,
    priors: Mapping[str, float] | None = None,
    sigma: float | None = None,
    loss: str = "squares",
    rounds: int = 60,
    progress: Progress = False,
) -> Identified:
    """Find shapes of joints, placements, sizes and marker places together with the motion, from markers.

    All frames of the motion and everything that they share are unknowns of one least-squares problem, solved by
    Levenberg-Marquardt steps with exact derivatives; the motion of each frame is eliminated, so that a step costs as
    much as the frames and the cube of the shared numbers. The same matrix gives 95 % intervals.

    Parameters
    ----------
    model : Model
        The start, with markers (`model.markers`) on its bodies where they are believed to be.
    markers : mapping of str to array_like, shape (F, 3)
        Measured markers by name [m], in world axes; NaN where not seen.
    q : array_like, shape (F, nq) or (nq,)
        The motion to start from [rad, m], as of `condyle.ik`; one state for all frames if they are near it.
    unknown : iterable of str
        "knee.frames", the control frames of a spline curve, which move across its path; "shank.placement", where a
        joint sits on its parent, a twist; "thigh.scale", how much longer a segment is: the joints that it carries move
        away from its origin.
    place_markers : bool, optional
        Whether marker places are unknown too, but for those of markers with `fixed`.
    priors : mapping of str to float, optional
        Standard deviations of what is known beforehand about the start: of an unknown by its name, or of "markers" [m].
    sigma : float, optional
        Standard deviation of a measured number [m]; by default what the residuals say.
    loss : {"squares", "huber"}, optional
        "huber" lets markers that are more than two standard deviations off count less: `sigma` must be given.
    rounds : int, optional
        The most steps.
    progress : bool or callable, optional
        A function is called with (stage, done, total).

    Returns
    -------
    Identified
        The model, the motion, values with covariance, and what the data leave open, in words.

    Raises
    ------
    UnknownName
        An unknown or a marker that the model does not have.
    NotSupported
        Constraints, followers, periodic curves; a placement together with the scale that moves it.
    BadShape, BadValue
        Markers that do not fit, or are not in metres; fewer measured numbers than unknowns.

    Warns
    -----
    CondyleWarning
        The steps did not converge; or, with squares, markers are off by more than three times `sigma`.

    Examples
    --------
    Where the axis of a hinge is, from three markers on the lower leg:

    >>> import dataclasses
    >>> import condyle as cd
    >>> shank = cd.Inertia.point(3.0, (0, 0, -0.2))
    >>> spots = {"a": (0.05, 0, -0.1), "b": (-0.05, 0.02, -0.2), "c": (0, 0.05, -0.4)}
    >>> start = cd.ModelBuilder().add_body("shank", joint=cd.joints.revolute("y"), inertia=shank).build()
    >>> spotted = tuple(cd.Marker(name, "shank", at, fixed=True) for name, at in spots.items())
    >>> start = dataclasses.replace(start, markers=spotted)
    >>> true = start.with_parameters({"shank.placement": cd.SE3.exp([0.05, 0, -0.04, 0.01, 0.0, -0.02]).as_matrix()})
    >>> q = np.linspace(0.0, 1.2, 30)[:, None]
    >>> poses = cd.forward_kinematics(true, q).as_matrix()[:, 0]
    >>> seen = {name: poses[:, :3, :3] @ at + poses[:, :3, 3] for name, at in spots.items()}
    >>> found = cd.identify(start, seen, [0.5], unknown=["shank.placement"])
    >>> bool(found.rms < 1e-9), len(found.open)  # the turn about the axis is that of the coordinate
    (True, 1)
    """
    require_model(model)
    problem = problem_of(model, markers, unknown, place_markers, dict(priors or {}), sigma)
    require(loss in LOSSES, f"loss must be one of {LOSSES}", BadValue, got=loss)
    require(loss == "squares" or sigma is not None, "loss='huber' needs sigma, what a good marker is off by", BadValue)
    require(int(rounds) >= 1, "rounds must be at least 1", BadValue, got=rounds)
    start = _start(model, q, len(problem.measured))
    require_meters(problem, start)
    found = _result(
        problem, solve_arrow(problem, start, loss, int(rounds), progress if callable(progress) else None), sigma
    )
    expected = np.inf if sigma is None else np.sqrt(3.0) * sigma
    if loss == "squares" and found.rms > LARGE_MISFIT * expected:
        warn(f"identify: markers are off by {1e3 * found.rms:.3g} mm where sigma says {1e3 * expected:.3g} mm, and "
             "intervals are too narrow; names or axes of markers, or what is unknown, may be wrong")  # fmt: skip
    warn_unsettled(found.converged, "identify", int(rounds))
    return found


def warn_unsettled(converged: bool, function: str, rounds: int) -> None:
    """Say that steps ended before a minimum."""
    if not converged:
        warn(f"{function} did not converge in {rounds} steps; start nearer, or look at the data")


def require_meters(problem: MarkerProblem, q: np.ndarray) -> None:
    """Refuse markers that are spread hundreds of times as far as the model's: units are not metres."""
    if len(problem.marker_names) < 2:
        return
    _, _, x = problem.residuals(problem.model, q, np.zeros(problem.size))
    own, seen = (_spread(np.where(problem.seen[..., None], points, np.nan)) for points in (x, problem.measured))
    words = "markers are not of the size of the model; they must be in metres (millimetres are 1000 times too large)"
    good = not (own > 0 and seen > 0) or 1.0 / TOO_LARGE < seen / own < TOO_LARGE
    require(good, words, BadValue, spread=f"{seen:.3g}", model=f"{own:.3g}")


def _spread(points: np.ndarray) -> float:
    """Usual distance of markers from the middle of those of their frame (F, m, 3), NaN left out; 0 if none is seen."""
    whole = np.isfinite(points[..., 0])
    kept = points[whole.sum(axis=1) >= 2]
    if not len(kept):
        return 0.0
    return float(np.sqrt(np.nanmedian((kept - np.nanmean(kept, axis=1, keepdims=True)) ** 2)))


def _start(model: Model, q: ArrayLike, frames: int) -> np.ndarray:
    x = real_numbers(q, "q")
    good = x.shape in ((model.nq,), (frames, model.nq))
    require(good, f"q must have shape ({frames}, {model.nq}) or ({model.nq},)", BadShape, got=x.shape)
    return np.array(np.broadcast_to(x, (frames, model.nq)))


def problem_of(
    model: Model, markers: Mapping[str, ArrayLike], unknown: Iterable[str], placed: bool = True,
    priors: Mapping[str, float] | None = None, sigma: float | None = None,
) -> MarkerProblem:  # fmt: skip
    """What is minimised, checked; arguments as of `identify`."""
    priors = dict(priors or {})
    require(not model.constraints, "identify takes models without constraints", NotSupported)
    require_no_followers(model, "identify")
    names = [unknown] if isinstance(unknown, str) else list(unknown)
    refuse_repeated(names)
    for name, x in priors.items():
        if name not in (*names, "markers"):
            raise unknown_name("unknown", name, [*names, "markers"], "priors of this identification")
        require(positive(x), f"the prior of {name!r} must be a positive number", BadValue, got=x)
    require(sigma is None or positive(sigma), "sigma must be a positive number [m]", BadValue, got=sigma)
    words = "identify needs markers: a mapping of names to (F, 3)"
    require(isinstance(markers, Mapping) and bool(markers), words, BadValue, got=type(markers).__name__)
    blocks = [block_of(model, name, priors.get(name)) for name in names]
    return marker_problem(model, markers, blocks, placed, priors.get("markers"), sigma or 1.0)


def refuse_repeated(names: list[str]) -> None:
    """Refuse what is unknown twice."""
    twice = sorted({str(name) for name in names if names.count(name) > 1})
    require(not twice, "something is unknown twice; name it once", BadValue, got=twice)


def marker_problem(
    model: Model, markers: Mapping[str, ArrayLike], blocks: list[Block], placed: bool, prior: float | None, sigma: float
) -> MarkerProblem:
    """Measured markers, any number of them, and blocks of unknowns."""
    chosen, measured = _chosen(model, markers), _measured(markers)
    bodies = np.array([model.names.index(str(m.body)) for m in chosen], dtype=int)
    at = np.array([m.at for m in chosen], dtype=float).reshape(-1, 3)
    _refuse_twice(blocks)
    free = _free_markers(model, chosen, bodies, blocks) if placed else np.zeros((3 * len(chosen), 0))
    return MarkerProblem(model, tuple(markers), bodies, at, measured, sigma, blocks, free, prior)


def _chosen(model: Model, markers: Mapping[str, ArrayLike]) -> list[Marker]:
    """The model's markers of these names."""
    own = {m.name: m for m in model.markers}
    for name in markers:
        if name not in own:
            raise unknown_name("marker", name, own, "this model")
    chosen = [own[name] for name in markers]
    on_world = [m.name for m in chosen if m.body is None]
    require(not on_world, "identify takes markers of bodies; some are of the world", NotSupported, got=on_world)
    return chosen


def _measured(markers: Mapping[str, ArrayLike]) -> np.ndarray:
    """(F, m, 3)."""
    columns = [real_numbers(x, f"marker {name!r}") for name, x in markers.items()]
    for name, x in zip(markers, columns, strict=True):
        require(x.shape == columns[0].shape and x.ndim == 2 and x.shape[1] == 3,
                f"marker {name!r} must have shape (F, 3), as all markers", BadShape, got=x.shape)  # fmt: skip
    return np.stack(columns, axis=1)


def _refuse_twice(blocks: list[Block]) -> None:
    moved = [name for b in blocks if isinstance(b, (Placement, Scale)) for name in b.changes(np.zeros(b.size))]
    twice = sorted({name for name in moved if moved.count(name) > 1})
    require(not twice, "a placement and the scale that moves it cannot both be unknown", NotSupported, got=twice)


def rigid_clusters(model: Model, blocks: list[Block]) -> list[int]:
    """Bodies whose markers as a whole say nothing: what carries them, and what they carry, can move along.

    Those with a free joint or with unknown control frames, all of whose joints have unknown placements or frames.
    """
    loose = {b.body for b in blocks if isinstance(b, (Placement, Frames))}
    bent = {b.body for b in blocks if isinstance(b, Frames)}
    found = []
    for i, body in enumerate(model.bodies):
        children = [j for j, b in enumerate(model.bodies) if b.parent == i]
        floating = body.joint.nv == 6 and body.parent < 0
        if (floating or i in bent) and all(j in loose for j in children):
            found.append(i)
    return found


def _free_markers(model: Model, chosen: list[Marker], bodies: np.ndarray, blocks: list[Block]) -> np.ndarray:
    """How marker places may move (3 m, k): those that are fixed do not, and clusters not as a whole."""
    held = [np.zeros((0, 3 * len(chosen)))]
    rows = np.arange(3 * len(chosen)).reshape(-1, 3)
    for k, marker in enumerate(chosen):
        if marker.fixed:
            held.append(np.eye(3 * len(chosen))[rows[k]])
    for i in rigid_clusters(model, blocks):
        own = np.flatnonzero(bodies == i)
        if len(own) and not any(chosen[k].fixed for k in own):
            whole = np.zeros((6, 3 * len(chosen)))
            for k in own:
                whole[:3, rows[k]], whole[3:, rows[k]] = hat(np.asarray(chosen[k].at)), np.eye(3)
            held.append(whole)
    return null_space(np.concatenate(held)) if len(held) > 1 else np.eye(3 * len(chosen))


def _result(problem: MarkerProblem, found: Solution, sigma: float | None) -> Identified:
    values, vectors, null = null_and_range(found.schur)
    model, places = problem.model_at(found.y), problem.places(found.y)
    r, _, _ = problem.residuals(model, found.q, found.y)
    r = np.where(problem.seen[..., None], r * problem.sigma, np.nan)
    count = 3 * int(problem.seen.sum())
    freedom = count - found.q.shape[0] * problem.model.nv - len(values)
    words = "identify: there are fewer measured numbers than unknowns; give more frames or markers"
    require(freedom > 0, words, BadValue, measured=count, unknowns=count - freedom)
    estimated = float(np.sqrt(np.nansum(r**2) / freedom))
    scale = 1.0 if sigma is not None else (estimated / problem.sigma) ** 2
    covariance = scale * (vectors / values) @ vectors.T
    moved = dict(zip(problem.marker_names, places, strict=True))
    marked = tuple(replace(m, at=moved[m.name]) if m.name in moved else m for m in model.markers)
    names = number_names(problem)
    return Identified(
        replace(model, markers=marked), found.q, names, found.y, covariance, open_words(names, null),
        held_words(problem), problem.marker_names, r, sigma or estimated, found.rounds,
        found.evaluations, found.converged,
    )  # fmt: skip


def number_names(problem: MarkerProblem) -> tuple[str, ...]:
    """A name for each shared number."""
    sizes = [*((b.name, b.size) for b in problem.blocks), ("markers", problem.free.shape[1])]
    return tuple(f"{name}[{k}]" for name, size in sizes for k in range(size))


def open_words(names: tuple[str, ...], null: np.ndarray) -> tuple[str, ...]:
    """Directions that nothing determines, by the unknowns that take part in them."""
    out = []
    for direction in null.T:
        shares: dict[str, float] = {}
        for name, x in zip(names, direction, strict=True):
            owner = name.rpartition("[")[0]
            shares[owner] = shares.get(owner, 0.0) + float(x) ** 2
        out.append(" with ".join(sorted(n for n, share in shares.items() if share > LARGE)))
    return tuple(out)


def held_words(problem: MarkerProblem) -> tuple[str, ...]:
    """What keeps coordinates and frames from losing their meaning."""
    out = [f"{b.name} do not move along the path, which would change what the coordinate means ({len(b.start)} numbers)"
           for b in problem.blocks if isinstance(b, Frames)]  # fmt: skip
    if problem.free.shape[1]:
        names = [problem.model.bodies[i].name for i in rigid_clusters(problem.model, problem.blocks)]
        out += [
            f"the markers of {name!r} do not move as a whole: its frame goes with them (6 numbers)" for name in names
        ]
    return tuple(out)
