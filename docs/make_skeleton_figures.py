"""What skeletons cost and keep: `python docs/make_skeleton_figures.py [name …]` from the root of the repository.

Pictures of scenes are made by docs/make_scene_figures.py.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.engines.pseudo_inverse import PseudoInverse  # noqa: E402

try:
    import mujoco  # noqa: F401
except ImportError:
    sys.exit("The cost figure sets MuJoCo beside condyle, and mujoco is not installed: make .venv/peers")
from benchmarks.rows.skeleton import (  # noqa: E402
    SIZES,
    hinge_chain,
    mujoco_seconds_per_step,
    seconds_per_step,
)
from benchmarks.timing import Timed, seconds  # noqa: E402

import condyle as cd  # noqa: E402
from condyle.plots import Curve, Panel, draw_chart  # noqa: E402
from condyle.skeleton import SkeletonBuilder  # noqa: E402

OUT = ROOT / "docs" / "figures"
STEP = 0.01


def two_hinges():
    """Three bodies and two hinges beside their centres, turning freely by some 2 rad/s."""
    rng = np.random.default_rng(4)
    b = SkeletonBuilder(gravity=(0.0, 0.0, 0.0))
    for k in range(3):
        inertia = cd.Inertia.ellipsoid(1.0, rng.uniform(0.6, 1.2, 3))
        b.add_body(f"b{k}", inertia, position=rng.normal(size=3) * 0.6, angular_velocity=2.0 * rng.normal(size=3))
    b.add_hinge("b0", "b1", at=rng.normal(size=3) * 0.5, axis=rng.normal(size=3))
    b.add_hinge("b1", "b2", at=rng.normal(size=3) * 0.5, axis=rng.normal(size=3))
    skeleton = b.build()
    return skeleton.starting(skeleton.projected().state)


def pseudo_inverse_history(skeleton, duration: float):
    """Gap and change of angular momentum of the article's scheme, until it leaves the range of numbers."""
    dense, L0 = PseudoInverse(skeleton), skeleton.momentum().angular
    t, gap, change = [], [], []
    for k in range(round(duration / STEP)):
        dense.step(STEP)
        if not np.abs(dense.state.positions).max() < 1e6:
            break
        t.append((k + 1) * STEP)
        gap.append(skeleton.residuals(dense.state).gap.max())
        change.append(np.linalg.norm(skeleton.momentum(dense.state).angular - L0) / np.linalg.norm(L0))
    return np.array(t), np.array(gap), np.array(change)


def drift() -> None:
    """Joint gap and angular momentum over 10,000 steps of 10 ms."""
    skeleton = two_hinges()
    t, gap, change = pseudo_inverse_history(skeleton, 20.0)
    rows = {"printed, pseudo-inverse": (":", t, gap, change)}
    for integrator in ("printed", "rk4", "variational"):
        report = skeleton.simulate(duration=100.0, step=STEP, integrator=integrator).report()
        L = report.angular_momentum
        lost = np.linalg.norm(L - L[0], axis=1) / np.linalg.norm(L[0])
        label = "printed, five unknowns" if integrator == "printed" else integrator
        rows[label] = ("-", report.t[1:], np.maximum(report.gap[1:], 1e-17), np.maximum(lost[1:], 1e-17))
    panels = [
        Panel(
            title, [Curve(r[1], r[k], name, r[0]) for name, r in rows.items()], "time [s]", log="xy", ylim=(1e-17, 1e3)
        )
        for k, title in ((2, "joint gap [m]"), (3, "change of angular momentum, relative"))
    ]
    draw_chart(panels, OUT / "skeleton_drift.png", size=(9.0, 3.6))


def order() -> None:
    """Error after one second against the step."""
    skeleton = two_hinges()
    end = skeleton.simulate(duration=1.0, step=2.5e-4, integrator="rk4").last
    steps, curves = np.array([0.04, 0.02, 0.01, 0.005, 0.0025]), []
    for integrator, power in (("printed", 1), ("variational", 2), ("rk4", 4)):
        lasts = [skeleton.simulate(duration=1.0, step=h, integrator=integrator).last for h in steps]
        errors = [np.abs(s.rotations - end.rotations).max() for s in lasts]
        curves.append(Curve(1e3 * steps, errors, f"{integrator}: order {power}", "o-"))
    panel = Panel("", curves, "step [ms]", "error of the rotations after 1 s", log="xy")
    draw_chart([panel], OUT / "skeleton_order.png", size=(4.6, 3.6))


def cost() -> None:
    """Seconds per step against the number of bodies; the numbers go to skeleton_cost.json beside the picture."""
    nested = [n for n in SIZES if n <= 1000]  # MuJoCo nests no more than 1024 bodies
    curves = {
        "variational step": ("o-", {n: seconds_per_step(n) for n in SIZES}),
        "printed step, five unknowns": ("s-", {n: seconds_per_step(n, "printed") for n in SIZES}),
        "printed step, pseudo-inverse": ("k:^", {n: _pseudo_inverse_seconds(n) for n in (3, 9, 33, 129)}),
        "mujoco.mj_step, same chain": ("d--", {n: mujoco_seconds_per_step(n) for n in nested}),
    }
    lines = [Curve(list(times), list(times.values()), label, style) for label, (style, times) in curves.items()]
    panel = Panel("", lines, "bodies", "seconds per step, one core", log="xy")
    draw_chart([panel], OUT / "skeleton_cost.png", size=(5.2, 3.8))
    numbers = {label: {str(n): float(f"{s:.3g}") for n, s in times.items()} for label, (_, times) in curves.items()}
    (OUT / "skeleton_cost.json").write_text(json.dumps({"seconds per step": numbers}, indent=2) + "\n")


def _pseudo_inverse_seconds(count: int) -> float:
    dense = PseudoInverse(hinge_chain(count))
    timed = Timed(lambda: dense.step(1e-3), 1)
    return min(seconds(timed) for _ in range(4))


FIGURES = {f.__name__: f for f in (drift, order, cost)}


def main(*names: str) -> None:
    OUT.mkdir(exist_ok=True)
    for name in names or FIGURES:
        FIGURES[name]()


if __name__ == "__main__":
    main(*sys.argv[1:])
