"""A shoulder blade that glides on the ribs, held by a clavicle on springs, with an arm.  [LeeTerzopoulos2008, fig. 4]

Synthetic: the rib cage is an ellipsoid, and the blade is a frame on it (z outward) with two coordinates, elevation and
protraction. Its turn about the outward axis, the upward rotation, is chosen at every grid point so that the acromion is
as far from the sternoclavicular joint as the clavicle is long; splines go through the grid. All lengths are round
numbers of the right size, none is a measurement. Axes: x forward, y left to right, z up.
"""

from __future__ import annotations

import numpy as np
from scipy.interpolate import make_interp_spline
from scipy.optimize import root_scalar
from scipy.spatial.transform import Rotation

from ..joints import Joint, ball, spline_surface, universal
from ..model import ModelBuilder
from ..spatial import Inertia
from ..view.drawn import Line, Sheet
from .scene import Scene

__all__ = ["ACROMION", "CLAVICLE", "STERNUM", "scapula", "scapulothoracic"]

RIBS = np.array([0.11, 0.145, 0.24])  # [m] semi-axes of the rib cage
STERNUM = np.array([0.06, 0.02, 0.19])  # [m] the sternoclavicular joint
CLAVICLE = 0.19  # [m]
ACROMION = np.array([0.105, 0.035, 0.015])  # [m] in the blade's frame: along its spine, up, outward
ELEVATION, PROTRACTION = (0.25, 0.50), (2.05, 2.45)  # [rad] latitude and longitude of the blade's middle
GRID = 7


def _frame(latitude: float, longitude: float, rotation: float) -> np.ndarray:
    """A frame on the ribs: z outward, x to the side and up by `rotation` about z."""
    c = np.array([np.cos(longitude) * np.cos(latitude), np.sin(longitude) * np.cos(latitude), np.sin(latitude)])
    z = c / RIBS
    z /= np.linalg.norm(z)
    level = np.cross(z, (0.0, 0.0, 1.0))  # horizontal, toward the shoulder
    level /= np.linalg.norm(level)
    x = np.cos(rotation) * level - np.sin(rotation) * np.cross(z, level)
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = np.stack([x, np.cross(z, x), z], axis=1), RIBS * c
    return T


def _fitted(latitude: float, longitude: float) -> np.ndarray:
    """The frame whose acromion is a clavicle away from the sternum."""

    def excess(rotation: float) -> float:
        return (
            float(np.linalg.norm((_frame(latitude, longitude, rotation) @ [*ACROMION, 1.0])[:3] - STERNUM)) - CLAVICLE
        )

    return _frame(latitude, longitude, root_scalar(excess, bracket=(-0.2, 1.2), xtol=1e-14).root)


def _through(values: np.ndarray) -> tuple[tuple[np.ndarray, np.ndarray], np.ndarray]:
    """Knots and controls of the cubic splines through values on the grid (GRID, GRID, channels)."""
    first = make_interp_spline(np.linspace(*ELEVATION, GRID), values, k=3)
    second = make_interp_spline(np.linspace(*PROTRACTION, GRID), np.moveaxis(first.c, 1, 0), k=3)
    return (first.t, second.t), np.moveaxis(second.c, 0, 1)


def scapulothoracic() -> Joint:
    """The blade on the ribs: coordinates elevation and protraction [rad], the latitude and longitude of its middle."""
    grid = [[_fitted(a, b) for b in np.linspace(*PROTRACTION, GRID)] for a in np.linspace(*ELEVATION, GRID)]
    middle = np.array(grid[GRID // 2][GRID // 2])
    T = np.linalg.inv(middle) @ np.array(grid)
    angles = Rotation.from_matrix(T[..., :3, :3].reshape(-1, 3, 3)).as_euler("XYZ").reshape(GRID, GRID, 3)
    knots, controls = _through(np.concatenate([T[..., :3, 3], angles], axis=-1))
    return spline_surface(controls, knots, pose=middle, names=("elevation", "protraction"))


def _clavicle_frame() -> np.ndarray:
    """At the sternum, x toward the acromion of the middle pose, z about up."""
    acromion = (_fitted(float(np.mean(ELEVATION)), float(np.mean(PROTRACTION))) @ [*ACROMION, 1.0])[:3]
    x = (acromion - STERNUM) / CLAVICLE
    y = np.cross((0.0, 0.0, 1.0), x)
    y /= np.linalg.norm(y)
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = np.stack([x, y, np.cross(x, y)], axis=1), STERNUM
    return T


def scapula(stiffness: float = 4000.0, damping: float = 20.0) -> Scene:
    """The blade (0.7 kg), a clavicle on damped springs [N/m, N s/m] and an arm (2.5 kg) hanging from a ball joint."""
    b, joint = ModelBuilder(), scapulothoracic()
    b.add_body("scapula", joint=joint, inertia=Inertia.box(0.7, (0.11, 0.15, 0.02)))
    rod = Inertia.cylinder(0.15, 0.008, CLAVICLE, axis=0, com=(0.5 * CLAVICLE, 0.0, 0.0))
    b.add_body("clavicle", joint=universal("z", "y"), inertia=rod, placement=_clavicle_frame())
    for offset in 0.015 * np.eye(3):  # three short springs hold a point without a singular direction
        end = (CLAVICLE, 0.0, 0.0)
        b.add_spring("clavicle", end, "scapula", ACROMION + offset, stiffness=stiffness, damping=damping, length=0.015)
    shoulder = np.eye(4)
    shoulder[:3, 3] = ACROMION + (0.0, -0.03, 0.0)
    arm = Inertia.capsule(2.5, 0.03, 0.24, axis=2, com=(0.0, 0.0, -0.15))
    b.add_body("arm", parent="scapula", joint=ball(), inertia=arm, placement=shoulder)
    for name, (low, high) in zip(("elevation", "protraction"), (ELEVATION, PROTRACTION), strict=True):
        b.add_stiffness(f"scapula.{name}", 120.0, rest=0.5 * (low + high), damping=1.0)
    model = b.build()
    return Scene("scapula", model, _start(model), np.zeros(model.nv), _lines(), _sheets(joint), 2.0)


def _start(model) -> np.ndarray:
    """Near the middle of the domain, the clavicle straight at the acromion, the arm hanging and swung forward."""
    q = model.neutral()
    q[:2] = np.mean(ELEVATION), np.mean(PROTRACTION)
    blade = _fitted(*q[:2])
    swung = Rotation.from_euler("y", -0.6).as_matrix()  # the arm's −z swung forward, in the world
    q[4:] = Rotation.from_matrix(blade[:3, :3].T @ swung).as_quat()[[3, 0, 1, 2]]
    return q


def _lines() -> tuple[Line, ...]:
    blade = [(0.0, -0.09, 0), (-0.04, 0.06, 0), (0.05, 0.03, 0), tuple(ACROMION), (0.06, -0.01, 0), (0.0, -0.09, 0)]
    spine = [(-0.035, 0.03, 0.0), tuple(ACROMION)]
    return (
        Line("scapula", np.array(blade)),
        Line("scapula", np.array(spine)),
        Line("clavicle", np.array([(0.0, 0.0, 0.0), (CLAVICLE, 0.0, 0.0)])),
        Line("arm", np.array([(0.0, 0.0, 0.0), (0.0, 0.0, -0.30)])),
    )


def _sheets(joint: Joint) -> tuple[Sheet, ...]:
    """The ribs, and the surface that the acromion sweeps."""
    u, w = np.meshgrid(np.linspace(0, 2 * np.pi, 31), np.linspace(0, np.pi, 17), indexing="ij")
    ribs = 0.97 * RIBS * np.stack([np.cos(u) * np.sin(w), np.sin(u) * np.sin(w), np.cos(w)], axis=-1)
    a, b = np.meshgrid(np.linspace(*ELEVATION, 9), np.linspace(*PROTRACTION, 9), indexing="ij")
    swept = (joint.pose(np.stack([a, b], axis=-1)) @ [*ACROMION, 1.0])[..., :3]
    return Sheet(None, ribs), Sheet(None, swept)
