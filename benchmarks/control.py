"""What directing costs: the fast form against the report's O(n³) tensors, and a worm directed in real time.

`python -m benchmarks.control` takes about a minute on one thread; writes results/control.json and docs/figures/
directing_cost.png. Both forms are compared before they are timed; processor time, the best of some repeats.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("CONDYLE_THREADS", "1")  # figures are per core; set before condyle is imported
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

import condyle as cd
from condyle.gallery import spatial_chain
from condyle.gallery.scenes.worm import crawl

from .table import machine

__all__ = ["agreement", "cost", "crawling", "exponent", "main"]

C = cd.control
ROOT = Path(__file__).parents[1]
BATCH = 64
FAST = (5, 10, 20, 40, 60, 160, 320, 640)
TENSORS = (5, 10, 20, 40, 60)  # segments; beyond this the tensors are only slow
RUNS = ((10, "adams", 1e-3), (50, "adams", 1e-3), (100, "adams", 1e-3), (50, "rk4", 1e-3), (50, "rk4", 5e-3))


def best(call: Callable, repeats: int = 7) -> float:
    """Least processor seconds of a call, after one to warm up."""
    call()
    seconds = []
    for _ in range(repeats):
        begin = time.process_time()
        call()
        seconds.append(time.process_time() - begin)
    return min(seconds)


def moment(segments: int) -> tuple[C.AnimationSpace, np.ndarray]:
    """A chain's tip as coordinates, and states (q, v, a) of a batch."""
    space = C.AnimationSpace(spatial_chain(segments), [C.point(f"link{segments}", (0.3, 0, 0), name="tip")])
    return space, 0.3 * np.random.default_rng(0).normal(size=(3, BATCH, 2 * segments))


def fast_moment(space: C.AnimationSpace, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """One moment of directing: G and v'Hv, accelerations of least size, torques."""
    a = C.resolve_acceleration(space, q, v, np.ones((BATCH, 3))).motion
    return cd.inverse_dynamics(space.model, q, v, a)


def agreement(segments: int) -> float:
    """The tensor form's torques less the recursive ones, as a share of the largest."""
    space, (q, v, a) = moment(segments)
    tau = cd.inverse_dynamics(space.model, q[0], v[0], a[0])
    return float(np.abs(C.tensor_form(space.model, q[0]).inverse(v[0], a[0]) - tau).max() / np.abs(tau).max())


def cost() -> dict[str, list[tuple[int, float]]]:
    """Seconds per state against segments."""
    rows: dict[str, list[tuple[int, float]]] = {"inverse dynamics": [], "one directed moment": [], "tensor form": []}
    for n in FAST:
        space, (q, v, a) = moment(n)
        model = space.model
        rows["inverse dynamics"].append((n, best(lambda m=model, x=(q, v, a): cd.inverse_dynamics(m, *x)) / BATCH))
        rows["one directed moment"].append((n, best(lambda s=space, x=(q, v): fast_moment(s, *x)) / BATCH))
        if n in TENSORS:
            state = (q[0], v[0], a[0])
            slow = best(lambda m=model, x=state: C.tensor_form(m, x[0]).inverse(*x[1:]), 3)
            rows["tensor form"].append((n, slow))
    return rows


def exponent(rows: list[tuple[int, float]]) -> float:
    """p of cost ~ nᵖ over the longer half of the chains."""
    n, seconds = np.log(rows[len(rows) // 2 :]).T
    return float(np.polyfit(n, seconds, 1)[0])


def crawling(segments: int, integrator: str, step: float) -> dict[str, float | str]:
    """A worm directed for one second (a cycle of two steps): seconds taken, and how true it stayed."""
    chords = tuple(0.005 * segments * x for x in (0.68, 0.92))
    options = {"cycles": 1, "goal": (10.0, 0.0, 0.0), "chords": chords, "duration": 0.5}
    seconds = best(lambda: crawl(segments, step=step, integrator=integrator, **options), 3)
    steps = crawl(segments, step=step, integrator=integrator, **options)
    ground = max(np.abs(x.points[:, -1, 2]).max() for x in steps if x.held is not None)
    error = max(np.abs(x.motion.error[:, :3]).max() for x in steps)
    made = {"segments": segments, "integrator": integrator, "step": step}
    return {**made, "seconds": seconds, "off_goal": float(error), "off_ground": float(ground)}


def draw(rows: dict[str, list[tuple[int, float]]], path: Path) -> None:
    """All costs on logarithmic axes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4.2), layout="constrained")
    ax = figure.subplots()
    for name, points in rows.items():
        n, seconds = np.array(points).T
        ax.loglog(n, 1e6 * seconds, "-o", label=f"{name}: n^{exponent(points):.1f}")
    ax.set(xlabel="segments of two freedoms", ylabel="processor time of one state [µs]")
    ax.legend()
    figure.savefig(path, dpi=110)


def main() -> None:
    """Compare, measure, store, draw."""
    about, off = machine(), max(agreement(n) for n in TENSORS)
    assert off < 1e-10, off  # agree first, then time
    rows = cost()
    for name, points in rows.items():
        print(f"{name:20s}", *(f"{n}: {1e6 * s:.1f} µs" for n, s in points), f"  ~ n^{exponent(points):.2f}")
    runs = [crawling(*run) for run in RUNS]
    for r in runs:
        print(
            f"a worm of {r['segments']} segments, {r['integrator']} at {1e3 * float(r['step']):g} ms: "
            f"{r['seconds']:.2f} s for 1 s; {r['off_goal']:.1e} m off its goals, {r['off_ground']:.1e} m off the ground"
        )
    powers = {name: exponent(points) for name, points in rows.items()}
    store = {"machine": about, "agreement": off, "seconds per state": rows, "exponents": powers, "one second": runs}
    (ROOT / "benchmarks" / "results").mkdir(exist_ok=True)
    (ROOT / "benchmarks" / "results" / "control.json").write_text(json.dumps(store, indent=2) + "\n")
    draw(rows, ROOT / "docs" / "figures" / "directing_cost.png")


if __name__ == "__main__":
    main()
