"""Which form a surface takes: the order of its three turns, and a moving base where every order has a singularity.

G(q) = B_c(q_c) · B_d(q_d) · … · pose · Π exp(e_k φ_k(q)). The turns of the last product are Euler angles, singular
where the second is ±90°. While the data stay within 60° the paper's order x, y, z is kept, or another order is taken in
which they do. Else spline curves, one for each coordinate, carry the surface along: rough ones suffice, since the φ_k
add what is missing. Their control frames are mean poses, weighted by how near the data are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import permutations
from math import pi

import numpy as np

from ...errors import unknown_name, warn
from ...joints import Joint, spline_curve
from ...joints.evaluate import pose_matrices
from ...spatial.twists import pose_inverse
from ...splines import greville
from ..pose_data import PoseData
from .surface_chart import euler_coordinates, middle_pose

ORDERS = ("xyz", "yzx", "zxy", "xzy", "yxz", "zyx")
ASKED = ("auto", *ORDERS, "moving")
NEAR, WRAPPED = pi / 3, 5 * pi / 6  # [rad] how far the second turn, and the others, may go before another form is taken
SINGULAR = np.radians(80.0)  # beyond this no form is good
SLAB = 0.15  # of a coordinate's range: poses that count while the others are kept in the middle
ROUNDS = 3


@dataclass(frozen=True)
class SurfaceForm:
    """The order of the turns, the curves that move the surface (coordinate, joint), and why they were chosen."""

    turns: str = "xyz"
    base: tuple[tuple[int, Joint], ...] = ()
    reason: str = "the three turns are x, y, z, as in the paper"

    def base_poses(self, q: np.ndarray) -> np.ndarray:
        """Poses of the base at coordinates (N, n)."""
        out = np.broadcast_to(np.eye(4), (len(q), 4, 4))
        for c, joint in self.base:
            out = out @ pose_matrices(joint, q[:, c : c + 1])
        return out


def chosen_form(data: PoseData, q: np.ndarray, knots, order: int, asked: str, kept: float = 1.0) -> SurfaceForm:
    """The form for poses at coordinates (N, n); a share `kept` of the poses must be far from singularities."""
    if asked not in ASKED:
        raise unknown_name("form of a surface (twists)", asked, ASKED, "fit_surface")
    if asked in ORDERS:
        return SurfaceForm(asked, reason=f"the turns {', '.join(asked)} were asked for")
    if not data.turned.any():
        return SurfaceForm()
    if asked == "auto" and farthest(data, "xyz", kept) <= NEAR:
        return SurfaceForm()
    reach = {turns: farthest(data, turns, kept) for turns in ORDERS}
    best = min(ORDERS, key=lambda turns: reach[turns])
    if asked == "auto" and reach[best] <= NEAR:
        words = "turns about x, y, z would come to {:.0f}° in the second; in the order {} it is {:.0f}° at most"
        return SurfaceForm(best, reason=words.format(*degrees(reach["xyz"]), ", ".join(best), *degrees(reach[best])))
    return moving_form(data, q, knots, order, kept, reach[best])


def farthest(data: PoseData, turns: str, kept: float = 1.0) -> float:
    """How far the second turn goes [rad] over a share of the poses; more where the first or third may wrap."""
    phi = np.abs(euler_coordinates(middle_pose(data), data.poses[data.turned], turns)[:, 3:])
    used = np.maximum(phi[:, 1], (pi / 2) * (phi[:, [0, 2]].max(axis=1) / WRAPPED) ** 8)
    return float(np.quantile(used, kept))


def degrees(*angles: float) -> tuple[float, ...]:
    return tuple(float(np.degrees(min(a, pi / 2))) for a in angles)


def moving_form(data: PoseData, q: np.ndarray, knots, order: int, kept: float, fixed: float) -> SurfaceForm:
    """The moving base, and the order of the turns on it, that leave the least second turn."""
    found = []
    for sequence in sequences(q.shape[1]):
        form = SurfaceForm(base=moving_base(data, q, knots, order, sequence))
        left = replace(data, poses=pose_inverse(form.base_poses(q)) @ data.poses)
        found += [(farthest(left, turns, kept), k, replace(form, turns=turns)) for k, turns in enumerate(ORDERS)]
    least, _, form = min(found, key=lambda f: f[:2])
    if least > SINGULAR:
        warn(
            f"fit_surface: no form keeps these poses off a singularity (the second turn comes "
            f"to {degrees(least)[0]:.0f}° even on a moving base). Check the coordinates, or divide the poses and fit "
            "two surfaces."
        )
    curves = " · ".join(f"curve of coordinate {c}" for c, _ in form.base)
    words = "fixed axes would come within {:.0f}° of a singularity in any order; on a moving base ({}) {:.0f}° are left"
    reason = words.format(90.0 - degrees(fixed)[0], curves, 90.0 - degrees(least)[0])
    return replace(form, reason=reason if fixed > NEAR else f"a moving base ({curves}) was asked for")


def sequences(n: int) -> Iterator[tuple[int, ...]]:
    """Orders in which the curves of n coordinates may act: all, but for four coordinates only there and back."""
    return permutations(range(n)) if n < 4 else iter([tuple(range(n)), tuple(range(n))[::-1]])


def moving_base(data: PoseData, q: np.ndarray, knots, order: int, sequence) -> tuple[tuple[int, Joint], ...]:
    """One curve for each coordinate: first along the middle of the others, then each by what the others leave."""
    count = np.array([len(k) - order for k in knots])
    middle, width = np.median(q, axis=0), np.array([k[-1] - k[0] for k in knots])
    curves: dict[int, Joint] = {}
    for turn in range(ROUNDS):
        for place, c in enumerate(sequence):
            before = SurfaceForm(base=tuple((d, curves[d]) for d in sequence[:place]))
            after = SurfaceForm(base=tuple((d, curves[d]) for d in sequence[place + 1 :] if d in curves))
            poses = pose_inverse(before.base_poses(q)) @ data.poses @ pose_inverse(after.base_poses(q))
            off = [d for d in sequence[place + 1 :] if turn == 0]
            slab = np.exp(-0.5 * (((q[:, off] - middle[off]) / (SLAB * width[off])) ** 2).sum(axis=1))
            near = replace(data, poses=poses, weights=data.weights * slab)
            curves[c] = mean_curve(near, q[:, c], knots[c], order, float(0.5 * width[c] / count[c]))
    return tuple((c, curves[c]) for c in sequence)


def mean_curve(data: PoseData, q: np.ndarray, knots: np.ndarray, order: int, width: float) -> Joint:
    """A curve whose control frames are means of the poses near their places, [width] of a Gaussian about them."""
    frames = []
    for place in greville(knots, order):
        away = 0.5 * ((q - place) / width) ** 2
        frames.append(middle_pose(replace(data, weights=data.weights * np.exp(away.min() - away))))
    return spline_curve(np.array(frames), knots, order)
