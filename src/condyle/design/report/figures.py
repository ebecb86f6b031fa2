"""Pictures of a fit: the motion with its data, residuals, speed and bending, the axode, the trade-off."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...joints.evaluate import pose_matrices
from ...plots import Curve, Field, Panel, draw_chart
from ...spatial import log_so3
from ...spatial.twists import pose_inverse
from ..curve_result import CurveFit
from ..fit_result import Fit, TradeOff
from ..surface_result import SurfaceFit

COLORS = ("#c0392b", "#2e8b57", "#2c6fbb")
INK, SOFT = "#2c6fbb", "#9aa5b1"
Figure = Any  # matplotlib's; only `condyle.plots` knows it


def domain_samples(fit: CurveFit, count: int = 400) -> np.ndarray:
    """Evenly spread coordinates of the joint."""
    return np.linspace(*fit.joint.domain[0], count)


def in_row(panels: list[Panel], height: float = 3.2) -> Figure:
    """Panels side by side, with a light grid and no box."""
    return draw_chart(panels, size=(4.6 * len(panels), height), light=True)


def motion_figure(fit: CurveFit) -> Figure:
    """Rotation vector [deg] and position [mm] of the joint from its start, with the poses as dots."""
    x, q = domain_samples(fit), fit.problem.q
    T = pose_matrices(fit.joint, x)
    lines, dots = from_pose(T[0], T), from_pose(T[0], fit.data.poses)
    titles = ("rotation vector from the start", "deg"), ("way of the child's origin from the start", "mm")
    panels = []
    for line, dot, seen, (title, unit) in zip(lines, dots, (fit.data.turned, fit.data.placed), titles, strict=True):
        curves = []
        for k, color in enumerate(COLORS):
            curves.append(Curve(x, line[:, k], "xyz"[k], color=color))
            curves.append(Curve(q[seen], dot[seen, k], style=".", color=color, size=4, opacity=0.5))
        panels.append(Panel(title, curves, fit.name, unit))
    return in_row(panels, 3.6)


def from_pose(base: np.ndarray, T: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rotation vectors [deg] in the base's axes and ways [mm] in the parent's."""
    return np.degrees(log_so3(base[:3, :3].T @ T[:, :3, :3])), 1e3 * (T[:, :3, 3] - base[:3, 3])


def residual_figure(fit: Fit) -> Figure:
    """Residuals of every pose, and leave-one-out errors."""
    curve = fit.problem.q.ndim == 1
    x, words = (fit.coordinates, fit.title) if curve else (np.arange(fit.data.count), "row")
    panels = []
    for values, left_out, title, unit in zip(
        (fit.angle_errors, fit.distance_errors),
        fit.leave_one_out_errors,
        ("rotation residual", "position residual"),
        ("deg", "mm"),
        strict=True,
    ):
        open_marks = [Curve(x, left_out, "leave-one-out", "o", SOFT, size=4, hollow=True)]
        curves = [*(open_marks if np.isfinite(left_out).any() else []), Curve(x, values, "fitted", ".", INK, size=5)]
        panels.append(Panel(title, curves, words, unit, ylim=(0, None)))
    return in_row(panels)


def bending_figure(fit: CurveFit) -> Figure:
    """|S|, |dS/dq| and the part of it that turns the screw axis."""
    x, C = domain_samples(fit), fit.problem.C
    S, h = fit.joint.jacobian(x)[..., 0] @ C.T, fit.joint.hessian(x)[..., 0, 0] @ C.T
    squared = np.maximum((S * S).sum(1), 1e-30)
    normal = h - S * ((S * h).sum(1) / squared)[:, None]
    rows = (
        (np.sqrt(squared), "speed |dG/dq|"),
        (np.linalg.norm(h, axis=1), "bending |dS/dq|"),
        (np.linalg.norm(normal, axis=1) / squared, "curvature (any pace)"),
    )
    return in_row([Panel(title, [Curve(x, y, color=INK)], fit.name, ylim=(0, None)) for y, title in rows], 2.9)


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
    points, directions = screw_axes(fit)
    far = np.linalg.norm(points - np.median(points, axis=0), axis=1) if len(points) else np.zeros(0)
    half = max(0.005, float(np.median(far))) if len(points) else 0.005
    near = np.flatnonzero(far < 6.0 * half)  # where the joint hardly turns its axis is far away
    curves = [_in_space(points[k] + half * np.array([-directions[k], directions[k]]), k / len(points)) for k in near]
    curves.append(_in_space(points[near], "#333333", 1.2))
    panel = Panel("in the parent's frame [mm], axes not to scale", curves, "x", "y", "z")
    return draw_chart([panel], size=(6.2, 5.2))


def _in_space(points: np.ndarray, color: str | float, width: float | None = None) -> Curve:
    """A line through points (n, 3) [m], drawn in millimetres."""
    x, y, z = 1e3 * points.T
    return Curve(x, y, z=z, color=color, width=width)


def trade_off_figure(curve: TradeOff) -> Figure:
    """Misfit against bending, and the leave-one-out error against the weight; the best is marked."""
    best, misfit = int(np.nanargmin(curve.error)), np.maximum(curve.misfit, 1e-30)
    way = [Curve(curve.bending, misfit, style="-o", size=4, color=INK), _star(curve.bending[best], misfit[best])]
    some = curve.weights > 0
    x, y = curve.weights[some], curve.error[some]
    errors = [Curve(x, y, style="-o", size=4, color=INK)]
    if some[best]:
        errors.append(_star(curve.weights[best], curve.error[best], "chosen"))
    if np.isfinite(curve.error[~some]).any():
        ends = (x.min(), x.max()) if len(x) else (0.1, 1.0)
        errors.append(Curve(ends, np.repeat(curve.error[~some][0], 2), "no smoothing", ":", SOFT))
    low = float(np.nanmin(curve.error))
    panels = [
        Panel("trade-off", way, "bending", "misfit", log="xy"),
        Panel("leave-one-out error", errors, "smoothing weight", log="x", ylim=(0.9 * low, 3.0 * low)),
    ]
    return in_row(panels, 3.4)


def _star(x: float, y: float, label: str | None = None) -> Curve:
    """A mark of the best."""
    return Curve([x], [y], label, "*", COLORS[0], size=13)


def grid_of(fit: SurfaceFit, count: int = 40) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Values of the first two coordinates, and all coordinates (count, count, n) with the others in their middle."""
    a, b = (np.linspace(*d, count) for d in fit.joint.domain[:2])
    rest = [np.full((count, count), np.mean(d)) for d in fit.joint.domain[2:]]
    return a, b, np.stack([*np.meshgrid(a, b, indexing="ij"), *rest], axis=-1)


def mapped(fit: SurfaceFit, fields: tuple[tuple[np.ndarray, str], ...]) -> Figure:
    """Fields over the first two coordinates, with the data's places."""
    a, b, _ = grid_of(fit)
    places = Curve(*fit.problem.q[:, :2].T, style=".", color="white", size=2.5)
    x, y = fit.names[:2]
    panels = [Panel(title, [places], x, y, field=Field(a, b, values)) for values, title in fields]
    return in_row(panels, 3.4)


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
