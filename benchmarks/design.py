"""`python -m benchmarks.design [scale walks smoothing]`: what fitting claims, measured; figures in benchmarks/results.

scale: time and memory against the number of poses, and the surface. walks: interpolation of random walks, seeds 0-49.
smoothing: automatic smoothing against none, seeds 0-19.
"""

import argparse
import os
import sys
import time
import tracemalloc
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # figures are per core
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import numpy as np
from rich.progress import track

from condyle import design
from condyle.errors import CondyleError
from condyle.spatial import exp_se3
from design.knees import noisy_knee, random_walk

RESULTS = Path(__file__).parent / "results"


def many_poses(count):
    """A wavy screw with noise; the truth does not matter here."""
    q, rng = np.linspace(0.0, 1.0, count), np.random.default_rng(0)
    path = np.stack([np.sin(5 * q), q, 0.3 * np.cos(7 * q), q, q * q, np.sin(3 * q)], axis=1)
    return q, exp_se3(path) @ exp_se3(rng.normal(scale=0.01, size=(count, 6)))


def timed(run):
    """Seconds, peak megabytes and the result of the second call."""
    run()
    begin = time.perf_counter()
    result = run()
    seconds = time.perf_counter() - begin
    tracemalloc.start()
    run()
    peak = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    return seconds, peak, result


def scale():
    """Curves from 1,000 to 100,000 poses, 60 frames; a 12 × 12 surface from 5,000."""
    counts, rows = (1000, 2000, 5000, 10000, 30000, 100000), []
    for count in track(counts, "curves"):
        q, poses = many_poses(count)
        seconds, peak, fit = timed(lambda q=q, poses=poses: design.fit_curve(poses, q, frames=60))
        rows.append((count, seconds, peak, fit.iterations))
        print(f"{count:7d} poses: {seconds:.3f} s, {peak:.0f} MB, {fit.iterations} iterations")
    slope = np.polyfit(np.log([r[0] for r in rows]), np.log([r[1] for r in rows]), 1)[0]
    print(f"time grows like poses^{slope:.2f}")
    q = np.random.default_rng(1).uniform(size=(5000, 2))
    a, b = q.T
    poses = exp_se3(np.stack([a, b, 0.2 * a * b, 0.1 * a, 0.1 * b, 0.1 * a * a], axis=1))
    seconds, peak, fit = timed(lambda: design.fit_surface(poses, q, shape=(12, 12)))
    print(f"surface 12 × 12 from 5,000 poses: {seconds:.2f} s, {peak:.0f} MB, {fit.iterations} iterations")
    draw(np.array(rows))


def draw(rows):
    """Time and memory against the number of poses."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 3.4), layout="constrained")
    left, right = figure.subplots(1, 2)
    left.loglog(rows[:, 0], rows[:, 1], "-o", label="fit, 60 frames")
    left.loglog(rows[:, 0], rows[-1, 1] * rows[:, 0] / rows[-1, 0], ":", label="linear")
    left.set(xlabel="poses", ylabel="seconds")
    left.legend()
    right.loglog(rows[:, 0], rows[:, 2], "-o")
    right.set(xlabel="poses", ylabel="peak memory [MB]")
    RESULTS.mkdir(exist_ok=True)
    figure.savefig(RESULTS / "design_scale.png", dpi=110)


def walks():
    """Interpolation of eight poses 0.5 to 1.5 rad apart."""
    for step in (0.5, 0.75, 1.0, 1.5):
        frames, failed = [], []
        for seed in range(50):
            try:
                fit = design.fit_curve(random_walk(seed, step), "uniform", frames="interpolate")
                frames.append(len(fit.frames))
            except CondyleError as trouble:
                failed.append((seed, type(trouble).__name__))
        used = dict(zip(*np.unique(frames, return_counts=True), strict=True))
        print(f"step {step} rad: {len(frames)} of 50 met; frames: times {used}; failed {failed}", flush=True)


def smoothing():
    """Error against the truth with automatic smoothing over that without."""
    ratios = []
    for seed in range(20):
        q, true, poses = noisy_knee(40, 0.02, 0.002, seed)
        fits = [design.fit_curve(poses, q, frames=14, metric=0.1, smoothing=w) for w in (0.0, "auto")]
        errors = [
            np.sqrt(
                sum((e**2).mean() for e in design.pose_errors(f.joint, q, true) * np.array([[np.pi / 180], [0.01]]))
            )
            for f in fits
        ]
        ratios.append(errors[1] / errors[0])
        print(f"seed {seed}: weight {fits[1].smoothing:.3g}, error ratio {ratios[-1]:.3f}", flush=True)
    print(f"better on {sum(r < 1 for r in ratios)} of 20, worst {max(ratios):.3f}")


PARTS = {"scale": scale, "walks": walks, "smoothing": smoothing}


def main():
    parser = argparse.ArgumentParser(prog="python -m benchmarks.design", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="default: all")
    for part in parser.parse_args().parts or PARTS:
        PARTS[part]()


if __name__ == "__main__":
    main()
