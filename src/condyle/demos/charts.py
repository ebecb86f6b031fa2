"""Charts of directed motion: chains drawn moment by moment, dark to light in time, and their torques and forces."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from .. import gallery as scenes
from ..control import AnimationSpace, Directed, TorqueFunctions, shared_forces
from ..dynamics import center_of_mass, forward_kinematics
from ..simulation import Trajectory

__all__ = ["chain", "dropped", "plans", "race", "reach", "sitting", "squat", "worm", "written"]


def written(draw: Callable, path: Path) -> Path:
    """Draw into a new figure and save it."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10.0, 4.4), layout="constrained")
    FigureCanvasAgg(figure)
    draw(figure)
    figure.savefig(path, dpi=110)
    return path


def joints_of(model, q: np.ndarray, length: float) -> np.ndarray:
    """Origins of a chain's bodies and its tip, `length` [m] along x of the last (T, bodies + 1, 3)."""
    poses = forward_kinematics(model, q)
    return np.concatenate([poses.xyz, poses[:, -1].apply(np.array([length, 0.0, 0.0]))[:, None]], axis=1)


def sticks(ax, points: np.ndarray, plane: tuple[int, ...] = (0, 1), count: int = 9) -> None:
    """Some of the moments of points (T, k, 3) joined in order, dark to light."""
    from matplotlib import colormaps

    for k in np.linspace(0, len(points) - 1, count).astype(int):
        color = colormaps["viridis"](0.92 * k / (len(points) - 1))
        ax.plot(*points[k].T[list(plane)], "-o", color=color, markersize=2.5, linewidth=1.3)


def flat(ax, title: str) -> None:
    """Equal metres both ways."""
    ax.set(title=title, xlabel="x [m]", ylabel="y [m]", aspect="equal")


def curves(ax, t: np.ndarray, rows: dict[str, np.ndarray], title: str, unit: str) -> None:
    """Named functions of time."""
    for name, y in rows.items():
        ax.plot(t, y, label=name)
    ax.set(title=title, xlabel="t [s]", ylabel=unit)
    ax.legend(fontsize=8)


def chain(figure, motion: Directed, length: float) -> None:
    """A planar chain and its torques."""
    left, right = figure.subplots(1, 2)
    sticks(left, joints_of(motion.space.model, motion.q, length))
    left.plot(*motion.target[:, :2].T, "r:")
    flat(left, "the end goes straight")
    names = motion.space.model.coordinates
    curves(right, motion.t, dict(zip(names, motion.tau.T, strict=True)), "torques that cause it", "torque [N m]")


def reach(figure, motion: Directed) -> None:
    """A chain in space, and how far its tip is from its goal."""
    left, right = figure.add_subplot(1, 2, 1, projection="3d"), figure.add_subplot(1, 2, 2)
    sticks(left, joints_of(motion.space.model, motion.q, 0.3), (0, 1, 2))
    left.plot(*motion.target[-1, :3], "r*", markersize=12)
    left.set(xlabel="x [m]", ylabel="y [m]", zlabel="z [m]", aspect="equal")
    off = np.linalg.norm(motion.target[-1, :3] - motion.u[:, :3], axis=1)
    moved = np.abs(motion.q[:, :2] - motion.q[0, :2]).max(axis=1)
    curves(right, motion.t, {"tip to its goal [m]": off, "first segment moved [rad]": moved}, "on the way", "")


def sitting(figure, rocked: Directed, ways: dict[str, scenes.Seated]) -> None:
    """Stick figures and the chair's force by each method."""
    left, right = figure.subplots(1, 2)
    points = joints_of(rocked.space.model, rocked.q, 0.85)
    sticks(left, points)
    x, y, _ = points[0, 2]
    left.plot([x - 0.2, x + 0.2], [y, y], "k", linewidth=4)
    flat(left, "sitting and rocking")
    force = {"extended coordinates": scenes.chair_force(rocked)[:, 1]}
    force |= {name: way.force[:, 1] for name, way in ways.items()}
    curves(right, rocked.t, force, "the chair lifts the hip with", "force [N]")


def dropped(figure, runs: dict[str, Trajectory]) -> None:
    """The chain, and what each integrator does to its energy."""
    left, right = figure.subplots(1, 2)
    last = list(runs.values())[-1]
    sticks(left, joints_of(last.model, last.q, 0.2), count=14)
    flat(left, "dropped from horizontal")
    for name, motion in runs.items():
        energy = motion.energy()
        right.semilogy(motion.t[1:], np.abs(energy.total - energy.total[0])[1:] / np.ptp(energy.kinetic), label=name)
    right.set(title="energy error, of what moves", xlabel="t [s]")
    right.legend()


def worm(figure, steps: list[scenes.Step]) -> None:
    """Half cycles one under the other from the side, and all of them from above."""
    left, right = figure.subplots(1, 2)
    for k, step in enumerate(steps[:4]):
        sticks(left, 1e3 * step.points - [0.0, 0.0, 20.0 * k], (0, 2), 5)
        left.axhline(-20.0 * k, color="k", linewidth=0.5)
    left.set(title="four half cycles, from the side", xlabel="x [mm]", aspect="equal", yticks=[])
    for k, step in enumerate(steps):
        right.plot(*1e3 * step.points[-1].T[:2], "-o", markersize=2.5, color=f"C{k % 2}")
    right.set(title="after each half cycle, from above", xlabel="x [mm]", ylabel="y [mm]", aspect="equal")


def race(figure, runs: dict[str, list[scenes.Step]]) -> None:
    """Where the fronts are after each half cycle."""
    ax = figure.subplots()
    for k, (name, steps) in enumerate(runs.items()):
        for step in steps:
            ax.plot(*1e3 * step.points[-1].T[[0, 2]] - [[0.0], [20.0 * k]], color=f"C{k}")
        ax.plot([], [], color=f"C{k}", label=f"{name.replace('_', ' ')}: {1e3 * scenes.front_of(steps)[-1]:.0f} mm")
    ax.set(title="the race: the same number of cycles", xlabel="x [mm]", yticks=[], aspect="equal")
    ax.legend()


def squat(figure, motion: Directed, feet: AnimationSpace) -> None:
    """Stick figures on the way down, and the torques of the left leg."""
    left, right = figure.subplots(1, 2)
    poses, down = forward_kinematics(motion.space.model, motion.q), len(motion.t) // 2
    ankle, head = np.tile([0.0, 0.07, 0.0], (len(motion.t), 1)), poses[:, 2].apply(np.array([0.0, 0.85, 0.0]))
    points = np.stack([ankle, poses.xyz[:, 0], poses.xyz[:, 2], head], axis=1)
    sticks(left, points[:down], count=7)
    left.plot(*center_of_mass(motion.space.model, motion.q[:down:14]).T[:2], "r.", markersize=5)
    left.plot([-0.06, 0.2], [0.0, 0.0], "k", linewidth=4)
    flat(left, "on the way down; red: centre of mass")
    tau = shared_forces(feet, motion.q, motion.tau).tau
    rows = {name: tau[:, k] for k, name in enumerate(("ankle", "knee", "hip"))}
    curves(right, motion.t, rows, "torques of the left leg", "torque [N m]")


def plans(figure, found: dict[str, TorqueFunctions]) -> None:
    """The arm by each plan, and the size of its torques."""
    axes = figure.subplots(1, len(found) + 1)
    for ax, (name, plan) in zip(axes, found.items(), strict=False):
        points = joints_of(scenes.reaching_arm().model, plan.q, 0.3)
        sticks(ax, points)
        ax.plot(*points[-1, -1, :2], "r*", markersize=12)
        flat(ax, name)
        axes[-1].plot(plan.t, np.linalg.norm(plan.tau, axis=1), label=name)
    axes[-1].set(title="size of the torques", xlabel="t [s]", ylabel="|τ| [N m]")
    axes[-1].legend()
