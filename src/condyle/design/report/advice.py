"""What to do about a fit: each rule tests one thing and yields a sentence if there is something to do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ..noise_of_neighbours import contradicted, misfit, noise_bound
from ..pose_data import PoseData

if TYPE_CHECKING:
    from ..fit_result import Fit

DOUBTED = 0.1  # trust below which a pose counts as an outlier
FAR = 8.0  # times the median residual: worth a look
ALIKE = 0.5  # autocorrelation along the coordinate above which the fit is too stiff for the motion
UNUSED = 0.05  # of the mean share of data: a control frame that hardly any pose touches


def advice(fit: Fit) -> list[str]:
    """Sentences to act on, the gravest first."""
    rules = (unconverged, rankless, units, two_branches, outliers, far_rows, too_few_frames, correlated,
             too_many_frames, unused, needless, singular)  # fmt: skip
    return [sentence for rule in rules for sentence in rule(fit)]


def unconverged(fit: Fit) -> Iterator[str]:
    if contradicted(fit.problem, fit.x):
        found, bound = misfit(fit.problem, fit.x), noise_bound(fit.problem)
        yield (
            f"It is no fit: it misses the poses by {found:.2g} (root mean square in the metric), where poses and their "
            f"neighbours agree to {bound:.2g}. Ask for more control points or less smoothing, divide the poses, or "
            "fit a larger part of the motion as another joint."
        )
    elif not fit.converged:
        yield (
            f"It did not converge in {fit.iterations} iterations: add smoothing (--smooth auto), ask for fewer control "
            "points, or use a robust loss (--loss cauchy)."
        )


def rankless(fit: Fit) -> Iterator[str]:
    if not fit.rank.ok:
        yield "The joint stands still at the place named above and cannot be simulated there: try --smooth auto."


def units(fit: Fit) -> Iterator[str]:
    """A coordinate that looks like degrees."""
    span, turn = float(np.ptp(fit.problem.q, axis=0).max()), largest_turn(fit.data)
    if span > 4.0 * np.pi > 2.0 * turn:
        yield (
            f"The coordinate rises by {span:.4g} while the joint turns by {turn:.3g} rad: if it is an angle in "
            "degrees, convert it to radians (--coordinate-units deg), else speeds and torques will be per degree."
        )


def largest_turn(data: PoseData) -> float:
    """The largest angle [rad] from the first measured rotation."""
    R = data.poses[data.turned, :3, :3]
    cosine = 0.5 * (np.einsum("ij,nij->n", R[0], R) - 1.0) if len(R) else np.ones(1)
    return float(np.arccos(np.clip(cosine, -1.0, 1.0)).max())


def two_branches(fit: Fit) -> Iterator[str]:
    """Poses that depend on more than the coordinate."""
    found = fit.tests.branches
    if found is not None:
        place = ", ".join(f"{x:.3g}" for x in found.at)
        a, b = map(listed, found.rows)
        yield (
            f"There are two branches: at the same coordinate (near {place}) the poses of rows {a} and of rows {b} "
            f"differ by {found.degrees:.3g} deg and {found.millimeters:.3g} mm, and the fit runs between them. If they "
            "belong to two phases, such as stance and swing or bending and stretching, fit each phase by itself, or "
            "add a coordinate that tells them apart (a surface)."
        )


def correlated(fit: Fit) -> Iterator[str]:
    """Residuals that are systematic where neither branches nor too few frames explain it."""
    tests = fit.tests
    if tests.white or not tests.made or tests.branches is not None or any(too_few_frames(fit)):
        return
    in_time = tests.in_time > tests.limit
    most = tests.in_time if in_time else tests.along
    share, order = np.sqrt(most), "in time" if in_time else "along the coordinate"
    angle, way = (share * np.sqrt(np.nanmean(x**2)) if np.isfinite(x).any() else 0.0
                  for x in (fit.angle_errors, fit.distance_errors))  # fmt: skip
    yield (
        f"The residuals are no white noise {order}: one pose and the next correlate by {most:.2f} (white noise "
        f"stays below {tests.limit:.2f}), so about {angle:.2g} deg and {way:.2g} mm of them are systematic. Look for "
        "hysteresis, a marker that slips, or filtered data; if these sizes matter, try more control points."
    )


def outliers(fit: Fit) -> Iterator[str]:
    rows = np.flatnonzero(fit.trust < DOUBTED)
    if len(rows):
        yield f"Outliers: {counted('pose', rows)} hardly counted. Check how they were measured."


def far_rows(fit: Fit) -> Iterator[str]:
    """Under plain least squares a gross outlier bends the answer."""
    size = np.sqrt(fit.problem.squares(fit.usable_residuals))
    far = fit.data.rows[size > FAR * max(float(np.median(size)), 1e-9)]
    if len(far) and np.all(fit.trust[far] == 1.0):
        yield f"Far off: {counted('pose', far)}. If these are errors of measurement, try --loss cauchy."


def too_few_frames(fit: Fit) -> Iterator[str]:
    """Residuals that neighbours along the coordinate share: a motion that the curve does not follow."""
    if fit.tests.along > ALIKE:
        more = min(int(np.ceil(1.5 * fit.problem.count)), fit.problem.distinct - 1)
        less = f"try {more} frames (--frames {more})" if more > fit.problem.count else "there are too few poses"
        less = "try less smoothing, or --smooth auto" if fit.smoothing else less
        yield (
            f"The residuals are no white noise along the coordinate (neighbours correlate by {fit.tests.along:.2f}): "
            f"{less}."
        )


def too_many_frames(fit: Fit) -> Iterator[str]:
    if fit.smoothing or fit.problem.count >= fit.problem.distinct:
        return
    residual = float(np.sqrt(fit.problem.squares(fit.usable_residuals).mean()))
    if np.isnan(fit.cross_validated):
        yield (
            f"{fit.size} for {fit.problem.distinct} coordinates leave the leave-one-out error undetermined: the fit "
            "follows the noise. Try --smooth auto, or fewer control points."
        )
    elif fit.cross_validated > 1.6 * residual:
        yield (
            f"The leave-one-out error is {fit.cross_validated / residual:.3g} times the residual: the fit follows the "
            "noise. Try --smooth auto, or fewer control points."
        )


def unused(fit: Fit) -> Iterator[str]:
    share = fit.problem.touched
    few = np.flatnonzero(share < UNUSED * share.mean())
    if not len(few):
        return
    if fit.problem.q.ndim > 1:
        yield (
            f"{len(few)} of {len(share)} control points have next to no data and only continue their neighbours: "
            "measure there, or ask for fewer."
        )
    else:
        yield f"Nearly unused: {counted('control frame', few)}. Measure poses there, or ask for fewer frames."


def needless(fit: Fit) -> Iterator[str]:
    """An estimated coordinate along which the poses move no more than their noise."""
    if not getattr(fit, "estimated", False):
        return
    noise = float(np.sqrt(np.mean((fit.usable_residuals @ fit.problem.C.T) ** 2)))
    spread = fit.problem.q.std(axis=0)
    for c in np.flatnonzero(spread < 3.0 * noise):
        yield (
            f"Along the estimated coordinate {c} the poses spread by {spread[c]:.2g} in the metric, hardly more than "
            f"their residuals ({noise:.2g}): fewer coordinates (a curve: leave out --surface) may do."
        )


def singular(fit: Fit) -> Iterator[str]:
    margin = getattr(fit, "singularity_margin", 1.0)
    if margin < 0.35:
        yield (
            f"The second Euler angle comes within {np.degrees(np.arcsin(max(margin, 0.0))):.0f} deg of its "
            "singularity: leave the form of the surface to twists='auto', or divide the poses."
        )


def counted(what: str, rows: np.ndarray) -> str:
    """'1 pose (number 7)', '9 poses (numbers 3, 8, 12, 13, 20, …)'."""
    many = len(rows) > 1
    return f"{len(rows)} {what}{'s' * many} ({'numbers' if many else 'number'} {listed(np.sort(rows))})"


def listed(rows: np.ndarray) -> str:
    """'3, 8, 12, 13, 20, …'; '20-31' where they follow each other."""
    if len(rows) > 2 and rows[-1] - rows[0] == len(rows) - 1:
        return f"{rows[0]}-{rows[-1]}"
    return ", ".join(map(str, rows[:5])) + (", …" if len(rows) > 5 else "")
