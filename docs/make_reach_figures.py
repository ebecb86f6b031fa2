"""The figures and numbers of docs/reach.md: `python docs/make_reach_figures.py [FOLDER]` writes figures/reach_*.png.

FOLDER holds BVH files of the CMU motion capture database (09_04, 127_15, 22_23); without it the figure of real motion
is left as it is.
"""

from __future__ import annotations

import sys
import warnings
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from condyle.errors import CondyleWarning
from condyle.plots import Band, Bar, Curve, Note, Panel, draw_chart
from condyle.splines.bezier.closest_point import domain_grid
from condyle.splines.bezier.domain_complex import hexagon
from condyle.workspace import distance_report, fit_arm, fit_errors, fit_twist, read_bvh_arm, synthetic_subject
from condyle.workspace.otani import otani_elbow
from condyle.workspace.solve.arm_forward import posture_at
from condyle.workspace.solve.elbow_mesh import build_grid

IMAGES = Path(__file__).parent / "figures"
VIEWS = {"front": (0, (45.0, -20.0)), "side": (1, (-50.0, 30.0)), "rear": (0, (-20.0, 45.0))}  # axis, its ends [cm]
SEEDS = range(5)
SCHEMES = {"least-squares": "least squares, C1 exact", "interpolation": "the paper's 19 points"}
PAPER = {"male": (1.64, 5.32), "female": (1.34, 4.42)}  # mean and largest error [cm] as printed
COLUMNS = ("mean", "largest", "inside_mean", "rim_mean", "rim_count")
THIRDS = ("tab:blue", "tab:orange", "tab:green")  # nearest, middle, farthest
JOINTS = {"clavicle": "Shoulder", "shoulder": "Arm", "elbow": "ForeArm", "wrist": "Hand"}
MOTIONS = ("09_04", "127_15", "22_23")
CMU = {"unit": 0.0254 / 0.45, "frame": [[-1, 0, 0], [0, 0, 1], [0, 1, 0]]}
LATERAL = {"x": "lateral", "y": "forward", "z": "up [cm]"}


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
    panels = []
    for column, what in enumerate(("mean", "largest")):
        bars, whiskers = [], []
        for name, printed in PAPER.items():
            for k, method in enumerate(SCHEMES):
                values = found[name, method][:, column]
                whiskers.append(Curve([values.min(), values.max()], [len(bars)] * 2, style="|-", color="black"))
                bars.append(Bar(f"{name} (synthetic),\n{SCHEMES[method]}", 0.0, values.mean(), f"C{k}"))
            bars.append(Bar(f"{name}, the paper,\nits own data", 0.0, printed[column], "lightgray"))
        panels.append(Panel(f"{what} error [cm]", whiskers, bars=bars))
    save(panels, "errors", (11, 4))


def distances(samples) -> None:
    """How far elbows are from the clavicle: the distribution, and where its thirds lie, like Figs. 1-4."""
    panels = []
    for name, data in samples.items():
        found, cm = distance_report(data), 100 * np.linalg.norm(data.elbow, axis=1)
        edges = np.linspace(cm.min(), cm.max(), 19)
        counts = np.cumsum([np.zeros(18), *(np.histogram(cm[found.thirds == k], edges)[0] for k in range(3))], axis=0)
        steps, x = np.repeat(counts, 2, axis=1), np.repeat(edges, 2)[1:-1]
        bands = [Band(x, low, high, color=THIRDS[k], opacity=1.0) for k, (low, high) in enumerate(pairwise(steps))]
        panels.append(Panel(f"{name} (synthetic)", [], bands=bands, x="elbow to clavicle [cm]", y="samples"))
        for axis, (title, word) in enumerate((("front", "lateral"), ("side", "forward"))):
            thirds = [100 * data.elbow[found.thirds == k] for k in range(3)]
            dots = [Curve(e[:, axis], e[:, 2], style=".", color=THIRDS[k]) for k, e in enumerate(thirds)]
            panels.append(Panel(title, dots, x=f"{word} [cm]", y="up [cm]", equal=True))
    save(panels, "distances", (9, 6), columns=3)


def layout() -> None:
    """The control points of six cubic patches by number, and the seventh patch, like Figs. 7 and 11."""
    panels = []
    for extra in (False, True):
        complex = hexagon(3, extra=extra)
        patches = complex.vertices[complex.triangles]
        sides = [Curve(*np.vstack([corners, corners[:1]]).T, color="gray", width=0.8) for corners in patches]
        dots = Curve(*complex.points.T, style=".", color="black", size=4)
        notes = [Note(x + 0.035, y + 0.035, str(n)) for n, (x, y) in enumerate(complex.points)]
        middles = patches.mean(axis=1) + [0.0, 0.13]
        notes += [Note(*at, f"P{k}", "tab:blue") for k, at in enumerate(middles)]
        title = "seven patches" if extra else "six patches, 37 control points"
        panels.append(Panel(title, [*sides, dots], equal=True, notes=notes))
    save(panels, "layout", (9, 4.6))


def sheet(arm, color="tab:blue") -> Curve:
    """The rigid elbow surface as a net of lines [cm]."""
    mesh = build_grid(arm.surface.complex, arm.rigid_elbow, 3)
    edges = np.unique(np.sort(np.concatenate([mesh.triangles[:, k] for k in ([0, 1], [1, 2], [2, 0])]), axis=1), axis=0)
    lines = np.insert(100 * mesh.elbow[edges], 2, np.nan, axis=1).reshape(-1, 3)
    return Curve(*lines.T[:2], z=lines[:, 2], color=color, width=0.4, opacity=0.7)


def dots(points, color="firebrick", size=2.0) -> Curve:
    """Points [m] in space, drawn in cm."""
    x, y, z = 100 * np.asarray(points).reshape(-1, 3).T
    return Curve(x, y, z=z, style=".", color=color, size=size)


def seen(view: str, curves: list[Curve], name: str = "") -> Panel:
    """Curves in space from the front, the side or the rear."""
    axis, ends = VIEWS[view]
    flat = [replace(curve, x=(curve.x, curve.y)[axis], y=curve.z, z=None) for curve in curves]
    word = ("lateral [cm]", "forward [cm]")[axis]
    return Panel(f"{name}{view}", flat, x=word, y="up [cm]", xlim=ends, equal=True)


def surfaces(arms) -> None:
    """Fitted surfaces and samples from the front, the side and the rear, like the paper's Figs. 8-10."""
    panels = [
        seen(view, [sheet(arm), dots(samples.elbow)], f"{name}, ")
        for name, (arm, samples) in arms.items()
        for view in VIEWS
    ]
    save(panels, "surfaces", (10, 7), columns=3)


def twist(arms) -> None:
    """Twist range against elevation with a line and a parabola, like Figs. 5-6."""
    panels, angle = [], np.linspace(0, np.pi, 100)
    for name, (_, samples) in arms.items():
        trials = samples.trials
        curves = [Curve(np.degrees(trials.elevation), np.degrees(trials.twist_range), style=".", color="gray", size=4)]
        for power, label in ((1, "line"), (2, "parabola")):
            fit = fit_twist(trials, power)
            words = f"{label}, rms {np.degrees(fit.rms):.1f}°"
            curves.append(Curve(np.degrees(angle), np.degrees(fit(angle)), words))
        panels.append(Panel(f"{name} (synthetic)", curves, x="elevation of the elbow [°]", y="range of twist [°]"))
    save(panels, "twist", (9, 3.5))


def solutions(arm) -> None:
    """All postures of one goal, faded outside the limits, the best one drawn thick."""
    goal = arm.forward(np.radians(70.0), np.radians(50.0), 0.4, flexion=1.2).wrist
    everything, best = arm.solutions(goal), arm.solve(goal)
    curves = [dots(arm.rigid_elbow(domain_grid(arm.surface.complex, 14)), "lightgray", 1.0)]
    curves += [
        links(everything[n], color="tab:blue", opacity=0.35 if everything.feasible[n] else 0.06, width=1.0)
        for n in range(len(everything))
    ]
    curves += [links(best, color="black", width=3.0), dots(goal, size=12.0)]
    save([Panel("every elbow for one goal", curves, **LATERAL, view=(20.0, 30.0))], "solutions", (6, 5))


def links(posture, **look) -> Curve:
    x, y, z = 100 * np.stack([np.zeros(3), posture.shoulder, posture.elbow, posture.wrist]).T
    return Curve(x, y, z=z, **look)


def otani(arms) -> None:
    """Otani's elbows beside the samples of the female subject, like Figs. 12-14."""
    arm, samples = arms["female"]
    el, ab = np.meshgrid(np.radians(np.linspace(0, 180, 19)), np.radians(np.linspace(-90, 90, 19)))
    elbows = 100 * otani_elbow(el, ab, arm.lengths.clavicle, arm.lengths.upper_arm)
    net = np.insert(np.concatenate([elbows, elbows.swapaxes(0, 1)]), 19, np.nan, axis=1).reshape(-1, 3)
    wires = Curve(net[:, 0], net[:, 1], z=net[:, 2], color="tab:green", width=0.5)
    save([seen(view, [wires, dots(samples.elbow)]) for view in VIEWS], "otani", (10, 3.8))


def captured(folder: Path) -> None:
    """Right and left arms of real motion capture: what was seen of their reach, and the rows of the table."""
    panels = []
    for motion in MOTIONS:
        for side in ("Right", "Left"):
            named = {part: side + joint for part, joint in JOINTS.items()}
            samples = read_bvh_arm(folder / f"{motion}.bvh", **named, **CMU)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", CondyleWarning)
                arm = fit_arm(samples, smoothing=1e-6, side=side.lower())
            at = 0.999 * domain_grid(arm.surface.complex, 20)
            share = 100 * measured(arm, at)
            said = f"{len(samples.elbow)} | {100 * arm.lengths.upper_arm:.1f} | {arm.report.mean:.2f}"
            print(f"| {motion} | {side.lower()} | {said} | {arm.report.largest:.2f} | {share:.0f} |")
            if side == "Right":
                panels.append(
                    Panel(f"{motion}, right arm", [sheet(arm), dots(samples.elbow)], **LATERAL, view=(15.0, 60.0))
                )
    save(panels, "capture", (10, 3.8))


def measured(arm, at: np.ndarray) -> float:
    """The share of places whose elbow is measured."""
    return float(np.mean(posture_at(arm, at, 0.5, 1.0, (0.0, 0.0, 0.0)).measured))


def joints(arms) -> None:
    """How far the shoulder as a joint is from the arm."""
    for name, (arm, _) in arms.items():
        print(name, arm.as_joint())


def save(panels, name: str, size, columns: int | None = None) -> None:
    """Draw panels into docs/figures."""
    IMAGES.mkdir(exist_ok=True)
    draw_chart(panels, IMAGES / f"reach_{name}.png", size=size, columns=columns, dpi=80)


def main() -> None:
    """All figures, and the rows of the tables."""
    samples = {name: synthetic_subject(name) for name in PAPER}
    arms = {name: (fit_arm(data), data) for name, data in samples.items()}
    if len(sys.argv) > 1:
        captured(Path(sys.argv[1]))
    surfaces(arms)
    twist(arms)
    solutions(arms["male"][0])
    otani(arms)
    distances(samples)
    layout()
    joints(arms)
    found = errors()
    compared(found)
    table(found)


if __name__ == "__main__":
    main()
