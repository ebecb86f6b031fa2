"""`fit_curve`: a one-freedom joint from measured poses.  [LeeTerzopoulos2008, section 6]"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..deprecation import renamed_arguments
from ..errors import BadCoordinates, NeedsMoreFrames, NotSupported, require, warn
from ..formats.journal import journal_in
from ..joints.kinds.spline_curve import control_twists
from ..progress import reporting
from ..spatial import Inertia
from ..splines import cumulative_pieces, greville
from ..typing import ArrayLike, PathLike, Progress
from .coordinate_estimation import minimize_with_coordinates
from .curve_options import CurveOptions, starting_coordinates
from .curve_result import CurveFit
from .knot_placement import Layout, choose_knots
from .lee_terzopoulos import iterate_as_printed
from .noise_of_neighbours import contradicted
from .pose_data import (
    PoseData,
    distinct_coordinates,
    pose_data,
    repeated_rows,
    require_enough,
    require_motion,
    warn_if_millimeters,
)
from .pose_interpolation import geodesic_frames, interpolated, require_near_frames, surplus_counts
from .problem.curve_problem import CurveProblem, stiffest_weight
from .problem.metric import NOISE, SUPPOSED_LENGTH, metric_factor, noise_length
from .solve.cross_validation import best_smoothed
from .solve.levenberg_marquardt import Descent, minimize
from .solve.loss import Loss, loss_named
from .solve.robust_reweighting import minimize_robustly


@renamed_arguments(watch="progress")
def fit_curve(
    poses: ArrayLike,
    coordinates: ArrayLike | str | None = None,
    frames: int | str = 12,
    order: int = 4,
    smoothing: float | str = 0.0,
    *,
    penalty: str = "hessian",
    metric: float | str | Inertia | ArrayLike = 1.0,
    weights: ArrayLike | None = None,
    loss: str = "squares",
    loss_scale: float | None = None,
    knots: ArrayLike | None = None,
    ends: str = "clamped",
    period: tuple[float, float] | None = None,
    method: str = "gauss-newton",
    tolerance: float = 1e-10,
    iterations: int = 100,
    name: str = "q",
    progress: Progress = False,
    record_to: PathLike | None = None,
    resume: bool = False,
) -> CurveFit:
    """Fit a spline curve joint, of one coordinate, to poses.

    Minimises Σ ρ(w |C log(G(q_i)⁻¹ G_i)|²) plus smoothing over the control frames.

    Parameters
    ----------
    poses : SE3 or array, shape (N, 4, 4)
        Measured poses of the child in the parent [m], in the order of time if they are a recording; NaN marks a missing
        rotation, position or pose.
    coordinates : array, shape (N,), or "uniform" or "chord", optional
        The joint's coordinate at each pose. It may fall, jitter and repeat, as in a recording of several cycles.
        "uniform": equal steps from row to row; "chord": the distance along the poses. None estimates coordinates on
        [0, 1] that rise from row to row together with the frames, starting from "chord" (with a touch of smoothing).
    frames : int or "interpolate"
        How many control frames. As many as poses or more pass through all poses (more: the least bent such curve),
        "interpolate" finds how many are needed for that.
    order : int
        Spline order, 4 (cubic) or more.
    smoothing : float or "auto"
        Weight of the bending. "auto" takes the weight of least leave-one-out error among those whose misfit the
        noise of the poses explains.
    penalty : "hessian" or "curvature"
        The bending: ∫|dS/dq|² dq, or its parameterisation-free form.
    metric : float, "noise", Inertia or array, shape (6, 6)
        A length [m] that counts like one radian, or how twists are measured. "noise" is the length at which the
        residuals of rotations and of positions weigh alike, from a first fit with 0.1 m: with smoothing, the most exact
        for poses whose noise is independent from pose to pose. It takes twice as long.
    weights : array, shape (N,), optional
        Weight of each pose.
    loss : "squares", "huber", "cauchy" or "geman"
        The last three bound the influence of outliers.
    loss_scale : float, optional
        Scale of the loss in units of the residual; default from the median residual.
    knots : array, "uniform" or "data", optional
        All knots, or a rule ("data" follows the poses); default whichever gives every frame data.
    ends : "clamped", "open" or "periodic"
        Ends of the curve.
    period : (float, float), optional
        Range (low, high) of the coordinate of a periodic curve.
    method : "gauss-newton" or "paper"
        "paper" is the printed iteration.
    tolerance : float
        Largest step [rad, m] at which the iteration ends.
    iterations : int
        Most iterations.
    name : str
        Name of the coordinate.
    progress : bool or callable, optional
        True shows bars in a terminal; a function is called with (stage, done, total).
    record_to : str or Path, optional
        A folder that keeps descents as they end, and every few seconds the one under way.
    resume : bool, optional
        Go on with the fit that was begun in `record_to` with the same arguments, if there is one: what is there is not
        computed again, and the answer is bit by bit that of an undisturbed fit.

    Returns
    -------
    CurveFit
        The joint (`fit.joint`), its residuals, tests and advice.

    Raises
    ------
    BadShape, BadCoordinates, TooFewPoses, NotSupported
        For input that makes no curve; the message names the rows.
    NeedsMoreFrames
        If neighbouring control frames would have to be more than 2.5 rad apart.
    BadFile
        If the folder `record_to` cannot be written or has another fit.

    Examples
    --------
    Poses on a quarter of a circle, and the joint that passes through them:

    >>> import condyle as cd
    >>> angles = np.linspace(0.0, np.pi / 2, 30)
    >>> poses = cd.joints.revolute("z", point=(1, 0, 0)).pose(angles[:, None])
    >>> fit = cd.design.fit_curve(poses, angles, frames=6)
    >>> fit.converged, bool(fit.distance_errors.max() < 0.01)  # [mm]
    (True, True)
    >>> fit.joint.pose([np.pi / 4]).xyz.round(3)
    array([ 0.293, -0.707,  0.   ])
    """
    how = frames, order, smoothing, penalty, metric, loss, loss_scale
    options = CurveOptions(*how, knots, ends, period, method, tolerance, iterations, name)
    data = pose_data(poses, weights, "fit_curve")
    require_enough(data, 2 if ends != "periodic" else 3, "fit_curve")
    require_motion(data, "fit_curve")
    by_noise = isinstance(metric, str) and metric == NOISE
    options = replace(options, metric=SUPPOSED_LENGTH if by_noise else metric)
    C = metric_factor(options.metric)
    warn_if_millimeters(data, C, "fit_curve")
    data, q, estimated = starting_coordinates(coordinates, data, options.metric)
    asked = vars(replace(options.checked(), metric=NOISE if by_noise else C))
    said = tuple(np.asarray(x) if isinstance(x, (list, tuple)) else x for key, x in asked.items() if key != "watch")
    inputs = {"poses": (data.poses, data.weights), "coordinates": (q, estimated), "options": said}
    with journal_in(record_to, resume, "fit_curve", inputs), reporting(progress) as report:
        options = replace(options, watch=report)
        first = fitted(data, q, estimated, options)
        return fitted(data, q, estimated, replace(options, metric=length_of(first))) if by_noise else first


def length_of(fit: CurveFit) -> float:
    """The length at which what a fit leaves of rotations and positions weighs alike [m]."""
    r, data = fit.usable_residuals, fit.data
    return noise_length(r[data.turned, :3], r[data.placed, 3:])


def fitted(
    data: PoseData, q: np.ndarray, estimated: bool, options: CurveOptions, near: CurveFit | None = None
) -> CurveFit:
    """By the way that the options ask for; from the frames of a fit that is near, if there is one."""
    if options.smoothing == "auto":
        return automatic(data, q, estimated, options)
    if options.frames == "interpolate":
        return interpolation(data, q, options)
    problem, layout, start = curve_problem(int(options.frames), data, q, options)
    if exact_wanted(problem, estimated, options):
        _warn_of_surplus(problem)
        return as_fit(problem, layout, interpolated(problem, start), options)
    require_determined(problem)
    problem, found = solved(problem, near.x if near else start, estimated, options, near is not None)
    require_near_frames(problem, found.x)
    return as_fit(problem, layout, found, options)


def automatic(data: PoseData, q: np.ndarray, estimated: bool, options: CurveOptions) -> CurveFit:
    """With the smoothing of least leave-one-out error; estimated coordinates start anew for each weight."""

    def fit(weight: float, near: CurveFit | None) -> CurveFit:
        return fitted(data, q, estimated, replace(options, smoothing=weight), None if estimated else near)

    return best_smoothed(fit, stiffest_weight(data.weights, np.ptp(q)), options.watch)


def curve_problem(count: int, data: PoseData, q: np.ndarray, options: CurveOptions):
    """The problem, its layout and its start for a number of control frames."""
    layout = choose_knots(count, distinct_coordinates(q), options.order, options.ends, options.period, options.knots)
    basis, C = cumulative_pieces(layout.full, options.order), metric_factor(options.metric)
    smoothing = float(options.smoothing)
    problem = CurveProblem(
        data=data,
        q=q,
        C=C,
        count=count,
        smoothing=smoothing,
        watch=options.watch,
        basis=basis,
        periodic=layout.periodic,
        penalty=options.penalty,
    )
    at = greville(layout.full, options.order)[:count]
    if layout.periodic:
        low, high = basis.breaks[0], basis.breaks[-1]
        return problem, layout, periodic_start(data, q, low + (at - low) % (high - low), high - low)
    return problem, layout, geodesic_frames(q, data.poses, at, data.turned, data.placed)


def periodic_start(data: PoseData, q: np.ndarray, at: np.ndarray, period: float) -> np.ndarray:
    """Frames between the poses, with the last pose repeated before the first and the first after the last."""
    around = np.concatenate([[-1], np.arange(len(q)), [0]])
    turn = np.concatenate([[-period], np.zeros(len(q)), [period]])
    parts = (a[around] for a in (data.poses, data.turned, data.placed))
    poses, turned, placed = parts
    return geodesic_frames(q[around] + turn, poses, at, turned, placed)


def exact_wanted(problem: CurveProblem, estimated: bool, options: CurveOptions) -> bool:
    """Whether the frames suffice to meet every pose and nothing speaks against it."""
    enough = problem.count >= len(problem.data) == problem.distinct and problem.data.whole
    other = problem.smoothing or problem.periodic or options.loss != "squares" or options.method == "paper"
    return enough and not estimated and not other


def _warn_of_surplus(problem: CurveProblem) -> None:
    """Say that the poses alone do not determine the curve."""
    if problem.count > problem.distinct:
        warn(
            f"fit_curve: {problem.count} control frames for {problem.distinct} poses: many curves meet them all, and "
            "the one that bends least is taken. Between the poses it is a guess; ask for fewer frames, or for some "
            "smoothing."
        )


def require_determined(problem: CurveProblem) -> None:
    """More frames than coordinates without smoothing has no single answer."""
    if problem.smoothing == 0.0 and problem.count > problem.distinct:
        shared = f" at {problem.distinct} different coordinates" * (problem.distinct < len(problem.data))
        raise NotSupported(
            f"fit_curve: {problem.count} control frames for {len(problem.data)} poses{shared} "
            "have no single answer here. Ask for fewer frames, or for some smoothing."
        )


def solved(problem: CurveProblem, start: np.ndarray, estimated: bool, options: CurveOptions, near: bool = False):
    """The problem as it was finally solved, and the descent."""
    loss, tolerance, most = loss_named(options.loss, options.loss_scale), options.tolerance, options.iterations
    if options.method == "paper":
        return problem, iterate_as_printed(problem, start, tolerance, most)
    if not estimated:
        return minimize_robustly(problem, start, loss, tolerance, most, near)
    first = minimize(problem, start, 1e-3, most)
    problem, found = minimize_with_coordinates(with_smoothing_floor(problem, first.x), first.x, most=most)
    return (problem, found) if type(loss) is Loss else minimize_robustly(problem, found.x, loss, tolerance, most)


def with_smoothing_floor(problem: CurveProblem, frames: np.ndarray) -> CurveProblem:
    """A touch of smoothing where none was asked for: free coordinates let a curve stall and hurry at no cost."""
    if problem.smoothing:
        return problem
    weight = max(1e-3 * problem.misfit(frames), 1e-14) / max(problem.bending(frames), 1e-14)
    return problem.changed(smoothing=weight)


def interpolation(data: PoseData, q: np.ndarray, options: CurveOptions) -> CurveFit:
    """The first number of frames that meets all poses with neighbouring frames near enough."""
    require(data.whole, "fit_curve: interpolation needs whole poses")
    if len(rows := repeated_rows(q, data)):
        raise BadCoordinates(
            f"fit_curve: rows {rows[0]} and {rows[1]} have the same coordinate, and a curve cannot pass through both. "
            "Average them, or ask for a number of frames instead of frames='interpolate'."
        )
    widest = float(np.linalg.norm(control_twists(data.poses)[:, :3], axis=1).max())
    *counts, last = surplus_counts(len(data), options.order, widest)
    for count in counts:
        try:
            return interpolation_with(count, data, q, options)
        except NeedsMoreFrames:
            continue
    return interpolation_with(last, data, q, options)


def interpolation_with(count: int, data: PoseData, q: np.ndarray, options: CurveOptions) -> CurveFit:
    """Through all poses with so many frames, or NeedsMoreFrames."""
    problem, layout, start = curve_problem(count, data, q, options)
    return as_fit(problem, layout, interpolated(problem, start), options)


def as_fit(problem: CurveProblem, layout: Layout, found: Descent, options: CurveOptions) -> CurveFit:
    """The answer in the user's words."""
    good = found.converged and not contradicted(problem, found.x)
    return CurveFit(found.x, layout.order, found.costs, good, problem, layout.given, options.name)
