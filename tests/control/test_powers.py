"""Functions of one's own that look like powers: their values and goals are their own, wherever they are asked for."""

import numpy as np
import pytest

import condyle as cd
from condyle.gallery import planar_chain

C = cd.control
MODEL = planar_chain((0.4, 0.3, 0.2))
POSES = np.array([[0.4, 0.5, -0.3], [-0.7, -1.6, 0.2], [0.2, 0.1, 0.15], [3.0, -40.0, 2.0], [-0.1, 2.5, -8.0]])


def angles(x):
    """The joint angles of a posture, or of plain numbers."""
    return [x[:, k] for k in range(3)] if isinstance(x, np.ndarray) else [x[f"link{k + 1}"] for k in range(3)]


OWN = {
    "clipped": lambda x: np.clip(angles(x)[1], -1.0, 1.0) ** 2,
    "Huber": lambda x: np.where(np.abs(angles(x)[1]) < 1.0, angles(x)[1] ** 2, 2.0 * np.abs(angles(x)[1]) - 1.0),
    "least square": lambda x: np.minimum(angles(x)[0] ** 2, angles(x)[1] ** 2),
    "one-sided": lambda x: np.maximum(angles(x)[1] + 0.2, 0.0) ** 2,
    "largest": lambda x: np.max(np.stack(angles(x), axis=1), axis=1) ** 2,
    "sign": lambda x: np.sign(angles(x)[2]) * angles(x)[2] ** 2,
    "step": lambda x: (angles(x)[1] + np.floor(angles(x)[1] + 0.25)) ** 2,
    "bump": lambda x: (angles(x)[1] + 5.0 * np.exp(-((angles(x)[1] - 9.0) ** 2))) ** 2,
    "square": lambda x: angles(x)[1] ** 2,
    "steep": lambda x: (100.0 * angles(x)[1] - 7.0) ** 2,
    "cube": lambda x: (angles(x)[0] - 2.0 * angles(x)[2]) ** 3,
    "opposite": lambda x: -(angles(x)[0] ** 2),
}


@pytest.mark.parametrize("kind", OWN)
def test_a_function_of_ones_own_has_its_own_values(kind):
    """Oracle: NumPy on plain numbers at near, far and negative poses; central differences of it."""
    f, h = OWN[kind], 1e-6
    space = C.AnimationSpace(MODEL, [C.function(f, name="f")])
    assert space.value(POSES)[:, 0] == pytest.approx(f(POSES), rel=1e-12)
    slopes = np.stack([(f(POSES + h * e) - f(POSES - h * e)) / (2 * h) for e in np.eye(3)], axis=-1)
    assert space.gradient(POSES)[:, 0] == pytest.approx(slopes, rel=1e-5, abs=1e-5)
    assert set(space.replaced) == ({"f"} if kind in ("square", "steep", "cube") else set())


def test_a_branch_on_plain_numbers_is_found_by_far_poses():
    """Oracle: by hand: beyond 1 rad it is no square any more, which no comparison of the formula's numbers tells."""
    f = C.function(lambda x: x["link2"] ** 2 * np.where(x.real_q[:, 1] > 1.0, 2.0, 1.0), name="f")
    space = C.AnimationSpace(MODEL, [f])
    assert not space.replaced
    assert space.value([0.0, 2.0, 0.0]) == pytest.approx(8.0)


@pytest.mark.parametrize(("start", "goal"), [(0.5, 0.36), (-0.5, 0.81), (1.4, 0.09)])
def test_a_goal_for_a_square_is_a_goal_for_the_square(start, goal):
    """Oracle: q = ±√goal, of the sign that it starts with."""
    space = C.AnimationSpace(MODEL, [C.function(lambda x: x["link2"] ** 2, name="sq")])
    motion = C.direct(space, [0.4, start, -0.3], {"sq": goal}, duration=2.0, step=0.01)
    end = np.sign(start) * np.sqrt(goal)
    assert motion.q[-1, 1] == pytest.approx(end, abs=1e-7)
    assert motion.u[-1] == pytest.approx(goal, abs=1e-7) and motion.target[-1] == pytest.approx(goal)
    assert C.assembled(space, [0.4, start, -0.3], [goal])[1] == pytest.approx(end, abs=1e-9)
    assert C.resolve_velocity(space, [0.4, start, -0.3], [0.3]).motion[1] == pytest.approx(0.3 / (2 * start))
    track = C.Tracker(space, C.Resolution(damping=1e-9))
    assert track.velocity([0.4, start, -0.3], [0.3])[1] == pytest.approx(0.3 / (2 * start))


def test_a_square_follows_a_path_and_reports_its_own_values():
    """Oracle: the path 0.25 → 0.49, so that q goes 0.5 → 0.7; a square without a goal stays at (0.3)²."""
    square = [C.function(lambda x, k=k: x[k] ** 2, name=f"{k}²") for k in ("link2", "link3")]
    space = C.AnimationSpace(MODEL, square)
    path = C.keyframes([0.0, 1.0], [0.25, 0.49])
    motion = C.direct(space, [0.4, 0.5, -0.3], {"link2²": path}, duration=1.0, step=0.01)
    assert motion.q[-1] == pytest.approx([0.4, 0.7, -0.3], abs=1e-6)
    assert motion.u == pytest.approx(motion.q[:, 1:] ** 2, abs=1e-12)
    assert motion.target[:, 1] == pytest.approx(0.09, abs=1e-15)


def test_accelerations_of_a_square_that_moves_are_its_own():
    """Oracle: d²/dt² q² = 2 q̇² + 2 q q̈ = 0, by hand; at rest the base stands still, at its zero too."""
    space = C.AnimationSpace(MODEL, [C.function(lambda x: x["link2"] ** 2, name="sq")])
    q, v = np.array([0.4, 0.5, -0.3]), np.array([0.0, 0.8, 0.0])
    assert C.resolve_acceleration(space, q, v, [0.0]).motion[1] == pytest.approx(-(0.8**2) / 0.5)
    assert C.resolve_torque(space, q, v, [0.0]).motion[1] == pytest.approx(-(0.8**2) / 0.5)
    at_zero = C.resolve_acceleration(space, [0.4, 0.0, -0.3], [0.3, 0.0, 0.1], [0.0])
    assert at_zero.motion[1] == pytest.approx(0.0, abs=1e-14)
    with pytest.raises(cd.errors.RankLost, match="'sq'"):
        C.resolve_velocity(space, [0.4, 0.0, -0.3], [0.1])


def test_a_carried_motion_leads_a_square_and_holds_another_at_its_zero():
    """Oracle: q2 = √0.36, and q3 stays 0, where its square has no gradient."""
    square = [C.function(lambda x, k=k: x[k] ** 2, name=k) for k in ("link2", "link3")]
    space = C.AnimationSpace(MODEL, square)
    motion = C.direct_carried(space, [0.4, 0.5, 0.0], {"link2": 0.36}, contacts=(), duration=2.0, step=0.01)
    assert motion.q[-1, 1:] == pytest.approx([0.6, 0.0], abs=1e-5)
    assert motion.u[-1] == pytest.approx([0.36, 0.0], abs=1e-5)
    assert motion.target[-1] == pytest.approx([0.36, 0.0])
