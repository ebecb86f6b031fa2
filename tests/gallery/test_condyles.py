"""The knee with made bones: what its scene claims, on made-up poses and on a published passive flexion."""

from pathlib import Path

import numpy as np
import pytest

from condyle.gallery.bones import condyles
from condyle.gallery.bones.knee_bones import DEEP, SIDE, KneeBones
from condyle.joints import functions, product

TABLES = [p / "shared" / "data" / "knee_passive_flexion.csv" for p in Path(__file__).resolve().parents[2:]]
TABLE = next((p for p in TABLES if p.is_file()), None)


def hinge():
    """A knee that is a hinge at the femur's centre: its condyles are circles as large as the plateau is deep."""
    return product([(0, 0, 1, 0, 0, 0)], [functions.spline([0] * 4 + [1.5] * 4, [0.0, 0.5, 1.0, 1.5])])


def test_condyles_of_a_hinge_are_circles():
    """Oracle: a circle of the plateau's depth, with its continuation beyond 90° through the same point and tangent."""
    bones = KneeBones(hinge())
    t = np.linspace(0.0, 1.5, 20)
    assert np.abs(np.linalg.norm(bones.profile(SIDE, t), axis=1) - DEEP).max() < 1e-4
    beyond = bones.profile(SIDE, np.array([1.5, 1.5 + 1e-7, -1e-7, 0.0]))
    assert np.abs(beyond[0] - beyond[1]).max() < 1e-8 and np.abs(beyond[2] - beyond[3]).max() < 1e-8


@pytest.mark.slow
def test_claims_of_the_scene():
    condyles.check()


@pytest.mark.slow
@pytest.mark.skipif(TABLE is None, reason="needs ../shared/data/knee_passive_flexion.csv")
def test_a_published_flexion():
    """Oracle: the table itself: the smoothed knee is within 0.3 mm of its poses from 5° on."""
    t, poses = condyles.table_flexion(TABLE)
    fit = condyles.fitted(t, poses)[1]
    bent = t > np.radians(5.0)
    assert np.abs(fit.joint.pose(t[bent][:, None]).xyz - poses.xyz[bent]).max() < 3e-4
    gaps = [condyles.contacts(KneeBones(fit.joint), side, 9).gap for side in (-SIDE, SIDE)]
    assert np.nanmax(np.abs(gaps)) < 2e-3
