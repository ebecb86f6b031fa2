"""`fit_curve`: a one-freedom joint from measured poses.  [LeeTerzopoulos2008, section 6]"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import BadCoordinates, NeedsMoreFrames, NotSupported, require, unknown_name
from ..joints.spline_curve import control_twists
from ..splines import cumulative_pieces, greville, periodic_knots, validated_knots
from .data import PoseData, pose_data, require_enough, sorted_coordinates
from .estimate import minimise_with_coordinates
from .interpolate import interpolated, require_near_frames, surplus_counts
from .levenberg import Descent, minimise
from .loss import Loss, loss_named
from .metric import metric_factor
from .paper import iterate_as_printed
from .parameters import chord_coordinates, data_knots, open_knots, uniform_coordinates, uniform_knots
from .problem import CurveProblem
from .result import CurveFit
from .smoothness import PENALTIES
from .start import geodesic_frames

__all__ = ["fit_curve"]

METHODS = ("gauss-newton", "paper")
ENDS = ("clamped", "open", "periodic")


@dataclass(frozen=True)
class Layout:
    """Where the control frames act: full knots, and those that `spline_curve` takes."""

    full: np.ndarray
    given: np.ndarray
    count: int
    order: int
    ends: str

    @property
    def periodic(self) -> bool:
        return self.ends == "periodic"


def fit_curve(
    poses,
    coordinates=None,
    frames: int | str = 12,
    order: int = 4,
    smoothing: float | str = 0.0,
    *,
    penalty: str = "hessian",
    metric=1.0,
    weights=None,
    loss: str = "squares",
    loss_scale: float | None = None,
    knots=None,
    ends: str = "clamped",
    period: tuple[float, float] | None = None,
    method: str = "gauss-newton",
    tolerance: float = 1e-10,
    iterations: int = 100,
    name: str = "q",
) -> CurveFit:
    """The spline curve joint nearest to poses (N, 4, 4): least squares of log(G(q_i)⁻¹ G_i) over its control frames.

    `coordinates`: rising numbers, one for each pose; "uniform" or "chord" (distance along the poses); None estimates
    them with the frames, starting from "chord" on [0, 1] (with a touch of smoothing). `frames`: how many; as many as poses or more interpolate
    (more: the least bent such curve), "interpolate" finds how many are needed. `smoothing`: weight of ∫|dS/dq|² dq
    (`penalty="hessian"`) or of its parameterisation-free form ("curvature"); "auto" chooses it by cross-validation.
    `metric`: metres that count like a radian, an `Inertia`, or a 6x6 matrix. NaN marks a missing rotation, position or
    pose. `loss`: "squares", or "huber", "cauchy", "geman" against outliers, with `loss_scale` in units of the residual
    (None: from the median). `knots`: all of them, "uniform", "data" (follow the poses) or None to choose. `ends`:
    "clamped", "open", or "periodic" with `period` = (low, high). `method="paper"` is the printed iteration.
    """
    check_options(order, penalty, ends, method, smoothing)
    data = pose_data(poses, weights, "fit_curve")
    require_enough(data, 2 if ends != "periodic" else 3, "fit_curve")
    q, estimated = starting_coordinates(coordinates, data, metric)
    if smoothing == "auto":
        from .validation import fit_with_best_smoothing

        options = {
            "frames": frames,
            "order": order,
            "penalty": penalty,
            "metric": metric,
            "weights": weights,
            "loss": loss,
        }
        options |= {
            "loss_scale": loss_scale,
            "knots": knots,
            "ends": ends,
            "period": period,
            "tolerance": tolerance,
            "name": name,
        }
        return fit_with_best_smoothing(poses, coordinates, iterations=iterations, **options)
    setup = (data, q, order, metric, ends, period, knots, float(smoothing), penalty, name)
    if frames == "interpolate":
        return interpolation(setup)
    require(isinstance(frames, (int, np.integer)), "fit_curve: frames is a number or 'interpolate'", frames=frames)
    problem, layout, start = posed(int(frames), *setup[:-1])
    if exact_wanted(problem, estimated, loss, method):
        return as_fit(problem, layout, interpolated(problem, start), name)
    require_determined(problem)
    problem, found = solved(problem, start, estimated, loss_named(loss, loss_scale), method, tolerance, iterations)
    require_near_frames(problem, found.frames)
    return as_fit(problem, layout, found, name)


def check_options(order: int, penalty: str, ends: str, method: str, smoothing) -> None:
    """Words that must be known, numbers that must make sense."""
    require(order >= 4, "fit_curve: order 4 or more, else accelerations would jump", order=order)
    for kind, word, known in (("penalty", penalty, PENALTIES), ("ends", ends, ENDS), ("method", method, METHODS)):
        if word not in known:
            raise unknown_name(kind, word, known, "fit_curve")
    if smoothing != "auto":
        good = isinstance(smoothing, (int, float, np.number)) and smoothing >= 0
        require(good, "fit_curve: smoothing is a weight ≥ 0, or 'auto'", smoothing=smoothing)
    if method == "paper" and smoothing:
        raise NotSupported("fit_curve: the printed iteration is offered without smoothing; use method='gauss-newton'.")


def starting_coordinates(coordinates, data: PoseData, metric) -> tuple[np.ndarray, bool]:
    """Coordinates of the usable poses, and whether they are only a start."""
    if coordinates is None or isinstance(coordinates, str):
        if coordinates not in (None, "chord", "uniform"):
            raise unknown_name("rule for coordinates", coordinates, ("chord", "uniform"), "fit_curve")
        if coordinates == "uniform":
            return uniform_coordinates(len(data)), False
        require(data.whole, "fit_curve: poses with missing parts need coordinates", BadCoordinates)
        q = chord_coordinates(data.poses, metric)
        return (q, False) if coordinates == "chord" else (q / q[-1], True)
    return sorted_coordinates(coordinates, data, "fit_curve"), False


def posed(count: int, data, q, order, metric, ends, period, knots, smoothing, penalty):
    """The problem, its layout and its start for a number of control frames."""
    layout = laid_out(count, q, order, ends, period, knots)
    basis = cumulative_pieces(layout.full, order)
    problem = CurveProblem(data, q, basis, count, metric_factor(metric), layout.periodic, smoothing, penalty)
    at = greville(layout.full, order)[:count]
    if layout.periodic:
        low, high = basis.breaks[0], basis.breaks[-1]
        start = periodic_start(data, q, low + (at - low) % (high - low), high - low)
    else:
        start = geodesic_frames(q, data.poses, at, data.turned, data.placed)
    return problem, layout, start


def periodic_start(data: PoseData, q: np.ndarray, at: np.ndarray, period: float) -> np.ndarray:
    """Frames between the poses, with the last pose repeated before the first and the first after the last."""
    around = np.concatenate([[-1], np.arange(len(q)), [0]])
    turn = np.concatenate([[-period], np.zeros(len(q)), [period]])
    parts = (a[around] for a in (data.poses, data.turned, data.placed))
    poses, turned, placed = parts
    return geodesic_frames(q[around] + turn, poses, at, turned, placed)


def laid_out(count: int, q: np.ndarray, order: int, ends: str, period, knots) -> Layout:
    """Knots as asked for."""
    least = 3 if ends == "periodic" else order
    require(count >= least, f"fit_curve: order {order} needs at least {least} control frames", frames=count)
    if ends == "periodic":
        require(period is not None and period[1] > period[0], "fit_curve: say the period (low, high)", period=period)
        good = q[0] >= period[0] and q[-1] < period[1]
        require(good, "fit_curve: coordinates must lie in one period [low, high)", BadCoordinates, period=period)
        breaks = np.linspace(*period, count + 1) if knots is None else np.asarray(knots, float)
        return Layout(periodic_knots(breaks, order), breaks, count, order, ends)
    full = chosen_knots(count, q, order, ends, knots)
    return Layout(full, full, count, order, ends)


def chosen_knots(count: int, q: np.ndarray, order: int, ends: str, knots) -> np.ndarray:
    """Given knots, or uniform ones where every frame gets data by them, else knots that follow the data."""
    if knots is not None and not isinstance(knots, str):
        return validated_knots(knots, count, order, "fit_curve")
    if knots not in (None, "uniform", "data"):
        raise unknown_name("rule for knots", knots, ("uniform", "data"), "fit_curve")
    if ends == "open":
        return open_knots(q, count, order)
    even = uniform_knots(q, count, order)
    if knots == "uniform" or (knots is None and count < len(q) and every_frame_has_data(even, q, order)):
        return even
    return data_knots(q, count, order)


def every_frame_has_data(knots: np.ndarray, q: np.ndarray, order: int) -> bool:
    """Schoenberg and Whitney: distinct coordinates q_i with t_j < q_i < t_{j+k} can be found for all j (greedily)."""
    i = 0
    for j in range(len(knots) - order):
        ends = j in (0, len(knots) - order - 1)
        while i < len(q) and not (q[i] > knots[j] or (ends and q[i] >= knots[j])):
            i += 1
        if i == len(q) or not (q[i] < knots[j + order] or (ends and q[i] <= knots[j + order])):
            return False
        i += 1
    return True


def exact_wanted(problem: CurveProblem, estimated: bool, loss: str, method: str) -> bool:
    """Whether the frames suffice to meet every pose and nothing speaks against it."""
    enough = problem.count >= len(problem.data) and problem.data.whole
    return enough and not (problem.smoothing or estimated or problem.periodic or loss != "squares" or method == "paper")


def require_determined(problem: CurveProblem) -> None:
    """More frames than data without smoothing has no single answer."""
    if problem.smoothing == 0.0 and problem.count > len(problem.data):
        raise NotSupported(
            f"fit_curve: {problem.count} control frames for {len(problem.data)} poses have no single answer here. "
            "Ask for fewer frames, or for some smoothing."
        )


def solved(problem, start, estimated: bool, loss: Loss, method: str, tolerance: float, most: int):
    """The problem as it was finally solved, and the descent."""
    if method == "paper":
        return problem, iterate_as_printed(problem, start, tolerance, most)
    if estimated:
        first = minimise(problem, start, 1e-3, most)
        problem = steadied(problem, first.frames)
        problem, found = minimise_with_coordinates(problem, first.frames, most=most)
        return (problem, found) if type(loss) is Loss else robust(problem, found.frames, loss, tolerance, most)
    if type(loss) is not Loss:
        return robust(problem, start, loss, tolerance, most)
    return problem, minimise(problem, start, tolerance, most)


def steadied(problem: CurveProblem, frames: np.ndarray) -> CurveProblem:
    """A touch of smoothing where none was asked for: free coordinates let a curve stall and hurry at no cost."""
    if problem.smoothing:
        return problem
    misfit = float(problem.squares(problem.residuals(frames)).sum())
    return problem.changed(smoothing=max(1e-3 * misfit, 1e-14) / max(problem.bending(frames), 1e-14))


def robust(problem: CurveProblem, start: np.ndarray, loss: Loss, tolerance: float, most: int):
    """Reweighting; a scale that was not given follows the median residual."""
    frames, fixed = start, np.isfinite(loss.scale)
    for _ in range(1 if fixed else 6):
        if not fixed:
            lengths = np.sqrt(problem.squares(problem.residuals(frames)))
            loss = loss.rescaled(lengths)
        problem = problem.changed(loss=loss)
        frames = minimise(problem, frames, 1e-4, most).frames
    return problem, minimise(problem, frames, tolerance, most)


def interpolation(setup) -> CurveFit:
    """The first number of frames that meets all poses with neighbouring frames near enough."""
    data, _q, order = setup[:3]
    require(data.whole, "fit_curve: interpolation needs whole poses")
    widest = float(np.linalg.norm(control_twists(data.poses)[:, :3], axis=1).max())
    counts = surplus_counts(len(data), order, widest)
    for count in counts:
        problem, layout, start = posed(count, *setup[:-1])
        try:
            return as_fit(problem, layout, interpolated(problem, start), setup[-1])
        except NeedsMoreFrames:
            if count == counts[-1]:
                raise
    raise AssertionError("unreachable")


def as_fit(problem: CurveProblem, layout: Layout, found: Descent, name: str) -> CurveFit:
    """The answer in the user's words."""
    return CurveFit(found.frames, layout.given, layout.order, name, found.costs, found.converged, problem)
