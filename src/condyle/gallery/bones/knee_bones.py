"""Bones of a knee made by code for a given motion: condyles that touch a plateau all along, shafts, a patella.

They are of plausible size and nobody's. The sagittal profile of each condyle is that convex curve which a flat plateau
touches all along the motion (its support function is the plateau's distance from the femur's centre), continued by
circles; across, condyles and plateaus are arcs. Femur axes: y up, z the flexion axis, the front of the knee along −x
(flexion is a turn about +z).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...joints import Joint, Surface

DEEP, SIDE = 0.031, 0.023  # [m] of the plateaus below the femur's centre, and to the sides
ARC, DISH = 0.020, 0.030  # [m] radii across of condyles and plateaus
FRONT, BACK = 0.030, 0.019  # [m] radii of the profiles beyond the motion
RADII = ((0.016, 0.030), (0.024, 0.045))  # [m] that profiles may have at 90° and straight
AROUND = (-1.5, 2.5)  # [rad] of the profile: front to back


@dataclass(frozen=True)
class KneeBones:
    """Bones made for a knee joint: grids of points, in the femur's frame or the tibia's."""

    joint: Joint

    @cached_property
    def reach(self) -> tuple[float, float]:
        """The flexions [rad] that the joint was fitted to."""
        return self.joint.domain[0]

    @cached_property
    def supports(self) -> dict[float, np.ndarray]:
        """The support functions of both condyles, by side."""
        return {side: self.support(side) for side in (-SIDE, SIDE)}

    def support(self, side: float) -> np.ndarray:
        """a, b, c, d of the condyle's support function a + b cos t + c sin t + d t sin t, nearest to the plateau's.

        That is the plateau's distance [m] from the femur's centre by flexion t; the radius a + 2 d cos t is kept within
        plausible bounds, straight and at 90°.
        """
        from scipy.optimize import lsq_linear

        t = np.linspace(*self.reach, 80)
        place = self.joint.pose(t[:, None]).as_matrix() @ [0.0, -DEEP, side, 1.0]
        distance, turned = np.sin(t) * place[:, 0] - np.cos(t) * place[:, 1], 0.5 * t * np.sin(t)
        rows = np.stack([1.0 - turned, np.cos(t), np.sin(t), turned], axis=1)
        low, high = zip(RADII[0], (-1.0, 1.0), (-1.0, 1.0), RADII[1], strict=True)
        a, b, c, straight = lsq_linear(rows, distance, (low, high)).x
        return np.array([a, b, c, 0.5 * (straight - a)])

    def profile(self, side: float, t: np.ndarray, less: float = 0.0) -> np.ndarray:
        """Points (N, 2) of the condyle's profile by the direction of its normal, moved in by `less` [m]."""
        low, high = self.reach
        (a, b, c, d), inner = self.supports[side], np.clip(t, low, high)
        cos, sin = np.cos(inner), np.sin(inner)
        value, slope = a + b * cos + (c + d * inner) * sin, (c + d * inner) * cos + (d - b) * sin
        radius = np.where(t < low, FRONT, np.where(t > high, BACK, 0.0))
        beyond = t - inner  # a circle goes on with the same point and tangent
        cos, sin = np.cos(beyond), np.sin(beyond)
        outside = (value - radius) * cos + slope * sin + radius, -(value - radius) * sin + slope * cos
        value, slope = (np.where(beyond == 0.0, x, y) for x, y in zip((value, slope), outside, strict=True))
        m, tangent = np.stack([np.sin(t), -np.cos(t)], 1), np.stack([np.cos(t), np.sin(t)], 1)
        return (value - less)[:, None] * m + slope[:, None] * tangent

    def condyle(self, side: float, across: np.ndarray) -> np.ndarray:
        """A grid of the articular surface, `across` [m] from its middle line."""
        t = np.linspace(*AROUND, 61)
        return np.stack([self._row(side, t, ARC - np.sqrt(ARC**2 - x**2), side + x) for x in across], axis=1)

    def _row(self, side: float, t: np.ndarray, less: float, z: float) -> np.ndarray:
        return np.column_stack([self.profile(side, t, less), np.full(len(t), z)])

    def articular(self, side: float) -> Surface:
        """The condyle as a surface, in the femur, by the direction of its normal and the distance across."""

        def f(t: np.ndarray, x: np.ndarray) -> np.ndarray:
            less = ARC - np.sqrt(ARC**2 - x**2)
            flat = self.profile(side, t) - less[:, None] * np.stack([np.sin(t), -np.cos(t)], axis=1)
            return np.column_stack([flat, side + x])

        low, high = self.reach
        return Surface.from_function(f, ((low, high), (-0.009, 0.009)), title="condyle")

    def plateau(self, side: float) -> Surface:
        """The plateau as a surface, in the tibia: flat from front to back, hollow across."""

        def f(x: np.ndarray, y: np.ndarray) -> np.ndarray:
            return np.stack([x, -DEEP + DISH - np.sqrt(DISH**2 - y**2), side - y], axis=1)

        return Surface.from_function(f, ((-0.02, 0.02), (-0.013, 0.013)), title="plateau")

    def femur(self) -> list[np.ndarray]:
        """Grids: two condyles with their sides, the groove of the patella, and the shaft."""
        out = []
        for side in (-SIDE, SIDE):
            grid = self.condyle(side, np.linspace(-0.0135, 0.0135, 15))
            sides = [grid[:, [k]] * (shrunk, shrunk, 1.0) for k, shrunk in ((0, 0.35), (0, 0.8), (-1, 0.8), (-1, 0.35))]
            out.append(np.concatenate([*sides[:2], grid, *sides[2:]], axis=1))
        z = np.linspace(-0.03, 0.03, 15)
        t = np.linspace(-1.75, -0.1, 25)
        middle = 0.5 * (self.profile(-SIDE, t) + self.profile(SIDE, t))
        deep = 1.0 - 0.16 * np.exp(-((z / 0.012) ** 2)) - 0.12 * (z / 0.03) ** 4
        out.append(np.stack([np.column_stack([d * middle, np.full(25, x)]) for d, x in zip(deep, z, strict=True)], 1))
        core = ball_grid((0.004, 0.0, 0.0), (0.021, 0.026, 0.0335))  # what joins the condyles
        shaft = tube([(0.003, -0.016, 0.006, 0.020), (0.001, -0.006, 0.017, 0.033), (0.002, 0.018, 0.021, 0.036),
                      (0.0, 0.04, 0.017, 0.026), (0.0, 0.075, 0.0135, 0.016), (0.0, 0.15, 0.0125, 0.0135)])  # fmt: skip
        return [*out, core, shaft]

    def tibia(self) -> list[np.ndarray]:
        """Grids: two plateaus and the shaft below them."""
        a, b = np.meshgrid(np.linspace(-1.0, 1.0, 21), np.linspace(-1.0, 1.0, 21), indexing="ij")
        a, b = 0.0205 * a * np.sqrt(1.0 - 0.5 * b * b), 0.0138 * b * np.sqrt(1.0 - 0.5 * a * a)  # a square as an oval
        rim = 0.005 * ((a / 0.0205) ** 2 + (b / 0.0138) ** 2) ** 6  # its edge is in the bone
        dish = -DEEP - rim + DISH - np.sqrt(DISH**2 - b**2)
        plates = [np.stack([a, dish, side + b], axis=-1) for side in (-SIDE, SIDE)]
        shaft = tube([(0.0, -DEEP - 0.002, 0.019, 0.034), (0.0, -DEEP - 0.008, 0.024, 0.039),
                      (-0.003, -0.065, 0.020, 0.028), (-0.004, -0.10, 0.016, 0.016),
                      (-0.002, -0.17, 0.012, 0.012)])  # fmt: skip
        knob = ball_grid((0.0, -DEEP - 0.001, 0.0), (0.011, 0.007, 0.006))
        fibula = tube(
            [(0.012, -0.05, 0.008, 0.008), (0.012, -0.075, 0.005, 0.005), (0.01, -0.17, 0.004, 0.004)], -0.036
        )
        return [*plates, shaft, knob, fibula]

    def patella(self) -> np.ndarray:
        """A grid of the knee cap in its own frame: x away from the femur."""
        return ball_grid((0.0, 0.0, 0.0), (0.008, 0.018, 0.019))


def tube(rows: list[tuple[float, float, float, float]], z: float = 0.0) -> np.ndarray:
    """A grid around a bone along y, smooth through rows of (x, y, half width along x, along z)."""
    from scipy.interpolate import PchipInterpolator

    table = np.array(rows)
    k = np.linspace(0, len(rows) - 1, 8 * len(rows))
    x, y, a, b = PchipInterpolator(np.arange(len(rows)), table)(k).T[..., None]
    angle = np.linspace(0.0, 2.0 * np.pi, 29)
    return np.stack([x + a * np.cos(angle), y + 0.0 * angle, z + b * np.sin(angle)], axis=-1)


def ball_grid(center, axes) -> np.ndarray:
    """A grid of an ellipsoid."""
    u, w = np.meshgrid(np.linspace(0, 2 * np.pi, 25), np.linspace(0, np.pi, 13), indexing="ij")
    return np.asarray(center) + np.stack([np.cos(u) * np.sin(w), np.cos(w), np.sin(u) * np.sin(w)], axis=-1) * axes
