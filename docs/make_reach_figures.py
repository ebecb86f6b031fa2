"""The figures and the table of docs/reach.md: `python docs/make_reach_figures.py` writes docs/figures/reach_*.png."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from condyle.splines.bezier.closest_point import domain_grid
from condyle.splines.bezier.domain_complex import hexagon
from condyle.workspace import distance_report, fit_arm, fit_errors, fit_twist, synthetic_subject
from condyle.workspace.otani import otani_elbow
from condyle.workspace.solve.elbow_mesh import build_grid

IMAGES = Path(__file__).parent / "figures"
VIEWS = {"front": (0, 90), "side": (0, 0), "rear": (0, -90)}
SEEDS = range(5)
SCHEMES = {"least-squares": "least squares, C1 exact", "interpolation": "the paper's 19 points"}
PAPER = {"male": (1.64, 5.32), "female": (1.34, 4.42)}  # mean and largest error [cm] as printed
COLUMNS = ("mean", "largest", "inside_mean", "rim_mean", "rim_count")
THIRDS = ("tab:blue", "tab:orange", "tab:green")  # nearest, middle, farthest


def errors() -> dict[tuple[str, str], np.ndarray]:
    """Errors [cm] of both schemes (seeds, COLUMNS): on the noisy samples, and on clean ones never seen."""
    out = {}
    for name in PAPER:
        for method in SCHEMES:
            rows = []
            for seed in SEEDS:
                samples, clean = synthetic_subject(name, seed=seed), synthetic_subject(name, noise=0.0, seed=100 + seed)
                surface = fit_arm(samples, method=method).surface
                both = [fit_errors(surface, s.elbow) for s in (samples, clean)]
                rows.append([e[k] for e in both for k in COLUMNS])
            out[name, method] = np.array(rows)
    return out


def table(found) -> None:
    """The rows of the table in reach.md."""
    for (name, method), rows in found.items():
        m = rows.mean(axis=0)
        said = f"{m[0]:.2f} | {m[1]:.2f} | {m[2]:.2f} | {m[3]:.2f} ({m[4]:.1f}) | {m[5]:.2f} | {m[6]:.2f} | {m[8]:.2f}"
        print(f"| {name} | {SCHEMES[method]} | {said} ({m[9]:.1f}) |")
    worst = max(rows[:, 0].max() for (_, method), rows in found.items() if method == "least-squares")
    print(f"the largest mean of any seed was {worst:.2f} cm")


def compared(found) -> None:
    """Mean and largest error of both schemes (whiskers: best to worst seed) beside the paper's."""
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.4))
    for ax, column, what in zip(axes, (0, 1), ("mean", "largest"), strict=True):
        for x, name in enumerate(PAPER):
            for k, method in enumerate(SCHEMES):
                values = found[name, method][:, column]
                off = [[values.mean() - values.min()], [values.max() - values.mean()]]
                label = SCHEMES[method] if x == 0 else None
                ax.bar(x + 0.27 * (k - 1), values.mean(), 0.25, yerr=off, color=f"C{k}", capsize=3, label=label)
            label = "the paper, points picked by hand, its own data" if x == 0 else None
            ax.bar(x + 0.27, PAPER[name][column], 0.25, color="lightgray", label=label)
        ax.set(xticks=range(len(PAPER)), xticklabels=[f"{n} (synthetic)" for n in PAPER], ylabel=f"{what} error [cm]")
    axes[0].legend(fontsize=7, loc="upper right")
    axes[0].set_ylim(0, 2.4)
    save(figure, "errors")


def distances(samples) -> None:
    """How far elbows are from the clavicle: the distribution, and where its thirds lie, like Figs. 1-4."""
    figure, axes = plt.subplots(2, 3, figsize=(9, 6))
    for row, (name, data) in zip(axes, samples.items(), strict=True):
        found, cm = distance_report(data), 100 * np.linalg.norm(data.elbow, axis=1)
        row[0].hist([cm[found.thirds == k] for k in range(3)], bins=18, stacked=True, color=THIRDS)
        row[0].set(xlabel="elbow to clavicle [cm]", ylabel="samples", title=f"{name} (synthetic)")
        for ax, axis, word in zip(row[1:], (0, 1), ("lateral", "forward"), strict=True):
            x, y = 100 * data.elbow[:, [axis, 2]].T
            ax.scatter(x, y, c=[THIRDS[k] for k in found.thirds], s=8)
            ax.set(aspect="equal", xlabel=f"{word} [cm]", ylabel="up [cm]", title="front" if axis == 0 else "side")
    save(figure, "distances")


def layout() -> None:
    """The control points of six cubic patches by number, and the seventh patch, like Figs. 7 and 11."""
    figure, axes = plt.subplots(1, 2, figsize=(9, 4.4))
    for ax, extra in zip(axes, (False, True), strict=True):
        complex = hexagon(3, extra=extra)
        for k, corners in enumerate(complex.vertices[complex.triangles]):
            ax.fill(*corners.T, facecolor="lightsteelblue" if k == 6 else "whitesmoke", edgecolor="gray")
            ax.text(*corners.mean(axis=0) + [0.0, 0.13], f"P{k}", color="tab:blue", ha="center", va="center")
        ax.scatter(*complex.points.T, s=8, color="black")
        for n, place in enumerate(complex.points):
            ax.annotate(str(n), place, xytext=(3, 3), textcoords="offset points", fontsize=7)
        ax.set_aspect("equal")
        ax.set_axis_off()
        ax.set_title("seven patches" if extra else "six patches, 37 control points")
    save(figure, "layout")


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
    distances(samples)
    layout()
    found = errors()
    compared(found)
    table(found)


if __name__ == "__main__":
    main()
