"""Interpolation of eight poses 0.5 to 1.5 rad apart, seeds 0-49 each."""

from rich.progress import track

from condyle import design
from condyle.errors import CondyleError, NeedsMoreFrames
from support.knees import random_walk

from .store import Result

STEPS, SEEDS = (0.5, 0.75, 1.0, 1.5), range(50)


def frames_needed(seed, step):
    """How many frames met all poses, or the error's name."""
    try:
        return len(design.fit_curve(random_walk(seed, step), "uniform", frames="interpolate").frames)
    except CondyleError as trouble:
        return type(trouble).__name__


def meets_with_eight(seed, step):
    """Whether one frame for each pose does."""
    try:
        return design.fit_curve(random_walk(seed, step), "uniform", frames=8).converged
    except NeedsMoreFrames:
        return False


def run():
    rows = []
    for step in STEPS:
        needed = [frames_needed(seed, step) for seed in track(SEEDS, f"{step} rad")]
        met = [n for n in needed if isinstance(n, int)]
        used = ", ".join(f"{n} frames: {met.count(n)}" for n in sorted(set(met)))
        failed = [f"{seed} ({n})" for seed, n in zip(SEEDS, needed, strict=True) if not isinstance(n, int)]
        eight = sum(meets_with_eight(seed, step) for seed in SEEDS)
        rows.append([f"{step}", f"{len(met)} of {len(needed)}", used, ", ".join(failed) or "none", f"{eight} of 50"])
    return Result(
        "Interpolation of random walks, eight poses, seeds 0-49",
        ["step [rad]", "all poses met", "with", "failed seeds", "met with 8 frames"],
        rows,
        "Neighbouring frames stay below 2.5 rad. One frame for each pose either meets them or raises NeedsMoreFrames.",
    )
