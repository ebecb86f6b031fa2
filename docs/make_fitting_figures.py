"""The figures of fitting.md: `python docs/make_fitting_figures.py`; the data are synthetic (gallery.knee_poses)."""

from pathlib import Path

import numpy as np

from condyle import design
from condyle.design.report import figures
from condyle.gallery import knee, knee_poses
from condyle.plots import Curve, Panel, draw_chart

OUT = Path(__file__).parent / "figures"


def convergence(path) -> None:
    """Cost above the optimum and distance from it at each iteration: exact Gauss-Newton and the printed iteration."""
    q, poses = knee_poses(25, angle_noise=0.1, distance_noise=0.05)
    panels = [panel for weight in (0.0, 1e-2) for panel in compared(poses, q, weight)]
    draw_chart(panels, path, size=(9.0, 7.0), columns=2, dpi=100)


def compared(poses, q, weight: float) -> list[Panel]:
    """Both iterations with one smoothing weight."""
    best = design.fit_curve(poses, q, frames=9, smoothing=weight)
    costs, ways, iterations = [], [], np.arange(1, 16)
    for method, label in (("gauss-newton", "exact Gauss-Newton"), ("paper", "as printed, eqs. 33-42")):
        fits = [
            design.fit_curve(poses, q, frames=9, smoothing=weight, method=method, iterations=n) for n in range(1, 31)
        ]
        above = np.array([fits[0].costs[0], *(f.cost for f in fits)]) / best.cost - 1
        if method == "paper":
            ways.append(Curve(iterations, distances(fits[:-1], fits[-1]), "… from its own limit", "--", "C1"))
        costs.append(Curve(np.arange(16), np.maximum(above, 1e-16)[:16], label, "-o", size=4))
        ways.append(Curve(iterations, distances(fits, best), label, "-o", size=4))
    what = f"smoothing {weight:g}" if weight else "no smoothing"
    return [
        Panel(what, costs, "iteration", "cost above the optimum (relative)", log="y"),
        Panel(what, ways, "iteration", "control frames from the optimum [rad, m]", log="y"),
    ]


def distances(fits, best) -> np.ndarray:
    """How far the control frames of the first fifteen iterations are from the best."""
    return np.maximum([np.abs(f.frames - best.frames).max() for f in fits[:15]], 1e-16)


def smoothed(path) -> None:
    """The tibia's forward glide: truth, poses, and fits without and with automatic smoothing."""
    q, poses = knee_poses(60, angle_noise=0.02, distance_noise=0.002)
    x = np.linspace(q[0], q[-1], 400)
    curves = [Curve(np.degrees(q), 1e3 * poses.xyz[:, 0], "poses", ".", "gray")]
    joints = {"truth": knee()}
    for weight, label in ((0.0, "no smoothing"), ("auto", "automatic")):
        joints[label] = design.fit_curve(poses, q, frames=16, smoothing=weight, metric=0.1).joint
    for (label, joint), style in zip(joints.items(), ("k:", "C0", "C1"), strict=True):
        curves.append(Curve(np.degrees(x), 1e3 * joint.pose(x).xyz[:, 0], label, style))
    draw_chart([Panel("", curves, "knee angle [deg]", "tibia forward [mm]")], path, size=(7.0, 3.6), dpi=100)


def trade_off(path) -> None:
    """Misfit, bending and cross-validated error over the smoothing weight."""
    q, poses = knee_poses(60, angle_noise=0.02, distance_noise=0.002)
    figures.trade_off_figure(design.trade_off(poses, q, frames=16, metric=0.1)).savefig(path, dpi=100)


def main() -> None:
    OUT.mkdir(exist_ok=True)
    for draw in (convergence, smoothed, trade_off):
        draw(OUT / f"fitting_{draw.__name__}.png")


if __name__ == "__main__":
    main()
