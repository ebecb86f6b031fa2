"""Directed motion: chains that reach, a person on a chair, worms that crawl, a squat; each with a chart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .. import gallery as scenes
from ..dynamics import forward_kinematics
from ..simulation import Trajectory
from ..view.overlays import Drawn, Line, Sheet
from . import charts
from .outcome import Outcome, motion_files

__all__ = ["SHOWN", "Shown", "run"]

GREEN = (0.3, 0.55, 0.3)


@dataclass(frozen=True)
class Shown:
    """A motion to look at, what was found, and a chart of it."""

    motion: Trajectory
    title: str
    words: str
    chart: Callable
    drawn: Sequence[Drawn] = ()


def run(name: str, folder: Path, progress: bool) -> Outcome:
    """Direct the scene of that name and write its player, pictures and motion."""
    shown = SHOWN[name]()
    made = motion_files(shown.motion, folder, name, shown.title, shown.drawn)
    return Outcome(shown.words, (*made, charts.written(shown.chart, folder / f"{name}-chart.png")))


def three_links() -> Shown:
    """The report's worked example."""
    motion = scenes.three_links()
    words = f"the end is at most {np.abs(motion.error).max():.1e} m off its line; joint 3 is held by (φ3 − 0.5)²"
    path = Line(None, np.column_stack([motion.target[:, :2], np.zeros(len(motion.t))]))
    title = "Three links: the end goes straight, one joint is held"
    return Shown(motion.trajectory, title, words, lambda f: charts.chain(f, motion, 1.0), (path,))


def reaching(kind: str) -> Shown:
    """One of the four ways to reach."""
    motion = scenes.reach(kind)
    off, moved = np.linalg.norm(motion.error[-1, :3]), np.abs(motion.q[:, :2] - motion.q[0, :2]).max()
    words = f"{kind}: the tip ends {off:.2e} m from its goal; the first segment moved {moved:.2e} rad"
    drawn = (Line(None, motion.target[:, :3]), *cross(motion.target[-1, :3], 0.06))
    return Shown(motion.trajectory, f"Reaching: {kind}", words, lambda f: charts.reach(f, motion), drawn)


def sitting() -> Shown:
    """A person rocks on a chair, three ways."""
    rocked = scenes.rocking()
    ways = {"hard": scenes.seated(rocked)}
    ways |= {f"soft, {k:.0e} N/m": scenes.seated(rocked, k) for k in (1e5, 1e6)}
    lines = [f"{name:18s} {row}" for name, row in scenes.sitting_table(rocked, ways).items()]
    title = "Sitting on a chair and rocking: a closed loop"
    return Shown(
        rocked.trajectory,
        title,
        "\n".join(lines),
        lambda f: charts.sitting(f, rocked, ways),
        (chair(), floor(-0.2, 0.5, 1)),
    )


def dropping_chain() -> Shown:
    """A pinned chain falls."""
    runs = {name: scenes.drop(name) for name in ("rk4", "adaptive", "bulirsch-stoer")}
    words = "\n".join(f"{name:15s} energy drift {scenes.energy_drift(x):.1e} of what moves" for name, x in runs.items())
    motion = scenes.drop(record=0.01)
    return Shown(motion, "A chain pinned at one end and dropped", words, lambda f: charts.dropped(f, runs))


def inchworm() -> Shown:
    """A worm crawls round a bend."""
    steps = scenes.crawl(cycles=6, goal=(0.05, 0.06, 0.0), step=0.01)
    motion = scenes.crawling({"worm": steps})
    off = max(np.abs(step.points[:, 0] - step.points[0, 0]).max() for step in steps)
    slid = max(np.abs(step.points[:, -1, 2]).max() for step in steps if step.held is not None)
    words = f"{len(steps) // 2} cycles; gripping end moved {off:.1e} m, sliding end {slid:.1e} m off the ground"
    ground = (floor(0.025, 0.07, 2), *cross(np.array([0.05, 0.06, 0.0]), 0.006))
    return Shown(motion, "An inchworm", words, lambda f: charts.worm(f, steps), ground)


def inchworm_race() -> Shown:
    """Two worms with different strides."""
    runs = scenes.race(4)
    motion, line = scenes.crawling(runs), 0.075
    words = "\n".join(f"{name:13s} front at {1e3 * scenes.front_of(x)[-1]:.0f} mm" for name, x in runs.items())
    goal = Line(None, np.array([[line, 0.02, 0.0], [line, -0.04, 0.0]]))
    return Shown(motion, "An inchworm race", words, lambda f: charts.race(f, runs), (floor(0.04, 0.05, 2), goal))


def squat() -> Shown:
    """Down and up on two real knees."""
    motion = scenes.squat()
    feet = scenes.squatter_feet(motion.space.model)
    bend = np.degrees(-motion.q[:, 1])
    words = (
        f"knees bend from {bend[0]:.0f} to {bend.max():.0f} degrees; feet move "
        f"{np.abs(feet.value(motion.q)).max():.1e} m, balance {np.ptp(motion.u[:, 4]):.1e} m"
    )
    title = "A squat on two knees that roll and glide"
    return Shown(motion.trajectory, title, words, lambda f: charts.squat(f, motion, feet), (floor(0.0, 0.4, 1),))


def spacetime() -> Shown:
    """Directing beside spacetime constraints."""
    plans = {"directed": scenes.directed_reach(), "spacetime": scenes.spacetime_reach()}
    rows = [f"{'':10s} torque cost   goal missed as planned   when replayed open"]
    for name, plan in plans.items():
        x = scenes.account(plan)
        rows.append(f"{name:10s} {x.cost:11.2f}   {x.planned:22.1e}   {x.replayed:18.1e}")
    best = plans["spacetime"]
    motion = Trajectory(scenes.reaching_arm().model, best.t, best.q, best.v)
    title = "The same reach by spacetime constraints"
    return Shown(motion, title, "\n".join(rows), lambda f: charts.plans(f, plans))


SHOWN: dict[str, Callable[[], Shown]] = {
    "three-links": three_links,
    "reaching": lambda: reaching("freely"),
    "reaching-fixed": lambda: reaching("first segment fixed"),
    "reaching-far": lambda: reaching("out of reach"),
    "reaching-yields": lambda: reaching("yields to reach"),
    "sitting": sitting,
    "dropping-chain": dropping_chain,
    "inchworm": inchworm,
    "inchworm-race": inchworm_race,
    "squat": squat,
    "spacetime": spacetime,
}


def cross(at: np.ndarray, size: float) -> tuple[Line, ...]:
    """Three short lines that meet at a place [m]."""
    return tuple(Line(None, at + 0.5 * size * np.array([-e, e])) for e in np.eye(3))


def floor(x: float, half: float, up: int) -> Sheet:
    """A square of the ground around (x, 0, 0) [m]; `up` is the number of the axis that stands on it."""
    a, b = np.meshgrid([x - half, x + half], [-half, half], indexing="ij")
    return Sheet(None, np.stack([a, 0.0 * a, b] if up == 1 else [a, b, 0.0 * a], axis=-1))


def chair() -> Line:
    """Seat, back and legs, in the plane of the person."""
    model = scenes.sitter()
    x, y, _ = forward_kinematics(model, scenes.SITTING)[2].xyz
    y -= 0.07
    points = [(x + 0.2, 0), (x + 0.2, y), (x - 0.2, y), (x - 0.22, y + 0.45), (x - 0.2, y), (x - 0.2, 0)]
    return Line(None, np.array([(*p, 0.0) for p in points]), GREEN)
