"""Pictures of a fit: the motion with its data, what is left over, the speed and bending, the axode, the trade-off."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from ..spatial import log_so3
from .compared import TradeOff
from .curve_result import CurveFit
from .surface_result import SurfaceFit

__all__ = ["axode_figure", "bending_figure", "motion_figure", "residual_figure", "surface_figure", "trade_off_figure"]

COLORS = ("tab:red", "tab:green", "tab:blue")


def domain_samples(fit: CurveFit, count: int = 400) -> np.ndarray:
    """Evenly spread coordinates of the joint."""
    return np.linspace(*fit.joint.domain[0], count)


def motion_figure(fit: CurveFit) -> Figure:
    """Rotation vector [deg] (from the first pose) and position [mm] of the joint, with the poses as dots."""
    figure = Figure(figsize=(9, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    x, q = domain_samples(fit), fit.problem.q
    base = fit.joint.pose(x[0])[:3, :3].T
    G, T = fit.joint.pose(x), fit.data.poses
    curves = (np.degrees(log_so3(base @ G[:, :3, :3])), 1e3 * G[:, :3, 3])
    dots = (np.degrees(log_so3(base @ T[:, :3, :3])), 1e3 * T[:, :3, 3])
    for axes, curve, dot, seen in zip((left, right), curves, dots, (fit.data.turned, fit.data.placed), strict=True):
        for k, color in enumerate(COLORS):
            axes.plot(x, curve[:, k], color=color, label="xyz"[k])
            axes.plot(q[seen], dot[seen, k], ".", color=color, markersize=3, alpha=0.6)
        axes.set_xlabel(fit.name)
        axes.legend()
    left.set(title="rotation vector", ylabel="deg")
    right.set(title="position", ylabel="mm")
    return figure


def residual_figure(fit: CurveFit | SurfaceFit) -> Figure:
    """What the joint leaves over at every pose."""
    figure = Figure(figsize=(9, 3.0), layout="constrained")
    left, right = figure.subplots(1, 2)
    x = fit.coordinates if isinstance(fit, CurveFit) else np.arange(fit.data.count)
    for axes, values, unit in ((left, fit.angle_errors, "deg"), (right, fit.distance_errors, "mm")):
        axes.plot(x, values, ".", markersize=4)
        axes.set(xlabel=fit.name if isinstance(fit, CurveFit) else "row", ylabel=unit, ylim=(0, None))
    left.set_title("rotation left over")
    right.set_title("position left over")
    return figure


def bending_figure(fit: CurveFit) -> Figure:
    """|S| and |dS/dq|: a smooth joint keeps the second small."""
    figure = Figure(figsize=(9, 3.0), layout="constrained")
    left, right = figure.subplots(1, 2)
    x = domain_samples(fit)
    left.plot(x, np.linalg.norm(fit.joint.jacobian(x)[..., 0] @ fit.problem.C.T, axis=1))
    left.set(title="speed |dG/dq|", xlabel=fit.name, ylim=(0, None))
    right.plot(x, np.linalg.norm(fit.joint.hessian(x)[..., 0, 0] @ fit.problem.C.T, axis=1))
    right.set(title="bending |dS/dq|", xlabel=fit.name, ylim=(0, None))
    return figure


def screw_axes(fit: CurveFit, count: int = 40) -> tuple[np.ndarray, np.ndarray]:
    """Points [m] and directions of the instantaneous screw axes in the parent's frame; sliding ones left out."""
    x = domain_samples(fit, count)
    G, S = fit.joint.pose(x), fit.joint.jacobian(x)[..., 0]
    speed = np.linalg.norm(S[:, :3], axis=1)
    turning = speed > 1e-3 * speed.max() + 1e-12
    G, S, speed = G[turning], S[turning], speed[turning, None]
    foot = np.cross(S[:, :3], S[:, 3:]) / speed**2
    return np.einsum("nij,nj->ni", G[:, :3, :3], foot) + G[:, :3, 3], np.einsum(
        "nij,nj->ni", G[:, :3, :3], S[:, :3] / speed
    )


def axode_figure(fit: CurveFit, half_length: float = 0.05) -> Figure:
    """The instantaneous screw axis as it moves: a ruled surface, dark to light."""
    import matplotlib as mpl

    figure = Figure(figsize=(5, 4.4), layout="constrained")
    axes = figure.add_subplot(projection="3d")
    points, directions = screw_axes(fit)
    for k, (p, n) in enumerate(zip(points, directions, strict=True)):
        ends = 1e3 * np.stack([p - half_length * n, p + half_length * n])
        axes.plot(*ends.T, color=mpl.colormaps["viridis"](k / len(points)))
    axes.set(title="axode in the parent's frame [mm]", xlabel="x", ylabel="y")
    return figure


def trade_off_figure(curve: TradeOff) -> Figure:
    """Misfit against bending, and the cross-validated error against the weight; the best is marked."""
    figure = Figure(figsize=(9, 3.4), layout="constrained")
    left, right = figure.subplots(1, 2)
    best = int(np.argmin(curve.error))
    left.loglog(curve.bending, curve.misfit, "-o", markersize=4)
    left.loglog(curve.bending[best], curve.misfit[best], "r*", markersize=12)
    left.set(title="trade-off", xlabel="bending", ylabel="misfit")
    some = curve.weights > 0
    right.semilogx(curve.weights[some], curve.error[some], "-o", markersize=4)
    right.axhline(curve.error[~some][0] if (~some).any() else np.nan, color="gray", linestyle=":", label="no smoothing")
    right.set(title="cross-validated error", xlabel="smoothing weight")
    right.legend()
    return figure


def surface_figure(fit: SurfaceFit) -> Figure:
    """How far the surface turns and moves from its middle over its first two coordinates, with the data's places."""
    figure = Figure(figsize=(9, 3.6), layout="constrained")
    a, b = (np.linspace(*d, 40) for d in fit.joint.domain[:2])
    rest = [np.mean(d) for d in fit.joint.domain[2:]]
    q = np.stack([*np.meshgrid(a, b, indexing="ij"), *(np.full((40, 40), r) for r in rest)], axis=-1)
    X = np.linalg.inv(fit.pose) @ fit.joint.pose(q)
    fields = (
        np.degrees(np.linalg.norm(log_so3(X[..., :3, :3]), axis=-1)),
        1e3 * np.linalg.norm(X[..., :3, 3], axis=-1),
    )
    for axes, field, what in zip(figure.subplots(1, 2), fields, ("turn [deg]", "distance [mm]"), strict=True):
        figure.colorbar(axes.contourf(a, b, field.T, 12), ax=axes)
        axes.plot(*fit.problem.q[:, :2].T, "w.", markersize=2)
        axes.set(title=f"{what} from the middle pose", xlabel=fit.names[0], ylabel=fit.names[1])
    return figure
