"""`fit_surface`: a joint of several freedoms from scattered poses, in the SE(3) metric.

The paper leaves this for future work. Six spline functions φ_k drive six basis twists; the start fits each φ_k by
itself to the poses' translations and angles, then Gauss-Newton minimises Σ ρ(w |C log(G(q_i)⁻¹ G_i)|²).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

import numpy as np

from ..deprecation import renamed_arguments
from ..errors import BadCoordinates, BadShape, NotSupported, require
from ..formats.journal import journal_in
from ..progress import reporting
from ..spatial import Inertia
from ..typing import ArrayLike, PathLike, Progress
from .curve_options import check_smoothing
from .noise_of_neighbours import contradicted
from .pose_data import PoseData, pose_data, require_enough, require_motion, warn_if_millimeters
from .problem.metric import metric_factor
from .problem.surface_form import chosen_form
from .problem.surface_problem import SurfaceProblem, coordinate_wise, surface_knots, surface_problem
from .solve.cross_validation import best_smoothed
from .solve.loss import Loss, loss_named
from .solve.robust_reweighting import minimize_robustly
from .surface_estimate import estimated_coordinates
from .surface_result import SurfaceFit

MOST_COORDINATES = 4  # what a joint's functions can read
TRUSTED = 0.85  # share of the poses that choose the form where the loss expects outliers
MOST_POINTS = 2000  # control points; the normal equations of so many take 1.2 GB


@renamed_arguments(watch="progress")
def fit_surface(
    poses: ArrayLike,
    coordinates: ArrayLike | str | None = None,
    shape: int | tuple[int, ...] = (8, 8),
    order: int = 4,
    smoothing: float | str = 0.0,
    *,
    metric: float | Inertia | ArrayLike = 1.0,
    weights: ArrayLike | None = None,
    loss: str = "squares",
    loss_scale: float | None = None,
    domain: Sequence[tuple[float, float]] | None = None,
    tolerance: float = 1e-9,
    iterations: int = 50,
    names: Sequence[str] | None = None,
    twists: str = "auto",
    progress: Progress = False,
    record_to: PathLike | None = None,
    resume: bool = False,
) -> SurfaceFit:
    """Fit a spline surface joint of two to four coordinates to scattered poses.

    Minimises Σ ρ(w |C log(G(q_i)⁻¹ G_i)|²) plus smoothing over the control points.

    Parameters
    ----------
    poses : SE3 or array, shape (N, 4, 4)
        Measured poses of the child in the parent [m]; NaN marks a missing rotation, position or pose.
    coordinates : array, shape (N, n), optional
        The joint's coordinates at each pose, in any order. None estimates them with the surface: the coordinates of a
        pose are then the principal components of its nearest pose of the surface, in the metric's radians. That takes
        whole poses within half a turn of their middle.
    shape : tuple of int
        Control points along each coordinate; at most 2,000 in all.
    order : int
        Spline order, 4 (cubic) or more.
    smoothing : float or "auto"
        Weight of the squared second differences of the control points, measured by the metric. "auto" takes the weight
        of least leave-one-out error whose misfit the noise explains. A trace always stays, so that places without data
        continue their neighbours.
    metric : float, Inertia or array, shape (6, 6)
        A length [m] that counts like one radian, or how twists are measured.
    weights : array, shape (N,), optional
        Weight of each pose.
    loss, loss_scale
        "squares", or "huber", "cauchy", "geman" against outliers, as for `fit_curve`.
    domain : sequence of (low, high), optional
        Range of each given coordinate; default that of the data.
    tolerance : float
        Largest step [rad, m] at which the iteration ends.
    iterations : int
        Most iterations.
    names : sequence of str, optional
        Names of the coordinates; default q0, q1, …
    twists : str
        The form of the surface. "xyz" is the paper's: three translations, then turns about x, y and z, singular
        where the second is ±90°; "yzx", "zxy", "xzy", "yxz", "zyx" are other orders. "moving": spline curves of single
        coordinates carry the surface along, and the turns are only what it adds to them. "auto" takes "xyz" while the
        second turn stays within 60° of the data's middle, else an order in which it does, else "moving";
        `fit.twists` says which, `fit.reason` why.
    progress : bool or callable, optional
        True shows bars in a terminal; a function is called with (stage, done, total).
    record_to : str or Path, optional
        A folder that keeps descents as they end, and every few seconds the one under way.
    resume : bool, optional
        Go on with the fit that was begun in `record_to` with the same arguments, if there is one: what is there is not
        computed again, and the answer is bit by bit that of an undisturbed fit.

    Returns
    -------
    SurfaceFit
        The joint (`fit.joint`), its residuals, tests and advice.

    Raises
    ------
    BadShape, BadCoordinates, TooFewPoses, NotSupported, UnknownName
        For input that makes no surface; the message names the rows or the coordinate.
    BadFile
        If the folder `record_to` cannot be written or has another fit.

    Examples
    --------
    >>> import condyle as cd
    >>> q = np.random.default_rng(0).uniform(-0.5, 0.5, (200, 2))
    >>> poses = cd.joints.universal("x", "y").pose(q)
    >>> fit = cd.design.fit_surface(poses, q, shape=(5, 5))
    >>> fit.converged, bool(fit.angle_errors.max() < 0.05)  # [deg]
    (True, True)
    """
    data, shape, C = pose_data(poses, weights, "fit_surface"), surface_shape(shape, order), metric_factor(metric)
    require_enough(data, 4, "fit_surface")
    require_motion(data, "fit_surface")
    warn_if_millimeters(data, C, "fit_surface")
    check_smoothing(smoothing, "fit_surface")
    names, by_name = surface_names(names, len(shape)), loss_named(loss, loss_scale)
    if coordinates is None:
        require(domain is None, "fit_surface: a domain belongs to given coordinates", BadCoordinates, domain=domain)
    else:
        coordinates = surface_coordinates(coordinates, data, len(shape))
    asked = (shape, order, smoothing, C, loss, loss_scale, np.asarray(domain), tolerance, iterations)
    inputs = {"poses": (data.poses, data.weights), "coordinates": coordinates, "options": asked}
    with journal_in(record_to, resume, "fit_surface", inputs), reporting(progress) as report:
        estimated = coordinates is None
        q = estimated_coordinates(data, shape, order, C, by_name, report) if coordinates is None else coordinates
        knots = surface_knots(surface_domain(domain, q), shape, order)
        form = chosen_form(data, q, knots, order, twists, 1.0 if type(by_name) is Loss else TRUSTED)
        problem = surface_problem(data, q, knots, order, shape, C, form).changed(watch=report)
        fit = _fit_with(problem, by_name, tolerance, iterations, (order, shape, knots, names, estimated))
        return best_smoothed(fit, problem.stiffest, report) if isinstance(smoothing, str) else fit(float(smoothing))


def _fit_with(
    problem: SurfaceProblem, loss: Loss, tolerance: float, iterations: int, spline: tuple
) -> Callable[..., SurfaceFit]:
    """A fit as a function of the weight of smoothing, and of a fit to start from."""
    order, shape, knots, names, estimated = spline

    def fit(weight: float, near: SurfaceFit | None = None) -> SurfaceFit:
        asked = problem.changed(smoothing=weight)
        start = near.x if near else coordinate_wise(asked)
        solved, found = minimize_robustly(asked, start, loss, tolerance, iterations, near is not None)
        good = found.converged and not contradicted(solved, found.x)
        return SurfaceFit(found.x, order, found.costs, good, solved, shape, knots, names, estimated)

    return fit


def surface_shape(shape, order: int) -> tuple[int, ...]:
    """Control points along each of two or more coordinates, enough for the order."""
    shape = tuple(int(n) for n in np.atleast_1d(shape))
    expected = "fit_surface: 2 to 4 coordinates, each with its number of control points (one coordinate: fit_curve)"
    require(2 <= len(shape) <= MOST_COORDINATES, expected, BadShape, shape=shape)
    expected = f"fit_surface: at most {MOST_POINTS} control points in all; ask for fewer along each coordinate"
    require(0 < prod(shape) <= MOST_POINTS, expected, NotSupported, shape=shape, points=prod(shape))
    require(order >= 4, "fit_surface: order 4 or more, else accelerations would jump", order=order)
    require(min(shape) >= order, f"fit_surface: order {order} needs {order} control points each way", shape=shape)
    return shape


def surface_names(names, n: int) -> tuple[str, ...]:
    """One for each coordinate."""
    names = tuple(f"q{c}" for c in range(n)) if names is None else tuple(names)
    require(len(names) == n, f"fit_surface: {n} coordinates need as many names", BadShape, names=names)
    return names


def surface_coordinates(q, data: PoseData, n: int) -> np.ndarray:
    """Finite coordinates of the usable poses, (N, n)."""
    q = np.asarray(q, float)
    expected = f"fit_surface: coordinates need shape ({data.count}, {n}), one column for each entry of `shape`"
    require(q.shape == (data.count, n), expected, BadShape, shape=q.shape)
    q = q[data.rows]
    bad = data.rows[~np.isfinite(q).all(axis=1)]
    require(len(bad) == 0, "fit_surface: a pose needs finite coordinates", BadCoordinates, rows=bad[:5].tolist())
    return q


def surface_domain(domain, q: np.ndarray) -> list[tuple[float, float]]:
    """(low, high) for each coordinate, holding all data."""
    box = list(zip(q.min(axis=0), q.max(axis=0), strict=True)) if domain is None else [tuple(b) for b in domain]
    n = q.shape[1]
    require(len(box) == n, f"fit_surface: {n} coordinates need as many domains (low, high)", BadShape, domain=domain)
    for c, (low, high) in enumerate(box):
        require(high > low, f"fit_surface: coordinate {c} does not vary", BadCoordinates, low=low, high=high)
        good = q[:, c].min() >= low and q[:, c].max() <= high
        require(good, f"fit_surface: coordinate {c} has data outside its domain", BadCoordinates, domain=(low, high))
    return box
