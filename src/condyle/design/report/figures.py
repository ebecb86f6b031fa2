"""Pictures of a fit: the motion with its data, residuals, speed and bending, the axode, the trade-off."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from ...joints.evaluate import pose_matrices
from ...spatial import log_so3
from ...spatial.twists import pose_inverse
from ..curve_result import CurveFit
from ..fit_result import Fit, TradeOff
from ..surface_result import SurfaceFit

COLORS = ("#c0392b", "#2e8b57", "#2c6fbb")
INK, SOFT = "#2c6fbb", "#9aa5b1"


def panels(count: int, height: float = 3.2):
    """A figure with axes side by side, a light grid and no box."""
    figure = Figure(figsize=(4.6 * count, height), layout="constrained")
    axes = np.atleast_1d(figure.subplots(1, count))
    for a in axes:
        a.grid(color="#e6e9ed", linewidth=0.8)
        a.spines[["top", "right"]].set_visible(False)
    return figure, axes


def domain_samples(fit: CurveFit, count: int = 400) -> np.ndarray:
    """Evenly spread coordinates of the joint."""
    return np.linspace(*fit.joint.domain[0], count)


def motion_figure(fit: CurveFit) -> Figure:
    """Rotation vector [deg] and position [mm] of the joint from its start, with the poses as dots."""
    figure, (left, right) = panels(2, 3.6)
    x, q = domain_samples(fit), fit.problem.q
    base = pose_matrices(fit.joint, x[0])
    curves, dots = from_pose(base, pose_matrices(fit.joint, x)), from_pose(base, fit.data.poses)
    for axes, curve, dot, seen in zip((left, right), curves, dots, (fit.data.turned, fit.data.placed), strict=True):
        for k, color in enumerate(COLORS):
            axes.plot(x, curve[:, k], color=color, label="xyz"[k])
            axes.plot(q[seen], dot[seen, k], ".", color=color, markersize=4, alpha=0.5)
        axes.set_xlabel(fit.name)
        axes.legend(frameon=False)
    left.set(title="rotation vector from the start", ylabel="deg")
    right.set(title="way of the child's origin from the start", ylabel="mm")
    return figure


def from_pose(base: np.ndarray, T: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rotation vectors [deg] in the base's axes and ways [mm] in the parent's."""
    return np.degrees(log_so3(base[:3, :3].T @ T[:, :3, :3])), 1e3 * (T[:, :3, 3] - base[:3, 3])


def residual_figure(fit: Fit) -> Figure:
    """Residuals of every pose, and leave-one-out errors."""
    figure, axes = panels(2)
    curve = fit.problem.q.ndim == 1
    x = fit.coordinates if curve else np.arange(fit.data.count)
    shown = zip(axes, (fit.angle_errors, fit.distance_errors), fit.leave_one_out_errors, ("deg", "mm"), strict=True)
    for a, values, left_out, unit in shown:
        if np.isfinite(left_out).any():
            a.plot(x, left_out, "o", markersize=4, markerfacecolor="none", color=SOFT, label="leave-one-out")
        a.plot(x, values, ".", markersize=5, color=INK, label="fitted")
        a.set(xlabel=fit.title if curve else "row", ylabel=unit, ylim=(0, None))
        a.legend(frameon=False)
    axes[0].set_title("rotation residual")
    axes[1].set_title("position residual")
    return figure


def bending_figure(fit: CurveFit) -> Figure:
    """|S|, |dS/dq| and the part of it that turns the screw axis."""
    figure, (speed, bent, curved) = panels(3, 2.9)
    x, C = domain_samples(fit), fit.problem.C
    S, h = fit.joint.jacobian(x)[..., 0] @ C.T, fit.joint.hessian(x)[..., 0, 0] @ C.T
    squared = np.maximum((S * S).sum(1), 1e-30)
    normal = h - S * ((S * h).sum(1) / squared)[:, None]
    rows = (
        (speed, np.sqrt(squared), "speed |dG/dq|"),
        (bent, np.linalg.norm(h, axis=1), "bending |dS/dq|"),
        (curved, np.linalg.norm(normal, axis=1) / squared, "curvature (any pace)"),
    )
    for axes, y, title in rows:
        axes.plot(x, y, color=INK)
        axes.set(title=title, xlabel=fit.name, ylim=(0, None))
    return figure


def screw_axes(fit: CurveFit, count: int = 40) -> tuple[np.ndarray, np.ndarray]:
    """Points [m] and directions of the instantaneous screw axes in the parent's frame; sliding ones left out."""
    x = domain_samples(fit, count)
    G, S = pose_matrices(fit.joint, x), fit.joint.jacobian(x)[..., 0]
    speed = np.linalg.norm(S[:, :3], axis=1)
    turning = speed > 1e-3 * speed.max() + 1e-12
    G, S, speed = G[turning], S[turning], speed[turning, None]
    foot = np.cross(S[:, :3], S[:, 3:]) / speed**2
    return np.einsum("nij,nj->ni", G[:, :3, :3], foot) + G[:, :3, 3], np.einsum(
        "nij,nj->ni", G[:, :3, :3], S[:, :3] / speed
    )


def axode_figure(fit: CurveFit) -> Figure:
    """The instantaneous screw axis as it moves: a ruled surface, dark to light; the line joins the feet of the axes."""
    import matplotlib as mpl

    figure = Figure(figsize=(6.2, 5.2))
    axes = figure.add_axes((0.0, 0.02, 0.92, 0.92), projection="3d")
    points, directions = screw_axes(fit)
    far = np.linalg.norm(points - np.median(points, axis=0), axis=1) if len(points) else np.zeros(0)
    half = max(0.005, float(np.median(far))) if len(points) else 0.005
    near = np.flatnonzero(far < 6.0 * half)  # where the joint hardly turns its axis is far away
    for k in near:
        ends = 1e3 * np.stack([points[k] - half * directions[k], points[k] + half * directions[k]])
        axes.plot(*ends.T, color=mpl.colormaps["viridis"](k / len(points)))
    axes.plot(*1e3 * points[near].T, color="#333333", linewidth=1.2)
    axes.set(title="in the parent's frame [mm], axes not to scale", xlabel="x", ylabel="y", zlabel="z")
    axes.locator_params(nbins=4)
    return figure


def trade_off_figure(curve: TradeOff) -> Figure:
    """Misfit against bending, and the leave-one-out error against the weight; the best is marked."""
    figure, (left, right) = panels(2, 3.4)
    best = int(np.nanargmin(curve.error))
    left.loglog(curve.bending, np.maximum(curve.misfit, 1e-30), "-o", markersize=4, color=INK)
    left.loglog(curve.bending[best], curve.misfit[best], "*", markersize=13, color=COLORS[0])
    left.set(title="trade-off", xlabel="bending", ylabel="misfit")
    some = curve.weights > 0
    right.semilogx(curve.weights[some], curve.error[some], "-o", markersize=4, color=INK)
    if some[best]:
        right.semilogx(curve.weights[best], curve.error[best], "*", markersize=13, color=COLORS[0], label="chosen")
    if np.isfinite(curve.error[~some]).any():
        right.axhline(curve.error[~some][0], color=SOFT, linestyle=":", label="no smoothing")
    low = float(np.nanmin(curve.error))
    right.set(title="leave-one-out error", xlabel="smoothing weight", ylim=(0.9 * low, 3.0 * low))
    right.legend(frameon=False)
    return figure


def grid_of(fit: SurfaceFit, count: int = 40) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Values of the first two coordinates, and all coordinates (count, count, n) with the others in their middle."""
    a, b = (np.linspace(*d, count) for d in fit.joint.domain[:2])
    rest = [np.full((count, count), np.mean(d)) for d in fit.joint.domain[2:]]
    return a, b, np.stack([*np.meshgrid(a, b, indexing="ij"), *rest], axis=-1)


def mapped(fit: SurfaceFit, fields: tuple[tuple[np.ndarray, str], ...]) -> Figure:
    """Fields over the first two coordinates, with the data's places."""
    figure, axes = panels(len(fields), 3.4)
    a, b, _ = grid_of(fit)
    for panel, (field, title) in zip(axes, fields, strict=True):
        panel.grid(False)
        figure.colorbar(panel.contourf(a, b, field.T, 12), ax=panel)
        panel.plot(*fit.problem.q[:, :2].T, "w.", markersize=2.5)
        panel.set(title=title, xlabel=fit.names[0], ylabel=fit.names[1])
    return figure


def surface_figure(fit: SurfaceFit) -> Figure:
    """How far the surface turns and moves from its middle."""
    X = pose_inverse(fit.problem.pose) @ pose_matrices(fit.joint, grid_of(fit)[2])
    turn = np.degrees(np.linalg.norm(log_so3(X[..., :3, :3]), axis=-1))
    way = 1e3 * np.linalg.norm(X[..., :3, 3], axis=-1)
    return mapped(fit, ((turn, "turn from the middle [deg]"), (way, "distance from the middle [mm]")))


def margin_figure(fit: SurfaceFit) -> Figure:
    """The least singular value of the scaled Jacobian (0: a freedom is lost), and the second Euler angle."""
    q = grid_of(fit)[2]
    S = fit.problem.C @ fit.joint.jacobian(q)
    scale = np.linalg.norm(S, axis=-2).max(axis=(0, 1))
    least = np.linalg.svd(S / np.where(scale > 0, scale, 1.0), compute_uv=False)[..., -1]
    R = (pose_inverse(fit.problem.pose) @ pose_matrices(fit.joint, q))[..., :3, :3]
    second = np.degrees(np.arcsin(np.clip(R[..., 0, 2], -1, 1)))
    return mapped(fit, ((least, "rank margin"), (second, "second Euler angle [deg]")))
