"""Joints that give: what their springs store, and what they become as these stiffen."""

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadShape, BadValue, NotSupported
from condyle.gallery.bones.knee import knee

SHANK = cd.Inertia(3.5, (0.01, -0.18, 0.02), (0.05, 0.006, 0.05))


def shank(k=None, damping=0.0, order=6):
    """A shank on the published knee, rigid, or giving with k [N/m] and k/100 [N m/rad]."""
    b = cd.ModelBuilder(gravity=(0, -9.81, 0))
    b.add_body("shank", joint=knee(order) if k is None else cd.joints.compliant(knee(order)), inertia=SHANK)
    if k is not None:
        b.add_compliance("shank", stiffness=np.repeat([0.01 * k, k], 3), damping=damping)
    return b.build()


def let_go(model, step=1e-4):
    q = model.neutral()
    q[0] = -1.2
    return cd.simulate(model, q, duration=0.3, step=step, record=0.01)


def test_a_stiff_joint_tends_to_the_rigid_one_at_first_order():
    """Oracle: the rigid joint; four times the stiffness leaves a quarter of the difference."""
    rigid = let_go(shank()).poses()
    gaps = [np.abs(let_go(shank(k)).poses() - rigid).max() for k in (4e4, 16e4, 64e4)]
    assert 3.4 < gaps[0] / gaps[1] < 4.7 and 3.4 < gaps[1] / gaps[2] < 4.7


def test_energy_is_kept_and_falls_with_the_fourth_power_of_the_step_to_round_off():
    """Oracle: conservation, with the energy of the springs written by hand; 3 J move."""
    model, drift = shank(2e4), []
    for step in (4e-4, 2e-4, 5e-5):
        run = let_go(model, step)
        stored = 0.5 * (run.q[:, 1:] ** 2 @ np.array([2e4, 2e4, 2e4, 2e2, 2e2]))
        weight = -3.5 * 9.81 * np.array([(T @ [0.01, -0.18, 0.02, 1])[1] for T in run.poses()[:, 0]])
        assert np.abs(run.energy().potential - stored + weight).max() < 1e-10
        total = run.energy().total
        drift.append(np.abs(total - total[0]).max())
    assert drift[1] < 1e-8 and drift[0] / drift[1] > 12
    assert drift[2] < 1e-12


def test_damping_takes_what_its_rates_say():
    """Oracle: ∫ Σ c · rate² dt by Simpson's rule over the records."""
    model = shank(2e4, damping=np.repeat([0.05, 5.0], 3))
    q = model.neutral()
    q[0] = -1.2
    run = cd.simulate(model, q, duration=0.2, step=1e-4, record=1e-4)
    rate = (run.v[:, 1:] ** 2) @ np.array([5.0, 5.0, 5.0, 0.05, 0.05])
    taken = 1e-4 / 3 * (rate[0] + 4 * rate[1:-1:2].sum() + 2 * rate[2:-1:2].sum() + rate[-1])
    total = run.energy().total
    assert taken > 1e-3 and abs(total[0] - total[-1] - taken) < 1e-10


def test_it_leaves_out_what_the_joint_moves_in():
    t = np.linspace(0.0, 2.0, 40)
    helix = cd.joints.along(np.column_stack([np.cos(3 * t), np.sin(3 * t), t]) / 10)
    assert cd.joints.compliant(helix).coordinates[1:] == ("give_y", "give_z", "give_rx", "give_ry", "give_rz")
    assert cd.joints.compliant(cd.joints.ball()).coordinates == ("rotation", "give_x", "give_y", "give_z")
    assert cd.joints.compliant(cd.joints.weld()).nv == 6
    q = np.array([[angle, 0.003, 0.002, -0.002, 0.05, -0.04] for angle in np.linspace(-2.0, 0.1, 30)])
    assert np.linalg.svd(cd.joints.compliant(knee()).jacobian(q), compute_uv=False).min() > 0.3


def test_twists_of_ones_own():
    skew = np.eye(6)[[0, 1, 3, 4, 5]]
    joint = cd.joints.compliant(cd.joints.revolute("z"), across=skew)
    assert joint.coordinates == ("angle", "give_1", "give_2", "give_3", "give_4", "give_5")
    b = cd.ModelBuilder().add_body("door", joint=joint, inertia=SHANK)
    model = b.add_compliance("door", stiffness=[1, 2, 3, 4, 5]).build()
    assert [load.constants[0] for load in model.coordinate_forces] == [1, 2, 3, 4, 5]


def test_what_cannot_give_is_named():
    with pytest.raises(NotSupported, match="all six directions"):
        cd.joints.compliant(cd.joints.free())
    with pytest.raises(BadShape, match=r"\(5, 6\)"):
        cd.joints.compliant(cd.joints.revolute("z"), across=np.eye(6))
    with pytest.raises(BadValue, match="moves in itself at q"):
        cd.joints.compliant(cd.joints.revolute("z"), across=np.eye(6)[1:])
    turning = cd.joints.elliptic(1.0, 1.0)  # turns about z while it moves on a circle: x, y, then z alone
    assert cd.joints.compliant(turning).nv == 6
    with pytest.raises(BadValue, match="does not give"):
        cd.ModelBuilder().add_body("a", joint=cd.joints.ball(), inertia=SHANK).add_compliance("a", stiffness=1.0)
    b = cd.ModelBuilder().add_body("a", joint=cd.joints.compliant(cd.joints.ball()), inertia=SHANK)
    with pytest.raises(BadValue, match="give_x is above zero"):
        b.add_compliance("a", stiffness=0.0)


def test_a_motion_that_changes_axes_needs_twists():
    """A frame that goes around a square without turning moves along x here and along y there."""
    square = cd.joints.Curve.from_points([(0, 0), (1, 0), (1, 1), (0, 1)], closed=True, rounding=0.05)
    with pytest.raises(NotSupported, match="different axes"):
        cd.joints.compliant(cd.joints.along(square, frame="fixed"))
