"""Other people's measurements, where they are at hand: fitted, judged, simulated."""

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import condyle as cd
from condyle import design
from condyle.formats.tables import read_csv

FOLDER = Path(__file__).parents[3] / "shared" / "data"
KNEE, SCAPULA = FOLDER / "knee_passive_flexion.csv", FOLDER / "scapula_on_thorax.csv"


def simulated(joint, q0):
    """A body on the joint, held by soft springs, for a fifth of a second."""
    b = cd.ModelBuilder()
    b.add_body("bone", joint=joint, inertia=cd.Inertia(3.0, (0.0, -0.2, 0.0), (0.05, 0.01, 0.05)))
    for name, rest in zip(joint.coordinates, q0, strict=True):
        b.add_stiffness(f"bone.{name}" if len(q0) > 1 else "bone", 20.0, rest=rest, damping=1.0)
    return cd.simulate(b.build(), q0, duration=0.2, step=1e-3)


def knee_measured():
    if not KNEE.exists():
        pytest.skip(f"no {KNEE.name} beside the repository")
    columns = ("flexion_rad", "adduction_rad", "rotation_rad")
    found = design.read_poses(
        KNEE, angles=columns, sequence="ZXY", position=("tx_m", "ty_m", "tz_m"), coordinates="flexion_rad"
    )
    # the first samples settle without flexion: keep those where the knee bends on
    q = found.coordinates if found.coordinates[-1] > 0 else -found.coordinates
    rising = np.concatenate([[0], 1 + np.flatnonzero(q[1:] > np.maximum.accumulate(q)[:-1] + 1e-6)])
    return q[rising], found.poses[rising]


def test_a_passive_knee_needs_few_frames():
    """Oracle: the measured poses; ten frames leave less than a tenth of a degree and 0.2 mm (rms)."""
    q, poses = knee_measured()
    rows = []
    for frames in (5, 8, 12, 20):
        fit = design.fit_curve(poses, q, frames=frames, metric=0.05)
        rows.append([np.sqrt(np.mean(x**2)) for x in (fit.angle_errors, fit.distance_errors)])
        print(frames, *rows[-1], np.max(fit.angle_errors), np.max(fit.distance_errors))
    rows = np.array(rows)
    assert np.all(np.diff(rows, axis=0) < 0)
    assert fit.rank.ok
    motion = simulated(fit.joint, [0.5])
    assert motion.stopped is None and np.isfinite(motion.q).all()


def test_a_scapula_is_a_surface_over_plane_and_elevation():
    """Oracle: the measured rotations; the translation is a stated synthetic ellipsoid (0.12, 0.2, 0.09 m)."""
    if not SCAPULA.exists():
        pytest.skip(f"no {SCAPULA.name} beside the repository")
    table = read_csv(SCAPULA)
    angles = table.columns(("internal_rotation_deg", "upward_rotation_deg", "tilt_deg"))
    q = np.radians(table.columns(("plane_deg", "elevation_deg")))
    poses = np.tile(np.eye(4), (len(q), 1, 1))
    poses[:, :3, :3] = Rotation.from_euler("YXZ", angles, degrees=True).as_matrix()
    direction = poses[:, :3, :3] @ [0.0, 0.0, -1.0]
    poses[:, :3, 3] = direction * [0.12, 0.2, 0.09]
    fit = design.fit_surface(poses, q, shape=(4, 8), smoothing=1e-4, metric=0.2, names=("plane", "elevation"))
    print(fit.summary())
    assert fit.converged and fit.rank.ok
    assert np.sqrt(np.mean(fit.angle_errors**2)) < 0.3 and np.max(fit.angle_errors) < 1.0
    between = fit.joint.pose([np.radians(20.0), np.radians(75.0)])  # between two measured planes
    assert 30 < Rotation.from_matrix(between[:3, :3]).as_euler("YXZ", degrees=True)[0] < 40
    motion = simulated(fit.joint, np.radians([40.0, 70.0]))
    assert motion.stopped is None and np.isfinite(motion.q).all()
