"""The figures of fitting.md: `python docs/make_fitting_figures.py`; the data are synthetic (gallery.knee_poses)."""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from condyle import design
from condyle.design.report import figures
from condyle.gallery import knee, knee_poses

OUT = Path(__file__).parent / "figures"


def convergence() -> Figure:
    """Cost above the optimum and distance from it at each iteration: exact Gauss-Newton and the printed iteration."""
    q, poses = knee_poses(25, angle_noise=0.1, distance_noise=0.05)
    figure = Figure(figsize=(9, 7), layout="constrained")
    for axes, weight in zip(figure.subplots(2, 2), (0.0, 1e-2), strict=True):
        compared(axes, poses, q, weight)
    return figure


def compared(axes, poses, q, weight: float) -> None:
    """Both iterations with one smoothing weight."""
    best = design.fit_curve(poses, q, frames=9, smoothing=weight)
    for method, label in (("gauss-newton", "exact Gauss-Newton"), ("paper", "as printed, eqs. 33-42")):
        fits = [
            design.fit_curve(poses, q, frames=9, smoothing=weight, method=method, iterations=n) for n in range(1, 31)
        ]
        cost = [fits[0].costs[0], *(f.cost for f in fits)]
        away = [np.abs(f.frames - best.frames).max() for f in fits]
        if method == "paper":
            own = [np.abs(f.frames - fits[-1].frames).max() for f in fits[:-1]]
            axes[1].semilogy(
                np.arange(1, 16), np.maximum(own, 1e-16)[:15], "--", color="C1", label="… from its own limit"
            )
        axes[0].semilogy(np.maximum(np.array(cost) / best.cost - 1, 1e-16)[:16], "-o", markersize=4, label=label)
        axes[1].semilogy(np.arange(1, 16), np.maximum(away, 1e-16)[:15], "-o", markersize=4, label=label)
    what = f"smoothing {weight:g}" if weight else "no smoothing"
    axes[0].set(title=what, xlabel="iteration", ylabel="cost above the optimum (relative)")
    axes[1].set(title=what, xlabel="iteration", ylabel="control frames from the optimum [rad, m]")
    for a in axes:
        a.legend()


def smoothed() -> Figure:
    """The tibia's forward glide: truth, poses, and fits without and with automatic smoothing."""
    q, poses = knee_poses(60, angle_noise=0.02, distance_noise=0.002)
    x = np.linspace(q[0], q[-1], 400)
    figure = Figure(figsize=(7, 3.6), layout="constrained")
    axes = figure.subplots()
    axes.plot(np.degrees(q), 1e3 * poses.xyz[:, 0], ".", color="gray", label="poses")
    axes.plot(np.degrees(x), 1e3 * knee().pose(x).xyz[:, 0], "k:", label="truth")
    for weight, label in ((0.0, "no smoothing"), ("auto", "automatic")):
        fit = design.fit_curve(poses, q, frames=16, smoothing=weight, metric=0.1)
        axes.plot(np.degrees(x), 1e3 * fit.joint.pose(x).xyz[:, 0], label=label)
    axes.set(xlabel="knee angle [deg]", ylabel="tibia forward [mm]")
    axes.legend()
    return figure


def trade_off() -> Figure:
    """Misfit, bending and cross-validated error over the smoothing weight."""
    q, poses = knee_poses(60, angle_noise=0.02, distance_noise=0.002)
    return figures.trade_off_figure(design.trade_off(poses, q, frames=16, metric=0.1))


def main() -> None:
    OUT.mkdir(exist_ok=True)
    for draw in (convergence, smoothed, trade_off):
        draw().savefig(OUT / f"fitting_{draw.__name__}.png", dpi=100)


if __name__ == "__main__":
    main()
