"""Models with constraints: loops stay closed, coupled coordinates in step, while bodies go to their targets."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize

import condyle as cd
from condyle.ik.problem import gaps
from support import four_bar

START = four_bar.angles(0.5)
AT = (*four_bar.PEN, 0.0)
BOX = cd.Inertia.box(1.0, (0.1, 0.1, 0.1))


def random_angles(count, seed=0):
    return four_bar.angles(np.random.default_rng(seed).uniform(-3, 3, count))


@pytest.mark.parametrize("method", ["damped", "qp"])
def test_a_linkage_reaches_what_its_pen_can_draw(method):
    """Oracle: angles in closed form; the loop by hand to 1e-10."""
    wanted = four_bar.pen(random_angles(24))
    targets = cd.ik.position("coupler", wanted, at=AT)
    found = cd.ik.solve(four_bar.model(), targets, START, method=method, restarts=12)
    assert four_bar.gap(found.q).max() < 1e-10
    assert found.reached.all()
    assert np.abs(four_bar.pen(found.q) - wanted).max() < 2e-10


@pytest.mark.parametrize("method", ["damped", "qp"])
@pytest.mark.parametrize("ranges", [{}, {"rocker": (1.9, 2.2)}, {"crank": (0.2, 0.9)}])
@pytest.mark.parametrize("where", [(1.5, 0.9, 0.0), (0.2, -0.6, 0.0), (0.4, 0.55, 0.2)])
def test_out_of_reach_it_ends_at_the_nearest_closed_pose(method, ranges, where):
    """Oracle: scipy's SLSQP with the loop as an equality, by hand, from the same start and from the answer."""
    model = four_bar.model(**ranges)
    found = cd.ik.solve(model, cd.ik.position("coupler", where, at=AT), START, method=method)
    assert four_bar.gap(found.q) < 1e-10 and found.stationary and not found.reached
    names = ("crank", "coupler", "rocker")
    bounds = [ranges.get(n, (-9, 9)) for n in names]
    assert all(low <= x <= high for x, (low, high) in zip(found.q, bounds, strict=True))

    def loop(q):
        end = four_bar.CRANK * np.exp(1j * q[0]) + four_bar.COUPLER * np.exp(1j * (q[0] + q[1]))
        open_ = end - four_bar.GROUND - four_bar.ROCKER * np.exp(1j * q[2])
        return [open_.real, open_.imag]

    def cost(q):
        return np.sum((four_bar.pen(q) - where) ** 2)

    held = {"type": "eq", "fun": loop}
    best = minimize(cost, found.q, bounds=bounds, constraints=held, method="SLSQP", options={"ftol": 1e-15})
    assert found.residual**2 <= best.fun + 1e-9  # scipy finds nothing lower beside it


def test_multipliers_prove_the_nearest_pose_stationary():
    """Oracle: the gradient by differences of the kinematics by hand is a sum of gradients of the loop's two rows."""
    where = np.array([1.5, 0.9, 0.0])
    q = cd.ik.solve(four_bar.model(), cd.ik.position("coupler", where, at=AT), START).q

    def functions(x):
        end = four_bar.CRANK * np.exp(1j * x[0]) + four_bar.COUPLER * np.exp(1j * (x[0] + x[1]))
        open_ = end - four_bar.GROUND - four_bar.ROCKER * np.exp(1j * x[2])
        return np.array([0.5 * np.sum((four_bar.pen(x) - where) ** 2), open_.real, open_.imag])

    h = 1e-6
    slopes = np.array([(functions(q + h * e) - functions(q - h * e)) / (2 * h) for e in np.eye(3)])
    left = np.linalg.lstsq(slopes[:, 1:], slopes[:, 0], rcond=None)
    assert np.linalg.norm(slopes[:, 1:] @ left[0] - slopes[:, 0]) < 1e-8 and np.linalg.norm(slopes[:, 0]) > 0.01


HELD = np.array([0.8, 0.0, 0.6, 0.0, 1.2, 0.96, 0.0, -0.28, 0.0, 1.5])  # both hands, before they are joined


def ring():
    """Two arms on ball joints with spline elbows, their hands welded as they are at HELD; and the weld's frame."""
    frames = cd.SE3.stack([cd.SE3.exp([0, 0.3 * k, 0, 0.02 * k**2, 0, 0]) for k in range(6)])
    b = cd.ModelBuilder()
    for side, x in (("left", -0.2), ("right", 0.2)):
        b.add_body(side, None, cd.joints.ball(), BOX, cd.SE3.from_translation((x, 0, 0)))
        b.add_body(f"{side} hand", side, cd.joints.spline_curve(frames), BOX, cd.SE3.from_translation((0, 0, 0.4)))
    left, right = (cd.forward_kinematics(b.build(), HELD)[i].as_matrix() for i in (1, 3))
    grip = np.linalg.inv(left) @ right
    return b.add_constraint(cd.constraints.weld("left hand", grip, "right hand", None)).build(), grip


@pytest.mark.parametrize("method", ["damped", "qp"])
def test_welded_hands_stay_together(method):
    """Oracle: the pose of one hand in the other's, as it was when they were joined; six rows, eight freedoms."""
    model, grip = ring()
    beside = cd.integrate(model, HELD, np.array([0.2, 0.1, -0.1, 0.1, -0.1, 0.1, 0.1, -0.2]))
    where = cd.forward_kinematics(model, cd.ik.solve(model, cd.ik.position("left", (-0.2, 0, 0)), beside).q)[1].xyz
    targets = cd.ik.position("left hand", [where, (3.0, 0.0, 0.0)])
    found = cd.ik.solve(model, targets, HELD, method=method, restarts=4)
    assert found.reached.tolist() == [True, False] and found.stationary.all()
    poses = cd.forward_kinematics(model, found.q).as_matrix()
    assert np.abs(poses[:, 1] @ grip - poses[:, 3]).max() < 1e-10


def test_coupled_coordinates_keep_in_step():
    """Oracle: the function between them, by hand; the target reached by the one freedom that is left."""
    b = cd.ModelBuilder()
    b.add_body("upper", None, cd.joints.revolute("z"), BOX)
    b.add_body("lower", "upper", cd.joints.revolute("z"), BOX, cd.SE3.from_translation((1, 0, 0)))
    model = b.add_constraint(cd.constraints.couple("lower", "upper", cd.functions.polynomial([0.1, 0.5, 0.2]))).build()
    bend = 0.1 + 0.5 * 0.7 + 0.2 * 0.7**2
    tip = np.exp(0.7j) + np.exp(1j * (0.7 + bend))
    found = cd.ik.solve(model, cd.ik.position("lower", (tip.real, tip.imag, 0), at=(1, 0, 0)), [0.0, 0.1])
    assert found.reached
    assert_allclose(found.q, [0.7, bend], atol=1e-9)


def test_a_wheel_that_rolls_is_brought_anywhere():
    """Oracle: the target: no slip holds velocities, not places."""
    joint = cd.joints.compose(cd.joints.planar(), cd.joints.revolute("x", name="spin"))
    b = cd.ModelBuilder().add_body("disk", joint=joint, inertia=BOX)
    model = b.add_constraint(cd.constraints.roll("disk", cd.joints.planar(), (0, 1))).build()
    found = cd.ik.solve(model, cd.ik.position("disk", (0.3, 0.4, 0.0)))
    assert found.reached
    assert_allclose(found.q[:2], (0.3, 0.4), atol=1e-9)


def test_jacobians_of_constraints_are_derivatives_of_gaps():
    """Oracle: central differences along cd.integrate, off the constraints too."""
    model, _ = ring()
    q = np.array([[0.8, 0.6, 0, 0, 1.2, 0.96, 0, 0.28, 0, 0.7]])
    _, C = gaps(model, q)
    h = 1e-6
    for k, e in enumerate(np.eye(model.nv) * h):
        ahead, behind = (gaps(model, cd.integrate(model, q, s * e))[0] for s in (1, -1))
        assert_allclose(C[0, :, k], (ahead - behind)[0] / (2 * h), atol=5e-9)


def test_a_loop_that_cannot_close_is_said():
    """Oracle: the words."""
    model = four_bar.model(crank=(3.0, 3.2), rocker=(-0.2, 0.2))
    with pytest.raises(cd.CondyleError, match=r"the point of 'coupler' on 'rocker' cannot be closed .* limits=False"):
        cd.ik.solve(model, cd.ik.position("coupler", (0, 0, 0)), [3.1, 0.0, 0.0])
