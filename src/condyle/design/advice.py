"""What to do about a fit: each rule looks at one thing and says so in a sentence, or keeps quiet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from .data import PoseData

if TYPE_CHECKING:
    from .result import Fit

__all__ = ["advice"]

DOUBTED = 0.1  # trust below which a pose counts as an outlier
FAR = 8.0  # times the median residual: worth a look
ALIKE = 0.5  # correlation of neighbouring residuals above which they are no noise
UNUSED = 0.05  # of the mean share of data: a control frame that hardly any pose touches


def advice(fit: Fit) -> list[str]:
    """Sentences a person can act on, the gravest first."""
    rules = (unconverged, rankless, units, outliers, far_rows, too_few_frames, too_many_frames, unused, singular)
    return [sentence for rule in rules for sentence in rule(fit)]


def unconverged(fit: Fit) -> Iterator[str]:
    if not fit.converged:
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


def outliers(fit: Fit) -> Iterator[str]:
    rows = np.flatnonzero(fit.trust < DOUBTED)
    if len(rows):
        yield f"Taken for outliers: {counted('pose', rows)}. Look at how they were measured."


def far_rows(fit: Fit) -> Iterator[str]:
    """Under plain least squares a gross outlier bends the answer."""
    size = np.sqrt(fit.problem.squares(fit.left_over))
    far = fit.data.rows[size > FAR * max(float(np.median(size)), 1e-9)]
    if len(far) and np.all(fit.trust[far] == 1.0):
        yield f"Far off: {counted('pose', far)}. If that is a mistake of measuring, try --loss cauchy."


def too_few_frames(fit: Fit) -> Iterator[str]:
    """Noise does not know its neighbour; what is left over of a motion does."""
    if fit.problem.q.ndim > 1 or len(fit.data) < 20 or fit.cost < 1e-20:
        return
    r = fit.left_over @ fit.problem.C.T
    alike = float((r[1:] * r[:-1]).sum() / max((r * r).sum(), 1e-300))
    if alike > ALIKE:
        more = min(int(np.ceil(1.5 * fit.problem.count)), fit.problem.distinct - 1)
        less = f"try {more} frames (--frames {more})" if more > fit.problem.count else "there are too few poses"
        less = "try less smoothing, or --smooth auto" if fit.smoothing else less
        yield f"What is left over is no noise (neighbouring residuals correlate by {alike:.2f}): {less}."


def too_many_frames(fit: Fit) -> Iterator[str]:
    if fit.smoothing or not np.isfinite(fit.cross_validated):
        return
    left = float(np.sqrt(fit.problem.squares(fit.left_over).mean()))
    if fit.cross_validated > 1.6 * left:
        yield (
            f"Poses left out are foretold {fit.cross_validated / left:.1f} times worse than those fitted: it follows "
            "the noise. Try --smooth auto, or fewer control points."
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


def singular(fit: Fit) -> Iterator[str]:
    margin = getattr(fit, "singularity_margin", 1.0)
    if margin < 0.35:
        yield (
            f"The second Euler angle comes within {np.degrees(np.arcsin(max(margin, 0.0))):.0f} deg of its "
            "singularity: choose the child's frame so that the joint turns least about its y axis."
        )


def counted(what: str, rows: np.ndarray) -> str:
    """'1 pose (number 7)', '9 poses (numbers 3, 8, 12, 13, 20, …)'."""
    many = len(rows) > 1
    shown = ", ".join(map(str, rows[:5])) + (", …" if len(rows) > 5 else "")
    return f"{len(rows)} {what}{'s' * many} ({'numbers' if many else 'number'} {shown})"
