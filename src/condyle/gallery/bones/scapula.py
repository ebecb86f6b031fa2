"""A shoulder blade that glides on the ribs, held by a clavicle on springs, with an arm.  [LeeTerzopoulos2008, fig. 4]

Synthetic, but for its rotations: over a grid of arm elevations (30° to 120°) and planes of elevation (frontal to
sagittal) the blade turns as bone pins showed on average: internal rotation 31.5° to 46.5° from plane to plane, upward
rotation 16° to 44.5° and tilt −11° (forward) to +3° with elevation, straight in between: within 2.8° of every
published mean, 1.6° by root mean square [Ludewig2009]. The rib cage is an ellipsoid with round numbers for lengths. At
every grid point the middle of the blade is on it, at the place where the acromion is a clavicle away from the
sternoclavicular joint and the blade lies as flat on the ribs as it can; splines go through the grid. World axes: x
forward, y left, z up; a right shoulder. Blade axes after the ISB: x forward (into the ribs), y up, z along the spine
to the acromion.

- P. M. Ludewig et al. Motion of the shoulder complex during multiplanar humeral elevation. Journal of Bone and Joint
  Surgery (American) 91, 2009.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.interpolate import make_interp_spline
from scipy.optimize import minimize, root_scalar
from scipy.spatial.transform import Rotation

from ...joints import Joint, ball, spline_surface, universal
from ...model import ModelBuilder
from ...model.look.overlays import Frames, Sheet
from ...model.look.shapes import BONE, bone, limb, sphere
from ...plots import Panel, curves
from ...simulation import Trajectory
from ...skeleton.drawing import coil
from ...spatial import SE3, Inertia
from ...spatial.twists import pose_inverse, pose_matrix
from ..outlines import UPRIGHT
from ..scene import Scene
from . import rib_cage
from .shoulder_blade import blade_grids

CARTILAGE = (0.72, 0.80, 0.84)
BLADE = (0.93, 0.80, 0.56)  # colour, told apart from the ribs behind it
RIBS = np.array([0.11, 0.145, 0.24])  # [m] semi-axes of the rib cage
STERNUM = np.array([0.07, -0.02, 0.17])  # [m] the sternoclavicular joint
CLAVICLE = 0.19  # [m]
ACROMION = np.array([-0.02, 0.04, 0.09])  # [m] in the blade's frame
ELEVATION, PLANE = np.radians([30.0, 120.0]), np.radians([0.0, 90.0])
INTERNAL, UPWARD, TILT = np.radians([31.5, 46.5]), np.radians([16.0, 44.5]), np.radians([-11.0, 3.0])
GRID = 7
END, SPRUNG = np.array([CLAVICLE, 0.0, 0.0]), 0.015 * np.eye(3)  # [m] short springs in three directions hold a point
BEHIND = np.array([0.030, 0.0, 0.0])  # [m] from the lower angle back to where its sheet is seen, clear of the bones
GLIDE = (60.0, 40.0)  # [deg] of elevation and plane that `gliding` goes around
# In the blade's frame [m]: its lower angle and the root of its spine.
ANGLE, ROOT = np.array([(0.0, -0.09, -0.01), (0.0, 0.03, -0.035)])


def blade_rotation(elevation: float, plane: float) -> np.ndarray:
    """The blade's axes in the world at an arm elevation and its plane [rad]: turns about y, x, z of the ISB."""
    rise, across = np.interp(elevation, ELEVATION, (0.0, 1.0)), np.interp(plane, PLANE, (0.0, 1.0))
    internal, upward, tilt = (a[0] + s * (a[1] - a[0]) for a, s in ((INTERNAL, across), (UPWARD, rise), (TILT, rise)))
    return UPRIGHT[:3, :3] @ Rotation.from_euler("YXZ", (internal, -upward, tilt)).as_matrix()


def _on_ribs(latitude: float, longitude: float) -> np.ndarray:
    """A place on the rib cage; longitude from the front to the right."""
    c = np.cos(latitude)
    return RIBS * (c * np.cos(longitude), -c * np.sin(longitude), np.sin(latitude))


def _pose(elevation: float, plane: float) -> np.ndarray:
    """The blade on the ribs, its acromion a clavicle away from the sternum, as flat as it can lie."""
    R = blade_rotation(elevation, plane)

    def excess(x) -> float:
        return float(np.linalg.norm(_on_ribs(*x) + R @ ACROMION - STERNUM)) - CLAVICLE

    def tilted(x) -> float:
        normal = _on_ribs(*x) / RIBS**2
        return 1.0 + float(normal @ R[:, 0]) / float(np.linalg.norm(normal))

    held = {"type": "eq", "fun": excess}
    found = minimize(tilted, (0.2, 2.35), constraints=held, method="SLSQP", options={"ftol": 1e-14}).x
    latitude = root_scalar(lambda a: excess((a, found[1])), x0=found[0], x1=found[0] + 1e-4, xtol=1e-15).root
    return pose_matrix(R, _on_ribs(latitude, found[1]))


def _over(span: np.ndarray, count: int) -> np.ndarray:
    """Numbers over a span, ends included."""
    return np.linspace(span[0], span[1], count)


def _through(values: np.ndarray) -> tuple[tuple[np.ndarray, np.ndarray], np.ndarray]:
    """Knots and controls of the cubic splines through values on the grid (GRID, GRID, channels)."""
    first = make_interp_spline(_over(ELEVATION, GRID), values, k=3)
    second = make_interp_spline(_over(PLANE, GRID), np.moveaxis(first.c, 1, 0), k=3)
    return (first.t, second.t), np.moveaxis(second.c, 0, 1)


@cache
def scapulothoracic() -> Joint:
    """The shoulder blade on the ribs, as a joint of two coordinates.

    Returns
    -------
    Joint
        Coordinates "elevation" and "plane" of the arm, for which the blade is so [rad].
    """
    grid = np.array([[_pose(a, b) for b in _over(PLANE, GRID)] for a in _over(ELEVATION, GRID)])
    middle = grid[GRID // 2, GRID // 2]
    T = pose_inverse(middle) @ grid
    angles = Rotation.from_matrix(T[..., :3, :3].reshape(-1, 3, 3)).as_euler("XYZ").reshape(GRID, GRID, 3)
    knots, controls = _through(np.concatenate([T[..., :3, 3], angles], axis=-1))
    return spline_surface(controls, knots, pose=middle, names=("elevation", "plane"))


def _middle() -> SE3:
    """The blade in the middle of its domain."""
    return scapulothoracic().pose([np.mean(ELEVATION), np.mean(PLANE)])


def _clavicle_frame() -> np.ndarray:
    """At the sternum, x toward the acromion of the middle pose, z about up."""
    x = (_middle() @ [*ACROMION, 1.0])[:3] - STERNUM
    x /= np.linalg.norm(x)
    y = np.cross((0.0, 0.0, 1.0), x)
    y /= np.linalg.norm(y)
    return pose_matrix(np.stack([x, y, np.cross(x, y)], axis=1), STERNUM)


def scapula(stiffness: float = 4000.0, damping: float = 20.0) -> Scene:
    """A blade of 0.7 kg on the ribs, a clavicle on damped springs and an arm of 2.5 kg hanging from a ball joint.

    The blade is let go 31.5° away from where the springs of its two coordinates are slack. They hold 1.21 J, so that
    the energy falls steeply in the first tenth of a second; the clavicle's springs begin slack.

    Parameters
    ----------
    stiffness, damping : float, optional
        Of each of the three springs that hold the clavicle [N/m, N s/m].

    Returns
    -------
    Scene
    """
    b, joint = shoulder(stiffness, damping), scapulothoracic()
    for name, domain in (("elevation", ELEVATION), ("plane", PLANE)):
        b.add_stiffness(f"scapula.{name}", 4.0, rest=float(np.mean(domain)), damping=0.03)
    model, (sheets, frames) = b.build(), _drawn(joint)
    start = _start(model, [span[0] + 0.85 * (span[1] - span[0]) for span in (ELEVATION, PLANE)])
    seen = {"camera": (12, -120), "moments": (0.0, 0.2, 0.46), "moving": springs}
    return Scene("scapula", model, start, np.zeros(model.nv), (), sheets, 2.0, frames, **seen)


def gliding(duration: float = 4.0) -> Scene:
    """The blade led around 60° of elevation and 40° of plane of the arm, seen from behind; arm and clavicle follow.

    Parameters
    ----------
    duration : float, optional
        Of one way around [s].

    Returns
    -------
    Scene
        With the sheet that a place 3 cm behind the lower angle sweeps over that part, and frames there.
    """
    b, joint, turn = shoulder(4000.0, 20.0), scapulothoracic(), 2.0 * np.pi / duration
    (e, p), (a, c) = (float(np.mean(ELEVATION)), float(np.mean(PLANE))), np.radians(GLIDE) / 2.0
    b.prescribe("scapula.elevation", lambda t: e - a * np.cos(turn * t))
    b.prescribe("scapula.plane", lambda t: p + c * np.sin(turn * t))
    model = b.build()
    q = np.stack(np.meshgrid(e + a * np.linspace(-1, 1, 13), p + c * np.linspace(-1, 1, 9), indexing="ij"), axis=-1)
    poses = joint.pose(q)
    swept = Sheet(None, (poses @ [*(ANGLE - BEHIND), 1.0])[..., :3], (0.30, 0.60, 0.90), 0.85)
    places = (poses[::6, ::4] @ SE3.from_translation(ANGLE - BEHIND)).as_matrix().reshape(-1, 4, 4)
    now = SE3.from_translation(ANGLE - BEHIND).as_matrix()[None]
    frames = (Frames(None, places, 0.016), Frames("scapula", now, 0.035))
    start, speed = _start(model, (e - a, p), 0.0), np.zeros(model.nv)
    speed[1] = c * turn
    t = np.linspace(0.0, duration, 201)
    led = {"elevation": e - a * np.cos(turn * t), "plane": p + c * np.sin(turn * t)}
    panel = Panel("where the blade is led [°]", curves(t, {k: np.degrees(x) for k, x in led.items()}), "t [s]")
    seen = {"camera": (15, -170), "moments": (0.0, 1.0, 2.0, 3.0), "moving": springs, "panels": (panel,)}
    sheets = (*bones(), swept)
    return Scene("gliding", model, start, speed, (), sheets, duration, frames, **seen)


def shoulder(stiffness: float, damping: float) -> ModelBuilder:
    """The blade on the ribs, the clavicle on three springs, and the arm; nothing holds the blade's coordinates."""
    b, joint = ModelBuilder(), scapulothoracic()
    b.add_body(
        "scapula",
        joint=joint,
        inertia=Inertia.box(0.7, (0.02, 0.15, 0.11)),
        shapes=(limb(0.5 * (ROOT + ACROMION), ACROMION, 0.002),),
    )
    rod = Inertia.cylinder(0.15, 0.008, CLAVICLE, axis=0, com=(0.5 * CLAVICLE, 0.0, 0.0))
    collar = bone((0.0, 0.0, 0.0), (CLAVICLE - 0.008, 0.0, 0.0), 0.0095)
    b.add_body("clavicle", joint=universal("z", "y"), inertia=rod, placement=_clavicle_frame(), shapes=(collar,))
    for offset in SPRUNG:
        b.add_spring("clavicle", END, "scapula", ACROMION + offset, stiffness=stiffness, damping=damping, length=0.015)
    shoulder = SE3.from_translation(ACROMION + (0.0, -0.03, 0.0))
    arm = Inertia.capsule(2.5, 0.03, 0.24, axis=2, com=(0.0, 0.0, -0.15))
    elbow = (0.0, 0.0, -0.29)
    humerus = (sphere(0.021), bone((0.0, 0.0, -0.008), elbow, 0.021))
    b.add_body("arm", parent="scapula", joint=ball(), inertia=arm, placement=shoulder, shapes=humerus)
    return b


def springs(run: Trajectory) -> tuple[Sheet, ...]:
    """The springs at the acromion as coils, from the end of the clavicle to the blade, at every moment of a run."""
    blade, collar = (run.model.body_index(name) for name in ("scapula", "clavicle"))
    poses = run.poses()
    start = (poses[:, collar] @ [*END, 1.0])[:, :3]
    ends = [(poses[:, blade] @ [*(ACROMION + offset), 1.0])[:, :3] for offset in SPRUNG]

    def wire(end: np.ndarray):
        def at(time: float) -> np.ndarray:
            row = int(np.abs(run.t - time).argmin())
            return coil(start[row], end[row], 0.005, turns=5, each=9, around=4)

        return at

    return tuple(Sheet(None, wire(end), (0.25, 0.27, 0.30), 1.0, False) for end in ends)


def _start(model, place, swing: float = 0.6) -> np.ndarray:
    """The blade at a place of its domain, the clavicle at its acromion, the arm hanging, swung forward [rad]."""
    q = model.neutral()
    q[:2] = place
    blade_pose = scapulothoracic().pose(q[:2])
    x, y, z = (pose_inverse(_clavicle_frame()) @ blade_pose.as_matrix() @ [*ACROMION, 1.0])[:3]
    q[2:4] = np.arctan2(y, x), -np.arctan2(z, np.hypot(x, y))
    swung = Rotation.from_euler("y", -swing).as_matrix()  # the arm's −z swung forward, in the world
    q[4:] = Rotation.from_matrix(blade_pose[:3, :3].T @ swung).as_quat()[[3, 0, 1, 2]]
    return q


def _drawn(joint: Joint) -> tuple[tuple[Sheet, ...], tuple[Frames, ...]]:
    """The ribs and what the acromion sweeps; frames of the blade over its domain, and a larger one where it is now."""
    q = np.stack(np.meshgrid(_over(ELEVATION, 9), _over(PLANE, 9), indexing="ij"), axis=-1)
    poses = joint.pose(q)
    swept = Sheet(None, (poses @ [*ACROMION, 1.0])[..., :3], (0.30, 0.60, 0.90))
    frames = Frames(None, poses[::4, ::4].as_matrix().reshape(-1, 4, 4), 0.02)
    sheets = (*bones(), swept)
    return sheets, (frames, Frames("scapula", np.eye(4)[None], 0.06))


def bones() -> tuple[Sheet, ...]:
    """The rib cage, which stays, and the blade, as they are drawn."""
    still = ((BONE, rib_cage.ribs(RIBS)), (CARTILAGE, rib_cage.cartilage(RIBS)), (BONE, rib_cage.vertebrae(RIBS)))
    grids = [(None, BONE, rib_cage.breast_bone(RIBS)), *((None, color, g) for color, them in still for g in them)]
    grids += [("scapula", BLADE, g) for g in blade_grids(ACROMION)]
    return tuple(Sheet(body, grid, color, 1.0, False) for body, color, grid in grids)


def clavicle_misfit(points: int = 41) -> np.ndarray:
    """Distance from sternum to acromion less the clavicle's length over the domain [m]."""
    joint = scapulothoracic()
    q = np.stack(np.meshgrid(*(np.linspace(*d, points) for d in joint.domain), indexing="ij"), axis=-1)
    acromion = (joint.pose(q) @ [*ACROMION, 1.0])[..., :3]
    return np.linalg.norm(acromion - STERNUM, axis=-1) - CLAVICLE


def check() -> None:
    """The clavicle fits, and the springs only take energy."""
    assert abs(clavicle_misfit()).max() < 1e-4
    run = scapula().run(0.5, record=0.01)
    assert run.stopped is None and not run.outside
    assert np.all(np.diff(run.energy().total) < 1e-6)
    led = gliding().run(1.0, record=0.05)
    assert led.stopped is None and not led.outside
