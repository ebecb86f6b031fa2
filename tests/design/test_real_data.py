"""Other people's measurements, where they are at hand: fitted, judged, simulated."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import condyle as cd
from condyle import design
from support.measured_joints import KNEE, SCAPULA, measured_knee, measured_scapula

needs_knee = pytest.mark.skipif(not KNEE.exists(), reason=f"no {KNEE.name} beside the repository")
needs_scapula = pytest.mark.skipif(not SCAPULA.exists(), reason=f"no {SCAPULA.name} beside the repository")


def simulated(joint, q0):
    """A body on the joint, held by soft springs, for a fifth of a second."""
    b = cd.ModelBuilder()
    b.add_body("bone", joint=joint, inertia=cd.Inertia(3.0, (0.0, -0.2, 0.0), (0.05, 0.01, 0.05)))
    for name, rest in zip(joint.coordinates, q0, strict=True):
        b.add_stiffness(f"bone.{name}" if len(q0) > 1 else "bone", 20.0, rest=rest, damping=1.0)
    return cd.simulate(b.build(), q0, duration=0.2, step=1e-3)


def rms(errors):
    return np.sqrt(np.mean(errors**2))


@needs_knee
def test_ten_frames_suffice_for_a_passive_knee():
    """Oracle: the measured poses, fitted and left out; numbers in docs/fitting-results.md."""
    q, poses = measured_knee()
    fits = {n: design.fit_curve(poses, q, frames=n, metric=0.05) for n in (5, 10, 20)}
    left = np.array([[rms(f.angle_errors), rms(f.distance_errors)] for f in fits.values()])
    assert np.all(np.diff(left, axis=0) < 0)
    assert left[1, 0] < 0.03 and left[1, 1] < 0.2  # deg, mm
    left_out = [f.cross_validated for f in fits.values()]
    assert left_out[0] > 2 * left_out[1] and left_out[1] < 1.2 * left_out[2]
    assert fits[10].rank.ok
    motion = simulated(fits[10].joint, [0.5])
    assert motion.stopped is None and np.isfinite(motion.q).all() and np.ptp(motion.q) > 1e-3


@needs_scapula
def test_a_scapula_is_a_surface_over_plane_and_elevation():
    """Oracle: the measured rotations; the translation is a stated synthetic ellipsoid. Smoothed across the planes."""
    q, poses = measured_scapula()
    fit = design.fit_surface(poses, q, shape=(4, 8), smoothing="auto", metric=0.2, names=("plane", "elevation"))
    assert fit.converged and fit.rank.ok and fit.smoothing > 0
    assert rms(fit.angle_errors) < 0.1 and fit.angle_errors.max() < 0.25
    between = fit.joint.pose([np.radians(20.0), np.radians(75.0)])  # between two measured planes
    assert 30 < Rotation.from_matrix(between[:3, :3]).as_euler("YXZ", degrees=True)[0] < 40
    motion = simulated(fit.joint, np.radians([40.0, 70.0]))
    assert motion.stopped is None and np.isfinite(motion.q).all() and np.ptp(motion.q, axis=0).max() > 1e-3
