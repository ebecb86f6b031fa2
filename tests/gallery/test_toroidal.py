"""Wrist and thumb: two turns whose axes do not meet."""

import numpy as np
import pytest

from condyle.gallery import condyloid, saddle, thumb, wrist


def gaussian_curvature(joint, q, h=1e-3):
    """Of the swept surface by differences of its points: (LN − M²) / (EG − F²)."""

    def p(a, b):
        return joint.pose([q[0] + a * h, q[1] + b * h])[:3, 3]

    pu, pw = (p(1, 0) - p(-1, 0)) / (2 * h), (p(0, 1) - p(0, -1)) / (2 * h)
    puu, pww = (p(1, 0) - 2 * p(0, 0) + p(-1, 0)) / h**2, (p(0, 1) - 2 * p(0, 0) + p(0, -1)) / h**2
    puw = (p(1, 1) - p(1, -1) - p(-1, 1) + p(-1, -1)) / (4 * h**2)
    n = np.cross(pu, pw) / np.linalg.norm(np.cross(pu, pw))
    forms = (pu @ pu) * (pw @ pw) - (pu @ pw) ** 2
    return ((puu @ n) * (pww @ n) - (puw @ n) ** 2) / forms


def test_the_wrist_bends_one_way_and_the_thumb_is_a_saddle():
    """Oracle: the Gaussian curvature of the swept surface at rest, 1 / (product of the radii), by differences."""
    assert gaussian_curvature(condyloid(0.025, 0.04), (0, 0)) == pytest.approx(1 / (0.025 * 0.04), rel=1e-4)
    assert gaussian_curvature(saddle(0.014, -0.01), (0, 0)) == pytest.approx(1 / (0.014 * -0.01), rel=1e-4)
    assert gaussian_curvature(saddle(), (0.4, -0.3)) < 0 < gaussian_curvature(condyloid(), (0.4, -0.3))


@pytest.mark.parametrize(("joint", "first", "second"), [(condyloid(), -0.025, -0.04), (saddle(), 0.014, -0.01)])
def test_each_turn_alone_is_a_circle_about_its_centre(joint, first, second):
    """Oracle: the distance to the centre of the turn."""
    q = np.linspace(-1, 1, 9)
    flexed, turned = (joint.pose(np.stack(x, axis=1))[:, :3, 3] for x in ((q, 0 * q), (0 * q, q)))
    assert np.linalg.norm(flexed + (0, 0, first), axis=1) == pytest.approx(abs(first), abs=1e-15)
    assert np.linalg.norm(turned + (0, 0, second), axis=1) == pytest.approx(abs(second), abs=1e-15)


@pytest.mark.parametrize("make", [wrist, thumb])
def test_damping_takes_what_the_energy_loses(make):
    """Oracle: d(energy)/dt = −Σ damping · rate², by Simpson's rule along the motion."""
    scene = make()
    path = scene.run(0.2, step=2e-4)
    c = np.array([load.constants[2] for load in scene.model.coordinate_forces])
    power = (c * path.v**2).sum(axis=1)
    lost = (power[0] + power[-1] + 4 * power[1:-1:2].sum() + 2 * power[2:-1:2].sum()) * path.t[1] / 3
    energy = path.energy().total
    assert energy[0] - energy[-1] == pytest.approx(lost, rel=1e-6)
    assert lost > 0
