"""The figures and the table of docs/reach.md: `python docs/make_reach_figures.py` writes docs/figures/reach_*.png."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from condyle.splines.bezier_triangle_closest import domain_grid
from condyle.workspace import fit_arm, fit_errors, fit_twist, synthetic_subject
from condyle.workspace.grid import build_grid
from condyle.workspace.otani import otani_elbow

IMAGES = Path(__file__).parent / "figures"
VIEWS = {"front": (0, 90), "side": (0, 0), "rear": (0, -90)}
SEEDS = range(5)


def table() -> None:
    """Errors [cm] of both schemes, mean over seeds: on the noisy samples, and on clean ones never seen."""
    for name in ("male", "female"):
        for method in ("least-squares", "interpolation"):
            rows = []
            for seed in SEEDS:
                samples, clean = synthetic_subject(name, seed=seed), synthetic_subject(name, noise=0.0, seed=100 + seed)
                surface = fit_arm(samples, method=method).surface
                errors = [fit_errors(surface, s.elbow) for s in (samples, clean)]
                rows.append([e[k] for e in errors for k in ("mean", "largest", "inside_mean", "rim_mean", "rim_count")])
            print(name, method, np.round(np.mean(rows, axis=0), 2), "worst mean", round(max(r[0] for r in rows), 2))


def surfaces(arms) -> None:
    """Fitted surfaces and samples from the front, the side and the rear, like the paper's Figs. 8-10."""
    figure, axes = plt.subplots(2, 3, figsize=(10, 7), subplot_kw={"projection": "3d"})
    for row, (name, (arm, samples)) in zip(axes, arms.items(), strict=True):
        mesh = build_grid(arm.surface.complex, arm.rigid_elbow, 3)
        for ax, (view, (up, turn)) in zip(row, VIEWS.items(), strict=True):
            ax.plot_trisurf(*(100 * mesh.elbow.T), triangles=mesh.triangles, alpha=0.6, linewidth=0.1, edgecolor="gray")
            ax.scatter(*(100 * samples.elbow.T), s=5, color="firebrick", depthshade=False)
            ax.view_init(up, turn)
            ax.set(title=f"{name}, {view}", xlabel="lateral", ylabel="forward", zlabel="up [cm]")
    save(figure, "surfaces")


def twist(arms) -> None:
    """Twist range against elevation with a line and a parabola, like Figs. 5-6."""
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.5), sharey=True)
    angle = np.linspace(0, np.pi, 100)
    for ax, (name, (_, samples)) in zip(axes, arms.items(), strict=True):
        trials = samples.trials
        ax.scatter(np.degrees(trials.elevation), np.degrees(trials.twist_range), s=6, color="gray")
        for power, label in ((1, "line"), (2, "parabola")):
            fit = fit_twist(trials, power)
            ax.plot(np.degrees(angle), np.degrees(fit(angle)), label=f"{label}, rms {np.degrees(fit.rms):.1f}°")
        ax.set(title=f"{name} (synthetic)", xlabel="elevation of the elbow [°]", ylabel="range of twist [°]")
        ax.legend()
    save(figure, "twist")


def solutions(arm) -> None:
    """All postures of one goal, faded outside the limits, the best one drawn thick."""
    goal = arm.forward(np.radians(70.0), np.radians(50.0), 0.4, flexion=1.2).wrist
    figure = plt.figure(figsize=(6, 5))
    ax = figure.add_subplot(projection="3d")
    elbows = 100 * arm.rigid_elbow(domain_grid(arm.surface.complex, 14))
    ax.scatter(*elbows.T, s=1, color="lightgray")
    everything, best = arm.solutions(goal), arm.solve(goal)
    for n in range(len(everything)):
        draw(ax, everything[n], color="tab:blue", alpha=0.35 if everything.feasible[n] else 0.06, linewidth=1)
    draw(ax, best, color="black", alpha=1.0, linewidth=3)
    ax.scatter(*(100 * goal), color="firebrick", s=40)
    ax.set(xlabel="lateral", ylabel="forward", zlabel="up [cm]", title="every elbow for one goal")
    ax.view_init(20, 30)
    save(figure, "solutions")


def draw(ax, posture, **style) -> None:
    joints = 100 * np.stack([np.zeros(3), posture.shoulder, posture.elbow, posture.wrist])
    ax.plot(*joints.T, **style)


def otani(arms) -> None:
    """Otani's elbows beside the samples of the female subject, like Figs. 12-14."""
    arm, samples = arms["female"]
    el, ab = np.meshgrid(np.radians(np.linspace(0, 180, 19)), np.radians(np.linspace(-90, 90, 19)))
    elbows = 100 * otani_elbow(el, ab, arm.lengths.clavicle, arm.lengths.upper_arm)
    figure, axes = plt.subplots(1, 3, figsize=(10, 3.8), subplot_kw={"projection": "3d"})
    for ax, (view, (up, turn)) in zip(axes, VIEWS.items(), strict=True):
        ax.plot_wireframe(*np.moveaxis(elbows, -1, 0), linewidth=0.4, color="tab:green")
        ax.scatter(*(100 * samples.elbow.T), s=5, color="firebrick", depthshade=False)
        ax.view_init(up, turn)
        ax.set(title=view)
    save(figure, "otani")


def save(figure, name: str) -> None:
    IMAGES.mkdir(exist_ok=True)
    figure.tight_layout()
    figure.savefig(IMAGES / f"reach_{name}.png", dpi=80)
    plt.close(figure)


def main() -> None:
    samples = {name: synthetic_subject(name) for name in ("male", "female")}
    arms = {name: (fit_arm(data), data) for name, data in samples.items()}
    surfaces(arms)
    twist(arms)
    solutions(arms["male"][0])
    otani(arms)
    table()


if __name__ == "__main__":
    main()
