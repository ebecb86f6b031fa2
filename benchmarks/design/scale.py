"""Time and memory against the number of poses, and of a surface."""

import time
import tracemalloc

import numpy as np
from rich.progress import track

from condyle import design
from condyle.spatial import exp_se3

from .store import FOLDER, Result

COUNTS = (1000, 2000, 5000, 10000, 30000, 100000)


def many_poses(count):
    """A wavy screw with noise; the truth does not matter here."""
    q, rng = np.linspace(0.0, 1.0, count), np.random.default_rng(0)
    path = np.stack([np.sin(5 * q), q, 0.3 * np.cos(7 * q), q, q * q, np.sin(3 * q)], axis=1)
    return q, exp_se3(path) @ exp_se3(rng.normal(scale=0.01, size=(count, 6)))


def scattered(count):
    """A smooth surface at random places."""
    q = np.random.default_rng(1).uniform(size=(count, 2))
    a, b = q.T
    return q, exp_se3(np.stack([a, b, 0.2 * a * b, 0.1 * a, 0.1 * b, 0.1 * a * a], axis=1))


def best(run, repeats):
    """Processor seconds of the fastest run, and what it gave."""
    times = []
    for _ in range(repeats):
        begin = time.process_time()
        found = run()
        times.append(time.process_time() - begin)
    return min(times), found


def peak(run):
    """Most megabytes held at once."""
    tracemalloc.start()
    run()
    megabytes = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    return megabytes


def curve(count):
    """Seconds, megabytes and iterations of a fit with 60 frames; memory is that of one iteration."""
    q, poses = many_poses(count)
    seconds, fit = best(lambda: design.fit_curve(poses, q, frames=60), 3 if count <= 10000 else 1)
    return count, seconds, peak(lambda: design.fit_curve(poses, q, frames=60, iterations=1)), fit.iterations


def surface():
    """The same of a 12 × 12 surface from 5,000 poses."""
    q, poses = scattered(5000)
    seconds, fit = best(lambda: design.fit_surface(poses, q, shape=(12, 12)), 2)
    return 5000, seconds, peak(lambda: design.fit_surface(poses, q, shape=(12, 12), iterations=1)), fit.iterations


def run():
    best(lambda: curve(100), 1)  # whatever is slow only once
    rows = [curve(count) for count in track(COUNTS, "curves")]
    draw(np.array(rows))
    big = np.log([r[:3] for r in rows if r[0] >= 2000])
    slopes = [np.polyfit(big[:, 0], big[:, k], 1)[0] for k in (1, 2)]
    lines = [("curve, 60 frames", *row) for row in rows] + [("surface, 12 × 12", *surface())]
    return Result(
        "Scale",
        ["fit", "poses", "processor seconds", "peak MB", "iterations"],
        [[what, f"{n:,}", f"{s:.3f}", f"{m:.1f}", str(i)] for what, n, s, m, i in lines],
        f"From 2,000 poses on time grows like poses^{slopes[0]:.2f} and memory like poses^{slopes[1]:.2f}. "
        "Asked for: 2,000 poses under 0.5 s, the surface under 5 s.",
    )


def draw(rows):
    """Time and memory against the number of poses."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 3.4), layout="constrained")
    for axes, column, label in zip(
        figure.subplots(1, 2), (1, 2), ("processor seconds", "peak memory [MB]"), strict=True
    ):
        axes.loglog(rows[:, 0], rows[:, column], "-o", label="fit, 60 frames")
        axes.loglog(rows[:, 0], rows[-1, column] * rows[:, 0] / rows[-1, 0], ":", color="gray", label="linear")
        axes.set(xlabel="poses", ylabel=label)
        axes.legend()
    FOLDER.mkdir(exist_ok=True)
    figure.savefig(FOLDER / "design_scale.png", dpi=110)
