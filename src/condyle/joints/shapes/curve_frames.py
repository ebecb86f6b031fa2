"""Frames along a curve as three angles: R = P · R_z(α) R_y(β) R_x(γ), x along the curve, γ the roll about it.

α and β are the direction of the tangent seen from a pole P e_z that the tangent never comes near, so they are smooth
everywhere; every curve has such a pole, and a plane curve has its plane's normal. The frame turns about the curve at
the rate γ' − α' sin β, so a rotation-minimising frame has γ = ∫ α' sin β; a closed one does not close, and what is
missing is spread evenly over the length.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import BadShape, BadValue, NotSupported, require, unknown_name
from ...spatial.arrays import real_numbers
from .antiderivative import Antiderivative
from .complex_derivatives import angle_of, lengths, nearest_turn
from .curve import Curve
from .poles import farthest_pole
from .written_function import WrittenFunction

FRAMES = ("rotation-minimizing", "frenet", "surface normal", "fixed")
FLAT = 1e-12  # of the size: a curve nearer to a plane than this is plane
STRAIGHT = 1e-6  # of 1/length: less curvature has no principal normal
ALONG = 1e-3  # a normal this near to the tangent leaves the frame undefined
CROWDED = 0.999  # cosine of the least angle between the pole and tangents

Angle = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class FrameAngles:
    """P (3, 3), and α, β, γ as continuous functions of the parameter; None where an angle is zero all along."""

    pole: np.ndarray
    alpha: Angle
    beta: Angle | None
    gamma: Angle | None


def frame_angles(curve: Curve, frame: str, normal, up) -> FrameAngles:
    """The angles of a kind of frame; `up` [3] is where its z axis points on the whole."""
    if frame not in FRAMES:
        raise unknown_name("frame", frame, FRAMES, "along")
    require_moving(curve)
    P, flat = plane_of(curve)
    if not flat:
        P = best_pole(curve)
    alpha = continuous(curve, lambda t: angle_of(*(curve.at(t, 1) @ P).T[[1, 0]]))
    beta = None if flat else lambda t: -angle_of((d := curve.at(t, 1) @ P)[:, 2], lengths(d[:, :2]))
    bare = FrameAngles(P, alpha, beta, None)
    if frame == "rotation-minimizing":
        return bare if flat and up is None else FrameAngles(P, alpha, beta, minimizing_roll(curve, bare, up))
    wanted = binormals(curve) if frame == "frenet" else normals_of(curve, normal)
    return FrameAngles(P, alpha, beta, continuous(curve, lambda t: roll_towards(bare, t, wanted(t))))


def places_of(curve: Curve) -> np.ndarray:
    """Parameters close enough to each other to follow angles by."""
    spans = curve.arc.spans
    return np.unique((spans[:-1, None] + np.diff(spans)[:, None] * np.linspace(0.0, 1.0, 17)).ravel())


def require_moving(curve: Curve) -> None:
    """A curve that stands still somewhere has no direction there."""
    t = places_of(curve)
    speed = np.linalg.norm(curve.at(t, 1), axis=1)
    k = int(np.argmin(speed))
    where = ", ".join(f"{x:.4g}" for x in curve.at(t[[k]], 0)[0])
    expected = f"along: the curve stands still at ({where}); its direction is not known there"
    require(speed[k] > 1e-9 * speed.max(), expected, BadValue, parameter=float(t[k]))


def plane_of(curve: Curve) -> tuple[np.ndarray, bool]:
    """Axes with z across the plane that a curve lies in, seen counterclockwise, and whether it lies in one."""
    t = places_of(curve)
    p = curve.at(t, 0)
    if not p[:, 2].any():
        return np.eye(3), True
    middle = p.mean(axis=0)
    _, sizes, V = np.linalg.svd(p - middle, full_matrices=False)
    flat = sizes[2] <= FLAT * sizes[0] * np.sqrt(len(t)) and sizes[1] > 1e-9 * sizes[0]
    around = np.cross(p[:-1] - middle, p[1:] - middle).sum(axis=0)
    z = V[2] if V[2] @ around >= 0.0 else -V[2]
    return np.stack([V[0], np.cross(z, V[0]), z], axis=-1), bool(flat)


def best_pole(curve: Curve) -> np.ndarray:
    """Axes whose z is as far as possible from every tangent and its opposite."""
    d = curve.at(places_of(curve), 1)
    P, nearest = farthest_pole(d / np.linalg.norm(d, axis=1, keepdims=True))
    require(nearest < CROWDED, "along: the tangents point in all directions; cut the curve in two", NotSupported)
    return P


def continuous(curve: Curve, raw: Angle) -> Angle:
    """An angle known up to whole turns, made continuous along the curve."""
    table = places_of(curve)
    followed = np.unwrap(raw(table))

    def angle(t: np.ndarray) -> np.ndarray:
        return nearest_turn(raw(t), np.interp(np.real(t), table, followed))

    return angle


def unrolled(f: FrameAngles, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The y and z axes before the roll, (N, 3) each."""
    a, b = f.alpha(t), 0.0 * t if f.beta is None else f.beta(t)
    y = np.stack([-np.sin(a), np.cos(a), 0.0 * a], axis=-1)
    z = np.stack([np.cos(a) * np.sin(b), np.sin(a) * np.sin(b), np.cos(b)], axis=-1)
    return y @ f.pole.T, z @ f.pole.T


def roll_towards(f: FrameAngles, t: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """The roll that brings z towards given directions."""
    y, z = unrolled(f, t)
    return angle_of(-(wanted * y).sum(axis=1), (wanted * z).sum(axis=1))


def minimizing_roll(curve: Curve, f: FrameAngles, up) -> Angle:
    """∫ α' sin β, spread so that a closed curve closes, and turned so that z points `up` on the whole."""
    carried, turned = _carried(curve, f)

    def roll(t: np.ndarray) -> np.ndarray:
        return carried(t) - turned * curve.arc(t) / curve.length

    t, w = curve.arc.nodes()
    y, z = unrolled(f, t)
    up = np.array((0.0, 0.0, 1.0)) if up is None else real_numbers(up, "along: up")
    require(up.shape == (3,) and bool(np.linalg.norm(up) > 0), "along: up is a direction of three numbers", BadShape)
    c, s, w = np.cos(roll(t)), np.sin(roll(t)), w * np.linalg.norm(curve.at(t, 1), axis=1)
    A, B = w @ (c * (z @ up) - s * (y @ up)), w @ (-s * (z @ up) - c * (y @ up))
    start = np.arctan2(B, A) if np.hypot(A, B) > 1e-9 * curve.length * np.linalg.norm(up) else 0.0
    return lambda t: start + roll(t)


def _carried(curve: Curve, f: FrameAngles) -> tuple[Angle, float]:
    """∫ α' sin β, and what a closed frame lacks after one round, within half a turn."""
    if f.beta is None:
        return lambda t: 0.0 * t, 0.0
    beta = f.beta

    def rate(t: np.ndarray) -> np.ndarray:
        d, dd = curve.at(t, 1) @ f.pole, curve.at(t, 2) @ f.pole
        return (d[:, 0] * dd[:, 1] - d[:, 1] * dd[:, 0]) / (d[:, 0] ** 2 + d[:, 1] ** 2) * np.sin(beta(t))

    carried = Antiderivative(rate, curve.arc.spans, "along: the roll of the frame", 1e-13)
    lacking = carried.total - 2.0 * np.pi * np.round(carried.total / (2.0 * np.pi))
    return carried, lacking if curve.closed else 0.0


def binormals(curve: Curve) -> Angle:
    """c' × c''; refused where the curve is straight, with the place."""
    t = places_of(curve)
    s, kappa = curve.arc(t), _curvatures(curve, t)
    k = int(np.argmin(kappa))
    place = ", ".join(f"{x:.4g}" for x in curve.at(t[[k]], 0)[0])
    expected = f"along: the curve is straight at {s[k]:.4g} m ({place}), so it has no Frenet frame there"
    straight = kappa[k] * curve.length < STRAIGHT
    require(not straight, f"{expected}; take frame='rotation-minimizing'", BadValue, curvature=float(kappa[k]))
    across = _binormal(curve, t)
    flips = np.flatnonzero((across[1:] * across[:-1]).sum(axis=1) < 0.0)
    expected = "along: the curve changes the side that it bends to, where its Frenet frame jumps by half a turn"
    require(len(flips) == 0, f"{expected}; take frame='rotation-minimizing'", BadValue, lengths=s[flips[:3]].tolist())
    return lambda t: _binormal(curve, t)


def _binormal(curve: Curve, t: np.ndarray) -> np.ndarray:
    return np.cross(curve.at(t, 1), curve.at(t, 2))


def _curvatures(curve: Curve, t: np.ndarray) -> np.ndarray:
    return np.linalg.norm(_binormal(curve, t), axis=1) / np.linalg.norm(curve.at(t, 1), axis=1) ** 3


def normals_of(curve: Curve, given: Any) -> Angle:
    """Normals of the surface that a curve runs on, given as a function of points, or its own."""
    normal: Any = curve.normal if given is None else given
    expected = "along: frame='surface normal' needs normal=, a function from points (N, 3) to normals (N, 3)"
    require(callable(normal), expected, BadValue, normal=type(normal).__name__)
    written = WrittenFunction(normal, (3,), True, "along")
    t = places_of(curve)
    n, d = written(curve.at(t, 0)), curve.at(t, 1)
    size = np.linalg.norm(n, axis=1) * np.linalg.norm(d, axis=1)
    across = np.linalg.norm(np.cross(n, d), axis=1)
    k = int(np.argmin(across / np.maximum(size, 1e-300)))
    place = ", ".join(f"{x:.4g}" for x in curve.at(t[[k]], 0)[0])
    expected = f"along: the normal vanishes or points along the curve at ({place})"
    require(bool(across[k] > ALONG * size[k]), expected, BadValue)
    return lambda t: np.asarray(written(curve.at(t, 0)), t.dtype)
