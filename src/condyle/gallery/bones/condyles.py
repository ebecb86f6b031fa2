"""A knee in three dimensions: condyles on a plateau, screw-home, axodes, a patella that follows the knee.

The motion is a table of poses: a passive flexion given by path, or, without one, a made-up flexion with a screw-home of
17° and noise. The same poses are fitted twice, as near as it gets and smoothed. Bones are made by code for the smoothed
motion (`knee_bones`); the patella's way around the femur, and the ligaments' places, are made up.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...design import CurveFit, fit_curve, read_poses
from ...joints import ContactPath, compose, contact_path, revolute, screw_axes, weld
from ...model import ModelBuilder
from ...model.look.overlays import Line, Sheet
from ...model.look.shapes import BONE
from ...plots import Curve, Panel, draw_chart
from ...simulation import Trajectory
from ...spatial import SE3, Inertia
from ...typing import PathLike
from ..outlines import UPRIGHT
from ..scene import PALETTE, Scene
from .knee_bones import SIDE, KneeBones

CARTILAGE, TENDON = (0.62, 0.76, 0.86), (0.84, 0.66, 0.60)
COLUMNS = ("flexion_rad", "adduction_rad", "rotation_rad")
APART = 0.17  # [m] from knee to knee
PATELLA = 0.037  # [m] from the flexion axis to the middle of the patella
RISING, RATIO = -0.35, 0.62  # [rad] where the patella is in a straight knee, and how it follows flexion: made up
BANDS = {
    "patellar": (("patella", (0.0, -0.016, 0.0)), ("tibia", (-0.023, -0.072, 0.0))),
    "quadriceps": (("femur", (-0.018, 0.145, 0.0)), ("femur", (-0.030, 0.055, 0.0)), ("patella", (0.0, 0.016, 0.0))),
    "inner": (("femur", (0.004, 0.006, 0.039)), ("tibia", (0.0, -0.040, 0.0405)), ("tibia", (0.0, -0.085, 0.0245))),
    "outer": (
        ("femur", (0.004, 0.006, -0.039)),
        ("tibia", (0.008, -0.040, -0.0405)),
        ("tibia", (0.012, -0.056, -0.0445)),
    ),
}


def made_flexion(count: int = 120, seed: int = 0) -> tuple[np.ndarray, SE3]:
    """Flexion [rad] and poses of a made-up passive knee: screw-home of 17°, roll-back, 0.4 mm and 0.4° of noise."""
    t = np.linspace(0.0, 1.6, count)
    noise = np.random.default_rng(seed).normal(size=(count, 6)) * np.repeat([np.radians(0.4), 4e-4], 3)
    turned, zero = -0.3 * (1.0 - np.exp(-3.0 * t)), 0.0 * t
    place = np.stack([0.004 * np.sin(0.5 * t), -0.003 * (t / 1.6) ** 2, -0.001 * t], axis=1)
    parts = (zero, zero, t), (0.03 * np.sin(t), zero, zero), (zero, turned, zero)
    turns = [SE3.exp(np.stack([*w, zero, zero, zero], axis=1)) for w in parts]
    return t, SE3.from_translation(place) @ turns[0] @ turns[1] @ turns[2] @ SE3.exp(noise)


def table_flexion(path: PathLike) -> tuple[np.ndarray, SE3]:
    """Flexion [rad] and poses of a table: flexion about z, adduction about x, rotation about y, then tx, ty, tz."""
    found = read_poses(path, angles=COLUMNS, sequence="ZXY", position=("tx_m", "ty_m", "tz_m"), coordinates=COLUMNS[0])
    return np.asarray(found.coordinates), SE3.from_matrix(np.asarray(found.poses))


def fitted(t: np.ndarray, poses: SE3) -> tuple[CurveFit, CurveFit]:
    """The knee from poses with many control frames: as near as it gets, and smoothed by cross-validation."""
    options = {"frames": 24, "metric": 0.05, "name": "flexion"}
    return fit_curve(poses, t, **options), fit_curve(poses, t, smoothing="auto", **options)


def contacts(bones: KneeBones, side: float, count: int = 25) -> ContactPath:
    """Where the condyle of a side lies on its plateau, over the motion."""
    low, high = bones.reach
    q = np.linspace(low + 0.05, high - 0.05, count)
    return contact_path(bones.joint, bones.articular(side), bones.plateau(side), q)


def add_knee(b: ModelBuilder, name: str, fit: CurveFit, bones: KneeBones, place: np.ndarray) -> list:
    """A femur, a tibia on the fitted joint and a patella that follows the knee; returns what is drawn of them."""
    small = Inertia.sphere(1.0, 0.05)
    b.add_body(f"{name}_femur", joint=weld(), inertia=small, placement=place)
    b.add_body(f"{name}_tibia", f"{name}_femur", fit.joint, small, joint_name=f"{name}_knee")
    around = compose(revolute("z"), weld(SE3.from_translation((-PATELLA, 0.0, 0.0))))
    b.add_body(f"{name}_patella", f"{name}_femur", around, small, joint_name=f"{name}_cap")
    b.add_coupler(f"{name}_cap", f"{name}_knee", ratio=RATIO, offset=RISING)
    grids = {"femur": bones.femur(), "tibia": bones.tibia()[2:], "patella": [bones.patella()]}
    sheets = [Sheet(f"{name}_{body}", grid, BONE, 1.0, False) for body, them in grids.items() for grid in them]
    return [*sheets, *(Sheet(f"{name}_tibia", grid, CARTILAGE, 1.0, False) for grid in bones.tibia()[:2])]


def band(points, name: str, place: np.ndarray, fit: CurveFit, flexion) -> Sheet:
    """A ribbon, 8 mm wide, between points of bodies as the knee moves; `flexion(t)` [rad]."""

    def ribbon(t: float) -> np.ndarray:
        angle = float(flexion(t))
        cap = SE3.exp([0.0, 0.0, RISING + RATIO * angle, 0.0, 0.0, 0.0]) @ SE3.from_translation((-PATELLA, 0.0, 0.0))
        poses = {"femur": np.eye(4), "tibia": fit.joint.pose([angle]).as_matrix(), "patella": cap.as_matrix()}
        row = np.array([place @ poses[body] @ [*p, 1.0] for body, p in points])[:, :3]
        return row[:, None] + 0.004 * np.array([-1.0, 1.0])[:, None] * place[:3, 2 if "patella" in dict(points) else 0]

    return Sheet(None, ribbon, TENDON, 1.0, False)


def axode(name: str, fit: CurveFit, color) -> list[Line]:
    """A dozen of the axes that the tibia turns about from moment to moment, in the femur, from side to side of it."""
    axes = screw_axes(fit.joint, np.linspace(*fit.joint.domain[0], 14)[1:-1])
    return [Line(f"{name}_femur", piece, color) for piece in axes.swept(0.075)]


def condyles(path: PathLike | None = None) -> Scene:
    """Two knees side by side from one table of poses, before and after smoothing, each with its axode.

    Parameters
    ----------
    path : path, optional
        A table with flexion_rad, adduction_rad, rotation_rad (turns about z, x, y in this order) and tx_m, ty_m, tz_m
        of the tibia in the femur; by default a made-up one.

    Returns
    -------
    Scene
    """
    t, poses = made_flexion() if path is None else table_flexion(path)
    fits, b = fitted(t, poses), ModelBuilder()
    bones, sheets, lines = KneeBones(fits[1].joint), [], []
    low, high = fits[1].joint.domain[0]

    def flexion(time):
        return low + (high - low) * 0.5 * (1.0 - np.cos(0.5 * np.pi * np.asarray(time)))

    touching = [contacts(bones, side) for side in (-SIDE, SIDE)]
    for k, (name, fit) in enumerate(zip(("rough", "smooth"), fits, strict=True)):
        place = UPRIGHT @ SE3.from_translation((0.0, 0.0, (0.5 - k) * APART)).as_matrix()
        sheets += add_knee(b, name, fit, bones, place)
        lines += axode(name, fit, PALETTE[k])
        sheets += [band(points, name, place, fit, flexion) for points in BANDS.values()]
        lines += [Line(f"{name}_tibia", path.child, PALETTE[4]) for path in touching]
    model, times = b.build(), np.linspace(0.0, 4.0, 241)
    q = np.stack(2 * [flexion(times)], axis=1)
    motion = Trajectory(model, times, q, np.gradient(q, times, axis=0))
    extras = {
        "knee-smoothing.png": lambda run, file: draw_chart(
            smoothing_panels(t, poses, fits), file, size=(17.0, 3.4), dpi=100
        )
    }
    panels = [replace(smoothing_panels(t, poses, fits)[1], title="screw-home: rotation of the tibia [°]")]
    seen = {"camera": (13, -126), "moments": (0.0, 1.0, 2.0), "width": 5.0, "extras": extras, "panels": tuple(panels)}
    words = told(t, fits, touching)
    return Scene("condyles", model, q[0], np.zeros(2), tuple(lines), tuple(sheets), 4.0, motion=lambda: motion,
                 words=lambda run: words, **seen)  # fmt: skip


def told(t: np.ndarray, fits: tuple[CurveFit, CurveFit], touching: list[ContactPath]) -> str:
    """How much the axis wanders before and after smoothing, and how well the made bones lie on each other."""
    q = np.linspace(*fits[1].joint.domain[0], 60)[5:-5]
    wander = [
        np.degrees(np.ptp(np.arctan2(a[:, 1], a[:, 2]))) for a in (screw_axes(f.joint, q).direction for f in fits)
    ]
    gaps = np.concatenate([path.gap for path in touching])
    return (
        f"{len(t)} poses. The screw axis turns by {wander[0]:.0f}° in all before smoothing, {wander[1]:.0f}° after. "
        f"Condyles and plateaus, made for the smoothed motion, touch within {1e3 * np.nanmax(np.abs(gaps)):.2f} mm."
    )


def smoothing_panels(t: np.ndarray, poses: SE3, fits: tuple[CurveFit, CurveFit]) -> list[Panel]:
    """Curves of the five motions beside flexion: the table, and both fits."""
    q, panels = np.linspace(*fits[1].joint.domain[0], 400), []
    given, *found = [_motions(x) for x in (poses, *(f.joint.pose(q[:, None]) for f in fits))]
    titles = "adduction [°]", "rotation [°]", "forward, −x [mm]", "up, y [mm]", "aside, z [mm]"
    for k, title in enumerate(titles):
        curves = [Curve(np.degrees(t), given[:, k], "table", ".", "0.7")]
        for f, label, color in zip(found, ("before smoothing", "after smoothing"), PALETTE, strict=False):
            curves.append(Curve(np.degrees(q), f[:, k], label, "-", color))
        panels.append(Panel(title, curves, "flexion [°]"))
    return panels


def _motions(poses: SE3) -> np.ndarray:
    """Adduction, rotation [deg] and place [mm] of poses."""
    from scipy.spatial.transform import Rotation

    T = poses.as_matrix()
    angles = Rotation.from_matrix(T[:, :3, :3]).as_euler("ZXY", degrees=True)[:, 1:]
    return np.column_stack([angles, 1e3 * T[:, :3, 3] * (-1.0, 1.0, 1.0)])


def check() -> None:
    """Made bones lie on each other, and smoothing calms the axis of the knee."""
    t, poses = made_flexion()
    rough, smooth = fitted(t, poses)
    bones = KneeBones(smooth.joint)
    for side in (-SIDE, SIDE):
        assert np.nanmax(np.abs(contacts(bones, side, 9).gap)) < 1e-3
    q = np.linspace(0.1, 1.5, 50)
    bent = [np.linalg.norm(f.joint.hessian(q[:, None])[:, :, 0, 0], axis=1).max() for f in (rough, smooth)]
    assert bent[1] < 0.3 * bent[0]
